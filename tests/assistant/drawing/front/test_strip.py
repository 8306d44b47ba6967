"""The strip: maps of one area and scale, with what has changed; and the theatre of a game."""

from __future__ import annotations

import re

import pytest

from assistant import parse
from assistant.asking.view import View
from assistant.drawing.front.strip import (
    MAP_WIDTH_MM,
    MAX_MAPS,
    Shot,
    changes_shown,
    choose_shots,
    find_area,
    front_lines,
    make_strip,
    map_scene,
    moment_layers,
    strip_scene,
)
from assistant.drawing.png import to_png
from assistant.drawing.scene import Group, Scene, Shape
from assistant.drawing.svg import to_svg
from assistant.util.errors import InputError

from ..pixels import read_png
from .moments import MOMENTS, shots, view


def groups(scene: Scene, layer: str) -> list[Group]:
    """The groups in the layers of a name."""
    shapes: list[Shape] = [shape for part in scene.layers if part.name == layer for shape in part.shapes]
    return [shape for shape in shapes if isinstance(shape, Group)]


def titles(scene: Scene, layer: str) -> list[str]:
    """The titles of these groups."""
    return [group.title for group in groups(scene, layer)]


def test_maps_of_a_strip_have_one_area_and_scale_and_say_what_has_changed() -> None:
    strip = make_strip(shots())
    scenes = [map_scene(strip, number) for number in range(3)]
    assert {scene.width for scene in scenes} == {MAP_WIDTH_MM} and len({scene.height for scene in scenes}) == 1
    towns = [layer for scene in scenes for layer in scene.layers if layer.name == "towns"]
    assert towns[0].shapes and towns[0] == towns[1] == towns[2]
    resting = {group for scene in scenes for group in groups(scene, "units") if group.title.startswith("36/17")}
    assert len(resting) == 1
    strip = make_strip(shots())
    assert changes_shown(strip, 0) == "before the first move"
    assert changes_shown(strip, 1).startswith("2 units moved")
    assert "1 hex attacked" in changes_shown(strip, 2) and "hexes gained: Russian " in changes_shown(strip, 2)
    assert strip.moments[2].moved == {"25/3": ("43.19", "44.20"), "35/17": ("44.20", "46.20")}
    assert strip.moments[2].gained["44.20"] == "russian"
    scene = strip_scene(make_strip(shots()), "August")
    stacks = titles(scene, "units")
    assert len(stacks) == 12 and sum("25/3" in title for title in stacks) == 3
    assert titles(scene, "combats") == ["44.20: attacked"]
    assert "GT 3, August 1914: " in scene.description


def test_of_many_turns_some_are_shown_also_on_a_paper_map() -> None:
    many = shots(*MOMENTS * 12)
    chosen = choose_shots(many)
    assert len(chosen) == MAX_MAPS and chosen[0].title == "GT 1" and chosen[-1].title == "GT 36"
    spread = choose_shots([shot._replace(attacked=[shot.title]) for shot in many])
    assert {place for shot in spread for place in shot.attacked} == {shot.title for shot in many}
    assert make_strip(many).left_out == 12
    positions = [parse(f"game twilight-in-the-east\n{place}: 25/3\n44.20: 35/17\n") for place in ("42.19", "43.19")]
    views = [View(position.game, position.state) for position in positions]
    strip = make_strip([Shot("GT 1", "", views[0]), Shot("GT 2", "", views[1])])
    assert strip.moments[1].held["43.19"] == "russian" and changes_shown(strip, 1).startswith("1 unit moved")


def test_each_map_of_a_strip_stays_within_its_frame_however_large_its_hexes() -> None:
    texts = [
        f"game world-undone-east-prussia-1914\nboard east-prussia\n{at}: I/2\n5420: III/25\n" for at in ("5320", "5220")
    ]
    views = [View(position.game, position.state) for position in map(parse, texts)]
    strip = make_strip([Shot(f"Turn {number}", "", view) for number, view in enumerate(views, 1)])
    scene = strip_scene(strip, "The front")
    frames = sorted({layer.clip for layer in scene.layers if layer.clip})
    assert len(frames) == 2
    (drawn,) = to_png([scene], 4)
    pixels, left, right = read_png(drawn), frames[0][0] + frames[0][2], frames[1][0]
    between = range(int(left * 4) + 2, int(right * 4) - 2)
    rows = range(int(frames[0][1] * 4), int((frames[0][1] + frames[0][3]) * 4))
    assert len({pixels.at(x, y) for x in between for y in rows}) == 1
    assert to_svg(scene).count("<clipPath ") == 2


def test_the_front_is_drawn_between_two_sides_in_an_area_of_what_happens() -> None:
    alone = make_strip(shots("53.36: 4/6\n", "54.36: 4/6\n"))
    both = make_strip(shots())
    assert all(
        {side, other} == {"central-powers", "russian"}
        for side, other, _ in front_lines(both.theatre, both.moments[0].held)
    )
    assert [*front_lines(both.theatre, both.moments[0].held)]
    assert {layer.name for layer in moment_layers(alone.theatre, alone.moments[0])} >= {"front", "units"}
    far = "42.19: 25/3\n44.20: 35/17\n60.40: 6/15\n"
    moved = "43.19: 25/3\n44.20: 35/17\n60.40: 6/15\n"
    assert "60.40" not in find_area([view(far), view(moved)])
    assert "60.40" in find_area([view("60.40: 6/15\n")])


def test_without_units_or_on_two_boards_there_is_nothing_to_draw() -> None:
    with pytest.raises(InputError, match="no unit stands on the map"):
        make_strip(shots(""))
    boards = [parse(f"game der-weltkrieg\nboard {board}\n") for board in ("map-4-5", "map-5-5")]
    with pytest.raises(InputError, match="goes from the board"):
        make_strip([Shot("", "", View(position.game, position.state)) for position in boards])


def test_hostile_names_are_escaped() -> None:
    named = [shot._replace(title="<script>alert(1)</script>", subtitle='"&<b>') for shot in shots()]
    svg = to_svg(strip_scene(make_strip(named), "<img src=x>"))
    assert "<script" not in svg and "<img" not in svg and not re.search(r"<b>", svg)
