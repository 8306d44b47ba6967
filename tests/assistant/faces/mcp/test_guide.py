"""What a model reads is enough to type a position of any game, and to be answered at the first try."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from assistant.faces.mcp.access import Access
from assistant.faces.mcp.guide import INSTRUCTIONS, list_pages, question_prompt, read_page
from assistant.faces.mcp.tools import TOOLS, Reply, answer_page
from assistant.installed.registry import installed_games, load_game
from assistant.util.errors import InputError

from ....cases import few, thorough
from ....conftest import GAME

Tell = Callable[..., Reply]
GAMES = sorted(installed_games(), key=lambda game: game != GAME)


@few(1)
@pytest.mark.parametrize("game", GAMES)
def test_the_example_of_a_game_is_answered_as_it_stands(game: str, tell: Tell) -> None:
    example = re.findall(r"```\n(.*?)```", tell("how_to_type", game=game).text + "\n", re.DOTALL)[-1]
    assert f"game {game}" in example
    assert not tell("check_position", position=example).is_refused
    if "\nask " in example:
        assert not tell("ask", position=example).is_refused


@few(1)
@pytest.mark.parametrize("game", GAMES)
def test_every_fact_that_can_be_stated_is_named_with_its_words(game: str, tell: Tell) -> None:
    text = tell("how_to_type", game=game).text
    for track in load_game(game).tracks.values():
        assert track.title in text
        assert all(value in text for value in track.values), track.name


@thorough
@pytest.mark.parametrize("game", GAMES)
def test_every_example_that_is_named_can_be_checked(game: str, tell: Tell) -> None:
    listed = tell("how_to_type", game=game).text.partition("named by one of these: ")[2].partition("\n")[0]
    named = listed.removesuffix(".").split(", ")
    assert len(named) >= 4
    for name in named:
        assert not tell("check_position", position=name).is_refused, name


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_is_named_with_how_the_players_settle_it(game: str, tell: Tell) -> None:
    text = tell("how_to_type", game=game).text
    for name, ruling in load_game(game).rulings.items():
        assert f"- `{name}` ({ruling.rule}): {ruling.doubt}: `{ruling.default}`, " in text
        for reading in ruling.readings:
            assert not tell("check_position", position=f"game {game}\nruling {name}={reading}\n").is_refused


def test_what_the_players_have_to_agree_on_is_not_the_models_to_type(tell: Tell) -> None:
    told = (INSTRUCTIONS, TOOLS["ask"].__doc__ or "")
    assert all("Write `trust`, `own`" in " ".join(text.split()).replace("Write\n", "Write ") for text in told)
    assert "illustrative" in INSTRUCTIONS


def test_the_instructions_name_the_tools_in_the_order_of_their_use() -> None:
    named = re.findall("|".join(TOOLS), INSTRUCTIONS.partition("Begin with")[2])
    assert named == ["list_games", "how_to_type", "list_questions", "ask"]


def test_the_prompt_holds_the_question_of_a_player() -> None:
    assert question_prompt("May 25/3 attack?").endswith("\n\nThe question: May 25/3 attack?")
    assert "The question" not in question_prompt("")


@thorough
def test_every_page_that_is_listed_can_be_read() -> None:
    for page in list_pages(Access()):
        assert read_page(Access(), page.uri).startswith("# "), page.uri


@pytest.mark.parametrize(
    "uri",
    [
        "field-staff://nothing",
        "field-staff://../typing",
        "field-staff://twilight-in-the-west/typing",
        f"field-staff://{GAME}/rulebook",
        "file:///etc/passwd",
        "",
    ],
)
def test_no_other_page_can_be_read(uri: str) -> None:
    with pytest.raises(InputError):
        read_page(Access(), uri)
    assert answer_page(Access(), uri).is_refused
