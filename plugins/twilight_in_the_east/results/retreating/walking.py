"""Retreats hex by hex: which hexes are open next, what each costs, and when a way ends (11.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

from msgspec.structs import replace

from assistant.mechanics.procedure import Apart, Choice, Node, Situation

from ...forces.units import Force
from ...retreat import cost
from ...retreat.cost import Charge, RetreatHex
from ...retreat.ground import Ground
from ...retreat.hexes import around
from ...retreat.pieces import Layout
from ...retreat.ways import Progress, Stakes, hexes_to_room, open_around, ordered
from ...retreat.words import remark
from ...terms import STAY_OR_FALL
from ..combat import Combat
from ..tolls import Toll, left_of
from .paying import paid_for, share_steps_due
from .progress import charged_for, going, own_forces_left, walked, zones_before
from .room import has_room, layout_without, with_excess
from .situations import WAYS, AfterRetreats, Halted, Retreats, StackRetreat
from .stacks import parts_of, stack_of, withheld


def retreat_on(combat: Combat, retreats: Retreats) -> Node:
    """The next hex of the first stack, the steps to share out before it, or what follows once all have retreated. Rule: 11.2.1"""
    if retreats.due:
        return share_steps_due(combat, retreats)
    if not retreats.todo and isinstance(retreats.then, Retreats):
        return Apart({"": resumed(combat, retreats.then, retreats.toll)})
    if not retreats.todo:
        return Apart({"": AfterRetreats(retreats.then, retreats.toll)})
    assert combat.pieces is not None
    stack = own_forces_left(combat, retreats)
    layout = combat.pieces.layout(retreats.toll.moved, retreats.toll.steps)
    leaving = with_excess(retreats, stack, layout)
    retreats = next(iter(leaving.values()), retreats)
    moving, number = retreats.todo[0], len(retreats.way) + 1
    name = f"{moving.named or f'{WAYS[retreats.cause]}.{moving.name}'}.{number}"
    if len(leaving) > 1:
        title = f"{retreats.here} cannot hold all who end there: who goes on"
        return Choice(f"{name}.who", "4.2.3", title, moving.role, {**leaving})
    on = () if retreats.is_safe else going(moving, stack, len(retreats.way))
    if fallen := {unit.id: unit.left for force in on for unit in force.units if unit.id in STAY_OR_FALL}:
        toll = retreats.toll.and_steps(fallen).and_moved(dict.fromkeys(fallen, ""))
        return Apart({"": replace(retreats, toll=toll)})
    if not on or all_lost(combat, retreats, stack, layout):
        return Apart({"": paid_for(combat, retreats, stack, layout)})
    options = next_hexes(combat, retreats, stack, layout, layout.ground(on, moving.place))
    if not options:
        return Apart({"": Halted(retreats)})
    ways: dict[str, Situation] = {hex.hex: replace(retreats, way=(*retreats.way, hex.hex)) for hex in options}
    rule, title = titled(retreats, on)
    units = tuple(unit.id for force in on for unit in force.units)
    told = partial(remarks, combat, retreats, stack, layout, options)
    return Choice(name, rule, title, moving.role, ways, remarks=told, units=units)


def resumed(combat: Combat, waiting: Retreats, toll: Toll) -> Retreats:
    """A retreat that has waited while the stack that its Repulse has pushed away retreated: that may be one of those which retreat
    next, each part of it from where it stands by now. Rule: 8.5.3
    """
    first, *others = waiting.todo
    later = (part for moving in others for part in in_parts(combat, moving, toll))
    return replace(waiting, todo=(first, *later), toll=toll)


def in_parts(combat: Combat, moving: StackRetreat, toll: Toll) -> Iterator[StackRetreat]:
    """A stack that has yet to retreat, each part of it from the hex where that stands by now (4.2.3)."""
    if moving.forces:  # that a Repulse pushes away
        yield moving
        return
    is_first = True
    for start, together in parts_of(combat, moving.role, moving.place, toll).items():
        owed = tuple((name, hexes) for name, hexes in moving.owed if name in together)
        if owed:
            yield replace(moving, start=start, owed=owed, apart=moving.apart if is_first else owed[0][0])
            is_first = False


def titled(retreats: Retreats, on: Collection[Force]) -> tuple[str, str]:
    """The rule by which some Forces go on, and which of their hexes comes next (11.2.1, 4.2.3)."""
    moving, number = retreats.todo[0], len(retreats.way) + 1
    who, extra = f"{', '.join(force.name for force in on)} in {retreats.here}", dict(moving.extra)
    if all(force.name in extra for force in on):
        beyond = max(number - dict(moving.owed)[force.name] + extra[force.name] for force in on)
        return "4.2.3", f"{who}, which cannot hold all who end there: hex {beyond} beyond the retreat"
    most = max(owed - extra.get(name, 0) for name, owed in moving.owed if name in {force.name for force in on})
    return "11.2.2", f"{who}: hex {number} of {most} of the retreat"


def remarks(
    combat: Combat,
    retreats: Retreats,
    stack: dict[str, Force],
    layout: Layout,
    options: Collection[RetreatHex],
) -> dict[str, str]:
    """What the hexes that are open next cost, who would not survive them, and which of them cannot hold all who would end there
    (11.2.4, 11.2.5, 4.2.3)."""
    moving, way, found = retreats.todo[0], walked(retreats, stack, layout), dict[str, str]()
    on = going(moving, stack, len(way))
    earlier = max(zones_before(combat, moving, force.name) for force in on)
    units = [unit.id for force in on for unit in force.units]

    def charged(entered: tuple[RetreatHex, ...]) -> dict[str, tuple[Charge, ...]]:
        costs = cost.charges(entered, earlier=earlier)
        return {force.name: cost.spared(costs) if force.name in withheld(combat) else costs for force in on}

    for hex in options:
        told = [remark(on, charged(way), charged((*way, hex)))]
        last = len(way) + 1 >= max(owed for name, owed in moving.owed if name in stack)
        if last and not has_room(layout_without(layout, units), units, hex.hex):
            told.append("cannot hold all (4.2.3)")
        found[hex.hex] = "; ".join(filter(None, told))
    return found


def all_lost(combat: Combat, retreats: Retreats, stack: dict[str, Force], layout: Layout) -> bool:
    """Whether the way so far has already eliminated all who still have to go on, so that the retreat ends here (11.2.5)."""
    moving, entered = retreats.todo[0], walked(retreats, stack, layout)
    if not any(hex.zone or hex.river for hex in entered):
        return False
    on = going(moving, stack, len(entered))
    return all(cost.suffered(force, charged_for(combat, moving, force.name, entered)).eliminated for force in on)


def hexes_around(combat: Combat, retreats: Retreats) -> tuple[RetreatHex, ...]:
    """All hexes around the first stack where it is now, those that are open first."""
    assert combat.pieces is not None
    stack, layout = own_forces_left(combat, retreats), combat.pieces.layout(retreats.toll.moved, retreats.toll.steps)
    moving = next(iter(with_excess(retreats, stack, layout).values()), retreats).todo[0]
    ground = layout.ground(going(moving, stack, len(retreats.way)), moving.place)
    return around(ground, retreats.here, retreats.before)


def next_hexes(
    combat: Combat, retreats: Retreats, stack: dict[str, Force], layout: Layout, ground: Ground
) -> tuple[RetreatHex, ...]:
    """The hexes that are open next, in the order of the owner's policy; of those who go on for want of room, the ones that lead to
    the nearest hex with room."""
    moving, way = retreats.todo[0], retreats.way
    on = going(moving, stack, len(way))
    units = tuple(unit.id for force in on for unit in force.units)
    if all(force.name in dict(moving.extra) for force in on):
        fits = partial(has_room, layout_without(layout, units), units)
        return hexes_to_room(ground, retreats.here, retreats.before, fits)[1]
    guns = any(unit.arm == "artillery" for force in on for unit in force.units)
    owed = min(owed for name, owed in moving.owed if owed > len(way) and name in stack)
    policy = combat.policies[moving.role].way
    entered = walked(retreats, stack, layout)
    earlier = max(zones_before(combat, moving, force.name) for force in on)
    progress = Progress(entered, retreats.here, retreats.before)
    return ordered(ground, progress, Stakes(owed, guns, earlier), policy)


def is_unable_to_retreat(combat: Combat, toll: Toll) -> bool:
    """Whether none of the hexes around the defender is open, so that it cannot leave (11.2.6)."""
    if combat.pieces is None:
        return False
    at = combat.engagement.at
    left = (left_of(force, toll) for force in stack_of(combat, "defender", at).values())
    stack = tuple(force for force in left if force is not None)
    return bool(stack) and not open_around(combat.pieces.layout(toll.moved, toll.steps).ground(stack, at), at, "")


def may_open(combat: Combat) -> tuple[str, ...]:
    """The hexes around a defender that cannot leave its own which only attackers hold: one that its check throws back opens it, as the
    attackers' retreats come first (11.3)."""
    if combat.pieces is None or not is_unable_to_retreat(combat, Toll()):
        return ()
    at, layout = combat.engagement.at, combat.pieces.layout(())
    attacking = {unit.id for unit in combat.engagement.present("attacker")}
    places = dict.fromkeys(unit.place for unit in combat.engagement.attackers)
    return tuple(
        place
        for place in places
        if all(piece.id in attacking for piece in layout.at(place))
        and not combat.pieces.terrain.passage(at, place).shut
    )
