"""A page of player aids: paper, head, foot, bars and boxes. Lengths and sizes of letters are in millimetres."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from assistant.drawing.colours import INK, WHITE, ink_on, mix
from assistant.drawing.lettering import POINT_MM, fit_line, text_width, wrap
from assistant.drawing.scene import Layer, Polyline, Rectangle, Scene, Shape, Text, inset
from assistant.drawing.style import GRID, PAPER, SOFT_INK

from ..sheets.sizes import PAPER_MARGIN_MM, Box, Paper
from .flow import GAP_MM, set_line

LETTER_SIZES_MM = tuple(points * POINT_MM for points in (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0))
"""The sizes of letters, in the order in which they are tried."""
MIN_SIZE_MM = 7 * POINT_MM
"""The smallest size of letters that can be read at arm's length."""
HEADING_SIZE_MM = 12 * POINT_MM
"""The size of headings in bars."""
_BOX_CLEARANCE_MM = 1.0
"""The difference between the sides of a box and of the counter in it."""
EASY_SIZE_MM = 8.5 * POINT_MM
"""The smallest size that is easy to read: smaller letters are used only if nothing else fits."""
_TITLE_SIZE_MM = 17 * POINT_MM
_MIN_SHARED_TITLE_SIZE_MM = 12 * POINT_MM
"""The minimum size of letters at which the title of a page lists the titles of several cards."""
_GAME_NAME_SIZE_MM = 9 * POINT_MM
_FOOT_SIZE_MM = 7 * POINT_MM
_ASIDE_SIZE_MM = 8 * POINT_MM
_HEAD_HEIGHT_MM = 13.0
_FOOT_HEIGHT_MM = 6.0
_FOOT_LINE_PITCH_MM = 2.8
_MAX_TITLE_WIDTH_SHARE = 0.57


class AidStyle(NamedTuple):
    """The paper, size of counters and use of ink of printed aids."""

    paper: Paper
    """The paper, upright."""
    die: float
    """The length of a counter's side, in mm."""
    low_ink: bool = False
    """Whether backgrounds stay white to save ink."""

    @property
    def box(self) -> float:
        """The length of the sides of a box for a counter, in mm."""
        return self.die + _BOX_CLEARANCE_MM

    def tint(self, colour: str, share: float = 1.0) -> str:
        """Return a background: paper mixed with a share of a colour, 0 to 1, or white with little ink."""
        return WHITE if self.low_ink else mix(PAPER, colour, share)


def _measure_page(style: AidStyle, *, landscape: bool) -> tuple[float, float]:
    return (style.paper.height, style.paper.width) if landscape else (style.paper.width, style.paper.height)


def content_area(style: AidStyle, *, landscape: bool = False) -> Box:
    """Return the part of a page between its head and its foot."""
    width, height = _measure_page(style, landscape=landscape)
    return Box(
        PAPER_MARGIN_MM,
        PAPER_MARGIN_MM + _HEAD_HEIGHT_MM,
        width - 2 * PAPER_MARGIN_MM,
        height - 2 * PAPER_MARGIN_MM - _HEAD_HEIGHT_MM - _FOOT_HEIGHT_MM,
    )


