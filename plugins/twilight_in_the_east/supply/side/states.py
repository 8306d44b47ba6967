"""The states of the units of a side, who serves whom, as it stands and with the best modes; and that of one unit, as of
a side of which it alone wants supply, so that supply units are in the modes that serve it best (14.2b, 14.4).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property

from msgspec.structs import asdict, replace

from assistant.field import Around, Line, Source, side_of
from assistant.field.serving import FULL, Offer, Plan
from assistant.questions import InputError, View
from assistant.questions.report import Ask, MissingFacts, Part, Report, Step, Verdict, ask_for_fact, step, verdict
from assistant.questions.view import changed
from assistant.questions.wording import fill
from assistant.state.changes import Change
from assistant.state.differences import NOTHING, Apart
from assistant.state.state import Unit
from assistant.util.errors import quoted

from ...forces.armies import formations_beside
from ...ground.hexsides import around_side, assume_zones
from ...terms import BOYEN_SERVES, DEPOTS, SUPPLY_ARMS
from ..ground import PILLAU, SupplyGround, line_part, supply_ground
from ..isolation import is_isolated
from ..report import (
    NO_MORE,
    STATES,
    Cause,
    PlannedSupply,
    SideSupply,
    SupplyResult,
    TriedSource,
    UnitSupply,
    cautions,
    count_states,
    in_order,
    isolation_part,
    report,
    sources_part,
    state_verdict,
    totals,
    tried_source,
)
from ..rules import RR_LINE, near_and_far
from ..sources import (
    BUKOWINA,
    BUKOWINA_REACH,
    Bar,
    Client,
    SupplyUnit,
    TypedLine,
    always_supplied,
    bukowina_sources,
    kin_of,
    look,
    no_loc,
    only_line,
    presume_guest,
    presume_named,
    railway,
    supplied_with,
    typed_line,
)
from .causes import Causes
from .doubts import SupplyDoubts
from .offers import (
    EXTENDED,
    FEW,
    GUESTS,
    LOC,
    RAILWAY,
    RANK,
    STATED,
    WORDS,
    AskedAlone,
    SupplySide,
    capacity,
    preference,
    stated_states,
)

RESTS = "what supply rests on"
"""The name under which a view keeps what makes each `SupplyDoubts` of a report, which few reports need."""

WORD = {2: "two", 3: "three"}


class SideAnswer:
    """The supply of a side, with what is to be asked and what the best modes change.

    states: of all its units; cautions: what it leaves open, in words.
    """

    def __init__(
        self, states: SideStates, supply: SideSupply, asks: tuple[Ask, ...], cautions: Collection[str] = ()
    ) -> None:
        self.states, self.supply, self.asks, self.cautions = states, supply, asks, cautions
        self.changes = tuple(states.changes())

    @cached_property
    def doubts(self) -> SupplyDoubts | None:
        """On which facts of a drawn map its supply rests, None without one."""
        side = self.states.side
        return None if side.ground.network else SupplyDoubts(side, self.states.best, self.supply.units)

    def doubts_in_words(self) -> tuple[str, ...]:
        """How many units rest on how many drawn facts, in words."""
        if self.doubts is None or not (units := [row.unit for row in self.supply.units if self.doubts.count(row.unit)]):
            return ()
        in_doubt = self.doubts.in_doubt()
        figures = {"units": len(units), "facts": len({**in_doubt.worst, **in_doubt.best}), "side": self.supply.side}
        text = "the state of {units:#unit} rests on {facts:#drawn fact}, which `ask supply side={side}` asks for"
        return (fill(text, figures),)

    def with_counts(self) -> SideSupply:
        """Its supply, with the number of facts in doubt on which each unit's rests."""
        if (drawn := self.doubts) is None:
            return self.supply
        units = (replace(row, drawn=count) if (count := drawn.count(row.unit)) else row for row in self.supply.units)
        return replace(self.supply, units=tuple(units))


