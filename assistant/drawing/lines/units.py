"""Units in a picture of lines.

Their status is shown as a badge on each counter, and on a plate in words below the counters of a hex. A map whose hexes
are too small for counters lists the units of each hex in rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...asking.line_sketch import LineSketch, Marked, Status, find_worst_status
from ...state.state import Unit
from ..colours import WHITE, darken, ink_on
from ..counters import SHADOW_WIDTH_MM, Face, centred_text, stack_places, symbol_box
from ..geometry import PageBox, box_around, hexagon, middle_of
from ..layout import Layout
from ..lettering import base_line, fit_lines, text_width
from ..map.layers import leader_shapes
from ..map.survey import SurveyReader
from ..placement import Inscription, Placement, hex_mark
from ..scene import Group, Layer, Path, Point, Rectangle, Shape, Text, inset, text_lines
from ..style import COUNTER_MM, HEX_MM, RADIUS
from ..symbols import ASPECT, Symbols
from .layers import COLOURS, status_shapes

# --- badges on counters -----------------------------------------------------------------------------------------------

_BADGE_RADIUS_MM = 2.9
_SMALL_BADGE_RADIUS_MM = 1.6
"""The radius of a badge on the strip of a covered counter."""


def status_layer(shown: LineSketch, faces: Mapping[str, Sequence[Face]], room: Callable[[str], PageBox]) -> Layer:
    """Return the statuses of units as badges on their counters."""
    shapes = list[Shape]()
    for mark, point, radius in _find_badges(shown, faces, room):
        badge = status_shapes(mark.status, *point, radius)
        shapes.append(Group(f"{mark.unit}: {shown.words.statuses[mark.status]}", tuple(badge)))
    return Layer("statuses", tuple(shapes))


def status_boxes(
    shown: LineSketch, faces: Mapping[str, Sequence[Face]], room: Callable[[str], PageBox]
) -> Iterator[PageBox]:
    """Yield the boxes around the badges that `status_layer` draws."""
    for _, (x, y), radius in _find_badges(shown, faces, room):
        yield box_around(x, y, 3 * radius, 3 * radius)


def _find_badges(
    shown: LineSketch, faces: Mapping[str, Sequence[Face]], room: Callable[[str], PageBox]
) -> Iterator[tuple[Marked, Point, float]]:
    """Yield each unit with a status, the middle of its badge and the radius, in each stack from the bottom up."""
    marks = shown.marks
    for name, stack in faces.items():
        places, _ = stack_places(len(stack), room(name))
        for depth in range(len(stack) - 1, -1, -1):
            mark, place = marks.get(stack[depth].id), places[depth]
            if mark is None:
                continue
            side = COUNTER_MM * place.scale
            right = place.x + side
            if depth:  # a covered counter shows only a strip full of figures, so the badge is beside it
                radius = _SMALL_BADGE_RADIUS_MM * place.scale
                yield mark, (right + radius, place.y + (side - place.tab / 2)), radius
            else:  # the badge of the top counter is on its upper right corner
                radius = _BADGE_RADIUS_MM * place.scale
                yield mark, (right + radius * 0.1, place.y + radius * 0.4), radius


# --- plates -----------------------------------------------------------------------------------------------------------

_STATUS_SIZE_MM = 3.3
_REMARK_SIZE_MM = 2.7
_MAX_HEXES_WITH_PLATES = 8
_PLATE_SCALES = (1.0, 0.9, 0.8)
"""The scales of a plate that are tried."""
_COST_OF_SMALLER_PLATE = 8.0
"""Placement cost for each step down in the scales."""


class Plate(NamedTuple):
    """A plate that states the status of the units of a hex in words."""

    status: Status
    text: str
    more: str
    """A remark below the status, or ""."""
    large: float = 1.0
    """The factor by which its letters are enlarged."""

    @property
    def sizes(self) -> tuple[float, float]:
        return _STATUS_SIZE_MM * self.large, _REMARK_SIZE_MM * self.large

    @property
    def width(self) -> float:
        status_size, remark_size = self.sizes
        return max(text_width(self.text, status_size, bold=True), text_width(self.more, remark_size)) + 2.4

    @property
    def height(self) -> float:
        status_size, remark_size = self.sizes
        return status_size * 1.5 + (remark_size * 1.25 if self.more else 0.0)


def plates_of(shown: LineSketch, large: float = 1.0) -> dict[str, Plate]:
    """Return a plate for each hex whose units have the same status, or no plates if units are in more than eight hexes.

    A plate has a remark only if the remark is the same for all these units.

    `large`: the factor by which the letters are enlarged.
    """
    marks_at = dict[str, list[Marked]]()
    for mark in shown.units:
        marks_at.setdefault(mark.place, []).append(mark)
    if len(marks_at) > _MAX_HEXES_WITH_PLATES:
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
    """Yield each hex with counters and a plate, and the plate as a mark to be placed below the counters.

    `boxes`: the box of the counters in each hex.
    """
    for hex, plate in plates.items():
        if hex not in boxes:
            continue
        centre, stack = layout.centre(hex), boxes[hex]
        below_stack = stack.bottom - centre[1] + SHADOW_WIDTH_MM + 0.35 + plate.height / 2
        foot_of_hex = HEX_MM / 2 - 1.0 - plate.height / 2
        wanted = ((0.0, below_stack, 0.0), (0.0, foot_of_hex, 0.5))
        sizes = [plate._replace(large=plate.large * scale) for scale in _PLATE_SCALES]
        sized = [
            (smaller, (smaller.width + 0.6, smaller.height + 0.6), _COST_OF_SMALLER_PLATE * number)
            for number, smaller in enumerate(sizes)
        ]
        yield hex, hex_mark(f"plate {hex}", centre, sized, wanted, frame, flat=layout.flat, stack=stack)


def plate_layer(placed: Mapping[str, Placement[Any]], plates: Mapping[str, Plate]) -> Layer:
    """Return the plates in their places, in the colours of their statuses.

    `placed`: the places, by the keys of the marks.
    """
    groups = list[Shape]()
    for hex in plates:
        if (placement := placed.get(f"plate {hex}")) is None:
            continue
        plate: Plate = placement.drawn  # the plate in the size that fits
        x, y = middle_of(placement.box.corners)
        colour, top = COLOURS[plate.status], y - plate.height / 2
        (status_size, remark_size), ink = plate.sizes, ink_on(colour)
        base = base_line(top + status_size * 0.75, status_size)
        box = inset(
            (x - plate.width / 2, top, plate.width, plate.height),
            0.0,
            radius=1.0,
            fill=colour,
            stroke=WHITE,
            stroke_width=0.5,
        )
        shapes: list[Shape] = [
            *leader_shapes(placement.leader),
            box,
            centred_text(plate.text, x, base, status_size, ink),
        ]
        if plate.more:
            base = base_line(top + status_size * 1.4 + remark_size * 0.5, remark_size)
            shapes.append(Text(x=x, y=base, text=plate.more, size=remark_size, anchor="middle", fill=ink))
        groups.append(Group(f"{hex}: {plate.text}{', ' if plate.more else ''}{plate.more}", tuple(shapes)))
    return Layer("plates", tuple(groups))


# --- lists ------------------------------------------------------------------------------------------------------------

_MAX_LIST_HEIGHT_MM = HEX_MM * 0.84
_MAX_ROW_HEIGHT_MM = 9.2
_MIN_ROW_HEIGHT_MM = 6.4
_MAX_ROW_WIDTH_MM = HEX_MM * 1.06
_MAX_ROWS = int(_MAX_LIST_HEIGHT_MM // _MIN_ROW_HEIGHT_MM)
_LETTER_SHARE = 0.7
"""The letter size of a row, as a share of the row's height."""
_MIN_LETTER_SHARE = 0.3
_GLOW_OPACITY: Mapping[Status, float] = {"low": 0.6, "none": 0.55, "cut-off": 0.6}
"""The opacity of a hex's colour, by the status of units that lack something."""


