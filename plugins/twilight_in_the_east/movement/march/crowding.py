"""Hexes that hold more units than may stay, once units have moved (4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.questions import Gather
from assistant.state.state import Unit

from ...forces.reading import gather_unit
from ...forces.units import CombatUnit, stack_excess
from ...terms import SUPPLY_ARMS

FEWEST = 3
"""The fewest units that may be too many for a hex: artillery."""


def hexes_over_limit(facts: Gather, ends: Mapping[str, str]) -> Iterator[str]:
    """The hexes in which units end and that then hold more than may stay at the end of the phase. ends: by unit its hex.
    Rule: 4.2.1
    """
    view = facts.view
    for hex in dict.fromkeys(ends.values()):
        there = [unit for unit in view.stack(hex) if unit.id not in ends]
        there += [view.unit(unit) for unit, end in ends.items() if end == hex and unit not in view.decoys]
        if len(there) < FEWEST:
            continue
        supply = [unit.id for unit in there if facts.word("arm", unit.id) in SUPPLY_ARMS]
        counted = [unit for unit in supply if not facts.flag("entrained", unit)]
        if any(stack_excess([counted_in_stack(facts, unit) for unit in there], len(counted))):
            yield hex


def counted_in_stack(facts: Gather, unit: Unit) -> CombatUnit:
    """A unit as it counts in a stack: its steps are read, and asked for, only of a division that has lost some."""
    arm, size = facts.word("arm", unit.id), facts.word("size", unit.id)
    if (arm, size) == ("infantry", "XX") and facts.integer("lost", unit.id):
        return gather_unit(facts, unit, None)
    return CombatUnit(
        id=unit.id,
        nation="",
        arm=arm,
        size=size,
        formation=False,
        place=str(unit.place),
        reduced=facts.flag("reduced", unit.id),
        entrained=facts.flag("entrained", unit.id),
    )
