"""A picture as a display list: shapes in named layers, drawn in order. Writers turn it into SVG and other formats.

All lengths are in millimetres, x to the right and y down from the upper left corner. Colours are written #rrggbb; ""
means that nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from typing import Annotated, Literal, NamedTuple

import msgspec

from ..util.notes import note
from ..util.typesetting import set_in_type

Point = tuple[float, float]
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""The position of a text's anchor, as a share of the text's width from its left end."""
SLANT_FACTOR = 0.22
"""The horizontal lean of slanted letters; 1 is their height."""


class Polygon(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """A closed shape through `points`."""

    points: tuple[Point, ...]
    fill: str = ""
    stroke: str = ""
    width: float = 0.3
    """The width of the outline."""
    opacity: float = 1.0
    """The opacity of the whole shape, 0 to 1."""


class Polyline(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """An open line through at least two points, in the units of its scene."""

    points: tuple[Point, ...]
    stroke: Annotated[str, note('colour of the line, or "" if only the casing is drawn')]
    width: float = 0.3
    dash: Annotated[tuple[float, ...], note("alternating lengths of strokes and gaps, () for a solid line")] = ()
    head: Annotated[float, note("length of the arrow head at its last point, 0 for none")] = 0.0
    casing: Annotated[str, note("colour of a wider line below it")] = ""
    casing_width: float = 0.0
    casing_opacity: Annotated[float, note("0 to 1")] = 1.0
    butt: Annotated[bool, note("whether its ends are square instead of rounded")] = False


class Path(msgspec.Struct, frozen=True, kw_only=True):
    """Many lines or areas in one style, which are drawn far faster together."""

    lines: tuple[tuple[Point, ...], ...]
    """The points of each line or area."""
    closed: bool = False
    """Whether the lines are closed to areas."""
    holes: bool = True
    """Whether an area within another area is a hole, or else filled too."""
    fill: str = ""
    stroke: str = ""
    width: float = 0.3
    dash: tuple[float, ...] = ()
    """The pattern of dashes, as for `Polyline`."""
    butt: bool = False
    """Whether the ends are cut square, as for `Polyline`."""
    opacity: float = 1.0
    """The opacity of the whole path, 0 to 1."""


class Rectangle(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """A rectangle from its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    radius: float = 0.0
    """The radius of the rounded corners."""
    fill: str = ""
    stroke: str = ""
    stroke_width: float = 0.3
    opacity: float = 1.0


class Circle(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """A circle around (x, y)."""

    x: float
    y: float
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 0.3
    """The width of the outline."""


Anchor = Literal["start", "middle", "end"]
"""The part of a text at its point."""


class Text(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """One line of text, whose point (x, y) is on the base line, at the start, middle or end of the text.

    The text is set in type when the object is made, unless `typed`.
    """

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor = "start"
    bold: bool = False
    fill: str = "#000000"
    halo: Annotated[str, note("colour of a rim that keeps it legible over lines; a text with a `weight` has none")] = ""
    turn: Annotated[float, note("degrees by which it is turned round its point, clockwise")] = 0.0
    slant: Annotated[bool, note("whether its letters lean, as names of waters do")] = False
    weight: Annotated[float, note("additional width of its strokes, as a share of the size")] = 0.0
    typed: Annotated[bool, note("whether it keeps the hyphens and quotes of a keyboard")] = False

    def __post_init__(self) -> None:
        if not self.typed and (text := set_in_type(self.text)) != self.text:
            msgspec.structs.force_setattr(self, "text", text)


class SymbolPath(msgspec.Struct, frozen=True):
    """A path of a symbol, in the units of the symbol's view box."""

    data: str
    """The path data, as in SVG."""
    filled: bool
    width: float
    """The width of the stroke, or 0 for no stroke."""
    round_ends: bool = False
    fill: str = ""
    """The colour of the filled area, or "" for the ink of the symbol."""
    stroke: str = ""
    """The colour of the stroke, or "" for the ink of the symbol."""
    even_odd: bool = False
    """Whether a part inside another part is a hole, even if both run in the same direction."""


class Symbol(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """Paths scaled from their view box (x, y, width, height) into a box, in one ink, and clipped to it."""

    x: float
    y: float
    width: float
    height: float
    view_box: tuple[float, float, float, float]
    paths: tuple[SymbolPath, ...]
    ink: str = "#000000"
    opacity: float = 1.0


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """One symbol at many points, as for the texture of a ground."""

    symbol: Symbol
    points: tuple[Point, ...]
    """The places of the symbol's upper left corner."""


class Bitmap(msgspec.Struct, frozen=True, kw_only=True):
    """A picture of pixels, stretched over a box."""

    x: float
    y: float
    width: float
    height: float
    columns: int
    rows: int
    pixels: bytes
    """Red, green and blue, row by row from the top."""


class Group(msgspec.Struct, frozen=True, cache_hash=True):
    """Shapes that form one object."""

    title: str
    """The description of the object, for screen readers and as a tooltip."""
    shapes: tuple[Shape, ...]


Shape = Polygon | Polyline | Path | Rectangle | Circle | Text | Symbol | Marks | Bitmap | Group


class Layer(msgspec.Struct, frozen=True):
    """Shapes drawn together."""

    name: str
    """The name of the layer, one word."""
    shapes: tuple[Shape, ...]
    clip: tuple[float, float, float, float] | None = None
    """The box that cuts the shapes off, as left, top, width and height, or None for no box."""


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A picture: its size, its title, a description in words, and its layers, the lowest first."""

    width: float
    height: float
    title: str
    description: str = ""
    layers: tuple[Layer, ...] = ()
    centres: tuple[tuple[str, Point], ...] = ()
    """The drawn hexes, each with its centre in mm, or none if no map is drawn."""


def inset(
    box: tuple[float, float, float, float],
    by: float,
    *,
    radius: float = 0.0,
    fill: str = "",
    stroke: str = "",
    stroke_width: float = 0.3,
    opacity: float = 1.0,
) -> Rectangle:
    """Return a rectangle inside a box.

    `by`: the distance from the edges of the box.
    """
    left, top, width, height = box
    return Rectangle(
        x=left + by,
        y=top + by,
        width=width - 2 * by,
        height=height - 2 * by,
        radius=radius,
        fill=fill,
        stroke=stroke,
        stroke_width=stroke_width,
        opacity=opacity,
    )


def text_lines(
    lines: Sequence[str],
    y: float,
    size: float,
    pitch: float = 1.0,
    *,
    x: float,
    fill: str,
    anchor: Anchor = "start",
    bold: bool = False,
    halo: str = "",
) -> list[Text]:
    """Return lines of text below one another."""
    return [
        Text(x=x, y=y + number * size * pitch, text=line, size=size, anchor=anchor, bold=bold, fill=fill, halo=halo)
        for number, line in enumerate(lines)
    ]


def enlarge(layer: Layer, factor: float) -> Layer:
    """Return the layer with every length multiplied by a factor."""
    if factor == 1.0:
        return layer
    enlarged_lines: dict[int, tuple[tuple[Point, ...], ...]] = {}
    left, top, width, height = layer.clip or (0.0, 0.0, 0.0, 0.0)
    clip = (left * factor, top * factor, width * factor, height * factor) if layer.clip else None
    return Layer(layer.name, tuple(_enlarge(shape, factor, enlarged_lines) for shape in layer.shapes), clip)


_LENGTHS = {
    Polygon: ("width",),
    Polyline: ("width", "head", "casing_width"),
    Path: ("width",),
    Rectangle: ("x", "y", "width", "height", "radius", "stroke_width"),
    Circle: ("x", "y", "radius", "width"),
    Text: ("x", "y", "size"),
    Symbol: ("x", "y", "width", "height"),
    Bitmap: ("x", "y", "width", "height"),
}
"""The fields of each shape that are lengths."""


def _enlarge(shape: Shape, factor: float, enlarged_lines: dict[int, tuple[tuple[Point, ...], ...]]) -> Shape:
    """Return the shape with every length multiplied by a factor.

    `enlarged_lines`: the lines of paths enlarged so far, by the id of the original lines, as several paths may share
    them.
    """
    if isinstance(shape, Group):
        return Group(shape.title, tuple(_enlarge(part, factor, enlarged_lines) for part in shape.shapes))
    if isinstance(shape, Marks):
        symbol = _enlarge(shape.symbol, factor, enlarged_lines)
        assert isinstance(symbol, Symbol)
        return Marks(symbol=symbol, points=_scale_points(shape.points, factor))
    shape = msgspec.structs.replace(shape, **{name: getattr(shape, name) * factor for name in _LENGTHS[type(shape)]})
    if isinstance(shape, Polygon | Polyline):
        shape = msgspec.structs.replace(shape, points=_scale_points(shape.points, factor))
    if isinstance(shape, Path):
        if id(shape.lines) not in enlarged_lines:
            enlarged_lines[id(shape.lines)] = tuple([_scale_points(line, factor) for line in shape.lines])
        shape = msgspec.structs.replace(shape, lines=enlarged_lines[id(shape.lines)])
    if isinstance(shape, Polyline | Path):
        shape = msgspec.structs.replace(shape, dash=tuple(length * factor for length in shape.dash))
    return shape


def _scale_points(points: Sequence[Point], factor: float) -> tuple[Point, ...]:
    return tuple([(x * factor, y * factor) for x, y in points])


def thin_out(layer: Layer, min_gap: float) -> Layer:
    """Return the layer with fewer points on its lines, as in `thin_line`. Arrows, texts and symbols stay the same."""
    return Layer(layer.name, tuple(_thin_out(shape, min_gap) for shape in layer.shapes), layer.clip)


def _thin_out(shape: Shape, min_gap: float) -> Shape:
    match shape:
        case Group():
            return Group(shape.title, tuple(_thin_out(part, min_gap) for part in shape.shapes))
        case Path():
            return msgspec.structs.replace(shape, lines=tuple(thin_line(line, min_gap) for line in shape.lines))
        case Polyline() if not shape.head:
            return msgspec.structs.replace(shape, points=thin_line(shape.points, min_gap))
        case Polygon():
            return msgspec.structs.replace(shape, points=thin_line(shape.points, min_gap))
    return shape


def thin_line(line: tuple[Point, ...], min_gap: float) -> tuple[Point, ...]:
    """Return the line without points nearer than `min_gap` to the last kept point. It keeps its ends."""
    if len(line) < 4:
        return line
    points = [line[0]]
    for x, y in line[1:-1]:
        if hypot(x - points[-1][0], y - points[-1][1]) >= min_gap:
            points.append((x, y))
    return (*points, line[-1])


def shift(layer: Layer, across: float, down: float) -> Layer:
    """Return the layer moved to the right and down, in mm."""
    clip = (layer.clip[0] + across, layer.clip[1] + down, *layer.clip[2:]) if layer.clip else None
    return Layer(layer.name, tuple(_shift(shape, across, down) for shape in layer.shapes), clip)


def _shift(shape: Shape, across: float, down: float) -> Shape:
    def move(points: Sequence[Point]) -> tuple[Point, ...]:
        return tuple([(x + across, y + down) for x, y in points])

    match shape:
        case Group():
            return Group(shape.title, tuple(_shift(part, across, down) for part in shape.shapes))
        case Marks() | Polygon() | Polyline():
            return msgspec.structs.replace(shape, points=move(shape.points))
        case Path():
            return msgspec.structs.replace(shape, lines=tuple(map(move, shape.lines)))
    return msgspec.structs.replace(shape, x=shape.x + across, y=shape.y + down)


class Stroke(msgspec.Struct, frozen=True):
    """One part of a line: an open stroke through `points`, or a filled head."""

    points: tuple[Point, ...]
    colour: str
    width: float
    """The width of the stroke, or of the rim around the head, or 0 for none."""
    is_head: bool = False
    round_ends: bool = True
    """Whether the ends and corners are rounded."""
    dash: tuple[float, ...] = ()
    opacity: float = 1.0


def strokes(line: Polyline) -> Iterator[Stroke]:
    """Yield the casing, then the line, shortened if it has an arrow head, then the head."""
    points, head = _shaft(line)
    if line.casing:
        rim = line.casing_width - line.width
        yield Stroke(points, line.casing, line.casing_width, opacity=line.casing_opacity)
        if head:
            yield Stroke(head, line.casing, rim, is_head=True, opacity=line.casing_opacity)
    if not line.stroke:
        return
    yield Stroke(points, line.stroke, line.width, round_ends=not line.butt, dash=line.dash)
    if head:
        yield Stroke(head, line.stroke, 0.0, is_head=True)


def _shaft(line: Polyline) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """Return the points of the line without its arrow head, and the points of the head."""
    if not line.head:
        return line.points, ()
    (x0, y0), (x1, y1) = line.points[-2:]
    length = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    back, half = line.head, line.head * 0.55
    foot = (x1 - dx * back, y1 - dy * back)
    head = ((x1, y1), (foot[0] - dy * half, foot[1] + dx * half), (foot[0] + dy * half, foot[1] - dx * half))
    end = (x1 - dx * back * 0.9, y1 - dy * back * 0.9)
    return (*line.points[:-1], end), head


Tone = Literal["full", "low", "none", "cut-off", "unknown", "break", "faint", ""]
"""The meaning of a run of text: a status from best to worst, a break, something minor, or "" for nothing special."""


class TextRun(NamedTuple):
    """A piece of a row in one tone."""

    text: str
    tone: Tone = ""


Rows = tuple[tuple[TextRun, ...], ...]
"""Rows of text from the top."""


def encloses(line: Sequence[Point], point: Point) -> bool:
    """Return whether a point lies within a closed line."""
    x, y = point
    inside = False
    x0, y0 = line[-1]
    for x1, y1 in line:
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            inside = not inside
        x0, y0 = x1, y1
    return inside
