"""The layers of a picture of lines: units with the sign of their status, the lines themselves, how far sources reach,
what breaks lines and where they begin.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
    Marked,
    Origin,
    SourceReach,
    Status,
    Strand,
    Weight,
    weights,
    worst,
)
from ...game.hexes import Corner
from ...state.state import Unit
from ..colours import INK, WHITE, darken, ink_on, mix
from ..counters import SHADOW, Face, centred_text, stack_places, symbol_box
from ..geometry import PageBox, box_around, hexagon, middle_of, move_towards, point_between
from ..hatching import Strokes, hatching, slant_of
from ..layout import Layout
from ..lettering import base_line, fit_lines, text_width, wrap
from ..map.land import land_outlines
from ..map.layers import leader_shapes
from ..map.survey import Survey, SurveyReader
from ..placement import Inscription, Placement, hex_mark
from ..scene import Circle, Group, Layer, Path, Point, Polygon, Rectangle, Shape, Text, inset, text_lines
from ..style import COUNTER, HEX, RADIUS, SOFT_INK, Palette
from ..symbols import ASPECT, Symbols

#: of the signs of statuses
COLOURS: Mapping[Status, str] = {
    "full": "#4b9bd1",
    "low": "#f5c93c",
    "none": "#a8321f",
    "cut-off": "#1c1714",
    "unknown": WHITE,
}
BREAK = "#8f1226"  # the colour of breaks and of ways that fail
_RIM = 0.13
"""The white rim round a sign, as a share of its radius."""
_FORMS: Mapping[Status, tuple[int, float, float]] = {
    "low": (3, -pi / 2, 1.28),
    "none": (4, pi / 4, 1.28),
    "cut-off": (8, pi / 8, 1.12),
    "unknown": (4, 0.0, 1.25),
}
"""How many corners a sign has, how far it is turned, and how large it is."""
_CROSS = (((-0.46, -0.46), (0.46, 0.46)), ((-0.46, 0.46), (0.46, -0.46)))  # strokes within a sign of radius 1
#: the bow of a question mark, the same
_HOOK = ((-0.3, -0.3), (-0.22, -0.5), (0.0, -0.6), (0.25, -0.5), (0.28, -0.25), (0.0, 0.05), (0.0, 0.22))
#: what stands in each sign, as strokes
_MARKS: Mapping[Status, tuple[tuple[Point, ...], ...]] = {
    "low": (((0.0, -0.42), (0.0, 0.18)), ((0.0, 0.5), (0.0, 0.52))),
    "none": _CROSS,
    "cut-off": _CROSS,
    "unknown": (_HOOK, ((0.0, 0.55), (0.0, 0.57))),
}


def status_shapes(status: Status, x: float, y: float, radius: float) -> list[Shape]:
    """Return the sign of a status round a point: a disc with a tick, a triangle with a bar, a square or an octagon with
    a cross, or a question mark in a diamond.
    """
    colour = COLOURS[status]
    ink = INK if status in ("low", "unknown") else WHITE
    width = radius * 0.3
    shapes: list[Shape] = []
    if status == "full":
        shapes += [Circle(x=x, y=y, radius=radius * (1 + _RIM), fill=WHITE)]
        shapes += [Circle(x=x, y=y, radius=radius, fill=colour, stroke=INK, width=radius * 0.1)]
        marks: tuple[tuple[Point, ...], ...] = (((-0.48, 0.02), (-0.12, 0.4), (0.5, -0.38)),)
    else:
        many, turn, size = _FORMS[status]
        middle = y + (radius * 0.12 if many == 3 else 0)
        rim = _corners(x, middle, radius * (size + 1.6 * _RIM), many, turn)
        body = _corners(x, middle, radius * size, many, turn)
        shapes += [Polygon(points=rim, fill=WHITE), Polygon(points=body, fill=colour, stroke=INK, width=radius * 0.1)]
        marks = _MARKS[status]
    lines = tuple(tuple((x + dx * radius, y + dy * radius) for dx, dy in line) for line in marks)
    return [*shapes, Path(lines=lines, stroke=ink, width=width)]


def _corners(x: float, y: float, radius: float, many: int, turn: float) -> tuple[Point, ...]:
    """Return the corners of a regular shape round a point."""
    angles = (turn + 2 * pi * number / many for number in range(many))
    return tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles)


def break_shapes(x: float, y: float, radius: float) -> list[Shape]:
    """Return the sign of what breaks a line, round a point: a ring with a bar across it."""
    bar = ((x - radius * 0.55, y - radius * 0.55), (x + radius * 0.55, y + radius * 0.55))
    return [
        Circle(x=x, y=y, radius=radius * 1.3, fill=WHITE),
        Circle(x=x, y=y, radius=radius * 0.9, fill=WHITE, stroke=BREAK, width=radius * 0.42),
        Path(lines=(bar,), stroke=BREAK, width=radius * 0.42, butt=True),
    ]


def limit_shapes(x: float, y: float, radius: float, along: Point = (1.0, 0.0)) -> list[Shape]:
    """Return the sign of where a range ends, round a point: a bar across the line. along: where the line leads from
    there.
    """
    length = hypot(*along) or 1.0
    across = -along[1] / length * radius * 1.5, along[0] / length * radius * 1.5
    bar = (x - across[0], y - across[1]), (x + across[0], y + across[1])
    return [
        Path(lines=(bar,), stroke=WHITE, width=radius * 1.1),
        Path(lines=(bar,), stroke=INK, width=radius * 0.55, butt=True),
    ]


# --- units ------------------------------------------------------------------------------------------------------------

_BADGE = 2.9  # mm, the radius of a status on the top counter
_SMALL_BADGE = 1.6  # mm, the same on the strip of a covered one
_ROOM = HEX * 0.84  # mm of height for the list of a hex
_ROW = 9.2  # mm, a row of a list at most
_LEAST_ROW = 6.4  # mm, a row at least
_WIDE = HEX * 1.06  # mm, the greatest width of a row
_ROWS = int(_ROOM // _LEAST_ROW)  # rows at most
_LETTERS = 0.7  # of a row, as a share of its height
_LEAST_LETTERS = 0.3  # the smallest ones, as a share of it
_GLOWING: Mapping[Status, float] = {"low": 0.6, "none": 0.55, "cut-off": 0.6}
"""How opaque the colour of a hex is whose units lack something."""


def status_layer(shown: LineSketch, faces: Mapping[str, Sequence[Face]], room: Callable[[str], PageBox]) -> Layer:
    """Return the statuses on the counters of stacks. room: that of the counters in a hex."""
    shapes = list[Shape]()
    for mark, point, radius in _find_badges(shown, faces, room):
        drawn = status_shapes(mark.status, *point, radius)
        shapes.append(Group(f"{mark.unit}: {shown.words.statuses[mark.status]}", tuple(drawn)))
    return Layer("statuses", tuple(shapes))


def _find_badges(
    shown: LineSketch, faces: Mapping[str, Sequence[Face]], room: Callable[[str], PageBox]
) -> Iterator[tuple[Marked, Point, float]]:
    """Yield the units with a status on their counters, with its middle and its radius."""
    marks = shown.marks
    for name, stack in faces.items():
        places, _ = stack_places(len(stack), room(name))
        for at in range(len(stack) - 1, -1, -1):
            mark, place = marks.get(stack[at].id), places[at]
            if mark is None:
                continue
            x, y, size = place.x + COUNTER * place.scale, place.y, COUNTER * place.scale
            radius = (_SMALL_BADGE if at else _BADGE) * place.scale
            y += size - place.tab / 2 if at else radius * 0.4
            x += radius * (1.0 if at else 0.1)  # beside the strip of a covered one, which is full of figures
            yield mark, (x, y), radius


_PLATE = 3.3  # size of the letters of a status, mm
_MORE_SIZE = 2.7  # size of what more is said below it, mm
_MOST_PLATES = 8  # hexes in which the status of units is written at most


class Plate(NamedTuple):
    """The status of the units of a hex in words. more: what else is said of them, "" for nothing; large: by how much its
    letters are enlarged.
    """

    status: Status
    text: str
    more: str
    large: float = 1.0

    @property
    def sizes(self) -> tuple[float, float]:
        """The letters of the status and of what else is said, in millimetres."""
        return _PLATE * self.large, _MORE_SIZE * self.large

    @property
    def width(self) -> float:
        """How wide it is, in millimetres."""
        size, small = self.sizes
        return max(text_width(self.text, size, bold=True), text_width(self.more, small)) + 2.4

    @property
    def height(self) -> float:
        """How high it is, in millimetres."""
        size, small = self.sizes
        return size * 1.5 + (small * 1.25 if self.more else 0.0)


def plates_of(shown: LineSketch, large: float = 1.0) -> dict[str, Plate]:
    """Return the status of units in words by hex, where they have one status; none where there are many units. large:
    by how much their letters are enlarged.
    """
    marks_at = dict[str, list[Marked]]()
    for mark in shown.units:
        marks_at.setdefault(mark.place, []).append(mark)
    if len(marks_at) > _MOST_PLATES:
        return {}
    words = {**shown.words.statuses, **shown.words.brief}
    plates = dict[str, Plate]()
    for place, marks in marks_at.items():
        first, *others = marks
        if all(mark.status == first.status for mark in others):
            more = first.more if all(mark.more == first.more for mark in others) else ""
            text = words[first.status]
            plates[place] = Plate(first.status, f"{text[:1].upper()}{text[1:]}", more, large)
    return plates


def plate_marks(
    layout: Layout, plates: Mapping[str, Plate], boxes: Mapping[str, PageBox], frame: PageBox
) -> Iterator[tuple[str, Inscription[Plate]]]:
    """Yield the statuses of units in words, each with its hex: below the counters there. boxes: of counters; frame: in
    which they stay.
    """
    for at, plate in plates.items():
        if at in boxes:
            sizes = [plate._replace(large=plate.large * share) for share in (1.0, 0.9, 0.8)]
            low = boxes[at].bottom - layout.centre(at)[1] + SHADOW + 0.35 + plate.height / 2
            wanted = ((0.0, low, 0.0), (0.0, HEX / 2 - 1.0 - plate.height / 2, 0.5))
            sized = [(one, (one.width + 0.6, one.height + 0.6), _SMALLER * number) for number, one in enumerate(sizes)]
            yield (
                at,
                hex_mark(f"plate {at}", layout.centre(at), sized, wanted, frame, flat=layout.flat, stack=boxes[at]),
            )


_SMALLER = 8.0
"""How bad it is for what is written in a hex to be a size smaller."""


def plate_layer(placed: Mapping[str, Placement[Any]], plates: Mapping[str, Plate]) -> Layer:
    """Return the statuses of units in words, in the colour of their signs, where they are placed."""
    groups = list[Shape]()
    for at in plates:
        if (found := placed.get(f"plate {at}")) is None:
            continue
        plate: Plate = found.drawn
        x, y = middle_of(found.box.corners)
        colour, top = COLOURS[plate.status], y - plate.height / 2
        (size, small), ink = plate.sizes, ink_on(colour)
        base = base_line(top + size * 0.75, size)
        box = inset(
            x - plate.width / 2,
            top,
            plate.width,
            plate.height,
            0.0,
            radius=1.0,
            fill=colour,
            stroke=WHITE,
            stroke_width=0.5,
        )
        shapes: list[Shape] = [*leader_shapes(found.leader), box, centred_text(plate.text, x, base, size, ink)]
        if plate.more:
            line = base_line(top + size * 1.4 + small * 0.5, small)
            shapes.append(Text(x=x, y=line, text=plate.more, size=small, anchor="middle", fill=ink))
        groups.append(Group(f"{at}: {plate.text}{', ' if plate.more else ''}{plate.more}", tuple(shapes)))
    return Layer("plates", tuple(groups))


class ListRow(NamedTuple):
    """A row of the list of a hex. text: the unit, or how many more; tint: of its nation; symbol: of a source; extended:
    whether that is in its far-reaching mode; status: None for a unit of which it is not told; title: all of it in
    words.
    """

    text: str
    title: str
    tint: str
    symbol: str = ""
    extended: bool = False
    status: Status | None = None


def list_layer(
    shown: LineSketch, layout: Layout, reader: SurveyReader, symbols: Symbols, least: float = 0.0
) -> tuple[Layer, dict[str, PageBox]]:
    """Return the units of all hexes as lists, and the box that each fills. least: the size of the smallest letters, in
    millimetres; names then go without their nation, and lists may be wider.
    """
    widest = _WIDE * 1.25 if least else _WIDE
    marks, origins = shown.marks, {origin.unit: origin for origin in shown.origins if origin.unit}
    groups: list[Group] = []
    boxes: dict[str, PageBox] = {}

    def row(unit: Unit) -> ListRow:
        nation, mark, origin = reader.word(reader.picture.nation, unit.id), marks.get(unit.id), origins.get(unit.id)
        words = [unit.id, shown.words.statuses[mark.status] if mark else nation, origin.mode if origin else ""]
        return ListRow(
            unit.id.removeprefix(f"{reader.title_of(nation)} ") if least else unit.id,
            ", ".join(filter(None, words)),
            reader.palette.nation(nation),
            reader.word(reader.picture.symbol, unit.id) if origin else "",
            bool(origin and origin.extended),
            mark.status if mark else None,
        )

    for name in layout.names:
        rows = [row(unit) for unit in reader.state.stack(name)]
        if (nation := reader.unseen_nation(name)) is not None:
            rows.append(ListRow("?", f"{nation or 'nation unknown'}, unseen units", reader.palette.nation(nation)))
        if not rows:
            continue
        rows = _shorten_list(rows)
        x, y = layout.centre(name)
        parts = sum(_row_height(line) for line in rows)
        row_height = min(_ROW, _ROOM / parts)
        width = min(max(_row_width(line, row_height) for line in rows), widest)
        top = y - row_height * parts / 2
        box = PageBox(x - width / 2, top, x + width / 2, top + row_height * parts)
        for entry in rows:
            shapes = _draw_row(entry, box.left, top, width, row_height, symbols, least)
            groups.append(Group(f"{name}: {entry.title}", tuple(shapes)))
            top += row_height * _row_height(entry)
        boxes[name] = box
    return Layer("units", tuple(groups)), boxes


def glow_layer(shown: LineSketch, layout: Layout) -> Layer:
    """Return the hexes of units that lack something, in the colour of the status that needs help most: it is seen from
    afar.
    """
    statuses_at: dict[str, list[Status]] = {}
    for unit in shown.units:
        if layout.draws(unit.place):
            statuses_at.setdefault(unit.place, []).append(unit.status)
    shapes = []
    for status, opacity in _GLOWING.items():
        hexes = [name for name, statuses in statuses_at.items() if worst(statuses) == status]
        if hexes:
            lines = tuple(hexagon(layout.centre(name), RADIUS * 0.9, flat=layout.flat) for name in hexes)
            shapes.append(Path(lines=lines, closed=True, fill=COLOURS[status], opacity=opacity))
    return Layer("lacking", tuple(shapes))


def _shorten_list(rows: list[ListRow]) -> list[ListRow]:
    """Return as many rows as a hex has room for; the last one stands for the rest, with the status that needs help
    most.
    """
    if len(rows) <= _ROWS:
        return rows
    kept, more = rows[: _ROWS - 1], rows[_ROWS - 1 :]
    statuses = [row.status for row in more if row.status]
    status = worst(statuses) if statuses else None
    return [*kept, ListRow(f"{len(more)} more", "; ".join(row.title for row in more), more[0].tint, status=status)]


def _row_height(row: ListRow) -> float:
    """Return how high a row is, in rows of usual height: those of sources have long names."""
    return 1.4 if row.symbol else 1.0


def _row_width(row: ListRow, height: float) -> float:
    """Return how wide a row is."""
    status = 0.95 if row.status is not None else 0.0
    symbol = 0.55 * ASPECT + 0.1 if row.symbol else 0.0
    mode = 0.6 if row.extended else 0.0
    return height * (status + symbol + mode + 0.45) + text_width(row.text, height * _LETTERS, bold=True)


def _draw_row(
    row: ListRow, left: float, top: float, width: float, height: float, symbols: Symbols, least: float
) -> list[Shape]:
    """Return a row from its upper left corner: the status, the symbol of a source, what it is called, and an E for its
    far-reaching mode.
    """
    full = height * _row_height(row)
    y, ink, edge = top + full / 2, ink_on(row.tint), darken(row.tint)
    shapes: list[Shape] = [
        inset(left, top, width, full, 0.2, radius=height * 0.2, fill=row.tint, stroke=edge, stroke_width=0.4)
    ]
    x, right = left + height * 0.22, left + width - height * 0.22
    if row.status is not None:
        radius = height * 0.32
        shapes += status_shapes(row.status, x + height * 0.34, y, radius)
        x += height * 0.95
    if row.symbol:
        symbol_height = height * 0.55
        shapes += symbol_box(row.symbol, x, y - symbol_height / 2, symbol_height, symbols)
        x += symbol_height * ASPECT + height * 0.1
    if row.extended:
        right -= height * 0.55
        shapes.append(
            Rectangle(x=right, y=y - height * 0.3, width=height * 0.5, height=height * 0.6, radius=0.5, fill=edge)
        )
        size = max(height * 0.5, least)
        shapes.append(centred_text("E", right + height * 0.25, base_line(y, size), size, WHITE))
        right -= height * 0.1
    smallest = max(height * _LEAST_LETTERS, least)
    size = max(height * _LETTERS, least)
    text = fit_lines(row.text, size, right - x, max(full * 0.86, least), least=smallest, bold=True)
    base = base_line(y, text.size, len(text.lines))
    return [*shapes, *text_lines(text.lines, base, text.size, x=x, bold=True, fill=ink)]


# --- lines ------------------------------------------------------------------------------------------------------------

THIN = 1.1  # mm, a line of one unit
_MORE = 0.85  # mm by which it grows
THICK = 6.0  # mm, a line at most
_CASING = 1.5  # mm at each side of a line
DASH = 1.8, 1.5
"""The dash of a line that serves in part, in its widths."""


def width_of(number: int) -> float:
    """Return the width of a stretch that so many lines share, in millimetres."""
    return min(THIN + _MORE * (sqrt(number) - 1) * 1.6, THICK)


def strand_layers(
    layout: Layout, strands: Collection[Strand], sides: Sequence[str], palette: Palette, scale: float
) -> list[Layer]:
    """Return the casings of all lines, below roads and railways, and the lines. scale: how much wider they are drawn."""
    casings: list[Shape] = []
    lines: list[Shape] = []
    for side in sides:
        colour = palette.side(side).strong
        carried = weights(strands, side)
        for full in (False, True):
            for width, runs in _join_by_width(layout, carried, full=full).items():
                line_width = width * scale
                dash = () if full else tuple(part * max(line_width, 1.4) for part in DASH)
                casing = mix(colour, WHITE, 0.25)
                casings.append(Path(lines=runs, stroke=casing, width=line_width + 2 * _CASING * scale, opacity=0.28))
                lines.append(Path(lines=runs, stroke=WHITE, width=line_width + 0.8 * scale))
                lines.append(Path(lines=runs, stroke=colour, width=line_width, dash=dash, butt=bool(dash)))
    return [Layer("casings", tuple(casings)), Layer("lines", tuple(lines))]


def _join_by_width(
    layout: Layout, carried: Mapping[str, Weight], *, full: bool
) -> dict[float, tuple[tuple[Point, ...], ...]]:
    """Return the stretches of one kind, from centre to centre, joined to runs of the same width."""
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
    """Return stretches joined end to end, as far as they go without a branch, so that dashes run on over hexsides."""
    beyond: dict[str, list[str]] = {}
    for one, other in pairs:
        beyond.setdefault(one, []).append(other)
        beyond.setdefault(other, []).append(one)
    left = {frozenset(pair) for pair in pairs}
    runs = []
    starts = sorted(beyond, key=lambda at: (len(beyond[at]) == 2, at))  # ends and branches before middles
    for start in starts:
        for first in beyond[start]:
            if frozenset((start, first)) not in left:
                continue
            run = [start, first]
            left.discard(frozenset(run))
            while len(beyond[run[-1]]) == 2:
                after = next((at for at in beyond[run[-1]] if frozenset((run[-1], at)) in left), "")
                if not after:
                    break
                left.discard(frozenset((run[-1], after)))
                run.append(after)
            runs.append(run)
    return runs


def dot_layer(layout: Layout, strands: Collection[Strand], sides: Sequence[str], palette: Palette) -> Layer:
    """Return a dot in each hex of the lines, for pictures of few."""
    shapes = []
    for side in sides:
        hexes = dict.fromkeys(
            at for strand in strands if strand.side == side and len(strand.hexes) > 1 for at in strand.hexes
        )
        for x, y in map(layout.centre, hexes):
            shapes.append(Circle(x=x, y=y, radius=1.3, fill=WHITE, stroke=palette.side(side).strong, width=0.6))
    return Layer("dots", tuple(shapes))


# --- reach, sources, breaks -------------------------------------------------------------------------------------------

NEAR = Strokes(pitch=2.6, width=0.38, opacity=0.45)
FAR = NEAR.scaled(2.0, 1.0)
"""The strokes of hexes within the usual and the far reach of ways."""
TICK = 1.7
"""How long the ticks are inside the reach of a source."""
WIDTH = 0.8  # mm, an outline of the reach of a source
FAR_DASH = (3.2, 1.8)  # mm, its dash for the far reach
_NEAR_INSET = 1.5  # mm that the outline of the usual reach lies inside it
_FAR_INSET = 0.6  # mm that the one of the far reach does


def reach_layer(survey: Survey, reaches: Sequence[SourceReach], scale: float) -> Layer:
    """Return the reach of ways as hatching, closer within their usual one; that of single sources as outlines: solid
    with ticks inwards for the usual one, dashed for the far one.
    """
    shapes: list[Shape] = []
    drawn = frozenset(survey.layout.names)
    for area in sorted(reaches, key=lambda reach: not reach.ways):
        colour = survey.palette.side(area.side).strong
        near, far = area.near & drawn, area.far & drawn
        if area.ways:
            slant = slant_of(list(dict.fromkeys(reach.side for reach in reaches)), area.side)
            for hexes, strokes in ((far - near, FAR), (near, NEAR)):
                corners = [survey.layout.corners(name) for name in survey.layout.names if name in hexes]
                shapes += hatching(corners, colour, slant, strokes.scaled(scale, scale))
            continue
        far = frozenset() if far == near else far
        for hexes, inward, dash in ((far, _FAR_INSET, FAR_DASH), (near, _NEAR_INSET, ())):
            lines = _find_edges(survey, hexes, inward * scale)
            dashes = tuple(part * scale for part in dash)
            if lines:
                shapes.append(Path(lines=lines, stroke=WHITE, width=(WIDTH + 0.7) * scale, opacity=0.6))
                shapes.append(Path(lines=lines, stroke=colour, width=WIDTH * scale, dash=dashes))
                if not dash:
                    inner = _find_edges(survey, hexes, (inward + TICK) * scale)
                    ticks = tuple(draw_ticks(lines, inner))
                    shapes.append(Path(lines=ticks, stroke=colour, width=WIDTH * 0.7 * scale, butt=True))
    return Layer("reach", tuple(shapes))


def draw_ticks(outer: Sequence[Sequence[Point]], inner: Sequence[Sequence[Point]]) -> Iterator[tuple[Point, Point]]:
    """Yield short strokes from a line to the one inside it, three on each hexside."""
    for line, inside in zip(outer, inner, strict=True):
        for (start, end), (from_, to) in zip(pairwise(line), pairwise(inside), strict=True):
            for share in (0.2, 0.5, 0.8):
                yield point_between(start, end, share), point_between(from_, to, share)


def _find_edges(survey: Survey, hexes: Collection[str], inwards: float) -> tuple[tuple[Point, ...], ...]:
    """Return the outline of hexes, moved inwards by some millimetres; open where it would follow the edge of what is
    drawn.
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


