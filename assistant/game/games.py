"""A game: a folder of data files, which `game.toml` names.

Everything is data, so a game needs no code of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from ..state.state import NOBODY, SOMEBODY, UMPIRE, Cell, CellKey, FactKey, GameState, Unit
from ..state.tracks import NONE, Fact, Source, Track, Value, flip_tracks
from ..state.words import Vocabulary
from ..util.datafiles import files_in, read_toml, read_toml_tables, resolve_within
from ..util.errors import InputError, OnFault, Where, format_suggestion, nearest, quoted, stop
from ..util.files import data_folder
from ..util.memo import Memo
from ..util.texts import names_short_for
from .boards import Board, load_board
from .boards.folder import in_boards, is_board_name
from .charts import Chart
from .gamefile import GameFile, Intelligence, tracks_of_hiding
from .hexes import HexGrid
from .names import hex_numbered, look_up, regular_army
from .roster import Counters, Roster, list_copies, read_roster
from .rulings import Ruling, read_rulings

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
_TAKEN_SIDES = (UMPIRE, NOBODY, SOMEBODY, NONE)


class Overlay(msgspec.Struct, frozen=True):
    """An owner's data in place of a game's own: chart cells, counters, ground, rulings, turns and armies.

    `sides`: sides by additional names.

    `folder`: the folder of the owner's set-ups and schedules.
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


def pack_folder(game: str) -> Path:
    """Return the folder of the owner's pack of a game, in the user's data folder."""
    return data_folder() / "packs" / game


class GameData(NamedTuple):
    """A data file of a game, or of its owner."""

    file: Traversable
    called: str
    """The name of the file in messages."""
    is_owners: bool
    """Whether the file is in the owner's pack."""


SCHEDULES = "schedules"
"""The folder of the schedules of a game or a pack."""
CLAUSES = "rules.toml"
"""The file of the rules that are data, in sections of clauses."""
SETUPS = "setups"
"""The folder of the set-ups of a game or a pack."""
POSITION_SUFFIX = ".pos"
"""The suffix of the files of set-ups."""


class Chosen(msgspec.Struct, frozen=True):
    """A loader of games for a player who has named a game.

    If a file fits several games, the named one is preferred.
    """

    id: str
    """The id of the named game."""
    load: Callable[[str], Game]
    """A function that returns the game with the id in a file."""

    def __call__(self, id: str) -> Game:
        """Return the game with the id in a file."""
        return self.load(id)


