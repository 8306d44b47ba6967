"""The supply states of a side's units, and the causes if they are not In Supply (14.2b, 14.4).

States are found with the present and with the best modes of supply units.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, MissingFacts, View
from assistant.asking.asks import Ask
from assistant.asking.view import changed
from assistant.asking.wording import fill
from assistant.mechanics.crossings import Crossing, Ground
from assistant.mechanics.repairs import MAX_LIFTED, Lifted, LiftedField, Lifting, lifted_field
from assistant.rules.field import LineSource, side_of
from assistant.rules.field.allocation import FULL, LOW, Offer, ServicePlan
from assistant.state.changes import Change
from assistant.state.differences import NOTHING, Divergence
from assistant.state.state import Unit
from assistant.util.errors import quoted
from assistant.util.memo import Memo

from ...forces.unit import Cap
from ...ground.hexsides import assume_zones
from ...railways.network import RAIL_HEX_WEIGHTS, known_station
from ...terms import COMBAT_ARMS, DEPOTS, GREAT_RIVERS, SUPPLY_ARMS
from ..clients import GUESTS, AskedAlone, Client, SupplyInputs, SupplyUnit, capacity_of, read_inputs
from ..ground import PILLAU, at_most, rails_from, supply_ground
from ..isolation import WaysOut, find_way_out
from ..report import (
    Cause,
    Hindrance,
    PlannedSupply,
    SideSupply,
    UnitSupply,
    cause_of_cap,
    count_states,
    count_units,
    sort_units,
)
from ..rules import QUARTERS_PER_HEX, RR_LINE, longest_range, reach_for
from ..sources import BUKOWINA, SourceBar, railway_at
from .certainty import SupplySide, open_modes, plan_service, say_granted, settle_side, stated_states
from .offers import EXTENDED, LOC, RAILWAY, STATED_SOURCE, WORDS

NUMBERS = {2: "two", 3: "three"}
MAX_HEXES_TOO_FAR = 6
"""The maximum distance of a source beyond its range at which it is still sought, in hexes."""
NO_HEXES = frozenset[str]()
SUFFICIENT_STATES = {FULL: ("in",), LOW: ("in", "low")}
"""The states that suffice, by the supply wanted."""

# --- the states of a side ---------------------------------------------------------------------------------------------


class SideAnswer(msgspec.Struct, frozen=True):
    """The supply of a side's units, with the questions to ask and the changes by the best modes."""

    states: SideStates
    """The states of all its units."""
    supply: SideSupply
    asks: tuple[Ask, ...]
    cautions: Collection[str]
    """The remarks on open points of the answer."""
    changes: tuple[Change, ...]


_STATES: Memo[tuple[str, AskedAlone | None, bool, bool], SideStates] = Memo()
"""The states of a side, by the side, the unit asked about alone, and whether causes and present modes are wanted."""


def side_states(
    view: View,
    side: str,
    asked: AskedAlone | None = None,
    *,
    stated: Mapping[str, str] | None = None,
    causes: bool = True,
    as_it_stands: bool = False,
) -> SideStates:
    """Return the states of the units of a side, over its board or the typed network.

    `asked`: the unit that is asked about alone.
    `stated`: states to believe where tracing leaves them open, by default the position's.
    `causes`: whether to say why a unit has no more.
    `as_it_stands`: whether the position's modes are fixed.

    Raises MissingFacts if a fact that places units is not stated.
    """
    ground = supply_ground(view, side)
    with view.gather() as facts:
        places = [str(hidden.place) for hidden in view.unseen.values() if side_of(facts, hidden) == side]
    unseen = tuple[Ask, ...]()
    if places:
        title = f"Corps Trains and depots of the {view.game.file.title_of(side)} side that may stand unseen"
        title += f" at {', '.join(places)}"
        how = f"{quoted('UNIT')} supply=in|low|out, as its owner states"
        unseen = (Ask(kind="fact", name="sources", rule="14.2", title=title, how=how),)
    traced_whole = ground.network is None and not unseen  # then no stated supply state has to be believed
    believed: Mapping[str, str] = {}
    if not traced_whole:
        believed = stated_states(view) if stated is None else stated

    def find_states(known: SideStates | None, divergence: Divergence) -> SideStates:
        held = all(track == "control" and hex != PILLAU for track, hex in divergence.facts)
        if (
            known is not None
            and held
            and not divergence.units
            and known.side.lines.board.railway is ground.certain.railway
        ):
            return known.with_side(known.side.seen_from(view, ground))
        settled = settle_side(read_inputs(view, ground, asked, stated=believed, unseen=unseen))
        return SideStates(settled, causes=causes, as_it_stands=as_it_stands, ways_out=known.ways_out if known else None)

    if ground.network or unseen or (asked and asked.line):
        return find_states(None, NOTHING)
    return view.memo(_STATES, (side, asked, causes, as_it_stands), find_states)