_RING_WIDTH = 2.0  # mm, the ring round what is left to a unit that is cut off
_FAILING = (2.6, 1.9)  # mm, the dashes of a way that fails
_BEYOND = (0.9, 2.1)  # mm, the dots beyond where it fails


def closed_layer(survey: Survey, closed: Sequence[Closed], scale: float) -> Layer:
    """Return the hexes that enemies close, hatched in their colours."""
    layout, shapes, strokes = survey.layout, list[Shape](), NEAR.scaled(scale, scale * 1.4)
    for area in closed:
        hexes = [layout.corners(name) for name in layout.names if name in area.hexes]
        shapes += hatching(hexes, survey.palette.side(area.enemy).strong, SLANT, strokes)
    return Layer("closed", tuple(shapes))


def cordon_layer(survey: Survey, cordon: Cordon, scale: float) -> Layer:
    """Return what is left to a unit that is cut off, ringed."""
    shapes: list[Shape] = []
    if left := cordon.left.intersection(survey.layout.names):
        ring = land_outlines(survey, left)
        shapes.append(Path(lines=ring, closed=True, stroke=WHITE, width=(_RING_WIDTH + 1.2) * scale, opacity=0.8))
        shapes.append(Path(lines=ring, closed=True, stroke=INK, width=_RING_WIDTH * scale))
    return Layer("cordon", tuple(shapes))


