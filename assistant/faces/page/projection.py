"""A flat sheet seen by a camera: the projective transform from points of the sheet to points of the photo.

It has eight parameters. Four pairs of points, no three of them in line, determine it exactly; more pairs are fitted by
least squares of the distances in the photo.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

Point = tuple[float, float]
"""The coordinates to the right and down."""
Pair = tuple[Point, Point]
"""A point of the sheet, and the corresponding point in the photo."""
Row3 = tuple[float, float, float]
Matrix = tuple[float, float, float, float, float, float, float, float, float]

MIN_PAIRS = 4
"""The minimum number of pairs that determine a projection."""
_MIN_HEIGHT_SHARE = 0.05
"""The minimum height of a triangle, as a share of its longest side; with less, its corners are taken to be in line."""
_MIN_DISTANCE_SHARE = 0.004
"""The minimum distance of two points, as a share of the extent of all; with less, they are taken to be the same."""
_MAX_REFINEMENTS = 12
"""The maximum number of steps that refine a fit."""

Fault = Literal["few", "twice", "line", "mirrored", "crossed"]


class DegeneratePairs(ValueError):
    """An error for pairs that determine no possible projection by a camera.

    `fault`: "few" for too few pairs; "twice" if two are the same; "line" if three are in line and no fourth helps;
    "mirrored" if the photo shows the sheet as a mirror does; "crossed" if part of the sheet would lie behind the
    camera.
    `which`: the indices of the pairs at fault.
    """

    def __init__(self, fault: Fault, which: Sequence[int] = ()) -> None:
        super().__init__(fault)
        self.fault = fault
        self.which = tuple(which)


class Projection(NamedTuple):
    """The transform from the sheet to the photo, as the rows of a matrix."""

    matrix: Matrix

    def project(self, point: Point) -> Point:
        """Return the photo's point for a point of the sheet.

        Raises ValueError for a point behind the camera.
        """
        a, b, c, d, e, f, g, h, i = self.matrix
        x, y = point
        depth = g * x + h * y + i
        if depth <= 1e-12:
            raise ValueError("behind the camera")
        return (a * x + b * y + c) / depth, (d * x + e * y + f) / depth

    def scale_at(self, point: Point) -> float:
        """Return the length in pixels of a unit of the sheet at a point of the sheet, averaged over all directions."""
        _, _, _, _, _, _, g, h, i = self.matrix
        x, y = point
        return math.sqrt(_determinant(self.matrix) / (g * x + h * y + i) ** 3)

    def inverse(self) -> Projection:
        a, b, c, d, e, f, g, h, i = self.matrix
        share = 1 / _determinant(self.matrix)
        return Projection(
            (
                *((e * i - f * h) * share, (c * h - b * i) * share, (b * f - c * e) * share),
                *((f * g - d * i) * share, (a * i - c * g) * share, (c * d - a * f) * share),
                *((d * h - e * g) * share, (b * g - a * h) * share, (a * e - b * d) * share),
            )
        )

    def after(self, scale: float, shift: Point) -> Projection:
        a, b, c, d, e, f, g, h, i = self.matrix
        return Projection(
            (
                *_row_after((a, b, c), scale, shift),
                *_row_after((d, e, f), scale, shift),
                *_row_after((g, h, i), scale, shift),
            )
        )


def _row_after(row: Row3, scale: float, shift: Point) -> Row3:
    p, q, r = row
    return p / scale, q / scale, r - (p * shift[0] + q * shift[1]) / scale


def fit_projection(pairs: Sequence[Pair]) -> Projection:
    """Return the projection of each pair's first point to its second: exact for four pairs, least squares for more.

    Raises DegeneratePairs if the pairs determine no projection.
    """
    _check_apart(pairs)
    _check_spread(pairs)
    sheet = _Normalized.of([one for one, _ in pairs])
    photo = _Normalized.of([other for _, other in pairs])
    framed = [(sheet.enter(one), photo.enter(other)) for one, other in pairs]
    try:
        parameters = _solve_least(list(_write_linear_rows(framed)))
        if len(framed) > MIN_PAIRS:
            parameters = _refine(parameters, framed)
    except ZeroDivisionError:
        raise DegeneratePairs("line") from None
    matrix = _leave(sheet, photo, (*parameters, 1.0))
    _check_seen(matrix, [one for one, _ in pairs])
    return Projection(matrix)


def distances(projection: Projection, pairs: Sequence[Pair]) -> list[float]:
    """Return the distance of each pair's second point from the projected first point, in units of the sheet."""
    return [math.dist(projection.project(one), other) / projection.scale_at(one) for one, other in pairs]


