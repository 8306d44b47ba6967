"""The charts of a pack: the cells that the owner has entered, and what of them is doubtful or can be only one thing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product, repeat
from math import prod
from typing import NamedTuple

import msgspec

from ..state.state import Cell
from ..state.tracks import CERTAIN, Source
from ..util.errors import InputError
from ..util.limits import Limit
from .charts import Chart, Ends, Keys
from .games import Game
from .pack_files import CHARTS, PackFiles


class ChartFact(msgspec.Struct, frozen=True):
    """A fact about a chart that is known without the chart itself."""

    chart: str
    rule: str
    text: str
    firm: bool
    """Whether the rulebook states it; otherwise it is a reading of the text, which may be wrong."""
    contradicted: Callable[[Mapping[Keys, Cell]], bool]
    """Whether the known cells, by their keys, contradict it."""


class Doubt(msgspec.Struct, frozen=True):
    """A reading of the rulebook that a cell as typed contradicts."""

    rule: str
    text: str


class Foretold(NamedTuple):
    """A cell that can be only one thing, as far as the text of the rulebook is read rightly."""

    text: str
    """As the chart writes it."""
    rules: tuple[str, ...]
    """Those that it follows from."""


_MOST_POSSIBLE = 256
"""How many things a cell may be at most of which all but one are ruled out."""


class PackCharts:
    """The cells of charts that a pack holds.

    game: without its pack; files: of the pack; facts: what is known about the charts.
    """

    def __init__(self, game: Game, files: PackFiles, facts: tuple[ChartFact, ...]) -> None:
        self.game = game
        self.files = files
        self.facts = facts

    def cells(self, chart: str) -> dict[Keys, Cell]:
        """Return the cells of a chart that the owner has entered. Raises InputError for a fault in the pack's file."""
        file = self.files.folder / CHARTS / f"{chart}.csv"
        bare = msgspec.structs.replace(self.game.chart(chart), cells={})
        return dict(bare.fill(file, Source.PRINTED, called=str(file)).cells) if file.exists() else {}

    def missing(self, chart: str, ends: Iterable[Keys] = ()) -> list[Keys]:
        """Return the keys of the cells not yet entered, row by row; empty for a chart whose ends are unknown.

        ends: keys that tell where it ends, besides the cells entered.
        """
        known = self.cells(chart)
        return [key for key in list_keys(self.game.chart(chart), (*known, *ends)) if key not in known]

    def enter_cells(self, chart: str, texts: Mapping[Keys, str]) -> list[Doubt]:
        """Keep several cells, all or none. Returns the doubts that they raise.

        Raises InputError for a text that is not a cell of the chart, and for a cell that contradicts the rulebook or a
        firm fact about the chart.
        """
        with self.files.lock():
            cells, doubts = self._with_cells(chart, texts)
            self._write_chart(self.game.chart(chart), cells)
        return doubts

    def try_cells(self, chart: str, texts: Mapping[Keys, str]) -> list[Doubt]:
        """Return the doubts that several cells would raise. Raises InputError where they could not be kept."""
        return self._with_cells(chart, texts)[1]

    def _with_cells(self, chart: str, texts: Mapping[Keys, str]) -> tuple[dict[Keys, Cell], list[Doubt]]:
        """Return the cells of a chart with others, and the doubts that they raise. Raises InputError as `enter_cells`
        does.
        """
        declared = self.game.chart(chart)
        given = {declared.key(*key): declared.cell(text, Source.PRINTED) for key, text in texts.items()}
        cells = self.cells(chart) | given
        return cells, self.check_cells(chart, cells)

    def foretell(self, chart: str, keys: Iterable[Keys], more: Mapping[Keys, str] = {}) -> dict[Keys, Foretold]:
        """Return those of the cells that are not known and yet can be only one thing: the rulebook states them, or what
        it says of the chart rules out all else beside the known ones. more: cells that are known besides those of the
        pack, as texts.
        """
        declared = self.game.chart(chart)
        cells = self.cells(chart) | {key: declared.cell(text, Source.PRINTED) for key, text in more.items()}
        facts = [fact for fact in self.facts if fact.chart == chart and not fact.contradicted(cells)]
        fields = [field.possible for field in declared.fields]
        possible = [field for field in fields if field is not None]
        is_counted = len(possible) == len(fields) and prod(map(len, possible)) <= _MOST_POSSIBLE
        texts = ["/".join(map(str, values)) for values in product(*possible)] if is_counted and facts else []
        foretold = dict[Keys, Foretold]()
        for key in keys:
            stated = declared.cells.get(key)
            if key in cells:
                continue
            if stated is not None and stated.source is Source.RULEBOOK:
                foretold[key] = Foretold(declared.write_cell(stated), tuple(filter(None, [declared.rule])))
            elif only := _only_possible(cells, key, [declared.cell(text, Source.PRINTED) for text in texts], facts):
                foretold[key] = Foretold(declared.write_cell(only[0]), only[1])
        return foretold

    def leave_out(self, chart: str, keys: Iterable[Keys]) -> None:
        """Take cells out of the pack again, all or none. Raises InputError for a key that is off the chart, and for a
        cell that the pack does not have.
        """
        declared = self.game.chart(chart)
        gone = dict.fromkeys(declared.key(*key) for key in keys)
        with self.files.lock():
            cells = self.cells(chart)
            for key in gone:
                if key not in cells:
                    raise self.files.lacking(f"{chart} {' '.join(map(str, key))}")
            self._write_chart(declared, {key: cell for key, cell in cells.items() if key not in gone})

    def check_cells(self, chart: str, cells: Mapping[Keys, Cell]) -> list[Doubt]:
        """Return the doubts that cells raise. Raises InputError if they contradict the rulebook or a firm fact."""
        declared = self.game.chart(chart)
        declared.ends(cells)
        for key, cell in cells.items():
            stated = declared.cells.get(key)
            if stated is not None and stated.source is Source.RULEBOOK and dict(stated.values) != dict(cell.values):
                named = declared.write(key, stated)
                raise InputError(
                    f"{declared.write(key, cell)} contradicts the rulebook",
                    hint=f"by rule {declared.rule}: {named}" if declared.rule else f"the rulebook requires: {named}",
                )
        contradicted = [fact for fact in self.facts if fact.chart == chart and fact.contradicted(cells)]
        for fact in contradicted:
            if fact.firm:
                what = f"this contradicts what the rulebook says about the {declared.title}"
                raise InputError(what, hint=f"rule {fact.rule}: {fact.text}")
        return [Doubt(fact.rule, fact.text) for fact in contradicted]

    def _write_chart(self, chart: Chart, cells: Mapping[Keys, Cell]) -> None:
        columns = [*(key.name for key in chart.keys), *(field.name for field in chart.fields)]
        order = {key: number for number, key in enumerate(list_keys(chart, cells))}
        rows = sorted(cells.items(), key=lambda entry: order.get(entry[0], len(order)))
        lines = [[*key, *(cell.values[field.name] for field in chart.fields)] for key, cell in rows]
        self.files.write(f"{CHARTS}/{chart.name}.csv", columns, lines)