def failing_layer(layout: Layout, failing: Sequence[Failing], scale: float) -> Layer:
    """Return the ways that fail: dashes up to where they do, and dots beyond."""
    shapes = list[Shape]()
    for way in failing:
        points, many = tuple(map(layout.centre, way.hexes)), len(way.so_far)
        if "|" in way.ends:  # on the hexside before the last hex that was reached
            middle = point_between(points[many - 2], points[many - 1], 0.5)
            until, beyond = (*points[: many - 1], middle), (middle, *points[many - 1 :])
        else:
            until, beyond = points[:many], points[many - 1 :]
        parts: list[Shape] = []
        if len(until) > 1:
            parts += failing_shapes(until, scale)
        if len(beyond) > 1:
            parts += failing_shapes(beyond, scale, beyond=True)
        shapes.append(Group(f"{way.unit}: {way.text}", tuple(parts)))
    return Layer("failing", tuple(shapes))


SLANT = 148.0
"""How the strokes of closed hexes lean, in degrees: across those of the reach of ways."""


def failing_shapes(way: tuple[Point, ...], scale: float, *, beyond: bool = False) -> list[Shape]:
    """Return a way that fails: dashes, so that it is no line of supply; dots beyond where it does."""
    if beyond:
        pattern, width = _BEYOND, 0.9
    else:
        pattern, width = _FAILING, 1.3
    dash = tuple(part * scale for part in pattern)
    return [
        Path(lines=(way,), stroke=WHITE, width=(width + 1.3) * scale, opacity=0.85),
        Path(lines=(way,), stroke=BREAK, width=width * scale, dash=dash, butt=True),
    ]


