"""What the assistant itself registers: two questions for every game, file formats, some commands.

Each hook imports what it registers, so that a command line that asks for none of it does not wait for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .plugins.hookspecs import hookimpl

if TYPE_CHECKING:
    import click

    from .formats.positions import Format
    from .game.games import Game


@hookimpl
def register_questions(game: Game, register: Callable[..., None]) -> None:
    """What was understood, for every game; the classic combat, for every game that declares one."""
    register("check", "assistant.questions.builtin.check")
    if game.file.combat:
        register("odds", "assistant.questions.builtin.classic")


@hookimpl
def register_formats(register: Callable[[Format], None]) -> None:
    """Position notation, JSON, and VASSAL's saves and logs."""
    from .formats import json_state, notation, vassal

    register(notation.FORMAT)
    register(json_state.FORMAT)
    register(vassal.FORMAT)


@hookimpl
def register_commands(cli: click.Group) -> None:
    """`assistant adopt`, `assistant compare`, `assistant explain`, `assistant pack` and `assistant table`."""
    from .cli.compare import compare
    from .cli.explain import explain
    from .cli.packs import pack
    from .cli.published.adopt import adopt
    from .cli.table import table

    for command in (adopt, compare, explain, pack, table):
        cli.add_command(command)
