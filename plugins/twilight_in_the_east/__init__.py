"""1914, Twilight in the East: its questions, from battles to supply and attachment, for people who own the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assistant.game.games import Game
from assistant.plugins.hookspecs import hookimpl
from assistant.questions.question import Question

if TYPE_CHECKING:
    from assistant.game.packs import ChartFact

GAME = "twilight-in-the-east"


@hookimpl
def register_questions(game: Game, register: Callable[[Question[Any, Any]], None]) -> None:
    """All that can be asked of it."""
    if game.id == GAME:
        from .ammunition import question as ammunition
        from .attachment import attach_question as attach
        from .attachment import question as attachment
        from .attachment import reunite_question as detachments
        from .attacks import question as attacks
        from .battle import question as battle
        from .control import question as control
        from .forces import condition_question as condition
        from .forces import stack_question as stacking
        from .fortresses import bridgehead_question as bridgeheads
        from .movement.cavalry import question as cavalry
        from .movement.dig_in import question as fieldworks
        from .movement.displacement import question as displacement
        from .movement.enemy_zones import question as ezoc
        from .movement.forced_march import question as forced_march
        from .movement.prepared_attack import question as prepared
        from .movement.recovery import question as recovery
        from .movement.repulse import question as repulse
        from .retreat import question as way_back
        from .supply import question as supply_lines

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
