"""What the assistant itself registers: two questions for every game, and file formats.

Each hook imports what it registers, so that a command line that asks for none of it does not wait for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .plugins.hookspecs import hookimpl

if TYPE_CHECKING:
    from .formats.positions import Format
    from .game.games import Game


@hookimpl
def register_questions(game: Game, register: Callable[..., None]) -> None:
    """What was understood, for every game; the classic combat and who may look at whom, for every game that declares
    them.
    """
    register("check", "assistant.questions.builtin.check")
    if game.file.combat:
        register("odds", "assistant.questions.builtin.classic")
    if game.file.intelligence and game.file.intelligence.sees == "adjacent":
        register("inspect", "assistant.readymade.inspecting")


@hookimpl
def register_formats(register: Callable[[Format], None]) -> None:
    """Position notation, JSON, and VASSAL's saves and logs."""
    from .formats import json_state, notation, vassal

    register(notation.FORMAT)
    register(json_state.FORMAT)
    register(vassal.FORMAT)
