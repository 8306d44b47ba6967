"""Areas of hexes: merged, soft at their edges, and over the hexes that they are about."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.drawing.scene import Marks, Point
from assistant.drawing.scene import Path as Lines
from assistant.pictures.map.courses import Line, smooth
from assistant.pictures.map.land import edge_layer, exact, grid_layer, outlines, rings, terrain_layers, with_straits
from assistant.pictures.map.survey import Survey
from assistant.pictures.map.waters import Waters
from assistant.pictures.style import HEX

from ....cases import examples
from .boards import board, survey


def inside(lines: tuple[Line, ...], point: Point) -> bool:
    """Whether a point is in an area with holes."""
    x, y = point
    found = False
    for line in lines:
        for (x0, y0), (x1, y1) in zip(line, (*line[1:], line[0]), strict=True):
            if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
                found = not found
    return found


def plain(folder: Path) -> Survey:
    return survey(board(folder / "b"))


def test_two_hexes_merge_and_a_ring_has_a_hole(tmp_path: Path) -> None:
    drawn = plain(tmp_path)
    assert [len(ring) for ring in rings(drawn, {"05.05", "05.06"})] == [10]
    ring = set(drawn.board.neighbours("05.05"))
    assert sorted(len(line) for line in rings(drawn, ring)) == [6, 18]
    assert not inside(outlines(drawn, ring), drawn.layout.centre("05.05"))


def test_an_area_covers_the_middle_of_its_hexes_and_of_no_other(tmp_path: Path) -> None:
    drawn = plain(tmp_path)
    names = sorted(drawn.hexes)

    @settings(max_examples=examples(40), deadline=None)
    @given(st.sets(st.sampled_from(names), min_size=1))
    def check(some: set[str]) -> None:
        for lines in (exact(drawn, some), outlines(drawn, some)):
            assert {name for name in names if inside(lines, drawn.layout.centre(name))} == some

    check()


def test_a_smooth_line_cuts_corners_but_keeps_its_ends() -> None:
    corner = smooth(((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (20.0, 10.0)), 8)
    assert (corner[0], corner[-1]) == ((0.0, 0.0), (20.0, 10.0))
    assert (10.0, 0.0) not in corner
    assert (10.0, 5.0) in corner  # through the middle between two bends


def test_water_lies_over_the_land_with_lines_along_its_shore(tmp_path: Path) -> None:
    layers = {layer.name: layer for layer in terrain_layers(survey(board(tmp_path / "b", water=4)))}
    area, *others = [shape for shape in layers["sea"].shapes if isinstance(shape, Lines)]
    assert area.fill
    assert area.stroke
    assert len([shape for shape in others if shape.stroke and not shape.fill and shape.opacity == 1]) == 3


def test_signs_of_the_ground_leave_room_for_numbers_and_towns(tmp_path: Path) -> None:
    drawn = survey(board(tmp_path / "b", "05.05 rough [rulebook 1]\n08.05 rough [rulebook 1]\n", "05.05,Town,town,\n"))
    (texture,) = [layer for layer in terrain_layers(drawn) if layer.name == "texture"]
    points = [
        (x + mark.symbol.width / 2, y + mark.symbol.height / 2)
        for mark in texture.shapes
        if isinstance(mark, Marks)
        for x, y in mark.points
    ]
    for name, middle in (("05.05", False), ("08.05", True)):
        x, y = drawn.layout.centre(name)
        assert any(abs(at_x - x) < HEX * 0.1 and abs(at_y - y) < HEX * 0.1 for at_x, at_y in points) is middle
        assert not [1 for at_x, at_y in points if abs(at_x - x) < 4 and abs(at_y - (y - 0.41 * HEX)) < 3]


def test_each_hexside_is_drawn_once_and_nothing_is_seen_beyond_the_hexes(tmp_path: Path) -> None:
    drawn = plain(tmp_path)
    (grid,) = grid_layer(drawn).shapes
    assert isinstance(grid, Lines)
    sides = len(drawn.sides) + sum(not beyond for name in drawn.hexes for beyond, _, _ in drawn.around[name])
    assert sum(len(line) - 1 for line in grid.lines) == sides
    mask, _ = edge_layer(drawn, drawn.layout.width, drawn.layout.height, "#ffffff").shapes
    assert isinstance(mask, Lines)
    assert not inside(mask.lines, drawn.layout.centre("05.05"))
    assert inside(mask.lines, (1.0, 1.0))


def test_a_strait_opens_into_the_sea_and_a_lake_apart_from_it_stays_a_lake(tmp_path: Path) -> None:
    lines = "barrier=sea: 05.05|05.06 05.06|06.06\nbarrier=lake: 09.05|09.06\n"
    drawn = survey(board(tmp_path / "b", lines, water=4))
    waters = Waters(drawn)
    (strait,) = waters.straits
    shore = {corner for name in drawn.hexes if drawn.terrain[name] == "sea" for _, corner, _ in drawn.around[name]}
    mouth = next(
        drawn.point(corner)
        for corner in shore
        if corner in (drawn.sides["05.05|05.06"].start, drawn.sides["05.05|05.06"].end)
    )
    assert inside((strait,), mouth)  # wide open where it meets the sea
    (lakes,) = [layer for layer in waters.layers() if layer.name == "lakes"]
    assert {len(shape.lines) for shape in lakes.shapes if isinstance(shape, Lines)} == {1}
    sea = next(layer for layer in terrain_layers(drawn) if layer.name == "sea")
    below, *_, above = with_straits(drawn, sea, waters.straits).shapes
    assert isinstance(below, Lines) and isinstance(above, Lines)
    assert below.stroke and above.fill and not above.stroke
    assert with_straits(drawn, sea, ()) == sea
