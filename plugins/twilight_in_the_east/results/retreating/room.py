"""Stacks that end a retreat where there is no room for all of them (4.2.3, 11.2.1)."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from itertools import combinations

from msgspec.structs import replace

from ...forces.units import Force
from ...retreat.pieces import Layout
from ...retreat.ways import hexes_to_room
from ..tolls import summed
from .situations import Retreats


def with_excess(retreats: Retreats, stack: dict[str, Force], layout: Layout) -> dict[str, Retreats]:
    """The retreat with one hex more for as few Forces as need it to clear a hex that cannot hold all who end there, if a hex that can
    lies within reach: keyed by the Forces that may go on, among which the owner chooses. Empty if none has to, or none can.
    Rule: 4.2.3b, 11.2.1
    """
    moving, hexes = retreats.todo[0], len(retreats.way)
    ending = [name for name, owed in moving.owed if owed == hexes and name in stack]
    units = {name: [unit.id for unit in stack[name].units] for name in ending}
    own = [unit.id for force in stack.values() for unit in force.units]
    others = layout_without(layout, own)

    def over(names: tuple[str, ...]) -> bool:
        return any(others.excess(retreats.here, (unit for name in names for unit in units[name])))

    if not hexes or not over(tuple(ending)):
        return {}
    found: dict[str, Retreats] = {}
    for count in range(1, len(ending) + 1):
        for leaving in combinations(reversed(ending), count):
            if over(tuple(name for name in ending if name not in leaving)):
                continue
            fits = partial(has_room, others, tuple(unit for name in leaving for unit in units[name]))
            ground = layout.ground(tuple(stack[name] for name in leaving), moving.place)
            if hexes_to_room(ground, retreats.here, retreats.before, fits)[0]:
                owed = tuple((name, hexes + 1 if name in leaving else number) for name, number in moving.owed)
                extra = summed(moving.extra, dict.fromkeys(leaving, 1))
                on = replace(retreats, todo=(replace(moving, owed=owed, extra=extra), *retreats.todo[1:]))
                found[",".join(name for name in ending if name in leaving)] = on
        if found:
            break
    return found


def has_room(others: Layout, units: Collection[str], hex: str) -> bool:
    """Whether a hex holds some units beside the others there."""
    return not any(others.excess(hex, units))


def layout_without(layout: Layout, units: Collection[str]) -> Layout:
    """Where all others stand."""
    return layout.pieces.arranged(tuple(sorted((dict(layout.moved) | dict.fromkeys(units, "")).items())), layout.turned)
