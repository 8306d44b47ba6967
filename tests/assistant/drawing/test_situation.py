"""Pictures of situations: what must stand in them, and what must not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from assistant.asking.sketch import Arrow, Sketch, Spot
from assistant.asking.view import View
from assistant.drawing.lettering import DASH, text_width
from assistant.drawing.scene import Scene
from assistant.drawing.situation import named_places
from assistant.drawing.sketch.scene import sketch_scene
from assistant.drawing.style import RADIUS
from assistant.drawing.svg import to_svg
from assistant.drawing.symbols import Symbols
from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.game.counter_names import counter_names
from assistant.game.gamefile import PictureTracks
from assistant.game.games import Game
from assistant.game.states import Stated, build_state
from assistant.installed.registry import load_game
from assistant.state.state import Unit
from assistant.util.errors import InputError
from assistant.util.typesetting import set_in_type

from ...cases import examples
from ...conftest import viewed

FIGURES = "Figures on counters: steps and defence strength."
SVG = "{http://www.w3.org/2000/svg}"
DRILL = """game drill
0505 clear: blue infantry "1 Guards" strength=7, blue infantry "2 Guards" strength=6
0504 rough: red cavalry A, red airship B, C
0605 woods: red artillery D strength=12?
0505|0504,0506 minor-river
0505|0605 major-river
"""


def situation(
    view: View,
    focus: Sequence[str],
    *,
    title: str,
    arrows: Sequence[tuple[str, str]] = (),
    labels: Mapping[str, str] = {},
    lines: Sequence[Sequence[str]] = (),
    caption: Sequence[str] = (),
) -> Scene:
    """A sketch of hexes, attacks, hexes with labels, and ways, drawn."""
    sketch = Sketch(
        title=title,
        arrows=(*(Arrow(hexes=pair, kind="attack") for pair in arrows), *(Arrow(hexes=tuple(line)) for line in lines)),
        spots=tuple(Spot(hex=hex, role="reached", label=label) for hex, label in labels.items()),
        focus=tuple(focus),
        caption=tuple(caption),
    )
    return sketch_scene(view, sketch)


def draw_situation(view: View, focus: Sequence[str], **more: Any) -> str:
    """The situation as SVG text."""
    return to_svg(situation(view, focus, **more))


def position(text: str, game: Game | None = None) -> Position:
    return read_notation(text.encode(), "typed.pos", lambda name: game or load_game(name))


def view_of(text: str, game: Game | None = None) -> View:
    found = position(text, game)
    return View(found.game, found.state)


def parsed(svg: str) -> etree._Element:
    return etree.fromstring(svg.encode())


def layer(svg: str, name: str) -> etree._Element:
    (found,) = [group for group in parsed(svg).iter(f"{SVG}g") if group.get("class") == name]
    return found


def layers(svg: str) -> list[str]:
    """The names of all layers."""
    return [group.get("class", "") for group in parsed(svg).iterchildren(f"{SVG}g")]


def points(element: etree._Element) -> list[list[tuple[float, float]]]:
    """The lines of a path of straight pieces."""
    lines = element.get("d", "").replace("Z", "").split("M")[1:]
    return [[(float(x), float(y)) for x, y in (point.split(",") for point in line.split())] for line in lines]


def texts(svg: str, name: str) -> list[str]:
    """The letters that a layer shows, without its tooltips."""
    return [label for element in layer(svg, name).iter(f"{SVG}path") if (label := element.get("aria-label"))]


class Written(NamedTuple):
    """A text of a picture: where it begins, and the size of its letters."""

    x: float
    y: float
    size: float
    text: str

    @property
    def width(self) -> float:
        return text_width(self.text, self.size)

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


def written(svg: str, name: str) -> dict[str, Written]:
    """The texts of a layer by what they say."""
    found = {}
    for element in layer(svg, name).iter(f"{SVG}path"):
        if text := element.get("aria-label"):
            x, y, scale = map(float, re.findall(r"-?\d+(?:\.\d+)?", element.get("transform", "")))
            found[text] = Written(x, y, scale * 1000, text)
    return found


@pytest.fixture
def battle() -> View:
    return view_of(
        """game twilight-in-the-east
