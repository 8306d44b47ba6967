"""The key to a picture of lines: what each sign, line and tint means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from ...asking.line_sketch import STATUSES, LineSketch, weights
from ..colours import INK, WHITE, mix
from ..geometry import hexagon, point_between
from ..hatching import Strokes, slant_of
from ..legend import KeyEntry, KeyStyle, MapKey, hatched_sign
from ..scene import Path, Point, Polygon, Shape
from ..style import PAPER, Palette
from .layers import (
    DASH,
    FAR,
    FAR_DASH,
    NEAR,
    SLANT,
    THIN,
    WIDTH,
    break_shapes,
    failing_shapes,
    limit_shapes,
    ring_shapes,
    status_shapes,
    ways_shapes,
    width_of,
)

_KEY = KeyStyle("signs", row=6.8, size=3.1, ink=INK, swatch=10.0, gap=5.0)


def lines_key(
    shown: LineSketch, palette: Palette, width: float, covers: Sequence[KeyEntry] = (), *, flat: bool
) -> MapKey:
    """Return the key to a picture of lines. width: of its rows, in millimetres; covers: what tells of hidden units;
    flat: whether hexes stand on a flat side.
    """
    entries = (
        *_statuses(shown),
        *_lines(shown, palette),
        *_places(shown, palette, flat),
        *_reaches(shown, palette, flat),
        *_cordon(shown, palette, flat),
        *_failing(shown),
        *covers,
    )
    return MapKey(entries, _KEY, width)


def _statuses(shown: LineSketch) -> Iterator[KeyEntry]:
    many = Counter(unit.status for unit in shown.units)
    for status in STATUSES:
        if many[status]:
            text = shown.words.statuses[status] + (f": {many[status]}" if len(shown.units) > 1 else "")
            yield KeyEntry(text, partial(status_shapes, status, radius=2.1))


def _lines(shown: LineSketch, palette: Palette) -> Iterator[KeyEntry]:
    """Yield the lines of each side, and how they grow with the number of units that share them."""
    words = shown.words
    for side in shown.sides:
        colour, own = palette.side(side).strong, [strand for strand in shown.strands if strand.side == side]
        named = f" ({words.sides.get(side, side)})" if len(shown.sides) > 1 else ""
        carried = weights(own, side).values()
        if any(weight.full for weight in carried):
            yield KeyEntry(words.line + named, partial(_stretch, colour, ()))
        if any(not weight.full for weight in carried):
            yield KeyEntry(words.low_line + named, partial(_stretch, colour, DASH))
    most = max((weight.number for side in shown.sides for weight in weights(shown.strands, side).values()), default=0)
    if most > 1:
        colour = palette.side(shown.sides[0]).strong
        yield KeyEntry(f"of 1 to {most} units", partial(_wedge, colour, width_of(most)))


def _stretch(colour: str, dash: tuple[float, ...], x: float, y: float) -> Sequence[Shape]:
    """Return a stretch of a line round a point."""
    line, width = ((x - 3.8, y), (x + 3.8, y)), THIN * 1.3
    dashes = tuple(part * 1.4 for part in dash)
    casing = Path(lines=(line,), stroke=mix(colour, WHITE, 0.25), width=width + 2.0, opacity=0.28)
    return [casing, Path(lines=(line,), stroke=colour, width=width, dash=dashes, butt=bool(dash))]


def _wedge(colour: str, width: float, x: float, y: float) -> Sequence[Shape]:
    """Return a line that grows to a width, round a point."""
    thin, thick = THIN / 2, min(width, 5.0) / 2
    points = ((x - 3.8, y - thin), (x + 3.8, y - thick), (x + 3.8, y + thick), (x - 3.8, y + thin))
    return [Polygon(points=points, fill=colour)]


def _places(shown: LineSketch, palette: Palette, flat: bool) -> Iterator[KeyEntry]:
    """Yield sources, ways as a source, and breaks."""
    words, colour = shown.words, palette.side(shown.sides[0]).strong

    def ring(x: float, y: float, *, extended: bool) -> Sequence[Shape]:
        return ring_shapes((x, y), colour, flat=flat, scale=2.2, extended=extended, radius=3.6)

    for extended, text in ((False, words.source), (True, words.extended)):
        if any(not origin.ways and origin.extended is extended for origin in shown.origins):
            yield KeyEntry(text, partial(ring, extended=extended))
    covered = shown.covered
    if any(origin.ways and origin.place not in covered for origin in shown.origins):
        yield KeyEntry(words.ways, lambda x, y: ways_shapes((x, y), colour, 1.0))
    if any(not gap.limit for gap in shown.breaks):
        yield KeyEntry(words.breaks, lambda x, y: break_shapes(x, y, 1.9))
    if any(gap.limit for gap in shown.breaks):
        yield KeyEntry(words.limit, lambda x, y: limit_shapes(x, y, 1.9))


def _reaches(shown: LineSketch, palette: Palette, flat: bool) -> Iterator[KeyEntry]:
    """Yield how far sources reach: outlines of single ones, hatching of ways."""
    words, colour = shown.words, palette.side(shown.sides[0]).strong
    single, ways = ([reach for reach in shown.reaches if reach.ways is kind] for kind in (False, True))

    def outline(dash: tuple[float, ...], x: float, y: float) -> Sequence[Shape]:
        line = hexagon((x, y), 3.4, flat=flat)
        inner = hexagon((x, y), 2.5, flat=flat)
        ticks = tuple(zip(_round(line), _round(inner), strict=True)) if not dash else ()
        drawn = [Path(lines=(line,), closed=True, stroke=colour, width=WIDTH * 0.8, dash=dash)]
        return [*drawn, *([Path(lines=ticks, stroke=colour, width=WIDTH * 0.5, butt=True)] if ticks else [])]

    def hatched(look: Strokes, x: float, y: float) -> Sequence[Shape]:
        return hatched_sign(look.scaled(0.6, 0.8), colour, slant_of([""], ""), 3.4, (x, y), flat=flat)

    if any(reach.near for reach in single):
        yield KeyEntry(words.near, partial(outline, ()))
    if any(reach.far - reach.near for reach in single):
        yield KeyEntry(words.far, partial(outline, tuple(part * 0.5 for part in FAR_DASH)))
    if any(way.near for way in ways):
        yield KeyEntry(words.ways_near, partial(hatched, NEAR))
    if any(way.far - way.near for way in ways):
        yield KeyEntry(words.ways_far, partial(hatched, FAR))


def _cordon(shown: LineSketch, palette: Palette, flat: bool) -> Iterator[KeyEntry]:
    """Yield how a unit is cut off, and what enemies close."""

    def ring(x: float, y: float) -> Sequence[Shape]:
        line = hexagon((x, y), 3.2, flat=flat)
        return [Path(lines=(line,), closed=True, fill=PAPER, stroke=INK, width=1.2)]

    def closed(enemy: str, x: float, y: float) -> Sequence[Shape]:
        return hatched_sign(NEAR.scaled(0.6, 1.2), enemy, SLANT, 3.4, (x, y), flat=flat)

    if shown.cordon:
        yield KeyEntry(shown.words.left, ring)
    for area in shown.closed:
        yield KeyEntry(area.text, partial(closed, palette.side(area.enemy).strong))


def _failing(shown: LineSketch) -> Iterator[KeyEntry]:
    """Yield the ways that fail."""
    if shown.failing:
        yield KeyEntry(shown.words.failing, lambda x, y: failing_shapes(((x - 3.8, y), (x + 3.8, y)), 0.8))


def _round(corners: Sequence[Point]) -> list[Point]:
    """Return the points of the ticks on an outline, three on each of its sides."""
    sides = zip(corners, (*corners[1:], corners[0]), strict=True)
    return [point_between(start, end, share) for start, end in sides for share in (0.2, 0.5, 0.8)]
