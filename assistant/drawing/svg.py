"""Scenes as SVG: well formed, deterministic and self-contained, without scripts, fonts or links.

Letters are outlines, and bitmaps are embedded. The text of the document is written directly, which is several times
faster than a tree of elements.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, count
from math import isfinite

import msgspec

from ..util.memory import all_kept
from ..util.patterns import late_pattern
from ..util.texts import DIRECTIONS
from ..util.typesetting import set_in_type
from .lettering import kern_text, outline
from .scene import (
    ANCHORS,
    SLANT_FACTOR,
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
    strokes,
)

NAMESPACE = "http://www.w3.org/2000/svg"
_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"
"""The namespace for names of layers, which drawing programs list."""
_ZEROS = late_pattern(r"\.00(?=[, ]|$)|(?<=\.[0-9])0(?=[, ]|$)|-(?=0\.00(?:[, ]|$))")
"""Superfluous zeros of a fraction, and the sign of a zero."""
_UNPRINTABLE = late_pattern(f"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff{DIRECTIONS}]")
"""Characters that are not written: control characters, lone surrogates, and marks of writing direction."""
_ROUND_STROKES = ' stroke-linecap="round" stroke-linejoin="round"'


@all_kept()
def to_svg(scene: Scene, scale: float = 1.0) -> str:
    """Return the scene as an SVG document, sized in mm, with lengths rounded to 0.01.

    `scale`: the factor for its size.

    Raises ValueError if a length is not finite.
    """
    width, height = svg_length(scene.width), svg_length(scene.height)
    scaled_width, scaled_height = svg_length(scene.width * scale), svg_length(scene.height * scale)
    size = f'width="{scaled_width}mm" height="{scaled_height}mm" viewBox="0 0 {width} {height}" role="img"'
    lines = [
        f'<svg xmlns="{NAMESPACE}" xmlns:inkscape="{_INKSCAPE}" {size}>',
        f"  <title>{_escape_words(scene.title)}</title>",
    ]
    if scene.description:
        lines.append(f"  <desc>{_escape_words(scene.description)}</desc>")
    writer = _SvgWriter()
    boxes = list(dict.fromkeys(layer.clip for layer in scene.layers if layer.clip))
    for number, box in enumerate(boxes, 1):
        x, y, across, down = map(svg_length, box)
        rectangle = f'<rect x="{x}" y="{y}" width="{across}" height="{down}"/>'
        lines.append(f'  <clipPath id="clip-{number}">{rectangle}</clipPath>')
    for layer in scene.layers:
        name = _escape_attribute(layer.name)
        clip = f' clip-path="url(#clip-{boxes.index(layer.clip) + 1})"' if layer.clip else ""
        lines.append(f'  <g class="{name}" inkscape:groupmode="layer" inkscape:label="{name}"{clip}>')
        lines += writer.elements(layer.shapes)
        lines.append("  </g>")
    return "\n".join([*lines, "</svg>", ""])


def elements_of(shapes: Sequence[Shape], marks: int = 1) -> list[str]:
    """Return the elements of shapes as text, for use in an SVG document.

    `marks`: the number in the id of the first symbol that is defined once and used repeatedly.

    Raises ValueError if a length is not finite.
    """
    return [*_SvgWriter(marks).elements(shapes)]


class _SvgWriter:
    """A writer of the shapes of one document."""

    def __init__(self, marks: int = 1) -> None:
        self._marks = count(marks)
        self._data: dict[tuple[int, bool], tuple[object, str]] = {}

    def elements(self, shapes: Sequence[Shape]) -> Iterator[str]:
        for shape in shapes:
            match shape:
                case Polygon():
                    paint = _write_paint(shape.fill, shape.stroke, shape.width, shape.opacity)
                    yield f'<polygon points="{_format_points(shape.points)}"{paint}/>'
                case Polyline():
                    yield from _write_polyline(shape)
                case Path():
                    yield self._write_path(shape)
                case Rectangle():
                    radius = f' rx="{svg_length(shape.radius)}"' if shape.radius else ""
                    paint = _write_paint(shape.fill, shape.stroke, shape.stroke_width, shape.opacity)
                    yield f"<rect{_write_box(shape)}{radius}{paint}/>"
                case Circle():
                    at = f'cx="{svg_length(shape.x)}" cy="{svg_length(shape.y)}" r="{svg_length(shape.radius)}"'
                    yield f"<circle {at}{_write_paint(shape.fill, shape.stroke, shape.width)}/>"
                case Text():
                    yield from _write_text(shape)
                case Symbol():
                    yield _write_symbol(shape)
                case Marks():
                    yield from self._write_marks(shape)
                case Bitmap():
                    yield _write_bitmap(shape)
                case Group():
                    yield f"<g><title>{_escape_words(shape.title)}</title>"
                    yield from self.elements(shape.shapes)
                    yield "</g>"

    def _write_path(self, path: Path) -> str:
        more = ' fill-rule="evenodd"' if path.fill and path.holes else ""
        if path.stroke:
            more += f' stroke-linejoin="round" stroke-linecap="{"butt" if path.butt else "round"}"'
            if path.dash:
                more += f' stroke-dasharray="{" ".join(map(svg_length, path.dash))}"'
        data = self._write_lines(path.lines, closed=path.closed)
        return f'<path d="{data}"{_write_paint(path.fill, path.stroke, path.width, path.opacity)}{more}/>'

    def _write_lines(self, lines: tuple[tuple[Point, ...], ...], *, closed: bool) -> str:
        """Return the data of lines, prepared once if several paths have the same lines, such as the rims of an area."""
        key = id(lines), closed
        if key not in self._data:
            end = "Z" if closed else ""
            data = "".join([f"M{_pattern_of_points(len(line))}{end}" for line in lines])
            data %= tuple(chain.from_iterable(chain.from_iterable(lines)))
            if "n" in data:  # as in nan and inf
                raise ValueError(f"{data} is not a length")
            # much faster than substituting `_ZEROS`
            data = data.replace("-0.00", "0.00").replace(".00,", ",").replace(".00 ", " ")
            self._data[key] = lines, data  # keeps the lines alive, so that their id stays unique
        return self._data[key][1]

    def _write_marks(self, marks: Marks) -> Iterator[str]:
        if not marks.points:
            return
        name = f"mark-{next(self._marks)}"
        yield f'<defs><g id="{name}">{_write_symbol(msgspec.structs.replace(marks.symbol, x=0.0, y=0.0))}</g></defs>'
        uses = "\n".join([f'<use href="#{name}" x="%.2f" y="%.2f"/>'] * len(marks.points))
        uses %= tuple(chain.from_iterable(marks.points))
        if '"n' in uses or '"i' in uses or '"-i' in uses:  # nan, inf or -inf
            raise ValueError("a mark stands at a length that is not finite")
        yield uses


def _write_polyline(line: Polyline) -> Iterator[str]:
    for stroke in strokes(line):
        more = ' stroke-linejoin="round"' if not stroke.is_head or stroke.width else ""
        if stroke.dash:
            more += f' stroke-dasharray="{" ".join(map(svg_length, stroke.dash))}"'
        if stroke.opacity < 1:
            more += f' opacity="{svg_length(stroke.opacity)}"'
        points = _format_points(stroke.points)
        if stroke.is_head:
            paint = _write_paint(stroke.colour, stroke.colour if stroke.width else "", stroke.width)
            yield f'<polygon points="{points}"{paint}{more}/>'
        else:
            ends = ' stroke-linecap="round"' if stroke.round_ends else ""
            yield f'<polyline points="{points}"{_write_paint("", stroke.colour, stroke.width)}{ends}{more}/>'


def _write_text(text: Text) -> Iterator[str]:
    """Yield a text as outlines, which look the same without the font, with its words as a label."""
    drawn = outline(text.text, bold=text.bold)
    if not drawn:
        return
    before = ANCHORS[text.anchor] * kern_text(text.text, bold=text.bold).width * text.size / 1000
    if text.turn:
        at = (
            f"translate({svg_length(text.x)} {svg_length(text.y)}) rotate({svg_length(text.turn)}) "
            f"translate({svg_length(-before)} 0)"
        )
    else:
        at = f"translate({svg_length(text.x - before)} {svg_length(text.y)})"
    if text.slant:
        at += f" matrix(1 0 {-SLANT_FACTOR} 1 0 0)"
    svg_length(text.size)  # raises ValueError if the size is not finite
    halo = ""
    if text.halo:
        halo = (
            f' stroke="{_escape_attribute(text.halo)}" stroke-width="300" stroke-linejoin="round" paint-order="stroke"'
        )
    if text.weight:
        halo = f' stroke="{_escape_attribute(text.fill)}" stroke-width="{svg_length(text.weight * 1000)}"'
    attributes = f'transform="{at} scale({text.size / 1000:.5g})" d="{drawn}" fill="{_escape_attribute(text.fill)}"'
    yield f'<path {attributes} aria-label="{_escape_attribute(text.text)}"{halo}/>'


def _write_symbol(symbol: Symbol) -> str:
    opacity = f' opacity="{svg_length(symbol.opacity)}"' if symbol.opacity < 1 else ""
    parts = [f'<svg{_write_box(symbol)} viewBox="{" ".join(map(svg_length, symbol.view_box))}"{opacity}>']
    for path in symbol.paths:
        fill, stroke = path.fill or symbol.ink, path.stroke or symbol.ink
        paint = _write_paint(fill if path.filled else "", stroke if path.width else "", path.width)
        more = ' fill-rule="evenodd"' if path.even_odd and path.filled else ""
        parts.append(
            f'<path d="{_escape_attribute(path.data)}"{paint}{more}{_ROUND_STROKES if path.round_ends else ""}/>'
        )
    return "".join([*parts, "</svg>"])


def _write_bitmap(bitmap: Bitmap) -> str:
    from .png import png_of  # imported here because few drawings have a bitmap

    data = b64encode(png_of(bitmap.columns, bitmap.rows, bitmap.pixels)).decode()
    return f'<image{_write_box(bitmap)} preserveAspectRatio="none" href="data:image/png;base64,{data}"/>'


def _write_box(shape: Rectangle | Symbol | Bitmap) -> str:
    at = f' x="{svg_length(shape.x)}" y="{svg_length(shape.y)}"'
    return f'{at} width="{svg_length(shape.width)}" height="{svg_length(shape.height)}"'


def _write_paint(fill: str, stroke: str, width: float, opacity: float = 1) -> str:
    painted = f' fill="{_escape_attribute(fill or "none")}"'
    if stroke:
        painted += f' stroke="{_escape_attribute(stroke)}" stroke-width="{svg_length(width)}"'
    return f'{painted} opacity="{svg_length(opacity)}"' if opacity < 1 else painted


_CONTENT_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
"""The replacements of XML's own characters in the content of elements."""
_ATTRIBUTE_ESCAPES = _CONTENT_ESCAPES | str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})


@lru_cache(4096)
def _escape_attribute(text: str) -> str:
    if text.isalnum():
        return text  # a shortcut for words and hex numbers
    return _UNPRINTABLE.sub("\ufffd", text).translate(_ATTRIBUTE_ESCAPES)


def _escape_words(text: str) -> str:
    """Return a text for screen readers, with minus signs, escaped for the content of an element."""
    return _UNPRINTABLE.sub("\ufffd", set_in_type(text, curly=False)).translate(_CONTENT_ESCAPES)


@lru_cache(16)
def _format_points(points: tuple[Point, ...]) -> str:
    text = _pattern_of_points(len(points)) % tuple(chain.from_iterable(points))
    if "n" in text:  # as in nan and inf
        raise ValueError(f"{text} is not a length")
    return _ZEROS.sub("", text)


@lru_cache(1024)
def _pattern_of_points(number: int) -> str:
    return " ".join(["%.2f,%.2f"] * number)


def svg_length(value: float) -> str:
    """Return a length with at most two decimals, without superfluous zeros and signs."""
    if not isfinite(value):
        raise ValueError(f"{value} is not a length")
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) >= 0.005 else "0"
