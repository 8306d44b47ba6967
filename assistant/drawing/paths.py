"""SVG paths: reading them as moves, lines and curves, shapes as paths, and transforms.

<https://www.w3.org/TR/SVG11/paths.html> is the grammar. A path with a mistake is refused. A browser would draw it up to
the mistake, and a counter would be printed without its last stroke.
"""

from __future__ import annotations

import re
from cmath import phase, rect
from collections.abc import Callable, Iterator, Mapping
from math import ceil, cos, isfinite, nan, pi, radians, sin, sqrt, tan
from typing import NamedTuple

from ..util.errors import InputError
from ..util.patterns import late_pattern
from .scene import Point

MAX_COORDINATE = 1e6
"""The maximum coordinate of a point, in units of the drawing."""


class PathCommand(NamedTuple):
    """A command of a path."""

    kind: str
    """The kind: M for a move, L for a line, C for a cubic curve, Z for a close."""
    points: tuple[Point, ...] = ()


class Transform(NamedTuple):
    """A transform of the point (x, y) to (a x + c y + e, b x + d y + f)."""

    a: float = 1
    b: float = 0
    c: float = 0
    d: float = 1
    e: float = 0
    f: float = 0

    def put(self, point: Point) -> Point:
        x, y = point
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def after(self, inner: Transform) -> Transform:
        return Transform(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            *self.put((inner.e, inner.f)),
        )

    @property
    def stroke_scale(self) -> float:
        return sqrt(abs(self.a * self.d - self.b * self.c))


def _translation(x: float, y: float = 0) -> Transform:
    return Transform(e=x, f=y)


def _scaling(x: float, y: float | None = None) -> Transform:
    return Transform(a=x, d=x if y is None else y)


def _rotation(degrees: float, x: float = 0, y: float = 0) -> Transform:
    """Return a rotation about a point; a quarter turn is exact."""
    across, up = round(cos(radians(degrees)), 15), round(sin(radians(degrees)), 15)
    return _translation(x, y).after(Transform(across, up, -up, across)).after(_translation(-x, -y))


def _matrix(a: float, b: float, c: float, d: float, e: float, f: float) -> Transform:
    return Transform(a, b, c, d, e, f)


def _skew_across(degrees: float) -> Transform:
    return Transform(c=tan(radians(degrees)))


def _skew_down(degrees: float) -> Transform:
    return Transform(b=tan(radians(degrees)))


_TRANSFORMS: Mapping[str, Callable[..., Transform]] = {
    "matrix": _matrix,
    "translate": _translation,
    "scale": _scaling,
    "rotate": _rotation,
    "skewX": _skew_across,
    "skewY": _skew_down,
}
_TRANSFORM = late_pattern(rf"\s*({'|'.join(_TRANSFORMS)})\s*\(([^()]*)\)[\s,]*")


def group_transform(outer: Transform | None, text: str) -> Transform | None:
    """Return the transform of a group within its outer group.

    `text`: the group's own transform in SVG, or "".

    Raises InputError if the text is not a transform.
    """
    if not text:
        return outer
    place, at = outer or Transform(), 0
    while at < len(text):
        match = _TRANSFORM.match(text, at)
        if match is None:
            raise _no_transform(text)
        numbers = [path_number(word, "in a transform") for word in match[2].replace(",", " ").split()]
        try:
            place = place.after(_TRANSFORMS[match[1]](*numbers))
        except TypeError:
            raise _no_transform(text) from None
        at = match.end()
    return place


def _no_transform(text: str) -> InputError:
    return InputError(f"{text[:40]!r} is not a transform", hint="save the drawing again")


def path_number(text: str, what: str) -> float:
    """Return a text as a number.

    `what`: the meaning of the number, for the message.

    Raises InputError if the text is not a finite number.
    """
    value = float(text) if _NUMBERS.fullmatch(text.strip(_SPACES)) else nan
    if not isfinite(value):
        raise InputError(f"{text[:20]!r} is not a number ({what})", hint="write lengths as plain numbers")
    return value


_LETTERS = "MmZzLlHhVvCcSsQqTtAa"
_COMMAND = late_pattern(f"([{_LETTERS}])")
_NUMBER = r"[-+]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?+"
"""A number; its possessive quantifiers keep it from being read as two."""
_SPACES = " \t\r\n\f"
_GAP = rf"[{_SPACES}]*+,?[{_SPACES}]*+"
_ARC = _GAP.join([f"({_NUMBER})"] * 3 + ["([01])"] * 2 + [f"({_NUMBER})"] * 2)
"""An arc; its two flags need no separator after them."""


def _list_pattern(item: str) -> re.Pattern[str]:
    """Return a pattern of items, separated by blanks and at most one comma."""
    return re.compile(rf"[{_SPACES}]*+(?:{item}(?:{_GAP}{item})*+)?+[{_SPACES}]*+")