class Game:
    """A game: its tracks, roster, charts, rulings and boards.

    Build it with `read_game`. Everything except the tracks is read when first needed.
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
        self.id = id
        self.folder = folder
        self.file = file
        self.tracks = tracks
        self.made_by = made_by
        self.title = file.title
        self.overlay = overlay
        self.home = home
        self._on_fault = on_fault
        self._memos: dict[tuple[Memo[Any, Any], Hashable], Any] = {}
        self._printed: dict[str, Board] = {}
        self._silent: dict[tuple[str, bool], tuple[Mapping[str, Fact], Board]] = {}
        self._boards = {"": self._overlay(Board(name="", title=file.title, grid=file.grid, boxes=file.boxes))}

    def with_overlay(self, overlay: Overlay) -> Game:
        """Return this game with an overlay over its own files."""
        return Game(self.id, self.folder, self.file, self.tracks, self.made_by, overlay, self.home, self._on_fault)

    def _overlay(self, board: Board) -> Board:
        """Return a board with the owner's facts about it.

        If it has the hex numbers of the printed map, the owner's facts about that map are added.
        """
        ground = self.overlay.ground.get(board.name, {})
        if board.name and self.has_printed_numbers(board):
            printed = self.overlay.ground.get("", {})
            ground = {**{key: fact for key, fact in printed.items() if board.has(key[1])}, **ground}
        known = {**ground, **self.overlay.armies}
        return board.with_facts_over(known) if known else board

    def has_printed_numbers(self, board: Board) -> bool:
        """Return whether a number of a board means the same hex as on the printed map."""
        return self.file.one_map and board.grid.numbers_as(self.file.grid)

    @cached_property
    def _counters(self) -> Counters:
        files = []
        for file in self.file.roster:
            try:
                files.append((resolve_within(self.folder, file.file), file.source))
            except InputError as error:
                self._on_fault(error.at(Where("game.toml")))
        counters = read_roster(files, self.tracks, self._on_fault)
        for (unit, track), fact in self.overlay.counters.items():
            type = counters.types.get(unit, unit)
            counters.printed.setdefault(type, {}).setdefault(track, []).insert(0, fact)
            counters.counts.setdefault(type, 1)
        return counters

    @property
    def counters(self) -> Mapping[str, int]:
        """The number of counters of each type, in the order of the roster.

        Raises InputError as `roster` does.
        """
        return self._counters.counts

    @cached_property
    def roster(self) -> Roster:
        """The printed facts of the counters by unit, including copies such as `Infantry (2)`.

        Raises InputError if a file of counters has a fault.
        """
        printed, _, types = self._counters
        return {name: printed[unit] for unit in printed for name in self.copies(unit)} if types else printed

    def type_of(self, unit: str) -> str:
        """Return the type of a unit: for a copy the name of the first one, otherwise the name itself."""
        return self._counters.types.get(unit, unit)

    def copies(self, type: str) -> tuple[str, ...]:
        """Return the units with a counter of a type, the first one first, or () if there is no such type."""
        count = self.counters.get(type, 0)
        return (type, *list_copies(type, count)) if count else ()

    @cached_property
    def charts(self) -> Mapping[str, Chart]:
        """The charts by name, with their known cells.

        Raises InputError if a file has a fault or lies outside the folder.
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
                file = resolve_within(self.folder, chart.file) if chart.file else None
            except InputError as error:
                self._on_fault(InputError(f"[{name}] file: {error.what}", where=Where("charts.toml"), hint=error.hint))
                file = None
            if file:
                chart = chart.fill(file, on_fault=self._on_fault, file_name=chart.file)
            charts[name] = msgspec.structs.replace(chart, cells={**chart.cells, **printed.get(name, {})})
        return charts

    @cached_property
    def hiding(self) -> Hiding:
        """The facts and units that `[intelligence]` may hide from a side."""
        return Hiding(self.file.intelligence, self.tracks, lambda: self.roster)

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
        file = resolve_within(self.folder, "rulings.csv")
        rulings = read_rulings(file, self._on_fault) if file.is_file() else {}
        for name, reading in self.overlay.rulings.items():
            chosen = look_up(rulings, name, "ruling").check(reading)
            rulings[name] = msgspec.structs.replace(rulings[name], default=chosen)
        return rulings

    @cached_property
    def board_names(self) -> tuple[str, ...]:
        """The names of the drawn boards."""
        return tuple(file.name for file in in_boards(self.folder) if file.is_dir() and is_board_name(file.name))

    @cached_property
    def setups(self) -> tuple[str, ...]:
        """The names without suffix of the positions in `setups/`, of the game and of its owner's pack."""
        return tuple(sorted(name.removesuffix(POSITION_SUFFIX) for name in self.data_files(SETUPS, POSITION_SUFFIX)))

    def set_up(self, name: str) -> GameData:
        """Return the file of a set-up, the owner's rather than the game's. Raises InputError for an unknown name."""
        if name not in self.setups:
            known_names = f"known: {', '.join(self.setups)}" if self.setups else f"{self.title} has no set-ups"
            raise InputError(f"unknown set-up {name!r}", hint=lambda: nearest(name, self.setups) or known_names)
        return self.data_files(SETUPS, POSITION_SUFFIX)[name + POSITION_SUFFIX]

    def data_files(self, folder: str, ending: str) -> Mapping[str, GameData]:
        """Return files in a folder of the game by name, then those in the same folder of the owner's pack.

        An owner's file replaces the game's file of the same name.
        """
        files = dict[str, GameData]()
        for home in (self.folder, self.overlay.folder):
            if home is None:
                continue
            subfolder = resolve_within(home, folder)
            for file in files_in(subfolder) if subfolder.is_dir() else ():
                if file.name.endswith(ending):
                    files.pop(file.name, None)
                    is_owners = home is not self.folder
                    called = str(file) if is_owners else f"{folder}/{file.name}"
                    files[file.name] = GameData(file, called, is_owners)
        return files

    def memo(self, memo: Memo[K, T], key: K, read: Callable[[], T]) -> T:
        """Return a result computed once for each key. An error is not cached but raised again."""
        if (memo, key) not in self._memos:
            self._memos[memo, key] = read()
        known: T = self._memos[memo, key]
        return known

    def has_file(self, name: str) -> bool:
        """Return whether the game's folder has a file of this name."""
        return resolve_within(self.folder, name).is_file()

    def has_folder(self, name: str) -> bool:
        """Return whether the game's folder has a folder of this name."""
        return resolve_within(self.folder, name).is_dir()

    def board(self, name: str) -> Board:
        """Return a board by name.

        "" is the printed map, with only its grid, its boxes and the owner's facts.

        Raises InputError if the board is unknown, or if its files have a fault.
        """
        if name not in self._boards:
            if name not in self.board_names:
                raise InputError(f"unknown board {name!r}", hint=format_suggestion(name, self.board_names))
            folder = resolve_within(self.folder, f"boards/{name}")
            picture = self.file.picture
            board = load_board(folder, self.tracks, self._on_fault, picture.terrain, picture.town)
            self._boards[name] = self._overlay(board.with_boxes(self.file.boxes))
        return self._boards[name]

    def board_of(self, state: GameState) -> Board:
        """Return the board of a state, with the state's facts for all hexes not known otherwise.

        If the players do not trust the drawn map, only certain facts remain.

        Raises InputError as `board` does.
        """
        board = self.board(state.board)
        is_drawn = Source.DRAWN in state.accepts
        if not is_drawn:
            board = self._printed[state.board] = self._printed.get(state.board) or board.printed()
        if not state.elsewhere:
            return board
        cache_key = state.board, is_drawn  # only the last board of each kind is cached, to bound the memory
        cached = self._silent.get(cache_key)
        if cached is None or cached[0] != state.elsewhere:
            cached = self._silent[cache_key] = state.elsewhere, board.with_silence(state.elsewhere)
        return cached[1]

    @cached_property
    def backs(self) -> Mapping[str, str]:
        """The track of the back of a counter by the track of its front."""
        return {track.name: track.back for track in self.tracks.values() if track.back}

    @cached_property
    def printed_order(self) -> Mapping[str, int]:
        """The order of the ratings on a counter by track: the front as printed, then the back."""
        front = self.file.notation.brackets
        back = (self.backs[name] for name in front if name in self.backs)
        return {name: number for number, name in enumerate(dict.fromkeys((*front, *back)))}

    @cached_property
    def flips(self) -> tuple[str, ...]:
        """The tracks of units that turn a counter over."""
        return tuple(track.name for track in flip_tracks(self.tracks))

    @cached_property
    def bounded_tracks(self) -> Mapping[str, tuple[Track, ...]]:
        """The bounded tracks, by the name of the track that bounds them."""
        tracks: dict[str, tuple[Track, ...]] = {}
        for track in self.tracks.values():
            if track.below:
                tracks[track.below] = (*tracks.get(track.below, ()), track)
        return tracks

    def track(self, name: str) -> Track:
        """Return a track by name. Raises UnknownWord if there is none."""
        return look_up(self.tracks, name, "track")

    def chart(self, name: str) -> Chart:
        """Return a chart by name. Raises UnknownWord if there is none."""
        return look_up(self.charts, name, "chart")

    def unit(self, state: GameState, name: str) -> Unit:
        """Return a unit of a state by its id, ignoring case. Raises InputError for an unknown id."""
        if name in state.units:
            return state.units[name]
        if known := state.by_folded_id.get(name.casefold()):
            return known
        if unit_type := self._roster_by_folded_name.get(name.casefold()):
            what = f"{unit_type} is in the roster, but not in this position"
            raise InputError(what, hint=f"place it: HEX: {quoted(unit_type)}")
        unknown = InputError(f"unknown unit {name!r} in this position", hint=format_suggestion(name, state.units))
        with suppress(InputError):
            place = hex_numbered(name, self.board(state.board))
            there = ", ".join(unit.id for unit in state.units.values() if unit.place == place)
            hint = f"units in it: {there}" if there else "no unit is known to stand in it"
            unknown = InputError(f"{place} is a hex, not a unit", hint=hint)
        unknown.names_units = True
        raise unknown

    def spell_unit(self, name: str) -> str:
        """Return a unit of the roster as its counter spells it, or another name unchanged."""
        return self._roster_by_folded_name.get(name.casefold(), name)

    def side_of(self, nation: str) -> str:
        """Return the side of a nation. Raises InputError if the nation has no side."""
        if nation not in self._sides:
            raise InputError(
                f"nation {nation!r} does not belong to a side", hint=format_suggestion(nation, self._sides)
            )
        return self._sides[nation]

    @cached_property
    def _sides(self) -> Mapping[str, str]:
        return {nation: side for side, nations in reversed(self.file.sides.items()) for nation in nations}

    @cached_property
    def armies(self) -> frozenset[str]:
        """The armies of the roster's units, each by side and name."""
        sides = self._sides
        named = {"nation", "army"}
        printed = [(unit["nation"][0], unit["army"][0]) for unit in self.roster.values() if named <= {*unit}]
        return frozenset(f"{sides.get(str(nation.value), '')} {army.value}" for nation, army in printed)

    def subject(self, track: Track, text: str, state: GameState) -> str:
        """Return the regular name of the subject of a track. Raises InputError for an unknown subject."""
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
                look_up(self.file.sides, text, "side")
            case "army" if self.file.sides:
                return self._spell_army(regular_army(text, self.file.sides, self.armies))
        return text

    def _spell_army(self, name: str) -> str:
        spelled = next((army for army in self.armies if army.casefold() == name.casefold()), "")
        if not spelled and self.lists_armies:
            raise InputError(f"unknown army {name!r}", hint=format_suggestion(name, sorted(self.armies)))
        return spelled or name

    @cached_property
    def lists_armies(self) -> bool:
        """Whether only the armies on counters exist, because the track `army` lists its values."""
        return "army" in self.tracks and bool(self.tracks["army"].values and self.armies)

    @cached_property
    def tracks_naming_units(self) -> frozenset[str]:
        """The tracks whose values name units."""
        return frozenset(name for name, track in self.tracks.items() if track.names == "unit")

    def side_of_unit(self, unit: Unit, facts: Mapping[FactKey, Fact]) -> str:
        """Return the side of a unit by its stated or printed nation, or "" if it is unknown."""
        nation = self.nation_of_unit(unit, facts)
        return self.side_of(nation) if nation and self.file.sides else ""

    def nation_of_unit(self, unit: Unit, facts: Mapping[FactKey, Fact]) -> str:
        """Return the stated or printed nation of a unit, or "" if it is unknown."""
        stated = facts.get((self.file.picture.nation, unit.id))
        return self.printed_nation(unit.type) if stated is None else str(stated.value)

    def printed_nation(self, counter: str) -> str:
        """Return the nation printed on a counter, or "" if there is no such counter or nation."""
        printed = self.roster.get(counter, {}).get(self.file.picture.nation, ())
        return str(printed[0].value) if printed else ""


