"""The question `supply`: whether a unit is in supply, along which hexes, and why not."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Annotated

import msgspec

from assistant.field.standing import Around, side_of
from assistant.questions.question import Answers, Question, UnitName
from assistant.questions.report import Ask, MissingFacts, Part, Report, Step, Verdict
from assistant.questions.view import Gather, View
from assistant.state.state import Unit
from assistant.util.errors import InputError, nearest, quoted
from assistant.util.notes import note

from ..forces.assets import formations_beside
from ..forces.reading import at_best
from ..ground.zones import around as field_around
from ..ground.zones import assume_zones
from ..terms import BOYEN, DEPOTS, SECOND_DIVISION_LOW, SUPPLY_ARMS
from . import rules as supply
from .on_map import measured, on_the_line, trace, typed_step
from .report import STATES, SourceTried, SupplyResult, line_part, report, state_verdict
from .rules import HEX, Cost, Source
from .sources import always_supplied, boyen, supplied_with, supply_unit, unusable


class SupplyParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit whose supply is asked."""

    unit: Annotated[UnitName, note("its id")]
    line: Annotated[str, note("a typed line by its name, the one that ends at the unit if left out")] = ""


def answer(view: View, parameters: SupplyParameters, answers: Answers) -> Report[SupplyResult]:
    """The report on a unit's supply: along a typed line, or traced over a drawn board from every source.

    Raises MissingFacts for whatever nobody stated, InputError for a line that does not lead to the unit.
    """
    del answers
    return at_best_low(view, found_supply(view, parameters))


def at_best_low(view: View, found: Report[SupplyResult]) -> Report[SupplyResult]:
    """A report on supply, which some unit has no better than Low.

    Rule: 24.4
    """
    result = found.result
    if result is None or result.state is None:
        return found
    with view.gather() as facts:
        if at_best(facts, result.unit, result.state) == result.state:
            return found
    figures = {"unit": result.unit, "state": STATES["low"], "turn": SECOND_DIVISION_LOW}
    step = Step("24.4", "up to GT {turn} {unit} is {state} at best", figures)
    return msgspec.structs.replace(
        found,
        verdict=Verdict("figure", step.template, figures),
        parts=(*found.parts, Part("At best", (step,))),
        result=msgspec.structs.replace(result, state="low"),
    )


def found_supply(view: View, parameters: SupplyParameters) -> Report[SupplyResult]:
    """The report as far as sources and lines go.

    Rule: 14.1
    """
    unit = view.unit(parameters.unit)
    if unit.place is None:
        raise InputError(f"{unit.id} is not on the map")
    with view.gather() as facts:
        around = field_around(facts, unit)
        always = always_supplied(facts, unit)
        served = supplied_with(facts, unit)
        beside = formations_beside(facts, unit) if served.id != unit.id else []
    if always:
        result = SupplyResult(unit=unit.id, place=unit.place, state="in", source=always)
        return report(view, result, Verdict("yes", "{unit} is In Supply: {why}", {"unit": unit.id, "why": always}), ())
    if served.id != unit.id:
        found = found_supply(view, msgspec.structs.replace(parameters, unit=served.id))
        figures = {"unit": unit.id, "force": served.id, "units": [name for name in beside if name != served.id]}
        text = "{unit} shares the supply of {force}, with which it stands"
        if figures["units"] and not view.state.value("with", unit.id):
            text += "; its owner may attach it to {units} instead (with=UNIT)"
        shared = Part("Attachment", (Step("6.4.1", text, figures),))
        return msgspec.structs.replace(found, parts=(shared, *found.parts))
    if unseen := [hidden.place for hidden in view.unseen.values() if side_of(facts, hidden) == around.side]:
        title = (
            f"the Trains and Depots of {unit.id}'s side, of which any may stand unseen at {', '.join(map(str, unseen))}"
        )
        how = f"{quoted(unit.id)} supply=in|low|out, as its owner tells"
        raise MissingFacts([Ask(kind="fact", name="sources", rule="14.2", title=title, how=how)])
    name = parameters.line or _only_line(view, unit.place)
    if name:
        return judge_line(view, unit, around, name)
    if not view.board.hexes:
        how = f'line "SUPPLY UNIT": ITS-HEX -rail2- HEX clear -road- {unit.place} rough'
        title = "no map is drawn here, so type the line that you see on yours"
        raise MissingFacts([Ask(kind="fact", name="line", rule="14.1", title=title, how=how)])
    return trace(view, unit, around)


def _only_line(view: View, place: str) -> str:
    ending = [name for name, line in view.state.lines.items() if line[-1] == place]
    if len(ending) > 1:
        raise InputError(f"several lines end in {place}: {', '.join(ending)}", hint="name one: ask supply line=NAME")
    return ending[0] if ending else ""


# --- a typed line -----------------------------------------------------------------------------------------------------