_NUMBERS = late_pattern(_NUMBER)
_ARCS = late_pattern(_ARC)
_ONLY_NUMBERS = _list_pattern(_NUMBER)
_ONLY_ARCS = _list_pattern(_ARC)
_COUNTS = {"M": 2, "Z": 0, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7}
"""The number of numbers in each step of a command."""


def _read_commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """Yield the commands of a path, each with the numbers of one step.

    Raises ValueError if the path is malformed.
    """
    before, *parts = _COMMAND.split(data)
    if before.strip(_SPACES):
        raise ValueError("it must begin with a move (M)")
    for letter, text in zip(parts[::2], parts[1::2], strict=True):
        values = _read_arcs(text) if letter in "Aa" else _read_numbers(text)
        count = _COUNTS[letter.upper()]
        if bool(values) != bool(count) or (count and len(values) % count):
            raise ValueError(f"{letter} takes {count} numbers, not {len(values)}")
        yield letter, values[:count]
        letter = {"M": "L", "m": "l"}.get(letter, letter)
        for at in range(count, len(values), count or 1):
            yield letter, values[at : at + count]


def _read_numbers(text: str) -> list[float]:
    if rest := _ONLY_NUMBERS.sub("", text, count=1):
        raise ValueError(f"{rest[:20]!r} is neither a command nor a number")
    return list(map(float, _NUMBERS.findall(text)))


def _read_arcs(text: str) -> list[float]:
    if rest := _ONLY_ARCS.sub("", text, count=1):
        raise ValueError(f"{rest[:20]!r} is not an arc: seven numbers, of which the fourth and fifth are 0 or 1")
    return [float(value) for match in _ARCS.finditer(text) for value in match.groups()]


def read_path(data: str) -> list[PathCommand]:
    """Return a path as moves, lines and cubic curves, with absolute coordinates.

    Raises ValueError if it is not a path, and ArithmeticError if an arc cannot be calculated.
    """
    pieces = list[PathCommand]()
    at = start = control = 0j
    drawing, smooth = False, ""
    for letter, values in _read_commands(data):
        kind, origin = letter.upper(), at if letter.islower() else 0j
        if kind == "H":
            kind, values = "L", [values[0], (at - origin).imag]
        elif kind == "V":
            kind, values = "L", [(at - origin).real, values[0]]
        ends = values[5:] if kind == "A" else values
        points = [origin + complex(x, y) for x, y in zip(ends[::2], ends[1::2], strict=True)]
        if not pieces and kind != "M":
            raise ValueError("it must begin with a move (M)")
        if kind not in "MZ" and not drawing:
            pieces.append(PathCommand("M", (_point(start),)))
            drawing = True
        reflected = 2 * at - control if kind in smooth else at
        smooth = ""
        match kind:
            case "M":
                at = start = points[0]
                pieces.append(PathCommand("M", (_point(at),)))
                drawing = True
            case "Z":
                if drawing:
                    pieces.append(PathCommand("Z"))
                at, drawing = start, False
            case "L":
                at = points[0]
                pieces.append(PathCommand("L", (_point(at),)))
            case "C" | "S":
                if kind == "S":
                    points.insert(0, reflected)
                first, control, end = points
                pieces.append(PathCommand("C", (_point(first), _point(control), _point(end))))
                at, smooth = end, "S"
            case "Q" | "T":
                if kind == "T":
                    points.insert(0, reflected)
                control, end = points
                first, second = at + (control - at) * 2 / 3, end + (control - end) * 2 / 3
                pieces.append(PathCommand("C", (_point(first), _point(second), _point(end))))
                at, smooth = end, "T"
            case "A":
                pieces += _draw_arc(at, values, points[0])
                at = points[0]
    return pieces


def _point(place: complex) -> Point:
    return place.real, place.imag


def _draw_arc(start: complex, values: list[float], end: complex) -> Iterator[PathCommand]:
    """Yield an arc as curves of at most a quarter turn each, calculated on a circle of radius 1."""
    across, down, turn, large, sweep = abs(values[0]), abs(values[1]), rect(1, radians(values[2])), values[3], values[4]
    if start == end:
        return
    if not across or not down:
        yield PathCommand("L", (_point(end),))
        return

    def on_circle(place: complex) -> complex:
        turned = place * turn.conjugate()
        return complex(turned.real / across, turned.imag / down)

    def on_ellipse(place: complex) -> Point:
        return _point(complex(place.real * across, place.imag * down) * turn)

    first, last = on_circle(start), on_circle(end)
    if (half := abs(last - first) / 2) > 1:  # the radius is too small to reach the end, so it grows
        across, down, first, last = across * half, down * half, first / half, last / half
    chord = last - first
    aside = sqrt(max(1 / abs(chord) ** 2 - 0.25, 0)) * (-1 if large == sweep else 1)
    centre = (first + last) / 2 + chord * 1j * aside
    begin = phase(first - centre)
    whole = phase(last - centre) - begin
    if sweep and whole < 0:
        whole += 2 * pi
    elif not sweep and whole > 0:
        whole -= 2 * pi
    count = ceil(abs(whole) / (pi / 2 + 0.001))
    for part in range(count):
        near, far = rect(1, begin + whole * part / count), rect(1, begin + whole * (part + 1) / count)
        pull = 1j * tan(whole / count / 4) * 4 / 3
        curve = (near + near * pull, far - far * pull, far)
        yield PathCommand("C", tuple(on_ellipse(centre + place) for place in curve))


