"""The question `call`: whether the Western Front reinforcements are called now, what that scores, and when they arrive
(22.1, 27.2.3).
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.asking import Parameters, Part, Report, Step, View, declare, note, refused, step, verdict
from assistant.rules.arrivals import coming_units

from ..ground.calendar import other_phase_steps
from .armies import LAST_CALL, arrival_of_call, format_score, score_of_call, why_no_call
from .new_armies import changes_of_call, read_call

SIDE = "central-powers"


class CallParameters(Parameters, frozen=True):
    """Nothing: they are called in the turn of the position."""


class CallResult(msgspec.Struct, frozen=True, kw_only=True):
    """The call."""

    turn: Annotated[int, note("the game turn of the call")]
    arrives: Annotated[int, note("the game turn in which they arrive")]
    points: Annotated[int, note("Victory Points for the turn of the call")]
    units: Annotated[tuple[str, ...], note("the units that then arrive, as far as the schedules name them")] = ()


def answer(view: View) -> Report[CallResult]:
    """Return the report on the call. Raises MissingFacts for the turn."""
    title = "The call for the Western Front reinforcements"
    if reasons := bars_to_call(view):
        return refused(title, "they may not be called now", reasons)
    with view.gather() as facts:
        turn = facts.integer("turn")
    arrives = arrival_of_call(turn)
    points = score_of_call(turn)
    score = format_score(points)
    changes = changes_of_call(view, SIDE, turn)
    units = tuple(coming.unit for coming in coming_units(view.after(changes), SIDE) if coming.turn == arrives)
    result = CallResult(turn=turn, arrives=arrives, points=points, units=units)
    steps = [step("22.1.2", "they arrive in GT {arrives}" + (": {units}" if units else ""), result)]
    steps += [step("27.2.3", "{score} for a call in GT {turn}", result, score=score)]
    text = "they are called in GT {turn} and arrive in GT {arrives}: {score}"
    return Report(
        title=title,
        verdict=verdict("yes", text, result, score=score),
        parts=(Part("The call", tuple(steps)),),
        changes=tuple(changes),
        result=result,
    )


def bars_to_call(view: View) -> list[Step]:
    """Return why the reinforcements are not called now: it is done in the German Reinforcement Phase, and once. Rule:
    22.1.1
    """
    untimely = other_phase_steps(view, SIDE, "22.1.1", "reinforcement")
    call = read_call(view, view.integer("turn") or LAST_CALL)
    return [*untimely, *(step(rule, "{why}", why=why) for rule, why in why_no_call(call))]


QUESTION = declare(
    "call",
    "whether the Western Front reinforcements may be called, and what the call brings",
    answer,
    parameters=CallParameters,
)
