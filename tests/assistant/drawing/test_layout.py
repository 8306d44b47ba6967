"""Where hexes lie on the sheet: one map, or panels side by side for those that stand far apart."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import dist

import pytest

from assistant.drawing.geometry import PageBox
from assistant.drawing.hex_sets import far_parts, hexes_around
from assistant.drawing.layout import PANEL_GAP, Layout
from assistant.drawing.style import HEX
from assistant.game.boards import Board
from assistant.installed.registry import load_game


@pytest.fixture(scope="module")
def board() -> Board:
    return load_game("twilight-in-the-east").board("east")


def around(board: Board, *hexes: str) -> list[str]:
    return sorted(hexes_around(board, hexes))


def test_hexes_far_apart_are_drawn_as_panels_side_by_side(board: Board) -> None:
    names = [*around(board, "41.19"), *around(board, "70.40")]
    whole, parted = Layout(board, names), Layout(board, names, (5.0, 7.0), panels=True)
    assert (whole.is_parted, parted.is_parted) == (False, True)
    assert parted.width * parted.height < whole.width * whole.height / 10
    for one, other in (("41.19", "41.18"), ("70.40", "69.40")):
        assert dist(parted.centre(one), parted.centre(other)) == pytest.approx(HEX), "neighbours stay side by side"
    corners = [corner for name in names for corner in parted.corners(name)]
    assert min(x for x, _ in corners) == pytest.approx(5.0)
    assert min(y for _, y in corners) == pytest.approx(7.0)
    assert max(x for x, _ in corners) == pytest.approx(5.0 + parted.width)
    left, right = (
        [corner[0] for name in around(board, at) for corner in parted.corners(name)] for at in ("41.19", "70.40")
    )
    assert min(right) - max(left) == pytest.approx(PANEL_GAP) or min(left) - max(right) == pytest.approx(PANEL_GAP)


def test_hexes_that_are_not_drawn_lie_beside_their_panel_and_near_ones_stay_one_map(board: Board) -> None:
    parted = Layout(board, [*around(board, "41.19"), *around(board, "70.40")], panels=True)
    assert not parted.draws("70.38")
    assert dist(parted.centre("70.38"), parted.centre("70.39")) == pytest.approx(HEX)
    near = [*around(board, "41.19"), *around(board, "41.23")]
    assert len(far_parts(board, near)) == 1
    assert not Layout(board, near, panels=True).is_parted
    alone = Layout(board, around(board, "41.19"), panels=True)
    assert (alone.width, alone.height) == (Layout(board, around(board, "41.19")).width, alone.height)


def test_many_panels_stand_in_rows_that_do_not_overlap(board: Board) -> None:
    places = ("20.20", "41.19", "70.40", "20.60")
    parted = Layout(board, [name for at in places for name in around(board, at)], panels=True)
    boxes = []
    for at in places:
        xs, ys = zip(*(corner for name in around(board, at) for corner in parted.corners(name)), strict=True)
        boxes.append((min(xs), min(ys), max(xs), max(ys)))
    assert len({round(box[1]) for box in boxes}) == 2, "two rows"
    for one, other in pairwise(sorted(boxes, key=lambda box: (round(box[1]), box[0]))):
        assert one[2] < other[0] or one[3] < other[1]
    more = [name for at in (*places, "60.70") for name in around(board, at)]
    assert not Layout(board, more, panels=True).is_parted, "of many places the map itself says how they lie"


def test_framed_panels_lie_round_the_largest_on_the_side_where_they_belong(board: Board) -> None:
    large = around(board, "41.19", "42.21", "41.23", "42.25")
    names = [*large, *around(board, "20.19"), *around(board, "70.22")]
    framed = Layout(board, names, panels=True, framed=True)
    (west, _), (middle, _), (east, _) = (framed.centre(name) for name in ("70.22", "41.19", "20.19"))
    assert west < middle < east, "columns count from the east"
    areas = [area for _, area in framed.panels]
    assert [set(part) for part, _ in framed.panels] == [set(part) for part in far_parts(board, names)]
    assert all(one.overlap(other) == 0 for one, other in combinations(areas, 2))
    for part, area in framed.panels:
        assert all(area.left < framed.centre(name)[0] < area.right for name in part)
    assert [part for part, _ in Layout(board, large).panels] == [large]


def test_framed_panels_are_as_high_as_on_the_map_and_leave_a_hole(board: Board) -> None:
    large = around(board, "41.19", "42.21", "41.23", "42.25", "41.27")
    for north, south in (("71.20", ""), ("71.20", "71.28"), ("", "71.40")):
        names = [*large, *(name for at in (north, south) if at for name in around(board, at))]
        framed = Layout(board, names, panels=True, framed=True)
        (whole, *others) = (area for _, area in framed.panels)
        hole = framed.hole
        assert all(whole.top <= area.top < area.bottom <= whole.bottom + 0.01 for area in others)
        if north:
            assert framed.centre(north)[1] - framed.centre("41.19")[1] == pytest.approx(
                (board.centre(north)[1] - board.centre("41.19")[1]) * HEX
            )
        if south and not north:
            assert others[0].bottom == pytest.approx(whole.bottom), "as low as the large one allows"
            assert (hole.top, hole.bottom) == (whole.top, others[0].top)
        assert hole.bottom - hole.top > 2 * HEX
        assert not any(hole.overlap(area) for area in (whole, *others))
    assert (alone := Layout(board, large).hole).top == alone.bottom


@pytest.mark.parametrize(("other", "covered"), [(PageBox(5, 5, 20, 8), 15.0), (PageBox(10, 0, 20, 10), 0.0)])
def test_boxes_overlap_by_what_they_have_in_common(other: PageBox, covered: float) -> None:
    assert PageBox(0, 0, 10, 10).overlap(other) == other.overlap(PageBox(0, 0, 10, 10)) == covered
