"""Many inputs of each target, found by the code that they reach: `python -m tests.fuzz.run [COUNT] [SEED] [TARGET...]`.

What came of them is printed and, for the usual count and seed, recorded in docs/maintaining/runs.md; inputs at fault are kept in build/fuzz.
Atheris is needed: pip install -e .[fuzz]
"""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from tests.hostile.reading import SECONDS, Outcome, environment
from tests.runs import keep_tables, record

from .targets import met, targets

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build/fuzz"
RUN = "Inputs guided by coverage"
COUNT, SEED = 105_000, 1914
SHARES = {
    "log": 10,
    "save": 40,
    "compare": 25,
    "file": 240,
    "rewrite": 140,
    "module": 115,
    "notation": 150,
    "json": 310,
    "pack": 15,
    "game": 5,
}
"""How many of 1,050 inputs are of a target; of those that take long there are fewer. The longest come first."""
_SLOW = SECONDS / 2
"""Seconds from which an input is met once more without Atheris, which doubles what it takes or more."""
_ROUND = 8000
"""Inputs that one process meets: what Atheris keeps of them grows."""
_REACHED = re.compile(rb"^#[0-9]+\s+([A-Z]+)\s+cov: ([0-9]+)", re.MULTILINE)


class Met(NamedTuple):
    """What came of the inputs of a target.

    faults: the input and its traceback; reached: the branches of the program that the sound inputs reached, and all of them together;
    slowest: the input that took longest, if it took long.
    """

    target: str
    outcomes: list[Outcome]
    faults: list[tuple[bytes, str]]
    reached: tuple[int, int]
    slowest: bytes


def meet(target: str, count: int, seed: int) -> Met:
    """Meet so many inputs of a target, round by round; each begins with what the others found."""
    outcomes: list[Outcome] = []
    faults: list[tuple[bytes, str]] = []
    slowest = 0.0, b""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = folder / "log"
        number = 0
        while len(outcomes) < count:
            number += 1
            wanted = min(_ROUND, count - len(outcomes))
            found = list(_round(target, wanted, seed * 1000 + number, folder, log))
            if len(found) < wanted:
                ended = Outcome(
                    "", 0, 0, "the process ended without a word: " + log.read_text("utf-8", "replace")[-1000:]
                )
                last = folder / "last"
                found.append((last.read_bytes() if last.exists() else b"", ended))
            found = [(data, _plainly(target, data, came, folder)) for data, came in found]
            outcomes += [came for _, came in found]
            faults += [(data, came.crash) for data, came in found if came.crash]
            slowest = max(slowest, *((came.seconds, data) for data, came in found if data), (0.0, b""))
        counted = [(kind, int(reached)) for kind, reached in _REACHED.findall(log.read_bytes())]
    first = next((reached for kind, reached in counted if kind == b"INITED"), 0)
    return Met(target, outcomes, faults, (first, max((reached for _, reached in counted), default=0)), slowest[1])


def _plainly(target: str, data: bytes, came: Outcome, folder: Path) -> Outcome:
    """What comes of an input that took long, without Atheris and what it costs; of any other what came of it."""
    if not data or came.seconds < _SLOW:
        return came
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_alone, target, data, folder).result()


def _alone(target: str, data: bytes, folder: Path) -> Outcome:
    """What comes of an input in this process, once what any input takes is loaded."""
    os.chdir(folder)
    environment(folder / "data")
    known = targets()[target]
    for one in known.seeds():
        met(known, one)
    return met(known, data)


def _round(target: str, count: int, seed: int, folder: Path, log: Path) -> Iterator[tuple[bytes, Outcome]]:
    command = [sys.executable, "-m", "tests.fuzz.guided", target, str(count), str(seed), str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with (
        log.open("ab") as said,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, cwd=ROOT, env=environment) as process,
    ):
        assert process.stdout
        try:
            while True:
                yield pickle.load(process.stdout)
        except EOFError:
            pass


def report(all: list[Met]) -> str:
    """The run as a table."""
    names = targets()
    rows = [
        f"| {names[one.target].name} | {len(one.outcomes)} | {sum(came.kind == 'read' for came in one.outcomes)} "
        f"| {one.reached[0]} | {one.reached[1]} | {max(came.seconds for came in one.outcomes):.2f} s "
        f"| {max(came.memory for came in one.outcomes) / 2**20:.0f} MiB | {len(one.faults)} |"
        for one in all
    ]
    lines = [
        "| Inputs | Met | Answered | Branches that sound ones reach | that all reach | Longest | Most memory | At fault |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        *rows,
        "",
    ]
    return "\n".join(lines)


def _keep(met: Met) -> None:
    """Keep one input of each kind of fault, and the slowest; print what the faults are."""
    KEPT.mkdir(parents=True, exist_ok=True)
    kinds: dict[str, tuple[int, bytes, str]] = {}
    for number, (data, crash) in enumerate(met.faults):
        kinds.setdefault(crash.rstrip().rpartition("\n")[2][:60], (number, data, crash))
    for number, data, crash in kinds.values():
        (KEPT / f"{met.target}-{number}").write_bytes(data)
        print(f"--- {met.target} {number}\n{crash[-2000:]}", flush=True)
    if met.slowest:
        (KEPT / f"{met.target}-slowest").write_bytes(met.slowest)


def main(count: int = COUNT, seed: int = SEED, *only: str) -> int:
    """Run, print, write; 1 if an input is at fault."""
    chosen = {name: share for name, share in SHARES.items() if not only or name in only}
    found: list[Met] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        numbers = [count * share // sum(chosen.values()) for share in chosen.values()]
        for one in pool.map(meet, chosen, numbers, [seed] * len(chosen)):
            _keep(one)
            print(f"{one.target}: {len(one.outcomes)} met, {len(one.faults)} at fault", flush=True)
            found.append(one)
    text = report(found)
    print(text)
    keep_tables("fuzz", text)
    if (count, seed, only) == (COUNT, SEED, ()):
        inputs, faults = (
            sum(map(len, each)) for each in zip(*((one.outcomes, one.faults) for one in found), strict=True)
        )
        tried = f"{inputs:,} inputs of {len(found)} kinds, no two of a kind alike"
        record(RUN, tried, f"{faults} at fault", f"make explore WHAT=fuzz COUNT={count} SEED={seed}")
    return int(any(one.faults for one in found))


if __name__ == "__main__":
    count, seed, *only = [*sys.argv[1:], *(str(COUNT), str(SEED))[len(sys.argv[1:3]) :]][:2] + sys.argv[3:]
    sys.exit(main(int(count), int(seed), *only))
