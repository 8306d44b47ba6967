"""Flanking: whether the hexes around a defender are held, and the hexsides that decide it (10.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations

from msgspec.structs import replace

from assistant.asking import Gather, InputError, View
from assistant.asking.asks import Ask, ask_for_fact
from assistant.rules.field import side_of
from assistant.state.state import hexside

from ..forces.units import CombatUnit
from ..ground.hexsides import CLOSED_BARRIERS, TRACKS, between, field
from ..terms import COMBAT_ARMS, FORTRESSES
from .engagement import Engagement, Flank, Ring


def ring_around(facts: Gather, engagement: Engagement) -> Ring:
    """Return the hexes and hexsides around the defender."""
    view = facts.view
    at = engagement.at
    side = side_of(facts, view.unit(engagement.defenders[0].id))
    stacks = {place: view.stack(place) for place in view.board.neighbours(at)}
    friends = {place for place, stack in stacks.items() if any(side_of(facts, unit) == side for unit in stack)}
    zones = field(facts, near=())
    around = {place: between(view, at, place) for place in stacks if place not in friends}
    reach = {unit.place: zones.zone_of("", [unit.place]) for unit in engagement.attackers}
    enemies = frozenset(place for place, stack in stacks.items() if stack and place not in friends)
    crossed = {hexside(place, other) for place in reach for other in stacks}
    return Ring(
        sides=tuple((place, over.lies) for place, over in around.items()),
        enemies=enemies,
        reach=reach,
        unsaid=tuple(sorted(zones.unstated("") & crossed)),
        open_if_unsaid=frozenset(place for place, over in around.items() if not over.is_stated),
    )


def judge_flank(engagement: Engagement) -> Engagement:
    """Return the combat with the verdict whether the defender is flanked.

    The position decides unless the players state it.

    Raises InputError if the players state that a hex with a fortress unit is flanked.

    Rule: 10.4.5
    """
    stated = engagement.said_flanked
    flank = flank_of(engagement, engagement.attackers)
    if flank.fortress and stated:
        what = "flanked: a hex with a fortress unit cannot be flank attacked (10.4.5)"
        raise InputError(what, hint="leave it out")
    return replace(engagement, flank=flank, flanked=flank.holds if stated is None else stated)


def flank_of(engagement: Engagement, attackers: Sequence[CombatUnit], *, as_stated: bool = False) -> Flank:
    """Return the hexes around the defender that these attackers hold.

    `as_stated`: whether hexsides of unstated terrain count as closed, to units and to zones of control.

    Rule: 10.4.1, 10.4.2
    """
    ring = engagement.ring
    any_enemy = engagement.readings.flank_occupied == "any"
    closed = ring.open_if_unsaid if as_stated else frozenset()
    sides = [(place, features) for place, features in ring.sides if place not in closed]

    def held(units: Iterable[CombatUnit], occupied: Collection[str]) -> tuple[str, ...]:
        zones = (_find_zone(ring, unit.place, as_stated=as_stated) for unit in units)
        return held_among(sides, occupied, frozenset[str]().union(*zones))

    occupied = ring.enemies if any_enemy else ring.enemies & {unit.place for unit in attackers}
    formations = [unit for unit in attackers if unit.formation]
    special = assets_flanked(attackers, (*engagement.defenders, *engagement.withheld))
    hexes = held((unit for unit in attackers if unit.arm in COMBAT_ARMS), occupied)
    return Flank(
        hexes=hexes,
        by_formations=len(held(formations, {unit.place for unit in formations})) if special else 0,
        fortress=any(unit.arm in FORTRESSES for unit in engagement.defenders),
    )


def _find_zone(ring: Ring, place: str, *, as_stated: bool) -> frozenset[str]:
    """Return the zone of control of attackers in a hex.

    `as_stated`: whether the zone reaches only across hexsides of stated terrain.
    """
    reach = ring.reach[place]
    return frozenset(other for other in reach if hexside(place, other) not in ring.unsaid) if as_stated else reach


def held_among(
    around: Sequence[tuple[str, Collection[str]]], occupied: Collection[str], zones: Collection[str]
) -> tuple[str, ...]:
    """Return the hexes around a defender that enemies occupy or that are in the zone of an attacker.

    `around`: the adjacent hexes, each with the features of its hexside. A hex beyond an impassable or lake hexside does
    not count.

    Rule: 10.4, 10.4.4
    """
    open_ones = (place for place, features in around if not CLOSED_BARRIERS & set(features))
    return tuple(place for place in open_ones if place in occupied or place in zones)


def assets_flanked(attackers: Sequence[CombatUnit], defenders: Sequence[CombatUnit]) -> bool:
    """Return whether the flanking rule for lone Asset Units applies (10.4.2).

    No formation may be in the defending hex. The attacker needs one infantry division or two cavalry divisions, where
    two brigades make a division.
    """
    halves = {"XX": 2, "X": 1}
    infantry = sum(halves.get(unit.size, 0) for unit in attackers if unit.arm == "infantry")
    cavalry = sum(halves.get(unit.size, 0) for unit in attackers if unit.arm == "cavalry")
    return not any(unit.formation for unit in defenders) and (infantry >= 2 or cavalry >= 4)


def depends_on_bystanders(engagement: Engagement, *, any_part: bool) -> bool:
    """Return whether adjacent enemies that do not attack decide whether the defender is flanked.

    `any_part`: whether any part of the attackers may fight, so that the others may be such enemies.
    """

    def is_flanked(reading: str) -> bool:
        read = replace(engagement, readings=replace(engagement.readings, flank_occupied=reading))
        return flank_of(read, engagement.attackers).holds

    return is_flanked("any") and (any_part or not is_flanked("attackers"))


def list_hexside_asks(view: View, engagement: Engagement, *, any_part: bool) -> list[Ask]:
    """Return the questions for the unstated hexsides that decide whether the defender is flanked.

    Returns [] if the players state whether it is flanked.

    `any_part`: as in `deciding_hexsides`.
    """
    track = view.game.track(TRACKS.lies)
    deciding = deciding_hexsides(engagement, any_part=any_part) if engagement.said_flanked is None else []
    return [ask_for_fact(track, side) for side in deciding]


def deciding_hexsides(engagement: Engagement, *, any_part: bool) -> list[str]:
    """Return the hexsides of unstated terrain that decide whether the defender is flanked, sorted.

    `any_part`: whether any part of the attackers may fight, rather than all of them.
    """
    hexsides: set[str] = set()
    if engagement.ring.unsaid or engagement.ring.open_if_unsaid:
        for units in _list_parts(engagement.attackers) if any_part else [engagement.attackers]:
            assumed = flank_of(engagement, units, as_stated=False)
            stated = flank_of(engagement, units, as_stated=True)
            if assumed.holds != stated.holds:
                hexsides.update(_find_doubtful_hexsides(engagement, units))
    return sorted(hexsides)


def _list_parts(units: Sequence[CombatUnit]) -> Iterator[tuple[CombatUnit, ...]]:
    """Yield the units of each non-empty selection of the attacking hexes."""
    places = list(dict.fromkeys(unit.place for unit in units))
    for chosen in chain.from_iterable(combinations(places, number) for number in range(1, len(places) + 1)):
        yield tuple(unit for unit in units if unit.place in chosen)


def _find_doubtful_hexsides(engagement: Engagement, units: Iterable[CombatUnit]) -> Iterator[str]:
    """Yield the hexsides of unstated terrain that decide whether a hex adjacent to the defender counts as held.

    They are the hexside between the two hexes, and the hexsides across which zones of attackers reach the hex.
    """
    ring = engagement.ring
    places = {unit.place for unit in units if unit.arm in COMBAT_ARMS}
    for place, features in ring.sides:
        reaching = {other for other in places if place in ring.reach[other]}
        if CLOSED_BARRIERS & features or not (place in ring.enemies or reaching):
            continue
        if place in ring.open_if_unsaid:
            yield hexside(engagement.at, place)
        across = {hexside(other, place) for other in reaching}
        if place not in ring.enemies and across <= {*ring.unsaid}:
            yield from across
