"""Markers of hexes in pictures, and what pictures show of hidden units to those who may see them: caps and counters back side up."""

from __future__ import annotations

import pytest

from assistant.asking.line_sketch import LineSketch, LineWords, Marked
from assistant.asking.sketch import Arrow, Sketch
from assistant.asking.view import View
from assistant.drawing.lettering import FIGURE_HEIGHT
from assistant.drawing.lines.scene import lines_scene
from assistant.drawing.scene import Circle, Group, Path, Rectangle, Scene, Shape, Symbol, Text
from assistant.drawing.sketch.scene import sketch_scene, standing_scene
from assistant.drawing.svg import to_svg
from assistant.drawing.symbols import Symbols
from assistant.game.games import Game
from assistant.game.viewpoint import reduce_state

from .test_situation import position, view_of

DUG_IN = """game twilight-in-the-east
41.19 clear ip=2: 1/1 (12-16-7-11)
40.19: 29/20 (10-12-5-10)
41.20 ip=4 ruined
41.18 ip=0
"""


def groups(scene: Scene, name: str) -> dict[str, Group]:
    (layer,) = [layer for layer in scene.layers if layer.name == name]
    return {shape.title: shape for shape in layer.shapes if isinstance(shape, Group)}


def combat_scene(view: View, at: str, attackers: list[str]) -> Scene:
    arrows = tuple(Arrow(hexes=(place, at), kind="attack") for place in attackers)
    return sketch_scene(view, Sketch(title="T", arrows=arrows, focus=(at,)))


def plate(group: Group) -> Rectangle:
    found = group.shapes[0]
    assert isinstance(found, Rectangle)
    return found


def test_markers_of_hexes_are_said_and_have_the_symbol_of_their_counter() -> None:
    scene = combat_scene(view_of(DUG_IN), "41.19", ["40.19"])
    assert set(groups(scene, "markers")) == {
        "41.20: level of the Improved Position 4",
        "41.20: printed Improved Position in ruins",
        "41.19: level of the Improved Position 2",
    }
    assert "Hex 41.19: level of the Improved Position 2." in scene.description
    assert "Hex 41.20: printed Improved Position in ruins." in scene.description
    view = view_of(DUG_IN)
    group = groups(combat_scene(view, "41.19", ["40.19"]), "markers")["41.19: level of the Improved Position 2"]
    ours = Symbols(view.game).symbol("marker-improved-position-2")
    assert ours
    assert [shape.paths for shape in group.shapes if isinstance(shape, Symbol)] == [ours.paths]
    assert [shape.text for shape in group.shapes if isinstance(shape, Text)] == ["IP 2"]


def test_the_symbol_of_a_marker_lies_in_the_middle_of_its_plate_or_above_its_words() -> None:
    found = groups(combat_scene(view_of(DUG_IN), "41.19", ["40.19"]), "markers").values()
    assert {len(group.shapes) for group in found} == {2, 3}, "without words, and with"
    for group in found:
        around, (symbol, *words) = plate(group), group.shapes[1:]
        assert isinstance(symbol, Symbol)
        left, top = symbol.x - around.x, symbol.y - around.y
        right, below = around.width - left - symbol.width, around.height - top - symbol.height
        assert left == pytest.approx(right)
        assert min(left, right, top, below) > 0
        if not words:
            assert top == pytest.approx(below)
        for text in words:
            assert isinstance(text, Text)
            assert symbol.y + symbol.height < text.y - FIGURE_HEIGHT * text.size
            assert text.y < around.y + around.height
            assert text.x == pytest.approx(around.x + around.width / 2)


def test_markers_lie_beside_the_counters_and_cover_none_of_them() -> None:
    scene = combat_scene(view_of(DUG_IN), "41.19", ["40.19"])
    marker = plate(groups(scene, "markers")["41.19: level of the Improved Position 2"])
    (counter,) = [plate(group) for title, group in groups(scene, "units").items() if title.startswith("1/1")]
    assert marker.x + marker.width < counter.x
    assert counter.y < marker.y + marker.height / 2 < counter.y + counter.height


def test_a_marker_makes_room_for_an_arrow_to_the_left(drill: Game) -> None:
    view = view_of(
        "game drill\n0505 clear dug=1: blue infantry A strength=7\n0404 clear: red cavalry B strength=2\n", drill
    )
    west, east = (name for name in ("0405", "0605"))
    sides = {}
    for neighbour in (west, east):
        scene = combat_scene(view, neighbour, ["0505"])
        (counter,) = [plate(group) for title, group in groups(scene, "units").items() if title.startswith("A:")]
        sides[neighbour] = plate(groups(scene, "markers")["0505: trenches 1"]).x > counter.x
    assert sides == {west: True, east: False}


