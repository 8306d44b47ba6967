"""The states of the units of a side: who serves whom, as it stands and with the best modes, and why a unit has no more
(14.2b, 14.4).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec
from msgspec.structs import replace

from assistant.asking import View
from assistant.asking.asks import Ask
from assistant.asking.report import MissingFacts
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
from ..clients import GUESTS, AskedAlone, Client, SupplyInputs, capacity, read_inputs
from ..ground import PILLAU, supply_ground
from ..isolation import WaysOut, find_way_out
from ..report import Cause, PlannedSupply, SideSupply, UnitSupply, cause_of_cap, count_states, sort_units, totals
from ..sources import BUKOWINA
from .causes import Causes
from .certainty import SupplySide, open_modes, plan_service, say_granted, settle_side, stated_states
from .offers import EXTENDED, LOC, STATED, WORDS

WORD = {2: "two", 3: "three"}


class SideAnswer(msgspec.Struct, frozen=True):
    """The supply of a side, with what is to be asked and what the best modes change."""

    states: SideStates
    """Of all its units."""
    supply: SideSupply
    asks: tuple[Ask, ...]
    cautions: Collection[str]
    """What it leaves open, in words."""
    changes: tuple[Change, ...]


_STATES: Memo[tuple[str, AskedAlone | None, bool, bool], SideStates] = Memo()
"""By side, unit asked about alone, and whether with causes and as it stands, the states of its units."""


def side_states(
    view: View,
    side: str,
    asked: AskedAlone | None = None,
    *,
    stated: Mapping[str, str] | None = None,
    causes: bool = True,
    as_it_stands: bool = False,
) -> SideStates:
    """Return the states of the units of a side, over its board or over what is typed.

    asked: the unit that is asked about alone; stated: states believed where tracing is open, by default the position's;
    causes: whether to say why a unit has no more; as_it_stands: whether the position's modes are fixed. Raises
    MissingFacts for what must be known of the units on the map to tell who stands where.
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
    traced_whole = ground.network is None and not unseen  # so that nothing is left to be believed
    believed: Mapping[str, str] = {}
    if not traced_whole:
        believed = stated_states(view) if stated is None else stated

    def made(known: SideStates | None, apart: Divergence) -> SideStates:
        """Return the states of the side. Who controls a hex tells of Isolation alone, unless it moves an RR line or
        opens Pillau: all else is then taken over.
        """
        held = all(track == "control" and hex != PILLAU for track, hex in apart.facts)
        if known is not None and held and not apart.units and known.side.lines.board.railway is ground.certain.railway:
            return known.instead(known.side.seen_from(view, ground))
        settled = settle_side(read_inputs(view, ground, asked, stated=believed, unseen=unseen))
        return SideStates(settled, causes=causes, as_it_stands=as_it_stands, ways_out=known.ways_out if known else None)

    if ground.network or unseen or (asked and asked.line):
        return made(None, NOTHING)
    return view.memo(_STATES, (side, asked, causes, as_it_stands), made)


def _note_granted(side: SupplySide, plan: ServicePlan, units: Sequence[Unit]) -> None:
    """Say what the typed lines of some units take for granted, each thing once."""
    hexes = set[str]()
    for unit in units:
        client = side.inputs.clients.get(unit.id)
        offer = plan.serves.get(unit.id)
        if client and offer and not side.doubts(unit.id):
            say_granted(side, client, offer)
            hexes.update(side.lines.line_of_offer(client, offer)[1].hexes)
    assume_zones(side.inputs.around, sorted(hexes))


def surplus(inputs: SupplyInputs) -> Iterator[str]:
    """Yield what more units are named for than it serves (14.3.1, 14.7)."""
    for group, names in inputs.named.items():
        source = group.removeprefix(GUESTS)
        counts = not inputs.clients.keys().isdisjoint(names) if group == BUKOWINA else source in inputs.sources
        if counts and len(names) > capacity(group):
            source = "the Bukowina" if group == BUKOWINA else source
            yield f"{', '.join(names)} are named to draw on {source}, but no more than {WORD[capacity(group)]} may"


def list_flips(side: SupplySide, plan: ServicePlan) -> Iterator[Change]:
    """Yield which supply units a plan flips to their extended side, and which back, as after the beginning of the
    Supply Phase. Rule: 14.2b
    """
    view = side.inputs.view
    for name in side.inputs.sources:
        extended = plan.modes.get(name) == EXTENDED
        if view.flag("extended", name) != extended:
            yield changed(view, "extended", name, extended or None, "14.2")


