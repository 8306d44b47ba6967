"""1914, Twilight in the East: its questions, from battles to supply and attachment, for people who own the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assistant.games import Game
from assistant.hookspecs import hookimpl
from assistant.questions import Question

if TYPE_CHECKING:
    from assistant.packs import ChartFact

GAME = "twilight-in-the-east"


@hookimpl
def register_questions(game: Game, register: Callable[[Question[Any, Any]], None]) -> None:
    """All that can be asked of it."""
    if game.id == GAME:
        from . import (
            ammunition,
            attach,
            attachment,
            attacks,
            battle,
            bridgeheads,
            cavalry,
            condition,
            control,
            detachments,
            displacement,
            ezoc,
            fieldworks,
            forced_march,
            prepared,
            recovery,
            repulse,
            stacking,
            supply_lines,
            way_back,
        )

        for module in (
            battle,
            attacks,
            repulse,
            way_back,
            cavalry,
            displacement,
            ezoc,
            forced_march,
            prepared,
            fieldworks,
            recovery,
            condition,
            bridgeheads,
            stacking,
            supply_lines,
            ammunition,
            attachment,
            attach,
            detachments,
            control,
        ):
            register(module.QUESTION)


@hookimpl
def register_chart_facts(game: Game, register: Callable[[ChartFact], None]) -> None:
    """What the rulebook lets one know of the printed charts."""
    if game.id == GAME:
        from .chart_facts import facts

        for fact in facts():
            register(fact)