def test_an_empty_hex_has_its_marker_in_the_middle_or_none(drill: Game) -> None:
    scene = combat_scene(view_of("game drill\n0505 clear dug=3\n", drill), "0505", [])
    marker = plate(groups(scene, "markers")["0505: trenches 3"])
    assert abs(marker.x + marker.width / 2 - scene.width / 2) < 3
    scene = combat_scene(view_of("game twilight-in-the-east\n41.19 clear\n"), "41.19", [])
    assert groups(scene, "markers") == {}


CAPPED = """game twilight-in-the-east
turn=3 hidden-units=caps
40.20 capped: 25/3 (10-9-5-10), 27/3 (9-9-0-9)
44.20: german infantry XX H (9-9-0-9)
"""
CRESTS = """game twilight-in-the-east
turn=3 hidden-units=concealment
40.20: 25/3 (10-9-5-10) concealed, 27/3 (9-9-0-9) concealed, 28/20 (9-9-0-9)
44.20: german infantry XX H (9-9-0-9)
"""


def seen(text: str, side: str) -> View:
    found = position(text)
    return View(found.game, reduce_state(found.game, found.state, side))


def unit_groups(scene: Scene) -> dict[str, tuple[Shape, ...]]:
    """The counters and what lies on them, by their titles."""
    (units,) = [layer for layer in scene.layers if layer.name == "units"]
    return {group.title: group.shapes for group in units.shapes if isinstance(group, Group)}


def key_words(scene: Scene) -> list[str]:
    """The words of the key."""
    return [
        shape.text
        for layer in scene.layers
        if layer.name == "signs"
        for shape in layer.shapes
        if isinstance(shape, Text)
    ]


@pytest.mark.parametrize("side", ["umpire", "russian", "central-powers"])
def test_a_cap_lies_over_the_upper_edge_of_its_stack_for_all_to_see(side: str) -> None:
    scene = standing_scene(seen(CAPPED, side))
    (lid,) = [shapes for title, shapes in unit_groups(scene).items() if title == "40.20: under a cap"]
    assert {type(shape) for shape in lid} == {Path}
    assert key_words(scene) == ["under a cap"]
    assert scene.description.count("Hex 40.20: under a cap.") == 1


def test_the_enemy_sees_no_more_than_the_cap() -> None:
    enemy = standing_scene(seen(CAPPED, "central-powers"))
    other = CAPPED.replace("25/3 (10-9-5-10), 27/3 (9-9-0-9)", "russian cavalry XX 2/c (3-3-0-9)")
    assert enemy == standing_scene(seen(other, "central-powers"))


@pytest.mark.parametrize("side", ["umpire", "russian"])
def test_counters_that_lie_back_side_up_bear_a_half_disc(side: str) -> None:
    scene = standing_scene(seen(CRESTS, side))
    discs = {title: sum(isinstance(shape, Circle) for shape in shapes) for title, shapes in unit_groups(scene).items()}
    assert {title.partition(":")[0] for title, many in discs.items() if many} == {"25/3", "27/3"}
    assert {title.partition(":")[0] for title in discs if title.endswith("back side up")} == {"25/3", "27/3"}
    assert key_words(scene) == ["back side up"]


def test_of_units_that_lie_back_side_up_the_enemy_sees_that_something_is_there() -> None:
    scene = standing_scene(seen(CRESTS, "central-powers"))
    assert key_words(scene) == []
    assert not any("back side up" in title for title in unit_groups(scene))
    plain = CRESTS.replace(", 27/3 (9-9-0-9) concealed", "")
    assert scene == standing_scene(seen(plain, "central-powers"))


def test_a_picture_or_game_without_hidden_units_says_nothing_of_them(drill: Game) -> None:
    scene = standing_scene(view_of(CAPPED.replace(" capped", "")))
    assert key_words(scene) == []
    assert not any("cap" in title for title in unit_groups(scene))
    scene = standing_scene(view_of("game drill\n0505 clear: blue infantry A strength=7\n", drill))
    assert (len(unit_groups(scene)), key_words(scene)) == (1, [])


def test_the_sign_in_the_strip_of_a_covered_counter_leaves_its_name_clear() -> None:
    shown = unit_groups(standing_scene(view_of(CRESTS)))
    (strip,) = [shapes for title, shapes in shown.items() if title.startswith("27/3")]
    (disc,) = [shape for shape in strip if isinstance(shape, Circle)]
    texts = [shape for shape in strip if isinstance(shape, Text)]
    assert texts
    assert all(text.x > disc.x + 2 * disc.radius for text in texts)


def test_pictures_of_lines_show_the_cap_too() -> None:
    units = (Marked(unit="25/3", place="40.20", side="russian", status="full"),)
    words = LineWords(statuses={"full": "fed"})
    svg = to_svg(lines_scene(view_of(CAPPED), LineSketch(title="Food", words=words, sides=("russian",), units=units)))
    assert 'aria-label="under a cap"' in svg
    assert svg.count("<title>40.20: under a cap") == 1
    assert "Hex 40.20: under a cap." in svg
