"""The question `condition`: how effective a unit is, and what being Demoralized or Disordered means for it (7.1, 7.3, 7.4)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.questions.question import Answers, Question, UnitName
from assistant.questions.report import Part, Report, Step, Verdict
from assistant.questions.view import View
from assistant.util.errors import InputError
from assistant.util.notes import note

from ..terms import COMBAT_ARMS
from .reading import is_demoralized

FAR = 5
"""How far the nearest enemy has to be at least for a Demoralized unit to recover, in hexes (7.3.1)."""


class ConditionParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A combat unit."""

    unit: Annotated[UnitName, note("its id")]


class Effect(msgspec.Struct, frozen=True):
    """Something that a unit's condition brings with it."""

    rule: Annotated[str, note("that says so")]
    what: Annotated[str, note("in words")]


class ConditionResult(msgspec.Struct, frozen=True, kw_only=True):
    """The condition of a unit."""

    unit: Annotated[str, note("its id")]
    base: Annotated[int, note("its combat effectiveness as printed")]
    lost: Annotated[int, note("levels that it has lost")]
    cel: Annotated[int, note("the level that is left")]
    demoralized: Annotated[bool, note("whether it counts as Demoralized")]
    disorder: Annotated[int, note("its degree of Disorder")]
    effects: Annotated[tuple[Effect, ...], note("what that means for it")]


def answer(view: View, parameters: ConditionParameters, answers: Answers) -> Report[ConditionResult]:
    """The report on a unit's condition.

    Raises MissingFacts for its effectiveness, InputError for a unit that is no combat unit on the map.
    """
    del answers
    placed = view.unit(parameters.unit)
    with view.gather() as facts:
        if placed.place is None or facts.word("arm", placed.id) not in ("", *COMBAT_ARMS):
            raise InputError(f"unit: {placed.id} is no combat unit on the map")
        base, lost = facts.integer("effectiveness", placed.id), -facts.integer("cel", placed.id)
        demoralized, disorder = is_demoralized(facts, placed), facts.integer("disorder", placed.id)
        cavalry = facts.word("arm", placed.id) == "cavalry"
        out = facts.word("supply", placed.id) == "out"
    found = effects(demoralized, disorder, cavalry=cavalry, out_of_supply=out)
    result = ConditionResult(
        unit=placed.id,
        base=base,
        lost=lost,
        cel=base - lost,
        demoralized=demoralized,
        disorder=disorder,
        effects=found,
    )
    figures = {"unit": placed.id, "cel": result.cel, "levels": result.lost, "degree": result.disorder}
    text = "{unit}: level {cel}, {levels} lost"
    text += ", Demoralized" if result.demoralized else ""
    text += ", Disordered D{degree}" if result.disorder else ""
    steps = tuple(Step(effect.rule, "{why}", {"why": effect.what}) for effect in found)
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Condition of {placed.id}",
        verdict=Verdict("figure", text, figures),
        parts=(Part("What that means", steps),) if steps else (),
        result=result,
    )


def effects(demoralized: bool, disorder: int, *, cavalry: bool, out_of_supply: bool) -> tuple[Effect, ...]:
    """All that being Demoralized means for a unit, and being Disordered, which is that and one thing more.

    demoralized: also if it is Disordered; disorder: the degree; out_of_supply: whether it is marked so.

    Rule: 7.3.1, 7.4.1
    """
    if not demoralized and not disorder:
        return ()
    found = [
        Effect("8.6.1", f"it recovers only {FAR} hexes or more from every enemy"),
        Effect("13.1.2", "it neither builds nor raises an Improved Position"),
        Effect("8.4.1", "it places no Prepared Attack marker"),
        Effect("10.1.2", "it attacks nobody"),
        Effect("8.5.1", "it attempts no Repulse"),
        Effect("10.10.3", "when it defends, the attacker's roll for step losses is 3 less"),
        Effect("11.3.2", "a check that it fails after combat costs it hexes and steps, and may Disorder it further"),
        Effect("8.3.3", "levels that a Forced March costs it are steps"),
        Effect("21.1.2", "no Strategic Plan obliges it to move"),
    ]
    if out_of_supply:
        found.append(Effect("14.6", "if it is Isolated too, it may surrender"))
    if cavalry:
        found.append(Effect("9.2.2", "with an enemy next to it after the combats it has to retire if it can"))
    if cavalry and out_of_supply:
        found.append(Effect("9.1.4", "it makes no Cavalry Reaction"))
    if disorder:
        found.append(Effect("7.4.1", "it recovers no levels before it has recovered from Disorder"))
    return tuple(found)


QUESTION = Question(
    name="condition",
    title="how effective a unit is, and what being Demoralized or Disordered means for it",
    parameters=ConditionParameters,
    result=ConditionResult,
    answer=answer,
    answers={},
)
