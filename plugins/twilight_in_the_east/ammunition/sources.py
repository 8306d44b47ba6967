"""Where an Artillery Ammunition Point (AP) may come from: depots, Corps Trains, magazines, Boyen and Warsaw (10.5.2 to
10.5.6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from assistant.field import Line, Source
from assistant.questions import Gather, MissingFacts, View
from assistant.questions.report import Ask
from assistant.state.state import Unit

from ..combat.legality import LÖTZEN, MAGAZINE, MOST_POINTS, known, magazines_at
from ..forces.armies import WARSAW_GARRISON, army_of
from ..forces.assets import attaching, is_asset_unit
from ..supply.report import reach
from ..supply.rules import ranges
from ..supply.sources import (
    LANDWEHR_SUPPLIED,
    LANDWEHR_TRAIN,
    bars_guest,
    inactive,
    is_guest,
    named_guests,
    of_another,
    on_the_move,
    serves_cavalry_only,
    supply_unit,
)
from ..terms import BOYEN, BOYEN_REACH, DEPOTS, KG_TRAIN
from . import allowance
from .allowance import Giver
from .lines import Delivery, Lines
from .report import PointLink, PointRecord, PointWay

ALLOTMENT = "allotment-spent"
"""The track of how many of its own APs the Train of the 3 LW Corps has given."""
WARSAW = "58.52"
"""The hex of the city, whose garrison has a magazine (24.1.3)."""


class TriedWay(msgspec.Struct, frozen=True):
    """A way that was tried. asks: the missing facts that matter for this way alone."""

    way: PointWay
    asks: tuple[Ask, ...] = ()


class Recipient(msgspec.Struct, frozen=True):
    """The units that an AP is wanted for.

    unit: whose attachment counts; point: what the AP is called in a battle; served: the units of the command that can
    use it; stack: all units of the hex that can use one.
    """

    unit: Unit
    point: str
    served: tuple[str, ...]
    stack: tuple[str, ...]

    def way(self, source: str, rule: str, why_not: str, served: tuple[str, ...] = ()) -> PointWay:
        """A way without lines: by a train without a depot, or from a magazine, which serves the whole stack."""
        point = self.point if served else f"{MAGAZINE}{self.unit.place}"
        return PointWay(source=source, point=point, serves=served or self.stack, rule=rule, why_not=why_not)

    def barred_way(self, source: str, rule: str, why_not: str, asks: tuple[Ask, ...] = ()) -> TriedWay:
        """A way to the units of the command that is barred for now, with what would settle it."""
        return TriedWay(self.way(source, rule, why_not, served=self.served), asks)


def supply_chains(facts: Gather, lines: Lines, wanting: Recipient) -> list[TriedWay]:
    """Every way from a depot of the army, straight to the units or by way of a Corps Train that may serve them, and
    what the Train of the 3 LW Corps has of its own.
    Rule: 10.5.2, 10.5.3
    """
    depots = [other for other in lines.ground.around.units if facts.word("arm", other.id) in DEPOTS]
    trains = [other for other in lines.ground.around.units if facts.word("arm", other.id) == "corps-train"]
    by_train = any(lines.as_stated(train.id) for train in trains)  # a depot named with a train reaches the train
    straight = [depot for depot in depots if not (by_train and lines.as_stated(depot.id))]
    guests = named_guests(facts)
    own = [depot for depot in straight if not of_another(facts, wanting.unit, depot)]
    ways = [along(facts.view, lines, wanting, (depot,)) for depot in own]
    for train in trains:
        if (served := served_by(facts, wanting, train)) is None:
            continue
        formation = attaching(facts, served.unit)
        if is_guest(facts, formation) and (barred := bars_guest(facts, formation, train, guests.get(train.id, ()))):
            ways.append(served.barred_way(train.id, "14.3.1", barred))
            continue
        if train.id == LANDWEHR_TRAIN:
            ways += own_allotment(facts.view, lines, served, train)
        fed = [(depot, train) for depot in depots if not of_another(facts, train, depot)]
        chains: list[tuple[Unit, ...]] = [(train,)] if train.id == KG_TRAIN else [*fed]
        ways += [along(facts.view, lines, served, chain) for chain in chains]
        if not chains:
            ways.append(served.barred_way(train.id, "10.5.2", "no depot of its army is in this position"))
    return ways


def served_by(facts: Gather, wanting: Recipient, train: Unit) -> Recipient | None:
    """The units of a command that attachment lets a Corps Train serve, None if there are none: of a Cavalry Corps the
    cavalry (14.3.1).
    """
    if serves_cavalry_only(facts, train):
        riders = tuple(name for name in wanting.served if facts.word("arm", name) == "cavalry")
        if not riders:
            return None
        wanting = msgspec.structs.replace(wanting, unit=facts.view.unit(riders[0]), served=riders)
    return None if of_another(facts, wanting.unit, train) else wanting


def own_allotment(view: View, lines: Lines, wanting: Recipient, train: Unit) -> list[TriedWay]:
    """The two APs that the Train of the 3 LW Corps may give before GT 10 without a depot; none from then on.
    Rule: 22.3.1
    """
    turn, asks = known(view, "turn", "")
    if isinstance(turn, int) and turn > LANDWEHR_SUPPLIED:
        return []
    spent, more = known(view, ALLOTMENT, train.id)
    if asks := (*asks, *more):
        return [wanting.barred_way(train.id, "22.3.1", "its own two APs before GT 10: too little is stated", asks)]
    if int(str(spent)) >= MOST_POINTS:
        return [wanting.barred_way(train.id, "22.3.1", "its own two APs before GT 10 have been given")]
    tried = along(view, lines, wanting, (train,))
    given = PointRecord(
        source=train.id,
        turned=False,
        before=int(str(spent)),
        after=int(str(spent)) + 1,
        limit=MOST_POINTS,
        allotment=True,
    )
    records = () if tried.way.why_not else (*tried.way.records, given)
    return [msgspec.structs.replace(tried, way=msgspec.structs.replace(tried.way, rule="22.3.1", records=records))]


def along(view: View, lines: Lines, wanting: Recipient, suppliers: Sequence[Unit]) -> TriedWay:
    """Whether an AP comes along a chain of supply units, and what that does to each of them.

    suppliers: a depot, a depot and a train, or the train that needs no depot. Rule: 10.5.3, 10.5.4
    """
    links = [link(view, lines, supplier, to) for supplier, to in pairwise((*suppliers, wanting.unit))]
    reasons = [link.why_not for link in links if link.why_not]
    final = any(link.why_not and not link.asks for link in links)
    way = PointWay(
        source=suppliers[-1].id,
        depot=suppliers[0].id if len(suppliers) > 1 else "",
        point=wanting.point,
        serves=wanting.served,
        rule="10.5.3",
        links=tuple(link.link for link in links if link.link),
        records=() if reasons else tuple(link.record for link in links if link.record),
        why_not="; ".join(reasons),
    )
    return TriedWay(way, () if final else tuple(ask for link in links for ask in link.asks))


def link(view: View, lines: Lines, unit: Unit, to: Unit) -> Delivery:
    """How a supply unit reaches the next one or the units at the moment of combat, turned to its Extended Mode side if
    need be.
    Rule: 10.5.3, 10.5.4
    """
    try:
        with view.gather() as facts:
            if barred := barred_from_giving(facts, unit):
                return Delivery(why_not=f"{unit.id} is {barred}")
            giver, delivery = giver_of(facts, unit), lines.as_stated(unit.id)
            source = Source(unit.id, giver.arm, str(unit.place), ()) if delivery else supply_unit(facts, unit)
            delivery = delivery or lines.between(view, source, to)
    except MissingFacts as missing:
        return Delivery(why_not=f"too little is known of {unit.id}", asks=missing.asks)
    now = allowance.extend(giver) if delivery.extended else giver
    if delivery.asks and allowance.left(giver) == 0 == allowance.left(allowance.extend(giver)):
        return Delivery(why_not=f"{unit.id} has no AP left of {allowance.allocation_limit(giver)}")  # whatever the line
    limit = allowance.allocation_limit(now)
    if not delivery.why_not and allowance.left(now) == 0:
        delivery = msgspec.structs.replace(delivery, why_not=f"{unit.id} has no AP left of {limit}")
    record = PointRecord(
        source=unit.id,
        turned=now.extended and not giver.extended,
        before=giver.spent,
        after=now.spent + allowance.is_recorded(now),
        limit=limit,
    )
    return msgspec.structs.replace(
        delivery, link=point_link(source, str(to.place), delivery.line, extended=now.extended), record=record
    )


def point_link(source: Source, to: str, line: Line | None, *, extended: bool = False) -> PointLink:
    """A link in the result, of a source without ranges where the player vouches for the line."""
    return PointLink(**reach(source, line), to=to, extended=extended, line=line.steps if line else ())


def giver_of(facts: Gather, unit: Unit) -> Giver:
    """A supply unit's side, marker and limits; what is printed on it need not be known, for its usual limits are
    (10.5.4).
    """
    view, name = facts.view, unit.id

    def printed(limit: str) -> int | None:
        return view.integer(limit, name) if view.fact(limit, name) else None

    arm, extended, spent = facts.word("arm", name), facts.flag("extended", name), facts.integer("ap-spent", name)
    incomplete = facts.integer("incomplete-limit", name) if facts.integer("incomplete", name) else None
    return Giver(arm, extended, spent, printed("ap-limit"), printed("extended-ap-limit"), incomplete)


def barred_from_giving(facts: Gather, unit: Unit) -> str:
    """Why a supply unit gives no AP wherever the units stand, "" if it may: a depot's markers, PRAGA after a change of
    army, a train in Rail Mode.

    A depot need not have a LOC now, and a train may be Out of Supply itself. Rule: 10.5.2b, 14.5.2b
    """
    if facts.word("arm", unit.id) == "corps-train":
        return "entrained (14.2.2)" if facts.flag("entrained", unit.id) else ""
    if facts.word("supply", unit.id) == "out":
        return "marked Out of Supply (10.5.2)"
    return on_the_move(facts, unit) or inactive(facts, unit)


# --- magazines --------------------------------------------------------------------------------------------------------


def magazine_ways(view: View, wanting: Recipient, side: str) -> list[TriedWay]:
    """The magazines of fortress complexes on which the stack may draw, and those of which too little is stated
    (10.5.5).
    """
    return [
        TriedWay(wanting.way(magazine.name, "10.5.5", "it is not known" if magazine.asks else ""), magazine.asks)
        for magazine in magazines_at(view, str(wanting.unit.place), side)
    ]


def warsaw_ways(facts: Gather, wanting: Recipient) -> list[TriedWay]:
    """The magazine of Warsaw, for units of its garrison. Rule: 10.5.6, 24.1.3"""
    view, unit = facts.view, wanting.unit
    near = WARSAW in (unit.place, *view.board.neighbours(str(unit.place)))
    russian = near and facts.word("nation", unit.id) == "russian" and facts.flag("campaign")
    if not russian or army_of(view, unit.id) not in ("", WARSAW_GARRISON):
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
    return [TriedWay(msgspec.structs.replace(way, serves=serves), asks)]


def boyen_ways(facts: Gather, lines: Lines, wanting: Recipient) -> list[TriedWay]:
    """The Fortress Boyen, which has APs for one unit only, stacked with it or as far as it supplies it (a ruling).
    Rule: 10.5.5a
    """
    fortress = next((unit.place for unit in facts.view.units() if unit.id == BOYEN), None)
    if fortress is None or LÖTZEN not in wanting.served:
        return []
    place = str(wanting.unit.place)
    links: tuple[PointLink, ...] = ()
    delivery = Delivery(why_not="" if fortress == place else f"{LÖTZEN} is not stacked with it")
    if facts.view.ruling("boyen-ap") == "traced":
        source = Source(BOYEN, "fortress", fortress, ranges("fortress", BOYEN_REACH))
        delivery = lines.as_stated(BOYEN) or lines.between(facts.view, source, wanting.unit)
        links = (point_link(source, place, delivery.line),)
    way = wanting.way(BOYEN, "10.5.5a", delivery.why_not, served=(LÖTZEN,))
    return [TriedWay(msgspec.structs.replace(way, point=BOYEN, links=links), delivery.asks)]


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

    able = [way for way in ways if not way.why_not and way.comes_by(through)]
    return min(able, key=burden, default=None)


def overdrawn(ways: Sequence[PointWay]) -> dict[str, tuple[int, int]]:
    """The supply units that cannot give an AP by each of the ways that take one from them: the APs left, and how many
    they are.
    """
    records = [record for way in ways for record in way.records]
    wanted = Counter(
        (record.source, record.allotment) for record in records
    )  # its own two APs before GT 10 count apart
    left: dict[tuple[str, bool], int] = {}
    for record in records:
        if record.limit is not None:
            given = record.after - 1  # before this AP, on the side that gives it
            of = record.source, record.allotment
            left[of] = min(record.limit - given, left.get(of, record.limit))
    return {of[0]: (few, wanted[of]) for of, few in left.items() if few < wanted[of]}
