"""Strategic Plans over plain values: conditions, Victory Points, and the movement of infantry (21.0, 27.2)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated

import msgspec

from assistant.asking import note
from assistant.state.vocabulary import HexNumber

from ..forces.objectives import is_corps
from ..scoring.points import score_corps_plan, score_plan_abandoned, score_plan_achieved

FIRST_ABANDONMENT_TURN = 5
"""The first game turn in which a plan may be abandoned (21.3)."""
Distance = Callable[[str, str], int]


class ObjectiveNow(msgspec.Struct, frozen=True, kw_only=True):
    """An Operational Objective of a force, with its present state."""

    hex: HexNumber
    name: Annotated[str, note("what the place is called")]
    nearest: Annotated[str, note("the nearest infantry formation of the force, empty if none is known")] = ""
    distance: Annotated[int | None, note("hexes from the nearest infantry formation, null if none is known")] = None
    entered: Annotated[bool, note("whether an infantry brigade or division of its side is in the hex or has been")] = (
        False
    )
    control: Annotated[str, note("the side that controls the hex, empty if unknown")] = ""
    captured: Annotated[bool, note("whether it counts as captured if the Player Turn ends now")] = False


class ForcePlan(msgspec.Struct, frozen=True, kw_only=True):
    """The Strategic Plan of an army or a corps."""

    force: Annotated[str, note("the army by side and name, or the corps with a separate plan")]
    bound: Annotated[bool | None, note("whether the plan is in force, null if that is not stated")]
    outcome: Annotated[str, note("achieved or abandoned, empty while it is neither")] = ""
    since: Annotated[int | None, note("the game turn in which it was achieved or abandoned")] = None
    objectives: Annotated[tuple[ObjectiveNow, ...], note("the Operational Objectives")] = ()
    then: Annotated[
        str, note("the army whose objectives a corps pursues next; empty for that to which it is attached")
    ] = ""
    gain: Annotated[int, note("the Victory Points for achieving it in this game turn")] = 0
    cost: Annotated[
        int | None, note("the Victory Points that abandoning it would cost now, null if not bound or not known")
    ] = None

    @property
    def captured(self) -> tuple[ObjectiveNow, ...]:
        """The objectives that count as captured."""
        return tuple(objective for objective in self.objectives if objective.captured)

    @property
    def distance(self) -> int | None:
        """The distance from the closest infantry formation to any objective, in hexes, or None if unknown."""
        return min((each.distance for each in self.objectives if each.distance is not None), default=None)


def is_captured(*, entered: bool, controller: str, side: str) -> bool:
    """Return whether an objective is captured as a Player Turn ends.

    Infantry of the side must be there or have marched through, and the side must control the hex.

    Rule: 21.2
    """
    return entered and controller == side


def holds_for_others(*, entered: bool, controller: str, side: str, armies: Collection[str], force: str) -> bool:
    """Return whether ruling held-objective decides whether an army's plan is achieved.

    It does if another army of the side holds an objective that is not captured, with combat units that capture nothing.

    `entered`, `controller`, `side`: as in `is_captured`.
    `armies`: the armies of the combat units there, by side and name, or "" if unknown.

    Rule: 21.1
    """
    others = [army for army in armies if army and army != force]
    return controller == side and not entered and bool(others) and not is_corps(force)


def is_of_others(armies: Collection[str], force: str) -> bool:
    """Return whether only units of other armies hold an objective.

    `armies`: the armies of these units, by side and name, or "" if unknown.

    Rule: 27.2.2a
    """
    return bool(armies) and all(army and army != force for army in armies)


def is_achieved(captured: Collection[bool]) -> bool:
    """Return whether a plan is achieved, for which one captured objective is enough.

    Any army of the side may hold it.

    `captured`: whether each objective is captured.

    Rule: 21.1
    """
    return any(captured)


def frees(side: str, phasing: str, reading: str) -> bool:
    """Return whether an achieved plan no longer binds its force after a Player Turn.

    `side`: the side of the force.
    `phasing`: the side whose Player Turn ends.
    `reading`: the reading of ruling freed-from.

    Rule: 21.1
    """
    return reading == "next" or side != phasing


def points_for_achieving(force: str, outcome: str, turn: int) -> int:
    """Return the Victory Points of a force for achieving its plan in a game turn, or 0 if the plan has ended.

    `outcome`: the way in which the plan has ended, or "".

    Rule: 27.2.2a, 27.2.2c
    """
    if outcome:
        return 0
    return score_corps_plan(abandoned=False) if is_corps(force) else score_plan_achieved(turn)


def cost_of_abandoning(force: str, distance: int | None) -> int | None:
    """Return the Victory Points lost by abandoning a plan, or None if the distance that decides is not known.

    `distance`: hexes from the closest infantry formation to any objective; only armies need it.

    Rule: 27.2.2b, 27.2.2c
    """
    if is_corps(force):
        return -score_corps_plan(abandoned=True)
    return None if distance is None else -score_plan_abandoned(distance)


def ends_closer(start: str, end: str | None, objectives: Collection[str], distance: Distance) -> bool:
    """Return whether infantry under a plan may end a phase in a hex, at least one hex closer to any objective.

    The route does not matter.

    `end`: the hex, or None if the unit has left the map.
    `distance`: returns the distance of two hexes.

    Rule: 21.1.4
    """
    return end is not None and any(distance(end, hex) < distance(start, hex) for hex in objectives)
