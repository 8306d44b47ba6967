"""What keeps a unit from spending Movement Points: the phase, and markers that it bears (2.2, 5.4, 8.2.4, 8.2.5, 8.4, 9.5.1)."""

from __future__ import annotations

from math import floor

from assistant.field import side_of
from assistant.questions import Gather, Step, step
from assistant.state.state import Unit

from ..ground.phases import not_now
from .bars import first_bar
from .reading import StatusRead

FREE = frozenset({"1-det 11", "2-det 11", "3-det 11"})
"""Austro-Hungarian detachments that a marker does not pin (6.4.4)."""


def bound_by_marker(facts: Gather, unit: Unit) -> tuple[str, str]:
    """What keeps a unit from spending points on foot or where it stands, the rule and why: a marker that it bears; two empty
    texts if none does."""
    return first_bar(StatusRead(facts, unit), "spend")


def cannot_spend(facts: Gather, unit: Unit) -> list[Step]:
    """Why a unit spends no Movement Points where it stands: a marker that it bears, or the phase."""
    reasons = bound_by_marker(facts, unit), not_now(facts.view, side_of(facts, unit))
    return [step(rule, "{why}", why=why) for rule, why in reasons if why]


def credited(points: float) -> int:
    """The Movement Points that count for a task, of those spent on it in a phase: half a point counts for nothing. Rule: 4.5b"""
    return floor(points)


def pinned_by(facts: Gather, unit: Unit, hex: str) -> list[str]:
    """The enemies whose markers keep a unit from leaving a hex in the Counter Movement Phase. Rule: 8.4.2, 6.4.4"""
    near = [other for place in facts.view.board.neighbours(hex) for other in facts.view.stack(place)]
    there = [other for other in near if facts.word("prepared", other.id) == hex and unit.id not in FREE]
    return [other.id for other in there if side_of(facts, other) not in ("", side_of(facts, unit))]
