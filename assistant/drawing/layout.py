"""The positions of hex centres, corners and hexsides on the sheet, for either grid, in millimetres."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import cos, dist, hypot, pi, sin, sqrt
from typing import NamedTuple

from ..game.boards import Board
from ..game.hexes import Hex
from ..util.errors import InputError
from ..util.limits import Limit
from .scene import Point
from .style import HEX, RADIUS


class PageBox(NamedTuple):
    """A box in millimetres: left, top, right and lower edge."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def corners(self) -> tuple[Point, ...]:
        """Its corners, clockwise."""
        return (self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)

    def overlap(self, other: PageBox) -> float:
        """Return how much it has in common with another one, in square millimetres."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(wide, 0.0) * max(high, 0.0)


PANEL_GAP, _ROW, _BROAD, _WORTH, _APART, _MOST = 1.25 * HEX, 240.0, 1.4, 0.6, 2, 4
"""The gap between the panels of a map, wide enough that no ground beyond the edge of one reaches another; how wide a row of
them may be at any rate, both in millimetres, and of many panels as a multiple of the square root of their area; how large they
are at most as a share of the whole map; how many hexes from one to the other are too few for panels; and how many panels there
are at most: of more, only the map itself says how they lie.
"""
_WORTH_FRAMED = 0.85
"""How large framed panels are at most as a share of the whole map."""


class Layout:
    """The hexes of a picture, with their left and upper edges at `origin`.

    names: hexes of the board, at least one; panels: whether hexes that are far apart are drawn as panels side by side,
    without the empty map between them; framed: whether each panel has a frame, so that the others may be round the
    largest one.
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
        if panels and 1 < len(parts := far_parts(board, self.names)) <= _MOST:
            parted = [_Panel.around([spots[name] for name in part], flat=self.flat) for part in parts]
            placed = _round_largest(parted, origin) if framed else _in_rows(parted, origin)
            width = max(panel.left + panel.width for panel in placed) - origin[0]
            height = max(panel.top + panel.height for panel in placed) - origin[1]
            if width * height < (_WORTH_FRAMED if framed else _WORTH) * whole.width * whole.height:
                self._panels, self._parts, self.width, self.height = placed, parts, width, height
        self._shift = self._panels[0].shift
        self._centres = {name: self.place(*spot) for name, spot in spots.items()}  # and of others asked for

    @property
    def is_parted(self) -> bool:
        """Whether it has several panels."""
        return len(self._panels) > 1

    @property
    def panels(self) -> list[tuple[Sequence[str], PageBox]]:
        """The hexes of each panel, and the box that it fills."""
        areas = (PageBox(one.left, one.top, one.left + one.width, one.top + one.height) for one in self._panels)
        return [*zip(self._parts, areas, strict=True)]

    @property
    def hole(self) -> PageBox:
        """The highest free box in a column of framed panels; its height is 0 if there is one panel only."""
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
        """Return whether a hex is in the picture."""
        return name in self._drawn

    def centre(self, name: str) -> Point:
        """Return the centre of a hex, in the picture or not."""
        centre = self._centres.get(name)
        if centre is None:
            self._centres[name] = centre = self.place(*self.board.centre(name))
        return centre

    def place(self, x: float, y: float) -> Point:
        """Where a point of the grid lies, given in the grid's unit: in the panel with the nearest hex."""
        shift = self._shift
        if self.is_parted:
            shift = min(self._panels, key=lambda panel: panel.distance(x, y)).shift
        return x * HEX + shift[0], y * HEX + shift[1]

    def corners(self, name: str) -> tuple[Point, ...]:
        """Return the six corners of a hex."""
        return hexagon(self.centre(name), RADIUS, flat=self.flat)

    def hexside(self, one: str, other: str) -> tuple[Point, Point]:
        """Return the ends of the hexside between two adjacent hexes."""
        (x0, y0), (x1, y1) = self.centre(one), self.centre(other)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        dx, dy = (x1 - x0) / HEX * RADIUS / 2, (y1 - y0) / HEX * RADIUS / 2
        return (x - dy, y + dx), (x + dy, y - dx)

    def link(self, one: str, other: str) -> tuple[Point, Point]:
        """From the centre of a hex to that of the next; only to the hexside if one of them is not drawn."""
        start, end = self.centre(one), self.centre(other)
        middle = point_between(start, end, 0.5)
        return start if self.draws(one) else middle, end if self.draws(other) else middle


