"""The World Undone, East Prussia 1914: its questions, from supply to victory, for people who own the game."""

from __future__ import annotations

from collections.abc import Callable

from assistant import hookimpl

QUESTIONS = {
    "combat": ["battle", "attacks", "need"],
    "threats": ["threat"],
    "movement": ["move", "reach"],
    "retreat": ["retreat", "advance", "evade"],
    "supply": ["supply", "zones"],
    "stacking": ["stack"],
    "victory": ["victory", "close"],
    "dice": ["release", "recover", "samsonov", "replace"],
    "turn": ["turn", "next"],
}
"""The modules with questions, each with those that it holds, in the order of the reference."""


@hookimpl
def register_questions(register: Callable[..., None]) -> None:
    """Add the questions of the game."""
    for module, names in QUESTIONS.items():
        for name in names:
            register(name, f"{__name__}.{module}")
