"""The typed results of asking for supply, of one unit and of many, their parts in words, and what a typed line takes for granted (14)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any

import msgspec

from assistant.field.lines import Line, LineStep, Source
from assistant.questions import Part, Step, Verdict, View, note, step, verdict
from assistant.questions.question import TAKEN_FOR_GRANTED
from assistant.questions.report import Ask, Report, VerdictKind
from assistant.state import sources
from assistant.state.changes import Change
from assistant.util.limits import Limit

from ..ground.hexsides import between
from ..terms import GREAT_RIVERS, SUPPLY_ARMS
from .rules import near_and_far

STATES = {"in": "In Supply", "low": "in Low Supply", "out": "Out of Supply"}
KINDS: Mapping[str, VerdictKind] = {"in": "yes", "low": "figure", "out": "no"}
"""What a state answers to the question whether a unit is In Supply."""


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """How far a source reaches, and the length of its line."""

    source: Annotated[str, note("its name")]
    kind: Annotated[str, note("corps-train, minor-depot, major-depot, fortress or RR line")]
    place: Annotated[str, note("its hex")]
    cost: Annotated[Fraction | None, note("length of its line in hexes, null where none is known or leads there")]
    range: Annotated[int | None, note("normal reach in hexes, null where the player vouches for the line")]
    extended_range: Annotated[int | None, note("in Extended Mode, or of Low Supply for a RR line")]


class SourceTried(Reach, frozen=True, kw_only=True):
    """A supply source that was tried."""

    why_not: Annotated[str, note("why it does not serve, empty if it does")]


class SupplyResult(msgspec.Struct, frozen=True, kw_only=True, tag="unit"):
    """A unit's supply."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex")]
    state: Annotated[str | None, note("in, low or out; null where only one typed line was judged and does not serve")]
    isolated: Annotated[bool | None, note("whether an Out of Supply unit is Isolated")] = None
    through: Annotated[str, note("the formation whose supply an Asset Unit shares")] = ""
    source: Annotated[str, note("what serves it")] = ""
    extended: Annotated[bool, note("whether that has to be in Extended Mode")] = False
    cost: Annotated[Fraction | None, note("length of the line in hexes")] = None
    line: Annotated[tuple[LineStep, ...], note("its hexes from the source")] = ()
    stands: Annotated[
        str | None,
        note("its state with supply units in the modes that the position gives them, null where that was not traced"),
    ] = None
    among: Annotated[
        str | None,
        note("its state with what serves its whole side best, where that is less; null where it is the same"),
    ] = None
    tried: Annotated[tuple[SourceTried, ...], note("every source that was tried")] = ()
    idle: Annotated[str, note("why a supply unit serves nobody whatever its own supply, empty if it may")] = ""

    @property
    def units(self) -> tuple[SupplyResult]:
        """The unit alone, as `WholeSupply` has many."""
        return (self,)

    @property
    def could(self) -> Served:
        """Its supply, as that of a unit among its side."""
        return Served(**{name: getattr(self, name) for name in Served.__struct_fields__})


def reach(source: Source, line: Line | None) -> dict[str, Any]:
    """The fields of a `Reach`: of a source, without ranges where the player vouches for the line, and the line from it."""
    near, far = near_and_far(source) if source.ranges else (None, None)
    where = {"source": source.name, "kind": source.kind, "place": source.place}
    return {**where, "cost": None if line is None else line.cost, "range": near, "extended_range": far}


def tried(source: Source, line: Line | None, why_not: str) -> SourceTried:
    """A source with the line from it, as far as one leads to the unit."""
    return SourceTried(**reach(source, line), why_not=why_not)


def state_verdict(result: SupplyResult, text: str) -> Verdict:
    """The supply state in a line. text: how it is said."""
    state = str(result.state)
    return verdict(KINDS[state], text, result, state=STATES[state])


def sources_part(listed: Sequence[SourceTried]) -> Part:
    """Every source that was tried."""
    steps = []
    for one in listed:
        text = "{source} in {place}, range {range}" + (", extended {extended_range}: " if one.extended_range else ": ")
        text += "no line" if one.cost is None else "{cost:#hex} away"
        steps.append(step("14.2", text + ("; {why_not}" if one.why_not else ""), one))
    return Part("Sources", tuple(steps) or (Step("14.2", "no source that the unit may draw on reaches it"),))


