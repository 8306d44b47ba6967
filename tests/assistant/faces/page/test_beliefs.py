"""What a side believes: which beliefs its table can be written with, and how often they are read."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import msgspec
import pytest

from assistant.faces.page import beliefs
from assistant.faces.page.beliefs import MAX_TRIES, Belief, BeliefReader, find_writable
from assistant.faces.page.own_lines import OwnLine, PrivateChange
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.state.state import GameState, Unit

GAME = "twilight-in-the-east"
EMPTY = GameState(game=GAME)


def bring(number: int) -> Belief:
    """The belief that a unit has come to a hex of its own."""
    units = {f"u{number}": Unit(id=f"u{number}", type="", place=f"10.{number}")}
    return Belief(EMPTY, msgspec.structs.replace(EMPTY, units=MappingProxyType(units)), EMPTY)


def count_tries(refused: set[str], number: int) -> tuple[list[int], GameState, int]:
    """What is chosen of a number of beliefs if no table may have some units, and how many tables are tried."""
    tried = list[GameState]()

    def can_write(state: GameState) -> bool:
        tried.append(state)
        return not refused & state.units.keys()

    kept, state = find_writable(EMPTY, [bring(at) for at in range(number)], can_write)
    return kept, state, len(tried)


@pytest.mark.parametrize("refused", [{0}, {63}, {7, 40, 41}])
def test_beliefs_with_which_a_table_cannot_be_written_are_found_in_few_tries(refused: set[int]) -> None:
    kept, state, tries = count_tries({f"u{number}" for number in refused}, 64)
    assert kept == [at for at in range(64) if at not in refused]
    assert [*state.units] == [f"u{at}" for at in kept]
    assert tries <= 1 + 12 * len(refused)


def test_no_number_of_beliefs_takes_more_than_so_many_tries() -> None:
    kept, state, tries = count_tries({f"u{number}" for number in range(1, 400)}, 400)
    assert tries == MAX_TRIES
    assert kept == [0]
    assert [*state.units] == ["u0"]


def test_belief_that_makes_good_what_an_earlier_one_spoils_keeps_both() -> None:
    away = Belief(bring(0).after, EMPTY, EMPTY)
    kept, state = find_writable(EMPTY, [bring(0), away], lambda state: not any(u.place for u in state.units.values()))
    assert kept == [0, 1]
    assert all(unit.place is None for unit in state.units.values())


def test_belief_is_read_once_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[str]()

    def unpack(text: str, _: Callable[[str], Game]) -> GameState:
        read.append(text)
        return EMPTY

    monkeypatch.setattr(beliefs, "_unpack", unpack)
    reader = BeliefReader(load_game)
    lines = [OwnLine(str(number), private=PrivateChange(str(number), "")) for number in range(1200)]
    for _ in range(2):
        assert len(reader.read_all(lines)[1]) == len(lines)
    assert len(read) == 2 * len(lines)
    reader.read_all(lines[:1])
    reader.read_all(lines[:2])  # the second is forgotten once its line does not count
    assert len(read) == 2 * len(lines) + 2
