"""A stack that retreats: the parameters, the result, and its changes on the map (11.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from assistant.asking import Answers, Parameters, PlaceName, Step, UnitName, View, Way, note, step
from assistant.asking.asks import Ask
from assistant.asking.view import changed
from assistant.rules.field import SideField
from assistant.state.changes import Change

from ..combat.engagement import Cause
from ..combat.garrisons import release_garrison
from ..combat.pieces import Pieces, keep_attached
from ..combat.retreat_ground import RetreatGround
from ..forces.departures import depart
from ..forces.falling import list_falls
from ..forces.losses import bearers, share_among, step_losses
from ..forces.units import CombatUnit, Force, is_marsch
from ..ground.calendar import ATTACK_PHASES, phase_of
from ..terms import RETREAT_CAUSE, SUPPLY_ARMS
from .ways import ForceRetreat, RetreatHex

CAUSES: tuple[Cause, ...] = ("check", "crt", "repulse")
"""Causes of retreats; if units of a stack state several, the first of these counts."""
Names = tuple[UnitName, ...]
Places = tuple[PlaceName, ...]


class RetreatParameters(Parameters, frozen=True):
    """Parameters of the question `retreat`."""

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
        """The number of hexes that the stack must retreat, or 0 if not stated."""
        return self.hexes or 0

    @property
    def due_to(self) -> Cause:
        """The cause of the retreat, by default the Combat Results Table."""
        return self.cause or "crt"

    @property
    def end(self) -> str:
        """The last hex of the way so far."""
        return (self.at, *self.way)[-1]


class RetreatResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a retreat, or of its hexes so far."""

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
        """The number of hexes entered."""
        return len(self.way)