def _only_possible(
    known: Mapping[Keys, Cell], key: Keys, possible: Sequence[Cell], facts: Sequence[ChartFact]
) -> tuple[Cell, tuple[str, ...]] | None:
    """Return the only one of the things that a cell may be which no fact rules out, and the rules of these; None if
    there is not one.
    """
    left = list[Cell]()
    rules = dict[str, None]()
    for cell in possible:
        cells = {**known, key: cell}
        against = next((fact.rule for fact in facts if fact.contradicted(cells)), "")
        if against:
            rules[against] = None
        else:
            left.append(cell)
        if len(left) > 1:
            return None
    return (left[0], tuple(rules)) if left else None


def list_keys(chart: Chart, known: Iterable[Keys] = (), *, doubtful: bool = False) -> list[Keys]:
    """Return the keys of all cells of a chart, row by row; empty if its ends are unknown.

    known: cells that tell where it ends, besides its own; doubtful: whether cells that are made up or rebuilt may tell
    it too. Raises InputError if they are too many, or contradict each other.
    """
    rows: list[Sequence[int | str]] = []
    own = (
        [key for key, cell in chart.cells.items() if doubtful or cell.source in CERTAIN] if chart.has_owner_ends else []
    )
    told = chart.ends((*own, *known)) if chart.has_owner_ends else repeat(Ends())
    for key, ends in zip(chart.keys, told, strict=False):
        row = key.values or key.row(ends)
        if not row:
            return []
        rows.append(row)
    Limit.CELLS.check(prod(map(len, rows)), f"chart {chart.name} has")
    return list(product(*rows))