def side_supply(
    view: View,
    side: str,
    units: Collection[str] = (),
    stated: Mapping[str, str] | None = None,
    *,
    causes: bool = True,
    as_it_stands: bool = False,
) -> SideAnswer:
    """The supply of a side, over its board or over what is typed. units: those that are asked about, all if there are
    none; stated: by unit the state that is believed where tracing what is typed leaves it open, that which the position
    gives it if left out; causes: whether to say why a unit has no more; as_it_stands: whether the modes that the
    position gives are settled, so that there are no better ones.

    Raises MissingFacts for what must be known of the units on the map to tell who stands where.
    """
    states = side_states(view, side, stated=stated, causes=causes, as_it_stands=as_it_stands)
    settled = states.side
    on_map = {*settled.clients, *settled.doubts}
    wanted = [unit for unit in settled.around.units if unit.id in on_map and (not units or unit.id in units)]
    rows = [states.supply_of(unit) for unit in wanted]
    listed = in_order(rows)
    asks = {
        ask.name: ask for unit in wanted for ask in (*states.asks_of(unit.id), *states.if_isolated.get(unit.id, ()))
    }
    supply = SideSupply(
        side=side,
        stands=count_states([row.stands for row in listed]),
        could=totals(listed),
        extended=tuple(name for name, mode in states.best.modes.items() if mode == EXTENDED),
        exact=states.best.exact,
        units=listed,
    )
    cautions = list(surplus(settled))
    if settled.ground.network:
        say_granted(settled, states.best, wanted)
        if modes := settled.open_modes(states.best):
            cautions.append(f"whether {', '.join(modes)} should be extended may depend on what is undecided")
    return SideAnswer(states, supply, tuple(asks.values()), cautions)


def side_states(
    view: View,
    side: str,
    asked: AskedAlone | None = None,
    *,
    stated: Mapping[str, str] | None = None,
    causes: bool = True,
    as_it_stands: bool = False,
) -> SideStates:
    """The states of the units of a side. asked: the unit that is asked about alone; the others are those of
    `side_supply`.

    Raises MissingFacts for what must be known of the units on the map to tell who stands where.
    """
    ground = supply_ground(view, side)
    with view.gather() as facts:
        places = [str(hidden.place) for hidden in view.unseen.values() if side_of(facts, hidden) == side]
    unseen = (ask_for_unseen(view.game.file.title_of(side), places),) if places else ()
    traced_whole = ground.network is None and not unseen  # so that nothing is left to be believed
    believed = {} if traced_whole else stated_states(view) if stated is None else stated

    def made(known: SideStates | None, apart: Apart) -> SideStates:
        """Who controls a hex tells of Isolation alone, unless it moves an RR line or opens Pillau: all else is then
        taken over.
        """
        held = all(track == "control" and hex != PILLAU for track, hex in apart.facts)
        if known is not None and held and not apart.units and known.side.board.railway is ground.certain.railway:
            return known.seen_from(view, ground)
        settled = SupplySide(view, ground, asked, stated=believed, unseen=unseen)
        return SideStates(settled, causes=causes, as_it_stands=as_it_stands)

    if ground.network or unseen or (asked and asked.line):
        return made(None, NOTHING)
    return view.kept(("states", side, asked, causes, as_it_stands), made)


def say_granted(side: SupplySide, plan: Plan, units: Sequence[Unit]) -> None:
    """Say what the typed lines of some units take for granted, each thing once."""
    hexes = set[str]()
    for unit in units:
        client, offer = side.clients.get(unit.id), plan.serves.get(unit.id)
        if client and offer and unit.id not in side.doubts:
            side.say_granted(client, offer)
            hexes.update(side.line_of_offer(client, offer)[1].hexes)
    assume_zones(side.around, sorted(hexes))


def surplus(side: SupplySide) -> Iterator[str]:
    """What more units are named for than it serves (14.3.1, 14.7)."""
    for group, names in side.named.items():
        source = group.removeprefix(GUESTS)
        counts = not side.clients.keys().isdisjoint(names) if group == BUKOWINA else source in side.sources
        if counts and len(names) > capacity(group):
            source = "the Bukowina" if group == BUKOWINA else source
            yield f"{', '.join(names)} are named to draw on {source}, but no more than {WORD[capacity(group)]} may"


