"""The supply of random positions, asked for in two ways and worked out in a third: `python -m tests.supplies.run [COUNT] [SEED] [FIRST]`.

What is at fault is printed; build/supplies holds each such position as a .pos file.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .checking import Case
from .shrinking import shrunk
from .worlds import made

KEPT = Path(__file__).parents[2] / "build/supplies"
COUNT, SEED, CHUNK = 2000, 1914, 10


def some(numbers: range, seed: int, kind: str = "", kept: bool = True) -> tuple[Counter[str], list[str]]:
    """What was checked in some positions, and what is wrong in them."""
    seen, wrong = Counter[str](), list[str]()
    for number in numbers:
        case = Case(made(number, seed, kind), number)
        seen[case.world["kind"]] += 1
        try:
            faults = list(case.faults())
            seen["units"] += len(case.rows)
        except Exception as error:  # whatever the program does, the position is kept
            faults = [f"{type(error).__name__}: {error}\n{traceback.format_exc(limit=-3)}"]
        if faults and kept:
            keep(f"{seed}-{number}", case, faults)
        if faults:
            wrong += [f"position {number}: {fault}" for fault in faults]
            seen["at fault"] += 1
    return seen, wrong


def keep(name: str, case: Case, faults: list[str]) -> None:
    """Writes the position, and the smallest that has its first fault."""
    KEPT.mkdir(parents=True, exist_ok=True)
    for file, one, said in (
        (name, case, faults),
        (f"{name}-small", shrunk(case.world, faults[0], case.seed), faults[:1]),
    ):
        told = "".join(f"# {line}\n" for fault in said for line in fault.splitlines())
        (KEPT / f"{file}.pos").write_text(told + one.text, "utf-8")


def main(count: int = COUNT, seed: int = SEED, first: int = 0) -> int:
    """Run and print; 1 if anything is wrong."""
    chunks = [range(at, min(at + CHUNK, first + count)) for at in range(first, first + count, CHUNK)]
    seen, wrong, begun = Counter[str](), 0, time.monotonic()
    with ProcessPoolExecutor() as pool:
        for found, faults in pool.map(some, chunks, [seed] * len(chunks)):
            seen += found
            wrong += len(faults)
            print(*faults, sep="\n", end="\n" if faults else "", flush=True)
    print(*(f"{name}: {many}" for name, many in seen.items()), f"{time.monotonic() - begun:.0f} s", sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
