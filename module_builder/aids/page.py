"""A page of player aids: its paper, its head and foot, and the boxes on it. All lengths are millimetres."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from assistant.drawing.colours import INK, WHITE, ink_on, mix
from assistant.drawing.lettering import POINT, fit_line, text_width, wrap
from assistant.drawing.scene import Layer, Polyline, Rectangle, Scene, Shape, Text, inset
from assistant.drawing.style import GRID, PAPER, SOFT_INK

from ..sheets.sizes import MARGIN, Box, Paper
from .flow import GAP, set_line

SIZES = tuple(points * POINT for points in (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0))
"""The sizes of words, from that which is tried first to the smallest."""
LEAST = 7 * POINT
"""The smallest size that is read at arm's length."""
HEADING = 12 * POINT
"""The size of headings in bars."""
ROOM = 1.0
"""How much larger a box is than the counter that lies in it."""
EASY = 8.5 * POINT
"""Letters that are read with ease: smaller ones only where nothing else has room."""
_TITLE = 17 * POINT  # size of letters, mm, as the next three
_SMALL = 9 * POINT
_FOOT = 7 * POINT
_ASIDE = 8 * POINT
_HEAD = 13.0  # mm, the height of the head of a page
_FOOT_ROOM = 6.0  # mm, that of its foot
_FOOT_LINE = 2.8  # mm from one line of the foot to the next
_HEAD_SHARE = 0.57  # share of its width that the title of a page may take
_LEAST_TITLE = 12 * POINT  # size of one of several cards at least, mm


class AidStyle(NamedTuple):
    """How aids are printed."""

    paper: Paper
    """Upright."""
    die: float
    """The side of a counter."""
    low_ink: bool = False
    """Whether grounds stay white."""

    @property
    def box(self) -> float:
        """The side of a box in which a counter lies."""
        return self.die + ROOM

    def tint(self, colour: str, share: float = 1.0) -> str:
        """Return a ground: a share, 0 to 1, of a colour on paper; white if ink is to be saved."""
        return WHITE if self.low_ink else mix(PAPER, colour, share)


def _measure_page(style: AidStyle, *, landscape: bool) -> tuple[float, float]:
    """Return the width and height of a page in millimetres."""
    return (style.paper.height, style.paper.width) if landscape else (style.paper.width, style.paper.height)


def content_area(style: AidStyle, *, landscape: bool = False) -> Box:
    """Return the part of a page between its head and its foot."""
    width, height = _measure_page(style, landscape=landscape)
    return Box(MARGIN, MARGIN + _HEAD, width - 2 * MARGIN, height - 2 * MARGIN - _HEAD - _FOOT_ROOM)


def aid_page(
    style: AidStyle,
    title: str,
    game: str,
    shapes: Iterable[Shape],
    *,
    note: str = "",
    aside: str = "",
    accent: str = SOFT_INK,
    landscape: bool = False,
) -> Scene:
    """Return a page with its head and its foot around some shapes.

    title: of the card; game: its title; note, aside: at the foot, left and right; accent: of the line below the head.
    """
    width, height = _measure_page(style, landscape=landscape)
    left, right, base = MARGIN, width - MARGIN, MARGIN + 6.6
    head = fit_line(title, _TITLE, (right - left) * _HEAD_SHARE, least=LEAST, bold=True)
    name = fit_line(game, _SMALL, (right - left) * 0.4, least=LEAST)
    around: list[Shape] = [
        Text(x=left, y=base, text=head.lines[0], size=head.size, bold=True, fill=INK),
        Text(x=right, y=base, text=name.lines[0], size=name.size, anchor="end", fill=SOFT_INK),
        Rectangle(x=left, y=base + 2.4, width=right - left, height=0.9, fill=accent),
    ]
    foot = height - MARGIN - 0.8
    if note:
        first, *others = wrap(note, _FOOT, right - left - text_width(aside, _FOOT) - GAP)
        for above, line in enumerate([" ".join(others), first] if others else [first]):
            room = right - left - (0.0 if above else text_width(aside, _FOOT) + GAP)
            around.append(set_line(left, foot - above * _FOOT_LINE, line, _FOOT, room, fill=SOFT_INK))
    if aside:
        around.append(set_line(right, foot, aside, _FOOT, right - left, fill=SOFT_INK, anchor="end"))
    whole = Rectangle(x=0, y=0, width=width, height=height, fill=WHITE)
    layers = (Layer("paper", (whole,)), Layer("content", tuple(shapes)), Layer("frame", tuple(around)))
    return Scene(width=width, height=height, title=f"{game}: {title}", layers=layers)


def title_of_several(titles: Sequence[str], area: Box) -> str:
    """Return the title of a page with some cards: theirs, where they have room."""
    title = " \u00b7 ".join(titles)
    return title if text_width(title, _LEAST_TITLE, bold=True) <= area.width * _HEAD_SHARE else "Player aids"


def format_rule(rule: str) -> str:
    """Return the number of a rule, or of several between commas, as the rulebook prints it, "" for a rule without one:
    entries of the rule index tell its parts apart behind a slash.
    """
    numbers = (part.strip().partition("/")[0] for part in rule.split(","))
    return ", ".join(dict.fromkeys(number for number in numbers if "0" <= number[:1] <= "9"))


def draw_box(
    area: Box, *, fill: str = WHITE, stroke: str = SOFT_INK, width: float = 0.3, radius: float = 1.0
) -> Rectangle:
    """Return a box with a frame."""
    return Rectangle(
        x=area.left,
        y=area.top,
        width=area.width,
        height=area.height,
        radius=radius,
        fill=fill,
        stroke=stroke,
        stroke_width=width,
    )


def draw_bar(style: AidStyle, area: Box, colour: str, text: str, size: float, aside: str = "") -> Iterator[Shape]:
    """Yield a heading in a colour, or in a frame of that colour if ink is to be saved. aside: small words at its right
    end.
    """
    ground = WHITE if style.low_ink else colour
    ink, base = ink_on(ground), area.top + area.height / 2 + size * 0.35
    frame = inset(area, 0.25, radius=0.8, fill=ground, stroke=colour, stroke_width=0.5)
    yield (
        frame
        if style.low_ink
        else Rectangle(x=area.left, y=area.top, width=area.width, height=area.height, radius=0.8, fill=colour)
    )
    room = area.width - 4
    beside = min(text_width(aside, _ASIDE), room * 0.6) if aside else 0.0
    yield set_line(area.left + 2, base, text, size, room - beside - (GAP if aside else 0.0), bold=True, fill=ink)
    if aside:
        yield set_line(area.right - 2, base, aside, _ASIDE, beside, fill=ink, anchor="end")


def counter_box(x: float, y: float, style: AidStyle) -> Rectangle:
    """Return the box in which a counter lies."""
    return Rectangle(
        x=x, y=y, width=style.box, height=style.box, radius=0.8, fill=WHITE, stroke=GRID, stroke_width=0.25
    )


def thin_line(x0: float, y0: float, x1: float, y1: float, *, stroke: str = GRID, width: float = 0.25) -> Polyline:
    """Return a thin line."""
    return Polyline(points=((x0, y0), (x1, y1)), stroke=stroke, width=width, butt=True)
