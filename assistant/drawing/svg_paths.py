"""Paths of an untrusted SVG drawing: shapes as paths, checked, and moved to where their groups stand."""

from __future__ import annotations

import re
from math import isfinite, nan, radians, tan
from typing import TYPE_CHECKING, Any

from lxml import etree

from ..util.errors import InputError

if TYPE_CHECKING:
    from fontTools.misc.transform import Transform

FARTHEST = 1e6
"""How far from the origin a point may be, in units of the drawing."""


def path_data(element: etree._Element) -> str:
    """The shape as the data of a path. Raises InputError for lengths that are not numbers."""
    tag = etree.QName(element).localname
    if tag == "path":
        return element.get("d", "")
    from fontTools.svgLib.path.shapes import PathBuilder

    plain = etree.Element(tag)
    lengths = ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height")
    for name in lengths:
        if value := element.get(name):
            plain.set(name, str(number(value.removesuffix("px"), f"{name} of <{tag}>")))
    if points := element.get("points"):
        plain.set("points", points)
    builder = PathBuilder()
    try:
        builder.add_path_from_element(plain)
    except TypeError:
        raise InputError(f"a <{tag}> lacks a length", hint="give it its size") from None
    return str(builder.paths[0]) if builder.paths else ""


def checked(data: str, place: Transform | None) -> str:
    """The data of a path, checked, and moved to where its group stands. Raises InputError if it is not a path."""
    from fontTools.pens.recordingPen import RecordingPen
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.svgLib.path.parser import parse_path

    recorded = RecordingPen()
    try:
        parse_path(data, recorded if place is None else TransformPen(recorded, place))
        for _, points in recorded.value:
            for point in points:
                if not all(abs(value) <= FARTHEST for value in point):  # nan is not
                    raise InputError("a point lies too far away", hint="draw within the viewBox")
    except (ValueError, LookupError, ArithmeticError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{data[:60]!r} is not a path: {error}", hint="save the drawing again") from None
    if place is None:
        return data
    pen = SVGPathPen(None, ntos=lambda value: f"{value:.4f}".rstrip("0").rstrip("."))
    recorded.replay(pen)
    return str(pen.getCommands())


_TRANSFORM = re.compile(r"\s*(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)[\s,]*")


def placed(outer: Transform | None, text: str) -> Transform | None:
    """Where a group stands, within the one that holds it. Raises InputError for what is not a transform."""
    if not text:
        return outer
    from fontTools.misc.transform import Identity, Transform

    placed, at = outer or Identity, 0
    while at < len(text):
        found = _TRANSFORM.match(text, at)
        if found is None:
            raise InputError(f"{text[:40]!r} is not a transform", hint="save the drawing again")
        at = found.end()
        numbers = [number(text, "a transform") for text in found[2].replace(",", " ").split()]
        kinds: dict[str, Any] = {
            "matrix": lambda a, b, c, d, e, f: Transform(a, b, c, d, e, f),
            "translate": lambda x, y=0.0: Identity.translate(x, y),
            "scale": lambda x, y=None: Identity.scale(x, x if y is None else y),
            "rotate": lambda turn, x=0.0, y=0.0: Identity.translate(x, y).rotate(radians(turn)).translate(-x, -y),
            "skewX": lambda turn: Transform(1, 0, tan(radians(turn)), 1, 0, 0),
            "skewY": lambda turn: Transform(1, tan(radians(turn)), 0, 1, 0, 0),
        }
        try:
            placed = placed.transform(kinds[found[1]](*numbers))
        except TypeError:
            raise InputError(f"{text[:40]!r} is not a transform", hint="save the drawing again") from None
    return placed


def number(text: str, of: str) -> float:
    """The number that a text stands for. of: what it is, for the message. Raises InputError if it is none, or not finite."""
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise InputError(f"{text[:20]!r} is not a number ({of})", hint="write lengths as plain numbers")
    return number