class ListRow(NamedTuple):
    """A row of the list of a hex."""

    text: str
    """The unit, or the number of omitted units."""
    title: str
    """The whole row in words."""
    tint: str
    """The colour of the nation."""
    symbol: str = ""
    """The unit's symbol if the unit is a source, or ""."""
    extended: bool = False
    """Whether the source is in its far-reaching mode."""
    status: Status | None = None
    """The unit's status, or None if the sketch does not state it."""


def list_layer(
    shown: LineSketch, layout: Layout, reader: SurveyReader, symbols: Symbols, min_size: float = 0.0
) -> tuple[Layer, dict[str, PageBox]]:
    """Return the units of all hexes as lists, and the box of each list.

    `min_size`: the minimum letter size in mm, or 0 for none. With a minimum, names omit their nation and lists are
    wider.
    """
    max_width = _MAX_ROW_WIDTH_MM * 1.25 if min_size else _MAX_ROW_WIDTH_MM
    marks, origins = shown.marks, {origin.unit: origin for origin in shown.origins if origin.unit}
    groups: list[Group] = []
    boxes: dict[str, PageBox] = {}

    def make_row(unit: Unit) -> ListRow:
        nation, mark, origin = reader.word(reader.picture.nation, unit.id), marks.get(unit.id), origins.get(unit.id)
        words = [unit.id, shown.words.statuses[mark.status] if mark else nation, origin.mode if origin else ""]
        return ListRow(
            unit.id.removeprefix(f"{reader.title_of(nation)} ") if min_size else unit.id,
            ", ".join(filter(None, words)),
            reader.palette.nation(nation),
            reader.symbol(unit.id) if origin else "",
            bool(origin and origin.extended),
            mark.status if mark else None,
        )

    for name in layout.names:
        rows = [make_row(unit) for unit in reader.state.stack(name)]
        if (nation := reader.unseen_nation(name)) is not None:
            rows.append(ListRow("?", f"{nation or 'nation unknown'}, unseen units", reader.palette.nation(nation)))
        if not rows:
            continue
        rows = _shorten_list(rows)
        x, y = layout.centre(name)
        height_in_rows = sum(_height_in_rows(row) for row in rows)
        row_height = min(_MAX_ROW_HEIGHT_MM, _MAX_LIST_HEIGHT_MM / height_in_rows)
        width = min(max(_row_width(row, row_height) for row in rows), max_width)
        heights = [_full_height(row, row_height, width, min_size) for row in rows]
        top = y - sum(heights) / 2
        box = PageBox(x - width / 2, top, x + width / 2, top + sum(heights))
        for row, height in zip(rows, heights, strict=True):
            shapes = _draw_row(row, PageBox(box.left, top, box.right, top + height), row_height, symbols, min_size)
            groups.append(Group(f"{name}: {row.title}", tuple(shapes)))
            top += height
        boxes[name] = box
    return Layer("units", tuple(groups)), boxes


