"""The signs over the map of a picture of lines: statuses, breaks, lines, reach of sources, and failing ways."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import cos, hypot, pi, sin, sqrt
from typing import Any, NamedTuple

from ...asking.line_sketch import (
    Break,
    Closed,
    Cordon,
    Failing,
    LineSketch,
    Origin,
    SourceReach,
    Status,
    Strand,
    Weight,
    weigh_hexsides,
)
from ...game.hexes import Corner
from ..colours import INK, WHITE, mix
from ..geometry import PageBox, box_around, hexagon, middle_of, move_towards, point_between
from ..hatching import Strokes, hatching, slant_of
from ..layout import Layout
from ..lettering import base_line, text_width, wrap
from ..map.land import land_outlines
from ..map.survey import Survey
from ..placement import Inscription, Placement
from ..scene import Circle, Group, Layer, Path, Point, Polygon, Rectangle, Shape, inset, text_lines
from ..style import RADIUS, SOFT_INK, Palette

COLOURS: Mapping[Status, str] = {
    "full": "#4b9bd1",
    "low": "#f5c93c",
    "none": "#a8321f",
    "cut-off": "#1c1714",
    "unknown": WHITE,
}
"""The colours of statuses."""
BREAK_COLOUR = "#8f1226"
"""The colour of breaks and of failing ways."""
_RIM_SHARE = 0.13
"""The white rim round a sign, as a share of its radius."""
_FORMS: Mapping[Status, tuple[int, float, float]] = {
    "low": (3, -pi / 2, 1.28),
    "none": (4, pi / 4, 1.28),
    "cut-off": (8, pi / 8, 1.12),
    "unknown": (4, 0.0, 1.25),
}
"""The number of corners, the turn in radians and the size of each status sign."""
_CROSS = (((-0.46, -0.46), (0.46, 0.46)), ((-0.46, 0.46), (0.46, -0.46)))
"""The strokes of a cross in a sign of radius 1."""
_HOOK = ((-0.3, -0.3), (-0.22, -0.5), (0.0, -0.6), (0.25, -0.5), (0.28, -0.25), (0.0, 0.05), (0.0, 0.22))
"""The bow of a question mark in a sign of radius 1."""
_MARKS: Mapping[Status, tuple[tuple[Point, ...], ...]] = {
    "low": (((0.0, -0.42), (0.0, 0.18)), ((0.0, 0.5), (0.0, 0.52))),
    "none": _CROSS,
    "cut-off": _CROSS,
    "unknown": (_HOOK, ((0.0, 0.55), (0.0, 0.57))),
}
"""The strokes within each sign."""


# --- lines ------------------------------------------------------------------------------------------------------------


MIN_WIDTH_MM = 1.1
_WIDTH_GROWTH_MM = 0.85
_MAX_WIDTH_MM = 6.0
_CASING_WIDTH_MM = 1.5
DASH = 1.8, 1.5
"""The dash of a line that serves only in part, as multiples of its width."""


def width_of(number: int) -> float:
    """Return the width in mm of a stretch that a number of lines share."""
    return min(MIN_WIDTH_MM + _WIDTH_GROWTH_MM * (sqrt(number) - 1) * 1.6, _MAX_WIDTH_MM)


def strand_layers(
    layout: Layout, strands: Collection[Strand], sides: Sequence[str], palette: Palette, scale: float
) -> list[Layer]:
    """Return two layers: the casings of all lines, which belong below roads and railways, and the lines."""
    casings: list[Shape] = []
    lines: list[Shape] = []
    for side in sides:
        colour = palette.side(side).strong
        carried = weigh_hexsides(strands, side)
        for full in (False, True):
            for width, runs in _join_by_width(layout, carried, full=full).items():
                line_width = width * scale
                dash = () if full else tuple(part * max(line_width, 1.4) for part in DASH)
                casing = mix(colour, WHITE, 0.25)
                casings.append(
                    Path(lines=runs, stroke=casing, width=line_width + 2 * _CASING_WIDTH_MM * scale, opacity=0.28)
                )
                lines.append(Path(lines=runs, stroke=WHITE, width=line_width + 0.8 * scale))
                lines.append(Path(lines=runs, stroke=colour, width=line_width, dash=dash, butt=bool(dash)))
    return [Layer("casings", tuple(casings)), Layer("lines", tuple(lines))]


def _join_by_width(
    layout: Layout, carried: Mapping[str, Weight], *, full: bool
) -> dict[float, tuple[tuple[Point, ...], ...]]:
    by_width: dict[float, list[tuple[str, str]]] = {}
    for name, weight in carried.items():
        if weight.full is full:
            one, _, other = name.partition("|")
            by_width.setdefault(width_of(weight.number), []).append((one, other))
    return {
        width: tuple(tuple(map(layout.centre, run)) for run in _join_runs(pairs))
        for width, pairs in sorted(by_width.items())
    }


def _join_runs(pairs: Collection[tuple[str, str]]) -> list[list[str]]:
    """Return pairs of hexes joined into runs without branches, so that dashes continue over hexsides."""
    neighbours: dict[str, list[str]] = {}
    for one, other in pairs:
        neighbours.setdefault(one, []).append(other)
        neighbours.setdefault(other, []).append(one)
    unused = {frozenset(pair) for pair in pairs}
    runs = []
    starts = sorted(neighbours, key=lambda at: (len(neighbours[at]) == 2, at))  # runs start at ends and branches
    for start in starts:
        for first in neighbours[start]:
            if frozenset((start, first)) not in unused:
                continue
            run = [start, first]
            unused.discard(frozenset(run))
            while len(neighbours[run[-1]]) == 2:
                after = next((at for at in neighbours[run[-1]] if frozenset((run[-1], at)) in unused), "")
                if not after:
                    break
                unused.discard(frozenset((run[-1], after)))
                run.append(after)
            runs.append(run)
    return runs


def dot_layer(layout: Layout, strands: Collection[Strand], sides: Sequence[str], palette: Palette) -> Layer:
    """Return a dot in each hex of the lines."""
    shapes = []
    for side in sides:
        hexes = dict.fromkeys(
            at for strand in strands if strand.side == side and len(strand.hexes) > 1 for at in strand.hexes
        )
        for x, y in map(layout.centre, hexes):
            shapes.append(Circle(x=x, y=y, radius=1.3, fill=WHITE, stroke=palette.side(side).strong, width=0.6))
    return Layer("dots", tuple(shapes))


# --- the reach of sources, and where lines begin ----------------------------------------------------------------------


NEAR_STROKES = Strokes(pitch=2.6, width=0.38, opacity=0.45)
FAR_STROKES = Strokes(pitch=4.2, width=0.6, opacity=0.6, dash=(1.2, 2.4))
"""The strokes of hexes within the far reach of ways, dashed so that they differ at a glance from the near reach."""
_TICK_LENGTH_MM = 1.7
OUTLINE_WIDTH_MM = 0.8
FAR_DASH_MM = (3.2, 1.8)
_NEAR_INSET_MM = 1.5
_FAR_INSET_MM = 0.6


class DrawnReach(NamedTuple):
    """The part of a reach that the picture shows."""

    side: str
    ways: bool
    """Whether the source is a network of ways, so that its hexes are hatched, or else they have an outline."""
    near: Collection[str]
    """The hexes within the usual reach."""
    far: Collection[str]
    """The hexes within the far reach, or none if it shows no more than the usual one."""


def drawn_reaches(survey: Survey, reaches: Sequence[SourceReach]) -> list[DrawnReach]:
    """Return the reach of sources as far as the picture shows it, the reach of ways first."""
    drawn, shown = frozenset(survey.layout.names), list[DrawnReach]()
    for area in sorted(reaches, key=lambda reach: not reach.ways):
        near, far = area.near & drawn, area.far & drawn
        far = far - near if area.ways else frozenset() if far == near else far
        if not area.ways:
            near, far = (hexes if _find_edges(survey, hexes, 0.0) else frozenset[str]() for hexes in (near, far))
        if near or far:
            shown.append(DrawnReach(area.side, area.ways, near, far))
    return shown


def reach_layer(survey: Survey, reaches: Sequence[SourceReach], scale: float) -> Layer:
    """Return the reach of sources.

    The reach of ways is hatched: with lines where it is near, else with dashes. The reach of a single source is
    outlined: solid with inward ticks for the usual reach, dashed for the far one.
    """
    shapes: list[Shape] = []
    sides = list(dict.fromkeys(reach.side for reach in reaches))
    for area in drawn_reaches(survey, reaches):
        colour = survey.palette.side(area.side).strong
        if area.ways:
            slant = slant_of(sides, area.side)
            for hexes, strokes in ((area.far, FAR_STROKES), (area.near, NEAR_STROKES)):
                corners = [survey.layout.corners(name) for name in survey.layout.names if name in hexes]
                shapes += hatching(corners, colour, slant, strokes.scaled(scale, scale))
            continue
        for hexes, inward, dash in (
            (area.far, _FAR_INSET_MM, FAR_DASH_MM),
            (area.near, _NEAR_INSET_MM, ()),
        ):
            lines = _find_edges(survey, hexes, inward * scale)
            dashes = tuple(part * scale for part in dash)
            if lines:
                shapes.append(Path(lines=lines, stroke=WHITE, width=(OUTLINE_WIDTH_MM + 0.7) * scale, opacity=0.6))
                shapes.append(Path(lines=lines, stroke=colour, width=OUTLINE_WIDTH_MM * scale, dash=dashes))
                if not dash:
                    inner = _find_edges(survey, hexes, (inward + _TICK_LENGTH_MM) * scale)
                    ticks = tuple(draw_ticks(lines, inner))
                    shapes.append(Path(lines=ticks, stroke=colour, width=OUTLINE_WIDTH_MM * 0.7 * scale, butt=True))
    return Layer("reach", tuple(shapes))


def limit_lines(survey: Survey, reaches: Sequence[SourceReach], scale: float) -> list[tuple[Point, ...]]:
    """Return the outlines of the reach of single sources, with the inner ends of their ticks."""
    lines = list[tuple[Point, ...]]()
    for area in drawn_reaches(survey, reaches):
        if not area.ways:
            for hexes, inward in (
                (area.far, _FAR_INSET_MM),
                (area.near, _NEAR_INSET_MM),
                (area.near, _NEAR_INSET_MM + _TICK_LENGTH_MM / 2),
            ):
                lines += _find_edges(survey, hexes, inward * scale)
    return lines


def draw_ticks(outer: Sequence[Sequence[Point]], inner: Sequence[Sequence[Point]]) -> Iterator[tuple[Point, Point]]:
    """Yield short strokes from a line to the line inside it, three on each hexside."""
    for line, inside in zip(outer, inner, strict=True):
        for (start, end), (from_, to) in zip(pairwise(line), pairwise(inside), strict=True):
            for share in (0.2, 0.5, 0.8):
                yield point_between(start, end, share), point_between(from_, to, share)


def _find_edges(survey: Survey, hexes: Collection[str], inwards: float) -> tuple[tuple[Point, ...], ...]:
    """Return the outlines of hexes, moved inwards, and open along the edge of the drawn hexes.

    `inwards`: the distance in mm.
    """
    after: dict[Corner, Corner] = {}
    inside: dict[Corner, list[Point]] = {}
    draws = survey.layout.draws
    for name in survey.layout.names:
        if name not in hexes:
            continue
        centre = survey.layout.centre(name)
        for beyond, start, end in survey.around[name]:
            if beyond not in hexes:
                inside.setdefault(start, []).append(centre)
                inside.setdefault(end, []).append(centre)
                if beyond and draws(beyond):
                    after[start] = end
    edges = []
    entered = set(after.values())
    while after:
        corner = next((corner for corner in after if corner not in entered), None) or next(iter(after))
        run = [corner]
        while corner in after:
            corner = after.pop(corner)
            run.append(corner)
        edges.append(tuple(move_towards(survey.point(turn), middle_of(inside[turn]), inwards) for turn in run))
    return tuple(edges)


def ring_layer(layout: Layout, origins: Sequence[Origin], palette: Palette, scale: float) -> Layer:
    """Return a sign for each source: a ring round its hex, doubled in its far-reaching mode, or the sign of ways."""
    shapes: list[Shape] = []
    drawn: dict[tuple[str, str, bool], Origin] = {}  # in each hex a source in its far-reaching mode takes precedence
    for source in sorted(origins, key=lambda origin: not origin.extended):
        if layout.draws(source.place):
            drawn.setdefault((source.place, source.side, source.ways), source)
    for (place, side, ways), source in drawn.items():
        colour, centre = palette.side(side).strong, layout.centre(place)
        if ways:
            parts = ways_shapes(centre, colour, 1.0 if scale < 1.2 else 1.5)
        else:
            parts = ring_shapes(centre, colour, flat=layout.flat, scale=scale, extended=source.extended)
        mode = f", {source.mode}" if source.mode else ""
        shapes.append(Group(f"{place}: {source.name}{mode}", tuple(parts)))
    return Layer("sources", tuple(shapes))


_SOURCE_OPACITY = 0.75


def source_ground(ground: str, colour: str) -> str:
    """Return the colour of a source's hex with this ground, for a side of this colour."""
    return mix(ground, mix(colour, WHITE, 0.35), _SOURCE_OPACITY)


