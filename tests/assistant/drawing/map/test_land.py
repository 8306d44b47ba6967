"""Areas of hexes: merged, soft at their edges, and over the hexes that they are about."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from math import ceil, dist
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.drawing.layout import Layout
from assistant.drawing.map.courses import Line, smooth
from assistant.drawing.map.grounds import edge_layer, grid_layer, open_straits, terrain_layers
from assistant.drawing.map.land import find_rings, land_outlines, smooth_outlines
from assistant.drawing.map.survey import Survey, survey_of
from assistant.drawing.map.waters import Waters
from assistant.drawing.palettes import is_water
from assistant.drawing.scene import Circle, Marks, Point, Rectangle
from assistant.drawing.scene import Path as Lines
from assistant.drawing.style import HEX_MM
from assistant.installed.registry import installed_games, load_game

from ....cases import examples, thorough
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


def test_hexes_merge_have_holes_and_each_of_their_sides_is_drawn_once(tmp_path: Path) -> None:
    drawn = plain(tmp_path)
    assert [len(ring) for ring in find_rings(drawn, {"05.05", "05.06"})] == [10]
    ring = set(drawn.board.neighbours("05.05"))
    assert sorted(len(line) for line in find_rings(drawn, ring)) == [6, 18]
    assert not inside(smooth_outlines(drawn, ring), drawn.layout.centre("05.05"))
    drawn = plain(tmp_path)
    (grid,) = grid_layer(drawn).shapes
    assert isinstance(grid, Lines)
    sides = len(drawn.sides) + sum(not beyond for name in drawn.hexes for beyond, _, _ in drawn.around[name])
    assert sum(len(line) - 1 for line in grid.lines) == sides
    mask, _ = edge_layer(drawn, drawn.layout.width, drawn.layout.height, "#ffffff").shapes
    assert isinstance(mask, Lines)
    assert not inside(mask.lines, drawn.layout.centre("05.05"))
    assert inside(mask.lines, (1.0, 1.0))


def test_an_area_covers_the_middle_of_its_hexes_and_of_no_other(tmp_path: Path) -> None:
    drawn = plain(tmp_path)
    names = sorted(drawn.hexes)

    @settings(max_examples=examples(40), deadline=None)
    @given(st.sets(st.sampled_from(names), min_size=1))
    def check(some: set[str]) -> None:
        for lines in (land_outlines(drawn, some), smooth_outlines(drawn, some)):
            assert {name for name in names if inside(lines, drawn.layout.centre(name))} == some

    check()


def test_a_smooth_line_cuts_corners_but_keeps_its_ends() -> None:
    corner = smooth(((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (20.0, 10.0)), 8)
    assert (corner[0], corner[-1]) == ((0.0, 0.0), (20.0, 10.0))
    assert (10.0, 0.0) not in corner
    assert (10.0, 5.0) in corner  # through the middle between two bends


def test_water_lies_over_the_land_and_a_ground_is_soft_where_it_meets_a_lower_one(tmp_path: Path) -> None:
    layers = {layer.name: layer for layer in terrain_layers(survey(board(tmp_path / "b", water=4)))}
    area, *others = [shape for shape in layers["sea"].shapes if isinstance(shape, Lines)]
    assert area.fill
    assert area.stroke
    assert len([shape for shape in others if shape.stroke and not shape.fill and shape.opacity == 1]) == 3
    drawn = survey(board(tmp_path / "2" / "b", "05.05 rough [rulebook 1]\n05.06 mountain [rulebook 1]\n"))
    (terrain,) = [layer for layer in terrain_layers(drawn) if layer.name == "terrain"]
    soft = {shape.stroke: shape.lines for shape in terrain.shapes if isinstance(shape, Lines) and not shape.fill}
    rough, mountain = (drawn.layout.centre(name) for name in ("05.05", "05.06"))
    (edge,) = soft[drawn.ground("05.05")]
    assert all(dist(point, rough) < dist(point, mountain) for point in edge)
    assert len(edge) == 10, "five hexsides"
    (around,) = soft[drawn.ground("05.06")]
    assert around[0] == around[-1], "all round: nothing lies on it"


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
        assert any(abs(at_x - x) < HEX_MM * 0.1 and abs(at_y - y) < HEX_MM * 0.1 for at_x, at_y in points) is middle
        assert not [1 for at_x, at_y in points if abs(at_x - x) < 4 and abs(at_y - (y - 0.41 * HEX_MM)) < 3]


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
    below, *_, above = open_straits(drawn, sea, waters.straits).shapes
    assert isinstance(below, Lines) and isinstance(above, Lines)
    assert below.stroke and above.fill and not above.stroke
    assert open_straits(drawn, sea, ()) == sea


#: The points at which the ground of a hex is looked at: how far apart they are, which is no part of a hex's height so
#: that none lies on a hexside, and how far off its centre.
_STEP = HEX_MM / 15.7
_POINTS = [(column * _STEP, row * _STEP) for column in range(-9, 10) for row in range(-9, 10)]


def tints(drawn: Survey) -> Iterator[tuple[str, float, bool]]:
    """Each hex with another terrain beside it, the share of it that has the tint of its own ground, and whether its middle has it."""
    shapes = [shape for layer in terrain_layers(drawn) for shape in layer.shapes]
    (below,) = [shape.fill for shape in shapes if isinstance(shape, Rectangle)]
    areas = [shape for shape in shapes if isinstance(shape, Lines) and shape.fill and shape.opacity == 1]
    water = {drawn.palette.ground(word) for word in drawn.terrain.values() if word and is_water(word)}
    rows = [crossings(area) for area in areas]
    fills = ["water" if area.fill in water else area.fill for area in areas]
    for name in drawn.layout.names:
        if not drawn.terrain[name] or {drawn.terrain.get(beyond, "") for beyond, _, _ in drawn.around[name]} <= {
            drawn.terrain[name]
        }:
            continue
        own = "water" if is_water(drawn.terrain[name]) else drawn.ground(name)
        x, y = drawn.layout.centre(name)
        corners = tuple(drawn.point(start) for _, start, _ in drawn.around[name])
        seen = [
            tint_at(rows, fills, (x + dx, level(y + dy)), below) == own
            for dx, dy in _POINTS
            if inside((corners,), (x + dx, level(y + dy)))
        ]
        yield name, sum(seen) / len(seen), tint_at(rows, fills, (x, level(y)), below) == own


def level(y: float) -> float:
    """The nearest of the levels at which areas are looked at."""
    return ceil(y / _STEP) * _STEP


def crossings(area: Lines) -> dict[float, list[float]]:
    """By level, where the outline of an area crosses it."""
    found: dict[float, list[float]] = defaultdict(list)
    for line in area.lines:
        for (x0, y0), (x1, y1) in pairwise((*line, line[0])):
            at = level(min(y0, y1))
            while at < max(y0, y1):
                found[at].append(x0 + (at - y0) * (x1 - x0) / (y1 - y0))
                at = level(at + _STEP / 2)
    return {at: sorted(xs) for at, xs in found.items()}


def tint_at(rows: list[dict[float, list[float]]], fills: list[str], point: Point, below: str) -> str:
    """The fill of the uppermost area over a point at a level. below: what lies below all areas."""
    x, y = point
    over = (fill for row, fill in zip(rows[::-1], fills[::-1], strict=True) if bisect_right(row.get(y, ()), x) % 2)
    return next(over, below)


@thorough
@pytest.mark.parametrize("id", installed_games())
def test_nobody_doubts_which_terrain_a_hex_has(id: str) -> None:
    """On all boards at least 85 % of each hex has the tint of its own ground, and its middle always."""
    game = load_game(id)
    for whole in filter(lambda some: some.hexes, map(game.board, game.board_names)):
        drawn = survey_of(Layout(whole, sorted(whole.hexes)), game)
        shares = {at: (share, middle) for at, share, middle in tints(drawn)}
        assert min(share for share, _ in shares.values()) >= 0.85
        assert all(middle for _, middle in shares.values())


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_hex_alone_is_filled_with_its_terrain_and_its_signs_stay_in_it(tmp_path: Path, orientation: str) -> None:
    terrain = ("mountain", "wetlands", "rough")
    lines = "".join(f"{3 * n:02}.05 {word} [rulebook 1]\n" for n, word in enumerate(terrain, 1))
    drawn = survey(board(tmp_path / "b", lines, orientation=orientation))
    alone = {f"{3 * n:02}.05" for n in range(1, 4)}
    assert {name: drawn.terrain[name] for name in sorted(alone)} == dict(zip(sorted(alone), terrain, strict=True))
    assert min(share for name, share, _ in tints(drawn) if name in alone) >= 0.88
    signs = [mark for layer in terrain_layers(drawn) for mark in layer.shapes if isinstance(mark, Marks)]
    boxes = [
        ((x, y), (x + wide, y), (x, y + high), (x + wide, y + high))
        for mark in signs
        for wide, high in [(mark.symbol.width, mark.symbol.height)]
        for x, y in mark.points
    ]
    hexes = land_outlines(drawn, alone)
    assert len(boxes) > 9
    assert all(inside(hexes, corner) for box in boxes for corner in box)


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_dot_lies_in_the_middle_of_each_hex_where_the_grid_has_dots(tmp_path: Path, orientation: str) -> None:
    bare = board(tmp_path / "plain", orientation=orientation)
    dotted = msgspec.structs.replace(bare, grid=msgspec.structs.replace(bare.grid, dots=True))
    drawn = survey(dotted)
    dots = [shape for shape in grid_layer(drawn).shapes if isinstance(shape, Circle)]
    assert {(dot.x, dot.y) for dot in dots} == {drawn.layout.centre(name) for name in dotted.hexes}
    assert not any(isinstance(shape, Circle) for shape in grid_layer(survey(bare)).shapes)
