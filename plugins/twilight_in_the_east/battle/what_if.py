"""What would change a combat before its dice: the points to the next column, and each unit that may join or stay out (10.1.5)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from assistant.questions.report import MissingFacts, Part, Step
from assistant.questions.view import View
from assistant.util.errors import InputError

from ..combat.allocation import can_use, serves
from ..combat.engagement import BattleParameters, Engagement
from ..combat.legality import out_of_turn, refusals
from ..combat.setup import engage
from ..combat.strength import initial_odds
from ..forces.units import SIDES, CombatUnit, Role
from .result import BattleResult, NextColumn, OptionalUnit

MOST = 10**4
"""Points beyond which nobody looks for a column."""


def next_column(attack: int, defence: int) -> NextColumn | None:
    """How many points of attack lead to the next ratio, and how many may be missing before this one is lost; None where there
    is no ratio.

    Rule: 4.4.1
    """
    if attack <= 0 or defence <= 0:
        return None
    now = initial_odds(attack, defence)
    more = next(n for n in range(1, MOST) if initial_odds(attack + n, defence) > now)
    spare = next(n for n in range(attack) if n + 1 == attack or initial_odds(attack - n - 1, defence) < now)
    return NextColumn(more=more, odds=str(initial_odds(attack + more, defence)), spare=spare)


def optional_units(
    view: View, parameters: BattleParameters, engagement: Engagement, reckon: Callable[[Engagement], BattleResult]
) -> tuple[OptionalUnit, ...]:
    """The units of either side that may be withheld, or that are and may join, each with what the combat would then be.

    Rule: 10.1.5c
    """
    sides: list[tuple[Role, str]] = [(role, unit.id) for role in SIDES for unit in engagement.side(role)]
    defending = {unit.id for unit in (*engagement.defenders, *engagement.withheld)}
    sides += [("defender" if name in defending else "attacker", name) for name in parameters.withhold]
    units = []
    for role, name in sides:
        other = _with_the_other(view, switched(parameters, engagement, name))
        if other is not None:
            result = reckon(other)
            units.append(
                OptionalUnit(
                    unit=name,
                    side=role,
                    withheld=name in parameters.withhold,
                    column=result.column,
                    magnitude=result.magnitude,
                )
            )
    return tuple(units)


def switched(parameters: BattleParameters, engagement: Engagement, unit: str) -> BattleParameters:
    """The parameters with one unit withheld that was not, or not withheld that was; points that nobody could use are left out."""
    out = parameters.withhold
    out = tuple(name for name in out if name != unit) if unit in out else (*out, unit)
    return msgspec.structs.replace(
        parameters,
        withhold=out,
        attacker_ap=_points(parameters.attacker_ap, engagement.attackers, unit),
        defender_ap=_points(parameters.defender_ap, engagement.defenders, unit),
    )


def _points(given: tuple[str, ...] | None, units: tuple[CombatUnit, ...], without: str) -> tuple[str, ...] | None:
    left = [unit for unit in units if unit.id != without]
    able = [unit for unit in left if can_use(unit)]
    served = {unit.point for unit in units if unit.ap}
    gone = {one for one in served if not any(serves(one, unit, left) for unit in able)}
    return None if given is None else tuple(one for one in given if one not in gone) or ("none",)


def _with_the_other(view: View, parameters: BattleParameters) -> Engagement | None:
    """The combat with these parameters if it may be and nothing is missing. What is read for it decides nothing."""
    try:
        engagement = engage(View(view.game, view.state, view.end), parameters)
    except (InputError, MissingFacts):
        return None
    return None if refusals(engagement, view.board.neighbours(engagement.at)) or out_of_turn(engagement) else engagement


def help_part(result: BattleResult) -> Part | None:
    """What would change the combat, in words; None if nothing would."""
    steps = []
    if result.next_column is not None:
        figures = {"more": result.next_column.more, "odds": result.next_column.odds, "spare": result.next_column.spare}
        text = "{more:#point} more of attack make {odds} before shifts; {spare} may be missing"
        steps.append(Step("4.4.1", text, figures))
    for one in result.optional:
        text = "with {unit}" if one.withheld else "without {unit}"
        figures = {"unit": one.unit, "column": one.column, "magnitude": one.magnitude}
        steps.append(Step("10.1.5", text + ": column {column}, {magnitude}", figures))
    return Part("What would change it", tuple(steps)) if steps else None
