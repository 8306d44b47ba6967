"""Random histories of undos and strikes at a table with four seats: `python -m tests.undoing.run [STEPS] [SEED]`.

What goes wrong is printed with the steps that led there. 1,000 steps or more are recorded in docs/maintaining/runs.md.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable

from ..runs import keep_tables, record
from .table import STEPS, told

RUN = "Undos at shared tables"
COUNT, SEED = 5000, 0
DOCUMENTED = 1000
"""From how many steps on a run is recorded."""


def some(numbers: Iterable[int], seed: int, steps: int = STEPS) -> tuple[Counter[str], list[str]]:
    """What occurred in some histories, and what went wrong in them. numbers: added to the seed."""
    seen, wrong = Counter[str](), list[str]()
    for number in numbers:
        played = told(seed + number, steps)
        seen += played.tried
        if played.fault:
            wrong.append("\n  ".join([f"history {seed + number}: {played.fault}", *played.steps]))
    return seen, wrong


def main(count: int = COUNT, seed: int = SEED) -> int:
    """Run, print, write; 1 if anything went wrong."""
    seen, wrong, begun, number = Counter[str](), list[str](), time.monotonic(), 0
    while seen["steps"] < count:
        found, faults = some([number], seed)
        seen += found
        wrong += faults
        number += 1
        print(*faults, sep="\n", end="\n" if faults else "", flush=True)
    rows = [f"| {name} | {amount} |" for name, amount in seen.most_common()]
    text = "\n".join(["| | |", "| --- | ---: |", f"| histories of {STEPS} steps at most | {number} |", *rows, ""])
    print(text, f"{time.monotonic() - begun:.0f} s", sep="\n")
    keep_tables("undoing", text)
    if count >= DOCUMENTED:
        tried = f"{seen['steps']:,} steps, {sum(seen[name] for name in ('undos', 'undos agreed to', 'strikes')):,} undos and strikes"
        record(
            RUN,
            tried,
            f"{len(wrong)} units lost or enemies in one hex",
            f"make explore WHAT=undoing COUNT={count} SEED={seed}",
        )
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
