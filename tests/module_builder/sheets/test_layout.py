"""Imposition as arithmetic: what fits, which cuts are shared as the edges of faces allow it, where backs are."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.drawing.scene import Circle, Group, Layer, Polygon, Polyline, Rectangle, Scene, Shape, Text
from module_builder.sheets.layout import (
    CounterSheet,
    Edges,
    Fold,
    PlacedFace,
    SheetSetting,
    back_place,
    edges_of,
    fits,
    ground_of,
    lay_out_sheets,
    may_share,
)
from module_builder.sheets.sizes import DIES, PAPER_MARGIN_MM, PAPERS, Box, parse_die

from .faces import setting

FOLDS: tuple[Fold, ...] = ("gutter", "long-edge", "short-edge", "labels")


def same(first: int, second: int, below: bool) -> bool:
    """Kinds share a cut with themselves alone."""
    return first == second


def overlap(first: Box, second: Box) -> bool:
    return (
        first.left < second.right - 1e-6
        and second.left < first.right - 1e-6
        and first.top < second.bottom - 1e-6
        and second.top < first.bottom - 1e-6
    )


@pytest.mark.parametrize(
    ("paper", "fold", "die", "most"),
    [
        ("a4", "gutter", "5/8", 11 * 8),
        ("letter", "gutter", "5/8", 11 * 7),
        ("a4", "long-edge", "5/8", 11 * 16),
        ("a4", "gutter", "1/2", 14 * 10),
        ("a4", "gutter", "15mm", 12 * 8),
        ("letter", "labels", "9/16", 13 * 17),
    ],
)
def test_counters_of_one_colour_share_their_cuts(paper: str, fold: Fold, die: str, most: int) -> None:
    (sheet,) = lay_out_sheets([0] * most, same, setting(fold, paper, die))
    assert len(sheet.fronts) == most
    assert len(lay_out_sheets([0] * (most + 1), same, setting(fold, paper, die))) == 2
    side, (left, *_, right) = DIES[die], sheet.down
    steps = {round(b - a, 2) for lines in (sheet.down, sheet.across) for a, b in pairwise(lines)}
    assert steps == {round(side, 2)}
    assert right - left == pytest.approx(side * (len(sheet.down) - 1))


def test_where_colours_meet_there_are_two_cuts_with_the_bleed_of_both_between_them() -> None:
    chosen = setting()
    (sheet,) = lay_out_sheets([0] * 3 + [1] * 3, same, chosen)
    third, fourth = sheet.fronts[2], sheet.fronts[3]
    assert fourth.trim.left - third.trim.right == pytest.approx(2 * chosen.bleed)
    assert third.seen.right == pytest.approx(fourth.seen.left)
    for edge in (third.trim.right, fourth.trim.left):
        assert any(abs(edge - line) < 1e-3 for line in sheet.down)


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=200),
    st.sampled_from(FOLDS),
    st.sampled_from(list(PAPERS)),
    st.sampled_from(list(DIES.values())),
    st.floats(1.5, 4),
)
def test_any_counters_fit_their_pages(kinds: list[int], fold: Fold, paper: str, die: float, bleed: float) -> None:
    chosen = SheetSetting(PAPERS[paper], fold, die, bleed)
    assert fits(chosen)
    pages = lay_out_sheets(kinds, same, chosen)
    assert [place.piece for page in pages for place in page.fronts] == list(range(len(kinds)))
    whole = Box(0, 0, chosen.paper.width, chosen.paper.height)
    for page in pages:
        assert sorted(piece for row in page.rows for piece in row) == [place.piece for place in page.fronts]
        for place in (*page.fronts, *page.backs):
            assert place.trim.width == place.trim.height == pytest.approx(die)
            inside(place.seen, whole.grown(-PAPER_MARGIN_MM))
        no_two_overlap(page)
        for front, back in zip(page.fronts, page.backs, strict=True):
            assert back.trim == back_place(front.trim, chosen)
            cut_on_lines(front, page)


def inside(box: Box, around: Box) -> None:
    assert box.left >= around.left and box.top >= around.top
    assert box.right <= around.right and box.bottom <= around.bottom


def no_two_overlap(page: CounterSheet) -> None:
    """No trim reaches into another, and no bleed either."""
    for first, second in combinations(page.fronts[:40], 2):
        assert not overlap(first.trim, second.trim)
        seam = 0.1 + 1e-6
        assert not overlap(first.seen, second.trim.grown(-seam))


def cut_on_lines(place: PlacedFace, page: CounterSheet) -> None:
    for edge, lines in ((place.trim.left, page.down), (place.trim.top, page.across)):
        assert any(abs(edge - line) < 1e-3 for line in lines)


@pytest.mark.parametrize("fold", FOLDS)
def test_nothing_folds_or_turns_onto_itself(fold: Fold) -> None:
    """The back of the back is the front again."""
    chosen = setting(fold)
    box = Box(30, 40, 15, 15)
    assert back_place(back_place(box, chosen), chosen) == pytest.approx(box)


def test_the_crease_is_clear_of_the_bleed() -> None:
    chosen = setting()
    (sheet,) = lay_out_sheets([0] * 88, same, chosen)
    assert max(place.seen.bottom for place in sheet.fronts) <= chosen.crease - 1.5 + 1e-6
    assert min(place.seen.top for place in sheet.backs) >= chosen.crease + 1.5 - 1e-6


def test_a_long_run_of_another_colour_begins_a_row_of_its_own_if_that_takes_no_more_pages() -> None:
    (sheet,) = lay_out_sheets([0] * 5 + [1] * 22, same, setting())
    assert [len(row) for row in sheet.rows] == [5, 11, 11]
    assert (
        len(lay_out_sheets([0] * 5 + [1] * 83, same, setting())) == len(lay_out_sheets([0] * 88, same, setting())) + 1
    )


@pytest.mark.parametrize("count", [100, 1000])
def test_pages_grow_with_their_counters(count: int) -> None:
    assert len(lay_out_sheets([0] * count, same, setting())) == -(-count // 88)


@pytest.mark.parametrize("name", ["1in", '1"', "1.0in", "25.4mm", "25.4 mm"])
def test_a_counter_of_an_inch_is_measured_in_any_way(name: str) -> None:
    assert parse_die(name) == 25.4


SIDE = 16.0
BLEED = 2.0
WHOLE = SIDE + 2 * BLEED
GREY = "#808080"
RED = "#c00000"
GROUND = Rectangle(x=0, y=0, width=WHOLE, height=WHOLE, fill=GREY)


def face(*shapes: Shape) -> Scene:
    return Scene(width=WHOLE, height=WHOLE, title="", layers=(Layer("counter", shapes),))


def edges(*shapes: Shape) -> Edges:
    return edges_of(face(*shapes), BLEED)


PLAIN = edges(GROUND)


def test_faces_of_one_colour_share_the_cuts_at_which_both_show_it() -> None:
    assert may_share(PLAIN, PLAIN, below=False) and may_share(PLAIN, PLAIN, below=True)
    red = edges(Rectangle(x=0, y=0, width=WHOLE, height=WHOLE, fill=RED))
    assert not may_share(PLAIN, red, below=False) and not may_share(red, PLAIN, below=True)
    stripe = Rectangle(x=BLEED + 1.6, y=BLEED + 1.6, width=SIDE - 3.2, height=3, fill=RED)
    assert edges(GROUND, stripe) == PLAIN
    striped = edges(GROUND, Rectangle(x=0, y=0, width=WHOLE, height=BLEED + 3, fill=RED))
    assert may_share(striped, striped, below=False)
    assert not may_share(striped, striped, below=True)
    assert not may_share(striped, PLAIN, below=False)


@pytest.mark.parametrize(
    "shape",
    [
        Rectangle(x=BLEED, y=BLEED, width=SIDE, height=SIDE, stroke=RED, stroke_width=0.4),
        Polygon(points=((BLEED, BLEED), (BLEED + 6, BLEED), (BLEED, BLEED + 6)), fill=RED),
        Circle(x=BLEED + 1, y=WHOLE / 2, radius=2, fill=RED),
        Rectangle(x=BLEED, y=0, width=2, height=WHOLE, fill=RED, opacity=0.5),
        Polyline(points=((BLEED + 1, 3), (BLEED + 1, WHOLE - 3)), stroke=RED, width=0.5),
        Text(x=BLEED + 0.5, y=WHOLE / 2, text="12", size=4, fill=RED),
        Group("inside", (Circle(x=BLEED + 1, y=WHOLE / 2, radius=2, stroke=RED, width=0.4),)),
    ],
)
def test_what_a_misplaced_cut_would_show_is_not_shared(shape: Shape) -> None:
    other = edges(GROUND, shape)
    assert not may_share(PLAIN, other, below=False)


def test_figures_may_stand_on_the_safe_area_and_the_last_colour_that_covers_all_is_the_ground() -> None:
    base = WHOLE - BLEED - 1.6
    assert edges(GROUND, Text(x=WHOLE / 2, y=base, text="12-16", size=5, anchor="middle", fill=RED)) == PLAIN
    assert edges(GROUND, Text(x=WHOLE / 2, y=base, text="(gj)", size=5, anchor="middle", fill=RED)) != PLAIN
    over = Rectangle(x=0, y=0, width=WHOLE, height=WHOLE, fill=RED)
    assert ground_of(face(GROUND, over)) == RED
    assert ground_of(face(GROUND, Circle(x=9, y=9, radius=9, fill=RED), over)) == GREY
    assert ground_of(face()) == ""