_SIGN = 2.6  # mm, the radius of the sign of a break
_LABEL = 2.9  # size of the letters beside it, mm


def ring_layer(layout: Layout, origins: Sequence[Origin], palette: Palette, scale: float) -> Layer:
    """Return a ring round the hex of each source, a double one for a source in its far-reaching mode; a sign for a
    railway.
    """
    shapes: list[Shape] = []
    drawn: dict[tuple[str, str, bool], Origin] = {}  # of several in a hex one in its far-reaching mode
    for source in sorted(origins, key=lambda origin: not origin.extended):
        if layout.draws(source.place):
            drawn.setdefault((source.place, source.side, source.ways), source)
    for (place, side, ways), source in drawn.items():
        colour, centre = palette.side(side).strong, layout.centre(place)
        parts = (
            ways_shapes(centre, colour, 1.0 if scale < 1.2 else 1.5)
            if ways
            else ring_shapes(centre, colour, flat=layout.flat, scale=scale, extended=source.extended)
        )
        mode = f", {source.mode}" if source.mode else ""
        shapes.append(Group(f"{place}: {source.name}{mode}", tuple(parts)))
    return Layer("sources", tuple(shapes))


def ring_shapes(
    centre: Point, colour: str, *, flat: bool, scale: float, extended: bool, radius: float = RADIUS
) -> list[Shape]:
    """Return the hex of a source: filled in the colour of its side, with a dark ring, a double one in its far-reaching
    mode.
    """
    width = radius * 0.052 * scale
    filled = hexagon(centre, radius * 0.9, flat=flat)
    shapes: list[Shape] = [Path(lines=(filled,), closed=True, fill=mix(colour, WHITE, 0.35), opacity=0.75)]
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
        Rectangle(x=x - half, y=y - half, width=2 * half, height=2 * half, radius=half * 0.3, fill=WHITE, stroke=colour, stroke_width=half * 0.3)
    ]  # fmt: skip
    rails = tuple(((x - half * 0.7, y + dy * half), (x + half * 0.7, y + dy * half)) for dy in (-0.28, 0.28))
    sleepers = tuple(((x + dx * half, y - half * 0.55), (x + dx * half, y + half * 0.55)) for dx in (-0.4, 0.0, 0.4))
    return [*shapes, Path(lines=rails + sleepers, stroke=INK, width=half * 0.16)]


