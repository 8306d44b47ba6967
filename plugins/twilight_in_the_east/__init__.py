"""1914, Twilight in the East: its questions, from battles to supply and attachment, for people who own the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from assistant import hookimpl
from assistant.game.games import Game

if TYPE_CHECKING:
    from assistant.asking import View
    from assistant.asking.question import Consequences
    from assistant.game.pack_charts import ChartFact
    from assistant.state.changes import AnyChange, Change

GAME = "twilight-in-the-east"
QUESTIONS = {
    "battle": "battle.question",
    "need": "attacks.need_question",
    "attacks": "attacks.question",
    "threat": "threats.question",
    "repulse": "repulse.question",
    "retreat": "retreat.question",
    "cavalry": "movement.cavalry",
    "displace": "displacement.question",
    "ezoc": "movement.march.ezoc_question",
    "move": "movement.march.question",
    "reach": "movement.march.reach_question",
    "forced-march": "movement.forced_march",
    "prepared": "movement.prepared_attack",
    "dig-in": "movement.dig_in",
    "recover": "movement.recovery",
    "ersatz": "movement.ersatz_question",
    "rail": "movement.by_rail",
    "rail-points": "movement.rail_points_question",
    "move-depot": "movement.depot_move",
    "holding-box": "movement.holding_box",
    "condition": "forces.condition_question",
    "bridgehead": "fortresses.bridgehead_question",
    "garrison": "fortresses.garrison_question",
    "stack": "movement.stacking",
    "zones": "ground.question",
    "weather": "ground.question",
    "turn": "turn.question",
    "next": "turn.question",
    "clock": "turn.clock_question",
    "supply": "supply.question",
    "lifelines": "supply.lifelines.question",
    "supply-phase": "supply_phase.question",
    "due": "arrivals.due_question",
    "arrive": "arrivals.arrive_question",
    "return": "arrivals.return_question",
    "replace": "replacements.question",
    "call": "arrivals.call_question",
    "activate": "arrivals.activate_question",
    "substitute": "substitutions.question",
    "ammunition": "ammunition.question",
    "attachment": "attachment.question",
    "attach": "attachment.attach_question",
    "reunite": "attachment.reunite_question",
    "markers": "attachment.markers_question",
    "conceal": "concealment.question",
    "intercepts": "concealment.intercepts_question",
    "plans": "plans.question",
    "abandon": "plans.abandon_question",
    "control": "control.question",
    "town": "scoring.town_question",
    "railways": "engineering.railways_question",
    "railhead": "engineering.railhead_question",
    "build-line": "engineering.build_question",
    "pontoon": "engineering.pontoon_question",
    "scenario": "scenario.question",
    "victory": "victory.question",
}
"""Modules of the questions, in the order of the reference."""


@hookimpl
def register_questions(game: Game, register: Callable[..., None]) -> None:
    """Add the questions of the game."""
    if game.id == GAME:
        for name, module in QUESTIONS.items():
            register(name, f"{__name__}.{module}")


@hookimpl
def register_consequences(game: Game, register: Callable[[Consequences], None]) -> None:
    """Add the changes of a stack's top unit, and the lost destinations of units in Rail Mode."""
    if game.id == GAME:
        register(_reorder_stacks)
        register(_find_lost_destinations)


def _reorder_stacks(view: View, changes: Sequence[AnyChange]) -> Iterable[Change]:
    from .forces.stack_order import reorder_stacks  # imported only here, because most answers change nothing

    return reorder_stacks(view, changes)


def _find_lost_destinations(view: View, changes: Sequence[AnyChange]) -> Iterable[Change]:
    if not view.stated_about.get("destination"):
        return ()
    # imported only here, because few positions have a unit on its way by rail
    from .movement.trains import find_lost_destinations

    return find_lost_destinations(view, changes)


@hookimpl
def register_chart_facts(game: Game, register: Callable[[ChartFact], None]) -> None:
    """Add the facts that the rulebook reveals about the printed charts."""
    if game.id == GAME:
        from .chart_facts import facts  # imported only here, because most answers need no such fact

        for fact in facts(game):
            register(fact)
