"""The account of a unit in a phase: what it has spent its Movement Points on, which hexes it has passed, whether its
move has ended (8.1, 8.9), and whether the check of its Forced March has been made (8.3.2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from math import floor
from typing import Annotated, Literal

import msgspec

from assistant.asking import View, note
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.state.points import format_amounts
from assistant.state.state import Unit
from assistant.state.tracks import Reader

# The tracks of an account.
SPENT = "spent"
PASSED = "passed"
ENDED = "ended"
CHECKED = "checked"
ENTRY_COST = "entry-cost"
"""The track of what a reinforcement owes its Movement Phase for its first hex (16.1)."""
On = Literal[
    "march",
    "zones",
    "revealed",
    "repulse",
    "prepared",
    "position",
    "recovery",
    "disorder",
    "ersatz",
    "incomplete",
    "entraining",
    "rail",
    "detraining",
    "trans-shipping",
    "waiting",
]
"""What Movement Points are spent on: the ground of hexes that are entered, EZOCs, among them a point beyond the
allowance for that of a unit that is revealed only then (26.2.5), a Repulse, a Prepared Attack marker, the tasks that
can be carried over (8.9.1), an Incomplete marker, and what is done by rail, the wait in a queue at a station among
that.
"""
NO_MARCH_BESIDE = {
    "recovery": "recovers levels",
    "disorder": "recovers from Disorder",
    "entraining": "entrains",
    "detraining": "detrains",
}
"""What a unit does in no phase in which it makes a Forced March (8.3.1)."""


class Account(msgspec.Struct, frozen=True):
    """What a unit has spent in a phase."""

    unit: str
    spent: Annotated[
        Mapping[str, Fraction], note("Movement Points by what they were spent on, the last at the end")
    ] = {}
    passed: Annotated[tuple[str, ...], note("the hexes that it has left and entered, in order, its own last")] = ()
    ended: Annotated[bool, note("whether its move has ended")] = False
    checked: Annotated[bool, note("whether the check of its Forced March has been made")] = False
    entered: Annotated[
        Fraction, note("what the first hex costs a reinforcement that has come from the map edge in this turn")
    ] = Fraction(0)

    @property
    def total(self) -> Fraction:
        """All Movement Points that it has spent, exactly; fractions are rounded in no part of it (4.5). What it has
        spent beyond its allowance on a unit that was revealed takes none of these (26.2.5).
        """
        return sum((points for word, points in self.spent.items() if word != "revealed"), self.entered)

    def spent_on(self, task: On) -> Fraction:
        """Return the Movement Points that it has spent on a task."""
        return self.spent.get(task, Fraction(0))

    @property
    def is_under_way(self) -> bool:
        """Whether it has begun to move or to spend, and may go on. Rule: 8.1b"""
        return bool(self.passed or any(self.spent.values())) and not self.ended

    @property
    def last(self) -> str:
        """What it has spent Movement Points on last, "" if it has spent none."""
        return next(reversed(list(self.spent)), "")


def counted_now(account: Account, task: On, points: Fraction) -> int:
    """Return the Movement Points that count for a task of those that a unit spends on it now: of all that it spends on
    it in the phase a half counts for nothing, but two halves are one.

    account: before that. Rule: 4.5b
    """
    return floor(account.spent_on(task) + points) - floor(account.spent_on(task))


def used_for(account: Account, task: On, points: Fraction, needed: int) -> Fraction:
    """Return the Movement Points that a unit spends on a task of those that it would spend: no more than the task still
    needs.

    account: before that; needed: points that still have to count for it.
    """
    return max(min(points, needed - account.spent_on(task) % 1), Fraction(0))


def add_spending(account: Account, points: Mapping[On, Fraction]) -> dict[str, Fraction]:
    """Return what a unit has spent after spending more, by what it was spent on, the last at the end."""
    sums = dict(account.spent)
    for word, more in points.items():
        if more:
            sums[word] = sums.pop(word, Fraction(0)) + more
    return sums


# --- read from a position, and written to it --------------------------------------------------------------------------


def read_account(facts: Reader, unit: str) -> Account:
    """Return the account of a unit as the position keeps it, empty where nothing is stated."""
    passed = tuple(facts.word(PASSED, unit).split())
    ended = facts.flag(ENDED, unit)
    checked = facts.flag(CHECKED, unit)
    return Account(unit, facts.amounts(SPENT, unit), passed, ended, checked, facts.points(ENTRY_COST, unit))


def begun_at(view: View, unit: Unit) -> str:
    """Return the hex where a unit began to move in this phase: where it stands if it has not."""
    passed = read_account(view, unit.id).passed
    return passed[0] if passed else str(unit.place)


def points_before(account: Account, given: Fraction | None) -> Fraction:
    """Return the Movement Points that a unit has spent in a phase before what it spends now: as its player says, or as
    its account has them if he says nothing.
    """
    return account.total if given is None else given


def spend(
    view: View, unit: str, points: Mapping[On, Fraction], passed: Collection[str] = (), rule: str = "8.1"
) -> Iterator[Change]:
    """Yield the changes by which a unit spends Movement Points and passes hexes.

    points: by what they are spent on; passed: the hexes that it enters, in order.
    """
    account = read_account(view, unit)
    sums = add_spending(account, points)
    if sums != account.spent:
        yield changed(view, SPENT, unit, format_amounts(sums) or None, rule)
    if passed:
        place = str(view.unit(unit).place or "")
        begun = account.passed or ((place,) if view.board.is_hex(place) else ())
        yield changed(view, PASSED, unit, " ".join((*begun, *passed)), rule)


def spend_and_end(
    view: View, units: Collection[str], points: Mapping[On, Fraction], passed: Collection[str] = (), rule: str = "8.1"
) -> tuple[Change, ...]:
    """Return the changes by which some units spend as many Movement Points each, and by which the moves of the others
    of their side end; none if they spend and pass nothing. The arguments are those of `spend`.
    """
    if not (passed or any(points.values())):
        return ()
    spending = [change for unit in units for change in spend(view, unit, points, passed, rule)]
    return (*spending, *end_moves(view, {*units, *units_alongside(view, units)}))


def end_moves(view: View, moving: Collection[str]) -> Iterator[Change]:
    """Yield the changes by which moves that a side has begun end, as other units of it begin to move: a unit completes
    its move before the next one moves.

    moving: the units that move now. No more is read of units that have not begun or have ended. Rule: 8.1b
    """
    sides = {view.side_of(unit) for unit in moving} - {""}
    stated = {*view.state.subjects_of(SPENT), *view.state.subjects_of(PASSED)} - {*moving}
    for unit in view.units():
        if unit.id in stated:
            begun = view.side_of(unit.id) in sides and not view.flag(ENDED, unit.id)
            if begun and read_account(view, unit.id).is_under_way:
                yield changed(view, ENDED, unit.id, True, "8.1")


def units_alongside(view: View, moving: Collection[str]) -> Iterator[str]:
    """Yield the units that have gone the same way in this phase as some that spend Movement Points now, and so move in
    one stack with them (8.1).
    """
    ways = {account.passed for unit in moving if (account := read_account(view, unit)).passed}
    for unit in view.units():
        account = read_account(view, unit.id)
        if unit.id not in moving and account.passed in ways and account.is_under_way:
            yield unit.id
