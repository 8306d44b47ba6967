"""Packs: the owner's data that may not be published: printed charts, counter values and maps.

A pack is a folder in the user's data folder. Its files are like the game's own, which they override:
`charts/CHART.csv`, `counters.csv`, `map.lines`, `rulings.csv`, `turns.csv`, `armies.csv`, `setups/NAME.pos`,
`schedules/NAME.csv`. Its facts count as printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from ..state.state import FactKey, Unit
from ..state.tracks import Fact, Source, Value
from ..util.datafiles import read_text
from ..util.errors import InputError, Where, format_suggestion, located, written_by_program
from ..util.files import read_own, scratch_folder
from ..util.limits import Limit
from ..util.texts import natural
from .course import course_file
from .games import Game, Overlay, find_army
from .owned_turns import check_turn_texts, read_army_fact, turn_kinds
from .pack_charts import ChartFact, PackCharts
from .pack_files import ARMIES, COUNTERS, OLD_GROUND, RULINGS, TURNS, PackFiles
from .pack_map import (
    MAP,
    PRINTED_MAP,
    check_rulebook,
    find_map_place,
    map_file,
    map_files,
    read_map,
    read_map_fact,
    with_facts,
    with_painted,
    without_fact,
    word_contradiction,
)
from .states import check_identity


class Pack:
    """The pack of one game. Entries are written immediately, and other processes may write too.

    `game`: the game without its pack.
    """

    def __init__(self, game: Game, folder: Path, facts: tuple[ChartFact, ...] = ()) -> None:
        self.game = game
        self.folder = folder
        self.files = PackFiles(game, folder)
        self.charts = PackCharts(game, self.files, facts)

    # --- counters, ground, rulings ---

    def values(self) -> dict[str, dict[str, str]]:
        """Return the owner's counter values as text, by unit and track.

        Raises InputError if a unit is listed twice.
        """
        rows = self.files.entries(COUNTERS, "unit")
        return {unit: {name: text for name, text in row.items() if text and name != "unit"} for (unit,), row in rows}

    def enter_all(
        self, values: Mapping[tuple[str, str], str] = {}, ground: Mapping[tuple[str, str, str], str] = {}
    ) -> None:
        """Save counter values and facts of the map, all or none.

        Raises InputError if a value or fact is not allowed or contradicts the rulebook, or if an unknown unit is not
        described.
        """
        of_counters = {(unit, track): self.check_value(unit, track, text) for (unit, track), text in values.items()}
        of_map: dict[str, dict[FactKey, Value]] = {}
        for (name, where, track), text in ground.items():
            key, fact = read_map_fact(self.game, self.game.board(name), where, track, text)
            of_map.setdefault(self.file_about(name), {})[key] = fact.value
        with self.files.lock():
            texts = {about: self._with_facts(about, facts) for about, facts in of_map.items()}
            if of_counters:
                self._check_units(of_counters)
                self._write_counters(of_counters)
            for about, text in texts.items():
                self.files.write_text(map_file(self.folder, about), text)

    def change_ground(
        self, board: str, change: Callable[[Mapping[FactKey, Fact]], Mapping[FactKey, Value | None]]
    ) -> dict[FactKey, tuple[Value | None, Value | None]]:
        """Change facts of a board as the owner paints them, and return the old and new values.

        A value is None if the pack has no such fact.

        `change`: returns the new values for the pack's facts; called while the pack is locked.

        Raises InputError, with nothing saved, if a value contradicts the rulebook or another entry.
        """
        about = self.file_about(board)
        with self.files.lock():
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
                self.files.write_text(file, new)
        return {key: (before[key], value) for key, value in changed.items()}

    def file_about(self, board: str) -> str:
        """Return the board whose file has the facts of a board, or "" for one with the printed map's numbers."""
        return "" if not board or self.game.has_printed_numbers(self.game.board(board)) else board

    def leave_out_value(self, unit: str, track: str = "") -> None:
        """Remove a counter value, or all values of the unit, from the pack.

        Raises InputError if the pack has none, or if an added counter would lose its identity.
        """
        with self.files.lock():
            values = self.values()
            removed = [track] if track else [*values.get(unit, ())]
            if not removed or any(name not in values.get(unit, {}) for name in removed):
                raise self.files.lacking(f"{unit} {track}".rstrip())
            remaining = {name: text for name, text in values[unit].items() if name not in removed}
            if remaining:
                known = {(name, unit): Fact(text) for name, text in remaining.items()}
                check_identity(self.game, Unit(unit, unit, None), known)
            self._write_values({name: texts for name, texts in (values | {unit: remaining}).items() if texts})

    def leave_out_ground(self, where: str, track: str, board: str = "") -> None:
        """Remove a fact of the map from the pack.

        `board`: the board with the fact, `map` for the printed map, or "" if only one board has it.

        Raises InputError unless a single entry states only this fact.
        """
        with self.files.lock():
            keys_by_board = self._ground_held(where, track)
            if board:
                if board != PRINTED_MAP:
                    self.game.board(board)
                keys_by_board = {name: key for name, key in keys_by_board.items() if (name or PRINTED_MAP) == board}
            if not keys_by_board:
                key = find_map_place(self.game, self.game.board("" if board == PRINTED_MAP else board), where, track)
                raise self.files.lacking(" ".join(filter(None, (key[1], track, board))))
            if len(keys_by_board) > 1:
                names = [name or PRINTED_MAP for name in keys_by_board]
                what = f"your pack has {track} of {where} for {' and '.join(names)}"
                raise InputError(what, hint=f"name the board after it: {where} {track} {names[-1]}")
            ((name, key),) = keys_by_board.items()
            file = map_file(self.folder, name)
            text = read_text(file, str(file))
            self.files.write_text(file, without_fact(self.game, self.game.board(name), text, key, str(file)))

    def _ground_held(self, where: str, track: str) -> dict[str, FactKey]:
        """Return the boards for which the pack has a fact, each with the fact's key; "" is the printed map."""
        ground = self.ground()
        keys_by_board = dict[str, FactKey]()
        for board in dict.fromkeys(name for name, _, _ in ground):
            with suppress(InputError):  # another board may lack the place
                key = find_map_place(self.game, self.game.board(board), where, track)
                if (board, key[1], track) in ground:
                    keys_by_board[board] = key
        return keys_by_board

    def leave_out_ruling(self, ruling: str) -> None:
        """Remove the reading of a doubtful rule from the pack. Raises InputError if there is none."""
        with self.files.lock():
            known = self.rulings()
            if ruling not in known:
                raise self.files.lacking(f"ruling {ruling}")
            rows = [list(row) for row in known.items() if row[0] != ruling]
            self.files.write(RULINGS, ["ruling", "reading"], rows)

    def leave_out_turn(self, number: int, kind: str) -> None:
        """Remove a fact of the turn record from the pack. Raises InputError if there is none."""
        with self.files.lock():
            known = self.turns()
            if (number, kind) not in known:
                raise self.files.lacking(f"turn {number} {kind}")
            self._write_turns({at: text for at, text in known.items() if at != (number, kind)})

    def leave_out_army(self, army: str, track: str) -> None:
        """Remove a fact of an army's marker from the pack. Raises InputError if there is none."""
        with self.files.lock():
            known = self.armies()
            key = (find_army(self.game, army), track)
            if key not in known:
                raise self.files.lacking(f"army {army} {track}")
            self._write_armies({at: value for at, value in known.items() if at != key})

    def _with_facts(self, board: str, facts: Mapping[FactKey, Value]) -> str:
        file = map_file(self.folder, board)
        text = read_text(file, str(file)) if file.exists() else ""
        return with_facts(self.game, self.game.board(board), text, facts, str(file))

    def check_value(self, unit: str, track: str, text: str) -> str:
        """Return a counter value as the pack writes it.

        Raises InputError if the value is not allowed or contradicts the rulebook.
        """
        declared = self.game.track(track)
        if declared.printed != "counter":
            raise InputError(f"{declared.title} is not printed on counters")
        value = declared.parse(text)
        for fact in self.game.roster.get(unit, {}).get(track, ()):
            if fact.source is Source.RULEBOOK and fact.value != value:
                fault = word_contradiction(f"{declared.title} of {unit}: {text}", declared, fact)
                stated = declared.how_to_state(unit, value)
                fault.hint = f"{fault.hint}; what differs in a scenario is stated in its set-up: {stated}"
                raise fault
        return declared.write(value)

    def _check_units(self, more: Mapping[tuple[str, str], str]) -> None:
        known = {(track, unit): Fact(text) for unit, texts in self.values().items() for track, text in texts.items()}
        known |= {(track, unit): Fact(text) for (unit, track), text in more.items()}
        for unit in dict.fromkeys(unit for unit, _ in more):
            if not (unit.strip() and unit.isprintable()):
                raise InputError(f"{unit!r} cannot be the name of a unit")
            check_identity(self.game, Unit(unit, unit, None), known)

    def check_counters(self) -> None:
        """Raise InputError if a counter value is not allowed or contradicts the rulebook, or a unit lacks identity."""
        values = ((unit, track, text) for unit, texts in self.values().items() for track, text in texts.items())
        self._check_units({(unit, track): self.check_value(unit, track, text) for unit, track, text in values})

    def list_added_units(self) -> dict[str, dict[str, list[Fact]]]:
        """Return the printed facts of the counters that the owner has added to the game's roster."""
        return {
            unit: {name: [Fact(self.game.track(name).parse(text), Source.PRINTED)] for name, text in texts.items()}
            for unit, texts in self.values().items()
            if unit not in self.game.roster
        }

    def _write_counters(self, more: Mapping[tuple[str, str], str]) -> None:
        values = self.values()
        for (unit, track), text in more.items():
            values.setdefault(unit, {})[track] = text
        self._write_values(values)

    def _write_values(self, values: Mapping[str, Mapping[str, str]]) -> None:
        entered = {name for texts in values.values() for name in texts}
        columns = [name for name in self.game.tracks if name in entered]
        rows = [[unit, *(texts.get(column, "") for column in columns)] for unit, texts in values.items()]
        self.files.write(COUNTERS, ["unit", *columns], rows)

    def ground(self) -> dict[tuple[str, str, str], Fact]:
        """Return the owner's facts of the map by board ("" for the printed map), place and track.

        Raises InputError with file, line and column if a file has a fault.
        """
        if (self.folder / OLD_GROUND).exists():
            hint = f"copy its facts into {MAP} beside it, one per line, such as: 41.19 terrain=clear; then delete it"
            raise InputError("a file of an older version", where=Where(str(self.folder / OLD_GROUND)), hint=hint)
        ground: dict[tuple[str, str, str], Fact] = {}
        for board, file in map_files(self.game, self.folder):
            stated = read_map(self.game, self.game.board(board), read_text(file, str(file)), str(file))
            for (track, subject), fact in stated.items():
                ground[board, subject, track] = fact
        return ground

    def check_ground(self) -> Iterator[InputError]:
        """Yield the facts of the map that contradict the rulebook."""
        for (board, subject, track), fact in self.ground().items():
            try:
                check_rulebook(self.game, board, (track, subject), fact)
            except InputError as error:
                yield error.at(Where(str(map_file(self.folder, board))))

    def rulings(self) -> dict[str, str]:
        """Return the owner's readings of doubtful rules by ruling. Raises InputError if one is listed twice."""
        return {ruling: row["reading"] for (ruling,), row in self.files.entries(RULINGS, "ruling", "reading")}

    def enter_ruling(self, ruling: str, reading: str) -> None:
        """Save the reading of a doubtful rule. Raises InputError if the ruling or reading is unknown."""
        chosen = self.check_ruling(ruling, reading)
        with self.files.lock():
            known = self.rulings() | {ruling: chosen}
            self.files.write(RULINGS, ["ruling", "reading"], list(map(list, known.items())))

    def check_ruling(self, ruling: str, reading: str) -> str:
        """Return the reading itself. Raises InputError if the ruling or reading is unknown."""
        if ruling not in self.game.rulings:
            raise InputError(f"unknown ruling {ruling!r}", hint=format_suggestion(ruling, self.game.rulings))
        return self.game.rulings[ruling].check(reading)

    # --- turns, armies ---

    def turns(self) -> dict[tuple[int, str], str]:
        """Return the owner's texts of the turn record by turn and kind.

        Raises InputError if a turn is not a number or is listed twice.
        """
        texts = {}
        for (turn,), row in self.files.entries(TURNS, "turn"):
            number = natural(turn)
            if number is None:
                what = f"the turn {turn[:20]!r} is not a number"
                raise InputError(what, where=Where(str(self.folder / TURNS)), hint="write 1, 2, 3")
            texts.update({(number, kind): text for kind, text in row.items() if text and kind != "turn"})
        return texts

    def enter_turns(self, texts: Mapping[tuple[int, str], str]) -> None:
        """Save texts about turns, all or none. Raises InputError as `check_turn_texts` does."""
        given = check_turn_texts(self.game, texts)
        with self.files.lock():
            self._write_turns(self.turns() | given)

    def _write_turns(self, known: Mapping[tuple[int, str], str]) -> None:
        kinds = [kind for kind in turn_kinds(course_file(self.game)) if any(kind == at[1] for at in known)]
        numbers = sorted({number for number, _ in known})
        rows = [[number, *(known.get((number, kind), "") for kind in kinds)] for number in numbers]
        self.files.write(TURNS, ["turn", *kinds], rows)

    def armies(self) -> dict[tuple[str, str], str]:
        """Return the owner's facts on the markers of armies as text, by army and track.

        Raises InputError if one is listed twice.
        """
        rows = self.files.entries(ARMIES, "army", "track", "value", by=2)
        return {(army, track): row["value"] for (army, track), row in rows}

    def enter_army(self, army: str, track: str, text: str) -> None:
        """Save a fact printed on the marker of an army. Raises InputError as `read_army_fact` does."""
        (_, name), fact = read_army_fact(self.game, army, track, text)
        with self.files.lock():
            known = self.armies() | {(name, track): self.game.tracks[track].write(fact.value)}
            self._write_armies(known)

    def _write_armies(self, known: Mapping[tuple[str, str], str]) -> None:
        self.files.write(ARMIES, ["army", "track", "value"], [[*at, value] for at, value in known.items()])

    # --- scenarios ---

    def put_scenario_file(self, name: str, text: str, check: Callable[[Game], None]) -> None:
        """Check and save a file of a scenario, in place of one with the same name.

        `check`: raises InputError if the game with the new file has a fault.
        """
        with self.files.lock(), scratch_folder() as folder:
            trial = Pack(self.game, folder.resolve(), self.charts.facts)
            existing = {file.relative_to(self.folder).as_posix(): read_own(file) for file in self.files.list_existing()}
            trial.files.put_in(existing | {name: text.encode()})
            try:
                check(overlay_pack(self.game, trial.folder))
            except InputError as error:
                error.where = _move_place(error.where, trial.folder, self.folder)
                raise
            self.files.write_text(self.folder / name, text)


