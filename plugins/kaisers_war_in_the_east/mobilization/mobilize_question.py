"""The question `mobilize`: what a unit costs, whether it may be mobilized, and where it may be placed."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.questions import (
    Answers,
    Parameters,
    Part,
    PlaceName,
    Report,
    View,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.questions.view import changed
from assistant.state.changes import AnyChange, Gain

from ..calendar.phase import out_of_phase
from ..terms import FORTRESS
from .newcomers import Kind, entering, in_play, newcomer
from .placement import bars, open_hexes
from .prices import Price, not_for_sale, price, too_dear, untimely


class MobilizeParameters(Parameters, frozen=True):
    """A unit to mobilize."""

    unit: Annotated[str, note("its id: one of the position or the roster, or one of your own with kind and nation")]
    kind: Annotated[Kind, note("what it is, for a unit that neither the position nor the roster knows")] = ""
    nation: Annotated[str, note("its nation, likewise")] = ""
    at: Annotated[PlaceName | None, note("the hex in which it is to be placed; what it costs, if left out")] = None
    defence: Annotated[int, note("the defence factor of a Fortified Zone that the position does not state")] = 0


class Mobilization(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit costs."""

    unit: Annotated[str, note("its id")]
    side: Annotated[str, note("the side that pays")]
    price: Annotated[Price | None, note("its price, null for a unit that cannot be mobilized")] = None
    points: Annotated[int, note("Victory Points of the side")] = 0
    left: Annotated[int, note("Victory Points left to it")] = 0
    arrives: Annotated[int, note("the game turn in which it arrives")] = 0
    open: Annotated[tuple[str, ...], note("hexes, of those that are known, where it may be placed")] = ()


def answer(view: View, parameters: MobilizeParameters, answers: Answers) -> Report[Mobilization]:
    """The report on a unit that a side pays for. Rule: 9.1, 9.3, 9.5/delay, 9.9"""
    del answers
    with view.gather() as facts:
        who = newcomer(facts, parameters.unit, parameters.kind, parameters.nation)
    title = f"Mobilization of {who.unit}"
    result = Mobilization(unit=who.unit, side=who.side)
    if reasons := list(not_for_sale(who)):
        return refused(title, "{unit} cannot be mobilized", reasons, result, result=result)
    with view.gather() as facts:
        turn, points = facts.integer("turn"), facts.integer("vp", who.side)
        defence = parameters.defence
        if who.arm == FORTRESS and not defence:
            defence = facts.integer("defence", who.unit) if who.unit in view.state.units else 0
        cost = price(facts, who, defence)
        reasons = [*out_of_phase(view, who.side, "mobilization", "9.1"), *in_play(view, who)]
        if who.arm == FORTRESS and not defence and who.unit not in view.state.units:
            reasons.append(step("9.3", "its price is 3 for each point of its defence factor: state defence=N"))
        reasons += [*untimely(facts, who, cost), *too_dear(points, cost.cost)]
        if parameters.at and not cost.delay:
            reasons += bars(facts, who, parameters.at)
    result = msgspec.structs.replace(
        result, price=cost, points=points, left=points - cost.cost, arrives=turn + cost.delay
    )
    if reasons:
        return refused(title, "{unit} cannot be mobilized", reasons, result, result=result)
    if not parameters.at and not cost.delay:
        result = msgspec.structs.replace(result, open=tuple(open_hexes(view, who)))
    steps = [
        step(
            cost.rule,
            "{unit} costs {cost:#Victory Point}" + (", doubled by low Morale" if cost.doubled else ""),
            result,
            cost,
        ),
        step("5.5", "of {points:#Victory Point} {left} are left", result),
    ]
    if cost.delay:
        steps.append(step("9.5", "it arrives {delay:#turn} later, in turn {arrives}", result, cost))
    if result.open:
        steps.append(step("9.4", "it may be placed in {open}", result))
    text = "{unit} costs {cost:#Victory Point}, {left} are left; it arrives in turn {arrives}"
    changes: list[AnyChange] = [Gain("vp", who.side, -cost.cost, cost.rule)]
    if cost.delay:
        changes += entering(view, who, None, "9.5", arrives=turn + cost.delay)
    elif parameters.at:
        changes += entering(view, who, parameters.at, "9.4")
        if who.nation == "nationalist":
            changes.append(changed(view, "control", parameters.at, who.side, "Opt/Volunteer"))
    done = cost.delay or parameters.at
    return Report(
        title=title,
        verdict=verdict("figure", text, result, cost),
        parts=(Part("Price", tuple(steps)),),
        changes=tuple(changes) if done else (),
        result=result,
    )


QUESTION = declare("mobilize", "what a unit costs to mobilize, and whether it may be", answer)
