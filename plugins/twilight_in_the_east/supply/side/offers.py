"""What every source of a side offers every unit, who serves whom, and what is certain of it (14.1 to 14.4).

On a drawn board certain is what the facts of its units tell. On a paper map, of which only the player sees all, it may
also turn on a way that he has not typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import pairwise, takewhile
from typing import NamedTuple

from assistant.asking import Gather, View, step
from assistant.asking.asks import Ask, ask_for_fact
from assistant.mechanics.tracing import Spread
from assistant.rules.field import LineSource, TracedLine
from assistant.rules.field.allocation import FULL, LOW, Offer, ServicePlan, best_plan
from assistant.util.memo import Memo

from ...forces.units import is_of_fischer
from ...ground.hexsides import between
from ...railways.network import RAILS, known_station
from ...railways.typed_lines import Railway
from ...terms import BOYEN_SERVES, COMBAT_ARMS, DEPOTS, KG_TRAIN, SUPPLY_ARMS
from ..clients import Client, SupplyUnit, TypedLine, evaluate_if_known, side_position, suppliers
from ..ground import SupplyGround, SupplyMap, at_most, facts_of_line, grant_links, yes_or_no
from ..report import FED_ITSELF, TYPE_IT
from ..rules import HEX, RR_IN_SUPPLY, RR_LINE, RR_LOW, SupplyState, longest_range, ranges, reach_for, within
from ..sources import (
    ANOTHER_CORPS,
    BUKOWINA,
    GARRISON_TRACES,
    MOST,
    MOST_UNITS,
    SourceBar,
    bar_of_attachment,
    bar_without_loc,
    bars_guest,
    bukowina_sources,
    named_for_bukowina,
    railway,
    serves_cavalry_only,
    underfoot,
)

# The modes of supply units.
NORMAL = "normal"
EXTENDED = "extended"
LOC = "LOC"
"""What supplies a depot."""
STATED = "as stated"
"""What supplies a unit of which only the position tells that it is supplied."""
GUESTS = "guests of "
"""How the capacity of a Corps Train for formations from outside its corps is called, before the name of the train."""
WORDS: Mapping[int, SupplyState] = {0: "out", LOW: "low", FULL: "in"}
RANK: Mapping[str, int] = {state: given for given, state in WORDS.items()}
"""How good a supply state is."""
GIVES = {"in": FULL, "low": LOW}
FEW = 12
"""Up to how many units lines are sought from each of them back to all its sources, instead of from the sources."""
UNKNOWN = LineSource("", "corps-train", "", ())
"""A supply unit of which too little is stated, as a source."""
RAILWAY = LineSource(RR_LINE, RR_LINE, "", ranges(RR_LINE, RR_IN_SUPPLY, RR_LOW))
"""The RR line from which a line costs least, as a source of combat and artillery units (14.2.3)."""
TRACED = {arm: number for number, arm in enumerate((*DEPOTS, "corps-train"))}
"""Who is traced before those that draw on him, in order (14.4)."""


class AskedAlone(NamedTuple):
    """A unit that is asked about alone, with the supply units that may serve it or those, and the line on which it is
    judged.

    kin: itself and these units. Without a unit all of a side are meant, if they are few.
    """

    unit: str = ""
    kin: frozenset[str] = frozenset()
    line: TypedLine | None = None


class Certainty(NamedTuple):
    """What is certain of a unit."""

    offer: Offer | None
    """The best that it has, None for nothing."""
    state: SupplyState
    asks: tuple[Ask, ...] = ()
    """What decides whether it has more."""
    is_stated: bool = False


_LEADS_OUT: Memo[tuple[str, str, int], int] = Memo()
"""By side, hex and range, what it costs at least to get to ground that is not typed."""


class SupplySide:
    """A side on a map, with the offers that its sources make over ground that is certain, and what is certain of it.

    asked: the unit asked about alone; stated, believed: states used where tracing is open; unseen: what to ask of
    unseen supply units; doubts: what is missing, by unit; settled: by capacity its named clients.
    """

    def __init__(
        self,
        view: View,
        ground: SupplyGround,
        asked: AskedAlone | None = None,
        *,
        stated: Mapping[str, str],
        unseen: tuple[Ask, ...] = (),
    ) -> None:
        self.view = view
        self.ground = ground
        self.around = ground.around
        self.board = ground.certain
        self.typed, self.alone_unit = (asked.line, asked.unit) if asked else (None, "")
        self.side = self.around.side
        self.stated = stated
        self.unseen = unseen
        position = side_position(view, self.around, asked.kin if asked else frozenset())
        self.doubts = {name: lacks for name, (_, lacks) in position.clients.items() if lacks}
        self.clients = {name: client for name, (client, _) in position.clients.items() if client}
        self.sources = {name: source for name, (source, _) in position.sources.items() if source}
        self.unknown = {name: lacks for name, (_, lacks) in position.sources.items() if lacks}
        self.guests = position.guests
        self._bars = position.bars
        self.few = asked is not None
        self.lines: dict[tuple[str, str], TracedLine] = {}  # from a source to a hex, also those from off the map (14.7)
        self.spreads: dict[str, Spread] = {}  # by the place of a source, "" for the RR lines
        self.settled = {group: names for group, names in self.named.items() if 0 < len(names) <= capacity(group)}
        self.offers = {name: self.offers_to(client) for name, client in self.clients.items()}
        self._possible = None if ground.possible is ground.certain else self.over(ground.possible)
        self.lacks = frozenset(self.doubts)
        self.believed = set[str]()
        self.certain: dict[str, Certainty] = {}
        always = {name for name, source in self.sources.items() if name not in self.fed and not source.why_not}
        self.serving = set(always)
        self.hopeful = set(always)
        for client in sorted(self.clients.values(), key=lambda client: TRACED.get(client.arm, len(TRACED))):
            self.settle(client)

    def over(self, board: SupplyMap) -> SupplySide:
        """Return a copy of the side with the lines of another map."""
        other = copy(self)
        other.board = board
        other.doubts = dict(self.doubts)
        other.lines = {}
        other.spreads = {}
        other.offers = {name: other.offers_to(client) for name, client in other.clients.items()}
        return other

    @cached_property
    def named(self) -> dict[str, tuple[str, ...]]:
        """By capacity the units that are named to take a place of it (14.3.1, 14.7)."""
        of_trains = {f"{GUESTS}{train}": names for train, names in self.guests.items()}
        return {BUKOWINA: tuple(named_for_bukowina(self.view)), **of_trains}

    def known(self, client: Client, offers: Callable[[Client], Iterator[Offer]]) -> list[Offer]:
        """Return what a unit is offered; nothing if facts are missing, which are kept as its doubts."""
        offered, lacks = evaluate_if_known(self.view, client.unit, lambda facts, unit: [*offers(client)])
        if lacks:
            self.doubt(client, lacks)
        return offered or []

    @cached_property
    def fed(self) -> frozenset[str]:
        """The sources that serve only while they are In Supply."""
        return frozenset(name for name, source in self.sources.items() if source.source.kind in SUPPLY_ARMS)

    # --- lines --------------------------------------------------------------------------------------------------------

    def reach(self, source: LineSource, to: str) -> int | None:
        """Return what the cheapest line from a source to a hex costs, None if it is out of its ranges; from RR_LINE
        that from any linked RR hex.
        """
        limit = at_most(longest_range(source))
        if not self.few:
            return self.spread(source).cost(to, limit)
        if source.kind != RR_LINE:
            return self.board.lines.spread_to(to).cost(source.place, limit)
        costs = self.back_to_railway(to)
        least = min((costs[start] for start in self.board.railway_hexes & costs.keys()), default=limit + 1)
        return least if least <= limit else None

    def back_to_railway(self, to: str) -> Mapping[str, int]:
        """Return what lines to a hex cost, at least from those as near as the nearest RR line that reaches it."""
        return self.board.lines.spread_to(to).within(at_most(RR_LOW), self.board.railway_hexes).cost

    def spread(self, source: LineSource) -> Spread:
        """Return the lines from a source; from RR_LINE those from any linked RR hex."""
        if source.place not in self.spreads:
            starts = self.board.railway_hexes if source.kind == RR_LINE else frozenset((source.place,))
            self.spreads[source.place] = self.board.lines.spread_from(starts)
        return self.spreads[source.place]

    def line(self, source: str, to: str) -> TracedLine:
        """Return the cheapest line from a source to a hex that it reaches."""
        if (source, to) not in self.lines:
            self.lines[source, to] = self.board.lines.along(self.hexes_of(source, to))
        return self.lines[source, to]

    def hexes_of(self, source: str, to: str) -> tuple[str, ...]:
        """Return the hexes of that line."""
        start = RAILWAY if source == RR_LINE else self.sources[source].source
        self.reach(start, to)  # else it may not be sought as far as that yet
        if not self.few:
            return self.spread(start).line(to)
        begin = start.place
        if source == RR_LINE:
            costs = self.back_to_railway(to)
            begin = min(self.board.railway_hexes & costs.keys(), key=lambda hex: (costs[hex], hex))
        return self.board.lines.spread_to(to).line(begin)[::-1]

    def line_of_offer(self, client: Client, offer: Offer) -> tuple[LineSource, TracedLine]:
        """Return the source that makes an offer, and the line from it: none that is longer than its hex for a unit that
        needs none, or stands on its RR line.
        """
        place = str(client.unit.place)
        if client.always or offer.source == STATED:
            return LineSource(offer.source, "", place, ()), TracedLine(place)
        if offer.source in (RR_LINE, LOC) and client.arm in SUPPLY_ARMS:
            return underfoot(place), TracedLine(place)
        line = self.line(offer.source, place)
        if offer.source == RR_LINE:
            return railway(line.start), line
        if offer.source in self.sources:
            return self.sources[offer.source].source, line
        return next(source for source in self.bukowina(client) if source.name == offer.source), line

    def bukowina(self, client: Client) -> list[LineSource]:
        """Return the half-hexes of the Bukowina on which a unit may draw (14.7)."""
        with self.view.gather() as facts:
            return [source for source, why_not in bukowina_sources(facts, client.unit) if not why_not]

    # --- offers -------------------------------------------------------------------------------------------------------

    def offers_to(self, client: Client) -> list[Offer]:
        """Return what the sources offer a unit, as far as all is known of it and of them; what is missing becomes a
        doubt of the unit.
        """
        if self.typed and client.unit.id == self.typed.unit and not client.always:
            return self.known(client, self.typed_offers)
        own = self.known(client, self.own_offers)
        best = any(offer.gives == client.most and not offer.group for offer in own)
        if client.through or client.always or client.arm in DEPOTS or (best and client.unit.id != self.alone_unit):
            return own  # nobody can give it more
        return own if client.ties else [*own, *self.drawn_on(client)]

    def drawn_on(self, client: Client) -> Iterator[Offer]:
        """Yield what the supply units that a unit may draw on offer it."""
        place = str(client.unit.place)
        kin = self.kin(client)
        if client.unit.id == self.alone_unit:  # of those that serve it as well a Corps Train comes last
            kin = iter(sorted(kin, key=lambda other: other.source.kind == "corps-train"))
        for other in kin:
            if other.why_not or not self.may_serve(client, other):
                continue
            cost = self.reach(other.source, place)
            if cost is not None:
                yield from self.offers_of_unit(client, other, cost)
        for name, lacks in self.unknown.items():
            if name != client.unit.id and self.may_serve(client, SupplyUnit(self.view.unit(name), UNKNOWN)):
                self.doubt(client, lacks)

    def doubt(self, client: Client, asks: Iterable[Ask]) -> None:
        """Keep what is missing to tell the supply of a unit, each thing once."""
        known = self.doubts.get(client.unit.id, ())
        self.doubts[client.unit.id] = (*known, *(ask for ask in asks if ask not in known))

    def offers_of_unit(self, client: Client, other: SupplyUnit, cost: int) -> Iterator[Offer]:
        """Return what a supply unit offers a unit at this cost."""
        group = f"{GUESTS}{other.unit.id}" if _is_lent(client, other) else ""
        if client.formation.id in self.settled.get(group, ()):
            group = ""
        return self.within_reach(client, other.source, cost, group)

    def typed_offers(self, client: Client) -> Iterator[Offer]:
        """Yield what a unit is offered along a typed line alone: by the source at its beginning, or by the RR line from
        the last of its hexes that this links to the map edge, as a unit may trace from any of them (14.2.3).
        """
        assert self.typed
        place = str(client.unit.place)
        name = self.typed.source
        line = self.typed_line()
        if line is None or line.barred or self.typed.barred:
            return
        half_hex = next((source for source in self.bukowina(client) if source.place == line.start), None)
        if name in self.sources:
            other = self.sources[name]
            self.lines[name, place] = line
            if not other.why_not and self.may_serve(client, other):
                yield from self.offers_of_unit(client, other, int(line.cost * HEX))
        elif name:
            self.doubt(client, self.unknown.get(name, ()))
        elif line.start in self.board.linked:
            self.lines[RR_LINE, place] = line
            yield from self.within_reach(client, RAILWAY, int(line.cost * HEX))
        elif half_hex:
            yield from self.bukowina_offers(client, half_hex, line)

    def typed_line(self) -> TracedLine | None:
        """Return the typed line, without the hexes along its RR line if that is its source; None without one."""
        if self.typed is None:
            return None
        hexes = self.typed.hexes
        if not self.typed.source:
            linked = [number for number, hex in enumerate(hexes) if hex in self.board.linked]
            if linked:
                hexes = hexes[linked[-1] :]
        return self.board.along(hexes)

    def kin(self, client: Client) -> Iterator[SupplyUnit]:
        """Yield the sources beside a unit itself, without the Corps Trains of other corps than its own, which do not
        serve it (14.3.1).
        """
        names = suppliers(self.view, self.around, client.corps) if client.corps else self.sources
        for name in names:
            if name in self.sources and name != client.unit.id:
                yield self.sources[name]

    def allowed_sources(self, client: Client) -> list[SupplyUnit]:
        """Return those of them that are certain to be allowed to serve it, whatever the distance."""
        return [other for other in self.kin(client) if self.bar(client, other) is None]

    def may_serve(self, client: Client, other: SupplyUnit) -> bool:
        """Return whether a source may serve a unit whatever the distance; False if something is missing to tell, a
        doubt of the unit.
        """
        bar = self.bar(client, other)
        if isinstance(bar, tuple):
            self.doubt(client, bar)
        return bar is None

    def own_offers(self, client: Client) -> Iterator[Offer]:
        """Yield what a unit has of itself: what supplies it always, its LOC, or a line from no supply unit. Rule:
        14.2.2
        """
        name = client.unit.id
        place = str(client.unit.place)
        if client.always:
            yield Offer(name, client.always, client.most)
        elif client.through:
            return
        elif client.arm in DEPOTS:
            with self.view.gather() as facts:
                lacks_loc = bar_without_loc(facts, self.board, place)
            if not lacks_loc:
                yield Offer(name, LOC, FULL)
        elif client.arm == "corps-train":
            if place in self.board.railway.cost:
                yield Offer(name, RR_LINE, FULL)
        else:
            yield from self.along_lines(client)

    def along_lines(self, client: Client) -> Iterator[Offer]:
        """Yield what the RR line and the half-hexes of the Bukowina offer a unit, wherever it stands. Rule: 14.2.3,
        14.7
        """
        place = str(client.unit.place)
        if (cost := self.reach(RAILWAY, place)) is not None:
            yield from self.within_reach(client, RAILWAY, cost)
        for source in self.bukowina(client):
            if line := self.board.line(source, place):
                yield from self.bukowina_offers(client, source, line)

    def bukowina_offers(self, client: Client, source: LineSource, line: TracedLine) -> Iterator[Offer]:
        """Yield what a half-hex of the Bukowina offers a unit along a line (14.7)."""
        name = client.unit.id
        self.lines[source.name, str(client.unit.place)] = line
        has_place = is_of_fischer(name, client.corps) or name in self.settled.get(BUKOWINA, ())
        yield from self.within_reach(client, source, int(line.cost * HEX), "" if has_place else BUKOWINA)

    def within_reach(self, client: Client, source: LineSource, cost: int, group: str = "") -> Iterator[Offer]:
        """Yield what a source offers a unit at this cost, in each of its modes."""
        gives: dict[str, int] = {}
        reading = self.view.ruling("supply-rounding", bool(cost % HEX))
        for range in source.ranges:
            if range.hexes is None or within(cost, range.hexes, reading):
                mode = ""
                if source.kind in SUPPLY_ARMS:
                    mode = EXTENDED if range.extended else NORMAL
                gives[mode] = max(gives.get(mode, 0), min(GIVES[range.gives], client.most))
        for mode, given in gives.items():
            yield Offer(client.unit.id, source.name, given, cost, mode, group)

    def bar(self, client: Client, other: SupplyUnit) -> SourceBar | tuple[Ask, ...] | None:
        """Return what bars a source from a unit whatever the distance, None if nothing does; or what is missing to
        decide it. Worked out once for the units as they are.
        """
        pair = client.unit.id, client.formation.id, other.unit.id
        if pair not in self._bars:
            bar, lacks = evaluate_if_known(
                self.view, client.unit, lambda facts, unit: self.find_bar(facts, client, other)
            )
            self._bars[pair] = lacks or bar
        return self._bars[pair]

    def find_bar(self, facts: Gather, client: Client, other: SupplyUnit) -> SourceBar | None:
        """Return what bars a source from a unit whatever the distance, None if nothing does (14.2.4b, 14.3.1, 14.3.2,
        24.1.2b).
        """
        if other.source.kind == "fortress":
            return None if client.unit.id in BOYEN_SERVES else SourceBar("it serves others (14.2.4)")
        if client.lacks:
            facts.ask(client.lacks[0])
            return None
        if other.corps and client.corps and other.corps != client.corps:
            return SourceBar(ANOTHER_CORPS, of_another=True)
        if why_not := bar_of_attachment(facts, client.unit, other.unit, client.formation):
            return SourceBar(why_not, of_another=True)
        if client.garrison:
            return SourceBar(GARRISON_TRACES)
        if _is_lent(client, other) and not serves_cavalry_only(facts, other.unit):
            why_not = bars_guest(facts, client.formation, other.unit, self.guests.get(other.unit.id, ()))
            return SourceBar(why_not) if why_not else None
        return None

    # --- plans --------------------------------------------------------------------------------------------------------

    def plan(self, *, as_it_stands: bool) -> ServicePlan:
        """Return who serves whom: with the modes that supply units are in, or with the best modes that they may be
        flipped to (14.2b).
        """
        usual = dict.fromkeys(self.fed, NORMAL)
        fixed = None
        if as_it_stands:
            fixed = {name: EXTENDED if self.view.flag("extended", name) else NORMAL for name in usual}
        offers = [offer for made in self.offers.values() for offer in made]
        groups = {offer.group for offer in offers if offer.group}
        places = {group: capacity(group) - len(self.settled.get(group, ())) for group in groups}
        return best_plan(offers, usual, capacity=places, fed=self.fed, fixed=fixed)

    # --- what is certain ----------------------------------------------------------------------------------------------

    def seen_from(self, view: View, ground: SupplyGround) -> SupplySide:
        """Return a copy of the side, its lines kept, for a view where nothing differs but who controls some hexes."""
        other = copy(self)
        other.view = view
        other.ground = ground
        other.around = ground.around
        other.board = ground.certain
        other.spreads = {}
        return other

    @property
    def possible(self) -> SupplySide:
        """The side over ground that is possible, itself where that is the same."""
        return self._possible or self

    def settle(self, client: Client) -> None:
        """Find out what is certain of a unit, once that is done of those that may serve it."""
        name = client.unit.id
        if client.through:
            return
        settled = self.settled_state(client)
        if client.ties and settled.asks:
            settled = self.settled_tie(client) or settled
        if settled.is_stated:
            self.believed.add(name)
        if settled.offer and settled.offer.source == STATED:
            self.offers[name].append(settled.offer)
        if not settled.asks:
            self.doubts.pop(name, None)
        else:
            self.doubts[name] = settled.asks
        self.certain[name] = settled
        if name in self.fed:
            if settled.state == "in" and not settled.asks:
                self.serving.add(name)
            if settled.state == "in" or settled.asks:
                self.hopeful.add(name)

    def settled_tie(self, client: Client) -> Certainty | None:
        """Return the state of an Asset Unit that may join one of several formations, if it is the same with each of
        them (6.4.1b).
        """
        name = client.unit.id
        both = [self] if self._possible is None else [self, self._possible]
        own = [side.offers[name] for side in both]
        settled = list[Certainty]()
        for tied in client.ties:
            for side, offers in zip(both, own, strict=True):
                side.doubts[name] = ()
                side.offers[name] = [*offers, *side.drawn_on(tied)]
            settled.append(self.settled_state(tied))
        if len({state.state for state in settled}) == 1 and not any(state.asks for state in settled):
            return settled[-1]
        for side, offers in zip(both, own, strict=True):
            side.offers[name] = offers
        return None

    def settled_state(self, client: Client) -> Certainty:
        """Return the state of a unit, or what decides it, or what is stated of it."""
        offer = self.alone(client.unit.id)
        state = WORDS[offer.gives if offer else 0]
        asks = tuple[Ask, ...]()
        if RANK[state] < client.most:
            asks = self.unseen or client.lacks or self.doubts.get(client.unit.id) or self.asks(client, state)
        stated = self.stated.get(client.unit.id)
        if asks and stated is not None and RANK[stated] >= RANK[state]:
            gives = min(RANK[stated], client.most)
            return Certainty(Offer(client.unit.id, STATED, gives) if gives else None, WORDS[gives], (), True)
        return Certainty(offer, state, asks)

    def alone(self, unit: str) -> Offer | None:
        """Return the best that a unit can have, other units left out of account; None if it is Out of Supply then."""

        def is_usable(offer: Offer) -> bool:
            return offer.source not in self.sources or offer.source in self.serving

        return min(filter(is_usable, self.offers[unit]), key=preference, default=None)

    # --- what might serve ---------------------------------------------------------------------------------------------

    def asks(self, client: Client, state: str) -> tuple[Ask, ...]:
        """Return what is to be asked because it may give a unit more than a state; nothing if that is certain."""
        if RANK[state] >= client.most:
            return ()
        possible, facts = self.likeliest(client, RANK[state])
        if facts:
            return facts
        source = self.certain.get(possible.source) if possible else None
        if possible and source and source.asks:
            return (*source.asks, *self.asks(client, WORDS[possible.gives]))
        lacks = self.possible.doubts.get(client.unit.id)
        if lacks:
            return lacks
        if self.typed and client.unit.id == self.typed.unit:
            return () if RANK[state] else (self.another_line(self.typed),)
        if self.ground.network is None:
            return ()
        begin = self.unknown_begin(client, RR_IN_SUPPLY if RANK[state] else RR_LOW)
        if begin:
            return (ask_for_fact(self.view.game.tracks["operational"], begin),)
        other = self.view.fact("other-line", client.unit.id)
        untyped = [] if other and not other.value else list(self.untyped_lines(client, state))
        if not untyped:
            return ()
        title = f"is there {', or '.join(untyped)}"
        near = self.view.board.neighbours(str(client.unit.place))
        typed = f"{TYPE_IT}{f'{near[0]}-{client.unit.place}' if near else 'HEX-HEX'}"
        if other:
            return (Ask(kind="fact", name=f"line {client.unit.id}", rule="14.1", title=title, how=typed),)
        return (yes_or_no(self.view, "other-line", client.unit, title, f", or {typed}"),)

    def likeliest(self, client: Client, above: int) -> tuple[Offer | None, tuple[Ask, ...]]:
        """Return the best of what may be offered a unit that gives more than so much, and of several such the one that
        turns on the fewest facts, with those of its line.
        """
        offers = [offer for offer in self.possible.offers[client.unit.id] if offer.gives > above]
        usable = [offer for offer in offers if offer.source not in self.sources or offer.source in self.hopeful]
        most = max((offer.gives for offer in usable), default=0)
        ways = [(offer, tuple(self.facts_of(client, offer))) for offer in usable if offer.gives == most]

        def burden(way: tuple[Offer, tuple[Ask, ...]]) -> tuple[int, tuple[int | bool, ...]]:
            source = self.certain.get(way[0].source)
            return len(way[1]) + len(source.asks if source else ()), preference(way[0])

        return min(ways, key=burden, default=(None, ()))

    def unknown_begin(self, client: Client, limit: int) -> str:
        """Return the first hex of a line that is typed to a unit, if nothing tells what source is there, so that it may
        be a RR line, so near that it would supply it; "" for none, and where all is typed, RR lines too. limit: how far
        that may be, in hexes.
        """
        if client.arm in SUPPLY_ARMS or self.ground.is_whole:
            return ""

        def by_foot(hexes: Sequence[str]) -> TracedLine:
            """Return a line from where it leaves the RR line that its first hex may be on."""
            railway_steps = takewhile(lambda two: between(self.view, *two).word("rail") in RAILS, pairwise(hexes))
            return self.possible.board.along(hexes[sum(1 for _ in railway_steps) :])

        ending = (hexes for hexes in self.view.state.lines.values() if hexes[-1] == client.unit.place)
        lines = ((hexes[0], by_foot(hexes)) for hexes in ending if not self.possible.board.along(hexes).barred)
        begun = [begin for begin, line in lines if line.cost * HEX <= at_most(limit)]
        units = (unit for unit in self.around.units if self.view.word("arm", unit.id) in SUPPLY_ARMS)
        supplied = {*self.possible.board.linked, *(unit.place for unit in units)}
        return next((hex for hex in begun if hex not in supplied and self.may_be_railway(hex)), "")

    def may_be_railway(self, hex: str) -> bool:
        """Return whether an RR line of the side may pass the first hex of a typed line: nothing says whose it is, nor
        that it leads nowhere.
        """
        return not self.view.word("operational", hex) and self.view.word("linked", hex) in ("", self.around.side)

    def another_line(self, typed: TypedLine) -> Ask:
        """Return what to ask of a unit that a typed line does not serve: whether an RR line passes its first hex, or
        else another line.
        """
        begin = typed.hexes[0]
        if not typed.source and self.may_be_railway(begin) and self.possible.board.linked.isdisjoint(typed.hexes):
            return ask_for_fact(self.view.game.tracks["operational"], begin)
        none = self.view.game.track("other-line").how_to_state(typed.unit, False)
        how = f"another line, with ask ... line=NAME; or {none} if there is none"
        return Ask(kind="fact", name="line", rule="14.1", title="a line that does", how=how)

    def facts_of(self, client: Client, offer: Offer) -> Iterator[Ask]:
        """Yield the facts on which it turns whether there is the line of a possible offer."""
        if self.ground.network:
            _, line = self.possible.line_of_offer(client, offer)
            yield from facts_of_line(self.view, self.ground, self.railways(client), line)

    def untyped_lines(self, client: Client, state: str) -> list[str]:
        """Return the lines that only the player can see and that would give a unit more than a state, in words."""
        network, lines, closed = self.ground.network, self.possible.board.lines, self.around.closed
        assert network
        here = str(client.unit.place)
        unlimited = client.arm in (*COMBAT_ARMS, "artillery")
        sources = self.sources_for(client)
        reach = at_most(max([*(longest_range(source) for source in sources), RR_LOW]))
        back = lines.field_to(here, reach).cost
        leads_in = min((cost for hex, cost in back.items() if network.is_open(hex, closed)), default=reach + 1)
        reached: dict[int, list[str]] = {}
        for source in sources:
            hexes = reach_for(source, [more for more in GIVES if RANK[more] > RANK[state]])
            apart = self.view.board.distance(source.place, here)  # each hex costs a quarter at least
            if not hexes or apart > at_most(hexes):
                continue
            if self.leads_out(source) + leads_in <= at_most(hexes):
                reached.setdefault(hexes, []).append(source.name)
        hexes, enemies = RR_LOW if state == "out" else RR_IN_SUPPLY, self.around.enemies  # EZOCs do not cut RR lines
        railed = min((cost for hex, cost in back.items() if network.is_open(hex, enemies)), default=reach + 1)
        if unlimited and railed <= at_most(hexes):
            reached.setdefault(hexes, []).append("an operational RR line")
        texts = [f"of at most {hexes} hexes from {' or '.join(names)}" for hexes, names in reached.items()]
        texts[:1] = [f"another line to {client.unit.id} {first}" for first in texts[:1]]
        is_depot = client.arm in DEPOTS
        barred = is_depot and known_station(self.view, here) is False
        if client.arm in SUPPLY_ARMS and not barred and network.is_open(here, closed if is_depot else enemies):
            texts.append(f"an operational RR line from {here} to a friendly map edge")
        return texts

    def sources_for(self, client: Client) -> list[LineSource]:
        """Return the sources beside RR lines that may serve a unit whatever the distance, as far as they may be In
        Supply themselves.
        """
        if client.arm in DEPOTS:
            return []
        able = [other for other in self.allowed_sources(client) if not other.why_not]
        return [*(other.source for other in able if other.unit.id in self.hopeful), *self.bukowina(client)]

    def leads_out(self, source: LineSource) -> int:
        """Return what it costs at least to get from a source to a hex from which a way that is not typed may lead on."""
        network = self.ground.network
        limit = at_most(longest_range(source))
        assert network

        def least() -> int:
            cost = self.possible.board.lines.field({source.place}, limit).cost
            return min((at for hex, at in cost.items() if network.is_open(hex, self.around.closed)), default=limit + 1)

        return self.view.memo(_LEADS_OUT, (self.side, source.place, limit), lambda known, apart: least())

    def open_modes(self, plan: ServicePlan) -> list[str]:
        """Return the supply units that serve units of which all is certain, and whose mode may turn on units that are
        undecided.
        """
        undecided = [self.clients[name] for name, settled in self.certain.items() if settled.asks]
        serving = {offer.source for name, offer in plan.serves.items() if offer.mode and name not in self.doubts}
        kin = {other.unit.id: other for client in undecided for other in self.allowed_sources(client)}
        return [name for name in self.sources if name in serving and name in kin and len(kin[name].source.ranges) > 1]

    # --- what is taken for granted ------------------------------------------------------------------------------------

    def say_granted(self, client: Client, offer: Offer) -> None:
        """Say what the line of an offer takes for granted."""
        if client.always or offer.source == STATED:
            return
        source, line = self.line_of_offer(client, offer)
        is_rail = offer.source in (RR_LINE, LOC)
        fed = self.certain.get(offer.source)
        is_traced = fed is not None and not (fed.offer and fed.offer.source == STATED)
        if source.kind in SUPPLY_ARMS and not is_traced and ("supply", source.name) not in self.view.state.facts:
            self.view.premises.assume(step("14.2", FED_ITSELF, source=source.name))
        for entered in line.steps:
            self.view.granted("terrain", entered.hex, "clear", "14.1.1", "no High Mountain in {hexes}")
        hexes = [line.start, *line.linked] if is_rail or line.linked else []
        grant_links(self.view, self.ground, self.side, hexes, self.railways(client))
        if fed and fed.offer and is_traced:
            self.say_granted(self.clients[offer.source], fed.offer)

    def railways(self, client: Client) -> Railway:
        """Return the RR lines that supply a unit."""
        return self.ground.loc if client.arm in DEPOTS else self.ground.railway


def preference(offer: Offer) -> tuple[int, bool, bool, int, bool]:
    """Return what makes an offer better than others, the less the better: In Supply before Low Supply, then without
    Extended Mode, then without a place that others may need, then the cheapest line, of two alike that of a unit before
    that of an RR line. Rule: 14.4c, 14.4d
    """
    return -offer.gives, offer.mode == EXTENDED, bool(offer.group), offer.cost, offer.source == RR_LINE


def capacity(group: str) -> int:
    """Return how many units a capacity serves: three of the Bukowina, two guests of a Corps Train (14.7, 14.3.1)."""
    return MOST_UNITS if group == BUKOWINA else MOST


def _is_lent(client: Client, other: SupplyUnit) -> bool:
    """Return whether a Corps Train would serve a unit as one of its two guests (14.3.1)."""
    return client.guest and other.source.kind == "corps-train" and other.unit.id != KG_TRAIN


def stated_states(view: View) -> dict[str, str]:
    """Return the supply states that a position states."""
    return {name: str(fact.value) for (track, name), fact in view.state.facts.items() if track == "supply"}
