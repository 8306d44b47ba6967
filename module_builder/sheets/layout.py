"""The layout of counters on pages: fewest pages, shared cuts between counters that look alike, backs behind fronts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple
from zlib import crc32

from assistant.drawing.lettering import ink_rise, text_width
from assistant.drawing.scene import (
    ANCHORS,
    Bitmap,
    Circle,
    Group,
    Marks,
    Path,
    Point,
    Polygon,
    Polyline,
    Rectangle,
    Scene,
    Shape,
    Symbol,
    Text,
    encloses,
)

from ..counters.trims import Trim
from .sizes import MAX_CUT_ERROR_MM, PAPER_MARGIN_MM, Box, Paper, bounding_box

Fold = Literal["gutter", "long-edge", "short-edge", "labels"]
"""The ways to bring a back behind its front: the page is folded, or turned over an edge, or fronts and backs are pasted on."""

BAND_HEIGHT_MM = 4.0
"""Height of the lines of text at the top and foot of a page."""
MARK_GAP_MM = 0.5
"""Space between bleed and crop mark."""
MARK_LENGTH_MM = 2.0
"""Length of a crop mark."""
_BLOCK_GAP_MM = 1.0
"""Space between the crop marks of two sizes of counters."""
FOLD_GAP_MM = 1.5
"""Space between the bleed and the fold."""
_SEAM_MM = 0.1
"""The width of a face below its neighbour at a shared cut, so that no hairline shows between them."""
_EDGE_DEPTHS_MM = (0.1, 0.5, 0.95)
"""The depths inside an edge at which faces are compared, within what a misplaced cut may show."""
_EDGE_PLACES = tuple(step / 16 + 1 / 32 for step in range(16))
"""The places along an edge at which faces are compared, as fractions of the counter's side."""
Side = tuple[str, ...]
"""Colours along one edge, in reading order."""
EdgeColours = tuple[Side, Side]
"""Colours just inside an edge of the trim, and in the bleed beyond the edge."""
_Inner = tuple[float, float, float, float]
"""The left, top, right and lower edge of what no misplaced cut shows."""


class Cell(NamedTuple):
    """A place in the grid of a page."""

    piece: int
    """The number of the counter."""
    row: int
    column: int


class CounterGrid(NamedTuple):
    """The counters of a page, with the columns and rows after which there is a gap."""

    cells: tuple[Cell, ...]
    columns: int
    column_gaps: frozenset[int]
    row_gaps: frozenset[int]

    @property
    def rows(self) -> int:
        return self.cells[-1].row + 1


class SheetSetting(NamedTuple):
    """The setting of sheets of counters."""

    paper: Paper
    fold: Fold
    die: float
    """The length of a counter's side, in mm."""
    bleed: float
    """The width of the bleed around a counter, in mm."""
    corner: float | None = None
    """The radius of the corners on the die line, or None for no die line."""
    through: bool = False
    """Whether cuts are lines through the whole block instead of ticks at its edges."""
    one_sided: bool = False
    """Whether only fronts have crop marks."""
    trim: Trim | None = None
    """The shape and size of the counters, or None for squares of the side `die`."""
    taken: float = 0.0
    """The height that other counters take on the page, in mm: above these, on a folded page below them."""

    @property
    def width(self) -> float:
        """The width of a counter."""
        return self.trim.width if self.trim else self.die

    @property
    def height(self) -> float:
        """The height of a counter."""
        return self.trim.height if self.trim else self.die

    @property
    def border(self) -> float:
        """The width of bleed and marks around counters."""
        return self.bleed + MARK_GAP_MM + MARK_LENGTH_MM

    @property
    def gap(self) -> float:
        """The gap between counters that do not share a cut: room for the bleed of both."""
        return 2 * self.bleed

    @property
    def room(self) -> Box:
        """The room for the trim of fronts."""
        left, top = PAPER_MARGIN_MM + self.border, PAPER_MARGIN_MM + BAND_HEIGHT_MM + self.border
        bottom = self.paper.height - top
        if self.fold == "gutter":
            bottom = self.crease - self.bleed - FOLD_GAP_MM - self.taken
        else:
            top += self.taken
        return Box(left, top, self.paper.width - 2 * left, bottom - top)

    @property
    def crease(self) -> float:
        """The distance of the fold from the top of the page."""
        return self.paper.height / 2


class PlacedFace(NamedTuple):
    """A face on a page: the counter's number, its trim, and the visible part with the bleed."""

    piece: int
    trim: Box
    seen: Box
    turned: bool = False
    """Whether it is upside down."""


