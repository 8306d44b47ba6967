"""The results of the questions about supply, of one unit and of many, and their parts in words (14)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from types import SimpleNamespace
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from assistant.asking import Part, Step, Verdict, View, note, step, verdict
from assistant.asking.asks import Ask
from assistant.asking.bounds import at_least
from assistant.asking.question import TAKEN_FOR_GRANTED
from assistant.asking.report import Report, VerdictKind, as_sentence
from assistant.rules.field.lines import LineSource, LineStep, TracedLine
from assistant.state.changes import Change
from assistant.state.vocabulary import InWords, Name, UnitHex, UnitId, UnitPlace
from assistant.util.limits import Limit
from assistant.util.memo import Memo

from ..forces.unit import Cap
from ..ground.calendar import flood_left_out, weather_left_out
from ..ground.hexsides import between
from ..terms import GREAT_RIVERS, SAY
from .ground import LINKED, OPERATIONAL, supply_ground
from .rules import SupplyState, TriedSource, near_and_far
from .sources import campaign_left_out

STATES: Mapping[str | None, str] = {
    "in": "In Supply",
    "low": "in Low Supply",
    "out": "Out of Supply",
    None: "undecided",
}
KINDS: Mapping[SupplyState, VerdictKind] = {"in": "yes", "low": "figure", "out": "no"}
"""The answer to the question whether a unit is In Supply, by state."""


class SupplyResult(msgspec.Struct, frozen=True, kw_only=True, tag="unit"):
    """The supply of a unit asked about alone."""

    unit: UnitId
    place: UnitHex
    state: Annotated[
        SupplyState | None, note("the supply state, null where only one typed line was judged and it does not serve")
    ]
    isolated: Annotated[bool | None, note("whether an Out of Supply unit is Isolated")] = None
    through: Annotated[str, note("the formation whose supply an Asset Unit shares")] = ""
    source: Annotated[str, note("the source that serves the unit")] = ""
    extended: Annotated[bool, note("whether the source must be in Extended Mode")] = False
    cost: Annotated[Fraction | None, note("length of the line in hexes")] = None
    start: Annotated[str, note("the hex in which the line begins, empty if the unit needs or has no line")] = ""
    line: Annotated[tuple[LineStep, ...], note("the hexes of the line, from the source")] = ()
    stands: Annotated[
        SupplyState | None, note("the state with supply units in their present modes, null if not traced")
    ] = None
    among: Annotated[
        SupplyState | None, note("the state with sources allotted as best serves the whole side, null if no worse")
    ] = None
    tried: Annotated[tuple[TriedSource, ...], note("every source that was tried")] = ()
    idle: Annotated[str, note("why a supply unit supplies no others, whatever its own supply; empty if it may")] = ""

    @property
    def units(self) -> tuple[SupplyResult]:
        """The unit alone, in the form of `WholeSupply.units`."""
        return (self,)

    @property
    def could(self) -> PlannedSupply:
        """The unit's supply in the form of reports on whole sides."""
        return PlannedSupply(
            state=self.state,
            source=self.source,
            extended=self.extended,
            cost=self.cost,
            start=self.start,
            line=self.line,
        )


def tried_source(source: LineSource, line: TracedLine | None, why_not: str) -> TriedSource:
    """Return a tried source with the length of its line, if a line leads to the unit.

    A line reported by the player has no ranges.
    """
    near, far = near_and_far(source) if source.ranges else (None, None)
    return TriedSource(
        source=source.name,
        kind=source.kind,
        place=source.place,
        cost=None if line is None else line.cost,
        range=near,
        extended_range=far,
        why_not=why_not,
    )


def format_briefly(report: Report[Any]) -> Iterator[Step]:
    """Yield a report on supply in a few sentences.

    One unit: its state, its line, the cause of a worse state, and the units flipped for it. Many units: the number in
    each state, and the units not In Supply.
    """
    result, outcome = report.result, report.verdict
    if not isinstance(result, SupplyResult):
        yield SAY("14.4", "supply.of", who=report.title.removeprefix("Supply of "), counts=outcome.text)
        rows = result.units if result else ()
        for state in ("out", "low"):
            units = [row.unit for row in rows if row.could.state == state]
            if units:
                yield SAY("14.4", "supply.all_in", state=TITLES[state], units=units)
        return
    yield as_sentence("14.4", outcome)
    if len(result.line) > 1:
        yield SAY("14.1.2", "supply.line", way=[SAY.brief("supply.hex", entered) for entered in result.line])
    for part in report.parts:
        for line in part.steps:
            if part.title == "Cause":
                yield SAY(line.rule, "supply.cause", cause=line.text)
            elif part.title == "Modes":
                yield as_sentence(line.rule, line)


