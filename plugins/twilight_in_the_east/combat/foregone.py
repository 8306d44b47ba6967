"""What forbids a combat whatever is not stated of it yet, so that nothing more need be asked for (10.0, 10.1)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from assistant.questions import MissingFacts, Step, View

from ..forces.bars import FOUGHT, RETREATED
from ..forces.reading import gather_unit
from ..forces.units import CombatUnit
from ..ground.hexsides import between, uncrossed
from ..ground.phases import phase_against
from ..terms import COMBAT_ARMS
from .engagement import BattleParameters
from .legality import again, apart, deserted, unable, unbridged, untimely
from .setup import points_at_others, present


def foregone(view: View, parameters: BattleParameters) -> list[Step]:
    """What forbids a combat whatever is not stated of it: the phase, defenders who have all retreated, or attackers, but for those whom
    the rules withhold (10.1.5).

    Raises InputError for a combat that cannot be named.
    """
    at = parameters.at
    steps = untimely(phase_against(view, at), at)
    with suppress(MissingFacts):
        here, around = engaging(view, parameters)
        ready = [one for one in around if not (RETREATED.holds(one) or points_at_others(view, one, at))]
        spent = here if all(map(FOUGHT.holds, here)) else ()  # else those that have fought may stay out
        steps += [*deserted(at, here), *of_attackers(view, at, ready), *again([*spent, *ready])]
    return steps


def of_attackers(view: View, at: str, attackers: Sequence[CombatUnit]) -> list[Step]:
    """What forbids units to attack a hex, as far as it is stated: what each of them is and bears, its place, and who is with it."""
    near = [place for place in dict.fromkeys(unit.place for unit in attackers) if place in view.board.neighbours(at)]
    return [
        *unbridged(at, [place for place in near if uncrossed(between(view, place, at))]),
        *(line for unit in attackers for line in unable(unit, at, view.board.neighbours(at))),
        *apart(attackers, "attacker"),
    ]


def engaging(view: View, parameters: BattleParameters) -> tuple[list[CombatUnit], list[CombatUnit]]:
    """The units in a hex, those withheld among them, and the combat units that would attack it, with their status; no ratings are read.

    Raises MissingFacts if it is not stated who stands there, InputError for a combat that cannot be named.
    """
    with view.gather() as facts:
        here, around = present(facts, parameters)
        around = [
            one for one in around if one.id not in parameters.withhold and facts.word("arm", one.id) in COMBAT_ARMS
        ]
        for unit in around:
            facts.word("size", unit.id)
    status = view.gather()  # never left: what is missing of their ratings reads as 0, and is not asked for
    defending, attacking = ([gather_unit(status, unit, None) for unit in units] for units in (here, around))
    return defending, attacking
