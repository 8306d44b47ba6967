"""What a picture shows over the map: lines such as LOCs, arrows, labels in hexes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import hypot

from ..drawing.lettering import base_line, fit, text_width
from ..drawing.scene import Circle, Group, Layer, Point, Polyline, Shape, Text, inset
from .colours import INK, WHITE, mixed
from .counters import Box
from .layout import Layout, leaving, point_between
from .style import ARROW, HEX, LINES, SOFT_INK

_LABEL_SIZE, _LABEL_HEIGHT = 2.6, 3.7
_SHORTEST_ARROW = 4.6


def casing_layer(layout: Layout, lines: Sequence[Sequence[str]]) -> Layer:
    """The translucent casings of lines, below roads and railways."""
    width = 5.0 if len(lines) == 1 else 3.6
    shapes = [
        Polyline(points=points, stroke="", casing=mixed(colour, WHITE, 0.25), casing_width=width, casing_opacity=0.35)
        for points, colour, _ in _ways(layout, lines)
    ]
    return Layer("casings", tuple(shapes))


def line_layer(layout: Layout, lines: Sequence[Sequence[str]]) -> Layer:
    """The lines themselves: through the hex centres, with a dot in each hex."""
    shapes: list[Shape] = []
    for points, colour, dash in _ways(layout, lines):
        shapes.append(Polyline(points=points, stroke=colour, width=1.0, dash=dash))
        shapes += [Circle(x=x, y=y, radius=1.3, fill=WHITE, stroke=colour, width=0.6) for x, y in points]
    return Layer("lines", tuple(shapes))


def _ways(layout: Layout, lines: Sequence[Sequence[str]]) -> Iterator[tuple[tuple[Point, ...], str, tuple[float, ...]]]:
    """The points of each line with its colour and dash.

    Several lines run side by side: shifted across the flat sides of the hexes, they never cover one another.
    """
    for number, line in enumerate(lines):
        if len(line) > 1:
            by = (number - (len(lines) - 1) / 2) * 4.4
            dx, dy = (by, 0.0) if layout.flat else (0.0, by)
            yield tuple((x + dx, y + dy) for x, y in map(layout.centre, line)), *LINES[number % len(LINES)]


def arrow_layer(layout: Layout, arrows: Sequence[tuple[str, str]], stacks: Mapping[str, Box]) -> Layer:
    """An arrow for each attack, from the attacker's counters to the hexside of the defender's hex."""
    shapes: list[Shape] = []
    for attacker, defender in arrows:
        start, end = layout.centre(attacker), layout.centre(defender)
        length = hypot(end[0] - start[0], end[1] - start[1])
        if not length:
            continue
        tip = length - leaving(layout.corners(defender), end, start) - 0.3
        foot = leaving(stacks[attacker].corners, start, end) + 0.7 if attacker in stacks else HEX / 5
        foot = max(min(foot, tip - _SHORTEST_ARROW), 0)
        ends = point_between(start, end, foot / length), point_between(start, end, tip / length)
        line = Polyline(points=ends, stroke=ARROW, width=1.7, head=3.6, casing=WHITE, casing_width=2.7)
        shapes.append(Group(f"{attacker} attacks {defender}", (line,)))
    return Layer("arrows", tuple(shapes))


def label_layer(layout: Layout, labels: Mapping[str, str], beside: Collection[str]) -> Layer:
    """A small label at the bottom of each hex; clear of an arrow in the hexes `beside`."""
    shapes: list[Shape] = []
    for name, text in labels.items():
        if not text:
            continue
        x, y = layout.centre(name)
        label = fit(text, _LABEL_SIZE, HEX * (0.22 if name in beside else 0.56), least=2.0)
        width = text_width(label.lines[0], label.size) + 2.2
        if name in beside and layout.flat:
            x -= width / 2 + 2.6
        top = y + HEX / 2 - _LABEL_HEIGHT - 1.0
        box = x - width / 2, top, width, _LABEL_HEIGHT
        pill = inset(*box, 0, radius=1.2, fill=WHITE, stroke=SOFT_INK, stroke_width=0.25)
        base = base_line(top + _LABEL_HEIGHT / 2, label.size)
        words = Text(x=x, y=base, text=label.lines[0], size=label.size, anchor="middle", fill=INK)
        shapes.append(Group(f"{name}: {text}", (pill, words)))
    return Layer("labels", tuple(shapes))
