"""Kaiser's War in the East: its questions, from attacks to victory, for people who own the game."""

from __future__ import annotations

from collections.abc import Callable

from assistant import hookimpl
from assistant.game.games import Game

GAME = "kaisers-war-in-the-east"
QUESTIONS = {
    "battle": "battle.question",
    "retreat": "retreat.question",
    "pursue": "retreat.question",
    "attacks": "attacks.question",
    "need": "attacks.question",
    "move": "movement.question",
    "reach": "movement.reach_question",
    "supply": "supply.question",
    "attrition": "attrition.question",
    "stack": "forces.stack_question",
    "zones": "ground.zones_question",
    "victory": "victory.question",
    "capture": "victory.question",
    "turn": "calendar.question",
    "arrivals": "mobilization.question",
    "place": "mobilization.question",
    "mobilize": "mobilization.question",
    "demobilize": "mobilization.question",
    "reorganize": "reorganization.question",
    "setup": "deployment.question",
    "romania": "calendar.events_question",
    "revolution": "calendar.events_question",
    "psywar": "calendar.events_question",
    "scout": "calendar.events_question",
}
"""The questions, each with its module, in the order of the reference."""


@hookimpl
def register_questions(game: Game, register: Callable[..., None]) -> None:
    """Add the questions of the game."""
    if game.id == GAME:
        for name, module in QUESTIONS.items():
            register(name, f"{__name__}.{module}")
