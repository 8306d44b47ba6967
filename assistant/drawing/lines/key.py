"""The key to a picture of lines: what each sign, line and tint means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from ...asking.line_sketch import STATUSES, LineSketch, weights
from ..colours import INK, WHITE, mix
from ..geometry import hexagon
from ..hatching import Strokes, slant_of
from ..legend import KeyEntry, KeyStyle, MapKey, hatched_sign
from ..scene import Path, Polygon, Shape
from ..style import PAPER, Palette
from .reach import FAR, FAR_DASH, NEAR, SLANT, WIDTH, draw_ticks, failing_shapes, ring_shapes, ways_shapes
from .signs import break_shapes, limit_shapes, status_shapes
from .strands import DASH, THIN, width_of

_KEY = KeyStyle("signs", row=6.8, size=3.1, ink=INK, swatch=10.0, gap=5.0)


def lines_key(
    sketch: LineSketch, palette: Palette, width: float, covers: Sequence[KeyEntry] = (), *, flat: bool
) -> MapKey:
    """Return the key to a picture of lines. width: of its rows, in millimetres; covers: what tells of hidden units;
    flat: whether hexes stand on a flat side.
    """
    entries = (
        *_list_statuses(sketch),
        *_list_lines(sketch, palette),
        *_list_places(sketch, palette, flat=flat),
        *_list_reaches(sketch, palette, flat=flat),
        *_list_closed(sketch, palette, flat=flat),
        *_list_failing(sketch),
        *covers,
    )
    return MapKey(entries, _KEY, width)


def _list_statuses(sketch: LineSketch) -> Iterator[KeyEntry]:
    counts = Counter(unit.status for unit in sketch.units)
    for status in STATUSES:
        if counts[status]:
            text = sketch.words.statuses[status] + (f": {counts[status]}" if len(sketch.units) > 1 else "")
            yield KeyEntry(text, partial(status_shapes, status, radius=2.1))


def _list_lines(sketch: LineSketch, palette: Palette) -> Iterator[KeyEntry]:
    """Yield the lines of each side, and how they grow with the number of units that share them."""
    words = sketch.words
    for side in sketch.sides:
        colour, strands = palette.side(side).strong, [strand for strand in sketch.strands if strand.side == side]
        whose = f" ({words.sides.get(side, side)})" if len(sketch.sides) > 1 else ""
        stretches = weights(strands, side).values()
        if any(weight.full for weight in stretches):
            yield KeyEntry(words.line + whose, partial(_draw_stretch, colour, ()))
        if any(not weight.full for weight in stretches):
            yield KeyEntry(words.low_line + whose, partial(_draw_stretch, colour, DASH))
    most = max((weight.number for side in sketch.sides for weight in weights(sketch.strands, side).values()), default=0)
    if most > 1:
        colour = palette.side(sketch.sides[0]).strong
        yield KeyEntry(f"of 1 to {most} units", partial(_draw_wedge, colour, width_of(most)))


def _draw_stretch(colour: str, dash: tuple[float, ...], x: float, y: float) -> Sequence[Shape]:
    """Return a stretch of a line round a point."""
    line, width = ((x - 3.8, y), (x + 3.8, y)), THIN * 1.3
    dashes = tuple(part * 1.4 for part in dash)
    casing = Path(lines=(line,), stroke=mix(colour, WHITE, 0.25), width=width + 2.0, opacity=0.28)
    return [casing, Path(lines=(line,), stroke=colour, width=width, dash=dashes, butt=bool(dash))]


def _draw_wedge(colour: str, width: float, x: float, y: float) -> Sequence[Shape]:
    """Return a line that grows to a width, round a point."""
    thin, thick = THIN / 2, min(width, 5.0) / 2
    points = ((x - 3.8, y - thin), (x + 3.8, y - thick), (x + 3.8, y + thick), (x - 3.8, y + thin))
    return [Polygon(points=points, fill=colour)]


def _list_places(sketch: LineSketch, palette: Palette, *, flat: bool) -> Iterator[KeyEntry]:
    """Yield sources, ways as a source, and breaks."""
    words, colour = sketch.words, palette.side(sketch.sides[0]).strong

    def ring(x: float, y: float, *, extended: bool) -> Sequence[Shape]:
        return ring_shapes((x, y), colour, flat=flat, scale=2.2, extended=extended, radius=3.6)

    for extended, text in ((False, words.source), (True, words.extended)):
        if any(not origin.ways and origin.extended is extended for origin in sketch.origins):
            yield KeyEntry(text, partial(ring, extended=extended))
    covered = sketch.covered
    if any(origin.ways and origin.place not in covered for origin in sketch.origins):
        yield KeyEntry(words.ways, lambda x, y: ways_shapes((x, y), colour, 1.0))
    if any(not gap.limit for gap in sketch.breaks):
        yield KeyEntry(words.breaks, lambda x, y: break_shapes(x, y, 1.9))
    if any(gap.limit for gap in sketch.breaks):
        yield KeyEntry(words.limit, lambda x, y: limit_shapes(x, y, 1.9))


def _list_reaches(sketch: LineSketch, palette: Palette, *, flat: bool) -> Iterator[KeyEntry]:
    """Yield how far sources reach: outlines of single ones, hatching of ways."""
    words, colour = sketch.words, palette.side(sketch.sides[0]).strong
    single = [reach for reach in sketch.reaches if not reach.ways]
    ways = [reach for reach in sketch.reaches if reach.ways]

    def outline(dash: tuple[float, ...], x: float, y: float) -> Sequence[Shape]:
        line, inner = hexagon((x, y), 3.4, flat=flat), hexagon((x, y), 2.5, flat=flat)
        shapes = [Path(lines=(line,), closed=True, stroke=colour, width=WIDTH * 0.8, dash=dash)]
        if not dash:
            ticks = tuple(draw_ticks([(*line, line[0])], [(*inner, inner[0])]))
            shapes.append(Path(lines=ticks, stroke=colour, width=WIDTH * 0.5, butt=True))
        return shapes

    def hatched(strokes: Strokes, x: float, y: float) -> Sequence[Shape]:
        return hatched_sign(strokes.scaled(0.6, 0.8), colour, slant_of([""], ""), 3.4, (x, y), flat=flat)

    if any(reach.near for reach in single):
        yield KeyEntry(words.near, partial(outline, ()))
    if any(reach.far - reach.near for reach in single):
        yield KeyEntry(words.far, partial(outline, tuple(part * 0.5 for part in FAR_DASH)))
    if any(way.near for way in ways):
        yield KeyEntry(words.ways_near, partial(hatched, NEAR))
    if any(way.far - way.near for way in ways):
        yield KeyEntry(words.ways_far, partial(hatched, FAR))


def _list_closed(sketch: LineSketch, palette: Palette, *, flat: bool) -> Iterator[KeyEntry]:
    """Yield how a unit is cut off, and what enemies close."""

    def ring(x: float, y: float) -> Sequence[Shape]:
        line = hexagon((x, y), 3.2, flat=flat)
        return [Path(lines=(line,), closed=True, fill=PAPER, stroke=INK, width=1.2)]

    def closed(enemy: str, x: float, y: float) -> Sequence[Shape]:
        return hatched_sign(NEAR.scaled(0.6, 1.2), enemy, SLANT, 3.4, (x, y), flat=flat)

    if sketch.cordon:
        yield KeyEntry(sketch.words.left, ring)
    for area in sketch.closed:
        yield KeyEntry(area.text, partial(closed, palette.side(area.enemy).strong))


def _list_failing(sketch: LineSketch) -> Iterator[KeyEntry]:
    """Yield the ways that fail."""
    if sketch.failing:
        yield KeyEntry(sketch.words.failing, lambda x, y: failing_shapes(((x - 3.8, y), (x + 3.8, y)), 0.8))
