"""The hexes around a stack that retreats: what bars each, what counts in it, and in which order the priorities put them (11.2.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from assistant.field import Barred, Hexside
from assistant.questions import Gather, InputError

from ..forces.armies import area, army_of
from ..fortresses.garrisons import garrison_move, is_inside, known_inside
from ..ground.hexsides import back, between, cell_of_high_mountain, closed, lets_there_and_back, needs_chart, unbridged
from ..terms import GREAT_RIVERS
from .cost import RetreatHex
from .stack import Retreat

MOUNTAINS = frozenset({"mountain", "high-mountain"})
PRIORITIES = ("farther from the combat", "not outside the army's area", "known to be under control", "nearer to supply")
"""What puts a hex before others, the first priority first (11.2.2)."""


def priorities(hex: RetreatHex) -> tuple[Any, ...]:
    """What sorts hexes: the distance, the area, control, and the way to supply; the best first. Rule: 11.2.2"""
    return -hex.distance, hex.in_area is False, hex.friendly is not True, hex.to_supply


def best_first(hex: RetreatHex) -> tuple[Any, ...]:
    """What sorts hexes by the priorities, and of those that are alike puts an EZOC last. Rule: 11.2.2, 11.2.2a"""
    return *priorities(hex), hex.zone


def passed_over(entered: RetreatHex, options: Iterable[RetreatHex]) -> tuple[str, str] | None:
    """The open hex that the priorities put before the one that is entered, and the first of them that does; None if none does. No
    hex in an EZOC comes before one outside, as the owner may avoid EZOCs. Rule: 11.2.2, 11.2.2a
    """
    open_ones = (one for one in options if not one.barred and (entered.zone or not one.zone))
    best = min(open_ones, key=best_first, default=entered)
    own, first = priorities(entered), priorities(best)
    if own <= first:
        return None
    return best.hex, next(why for why, ours, its in zip(PRIORITIES, own, first, strict=True) if ours != its)


def entered(facts: Gather, retreat: Retreat, here: str, there: str) -> tuple[RetreatHex, tuple[RetreatHex, ...]]:
    """A hex of the way, every fact that it needs being asked for, and all hexes around the one before.

    Raises InputError for one that is not next to the hex before.
    """
    around_here = facts.view.board.neighbours(here)
    if there not in around_here:
        raise InputError(f"way: {there} is not next to {here}", hint="name every hex that is entered, in order")
    for place in around_here if retreat.garrisoned else ():
        known_inside(facts, here, place)
        known_inside(facts, retreat.parameters.at, place)
    over = between(facts, here, there)
    if through_mountains(over) and any(unit.arm == "artillery" for unit in retreat.units):
        for track in ("road", "rail"):
            over.word(track)
    if GREAT_RIVERS & over.lies and not over.linked:
        over.word("crossing")
    if needs_chart(over) or needs_chart(back(over)):
        facts.cell(*cell_of_high_mountain(facts.integer("turn")))
    options = around(retreat, here)
    return next(hex for hex in options if hex.hex == there), options


def around(retreat: Retreat, here: str) -> tuple[RetreatHex, ...]:
    """The hexes around, those that are open first, the best of them first. A stack with a Fortress Garrison is barred from leaving its
    complex while a hex of it is open (12.4.1)."""
    view = retreat.view
    hexes = [looked_at(retreat, here, there) for there in view.board.neighbours(here)]
    if retreat.garrisoned:
        within = {hex.hex for hex in hexes if is_inside(view, here, hex.hex)}
        can_stay = any(hex.hex in within and not hex.barred for hex in hexes)
        if garrison_move(inside=False, required=True, can_stay=can_stay) == "barred":
            why = "a hex of the Fortress Garrison's complex is open"
            leaving = [hex for hex in hexes if hex.hex not in within and not hex.barred]
            hexes = [replace(hex, rule="12.4.1", barred=why) if hex in leaving else hex for hex in hexes]
    return tuple(sorted(rather_than_none(hexes), key=lambda hex: (bool(hex.barred), best_first(hex))))


def rather_than_none(hexes: list[RetreatHex]) -> list[RetreatHex]:
    """The hexes around where none is open: what enemies have left is open rather than being unable to retreat. Rule: 11.2.2b"""
    if not all(hex.barred for hex in hexes):
        return hexes
    return [replace(hex, rule="", barred="") if hex.rule == "11.2.2" else hex for hex in hexes]


def looked_at(retreat: Retreat, here: str, there: str) -> RetreatHex:
    """A hex next to another one, as far as it is known: whether it can be entered, and what counts in it."""
    view, over = retreat.view, between(retreat.view, here, there)
    lets, control = lets_there_and_back(over), view.fact("control", there)
    unsaid = [f"terrain of {there}"] * (not over.enters) + [f"hexside {over.name}"] * (not over.is_stated)
    unsaid += ["the movement cost of high-mountain"] * (lets is None)
    return RetreatHex(
        there,
        *(bar_of(retreat, there, closed(over) or ("High Mountain" if lets is False else "")) or ()),
        zone=in_enemy_zone(retreat, there),
        river=unbridged(over),
        mountains=through_mountains(over),
        distance=view.board.distance(retreat.parameters.at, there),
        in_area=in_area(retreat, there),
        friendly=None if control is None else control.value == retreat.around.side,
        to_supply=min((view.board.distance(source, there) for source in retreat.sources), default=0),
        unsaid=tuple(unsaid),
    )


def in_enemy_zone(retreat: Retreat, hex: str) -> bool:
    """Whether a hex counts as one in an EZOC, which friends in it negate. Rule: 11.2.5"""
    return hex in retreat.around.enemy_zones and hex not in retreat.friends


def in_area(retreat: Retreat, hex: str) -> bool | None:
    """Whether a hex lies in the Area of Attachment of every army of a stack, None where an area is not stated."""
    formations = [unit for unit in retreat.units if unit.formation] or retreat.units  # Asset Units go with theirs
    drawn = [area(retreat.view, army_of(retreat.view, unit.id)) for unit in formations]
    return None if None in drawn else all(hex in hexes for hexes in drawn if hexes is not None)


def through_mountains(over: Hexside) -> bool:
    """Whether a way leads out of or into a Mountain hex or over a ridge, and along no road or RR line. Rule: 11.2.4c"""
    return bool(MOUNTAINS & {over.leaves, over.enters} or "ridge" in over.lies) and not over.linked


def bar_of(retreat: Retreat, there: str, shut: str) -> Barred | None:
    """What bars a hex, None if nothing does. shut: what nobody crosses on the way. Rule: 4.2b, 11.2.2b, 11.2.4a"""
    if there in retreat.around.enemies:
        return Barred("4.2", "enemies stand there")
    if shut:
        return Barred("11.2.4", f"{shut} cannot be crossed")
    if there in retreat.parameters.abandoned:
        return Barred("11.2.2", "an enemy stood there at the moment of combat and left by a retreat")
    return None
