"""The card of the table prompt: the lines on it are those that the prompt prints, and what is typed stands as it is typed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.notation import read_notation
from assistant.game.gamefile import AnswerCard, AnswerLine
from assistant.game.games import Game
from assistant.installed.registry import installed_games, load_game, named_game
from assistant.util.datafiles import read_data, resolve_within
from module_builder.aids.answer_card import add_quotes, event_entries, set_as_typed, typed_entries
from module_builder.aids.cards import CARDS

from .moor import FILES, moor, said, texts, wanted

GAMES = [name for name in installed_games() if load_game(name).file.card]
CARD = """
[card]
typed = "4119 1/1 -3"
lines = [{ reads = "= column 1:1; roll 2d6", means = "The verdict; `why` shows more, below it -1." }]
"""


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("name", GAMES)
def test_the_prompt_prints_what_the_card_explains(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    game = load_game(name)
    card = game.file.card
    assert card
    position = read_notation(
        read_data(resolve_within(game.folder, card.example), card.example), card.example, load_game
    )
    session = Session(TableState(position), 200)
    answer = squeezed("\n".join([*session.enter(card.typed), session.prompt]))
    for line in card.lines:
        assert line.reads in answer


def test_games_with_a_card_have_it_on_one_page() -> None:
    assert {"twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914", "der-weltkrieg"} <= {
        *GAMES
    }
    for name in GAMES:
        (card,) = CARDS["answers"](wanted(load_game(name)))
        assert len(card.pages) == 1
        explained = load_game(name).file.card
        assert explained
        printed = squeezed(said(card.pages))
        for line in explained.lines:
            assert squeezed(line.reads) in printed


def game_with_card(tmp_path: Path) -> Game:
    moor(tmp_path / "moor", game=FILES["game.toml"] + CARD)
    return named_game(str(tmp_path / "moor"))


def test_a_game_has_its_card_if_it_states_one(tmp_path: Path) -> None:
    game = game_with_card(tmp_path)
    assert game.file.card == AnswerCard(
        typed="4119 1/1 -3",
        lines=(AnswerLine(reads="= column 1:1; roll 2d6", means="The verdict; `why` shows more, below it -1."),),
    )
    (card,) = CARDS["answers"](wanted(game))
    printed = [text.text for text in texts(card.pages)]
    assert "4119 1/1 -3" in printed
    assert "The verdict; \u201cwhy\u201d shows more, below it \u22121." in printed
    assert CARDS["answers"](wanted(moor(tmp_path))) == []


def test_commands_and_events_stand_as_they_are_typed(tmp_path: Path) -> None:
    typed = [typed for typed, _ in typed_entries(game_with_card(tmp_path))]
    assert typed[-1] == "help WORD" and {"why", "undo", "done"} <= {*typed}
    assert all("  " not in one for one in typed)
    events = dict(event_entries(load_game("der-weltkrieg")))
    assert events["ge dm 3"].startswith("demoralization points")
    assert event_entries(load_game("kaisers-war-in-the-east")) == []
    assert len(set_as_typed("4119c 1/1 12-16-7-11 <4020o 25/3 10-?-5-10", 4, 40).lines) > 1
    assert add_quotes("`a` and `b") == "\u201ca\u201d and `b"
