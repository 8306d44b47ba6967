"""The question `pursue`: who may follow into a hex that a combat has cleared, and into which hex beyond (16)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from assistant.field import HexOption, check_way, first_bar, open_hexes, option
from assistant.questions import (
    Gather,
    InputError,
    Parameters,
    Part,
    PlaceName,
    Report,
    Step,
    UnitName,
    View,
    Way,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.questions.question import Answers
from assistant.questions.view import changed
from assistant.state.changes import AnyChange

from ..combat.results import PURSUERS, may_pursue
from ..forces.stacking import is_within_limits
from ..forces.units import Formation, formation
from ..ground.entry import bars_of
from ..ground.zones import side_of

if TYPE_CHECKING:
    from assistant.drawing.scene import Scene

CAVALRY_FARTHER = ("DZ", "BT")
"""The results by which cavalry pursues two hexes by the option Better Cavalry Doctrine."""


class PursueParameters(Parameters, frozen=True):
    """Units that pursue together."""

    units: Annotated[tuple[UnitName, ...], note("the units, which took part in the combat and go together")]
    at: Annotated[PlaceName, note("the hex that the combat cleared")]
    result: Annotated[
        Literal["AZ", "BB", "BT", "DD", "DP", "DZ", "MD"], note("the result of the combat, which tells how far")
    ] = "DD"
    way: Annotated[Way, note("the hexes entered beyond it")] = ()


class PursueResult(msgspec.Struct, frozen=True, kw_only=True):
    """A pursuit."""

    at: Annotated[str, note("the hex that was cleared")]
    units: Annotated[tuple[str, ...], note("the units that pursue")]
    reach: Annotated[int, note("hexes that they may enter")]
    end: Annotated[str, note("the last hex entered")]
    options: Annotated[tuple[HexOption, ...], note("the hexes that they may enter next, open ones first")] = ()
    over_stacked: Annotated[bool, note("whether the last hex holds too much, so that units there are eliminated")] = (
        False
    )


def answer(view: View, parameters: PursueParameters, answers: Answers) -> Report[PursueResult]:
    """The report on a pursuit: whether the rules allow it, and the hexes beyond the first.

    Raises InputError for no units and a way that cannot be, MissingFacts for what is not stated.
    """
    if not parameters.units:
        raise InputError("units are needed for a pursuit", hint="type units=X,Y")
    with view.gather() as facts:
        units = [formation(facts, view.unit(name), factors=["attack", "movement"]) for name in parameters.units]
        if parameters.way:
            check_way(view, parameters.at, parameters.way)
        title = f"Pursuit of {', '.join(parameters.units)} into {parameters.at}"
        reach = min(reach_of(view, one, parameters.result) for one in units)
        if reasons := list(refusals(facts, parameters, units, reach)):
            return refused(title, "this pursuit is not allowed", reasons)
        result = pursued(facts, parameters, units, reach)
        steps = [step("16.2", "up to {reach:#hex}, {at} first", result)]
        steps += [
            step(one.rule or "16.4", "{hex}: {barred}" if one.barred else "{hex} is open", one)
            for one in result.options
        ]
        if result.over_stacked:
            steps.append(
                step("12.2", "{end} is over-stacked: its owner eliminates the excess, for no Victory Points", result)
            )
        for hex in (parameters.at, *parameters.way):
            view.granted("terrain", hex, "clear", "16.4", "{hexes} taken to be open to land units (terrain not stated)")
            if view.flag("objective", hex):
                steps.append(
                    step(
                        "5.3",
                        "{hex} is a Strategic Objective: its capture counts Victory Points (question capture)",
                        hex=hex,
                    )
                )
        said = verdict("yes", "{units} may pursue to {end}", result)
        changes = changes_of(facts, parameters, units)
        return Report(title=title, verdict=said, parts=(Part("Pursuit", tuple(steps)),), changes=changes, result=result)


def reach_of(view: View, unit: Formation, result: str) -> int:
    """How many hexes a unit may pursue by a result. Rule: 16.2"""
    farther = unit.arm == "cavalry" and result in CAVALRY_FARTHER and "better-cavalry" in view.words("options")
    return 2 if farther else PURSUERS[result][1]


def refusals(facts: Gather, parameters: PursueParameters, units: list[Formation], reach: int) -> Iterator[Step]:
    """Why units may not pursue: their factors, where they stand, who is still in the hex, what bars a hex.
    Rule: 16.1, 16.3, 16.4, 21.4
    """
    view, at = facts.view, parameters.at
    sides = {side_of(facts, view.unit(one.id)) for one in units}
    for one in units:
        if not may_pursue(one):
            yield step("16.3", "{unit} does not pursue: its attack or movement factor is 0 or in brackets", unit=one.id)
        if one.place not in view.board.neighbours(at):
            yield step("16.1", "{unit} in {here} is not next to {at}", unit=one.id, here=one.place, at=at)
    if len(parameters.way) + 1 > reach:
        yield step("16.2", "the result {code} allows {reach:#hex} of pursuit", code=parameters.result, reach=reach)
    starts = sorted({one.place for one in units})
    for start in starts:
        way = (start, at, *parameters.way)
        for here, there in pairwise(way):
            if there in view.board.neighbours(here) and (barred := bar_of(facts, units, sides, here, there)):
                yield step(barred.rule, "{hex} cannot be entered: {why}", hex=there, why=barred.barred)


def bar_of(facts: Gather, units: list[Formation], sides: set[str], here: str, there: str) -> HexOption | None:
    """A hex that pursuing units may not enter, None if they may; zones of control do not stop them. Rule: 13.6, 16.4"""
    view = facts.view
    if any(view.side_of(unit.id) not in sides for unit in view.stack(there)):
        return HexOption(there, "16.4", "it is not cleared of enemies")
    side = min(sides)
    anyones = view.ruling("train-pursuit", matters=any(one.arm == "armoured-train" for one in units)) == "yes"
    bars = bars_of(facts, side, {one.nation for one in units}, {one.arm for one in units}, anyones=anyones)
    barred = first_bar(bars, here, there)
    return HexOption(there, *barred) if barred else None


def pursued(facts: Gather, parameters: PursueParameters, units: list[Formation], reach: int) -> PursueResult:
    """The pursuit as far as it goes, and the hexes that are open next."""
    view, names = facts.view, set(parameters.units)
    sides = {side_of(facts, view.unit(one.id)) for one in units}
    end = (parameters.at, *parameters.way)[-1]
    more = len(parameters.way) + 1 < reach

    def look(here: str, there: str) -> HexOption:
        return bar_of(facts, units, sides, here, there) or option((), here, there)

    there = [formation(facts, unit, fights=False) for unit in view.stack(end) if unit.id not in names]
    return PursueResult(
        at=parameters.at,
        units=parameters.units,
        reach=reach,
        end=end,
        options=open_hexes(view, end, look, prefer=lambda one: one.hex) if more else (),
        over_stacked=not is_within_limits([*there, *units]),
    )


def changes_of(facts: Gather, parameters: PursueParameters, units: list[Formation]) -> tuple[AnyChange, ...]:
    """What the pursuit changes: places, and who controls the hexes that were entered, but for the Strategic Objectives, whose capture is
    a question of its own (7.3)."""
    view, side = facts.view, side_of(facts, facts.view.unit(units[0].id))
    way = (parameters.at, *parameters.way)
    changes: list[AnyChange] = [changed(view, "place", one.id, way[-1], "16.1") for one in units]
    changes += [changed(view, "control", hex, side, "7.3") for hex in way if changes_hands(view, hex, side)]
    return tuple(changes)


def changes_hands(view: View, hex: str, side: str) -> bool:
    """Whether the control of a hex is to be noted as its pursuers enter it."""
    return view.word("control", hex) != side and not view.flag("objective", hex)


def picture(view: View, report: Report[PursueResult]) -> Scene:
    """The hexes of the pursuit and those around."""
    from assistant.pictures.line import line_picture

    result = report.drawable
    assert result is not None
    return line_picture(view, [result.at], title=report.title, caption=report.verdict.text)


QUESTION = declare(
    "pursue",
    "whether units may pursue into a hex that a combat has cleared, and into which hex beyond",
    answer,
    picture=picture,
)
