"""What a face shows at its edges, so that counters that look alike there can share a cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple
from zlib import crc32

from assistant.drawing.lettering import ink_rise, text_width
from assistant.drawing.scene import (
    ANCHORS,
    Bitmap,
    Circle,
    Group,
    Marks,
    Path,
    Point,
    Polygon,
    Polyline,
    Rectangle,
    Scene,
    Shape,
    Symbol,
    Text,
    encloses,
)

from .sizes import OFF

_DEPTHS = (0.1, 0.5, 0.95)
"""How deep inside the edge it is looked at, in millimetres, within what a misplaced cut may show."""
_PLACES = tuple(step / 16 + 1 / 32 for step in range(16))
"""Where along the edge, as fractions of the counter's side."""

Side = tuple[str, ...]
"""Colours along one edge."""


class Edges(NamedTuple):
    """What a face shows just inside each edge of its trim, and in the bleed beyond; from left to right, from top to
    bottom.
    """

    left: tuple[Side, Side]
    top: tuple[Side, Side]
    right: tuple[Side, Side]
    bottom: tuple[Side, Side]


class _EdgeShape(NamedTuple):
    """A shape near an edge as what covers a point of it: its box, and its outline where that is not the box."""

    left: float
    top: float
    right: float
    bottom: float
    paint: str
    outline: tuple[Point, ...] = ()
    hollow: float = 0.0

    def covers(self, x: float, y: float) -> bool:
        """Return whether it covers a point."""
        if not (self.left <= x <= self.right and self.top <= y <= self.bottom):
            return False
        if self.hollow:
            within = self.left + self.hollow < x < self.right - self.hollow
            return not (within and self.top + self.hollow < y < self.bottom - self.hollow)
        return not self.outline or encloses(self.outline, (x, y))


def edges_of(scene: Scene, bleed: float) -> Edges:
    """Return what a face shows at its edges. bleed: the width of its border beyond the trim, in millimetres."""
    zone = bleed + OFF
    inner = (zone, zone, scene.width - zone, scene.height - zone)
    near = tuple(part for layer in scene.layers for part in _list_parts(layer.shapes, inner))
    return _find_edges(near, scene.width, scene.height, bleed)


def ground_of(scene: Scene) -> str:
    """Return the colour that covers the whole of a face below everything else, "" if none does."""
    ground = ""
    if not scene.layers:
        return ground
    for shape in scene.layers[0].shapes:
        if not isinstance(shape, Rectangle) or shape.x > 0 or shape.y > 0 or shape.radius or shape.opacity < 1:
            break
        if shape.x + shape.width < scene.width or shape.y + shape.height < scene.height:
            break
        ground = shape.fill or ground
    return ground


def may_share(first: Edges, second: Edges, *, below: bool) -> bool:
    """Return whether two faces side by side (or the second below the first) may share a cut.

    They may if each shows beyond the cut what the other shows in its own bleed, so that no cut shows a strip of another
    colour.
    """
    one, other = (first.bottom, second.top) if below else (first.right, second.left)
    return one[0] == other[1] and one[1] == other[0]


@cache
def _find_edges(parts: tuple[_EdgeShape, ...], width: float, height: float, bleed: float) -> Edges:
    """Return what parts show just inside and outside each edge."""
    if parts and all(_is_whole(part, width, height) for part in parts):
        alone = ((parts[-1].paint,), (parts[-1].paint,))
        return Edges(alone, alone, alone, alone)

    side_x, side_y = width - 2 * bleed, height - 2 * bleed
    downs = [bleed + place * side_y for place in _PLACES]
    acrosses = [bleed + place * side_x for place in _PLACES]

    def pair(edge: float, inwards: int, along: Sequence[float], *, upright: bool) -> tuple[Side, Side]:
        inner = [edge + inwards * depth for depth in _DEPTHS]
        outer = [edge - inwards * min(depth, bleed * 0.95) for depth in _DEPTHS]
        return _colours_beside(parts, inner, along, upright=upright), _colours_beside(
            parts, outer, along, upright=upright
        )

    return Edges(
        pair(bleed, 1, downs, upright=True),
        pair(bleed, 1, acrosses, upright=False),
        pair(width - bleed, -1, downs, upright=True),
        pair(height - bleed, -1, acrosses, upright=False),
    )


def _is_whole(part: _EdgeShape, width: float, height: float) -> bool:
    """Return whether it is a rectangle over the whole face."""
    whole = part.left <= 0 and part.top <= 0 and part.right >= width and part.bottom >= height
    return whole and not part.outline and not part.hollow


def _colours_beside(
    parts: Sequence[_EdgeShape], lines: Sequence[float], along: Sequence[float], *, upright: bool
) -> Side:
    """Return the colours on lines beside an edge; a single one if all are alike."""
    seen = tuple([colour for line in lines for colour in _colours_along(parts, line, along, upright=upright)])
    return seen[:1] if len(set(seen)) == 1 else seen


