"""Why a unit is not In Supply: the fewest things that would have to be otherwise for its best line (14.1 to 14.3)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple

import msgspec

from assistant.asking import Gather, MissingFacts
from assistant.asking.wording import fill
from assistant.mechanics.crossings import Crossing, Ground
from assistant.mechanics.repairs import MOST_LIFTED, Lifted, LiftedField, Lifting, lifted_field
from assistant.rules.field import LineSource
from assistant.rules.field.allocation import FULL, LOW, Offer, ServicePlan

from ...railways.network import RAILS, known_station
from ...terms import COMBAT_ARMS, DEPOTS, GREAT_RIVERS, SUPPLY_ARMS
from ..clients import Client, SupplyUnit, capacity
from ..ground import at_most, rails_from
from ..report import Cause, Hindrance, cause_of_cap
from ..rules import HEX, RR_LINE, longest_range, reach_for
from ..sources import BUKOWINA, SourceBar, railway
from .certainty import SupplySide
from .offers import RAILWAY, WORDS

FARTHER = 6
"""How many hexes beyond its range a source is sought."""
NONE = frozenset[str]()
ENOUGH = {FULL: ("in",), LOW: ("in", "low")}
"""The states that are as good."""


class Want(NamedTuple):
    """What a unit lacks: supply that is good enough."""

    client: Client
    gives: int
    """FULL or LOW."""
    opened: frozenset[str] = NONE
    """Hexes that are taken for open."""

    @property
    def place(self) -> str:
        """The hex of the unit."""
        return str(self.client.unit.place)


class Causes:
    """The causes of one side's supply. plan: who serves whom."""

    def __init__(self, side: SupplySide, plan: ServicePlan) -> None:
        self.side = side
        self.inputs = side.inputs
        self.plan = plan
        self.possible = side.possible  # of a typed network what is not stated bars nothing
        self.board = self.possible.board
        self.serves = side.may_serve if self.inputs.ground.network else side.serves
        self._unfed: dict[tuple[str, frozenset[str]], tuple[Hindrance, ...]] = {}

    def of(self, client: Client) -> Cause | None:
        """Return why a unit has no more than it has; None if it is In Supply."""
        served = self.plan.serves.get(client.unit.id)
        if served and served.gives == FULL:
            return None
        if served and client.cap:
            return cause_of_cap(client.unit.id, client.cap)
        want = Want(client, FULL if served or client.arm in SUPPLY_ARMS else LOW)
        alone = self.side.alone(client.unit.id)
        if alone and alone.gives >= want.gives:
            return self.cause_of_rival(alone)
        with suppress(MissingFacts), self.inputs.view.gather() as facts:  # what is missing may lie beyond the causes
            cause = min(self.candidates(facts, want), key=_size_key, default=None)
            if cause:
                return self.least(facts, want, cause)
        return Cause(hindrances=(self.nothing_near(want.place),))

    def nothing_near(self, place: str) -> Hindrance:
        """Return why nothing can be named that would restore a unit in a hex."""
        if self.inputs.view.word("terrain", place) == "high-mountain":
            text = f"{place} is a High Mountain hex, which no line enters (14.1.1)"
            return Hindrance(kind="terrain", where=place, text=text)
        return Hindrance(kind="attachment", where="", text="no line could reach it from a source that it may draw on")

    def least(self, facts: Gather, want: Want, cause: Cause) -> Cause:
        """Return a cause without what is not needed: opening a hex may serve a unit and its source at once, so that
        others need not be.
        """
        if len(cause.hindrances) == 1:
            return cause
        hexes = [hindrance for hindrance in cause.hindrances if hindrance.kind in ("enemy", "ezoc")]
        for opened_hex in hexes:
            rest = tuple(other for other in cause.hindrances if other != opened_hex)
            opened = frozenset(other.where for other in rest if other.kind in ("enemy", "ezoc"))
            causes = self.candidates(facts, want._replace(opened=opened))
            if any(set(rest).issuperset(other.hindrances) for other in causes):
                cause = msgspec.structs.replace(cause, hindrances=rest)
        return cause

    def cause_of_rival(self, alone: Offer) -> Cause:
        """Return the cause of a unit that a source would serve, if others did not need it more. alone: what it offers
        the unit.
        """
        source, group, serves = alone.source, alone.group, self.plan.serves.items()
        holders = (
            *self.inputs.settled.get(group, ()),
            *(name for name, taken in serves if group and taken.group == group),
        )
        if group and len(holders) >= capacity(group):
            which = "three (14.7)" if group == BUKOWINA else "two from outside its corps (14.3.1)"
            text = f"{source} serves {' and '.join(holders)}, and may serve no more than {which}"
            rival = Hindrance(kind="capacity", where=source, by=holders, text=text)
        else:
            others = tuple(name for name, taken in serves if taken.source == source)
            now = self.plan.modes.get(source, alone.mode).capitalize()
            for_whom = f" for {', '.join(others)}" if others else ""
            text = f"{source} is in {now} Mode{for_whom}, not in {alone.mode.capitalize()} Mode (14.2)"
            rival = Hindrance(kind="mode", where=source, by=others, text=text)
        return _find_cause(source, alone.gives, alone.cost, rival)

    # --- candidates ---------------------------------------------------------------------------------------------------

    def candidates(self, facts: Gather, want: Want) -> Iterator[Cause]:
        """Yield what each source would need to serve a unit well enough, as far as it may be among the least."""
        client, opened = want.client, want.opened
        if client.arm in DEPOTS:
            yield Cause(source="LOC", hindrances=tuple(self.link(want)))
            return
        by_rail = [SupplyUnit(client.unit, RAILWAY)] if client.arm in (*COMBAT_ARMS, "artillery") else []
        near = list(self.nearest(want, [(railway, ()) for railway in by_rail]))
        if near and len(near[0].hindrances) <= 1 and not opened:
            yield near[0]
            return
        others = () if client.lacks else self.inputs.sources.values()
        bars = [(other, self.inputs.bar(client, other)) for other in others if other.unit.id != client.unit.id]
        barred = [(other, bar) for other, bar in bars if isinstance(bar, SourceBar)]
        allowed = [other for other, bar in bars if not isinstance(bar, SourceBar)]
        for ask in [ask for _, bar in bars if isinstance(bar, tuple) for ask in bar]:
            facts.ask(ask)
        single = [
            *self.attached_elsewhere(want, barred),
            *self.too_far(facts, want, [*allowed, *by_rail]),
        ]
        yield from single
        if client.arm == "corps-train":
            link = tuple(self.link(want))
            if link:
                yield Cause(source="the RR line", cost=Fraction(0), hindrances=link)
        if not single or opened:
            sources = [(other, self.source_hindrances(facts, other, opened)) for other in allowed]
            fewer = len(near[0].hindrances) - 1 if near and not opened else MOST_LIFTED
            yield from (*near, *self.nearest(want, sources, fewer))

    def attached_elsewhere(self, want: Want, barred: Sequence[tuple[SupplyUnit, SourceBar]]) -> Iterator[Cause]:
        """Yield what would serve a unit if it were attached otherwise. barred: the sources with what bars it from them."""
        distance = self.inputs.view.board.distance
        for other, bar in barred:
            name, source = other.unit.id, other.source
            if other.why_not or not self.serves(name) or source.kind == "fortress":
                continue
            near = distance(source.place, want.place) <= longest_range(source)
            cost = self.possible.reach(source, want.place) if near else None
            if cost is None:
                continue
            if any(offer.gives >= want.gives for offer in self.possible.within_reach(want.client, source, cost)):
                text = f"{name} is {bar.why}" if bar.of_another else f"{name}: {bar.why}"
                yield _find_cause(name, want.gives, cost, Hindrance(kind="attachment", where=name, text=text))

    def nearest(
        self, want: Want, sources: Sequence[tuple[SupplyUnit, tuple[Hindrance, ...]]], most: int = MOST_LIFTED
    ) -> Iterator[Cause]:
        """Yield what each source would need to serve a unit within its range, as far as that is among the fewest.

        most: how many obstacles are lifted at most.
        """
        limits = [
            (other.source, own, self.within(far))
            for other, own in sources
            if (far := reach_for(other.source, ENOUGH[want.gives])) is not None
        ]
        farthest = max((limit for _, _, limit in limits), default=0)
        field = self.lifted_lines(want, [(source, limit) for source, own, limit in limits if not own], farthest, most)
        for source, own, limit in limits:
            starts = [source.place]
            if source.kind == RR_LINE:
                starts = [hex for hex in field.reached() if hex in self.board.railway.cost]
            nearest = _find_nearest(field, starts, limit)
            line = field.to(nearest, limit) if nearest else None
            if nearest and line:
                name = railway(nearest).name if source.kind == RR_LINE else source.name
                cause = _find_cause(name, want.gives, line.cost, *dict.fromkeys((*own, *self.hindrances_on(line))))
                yield msgspec.structs.replace(cause, line=line.line[::-1])

    def lifted_lines(self, want: Want, sources: Sequence[tuple[LineSource, int]], limit: int, most: int) -> LiftedField:
        """Return the lines to a unit from the RR line, or else from some sources, each within its own limit."""
        wanted: dict[str, int] = {}
        name: Hashable
        if any(source.kind == RR_LINE for source, _ in sources):  # it is sought alone
            wanted = dict.fromkeys(self.board.railway.cost, limit)
            name = self.board.linked
        else:
            for source, far in sources:
                wanted[source.place] = max(far, wanted.get(source.place, 0))
            name = frozenset(wanted.items())
        if not want.opened:
            return self.board.lines.lifted(self.back, want.place, wanted, name, limit, most)
        back = self.back.instead(self.back.crossings, self.back.closed - want.opened)
        return lifted_field(back, [want.place], limit=limit, wanted=wanted, most=most)

    def within(self, hexes: int) -> int:
        """Return the greatest cost within a range, in quarters of a hex."""
        return at_most(hexes) if self.inputs.view.state.rulings.get("supply-rounding") == "half-up" else hexes * HEX

    def too_far(self, facts: Gather, want: Want, sources: Sequence[SupplyUnit]) -> Iterator[Cause]:
        """Yield the sources from which an open line leads to a unit that is too long."""
        for other in sources:
            limit = reach_for(other.source, ENOUGH[want.gives])
            if limit is None or self.source_hindrances(facts, other):
                continue
            lines = self.possible.spread(other.source)
            cost = lines.cost(want.place, at_most(longest_range(other.source) + FARTHER))
            if cost is not None:
                start = lines.line(want.place)[0]
                name = railway(start).name if other.source.kind == RR_LINE else other.source.name
                far = self.within(limit)
                too_far = f"{name} is {_format_quarters(cost - far)} too far"
                text = f"{too_far}: {_format_quarters(cost)} away, range {limit}"
                cause = _find_cause(name, want.gives, cost, Hindrance(kind="range", where=name, text=text))
                line = lines.line(want.place)
                ends = next((hex for hex in reversed(line) if lines.cost(hex, far) is not None), "")
                yield msgspec.structs.replace(cause, line=line, ends=ends, limit=limit if ends else None)

    @cached_property
    def back(self) -> Lifting:
        """The steps towards a unit, with what they cost once rivers are bridged and RR lines work."""
        lines = self.board.lines
        return lines.lifting("in order", lambda kind: lines.price_back(_repair_step(kind)))

    def railways(self, closed: Collection[str]) -> Lifting:
        """Return the steps along RR lines, operational or not. closed: hexes that nothing passes."""

        def price(kind: Crossing) -> int | None:
            works = dict(kind.leaves)["operational"] and dict(kind.enters)["operational"]
            return 0 if works and dict(kind.over)["rail"] in RAILS else None

        def mended(kind: Crossing) -> int | None:
            return 0 if dict(kind.over)["rail"] in RAILS else None

        return Lifting(self.board.lines.crossings, price, mended, closed)

    @cached_property
    def edges(self) -> list[str]:
        """The hexes at a friendly map edge; on a paper map also those that are stated, or taken, to be linked to it."""
        view, side = self.inputs.view, self.inputs.side
        if view.board.hexes:
            return [hex for hex in view.board.known("map-edge") if view.word("map-edge", hex) == side]
        known = ((track, hex) for track, hex in view.stated if track in ("map-edge", "linked"))
        stated = {hex for track, hex in known if view.word(track, hex) == side}
        return sorted(stated.union(self.board.loc.cost))

    # --- what hinders -------------------------------------------------------------------------------------------------

    def hindrances_on(self, line: Lifted) -> Iterator[Hindrance]:
        """Yield the obstacles of a line in words."""
        around = self.inputs.around
        for hex in line.opened:
            held = hex in around.enemies
            units = around.field.enemies_at(around.side, hex) if held else around.field.reaching(around.side, hex)
            by = tuple(unit.id for unit in units)
            if held:
                text = f"{' and '.join(by)} {'holds' if len(by) == 1 else 'hold'} {hex}"
            else:
                text = f"{hex} is in the EZOC of {' and '.join(by)}"
            yield Hindrance(kind="enemy" if held else "ezoc", where=hex, by=by, text=text)
        for side in line.mended:
            barrier = self.inputs.view.words("barrier", side)
            railed = self.inputs.view.word("rail", side) in RAILS
            if GREAT_RIVERS & barrier and not railed:
                yield Hindrance(kind="river", where=side, text=f"{side} has no bridge, pontoon or ferry")
            else:
                yield Hindrance(kind="railway", where=side, text=f"the RR line at {side} is not operational")

    def source_hindrances(
        self, facts: Gather, other: SupplyUnit, opened: frozenset[str] = NONE
    ) -> tuple[Hindrance, ...]:
        """Return what keeps a source from serving anybody. (14.2, 14.2.1, 14.2.2)."""
        name = other.source.name
        key = name, opened
        if key not in self._unfed:
            self._unfed[key] = ()  # a source cannot wait for itself
            why_not = other.why_not
            cause = None
            if not (why_not or self.serves(name)) and name in self.inputs.clients:
                why_not = "itself Out of Supply"
                want = Want(self.inputs.clients[name], FULL, opened)
                cause = min(self.candidates(facts, want), key=_size_key, default=None)
            if cause:
                self._unfed[key] = cause.hindrances
            elif why_not:
                self._unfed[key] = (Hindrance(kind="unsupplied", where=name, text=f"{name} is {why_not}"),)
        return self._unfed[key]

    def link(self, want: Want) -> Iterator[Hindrance]:
        """Yield what a depot lacks for its LOC, or a Corps Train for the link of the RR line on which it stands
        (14.2.1, 14.2.1a, 14.2.2).
        """
        view, place = self.inputs.view, want.place
        is_depot = want.client.arm in DEPOTS
        if is_depot and known_station(view, place) is False:
            yield Hindrance(kind="station", where=place, text=f"no RR Station in {place} (14.2.1)")
        on_rails = any(rails_from(view, place, view.board.neighbours(place)))
        if (is_depot and place not in self.board.loc.cost) or (on_rails and not is_depot):
            closed = self.board.lines.closed if is_depot else self.inputs.around.enemies
            yield from self.broken(place, closed - want.opened)

    def broken(self, place: str, closed: Collection[str]) -> Iterator[Hindrance]:
        """Yield what breaks the RR line between a hex and a friendly map edge. closed: hexes that nothing passes."""
        wanted = dict.fromkeys(self.edges, 0)
        field = lifted_field(self.railways(closed), [place], wanted=wanted)
        edge = _find_nearest(field, self.edges)
        line = field.to(edge) if edge else None
        if line is None:
            text = f"no RR line that could be restored links {place} to a map edge (14.2.1)"
            yield Hindrance(kind="loc", where=place, text=text)
        else:
            yield from self.hindrances_on(line)


