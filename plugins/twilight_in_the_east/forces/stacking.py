"""Stacks: how their units have to lie, and which may go where a hex holds too much (4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations

from ..terms import FORTRESSES
from .units import CombatUnit, over_stacked

LISTED = 12
"""Units of a stack up to which it is listed which may go."""


def order(units: Sequence[CombatUnit], supply: Sequence[str], *, in_position: bool) -> tuple[str, ...]:
    """The units of a stack as they have to lie, the top one first: the largest of the arm that comes first, the largest of the
    other, fortress units, artillery, supply units, then the rest as they lie.

    in_position: whether there is an Improved Position, where infantry comes before cavalry. Rule: 4.2.5
    """
    mobile = ("infantry", "cavalry") if in_position else ("cavalry", "infantry")
    of_arms = [[unit for unit in units if unit.arm == arm] for arm in mobile]
    first = [min(of_arm, key=rank_in_size) for of_arm in of_arms if of_arm]
    first += [unit for arms in (FORTRESSES, ("artillery",)) for unit in units if unit.arm in arms]
    return (*(unit.id for unit in first), *supply, *(unit.id for unit in units if unit not in first))


def rank_in_size(unit: CombatUnit) -> tuple[bool, int]:
    """By what the largest units of a type come first: steps; Demoralized units and those under a 1/2 marker come last.
    Rule: 4.2.5b
    """
    return unit.demoralized or unit.half, -unit.left


def excess(units: Sequence[CombatUnit], supply: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """What may go of a stack that holds too much, by the owner's choice: each set of units without which it does not, and of
    which none could stay; nothing where there are too many units to list them. supply: Corps Trains and depots that count.
    Rule: 4.2.3
    """
    names = [*(unit.id for unit in units), *supply]
    if not any(over_stacked(units, len(supply))) or len(names) > LISTED:
        return ()
    found: list[tuple[str, ...]] = []
    for gone in chain.from_iterable(combinations(names, number) for number in range(len(names))):
        left = [unit for unit in units if unit.id not in gone]
        fits = not any(over_stacked(left, sum(unit not in gone for unit in supply)))
        if fits and not any(set(fewer) <= set(gone) for fewer in found):
            found.append(gone)
    return tuple(found)
