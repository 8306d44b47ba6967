"""How the work grows with what a position holds: steps are counted, for a clock would depend on the machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

MANY, TIMES = 12, 10
"""The size of the small position, and how many times that the large one is."""
MOST, ALLOWANCE = 13, 3000
"""How many times the steps may grow, a little more than the position does, and the steps that do not count."""


def steps(act: Callable[[], object]) -> int:
    """The lines of Python that an act runs, each round of a loop counted; what runs in C is not seen."""
    count = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Callable[..., Any]:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(before)
    return count


def grows_evenly(make: Callable[[int], Callable[[], object]], larger: int = 1) -> bool:
    """Whether the steps of an act grow as what it works on does.

    make: the act for a size; it runs once unseen, as caches fill. larger: how many times the usual size both are, so that work
    that grows faster shows beside much that does not.
    """
    make(MANY)()
    few, many = (steps(make(size)) for size in (larger * MANY, larger * TIMES * MANY))
    return many <= MOST * few + ALLOWANCE