def _find_nearest(field: LiftedField, hexes: Iterable[str], limit: int | None = None) -> str | None:
    """Return the hex of some from which the fewest obstacles are lifted, and of these the cheapest line leads; None if
    none does. limit: the greatest cost.
    """
    ways = list[tuple[tuple[int, int], str]]()
    for hex in hexes:
        least = field.least(hex, limit)
        if least:
            ways.append((least, hex))
    return min(ways)[1] if ways else None


def _find_cause(source: str, gives: int, cost: int, *hindrances: Hindrance) -> Cause:
    """Return what keeps a unit from what a source would give it along a line of a cost."""
    return Cause(source=source, gives=WORDS[gives], cost=Fraction(cost, HEX), hindrances=hindrances)


def _repair_step(kind: Crossing) -> Crossing:
    """Return a step once a pontoon bridges its river and its RR line works."""
    over: dict[str, Any] = dict(kind.over)
    if GREAT_RIVERS.intersection(over["barrier"]) and over["crossing"] == "no-crossing":
        over["crossing"] = "pontoon"
    return Crossing(_repair_railway(kind.leaves), tuple(over.items()), _repair_railway(kind.enters))


def _repair_railway(ground: Ground) -> Ground:
    """Return what is in a hex once its RR line works."""
    return tuple((track, True if track == "operational" else value) for track, value in ground)


@cache
def _format_quarters(quarters: int) -> str:
    """Return a number of quarters of a hex in words."""
    return fill("{cost:#hex}", {"cost": Fraction(quarters, HEX)})


def _size_key(cause: Cause) -> tuple[int, Fraction]:
    """Return what makes a cause greater than others: how much would have to change, and the length of its line."""
    return len(cause.hindrances), cause.cost or Fraction(0)
