"""The attacks that a side can make on a hex, for `attacks`, `need` and `threat` (14.4, 14.8, 17.10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace

from assistant.asking import InputError, View
from assistant.rules.attacks import AttackNumbers, AttackPlan, AttackRules
from assistant.rules.battle import DescribedCombat

from ..terms import HEADQUARTERS, SUPPLY
from .engagement import BattleParameters, Engagement, engage, find_helpers
from .legality import COMBATS
from .strengths import COLUMNS

MOST_SUPPLY = 6
"""The most supply units in reach of an attack whose sets are gone through."""
Described = DescribedCombat[BattleParameters, Engagement]


def _list_attacks(view: View, at: str) -> Iterator[Described]:
    """Yield the largest attack on a hex with each Headquarters or none and each set of supply units that the rules
    allow. Without a Headquarters each nation attacks apart.

    Raises InputError where nothing attacks and for too many supply units in reach, MissingFacts for what is not stated.
    """
    bare = BattleParameters(at=at)
    everybody = engage(view, bare)
    quiet = view.unnoticed()
    units = [attacker.unit for attacker in everybody.attackers]
    apart = []
    for nation in sorted({unit.nation for unit in units}):
        others = tuple(unit.id for unit in units if unit.nation != nation)
        apart.append(replace(bare, withhold=others))
    led = [replace(bare, hq=name) for name in find_helpers(quiet, everybody.side, HEADQUARTERS)]
    supplies = _find_useful_supply(quiet, (bare, *led), find_helpers(view, everybody.side, SUPPLY))
    for count in range(len(supplies) + 1):
        for described in (*apart, *led):
            for chosen in combinations(supplies, count):
                if attack := COMBATS.allowed(view, replace(described, supply=chosen)):
                    yield attack


def _find_useful_supply(view: View, ways: Sequence[BattleParameters], names: Iterable[str]) -> tuple[str, ...]:
    """Return the supply units that would supply somebody, if only the Headquarters that supports (19.4), in an attack
    of all.

    ways: that attack without a Headquarters and with each. Raises InputError for too many.
    """

    def supplies_somebody(name: str) -> bool:
        for way in ways:
            combat = engage(view.unnoticed(), replace(way, supply=(name,)))
            if any(fighter.supplied for fighter in (*combat.attackers, *combat.support)):
                return True
        return False

    supplying = tuple(filter(supplies_somebody, names))
    if len(supplying) > MOST_SUPPLY:
        raise InputError(f"{len(supplying)} supply units reach the attackers", hint="name those to expend: supply=UNIT")
    return supplying


def _measure_strengths(attack: Described) -> dict[str, int]:
    """Return what each unit of an attack adds to it."""
    return {attacker.unit.id: attacker.strength for attacker in attack.combat.attackers}


def _plan_of(attack: Described) -> AttackPlan:
    """Return an attack as plain values."""
    parameters, combat = attack
    remarks = {"concentric": combat.concentric, "Shock table possible": combat.shock}
    return AttackPlan(
        attackers=tuple(attacker.unit.id for attacker in combat.attackers),
        support=(parameters.hq,) if parameters.hq else (),
        expended=parameters.supply,
        attack=combat.attack,
        defence=combat.defence,
        column=combat.column,
        remarks=tuple(remark for remark, holds in remarks.items() if holds),
    )


ATTACKS = AttackRules(
    COLUMNS, _list_attacks, _plan_of, _measure_strengths, COMBATS.without, AttackNumbers("14.4", "14.13", "14.8")
)
"""The attacks that a side can make."""
