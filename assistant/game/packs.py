"""Packs: what the owner of a game knows and nobody else may ship: its printed charts, counter values and map.

A pack is a folder in the user's data folder, with files like the game's own, which it overrides: `charts/CHART.csv`,
`counters.csv`, `map.lines`, `rulings.csv`, `turns.csv`, `armies.csv`, `setups/NAME.pos`, `schedules/NAME.csv`. Its
facts count as printed.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import product, repeat
from math import prod
from pathlib import Path
from typing import NamedTuple

import msgspec

from ..state.state import Cell, FactKey, Unit
from ..state.tracks import CERTAIN, Fact, Source, Value
from ..util.datafiles import files_in, read_rows, read_text
from ..util.errors import InputError, Where, located, suggested, written_by_program
from ..util.files import data_folder, is_device, read_own, scratch_folder
from ..util.limits import Limit
from ..util.texts import natural
from ..util.writing import clear, hold_folder, make_folder, write_all, write_whole
from .charts import Chart, Ends, Keys
from .course import army_fact, course_file, turn_kinds, turn_texts
from .games import POSITION, SETUPS, Game, Overlay
from .pack_map import (
    BOARDS,
    MAP,
    PRINTED_MAP,
    check_rulebook,
    contradiction,
    map_fact,
    map_file,
    map_files,
    map_place,
    read_map,
    with_facts,
    with_painted,
    without_fact,
)
from .schedules import ENDING
from .schedules import FOLDER as SCHEDULES
from .sides import army_named
from .states import check_identity

COUNTERS = "counters.csv"
RULINGS = "rulings.csv"
CHARTS = "charts"
_GONE = "ground.csv"
TURNS = "turns.csv"
ARMIES = "armies.csv"
OF_SCENARIOS = {SETUPS: POSITION, SCHEDULES: ENDING}
"""The folders with the files of scenarios, and how the files of each end."""
_NAME = re.compile(r"[\w-][\w.-]{0,59}")
"""How a scenario may be called, so that a file and a line of a journal can have its name."""


def pack_folder(game: str) -> Path:
    """Return the folder of a game's pack, in the user's data folder."""
    return data_folder() / "packs" / game


class ChartFact(msgspec.Struct, frozen=True):
    """A fact about a chart that is known without the chart itself.

    firm: whether the rulebook states it; otherwise it is a reading of the text, which may be wrong. contradicted:
    whether the known cells, by their keys, contradict it.
    """

    chart: str
    rule: str
    text: str
    firm: bool
    contradicted: Callable[[Mapping[Keys, Cell]], bool]


class Doubt(msgspec.Struct, frozen=True):
    """A reading of the rulebook that a cell as typed contradicts."""

    rule: str
    text: str


class Foretold(NamedTuple):
    """A cell that can be only one thing, as far as the text of the rulebook is read rightly. text: as the chart writes it; rules:
    those that it follows from.
    """

    text: str
    rules: tuple[str, ...]


_MOST_POSSIBLE = 256
"""How many things a cell may be at most of which all but one are ruled out."""


class Pack:
    """The pack of one game in its folder; every entry is written immediately, whoever else writes into it.

    game: without its pack; facts: what is known about its charts.
    """

    def __init__(self, game: Game, folder: Path, facts: tuple[ChartFact, ...] = ()) -> None:
        self.game = game
        self.folder = folder
        self.facts = facts

    # --- charts ---

    def cells(self, chart: str) -> dict[Keys, Cell]:
        """Return the cells of a chart that the owner has entered. Raises InputError for a fault in the pack's file."""
        file = self.folder / CHARTS / f"{chart}.csv"
        bare = msgspec.structs.replace(self.game.chart(chart), cells={})
        return dict(bare.fill(file, Source.PRINTED, called=str(file)).cells) if file.exists() else {}

    def missing(self, chart: str, ends: Iterable[Keys] = ()) -> list[Keys]:
        """Return the keys of the cells not yet entered, row by row; empty for a chart whose ends are unknown.

        ends: keys that tell where it ends, besides the cells entered.
        """
        known = self.cells(chart)
        return [key for key in keys_of(self.game.chart(chart), (*known, *ends)) if key not in known]

    def enter_cells(self, chart: str, texts: Mapping[Keys, str]) -> list[Doubt]:
        """Keep several cells, all or none. Returns the doubts that they raise.

        Raises InputError for a text that is not a cell of the chart, and for a cell that contradicts the rulebook or a
        firm fact about the chart.
        """
        with self._lock():
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
        with self._lock():
            cells = self.cells(chart)
            for key in gone:
                if key not in cells:
                    raise self._lacking(f"{chart} {' '.join(map(str, key))}")
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
        order = {key: number for number, key in enumerate(keys_of(chart, cells))}
        rows = sorted(cells.items(), key=lambda entry: order.get(entry[0], len(order)))
        lines = [[*key, *(cell.values[field.name] for field in chart.fields)] for key, cell in rows]
        self._write(f"{CHARTS}/{chart.name}.csv", columns, lines)

    # --- counters, ground, rulings ---

    def values(self) -> dict[str, dict[str, str]]:
        """Return the counter values that the owner has entered, as text, by unit and track. Raises InputError for a
        unit that is listed twice.
        """
        rows = self._entries(COUNTERS, "unit")
        return {unit: {name: text for name, text in row.items() if text and name != "unit"} for (unit,), row in rows}

    def enter_all(
        self, values: Mapping[tuple[str, str], str] = {}, ground: Mapping[tuple[str, str, str], str] = {}
    ) -> None:
        """Keep values printed on counters, by unit and track, and facts of the map, by board, place and track, as text.

        Raises InputError if one is not allowed, if a value contradicts the rulebook, and for a unit that neither the
        game nor the pack knows and that is not described; nothing is kept then.
        """
        of_counters = {(unit, track): self.check_value(unit, track, text) for (unit, track), text in values.items()}
        of_map: dict[str, dict[FactKey, Value]] = {}
        for (name, where, track), text in ground.items():
            key, fact = map_fact(self.game, self.game.board(name), where, track, text)
            of_map.setdefault(self.file_about(name), {})[key] = fact.value
        with self._lock():
            texts = {about: self._with_facts(about, facts) for about, facts in of_map.items()}
            if of_counters:
                self._check_units(of_counters)
                self._write_counters(of_counters)
            for about, text in texts.items():
                self._write_text(map_file(self.folder, about), text)

    def change_ground(
        self, board: str, change: Callable[[Mapping[FactKey, Fact]], Mapping[FactKey, Value | None]]
    ) -> dict[FactKey, tuple[Value | None, Value | None]]:
        """Change facts of a board as the owner paints them; those that have changed, each as it was and as it is, None
        for none.

        change: from the facts of the pack to those that become others, while no other run changes it. Raises
        InputError, with nothing saved, for one that contradicts the rulebook or another entry.
        """
        about = self.file_about(board)
        with self._lock():
            file = map_file(self.folder, about)
            text = read_text(file, str(file)) if file.exists() else ""
            known = read_map(self.game, self.game.board(about), text, str(file))
            wanted = change(known)
            before = {key: known[key].value if key in known else None for key in wanted}
            changed = {key: value for key, value in wanted.items() if value != before[key]}
            for key, value in changed.items():
                if value is not None:
                    check_rulebook(self.game, board, key, Fact(value, Source.PRINTED))
            if changed:
                new = with_painted(self.game, self.game.board(about), text, changed, str(file))
                Limit.DATA.check(len(new.encode()), f"{file.name} would have")
                self._write_text(file, new)
        return {key: (before[key], value) for key, value in changed.items()}

    def file_about(self, board: str) -> str:
        """Return the board that the file with the facts of a board is about: "" for the printed map, and for every
        board that has its numbers.
        """
        return "" if not board or self.game.has_printed_numbers(self.game.board(board)) else board

    def leave_out_value(self, unit: str, track: str = "") -> None:
        """Take a value of a counter out of the pack again, or all that it has of the unit. Raises InputError if it has
        none, and for what says what an added counter is.
        """
        with self._lock():
            values = self.values()
            gone = [track] if track else [*values.get(unit, ())]
            if not gone or any(name not in values.get(unit, {}) for name in gone):
                raise self._lacking(f"{unit} {track}".rstrip())
            left = {name: text for name, text in values[unit].items() if name not in gone}
            if left:
                known = {(name, unit): Fact(text) for name, text in left.items()}
                check_identity(self.game, Unit(unit, unit, None), known)
            self._write_values({name: said for name, said in (values | {unit: left}).items() if said})

    def leave_out_ground(self, where: str, track: str, board: str = "") -> None:
        """Take a fact of the map out of the pack again. board: the one of which it is a fact, `map` for the printed map;
        "" if only one has it.

        Raises InputError if no entry has it, or one with other facts, or if several boards have it.
        """
        with self._lock():
            held = self._ground_held(where, track)
            if board:
                if board != PRINTED_MAP:
                    self.game.board(board)
                held = {name: key for name, key in held.items() if (name or PRINTED_MAP) == board}
            if not held:
                key = map_place(self.game, self.game.board("" if board == PRINTED_MAP else board), where, track)
                raise self._lacking(" ".join(filter(None, (key[1], track, board))))
            if len(held) > 1:
                names = [name or PRINTED_MAP for name in held]
                what = f"your pack has {track} of {where} for {' and '.join(names)}"
                raise InputError(what, hint=f"name the board after it: {where} {track} {names[-1]}")
            ((name, key),) = held.items()
            file = map_file(self.folder, name)
            text = read_text(file, str(file))
            self._write_text(file, without_fact(self.game, self.game.board(name), text, key, str(file)))

    def _ground_held(self, where: str, track: str) -> dict[str, FactKey]:
        """Return the boards of whose map the pack holds a fact, "" for the printed one, each with the place as it
        writes it.
        """
        ground = self.ground()
        held = dict[str, FactKey]()
        for board in dict.fromkeys(name for name, _, _ in ground):
            with suppress(InputError):  # another board may lack the place
                key = map_place(self.game, self.game.board(board), where, track)
                if (board, key[1], track) in ground:
                    held[board] = key
        return held

    def leave_out_ruling(self, ruling: str) -> None:
        """Take the reading of a doubtful rule out of the pack again. Raises InputError if it has none."""
        with self._lock():
            known = self.rulings()
            if ruling not in known:
                raise self._lacking(f"ruling {ruling}")
            rows = [list(row) for row in known.items() if row[0] != ruling]
            self._write(RULINGS, ["ruling", "reading"], rows)

    def leave_out_turn(self, number: int, kind: str) -> None:
        """Take a fact of the turn record out of the pack again. Raises InputError if it has none."""
        with self._lock():
            known = self.turns()
            if (number, kind) not in known:
                raise self._lacking(f"turn {number} {kind}")
            self._write_turns({at: text for at, text in known.items() if at != (number, kind)})

    def leave_out_army(self, army: str, track: str) -> None:
        """Take a fact of an army's marker out of the pack again. Raises InputError if it has none."""
        with self._lock():
            known = self.armies()
            about = (army_named(self.game, army), track)
            if about not in known:
                raise self._lacking(f"army {army} {track}")
            self._write_armies({at: value for at, value in known.items() if at != about})

    def _lacking(self, what: str) -> InputError:
        hint = f"its files are in {self.folder}"
        return InputError(f"your pack has no entry for {what}", hint=hint)

    def _with_facts(self, board: str, facts: Mapping[FactKey, Value]) -> str:
        """Return the text of the file about a board with more facts."""
        file = map_file(self.folder, board)
        text = read_text(file, str(file)) if file.exists() else ""
        return with_facts(self.game, self.game.board(board), text, facts, str(file))

    def check_value(self, unit: str, track: str, text: str) -> str:
        """Return a value printed on a counter as the pack writes it. Raises InputError if it is not allowed or
        contradicts the rulebook.
        """
        declared = self.game.track(track)
        if declared.printed != "counter":
            raise InputError(f"{declared.title} is not printed on counters")
        value = declared.parse(text)
        for fact in self.game.roster.get(unit, {}).get(track, ()):
            if fact.source is Source.RULEBOOK and fact.value != value:
                fault = contradiction(f"{declared.title} of {unit}: {text}", declared, fact)
                stated = declared.how_to_state(unit, value)
                fault.hint = f"{fault.hint}; what differs in a scenario is stated in its set-up: {stated}"
                raise fault
        return declared.write(value)

    def _check_units(self, more: Mapping[tuple[str, str], str]) -> None:
        """Raise InputError for a unit that neither the game nor the pack knows and of which it is not said what it
        is.
        """
        known = {(track, unit): Fact(text) for unit, said in self.values().items() for track, text in said.items()}
        known |= {(track, unit): Fact(text) for (unit, track), text in more.items()}
        for unit in dict.fromkeys(unit for unit, _ in more):
            if not (unit.strip() and unit.isprintable()):
                raise InputError(f"{unit!r} cannot be the name of a unit")
            check_identity(self.game, Unit(unit, unit, None), known)

    def check_counters(self) -> None:
        """Raise InputError if a value of a counter is not allowed or contradicts the rulebook, and for a unit that the game does
        not know and of which it is not said what it is.
        """
        values = ((unit, track, text) for unit, said in self.values().items() for track, text in said.items())
        self._check_units({(unit, track): self.check_value(unit, track, text) for unit, track, text in values})

    def own_units(self) -> dict[str, dict[str, list[Fact]]]:
        """Return the counters that the owner has added to those of the game's roster, as a roster has them."""
        return {
            unit: {name: [Fact(self.game.track(name).parse(text), Source.PRINTED)] for name, text in said.items()}
            for unit, said in self.values().items()
            if unit not in self.game.roster
        }

    def _write_counters(self, more: Mapping[tuple[str, str], str]) -> None:
        values = self.values()
        for (unit, track), text in more.items():
            values.setdefault(unit, {})[track] = text
        self._write_values(values)

    def _write_values(self, values: Mapping[str, Mapping[str, str]]) -> None:
        entered = {name for said in values.values() for name in said}
        columns = [name for name in self.game.tracks if name in entered]
        rows = [[unit, *(said.get(column, "") for column in columns)] for unit, said in values.items()]
        self._write(COUNTERS, ["unit", *columns], rows)

    def ground(self) -> dict[tuple[str, str, str], Fact]:
        """Return the facts of the map that the owner has entered, by board ("" for the printed map), place and track.

        Raises InputError with file, line and column for a fault in its files.
        """
        if (self.folder / _GONE).exists():
            hint = f"copy its facts into {MAP} beside it, one per line, such as: 41.19 terrain=clear; then delete it"
            raise InputError("a file of an older version", where=Where(str(self.folder / _GONE)), hint=hint)
        return {
            (board, subject, track): fact
            for board, file in map_files(self.game, self.folder)
            for (track, subject), fact in read_map(
                self.game, self.game.board(board), read_text(file, str(file)), str(file)
            ).items()
        }

    def check_ground(self) -> Iterator[InputError]:
        """Yield what of the map contradicts the rulebook."""
        for (board, subject, track), fact in self.ground().items():
            try:
                check_rulebook(self.game, board, (track, subject), fact)
            except InputError as error:
                yield error.at(Where(str(map_file(self.folder, board))))

    def rulings(self) -> dict[str, str]:
        """Return the readings of doubtful rules that the owner has chosen, by ruling. Raises InputError for one that is
        listed twice.
        """
        return {ruling: row["reading"] for (ruling,), row in self._entries(RULINGS, "ruling", "reading")}

    def enter_ruling(self, ruling: str, reading: str) -> None:
        """Keep the reading of a doubtful rule. Raises InputError for an unknown ruling or reading."""
        chosen = self.check_ruling(ruling, reading)
        with self._lock():
            known = self.rulings() | {ruling: chosen}
            self._write(RULINGS, ["ruling", "reading"], list(map(list, known.items())))

    def check_ruling(self, ruling: str, reading: str) -> str:
        """Return the reading itself. Raises InputError for an unknown ruling or reading."""
        if ruling not in self.game.rulings:
            raise InputError(f"unknown ruling {ruling!r}", hint=suggested(ruling, self.game.rulings))
        return self.game.rulings[ruling].check(reading)

    # --- turns, armies ---

    def turns(self) -> dict[tuple[int, str], str]:
        """Return what the owner has entered of the turn record, by turn and kind. Raises InputError for a turn that is
        not a number, and for one that is listed twice.
        """
        texts = {}
        for (turn,), row in self._entries(TURNS, "turn"):
            number = natural(turn)
            if number is None:
                what = f"the turn {turn[:20]!r} is not a number"
                raise InputError(what, where=Where(str(self.folder / TURNS)), hint="write 1, 2, 3")
            texts.update({(number, kind): text for kind, text in row.items() if text and kind != "turn"})
        return texts

    def enter_turns(self, texts: Mapping[tuple[int, str], str]) -> None:
        """Keep texts about turns, by turn and kind, all or none. Raises InputError as `turn_texts` does."""
        given = turn_texts(self.game, texts)
        with self._lock():
            self._write_turns(self.turns() | given)

    def _write_turns(self, known: Mapping[tuple[int, str], str]) -> None:
        kinds = [kind for kind in turn_kinds(course_file(self.game)) if any(kind == at[1] for at in known)]
        numbers = sorted({number for number, _ in known})
        rows = [[number, *(known.get((number, kind), "") for kind in kinds)] for number in numbers]
        self._write(TURNS, ["turn", *kinds], rows)

    def armies(self) -> dict[tuple[str, str], str]:
        """Return the facts printed on the markers of armies that the owner has entered, as text, by army and track.
        Raises InputError for one that is listed twice.
        """
        rows = self._entries(ARMIES, "army", "track", "value", by=2)
        return {(army, track): row["value"] for (army, track), row in rows}

    def enter_army(self, army: str, track: str, text: str) -> None:
        """Keep a fact printed on the marker of an army. Raises InputError as `army_fact` does."""
        (_, name), fact = army_fact(self.game, army, track, text)
        with self._lock():
            known = self.armies() | {(name, track): self.game.tracks[track].write(fact.value)}
            self._write_armies(known)

    def _write_armies(self, known: Mapping[tuple[str, str], str]) -> None:
        self._write(ARMIES, ["army", "track", "value"], [[*at, value] for at, value in known.items()])

    # --- scenarios ---

    def scenario_file(self, folder: str, name: str) -> str:
        """Return the name in the pack of a scenario's file. folder: of set-ups or of schedules. Raises InputError for a
        name that no file can have.
        """
        if not _NAME.fullmatch(name) or is_device(name):
            raise InputError(
                f"{name[:60]!r} cannot be the name of a scenario", hint="use letters, digits, dots and hyphens"
            )
        return f"{folder}/{name}{OF_SCENARIOS[folder]}"

    def put_scenario_file(self, name: str, text: str, check: Callable[[Game], None]) -> None:
        """Keep a file of a scenario, in place of one of its name, once it is checked. name: as `scenario_file` gives it; check:
        raises InputError for a fault in the files of the game that it is given, which are those of the pack with this one.
        """
        with self._lock(), scratch_folder() as folder:
            trial = Pack(self.game, folder.resolve(), self.facts)
            kept = {file.relative_to(self.folder).as_posix(): read_own(file) for file in self.files()}
            trial.put_in(kept | {name: text.encode()})
            try:
                check(overlaid(self.game, trial.folder))
            except InputError as error:
                error.where = _moved(error.where, trial.folder, self.folder)
                raise
            self._write_text(self.folder / name, text)

    # --- files ---

    def contents(self) -> dict[Path, bytes]:
        """Return the files of the pack with what they hold, for `put_back`."""
        return {file: read_own(file) for file in self.files()}

    def put_back(self, before: Mapping[Path, bytes], after: Mapping[Path, bytes]) -> bool:
        """Give the pack the contents that it had before an entry, and return True; False, and nothing changes, if it
        does not hold what it did after the entry. Raises InputError if a file cannot be written.
        """
        with self._lock():
            if self.contents() != after:
                return False
            for file, data in before.items():
                if after.get(file) != data:
                    write_whole(file, data, force=True)
            for file in after.keys() - before.keys():
                file.unlink()
        return True

    def put_in(self, files: Mapping[str, bytes]) -> None:
        """Give the pack files, each in place of the one that it has, all of them or none. files: by name, as `names` has them;
        what they hold has been checked. Raises InputError if one cannot be written.
        """
        with self._lock():
            write_all(self.folder, files, force=True)

    def names(self) -> list[str]:
        """Return the names of the files that a pack of the game may have."""
        charts = [f"{CHARTS}/{chart}.csv" for chart in self.game.charts]
        maps = [map_file(Path(), board).as_posix() for board in ("", *self.game.board_names)]
        return [*charts, COUNTERS, RULINGS, TURNS, ARMIES, _GONE, *maps]

    def is_name(self, name: str) -> bool:
        """Return whether a file of the pack may have a name: one of those of every pack, or that of a scenario's file."""
        folder, _, file = name.partition("/")
        ending = OF_SCENARIOS.get(folder)
        if ending is None:
            return name in self.names()
        return file.endswith(ending) and bool(_NAME.fullmatch(file.removesuffix(ending)))

    def files(self) -> list[Path]:
        """Return the files of the pack that exist."""
        known = [file for name in self.names() if (file := self.folder / name).exists()]
        folders = [folder for name in OF_SCENARIOS if (folder := self.folder / name).is_dir()]
        files = [folder / file.name for folder in folders for file in files_in(folder)]
        return known + [file for file in files if self.is_name(file.relative_to(self.folder).as_posix())]

    def scenarios(self) -> list[str]:
        """Return the scenarios of which the pack has a set-up or a schedule, by name."""
        files = (
            file for file in self.files() if file.parent.name in OF_SCENARIOS and file.parent.parent == self.folder
        )
        return sorted({file.name.removesuffix(OF_SCENARIOS[file.parent.name]) for file in files})

    def unread(self) -> list[Path]:
        """Return the files in the pack's folders that are not read: most likely they have not quite the right names."""
        names = (CHARTS, BOARDS, *OF_SCENARIOS)
        folders = [folder for folder in (self.folder, *(self.folder / name for name in names)) if folder.is_dir()]
        every = [folder / file.name for folder in folders for file in files_in(folder)]
        return sorted({file for file in every if file.is_file() and not file.name.endswith("~")} - {*self.files()})

    def _entries(self, name: str, *columns: str, by: int = 1) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
        """Yield the rows of a file, each with what it is about, none if the file does not exist.

        columns: those that it must have; by: how many of them, from the first, say what a row is about. Raises
        InputError with file and line for two rows about the same.
        """
        file = self.folder / name
        seen = set[tuple[str, ...]]()
        for row, where in read_rows(file, columns, str(file)) if file.exists() else ():
            about = tuple(row[column] for column in columns[:by])
            if about in seen:
                hint = "leave one of the rows out, or write both into one"
                raise InputError(f"{' '.join(about)} is listed twice", where=where, hint=hint)
            seen.add(about)
            yield about, row

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Keep others from changing the pack meanwhile: between reading a file and writing it, another's entry would be
        lost.
        """
        with hold_folder(self.folder):
            for folder in (self.folder, *(self.folder / name for name in (CHARTS, BOARDS, *OF_SCENARIOS))):
                clear(folder)
            yield

    def _write(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([columns, *rows])
        self._write_text(self.folder / name, out.getvalue())

    def _write_text(self, file: Path, text: str) -> None:
        make_folder(file.parent)
        write_whole(file, text.encode(), force=True)


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


def _moved(where: Where | None, old: Path, new: Path) -> Where | None:
    """Return a place in a file of a folder as the place in the file of the same name in another; any other place as it
    is.
    """
    if where is None or not Path(where.file).is_relative_to(old):
        return where
    return where._replace(file=str(new / Path(where.file).relative_to(old)))


def keys_of(chart: Chart, known: Iterable[Keys] = (), *, doubtful: bool = False) -> list[Keys]:
    """Return the keys of all cells of a chart, row by row; empty if its ends are unknown.

    known: cells that tell where it ends, besides its own; doubtful: whether cells that are only reconstructed may tell it
    too. Raises InputError if they are too many, or contradict each other.
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


