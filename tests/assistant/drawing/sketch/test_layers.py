"""The layers of a sketch: outlines, ways, arrows, labels, panels, and the signs over units that are lost or have moved on."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import dist

import msgspec
import pytest
from msgspec.structs import replace

from assistant.asking.sketch import Arrow, FateKind, FigureTable, Role, Sketch, Spot, ZoneHexes, format_first_units
from assistant.asking.view import View
from assistant.drawing.geometry import PageBox, hexagon, point_between
from assistant.drawing.hex_sets import hexes_around
from assistant.drawing.layout import Layout
from assistant.drawing.lettering import text_width
from assistant.drawing.map.arcs import text_box
from assistant.drawing.scene import Circle, Group, Layer, Path, Rectangle, Scene, Shape, Text
from assistant.drawing.sketch.arrows import arrow_lines
from assistant.drawing.sketch.fates import FATE_SIGNS, FATE_WORDS, arrived_units
from assistant.drawing.sketch.lanes import way_line
from assistant.drawing.sketch.layers import frame_shapes
from assistant.drawing.sketch.marks import LABEL_SIZE_MM, MAX_LABEL_SIZE_MM, MIN_LABEL_SIZE_MM, make_tag, tag_shapes
from assistant.drawing.sketch.scene import frame_hexes, panel_layer, sketch_scene
from assistant.formats.notation import read_notation
from assistant.game.boards import Board
from assistant.installed.registry import load_game
from assistant.state.changes import Change

from .answers import answer_of
from .test_alike import layer, shapes

HEX = hexagon((50.0, 40.0), 19.6, flat=True)


WITHIN: tuple[Role, ...] = ("reached", "beyond")


def widths(role: Role) -> list[tuple[float, int, bool]]:
    """How the lines of an outline look in grey: how wide, how many, and whether they are dashed."""
    drawn: list[Shape] = frame_shapes(role, HEX, "#123456")
    paths = [path for path in drawn if isinstance(path, Path) and path.stroke == "#123456"]
    return [(path.width, len(path.lines), bool(path.dash)) for path in paths]


def test_outlines_and_labels_of_different_parts_differ_in_form() -> None:
    roles: tuple[Role, ...] = ("start", "target", "end", "open", "reached", "beyond")
    looks = [tuple(widths(role)) for role in roles]
    assert len(set(looks)) == len(roles)
    assert widths("barred") == widths("passed") == []
    edges = {role: tag_shapes(role, make_tag(role, "4"), 0.0, 0.0) for role in WITHIN}
    dashed = {
        role: [shape for shape in shapes if isinstance(shape, Path) and shape.dash] for role, shapes in edges.items()
    }
    assert (len(dashed["reached"]), len(dashed["beyond"])) == (0, 1)


def test_a_label_grows_with_its_text_and_has_the_letter_of_its_reason_in_a_disc() -> None:
    assert make_tag("reached", "4").size == MAX_LABEL_SIZE_MM
    assert make_tag("open", "4").size == LABEL_SIZE_MM
    long = make_tag("open", "2 levels, 1 step, guns a")
    assert len(long.lines) == 2
    assert long.size >= MIN_LABEL_SIZE_MM
    tag = make_tag("open", "1 level", letter="a")
    assert tag.lines == ("1 level",)
    assert tag.width > make_tag("open", "1 level").width
    drawn = tag_shapes("open", tag, 0.0, 0.0)
    (disc,) = (shape for shape in drawn if isinstance(shape, Circle))
    letter, text = (shape for shape in drawn if isinstance(shape, Text))
    assert (letter.text, letter.x) == ("a", disc.x)
    assert text.x + text_width(text.text, text.size, bold=True) / 2 < disc.x - disc.radius
    assert disc.x + disc.radius < tag.width / 2


BOX = PageBox(10.0, 20.0, 24.0, 28.0)


@pytest.mark.parametrize("kind", FATE_SIGNS)
def test_the_sign_of_a_fate_stays_in_its_box(kind: FateKind) -> None:
    for shape in FATE_SIGNS[kind](BOX, 1.0):
        assert isinstance(shape, Path)
        for x, y in (point for line in shape.lines for point in line):
            assert BOX.left <= x <= BOX.right
            assert BOX.top <= y <= BOX.bottom


def test_the_signs_of_fates_differ_in_form_and_all_have_words() -> None:
    forms = {
        kind: [shape.lines for shape in shapes(BOX, 1.0) if isinstance(shape, Path)]
        for kind, shapes in FATE_SIGNS.items()
    }
    assert forms["lost"] != forms["broken"]
    assert FATE_SIGNS.keys() == FATE_WORDS.keys()


def test_a_unit_arrives_in_the_last_hex_that_it_comes_to_and_nowhere_if_that_is_its_own() -> None:
    case = answer_of("twilight-in-the-east battle.pos: battle 0")
    (move,) = (move for move in case.sketch.moves if isinstance(move, Change))

    def arrived(*moves: Change) -> dict[str, list[str]]:
        units = arrived_units(View(case.view.game, case.view.state), msgspec.structs.replace(case.sketch, moves=moves))
        return {hex: [unit.id for unit in there] for hex, there in units.items()}

    on = msgspec.structs.replace(move, before="39.20", after="39.21")
    assert arrived(move) == {"39.20": ["27/3"]}
    assert arrived(move, on) == {"39.21": ["27/3"]}
    assert arrived(move, msgspec.structs.replace(on, after="40.20")) == {}


WAYS = (
    ("41.19", "41.18", "41.17"),
    ("41.20", "41.19", "41.18", "41.17"),
    ("41.17", "41.18", "41.19"),
    ("41.21", "41.20", "41.19", "41.18"),
)


@pytest.fixture(scope="module")
def board() -> Board:
    return load_game("twilight-in-the-east").board("east")


@pytest.fixture(scope="module")
def layout(board: Board) -> Layout:
    return Layout(board, sorted(hexes_around(board, {name for way in WAYS for name in way})))


def boxes_in(layout: Layout, *hexes: str) -> dict[str, PageBox]:
    """Counters in the middle of hexes."""
    centres = {name: layout.centre(name) for name in hexes}
    return {name: PageBox(x - 8.5, y - 8.5, x + 8.5, y + 8.5) for name, (x, y) in centres.items()}


def away_from(point: tuple[float, float], points: tuple[tuple[float, float], ...]) -> float:
    """How far a point lies from a line."""
    return min(dist(point, point_between(*step, share / 40)) for step in pairwise(points) for share in range(41))


@pytest.mark.parametrize("occupied", [(), ("41.18",), ("41.18", "41.19")])
def test_ways_that_share_hexes_run_on_one_line_in_either_direction(layout: Layout, occupied: tuple[str, ...]) -> None:
    boxes = boxes_in(layout, *occupied)
    one, other = (way_line(layout, Arrow(hexes=way, name="1"), boxes) for way in (WAYS[1], WAYS[3]))
    shared = ("41.19", "41.18"), ("41.20", "41.19")
    for pair in (pair for pair in shared if not {*pair} <= {*occupied}):  # between counters a way leads straight past
        middle = point_between(*layout.hexside(*pair), 0.5)
        assert max(away_from(middle, one), away_from(middle, other)) < 0.5
    there = way_line(layout, Arrow(hexes=WAYS[0], name="1"), boxes_in(layout, "41.18"))
    back = way_line(layout, Arrow(hexes=WAYS[2], name="1"), boxes_in(layout, "41.18"))
    assert max(away_from(point, back) for point in there) < 0.5


def test_a_way_leads_round_the_counters_on_it_and_begins_and_ends_clear_of_those_there(layout: Layout) -> None:
    arrow = Arrow(hexes=("41.21", "41.20", "41.19", "40.19"), name="1")
    boxes = boxes_in(layout, *arrow.hexes)
    for start, end in pairwise(way_line(layout, arrow, boxes)):
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            x, y = point_between(start, end, share)
            assert not any(box.left < x < box.right and box.top < y < box.bottom for box in boxes.values())


def test_an_attack_goes_on_where_a_way_ends_and_ends_at_the_hexside(layout: Layout) -> None:
    way, attack = Arrow(hexes=WAYS[0], name="1"), Arrow(hexes=("41.17", "40.17"), kind="attack")
    lines = dict(arrow_lines(layout, Sketch(title="ways", arrows=(way, attack)), boxes_in(layout, "41.19", "40.17")))
    assert lines[way][-1] == lines[attack][0] == layout.centre("41.17")
    middle = point_between(*layout.hexside("41.17", "40.17"), 0.5)
    assert dist(lines[attack][-1], middle) < 0.5


@pytest.mark.parametrize(
    ("units", "words"),
    [([], ""), (["a"], "a"), (["a", "b", "c"], "a, b, c"), (["a", "b", "c", "d", "e"], "a, b, c and 2 more")],
)
def test_up_to_three_units_are_named(units: list[str], words: str) -> None:
    assert format_first_units(units) == words


LEVELS = ("few", "some", "many", "more", "most")
FAR_APART = ("41.15", "41.17", "41.19", "42.21", "41.23", "42.25", "41.27", "42.29", "41.31")


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
    scene = sketch_scene(view, shaded(*FAR_APART, "70.31"))
    panels = frames(scene)
    assert len(panels) == 2
    assert not any(one.overlap(other) for one, other in combinations(panels, 2))
    written = [text_box(text) for name in ("figures", "reasons", "signs") for text in texts(layer(scene, name))]
    assert len(written) > 10
    assert max(box.bottom for box in written) < max(panel.bottom for panel in panels)
    assert not any(box.overlap(panel) for box in written for panel in panels)
    assert all(box.left > 0 and box.right < scene.width for box in written)
    scene = sketch_scene(view, shaded(*FAR_APART, "70.31", rows=200))
    written = [text_box(text) for text in texts(layer(scene, "figures"))]
    assert min(box.top for box in written) > max(panel.bottom for panel in frames(scene))
    whole = sketch_scene(view, shaded("41.19"))
    assert frames(whole) == []


@pytest.mark.parametrize("hexes", [("41.19", "70.31"), (*FAR_APART, "70.31")])
def test_far_apart_hexes_are_drawn_where_no_table_is_to_be_written(view: View, hexes: tuple[str, ...]) -> None:
    scene = sketch_scene(view, replace(shaded(*hexes), tables=()))
    assert len(frames(scene)) == 2
    assert "figures" not in {layer.name for layer in scene.layers}


def test_the_title_of_a_small_panel_ends_within_its_frame(view: View) -> None:
    hexes = frame_hexes(view.board, shaded(*FAR_APART, "70.31"))[1]
    layout = Layout(view.board, hexes, panels=True, framed=True)
    names = {"41.15": "Gumbinnen", "70.31": "Königsberg in Ostpreußen"}
    drawn = panel_layer(layout, shaded(*FAR_APART, "70.31"), names, 2.0)
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


def test_units_whose_zones_reach_no_hex_and_hexes_amid_others_are_drawn_or_not(view: View) -> None:
    zone = ZoneHexes(side="", hexes=frozenset({"42.20", "60.30"}), holders=frozenset({"43.20", "60.31"}))
    _, hexes = frame_hexes(view.board, Sketch(title="T", focus=("41.19",), zones=(zone,)))
    assert {*hexes} == {"41.19", *view.board.neighbours("41.19"), "43.20"}
    ring = view.board.neighbours("41.19")
    spots = tuple(Spot(hex=at, role="barred") for at in ring)
    assert "41.19" not in frame_hexes(view.board, Sketch(title="T", spots=spots))[1]
    _, hexes = frame_hexes(view.board, Sketch(title="T", spots=spots, levels=LEVELS))
    assert "41.19" in hexes
    assert set(hexes) == {"41.19", *ring}
