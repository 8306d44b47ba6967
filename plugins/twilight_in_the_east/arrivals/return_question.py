"""The question `return`: when and where an eliminated supply unit returns (16.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Annotated

import msgspec

from assistant.asking import (
    Gather,
    InputError,
    Parameters,
    PlaceName,
    UnitName,
    View,
    declare,
    if_known,
    note,
    refused,
)
from assistant.asking.asks import Ask
from assistant.asking.case import Action, fact
from assistant.asking.permission import Clause
from assistant.asking.report import Report, Step, step, verdict
from assistant.asking.view import changed
from assistant.rules.field import side_of
from assistant.state.changes import AnyChange
from assistant.state.state import Unit
from assistant.state.vocabulary import UnitId

from ..entering.consequences import Following, follows_changes
from ..forces.departures import check_not_departed, end_waiting
from ..ground.calendar import QuietWork
from ..ground.hexsides import Entry, entry_bar
from ..substitutions.facts import is_replaced
from ..substitutions.rules import THIRD_C
from ..supply.side.states import side_states
from ..terms import DEPOTS, NOT_REPLACED, SUPPLY_ARMS
from .entry import EntryGround


class ReturnParameters(Parameters, frozen=True):
    """Parameters of the question `return`."""

    unit: Annotated[UnitName, note("the id")]
    at: Annotated[
        PlaceName | None,
        note("the hex in which to place the unit; if left out, the answer is when the unit comes back"),
    ] = None
    in_supply: Annotated[bool | None, note("whether the unit is In Supply in that hex; traced if left out")] = (
        msgspec.field(name="in-supply", default=None)
    )


class ReturnResult(msgspec.Struct, frozen=True, kw_only=True):
    """The turn of a unit's return, and the verdict on a hex."""

    unit: UnitId
    turn: Annotated[int | None, note("the game turn of its return, null if it never returns, or if that is not stated")]
    allowed: Annotated[bool | None, note("whether the unit may be placed in the hex, null if no hex is given")] = None


class Returning(QuietWork, Action[ReturnResult]):
    """An eliminated supply unit that would be placed in a hex."""

    unit: str
    hex: str
    turn: int | None
    """The game turn of the unit's return, or None if it is not stated."""
    in_supply: bool | None
    """Whether the unit would be In Supply there, or None if the player does not state it."""
    due: str = "reinforcement"
    rule: str = "16.4"
    title = "The return of {unit}"
    yes = "{unit} may be placed in {hex}"
    no = "{unit} may not be placed in {hex}"

    @fact
    def enemies_there(self) -> bool:
        """Enemies stand in the hex."""
        sides = {side_of(self.facts, other) for other in (self.view.unit(self.unit), *self.view.stack(self.hex))}
        return len(sides - {""}) > 1

    @fact
    def still_to_come(self) -> bool:
        """The game turn of its return has not come."""
        return self.facts.integer("turn") < self.facts.integer("arrives", self.unit)

    @fact
    def unsupplied(self) -> bool:
        """It would not be In Supply there, on a drawn board or by typed lines."""
        if self.in_supply is not None:
            return not self.in_supply
        state = self.traced
        if state is None:
            title = f"whether {self.unit} would be In Supply in {self.hex}"
            how = "in-supply=yes|no"
            self.facts.ask(Ask(kind="parameter", name="in-supply", rule="16.4", title=title, how=how))
        return state != "in"

    @cached_property
    def traced(self) -> str | None:
        """The unit's supply state if it were in the hex, or None if it is not known."""
        there = self.view.after([changed(self.view, "place", self.unit, self.hex, "16.4")])
        judged = side_states(there, self.side, causes=False).answer([self.unit]).supply.units
        return judged[0].could.state if judged else None

    @property
    def closing_bars(self) -> list[Step]:
        """Steps on why the hex is closed to all units or to the unit's nation."""
        bar = entry_bar(Entry(self.hex, (self.view.word("nation", self.unit),), enemies=False))
        return [step(bar.rule, "{hex}: {why}", self, bar)] if bar else []

    @property
    def is_open(self) -> bool:
        return not (self.closing_bars or self.enemies_there)

    @property
    def blocking_steps(self) -> list[Step]:
        """The blocks of the hex for reinforcements, as steps.

        They are an EZOC, by a ruling enemy control, and for a depot an adjacent enemy.

        Rule: 16.1b
        """
        depots = self.view.word("arm", self.unit) in DEPOTS

        def read(facts: Gather) -> list[Step]:
            return EntryGround(facts, self.side, depots=depots).bars_to_entry(facts, self.hex)

        return (if_known(self.view, read) or []) if self.is_open else []

    def bars(self) -> Iterator[Clause | Step]:
        """Yield the bars to placing the unit in the hex. Rule: 16.4"""
        yield from self.bars_of_phase()
        yield self.enemies_there, "4.2", "{hex}: enemies stand there"
        yield from self.closing_bars
        yield self.still_to_come, "16.4", "it comes back in GT {turn}"
        yield self.is_open and self.unsupplied, "16.4", "it would not be In Supply in {hex}"
        yield from self.blocking_steps

    def result(self, *, allowed: bool) -> ReturnResult:
        return ReturnResult(unit=self.unit, turn=self.turn, allowed=allowed)

    @cached_property
    def placed(self) -> list[AnyChange]:
        return [changed(self.view, "place", self.unit, self.hex, "16.4"), *end_waiting(self.view, self.unit, "16.4")]

    @cached_property
    def following(self) -> Following:
        return follows_changes(self.view, self.placed)

    def working(self) -> dict[str, Iterable[Step]]:
        follows = {part.title: part.steps for part in self.following.parts(self.view)}
        return {"Return": [step("16.4", "two game turns after its elimination, GT {turn}", self)], **follows}

    def changes(self) -> list[AnyChange]:
        return [*self.placed, *self.following.changes]


def answer(view: View, parameters: ReturnParameters) -> Report[ReturnResult]:
    """Return the report on a unit's return.

    Raises MissingFacts if the turn of the return is not stated, InputError if the unit is not such a supply unit.
    """
    unit = _check_unit(view, parameters.unit).id
    at, side = parameters.at, view.side_of(unit)
    returns = view.integer("arrives", unit) or None
    if unit in NOT_REPLACED:
        result = ReturnResult(unit=unit, turn=None, allowed=None if at is None else False)
        never = step(NOT_REPLACED[unit], "{unit} is not replaced once eliminated", result)
        return refused(f"The return of {unit}", "{unit} does not come back", [never], result, result=result)
    if at is not None:
        stated = parameters.in_supply
        return Returning(view=view, unit=unit, side=side, hex=at, turn=returns, in_supply=stated).report()
    with view.gather() as facts:
        facts.integer("turn")
        facts.integer("arrives", unit)
    result = ReturnResult(unit=unit, turn=returns)
    text = "{unit} comes back in its side's Reinforcement Phase of GT {turn}, in any hex where it is In Supply"
    return Report(title=f"The return of {unit}", verdict=verdict("figure", text, result), result=result)


def _check_unit(view: View, name: str) -> Unit:
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


QUESTION = declare("return", "when and where an eliminated supply unit comes back", answer, decision=None)