def ring_shapes(
    centre: Point, colour: str, *, flat: bool, scale: float, extended: bool, radius: float = RADIUS
) -> list[Shape]:
    """Return a source's hex in the colour of its side, with a dark ring, doubled in its far-reaching mode."""
    width = radius * 0.052 * scale
    filled = hexagon(centre, radius * 0.9, flat=flat)
    shapes: list[Shape] = [Path(lines=(filled,), closed=True, fill=mix(colour, WHITE, 0.35), opacity=_SOURCE_OPACITY)]
    shares = (0.9, 0.76) if extended else (0.9,)
    for share in shares:
        line = hexagon(centre, radius * share, flat=flat)
        shapes.append(Path(lines=(line,), closed=True, stroke=WHITE, width=width * 1.9, opacity=0.9))
        shapes.append(Path(lines=(line,), closed=True, stroke=INK, width=width * 1.15))
    return shapes


def ways_shapes(centre: Point, colour: str, scale: float) -> list[Shape]:
    """Return the sign of ways as a source, such as a railway: a square with two rails and their sleepers."""
    (x, y), half = centre, 2.2 * scale
    shapes: list[Shape] = [
        Rectangle(
            x=x - half,
            y=y - half,
            width=2 * half,
            height=2 * half,
            radius=half * 0.3,
            fill=WHITE,
            stroke=colour,
            stroke_width=half * 0.3,
        )
    ]
    rails = tuple(((x - half * 0.7, y + dy * half), (x + half * 0.7, y + dy * half)) for dy in (-0.28, 0.28))
    sleepers = tuple(((x + dx * half, y - half * 0.55), (x + dx * half, y + half * 0.55)) for dx in (-0.4, 0.0, 0.4))
    return [*shapes, Path(lines=rails + sleepers, stroke=INK, width=half * 0.16)]