def ask_for_unseen(side: str, places: Sequence[str]) -> Ask:
    """What to ask for where supply units may stand unseen. side: what theirs is called."""
    title = f"Trains and Depots of the {side} side that may stand unseen at {', '.join(places)}"
    return Ask(
        kind="fact",
        name="sources",
        rule="14.2",
        title=title,
        how=f"{quoted('UNIT')} supply=in|low|out, as its owner states",
    )


class SideStates:
    """The supply of each unit of a side."""

    def __init__(self, side: SupplySide, *, causes: bool, as_it_stands: bool) -> None:
        self.side, self.tells_causes, self.as_it_stands = side, causes, as_it_stands
        self._causes: dict[str, Cause | None] = {}
        self._supplies: dict[str, UnitSupply] = {}
        self._isolated: dict[str, bool | None] = {}
        self.if_isolated: dict[str, tuple[Ask, ...]] = {}  # what tells whether units are Isolated

    @cached_property
    def stands(self) -> Plan:
        """Who serves whom with supply units in the modes that the position gives them."""
        return self.side.plan(as_it_stands=True)

    @cached_property
    def best(self) -> Plan:
        """Who serves whom with the best modes that may be chosen."""
        return self.stands if self.as_it_stands else self.side.plan(as_it_stands=False)

    @cached_property
    def causes(self) -> Causes:
        """Why units are not In Supply."""
        return Causes(self.side, self.best)

    def seen_from(self, view: View, ground: SupplyGround) -> SideStates:
        """The states of the side in a view where nothing differs but who is Isolated."""
        other = copy(self)
        other.side = self.side.seen_from(view, ground)
        other.__dict__.pop("causes", None)
        other._isolated, other.if_isolated = {}, {}
        supplied = ("in", "low")
        known = self._supplies.items()
        other._supplies = {
            name: row for name, row in known if row.could.state in supplied and row.stands.state in supplied
        }
        return other

    def supply_of(self, unit: Unit) -> UnitSupply:
        """A unit's supply, its cause and whether it is Isolated."""
        if unit.id not in self._supplies:
            self._supplies[unit.id] = self._find_supply(unit)
        return self._supplies[unit.id]

    def _find_supply(self, unit: Unit) -> UnitSupply:
        client, asks = self.side.clients.get(unit.id), self.asks_of(unit.id)
        marked = self.side.view.word("supply", unit.id)
        place, undecided = str(unit.place), PlannedSupply(state=None)
        row = UnitSupply(unit=unit.id, place=place, marked=marked, stands=undecided, could=undecided, alone=None)
        if client is None or asks:
            missing = tuple(dict.fromkeys(ask.how for ask in asks))
            return replace(row, cause=self.cause_among_typed(client) if client else None, missing=missing)
        if formation := self.side.clients.get(client.through):
            of_formation = self.supply_of(formation.unit)
            return replace(of_formation, unit=unit.id, place=place, marked=marked, through=client.through, idle="")
        alone = self.side.alone(unit.id)
        stands, could = self.supply_in_plan(client, best=False), self.supply_in_plan(client, best=True)
        has_cause = self.tells_causes and could.state != "in" and unit.id not in self.side.believed
        return replace(
            row,
            stands=stands,
            could=could,
            alone=WORDS[alone.gives if alone else 0],
            isolated=self.isolated(client) if could.state == "out" else None,
            cause=self.cause(client) if has_cause else None,
            idle=self.side.sources[unit.id].why_not if unit.id in self.side.fed else "",
        )

    def asks_of(self, name: str) -> tuple[Ask, ...]:
        """What is missing to tell the supply of a unit: of itself or of the unit that it goes with; nothing if it is In
        Supply without it, nor if only a train or a depot lacks it, whose own supply is decided.
        """
        client = self.side.clients.get(name)
        served = self.best.serves.get((client.through or name) if client else name)
        if served and served.gives == (client.most if client else FULL):
            return ()
        own = self.side.doubts.get(name, ())
        through = self.side.doubts.get(client.through, ()) if client else ()
        return (*own, *through)

    def supply_in_plan(self, client: Client, *, best: bool) -> PlannedSupply:
        """The supply that a plan gives a unit."""
        offer = (self.best if best else self.stands).serves.get(client.unit.id)
        if offer is None:
            return PlannedSupply(state="out", source=STATED if client.unit.id in self.side.believed else "")
        if client.always or offer.source in (LOC, STATED):
            source = client.always or ("its LOC" if offer.source == LOC else STATED)
            return PlannedSupply(state=WORDS[offer.gives], source=source)
        return self.along(client, offer)

    def along(self, client: Client, offer: Offer) -> PlannedSupply:
        """The supply of a unit along the line of an offer."""
        source, line = self.side.line_of_offer(client, offer)
        state, extended = WORDS[offer.gives], offer.mode == EXTENDED
        return PlannedSupply(
            state=state, source=source.name, extended=extended, cost=line.cost, start=line.start, line=line.steps
        )

    def isolated(self, client: Client) -> bool | None:
        """Whether a unit that is Out of Supply is Isolated, None where that is not stated."""
        name = client.unit.id
        if name not in self._isolated:
            try:
                side = self.side
                self._isolated[name] = is_isolated(side.view, client.unit, side.ground)
            except MissingFacts as missing:
                self.if_isolated[name] = missing.asks
                self._isolated[name] = None
        return self._isolated[name]

    def cause(self, client: Client) -> Cause | None:
        """Why a unit is not In Supply."""
        if client.unit.id not in self._causes:
            self._causes[client.unit.id] = self.causes.of(client)
        return self._causes[client.unit.id]

    def cause_among_typed(self, client: Client) -> Cause | None:
        """What keeps a unit from the sources that are typed, if it is undecided whether there are others; None where
        none of them is near, and where what is not stated may let it draw on them.
        """
        client = self.side.clients.get(client.through, client)
        if not (self.tells_causes and self.side.ground.network) or self.side.possible.offers[client.unit.id]:
            return None
        cause = self.cause(client)
        return cause if cause and cause.source else None

    def changes(self) -> list[Change]:
        """Which supply units the best modes flip to their extended side, and which back, as after the beginning of the
        Supply Phase.
        Rule: 14.2b
        """
        view, changes = self.side.view, []
        for name in self.side.sources:
            extended = self.best.modes.get(name) == EXTENDED
            if view.flag("extended", name) != extended:
                changes.append(changed(view, "extended", name, extended or None, "14.2"))
        return changes


