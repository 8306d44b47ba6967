"""Answers as they lie on the map of the page, the move that is open there, and where units can go."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import assistant
from assistant.asking.line_sketch import LineSketch
from assistant.drawing.layout import Layout
from assistant.drawing.scene import Layer, Scene
from assistant.drawing.svg import to_svg
from assistant.faces.page.messages.words import WordsListed
from assistant.faces.page.words import words_of_game
from assistant.installed.formats import examples_of
from assistant.installed.registry import installed_games, load_game, question_of
from assistant.service import over_map
from assistant.util.errors import InputError

from ....cases import examples, thorough
from .test_desk import Page

GUMBINNEN = """game twilight-in-the-east
board east
turn=2
trust counters
trust charts
45.20: 35/17
45.21: 36/17
46.22: "17 Train"
42.21: 27/3
42.22: 40/4
"""


def layers(svg: str) -> dict[str, str]:
    """The elements of each layer of a picture, by its name."""
    return dict(re.findall(r'^  <g class="([^"]*)"[^\n]*\n(.*?)^  </g>', svg, re.MULTILINE | re.DOTALL))


def drawn(shown: tuple[Layer, ...]) -> dict[str, str]:
    return layers(to_svg(Scene(width=1, height=1, title="", layers=shown)))


MADE_ROOM_FOR = ("parts", "labels", "remarks", "plates", "places", "arrows", "ways", "feet", "tints")
"""The layers of a picture that keep clear of its counters and of what is written on its map, or are broken for that."""


@thorough
@pytest.mark.hypothesis  # which runs it whole in `make thorough`
@pytest.mark.parametrize("game", sorted(installed_games()))
def test_every_answer_of_the_examples_lies_on_the_map_as_in_its_picture(game: str) -> None:
    compared = 0
    files = [file for file in examples_of(load_game(game)) if file.suffix == ".pos"]
    every = [
        (file, position, asked) for file in files for position in [assistant.read(file)] for asked in position.asks
    ]
    for file, position, asked in every[:: max(1, len(every) // examples(len(every)))]:
        report = assistant.ask(position, asked)
        if "picture" not in question_of(position.game, asked.question).drawn_as or report.drawable is None:
            continue
        try:
            picture = assistant.picture(position, report).decode()
        except InputError:  # nothing of it lies on a map
            continue
        shown = over_map(position, report)
        assert shown, asked.question
        board, names = shown.layout.board, shown.layout.names
        if any(Layout(board, names, panels=True, framed=framed).is_parted for framed in (False, True)):
            continue  # whose panels lie elsewhere than the map
        in_picture = layers(picture)
        above = (
            () if LineSketch in question_of(position.game, asked.question).draws else shown.above
        )  # beside the counters of the map
        for name, elements in drawn((*shown.below, *above)).items():
            if name in MADE_ROOM_FOR:  # on the map counters make no room, and names stand elsewhere
                there, here = (re.findall(r"<title>(.*?)</title>", one) for one in (elements, in_picture[name]))
                assert there == here, (file.name, asked.question, name)
            else:
                assert elements == in_picture.get(name, ""), (file.name, asked.question, name)
        compared += 1
    assert compared or game == "der-weltkrieg"


@pytest.fixture
def page(tmp_path: Path) -> Page:
    page = Page(tmp_path)
    assert page.send("begin", table="east", game="twilight-in-the-east", position=GUMBINNEN)["is"] == "table"
    return page


def test_line_of_supply_lies_where_its_hexes_do(page: Page) -> None:
    shown = page.send("on-map", table="east", question="supply", parameters={"unit": "36/17"})
    board = page.send("board", table="east")
    centres = {name: (x, y) for name, x, y in board["hexes"]}
    left, top, width, _ = shown["box"]
    assert shown["hexes"] == ["46.22", "45.21"]
    (size,) = re.findall(r'viewBox="0 0 ([\d.]+)', shown["below"])
    scale = width / float(size)
    spots = [
        (left + scale * float(x), top + scale * float(y))
        for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="1.3"', shown["below"])
    ]
    expected = [centres[name] for name in shown["hexes"]]
    assert sorted(spots) == [pytest.approx(spot, abs=0.1) for spot in sorted(expected)]


def test_answer_on_the_map_is_that_of_the_question(page: Page) -> None:
    for question, parameters in (("supply", {"unit": "36/17"}), ("threat", {"at": "45.21"})):
        asked = {"table": "east", "question": question, "parameters": parameters}
        assert page.send("on-map", **asked)["answer"] == page.send("ask", **asked)


def test_answer_without_a_picture_has_none_on_the_map(page: Page) -> None:
    shown = page.send("on-map", table="east", question="stack", parameters={"at": "45.21"})
    assert shown["answer"]["question"] == "stack"
    assert (shown["below"], shown["above"]) == ("", "")


def test_reach_says_its_verdict(page: Page) -> None:
    (said,) = page.send("reach", table="east", units=["36/17"])["says"]
    assert (said,) == assistant.ask(assistant.parse(GUMBINNEN), "reach", units="36/17").answers_on(())


def test_layers_of_a_game_are_its_questions_for_units() -> None:
    def named(game: str) -> list[tuple[str, str]]:
        words = words_of_game(load_game(game))
        assert isinstance(words, WordsListed)
        return [(layer.title, layer.question) for layer in words.layers]

    three = [("Reach", "reach"), ("Supply", "supply"), ("Threat", "threat")]
    with_them = {game for game in installed_games() if named(game) == three}
    assert {game for game in installed_games() if not named(game)} == installed_games().keys() - with_them


def test_page_begins_with_what_a_game_names(page: Page) -> None:
    games = {game["id"]: game["start"] for game in page.send("games")["games"]}
    begun = games["twilight-in-the-east"]
    shown = page.send("begin", table="first", game="twilight-in-the-east", position=begun["position"])
    assert shown["is"] == "table"
    assert shown["entries"] == []
    places = {unit["place"] for unit in shown["units"]}
    assert set(begun["shows"]) <= places
    assert page.send("reach", table="first", units=["36/17"])["answer"] is None
    assert [game for game, start in games.items() if start] == ["twilight-in-the-east"]


PRUSSIA = "world-undone-east-prussia-1914"
POSITION = f"""game {PRUSSIA}
board east-prussia
scenario=historical
turn=4
phasing=german
phase=first-movement
trust counters
3015: XVII/36, 8A/1KB
3012: II/26
"""


@pytest.fixture
def march(tmp_path: Path) -> Page:
    """A page with a table of a march."""
    return laid(tmp_path, POSITION)


def laid(folder: Path, position: str) -> Page:
    page = Page(folder)
    game = position.split()[1]
    assert page.send("begin", table="warsaw", game=game, position=position)["is"] == "table"
    return page


def reach(page: Page, *units: str) -> Any:
    return page.send("reach", table="warsaw", units=units)


def left(shown: Any) -> dict[str, str]:
    return {place["hex"]: place["left"] for place in shown["hexes"]}


def test_open_move_is_shown_with_its_units_and_way(march: Page) -> None:
    assert march.send("look", table="warsaw")["march"] is None
    moved = march.enter("XVII/36 8A/1KB > 3014 3114 forced=yes")["march"]
    assert (moved["units"], moved["at"], moved["way"]) == (["XVII/36", "8A/1KB"], "3015", ["3014", "3114"])
    values = {parameter["name"]: parameter["value"] for parameter in moved["parameters"]}
    assert values["forced"] == "yes"
    assert not {"units", "way"} & {*values}


def test_no_move_is_open_once_it_is_carried_out_or_another_question_is_asked(march: Page) -> None:
    march.enter("XVII/36 > 3014")
    assert march.enter("done")["march"] is None
    assert march.enter("undo")["march"]["way"] == ["3014"]
    assert march.enter("supply XVII/36")["march"] is None


def test_hexes_within_reach_have_what_is_left_and_the_cheapest_way(march: Page) -> None:
    shown = reach(march, "XVII/36")
    there = {place["hex"]: place for place in shown["hexes"]}
    assert (there["3014"]["left"], there["3014"]["way"]) == ("2", ["3014"])
    assert there["2714"] == {"hex": "2714", "left": "0", "beyond": "", "way": ["2915", "2814", "2714"]}
    assert shown["answer"] is None


def test_stack_goes_as_far_as_the_unit_with_the_fewest_points(march: Page) -> None:
    foot, horse, both = (
        left(reach(march, "XVII/36")),
        left(reach(march, "8A/1KB")),
        left(reach(march, "XVII/36", "8A/1KB")),
    )
    assert {*foot} < {*horse}
    assert both == foot == left(reach(march, "8A/1KB", "XVII/36"))
    assert any(horse[at] != foot[at] for at in foot)


def test_barred_hexes_have_the_reason(march: Page) -> None:
    shown = reach(march, "XVII/36")
    assert dict(shown["barred"])["3012"]
    assert "3012" not in left(shown)


def test_unit_that_may_not_move_keeps_all_back_and_says_why(march: Page) -> None:
    march.enter("XVII/36 disrupted")
    shown = reach(march, "8A/1KB", "XVII/36")
    assert shown["hexes"] == []
    assert (shown["answer"]["kind"], shown["answer"]["title"]) == ("no", "Reach of XVII/36 by march")
    assert "disrupted" in str(shown["answer"]["parts"][0])


def test_missing_cell_is_asked_for(tmp_path: Path) -> None:
    shown = reach(laid(tmp_path, POSITION.replace("trust counters", "")), "XVII/36")
    assert shown["hexes"] == []
    assert shown["answer"]["asks"][0]["kind"] == "cell"
    assert shown["answer"]["asks"][0]["line"].endswith("= {}")


def test_points_are_written_as_players_write_them(tmp_path: Path) -> None:
    war = """game kaisers-war-in-the-east
