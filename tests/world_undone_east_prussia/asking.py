"""Questions about typed positions of the game."""

from __future__ import annotations

from typing import Any

from assistant.questions.report import Report
from assistant.state.state import GameState

from ..conftest import answered, typed

GAME = "world-undone-east-prussia-1914"


def undone(text: str, question: str = "", **parameters: Any) -> Report[Any]:
    """The report on a question about a position of the game, typed without its first line."""
    return answered(typed(f"game {GAME}\n{text}"), question, **parameters)


def state_after(text: str, question: str, **parameters: Any) -> GameState:
    """The state that the changes of a report lead to."""
    read = typed(f"game {GAME}\n{text}")
    return read.game.apply(read.state, answered(read, question, **parameters).changes)


def why_not(report: Report[Any]) -> list[str]:
    """The rules for which something is not allowed."""
    return [step.rule for part in report.parts if part.title == "Not allowed" for step in part.steps]


def values(report: Report[Any]) -> dict[tuple[str, str], object]:
    """What a report changes: by track and subject the new value, or what is added to it."""
    return {
        (getattr(one, "track", "place"), getattr(one, "subject", "") or getattr(one, "unit", "")): getattr(
            one, "after", getattr(one, "amount", getattr(one, "place", None))
        )
        for one in report.changes
    }
