"""The offers of a side's sources to a unit over a map, each with its line and mode (14.1 to 14.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec

from assistant.asking import Gather
from assistant.asking.asks import Ask
from assistant.asking.premises import Noted
from assistant.mechanics.tracing import Spread
from assistant.rules.field import LineSource, TracedLine
from assistant.rules.field.allocation import FULL, LOW, Offer

from ...terms import DEPOTS, SUPPLY_ARMS
from ..clients import GUESTS, Client, SupplyInputs, SupplyUnit, TypedLine, evaluate_if_known, is_lent
from ..ground import SupplyMap, at_most
from ..rules import (
    QUARTERS_PER_HEX,
    RR_IN_SUPPLY_HEXES,
    RR_LINE,
    RR_LOW_SUPPLY_HEXES,
    SupplyState,
    longest_range,
    ranges,
    within,
)
from ..sources import BUKOWINA, SourceBar, bar_without_loc, railway_at, source_underfoot

# modes of supply units
NORMAL = "normal"
EXTENDED = "extended"
LOC = "LOC"
"""The name of the source for a depot with a LOC."""
STATED_SOURCE = "as stated"
"""The name of the source for a unit whose supply is only stated."""
WORDS: Mapping[int, SupplyState] = {0: "out", LOW: "low", FULL: "in"}
RANK: Mapping[str, int] = {state: given for given, state in WORDS.items()}
"""The rank of supply states, higher for better."""
UNKNOWN = LineSource("", "corps-train", "", ())
"""A source in place of a supply unit with missing facts."""
RAILWAY = LineSource(RR_LINE, RR_LINE, "", ranges(RR_LINE, RR_IN_SUPPLY_HEXES, RR_LOW_SUPPLY_HEXES))
"""The nearest RR line, as a source of combat and artillery units (14.2.3)."""


class Offered(msgspec.Struct, frozen=True):
    """The offers to a unit, with missing facts."""

    offers: tuple[Offer, ...] = ()
    missing: tuple[Ask, ...] = ()

    def with_more(self, more: Iterable[Offer | Ask]) -> Offered:
        """Return the offers and missing facts with more added, without duplicates."""
        offers, missing = [*self.offers], [*self.missing]
        for each in more:
            if isinstance(each, Offer):
                offers.append(each)
            elif each not in missing:
                missing.append(each)
        return Offered(tuple(offers), tuple(missing))


class MapOffers(msgspec.Struct, frozen=True):
    """The offers of a side's sources over a map of certain facts, or of possible ones."""

    inputs: SupplyInputs
    board: SupplyMap
    offered: dict[str, Offered] = {}
    """The offers by unit."""
    noted: dict[str, Noted] = {}
    """The facts and assumptions on which the offers rest, by unit."""

    # --- lines --------------------------------------------------------------------------------------------------------

    def spread(self, source: LineSource) -> Spread:
        """Return the lines from a source; for an RR line, from each linked RR hex."""
        return self.board.lines.spread_from(self._list_starts(source))

    def _list_starts(self, source: LineSource) -> frozenset[str]:
        return self.board.railway_hexes if source.kind == RR_LINE else frozenset((source.place,))

    def repeats(self, known: MapOffers, source: LineSource) -> bool:
        """Return whether all lines from a source are the same as in another view."""
        same_starts = known._list_starts(source) == self._list_starts(source)
        return same_starts and self.spread(source).repeats(known.spread(source))

    def _trace(self, source: LineSource, to: str) -> tuple[Spread, str, int | None]:
        """Return the spread that finds the cheapest line, the hex where this line ends, and its cost.

        The cost is None if the line is too long. The spread starts from the source, or from the unit if only a few
        units are asked about.
        """
        limit = at_most(longest_range(source))
        if self.inputs.asked is None:
            spread = self.spread(source)
            return spread, to, spread.cost(to, limit)
        back = self.board.lines.spread_to(to)
        if source.kind != RR_LINE:
            return back, source.place, back.cost(source.place, limit)
        costs = back.within(at_most(RR_LOW_SUPPLY_HEXES), self.board.railway_hexes).cost
        near = self.board.railway_hexes & costs.keys()
        nearest = min(near, key=lambda hex: (costs[hex], hex), default="")
        return back, nearest, costs.get(nearest)

    def reach(self, source: LineSource, to: str) -> int | None:
        """Return the cost of the cheapest line from a source to a hex, or None if it is out of range."""
        return self._trace(source, to)[-1]

    def _find_line(self, source: LineSource, to: str) -> TracedLine:
        spread, end, _ = self._trace(source, to)
        hexes = spread.line(end)
        return self.board.lines.along(hexes if end == to else hexes[::-1])

    def trace_typed(self, client: Client, typed: TypedLine) -> tuple[LineSource, TracedLine]:
        """Return the source where a typed line begins, and the line without the hexes along its own RR line."""
        linked = [at for at, hex in enumerate(typed.hexes) if hex in self.board.linked and not typed.source]
        line = self.board.along(typed.hexes[linked[-1] if linked else 0 :])
        if typed.source in self.inputs.sources:
            return self.inputs.sources[typed.source].source, line
        if typed.source:
            return LineSource(typed.source, "", line.start, ()), line
        half_hexes = () if linked else self.inputs.list_half_hexes(client)
        return next((source for source in half_hexes if source.place == line.start), railway_at(line.start)), line

    def line_of_offer(self, client: Client, offer: Offer) -> tuple[LineSource, TracedLine]:
        """Return the source of an offer and the line from it.

        The line is a single hex if the unit needs no line, or is on the RR line that serves it.
        """
        place = str(client.unit.place)
        if client.always or offer.source == STATED_SOURCE:
            return LineSource(offer.source, "", place, ()), TracedLine(place)
        if offer.source in (RR_LINE, LOC) and client.arm in SUPPLY_ARMS:
            return source_underfoot(place), TracedLine(place)
        if self.inputs.typed and self.inputs.is_asked(client):
            return self.trace_typed(client, self.inputs.typed)
        if offer.source == RR_LINE:
            line = self._find_line(RAILWAY, place)
            return railway_at(line.start), line
        if offer.source in self.inputs.sources:
            source = self.inputs.sources[offer.source].source
            return source, self._find_line(source, place)
        source = next(source for source in self.inputs.list_half_hexes(client) if source.name == offer.source)
        found = self.board.line(source, place)
        assert found is not None  # there is no offer without a line
        return source, found

    # --- offers -------------------------------------------------------------------------------------------------------

    def note_offers_to(self, client: Client) -> Offered:
        """Return the offers to a unit, and store the facts and assumptions on which they rest."""
        offered, self.noted[client.unit.id] = self.inputs.view.premises.note(lambda: self.offers_to(client))
        return offered

    def offers_to(self, client: Client) -> Offered:
        """Return the offers to a unit of all sources whose facts are known."""
        is_asked = self.inputs.is_asked(client)
        if self.inputs.typed and is_asked and not client.always:
            return self._offered_if_known(self._list_along(self.inputs.typed, client))
        own = self._offered_if_known(self._list_own(client))
        best = any(offer.gives == client.most and not offer.group for offer in own.offers)
        if client.through or client.always or client.arm in DEPOTS or client.ties or (best and not is_asked):
            return own  # no source can give the unit more, or its attachment decides the rest
        return own.with_more(self.drawn_on(client))

    def _offered_if_known(self, offers: Iterator[Offer | Ask]) -> Offered:
        def list_all(_facts: Gather) -> list[Offer | Ask]:
            return [*offers]

        listed, missing = evaluate_if_known(self.inputs.view, list_all)
        return Offered().with_more(missing if listed is None else listed)

    def drawn_on(self, client: Client) -> Iterator[Offer | Ask]:
        """Yield the offers of supply units on which a unit may draw, and the missing facts."""
        inputs, place = self.inputs, str(client.unit.place)
        kin = inputs.list_kin(client)
        if inputs.is_asked(client):  # among equal sources a Corps Train comes last
            kin = iter(sorted(kin, key=lambda other: other.source.kind == "corps-train"))
        for other in kin:
            bar = () if other.why_not else inputs.find_bar(client, other)
            if other.why_not or isinstance(bar, SourceBar):
                continue
            yield from bar
            cost = None if bar else self.reach(other.source, place)
            if cost is not None:
                yield from self._offer_from_unit(client, other, cost)
        for name, missing in inputs.unknown.items():
            if name != client.unit.id:
                bar = inputs.find_bar(client, SupplyUnit(inputs.view.unit(name), UNKNOWN))
                if not isinstance(bar, SourceBar):
                    yield from bar or missing

    def _offer_from_unit(self, client: Client, other: SupplyUnit, cost: int) -> Iterator[Offer]:
        group = f"{GUESTS}{other.unit.id}"
        takes_place = is_lent(client, other) and client.formation.id not in self.inputs.settled.get(group, ())
        return self.within_reach(client, other.source, cost, group if takes_place else "")

    def _list_along(self, typed: TypedLine, client: Client) -> Iterator[Offer | Ask]:
        """Yield the offers to a unit along a typed line.

        They come from the source at its beginning, or from the RR line at the last hex linked to the map edge (14.2.3).
        """
        inputs, (source, line) = self.inputs, self.trace_typed(client, typed)
        cost = int(line.cost * QUARTERS_PER_HEX)
        if line.barred or typed.barred:
            return
        if typed.source in inputs.sources:
            other = inputs.sources[typed.source]
            bar = inputs.find_bar(client, other)
            if not (other.why_not or isinstance(bar, SourceBar)):
                yield from bar or self._offer_from_unit(client, other, cost)
        elif typed.source:
            yield from inputs.unknown.get(typed.source, ())
        elif line.start in self.board.linked:
            yield from self.within_reach(client, RAILWAY, cost)
        elif source.kind == BUKOWINA:
            yield from self._offer_from_bukowina(client, source, line)

    def _list_own(self, client: Client) -> Iterator[Offer]:
        """Yield the offers to a unit other than by supply units.

        They are supply without a line, the unit's LOC, the RR line and the Bukowina.

        Rule: 14.2.2
        """
        name = client.unit.id
        place = str(client.unit.place)
        if client.always:
            yield Offer(name, client.always, client.most)
        elif client.through:
            return
        elif client.arm in DEPOTS:
            with self.inputs.view.gather() as facts:
                lacks_loc = bar_without_loc(facts, self.board, place)
            if not lacks_loc:
                yield Offer(name, LOC, FULL)
        elif client.arm == "corps-train":
            if place in self.board.railway.cost:
                yield Offer(name, RR_LINE, FULL)
        else:
            yield from self._list_along_lines(client)

    def _list_along_lines(self, client: Client) -> Iterator[Offer]:
        """Yield the offers of the RR line and the half-hexes of the Bukowina.

        Rule: 14.2.3, 14.7
        """
        place = str(client.unit.place)
        if (cost := self.reach(RAILWAY, place)) is not None:
            yield from self.within_reach(client, RAILWAY, cost)
        for source in self.inputs.list_half_hexes(client):
            if line := self.board.line(source, place):
                yield from self._offer_from_bukowina(client, source, line)

    def _offer_from_bukowina(self, client: Client, source: LineSource, line: TracedLine) -> Iterator[Offer]:
        return self.within_reach(
            client, source, int(line.cost * QUARTERS_PER_HEX), self.inputs.place_in_bukowina(client)
        )

    def within_reach(self, client: Client, source: LineSource, cost: int, group: str = "") -> Iterator[Offer]:
        """Yield the offers of a source along a line, one for each of its modes."""
        gives: dict[str, int] = {}
        reading = self.inputs.view.ruling("supply-rounding", bool(cost % QUARTERS_PER_HEX))
        for range in source.ranges:
            if range.hexes is None or within(cost, range.hexes, reading):
                mode = ""
                if source.kind in SUPPLY_ARMS:
                    mode = EXTENDED if range.extended else NORMAL
                gives[mode] = max(gives.get(mode, 0), min(RANK[range.gives], client.most))
        for mode, given in gives.items():
            yield Offer(client.unit.id, source.name, given, cost, mode, group)


