"""What keeps a unit from spending Movement Points: that it never moves, the phase, a Repulse that it has failed in, and markers that it bears
(2.2, 5.4, 8.2.4, 8.2.5, 8.4, 8.5.4, 8.9.2, 9.5.1, 22.4, 22.5.1)."""

from __future__ import annotations

from assistant.field import side_of
from assistant.questions import Gather, Step, step
from assistant.state.state import Unit

from ..ground.phases import not_now
from .bars import first_bar
from .reading import StatusRead
from .tasks import bound_by_task

PREPARED_COST = 3
"""Movement Points for a Prepared Attack marker (8.4)."""
PREPARING = ("infantry", "artillery")
"""The arms that place Prepared Attack markers (8.4.1)."""
FREE = frozenset({"1-det 11", "2-det 11", "3-det 11"})
"""Austro-Hungarian detachments that a marker does not pin (6.4.4)."""


STATIONARY = ("prepared", "position")
"""What a unit whose Repulse has failed may still spend Movement Points on (8.5.4)."""


def bound_by_marker(facts: Gather, unit: Unit, doing: str = "") -> tuple[str, str]:
    """What keeps a unit from spending points on foot or where it stands, the rule and why: that it has none, a marker that it bears, or a
    Repulse that it has failed in; two empty texts if nothing does. doing: what it would spend them on, "" for a move.
    Rule: 8.5.4, 22.4.1, 22.4.2, 22.5.1
    """
    bound = first_bar(StatusRead(facts, unit), "spend")
    if not bound[1] and doing not in STATIONARY:
        bound = cannot_move(facts, unit)
    return bound if bound[1] else bound_by_task(facts, unit, doing)


def cannot_move(facts: Gather, unit: Unit) -> tuple[str, str]:
    """What keeps a unit from moving on even where that costs no Movement Points, the rule and why; two empty texts if nothing does."""
    return first_bar(StatusRead(facts, unit), "move")


def cannot_spend(facts: Gather, unit: Unit, doing: str = "", counter: bool | None = None) -> list[Step]:
    """Why a unit spends no Movement Points where it stands: a marker that it bears, or the phase.

    doing: as for `bound_by_marker`; counter: as for `not_now`.
    """
    reasons = bound_by_marker(facts, unit, doing), not_now(facts.view, side_of(facts, unit), counter)
    return [step(rule, "{why}", why=why) for rule, why in reasons if why]


def pinned_by(facts: Gather, unit: Unit, hex: str) -> list[str]:
    """The enemies whose markers keep a unit from leaving a hex in the Counter Movement Phase. Rule: 8.4.2, 6.4.4"""
    near = [other for place in facts.view.board.neighbours(hex) for other in facts.view.stack(place)]
    there = [other for other in near if facts.word("prepared", other.id) == hex and unit.id not in FREE]
    return [other.id for other in there if side_of(facts, other) not in ("", side_of(facts, unit))]
