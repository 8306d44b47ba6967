"""Legends: what the pieces of a save mean to a game, declared by a module of the builder or said by a player.

Global properties of a module of the builder declare the game, its board and its windows. Counters that are all alike
share the units that they may be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple, Protocol, TypeVar

import msgspec

from ...game.games import Game
from ...state.state import NOBODY
from ...state.tracks import Fact, Track
from ...state.words import Word
from ...util.errors import InputError
from ...util.limits import Limit
from ...util.notes import note
from .controls import DiceButton
from .grids import Drawn, Hexes, Pixel, Regions, ZonedGrid
from .hidden import is_keeping, read_kept
from .overlay import OVERLAY
from .pieces import Piece
from .saves import Save
from .sequence import remembered
from .traits import Trait, marker_trait, read_label, read_layer, read_level, read_marker
from .turn_lists import STEPS, read_steps, read_tracker_state

GAME = "FieldStaffGame"
"""A global property of a module: the game's id."""
BOARD = "FieldStaffBoard"
"""A global property of a module: the board's name."""
GRID = "FieldStaffGrid"
"""A global property of a module: the grid of a map as JSON, the map's name at its end."""
ARRIVALS = "FieldStaffArrivals"
"""A global property for the window with a box for each turn: units in one come into play then."""
PRIVATE = "FieldStaffPrivate"
"""A global property for each private window of a side: what lies in it is not in play."""
ASIDE = "FieldStaffAside"
"""A global property for each window whose pieces everybody sees, but which are not in play."""
REPORT = "** $name$: $result$"
"""What a dice button of our modules writes; VASSAL puts a star before it, the total of several dice behind it, and last
the player.
"""
TOTAL = " = $numericalTotal$"
"""What a dice button writes of the sum of several dice."""
PLAYER = " <$PlayerName$>"
"""What a dice button writes of the player."""
HEADING = "Field Staff"
"""The line of the public notes above the position notation."""
UNIT = "unit"
"""The marker of a piece that names its type in the roster."""
MARKER = "marker"
"""The marker of a piece that names the track of hexes that it states."""
DISPLAY = "display"
"""The marker of a piece that names what the module shows by it."""
SEEN = "{} seen"
"""What the layer or the text is called that shows a track, `{}`, to the players of the counter's own side alone."""


def property_of(track: str) -> str:
    """Return the property of a counter with what it prints of a track: a name that VASSAL's expressions can use."""
    return track.replace("-", "_")


class Window(msgspec.Struct, frozen=True, omit_defaults=True):
    """A map of a module: its grid, and the first and the last column and row of the board that are drawn."""

    grid: Drawn
    columns: tuple[int, int]
    rows: tuple[int, int]
    size: Pixel | None = None
    """Of a sheet with boxes, beyond which nothing lies in one; None for a board, whose hexes tell, and in saves of
    older modules.
    """

    @property
    def extent(self) -> Pixel:
        """Width and height of the sheet or the board."""
        return self.size or (self.grid.size if isinstance(self.grid, Hexes) else (0, 0))

    def locate(self, at: Pixel) -> str:
        """Return the printed place at a pixel, "" off the sheet."""
        on_sheet = self.size is None or (0 <= at[0] < self.size[0] and 0 <= at[1] < self.size[1])
        return self.grid.locate(at) if on_sheet else ""


class TurnBoxes(msgspec.Struct, frozen=True):
    """A window with boxes that are called by the numbers of turns."""

    track: str
    """The one that states in which turn a unit comes into play."""
    grid: Regions


def turn_track(game: Game) -> Track | None:
    """Return the track that the module's turn tracker shows: the first number among those of the game itself."""
    return next((track for track in game_tracks(game) if track.kind == "integer"), None)


def game_tracks(game: Game) -> list[Track]:
    """Return the tracks of the game itself that a module shows, on its turn tracker or by buttons."""
    return [track for track in game.tracks.values() if track.on == "game" and track.module is not None]


Declared = TypeVar("Declared", Window, TurnBoxes)


def declared_windows(properties: Mapping[str, str]) -> dict[str, Window]:
    """Return the maps by name that a module's own global properties declare. Raises InputError for an invalid property."""
    return _read_declared(properties, GRID, Window)


def _read_declared(properties: Mapping[str, str], kind: str, type: type[Declared]) -> dict[str, Declared]:
    """Return what global properties of a kind declare of windows, by their names. Raises InputError for an invalid one."""
    declared = {}
    for name, text in properties.items():
        if name.startswith(f"{kind} "):
            Limit.GRID.check(len(text), f"{name} has")
            try:
                declared[name.removeprefix(f"{kind} ")] = msgspec.json.decode(text, type=type)
            except (msgspec.DecodeError, RecursionError) as error:
                raise InputError(f"{name} cannot be read: {error}", hint="the save is damaged") from None
    return declared


