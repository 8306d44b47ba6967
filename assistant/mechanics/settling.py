"""The fewest things to make sure of so that an outcome holds, where some of them may change it alone and others only
together.

A changing set is a set of things that change the outcome if all of them are otherwise; with more of them otherwise it
stays changed. What settles the outcome has one of each changing set, so the fewest are a smallest hitting set of all of
them. They are not listed: one more is sought as long as there is one that what was changing so far does not hit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Annotated, Generic, NamedTuple, TypeVar

from ..util.notes import note

T = TypeVar("T", bound=Hashable)
MOST_HITTING = 5000
"""How many partial hitting sets are looked at before the best one so far is taken."""
_FEW = 4
"""How many things of a kind are tried before all."""


class NoRoomError(Exception):
    """Raised by what seeks a changing set when it may not go on."""


class Settled(NamedTuple, Generic[T]):
    """What settles an outcome."""

    things: Annotated[frozenset[T], note("the things to make sure of")]
    least: Annotated[bool, note("whether no smaller set settles it")]
    changing: Annotated[tuple[frozenset[T], ...], note("the changing sets found so far")]
    complete: Annotated[bool, note("whether the things settle it; False if the limit was reached first")] = True


def least_part(things: Sequence[T], changes: Callable[[Sequence[T]], bool], idle: int = 0) -> list[T]:
    """A part of some things that changes an outcome, while none of its own parts does.

    changes: whether some of them change it together; all of them do, and more never change less; idle: how many of the
    first are known not to change it. A few of these and of the others are tried first, as those that count most come
    first.
    """

    def narrow(base: list[T], some: list[T], *, is_new: bool) -> list[T]:
        if is_new and changes(base):
            return []
        if len(some) <= 1:
            return some
        half = len(some) // 2
        later = narrow(base + some[:half], some[half:], is_new=True)
        return narrow(base + later, some[:half], is_new=bool(later)) + later

    known, rest = [*things[:idle]], [*things[idle:]]
    if known and len(things) > 2 * _FEW and changes([*known[:_FEW], *rest[:_FEW]]):
        known, rest = known[:_FEW], rest[:_FEW]
    later = narrow(known, rest, is_new=False)
    return narrow(later, known, is_new=True) + later if known else later


def find_settling(
    seek: Callable[[frozenset[T]], Collection[T] | None],
    certain: Callable[[frozenset[T]], bool],
    known: Iterable[Collection[T]] = (),
    enough: Collection[T] | None = None,
) -> Settled[T]:
    """The fewest things that settle an outcome.

    seek: finds a changing set that has none of some things and of which no part changes it, None if there is none;
    certain: whether there is none, which is quicker to tell; both raise NoRoomError if they may not go on; known:
    changing sets that are known; enough: things that settle it, if any are known. Without room to find the fewest, the
    things are some that settle it, as far as there was room without any that can be spared.
    """
    changing = [frozenset(group) for group in known]
    good = None if enough is None else frozenset(enough)
    try:
        apart = frozenset[T]().union(*changing)
        while (more := seek(apart)) is not None:  # each has things of its own, so as many are needed at least
            changing.append(frozenset(more))
            apart |= changing[-1]
        good = apart if good is None else min(good, apart, key=len)
        single = frozenset[T]().union(*(group for group in changing if len(group) == 1))
        for thing in sorted(good - single, key=str):
            if certain(good - {thing}):
                good -= {thing}
        while True:
            hits, is_least = hit_sets(changing, good)
            if len(hits) == len(good):
                return Settled(good, is_least, tuple(changing))
            if (more := seek(hits)) is None:
                return Settled(hits, is_least, tuple(changing))
            changing.append(frozenset(more))
    except NoRoomError:
        if good is None:
            return Settled(frozenset[T]().union(*changing), False, tuple(changing), complete=False)
        return Settled(good, len(good) == _apart(changing), tuple(changing))


def hit_sets(sets: Collection[frozenset[T]], preferred: Collection[T] = ()) -> tuple[frozenset[T], bool]:
    """A smallest set that has a thing of each of some sets, and whether none is smaller, which is not certain if there
    are too many.

    preferred: things that are taken rather than others.
    """
    smallest = [group for group in dict.fromkeys(sets) if not any(other < group for other in sets)]
    best: frozenset[T] | None = None
    left = MOST_HITTING
    todo: list[tuple[frozenset[T], tuple[frozenset[T], ...]]] = [(frozenset(), tuple(smallest))]
    while todo:
        taken, open_sets = todo.pop()
        left -= 1
        if best is not None and (left < 0 or len(taken) + _apart(open_sets) >= len(best)):
            continue
        if not open_sets:
            best = taken
            continue
        counts = Counter(thing for group in open_sets for thing in group)
        tight = min(open_sets, key=len)
        branches = sorted(tight, key=lambda thing: (counts[thing], thing in preferred, str(thing)))
        for thing in branches:  # the last one is looked at first
            todo.append((taken | {thing}, tuple(group for group in open_sets if thing not in group)))
    assert best is not None  # the first way down ends in one
    return best, left >= 0


def _apart(sets: Iterable[frozenset[T]]) -> int:
    """How many of some sets, at least, have nothing in common: as many things are needed to hit them."""
    taken, count = set[T](), 0
    for group in sorted(sets, key=len):
        if taken.isdisjoint(group):
            taken |= group
            count += 1
    return count