def _check_apart(pairs: Sequence[Pair]) -> None:
    """Raise DegeneratePairs for too few pairs, and for two with the same point on the sheet or in the photo."""
    for points in zip(*pairs, strict=True):
        extent = max((math.dist(one, other) for one, other in combinations(points, 2)), default=0.0)
        for one, other in combinations(range(len(points)), 2):
            if math.dist(points[one], points[other]) <= _MIN_DISTANCE_SHARE * extent:
                raise DegeneratePairs("twice", (one, other))
    if len(pairs) < MIN_PAIRS:
        raise DegeneratePairs("few")


def _check_spread(pairs: Sequence[Pair]) -> None:
    """Raise DegeneratePairs unless there are four pairs of which no three lie in line, on the sheet or in the photo."""
    in_line = dict[tuple[int, ...], None]()
    for three in combinations(range(len(pairs)), 3):
        on_sheet = [pairs[index][0] for index in three]
        in_photo = [pairs[index][1] for index in three]
        if _is_thin(on_sheet) or _is_thin(in_photo):
            in_line[three] = None
    for four in combinations(range(len(pairs)), MIN_PAIRS):
        if in_line.keys().isdisjoint(combinations(four, 3)):
            return
    raise DegeneratePairs("line", next(iter(in_line)))


def _is_thin(corners: Sequence[Point]) -> bool:
    (ax, ay), (bx, by), (cx, cy) = corners
    longest = max(math.dist(one, other) for one, other in combinations(corners, 2))
    twice_area = abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay))
    return twice_area <= _MIN_HEIGHT_SHARE * longest**2


def _check_seen(matrix: Matrix, points: Sequence[Point]) -> None:
    """Raise DegeneratePairs if a point is behind the camera, or if the sheet is seen as in a mirror."""
    g, h, i = matrix[6:]
    behind = [index for index, (x, y) in enumerate(points) if g * x + h * y + i <= 1e-9]
    if behind:
        raise DegeneratePairs("crossed", behind)
    if _determinant(matrix) <= 0:
        raise DegeneratePairs("mirrored")


class _Normalized(NamedTuple):
    """The transform of points to a frame with their centroid at 0,0 and a mean distance of 1 from it.

    No number in that frame is extreme.
    """

    middle: Point
    size: float

    @classmethod
    def of(cls, points: Sequence[Point]) -> _Normalized:
        count = len(points)
        middle = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
        return cls(middle, sum(math.dist(middle, point) for point in points) / count)

    def enter(self, point: Point) -> Point:
        return (point[0] - self.middle[0]) / self.size, (point[1] - self.middle[1]) / self.size


def _leave(sheet: _Normalized, photo: _Normalized, matrix: Sequence[float]) -> Matrix:
    """Return the matrix between the points themselves, given the matrix between framed points.

    The centroid of the sheet's points has depth 1 in the result.
    """
    a, b, c, d, e, f, g, h, i = matrix
    (x, y), size = photo
    (left, top), unit = sheet
    return (
        *_row_after((a * size + g * x, b * size + h * x, c * size + i * x), unit, (left, top)),
        *_row_after((d * size + g * y, e * size + h * y, f * size + i * y), unit, (left, top)),
        *_row_after((g, h, i), unit, (left, top)),
    )


