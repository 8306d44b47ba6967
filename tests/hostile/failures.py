"""Every command with calls that fail by which it reads, writes or allocates, one in each run, once and for good (which: points.py).

Each time it says so in a line or two and ends with the fitting exit code, nothing is lost and nothing half written, and the next run
works and gives what a run without failures gives. `make explore WHAT=failures` does this for all commands; its figures go into docs/maintaining/runs.md.
"""

from __future__ import annotations

import argparse
import errno
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import msgspec

from ..runs import keep_tables, record
from .interposer import KINDS, Call, Fault, Nursery, Run, build_interposer
from .judging import ENDED, LEFT_OUT, TOLD, UNNOTICED, Failure, judge
from .points import IN_FULL, Share, points_of, share_out
from .trying import COMMANDS, Seen, Trial, faults

HERE = Path(__file__).parent
RUN = "Calls that fail"
FOUND = HERE.parents[1] / "build/failures"
PROGRAM = ("assistant", "module_builder", "plugins", "images", "tests/hostile")
"""What a run is of."""
SURVEYS = FOUND / "surveys"
"""Which calls each command makes."""
Result = TypeVar("Result")
IN_MEMORY = "/dev/shm"
"""Where no run waits for a disk."""


class Tally(msgspec.Struct):
    """Of a command and a kind of calls: how many there are, how many points of `points_of`, and what became of the failures there. code:
    the commit on which it was run, "" for files that are in none.
    """

    name: str
    kind: str
    calls: int
    points: int = 0
    code: str = ""
    counts: dict[str, int] = {}
    faults: list[str] = []


@contextmanager
def trial_of(name: str) -> Iterator[Trial]:
    """A command that has run without failures, in a place that goes with it."""
    library = build_interposer()
    assert library is not None
    with (
        tempfile.TemporaryDirectory(dir=IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None) as place,
        Nursery(library, cold=True) as cold,
        Nursery(library) as warm,
    ):
        yield Trial(name, Path(place).resolve(), cold, warm)


class Survey(msgspec.Struct):
    """Of a command without failures, the calls by which it reads and imports. objects: how often Python allocates, which says how long it
    takes.
    """

    calls: list[Call]
    objects: int


def survey(name: str) -> Survey:
    """Run a command without failures."""
    with trial_of(name) as trial:
        return Survey(trial.calls, trial.counts["objects"])


def try_command(
    name: str, most: Mapping[str, int], kinds: Iterable[str] = KINDS, share: Share | None = None
) -> Iterator[Tally]:
    """Try a command with its calls failing. most: the most points of each kind, all of those not in it; share: which calls at the
    program's own files, all if it is None.
    """
    with trial_of(name) as trial:
        for kind in kinds:
            counts, found = Counter[str](), list[str]()
            count, calls = trial.counts[kind], [call for call in trial.calls if call.kind == kind]
            chosen = points_of(kind, count, calls, share, most.get(kind, IN_FULL))
            for fault in faults(kind, chosen):
                run, seen = trial.run(fault)
                try:
                    counts[judge(trial, fault, run, seen)] += 1
                except Failure as failure:
                    found.append(describe(trial, fault, run, seen, failure))
            yield Tally(name, kind, count, len(chosen.once) + len(chosen.for_good), commit(), dict(counts), found)


def commit() -> str:
    """The last commit that has changed the files of the program, "" if they are changed since."""
    git = ("git", "-C", str(HERE.parents[1]))
    changed = subprocess.run(
        [*git, "status", "--porcelain", "--", *PROGRAM], capture_output=True, text=True, check=True
    ).stdout
    last = subprocess.run(
        [*git, "log", "-1", "--format=%h", "--", *PROGRAM], capture_output=True, text=True, check=True
    ).stdout
    return "" if changed else last.strip()


def keep_tallies(name: str, most: Mapping[str, int], kinds: Iterable[str], share: Share) -> list[Tally]:
    """Try a command, and keep what has become of each kind as soon as that is known."""
    tallies = []
    for tally in try_command(name, most, kinds, share):
        file = FOUND / f"{tally.name} {tally.kind}.json".replace(" ", "_")
        file.write_bytes(msgspec.json.format(msgspec.json.encode(tally)))
        tallies.append(tally)
    return tallies


def describe(trial: Trial, fault: Fault, run: Run, seen: Seen, failure: Failure) -> str:
    """A failure that was not met as it should be, in words."""
    once = "from there on" if fault.for_good else "once"
    said = seen.complained.decode("utf-8", "replace")
    said = said if len(said) < 800 else f"{said[:300]} ... {said[-500:]}"
    return (
        f"{trial.name}: {fault.kind} {fault.at} {once}, {errno.errorcode[fault.error]} at {run.call} "
        f"{run.path.replace(str(trial.folder), 'FOLDER')}: {failure}; exit code {seen.code}\n{said}"
        f"printed: ...{seen.told[-400:].decode('utf-8', 'replace') if seen.told != trial.calm.told else ''}\n"
    )


