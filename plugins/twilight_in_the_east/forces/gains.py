"""Steps that a unit regains: from a detachment that rejoins it, or from an Ersatz unit (3.4.1, 6.4.3a, 8.7.2)."""

from __future__ import annotations

from msgspec.structs import replace

from assistant.asking import Gather, View
from assistant.asking.asks import Ask
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.util.errors import quoted

from .units import CombatUnit

MANY = 99
"""More steps than any unit has room for."""


def _is_turned_back(unit: CombatUnit, more: int) -> bool:
    """Return whether so many more steps are too many for the reduced side that a unit shows."""
    return unit.reduced and unit.left + more > unit.steps


def regain(unit: CombatUnit, full: int, more: int) -> tuple[CombatUnit, int]:
    """Return a unit with so many more steps: losses are made good on the side it shows, and beyond that side on its
    full one; and the steps for which its counter has no room.

    full: the steps of its full side, 0 where they do not matter. Rule: 6.4.3a
    """
    left = unit.left + more
    flips = _is_turned_back(unit, more) and full > 0
    steps = full if flips else unit.steps
    joined = replace(unit, reduced=unit.reduced and not flips, steps=steps, lost=max(steps - left, 0))
    return joined, max(left - steps, 0)


def full_steps(facts: Gather, unit: CombatUnit, more: int) -> int:
    """Return the steps of a unit's full side, 0 where they do not matter: they are asked for only if so many more steps
    are too many for the reduced side that it shows. A player who states one number of steps states those of the side
    that is up.
    """
    if not _is_turned_back(unit, more):
        return 0
    stated = facts.view.state.facts
    turned = not facts.flag("reduced", unit.id)  # it has lost so many that it is about to be turned over
    if turned or ("back-steps", unit.id) in stated or ("steps", unit.id) not in stated:
        return facts.on_front("steps", unit.id) or 0
    how = f"{quoted(unit.id)} steps=N back-steps={unit.steps}"
    facts.ask(Ask(kind="fact", name=how, rule="3.4.1", title=f"steps on the full side of {unit.id}", how=how))
    return 0


def show_steps(view: View, unit: CombatUnit, *, noted: bool = False, rule: str = "6.4.3a") -> list[Change]:
    """Return the changes that make a unit show the steps it has now. noted: whether it has more than its counter has
    room for.
    """
    turns = unit.reduced != view.flag("reduced", unit.id)
    restated = turns and view.state.value("steps", unit.id) not in (None, unit.steps)
    shown = (
        (turns, "reduced", unit.reduced, "3.4.1"),
        (noted or restated, "steps", unit.steps, rule if noted else "3.4.1"),
        (unit.lost != view.integer("lost", unit.id), "lost", unit.lost, rule),
    )
    return [changed(view, track, unit.id, value, rule) for differs, track, value, rule in shown if differs]
