"""Many pairs of positions that differ only in what is hidden from a side: `python -m tests.secrets.run [COUNT] [SEED]`.

The side gets the same of both, byte for byte: on both streams, by the exit code and in every file that is written. Pairs that
differ are printed. With the usual count and seed its figures go into docs/maintaining/runs.md.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from ..runs import keep_tables, record
from .telling import Pair, Told, pair, told
from .worlds import ENDINGS

RUN = "Secrets"
COUNT, SEED, CHUNK = 5000, 1914, 50


def differences(numbers: range, seed: int) -> tuple[list[str], Counter[str]]:
    """What differs within some pairs, and how much of each kind was tried."""
    found: list[str] = []
    tried = Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "mail")
        for number in numbers:
            both = pair(number, seed)
            one, other = (told(both, which, folder) for which in (0, 1))
            found += [
                f"--- pair {number}, {' '.join(command)}, {both.ending}, {both.limits}\n{first_difference(here, there)}"
                for command, here, there in zip(both.commands, one, other, strict=True)
                if here != there
            ]
            tried += _kinds(both, one)
    return found, tried


def _kinds(both: Pair, told_of_one: list[Told]) -> Counter[str]:
    tried = Counter({"pairs": 1, f"pairs {both.ending}": 1, "commands": 2 * len(both.commands)})
    tried["pairs that differ"] += both.files[0] != both.files[1]
    tried["by settings"] += both.settings
    tried["with limits"] += bool(both.limits)
    tried["refused"] += 2 * sum(one.exit == 3 for one in told_of_one)
    tried["files written"] += 2 * sum(len(one.files) for one in told_of_one)
    for world in both.worlds:
        tried.update({f"kind {kind}": number for kind, number in world.kinds.items()})
    return tried


def first_difference(one: Told, other: Told) -> str:
    for name in ("exit", "out", "err"):
        here, there = str(getattr(one, name)).split("\n"), str(getattr(other, name)).split("\n")
        for line, beside in zip([*here, ""], [*there, ""], strict=False):
            if line != beside:
                return f"{name}: {line}\n{name}: {beside}"
    named = [name for name in {**one.files, **other.files} if one.files.get(name) != other.files.get(name)]
    return f"files: {', '.join(named)}"


def report(tried: Counter[str], found: list[str]) -> str:
    """The table of a run."""
    pairs = ", ".join(f"{tried[f'pairs {ending}']} {ending}" for ending in ENDINGS)
    kinds = sorted((name.removeprefix("kind "), number) for name, number in tried.items() if name.startswith("kind "))
    return "\n".join(
        [
            "| | |",
            "| --- | ---: |",
            f"| pairs of positions ({pairs}) | {tried['pairs']} |",
            f"| of these, pairs that are not the same file | {tried['pairs that differ']} |",
            f"| seen by the player's own setting instead of `--as` | {tried['by settings']} |",
            f"| read under a lower limit | {tried['with limits']} |",
            f"| commands run | {tried['commands']} |",
            f"| of these, refused | {tried['refused']} |",
            f"| files written | {tried['files written']} |",
            *(f"| hidden: {kind} | {number} |" for kind, number in kinds),
            f"| commands that told the side a different byte | {len(found)} |",
            "",
        ]
    )


def main(count: int = COUNT, seed: int = SEED) -> int:
    """Run, print, write; 1 if anything differed."""
    recorded = RUN if (count, seed) == (COUNT, SEED) else ""
    return run(differences, report, count, seed, recorded, "run")


def run(
    differ: Callable[[range, int], tuple[list[str], Counter[str]]],
    worded: Callable[[Counter[str], list[str]], str],
    count: int,
    seed: int,
    recorded: str,
    module: str,
    answers: str = "commands",
) -> int:
    """Run so many pairs and print what comes of them; 1 if anything differed.

    differ: what differs within some pairs, and how much was tried; worded: their table; recorded: the run as which its figures are
    recorded, "" for none; module: what runs it; answers: what is counted of each pair.
    """
    chunks = [range(at, min(at + CHUNK, count)) for at in range(0, count, CHUNK)]
    found: list[str] = []
    tried = Counter[str]()
    with ProcessPoolExecutor() as pool:
        for some, kinds in pool.map(differ, chunks, [seed] * len(chunks)):
            found += some
            tried += kinds
            print(*some, sep="\n", end="\n" if some else "", flush=True)
    text = worded(tried, found)
    print(text)
    keep_tables(f"secrets-{module}", text)
    if recorded:
        figures = f"{tried['pairs']:,} pairs, {tried[answers]:,} {answers}"
        record(
            recorded, figures, f"{len(found)} differed in a byte", f"python -m tests.secrets.{module} {count} {seed}"
        )
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
