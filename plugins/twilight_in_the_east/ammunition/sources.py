"""The sources of an Artillery Ammunition Point (AP): supply units, magazines, Warsaw and Boyen (3.6.2, 10.5.2 to
10.5.6, 24.1.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

import msgspec

from assistant.asking import Gather, MissingFacts, View, holding, note
from assistant.asking.asks import Ask
from assistant.rules.field import LineSource, bar_of
from assistant.rules.field.lines import TracedLine
from assistant.state.state import Unit
from assistant.util.errors import quoted

from ..combat.allocation import LÖTZEN, MAGAZINE_PREFIX, MAX_POINTS, magazines_at, value_or_asks
from ..forces.armies import WARSAW_GARRISON, army_of, formation_attached_to, is_asset_unit
from ..railways.network import RAIL_HEX_WEIGHTS
from ..supply.ground import SupplyGround, facts_of_line, judge_line
from ..supply.rules import near_and_far, ranges, supply_from
from ..supply.sources import (
    LANDWEHR_LAST_TURN,
    LANDWEHR_TRAIN,
    ServingUnit,
    bars_of_attachment,
    find_bar_of_guest,
    is_guest,
    named_guests,
    serves_cavalry_only,
    supply_unit,
    why_so,
)
from ..terms import BOYEN, BOYEN_RANGE_HEXES, DEPOTS, KG_TRAIN, WARSAW
from .ways import ALLOTMENT, PointLink, PointRecord, PointWay

USUAL_ALLOTMENTS = {
    ("minor-depot", False): 4,
    ("minor-depot", True): 2,
    ("major-depot", True): 4,
    ("corps-train", True): 2,
}
"""The APs that a supply unit may allocate between Supply Phases, by arm and Extended Mode (10.5.4)."""
POINTS_LOST_WHEN_EXTENDED = 2
"""The APs removed from a Minor Depot's record when it is extended (10.5.4)."""


class Giver(msgspec.Struct, frozen=True):
    """A supply unit that gives an AP or passes one on."""

    arm: str
    """The arm: corps-train, minor-depot or major-depot."""
    extended: bool = False
    """Whether the supply unit is on its Extended Mode side."""
    spent: int = 0
    """The APs on the unit's marker."""
    limit: int | None = None
    """The APs printed on the unit's front, or None if they are not known."""
    extended_limit: int | None = None
    """The APs printed on the unit's Extended Mode side, or None if they are not known."""
    incomplete: int | None = None
    """The APs that the unit's Incomplete marker allows, or None if it has none."""


def allocation_limit(giver: Giver) -> int | None:
    """Return the number of APs that a supply unit may allocate on its present side, or None if there is no limit.

    A printed limit precedes the usual one. Fronts of Major Depots and complete Corps Trains have no limit.

    Rule: 3.6.2, 10.5.4, 24.3.1
    """
    printed = None
    if giver.extended:
        printed = giver.extended_limit
    elif giver.arm == "minor-depot":
        printed = giver.limit
    limits = [USUAL_ALLOTMENTS.get((giver.arm, giver.extended)) if printed is None else printed, giver.incomplete]
    return min((limit for limit in limits if limit is not None), default=None)


def is_recorded(giver: Giver) -> bool:
    """Return whether a supply unit's APs are recorded.

    They are if it is extended, a Minor Depot, or an Incomplete train.

    Rule: 10.5.4
    """
    return giver.extended or giver.arm == "minor-depot" or giver.incomplete is not None


def extend_depot(giver: Giver) -> Giver:
    """Return a supply unit turned to Extended Mode.

    A Minor Depot's record falls by two, but not below zero.

    Rule: 3.6, 10.5.4b
    """
    less = POINTS_LOST_WHEN_EXTENDED if giver.arm == "minor-depot" and not giver.extended else 0
    return msgspec.structs.replace(giver, extended=True, spent=max(giver.spent - less, 0))


def allocations_left(giver: Giver) -> int | None:
    """Return the number of APs that a supply unit may still allocate, or None if there is no limit. Rule: 10.5.4"""
    limit = allocation_limit(giver)
    return None if limit is None else max(limit - giver.spent, 0)


class Delivery(msgspec.Struct, frozen=True):
    """The delivery of an AP by a supply unit to a hex, with its effects on the unit."""

    line: Annotated[TracedLine | None, note("None if no line is known or needed")] = None
    extended: Annotated[bool, note("whether it takes Extended Mode")] = False
    why_not: Annotated[str, note('why it gives no AP, "" if it gives one')] = ""
    asks: Annotated[tuple[Ask, ...], note("what would decide it where lines are known only as typed")] = ()
    link: Annotated[PointLink | None, note("in the result, like `record`; None where too little is known")] = None
    record: PointRecord | None = None