# A save holds numbers only: turns that are counted, and in each one lists to go through, such as player turns and their
# phases. What the numbers stand for is declared in a global property.


Note = Callable[[str], None]
"""Takes down something of a save that is not understood, in words."""


class ModulePlace(NamedTuple):
    """A place of the game's map."""

    name: str
    """Empty for none."""
    off_centre: bool = False
    """Whether a piece lies beside the centre of its hex."""


NOWHERE = ModulePlace("")


class Statement(NamedTuple):
    """What a trait states of a track."""

    track: str
    word: str
    """As position notation writes it, of a text the text alone; "" for a trait that shows nothing now."""


class Legend(Protocol):
    """What the pieces of one save mean to a game; its facts come from a file, so a reader checks them."""

    game: Game
    board: Annotated[str, note('the game\'s board, "" for its first')]
    sides: Annotated[
        Mapping[str, str], note("the game's side by a player's id, or by the module's name of a side, in small letters")
    ]
    dice: Annotated[
        Sequence[tuple[DiceButton, str]],
        note('buttons whose reports are not those of our own modules, each with its roll, "" for any'),
    ] = ()

    def unit(self, piece: Piece) -> str:
        """Return the unit that a piece is, in the roster or not; "" if it is none."""

    def units_of(self, piece: Piece) -> tuple[str, ...]:
        """Return the units that a piece may be, if it comes into play: several if their counters are all alike."""

    def as_unit(self, piece: Piece, unit: str) -> Piece:
        """Return a piece of a palette as one of the units that it may be; unchanged if pieces do not name their unit."""
        return piece

    def marker(self, piece: Piece) -> str:
        """Return the track that a piece states as a marker, of its hex or of the unit below it; "" if it is no marker."""

    def is_ignored(self, piece: Piece) -> bool:
        """Return whether a piece that is neither unit nor marker is known to mean nothing."""

    def is_guarded(self, piece: Piece) -> bool:
        """Return whether something that is not understood may hide a piece, so that no side may be told of it."""
        return False

    def statements(self, piece: Piece) -> Iterator[Statement]:
        """Return what the traits of a unit or a marker state, and which tracks they could state."""

    def figures(self, piece: Piece) -> Mapping[str, str]:
        """Return what the counter of a unit shows of tracks that are printed on it, as far as the piece says that."""
        return {}

    def place(self, map: str, at: Pixel) -> ModulePlace:
        """Return the place of the game's map at a pixel of a module's map."""

    def printed(self, map: str, at: Pixel) -> str:
        """Return what the module itself calls a place, for messages; "" if it has no name for it."""

    def is_public(self, map: str) -> bool:
        """Return whether everybody sees what lies in a window, and where."""

    def is_aside(self, map: str, at: Pixel) -> bool:
        """Return whether what lies at a pixel of a window is not in play."""

    def arrival(self, piece: Piece) -> tuple[str, str] | None:
        """Return the track of the turn in which a unit comes into play, and that turn, if its place tells it."""
        return None

    def of_the_game(self, note: Note) -> dict[str, Fact]:
        """Return the facts of the game itself, such as its turn, by track. Raises InputError for one that its track
        does not allow.
        """


_TOLERANCE = 3
"""How far, in pixels each way, a piece may lie off the centre of its hex without a caution."""


