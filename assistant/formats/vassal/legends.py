"""Legends: what the pieces of a save mean to a game, be it declared by a module of the builder or said by a player."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from ...game.games import Game
from ...state.hidden import NOBODY
from ...state.sources import Fact
from ...state.tracks import Track
from ...state.words import Vocabulary, Word
from ...util.errors import InputError
from ...util.limits import Limit
from .declared import (
    ASIDE,
    BOARD,
    MARKER,
    PRIVATE,
    STEPS,
    UNIT,
    declared_arrivals,
    declared_windows,
    game_tracks,
    read_steps,
    shown,
    tracker,
)
from .grids import Drawn, Hexes, Pixel, Zones
from .modules import DiceButton
from .pieces import Piece
from .saves import Save
from .sequence import remembered
from .traits import Trait, level, read_label, read_layer

Note = Callable[[str], None]
"""Takes down something of a save that is not understood, in words."""


class Place(NamedTuple):
    """A place of the game's map. name: "" for none; off_centre: whether a piece lies beside the centre of its hex."""

    name: str
    off_centre: bool = False


NOWHERE = Place("")


class Statement(NamedTuple):
    """What a trait states of a track. word: as position notation writes it, of a text the text alone; "" for a trait
    that shows nothing now.
    """

    track: str
    word: str


class Legend(Protocol):
    """What the pieces of one save mean to a game. Its facts come from a file: a reader checks them.

    game: the game that is played; board: the game's board, "" for its first; sides: the game's side by what hides
    pieces in a save, in small letters: a player's id, or a side as the module names it; dice: the dice buttons whose
    reports are not those of our own modules, each with the roll that it is for, "" for any.
    """

    game: Game
    board: str
    sides: Mapping[str, str]
    dice: Sequence[tuple[DiceButton, str]] = ()

    def unit(self, piece: Piece) -> str:
        """The unit that a piece is, in the roster or not; "" if it is none."""

    def units_of(self, piece: Piece) -> tuple[str, ...]:
        """The units that a piece may be, if it comes into play: several if their counters are all alike."""

    def marker(self, piece: Piece) -> str:
        """The track that a piece states as a marker, of its hex or of the unit below it; "" if it is no marker."""

    def is_ignored(self, piece: Piece) -> bool:
        """Whether a piece that is neither unit nor marker is known to mean nothing."""
        return False

    def is_guarded(self, piece: Piece) -> bool:
        """Whether something that is not understood may hide a piece, so that no side may be told of it."""
        return False

    def statements(self, piece: Piece) -> Iterator[Statement]:
        """What the traits of a unit or a marker state, and which tracks they could state."""

    def place(self, map: str, at: Pixel) -> Place:
        """The place of the game's map at a pixel of a module's map."""

    def printed(self, map: str, at: Pixel) -> str:
        """What the module itself calls a place, for messages; "" if it has no name for it."""

    def is_public(self, map: str) -> bool:
        """Whether everybody sees what lies in a window, and where."""

    def is_aside(self, map: str, at: Pixel) -> bool:
        """Whether what lies at a pixel of a window is not in play."""

    def arrival(self, piece: Piece) -> tuple[str, str] | None:
        """The track of the turn in which a unit comes into play, and that turn, if its place tells it."""
        return None

    def of_the_game(self, note: Note) -> dict[str, Fact]:
        """The facts of the game itself, such as its turn, by track. Raises InputError for one that its track does not
        allow.
        """


#: How far, in pixels each way, a piece may lie off the centre of its hex without a caution.
_OFF = 3


