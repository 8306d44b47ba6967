"""Many inputs of each target, found by the code that they reach.

A case is a target with as many inputs as its row has. Inputs at fault are kept in `build/fuzz`.
Atheris is needed: pip install -e .[fuzz]
"""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from ..comparing.search import KEPT, Row, Search
from ..hostile.reading import SECONDS, Outcome, environment
from .targets import met, targets

ROOT = Path(__file__).parents[2]
COUNTS = {
    "log": 1_000,
    "save": 4_000,
    "compare": 2_500,
    "file": 24_000,
    "rewrite": 14_000,
    "module": 11_500,
    "notation": 15_000,
    "json": 31_000,
    "pack": 1_500,
    "game": 500,
}
"""The number of inputs of each target: of those that take long there are fewer. The longest come first."""
_SLOW = SECONDS / 2
"""Seconds from which an input is met once more without Atheris, which doubles what it takes or more."""
_ROUND = 8000
"""Inputs that one process meets: what Atheris keeps of them grows."""
_REACHED = re.compile(rb"^#[0-9]+\s+([A-Z]+)\s+cov: ([0-9]+)", re.MULTILINE)


class Inputs(NamedTuple):
    """A number of inputs of a target."""

    target: str
    number: int
    seed: int


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


def find_faults(inputs: Inputs, seen: Counter[str]) -> Iterator[str]:
    """Yield one input of each kind of fault, keep it and the slowest one, and count inputs and branches."""
    name, found = targets()[inputs.target].name, meet(*inputs)
    seen["inputs"] += len(found.outcomes)
    seen["faults"] += len(found.faults)
    seen[f"{name}: answered"] += sum(came.kind == "read" for came in found.outcomes)
    seen[f"{name}: refused"] += sum(came.kind != "read" and not came.crash for came in found.outcomes)
    seen[f"{name}: branches that sound ones reach"] += found.reached[0]
    seen[f"{name}: branches that all reach"] += found.reached[1]
    seen["slow"] += sum(came.seconds >= _SLOW for came in found.outcomes)
    folder = KEPT / "fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    if found.slowest:
        (folder / f"{inputs.target}-{inputs.seed}-slowest").write_bytes(found.slowest)
    kinds: dict[str, tuple[int, bytes, str]] = {}
    for number, (data, crash) in enumerate(found.faults):
        kinds.setdefault(crash.rstrip().rpartition("\n")[2][:60], (number, data, crash))
    for kind, (number, data, crash) in kinds.items():
        file = folder / f"{inputs.target}-{inputs.seed}-{number}"
        file.write_bytes(data)
        yield f"{inputs.target}: {kind}\nkept as {file.name}\n{crash[-2000:]}"


def make(number: int, seed: int) -> Inputs:
    """Return the inputs of a target, one target after the other."""
    target = [*COUNTS][number % len(COUNTS)]
    return Inputs(target, COUNTS[target], seed + number // len(COUNTS))


ROW = Row(
    "Inputs guided by coverage",
    f"{{inputs:,}} inputs of {len(COUNTS)} kinds, no two of a kind alike",
    "{faults} at fault",
    least=len(COUNTS),
)
SEARCH = Search("fuzz", make, find_faults, len(COUNTS), row=ROW, chunk=1)