class Retreat(msgspec.Struct, frozen=True):
    """A stack that retreats, with the ground around it."""

    parameters: RetreatParameters
    units: tuple[CombatUnit, ...]
    forces: tuple[Force, ...]
    around: SideField
    pieces: Pieces
    ground: RetreatGround
    fallen: tuple[str, ...] = ()
    """Units that are destroyed instead of retreating."""

    @property
    def view(self) -> View:
        """The view of the position."""
        return self.around.view

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the units."""
        return tuple(unit.id for unit in self.units)


def units_departed(retreat: Retreat, way: Sequence[RetreatHex], lost: Sequence[ForceRetreat]) -> tuple[str, ...]:
    """Return the surviving units if the route has led off the map, or (). Rule: 1.2.2b"""
    if not way or not way[-1].leaves:
        return ()
    return tuple(unit.id for unit in find_all_survivors(retreat, lost))


def departure_steps(result: RetreatResult) -> Iterator[Step]:
    """Yield a line on the units that have left the map, if there are any."""
    if result.departed:
        text = "{departed}: off the map for good; they never return, and the enemy scores nothing for them"
        yield step("1.2.2", text, result)


def find_all_survivors(retreat: Retreat, lost: Sequence[ForceRetreat]) -> list[CombatUnit]:
    """Return the units of the stack that survive the losses of its Forces."""
    left = [unit for unit in retreat.units if unit.arm in SUPPLY_ARMS]
    for force, of_force in zip(retreat.forces, lost, strict=True):
        left += _find_survivors(force, of_force)
    return left


def _find_survivors(force: Force, lost: ForceRetreat) -> list[CombatUnit]:
    gone = bearers(force) if lost.eliminated else ()
    off = (*lost.guns, *lost.destroyed)
    return [unit for unit in force.units if unit not in gone and unit.id not in off]


def list_consequences(
    retreat: Retreat, result: RetreatResult, answers: Answers
) -> tuple[tuple[Ask, ...], tuple[Change, ...]]:
    """Return the choices that owners must still make, or else the changes of the position."""
    view, at, end = retreat.view, result.at, result.end
    asks: list[Ask] = []
    of_unit: dict[str, list[Change]] = {}
    for force, lost in zip(retreat.forces, result.forces, strict=True):
        taken, due = ({}, ()) if lost.eliminated or result.departed else share_among(force, lost.steps, answers)
        asks += due
        if due and any(is_marsch(unit) for unit in force.units):
            text = "left to the owner: no Marsch unit takes the first step loss of an Austro-Hungarian attack"
            view.premises.assume(step("23.8", text))
        left = [] if result.surrenders else _find_survivors(force, lost)
        for unit in force.units:
            changes = of_unit.setdefault(unit.id, [])
            if unit not in left:
                changes.append(changed(view, "place", unit.id, None, _find_rule(unit, lost, result)))
                continue
            if unit.id in result.departed:
                changes += depart(view, [unit.id])
                continue
            losses = step_losses(view, unit, taken[unit.id]) if unit.id in taken else []
            stays = not any(change.track == "place" for change in losses)
            moves = end != at and stays
            changes += losses
            if stays:
                changes += debt_changes(retreat, unit)
            if moves:
                changes.append(changed(view, "place", unit.id, end, "11.2.1"))
            if unit.formation and lost.levels:
                changes.append(changed(view, "cel", unit.id, -unit.levels - lost.levels, "11.2"))
            changes += marker_changes(retreat, unit)
            if moves:
                beside = {*(other.id for other in view.stack(end)), *retreat.names}
                changes += [*_list_marks(retreat, unit), *keep_attached(view, force, unit, beside)]
    if asks:
        return tuple(asks), ()
    of_unit |= {change.subject: [change] for change in list_falls(view, retreat.fallen)}
    for unit in retreat.units:
        if unit.arm in SUPPLY_ARMS:
            of_unit[unit.id] = [*_list_train_changes(retreat, unit, result)]
    in_order = list[Change]()
    for placed in view.stack(at):  # units keep the order of the stack in their new hex
        in_order += of_unit.get(placed.id, ())
    return (), tuple(in_order)


def _list_train_changes(retreat: Retreat, unit: CombatUnit, result: RetreatResult) -> Iterator[Change]:
    """Yield the changes of a Corps Train that retreats with a stack; it loses nothing (11.2.1)."""
    if result.departed:
        yield from depart(retreat.view, [unit.id])
        return
    yield from debt_changes(retreat, unit)
    if result.end != result.at:
        yield changed(retreat.view, "place", unit.id, result.end, "11.2.1")
        yield from _list_marks(retreat, unit)


def _find_rule(unit: CombatUnit, lost: ForceRetreat, result: RetreatResult) -> str:
    """Return the rule by which a retreat eliminates a unit."""
    if unit.id in lost.destroyed:
        return "23.3"
    return "11.2.6" if result.surrenders else "11.2"


def marker_changes(retreat: Retreat, unit: CombatUnit) -> list[Change]:
    """Return the change that removes a unit's Prepared Attack marker in a retreat from a Repulse.

    The list is empty in other retreats, and without such a marker.

    Rule: 8.4.3
    """
    if retreat.parameters.due_to != "repulse" or not unit.prepared:
        return []
    return [changed(retreat.view, "prepared", unit.id, None, "8.4.3")]


def debt_changes(retreat: Retreat, unit: CombatUnit) -> list[Change]:
    """Return the changes of the hexes that a unit still owes after this retreat.

    The cause of the retreat is cleared once it owes none.

    Rule: 11.2.1, 11.2.6b
    """
    view = retreat.view
    owed = retreat.view.state.value("owes", unit.id)
    if not isinstance(owed, int):
        return []
    left = max(owed - retreat.parameters.owed, 0)
    changes = [changed(view, "owes", unit.id, left, "11.2.1")]
    if not left and view.fact(RETREAT_CAUSE, unit.id):
        changes.append(changed(view, RETREAT_CAUSE, unit.id, None, "11.2.1"))
    return changes


def _list_marks(retreat: Retreat, unit: CombatUnit) -> list[Change]:
    """Return the changes that mark a unit as retreated, if the retreat is in an attack phase (10.1).

    A Fortress Garrison that leaves its complex is released (12.4.1).
    """
    view, parameters = retreat.view, retreat.parameters
    in_attack = parameters.due_to != "repulse" or phase_of(view) in ATTACK_PHASES
    changes = [changed(view, "retreated", unit.id, True, "10.1")] if in_attack else []
    return changes + release_garrison(view, unit.id, parameters.at, parameters.end)
