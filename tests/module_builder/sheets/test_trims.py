"""Counters of several sizes and shapes on one sheet, measured from the vectors of its PDF within 0.01 mm."""

from __future__ import annotations

from collections import Counter as Counts
from math import hypot, sqrt
from pathlib import Path

import pytest
from lxml import etree

from module_builder.counters.trims import parse_cut
from module_builder.new import new_game
from module_builder.sheets.layout import Fold

from ...cases import few
from ..test_cli import refused, run
from .vectors import Edges, Page, Placed, Stroke, read_pages

FOLDS: tuple[Fold, ...] = ("gutter", "long-edge", "short-edge", "labels")
NEAR = 0.01
BLEED = 1.5
PAGE_WIDTH, PAGE_HEIGHT = 210.0, 297.0
CUTS = """
[kinds.cavalry]
cut = "circle 19mm"
[kinds.artillery]
cut = "hexagon 25mm"
[units."10th"]
cut = "rectangle 25x12.7mm"
[units."11th"]
cut = "square 1/2in"
[units."12th"]
cut = "square 12.7mm"
"""
SIZES = {(19.0, 19.0): 2, (25.0, 28.868): 2, (25.0, 12.7): 1, (12.7, 12.7): 2, (15.875, 15.875): 4}
"""The number of counters of each width and height."""


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    new_game(tmp_path / "mixed")
    with (tmp_path / "mixed" / "counters.toml").open("a", encoding="utf-8") as file:
        file.write(CUTS)
    return tmp_path / "mixed"


def drawn(mixed: Path, fold: Fold, *words: str) -> list[Page]:
    out = mixed.parent / "sheets.pdf"
    done = run("sheets", str(mixed), "-o", str(out), "--fold", fold, "--bleed", f"{BLEED:g}", *words)
    assert done.exit_code == 0, done.stderr
    return read_pages(out)


def outlines(page: Page) -> list[Stroke]:
    return [stroke for stroke in page.strokes if stroke.spot]


def size(box: Edges) -> tuple[float, float]:
    return round(box[2] - box[0], 2), round(box[3] - box[1], 2)


def behind(box: Edges, fold: Fold) -> Edges:
    """Where the back of a counter lies, worked out from how the paper is folded or turned over."""
    left, top, right, bottom = box
    if fold in ("gutter", "short-edge"):
        return left, PAGE_HEIGHT - bottom, right, PAGE_HEIGHT - top
    return PAGE_WIDTH - right, top, PAGE_WIDTH - left, bottom


def scene_at(box: Edges, placed: Placed) -> bool:
    """Whether a scene lies with its middle on that of a counter, and shows it with its bleed."""
    half = max(box[2] - box[0], box[3] - box[1]) / 2 + BLEED
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    by = half if placed.is_turned else -half
    return hypot(placed.origin[0] - x - by, placed.origin[1] - y - by) < NEAR


def face_at(page: Page, box: Edges) -> Placed:
    """The face of a counter: over the ground of its block, which may begin at the same place."""
    return [placed for placed in page.placed if scene_at(box, placed)][-1]


@few(2)
@pytest.mark.parametrize("fold", FOLDS)
def test_a_sheet_of_five_sizes_has_each_as_stated_with_backs_in_register(mixed: Path, fold: Fold) -> None:
    pages = drawn(mixed, fold, "--die-line", "1")
    front, back = pages[0], pages[0 if fold == "gutter" else 1]
    counters = outlines(front)
    found = Counts(size(stroke.box) for stroke in counters)
    for wanted, count in SIZES.items():
        near = [one for one in found if abs(one[0] - wanted[0]) < NEAR and abs(one[1] - wanted[1]) < NEAR]
        assert sum(found[one] for one in near) == count, wanted
    assert sum(found.values()) == sum(SIZES.values())
    for stroke in counters:
        assert not face_at(front, stroke.box).is_turned
        reverse = face_at(back, behind(stroke.box, fold))
        assert reverse.is_turned == (fold in ("gutter", "short-edge"))


@few(2)
@pytest.mark.parametrize("fold", FOLDS)
def test_bleed_reaches_beyond_each_edge_that_has_no_neighbour(mixed: Path, fold: Fold) -> None:
    pages = drawn(mixed, fold, "--die-line", "0")
    boxes = [stroke.box for stroke in outlines(pages[0])]
    for page, sides in ((pages[0], boxes), (pages[0 if fold == "gutter" else 1], [behind(box, fold) for box in boxes])):
        for box in sides:
            placed = face_at(page, box)
            for side, outwards in enumerate((-1, -1, 1, 1)):
                beyond = (placed.seen[side] - box[side]) * outwards
                shared = any(other != box and abs(other[(side + 2) % 4] - box[side]) < NEAR for other in sides)
                assert beyond == pytest.approx(0.1 if shared and beyond < 1 else BLEED, abs=NEAR)


