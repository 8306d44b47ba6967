"""The question `place`: whether a unit that is due may be placed in a hex."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.questions import (
    Answers,
    Parameters,
    Part,
    PlaceName,
    Report,
    View,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.questions.view import changed

from ..calendar.entry import standard_allies_gone
from ..calendar.phase import out_of_phase
from ..calendar.schedule import scheduled
from ..terms import SUPPLY
from .newcomers import Kind, entering, in_play, newcomer
from .placement import bars


class PlaceParameters(Parameters, frozen=True):
    """A reinforcement and a hex."""

    unit: Annotated[str, note("its id, such as Rus-9, or one of your own with kind and nation")]
    at: Annotated[PlaceName, note("the hex")]
    kind: Annotated[Kind, note("what it is, for a unit that neither the position nor the roster knows")] = ""
    nation: Annotated[str, note("its nation, likewise")] = ""


class Placing(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may be placed in a hex."""

    unit: Annotated[str, note("its id")]
    at: Annotated[str, note("the hex")]
    allowed: Annotated[bool, note("whether it may be placed there")]


def answer(view: View, parameters: PlaceParameters, answers: Answers) -> Report[Placing]:
    """The report on a placement: nothing is paid for it, so the unit has to be due (9.4 to 9.7)."""
    del answers
    at = parameters.at
    with view.gather() as facts:
        who = newcomer(facts, parameters.unit, parameters.kind, parameters.nation)
    with view.gather() as facts:
        reasons = [*out_of_phase(view, who.side, "mobilization", "9.1"), *in_play(view, who)]
        due = next((one for one in scheduled(facts, who.side) if one.unit == who.unit), None)
        turn = facts.integer("turn")
        if due and turn < due.turn:
            reasons.append(step("9.2", "{unit} arrives in turn {turn}", due))
        elif due is None and who.arm != SUPPLY and who.nation not in ("bolshevik", "czech"):
            reasons.append(step("9.2", "{unit} is not due (state arrives=TURN if the Turn Record Chart lists it)", who))
        if standard_allies_gone(facts, who.side) and who.nation != "bolshevik" and who.arm != SUPPLY:
            reasons.append(step("Opt/Rev2-effects", "no units of the old armies arrive after the Second Revolution"))
        reasons += bars(facts, who, at)
    title = f"Placing {who.unit} in {at}"
    result = Placing(unit=who.unit, at=at, allowed=not reasons)
    if reasons:
        return refused(title, "{unit} may not be placed in {at}", reasons, result, result=result)
    changes = entering(view, who, at, "9.4")
    if who.size == "XXXX":
        changes.append(changed(view, "met", who.unit, True, "10.4"))
    return Report(
        title=title,
        verdict=verdict("yes", "{unit} may be placed in {at}", result),
        parts=(Part("Placement", (step("9.4", "{at} takes it, at no cost in Victory or Movement Points", result),)),),
        changes=tuple(changes),
        result=result,
    )


QUESTION = declare("place", "whether a unit that is due may be placed in a hex", answer)
