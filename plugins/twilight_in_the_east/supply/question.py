"""The question `supply`: the units in supply, their lines, and the causes if they are not (14)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec.structs import asdict, replace

from assistant.asking import (
    AnyName,
    Gather,
    InputError,
    Parameters,
    SideName,
    UnitName,
    View,
    declare,
    note,
)
from assistant.asking.asks import ask_for_fact
from assistant.asking.line_sketch import LineSketch
from assistant.asking.paper_map import PAPER_MAP, state_at_once
from assistant.asking.question import Sets
from assistant.asking.report import MissingFacts, Part, Report, Step, Verdict, step, verdict
from assistant.rules.field import LineSource, SideField, side_of
from assistant.rules.field.allocation import ALWAYS, FULL, Offer
from assistant.rules.field.units import check_units, sides_asked
from assistant.state.state import Unit
from assistant.util.errors import quoted

from ..forces.armies import formations_beside
from ..forces.markers import check_bearers
from ..forces.unit import Cap, cap_on
from ..ground.calendar import phase_of
from ..ground.hexsides import NETWORK, around_side, assume_zones
from ..terms import DEPOTS, SUPPLY_ARMS
from .clients import (
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
from .ground import line_part
from .report import (
    KINDS,
    NO_MORE,
    STATES,
    Cause,
    SupplyResult,
    UnitSupply,
    WholeSupply,
    campaign_steps,
    cause_of_cap,
    changes_part,
    deciding_part,
    format_briefly,
    isolation_part,
    list_cautions,
    make_unit_report,
    side_parts,
    sides_part,
    sources_part,
    state_verdict,
    tried_source,
    whole_verdict,
)
from .rules import RR_LINE, TriedSource, near_and_far
from .side.certainty import Certainty, SupplySide, say_granted
from .side.offers import EXTENDED, RAILWAY, RANK, WORDS, preference_of
from .side.states import SideStates, list_surplus, share_supply, side_states
from .sources import (
    BUKOWINA_RANGE_HEXES,
    SourceBar,
    always_supplied,
    bar_without_loc,
    bukowina_sources,
    presume_guest,
    presume_named,
    supplied_with,
)

_ISOLATION_WORDS = {True: " and Isolated", False: ", but not Isolated", None: ", perhaps Isolated"}
"""The words on isolation after Out of Supply, with None for unknown."""
_PLACE_IN_LIST = dict.fromkeys(DEPOTS, 0) | {"corps-train": 2}
"""The sort order of sources by arm; fortresses have 1."""
_MAX_UNITS_TRACED_BACK = 60
"""The maximum number of units of a side whose lines are traced from the units instead of the sources.

