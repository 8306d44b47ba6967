"""What a journal knows of the turns before a position: what schedules brought, and what accounts held."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from .schedules import Due


class Past(msgspec.Struct, frozen=True):
    """What a journal knows of its turns, by their numbers."""

    first: int
    """That in which it begins."""
    last: int
    """That in which it stands."""
    dues: tuple[Due, ...]
    """What the schedules have brought, turn by turn."""
    posted: Mapping[tuple[str, str], tuple[tuple[int, int], ...]]
    """What was added to each account in which turn."""
    held: Mapping[tuple[str, str], int]
    """What each holds now."""
    usual: Mapping[str, int]
    """What an account holds of which nothing was stated."""

    def brought_in(self, turn: int) -> Sequence[Due] | None:
        """Return what the schedules have brought in a turn; None for one before the journal begins, and for one ahead."""
        return dues_in(self.dues, turn) if self.first <= turn <= self.last else None

    def held_at(self, account: str, who: str, turns: Iterable[int]) -> Mapping[int, int]:
        """Return what an account held at the end of turns, without those before the journal begins."""
        key = (account, who)
        posted = self.posted.get(key, ())
        now = self.held.get(key, self.usual.get(account, 0))
        begun = (turn for turn in turns if turn >= self.first)
        return {turn: now - sum(amount for at, amount in posted if at > turn) for turn in begun}


def dues_in(dues: Sequence[Due], turn: int) -> Sequence[Due]:
    """Return what of dues, turn by turn, is of one turn."""
    ends = (cut(dues, turn, key=lambda due: due.turn) for cut in (bisect_left, bisect_right))
    return dues[slice(*ends)]
