"""A reader of an untrusted SVG drawing, whose shapes become checked paths with transforms applied."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import NamedTuple
from xml.etree.ElementTree import Element

from ..util.errors import InputError
from ..util.patterns import late_pattern
from ..util.xml_reader import read_xml
from .paths import MAX_COORDINATE, Transform, check_path, group_transform, path_number, shape_path
from .scene import Symbol, SymbolPath

_SVG = "http://www.w3.org/2000/svg"
_SHAPES = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"})
_SKIPPED = frozenset({"title", "desc", "metadata"})
_ADVICE = {
    "script": "remove it",
    "image": "trace it, or draw it with shapes",
    "text": "turn it into a path (Inkscape: Path, Object to Path)",
    "use": "unlink the clone (Inkscape: Edit, Clone, Unlink)",
    "foreignObject": "remove it",
    "a": "remove the link",
}
_PROPERTIES = (
    "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "fill-rule", "fill-opacity", "stroke-opacity",
    "visibility", "stroke-dasharray",
)  # fmt: skip
_UNSUPPORTED_PROPERTIES = ("mask", "filter")
_KNOWN_PROPERTIES = frozenset({*_PROPERTIES, *_UNSUPPORTED_PROPERTIES, "clip-path", "opacity", "display", "transform"})
_CLASS = late_pattern(r"\.([A-Za-z_][\w-]*)")
_WHITE = ("white", "#fff", "#ffffff")
_HEX_COLOUR = late_pattern(r"#[0-9a-f]{6}")


class _DrawingStyle(NamedTuple):
    box: tuple[float, float, float, float]
    """The view box of the drawing."""
    classes: Mapping[str, Mapping[str, str]]
    """The properties of each class in the style sheets."""
    clips: Mapping[str, Element]
    """The clipping paths, by id."""
    coloured: bool


class _Context(NamedTuple):
    """The properties and the transform that a shape inherits from its group; the transform is None if there is none."""

    properties: Mapping[str, str]
    place: Transform | None


def _local_name(tag: str) -> str:
    return tag.rpartition("}")[2]


def _is_drawn(tag: str) -> bool:
    """Return whether an element belongs to the drawing, and not to the data of a drawing tool."""
    return tag.startswith(f"{{{_SVG}}}") or not tag.startswith("{")


def read_drawing(data: bytes, name: str, *, coloured: bool) -> Symbol:
    """Return the drawing of an SVG file, in a box without size.

    `name`: the name in messages.
    `coloured`: whether it keeps its colours; if not, it gets the ink of the picture, and only plain white stays white.

    Raises InputError if the file is broken, too large, or cannot be drawn faithfully.
    """
    root = read_xml(data, name)
    if _local_name(root.tag) != "svg":
        raise InputError("this is not an SVG drawing", hint="its root is <svg>")
    try:
        box = [float(word) for word in root.get("viewBox", "").replace(",", " ").split()]
    except ValueError:
        box = []
    if len(box) != 4 or not all(map(isfinite, box)) or not min(box[2:]) > 0 or max(map(abs, box)) > MAX_COORDINATE:
        box = []
    x, y, width, height = box or (0.0, 0.0, 1.0, 1.0)
    clips = {str(clip.get("id")): clip for clip in root.iterfind(".//{*}clipPath")}
    sheet = _DrawingStyle((x, y, width, height), _read_classes(root), clips, coloured)
    paths = tuple(_read_element(root, _Context({}, None), sheet, is_root=True))
    if not box or not paths:
        hint = 'such as viewBox="0 0 60 40"'
        raise InputError("a drawing needs a viewBox of four numbers, and at least one shape", hint=hint)
    return Symbol(x=0, y=0, width=0, height=0, view_box=sheet.box, paths=paths)


def _read_classes(root: Element) -> dict[str, dict[str, str]]:
    """Return the properties of classes in a drawing's style sheets."""
    classes: dict[str, dict[str, str]] = {}
    for element in root.iterfind(".//{*}style"):
        *rules, rest = _strip_comments(element.text or "").split("}")
        for rule in rules:
            selectors, _, properties = rule.partition("{")
            for selector in selectors.split(","):
                if not (match := _CLASS.fullmatch(selector.strip())):
                    raise _error_of_rule(selector)
                classes.setdefault(match[1], {}).update(_read_properties(properties))
        if rest.strip():
            raise _error_of_rule(rest)
    return classes


def _strip_comments(text: str) -> str:
    first, *others = text.split("/*")
    return first + "".join(other.partition("*/")[2] for other in others)


def _error_of_rule(what: str) -> InputError:
    hint = "save it as Plain SVG, with the colours set on the shapes"
    return InputError(f"a style may hold only rules for classes: {what.strip()[:40]!r}", hint=hint)


def _read_properties(rules: str) -> dict[str, str]:
    pairs = (rule.partition(":") for rule in rules.split(";"))
    return {known: value.strip() for name, _, value in pairs if (known := name.strip()) in _KNOWN_PROPERTIES}


def _read_element(
    element: Element, outer: _Context, sheet: _DrawingStyle, *, is_root: bool = False
) -> Iterator[SymbolPath]:
    tag = _local_name(element.tag)
    if not _is_drawn(element.tag) or tag in _SKIPPED:
        return
    _check_plain(element, tag)
    if tag in ("defs", "clipPath", "style"):
        _check_inside(element)
        return
    context = _read_context(element, outer, sheet)
    if context is None:
        return
    if tag == "g" or is_root:
        for child in element:
            yield from _read_element(child, context, sheet)
    elif tag in _SHAPES:
        yield from _read_shape(element, context, coloured=sheet.coloured)
    else:
        raise InputError(f"a drawing cannot use <{tag}>", hint=_ADVICE.get(tag, "use filled or stroked shapes only"))


