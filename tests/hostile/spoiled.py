"""Many spoiled inputs, met as the command line meets them.

A case is a batch of inputs. Each batch is met in a process that may hold 300 MiB more than it began with and take 2 s of
processor time an input. The process may end: then the input that it was about is at fault, and another meets the others.
Inputs at fault are kept in `build/hostile`, a folder each.
"""

from __future__ import annotations

import gc
import os
import pickle
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ..comparing.search import KEPT, Row, Search
from .inputs.cases import LINE, Case, case, warm
from .meeting import Desk
from .reading import Outcome, environment, limit_memory

BATCH = 250
"""The number of inputs of a batch."""
SLOW_SECONDS, LARGE_BYTES = 1.0, 128 * 2**20
"""The time and memory from which inputs are counted apart."""


class Batch(NamedTuple):
    """Inputs by their numbers."""

    numbers: range
    seed: int

    def halves(self) -> Iterator[Batch]:
        """Yield each half of a batch of more than one input."""
        middle = len(self.numbers) // 2
        if middle:
            yield self._replace(numbers=self.numbers[:middle])
            yield self._replace(numbers=self.numbers[middle:])


class Met(NamedTuple):
    """An input and what came of it. `about`: the command, or the file or line that the input is."""

    number: int
    kind: str
    about: str
    came: Outcome


def meet_all(batch: Batch) -> Iterator[Met]:
    """Make and meet some inputs in this process, whose memory is limited from then on."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as name:
        environment(Path(name) / "data")
        desk = Desk(Path(name))
        for number in range(-20, 0):  # what any input takes is loaded before memory is measured
            desk.meet(case(number, batch.seed))
        limit_memory()
        for number in batch.numbers:
            if number % 8 == 0:
                gc.collect()  # games of earlier inputs, with their boards
            made = case(number, batch.seed)
            came = desk.meet(made)
            if came.crash:
                _keep(f"{batch.seed}-{number}", made, came, desk.typed)
            yield Met(number, made.kind, " ".join(desk.typed[-1:] if made.program == LINE else made.words), came)
            if {path.name for path in Path(name).iterdir()} > {"case", "table", "data"}:
                raise AssertionError(f"input {number} has had a file written beside its folder")
        os.chdir(before)


def _keep(name: str, made: Case, came: Outcome, typed: list[str]) -> None:
    """Keep an input that crashed the program, and what came of it."""
    folder = KEPT / "hostile" / name
    files = {
        **made.files,
        "crash.txt": came.crash.encode("utf-8", "replace"),
        "words.txt": " ".join(made.words).encode(),
    }
    files |= {"typed.txt": "\n".join(typed).encode("utf-8", "replace") if made.program == LINE else made.typed}
    for file, data in files.items():
        folder.joinpath(file).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(file).write_bytes(data)


@cache
def load() -> None:
    """Load what any input needs, so that each batch begins with it."""
    with tempfile.TemporaryDirectory() as name:
        environment(Path(name))
        warm()


def meet_apart(batch: Batch) -> list[Met]:
    """Meet some inputs in a process of their own, which has all that this one has loaded."""
    load()
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reading)
        try:
            with open(writing, "wb") as pipe:
                for met in meet_all(batch):
                    pickle.dump(met, pipe)
                    pipe.flush()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    found: list[Met] = []
    with open(reading, "rb") as pipe:
        try:
            while True:
                found.append(pickle.load(pipe))
        except EOFError:
            pass
    os.waitpid(child, 0)
    if len(found) == len(batch.numbers):
        return found
    ended = Outcome("", 0, 0, "the process ended without a word")
    rest = batch._replace(numbers=batch.numbers[len(found) + 1 :])
    return [*found, Met(batch.numbers[len(found)], "", "", ended), *(meet_apart(rest) if rest.numbers else ())]


def find_faults(batch: Batch, seen: Counter[str]) -> Iterator[str]:
    """Yield the inputs that are neither answered nor refused in two lines, and count the messages of the others."""
    for number, kind, about, came in meet_apart(batch):
        seen.update(("inputs", f"input: {kind}"))
        seen["slow"] += came.seconds >= SLOW_SECONDS
        seen["large"] += came.memory >= LARGE_BYTES
        if came.crash:
            yield f"{came.crash.rstrip().rpartition(chr(10))[2]}\ninput {number}, {kind}: {about[:200]!r}\n{came.crash}"
        else:
            seen["answered" if came.kind == "read" else f"refused: {came.kind.replace('|', '/')}"] += 1


ROW = Row(
    "Spoiled input",
    "{inputs:,} inputs: {answered:,} answered, the others refused",
    "{faults} at fault",
    least=400,
)
SEARCH = Search(
    "hostile",
    lambda number, seed: Batch(range(number * BATCH, (number + 1) * BATCH), seed),
    find_faults,
    400,
    4,
    smaller=Batch.halves,
    row=ROW,
    chunk=1,
)
