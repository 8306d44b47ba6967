"""What would change a combat before its dice: points to the next column, and each unit that may join or stay out (10.1.5)."""

from __future__ import annotations

from assistant.questions import Part, View, step
from assistant.questions.what_if import NextColumn, brief_changes, next_column, next_column_step, what_if

from ..combat.engagement import BattleParameters, Engagement
from ..combat.legality import out_of_turn, refusals
from ..combat.setup import engage, without
from ..combat.strength import initial_odds
from ..forces.units import SIDES
from .reckoning import weigh
from .result import BattleResult, OptionalUnit


def next_odds(attack: int, defence: int) -> NextColumn | None:
    """How many points of attack lead to the next ratio, and how many may be missing before this one is lost; None where there
    is no ratio. Rule: 4.4.1
    """
    has_ratio = attack > 0 and defence > 0
    return next_column(lambda points: initial_odds(points, defence), attack) if has_ratio else None


def optional_units(view: View, parameters: BattleParameters, engagement: Engagement) -> tuple[OptionalUnit, ...]:
    """The units of either side that may be withheld, or that are and may join, each with what the combat would then be.
    Rule: 10.1.5c
    """
    out = parameters.withhold
    sides = {unit.id: role for role in SIDES for unit in engagement.side(role)}
    sides |= {name: "defender" if name in engagement.stack else "attacker" for name in out}

    def outcome(quiet: View, switched: BattleParameters, unit: str) -> BattleResult | None:
        other = engage(quiet, switched) if unit in out else without(quiet, engagement, unit, parameters)
        if other is None or refusals(other, view.board.neighbours(other.at)) or out_of_turn(other):
            return None
        battle, _ = weigh(other)
        return battle

    would_be = what_if(view, parameters, "withhold", sides, outcome)
    return tuple(
        OptionalUnit(unit, sides[unit], unit in out, battle.column, battle.magnitude)
        for unit, battle in would_be.items()
    )


def help_part(battle: BattleResult) -> Part:
    """What would change the combat, in words."""
    steps = []
    if battle.next_column is not None:
        steps.append(next_column_step("4.4.1", battle.next_column, " before shifts"))
    for one in battle.optional:
        text = ("with" if one.withheld else "without") + " {unit}: column {column}, {magnitude}"
        steps.append(step("10.1.5", text, one))
    others = {f"{'with' if one.withheld else 'without'} {one.unit}": one.column for one in battle.optional}
    return Part("What would change it", tuple(steps), brief_changes(battle.next_column, others, battle.column))
