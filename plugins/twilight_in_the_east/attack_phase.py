"""What an attack phase allows once: who attacks in it, and which hexes and units have been in a combat already (10.0, 10.1)."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from assistant.report import Step
from assistant.view import View

if TYPE_CHECKING:
    from .engagement import Engagement

ATTACK_PHASES = ("attack", "counter-attack")
COUNTERS = ("counter-movement", "counter-attack")
"""The phases in which the side is active whose player turn it is not."""


class AttackPhase(NamedTuple):
    """The phase in which a combat is fought.

    phase: its name, "" if nobody says; active, attacking: the side whose phase it is, "" if nobody says, and the side that
    attacks in the combat; attacked: whether the defending hex has been attacked in it already.
    """

    phase: str = ""
    active: str = ""
    attacking: str = ""
    attacked: bool = False


def phase_of(view: View) -> str:
    """The phase of the player turn, "" if nobody says."""
    fact = view.fact("phase")
    return str(fact.value) if fact else ""


def attack_phase(view: View, at: str, attacking: str) -> AttackPhase:
    """The phase of a combat, as far as it is known. at: the defending hex; attacking: the side that attacks it."""
    attacked = view.fact("attacked", at)
    return AttackPhase(phase_of(view), active_now(view), attacking, bool(attacked and attacked.value))


def active_now(view: View) -> str:
    """The side that is active now, "" if nobody says."""
    phasing = view.fact("phasing")
    return active_side(phase_of(view), str(phasing.value), tuple(view.game.file.sides)) if phasing else ""


def active_side(phase: str, phasing: str, sides: Collection[str]) -> str:
    """The side that is active in a phase, which is the attacker in each of its combats; "" while the phase is not known.

    phasing: the side whose player turn it is; sides: both.

    Rule: 5.4, 10.0
    """
    if not phase:
        return ""
    return next(side for side in sides if (side == phasing) != (phase in COUNTERS))


def out_of_turn(found: Engagement) -> list[Step]:
    """What forbids a combat in this phase: it is no attack phase or the other side's, the hex has been attacked or a unit has
    been in a combat already, be it with a part of its strength.

    Rule: 10.1b, 10.1.1b
    """
    now = found.attack_phase
    steps = []
    if now.phase and now.phase not in ATTACK_PHASES:
        steps.append(Step("10.0", "combats are fought in attack phases: phase={phase}", {"phase": now.phase}))
    elif now.active and now.active != now.attacking:
        steps.append(Step("10.0", "the {active} side is active, and attacks in this phase", {"active": now.active}))
    if now.attacked:
        text = "{at} has been attacked in this phase already (in a new one state {at} attacked=no, or the new phase)"
        steps.append(Step("10.1", text, {"at": found.at}))
    if again := [unit.id for unit in (*found.attackers, *found.defenders) if unit.fought]:
        text = "in a combat of this phase already: {units} (in a new one state fought=no of each, or the new phase)"
        steps.append(Step("10.1", text, {"units": again}))
    return steps
