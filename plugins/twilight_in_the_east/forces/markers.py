"""Markers of units.

- MPs Expended: Movement Points carried over on a task, and their loss (8.9).
- Combat Strength 1/2: its two sides, and units caught entraining or detraining (5.4.10, 8.2.5).
- Markers that only units of certain arms bear, such as depots.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from assistant.asking import Gather, InputError, Step, View, holding, step
from assistant.asking.view import changed
from assistant.rules.field import side_of
from assistant.state.changes import Change
from assistant.state.state import Unit

from ..ground.hexsides import field
from ..terms import DEPOTS, FORTRESSES, SUPPLY_ARMS
from . import units

TASK_COST = 7
"""Movement Points to recover a level or a degree of Disorder, or to raise a position (7.4.2, 8.6, 13.1.1)."""
TASK_WORDS = {
    "recovery": "recovering Combat Effectiveness Levels",
    "disorder": "recovering from Disorder",
    "ersatz": "incorporating Ersatz replacements",
    "position": "an Improved Position",
    "entraining": "entraining",
    "detraining": "detraining",
    "trans-shipping": "trans-shipping",
}
"""Tasks as messages name them."""
CAUGHT_TASKS = frozenset({"entraining", "detraining"})
"""The tasks that leave a unit with a Combat Strength 1/2 marker if an enemy comes adjacent (8.2.5)."""
BY_RAIL = CAUGHT_TASKS | {"trans-shipping"}
"""The tasks that cost the unit's Rail Cost Points instead of `TASK_COST` (8.2.3, 17.2.2)."""
WAITING_TASKS = frozenset({"ersatz"})
"""The tasks that several units complete together, once the last of them has spent its points (8.7.1)."""
LOST_BESIDE_ENEMIES = frozenset({"recovery", "disorder"}) | CAUGHT_TASKS
"""The tasks whose points are lost once an enemy comes adjacent (8.9.3a)."""
LOST_WHEN_ATTACKED = frozenset({"ersatz", "position"})
"""The tasks whose points are lost once an enemy attacks (8.9.3b)."""
HALF_TRACK = "half"
"""The track of the Combat Strength 1/2 marker."""
HALF_FINAL_TRACK = "half-final"
"""The track of its Final side."""
Side = Literal["", "initial", "final"]
"""The side that a 1/2 marker shows, or "" if there is no marker."""
BEARING_ARMS = {
    "extended": SUPPLY_ARMS,
    "ap-spent": SUPPLY_ARMS,
    "relocation": DEPOTS,
    "incomplete": ("corps-train",),
    "changed-attachment": ("major-depot",),
}
"""The arms that may bear a marker, by the marker's track."""
NO_MARKER = (None, False, 0, "none")
"""The values of a marker's track that mean no marker."""


# --- MPs Expended markers ---------------------------------------------------------------------------------------------


class Marker(msgspec.Struct, frozen=True):
    """The MPs Expended marker of a unit."""

    task: str = ""
    """The purpose of the points, or "" if there is no marker."""
    points: int = 0
    """Movement Points shown on the marker."""


def is_lost_beside_enemies(task: str, *, sheltered: bool) -> bool:
    """Return whether a marker is removed once an enemy is adjacent to its unit.

    `sheltered`: whether the unit may recover levels beside an enemy, and so keeps its points for recovery.

    Rule: 8.9.3a
    """
    return task in LOST_BESIDE_ENEMIES and not (sheltered and task == "recovery")


def is_lost_when_attacked(task: str) -> bool:
    """Return whether a marker is removed once an enemy attacks its unit. Rule: 8.9.3b"""
    return task in LOST_WHEN_ATTACKED


def why_task_binds(marker: Marker, doing: str) -> str:
    """Return why a unit must first complete the task that it has begun, or "" if it may spend points.

    `doing`: the task on which the unit would spend points, or "" for a move.

    Rule: 8.9.1, 8.9.2
    """
    bound = marker.points and marker.task != doing
    by_rail = marker.task in BY_RAIL
    left = TASK_COST - marker.points
    needs_points = "it has begun {task} and needs {left:#more Movement Point} for it"
    waits = "it has begun {task} and waits until the other units have spent theirs"
    clauses = (
        (bound and by_rail, "8.9.2", "it has begun {task} and completes that first"),
        (bound and left and not by_rail, "8.9.2", needs_points),
        (bound and not (left or by_rail), "8.9.2", waits),
    )
    return "".join(bar.text for bar in holding(clauses, task=TASK_WORDS.get(marker.task), left=left))


