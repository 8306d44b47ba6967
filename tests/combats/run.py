"""Random combats to their end: `python -m tests.combats.run [COUNT] [SEED] [FIRST]`; 1,000 or more write docs/maintaining/combats-run.md.

What goes wrong is printed; build/combats holds its position, question and answers, to be kept as a case in test_combats.py.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .playing import told

PAGE = Path(__file__).parents[2] / "docs/maintaining/combats-run.md"
KEPT = Path(__file__).parents[2] / "build/combats"
COUNT, SEED, CHUNK = 10_000, 7, 25
DOCUMENTED = 1000
"""From how many combats on a run writes the page."""
LAST_LINES = ("refused", "faults")
WORDS = {
    "combats": "combats fought to the end",
    "refused": "not allowed, or not possible there",
}
"""What is counted, as the page words it; what is not here is named as it is."""


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


def report(seen: Counter[str], count: int, seed: int) -> str:
    """The page."""
    rows = [name for name, _ in seen.most_common() if name not in LAST_LINES and ":" not in name]
    return "\n".join(
        [
            "# Random combats",
            "",
            f"`make combats COUNT={count} SEED={seed}` writes this. It builds combats on random terrain: stacks of both sides in depth, asset",
            "units and artillery, fortress units, Improved Positions, rivers and other hexsides, supply, weather, withheld units, lost steps and",
            "levels. For each it asks for the chances before the dice, then answers each pending roll and choice at random, and now and then tries every",
            "offered option, until nothing is owed. Afterwards no unit has fewer steps or levels than it can have or more than before; none is",
            "with enemies, at sea or in an overstacked hex; nothing is owed; the position is read as it was written; and the result had",
            "a chance before the dice under a policy that makes the same choices. The effects of entering and leaving hexes are those that the",
            "question `move` gives for the same moves, hex by hex, and those of a simple second implementation of these rules. One in twenty",
            "is also fought by `battle --after` and at the table, and ends there as it does in the library.",
            "",
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
    text = report(seen, count, seed)
    print(text, f"{time.monotonic() - begun:.0f} s", sep="\n")
    if count >= DOCUMENTED and not first:
        PAGE.write_text(text, "utf-8")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
