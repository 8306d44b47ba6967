"""The hexes around a stack that retreats: what bars each, what counts in it, and in which order the priorities put them (11.2.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from assistant.field import Barred, Hexside, open_hexes
from assistant.questions import Gather, InputError, View

from ..fortresses.garrisons import garrison_move, is_inside, known_inside
from ..ground.hexsides import back, between, cell_of_high_mountain, closed, lets_there_and_back, needs_chart, unbridged
from ..terms import GREAT_RIVERS
from .cost import RetreatHex
from .stack import Retreat, in_area, supply_sources

MOUNTAINS = frozenset({"mountain", "high-mountain"})
PRIORITIES = ("farther from the combat", "not outside the army's area", "known to be under control", "nearer to supply")
"""What puts a hex before others, the first priority first (11.2.2)."""


def priorities(hex: RetreatHex) -> tuple[Any, ...]:
    """What sorts hexes by the priorities of a retreat, the best first: the distance, the area, control, and the way to supply.

    Rule: 11.2.2
    """
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
    differ = (
        why for why, own, other in zip(PRIORITIES, priorities(entered), priorities(best), strict=True) if other != own
    )
    return (best.hex, next(differ)) if priorities(best) < priorities(entered) else None


def entered(facts: Gather, retreat: Retreat, here: str, there: str) -> RetreatHex:
    """A hex of the way, every fact that it needs being asked for.

    Raises InputError for one that is not next to the hex before.
    """
    if there not in facts.view.board.neighbours(here):
        raise InputError(f"way: {there} is not next to {here}", hint="name every hex that is entered, in order")
    if any(unit.garrison for unit in retreat.units):
        for place in (*facts.view.board.neighbours(here), there):
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
    return next(hex for hex in around(facts.view, retreat, here) if hex.hex == there)


def around(view: View, retreat: Retreat, here: str) -> tuple[RetreatHex, ...]:
    """The hexes around, those that are open first, the best of them first. A stack with a Fortress Garrison is barred from leaving its
    complex while a hex of it is open (12.4.1)."""
    hexes = {there: looked_at(view, retreat, here, there) for there in view.board.neighbours(here)}
    within = {there for there in hexes if any(unit.garrison for unit in retreat.units) and is_inside(view, here, there)}
    can_stay = any(not hexes[there].barred for there in within)
    if within and garrison_move(inside=False, required=True, can_stay=can_stay) == "barred":
        leaving = Barred("12.4.1", "a hex of the Fortress Garrison's complex is open")
        hexes |= {there: barred(hex, leaving) for there, hex in hexes.items() if there not in within and not hex.barred}
    hexes = {hex.hex: hex for hex in rather_than_none(list(hexes.values()))}
    return open_hexes(view, here, lambda _, there: hexes[there], best_first)


def rather_than_none(hexes: list[RetreatHex]) -> list[RetreatHex]:
    """The hexes around where none is open: what enemies have left is open rather than being unable to retreat.
    Rule: 11.2.2b
    """
    if not all(hex.barred for hex in hexes):
        return hexes
    return [barred(hex, Barred("", "")) if hex.rule == "11.2.2" else hex for hex in hexes]


def barred(hex: RetreatHex, bar: Barred) -> RetreatHex:
    """A hex that something bars, or nothing if its texts are empty."""
    return msgspec.structs.replace(hex, rule=bar.rule, barred=bar.why)


def looked_at(view: View, retreat: Retreat, here: str, there: str) -> RetreatHex:
    """A hex next to another one, as far as it is known: whether it can be entered, and what counts in it."""
    over = between(view, here, there)
    lets = lets_there_and_back(over)
    control = view.fact("control", there)
    unsaid = [f"terrain of {there}"] * (not over.enters) + [f"hexside {over.name}"] * (not over.is_stated)
    unsaid += ["the movement cost of high-mountain"] * (lets is None)
    sources = (source for force in retreat.forces for source in supply_sources(view, retreat, force))
    hex = RetreatHex(
        there,
        zone=in_enemy_zone(retreat, there),
        river=unbridged(over),
        mountains=through_mountains(over),
        distance=view.board.distance(retreat.parameters.at, there),
        in_area=in_area(view, retreat, there),
        friendly=None if control is None else control.value == retreat.around.side,
        to_supply=min((view.board.distance(source, there) for source in sources), default=0),
        unsaid=tuple(unsaid),
    )
    bar = bar_of(retreat, there, closed(over) or ("High Mountain" if lets is False else ""))
    return barred(hex, bar) if bar else hex


def in_enemy_zone(retreat: Retreat, hex: str) -> bool:
    """Whether a hex counts as one in an EZOC, which friends in it negate. Rule: 11.2.5"""
    return hex in retreat.around.enemy_zones and hex not in retreat.friends


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
