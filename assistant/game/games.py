"""A game: a folder of data files. `game.toml` names the game and its files.

All of it is data, so that a game may come without code of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from functools import cache, cached_property
from itertools import chain, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import msgspec

from ..state.changes import PLACED, AnyChange, Change, Enter, Leave, apply
from ..state.state import INVISIBLE, NOBODY, SOMEBODY, UMPIRE, Cell, CellKey, FactKey, GameState, Unit, Unread, hexside
from ..state.tracks import CERTAIN, NONE, Fact, Source, Track, Value, check_bound, flip_tracks
from ..state.trust import USUAL
from ..state.words import Vocabulary
from ..util.datafiles import files_in, inner, read_rows, read_toml, read_toml_tables
from ..util.errors import InputError, OnFault, UnknownWord, Where, nearest, nearest_names, quoted, stop, suggested
from ..util.memo import Memo
from ..util.notes import note
from ..util.texts import DIRECTION
from .boards import Board, load_board
from .boards.files import in_boards, is_board_name
from .charts import Chart
from .gamefile import GameFile, Intelligence, tracks_of_hiding
from .hexes import HexGrid
from .names import hex_numbered, regular_army, regular_value
from .rulings import Ruling, read_rulings

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


# --- the roster: what is printed on the counters ----------------------------------------------------------------------

Roster = dict[str, dict[str, list[Fact]]]
"""Unit type -> track -> facts, best source first."""


def read_roster(
    files: Iterable[tuple[Traversable, Source]], tracks: Mapping[str, Track], on_fault: OnFault = stop
) -> Roster:
    """Return the roster combined from the files.

    An unknown column, a bad value or a unit listed twice in one file goes to `on_fault` with file and line.
    """
    roster: Roster = {}
    printed = {name for name, track in tracks.items() if track.printed == "counter"}

    @cache  # few values stand on many counters
    def fact(column: str, text: str, source: Source) -> Fact | None:
        if column not in printed:
            raise InputError(f"unknown track {column!r} of a counter", hint=suggested(column, printed))
        return Fact(tracks[column].parse(text), source) if text else None

    for file, source in files:
        seen = set()
        for row, where in read_rows(file, ["unit"], on_fault=on_fault):
            unit = row.pop("unit")
            if not unit.strip() or not unit.isprintable():
                what = (
                    f"the unit {unit!r} has a character that cannot be printed"
                    if unit.strip()
                    else "a unit has no name"
                )
                on_fault(InputError(what, where=where, hint="write its name in the column `unit`"))
                continue
            if unit in seen:
                on_fault(InputError(f"unit {unit} is listed twice", where=where, hint="leave one of the rows out"))
                continue
            seen.add(unit)
            entry = roster.setdefault(unit, {})
            for column, text in row.items():
                try:
                    if stated := fact(column, text, source):
                        entry.setdefault(column, []).append(stated)
                except InputError as error:
                    on_fault(error.at(where))
    return roster


# --- the game ---------------------------------------------------------------------------------------------------------

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
_TAKEN_SIDES = (UMPIRE, NOBODY, SOMEBODY, NONE)


class Overlay(msgspec.Struct, frozen=True):
    """What overrides a game's own files: chart cells by chart and keys, counter values by unit and track, facts of the
    map by board, readings of rulings, texts of the turn record by turn and kind, facts printed on the markers of
    armies; sides by further names of theirs; the folder with the owner's set-ups and schedules, None without one.
    """

    cells: Mapping[CellKey, Cell] = MappingProxyType({})
    counters: Mapping[tuple[str, str], Fact] = MappingProxyType({})
    ground: Mapping[str, Mapping[FactKey, Fact]] = MappingProxyType({})
    rulings: Mapping[str, str] = MappingProxyType({})
    turns: Mapping[tuple[int, str], str] = MappingProxyType({})
    armies: Mapping[FactKey, Fact] = MappingProxyType({})
    sides: Mapping[str, str] = MappingProxyType({})
    folder: Path | None = None


NO_OVERLAY = Overlay()


class GameData(NamedTuple):
    """A data file of a game, or of its owner. called: its name in messages; is_owners: whether it lies in the owner's pack."""

    file: Traversable
    called: str
    is_owners: bool


