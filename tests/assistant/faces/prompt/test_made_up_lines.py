"""Lines at the table that are made up: they mean the same in a file, leave what a file may say, and no slip passes in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.faces.prompt.line_reading import read_line
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.installed.registry import load_game

from ....cases import few, seeds, thorough
from ....comparing.search import tried
from ....conftest import typed
from .grammar import GAMES, find_difference
from .grammar import SEARCH as IN_A_FILE
from .slips import slips, unsaid
from .stored import SEARCH as STORED

SLIPS, SEED = 200, 1914


@few(1)
@pytest.mark.parametrize("seed", seeds(12))
def test_no_session_leaves_on_the_table_what_a_file_may_not_say(seed: int) -> None:
    assert tried(STORED, range(5), 29 + seed).wrong == []


@thorough
@pytest.mark.parametrize("seed", seeds(4))
def test_random_lines_mean_the_same_at_the_prompt_and_in_a_file(seed: int) -> None:
    assert tried(IN_A_FILE, range(25), 29 + seed).wrong == []


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        (GAMES[0], ["41.26,41.27 clear"]),
        (GAMES[0], ["41.26, 41.27 clear"]),
        (GAMES[0], ["4126,4127 clear magazine=none"]),
        (GAMES[0], ["41.19|40.19,40.20 open"]),
        (GAMES[0], ["40.20: 25/3 prepared=4119"]),
        (GAMES[0], ["40.20 prepared=4119: 25/3, 27/3 cel=-1"]),
        (GAMES[0], ["40.20 cel=-1 rough: 25/3, 27/3", "40.20 prepared=4119"]),
        (GAMES[0], ["40.20: 25/3", "40.19: 27/3", "4020,4019 prepared=4119"]),
        (GAMES[0], ["side russian whole-network", 'army "russian Second" area="44.18-44.22 4519"']),
        (GAMES[0], ["ask battle at=41.19 attacker-ap=<3"]),
        (GAMES[1], ["3130 named= coast=black-sea"]),  # an empty text does not take the word behind it
    ],
)
def test_a_line_means_the_same(game: str, lines: list[str]) -> None:
    assert find_difference(load_game(game), lines) == ""


@pytest.mark.parametrize("game", GAMES)
def test_several_hexes_keep_what_is_said_of_them(game: str) -> None:
    """In both games, without their dots too."""
    hexes = {"twilight-in-the-east": "4126,4127", "kaisers-war-in-the-east": "2620,2621"}[game]
    loaded = load_game(game)
    table = read_line(TableState(typed(f"game {game}")), f"{hexes} clear").table
    named = [loaded.board("").place(hex) for hex in hexes.split(",")]
    assert [table.position.state.value("terrain", hex) for hex in named] == ["clear", "clear"]


@thorough
def test_no_slip_passes_in_silence(twilight: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """200 slips of the keyboard: none makes a unit or a fact that was not meant without saying so at once."""
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))

    def session(table: TableState | None) -> Session:
        begun = Session(table or TableState(Position(twilight, build_state(twilight))), 2000)
        begun.begin()
        return begun

    silent, refused, taken = [], 0, 0
    for slip in slips(session, SLIPS, SEED):
        at_table = session(slip.before)
        first = next(iter(at_table.enter(slip.slipped)), "")
        if first.startswith("! "):
            assert at_table.table == slip.before, slip.slipped
            refused += 1
        elif at_table.table != slip.meant:
            taken += 1
            silent += [(slip.slipped, first, text) for text in unsaid(slip, at_table.table, first, twilight)]
    assert silent == []
    assert refused > SLIPS / 3 and taken > SLIPS / 15, "the slips meet both"