def aid_page(
    style: AidStyle,
    title: str,
    game: str,
    shapes: Iterable[Shape],
    *,
    note: str = "",
    foot_text: str = "",
    accent: str = SOFT_INK,
    landscape: bool = False,
) -> Scene:
    """Return a page with a head and a foot around `shapes`.

    `title`: the title of the card.
    `game`: the title of the game.
    `note`: the text at the left of the foot.
    `foot_text`: the text at the right of the foot.
    `accent`: the colour of the line below the head.
    """
    width, height = _measure_page(style, landscape=landscape)
    left, right, base = PAPER_MARGIN_MM, width - PAPER_MARGIN_MM, PAPER_MARGIN_MM + 6.6
    head = fit_line(title, _TITLE_SIZE_MM, (right - left) * _MAX_TITLE_WIDTH_SHARE, min_size=MIN_SIZE_MM, bold=True)
    name = fit_line(game, _GAME_NAME_SIZE_MM, (right - left) * 0.4, min_size=MIN_SIZE_MM)
    frame: list[Shape] = [
        Text(x=left, y=base, text=head.lines[0], size=head.size, bold=True, fill=INK),
        Text(x=right, y=base, text=name.lines[0], size=name.size, anchor="end", fill=SOFT_INK),
        Rectangle(x=left, y=base + 2.4, width=right - left, height=0.9, fill=accent),
    ]
    foot_base = height - PAPER_MARGIN_MM - 0.8
    if note:
        # At most two lines, numbered from the bottom: the lower one shares its line with the aside.
        aside_width = text_width(foot_text, _FOOT_SIZE_MM) + GAP_MM
        first, *others = wrap(note, _FOOT_SIZE_MM, right - left - text_width(foot_text, _FOOT_SIZE_MM) - GAP_MM)
        for number, line in enumerate([" ".join(others), first] if others else [first]):
            room = right - left - (0.0 if number else aside_width)
            base = foot_base - number * _FOOT_LINE_PITCH_MM
            frame.append(set_line(left, base, line, _FOOT_SIZE_MM, room, fill=SOFT_INK))
    if foot_text:
        frame.append(set_line(right, foot_base, foot_text, _FOOT_SIZE_MM, right - left, fill=SOFT_INK, anchor="end"))
    ground = Rectangle(x=0, y=0, width=width, height=height, fill=WHITE)
    layers = (Layer("paper", (ground,)), Layer("content", tuple(shapes)), Layer("frame", tuple(frame)))
    return Scene(width=width, height=height, title=f"{game}: {title}", layers=layers)


def title_of_several(titles: Sequence[str], area: Box) -> str:
    """Return the titles of the cards on a page in one line, or "Player aids" if they do not fit."""
    title = " \u00b7 ".join(titles)
    return (
        title
        if text_width(title, _MIN_SHARED_TITLE_SIZE_MM, bold=True) <= area.width * _MAX_TITLE_WIDTH_SHARE
        else "Player aids"
    )


def format_rule(rule: str) -> str:
    """Return the numbers of rules as the rulebook prints them: `8.2, 8.3` for `8.2/b, 8.2/c, 8.3, Opt`.

    The part after a slash is only used by the rule index.
    """
    numbers = (part.strip().partition("/")[0] for part in rule.split(","))
    return ", ".join(dict.fromkeys(number for number in numbers if "0" <= number[:1] <= "9"))


def draw_box(
    area: Box, *, fill: str = WHITE, stroke: str = SOFT_INK, width: float = 0.3, radius: float = 1.0
) -> Rectangle:
    """Return a box with a frame, `width` being the width of its line."""
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


def draw_bar(style: AidStyle, area: Box, colour: str, text: str, size: float, end_text: str = "") -> Iterator[Shape]:
    """Yield a heading on a coloured bar, or in a frame of that colour to save ink.

    `end_text`: small text at the right end.
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
    max_aside_width = max(room * 0.6, room - text_width(text, size, bold=True) - GAP_MM)
    aside_width = min(text_width(end_text, _ASIDE_SIZE_MM), max_aside_width) if end_text else 0.0
    yield set_line(
        area.left + 2, base, text, size, room - aside_width - (GAP_MM if end_text else 0.0), bold=True, fill=ink
    )
    if end_text:
        yield set_line(area.right - 2, base, end_text, _ASIDE_SIZE_MM, aside_width, fill=ink, anchor="end")


def counter_box(x: float, y: float, style: AidStyle) -> Rectangle:
    """Return the box in which a counter lies."""
    return Rectangle(
        x=x, y=y, width=style.box, height=style.box, radius=0.8, fill=WHITE, stroke=GRID, stroke_width=0.25
    )


def thin_line(x0: float, y0: float, x1: float, y1: float, *, stroke: str = GRID, width: float = 0.25) -> Polyline:
    """Return a line from `x0`, `y0` to `x1`, `y1`."""
    return Polyline(points=((x0, y0), (x1, y1)), stroke=stroke, width=width, butt=True)