scenario=1914 turn=1 main-effort=west phasing=allies phase=movement
2822=2922
2822,2922 clear country=russia
2822: Rus-SW (8-2-2) radius=2
trust charts counters
"""
    assert left(reach(laid(tmp_path, war), "Rus-SW")) == {"2922": "1.5"}


def test_unit_that_is_not_there_and_no_unit_are_refused(march: Page) -> None:
    assert reach(march)["what"] == "no unit is named"
    assert reach(march, "XX/37")["is"] == "refused"


def test_words_name_the_question_of_a_move(march: Page) -> None:
    assert march.send("words", game=PRUSSIA)["march"] == "move"


def test_game_without_that_question_shows_nothing_in_reach(tmp_path: Path) -> None:
    page = laid(tmp_path, "game der-weltkrieg\n")
    assert reach(page, "1")["hexes"] == []
    assert page.send("look", table="warsaw")["march"] is None


def test_stack_is_asked_about_as_one_where_the_game_can_and_forced_marches_are_told_apart(tmp_path: Path) -> None:
    east = """game twilight-in-the-east
board east
turn=1
phasing=russian
phase=movement
trust charts counters
42.21: 27/3, 25/3
"""
    shown = reach(laid(tmp_path, east), "27/3", "25/3")
    there = {place["hex"]: place for place in shown["hexes"]}
    assert (there["41.21"]["left"], there["41.21"]["beyond"]) == ("4", "")
    assert (there["38.19"]["left"], there["38.19"]["beyond"]) == ("0", "1")
