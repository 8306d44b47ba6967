"""The supply states of a side's units (14.2b, 14.4), with the present and with the best modes of supply units."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import MissingFacts, View
from assistant.asking.asks import Ask
from assistant.asking.view import changed
from assistant.rules.field import side_of
from assistant.rules.field.allocation import FULL, Offer, ServicePlan
from assistant.state.changes import Change
from assistant.state.differences import NOTHING, Divergence
from assistant.state.state import Unit
from assistant.util.errors import quoted
from assistant.util.memo import Memo

from ...forces.unit import Cap
from ...ground.hexsides import assume_zones
from ...terms import SUPPLY_ARMS
from ..clients import GUESTS, AskedAlone, Client, SupplyInputs, capacity_of, read_inputs
from ..ground import PILLAU, at_most, supply_ground
from ..isolation import WaysOut, find_way_out
from ..report import (
    Cause,
    PlannedSupply,
    SideSupply,
    UnitSupply,
    cause_of_cap,
    count_states,
    count_units,
    sort_units,
)
from ..rules import RR_LINE, longest_range
from ..sources import BUKOWINA
from .causes import Causes, FoundCause, KnownCauses, may_reuse_causes
from .certainty import SupplySide, open_modes, plan_service, say_granted, settle_side, stated_states
from .offers import EXTENDED, LOC, RAILWAY, STATED_SOURCE, WORDS, KnownLines, may_compare

NUMBERS = {2: "two", 3: "three"}

# --- the states of a side ---------------------------------------------------------------------------------------------


class SideAnswer(msgspec.Struct, frozen=True):
    """The supply of a side's units, with the questions to ask and the changes by the best modes."""

    states: SideStates
    """The states of all its units."""
    supply: SideSupply
    asks: tuple[Ask, ...]
    cautions: Collection[str]
    """Cautions about open points of the answer."""
    changes: tuple[Change, ...]


_STATES: Memo[tuple[str, AskedAlone | None, bool, bool], SideStates] = Memo()
"""The states of a side, by the parameters of `side_states`."""


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
        before = known.remember() if known is not None and held else None
        if before and not divergence.units and before.side.lines.board.railway is ground.certain.railway:
            settled = before.side.seen_from(view, ground)  # only Isolated units may differ
        else:
            inputs = read_inputs(view, ground, asked, stated=believed, unseen=unseen)
            settled = settle_side(inputs, before.side if before else None, divergence.hexes)
        ways_out = known.ways_out if known else None
        return SideStates(settled, causes=causes, as_it_stands=as_it_stands, ways_out=ways_out, known=before)

    if ground.network or unseen or (asked and asked.line):
        return find_states(None, NOTHING)
    return view.memo(_STATES, (side, asked, causes, as_it_stands), find_states)


class KnownStates(NamedTuple):
    """The states found so far in another view of a drawn board.

    Only places of units and the control of hexes may differ between the views.
    """

    side: SupplySide
    plans: Mapping[bool, ServicePlan]
    """The plans with the present modes (True) and with the best ones."""
    causes: Mapping[str, FoundCause]
    rows: Mapping[str, UnitSupply]