def read_game(id: str, folder: Traversable, made_by: str = "", home: str = "", on_fault: OnFault = stop) -> Game:
    """Return the game in a folder. Raises InputError if the folder has no game.toml.

    `made_by`: the distribution of the game.

    `home`: the path of the folder if a command named it, or "" for an installed game.

    `on_fault`: receives each fault, now or when a file is read. If it returns, reading continues.
    """
    if not resolve_within(folder, "game.toml").is_file():
        raise InputError(f"game {id} has no game.toml", where=Where(str(folder)))
    file = read_toml(resolve_within(folder, "game.toml"), GameFile, on_fault)
    try:
        file.grid.check()
    except InputError as error:
        on_fault(InputError(f"[grid] {error.what}", where=Where("game.toml"), hint=error.hint))
        file = msgspec.structs.replace(file, grid=HexGrid())  # with the faulty grid, nothing else could be read
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


class Hiding:
    """The facts and units that a game may hide from a side, by its `[intelligence]`."""

    def __init__(
        self, limits: Intelligence | None, tracks: Mapping[str, Track], read_roster: Callable[[], Roster]
    ) -> None:
        self._limits = limits
        self._tracks = tracks
        self._read_roster = read_roster

    def limits(self, facts: Mapping[FactKey, Fact]) -> Intelligence | None:
        """Return the limits of a side's knowledge, or None if these facts of the game put no limits in force.

        Raises InputError if a track of `[intelligence]` or its word is unknown.
        """
        limits = self._limits
        return limits if limits and all(self._holds_fact(facts, *fact) for fact in limits.when.items()) else None

    def _holds_fact(self, facts: Mapping[FactKey, Fact], track: str, word: str) -> bool:
        """Return whether a fact of the game has a value, or has it among several.

        An unstated fact has its track's default.
        """
        declared = look_up(self._tracks, track, "track")
        fact = facts.get((track, ""))
        value = declared.absent if fact is None else fact.value
        return word in value if isinstance(value, tuple) else value == declared.parse(word)

    def may_have_decoys(self, facts: Mapping[FactKey, Fact]) -> bool:
        """Return whether these facts of the game allow decoys that count for nothing."""
        limits = self._limits
        return limits is not None and self._holds_any(facts, limits.decoys_with)

    def conceals(self, facts: Mapping[FactKey, Fact]) -> str:
        """Return the track of units that lie back side up, or "" if these facts of the game do not use the track."""
        limits = self._limits
        return limits.conceals if limits and self._holds_any(facts, limits.conceals_with) else ""

    def _holds_any(self, facts: Mapping[FactKey, Fact], wanted: Mapping[str, tuple[str, ...]]) -> bool:
        return any(self._holds_fact(facts, track, word) for track, words in wanted.items() for word in words)

    def decoys(self, state: GameState) -> frozenset[str]:
        """Return the units that are decoys and count for nothing in any rule, or none if the game has no decoys."""
        facts = state.facts
        words = self._decoy_words
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
        """The facts that make a unit a decoy, by track: the value, and the counter types with it printed."""
        limits = self._limits
        if limits is None or not limits.decoys_with:
            return {}
        values = {track: look_up(self._tracks, track, "track").parse(word) for track, word in limits.decoy.items()}
        return {track: (value, self._types_with(track, value)) for track, value in values.items()}

    def _types_with(self, track: str, value: Value | None) -> frozenset[str]:
        printed = ((name, facts.get(track)) for name, facts in self._read_roster().items())
        return frozenset(name for name, known in printed if known and known[0].value == value)

    @cached_property
    def decoy_types(self) -> frozenset[str]:
        """The counter types that are decoys and count for nothing in any rule."""
        types = [types for _, types in self._decoy_words.values()]
        return frozenset.intersection(*types) if types else frozenset()

    @cached_property
    def facts_of_limits(self) -> Mapping[FactKey, Fact]:
        """The facts of the game under which `[intelligence]` is in force.

        Raises InputError as `limits` does.
        """
        limits = self._limits
        words = limits.when if limits else {}
        return {(track, ""): Fact(look_up(self._tracks, track, "track").parse(word)) for track, word in words.items()}


def find_side(game: Game, text: str) -> str:
    """Return the side that a text names, or "" if the text names no side.

    Raises InputError if the text is the beginning of several sides.
    """
    folded_text = text.casefold()
    names = {name: side for side, nations in game.file.sides.items() for name in nations}
    names |= {side: side for side in game.file.sides} | dict(game.overlay.sides)
    if side := next((side for name, side in names.items() if name.casefold() == folded_text), ""):
        return side
    matches = sorted(names_short_for(text, names))
    if len({names[name] for name in matches}) > 1:
        raise InputError(f"{text!r} may mean {' or '.join(matches)}", hint="type more letters")
    return names[matches[0]] if matches else ""


def find_army(game: Game, text: str) -> str:
    """Return an army by side and name: `central-powers Eighth` for `german Eighth` or `ger Eighth`.

    A text that names no side is returned as it is.
    """
    with suppress(InputError):
        return regular_army(text, game.file.sides)
    first, space, rest = text.partition(" ")
    side = find_side(game, first) if space else ""
    return f"{side} {rest}" if side else text