40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)
40.19: 29/20 (10-?-5-10) -3
41.19 clear: 1/1 (12?-16-7-11)
41.19|40.19,40.20 open
40.20|41.20 ridge rail2
"""
    )


@pytest.fixture
def drawn(battle: View) -> str:
    return draw_situation(
        battle,
        ["41.19", "40.19", "40.20"],
        title="Battle at 41.19",
        arrows=[("40.20", "41.19"), ("40.19", "41.19")],
        labels={"40.20": "1 1/2"},
        lines=[["40.22", "40.21", "40.20"]],
        caption=["Column 2:1.", "Two shifts."],
    )


def test_a_battle_has_its_title_units_hexes_captions_and_signs(drawn: str, battle: View) -> None:
    root = parsed(drawn)
    assert root.tag == f"{SVG}svg"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == "Battle at 41.19"
    assert root[1].tag == f"{SVG}desc"
    assert "40.20 attacks 41.19." in (root[1].text or "")
    assert root.get("width") == f"{root.get('viewBox', '').split()[2]}mm"
    numbers = texts(drawn, "numbers")
    assert sorted(numbers) == sorted(set(numbers))
    for name in ("41.19", "40.19", "40.20", *battle.board.neighbours("41.19"), "40.21", "40.22"):
        assert name in numbers
    for unit in battle.state.units:
        assert unit in texts(drawn, "units")
    assert texts(drawn, "caption") == ["Column 2:1.", "Two shifts.", FIGURES]
    assert texts(drawn, "labels") == ["1 1/2"]
    signs = {name: Symbols().symbol(f"nation-{name}") for name in ("german", "russian")}
    for name in ("units", "key"):
        paths = {path.get("d") for path in layer(drawn, name).iter(f"{SVG}path")}
        assert all(sign and sign.paths[0].data in paths for sign in signs.values())
    assert {"German", "Russian", "terrain not stated", "ridge", "RR line, double track"} <= set(texts(drawn, "key"))
    shown = texts(drawn, "units")
    assert shown.index("27/3") < shown.index("25/3")
    shown = [text.replace(DASH, "-") for text in texts(drawn, "units")]
    assert {"7-?", "12?-16"} <= set(shown)
    assert shown.count("10-?") == 2


def test_looking_is_not_reading_and_drawing_twice_gives_the_same_bytes(battle: View) -> None:
    assert not battle.premises.facts
    assert not battle.premises.cells
    assert not battle.premises.rulings
    one, other = (draw_situation(battle, ["40.20", "41.19"], title="T") for _ in range(2))
    assert one == other
    assert one == draw_situation(View(battle.game, battle.state), ["41.19", "40.20"], title="T")


def test_nothing_comes_from_outside_and_lengths_have_two_decimals_at_most(drawn: str) -> None:
    assert not re.search(r"href=\"[^#]|url\(|@import|<script|<style|<image|<!|<\?", drawn)
    names = [
        "http://www.w3.org/2000/svg",
        "http://www.inkscape.org/namespaces/inkscape",
    ]  # of vocabularies: nothing is fetched
    assert re.findall(r"https?://[^\"\s]*", drawn) == names
    for element in parsed(drawn).iter():
        for name, value in element.attrib.items():
            if name not in ("viewBox", "d", "transform"):
                assert not re.search(r"\.\d{3}|e-\d|nan|inf", str(value)), (name, value)


@pytest.mark.parametrize("name", ["<b>&\"'", "]]>", "&amp;", "--><script>alert(1)</script>", "../../x", "\x00\x1b[31m"])
def test_hostile_names_stay_text(name: str, drill: Game) -> None:
    state = build_state(drill, Stated(units=[Unit(name, name, "0505")]))
    svg = draw_situation(
        View(drill, state), ["0505"], title=name, labels={"0505": name}, caption=[name], lines=[["0505", "0504"]]
    )
    clean = re.sub(r"[\x00-\x08\x0b-\x1f]", "\ufffd", name)
    assert parsed(svg)[0].text == clean
    assert texts(svg, "caption") == [set_in_type(clean)]
    assert any(clean in (title.text or "") for title in layer(svg, "units").iter(f"{SVG}title"))
    assert "script" not in {etree.QName(element).localname for element in parsed(svg).iter()}


@settings(max_examples=examples(60), deadline=None)
@given(name=st.text(min_size=1, max_size=120).filter(str.strip))
def test_any_name_gives_well_formed_svg(name: str) -> None:
    twilight = load_game("twilight-in-the-east")
    units = [Unit(name, "25/3", "40.20"), Unit(name + "2", "27/3", "40.20", 1)]
    parsed(
        draw_situation(
            View(twilight, build_state(twilight, Stated(units=units))), ["40.20"], title=name, caption=[name]
        )
    )


def test_a_unit_has_the_name_of_its_counter_cut_there_but_whole_in_its_title(drill: Game) -> None:
    game = load_game("kaisers-war-in-the-east")
    view = View(game, build_state(game, Stated(units=[Unit("CP-supply-2", "CP-supply-2", "2422")])))
    drawn = parsed(draw_situation(view, ["2422"], title="T"))
    labels = [path.get("aria-label") for path in drawn.iter(f"{SVG}path")]
    assert "Supply 2" in labels
    assert "CP-supply-2" not in labels
    name = "an army of many words " * 5
    svg = draw_situation(View(drill, build_state(drill, Stated(units=[Unit(name, name, "0505")]))), ["0505"], title="T")
    assert name not in texts(svg, "units")
    assert any("…" in text for text in texts(svg, "units"))
    assert any(name in (title.text or "") for title in layer(svg, "units").iter(f"{SVG}title"))


@pytest.mark.parametrize("text", ["[short", '[short]\nunit = "no table"', "[slots.name]"])
def test_a_file_of_counters_with_a_mistake_leaves_the_names_of_units(text: str, drill: Game, tmp_path: Path) -> None:
    (tmp_path / "counters.toml").write_text(text, "utf-8")
    drill.folder = tmp_path
    assert counter_names(drill) == {}


def test_pointed_hexes_of_a_game_without_code(drill: Game) -> None:
    view = view_of(DRILL, drill)
    svg = draw_situation(view, ["0505"], title="T", arrows=[("0505", "0504"), ("0505", "0605")])
    assert set(texts(svg, "numbers")) == {"0505", *view.board.neighbours("0505")}
    assert {"1 Guards", "A", "B", "C", "D"} <= set(texts(svg, "units"))
    assert "2 Guards" in " ".join(texts(svg, "units"))  # the covered one, maybe on two lines
    assert "12?" in texts(svg, "units")
    assert not {"roads", "railways"} & set(layers(svg))
    assert "minor river" in texts(svg, "key")


# --- the map ----------------------------------------------------------------------------------------------------------


def test_unstated_terrain_has_a_dashed_outline(battle: View) -> None:
    known, unknown = layer(draw_situation(battle, ["41.19"], title="T"), "grid")
    assert ("stroke-dasharray" in known.attrib, "stroke-dasharray" in unknown.attrib) == (False, True)
    assert sum(len(line) - 1 for line in points(known)) == 6
    assert sum(len(line) - 1 for line in points(unknown)) == 24


def test_an_arrow_stops_at_the_hexside(battle: View) -> None:
    svg = draw_situation(battle, ["40.20"], title="T", arrows=[("40.20", "41.20")])
    numbers = written(svg, "numbers")
    empty = numbers["41.20"]
    middle = (
        empty.middle + empty.width / 2 + 0.75 * RADIUS
    )  # of the hexside, but for what the number stands left of the middle
    heads = layer(svg, "arrows").iter(f"{SVG}polygon")  # this leads to the left
    tip = min(float(head.get("points", "").split(",")[0]) for head in heads)
    assert 0 < tip - middle < 4


def test_what_is_off_the_map_is_left_out(drill: Game) -> None:
    view = view_of(DRILL, drill)
    svg = draw_situation(
        view,
        ["0101", "9999", "nowhere"],
        title="T",
        lines=[["0101", "0000"]],
        arrows=[("0101", "0000")],
        labels={"zz": "1"},
    )
    assert set(texts(svg, "numbers")) == {"0101", *view.board.neighbours("0101")}
    with pytest.raises(InputError, match="no hex to draw: 9999"):
        draw_situation(view, ["9999"], title="T")


def test_hexes_may_be_named_in_any_spelling_and_a_colour_that_is_none_is_refused(
    battle: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An arrow begins at the counters of its hex, and a label stands in it."""
    regular = situation(battle, ["41.19"], title="T", arrows=[("41.20", "41.19")], labels={"41.19": "here"})
    assert regular == situation(battle, ["4119"], title="T", arrows=[("4120", "4119")], labels={"4119": "here"})
    strange = PictureTracks(colours={"german": "url(http://example.org)"})
    monkeypatch.setattr(battle.game, "file", msgspec.structs.replace(battle.game.file, picture=strange))
    with pytest.raises(InputError, match="not a colour .for german"):
        draw_situation(battle, ["40.20"], title="T")


