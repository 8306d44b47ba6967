"""The account of a unit in a phase: what it has spent its Movement Points on, which hexes it has passed, and whether its
move has ended (8.1, 8.9).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Literal

import msgspec

from assistant.questions import View
from assistant.questions.view import changed
from assistant.state.changes import Change
from assistant.state.points import spell_amounts
from assistant.state.tracks import Reader

SPENT, PASSED, ENDED = "spent", "passed", "ended"
"""The tracks of an account."""
On = Literal[
    "march",
    "zones",
    "repulse",
    "prepared",
    "position",
    "recovery",
    "disorder",
    "ersatz",
    "entraining",
    "rail",
    "detraining",
    "trans-shipping",
    "waiting",
]
"""What Movement Points are spent on: the ground of hexes that are entered, EZOCs, a Repulse, a Prepared Attack marker,
the tasks that can be carried over (8.9.1), and what is done by rail, the wait in a queue at a station among that.
"""


class Account(msgspec.Struct, frozen=True):
    """What a unit has spent in a phase. spent: Movement Points by what they were spent on; passed: the hexes that it has
    left and entered, in order, its own last; ended: whether its move has ended.
    """

    unit: str
    spent: Mapping[str, Fraction] = {}
    passed: tuple[str, ...] = ()
    ended: bool = False

    @property
    def total(self) -> Fraction:
        """All Movement Points that it has spent, exactly; fractions are rounded in no part of it (4.5)."""
        return sum(self.spent.values(), Fraction(0))

    @property
    def is_open(self) -> bool:
        """Whether it has begun to move or to spend, and may go on."""
        return bool(self.spent or self.passed) and not self.ended


def read_account(facts: Reader, unit: str) -> Account:
    """The account of a unit as the position keeps it, empty where nothing is stated."""
    passed = tuple(facts.word(PASSED, unit).split())
    return Account(unit, facts.amounts(SPENT, unit), passed, facts.flag(ENDED, unit))


def spend(
    view: View, unit: str, points: Mapping[On, Fraction], passed: Collection[str] = (), rule: str = "8.1"
) -> Iterator[Change]:
    """The changes by which a unit spends Movement Points and passes hexes.

    points: by what they are spent on; passed: the hexes that it enters, in order.
    """
    account = read_account(view, unit)
    sums = {**account.spent}
    for word, more in points.items():
        sums[word] = sums.get(word, Fraction(0)) + more
    if sums != account.spent:
        yield changed(view, SPENT, unit, spell_amounts(sums) or None, rule)
    if passed:
        begun = account.passed or tuple(filter(None, [str(view.unit(unit).place or "")]))
        yield changed(view, PASSED, unit, " ".join((*begun, *passed)), rule)


def end_moves(view: View, moving: Collection[str]) -> Iterator[Change]:
    """The changes by which the moves end that a side has begun, as other units of it begin to move: a unit completes its
    move before the next one moves.

    moving: the units that move now.
    """
    side = next((view.side_of(unit) for unit in moving), "")
    for unit in view.units():
        if unit.id not in moving and view.side_of(unit.id) == side and read_account(view, unit.id).is_open:
            yield changed(view, ENDED, unit.id, True, "8.1")