# --- closed hexes, and ways that fail ---------------------------------------------------------------------------------


_RING_WIDTH_MM = 2.0
_FAILING_DASH_MM = (2.6, 1.9)
_PAST_BREAK_DASH_MM = (0.9, 2.1)


def closed_layer(survey: Survey, closed: Sequence[Closed], scale: float) -> Layer:
    """Return the hexes closed by enemies, hatched in the enemies' colours."""
    layout, shapes, strokes = survey.layout, list[Shape](), NEAR_STROKES.scaled(scale, scale * 1.4)
    for area in closed:
        hexes = [layout.corners(name) for name in layout.names if name in area.hexes]
        shapes += hatching(hexes, survey.palette.side(area.enemy).strong, CLOSED_SLANT_DEGREES, strokes)
    return Layer("closed", tuple(shapes))


def cordon_layer(survey: Survey, cordon: Cordon, scale: float) -> Layer:
    """Return a ring round the hexes left to a unit that is cut off."""
    shapes: list[Shape] = []
    if hexes_left := cordon.left.intersection(survey.layout.names):
        ring = land_outlines(survey, hexes_left)
        shapes.append(Path(lines=ring, closed=True, stroke=WHITE, width=(_RING_WIDTH_MM + 1.2) * scale, opacity=0.8))
        shapes.append(Path(lines=ring, closed=True, stroke=INK, width=_RING_WIDTH_MM * scale))
    return Layer("cordon", tuple(shapes))