Reading the ground between few units and their sources takes less time than reading the whole board.
"""


def report_unit_supply(view: View, unit: Unit, line: str = "", *, briefly: bool = False) -> Report[SupplyResult]:
    """Return the report on the supply of one unit.

    The unit is judged along the only typed line that ends at it if that gives full supply, or else along all lines.

    `line`: the only typed line along which to judge the unit, or "".
    `briefly`: whether to leave out causes and modes, which decide no state.

    Raises MissingFacts if a fact is not stated, InputError if the unit is off the map or the line ends elsewhere.
    """
    if unit.place is None:
        raise InputError(f"{unit.id} is not on the map")
    with view.gather() as facts:
        around = around_side(facts, side_of(facts, unit))
        drawing = supplied_with(facts, unit)
        shares = drawing.id != unit.id
        beside = formations_beside(facts, unit) if shares else []
        cap = cap_on(facts, unit) if shares else None
    judged = _judge_by_typed_line(view, around, drawing, line, briefly=briefly)
    judged = judged or _judge(view, around, drawing, briefly=briefly)
    report = replace(judged.report(), cautions=list_cautions(exact=True, more=judged.list_surplus()))
    return _report_shared(view, unit, judged, beside, cap, report) if shares else report


def find_supply_alone(view: View, unit: Unit) -> UnitSupply:
    """Return the supply of a unit as if it were asked about alone."""
    with view.gather() as facts:
        around = around_side(facts, side_of(facts, unit))
        drawing = supplied_with(facts, unit)
        cap = cap_on(facts, unit)
    row = _judge(view, around, drawing).states.supply_of(drawing)
    if drawing.id == unit.id:
        return row
    return share_supply(replace(row, unit=unit.id), drawing.id, cap, tells_causes=True)


# --- supply of the unit: along all lines, or along a typed one --------------------------------------------------------


def _judge_by_typed_line(view: View, around: SideField, unit: Unit, line: str, *, briefly: bool) -> _JudgedUnit | None:
    """Return a unit as judged along one typed line, or None if all lines count.

    An unnamed line counts only if it gives full supply. A named one counts unless it gives nothing and the player says
    that only typed lines could serve the unit better.
    """
    with view.gather() as facts:
        needs_no_line = facts.word("arm", unit.id) in SUPPLY_ARMS or bool(always_supplied(facts, unit))
    if needs_no_line:  # no line matters, except for a supply unit the RR line under it, typed or not
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
        judged = _judge(view, around, unit, typed, briefly=briefly)
    except MissingFacts:
        if line:
            raise
        return None  # along another line the missing facts may not matter
    other = view.fact("other-line", unit.id)
    is_last = view.flag(NETWORK.whole, around.side) or (other is not None and not other.value)
    if judged.settled.state == "in" and not judged.settled.asks:
        return judged
    return judged if line and not (is_last and not judged.settled.offer) else None


def _judge(
    view: View, around: SideField, unit: Unit, typed: TypedLine | None = None, *, briefly: bool = False
) -> _JudgedUnit:
    """Return a unit as judged along all lines, or only along a typed one.

    Raises MissingFacts if a fact of the unit itself is not stated.
    """
    kin = kin_of(view, around, unit)
    if typed and typed.source:
        kin |= {typed.source}
    states = side_states(view, around.side, AskedAlone(unit.id, kin, typed), causes=not briefly)
    side = states.side
    settled = side.certain.get(unit.id)
    if settled is None or (settled.asks and side.lines.offered[unit.id].missing):
        # if the unit is neither in a hex nor in the Box, only its stated supply can be missing
        raise MissingFacts(side.list_doubts(unit.id) or [ask_for_fact(view.game.track("supply"), unit.id)])
    return _JudgedUnit(unit, states, side.inputs.clients[unit.id], settled)


class _JudgedUnit(msgspec.Struct, frozen=True):
    """A unit judged as if no other unit of its side drew supply."""

    unit: Unit
    states: SideStates
    """The states of the unit and of the supply units that may serve it."""
    client: Client
    """The unit as a client of supply."""
    settled: Certainty
    """The certain supply of the unit."""

    @property
    def side(self) -> SupplySide:
        """The unit with the supply units that may serve it."""
        return self.states.side

    @property
    def inputs(self) -> SupplyInputs:
        """The inputs for the unit's supply."""
        return self.states.side.inputs

    @property
    def place(self) -> str:
        """The unit's hex or box."""
        return str(self.unit.place)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """The offers of sources to the unit."""
        return self.side.lines.offered[self.unit.id].offers

    @property
    def briefly(self) -> bool:
        """Whether causes and modes are left out of the report."""
        return not self.states.tells_causes

    # --- reports on the unit ---

    def report(self) -> Report[SupplyResult]:
        """Return the report on the unit."""
        settled, offer = self.settled, self.settled.offer
        if self.client.always:
            return self._report_without_line()
        if settled.is_stated and (offer or self.inputs.unseen):
            result = replace(self._try_sources(), state=settled.state)
            return make_unit_report(result, state_verdict(result, "{unit} is {state} (as stated)"))
        if offer:
            self._note_granted(offer)
        if settled.asks:
            return self._report_undecided(offer)
        return self._report_served(offer) if offer else self._report_out()

    def _report_without_line(self) -> Report[SupplyResult]:
        source = self.client.always
        if cap := self.client.cap:
            source += f", but {cap.words} it is in Low Supply at best ({cap.rule})"
        result = SupplyResult(
            unit=self.unit.id,
            place=self.place,
            state=WORDS[self.client.most],
            source=source,
            idle=self.inputs.why_idle(self.unit.id),
        )
        outcome = state_verdict(result, "{unit} is {state}: {source}")
        return make_unit_report(result, outcome, *self._find_cause(result), _service_part(result))

    def _report_served(self, offer: Offer) -> Report[SupplyResult]:
        _, line = self.side.lines.line_of_offer(self.client, offer)
        result = replace(self._try_sources(), **asdict(self.states.supply_along(self.client, offer)))
        result, modes = self._judge_modes(result, offer)
        if self.inputs.typed and result.state == "low":
            self.inputs.view.premises.assume(step("14.4", NO_MORE, result))
        parts = [] if self.inputs.typed or self.inputs.ground.network else [sources_part(result.tried)]
        mode = " in Extended Mode" if result.extended else ""
        outcome = state_verdict(result, "{unit} is {state} from {source}" + mode + ", {cost:#hex} away")
        parts += [line_part(f"The line from {result.source}", line), modes, *self._find_cause(result)]
        return make_unit_report(result, outcome, *parts, _service_part(result))

    def _report_undecided(self, offer: Offer | None) -> Report[SupplyResult]:
        """Return the report on a unit whose supply missing facts may improve.

        `offer`: the certain offer, or None.
        """
        asks, typed, result = self.settled.asks, self.inputs.typed, self._try_sources()
        hopeful = (each for each in self.offers if self.side.may_serve(each.source))
        likely = offer or min(hopeful, key=preference_of, default=None)
        if typed and not offer:
            (tried,) = result.tried
            _, line = self.side.lines.trace_typed(self.client, typed)
            result = replace(result, cost=line.cost, start=line.start, line=line.steps)
            text = "undecided: this line does not supply {unit}: {why}; another one may"
            outcome = verdict("undecided", text, result, why=tried.why_not)
            return make_unit_report(result, outcome, line_part(f"The line from {tried.source}", line), asks=asks)
        if not likely:
            cause = None if self.briefly or typed else self._find_states_of_side().supply_of(self.unit).cause
            outcome = verdict("undecided", "undecided: nothing typed supplies {unit}", result)
            return make_unit_report(result, outcome, sources_part(result.tried), *_cause_parts(cause), asks=asks)
        source, line = self.side.lines.line_of_offer(self.client, likely)
        text = "undecided: along the lines typed, {unit} is {typed} from {source}"
        if not offer:
            text += ", if that source is itself In Supply"
        supply = replace(self.states.supply_along(self.client, likely), state=None)
        result = replace(result, **asdict(supply))
        outcome = verdict("undecided", text, result, typed=STATES[WORDS[likely.gives]])
        return make_unit_report(result, outcome, line_part(f"The line from {source.name}", line), asks=asks)

    def _report_out(self) -> Report[SupplyResult]:
        isolated = self.states.is_isolated(self.client)
        is_stated = self.settled.is_stated
        result = replace(self._try_sources(), state="out", isolated=isolated)
        text = f"{{unit}} is Out of Supply{' (as stated)' if is_stated else ''}{_ISOLATION_WORDS[isolated]}"
        parts = [sources_part(result.tried), *([] if is_stated else self._find_cause(result))]
        if isolated is None:
            asks = self.states.if_isolated.get(self.unit.id, ())
            return make_unit_report(result, verdict("undecided", f"undecided: {text}", result), *parts, asks=asks)
        return make_unit_report(result, verdict("no", text, result), *parts, isolation_part(isolated=isolated))

    def _try_sources(self) -> SupplyResult:
        """Return the unit's result with the sources tried, before its state is decided."""
        return SupplyResult(
            unit=self.unit.id,
            place=self.place,
            state=None,
            tried=tuple(_list_sources(self)),
            idle=self.inputs.why_idle(self.unit.id),
        )

    def _note_granted(self, offer: Offer) -> None:
        inputs = self.inputs
        source, line = self.side.lines.line_of_offer(self.client, offer)
        presume_named(inputs.view, self.unit.id, source)
        if offer.group and offer.source in inputs.sources:
            presume_guest(inputs.view, self.client.formation, inputs.sources[offer.source].unit)
        if inputs.ground.network or inputs.typed:
            say_granted(self.side, self.client, offer)
            assume_zones(inputs.around, [self.place, *line.hexes])

    def _find_cause(self, result: SupplyResult) -> list[Part]:
        """Return a part on why the unit is not In Supply, or [] if it is."""
        if self.briefly or result.state == "in":
            return []
        cause = self.states.find_cause(self.client)
        if self.inputs.ground.network and cause and not cause.source and not self.inputs.typed:
            cause = self._find_states_of_side().supply_of(self.unit).cause or cause
        return _cause_parts(cause)

    def list_surplus(self) -> list[str]:
        """Return a sentence for each source with too many named units, if the unit is one of them (14.3.1, 14.7)."""
        names = self.inputs.named.values()
        is_named = any(self.client.formation.id in named for named in names)
        return list(list_surplus(self.inputs)) if is_named and not self.inputs.typed else []

    # --- modes of the unit's sources ---

    def _judge_modes(self, result: SupplyResult, offer: Offer) -> tuple[SupplyResult, Part]:
        """Return the result with the unit's state in the present modes and in its side's best modes, and both in words.

        Rule: 14.2b
        """
        if self.briefly:
            return result, Part("Modes", ())
        standing = self.states.supply_in_plan(self.client, self.states.stands).state
        steps = [*self._list_flips(offer)]
        if standing != result.state:
            steps.append(step("14.2", "as it stands, {unit} is {state}", unit=self.unit.id, state=STATES[standing]))
        contested = None if self.inputs.typed else self._find_less_among_side(offer)
        if contested:
            text = "with sources allotted as best serves its side, {unit} is {state}: {cause}"
            cause = contested.cause.text if contested.cause else ""
            state = contested.could.state
            steps.append(step("14.2", text, unit=self.unit.id, state=STATES[state], cause=cause))
            result = replace(result, among=state)
        return replace(result, stands=standing), Part("Modes", tuple(steps))

    def _list_flips(self, offer: Offer) -> Iterator[Step]:
        """Yield the supply units whose mode changes for the unit: its source, the source of that source, and so on."""
        at: Offer | None = offer
        while at and at.source in self.inputs.fed:
            extended = at.mode == EXTENDED
            if extended != self.inputs.view.flag("extended", at.source):
                text = "{unit} is flipped to Extended Mode" if extended else "{unit} is flipped back to its front side"
                yield step("14.2", f"{text} for this, and therefore for all that it serves", unit=at.source)
            at = self.side.best_offer_to(at.source)

    def _find_less_among_side(self, offer: Offer) -> UnitSupply | None:
        """Return the unit's supply among its whole side if it is worse there, or None.

        It is worse if the unit's source has another mode there, or serves others.
        """
        source = self.inputs.sources.get(offer.source)
        if not offer.group and (source is None or source.source.kind != "corps-train"):
            return None  # a depot serves the same units equally well in Extended Mode
        if any(other.gives >= offer.gives and other.mode == ALWAYS and not other.group for other in self.offers):
            return None  # no other unit can take that offer from the unit
        among = self._find_states_of_side().supply_of(self.unit)
        return among if among.could.state and RANK[among.could.state] < offer.gives else None

    def _find_states_of_side(self) -> SideStates:
        """Return the states of the unit's whole side, including sources that the unit may not use."""
        few = AskedAlone() if len(self.inputs.around.units) <= _MAX_UNITS_TRACED_BACK else None
        return side_states(self.inputs.view.quiet_view(), self.inputs.side, few)