_FEW_NAMESAKES = 3
"""How many units whose names end like an unknown one a message names."""
SETUPS, POSITION = "setups", ".pos"
"""The folder with the set-ups of a game or a pack, and the ending of their files."""


class Chosen(msgspec.Struct, frozen=True):
    """A loader of games that a player has named one to: where a file may be of several games, it is of that one.

    id: of that game; load: gives the game of which a file has the id.
    """

    id: str
    load: Callable[[str], Game]

    def __call__(self, id: str) -> Game:
        """Return the game of which a file has the id."""
        return self.load(id)


class Stated(NamedTuple):
    """What is stated of a game, before it is checked: a state as it is built."""

    board: str = ""
    units: Iterable[Unit] = ()
    facts: Mapping[FactKey, Fact] = MappingProxyType({})
    cells: Mapping[CellKey, Cell] = MappingProxyType({})
    rulings: Mapping[str, str] = MappingProxyType({})
    lines: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    line_facts: Annotated[Mapping[str, Mapping[FactKey, Fact]], note("the ground that each line states")] = (
        MappingProxyType({})
    )
    elsewhere: Annotated[Mapping[str, Fact], note("what is stated of all other hexes, by track")] = MappingProxyType({})
    accepts: Annotated[
        Iterable[Source], note("what is trusted beside what is certain; without the drawn map, no fact of it is read")
    ] = USUAL
    unread: Iterable[Unread] = ()


NOTHING_STATED = Stated()


