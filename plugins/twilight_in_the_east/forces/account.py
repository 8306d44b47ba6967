"""A unit's account of a phase: the Movement Points spent by purpose, and the progress of its move (8.1, 8.3.2, 8.9)."""

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

SPENT_TRACK = "spent"
"""The track of the Movement Points that a unit has spent in a phase, by purpose."""
PASSED_TRACK = "passed"
"""The track of the hexes that a unit has left and entered in a phase, in order."""
ENDED_TRACK = "ended"
"""The track that says that a unit's move has ended."""
CHECKED_TRACK = "checked"
"""The track that says that the check of a unit's Forced March has been made."""
ENTRY_COST = "entry-cost"
"""The track of the Movement Points that a reinforcement owes for its first hex (16.1)."""
SpendingPurpose = Literal[
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
"""Purposes of Movement Points.

- `march`, `zones`: the ground of hexes entered, and EZOCs.
- `revealed`: points beyond the allowance for the EZOC of a unit revealed during the move (26.2.5), not in `zones`.
- `repulse`, `prepared`, `incomplete`: a Repulse, a Prepared Attack marker, an Incomplete marker.
- `position`, `recovery`, `disorder`, `ersatz`: tasks that can be carried over (8.9.1).
- `entraining`, `rail`, `detraining`, `trans-shipping`, `waiting`: moves by rail; `waiting` is in a queue at a station.
"""
TASKS_BARRING_MARCH = {
    "recovery": "recovers levels",
    "disorder": "recovers from Disorder",
    "entraining": "entrains",
    "detraining": "detrains",
}
"""Tasks that rule out a Forced March in the same phase, each with its verb for messages (8.3.1)."""


class Account(msgspec.Struct, frozen=True):
    """The Movement Points and the moves of a unit in a phase."""

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
        """The exact sum of all Movement Points spent; no part of it is rounded (4.5).

        Points spent beyond the allowance on a revealed unit do not count (26.2.5).
        """
        return sum((points for word, points in self.spent.items() if word != "revealed"), self.entered)

    def spent_on(self, task: SpendingPurpose) -> Fraction:
        return self.spent.get(task, Fraction(0))

    @property
    def is_under_way(self) -> bool:
        """Whether the unit has begun to move or to spend points, and may go on. Rule: 8.1b"""
        return bool(self.passed or any(self.spent.values())) and not self.ended

    @property
    def last(self) -> str:
        """The purpose of the last Movement Points spent, or "" if none were."""
        return next(reversed(list(self.spent)), "")


def counted_now(account: Account, task: SpendingPurpose, points: Fraction) -> int:
    """Return the number of points spent on a task now that count for it.

    Only whole points of the phase count: 1/2 spent before and 1 1/2 spent now count as 2.

    `account`: the account before the points are spent.

    Rule: 4.5b
    """
    return floor(account.spent_on(task) + points) - floor(account.spent_on(task))


def used_for(account: Account, task: SpendingPurpose, points: Fraction, needed: int) -> Fraction:
    """Return the points that a unit spends on a task: `points`, or fewer if the task needs fewer.

    `account`: the account before the points are spent.
    `needed`: whole points that the task still needs.
    """
    # a half point spent earlier in the phase counts towards a whole point needed now
    return max(min(points, needed - account.spent_on(task) % 1), Fraction(0))


def add_spending(account: Account, points: Mapping[SpendingPurpose, Fraction]) -> dict[str, Fraction]:
    """Return the points of the account with more points added, by purpose; the purpose last added to is at the end."""
    totals = dict(account.spent)
    for word, more in points.items():
        if more:
            totals[word] = totals.pop(word, Fraction(0)) + more  # removed first, so that it comes last
    return totals


# --- reading accounts from a position, and writing changes ------------------------------------------------------------


def read_account(facts: Reader, unit: str) -> Account:
    """Return a unit's account, which is empty if the position states nothing of it."""
    passed = tuple(facts.word(PASSED_TRACK, unit).split())
    ended = facts.flag(ENDED_TRACK, unit)
    checked = facts.flag(CHECKED_TRACK, unit)
    return Account(unit, facts.amounts(SPENT_TRACK, unit), passed, ended, checked, facts.points(ENTRY_COST, unit))


def begun_at(view: View, unit: Unit) -> str:
    """Return the hex where a unit began to move in this phase, or where it stands if it has not moved."""
    passed = read_account(view, unit.id).passed
    return passed[0] if passed else str(unit.place)


def points_before(account: Account, given: Fraction | None) -> Fraction:
    """Return the Movement Points that a unit has already spent in a phase.

    `given`: the points that the player states, or None to take those of the account.
    """
    return account.total if given is None else given


def spend(
    view: View, unit: str, points: Mapping[SpendingPurpose, Fraction], passed: Collection[str] = (), rule: str = "8.1"
) -> Iterator[Change]:
    """Yield the changes by which a unit spends Movement Points and passes hexes.

    `points`: Movement Points by purpose.
    `passed`: the hexes that the unit enters, in order.
    """
    account = read_account(view, unit)
    totals = add_spending(account, points)
    if totals != account.spent:
        yield changed(view, SPENT_TRACK, unit, format_amounts(totals) or None, rule)
    if passed:
        place = str(view.unit(unit).place or "")
        begun = account.passed or ((place,) if view.board.is_hex(place) else ())
        yield changed(view, PASSED_TRACK, unit, " ".join((*begun, *passed)), rule)


def spend_and_end(
    view: View,
    units: Collection[str],
    points: Mapping[SpendingPurpose, Fraction],
    passed: Collection[str] = (),
    rule: str = "8.1",
) -> tuple[Change, ...]:
    """Return the changes by which each unit spends the points, and which end the moves of its side's other units.

    Returns () if no points are spent and no hexes passed.

    `points`, `passed`: as in `spend`.
    """
    if not (passed or any(points.values())):
        return ()
    spending = [change for unit in units for change in spend(view, unit, points, passed, rule)]
    return (*spending, *end_moves(view, {*units, *units_alongside(view, units)}))


def end_moves(view: View, moving: Collection[str]) -> Iterator[Change]:
    """Yield the changes that end the moves of a side's other units, as a unit completes its move before the next.

    `moving`: ids of the units that move now.

    Rule: 8.1b
    """
    sides = {view.side_of(unit) for unit in moving} - {""}
    have_begun = {*view.state.subjects_of(SPENT_TRACK), *view.state.subjects_of(PASSED_TRACK)} - {*moving}
    for unit in view.units():
        if unit.id in have_begun:  # other units are not read, because the report names every fact read
            may_go_on = view.side_of(unit.id) in sides and not view.flag(ENDED_TRACK, unit.id)
            if may_go_on and read_account(view, unit.id).is_under_way:
                yield changed(view, ENDED_TRACK, unit.id, True, "8.1")


def units_alongside(view: View, moving: Collection[str]) -> Iterator[str]:
    """Yield the units that move with one of `moving`, as they have passed the same hexes in this phase (8.1)."""
    ways = {account.passed for unit in moving if (account := read_account(view, unit)).passed}
    for unit in view.units():
        account = read_account(view, unit.id)
        if unit.id not in moving and account.passed in ways and account.is_under_way:
            yield unit.id
