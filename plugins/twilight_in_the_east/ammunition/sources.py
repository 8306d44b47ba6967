"""Where an Artillery Ammunition Point (AP) may come from: depots, Corps Trains, magazines, Boyen and Warsaw (10.5.2 to 10.5.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from assistant.field.lines import Source
from assistant.questions import Gather, MissingFacts, View
from assistant.questions.report import Ask
from assistant.state.sources import Value
from assistant.state.state import Unit

from ..combat.allocation import LÖTZEN, MAGAZINE, MOST
from ..forces.armies import WARSAW_GARRISON, army_of
from ..forces.assets import is_asset_unit
from ..supply.rules import near_and_far, ranges
from ..supply.sources import of_another, on_the_move, supply_unit
from ..terms import BOYEN, BOYEN_REACH, DEPOTS, FORTRESSES, KG_TRAIN
from . import allowance
from .allowance import Giver
from .lines import Delivery, Lines
from .report import PointLink, PointRecord, PointWay

WARSAW = "58.52"
"""The hex of the city, whose garrison has a magazine (24.1.3)."""


class Tried(NamedTuple):
    """A way that was tried, and what would tell more where facts are missing that matter for it alone."""

    way: PointWay
    asks: tuple[Ask, ...] = ()


class Wanting(NamedTuple):
    """Who wants an AP.

    unit: whose attachment counts; point: what the AP is called in a battle; served: the units of the command that can use
    it; stack: all units of the hex that can use one.
    """

    unit: Unit
    point: str
    served: tuple[str, ...]
    stack: tuple[str, ...]

    def way(self, source: str, rule: str, why_not: str, served: tuple[str, ...] = ()) -> PointWay:
        """A way without lines: by a train without a depot, or from a magazine, which serves the whole stack."""
        point = self.point if served else f"{MAGAZINE}{self.unit.place}"
        return PointWay(source=source, point=point, serves=served or self.stack, rule=rule, why_not=why_not)


class LinkTried(NamedTuple):
    """One link of a chain that was tried.

    link: how it reaches what comes next; record: what giving an AP does to its supply unit; both None where too little is known;
    why_not: why it gives none; asks: what would tell more.
    """

    link: PointLink | None
    record: PointRecord | None
    why_not: str
    asks: tuple[Ask, ...]


def supply_chains(facts: Gather, lines: Lines, wanting: Wanting) -> list[Tried]:
    """Every way from a depot of the army, straight to the units or by way of a Corps Train that may serve them.
    Rule: 10.5.2, 10.5.3
    """
    friends = [other for other in facts.view.units() if other.place in lines.around.friends]
    depots = [other for other in friends if facts.word("arm", other.id) in DEPOTS]
    trains = [other for other in friends if facts.word("arm", other.id) == "corps-train"]
    by_train = any(lines.as_stated(train.id) for train in trains)  # a depot named with a train reaches the train
    straight = [depot for depot in depots if not (by_train and lines.as_stated(depot.id))]
    chains: list[tuple[Unit, ...]] = [(depot,) for depot in straight if not of_another(facts, wanting.unit, depot)]
    unfed = []
    for train in trains:
        if of_another(facts, wanting.unit, train):
            continue
        own = [(depot, train) for depot in depots if not of_another(facts, train, depot)]
        if train.id == KG_TRAIN:
            chains.append((train,))
        elif own:
            chains += own
        else:
            why_not = "no depot of its army is in this position"
            unfed.append(Tried(wanting.way(train.id, "10.5.2", why_not, served=wanting.served)))
    return [*(along(facts.view, lines, wanting, chain) for chain in chains), *unfed]


def along(view: View, lines: Lines, wanting: Wanting, suppliers: Sequence[Unit]) -> Tried:
    """Whether an AP comes along a chain of supply units, and what that does to each of them.

    suppliers: a depot, a depot and a train, or the train that needs no depot. Rule: 10.5.3, 10.5.4
    """
    targets = [str(unit.place) for unit in (*suppliers[1:], wanting.unit)]
    links = [link(view, lines, unit, to) for unit, to in zip(suppliers, targets, strict=True)]
    reasons = [one.why_not for one in links if one.why_not]
    final = any(one.why_not and not one.asks for one in links)
    way = PointWay(
        source=suppliers[-1].id,
        depot=suppliers[0].id if len(suppliers) > 1 else "",
        point=wanting.point,
        serves=wanting.served,
        rule="10.5.3",
        links=tuple(one.link for one in links if one.link),
        records=() if reasons else tuple(one.record for one in links if one.record),
        why_not="; ".join(reasons),
    )
    return Tried(way, () if final else tuple(ask for one in links for ask in one.asks))


def link(view: View, lines: Lines, unit: Unit, to: str) -> LinkTried:
    """How a supply unit reaches the next one or the units at the moment of combat, turned to its Extended Mode side if need be.

    Rule: 10.5.3, 10.5.4
    """
    try:
        with view.gather() as facts:
            if barred := barred_from_giving(facts, unit):
                return LinkTried(None, None, f"{unit.id} is {barred}", ())
            giver, delivery, source = giver_of(facts, unit), lines.as_stated(unit.id), None
            if delivery is None:
                source = supply_unit(facts, unit)
                delivery = lines.between(facts, source, to)
    except MissingFacts as missing:
        return LinkTried(None, None, f"too little is known of {unit.id}", missing.asks)
    now = allowance.extend(giver) if delivery.extended else giver
    limit = allowance.allocation_limit(now)
    spent_up = not delivery.why_not and allowance.left(now) == 0
    record = PointRecord(
        source=unit.id,
        turned=now.extended and not giver.extended,
        before=giver.spent,
        after=now.spent + allowance.is_recorded(now),
        limit=limit,
    )
    why_not = f"{unit.id} has no AP left of {limit}" if spent_up else delivery.why_not
    return LinkTried(point_link(unit, giver.arm, to, source, delivery, now.extended), record, why_not, delivery.asks)


def point_link(
    unit: Unit, kind: str, to: str, source: Source | None, delivery: Delivery, extended: bool = False
) -> PointLink:
    """A link in the result. source: None where the player vouches for the line."""
    return PointLink(
        source=unit.id,
        kind=kind,
        place=str(unit.place),
        to=to,
        cost=delivery.line.cost if delivery.line else None,
        range=near_and_far(source)[0] if source else None,
        extended_range=near_and_far(source)[1] if source else None,
        extended=extended,
        line=delivery.line.steps if delivery.line else (),
    )


def giver_of(facts: Gather, unit: Unit) -> Giver:
    """A supply unit's side, marker and limits; what is printed on it need not be known, for its usual limits are (10.5.4)."""
    tracks = ("ap-limit", "extended-ap-limit")
    limit, extended_limit = (
        facts.view.number(track, unit.id) if facts.view.fact(track, unit.id) else None for track in tracks
    )
    return Giver(
        arm=facts.word("arm", unit.id),
        extended=facts.flag("extended", unit.id),
        spent=facts.integer("ap-spent", unit.id),
        limit=limit,
        extended_limit=extended_limit,
        incomplete=facts.integer("incomplete-limit", unit.id) if facts.integer("incomplete", unit.id) else None,
    )