def state_verdict(result: SupplyResult, text: str) -> Verdict:
    """Return the verdict on a supply state.

    `text`: the template of the verdict.
    """
    assert result.state is not None  # an undecided state has a verdict of its own
    return verdict(KINDS[result.state], text, result, state=STATES[result.state])


def sources_part(listed: Sequence[TriedSource]) -> Part:
    """Return the part on the sources that were tried."""
    text = (
        "{source} in {place}, range {range}[extended_range:, extended {extended_range}]"
        "[reached:: {cost:#hex} away|: no line][why_not:; {why_not}]"
    )
    steps = [step("14.2", text, source, reached=source.cost is not None) for source in listed]
    return Part("Sources", tuple(steps) or (Step("14.2", "no source that the unit may draw on reaches it"),))


def isolation_part(*, isolated: bool) -> Part:
    """Return the part on the test of isolation."""
    text = "line of any length to an operational RR hex (a friendly ZOC opens a hex to it): {found}"
    return Part("Isolation", (step("14.4.1", text, found=not isolated),))


def make_unit_report(
    result: SupplyResult, verdict: Verdict, *parts: Part, asks: tuple[Ask, ...] = ()
) -> Report[SupplyResult]:
    """Return the report on the supply of a unit."""
    return Report(
        title=f"Supply of {result.unit} in {result.place}", verdict=verdict, parts=parts, asks=asks, result=result
    )


FED_ITSELF = "{source} is itself In Supply (no marker stated)"
NO_MORE = "no other source or line gives {unit} more than Low Supply"
DECIDING = (LINKED, OPERATIONAL, FED_ITSELF, NO_MORE)
"""Assumptions on which a supply state can depend (14.2, 14.2.3, 14.4, 17.1.1)."""


def deciding_part(view: View) -> Part:
    """Return the part of the short report on the assumptions that decide the answer."""
    texts = (granted.text for granted in view.premises.assumptions if granted.template in DECIDING)
    return Part(TAKEN_FOR_GRANTED, (), brief="; ".join(texts))


HindranceKind = Literal[
    "enemy",
    "ezoc",
    "river",
    "railway",
    "terrain",
    "range",
    "attachment",
    "capacity",
    "mode",
    "loc",
    "station",
    "unsupplied",
    "turn",
    "rule",
]
ON_LINE: Collection[HindranceKind] = ("enemy", "ezoc", "river", "railway")
"""The kinds of hindrances on a line."""
MAX_NAMED = 3
"""The maximum number of things named in a text; the result lists all."""


class Hindrance(msgspec.Struct, frozen=True, kw_only=True):
    """One of the things that keep a unit from supply."""

    kind: Annotated[
        HindranceKind,
        note(
            "what the hindrance is; unsupplied for a source that supplies no units now, "
            "turn or rule for a unit in Low Supply at best"
        ),
    ]
    where: Annotated[str, note("the hex, the hexside or the source")]
    by: Annotated[tuple[str, ...], note("the units responsible: enemies, or units that take the unit's place")] = ()
    text: InWords


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """The hindrances that keep a unit from supply; supply needs all of them removed."""

    source: Annotated[str, note("the source from which the unit's best line would lead, empty if there is none")] = ""
    gives: Annotated[SupplyState, note("the state that the unit would then have: in or low")] = "in"
    cost: Annotated[Fraction | None, note("length of the best line in hexes, null if none is known")] = None
    hindrances: Annotated[tuple[Hindrance, ...], note("everything that would have to change")] = ()
    line: Annotated[tuple[str, ...], note("the hexes of the best line, from the source, as far as it is known")] = ()
    ends: Annotated[
        str, note("the last hex of the best line within the range of its source, empty if none lies beyond")
    ] = ""
    limit: Annotated[int | None, note("that range in hexes, null if no hex of the line lies beyond it")] = None

    @property
    def text(self) -> str:
        """The cause in words."""
        texts = [hindrance.text for hindrance in self.hindrances[:MAX_NAMED]]
        if len(self.hindrances) > MAX_NAMED:
            texts.append(f"{len(self.hindrances) - MAX_NAMED} more")
        said = "; ".join(texts)
        if not self.hindrances or self.hindrances[0].kind not in ON_LINE:
            return said
        return f"its LOC is cut: {said}" if self.source == "LOC" else f"on the line from {self.source}, {said}"


