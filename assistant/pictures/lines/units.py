"""The units of a picture of lines: counters with the sign of their status, or from afar a list of a hex's units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import NamedTuple

from ...drawing.lettering import base_line, fit_lines, text_width
from ...drawing.scene import Circle, Group, Layer, Path, Point, Polygon, Rectangle, Shape, Text, inset
from ...state.state import Unit
from ..colours import INK, WHITE, dark, ink_on
from ..counters import Box, Face, centred_text, stack_places, symbol_box
from ..layout import Layout, hexagon
from ..look import Look
from ..style import COUNTER, HEX, RADIUS, Palette
from ..symbols import ASPECT, Symbols
from .shown import Shown, Status, worst

COLOURS: Mapping[Status, str] = {
    "full": "#4b9bd1",
    "low": "#f5c93c",
    "none": "#a8321f",
    "cut-off": "#1c1714",
    "unknown": WHITE,
}
_RIM = 0.13
"""The white rim round a sign, as a share of its radius."""


def status_shapes(status: Status, x: float, y: float, radius: float, *, doubtful: bool = False) -> list[Shape]:
    """The sign of a status round a point: a disc with a tick, a triangle with a bar, a square with a cross, an octagon
    with a cross, or a question mark in a diamond. doubtful: with a dashed ring round it.
    """
    colour = COLOURS[status]
    ink = INK if status in ("low", "unknown") else WHITE
    width = radius * 0.3
    shapes: list[Shape] = []
    if doubtful:
        ring = tuple(_around(x, y, radius * 1.42, 24, 0.0))
        dash = (radius * 0.45, radius * 0.3)
        shapes.append(Path(lines=(ring,), closed=True, fill=WHITE, stroke=INK, width=radius * 0.16, dash=dash))
    if status == "full":
        shapes += [Circle(x=x, y=y, radius=radius * (1 + _RIM), fill=WHITE)]
        shapes += [Circle(x=x, y=y, radius=radius, fill=colour, stroke=INK, width=radius * 0.1)]
        marks: tuple[tuple[Point, ...], ...] = (((-0.48, 0.02), (-0.12, 0.4), (0.5, -0.38)),)
    else:
        many, turn, size = _FORMS[status]
        body = tuple(_around(x, y + (radius * 0.12 if many == 3 else 0), radius * size, many, turn))
        rim = tuple(_around(x, y + (radius * 0.12 if many == 3 else 0), radius * (size + 1.6 * _RIM), many, turn))
        shapes += [
            Polygon(points=rim, fill=WHITE),
            Polygon(points=body, fill=colour, stroke=INK, width=radius * 0.1),
        ]
        marks = _MARKS[status]
    lines = tuple(tuple((x + dx * radius, y + dy * radius) for dx, dy in line) for line in marks)
    return [*shapes, Path(lines=lines, stroke=ink, width=width)]


_FORMS: Mapping[Status, tuple[int, float, float]] = {
    "low": (3, -pi / 2, 1.28),
    "none": (4, pi / 4, 1.28),
    "cut-off": (8, pi / 8, 1.12),
    "unknown": (4, 0.0, 1.25),
}
"""How many corners a sign has, how far it is turned, and how large it is."""
_CROSS = (((-0.46, -0.46), (0.46, 0.46)), ((-0.46, 0.46), (0.46, -0.46)))
_HOOK = ((-0.3, -0.3), (-0.22, -0.5), (0.0, -0.6), (0.25, -0.5), (0.28, -0.25), (0.0, 0.05), (0.0, 0.22))
_MARKS: Mapping[Status, tuple[tuple[Point, ...], ...]] = {
    "low": (((0.0, -0.42), (0.0, 0.18)), ((0.0, 0.5), (0.0, 0.52))),
    "none": _CROSS,
    "cut-off": _CROSS,
    "unknown": (_HOOK, ((0.0, 0.55), (0.0, 0.57))),
}


def _around(x: float, y: float, radius: float, many: int, turn: float) -> list[Point]:
    angles = (turn + 2 * pi * number / many for number in range(many))
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]


def break_shapes(x: float, y: float, radius: float) -> list[Shape]:
    """The sign of what breaks a line, round a point: a ring with a bar across it."""
    bar = ((x - radius * 0.55, y - radius * 0.55), (x + radius * 0.55, y + radius * 0.55))
    return [
        Circle(x=x, y=y, radius=radius * 1.3, fill=WHITE),
        Circle(x=x, y=y, radius=radius * 0.9, fill=WHITE, stroke=BREAK, width=radius * 0.42),
        Path(lines=(bar,), stroke=BREAK, width=radius * 0.42, butt=True),
    ]


BREAK = "#8f1226"


_BADGE, _SMALL_BADGE = 2.9, 1.6
"""The radius of a status on the top counter and on the strip of a covered one, in millimetres."""
_ROOM = HEX * 0.84
_ROW, _LEAST_ROW, _WIDE = 9.2, 6.4, HEX * 1.06
"""The height of a row of a list, at most and at least, and its greatest width."""
_ROWS = int(_ROOM // _LEAST_ROW)
_LETTERS, _LEAST_LETTERS = 0.7, 0.3
"""The letters of a row and the smallest ones, as shares of its height."""


def badge_layer(shown: Shown, faces: Mapping[str, Sequence[Face]], rooms: Mapping[str, Box]) -> Layer:
    """The statuses on the counters of stacks. rooms: the box that was there for each stack."""
    marks, shapes = shown.marks, list[Shape]()
    for name, stack in faces.items():
        places, _ = stack_places(len(stack), rooms[name])
        for at in range(len(stack) - 1, -1, -1):
            mark, place = marks.get(stack[at].id), places[at]
            if mark is None:
                continue
            x, y, size = place.x + COUNTER * place.scale, place.y, COUNTER * place.scale
            radius = (_SMALL_BADGE if at else _BADGE) * place.scale
            y += size - place.tab / 2 if at else radius * 0.4
            x += radius * (1.0 if at else 0.1)  # beside the strip of a covered one, which is full of figures
            drawn = status_shapes(mark.status, x, y, radius, doubtful=mark.doubtful)
            shapes.append(Group(f"{mark.unit}: {shown.words.statuses[mark.status]}", tuple(drawn)))
    return Layer("statuses", tuple(shapes))


class Row(NamedTuple):
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
    doubtful: bool = False


def list_layer(
    shown: Shown, layout: Layout, look: Look, palette: Palette, symbols: Symbols
) -> tuple[Layer, dict[str, Box]]:
    """The units of all hexes as lists, and the box that each fills."""
    marks, origins = shown.marks, {origin.unit: origin for origin in shown.origins if origin.unit}
    groups: list[Group] = []
    boxes: dict[str, Box] = {}

    def row(unit: Unit) -> Row:
        nation, mark, origin = look.word(look.picture.nation, unit.id), marks.get(unit.id), origins.get(unit.id)
        words = [unit.id, shown.words.statuses[mark.status] if mark else nation, origin.mode if origin else ""]
        return Row(
            unit.id,
            ", ".join(filter(None, words)),
            palette.nation(nation),
            look.word(look.picture.symbol, unit.id) if origin else "",
            bool(origin and origin.extended),
            mark.status if mark else None,
            bool(mark and mark.doubtful),
        )

    for name in layout.names:
        rows = [row(unit) for unit in look.state.stack(name)]
        if (nation := look.unseen_nation(name)) is not None:
            rows.append(Row("?", f"{nation or 'nation unknown'}, unseen units", palette.nation(nation)))
        if not rows:
            continue
        rows = _shorten(rows)
        x, y = layout.centre(name)
        parts = sum(_height(line) for line in rows)
        row_height = min(_ROW, _ROOM / parts)
        width = min(max(_wide(line, row_height) for line in rows), _WIDE)
        top = y - row_height * parts / 2
        box = Box(x - width / 2, top, x + width / 2, top + row_height * parts)
        for entry in rows:
            shapes = _row_shapes(entry, box.left, top, width, row_height, symbols)
            groups.append(Group(f"{name}: {entry.title}", tuple(shapes)))
            top += row_height * _height(entry)
        boxes[name] = box
    return Layer("units", tuple(groups)), boxes


def glow_layer(shown: Shown, layout: Layout) -> Layer:
    """The hexes of units that lack something, in the colour of the status that needs help most: it is seen from afar."""
    statuses_at: dict[str, list[Status]] = {}
    for unit in shown.units:
        if layout.draws(unit.place):
            statuses_at.setdefault(unit.place, []).append(unit.status)
    by_status: dict[Status, list[str]] = {}
    for name, statuses in statuses_at.items():
        if (status := worst(statuses)) in _GLOWING:
            by_status.setdefault(status, []).append(name)
    shapes = [
        Path(
            lines=tuple(hexagon(layout.centre(name), RADIUS * 0.9, flat=layout.flat) for name in by_status[status]),
            closed=True,
            fill=COLOURS[status],
            opacity=_GLOWING[status],
        )
        for status in _GLOWING
        if status in by_status
    ]
    return Layer("lacking", tuple(shapes))


_GLOWING: Mapping[Status, float] = {"low": 0.6, "none": 0.55, "cut-off": 0.6}


def _shorten(rows: list[Row]) -> list[Row]:
    """As many rows as a hex has room for; the last one stands for the rest, with the status that needs help most."""
    if len(rows) <= _ROWS:
        return rows
    kept, more = rows[: _ROWS - 1], rows[_ROWS - 1 :]
    statuses = [row.status for row in more if row.status]
    status = worst(statuses) if statuses else None
    return [*kept, Row(f"{len(more)} more", "; ".join(row.title for row in more), more[0].tint, status=status)]


def _height(row: Row) -> float:
    """How high a row is, in rows of usual height: those of sources have long names."""
    return 1.4 if row.symbol else 1.0


def _wide(row: Row, height: float) -> float:
    """How wide a row is."""
    signs = (row.status is not None) * 0.95 + bool(row.symbol) * (0.55 * ASPECT + 0.1) + row.extended * 0.6
    return height * (signs + 0.45) + text_width(row.text, height * _LETTERS, bold=True)


def _row_shapes(row: Row, left: float, top: float, width: float, height: float, symbols: Symbols) -> list[Shape]:
    """A row from its upper left corner: the status, the symbol of a source, what it is called, and an E for its
    far-reaching mode.
    """
    full = height * _height(row)
    y, ink, edge = top + full / 2, ink_on(row.tint), dark(row.tint)
    shapes: list[Shape] = [
        inset(left, top, width, full, 0.2, radius=height * 0.2, fill=row.tint, stroke=edge, stroke_width=0.4)
    ]
    x, right = left + height * 0.22, left + width - height * 0.22
    if row.status is not None:
        radius = height * (0.25 if row.doubtful else 0.32)
        shapes += status_shapes(row.status, x + height * 0.34, y, radius, doubtful=row.doubtful)
        x += height * 0.95
    if row.symbol:
        tall = height * 0.55
        shapes += symbol_box(row.symbol, x, y - tall / 2, tall, symbols)
        x += tall * ASPECT + height * 0.1
    if row.extended:
        right -= height * 0.55
        shapes.append(
            Rectangle(x=right, y=y - height * 0.3, width=height * 0.5, height=height * 0.6, radius=0.5, fill=edge)
        )
        size = height * 0.5
        shapes.append(centred_text("E", right + height * 0.25, base_line(y, size), size, WHITE))
        right -= height * 0.1
    text = fit_lines(row.text, height * _LETTERS, right - x, full * 0.86, least=height * _LEAST_LETTERS, bold=True)
    base = base_line(y, text.size, len(text.lines))
    written = (
        Text(x=x, y=base + number * text.size, text=line, size=text.size, bold=True, fill=ink)
        for number, line in enumerate(text.lines)
    )
    return [*shapes, *written]