def _colours_along(parts: Sequence[_EdgeShape], line: float, along: Sequence[float], *, upright: bool) -> Iterator[str]:
    """Yield the colours at places along one line."""
    crossing: list[_EdgeShape] = []
    for part in reversed(parts):
        sides, ends = (part.left, part.right), (part.top, part.bottom)
        across, lengthwise = (sides, ends) if upright else (ends, sides)
        if across[0] <= line <= across[1] and lengthwise[0] <= along[-1] and lengthwise[1] >= along[0]:
            crossing.append(part)
            if lengthwise[0] <= along[0] and lengthwise[1] >= along[-1] and not part.outline and not part.hollow:
                break  # nothing below it is seen
    for at in along:
        x, y = (line, at) if upright else (at, line)
        yield next((part.paint for part in crossing if part.covers(x, y)), "")


_Inner = tuple[float, float, float, float]
"""The left, top, right and lower edge of what no misplaced cut shows."""


def _list_parts(shapes: Sequence[Shape], inner: _Inner) -> Iterator[_EdgeShape]:
    """Yield the shapes that reach beyond the inner part of a face."""
    left, top, right, bottom = inner
    for shape in shapes:
        if isinstance(shape, Group):
            yield from _list_parts(shape.shapes, inner)
            continue
        x0, y0, x1, y1 = _find_box(shape)
        if x0 >= left and y0 >= top and x1 <= right and y1 <= bottom:
            continue
        match shape:
            case Rectangle():
                if shape.fill:
                    right_edge, lower_edge = shape.x + shape.width, shape.y + shape.height
                    paint = _format_paint(shape.fill, shape.opacity)
                    yield _EdgeShape(shape.x, shape.y, right_edge, lower_edge, paint)
                if shape.stroke:
                    yield _EdgeShape(x0, y0, x1, y1, _format_paint(shape.stroke, shape.opacity), (), shape.stroke_width)
            case Polygon():
                paint = _format_paint(shape.fill or shape.stroke, shape.opacity)
                yield _EdgeShape(x0, y0, x1, y1, paint, shape.points if shape.fill else ())
            case Polyline():
                yield _EdgeShape(x0, y0, x1, y1, shape.stroke or shape.casing)
            case Path():
                yield _EdgeShape(x0, y0, x1, y1, _format_paint(shape.fill or shape.stroke, shape.opacity))
            case Marks():
                yield _EdgeShape(x0, y0, x1, y1, shape.symbol.ink)
            case Circle():
                yield _EdgeShape(x0, y0, x1, y1, shape.fill or shape.stroke)
            case Text():
                yield _EdgeShape(x0, y0, x1, y1, shape.fill)
            case Symbol():
                yield _EdgeShape(x0, y0, x1, y1, shape.ink)
            case Bitmap():
                yield _EdgeShape(x0, y0, x1, y1, f"picture {crc32(shape.pixels)}")


def _format_paint(colour: str, opacity: float) -> str:
    return colour if opacity >= 1 else f"{colour}*{opacity}"


def _find_box(shape: Shape) -> tuple[float, float, float, float]:
    """Return the left, top, right and lower edge of a shape, its stroke included."""
    match shape:
        case Rectangle():
            half = shape.stroke_width / 2 if shape.stroke else 0.0
            x, y = shape.x - half, shape.y - half
            return x, y, x + shape.width + 2 * half, y + shape.height + 2 * half
        case Text():
            width = text_width(shape.text, shape.size, bold=shape.bold)
            x = shape.x - ANCHORS[shape.anchor] * width
            ink = ink_rise(shape.text, bold=shape.bold)
            return x, shape.y + shape.size * ink.top, x + width, shape.y + shape.size * ink.bottom
        case Symbol() | Bitmap():
            return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
        case Circle():
            reach = shape.radius + (shape.width / 2 if shape.stroke else 0.0)
            return shape.x - reach, shape.y - reach, shape.x + reach, shape.y + reach
        case Polygon() | Polyline():
            xs, ys = zip(*shape.points, strict=True)
            width = shape.width if isinstance(shape, Polygon) else max(shape.width, shape.casing_width)
            by = width / 2 if shape.stroke or isinstance(shape, Polyline) else 0.0
            return min(xs) - by, min(ys) - by, max(xs) + by, max(ys) + by
        case Path():
            xs, ys = zip(*[point for line in shape.lines for point in line], strict=True)
            by = shape.width / 2 if shape.stroke else 0.0
            return min(xs) - by, min(ys) - by, max(xs) + by, max(ys) + by
        case Marks():
            xs, ys = zip(*shape.points, strict=True)
            return min(xs), min(ys), max(xs) + shape.symbol.width, max(ys) + shape.symbol.height
        case Group():
            boxes = [_find_box(part) for part in shape.shapes]
            edges = list(zip(*boxes, strict=True))
            return min(edges[0]), min(edges[1]), max(edges[2]), max(edges[3])
