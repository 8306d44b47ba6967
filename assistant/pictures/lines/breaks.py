"""What breaks lines, and where they begin: signs in hexes and on hexsides, rings round the hexes of sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...drawing.lettering import base_line, text_width
from ...drawing.scene import Group, Layer, Path, Point, Rectangle, Shape, Text
from ..colours import INK, WHITE
from ..counters import Box
from ..layout import Layout, hexagon, point_between
from ..style import HEX, RADIUS, SOFT_INK
from .shown import Break, Origin, Shown
from .statuses import break_shapes
from .strands import colour_of

_SIGN, _LABEL = 2.6, 2.5
"""The radius of the sign of a break, and the size of the letters beside it, in millimetres."""


def ring_layer(layout: Layout, origins: Sequence[Origin], sides: Sequence[str], scale: float) -> Layer:
    """A ring round the hex of each source, a double one for a source in its far-reaching mode; a sign for a railway."""
    shapes: list[Shape] = []
    drawn: dict[tuple[str, str, bool], Origin] = {}  # of several in a hex one in its far-reaching mode
    for one in sorted(origins, key=lambda origin: not origin.extended):
        if layout.draws(one.place):
            drawn.setdefault((one.place, one.side, one.ways), one)
    for (place, side, ways), one in drawn.items():
        colour, centre = colour_of(sides, side), layout.centre(place)
        parts = (
            ways_shapes(centre, colour, 1.0 if scale < 1.2 else 1.5)
            if ways
            else ring_shapes(centre, colour, flat=layout.flat, scale=scale, extended=one.extended)
        )
        shapes.append(Group(_told(one), tuple(parts)))
    return Layer("sources", tuple(shapes))


def ring_shapes(
    centre: Point, colour: str, *, flat: bool, scale: float, extended: bool, radius: float = RADIUS
) -> list[Shape]:
    """The ring of a source round a hex."""
    shapes: list[Shape] = []
    wide = radius * 0.052 * scale
    for share in (0.93, 0.80) if extended else (0.93,):
        line = hexagon(centre, radius * share, flat=flat)
        shapes.append(Path(lines=(line,), closed=True, stroke=WHITE, width=wide * 1.7, opacity=0.8))
        shapes.append(Path(lines=(line,), closed=True, stroke=colour, width=wide))
    return shapes


def ways_shapes(centre: Point, colour: str, scale: float) -> list[Shape]:
    """The sign of ways as a source, such as a railway: a square with two rails and their sleepers."""
    (x, y), half = centre, 2.2 * scale
    shapes: list[Shape] = [
        Rectangle(x=x - half, y=y - half, width=2 * half, height=2 * half, radius=half * 0.3, fill=WHITE, stroke=colour, stroke_width=half * 0.3)
    ]  # fmt: skip
    rails = tuple(((x - half * 0.7, y + dy * half), (x + half * 0.7, y + dy * half)) for dy in (-0.28, 0.28))
    sleepers = tuple(((x + dx * half, y - half * 0.55), (x + dx * half, y + half * 0.55)) for dx in (-0.4, 0.0, 0.4))
    return [*shapes, Path(lines=rails + sleepers, stroke=INK, width=half * 0.16)]


def break_layer(
    layout: Layout, breaks: Sequence[Break], boxes: Mapping[str, Box], *, worded: bool, scale: float
) -> Layer:
    """The sign of each break: on its hexside, or above the counters of its hex. worded: whether it says why."""
    shapes: list[Shape] = []
    for gap in breaks:
        ends = gap.where.split("|")
        if not all(map(layout.draws, ends)):
            continue
        x, y = layout.centre(ends[0])
        if len(ends) == 2:
            x, y = point_between((x, y), layout.centre(ends[1]), 0.5)
        elif gap.where in boxes:
            y = max(boxes[gap.where].top - _SIGN * 0.3, y - HEX / 2 + _SIGN * 1.4)
            x = boxes[gap.where].left
        parts = break_shapes(x, y, _SIGN * scale)
        if worded:
            parts += _plate(gap.why, x + _SIGN * 1.5, y)
        of = f", for {', '.join(gap.units)}" if gap.units else ""
        shapes.append(Group(f"{gap.where}: {gap.why}{of}", tuple(parts)))
    return Layer("breaks", tuple(shapes))


def origin_words(shown: Shown) -> dict[str, str]:
    """What stands in the hexes of sources: their mode."""
    words: dict[str, list[str]] = {}
    for origin in shown.origins:
        if origin.mode:
            words.setdefault(origin.place, []).append(origin.mode)
    return {place: "; ".join(dict.fromkeys(modes)) for place, modes in words.items()}


def _plate(text: str, left: float, y: float) -> list[Shape]:
    wide = text_width(text, _LABEL) + 1.6
    plate = Rectangle(
        x=left, y=y - 1.7, width=wide, height=3.4, radius=1.0, fill=WHITE, stroke=SOFT_INK, stroke_width=0.2
    )
    return [plate, Text(x=left + 0.8, y=base_line(y, _LABEL), text=text, size=_LABEL, fill=INK)]


def _told(one: Origin) -> str:
    return f"{one.place}: {one.name}" + (f", {one.mode}" if one.mode else "")