def break_points(
    layout: Layout, shown: LineSketch, boxes: Mapping[str, PageBox], scale: float
) -> Iterator[tuple[Break, Point]]:
    """Yield the breaks in hexes that are drawn, each with where its sign stands: on its hexside, or to the left of the
    counters of its hex. boxes: of counters.
    """
    for gap in shown.breaks:
        ends = gap.where.split("|")
        if not all(map(layout.draws, ends)):
            continue
        x, y = layout.centre(ends[0])
        if len(ends) == 2:
            x, y = point_between((x, y), layout.centre(ends[1]), 0.5)
        elif gap.where in boxes:
            x = boxes[gap.where].left - _SIGN * scale * 1.3 - 0.3
        yield gap, (x, y)


def _choose_words(shown: LineSketch, gap: Break) -> str:
    """Return what is written beside the sign of a break: where a way that fails ends that too."""
    return next((way.text for way in shown.failing if way.ends == gap.where), gap.why)


def break_marks(
    points: Sequence[tuple[Break, Point]], shown: LineSketch, scale: float, large: float
) -> Iterator[tuple[str, Inscription[Any]]]:
    """Yield the words of breaks beside their signs. points: where these stand; large: by how much letters are enlarged."""
    for number, (gap, point) in enumerate(points):
        yield (
            "",
            Inscription(
                f"break {number}",
                partial(_place_beside_sign, _choose_words(shown, gap), point, SIGN * scale, large),
                plate=True,
            ),
        )


