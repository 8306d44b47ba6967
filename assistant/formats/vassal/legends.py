"""Legends: the meaning of a save's pieces in a game, as declared by the builder's module or by a player.

Global properties of a module of the builder declare the game, its board and its windows. Identical counters share their
possible units.
"""

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
from .hidden_facts import is_keeping, read_kept
from .overlay import OVERLAY
from .pieces import Piece
from .saves import Save
from .sequence import remembered
from .traits import Trait, marker_trait, read_label, read_layer, read_level, read_marker
from .turn_lists import STEPS, read_steps, read_tracker_state

GAME = "FieldStaffGame"
"""The global property with the game's id."""
BOARD = "FieldStaffBoard"
"""The global property with the board's name."""
GRID = "FieldStaffGrid"
"""A global property with the grid of a map as JSON, named with the map at the end."""
ARRIVALS = "FieldStaffArrivals"
"""A global property, one for the window with a box for each turn of arrival."""
PRIVATE = "FieldStaffPrivate"
"""A global property for each private window of a side, whose pieces are not in play."""
ASIDE_PROPERTY = "FieldStaffAside"
"""A global property for each window with pieces that are public, but not in play."""
REPORT = "** $name$: $result$"
"""The report of a dice button of the builder's modules.

VASSAL adds a star before it, and after it the total of several dice and the player.
"""
TOTAL = " = $numericalTotal$"
"""The part of a report with the sum of several dice."""
PLAYER = " <$PlayerName$>"
"""The part of a report with the player."""
HEADING = "Field Staff"
"""The line above the position notation in the public notes."""
UNIT = "unit"
"""The marker with a piece's type in the roster."""
MARKER = "marker"
"""The marker with the track that a piece states for its hex."""
DISPLAY = "display"
"""The marker of a piece that is part of the module's display."""
SEEN_LAYER = "{} seen"
"""The name of the layer or text that shows the track `{}` only to the counter's own side."""


def property_of(track: str) -> str:
    """Return the property for a printed track: a name that VASSAL's expressions can use."""
    return track.replace("-", "_")


class Window(msgspec.Struct, frozen=True, omit_defaults=True):
    """A window of a module: its grid, and the first and last column and row of its board."""

    grid: Drawn
    columns: tuple[int, int]
    rows: tuple[int, int]
    size: Pixel | None = None
    """The size of a sheet with boxes; None for a board, and in saves of older modules."""

    @property
    def extent(self) -> Pixel:
        """The width and height of the sheet or board."""
        return self.size or (self.grid.size if isinstance(self.grid, Hexes) else (0, 0))

    def locate(self, at: Pixel) -> str:
        """Return the printed place at a pixel, or "" off the sheet."""
        on_sheet = self.size is None or (0 <= at[0] < self.size[0] and 0 <= at[1] < self.size[1])
        return self.grid.locate(at) if on_sheet else ""


class TurnBoxes(msgspec.Struct, frozen=True):
    """A window with a box for each turn, named by its number."""

    track: str
    """The track with a unit's turn of arrival."""
    grid: Regions


def turn_track(game: Game) -> Track | None:
    """Return the track shown by the module's turn tracker: the first number about the game itself, or None."""
    return next((track for track in game_tracks(game) if track.kind == "integer"), None)


def game_tracks(game: Game) -> list[Track]:
    """Return the tracks about the game itself that a module shows, on its turn tracker or by buttons."""
    return [track for track in game.tracks.values() if track.on == "game" and track.module is not None]


Declared = TypeVar("Declared", Window, TurnBoxes)


def declared_windows(properties: Mapping[str, str]) -> dict[str, Window]:
    """Return by name the maps that a module's own global properties declare.

    Raises InputError if a property is invalid.
    """
    return _read_declared(properties, GRID, Window)


