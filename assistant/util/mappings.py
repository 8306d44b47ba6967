"""What differs between two mappings of which one was made from the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from operator import is_not
from typing import Generic, NamedTuple, TypeVar

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

_FEW = 16
"""How many values are compared one by one."""
_MOST_MOVED = 50
"""After how many keys that stand elsewhere all are looked up one by one."""


class Compared(NamedTuple, Generic[K]):
    """The keys in which two mappings differ."""

    since: Sequence[K]
    """Those of which the later one says something that the earlier one does not, in its order."""
    gone: Sequence[K]
    """Those that only the earlier one has, in its order."""
    moved: Sequence[K]
    """Those of which both say the same, in another order."""


class Listing(NamedTuple, Generic[K, V]):
    """A mapping that does not change, to be compared with others."""

    mapping: Mapping[K, V]
    keys: list[K]
    values: list[V]


def list_mapping(mapping: Mapping[K, V]) -> Listing[K, V]:
    """Return a mapping, to be compared with others."""
    return Listing(mapping, [*mapping], [*mapping.values()])


def compare_closely(earlier: Listing[K, V], later: Listing[K, V]) -> tuple[Compared[K], Sequence[K]]:
    """Return what differs between two mappings, and the keys of values that are equal, but not the very same."""
    equal = list[K]()
    return compare_mappings(earlier, later, equal), equal


def compare_mappings(earlier: Listing[K, V], later: Listing[K, V], equal: list[K] | None = None) -> Compared[K]:
    """Return what differs between two mappings. It is fast where most keys stand in the same order with the very same
    values, as in a copy of which some were set or are gone.

    equal: gets the keys of values that are equal, but not the very same.
    """
    before, old, old_values = earlier
    after, new, new_values = later
    if before is after:
        return Compared((), (), ())
    apart, moved = list[K](), list[K]()  # keys of the later mapping
    left = list[K]()  # keys of the earlier one that stand elsewhere

    def look_up(key: K) -> None:
        """Note a key of the later mapping that does not stand where the earlier one has it."""
        if key not in before or before[key] != after[key]:
            apart.append(key)
            return
        moved.append(key)
        if equal is not None and before[key] is not after[key]:
            equal.append(key)

    at = to = 0
    while at < len(old) and to < len(new) and len(left) + len(moved) < _MOST_MOVED:
        end = min(len(old) - at, len(new) - to)
        run = next(_find_unlike(old[at : at + end], new[to : to + end]), end)
        values = old_values[at : at + run], new_values[to : to + run]
        unlike = [new[to + index] for index in _find_unlike(*values)]
        apart += unlike
        if equal is not None:
            equal += {*compress(new[to : to + run], map(is_not, *values))} - {*unlike}
        at += run
        to += run
        here, there = old[at : at + 1], new[to : to + 1]
        if there and (there[0] not in before or new[to + 1 : to + 2] == here):
            look_up(there[0])
            to += 1
        else:
            left += here
            at += 1
    for key in new[to:]:
        look_up(key)
    left += old[at:]
    return Compared(apart, [key for key in left if key not in after], moved)


def _find_unlike(one: Sequence[T], other: Sequence[T]) -> Iterator[int]:
    """Yield the positions at which two sequences of one length differ; what is alike is passed over in large pieces."""
    if one == other:
        return
    if len(one) <= _FEW:
        yield from (index for index, value in enumerate(one) if value != other[index])
        return
    half = len(one) // 2
    yield from _find_unlike(one[:half], other[:half])
    yield from (half + index for index in _find_unlike(one[half:], other[half:]))
