"""What every source of a side offers every unit, and who serves whom (14.2 to 14.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import cached_property
from typing import NamedTuple

from assistant.field import Around, Line, Source
from assistant.field.serving import FULL, LOW, Offer, Plan, best_plan
from assistant.mechanics.tracing import Spread
from assistant.questions import Gather, View
from assistant.questions.report import Ask

from ...terms import BOYEN_SERVES, DEPOTS, KG_TRAIN, SUPPLY_ARMS
from ..guests import MOST, bars_guest
from ..lines import SupplyMap, at_most
from ..rules import HEX, RR_IN_SUPPLY, RR_LINE, RR_LOW, ranges, within
from ..sources import ANOTHER_CORPS, GARRISON_TRACES, no_loc, of_another, railway, serves_cavalry_only, underfoot
from ..special import BUKOWINA, MOST_UNITS, bukowina_sources, is_of_fischer, named_for_bukowina
from .attached import Client, SupplyUnit, attached, look, suppliers
from .typed import TypedLine

NORMAL, EXTENDED = "normal", "extended"
"""The modes of supply units."""
LOC = "LOC"
"""What supplies a depot."""
STATED = "as stated"
"""What supplies a unit of which only the position tells that it is supplied."""
GUESTS = "guests of "
"""How the capacity of a Corps Train for formations from outside its corps is called, before the name of the train."""
GIVES = {"in": FULL, "low": LOW}
FEW = 12
"""Up to how many units lines are sought from each of them back to all its sources, instead of from the sources."""


class AskedAlone(NamedTuple):
    """A unit that is asked about alone, with the supply units that may serve it or those, and the line on which it is judged.

    kin: itself and these units. Without a unit all of a side are meant, if they are few.
    """

    unit: str = ""
    kin: frozenset[str] = frozenset()
    line: TypedLine | None = None


class SupplySide:
    """A side on a map, with the offers that its sources make.

    asked: the unit that is asked about alone; doubts: by unit what is missing to tell its supply; sources: those of which all is known; offers: by unit what it is offered; settled: by capacity the units that are named to
    take a place of it, unless more are named than it has.
    """

    def __init__(
        self,
        view: View,
        around: Around,
        board: SupplyMap,
        asked: AskedAlone | None = None,
    ) -> None:
        self.view, self.around, self.board = view, around, board
        self.typed, self.alone_unit = (asked.line, asked.unit) if asked else (None, "")
        self.side = around.side
        found = attached(view, around, asked.kin if asked else frozenset())
        self.doubts = {name: lacks for name, (_, lacks) in found.clients.items() if lacks}
        self.clients = {name: client for name, (client, _) in found.clients.items() if client}
        self.sources = {name: source for name, (source, _) in found.sources.items() if source}
        self.unknown = {name: lacks for name, (_, lacks) in found.sources.items() if lacks}
        self.guests, self._bars = found.guests, found.bars
        self.few = asked is not None
        self.believed = set[str]()  # units of which the position is believed
        self.lines: dict[tuple[str, str], Line] = {}  # from a source to a hex, also those from off the map (14.7)
        self.spreads: dict[str, Spread] = {}  # by the place of a source, "" for the RR lines
        self.settled = {group: names for group, names in self.named.items() if 0 < len(names) <= capacity(group)}
        self.offers = {name: self.offers_to(client) for name, client in self.clients.items()}

    def over(self, board: SupplyMap) -> SupplySide:
        """The same units with the lines of another map."""
        other = copy(self)
        other.board, other.doubts, other.lines, other.spreads = board, dict(self.doubts), {}, {}
        other.__dict__.pop("railway_hexes", None)
        other.offers = {name: other.offers_to(client) for name, client in other.clients.items()}
        return other

    @cached_property
    def named(self) -> dict[str, tuple[str, ...]]:
        """By capacity the units that are named to take a place of it (14.3.1, 14.7)."""
        of_trains = {f"{GUESTS}{train}": names for train, names in self.guests.items()}
        return {BUKOWINA: tuple(named_for_bukowina(self.view)), **of_trains}

    def known(self, client: Client, offers: Callable[[Gather, Client], Iterator[Offer]]) -> list[Offer]:
        """What a unit is offered; nothing if facts are missing, which are kept as its doubts."""
        found, lacks = look(self.view, client.unit, lambda facts, unit: [*offers(facts, client)])
        if lacks:
            self.doubt(client, lacks)
        return found or []

    @cached_property
    def fed(self) -> frozenset[str]:
        """The sources that serve only while they are In Supply."""
        return frozenset(name for name, one in self.sources.items() if one.source.kind in SUPPLY_ARMS)

    # --- lines ----------------------------------------------------------------------------------------------------------

    def reach(self, source: Source, to: str) -> int | None:
        """What the cheapest line from a source to a hex costs, None if it is out of its ranges; from RR_LINE that from any linked RR hex."""
        limit = at_most(source.limit or 0)
        if not self.few:
            return self.spread(source).cost(to, limit)
        if source.kind != RR_LINE:
            return self.board.lines.spread_to(to).cost(source.place, limit)
        costs = self.back_to_railway(to)
        least = min((costs[start] for start in self.railway_hexes & costs.keys()), default=limit + 1)
        return least if least <= limit else None

    def back_to_railway(self, to: str) -> Mapping[str, int]:
        """What lines to a hex cost, at least from those as near as the nearest RR line that reaches it."""
        return self.board.lines.spread_to(to).within(at_most(RR_LOW), self.railway_hexes).cost

    def spread(self, source: Source) -> Spread:
        """The lines from a source; from RR_LINE those from any linked RR hex."""
        if source.place not in self.spreads:
            starts = self.railway_hexes if source.kind == RR_LINE else frozenset((source.place,))
            self.spreads[source.place] = self.board.lines.spread_from(starts)
        return self.spreads[source.place]

    @cached_property
    def railway_hexes(self) -> frozenset[str]:
        """The linked RR hexes that lines may leave."""
        return self.board.linked - self.board.lines.closed

    def line(self, source: str, to: str) -> Line:
        """The cheapest line from a source to a hex that it reaches."""
        if (source, to) not in self.lines:
            self.lines[source, to] = self.board.lines.along(self.hexes_of(source, to))
        return self.lines[source, to]

    def hexes_of(self, source: str, to: str) -> tuple[str, ...]:
        """The hexes of that line."""
        of = RAILWAY if source == RR_LINE else self.sources[source].source
        self.reach(of, to)  # else it may not be sought as far as that yet
        if not self.few:
            return self.spread(of).line(to)
        start = of.place
        if source == RR_LINE:
            costs = self.back_to_railway(to)
            start = min(self.railway_hexes & costs.keys(), key=lambda hex: (costs[hex], hex))
        return self.board.lines.spread_to(to).line(start)[::-1]

    def traced(self, client: Client, offer: Offer) -> tuple[Source, Line]:
        """The source that makes an offer, and the line from it: none that is longer than its hex for a unit that needs none, or stands on
        its RR line."""
        place = str(client.unit.place)
        if client.always or offer.source == STATED:
            return Source(offer.source, "", place, ()), Line(place)
        if offer.source in (RR_LINE, LOC) and client.arm in SUPPLY_ARMS:
            return underfoot(place), Line(place)
        line = self.line(offer.source, place)
        if offer.source == RR_LINE:
            return railway(line.start), line
        if offer.source in self.sources:
            return self.sources[offer.source].source, line
        return next(source for source in self.bukowina(client) if source.name == offer.source), line

    def bukowina(self, client: Client) -> list[Source]:
        """The half-hexes of the Bukowina on which a unit may draw (14.7)."""
        with self.view.gather() as facts:
            return [source for source, why_not in bukowina_sources(facts, client.unit) if not why_not]

    # --- offers ---------------------------------------------------------------------------------------------------------

    def offers_to(self, client: Client) -> list[Offer]:
        """What the sources offer a unit, as far as all is known of it and of them; what is missing becomes a doubt of the unit."""
        if self.typed and client.unit.id == self.typed.unit and not client.always:
            return self.known(client, self.typed_offers)
        own = self.known(client, self.own_offers)
        best = any(offer.gives == client.most and not offer.group for offer in own)
        if client.through or client.always or client.arm in DEPOTS or (best and client.unit.id != self.alone_unit):
            return own  # nobody can give it more
        return own if client.ties else [*own, *self.drawn_on(client)]

    def drawn_on(self, client: Client) -> Iterator[Offer]:
        """What the supply units that a unit may draw on offer it."""
        place, kin = str(client.unit.place), self.kin(client)
        if client.unit.id == self.alone_unit:  # of those that serve it as well a Corps Train comes last
            kin = iter(sorted(kin, key=lambda other: other.source.kind == "corps-train"))
        for other in kin:
            if other.why_not or not self.may_serve(client, other):
                continue
            if (cost := self.reach(other.source, place)) is not None:
                yield from self.offers_of_unit(client, other, cost)
        for name, lacks in self.unknown.items():
            if name != client.unit.id and self.may_serve(client, SupplyUnit(self.view.unit(name), UNKNOWN)):
                self.doubt(client, lacks)

    def doubt(self, client: Client, asks: Iterable[Ask]) -> None:
        """Keep what is missing to tell the supply of a unit, each thing once."""
        known = self.doubts.get(client.unit.id, ())
        self.doubts[client.unit.id] = (*known, *(ask for ask in asks if ask not in known))

    def offers_of_unit(self, client: Client, other: SupplyUnit, cost: int) -> Iterator[Offer]:
        """What a supply unit offers a unit at this cost."""
        group = f"{GUESTS}{other.unit.id}" if is_lent(client, other) else ""
        group = "" if client.formation.id in self.settled.get(group, ()) else group
        return self.within_reach(client, other.source, cost, group)

    def typed_offers(self, facts: Gather, client: Client) -> Iterator[Offer]:
        """What a unit is offered along a typed line alone: by the source at its beginning, or by the RR line from the last of its hexes that
        this links to the map edge, as a unit may trace from any of them (14.2.3)."""
        assert self.typed
        place, of = str(client.unit.place), self.typed.source
        line = self.typed_line()
        if line is None or line.barred or self.typed.barred:
            return
        half_hex = next((one for one in bukowina_sources(facts, client.unit) if one[0].place == line.start), None)
        if of in self.sources:
            other = self.sources[of]
            self.lines[of, place] = line
            if not other.why_not and self.may_serve(client, other):
                yield from self.offers_of_unit(client, other, int(line.cost * HEX))
        elif of:
            self.doubt(client, self.unknown.get(of, ()))
        elif line.start in self.board.linked:
            self.lines[RR_LINE, place] = line
            yield from self.within_reach(client, RAILWAY, int(line.cost * HEX))
        elif half_hex and not half_hex[1]:
            self.lines[half_hex[0].name, place] = line
            yield from self.bukowina_offers(client, half_hex[0], line)

    def typed_line(self) -> Line | None:
        """The typed line, without the hexes along its RR line if that is its source; None without one."""
        if self.typed is None:
            return None
        hexes = self.typed.hexes
        if not self.typed.source:
            linked = [number for number, hex in enumerate(hexes) if hex in self.board.linked]
            hexes = hexes[linked[-1] :] if linked else hexes
        return self.board.along(hexes)

    def kin(self, client: Client) -> Iterator[SupplyUnit]:
        """The sources beside a unit itself, without the Corps Trains of other corps than its own, which do not serve it (14.3.1)."""
        names = suppliers(self.view, self.around, client.corps) if client.corps else self.sources
        yield from (self.sources[name] for name in names if name in self.sources and name != client.unit.id)

    def allowed(self, client: Client) -> list[SupplyUnit]:
        """Those of them that are certain to be allowed to serve it, whatever the distance."""
        return [other for other in self.kin(client) if self.bar(client, other) == ""]

    def may_serve(self, client: Client, other: SupplyUnit) -> bool:
        """Whether a source may serve a unit whatever the distance; False if something is missing to tell, a doubt of the unit."""
        why_not = self.bar(client, other)
        if isinstance(why_not, tuple):
            self.doubt(client, why_not)
        return why_not == ""

    def own_offers(self, facts: Gather, client: Client) -> Iterator[Offer]:
        """What a unit has of itself: what supplies it always, its LOC, or a line from no supply unit. Rule: 14.2.2"""
        name, place = client.unit.id, str(client.unit.place)
        if client.always:
            yield Offer(name, client.always, client.most)
        elif client.through:
            return
        elif client.arm in DEPOTS:
            if not no_loc(facts, self.board, place):
                yield Offer(name, LOC, FULL)
        elif client.arm == "corps-train":
            if place in self.board.railway.cost:
                yield Offer(name, RR_LINE, FULL)
        else:
            yield from self.along_lines(facts, client)

    def along_lines(self, facts: Gather, client: Client) -> Iterator[Offer]:
        """What the RR line and the half-hexes of the Bukowina offer a unit, wherever it stands. Rule: 14.2.3, 14.7"""
        place = str(client.unit.place)
        if (cost := self.reach(RAILWAY, place)) is not None:
            yield from self.within_reach(client, RAILWAY, cost)
        for source, why_not in bukowina_sources(facts, client.unit):
            if not why_not and (line := self.board.line(source, place)):
                self.lines[source.name, place] = line
                yield from self.bukowina_offers(client, source, line)

    def bukowina_offers(self, client: Client, source: Source, line: Line) -> Iterator[Offer]:
        """What a half-hex of the Bukowina offers a unit along a line (14.7)."""
        name = client.unit.id
        has_place = is_of_fischer(name, client.corps) or name in self.settled.get(BUKOWINA, ())
        yield from self.within_reach(client, source, int(line.cost * HEX), "" if has_place else BUKOWINA)

    def within_reach(self, client: Client, source: Source, cost: int, group: str = "") -> Iterator[Offer]:
        """What a source offers a unit at this cost, in each of its modes."""
        gives: dict[str, int] = {}
        reading = self.view.ruling("supply-rounding", bool(cost % HEX))
        for range in source.ranges:
            if range.hexes is None or within(cost, range.hexes, reading):
                mode = "" if source.kind not in SUPPLY_ARMS else EXTENDED if range.extended else NORMAL
                gives[mode] = max(gives.get(mode, 0), min(GIVES[range.gives], client.most))
        for mode, given in gives.items():
            yield Offer(client.unit.id, source.name, given, cost, mode, group)

    def barred(self, facts: Gather, client: Client, other: SupplyUnit) -> str:
        """Why a source does not serve a unit whatever the distance, "" if it may or something is missing to tell, which is asked for."""
        why_not = self.bar(client, other)
        if isinstance(why_not, str):
            return why_not
        for ask in why_not:
            facts.ask(ask)
        return ""

    def bar(self, client: Client, other: SupplyUnit) -> str | tuple[Ask, ...]:
        """The same, found out once for the units as they are; or what is missing to tell."""
        pair = client.unit.id, client.formation.id, other.unit.id
        if pair not in self._bars:
            why_not, lacks = look(self.view, client.unit, lambda facts, unit: self._why_not(facts, client, other))
            self._bars[pair] = lacks or why_not or ""
        return self._bars[pair]

    def _why_not(self, facts: Gather, client: Client, other: SupplyUnit) -> str:
        """Why a source does not serve a unit whatever the distance, "" if it may (14.2.4b, 14.3.1, 14.3.2, 24.1.2b)."""
        if other.source.kind == "fortress":
            return "" if client.unit.id in BOYEN_SERVES else "it serves others (14.2.4)"
        if client.lacks:
            facts.ask(client.lacks[0])
            return ""
        if other.corps and client.corps and other.corps != client.corps:
            return ANOTHER_CORPS
        if why_not := of_another(facts, client.unit, other.unit, client.formation):
            return why_not
        if client.garrison:
            return GARRISON_TRACES
        if is_lent(client, other) and not serves_cavalry_only(facts, other.unit):
            return bars_guest(facts, client.formation, other.unit, self.guests.get(other.unit.id, ()))
        return ""

    # --- plans ----------------------------------------------------------------------------------------------------------

    def plan(self, *, as_it_stands: bool) -> Plan:
        """Who serves whom: with the modes that supply units are in, or with the best modes that they may be flipped to (14.2b)."""
        usual = dict.fromkeys(self.fed, NORMAL)
        fixed = None
        if as_it_stands:
            fixed = {name: EXTENDED if self.view.flag("extended", name) else NORMAL for name in usual}
        offers = [offer for made in self.offers.values() for offer in made]
        groups = {offer.group for offer in offers if offer.group}
        places = {group: capacity(group) - len(self.settled.get(group, ())) for group in groups}
        return best_plan(offers, usual, capacity=places, fed=self.fed, fixed=fixed)


def preference(offer: Offer) -> tuple[int, bool, bool, int, bool]:
    """What makes an offer better than others, the less the better: In Supply before Low Supply, then without Extended Mode, then without a place
    that others may need, then the cheapest line, of two alike that of a unit before that of a RR line. Rule: 14.4c, 14.4d
    """
    return -offer.gives, offer.mode == EXTENDED, bool(offer.group), offer.cost, offer.source == RR_LINE


UNKNOWN = Source("", "corps-train", "", ())
"""A supply unit of which too little is stated, as a source."""
RAILWAY = Source(RR_LINE, RR_LINE, "", ranges(RR_LINE, RR_IN_SUPPLY, RR_LOW))
"""The RR line from which a line costs least, as a source of combat and artillery units (14.2.3)."""


def capacity(group: str) -> int:
    """How many units a capacity serves: three of the Bukowina, two guests of a Corps Train (14.7, 14.3.1)."""
    return MOST_UNITS if group == BUKOWINA else MOST


def is_lent(client: Client, other: SupplyUnit) -> bool:
    """Whether a Corps Train would serve a unit as one of its two guests (14.3.1)."""
    return client.guest and other.source.kind == "corps-train" and other.unit.id != KG_TRAIN
