"""The question `supply`: whether a unit is in supply, along which hexes, and why not."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import msgspec

from assistant.errors import InputError, nearest
from assistant.questions import Answers, Question, UnitName
from assistant.report import Ask, MissingFacts, Part, Report, Step, Verdict
from assistant.state import Unit, hexside
from assistant.view import Gather, View

from . import supply
from .supply import HEX, Cost, Source
from .supply_board import SIDES_OF_GROUND, trace
from .supply_result import SourceTried, SupplyResult, hops, line_part, report, state_verdict
from .supply_situation import Situation, situation, supply_unit


class SupplyParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit whose supply is asked.

    unit: its id; line: a typed line by its name, the only one that ends at the unit if left out.
    """

    unit: UnitName
    line: str = ""


def answer(view: View, parameters: SupplyParameters, answers: Answers) -> Report[SupplyResult]:
    """The report on a unit's supply: along a typed line, or traced over a drawn board from every source.

    Raises MissingFacts for whatever nobody stated, InputError for a line that does not lead to the unit.

    Rule: 14.1, 14.4c
    """
    del answers
    unit = view.unit(parameters.unit)
    if unit.place is None:
        raise InputError(f"{unit.id} is not on the map")
    with view.gather() as facts:
        around = situation(facts, view, unit)
    name = parameters.line or _only_line(view, unit.place)
    if name:
        return judge_line(view, unit, around, name)
    if not view.board.hexes:
        how = f"line NAME: SOURCE-HEX ... {unit.place}"
        raise MissingFacts(
            [Ask(kind="parameter", name="line", rule="14.1", title="no map is drawn: the line as you see it", how=how)]
        )
    return trace(view, unit, around)


def _only_line(view: View, place: str) -> str:
    ending = [name for name, line in view.state.lines.items() if line[-1] == place]
    return ending[0] if len(ending) == 1 else ""


# --- a typed line -----------------------------------------------------------------------------------------------------


def judge_line(view: View, unit: Unit, around: Situation, name: str) -> Report[SupplyResult]:
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
        source = named_source(facts, view, name, line[0])
        costs = [typed_step(facts, view, here, there) for here, there in pairwise(line)]
    closed = supply.closed_hexes(around.enemies, around.enemy_zones, around.friends)
    steps, barred = hops(line, costs, closed)
    total = steps[-1].sum if steps else Fraction(0)
    reading = view.ruling("supply-rounding") if total.denominator > 1 else "exact"
    found = None if barred else supply.reach(source, int(total * HEX), reading)
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
    unseen = [there for cost, there in zip(costs, line[1:], strict=True) if isinstance(cost, Cost) and "RR" in cost.why]
    unseen = [there for there in unseen if view.fact("terrain", there) is None]
    if unseen:
        parts.append(Part("Taken for granted", (Step("14.1.1", "no High Mountain in {hexes}", {"hexes": unseen}),)))
    if why_not:
        text = "this line does not supply {unit}: {why}; another one may"
        verdict = Verdict("no", text, {"unit": unit.id, "why": why_not})
    else:
        verdict = state_verdict(result, source)
    return report(view, result, verdict, parts)


def named_source(facts: Gather, view: View, name: str, place: str) -> Source:
    """The source at the beginning of a typed line: the supply unit of that name, or else a RR line hex.

    Rule: 14.2, 14.2.3
    """
    if name in view.state.units:
        unit = view.unit(name)
        if unit.place != place:
            raise InputError(f"{name} is in {unit.place}, but its line begins in {place}")
        if facts.word("supply", name) == "out":
            raise InputError(f"{name} is Out of Supply itself and supplies nobody (14.2)")
        return supply_unit(facts, name, place)
    return Source(f"the RR line at {place}", "RR line", place, supply.RR_IN_SUPPLY, supply.RR_LOW)


def typed_step(facts: Gather, view: View, here: str, there: str) -> Cost | str:
    """The cost of one step of a typed line; the terrain is asked for only where no RR line makes it indifferent.

    Rule: 14.1.2a, 14.1.2b
    """
    side = hexside(here, there)
    barrier = facts.words("barrier", side)
    rail, road, crossing = (facts.word(track, side) for track in SIDES_OF_GROUND[1:])
    known = view.fact("terrain", there)
    terrain = str(known.value) if known else "" if rail in supply.RAILS else facts.word("terrain", there)
    flooded = freeze = False
    if {"major-river", "grand-river"} & barrier and facts.flag("campaign"):
        flooded = supply.is_flooded(facts.word("weather"), facts.integer("turn"), True)
    if terrain == "wetlands" and road not in supply.ROADS and rail not in supply.RAILS:
        freeze = facts.integer("turn") >= 34 and facts.word("weather") == "freeze"
    return supply.step_cost(terrain, barrier, rail, road, crossing, operational=True, freeze=freeze, flooded=flooded)


def picture(view: View, found: Report[SupplyResult]) -> str:
    """The unit and its line, as SVG."""
    from .pictures import supply_picture

    return supply_picture(view, found)


QUESTION = Question(
    name="supply",
    title="whether a unit is in supply, along which hexes, and why not",
    parameters=SupplyParameters,
    result=SupplyResult,
    answer=answer,
    picture=picture,
)
