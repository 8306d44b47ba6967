"""Pens: how the pieces of a save come to show what a game states. A pen goes the other way than a legend does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, Protocol

from ....state.hidden import INVISIBLE as INVISIBLE_TO
from ....state.hidden import MASKED
from ....state.sources import Fact, Value
from ....state.state import FactKey
from ....state.tracks import Track
from ..elements.starts import whole
from ..grids import Pixel
from ..legends.legend import Legend
from ..pieces import Piece
from ..sequence import join, split
from ..traits import INVISIBLE, MASK, Trait
from .course import Course


class Spot(NamedTuple):
    """Where a piece lies: the name of the map, and the pixel."""

    map: str
    at: Pixel


HIDES = {MASKED: MASK, INVISIBLE_TO: INVISIBLE}
"""The kinds of traits that hide a piece, by the tracks that state it."""
_SENDS, _PARTS = "sendto", 7


def sent_away(piece: Piece, is_aside: Callable[[str, Pixel], bool]) -> tuple[Piece, Spot] | None:
    """A piece as its own command sends it out of play, and where to, None if it has no such command. The command that brings it back
    knows where it lay. is_aside: whether what lies at a place is not in play."""
    for number, trait in enumerate(piece.traits):
        if trait.kind == _SENDS:
            _, _, _, window, _, x, y, *_ = [*split(trait.type, ";"), *[""] * _PARTS]
            there = Spot(window, (whole(x), whole(y)))
            if is_aside(*there):
                back = Trait(trait.type, join((piece.map, *map(str, piece.at)), ";") if piece.map else trait.state)
                return piece._replace(traits=(*piece.traits[:number], back, *piece.traits[number + 1 :])), there
    return None


def by_place(middles: Iterable[Spot], legend: Legend) -> dict[str, Spot]:
    """The spots by the places that a legend reads there; of several at one place the first."""
    found: dict[str, Spot] = {}
    for spot in middles:
        if place := legend.place(*spot).name:
            found.setdefault(place, spot)
    return found


class Pen(Protocol):
    """How one module shows what a game states."""

    def spot(self, place: str) -> Spot | None:
        """Where pieces lie that stand at a place, None if the module does not show it."""

    def box_of_turn(self, track: str, turn: Value) -> Spot | None:
        """Where a unit waits for the turn in which it comes into play, None if the module has no box for it."""

    def away(self, piece: Piece) -> tuple[Piece, Spot] | None:
        """A piece as it lies when it has been put out of play, and where; None if the module has no place for it."""

    def showing(self, piece: Piece, track: Track, value: Value | None) -> Piece | None:
        """A piece that shows a value of a track, None if it has nothing to show it with.

        value: None for what silence means. A value that the piece cannot show is shown by nothing.
        """

    def course(self, facts: Mapping[FactKey, Fact]) -> Course:
        """How the module shows the facts of the game itself."""
