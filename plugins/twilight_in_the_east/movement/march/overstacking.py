"""Hexes that hold more units than may stay, once units have moved (4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.asking import Gather
from assistant.state.state import Unit

from ...forces.unit import side_shown
from ...forces.units import CombatUnit, stack_excess
from ...terms import SUPPLY_ARMS

FEWEST = 3
"""The fewest units that may be too many for a hex: artillery."""


def hexes_over_limit(facts: Gather, ends: Mapping[str, str]) -> Iterator[str]:
    """Yield the hexes in which units end and that then hold more than may stay at the end of the phase. ends: by unit
    its hex. Rule: 4.2.1
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
    """Return a unit as it counts in a stack: its steps are read, and asked for, only of a division that has lost some."""
    arm = facts.word("arm", unit.id)
    size = facts.word("size", unit.id)
    return CombatUnit(
        id=unit.id,
        nation="",
        arm=arm,
        size=size,
        formation=False,
        place=str(unit.place),
        reduced=(arm, size) == ("infantry", "XX") and side_shown(facts, unit.id) != "front",
        entrained=facts.flag("entrained", unit.id),
    )
