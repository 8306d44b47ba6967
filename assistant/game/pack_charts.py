"""The charts of a pack: the owner's cells, doubts about them, and cells that can have only one value."""

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
    """Whether the rulebook states the fact. Otherwise the fact is a reading of the text, which may be wrong."""
    contradicted: Callable[[Mapping[Keys, Cell]], bool]
    """A function that returns whether known cells contradict the fact."""


class Doubt(msgspec.Struct, frozen=True):
    """A reading of the rulebook that a typed cell contradicts."""

    rule: str
    text: str


class Foretold(NamedTuple):
    """A cell that can have only one value if the rulebook is read correctly."""

    text: str
    """The cell as the chart writes it."""
    rules: tuple[str, ...]
    """The rules from which it follows."""


_MAX_POSSIBLE_CELLS = 256
"""The maximum number of values of a cell that are tried to find the only possible one."""


class PackCharts:
    """The cells of charts in a pack.

    `game`: the game without its pack.
    """

    def __init__(self, game: Game, files: PackFiles, facts: tuple[ChartFact, ...]) -> None:
        self.game = game
        self.files = files
        self.facts = facts

    def cells(self, chart: str) -> dict[Keys, Cell]:
        """Return the owner's cells of a chart. Raises InputError if the pack's file has a fault."""
        file = self.files.folder / CHARTS / f"{chart}.csv"
        bare = msgspec.structs.replace(self.game.chart(chart), cells={})
        return dict(bare.fill(file, Source.PRINTED, file_name=str(file)).cells) if file.exists() else {}

    def missing(self, chart: str, ends: Iterable[Keys] = ()) -> list[Keys]:
        """Return the keys of cells not yet entered, row by row, or [] if the ends of the chart are unknown.

        `ends`: keys that show the ends, in addition to the cells entered.
        """
        known = self.cells(chart)
        return [key for key in list_keys(self.game.chart(chart), (*known, *ends)) if key not in known]

    def enter_cells(self, chart: str, texts: Mapping[Keys, str]) -> list[Doubt]:
        """Save several cells, all or none, and return the doubts about them.

        Raises InputError if a text is not a cell, or if it contradicts the rulebook or a firm fact about the chart.
        """
        with self.files.lock():
            cells, doubts = self._with_cells(chart, texts)
            self._write_chart(self.game.chart(chart), cells)
        return doubts

    def try_cells(self, chart: str, texts: Mapping[Keys, str]) -> list[Doubt]:
        """Return the doubts about cells without saving them. Raises InputError if they cannot be saved."""
        return self._with_cells(chart, texts)[1]

    def _with_cells(self, chart: str, texts: Mapping[Keys, str]) -> tuple[dict[Keys, Cell], list[Doubt]]:
        declared = self.game.chart(chart)
        given = {declared.key(*key): declared.cell(text, Source.PRINTED) for key, text in texts.items()}
        cells = self.cells(chart) | given
        return cells, self.check_cells(chart, cells)

    def foretell(self, chart: str, keys: Iterable[Keys], more: Mapping[Keys, str] = {}) -> dict[Keys, Foretold]:
        """Return the unknown cells, among some keys, that can have only one value.

        Either the rulebook states the value, or its facts about the chart rule out every other.

        `more`: texts of cells that are known in addition to those of the pack.
        """
        declared = self.game.chart(chart)
        cells = self.cells(chart) | {key: declared.cell(text, Source.PRINTED) for key, text in more.items()}
        facts = [fact for fact in self.facts if fact.chart == chart and not fact.contradicted(cells)]
        fields = [field.possible for field in declared.fields]
        possible = [field for field in fields if field is not None]
        is_counted = len(possible) == len(fields) and prod(map(len, possible)) <= _MAX_POSSIBLE_CELLS
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
        """Remove cells from the pack, all or none.

        Raises InputError if a key is off the chart or the pack has no such cell.
        """
        declared = self.game.chart(chart)
        removed = dict.fromkeys(declared.key(*key) for key in keys)
        with self.files.lock():
            cells = self.cells(chart)
            for key in removed:
                if key not in cells:
                    raise self.files.lacking(f"{chart} {' '.join(map(str, key))}")
            self._write_chart(declared, {key: cell for key, cell in cells.items() if key not in removed})

    def check_cells(self, chart: str, cells: Mapping[Keys, Cell]) -> list[Doubt]:
        """Return the doubts about cells. Raises InputError if they contradict the rulebook or a firm fact."""
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
    """Return the only possible cell that no fact rules out, with the rules of the facts that rule out others.

    Returns None if several cells are left, or none.
    """
    possible_cells = list[Cell]()
    rules = dict[str, None]()
    for cell in possible:
        cells = {**known, key: cell}
        contradicted_rule = next((fact.rule for fact in facts if fact.contradicted(cells)), "")
        if contradicted_rule:
            rules[contradicted_rule] = None
        else:
            possible_cells.append(cell)
        if len(possible_cells) > 1:
            return None
    return (possible_cells[0], tuple(rules)) if possible_cells else None


def list_keys(chart: Chart, known: Iterable[Keys] = (), *, doubtful: bool = False) -> list[Keys]:
    """Return the keys of all cells of a chart, row by row, or [] if its ends are unknown.

    `known`: cells that show its ends, in addition to its own.

    `doubtful`: whether made-up or rebuilt cells may show them too.

    Raises InputError if there are too many cells, or if they contradict each other.
    """
    rows: list[Sequence[int | str]] = []
    own_keys = (
        [key for key, cell in chart.cells.items() if doubtful or cell.source in CERTAIN] if chart.has_owner_ends else []
    )
    ends_by_key = chart.ends((*own_keys, *known)) if chart.has_owner_ends else repeat(Ends())
    for key, ends in zip(chart.keys, ends_by_key, strict=False):
        row = key.values or key.row(ends)
        if not row:
            return []
        rows.append(row)
    Limit.CELLS.check(prod(map(len, rows)), f"chart {chart.name} has")
    return list(product(*rows))
