"""What has to go of too much: the sets whose removal leaves no more than fits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import chain, combinations

LISTED = 12
"""Things up to which it is listed which may go."""


def removals(names: Sequence[str], fits: Callable[[Collection[str]], bool]) -> tuple[tuple[str, ...], ...]:
    """The sets without which the rest fits and of which none could stay, the smallest first; none where everything fits, and none where
    there are too many things to list them. fits: whether some of the names fit together.
    """
    if fits(names) or len(names) > LISTED:
        return ()
    found: list[tuple[str, ...]] = []
    for gone in chain.from_iterable(combinations(names, number) for number in range(1, len(names))):
        smaller = any(set(fewer) <= set(gone) for fewer in found)
        if not smaller and fits([name for name in names if name not in gone]):
            found.append(gone)
    return tuple(found)