class SideStates:
    """The supply of each unit of a side, each found when it is asked for.

    ways_out: ways over a board that have kept units from being Isolated, the last found first; shared with those of
    positions that differ little, in which most still do.
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
        self.if_isolated: dict[str, tuple[Ask, ...]] = {}  # what tells whether units are Isolated

    @property
    def stands(self) -> ServicePlan:
        """Who serves whom with supply units in the modes that the position gives them."""
        return self._plan(as_it_stands=True)

    @property
    def best(self) -> ServicePlan:
        """Who serves whom with the best modes that may be chosen."""
        return self._plan(as_it_stands=self.as_it_stands)

    def _plan(self, *, as_it_stands: bool) -> ServicePlan:
        if as_it_stands not in self._plans:
            self._plans[as_it_stands] = plan_service(self.side, as_it_stands=as_it_stands)
        return self._plans[as_it_stands]

    @cached_property
    def causes(self) -> Causes:
        """Why units are not In Supply."""
        return Causes(self.side, self.best)

    def instead(self, side: SupplySide) -> SideStates:
        """Return the states of the side in a view where nothing differs but who is Isolated."""
        ways_out = self.ways_out
        other = SideStates(side, causes=self.tells_causes, as_it_stands=self.as_it_stands, ways_out=ways_out)
        other._plans, other._causes = self._plans, self._causes
        supplied = {"in", "low"}
        for name, row in self._rows.items():
            if supplied.issuperset((row.could.state, row.stands.state)):
                other._rows[name] = row
        return other

    def answer(self, units: Collection[str] = ()) -> SideAnswer:
        """Return the supply of units of the side, all if none are named."""
        inputs = self.side.inputs
        on_map = {*inputs.clients, *inputs.lacks}
        wanted = [unit for unit in inputs.around.units if unit.id in on_map and (not units or unit.id in units)]
        listed = sort_units([self.supply_of(unit) for unit in wanted])
        missing = (ask for unit in wanted for ask in (*self.asks_of(unit.id), *self.if_isolated.get(unit.id, ())))
        asks = {ask.name: ask for ask in missing}
        supply = SideSupply(
            side=inputs.side,
            stands=count_states([row.stands for row in listed]),
            could=totals(listed),
            extended=tuple(name for name, mode in self.best.modes.items() if mode == EXTENDED),
            exact=self.best.exact,
            units=listed,
        )
        cautions = list(surplus(inputs))
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
        """Return a unit's supply, found anew."""
        inputs = self.side.inputs
        client = inputs.clients.get(unit.id)
        asks = self.asks_of(unit.id)
        marked = inputs.view.word("supply", unit.id)
        place = str(unit.place)
        undecided = PlannedSupply(state=None)
        row = UnitSupply(unit=unit.id, place=place, marked=marked, stands=undecided, could=undecided, alone=None)
        if client is None or asks:
            missing = tuple(dict.fromkeys(ask.how for ask in asks))
            return replace(row, cause=self.cause_among_typed(client) if client else None, missing=missing)
        formation = inputs.clients.get(client.through)
        if formation:
            row = replace(self.supply_of(formation.unit), unit=unit.id, place=place, marked=marked, idle="")
            return share_supply(row, client.through, client.cap, tells_causes=self.tells_causes)
        alone = self.side.alone(unit.id)
        could = self.supply_in_plan(client, self.best)
        as_now = self.stands.serves.get(unit.id) == self.best.serves.get(unit.id)
        has_cause = self.tells_causes and could.state != "in" and unit.id not in self.side.believed
        return replace(
            row,
            stands=could if as_now else self.supply_in_plan(client, self.stands),
            could=could,
            alone=WORDS[alone.gives if alone else 0],
            isolated=self.isolated(client) if could.state == "out" else None,
            cause=self.cause(client) if has_cause else None,
            idle=inputs.idle(unit.id),
        )

    def asks_of(self, name: str) -> tuple[Ask, ...]:
        """Return what is missing to tell the supply of a unit: of itself or of the unit that it goes with; nothing if
        it is In Supply without it, nor if only a train or a depot lacks it, whose own supply is decided.
        """
        clients = self.side.inputs.clients
        client = clients.get(name)
        drawing = clients.get(client.through, client) if client else None
        served = self.best.serves.get(drawing.unit.id if drawing else name)
        if served and served.gives == (drawing.most if drawing else FULL):
            return ()
        return (*self.side.doubts(name), *(self.side.doubts(client.through) if client else ()))

    def supply_in_plan(self, client: Client, plan: ServicePlan) -> PlannedSupply:
        """Return the supply that a plan gives a unit."""
        offer = plan.serves.get(client.unit.id)
        if offer is None:
            return PlannedSupply(state="out", source=STATED if client.unit.id in self.side.believed else "")
        if client.always or offer.source in (LOC, STATED):
            source = client.always or ("its LOC" if offer.source == LOC else STATED)
            return PlannedSupply(state=WORDS[offer.gives], source=source)
        return self.along(client, offer)

    def along(self, client: Client, offer: Offer) -> PlannedSupply:
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

    def isolated(self, client: Client) -> bool | None:
        """Return whether a unit that is Out of Supply is Isolated, None where that is not stated."""
        name = client.unit.id
        if name not in self._isolated:
            try:
                self._isolated[name] = not self._leads_out(client.unit)
            except MissingFacts as missing:
                self.if_isolated[name] = missing.asks
                self._isolated[name] = None
        return self._isolated[name]

    def _leads_out(self, unit: Unit) -> bool:
        """Return whether a way keeps a unit from being Isolated: one that has done so in another position, or a new
        one, which is noted.
        """
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

    def cause(self, client: Client) -> Cause | None:
        """Return why a unit is not In Supply."""
        if client.unit.id not in self._causes:
            self._causes[client.unit.id] = self.causes.of(client)
        return self._causes[client.unit.id]

    def cause_among_typed(self, client: Client) -> Cause | None:
        """Return what keeps a unit from the sources that are typed, if it is undecided whether there are others; None
        where none of them is near, and where what is not stated may let it draw on them.
        """
        inputs = self.side.inputs
        client = inputs.clients.get(client.through, client)
        if not (self.tells_causes and inputs.ground.network) or self.side.possible.offered[client.unit.id].offers:
            return None
        cause = self.cause(client)
        return cause if cause and cause.source else None


def share_supply(row: UnitSupply, formation: str, cap: Cap | None, *, tells_causes: bool) -> UnitSupply:
    """Return the supply of an Asset Unit, given that of the formation with which it is stacked: the same, but in Low
    Supply at best under a cap (6.4.1).

    tells_causes: whether to say why it has no more.
    """
    row = replace(row, through=formation)
    if cap is None or row.could.state != "in":
        return row
    current = replace(row.stands, state="low") if row.stands.state == "in" else row.stands
    cause = cause_of_cap(row.unit, cap) if tells_causes else None
    return replace(row, stands=current, could=replace(row.could, state="low"), alone="low", cause=cause)
