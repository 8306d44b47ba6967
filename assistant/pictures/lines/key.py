"""The key to the statuses, lines, sources, reach and breaks of a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ...drawing.lettering import base_line, text_width
from ...drawing.scene import Layer, Path, Polygon, Shape, Text
from ..colours import INK, WHITE, mix
from ..layout import hexagon
from ..legend import in_rows
from ..style import MARGIN
from .layers import DASH, FAR_DASH, FAR_TINT, NEAR_TINT, THIN, WIDTH, colour_of, ring_shapes, ways_shapes, width_of
from .shown import STATUSES, Shown, weights
from .units import break_shapes, status_shapes

ROW = 6.8
_SIZE, _SWATCH, _GAP = 3.1, 10.0, 5.0

Draw = Callable[[float, float], Sequence[Shape]]


class Entry(NamedTuple):
    """A line of the key. draw: its sign round a point."""

    text: str
    draw: Draw


class LinesKey:
    """The key to a picture of lines. width: of its rows, in millimetres; flat: whether hexes stand on a flat side."""

    def __init__(self, shown: Shown, width: float, *, flat: bool) -> None:
        entries = (*_statuses(shown), *_lines(shown), *_places(shown, flat), *_reaches(shown, flat))
        self._rows = in_rows(entries, [_SWATCH + 1.6 + text_width(entry.text, _SIZE) for entry in entries], width, _GAP)

    @property
    def height(self) -> float:
        """The height of all rows, in millimetres."""
        return len(self._rows) * ROW

    def layer(self, top: float, left: float = MARGIN) -> Layer:
        """The key with its upper left corner there."""
        shapes: list[Shape] = []
        for number, row in enumerate(self._rows):
            y = top + (number + 0.5) * ROW
            for x, entry in row:
                shapes += entry.draw(left + x + _SWATCH / 2, y)
                at = left + x + _SWATCH + 1.6
                shapes.append(Text(x=at, y=base_line(y, _SIZE), text=entry.text, size=_SIZE, fill=INK))
        return Layer("signs", tuple(shapes))


def _statuses(shown: Shown) -> Iterator[Entry]:
    many = Counter(unit.status for unit in shown.units)
    for status in STATUSES:
        if many[status]:
            text = shown.words.statuses[status] + (f": {many[status]}" if len(shown.units) > 1 else "")
            yield Entry(text, partial(status_shapes, status, radius=2.1))
    if any(unit.doubtful for unit in shown.units):
        text = "turns on facts that are not certain"
        yield Entry(text, lambda x, y: status_shapes("full", x, y, 1.6, doubtful=True)[:1])


def _lines(shown: Shown) -> Iterator[Entry]:
    words = shown.words
    for side in shown.sides:
        colour, own = colour_of(shown.sides, side), [strand for strand in shown.strands if strand.side == side]
        named = f" ({words.sides.get(side, side)})" if len(shown.sides) > 1 else ""
        carried = weights(own, side).values()
        if any(weight.full for weight in carried):
            yield Entry(words.line + named, _stretch(colour, ()))
        if any(not weight.full for weight in carried):
            yield Entry(words.low_line + named, _stretch(colour, DASH))
    most = max((weight.number for side in shown.sides for weight in weights(shown.strands, side).values()), default=0)
    if most > 1:
        colour = colour_of(shown.sides, shown.sides[0])
        yield Entry(f"of 1 to {most} units", _wedge(colour, width_of(most)))


def _stretch(colour: str, dash: tuple[float, ...]) -> Draw:
    width = THIN * 1.3

    def draw(x: float, y: float) -> Sequence[Shape]:
        line = ((x - 3.8, y), (x + 3.8, y))
        dashes = tuple(part * 1.4 for part in dash)
        casing = Path(lines=(line,), stroke=mix(colour, WHITE, 0.25), width=width + 2.0, opacity=0.28)
        return [casing, Path(lines=(line,), stroke=colour, width=width, dash=dashes, butt=bool(dash))]

    return draw


def _wedge(colour: str, width: float) -> Draw:
    def draw(x: float, y: float) -> Sequence[Shape]:
        thin, thick = THIN / 2, min(width, 5.0) / 2
        points = ((x - 3.8, y - thin), (x + 3.8, y - thick), (x + 3.8, y + thick), (x - 3.8, y + thin))
        return [Polygon(points=points, fill=colour)]

    return draw


def _places(shown: Shown, flat: bool) -> Iterator[Entry]:
    words, colour = shown.words, colour_of(shown.sides, shown.sides[0])
    usual, far = (
        any(not origin.ways and origin.extended is extended for origin in shown.origins) for extended in (False, True)
    )

    def ring(x: float, y: float, *, extended: bool) -> Sequence[Shape]:
        return ring_shapes((x, y), colour, flat=flat, scale=2.2, extended=extended, radius=3.6)

    for shows, extended, text in ((usual, False, words.source), (far, True, words.extended)):
        if shows:
            yield Entry(text, partial(ring, extended=extended))
    covered = {unit.place for unit in shown.units}
    if any(origin.ways and origin.place not in covered for origin in shown.origins):
        yield Entry(words.ways, lambda x, y: ways_shapes((x, y), colour, 1.0))
    if shown.breaks:
        yield Entry(words.breaks, lambda x, y: break_shapes(x, y, 1.9))


def _reaches(shown: Shown, flat: bool) -> Iterator[Entry]:
    words, colour = shown.words, colour_of(shown.sides, shown.sides[0])
    single, ways = ([reach for reach in shown.reaches if reach.ways is kind] for kind in (False, True))

    def outlined(dash: tuple[float, ...]) -> Draw:
        def draw(x: float, y: float) -> Sequence[Shape]:
            line = hexagon((x, y), 3.4, flat=flat)
            return [Path(lines=(line,), closed=True, stroke=colour, width=WIDTH * 0.8, dash=dash)]

        return draw

    def tinted(tint: float) -> Draw:
        fill = mix(colour, WHITE, 0.15)
        return lambda x, y: [Path(lines=(hexagon((x, y), 3.4, flat=flat),), closed=True, fill=fill, opacity=tint)]

    if any(reach.near for reach in single):
        yield Entry(words.near, outlined(()))
    if any(reach.far - reach.near for reach in single):
        yield Entry(words.far, outlined(tuple(part * 0.5 for part in FAR_DASH)))
    if any(way.near for way in ways):
        yield Entry(words.ways_near, tinted(FAR_TINT + NEAR_TINT))
    if any(way.far - way.near for way in ways):
        yield Entry(words.ways_far, tinted(FAR_TINT))