class SideStates:
    """The supply of each unit of a side, found on demand.

    `ways_out`: ways out over a board, the last found first, shared by positions that differ little.
    `known`: the states found in another view, or None.
    """

    def __init__(
        self,
        side: SupplySide,
        *,
        causes: bool,
        as_it_stands: bool,
        ways_out: dict[str, list[tuple[str, ...]]] | None = None,
        known: KnownStates | None = None,
    ) -> None:
        self.side = side
        self.tells_causes = causes
        self.as_it_stands = as_it_stands
        self.ways_out = {} if ways_out is None else ways_out
        self._known = known
        self._plans: dict[bool, ServicePlan] = {}
        self._causes: dict[str, FoundCause] = {}
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
            known = self._known.plans.get(as_it_stands) if self._known and self._offers_are_same else None
            self._plans[as_it_stands] = known or plan_service(self.side, as_it_stands=as_it_stands)
        return self._plans[as_it_stands]

    @cached_property
    def _offers_are_same(self) -> bool:
        """Whether all units have the same offers as in the other view, so that the plans are the same."""
        if not self._known:
            return False
        ours, theirs = self.side.lines.offered, self._known.side.lines.offered
        if [*ours] != [*theirs] or any(ours[name].offers != theirs[name].offers for name in ours):
            return False
        here, there = self.side.inputs, self._known.side.inputs
        return (here.fed, here.settled) == (there.fed, there.settled)

    @cached_property
    def _lines(self) -> KnownLines | None:
        """The lines of the other view, or None if they cannot be compared."""
        known = self._known.side if self._known else None
        return (
            KnownLines(self.side.lines, known.lines) if known and may_compare(self.side.inputs, known.inputs) else None
        )

    @cached_property
    def causes(self) -> Causes:
        """The causes for units that are not In Supply."""
        known = None
        if self._known and self._lines and may_reuse_causes(self.side, self._known.side):
            known = KnownCauses.of(self.side, self._known.side, self._known.causes, self._lines)
        return Causes(self.side, self.best, self._causes, known)

    def remember(self) -> KnownStates:
        """Return the states found so far, for the view of another position."""
        return KnownStates(self.side, {**self._plans}, {**self._causes}, {**self._rows})

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
            self._rows[unit.id] = self._recall_supply(unit) or self._find_supply(unit)
        return self._rows[unit.id]

    def _recall_supply(self, unit: Unit) -> UnitSupply | None:
        known, lines = self._known, self._lines
        row = known.rows.get(unit.id) if known else None
        client = self.side.inputs.clients.get(unit.id)
        if not known or not lines or not row or not client or row.missing or self.asks_of(unit.id):
            return None
        if client != known.side.inputs.clients.get(unit.id) or self.side.inputs.why_idle(unit.id) != row.idle:
            return None
        formation = self.side.inputs.clients.get(client.through)
        if formation:
            return row if self.supply_of(formation.unit) is known.rows.get(client.through) else None
        if self.side.best_offer_to(unit.id) != known.side.best_offer_to(unit.id):
            return None
        for plan, before, supply in (
            (self.best, known.plans.get(self.as_it_stands), row.could),
            (self.stands, known.plans.get(True), row.stands),
        ):
            offer = plan.serves.get(unit.id)
            if (
                not before
                or offer != before.serves.get(unit.id)
                or not self._runs_equally(lines, client, offer, supply)
            ):
                return None
        if row.could.state == "out" and self.is_isolated(client) != row.isolated:
            return None
        has_cause = self.tells_causes and row.could.state != "in"
        return row if not has_cause or self.find_cause(client) is row.cause else None

    def _runs_equally(self, lines: KnownLines, client: Client, offer: Offer | None, supply: PlannedSupply) -> bool:
        """Return whether the line of an offer is the same as in the other view.

        `supply`: the supply along the line there.
        """
        if offer is None or client.always or offer.source == LOC:
            return True
        if offer.source == RR_LINE:
            source = before = RAILWAY
            if client.arm in SUPPLY_ARMS:
                return True
        elif offer.source in self.side.inputs.sources:
            source, before = (each.inputs.sources[offer.source].source for each in (lines.here, lines.known))
        else:
            return False
        changed = lines.here.board.changed
        if source != before or supply.start in changed or any(entered.hex in changed for entered in supply.line):
            return False
        return lines.is_same(source, str(client.unit.place), at_most(longest_range(source)))

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

        The result is empty if the unit is In Supply without them, or if only a supply unit of decided supply lacks
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
        return self.causes.cause_of(client)

    def _find_cause_among_typed(self, client: Client) -> Cause | None:
        """Return why no source stated so far supplies a unit, although others may exist.

        Returns None on a drawn board, if causes are not wanted, if no stated source is near, or if unstated facts may
        let the unit use one.
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
    hexes = set[str]()
    for unit in units:
        client = side.inputs.clients.get(unit.id)
        offer = plan.serves.get(unit.id)
        if client and offer and not side.list_doubts(unit.id):
            say_granted(side, client, offer)
            hexes.update(side.lines.line_of_offer(client, offer)[1].hexes)
    assume_zones(side.inputs.around, sorted(hexes))
