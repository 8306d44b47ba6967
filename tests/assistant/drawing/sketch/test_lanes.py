"""The lanes of ways to different hexes: side by side, numbered, round counters, with as few crossings as possible."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import dist
from pathlib import Path

import pytest

from assistant.asking.sketch import Arrow, Sketch
from assistant.asking.view import View
from assistant.drawing.geometry import PageBox, point_between
from assistant.drawing.hex_sets import hexes_around
from assistant.drawing.layout import Layout
from assistant.drawing.scene import Circle, Group, Polyline, Text
from assistant.drawing.sketch.arrows import arrow_lines
from assistant.drawing.sketch.bridges import find_bridges
from assistant.drawing.sketch.lanes import LANE_PITCH_MM, distance_to_line, place_beads
from assistant.drawing.sketch.scene import sketch_scene
from assistant.installed.registry import load_game
from assistant.service import ask, drawable, read

ROOT = Path(__file__).parents[4]
THREATS = sorted(ROOT.glob("plugins/*/examples/threat.pos"))

# two hexes attacked from one hex: the ways there are the same, the attacks are not
WAY = ("41.20", "41.19", "41.18")
TARGETS = {1: "42.18", 2: "40.17"}


@pytest.fixture(scope="module")
def layout() -> Layout:
    board = load_game("twilight-in-the-east").board("east")
    return Layout(board, sorted(hexes_around(board, {*WAY, *TARGETS.values()})))


def box_at(layout: Layout, name: str) -> PageBox:
    x, y = layout.centre(name)
    return PageBox(x - 8.5, y - 8.5, x + 8.5, y + 8.5)


def sketch_to(*goals: int) -> Sketch:
    ways = tuple(Arrow(hexes=WAY, name="1", goal=goal) for goal in goals)
    attacks = tuple(Arrow(hexes=(WAY[-1], TARGETS[goal]), kind="attack", goal=goal) for goal in goals)
    return Sketch(title="ways", arrows=(*ways, *attacks))


@pytest.mark.parametrize("goals", [(1, 2), (2, 1)])
@pytest.mark.parametrize("counters", [(), ("41.19",), ("41.20", "41.19")])
def test_ways_to_two_hexes_run_side_by_side_and_part_without_crossing(
    layout: Layout, goals: tuple[int, int], counters: tuple[str, ...]
) -> None:
    lines = arrow_lines(layout, sketch_to(*goals), {name: box_at(layout, name) for name in counters})
    ways, attacks = dict[int, tuple[tuple[float, float], ...]](), dict[int, tuple[tuple[float, float], ...]]()
    for arrow, points in lines:
        (ways if arrow.name else attacks)[arrow.goal] = points
    for one, other in pairwise(WAY):  # a bend round counters begins before the hexside
        middle = point_between(*layout.hexside(one, other), 0.5)
        apart = [distance_to_line(middle, way) for way in ways.values()]
        assert apart == pytest.approx([LANE_PITCH_MM / 2] * 2, abs=0.6)
    routes = [(*ways[goal], *attacks[goal]) for goal in goals]
    assert not [*find_bridges(*routes)]
    for goal in goals:
        assert attacks[goal][0] == ways[goal][-1] or distance_to_line(ways[goal][-1], attacks[goal]) < 0.01


def test_a_lone_way_runs_through_the_middles_of_hexes(layout: Layout) -> None:
    ((_, way), _) = arrow_lines(layout, sketch_to(1), {})
    assert way[1:] == tuple(layout.centre(name) for name in WAY[1:])


def test_a_way_turns_to_the_longer_side_of_counters_if_it_then_crosses_fewer_ways(layout: Layout) -> None:
    boxes = {name: box_at(layout, name) for name in ("41.20", "41.19")}
    through = Arrow(hexes=WAY, name="1", goal=1)
    lone = arrow_lines(layout, Sketch(title="ways", arrows=(through,)), boxes)[0][1]
    side = "42.20" if any(x < layout.centre("41.19")[0] for x, _ in lone[1:-1]) else "40.19"
    other = Arrow(hexes=("41.19", side), name="2", goal=2)
    lines = arrow_lines(layout, Sketch(title="ways", arrows=(through, other)), boxes)
    assert lines[0][1] != lone
    assert not [*find_bridges(lines[0][1], lines[1][1])]
    for start, end in pairwise(lines[0][1]):
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            x, y = point_between(start, end, share)
            assert not any(box.left < x < box.right and box.top < y < box.bottom for box in boxes.values())


@pytest.mark.parametrize("file", THREATS, ids=lambda file: file.parts[-3])
def test_each_way_of_a_threat_has_the_number_of_a_drawn_hex_in_letters_of_6_points(file: Path) -> None:
    position = read(file)
    drawn = drawable(position, ask(position, position.asks[0].question, **position.asks[0].parameters))
    assert isinstance(drawn, Sketch)
    scene = sketch_scene(View(position.game, position.state), drawn)
    (ways,) = (layer for layer in scene.layers if layer.name == "ways")
    beads = [
        shapes for shape in ways.shapes if isinstance(shape, Group) and isinstance((shapes := shape.shapes)[0], Circle)
    ]
    places = {str(spot.place) for spot in drawn.spots if spot.place}
    named = [arrow for arrow in drawn.arrows if arrow.name]
    texts = [text for shapes in beads for text in shapes if isinstance(text, Text)]
    assert len(texts) == len(named)
    assert sorted(text.text for text in texts) == sorted(str(arrow.goal) for arrow in named)
    assert {text.text for text in texts} <= places
    assert min(text.size for text in texts) >= 6 * 25.4 / 72
    middles = [(shapes[0].x, shapes[0].y, shapes[0].radius) for shapes in beads if isinstance(shapes[0], Circle)]
    for (x, y, radius), (other_x, other_y, other_radius) in combinations(middles, 2):
        assert dist((x, y), (other_x, other_y)) >= (radius + other_radius) * 0.9
    lines = [shape for shape in ways.shapes if isinstance(shape, Polyline)]
    assert all(any(distance_to_line((x, y), line.points) < 0.1 for line in lines) for x, y, _ in middles)


def test_a_number_stands_on_its_own_way_and_not_on_another(layout: Layout) -> None:
    lines = arrow_lines(layout, sketch_to(1, 2), {"41.20": box_at(layout, "41.20")})
    beads = [*place_beads(lines)]
    assert [arrow.goal for arrow, _ in beads] == [1, 2]
    for arrow, point in beads:
        for other, points in lines:
            away = distance_to_line(point, points)
            assert away < 0.01 if other is arrow else away > 2.0