class Game:
    """A game: its declared tracks, roster, charts, rulings and boards.

    Build it with `read_game`. All but the tracks is read when first needed.
    """

    def __init__(
        self,
        id: str,
        folder: Traversable,
        file: GameFile,
        tracks: Mapping[str, Track],
        made_by: str = "",
        overlay: Overlay = NO_OVERLAY,
        home: str = "",
        on_fault: OnFault = stop,
    ) -> None:
        self.id, self.folder, self.file, self.tracks, self.made_by = id, folder, file, tracks, made_by
        self.title, self.overlay, self.home, self._on_fault = file.title, overlay, home, on_fault
        self._memos: dict[tuple[Memo[Any, Any], Hashable], Any] = {}
        self._printed: dict[str, Board] = {}
        self._silent: dict[tuple[str, bool], tuple[Mapping[str, Fact], Board]] = {}
        self._boards = {"": self._overlay(Board(name="", title=file.title, grid=file.grid, boxes=file.boxes))}

    def with_overlay(self, overlay: Overlay) -> Game:
        """This game with an overlay over its own files."""
        return Game(self.id, self.folder, self.file, self.tracks, self.made_by, overlay, self.home)

    def _overlay(self, board: Board) -> Board:
        """Return a board under what the owner knows of it, and of the printed map if it has its numbers."""
        ground = self.overlay.ground.get(board.name, {})
        if board.name and self.has_printed_numbers(board):
            printed = self.overlay.ground.get("", {})
            ground = {**{key: fact for key, fact in printed.items() if board.has(key[1])}, **ground}
        known = {**ground, **self.overlay.armies}
        return board.with_facts_over(known) if known else board

    def has_printed_numbers(self, board: Board) -> bool:
        """Return whether the hexes of a board are numbered as those of the printed map, so that a number means the same
        place.
        """
        return self.file.one_map and board.grid.numbers_as(self.file.grid)

    @cached_property
    def roster(self) -> Roster:
        """What is printed on the counters. Raises InputError for a fault in its files."""
        files = []
        for file in self.file.roster:
            try:
                files.append((inner(self.folder, file.file), file.source))
            except InputError as error:
                self._on_fault(error.at(Where("game.toml")))
        roster = read_roster(files, self.tracks, self._on_fault)
        for (unit, track), fact in self.overlay.counters.items():
            roster.setdefault(unit, {}).setdefault(track, []).insert(0, fact)
        return roster

    @cached_property
    def charts(self) -> Mapping[str, Chart]:
        """The charts by name, with their known cells. Raises InputError for a fault in a file or one outside the
        folder.
        """
        charts = {}
        printed: dict[str, dict[tuple[int | str, ...], Cell]] = {}
        for (chart_name, key), cell in self.overlay.cells.items():
            printed.setdefault(chart_name, {})[key] = cell
        for name, chart in read_toml_tables(self.folder, "charts.toml", Chart, self._on_fault).items():
            for heading in (heading for heading in chart.keys if heading.open and heading.values):
                what = f"[{name}] keys: {heading.name} has values, and with them open says nothing"
                hint = "leave open out; a combat reads odds beyond the first and the last in these"
                self._on_fault(InputError(what, where=Where("charts.toml"), hint=hint))
            try:
                file = inner(self.folder, chart.file) if chart.file else None
            except InputError as error:
                self._on_fault(InputError(f"[{name}] file: {error.what}", where=Where("charts.toml"), hint=error.hint))
                file = None
            if file:
                chart = chart.fill(file, on_fault=self._on_fault, called=chart.file)
            charts[name] = msgspec.structs.replace(chart, cells={**chart.cells, **printed.get(name, {})})
        return charts

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words that state facts."""
        return Vocabulary(self.tracks)

    @cached_property
    def _roster_by_folded_name(self) -> Mapping[str, str]:
        return {name.casefold(): name for name in reversed(tuple(self.roster))}

    @cached_property
    def rulings(self) -> Mapping[str, Ruling]:
        """The rulings by id. Raises InputError for a fault in their file."""
        file = inner(self.folder, "rulings.csv")
        rulings = read_rulings(file, self._on_fault) if file.is_file() else {}
        for name, reading in self.overlay.rulings.items():
            chosen = _look_up(rulings, name, "ruling").check(reading)
            rulings[name] = msgspec.structs.replace(rulings[name], default=chosen)
        return rulings

    @cached_property
    def board_names(self) -> tuple[str, ...]:
        """The names of the drawn boards."""
        return tuple(file.name for file in in_boards(self.folder) if file.is_dir() and is_board_name(file.name))

    @cached_property
    def setups(self) -> tuple[str, ...]:
        """The names of the positions in `setups/`, of the game and of its owner's pack, without their ending."""
        return tuple(sorted(name.removesuffix(POSITION) for name in self.data_files(SETUPS, POSITION)))

    def set_up(self, name: str) -> GameData:
        """Return the file of a set-up; one of the owner's takes the place of the game's. Raises InputError for an
        unknown set-up.
        """
        if name not in self.setups:
            there = f"known: {', '.join(self.setups)}" if self.setups else f"{self.title} has no set-ups"
            raise InputError(f"unknown set-up {name!r}", hint=lambda: nearest(name, self.setups) or there)
        return self.data_files(SETUPS, POSITION)[name + POSITION]

    def data_files(self, folder: str, ending: str) -> Mapping[str, GameData]:
        """Return the files in a folder of the game that end so, by name, and after them those in the same folder of the
        owner's pack; one of the owner's takes the place of the game's of the same name.
        """
        files = dict[str, GameData]()
        for home in (self.folder, self.overlay.folder):
            within = inner(home, folder) if home is not None else None
            for file in files_in(within) if within is not None and within.is_dir() else ():
                if file.name.endswith(ending):
                    files.pop(file.name, None)
                    owners = home is not self.folder
                    called = str(file) if owners else f"{folder}/{file.name}"
                    files[file.name] = GameData(file, called, owners)
        return files

    def memo(self, memo: Memo[K, T], key: K, read: Callable[[], T]) -> T:
        """Return what is read out of the game's files once for each key; a fault is found anew each time."""
        if (memo, key) not in self._memos:
            self._memos[memo, key] = read()
        known: T = self._memos[memo, key]
        return known

    def has_file(self, name: str) -> bool:
        """Return whether its folder has a file of this name."""
        return inner(self.folder, name).is_file()

    def has_folder(self, name: str) -> bool:
        """Return whether its folder has one of this name."""
        return inner(self.folder, name).is_dir()

    def board(self, name: str) -> Board:
        """Return a board by name; "" is the printed map, known only by its grid until it is drawn.

        Raises InputError with the known boards, or for a fault in the board's files.
        """
        if name not in self._boards:
            if name not in self.board_names:
                raise InputError(f"unknown board {name!r}", hint=suggested(name, self.board_names))
            folder, picture = inner(self.folder, f"boards/{name}"), self.file.picture
            board = load_board(folder, self.tracks, self._on_fault, picture.terrain, picture.town)
            self._boards[name] = self._overlay(board.with_boxes(self.file.boxes))
        return self._boards[name]

    def board_of(self, state: GameState) -> Board:
        """Return the board of a state, with what it states of all hexes and hexsides not otherwise known; of a drawn
        one that the players do not trust, what is certain of the printed map. Raises InputError as `board` does.
        """
        board = self.board(state.board)
        is_drawn = Source.DRAWN in state.accepts
        if not is_drawn:
            board = self._printed[state.board] = self._printed.get(state.board) or board.printed()
        if not state.elsewhere:
            return board
        about = state.board, is_drawn  # of each the last one is kept, so that no position fills the memory
        known = self._silent.get(about)
        if known is None or known[0] != state.elsewhere:
            known = self._silent[about] = state.elsewhere, board.with_silence(state.elsewhere)
        return known[1]

    @cached_property
    def backs(self) -> Mapping[str, str]:
        """By the name of a track printed on counters, the one that takes its place on the back."""
        return {track.name: track.back for track in self.tracks.values() if track.back}

    @cached_property
    def flips(self) -> tuple[str, ...]:
        """The flags of units each of which turns a counter over."""
        return tuple(track.name for track in flip_tracks(self.tracks))

    @cached_property
    def _below(self) -> Mapping[str, tuple[Track, ...]]:
        """By the name of a track, the tracks that it bounds."""
        tracks: dict[str, tuple[Track, ...]] = {}
        for track in self.tracks.values():
            if track.below:
                tracks[track.below] = (*tracks.get(track.below, ()), track)
        return tracks

    def track(self, name: str) -> Track:
        """Return a track by name. Raises InputError with the nearest known one."""
        return _look_up(self.tracks, name, "track")

    def chart(self, name: str) -> Chart:
        """Return a chart by name. Raises InputError with the nearest known one."""
        return _look_up(self.charts, name, "chart")

    def unit(self, state: GameState, name: str) -> Unit:
        """Return a unit of a state by its id, ignoring case. Raises InputError with the nearest known one, or those in
        a hex.
        """
        if name in state.units:
            return state.units[name]
        if known := state.by_folded_id.get(name.casefold()):
            return known
        if unit_type := self._roster_by_folded_name.get(name.casefold()):
            what = f"{unit_type} is in the roster, but not in this position"
            raise InputError(what, hint=f"place it: HEX: {quoted(unit_type)}")
        unknown = InputError(f"unknown unit {name!r} in this position", hint=suggested(name, state.units))
        with suppress(InputError):
            place = hex_numbered(name, self.board(state.board))
            there = ", ".join(unit.id for unit in state.units.values() if unit.place == place)
            hint = f"units in it: {there}" if there else "no unit is known to stand in it"
            unknown = InputError(f"{place} is a hex, not a unit", hint=hint)
        unknown.names_units = True
        raise unknown

    def spell_unit(self, name: str) -> str:
        """Return a unit of the roster as its counter spells it; any other name as it is."""
        return self._roster_by_folded_name.get(name.casefold(), name)

    def side_of(self, nation: str) -> str:
        """Return the side that a nation fights on. Raises InputError for a nation of no side."""
        if nation not in self._sides:
            raise InputError(f"nation {nation!r} does not belong to a side", hint=suggested(nation, self._sides))
        return self._sides[nation]

    @cached_property
    def _sides(self) -> Mapping[str, str]:
        """The side of each nation; of one on several sides, the first."""
        return {nation: side for side, nations in reversed(self.file.sides.items()) for nation in nations}

    @cached_property
    def armies(self) -> frozenset[str]:
        """The armies of the roster's units, each with its side, by the tracks `nation` and `army`."""
        sides, named = self._sides, {"nation", "army"}
        printed = [(unit["nation"][0], unit["army"][0]) for unit in self.roster.values() if named <= {*unit}]
        return frozenset(f"{sides.get(str(nation.value), '')} {army.value}" for nation, army in printed)

    def subject(self, track: Track, text: str, state: GameState) -> str:
        """Return the regular name of the subject of a track. Raises InputError for an unknown unit, hex, hexside, side
        or nation, and for an army that is not named by its side.
        """
        board = self.board(state.board)
        match track.on:
            case "unit":
                return self.unit(state, text).id
            case "hex" | "box":
                return board.place(text)
            case "hexside":
                return board.hexside(text)
            case "game":
                return ""
            case "nation" if self.file.sides:
                self.side_of(text)
            case "side" if self.file.sides:
                _look_up(self.file.sides, text, "side")
            case "army" if self.file.sides:
                return self._spell_army(regular_army(text, self.file.sides, self.armies))
        return text

    def _spell_army(self, name: str) -> str:
        """Return the name of an army as the counters spell it. Where the track `army` lists its values, raises
        InputError for an army that no counter names.
        """
        spelled = next((army for army in self.armies if army.casefold() == name.casefold()), "")
        if not spelled and self._lists_armies:
            raise InputError(f"unknown army {name!r}", hint=suggested(name, sorted(self.armies)))
        return spelled or name

    @cached_property
    def _lists_armies(self) -> bool:
        return "army" in self.tracks and bool(self.tracks["army"].values and self.armies)

    def state(self, stated: Stated = NOTHING_STATED, before: GameState | None = None) -> GameState:
        """Return a state of this game, completely checked: the only way to build one.

        before: a checked state of this game from which it was made, so that only what differs is checked. Raises
        InputError for the first fault.
        """
        on = self.board(stated.board)
        old = before if before and before.board == stated.board else GameState(game=self.id)
        placed = _place_units(stated.units, on, old.units)
        bare = GameState(game=self.id, board=stated.board, units=MappingProxyType(placed))
        names, checked = {**self.roster, **placed}, dict[FactKey, Fact]()
        gone, new = old.units.keys() - placed.keys(), list[FactKey]()
        known, naming = old.facts.get, self._naming
        for key, fact in stated.facts.items():
            if known(key) is fact and key not in checked and key[1] not in gone and key[0] not in naming:
                checked[key] = fact
                continue
            track = self.track(key[0])
            about = (track.name, self.subject(track, key[1], bare))
            if about in checked:
                raise InputError(f"{track.title} of {about[1] or 'the game'} is stated twice", hint="leave out one")
            checked[about] = msgspec.structs.replace(
                fact, value=regular_value(track, track.check(fact.value), on, names)
            )
            new.append(about)
        for name, subject in new:
            self.check_below(self.tracks[name], subject, checked[name, subject], checked)
        self.check_company(placed.values(), checked)
        changed = {subject for _, subject in chain(new, old.facts.keys() - checked.keys())}
        for unit in placed.values():
            if unit.id in changed or old.units.get(unit.id) != unit:
                self.check_identity(unit, checked)
                self.check_army(unit, checked)
        passed = {name: on.line(line) for name, line in stated.lines.items()}
        of_lines = {name: self._line_facts(name, said, passed, bare) for name, said in stated.line_facts.items()}
        for name, reading in stated.rulings.items():
            _look_up(self.rulings, name, "ruling").check(reading)
        return msgspec.structs.replace(
            bare,
            facts=MappingProxyType(checked),
            cells=MappingProxyType(self._cells(stated.cells)),
            rulings=MappingProxyType(dict(stated.rulings)),
            lines=MappingProxyType(passed),
            line_facts=MappingProxyType(of_lines),
            elsewhere=MappingProxyType(self._elsewhere(stated.elsewhere)),
            accepts=frozenset(stated.accepts) - CERTAIN,
            unread=tuple(stated.unread),
        )

    @cached_property
    def _naming(self) -> frozenset[str]:
        """The tracks whose values name units."""
        return frozenset(name for name, track in self.tracks.items() if track.names == "unit")

    def _elsewhere(self, elsewhere: Mapping[str, Fact]) -> dict[str, Fact]:
        """Return what is stated of all other hexes and hexsides, checked. Raises InputError for what cannot be stated
        so.
        """
        checked: dict[str, Fact] = {}
        for name, fact in elsewhere.items():
            track = self.track(name)
            checked[name] = msgspec.structs.replace(fact, value=track.check_elsewhere(fact.value))
        return checked

    def _cells(self, cells: Mapping[CellKey, Cell]) -> dict[CellKey, Cell]:
        """Cells of charts, checked. Raises InputError for one that is stated twice."""
        stated: dict[CellKey, Cell] = {}
        for (name, given), cell in cells.items():
            chart = self.chart(name)
            key = name, chart.key(*given)
            if key in stated:
                raise InputError(f"a cell of the {chart.title} is stated twice", hint="leave out one")
            stated[key] = chart.check(cell)
        return stated

    def _line_facts(
        self, name: str, facts: Mapping[FactKey, Fact], lines: Mapping[str, tuple[str, ...]], bare: GameState
    ) -> Mapping[FactKey, Fact]:
        """Return what a line states, checked: of the hexes and hexsides that it passes. Raises InputError for a line
        that is not there.
        """
        if name not in lines:
            what = f"line {name!r} states a fact, but there is no such line"
            raise InputError(what, hint="name a line under `lines`")
        line = lines[name]
        passed = {"hex": {*line}, "hexside": {hexside(*pair) for pair in pairwise(line)}}
        checked: dict[FactKey, Fact] = {}
        for (track_name, subject), fact in facts.items():
            track = self.track(track_name)
            about = self.subject(track, subject, bare)
            if about not in passed.get(track.on, ()):
                raise InputError(
                    f"line {name!r} states {track.title} of {about or 'the game'}, which it does not pass through"
                )
            checked[track_name, about] = msgspec.structs.replace(fact, value=track.check(fact.value))
        return MappingProxyType(checked)

    def apply(self, state: GameState, changes: Iterable[AnyChange]) -> GameState:
        """Return the state after the changes.

        Raises what `changes.apply` raises, and InputError for a place off the board, an unknown subject, or an
        impossible state: more steps lost than a unit has, enemies in the same place.
        """
        known, regular = state, list[AnyChange]()
        for change in changes:
            regular.append(self.regular(change, known))
            if isinstance(change, Enter):  # what follows may speak of it
                units = {**known.units, change.unit: Unit(change.unit, change.type, change.place, change.order)}
                known = msgspec.structs.replace(known, units=MappingProxyType(units))
        after = apply(state, regular, self.tracks)
        parts = {name: getattr(after, name) for name in Stated._fields}
        stated = Stated(**{**parts, "units": after.units.values()})
        return msgspec.structs.replace(self.state(stated, state), seen_by=state.seen_by)

    def regular(self, change: AnyChange, state: GameState) -> AnyChange:
        """Return the change with its subject and place in their regular form. Raises InputError for an unknown unit,
        place or subject.
        """
        if isinstance(change, Enter):
            place = None if change.place is None else self.board(state.board).place(change.place)
            return msgspec.structs.replace(change, place=place)
        if isinstance(change, Leave):
            return change
        if change.track not in PLACED:
            subject = self.subject(self.track(change.track), change.subject, state)
            return msgspec.structs.replace(change, subject=subject)
        if isinstance(change, Change) and change.track == "place" and change.after is not None:
            change = msgspec.structs.replace(change, after=self.board(state.board).place(str(change.after)))
        return msgspec.structs.replace(change, subject=self.unit(state, change.subject).id)

    def side_of_unit(self, unit: Unit, facts: Mapping[FactKey, Fact]) -> str:
        """Return the side of a unit by its nation, stated or from any roster; "" if unknown."""
        nation = self.nation_of_unit(unit, facts)
        return self.side_of(nation) if nation and self.file.sides else ""

    def nation_of_unit(self, unit: Unit, facts: Mapping[FactKey, Fact]) -> str:
        """Return the nation of a unit, stated or from any roster; "" if unknown."""
        stated = facts.get((self.file.picture.nation, unit.id))
        return self.printed_nation(unit.type) if stated is None else str(stated.value)

    def printed_nation(self, counter: str) -> str:
        """Return the nation of an entry of any roster; "" if there is no such entry, or it states none."""
        printed = self.roster.get(counter, {}).get(self.file.picture.nation, ())
        return str(printed[0].value) if printed else ""

    def limits(self, facts: Mapping[FactKey, Fact]) -> Intelligence | None:
        """Return what a side may not know of another's units in a position with these facts; None where
        `[intelligence]` limits nothing, such as without the optional rule that it belongs to.
        """
        limits = self.file.intelligence
        return limits if limits and all(self.states(facts, *fact) for fact in limits.when.items()) else None

    def states(self, facts: Mapping[FactKey, Fact], track: str, word: str, subject: str = "") -> bool:
        """Return whether a fact is what a word says; of a track of several words, whether it is one of them. What is
        not stated is what silence means. Raises InputError for an unknown track and a word that is none of its values.
        """
        fact, declared = facts.get((track, subject)), self.track(track)
        value = declared.absent if fact is None else fact.value
        return word in value if isinstance(value, tuple) else value == declared.parse(word)

    def may_have_decoys(self, facts: Mapping[FactKey, Fact]) -> bool:
        """Return whether decoys that count for nothing may be about in a position with these facts."""
        limits = self.file.intelligence
        return limits is not None and self._states_any(facts, limits.decoys_with)

    def conceals(self, facts: Mapping[FactKey, Fact]) -> str:
        """Return the flag of units that lie back side up, "" where a position with these facts has no use for it."""
        limits = self.file.intelligence
        return limits.conceals if limits and self._states_any(facts, limits.conceals_with) else ""

    def _states_any(self, facts: Mapping[FactKey, Fact], wanted: Mapping[str, tuple[str, ...]]) -> bool:
        """Return whether any of some facts of the game holds. wanted: by track, its words."""
        return any(self.states(facts, track, word) for track, words in wanted.items() for word in words)

    def decoys(self, state: GameState) -> frozenset[str]:
        """Return the units of a state that are decoys and count for nothing in any rule; none in a game that does not
        state with what these are about.
        """
        words, facts = self._decoy_words, state.facts
        if not words:
            return frozenset()
        units: Iterable[Unit] = state.units.values()
        for track, (value, types) in words.items():
            units = [
                unit
                for unit in units
                if (unit.type in types if (fact := facts.get((track, unit.id))) is None else fact.value == value)
            ]
        return frozenset(unit.id for unit in units)

    @cached_property
    def _decoy_words(self) -> Mapping[str, tuple[Value | None, frozenset[str]]]:
        """What makes a unit a decoy that counts for nothing, by track: the value, and the types that have it printed."""
        limits = self.file.intelligence
        if limits is None or not limits.decoys_with:
            return {}
        values = {track: self.track(track).parse(word) for track, word in limits.decoy.items()}
        return {track: (value, self._types_with(track, value)) for track, value in values.items()}

    def _types_with(self, track: str, value: Value | None) -> frozenset[str]:
        """Return the entries of the roster that have a value of a track printed on them."""
        printed = ((name, facts.get(track)) for name, facts in self.roster.items())
        return frozenset(name for name, known in printed if known and known[0].value == value)

    @cached_property
    def decoy_types(self) -> frozenset[str]:
        """The entries of the roster that are decoys and count for nothing in any rule, as `decoys` has it."""
        types = [types for _, types in self._decoy_words.values()]
        return frozenset.intersection(*types) if types else frozenset()

    @cached_property
    def facts_of_limits(self) -> Mapping[FactKey, Fact]:
        """The facts of the game with which `[intelligence]` holds. Raises InputError as `states` does."""
        limits = self.file.intelligence
        words = limits.when if limits else {}
        return {(track, ""): Fact(self.track(track).parse(word)) for track, word in words.items()}

    def check_company(self, units: Iterable[Unit], facts: Mapping[FactKey, Fact]) -> None:
        """Raise InputError if units of different sides stand in the same place, unless one is invisible to the others
        or it is a box beside every board, such as that of eliminated units.
        """
        apart, first = {*self.file.boxes, None, ""}, dict[str, tuple[str, str]]()
        for unit in units:
            if unit.place in apart or (INVISIBLE, unit.id) in facts or not (side := self.side_of_unit(unit, facts)):
                continue
            other, there = first.setdefault(str(unit.place), (side, unit.id))
            if other != side:
                what = f"{unit.place} holds units of different sides: {there} and {unit.id}"
                raise InputError(what, hint="enemies never share a place")

    def check_identity(self, unit: Unit, facts: Mapping[FactKey, Fact]) -> None:
        """Raise InputError for a unit that is not in the roster and whose identity is not stated."""
        missing = [track for track in self.file.notation.identity if (track, unit.id) not in facts]
        if unit.type not in self.roster and missing:
            tracks = [self.track(track) for track in missing]
            state = f"state its {', '.join(track.title for track in tracks)}"
            if all(track.values for track in tracks):
                state += f", such as {' '.join(track.values[0] for track in tracks)}"

            def hint() -> str:
                words = {value for track in tracks for value in track.values if len(value) > 3}
                ending = f" {unit.type}".casefold()
                near = [name for name in self.roster if name.casefold().endswith(ending)][:_FEW_NAMESAKES]
                near = near or nearest_names(unit.type, words) or nearest_names(unit.type, self.roster)
                return f"nearest known: {', '.join(near)}; or {state}" if near else state

            raise InputError(f"unknown unit {unit.type!r}", hint=hint)

    def check_army(self, unit: Unit, facts: Mapping[FactKey, Fact]) -> None:
        """Raise InputError for a unit of an army that its side does not have, where the track `army` lists its values."""
        stated = {(self.file.picture.nation, unit.id), ("army", unit.id)} & facts.keys()
        if not stated or not self._lists_armies or not (side := self.side_of_unit(unit, facts)):
            return
        known = [facts.get(("army", unit.id)), *self.roster.get(unit.type, {}).get("army", [])]
        army = next((fact.value for fact in known if fact is not None), None)
        if army is not None and f"{side} {army}" not in self.armies:
            others = sorted(name.removeprefix(f"{side} ") for name in self.armies if name.startswith(f"{side} "))
            raise InputError(f"{unit.id}: the side {side} has no army {army!r}", hint=f"known: {', '.join(others)}")

    def check_below(self, track: Track, subject: str, fact: Fact, facts: Mapping[FactKey, Fact]) -> None:
        """Raise InputError if the fact is not below its bound, or if it is itself the bound of a fact that is not below
        it.
        """
        for other in self._below.get(track.name, ()):
            if bounded := facts.get((other.name, subject)):
                check_bound(subject, other, bounded, track, fact)
        if bound := facts.get((track.below, subject)):
            check_bound(subject, track, fact, self.tracks[track.below], bound)


