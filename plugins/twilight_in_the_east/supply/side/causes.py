"""The causes of worse states for a side's units (14.2b, 14.4)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, cached_property
from itertools import permutations
from typing import Any, NamedTuple

import msgspec

from assistant.asking import Gather, MissingFacts
from assistant.asking.premises import Noted
from assistant.asking.wording import fill
from assistant.mechanics.crossings import Crossing, Ground
from assistant.mechanics.repairs import MAX_LIFTED, Lifted, LiftedField, Lifting, lifted_field
from assistant.rules.field import LineMap, LineSource
from assistant.rules.field.allocation import FULL, LOW, Offer, ServicePlan

from ...railways.network import RAIL_HEX_WEIGHTS, known_station
from ...terms import COMBAT_ARMS, DEPOTS, GREAT_RIVERS, SUPPLY_ARMS
from ..clients import Client, SupplyInputs, SupplyUnit, capacity_of
from ..ground import at_most, rails_from
from ..report import Cause, Hindrance, cause_of_cap
from ..rules import QUARTERS_PER_HEX, RR_LINE, longest_range, reach_for
from ..sources import BUKOWINA, SourceBar, railway_at
from .certainty import SupplySide
from .offers import RAILWAY, WORDS, KnownLines, may_compare

MAX_HEXES_TOO_FAR = 6
"""The maximum distance beyond its range at which a source is still named, in hexes."""
NO_HEXES = frozenset[str]()
SUFFICIENT_STATES = {FULL: ("in",), LOW: ("in", "low")}
"""The sufficient states for each wanted supply."""


class Want(NamedTuple):
    """A unit with the supply that it lacks."""

    client: Client
    gives: int
    """The wanted supply, `FULL` or `LOW`."""
    opened: frozenset[str] = NO_HEXES
    """The hexes that are assumed open."""

    @property
    def place(self) -> str:
        """The hex of the unit."""
        return str(self.client.unit.place)


class Consulted:
    """The sources and parts of the map that the search for a cause has used."""

    def __init__(self) -> None:
        self.places: set[str] = set()
        """The hexes of the units for which causes were sought."""
        self.sources: set[str] = set()
        """The supply units whose places or states matter."""
        self.lines: dict[tuple[str, str, int], LineSource] = {}
        """The sources from which lines were sought, by the source's name, the line's end and its maximum cost."""
        self.lifted: list[LiftedField] = []
        """The lines to units that were sought by lifting obstacles."""
        self.hexes: set[str] = set()
        """Hexes whose ground or enemies matter."""
        self.linked: set[str] = set()
        """Hexes of which it matters whether they have a LOC."""

    def add(self, other: Consulted) -> None:
        """Add the sources and parts that another search has used."""
        self.places |= other.places
        self.sources |= other.sources
        self.lines |= other.lines
        self.lifted += other.lifted
        self.hexes |= other.hexes
        self.linked |= other.linked


class FoundCause(NamedTuple):
    """A cause with everything that it depends on."""

    cause: Cause | None
    served: Offer | None
    """The offer that the unit takes in the plan."""
    consulted: Consulted | None
    """The parts of the map that it depends on, or None if the supply of other units decides it."""
    noted: Noted
    """The facts and assumptions on which it rests."""


class KnownCauses(NamedTuple):
    """The causes found in another view of the same drawn board."""

    side: SupplySide
    found: Mapping[str, FoundCause]
    lines: KnownLines
    changed_sources: Sequence[SupplyUnit]
    """The sources that have moved, or that serve others only in one of the views."""
    changed_hexes: frozenset[str]
    """The hexes whose ground, enemies or enemy zones differ between the views, and all adjacent hexes."""

    @classmethod
    def of(cls, side: SupplySide, known: SupplySide, found: Mapping[str, FoundCause], lines: KnownLines) -> KnownCauses:
        """Return the causes of another view for a side."""
        board, before = side.lines.board, known.lines.board
        around, around_before = side.inputs.around, known.inputs.around
        closed = board.lines.closed ^ before.lines.closed
        hexes = board.changed.union(closed, around.enemies ^ around_before.enemies)
        near = hexes.union(*map(side.inputs.view.board.neighbours, hexes))
        theirs = known.inputs.sources
        changed = [
            other
            for name, other in side.inputs.sources.items()
            if other != theirs[name] or side.serves(name) != known.serves(name)
        ]
        return cls(side=known, found=found, lines=lines, changed_sources=changed, changed_hexes=near)


def may_reuse_causes(side: SupplySide, known: SupplySide) -> bool:
    """Return whether causes of another view may hold here, as sources and RR lines are the same.

    The causes of supply units that may draw on each other depend on the order in which they are found.
    """
    return (
        may_compare(side.inputs, known.inputs)
        and side.lines.board.railway is known.lines.board.railway
        and not _may_draw_on_each_other(side.inputs)
    )


def _may_draw_on_each_other(inputs: SupplyInputs) -> bool:
    trains = [(inputs.clients.get(name), other) for name, other in inputs.sources.items() if other.corps]
    return any(
        client.corps == other.corps and not isinstance(inputs.find_bar(client, other), SourceBar)
        for (client, own), (_, other) in permutations(trains, 2)
        if client
    )


class Causes:
    """The causes of one side's supply.

    `plan`: the source of each unit.
    `found`: the causes found so far; more are added.
    `known`: the causes found in another view, or None.
    """

    def __init__(
        self, side: SupplySide, plan: ServicePlan, found: dict[str, FoundCause], known: KnownCauses | None
    ) -> None:
        self.side = side
        self.inputs = side.inputs
        self.plan = plan
        self.possible = side.possible  # on a typed network, unstated facts bar nothing
        self.board = self.possible.board
        self.serves = side.may_serve if self.inputs.ground.network else side.serves
        self._found = found
        self._known = known
        self._consulted = Consulted()
        self._unfed: dict[tuple[str, frozenset[str]], tuple[tuple[Hindrance, ...], Consulted]] = {}

    def cause_of(self, client: Client) -> Cause | None:
        """Return why a unit has no better supply, or None if it is In Supply, found once or in another view."""
        name = client.unit.id
        if name not in self._found:
            self._found[name] = self._recall(client) or self._find(client)
        return self._found[name].cause

    def _find(self, client: Client) -> FoundCause:
        self._consulted = consulted = Consulted()
        cause, noted = self.inputs.view.premises.note(lambda: self._find_cause(client))
        kinds = {hindrance.kind for hindrance in cause.hindrances} if cause else set[str]()
        depends = kinds & {"capacity", "mode"}
        return FoundCause(cause, self.plan.serves.get(client.unit.id), None if depends else consulted, noted)

    def _recall(self, client: Client) -> FoundCause | None:
        known, name = self._known, client.unit.id
        found = known.found.get(name) if known else None
        if known is None or found is None or found.consulted is None:
            return None
        same_offers = self.side.certain[name] == known.side.certain[name]
        same_client = client == known.side.inputs.clients[name]
        if not (same_offers and same_client and found.served == self.plan.serves.get(name)):
            return None
        if not self._holds(found.consulted, known):
            return None
        self.inputs.view.premises.note_again(found.noted)
        return found

    def _holds(self, consulted: Consulted, known: KnownCauses) -> bool:
        """Return whether nothing that a search in another view has used differs."""
        if not known.changed_hexes.isdisjoint(consulted.hexes):
            return False
        for other in known.changed_sources:
            if other.unit.id in consulted.sources or any(self._is_near(other, place) for place in consulted.places):
                return False
        here, there = self.board, known.side.possible.board
        if any((hex in here.loc.cost) != (hex in there.loc.cost) for hex in consulted.linked):
            return False
        if consulted.lifted:
            steps = self._steps_back
            if steps.before is not _lift_steps_back(there.lines) or not all(
                field.still(steps) for field in consulted.lifted
            ):
                return False
        return all(known.lines.is_same(source, to, limit) for (_, to, limit), source in consulted.lines.items())

    def _find_cause(self, client: Client) -> Cause | None:
        served = self.plan.serves.get(client.unit.id)
        if served and served.gives == FULL:
            return None
        if served and client.cap:
            return cause_of_cap(client.unit.id, client.cap)
        want = Want(client, FULL if served or client.arm in SUPPLY_ARMS else LOW)
        alone = self.side.best_offer_to(client.unit.id)
        if alone and alone.gives >= want.gives:
            return self._find_rival(alone)
        # Missing facts are not asked for, as they may not matter for the cause.
        with suppress(MissingFacts), self.inputs.view.gather() as facts:
            cause = min(self._list_candidates(facts, want), key=_size_key, default=None)
            if cause:
                return self._drop_needless(facts, want, cause)
        return Cause(hindrances=(self._explain_nothing_near(want.place),))

    def _explain_nothing_near(self, place: str) -> Hindrance:
        """Return the hindrance for a unit that no small set of changes would supply."""
        if self.inputs.view.word("terrain", place) == "high-mountain":
            text = f"{place} is a High Mountain hex, which no line enters (14.1.1)"
            return Hindrance(kind="terrain", where=place, text=text)
        return Hindrance(kind="attachment", where="", text="no line could reach it from a source that it may draw on")

    def _drop_needless(self, facts: Gather, want: Want, cause: Cause) -> Cause:
        """Return a cause without hindrances that need not be removed.

        Opening a hex may serve a unit and its source at once.
        """
        if len(cause.hindrances) == 1:
            return cause
        hexes = [hindrance for hindrance in cause.hindrances if hindrance.kind in ("enemy", "ezoc")]
        for opened_hex in hexes:
            rest = tuple(other for other in cause.hindrances if other != opened_hex)
            opened = frozenset(other.where for other in rest if other.kind in ("enemy", "ezoc"))
            causes = self._list_candidates(facts, want._replace(opened=opened))
            if any(set(rest).issuperset(other.hindrances) for other in causes):
                cause = msgspec.structs.replace(cause, hindrances=rest)
        return cause

    def _find_rival(self, alone: Offer) -> Cause:
        """Return the cause for a unit whose source serves others that need it more.

        `alone`: the source's offer to the unit.
        """
        source, group, serves = alone.source, alone.group, self.plan.serves.items()
        holders = (
            *self.inputs.settled.get(group, ()),
            *(name for name, taken in serves if group and taken.group == group),
        )
        if group and len(holders) >= capacity_of(group):
            which = "three (14.7)" if group == BUKOWINA else "two from outside its corps (14.3.1)"
            text = f"{source} serves {' and '.join(holders)}, and may serve no more than {which}"
            rival = Hindrance(kind="capacity", where=source, by=holders, text=text)
        else:
            others = tuple(name for name, taken in serves if taken.source == source)
            now = self.plan.modes.get(source, alone.mode).capitalize()
            for_whom = f" for {', '.join(others)}" if others else ""
            text = f"{source} is in {now} Mode{for_whom}, not in {alone.mode.capitalize()} Mode (14.2)"
            rival = Hindrance(kind="mode", where=source, by=others, text=text)
        return _make_cause(source, alone.gives, alone.cost, rival)

    # --- candidates ---------------------------------------------------------------------------------------------------

    def _list_candidates(self, facts: Gather, want: Want) -> Iterator[Cause]:
        """Yield the causes that might have the fewest hindrances, one for each source of enough supply."""
        client, opened = want.client, want.opened
        if client.arm in DEPOTS:
            yield Cause(source="LOC", hindrances=tuple(self._list_on_link(want)))
            return
        self._consulted.places.add(want.place)
        by_rail = [SupplyUnit(client.unit, RAILWAY)] if client.arm in (*COMBAT_ARMS, "artillery") else []
        near = list(self._list_nearest(want, [(railway, ()) for railway in by_rail]))
        if near and len(near[0].hindrances) <= 1 and not opened:
            yield near[0]
            return
        others = () if client.missing else self.inputs.sources.values()
        bars = [(other, self.inputs.find_bar(client, other)) for other in others if other.unit.id != client.unit.id]
        barred = [(other, bar) for other, bar in bars if isinstance(bar, SourceBar)]
        allowed = [other for other, bar in bars if not isinstance(bar, SourceBar)]
        self._consulted.sources.update(other.unit.id for other in allowed)
        for ask in [ask for _, bar in bars if isinstance(bar, tuple) for ask in bar]:
            facts.ask(ask)
        single = [
            *self._list_attached_elsewhere(want, barred),
            *self._list_too_far(facts, want, [*allowed, *by_rail]),
        ]
        yield from single
        if client.arm == "corps-train":
            link = tuple(self._list_on_link(want))
            if link:
                yield Cause(source="the RR line", cost=Fraction(0), hindrances=link)
        if not single or opened:
            sources = [(other, self._list_at_source(facts, other, opened)) for other in allowed]
            fewer = len(near[0].hindrances) - 1 if near and not opened else MAX_LIFTED
            yield from (*near, *self._list_nearest(want, sources, fewer))

    def _list_attached_elsewhere(self, want: Want, barred: Sequence[tuple[SupplyUnit, SourceBar]]) -> Iterator[Cause]:
        """Yield the causes of a unit that another attachment would supply.

        `barred`: the sources, each with its bar to the unit.
        """
        for other, bar in barred:
            name, source = other.unit.id, other.source
            if other.why_not or not self.serves(name) or source.kind == "fortress":
                continue
            if not self._is_near(other, want.place):
                continue
            self._consulted.sources.add(name)
            self._consulted.lines[source.name, want.place, at_most(longest_range(source))] = source
            cost = self.possible.reach(source, want.place)
            if cost is None:
                continue
            if any(offer.gives >= want.gives for offer in self.possible.within_reach(want.client, source, cost)):
                text = f"{name} is {bar.why}" if bar.of_another else f"{name}: {bar.why}"
                yield _make_cause(name, want.gives, cost, Hindrance(kind="attachment", where=name, text=text))

    def _is_near(self, other: SupplyUnit, place: str) -> bool:
        return self.inputs.view.board.distance(other.source.place, place) <= longest_range(other.source)

    def _list_nearest(
        self, want: Want, sources: Sequence[tuple[SupplyUnit, tuple[Hindrance, ...]]], most: int = MAX_LIFTED
    ) -> Iterator[Cause]:
        """Yield the causes with the fewest hindrances to serving a unit within the range of a source.

        `most`: the maximum number of obstacles that are lifted.
        """
        limits = [
            (other.source, own, self._max_cost(far))
            for other, own in sources
            if (far := reach_for(other.source, SUFFICIENT_STATES[want.gives])) is not None
        ]
        farthest = max((limit for _, _, limit in limits), default=0)
        field = self._lift_lines(want, [(source, limit) for source, own, limit in limits if not own], farthest, most)
        for source, own, limit in limits:
            starts = [source.place]
            if source.kind == RR_LINE:
                starts = [hex for hex in field.reached() if hex in self.board.railway.cost]
            nearest = _find_nearest(field, starts, limit)
            line = field.to(nearest, limit) if nearest else None
            if nearest and line:
                name = railway_at(nearest).name if source.kind == RR_LINE else source.name
                cause = _make_cause(name, want.gives, line.cost, *dict.fromkeys((*own, *self._list_on_line(line))))
                yield msgspec.structs.replace(cause, line=line.line[::-1])

    def _lift_lines(self, want: Want, sources: Sequence[tuple[LineSource, int]], limit: int, most: int) -> LiftedField:
        """Return the lines to a unit from the RR line, or else from sources, each up to its own limit."""
        wanted: dict[str, int] = {}
        name: Hashable
        if any(source.kind == RR_LINE for source, _ in sources):  # the RR line is never searched with other sources
            wanted = dict.fromkeys(self.board.railway.cost, limit)
            name = self.board.linked
        else:
            for source, far in sources:
                wanted[source.place] = max(far, wanted.get(source.place, 0))
            name = frozenset(wanted.items())
        if want.opened:
            back = self._steps_back.instead(self._steps_back.crossings, self._steps_back.closed - want.opened)
            field = lifted_field(back, [want.place], limit=limit, wanted=wanted, max_obstacles=most)
        else:
            field = self.board.lines.lifted(self._steps_back, want.place, wanted, name, limit, most)
        self._consulted.lifted.append(field)
        return field

    def _max_cost(self, hexes: int) -> int:
        """Return the greatest cost within a range, in quarters of a hex."""
        return (
            at_most(hexes)
            if self.inputs.view.state.rulings.get("supply-rounding") == "half-up"
            else hexes * QUARTERS_PER_HEX
        )

    def _list_too_far(self, facts: Gather, want: Want, sources: Sequence[SupplyUnit]) -> Iterator[Cause]:
        """Yield the causes for sources with an open line to a unit that is too long."""
        for other in sources:
            limit = reach_for(other.source, SUFFICIENT_STATES[want.gives])
            if limit is None or self._list_at_source(facts, other):
                continue
            lines, farthest = self.possible.spread(other.source), longest_range(other.source) + MAX_HEXES_TOO_FAR
            self._consulted.lines[other.source.name, want.place, at_most(farthest)] = other.source
            cost = lines.cost(want.place, at_most(farthest))
            if cost is not None:
                start = lines.line(want.place)[0]
                name = railway_at(start).name if other.source.kind == RR_LINE else other.source.name
                far = self._max_cost(limit)
                too_far = f"{name} is {_format_quarters(cost - far)} too far"
                text = f"{too_far}: {_format_quarters(cost)} away, range {limit}"
                cause = _make_cause(name, want.gives, cost, Hindrance(kind="range", where=name, text=text))
                line = lines.line(want.place)
                ends = next((hex for hex in reversed(line) if lines.cost(hex, far) is not None), "")
                yield msgspec.structs.replace(cause, line=line, ends=ends, limit=limit if ends else None)

    @cached_property
    def _steps_back(self) -> Lifting:
        """The steps towards a unit, with their costs once rivers are bridged and RR lines work."""
        return _lift_steps_back(self.board.lines)

    def _lift_railways(self, closed: Collection[str]) -> Lifting:
        """Return the steps along RR lines, operational or not.

        `closed`: hexes that nothing passes.
        """

        def price(kind: Crossing) -> int | None:
            works = dict(kind.leaves)["operational"] and dict(kind.enters)["operational"]
            return 0 if works and dict(kind.over)["rail"] in RAIL_HEX_WEIGHTS else None

        def mended(kind: Crossing) -> int | None:
            return 0 if dict(kind.over)["rail"] in RAIL_HEX_WEIGHTS else None

        return Lifting(self.board.lines.crossings, price, mended, closed)

    @cached_property
    def _edge_hexes(self) -> list[str]:
        """The hexes at a friendly map edge; on a paper map also hexes linked to it, or assumed to be."""
        view, side = self.inputs.view, self.inputs.side
        if view.board.hexes:
            return [hex for hex in view.board.known("map-edge") if view.word("map-edge", hex) == side]
        known = ((track, hex) for track, hex in view.stated if track in ("map-edge", "linked"))
        stated = {hex for track, hex in known if view.word(track, hex) == side}
        return sorted(stated.union(self.board.loc.cost))

    # --- hindrances ---------------------------------------------------------------------------------------------------

    def _list_on_line(self, line: Lifted) -> Iterator[Hindrance]:
        around = self.inputs.around
        self._consulted.hexes.update(line.opened)
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
            railed = self.inputs.view.word("rail", side) in RAIL_HEX_WEIGHTS
            if GREAT_RIVERS & barrier and not railed:
                yield Hindrance(kind="river", where=side, text=f"{side} has no bridge, pontoon or ferry")
            else:
                yield Hindrance(kind="railway", where=side, text=f"the RR line at {side} is not operational")

    def _list_at_source(
        self, facts: Gather, other: SupplyUnit, opened: frozenset[str] = NO_HEXES
    ) -> tuple[Hindrance, ...]:
        """Return the hindrances that keep a source from serving any unit (14.2, 14.2.1, 14.2.2)."""
        key = other.source.name, opened
        if key not in self._unfed:
            outer, self._consulted = self._consulted, Consulted()
            self._unfed[key] = (), self._consulted  # ends a recursion: a source cannot depend on itself
            try:
                self._unfed[key] = self._find_at_source(facts, other, opened), self._consulted
            except MissingFacts:
                del self._unfed[key]
                raise
            finally:
                self._consulted = outer
        hindrances, consulted = self._unfed[key]
        self._consulted.add(consulted)
        return hindrances

    def _find_at_source(self, facts: Gather, other: SupplyUnit, opened: frozenset[str]) -> tuple[Hindrance, ...]:
        name, why_not = other.source.name, other.why_not
        cause = None
        if not (why_not or self.serves(name)) and name in self.inputs.clients:
            why_not = "itself Out of Supply"
            want = Want(self.inputs.clients[name], FULL, opened)
            cause = min(self._list_candidates(facts, want), key=_size_key, default=None)
        if cause:
            return cause.hindrances
        if why_not:
            return (Hindrance(kind="unsupplied", where=name, text=f"{name} is {why_not}"),)
        return ()

    def _list_on_link(self, want: Want) -> Iterator[Hindrance]:
        """Yield the hindrances to a depot's LOC, or to the RR link of a Corps Train (14.2.1, 14.2.1a, 14.2.2)."""
        view, place = self.inputs.view, want.place
        is_depot = want.client.arm in DEPOTS
        if is_depot and known_station(view, place) is False:
            yield Hindrance(kind="station", where=place, text=f"no RR Station in {place} (14.2.1)")
        self._consulted.linked.add(place)
        on_rails = any(rails_from(view, place, view.board.neighbours(place)))
        if (is_depot and place not in self.board.loc.cost) or (on_rails and not is_depot):
            closed = self.board.lines.closed if is_depot else self.inputs.around.enemies
            yield from self._list_on_railway(place, closed - want.opened)

    def _list_on_railway(self, place: str, closed: Collection[str]) -> Iterator[Hindrance]:
        """Yield the breaks of the RR line between a hex and a friendly map edge.

        `closed`: hexes that no line passes.
        """
        wanted = dict.fromkeys(self._edge_hexes, 0)
        field = lifted_field(self._lift_railways(closed), [place], wanted=wanted)
        self._consulted.hexes.update(field.reached())
        edge = _find_nearest(field, self._edge_hexes)
        line = field.to(edge) if edge else None
        if line is None:
            text = f"no RR line that could be restored links {place} to a map edge (14.2.1)"
            yield Hindrance(kind="loc", where=place, text=text)
        else:
            yield from self._list_on_line(line)


