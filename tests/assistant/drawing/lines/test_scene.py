"""Pictures of many lines, on pointed hexes of a game of data alone: what stands in them, near and from afar, and their parts."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from itertools import combinations
from math import dist
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import assistant
from assistant.asking.line_sketch import (
    Break,
    Closed,
    Cordon,
    LineSketch,
    LineWords,
    Marked,
    Origin,
    SourceReach,
    Status,
    Strand,
    make_failing_way,
)
from assistant.asking.view import View
from assistant.drawing.colours import INK, find_close_colours
from assistant.drawing.lettering import text_width
from assistant.drawing.lines.layers import COLOURS, limit_shapes, ring_shapes, status_shapes
from assistant.drawing.lines.parts import MAX_HEIGHT_HEXES, MAX_WIDTH_HEXES, FrontPart, choose_part, parts_of_front
from assistant.drawing.lines.scene import _find_hexes_beyond, lines_scene
from assistant.drawing.lines.text_map import lines_map
from assistant.drawing.lines.units import plates_of
from assistant.drawing.map.survey import Survey
from assistant.drawing.scene import Circle, Group, Layer, Path, Point, Polygon, Rectangle, Scene, Shape, Text, TextRun
from assistant.drawing.svg import to_svg
from assistant.formats.notation import read_notation
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.service import parts, picture
from assistant.util.errors import InputError

from ....cases import few
from ...reading_sizes import PAGE, page_of, too_small

DRILL = """game drill
0505 clear: blue infantry "1 Guards", blue infantry "2 Guards"
0503 rough: blue cavalry Depot
0506: red infantry Foe
0111: blue infantry Far
"""
STATUSES = {"full": "fed", "low": "short of food", "none": "hungry", "cut-off": "lost", "unknown": "open"}
SHOWN = LineSketch(
    title="Food",
    words=LineWords(statuses=STATUSES, near="two hexes from a depot"),
    sides=("blue",),
    units=(
        Marked(unit="1 Guards", place="0505", side="blue", status="full"),
        Marked(unit="2 Guards", place="0505", side="blue", status="low"),
    ),
    origins=(Origin(name="Depot", place="0503", side="blue", unit="Depot", mode="range 2"),),
    strands=(
        Strand(unit="1 Guards", side="blue", hexes=("0503", "0504", "0505")),
        Strand(unit="2 Guards", side="blue", hexes=("0503", "0504", "0505"), full=False),
    ),
    reaches=(SourceReach(name="Depot", side="blue", near=frozenset({"0503", "0504"}), far=frozenset({"0503", "0504", "0505"})),),
    breaks=(Break(where="0505|0506", side="blue", why="river", units=("1 Guards",)),),
    labels={"0504": "1 1/2"},
    caption=("Two of them.",),
)  # fmt: skip


@pytest.fixture
def view(drill: Game) -> View:
    position = read_notation(DRILL.encode(), "typed.pos", lambda name: drill)
    return View(position.game, position.state)


def layer(scene: Scene, name: str) -> Layer:
    return next(one for one in scene.layers if one.name == name)


def flat(shapes: tuple[Shape, ...]) -> list[Shape]:
    """All shapes, those of groups too."""
    return [one for shape in shapes for one in (flat(shape.shapes) if isinstance(shape, Group) else [shape])]


def texts(scene: Scene, name: str) -> list[str]:
    return [shape.text for shape in flat(layer(scene, name).shapes) if isinstance(shape, Text)]


def titles(scene: Scene, name: str) -> list[str]:
    return [shape.title for shape in layer(scene, name).shapes if isinstance(shape, Group)]


def test_a_picture_of_lines_shows_units_sources_and_breaks_in_signs_and_words(view: View) -> None:
    scene = lines_scene(view, SHOWN)
    assert (
        scene.description
        == "1 Guards in 0505: fed. 2 Guards in 0505: short of food. Depot in 0503, range 2. 0505|0506: river."
    )
    assert to_svg(scene).startswith("<svg")
    assert titles(lines_scene(view, SHOWN), "statuses") == ["2 Guards: short of food", "1 Guards: fed"]
    scene = lines_scene(view, SHOWN)
    assert len([one for one in layer(scene, "dots").shapes if isinstance(one, Circle)]) == 3
    assert texts(scene, "labels") == ["1 1/2", "range 2"]
    assert titles(scene, "sources") == ["0503: Depot, range 2"]
    scene = lines_scene(view, SHOWN)
    assert titles(scene, "breaks") == ["0505|0506: river, for 1 Guards"]
    assert texts(scene, "breaks") == ["river"]
    assert texts(lines_scene(view, SHOWN), "signs") == [
        "fed: 1", "short of food: 1", "line", "of 1 to 2 units", "source",
        "what blocks a line", "two hexes from a depot", "within extended reach",
    ]  # fmt: skip
    bare = replace(SHOWN, units=SHOWN.units[:1], origins=(), strands=(), reaches=(), breaks=())
    assert texts(lines_scene(view, bare), "signs") == ["fed"]


def test_a_stretch_of_two_lines_is_drawn_once_and_thicker_and_solid_where_one_serves_in_full(view: View) -> None:
    both = lines_scene(view, SHOWN)
    single = lines_scene(view, replace(SHOWN, strands=SHOWN.strands[1:]))
    (_, shared), (_, alone) = (
        [shape for shape in layer(scene, "lines").shapes if isinstance(shape, Path)] for scene in (both, single)
    )
    assert len(shared.lines) == len(alone.lines) == 1
    assert shared.width > alone.width
    assert not shared.dash
    assert alone.dash


def test_a_label_the_verdict_and_the_map_stand_where_they_belong(view: View) -> None:
    found = flat(layer(lines_scene(view, replace(SHOWN, labels={"0503": "7"})), "labels").shapes)
    assert [shape.text for shape in found if isinstance(shape, Text)] == ["7; range 2"]
    assert texts(lines_scene(view, replace(SHOWN, answer="1 of them is fed")), "answer") == ["1 of them is fed"]
    scene = lines_scene(view, replace(SHOWN, title="Food, " * 20))
    rims = [shape for shape in layer(scene, "grid").shapes if isinstance(shape, Path)]
    across = [x for rim in rims for line in rim.lines for x, _ in line]
    assert (min(across) + max(across)) / 2 == pytest.approx(scene.width / 2, abs=1)
    with pytest.raises(InputError, match="no hex to draw"):
        lines_scene(view, LineSketch(title="T", words=LineWords(statuses=STATUSES), sides=("blue",)))


def far_away(units: str, *statuses: Status) -> Scene:
    """The picture of a stack in a wide picture of a printed map. units: as they are typed."""
    text = f"game twilight-in-the-east\ntrust counters\n40.20: {units}\n"
    position = read_notation(text.encode(), "typed.pos", load_game)
    names = [unit.id for unit in position.state.stack("40.20")]
    marked = (
        Marked(unit=name, place="40.20", side="russian", status=one) for name, one in zip(names, statuses, strict=False)
    )
    shown = replace(
        SHOWN, sides=("russian",), units=tuple(marked), origins=(), strands=(), reaches=(), breaks=(), labels={}
    )
    return lines_scene(
        View(position.game, position.state), replace(shown, focus=tuple(f"{column}.20" for column in range(40, 81)))
    )


def test_a_wide_picture_lists_units_with_those_that_need_help_most() -> None:
    scene = far_away("25/3, 27/3, 22/1", "full", "none")
    assert titles(scene, "units") == ["40.20: 25/3, fed", "40.20: 27/3, hungry", "40.20: 22/1, russian"]
    assert texts(scene, "units") == ["25/3", "27/3", "22/1"]
    (glow,) = layer(scene, "lacking").shapes
    assert isinstance(glow, Path)
    assert glow.fill == COLOURS["none"]
    assert not [one for one in scene.layers if one.name in ("statuses", "labels", "dots")]
    scene = far_away("25/3", "full")
    assert max(scene.width, scene.height) < 600
    scene = far_away("25/3, 27/3, 29/20, 22/1, 24/1, 36/13", "full", "full", "full", "low", "none", "full")
    assert texts(scene, "units") == ["25/3", "27/3", "29/20", "3 more"]
    assert COLOURS["none"] in [shape.fill for shape in flat(layer(scene, "units").shapes) if isinstance(shape, Polygon)]


def test_a_wide_picture_of_a_board_has_the_rest_of_it_behind_it_with_its_cities() -> None:
    position = read_notation(b"game twilight-in-the-east\nboard east\n", "typed.pos", load_game)
    shown = LineSketch(
        title="T", words=SHOWN.words, sides=("russian",), focus=("48.18", "40.40", "36.29", "63.40", "63.18")
    )
    scene = lines_scene(View(position.game, position.state), shown)
    assert texts(scene, "backdrop") == ["Bialystok", "Königsberg"]
    assert not [
        one for one in far_away("25/3", "full").layers if one.name == "backdrop"
    ]  # nothing is known of a paper map


@pytest.mark.parametrize("drawn", [("48.18", "36.29"), ("01.12", "98.114"), ("41.19",)])
def test_the_ground_around_a_picture_is_that_of_the_box_round_its_hexes(drawn: tuple[str, ...]) -> None:
    board = load_game("twilight-in-the-east").board("east")
    layout = SimpleNamespace(names=drawn, draws=lambda name: name in drawn)
    at = {name: board.grid.parse(name) for name in sorted({*board.hexes, *drawn})}
    (left, *_, right), (top, *_, bottom) = (sorted([at[name][part] for name in drawn] * 2) for part in (0, 1))
    inside = {name for name, (column, row) in at.items() if left <= column <= right and top <= row <= bottom}
    found = [*_find_hexes_beyond(cast(Survey, SimpleNamespace(board=board, layout=layout)))]
    assert found == [(name, at[name]) for name in sorted(inside - {*drawn})]


def test_reaches_of_sources_and_ways_and_lines_have_looks_of_their_own(view: View) -> None:
    outlined = layer(lines_scene(view, SHOWN), "reach").shapes
    assert all(isinstance(one, Path) and not one.fill for one in outlined)
    ways = replace(SHOWN, reaches=(replace(SHOWN.reaches[0], ways=True),))
    hatched = layer(lines_scene(view, ways), "reach").shapes
    assert all(
        isinstance(one, Path) and one.opacity < 1 and all(len(line) == 2 for line in one.lines) for one in hatched
    )
    source = ring_shapes((0.0, 0.0), "#2f4f7c", flat=True, scale=1.0, extended=False)
    assert [bool(shape.fill) for shape in source if isinstance(shape, Path)] == [True, False, False]
    assert source[-1].stroke == INK  # type: ignore[union-attr]
    twice = ring_shapes((0.0, 0.0), "#2f4f7c", flat=True, scale=1.0, extended=True)
    assert len(twice) == len(source) + 2


def test_a_unit_that_is_cut_off_stands_in_a_closed_ring(view: View) -> None:
    beside = frozenset(view.board.neighbours("0404"))
    cordon, closed = Cordon(left=frozenset({"0404"}), beside=beside), Closed(hexes=beside, enemy="red")
    shown = replace(
        SHOWN,
        cordon=cordon,
        closed=(closed,),
        failing=make_failing_way("F", "blue", ("0503", "0504", "0404"), {"0504": "ditch"}),
    )
    scene = lines_scene(view, shown)
    ring = [shape for shape in layer(scene, "cordon").shapes if isinstance(shape, Path) and shape.closed]
    assert ring[-1].stroke == INK and len(ring[-1].lines) == 1
    said = [shape.text for shape in layer(scene, "signs").shapes if isinstance(shape, Text)]
    assert {SHOWN.words.left, closed.text, SHOWN.words.failing} <= set(said)
    text = " ".join("".join(run.text for run in row) for row in lines_map(view, shown, 100))
    for words in (SHOWN.words.left, closed.text, SHOWN.words.failing):
        assert words in text


def test_hexes_that_enemies_close_are_hatched_and_named_only_where_they_are_drawn(view: View) -> None:
    near, far = (
        Closed(hexes=frozenset({"0404"}), enemy="red", text="walls"),
        Closed(hexes=frozenset({"9999"}), enemy="red"),
    )
    shown = replace(SHOWN, closed=(near, far))
    scene = lines_scene(view, shown)
    (hatched,) = layer(scene, "closed").shapes
    assert isinstance(hatched, Path) and all(len(stroke) == 2 for stroke in hatched.lines)
    for said in (words_in(layer(scene, "signs")), " ".join(row_text(row) for row in lines_map(view, shown, 100))):
        assert "walls" in said and far.text not in said


def words_in(drawn: Layer) -> str:
    return " ".join(shape.text for shape in drawn.shapes if isinstance(shape, Text))


def row_text(row: Sequence[TextRun]) -> str:
    return "".join(run.text for run in row)


def test_where_a_range_ends_a_bar_lies_across_the_line_and_nothing_is_said_to_break_it(view: View) -> None:
    end = Break(where="0404", side="blue", why="range 6 ends", limit=True)
    line = Strand(unit="F", side="blue", hexes=("0403", "0404", "0405"))
    shown = replace(SHOWN, breaks=(end,), failing=(), strands=(line,))
    scene = lines_scene(view, shown)
    (group,) = layer(scene, "breaks").shapes
    assert isinstance(group, Group) and not any(isinstance(shape, Circle) for shape in group.shapes)
    for said in (words_in(layer(scene, "signs")), " ".join(row_text(row) for row in lines_map(view, shown, 100))):
        assert SHOWN.words.limit in said and SHOWN.words.breaks not in said


@pytest.mark.parametrize("along", [(1.0, 0.0), (0.0, -3.0), (2.0, 5.0)])
def test_the_bar_where_a_range_ends_lies_square_to_the_line(along: tuple[float, float]) -> None:
    bar = limit_shapes(10.0, 20.0, 2.0, along)[-1]
    assert isinstance(bar, Path)
    ((first, last),) = bar.lines
    across = last[0] - first[0], last[1] - first[1]
    assert abs(across[0] * along[0] + across[1] * along[1]) < 1e-9
    assert dist(first, last) > 5.0


def test_a_way_that_fails_says_where_and_why(view: View) -> None:
    """It is dashed up to there, and dotted beyond; on a hexside it ends half way."""
    line = "0503", "0504", "0505"
    for closed, ends, text in (
        ({"0504": "ditch", "0505": "wall"}, "0504", "line ends here after 1 hex: ditch"),
        ({"0504|0505": "river"}, "0504|0505", "line ends here after 2 hexes: river"),
    ):
        (way,) = make_failing_way("2 Guards", "blue", line, closed)
        assert (way.ends, way.text) == (ends, text)
        shown = replace(SHOWN, failing=(way,), breaks=(Break(where=ends, side="blue", why="x"),))
        scene = lines_scene(view, shown)
        assert text in texts(scene, "breaks")
        assert titles(scene, "failing") == [f"2 Guards: {text}"]
        assert (
            len(
                {shape.dash for shape in flat(layer(scene, "failing").shapes) if isinstance(shape, Path) and shape.dash}
            )
            == 2
        )
        rows = ["".join(run.text for run in row) for row in lines_map(view, shown, 100)]
        assert f"{ends}: {text}" in rows
    assert make_failing_way("2 Guards", "blue", line, {"0101": "far"}) == ()


def test_the_words_of_a_break_keep_clear_of_counters(view: View) -> None:
    """Below its sign, or above it where counters stand below."""
    way = make_failing_way("1 Guards", "blue", ("0503", "0504", "0505"), {"0504": "ditch"})
    shown = replace(SHOWN, failing=way, breaks=(Break(where="0504", side="blue", why="ditch"),))
    scene = lines_scene(view, shown)
    (words,) = (shape for shape in flat(layer(scene, "breaks").shapes) if isinstance(shape, Text))
    for counter in (shape for shape in flat(layer(scene, "units").shapes) if isinstance(shape, Rectangle)):
        free = counter.y > words.y or counter.y + counter.height < words.y - words.size
        assert free or words.x > counter.x + counter.width or words.x + text_width(words.text, words.size) < counter.x


def test_the_status_of_units_stands_beside_them_in_words(view: View) -> None:
    """Once for a hex whose units fare alike; not where many hexes have units."""
    alike = tuple(replace(unit, status="none", more="3 hexes away") for unit in SHOWN.units)
    shown = replace(SHOWN, units=alike, words=replace(SHOWN.words, brief={"none": "starving"}))
    assert texts(lines_scene(view, shown), "plates") == ["Starving", "3 hexes away"]
    assert texts(lines_scene(view, replace(shown, words=SHOWN.words)), "plates")[0] == "Hungry"
    rows = ["".join(run.text for run in row) for row in lines_map(view, shown, 100)]
    assert "1 Guards, 2 Guards: Starving, 3 hexes away" in rows
    assert not any(one.name == "plates" for one in lines_scene(view, SHOWN).layers), "they fare otherwise"
    many = tuple(Marked(unit=f"{n}", place=f"050{n}", side="blue", status="full") for n in range(1, 10))
    assert plates_of(replace(shown, units=many)) == {}


def test_statuses_are_told_apart_by_everyone_by_colour_and_by_form() -> None:
    assert find_close_colours(dict(COLOURS)) == []
    forms = {}
    for status in STATUSES:
        shapes = status_shapes(status, 0.0, 0.0, 1.0)
        corners = [len(shape.points) for shape in shapes if isinstance(shape, Polygon)]
        discs = sum(isinstance(shape, Circle) for shape in shapes)
        marks = [shape.lines for shape in shapes if isinstance(shape, Path)]
        forms[status] = corners, discs, marks
    assert all(one != other for one, other in combinations(forms.values(), 2))


PLUGINS = pathlib.Path(__file__).parents[4] / "plugins"
FRONTS = {
    "twilight": PLUGINS / "twilight_in_the_east/setups/19-august-1914.pos",
    "undone": PLUGINS / "world_undone_east_prussia/setups/masurian-lakes.pos",
    "kaiser": PLUGINS / "kaisers_war_in_the_east/examples/supply.pos",
}
STANDING = st.lists(
    st.tuples(
        st.integers(0, 40),
        st.integers(0, 40),
        st.sampled_from(["", "First Army", "Second Army"]),
        st.sampled_from(["red", "blue"]),
    ),
    min_size=1,
    max_size=40,
)


def front_of(standing: list[tuple[int, int, str, str]]) -> tuple[list[Marked], dict[str, list[Point]]]:
    """Units with their armies and sides, and where each stands."""
    units = [
        Marked(unit=str(number), place=f"{x}.{y}", side=side, status="full", army=army)
        for number, (x, y, army, side) in enumerate(standing)
    ]
    return units, {str(number): [(x, y)] for number, (x, y, *_) in enumerate(standing)}


@given(STANDING)
def test_each_unit_is_in_one_part_with_others_of_its_side_no_wider_than_a_page(
    standing: list[tuple[int, int, str, str]],
) -> None:
    units, reaches = front_of(standing)
    found = parts_of_front(units, reaches)
    assert sorted(name for part in found for name in part.units) == sorted(reaches)
    by_name = {unit.unit: unit for unit in units}
    for part in found:
        members = [by_name[name] for name in part.units]
        assert len({unit.side for unit in members}) == 1
        assert part.name == ", ".join(dict.fromkeys(unit.army for unit in members if unit.army))
        assert {*part.hexes} == {unit.place for unit in members}
        xs, ys = zip(*(reaches[name][0] for name in part.units), strict=True)
        assert max(xs) - min(xs) <= MAX_WIDTH_HEXES and max(ys) - min(ys) <= MAX_HEIGHT_HEXES
    assert len({part.title for part in found}) == len(found) or len({unit.side for unit in units}) == 2
    assert found == parts_of_front(units, reaches)


@given(STANDING)
def test_units_of_one_hex_stay_together(standing: list[tuple[int, int, str, str]]) -> None:
    units, reaches = front_of([(x, y, "", "red") for x, y, *_ in standing])
    hexes = [hex for part in parts_of_front(units, reaches) for hex in part.hexes]
    assert len(hexes) == len({*hexes})


def test_a_front_is_cut_where_nobody_stands_and_no_line_leads() -> None:
    units, reaches = front_of([(x, 3, "First Army", "red") for x in (0, 1, 2, 10, 11, 12)])
    found = parts_of_front(units, reaches)
    assert [part.title for part in found] == ["First Army 1, 0.3 to 2.3", "First Army 2, 10.3 to 12.3"]
    assert parts_of_front(units[:3], reaches)[0].title == "First Army, 0.3 to 2.3"
    units, reaches = front_of([(0, 0, "", "red"), (5, 0, "", "red")])
    assert len(parts_of_front(units, reaches)) == 1
    reaches["0"] += [(-5, 0)]
    assert len(parts_of_front(units, reaches)) == 2


def test_another_number_is_refused_with_all_parts() -> None:
    some = [
        FrontPart(units=("A",), hexes=("0101",), name="First Army"),
        FrontPart(units=("B",), hexes=("0102", "0103")),
    ]
    assert choose_part(some, 2) is some[1]
    for number in (0, 3):
        with pytest.raises(InputError, match=f"there is no part {number}") as refused:
            choose_part(some, number)
        assert refused.value.hint == "the parts are 1 to 2: 1 First Army, 0101; 2 0102 to 0103"


@few(1)
@pytest.mark.parametrize("name", FRONTS)
def test_every_part_of_a_front_can_be_read_on_a_page(name: str) -> None:
    position = assistant.read(FRONTS[name])
    report = assistant.ask(position, "supply")
    titles = parts(position, report)
    for number, title in enumerate(titles, 1):
        drawn = bytes(picture(position, report, part=number)).decode()
        assert title in drawn
        assert too_small(drawn) == [], title
        assert page_of(drawn)[0] == PAGE and page_of(drawn)[1] <= 297, title
    with pytest.raises(InputError, match="there is no part"):
        picture(position, report, part=len(titles) + 1)
    assert len(titles) < 5 or too_small(bytes(picture(position, report)).decode()), "a whole front is a wall chart"
