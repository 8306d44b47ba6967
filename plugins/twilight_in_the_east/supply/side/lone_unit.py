"""The supply of one unit, as of a side of which it alone wants supply, so that supply units are in the modes that serve
it best; along a typed line, or over all that is known (14.2b, 14.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import asdict, replace

from assistant.asking import Gather, InputError, View
from assistant.asking.asks import ask_for_fact
from assistant.asking.report import MissingFacts, Part, Report, Step, Verdict, step, verdict
from assistant.rules.field import LineSource, SideField, side_of
from assistant.rules.field.allocation import ALWAYS, FULL, Offer
from assistant.state.state import Unit
from assistant.util.errors import quoted

from ...forces.armies import formations_beside
from ...forces.unit import Cap, cap_on
from ...ground.hexsides import NETWORK, around_side, assume_zones
from ...terms import DEPOTS, SUPPLY_ARMS
from ..clients import (
    AskedAlone,
    Client,
    SupplyInputs,
    SupplyUnit,
    TypedLine,
    evaluate_if_known,
    kin_of,
    only_line,
    typed_line,
)
from ..ground import line_part
from ..report import (
    KINDS,
    NO_MORE,
    STATES,
    Cause,
    SupplyResult,
    UnitSupply,
    cause_of_cap,
    cautions,
    isolation_part,
    report,
    sources_part,
    state_verdict,
    tried_source,
)
from ..rules import RR_LINE, TriedSource, near_and_far
from ..sources import (
    BUKOWINA_REACH,
    SourceBar,
    always_supplied,
    bar_without_loc,
    bukowina_sources,
    presume_guest,
    presume_named,
    supplied_with,
)
from .certainty import Certainty, SupplySide, say_granted
from .offers import EXTENDED, RAILWAY, RANK, WORDS, preference
from .states import SideStates, share_supply, side_states, surplus

ISOLATED = {True: " and Isolated", False: ", but not Isolated", None: ", perhaps Isolated"}
"""Whether a unit that is Out of Supply is Isolated, in words."""
FIRST = dict.fromkeys(DEPOTS, 0) | {"corps-train": 2}
"""In which order sources are listed, fortresses between these."""


FEW = 60
"""Up to how many units lines are sought from each of them back to all its sources, instead of from the sources: the ground
of a whole board is dearer to read than that between some units and their sources. For two hundred it is the other way
round.
"""


def unit_supply(view: View, unit: Unit, line: str = "", *, briefly: bool = False) -> Report[SupplyResult]:
    """Return the report on the supply of one unit, by the one typed line ending there with full supply, if any.

    line: the typed line on which alone it is judged; briefly: without causes and modes, which decide no state. Raises
    MissingFacts, InputError for a unit off the map and a line elsewhere.
    """
    if unit.place is None:
        raise InputError(f"{unit.id} is not on the map")
    with view.gather() as facts:
        around = around_side(facts, side_of(facts, unit))
        served = supplied_with(facts, unit)
        shares = served.id != unit.id
        beside = formations_beside(facts, unit) if shares else []
        cap = cap_on(facts, unit) if shares else None
    alone = _find_along_line(view, around, served, line, briefly=briefly)
    alone = alone or find_alone(view, around, served, briefly=briefly)
    found = replace(alone.report(), cautions=cautions(exact=True, more=alone.surplus()))
    return _share_report(view, unit, alone, beside, cap, found) if shares else found


def supply_alone(view: View, unit: Unit) -> UnitSupply:
    """Return the supply of a unit that is asked about alone. Raises MissingFacts for what must be known of it and is
    not stated.
    """
    with view.gather() as facts:
        around = around_side(facts, side_of(facts, unit))
        served = supplied_with(facts, unit)
        cap = cap_on(facts, unit)
    row = find_alone(view, around, served).states.supply_of(served)
    return row if served.id == unit.id else share_supply(replace(row, unit=unit.id), served.id, cap, tells_causes=True)


def _find_along_line(view: View, around: SideField, unit: Unit, line: str, *, briefly: bool) -> LoneUnit | None:
    """Return a unit as it is judged along a typed line, None where none is typed and where other lines are to be looked
    at: if none is named and it gives less than full supply, or if it gives nothing and no line but those typed serves
    the unit better, as its owner says of the unit, or of the whole side.
    """
    with view.gather() as facts:
        needs_none = facts.word("arm", unit.id) in SUPPLY_ARMS or bool(always_supplied(facts, unit))
    if needs_none:  # what supplies a supply unit is what lies under it, be it typed as a line or not
        if line:
            typed_line(view, unit, line)
            text = "{unit} is judged by all that is typed, not by the line {line} alone"
            view.premises.assume(step("14.2", text, unit=unit.id, line=quoted(line)))
        return None
    name = line or only_line(view, str(unit.place))
    if not name:
        return None
    typed = typed_line(view, unit, name)
    try:
        along = find_alone(view, around, unit, typed, briefly=briefly)
    except MissingFacts:
        if line:
            raise
        return None  # with another line it may not matter
    other = view.fact("other-line", unit.id)
    is_last = view.flag(NETWORK.whole, around.side) or (other is not None and not other.value)
    is_full = along.settled.state == "in" and not along.settled.asks
    return along if is_full or (line and not (is_last and not along.settled.offer)) else None


def _share_report(
    view: View, unit: Unit, alone: LoneUnit, beside: Sequence[str], cap: Cap | None, shared: Report[SupplyResult]
) -> Report[SupplyResult]:
    """Return the report on a formation's supply as that of an Asset Unit which is attached to it, and which a cap may
    keep in Low Supply though the formation is In Supply. alone: the formation; beside: the formations in its hex.
    """
    formation = alone.unit.id
    text = "{unit} shares the supply of {force}, with which it is stacked"
    others = [name for name in beside if name != formation]
    if others and not view.state.value("with", unit.id):
        text += "; its owner may attach it to {units} instead (with=UNIT)"
    parts = [Part("Attachment", (step("6.4.1", text, unit=unit.id, force=formation, units=others),)), *shared.parts]
    result, outcome = shared.result, shared.verdict
    assert result is not None
    words = outcome.template.replace("{unit}", "{unit} (attached to {force})")
    kind, figures = outcome.kind, {**outcome.figures, "unit": unit.id, "force": formation}
    result = replace(result, unit=unit.id, through=formation)
    if cap and result.state == "in":
        result = replace(result, state="low", stands="low" if result.stands == "in" else result.stands, among=None)
        kind, figures = KINDS["low"], {**figures, "state": STATES["low"]}
        parts += [] if alone.briefly else _cause_parts(cause_of_cap(unit.id, cap))
    shown = report(result, Verdict(kind, words, figures), *parts, asks=shared.asks)
    return replace(shown, cautions=shared.cautions)


def find_alone(
    view: View, around: SideField, unit: Unit, typed: TypedLine | None = None, *, briefly: bool = False
) -> LoneUnit:
    """Return one unit as a side of one. typed: the line on which alone it is judged; briefly: without causes and modes.

    Raises MissingFacts for what must be known of the unit itself.
    """
    kin = kin_of(view, around, unit)
    if typed and typed.source:
        kin |= {typed.source}
    states = side_states(view, around.side, AskedAlone(unit.id, kin, typed), causes=not briefly)
    side = states.side
    settled = side.certain.get(unit.id)
    if settled is None or (settled.asks and side.lines.offered[unit.id].lacks):
        # of a unit that is neither in a hex nor in the Box nothing else is missing
        raise MissingFacts(side.doubts(unit.id) or [ask_for_fact(view.game.track("supply"), unit.id)])
    return LoneUnit(unit, states, side.inputs.clients[unit.id], settled)


def _cause_parts(cause: Cause | None) -> list[Part]:
    """Return a cause in words, nothing for none."""
    return [Part("Cause", (step("14.4", "{cause}", cause=cause.text),), brief=cause.text)] if cause else []


class LoneUnit(msgspec.Struct, frozen=True):
    """One unit as a side of one."""

    unit: Unit
    states: SideStates
    """Of itself, and of the supply units that may serve it."""
    client: Client
    settled: Certainty

    @property
    def side(self) -> SupplySide:
        """Itself with these units."""
        return self.states.side

    @property
    def inputs(self) -> SupplyInputs:
        """What its supply is worked out from."""
        return self.states.side.inputs

    @property
    def place(self) -> str:
        """Its hex, or its box."""
        return str(self.unit.place)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What it is offered."""
        return self.side.lines.offered[self.unit.id].offers

    @property
    def briefly(self) -> bool:
        """Whether it is reported without causes and modes."""
        return not self.states.tells_causes

    def report(self) -> Report[SupplyResult]:
        """Return the report on the unit."""
        client, offer = self.client, self.settled.offer
        if client.always:
            source = client.always
            if client.cap:
                source += f", but {client.cap.words} it is in Low Supply at best ({client.cap.rule})"
            state = WORDS[client.most]
            result = SupplyResult(
                unit=self.unit.id, place=self.place, state=state, source=source, idle=self.inputs.idle(self.unit.id)
            )
            outcome = state_verdict(result, "{unit} is {state}: {source}")
            return report(result, outcome, *self.cause(result), self.service_part(result))
        if self.settled.is_stated and (offer or self.inputs.unseen):
            result = replace(self.nothing(), state=self.settled.state)
            return report(result, state_verdict(result, "{unit} is {state} (as stated)"))
        if offer:
            self.grant(offer)
        if self.settled.asks:
            return self.report_undecided(offer)
        return self.report_served(offer) if offer else self.report_out()

    def grant(self, offer: Offer) -> None:
        """Say what its line takes for granted."""
        source, line = self.side.lines.line_of_offer(self.client, offer)
        presume_named(self.inputs.view, self.unit.id, source)
        if offer.group and offer.source in self.inputs.sources:
            presume_guest(self.inputs.view, self.client.formation, self.inputs.sources[offer.source].unit)
        if self.inputs.ground.network or self.inputs.typed:
            say_granted(self.side, self.client, offer)
            assume_zones(self.inputs.around, [self.place, *line.hexes])

    def nothing(self) -> SupplyResult:
        """Return what it has from none of the sources that were tried."""
        idle = self.inputs.idle(self.unit.id)
        return SupplyResult(
            unit=self.unit.id, place=self.place, state=None, tried=tuple(self.list_sources()), idle=idle
        )

    def result(self, offer: Offer) -> SupplyResult:
        """Return what an offer gives it."""
        return replace(self.nothing(), **asdict(self.states.supply_along(self.client, offer)))

    def service_part(self, result: SupplyResult) -> Part:
        """Return why a supply unit serves nobody, in words."""
        text = "{unit} supplies no units: {why}"
        return Part("Service", (step("14.2", text, result, why=result.idle),) if result.idle else ())

    # --- verdicts ---

    def report_served(self, offer: Offer) -> Report[SupplyResult]:
        """Return the report on a unit that is In Supply or in Low Supply along a line, which is the best there is."""
        _, line = self.side.lines.line_of_offer(self.client, offer)
        result, modes = self.with_modes(self.result(offer), offer)
        if self.inputs.typed and result.state == "low":
            self.inputs.view.premises.assume(step("14.4", NO_MORE, result))
        shown = [] if self.inputs.typed or self.inputs.ground.network else [sources_part(result.tried)]
        mode = " in Extended Mode" if result.extended else ""
        outcome = state_verdict(result, "{unit} is {state} from {source}" + mode + ", {cost:#hex} away")
        shown = [*shown, line_part(f"The line from {result.source}", line), modes, *self.cause(result)]
        return report(result, outcome, *shown, self.service_part(result))

    def report_undecided(self, offer: Offer | None) -> Report[SupplyResult]:
        """Return what is certain, and what decides whether there is more."""
        asks, typed, result = self.settled.asks, self.inputs.typed, self.nothing()
        hopeful = (each for each in self.offers if self.side.may_serve(each.source))
        likely = offer or min(hopeful, key=preference, default=None)
        if typed and not offer:
            (begin,) = result.tried
            source, line = begin.source, self.side.lines.trace_typed(self.client, typed)[1]
            text = "undecided: this line does not supply {unit}: {why}; another one may"
            figures = {"why": begin.why_not}
            result = replace(result, cost=line.cost, start=line.start, line=line.steps)
        elif likely:
            traced, line = self.side.lines.line_of_offer(self.client, likely)
            source = traced.name
            text = "undecided: along the lines typed, {unit} is {typed} from {source}"
            if not offer:
                text += ", if that source is itself In Supply"
            result = replace(result, **{**asdict(self.states.supply_along(self.client, likely)), "state": None})
            figures = {"typed": STATES[WORDS[likely.gives]]}
        else:
            cause = None if self.briefly or typed else self.among().supply_of(self.unit).cause
            outcome = verdict("undecided", "undecided: nothing typed supplies {unit}", result)
            return report(result, outcome, sources_part(result.tried), *_cause_parts(cause), asks=asks)
        shown = line_part(f"The line from {source}", line)
        return report(result, verdict("undecided", text, result, **figures), shown, asks=asks)

    def report_out(self) -> Report[SupplyResult]:
        """Return the report on a unit that is Out of Supply, with its cause and the test of isolation."""
        isolated = self.states.is_isolated(self.client)
        result = replace(self.nothing(), state="out", isolated=isolated)
        text = f"{{unit}} is Out of Supply{' (as stated)' if self.settled.is_stated else ''}{ISOLATED[isolated]}"
        parts = [sources_part(result.tried), *([] if self.settled.is_stated else self.cause(result))]
        if isolated is None:
            asks = self.states.if_isolated.get(self.unit.id, ())
            return report(result, verdict("undecided", f"undecided: {text}", result), *parts, asks=asks)
        return report(result, verdict("no", text, result), *parts, isolation_part(isolated=isolated))

    def cause(self, result: SupplyResult) -> list[Part]:
        """Return why it is not In Supply."""
        if self.briefly or result.state == "in":
            return []
        cause = self.states.find_cause(self.client)
        if self.inputs.ground.network and cause and not cause.source and not self.inputs.typed:
            cause = self.among().supply_of(self.unit).cause or cause
        return _cause_parts(cause)

    # --- modes ---

    def with_modes(self, result: SupplyResult, offer: Offer) -> tuple[SupplyResult, Part]:
        """Return the result with the unit's state as it stands, and in words the modes that change for it and whether
        its side has others. Rule: 14.2b
        """
        if self.briefly:
            return result, Part("Modes", ())
        current = self.states.supply_in_plan(self.client, self.states.stands).state
        steps = [*self.flips(offer)]
        if current != result.state:
            steps.append(step("14.2", "as it stands, {unit} is {state}", unit=self.unit.id, state=STATES[current]))
        contested = None if self.inputs.typed else self.find_contest(offer)
        if contested:
            text = "with sources allotted as best serves its side, {unit} is {state}: {cause}"
            cause = contested.cause.text if contested.cause else ""
            state = contested.could.state
            steps.append(step("14.2", text, unit=self.unit.id, state=STATES[state], cause=cause))
            result = replace(result, among=state)
        return replace(result, stands=current), Part("Modes", tuple(steps))

    def flips(self, offer: Offer) -> Iterator[Step]:
        """Yield the supply units that change their mode for the unit, and so for all that they serve: its source, and
        what feeds that.
        """
        at: Offer | None = offer
        while at and at.source in self.inputs.fed:
            extended = at.mode == EXTENDED
            if extended != self.inputs.view.flag("extended", at.source):
                text = "{unit} is flipped to Extended Mode" if extended else "{unit} is flipped back to its front side"
                yield step("14.2", f"{text} for this, and therefore for all that it serves", unit=at.source)
            at = self.side.alone(at.source)

    def find_contest(self, offer: Offer) -> UnitSupply | None:
        """Return the unit's supply among that of its side, if it has less there, as its source has another mode or
        serves others.
        """
        source = self.inputs.sources.get(offer.source)
        if not offer.group and (source is None or source.source.kind != "corps-train"):
            return None  # in Extended Mode a depot serves as well whomever it serves otherwise
        if any(other.gives >= offer.gives and other.mode == ALWAYS and not other.group for other in self.offers):
            return None  # as nobody can take that from it, its side is not looked at
        among = self.among().supply_of(self.unit)
        return among if among.could.state and RANK[among.could.state] < offer.gives else None

    def among(self) -> SideStates:
        """Return its whole side, with the sources that others alone may draw on."""
        few = AskedAlone() if len(self.inputs.around.units) <= FEW else None
        return side_states(self.inputs.view.unnoticed(), self.inputs.side, few)

    def surplus(self) -> list[str]:
        """Return what more units are named for than it serves, the unit among them (14.3.1, 14.7)."""
        of_unit = not self.inputs.typed and any(
            self.client.formation.id in names for names in self.inputs.named.values()
        )
        return list(surplus(self.inputs)) if of_unit else []

    # --- sources ---

    def list_sources(self) -> Iterator[TriedSource]:
        """Yield the sources that attachment allows the unit, each with its line and why it does not serve: depots
        first, Corps Trains last, then the RR line and the half-hexes of the Bukowina.
        """
        inputs, client = self.inputs, self.client
        if inputs.typed:
            yield self.source_of_line(inputs.typed)
        if inputs.typed or self.briefly:
            return
        if client.arm not in DEPOTS:
            every = [other for other in inputs.kin(client) if other.source.kind in DEPOTS]
            if client.arm not in SUPPLY_ARMS:
                every = sorted(inputs.kin(client), key=lambda other: FIRST.get(other.source.kind, 1))
            for other in every:
                bar = inputs.bar(client, other)
                if not (isinstance(bar, SourceBar) and bar.of_another):
                    yield self.try_source(other.source, self.why_not(other))
        yield from self.nearest_railway()
        with inputs.view.gather() as facts:
            half_hexes = bukowina_sources(facts, self.unit)
        offered = {offer.source for offer in self.offers}
        for source, why in half_hexes:
            # a line from farther off is looked for only along RR lines
            near = inputs.view.board.distance(source.place, self.place) <= BUKOWINA_REACH
            if near or source.name in offered:
                yield self.try_source(source, why)

    def try_source(self, source: LineSource, bar: str) -> TriedSource:
        """Return a source with its line to the unit, and why it does not serve. bar: why it cannot, "" if it may."""
        if not bar and all(offer.source != source.name for offer in self.offers):
            bar = "no typed line within its range" if self.inputs.ground.network else "no line within its range"
        line = self.side.lines.board.line(source, self.place)
        return tried_source(source, line, bar or self.open_still(source.name))

    def open_still(self, name: str) -> str:
        """Return why a source whose line reaches the unit does not serve it for certain, "" if it does."""
        return "" if self.side.serves(name) else f"whether {name} is itself In Supply is undecided (14.2)"

    def nearest_railway(self) -> Iterator[TriedSource]:
        """Yield the RR line that may supply the unit: the one under a supply unit, or the nearest one."""
        lines, client, place = self.side.lines, self.client, self.place
        is_depot = client.arm in DEPOTS
        if client.arm in SUPPLY_ARMS:
            linked = is_depot or place in lines.board.railway.cost
        else:
            linked = lines.reach(RAILWAY, place) is not None
        if linked:
            source, line = lines.line_of_offer(client, Offer(self.unit.id, RR_LINE, FULL))
            yield tried_source(source, line, self.why_no_loc(place) if is_depot else "")

    def why_not(self, other: SupplyUnit) -> str:
        """Return why a source does not serve the unit whatever the distance, "" if it may."""
        bar = self.inputs.bar(self.client, other)
        if bar:
            return bar.why if isinstance(bar, SourceBar) else "whether it may serve the unit is not stated"
        known = self.side.certain.get(other.unit.id)
        if other.why_not or other.unit.id not in self.inputs.fed or not known or known.state == "in" or known.asks:
            return other.why_not
        is_depot = other.source.kind in DEPOTS
        return self.why_no_loc(other.source.place) if is_depot else "itself Out of Supply (14.2.2)"

    def why_no_loc(self, place: str) -> str:
        """Return why a depot in a hex is Out of Supply, as far as is known, "" if it is not."""

        def find_bar(facts: Gather) -> str:
            return bar_without_loc(facts, self.side.lines.board, place)

        why_not, lacks = evaluate_if_known(self.inputs.view, find_bar)
        return f"whether {place} has an RR Station is not stated (14.2.1)" if lacks else why_not or ""

    def source_of_line(self, typed: TypedLine) -> TriedSource:
        """Return the source at the beginning of the typed line, and why that does not serve."""
        inputs = self.inputs
        source, line = self.side.lines.trace_typed(self.client, typed)
        if self.offers:
            return tried_source(source, line, self.open_still(typed.source))
        other = inputs.sources.get(typed.source)
        why_not = typed.barred or (self.why_not(other) if other else "") or line.barred
        if not why_not and source.kind == RR_LINE and line.start not in self.side.lines.board.linked:
            owner = inputs.view.game.file.the_side(inputs.side)
            why_not = f"no operational RR line of {owner} links {line.start} to a friendly map edge (14.2.3)"
        near, far = near_and_far(source)
        too_far = f"{source.name} has a range of {near}{f', or {far} extended' if far else ''}"
        return tried_source(source, line, why_not or too_far)
