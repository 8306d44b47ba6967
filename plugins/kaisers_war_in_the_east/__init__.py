"""Kaiser's War in the East: its questions, from attacks to victory, for people who own the game."""

from __future__ import annotations

from collections.abc import Callable

from assistant import hookimpl
from assistant.game.games import Game

GAME = "kaisers-war-in-the-east"
QUESTIONS = {
    "battle": ["battle", "attacks", "need"],
    "threats": ["threat"],
    "retreat": ["retreat", "pursue"],
    "movement.question": ["move"],
    "movement.reach": ["reach"],
    "supply.question": ["supply"],
    "supply.attrition": ["attrition"],
    "deployment": ["stack", "zones", "setup"],
    "victory.question": ["victory", "capture"],
    "calendar.question": ["turn", "next", "due"],
    "calendar.dice": ["romania", "revolution", "psywar", "scout"],
    "mobilization.arrivals": ["arrivals", "place"],
    "mobilization.question": ["mobilize", "demobilize"],
    "reorganization": ["reorganize"],
}
"""The modules with questions, each with those that it holds, in the order of the reference."""


@hookimpl
def register_questions(game: Game, register: Callable[..., None]) -> None:
    """Add the questions of the game."""
    if game.id == GAME:
        for module, names in QUESTIONS.items():
            for name in names:
                register(name, f"{__name__}.{module}")