def failing_layer(layout: Layout, failing: Sequence[Failing], scale: float) -> Layer:
    """Return the failing ways, dashed up to the break and dotted beyond."""
    shapes = list[Shape]()
    for way in failing:
        points, count = tuple(map(layout.centre, way.hexes)), len(way.hexes_to_break)
        if "|" in way.ends:  # the way fails on the hexside before its last hex
            middle = point_between(points[count - 2], points[count - 1], 0.5)
            before_break, after_break = (*points[: count - 1], middle), (middle, *points[count - 1 :])
        else:
            before_break, after_break = points[:count], points[count - 1 :]
        parts: list[Shape] = []
        if len(before_break) > 1:
            parts += failing_shapes(before_break, scale)
        if len(after_break) > 1:
            parts += failing_shapes(after_break, scale, past_break=True)
        shapes.append(Group(f"{way.unit}: {way.text}", tuple(parts)))
    return Layer("failing", tuple(shapes))


CLOSED_SLANT_DEGREES = 148.0
"""The slant of the strokes of closed hexes in degrees, across those of the reach of ways."""


def failing_shapes(way: tuple[Point, ...], scale: float, *, past_break: bool = False) -> list[Shape]:
    """Return a failing way: dashed, unlike a line of supply, or dotted beyond the break."""
    if past_break:
        pattern, width = _PAST_BREAK_DASH_MM, 0.9
    else:
        pattern, width = _FAILING_DASH_MM, 1.3
    dash = tuple(part * scale for part in pattern)
    return [
        Path(lines=(way,), stroke=WHITE, width=(width + 1.3) * scale, opacity=0.85),
        Path(lines=(way,), stroke=BREAK_COLOUR, width=width * scale, dash=dash, butt=True),
    ]