def keep_rests(view: View, rests: Sequence[Callable[[], SupplyDoubts | None]]) -> None:
    """Keep what tells on which drawn facts a report on supply rests."""
    view.kept(RESTS, lambda known, apart: rests)


def kept_rests(view: View) -> list[SupplyDoubts]:
    """On which drawn facts the report of a view rests; none where nothing was traced over a drawn board."""
    makers: Sequence[Callable[[], SupplyDoubts | None]] = view.kept(RESTS, lambda known, apart: ())
    return [rests for make in makers if (rests := make())]


def unit_supply(view: View, unit: Unit, line: str = "", *, briefly: bool = False) -> Report[SupplyResult]:
    """The report on the supply of one unit. line: the typed line on which alone it is judged; briefly: without causes
    and modes, which decide no state.

    Where one typed line ends at the unit and gives it full supply, that is the answer even if the line is not named.
    Raises MissingFacts for what must be known of it and is not stated, InputError for a unit that is not on the map
    and for a line that does not lead to it.
    """
    if unit.place is None:
        raise InputError(f"{unit.id} is not on the map")
    with view.gather() as facts:
        around = around_side(facts, side_of(facts, unit))
        served = supplied_with(facts, unit)
        beside = formations_beside(facts, unit) if served.id != unit.id else []
    report = _along_line(view, around, served, line, briefly=briefly)
    if report is None:
        alone = LoneUnit(view, around, served, briefly=briefly)
        report = replace(alone.report(), cautions=cautions(exact=True, more=alone.surplus()))
        keep_rests(view, [alone.rests])
    return report if served.id == unit.id else shared_by(view, unit, served, beside, report)


def supply_alone(view: View, unit: Unit) -> UnitSupply:
    """The supply of a unit that is asked about alone. Raises MissingFacts for what must be known of it and is not
    stated.
    """
    with view.gather() as facts:
        around = around_side(facts, side_of(facts, unit))
        served = supplied_with(facts, unit)
    return LoneUnit(view, around, served).states.supply_of(served)


