"""The positions of hex centres, corners and hexsides on the sheet, for either grid, in millimetres."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, hypot, pi, sin
from typing import NamedTuple

from ..drawing.scene import Point
from ..game.boards import Board
from ..game.hexes import Hex
from ..util.errors import InputError
from ..util.limits import Limit
from .style import HEX, RADIUS


class Area(NamedTuple):
    """A box in millimetres: left, top, right and lower edge."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def corners(self) -> tuple[Point, ...]:
        """Its corners, clockwise."""
        return (self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)


class Layout:
    """The hexes of a picture, with their left and upper edges at `origin`.

    names: hexes of the board, at least one. width, height: of the box around them.
    """

    def __init__(self, board: Board, names: Sequence[str], origin: Point = (0.0, 0.0)) -> None:
        self.board, self.names = board, tuple(names)
        self.flat = board.grid.orientation == "flat"
        self._shift: Point = (0.0, 0.0)
        self._centres: dict[str, Point] = {}  # of the hexes that were asked for
        across, down = (RADIUS, HEX / 2) if self.flat else (HEX / 2, RADIUS)
        xs, ys = zip(*map(self.centre, self.names), strict=True)
        self._shift = x, y = origin[0] - min(xs) + across, origin[1] - min(ys) + down
        self._centres = {name: (left + x, top + y) for name, (left, top) in self._centres.items()}
        self.width, self.height = max(xs) - min(xs) + 2 * across, max(ys) - min(ys) + 2 * down
        self._drawn = frozenset(self.names)

    def draws(self, name: str) -> bool:
        """Whether a hex is in the picture."""
        return name in self._drawn

    def centre(self, name: str) -> Point:
        """The centre of a hex, in the picture or not."""
        centre = self._centres.get(name)
        if centre is None:
            self._centres[name] = centre = self.place(*self.board.centre(name))
        return centre

    def place(self, x: float, y: float) -> Point:
        """Where a point of the grid lies, given in the grid's unit."""
        return x * HEX + self._shift[0], y * HEX + self._shift[1]

    def corners(self, name: str) -> tuple[Point, ...]:
        """The six corners of a hex."""
        return hexagon(self.centre(name), RADIUS, flat=self.flat)

    def hexside(self, one: str, other: str) -> tuple[Point, Point]:
        """The ends of the hexside between two adjacent hexes."""
        (x0, y0), (x1, y1) = self.centre(one), self.centre(other)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        dx, dy = (x1 - x0) / HEX * RADIUS / 2, (y1 - y0) / HEX * RADIUS / 2
        return (x - dy, y + dx), (x + dy, y - dx)

    def due_north(self, one: str, other: str) -> list[str]:
        """The southern one of two hexes if the other lies due north of it, as a list; else empty."""
        (x0, y0), (x1, y1) = self.centre(one), self.centre(other)
        return [one if y1 < y0 else other] if abs(x1 - x0) < HEX / 4 and y0 != y1 else []

    def link(self, one: str, other: str) -> tuple[Point, Point]:
        """From the centre of a hex to that of the next; only to the hexside if one of them is not drawn."""
        start, end = self.centre(one), self.centre(other)
        middle = point_between(start, end, 0.5)
        return start if self.draws(one) else middle, end if self.draws(other) else middle


def board_hexes(board: Board) -> list[str]:
    """The hexes of a board by row and column: those that are drawn, or all of its grid where none is."""
    if board.hexes:
        return sorted(board.hexes, key=lambda name: board.grid.parse(name)[::-1])
    (first, last), (top, bottom) = board.grid.columns, board.grid.rows
    Limit.HEXES.check(max(last - first + 1, 0) * max(bottom - top + 1, 0), f"the board {board.name or board.title} has")
    return [board.grid.name(Hex(c, r)) for r in range(top, bottom + 1) for c in range(first, last + 1)]


def on_map(board: Board, places: Iterable[str]) -> list[str]:
    """The hexes among these places that are on the map, by their regular names."""
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
    """Hexes with those adjacent to them."""
    hexes = set(hexes)
    return hexes.union(*map(board.neighbours, hexes))


def from_upper_left(board: Board, hexes: Iterable[str]) -> list[str]:
    """Hexes sorted row by row from the upper left."""
    return sorted(hexes, key=lambda name: (board.centre(name)[::-1], name))


def hexagon(centre: Point, radius: float, *, flat: bool) -> tuple[Point, ...]:
    """The corners of a hex, clockwise."""
    turn = 0 if flat else pi / 6
    angles = (turn + n * pi / 3 for n in range(6))
    return tuple((centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)) for angle in angles)


def point_between(one: Point, other: Point, share: float) -> Point:
    """The point that lies this share, 0 to 1, of the way from one to the other."""
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def middle_of(points: Sequence[Point]) -> Point:
    """The middle of some points."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def move(point: Point, towards: Point, by: float) -> Point:
    """A point moved towards another one, in millimetres; away from it for a distance below 0."""
    dx, dy = towards[0] - point[0], towards[1] - point[1]
    length = hypot(dx, dy) or 1.0
    return point[0] + dx / length * by, point[1] + dy / length * by


def aside(points: Iterable[Point], direction: tuple[Point, Point], by: float) -> tuple[Point, ...]:
    """Points moved to the right of a direction, in millimetres."""
    (x0, y0), (x1, y1) = direction
    length = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = -(y1 - y0) / length * by, (x1 - x0) / length * by
    return tuple((x + dx, y + dy) for x, y in points)


def distance_inside(corners: Sequence[Point], start: Point, end: Point) -> float:
    """The distance from `start`, a point inside a convex shape, to where the way to `end` leaves it, in millimetres.

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
