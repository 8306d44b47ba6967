"""Repulses by stacks that are stuck in a retreat, and the situations of a retreat (8.5, 11.2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import InputError, MissingFacts, note
from assistant.asking.wording import fill
from assistant.mechanics.procedure import Apart, Choice, Done, Node, Quantity, Roll, Situation

from ..combat.before_dice import Combat
from ..combat.engagement import Cause
from ..combat.pieces import unit_of
from ..forces.falling import find_falling
from ..forces.units import OPPONENTS, Role
from ..leaders.command import leader_named
from ..leaders.facts import count_uses_of
from ..repulse.rules import (
    REPULSED_HEXES,
    Rolled,
    defending_forces,
    engage_in_retreat,
    failure_cost,
    losing_in_vain,
    may_be_cleared,
    may_try,
    needs,
    position_now,
    repulse_procedure,
    units_taking_part,
)
from ..terms import SUPPLY_ARMS
from .retreats import FirstStack, RetreatDuty, Retreats, StepsToShare, next_in_retreats, whole_forces

REPULSE_NAMES: dict[Cause, str] = {"crt": "repulse", "check": "onward-repulse"}
"""The first word of a Repulse's answers, by the cause of the retreat in which it is tried."""
PUSHED_WAY_NAMES: dict[Cause, str] = {"crt": "repulsed", "check": "onward-repulsed"}
"""The first word of the answers for the retreat of a stack that a Repulse pushes away, by the same cause."""


class RetreatRepulse(msgspec.Struct, frozen=True):
    """A Repulse that a Force of the first stack tries in its retreat."""

    retreats: Annotated[Retreats, note("the retreats before the Repulse")]
    force: Annotated[str, note("the Force that tries it")]
    at: Annotated[str, note("the hex to be cleared")]
    so_far: Annotated[Situation, note("the present situation of the Repulse's own procedure")] = None
    crt: Annotated[str, note("the cell of the Combat Results Table that was rolled")] = ""
    repulsed: Annotated[bool | None, note("whether the Repulse has succeeded, or None before its end")] = None
    odds: Annotated[str, note("the odds after shifts, once the Repulse has ended")] = ""
    failed: Annotated[tuple[str, ...], note("defending Forces that failed their checks")] = ()
    leaders: Annotated[tuple[str, ...], note("leaders who applied in the Repulse")] = ()
    next: Annotated[Retreats | None, note("the retreats after the Repulse, or None before its end")] = None

    @property
    def name(self) -> str:
        """The common beginning of the names of the Repulse's answers."""
        return f"{REPULSE_NAMES[self.retreats.cause]}.{self.retreats.duties[0].name}"


def follow_retreats(combat: Combat, situation: Situation) -> Node:
    """Return what follows a situation of a retreat, by the result, a check or a Repulse."""
    if isinstance(situation, Retreats):
        return offer_repulse(combat, situation) if situation.stage == "stuck" else next_in_retreats(combat, situation)
    assert isinstance(situation, RetreatRepulse)
    return Apart({"": situation.next}) if situation.next else try_repulse(combat, situation)


def offer_repulse(combat: Combat, retreats: Retreats) -> Node:
    """Return the choice of the one Repulse that a stack may try in its retreat.

    It may try one if no hex is open to it except last resorts. The options are no Repulse, and the hexes that a Force
    of the stack could clear. A stack that a Repulse pushes away tries none.

    Rule: 8.5.1c
    """
    stack = FirstStack(combat, retreats)
    duty, layout, here = stack.duty, stack.layout, retreats.here
    able = [force.name for force in stack.going if may_try(force)]
    held = [hex for hex in stack.terrain.neighbours(here) if may_be_cleared(layout, stack.ground, here, hex)]
    tried = (replace(duty, has_tried_repulse=True), *retreats.duties[1:])
    going_on = replace(retreats, duties=tried, entered=stack.entered, stage="going")
    if retreats.cause == "repulse":
        return Apart({"": going_on})
    tries = dict[str, RetreatRepulse]()
    for hex in held:
        for name in able:
            tries[hex if len(able) == 1 else f"{hex},{name}"] = RetreatRepulse(going_on, name, hex)
    text = "a Repulse from {here}, where no hex[others: on the map] is open to the stack"
    title = fill(text, {"here": here, "others": stack.list_next_hexes()})
    options: dict[str, Situation] = {"none": going_on, **tries}
    remarks = partial(_format_odds, combat, tries)
    return Choice(f"{REPULSE_NAMES[retreats.cause]}.{duty.name}", "8.5", title, duty.role, options, remarks=remarks)


def _format_odds(combat: Combat, tries: Mapping[str, RetreatRepulse]) -> dict[str, str]:
    """Return a remark on each Repulse: its odds, and whether it must fail or succeed without a roll (8.5.2).

    A Repulse is left out if a fact that it needs is missing.
    """
    odds = dict[str, str]()
    for name, attempt in tries.items():
        try:
            final = _engage_repulse(combat, attempt, quiet=True).odds
        except (InputError, MissingFacts):
            continue
        text = "odds of {final}[vain:: it cannot succeed][certain:: it succeeds]"
        promise = needs(final)
        figures = {"final": f"{final}", "vain": promise == "hopeless", "certain": promise == "automatic"}
        odds[name] = fill(text, figures)
    return odds


