"""Kaiser's War in the East: its questions, from attacks to victory, for people who own the game."""

from __future__ import annotations

from collections.abc import Callable

from assistant import hookimpl
from assistant.game.games import Game

GAME = "kaisers-war-in-the-east"
QUESTIONS = {
    "battle.question": ["battle"],
    "retreat.question": ["retreat", "pursue"],
    "attacks.question": ["attacks", "need"],
    "movement.question": ["move"],
    "movement.reach_question": ["reach"],
    "supply.question": ["supply"],
    "attrition.question": ["attrition"],
    "forces.stack_question": ["stack"],
    "ground.zones_question": ["zones"],
    "victory.question": ["victory", "capture"],
    "calendar.question": ["turn"],
    "mobilization.question": ["arrivals", "place", "mobilize", "demobilize"],
    "reorganization.question": ["reorganize"],
    "deployment.question": ["setup"],
    "calendar.events_question": ["romania", "revolution", "psywar", "scout"],
}
"""The modules with questions, each with those that it holds, in the order of the reference."""


@hookimpl
def register_questions(game: Game, register: Callable[..., None]) -> None:
    """Add the questions of the game."""
    if game.id == GAME:
        for module, names in QUESTIONS.items():
            for name in names:
                register(name, f"{__name__}.{module}")
