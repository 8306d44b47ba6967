"""The picture of an answer and its map in letters: both show the same, and nothing in them covers anything else."""

from __future__ import annotations

from collections.abc import Iterator
from math import dist

import pytest
from msgspec.structs import replace

from assistant.drawing.geometry import PageBox, point_between
from assistant.drawing.lettering import MIN_READABLE_POINTS, POINT_MM
from assistant.drawing.map.arcs import text_box
from assistant.drawing.scene import Group, Layer, Polyline, Rectangle, Scene, Shape, Text
from assistant.drawing.sketch.below_map import format_zone
from assistant.drawing.sketch.scene import frame_hexes, sketch_scene
from assistant.drawing.sketch.text_map import sketch_map
from assistant.util.typesetting import set_in_type

from ....cases import few
from .answers import Answered, answer_of, questions

CASES = sorted(questions())


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Answered:
    found = answer_of(request.param)
    if found is None:
        pytest.skip("it has no sketch")
    return found


def shapes(of: Layer | Group) -> Iterator[Shape]:
    for shape in of.shapes:
        yield from shapes(shape) if isinstance(shape, Group) else (shape,)


def layer(scene: Scene, name: str) -> Layer:
    return next((layer for layer in scene.layers if layer.name == name), Layer(name, ()))


def words(scene: Scene, *names: str) -> str:
    """The texts of some layers, of all by default."""
    drawn = [layer for layer in scene.layers if not names or layer.name in names]
    return " ".join(shape.text for one in drawn for shape in shapes(one) if isinstance(shape, Text))


def boxes(scene: Scene, name: str) -> Iterator[tuple[str, PageBox]]:
    """The groups of a layer with the box of their largest rectangle."""
    for group in layer(scene, name).shapes:
        if isinstance(group, Group):
            plates = [shape for shape in shapes(group) if isinstance(shape, Rectangle)]
            largest = max(plates, key=lambda plate: plate.width * plate.height)
            yield (group.title, PageBox(largest.x, largest.y, largest.x + largest.width, largest.y + largest.height))


def test_all_kinds_of_moves_are_among_the_answers() -> None:
    asked = {name.rsplit(": ", 1)[1].split()[0] for name in CASES}
    assert asked >= {
        "retreat",
        "displace",
        "advance",
        "evade",
        "pursue",
        "reach",
        "move",
        "repulse",
        "cavalry",
        "zones",
    }


@few(2)
def test_picture_and_letters_show_the_same(case: Answered) -> None:
    view, (sketch, _) = case.view, frame_hexes(case.view.board, case.sketch)
    scene = sketch_scene(view, sketch)
    rows = ["".join(run.text for run in row) for row in sketch_map(view, sketch, 100)]
    text = " ".join(" ".join(rows).split())
    drawn = words(scene)
    for spot in sketch.spots:
        for part in set_in_type(sketch.text(spot)).split():
            assert part in words(scene, "labels", "feet").split()
        label = set_in_type(sketch.text(spot), curly=False)
        assert not label or any(label in row and spot.hex in row for row in rows), (spot, text)
        assert spot.hex in text
        assert spot.hex in words(scene, "numbers")
    for why in sketch.letters.values():
        assert why in text
        assert why in drawn
    for zone in sketch.zones:
        assert format_zone(view, zone) in text
        assert format_zone(view, zone) in drawn
    for line in (*sketch.results, *sketch.owed, *(" ".join(row) for table in sketch.tables for row in table.rows)):
        assert set_in_type(line, curly=False) in text
        assert set_in_type(line).replace(": ", " ") in drawn.replace(": ", " ")  # a sum has a column of its own
    for remark in sketch.remarks:
        assert set_in_type(remark.text, curly=False) in text
        assert set_in_type(remark.text) in words(scene, "remarks")
    for fate in sketch.fates:
        assert fate.line in text
        assert fate.line in drawn
    for word, figure in (link for chain in sketch.chains for link in chain.links):
        assert set_in_type(f"{word} {figure}", curly=False) in text
        assert set_in_type(f"{word} {figure}").replace(": ", " ") in words(scene, "working").replace(": ", " ")
    for arrow in sketch.arrows:
        if arrow.kind == "onward":
            assert arrow.hexes[-1] in text
            assert arrow.label in text
            assert set_in_type(arrow.label) in words(scene, "remarks")
    kinds = {arrow.kind for arrow in sketch.arrows}
    assert all(sketch.word(kind) in drawn for kind in kinds)
    assert all(sketch.word(kind) in text for kind in kinds)


@few(2)
def test_arrows_stay_clear_of_labels_counters_and_names(case: Answered) -> None:
    scene = sketch_scene(case.view, case.sketch)
    below = [*boxes(scene, "labels"), *boxes(scene, "units")]
    for arrow in shapes(layer(scene, "arrows")):
        assert isinstance(arrow, Polyline)
        for number in range(21):
            x, y = point_between(arrow.points[0], arrow.points[-1], number / 20)
            for name, box in below:
                assert not (box.left < x < box.right and box.top < y < box.bottom), name
    scene = sketch_scene(case.view, case.sketch)
    for arrow in shapes(layer(scene, "arrows")):
        assert isinstance(arrow, Polyline)
        (x, y), half = arrow.points[0], arrow.width / 2 - 0.1
        roomy = dist(arrow.points[0], arrow.points[-1]) > 4.7  # a shorter one takes the room that it needs
        for name, box in boxes(scene, "units") if roomy and half else ():
            inside = box.left - half < x < box.right + half and box.top - half < y < box.bottom + half
            assert not inside or not (box.left < x < box.right or box.top < y < box.bottom), name
    scene = sketch_scene(case.view, case.sketch)
    names = [(text.text, text_box(text)) for text in shapes(layer(scene, "names")) if isinstance(text, Text)]
    for arrow in shapes(layer(scene, "arrows")):
        assert isinstance(arrow, Polyline)
        for number in range(21) if arrow.width < 1 else ():
            x, y = point_between(arrow.points[0], arrow.points[-1], number / 20)
            for name, box in names:
                assert not (box.left < x < box.right and box.top < y < box.bottom), name


@few(2)
def test_all_letters_can_be_read_in_print_whole_and_on_the_page(case: Answered) -> None:
    scene = sketch_scene(case.view, case.sketch)
    names = ("title", "answer", "labels", "remarks", "signs", "reasons", "figures", "caption", "key")
    sizes = [shape.size for name in names for shape in shapes(layer(scene, name)) if isinstance(shape, Text)]
    assert min(sizes) >= MIN_READABLE_POINTS * POINT_MM
    assert "…" not in words(sketch_scene(case.view, case.sketch), "labels", "remarks", "figures")
    scene = sketch_scene(case.view, case.sketch)
    for name in ("labels", "remarks"):
        for title, box in boxes(scene, name):
            assert 0 < box.left < box.right < scene.width, title
            assert 0 < box.top < box.bottom < scene.height, title


def test_what_is_written_round_a_wide_map_is_enlarged() -> None:
    """It can be read where the whole picture is seen at once."""
    case = answer_of("train: displace 0")
    far = replace(case.sketch, focus=tuple(f"{column}.20" for column in range(41, 71)))
    small, large = sketch_scene(case.view, case.sketch), sketch_scene(case.view, far)
    (title,), (wide,) = (
        [shape for shape in shapes(layer(scene, "title")) if isinstance(shape, Text)] for scene in (small, large)
    )
    assert large.width > 3 * small.width
    assert 1.5 * title.size < wide.size < 3 * title.size
