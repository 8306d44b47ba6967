"""Ways with names, drawn apart: where several share a hexside none lies on another, and none leads under counters."""

from itertools import combinations, pairwise
from math import dist

import pytest

from assistant.game.boards import Board
from assistant.pictures.layout import Area, Layout, hexes_around, point_between
from assistant.pictures.sketch.lanes import PITCH, lane_line, lanes_of, lines_of, name_layer
from assistant.pictures.sketch.layers import Room
from assistant.pictures.style import MARGIN
from assistant.plugins.registry import load_game
from assistant.questions.sketch import Arrow, Sketch, few_named

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


def named(ways: tuple[tuple[str, ...], ...] = WAYS) -> list[Arrow]:
    return [Arrow(hexes=way, name=f"{number} to 1") for number, way in enumerate(ways)]


def middle_across(layout: Layout, points: tuple[tuple[float, float], ...], one: str, other: str) -> tuple[float, float]:
    """Where a line that runs north and south crosses the hexside between two hexes."""
    high = point_between(layout.centre(one), layout.centre(other), 0.5)[1]
    for (x0, y0), (x1, y1) in pairwise(points):
        if min(y0, y1) <= high <= max(y0, y1):
            return x0 + (x1 - x0) * (high - y0) / ((y1 - y0) or 1), high
    raise AssertionError("it does not cross the hexside")


def test_ways_that_share_a_hexside_cross_it_side_by_side_in_either_direction(layout: Layout) -> None:
    arrows = named()
    lanes = lanes_of(arrows)
    assert sorted(lanes.values(), key=abs)[0] == 0
    for one, other in (("41.18", "41.17"), ("41.19", "41.18")):
        across = [arrow for arrow in arrows if {one, other} <= set(arrow.hexes)]
        places = [middle_across(layout, lane_line(layout, arrow, lanes[arrow], {}), one, other) for arrow in across]
        assert len(places) >= 3
        assert all(dist(first, second) >= PITCH - 0.01 for first, second in combinations(places, 2))


def test_a_way_leads_round_the_counters_on_it_and_begins_and_ends_clear_of_those_there(layout: Layout) -> None:
    (arrow,) = named((("41.21", "41.20", "41.19", "40.19"),))
    boxes = {}
    for name in arrow.hexes:
        x, y = layout.centre(name)
        boxes[name] = Area(x - 8.5, y - 8.5, x + 8.5, y + 8.5)
    for lane in (-2, -1, 0, 1, 2):
        points = lane_line(layout, arrow, lane, boxes)
        for start, end in pairwise(points):
            for share in (0.0, 0.25, 0.5, 0.75, 1.0):
                x, y = point_between(start, end, share)
                assert not any(box.left < x < box.right and box.top < y < box.bottom for box in boxes.values())


def test_each_name_stands_at_its_own_way_and_covers_no_other_name(layout: Layout) -> None:
    sketch = Sketch(title="ways", arrows=tuple(named()))
    lines = lines_of(layout, sketch, {})
    names = name_layer(layout, lines, room := Room(()), [])
    assert [group.title.partition(":")[0] for group in names.shapes] == [arrow.name for arrow in sketch.arrows]  # type: ignore[union-attr]
    assert not any(one.overlap(other) for one, other in combinations(room.firm, 2))
    for (_, points), box in zip(lines, room.firm, strict=True):
        middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        near = min(dist(middle, point_between(*step, share / 20)) for step in pairwise(points) for share in range(21))
        assert near < (box.right - box.left) / 2 + PITCH


@pytest.mark.parametrize("way", [WAYS[0], WAYS[0][::-1], ("41.18", "40.18"), ("40.18", "41.18")])
def test_a_long_name_is_not_cut_off_at_the_edge_of_the_map(board: Board, way: tuple[str, ...]) -> None:
    narrow = Layout(board, sorted({*way, "40.17", "42.19"}))
    (arrow,) = (Arrow(hexes=way, name="Königsberg main reserve, 36 r/1 R and 2 more to 1 and 2"),)
    name_layer(narrow, lines_of(narrow, Sketch(title="ways", arrows=(arrow,)), {}), room := Room(()), [])
    (box,) = room.firm
    assert box.left > -MARGIN and box.right < narrow.width + MARGIN


@pytest.mark.parametrize(
    ("units", "words"),
    [([], ""), (["a"], "a"), (["a", "b", "c"], "a, b, c"), (["a", "b", "c", "d", "e"], "a, b, c and 2 more")],
)
def test_up_to_three_units_are_named(units: list[str], words: str) -> None:
    assert few_named(units) == words