class BuiltLegend(Legend):
    """The legend that a save of one of the builder's modules declares. Raises InputError for a damaged declaration."""

    def __init__(self, save: Save, game: Game) -> None:
        self.save = save
        self.game = game
        self.own = save.own_properties
        self.board = self.own.get(BOARD, "")
        self.windows = declared_windows(self.own)
        self.arrivals = _read_declared(self.own, ARRIVALS, TurnBoxes)
        module = game.file.module
        self.renamed = {before: now for now, before in module.renamed.items()} if module else {}
        self.sides = module_sides(save, {side: side for side in game.file.sides})
        self.copies = self._share_copies() if len(game.roster) > len(game.counters) else {}

    def _share_copies(self) -> dict[str, str]:
        """Return which copy of its counter a piece is, by its id: the one that its marker names, which the first piece
        of a name has, or else one that is left. Pieces beyond these are not in it.
        """
        possible = {piece.id: units for piece in self.save.pieces.values() if len(units := self.units_of(piece)) > 1}
        pieces = pieces_in_order(self.save.pieces[id] for id in possible)

        def is_placed(piece: Piece) -> bool:
            return bool(self.place(piece.map, piece.at).name)

        named = {piece.id: (self._named(piece),) for piece in pieces}
        copies = share_units([piece for piece in pieces if named[piece.id] != possible[piece.id][:1]], named, is_placed)
        given = {*copies.values()}
        left = {units: tuple(unit for unit in units if unit not in given) for units in possible.values()}
        others = [piece for piece in pieces if piece.id not in copies]
        return copies | share_units(others, {id: left[units] for id, units in possible.items()}, is_placed)

    def _named(self, piece: Piece) -> str:
        """Return the unit that a marker of a piece names, by the name that it has now if it has been renamed since the
        save.
        """
        unit = piece.marks().get(UNIT, "")
        return unit if unit in self.game.roster else self.renamed.get(unit, unit)

    def unit(self, piece: Piece) -> str:
        """Return the unit that a marker of the piece names, or another one with a copy of its counter."""
        return self.copies.get(piece.id) or self._named(piece)

    def units_of(self, piece: Piece) -> tuple[str, ...]:
        """Return the one that its marker names, and those with copies of its counter."""
        unit = self._named(piece)
        return self.game.copies(self.game.type_of(unit)) or ((unit,) if unit else ())

    def as_unit(self, piece: Piece, unit: str) -> Piece:
        """Return the piece with a marker that names the unit."""
        return name_unit(piece, unit)

    def marker(self, piece: Piece) -> str:
        """Return the track of hexes that a marker of the piece names."""
        return piece.marks().get(MARKER, "")

    def is_ignored(self, piece: Piece) -> bool:
        """Return whether it is a part of what the module shows by itself, such as the frame around the current turn, or
        shows what an answer found.
        """
        return is_display(piece)

    def statements(self, piece: Piece) -> Iterator[Statement]:
        """Yield what its layers and labels state, each of the track of its name, and what it keeps beside."""
        for trait in piece.traits:
            if is_keeping(trait):
                for track, word in read_kept(trait, self.game.tracks):
                    yield Statement(track, word)
                continue
            stated = _read_statement(trait.type, trait.state)
            if stated.track in self.game.tracks:
                yield stated

    def figures(self, piece: Piece) -> Mapping[str, str]:
        """Return what its marker has of what was printed on the counter when the module was built."""
        marks = piece.marks()
        printed = (name for name, track in self.game.tracks.items() if track.printed == "counter")
        return {name: word for name in printed if (word := marks.get(property_of(name)))}

    def place(self, map: str, at: Pixel) -> ModulePlace:
        """Return the place drawn at a pixel."""
        window = self.windows.get(map)
        board = self.game.board(self.board)
        try:
            name = board.place(window.locate(at)) if window else ""
        except InputError:
            return NOWHERE
        if not window or not board.is_hex(name):
            return ModulePlace(name)
        where = board.grid.parse(name)
        drawn = window.columns[0] <= where.column <= window.columns[1] and window.rows[0] <= where.row <= window.rows[1]
        return ModulePlace(name, is_off_centre(window.grid, at)) if drawn else NOWHERE

    def printed(self, map: str, at: Pixel) -> str:
        """Return what the window's grid prints there."""
        window = self.windows.get(map)
        return window.locate(at) if window else ""

    def is_public(self, map: str) -> bool:
        """Return whether the window is one whose grid is declared."""
        return map in self.windows

    def is_aside(self, map: str, at: Pixel) -> bool:
        """Return whether the window is declared as a side's own, or as one beside the map."""
        return any(f"{kind} {map}" in self.own for kind in (PRIVATE, ASIDE))

    def arrival(self, piece: Piece) -> tuple[str, str] | None:
        """Return the turn of the box that the piece lies in."""
        boxes = self.arrivals.get(piece.map)
        return (boxes.track, boxes.grid.locate(piece.at)) if boxes else None

    def of_the_game(self, note: Note) -> dict[str, Fact]:
        """Return what the turn tracker shows and the buttons set."""
        track = turn_track(self.game)
        facts: dict[str, Fact] = {}
        if track is not None and self.save.turns:
            facts |= self._read_turn(track, next(iter(self.save.turns.values())), note)
        for other in game_tracks(self.game):
            value = self.own.get(other.name, "")
            if other is not track and value:
                stated = other.parse(value)
                if stated != other.absent:
                    facts[other.name] = Fact(stated)
        return facts

    def _read_turn(self, track: Track, state: str, note: Note) -> dict[str, Fact]:
        """Return the turn and what else the turn tracker shows, such as the phase."""
        declared = self.own.get(STEPS, "")
        Limit.GRID.check(len(declared), f"{STEPS} has")
        try:
            turn, words = read_tracker_state(state, read_steps(declared))
        except (ValueError, IndexError, RecursionError, msgspec.DecodeError) as error:
            note(f"the turn tracker, apart from its turn: {error}")
            turn, words = read_tracker_state(state, ())
        facts = {track.name: Fact(track.parse(turn))}
        vocabulary = self.game.vocabulary
        for word in words:
            stated = vocabulary.read("game", Word(word, 0))
            if stated is None:
                note(f"the turn tracker: {word!r} is not a fact about the game")
            else:
                facts[stated[0].name] = stated[1]
        return facts


