"""The battles by which taps are measured are what the table prompt makes of them, and take the keys that are said."""

from pathlib import Path

import pytest

from ..cases import few
from .battles import BATTLES, FROM_NOTHING, ON_THE_MAP, THREE_CORPS, UNROSTERED, Battle

NAMED = {
    **BATTLES,
    "from nothing": FROM_NOTHING,
    "on the map": ON_THE_MAP,
    "unrostered": UNROSTERED,
    "three corps": THREE_CORPS,
}
SCREENS = {80: 24, 40: 30}
"""The lines of an answer at most, by the columns of the screen: what reads back a line of seven new units is longer."""


@few(2)
@pytest.mark.parametrize("battle", NAMED.values(), ids=NAMED)
def test_battle_at_the_prompt(battle: Battle, tmp_path: Path) -> None:
    books, _ = battle.played(tmp_path)
    assert books.session
    assert books.session.shown
    assert battle.answer in books.session.shown.report.answers[0]
    assert sum(len(line) + 1 for line in battle.lines) == battle.keys


def test_keys_of_the_rulebooks_example() -> None:
    assert ON_THE_MAP.keys <= 50
    assert FROM_NOTHING.keys <= 75


@few(2)
@pytest.mark.parametrize("columns", SCREENS)
@pytest.mark.parametrize("battle", NAMED.values(), ids=NAMED)
def test_no_answer_fills_more_than_a_screen(battle: Battle, columns: int, tmp_path: Path) -> None:
    _, said = battle.played(tmp_path, columns)
    for line, answer in zip(battle.lines, said, strict=True):
        read_back = next((at for at, shown in enumerate(answer) if shown.startswith("= ")), 0)
        assert len(answer) - read_back <= SCREENS[columns], line
        assert max(map(len, answer), default=0) <= columns, line


def test_there_are_ten_of_them() -> None:
    assert len({battle.lines for battle in BATTLES.values()}) == 10
