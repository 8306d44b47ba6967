"""A stack that retreats: what is asked of it, and what the answer says of it (11.2)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.asking import Parameters, PlaceName, UnitName, View, Way, note
from assistant.rules.field import SideField

from ..combat.engagement import Cause
from ..combat.pieces import Pieces
from ..combat.retreat_ground import RetreatGround
from ..forces.units import CombatUnit, Force
from .ways import ForceRetreat, RetreatHex

CAUSES: tuple[Cause, ...] = ("check", "crt", "repulse")
"""What may cause a retreat; where units of a stack state several, the first of these counts."""
Names = tuple[UnitName, ...]
Places = tuple[PlaceName, ...]


class RetreatParameters(Parameters, frozen=True):
    """A retreat to be looked at."""

    at: Annotated[PlaceName, note("the hex that the stack leaves")]
    hexes: Annotated[int | None, note("hexes to retreat, if other than the position states (`owes`)")] = None
    cause: Annotated[
        Cause | None, note("crt, check or repulse, if other than the position states; crt if neither does")
    ] = None
    units: Annotated[Names, note("units that retreat; if left out, those that owe hexes, or else all that can")] = ()
    way: Annotated[Way, note("the hexes that the units enter, in order")] = ()
    off: Annotated[bool, note("whether the units then leave the map over its edge")] = False
    abandoned: Annotated[Places, note("hexes that enemies held in the combat and have retreated from")] = ()
    withheld: Annotated[bool, note("whether the units were withheld from the combat")] = False
    last: Annotated[bool | None, note("whether no further retreat of the combat follows")] = None
    first: Annotated[
        PlaceName | None,
        note("the hex that the units were in when the combat was fought, if they have retreated since"),
    ] = None
    before: Annotated[int, note("hexes retreated before")] = 0
    zones: Annotated[int, note("unoccupied hexes in EZOCs entered so far in this combat")] = 0

    @property
    def owed(self) -> int:
        """How many hexes it must retreat, 0 while that is not known."""
        return self.hexes or 0

    @property
    def due_to(self) -> Cause:
        """What causes it."""
        return self.cause or "crt"

    @property
    def end(self) -> str:
        """Where the way ends."""
        return (self.at, *self.way)[-1]


class RetreatResult(msgspec.Struct, frozen=True, kw_only=True):
    """A retreat."""

    at: Annotated[str, note("the hex that is left")]
    units: Annotated[tuple[str, ...], note("the units that retreat")]
    owed: Annotated[int, note("hexes of retreat due")]
    way: Annotated[tuple[str, ...], note("the hexes entered so far")]
    end: Annotated[str, note("the hex that the stack has reached")]
    options: Annotated[tuple[RetreatHex, ...], note("the hexes adjacent to the one reached, best first")]
    entered: Annotated[
        tuple[RetreatHex, ...], note("the hexes entered so far, each with what it costs each Force")
    ] = ()
    onward: Annotated[
        dict[str, tuple[RetreatHex, ...]],
        note(
            "for each open hex that does not end the retreat, the hexes that are open from there, with what these cost"
        ),
    ] = {}
    closed: Annotated[tuple[RetreatHex, ...], note("what bars the hexes around a stack that is stuck")] = ()
    forces: Annotated[tuple[ForceRetreat, ...], note("what the route costs each Force")]
    passed_over: Annotated[
        dict[str, str], note("each hex entered that the priorities rank below another, with that other hex")
    ] = {}
    surrenders: Annotated[bool, note("whether the stack is gone because it cannot leave its hex")] = False
    fallen: Annotated[tuple[str, ...], note("units that are destroyed because they never retreat")] = ()
    departed: Annotated[
        tuple[str, ...], note("the units that have left the map for good; they do not count as eliminated")
    ] = ()
    complete: Annotated[bool, note("whether the retreat is over")] = False
    over_stacked: Annotated[bool, note("whether the last hex of the retreat is over-stacked")] = False

    @property
    def retreated(self) -> int:
        """How many hexes it has retreated."""
        return len(self.way)


class Retreat(msgspec.Struct, frozen=True):
    """A stack that retreats, as units and as Forces, and the ground as it finds that."""

    parameters: RetreatParameters
    units: tuple[CombatUnit, ...]
    forces: tuple[Force, ...]
    around: SideField
    pieces: Pieces
    ground: RetreatGround
    fallen: tuple[str, ...] = ()
    """Units that are destroyed instead."""

    @property
    def view(self) -> View:
        """What is known."""
        return self.around.view

    @property
    def names(self) -> tuple[str, ...]:
        """The units by their ids."""
        return tuple(unit.id for unit in self.units)
