"""The positions of hex centres, corners and hexsides on the sheet, for either grid, in mm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from ..game.boards import Board
from .geometry import PageBox, hexagon, point_between
from .hex_sets import far_parts
from .scene import Point
from .style import HEX_MM, RADIUS

PANEL_GAP_MM = 1.25 * HEX_MM
"""The distance between panels, so large that ground drawn beyond the edge of one does not reach another."""
_MIN_ROW_WIDTH_MM = 240.0
_ROW_WIDTH_FACTOR = 1.4
"""The width of a row of large panels, as a multiple of the square root of their area."""
_MAX_PANELS_SHARE = 0.6
"""The greatest area of panels, as a share of the whole map; otherwise the whole map is drawn."""
_MAX_PANELS = 4
"""The maximum number of panels: with more, only the map itself shows how they lie."""
_MAX_FRAMED_PANELS_SHARE = 0.85


class Layout:
    """The hexes of a picture, with their left and upper edges at `origin`.

    `names`: one or more hexes of the board.
    `panels`: whether hexes that are far apart are drawn as panels, without the empty map between them.
    `framed`: whether panels have frames, so that they may be placed round the largest.
    """

    def __init__(
        self,
        board: Board,
        names: Sequence[str],
        origin: Point = (0.0, 0.0),
        *,
        panels: bool = False,
        framed: bool = False,
    ) -> None:
        self.board, self.names = board, tuple(names)
        self.flat = board.grid.orientation == "flat"
        self._drawn = frozenset(self.names)
        spots = {name: board.centre(name) for name in self.names}
        whole = _Panel.around([*spots.values()], flat=self.flat)
        self._panels, self._parts = [whole.at(origin)], [[*self.names]]
        self.width, self.height = whole.width, whole.height
        parts = far_parts(board, self.names) if panels else []
        if 1 < len(parts) <= _MAX_PANELS:
            parted = [_Panel.around([spots[name] for name in part], flat=self.flat) for part in parts]
            placed = _place_round_largest(parted, origin) if framed else _place_in_rows(parted, origin)
            width = max(panel.left + panel.width for panel in placed) - origin[0]
            height = max(panel.top + panel.height for panel in placed) - origin[1]
            if (
                width * height
                < (_MAX_FRAMED_PANELS_SHARE if framed else _MAX_PANELS_SHARE) * whole.width * whole.height
            ):
                self._panels, self._parts, self.width, self.height = placed, parts, width, height
        self._shift = self._panels[0].shift
        # by hex; `centre` adds other hexes when they are needed
        self._centres = {name: self.place(*spot) for name, spot in spots.items()}

    @property
    def is_parted(self) -> bool:
        return len(self._panels) > 1

    @property
    def panels(self) -> list[tuple[Sequence[str], PageBox]]:
        areas = (PageBox(one.left, one.top, one.left + one.width, one.top + one.height) for one in self._panels)
        return [*zip(self._parts, areas, strict=True)]

    @property
    def hole(self) -> PageBox:
        """The highest free box above, between or below the panels of a column.

        Its height is 0 if there is only one panel.
        """
        boxes = [box for _, box in self.panels]
        top, bottom = min(box.top for box in boxes), max(box.bottom for box in boxes)
        holes = list[PageBox]()
        for left in {box.left for box in boxes}:
            column = sorted((box for box in boxes if box.left == left), key=lambda box: box.top)
            edges = [top, *(edge for box in column for edge in (box.top, box.bottom)), bottom]
            right = max(box.right for box in column)
            holes += [PageBox(left, upper, right, lower) for upper, lower in zip(edges[::2], edges[1::2], strict=True)]
        return max(holes, key=lambda hole: hole.bottom - hole.top)

    def draws(self, name: str) -> bool:
        return name in self._drawn

    def centre(self, name: str) -> Point:
        centre = self._centres.get(name)
        if centre is None:
            self._centres[name] = centre = self.place(*self.board.centre(name))
        return centre

    def place(self, x: float, y: float) -> Point:
        """Return the position on the sheet of a point in the grid's unit, in the panel of the nearest hex."""
        shift = self._shift
        if self.is_parted:
            shift = min(self._panels, key=lambda panel: panel.distance(x, y)).shift
        return x * HEX_MM + shift[0], y * HEX_MM + shift[1]

    def corners(self, name: str) -> tuple[Point, ...]:
        return hexagon(self.centre(name), RADIUS, flat=self.flat)

    def hexside(self, one: str, other: str) -> tuple[Point, Point]:
        (x0, y0), (x1, y1) = self.centre(one), self.centre(other)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        dx, dy = (x1 - x0) / HEX_MM * RADIUS / 2, (y1 - y0) / HEX_MM * RADIUS / 2
        return (x - dy, y + dx), (x + dy, y - dx)

    def link(self, one: str, other: str) -> tuple[Point, Point]:
        """Return the line between the centres of adjacent hexes, cut at the hexside if one of them is not drawn."""
        start, end = self.centre(one), self.centre(other)
        middle = point_between(start, end, 0.5)
        return start if self.draws(one) else middle, end if self.draws(other) else middle


