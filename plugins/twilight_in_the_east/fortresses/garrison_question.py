"""The question `garrison`: the strength and places of the Warsaw Garrison (24.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from assistant.asking import InputError, Parameters, Part, Report, Step, View, declare, note, step, verdict

from ..forces.armies import is_shown
from ..ground.calendar import in_campaign
from .warsaw import (
    COMPLETE,
    COMPLETED_TEXT,
    DEADLINE_TURN,
    MIN_DIVISIONS,
    MIN_STEPS,
    MIN_STEPS_AT_WARSAW,
    Strength,
    completion,
    format_shortfall,
    garrison_units,
    is_locked,
    is_place_of_garrison,
    read_strength,
    shortfall,
)


class GarrisonParameters(Parameters, frozen=True):
    """Parameters of the question `garrison`, which has none: it is about the garrison of the position."""


class GarrisonResult(msgspec.Struct, frozen=True, kw_only=True):
    """The strength of the garrison."""

    met: Annotated[bool, note("whether it is as strong as it must be")]
    strength: Annotated[Strength, note("the infantry")]
    lacking: Annotated[Strength, note("what it lacks")]
    locked: Annotated[bool, note("whether no combat unit may leave it")]
    units: Annotated[tuple[str, ...], note("the units on the map")]
    outside: Annotated[tuple[str, ...], note("those of them that stand where they may not end their movement")]


def answer(view: View) -> Report[GarrisonResult]:
    """Return the report on the Warsaw Garrison.

    Raises MissingFacts if the strength of its units is not stated, InputError if the viewpoint may not see them.
    """
    if not is_shown(view, "russian"):
        raise InputError("the Warsaw Garrison is the enemy's", hint="a side sees only its own displays (4.2.6)")
    strength = read_strength(view)
    with view.gather() as facts:
        units = garrison_units(facts)
        outside = tuple(unit.id for unit in units if not is_place_of_garrison(facts, str(unit.place)))
    lacking = shortfall(strength)
    complete = view.flag(COMPLETE)
    counts = in_campaign(view, "24.1.1", COMPLETED_TEXT)
    result = GarrisonResult(
        met=lacking.is_none,
        strength=strength,
        lacking=lacking,
        locked=counts and is_locked(lacking, complete=complete),
        units=tuple(unit.id for unit in units),
        outside=outside,
    )
    if result.met:
        decision = verdict("yes", "the Warsaw Garrison is complete")
    else:
        short_by = tuple(format_shortfall(lacking))
        decision = verdict("no", "the Warsaw Garrison is short by {short_by:+}", short_by=short_by)
    return Report(
        title="The Warsaw Garrison",
        verdict=decision,
        parts=(
            Part("Strength", tuple(_strength_steps(result))),
            Part("Units", tuple(_unit_steps(result, complete=complete))),
        ),
        changes=tuple(completion(view)) if result.met and counts else (),
        result=result,
    )


def _strength_steps(result: GarrisonResult) -> Iterator[Step]:
    strength = result.strength
    text = "{divisions} of {least} infantry divisions attached"
    yield step("24.1.1", text, strength, least=MIN_DIVISIONS)
    text = "{steps} of {least} infantry steps in or adjacent to Warsaw, Novo-Georgievsk or Zegrze"
    yield step("24.1.1", text, strength, least=MIN_STEPS)
    text = "{steps} of {least} infantry steps in or adjacent to Warsaw"
    yield step("24.1.1", text, steps=strength.at_warsaw, least=MIN_STEPS_AT_WARSAW)


def _unit_steps(result: GarrisonResult, *, complete: bool) -> Iterator[Step]:
    if result.locked:
        text = "no combat unit may leave it until it is complete, which it must be by the start of GT {turn}"
        yield step("24.1.1", text, turn=DEADLINE_TURN)
    elif complete and not result.met:
        yield step("24.1.1", "it has to be complete at the end of each Russian movement phase")
    if result.outside:
        text = (
            "out of place: {units}; the garrison ends its movement in the complexes of Warsaw and Novo-Georgievsk, "
            "or in Zegrze"
        )
        yield step("24.1.2", text, units=result.outside)


QUESTION = declare(
    "garrison",
    "whether the Warsaw Garrison is as strong as it must be, and where its units may stand",
    answer,
    parameters=GarrisonParameters,
)
