"""A combat before its dice: made ready for them, its chances, the checks to come, and what would change it: what
`battle` tells of one attack and `need` of several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from assistant.mechanics.chances import Chances
from assistant.questions import Answers, Part, View, step
from assistant.questions.play import Aliases, Play, play
from assistant.questions.what_if import NextColumn, brief_changes, next_column, next_column_step, what_if
from assistant.state.state import hexside

from ..combat.engagement import BattleParameters, Engagement, initial_odds
from ..combat.legality import out_of_turn, refusals
from ..combat.pieces import Pieces
from ..combat.reckoning import Combat, KnownCheck, Reckoning, on_the_dice, policies, weigh
from ..combat.setup import agreed, engage, without
from ..combat.tables import attacker_check_modifiers, defender_check_modifiers, force_cel, force_modifiers
from ..forces.units import SIDES, Force, Role
from ..results.resolution import Start, resolution
from ..results.retreating import may_open
from .report import BattleChances, BattleResult, ForceChances, NamedPolicy, OptionalUnit


def before_the_dice(
    view: View, engagement: Engagement, parameters: BattleParameters, *, dice: bool = False
) -> tuple[Engagement, BattleResult, Combat]:
    """A combat with the readings that matter for its dice, all that is certain of it, and what the dice need. dice: whether any are given, so
    that ways back are walked whatever is known of the ground. Raises InputError for a policy that is none."""
    _, combat = weigh(engagement)
    pieces = Pieces(view) if dice or ground_known(view, engagement) else None
    engagement = replace(engagement, readings=agreed(view, engagement.readings, on_the_dice(combat)))
    reckoning, combat = weigh(engagement)
    battle = BattleResult(**msgspec.structs.asdict(reckoning))
    return engagement, battle, replace(combat, policies=policies(engagement, parameters), pieces=pieces)


def ground_known(view: View, engagement: Engagement) -> bool:
    """Whether anything is stated of the ground around the defender, and not assumed alone, so that its way back can be looked at before
    the dice."""
    places = {unit.place for unit in engagement.attackers}
    around = [hex for hex in view.board.neighbours(engagement.at) if hex not in places]
    known = (view.fact(*key) for hex in around for key in (("terrain", hex), ("barrier", hexside(engagement.at, hex))))
    return any(fact is not None and not fact.assumed for fact in known)


def played_out(view: View, combat: Combat, answers: Answers, aliases: Aliases | None = None) -> Play:
    """A combat played as far as these dice and choices lead. aliases: the names that they may have."""
    return play(view, resolution(combat, view.cell), Start(), answers, aliases=aliases)


def battle_chances(combat: Combat, every: Chances) -> BattleChances:
    """The chances that players ask for, out of all that can come of a combat."""

    def of_force(force: Force) -> ForceChances:
        before, name = max(unit.disorder for unit in force.units), force.name
        return ForceChances(
            force=name,
            passes=every.probability(lambda passes: passes is True, f"{name}.passes"),
            retreats=every.probability(bool, f"{name}.retreat"),
            disordered=every.probability(lambda degree: (degree or 0) > before, f"{name}.disorder"),
            surrenders=every.probability(bool, f"{name}.surrenders"),
        )

    forces = [force for role in SIDES for stack in combat.forces[role].values() for force in stack]
    checking = [force for force in forces if any(unit.arm != "artillery" for unit in force.units)]
    listed = [f"{role}.{what}" for what in ("losses", "steps", "retreat") for role in SIDES]
    figures: dict[str, Any] = {name.replace(".", "_"): every.likelihoods(name) for name in listed}
    figures |= {f"{role}_mean": every.mean(f"{role}.steps") for role in SIDES}
    figures |= {f"{role}_policy": NamedPolicy(*combat.policies[role][:2]) for role in SIDES}
    return BattleChances(
        crt=tuple(sorted(every.likelihoods("crt"), key=lambda one: -one.chance)),
        vacates=every.probability(lambda leaves: leaves is True, "defender.vacates"),
        forces=tuple(map(of_force, checking)),
        may_open=may_open(combat),
        situations=every.situations,
        ways=combat.policies["attacker"].way if combat.pieces else "",
        **figures,
    )


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
    always = force_modifiers(force.units, [0] * len(force.units), engagement.turn)
    if role == "attacker":
        always += attacker_check_modifiers(asterisk=False, odds=combat.counted)
        held = always
    else:
        under = engagement.flanked, engagement.position
        held = always + defender_check_modifiers(*under, retreat=0, odds=combat.counted)
        always += defender_check_modifiers(*under, retreat=1, odds=combat.counted)
    in_place = tuple(modifier for modifier in held if modifier not in always)
    place, cel = force.units[0].place, force_cel(force.units)
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

    def outcome(quiet: View, switched: BattleParameters, unit: str) -> Reckoning | None:
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
