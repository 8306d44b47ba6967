"""The Movement Points of a unit in a phase (4.5, 5.4.7, 8.3), and what keeps it from spending them: that it never
moves, the phase, a Repulse that it has failed in, and markers that it bears (2.2, 5.4, 8.2.4, 8.2.5, 8.4, 8.5.4, 8.9.2,
9.5.1, 22.4, 22.5.1).
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

from assistant.field import side_of
from assistant.mechanics.odds import half_up
from assistant.questions import Gather, InputError, Step, View, step
from assistant.state.state import Unit

from ..ground.calendar import is_counter, not_now, phase_of
from .reading import StatusRead, first_bar
from .tasks import bound_by_task

PREPARED_COST = 3
"""Movement Points for a Prepared Attack marker (8.4)."""
PREPARING = ("infantry", "artillery")
"""The arms that place Prepared Attack markers (8.4.1)."""
FREE = frozenset({"1-det 11", "2-det 11", "3-det 11"})
"""Austro-Hungarian detachments that a marker does not pin (6.4.4)."""
STATIONARY = ("prepared", "position")
"""What a unit whose Repulse has failed may still spend Movement Points on (8.5.4)."""


def allowance(printed: int, *, counter: bool) -> Fraction:
    """The Movement Points of a unit in a phase, without a Forced March; the Counter Movement Phase halves them.
    Rule: 8.3
    """
    return Fraction(printed, 2 if counter else 1)


def beyond(spent: Fraction, allowed: Fraction, reading: str) -> Fraction:
    """The Movement Points beyond the allowance, of all that are spent in a phase, hexes and other activities together:
    0 if it is enough. No fraction is rounded before the sum is made.

    reading: ruling march-rounding, whether what is beyond is rounded, or the sum. Rule: 4.5a
    """
    if spent <= allowed:
        return Fraction(0)
    return half_up(spent) - allowed if reading == "sum" else Fraction(half_up(spent - allowed))


def credited(points: Fraction) -> int:
    """The Movement Points that count for a task, of those spent on it in a phase: half a point counts for nothing.
    Rule: 4.5b
    """
    return floor(points)


def as_points(number: float | None, name: str) -> Fraction:
    """A number of Movement Points that a player typed, exactly. Raises InputError for one below nought. name: of the
    parameter.
    """
    points = Fraction(number or 0).limit_denominator(12)
    if points < 0:
        raise InputError(f"{name}: {number:g} Movement Points cannot be spent")
    return points


def allowance_now(view: View, unit: str, counter: bool | None) -> Fraction | None:
    """The Movement Points of a unit in this phase without a Forced March, None where its printed allowance is not
    stated.

    counter: whether it is the Counter Movement Phase, as the position says if None; that it is not is noted where it is
    silent.
    """
    printed = view.fact("movement", unit)
    if printed is None:
        return None
    if counter is None and not phase_of(view):
        view.presume(step("5.4.7", "it is not the Counter Movement Phase, which halves allowances (phase not stated)"))
    return allowance(int(str(printed.value)), counter=is_counter(view, counter))


def beyond_now(view: View, spent: Fraction, allowed: Fraction) -> Fraction:
    """The Movement Points beyond the allowance by the reading that holds, see `beyond`."""
    points = {reading: max(beyond(spent, allowed, reading), Fraction(0)) for reading in ("excess", "sum")}
    return points[view.ruling("march-rounding", points["excess"] != points["sum"])]


def bound_by_marker(facts: Gather, unit: Unit, doing: str = "") -> tuple[str, str]:
    """What keeps a unit from spending points on foot or where it stands, the rule and why: that it has none, a marker
    that it bears, or a Repulse that it has failed in; two empty texts if nothing does. doing: what it would spend them
    on, "" for a move.
    Rule: 8.5.4, 22.4.1, 22.4.2, 22.5.1
    """
    bound = first_bar(StatusRead(facts, unit), "spend")
    if not bound[1] and doing not in STATIONARY:
        bound = cannot_move(facts, unit)
    return bound if bound[1] else bound_by_task(facts, unit, doing)


def cannot_move(facts: Gather, unit: Unit) -> tuple[str, str]:
    """What keeps a unit from moving on even where that costs no Movement Points, the rule and why; two empty texts if
    nothing does.
    """
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