def _read_declared(properties: Mapping[str, str], kind: str, type: type[Declared]) -> dict[str, Declared]:
    """Return by name the windows that global properties of one kind declare.

    Raises InputError if a property is invalid.
    """
    declared = {}
    for name, text in properties.items():
        if name.startswith(f"{kind} "):
            Limit.GRID.check(len(text), f"{name} has")
            try:
                declared[name.removeprefix(f"{kind} ")] = msgspec.json.decode(text, type=type)
            except (msgspec.DecodeError, RecursionError) as error:
                raise InputError(f"{name} cannot be read: {error}", hint="the save is damaged") from None
    return declared


Note = Callable[[str], None]
"""A function that records, in words, something in a save that is not understood."""


class ModulePlace(NamedTuple):
    """A place of the game, found from a pixel."""

    name: str
    """The name, or "" for no place."""
    off_centre: bool = False
    """Whether the pixel is off the centre of its hex."""


NOWHERE = ModulePlace("")


class Statement(NamedTuple):
    """A statement of a trait about a track."""

    track: str
    word: str
    """The word in position notation, or for a text the text alone; "" if the trait shows nothing now."""


class Legend(Protocol):
    """The meaning of one save's pieces in a game. Its facts come from a file, so a reader checks them."""

    game: Game
    board: Annotated[str, note('the game\'s board, or "" for its first')]
    sides: Annotated[
        Mapping[str, str], note("the game's side by player's id and by the module's name of the side, in lower case")
    ]
    dice: Annotated[
        Sequence[tuple[DiceButton, str]],
        note('buttons with other reports than those of the builder, each with its roll, or "" for any'),
    ] = ()

    def unit(self, piece: Piece) -> str:
        """Return the unit of a piece, in the roster or not, or "" if it is not a unit."""

    def units_of(self, piece: Piece) -> tuple[str, ...]:
        """Return the units that a piece in play may be, several if their counters are identical."""

    def mistaken_for(self, piece: Piece) -> tuple[str, ...]:
        """Return other units of which a piece has the slot, the name or the picture."""
        return ()

    def as_unit(self, piece: Piece, unit: str) -> Piece:
        """Return a palette's piece as one of its possible units, unchanged if pieces do not name their unit."""
        return piece

    def marker(self, piece: Piece) -> str:
        """Return the track that a marker states for its hex or for the unit below, or "" if the piece is no marker."""

    def is_ignored(self, piece: Piece) -> bool:
        """Return whether a piece that is neither unit nor marker is known to mean nothing."""

    def is_guarded(self, piece: Piece) -> bool:
        """Return whether a trait that is not understood may hide a piece, so that no side may learn of it."""
        return False

    def statements(self, piece: Piece) -> Iterator[Statement]:
        """Yield the statements of a unit's or marker's traits, also of tracks that they could state but do not now."""

    def figures(self, piece: Piece) -> Mapping[str, str]:
        """Return the values of printed tracks stated by a unit's counter."""
        return {}

    def place(self, map: str, at: Pixel) -> ModulePlace:
        """Return the game's place at a pixel of a module's map."""

    def printed(self, map: str, at: Pixel) -> str:
        """Return the module's own name of a place, for messages, or ""."""

    def is_public(self, map: str) -> bool:
        """Return whether everybody sees the pieces in a window."""

    def is_aside(self, map: str, at: Pixel) -> bool:
        """Return whether pieces at a pixel of a window are not in play."""

    def arrival(self, piece: Piece) -> tuple[str, str] | None:
        """Return the track and turn of a unit's arrival if its place is a box of a turn, or None."""
        return None

    def of_the_game(self, note: Note) -> dict[str, Fact]:
        """Return the facts of the game itself, such as its turn, by track.

        Raises InputError if a track does not allow its value.
        """


_MAX_OFFSET_PX = 3
"""Maximum distance from the centre of a hex, along each axis, that needs no caution."""


