"""Random combats to their end: `python -m tests.combats.run [COUNT] [SEED] [FIRST]`; 1,000 or more are recorded in docs/maintaining/runs.md.

What goes wrong is printed; build/combats holds its position, question and answers, to be kept as a case in test_combats.py.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from ..runs import keep_tables, record
from .playing import told

RUN = "Random combats"
KEPT = Path(__file__).parents[2] / "build/combats"
COUNT, SEED, CHUNK = 10_000, 7, 25
DOCUMENTED = 1000
"""From how many combats on a run is recorded."""
LAST_LINES = ("refused", "faults")
WORDS = {
    "combats": "combats fought to the end",
    "refused": "not allowed, or not possible there",
}
"""What is counted, in words; what is not here is named as it is."""


def some(numbers: range, seed: int) -> tuple[Counter[str], list[str]]:
    """What occurred in some combats, and what went wrong in them."""
    seen, wrong = Counter[str](), list[str]()
    for number in numbers:
        one = told(number, seed)
        seen += one.seen
        if one.fault:
            wrong.append(f"combat {number}: {one.fault}")
            KEPT.mkdir(parents=True, exist_ok=True)
            (KEPT / f"{seed}-{number}.txt").write_text(f"{one.fault}\n{one.world.asked}\n{one.dice}\n{one.world.text}")
    return seen, wrong


def report(seen: Counter[str], count: int) -> str:
    """The table of what occurred."""
    rows = [name for name, _ in seen.most_common() if name not in LAST_LINES and ":" not in name]
    return "\n".join(
        [
            "| | |",
            "| --- | ---: |",
            f"| combats put together | {count} |",
            *(f"| {WORDS.get(name, name)} | {seen[name]} |" for name in (*rows, *LAST_LINES)),
            "",
        ]
    )


def main(count: int = COUNT, seed: int = SEED, first: int = 0) -> int:
    """Run, print, write; 1 if anything went wrong."""
    chunks = [range(at, min(at + CHUNK, first + count)) for at in range(first, first + count, CHUNK)]
    seen, wrong, begun = Counter[str](), list[str](), time.monotonic()
    with ProcessPoolExecutor() as pool:
        for found, faults in pool.map(some, chunks, [seed] * len(chunks)):
            seen += found
            wrong += faults
            print(*faults, sep="\n", end="\n" if faults else "", flush=True)
    text = report(seen, count)
    print(text, f"{time.monotonic() - begun:.0f} s", sep="\n")
    keep_tables("combats", text)
    if count >= DOCUMENTED and not first:
        tried = f"{count:,} combats, {seen['dice and choices']:,} dice and choices"
        record(RUN, tried, f"{seen['faults']} faults", f"make explore WHAT=combats COUNT={count} SEED={seed}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
