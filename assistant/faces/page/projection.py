"""A flat sheet as a camera sees it: the projective transform that takes points of the sheet to points of the photo.

It has eight parameters. Four pairs of points, no three of them in line, settle it exactly; more are fitted by least
squares of the distances in the photo.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

Point = tuple[float, float]
"""To the right and down."""
Pair = tuple[Point, Point]
"""A point of the sheet, and where the photo shows it."""
Row3 = tuple[float, float, float]
Matrix = tuple[float, float, float, float, float, float, float, float, float]

NEEDED = 4
"""How many pairs settle a projection."""
_THIN = 0.05
"""The height of a triangle, as a share of its longest side, below which its corners count as in line."""
_SAME = 0.004
"""The distance of two points, as a share of the extent of all, below which they count as the same."""
_ROUNDS = 12
"""How often a fit is refined at most."""

Fault = Literal["few", "twice", "line", "mirrored", "crossed"]


class DegeneratePairs(ValueError):
    """Pairs that settle no projection that a camera can have.

    fault: too few; two are the same ("twice"); three in line, and no fourth that helps; the photo shows the sheet as a
    mirror does; or the pairs lie crosswise, so that part of the sheet would lie behind the camera. which: the pairs
    concerned, by their place.
    """

    def __init__(self, fault: Fault, which: Sequence[int] = ()) -> None:
        super().__init__(fault)
        self.fault = fault
        self.which = tuple(which)


class Projection(NamedTuple):
    """The transform from the sheet to the photo, as the rows of a matrix."""

    matrix: Matrix

    def project(self, point: Point) -> Point:
        """Return where the photo shows a point of the sheet. Raises ValueError for one that lies behind the camera."""
        a, b, c, d, e, f, g, h, i = self.matrix
        x, y = point
        depth = g * x + h * y + i
        if depth <= 1e-12:
            raise ValueError("behind the camera")
        return (a * x + b * y + c) / depth, (d * x + e * y + f) / depth

    def scale_at(self, point: Point) -> float:
        """Return how many pixels of the photo a unit of the sheet has at a point of the sheet, on the average of all
        directions.
        """
        _, _, _, _, _, _, g, h, i = self.matrix
        x, y = point
        return math.sqrt(_determinant(self.matrix) / (g * x + h * y + i) ** 3)

    def inverse(self) -> Projection:
        """Return the transform from the photo to the sheet."""
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
        """Return the same from a sheet in other units: `scale` times as large, and then shifted."""
        a, b, c, d, e, f, g, h, i = self.matrix
        return Projection(
            (
                *_row_after((a, b, c), scale, shift),
                *_row_after((d, e, f), scale, shift),
                *_row_after((g, h, i), scale, shift),
            )
        )


def _row_after(row: Row3, scale: float, shift: Point) -> Row3:
    """Return a row of the matrix from a sheet that is `scale` times as large, and then shifted."""
    p, q, r = row
    return p / scale, q / scale, r - (p * shift[0] + q * shift[1]) / scale


def fit_projection(pairs: Sequence[Pair]) -> Projection:
    """Return the projection that takes the first point of each pair to the second: exactly for four, by least squares
    for more. Raises DegeneratePairs.
    """
    _check_apart(pairs)
    _check_spread(pairs)
    sheet = _Normalized.of([one for one, _ in pairs])
    photo = _Normalized.of([other for _, other in pairs])
    framed = [(sheet.enter(one), photo.enter(other)) for one, other in pairs]
    try:
        parameters = _solve_least(list(_write_linear_rows(framed)))
        if len(framed) > NEEDED:
            parameters = _refine(parameters, framed)
    except ZeroDivisionError:
        raise DegeneratePairs("line") from None
    matrix = _leave(sheet, photo, (*parameters, 1.0))
    _check_seen(matrix, [one for one, _ in pairs])
    return Projection(matrix)


def distances(projection: Projection, pairs: Sequence[Pair]) -> list[float]:
    """Return how far each pair lies from where the projection puts it, in units of the sheet."""
    return [math.dist(projection.project(one), other) / projection.scale_at(one) for one, other in pairs]


def _check_apart(pairs: Sequence[Pair]) -> None:
    """Raise DegeneratePairs for too few pairs, and for two that are the same on the sheet or in the photo."""
    for points in zip(*pairs, strict=True):
        extent = max((math.dist(one, other) for one, other in combinations(points, 2)), default=0.0)
        for one, other in combinations(range(len(points)), 2):
            if math.dist(points[one], points[other]) <= _SAME * extent:
                raise DegeneratePairs("twice", (one, other))
    if len(pairs) < NEEDED:
        raise DegeneratePairs("few")


def _check_spread(pairs: Sequence[Pair]) -> None:
    """Raise DegeneratePairs if there are no four pairs of which no three lie in line, on the sheet or in the photo."""
    in_line = dict[tuple[int, ...], None]()
    for three in combinations(range(len(pairs)), 3):
        on_sheet = [pairs[at][0] for at in three]
        in_photo = [pairs[at][1] for at in three]
        if _is_thin(on_sheet) or _is_thin(in_photo):
            in_line[three] = None
    for four in combinations(range(len(pairs)), NEEDED):
        if in_line.keys().isdisjoint(combinations(four, 3)):
            return
    raise DegeneratePairs("line", next(iter(in_line)))


def _is_thin(corners: Sequence[Point]) -> bool:
    """Return whether a triangle is so thin that its corners count as in line."""
    (ax, ay), (bx, by), (cx, cy) = corners
    longest = max(math.dist(one, other) for one, other in combinations(corners, 2))
    twice_area = abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay))
    return twice_area <= _THIN * longest**2


def _check_seen(matrix: Matrix, points: Sequence[Point]) -> None:
    """Raise DegeneratePairs if a point lies behind the camera, or if the sheet is seen as in a mirror."""
    g, h, i = matrix[6:]
    behind = [at for at, (x, y) in enumerate(points) if g * x + h * y + i <= 1e-9]
    if behind:
        raise DegeneratePairs("crossed", behind)
    if _determinant(matrix) <= 0:
        raise DegeneratePairs("mirrored")


class _Normalized(NamedTuple):
    """Points moved so that their middle is 0,0 and they lie about 1 from it: then all numbers are of one size."""

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
    """Return a matrix between framed points as the one between the points themselves, of which the middle of the sheet
    has depth 1.
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
"""The factors of the parameters in a linear equation, and what they add up to."""


