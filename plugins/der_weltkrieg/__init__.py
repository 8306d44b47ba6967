"""Der Weltkrieg, the Duration Campaign: the books of twelve nations from August 1914 to November 1918.

It is for people who own the game.
"""

from __future__ import annotations

from collections.abc import Callable

from assistant import hookimpl

QUESTIONS = {
    "morale": ["morale"],
    "victory": ["victory"],
    "supply_points": ["caps", "spend", "americans"],
    "replacements": ["rebuild", "returns", "build", "due"],
    "rail": ["rail", "transfer"],
    "entry": ["war", "italy", "romania", "bulgaria"],
    "alliances": ["sphere", "aid", "sectors"],
    "garrisons": ["garrison"],
    "gas": ["gas", "gas-attack"],
    "tanks": ["breakdown", "tank-attack", "tank-stack"],
    "assault": ["conversions", "convert"],
    "ground": ["terrain", "arrive"],
    "plans": ["plans", "duty", "objective", "plan-17", "mobilized"],
    "fronts": ["hindenburg", "italian-attack", "surprise", "sad-state", "cities", "fortresses", "opolchenie", "limits"],
}
"""The questions of each module, in the order of the reference."""


@hookimpl
def register_questions(register: Callable[..., None]) -> None:
    """Add the questions of the game."""
    for module, names in QUESTIONS.items():
        for name in names:
            register(name, f"{__name__}.{module}")