def _lift_steps_back(lines: LineMap) -> Lifting:
    return lines.lifting("in order", lambda kind: lines.price_back(_repair_step(kind)))


def _find_nearest(field: LiftedField, hexes: Iterable[str], limit: int | None = None) -> str | None:
    """Return the hex with the fewest lifted obstacles, then the cheapest line, or None without a line.

    `limit`: the maximum cost.
    """
    ways = list[tuple[tuple[int, int], str]]()
    for hex in hexes:
        least = field.least(hex, limit)
        if least:
            ways.append((least, hex))
    return min(ways)[1] if ways else None


def _make_cause(source: str, gives: int, cost: int, *hindrances: Hindrance) -> Cause:
    return Cause(source=source, gives=WORDS[gives], cost=Fraction(cost, QUARTERS_PER_HEX), hindrances=hindrances)


def _repair_step(kind: Crossing) -> Crossing:
    """Return a step as it is once a pontoon bridges its river and its RR line works."""
    over: dict[str, Any] = dict(kind.over)
    if GREAT_RIVERS.intersection(over["barrier"]) and over["crossing"] == "no-crossing":
        over["crossing"] = "pontoon"
    return Crossing(_repair_railway(kind.leaves), tuple(over.items()), _repair_railway(kind.enters))


def _repair_railway(ground: Ground) -> Ground:
    return tuple((track, True if track == "operational" else value) for track, value in ground)


@cache
def _format_quarters(quarters: int) -> str:
    return fill("{cost:#hex}", {"cost": Fraction(quarters, QUARTERS_PER_HEX)})


def _size_key(cause: Cause) -> tuple[int, Fraction]:
    return len(cause.hindrances), cause.cost or Fraction(0)