def _along_line(view: View, around: Around, unit: Unit, line: str, *, briefly: bool) -> Report[SupplyResult] | None:
    """The report along a typed line, None where none is typed and where other lines are to be looked at: if none is
    named and it gives less than full supply, or if it gives nothing and its owner says that no line but those typed
    serves the unit better.
    """
    with view.gather() as facts:
        needs_none = facts.word("arm", unit.id) in SUPPLY_ARMS or bool(always_supplied(facts, unit))
    if needs_none and not line:
        return None  # what supplies a supply unit is what lies under it, be it typed as a line or not
    name = line or only_line(view, str(unit.place))
    typed = typed_line(view, unit, name) if name else None
    if typed is None:
        return None
    if needs_none:
        text = "{unit} is judged by all that is typed, not by the line {line} alone"
        view.presume(step("14.2", text, unit=unit.id, line=quoted(line)))
        return None
    try:
        along = LoneUnit(view, around, unit, typed, briefly=briefly)
    except MissingFacts:
        if line:
            raise
        return None  # with another line it may not matter
    other = view.fact("other-line", unit.id)
    is_last = other is not None and not other.value
    is_full = along.settled.state == "in" and not along.settled.asks
    if is_full or (line and not (is_last and not along.settled.offer)):
        return along.report()
    return None


def shared_by(
    view: View, unit: Unit, formation: Unit, beside: Sequence[str], formation_report: Report[SupplyResult]
) -> Report[SupplyResult]:
    """The report on a formation's supply as that of an Asset Unit which is attached to it. beside: the formations in
    its hex.
    """
    text = "{unit} shares the supply of {force}, with which it is stacked"
    others = [name for name in beside if name != formation.id]
    if others and not view.state.value("with", unit.id):
        text += "; its owner may attach it to {units} instead (with=UNIT)"
    shared = Part("Attachment", (step("6.4.1", text, unit=unit.id, force=formation.id, units=others),))
    result, said = formation_report.result, formation_report.verdict
    assert result is not None
    words = said.template.replace("{unit}", "{unit} (attached to {force})")
    shared_verdict = Verdict(said.kind, words, {**said.figures, "unit": unit.id, "force": formation.id})
    shared_result = replace(result, unit=unit.id, through=formation.id)
    shared_report = report(shared_result, shared_verdict, shared, *formation_report.parts, asks=formation_report.asks)
    return replace(shared_report, cautions=formation_report.cautions)


def cause_parts(cause: Cause | None) -> list[Part]:
    """A cause in words, nothing for none."""
    return [Part("Cause", (step("14.4", "{cause}", cause=cause.text),))] if cause else []


