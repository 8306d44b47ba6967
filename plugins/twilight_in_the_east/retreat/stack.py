"""A stack that retreats: what is asked of it, and what the answer says of it (11.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from assistant.field import Around
from assistant.questions import (
    Parameters,
    Part,
    PlaceName,
    UnitName,
    Verdict,
    View,
    Way,
    note,
    step,
    verdict,
)

from ..combat.engagement import Cause
from ..combat.pieces import (
    Ground,
    Pieces,
)
from ..forces.units import CombatUnit, Force
from ..terms import (
    OFF_MAP,
)
from .ways import (
    Charge,
    ForceRetreat,
    RetreatHex,
    charge_step,
    force_step,
)

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
    departed: Annotated[
        tuple[str, ...], note("the units that have left the map for good; they do not count as eliminated")
    ] = ()
    complete: Annotated[bool, note("whether the retreat is over")] = False
    over_stacked: Annotated[bool, note("whether the last hex of the retreat is over-stacked")] = False

    @property
    def retreated(self) -> int:
        """How many hexes it has retreated."""
        return len(self.way)


DEPARTED = " off the map for good: removed from the game, not eliminated"
"""What becomes of units that retreat off the map, in words."""


def in_a_line(result: RetreatResult) -> Verdict:
    """The retreat in a line."""
    if result.surrenders:
        return verdict("figure", "the stack in {at} cannot retreat at all and surrenders", result)
    if result.departed:
        return verdict("figure", "{departed} retreat" + "s" * (len(result.departed) == 1) + DEPARTED, result)
    if not result.complete:
        hexes = [option.hex for option in result.options if not option.barred]
        text = "{retreated} of {owed:#hex} retreated to {end}" if result.way else "{owed:#hex} to retreat from {at}"
        return verdict("figure", text + "; open next: {hexes}", result, hexes=hexes)
    text = "retreats {retreated} of {owed:#hex} to {end}; levels lost: {levels}; steps lost: {losses}; artillery lost: {guns}"
    levels = [f"{force.force} {force.levels}" for force in result.forces if force.levels]
    losses = [f"{force.force} {force.steps}" for force in result.forces if force.steps]
    guns = [gun for force in result.forces for gun in force.guns]
    eliminated = [force.force for force in result.forces if force.eliminated]
    if len(eliminated) == len(result.forces):
        return verdict("figure", "{eliminated} eliminated on the way to {end}", result, eliminated=eliminated)
    return verdict("figure", text, result, levels=levels, losses=losses, guns=guns)


def cost_part(result: RetreatResult, costs: Sequence[Charge], own: Mapping[str, Sequence[Charge]]) -> Part:
    """What the way costs, charge by charge and Force by Force. own: charges of one Force alone."""
    on_map = [hex for hex in result.way if hex != OFF_MAP]
    steps = [step("11.2.1", "{at} to {hexes}", result, hexes=on_map)] if on_map else []
    if result.surrenders:
        text = "the Combat Results Table calls for a retreat and no hex is open: the stack surrenders and is "
        return Part("The route", (*steps, step("11.2.6", text + "permanently eliminated")))
    steps += map(charge_step, costs)
    for name, charged in own.items():
        steps += [step(charge.rule, "{force}: {why}, {levels:#level}", charge, force=name) for charge in charged]
    steps += map(force_step, result.forces)
    return Part("The route", tuple(steps))


class Retreat(msgspec.Struct, frozen=True):
    """A stack that retreats: who, as units and as Forces, who is around, all pieces of the position, and the
    ground as it finds that.
    """

    parameters: RetreatParameters
    units: tuple[CombatUnit, ...]
    forces: tuple[Force, ...]
    around: Around
    pieces: Pieces
    ground: Ground

    @property
    def view(self) -> View:
        """What is known."""
        return self.around.view

    @property
    def names(self) -> tuple[str, ...]:
        """The units by their ids."""
        return tuple(unit.id for unit in self.units)
