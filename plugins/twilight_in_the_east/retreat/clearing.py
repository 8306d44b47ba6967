"""Who may try a Repulse in a retreat where no hex is open, and which hexes it could clear (8.5.1, 11.2.6)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from assistant.questions import Part, step

from ..combat.legality import combining
from ..forces.bars import FOUGHT, RETREATED, bars
from ..forces.units import Force
from ..ground.hexsides import between
from ..terms import COMBAT_ARMS, FORTRESSES, GREAT_RIVERS
from .cost import Cause, Charge, suffered
from .pieces import Layout

MOST_UNITS = 2
"""Combat units that may take part on the attacking side (8.5.1)."""


class Clearing(msgspec.Struct, frozen=True):
    """A Repulse that a stack may try before it suffers for hexes that it cannot retreat. forces: those of which one may; hexes: those
    that it could clear."""

    forces: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()

    @property
    def part(self) -> Part:
        """What may be tried, in words; nothing where no Force or no hex is left."""
        text = "before it suffers for hexes that it cannot retreat, the stack may attempt a Repulse, if it has tried none in this retreat: "
        text += "{forces} against {hexes} (repulse during=retreat)"
        found = (step("8.5.1", text, self),) if self.forces and self.hexes else ()
        return Part("Repulse", found)


def may_try(force: Force) -> bool:
    """Whether a Force that retreats may attempt a Repulse: one combat unit or two, of which nothing bars an attack but that they have
    fought or retreated. Rule: 8.5.1
    """
    fighting = [unit for unit in force.units if unit.arm in COMBAT_ARMS]
    barred = any(bar not in (RETREATED, FOUGHT) for unit in fighting for bar in bars(unit, "attack"))
    return 0 < len(fighting) <= MOST_UNITS and not barred and not any(combining(fighting, "attacker"))


def may_be_cleared(layout: Layout, side: str, here: str, hex: str) -> bool:
    """Whether enemies stand in a hex that a Repulse from the next one could push away: combat units, and no fortress unit, not over a
    Major or Grand River. side: of the Force. Rule: 8.5.1
    """
    terrain, arms = layout.pieces.terrain, {piece.arm for piece in layout.at(hex) if piece.side not in ("", side)}
    if arms.isdisjoint(COMBAT_ARMS) or not arms.isdisjoint(FORTRESSES) or terrain.passage(here, hex).shut:
        return False
    return not GREAT_RIVERS & between(terrain.view, here, hex).lies


def clearing(
    layout: Layout, forces: Sequence[Force], costs: Sequence[Charge], here: str, side: str, cause: Cause
) -> Clearing:
    """The Repulse that a stack may try from the hex where it is stuck; none in a retreat from one.

    costs: what the way to that hex has cost each Force, which may have made it Demoralized; side: of the stack.
    Rule: 8.5.1, 8.5.1c
    """
    if cause == "repulse":
        return Clearing()
    left = [(force.name, worn(force, costs)) for force in forces]
    able = tuple(name for name, force in left if force and may_try(force))
    around = layout.pieces.terrain.neighbours(here)
    return Clearing(able, tuple(hex for hex in around if may_be_cleared(layout, side, here, hex)))


def worn(force: Force, costs: Sequence[Charge]) -> Force | None:
    """A Force with the levels that its way has cost it, None if nothing is left of it. Its owner still chooses who bears the steps."""
    lost = suffered(force, costs)
    if lost.eliminated:
        return None
    units = (replace(unit, levels=unit.levels + lost.levels) if unit.formation else unit for unit in force.units)
    return Force(force.name, tuple(unit for unit in units if unit.id not in lost.guns))
