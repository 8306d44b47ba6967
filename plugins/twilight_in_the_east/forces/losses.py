"""What losses bring: changes to a position (3.4.1), supply units that come back (16.4), and Victory Points (27.2)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.questions import Part, step
from assistant.questions.view import View, changed
from assistant.state.changes import AnyChange, Change

from ..terms import NOT_REPLACED, SUPPLY_ARMS
from .units import CombatUnit, is_asset

AWAY = 2
"""Game turns from the elimination of a supply unit to its return."""
LAST = 47
"""The last game turn (5.3)."""
DIVISIONS = {"infantry": 4, "cavalry": 2}
"""For each enemy division that is eliminated (27.2)."""
SUPPLY = {"major-depot": 4, "minor-depot": 2, "corps-train": 2}
"""For each enemy supply unit that is destroyed (27.2)."""


def step_losses(view: View, unit: CombatUnit, steps: int) -> list[Change]:
    """The changes that step losses make to one unit: a marker, the reduced side, or removal.

    On its reduced side the losses count anew, and ratings that were stated for the front no longer hold: those of the
    back take their place where they are known, and are asked for where they are not. A value that is made up does not
    become a stated one.
    Rule: 11.1, 3.4.1b
    """
    left = unit.left - steps
    if left <= 0:
        return [Change("place", unit.id, unit.place, None, "11.1")]
    if view.state.value("reduced", unit.id) or not unit.on_reduced_side(steps):
        return [changed(view, "lost", unit.id, unit.lost + steps, "11.1")]
    changes = [changed(view, "reduced", unit.id, True, "11.1")]
    back_steps = unit.steps if unit.reduced else unit.back_steps
    if back_steps - left != (view.state.value("lost", unit.id) or 0):
        changes.append(changed(view, "lost", unit.id, back_steps - left, "11.1"))
    for rating in ("steps", "defence", "artillery"):
        stated = view.state.facts.get((rating, unit.id))
        back = view.fact(f"back-{rating}", unit.id)
        doubtful = back is not None and back.doubtful
        now = None if doubtful else back_steps if rating == "steps" else back.value if back else None
        if stated.value != now if stated else rating == "steps" and now is not None:
            changes.append(changed(view, rating, unit.id, now, "3.4.1"))
    return changes


def returns_in(arm: str, unit: str, eliminated: int) -> int | None:
    """The game turn in whose friendly Reinforcement Phase an eliminated supply unit comes back: two turns later; the
    PRAGA depot and the Train of Königsberg never do. eliminated: the game turn in which that was; None for what does
    not return.
    Rule: 16.4, 24.5.1
    """
    return eliminated + AWAY if arm in SUPPLY_ARMS and unit not in NOT_REPLACED else None


def supply_units_lost(view: View, changes: Iterable[AnyChange]) -> list[Change]:
    """In which game turn supply units come back that changes take off the map, as far as the turn is stated (16.4)."""
    turn, gone = (
        view.integer("turn"),
        (change for change in changes if isinstance(change, Change) and change.track == "place"),
    )
    lost = [change.subject for change in gone if change.after is None]
    back = {unit: returns_in(view.word("arm", unit), unit, turn) for unit in lost} if turn else {}
    return [
        changed(view, "arrives", unit, returns, "16.4") for unit, returns in back.items() if returns and returns <= LAST
    ]


def for_unit(arm: str, size: str, *, formation: bool) -> int:
    """What a unit that is gone earns the enemy: a formation of the size of a division, and a supply unit; brigades and
    Asset Units earn nothing.
    Rule: 27.2.5, 27.2.6
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