class SideStates:
    """The supply of each unit of a side, found when it is asked for.

    `ways_out`: ways out over a board, the last found first, shared with positions that differ little.
    """

    def __init__(
        self,
        side: SupplySide,
        *,
        causes: bool,
        as_it_stands: bool,
        ways_out: dict[str, list[tuple[str, ...]]] | None = None,
    ) -> None:
        self.side = side
        self.tells_causes = causes
        self.as_it_stands = as_it_stands
        self.ways_out = {} if ways_out is None else ways_out
        self._plans: dict[bool, ServicePlan] = {}
        self._causes: dict[str, Cause | None] = {}
        self._rows: dict[str, UnitSupply] = {}
        self._isolated: dict[str, bool | None] = {}
        self.if_isolated: dict[str, tuple[Ask, ...]] = {}  # facts that decide whether a unit is Isolated

    @property
    def stands(self) -> ServicePlan:
        """The source of each unit with supply units in their present modes."""
        return self._plan(as_it_stands=True)

    @property
    def best(self) -> ServicePlan:
        """The source of each unit with supply units in the best modes."""
        return self._plan(as_it_stands=self.as_it_stands)

    def _plan(self, *, as_it_stands: bool) -> ServicePlan:
        if as_it_stands not in self._plans:
            self._plans[as_it_stands] = plan_service(self.side, as_it_stands=as_it_stands)
        return self._plans[as_it_stands]

    @cached_property
    def causes(self) -> Causes:
        """The causes for units that are not In Supply."""
        return Causes(self.side, self.best)

    def with_side(self, side: SupplySide) -> SideStates:
        """Return the states of the side in a view that differs only in which units are Isolated."""
        ways_out = self.ways_out
        other = SideStates(side, causes=self.tells_causes, as_it_stands=self.as_it_stands, ways_out=ways_out)
        other._plans, other._causes = self._plans, self._causes
        supplied = {"in", "low"}
        for name, row in self._rows.items():
            if supplied.issuperset((row.could.state, row.stands.state)):
                other._rows[name] = row
        return other

    def answer(self, units: Collection[str] = ()) -> SideAnswer:
        """Return the supply of the named units of the side, or of all if none are named."""
        inputs = self.side.inputs
        on_map = {*inputs.clients, *inputs.missing}
        wanted = [unit for unit in inputs.around.units if unit.id in on_map and (not units or unit.id in units)]
        listed = sort_units([self.supply_of(unit) for unit in wanted])
        missing = (ask for unit in wanted for ask in (*self.asks_of(unit.id), *self.if_isolated.get(unit.id, ())))
        asks = {ask.name: ask for ask in missing}
        supply = SideSupply(
            side=inputs.side,
            stands=count_states([row.stands for row in listed]),
            could=count_units(listed),
            extended=tuple(name for name, mode in self.best.modes.items() if mode == EXTENDED),
            exact=self.best.exact,
            units=listed,
        )
        cautions = list(list_surplus(inputs))
        if inputs.ground.network:
            _note_granted(self.side, self.best, wanted)
            modes = open_modes(self.side, self.best)
            if modes:
                cautions.append(f"whether {', '.join(modes)} should be extended may depend on what is undecided")
        return SideAnswer(self, supply, tuple(asks.values()), cautions, tuple(list_flips(self.side, self.best)))

    def supply_of(self, unit: Unit) -> UnitSupply:
        """Return a unit's supply, its cause and whether it is Isolated."""
        if unit.id not in self._rows:
            self._rows[unit.id] = self._find_supply(unit)
        return self._rows[unit.id]

    def _find_supply(self, unit: Unit) -> UnitSupply:
        inputs = self.side.inputs
        client = inputs.clients.get(unit.id)
        asks = self.asks_of(unit.id)
        marked = inputs.view.word("supply", unit.id)
        place = str(unit.place)
        undecided = PlannedSupply(state=None)
        row = UnitSupply(unit=unit.id, place=place, marked=marked, stands=undecided, could=undecided, alone=None)
        if client is None or asks:
            missing = tuple(dict.fromkeys(ask.how for ask in asks))
            return replace(row, cause=self._find_cause_among_typed(client) if client else None, missing=missing)
        formation = inputs.clients.get(client.through)
        if formation:
            row = replace(self.supply_of(formation.unit), unit=unit.id, place=place, marked=marked, idle="")
            return share_supply(row, client.through, client.cap, tells_causes=self.tells_causes)
        alone = self.side.best_offer_to(unit.id)
        could = self.supply_in_plan(client, self.best)
        as_now = self.stands.serves.get(unit.id) == self.best.serves.get(unit.id)
        has_cause = self.tells_causes and could.state != "in" and unit.id not in self.side.believed
        return replace(
            row,
            stands=could if as_now else self.supply_in_plan(client, self.stands),
            could=could,
            alone=WORDS[alone.gives if alone else 0],
            isolated=self.is_isolated(client) if could.state == "out" else None,
            cause=self.find_cause(client) if has_cause else None,
            idle=inputs.why_idle(unit.id),
        )

    def asks_of(self, name: str) -> tuple[Ask, ...]:
        """Return the facts missing to decide the supply of a unit, or of the unit that it goes with.

        None are missing if the unit is In Supply without them, or if only a train or a depot of decided supply lacks
        them.
        """
        clients = self.side.inputs.clients
        client = clients.get(name)
        drawing = clients.get(client.through, client) if client else None
        served = self.best.serves.get(drawing.unit.id if drawing else name)
        if served and served.gives == (drawing.most if drawing else FULL):
            return ()
        return (*self.side.list_doubts(name), *(self.side.list_doubts(client.through) if client else ()))

    def supply_in_plan(self, client: Client, plan: ServicePlan) -> PlannedSupply:
        """Return the supply that a plan gives a unit."""
        offer = plan.serves.get(client.unit.id)
        if offer is None:
            return PlannedSupply(state="out", source=STATED_SOURCE if client.unit.id in self.side.believed else "")
        if client.always or offer.source in (LOC, STATED_SOURCE):
            source = client.always or ("its LOC" if offer.source == LOC else STATED_SOURCE)
            return PlannedSupply(state=WORDS[offer.gives], source=source)
        return self.supply_along(client, offer)

    def supply_along(self, client: Client, offer: Offer) -> PlannedSupply:
        """Return the supply of a unit along the line of an offer."""
        source, line = self.side.lines.line_of_offer(client, offer)
        return PlannedSupply(
            state=WORDS[offer.gives],
            source=source.name,
            extended=offer.mode == EXTENDED,
            cost=line.cost,
            start=line.start,
            line=line.steps,
        )

    def is_isolated(self, client: Client) -> bool | None:
        """Return whether a unit that is Out of Supply is Isolated, or None if that is not stated."""
        name = client.unit.id
        if name not in self._isolated:
            try:
                self._isolated[name] = not self._leads_out(client.unit)
            except MissingFacts as missing:
                self.if_isolated[name] = missing.asks
                self._isolated[name] = None
        return self._isolated[name]

    def _leads_out(self, unit: Unit) -> bool:
        """Return whether a unit has a way out: one found in another position, or a new one."""
        inputs, board = self.side.inputs, self.side.lines.board
        now = WaysOut(inputs.around, board.lines, board.linked, frozenset({inputs.side}))
        ways = self.ways_out.setdefault(unit.id, [])
        for way in ways:
            if way[0] == unit.place and now.still_lead(way):
                return True
        found = find_way_out(inputs.view, unit, inputs.ground)
        if found and not inputs.ground.network:
            ways.insert(0, found)
        return found is not None

    def find_cause(self, client: Client) -> Cause | None:
        """Return why a unit is not In Supply, or None if it is."""
        if client.unit.id not in self._causes:
            self._causes[client.unit.id] = self.causes.find_cause(client)
        return self._causes[client.unit.id]

    def _find_cause_among_typed(self, client: Client) -> Cause | None:
        """Return why the sources stated so far do not supply a unit, while unstated ones may exist.

        Returns None if no stated source is near, or if unstated facts may let the unit draw on one. Also returns None
        on a drawn board, or if causes are not wanted.
        """
        inputs = self.side.inputs
        client = inputs.clients.get(client.through, client)
        if not (self.tells_causes and inputs.ground.network) or self.side.possible.offered[client.unit.id].offers:
            return None
        cause = self.find_cause(client)
        return cause if cause and cause.source else None


