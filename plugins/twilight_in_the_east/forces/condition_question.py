"""The question `condition`: a unit's effectiveness, and the effects of Demoralization and Disorder (7.1, 7.3, 7.4)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.asking import InputError, Parameters, Part, Report, UnitName, View, declare, holding, note, step, verdict
from assistant.state.vocabulary import UnitId

from ..terms import COMBAT_ARMS
from .unit import SupplyEffect, hardships, is_unit_demoralized, supply_status


class ConditionEffect(msgspec.Struct, frozen=True):
    """An effect of a unit's condition."""

    rule: Annotated[str, note("the rule behind the effect")]
    what: Annotated[str, note("the effect in words")]


def effects(demoralized: bool, disorder: int, *, cavalry: bool, supply: str) -> tuple[ConditionEffect, ...]:
    """Return all effects of a unit's condition and supply state.

    `demoralized`: whether the unit is Demoralized or Disordered.
    `disorder`: the degree of Disorder.
    `supply`: the supply state that the unit is marked with: in, low or out.

    Rule: 7.3.1, 7.4.1
    """
    weak = demoralized or disorder > 0
    clauses = (
        (weak, "8.6.1", "it recovers only 5 hexes or more from every enemy"),
        (weak, "13.1.2", "it neither builds an Improved Position nor raises its level"),
        (weak, "8.4.1", "it places no Prepared Attack marker"),
        (weak, "10.1.2", "it cannot attack"),
        (weak, "8.5.1", "it cannot attempt a Repulse"),
        (weak, "10.10.3", "when it defends, the attacker's step loss roll takes a DRM of -3"),
        (weak, "11.3.2", "a check that it fails after combat costs it hexes and steps, and may Disorder it further"),
        (weak, "8.3.3", "Combat Effectiveness Levels lost to a Forced March are taken as step losses"),
        (weak, "21.1.2", "no Strategic Plan obliges it to move"),
        (weak and supply == "out", "14.6", "if it is Isolated too, it may surrender"),
        (weak and cavalry, "9.2.2", "if an enemy is adjacent after the combats, it must retire if able"),
        (disorder > 0, "7.4.1", "it recovers no Combat Effectiveness Levels until it has recovered from Disorder"),
    )
    suffered: list[SupplyEffect] = ["check", "position", "recovery"]
    if weak and cavalry:
        suffered.append("reaction")
    made = *holding(clauses), *holding(hardships(supply, *suffered))
    return tuple(ConditionEffect(effect.rule, effect.text) for effect in made)


class ConditionParameters(Parameters, frozen=True):
    """Parameters of the question `condition`."""

    unit: Annotated[UnitName, note("the id")]


class ConditionResult(msgspec.Struct, frozen=True):
    """The effectiveness, condition and effects reported for a unit."""

    unit: UnitId
    base: Annotated[int, note("the combat effectiveness as printed")]
    lost: Annotated[int, note("Combat Effectiveness Levels lost")]
    cel: Annotated[int, note("Combat Effectiveness Levels left")]
    demoralized: Annotated[bool, note("whether it counts as Demoralized")]
    disorder: Annotated[int, note("the degree of Disorder")]
    effects: Annotated[tuple[ConditionEffect, ...], note("what its condition means for the unit")]


def answer(view: View, parameters: ConditionParameters) -> Report[ConditionResult]:
    """Return the report on a unit's condition.

    Raises MissingFacts if the unit's effectiveness is not stated, InputError if it is not a combat unit on the map.
    """
    unit = view.unit(parameters.unit)
    with view.gather() as facts:
        if unit.place is None or facts.word("arm", unit.id) not in ("", *COMBAT_ARMS):
            raise InputError(f"unit: {unit.id} is not a combat unit on the map")
        base = facts.integer("effectiveness", unit.id)
        lost = -facts.integer("cel", unit.id)
        demoralized = is_unit_demoralized(facts, unit)
        disorder = facts.integer("disorder", unit.id)
        cavalry = facts.word("arm", unit.id) == "cavalry"
        supply = supply_status(facts, unit)
    brings = effects(demoralized, disorder, cavalry=cavalry, supply=supply)
    result = ConditionResult(unit.id, base, lost, base - lost, demoralized, disorder, brings)
    text = "{unit}: level {cel}, {levels:#level} lost[demoralized:, Demoralized][degree:, Disordered D{degree}]"
    return Report(
        title=f"Condition of {unit.id}",
        verdict=verdict("figure", text, result, levels=lost, degree=disorder),
        parts=(
            Part("What that means", tuple(step(effect.rule, "{why}", why=effect.what) for effect in result.effects)),
        ),
        result=result,
    )


QUESTION = declare(
    "condition", "how effective a unit is, and what being Demoralized or Disordered means for it", answer
)