class CounterSheet(NamedTuple):
    """The fronts of a page, their backs, and the cuts `across` and `down`.

    The backs are on the same page if it is folded, else on a separate page.
    """

    fronts: tuple[PlacedFace, ...]
    backs: tuple[PlacedFace, ...]
    across: tuple[float, ...]
    down: tuple[float, ...]
    rows: tuple[tuple[int, ...], ...]
    """The numbers of the counters, row by row."""

    @property
    def block(self) -> Box:
        return bounding_box(place.trim for place in self.fronts)

    @property
    def back_block(self) -> Box:
        return bounding_box(place.trim for place in self.backs)

    @property
    def sides(self) -> tuple[tuple[tuple[PlacedFace, ...], Box], tuple[tuple[PlacedFace, ...], Box]]:
        return (self.fronts, self.block), (self.backs, self.back_block)


Alike = Callable[[int, int, bool], bool]
"""Whether two kinds of counters may share a cut; the third argument tells whether the second is below the first, not
right of it.
"""


def fits(setting: SheetSetting) -> bool:
    """Return whether a counter fits on a page."""
    room = setting.room
    return room.width >= setting.width and room.height >= setting.height


def lay_out_sheets(kinds: Sequence[int], may_share: Alike, setting: SheetSetting) -> list[CounterSheet]:
    """Return counters in order on the fewest pages, and of such layouts the one with the fewest gaps.

    The setting must have room for one counter.

    `kinds`: for each counter, a number for what it shows at its edges.
    `may_share`: whether two kinds may share a cut.
    """
    return [_lay_out(grid, setting) for grid in _fill_best(kinds, may_share, setting)]


class CounterGroup(NamedTuple):
    """Counters of one shape and size, with what `lay_out_sheets` needs."""

    first: int
    """The number of the first counter."""
    kinds: Sequence[int]
    may_share: Alike
    setting: SheetSetting


class SheetBlock(NamedTuple):
    """Counters of one shape and size on a page."""

    sheet: CounterSheet
    setting: SheetSetting


def lay_out_groups(groups: Sequence[CounterGroup]) -> list[list[SheetBlock]]:
    """Return pages with blocks of counters, each group packed by itself.

    A group fills whole pages first. What remains of it goes to the first page that has room beside other groups.
    """
    pages: list[list[SheetBlock]] = []
    open_pages: list[list[SheetBlock]] = []
    takens: list[float] = []
    for group in groups:
        grids = [
            grid._replace(cells=tuple(cell._replace(piece=cell.piece + group.first) for cell in grid.cells))
            for grid in _fill_best(group.kinds, group.may_share, group.setting)
        ]
        pages += [[SheetBlock(_lay_out(grid, group.setting), group.setting)] for grid in grids[:-1]]
        height = _measure_height(grids[-1], group.setting)
        tried = (group.setting._replace(taken=taken) for taken in takens)
        number, setting = next(
            ((place, own) for place, own in enumerate(tried) if own.room.height + 1e-6 >= height),
            (len(open_pages), group.setting),
        )
        if number == len(open_pages):
            open_pages.append([])
            takens.append(0.0)
            pages.append(open_pages[number])
        alone = len(groups) == 1
        open_pages[number].append(SheetBlock(_lay_out(grids[-1], setting, centred=alone), setting))
        takens[number] += height + 2 * setting.border + _BLOCK_GAP_MM
    return pages


def _measure_height(grid: CounterGrid, setting: SheetSetting) -> float:
    return grid.rows * setting.height + len(grid.row_gaps) * setting.gap


def _fill_best(kinds: Sequence[int], may_share: Alike, setting: SheetSetting) -> list[CounterGrid]:
    tried = (_fill_pages(kinds, may_share, setting, least_run) for least_run in _MIN_RUNS)
    return min(tried, key=lambda grids: (len(grids), sum(len(grid.column_gaps) + len(grid.row_gaps) for grid in grids)))


def back_place(box: Box, setting: SheetSetting) -> Box:
    """Return the place of a back: below the crease of the same page, or on the page behind."""
    paper = setting.paper
    match setting.fold:
        case "gutter":
            return box._replace(top=2 * setting.crease - box.bottom)
        case "short-edge":
            return box._replace(top=paper.height - box.bottom)
        case _:
            return box._replace(left=paper.width - box.right)


# --- filling a page ---------------------------------------------------------------------------------------------------

_MIN_RUNS = (1_000_000, 8, 4, 1)
"""The minimum numbers of counters of a kind at which it begins a row of its own, tried in this order."""