class LoneUnit:
    """One unit as a side of one. typed: the line on which alone it is judged.

    Raises MissingFacts for what must be known of the unit itself.
    """

    def __init__(
        self, view: View, around: Around, unit: Unit, typed: TypedLine | None = None, *, briefly: bool = False
    ) -> None:
        self.view, self.unit, self.typed, self.briefly = view, unit, typed, briefly
        kin = kin_of(view, around, unit) | ({typed.source} if typed and typed.source else frozenset())
        self.states = side_states(view, around.side, AskedAlone(unit.id, kin, typed), causes=not briefly)
        self.side, self.here = self.states.side, str(unit.place)
        if unit.id not in self.side.certain or (unit.id in self.side.lacks and self.side.certain[unit.id].asks):
            # of a unit that is neither in a hex nor in the Box nothing else is missing
            unknown = ask_for_fact(view.game.track("supply"), unit.id)
            raise MissingFacts(self.side.doubts.get(unit.id) or [unknown])
        self.client, self.settled = self.side.clients[unit.id], self.side.certain[unit.id]

    def report(self) -> Report[SupplyResult]:
        """The report on the unit."""
        client, offer = self.client, self.settled.offer
        if client.always:
            result = SupplyResult(unit=self.unit.id, place=self.here, state=WORDS[client.most], source=client.always)
            return report(result, state_verdict(result, "{unit} is {state}: {source}"), *self.cause(result))
        if self.settled.is_stated and (offer or self.side.unseen):
            result = replace(self.nothing(), state=self.settled.state)
            return report(result, state_verdict(result, "{unit} is {state} (as stated)"))
        if offer:
            self.grant(offer)
        if self.settled.asks:
            return self.report_undecided(offer)
        return self.report_served(offer) if offer else self.report_out()

    def grant(self, offer: Offer) -> None:
        """Say what its line takes for granted."""
        source, line = self.side.line_of_offer(self.client, offer)
        presume_named(self.view, self.unit.id, source)
        if offer.group and offer.source in self.side.sources:
            presume_guest(self.view, self.client.formation, self.side.sources[offer.source].unit)
        if self.side.ground.network or self.typed:
            self.side.say_granted(self.client, offer)
            assume_zones(self.side.around, [self.here, *line.hexes])

    def nothing(self) -> SupplyResult:
        """What it has from none of the sources that were tried."""
        return SupplyResult(unit=self.unit.id, place=self.here, state=None, tried=tuple(self.list_sources()))

    def result(self, offer: Offer) -> SupplyResult:
        """What an offer gives it."""
        given = asdict(self.states.along(self.client, offer))
        idle = self.side.sources[self.unit.id].why_not if self.unit.id in self.side.fed else ""
        return replace(self.nothing(), **given, idle=idle)

    # --- verdicts ---

    def report_served(self, offer: Offer) -> Report[SupplyResult]:
        """In Supply or in Low Supply along a line, which is the best there is."""
        _, line = self.side.line_of_offer(self.client, offer)
        result, modes = self.with_modes(self.result(offer), offer)
        if self.typed and result.state == "low":
            self.view.presume(step("14.4", NO_MORE, result))
        shown = [] if self.typed or self.side.ground.network else [sources_part(result.tried)]
        idle = (step("14.2", "{unit} serves nobody: {why}", result, why=result.idle),) if result.idle else ()
        mode = " in Extended Mode" if result.extended else ""
        said = state_verdict(result, "{unit} is {state} from {source}" + mode + ", {cost:#hex} away")
        shown = [*shown, line_part(f"The line from {result.source}", line), modes, *self.cause(result)]
        return report(result, said, *shown, Part("Service", idle))

    def report_undecided(self, offer: Offer | None) -> Report[SupplyResult]:
        """What is certain, and what decides whether there is more."""
        asks = self.settled.asks
        if self.typed and not offer:
            line = self.side.typed_line() or Line(self.here)
            text = "undecided: this line does not supply {unit}: {why}; another one may"
            result = replace(self.nothing(), cost=line.cost, start=line.start, line=line.steps)
            (begin,) = result.tried
            shown = line_part(f"The line from {begin.source}", line)
            return report(result, verdict("undecided", text, result, why=begin.why_not), shown, asks=asks)
        open_offers = [
            open_offer for open_offer in self.side.offers[self.unit.id] if open_offer.source in self.side.hopeful
        ]
        if offer or open_offers:
            text = "undecided: along the lines typed, {unit} is {typed} from {source}"
            if offer is None:
                offer = min(open_offers, key=preference)
                text += ", if that source is itself In Supply"
            _, line = self.side.line_of_offer(self.client, offer)
            result = replace(self.result(offer), state=None)
            said = verdict("undecided", text, result, typed=STATES[WORDS[offer.gives]])
            return report(result, said, line_part(f"The line from {result.source}", line), asks=asks)
        result = self.nothing()
        said = verdict("undecided", "undecided: nothing typed supplies {unit}", result)
        cause = None if self.briefly or self.typed else self.among().supply_of(self.unit).cause
        return report(result, said, sources_part(result.tried), *cause_parts(cause), asks=asks)

    def report_out(self) -> Report[SupplyResult]:
        """Out of Supply, with its cause and the test of isolation."""
        isolated, stated = self.states.isolated(self.client), self.settled.is_stated
        asks = self.states.if_isolated.get(self.unit.id, ())
        result = replace(self.nothing(), state="out", isolated=isolated)
        parts = [sources_part(result.tried), *([] if stated else self.cause(result))]
        said = " (as stated)" if stated else ""
        if isolated is None:
            text = f"undecided: {{unit}} is Out of Supply{said}, perhaps Isolated"
            return report(result, verdict("undecided", text, result), *parts, asks=asks)
        text = f"{{unit}} is Out of Supply{said}" + (" and Isolated" if isolated else ", but not Isolated")
        return report(result, verdict("no", text, result), *parts, isolation_part(isolated))

    def cause(self, result: SupplyResult) -> list[Part]:
        """Why it is not In Supply."""
        if self.briefly or result.state == "in":
            return []
        cause = self.states.cause(self.client)
        if self.side.ground.network and cause and not cause.source and not self.typed:
            cause = self.among().supply_of(self.unit).cause or cause
        return cause_parts(cause)

    def rests(self) -> SupplyDoubts | None:
        """On which drawn facts its state rests, None where it was not traced over a drawn board."""
        if self.side.ground.network:
            return None
        return SupplyDoubts(self.side, self.states.best, [self.states.supply_of(self.unit)], thorough=True)

    # --- modes ---

    def with_modes(self, result: SupplyResult, offer: Offer) -> tuple[SupplyResult, Part]:
        """The result with the unit's state as it stands, and in words the modes that change for it and whether its side
        has others.
        Rule: 14.2b
        """
        if self.briefly:
            return result, Part("Modes", ())
        stands = self.states.supply_in_plan(self.client, best=False).state
        steps = [*self.flips(offer)]
        if stands != result.state:
            steps.append(step("14.2", "as it stands, {unit} is {state}", unit=self.unit.id, state=STATES[str(stands)]))
        contested = None if self.typed else self.find_contest(offer)
        if contested:
            text = "with sources allotted as best serves its side, {unit} is {state}: {cause}"
            cause = contested.cause.text if contested.cause else ""
            state = contested.could.state
            steps.append(step("14.2", text, unit=self.unit.id, state=STATES[str(state)], cause=cause))
            result = replace(result, among=state)
        return replace(result, stands=stands), Part("Modes", tuple(steps))

    def flips(self, offer: Offer) -> Iterator[Step]:
        """The supply units that change their mode for the unit, and so for all that they serve: its source, and what
        feeds that.
        """
        at: Offer | None = offer
        while at and at.source in self.side.fed:
            if (extended := at.mode == EXTENDED) != self.view.flag("extended", at.source):
                text = "{unit} is flipped to Extended Mode" if extended else "{unit} is flipped back to its front side"
                yield step("14.2", f"{text} for this, and therefore for all that it serves", unit=at.source)
            at = self.side.alone(at.source)

    def find_contest(self, offer: Offer) -> UnitSupply | None:
        """The unit's supply among that of its side, if it has less there, as its source has another mode or serves
        others.
        """
        source = self.side.sources.get(offer.source)
        if not offer.group and (source is None or source.source.kind != "corps-train"):
            return None  # in Extended Mode a depot serves as well whomever it serves otherwise
        among = self.among().supply_of(self.unit)
        return among if among.could.state and RANK[among.could.state] < offer.gives else None

    def among(self) -> SideStates:
        """Its whole side, with the sources that others alone may draw on."""
        few = AskedAlone() if len(self.side.around.units) <= FEW else None
        return side_states(self.view.unnoticed(), self.side.side, few)

    def surplus(self) -> list[str]:
        """What more units are named for than it serves, the unit among them (14.3.1, 14.7)."""
        of_unit = any(self.client.formation.id in names for names in self.side.named.values())
        return list(surplus(self.side)) if of_unit else []

    # --- sources ---

    def list_sources(self) -> list[TriedSource]:
        """The sources that attachment allows the unit, each with its line and why it does not serve."""
        if self.typed:
            return [self.source_of_line(self.typed)]
        if self.briefly:
            return []
        side, client = self.side, self.client
        every = sorted(
            (other for other in side.kin(client) if not self.serves_others(other)),
            key=lambda other: (other.source.kind not in DEPOTS, other.source.kind == "corps-train"),
        )
        fortress = ("fortress",) if self.unit.id in BOYEN_SERVES else ()
        able = () if client.arm in DEPOTS else DEPOTS if client.arm in SUPPLY_ARMS else (*SUPPLY_ARMS, *fortress)
        units = [(other.source, self.why_not(other)) for other in every]
        tried = [
            *self.sources_with_lines(source for source in units if source[0].kind in able),
            *self.nearest_railway(),
        ]
        with self.view.gather() as facts:
            half_hexes = bukowina_sources(facts, self.unit)
        offered, distance = {offer.source for offer in side.offers[self.unit.id]}, self.view.board.distance
        # a line from farther off is looked for only along RR lines
        near = [
            (source, why)
            for source, why in half_hexes
            if source.name in offered or distance(source.place, self.here) <= BUKOWINA_REACH
        ]
        return [*tried, *self.sources_with_lines(near)]

    def sources_with_lines(self, sources: Iterable[tuple[Source, str]]) -> Iterator[TriedSource]:
        """Sources with their lines to the unit. sources: each with the reason why it cannot serve, "" if it may."""
        offered = {offer.source for offer in self.side.offers[self.unit.id]}
        no_line = "no typed line within its range" if self.side.ground.network else "no line within its range"
        for source, why_not in sources:
            why_not = why_not or (self.open_still(source.name) if source.name in offered else no_line)
            yield tried_source(source, self.side.board.line(source, self.here), why_not)

    def open_still(self, name: str) -> str:
        """Why a source whose line reaches the unit does not serve it for certain, "" if it does."""
        is_open = name in self.side.fed and name not in self.side.serving
        return f"whether {name} is itself In Supply is undecided (14.2)" if is_open else ""

    def nearest_railway(self) -> Iterator[TriedSource]:
        """The RR line that may supply the unit: the one under a supply unit, or the nearest one."""
        side, client, place = self.side, self.client, self.here
        linked = (
            place in side.board.railway.cost if client.arm in SUPPLY_ARMS else side.reach(RAILWAY, place) is not None
        )
        if linked or client.arm in DEPOTS:
            source, line = side.line_of_offer(client, Offer(self.unit.id, RR_LINE, FULL))
            yield tried_source(source, line, self.why_no_loc(place) if client.arm in DEPOTS else "")

    def serves_others(self, other: SupplyUnit) -> bool:
        """Whether a source is one of another army or corps."""
        bar = self.side.bar(self.client, other)
        return isinstance(bar, Bar) and bar.of_another

    def why_not(self, other: SupplyUnit) -> str:
        """Why a source does not serve the unit whatever the distance, "" if it may."""
        name = other.unit.id
        bar = self.side.bar(self.client, other)
        barred = bar.why if isinstance(bar, Bar) else "whether it may serve the unit is not stated" if bar else ""
        known = self.side.certain.get(name)
        is_out = known is not None and known.state != "in" and not known.asks
        if barred or other.why_not or not is_out or name not in self.side.fed:
            return barred or other.why_not
        is_depot = other.source.kind in DEPOTS
        return self.why_no_loc(other.source.place) if is_depot else "itself Out of Supply (14.2.2)"

    def why_no_loc(self, place: str) -> str:
        """Why a depot in a hex is Out of Supply, as far as is known, "" if it is not."""
        why_not, lacks = look(self.view, self.unit, lambda facts, unit: no_loc(facts, self.side.board, place))
        return f"whether {place} has an RR Station is not stated (14.2.1)" if lacks else why_not or ""

    def source_of_line(self, typed: TypedLine) -> TriedSource:
        """The source at the beginning of the typed line, and why that does not serve."""
        side, line = self.side, self.side.typed_line()
        assert line is not None
        other = side.sources.get(typed.source)
        half_hex = [source for source in side.bukowina(self.client) if source.place == line.start]
        own = half_hex[0] if half_hex and line.start not in side.board.linked else railway(line.start)
        source = other.source if other else own if not typed.source else Source(typed.source, "", line.start, ())
        if side.offers[self.unit.id]:
            return tried_source(source, line, self.open_still(typed.source))
        why_not = typed.barred or (self.why_not(other) if other else "") or line.barred
        if not why_not and source.kind == RR_LINE and line.start not in side.board.linked:
            owner = self.view.game.file.the_side(side.side)
            why_not = f"no operational RR line of {owner} links {line.start} to a friendly map edge (14.2.3)"
        near, far = near_and_far(source) if source.ranges else (0, 0)
        too_far = f"{source.name} has a range of {near}{f', or {far} extended' if far else ''}"
        return tried_source(source, line, why_not or too_far)