def _move_place(where: Where | None, old: Path, new: Path) -> Where | None:
    """Return a place in one folder as the place in the same file of another folder, or another place as it is."""
    if where is None or not Path(where.file).is_relative_to(old):
        return where
    return where._replace(file=str(new / Path(where.file).relative_to(old)))


def overlay_pack(game: Game, folder: Path) -> Game:
    """Return the game with the pack in a folder over its own files, or the game itself without a pack.

    Raises InputError, with the pack's file, if the pack has a fault.
    """
    pack = Pack(game, folder)
    if not folder.exists() or not pack.files.list_existing():
        return game
    with written_by_program():
        return game.with_overlay(_make_overlay(pack))


def _make_overlay(pack: Pack) -> Overlay:
    game = pack.game
    folder = pack.folder
    counters: dict[tuple[str, str], Fact] = {}
    for unit, texts in pack.values().items():
        try:
            counters |= {
                (unit, name): Fact(game.track(name).parse(text), Source.PRINTED) for name, text in texts.items()
            }
        except InputError as error:
            error.what = f"{unit}: {error.what}"
            raise error.at(Where(str(folder / COUNTERS))) from None
    ground: dict[str, dict[FactKey, Fact]] = {}
    with located(Where(str(folder))):
        for (board, subject, track), fact in pack.ground().items():
            ground.setdefault(board, {})[track, subject] = fact
    with located(Where(str(folder / ARMIES))):
        armies = dict(read_army_fact(game, army, track, text) for (army, track), text in pack.armies().items())
    with located(Where(str(folder / TURNS))):
        turns = check_turn_texts(game, pack.turns())
    with located(Where(str(folder / RULINGS))):
        rulings = {ruling: pack.check_ruling(ruling, reading) for ruling, reading in pack.rulings().items()}
    cells = {(chart, key): cell for chart in game.charts for key, cell in pack.charts.cells(chart).items()}
    return Overlay(cells, counters, ground, rulings, turns, armies, folder=folder)