# --- breaks -----------------------------------------------------------------------------------------------------------


_BREAK_RADIUS_MM = 2.6
BREAK_REACH_MM = _BREAK_RADIUS_MM * 1.3
"""The distance from the middle of the sign of a break to its edge."""
_BREAK_WORDS_SIZE_MM = 2.9


def break_points(
    layout: Layout, shown: LineSketch, boxes: Mapping[str, PageBox], scale: float
) -> Iterator[tuple[Break, Point]]:
    """Yield the breaks in drawn hexes, each with the point of its sign: on its hexside, or left of the counters."""
    for gap in shown.breaks:
        ends = gap.where.split("|")
        if not all(map(layout.draws, ends)):
            continue
        x, y = layout.centre(ends[0])
        if len(ends) == 2:
            x, y = point_between((x, y), layout.centre(ends[1]), 0.5)
        elif gap.where in boxes:
            x = boxes[gap.where].left - _BREAK_RADIUS_MM * scale * 1.3 - 0.3
        yield gap, (x, y)


def break_marks(
    points: Sequence[tuple[Break, Point]], shown: LineSketch, scale: float, large: float
) -> Iterator[tuple[str, Inscription[Any]]]:
    """Yield the words of breaks, to be placed beside their signs."""
    for number, (gap, point) in enumerate(points):
        yield (
            "",
            Inscription(
                f"break {number}",
                partial(_place_beside_sign, _choose_words(shown, gap), point, BREAK_REACH_MM * scale, large),
                plate=True,
            ),
        )


def _choose_words(shown: LineSketch, gap: Break) -> str:
    return next((way.text for way in shown.failing if way.ends == gap.where), gap.why)


def _place_beside_sign(text: str, point: Point, sign: float, large: float) -> Iterator[Placement[Sequence[str]]]:
    x, y = point
    for number, lines in enumerate(_split_words(text, large)):
        width, height = max(_plate_width(line, large) for line in lines), _plate_height(lines, large)
        down, over = sign + 0.5 + height / 2, sign + 0.5 + width / 2
        places = [(0.0, down), (0.0, -down), (over, 0.0), (-over, 0.0)]
        for distance in (0.0, 3.0, 6.0, 9.0):
            places += [(share * width, up * (down + distance)) for up in (1, -1) for share in (0.0, 0.3, -0.3)]
            places += [(across * (over + distance), up * 4.0) for up in (0, 1, -1, 2, -2) for across in (1, -1)]
        for nth, (dx, dy) in enumerate(places):
            yield Placement(number * 2.0 + nth, box_around(x + dx, y + dy, width + 0.6, height + 0.6), lines)


def _split_words(text: str, large: float) -> Iterator[Sequence[str]]:
    yield (text,)
    lines = wrap(text, _BREAK_WORDS_SIZE_MM * large, text_width(text, _BREAK_WORDS_SIZE_MM * large) * 0.62)
    if len(lines) == 2:
        yield lines


def break_layer(
    points: Sequence[tuple[Break, Point]],
    layout: Layout,
    shown: LineSketch,
    placed: Mapping[str, Placement[Any]],
    *,
    scale: float,
    large: float = 1.0,
) -> Layer:
    """Return the signs of breaks, with their words if a place was found for them."""
    course, shapes = shown.course, list[Shape]()
    for number, (gap, (x, y)) in enumerate(points):
        around = course.get(gap.where)
        if not gap.limit:
            parts = break_shapes(x, y, _BREAK_RADIUS_MM * scale)
        elif around and all(map(layout.draws, around)):
            (before_x, before_y), (after_x, after_y) = map(layout.centre, around)
            parts = limit_shapes(x, y, _BREAK_RADIUS_MM * scale, (after_x - before_x, after_y - before_y))
        else:
            parts = limit_shapes(x, y, _BREAK_RADIUS_MM * scale)
        if place := placed.get(f"break {number}"):
            parts += _draw_plate(place.drawn, middle_of(place.box.corners), large)
        whom = f", for {', '.join(gap.units)}" if gap.units else ""
        shapes.append(Group(f"{gap.where}: {gap.why}{whom}", tuple(parts)))
    return Layer("breaks", tuple(shapes))


