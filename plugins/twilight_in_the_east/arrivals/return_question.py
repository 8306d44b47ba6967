"""The question `return`: when and where an eliminated supply unit comes back (16.4)."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import (
    InputError,
    Parameters,
    PlaceName,
    UnitName,
    View,
    declare,
    if_known,
    note,
    read_unless,
    refused,
)
from assistant.asking.asks import Ask
from assistant.asking.report import MissingFacts, Part, Report, Step, step, verdict
from assistant.asking.view import changed
from assistant.rules.field import HexBar, side_of
from assistant.state.state import Unit
from assistant.state.vocabulary import UnitId

from ..entering.consequences import follows_changes
from ..forces.departures import check_not_departed, end_waiting
from ..ground.calendar import other_phase_steps
from ..ground.hexsides import Entry, entry_bar
from ..substitutions.facts import is_replaced
from ..substitutions.rules import THIRD_C
from ..supply.side.states import side_supply
from ..terms import DEPOTS, NOT_REPLACED, SUPPLY_ARMS
from .facts import EntryGround

UNSUPPLIED = "it would not be In Supply in {hex}"
"""Why a supply unit is not placed in a hex (16.4)."""


class ReturnParameters(Parameters, frozen=True):
    """An eliminated supply unit."""

    unit: Annotated[UnitName, note("its id")]
    at: Annotated[
        PlaceName | None,
        note("the hex in which to place the unit; if left out, the answer is when the unit comes back"),
    ] = None
    in_supply: Annotated[bool | None, note("whether the unit is In Supply in that hex; traced if left out")] = (
        msgspec.field(name="in-supply", default=None)
    )


class ReturnResult(msgspec.Struct, frozen=True, kw_only=True):
    """When and where it comes back."""

    unit: UnitId
    turn: Annotated[int | None, note("the game turn of its return, null if it never returns, or if that is not stated")]
    allowed: Annotated[bool | None, note("whether the unit may be placed in the hex, null if no hex is given")] = None


def answer(view: View, parameters: ReturnParameters) -> Report[ReturnResult]:
    """Return the report on its return. Raises MissingFacts for the turn of its return, InputError for a unit that does
    not come back so.
    """
    unit = _check_unit(view, parameters.unit)
    at = parameters.at
    title = f"The return of {unit.id}"
    text = "{unit} may not be placed in {hex}"
    returns = None if unit.id in NOT_REPLACED else view.integer("arrives", unit.id) or None
    result = ReturnResult(unit=unit.id, turn=returns, allowed=None if at is None else False)
    if unit.id in NOT_REPLACED:
        never = step(NOT_REPLACED[unit.id], "{unit} is not replaced once eliminated", result)
        return refused(title, "{unit} does not come back", [never], result, result=result)
    if at is None:
        _read_facts(view, unit)
        text = "{unit} comes back in its side's Reinforcement Phase of GT {turn}, in any hex where it is In Supply"
        return Report(title=title, verdict=verdict("figure", text, result), result=result)
    closed = _bar_to_entry(view, unit, at)
    reasons = other_phase_steps(view, view.side_of(unit.id), "16.4", "reinforcement")
    if closed:
        reasons.append(step(closed.rule, "{hex}: {why}", hex=at, why=closed.why))
    unsupplied = [step("16.4", UNSUPPLIED, hex=at)] if parameters.in_supply is False and not closed else []
    if turn := read_unless([*reasons, *unsupplied], lambda: _read_facts(view, unit, at)):
        if returns and turn < returns:
            reasons.append(step("16.4", "it comes back in GT {turn}", turn=returns))
        if parameters.in_supply is None and not closed:
            supplied = read_unless(reasons, lambda: _would_be_supplied(view, unit.id, at, view.side_of(unit.id)))
            unsupplied = [step("16.4", UNSUPPLIED, hex=at)] if supplied is False else []
    reasons += unsupplied
    if not closed:
        reasons += _block_steps(view, unit, at)
    if reasons:
        return refused(title, text, reasons, result, result=result, hex=at)
    changes = [changed(view, "place", unit.id, at, "16.4"), *end_waiting(view, unit.id, "16.4")]
    following = follows_changes(view, changes)
    return Report(
        title=title,
        verdict=verdict("yes", "{unit} may be placed in {hex}", result, hex=at),
        parts=(
            Part("Return", (step("16.4", "two game turns after its elimination, GT {turn}", result),)),
            *following.parts(view),
        ),
        changes=(*changes, *following.changes),
        result=replace(result, allowed=True),
    )


def _check_unit(view: View, name: str) -> Unit:
    """Return an eliminated supply unit by its id. Raises InputError for any other unit, MissingFacts for its arm."""
    unit = view.unit(name)
    with view.gather() as facts:
        arm = facts.word("arm", unit.id)
    if arm not in SUPPLY_ARMS:
        raise InputError(f"unit: {unit.id} is not a supply unit", hint="only depots and Corps Trains come back (16.4)")
    check_not_departed(view, unit.id)
    if is_replaced(view, unit.id):
        hint = "if you play it otherwise, state: ruling return-of-frommel=returns"
        raise InputError(f"unit: {THIRD_C} has entered in the place of {unit.id}, which does not come back", hint=hint)
    if unit.place is not None:
        raise InputError(
            f"unit: {unit.id} is on the map, in {unit.place}", hint="only eliminated units come back (16.4)"
        )
    return unit


def _read_facts(view: View, unit: Unit, at: str | None = None) -> int:
    """Return the game turn. Raises MissingFacts for it, for that of a unit's return, and for whose the unit is and
    whose are those in the hex.
    """
    with view.gather() as facts:
        turn = facts.integer("turn")
        _ = facts.integer("arrives", unit.id)
        if at is not None:
            facts.word("nation", unit.id)
            for other in (unit, *view.stack(at)):
                side_of(facts, other)
    return turn


def _bar_to_entry(view: View, unit: Unit, at: str) -> HexBar | None:
    """Return what keeps a unit of its nation out of a hex, as far as is stated."""
    own = view.side_of(unit.id)
    held = bool(own) and any(view.side_of(other.id) not in ("", own) for other in view.stack(at))
    return entry_bar(Entry(at, (view.word("nation", unit.id),), held))


def _block_steps(view: View, unit: Unit, at: str) -> list[Step]:
    """Return what is known to block a hex to a unit that comes back, as to any reinforcement: an EZOC, or by a ruling
    that the enemy controls it; and to a depot an enemy adjacent to it.
    """
    side = view.side_of(unit.id)
    depots = view.word("arm", unit.id) in DEPOTS
    why = if_known(view, lambda facts: EntryGround(facts, side, depots=depots).bars_to_entry(facts, at))
    return [step(rule, "{why}", why=text) for rule, text in why or ()]


def _would_be_supplied(view: View, unit: str, at: str, side: str) -> bool:
    """Return whether a supply unit of a side would be In Supply in a hex, over a drawn board or what is typed. Raises
    MissingFacts where that does not tell.
    """
    there = view.after([changed(view, "place", unit, at, "16.4")])
    judged = side_supply(there, side, [unit], causes=False).supply.units
    if not judged or judged[0].could.state is None:
        title = f"whether {unit} would be In Supply in {at}"
        raise MissingFacts([Ask(kind="parameter", name="in-supply", rule="16.4", title=title, how="in-supply=yes|no")])
    return judged[0].could.state == "in"


QUESTION = declare("return", "when and where an eliminated supply unit comes back", answer, decision=None)
