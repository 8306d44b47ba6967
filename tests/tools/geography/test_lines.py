"""Lines, areas and the mesh of hexsides: nothing is lost in simplifying, and courses follow the network of open data."""

from __future__ import annotations

from itertools import pairwise
from math import cos, dist, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.game.hexes import HexGrid
from tools.geography.areas import Area
from tools.geography.lines import from_segment, is_left, length, nearest, resample, simplify, smoothed
from tools.geography.mesh import Mesh, everywhere
from tools.geography.network import Network

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


# --- areas ------------------------------------------------------------------------------------------------------------


@given(st.floats(-1, 7), st.floats(-1, 7))
def test_a_lake_with_an_island(x: float, y: float) -> None:
    lake = ((0.0, 0.0), (6.0, 0.0), (6.0, 6.0), (0.0, 6.0))
    island = ((2.0, 2.0), (4.0, 2.0), (4.0, 4.0), (2.0, 4.0))
    inside = 0 < x < 6 and 0 < y < 6 and not (2 < x < 4 and 2 < y < 4)
    if all(abs(c - line) > 1e-6 for c in (x, y) for line in (0, 2, 4, 6)):
        assert Area((lake, island)).holds((x, y)) == inside


def test_a_share_counts_points() -> None:
    square = Area((((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),))
    assert square.share([(0.5, 0.5), (0.2, 0.9), (2.0, 0.5), (-1.0, 0.5)]) == 0.5


# --- the network ------------------------------------------------------------------------------------------------------


def test_a_course_follows_the_network_where_it_is_near() -> None:
    bend = [(x / 10, 1.0 if 20 <= x <= 40 else 0.0) for x in range(61)]
    network = Network((tuple(bend[:31]), tuple((x, y + 0.01) for x, y in bend[30:])))
    line = network.course([(0.0, 0.1), (6.0, -0.1)])
    assert max(y for _, y in line) == pytest.approx(1.0, abs=0.02), "over the gap between the pieces"
    assert network.course([(0.0, 5.0), (6.0, 5.0)]) == [(0.0, 5.0), (6.0, 5.0)], "nothing near: straight on"
    detour = Network(((((0.0, 0.0), (0.0, 9.0), (6.0, 9.0), (6.0, 0.0))),))
    assert detour.course([(0.0, 0.0), (6.0, 0.0)]) == [(0.0, 0.0), (6.0, 0.0)], "too long a way"


# --- the mesh ---------------------------------------------------------------------------------------------------------

GRIDS = [
    HexGrid(orientation=orientation, shifted=shifted, columns_from=side, columns=(1, 9), rows=(3, 9))  # type: ignore[arg-type]
    for orientation in ("flat", "pointy")
    for shifted in ("odd", "even")
    for side in ("east", "west")
]
MESHES = [Mesh(grid, everywhere(grid)) for grid in GRIDS]


@given(st.sampled_from(MESHES), st.floats(-12, 12), st.floats(-3, 12))
def test_the_hex_at_a_point_is_the_one_whose_middle_is_nearest(mesh: Mesh, x: float, y: float) -> None:
    away = min(dist((x, y), mesh.centre(name)) for name in mesh.hexes)
    found = mesh.hex_at((x, y))
    if away < 0.499:
        assert found is not None and dist((x, y), mesh.centre(found)) == away
    elif away > 0.578:  # further than a corner
        assert found is None
    elif found is not None:
        assert dist((x, y), mesh.centre(found)) == pytest.approx(away)


@pytest.mark.parametrize("mesh", MESHES)
def test_left_and_right_are_seen_along_the_hexside(mesh: Mesh) -> None:
    assert mesh.sides
    for side in mesh.sides:
        (x1, y1), (x2, y2) = mesh.at(side.start), mesh.at(side.end)
        lx, ly = mesh.centre(side.left)
        assert (x2 - x1) * (ly - y1) - (y2 - y1) * (lx - x1) < 0, "with y down, the left hand is where this is negative"
        assert side.right in mesh.neighbours[side.left]
        assert mesh.middle(side) == pytest.approx(
            tuple((a + b) / 2 for a, b in zip(mesh.centre(side.left), mesh.centre(side.right), strict=True))
        )


def test_each_hexside_is_there_in_both_directions() -> None:
    for mesh in MESHES:
        ways = {(side.start, side.end) for side in mesh.sides}
        assert len(ways) == len(mesh.sides)
        assert {(end, start) for start, end in ways} == ways


@given(st.sampled_from(MESHES), st.floats(-6, 9), st.floats(2, 9), st.floats(0.1, 0.95))
def test_hexsides_near_a_point_are_all_found(mesh: Mesh, x: float, y: float, reach: float) -> None:
    def away(side: object) -> float:
        return from_segment((x, y), mesh.at(side.start), mesh.at(side.end))[0]  # type: ignore[attr-defined]

    expected = {side for side in mesh.sides if away(side) <= reach}
    assert {side for side, _ in mesh.sides_near((x, y), reach)} == expected


@pytest.mark.parametrize("mesh", MESHES)
def test_the_points_of_a_hex_lie_in_it(mesh: Mesh) -> None:
    name = mesh.grid.name(mesh.grid.middle)
    points = list(mesh.points(name, 3))
    assert len(points) == 37
    assert {mesh.hex_at(point) for point in points} == {name}
    middle = mesh.centre(name)
    assert max(dist(point, middle) for point in points) > 0.5, "they reach into the corners"