def read_game(id: str, folder: Traversable, made_by: str = "", home: str = "", on_fault: OnFault = stop) -> Game:
    """Return the game in a folder. Raises InputError if it has no game.toml.

    made_by: its distribution, in words; home: the path of the folder if a command named it, "" for an installed game.
    on_fault: receives each fault in the game's files, now or when they are read; if it returns, reading goes on.
    """
    if not inner(folder, "game.toml").is_file():
        raise InputError(f"game {id} has no game.toml", where=Where(str(folder)))
    file = read_toml(inner(folder, "game.toml"), GameFile, on_fault)
    try:
        file.grid.check()
    except InputError as error:
        on_fault(InputError(f"[grid] {error.what}", where=Where("game.toml"), hint=error.hint))
        file = msgspec.structs.replace(file, grid=HexGrid())  # with its own, nothing else could be read
    for side in file.sides:
        if not side.strip() or not side.isprintable() or side in _TAKEN_SIDES:
            what = f"[sides] {side!r} cannot be the name of a side"
            on_fault(InputError(what, where=Where("game.toml"), hint=f"any name other than {', '.join(_TAKEN_SIDES)}"))
    tracks = read_toml_tables(folder, "tracks.toml", Track, on_fault)
    of_hiding = tracks_of_hiding(file, tracks)
    if taken := next((name for name in of_hiding if name in tracks), ""):
        what = f"[{taken}] is a track built into every game"
        on_fault(InputError(what, where=Where("tracks.toml"), hint="give it another name"))
    return Game(id, folder, file, tracks | of_hiding, made_by, home=home, on_fault=on_fault)


def _place_units(units: Iterable[Unit], board: Board, old: Mapping[str, Unit]) -> dict[str, Unit]:
    """Return units by id, each at the regular name of its place. old: units whose places are regular already. Raises
    InputError for one without an id or placed twice.
    """
    placed: dict[str, Unit] = {}
    folded: set[str] = set()
    for unit in units:
        if not unit.id.strip():
            raise InputError("a unit needs an id")
        if DIRECTION.search(unit.id):
            raise InputError(f"unit {unit.id!a} has a mark of writing direction in its name", hint="leave it out")
        if unit.id.casefold() in folded:
            raise InputError(f"unit {unit.id} is placed twice", hint="give each of them a different name")
        folded.add(unit.id.casefold())
        if old.get(unit.id) != unit:
            place = None if unit.place is None else board.place(unit.place)
            unit = msgspec.structs.replace(unit, place=place)
        placed[unit.id] = unit
    return placed


def _look_up(known: Mapping[str, T], name: str, what: str) -> T:
    if name in known:
        return known[name]
    raise UnknownWord(f"unknown {what} {name!r}", hint=suggested(name, known))
