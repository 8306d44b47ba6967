"""The question `stack`: the units of a hex, whether they exceed the limits, and the unit on top (4.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import Annotated

from assistant.asking import Answers, InputError, PlaceName, View, declare, note
from assistant.asking.asks import Ask
from assistant.asking.report import Part, Report, Step, step, verdict
from assistant.rules.stacks import Choices, Stacking, choose_excess, removals
from assistant.state.changes import Change
from assistant.state.vocabulary import UnitHex

from ..entering.consequences import follows_changes
from ..forces.unit import gather_unit
from ..forces.units import (
    MAX_DIVISIONS,
    MAX_GUNS,
    CombatUnit,
    count_stack,
    stack_excess,
    stacking_order,
    stacking_value,
)
from ..ground.hexsides import Entry, entry_bar
from ..ground.works import level_in
from ..terms import SUPPLY_ARMS


class StackResult(Stacking, frozen=True):
    """The result of the question `stack`."""

    at: UnitHex
    order: Annotated[tuple[str, ...], note("the units in the order required, the top one first")]
    as_placed: Annotated[tuple[str, ...], note("the units in their present order")]
    divisions: Annotated[Fraction, note("division equivalents, without units in Rail Mode")]
    guns: Annotated[int, note("artillery units")]
    too_many: Annotated[Fraction, note("division equivalents above the limit at the end of a movement phase")]
    too_many_guns: Annotated[int, note("artillery units above the limit at the end of a movement phase")]
    excess: Annotated[
        Choices,
        note("the smallest sets of units whose elimination removes the excess; none are listed for more than 12 units"),
    ] = ()

    @property
    def is_excessive(self) -> bool:
        """Whether the stack exceeds the limits."""
        return bool(self.too_many or self.too_many_guns)


def answer(
    view: View,
    answers: Answers,
    *,
    at: Annotated[PlaceName, note("the hex")],
    moved: Annotated[bool, note("whether a movement phase of its side ends now, and any excess is eliminated")] = False,
) -> Report[StackResult]:
    """Return the report on a stack.

    Raises MissingFacts if a fact that counts for stacking is not stated, InputError if the hex is empty.
    """
    placed = view.stack(at)
    if not placed:
        raise InputError(f"no unit is in {at}")
    with view.gather() as facts:
        supply = [unit.id for unit in placed if facts.word("arm", unit.id) in SUPPLY_ARMS]
        units = [gather_unit(facts, unit, None) for unit in placed if unit.id not in supply]
        counted = [unit for unit in supply if not facts.flag("entrained", unit)]
        position = level_in(facts, at)
    result = StackResult(
        at,
        stacking_order(units, supply, in_position=position > 0),
        tuple(unit.id for unit in placed),
        *count_stack(units, len(counted)),
        *stack_excess(units, len(counted)),
        excess_choices(units, counted),
    )
    gone: Sequence[str] = ()
    asks: tuple[Ask, ...] = ()
    if moved:
        gone, asks = choose_excess("excess", "4.2.3", at, result.excess, answers)
    eliminated = [Change("place", unit, at, None, "4.2.3") for unit in gone]
    following = follows_changes(view, eliminated)
    changes = (*eliminated, *following.changes)
    text = (
        "{divisions:#division} and {guns:#artillery unit} in {at}, {unit} on top"
        "[is_excessive:; over-stacked by {too_many:#division} and {more_guns:#artillery unit}]"
    )
    return Report(
        title=f"Stack in {at}",
        verdict=verdict("figure", text, result, unit=result.order[0], more_guns=result.too_many_guns),
        parts=(
            Part("What it counts", tuple(_counting_steps(units, counted, result))),
            Part("Who may be there", tuple(out_of_place(view, at, result.as_placed))),
            Part("Order", tuple(_order_steps(result, position))),
            Part("Over-stacked", tuple(excess_steps(result, moved=moved))),
            *following.parts(view),
        ),
        asks=asks,
        changes=changes,
        result=result,
    )


def excess_choices(units: Sequence[CombatUnit], supply: Sequence[str]) -> Choices:
    """Return the minimal sets of units whose removal brings a stack within the limits.

    The owner chooses one set. The result is empty if the stack has too many units to list them.

    `supply`: the Corps Trains and depots that count.

    Rule: 4.2.3
    """

    def fits(left: Collection[str]) -> bool:
        return not any(stack_excess([unit for unit in units if unit.id in left], sum(unit in left for unit in supply)))

    return removals([*(unit.id for unit in units), *supply], fits)


def _counting_steps(units: Sequence[CombatUnit], supply: Sequence[str], result: StackResult) -> Iterator[Step]:
    for unit in units:
        if unit.entrained:
            yield step("4.2.4", "{unit}: in Rail Mode, counts nothing", unit=unit.id)
        else:
            text = "{unit}: an artillery unit" if unit.arm == "artillery" else "{unit}: {divisions}"
            yield step("4.2", text, unit=unit.id, divisions=stacking_value(unit))
    for name in supply:
        yield step("4.2", "{unit}: {divisions}", unit=name, divisions=Fraction(1, 2))
    text = (
        "{divisions:#division} and {guns:#artillery unit}; "
        "at the end of a movement phase {limit:#division} and {gun_limit:#artillery unit} may stay"
    )
    yield step("4.2.1", text, result, limit=MAX_DIVISIONS, gun_limit=MAX_GUNS)


def out_of_place(view: View, at: str, units: Sequence[str]) -> Iterator[Step]:
    """Yield the units in a hex that they may never enter.

    Rule: 23.4.1
    """
    for unit in units:
        closed = entry_bar(Entry(at, (view.word("nation", unit),)))
        if closed:
            yield step(closed.rule, "{unit} cannot be in {hex}: {why}", unit=unit, hex=at, why=closed.why)


def _order_steps(result: StackResult, position: int) -> Iterator[Step]:
    text = "[position:in an Improved Position, ]from the top: {units}"
    yield step("4.2.5", text, units=result.order, position=position)
    if result.order[0] != result.as_placed[0]:
        yield step(
            "4.2.5", "{unit} is wrongly on top: move it to its place in the stacking order", unit=result.as_placed[0]
        )


def excess_steps(result: StackResult, *, moved: bool) -> Iterator[Step]:
    """Yield the consequence of an excess, which is eliminated.

    An excess by an arrival, a Cavalry Reaction or a retreat may stay until the end of its side's next movement phase.

    Rule: 4.2.3c
    """
    if not result.is_excessive:
        return
    must = "its owner must eliminate [excess:one of: {units}|as many units as it takes]"
    if moved:
        text = f"over-stacked at the end of its side's movement phase: {must}"
    else:
        text = (
            "an over-stack caused by an arrival, a Cavalry Reaction or a retreat may stand for now; "
            f"at the end of its side's next movement phase {must}"
        )
    yield step("4.2.3", text, result, units=[" and ".join(gone) for gone in result.excess])


QUESTION = declare(
    "stack",
    "what a hex holds, whether that is too much, and which unit lies on top",
    answer,
    answers={"excess": "the units that are eliminated, joined by commas"},
)
