"""The differences between two mappings, one made from the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from operator import is_not
from typing import Generic, NamedTuple, TypeVar

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

_MAX_COMPARED_SINGLY = 16
"""The maximum number of values that are compared one by one."""
_MAX_OUT_OF_ORDER = 50
"""The number of keys out of order after which the remaining keys are looked up one by one."""


class Compared(NamedTuple, Generic[K]):
    """The keys in which two mappings differ."""

    since: Sequence[K]
    """The keys with a new or changed value in the later mapping, in its order."""
    gone: Sequence[K]
    """The keys only in the earlier mapping, in its order."""
    moved: Sequence[K]
    """The keys with equal values at another place in the order."""


class Listing(NamedTuple, Generic[K, V]):
    """A mapping that does not change, prepared for comparison."""

    mapping: Mapping[K, V]
    keys: list[K]
    values: list[V]


def list_mapping(mapping: Mapping[K, V]) -> Listing[K, V]:
    """Return a mapping prepared for comparison."""
    return Listing(mapping, [*mapping], [*mapping.values()])


def compare_closely(earlier: Listing[K, V], later: Listing[K, V]) -> tuple[Compared[K], Sequence[K]]:
    """Return the differences between two mappings, and the keys of values that are equal but not identical."""
    equal = list[K]()
    return compare_mappings(earlier, later, equal), equal


def compare_mappings(earlier: Listing[K, V], later: Listing[K, V], equal: list[K] | None = None) -> Compared[K]:
    """Return the differences between two mappings.

    This is fast if most keys are in the same order with identical values, as in a copy with some changes.

    `equal`: gets the keys of values that are equal but not identical.
    """
    earlier_mapping, old_keys, old_values = earlier
    later_mapping, new_keys, new_values = later
    if earlier_mapping is later_mapping:
        return Compared((), (), ())
    changed, moved = list[K](), list[K]()  # keys of the later mapping
    unmatched = list[K]()  # keys of the earlier mapping that are elsewhere in the later one, or missing there

    def look_up(key: K) -> None:
        """Note the difference for a key of the later mapping that is not at the same place in the earlier one."""
        if key not in earlier_mapping or earlier_mapping[key] != later_mapping[key]:
            changed.append(key)
            return
        moved.append(key)
        if equal is not None and earlier_mapping[key] is not later_mapping[key]:
            equal.append(key)

    old_at = new_at = 0
    while old_at < len(old_keys) and new_at < len(new_keys) and len(unmatched) + len(moved) < _MAX_OUT_OF_ORDER:
        end = min(len(old_keys) - old_at, len(new_keys) - new_at)
        run = next(_find_unlike(old_keys[old_at : old_at + end], new_keys[new_at : new_at + end]), end)
        values = old_values[old_at : old_at + run], new_values[new_at : new_at + run]
        unlike = [new_keys[new_at + index] for index in _find_unlike(*values)]
        changed += unlike
        if equal is not None:
            equal += {*compress(new_keys[new_at : new_at + run], map(is_not, *values))} - {*unlike}
        old_at += run
        new_at += run
        old_key, new_key = old_keys[old_at : old_at + 1], new_keys[new_at : new_at + 1]
        if new_key and (new_key[0] not in earlier_mapping or new_keys[new_at + 1 : new_at + 2] == old_key):
            look_up(new_key[0])
            new_at += 1
        else:
            unmatched += old_key
            old_at += 1
    for key in new_keys[new_at:]:
        look_up(key)
    unmatched += old_keys[old_at:]
    return Compared(changed, [key for key in unmatched if key not in later_mapping], moved)


def _find_unlike(one: Sequence[T], other: Sequence[T]) -> Iterator[int]:
    """Yield the indexes at which two sequences of equal length differ. Equal halves are skipped at once."""
    if one == other:
        return
    if len(one) <= _MAX_COMPARED_SINGLY:
        yield from (index for index, value in enumerate(one) if value != other[index])
        return
    half = len(one) // 2
    yield from _find_unlike(one[:half], other[:half])
    yield from (half + index for index in _find_unlike(one[half:], other[half:]))
