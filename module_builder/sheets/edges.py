"""What a face shows at its edges, so that counters that look alike there can share a cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from assistant.drawing.scene import Circle, Group, Point, Polygon, Polyline, Rectangle, Scene, Shape, Symbol, Text

from .sizes import SAFE

_DEPTHS = (0.1, 0.75, 1.4)
"""How deep inside the edge it is looked at, in millimetres, within what a misplaced cut may show."""
_PLACES = tuple(step / 24 + 1 / 48 for step in range(24))
"""Where along the edge, as fractions of the counter's side."""

Side = tuple[str, ...]
"""Colours along one edge."""


class Edges(NamedTuple):
    """What a face shows just inside each edge of its trim, and in the bleed beyond; from left to right, from top to bottom."""

    left: tuple[Side, Side]
    top: tuple[Side, Side]
    right: tuple[Side, Side]
    bottom: tuple[Side, Side]


class _Part(NamedTuple):
    """A shape near an edge as what covers a point of it: its box, and its outline where that is not the box."""

    left: float
    top: float
    right: float
    bottom: float
    paint: str
    outline: tuple[Point, ...] = ()
    hollow: float = 0.0

    def covers(self, x: float, y: float) -> bool:
        """Whether it covers a point."""
        if not (self.left <= x <= self.right and self.top <= y <= self.bottom):
            return False
        if self.hollow:
            within = self.left + self.hollow < x < self.right - self.hollow
            return not (within and self.top + self.hollow < y < self.bottom - self.hollow)
        return not self.outline or _inside(self.outline, x, y)


def edges_of(scene: Scene, bleed: float) -> Edges:
    """What a face shows at its edges. bleed: the width of its border beyond the trim, in millimetres."""
    zone = bleed + SAFE
    right, bottom = scene.width - zone, scene.height - zone
    near = tuple(
        part
        for layer in scene.layers
        for part in _parts(layer.shapes)
        if part.left < zone or part.top < zone or part.right > right or part.bottom > bottom
    )
    return _looked_at(near, scene.width, scene.height, bleed)


def may_share(first: Edges, second: Edges, *, below: bool) -> bool:
    """Whether two faces side by side (or the second below the first) may share a cut.

    They may if each shows beyond the cut what the other shows in its own bleed, so that no cut shows a strip of another colour.
    """
    one, other = (first.bottom, second.top) if below else (first.right, second.left)
    return one[0] == other[1] and one[1] == other[0]


@cache
def _looked_at(parts: tuple[_Part, ...], width: float, height: float, bleed: float) -> Edges:
    if parts and all(_fills(part, width, height) for part in parts):
        alone = ((parts[-1].paint,), (parts[-1].paint,))
        return Edges(alone, alone, alone, alone)

    def colours(points: Iterable[Point]) -> Side:
        seen = tuple([_colour(parts, x, y) for x, y in points])
        return seen[:1] if len(set(seen)) == 1 else seen

    side_x, side_y = width - 2 * bleed, height - 2 * bleed
    downs = [bleed + place * side_y for place in _PLACES]
    acrosses = [bleed + place * side_x for place in _PLACES]

    def pair(edge: float, inwards: int, along: Sequence[float], upright: bool) -> tuple[Side, Side]:
        inner = [edge + inwards * depth for depth in _DEPTHS]
        outer = [edge - inwards * min(depth, bleed * 0.95) for depth in _DEPTHS]
        found = []
        for lines in (inner, outer):
            points = [(line, at) if upright else (at, line) for line in lines for at in along]
            found.append(colours(points))
        return found[0], found[1]

    return Edges(
        pair(bleed, 1, downs, True),
        pair(bleed, 1, acrosses, False),
        pair(width - bleed, -1, downs, True),
        pair(height - bleed, -1, acrosses, False),
    )


def _fills(part: _Part, width: float, height: float) -> bool:
    """Whether it is a rectangle over the whole face."""
    whole = part.left <= 0 and part.top <= 0 and part.right >= width and part.bottom >= height
    return whole and not part.outline and not part.hollow


def _colour(parts: Sequence[_Part], x: float, y: float) -> str:
    for part in reversed(parts):
        if part.covers(x, y):
            return part.paint
    return ""


def _parts(shapes: Sequence[Shape]) -> Iterator[_Part]:
    for shape in shapes:
        match shape:
            case Rectangle():
                x, y, right, bottom = shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
                paint = shape.fill if shape.opacity >= 1 else f"{shape.fill}*{shape.opacity}"
                if shape.fill:
                    yield _Part(x, y, right, bottom, paint)
                if shape.stroke:
                    half = shape.stroke_width / 2
                    yield _Part(x - half, y - half, right + half, bottom + half, shape.stroke, (), 2 * half)
            case Polygon():
                paint = (shape.fill or shape.stroke) + ("" if shape.opacity >= 1 else f"*{shape.opacity}")
                yield _box(shape.points, paint, 0, shape.points if shape.fill else ())
            case Polyline():
                yield _box(shape.points, shape.stroke or shape.casing, max(shape.width, shape.casing_width) / 2)
            case Circle():
                yield _box([(shape.x, shape.y)], shape.fill or shape.stroke, shape.radius + shape.width / 2)
            case Text():
                from assistant.drawing.lettering import text_width

                wide = text_width(shape.text, shape.size, bold=shape.bold)
                x = shape.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor] * wide
                yield _Part(x, shape.y - shape.size * 0.75, x + wide, shape.y + shape.size * 0.2, shape.fill)
            case Symbol():
                yield _Part(shape.x, shape.y, shape.x + shape.width, shape.y + shape.height, shape.ink)
            case Group():
                yield from _parts(shape.shapes)


def _box(points: Sequence[Point], paint: str, by: float, outline: tuple[Point, ...] = ()) -> _Part:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return _Part(min(xs) - by, min(ys) - by, max(xs) + by, max(ys) + by, paint, outline)


def _inside(outline: tuple[Point, ...], x: float, y: float) -> bool:
    """Whether a point is inside a polygon."""
    found = False
    x0, y0 = outline[-1]
    for x1, y1 in outline:
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            found = not found
        x0, y0 = x1, y1
    return found