def _write_linear_rows(pairs: Sequence[Pair]) -> Iterator[Row]:
    """Yield the two equations of each pair, made linear by the depth of its point."""
    for (x, y), (u, v) in pairs:
        yield [x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y], u
        yield [0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y], v


def _refine(parameters: list[float], pairs: Sequence[Pair]) -> list[float]:
    """Return parameters that are near as they become with the least sum of squared distances in the photo (Gauss and
    Newton).
    """
    best = parameters
    least = _squares(parameters, pairs)
    for _ in range(_ROUNDS):
        step = _solve_least(list(_write_distance_rows(best, pairs)))
        closer = [value + more for value, more in zip(best, step, strict=True)]
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
    """Yield how the place of each point in the photo changes with the parameters, and how far it still lies away."""
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
    """Return what fits linear equations with the least squares; exactly where there are as many as unknowns. Raises
    ZeroDivisionError where they do not settle it.
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
    """Return the solution of linear equations, by Gauss with the largest pivots. Raises ZeroDivisionError for a
    singular table.
    """
    count = len(table)
    for at in range(count):
        pivot = max(range(at, count), key=lambda row: abs(table[row][at]))
        table[at], table[pivot] = table[pivot], table[at]
        if abs(table[at][at]) < 1e-11:
            raise ZeroDivisionError
        for row in range(at + 1, count):
            share = table[row][at] / table[at][at]
            for column in range(at, count + 1):
                table[row][column] -= share * table[at][column]
    solved = [0.0] * count
    for at in reversed(range(count)):
        rest = sum(table[at][column] * solved[column] for column in range(at + 1, count))
        solved[at] = (table[at][count] - rest) / table[at][at]
    return solved


def _determinant(matrix: Matrix) -> float:
    a, b, c, d, e, f, g, h, i = matrix
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