class TriedWay(msgspec.Struct, frozen=True):
    """A way for an AP that was tried, with its open questions."""

    way: PointWay
    asks: tuple[Ask, ...] = ()
    """The missing facts that matter for this way alone."""


class Recipient(msgspec.Struct, frozen=True):
    """The units of a command that need an AP."""

    unit: Unit
    """The unit whose attachment decides which sources may serve the command."""
    point: str
    """The name of the AP in a battle."""
    served: tuple[str, ...]
    """The units of the command that can use the AP."""
    stack: tuple[str, ...]
    """All units of the hex that can use an AP."""

    def way(self, source: str, rule: str, why_not: str) -> PointWay:
        """Return a way from a magazine, which needs no line and serves all units of the hex."""
        point = f"{MAGAZINE_PREFIX}{self.unit.place}"
        return PointWay(source=source, point=point, serves=self.stack, rule=rule, why_not=why_not)

    def barred_way(self, source: str, rule: str, why_not: str, asks: tuple[Ask, ...] = ()) -> TriedWay:
        """Return a way that is barred for now, with the questions that may open it."""
        way = PointWay(source=source, point=self.point, serves=self.served, rule=rule, why_not=why_not)
        return TriedWay(way, asks)


class AmmunitionLines(msgspec.Struct, frozen=True):
    """The lines that supply units may trace in a position."""

    view: View
    ground: SupplyGround
    """The ground for lines: the drawn map, or the typed parts of a paper map."""
    near: tuple[str, ...]
    """Supply units that the player states to be in range on their normal side."""
    far: tuple[str, ...]
    """Supply units that the player states to be in range in Extended Mode."""

    def as_stated(self, source: str) -> Delivery | None:
        """Return the delivery that the player states for a source, or None."""
        return Delivery(extended=source not in self.near) if source in (*self.near, *self.far) else None

    def between(self, source: LineSource, to: Unit) -> Delivery:
        """Return the delivery from a source to a unit: on a drawn map, or along the best typed line or network.

        Rule: 10.5.3
        """
        place = str(to.place)
        if source.place == place:
            return Delivery(TracedLine(place))
        line = self.ground.certain.line(source, place)
        delivery = self._find_delivery(source, line) if line else None
        if delivery and not delivery.why_not:
            return delivery
        if self.ground.network is None:
            return Delivery(why_not=f"{source.name} has no line to {place} within its range")
        return self.open_still(source, to)

    def open_still(self, source: LineSource, to: Unit) -> Delivery:
        """Return a delivery that is possible although no typed line proves it."""
        view = self.view
        place = str(to.place)
        if (
            supply_from(source, view.board.distance(source.place, place) * min(RAIL_HEX_WEIGHTS.values()), "exact")
            is None
        ):
            return Delivery(why_not=f"{place} is out of the range of {source.name}, even along a double-track RR line")
        how = (
            f"line NAME: {source.place} -rail2- HEX clear -road- {place} rough; or in-range={quoted(source.name)}, or "
            "in-extended-range= for Extended Mode"
        )
        title = f"a line by which {source.name} reaches {place}"
        asks: tuple[Ask, ...] = (Ask(kind="fact", name=f"{source.place} {place}", rule="10.5.3", title=title, how=how),)
        other = view.fact("other-line", to.id)
        if self.ground.is_whole or (other and not other.value):  # all lines are typed
            line = self.ground.possible.line(source, place)
            asks = tuple(facts_of_line(view, self.ground, self.ground.railway, line)) if line else ()
        lines = view.state.lines.values()
        ending = [hexes for hexes in lines if (hexes[0], hexes[-1]) == (source.place, place)]
        if typed := [self._find_delivery(source, self.ground.certain.along(hexes)) for hexes in ending]:
            return msgspec.structs.replace(typed[0], asks=asks)
        return Delivery(why_not=f"no line from {source.name} to {place} is typed", asks=asks)

    def _find_delivery(self, source: LineSource, line: TracedLine) -> Delivery:
        if line.barred:
            return Delivery(why_not=f"the line from {source.name} is blocked: {line.barred}")
        reached = judge_line(self.view, source, line)
        too_far = f"{line.end} is out of the range of {source.name}"
        return Delivery(line, reached.extended) if reached else Delivery(line, why_not=too_far)

    def supply_chains(self, facts: Gather, wanting: Recipient) -> list[TriedWay]:
        """Return all ways from a depot of the army, direct or by a Corps Train, and from the 3 LW Train itself.

        Rule: 10.5.2, 10.5.3
        """
        depots = [other for other in self.ground.around.units if facts.word("arm", other.id) in DEPOTS]
        trains = [other for other in self.ground.around.units if facts.word("arm", other.id) == "corps-train"]
        by_train = any(self.as_stated(train.id) for train in trains)  # a depot named with a train supplies the train
        straight = [depot for depot in depots if not (by_train and self.as_stated(depot.id))]
        guests = named_guests(facts)
        own = [depot for depot in straight if not why_so(bars_of_attachment(facts, wanting.unit, depot))]
        ways = [self.ammunition_along(wanting, (depot,)) for depot in own]
        for train in trains:
            if (served := _find_recipient(facts, wanting, train)) is None:
                continue
            formation = formation_attached_to(facts, served.unit)
            if is_guest(facts, formation) and (
                barred := find_bar_of_guest(facts, formation, train, guests.get(train.id, ()))
            ):
                ways.append(served.barred_way(train.id, "14.3.1", barred))
                continue
            if train.id == LANDWEHR_TRAIN:
                ways += self.own_allotment(served, train)
            fed = [(depot, train) for depot in depots if not why_so(bars_of_attachment(facts, train, depot))]
            chains: list[tuple[Unit, ...]] = [(train,)] if train.id == KG_TRAIN else [*fed]
            ways += [self.ammunition_along(served, chain) for chain in chains]
            bars = holding([(not chains, "10.5.2", "no depot of its army is in this position")])
            ways += [served.barred_way(train.id, bar.rule, bar.text) for bar in bars]
        return ways

    def own_allotment(self, wanting: Recipient, train: Unit) -> list[TriedWay]:
        """Return the ways of the two APs that the 3 LW Train may give without a depot before GT 10, or none later.

        Rule: 22.3.1
        """
        turn, asks = value_or_asks(self.view, "turn", "")
        if isinstance(turn, int) and turn > LANDWEHR_LAST_TURN:
            return []
        spent, more = value_or_asks(self.view, ALLOTMENT, train.id)
        if asks := (*asks, *more):
            return [wanting.barred_way(train.id, "22.3.1", "its own two APs before GT 10: facts are missing", asks)]
        if int(str(spent)) >= MAX_POINTS:
            return [wanting.barred_way(train.id, "22.3.1", "its own two APs before GT 10 have been given")]
        tried = self.ammunition_along(wanting, (train,))
        given = PointRecord(
            source=train.id,
            turned=False,
            before=int(str(spent)),
            after=int(str(spent)) + 1,
            limit=MAX_POINTS,
            allotment=True,
        )
        records = () if tried.way.why_not else (*tried.way.records, given)
        return [msgspec.structs.replace(tried, way=msgspec.structs.replace(tried.way, rule="22.3.1", records=records))]

    def ammunition_along(self, wanting: Recipient, suppliers: Sequence[Unit]) -> TriedWay:
        """Return the way of an AP along a chain of supply units, with the effects on each of them.

        `suppliers`: a depot, a depot and a train, or the train that needs no depot.

        Rule: 10.5.3, 10.5.4
        """
        links = [self.link(supplier, to) for supplier, to in pairwise((*suppliers, wanting.unit))]
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

    def link(self, unit: Unit, to: Unit) -> Delivery:
        """Return the delivery from a supply unit to the next one or to the units, in Extended Mode if necessary.

        Rule: 10.5.3, 10.5.4
        """
        try:
            with self.view.gather() as facts:
                serving = ServingUnit(facts, unit)
                if barred := why_so(serving.bars_of_ammunition(), serving):
                    return Delivery(why_not=f"{unit.id} is {barred}")
                giver = _read_giver(facts, unit)
                delivery = self.as_stated(unit.id)
                source = LineSource(unit.id, giver.arm, str(unit.place), ()) if delivery else supply_unit(facts, unit)
                delivery = delivery or self.between(source, to)
        except MissingFacts as missing:
            return Delivery(why_not=f"too little is stated about {unit.id}", asks=missing.asks)
        now = extend_depot(giver) if delivery.extended else giver
        if delivery.asks and allocations_left(giver) == 0 == allocations_left(extend_depot(giver)):
            # The line does not matter: the unit has no AP left in either mode.
            return Delivery(why_not=f"{unit.id} has no AP left of its {allocation_limit(giver)}")
        limit = allocation_limit(now)
        if not delivery.why_not and allocations_left(now) == 0:
            delivery = msgspec.structs.replace(delivery, why_not=f"{unit.id} has no AP left of its {limit}")
        record = PointRecord(
            source=unit.id,
            turned=now.extended and not giver.extended,
            before=giver.spent,
            after=now.spent + is_recorded(now),
            limit=limit,
        )
        return msgspec.structs.replace(
            delivery, link=point_link(source, str(to.place), delivery.line, extended=now.extended), record=record
        )


