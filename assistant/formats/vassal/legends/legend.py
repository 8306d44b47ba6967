"""What a legend answers: which piece is which unit, what its traits state, where on the game's map it lies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from ....game.games import Game
from ....state.sources import Fact
from ..elements.controls import DiceButton
from ..grids import Pixel
from ..pieces import Piece

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
    """What the pieces of one save mean to a game. Its facts come from a file: a reader checks them."""

    @property
    def game(self) -> Game:
        """The game that is played."""

    @property
    def board(self) -> str:
        """The game's board, "" for its first."""

    @property
    def sides(self) -> Mapping[str, str]:
        """The game's side by what hides pieces in a save, in small letters: a player's id, or a side as the module
        names it.
        """

    @property
    def dice(self) -> Sequence[tuple[DiceButton, str]]:
        """The dice buttons whose reports are not those of our own modules, each with the roll that it is for, "" for
        any.
        """

    def unit(self, piece: Piece) -> str:
        """The unit that a piece is, in the roster or not; "" if it is none."""

    def units_of(self, piece: Piece) -> tuple[str, ...]:
        """The units that a piece may be, if it comes into play: several if their counters are all alike."""

    def marker(self, piece: Piece) -> str:
        """The track that a piece states as a marker, of its hex or of the unit below it; "" if it is no marker."""

    def is_ignored(self, piece: Piece) -> bool:
        """Whether a piece that is neither unit nor marker is known to mean nothing."""

    def is_guarded(self, piece: Piece) -> bool:
        """Whether something that is not understood may hide a piece, so that no side may be told of it."""

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

    def of_the_game(self, note: Note) -> dict[str, Fact]:
        """The facts of the game itself, such as its turn, by track. Raises InputError for one that its track does not
        allow.
        """