def start_of(view: View, source: str) -> str:
    """The hex in which a line from a source begins, "" for what needs no line: of a supply unit its own, of another the one that it is
    named after."""
    if source in view.state.units:
        return view.state.units[source].place or ""
    _, at, place = source.rpartition(" at ")
    return place if at and view.board.has(place) else ""


def isolation_part(isolated: bool) -> Part:
    """The test of isolation."""
    text = "line of any length to an operational RR hex (a friendly ZOC opens a hex to it): {found}"
    return Part("Isolation", (step("14.4.1", text, found=not isolated),))


def report(result: SupplyResult, verdict: Verdict, *parts: Part, asks: tuple[Ask, ...] = ()) -> Report[SupplyResult]:
    """The report on the supply of a unit."""
    return Report(
        title=f"Supply of {result.unit} in {result.place}", verdict=verdict, parts=parts, asks=asks, result=result
    )


LINKED = "an operational RR line links {hexes} to a friendly map edge"
OPERATIONAL = "the RR line is operational in {hexes} (not stated)"
FED_ITSELF = "{source} is In Supply itself (no marker stated)"
NO_MORE = "no other source or line gives {unit} more than Low Supply"
DECIDING = (LINKED, OPERATIONAL, FED_ITSELF, NO_MORE)
"""What a supply state turns on where it is taken for granted (14.2, 14.2.3, 14.4, 17.1.1)."""


def deciding_part(view: View) -> Part:
    """What is taken for granted and decides the answer, as the brief form of what else is."""
    texts = (one.text for one in view.taken_for_granted if one.template in DECIDING)
    return Part(TAKEN_FOR_GRANTED, (), brief="; ".join(texts))


def take_for_granted(view: View, source: Source, line: Line, *, is_traced: bool = False) -> None:
    """Say what a typed line takes for granted: its source's own supply, unless that is traced, and what lies along RR lines and
    roads."""
    if source.kind in SUPPLY_ARMS and not is_traced and ("supply", source.name) not in view.state.facts:
        view.presume(step("14.2", FED_ITSELF, source=source.name))
    for one in line.steps:
        view.granted("terrain", one.hex, "clear", "14.1.1", "no High Mountain in {hexes}")


ON_LINE = ("enemy", "ezoc", "river", "railway")
"""The kinds of hindrances that lie on a line."""
NAMED = 3
"""How many things a text names; the result holds all of them."""