class KnownLines:
    """The lines found in another view, compared with those here.

    `known`: the offers of the other view, on a drawn board.
    """

    def __init__(self, here: MapOffers, known: MapOffers) -> None:
        self.here = here
        self.known = known
        self._repeated: dict[str, bool] = {}

    def are_same(self, source: LineSource) -> bool:
        """Return whether all lines from a source are the same in both views."""
        if source.name not in self._repeated:
            self._repeated[source.name] = self.here.repeats(self.known, source)
        return self._repeated[source.name]

    def is_same(self, source: LineSource, to: str, limit: int) -> bool:
        """Return whether the cheapest line from a source to a hex, up to a cost, is the same or missing in both."""
        if self.are_same(source):
            return True
        lines, before = self.here.spread(source), self.known.spread(source)
        cost = lines.cost(to, limit)
        return cost == before.cost(to, limit) and (cost is None or lines.line(to) == before.line(to))


class KnownOffers:
    """The offers of another view that still hold, for a whole side on a drawn board.

    `known`: the offers of the other view.
    `changed_hexes`: the hexes where the positions differ.
    """

    def __init__(self, here: MapOffers, known: MapOffers, changed_hexes: Collection[str]) -> None:
        self.here = here
        self.known = known
        self._changed_hexes = changed_hexes
        self._lines = KnownLines(here, known)
        both = [(other, known.inputs.sources[name]) for name, other in here.inputs.sources.items()]
        self._changed_sources = [
            (other, before) for other, before in both if other != before or not self._lines.are_same(other.source)
        ]

    def recall(self, client: Client) -> Offered | None:
        """Return the offers to a unit and note the facts on which they rest, or return None if they may differ."""
        name = client.unit.id
        if not self._has_same_offers(client):
            return None
        self.here.noted[name] = noted = self.known.noted[name]
        self.here.inputs.view.premises.note_again(noted)
        return self.known.offered[name]

    def _has_same_offers(self, client: Client) -> bool:
        known = self.known.offered.get(client.unit.id)
        if known is None or self.known.inputs.clients[client.unit.id] != client:
            return False
        if client.unit.place in self._changed_hexes:
            return False
        if client.always or client.through:
            return True
        if not self._has_same_own(client):
            return False
        if client.arm in DEPOTS or any(
            offer.source == RR_LINE and offer.gives == client.most for offer in known.offers
        ):
            return True
        return all(
            self._draws_equally(each, *both) for each in (client, *client.ties) for both in self._changed_sources
        )

    def _has_same_own(self, client: Client) -> bool:
        """Return whether a unit has the same LOC or line from the RR line, and no line from the Bukowina."""
        here, known, place = self.here, self.known, str(client.unit.place)
        if client.arm in DEPOTS:
            return (place in here.board.loc.cost) == (place in known.board.loc.cost)
        if client.arm in SUPPLY_ARMS:
            return (place in here.board.railway.cost) == (place in known.board.railway.cost)
        is_same = self._lines.are_same(RAILWAY) or here.reach(RAILWAY, place) == known.reach(RAILWAY, place)
        return is_same and not here.inputs.list_half_hexes(client)

    def _draws_equally(self, client: Client, other: SupplyUnit, before: SupplyUnit) -> bool:
        """Return whether a supply unit makes the same offers to a unit as before, or none."""
        kinds = [(each.corps, each.why_not, each.source.ranges) for each in (other, before)]
        if kinds[0] != kinds[1]:
            return False
        if other.why_not or (client.corps and other.corps not in ("", client.corps)):
            return True
        inputs, place = self.here.inputs, str(client.unit.place)
        bar = inputs.find_bar(client, other)
        if bar:
            return bar == self.known.inputs.find_bar(client, before)
        return self.here.reach(other.source, place) == self.known.reach(before.source, place)


