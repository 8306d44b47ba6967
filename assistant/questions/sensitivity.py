"""What an outcome hangs on: each loss is supposed alone, and whoever has less because of it is named.

A game says what can be lost, what each subject then has, and which of two outcomes is the better one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from ..util.limits import Limit
from .view import View

L = TypeVar("L", bound=Hashable)
S = TypeVar("S")


class ChangedRank(NamedTuple, Generic[S]):
    """A subject that has something else than before."""

    subject: str
    before: S
    after: S


class Harm(NamedTuple, Generic[L, S]):
    """What a loss does. worse, better: the subjects that have less or more for it; gone: those that are lost with it."""

    loss: L
    worse: tuple[ChangedRank[S], ...]
    better: tuple[ChangedRank[S], ...]
    gone: tuple[str, ...]


def compare_ranks(
    before: Mapping[str, S], after: Mapping[str, S], rank: Callable[[S], int]
) -> tuple[tuple[ChangedRank[S], ...], tuple[ChangedRank[S], ...]]:
    """Who has less afterwards, and who has more, in the order of `before`; a subject that is in one of the two alone is
    left out.

    rank: what an outcome is worth: the more, the better.
    """
    both = [ChangedRank(name, stood, after[name]) for name, stood in before.items() if name in after]
    worse = tuple(turned for turned in both if rank(turned.after) < rank(turned.before))
    return worse, tuple(turned for turned in both if rank(turned.after) > rank(turned.before))


def harms(
    view: View,
    losses: Sequence[L],
    before: Mapping[str, S],
    after: Callable[[L], Mapping[str, S]],
    rank: Callable[[S], int],
) -> Iterator[Harm[L, S]]:
    """What each loss alone does, with progress shown.

    before: what each subject has now; after: what each has after a loss, those left out that are lost with it. Raises
    TooMuch if there is more to find out than the limit allows.
    """
    outcomes = len(losses) * len(before)
    if outcomes > Limit.LOSSES.most:
        error = Limit.LOSSES.error("supposing one loss after the other finds", outcomes)
        error.hint = f"ask about fewer, or {error.hint}"
        raise error
    for loss in view.each(losses, "losses"):
        then = after(loss)
        yield Harm(loss, *compare_ranks(before, then, rank), tuple(name for name in before if name not in then))
