"""Positions that the tests of combat share, typed as at a table."""

from __future__ import annotations

from functools import cache
from typing import Any

from assistant.asking.report import Report
from assistant.game.games import Game
from assistant.game.states import apply_changes
from assistant.state.state import GameState
from assistant.testing import asked, game_in, typed

GAME = "kaisers-war-in-the-east"


@cache
def game() -> Game:
    """Kaiser's War in the East."""
    return game_in(GAME)


def ask(position: str, question: str, **parameters: Any) -> Report[Any]:
    """The report on a question about a typed position, checked as every report is."""
    return asked(typed(position, game()), question, **parameters)


def after(position: str, question: str, **parameters: Any) -> Any:
    """The state that a report's changes lead to."""
    read = typed(position, game())
    return apply_changes(game(), read.state, asked(read, question, **parameters).changes)


def reasons(report: Report[Any]) -> str:
    """Why a report says no, in a line."""
    assert report.verdict.kind == "no", str(report)
    return "; ".join(step.text for part in report.parts for step in part.steps)


DRY = "2620 | 2621 open\n"
"""Nothing lies on the hexside between the defender's hex and the attackers to the south."""
DUEL = (
    """
turn=1
2620 clear: Rus-2 (10-12-4)
2621: AH-4 (12-12-4), AH-inf-1 (4-4-3)
"""
    + DRY
)
"""An Austro-Hungarian army and a corps against a Russian army in the clear."""


def typed_state(position: str) -> GameState:
    """The state that a typed position states."""
    return typed(position, game()).state