def overlaid(game: Game, folder: Path) -> Game:
    """Return the game with the pack in a folder over its own files; the game itself if there is none.

    Raises InputError with the pack's file for a fault in it.
    """
    pack = Pack(game, folder)
    if not folder.exists() or not pack.files():  # most have none, and which files it may have takes long to tell
        return game
    with written_by_program():
        return game.with_overlay(_overlay(pack))


def _overlay(pack: Pack) -> Overlay:
    """Return what a pack has over its game's own files."""
    game = pack.game
    folder = pack.folder
    counters: dict[tuple[str, str], Fact] = {}
    for unit, said in pack.values().items():
        try:
            counters |= {
                (unit, name): Fact(game.track(name).parse(text), Source.PRINTED) for name, text in said.items()
            }
        except InputError as error:
            error.what = f"{unit}: {error.what}"
            raise error.at(Where(str(folder / COUNTERS))) from None
    ground: dict[str, dict[FactKey, Fact]] = {}
    with located(Where(str(folder))):
        for (board, subject, track), fact in pack.ground().items():
            ground.setdefault(board, {})[track, subject] = fact
    with located(Where(str(folder / ARMIES))):
        armies = dict(army_fact(game, army, track, text) for (army, track), text in pack.armies().items())
    with located(Where(str(folder / TURNS))):
        turns = turn_texts(game, pack.turns())
    with located(Where(str(folder / RULINGS))):
        rulings = {ruling: pack.check_ruling(ruling, reading) for ruling, reading in pack.rulings().items()}
    cells = {(chart, key): cell for chart in game.charts for key, cell in pack.cells(chart).items()}
    return Overlay(cells, counters, ground, rulings, turns, armies, folder=folder)
