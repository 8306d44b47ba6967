"""What the way of a retreat costs once it has been gone, and who takes the steps (11.2.3 to 11.2.6)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from assistant.mechanics.procedure import Apart, Choice, Quantity, Situation

from ...forces import sharing
from ...forces.units import Force, is_marsch
from ...retreat import cost
from ...retreat.cost import Cause, Charge, ForceRetreat, RetreatHex
from ...retreat.pieces import Layout
from ..checks import spares_marsch_units
from ..combat import Combat
from ..tolls import Toll, after_toll, left_of
from .progress import charged_for, walked
from .situations import DUE, Retreated, Retreats, StackRetreat, StepsDue
from .stacks import stack_of, withheld


def paid_for(combat: Combat, retreats: Retreats, stack: dict[str, Force], layout: Layout) -> Retreated:
    """What the way costs each Force of the first stack, and where all of them end."""
    moving, cause = retreats.todo[0], retreats.cause
    entered = walked(retreats, stack, layout)
    toll, lost, due = retreats.toll, list[ForceRetreat](), list[StepsDue]()
    common: tuple[Charge, ...] = ()
    surrendered, extra = [], dict(moving.extra)
    for name, owed in moving.owed:
        if name not in stack:
            continue
        force, hexes = stack[name], min(owed, len(entered))
        charged, gone = price(combat, moving, cause, force, entered[:hexes])
        common = max(common, charged, key=len)
        price_paid = cost.suffered(force, charged)
        surrendered += [name] if gone else []
        lost.append(replace(price_paid, eliminated=price_paid.eliminated or gone))
        toll = toll.and_hexes({name: owed - extra.get(name, 0)}, pushed=cause == "repulse")
        toll, more = paid(toll, force, lost[-1], retreats.way[hexes - 1] if hexes else moving.start, gone=gone)
        due += [StepsDue(moving.role, name, more, DUE[cause], of=force if moving.forces else None)] if more else []
    next = replace(retreats, todo=retreats.todo[1:], toll=toll, way=(), due=tuple(due), entered=())
    return Retreated(moving, cause, retreats.way, common, tuple(lost), tuple(surrendered), retreats.toll, next)


def price(
    combat: Combat, moving: StackRetreat, cause: Cause, force: Force, entered: tuple[RetreatHex, ...]
) -> tuple[tuple[Charge, ...], bool]:
    """What the hexes that a Force of a stack has entered cost it, with those that it could not retreat; and whether it surrenders, as the
    Combat Results Table drives it from a hex which it cannot leave. It pays for no hex that lacks if it only went on for want of room,
    was withheld, or is eliminated on the way. Rule: 11.2.6a, 11.2.6b
    """
    name, charged = force.name, charged_for(combat, moving, force.name, entered)
    owed = len(entered) if name in dict(moving.extra) else dict(moving.owed)[name]
    unable = cost.unable_to_retreat(owed, entered, cause)
    is_spared = name in withheld(combat) or cost.suffered(force, charged).eliminated
    return charged if is_spared else charged + unable.costs, unable.surrenders


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


def arrived(retreated: Retreated) -> Apart:
    """A stack that has retreated, with what that settles: steps lost by its side, levels by each Force, and who surrenders."""
    taken = sum(dict(retreated.next.toll.steps).values()) - sum(dict(retreated.before.steps).values())
    taken += sum(one.steps for one in retreated.next.due)
    notes: dict[str, Quantity] = {f"{retreated.moving.role}.steps": taken} if taken else {}
    notes |= {f"{one.force}.levels": one.levels for one in retreated.forces if one.levels}
    notes |= {f"{name}.surrenders": True for name in retreated.surrendered}
    return Apart({"": retreated.next}, notes)


def share_steps_due(combat: Combat, retreats: Retreats) -> Choice:
    """Who in a Force takes the steps that a way costs it: the owner's choice. Rule: 11.1b, 23.8"""
    due, rest = retreats.due[0], retreats.due[1:]
    force = due.of or next(
        found
        for place in {unit.place for unit in combat.engagement.present(due.role)}
        for name, found in stack_of(combat, due.role, place).items()
        if name == due.force
    )
    left = left_of(force, retreats.toll)
    assert left is not None
    policy, toll = combat.policies[due.role], retreats.toll
    side = after_toll(combat.engagement.side(due.role), toll)
    spared = spares_marsch_units(due.role, side, toll, combat.engagement.readings.marsch_first)
    taking = tuple(
        sharing.Share(unit.id, unit.left, rank=policy.rank(unit.id), later=spared and is_marsch(unit))
        for unit in cost.bearers(left)
    )

    def then(losses: sharing.Losses) -> Situation:
        lost = dict(sharing.by_unit(taking, losses))
        dead = {unit.id: "" for unit in left.units if lost.get(unit.id) == unit.left}
        return replace(retreats, due=rest, toll=toll.and_steps(lost).and_moved(dead))

    options = sharing.Ways(taking, sharing.free_distributions(taking, due.steps), then)
    title = sharing.steps_title(due.steps, f"that the retreat costs {due.force}")
    why_not = partial(sharing.why_not_free, taking, due.steps)
    return Choice(f"losses.{due.force}.{due.what}", due.rule, title, due.role, options, why_not=why_not)