def glow_layer(shown: LineSketch, layout: Layout) -> Layer:
    """Return the hexes whose units lack something, each in the colour of its most urgent status.

    The colours can be seen from afar, where lists are illegible.
    """
    statuses_at: dict[str, list[Status]] = {}
    for unit in shown.units:
        if layout.draws(unit.place):
            statuses_at.setdefault(unit.place, []).append(unit.status)
    shapes = []
    for status, opacity in _GLOW_OPACITY.items():
        hexes = [name for name, statuses in statuses_at.items() if find_worst_status(statuses) == status]
        if hexes:
            lines = tuple(hexagon(layout.centre(name), RADIUS * 0.9, flat=layout.flat) for name in hexes)
            shapes.append(Path(lines=lines, closed=True, fill=COLOURS[status], opacity=opacity))
    return Layer("lacking", tuple(shapes))


def _shorten_list(rows: list[ListRow]) -> list[ListRow]:
    """Return at most as many rows as a hex has room for.

    If there are more, the last row stands for all omitted ones, with their most urgent status.
    """
    if len(rows) <= _MAX_ROWS:
        return rows
    shown_rows, omitted_rows = rows[: _MAX_ROWS - 1], rows[_MAX_ROWS - 1 :]
    statuses = [row.status for row in omitted_rows if row.status]
    status = find_worst_status(statuses) if statuses else None
    titles = "; ".join(row.title for row in omitted_rows)
    return [*shown_rows, ListRow(f"{len(omitted_rows)} more", titles, omitted_rows[0].tint, status=status)]


def _height_in_rows(row: ListRow) -> float:
    """Return the height of a row as a multiple of the usual height; sources have long names and higher rows."""
    return 1.4 if row.symbol else 1.0


def _row_width(row: ListRow, height: float) -> float:
    return _width_of_signs(row, height) + text_width(row.text, height * _LETTER_SHARE, bold=True)


def _width_of_signs(row: ListRow, height: float) -> float:
    """Return the width of a row without its text."""
    status = 0.95 if row.status is not None else 0.0
    symbol = 0.55 * ASPECT + 0.1 if row.symbol else 0.0
    mode = 0.6 if row.extended else 0.0
    return height * (status + symbol + mode + 0.45)


def _full_height(row: ListRow, height: float, width: float, least: float) -> float:
    """Return the height of a row in mm, which has room for two lines of text if one is too short."""
    full_height, min_size = height * _height_in_rows(row), max(height * _MIN_LETTER_SHARE, least)
    room = width - _width_of_signs(row, height)
    if text_width(row.text, min_size, bold=True) <= room:
        return full_height
    return max(full_height, 2.1 * min_size / _TEXT_HEIGHT_SHARE)


_TEXT_HEIGHT_SHARE = 0.86
"""The height of the text of a row, as a share of the row's height."""


def _draw_row(row: ListRow, box: PageBox, height: float, symbols: Symbols, least: float) -> list[Shape]:
    """Return the shapes of a row: the status, the symbol of a source, the text, and an E for a far-reaching mode.

    `height`: the height of a usual row, by which signs and letters are sized.
    `least`: the minimum letter size in mm, or 0 for none.
    """
    left, top, width, full_height = box.left, box.top, box.right - box.left, box.bottom - box.top
    y, ink, edge = top + full_height / 2, ink_on(row.tint), darken(row.tint)
    shapes: list[Shape] = [
        inset((left, top, width, full_height), 0.2, radius=height * 0.2, fill=row.tint, stroke=edge, stroke_width=0.4)
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
    min_size = max(height * _MIN_LETTER_SHARE, least)
    size = max(height * _LETTER_SHARE, least)
    room = right - x, max(full_height * _TEXT_HEIGHT_SHARE, least)
    text = fit_lines(row.text, size, *room, min_size=min_size, bold=True)
    base = base_line(y, text.size, len(text.lines))
    return [*shapes, *text_lines(text.lines, base, text.size, x=x, bold=True, fill=ink)]
