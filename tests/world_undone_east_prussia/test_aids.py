"""Player aids of the game: what they say, in whose colour, and that nothing on them runs into anything else."""

from __future__ import annotations

import pytest

from assistant.drawing.style import palette_of
from assistant.game.games import Game
from assistant.installed.registry import load_game
from module_builder.aids.cards import CARDS
from module_builder.counters.markings import tag_colour

from ..module_builder.aids.moor import said, texts, wanted
from .asking import GAME


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game(GAME)


@pytest.mark.parametrize("side", ["german", "russian"])
def test_a_side_has_the_colour_of_its_control_markers(game: Game, side: str) -> None:
    assert wanted(game).accent(side) == tag_colour(game.tracks["control"], side, palette_of(game))


def test_the_turn_track_has_26_turns_and_marks_the_masurian_lakes(game: Game) -> None:
    (card,) = CARDS["turn-track"](wanted(game))
    words = [text.text for text in texts(card.pages)]
    assert [word for word in words if word.isdecimal()] == [str(turn) for turn in range(1, 27)]
    assert "Masurian Lakes (the red M)" in said(card.pages)


@pytest.mark.rule("10.1")
def test_who_may_be_looked_at_stands_in_the_checklist_of_either_side(game: Game) -> None:
    for card in CARDS["checklist"](wanted(game)):
        assert said(card.pages).count("ask inspect") == 2
        assert "with Hidden Movement" in said(card.pages)


def test_limits_of_rail_and_reserve_have_tracks(game: Game) -> None:
    (card,) = CARDS["records"](wanted(game))
    words = said(card.pages)
    for title in (
        "Units entrained this turn: German",
        "Stacks with saved Movement Points: German",
        "Second Army: Russian",
    ):
        assert title in words


def test_the_tables_of_the_owner_are_empty_to_write_into(game: Game) -> None:
    cards = CARDS["charts"](wanted(game))
    words = " ".join(said(card.pages) for card in cards)
    assert "Combat Results Table, Russians attacking" in words and "Combat Results Table, Germans attacking" in words
    cells = {text.text for card in cards for text in texts(card.pages) if text.anchor == "middle"}
    assert cells == {"Odds"}, "codes stand in the key alone"


@pytest.mark.parametrize("name", ["sequence", "checklist", "charts", "terrain-key", "records", "turn-track"])
def test_no_text_ends_before_it_is_said(game: Game, name: str) -> None:
    assert [text.text for card in CARDS[name](wanted(game)) for text in texts(card.pages) if "…" in text.text] == []
