"""What pictures show of hidden units to those who may see them: caps on stacks, and counters that lie back side up."""

from __future__ import annotations

import pytest

from assistant.asking.line_sketch import LineSketch, LineWords, Marked
from assistant.asking.view import View
from assistant.drawing.lines.scene import lines_scene
from assistant.drawing.scene import Circle, Group, Path, Scene, Shape, Text
from assistant.drawing.sketch.scene import standing_scene
from assistant.drawing.svg import to_svg
from assistant.game.games import Game
from assistant.game.viewpoint import reduce_state

from .test_situation import position, view_of

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


def groups(scene: Scene) -> dict[str, tuple[Shape, ...]]:
    """The counters and what lies on them, by their titles."""
    (units,) = [layer for layer in scene.layers if layer.name == "units"]
    return {group.title: group.shapes for group in units.shapes if isinstance(group, Group)}


def key(scene: Scene) -> list[str]:
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
    (lid,) = [shapes for title, shapes in groups(scene).items() if title == "40.20: under a cap"]
    assert {type(shape) for shape in lid} == {Path}
    assert key(scene) == ["under a cap"]
    assert scene.description.count("Hex 40.20: under a cap.") == 1


def test_the_enemy_sees_no_more_than_the_cap() -> None:
    enemy = standing_scene(seen(CAPPED, "central-powers"))
    other = CAPPED.replace("25/3 (10-9-5-10), 27/3 (9-9-0-9)", "russian cavalry XX 2/c (3-3-0-9)")
    assert enemy == standing_scene(seen(other, "central-powers"))


@pytest.mark.parametrize("side", ["umpire", "russian"])
def test_counters_that_lie_back_side_up_bear_a_half_disc(side: str) -> None:
    scene = standing_scene(seen(CRESTS, side))
    discs = {title: sum(isinstance(shape, Circle) for shape in shapes) for title, shapes in groups(scene).items()}
    assert {title.partition(":")[0] for title, many in discs.items() if many} == {"25/3", "27/3"}
    assert {title.partition(":")[0] for title in discs if title.endswith("back side up")} == {"25/3", "27/3"}
    assert key(scene) == ["back side up"]


def test_of_units_that_lie_back_side_up_the_enemy_sees_that_something_is_there() -> None:
    scene = standing_scene(seen(CRESTS, "central-powers"))
    assert key(scene) == []
    assert not any("back side up" in title for title in groups(scene))
    plain = CRESTS.replace(", 27/3 (9-9-0-9) concealed", "")
    assert scene == standing_scene(seen(plain, "central-powers"))


def test_a_picture_or_game_without_hidden_units_says_nothing_of_them(drill: Game) -> None:
    scene = standing_scene(view_of(CAPPED.replace(" capped", "")))
    assert key(scene) == []
    assert not any("cap" in title for title in groups(scene))
    scene = standing_scene(view_of("game drill\n0505 clear: blue infantry A strength=7\n", drill))
    assert (len(groups(scene)), key(scene)) == (1, [])


def test_the_sign_in_the_strip_of_a_covered_counter_leaves_its_name_clear() -> None:
    shown = groups(standing_scene(view_of(CRESTS)))
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
