"""Every command with calls that fail by which it reads, writes or allocates, one in each run, once and for good (which: points.py).

Each time it says so in a line or two and ends with the fitting exit code, nothing is lost and nothing half written, and the next run
works and gives what a run without failures gives. `make failures` does this for all commands and writes docs/maintaining/failures.md.
"""

from __future__ import annotations

import argparse
import errno
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import msgspec

from .interposer import KINDS, Call, Fault, Nursery, Run, build_interposer
from .judging import ENDED, LEFT_OUT, TOLD, UNNOTICED, Failure, judge
from .points import FOR_GOOD, IN_FULL, MOST_IN_FULL, MOST_SHARED, OF_MORE, SAMPLES, Share, points_of, share_out
from .trying import COMMANDS, Seen, Trial, faults

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs/maintaining/failures.md"
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


def page(tallies: Iterable[Tally]) -> str:
    """The page on a run."""
    rows: dict[str, dict[str, Tally]] = {name: {} for name in COMMANDS}
    for tally in tallies:
        rows[tally.name][tally.kind] = tally
    everything = [tally for by_kind in rows.values() for tally in by_kind.values()]
    total = Counter[str]()
    for tally in everything:
        total.update(tally.counts)
    at_fault = sum(len(tally.faults) for tally in everything)
    lines = [f"| {name} | {' | '.join(_cell(by_kind.get(kind)) for kind in KINDS)} |" for name, by_kind in rows.items()]
    totals = [sum(tried(by_kind[kind]) for by_kind in rows.values() if kind in by_kind) for kind in KINDS]
    lines.append(f"| all commands | {' | '.join(map(str, totals))} |")
    return f"""# A run with calls that fail

`make failures` writes this. Each command runs again and again. In each run another call fails, by which it reads, writes or allocates:
it alone, or with all calls of that kind after it. A library between the program and the C library counts the calls and
lets them fail (`tests/hostile/interposer.c`), those of Python and of the C libraries behind it alike, from the entry of the command on.

| Kind | Calls | They fail with |
| --- | --- | --- |
| reads | opening, reading, looking at and listing files and folders, mapping them | EIO, EACCES |
| writes | opening, writing (half of the data is there), fsync, renaming, linking, removing, making folders, permissions, locks, closing | ENOSPC, EIO, EACCES |
| input, output | standard input and output | EIO; ENOSPC, EPIPE, EIO |
| imports | the files of modules that a command loads only when it needs them | EIO, EACCES |
| objects | what Python allocates. Once one has failed for good, those above 512 bytes fail too: below that Python takes from what it has | MemoryError |
| blocks | what Python and the libraries take from the C library | NULL |

Which of them fail, in each command:

| Kind | Alone | With all after it |
| --- | --- | --- |
| writes, input, output | every one; if a command has more than {MOST_IN_FULL} of a kind, one by chance out of each of {OF_MORE} equal parts | the same |
| reads of the user's files | of each call at each file the first and the last | the first at a file, out of each of {FOR_GOOD["reads"]} equal parts of the run |
| reads of the program's files | each call at each file, its first or its last by chance, in one of the commands that make it | counted with those above |
| imports | of each module one of the calls by which it is sought and loaded, in one of the commands that load it | the first at a module, out of each of {FOR_GOOD["imports"]} equal parts of the run |
| objects | one by chance out of each of {SAMPLES["objects"]} equal parts of the run | the same |
| blocks | one by chance out of each of {SAMPLES["blocks"]} equal parts of the run | the same |

The program's files are those of Python and of its packages, of the games, and of the new game that `module-builder new` makes. Many commands
read them in the same way, so that what one of them does when such a call fails stands for the others. They are shared out by chance,
the same each time: all commands together are tried with each call at each of them. If more than {MOST_SHARED} fall to one command, one out of each of
{MOST_SHARED} equal parts is tried: so of `page`, which copies the whole program, of `mcp` and of some others.

After each of them:

- the program said in a line or two what failed, without a traceback, and ended with the fitting exit code; or all was as without the failure;
- each file was as before, or as a run without failures leaves it: the same bytes, or where zlib-ng could not be loaded, without which zlib
  compresses, the same pixels, pages and texts; a session had kept all lines but one, or all before the first, of which it said that they failed;
- nothing was left on the way, unless removing it failed too, and then the next run removed it;
- the next run worked, and gave what one without failures gives. It was left out where every file, hidden ones too, was as before the
  command, or as after one without failures: from there it is known to work.

Failures: {sum(total.values()) + at_fault}. Said: {total[TOLD]}; without effect: {total[UNNOTICED]}; at fault: {at_fault}. In {total[ENDED]} of those of memory Python or a library
ended the process or called it another error; the files were whole then too. In {total[LEFT_OUT]} PDFium, which draws pictures in
pixels, left a letter or a shape out: it does not say that it lacks the memory for one, so the program cannot know.

{_run_on(everything)} The table shows how many failures were tried, and in brackets how many calls of that kind the command makes.
A dash stands where it makes none, "not run" where none of them was tried. Calls at copies of standard input and output, by which `mcp`
reads and writes, are not counted, nor those of processes that a command begins.

| Command | {" | ".join(KINDS)} |
| --- |{" ---: |" * len(KINDS)}
{chr(10).join(lines)}
"""


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
    """Try all commands, or those that are named, and write the page. What is done already is not tried again after an interruption."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="commands of the table in commands.py; all by default")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--most", type=int, default=IN_FULL, help="points to try of each kind")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--resume", action="store_true", help="leave out what build/failures holds without a fault")
    parser.add_argument("--page", action="store_true", help="only write the page on what build/failures holds")
    options = parser.parse_args()
    if options.page:
        PAGE.write_text(page(kept()), "utf-8")
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
        PAGE.write_text(page(tallies), "utf-8")
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