def check_path(data: str, place: Transform | None) -> str:
    """Return the data of a path after checking and transforming it.

    `place`: the transform of its group, or None.

    Raises InputError if the data are not a path.
    """
    try:
        pieces = read_path(data)
    except (ValueError, ArithmeticError) as error:
        raise InputError(f"{data[:60]!r} is not a path: {error}", hint="save the drawing again") from None
    if place is not None:
        pieces = [PathCommand(kind, tuple(map(place.put, points))) for kind, points in pieces]
    for _, points in pieces:
        for point in points:
            if not all(abs(value) <= MAX_COORDINATE for value in point):  # also refuses nan
                raise InputError("a point lies too far out", hint="draw within the viewBox")
    if place is None:
        return data if pieces else ""
    return "".join(
        kind + " ".join(_format_length(value) for point in points for value in point) for kind, points in pieces
    )


def _format_length(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


_PLACES = ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy")
_SIZES = ("r", "rx", "ry", "width", "height")


def shape_path(tag: str, attributes: Mapping[str, str]) -> str:
    """Return the path data of a shape, or "" if the shape has no size.

    Raises InputError if a number is invalid, or a length missing or below 0.
    """
    if tag == "path":
        return attributes.get("d", "")
    if tag in ("polyline", "polygon"):
        points = attributes.get("points", "").strip(_SPACES)
        if not _ONLY_NUMBERS.fullmatch(points):
            raise InputError(f"{points[:40]!r} is not a list of points", hint="save the drawing again")
        return f"M{points}{'Z' if tag == 'polygon' else ''}" if points else ""
    size = {
        name: path_number(text.removesuffix("px"), f"{name} of <{tag}>")
        for name in (*_PLACES, *_SIZES)
        if (text := attributes.get(name))
    }
    if below := [name for name in _SIZES if size.get(name, 0) < 0]:
        raise InputError(f"{below[0]} of <{tag}> is below 0", hint="state its size")
    try:
        return _LENGTH_SHAPES[tag](size)
    except KeyError:
        raise InputError(f"a <{tag}> lacks a dimension", hint="state its size") from None


def _line_data(size: Mapping[str, float]) -> str:
    start = _format_point(size.get("x1", 0), size.get("y1", 0))
    end = _format_point(size.get("x2", 0), size.get("y2", 0))
    return f"M{start}L{end}"


def _rectangle_data(size: Mapping[str, float]) -> str:
    left, top, width, height = size.get("x", 0), size.get("y", 0), size["width"], size["height"]
    if not width or not height:
        return ""
    right, bottom = left + width, top + height
    across = min(size.get("rx", size.get("ry", 0)), width / 2)
    down = min(size.get("ry", size.get("rx", 0)), height / 2)
    if not across or not down:
        return f"M{_format_point(left, top)}H{_format_length(right)}V{_format_length(bottom)}H{_format_length(left)}Z"
    corner = f"A{_format_point(across, down)} 0 0 1 "
    return (
        f"M{_format_point(left + across, top)}H{_format_length(right - across)}{corner}{_format_point(right, top + down)}"
        f"V{_format_length(bottom - down)}{corner}{_format_point(right - across, bottom)}"
        f"H{_format_length(left + across)}{corner}{_format_point(left, bottom - down)}"
        f"V{_format_length(top + down)}{corner}{_format_point(left + across, top)}Z"
    )


def _circle_data(size: Mapping[str, float]) -> str:
    return _ellipse_data({**size, "rx": size["r"], "ry": size["r"]})


def _ellipse_data(size: Mapping[str, float]) -> str:
    """Return an ellipse as two halves, because an arc cannot end at its start."""
    x, y, across, down = size.get("cx", 0), size.get("cy", 0), size["rx"], size["ry"]
    if not across or not down:
        return ""
    half = f"A{_format_point(across, down)} 0 1 1 "
    return f"M{_format_point(x - across, y)}{half}{_format_point(x + across, y)}{half}{_format_point(x - across, y)}"


def _format_point(x: float, y: float) -> str:
    return f"{_format_length(x)} {_format_length(y)}"


_LENGTH_SHAPES = {"line": _line_data, "rect": _rectangle_data, "circle": _circle_data, "ellipse": _ellipse_data}
