"""The MPs Expended and 1/2 markers of units: who bears them, what they do, and what takes them off (5.4.10, 8.2.5,
8.9).
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

BEARERS = {
    "extended": SUPPLY_ARMS,
    "ap-spent": SUPPLY_ARMS,
    "relocation": DEPOTS,
    "incomplete": ("corps-train",),
    "changed-attachment": ("major-depot",),
}
"""The arms of the units that bear these markers."""
NONE = (None, False, 0, "none")
"""The values of these tracks that are no marker."""


def _list_arms(arms: Sequence[str]) -> str:
    """Return arms in words: "corps-train, minor-depot or major-depot"."""
    return " or ".join(filter(None, [", ".join(arms[:-1]), arms[-1]]))


def check_bearers(view: View, bearers: Iterable[Unit]) -> None:
    """Raises InputError for a unit that is stated to bear a marker which only units of another arm bear."""
    marked = {subject for track, subject in view.stated if track in BEARERS}
    for unit in bearers:
        if unit.id not in marked:
            continue
        for track, arms in BEARERS.items():
            if view.state.value(track, unit.id) in NONE:
                continue
            arm = view.word("arm", unit.id)
            if arm and arm not in arms:
                title = view.game.track(track).title
                hint = f"only a {_list_arms(arms)} bears it: leave out {track} of {unit.id}"
                raise InputError(f"{unit.id} ({arm}): {title}", hint=hint)


COST = 7
"""Movement Points for a level or a degree that is recovered, and for a level of a position (7.4.2, 8.6, 13.1.1)."""
WORDS = {
    "recovery": "recovering Combat Effectiveness Levels",
    "disorder": "recovering from Disorder",
    "ersatz": "incorporating Ersatz replacements",
    "position": "an Improved Position",
    "entraining": "entraining",
    "detraining": "detraining",
    "trans-shipping": "trans-shipping",
}
CAUGHT = frozenset({"entraining", "detraining"})
"""The tasks that leave a unit with a Combat Strength 1/2 marker if an enemy comes adjacent (8.2.5)."""
BY_RAIL = CAUGHT | {"trans-shipping"}
"""The tasks for which a unit needs as many points as it has Rail Cost Points (8.2.3, 17.2.2)."""
WAITING = frozenset({"ersatz"})
"""The tasks of several units, each of which waits with all its points until the last has spent its own (8.7.1)."""
LOST_BESIDE_ENEMIES = frozenset({"recovery", "disorder"}) | CAUGHT
LOST_WHEN_ATTACKED = frozenset({"ersatz", "position"})


class Marker(msgspec.Struct, frozen=True):
    """The MPs Expended marker of a unit."""

    task: str = ""
    """What the points are for, "" without a marker."""
    points: int = 0
    """How many it shows."""


def is_lost_beside_enemies(task: str, *, sheltered: bool) -> bool:
    """Return whether a marker is removed once an enemy is adjacent to its unit.

    `sheltered`: whether the unit may recover levels there all the same, so that its points for that stay.

    Rule: 8.9.3a
    """
    return task in LOST_BESIDE_ENEMIES and not (sheltered and task == "recovery")


def is_lost_when_attacked(task: str) -> bool:
    """Return whether a marker is removed once an enemy attacks its unit. Rule: 8.9.3b"""
    return task in LOST_WHEN_ATTACKED


def why_task_binds(marker: Marker, doing: str) -> str:
    """Return why a unit first completes the task that it has begun, or "" if it may spend Movement Points otherwise.

    `doing`: the task that it would spend them on, or "" for anything else.

    Rule: 8.9.1, 8.9.2
    """
    bound = marker.points and marker.task != doing
    by_rail = marker.task in BY_RAIL
    left = COST - marker.points
    clauses = (
        (bound and by_rail, "8.9.2", "it has begun {task} and completes that first"),
        (
            bound and left and not by_rail,
            "8.9.2",
            "it has begun {task} and needs {left:#more Movement Point} for it",
        ),
        (
            bound and not (left or by_rail),
            "8.9.2",
            "it has begun {task} and waits until the other units have spent theirs",
        ),
    )
    return "".join(bar.text for bar in holding(clauses, task=WORDS.get(marker.task), left=left))


def marker_of(facts: Gather, unit: Unit) -> Marker:
    """Return the marker of a unit, unless an enemy adjacent to it has removed it.

    Raises InputError if its task is not stated, or it shows as many points as the task takes.
    """
    points = facts.integer("expended", unit.id)
    if not points:
        return Marker()
    task = facts.word("task", unit.id)
    if task not in WORDS:
        hint = f"add task={'|'.join(WORDS)}"
        raise InputError(f"{unit.id} has expended={points}, but its task is not stated", hint=hint)
    most = COST if task in WAITING else COST - 1
    if task not in BY_RAIL and points > most:
        what = f"{unit.id} has expended={points}, but {COST} Movement Points complete {WORDS[task]}"
        raise InputError(what, hint=f"give 1 to {most}, or state what it has completed")
    if task not in LOST_BESIDE_ENEMIES or not beside_enemies(facts, unit):
        return Marker(task, points)
    if not is_lost_beside_enemies(task, sheltered=task == "recovery" and _is_kept_beside_enemies(facts, unit)):
        return Marker(task, points)
    text = "an enemy is adjacent to {unit}, so its MPs Expended marker is removed[caught:, and it bears a 1/2 marker instead]"
    facts.view.premises.assume(step("8.9.3", text, unit=unit.id, caught=task in CAUGHT))
    return Marker()


def bears_half(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit bears a Combat Strength 1/2 marker that has its effects (8.2.5).

    It is stated, and has none in Rail Mode; or an adjacent enemy has caught the unit entraining or detraining.
    """
    at_work = facts.word("task", unit.id) in CAUGHT and facts.integer("expended", unit.id) > 0
    stated = half_takes_effect(half=facts.flag("half", unit.id), entrained=facts.flag("entrained", unit.id))
    return stated or (at_work and beside_enemies(facts, unit))