def share_supply(row: UnitSupply, formation: str, cap: Cap | None, *, tells_causes: bool) -> UnitSupply:
    """Return the supply of an Asset Unit: its formation's, or Low Supply at best under a cap (6.4.1).

    `row`: the supply of the formation.
    `tells_causes`: whether to say why the unit has no more.
    """
    row = replace(row, through=formation)
    if cap is None or row.could.state != "in":
        return row
    current = replace(row.stands, state="low") if row.stands.state == "in" else row.stands
    cause = cause_of_cap(row.unit, cap) if tells_causes else None
    return replace(row, stands=current, could=replace(row.could, state="low"), alone="low", cause=cause)


def list_surplus(inputs: SupplyInputs) -> Iterator[str]:
    """Yield a sentence for each source with more units named than it serves (14.3.1, 14.7)."""
    for group, names in inputs.named.items():
        source = group.removeprefix(GUESTS)
        counts = not inputs.clients.keys().isdisjoint(names) if group == BUKOWINA else source in inputs.sources
        if counts and len(names) > capacity_of(group):
            source = "the Bukowina" if group == BUKOWINA else source
            yield f"{', '.join(names)} are named to draw on {source}, but no more than {NUMBERS[capacity_of(group)]} may"


def list_flips(side: SupplySide, plan: ServicePlan) -> Iterator[Change]:
    """Yield the supply units that a plan flips to their extended side or back, as at the start of a Supply Phase.

    Rule: 14.2b
    """
    view = side.inputs.view
    for name in side.inputs.sources:
        extended = plan.modes.get(name) == EXTENDED
        if view.flag("extended", name) != extended:
            yield changed(view, "extended", name, extended or None, "14.2")


