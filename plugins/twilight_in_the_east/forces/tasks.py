"""Tasks that Movement Points are carried over for, on an MPs Expended marker (8.9)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from assistant.field import side_of
from assistant.questions import Gather, InputError, Step, View, step
from assistant.questions.view import changed
from assistant.state.changes import Change
from assistant.state.state import Unit

from ..ground.zones import field
from ..terms import FORTRESSES
from .units import is_demoralized

COST = 7
"""Movement Points for a level or a degree that is recovered, and for a level of a position (7.4.2, 8.6, 13.1.1)."""
WORDS = {
    "recovery": "recovering Combat Effectiveness Levels",
    "disorder": "recovering from Disorder",
    "ersatz": "incorporating Ersatz replacements",
    "position": "an Improved Position",
    "entraining": "entraining",
    "detraining": "detraining",
}
BY_RAIL = frozenset({"entraining", "detraining"})
LOST_BESIDE_ENEMIES = frozenset({"recovery", "disorder"}) | BY_RAIL
LOST_WHEN_ATTACKED = frozenset({"ersatz", "position"})


class Marker(msgspec.Struct, frozen=True):
    """The MPs Expended marker of a unit. task: what for, "" without a marker; points: how many it shows."""

    task: str = ""
    points: int = 0


def lost_beside_enemies(task: str, *, sheltered: bool) -> bool:
    """Whether a marker is removed once an enemy is next to its unit.

    sheltered: whether the unit may recover levels there all the same, so that what it has spent on that stays.
    Rule: 8.9.3a
    """
    return task in LOST_BESIDE_ENEMIES and not (sheltered and task == "recovery")


def lost_when_attacked(task: str) -> bool:
    """Whether a marker is removed once an enemy attacks its unit. Rule: 8.9.3b"""
    return task in LOST_WHEN_ATTACKED


def bound(marker: Marker, doing: str) -> str:
    """Why a unit spends no Movement Points on something yet, "" if it may: it first completes the task that it has
    begun.

    doing: the task that it would spend them on, "" for anything else. Rule: 8.9.2
    """
    if not marker.points or marker.task == doing:
        return ""
    left = COST - marker.points
    more = f"needs {left} more Movement Point{'s' if left != 1 else ''} for it"
    return f"it has begun {WORDS[marker.task]} and " + ("completes that first" if marker.task in BY_RAIL else more)


# --- read from a position ---------------------------------------------------------------------------------------------


def marker_of(facts: Gather, unit: Unit) -> Marker:
    """The marker of a unit, unless an enemy next to it has removed it. Raises InputError for one without its task, and
    for one that shows as many points as the task takes.
    """
    points = facts.integer("expended", unit.id)
    if not points:
        return Marker()
    task = facts.word("task", unit.id)
    if task not in WORDS:
        hint = "add task=" + "|".join(WORDS)
        raise InputError(f"{unit.id} has expended={points}, and for which task is not stated", hint=hint)
    if task not in BY_RAIL and points >= COST:
        what = f"{unit.id} has expended={points}, but {COST} Movement Points complete {WORDS[task]}"
        raise InputError(what, hint=f"give 1 to {COST - 1}, or state what it has completed")
    if task not in LOST_BESIDE_ENEMIES or not beside_enemies(facts, unit):
        return Marker(task, points)
    if not lost_beside_enemies(task, sheltered=task == "recovery" and keeps_beside_enemies(facts, unit)):
        return Marker(task, points)
    text = "an enemy is next to {unit}, so its MPs Expended marker is removed"
    text += ", and it bears a 1/2 marker instead" if task in BY_RAIL else ""
    facts.view.presume(step("8.9.3", text, unit=unit.id))
    return Marker()


def bears_half(facts: Gather, unit: Unit) -> bool:
    """Whether a unit bears a Combat Strength 1/2 marker: as stated, or because an enemy next to it has caught it
    entraining or detraining (8.2.5).
    """
    at_work = facts.word("task", unit.id) in BY_RAIL and facts.integer("expended", unit.id) > 0
    return facts.flag("half", unit.id) or (at_work and beside_enemies(facts, unit))


def keeps_beside_enemies(facts: Gather, unit: Unit) -> bool:
    """Whether a unit keeps what it has spent on recovering levels next to an enemy: a ruling for those that may recover
    there, in a Fortress Complex, and another one for whether Demoralized units are among them (8.6.1, 8.9.3).
    """
    view = facts.view
    if not sheltered(facts, unit):
        return False
    demoralized = is_demoralized(-facts.integer("cel", unit.id), facts.integer("disorder", unit.id))
    if demoralized and view.ruling("complex-demoralized") == "distant":
        return False
    return view.ruling("complex-points") == "kept"


def beside_enemies(facts: Gather, unit: Unit) -> bool:
    """Whether an enemy stands next to a unit."""
    place = str(unit.place)
    return facts.view.board.is_hex(place) and field(facts).around(side_of(facts, unit)).next_to_enemy(place)


def sheltered(facts: Gather, unit: Unit) -> bool:
    """Whether a unit is stacked with a fortress unit of a Fortress Complex, which has an ID; without one it is noted
    (12.0).
    """
    view, there = facts.view, [other.id for other in facts.view.stack(str(unit.place))]
    forts = [other for other in there if facts.word("arm", other) in FORTRESSES]
    if any(view.word("complex", fort) for fort in forts):
        return True
    for fort in forts:
        view.presume(step("12.0", "{fort} belongs to no Fortress Complex (complex not stated)", fort=fort))
    return False


def carried(facts: Gather, unit: Unit, task: str, given: int | None) -> int:
    """The Movement Points that a unit has spent on a task in earlier phases: as its marker says if they are not given.

    Raises InputError for more than can have been spent before the task is complete.
    """
    if given is not None and given not in range(COST):
        hint = f"give 0 to {COST - 1}; at {COST} it is complete"
        raise InputError(f"carried: {given} is not possible", hint=hint)
    marker = marker_of(facts, unit)
    return given if given is not None else marker.points if marker.task == task else 0


def bound_by_task(facts: Gather, unit: Unit, doing: str = "") -> tuple[str, str]:
    """The rule and the task that keep a unit from spending Movement Points on something, see `bound`; empty texts if
    none does.
    """
    why = bound(marker_of(facts, unit), doing)
    return ("8.9.2", why) if why else ("", "")


def late(begun: int, before: Fraction) -> list[Step]:
    """That a unit with points on a task spends the first ones of a phase on it. begun: those points; before: spent on
    anything else.
    """
    text = "it has {points:#Movement Point} on its task and spends the first ones of the phase on that"
    return [step("8.9.2", text, points=begun)] if begun and before else []


def marked(view: View, unit: str, task: str, points: int, rule: str = "8.9") -> list[Change]:
    """The changes that leave a unit with so many points on its marker for a task; none for 0."""
    changes = [changed(view, "task", unit, task if points else None, rule)]
    changes.append(changed(view, "expended", unit, points or None, rule))
    return [change for change in changes if change.before != change.after]


def removed_by_attack(view: View, units: Iterable[str]) -> list[Change]:
    """The changes that take their markers off units that were attacked (8.9.3)."""
    losing = [unit for unit in units if lost_when_attacked(view.word("task", unit))]
    return [change for unit in losing for change in marked(view, unit, "", 0, "8.9.3")]


def removed_beside_enemies(facts: Gather, unit: Unit) -> list[Change]:
    """The changes that take its marker off a unit next to which an enemy has come; who was entraining or detraining
    bears a 1/2 marker instead (8.2.5, 8.9.3).
    """
    task = facts.word("task", unit.id)
    if not facts.integer("expended", unit.id) or task not in LOST_BESIDE_ENEMIES:
        return []
    if not lost_beside_enemies(task, sheltered=task == "recovery" and keeps_beside_enemies(facts, unit)):
        return []
    half = task in BY_RAIL and not facts.flag("half", unit.id)
    return [
        *marked(facts.view, unit.id, "", 0, "8.9.3"),
        *([changed(facts.view, "half", unit.id, True, "8.2.5")] if half else []),
    ]