def barred_from_giving(facts: Gather, unit: Unit) -> str:
    """Why a supply unit gives no AP wherever the units stand, "" if it may: a depot's markers, a train in Rail Mode.

    A depot need not have a LOC now, and a train may be Out of Supply itself. Rule: 10.5.2b, 14.5.2b
    """
    if facts.word("arm", unit.id) == "corps-train":
        return "entrained (14.2.2)" if facts.flag("entrained", unit.id) else ""
    if facts.word("supply", unit.id) == "out":
        return "marked Out of Supply (10.5.2)"
    return on_the_move(facts, unit)


# --- magazines --------------------------------------------------------------------------------------------------------


def magazine_ways(view: View, wanting: Wanting, side: str) -> list[Tried]:
    """The magazines of fortress complexes on which the stack may draw, and the facts that would tell of more.
    Rule: 10.5.5
    """
    place = str(wanting.unit.place)
    fortresses = [
        other.id for other in view.stack(place) if known(view, "arm", other.id)[0] in FORTRESSES
    ]  # all friendly
    found = []
    for source, track, subject, yes in (
        *((f"magazine of {name}", "complex-magazine", name, True) for name in fortresses),
        (f"magazine in {place}", "magazine", place, side),
    ):
        value, asks = known(view, track, subject)
        if value == yes or asks:
            found.append(Tried(wanting.way(source, "10.5.5", "it is not known" if asks else ""), asks))
    return found


