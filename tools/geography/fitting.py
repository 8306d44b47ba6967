"""From latitude and longitude to the board: a projection, a fit to places with known hexes, and small local shifts.

A printed map has its own small errors. The fit is one affine map, or a similarity, for the whole board. Where a place
would still fall outside its known hex, the ground around it is shifted, so that banks and coasts keep their side of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import asin, atan2, cos, degrees, dist, exp, hypot, radians, sin, sqrt

import msgspec

from assistant.game.hexes import HexGrid
from assistant.util.errors import InputError

from .lines import Point

_EARTH_RADIUS_10_KM = 637.1
#: The maximum distance of a known place from the centre of its hex after the shifts (a hex reaches 0.5 to its sides).
_MAX_DISTANCE_HEXES = 0.36
#: The distance at which a shift has fallen to a third.
_REACH_HEXES = 2.2


class Fit(msgspec.Struct, frozen=True, dict=True, kw_only=True):
    """A map from the projected plane (azimuthal, equidistant, in 10 km) to a board (in hexes, y down).

    `x`, `y`: the factors of east, south and 1.
    """

    centre: tuple[float, float]
    x: tuple[float, float, float]
    y: tuple[float, float, float]

    def place(self, latitude: float, longitude: float) -> Point:
        east, south = project(self.centre, latitude, longitude)
        return (
            self.x[0] * east + self.x[1] * south + self.x[2],
            self.y[0] * east + self.y[1] * south + self.y[2],
        )

    @property
    def kilometres(self) -> float:
        area = abs(self.x[0] * self.y[1] - self.x[1] * self.y[0])
        return 10 / sqrt(area)

    @property
    def north(self) -> float:
        return degrees(atan2(-self.x[1], self.y[1]))


class KnownPlace(msgspec.Struct, frozen=True):
    """A place whose hex is printed or follows from a rule."""

    name: str
    latitude: float
    longitude: float
    hex: str


def project(centre: tuple[float, float], latitude: float, longitude: float) -> Point:
    """Return the distances of a point east and south of a centre, in 10 km, at true distance and bearing on a sphere."""
    here, there, turn = radians(centre[0]), radians(latitude), radians(longitude - centre[1])
    across = cos(there) * sin(turn)
    along = cos(here) * sin(there) - sin(here) * cos(there) * cos(turn)
    length = hypot(across, along)
    if not length:
        return 0.0, 0.0
    angle = asin(min(1.0, length)) if sin(here) * sin(there) + cos(here) * cos(there) * cos(turn) > 0 else atan2(0, -1)
    return _EARTH_RADIUS_10_KM * angle * across / length, -_EARTH_RADIUS_10_KM * angle * along / length


def fit_map(
    grid: HexGrid,
    centre: tuple[float, float],
    known: Sequence[KnownPlace],
    *,
    similarity: bool = False,
    kilometres: float = 0.0,
) -> Fit:
    """Return the affine map that brings places nearest to the centres of their hexes (least squares).

    `similarity`: whether the map may only turn, enlarge and shift the ground, alike everywhere.
    `kilometres`: the width of a hex if the map may only shift the ground, with north at the top; else 0.

    Raises InputError for what is not a hex, and if places do not determine the map: fewer than three, or in one line;
    for a similarity, fewer than two; for a shift, none.
    """
    if kilometres:
        return _fit_shift(grid, centre, known, 10 / kilometres)
    if similarity:
        return _fit_similarity(grid, centre, known)
    rows = [(*project(centre, place.latitude, place.longitude), 1.0) for place in known]
    targets = [grid.centre(grid.parse(place.hex)) for place in known]
    try:
        normal = [[sum(row[i] * row[j] for row in rows) for j in range(3)] for i in range(3)]
        x, y = (
            solve(
                normal,
                [sum(row[i] * target[axis] for row, target in zip(rows, targets, strict=True)) for i in range(3)],
            )
            for axis in (0, 1)
        )
    except ZeroDivisionError:
        hint = "write `yes` in the column `fit` of three places or more that do not lie in one line"
        raise InputError("too few places for a fit", hint=hint) from None
    return Fit(centre=centre, x=(x[0], x[1], x[2]), y=(y[0], y[1], y[2]))


def _fit_similarity(grid: HexGrid, centre: tuple[float, float], known: Sequence[KnownPlace]) -> Fit:
    """Return the fit that only turns, enlarges and shifts: in complex numbers, one factor and one summand."""
    ground = [complex(*project(centre, place.latitude, place.longitude)) for place in known]
    board = [complex(*grid.centre(grid.parse(place.hex))) for place in known]
    if len({*ground}) < 2:
        hint = "write `yes` in the column `fit` of two places or more"
        raise InputError("too few places for a fit", hint=hint)
    middle, board_middle = sum(ground) / len(ground), sum(board) / len(board)
    spread = sum(abs(point - middle) ** 2 for point in ground)
    pairs = zip(ground, board, strict=True)
    factor = sum((target - board_middle) * (point - middle).conjugate() for point, target in pairs) / spread
    summand = board_middle - factor * middle
    x, y = (factor.real, -factor.imag, summand.real), (factor.imag, factor.real, summand.imag)
    return Fit(centre=centre, x=x, y=y)


def _fit_shift(grid: HexGrid, centre: tuple[float, float], known: Sequence[KnownPlace], factor: float) -> Fit:
    """Return the fit that only shifts the ground, after it is enlarged by a factor."""
    if not known:
        raise InputError("too few places for a fit", hint="write `yes` in the column `fit` of a place")
    shifts = [
        tuple(
            target - factor * at
            for at, target in zip(
                project(centre, place.latitude, place.longitude), grid.centre(grid.parse(place.hex)), strict=True
            )
        )
        for place in known
    ]
    east, south = (sum(shift[axis] for shift in shifts) / len(shifts) for axis in (0, 1))
    return Fit(centre=centre, x=(factor, 0.0, east), y=(0.0, factor, south))


class Ground(msgspec.Struct, frozen=True, dict=True):
    """The fit with its local shifts."""

    fit: Fit
    anchors: tuple[Point, ...]
    shifts: tuple[Point, ...]

    def place(self, latitude: float, longitude: float) -> Point:
        return self.shifted(self.fit.place(latitude, longitude))

    def shifted(self, at: Point) -> Point:
        """Return a point of the fitted board, shifted with the known places around it."""
        x, y = at
        for anchor, (dx, dy) in self._anchors_by_square.get(_square_of(at), ()):
            weight = _weigh_shift(at, anchor)
            x, y = x + weight * dx, y + weight * dy
        return x, y

    @cached_property
    def _anchors_by_square(self) -> Mapping[tuple[int, int], list[tuple[Point, Point]]]:
        """The anchors, with their shifts, that reach each square."""
        anchors: dict[tuple[int, int], list[tuple[Point, Point]]] = {}
        for anchor, shift in zip(self.anchors, self.shifts, strict=True):
            column, row = _square_of(anchor)
            for across in (-1, 0, 1):
                for down in (-1, 0, 1):
                    anchors.setdefault((column + across, row + down), []).append((anchor, shift))
        return anchors


def shift_to(
    grid: HexGrid, fit: Fit, known: Sequence[KnownPlace], more: Sequence[tuple[float, float, float, float]] = ()
) -> Ground:
    """Return the ground with every known place inside its hex.

    `more`: further shifts: latitude, longitude, and the hexes to the east and south.
    """
    anchors, wanted = [], []
    for place in known:
        at, middle = fit.place(place.latitude, place.longitude), grid.centre(grid.parse(place.hex))
        distance = dist(at, middle)
        share = max(0.0, 1 - _MAX_DISTANCE_HEXES / distance) if distance else 0.0
        anchors.append(at)
        wanted.append(((middle[0] - at[0]) * share, (middle[1] - at[1]) * share))
    for latitude, longitude, east, south in more:
        anchors.append(fit.place(latitude, longitude))
        wanted.append((east, south))
    matrix = [
        [_weigh_shift(anchor, other) + (1e-6 if anchor is other else 0) for other in anchors] for anchor in anchors
    ]
    x, y = (solve(matrix, [shift[axis] for shift in wanted]) for axis in (0, 1))
    return Ground(fit, tuple(anchors), tuple(zip(x, y, strict=True)))


def _square_of(point: Point) -> tuple[int, int]:
    return round(point[0] / (4 * _REACH_HEXES)), round(point[1] / (4 * _REACH_HEXES))


def _weigh_shift(one: Point, other: Point) -> float:
    distance = dist(one, other) / _REACH_HEXES
    return exp(-distance * distance) if distance < 2.5 else 0.0


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of a system of linear equations (elimination with pivots)."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            if factor:
                rows[row] = [value - factor * above for value, above in zip(rows[row], rows[column], strict=True)]
    solution = [0.0] * size
    for row in reversed(range(size)):
        known_part = sum(rows[row][column] * solution[column] for column in range(row + 1, size))
        solution[row] = (rows[row][size] - known_part) / rows[row][row]
    return solution