class _Panel(NamedTuple):
    """A part of a map. spots: the centres of its hexes on the grid; left, top: where it lies, in millimetres; shift: how far
    it is moved there from the grid.
    """

    spots: Sequence[Point]
    corner: Point
    width: float
    height: float
    left: float = 0.0
    top: float = 0.0

    @classmethod
    def around(cls, spots: Sequence[Point], *, flat: bool) -> _Panel:
        """Return the panel with some hexes. flat: whether they stand on a flat side."""
        across, down = (RADIUS, HEX / 2) if flat else (HEX / 2, RADIUS)
        xs, ys = zip(*((x * HEX, y * HEX) for x, y in spots), strict=True)
        corner = min(xs) - across, min(ys) - down
        return cls(spots, corner, max(xs) + across - corner[0], max(ys) + down - corner[1])

    def at(self, point: Point) -> _Panel:
        """Return the panel with its left and upper edges at a point."""
        return self._replace(left=point[0], top=point[1])

    @property
    def shift(self) -> Point:
        """How far it is moved from the grid, in millimetres."""
        return self.left - self.corner[0], self.top - self.corner[1]

    def distance(self, x: float, y: float) -> float:
        """Return the square of the distance from a point of the grid to the nearest of its hexes."""
        return min((x - one) ** 2 + (y - other) ** 2 for one, other in self.spots)


def _in_rows(panels: Sequence[_Panel], origin: Point) -> list[_Panel]:
    """Panels side by side, in rows."""
    placed = list[_Panel]()
    row = max(_ROW, _BROAD * sqrt(sum(panel.width * panel.height for panel in panels)))
    x, y, high = origin[0], origin[1], 0.0
    for panel in panels:
        if x > origin[0] and x + panel.width > origin[0] + row:
            x, y, high = origin[0], y + high + PANEL_GAP, 0.0
        placed.append(panel.at((x, y)))
        x, high = x + panel.width + PANEL_GAP, max(high, panel.height)
    return placed


def _round_largest(panels: Sequence[_Panel], origin: Point) -> list[_Panel]:
    """Panels in columns beside the largest one: to its left those that lie to the left of it on the map, to its right the
    others. Each is as high or as low as on the map, as far as it fits beside the largest one.
    """
    largest = max(panels, key=lambda panel: panel.width * panel.height)
    middle = largest.corner[0] + largest.width / 2
    others = sorted((panel for panel in panels if panel is not largest), key=lambda panel: panel.corner[1])
    columns = (
        [panel for panel in others if panel.corner[0] + panel.width / 2 < middle],
        [largest],
        [panel for panel in others if panel.corner[0] + panel.width / 2 >= middle],
    )
    places, x = dict[int, _Panel](), origin[0]
    for column in filter(None, columns):
        for panel, top in zip(column, _tops(column, largest), strict=True):
            places[id(panel)] = panel.at((x, origin[1] + top))
        x += max(panel.width for panel in column) + PANEL_GAP
    return [places[id(panel)] for panel in panels]


def _tops(column: Sequence[_Panel], largest: _Panel) -> Iterator[float]:
    """Yield how far below the upper edge of the largest panel each of a column begins, one below the other."""
    needed = sum(panel.height for panel in column) + PANEL_GAP * (len(column) - 1)
    lowest, free = largest.height - needed, 0.0
    for panel in column:
        top = max(min(panel.corner[1] - largest.corner[1], lowest), free)
        yield top
        free = top + panel.height + PANEL_GAP
        lowest += panel.height + PANEL_GAP


