"""What the map prints in hexes beside ground and towns: a flag of hexes, such as an oasis, has a small sign in them."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin

from ..colours import INK, darken
from ..geometry import PageBox
from ..scene import Group, Layer, Point, Polygon
from ..style import HEX, PLAIN
from ..taken import TakenBoxes
from .survey import Survey
from .towns import SIGN

_CORNERS = ((4, 0.0), (3, 0.0), (4, pi / 4), (3, pi), (6, 0.0), (5, 0.0))
"""The forms of signs, in the order of the game's flags: how many corners each has, and how far it is turned."""
_COLOURS = ("#b5651d", "#7a3b8f", "#2f7d7a", "#a3324a", "#5a6b1e", "#34508c")
"""Their colours, unless the game states its own."""
FLAG_RADIUS = 2.3  # mm, of a sign
_BELOW = HEX * 0.33  # mm from the middle of a hex down to its signs
_PITCH = 2.6 * FLAG_RADIUS  # mm from one sign to the next


def flag_sign(survey: Survey, flag: str, at: Point, radius: float = FLAG_RADIUS) -> Polygon:
    """Return the sign of a flag round a point."""
    number = survey.look.flags.index(flag)
    (corners, turned), usual = _CORNERS[number % len(_CORNERS)], _COLOURS[number % len(_COLOURS)]
    colour = survey.palette.link(flag, usual)
    angles = [turned - pi / 2 + 2 * pi * corner / corners for corner in range(corners)]
    points = tuple((at[0] + radius * cos(angle), at[1] + radius * sin(angle)) for angle in angles)
    return Polygon(points=points, fill=colour, stroke=PLAIN if darken(colour) == INK else darken(colour), width=0.3)


def flag_layer(survey: Survey) -> Layer:
    """Return the signs of the flags in the hexes drawn; none on a map too small for hexes."""
    titles = survey.look.tracks
    return Layer(
        "flags",
        tuple(
            Group(f"{name}: {titles[flag].title}", (flag_sign(survey, flag, at),))
            for name, flag, at in _place_signs(survey)
        ),
    )


def take_flags(survey: Survey, room: TakenBoxes) -> None:
    """Take the room of the signs of flags."""
    for box in flag_boxes(survey):
        room.take(box, SIGN)


def flag_boxes(survey: Survey) -> list[PageBox]:
    """Return the boxes of the signs."""
    radius = FLAG_RADIUS
    return [PageBox(x - radius, y - radius, x + radius, y + radius) for _, _, (x, y) in _place_signs(survey)]


def _place_signs(survey: Survey) -> Iterator[tuple[str, str, Point]]:
    """Yield each sign: its hex, its flag, and where it lies."""
    for name, flags in ({} if survey.scale.small else survey.flags).items():
        x, y = survey.layout.centre(name)
        for number, flag in enumerate(flags):
            yield name, flag, (x + (number - (len(flags) - 1) / 2) * _PITCH, y + _BELOW)
