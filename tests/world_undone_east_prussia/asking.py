"""Questions about typed positions of the game."""

from __future__ import annotations

from typing import Any

from assistant.asking.report import Report
from assistant.game.states import apply_changes
from assistant.state.state import GameState

from ..conftest import answered, typed

GAME = "world-undone-east-prussia-1914"


def undone(text: str, question: str = "", **parameters: Any) -> Report[Any]:
    """The report on a question about a position of the game, typed without its first line."""
    return answered(typed(f"game {GAME}\n{text}"), question, **parameters)


def state_after(text: str, question: str, **parameters: Any) -> GameState:
    """The state that the changes of a report lead to."""
    read = typed(f"game {GAME}\n{text}")
    return apply_changes(read.game, read.state, answered(read, question, **parameters).changes)
