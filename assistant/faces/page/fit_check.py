"""The hexes at which a grid that is fitted to a photo is checked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from ...asking.view import View
from ...drawing.hex_sets import board_hexes
from ...drawing.situation import named_places
from ...state.tracks import CERTAIN
from .desk import StandingTable
from .grid_fit import GridFit
from .messages.photos import PlaceToCheck
from .projection import Point

PLACES = 4
"""At how many hexes a fit is checked, as far as the photo shows so many."""
_NAMED = 3
"""How many of them are named places, as far as the rules or the printed map name so many."""


def find_places_to_check(
    table: StandingTable, fitted: GridFit, checked: Sequence[str], skip: Iterable[str]
) -> Iterator[PlaceToCheck]:
    """Yield the hexes at which a fit is checked: places that the rules or the printed map name first, each far from
    those before it and from the taps. checked: hexes that have been found right.
    """
    names = {
        place.hex: place.name
        for place in named_places(View(table.game, table.position.state))
        if place.basis.source in CERTAIN and fitted.board.has(place.hex)
    }
    gone = {*skip, *(tap.hex for tap in fitted.taps)}
    taken = [fitted.board.centre(name) for name in (*(tap.hex for tap in fitted.taps), *checked)]
    needed = PLACES - len(checked)
    others = board_hexes(fitted.board)
    for number in range(needed):
        shown = None
        if number + len(checked) < _NAMED:
            shown = _find_farthest(fitted, [at for at in names if at not in gone], taken)
        if shown is None:
            shown = _find_farthest(fitted, [at for at in others if at not in gone], taken)
        if shown is None:
            return
        gone.add(shown)
        taken.append(fitted.board.centre(shown))
        x, y = fitted.seen(shown) or (0.0, 0.0)
        outline = fitted.outline(shown)
        yield PlaceToCheck(hex=shown, name=names.get(shown, ""), x=round(x, 1), y=round(y, 1), outline=outline)


def _find_farthest(fitted: GridFit, hexes: Iterable[str], taken: Sequence[Point]) -> str | None:
    """Return, of the hexes that the photo shows whole, the one whose nearest neighbour of those taken is farthest; None
    for none.
    """

    def far(name: str) -> float:
        return min(math.dist(fitted.board.centre(name), point) for point in taken)

    seen = sorted((name for name in hexes if fitted.seen(name)), key=far, reverse=True)
    return next((name for name in seen if fitted.outline(name)), None)
