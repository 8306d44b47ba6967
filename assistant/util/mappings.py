"""What differs between two mappings of which one was made from the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

_FEW = 16
"""How many values are compared one by one."""
_MOST_MOVED = 50
"""After how many keys that stand elsewhere all are looked up one by one."""


def compare_mappings(before: Mapping[K, V], after: Mapping[K, V]) -> tuple[Sequence[K], Sequence[K]]:
    """Return the keys of which a mapping says something that an earlier one does not, in the order of the later one;
    and those of which only the earlier one says something, in its order.

    Fast where most keys stand in the same order with the very same values, as in a copy of which some are set or gone.
    """
    if before is after:
        return (), ()
    old, new = [*before], [*after]
    old_values, new_values = [*before.values()], [*after.values()]
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
    apart += [key for key in new[to:] if key not in before or before[key] != after[key]]
    return apart, [key for key in (*left, *old[at:]) if key not in after]


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
