"""Retreats as they are carried out: hex by hex, what each way costs, who makes room (10.2.1, 11.2)."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from itertools import combinations

import msgspec
from msgspec.structs import replace

from assistant.mechanics.procedure import Apart, Choice, Node, Quantity, Situation

from ..forces import sharing
from ..forces.units import Force, Role
from ..retreat import cost
from ..retreat.cost import Cause, Charge, ForceRetreat, RetreatHex
from ..retreat.ground import Ground
from ..retreat.hexes import around
from ..retreat.pieces import Layout
from ..retreat.ways import hexes_to_room, open_around, ordered
from .combat import Combat
from .repulse import may_be_cleared, may_try
from .stacks import stack_of, withheld
from .tolls import Amounts, Toll, left_of, summed

WAYS: dict[Cause, str] = {"crt": "retreat", "check": "onward"}
"""The name of the hexes that a stack retreats to, by what makes it retreat."""
TRIES: dict[Cause, str] = {"crt": "repulse", "check": "onward-repulse"}
"""The name of a Repulse that it tries, likewise."""
PUSHED: dict[Cause, str] = {"crt": "repulsed", "check": "onward-repulsed"}
"""The name of the hexes that the stack retreats to which this pushes away, likewise."""
BILLS: dict[Cause, str] = {"crt": "crt", "check": "way", "repulse": "repulsed"}
"""The name of the steps that a way costs, likewise."""


class Leg(msgspec.Struct, frozen=True):
    """A stack that has to retreat.

    place: its hex in the combat, which names it; start: where it stands now; owed: hexes by Force, with those beyond what it had to
    retreat; extra: how many of these, of Forces that go on because a hex cannot hold them; zones: unoccupied hexes in EZOCs that each Force has entered
    in an earlier retreat of the combat; tried: whether it has tried a Repulse in this retreat; forces: that retreat, where a
    Repulse pushes them away; named: how answers name its hexes then.
    """

    role: Role
    place: str
    start: str
    owed: tuple[tuple[str, int], ...]
    extra: Amounts = ()
    zones: Amounts = ()
    tried: bool = False
    forces: tuple[Force, ...] = ()
    named: str = ""


class Bill(msgspec.Struct, frozen=True):
    """Steps that a Force has to share out. what: cost them, as answers name it; of: the Force, where a Repulse pushes it away."""

    role: Role
    force: str
    steps: int
    what: str
    rule: str = cost.EZOC
    of: Force | None = None


class Marches(msgspec.Struct, frozen=True):
    """Stacks that have to retreat, the first of them on its way.

    todo: in order; way: of the first so far; toll: of the combat so far; bills: steps to be shared out first; then: what follows, be
    it a retreat that a Repulse has interrupted; entered: the hexes of the way up to a Repulse, as they were found.
    """

    cause: Cause
    todo: tuple[Leg, ...]
    toll: Toll
    then: Situation
    way: tuple[str, ...] = ()
    bills: tuple[Bill, ...] = ()
    entered: tuple[RetreatHex, ...] = ()

    @property
    def here(self) -> str:
        """Where the stack is."""
        return self.way[-1] if self.way else self.todo[0].start

    @property
    def before(self) -> str:
        """The hex that it has just left, "" at the start."""
        return "" if not self.way else (self.todo[0].start, *self.way)[-2]


class Trying(msgspec.Struct, frozen=True):
    """A Repulse that a Force tries on the first stack's retreat. at: the hex to be cleared; so_far: what its own procedure has come
    to; crt: the cell rolled."""

    marches: Marches
    force: str
    at: str
    so_far: Situation = None
    crt: str = ""

    @property
    def name(self) -> str:
        """As answers name it."""
        return f"{TRIES[self.marches.cause]}.{self.marches.todo[0].place}"


class Marched(msgspec.Struct, frozen=True):
    """A stack that has retreated: its way, what that costs, and what follows."""

    leg: Leg
    cause: Cause
    way: tuple[str, ...]
    charges: tuple[Charge, ...]
    forces: tuple[ForceRetreat, ...]
    surrendered: tuple[str, ...]
    before: Toll
    next: Marches


class AfterMarches(msgspec.Struct, frozen=True):
    """All have retreated that had to: what follows, and what the combat has cost so far."""

    then: Situation
    toll: Toll


class Ended(msgspec.Struct, frozen=True):
    """The combat is over. advanced: the units that have advanced."""

    toll: Toll
    advanced: tuple[str, ...] | None = None


def march(combat: Combat, marches: Marches) -> Node:
    """The next hex of the first stack, the steps to share out before it, or what follows once all have retreated. Rule: 11.2.1"""
    if marches.bills:
        return share_bill(combat, marches)
    if not marches.todo and isinstance(marches.then, Marches):
        return Apart({"": replace(marches.then, toll=marches.toll)})
    if not marches.todo:
        return Apart({"": AfterMarches(marches.then, marches.toll)})
    assert combat.pieces is not None
    stack = standing(combat, marches)
    layout = combat.pieces.layout(marches.toll.moved, marches.toll.steps)
    marches = with_excess(marches, stack, layout)
    leg = marches.todo[0]
    on = going(leg, stack, len(marches.way))
    options = next_hexes(combat, marches, stack, layout, layout.ground(on, leg.place)) if on else ()
    if not options:
        tries = repulses(combat, marches, stack, layout)
        return tries or Apart({"": settled(combat, marches, stack, layout)})
    number, most = len(marches.way) + 1, max(hexes for _, hexes in leg.owed)
    names = ", ".join(force.name for force in on)
    title = f"{names} in {marches.here}: hex {number} of {most} of the retreat"
    ways: dict[str, Situation] = {hex.hex: replace(marches, way=(*marches.way, hex.hex)) for hex in options}
    name = leg.named or f"{WAYS[marches.cause]}.{leg.place}"
    return Choice(f"{name}.{number}", "11.2.2", title, leg.role, ways)


def hexes_around(combat: Combat, marches: Marches) -> tuple[RetreatHex, ...]:
    """All hexes around the first stack where it is now, those that are open first."""
    assert combat.pieces is not None
    stack, layout = standing(combat, marches), combat.pieces.layout(marches.toll.moved, marches.toll.steps)
    leg = with_excess(marches, stack, layout).todo[0]
    ground = layout.ground(going(leg, stack, len(marches.way)), leg.place)
    return around(ground, marches.here, marches.before)


def standing(combat: Combat, marches: Marches) -> dict[str, Force]:
    """What is left of the Forces that the first stack retreats."""
    leg = marches.todo[0]
    every = {force.name: force for force in leg.forces} or stack_of(combat, leg.role, leg.place)
    left = {name: left_of(every[name], marches.toll) for name, _ in leg.owed}
    return {name: force for name, force in left.items() if force is not None}


def going(leg: Leg, stack: dict[str, Force], hexes: int) -> tuple[Force, ...]:
    """The Forces that go farther than so many hexes."""
    return tuple(stack[name] for name, owed in leg.owed if owed > hexes and name in stack)


def with_excess(marches: Marches, stack: dict[str, Force], layout: Layout) -> Marches:
    """The retreat with one hex more for as few Forces as need it to clear a hex that cannot hold all who end there, if a hex that can
    lies within reach. Rule: 4.2.3, 11.2.1
    """
    leg, hexes = marches.todo[0], len(marches.way)
    ending = [name for name, owed in leg.owed if owed == hexes and name in stack]
    units = {name: [unit.id for unit in stack[name].units] for name in ending}
    own = [unit.id for force in stack.values() for unit in force.units]
    others = layout_without(layout, own)

    def over(names: tuple[str, ...]) -> bool:
        return any(others.excess(marches.here, (unit for name in names for unit in units[name])))

    if not hexes or not over(tuple(ending)):
        return marches
    for count in range(1, len(ending) + 1):
        for leaving in combinations(reversed(ending), count):
            if over(tuple(name for name in ending if name not in leaving)):
                continue
            fits = partial(has_room, others, tuple(unit for name in leaving for unit in units[name]))
            ground = layout.ground(tuple(stack[name] for name in leaving), leg.place)
            if hexes_to_room(ground, marches.here, marches.before, fits)[0]:
                owed = tuple((name, hexes + 1 if name in leaving else number) for name, number in leg.owed)
                extra = summed(leg.extra, dict.fromkeys(leaving, 1))
                return replace(marches, todo=(replace(leg, owed=owed, extra=extra), *marches.todo[1:]))
    return marches


def has_room(others: Layout, units: Collection[str], hex: str) -> bool:
    """Whether a hex holds some units beside the others there."""
    return not any(others.excess(hex, units))


def layout_without(layout: Layout, units: Collection[str]) -> Layout:
    """Where all others stand."""
    return layout.pieces.arranged(tuple(sorted((dict(layout.moved) | dict.fromkeys(units, "")).items())), layout.turned)


def next_hexes(
    combat: Combat, marches: Marches, stack: dict[str, Force], layout: Layout, ground: Ground
) -> tuple[RetreatHex, ...]:
    """The hexes that are open next, in the order of the owner's policy; of those who go on for want of room, the ones that lead to
    the nearest hex with room."""
    leg, way = marches.todo[0], marches.way
    on = going(leg, stack, len(way))
    units = tuple(unit.id for force in on for unit in force.units)
    if all(force.name in dict(leg.extra) for force in on):
        fits = partial(has_room, layout_without(layout, units), units)
        return hexes_to_room(ground, marches.here, marches.before, fits)[1]
    guns = any(unit.arm == "artillery" for force in on for unit in force.units)
    owed = min(owed for name, owed in leg.owed if owed > len(way))
    policy = combat.policies[leg.role].way
    entered = walked(marches, stack, layout)
    earlier = max(zones_before(combat, leg, force.name) for force in on)
    return ordered(ground, entered, marches.here, marches.before, owed, guns, policy, earlier)


def zones_before(combat: Combat, leg: Leg, force: str, *, matters: bool = False) -> int:
    """The unoccupied hexes in EZOCs that count from an earlier retreat of the combat (ruling ezoc-count). matters: whether more were
    entered now."""
    assert combat.pieces is not None
    view, earlier = combat.pieces.view, dict(leg.zones).get(force, 0)
    reading = view.ruling("ezoc-count", earlier > 0 and (matters or "ezoc-count" in view.state.rulings))
    return earlier if reading == "through" else 0


def walked(marches: Marches, stack: dict[str, Force], layout: Layout) -> tuple[RetreatHex, ...]:
    """The hexes entered so far, each as those found it who went there."""
    leg, found = marches.todo[0], list(marches.entered)
    places = (leg.start, *marches.way)
    for number, (here, there) in list(enumerate(zip(places, marches.way, strict=False)))[len(found) :]:
        ground = layout.ground(going(leg, stack, number), leg.place)
        options = open_around(ground, here, places[number - 1] if number else "")
        found.append(next(hex for hex in options if hex.hex == there))
    return tuple(found)


def settled(combat: Combat, marches: Marches, stack: dict[str, Force], layout: Layout) -> Marched:
    """What the way costs each Force of the first stack, and where all of them end; those surrender that the Combat Results Table drives
    from a hex which they cannot leave. Rule: 11.2.6a, 11.2.6b
    """
    leg, cause = marches.todo[0], marches.cause
    entered, spared = walked(marches, stack, layout), withheld(combat)
    toll, lost, bills = marches.toll, list[ForceRetreat](), list[Bill]()
    common: tuple[Charge, ...] = ()
    surrendered, extra = [], dict(leg.extra)
    for name, owed in leg.owed:
        if name not in stack:
            continue
        force, hexes = stack[name], min(owed, len(entered))
        charged = way_charges(combat, leg, name, entered[:hexes])
        if name not in extra:
            charged += cost.unable(owed, hexes, cause)
        charged = cost.spared(charged) if name in spared else charged
        common = max(common, charged, key=len)
        gone = cost.surrenders(owed, hexes, cause) and name not in extra
        suffered = cost.suffered(force, charged)
        surrendered += [name] if gone else []
        lost.append(replace(suffered, eliminated=suffered.eliminated or gone))
        toll = toll.and_hexes({name: owed - extra.get(name, 0)}, pushed=cause == "repulse")
        toll, more = paid(toll, force, lost[-1], marches.way[hexes - 1] if hexes else leg.start, gone=gone)
        bills += [Bill(leg.role, name, more, BILLS[cause], of=force if leg.forces else None)] if more else []
    next = replace(marches, todo=marches.todo[1:], toll=toll, way=(), bills=tuple(bills), entered=())
    return Marched(leg, cause, marches.way, common, tuple(lost), tuple(surrendered), marches.toll, next)


def way_charges(combat: Combat, leg: Leg, force: str, entered: tuple[RetreatHex, ...]) -> tuple[Charge, ...]:
    """What the hexes of a way cost a Force of the first stack, by the rulings that matter for them."""
    assert combat.pieces is not None
    zones = sum(hex.zone for hex in entered)
    earlier = zones_before(combat, leg, force, matters=zones > 0)
    levels = combat.pieces.view.ruling("ezoc-levels", zones > 0 and earlier + zones > cost.LEVELS)
    return cost.charges(entered, levels, earlier)


def paid(toll: Toll, force: Force, lost: ForceRetreat, end: str, *, gone: bool) -> tuple[Toll, int]:
    """The toll with what a retreat costs a Force but for the steps that its owner shares out, and how many these are. gone: whether
    all of it surrenders."""
    off = set(lost.guns)
    if lost.eliminated:
        off |= {unit.id for unit in (force.units if gone else cost.bearers(force))}
    toll = toll.and_steps({unit.id: unit.left for unit in force.units if unit.id in off})
    toll = toll.and_moved({unit.id: "" if unit.id in off else end for unit in force.units})
    if lost.eliminated:
        return toll, 0
    return toll.and_levels({force.name: lost.levels}), lost.steps


def arrived(marched: Marched) -> Apart:
    """A stack that has retreated, with what that settles: steps lost by its side, levels by each Force, and who surrenders."""
    taken = sum(dict(marched.next.toll.steps).values()) - sum(dict(marched.before.steps).values())
    taken += sum(bill.steps for bill in marched.next.bills)
    notes: dict[str, Quantity] = {f"{marched.leg.role}.steps": taken} if taken else {}
    notes |= {f"{one.force}.levels": one.levels for one in marched.forces if one.levels}
    notes |= {f"{name}.surrenders": True for name in marched.surrendered}
    return Apart({"": marched.next}, notes)


def repulses(combat: Combat, marches: Marches, stack: dict[str, Force], layout: Layout) -> Choice | None:
    """The Repulse that a stack may try which no open hex is left to: the hexes that a Force of it could clear, and first none at all.
    None where there is none, or it has tried one. Rule: 8.5.1c
    """
    leg = marches.todo[0]
    on = [force for force in going(leg, stack, len(marches.way)) if force.name not in dict(leg.extra)]
    able = [force.name for force in on if may_try(force)]
    if leg.tried or marches.cause == "repulse" or not able:
        return None
    assert combat.pieces is not None
    side, here = combat.pieces.pieces[stack[able[0]].units[0].id].side, marches.here
    held = [hex for hex in layout.pieces.terrain.neighbours(here) if may_be_cleared(layout, side, here, hex)]
    entered = walked(marches, stack, layout)
    on_its_way = replace(marches, todo=(replace(leg, tried=True), *marches.todo[1:]), entered=entered)
    tries: dict[str, Situation] = {
        hex if len(able) == 1 else f"{hex},{name}": Trying(on_its_way, name, hex) for hex in held for name in able
    }
    title = f"a Repulse from {here}, where no hex is open to the stack"
    name = f"{TRIES[marches.cause]}.{leg.place}"
    return Choice(name, "8.5", title, leg.role, {"none": on_its_way, **tries}) if tries else None


def is_stuck(combat: Combat, toll: Toll) -> bool:
    """Whether none of the hexes around the defender is open, so that it cannot leave (11.2.6)."""
    if combat.pieces is None:
        return False
    at = combat.engagement.at
    left = (left_of(force, toll) for force in stack_of(combat, "defender", at).values())
    stack = tuple(force for force in left if force is not None)
    return bool(stack) and not open_around(combat.pieces.layout(toll.moved, toll.steps).ground(stack, at), at, "")


def share_bill(combat: Combat, marches: Marches) -> Choice:
    """Who in a Force takes the steps that a way costs it: the owner's choice. Rule: 11.1b"""
    bill, rest = marches.bills[0], marches.bills[1:]
    force = bill.of or next(
        found
        for place in {one.place for one in combat.engagement.present(bill.role)}
        for name, found in stack_of(combat, bill.role, place).items()
        if name == bill.force
    )
    left = left_of(force, marches.toll)
    assert left is not None
    policy = combat.policies[bill.role]
    taking = tuple(sharing.Share(unit.id, unit.left, rank=policy.rank(unit.id)) for unit in cost.bearers(left))
    ways = sharing.typed(taking, sharing.free_distributions(taking, bill.steps))
    options: dict[str, Situation] = {}
    for label, lost in ways.items():
        dead = {unit.id: "" for unit in left.units if dict(lost).get(unit.id, 0) >= unit.left}
        toll = marches.toll.and_steps(dict(lost)).and_moved(dead)
        options[label] = replace(marches, bills=rest, toll=toll)
    title = f"{bill.steps} {'step' if bill.steps == 1 else 'steps'} that the retreat costs {bill.force}"
    return Choice(f"losses.{bill.force}.{bill.what}", bill.rule, title, bill.role, options)
