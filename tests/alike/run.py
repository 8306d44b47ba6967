"""Random positions, each asked about in every way: `python -m tests.alike.run [COUNT] [SEED] [FIRST]`.

What differs is printed; build/alike holds each such position as a .pos file.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .checking import Case
from .worlds import made

KEPT = Path(__file__).parents[2] / "build/alike"
COUNT, SEED, CHUNK = 500, 1914, 5


def some(numbers: range, seed: int, *, keeps: bool = True) -> tuple[Counter[str], list[str]]:
    """What was asked about some positions, and what differs in them."""
    seen, wrong = Counter[str](), list[str]()
    for number in numbers:
        world = made(number, seed)
        seen[f"{world.question} of {world.game.id}"] += 1
        try:
            case = Case(world)
            faults = list(case.faults())
            answer = case.by_file
            seen["refused" if isinstance(answer, str) else answer.verdict.kind] += 1
            seen["with assumptions"] += bool(case.shown and case.shown.assumed)
        except Exception as error:  # whatever the program does, the position is kept
            faults = [f"{type(error).__name__}: {error}\n{traceback.format_exc(limit=-3)}"]
        if faults and keeps:
            KEPT.mkdir(parents=True, exist_ok=True)
            told = "".join(f"# {line}\n" for fault in faults for line in fault.splitlines())
            (KEPT / f"{seed}-{number}.pos").write_text(told + world.text(), "utf-8")
        wrong += [f"position {number}: {fault}" for fault in faults]
    return seen, wrong


def main(count: int = COUNT, seed: int = SEED, first: int = 0) -> int:
    """Run and print; 1 if anything differs."""
    chunks = [range(at, min(at + CHUNK, first + count)) for at in range(first, first + count, CHUNK)]
    seen, wrong, begun = Counter[str](), 0, time.monotonic()
    with ProcessPoolExecutor() as pool:
        for counted, faults in pool.map(some, chunks, [seed] * len(chunks)):
            seen += counted
            wrong += len(faults)
            print(*faults, sep="\n", end="\n" if faults else "", flush=True)
    print(*(f"{name}: {count}" for name, count in sorted(seen.items())), f"{time.monotonic() - begun:.0f} s", sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
