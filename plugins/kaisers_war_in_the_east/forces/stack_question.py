"""The question `stack`: what hexes hold, whether that is too much, and what may go (12)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated

import msgspec

from assistant.mechanics.excess import removals
from assistant.questions import (
    Answers,
    InputError,
    Parameters,
    Part,
    PlaceName,
    Report,
    Step,
    View,
    declare,
    note,
    step,
    verdict,
)
from assistant.questions.play import chosen
from assistant.questions.report import Ask
from assistant.questions.view import changed
from assistant.state.changes import Change

from ..terms import AVAILABLE, DEAD_PILE, SUPPLY
from .stacking import is_within_limits
from .units import Formation, formation

Choices = tuple[tuple[str, ...], ...]


class StackAsked(Parameters, frozen=True):
    """The hexes that are asked for."""

    at: Annotated[tuple[PlaceName, ...], note("the hexes; all with two or more units if left out")] = ()
    ended: Annotated[
        bool, note("whether a Movement or Combat Phase or a battle ends now, after which no excess may stay")
    ] = False


class Stack(msgspec.Struct, frozen=True, kw_only=True):
    """What a hex holds."""

    at: Annotated[str, note("the hex")]
    units: Annotated[tuple[str, ...], note("its units, the top one first")]
    nations: Annotated[tuple[str, ...], note("their nations, those of supply units left out")]
    too_many: Annotated[bool, note("whether it holds more than the stacking limits allow")]
    excess: Annotated[
        Choices, note("the smallest sets of units without which it keeps them; none are listed for more than 12 units")
    ] = ()


class Stacks(msgspec.Struct, frozen=True):
    """The stacks that were asked for."""

    stacks: Annotated[tuple[Stack, ...], note("each hex")]


def answer(view: View, parameters: StackAsked, answers: Answers) -> Report[Stacks]:
    """The report on stacks. Raises MissingFacts for a unit's type or size that is not stated, InputError for an empty hex."""
    hexes = parameters.at or tuple(sorted(crowded(view)))
    for hex in parameters.at:
        if not view.stack(hex):
            raise InputError(f"no unit is in {hex}", hint="place units there, or name another hex")
    with view.gather() as facts:
        found = [(hex, [formation(facts, unit, fights=False) for unit in view.stack(hex)]) for hex in hexes]
        stacks = tuple(stack(hex, units) for hex, units in found)
    over = [one for one in stacks if one.too_many]
    asks, changes = list[Ask](), list[Change]()
    for one in over if parameters.ended else ():
        gone, ask = eliminated(one, answers)
        changes += [removed(view, unit) for unit in gone]
        asks += ask
    said = verdict("no", "over-stacked: {over}", over=[one.at for one in over])
    if not over:
        said = verdict("yes", "within the stacking limits: {stacks:#stack}", stacks=len(stacks))
    return Report(
        title=f"Stacking in {', '.join(parameters.at) or 'all hexes'}",
        verdict=said,
        parts=(Part("Stacks", tuple(line for one in stacks for line in lines(one, ended=parameters.ended))),),
        asks=tuple(asks),
        changes=tuple(changes),
        result=Stacks(stacks),
    )


def crowded(view: View) -> list[str]:
    """The hexes with two or more units."""
    places = [unit.place for unit in view.units() if unit.place and view.board.is_hex(unit.place)]
    return [place for place in dict.fromkeys(places) if places.count(place) > 1]


def stack(at: str, units: list[Formation]) -> Stack:
    """A hex with its units as the limits count them."""
    by_name = {unit.id: unit for unit in units}

    def fits(left: Collection[str]) -> bool:
        return is_within_limits(by_name[name] for name in left)

    return Stack(
        at=at,
        units=tuple(by_name),
        nations=nations(units),
        too_many=not fits([*by_name]),
        excess=removals([*by_name], fits),
    )


def nations(units: list[Formation]) -> tuple[str, ...]:
    """The nations that stand together; supply units stand with anybody. Rule: 12.3"""
    return tuple(dict.fromkeys(unit.nation for unit in units if unit.arm != SUPPLY))


def eliminated(one: Stack, answers: Answers) -> tuple[tuple[str, ...], tuple[Ask, ...]]:
    """Which units of a stack go at the end of a phase or a battle, or what their owner has to choose first. Rule: 12.2"""
    options = {",".join(gone): gone for gone in one.excess}
    if not options:
        return (), ()
    gone, asks = chosen(f"excess.{one.at}", "12.2", f"which excess units in {one.at} are eliminated", options, answers)
    return gone or (), asks


def removed(view: View, unit: str) -> Change:
    """The elimination of an excess unit, which costs no Victory Points. Rule: 12.2"""
    army = view.word("size", unit) in ("XXXX", "abteilung")
    return changed(view, "place", unit, AVAILABLE if army else DEAD_PILE, "12.2")


def lines(one: Stack, *, ended: bool) -> Iterator[Step]:
    """A stack in lines."""
    yield step("12.1", "{at}: {units}, " + ("too many" if one.too_many else "within the limits"), one)
    if len(one.nations) > 1:
        yield step("12.3", "{at}: units of {nations} stand together, and attack together only with a Headquarters", one)
    if one.too_many:
        when = "now" if ended else "when the phase or the battle ends"
        text = "{at}: the owner eliminates, at no cost in Victory Points, " + when + ", one of: {excess}"
        yield step("12.2", text, one, excess=[" and ".join(gone) for gone in one.excess] or ["as many as it takes"])


QUESTION = declare(
    "stack",
    "what hexes hold, whether that is too much, and what may go",
    answer,
    {"excess.HEX": "the units of a hex that are eliminated, joined by commas"},
)
