"""Skirmish at Mill Creek: an invented game of one page of rules, in a distribution of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assistant import hookimpl
from assistant.asking.question import Question
from assistant.game.games import Game

GAME = "skirmish-at-mill-creek"


@hookimpl
def register_questions(game: Game, register: Callable[[Question[Any, Any]], None]) -> None:
    """Morale checks."""
    if game.id == GAME:
        from .question import QUESTION

        register(QUESTION)
