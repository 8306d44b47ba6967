"""Which unit of a stack has to lie on top once units have moved or changed (4.2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assistant.asking import Step, View, step

from ..ground.works import level_in
from ..terms import SUPPLY_ARMS
from .unit import gather_unit
from .units import stacking_order


def reorder_steps(view: View, hexes: Iterable[str]) -> Iterator[Step]:
    """Yield the units that their owner has to move to the top of their stack.

    What is not stated of a unit is not asked for.

    Rule: 4.2.5
    """
    text = "{unit} has to lie on top of the stack in {hex}: move it there"
    facts = view.unnoticed().gather()  # never entered
    for hex in dict.fromkeys(hexes):
        placed = view.stack(hex)
        units = [gather_unit(facts, unit, None) for unit in placed if view.word("arm", unit.id) not in SUPPLY_ARMS]
        top = next(iter(stacking_order(units, in_position=level_in(facts, hex) > 0)), "")
        if top and placed[0].id != top:
            yield step("4.2.5", text, unit=top, hex=hex)