def _note_granted(side: SupplySide, plan: ServicePlan, units: Sequence[Unit]) -> None:
    """Note the assumptions about the typed lines of units, each once."""
    hexes = set[str]()
    for unit in units:
        client = side.inputs.clients.get(unit.id)
        offer = plan.serves.get(unit.id)
        if client and offer and not side.list_doubts(unit.id):
            say_granted(side, client, offer)
            hexes.update(side.lines.line_of_offer(client, offer)[1].hexes)
    assume_zones(side.inputs.around, sorted(hexes))


# --- why a unit is not In Supply --------------------------------------------------------------------------------------


class Want(NamedTuple):
    """The supply that a unit lacks."""

    client: Client
    gives: int
    """The wanted supply, `FULL` or `LOW`."""
    opened: frozenset[str] = NO_HEXES
    """Hexes that are assumed to be open."""

    @property
    def place(self) -> str:
        """The hex of the unit."""
        return str(self.client.unit.place)


class Causes:
    """The causes of one side's supply.

    `plan`: the source of each unit.
    """

    def __init__(self, side: SupplySide, plan: ServicePlan) -> None:
        self.side = side
        self.inputs = side.inputs
        self.plan = plan
        self.possible = side.possible  # on a typed network, unstated facts bar nothing
        self.board = self.possible.board
        self.serves = side.may_serve if self.inputs.ground.network else side.serves
        self._unfed: dict[tuple[str, frozenset[str]], tuple[Hindrance, ...]] = {}

    def find_cause(self, client: Client) -> Cause | None:
        """Return why a unit has no better supply, or None if it is In Supply."""
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
        """Return the hindrance for a unit that no single nameable change would supply."""
        if self.inputs.view.word("terrain", place) == "high-mountain":
            text = f"{place} is a High Mountain hex, which no line enters (14.1.1)"
            return Hindrance(kind="terrain", where=place, text=text)
        return Hindrance(kind="attachment", where="", text="no line could reach it from a source that it may draw on")

    def _drop_needless(self, facts: Gather, want: Want, cause: Cause) -> Cause:
        """Return a cause without hindrances that may stay.

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
        by_rail = [SupplyUnit(client.unit, RAILWAY)] if client.arm in (*COMBAT_ARMS, "artillery") else []
        near = list(self._list_nearest(want, [(railway, ()) for railway in by_rail]))
        if near and len(near[0].hindrances) <= 1 and not opened:
            yield near[0]
            return
        others = () if client.missing else self.inputs.sources.values()
        bars = [(other, self.inputs.find_bar(client, other)) for other in others if other.unit.id != client.unit.id]
        barred = [(other, bar) for other, bar in bars if isinstance(bar, SourceBar)]
        allowed = [other for other, bar in bars if not isinstance(bar, SourceBar)]
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

        `barred`: the sources, each with its bar from the unit.
        """
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
                yield _make_cause(name, want.gives, cost, Hindrance(kind="attachment", where=name, text=text))

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
        """Return the lines to a unit from the RR line, or else from sources, each within its own limit."""
        wanted: dict[str, int] = {}
        name: Hashable
        if any(source.kind == RR_LINE for source, _ in sources):  # the RR line is never searched with other sources
            wanted = dict.fromkeys(self.board.railway.cost, limit)
            name = self.board.linked
        else:
            for source, far in sources:
                wanted[source.place] = max(far, wanted.get(source.place, 0))
            name = frozenset(wanted.items())
        if not want.opened:
            return self.board.lines.lifted(self._steps_back, want.place, wanted, name, limit, most)
        back = self._steps_back.instead(self._steps_back.crossings, self._steps_back.closed - want.opened)
        return lifted_field(back, [want.place], limit=limit, wanted=wanted, max_obstacles=most)

    def _max_cost(self, hexes: int) -> int:
        """Return the greatest cost within a range, in quarters of a hex."""
        return (
            at_most(hexes)
            if self.inputs.view.state.rulings.get("supply-rounding") == "half-up"
            else hexes * QUARTERS_PER_HEX
        )

    def _list_too_far(self, facts: Gather, want: Want, sources: Sequence[SupplyUnit]) -> Iterator[Cause]:
        """Yield the causes for sources whose open line to a unit is too long."""
        for other in sources:
            limit = reach_for(other.source, SUFFICIENT_STATES[want.gives])
            if limit is None or self._list_at_source(facts, other):
                continue
            lines = self.possible.spread(other.source)
            cost = lines.cost(want.place, at_most(longest_range(other.source) + MAX_HEXES_TOO_FAR))
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
        lines = self.board.lines
        return lines.lifting("in order", lambda kind: lines.price_back(_repair_step(kind)))

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
        name = other.source.name
        key = name, opened
        if key not in self._unfed:
            self._unfed[key] = ()  # ends a recursion: a source cannot depend on itself
            why_not = other.why_not
            cause = None
            if not (why_not or self.serves(name)) and name in self.inputs.clients:
                why_not = "itself Out of Supply"
                want = Want(self.inputs.clients[name], FULL, opened)
                cause = min(self._list_candidates(facts, want), key=_size_key, default=None)
            if cause:
                self._unfed[key] = cause.hindrances
            elif why_not:
                self._unfed[key] = (Hindrance(kind="unsupplied", where=name, text=f"{name} is {why_not}"),)
        return self._unfed[key]

    def _list_on_link(self, want: Want) -> Iterator[Hindrance]:
        """Yield the hindrances to a depot's LOC, or to the RR link of a Corps Train (14.2.1, 14.2.1a, 14.2.2)."""
        view, place = self.inputs.view, want.place
        is_depot = want.client.arm in DEPOTS
        if is_depot and known_station(view, place) is False:
            yield Hindrance(kind="station", where=place, text=f"no RR Station in {place} (14.2.1)")
        on_rails = any(rails_from(view, place, view.board.neighbours(place)))
        if (is_depot and place not in self.board.loc.cost) or (on_rails and not is_depot):
            closed = self.board.lines.closed if is_depot else self.inputs.around.enemies
            yield from self._list_on_railway(place, closed - want.opened)

    def _list_on_railway(self, place: str, closed: Collection[str]) -> Iterator[Hindrance]:
        """Yield the breaks of the RR line between a hex and a friendly map edge.

        `closed`: hexes that nothing passes.
        """
        wanted = dict.fromkeys(self._edge_hexes, 0)
        field = lifted_field(self._lift_railways(closed), [place], wanted=wanted)
        edge = _find_nearest(field, self._edge_hexes)
        line = field.to(edge) if edge else None
        if line is None:
            text = f"no RR line that could be restored links {place} to a map edge (14.2.1)"
            yield Hindrance(kind="loc", where=place, text=text)
        else:
            yield from self._list_on_line(line)


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
