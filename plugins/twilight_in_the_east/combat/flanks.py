"""Whether a defender is flanked: what lies around it, who holds that, and on which unstated hexsides it turns (10.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations

import msgspec

from assistant.field import side_of
from assistant.questions import Gather, InputError, View
from assistant.questions.asking import ask_for_fact
from assistant.questions.report import Ask
from assistant.state.state import hexside

from ..forces.units import CombatUnit
from ..ground.hexsides import CLOSED, TRACKS, between
from ..ground.zones import field
from ..terms import COMBAT_ARMS, FORTRESSES
from .engagement import Engagement, Flank, Ring


def ring_around(facts: Gather, engagement: Engagement) -> Ring:
    """What lies around the defender."""
    view, at = facts.view, engagement.at
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


def surrounded(engagement: Engagement) -> Engagement:
    """The combat with whether the defender is flanked, from what the position shows, unless the players say so.

    Raises InputError if the players say so of a hex with a fortress unit. Rule: 10.4.5
    """
    said, flank = engagement.said_flanked, flank_of(engagement, engagement.attackers)
    if flank.fortress and said:
        what = "flanked: a hex with a fortress unit cannot be flank attacked (10.4.5)"
        raise InputError(what, hint="leave it out")
    return msgspec.structs.replace(engagement, flank=flank, flanked=flank.holds if said is None else said)


def flank_of(engagement: Engagement, attackers: Sequence[CombatUnit], *, as_stated: bool = False) -> Flank:
    """How far these attackers have surrounded the defender. Depots count as Asset Units, which is to say that they never count as
    formations.

    as_stated: whether zones are not taken to reach across unstated hexsides, nor these to be open. Rule: 10.4.1, 10.4.2
    """
    ring, any_enemy = engagement.ring, engagement.readings.flank_occupied == "any"
    closed = ring.open_if_unsaid if as_stated else frozenset()
    sides = [(place, lies) for place, lies in ring.sides if place not in closed]

    def held(units: Iterable[CombatUnit], occupied: Collection[str]) -> int:
        zones = (zone_of(ring, unit.place, as_stated=as_stated) for unit in units)
        return held_around(sides, occupied, frozenset[str]().union(*zones))

    occupied = ring.enemies if any_enemy else ring.enemies & {unit.place for unit in attackers}
    formations = [unit for unit in attackers if unit.formation]
    special = assets_flanked(attackers, (*engagement.defenders, *engagement.withheld))
    return Flank(
        held=held((unit for unit in attackers if unit.arm in COMBAT_ARMS), occupied),
        by_formations=held(formations, {unit.place for unit in formations}) if special else 0,
        fortress=any(unit.arm in FORTRESSES for unit in engagement.defenders),
    )


def zone_of(ring: Ring, place: str, *, as_stated: bool) -> frozenset[str]:
    """The hexes in the zone of attackers in a hex. as_stated: whether only across hexsides that are stated."""
    reach = ring.reach[place]
    return frozenset(other for other in reach if hexside(place, other) not in ring.unsaid) if as_stated else reach


def held_around(
    around: Sequence[tuple[str, Collection[str]]], occupied: Collection[str], zones: Collection[str]
) -> int:
    """How many of the hexes around a defender are in enemy hands, occupied or in a zone of an attacker.

    around: the adjacent hexes, each with what lies on its hexside; one beyond an impassable or lake hexside does not count.
    Rule: 10.4, 10.4.4
    """
    open_ones = (place for place, features in around if not CLOSED & set(features))
    return sum(place in occupied or place in zones for place in open_ones)


def assets_flanked(attackers: Sequence[CombatUnit], defenders: Sequence[CombatUnit]) -> bool:
    """Whether the special case of Asset Units applies (10.4.2): no formation with them, and a strong enough attacker.

    It takes one infantry division or two cavalry divisions (two brigades make a division). Whether three hexes around are held
    is for `held_around` to tell. Depots, which count as Asset Units here, never fight and are left out.
    """
    halves = {"XX": 2, "X": 1}
    infantry, cavalry = (
        sum(halves.get(unit.size, 0) for unit in attackers if unit.arm == arm) for arm in ("infantry", "cavalry")
    )
    return not any(unit.formation for unit in defenders) and (infantry >= 2 or cavalry >= 4)


def turns_on_bystanders(engagement: Engagement, *, any_part: bool) -> bool:
    """Whether it depends on enemies around the defender who do not attack whether it is flanked.

    any_part: whether any part of the attackers may fight, so that the others are such enemies.
    """
    flanked, unaided = (
        flank_of(
            msgspec.structs.replace(
                engagement, readings=msgspec.structs.replace(engagement.readings, flank_occupied=reading)
            ),
            engagement.attackers,
        ).holds
        for reading in ("any", "attackers")
    )
    return flanked and (any_part or not unaided)


def lacking(view: View, engagement: Engagement, *, any_part: bool) -> list[Ask]:
    """What to ask for where unstated hexsides decide whether the defender is flanked; nothing where the players say whether it is."""
    track = view.game.track(TRACKS.lies)
    deciding = deciding_hexsides(engagement, any_part=any_part) if engagement.said_flanked is None else []
    return [ask_for_fact(track, side) for side in deciding]


def deciding_hexsides(engagement: Engagement, *, any_part: bool) -> list[str]:
    """The unstated hexsides around the defender on which it turns whether he is flanked, in order.

    any_part: whether any part of the attackers may fight; otherwise all of them do.
    """
    found: set[str] = set()
    if engagement.ring.unsaid or engagement.ring.open_if_unsaid:
        for units in parts_by_hex(engagement.attackers) if any_part else [engagement.attackers]:
            assumed, stated = (flank_of(engagement, units, as_stated=as_stated) for as_stated in (False, True))
            if assumed.holds != stated.holds:
                found.update(doubtful_hexsides(engagement, units))
    return sorted(found)


def parts_by_hex(units: Sequence[CombatUnit]) -> Iterator[tuple[CombatUnit, ...]]:
    """Every choice of one or more of the hexes of some units, as the units there."""
    places = list(dict.fromkeys(unit.place for unit in units))
    for chosen in chain.from_iterable(combinations(places, number) for number in range(1, len(places) + 1)):
        yield tuple(unit for unit in units if unit.place in chosen)


def doubtful_hexsides(engagement: Engagement, units: Iterable[CombatUnit]) -> Iterator[str]:
    """The unstated hexsides that may keep a hex around the defender from counting: its own, and those that the zones reach it by."""
    ring, places = engagement.ring, {unit.place for unit in units if unit.arm in COMBAT_ARMS}
    for place, lies in ring.sides:
        reaching = {other for other in places if place in ring.reach[other]}
        if CLOSED & lies or not (place in ring.enemies or reaching):
            continue
        if place in ring.open_if_unsaid:
            yield hexside(engagement.at, place)
        across = {hexside(other, place) for other in reaching}
        if place not in ring.enemies and across <= {*ring.unsaid}:
            yield from across
