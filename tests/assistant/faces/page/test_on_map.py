"""Answers as they lie on the map of the page: the signs of their pictures, at the places of the board."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import assistant
from assistant.asking.line_sketch import LineSketch
from assistant.drawing.layout import Layout
from assistant.drawing.scene import Layer, Scene
from assistant.drawing.svg import to_svg
from assistant.faces.page.messages.words import WordsListed
from assistant.faces.page.words import words_of_game
from assistant.installed.examples import examples_of
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
