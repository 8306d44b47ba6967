"""The typed result of asking for the supply of many units, and its parts in words (14.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated

import msgspec

from assistant.field.lines import LineStep
from assistant.questions import Part, Step, Verdict, View, note, step, verdict
from assistant.state.changes import Change
from assistant.state.sources import Source
from assistant.util.limits import Limit

from ...ground.hexsides import between
from ...terms import GREAT_RIVERS
from ..report import STATES, SupplyResult, start_of
from .causes import Cause


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


def unit_step(one: UnitSupply) -> Step:
    """A unit's supply in a line."""
    if one.could.state is None:
        return step("14.4", "{unit} in {place}: undecided; state {wanted}", one, wanted=list(one.missing))
    text = "{unit} in {place}"
    if one.through:
        text += " (with {through})"
    text += ": {state}"
    if one.could.state != "out":
        if one.could.source:
            text += ": {source}" if one.could.cost is None else " from {source}"
        text += ", {cost:#hex} away" if one.could.cost else ""
        text += " in Extended Mode" if one.could.extended else ""
    else:
        text += " and Isolated" if one.isolated else ""
        text += ": {source}" if one.could.source else ""
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
    if Source.DRAWN in view.state.accepts:
        return False
    return any(fact.source is Source.DRAWN and not fact.assumed for fact in view.read.values())


def serving(result: SupplyResult | WholeSupply | None) -> dict[str, str]:
    """What serves each unit of a result."""
    if isinstance(result, WholeSupply):
        return {one.unit: one.could.source for side in result.sides for one in side.units}
    return {result.through or result.unit: result.source} if result else {}


def rivers_crossed(view: View, result: SupplyResult | WholeSupply | None) -> list[str]:
    """The Major and Grand Rivers that the lines of a result cross otherwise than by rail."""
    told: list[Served | SupplyResult] = [result] if isinstance(result, SupplyResult) else []
    if isinstance(result, WholeSupply):
        told += [unit.could for side in result.sides for unit in side.units]
    found = dict[str, None]()
    for one in told:
        line = one.line if one.state else ()
        passed = [start_of(view, one.source), *(entered.hex for entered in line)] if line else []
        for (here, there), entered in zip(pairwise(passed), line, strict=True):
            if not entered.why.endswith("RR"):
                over = between(view, here, there)
                found |= {over.name: None} if GREAT_RIVERS & over.lies else {}
    return [*found]