def _engage_repulse(combat: Combat, attempt: RetreatRepulse, *, quiet: bool = False) -> Combat:
    """Return a Repulse as a combat, with all pieces in their present hexes.

    `quiet`: whether to leave its assumptions out of the report, as when options are only compared.

    Raises MissingFacts if a fact that the Repulse needs is not stated.
    """
    retreats = attempt.retreats
    forces = FirstStack(combat, retreats).forces
    standing = {unit.id: retreats.here for force in forces.values() for unit in force.units}
    now = position_now(combat.standing, retreats.toll, standing, quiet=quiet)
    effective = [leader for leader, _ in combat.engagement.telling()]
    before = [leader_named(name) for name, uses in retreats.toll.led for _ in range(uses)]
    now = now.after([*count_uses_of(now, (*effective, *before))])
    return engage_in_retreat(now, attempt.at, retreats.here, {unit.id for unit in forces[attempt.force].units})


def try_repulse(combat: Combat, attempt: RetreatRepulse) -> Node:
    """Return the next roll of a Repulse in a retreat, named after that retreat, or what follows. Rule: 8.5"""
    fight = _engage_repulse(combat, attempt)
    node = repulse_procedure(fight, combat.standing.view.cell)(attempt.so_far)
    notes = {f"{attempt.name}.{name}": value for name, value in node.notes.items()}
    if isinstance(node, Done):
        return Apart({"": end_repulse(combat, fight, attempt, node.notes)}, notes)
    if not isinstance(node, Roll):
        return node
    rolled = node

    def then(natural: int) -> Situation:
        so_far = rolled.then(natural)
        return replace(attempt, so_far=so_far, crt=so_far.crt if isinstance(so_far, Rolled) else attempt.crt)

    side = node.side if attempt.retreats.duties[0].role == "attacker" else OPPONENTS.get(node.side, "")
    return replace(node, name=f"{attempt.name}.{node.name.partition('.')[0]}", notes=notes, then=then, side=side)


def end_repulse(
    combat: Combat, fight: Combat, attempt: RetreatRepulse, notes: Mapping[str, Quantity]
) -> RetreatRepulse:
    """Return a Repulse that has ended.

    If it fails, its units lose steps. If it succeeds, the stack pushed away pays for failed checks and retreats before
    the other retreats go on.

    `fight`: the Repulse as a combat.
    `notes`: the results of its dice.

    Rule: 8.5.3, 8.5.4b
    """
    leaders = tuple(leader.leader for leader, _ in fight.engagement.telling())
    before = attempt.retreats
    retreats = replace(before, toll=before.toll.and_led(leaders))
    ended = replace(attempt, odds=str(fight.odds), leaders=leaders)
    if notes.get("repulsed") is False:
        return replace(ended, repulsed=False, next=_pay_in_vain(combat, fight, retreats, attempt.force))
    pieces = combat.standing
    role: Role = "defender" if retreats.duties[0].role == "attacker" else "attacker"
    pushed = pieces.after(retreats.toll).forces_at(attempt.at)
    toll = retreats.toll
    to_share = list[StepsToShare]()
    failed = []
    for force in defending_forces(fight):
        if not notes[f"{force.name}.failed_by"]:
            continue
        failed.append(force.name)
        levels, steps = failure_cost(force, pieces.view.ruling)
        toll = toll.and_levels({force.name: levels})
        whole = next(candidate for candidate in pushed if any(unit.id == force.name for unit in candidate.units))
        if steps:
            to_share.append(StepsToShare(role, whole, steps, REPULSE_NAMES[retreats.cause], "8.5.3"))
    stands = [unit_of(pieces.view, piece.id) for piece in pieces.after(toll).at(attempt.at)]
    falling = find_falling(unit.id for unit in stands if unit.arm in SUPPLY_ARMS)
    toll = toll.and_eliminated({unit.id: unit.left for unit in stands if unit.id in falling})
    hexes = tuple((force.name, REPULSED_HEXES) for force in pushed)
    answer_name = f"{PUSHED_WAY_NAMES[retreats.cause]}.{retreats.duties[0].name}"
    leaving = RetreatDuty(role, attempt.at, attempt.at, hexes, pushed_forces=pushed, answer_name=answer_name)
    after = Retreats("repulse", (leaving,), toll, retreats, steps_to_share=tuple(to_share))
    return replace(ended, repulsed=True, failed=tuple(failed), next=after)


def _pay_in_vain(combat: Combat, fight: Combat, retreats: Retreats, force: str) -> Retreats:
    """Return retreats after a failed Repulse, with the steps that it costs. Rule: 8.5.4b"""
    attempting = units_taking_part(fight.engagement)
    who = combat.standing.view.ruling("repulse-step", len(attempting) > 1)
    if who == "force":
        duty = retreats.duties[0]
        whole = whole_forces(combat, duty)[force]
        return replace(
            retreats, steps_to_share=(StepsToShare(duty.role, whole, 1, REPULSE_NAMES[retreats.cause], "8.5.4"),)
        )
    losing = losing_in_vain(attempting, who)
    dead = {unit.id: "" for unit in losing if unit.left == 1}
    toll = retreats.toll.and_steps(dict.fromkeys((unit.id for unit in losing), 1)).and_moved(dead)
    return replace(retreats, toll=toll)
