"""The question `demobilize`: whether a unit may be taken off the map."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.questions import (
    Answers,
    InputError,
    MissingFacts,
    Parameters,
    Report,
    UnitName,
    View,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.questions.view import changed

from ..calendar.phase import out_of_phase
from ..ground.zones import field, side_of
from ..supply.general import asks, general, sources_of
from ..supply.reach import grant
from ..terms import AVAILABLE


class DemobilizeParameters(Parameters, frozen=True):
    """A unit on the map."""

    unit: Annotated[UnitName, note("its id")]


class Demobilization(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may be demobilized."""

    unit: Annotated[str, note("its id")]
    source: Annotated[str, note("the supply unit or the fortress that supplies it, empty for none")] = ""
    allowed: Annotated[bool, note("whether it may be")] = True


def answer(view: View, parameters: DemobilizeParameters, answers: Answers) -> Report[Demobilization]:
    """The report on a demobilization, which costs and restores no Victory Points. Rule: 9.11

    Raises InputError for a unit off the map, MissingFacts for its supply.
    """
    del answers
    unit = view.unit(parameters.unit)
    if unit.place is None or view.board.is_box(unit.place):
        raise InputError(f"unit: {unit.id} is not on the map", hint="name a unit that stands in a hex")
    with view.gather() as facts:
        side = side_of(facts, unit)
        around = field(facts).around(side)
        sources = sources_of(facts, around)
        found = general(facts, around, sources, unit)
    if found.supplied is None:
        raise MissingFacts(asks(view, around, sources, unit))
    grant(view, found.line if found.supplied else ())
    reasons = out_of_phase(view, side, "mobilization", "9.11")
    if not found.supplied:
        reasons.append(step("9.11", "{unit} cannot trace General Supply", unit=unit.id))
    result = Demobilization(unit=unit.id, source=found.source, allowed=not reasons)
    title = f"Demobilization of {unit.id}"
    if reasons:
        return refused(title, "{unit} may not be demobilized", reasons, result, result=result)
    return Report(
        title=title,
        verdict=verdict(
            "yes", "{unit} may be demobilized: no Victory Points, and not to be mobilized again in this turn", result
        ),
        changes=(
            changed(view, "place", unit.id, AVAILABLE, "9.11"),
            changed(view, "demobilized", unit.id, True, "9.11"),
        ),
        result=result,
    )


QUESTION = declare("demobilize", "whether a unit may be taken off the map in the Mobilization Phase", answer)
