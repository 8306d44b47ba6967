"""The question `capture`: what a side gains and the other loses as it takes a hex."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.questions import (
    Answers,
    Parameters,
    PlaceName,
    Report,
    SideName,
    View,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.questions.report import Part
from assistant.questions.view import changed
from assistant.state.changes import AnyChange, Gain

from ..ground.countries import is_neutral
from ..ground.places import controller
from .points import captured


class CaptureParameters(Parameters, frozen=True):
    """A hex that a side takes."""

    at: Annotated[PlaceName, note("the hex")]
    side: Annotated[SideName, note("the side that takes it")]


class Capture(msgspec.Struct, frozen=True, kw_only=True):
    """What changes hands with a hex."""

    hex: Annotated[str, note("the hex")]
    side: Annotated[str, note("the side that takes it")]
    controller: Annotated[str, note("the side that controlled it before, empty for nobody")]
    gain: Annotated[int, note("Victory Points that the side gains")] = 0
    loss: Annotated[int, note("Victory Points that the other side loses")] = 0


def answer(view: View, parameters: CaptureParameters, answers: Answers) -> Report[Capture]:
    """The report on a capture: whose control the hex was under, and the Victory Points if it is a Strategic Objective.

    Units of the captor that stand there already do not count: the question is asked as they enter. Rule: 5.3, 7.3/2
    """
    del answers
    at, side = parameters.at, parameters.side
    before = view.after(
        [changed(view, "place", unit.id, None, "7.3") for unit in view.stack(at) if view.side_of(unit.id) == side]
    )
    with view.gather() as facts:
        country = facts.word("country", at)
        neutral = bool(country) and is_neutral(facts, country)
        facts.flag("objective", at)
        gain, loss = captured(facts)
    with before.gather() as facts:
        holder = controller(facts, at)
    title = f"Capture of {at}"
    names = {"side": view.game.file.title_of(side), "controller": view.game.file.title_of(holder) if holder else ""}
    result = Capture(hex=at, side=side, controller=holder)
    if neutral:
        return refused(
            title, "{hex} lies in a neutral country", [step("23.0", "nobody enters it")], result, result=result
        )
    if holder == side:
        text = "the {side} control {hex} already"
        return refused(title, text, [step("7.3", text, result, **names)], result, result=result, **names)
    changes: list[AnyChange] = [changed(view, "control", at, side, "7.3")]
    if not view.flag("objective", at) or not holder:
        text = "the {side} take control of {hex}; no Victory Points"
        return Report(
            title=title, verdict=verdict("figure", text, result, **names), changes=tuple(changes), result=result
        )
    result = msgspec.structs.replace(result, gain=gain, loss=loss)
    points = step("5.3", "{hex} is a Strategic Objective: {side} {gain:+}, {controller} -{loss}", result, **names)
    changes += [Gain("vp", side, gain, "5.3"), Gain("vp", holder, -loss, "5.3")]
    return Report(
        title=title,
        verdict=verdict(
            "figure", "the {side} gain {gain:#Victory Point}, the {controller} lose {loss}", result, **names
        ),
        parts=(Part("Victory Points", (points,)),),
        changes=tuple(changes),
        result=result,
    )


QUESTION = declare("capture", "the Victory Points and the control that change hands as a side takes a hex", answer)
