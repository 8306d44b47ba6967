"""A Repulse that a stack tries in its retreat, where no hex is open: its dice, and what comes of them (8.5)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from assistant.mechanics.procedure import Apart, Done, Node, Quantity, Roll, Situation
from assistant.questions import View, step
from assistant.questions.view import changed
from assistant.state.changes import Change

from ..combat import odds
from ..combat.engagement import BattleParameters
from ..combat.setup import engage
from ..combat.strength import initial_odds, rounded_total
from ..forces.reading import fighting, gather_unit
from ..forces.step_changes import step_losses
from ..forces.units import SIDES, CombatUnit, Force, Role, forces
from ..retreat.pieces import Layout
from ..terms import COMBAT_ARMS, GREAT_RIVERS
from . import repulse
from .combat import Combat, combat_of
from .marching import PUSHED, TRIES, Bill, Leg, Marches, Trying, standing


class Tried(msgspec.Struct, frozen=True):
    """A Repulse that has been tried. odds: final; crt: the cell rolled, "" without a roll; failed: the Forces that fail their checks;
    next: what follows."""

    trying: Trying
    odds: str
    repulsed: bool
    failed: tuple[str, ...]
    next: Marches


def try_repulse(combat: Combat, trying: Trying) -> Node:
    """The next roll of a Repulse in a retreat, named after that retreat, or what follows. Rule: 8.5"""
    assert combat.pieces is not None
    attempt = as_combat(combat, trying)
    node = repulse.attempt(attempt, combat.pieces.view.cell)(trying.so_far)
    notes = {f"{trying.name}.{name}": value for name, value in node.notes.items()}
    if isinstance(node, Done):
        return Apart({"": ended(combat, attempt, trying, node.notes)}, notes)
    if not isinstance(node, Roll):
        return node
    rolled = node

    def then(natural: int) -> Situation:
        so_far = rolled.then(natural)
        crt = so_far.crt if isinstance(so_far, repulse.Rolled) else trying.crt
        return replace(trying, so_far=so_far, crt=crt)

    return replace(node, name=f"{trying.name}.{node.name.partition('.')[0]}", notes=notes, then=then)


def has_been_tried(tried: Tried) -> Apart:
    """What follows a Repulse."""
    return Apart({"": tried.next})


def as_combat(combat: Combat, trying: Trying) -> Combat:
    """The Repulse as a combat, with all where they stand by now and as they are by now. Whoever defends is settled for its owner.

    Raises MissingFacts for what it needs and is not stated. Rule: 8.5.1, 8.5.2
    """
    assert combat.pieces is not None
    marches, at = trying.marches, trying.at
    view = as_it_is(combat, marches)
    with view.gather() as facts:
        here = [unit.id for unit in view.stack(marches.here)]
        there = [gather_unit(facts, unit, None) for unit in fighting(facts, at)]
    out = repulse.withheld_from(there)
    if out:
        text = "{units} do not defend against the Repulse of {at}: one arm and two divisions do (its owner may choose others)"
        view.presume(step("8.5.5", text, units=list(out), at=at))
    trying_it = {unit.id for unit in standing(combat, marches)[trying.force].units}
    parameters = BattleParameters(
        at=at,
        from_=(marches.here,),
        withhold=(*repulse.uninvolved(here, trying_it), *out),
        attacker_ap=("none",),
        defender_ap=("none",),
    )
    engagement = repulse.as_repulse(engage(view, parameters, barred=GREAT_RIVERS))
    attack, defence = (
        rounded_total([engagement.strengths(unit, role)[0] for unit in engagement.side(role)]) for role in SIDES
    )
    _, final = odds.final_odds(attack, defence, odds.column_shifts(engagement))
    return combat_of(engagement, final, "", initial_odds(attack, defence))


def as_it_is(combat: Combat, marches: Marches) -> View:
    """The position as a combat has left it so far, with the first stack where its way has led it."""
    assert combat.pieces is not None
    view, toll = combat.pieces.view, marches.toll
    going = {unit.id: marches.here for force in standing(combat, marches).values() for unit in force.units}
    places = {**dict(toll.moved), **going}
    changes: list[Change] = []
    for name, lost in toll.steps:
        if places.get(name) != "":
            changes += step_losses(view, unit_of(view, name), lost)
    changes += [
        changed(view, "cel", name, view.integer("cel", name) - levels, "11.2.5") for name, levels in toll.levels
    ]
    changes += [changed(view, "disorder", name, degree, "11.3.2") for name, degree in toll.disorder]
    gone = {change.subject for change in changes if change.track == "place"}
    for name, place in places.items():
        if name not in gone and place != view.unit(name).place:
            changes.append(changed(view, "place", name, place or None, "11.2.1"))
    return view.after(changes)


def unit_of(view: View, name: str) -> CombatUnit:
    """A unit as the position has it."""
    with view.gather() as facts:
        return gather_unit(facts, view.unit(name), None)


def ended(combat: Combat, attempt: Combat, trying: Trying, notes: Mapping[str, Quantity]) -> Tried:
    """What comes of a Repulse: steps of those who have tried in vain, or checks and a retreat of two hexes of the stack that is pushed
    away; then the retreat goes on. Rule: 8.5.3, 8.5.4b
    """
    final, marches = str(attempt.odds), trying.marches
    if notes.get("repulsed") is False:
        return Tried(trying, final, False, (), repelled(combat, attempt, trying))
    if not any(name.endswith(".failed_by") for name in notes):
        raise TypeError(f"{notes!r} do not end a Repulse")
    assert combat.pieces is not None
    view, role = combat.pieces.view, other_side(marches.todo[0].role)
    pushed = forces_at(combat, trying.at, combat.pieces.layout(marches.toll.moved, marches.toll.steps))
    toll, bills, failed = marches.toll, list[Bill](), []
    for force in repulse.defending(attempt):
        if not notes[f"{force.name}.failed_by"]:
            continue
        failed.append(force.name)
        spent = force.formation is not None and force.formation.demoralized
        levels, steps = repulse.failing(force, view.ruling("repulse-demoralized", spent))
        toll = toll.and_levels({force.name: levels})
        whole = next(one for one in pushed if any(unit.id == force.name for unit in one.units))
        bills += [Bill(role, whole.name, steps, TRIES[marches.cause], "8.5.3", whole)] if steps else []
    owed = tuple((force.name, repulse.HEXES) for force in pushed)
    named = f"{PUSHED[marches.cause]}.{marches.todo[0].place}"
    leg = Leg(role, trying.at, trying.at, owed, tried=True, forces=pushed, named=named)
    return Tried(trying, final, True, tuple(failed), Marches("repulse", (leg,), toll, marches, bills=tuple(bills)))


def other_side(role: Role) -> Role:
    """The side that fights against one."""
    return "defender" if role == "attacker" else "attacker"


def forces_at(combat: Combat, place: str, layout: Layout) -> tuple[Force, ...]:
    """The Forces that stand in a hex, as they were before the combat: what it has cost them is told apart. layout: where all stand."""
    assert combat.pieces is not None
    view = combat.pieces.view
    there = [piece.id for piece in layout.at(place) if piece.arm in (*COMBAT_ARMS, "artillery")]
    return forces([unit_of(view, name) for name in there])


def repelled(combat: Combat, attempt: Combat, trying: Trying) -> Marches:
    """The retreat after a Repulse in vain, with the steps that this costs. Rule: 8.5.4b"""
    assert combat.pieces is not None
    marches, attempting = trying.marches, repulse.taking_part(attempt.engagement)
    who = combat.pieces.view.ruling("repulse-step", len(attempting) > 1)
    if who == "force":
        bill = Bill(marches.todo[0].role, trying.force, 1, TRIES[marches.cause], "8.5.4")
        return replace(marches, bills=(bill,))
    losing = [unit for unit in attempting if who == "every" or unit.arm in COMBAT_ARMS]
    dead = {unit.id: "" for unit in losing if unit.left <= 1}
    toll = marches.toll.and_steps(dict.fromkeys((unit.id for unit in losing), 1)).and_moved(dead)
    return replace(marches, toll=toll)
