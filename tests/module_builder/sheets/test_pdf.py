"""The printed pages, measured on the PDF once the paper is folded or turned; and the page by which a printer is measured."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from functools import cache

import pypdfium2
import pytest
from PIL import Image, ImageOps

from assistant.drawing.scene import Circle, Point, Polyline, Scene, Shape, Text
from assistant.game.games import Game
from module_builder.counters.pieces import design_counters as game_counters
from module_builder.sheets import marks
from module_builder.sheets.layout import Fold, SheetSetting, back_place
from module_builder.sheets.pages import Sheets, lay_out_counters, sheets_pdf
from module_builder.sheets.sizes import PAPERS

from ...cases import few, thorough
from .faces import GROUNDS, counter, counters, setting, spot

POINT = 72 / 25.4
SCALE = 6
"""Pixels per millimetre."""
FOLDS: tuple[Fold, ...] = ("gutter", "long-edge", "short-edge", "labels")
TURNED = ("long-edge", "short-edge", "labels")
Picture = Image.Image
_RUN = 12


@cache
def made(fold: Fold, offset: tuple[float, float] = (0.0, 0.0)) -> Sheets:
    """Thirty counters, of which those from 12 on have another ground."""
    return lay_out_counters("Heath", counters(range(30), setting(fold), split=12), setting(fold), offset)


@cache
def pictures(fold: Fold, offset: tuple[float, float] = (0.0, 0.0)) -> list[Picture]:
    """The pages, rendered."""
    sheets = made(fold, offset)
    with pypdfium2.PdfDocument(sheets_pdf(sheets)) as document:
        return [page.render(scale=SCALE / POINT, draw_annots=False).to_pil().convert("RGB") for page in document]


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def middles(picture: Picture) -> dict[tuple[int, ...], tuple[float, float]]:
    """The middle of each spot by its colour, in millimetres."""
    boxes = spots(picture).items()
    return {colour: ((box[0] + box[2]) / 2 / SCALE, (box[1] + box[3]) / 2 / SCALE) for colour, box in boxes}


def spots(picture: Picture) -> dict[tuple[int, ...], tuple[int, int, int, int]]:
    """The boxes of spots by their colour, in pixels."""
    found, data, width = {}, picture.tobytes(), picture.width
    for colour in [rgb(spot(number, back=back)) for number in range(30) for back in (False, True)]:
        run = bytes(colour) * _RUN
        first, last = data.find(run), data.rfind(run)
        if first >= 0:
            (top, left), (bottom, right) = divmod(first // 3, width), divmod(last // 3, width)
            found[colour] = left, top, right + _RUN, bottom + 1
    return found


# --- the document ---


@pytest.mark.parametrize(("paper", "size"), [("a4", (210, 297)), ("letter", (215.9, 279.4))])
@pytest.mark.parametrize("fold", FOLDS)
def test_pages_have_the_size_of_the_paper_and_the_boxes_of_a_printer(
    paper: str, size: tuple[float, float], fold: Fold
) -> None:
    chosen = setting(fold, paper)
    sheets = lay_out_counters("Heath", counters(range(30), chosen), chosen)
    with pypdfium2.PdfDocument(sheets_pdf(sheets)) as document:
        assert len(document) == (2 if fold == "gutter" else 3)
        for page, drawn in zip(document, sheets.pages, strict=True):
            assert page.get_mediabox() == pytest.approx((0, 0, *(length * POINT for length in size)), abs=0.01)
            if drawn.trim is None:
                continue
            trim, bleed = page.get_trimbox(), page.get_bleedbox()
            box = drawn.trim
            upright = (box.left, size[1] - box.bottom, box.right, size[1] - box.top)
            assert trim == pytest.approx([length * POINT for length in upright], abs=0.01)
            margins = [abs(a - b) / POINT for a, b in zip(trim, bleed, strict=True)]
            assert margins == pytest.approx([chosen.bleed] * 4, abs=0.01)


def test_a_counter_that_the_game_has_often_is_drawn_once_and_each_piece_of_card_counts() -> None:
    chosen = setting()
    one, many = (sheets_pdf(lay_out_counters("Heath", [counter(1, chosen, count=n)], chosen)) for n in (2, 80))
    assert many.count(b"/Subtype /Form") == one.count(b"/Subtype /Form") == 2
    assert len(lay_out_counters("Heath", [counter(1, chosen, count=80)], chosen).sheets[0].fronts) == 80
    made = lay_out_counters("Heath", [counter(1, chosen, count=3), counter(2, chosen)], chosen)
    assert [(piece.unit, piece.count) for piece in made.counters] == [("1", 1), ("1", 1), ("1", 1), ("2", 1)]


def test_a_real_game_has_vectors_alone_and_its_fonts_in_the_file(twilight: Game) -> None:
    chosen = setting()
    drawn = game_counters(twilight, side=chosen.die, bleed=chosen.bleed, rounded=False)
    data = sheets_pdf(lay_out_counters(twilight.title, drawn, chosen))
    raw = pypdfium2.raw
    with pypdfium2.PdfDocument(data) as document:
        seen = [one for page in document for one in page.get_objects(max_depth=5)]
        assert raw.FPDF_PAGEOBJ_IMAGE not in {one.type for one in seen}
        assert raw.FPDF_PAGEOBJ_PATH in {one.type for one in seen}
        texts = [one for one in seen if one.type == raw.FPDF_PAGEOBJ_TEXT]
        for text in texts:
            assert raw.FPDFFont_GetIsEmbedded(raw.FPDFTextObj_GetFont(text.raw)) == 1
    assert ctypes  # pypdfium2.raw speaks through it


# --- fronts and backs ---


def as_seen_from_the_front(fold: Fold, front: Picture, back: Picture) -> tuple[Picture, Picture]:
    """The two sides of the paper, the back as if one saw it through the front."""
    if fold == "gutter":
        half = front.height // 2
        upper, lower = front.crop((0, 0, front.width, half)), front.crop((0, front.height - half, *front.size))
        return upper, ImageOps.flip(lower)
    return front, ImageOps.flip(back) if fold == "short-edge" else ImageOps.mirror(back)


@few(2)
@pytest.mark.parametrize("fold", FOLDS)
def test_each_back_lies_behind_its_front_and_is_upright_when_the_counter_is_turned_over(fold: Fold) -> None:
    sheets, drawn = made(fold), pictures(fold)
    front, back = as_seen_from_the_front(fold, drawn[0], drawn[-2] if fold != "gutter" else drawn[0])
    at_front, at_back = middles(front), middles(back)
    for place in sheets.sheets[0].fronts:
        number = int(sheets.counters[place.piece].unit)
        x, y = at_front[rgb(spot(number, back=False))]
        assert (x, y) == pytest.approx((place.trim.left + 5.5, place.trim.top + 5.5), abs=0.2)
        # its upper left corner, seen through the paper, is at the upper right
        x, y = at_back[rgb(spot(number, back=True))]
        assert (x, y) == pytest.approx((place.trim.right - 5.5, place.trim.top + 5.5), abs=0.2)


@thorough
@pytest.mark.parametrize("fold", ["long-edge", "short-edge"])
def test_an_offset_moves_the_backs_and_their_marks(fold: Fold) -> None:
    plain, moved = pictures(fold), pictures(fold, (1.25, -2.0))
    after = middles(moved[1])
    for colour, (x, y) in middles(plain[1]).items():
        assert after[colour] == pytest.approx((x + 1.25, y - 2.0), abs=0.2)
    assert plain[0].tobytes() == moved[0].tobytes()


def test_an_offset_moves_everything_on_a_back_so_that_targets_meet_and_marks_stay_off_the_words() -> None:
    offset = (1.25, -2.0)
    plain, moved = (made("long-edge", by).pages[1].around for by in ((0.0, 0.0), offset))
    for layer, other in zip(plain.layers, moved.layers, strict=True):
        for one, two in zip(layer.shapes, other.shapes, strict=True):
            for (x0, y0), (x1, y1) in zip(corners(one), corners(two), strict=True):
                assert (x1 - x0, y1 - y0) == pytest.approx(offset)


def corners(shape: Shape) -> Sequence[Point]:
    """The points that place a shape of a page."""
    if isinstance(shape, Polyline):
        return shape.points
    assert isinstance(shape, Circle | Text)
    return [(shape.x, shape.y)]


def places(fold: Fold, *, back: bool) -> Iterator[tuple[int, tuple[int, int, int, int]]]:
    """The trim of each face in pixels, by the number of its counter."""
    for place in made(fold).sheets[0].backs if back else made(fold).sheets[0].fronts:
        box = place.trim
        edges = (box.left, box.top, box.right, box.bottom)
        left, top, right, bottom = (round(edge * SCALE) for edge in edges)
        yield int(made(fold).counters[place.piece].unit), (left, top, right, bottom)


def colours(picture: Picture) -> set[object]:
    return {colour for _, colour in picture.getcolors(100_000) or ()}


SHIFTS = [(x, y) for x in (-9, 0, 9) for y in (-9, 0, 9)]  # 1.5 mm


@few(1)
@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("back", [False, True])
def test_a_cut_that_is_off_by_a_millimetre_and_a_half_shows_its_own_ground_alone(fold: Fold, back: bool) -> None:
    page = 0 if fold == "gutter" or not back else -2
    picture = pictures(fold)[page]
    known = spots(picture)
    for number, (left, top, right, bottom) in places(fold, back=back):
        ground, own = rgb(GROUNDS[number >= 12]), rgb(spot(number, back=back))
        whole = known[own]
        for x, y in SHIFTS:
            cut = picture.crop((left + x + 1, top + y + 1, right + x - 1, bottom + y - 1))
            wide, high = cut.size
            strips = [(0, 0, wide, 1), (0, high - 1, wide, high), (0, 0, 1, high), (wide - 1, 0, wide, high)]
            assert {colour for strip in strips for colour in colours(cut.crop(strip))} == {ground}
            shown = colours(cut)
            assert own in shown
            strangers = known.keys() - {own}
            assert not strangers & shown
            assert rgb(GROUNDS[number < 12]) not in shown
            assert whole[2] <= right + x and whole[0] >= left + x and whole[1] >= top + y and whole[3] <= bottom + y


@pytest.mark.parametrize("fold", FOLDS)
def test_bleed_runs_round_the_block(fold: Fold) -> None:
    picture, sheet = pictures(fold)[0], made(fold).sheets[0]
    for place in sheet.fronts:
        ground = rgb(GROUNDS[int(made(fold).counters[place.piece].unit) >= 12])
        seen = place.seen.grown(-0.2)
        corners = [(x, y) for x in (seen.left, seen.right) for y in (seen.top, seen.bottom)]
        assert {picture.getpixel((round(x * SCALE), round(y * SCALE))) for x, y in corners} == {ground}


@pytest.mark.parametrize("fold", FOLDS)
def test_marks_are_on_both_sides_and_never_on_art(fold: Fold) -> None:
    """At each cut there is ink beyond the bleed, and none within it."""
    sheets, drawn = made(fold), pictures(fold)
    chosen: SheetSetting = sheets.setting
    sheet = sheets.sheets[0]
    fronts = drawn[0]
    for x in sheet.down:
        assert darkest(fronts, x, sheet.block.top - chosen.bleed - 1.5) < 150
        assert darkest(fronts, x, sheet.block.top - chosen.bleed / 2) > 170
    for y in sheet.across:
        assert darkest(fronts, sheet.block.left - chosen.bleed - 1.5, y) < 150
    back = drawn[0] if fold == "gutter" else drawn[-2]
    for place in sheet.backs:
        mirrored = back_place(sheet.fronts[0].trim, chosen)
        assert mirrored == sheet.backs[0].trim
        for y in (place.trim.top, place.trim.bottom):
            assert darkest(back, sheet.back_block.left - chosen.bleed - 1.5, y) < 150


def darkest(picture: Picture, x: float, y: float) -> int:
    """The darkest pixel within a quarter of a millimetre."""
    spot = [round((at + by) * SCALE) for by in (-0.25, 0.25) for at in (x, y)]
    return min(picture.crop((spot[0], spot[1], spot[2], spot[3])).convert("L").tobytes())


@pytest.mark.parametrize("fold", FOLDS)
def test_margins_are_white(fold: Fold) -> None:
    edge = round(9.9 * SCALE)
    for picture in pictures(fold):
        inner = Image.new("RGB", (picture.width - 2 * edge, picture.height - 2 * edge), "white")
        bare = picture.copy()
        bare.paste(inner, (edge, edge))
        assert bare.convert("L").getextrema() == (255, 255)


def test_the_ruler_is_fifty_millimetres_long() -> None:
    """Its line at the foot of the page, from one end to the other."""
    picture = pictures("gutter")[0].convert("L")
    row = round((297 - 10 - 0.8) * SCALE)
    ink = "".join(
        "x" if picture.crop((x, row - 1, x + 1, row + 2)).getextrema()[0] < 128 else " " for x in range(210 * SCALE)
    )  # type: ignore[operator]
    assert max(map(len, ink.split())) / SCALE == pytest.approx(50, abs=0.4)


PAPER = PAPERS["a4"]
MINUS = "\u2212"
Stroke = tuple[tuple[float, float], tuple[float, float], float]


def pages(monkeypatch: pytest.MonkeyPatch, offset: tuple[float, float] = (0.0, 0.0)) -> list[Sequence[Shape]]:
    """What front and back show besides what each sheet has."""
    drawn: list[Scene] = []
    monkeypatch.setattr(marks, "to_pdf", lambda scenes, **_: drawn.extend(scenes) or b"")
    marks.measuring_page(SheetSetting(PAPER, "long-edge", 15.0, 1.5), offset)
    return [next(layer.shapes for layer in scene.layers if layer.name == "test") for scene in drawn]


def net(shapes: Sequence[Shape], offset: tuple[float, float] = (0.0, 0.0)) -> set[Stroke]:
    """The lines, from the place where they cross."""
    x, y = PAPER.width / 2 + offset[0], PAPER.height / 2 + offset[1]
    lines = [shape for shape in shapes if isinstance(shape, Polyline)]
    ends = ([(round(at - x, 3), round(down - y, 3)) for at, down in line.points] for line in lines)
    return {(*sorted(points), line.width) for points, line in zip(ends, lines, strict=True)}


def test_front_and_back_of_the_test_page_reach_alike_with_a_line_for_each_millimetre_and_offsets_on_the_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for shapes in pages(monkeypatch):
        found = net(shapes)
        assert len(found) >= 2
        for turned in (lambda x, y: (-x, y), lambda x, y: (x, -y), lambda x, y: (y, x)):
            assert {(*sorted(turned(*end) for end in line[:2]), line[2]) for line in found} == found
    _, back = pages(monkeypatch)
    columns = {one[0] for one, other, _ in net(back) if one[0] == other[0] and other[1] - one[1] > 1}
    reach = max(columns)
    assert columns == {float(at) for at in range(-int(reach), int(reach) + 1)}
    words = [shape for shape in back if isinstance(shape, Text) and shape.text.lstrip(MINUS).isdecimal()]
    lengths = [(float(word.text.replace(MINUS, "-")), word) for word in words]
    across = {length: word.x - PAPER.width / 2 for length, word in lengths if word.anchor == "middle"}
    down = {length: word.y - PAPER.height / 2 for length, word in lengths if word.anchor == "end"}
    assert all(at == pytest.approx(length) for length, at in across.items())
    assert len({round(at - length, 3) for length, at in down.items()}) == 1
    assert {*map(abs, across)} < {*map(abs, down)} and min(down) == -max(down) == -reach
    (front, back), (same, moved) = pages(monkeypatch), pages(monkeypatch, (1.5, -0.5))
    assert same == front
    assert net(moved, (1.5, -0.5)) == net(back) != net(moved)
