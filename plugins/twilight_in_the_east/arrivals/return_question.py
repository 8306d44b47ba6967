"""The question `return`: when and where an eliminated supply unit comes back (16.4)."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.field import Barred, side_of
from assistant.questions import (
    Answers,
    InputError,
    Parameters,
    PlaceName,
    UnitName,
    View,
    declare,
    note,
    read_unless,
    refused,
)
from assistant.questions.report import Ask, MissingFacts, Part, Report, Step, step, verdict
from assistant.questions.view import changed
from assistant.state.state import Unit
from assistant.state.vocabulary import UnitId

from ..entering.following import follows_changes
from ..ground.calendar import other_phase_steps
from ..ground.hexsides import Entry, entry_bar
from ..supply.side.states import side_supply
from ..terms import NOT_REPLACED, SUPPLY_ARMS

UNSUPPLIED = "it would not be In Supply in {hex}"
"""Why a supply unit is not placed in a hex (16.4)."""


class ReturnParameters(Parameters, frozen=True):
    """An eliminated supply unit."""

    unit: Annotated[UnitName, note("its id")]
    at: Annotated[
        PlaceName | None, note("the hex in which to place it; if left out, the answer is when it comes back")
    ] = None
    in_supply: Annotated[bool | None, note("whether it is In Supply there; traced if left out")] = msgspec.field(
        name="in-supply", default=None
    )


class ReturnResult(msgspec.Struct, frozen=True, kw_only=True):
    """When and where it comes back."""

    unit: UnitId
    turn: Annotated[int | None, note("the game turn of its return, null if it never returns")]
    allowed: Annotated[bool | None, note("whether it may be placed in the hex, null if no hex is given")] = None


def answer(view: View, parameters: ReturnParameters, answers: Answers) -> Report[ReturnResult]:
    """The report on its return. Raises MissingFacts for the turn of its return, InputError for a unit that does not
    come back so.
    """
    unit = view.unit(parameters.unit)
    with view.gather() as facts:
        arm = facts.word("arm", unit.id)
    if arm not in SUPPLY_ARMS:
        raise InputError(f"unit: {unit.id} is not a supply unit", hint="only depots and Corps Trains come back (16.4)")
    if unit.place is not None:
        raise InputError(
            f"unit: {unit.id} is on the map, in {unit.place}", hint="only eliminated units come back (16.4)"
        )
    title, result = f"The return of {unit.id}", ReturnResult(unit=unit.id, turn=None)
    if unit.id in NOT_REPLACED:
        never = step(NOT_REPLACED[unit.id], "{unit} is not replaced once eliminated", result)
        return refused(title, "{unit} does not come back", [never], result, result=result)
    at, text = parameters.at, "{unit} may not be placed in {hex}"
    standing = reasons_against(view, unit, at, parameters.in_supply) if at else []
    known = read_unless(standing, lambda: read_turns(view, unit.id))
    if known is None:
        result = replace(result, allowed=False)
        return refused(title, text, standing, result, result=result, hex=at)
    turn, returns = known
    result = replace(result, turn=returns or None)
    if parameters.at is None:
        text = "{unit} comes back in its side's Reinforcement Phase of GT {turn}, in any hex where it is In Supply"
        return Report(title=title, verdict=verdict("figure", text, result), result=result)
    with view.gather() as facts:
        own = side_of(facts, unit)
        held = any(side_of(facts, other) != own for other in view.stack(parameters.at))
        closed = entry_bar(Entry(parameters.at, (facts.word("nation", unit.id),), held))
    stated = False if closed else parameters.in_supply
    reasons = [
        *other_phase_steps(view, own, "16.4", "Reinforcement Phase"),
        *early(turn, returns),
        *bar_steps(closed, parameters.at),
    ]
    there, name = parameters.at, unit.id
    supplied = read_unless(reasons, lambda: in_supply(view, name, there, own)) if stated is None else stated
    reasons += [step("16.4", UNSUPPLIED, hex=parameters.at)] if supplied is False and not closed else []
    result = replace(result, allowed=not reasons)
    if reasons:
        return refused(title, text, reasons, result, result=result, hex=parameters.at)
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


def reasons_against(view: View, unit: Unit, at: str, supplied: bool | None) -> list[Step]:
    """What forbids a unit's return whenever it is due, as far as is stated: the phase, enemies in the hex, no supply
    there.
    """
    own = view.side_of(unit.id)
    held = any(view.side_of(other.id) not in ("", own) for other in view.stack(at)) if own else False
    closed = entry_bar(Entry(at, (view.word("nation", unit.id),), held))
    unsupplied = [step("16.4", UNSUPPLIED, hex=at)] if supplied is False and not closed else []
    return [*other_phase_steps(view, own, "16.4", "Reinforcement Phase"), *bar_steps(closed, at), *unsupplied]


def bar_steps(closed: Barred | None, at: str) -> list[Step]:
    """Why nobody of a unit's nation may be placed in a hex."""
    return [step(closed.rule, "{hex}: {why}", hex=at, why=closed.why)] if closed else []


def read_turns(view: View, unit: str) -> tuple[int, int]:
    """The game turn, and that in which a unit comes back. Raises MissingFacts if they are not stated."""
    with view.gather() as facts:
        return facts.integer("turn"), facts.integer("arrives", unit)


def early(turn: int, returns: int) -> list[Step]:
    """That it is too early."""
    return [step("16.4", "it comes back in GT {turn}", turn=returns)] if turn < returns else []


def in_supply(view: View, unit: str, at: str, side: str) -> bool:
    """Whether a supply unit of a side would be In Supply in a hex, over a drawn board or what is typed. Raises
    MissingFacts where that does not tell.
    """
    there = view.after([changed(view, "place", unit, at, "16.4")])
    judged = side_supply(there, side, [unit], causes=False).supply.units
    if not judged or judged[0].could.state is None:
        title = f"whether {unit} would be In Supply in {at}"
        raise MissingFacts([Ask(kind="parameter", name="in-supply", rule="16.4", title=title, how="in-supply=yes|no")])
    return judged[0].could.state == "in"


QUESTION = declare("return", "when and where an eliminated supply unit comes back", answer, decision=None)