Row = tuple[list[float], float]
"""A linear equation: the factors of the parameters, and their weighted sum."""


def _write_linear_rows(pairs: Sequence[Pair]) -> Iterator[Row]:
    """Yield two linear equations for each pair: its projection multiplied by the depth of its point."""
    for (x, y), (u, v) in pairs:
        yield [x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y], u
        yield [0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y], v


def _refine(parameters: list[float], pairs: Sequence[Pair]) -> list[float]:
    """Return nearby parameters with the minimum sum of squared distances in the photo, by Gauss-Newton steps."""
    best = parameters
    least = _squares(parameters, pairs)
    for _ in range(_MAX_REFINEMENTS):
        step = _solve_least(list(_write_distance_rows(best, pairs)))
        closer = [value + change for value, change in zip(best, step, strict=True)]
        squares = _squares(closer, pairs)
        if not squares < least:
            break
        is_settled = least - squares <= 1e-14 * squares
        best = closer
        least = squares
        if is_settled:
            break
    return best


def _write_distance_rows(parameters: Sequence[float], pairs: Sequence[Pair]) -> Iterator[Row]:
    """Yield an equation for each coordinate of each point in the photo: its derivatives, and the distance left.

    The derivatives are by the parameters.
    """
    for (x, y), (u, v) in pairs:
        depth, across, down = _seen(parameters, (x, y))
        share = [x / depth, y / depth, 1.0 / depth]
        yield [*share, 0.0, 0.0, 0.0, -across * share[0], -across * share[1]], u - across
        yield [0.0, 0.0, 0.0, *share, -down * share[0], -down * share[1]], v - down


def _seen(parameters: Sequence[float], point: Point) -> tuple[float, float, float]:
    a, b, c, d, e, f, g, h = parameters
    x, y = point
    depth = g * x + h * y + 1.0
    return depth, (a * x + b * y + c) / depth, (d * x + e * y + f) / depth


def _squares(parameters: Sequence[float], pairs: Sequence[Pair]) -> float:
    try:
        return sum(math.dist(_seen(parameters, one)[1:], other) ** 2 for one, other in pairs)
    except ZeroDivisionError:
        return math.inf


def _solve_least(rows: Sequence[Row]) -> list[float]:
    """Return the least-squares solution of linear equations, exact if there are as many equations as unknowns.

    Raises ZeroDivisionError if there is no unique solution.
    """
    count = len(rows[0][0])
    if len(rows) == count:
        return _eliminate([[*factors, value] for factors, value in rows])
    table = [
        [sum(factors[one] * factors[other] for factors, _ in rows) for other in range(count)] for one in range(count)
    ]
    for at, line in enumerate(table):
        line.append(sum(factors[at] * value for factors, value in rows))
    return _eliminate(table)


def _eliminate(table: list[list[float]]) -> list[float]:
    """Return the solution of linear equations by Gaussian elimination with the largest pivots.

    Raises ZeroDivisionError for a singular table.
    """
    count = len(table)
    for pivot_row in range(count):
        pivot = max(range(pivot_row, count), key=lambda row: abs(table[row][pivot_row]))
        table[pivot_row], table[pivot] = table[pivot], table[pivot_row]
        if abs(table[pivot_row][pivot_row]) < 1e-11:
            raise ZeroDivisionError
        for row in range(pivot_row + 1, count):
            factor = table[row][pivot_row] / table[pivot_row][pivot_row]
            for column in range(pivot_row, count + 1):
                table[row][column] -= factor * table[pivot_row][column]
    solution = [0.0] * count
    for pivot_row in reversed(range(count)):
        known_part = sum(table[pivot_row][column] * solution[column] for column in range(pivot_row + 1, count))
        solution[pivot_row] = (table[pivot_row][count] - known_part) / table[pivot_row][pivot_row]
    return solution


def _determinant(matrix: Matrix) -> float:
    a, b, c, d, e, f, g, h, i = matrix
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
