"""What a picture shows over the map: lines such as LOCs, markers of hexes, arrows, labels in hexes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import hypot

from msgspec.structs import replace

from ..drawing.lettering import base_line, fit, text_width
from ..drawing.scene import Circle, Group, Layer, Point, Polyline, Shape, Symbol, Text, inset
from ..state.sources import Value
from ..state.tracks import Track
from .colours import INK, WHITE, ink_on, mix
from .counters import Box
from .layout import Layout, leaving, point_between
from .look import Look
from .style import ARROW, HEX, LINES, SOFT_INK
from .symbols import ASPECT, Symbols

_LABEL_SIZE, _LABEL_HEIGHT = 2.6, 3.7
_SHORTEST_ARROW = 4.6
_MARKER, _BESIDE, _MARKER_COLOUR = 6.4, 0.6, "#35322d"
"""The side of a marker, and how far it lies from the counters."""


def casing_layer(layout: Layout, lines: Sequence[Sequence[str]]) -> Layer:
    """The translucent casings of lines, below roads and railways."""
    width = 5.0 if len(lines) == 1 else 3.6
    shapes = [
        Polyline(points=points, stroke="", casing=mix(colour, WHITE, 0.25), casing_width=width, casing_opacity=0.35)
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


def marker_layer(
    layout: Layout, look: Look, symbols: Symbols, arrows: Sequence[tuple[str, str]], stacks: Mapping[str, Box]
) -> Layer:
    """What has been placed on hexes, such as an Improved Position: small markers beside the counters, with the symbols
    of the game's own.

    They lie left of the counters, right of them where an arrow leads to the left, and in the middle of an empty hex.
    """
    shapes: list[Shape] = []
    for name in layout.names:
        markers = list(_markers(name, look, symbols))
        x, y = layout.centre(name)
        left = x - _MARKER / 2
        if name in stacks:
            to_the_right = any(_leads_west(layout, name, pair) for pair in arrows)
            left = stacks[name].right + _BESIDE if to_the_right else stacks[name].left - _BESIDE - _MARKER
        for number, (track, value, symbol) in enumerate(markers):
            top = y + (number - len(markers) / 2) * (_MARKER + 0.6) + 0.3
            title = f"{name}: {track.title}" + ("" if value is True else f" {track.write(value)}")
            shapes.append(Group(title, tuple(_marker(track, value, symbol, left, top))))
    return Layer("markers", tuple(shapes))


def marker_sentences(layout: Layout, look: Look, symbols: Symbols) -> Iterator[str]:
    """The markers of hexes in words, a sentence each."""
    for name in layout.names:
        for track, value, _ in _markers(name, look, symbols):
            yield f"Hex {name}: {track.title}" + ("." if value is True else f" {track.write(value)}.")


def _markers(name: str, look: Look, symbols: Symbols) -> Iterator[tuple[Track, Value, Symbol]]:
    for track_name, pattern in look.picture.markers.items():
        track, fact = look.game.tracks.get(track_name), look.fact(track_name, name)
        if track is None or fact is None or not fact.value or fact.value == track.absent or fact.value == track.nothing:
            continue
        if symbol := symbols.symbol(pattern.replace("{}", track.write(fact.value))):
            yield track, fact.value, symbol


def _marker(track: Track, value: Value, symbol: Symbol, left: float, top: float) -> Iterator[Shape]:
    """A marker: its symbol over the words of its tag, if it has one."""
    colour = track.module.colour if track.module else _MARKER_COLOUR
    yield inset(left, top, _MARKER, _MARKER, 0.1, radius=0.7, fill=colour, stroke=WHITE, stroke_width=0.2)
    words = track.tag(value) if track.module else ""
    width = _MARKER - (2.2 if words else 1.2)
    height = width / ASPECT
    y = top + (0.5 if words else (_MARKER - height) / 2)
    ink = ink_on(colour)
    yield replace(symbol, x=left + (_MARKER - width) / 2, y=y, width=width, height=height, ink=ink)
    if words:
        text = fit(words, 2.2, _MARKER - 0.8, least=1.4, bold=True)
        base = top + _MARKER - 0.75
        yield Text(
            x=left + _MARKER / 2, y=base, text=text.lines[0], size=text.size, anchor="middle", bold=True, fill=ink
        )


def _leads_west(layout: Layout, name: str, arrow: tuple[str, str]) -> bool:
    """Whether an arrow runs straight to the left from the middle of a hex, or comes from there."""
    if name not in arrow:
        return False
    (x, y), (other_x, other_y) = layout.centre(name), layout.centre(arrow[1] if arrow[0] == name else arrow[0])
    return other_x < x and abs(other_y - y) < HEX / 4


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
