"""The question `bridgehead`: whether an Austro-Hungarian bridgehead is abandoned (12.5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking import Answers, InputError, Parameters, Part, Report, UnitName, Verdict, declare, step, verdict
from assistant.asking.play import Thrown, refuse_others, throw
from assistant.asking.view import View, changed
from assistant.rules.field import side_of
from assistant.state.changes import AnyChange
from assistant.util.notes import note

from ..entering.consequences import follows_changes
from ..entering.obligations import Trigger, bridgehead_trigger
from ..ground.calendar import ATTACK_PHASES, MOVEMENT_PHASES, phase_of
from ..supply.isolation import known_isolation


def abandonment_die(number: int, answers: Answers) -> Thrown[bool]:
    """Return the die roll for a bridgehead, which is abandoned if the die exceeds `number`. Rule: 12.5.1"""
    return throw("abandon", "12.5.1", "whether it is abandoned", lambda natural: natural > number, answers)


def is_given_up(isolated: bool | None, reading: str, *, in_supply_phase: bool) -> bool:
    """Return whether a bridgehead is abandoned without a die because it is Isolated.

    `isolated`: whether it is Isolated, or None if that is not stated.
    `reading`: ruling isolated-bridgehead; by "at-once" it is abandoned in any phase.
    `in_supply_phase`: whether it is its side's Supply Phase.

    Rule: 12.5.2
    """
    return bool(isolated) and (in_supply_phase or reading == "at-once")


# --- the question -----------------------------------------------------------------------------------------------------


class BridgeheadParameters(Parameters, frozen=True):
    """Parameters of the question `bridgehead`."""

    unit: Annotated[UnitName, note("the id")]
    isolated: Annotated[
        bool | None, note("whether it is Isolated, traced if left out, on a drawn map or a whole network")
    ] = None


class BridgeheadResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a bridgehead is abandoned."""

    unit: Annotated[str, note("the id")]
    place: Annotated[str, note("the hex")]
    triggered: Annotated[bool, note("whether a die is rolled for it now")]
    isolated: Annotated[bool | None, note("whether it is Isolated, null if not stated")]
    number: Annotated[int, note("the abandonment number")]
    stands: Annotated[Fraction, note("the chance that it stands")]
    abandoned: Annotated[bool | None, note("whether it is abandoned, null until rolled")] = None


def answer(view: View, parameters: BridgeheadParameters, answers: Answers) -> Report[BridgeheadResult]:
    """Return the report on a bridgehead.

    Raises MissingFacts if its abandonment number is not stated, InputError if the unit is not a bridgehead on the map,
    AnswerError if a die is given that is not due.
    """
    unit = view.unit(parameters.unit)
    with view.gather() as facts:
        hint = "bridgeheads are Austro-Hungarian Forts"
        if unit.place is None or facts.word("arm", unit.id) not in ("", "fort"):
            raise InputError(f"unit: {unit.id} is not a Fort on the map", hint=hint)
        if facts.word("nation", unit.id) not in ("", "austro-hungarian"):
            raise InputError(f"unit: {unit.id} is not Austro-Hungarian", hint=hint)
        number = facts.integer("abandonment", unit.id)
        trigger = bridgehead_trigger(facts, unit.id, unit.place)
    isolated = parameters.isolated
    if isolated is None:
        with view.gather() as facts:
            side = side_of(facts, unit)
        isolated = known_isolation(view, unit, side)
    in_supply_phase = parameters.isolated is not None or phase_of(view) not in (*MOVEMENT_PHASES, *ATTACK_PHASES)
    reading = view.ruling("isolated-bridgehead", bool(isolated) and not in_supply_phase)
    lost = is_given_up(isolated, reading, in_supply_phase=in_supply_phase)
    due = trigger.due and not lost
    if not due:
        refuse_others(answers, [])
    thrown = abandonment_die(number, answers)
    abandoned = thrown.came if due else lost
    result = BridgeheadResult(
        unit=unit.id,
        place=unit.place,
        triggered=due,
        isolated=isolated,
        number=number,
        stands=thrown.chances.get(False, Fraction(0)) if due else Fraction(not lost),
        abandoned=abandoned,
    )
    changes: list[AnyChange] = []
    if abandoned:
        changes.append(changed(view, "place", unit.id, None, "12.5.2" if lost else "12.5.1"))
    elif abandoned is False and due:
        changes.append(changed(view, "tested", unit.id, True, "12.5.1"))
    following = follows_changes(view, changes)
    return Report(
        title=f"Bridgehead {unit.id} in {unit.place}",
        verdict=_choose_verdict(result),
        parts=(_reasons_part(result, trigger), *following.parts(view)),
        asks=thrown.asks if due else (),
        changes=(*changes, *following.changes),
        result=result,
    )


def _choose_verdict(result: BridgeheadResult) -> Verdict:
    if result.abandoned is None:
        text = "{unit} may be abandoned: a die roll decides, with a {stands:%} chance that it stands"
        return verdict("figure", text, result)
    return verdict("yes", "{unit} is abandoned", result) if result.abandoned else verdict("no", "{unit} stands", result)


def _reasons_part(result: BridgeheadResult, trigger: Trigger) -> Part:
    if result.isolated and result.abandoned and not result.triggered:
        return Part("Abandonment", (step("12.5.2", "it is Isolated, and abandoned without a die roll"),))
    steps = []
    if result.isolated:
        text = "it is Isolated, and is abandoned if it is still Isolated in its side's Supply Phase"
        steps.append(step("12.5.2", text))
    if result.triggered:
        text = "[units:adjacent to {units}|a Russian combat unit was adjacent], with no friendly combat unit in it: stands on a roll of {number} or less"
        steps.append(step("12.5.1", text, result, units=() if trigger.owed and trigger.friend else trigger.enemy))
    elif trigger.tested:
        steps.append(step("12.5.1", "a die has already been rolled for it"))
    elif trigger.friend:
        steps.append(step("12.5.1", "in it: {units}", units=trigger.friend))
    else:
        steps.append(step("12.5.1", "no Russian combat unit is adjacent to it"))
    if result.isolated is None:
        steps.append(step("12.5.2", "whether it is Isolated was not stated (isolated=yes)"))
    return Part("Abandonment", tuple(steps))


QUESTION = declare(
    "bridgehead",
    "whether an Austro-Hungarian bridgehead is abandoned",
    answer,
    {"abandon": "the die roll that decides whether it is abandoned"},
)