def marker_of(facts: Gather, unit: Unit) -> Marker:
    """Return the MPs Expended marker of a unit, or an empty one if an adjacent enemy has removed it.

    Raises InputError if the task is not stated, or the marker shows enough points to complete it.
    """
    points = facts.integer("expended", unit.id)
    if not points:
        return Marker()
    task = facts.word("task", unit.id)
    if task not in TASK_WORDS:
        hint = f"add task={'|'.join(TASK_WORDS)}"
        raise InputError(f"{unit.id} has expended={points}, but its task is not stated", hint=hint)
    max_points = TASK_COST if task in WAITING_TASKS else TASK_COST - 1
    if task not in BY_RAIL and points > max_points:
        what = f"{unit.id} has expended={points}, but {TASK_COST} Movement Points complete {TASK_WORDS[task]}"
        raise InputError(what, hint=f"give 1 to {max_points}, or state what it has completed")
    if task not in LOST_BESIDE_ENEMIES or not is_beside_enemies(facts, unit):
        return Marker(task, points)
    if not is_lost_beside_enemies(task, sheltered=task == "recovery" and _is_kept_beside_enemies(facts, unit)):
        return Marker(task, points)
    text = "an enemy is adjacent to {unit}, so its MPs Expended marker is removed[caught:, and it bears a 1/2 marker instead]"
    facts.view.premises.assume(step("8.9.3", text, unit=unit.id, caught=task in CAUGHT_TASKS))
    return Marker()


def _is_kept_beside_enemies(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit keeps its points for recovering levels adjacent to an enemy (8.6.1, 8.9.3).

    It may keep them in a Fortress Complex, by rulings complex-demoralized and complex-points.
    """
    view = facts.view
    if not is_sheltered(facts, unit):
        return False
    demoralized = units.is_demoralized(-facts.integer("cel", unit.id), facts.integer("disorder", unit.id))
    if demoralized and view.ruling("complex-demoralized") == "distant":
        return False
    return view.ruling("complex-points") == "kept"


def points_carried(facts: Gather, unit: Unit, task: str, given: int | None) -> int:
    """Return the Movement Points that a unit has spent on a task in earlier phases.

    `given`: the points that a parameter states, or None to take those on the unit's marker.

    Raises InputError if `given` would complete the task.
    """
    if given is not None and given not in range(TASK_COST):
        hint = f"give 0 to {TASK_COST - 1}; at {TASK_COST} it is complete"
        raise InputError(f"carried: {given} is not possible", hint=hint)
    marker = marker_of(facts, unit)
    if given is not None:
        return given
    return marker.points if marker.task == task else 0


def bar_of_task(facts: Gather, unit: Unit, doing: str = "") -> tuple[str, str]:
    """Return the rule and the reason that keep a unit from spending Movement Points, or "" twice.

    `doing`: as in `why_task_binds`.
    """
    why = why_task_binds(marker_of(facts, unit), doing)
    return ("8.9.2", why) if why else ("", "")


def task_first_steps(points: int, before: Fraction) -> list[Step]:
    """Return a note if a unit with points on a task has not spent its first points of the phase on the task.

    `points`: points on the task from earlier phases.
    `before`: points spent on anything else in this phase.
    """
    text = "it has {points:#Movement Point} on its task and must spend its first ones of the phase on that"
    return [step("8.9.2", text, points=points)] if points and before else []


def mark_task(view: View, unit: str, task: str, points: int, rule: str = "8.9") -> list[Change]:
    """Return the changes that set the task and the points of a unit's marker, or remove it if the points are 0.

    Rule: 8.9
    """
    changes = [changed(view, "task", unit, task if points else None, rule)]
    changes.append(changed(view, "expended", unit, points or None, rule))
    return [change for change in changes if change.before != change.after]


def take_off_when_attacked(view: View, attacked: Iterable[str]) -> list[Change]:
    """Return the changes that take MPs Expended markers off attacked units (8.9.3)."""
    losing_points = [unit for unit in attacked if is_lost_when_attacked(view.word("task", unit))]
    return [change for unit in losing_points for change in mark_task(view, unit, "", 0, "8.9.3")]


def take_off_beside_enemies(facts: Gather, unit: Unit) -> list[Change]:
    """Return the changes that take the MPs Expended marker off a unit beside an enemy (8.2.5, 8.9.3).

    If the unit was entraining or detraining, it bears a 1/2 marker instead.
    """
    task = facts.word("task", unit.id)
    if not facts.integer("expended", unit.id) or task not in LOST_BESIDE_ENEMIES:
        return []
    if not is_lost_beside_enemies(task, sheltered=task == "recovery" and _is_kept_beside_enemies(facts, unit)):
        return []
    view = facts.view
    changes = mark_task(view, unit.id, "", 0, "8.9.3")
    if task in CAUGHT_TASKS:
        changes += catch_train(view, unit.id)
    return changes


# --- Combat Strength 1/2 markers --------------------------------------------------------------------------------------


def bears_half(facts: Gather, unit: Unit) -> bool:
    """Return whether a Combat Strength 1/2 marker has effects on a unit (8.2.5).

    It has if the marker is stated and the unit is not in Rail Mode, or if an adjacent enemy has caught the unit
    entraining or detraining.
    """
    at_work = facts.word("task", unit.id) in CAUGHT_TASKS and facts.integer("expended", unit.id) > 0
    stated = half_takes_effect(half=facts.flag("half", unit.id), entrained=facts.flag("entrained", unit.id))
    return stated or (at_work and is_beside_enemies(facts, unit))


def catch_train(view: View, unit: str) -> Iterator[Change]:
    """Yield the changes of a unit that is caught by an enemy while it entrains or detrains.

    The unit gets a Combat Strength 1/2 marker, and by ruling caught-detraining it leaves Rail Mode.

    Rule: 8.2.3d, 8.2.3k, 8.2.5
    """
    yield from mark_half(view, unit, "initial", "8.2.5")
    if view.ruling("caught-detraining", view.flag("entrained", unit)) == "off":
        for track in ("entrained", "destination", "train-gauge"):
            if view.state.value(track, unit):
                yield changed(view, track, unit, None, "8.2.5")


def half_takes_effect(*, half: bool, entrained: bool) -> bool:
    """Return whether a Combat Strength 1/2 marker has effects; it has none on a unit in Rail Mode. Rule: 8.2.5b"""
    return half and not entrained


def half_after_combat(side: Side, *, entrained: bool) -> Side:
    """Return the side of a unit's Combat Strength 1/2 marker after a Post-Combat Phase.

    Initial becomes Final, and Final is removed. On a unit in Rail Mode the marker stays unchanged.

    `side`: the side that shows, or "" if there is no marker.

    Rule: 5.4.10b, 8.2.5
    """
    if entrained:
        return side
    return "final" if side == "initial" else ""


def side_of_half(view: View, unit: str) -> Side:
    """Return the side of a unit's Combat Strength 1/2 marker that shows, or "" if it bears none."""
    if not view.flag(HALF_TRACK, unit):
        return ""
    return "final" if view.flag(HALF_FINAL_TRACK, unit) else "initial"


def mark_half(view: View, unit: str, side: Side, rule: str) -> Iterator[Change]:
    """Yield the changes that set a unit's Combat Strength 1/2 marker to a side, or remove it for ""."""
    for track, after in ((HALF_TRACK, bool(side)), (HALF_FINAL_TRACK, side == "final")):
        if view.flag(track, unit) != after:
            yield changed(view, track, unit, after or None, rule)


def turn_half_markers(view: View) -> Iterator[Change]:
    """Yield the changes that flip or remove all Combat Strength 1/2 markers in the Post-Combat Phase.

    Rule: 5.4.10b, 8.2.5
    """
    for unit in view.units():
        if side := side_of_half(view, unit.id):
            after = half_after_combat(side, entrained=view.flag("entrained", unit.id))
            yield from mark_half(view, unit.id, after, "5.4.10")


# --- markers of one kind of unit --------------------------------------------------------------------------------------


def _list_arms(arms: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(arms[:-1]), arms[-1]]))