def _check_plain(element: Element, tag: str) -> None:
    """Raise InputError if an element has a script, or a link out of the drawing."""
    for name, value in element.attrib.items():
        local = _local_name(name)
        if local.lower().startswith("on"):
            raise InputError(f"a drawing cannot use a script ({local})", hint="remove it")
        if local == "href" and tag not in _ADVICE and not value.startswith("#"):
            raise InputError("a drawing cannot use anything outside it", hint="remove the link")


def _check_inside(element: Element) -> None:
    """Raise InputError if definitions contain a script or a picture.

    Other definitions are drawn only if something refers to them.
    """
    for part in element.iter("*"):
        tag = _local_name(part.tag)
        _check_plain(part, tag)
        if tag in ("script", "image", "foreignObject"):
            raise InputError(f"a drawing cannot use <{tag}>", hint=_ADVICE[tag])


def _read_context(element: Element, outer: _Context, sheet: _DrawingStyle) -> _Context | None:
    """Return the context of an element and its children, or None if it is not displayed."""
    stated = {name: value.strip() for name, value in element.attrib.items()}
    for name in stated.get("class", "").split():
        stated |= sheet.classes.get(name, {})
    stated |= _read_properties(stated.get("style", ""))
    if stated.get("display") == "none":
        return None
    for name in _UNSUPPORTED_PROPERTIES:
        if stated.get(name, "none") != "none":
            raise InputError(f"a drawing cannot use {name}", hint="draw it with plain shapes")
    if (clip := stated.get("clip-path", "none")) != "none" and not _is_whole(clip, outer, sheet):
        raise InputError("a drawing cannot use clip-path", hint="cut the shapes themselves")
    if path_number(stated.get("opacity", "1"), "opacity") != 1:
        raise _error_of_opacity()
    properties = dict(outer.properties) | {
        name: stated[name] for name in _PROPERTIES if stated.get(name, "inherit") != "inherit"
    }
    return _Context(properties, group_transform(outer.place, stated.get("transform", "")))


def _is_whole(clip: str, outer: _Context, sheet: _DrawingStyle) -> bool:
    """Return whether a clip is a rectangle over the whole drawing, which some tools add and which has no effect."""
    match = re.fullmatch(r"""url\(["']?#(.+?)["']?\)""", clip)
    clipping = sheet.clips.get(match[1]) if match else None
    if clipping is None or outer.place is not None or set(clipping.attrib) - {"id"} or len(clipping) != 1:
        return False
    (shape,) = clipping
    if _local_name(shape.tag) != "rect" or shape.get("transform"):
        return False
    x, y = path_number(shape.get("x", "0"), "x"), path_number(shape.get("y", "0"), "y")
    width, height = path_number(shape.get("width", "0"), "width"), path_number(shape.get("height", "0"), "height")
    left, top, sheet_width, sheet_height = sheet.box
    return x <= left and y <= top and x + width >= left + sheet_width and y + height >= top + sheet_height


def _read_shape(element: Element, context: _Context, *, coloured: bool) -> Iterator[SymbolPath]:
    properties = context.properties
    if properties.get("visibility", "visible") != "visible":
        return
    fill, stroke = _read_paint("fill", properties, "#000"), _read_paint("stroke", properties, "none")
    width = path_number(properties.get("stroke-width", "1").removesuffix("px"), "stroke-width") if stroke else 0.0
    if not 0 <= width <= MAX_COORDINATE:
        raise InputError(f"a stroke cannot be {width:g} wide", hint="write its width as a number of units")
    if not fill and not width:
        return
    if width and properties.get("stroke-dasharray", "none") not in ("none", "0"):
        raise InputError("a drawing cannot use dashes", hint="turn the stroke into a path")
    if context.place is not None:
        width *= context.place.stroke_scale
    data = check_path(shape_path(_local_name(element.tag), element.attrib), context.place)
    if not data:
        return
    joined = properties.get("stroke-linecap") == "round" or properties.get("stroke-linejoin") == "round"
    yield SymbolPath(
        data=data,
        filled=bool(fill),
        width=width,
        round_ends=joined,
        fill=_own_colour(fill, coloured=coloured),
        stroke=_own_colour(stroke, coloured=coloured) if width else "",
        even_odd=properties.get("fill-rule") == "evenodd",
    )


def _read_paint(name: str, properties: Mapping[str, str], usual: str) -> str:
    colour = properties.get(name, usual).lower()
    opacity = path_number(properties.get(f"{name}-opacity", "1"), f"{name}-opacity")
    if colour in ("none", "transparent") or opacity == 0:
        return ""
    if colour.startswith("url"):
        raise InputError("a drawing cannot use gradients or patterns", hint="give the shape one colour")
    if opacity != 1:
        raise _error_of_opacity()
    return colour


def _own_colour(colour: str, *, coloured: bool) -> str:
    """Return the colour that a path keeps, as #rrggbb, or "" for the ink of the picture."""
    if not colour or colour == "currentcolor":
        return ""
    if not coloured:
        return "#ffffff" if colour in _WHITE else ""
    if _HEX_COLOUR.fullmatch(colour):
        return colour
    from PIL import ImageColor  # imported here because only named colours need it

    try:
        red, green, blue, *opacity = [min(channel, 255) for channel in ImageColor.getrgb(colour)]
    except ValueError:
        raise InputError(f"{colour[:40]!r} is not a colour", hint="write it as #rrggbb") from None
    if opacity not in ([], [255]):
        raise _error_of_opacity()
    return f"#{red:02x}{green:02x}{blue:02x}"


def _error_of_opacity() -> InputError:
    return InputError("a shape is partly transparent", hint="give it an opaque colour")
