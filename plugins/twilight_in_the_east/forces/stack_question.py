"""The question `stack`: what a hex holds, whether that is too much, and which unit lies on top (4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Annotated

import msgspec

from assistant.mechanics.procedure import Choice
from assistant.questions.question import Answers, PlaceName, Question
from assistant.questions.report import Ask, Part, Report, Step, Verdict, ask_for
from assistant.questions.view import View
from assistant.state.changes import Change
from assistant.util.errors import InputError
from assistant.util.notes import note

from ..ground.improved_positions import level_in
from ..terms import FORTRESSES, SUPPLY_ARMS
from .reading import gather_unit
from .units import DIVISIONS, GUNS, CombatUnit, over_stacked, stacking_value

LISTED = 12
"""Units of a stack up to which it is listed who may go."""


class StackParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stack to be looked at."""

    at: Annotated[PlaceName, note("its hex")]
    moved: Annotated[
        bool, note("whether a movement phase of its side ends now, in which what is too much has to go")
    ] = False


class StackResult(msgspec.Struct, frozen=True, kw_only=True):
    """A stack."""

    at: Annotated[str, note("its hex")]
    order: Annotated[tuple[str, ...], note("its units as they have to lie, the top one first")]
    as_placed: Annotated[tuple[str, ...], note("as they lie")]
    divisions: Annotated[Fraction, note("division equivalents, entrained units aside")]
    guns: Annotated[int, note("artillery units")]
    too_many: Annotated[Fraction, note("more than may stay at the end of a movement phase")]
    too_many_guns: Annotated[int, note("more than may stay at the end of a movement phase")]
    excess: Annotated[
        tuple[tuple[str, ...], ...],
        note("the units that may go then, each choice as few of them as can be, none of a stack of more than 12"),
    ] = ()


def answer(view: View, parameters: StackParameters, answers: Answers) -> Report[StackResult]:
    """The report on a stack.

    Raises MissingFacts for what its units count and nobody stated, InputError for an empty hex.

    Rule: 4.2.1, 4.2.4
    """
    at = parameters.at
    placed = view.stack(at)
    if not placed:
        raise InputError(f"nobody stands in {at}")
    with view.gather() as facts:
        arms = {unit.id: facts.word("arm", unit.id) for unit in placed}
        units = [gather_unit(facts, view, unit, None) for unit in placed if arms[unit.id] not in SUPPLY_ARMS]
        supply = [unit.id for unit in placed if arms[unit.id] in SUPPLY_ARMS]
        riding = [unit for unit in supply if facts.flag("entrained", unit)]
        position = level_in(facts, at)
    too_many, too_many_guns = over_stacked(units, len(supply) - len(riding))
    counted = [unit for unit in units if not unit.entrained and unit.arm not in FORTRESSES]
    result = StackResult(
        at=at,
        order=order(units, supply, in_position=position > 0),
        as_placed=tuple(unit.id for unit in placed),
        divisions=sum((stacking_value(unit) for unit in counted), Fraction(len(supply) - len(riding), 2)),
        guns=sum(unit.arm == "artillery" for unit in counted),
        too_many=too_many,
        too_many_guns=too_many_guns,
        excess=excess(units, [unit for unit in supply if unit not in riding]),
    )
    gone, asks = eliminated(result, answers) if parameters.moved else ((), ())
    parts = [
        value_part(units, [unit for unit in supply if unit not in riding], result),
        order_part(result, position),
    ]
    if result.too_many or result.too_many_guns:
        parts.append(excess_part(result, moved=parameters.moved))
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Stack in {at}",
        verdict=verdict(result),
        parts=tuple(parts),
        asks=asks,
        changes=tuple(Change("place", unit, at, None, "4.2.3") for unit in gone),
        result=result,
    )


