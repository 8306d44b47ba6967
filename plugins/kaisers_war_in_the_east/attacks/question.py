"""The questions `attacks` and `need`: every hex that a side can attack, ranked by column, and the cheapest attack that reaches one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from msgspec.structs import replace

from assistant.questions import InputError, View
from assistant.readymade.attacks import AttackRules, Plan, attack_questions

from ..combat.engagement import BattleParameters, Engagement, engage
from ..combat.legality import allowed, helpers
from ..combat.strength import COLUMNS
from ..terms import HEADQUARTERS, SUPPLY

MOST_SUPPLY = 6
"""The most supply units in reach of an attack whose sets are gone through."""
Attack = tuple[BattleParameters, Engagement]


def attacks_on(view: View, at: str) -> Iterator[Attack]:
    """The largest attack on a hex with each Headquarters or none and each set of supply units that the rules allow. Without a Headquarters each
    nation attacks apart.

    Raises InputError where nothing attacks and for too many supply units in reach, MissingFacts for what is not stated.
    """
    bare = BattleParameters(at=at)
    everybody, quiet = engage(view, bare), view.unnoticed()
    units = [one.unit for one in everybody.attackers]
    supplies = useful(quiet, bare, helpers(view, everybody.side, SUPPLY))
    apart = [
        replace(bare, withhold=tuple(one.id for one in units if one.nation != nation))
        for nation in sorted({one.nation for one in units})
    ]
    led = [replace(bare, hq=name) for name in helpers(quiet, everybody.side, HEADQUARTERS)]
    for count in range(len(supplies) + 1):
        for battle in (*apart, *led):
            for chosen in combinations(supplies, count):
                parameters = replace(battle, supply=chosen)
                if combat := allowed(quiet, parameters):
                    yield parameters, combat


def useful(view: View, parameters: BattleParameters, names: Iterable[str]) -> tuple[str, ...]:
    """The supply units that would supply somebody in an attack of all. Raises InputError for too many."""
    tried = {name: engage(view.unnoticed(), replace(parameters, supply=(name,))) for name in names}
    found = tuple(name for name, combat in tried.items() if any(one.supplied for one in combat.attackers))
    if len(found) > MOST_SUPPLY:
        raise InputError(f"{len(found)} supply units reach the attackers", hint="ask battle with those to expend")
    return found


def without(view: View, attack: Attack, unit: str) -> Attack | None:
    """An attack without one of its units, None if the rules do not allow that."""
    parameters = replace(attack[0], withhold=(*attack[0].withhold, unit))
    combat = allowed(view.unnoticed(), parameters)
    return (parameters, combat) if combat else None


def weakest_first(attack: Attack) -> list[str]:
    """The units of an attack, those first that add least to it."""
    return [one.unit.id for one in sorted(attack[1].attackers, key=lambda one: (one.strength, one.unit.id))]


def plan_of(attack: Attack) -> Plan:
    """An attack as plain values."""
    parameters, combat = attack
    remarks = {"concentric": combat.concentric, "Shock table possible": combat.shock}
    return Plan(
        attackers=tuple(one.unit.id for one in combat.attackers),
        support=(parameters.hq,) if parameters.hq else (),
        expended=parameters.supply,
        attack=combat.attack,
        defence=combat.defence,
        column=combat.column,
        remarks=tuple(remark for remark, holds in remarks.items() if holds),
    )


QUESTIONS = attack_questions(
    AttackRules(COLUMNS, attacks_on, plan_of, weakest_first, without, rules=("14.4", "14.13", "14.8"))
)