class BuiltLegend(Legend):
    """The legend that a save of one of the builder's modules declares. Raises InputError for a damaged declaration."""

    def __init__(self, save: Save, game: Game) -> None:
        self.save, self.game = save, game
        self.own = save.own_properties
        self.board = self.own.get(BOARD, "")
        self.windows, self.arrivals = declared_windows(self.own), declared_arrivals(self.own)
        module = game.file.module
        self.renamed = {before: now for now, before in module.renamed.items()} if module else {}
        self.sides = sides_of(save, {side: side for side in game.file.sides})

    def unit(self, piece: Piece) -> str:
        """The unit that a marker of the piece names, by the name that it has now if it has been renamed since the save."""
        type = piece.marks().get(UNIT, "")
        return type if type in self.game.roster else self.renamed.get(type, type)

    def units_of(self, piece: Piece) -> tuple[str, ...]:
        """The one that its marker names."""
        unit = self.unit(piece)
        return (unit,) if unit else ()

    def marker(self, piece: Piece) -> str:
        """The track of hexes that a marker of the piece names."""
        return piece.marks().get(MARKER, "")

    def statements(self, piece: Piece) -> Iterator[Statement]:
        """What its layers and labels state, each of the track of its name."""
        for trait in piece.traits:
            stated = _read_stated(trait.type, trait.state)
            if stated.track in self.game.tracks:
                yield stated

    def place(self, map: str, at: Pixel) -> Place:
        """The place drawn at a pixel."""
        window = self.windows.get(map)
        board = self.game.board(self.board)
        try:
            name = board.place(window.locate(at)) if window else ""
        except InputError:
            return NOWHERE
        if not window or not board.is_hex(name):
            return Place(name)
        where = board.grid.parse(name)
        drawn = window.columns[0] <= where.column <= window.columns[1] and window.rows[0] <= where.row <= window.rows[1]
        return Place(name, is_off_centre(window.grid, at)) if drawn else NOWHERE

    def printed(self, map: str, at: Pixel) -> str:
        """What the window's grid prints there."""
        window = self.windows.get(map)
        return window.locate(at) if window else ""

    def is_public(self, map: str) -> bool:
        """Whether the window is one whose grid is declared."""
        return map in self.windows

    def is_aside(self, map: str, at: Pixel) -> bool:
        """Whether the window is declared as a side's own, or as one beside the map."""
        return any(f"{kind} {map}" in self.own for kind in (PRIVATE, ASIDE))

    def arrival(self, piece: Piece) -> tuple[str, str] | None:
        """The turn of the box that the piece lies in."""
        boxes = self.arrivals.get(piece.map)
        return (boxes.track, boxes.grid.locate(piece.at)) if boxes else None

    def of_the_game(self, note: Note) -> dict[str, Fact]:
        """What the turn tracker shows and the buttons set."""
        track = tracker(self.game)
        facts: dict[str, Fact] = {}
        if track is not None and self.save.turns:
            facts |= self._turn(track, next(iter(self.save.turns.values())), note)
        for other in game_tracks(self.game):
            value = self.own.get(other.name, "")
            if other is not track and value:
                facts[other.name] = Fact(other.parse(value))
        return facts

    def _turn(self, track: Track, state: str, note: Note) -> dict[str, Fact]:
        """The turn and what else the turn tracker shows, such as the phase."""
        declared = self.own.get(STEPS, "")
        Limit.GRID.check(len(declared), f"{STEPS} has")
        try:
            turn, words = shown(state, read_steps(declared))
        except (ValueError, IndexError, RecursionError, msgspec.DecodeError) as error:
            note(f"the turn tracker beyond its turn: {error}")
            turn, words = shown(state, ())
        facts = {track.name: Fact(track.parse(turn))}
        vocabulary = Vocabulary(self.game.tracks)
        for word in words:
            stated = vocabulary.read("game", Word(word, 0))
            if stated is None:
                note(f"the turn tracker: {word!r} is not a fact about the game")
            else:
                facts[stated[0].name] = stated[1]
        return facts


def sides_of(save: Save, named: Mapping[str, str]) -> dict[str, str]:
    """The game's side by player's id and by the module's name for it, both in small letters. named: by the module's
    name.
    """
    sides = {name.casefold(): side for name, side in named.items()}
    players = {id.casefold(): sides.get(side.casefold(), NOBODY) for id, _, side in save.players}
    return players | sides  # a side overrides a player who calls himself like it


@remembered
def _read_stated(type: str, state: str) -> Statement:
    """What a layer or a label states by its name, the word "" if it shows none; two empty texts for any other trait."""
    if type.startswith("emb2;"):
        layer = read_layer(type)
        at = level(Trait(type, state))
        return Statement(layer.name, layer.added(at) if 0 < abs(at) <= len(layer.names) else f"level {state}")
    return Statement(read_label(type).name, state) if type.startswith("label;") else Statement("", "")


def is_off_centre(grid: Drawn | None, at: Pixel) -> bool:
    """Whether a pixel lies off the centre of its hex, by the grid of its zone if it lies in one."""
    if isinstance(grid, Zones):
        zone = next((zone for zone in grid.zones if zone.holds(at)), None)
        grid = zone.grid if zone else grid.background
    if not isinstance(grid, Hexes):
        return False
    x, y = grid.centre(*grid.cell(at))
    return abs(at[0] - x) > _OFF or abs(at[1] - y) > _OFF