def report(tallies: Sequence[Tally]) -> str:
    """The table of a run: how many failures were tried, and in brackets how many calls of that kind a command makes."""
    rows: dict[str, dict[str, Tally]] = {name: {} for name in COMMANDS}
    for tally in tallies:
        rows[tally.name][tally.kind] = tally
    lines = [f"| {name} | {' | '.join(_cell(by_kind.get(kind)) for kind in KINDS)} |" for name, by_kind in rows.items()]
    totals = [sum(tried(by_kind[kind]) for by_kind in rows.values() if kind in by_kind) for kind in KINDS]
    lines.append(f"| all commands | {' | '.join(map(str, totals))} |")
    return f"""{_run_on(tallies)} A dash stands where a command makes no such call, "not run" where none of them was tried.

| Command | {" | ".join(KINDS)} |
| --- |{" ---: |" * len(KINDS)}
{chr(10).join(lines)}
"""


def keep(tallies: Sequence[Tally]) -> None:
    """Record the figures of a run, and keep its table."""
    total = Counter[str]()
    for tally in tallies:
        total.update(tally.counts)
    keep_tables("failures", report(tallies))
    found = (
        f"{sum(len(tally.faults) for tally in tallies)} at fault; {total[TOLD]:,} reported, {total[UNNOTICED]:,} without effect, "
        f"{total[ENDED]} ended the process, {total[LEFT_OUT]} left a shape out"
    )
    record(
        RUN,
        f"{sum(map(tried, tallies)):,} failures in {len({tally.name for tally in tallies})} commands",
        found,
        "make explore WHAT=failures",
    )


def _cell(tally: Tally | None) -> str:
    """How many failures were tried of how many calls."""
    if tally is None:
        return "not run"
    return f"{tried(tally)} ({tally.calls})" if tally.calls else "-"


def tried(tally: Tally) -> int:
    """How many failures were tried."""
    return sum(tally.counts.values()) + len(tally.faults)


def _run_on(tallies: Iterable[Tally]) -> str:
    """Of which code the run was."""
    codes = sorted({tally.code or "files that were not committed" for tally in tallies})
    return f"It was run on: {', '.join(codes)}." if codes else "Nothing was run."


def kept() -> list[Tally]:
    """The tallies of earlier runs, as far as these are kept in `build/failures`."""
    return [
        msgspec.json.decode(file.read_bytes(), type=Tally) for file in sorted(FOUND.glob("*.json")) if file.is_file()
    ]


def main() -> None:
    """Try all commands, or those that are named, and record the figures. What is done already is not tried again after an interruption."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="commands of the table in commands.py; all by default")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--most", type=int, default=IN_FULL, help="points to try of each kind")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--resume", action="store_true", help="leave out what build/failures holds without a fault")
    parser.add_argument("--page", action="store_true", help="only record what build/failures holds")
    options = parser.parse_args()
    if options.page:
        keep(kept())
        return
    FOUND.mkdir(parents=True, exist_ok=True)
    if not options.resume:
        for file in FOUND.iterdir():
            file.unlink()
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        surveys = surveys_of(pool)
        shares = share_out({name: survey.calls for name, survey in surveys.items()})
        done = {(tally.name, tally.kind) for tally in kept() if not tally.faults}
        names = sorted(options.names or COMMANDS, key=lambda name: -surveys[name].objects)
        tasks = {
            pool.submit(keep_tallies, name, dict.fromkeys(KINDS, options.most), kinds, shares[name]): name
            for name in names
            if (kinds := [kind for kind in options.kinds.split(",") if (name, kind) not in done])
        }
        for tallies in results_of(tasks):
            for tally in tallies:
                print(tally.name, tally.kind, tally.calls, tally.counts, f"{len(tally.faults)} at fault", flush=True)
    tallies = kept()
    if not options.names:
        keep(tallies)
    sys.exit(1 if any(tally.faults for tally in tallies) else 0)


def surveys_of(pool: ProcessPoolExecutor) -> dict[str, Survey]:
    """The survey of each command. They are kept for a run that goes on."""
    if SURVEYS.exists():
        return msgspec.json.decode(SURVEYS.read_bytes(), type=dict[str, Survey])
    tasks = {pool.submit(survey, name): name for name in COMMANDS}
    done = {tasks[task]: task.result() for task in as_completed(tasks)}
    surveys = {name: done[name] for name in COMMANDS}
    SURVEYS.write_bytes(msgspec.json.encode(surveys))
    return surveys


def results_of(tasks: Mapping[Future[Result], str]) -> Iterator[Result]:
    """What comes of tasks as they end. The error of one is printed with its name, and ends no other."""
    for task in as_completed(tasks):
        if error := task.exception():
            print(tasks[task], repr(error), flush=True)
        else:
            yield task.result()


if __name__ == "__main__":
    main()
