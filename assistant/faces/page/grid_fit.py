"""The grid of a map fitted to a photo of it, by hexes that the owner taps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from ...game.boards import Board
from ...game.photos import Photo, Tap
from ...util.console import format_count
from ...util.errors import InputError
from .desk import StandingTable
from .projection import NEEDED, DegeneratePairs, Pair, Point, Projection, distances, fit_projection

_MOST_TAPS = 40
"""How many hexes may be tapped on a photo at most."""


class GridFit(NamedTuple):
    """A grid fitted to a photo."""

    board: Board
    photo: Photo
    projection: Projection
    """From the units of the grid to pixels."""
    taps: Sequence[Tap]
    """Those by which it was fitted, with how far each lies off."""
    off: Sequence[float]

    def seen(self, name: str) -> Point | None:
        """Return where the middle of a hex lies in the photo, None if the photo does not show it."""
        try:
            x, y = self.projection.project(self.board.centre(name))
        except ValueError:
            return None
        return (x, y) if 0 <= x <= self.photo.width and 0 <= y <= self.photo.height else None

    def outline(self, name: str) -> tuple[Point, ...]:
        """Return the corners of a hex in the photo, () for one that it does not show whole."""
        grid = self.board.grid
        try:
            points = [self.projection.project(grid.point(corner)) for corner in grid.outline(grid.parse(name))]
        except ValueError:
            return ()
        is_whole = all(0 <= x <= self.photo.width and 0 <= y <= self.photo.height for x, y in points)
        return tuple((round(x, 1), round(y, 1)) for x, y in points) if is_whole else ()

    def is_off(self, tap: Tap) -> float:
        """Return how far a tap lies from where the fit puts its hex, in hexes."""
        try:
            return distances(self.projection, [_pair(self.board, tap)])[0]
        except ValueError:  # behind the camera
            return math.inf


def _pair(board: Board, tap: Tap) -> Pair:
    return board.centre(tap.hex), (tap.x, tap.y)


def fit_grid(table: StandingTable, photo: Photo, taps: Iterable[Tap]) -> GridFit:
    """Return the grid of a table's map fitted to a photo. Raises InputError for what is not a hex, and for taps that
    settle no fit.
    """
    board = table.game.board(table.position.state.board)
    named = [replace(tap, hex=find_hex(board, tap.hex)) for tap in taps]
    if len(named) > _MOST_TAPS:
        raise InputError(f"more than {_MOST_TAPS} taps", hint="take some out: eight that lie far apart are plenty")
    pairs = [_pair(board, tap) for tap in named]
    try:
        projection = fit_projection(pairs)
        off = distances(projection, pairs)
    except DegeneratePairs as error:
        raise _explain_fault(error, named) from None
    except ValueError:
        raise _explain_fault(DegeneratePairs("crossed"), named) from None
    return GridFit(board, photo, projection, named, off)


def find_hex(board: Board, text: str) -> str:
    """Return the hex that a text names. Raises InputError if it names none."""
    name = board.place(text)
    if not board.is_hex(name):
        raise InputError(f"{text} is not a hex", hint="name a hex by its printed number")
    return name


def _explain_fault(error: DegeneratePairs, taps: Sequence[Tap]) -> InputError:
    """Return why taps settle no fit, and what to do."""
    named = " and ".join(taps[at].hex for at in error.which)
    match error.fault:
        case "few":
            more = NEEDED - len(taps)
            return InputError(
                f"{format_count(more, 'more hex', 'more hexes')} to tap",
                hint="choose hexes far apart, near the corners of the photo",
            )
        case "twice" if len({taps[at].hex for at in error.which}) < len(error.which):
            return InputError(
                f"{taps[error.which[0]].hex} is tapped twice", hint="name another hex, or take one of the two out"
            )
        case "twice":
            return InputError(
                f"{named} are tapped in the same place", hint="take one of them out, and tap its hex again"
            )
        case "line":
            return InputError(
                f"{named} lie in one line" if named else "the taps lie in one line",
                hint="tap a hex far beside that line, such as near another corner",
            )
        case "mirrored":
            return InputError(
                "the numbers run the wrong way round, as in a mirror",
                hint="two taps have each other's number, or the picture is mirrored: correct them",
            )
    return InputError(
        "no camera sees these hexes in these places",
        hint="two taps have each other's number: take them out, and tap them again",
    )