def _find_recipient(facts: Gather, wanting: Recipient, train: Unit) -> Recipient | None:
    """Return the units of a command that a Corps Train may serve, or None if there are none.

    In a Cavalry Corps they are only the cavalry (14.3.1).
    """
    if serves_cavalry_only(facts, train):
        riders = tuple(name for name in wanting.served if facts.word("arm", name) == "cavalry")
        if not riders:
            return None
        wanting = msgspec.structs.replace(wanting, unit=facts.view.unit(riders[0]), served=riders)
    return None if why_so(bars_of_attachment(facts, wanting.unit, train)) else wanting


def point_link(source: LineSource, to: str, line: TracedLine | None, *, extended: bool = False) -> PointLink:
    """Return the link of a source whose line the player states."""
    near, far = near_and_far(source) if source.ranges else (None, None)
    return PointLink(
        source=source.name,
        kind=source.kind,
        place=source.place,
        cost=line.cost if line else None,
        range=near,
        extended_range=far,
        to=to,
        extended=extended,
        line=line.steps if line else (),
    )


def _read_giver(facts: Gather, unit: Unit) -> Giver:
    """Return a supply unit's side, marker and limits.

    The usual limits stand in for unknown printed ones (10.5.4).
    """
    view = facts.view
    name = unit.id

    arm = facts.word("arm", name)
    extended = facts.flag("extended", name)
    spent = facts.integer("ap-spent", name)
    incomplete = facts.integer("incomplete-limit", name) if facts.integer("incomplete", name) else None
    front = view.on_front("ap-limit", name)
    back = view.on_front("extended-ap-limit", name)
    return Giver(arm, extended, spent, front, back, incomplete)


