"""Kaiser's War in the East: its questions, from attacks to victory, for people who own the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from assistant import hookimpl
from assistant.game.games import Game

if TYPE_CHECKING:
    from assistant.asking import View
    from assistant.asking.question import Consequences
    from assistant.state.changes import AnyChange, Change

GAME = "kaisers-war-in-the-east"
QUESTIONS = {
    "battle": ["battle", "attacks", "need"],
    "threats": ["threat"],
    "retreat": ["retreat", "pursue"],
    "movement.question": ["move", "reach"],
    "supply.question": ["supply"],
    "supply.attrition": ["attrition"],
    "deployment": ["stack", "zones", "setup"],
    "victory.question": ["victory", "capture"],
    "calendar.question": ["turn", "next", "due"],
    "calendar.events": ["romania", "revolution", "psywar", "scout"],
    "mobilization.question": ["arrivals", "place", "mobilize", "demobilize"],
    "reorganization": ["reorganize"],
}
"""The questions in each module, in the order of the reference."""


@hookimpl
def register_questions(game: Game, register: Callable[..., None]) -> None:
    """Add the questions of the game."""
    if game.id == GAME:
        for module, names in QUESTIONS.items():
            for name in names:
                register(name, f"{__name__}.{module}")


@hookimpl
def register_consequences(game: Game, register: Callable[[Consequences], None]) -> None:
    """Add the changes that Victory Points bring at once."""
    if game.id == GAME:
        register(_follow_points)


def _follow_points(view: View, changes: Sequence[AnyChange]) -> Iterable[Change]:
    from .calendar.schedule import follow_points  # imported only here, because most answers change nothing

    return follow_points(view, changes)