# --- the sources that are tried ---------------------------------------------------------------------------------------


def _list_sources(judged: _JudgedUnit) -> Iterator[TriedSource]:
    """Yield the sources that attachment allows a unit, each with its line or the reason why it does not serve.

    Depots come first and Corps Trains last, then the RR line and the half-hexes of the Bukowina.
    """
    inputs, client = judged.inputs, judged.client
    if inputs.typed:
        yield _try_typed_line(judged, inputs.typed)
    if inputs.typed or judged.briefly:
        return
    if client.arm not in DEPOTS:
        every = [other for other in inputs.list_kin(client) if other.source.kind in DEPOTS]
        if client.arm not in SUPPLY_ARMS:
            every = sorted(inputs.list_kin(client), key=lambda other: _PLACE_IN_LIST.get(other.source.kind, 1))
        for other in every:
            bar = inputs.find_bar(client, other)
            if not (isinstance(bar, SourceBar) and bar.of_another):
                yield _try_source(judged, other.source, _find_bar(judged, other))
    yield from _try_nearest_railway(judged)
    with inputs.view.gather() as facts:
        half_hexes = bukowina_sources(facts, judged.unit)
    offering = {offer.source for offer in judged.offers}
    for source, why_not in half_hexes:
        # a half-hex farther off can serve only along RR lines, and is listed only if it does
        near = inputs.view.board.distance(source.place, judged.place) <= BUKOWINA_RANGE_HEXES
        if near or source.name in offering:
            yield _try_source(judged, source, why_not)


