"""What would help an attack: Headquarters and supply units that are not used yet (14.8/1, 14.8/2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from assistant.questions import InputError, MissingFacts, View, note

from ..terms import HEADQUARTERS, SUPPLY
from .engagement import BattleParameters, Engagement, engage
from .legality import refusals
from .strength import COLUMNS


class Help(msgspec.Struct, frozen=True):
    """A Headquarters or supply unit that would help an attack."""

    unit: Annotated[str, note("its id")]
    attack: Annotated[int, note("strength of the attack with it")]
    column: Annotated[str, note("the percentage column with it")]


def helpers(view: View, side: str, arm: str) -> Iterator[str]:
    """The units of a side and type on the map."""
    for unit in view.units():
        if unit.place and view.word("arm", unit.id) == arm and view.side_of(unit.id) == side:
            yield unit.id


def helped(view: View, parameters: BattleParameters, combat: Engagement) -> tuple[Help, ...]:
    """What each Headquarters, if none supports the attack, and each further supply unit would make of it, the most helpful first.

    What it reads does not count as read.
    """
    others: list[tuple[str, BattleParameters]] = []
    if not parameters.hq:
        for name in helpers(view, combat.side, HEADQUARTERS):
            others.append((name, msgspec.structs.replace(parameters, hq=name)))
    for name in helpers(view, combat.side, SUPPLY):
        if name not in parameters.supply:
            others.append((name, msgspec.structs.replace(parameters, supply=(*parameters.supply, name))))
    found = []
    for name, other in others:
        there = allowed(view.unnoticed(), other)
        if there and there.attack > combat.attack:
            found.append(Help(name, there.attack, there.column))
    return tuple(sorted(found, key=lambda one: (-one.attack, one.unit)))


def allowed(view: View, parameters: BattleParameters) -> Engagement | None:
    """A combat if the rules allow it and all that it needs is stated, else None."""
    try:
        combat = engage(view, parameters)
        return None if refusals(view, parameters, combat) else combat
    except (InputError, MissingFacts):
        return None


def rank(column: str) -> int:
    """The place of a column on the tables, from the left."""
    return COLUMNS.names.index(column)
