"""The Victory Points that the enemy earns for divisions and supply units which are gone (27.2)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.questions import Part, View, step
from assistant.state.changes import AnyChange, Change

from .units import CombatUnit, is_asset

DIVISIONS = {"infantry": 4, "cavalry": 2}
"""For each enemy division that is eliminated (27.2)."""
SUPPLY = {"major-depot": 4, "minor-depot": 2, "corps-train": 2}
"""For each enemy supply unit that is destroyed (27.2)."""


def for_unit(arm: str, size: str, *, formation: bool) -> int:
    """What a unit that is gone earns the enemy: a formation of the size of a division, and a supply unit; brigades and Asset Units earn
    nothing. Rule: 27.2.5, 27.2.6
    """
    return SUPPLY.get(arm, DIVISIONS.get(arm, 0) if formation and size == "XX" else 0)


def for_divisions(eliminated: Iterable[CombatUnit]) -> int:
    """What eliminated enemies earn that fight."""
    return sum(for_unit(unit.arm, unit.size, formation=unit.formation) for unit in eliminated)


def for_supply(arms: Iterable[str]) -> int:
    """What destroyed enemy supply units earn."""
    return sum(SUPPLY.get(arm, 0) for arm in arms)


def lost_part(view: View, changes: Iterable[AnyChange]) -> Part:
    """What the enemy earns for the units that some changes eliminate, as a part of a report; empty if that is nothing."""
    gone = [
        change.subject
        for change in changes
        if isinstance(change, Change) and change.track == "place" and change.after is None
    ]
    worth = {unit: points for unit in gone if (points := worth_of(view, unit))}
    sides = dict.fromkeys(view.side_of(unit) for unit in worth)
    of_sides = [{unit: worth[unit] for unit in worth if view.side_of(unit) == side} for side in sides]
    text = "{victory_points:#Victory Point} to the enemy for {units}"
    steps = (step("27.2", text, victory_points=sum(side.values()), units=list(side)) for side in of_sides)
    return Part("Victory Points", tuple(steps))


def worth_of(view: View, unit: str) -> int:
    """What a unit of a position is worth to the enemy, as far as it is known."""
    arm, size = view.word("arm", unit), view.word("size", unit)
    return for_unit(arm, size, formation=not is_asset(arm, size, view.flag("asset", unit)))