def excess(units: Sequence[CombatUnit], supply: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """What may go of a stack that holds too much, by the owner's choice: each set of units without which it does not, and of
    which none could stay; nothing where there are too many units to list them. supply: Corps Trains and depots that count."""
    names = [unit.id for unit in units if not unit.entrained and unit.arm not in FORTRESSES] + list(supply)
    found: list[tuple[str, ...]] = []
    if not any(over_stacked(units, len(supply))) or len(names) > LISTED:
        return ()
    for size in range(1, len(names) + 1):
        for gone in combinations(names, size):
            left = [unit for unit in units if unit.id not in gone]
            fits = not any(over_stacked(left, sum(unit not in gone for unit in supply)))
            if fits and not any(set(fewer) <= set(gone) for fewer in found):
                found.append(gone)
    return tuple(found)


def eliminated(result: StackResult, answers: Answers) -> tuple[tuple[str, ...], tuple[Ask, ...]]:
    """Which units go at the end of a movement phase of their side, or what their owner has to say first.

    Rule: 4.2.3
    """
    options = {",".join(gone): gone for gone in result.excess}
    choice = Choice("excess", "4.2.3", f"which units too many in {result.at} are eliminated", "owner", dict(options))
    if "excess" in answers and options:
        return options[choice.read(answers["excess"])], ()
    if len(options) > 1:
        return (), (ask_for(choice),)
    return next(iter(options.values()), ()), ()


def excess_part(result: StackResult, *, moved: bool) -> Part:
    """What becomes of too high a stack: it may stand until the end of its side's next movement phase where a Cavalry Reaction
    or a retreat has made it so, and then what is too much is eliminated.

    Rule: 4.2.3c
    """
    listed = [" and ".join(gone) for gone in result.excess] or ["as many as it takes"]
    text = "too high at the end of a movement phase of its side: its owner eliminates {units}"
    if not moved:
        text = "where a Cavalry Reaction or a retreat has made it so it may stand; what is too much at the end of its side's next "
        text += "movement phase is eliminated, one of: {units}"
    return Part("Too high", (Step("4.2.3", text, {"units": listed}),))


def order(units: Sequence[CombatUnit], supply: Sequence[str], *, in_position: bool) -> tuple[str, ...]:
    """The units of a stack as they have to lie, the top one first: the largest of the arm that comes first, the largest of the
    other, fortress units, artillery, supply units, then the rest as they lie.

    in_position: whether there is an Improved Position, where infantry comes before cavalry.

    Rule: 4.2.5
    """
    largest = {arm: min(of, key=size) for arm in ("infantry", "cavalry") if (of := [u for u in units if u.arm == arm])}
    arms = ("infantry", "cavalry") if in_position else ("cavalry", "infantry")
    first = [largest[arm].id for arm in arms if arm in largest]
    first += [unit.id for unit in units if unit.arm in FORTRESSES]
    first += [unit.id for unit in units if unit.arm == "artillery"]
    first += supply
    return (*first, *(unit.id for unit in units if unit.id not in first))


def size(unit: CombatUnit) -> tuple[bool, int]:
    """What makes a unit the largest of its type, the largest being the least: steps; Demoralized units and those under a 1/2
    marker come after all others.

    Rule: 4.2.5b
    """
    return unit.demoralized or unit.half, -unit.left


def verdict(result: StackResult) -> Verdict:
    """The stack in a line."""
    figures = {
        "at": result.at,
        "divisions": result.divisions,
        "guns": result.guns,
        "unit": result.order[0],
        "too_many": result.too_many,
        "more_guns": result.too_many_guns,
    }
    text = "{divisions:#division} and {guns:#artillery unit} in {at}, {unit} on top"
    if result.too_many or result.too_many_guns:
        text += "; over-stacked by {too_many:#division} and {more_guns:#artillery unit}"
    return Verdict("figure", text, figures)


def value_part(units: Sequence[CombatUnit], supply: Sequence[str], result: StackResult) -> Part:
    """What each unit counts."""
    steps = []
    for unit in units:
        counts = Fraction(0) if unit.entrained else stacking_value(unit)
        text = "{unit}: in Rail Mode, counts nothing" if unit.entrained else "{unit}: {divisions}"
        text = "{unit}: an artillery unit" if unit.arm == "artillery" and not unit.entrained else text
        steps.append(Step("4.2.4" if unit.entrained else "4.2", text, {"unit": unit.id, "divisions": counts}))
    steps += [Step("4.2", "{unit}: {divisions}", {"unit": unit, "divisions": Fraction(1, 2)}) for unit in supply]
    figures = {"divisions": result.divisions, "guns": result.guns, "limit": DIVISIONS, "gun_limit": GUNS}
    text = "{divisions:#division} and {guns:#artillery unit}; at the end of a movement phase {limit} and {gun_limit} may stay"
    return Part("What it counts", (*steps, Step("4.2.1", text, figures)))


def order_part(result: StackResult, position: int) -> Part:
    """How the stack has to lie."""
    figures = {"units": list(result.order), "position": position}
    text = "in an Improved Position, from the top: {units}" if position else "from the top: {units}"
    steps = [Step("4.2.5", text, figures)]
    if result.order[0] != result.as_placed[0]:
        told = {"unit": result.as_placed[0]}
        steps.append(Step("4.2.5", "{unit} lies on top: put it where it belongs", told))
    return Part("Order", tuple(steps))


QUESTION = Question(
    name="stack",
    title="what a hex holds, whether that is too much, and which unit lies on top",
    parameters=StackParameters,
    result=StackResult,
    answer=answer,
    answers={"excess": "the units that are eliminated, joined by commas"},
)
