"""Steps that a unit regains from a rejoining detachment or an Ersatz unit (3.4.1, 6.4.3a, 8.7.2)."""

from __future__ import annotations

from msgspec.structs import replace

from assistant.asking import Gather, View
from assistant.asking.asks import Ask
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.util.errors import quoted

from .units import CombatUnit

IMPOSSIBLE_STEPS = 99
"""A number of steps for which no unit has room."""


def _is_turned_back(unit: CombatUnit, more: int) -> bool:
    """Return whether `more` steps turn a unit from its reduced side back to its full side."""
    return unit.reduced and unit.left + more > unit.steps


def regain(unit: CombatUnit, full: int, more: int) -> tuple[CombatUnit, int]:
    """Return a unit after it regains steps, and the steps for which its counter has no room.

    Losses are first made good on the side that the unit shows, then on its full side.

    `full`: the steps printed on the full side, or 0 if they do not matter.
    `more`: the number of regained steps.

    Rule: 6.4.3a
    """
    left = unit.left + more
    flips = _is_turned_back(unit, more) and full > 0
    steps = full if flips else unit.steps
    joined = replace(unit, reduced=unit.reduced and not flips, steps=steps, lost=max(steps - left, 0))
    return joined, max(left - steps, 0)


def full_steps(facts: Gather, unit: CombatUnit, more: int) -> int:
    """Return the steps printed on a unit's full side, or 0 if they do not matter.

    They matter, and are asked for, only if `more` steps turn the unit back to its full side. If the position states one
    number of steps, it belongs to the side shown.
    """
    if not _is_turned_back(unit, more):
        return 0
    stated = facts.view.state.facts
    turned = not facts.flag("reduced", unit.id)  # the reduced side is not stated, but follows from the losses
    if turned or ("back-steps", unit.id) in stated or ("steps", unit.id) not in stated:
        return facts.on_front("steps", unit.id) or 0
    how = f"{quoted(unit.id)} steps=N back-steps={unit.steps}"
    facts.ask(Ask(kind="fact", name=how, rule="3.4.1", title=f"steps on the full side of {unit.id}", how=how))
    return 0


def show_steps(view: View, unit: CombatUnit, *, noted: bool = False, rule: str = "6.4.3a") -> list[Change]:
    """Return the changes that record a unit's present side, steps and losses.

    `noted`: whether the unit has more steps than its counter has room for.
    """
    turns = unit.reduced != view.flag("reduced", unit.id)
    restated = turns and view.state.value("steps", unit.id) not in (None, unit.steps)
    shown = (
        (turns, "reduced", unit.reduced, "3.4.1"),
        (noted or restated, "steps", unit.steps, rule if noted else "3.4.1"),
        (unit.lost != view.integer("lost", unit.id), "lost", unit.lost, rule),
    )
    return [changed(view, track, unit.id, value, rule) for differs, track, value, rule in shown if differs]