def warsaw_ways(facts: Gather, wanting: Wanting) -> list[Tried]:
    """The magazine of Warsaw, for units of its garrison. Rule: 10.5.6, 24.1.3"""
    view, unit = facts.view, wanting.unit
    near = WARSAW in (unit.place, *view.board.neighbours(str(unit.place)))
    if not (near and facts.word("nation", unit.id) == "russian" and facts.flag("campaign")):
        return []
    if army_of(view, unit.id) not in ("", WARSAW_GARRISON):
        return []
    formations = [name for name in wanting.stack if not is_asset_unit(facts, name)]  # Asset Units go with one of these
    asks = tuple(ask for name in (unit.id, *formations) for ask in known(view, "army", name)[1])
    why_not = 'the army of its units is not stated (army="Warsaw Garrison")' if asks else ""
    if not asks:
        held, asks = known(view, "control", WARSAW)
        if held != "russian":
            why_not = f"who controls {WARSAW} is not stated" if asks else f"{WARSAW} is the enemy's"
    way = wanting.way("magazine of Warsaw", "24.1.3", why_not)
    serves = tuple(name for name in way.serves if army_of(view, name) in ("", WARSAW_GARRISON))
    return [Tried(msgspec.structs.replace(way, serves=serves), asks)]


def boyen_ways(facts: Gather, lines: Lines, wanting: Wanting) -> list[Tried]:
    """The Fortress Boyen, which has APs for one unit only, stacked with it or as far as it supplies it (a ruling).
    Rule: 10.5.5a
    """
    fortress = next((unit for unit in facts.view.units() if unit.id == BOYEN and unit.place), None)
    if fortress is None or LÖTZEN not in wanting.served:
        return []
    place = str(wanting.unit.place)
    links: tuple[PointLink, ...] = ()
    delivery = Delivery(why_not="" if fortress.place == place else f"{LÖTZEN} is not stacked with it")
    if facts.view.ruling("boyen-ap") == "traced":
        source = Source(BOYEN, "fortress", str(fortress.place), ranges("fortress", BOYEN_REACH))
        delivery = lines.as_stated(BOYEN) or lines.between(facts, source, place)
        links = (point_link(fortress, "fortress", place, source, delivery),)
    way = wanting.way(BOYEN, "10.5.5a", delivery.why_not, served=(LÖTZEN,))
    return [Tried(msgspec.structs.replace(way, point=BOYEN, links=links), delivery.asks)]


def known(view: View, track: str, subject: str) -> tuple[Value | None, tuple[Ask, ...]]:
    """A fact that matters only where nothing else serves: its value, or else what to ask."""
    fact = view.fact(track, subject)
    if fact is not None:
        return fact.value, ()
    try:
        with view.gather() as facts:
            facts.word(track, subject)
    except MissingFacts as missing:
        return None, missing.asks
    return None, ()


# --- the choice -------------------------------------------------------------------------------------------------------


def cheapest(ways: Sequence[PointWay], through: Sequence[str]) -> PointWay | None:
    """The way that turns and records least and then is shortest, of those by the named sources; None if none serves.
    Rule: 10.5.3
    """

    def burden(way: PointWay) -> tuple[int, int, bool, int, float]:
        turned = sum(record.turned for record in way.records)
        recorded = sum(record.after != record.before for record in way.records)
        one_stack = way.point.startswith(MAGAZINE)  # others serve all the units of a corps
        return turned, recorded, one_stack, len(way.links), float(sum(link.cost or 0 for link in way.links))

    able = [way for way in ways if not way.why_not and set(through) <= {way.source, way.depot}]
    return min(able, key=burden, default=None)


def overdrawn(ways: Sequence[PointWay]) -> dict[str, tuple[int, int]]:
    """The supply units that cannot give an AP by each of the ways that take one from them: the APs left, and how many they are."""
    wanted = Counter(record.source for way in ways for record in way.records)
    left: dict[str, int] = {}
    for record in (record for way in ways for record in way.records):
        if record.limit is not None:
            given = record.after - 1  # before this AP, on the side that gives it
            left[record.source] = min(record.limit - given, left.get(record.source, MOST))
    return {source: (few, wanted[source]) for source, few in left.items() if few < wanted[source]}
