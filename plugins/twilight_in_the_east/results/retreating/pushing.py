"""A Repulse that a stack tries in its retreat, where no hex is open: its dice, and what comes of them (8.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from assistant.mechanics.procedure import Apart, Choice, Done, Node, Quantity, Roll, Situation
from assistant.questions import InputError, MissingFacts, View, step
from assistant.questions.view import changed
from assistant.state.changes import Change

from ...combat import odds
from ...combat.engagement import BattleParameters
from ...combat.setup import engage
from ...combat.strength import initial_odds, rounded_total
from ...forces.reading import fighting, gather_unit
from ...forces.step_changes import step_losses
from ...forces.units import SIDES, CombatUnit, Force, Role, forces
from ...retreat.clearing import may_be_cleared, may_try
from ...retreat.pieces import Layout
from ...terms import COMBAT_ARMS
from .. import repulse
from ..combat import Combat, combat_of
from .paying import arrived, paid_for
from .progress import going, own_forces_left, walked
from .situations import PUSHED, TRIES, Halted, Retreated, Retreats, StackRetreat, StepsDue, Trying
from .walking import retreat_on


class Tried(msgspec.Struct, frozen=True):
    """A Repulse that has been tried. odds: final; crt: the cell rolled, "" without a roll; failed: the Forces that fail their checks;
    next: what follows."""

    trying: Trying
    odds: str
    repulsed: bool
    failed: tuple[str, ...]
    next: Retreats


def retreat_nodes(combat: Combat) -> dict[type, Callable[[Any], Node]]:
    """What follows each situation of a retreat, whatever has caused it."""
    return {
        Retreats: partial(retreat_on, combat),
        Halted: partial(halted, combat),
        Retreated: arrived,
        Trying: partial(try_repulse, combat),
        Tried: has_been_tried,
    }


def halted(combat: Combat, at: Halted) -> Node:
    """The Repulse that a stack may try which no open hex is left to: the hexes that a Force of it could clear, and first none at all; or
    the end of its retreat where there is none, or it has tried one. Rule: 8.5.1c
    """
    assert combat.pieces is not None
    retreats = at.retreats
    stack, layout = own_forces_left(combat, retreats), combat.pieces.layout(retreats.toll.moved, retreats.toll.steps)
    moving = retreats.todo[0]
    able = [force.name for force in going(moving, stack, len(retreats.way)) if may_try(force)]
    over = Apart({"": paid_for(combat, retreats, stack, layout)})
    if moving.tried or retreats.cause == "repulse" or not able:
        return over
    side, here = combat.pieces.pieces[stack[able[0]].units[0].id].side, retreats.here
    held = [hex for hex in layout.pieces.terrain.neighbours(here) if may_be_cleared(layout, side, here, hex)]
    entered = walked(retreats, stack, layout)
    on_its_way = replace(retreats, todo=(replace(moving, tried=True), *retreats.todo[1:]), entered=entered)
    tries: dict[str, Trying] = {
        hex if len(able) == 1 else f"{hex},{name}": Trying(on_its_way, name, hex) for hex in held for name in able
    }
    title = f"a Repulse from {here}, where no hex is open to the stack"
    options: dict[str, Situation] = {"none": on_its_way, **tries}
    name = f"{TRIES[retreats.cause]}.{moving.name}"
    return Choice(name, "8.5", title, moving.role, options, remarks=partial(odds_of, combat, tries))


def odds_of(combat: Combat, tries: Mapping[str, Trying]) -> dict[str, str]:
    """What each Repulse promises: its odds, and whether it cannot succeed or does so by itself; nothing where a fact is missing for that
    (8.5.2)."""
    assert combat.pieces is not None
    view, found = combat.pieces.view, dict[str, str]()
    apart = View(view.game, view.state, view.end)  # what is only compared is no doubt of the report
    for name, trying in tries.items():
        try:
            final = as_combat(combat, trying, apart).odds
        except (InputError, MissingFacts):
            continue
        end = ": it cannot succeed" if final < repulse.LEAST else ": it succeeds" if final >= repulse.CERTAIN else ""
        found[name] = f"odds of {final}{end}"
    return found


def try_repulse(combat: Combat, trying: Trying) -> Node:
    """The next roll of a Repulse in a retreat, named after that retreat, or what follows. Rule: 8.5"""
    assert combat.pieces is not None
    attempt = as_combat(combat, trying, combat.pieces.view)
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


def as_combat(combat: Combat, trying: Trying, view: View) -> Combat:
    """The Repulse as a combat, with all where they stand by now and as they are by now. Who of a stack defends is chosen for its owner.

    view: of the position before the combat.

    Raises MissingFacts for what it needs and is not stated. Rule: 8.5.1, 8.5.2
    """
    retreats, at = trying.retreats, trying.at
    view = as_it_is(combat, retreats, view)
    with view.gather() as facts:
        here = [unit.id for unit in view.stack(retreats.here)]
        there = [gather_unit(facts, unit, None) for unit in fighting(facts, at)]
    out = repulse.withheld_from(there)
    if out:
        text = "{units} do not defend against the Repulse of {at}: one arm and two divisions do (its owner may choose others)"
        view.presume(step("8.5.5", text, units=list(out), at=at))
    trying_it = {unit.id for unit in own_forces_left(combat, retreats)[trying.force].units}
    parameters = BattleParameters(
        at=at,
        from_=(retreats.here,),
        withhold=(*repulse.uninvolved(here, trying_it), *out),
        attacker_ap=("none",),
        defender_ap=("none",),
    )
    engagement = repulse.as_repulse(engage(view, parameters))
    attack, defence = (
        rounded_total([engagement.strengths(unit, role)[0] for unit in engagement.side(role)]) for role in SIDES
    )
    _, final = odds.final_odds(attack, defence, odds.column_shifts(engagement))
    return combat_of(engagement, final, "", initial_odds(attack, defence))


def as_it_is(combat: Combat, retreats: Retreats, view: View) -> View:
    """The position as a combat has left it so far, with the first stack where its way has led it. view: of the position before it."""
    toll = retreats.toll
    going = {unit.id: retreats.here for force in own_forces_left(combat, retreats).values() for unit in force.units}
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
    final, retreats = str(attempt.odds), trying.retreats
    if notes.get("repulsed") is False:
        return Tried(trying, final, False, (), repelled(combat, attempt, trying))
    assert combat.pieces is not None
    view, role = combat.pieces.view, other_side(retreats.todo[0].role)
    pushed = forces_at(combat, trying.at, combat.pieces.layout(retreats.toll.moved, retreats.toll.steps))
    toll, due, failed = retreats.toll, list[StepsDue](), []
    for force in repulse.defending(attempt):
        if not notes[f"{force.name}.failed_by"]:
            continue
        failed.append(force.name)
        spent = force.formation is not None and force.formation.demoralized
        levels, steps = repulse.failing(force, view.ruling("repulse-demoralized", spent))
        toll = toll.and_levels({force.name: levels})
        whole = next(one for one in pushed if any(unit.id == force.name for unit in one.units))
        due += [StepsDue(role, whole.name, steps, TRIES[retreats.cause], "8.5.3", whole)] if steps else []
    owed = tuple((force.name, repulse.HEXES) for force in pushed)
    named = f"{PUSHED[retreats.cause]}.{retreats.todo[0].name}"
    moving = StackRetreat(role, trying.at, trying.at, owed, forces=pushed, named=named)
    return Tried(trying, final, True, tuple(failed), Retreats("repulse", (moving,), toll, retreats, due=tuple(due)))


def other_side(role: Role) -> Role:
    """The side that fights against one."""
    return "defender" if role == "attacker" else "attacker"


def forces_at(combat: Combat, place: str, layout: Layout) -> tuple[Force, ...]:
    """The Forces that stand in a hex, as they were before the combat: what it has cost them is told apart. layout: where all stand."""
    assert combat.pieces is not None
    view = combat.pieces.view
    there = [piece.id for piece in layout.at(place) if piece.arm in (*COMBAT_ARMS, "artillery")]
    return forces([unit_of(view, name) for name in there])


def repelled(combat: Combat, attempt: Combat, trying: Trying) -> Retreats:
    """The retreat after a Repulse in vain, with the steps that this costs. Rule: 8.5.4b"""
    assert combat.pieces is not None
    retreats, attempting = trying.retreats, repulse.taking_part(attempt.engagement)
    who = combat.pieces.view.ruling("repulse-step", len(attempting) > 1)
    if who == "force":
        one = StepsDue(retreats.todo[0].role, trying.force, 1, TRIES[retreats.cause], "8.5.4")
        return replace(retreats, due=(one,))
    losing = [unit for unit in attempting if who == "every" or unit.arm in COMBAT_ARMS]
    dead = {unit.id: "" for unit in losing if unit.left == 1}
    toll = retreats.toll.and_steps(dict.fromkeys((unit.id for unit in losing), 1)).and_moved(dead)
    return replace(retreats, toll=toll)
