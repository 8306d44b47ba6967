"""Steps lost, as changes to a position (3.4.1)."""

from __future__ import annotations

from assistant.questions.view import View, changed
from assistant.state.changes import Change

from .units import CombatUnit


def step_losses(view: View, unit: CombatUnit, steps: int) -> list[Change]:
    """The changes that step losses make to one unit: a marker, the reduced side, or removal.

    On its reduced side the losses count anew, and ratings that were stated for the front no longer hold: those of the
    back take their place where they are known, and are asked for where they are not. A value that is made up does not become a
    stated one. Rule: 11.1, 3.4.1b
    """
    left = unit.left - steps
    if left <= 0:
        return [Change("place", unit.id, unit.place, None, "11.1")]
    if view.state.value("reduced", unit.id) or not unit.on_reduced_side(steps):
        return [changed(view, "lost", unit.id, unit.lost + steps, "11.1")]
    found = [changed(view, "reduced", unit.id, True, "11.1")]
    back_steps = unit.steps if unit.reduced else unit.back_steps
    if back_steps - left != (view.state.value("lost", unit.id) or 0):
        found.append(changed(view, "lost", unit.id, back_steps - left, "11.1"))
    for rating in ("steps", "defence", "artillery"):
        stated = view.state.facts.get((rating, unit.id))
        back = view.fact(f"back-{rating}", unit.id)
        doubtful = back is not None and back.doubtful
        now = None if doubtful else back_steps if rating == "steps" else back.value if back else None
        if stated.value != now if stated else rating == "steps" and now is not None:
            found.append(changed(view, rating, unit.id, now, "3.4.1"))
    return found
