"""The registration of the questions that the sections of a game's `rules.toml` answer; their modules load when asked."""

from __future__ import annotations

from collections.abc import Callable

from ...game.games import Game
from ...game.rule_file import QUESTIONS_OF_SECTIONS, read_rule_file
from ...util.errors import InputError

_MODULES = {
    "zones": "ground",
    "stack": "stacking",
    "reach": "movement",
    "move": "movement",
    "supply": "supply",
    "battle": "battle",
    "attacks": "battle",
    "need": "battle",
    "retreat": "retreat",
    "advance": "retreat",
    "victory": "victory",
    "threat": "threats",
}


def register_clauses(game: Game, register: Callable[..., None]) -> None:
    """Register the questions of a game's `rules.toml`, unless the game has questions of these names.

    A file with faults registers all questions; each then reports the first fault.
    """
    faults = list[InputError]()
    file = read_rule_file(game, faults.append)
    everything = tuple(name for names in QUESTIONS_OF_SECTIONS.values() for name in names)
    for name in everything if faults else file.questions:
        register(name, f"{__package__}.{_MODULES[name]}", unless_known=True)