def break_shapes(x: float, y: float, radius: float) -> list[Shape]:
    """Return the sign of a break round a point: a ring with a bar across it."""
    bar = ((x - radius * 0.55, y - radius * 0.55), (x + radius * 0.55, y + radius * 0.55))
    return [
        Circle(x=x, y=y, radius=radius * 1.3, fill=WHITE),
        Circle(x=x, y=y, radius=radius * 0.9, fill=WHITE, stroke=BREAK_COLOUR, width=radius * 0.42),
        Path(lines=(bar,), stroke=BREAK_COLOUR, width=radius * 0.42, butt=True),
    ]


def limit_shapes(x: float, y: float, radius: float, direction: Point = (1.0, 0.0)) -> list[Shape]:
    """Return the sign for the end of a range round a point: a bar across the line."""
    length = hypot(*direction) or 1.0
    across = -direction[1] / length * radius * 1.5, direction[0] / length * radius * 1.5
    bar = (x - across[0], y - across[1]), (x + across[0], y + across[1])
    return [
        Path(lines=(bar,), stroke=WHITE, width=radius * 1.1),
        Path(lines=(bar,), stroke=INK, width=radius * 0.55, butt=True),
    ]


def _plate_width(text: str, large: float) -> float:
    return text_width(text, _BREAK_WORDS_SIZE_MM * large) + 1.6


def _plate_height(lines: Sequence[str], large: float) -> float:
    return _BREAK_WORDS_SIZE_MM * large * 1.08 * len(lines) + 0.9 * large


def _draw_plate(lines: Sequence[str], middle: Point, large: float) -> list[Shape]:
    (x, y), size = middle, _BREAK_WORDS_SIZE_MM * large
    width, height = max(_plate_width(line, large) for line in lines), _plate_height(lines, large)
    plate = inset(
        (x - width / 2, y - height / 2, width, height), 0.0, radius=1.0, fill=WHITE, stroke=SOFT_INK, stroke_width=0.2
    )
    base = base_line(y, size, len(lines), 1.08)
    return [plate, *text_lines(lines, base, size, 1.08, x=x, anchor="middle", fill=INK)]


# --- statuses ---------------------------------------------------------------------------------------------------------


def status_shapes(status: Status, x: float, y: float, radius: float) -> list[Shape]:
    """Return the sign of a status round a point.

    It is a disc with a tick, a triangle with a bar, a square or octagon with a cross, or a diamond with a question
    mark.
    """
    colour = COLOURS[status]
    ink = INK if status in ("low", "unknown") else WHITE
    width = radius * 0.3
    shapes: list[Shape] = []
    if status == "full":
        shapes += [Circle(x=x, y=y, radius=radius * (1 + _RIM_SHARE), fill=WHITE)]
        shapes += [Circle(x=x, y=y, radius=radius, fill=colour, stroke=INK, width=radius * 0.1)]
        marks: tuple[tuple[Point, ...], ...] = (((-0.48, 0.02), (-0.12, 0.4), (0.5, -0.38)),)
    else:
        corner_count, turn, size = _FORMS[status]
        middle = y + (radius * 0.12 if corner_count == 3 else 0)
        rim = _corners(x, middle, radius * (size + 1.6 * _RIM_SHARE), corner_count, turn)
        body = _corners(x, middle, radius * size, corner_count, turn)
        shapes += [Polygon(points=rim, fill=WHITE), Polygon(points=body, fill=colour, stroke=INK, width=radius * 0.1)]
        marks = _MARKS[status]
    lines = tuple(tuple((x + dx * radius, y + dy * radius) for dx, dy in line) for line in marks)
    return [*shapes, Path(lines=lines, stroke=ink, width=width)]


def _corners(x: float, y: float, radius: float, count: int, turn: float) -> tuple[Point, ...]:
    angles = (turn + 2 * pi * number / count for number in range(count))
    return tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles)