def _place_beside_sign(text: str, point: Point, sign: float, large: float) -> Iterator[Placement[Sequence[str]]]:
    """Yield where the words of a break may stand: below or above its sign, at its right or left, on one line or two."""
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
    """Yield words on one line, and on two."""
    yield (text,)
    lines = wrap(text, _LABEL * large, text_width(text, _LABEL * large) * 0.62)
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
    """Return the sign of each break, and its words where they are placed. points: where the signs stand; large: by how
    much letters are enlarged.
    """
    course, shapes = shown.course, list[Shape]()
    for number, (gap, (x, y)) in enumerate(points):
        if gap.limit and all(map(layout.draws, around := course.get(gap.where, ()))) and around:
            (before_x, before_y), (after_x, after_y) = map(layout.centre, around)
            parts = limit_shapes(x, y, _SIGN * scale, (after_x - before_x, after_y - before_y))
        else:
            parts = limit_shapes(x, y, _SIGN * scale) if gap.limit else break_shapes(x, y, _SIGN * scale)
        if place := placed.get(f"break {number}"):
            parts += _draw_plate(place.drawn, middle_of(place.box.corners), large)
        whom = f", for {', '.join(gap.units)}" if gap.units else ""
        shapes.append(Group(f"{gap.where}: {gap.why}{whom}", tuple(parts)))
    return Layer("breaks", tuple(shapes))