def name_unit(piece: Piece, unit: str) -> Piece:
    """Return a piece of one of the builder's modules whose marker names this unit."""

    def rename(trait: Trait) -> Trait:
        values = read_marker(trait) if trait.kind == "mark" else {}
        return marker_trait({**values, UNIT: unit}) if UNIT in values else trait

    return piece._replace(traits=tuple(map(rename, piece.traits)))


def is_display(piece: Piece) -> bool:
    """Return whether a piece of one of the builder's modules only shows something, such as the current turn, and is
    none of the game's.
    """
    return not piece.marks().keys().isdisjoint((DISPLAY, OVERLAY))


def module_sides(save: Save, named: Mapping[str, str]) -> dict[str, str]:
    """Return the game's side by player's id and by the module's name for it, both in small letters. named: by the
    module's name.
    """
    sides = {name.casefold(): side for name, side in named.items()}
    players = {id.casefold(): sides.get(side.casefold(), NOBODY) for id, _, side in save.players}
    return players | sides  # a side overrides a player who calls himself like it


@remembered
def _read_statement(type: str, state: str) -> Statement:
    """Return what a layer or a label states by its name, the word "" if it shows none; two empty texts for any other
    trait.
    """
    if type.startswith("emb2;"):
        layer = read_layer(type)
        at = read_level(Trait(type, state))
        return Statement(layer.name, layer.added(at) if 0 < abs(at) <= len(layer.names) else f"level {state}")
    return Statement(read_label(type).name, state) if type.startswith("label;") else Statement("", "")


def is_off_centre(grid: Drawn | None, at: Pixel) -> bool:
    """Return whether a pixel lies off the centre of its hex, by the grid of its zone if it lies in one."""
    if isinstance(grid, ZonedGrid):
        zone = next((zone for zone in grid.zones if zone.holds(at)), None)
        grid = zone.grid if zone else grid.background
    if not isinstance(grid, Hexes):
        return False
    x, y = grid.centre(*grid.cell(at))
    return abs(at[0] - x) > _TOLERANCE or abs(at[1] - y) > _TOLERANCE


# --- units whose counters are all alike -------------------------------------------------------------------------------


def pieces_in_order(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces as they are numbered: by their ids, for those stay the same wherever they move and whoever hides
    them.

    A number that a side does not see tells it of a counter out of sight, and no more: a roster that all may read names
    all of them.
    """
    return sorted(pieces, key=lambda piece: _sort_key(piece.id))


def _sort_key(id: str) -> tuple[int, str]:
    """Return what ids are sorted by: VASSAL counts its own upwards; others come after them."""
    return (len(id), id) if re.fullmatch("[1-9][0-9]*", id) else (len(id) + 1000, id)


def share_units(
    pieces: Sequence[Piece], units: Mapping[str, tuple[str, ...]], is_placed: Callable[[Piece], bool]
) -> dict[str, str]:
    """Return the unit of each piece, by its id, for as many pieces as there are units.

    pieces: in their order; units: those that a piece may be, by its id. Pieces on the map come first, and of these the
    ones that no side hides, so that no piece that is left over reveals a hidden one.
    """
    alike: dict[tuple[str, ...], list[Piece]] = {}
    known: dict[int, list[Piece]] = {}  # by the very tuple: hundreds of alike pieces share one of hundreds of units
    for piece in pieces:
        possible = units[piece.id]
        if id(possible) not in known:
            known[id(possible)] = alike.setdefault(possible, [])
        known[id(possible)].append(piece)
    units_of = dict[str, str]()
    given = set[str]()
    for possible, some in alike.items():
        free = [unit for unit in possible if unit not in given]
        if len(some) > len(free):
            first = sorted(some, key=lambda piece: (not is_placed(piece), bool(piece.owners())))
            chosen = {piece.id for piece in first[: len(free)]}
            some = [piece for piece in some if piece.id in chosen]
        units_of |= {piece.id: unit for piece, unit in zip(some, free, strict=False)}
        given.update(free[: len(some)])
    return units_of
