"""Numbers of hexes above all else, and the places of those that stand out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from ...asking.sketch import Sketch
from ..colours import INK, WHITE
from ..geometry import PageBox, box_around, point_between
from ..layout import Layout
from ..lettering import base_line
from ..map.arcs import text_box
from ..placement import Inscription, Placement
from ..scene import Circle, Group, Layer, Shape, Text, inset

_NUMBER_PAD = 0.5
"""The room round the number of a hex on its plate, in millimetres."""


def number_layer(numbers: Iterable[Text]) -> Layer:
    """Return the numbers of hexes on plates, which can be read above shades."""
    groups = list[Shape]()
    for number in numbers:
        box = text_box(number)._replace(bottom=number.y)
        size = box.right - box.left, box.bottom - box.top
        plate = inset((box.left, box.top, *size), -_NUMBER_PAD, radius=0.8, fill=WHITE)
        groups.append(Group(number.text, (plate, replace(number, fill=INK, halo=""))))
    return Layer("plates", tuple(groups))


BADGE = 3.6  # mm, the radius of the disc with the place of a hex that stands out
_BADGE_LETTER = 5.4  # size of its figure, mm


def _draw_badge(place: int, x: float, y: float) -> list[Shape]:
    """Return the place of a hex among those that stand out, in a disc."""
    base = base_line(y, _BADGE_LETTER)
    figure = Text(x=x, y=base, text=f"{place}", size=_BADGE_LETTER, anchor="middle", bold=True, fill=WHITE)
    return [Circle(x=x, y=y, radius=BADGE + 0.6, fill=WHITE), Circle(x=x, y=y, radius=BADGE, fill=INK), figure]


_ON_CORNERS = ((0.2, 0.0), (0.2, -1.4), (0.2, 1.4), (0.08, 0.0), (0.08, -1.4))
"""How far the place of a hex lies inwards from a corner, as a share, and below it, in millimetres: the best first."""


def badge_marks(layout: Layout, sketch: Sketch) -> Iterator[tuple[str, Inscription[None]]]:
    """Yield the places of hexes that stand out, near one of their corners, the right one first."""
    size = 2 * BADGE + 1.0
    for spot in (spot for spot in sketch.spots if spot.place):
        centre = layout.centre(spot.hex)
        corners = sorted(layout.corners(spot.hex), key=lambda corner: (-round(corner[0], 3), corner[1]))
        places = [(*point_between(corner, centre, share), up) for corner in corners for share, up in _ON_CORNERS]
        boxes = [box_around(x, y + up, size, size) for x, y, up in places]
        yield "", Inscription(f"badge {spot.hex}", partial(map, _numbered_place, enumerate(boxes)), plate=True)


def _numbered_place(numbered: tuple[int, PageBox]) -> Placement[None]:
    return Placement(float(numbered[0]), numbered[1], None)


def badge_layer(sketch: Sketch, placed: Mapping[str, Placement[None]]) -> Layer:
    """Return the places of hexes that stand out, where they are placed."""
    groups = list[Group]()
    for spot in (spot for spot in sketch.spots if spot.place):
        shapes = _draw_badge(spot.place, *placed[f"badge {spot.hex}"].box.middle)
        groups.append(Group(f"{spot.hex}: {spot.place}.", tuple(shapes)))
    return Layer("places", tuple(groups))
