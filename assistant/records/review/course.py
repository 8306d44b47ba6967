"""The phase that follows by the course of play."""

from __future__ import annotations

from typing import NamedTuple

from ...formats.positions import Asked, Position
from ...installed.registry import questions_of
from ...rules.next_phase import Next
from ...service import ask
from ...state.changes import AnyChange
from ...util.errors import InputError, MachineError
from ..explaining.record import reason

_MAX_LEAVES = 4
"""The maximum number of times that steps are left undone to learn the next phase."""


class NextPhase(NamedTuple):
    """The phase that follows, and what changes as the present one ends."""

    next: Next
    changes: tuple[AnyChange, ...]


def find_next(position: Position) -> NextPhase | str:
    """Return the phase that follows by the course of play, whatever is owed, or why that is not known."""
    leave: list[str] = []
    if "next" not in questions_of(position.game):
        return "the game's course of play is not known"
    for _ in range(_MAX_LEAVES):
        try:
            report = ask(position, Asked("next", {"leave": leave} if leave else {}))
        except MachineError:
            raise
        except InputError as error:
            return reason(error)
        if isinstance(report.result, Next):
            return NextPhase(report.result, report.changes)
        go_on = next((part.steps[0] for part in report.parts if part.title == "To go on" and part.steps), None)
        names = str(go_on.figures["names"]).split(",") if go_on else []
        if not {*names} - {*leave}:
            return report.headline
        leave = [*dict.fromkeys([*leave, *names])]
    return "what the phase owes is not known"