def _fill_pages(kinds: Sequence[int], alike: Alike, setting: SheetSetting, least_run: int) -> list[CounterGrid]:
    room, width, gap = setting.room, setting.width, setting.gap
    most, least = int(room.width / width + 1e-6), int((room.width + gap) / (width + gap) + 1e-6)
    layouts, first = [], 0
    while first < len(kinds):
        tried = (_fill_page(kinds, first, alike, setting, columns, least_run) for columns in range(most, least - 1, -1))
        grids = [grid for grid in tried if grid is not None]
        grid = max(grids, key=lambda grid: (len(grid.cells), -len(grid.column_gaps) - len(grid.row_gaps)))
        layouts.append(grid)
        first += len(grid.cells)
    return layouts


def _fill_page(
    kinds: Sequence[int], first: int, alike: Alike, setting: SheetSetting, columns: int, least_run: int
) -> CounterGrid | None:
    """Return a page with a number of columns, or None if its gaps leave no room for them.

    `least_run`: how many counters of a kind must follow each other to begin a row.
    """
    room, gap = setting.room, setting.gap
    cells: list[Cell] = []
    across: set[int] = set()
    downs: set[int] = set()
    above: list[int] = []
    height, at, row = 0.0, first, 0
    while at < len(kinds):
        taken = _fill_row(kinds, at, columns, least_run)
        split = any(not alike(upper, kind, True) for upper, kind in zip(above, taken, strict=False))
        higher = height + (gap if split else 0.0) + setting.height
        if higher > room.height + 1e-6:
            break
        if split:
            downs.add(row - 1)
        wider = {n for n in range(len(taken) - 1) if not alike(taken[n], taken[n + 1], False)}
        if columns * setting.width + len(across | wider) * gap > room.width + 1e-6:
            return None
        across |= wider
        cells += [Cell(at + n, row, n) for n in range(len(taken))]
        above, height, at, row = taken, higher, at + len(taken), row + 1
    return CounterGrid(tuple(cells), columns, frozenset(across), frozenset(downs))


def _fill_row(kinds: Sequence[int], at: int, columns: int, least_run: int) -> list[int]:
    """Return the kinds in one row: up to `columns`, or fewer before a long run of another kind."""
    taken = list(kinds[at : at + columns])
    for n in range(1, len(taken)):
        if taken[n] != taken[n - 1] and _is_run(kinds, at + n, least_run):
            return taken[:n]
    return taken


def _is_run(kinds: Sequence[int], at: int, least: int) -> bool:
    return at + least <= len(kinds) and all(kind == kinds[at] for kind in kinds[at : at + least])


# --- places of counters, and the colours of their edges ---------------------------------------------------------------


def _lay_out(grid: CounterGrid, setting: SheetSetting, *, centred: bool = True) -> CounterSheet:
    width, height, gap, room = setting.width, setting.height, setting.gap, setting.room
    columns = max(cell.column for cell in grid.cells) + 1
    lefts = list(_list_starts(columns, width, gap, grid.column_gaps))
    tops = list(_list_starts(grid.rows, height, gap, grid.row_gaps))
    left = room.left + (room.width - lefts[-1] - width) / 2
    # On a folded page the counters lie next to the crease, where front and back match best.
    below = setting.fold == "gutter"
    top = room.top + (room.height - tops[-1] - height) * (1 if below else 0.5 if centred else 0)
    taken = {(cell.row, cell.column) for cell in grid.cells}

    def spread(*, shared: bool) -> float:
        return _SEAM_MM if shared else setting.bleed

    fronts: list[PlacedFace] = []
    rows: list[list[int]] = [[] for _ in tops]
    for piece, row, column in grid.cells:
        trim = Box(left + lefts[column], top + tops[row], width, height)
        over, under = (row - 1, column) in taken, (row + 1, column) in taken
        before, after = (row, column - 1) in taken, (row, column + 1) in taken
        west = spread(shared=before and column - 1 not in grid.column_gaps)
        east = spread(shared=after and column not in grid.column_gaps)
        north = spread(shared=over and row - 1 not in grid.row_gaps)
        south = spread(shared=under and row not in grid.row_gaps)
        seen = Box(trim.left - west, trim.top - north, width + west + east, height + north + south)
        fronts.append(PlacedFace(piece, trim, seen))
        rows[row].append(piece)
    turned = setting.fold in ("gutter", "short-edge")  # upright once a counter is turned over sideways
    backs = tuple(
        PlacedFace(front.piece, back_place(front.trim, setting), back_place(front.seen, setting), turned)
        for front in fronts
    )
    return CounterSheet(
        tuple(fronts),
        backs,
        _find_cuts(top, tops, height),
        _find_cuts(left, lefts, width),
        tuple(map(tuple, rows)),
    )