def check_bearers(view: View, bearers: Iterable[Unit]) -> None:
    """Raise InputError if a unit bears a marker that only units of other arms bear."""
    marked = {subject for track, subject in view.stated if track in BEARING_ARMS}
    for unit in bearers:
        if unit.id not in marked:
            continue
        for track, arms in BEARING_ARMS.items():
            if view.state.value(track, unit.id) in NO_MARKER:
                continue
            arm = view.word("arm", unit.id)
            if arm and arm not in arms:
                title = view.game.track(track).title
                hint = f"only a {_list_arms(arms)} bears it: leave out {track} of {unit.id}"
                raise InputError(f"{unit.id} ({arm}): {title}", hint=hint)


# --- units beside others ----------------------------------------------------------------------------------------------


def is_beside_enemies(facts: Gather, unit: Unit) -> bool:
    """Return whether an enemy stands adjacent to a unit."""
    place = str(unit.place)
    return facts.view.board.is_hex(place) and field(facts).around(side_of(facts, unit)).next_to_enemy(place)


def is_guarded(view: View, fighting: Collection[str]) -> bool:
    """Return whether friendly combat units in a hex let artillery and Corps Trains stay in an EZOC.

    If all these combat units are in Rail Mode, ruling rail-mode-friend decides.

    `fighting`: ids of the friendly combat units in the hex.
    """
    by_rail = bool(fighting) and all(view.flag("entrained", unit) for unit in fighting)
    return bool(fighting) and view.ruling("rail-mode-friend", by_rail) == "counts"


def is_sheltered(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit is stacked with a fortress unit of a Fortress Complex (12.0).

    A fortress unit without a stated complex ID is assumed to belong to none.
    """
    view = facts.view
    stack = [other.id for other in facts.view.stack(str(unit.place))]
    forts = [other for other in stack if facts.word("arm", other) in FORTRESSES]
    if any(view.word("complex", fort) for fort in forts):
        return True
    for fort in forts:
        view.premises.assume(step("12.0", "{fort} belongs to no Fortress Complex (complex not stated)", fort=fort))
    return False