class BuiltLegend(Legend):
    """The legend that a save of one of the builder's modules declares.

    Raises InputError if a declaration is damaged.
    """

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
        """Return the unit of each piece with identical counters, by the piece's id.

        The first piece that names a unit keeps it. Other pieces get the remaining units, as far as there are any.
        """
        possible = {piece.id: units for piece in self.save.pieces.values() if len(units := self.units_of(piece)) > 1}
        pieces = pieces_in_order(self.save.pieces[id] for id in possible)

        def is_placed(piece: Piece) -> bool:
            return bool(self.place(piece.map, piece.at).name)

        named = {piece.id: (self._named(piece),) for piece in pieces}
        copies = share_units([piece for piece in pieces if named[piece.id] != possible[piece.id][:1]], named, is_placed)
        taken = {*copies.values()}
        available = {units: tuple(unit for unit in units if unit not in taken) for units in possible.values()}
        unnamed = [piece for piece in pieces if piece.id not in copies]
        return copies | share_units(unnamed, {id: available[units] for id, units in possible.items()}, is_placed)

    def _named(self, piece: Piece) -> str:
        """Return the unit named by a piece's marker, by its present name if it was renamed."""
        unit = piece.marks().get(UNIT, "")
        return unit if unit in self.game.roster else self.renamed.get(unit, unit)

    def unit(self, piece: Piece) -> str:
        return self.copies.get(piece.id) or self._named(piece)

    def units_of(self, piece: Piece) -> tuple[str, ...]:
        unit = self._named(piece)
        return self.game.copies(self.game.type_of(unit)) or ((unit,) if unit else ())

    def as_unit(self, piece: Piece, unit: str) -> Piece:
        return name_unit(piece, unit)

    def marker(self, piece: Piece) -> str:
        return piece.marks().get(MARKER, "")

    def is_ignored(self, piece: Piece) -> bool:
        """Return whether a piece belongs to the display of the module, such as the frame of the turn."""
        return is_display(piece)

    def statements(self, piece: Piece) -> Iterator[Statement]:
        """Yield the statements of layers and labels named after tracks, and the stored facts."""
        for trait in piece.traits:
            if is_keeping(trait):
                for track, word in read_kept(trait, self.game.tracks):
                    yield Statement(track, word)
                continue
            stated = _read_statement(trait.type, trait.state)
            if stated.track in self.game.tracks:
                yield stated

    def figures(self, piece: Piece) -> Mapping[str, str]:
        """Return the values printed on the counter when the module was built."""
        marks = piece.marks()
        printed = (name for name, track in self.game.tracks.items() if track.printed == "counter")
        return {name: word for name in printed if (word := marks.get(property_of(name)))}

    def place(self, map: str, at: Pixel) -> ModulePlace:
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
        window = self.windows.get(map)
        return window.locate(at) if window else ""

    def is_public(self, map: str) -> bool:
        """Return whether the grid of a window is declared."""
        return map in self.windows

    def is_aside(self, map: str, at: Pixel) -> bool:
        """Return whether a window is declared as a side's own, or as one beside the map."""
        return any(f"{kind} {map}" in self.own for kind in (PRIVATE, ASIDE_PROPERTY))

    def arrival(self, piece: Piece) -> tuple[str, str] | None:
        """Return the turn of the box with the piece."""
        boxes = self.arrivals.get(piece.map)
        return (boxes.track, boxes.grid.locate(piece.at)) if boxes else None

    def of_the_game(self, note: Note) -> dict[str, Fact]:
        """Return the facts on the turn tracker and on buttons."""
        track = turn_track(self.game)
        facts: dict[str, Fact] = {}
        if track is not None and self.save.turns:
            facts |= self._read_turn(track, next(iter(self.save.turns.values())), note)
        for other in game_tracks(self.game):
            value = self.own.get(other.name, "")
            if other is not track and value:
                value_stated = other.parse(value)
                if value_stated != other.absent:
                    facts[other.name] = Fact(value_stated)
        return facts

    def _read_turn(self, track: Track, state: str, note: Note) -> dict[str, Fact]:
        """Return the turn and other facts on the turn tracker, such as the phase."""
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
    """Return whether a piece of the builder's modules only shows something, such as the current turn."""
    return not piece.marks().keys().isdisjoint((DISPLAY, OVERLAY))