class _Panel(NamedTuple):
    spots: Sequence[Point]
    """The centres of the panel's hexes in the grid's unit."""
    corner: Point
    width: float
    height: float
    left: float = 0.0
    """The left edge of the panel on the sheet, in mm."""
    top: float = 0.0

    @classmethod
    def around(cls, spots: Sequence[Point], *, flat: bool) -> _Panel:
        across, down = (RADIUS, HEX_MM / 2) if flat else (HEX_MM / 2, RADIUS)
        xs, ys = zip(*((x * HEX_MM, y * HEX_MM) for x, y in spots), strict=True)
        corner = min(xs) - across, min(ys) - down
        return cls(spots, corner, max(xs) + across - corner[0], max(ys) + down - corner[1])

    def at(self, point: Point) -> _Panel:
        return self._replace(left=point[0], top=point[1])

    @property
    def shift(self) -> Point:
        """The shift of the panel from the grid, in mm."""
        return self.left - self.corner[0], self.top - self.corner[1]

    def distance(self, x: float, y: float) -> float:
        """Return the square of the distance from a point of the grid to the nearest hex."""
        return min((x - one) ** 2 + (y - other) ** 2 for one, other in self.spots)


def _place_in_rows(panels: Sequence[_Panel], origin: Point) -> list[_Panel]:
    placed = list[_Panel]()
    row = max(_MIN_ROW_WIDTH_MM, _ROW_WIDTH_FACTOR * sqrt(sum(panel.width * panel.height for panel in panels)))
    x, y, height = origin[0], origin[1], 0.0
    for panel in panels:
        if x > origin[0] and x + panel.width > origin[0] + row:
            x, y, height = origin[0], y + height + PANEL_GAP_MM, 0.0
        placed.append(panel.at((x, y)))
        x, height = x + panel.width + PANEL_GAP_MM, max(height, panel.height)
    return placed


def _place_round_largest(panels: Sequence[_Panel], origin: Point) -> list[_Panel]:
    """Return panels in columns: the largest in the middle, others to its left and right as on the map.

    Each panel is as high up as on the map, if there is room.
    """
    largest = max(panels, key=lambda panel: panel.width * panel.height)
    middle = largest.corner[0] + largest.width / 2
    others = sorted((panel for panel in panels if panel is not largest), key=lambda panel: panel.corner[1])
    columns = (
        [panel for panel in others if panel.corner[0] + panel.width / 2 < middle],
        [largest],
        [panel for panel in others if panel.corner[0] + panel.width / 2 >= middle],
    )
    placed, x = dict[Point, _Panel](), origin[0]
    for column in filter(None, columns):
        for panel, top in zip(column, _find_tops(column, largest), strict=True):
            placed[panel.spots[0]] = panel.at((x, origin[1] + top))
        x += max(panel.width for panel in column) + PANEL_GAP_MM
    return [placed[panel.spots[0]] for panel in panels]


def _find_tops(column: Sequence[_Panel], largest: _Panel) -> Iterator[float]:
    """Yield the distance of each panel in a column from the upper edge of the largest panel."""
    needed = sum(panel.height for panel in column) + PANEL_GAP_MM * (len(column) - 1)
    lowest, free = largest.height - needed, 0.0
    for panel in column:
        top = max(min(panel.corner[1] - largest.corner[1], lowest), free)
        yield top
        free = top + panel.height + PANEL_GAP_MM
        lowest += panel.height + PANEL_GAP_MM