def _try_typed_line(judged: _JudgedUnit, typed: TypedLine) -> TriedSource:
    inputs, lines = judged.inputs, judged.side.lines
    source, line = lines.trace_typed(judged.client, typed)
    if judged.offers:
        return tried_source(source, line, _find_doubt(judged, typed.source))
    other = inputs.sources.get(typed.source)
    why_not = typed.barred or (_find_bar(judged, other) if other else "") or line.barred
    if not why_not and source.kind == RR_LINE and line.start not in lines.board.linked:
        owner = inputs.view.game.file.the_side(inputs.side)
        why_not = f"no operational RR line of {owner} links {line.start} to a friendly map edge (14.2.3)"
    near, far = near_and_far(source)
    too_far = f"{source.name} has a range of {near}{f', or {far} extended' if far else ''}"
    return tried_source(source, line, why_not or too_far)


def _try_source(judged: _JudgedUnit, source: LineSource, why_not: str) -> TriedSource:
    """Return a source with its line to the unit, and the reason why it does not serve.

    `why_not`: why it cannot serve at any distance, or "" if it may.
    """
    if not why_not and all(offer.source != source.name for offer in judged.offers):
        why_not = "no typed line within its range" if judged.inputs.ground.network else "no line within its range"
    line = judged.side.lines.board.line(source, judged.place)
    return tried_source(source, line, why_not or _find_doubt(judged, source.name))


