"""Ways with names: those that share hexes run on one line, none leads under counters, and attacks go on where they end."""

from itertools import pairwise
from math import dist

import pytest

from assistant.asking.sketch import Arrow, Sketch, format_first_units
from assistant.drawing.geometry import PageBox, point_between
from assistant.drawing.hex_sets import hexes_around
from assistant.drawing.layout import Layout
from assistant.drawing.sketch.ways import arrow_lines, way_line
from assistant.game.boards import Board
from assistant.installed.registry import load_game

WAYS = (
    ("41.19", "41.18", "41.17"),
    ("41.20", "41.19", "41.18", "41.17"),
    ("41.17", "41.18", "41.19"),
    ("41.21", "41.20", "41.19", "41.18"),
)


@pytest.fixture(scope="module")
def board() -> Board:
    return load_game("twilight-in-the-east").board("east")


@pytest.fixture(scope="module")
def layout(board: Board) -> Layout:
    return Layout(board, sorted(hexes_around(board, {name for way in WAYS for name in way})))


def boxes_in(layout: Layout, *hexes: str) -> dict[str, PageBox]:
    """Counters in the middle of hexes."""
    centres = {name: layout.centre(name) for name in hexes}
    return {name: PageBox(x - 8.5, y - 8.5, x + 8.5, y + 8.5) for name, (x, y) in centres.items()}


def away_from(point: tuple[float, float], points: tuple[tuple[float, float], ...]) -> float:
    """How far a point lies from a line."""
    return min(dist(point, point_between(*step, share / 40)) for step in pairwise(points) for share in range(41))


@pytest.mark.parametrize("occupied", [(), ("41.18",), ("41.18", "41.19")])
def test_ways_that_share_hexes_run_on_one_line_in_either_direction(layout: Layout, occupied: tuple[str, ...]) -> None:
    boxes = boxes_in(layout, *occupied)
    one, other = (way_line(layout, Arrow(hexes=way, name="1"), boxes) for way in (WAYS[1], WAYS[3]))
    shared = layout.hexside("41.19", "41.18"), layout.hexside("41.20", "41.19")
    for side in shared:
        middle = point_between(*side, 0.5)
        assert max(away_from(middle, one), away_from(middle, other)) < 0.5
    there = way_line(layout, Arrow(hexes=WAYS[0], name="1"), boxes_in(layout, "41.18"))
    back = way_line(layout, Arrow(hexes=WAYS[2], name="1"), boxes_in(layout, "41.18"))
    assert max(away_from(point, back) for point in there) < 0.5


def test_a_way_leads_round_the_counters_on_it_and_begins_and_ends_clear_of_those_there(layout: Layout) -> None:
    arrow = Arrow(hexes=("41.21", "41.20", "41.19", "40.19"), name="1")
    boxes = boxes_in(layout, *arrow.hexes)
    for start, end in pairwise(way_line(layout, arrow, boxes)):
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            x, y = point_between(start, end, share)
            assert not any(box.left < x < box.right and box.top < y < box.bottom for box in boxes.values())


def test_an_attack_goes_on_where_a_way_ends_and_ends_at_the_hexside(layout: Layout) -> None:
    way, attack = Arrow(hexes=WAYS[0], name="1"), Arrow(hexes=("41.17", "40.17"), kind="attack")
    lines = dict(arrow_lines(layout, Sketch(title="ways", arrows=(way, attack)), boxes_in(layout, "41.19", "40.17")))
    assert lines[way][-1] == lines[attack][0] == layout.centre("41.17")
    middle = point_between(*layout.hexside("41.17", "40.17"), 0.5)
    assert dist(lines[attack][-1], middle) < 0.5


@pytest.mark.parametrize(
    ("units", "words"),
    [([], ""), (["a"], "a"), (["a", "b", "c"], "a, b, c"), (["a", "b", "c", "d", "e"], "a, b, c and 2 more")],
)
def test_up_to_three_units_are_named(units: list[str], words: str) -> None:
    assert format_first_units(units) == words
