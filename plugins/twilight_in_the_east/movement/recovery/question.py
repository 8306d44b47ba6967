"""The question `recover`: whether a Disordered unit may recover, and what that takes (7.4.2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.field.standing import side_of
from assistant.questions.question import Answers, Question, UnitName
from assistant.questions.report import Part, Report, Step, Verdict
from assistant.questions.view import View
from assistant.state.changes import Change
from assistant.util.errors import InputError
from assistant.util.notes import note

from ...forces.markers import bound_by_marker, credited
from ...ground.phases import not_now
from ...ground.zones import field

COST = 7
"""Movement Points for a degree (7.4.2)."""
FAR = {"counted": 5, "between": 6}
"""How far the nearest enemy has to be at least, in hexes (7.4.2), by the reading of ruling recovery-distance."""


class RecoverParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit that recovers from Disorder."""

    unit: Annotated[UnitName, note("its id")]
    points: Annotated[float, note("Movement Points spent on it now")]
    spent: Annotated[int, note("those spent before")] = 0


class RecoverResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit recovers."""

    unit: Annotated[str, note("its id")]
    degree: Annotated[int, note("of Disorder")]
    allowed: Annotated[bool, note("whether it may")]
    distance: Annotated[int | None, note("hexes to the nearest enemy, null if there is none")]
    carried: Annotated[int, note("Movement Points that are carried over to the next phase")]
    after: Annotated[int, note("the degree that is left")]


def answer(view: View, parameters: RecoverParameters, answers: Answers) -> Report[RecoverResult]:
    """The report on recovery from Disorder.

    Raises MissingFacts for what matters and nobody stated, InputError for a unit that is not on the map or not Disordered.

    Rule: 7.4.2
    """
    del answers
    unit = view.unit(parameters.unit)
    if unit.place is None or not view.board.is_hex(unit.place):
        raise InputError(f"unit: {unit.id} is not on the map")
    if parameters.spent < 0 or parameters.points < 0:
        raise InputError("points and spent cannot be less than nothing")
    with view.gather() as facts:
        degree = facts.integer("disorder", unit.id)
        supply = facts.word("supply", unit.id)
        side = side_of(facts, unit)
        distance = field(facts).around(side).nearest_enemy(unit.place)
        reading = view.ruling("recovery-distance") if distance == min(FAR.values()) else "counted"
        refused = [
            *forbidden(distance, supply, FAR[reading]),
            *cannot_spend(not_now(view, side), bound_by_marker(facts, unit)),
        ]
    allowance = view.fact("movement", unit.id)
    if allowance and parameters.points > int(str(allowance.value)):
        what = (
            f"points: {unit.id} has {allowance.value} Movement Points in a phase, and no Forced March adds any (7.4.2)"
        )
        raise InputError(what, hint="what was spent in phases before is `spent`")
    if not degree:
        raise InputError(f"unit: {unit.id} is not Disordered")
    total = parameters.spent + credited(Fraction(parameters.points).limit_denominator(12))
    degrees = 0 if refused else min(degree, total // COST)
    done = degrees > 0
    result = RecoverResult(
        unit=unit.id,
        degree=degree,
        allowed=not refused,
        distance=distance,
        carried=0 if refused or degrees == degree else total - COST * degrees,
        after=degree - degrees,
    )
    figures = {
        "unit": unit.id,
        "degree": degree,
        "after": result.after,
        "missing": COST - total % COST,
        "reasons": len(refused),
    }
    text = "{unit} recovers from D{degree}" + (" to D{after}" if result.after else ", and stays Demoralized")
    if not done:
        text = "{unit} needs {missing:#Movement Point} more"
    if refused:
        text = "{unit} cannot recover, for {reasons:#reason}"
    change = Change("disorder", unit.id, degree, result.after or None, "7.4.2")
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Recovery of {unit.id} from Disorder",
        verdict=Verdict("no" if refused else "yes" if done else "figure", text, figures),
        parts=(Part("Not allowed", tuple(refused)),) if refused else (_terms(),),
        changes=(change,) if done else (),
        result=result,
    )


def forbidden(distance: int | None, supply: str, far: int) -> list[Step]:
    """What forbids recovery: an enemy who is too near, and being Out of Supply.

    distance: hexes to the nearest enemy, None if there is none; far: how many there have to be at least.

    Rule: 7.4.2
    """
    steps = []
    if distance is not None and distance < far:
        text = "an enemy is {distance:#hex} away, and {far} are needed"
        steps.append(Step("7.4.2", text, {"distance": distance, "far": far}))
    if supply == "out":
        steps.append(Step("7.4.2", "it is Out of Supply"))
    return steps


def cannot_spend(*reasons: tuple[str, str]) -> list[Step]:
    """Why a unit spends no Movement Points now, rule and reason each; nothing for empty ones."""
    return [Step(rule, "{why}", {"why": why}) for rule, why in reasons if why]


def _terms() -> Part:
    text = "{points:#Movement Point} while stationary, none by Forced March; what is spent carries over unless an enemy comes next to it"
    return Part("Recovery", (Step("7.4.2", text, {"points": COST}),))


QUESTION = Question(
    name="recover",
    title="whether a Disordered unit may recover, and what that takes",
    parameters=RecoverParameters,
    result=RecoverResult,
    answer=answer,
    answers={},
)
