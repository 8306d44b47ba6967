"""What Victory Points bring at once, whatever changes them: the end of the game, and the Second Revolution (4.1, Optional
Rules).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.asking import View, changed
from assistant.state.changes import AnyChange, Change, Gain

from .calendar.schedule import is_agreed, second_revolution
from .terms import ALLIES
from .victory.points import end_game


def follow_points(view: View, changes: Sequence[AnyChange]) -> Iterator[Change]:
    """Yield the changes of facts that are owed once Victory Points or control have changed."""
    touched = {change.track for change in changes if isinstance(change, Change | Gain)}
    if not touched.isdisjoint(("vp", "control")):
        now = view.unnoticed()
        then = now.after(changes)
        yield from end_game(now, then, changes)
        yield from break_out(now, then)


def break_out(now: View, then: View) -> Iterator[Change]:
    """Yield the change by which the Second Revolution is owed: as Allied Victory Points fall to 10 with the First in
    effect. Rule: Opt/Rev2
    """
    due, was_due = (
        is_agreed(view, "revolutions")
        and view.fact("vp", ALLIES) is not None
        and second_revolution(view.integer("vp", ALLIES), view.integer("revolution"), both=False)
        for view in (then, now)
    )
    if due and not was_due:
        yield changed(now, "second-revolution", "", True, "Opt/Rev2")
