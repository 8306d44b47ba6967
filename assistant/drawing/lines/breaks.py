"""What breaks a line, with its sign and its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ...asking.line_sketch import (
    Break,
    LineSketch,
)
from ..colours import INK, WHITE
from ..geometry import PageBox, box_around, middle_of, point_between
from ..layout import Layout
from ..lettering import base_line, text_width, wrap
from ..placement import Inscription, Placement
from ..scene import Group, Layer, Point, Shape, inset, text_lines
from ..style import SOFT_INK
from .signs import break_shapes, limit_shapes

_SIGN = 2.6  # mm, the radius of the sign of a break
_LABEL = 2.9  # size of the letters beside it, mm


def break_points(
    layout: Layout, shown: LineSketch, boxes: Mapping[str, PageBox], scale: float
) -> Iterator[tuple[Break, Point]]:
    """Yield the breaks in hexes that are drawn, each with where its sign stands: on its hexside, or to the left of the
    counters of its hex. boxes: of counters.
    """
    for gap in shown.breaks:
        ends = gap.where.split("|")
        if not all(map(layout.draws, ends)):
            continue
        x, y = layout.centre(ends[0])
        if len(ends) == 2:
            x, y = point_between((x, y), layout.centre(ends[1]), 0.5)
        elif gap.where in boxes:
            x = boxes[gap.where].left - _SIGN * scale * 1.3 - 0.3
        yield gap, (x, y)


def _choose_words(shown: LineSketch, gap: Break) -> str:
    """Return what is written beside the sign of a break: where a way that fails ends that too."""
    return next((way.text for way in shown.failing if way.ends == gap.where), gap.why)


def break_marks(
    points: Sequence[tuple[Break, Point]], shown: LineSketch, scale: float, large: float
) -> Iterator[tuple[str, Inscription[Any]]]:
    """Yield the words of breaks beside their signs. points: where these stand; large: by how much letters are enlarged."""
    for number, (gap, point) in enumerate(points):
        yield (
            "",
            Inscription(
                f"break {number}",
                partial(_place_beside_sign, _choose_words(shown, gap), point, SIGN * scale, large),
                plate=True,
            ),
        )


def _place_beside_sign(text: str, point: Point, sign: float, large: float) -> Iterator[Placement[Sequence[str]]]:
    """Yield where the words of a break may stand: below or above its sign, at its right or left, on one line or two."""
    x, y = point
    for number, lines in enumerate(_split_words(text, large)):
        width, height = max(_plate_width(line, large) for line in lines), _plate_height(lines, large)
        down, over = sign + 0.5 + height / 2, sign + 0.5 + width / 2
        places = [(0.0, down), (0.0, -down), (over, 0.0), (-over, 0.0)]
        for distance in (0.0, 3.0, 6.0, 9.0):
            places += [(share * width, up * (down + distance)) for up in (1, -1) for share in (0.0, 0.3, -0.3)]
            places += [(across * (over + distance), up * 4.0) for up in (0, 1, -1, 2, -2) for across in (1, -1)]
        for nth, (dx, dy) in enumerate(places):
            yield Placement(number * 2.0 + nth, box_around(x + dx, y + dy, width + 0.6, height + 0.6), lines)


def _split_words(text: str, large: float) -> Iterator[Sequence[str]]:
    """Yield words on one line, and on two."""
    yield (text,)
    lines = wrap(text, _LABEL * large, text_width(text, _LABEL * large) * 0.62)
    if len(lines) == 2:
        yield lines


def break_layer(
    points: Sequence[tuple[Break, Point]],
    layout: Layout,
    shown: LineSketch,
    placed: Mapping[str, Placement[Any]],
    *,
    scale: float,
    large: float = 1.0,
) -> Layer:
    """Return the sign of each break, and its words where they are placed. points: where the signs stand; large: by how
    much letters are enlarged.
    """
    course, shapes = shown.course, list[Shape]()
    for number, (gap, (x, y)) in enumerate(points):
        around = course.get(gap.where)
        if not gap.limit:
            parts = break_shapes(x, y, _SIGN * scale)
        elif around and all(map(layout.draws, around)):
            (before_x, before_y), (after_x, after_y) = map(layout.centre, around)
            parts = limit_shapes(x, y, _SIGN * scale, (after_x - before_x, after_y - before_y))
        else:
            parts = limit_shapes(x, y, _SIGN * scale)
        if place := placed.get(f"break {number}"):
            parts += _draw_plate(place.drawn, middle_of(place.box.corners), large)
        whom = f", for {', '.join(gap.units)}" if gap.units else ""
        shapes.append(Group(f"{gap.where}: {gap.why}{whom}", tuple(parts)))
    return Layer("breaks", tuple(shapes))


def format_origins(shown: LineSketch) -> dict[str, str]:
    """Return what stands in the hexes of sources: their mode."""
    words: dict[str, list[str]] = {}
    for origin in shown.origins:
        if origin.mode:
            words.setdefault(origin.place, []).append(origin.mode)
    return {place: "; ".join(dict.fromkeys(modes)) for place, modes in words.items()}


def _plate_width(text: str, large: float) -> float:
    return text_width(text, _LABEL * large) + 1.6


def _plate_height(lines: Sequence[str], large: float) -> float:
    return _LABEL * large * 1.08 * len(lines) + 0.9 * large


def _draw_plate(lines: Sequence[str], middle: Point, large: float) -> list[Shape]:
    (x, y), size = middle, _LABEL * large
    width, height = max(_plate_width(line, large) for line in lines), _plate_height(lines, large)
    plate = inset(
        (x - width / 2, y - height / 2, width, height), 0.0, radius=1.0, fill=WHITE, stroke=SOFT_INK, stroke_width=0.2
    )
    base = base_line(y, size, len(lines), 1.08)
    return [plate, *text_lines(lines, base, size, 1.08, x=x, anchor="middle", fill=INK)]


SIGN = _SIGN * 1.3
"""How far the sign of a break reaches from its middle, in millimetres."""
