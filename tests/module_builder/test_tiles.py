"""Sheets that are cut and joined: together they show the whole picture, each sheet over the strip of its neighbours."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.drawing.geometry import PageBox
from assistant.drawing.lettering import text_width
from assistant.drawing.scene import Layer, Polyline, Rectangle, Scene, Text
from module_builder.boards.command import (
    MIN_OVERLAP_MM,
    OVERLAP_MM,
    beside_plan,
    choose_tiling,
    fits_beside,
    list_pages,
    sheet_name,
)
from module_builder.sheets.sizes import PAPER_MARGIN_MM, PAPERS

LENGTHS = st.floats(20, 2500)


@given(st.sampled_from(sorted(PAPERS)), LENGTHS, LENGTHS)
def test_each_point_is_on_a_sheet_at_its_place(paper: str, width: float, height: float) -> None:
    tiled = choose_tiling(PAPERS[paper], width, height)
    scene = Scene(
        width=10,
        height=10,
        title="map",
        layers=(Layer("a", (Rectangle(x=0, y=0, width=10, height=10, fill="#000000"),)),),
    )
    made = list(list_pages(scene, tiled))[tiled.sheets > 1 :]
    assert len(made) == tiled.sheets <= tiled.parts
    pictures = [(page, picture) for page in made for picture in page.scenes[::2]]
    assert len(pictures) == tiled.parts == tiled.across * tiled.down
    covered_x, covered_y = [], []
    for page, picture in pictures:
        assert (picture.width, picture.height) == (width, height)
        assert picture.clip is not None
        left, top, wide, high = picture.clip
        assert left >= PAPER_MARGIN_MM and left + wide <= page.width - PAPER_MARGIN_MM + 1e-6
        assert top >= PAPER_MARGIN_MM and top + high <= page.height - PAPER_MARGIN_MM + 1e-6
        covered_x.append((left - picture.left, left - picture.left + wide))
        covered_y.append((top - picture.top, top - picture.top + high))
    for covered, length, overlap in zip(
        (sorted(set(covered_x)), sorted(set(covered_y))), (width, height), tiled.overlaps, strict=True
    ):
        assert MIN_OVERLAP_MM - 1e-6 <= overlap <= OVERLAP_MM
        assert covered[0][0] == pytest.approx(0, abs=1e-6)
        assert max(end for _, end in covered) == pytest.approx(length)
        for (_, end), (start, _) in pairwise(covered):
            assert end - start == pytest.approx(overlap, abs=1e-6)


def test_paper_lies_and_strips_are_narrower_where_that_takes_fewer_sheets() -> None:
    assert choose_tiling(PAPERS["a4"], 270, 180).sheets == 1
    assert choose_tiling(PAPERS["a4"], 180, 270).sheets == 1
    assert choose_tiling(PAPERS["a3"], 270, 390).sheets == 1
    room = PAPERS["a4"].height - 2 * PAPER_MARGIN_MM
    just = choose_tiling(PAPERS["a4"], 150, 3 * room - 2 * OVERLAP_MM + 2)
    assert (just.across, just.down) == (1, 3)
    assert just.overlaps[1] == pytest.approx(OVERLAP_MM - 1)
    assert choose_tiling(PAPERS["a4"], 150, 3 * room - 2 * MIN_OVERLAP_MM + 2).sheets == 4


def test_low_parts_of_the_last_row_share_a_sheet_and_empty_ones_are_left_out() -> None:
    """A map of 36 by 33 cm: the lower row is 6 cm high, so that both of its parts lie on the third sheet."""
    tiled = choose_tiling(PAPERS["a4"], 360, 330)
    assert (tiled.parts, tiled.sheets) == (4, 3)
    *_, page = list_pages(Scene(width=360, height=330, title="map", layers=()), tiled)
    (_, upper, _, _), (_, lower, _, high) = (scene.clip for scene in page.scenes[::2] if scene.clip)
    assert lower - upper >= high + 10, "with room for the name and the marks of the upper one"
    boxes = [PageBox(200, 10, 360, 260), PageBox(10, 290, 360, 500)]
    tiled = choose_tiling(PAPERS["a4"], 360, 500, boxes)
    assert (tiled.bare, tiled.sheets, tiled.parts) == ({(0, 0)}, 3, 3)
    made = list(list_pages(Scene(width=360, height=500, title="map", layers=()), tiled))
    assert len(made) == 1 + 3
    assert choose_tiling(PAPERS["a4"], 360, 500).sheets == 4


@pytest.mark.parametrize("high", [40.0, 900.0])
def test_the_key_of_a_map_stands_on_one_sheet(high: float) -> None:
    tiled = choose_tiling(PAPERS["a4"], 500, 500)
    scene, key = (
        Scene(width=190, height=height, title=name, layers=()) for name, height in (("map", 190), ("key", high))
    )
    made = list(list_pages(scene, tiled, key))
    (on,) = [page for page in made if any(placed.scene is key for placed in page.scenes)]
    assert made.index(on) == (0 if high < 100 else len(made) - 1), "with the plan, or on a sheet of its own"
    (placed,) = [placed for placed in on.scenes if placed.scene is key]
    assert placed.clip is None
    assert placed.top >= PAPER_MARGIN_MM - 1e-6 and placed.top + placed.height <= on.height - PAPER_MARGIN_MM + 1e-6


def test_sheets_are_called_by_row_and_column() -> None:
    assert [sheet_name(0, 0), sheet_name(1, 2), sheet_name(26, 9)] == ["A1", "B3", "AA10"]


@given(LENGTHS, st.integers(1, 4))
def test_the_name_of_a_sheet_stands_clear_of_its_ticks(width: float, long: int) -> None:
    tiled = choose_tiling(PAPERS["a4"], width, 100)
    scene = Scene(width=10, height=10, title="the Eastern Front, drawn from geography " * long, layers=())
    for page in list(list_pages(scene, tiled))[tiled.sheets > 1 :]:
        (marks,) = page.scenes[1].scene.layers
        (name,) = [shape for shape in marks.shapes if isinstance(shape, Text)]
        end = name.x + text_width(name.text, name.size)
        assert end <= page.width - PAPER_MARGIN_MM + 1e-6
        lower = [
            line.points[0][0] for line in marks.shapes if isinstance(line, Polyline) and line.points[0][1] > name.y - 4
        ]
        assert not [x for x in lower if name.x < x < end and abs(x - name.x) > 0.1], name.text


def test_on_paper_that_lies_a_narrow_key_stands_beside_the_plan() -> None:
    wide = Scene(width=530, height=300, title="map", layers=())
    tiled = choose_tiling(PAPERS["a4"], 530, 300)
    assert tiled.paper.width > tiled.paper.height
    key = Scene(width=beside_plan(tiled), height=80, title="key", layers=())
    assert fits_beside(tiled, key)
    made = list(list_pages(wide, tiled, key))
    assert len(made) == 1 + tiled.sheets, "no page of its own"
    placed = next(one for one in made[0].scenes if one.scene is key)
    assert placed.left + placed.width <= tiled.paper.width
    assert placed.left > tiled.paper.width / 2