def cause_of_cap(unit: str, cap: Cap) -> Cause:
    """Return the cause for a unit that has Low Supply at best, along any line."""
    text = f"{cap.words} in Low Supply at best ({cap.rule})"
    return Cause(hindrances=(Hindrance(kind=cap.kind, where=unit, text=text),))


class PlannedSupply(msgspec.Struct, frozen=True, kw_only=True):
    """The supply that a unit has in one plan."""

    state: Annotated[SupplyState | None, note("the supply state, null where facts are missing")]
    source: Annotated[str, note("the source that serves the unit, empty if none does")] = ""
    extended: Annotated[bool, note("whether the source is in Extended Mode")] = False
    cost: Annotated[Fraction | None, note("length of the line in hexes, null if the unit needs or has no line")] = None
    start: Annotated[str, note("the hex in which the line begins, empty if the unit needs or has no line")] = ""
    line: Annotated[tuple[LineStep, ...], note("the hexes of the line, from the source")] = ()


class UnitSupply(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's supply as part of its side's."""

    unit: UnitId
    place: UnitPlace
    marked: Annotated[
        str, note("the state that the position gives the unit, set in the last Supply Phase: in, low or out")
    ]
    stands: Annotated[PlannedSupply, note("the supply with supply units in the modes that the position gives")]
    could: Annotated[PlannedSupply, note("the supply with the best modes that its side may choose")]
    alone: Annotated[
        SupplyState | None, note("the best state if no other unit drew supply, null where facts are missing")
    ]
    isolated: Annotated[bool | None, note("whether it is Isolated, if it is Out of Supply with the best modes")] = None
    through: Annotated[str, note("the formation whose supply an Asset Unit shares")] = ""
    cause: Annotated[Cause | None, note("what would have to change, null for a unit In Supply")] = None
    missing: Annotated[tuple[str, ...], note("what to state where facts are missing")] = ()
    idle: Annotated[str, note("why a supply unit supplies no others, whatever its own supply; empty if it may")] = ""


Supplied = SupplyResult | UnitSupply
"""A unit with its supply, asked about alone or among its side."""
S = TypeVar("S", bound=Supplied)
T = TypeVar("T")


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """The number of units in each state."""

    in_supply: Annotated[int, note("units In Supply")] = 0
    low: Annotated[int, note("units in Low Supply")] = 0
    out: Annotated[int, note("units Out of Supply")] = 0
    isolated: Annotated[int, note("units Out of Supply that are Isolated")] = 0
    perhaps_isolated: Annotated[int, note("units Out of Supply of which it is not known whether they are Isolated")] = 0
    doubtful: Annotated[int, note("units for which facts are missing")] = 0


class SideSupply(msgspec.Struct, frozen=True, kw_only=True):
    """The supply of a side."""

    side: Name
    stands: Annotated[Totals, note("the side's units in the position as it stands")]
    could: Annotated[Totals, note("the side's units with the best modes that it may choose")]
    extended: Annotated[tuple[str, ...], note("the supply units in Extended Mode with the best modes")] = ()
    exact: Annotated[bool, note("whether no choice of modes is better; false if there were too many to try")] = True
    units: Annotated[tuple[UnitSupply, ...], note("the side's units, doubtful and unsupplied ones first")] = ()


class WholeSupply(msgspec.Struct, frozen=True, kw_only=True, tag="sides"):
    """The supply of whole sides, or of several units."""

    sides: Annotated[tuple[SideSupply, ...], note("each side asked about")] = ()

    @property
    def units(self) -> tuple[UnitSupply, ...]:
        """The units of all sides."""
        return tuple(unit for side in self.sides for unit in side.units)


ORDER: tuple[SupplyState | None, ...] = (None, "out", "low", "in")
"""The order of states in lists, undecided first."""


def sort_units(units: Sequence[UnitSupply]) -> tuple[UnitSupply, ...]:
    """Return units by state, undecided first, then by hex."""
    return tuple(sorted(units, key=lambda row: (ORDER.index(row.could.state), not row.isolated, row.place, row.unit)))


def count_units(units: Sequence[UnitSupply]) -> Totals:
    """Return the number of units in each state with the best modes, and the number that are Isolated."""
    isolated = [row.isolated for row in units if row.could.state == "out"]
    counted = count_states([row.could for row in units])
    return msgspec.structs.replace(counted, isolated=isolated.count(True), perhaps_isolated=isolated.count(None))


def count_states(planned: Iterable[PlannedSupply]) -> Totals:
    """Return the number of units in each state in a plan, without isolation."""
    states = [supply.state for supply in planned]
    return Totals(
        in_supply=states.count("in"), low=states.count("low"), out=states.count("out"), doubtful=states.count(None)
    )


def write_source(source: str, cost: Fraction | None, *, extended: bool) -> str:
    """Return the template on the source of a unit, which follows the unit's state."""
    text = ""
    if source:
        text = ": {source}" if cost is None else " from {source}"
    if cost:
        text += ", {cost:#hex} away"
    if extended:
        text += " in Extended Mode"
    return text


TYPE_IT = "type it, as "
"""The beginning of an instruction to type a part of the map."""


def format_missing(missing: Sequence[str]) -> list[str]:
    """Return instructions for missing facts: `state turn=3`, `type it, as 40.22-40.23`."""
    typed = [how for how in missing if how.startswith(TYPE_IT)]
    stated = ", ".join(how for how in missing if how not in typed)
    return [f"state {stated}", *typed] if stated else typed


ISOLATED = {True: " and Isolated", None: ", perhaps Isolated", False: ""}
"""The words on isolation after Out of Supply, with None for unknown."""


def _unit_step(row: UnitSupply) -> Step:
    state = row.could.state
    words = SimpleNamespace(
        state=STATES[state],
        standing=STATES[row.stands.state],
        marked=STATES[row.marked],
        cause=row.cause.text if row.cause else "",
        wanted=format_missing(row.missing),
        is_out=row.cause and state == "out",
        is_short=row.cause and state != "out",
        is_idle=row.idle and state == "in",
        stands_otherwise=row.stands.state != state,
        is_marked_otherwise=row.marked not in ("in", state),
    )
    if state is None:
        return step("14.4", "{unit} in {place}: undecided[cause:: {cause}]; {wanted}", words, row)
    isolated = ISOLATED[row.isolated if state == "out" else False]
    source = write_source(row.could.source, row.could.cost, extended=row.could.extended)
    text = (
        f"{{unit}} in {{place}}[through: (with {{through}})]: {{state}}{isolated}{source}"
        "[is_out:: {cause}][is_short:; {cause}][is_idle:; it supplies no units: {idle}]"
        "[stands_otherwise:; as it stands {standing}][is_marked_otherwise:; marked {marked}]"
    )
    return step("14.4", text, words, row, row.could)


def changes_part(changes: Sequence[Change]) -> Part:
    """Return the part on supply units that must be flipped for these states."""
    steps = list[Step]()
    for change in changes:
        text = "{unit}: [extends:on its Extended Mode side|back on its front side]"
        steps.append(step("14.2", text, unit=change.subject, extends=change.after is not None))
    return Part("With these modes", tuple(steps))


TITLES: Mapping[SupplyState | None, str] = {
    None: "Undecided",
    "out": "Out of Supply",
    "low": "In Low Supply",
    "in": "In Supply",
}


_STEPS: Memo[None, dict[str, tuple[UnitSupply, Step]]] = Memo()
"""The step about each unit, with the supply that it states."""
_RIVERS: Memo[None, dict[str, tuple[Supplied, list[str]]]] = Memo()
"""The Major and Grand Rivers that each unit's supply line crosses, with the supply along the line."""


def _each_once(view: View, memo: Memo[None, dict[str, tuple[S, T]]], work: Callable[[S], T], row: S) -> T:
    """Return the result of `work` for a unit's supply, computed once for views with the same supply."""
    results = view.memo(memo, None, lambda known, divergence: {**(known or {})})
    if row.unit not in results or results[row.unit][0] is not row:
        results[row.unit] = row, work(row)
    return results[row.unit][1]


def side_parts(view: View, supply: SideSupply, side: str = "") -> list[Part]:
    """Return a side's units by state.

    `side`: the name of the side, or "" if titles do not give it.
    """
    parts = []
    for state in ORDER:
        rows = (row for row in supply.units if row.could.state == state)
        steps = tuple(_each_once(view, _STEPS, _unit_step, row) for row in rows)
        title = f"{TITLES[state]} ({side})" if side else TITLES[state]
        parts.append(Part(title, steps))
    return parts


COUNTS = "{in_supply} In Supply, {low} in Low Supply, {out} Out of Supply"


def write_counts(counted: Totals) -> str:
    """Return the template for the number of units in each state.

    If isolation is unknown for some units, it gives the minimum number of Isolated ones.
    """
    isolated = ["{isolated} Isolated"] if counted.isolated else []
    if counted.perhaps_isolated:
        isolated = [*(at_least(text, "isolated") for text in isolated), "not known whether {perhaps_isolated} Isolated"]
    said = f" ({'; '.join(isolated)})" if isolated else ""
    return f"{COUNTS}{said}[doubtful:, {{doubtful}} undecided]"


def sides_part(sides: Sequence[SideSupply], title_of: Callable[[str], str]) -> Part:
    """Return the part with a line for each side.

    `title_of`: a function that returns the name of a side.
    """
    steps = list[Step]()
    for supply in sides:
        text = "{side}: " + write_counts(supply.could)
        steps.append(step("14.4", text, supply.could, side=title_of(supply.side)))
    return Part("Sides", tuple(steps))


def whole_verdict(sides: Sequence[SideSupply]) -> Verdict:
    """Return the verdict on the supply of all units."""
    units = [unit for side in sides for unit in side.units]
    could = count_units(units)
    if not units:
        return SAY.verdict("figure", "supply.no_units")
    return verdict("undecided" if could.doubtful else "figure", write_counts(could), could)


UNTRIED = f"not every choice of modes was tried, as there are too many; {Limit.PLANS.variable} sets the limit"
"""The caution that the best modes are not certain."""


def list_cautions(*, exact: bool, more: Iterable[str] = ()) -> tuple[Step, ...]:
    """Return the cautions about an answer on supply.

    `exact`: whether all modes were tried.
    `more`: further cautions, in words.
    """
    texts = [] if exact else [UNTRIED]
    texts += dict.fromkeys(more)
    return tuple(Step("", text) for text in texts)


def campaign_steps(view: View, units: Sequence[Supplied]) -> Iterator[Step]:
    """Yield a step for each campaign rule that would affect supply, if the use of these rules is not stated."""
    yield from weather_left_out(view)
    yield from flood_left_out(view, _find_rivers_crossed(view, units))
    yield from campaign_left_out(view, {row.through or row.unit: row.could.source for row in units})


def _find_rivers_crossed(view: View, units: Iterable[Supplied]) -> list[str]:
    """Return the Major and Grand Rivers that the lines of units cross, except by rail."""
    quiet = view.quiet_view()
    find_rivers = partial(_list_rivers_crossed, quiet)
    return [*dict.fromkeys(river for row in units for river in _each_once(view, _RIVERS, find_rivers, row))]


def _list_rivers_crossed(view: View, row: Supplied) -> list[str]:
    rivers = list[str]()
    if row.could.state and row.could.start:
        for here, there in pairwise((row.could.start, *(entered.hex for entered in row.could.line))):
            over = between(view, here, there)
            if GREAT_RIVERS & over.lies:
                lines = supply_ground(view, view.side_of(row.unit)).certain
                if not lines.along((here, there)).linked:
                    rivers.append(over.name)
    return rivers