def _is_kept_beside_enemies(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit keeps its points for recovering levels adjacent to an enemy (8.6.1, 8.9.3).

    By rulings it does if it may recover there, in a Fortress Complex, and if Demoralized units are among those.
    """
    view = facts.view
    if not is_sheltered(facts, unit):
        return False
    demoralized = units.is_demoralized(-facts.integer("cel", unit.id), facts.integer("disorder", unit.id))
    if demoralized and view.ruling("complex-demoralized") == "distant":
        return False
    return view.ruling("complex-points") == "kept"


def beside_enemies(facts: Gather, unit: Unit) -> bool:
    """Return whether an enemy stands adjacent to a unit."""
    place = str(unit.place)
    return facts.view.board.is_hex(place) and field(facts).around(side_of(facts, unit)).next_to_enemy(place)


def guarded(view: View, fighting: Collection[str]) -> bool:
    """Return whether the friendly combat units in a hex keep artillery and Corps Trains in an EZOC.

    They do if there are some; those in Rail Mode only by a ruling.
    """
    by_rail = bool(fighting) and all(view.flag("entrained", unit) for unit in fighting)
    return bool(fighting) and view.ruling("rail-mode-friend", by_rail) == "counts"


def is_sheltered(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit is stacked with a fortress unit of a Fortress Complex, which has an ID (12.0).

    Without an ID that is noted.
    """
    view = facts.view
    there = [other.id for other in facts.view.stack(str(unit.place))]
    forts = [other for other in there if facts.word("arm", other) in FORTRESSES]
    if any(view.word("complex", fort) for fort in forts):
        return True
    for fort in forts:
        view.premises.assume(step("12.0", "{fort} belongs to no Fortress Complex (complex not stated)", fort=fort))
    return False


def points_carried(facts: Gather, unit: Unit, task: str, given: int | None) -> int:
    """Return the Movement Points that a unit has spent on a task in earlier phases: given, or on its marker.

    Raises InputError if they are more than can have been spent before the task is complete.
    """
    if given is not None and given not in range(COST):
        hint = f"give 0 to {COST - 1}; at {COST} it is complete"
        raise InputError(f"carried: {given} is not possible", hint=hint)
    marker = marker_of(facts, unit)
    if given is not None:
        return given
    return marker.points if marker.task == task else 0


def bar_of_task(facts: Gather, unit: Unit, doing: str = "") -> tuple[str, str]:
    """Return the rule and the task that keep a unit from spending Movement Points on something, or "" twice."""
    why = why_task_binds(marker_of(facts, unit), doing)
    return ("8.9.2", why) if why else ("", "")


def task_first_steps(begun: int, before: Fraction) -> list[Step]:
    """Return a line if a unit with points on a task spends the first ones of a phase on it.

    `begun`: the points on the task.
    `before`: the points spent on anything else.
    """
    text = "it has {points:#Movement Point} on its task and must spend its first ones of the phase on that"
    return [step("8.9.2", text, points=begun)] if begun and before else []


def mark_task(view: View, unit: str, task: str, points: int, rule: str = "8.9") -> list[Change]:
    """Return the changes by which a unit carries its Movement Points for a task over to the next phase.

    Rule: 8.9
    """
    changes = [changed(view, "task", unit, task if points else None, rule)]
    changes.append(changed(view, "expended", unit, points or None, rule))
    return [change for change in changes if change.before != change.after]


def take_off_when_attacked(view: View, attacked: Iterable[str]) -> list[Change]:
    """Return the changes that take their markers off units that were attacked (8.9.3)."""
    losing = [unit for unit in attacked if is_lost_when_attacked(view.word("task", unit))]
    return [change for unit in losing for change in mark_task(view, unit, "", 0, "8.9.3")]


def take_off_beside_enemies(facts: Gather, unit: Unit) -> list[Change]:
    """Return the changes that take the marker off a unit adjacent to which an enemy has come (8.2.5, 8.9.3).

    A unit that was entraining or detraining bears a 1/2 marker instead.
    """
    task = facts.word("task", unit.id)
    if not facts.integer("expended", unit.id) or task not in LOST_BESIDE_ENEMIES:
        return []
    if not is_lost_beside_enemies(task, sheltered=task == "recovery" and _is_kept_beside_enemies(facts, unit)):
        return []
    view = facts.view
    changes = mark_task(view, unit.id, "", 0, "8.9.3")
    if task in CAUGHT:
        changes += catch_train(view, unit.id)
    return changes


def catch_train(view: View, unit: str) -> Iterator[Change]:
    """Yield what becomes of a unit that an enemy catches entraining or detraining.

    It bears a Combat Strength 1/2 marker, and by ruling caught-detraining is not in Rail Mode any more.

    Rule: 8.2.3d, 8.2.3k, 8.2.5
    """
    yield from mark_half(view, unit, "initial", "8.2.5")
    if view.ruling("caught-detraining", view.flag("entrained", unit)) == "off":
        for track in ("entrained", "destination", "train-gauge"):
            if view.state.value(track, unit):
                yield changed(view, track, unit, None, "8.2.5")


# --- Combat Strength 1/2 markers --------------------------------------------------------------------------------------

HALF = "half"
"""The track of the marker."""
FINAL = "half-final"
"""The track of its Final side."""
Side = Literal["", "initial", "final"]


def half_takes_effect(*, half: bool, entrained: bool) -> bool:
    """Return whether a Combat Strength 1/2 marker has its effects: not on a unit in Rail Mode until it has detrained.

    Rule: 8.2.5b
    """
    return half and not entrained


def half_after_combat(side: Side, *, entrained: bool) -> Side:
    """Return the side of a unit's Combat Strength 1/2 marker after a Post-Combat Phase.

    Final comes off, Initial is flipped, and on a unit in Rail Mode it stays as it is.

    `side`: the side that shows, or "" if there is no marker.

    Rule: 5.4.10b, 8.2.5
    """
    if entrained:
        return side
    return "final" if side == "initial" else ""


def side_of_half(view: View, unit: str) -> Side:
    """Return the side of a unit's Combat Strength 1/2 marker that shows, "" if it bears none."""
    if not view.flag(HALF, unit):
        return ""
    return "final" if view.flag(FINAL, unit) else "initial"


def mark_half(view: View, unit: str, side: Side, rule: str) -> Iterator[Change]:
    """Yield the changes by which a unit bears a Combat Strength 1/2 marker on one of its sides, or none."""
    for track, after in ((HALF, bool(side)), (FINAL, side == "final")):
        if view.flag(track, unit) != after:
            yield changed(view, track, unit, after or None, rule)


def turn_half_markers(view: View) -> Iterator[Change]:
    """Yield what becomes of the Combat Strength 1/2 markers of both sides in the Post-Combat Phase. Rule: 5.4.10b,
    8.2.5
    """
    for unit in view.units():
        if side := side_of_half(view, unit.id):
            after = half_after_combat(side, entrained=view.flag("entrained", unit.id))
            yield from mark_half(view, unit.id, after, "5.4.10")
