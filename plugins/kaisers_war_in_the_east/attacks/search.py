"""Attacks on a hex with every Headquarters and set of supply units that may support them, from the cheapest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Annotated

import msgspec

from assistant.questions import InputError, View, note

from ..combat.engagement import BattleParameters, Engagement, engage
from ..combat.help import allowed, helpers, rank
from ..terms import HEADQUARTERS, SUPPLY

MOST_SUPPLY = 6
"""The most supply units in reach of an attack whose sets are gone through."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """An attack that the rules allow, and what it spends."""

    attackers: Annotated[tuple[str, ...], note("the units that attack")]
    hq: Annotated[str, note("the Headquarters that supports it, empty for none")] = ""
    supply: Annotated[tuple[str, ...], note("supply units that it expends")] = ()
    attack: Annotated[int, note("strength of the attack")]
    defence: Annotated[int, note("strength of the defence")]
    percent: Annotated[int, note("the attack in whole percents of the defence")]
    column: Annotated[str, note("the percentage column")]
    shock: Annotated[bool, note("whether the Shock table may be chosen")] = False
    concentric: Annotated[bool, note("whether the attack is concentric")] = False

    @property
    def cost(self) -> tuple[int, bool]:
        """What it spends: supply units first, then a Headquarters."""
        return len(self.supply), bool(self.hq)


def plan_of(parameters: BattleParameters, combat: Engagement) -> Plan:
    """A combat as a plan."""
    return Plan(
        attackers=tuple(one.unit.id for one in combat.attackers),
        hq=parameters.hq,
        supply=parameters.supply,
        attack=combat.attack,
        defence=combat.defence,
        percent=combat.percent,
        column=combat.column,
        shock=combat.shock,
        concentric=combat.concentric,
    )


def largest(view: View, at: str) -> Iterator[tuple[BattleParameters, Plan]]:
    """The largest attack on a hex with each Headquarters or none and each set of supply units, the cheapest first; without a Headquarters,
    of each nation apart.

    Raises InputError where nothing attacks and for too many supply units in reach, MissingFacts for what is not stated.
    """
    bare = BattleParameters(at=at)
    everybody = engage(view, bare)
    nations = {one.unit.nation for one in everybody.attackers}
    groups = [
        tuple(one.unit.id for one in everybody.attackers if one.unit.nation != nation) for nation in sorted(nations)
    ]
    supplies = useful(view, bare, everybody.side)
    quiet = view.unnoticed()
    for count in range(len(supplies) + 1):
        for chosen in combinations(supplies, count):
            for withheld in groups:
                yield from tried(quiet, msgspec.structs.replace(bare, withhold=withheld, supply=chosen))
        for name in helpers(quiet, everybody.side, HEADQUARTERS):
            for chosen in combinations(supplies, count):
                yield from tried(quiet, msgspec.structs.replace(bare, hq=name, supply=chosen))


def tried(view: View, parameters: BattleParameters) -> Iterator[tuple[BattleParameters, Plan]]:
    """An attack, if the rules allow it."""
    if combat := allowed(view, parameters):
        yield parameters, plan_of(parameters, combat)


def useful(view: View, parameters: BattleParameters, side: str) -> tuple[str, ...]:
    """The supply units of a side that would supply somebody in an attack of all or of one nation."""
    found = []
    for name in helpers(view, side, SUPPLY):
        combat = engage(view.unnoticed(), msgspec.structs.replace(parameters, supply=(name,)))
        if any(one.supplied for one in combat.attackers):
            found.append(name)
    if len(found) > MOST_SUPPLY:
        raise InputError(f"{len(found)} supply units reach the attackers", hint="ask battle with those to expend")
    return tuple(found)


def cheapest(view: View, at: str, column: str) -> Plan | None:
    """The cheapest attack that reaches a column: fewest supply units, then no Headquarters; then the weakest units are withheld one
    by one while the column is reached. None if none reaches it.
    """
    reaching = ((parameters, plan) for parameters, plan in largest(view, at) if rank(plan.column) >= rank(column))
    best = min(reaching, key=lambda one: one[1].cost, default=None)
    return trimmed(view, *best, column) if best else None


def trimmed(view: View, parameters: BattleParameters, plan: Plan, column: str) -> Plan:
    """A plan without the units that it can spare, the weakest first."""
    quiet = view.unnoticed()
    for unit in by_strength(quiet, parameters, plan.attackers):
        fewer = msgspec.structs.replace(parameters, withhold=(*parameters.withhold, unit))
        combat = allowed(quiet, fewer)
        if combat and rank(combat.column) >= rank(column):
            parameters, plan = fewer, plan_of(fewer, combat)
    return plan


def by_strength(view: View, parameters: BattleParameters, units: Sequence[str]) -> list[str]:
    """The attackers, the weakest first."""
    strengths = {one.unit.id: one.strength for one in engage(view, parameters).attackers}
    return sorted(units, key=lambda unit: (strengths[unit], unit))