@few(2)
@pytest.mark.parametrize("fold", FOLDS)
def test_each_edge_has_its_ticks_at_both_ends_beyond_the_bleed(mixed: Path, fold: Fold) -> None:
    pages = drawn(mixed, fold, "--die-line", "0")
    boxes = [stroke.box for stroke in outlines(pages[0])]
    for page, sides in ((pages[0], boxes), (pages[0 if fold == "gutter" else 1], [behind(box, fold) for box in boxes])):
        marks = [stroke for stroke in page.strokes if len(stroke.points) == 2 and not stroke.spot]
        for box in sides:
            for x in (box[0], box[2]):
                ticks = [line.box for line in marks if max(abs(line.box[0] - x), abs(line.box[2] - x)) < NEAR]
                assert any(tick[3] <= box[1] - BLEED for tick in ticks)
                assert any(tick[1] >= box[3] + BLEED for tick in ticks)
            for y in (box[1], box[3]):
                ticks = [line.box for line in marks if max(abs(line.box[1] - y), abs(line.box[3] - y)) < NEAR]
                assert any(tick[2] <= box[0] - BLEED for tick in ticks)
                assert any(tick[0] >= box[2] + BLEED for tick in ticks)


def test_no_two_counters_lie_on_each_other_and_all_lie_within_the_trim(mixed: Path) -> None:
    for fold in FOLDS:
        (front, *_) = drawn(mixed, fold, "--die-line", "0", "--force")
        boxes = [stroke.box for stroke in outlines(front)]
        for number, one in enumerate(boxes):
            assert front.trim[0] - NEAR <= one[0]
            assert one[2] <= front.trim[2] + NEAR
            for other in boxes[:number]:
                apart_x = max(one[0], other[0]) - min(one[2], other[2])
                apart_y = max(one[1], other[1]) - min(one[3], other[3])
                assert max(apart_x, apart_y) > -NEAR


def test_a_hexagon_has_equal_sides_and_without_a_die_line_round_shapes_have_an_outline(mixed: Path) -> None:
    (page, *_) = drawn(mixed, "gutter")
    hexagons = [stroke for stroke in page.strokes if len(stroke.points) == 6]
    assert len(hexagons) == 2
    for stroke in hexagons:
        corners = stroke.points
        lengths = [
            hypot(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True)
        ]
        assert lengths == pytest.approx([25 / sqrt(3)] * 6, abs=NEAR)
    circles = [stroke for stroke in page.strokes if stroke.is_curved and abs(size(stroke.box)[0] - 19) < NEAR]
    assert len(circles) == 2


def test_many_counters_of_a_size_fill_pages_and_the_plan_names_each_row_once(mixed: Path) -> None:
    only = [word for unit in ("Lancers", "Battery", "11th") for _ in range(70) for word in ("--only", unit)]
    pages = drawn(mixed, "long-edge", "--die-line", "0", *only)
    found = Counts(size(stroke.box) for page in pages for stroke in outlines(page))
    assert sorted(found.values()) == [70, 70, 70]
    for page in pages:
        assert page.bleed[1] >= 0
        assert page.bleed[3] <= PAGE_HEIGHT


@pytest.mark.parametrize(
    ("text", "trim"),
    [
        ("circle 19mm", ("circle", 19, 19)),
        ("Square 1/2 in", ("square", 12.7, 12.7)),
        ("rectangle 25.4 x 15.9 mm", ("rectangle", 25.4, 15.9)),
        ("hexagon 25mm", ("hexagon", 25, 28.8675)),
    ],
)
def test_a_cut_is_a_shape_and_a_size(text: str, trim: tuple[str, float, float]) -> None:
    shape, width, height = parse_cut(text)
    assert (shape, pytest.approx(width), pytest.approx(height)) == trim


@pytest.mark.parametrize("cut", ["oval 19mm", "circle", "circle 19", "circle 3mm", "circle 19x12mm", "square 1/0in"])
def test_a_cut_that_cannot_be_read_or_made_is_refused_and_checked(mixed: Path, cut: str) -> None:
    file = mixed / "counters.toml"
    file.write_text(file.read_text("utf-8").replace("circle 19mm", cut), "utf-8")
    refused(run("sheets", str(mixed), "-o", str(mixed.parent / "x.pdf")), "counters.toml: cut: ")
    checked = run("check", str(mixed))
    assert checked.exit_code != 0
    assert "[kinds.cavalry] cut: " in checked.output + checked.stderr


def test_what_does_not_fit_and_a_slug_of_several_sizes_are_refused(mixed: Path) -> None:
    refused(run("sheets", str(mixed), "--export", "one", "--slug", "4x4"), "--slug: a slug has squares of one size")
    file = mixed / "counters.toml"
    file.write_text(file.read_text("utf-8").replace("circle 19mm", "circle 120mm"), "utf-8")
    refused(
        run("sheets", str(mixed), "--paper", "letter", "-o", str(mixed.parent / "x.pdf")),
        "a circle 120 mm does not fit on Letter with --fold gutter",
        "a smaller cut",
    )


def test_svg_has_the_same_counters(mixed: Path, tmp_path: Path) -> None:
    done = run("sheets", str(mixed), "--svg", str(tmp_path / "pages"), "--die-line", "1")
    assert done.exit_code == 0, done.stderr
    root = etree.parse(tmp_path / "pages" / "page-01-both.svg").getroot()
    layers = {group.get("id"): group for group in root if group.get("id")}
    assert len(layers["die-line"]) == sum(SIZES.values())
    assert len([child for child in layers["fronts"] if child.tag.endswith("}g")]) >= sum(SIZES.values())