def _try_nearest_railway(judged: _JudgedUnit) -> Iterator[TriedSource]:
    """Yield the RR line that may supply the unit: the one under a supply unit, or the nearest one."""
    lines, client, place = judged.side.lines, judged.client, judged.place
    is_depot = client.arm in DEPOTS
    if client.arm in SUPPLY_ARMS:
        is_linked = is_depot or place in lines.board.railway.cost
    else:
        is_linked = lines.reach(RAILWAY, place) is not None
    if is_linked:
        source, line = lines.line_of_offer(client, Offer(judged.unit.id, RR_LINE, FULL))
        yield tried_source(source, line, _find_bar_without_loc(judged, place) if is_depot else "")


def _find_bar(judged: _JudgedUnit, other: SupplyUnit) -> str:
    """Return why a source does not serve the unit at any distance, or "" if it may."""
    bar = judged.inputs.find_bar(judged.client, other)
    if bar:
        return bar.why if isinstance(bar, SourceBar) else "whether it may serve the unit is not stated"
    known = judged.side.certain.get(other.unit.id)
    if other.why_not or other.unit.id not in judged.inputs.fed or not known or known.state == "in" or known.asks:
        return other.why_not
    is_depot = other.source.kind in DEPOTS
    return _find_bar_without_loc(judged, other.source.place) if is_depot else "itself Out of Supply (14.2.2)"


