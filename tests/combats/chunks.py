"""Made-up cases of a property, tried in several processes: what each property of this folder runs as a command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

Some = Callable[[range, int], tuple[Counter[str], list[str]]]
"""Tries the cases with these numbers, of a seed: what was seen, and what is wrong."""


def try_cases(some: Some, count: int, seed: int, chunk: int) -> int:
    """Try so many cases and print what is wrong, and what was seen. 1 if anything is wrong, else 0.

    `chunk`: the number of cases that a process tries at a time.
    """
    chunks = [range(at, min(at + chunk, count)) for at in range(0, count, chunk)]
    seen, faults = Counter[str](), 0
    with ProcessPoolExecutor() as pool:
        for found, wrong in pool.map(some, chunks, [seed] * len(chunks)):
            seen += found
            faults += len(wrong)
            print(*wrong, sep="\n", end="\n" if wrong else "", flush=True)
    print(dict(seen), f"{faults} faults")
    return int(bool(faults))
