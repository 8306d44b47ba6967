"""The question `recover`: whether a Disordered unit may recover, and what that takes (7.4.2)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.field import side_of
from assistant.questions import Answers, InputError, Parameters, UnitName, declare, note
from assistant.questions.report import Part, Report, Step, refused, step, verdict
from assistant.questions.view import View, changed

from ..forces.markers import cannot_spend, credited
from ..forces.reading import placed
from ..ground.zones import field

COST = 7
"""Movement Points for a degree (7.4.2)."""
FAR = {"counted": 5, "between": 6}
"""How far the nearest enemy has to be at least, in hexes, by the reading of ruling recovery-distance (7.4.2)."""


def forbidden(distance: int | None, supply: str, reading: str) -> list[Step]:
    """What forbids recovery: an enemy who is too near, and being Out of Supply.

    distance: hexes to the nearest enemy, None if there is none; reading: ruling recovery-distance. Rule: 7.4.2
    """
    steps = []
    if distance is not None and distance < FAR[reading]:
        text = "an enemy is {distance:#hex} away, and {far} are needed"
        steps.append(step("7.4.2", text, distance=distance, far=FAR[reading]))
    if supply == "out":
        steps.append(step("7.4.2", "it is Out of Supply"))
    return steps


def recovered(degree: int, points: int) -> tuple[int, int]:
    """The degrees of Disorder that are left, and the Movement Points that are carried over to the next phase, where any are left.

    degree: before; points: all that were spent on it. Rule: 7.4.2
    """
    degrees = min(degree, points // COST)
    return degree - degrees, points - COST * degrees if degrees < degree else 0


# --- the question -----------------------------------------------------------------------------------------------------


class RecoverParameters(Parameters, frozen=True):
    """A unit that recovers from Disorder."""

    unit: Annotated[UnitName, note("its id")]
    points: Annotated[float, note("Movement Points spent on it now")]
    spent: Annotated[int, note("those spent before")] = 0


class RecoverResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit recovers."""

    unit: Annotated[str, note("its id")]
    degree: Annotated[int, note("its degree of Disorder")]
    allowed: Annotated[bool, note("whether it may recover")]
    distance: Annotated[int | None, note("hexes to the nearest enemy, null if there is none")]
    carried: Annotated[int, note("Movement Points that are carried over to the next phase")]
    after: Annotated[int, note("the degree that is left")]


def answer(view: View, parameters: RecoverParameters, answers: Answers) -> Report[RecoverResult]:
    """The report on recovery from Disorder.

    Raises MissingFacts for what matters and is not stated, InputError for a unit that is not on the map or not Disordered, and for
    points that it cannot have spent.
    """
    unit, place = placed(view, parameters.unit)
    if parameters.spent < 0 or parameters.points < 0:
        raise InputError("points and spent cannot be negative")
    with view.gather() as facts:
        degree, supply = facts.integer("disorder", unit.id), facts.word("supply", unit.id)
        distance = field(facts).around(side_of(facts, unit)).nearest_enemy(place)
        barred = cannot_spend(facts, unit)
    allowance = view.fact("movement", unit.id)
    if allowance and parameters.points > int(str(allowance.value)):
        what = f"{unit.id} has {allowance.value} Movement Points in a phase, and no Forced March adds any (7.4.2)"
        raise InputError(f"points: {what}", hint="give points spent in earlier phases as spent=N")
    if not degree:
        raise InputError(f"unit: {unit.id} is not Disordered")
    doubtful = distance in range(min(FAR.values()), max(FAR.values()))
    reasons = forbidden(distance, supply, view.ruling("recovery-distance", doubtful)) + barred
    points = parameters.spent + credited(parameters.points)
    after, carried = (degree, 0) if reasons else recovered(degree, points)
    result = RecoverResult(
        unit=unit.id, degree=degree, allowed=not reasons, distance=distance, carried=carried, after=after
    )
    title = f"Recovery of {unit.id} from Disorder"
    if reasons:
        return refused(title, "{unit} cannot recover", reasons, result, result=result)
    done = after < degree
    text = "{unit} recovers from D{degree}" + (" to D{after}" if after else ", and stays Demoralized")
    text = text if done else "{unit} needs {missing:#Movement Point} more"
    terms = "{points:#Movement Point} while stationary, none by Forced March; what is spent carries over unless an enemy comes next to it"
    return Report(
        title=title,
        verdict=verdict("yes" if done else "figure", text, result, missing=COST - points % COST),
        parts=(Part("Recovery", (step("7.4.2", terms, points=COST),)),),
        changes=(changed(view, "disorder", unit.id, after or None, "7.4.2"),) if done else (),
        result=result,
    )


QUESTION = declare("recover", "whether a Disordered unit may recover, and what that takes", answer)
