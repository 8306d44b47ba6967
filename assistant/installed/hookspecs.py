"""The hooks of a plugin. A game needs no hook: its entry point in `field_staff.games` names its folder."""

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
"""The decorator for a function that implements a hook, with the hook's name and arguments."""


@hookspec
def register_questions(game: Game, register: Callable[..., None]) -> None:
    """Add questions to a game.

    Call `register(QUESTION)`, or `register(name, module)` to import the module when needed.
    """


@hookspec
def register_consequences(game: Game, register: Callable[[Consequences], None]) -> None:
    """Add consequences of changes, whatever answer makes them: call `register` with a function for each.

    The function takes a view and the changes of an answer, and yields further changes: owed facts, or adjustments.
    """


@hookspec
def register_chart_facts(game: Game, register: Callable[[ChartFact], None]) -> None:
    """Add facts about a game's charts that hold whatever their cells contain: call `register` for each."""


@hookspec
def register_formats(register: Callable[[Format], None]) -> None:
    """Add file formats with states: call `register` for each."""


@hookspec
def register_palettes(game: Game, register: Callable[[Module], None]) -> None:
    """Add the pieces of a game's VASSAL module.

    Call `register` with a module that has its palettes and prototypes.
    """


@hookspec
def register_commands(cli: click.Group) -> None:
    """Add commands to the command line."""
