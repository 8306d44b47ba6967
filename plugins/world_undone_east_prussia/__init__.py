"""The World Undone, East Prussia 1914: its questions, from supply to victory, for people who own the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from assistant import hookimpl

if TYPE_CHECKING:
    from assistant.asking import View
    from assistant.asking.question import Consequences
    from assistant.state.changes import AnyChange, Change

QUESTIONS = {
    "combat": ["battle", "attacks", "need"],
    "threats": ["threat"],
    "movement": ["move", "reach"],
    "retreat": ["retreat", "advance", "evade"],
    "supply": ["supply", "zones"],
    "stacking": ["stack"],
    "victory": ["victory"],
    "turn": ["close", "release", "recover", "samsonov", "replace", "turn", "next"],
}
"""The questions of each module, in the order of the reference."""


@hookimpl
def register_questions(register: Callable[..., None]) -> None:
    """Add the questions of the game."""
    for module, names in QUESTIONS.items():
        for name in names:
            register(name, f"{__name__}.{module}")


@hookimpl
def register_consequences(register: Callable[[Consequences], None]) -> None:
    """Add the end of the game, and Samsonov's die."""
    register(_follow_losses)


def _follow_losses(view: View, changes: Sequence[AnyChange]) -> Iterable[Change]:
    from .forces import follow_losses  # imported only here, because most answers change nothing

    return follow_losses(view, changes)