def test_a_long_caption_is_broken_to_the_width_of_the_sheet(battle: View) -> None:
    caption = ["The attack fails, and what it costs is told at length, unit by unit and step by step. " * 3, "Short."]
    svg = draw_situation(battle, ["41.19"], title="T", caption=caption)
    lines = written(svg, "caption")
    wide = float(parsed(svg).get("viewBox", "").split()[2])
    assert " ".join(lines).split() == " ".join([*caption, FIGURES]).split()
    assert len(lines) > 2
    assert all(line.x + line.width <= wide - line.x for line in lines.values())


def test_a_place_that_the_position_names_is_drawn_there_and_nowhere_else() -> None:
    game = "game world-undone-east-prussia-1914\n"

    def where(text: str, name: str) -> list[str]:
        return [place.hex for place in named_places(viewed(game + text)) if place.name == name]

    drawn = where("", "Königsberg")
    assert len(drawn) == 1, "on the board that is drawn from geography"
    assert where("3408 named=Königsberg\n", "Königsberg") == ["3408"]
    assert where("board east-prussia\n3408 named=Konigsberg\n", "Königsberg") == []
    assert where(f"{drawn[0]} named=Königsberg\n", "Königsberg") == drawn
    assert where("3408 named=Weiler\n", "Weiler") == ["3408"]
