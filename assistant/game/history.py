"""A journal's record of earlier turns: the items that schedules brought, and the amounts of accounts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from .schedules import Due


class Past(msgspec.Struct, frozen=True):
    """A journal's record of its turns, by turn number."""

    first: int
    """The turn in which the journal begins."""
    last: int
    """The current turn of the journal."""
    dues: tuple[Due, ...]
    """All that the schedules have brought, in the order of turns."""
    posted: Mapping[tuple[str, str], tuple[tuple[int, int], ...]]
    """Changes of accounts by account and holder, each as turn and amount."""
    held: Mapping[tuple[str, str], int]
    """Current amounts by account and holder."""
    usual: Mapping[str, int]
    """Default amounts, by account."""

    def brought_in(self, turn: int) -> Sequence[Due] | None:
        """Return the items that the schedules brought in a turn, or None if the turn is not in the record."""
        return dues_in(self.dues, turn) if self.first <= turn <= self.last else None

    def held_at(self, account: str, who: str, turns: Iterable[int]) -> Mapping[int, int]:
        """Return the amount of an account at the end of each turn, without turns before the journal began.

        `who`: the nation or side that holds the account.
        """
        key = (account, who)
        posted = self.posted.get(key, ())
        current = self.held.get(key, self.usual.get(account, 0))
        recorded = (turn for turn in turns if turn >= self.first)
        return {
            turn: current - sum(amount for posted_turn, amount in posted if posted_turn > turn) for turn in recorded
        }


def dues_in(dues: Sequence[Due], turn: int) -> Sequence[Due]:
    """Return the part of `dues` that belongs to one turn.

    `dues`: items in the order of turns.
    """
    ends = (cut(dues, turn, key=lambda due: due.turn) for cut in (bisect_left, bisect_right))
    return dues[slice(*ends)]
