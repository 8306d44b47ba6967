"""Where marks are placed: clear of what is taken, in their hexes, led to them where they find no room; lines give way."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from io import BytesIO

import pytest
from PIL import Image

from assistant.drawing import png
from assistant.drawing.broken_lines import break_line
from assistant.drawing.geometry import PageBox, box_around
from assistant.drawing.hex_places import hex_mark, places_in_hex
from assistant.drawing.map.arcs import text_box
from assistant.drawing.placement import Inscription, Placement, place_marks
from assistant.drawing.scene import Group, Layer, Scene, Text
from assistant.drawing.style import HEX, RADIUS
from assistant.drawing.taken import FIRM, TakenBoxes

from ...cases import few, thorough
from .lettering import BOARDS, Picture, answered_pictures, faults_of, random_picture

SHEET = PageBox(-100.0, -100.0, 100.0, 100.0)


def mark(key: str, *middles: tuple[float, float], plate: bool = False) -> Inscription[None]:
    places = [Placement(float(number), box_around(*at, 4.0, 4.0), None) for number, at in enumerate(middles)]
    return Inscription(key, partial(iter, places), plate=plate)


def test_a_mark_takes_the_first_free_place_or_the_one_that_covers_least() -> None:
    room = TakenBoxes()
    room.take(PageBox(0, 0, 10, 10), FIRM)
    where = [(5.0, 5.0), (20.0, 20.0), (30.0, 30.0)]
    placed = place_marks([[mark("one", *where), mark("other", *where)]], room)
    assert [placed[key].box.left for key in ("one", "other")] == [18.0, 28.0]
    (least,) = place_marks([[mark("third", (5.0, 5.0), (11.0, 5.0))]], room).values()
    assert least.box.left == 9.0


def test_a_mark_without_room_chooses_before_the_others_of_its_group() -> None:
    placed = place_marks([[mark("free", (0.0, 0.0), (20.0, 0.0)), mark("bound", (0.0, 0.0))]], TakenBoxes())
    assert (placed["free"].box.left, placed["bound"].box.left) == (18.0, -2.0)


def test_only_marks_without_a_plate_keep_clear_of_lines() -> None:
    lines = TakenBoxes()
    lines.take_line([(-9.0, 0.0), (9.0, 0.0)], 1.0, 300.0)
    where = (0.0, 0.0), (0.0, 20.0)
    marks = [[mark("plate", *where, plate=True)], [mark("letters", (0.0, 1.0), (0.0, 30.0))]]
    placed = place_marks(marks, TakenBoxes(), lines)
    assert (placed["plate"].box.top, placed["letters"].box.top) == (-2.0, 28.0)


def test_what_lies_along_a_line_is_taken() -> None:
    room = TakenBoxes()
    room.take_line([(0, 0), (20, 0)], 2.0, 1.0)
    assert room.cost(PageBox(9, -0.5, 11, 0.5)) > 0
    assert room.cost(PageBox(9, 2, 11, 4)) == 0


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("size", [(8.0, 3.0), (24.0, 4.0), (38.9, 0.2), (33.0, 9.0)])
def test_places_in_a_hex_lie_within_it_the_best_first(size: tuple[float, float], flat: bool) -> None:
    places = list(places_in_hex((0.0, 0.0), size, ((0.0, 3.0, 0.0),), None, flat=flat))
    assert [place.cost for place in places] == sorted(place.cost for place in places)
    assert len(places) > 20 or size[0] > 30
    for x, y in (corner for place in places for corner in place.box.corners):
        across, down = (abs(x), abs(y)) if flat else (abs(y), abs(x))
        assert down <= HEX / 2
        assert across <= RADIUS - down / 3**0.5


def test_what_finds_no_room_in_its_hex_is_led_to_it_and_crosses_nothing() -> None:
    room = TakenBoxes()
    counters = PageBox(-14.0, -17.0, 14.0, 9.0)
    room.take(counters, FIRM)
    room.take(PageBox(18.0, -60.0, 60.0, 60.0), FIRM)
    plate = hex_mark("label", (0.0, 0.0), [("text", (24.0, 6.0), 0.0)], ((0.0, 0.0, 0.0),), SHEET, flat=True)
    place = place_marks([[plate]], room)["label"]
    start, end = place.leader
    assert place.cost < FIRM
    assert place.box.overlap(counters) == 0
    assert place.box.right <= 18.0
    assert place.box.left <= start[0] <= place.box.right
    assert end[0] ** 2 + end[1] ** 2 < (HEX / 2) ** 2


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