class Hindrance(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that keeps a unit from supply."""

    kind: Annotated[
        str,
        note(
            "enemy, ezoc, river, railway, terrain, range, attachment, capacity, mode, loc, station, unsupplied for a source "
            "that serves nobody now, or turn for a unit that is in Low Supply at best"
        ),
    ]
    where: Annotated[str, note("the hex, the hexside or the source")]
    by: Annotated[tuple[str, ...], note("the units behind it: enemies, or those that take its place")] = ()
    text: Annotated[str, note("the same in words")]


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """What would restore a unit: none of it alone, all of it together."""

    source: Annotated[str, note("the source from which its best line would lead, empty if there is none")] = ""
    gives: Annotated[str, note("the state it would then have: in or low")] = "in"
    cost: Annotated[Fraction | None, note("length of that line in hexes, null if none is known")] = None
    hindrances: Annotated[tuple[Hindrance, ...], note("all that would have to be otherwise")] = ()

    @property
    def text(self) -> str:
        """The cause in words."""
        told = [one.text for one in self.hindrances[:NAMED]]
        told += [f"{len(self.hindrances) - NAMED} more"] if len(self.hindrances) > NAMED else []
        on_line = bool(self.hindrances) and self.hindrances[0].kind in ON_LINE
        where = "its LOC is cut: " if self.source == "LOC" else f"on the line from {self.source}, "
        return (where if on_line else "") + "; ".join(told)


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """The supply that a unit has in one plan."""

    state: Annotated[str | None, note("in, low or out; null where facts are missing")]
    source: Annotated[str, note("what serves it, empty if nothing does")] = ""
    extended: Annotated[bool, note("whether that is in Extended Mode")] = False
    cost: Annotated[Fraction | None, note("length of the line in hexes, null where it needs none or has none")] = None
    line: Annotated[tuple[LineStep, ...], note("its hexes from the source")] = ()


class UnitSupply(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's supply among that of its side."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex or box")]
    marked: Annotated[str, note("the state that the position gives it, set in the last Supply Phase: in, low or out")]
    stands: Annotated[Served, note("its supply as it stands: supply units in the modes that the position gives them")]
    could: Annotated[Served, note("its supply with the best modes that its side may choose")]
    alone: Annotated[
        str | None, note("the best state it could have if no other unit counted, null where facts are missing")
    ]
    isolated: Annotated[bool | None, note("whether it is Isolated, if it is Out of Supply with the best modes")] = None
    through: Annotated[str, note("the formation whose supply an Asset Unit shares")] = ""
    cause: Annotated[Cause | None, note("what would have to be otherwise, null for a unit In Supply")] = None
    missing: Annotated[tuple[str, ...], note("what to state where facts are missing")] = ()
    drawn: Annotated[int, note("how many facts that are only drawn or assumed its state rests on")] = 0
    idle: Annotated[str, note("why a supply unit serves nobody whatever its own supply, empty if it may")] = ""


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """How many units are in which state."""

    in_supply: Annotated[int, note("units In Supply")] = 0
    low: Annotated[int, note("units in Low Supply")] = 0
    out: Annotated[int, note("units Out of Supply")] = 0
    isolated: Annotated[int, note("those of them that are Isolated")] = 0
    doubtful: Annotated[int, note("units for which facts are missing")] = 0


class SideSupply(msgspec.Struct, frozen=True, kw_only=True):
    """The supply of a side."""

    side: Annotated[str, note("its name")]
    stands: Annotated[Totals, note("its units as it stands")]
    could: Annotated[Totals, note("its units with the best modes that it may choose")]
    extended: Annotated[tuple[str, ...], note("the supply units that are in Extended Mode then")] = ()
    exact: Annotated[bool, note("whether no choice of modes is better; false if there were too many to try")] = True
    units: Annotated[tuple[UnitSupply, ...], note("its units, doubtful and unsupplied ones first")] = ()


class WholeSupply(msgspec.Struct, frozen=True, kw_only=True, tag="sides"):
    """The supply of whole sides, or of several units of theirs."""

    sides: Annotated[tuple[SideSupply, ...], note("each side that was asked for")] = ()

    @property
    def units(self) -> tuple[UnitSupply, ...]:
        """The units of all of them."""
        return tuple(unit for side in self.sides for unit in side.units)


ORDER = (None, "out", "low", "in")
"""The states in the order in which units are listed: doubtful and broken ones first."""


def in_order(units: Sequence[UnitSupply]) -> tuple[UnitSupply, ...]:
    """Units by their state, doubtful ones first, then by hex."""
    return tuple(sorted(units, key=lambda one: (ORDER.index(one.could.state), not one.isolated, one.place, one.unit)))


def totals(units: Sequence[UnitSupply], *, stands: bool, standing: bool = False) -> Totals:
    """How many units are in which state, as it stands or with the best modes. standing: whether isolation was told as it stands."""
    states = [(one.stands if stands else one.could).state for one in units]
    isolated = sum(bool(one.isolated) for one, state in zip(units, states, strict=True) if state == "out")
    return Totals(
        in_supply=states.count("in"),
        low=states.count("low"),
        out=states.count("out"),
        isolated=isolated if stands == standing else 0,
        doubtful=states.count(None),
    )


def by_source(source: str, cost: Fraction | None, extended: bool) -> str:
    """The template of what serves a unit, which stands behind its state."""
    text = (": {source}" if cost is None else " from {source}") if source else ""
    return text + (", {cost:#hex} away" if cost else "") + (" in Extended Mode" if extended else "")


def wanted(missing: Sequence[str]) -> list[str]:
    """What is to be stated or typed where facts are missing, in words: `state turn=3`, `type it, as 40.22-40.23`."""
    typed = [how for how in missing if how.startswith("type ")]
    stated = ", ".join(how for how in missing if how not in typed)
    return [*([f"state {stated}"] if stated else []), *typed]


def unit_step(one: UnitSupply) -> Step:
    """A unit's supply in a line."""
    if one.could.state is None:
        text = "{unit} in {place}: undecided" + (": {cause}; {wanted}" if one.cause else "; {wanted}")
        return step("14.4", text, one, wanted=wanted(one.missing), **({"cause": one.cause.text} if one.cause else {}))
    text = "{unit} in {place}" + (" (with {through})" if one.through else "") + ": {state}"
    text += " and Isolated" if one.isolated and one.could.state == "out" else ""
    text += by_source(one.could.source, one.could.cost, one.could.extended)
    if one.cause:
        text += (": " if one.could.state == "out" else "; ") + "{cause}"
    if one.idle and one.could.state == "in":
        text += "; it serves nobody: {idle}"
    if one.stands.state != one.could.state:
        text += "; as it stands {standing}"
    if one.marked not in ("in", one.could.state):
        text += "; marked {marked}"
    if one.drawn:
        text += "; on {drawn:#drawn fact}"
    figures = {
        "state": STATES[one.could.state],
        "source": one.could.source,
        "cost": one.could.cost,
        "standing": STATES.get(str(one.stands.state), "undecided"),
        "marked": STATES[one.marked],
        "cause": one.cause.text if one.cause else "",
    }
    return step("14.4", text, one, **{name: value for name, value in figures.items() if "{" + name in text})


def changes_part(changes: Sequence[Change]) -> Part:
    """The supply units that have to be flipped for these states."""
    words = "{unit}: on its extended side", "{unit}: back on its front side"
    return Part("With these modes", tuple(step("14.2", words[one.after is None], unit=one.subject) for one in changes))


TITLES = {None: "Undecided", "out": "Out of Supply", "low": "In Low Supply", "in": "In Supply"}


def side_parts(found: SideSupply, side: str = "") -> list[Part]:
    """A side's units by state. side: what it is called, "" if titles of parts do not name it."""
    parts = []
    for state in ORDER:
        steps = tuple(unit_step(one) for one in found.units if one.could.state == state)
        title = f"{TITLES[state]} ({side})" if side else TITLES[state]
        parts.append(Part(title, steps))
    return parts


COUNTS = "{in_supply} In Supply, {low} in Low Supply, {out} Out of Supply"


def counts(found: Totals) -> str:
    """The template for how many units are in which state."""
    isolated = " ({isolated} Isolated)" if found.isolated else ""
    return COUNTS + isolated + (", {doubtful} undecided" if found.doubtful else "")


def sides_part(sides: Sequence[SideSupply], title_of: Callable[[str], str]) -> Part:
    """Each side in a line. title_of: tells what it is called."""
    texts = ((one.could, "{side}: " + counts(one.could), title_of(one.side)) for one in sides)
    return Part("Sides", tuple(step("14.4", text, could, side=title) for could, text, title in texts))


def whole_verdict(sides: Sequence[SideSupply]) -> Verdict:
    """All units in a line."""
    units = [unit for found in sides for unit in found.units]
    could = totals(units, stands=False)
    if not units:
        return verdict("figure", "no units on the map")
    return verdict("undecided" if could.doubtful else "figure", counts(could), could)


UNTRIED = f"not every choice of modes was tried, for there are too many; {Limit.PLANS.variable} sets how many"
"""What is said where the best modes are not certain."""


def cautions(*, exact: bool, more: Iterable[str] = ()) -> tuple[Step, ...]:
    """What the supply of many units leaves open: modes that were not tried. exact: whether all were; more: what else, in words."""
    texts = [*([] if exact else [UNTRIED]), *dict.fromkeys(more)]
    return tuple(Step("", text) for text in texts)


def rests_on_drawn(view: View) -> bool:
    """Whether anything that was read is only drawn, and not accepted."""
    if sources.Source.DRAWN in view.state.accepts:
        return False
    return any(fact.source is sources.Source.DRAWN and not fact.assumed for fact in view.read.values())


def serving(result: SupplyResult | WholeSupply | None) -> dict[str, str]:
    """What serves each unit of a result."""
    if isinstance(result, SupplyResult):
        return {result.through or result.unit: result.source}
    return {one.unit: one.could.source for one in result.units} if result else {}


def rivers_crossed(view: View, result: SupplyResult | WholeSupply | None) -> list[str]:
    """The Major and Grand Rivers that the lines of a result cross otherwise than by rail."""
    found = dict[str, None]()
    for could in (one.could for one in result.units) if result else ():
        line = could.line if could.state else ()
        passed = [start_of(view, could.source), *(entered.hex for entered in line)] if line else []
        for (here, there), entered in zip(pairwise(passed), line, strict=True):
            if not entered.why.endswith("RR"):
                over = between(view, here, there)
                found |= {over.name: None} if GREAT_RIVERS & over.lies else {}
    return [*found]
