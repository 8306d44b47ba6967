"""Scenes as SVG: well formed, the same text for the same scene, and self-contained (no scripts, fonts or links; letters
are outlines, and pictures of pixels stand in it)."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import lru_cache
from math import isfinite

import msgspec
from lxml import etree

from .lettering import outline, text_width
from .scene import (
    ANCHORS,
    SLANT,
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
"""In which layers are named, so that a drawing program lists them."""
_SVG = f"{{{NAMESPACE}}}"
#: The noughts at the end of a fraction, and the sign of nothing.
_NOUGHTS = re.compile(r"\.00(?=[, ]|$)|(?<=\.[0-9])0(?=[, ]|$)|-(?=0\.00(?:[, ]|$))")
#: What XML does not allow: control characters and lone surrogates.
_UNPRINTABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_svg(scene: Scene, scale: float = 1.0) -> str:
    """The scene as an SVG document, sized in millimetres, lengths rounded to 0.01. scale: of the whole.

    Raises ValueError for a length that is not finite.
    """
    root = etree.Element(_SVG + "svg", nsmap={None: NAMESPACE, "inkscape": _INKSCAPE})
    width, height = number(scene.width), number(scene.height)
    wide, high = number(scene.width * scale), number(scene.height * scale)
    _set_attributes(root, width=f"{wide}mm", height=f"{high}mm", viewBox=f"0 0 {width} {height}", role="img")
    _text_in(root, "title", scene.title)
    if scene.description:
        _text_in(root, "desc", scene.description)
    for layer in scene.layers:
        about = {"class": layer.name, f"{{{_INKSCAPE}}}groupmode": "layer", f"{{{_INKSCAPE}}}label": layer.name}
        shapes_into(etree.SubElement(root, _SVG + "g", about), layer.shapes)
    etree.indent(root, "  ")
    return etree.tostring(root, encoding="unicode") + "\n"


def shapes_into(parent: etree._Element, shapes: Sequence[Shape]) -> None:
    """Add shapes to an element of an SVG document, which has the namespace `NAMESPACE`."""
    for shape in shapes:
        _shape(parent, shape)


def _shape(parent: etree._Element, shape: Shape) -> None:
    """Add the element of a shape."""
    match shape:
        case Polygon():
            element = _child(parent, "polygon", points=_points(shape.points))
            _paint(element, shape.fill, shape.stroke, shape.width, shape.opacity)
        case Polyline():
            _polyline(parent, shape)
        case Path():
            _path(parent, shape)
        case Rectangle():
            element = _child(parent, "rect", **_box(shape))
            if shape.radius:
                element.set("rx", number(shape.radius))
            _paint(element, shape.fill, shape.stroke, shape.stroke_width, shape.opacity)
        case Circle():
            element = _child(parent, "circle", cx=number(shape.x), cy=number(shape.y), r=number(shape.radius))
            _paint(element, shape.fill, shape.stroke, shape.width)
        case Text():
            _text(parent, shape)
        case Symbol():
            _symbol(parent, shape)
        case Marks():
            _marks(parent, shape)
        case Bitmap():
            _bitmap(parent, shape)
        case Group():
            group = _child(parent, "g")
            _text_in(group, "title", shape.title)
            shapes_into(group, shape.shapes)


def _path(parent: etree._Element, path: Path) -> None:
    end = "Z" if path.closed else ""
    element = _child(parent, "path", d="".join([f"M{_points(line)}{end}" for line in path.lines]))
    _paint(element, path.fill, path.stroke, path.width, path.opacity)
    if path.fill and path.holes:
        element.set("fill-rule", "evenodd")
    if path.stroke:
        _set_attributes(element, stroke_linejoin="round", stroke_linecap="butt" if path.butt else "round")
        if path.dash:
            element.set("stroke-dasharray", " ".join(map(number, path.dash)))


def _marks(parent: etree._Element, marks: Marks) -> None:
    """A symbol that is drawn once and used at each point."""
    if not marks.points:
        return
    name = f"mark-{len(parent.getroottree().findall(f'.//{_SVG}g[@id]')) + 1}"
    drawn = _child(_child(parent, "defs"), "g", id=name)
    _symbol(drawn, msgspec.structs.replace(marks.symbol, x=0.0, y=0.0))
    for x, y in marks.points:
        _child(parent, "use", href=f"#{name}", x=number(x), y=number(y))


def _polyline(parent: etree._Element, line: Polyline) -> None:
    """Add a line in the order of its strokes: the casing, the line, its head."""
    for stroke in strokes(line):
        element = _child(parent, "polygon" if stroke.is_head else "polyline", points=_points(stroke.points))
        if stroke.is_head:
            _paint(element, stroke.colour, stroke.colour if stroke.width else "", stroke.width)
        else:
            _paint(element, "", stroke.colour, stroke.width)
            if stroke.round_ends:
                element.set("stroke-linecap", "round")
        if not stroke.is_head or stroke.width:
            element.set("stroke-linejoin", "round")
        if stroke.dash:
            element.set("stroke-dasharray", " ".join(map(number, stroke.dash)))
        if stroke.opacity < 1:
            element.set("opacity", number(stroke.opacity))


def _text(parent: etree._Element, text: Text) -> None:
    """A text as the outlines of its letters, so that it looks the same without the face; its words stand beside
    them.
    """
    drawn = outline(text.text, bold=text.bold)
    if not drawn:
        return
    before = ANCHORS[text.anchor] * text_width(text.text, text.size, bold=text.bold)
    if text.turn:
        at = f"translate({number(text.x)} {number(text.y)}) rotate({number(text.turn)}) translate({number(-before)} 0)"
    else:
        at = f"translate({number(text.x - before)} {number(text.y)})"
    if text.slant:
        at += f" matrix(1 0 {-SLANT} 1 0 0)"
    at += f" scale({text.size / 1000:.5g})"
    number(text.size)  # refuses an infinite one
    element = _child(parent, "path", transform=at, d=drawn, fill=text.fill)
    element.set("aria-label", _UNPRINTABLE.sub("\ufffd", text.text))
    if text.halo:
        _set_attributes(element, stroke=text.halo, stroke_width="300", stroke_linejoin="round", paint_order="stroke")


def _symbol(parent: etree._Element, symbol: Symbol) -> None:
    """Add a symbol as a drawing within the drawing, with a view box of its own."""
    element = _child(parent, "svg", **_box(symbol), viewBox=" ".join(map(number, symbol.view_box)))
    if symbol.opacity < 1:
        element.set("opacity", number(symbol.opacity))
    for path in symbol.paths:
        drawn = _child(element, "path", d=path.data)
        fill, stroke = path.fill or symbol.ink, path.stroke or symbol.ink
        _paint(drawn, fill if path.filled else "", stroke if path.width else "", path.width)
        if path.even_odd and path.filled:
            _set_attributes(drawn, fill_rule="evenodd")
        if path.round_ends:
            _set_attributes(drawn, stroke_linecap="round", stroke_linejoin="round")


def _bitmap(parent: etree._Element, bitmap: Bitmap) -> None:
    from .png import png_of  # only here: few drawings have a picture

    data = b64encode(png_of(bitmap.columns, bitmap.rows, bitmap.pixels)).decode()
    _child(parent, "image", **_box(bitmap), preserveAspectRatio="none", href=f"data:image/png;base64,{data}")


def _child(parent: etree._Element, tag: str, **attributes: str) -> etree._Element:
    element = etree.SubElement(parent, _SVG + tag)
    _set_attributes(element, **attributes)
    return element


def _set_attributes(element: etree._Element, **attributes: str) -> None:
    for name, value in attributes.items():
        element.set(name.replace("_", "-"), value)


def _box(shape: Rectangle | Symbol | Bitmap) -> dict[str, str]:
    return {name: number(getattr(shape, name)) for name in ("x", "y", "width", "height")}


def _paint(element: etree._Element, fill: str, stroke: str, width: float, opacity: float = 1) -> None:
    element.set("fill", fill or "none")
    if stroke:
        _set_attributes(element, stroke=stroke, stroke_width=number(width))
    if opacity < 1:
        element.set("opacity", number(opacity))


def _text_in(parent: etree._Element, tag: str, text: str) -> None:
    _child(parent, tag).text = _UNPRINTABLE.sub("\ufffd", text)


def _points(points: tuple[Point, ...]) -> str:
    text = _pattern(len(points)) % tuple([value for point in points for value in point])
    if "n" in text:  # nan, inf
        raise ValueError(f"{text} is not a length")
    return _NOUGHTS.sub("", text)


@lru_cache(1024)
def _pattern(count: int) -> str:
    """The pattern of so many points."""
    return " ".join(["%.2f,%.2f"] * count)


def number(value: float) -> str:
    """A length with at most two decimals, without a needless zero or sign."""
    if not isfinite(value):
        raise ValueError(f"{value} is not a length")
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) >= 0.005 else "0"
