"""Lines: nothing is lost in simplifying, steps are even, meanders go, left is left."""

from __future__ import annotations

from itertools import pairwise
from math import cos, dist, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.geography.lines import is_left, length, nearest, resample, simplify, smoothed

points = st.tuples(st.floats(-10, 10), st.floats(-10, 10))
lines = st.lists(points, min_size=2, max_size=20, unique=True)


@given(lines, st.floats(0.01, 2))
def test_a_simplified_line_stays_near(line: list[tuple[float, float]], tolerance: float) -> None:
    found = simplify(line, tolerance)
    assert found[0] == line[0] and found[-1] == line[-1]
    assert all(nearest(point, found)[0] <= tolerance + 1e-9 for point in line)


@given(lines, st.floats(0.05, 1))
def test_steps_along_a_line_are_even(line: list[tuple[float, float]], step: float) -> None:
    found = resample(line, step)
    assert found[0] == line[0] and found[-1] == line[-1]
    assert len(found) == max(1, round(length(line) / step)) + 1
    assert all(nearest(point, line)[0] < 1e-6 for point in found)
    assert all(dist(one, other) <= length(line) / (len(found) - 1) + 1e-6 for one, other in pairwise(found))


def test_meanders_go_and_the_course_stays() -> None:
    line = [(x / 20, 0.2 * sin(x / 20 * 2 * pi / 0.5)) for x in range(200)]
    smooth = smoothed(line, 0.45, 0.12)
    assert max(abs(y) for x, y in smooth if 1 < x < 9) < 0.05
    bend = [(5 * cos(step / 20), 5 * sin(step / 20)) for step in range(60)]
    assert max(nearest(point, bend)[0] for point in smoothed(bend, 0.45, 0.12)) < 0.05


def test_left_and_right_of_a_line_that_runs_east() -> None:
    line = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.5)]
    assert is_left((0.5, -1.0), line), "y runs down, so north of it is left"
    assert not is_left((1.5, 1.0), line)
    assert nearest((3.0, 4.0), [(0.0, 0.0), (0.0, 0.0)]) == (pytest.approx(5.0), 0)
