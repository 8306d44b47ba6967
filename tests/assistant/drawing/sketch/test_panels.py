"""Maps with shades: parts that lie far apart are framed, what is written finds room between the frames, and numbers of hexes
stay readable.
"""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec.structs import replace

from assistant.asking.sketch import Arrow, FigureTable, Sketch, Spot, ZoneHexes
from assistant.asking.view import View
from assistant.drawing.geometry import PageBox
from assistant.drawing.layout import Layout
from assistant.drawing.map.arcs import text_box
from assistant.drawing.scene import Group, Layer, Rectangle, Scene, Text
from assistant.drawing.sketch.panels import panel_layer
from assistant.drawing.sketch.scene import frame_hexes, sketch_scene
from assistant.formats.notation import read_notation
from assistant.installed.registry import load_game

from .test_alike import layer, shapes

LEVELS = ("few", "some", "many", "more", "most")
LARGE = ("41.15", "41.17", "41.19", "42.21", "41.23", "42.25", "41.27", "42.29", "41.31")


@pytest.fixture(scope="module")
def view() -> View:
    position = read_notation(b"game twilight-in-the-east\nturn=1\n41.19: 25/3\n70.31: 27/3\n", "t.pos", load_game)
    return View(position.game, position.state)


def shaded(*hexes: str, rows: int = 3, **more: object) -> Sketch:
    spots = tuple(Spot(hex=at, role="shaded", label="1:1", level=number % 5 + 1) for number, at in enumerate(hexes))
    table = FigureTable(heads=("hex", "odds"), rows=tuple((f"{number}.", "1:1") for number in range(rows)))
    return Sketch(title="Threats", spots=spots, levels=LEVELS, tables=(table,), results=("a remark",), **more)  # type: ignore[arg-type]


def frames(scene: Scene) -> list[PageBox]:
    boxes = [shape for shape in layer(scene, "panels").shapes if isinstance(shape, Rectangle)]
    return [PageBox(box.x, box.y, box.x + box.width, box.y + box.height) for box in boxes]


def texts(of: Layer | Group) -> list[Text]:
    return [shape for shape in shapes(of) if isinstance(shape, Text)]


def test_what_is_written_stands_between_the_frames_or_below_them(view: View) -> None:
    scene = sketch_scene(view, shaded(*LARGE, "70.31"))
    panels = frames(scene)
    assert len(panels) == 2
    assert not any(one.overlap(other) for one, other in combinations(panels, 2))
    written = [text_box(text) for name in ("figures", "reasons", "signs") for text in texts(layer(scene, name))]
    assert len(written) > 10
    assert max(box.bottom for box in written) < max(panel.bottom for panel in panels)
    assert not any(box.overlap(panel) for box in written for panel in panels)
    assert all(box.left > 0 and box.right < scene.width for box in written)
    scene = sketch_scene(view, shaded(*LARGE, "70.31", rows=200))
    written = [text_box(text) for text in texts(layer(scene, "figures"))]
    assert min(box.top for box in written) > max(panel.bottom for panel in frames(scene))
    whole = sketch_scene(view, shaded("41.19"))
    assert frames(whole) == []


@pytest.mark.parametrize("hexes", [("41.19", "70.31"), (*LARGE, "70.31")])
def test_far_apart_hexes_are_drawn_where_no_table_is_to_be_written(view: View, hexes: tuple[str, ...]) -> None:
    scene = sketch_scene(view, replace(shaded(*hexes), tables=()))
    assert len(frames(scene)) == 2
    assert "figures" not in {layer.name for layer in scene.layers}


def test_the_title_of_a_small_panel_ends_within_its_frame(view: View) -> None:
    hexes = frame_hexes(view.board, shaded(*LARGE, "70.31"))[1]
    layout = Layout(view.board, hexes, panels=True, framed=True)
    names = {"41.15": "Gumbinnen", "70.31": "Königsberg in Ostpreußen"}
    drawn = panel_layer(layout, shaded(*LARGE, "70.31"), names, 2.0)
    titles = texts(drawn)
    assert [title.text for title in titles] == [
        "hexes round 41.15 Gumbinnen",
        "hexes round 70.31 Königsberg in Ostpreußen",
    ]
    rights = [shape.x + shape.width for shape in drawn.shapes if isinstance(shape, Rectangle)]
    assert all(text_box(title).right < right for title, right in zip(titles, rights, strict=True))


def test_numbers_that_shades_or_ways_would_hide_stand_on_plates_above_them(view: View) -> None:
    way = Arrow(hexes=("43.20", "43.19", "43.18", "42.18"), name="2/1 to 1")
    scene = sketch_scene(view, shaded("41.19", "42.18", arrows=(way,)))
    plates = {group.title for group in layer(scene, "plates").shapes if isinstance(group, Group)}
    assert {"41.19", "42.18"} <= plates
    assert "40.19" not in plates
    names = [layer.name for layer in scene.layers]
    assert names.index("plates") > max(names.index(name) for name in ("shades", "ways", "arrows", "labels", "units"))
    numbers = [text_box(text) for text in texts(layer(scene, "plates"))]
    labels = [text_box(text) for text in texts(layer(scene, "labels"))]
    assert not any(number.overlap(label) for number in numbers for label in labels)


def test_a_unit_whose_zone_reaches_no_hex_drawn_is_not_drawn(view: View) -> None:
    zone = ZoneHexes(side="", hexes=frozenset({"42.20", "60.30"}), holders=frozenset({"43.20", "60.31"}))
    _, hexes = frame_hexes(view.board, Sketch(title="T", focus=("41.19",), zones=(zone,)))
    assert {*hexes} == {"41.19", *view.board.neighbours("41.19"), "43.20"}


def test_a_single_hex_in_the_midst_of_those_drawn_is_drawn_too(view: View) -> None:
    ring = view.board.neighbours("41.19")
    spots = tuple(Spot(hex=at, role="barred") for at in ring)
    assert "41.19" not in frame_hexes(view.board, Sketch(title="T", spots=spots))[1]
    _, hexes = frame_hexes(view.board, Sketch(title="T", spots=spots, levels=LEVELS))
    assert "41.19" in hexes
    assert set(hexes) == {"41.19", *ring}