def _find_bar_without_loc(judged: _JudgedUnit, place: str) -> str:
    """Return why a depot in a hex is known to be Out of Supply, or ""."""

    def find_bar(facts: Gather) -> str:
        return bar_without_loc(facts, judged.side.lines.board, place)

    why_not, missing = evaluate_if_known(judged.inputs.view, find_bar)
    return f"whether {place} has an RR Station is not stated (14.2.1)" if missing else why_not or ""


def _find_doubt(judged: _JudgedUnit, source: str) -> str:
    """Return why a source may not serve the unit although its line reaches it, or "" if it certainly serves."""
    return "" if judged.side.serves(source) else f"whether {source} is itself In Supply is undecided (14.2)"


# --- parts of the report ----------------------------------------------------------------------------------------------


def _report_shared(
    view: View,
    unit: Unit,
    formation: _JudgedUnit,
    beside: Sequence[str],
    cap: Cap | None,
    report: Report[SupplyResult],
) -> Report[SupplyResult]:
    """Return the report on an Asset Unit that shares the supply of its formation.

    `beside`: the formations in its hex.
    `cap`: the limit of the Asset Unit to Low Supply, or None.
    """
    name = formation.unit.id
    text = "{unit} shares the supply of {force}, with which it is stacked"
    others = [other for other in beside if other != name]
    if others and not view.state.value("with", unit.id):
        text += "; its owner may attach it to {units} instead (with=UNIT)"
    parts = [Part("Attachment", (step("6.4.1", text, unit=unit.id, force=name, units=others),)), *report.parts]
    result, outcome = report.result, report.verdict
    assert result is not None
    template = outcome.template.replace("{unit}", "{unit} (attached to {force})")
    kind, figures = outcome.kind, {**outcome.figures, "unit": unit.id, "force": name}
    result = replace(result, unit=unit.id, through=name)
    if cap and result.state == "in":
        result = replace(result, state="low", stands="low" if result.stands == "in" else result.stands, among=None)
        kind, figures = KINDS["low"], {**figures, "state": STATES["low"]}
        parts += [] if formation.briefly else _cause_parts(cause_of_cap(unit.id, cap))
    shared = make_unit_report(result, Verdict(kind, template, figures), *parts, asks=report.asks)
    return replace(shared, cautions=report.cautions)


def _cause_parts(cause: Cause | None) -> list[Part]:
    return [Part("Cause", (step("14.4", "{cause}", cause=cause.text),), brief=cause.text)] if cause else []


def _service_part(result: SupplyResult) -> Part:
    """Return the part on why a supply unit serves no other, empty if it may."""
    text = "{unit} supplies no units: {why}"
    return Part("Service", (step("14.2", text, result, why=result.idle),) if result.idle else ())


GROUND = ("terrain", "barrier")
OTHER_LINE = ("other-line",)

# --- the question -----------------------------------------------------------------------------------------------------


class SupplyParameters(Parameters, frozen=True):
    """The units whose supply is asked: one, several, or all of a side."""

    unit: Annotated[tuple[UnitName, ...], note("ids of the units asked about; all units of the side if left out")] = ()
    side: Annotated[
        SideName, note("whose units; if left out, the viewpoint's, else the phasing side's, else both sides'")
    ] = ""
    line: Annotated[
        AnyName, note("a typed line by its name; the one that ends at the unit if left out", option="typed-line")
    ] = ""


