"""The question `call`: whether the Western Front reinforcements are called now, what that scores, and when they arrive
(22.1, 27.2.3).
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.questions import Answers, Gain, Parameters, Report, View, declare, note, permission, step
from assistant.questions.view import changed
from assistant.readymade.arrivals import coming_units
from assistant.state.vocabulary import Allowed

from ..ground.calendar import other_phase_steps
from .activation import CALL, SCORE, read_call
from .armies import arrival_of_call, score_of_call, why_no_call

SIDE = "central-powers"


class CallParameters(Parameters, frozen=True):
    """Nothing: they are called in the turn of the position."""


class CallResult(msgspec.Struct, frozen=True, kw_only=True):
    """The call."""

    turn: Annotated[int, note("the game turn of the call")]
    arrives: Annotated[int, note("the game turn in which they arrive")]
    points: Annotated[int, note("Victory Points for the turn of the call")]
    units: Annotated[tuple[str, ...], note("the units that then arrive, as far as the schedules name them")] = ()
    allowed: Allowed = False


def answer(view: View, parameters: CallParameters, answers: Answers) -> Report[CallResult]:
    """The report on the call. Raises MissingFacts for the turn. Rule: 22.1.1"""
    with view.gather() as facts:
        turn = facts.integer("turn")
    untimely = other_phase_steps(view, SIDE, "22.1.1", "reinforcement")
    reasons = [*untimely, *(step(rule, "{why}", why=why) for rule, why in why_no_call(read_call(view, turn)))]
    arrives, points = arrival_of_call(turn), score_of_call(turn)
    call, scores = changed(view, CALL, "", turn, "22.1"), Gain(SCORE, SIDE, points, "27.2.3")
    called = view.after([call])
    units = tuple(coming.unit for coming in coming_units(called, SIDE) if not reasons and coming.turn == arrives)
    result = CallResult(turn=turn, arrives=arrives, points=points, units=units)
    working = [step("22.1.2", "they arrive in GT {arrives}", result)]
    working += [step("22.1.2", "{units}", result)] if units else []
    working += [step("27.2.3", "{points:+d} Victory Points for a call in GT {turn}", result)]
    return permission(
        "The call for the Western Front reinforcements",
        (
            "they are called in GT {turn} and arrive in GT {arrives}: {points:+d} Victory Points",
            "they may not be called now",
        ),
        reasons,
        result,
        working={"The call": working},
        changes=(call, scores) if points else (call,),
    )


QUESTION = declare("call", "whether the Western Front reinforcements may be called, and what the call brings", answer)