def format_origins(shown: LineSketch) -> dict[str, str]:
    """Return what stands in the hexes of sources: their mode."""
    words: dict[str, list[str]] = {}
    for origin in shown.origins:
        if origin.mode:
            words.setdefault(origin.place, []).append(origin.mode)
    return {place: "; ".join(dict.fromkeys(modes)) for place, modes in words.items()}


def _plate_width(text: str, large: float) -> float:
    return text_width(text, _LABEL * large) + 1.6


def _plate_height(lines: Sequence[str], large: float) -> float:
    return _LABEL * large * 1.08 * len(lines) + 0.9 * large


def _draw_plate(lines: Sequence[str], middle: Point, large: float) -> list[Shape]:
    (x, y), size = middle, _LABEL * large
    width, height = max(_plate_width(line, large) for line in lines), _plate_height(lines, large)
    plate = inset(
        x - width / 2, y - height / 2, width, height, 0.0, radius=1.0, fill=WHITE, stroke=SOFT_INK, stroke_width=0.2
    )
    base = base_line(y, size, len(lines), 1.08)
    return [plate, *text_lines(lines, base, size, 1.08, x=x, anchor="middle", fill=INK)]


SIGN = _SIGN * 1.3
"""How far the sign of a break reaches from its middle, in millimetres."""


def status_boxes(
    shown: LineSketch, faces: Mapping[str, Sequence[Face]], room: Callable[[str], PageBox]
) -> Iterator[PageBox]:
    """Yield the boxes of the statuses on counters, as `status_layer` draws them."""
    for _, (x, y), radius in _find_badges(shown, faces, room):
        yield box_around(x, y, 3 * radius, 3 * radius)