def make_offers(
    inputs: SupplyInputs, board: SupplyMap, known: MapOffers | None = None, changed_hexes: Collection[str] = ()
) -> MapOffers:
    """Return the offers of a side's sources to each of its units over a map.

    `known`: the offers of another view, whose facts differ at most in the control of hexes.
    `changed_hexes`: the hexes where the positions differ.
    """
    lines = MapOffers(inputs, board)
    before = KnownOffers(lines, known, changed_hexes) if known and may_compare(inputs, known.inputs) else None
    for name, client in inputs.clients.items():
        offered = before.recall(client) if before else None
        lines.offered[name] = offered or lines.note_offers_to(client)
    return lines


def may_compare(inputs: SupplyInputs, known: SupplyInputs) -> bool:
    """Return whether two views have the same sources and capacities, so that offers may be compared unit by unit."""
    return (
        inputs.asked is None
        and known.asked is None
        and not (inputs.unknown or known.unknown)
        and [*inputs.sources] == [*known.sources]
        and inputs.named == known.named
    )


def preference_of(offer: Offer) -> tuple[int, bool, bool, int, bool]:
    """Return the sort key of an offer, lowest for the best.

    In Supply precedes Low Supply; then an offer without Extended Mode, one that uses no limited capacity, the cheapest
    line, and a unit before an RR line.

    Rule: 14.4c, 14.4d
    """
    return -offer.gives, offer.mode == EXTENDED, bool(offer.group), offer.cost, offer.source == RR_LINE
