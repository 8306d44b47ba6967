"""A game whose hook fails for every game, its own and the others'."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assistant import hookimpl
from assistant.asking.question import Question
from assistant.game.games import Game


@hookimpl
def register_questions(game: Game, register: Callable[[Question[Any, Any]], None]) -> None:
    """Nothing."""
    raise LookupError(f"no questions for {game.title}")
