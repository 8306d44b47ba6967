"""Counter art: what must stand on a counter of any game, and where it may stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import msgspec
import pytest

from assistant.drawing.lettering import text_width
from assistant.drawing.png import to_png
from assistant.drawing.scene import Scene, Symbol, Text
from assistant.game.gamefile import CounterLayout
from assistant.game.games import Game, read_game
from assistant.pictures.style import INK, WHITE
from assistant.plugins.registry import load_game
from assistant.state.sources import CERTAIN
from assistant.util.errors import InputError
from module_builder.counters import MARKER, SIDE, Counter, badge, counters, marker, overview, pictures
from module_builder.counters.faces import LEAST

from ..assistant.drawing.pixels import read_png

DISTRIBUTIONS = Path(__file__).parents[1] / "distributions"
FOLDERS = {
    "mill-race": DISTRIBUTIONS / "mill_race" / "mill_race",
    "skirmish": DISTRIBUTIONS / "skirmish" / "skirmish_at_mill_creek",
}


@pytest.fixture(scope="module", params=["twilight-in-the-east", *FOLDERS])
def game(request: pytest.FixtureRequest) -> Game:
    """Every game there is, whether its file lays counters out or not."""
    name = request.param
    return read_game(name, FOLDERS[name]) if name in FOLDERS else load_game(name)


@pytest.fixture(scope="module")
def made(game: Game) -> list[Counter]:
    return counters(game)


@pytest.fixture(scope="module")
def drawn() -> dict[str, Counter]:
    return {counter.unit: counter for counter in counters(load_game("twilight-in-the-east"))}


def texts(scene: Scene) -> list[Text]:
    return [shape for layer in scene.layers for shape in layer.shapes if isinstance(shape, Text)]


def shown(scene: Scene | None) -> list[str]:
    assert scene is not None
    return [text.text for text in texts(scene)]


def sides(made: list[Counter]) -> Iterator[Scene]:
    for counter in made:
        yield counter.front
        if counter.back:
            yield counter.back


def box(text: Text) -> tuple[float, float, float, float]:
    """Where capitals and figures of a text stand."""
    width = text_width(text.text, text.size, bold=text.bold)
    left = text.x - {"start": 0, "middle": 0.5, "end": 1}[text.anchor] * width
    return left, text.y - text.size * 0.74, left + width, text.y


def test_every_unit_has_a_counter_in_the_order_of_the_roster(game: Game, made: list[Counter]) -> None:
    assert [counter.unit for counter in made] == list(game.roster)
    assert all((side.width, side.height) == (SIDE, SIDE) for side in sides(made))


def test_text_stays_inside_and_no_two_texts_run_into_one_another(made: list[Counter]) -> None:
    for side in sides(made):
        boxes = [(text.text, *box(text)) for text in texts(side)]
        outside = [one for one in boxes if min(one[1:3]) < 0.2 or max(one[3:]) > SIDE - 0.2]
        assert not outside, side.title
        assert all(text.size >= LEAST for text in texts(side)), side.title
        for one, two in combinations(boxes, 2):
            apart = one[3] <= two[1] or two[3] <= one[1] or one[4] <= two[2] or two[4] <= one[2]
            assert apart, (side.title, one, two)


def test_nothing_is_cut_off(game: Game, made: list[Counter]) -> None:
    assert not [side.title for side in sides(made) if any("…" in text for text in shown(side))]


def test_a_counter_shows_each_figure_of_its_roster_entry(game: Game, made: list[Counter]) -> None:
    backs = set(game.file.counter.back.values())
    for counter in made:
        on_front = {number for text in shown(counter.front) for number in re.findall(r"\d+", text)}
        for track, facts in game.roster[counter.unit].items():
            if game.tracks[track].kind == "integer" and track not in backs and facts:
                assert str(facts[0].value) in on_front, (counter.unit, track)
                assert f"{game.tracks[track].title} {facts[0].value}" in counter.title


def test_the_reduced_side_shows_the_reduced_figures_on_a_white_band(drawn: dict[str, Counter]) -> None:
    division = drawn["29/20"]
    assert {"10", "12", "5"} <= set(shown(division.front))
    assert {"5", "6", "3"} <= set(shown(division.back))
    assert "12" not in shown(division.back)
    assert division.back is not None
    front, back = (
        [shape for shape in side.layers[0].shapes if getattr(shape, "width", 0) == SIDE and shape.fill == WHITE]  # type: ignore[union-attr]
        for side in (division.front, division.back)
    )
    assert (len(front), len(back)) == (0, 1)
    assert "reduced side" in division.back.title


def test_only_what_has_reduced_figures_has_a_back(drawn: dict[str, Counter]) -> None:
    assert drawn["20 lw"].back is not None
    assert all(drawn[unit].back is None for unit in ("Tilsit", "17 Train", "Boyen", "35 r"))


def test_doubtful_tracks_are_those_whose_shown_value_is_no_certain_one(game: Game, made: list[Counter]) -> None:
    for counter in made:
        facts = {track: facts[0] for track, facts in game.roster[counter.unit].items() if facts}
        assert all(facts[track].source not in CERTAIN for track in counter.doubtful)
        figures = {track for track, fact in facts.items() if fact.doubtful and game.tracks[track].kind == "integer"}
        assert figures - set(counter.doubtful) <= set(game.file.counter.back.values())


def test_the_known_values_of_a_unit_are_not_doubtful(drawn: dict[str, Counter]) -> None:
    assert set(drawn["1/1"].doubtful) & {"defence", "artillery", "effectiveness"} == set()
    assert {"steps", "back-steps", "movement"} <= set(drawn["1/1"].doubtful)
    assert drawn["FIFTH Major Depot"].doubtful == ()


def test_signs_brackets_and_patterns_of_the_layout(drawn: dict[str, Counter]) -> None:
    def signs(unit: str) -> int:
        shapes = drawn[unit].front.layers[0].shapes
        return sum(isinstance(shape, Symbol) for shape in shapes)

    assert (signs("1/1"), signs("29/20"), signs("20 lw")) == (3, 2, 1)  # the symbol of the arm is one of them
    assert "(1)" in shown(drawn["Tilsit"].front)
    assert {"R1", "(9)"} <= set(shown(drawn["Russian FIRST Major Depot"].front))


def test_an_unknown_figure_keeps_its_place_where_others_are_known(drawn: dict[str, Counter]) -> None:
    assert shown(drawn["Nikolaiken"].front)[-3:] == ["1", "?", "1"]
    assert "?" not in shown(drawn["35 r"].front)  # nothing is known
    assert "?" not in shown(drawn["KG Train"].front)  # a train without an extended range


@pytest.mark.parametrize("unit", ["German 1 Train", "A-H FIRST Major Depot", "Boyen"])
def test_a_counter_has_the_whole_name_of_its_unit(drawn: dict[str, Counter], unit: str) -> None:
    assert unit in " ".join(shown(drawn[unit].front))


def test_armies_of_a_nation_have_colours_of_their_own(drawn: dict[str, Counter]) -> None:
    tops = [drawn[unit].front.layers[0].shapes[0] for unit in ("25/3", "29/20", "4/6")]
    first, same, other = (shape.fill for shape in tops)  # type: ignore[union-attr]
    assert first == same != other


def test_a_layout_that_names_a_strange_track_is_an_error() -> None:
    game = load_game("twilight-in-the-east")
    layout = CounterLayout(foot={"unit": ("steps", "defense")})
    strange = Game(game.id, game.folder, msgspec.structs.replace(game.file, counter=layout), game.tracks)
    with pytest.raises(InputError, match="unknown track of units 'defense'; nearest known: .*defence"):
        counters(strange)


def test_two_runs_make_the_same_bytes(game: Game) -> None:
    scenes = [side for made in (counters(game), counters(game)) for side in sides(made[:12])]
    half = len(scenes) // 2
    assert to_png(scenes[:half], 75 / 16) == to_png(scenes[half:], 75 / 16)


def test_pictures_of_both_sides_and_all_in_one(made: list[Counter]) -> None:
    some = made[:15]
    found = pictures(some, 127)
    assert {unit for unit, _ in found} == {counter.unit for counter in some}
    assert sum(side == "back" for _, side in found) == sum(counter.back is not None for counter in some)
    assert {(read_png(data).width, read_png(data).height) for data in found.values()} == {(80, 80)}
    whole = read_png(overview(some, 127))
    assert whole.at(2, 2)[3] == 255
    assert whole.at(20, 20) == read_png(found[some[0].unit, "front"]).at(12, 12)


def test_an_overview_of_nothing_is_a_sheet_of_paper() -> None:
    assert read_png(overview([], 100)).width > 0


# --- badges and markers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["-3", "CEL -1", "D1", "LOW", "1", "out of supply", "", "Ä"])
@pytest.mark.parametrize("colour", ["#a3212b", "#f0e040"])
def test_a_badge_is_as_wide_as_its_text(text: str, colour: str) -> None:
    found = badge(text, colour)
    (words,) = texts(found)
    left, top, right, bottom = box(words)
    assert (words.text, found.title) == (text, text)
    assert left > 0.3
    assert right < found.width - 0.3
    assert top > 0.3
    assert bottom < found.height - 0.3 < 4.5
    assert words.fill == (WHITE if colour == "#a3212b" else INK)


@pytest.mark.parametrize("text", ["IP 2", "Control", "Prepared Attack", "1/2"])
def test_the_text_of_a_marker_stays_in_its_frame(text: str) -> None:
    found = marker("what it is", text, "#8a5a2b")
    assert (found.width, found.height, found.title) == (MARKER, MARKER, "what it is")
    assert " ".join(shown(found)) == text
    assert all(min(box(words)) > 1 and max(box(words)) < MARKER - 1 for words in texts(found))


@pytest.mark.parametrize("colour", ["red", "#fff", ""])
def test_a_colour_that_is_none_is_an_error(colour: str) -> None:
    with pytest.raises(InputError, match="is not a colour"):
        badge("-1", colour)
    with pytest.raises(InputError, match="is not a colour"):
        marker("x", "y", colour)
