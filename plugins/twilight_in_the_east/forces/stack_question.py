"""The question `stack`: what a hex holds, whether that is too much, and which unit lies on top (4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.mechanics.procedure import Choice
from assistant.questions import Answers, InputError, Parameters, PlaceName, View, declare, note
from assistant.questions.report import Ask, Part, Report, Step, ask_for, step, verdict
from assistant.state.changes import Change

from ..ground.improved_positions import level_in
from ..terms import SUPPLY_ARMS
from .reading import gather_unit
from .stacking import excess, order
from .units import DIVISIONS, GUNS, CombatUnit, held, over_stacked, stacking_value

Choices = tuple[tuple[str, ...], ...]


class StackParameters(Parameters, frozen=True):
    """A stack."""

    at: Annotated[PlaceName, note("its hex")]
    moved: Annotated[bool, note("whether a movement phase of its side ends now, in which any excess has to go")] = False


class StackResult(msgspec.Struct, frozen=True):
    """A stack."""

    at: Annotated[str, note("its hex")]
    order: Annotated[tuple[str, ...], note("its units as they have to lie, the top one first")]
    as_placed: Annotated[tuple[str, ...], note("its units as they lie")]
    divisions: Annotated[Fraction, note("division equivalents, without units in Rail Mode")]
    guns: Annotated[int, note("artillery units")]
    too_many: Annotated[Fraction, note("division equivalents more than may stay at the end of a movement phase")]
    too_many_guns: Annotated[int, note("artillery units more than may stay then")]
    excess: Annotated[Choices, note("the smallest sets of units that may go then; none of a stack over 12")] = ()

    @property
    def is_excessive(self) -> bool:
        """Whether it holds more than may stay."""
        return bool(self.too_many or self.too_many_guns)


def answer(view: View, parameters: StackParameters, answers: Answers) -> Report[StackResult]:
    """The report on a stack. Raises MissingFacts for what its units count and is not stated, InputError for an empty hex."""
    at, placed = parameters.at, view.stack(parameters.at)
    if not placed:
        raise InputError(f"no unit is in {at}")
    with view.gather() as facts:
        supply = [unit.id for unit in placed if facts.word("arm", unit.id) in SUPPLY_ARMS]
        units = [gather_unit(facts, view, unit, None) for unit in placed if unit.id not in supply]
        counted = [unit for unit in supply if not facts.flag("entrained", unit)]
        position = level_in(facts, at)
    result = StackResult(
        at,
        order(units, supply, in_position=position > 0),
        tuple(unit.id for unit in placed),
        *held(units, len(counted)),
        *over_stacked(units, len(counted)),
        excess(units, counted),
    )
    gone, asks = eliminated(result, answers) if parameters.moved else ((), ())
    text = "{divisions:#division} and {guns:#artillery unit} in {at}, {unit} on top"
    if result.is_excessive:
        text += "; over-stacked by {too_many:#division} and {more_guns:#artillery unit}"
    return Report(
        title=f"Stack in {at}",
        verdict=verdict("figure", text, result, unit=result.order[0], more_guns=result.too_many_guns),
        parts=(
            Part("What it counts", tuple(counting_steps(units, counted, result))),
            Part("Order", tuple(order_steps(result, position))),
            Part("Too high", tuple(excess_steps(result, moved=parameters.moved))),
        ),
        asks=asks,
        changes=tuple(Change("place", unit, at, None, "4.2.3") for unit in gone),
        result=result,
    )


def eliminated(result: StackResult, answers: Answers) -> tuple[tuple[str, ...], tuple[Ask, ...]]:
    """Which units go at the end of a movement phase of their side, or what their owner has to choose first. Rule: 4.2.3"""
    options = {",".join(gone): gone for gone in result.excess}
    choice = Choice("excess", "4.2.3", f"which units too many in {result.at} are eliminated", "owner", dict(options))
    if options and "excess" in answers:
        return options[choice.read(answers["excess"])], ()
    return (), (ask_for(choice),) if options else ()


def counting_steps(units: Sequence[CombatUnit], supply: Sequence[str], result: StackResult) -> Iterator[Step]:
    """What each unit counts."""
    for unit in units:
        text = "{unit}: an artillery unit" if unit.arm == "artillery" else "{unit}: {divisions}"
        if unit.entrained:
            yield step("4.2.4", "{unit}: in Rail Mode, counts nothing", unit=unit.id)
        else:
            yield step("4.2", text, unit=unit.id, divisions=stacking_value(unit))
    yield from (step("4.2", "{unit}: {divisions}", unit=name, divisions=Fraction(1, 2)) for name in supply)
    text = "{divisions:#division} and {guns:#artillery unit}; at the end of a movement phase {limit} and {gun_limit} may stay"
    yield step("4.2.1", text, result, limit=DIVISIONS, gun_limit=GUNS)


def order_steps(result: StackResult, position: int) -> Iterator[Step]:
    """How the stack has to lie."""
    text = "in an Improved Position, from the top: {units}" if position else "from the top: {units}"
    yield step("4.2.5", text, units=result.order, position=position)
    if result.order[0] != result.as_placed[0]:
        yield step("4.2.5", "{unit} lies on top: put it where it belongs", unit=result.as_placed[0])


def excess_steps(result: StackResult, *, moved: bool) -> Iterator[Step]:
    """What becomes of too high a stack: it may stand until the end of its side's next movement phase where a Cavalry Reaction
    or a retreat has made it so, and then the excess is eliminated. Rule: 4.2.3c
    """
    if result.is_excessive:
        text = "a stack that a Cavalry Reaction or a retreat has made too high may stand; at the end of its side's next movement "
        text += "phase the excess is eliminated, one of: {units}"
        if moved:
            text = "too high at the end of a movement phase of its side: its owner eliminates {units}"
        yield step("4.2.3", text, units=[" and ".join(gone) for gone in result.excess] or ["as many as it takes"])


QUESTION = declare(
    "stack",
    "what a hex holds, whether that is too much, and which unit lies on top",
    answer,
    answers={"excess": "the units that are eliminated, joined by commas"},
)