def _list_starts(count: int, die: float, gap: float, gaps: frozenset[int]) -> Iterator[float]:
    """Yield the start of each column or row, from the first on.

    `gaps`: the columns or rows that have a gap after them.
    """
    at = 0.0
    for number in range(count):
        yield at
        at += die + (gap if number in gaps else 0.0)


def _find_cuts(first: float, steps: Sequence[float], die: float) -> tuple[float, ...]:
    lines = sorted(first + step + side for step in steps for side in (0.0, die))
    return tuple(line for before, line in zip((first - 1, *lines), lines, strict=False) if line - before > 1e-6)


class Edges(NamedTuple):
    """The colours of a face along each edge of its trim: just inside the edge, and in the bleed, in reading order."""

    left: EdgeColours
    top: EdgeColours
    right: EdgeColours
    bottom: EdgeColours


class _EdgeShape(NamedTuple):
    """A shape near an edge: its box, and its outline if that is not the box."""

    left: float
    top: float
    right: float
    bottom: float
    paint: str
    outline: tuple[Point, ...] = ()
    hollow: float = 0.0

    def covers(self, x: float, y: float) -> bool:
        if not (self.left <= x <= self.right and self.top <= y <= self.bottom):
            return False
        if self.hollow:
            within = self.left + self.hollow < x < self.right - self.hollow
            return not (within and self.top + self.hollow < y < self.bottom - self.hollow)
        return not self.outline or encloses(self.outline, (x, y))


def edges_of(scene: Scene, bleed: float) -> Edges:
    """Return the colours along the edges of a face.

    `bleed`: width of the border beyond the trim, in mm.
    """
    zone = bleed + MAX_CUT_ERROR_MM
    inner = (zone, zone, scene.width - zone, scene.height - zone)
    near = tuple(part for layer in scene.layers for part in _list_parts(layer.shapes, inner))
    return _find_edges(near, scene.width, scene.height, bleed)


def ground_of(scene: Scene) -> str:
    """Return the colour that covers a whole face below everything else, or ""."""
    ground = ""
    if not scene.layers:
        return ground
    for shape in scene.layers[0].shapes:
        if not isinstance(shape, Rectangle) or shape.x > 0 or shape.y > 0 or shape.radius or shape.opacity < 1:
            break
        if shape.x + shape.width < scene.width or shape.y + shape.height < scene.height:
            break
        ground = shape.fill or ground
    return ground


def may_share(first: Edges, second: Edges, *, below: bool) -> bool:
    """Return whether two faces, side by side or the second below the first, may share a cut.

    Each must show beyond the cut what the other shows in its own bleed, so that no strip of another colour appears.
    """
    one, other = (first.bottom, second.top) if below else (first.right, second.left)
    return one[0] == other[1] and one[1] == other[0]


@cache
def _find_edges(parts: tuple[_EdgeShape, ...], width: float, height: float, bleed: float) -> Edges:
    if parts and all(_is_whole(part, width, height) for part in parts):
        alone = ((parts[-1].paint,), (parts[-1].paint,))
        return Edges(alone, alone, alone, alone)

    side_x, side_y = width - 2 * bleed, height - 2 * bleed
    downs = [bleed + place * side_y for place in _EDGE_PLACES]
    acrosses = [bleed + place * side_x for place in _EDGE_PLACES]

    def pair(edge: float, inwards: int, marks: Sequence[float], *, upright: bool) -> EdgeColours:
        inner = [edge + inwards * depth for depth in _EDGE_DEPTHS_MM]
        outer = [edge - inwards * min(depth, bleed * 0.95) for depth in _EDGE_DEPTHS_MM]
        return _colours_beside(parts, inner, marks, upright=upright), _colours_beside(
            parts, outer, marks, upright=upright
        )

    return Edges(
        pair(bleed, 1, downs, upright=True),
        pair(bleed, 1, acrosses, upright=False),
        pair(width - bleed, -1, downs, upright=True),
        pair(height - bleed, -1, acrosses, upright=False),
    )


def _is_whole(part: _EdgeShape, width: float, height: float) -> bool:
    whole = part.left <= 0 and part.top <= 0 and part.right >= width and part.bottom >= height
    return whole and not part.outline and not part.hollow


def _colours_beside(
    parts: Sequence[_EdgeShape], lines: Sequence[float], along: Sequence[float], *, upright: bool
) -> Side:
    """Return the colours on lines beside an edge, or a single one if all are alike."""
    seen = tuple([colour for line in lines for colour in _colours_along(parts, line, along, upright=upright)])
    return seen[:1] if len(set(seen)) == 1 else seen


