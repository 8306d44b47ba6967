"""Die line, cuts through the sheet and marks on one side, measured from the vectors of the PDF within 0.01 mm."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from module_builder.sheets.layout import Fold, SheetSetting
from module_builder.sheets.pages import Sheets, lay_out_counters, sheets_pdf
from module_builder.sheets.sizes import Box

from ..test_cli import heath, refused, run
from .faces import counters, setting
from .vectors import Page, read_pages

__all__ = ["heath"]

NEAR = 0.01


def made(folder: Path, chosen: SheetSetting) -> tuple[Sheets, list[Page]]:
    sheets = lay_out_counters("Made", counters(range(30), chosen, 15), chosen)
    (folder / "made.pdf").write_bytes(sheets_pdf(sheets))
    return sheets, read_pages(folder / "made.pdf")


def edges(box: Box) -> tuple[float, float, float, float]:
    return box.left, box.top, box.right, box.bottom


@pytest.mark.parametrize("fold", ["gutter", "long-edge", "short-edge", "labels"])
@pytest.mark.parametrize("corner", [0.0, 1.5])
def test_the_die_line_is_the_trim_of_each_front_in_a_spot_colour(tmp_path: Path, fold: Fold, corner: float) -> None:
    sheets, (front, *others) = made(tmp_path, setting(fold)._replace(corner=corner))
    drawn = [stroke for stroke in front.strokes if stroke.spot]
    assert {stroke.spot for stroke in drawn} == {"CutContour"}
    wanted = [edges(place.trim) for place in sheets.sheets[0].fronts]
    assert len(drawn) == len(wanted) == 30
    for stroke, trim in zip(drawn, wanted, strict=True):
        assert stroke.box == pytest.approx(trim, abs=NEAR)
        assert stroke.is_curved == bool(corner)
        ends = {round(min(abs(x - trim[0]), abs(x - trim[2])), 2) for x, _ in stroke.points}
        assert ends == ({0.0, corner} if corner else {0.0})
    assert not any(stroke.spot for page in others for stroke in page.strokes)


def test_without_it_no_spot_colour_is_there(tmp_path: Path) -> None:
    _, pages = made(tmp_path, setting())
    assert not any(stroke.spot for page in pages for stroke in page.strokes)


def lines(page: Page, *, upright: bool) -> list[tuple[float, float, float]]:
    """Where straight lines of two points stand, and their ends."""
    across = 0 if upright else 1
    found = []
    for stroke in page.strokes:
        if len(stroke.points) == 2 and not stroke.spot:
            one, two = stroke.points
            if abs(one[across] - two[across]) < 1e-6:
                found.append((one[across], *sorted((one[1 - across], two[1 - across]))))
    return found


@pytest.mark.parametrize("fold", ["gutter", "long-edge"])
def test_cuts_for_a_guillotine_run_through_the_block_from_beyond_its_bleed(tmp_path: Path, fold: Fold) -> None:
    chosen = setting(fold)._replace(through=True)
    sheets, (page, *_) = made(tmp_path, chosen)
    sheet = sheets.sheets[0]
    for cuts, upright in ((sheet.down, True), (sheet.across, False)):
        block = sheet.block
        start, end = (block.top, block.bottom) if upright else (block.left, block.right)
        found = lines(page, upright=upright)
        for cut in cuts:
            through = [
                line
                for line in found
                if abs(line[0] - cut) < NEAR and line[1] < start - chosen.bleed and line[2] > end + chosen.bleed
            ]
            assert through, f"{cut} is cut"


@pytest.mark.parametrize("fold", ["gutter", "long-edge", "labels"])
def test_marks_on_one_side_leave_targets_and_words_on_the_other(tmp_path: Path, fold: Fold) -> None:
    both, usual = made(tmp_path, setting(fold))
    _, single = made(tmp_path, setting(fold)._replace(one_sided=True))
    on_back = 0 if fold == "gutter" else 1
    before, after = lines(usual[on_back], upright=False), lines(single[on_back], upright=False)
    behind = [place.trim.top for place in both.sheets[0].backs]
    assert any(abs(line[0] - top) < NEAR for line in before for top in behind)
    assert not any(abs(line[0] - top) < NEAR for line in after for top in behind)
    fronts = [place.trim.top for place in both.sheets[0].fronts]
    assert any(abs(line[0] - top) < NEAR for line in lines(single[0], upright=False) for top in fronts)
    targets = [stroke for stroke in single[on_back].strokes if stroke.is_curved]
    assert len(targets) == len([stroke for stroke in usual[on_back].strokes if stroke.is_curved]) >= 4


def test_the_options_are_for_pages_and_svg_has_a_layer_for_the_die_line(heath: object) -> None:
    refused(run("sheets", "heath", "--export", "one", "--die-line", "1"), "--die-line: pictures for a print service")
    refused(run("sheets", "heath", "--export", "one", "--guillotine"), "--guillotine")
    assert run("sheets", "heath", "--svg", "pages", "--die-line", "1").exit_code == 0
    root = etree.parse("pages/page-01-both.svg").getroot()
    labels = [group.get("{http://www.inkscape.org/namespaces/inkscape}label") for group in root]
    assert labels[-1] == "Die line"
    assert len(root[-1]) == 11
