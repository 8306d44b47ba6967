"""The assistant's own questions, for every game that has the files for them, and file formats.

Their modules are imported with the hook, so that a command line that needs none of them does not wait.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .installed.hookspecs import hookimpl
from .util.late import late, load

if TYPE_CHECKING:
    from .formats.positions import Format
    from .game.games import Game


@hookimpl(trylast=True)
def register_questions(game: Game, register: Callable[..., None]) -> None:
    """Register the questions of all games.

    `turn`, `due` and `setup` are for games that have the files for them and no question of that name; `odds` and
    `inspect` are for games that declare them.
    """
    if game.has_file("course.toml"):
        register("turn", "assistant.rules.turns", unless_known=True)
    if game.has_folder("schedules"):
        register("due", "assistant.rules.due", unless_known=True)
    if game.setups:
        register("setup", "assistant.rules.setup_question", unless_known=True)
    if game.has_file("rules.toml"):
        from .rules.clauses.registering import register_clauses

        register_clauses(game, register)
        if game.has_file("course.toml") and "phase" in game.tracks:
            register("next", "assistant.rules.turns", unless_known=True)
    register("check", "assistant.asking.builtin.check")
    if game.file.combat:
        register("odds", "assistant.asking.builtin.classic")
    if game.file.intelligence and game.file.intelligence.sees == "adjacent":
        register("inspect", "assistant.rules.inspection", unless_known=True)


@hookimpl
def register_formats(register: Callable[[Format], None]) -> None:
    """Register the formats: position notation, JSON, links, VASSAL's saves and logs, and journals with every moment of
    a game.
    """
    from .formats.positions import Format

    register(Format("position notation", (".pos", ".txt"), late("assistant.formats.notation:read_notation")))
    register(Format("JSON", (".json",), late("assistant.formats.json_state:read_json")))
    register(Format("link", (".link",), late("assistant.formats.links:read_link")))
    register(load("assistant.formats.vassal:FORMAT"))
    register(load("assistant.records.journal:FORMAT"))