def _colours_along(parts: Sequence[_EdgeShape], line: float, along: Sequence[float], *, upright: bool) -> Iterator[str]:
    crossing: list[_EdgeShape] = []
    for part in reversed(parts):
        sides, ends = (part.left, part.right), (part.top, part.bottom)
        across, lengthwise = (sides, ends) if upright else (ends, sides)
        if across[0] <= line <= across[1] and lengthwise[0] <= along[-1] and lengthwise[1] >= along[0]:
            crossing.append(part)
            if lengthwise[0] <= along[0] and lengthwise[1] >= along[-1] and not part.outline and not part.hollow:
                break  # this part hides all parts below it
    for at in along:
        x, y = (line, at) if upright else (at, line)
        yield next((part.paint for part in crossing if part.covers(x, y)), "")


def _list_parts(shapes: Sequence[Shape], inner: _Inner) -> Iterator[_EdgeShape]:
    """Yield the shapes that reach beyond the inner part of a face."""
    left, top, right, bottom = inner
    for shape in shapes:
        if isinstance(shape, Group):
            yield from _list_parts(shape.shapes, inner)
            continue
        x0, y0, x1, y1 = _find_box(shape)
        if x0 >= left and y0 >= top and x1 <= right and y1 <= bottom:
            continue
        match shape:
            case Rectangle():
                if shape.fill:
                    right_edge, lower_edge = shape.x + shape.width, shape.y + shape.height
                    paint = _format_paint(shape.fill, shape.opacity)
                    yield _EdgeShape(shape.x, shape.y, right_edge, lower_edge, paint)
                if shape.stroke:
                    yield _EdgeShape(x0, y0, x1, y1, _format_paint(shape.stroke, shape.opacity), (), shape.stroke_width)
            case Polygon():
                paint = _format_paint(shape.fill or shape.stroke, shape.opacity)
                yield _EdgeShape(x0, y0, x1, y1, paint, shape.points if shape.fill else ())
            case Polyline():
                yield _EdgeShape(x0, y0, x1, y1, shape.stroke or shape.casing)
            case Path():
                yield _EdgeShape(x0, y0, x1, y1, _format_paint(shape.fill or shape.stroke, shape.opacity))
            case Marks():
                yield _EdgeShape(x0, y0, x1, y1, shape.symbol.ink)
            case Circle():
                yield _EdgeShape(x0, y0, x1, y1, shape.fill or shape.stroke)
            case Text():
                yield _EdgeShape(x0, y0, x1, y1, shape.fill)
            case Symbol():
                yield _EdgeShape(x0, y0, x1, y1, shape.ink)
            case Bitmap():
                yield _EdgeShape(x0, y0, x1, y1, f"picture {crc32(shape.pixels)}")


def _format_paint(colour: str, opacity: float) -> str:
    return colour if opacity >= 1 else f"{colour}*{opacity}"


def _find_box(shape: Shape) -> tuple[float, float, float, float]:
    match shape:
        case Rectangle():
            half = shape.stroke_width / 2 if shape.stroke else 0.0
            x, y = shape.x - half, shape.y - half
            return x, y, x + shape.width + 2 * half, y + shape.height + 2 * half
        case Text():
            width = text_width(shape.text, shape.size, bold=shape.bold)
            x = shape.x - ANCHORS[shape.anchor] * width
            ink = ink_rise(shape.text, bold=shape.bold)
            return x, shape.y + shape.size * ink.top, x + width, shape.y + shape.size * ink.bottom
        case Symbol() | Bitmap():
            return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
        case Circle():
            reach = shape.radius + (shape.width / 2 if shape.stroke else 0.0)
            return shape.x - reach, shape.y - reach, shape.x + reach, shape.y + reach
        case Polygon() | Polyline():
            xs, ys = zip(*shape.points, strict=True)
            width = shape.width if isinstance(shape, Polygon) else max(shape.width, shape.casing_width)
            by = width / 2 if shape.stroke or isinstance(shape, Polyline) else 0.0
            return min(xs) - by, min(ys) - by, max(xs) + by, max(ys) + by
        case Path():
            xs, ys = zip(*[point for line in shape.lines for point in line], strict=True)
            by = shape.width / 2 if shape.stroke else 0.0
            return min(xs) - by, min(ys) - by, max(xs) + by, max(ys) + by
        case Marks():
            xs, ys = zip(*shape.points, strict=True)
            return min(xs), min(ys), max(xs) + shape.symbol.width, max(ys) + shape.symbol.height
        case Group():
            boxes = [_find_box(part) for part in shape.shapes]
            edges = list(zip(*boxes, strict=True))
            return min(edges[0]), min(edges[1]), max(edges[2]), max(edges[3])
