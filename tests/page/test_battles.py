"""The battles by which taps are measured are what the table prompt makes of them, and take the keys that are said."""

from pathlib import Path

import pytest

from ..cases import few
from .battles import BATTLES, THREE_CORPS, UNROSTERED, Battle


@few(4)
@pytest.mark.parametrize(
    "battle", [*BATTLES.values(), UNROSTERED, THREE_CORPS], ids=[*BATTLES, "unrostered", "three corps"]
)
def test_battle_at_the_prompt(battle: Battle, tmp_path: Path) -> None:
    session = battle.played(tmp_path).session
    assert session
    assert session.shown
    assert session.shown.report.answers[0].startswith(battle.answer)
    assert sum(len(line) + 1 for line in battle.lines) == battle.keys


def test_there_are_ten_of_them() -> None:
    assert len({battle.lines for battle in BATTLES.values()}) == 10
