"""What is known of the Effectiveness Checks before the dice of a combat (11.3.1)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.questions import Part, step

from ..forces.units import SIDES, Force, Role
from ..results import effectiveness
from ..results.combat import Combat
from .result import KnownCheck


def known_checks(combat: Combat) -> tuple[KnownCheck, ...]:
    """The check that each Force will make, artillery alone making none, with the modifiers that do not depend on the dice."""
    found = ((role, force) for role in SIDES for stack in combat.forces[role].values() for force in stack)
    return tuple(
        known_check(combat, role, force)
        for role, force in found
        if any(unit.arm != "artillery" for unit in force.units)
    )


def known_check(combat: Combat, role: Role, force: Force) -> KnownCheck:
    """One Force's check. An Improved Position helps a defender who stays in it."""
    engagement = combat.engagement
    always = effectiveness.force_modifiers(force.units, [0] * len(force.units), engagement.turn)
    if role == "attacker":
        always += effectiveness.attacker_modifiers(asterisk=False, odds=combat.counted)
        held = always
    else:
        under = engagement.flanked, engagement.position
        held = always + effectiveness.defender_modifiers(*under, retreat=0, odds=combat.counted)
        always += effectiveness.defender_modifiers(*under, retreat=1, odds=combat.counted)
    in_place = tuple(modifier for modifier in held if modifier not in always)
    place, cel = force.units[0].place, effectiveness.force_cel(force.units)
    return KnownCheck(force.name, role, place, cel, always, in_place)


def checks_part(checks: Iterable[KnownCheck]) -> Part:
    """The checks in words, a line for each stack, whose Forces check by one roll."""
    by_hex: dict[str, list[str]] = {}
    for check in checks:
        known = [f"{modifier.amount:+} {modifier.why}" for modifier in check.modifiers]
        known += [f"{modifier.amount:+} {modifier.why} unless it retreats" for modifier in check.in_place]
        listed = f" ({', '.join(known)})" if known else ""
        by_hex.setdefault(check.place, []).append(f"{check.force} against {check.cel}{listed}")
    text = "the stack in {place} checks: {checking}"
    steps = tuple(step("11.3.1", text, place=at, checking=told) for at, told in by_hex.items())
    return Part("Checks to come", steps, brief="")
