"""The supply of a whole side: what every source offers every unit, and who serves whom (14.2 to 14.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple, TypeVar

from assistant.field import Around, Line, Source
from assistant.field.serving import FULL, LOW, Offer, Plan, best_plan
from assistant.mechanics.tracing import CostField
from assistant.questions import Gather, View
from assistant.questions.report import Ask, MissingFacts
from assistant.state.state import Unit

from ...forces.armies import corps_and_army
from ...forces.assets import attaching
from ...terms import BUKOWINA_BOX, DEPOTS, KG_TRAIN, SUPPLY_ARMS
from ..guests import GUEST, MOST, is_guest
from ..lines import SupplyMap, at_most
from ..rules import HEX, RR_IN_SUPPLY, RR_LINE, RR_LOW, ranges, within
from ..sources import (
    ANOTHER_CORPS,
    BOYEN_SERVES,
    GARRISON_TRACES,
    always_supplied,
    apart_from,
    boyen_as_source,
    no_loc,
    serves_cavalry_only,
    serves_nobody,
    supplied_with,
    supply_unit,
    traces_as_garrison,
)
from ..special import BUKOWINA, MOST_UNITS, bukowina_sources, is_of_fischer

NORMAL, EXTENDED = "normal", "extended"
"""The modes of supply units."""
LOC = "LOC"
"""What supplies a depot."""
GIVES = {"in": FULL, "low": LOW}
T = TypeVar("T")


class Client(NamedTuple):
    """A unit that wants supply.

    formation: what it is attached to, or the unit itself; through: the formation whose supply it shares, "" if it has its own;
    always: why it needs no line, "" if it does; guest: whether it may be one of the two of any train of its army; lacks: what has to
    be stated to tell what it is attached to; corps: of its formation, "" if that is independent.
    """

    unit: Unit
    arm: str
    formation: Unit
    through: str = ""
    always: str = ""
    guest: bool = False
    garrison: bool = False
    lacks: tuple[Ask, ...] = ()
    corps: str = ""


class SupplyUnit(NamedTuple):
    """A depot, a Corps Train or Boyen as a source. why_not: why it serves nobody whatever its own supply, "" if it may; corps: of a
    Corps Train."""

    unit: Unit
    source: Source
    why_not: str = ""
    corps: str = ""


class SupplySide:
    """A side on a drawn board, with the offers that its sources make.

    doubts: by unit what is missing to tell its supply; sources: those of which all is known.
    """

    def __init__(self, view: View, around: Around, board: SupplyMap) -> None:
        self.view, self.around, self.board = view, around, board
        self.side = around.side
        self.doubts: dict[str, tuple[Ask, ...]] = {}
        self.sources: dict[str, SupplyUnit] = {}
        self.unknown: list[Unit] = []  # supply units of which too little is stated
        self.clients: dict[str, Client] = {}
        self._fields: dict[str, CostField] = {}
        self.edges: dict[tuple[str, str], Line] = {}  # from off the map to a hex (14.7)
        units = [
            unit
            for unit in around.units
            if unit.place and (view.board.is_hex(unit.place) or unit.place == BUKOWINA_BOX)
        ]
        for unit in units:
            if not view.board.is_hex(str(unit.place)):
                continue
            if found := self.known(unit, source_of):
                self.sources[unit.id] = found
            elif unit.id in self.doubts:
                self.unknown.append(unit)
        for unit in units:
            if client := self.known(unit, client_of):
                self.clients[unit.id] = client
        self.offers = [one for client in self.clients.values() for one in self.offers_to(client)]
        self.feedable = self.feedable_sources()

    def known(self, unit: Unit, work: Callable[[Gather, Unit], T]) -> T | None:
        """What is found out about a unit; None if facts are missing, which are kept as its doubts."""
        try:
            with self.view.gather() as facts:
                return work(facts, unit)
        except MissingFacts as missing:
            self.doubts[unit.id] = (*self.doubts.get(unit.id, ()), *missing.asks)
            return None

    @property
    def fed(self) -> frozenset[str]:
        """The sources that serve only while they are In Supply."""
        return frozenset(name for name, one in self.sources.items() if one.source.kind in SUPPLY_ARMS)

    # --- lines ----------------------------------------------------------------------------------------------------------

    def field(self, source: str) -> CostField:
        """The cost of the lines from a source to every hex within its ranges; RR_LINE for those from any linked RR hex."""
        if source not in self._fields:
            lines = self.board.lines
            if source == RR_LINE:
                starts, hexes = frozenset(self.board.railway.cost) - lines.closed, RR_LOW
            else:
                of = self.sources[source].source
                starts, hexes = frozenset((of.place,)), of.limit or 0
            self._fields[source] = lines.field(starts, at_most(hexes))
        return self._fields[source]

    def line(self, source: str, to: str) -> Line:
        """The cheapest line from a source to a hex that it reaches."""
        if (source, to) in self.edges:
            return self.edges[source, to]
        return self.board.lines.along(self.field(source).line(to))

    # --- offers ---------------------------------------------------------------------------------------------------------

    def offers_to(self, client: Client) -> list[Offer]:
        """What the sources offer a unit, as far as all is known of it and of them; what is missing becomes a doubt of the unit."""
        found = self.known(client.unit, lambda facts, unit: [*self.own_offers(facts, client)]) or []
        if client.through or client.arm in DEPOTS or any(one.gives == FULL and not one.group for one in found):
            return found  # nobody can give it more
        place = str(client.unit.place)
        for other in self.sources.values():
            if other.why_not or other.unit.id == client.unit.id or not self.may_serve(client, other):
                continue
            if place in (field := self.field(other.unit.id)).cost:
                group = f"guests of {other.unit.id}" if is_lent(client, other) else ""
                found += self.within_reach(client.unit.id, other.source, field.cost[place], group)
        for unknown in self.unknown:
            if unknown.id != client.unit.id and self.may_serve(client, SupplyUnit(unknown, UNKNOWN)):
                self.doubts[client.unit.id] = (*self.doubts.get(client.unit.id, ()), *self.doubts[unknown.id])
        return found

    def may_serve(self, client: Client, other: SupplyUnit) -> bool:
        """Whether a source may serve a unit whatever the distance; False if something is missing to tell, a doubt of the unit."""
        return self.known(client.unit, lambda facts, unit: self.barred(facts, client, other)) == ""

    def own_offers(self, facts: Gather, client: Client) -> Iterator[Offer]:
        """What a unit has where it stands: what supplies it always, its LOC, or the RR line (14.2.1, 14.2.2, 14.2.3)."""
        name, place = client.unit.id, str(client.unit.place)
        if client.always:
            yield Offer(name, client.always, FULL)
        elif client.through:
            return
        elif client.arm in DEPOTS:
            if not no_loc(facts, self.board, place):
                yield Offer(name, LOC, FULL)
        elif client.arm == "corps-train":
            if place in self.board.railway.cost:
                yield Offer(name, RR_LINE, FULL)
        else:
            if place in (field := self.field(RR_LINE)).cost:
                yield from self.within_reach(name, RAILWAY, field.cost[place])
            for source, why_not in bukowina_sources(facts, client.unit):
                line = None if why_not else self.board.line(source, place)
                if line:
                    fischer = is_of_fischer(name, client.corps)
                    self.edges[source.name, place] = line
                    yield from self.within_reach(name, source, int(line.cost * HEX), "" if fischer else BUKOWINA)

    def within_reach(self, client: str, source: Source, cost: int, group: str = "") -> Iterator[Offer]:
        """What a source offers at this cost, in each of its modes."""
        gives: dict[str, int] = {}
        reading = self.view.ruling("supply-rounding", bool(cost % 4))
        for one in source.ranges:
            if one.hexes is None or within(cost, one.hexes, reading):
                mode = "" if source.kind not in SUPPLY_ARMS else EXTENDED if one.extended else NORMAL
                gives[mode] = max(gives.get(mode, 0), GIVES[one.gives])
        for mode, given in gives.items():
            yield Offer(client, source.name, given, cost, mode, group)

    def barred(self, facts: Gather, client: Client, other: SupplyUnit) -> str:
        """Why a source does not serve a unit whatever the distance, "" if it may (14.2.4b, 14.3.1, 14.3.2, 24.1.2b)."""
        if other.source.kind == "fortress":
            return "" if client.unit.id in BOYEN_SERVES else "it serves others (14.2.4)"
        if client.lacks:
            facts.ask(client.lacks[0])
            return ""
        if other.corps and client.corps and other.corps != client.corps:
            return ANOTHER_CORPS
        if why_not := apart_from(facts, client.unit, client.formation, other.unit):
            return why_not
        if client.garrison:
            return GARRISON_TRACES
        if is_lent(client, other) and not serves_cavalry_only(facts, other.unit):
            drawn_on = facts.word(GUEST, client.formation.id)
            if drawn_on not in ("", other.unit.id):
                return f"{client.formation.id} draws on {drawn_on} (14.3.1)"
        return ""

    def feedable_sources(self) -> frozenset[str]:
        """The sources that can be In Supply, if those that feed them are extended where that is needed (14.2.2)."""
        found = {name for name in self.sources if name not in self.fed}
        todo = [one for one in self.offers if one.client in self.fed and one.gives == FULL]
        while more := {one.client for one in todo if one.source not in self.sources or one.source in found} - found:
            found |= more
        return frozenset(found)

    # --- plans ----------------------------------------------------------------------------------------------------------

    def plan(self, *, as_it_stands: bool) -> Plan:
        """Who serves whom: with the modes that supply units are in, or with the best modes that they may be flipped to (14.2b)."""
        usual = dict.fromkeys(self.fed, NORMAL)
        fixed = None
        if as_it_stands:
            fixed = {name: EXTENDED if self.view.flag("extended", name) else NORMAL for name in usual}
        groups = {one.group for one in self.offers if one.group}
        capacity = {group: MOST_UNITS if group == BUKOWINA else MOST for group in groups}
        return best_plan(self.offers, usual, capacity=capacity, fed=self.fed, fixed=fixed)

    def alone(self, unit: str) -> Offer | None:
        """The best that a unit can have, other units left out of account; None if it is Out of Supply then."""
        offers = self._by_client.get(unit, ())
        usable = [one for one in offers if one.source not in self.sources or one.source in self.feedable]
        return min(usable, key=lambda one: (-one.gives, one.mode == EXTENDED, one.cost), default=None)

    @cached_property
    def _by_client(self) -> dict[str, list[Offer]]:
        found: dict[str, list[Offer]] = {}
        for one in self.offers:
            found.setdefault(one.client, []).append(one)
        return found


UNKNOWN = Source("", "corps-train", "", ())
"""A supply unit of which too little is stated, as a source."""
RAILWAY = Source(RR_LINE, RR_LINE, "", ranges(RR_LINE, RR_IN_SUPPLY, RR_LOW))
"""The RR line from which a line costs least, as a source of combat and artillery units (14.2.3)."""


def source_of(facts: Gather, unit: Unit) -> SupplyUnit | None:
    """A unit as a source, None if it is none (14.2, 14.2.1, 14.2.2b)."""
    arm = facts.word("arm", unit.id)
    if arm == "fortress":
        return SupplyUnit(unit, fortress) if (fortress := boyen_as_source(unit)) else None
    if arm not in SUPPLY_ARMS:
        return None
    why_not = serves_nobody(facts, unit)
    corps = corps_and_army(facts.view, unit.id)[0] if arm == "corps-train" else ""
    return SupplyUnit(unit, supply_unit(facts, unit), why_not, corps)


def client_of(facts: Gather, unit: Unit) -> Client | None:
    """A unit as one that wants supply."""
    arm = facts.word("arm", unit.id)
    served = supplied_with(facts, unit)
    if served.id != unit.id:
        return Client(unit, arm, served, through=served.id)
    if always := always_supplied(facts, unit):
        return Client(unit, arm, unit, always=always)
    if arm in SUPPLY_ARMS:
        return Client(unit, arm, unit, corps=corps_and_army(facts.view, unit.id)[0])
    try:
        with facts.view.gather() as own:
            formation = attaching(own, unit)
            guest, garrison = is_guest(own, formation), traces_as_garrison(own, unit)
    except MissingFacts as missing:
        return Client(unit, arm, unit, lacks=missing.asks)
    corps = corps_and_army(facts.view, formation.id)[0]
    return Client(unit, arm, formation, guest=guest, garrison=garrison, corps=corps)


def is_lent(client: Client, other: SupplyUnit) -> bool:
    """Whether a Corps Train would serve a unit as one of its two guests (14.3.1)."""
    return client.guest and other.source.kind == "corps-train" and other.unit.id != KG_TRAIN
