"""How far a stack has come on its retreat: who is left of it, who goes on, and what the hexes so far cost (11.2)."""

from __future__ import annotations

from ...forces.units import Force
from ...retreat import cost
from ...retreat.cost import Charge, RetreatHex
from ...retreat.pieces import Layout
from ...retreat.ways import open_around
from ..combat import Combat
from ..tolls import left_of
from .situations import Retreats, StackRetreat
from .stacks import stack_of, withheld


def own_forces_left(combat: Combat, retreats: Retreats) -> dict[str, Force]:
    """What is left of the Forces that the first stack retreats."""
    moving = retreats.todo[0]
    every = {force.name: force for force in moving.forces} or stack_of(combat, moving.role, moving.place)
    left = {name: left_of(every[name], retreats.toll) for name, _ in moving.owed}
    return {name: force for name, force in left.items() if force is not None}


def going(moving: StackRetreat, stack: dict[str, Force], hexes: int) -> tuple[Force, ...]:
    """The Forces that go farther than so many hexes."""
    return tuple(stack[name] for name, owed in moving.owed if owed > hexes and name in stack)


def walked(retreats: Retreats, stack: dict[str, Force], layout: Layout) -> tuple[RetreatHex, ...]:
    """The hexes entered so far, each as those found it who went there."""
    moving, found = retreats.todo[0], list(retreats.entered)
    places = (moving.start, *retreats.way)
    for number, (here, there) in list(enumerate(zip(places, retreats.way, strict=False)))[len(found) :]:
        ground = layout.ground(going(moving, stack, number), moving.place)
        options = open_around(ground, here, places[number - 1] if number else "")
        found.append(next(hex for hex in options if hex.hex == there))
    return tuple(found)


def charged_for(
    combat: Combat, moving: StackRetreat, force: str, entered: tuple[RetreatHex, ...]
) -> tuple[Charge, ...]:
    """What the hexes of a way cost a Force; of one that was withheld from the combat only EZOCs count (10.1.5)."""
    charged = way_charges(combat, moving, force, entered)
    return cost.spared(charged) if force in withheld(combat) else charged


def way_charges(
    combat: Combat, moving: StackRetreat, force: str, entered: tuple[RetreatHex, ...]
) -> tuple[Charge, ...]:
    """What the hexes of a way cost a Force of the first stack, by the rulings that matter for them."""
    assert combat.pieces is not None
    zones = sum(hex.zone for hex in entered)
    earlier = zones_before(combat, moving, force, matters=zones > 0)
    levels = combat.pieces.view.ruling("ezoc-levels", zones > 0 and earlier + zones > cost.LEVELS)
    return cost.charges(entered, levels, earlier)


def zones_before(combat: Combat, moving: StackRetreat, force: str, *, matters: bool = False) -> int:
    """The unoccupied hexes in EZOCs that count from an earlier retreat of the combat (ruling ezoc-count). matters: whether more were
    entered now."""
    assert combat.pieces is not None
    view, earlier = combat.pieces.view, dict(moving.zones).get(force, 0)
    reading = view.ruling("ezoc-count", earlier > 0 and (matters or "ezoc-count" in view.state.rulings))
    return earlier if reading == "through" else 0
