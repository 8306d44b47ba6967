"""The hooks of a plugin. A game needs none of them: its entry point in `field_staff.games` names its folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    import click

    from ..asking.question import Consequences
    from ..formats.positions import Format
    from ..formats.vassal.modules import Module
    from ..game.games import Game
    from ..game.pack_charts import ChartFact

hookspec = pluggy.HookspecMarker("field_staff")
hookimpl = pluggy.HookimplMarker("field_staff")
"""Marks a function as one of these hooks: `@hookimpl` above it, and the hook's name and arguments."""


@hookspec
def register_questions(game: Game, register: Callable[..., None]) -> None:
    """Add questions to a game: call `register(QUESTION)` for each, or `register(name, module)`, which imports it once
    it is asked.
    """


@hookspec
def register_consequences(game: Game, register: Callable[[Consequences], None]) -> None:
    """Add what follows at once from changes, whatever answer makes them: call `register` with a function that takes a
    view and the changes of an answer, and yields further changes: facts that are owed, or what is adjusted.
    """


@hookspec
def register_chart_facts(game: Game, register: Callable[[ChartFact], None]) -> None:
    """Add facts about a game's charts that hold whatever their cells say: call `register` for each."""


@hookspec
def register_formats(register: Callable[[Format], None]) -> None:
    """Add file formats in which states are read."""


@hookspec
def register_palettes(game: Game, register: Callable[[Module], None]) -> None:
    """Add the pieces of a VASSAL module of a game: call `register` with a module that has its palettes and prototypes."""


@hookspec
def register_commands(cli: click.Group) -> None:
    """Add commands to the command line."""
