"""The question `condition`: how effective a unit is, and what being Demoralized or Disordered means for it (7.1, 7.3, 7.4)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.questions import (
    Answers,
    InputError,
    Parameters,
    Part,
    Report,
    UnitName,
    View,
    declare,
    note,
    step,
    verdict,
)

from ..terms import COMBAT_ARMS
from .condition import Effect, effects
from .reading import is_demoralized


class ConditionParameters(Parameters, frozen=True):
    """A combat unit."""

    unit: Annotated[UnitName, note("its id")]


class ConditionResult(msgspec.Struct, frozen=True):
    """The condition of a unit."""

    unit: Annotated[str, note("its id")]
    base: Annotated[int, note("its combat effectiveness as printed")]
    lost: Annotated[int, note("levels lost")]
    cel: Annotated[int, note("Combat Effectiveness Levels left")]
    demoralized: Annotated[bool, note("whether it counts as Demoralized")]
    disorder: Annotated[int, note("its degree of Disorder")]
    effects: Annotated[tuple[Effect, ...], note("what that means for it")]


def answer(view: View, parameters: ConditionParameters, answers: Answers) -> Report[ConditionResult]:
    """The report on a unit's condition.

    Raises MissingFacts for its effectiveness, InputError for a unit that is not a combat unit on the map.
    """
    unit = view.unit(parameters.unit)
    with view.gather() as facts:
        if unit.place is None or facts.word("arm", unit.id) not in ("", *COMBAT_ARMS):
            raise InputError(f"unit: {unit.id} is not a combat unit on the map")
        base, lost = facts.integer("effectiveness", unit.id), -facts.integer("cel", unit.id)
        demoralized, disorder = is_demoralized(facts, unit), facts.integer("disorder", unit.id)
        cavalry, out = facts.word("arm", unit.id) == "cavalry", facts.word("supply", unit.id) == "out"
    brings = effects(demoralized, disorder, cavalry=cavalry, out_of_supply=out)
    result = ConditionResult(unit.id, base, lost, base - lost, demoralized, disorder, brings)
    text = "{unit}: level {cel}, {levels} lost" + (", Demoralized" if demoralized else "")
    text += ", Disordered D{degree}" if disorder else ""
    return Report(
        title=f"Condition of {unit.id}",
        verdict=verdict("figure", text, result, levels=lost, degree=disorder),
        parts=(Part("What that means", tuple(step(one.rule, "{why}", why=one.what) for one in result.effects)),),
        result=result,
    )


QUESTION = declare(
    "condition", "how effective a unit is, and what being Demoralized or Disordered means for it", answer
)