def judge_line(view: View, unit: Unit, around: Around, name: str) -> Report[SupplyResult]:
    """Whether one line that a player typed supplies the unit.

    Raises InputError if there is no such line, or it does not end at the unit.

    Rule: 14.1, 14.1.2a, 4.1.2
    """
    if name not in view.state.lines:
        raise InputError(f"no line {name!r} in this position", hint=nearest(name, view.state.lines))
    line = view.state.lines[name]
    if line[-1] != unit.place:
        raise InputError(f"the line {name!r} ends in {line[-1]}, but {unit.id} is in {unit.place}")
    with view.gather() as facts:
        source, no_use = line_source(facts, unit, around, name, line[0])
        costs = [typed_step(facts, view, here, there) for here, there in pairwise(line)]
    steps, barred = measured(line, costs, around)
    on_rails = (
        source.kind == "RR line" and not source.extended
    )  # a supply unit's, which has no length (14.2.1a, 14.2.2)
    off = [there for cost, there in zip(costs, line[1:], strict=True) if not (isinstance(cost, Cost) and cost.by_rail)]
    if on_rails and off:
        barred = barred or f"no RR line leads into {off[0]}"
    barred = no_use or barred
    total = steps[-1].sum if steps else Fraction(0)
    reading = view.ruling("supply-rounding") if total.denominator > 1 else "exact"
    found = None if barred else supply.reach(source, 0 if on_rails else int(total * HEX), reading)
    why_not = barred or ("" if found else f"{source.name} reaches {source.range}, extended {source.extended}")
    tried = SourceTried(source.name, source.kind, line[0], total, source.range, source.extended, why_not)
    result = SupplyResult(
        unit=unit.id,
        place=str(unit.place),
        state=found.state if found else None,
        source=source.name if found else "",
        extended=bool(found and found.extended),
        cost=total,
        line=steps,
        tried=(tried,),
    )
    parts = [line_part(f"The line from {source.name}", line[0], steps)]
    granted = []
    if source.kind in SUPPLY_ARMS and ("supply", source.name) not in view.state.facts:
        granted.append(Step("14.2", "{source} is In Supply itself: no marker says otherwise", {"source": source.name}))
    by_rail = [there for cost, there in zip(costs, line[1:], strict=True) if isinstance(cost, Cost) and cost.by_rail]
    if unseen := [there for there in by_rail if view.fact("terrain", there) is None]:
        granted.append(Step("14.1.1", "no High Mountain in {hexes}", {"hexes": unseen}))
    assume_zones(around, line)
    if not why_not:
        return report(view, result, state_verdict(result, source), parts, granted=granted)
    text = "undecided: this line does not supply {unit}: {why}; another one may"
    how = "another line, with ask ... line=NAME; or supply=out for the unit if there is none"
    another = Ask(kind="fact", name="line", rule="14.1", title="a line that does", how=how)
    return report(
        view, result, Verdict("undecided", text, {"unit": unit.id, "why": why_not}), parts, (another,), granted
    )


def line_source(facts: Gather, unit: Unit, around: Around, name: str, place: str) -> tuple[Source, str]:
    """The source at the beginning of a typed line, and why it cannot be used ("" if it can): the supply unit of that
    name, or the only one in the first hex, or Boyen, or else the RR line there, which must be known to be operational. To a
    supply unit itself that line leads from the map edge, and to a depot's RR Station.

    Raises InputError for a source that is elsewhere, or one among several in the first hex.

    Rule: 14.2.3, 14.2.4b
    """
    view = facts.view
    there = [other for other in view.stack(place) if facts.word("arm", other.id) in SUPPLY_ARMS]
    named = [other for other in view.units() if other.id == name]
    if named and named[0].place != place:
        raise InputError(f"{name} is in {named[0].place}, but its line begins in {place}")
    fortress = next((found for other in view.stack(place) if (found := boyen(unit, other))), None)
    if fortress and (name == BOYEN or not there):
        return fortress, ""
    if not named and len(there) > 1:
        raise InputError(
            f"{place} holds {' and '.join(other.id for other in there)}", hint="name the line after one of them"
        )
    if named or there:
        source = (named or there)[0]
        return supply_unit(facts, source.id, place), unusable(facts, unit, source, around.side)
    operational = facts.word("operational", place)
    no_use = "" if operational in ("", around.side) else f"no operational RR line of the {around.side} side"
    if (arm := facts.word("arm", unit.id)) in SUPPLY_ARMS:
        if facts.word("map-edge", place) != around.side:
            no_use = no_use or f"{place} is at no map edge friendly to the {around.side} side (map-edge={around.side})"
        elif arm in DEPOTS and not facts.flag("station", str(unit.place)):
            no_use = no_use or "a depot needs a RR Station (14.2.1)"
        return on_the_line(place), no_use
    return Source(f"the RR line at {place}", "RR line", place, supply.RR_IN_SUPPLY, supply.RR_LOW), no_use


def picture(view: View, found: Report[SupplyResult]) -> str:
    """The unit and its line, as SVG."""
    from .picture import supply_picture

    return supply_picture(view, found)


QUESTION = Question(
    name="supply",
    title="whether a unit is in supply, along which hexes, and why not",
    parameters=SupplyParameters,
    result=SupplyResult,
    answer=answer,
    answers={},
    picture=picture,
    decision=lambda found: (found.verdict.kind, found.result.state, found.result.isolated) if found.result else None,
)
