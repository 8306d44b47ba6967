"""Who retreats together: the Forces of a stack with those beside the combat, and how far these go (10.1.4, 10.1.5, 11.2.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ...forces.units import CombatUnit, Force, Role, joined
from ...terms import COMBAT_ARMS
from ..combat import Combat
from ..tolls import Toll, left_of


def stack_of(combat: Combat, role: Role, place: str) -> dict[str, Force]:
    """The Forces of a stack that retreat together, by name. Artillery that stands idle and Asset Units that are withheld go with the
    formation that they are attached to; the others of these make Forces of their own, as withheld formations do.
    Rule: 11.2.1a
    """
    fighting = combat.forces[role].get(place, ())
    beside = beside_the_combat(combat, role, place)
    members = {force.name: list(force.units) for force in fighting}
    every = [unit for units in members.values() for unit in units] + beside
    led = {unit.id: name for name, units in members.items() for unit in units if unit.formation}
    led |= {unit.id: unit.id for unit in beside if unit.formation}
    lone = next((force.name for force in fighting if force.formation is None), "")
    for unit in sorted(beside, key=lambda one: not one.formation):
        name = led[unit.id] if unit.formation else led.get(joined(unit, every), lone)
        lone = lone or ("" if name else unit.id)
        members.setdefault(name or unit.id, []).append(unit)
    return {name: Force(name, tuple(units)) for name, units in members.items()}


def parts_of(combat: Combat, role: Role, place: str, toll: Toll) -> dict[str, dict[str, Force]]:
    """What is left of the Forces of a stack, by name, in each hex where some stand by now: not all go on for want of room (4.2.3)."""
    moved, found = dict(toll.moved), dict[str, dict[str, Force]]()
    for name, force in stack_of(combat, role, place).items():
        if left := left_of(force, toll):
            found.setdefault(moved.get(left.units[0].id, place), {})[name] = left
    return found


def beside_the_combat(combat: Combat, role: Role, place: str) -> list[CombatUnit]:
    """The units of a stack that take no part and yet may have to go with it: artillery that stands idle, and withheld defenders.
    With attackers that are withheld nothing happens, nor with artillery that is attached to them or stays beside them.
    Rule: 10.1.5e, 10.1.5f
    """
    engagement = combat.engagement
    idle = [unit for unit in engagement.idle if unit.place == place]
    if role == "defender":
        return [*idle, *engagement.withheld]
    staying = staying_out(combat, place)
    formations = {unit.nation for unit in engagement.attackers if unit.place == place and unit.formation}
    return [unit for unit in idle if unit.with_ not in staying and (not staying or unit.nation in formations)]


def staying_out(combat: Combat, place: str) -> frozenset[str]:
    """The combat units in an attacking hex that do not attack."""
    if combat.pieces is None:
        return frozenset()
    taking_part = {unit.id for unit in combat.engagement.attackers}
    there = (piece for piece in combat.pieces.pieces.values() if piece.place == place)
    return frozenset(one.id for one in there if one.arm in COMBAT_ARMS and one.id not in taking_part)


def withheld(combat: Combat) -> frozenset[str]:
    """The units that are withheld from the combat in its hex."""
    return frozenset(unit.id for unit in combat.engagement.withheld)


def along(combat: Combat, role: Role, place: str) -> frozenset[str]:
    """The Forces of a stack that only go with the others: nobody in them takes part in the combat."""
    return frozenset(stack_of(combat, role, place)) - {force.name for force in combat.forces[role].get(place, ())}


def drawn_along(due: Collection[int], gone: Iterable[int], by_result: int) -> int:
    """How many hexes those go on who only go with the others, once all of these leave the hex by their checks: the smallest retreat of these,
    and only where nobody of them is left, of those that are eliminated.

    due, gone: hexes that the checks cost the former and the latter; by_result: hexes of them all by the combat's result. Rule: 10.1.5f
    """
    return min(due or [hexes for hexes in gone if hexes + by_result], default=0)
