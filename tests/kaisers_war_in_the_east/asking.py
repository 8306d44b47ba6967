"""Questions about typed positions of the game."""

from __future__ import annotations

from typing import Any

from assistant.asking.report import Report

from ..conftest import answered, typed


def kaiser(text: str, question: str = "", **parameters: Any) -> Report[Any]:
    """The report on a question about a position of Kaiser's War in the East."""
    return answered(typed(f"game kaisers-war-in-the-east\n{text}"), question, **parameters)
