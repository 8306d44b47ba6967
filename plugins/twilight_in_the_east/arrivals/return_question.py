"""The question `return`: when and where an eliminated supply unit comes back (16.4)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.field import side_of
from assistant.questions import Answers, InputError, Parameters, PlaceName, UnitName, View, declare, note, refused
from assistant.questions.report import Ask, MissingFacts, Part, Report, Step, step, verdict
from assistant.questions.view import changed

from ..entering.following import follows_changes
from ..ground.phases import not_among_others
from ..supply.whole.sides import side_supply
from ..terms import NOT_REPLACED, SUPPLY_ARMS


class ReturnParameters(Parameters, frozen=True):
    """An eliminated supply unit."""

    unit: Annotated[UnitName, note("its id")]
    at: Annotated[PlaceName | None, note("the hex in which it is to be placed; when it comes back, if left out")] = None
    in_supply: Annotated[bool | None, note("whether it is In Supply there; traced if left out")] = msgspec.field(
        name="in-supply", default=None
    )


class ReturnResult(msgspec.Struct, frozen=True, kw_only=True):
    """When and where it comes back."""

    unit: Annotated[str, note("its id")]
    turn: Annotated[int | None, note("the game turn of its return, null if it never does")]
    allowed: Annotated[bool | None, note("whether it may be placed in the hex, null if none is asked about")] = None


def answer(view: View, parameters: ReturnParameters, answers: Answers) -> Report[ReturnResult]:
    """The report on its return. Raises MissingFacts for the turn of its return, InputError for a unit that is not such a one."""
    unit = view.unit(parameters.unit)
    with view.gather() as facts:
        arm = facts.word("arm", unit.id)
    if arm not in SUPPLY_ARMS:
        raise InputError(f"unit: {unit.id} is not a supply unit", hint="depots and Corps Trains come back (16.4)")
    if unit.place is not None:
        raise InputError(
            f"unit: {unit.id} is on the map, in {unit.place}", hint="units that were eliminated come back (16.4)"
        )
    with view.gather() as facts:
        turn = facts.integer("turn")
        returns = 0 if unit.id in NOT_REPLACED else facts.integer("arrives", unit.id)
    title = f"The return of {unit.id}"
    result = ReturnResult(unit=unit.id, turn=returns or None)
    if unit.id in NOT_REPLACED:
        return refused(
            title,
            "{unit} does not come back",
            [step(NOT_REPLACED[unit.id], "{unit} is not replaced once it is eliminated", result)],
            result,
            result=result,
        )
    if parameters.at is None:
        text = "{unit} comes back in the Reinforcement Phase of its side in GT {turn}, anywhere in supply"
        return Report(title=title, verdict=verdict("figure", text, result), result=result)
    with view.gather() as facts:
        own = side_of(facts, unit)
        held = any(side_of(facts, other) != own for other in view.stack(parameters.at))
    stated = False if held else parameters.in_supply
    supplied = in_supply(view, unit.id, parameters.at, own) if stated is None else stated
    why_not = "enemy units stand in {hex}" if held else "it would not be In Supply in {hex}"
    reasons = [
        *not_among_others(view, own, "16.4", "Reinforcement Phase"),
        *early(turn, returns),
        *([] if supplied else [step("16.4", why_not, hex=parameters.at)]),
    ]
    result = msgspec.structs.replace(result, allowed=not reasons)
    if reasons:
        return refused(title, "{unit} may not be placed in {hex}", reasons, result, result=result, hex=parameters.at)
    placed = (("place", parameters.at), ("arrives", None))
    changes = [changed(view, track, unit.id, value, "16.4") for track, value in placed]
    following = follows_changes(view, changes)
    return Report(
        title=title,
        verdict=verdict("yes", "{unit} may be placed in {hex}", result, hex=parameters.at),
        parts=(
            Part("Return", (step("16.4", "two game turns after its elimination, GT {turn}", turn=returns),)),
            following.part,
        ),
        changes=(*changes, *following.changes),
        result=result,
    )


def early(turn: int, returns: int) -> list[Step]:
    """That it is too early."""
    return [step("16.4", "it comes back in GT {turn}", turn=returns)] if turn < returns else []


def in_supply(view: View, unit: str, at: str, side: str) -> bool:
    """Whether a supply unit of a side would be In Supply in a hex, over a drawn board or what is typed. Raises MissingFacts where that
    does not tell.
    """
    there = view.after([changed(view, "place", unit, at, "16.4")])
    found = side_supply(there, side, [unit], causes=False).supply.units
    if not found or found[0].could.state is None:
        title = f"whether {unit} would be In Supply in {at}"
        raise MissingFacts([Ask(kind="parameter", name="in-supply", rule="16.4", title=title, how="in-supply=yes|no")])
    return found[0].could.state == "in"


QUESTION = declare("return", "when and where an eliminated supply unit comes back", answer, decision=None)