def magazine_ways(view: View, wanting: Recipient, side: str) -> list[TriedWay]:
    """Return the ways from magazines on which the stack may draw, and from possible ones with their questions.

    Rule: 10.5.5
    """
    tried = []
    for magazine in magazines_at(view, str(wanting.unit.place), side):
        bar = bar_of([(magazine.asks, "10.5.5", "too little is stated about it")])
        tried.append(TriedWay(wanting.way(magazine.name, "10.5.5", bar.why if bar else ""), magazine.asks))
    return tried


def warsaw_ways(facts: Gather, wanting: Recipient) -> list[TriedWay]:
    """Return the way from the magazine of Warsaw, for units of the Warsaw Garrison. Rule: 10.5.6, 24.1.3"""
    view = facts.view
    unit = wanting.unit
    near = WARSAW in (unit.place, *view.board.neighbours(str(unit.place)))
    russian = near and facts.word("nation", unit.id) == "russian" and facts.flag("campaign")
    if not russian or army_of(view, unit.id) not in ("", WARSAW_GARRISON):
        return []
    formations = [name for name in wanting.stack if not is_asset_unit(facts, name)]  # Asset Units go with one of these
    asks = tuple(ask for name in (unit.id, *formations) for ask in value_or_asks(view, "army", name)[1])
    held, asks_of_control = (None, ()) if asks else value_or_asks(view, "control", WARSAW)
    clauses = (
        (asks, "24.1.3", 'the army of its units is not stated (army="Warsaw Garrison")'),
        (asks_of_control, "24.1.3", "who controls {hex} is not stated"),
        (held != "russian", "24.1.3", "{hex} is the enemy's"),
    )
    why_not = next((bar.text for bar in holding(clauses, hex=WARSAW)), "")
    asks += asks_of_control
    way = wanting.way("magazine of Warsaw", "24.1.3", why_not)
    serves = tuple(name for name in way.serves if army_of(view, name) in ("", WARSAW_GARRISON))
    return [TriedWay(msgspec.structs.replace(way, serves=serves), asks)]


def boyen_ways(facts: Gather, lines: AmmunitionLines, wanting: Recipient) -> list[TriedWay]:
    """Return the way from the Fortress Boyen.

    Its APs are for one unit only, stacked with it or by a ruling in its supply range.

    Rule: 10.5.5a
    """
    fortress = next((unit.place for unit in facts.view.units() if unit.id == BOYEN), None)
    if fortress is None or LÖTZEN not in wanting.served:
        return []
    place = str(wanting.unit.place)
    links: tuple[PointLink, ...] = ()
    bars = holding([(fortress != place, "10.5.5a", "Lötzen is not stacked with it")])
    delivery = Delivery(why_not=next((bar.text for bar in bars), ""))
    if facts.view.ruling("boyen-ap") == "traced":
        source = LineSource(BOYEN, "fortress", fortress, ranges("fortress", BOYEN_RANGE_HEXES))
        delivery = lines.as_stated(BOYEN) or lines.between(source, wanting.unit)
        links = (point_link(source, place, delivery.line),)
    way = wanting.way(BOYEN, "10.5.5a", delivery.why_not)
    return [TriedWay(msgspec.structs.replace(way, point=BOYEN, serves=(LÖTZEN,), links=links), delivery.asks)]
