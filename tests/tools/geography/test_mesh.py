"""The mesh: the hex of a point, and what lies on either hand of a hexside, on every kind of grid."""

from __future__ import annotations

from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.game.hexes import HexGrid
from tools.geography.lines import from_segment
from tools.geography.mesh import Mesh, everywhere

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
