"""Many spoiled inputs, met as the command line meets them: `python -m tests.hostile.run [COUNT] [SEED] [FIRST]`.

Each is met in a process that may hold 300 MiB more than it began with and take 2 s of processor time an input. What came
of them is printed and, for the usual count and seed, recorded in docs/maintaining/runs.md; inputs that crash the program are kept in
build/hostile.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..runs import keep_tables, record
from .inputs.cases import LINE, Case, case, warm
from .meeting import Desk
from .reading import MEMORY, SECONDS, Outcome, environment, limit_memory

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build/hostile"
RUN = "Spoiled input"
CHUNK = 250
COUNT, SEED = 100_000, 4
Met = tuple[int, str, str, Outcome]
"""An input: its number, its kind, the command or the file that it is about, what came of it."""


def meet_all(numbers: range, seed: int) -> Iterator[Met]:
    """Make and meet some inputs, in this process, whose memory is limited from then on."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as name:
        desk = Desk(Path(name))
        for number in range(-20, 0):  # what any input takes is loaded before memory is measured
            desk.meet(case(number, seed))
        limit_memory()
        for number in numbers:
            if number % 8 == 0:
                gc.collect()  # games of earlier inputs, with their boards
            made = case(number, seed)
            came = desk.meet(made)
            if came.crash:
                _keep(number, made, came, desk.typed)
            yield number, made.kind, " ".join(desk.typed[-1:] if made.program == LINE else made.words), came
            if {path.name for path in Path(name).iterdir()} > {"case", "table"}:
                raise AssertionError(f"input {number} has had a file written beside its folder")
        os.chdir(before)


def _keep(number: int, made: Case, came: Outcome, typed: list[str]) -> None:
    """Keep an input that crashed the program, and what came of it."""
    folder = KEPT / str(number)
    files = {
        **made.files,
        "crash.txt": came.crash.encode("utf-8", "replace"),
        "words.txt": " ".join(made.words).encode(),
    }
    files |= {"typed.txt": "\n".join(typed).encode("utf-8", "replace") if made.program == LINE else made.typed}
    for name, data in files.items():
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_bytes(data)


def in_a_process(numbers: range, seed: int) -> list[Met]:
    """Meet some inputs in a process of their own, which has all that this one has loaded."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reading)
        try:
            with open(writing, "wb") as pipe:
                for met in meet_all(numbers, seed):
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
    if len(found) < len(numbers):
        lost = numbers[len(found)]
        ended = Outcome("", 0, 0, "the process ended without a word")
        return [*found, (lost, "", "", ended), *in_a_process(numbers[len(found) + 1 :], seed)]
    return found


def report(inputs: list[Met]) -> str:
    """The run in words; the same on any machine but for what its memory and speed are measured at."""
    kinds = Counter(came.kind for _, kind, _, came in inputs if not came.crash)
    of = Counter(kind for _, kind, _, _ in inputs)
    crashes = sum(bool(came.crash) for *_, came in inputs)
    slowest = max(came.seconds for *_, came in inputs)
    memory = max(came.memory for *_, came in inputs)
    others = sum(kinds.values()) - kinds["read"]
    lines = [
        f"- Inputs: {len(inputs)}: " + ", ".join(f"{number} {kind}" for kind, number in sorted(of.items())),
        f"- Answered: {kinds['read']}",
        f"- Refused with a message of one or two lines: {others}",
        f"- Crashed, hung, out of memory, or answered with an untidy message: {crashes}",
        f"- Longest time: {_below(slowest, (0.1, 0.25, 0.5, 1, SECONDS))} s",
        f"- Most memory: {_below(memory / 2**20, (8, 16, 32, 64, 128, MEMORY // 2**20))} MiB",
        "",
        "| Message, with names and numbers left out | Inputs |",
        "| --- | ---: |",
        *(f"| {kind.replace('|', chr(92) + '|')} | {number} |" for kind, number in _often(kinds)),
        "",
    ]
    return "\n".join(lines)


def _often(kinds: Counter[str]) -> list[tuple[str, int]]:
    """The forty messages that come most often, and how often all others do."""
    told = sorted(
        ((kind, number) for kind, number in kinds.items() if kind != "read"), key=lambda one: (-one[1], one[0])
    )
    rest = sum(number for _, number in told[40:])
    return [*told[:40], *([(f"{len(told[40:])} others", rest)] if rest else [])]


def _below(measured: float, steps: tuple[float, ...]) -> str:
    return next((f"less than {step:g}" for step in steps if measured < step), f"more than {steps[-1]:g}")


def main(count: int = COUNT, seed: int = SEED, first: int = 0) -> int:
    """Run, print, write; 1 if an input crashed the program."""
    chunks = [range(at, min(at + CHUNK, first + count)) for at in range(first, first + count, CHUNK)]
    inputs: list[Met] = []
    with tempfile.TemporaryDirectory() as name:
        environment(Path(name))
        warm()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for part in pool.map(in_a_process, chunks, [seed] * len(chunks)):
                for number, kind, about, came in part:
                    if came.crash:
                        print(f"--- {number} {kind} {about!r}\n{came.crash}", flush=True)
                inputs += part
    slow = sorted(((came.seconds, number, kind, about) for number, kind, about, came in inputs), reverse=True)
    large = sorted(((came.memory, number, kind, about) for number, kind, about, came in inputs), reverse=True)
    print(
        "slowest:",
        *(f"{seconds:.2f} s {number} {kind} {about[:100]!r}" for seconds, number, kind, about in slow[:5]),
        sep="\n  ",
    )
    print(
        "largest:",
        *(f"{size / 2**20:.0f} MiB {number} {kind} {about[:100]!r}" for size, number, kind, about in large[:5]),
        sep="\n  ",
    )
    spent = Counter[str]()
    for _, kind, _, came in inputs:
        spent[kind] += came.seconds
    print("seconds:", *(f"{seconds:.1f} {kind}" for kind, seconds in spent.most_common()), sep="\n  ")
    text = report(inputs)
    print(text)
    keep_tables("hostile", text)
    if (count, seed, first) == (COUNT, SEED, 0):
        answered = sum(came.kind == "read" and not came.crash for *_, came in inputs)
        crashed = sum(bool(came.crash) for *_, came in inputs)
        tried = f"{len(inputs):,} inputs: {answered:,} answered, the others refused"
        record(RUN, tried, f"{crashed} at fault", f"make explore WHAT=hostile COUNT={count} SEED={seed}")
    return int(any(came.crash for *_, came in inputs))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
