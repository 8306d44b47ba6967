"""What differs between two mappings of which one was made from the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

K = TypeVar("K")
V = TypeVar("V")

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


def compare_mappings(earlier: Listing[K, V], later: Listing[K, V]) -> Compared[K]:
    """Return what differs between two mappings. It is fast where most keys stand in the same order with the very same
    values, as in a copy of which some were set or are gone.
    """
    before, old, old_values = earlier
    after, new, new_values = later
    if before is after:
        return Compared((), (), ())
    if old == new:
        return Compared([new[at] for at in _find_unlike(old_values, new_values)], (), ())
    apart, left = list[K](), list[K]()  # keys of the later mapping; keys of the earlier one that stand elsewhere
    at = to = 0
    while at < len(old) and to < len(new) and len(left) < _MOST_MOVED:
        end = min(len(old) - at, len(new) - to)
        run = next(_find_unlike(old[at : at + end], new[to : to + end]), end)
        values = old_values[at : at + run], new_values[to : to + run]
        apart += [new[to + index] for index in _find_unlike(*values)]
        at += run
        to += run
        left += old[at : at + 1]
        at += 1
    tail = new[to:]
    apart += [key for key in tail if key not in before or before[key] != after[key]]
    left += old[at:]
    return Compared(
        apart,
        [key for key in left if key not in after],
        [key for key in tail if key in before and before[key] == after[key]],
    )


def _find_unlike(one: Sequence[V], other: Sequence[V]) -> Iterator[int]:
    """Yield the positions at which two sequences of one length differ; what is alike is passed over in large pieces."""
    if one == other:
        return
    if len(one) <= _FEW:
        yield from (index for index, value in enumerate(one) if value != other[index])
        return
    half = len(one) // 2
    yield from _find_unlike(one[:half], other[:half])
    yield from (half + index for index in _find_unlike(one[half:], other[half:]))
