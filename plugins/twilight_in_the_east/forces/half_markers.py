"""The Combat Strength 1/2 markers, which come off in two Post-Combat Phases (8.2.5)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.questions import View
from assistant.questions.view import changed
from assistant.state.changes import Change

HALF, FINAL = "half", "half-final"
"""The tracks of the marker and of its side."""


def turn_half_markers(view: View) -> Iterator[Change]:
    """What becomes of the 1/2 markers in the Post-Combat Phase: those on their Final side come off, and the others are
    turned to it. The marker of a unit in Rail Mode waits until the unit has detrained.
    Rule: 5.4.10b
    """
    marked = [unit.id for unit in view.units() if view.flag(HALF, unit.id) and not view.flag("entrained", unit.id)]
    for unit in marked:
        if view.flag(FINAL, unit):
            yield changed(view, HALF, unit, None, "5.4.10b")
            yield changed(view, FINAL, unit, None, "5.4.10b")
        else:
            yield changed(view, FINAL, unit, True, "5.4.10b")
