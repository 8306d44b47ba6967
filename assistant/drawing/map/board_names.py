"""The names on a board under counters, and where they lie, for signs that are laid over the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...game.boards import Board
from ..geometry import PageBox
from ..scene import Point
from ..style import COUNTER_MM
from .arcs import boxes_of, text_box
from .layers import MapWish, letter_map
from .survey import Survey

_STACK_OFFSET_MM = 3.0
"""The distance by which the counters of a stack extend beyond the top one."""
_MAX_OVERLAP_MM = 1.0
"""The maximum overlap of a letter's rim with a counter: with less, too many rivers would have no name."""


def wish_under_counters(survey: Survey, rivers: Mapping[str, Sequence[str]]) -> MapWish:
    """Return the wish for a board in full size, whose names keep clear of all hexes where counters may lie.

    `rivers`: the hexsides of each river by its name.
    """
    names = survey.layout.names
    taken = [_find_stack_box(survey.layout.centre(name)) for name in names]
    return MapWish(regions=False, counters=names, taken=taken, rivers=rivers)


def river_hexsides(board: Board, barrier: str) -> Mapping[str, Sequence[str]]:
    """Return the hexsides of each named river of a board.

    `barrier`: the track of features along hexsides.
    """
    hexsides: dict[str, dict[str, None]] = {}
    for chain in board.chains:
        if chain.name and chain.along and any(track == barrier for track, _ in chain.facts):
            hexsides.setdefault(chain.name, {}).update(dict.fromkeys(chain.path))
    return {name: tuple(path) for name, path in hexsides.items()}


def boxes_of_names(survey: Survey) -> Iterator[PageBox]:
    """Yield the boxes of the numbers and names of a board in full size."""
    rivers = river_hexsides(survey.board, survey.picture.barrier)
    lettered = letter_map(survey, wish_under_counters(survey, rivers))
    yield from map(text_box, lettered.numbers)
    yield from (place.box for place in lettered.placed.values())
    yield from boxes_of([*lettered.lakes, *lettered.rivers])


def _find_stack_box(centre: Point) -> PageBox:
    (x, y), half = centre, COUNTER_MM / 2 - _MAX_OVERLAP_MM
    return PageBox(x - half, y - half, x + half, y + half + _STACK_OFFSET_MM)
