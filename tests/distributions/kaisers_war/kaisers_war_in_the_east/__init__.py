"""Kaiser's War in the East, a slice of it: battles, general supply, retreats and the ranking of attacks."""

from __future__ import annotations

from collections.abc import Callable

from assistant.game.games import Game
from assistant.plugins.hookspecs import hookimpl

GAME = "kaisers-war-in-the-east"
QUESTIONS = {"battle": "battle", "attacks": "attacks", "supply": "supply", "retreat": "retreat"}
"""Each question with the module that holds it."""


@hookimpl
def register_questions(game: Game, register: Callable[..., None]) -> None:
    """All that can be asked of it."""
    if game.id == GAME:
        for name, module in QUESTIONS.items():
            register(name, f"{__name__}.{module}")
