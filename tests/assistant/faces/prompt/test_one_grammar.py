"""What a file may say the prompt may say, and it means the same."""

from __future__ import annotations

import pytest

from assistant.faces.prompt.line_reading import read_line
from assistant.faces.prompt.table import TableState
from assistant.installed.registry import load_game

from ....cases import seeds, thorough
from ....comparing.search import tried
from ....conftest import typed
from .grammar import GAMES, SEARCH, find_difference


@thorough
@pytest.mark.parametrize("seed", seeds(4))
def test_random_lines_mean_the_same_at_the_prompt_and_in_a_file(seed: int) -> None:
    assert tried(SEARCH, range(25), 29 + seed).wrong == []


@pytest.mark.parametrize(
    "lines",
    [
        ["41.26,41.27 clear"],
        ["41.26, 41.27 clear"],
        ["4126,4127 clear magazine=none"],
        ["41.19|40.19,40.20 open"],
        ["40.20: 25/3 prepared=4119"],
        ["40.20 prepared=4119: 25/3, 27/3 cel=-1"],
        ["40.20 cel=-1 rough: 25/3, 27/3", "40.20 prepared=4119"],
        ["40.20: 25/3", "40.19: 27/3", "4020,4019 prepared=4119"],
        ["side russian whole-network", 'army "russian Second" area="44.18-44.22 4519"'],
        ["ask battle at=41.19 attacker-ap=<3"],
    ],
)
def test_a_line_means_the_same(lines: list[str]) -> None:
    assert find_difference(load_game("twilight-in-the-east"), lines) == ""


@pytest.mark.parametrize("game", GAMES)
def test_several_hexes_keep_what_is_said_of_them(game: str) -> None:
    """In both games, without their dots too."""
    hexes = {"twilight-in-the-east": "4126,4127", "kaisers-war-in-the-east": "2620,2621"}[game]
    loaded = load_game(game)
    table = read_line(TableState(typed(f"game {game}")), f"{hexes} clear").table
    named = [loaded.board("").place(hex) for hex in hexes.split(",")]
    assert [table.position.state.value("terrain", hex) for hex in named] == ["clear", "clear"]


def test_an_empty_text_does_not_take_the_word_behind_it() -> None:
    assert find_difference(load_game("kaisers-war-in-the-east"), ["3130 named= coast=black-sea"]) == ""
