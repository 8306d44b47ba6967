"""One question about many positions in several processes, beside a bare loop over the library: `python -m benchmarks.many FOLDER JOBS`.

What two processes gain is a matter of the clock on the wall, so these rows alone are measured by it: ours and the loop in turn, in one run.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import msgspec

import assistant
from assistant.state.changes import Change
from benchmarks.measuring import ROOT, Bench, Goal, Row, Table, module, peak

EXAMPLE = ROOT / "plugins/twilight_in_the_east/examples/comprehensive-example.vsav"
UNITS = "25/3", "27/3", "29/20", "1/1"
PARAMETERS = {"at": "41.19", "attacker-ap": "3,20", "defender-ap": "1"}
MIB = 2**20


def table(bench: Bench) -> Table:
    """How much faster two processes are than one, for saves and for positions, and the memory of a process."""
    count = bench.sizes.positions
    with TemporaryDirectory() as name:
        rows = [
            _gain(bench, what, make_files(Path(name, ending), count, f".{ending}"))
            for what, ending in (("saves", "vsav"), ("positions in notation", "pos"))
        ]
        saves = sorted(Path(name, "vsav").iterdir())
        rows += [
            Row(
                f"memory of the largest process, {times * count:,} saves",
                peak(_ours(saves * times, 2)) / MIB,
                unit="MiB",
            )
            for times in (1, 3)
        ]
    about = (
        "A battle with all its chances. A row of time shows what two processes take for each second that one takes, "
        "in elapsed time, for `assistant ask --jobs 2` and for a loop of `multiprocessing` over `read`, `ask` and "
        "`to_json`, measured in turn."
    )
    return Table("Many positions", about, rows)


def make_files(folder: Path, count: int, ending: str) -> Path:
    """A folder with so many files: the example with its units after all kinds of losses."""
    folder.mkdir()
    position = assistant.read(EXAMPLE)
    dug_in = assistant.ask(position, "dig-in", unit="25/3", points=7)
    for number, losses in enumerate(product((1, 2, None), repeat=len(UNITS))):
        if number == count:
            break
        before = (position.state.value("lost", unit) for unit in UNITS)
        lost = (Change("lost", *each, "11.1") for each in zip(UNITS, before, losses, strict=True) if each[1] != each[2])
        report = msgspec.structs.replace(dug_in, changes=(*lost, *dug_in.changes))
        file = folder / f"{number:05}{ending}"
        if ending == ".pos":
            assistant.write(position.after(report.changes), file)
        else:
            assistant.carry_out(position, report, EXAMPLE, file)
    made = sorted(folder.iterdir())
    for number in range(len(made), count):
        shutil.copy(made[number % len(made)], folder / f"{number:05}{ending}")
    return folder


def _gain(bench: Bench, what: str, folder: Path) -> Row:
    """What two processes take for each second of one, ours and the bare loop's."""
    count = len(list(folder.iterdir()))
    commands = [command for jobs in (1, 2) for command in (_ours([folder], jobs), _bare(folder, jobs))]
    times = [*zip(*([_elapsed(command) for command in commands] for _ in range(bench.sizes.rounds)), strict=True)]
    ours, bare, ours_of_two, bare_of_two = map(statistics.median, times)
    shown = f"{count:,} {what} over 2 processes ({ours_of_two:.3g} s; one takes {ours:.3g} s)"
    peer = f"a bare loop ({bare_of_two:.3g} s; one takes {bare:.3g} s)"
    return Row(shown, ours_of_two / ours, peer, bare_of_two / bare, Goal(times=0.9))


def _ours(files: Sequence[Path], jobs: int) -> list[str | Path]:
    parameters = [word for name, value in PARAMETERS.items() for word in (f"--{name}", value)]
    return module("assistant", "ask", "battle", *files, *parameters, "--reconstruction", "--jobs", str(jobs))


def _bare(folder: Path, jobs: int) -> list[str | Path]:
    return [sys.executable, "-m", "benchmarks.many", folder, str(jobs)]


def _elapsed(command: Sequence[str | Path]) -> float:
    """The seconds that a process takes by the clock on the wall. Raises CalledProcessError if it fails."""
    begun = perf_counter()
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return perf_counter() - begun


def answer(file: str) -> str:
    """What the bare loop does with a file."""
    position = assistant.parse("trust charts", assistant.read(file))
    return assistant.to_json(assistant.ask(position, "battle", **PARAMETERS))


def _answers(folder: Path, jobs: int) -> Iterator[str]:
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(answer, sorted(map(str, folder.iterdir())))


if __name__ == "__main__":
    for line in _answers(Path(sys.argv[1]), int(sys.argv[2])):
        print(line)