def module_sides(save: Save, named: Mapping[str, str]) -> dict[str, str]:
    """Return the game's side for each player's id and each of the module's names of sides, in lower case.

    `named`: the game's sides by the module's names.
    """
    sides = {name.casefold(): side for name, side in named.items()}
    players = {id.casefold(): sides.get(side.casefold(), NOBODY) for id, _, side in save.players}
    return players | sides  # a side overrides a player of the same name


@remembered
def _read_statement(type: str, state: str) -> Statement:
    """Return the statement of a layer or label, with an empty word if it shows nothing.

    Any other trait gives two empty texts.
    """
    if type.startswith("emb2;"):
        layer = read_layer(type)
        at = read_level(Trait(type, state))
        return Statement(layer.name, layer.added(at) if 0 < abs(at) <= len(layer.names) else f"level {state}")
    return Statement(read_label(type).name, state) if type.startswith("label;") else Statement("", "")


def is_off_centre(grid: Drawn | None, at: Pixel) -> bool:
    """Return whether a pixel is off the centre of its hex, in the grid of its zone if it has one."""
    if isinstance(grid, ZonedGrid):
        zone = next((zone for zone in grid.zones if zone.holds(at)), None)
        grid = zone.grid if zone else grid.background
    if not isinstance(grid, Hexes):
        return False
    x, y = grid.centre(*grid.cell(at))
    return abs(at[0] - x) > _MAX_OFFSET_PX or abs(at[1] - y) > _MAX_OFFSET_PX


# --- units whose counters are all alike -------------------------------------------------------------------------------


def pieces_in_order(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces in the order of their ids, which stay the same when pieces are moved or hidden.

    Gaps in the numbers may tell a side that a counter is out of sight, but no more than the public roster does.
    """
    return sorted(pieces, key=lambda piece: _sort_key(piece.id))


def _sort_key(id: str) -> tuple[int, str]:
    """Return the sort key of an id: VASSAL's rising numbers first, then other ids."""
    return (len(id), id) if re.fullmatch("[1-9][0-9]*", id) else (len(id) + 1000, id)


def share_units(
    pieces: Sequence[Piece], units: Mapping[str, tuple[str, ...]], is_placed: Callable[[Piece], bool]
) -> dict[str, str]:
    """Return the unit of each piece, by the piece's id, for as many pieces as there are units.

    Pieces on the map come first, and of these the pieces hidden by no side. So a piece without a unit does not reveal a
    hidden piece.

    `pieces`: in the order of `pieces_in_order`.
    `units`: the possible units of each piece, by its id.
    """
    pieces_by_units: dict[tuple[str, ...], list[Piece]] = {}
    # by identity: hundreds of identical pieces share one tuple of hundreds of units
    groups_by_tuple: dict[int, list[Piece]] = {}
    for piece in pieces:
        possible = units[piece.id]
        if id(possible) not in groups_by_tuple:
            groups_by_tuple[id(possible)] = pieces_by_units.setdefault(possible, [])
        groups_by_tuple[id(possible)].append(piece)
    units_of = dict[str, str]()
    taken = set[str]()
    for possible, group in pieces_by_units.items():
        available = [unit for unit in possible if unit not in taken]
        if len(group) > len(available):
            by_priority = sorted(group, key=lambda piece: (not is_placed(piece), bool(piece.owners())))
            chosen = {piece.id for piece in by_priority[: len(available)]}
            group = [piece for piece in group if piece.id in chosen]
        units_of |= {piece.id: unit for piece, unit in zip(group, available, strict=False)}
        taken.update(available[: len(group)])
    return units_of
