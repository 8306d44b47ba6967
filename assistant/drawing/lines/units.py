"""Units in a picture of lines: statuses on counters, plates that say them, and lists of the units of a hex."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...asking.line_sketch import (
    LineSketch,
    Marked,
    Status,
    find_worst_status,
)
from ...state.state import Unit
from ..colours import WHITE, darken, ink_on
from ..counters import SHADOW, Face, centred_text, stack_places, symbol_box
from ..geometry import PageBox, box_around, hexagon, middle_of
from ..layout import Layout
from ..lettering import base_line, fit_lines, text_width
from ..map.layers import leader_shapes
from ..map.survey import SurveyReader
from ..placement import Inscription, Placement, hex_mark
from ..scene import Group, Layer, Path, Point, Rectangle, Shape, Text, inset, text_lines
from ..style import COUNTER, HEX, RADIUS
from ..symbols import ASPECT, Symbols
from .layers import COLOURS, status_shapes

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
    """The status of the units of a hex in words."""

    status: Status
    text: str
    more: str
    """What else is said of them, "" for nothing."""
    large: float = 1.0
    """By how much its letters are enlarged."""

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
            (x - plate.width / 2, top, plate.width, plate.height),
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
    """A row of the list of a hex."""

    text: str
    """The unit, or how many more."""
    title: str
    """All of it in words."""
    tint: str
    """Of its nation."""
    symbol: str = ""
    """Of a source."""
    extended: bool = False
    """Whether that is in its far-reaching mode."""
    status: Status | None = None
    """None for a unit of which it is not told."""


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
        hexes = [name for name, statuses in statuses_at.items() if find_worst_status(statuses) == status]
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
    status = find_worst_status(statuses) if statuses else None
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
        inset((left, top, width, full), 0.2, radius=height * 0.2, fill=row.tint, stroke=edge, stroke_width=0.4)
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


def status_boxes(
    shown: LineSketch, faces: Mapping[str, Sequence[Face]], room: Callable[[str], PageBox]
) -> Iterator[PageBox]:
    """Yield the boxes of the statuses on counters, as `status_layer` draws them."""
    for _, (x, y), radius in _find_badges(shown, faces, room):
        yield box_around(x, y, 3 * radius, 3 * radius)
