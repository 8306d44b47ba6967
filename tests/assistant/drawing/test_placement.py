"""Where hexes lie on the sheet, and where marks are placed: clear of what is taken, in their hexes or led to them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from io import BytesIO
from itertools import combinations, pairwise
from math import dist

import pytest
from PIL import Image

from assistant.drawing import png
from assistant.drawing.geometry import PageBox, box_around
from assistant.drawing.hex_sets import far_parts, hexes_around
from assistant.drawing.layout import PANEL_GAP_MM, Layout
from assistant.drawing.map.arcs import text_box
from assistant.drawing.placement import (
    COST_ON_FIRM,
    Inscription,
    Placement,
    TakenBoxes,
    hex_mark,
    place_marks,
    places_in_hex,
)
from assistant.drawing.scene import Group, Layer, Scene, Text
from assistant.drawing.sketch.layers import break_line
from assistant.drawing.style import HEX_MM, RADIUS
from assistant.game.boards import Board
from assistant.installed.registry import load_game

from ...cases import few, thorough
from .lettering import BOARDS, Picture, answered_pictures, faults_of, random_picture

SHEET = PageBox(-100.0, -100.0, 100.0, 100.0)


def mark(key: str, *middles: tuple[float, float], plate: bool = False) -> Inscription[None]:
    places = [Placement(float(number), box_around(*at, 4.0, 4.0), None) for number, at in enumerate(middles)]
    return Inscription(key, partial(iter, places), plate=plate)


def test_a_mark_takes_the_first_free_place_before_others_if_it_has_no_other() -> None:
    room = TakenBoxes()
    room.take(PageBox(0, 0, 10, 10), COST_ON_FIRM)
    where = [(5.0, 5.0), (20.0, 20.0), (30.0, 30.0)]
    placed = place_marks([[mark("one", *where), mark("other", *where)]], room)
    assert [placed[key].box.left for key in ("one", "other")] == [18.0, 28.0]
    (least,) = place_marks([[mark("third", (5.0, 5.0), (11.0, 5.0))]], room).values()
    assert least.box.left == 9.0
    placed = place_marks([[mark("free", (0.0, 0.0), (20.0, 0.0)), mark("bound", (0.0, 0.0))]], TakenBoxes())
    assert (placed["free"].box.left, placed["bound"].box.left) == (18.0, -2.0)


def test_marks_keep_clear_of_lines_unless_they_have_a_plate() -> None:
    room = TakenBoxes()
    room.take_line([(0, 0), (20, 0)], 2.0, 1.0)
    assert room.cost(PageBox(9, -0.5, 11, 0.5)) > 0
    assert room.cost(PageBox(9, 2, 11, 4)) == 0
    lines = TakenBoxes()
    lines.take_line([(-9.0, 0.0), (9.0, 0.0)], 1.0, 300.0)
    where = (0.0, 0.0), (0.0, 20.0)
    marks = [[mark("plate", *where, plate=True)], [mark("letters", (0.0, 1.0), (0.0, 30.0))]]
    placed = place_marks(marks, TakenBoxes(), lines)
    assert (placed["plate"].box.top, placed["letters"].box.top) == (-2.0, 28.0)


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("size", [(8.0, 3.0), (24.0, 4.0), (38.9, 0.2), (33.0, 9.0)])
def test_places_in_a_hex_lie_within_it_the_best_first(size: tuple[float, float], flat: bool) -> None:
    places = list(places_in_hex((0.0, 0.0), size, ((0.0, 3.0, 0.0),), None, flat=flat))
    assert [place.cost for place in places] == sorted(place.cost for place in places)
    assert len(places) > 20 or size[0] > 30
    for x, y in (corner for place in places for corner in place.box.corners):
        across, down = (abs(x), abs(y)) if flat else (abs(y), abs(x))
        assert down <= HEX_MM / 2
        assert across <= RADIUS - down / 3**0.5


def test_what_finds_no_room_in_its_hex_is_led_to_it_and_crosses_nothing() -> None:
    room = TakenBoxes()
    counters = PageBox(-14.0, -17.0, 14.0, 9.0)
    room.take(counters, COST_ON_FIRM)
    room.take(PageBox(18.0, -60.0, 60.0, 60.0), COST_ON_FIRM)
    plate = hex_mark("label", (0.0, 0.0), [("text", (24.0, 6.0), 0.0)], ((0.0, 0.0, 0.0),), SHEET, flat=True)
    place = place_marks([[plate]], room)["label"]
    start, end = place.leader
    assert place.cost < COST_ON_FIRM
    assert place.box.overlap(counters) == 0
    assert place.box.right <= 18.0
    assert place.box.left <= start[0] <= place.box.right
    assert end[0] ** 2 + end[1] ** 2 < (HEX_MM / 2) ** 2


@pytest.mark.parametrize(
    ("boxes", "left"),
    [
        ([], [((0.0, 0.0), (10.0, 0.0), (10.0, 10.0))]),
        ([PageBox(4, -1, 6, 1)], [((0.0, 0.0), (4.0, 0.0)), ((6.0, 0.0), (10.0, 0.0), (10.0, 10.0))]),
        ([PageBox(8, -1, 12, 2)], [((0.0, 0.0), (8.0, 0.0)), ((10.0, 2.0), (10.0, 10.0))]),
        ([PageBox(-1, -1, 11, 11)], []),
    ],
)
def test_a_line_is_broken_where_boxes_lie_on_it(
    boxes: list[PageBox], left: list[tuple[tuple[float, float], ...]]
) -> None:
    assert break_line([(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)], boxes) == left


# --- pictures ---------------------------------------------------------------------------------------------------------


def check(picture: Picture | None) -> None:
    if picture is not None:
        assert faults_of(picture) == []


ANSWERS = dict(answered_pictures())
SAMPLE = [
    name
    for name in ANSWERS
    if any(file in name for file in ("gumbinnen.pos", "retreat.pos", "battle.pos", "reach.pos"))
]


@few(2)
@pytest.mark.parametrize("name", SAMPLE)
def test_lettering_of_some_answers_covers_nothing_and_stays_in_its_hexes(name: str) -> None:
    check(ANSWERS[name]())


@thorough
@pytest.mark.parametrize("name", ANSWERS)
def test_lettering_of_all_answers_covers_nothing_and_stays_in_its_hexes(name: str) -> None:
    check(ANSWERS[name]())


@few(2)
@pytest.mark.parametrize("game", BOARDS)
def test_lettering_of_a_few_random_positions_covers_nothing(game: str) -> None:
    for seed in range(3):
        check(random_picture(game, seed))


@thorough
@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("start", range(1914, 2114, 50))
def test_lettering_of_random_positions_covers_nothing(game: str, start: int) -> None:
    for seed in range(start, start + 50):
        check(random_picture(game, seed))


def test_the_check_sees_what_is_at_fault() -> None:
    picture = random_picture("twilight-in-the-east", 0)
    number = next(text for layer in picture.scene.layers if layer.name == "numbers" for text in layer.shapes)
    assert isinstance(number, Text)
    again = Layer("names", (Group(f"{number.text}: name", (number,)),))
    worse = picture._replace(scene=_with(picture.scene, again))
    assert any(fault.startswith("numbers") for fault in faults_of(worse))


def _with(scene: Scene, layer: Layer) -> Scene:
    others = [other for other in scene.layers if other.name != layer.name]
    return Scene(width=scene.width, height=scene.height, title="", description="", layers=(*others, layer))


PIXELS = 6.0
"""How many pixels a millimetre has where ink is counted."""


@few(1)
@pytest.mark.parametrize("name", SAMPLE)
def test_no_ink_of_a_name_is_covered(name: str) -> None:
    picture = ANSWERS[name]()
    if picture is None:
        pytest.skip("it has no picture")
    scene = picture.scene
    names = next(layer for layer in scene.layers if layer.name == "names")
    others = tuple(layer for layer in scene.layers if layer is not names)
    shown, above, without = (_pixels(scene, layers) for layers in (scene.layers, (*others, names), others))
    for group in names.shapes:
        assert isinstance(group, Group)
        for text in group.shapes:
            assert isinstance(text, Text)
            left, top, right, bottom = (round(edge * PIXELS) for edge in text_box(text))
            seen, meant, ground = (page.crop((left, top, right, bottom)).tobytes() for page in (shown, above, without))
            ink = [number for number, value in enumerate(meant) if value < 90]
            assert len(ink) > 100
            assert not [number for number in ink if seen[number] >= 130], f"ink of {text.text} is covered"
            lost = [number for number in ink if ground[number] < 90]
            assert len(lost) < 0.1 * len(ink), f"{text.text} loses ink in what is black below it"


def _pixels(scene: Scene, layers: Sequence[Layer]) -> Image.Image:
    drawn = Scene(width=scene.width, height=scene.height, title="", description="", layers=tuple(layers))
    return Image.open(BytesIO(png.to_png([drawn], PIXELS)[0])).convert("L")


@pytest.fixture(scope="module")
def board() -> Board:
    return load_game("twilight-in-the-east").board("east")


def around(board: Board, *hexes: str) -> list[str]:
    return sorted(hexes_around(board, hexes))


def test_hexes_far_apart_are_drawn_as_panels_side_by_side_and_near_ones_as_one_map(board: Board) -> None:
    names = [*around(board, "41.19"), *around(board, "70.40")]
    whole, parted = Layout(board, names), Layout(board, names, (5.0, 7.0), panels=True)
    assert (whole.is_parted, parted.is_parted) == (False, True)
    assert parted.width * parted.height < whole.width * whole.height / 10
    for one, other in (("41.19", "41.18"), ("70.40", "69.40")):
        assert dist(parted.centre(one), parted.centre(other)) == pytest.approx(HEX_MM), "neighbours stay side by side"
    corners = [corner for name in names for corner in parted.corners(name)]
    assert min(x for x, _ in corners) == pytest.approx(5.0)
    assert min(y for _, y in corners) == pytest.approx(7.0)
    assert max(x for x, _ in corners) == pytest.approx(5.0 + parted.width)
    left, right = (
        [corner[0] for name in around(board, at) for corner in parted.corners(name)] for at in ("41.19", "70.40")
    )
    assert min(right) - max(left) == pytest.approx(PANEL_GAP_MM) or min(left) - max(right) == pytest.approx(
        PANEL_GAP_MM
    )
    parted = Layout(board, [*around(board, "41.19"), *around(board, "70.40")], panels=True)
    assert not parted.draws("70.38")
    assert dist(parted.centre("70.38"), parted.centre("70.39")) == pytest.approx(HEX_MM)
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
                (board.centre(north)[1] - board.centre("41.19")[1]) * HEX_MM
            )
        if south and not north:
            assert others[0].bottom == pytest.approx(whole.bottom), "as low as the large one allows"
            assert (hole.top, hole.bottom) == (whole.top, others[0].top)
        assert hole.bottom - hole.top > 2 * HEX_MM
        assert not any(hole.overlap(area) for area in (whole, *others))
    assert (alone := Layout(board, large).hole).top == alone.bottom


@pytest.mark.parametrize(("other", "covered"), [(PageBox(5, 5, 20, 8), 15.0), (PageBox(10, 0, 20, 10), 0.0)])
def test_boxes_overlap_by_what_they_have_in_common(other: PageBox, covered: float) -> None:
    assert PageBox(0, 0, 10, 10).overlap(other) == other.overlap(PageBox(0, 0, 10, 10)) == covered
