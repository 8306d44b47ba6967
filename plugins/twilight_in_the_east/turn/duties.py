"""What a phase owes, over plain values: rolls, withdrawals, the Supply Phase, and Movement Points that may not be left."""

from __future__ import annotations

from fractions import Fraction

from ..ground.calendar import possible_weather


def rolls_for_weather(turn: int, stated: str) -> bool:
    """Return whether the Russian player still has to roll for the weather: at the start of a turn that may have one or
    the other, until it is known. stated: the weather, "" if it is not stated. Rule: 5.3.1b
    """
    return len(possible_weather(turn)) > 1 and not stated


def is_carried_out(last: int | None, turn: int) -> bool:
    """Return whether what is done once in a game turn has been done in this one. last: the turn in which it was last
    done, None if that is not stated.
    """
    return last == turn


def task_goes_on(left: Fraction | None, spent: Fraction) -> bool:
    """Return whether a unit still has to spend Movement Points of this phase on the task that it has begun: as long as
    it has a whole one left, for half a point counts for nothing.

    left: its Movement Points left, None if its allowance is not stated; spent: on the task, in this phase.
    Rule: 8.9.2
    """
    return left >= 1 if left is not None else not spent


def rail_unit_idles(left: Fraction | None, spent: Fraction, *, arrived: bool = False) -> bool:
    """Return whether a unit in Rail Mode still has to move or detrain: it may not leave Movement Points unspent
    (8.2.3). A fraction of a point still takes it on, but does not detrain it.

    left, spent: as for a task, spent on anything; arrived: whether it is at its destination.
    """
    if left is None:
        return not spent
    return left >= 1 if arrived else left > 0