def far_parts(board: Board, names: Iterable[str]) -> list[list[str]]:
    """Return hexes in parts that lie far from each other, each in order and the first hex first."""
    left, parts = dict.fromkeys(names), list[list[str]]()
    while left:
        part, edge = set[str](), {next(iter(left))}
        while edge:
            part |= edge
            near = edge
            for _ in range(_APART + 1):
                near = hexes_around(board, near)
            edge = {name for name in near if name in left and name not in part}
        parts.append([name for name in left if name in part])
        left = {name: None for name in left if name not in part}
    return parts


def board_hexes(board: Board) -> list[str]:
    """Return the hexes of a board by row and column: those that are drawn, or all of its grid where none is."""
    if board.hexes:
        return sorted(board.hexes, key=lambda name: board.grid.parse(name)[::-1])
    (first, last), (top, bottom) = board.grid.columns, board.grid.rows
    Limit.HEXES.check(max(last - first + 1, 0) * max(bottom - top + 1, 0), f"the board {board.name or board.title} has")
    return [board.grid.name(Hex(c, r)) for r in range(top, bottom + 1) for c in range(first, last + 1)]


def on_map(board: Board, places: Iterable[str]) -> list[str]:
    """Return the hexes among these places that are on the map, by their regular names."""
    names = []
    for place in places:
        try:
            name = board.place(place)
        except InputError:
            continue
        if board.is_hex(name):
            names.append(name)
    return names


def hexes_around(board: Board, hexes: Iterable[str]) -> set[str]:
    """Return hexes with those adjacent to them."""
    hexes = set(hexes)
    return hexes.union(*map(board.neighbours, hexes))


def from_upper_left(board: Board, hexes: Iterable[str]) -> list[str]:
    """Return hexes sorted row by row from the upper left."""
    return sorted(hexes, key=lambda name: (board.centre(name)[::-1], name))


def hexagon(centre: Point, radius: float, *, flat: bool) -> tuple[Point, ...]:
    """Return the corners of a hex, clockwise."""
    turn = 0 if flat else pi / 6
    angles = (turn + n * pi / 3 for n in range(6))
    return tuple((centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)) for angle in angles)


def point_between(one: Point, other: Point, share: float) -> Point:
    """Return the point that lies this share, 0 to 1, of the way from one to the other."""
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def middle_of(points: Sequence[Point]) -> Point:
    """Return the middle of some points."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def move(point: Point, towards: Point, by: float) -> Point:
    """Return a point moved towards another one, in millimetres; away from it for a distance below 0."""
    dx, dy = towards[0] - point[0], towards[1] - point[1]
    length = hypot(dx, dy) or 1.0
    return point[0] + dx / length * by, point[1] + dy / length * by


def box_round(x: float, y: float, width: float, height: float) -> PageBox:
    """Return a box round a point."""
    return PageBox(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def boxes_along(points: Sequence[Point], half: float) -> Iterator[PageBox]:
    """Yield the boxes that hold what lies that near to a line."""
    for start, end in pairwise(points):
        many = max(int(dist(start, end) / half), 1)
        for number in range(many + 1):
            x, y = point_between(start, end, number / many)
            yield box_round(x, y, 2 * half, 2 * half)


def aside(points: Iterable[Point], direction: tuple[Point, Point], by: float) -> tuple[Point, ...]:
    """Points moved to the right of a direction, in millimetres."""
    (x0, y0), (x1, y1) = direction
    length = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = -(y1 - y0) / length * by, (x1 - x0) / length * by
    return tuple((x + dx, y + dy) for x, y in points)


def distance_inside(corners: Sequence[Point], start: Point, end: Point) -> float:
    """Return the distance from `start`, a point inside a convex shape, to where the way to `end` leaves it, in
    millimetres.

    The whole way if it stays inside.
    """
    length = hypot(end[0] - start[0], end[1] - start[1])
    dx, dy = (end[0] - start[0]) / (length or 1), (end[1] - start[1]) / (length or 1)
    nearest = length
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        across = (x1 - x0) * dy - (y1 - y0) * dx
        if across:
            distance = ((x1 - x0) * (y0 - start[1]) - (y1 - y0) * (x0 - start[0])) / across
            if distance > 0:
                nearest = min(nearest, distance)
    return nearest
