"""Markers of hexes in pictures: Improved Positions and whatever else a game has symbols for."""

from __future__ import annotations

import pytest

from assistant.asking.sketch import Arrow, Sketch
from assistant.asking.view import View
from assistant.drawing.lettering import FIGURE_HEIGHT
from assistant.drawing.scene import Group, Rectangle, Scene, Symbol, Text
from assistant.drawing.sketch.scene import sketch_scene
from assistant.drawing.symbols import Symbols
from assistant.game.games import Game

from .test_situation import view_of

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
