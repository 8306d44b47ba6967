"""What the builder adds to the assistant: the tour, and the pieces of the modules that it makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from assistant import hookimpl

if TYPE_CHECKING:
    from assistant.formats.vassal.modules import Module
    from assistant.game.games import Game


@hookimpl
def register_commands(cli: click.Group) -> None:
    """`assistant demo`."""
    from .demo import demo

    cli.add_command(demo)


@hookimpl
def register_palettes(game: Game, register: Callable[[Module], None]) -> None:
    """The pieces of the game's module, if it has one."""
    from .vassal.module import palettes  # only here: few answers need them

    if game.file.module is not None:
        register(palettes(game))
