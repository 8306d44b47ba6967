"""The builder's hooks into the assistant: the tour of the installed games, and the pieces of its modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from assistant import hookimpl
from assistant.faces.cli.group import LateCommand, Program
from assistant.util.late import load

if TYPE_CHECKING:
    from assistant.formats.vassal.modules import Module
    from assistant.game.games import Game


@hookimpl
def register_commands(cli: Program) -> None:
    """Register `assistant demo`."""
    summary = "What the assistant answers, in a minute: a battle before the dice and after them, and a supply line."
    cli.add_command(LateCommand("demo", "module_builder.tour:demo", summary))


@hookimpl
def register_palettes(game: Game, register: Callable[[Module], None]) -> None:
    """Register the pieces of the game's module, if it has one."""
    if game.file.module is not None:
        register(load("module_builder.vassal.module:make_palettes")(game))