def answer(view: View, parameters: SupplyParameters) -> Report[SupplyResult | WholeSupply]:
    """Return the report on the supply of a unit, or of many.

    A unit's line is typed, or traced over a drawn board from every source.

    Raises MissingFacts if a fact is not stated, InputError if the typed line does not lead to the unit.
    """
    check_bearers(view, view.units())
    report = _ask_supply(view, parameters)
    for left_out in campaign_steps(view, report.result.units if report.result else ()):
        view.premises.assume(left_out)
    parts = (*report.parts, deciding_part(view))
    return msgspec.structs.replace(report, short=tuple(format_briefly(report)), parts=parts)


def _ask_supply(view: View, parameters: SupplyParameters, *, briefly: bool = False) -> Report[Any]:
    """Return the report on one unit, or on many.

    `briefly`: whether to leave out causes and modes, which decide no state.
    """
    if len(parameters.unit) == 1 and not parameters.side:
        return report_unit_supply(view, view.unit(parameters.unit[0]), parameters.line, briefly=briefly)
    return _report_many(view, parameters, briefly=briefly)


def _report_many(view: View, parameters: SupplyParameters, *, briefly: bool = False) -> Report[Any]:
    """Return the report on the supply of many units.

    `briefly`: as in `_ask_supply`.

    Raises InputError if a unit is not on the map, or a line is typed.
    """
    if parameters.line:
        how = f"name it: ask supply unit=UNIT line={quoted(parameters.line)}"
        raise InputError("a line supplies one unit", hint=how)
    hint = "leave out the side, or the unit of the ask line with an empty unit="
    check_units(view, parameters.unit, parameters.side, hint)
    asked_sides = sides_asked(view, parameters.side, parameters.unit, view.word("phasing"))
    sides = [side_states(view, side, causes=not briefly).answer(parameters.unit) for side in asked_sides]
    shown = [side.supply for side in sides if side.supply.units or len(sides) == 1]
    phase = phase_of(view)
    changes = tuple(change for side in sides for change in side.changes)
    if changes and phase not in ("", "other", "supply"):
        text = "supply units are flipped for supply only in the Supply Phase, and this is {phase}"
        view.premises.assume(step("14.2", text, phase=phase))
    title_of = view.game.file.title_of
    parts = [sides_part(shown, title_of)] if len(shown) > 1 else []
    for supply in shown:
        parts += side_parts(view, supply, title_of(supply.side) if len(shown) > 1 else "")
    asks = {ask.name: ask for side in sides for ask in side.asks}
    tracks = [track for ask in asks.values() if ask.key[:1] == OTHER_LINE for track in GROUND]
    parts += [changes_part(changes), Part(PAPER_MAP, state_at_once(view, tracks))]
    return Report(
        title=f"Supply of {', '.join(parameters.unit) or ' and '.join(map(view.game.file.the_side, asked_sides))}",
        verdict=whole_verdict(shown),
        parts=tuple(parts),
        cautions=list_cautions(
            exact=all(supply.exact for supply in shown),
            more=[text for side in sides for text in side.cautions],
        ),
        asks=tuple(asks.values()),
        changes=changes,
        result=WholeSupply(sides=tuple(shown)),
    )


def _decision_of(report: Report[SupplyResult | WholeSupply]) -> Hashable:
    """Return the parts of a report that matter for comparison: its verdict's kind, the units' states and isolation."""
    units = report.result.units if report.result else ()
    return (report.verdict.kind, *((row.unit, row.could.state, row.isolated) for row in units))


def _sketch(view: View, report: Report[SupplyResult | WholeSupply]) -> LineSketch:
    from .picture import draw_supply  # only here: most answers are not drawn

    return draw_supply(view, report, find_supply_alone)


QUESTION = declare(
    "supply",
    "which units are in supply, along which hexes, and why not",
    answer,
    sketch=_sketch,
    decision=_decision_of,
    decide=partial(_ask_supply, briefly=True),
    shows=(Sets(track="supply", subject="unit", value=lambda report: getattr(report.result, "state", None)),),
)
