"""Every command with calls that fail: the n-th by which it reads, writes or allocates, for every n, once and for good.

Each time it says so in a line or two and ends with the fitting exit code, nothing is lost and nothing half written, and the next run
works and gives what a run without failures gives. `make failures` does this for all commands and writes docs/maintaining/failures.md.
"""

from __future__ import annotations

import argparse
import errno
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cached_property
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import msgspec

from assistant.util.errors import NO_MEMORY

from .commands import READING, WRITING, Command, Tree, left, prepared, tree
from .interposer import KINDS, MEMORY, Call, Fault, Nursery, Run, build_interposer, calls_of, loaded_by

COMMANDS: dict[str, Command] = WRITING | READING
UNUSABLE, ABORTED, SEGMENT = 3, -6, -11
ERRORS = {
    "reads": (errno.EIO, errno.EACCES),
    "writes": (errno.ENOSPC, errno.EIO, errno.EACCES),
    "input": (errno.EIO,),
    "output": (errno.ENOSPC, errno.EPIPE, errno.EIO),
    "imports": (errno.EIO, errno.EACCES),
    "objects": (errno.ENOMEM,),
    "blocks": (errno.ENOMEM,),
}
SEED = 1914


class Seen(msgspec.Struct, frozen=True):
    """What a run leaves for its user: its exit code, what it has printed, and the files."""

    code: int
    told: bytes
    complained: bytes
    tree: Tree
    stays: list[str]


class Failure(Exception):
    """A run that did not do what it should have done."""


class Trial:
    """A command in a folder of its own, tried again and again with other calls that fail.

    template: the folder as it is before the command; calm: what a run without failures leaves; counts: its calls by kind.
    """

    def __init__(self, name: str, place: Path, cold: Nursery, warm: Nursery) -> None:
        self.name, self.command, self.place = name, COMMANDS[name], place
        self.cold, self.warm = cold, warm
        self.template, self.folder = place / "template", place / "here"
        prepared(self.command, self.template)
        for words in self.command.first:
            run = cold.run(words, self.template, "")
            assert run.code == 0, (words, run, Path(f"{self.template}.complained").read_text("utf-8"))
        self.before = tree(self.template)
        self.counts = dict.fromkeys(KINDS, 0)
        self.snapshot = snapshot(self.template)
        self.again = self.command.again or self.command.words
        calm, after = self._calm(cold)
        self.counts["imports"] = calm.counts["imports"]
        self.calls = [call for call in calls_of(self.folder) if call.kind == "imports"]
        warm.load(loaded_by(self.folder))
        calm, after = self._calm(warm)
        self.counts |= {kind: count for kind, count in calm.counts.items() if kind != "imports"}
        self.calls += [call for call in calls_of(self.folder) if call.kind == "reads"]
        self.calm = after
        warm.run(self.again, self.folder, self.command.typed, None, self.command.drive)
        self.twice = self.see(calm)

    @cached_property
    def broken_off(self) -> list[Tree]:
        """What a session without failures leaves if one of its lines is left out, or all from a line on."""
        folder = self.place / "broken-off"
        trees = []
        for command in self.command.broken_off():
            shutil.copytree(self.template, folder)
            self.warm.run(command.words, folder, command.typed, None, command.drive)
            trees.append(of_user(folder))
            shutil.rmtree(folder)
        return trees

    def _calm(self, nursery: Nursery) -> tuple[Run, Seen]:
        self._lay()
        run = nursery.run(self.command.words, self.folder, self.command.typed, None, self.command.drive)
        return run, self.see(run)

    def _lay(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.template, self.folder)

    def see(self, run: Run) -> Seen:
        shown = "answered" if self.command.drive else "told"
        told, complained = (Path(f"{self.folder}.{name}").read_bytes() for name in (shown, "complained"))
        return Seen(run.code, told, complained, of_user(self.folder), left(self.folder))

    def run(self, fault: Fault) -> tuple[Run, Seen]:
        """Run the command with a fault."""
        self._lay()
        nursery = self.cold if fault.kind == "imports" else self.warm
        run = nursery.run(self.command.words, self.folder, self.command.typed, fault, self.command.drive)
        return run, self.see(run)


_OF_A_RUN = (".lock", ".sessions.json", ".heard.json", ".said")
"""Endings of files that differ from run to run: locks, who has come to a served table, and what its sides have been told, which is made
up for with the next line. They are whole at any time all the same.
"""
_REMNANT = ".journal.remnant-"
"""In the name of a file to which half a line of a journal is put aside."""


def of_user(folder: Path) -> Tree:
    """The files in a folder but for what the program may keep or not, such as boards read before."""
    files = tree(folder).items()
    return {name: data for name, data in files if not (name.startswith("data/cache/") or name.endswith(_OF_A_RUN))}


# --- which calls fail -------------------------------------------------------------------------------------------------


class Points(msgspec.Struct, frozen=True):
    """The numbers of the calls of a kind that fail: once, and with all after them."""

    once: list[int]
    for_good: list[int]


IN_FULL = 1_000_000
SAMPLES = {"objects": 100, "blocks": 50}
"""How many of the calls for memory fail, one out of each of as many equal parts of a run."""
IMPORTS_FOR_GOOD = 20
"""How many of the imports fail with all after them."""
_MADE_UP = re.compile(r"\.field-staff-[0-9a-f]+")
"""Names that differ from run to run."""


def points_of(kind: str, count: int, calls: Iterable[Call], most: int = IN_FULL) -> Points:
    """Which of the calls of a kind fail. count: how many there are; calls: those of reads and imports; most: at most so many.

    Of reads the first, the second and the last of each call at each file, and with all after it the first at each file; of imports
    one at each file, by turns its first, its second and so on, so that each sort of call has its turn, and with all after it one out of
    each of `IMPORTS_FOR_GOOD` parts of these; of memory one out of each of as many parts as `SAMPLES` says; all of the others.
    """
    if kind == "reads":
        by_call, by_file = group(calls, lambda call: (call.name, call.path)), group(calls, lambda call: call.path)
        once = sorted({number for numbers in by_call for number in (*numbers[:2], numbers[-1])})
        return Points(sampled(once, most), sampled(sorted(numbers[0] for numbers in by_file), most))
    if kind == "imports":
        by_file = group(calls, lambda call: call.path)
        once = sorted(numbers[at % len(numbers)] for at, numbers in enumerate(by_file))
        return Points(sampled(once, most), sampled(once, min(most, IMPORTS_FOR_GOOD)))
    numbers = sampled(range(1, count + 1), min(most, SAMPLES.get(kind, IN_FULL)))
    return Points(numbers, numbers)


def group(calls: Iterable[Call], key: Callable[[Call], object]) -> list[list[int]]:
    """The numbers of calls that have something in common, in the order of the first of each."""
    groups: dict[object, list[int]] = {}
    for call in calls:
        groups.setdefault(key(call._replace(path=_MADE_UP.sub("", call.path))), []).append(call.number)
    return list(groups.values())


def sampled(numbers: Sequence[int], most: int) -> list[int]:
    """All of some numbers if there are no more than `most`, else one by chance out of each of as many parts."""
    if len(numbers) <= most:
        return list(numbers)
    chance = random.Random(f"{SEED} {len(numbers)} {most}")
    bounds = [part * len(numbers) // most for part in range(most + 1)]
    return [numbers[chance.randrange(low, high)] for low, high in pairwise(bounds)]


def faults(kind: str, points: Points) -> Iterator[Fault]:
    """A fault at each point, by turns with another of the errors of its kind."""
    errors = ERRORS[kind]
    for number in points.once:
        yield Fault(kind, number, False, errors[number % len(errors)])
    for number in points.for_good:
        yield Fault(kind, number, True, errors[(number + 1) % len(errors)])


# --- what each run is judged by ---------------------------------------------------------------------------------------

TOLD, UNNOTICED, ENDED = "told", "unnoticed", "ended"
"""What becomes of a failure: it is said; all is as without it; a library, or Python itself, has ended the process for want of memory."""
SESSIONS = ("table", "table --new", "table on a journal", "serve", "pack enter", "pack complete")
"""Commands that go on with the next line after one that fails."""
_CHECKING = ("check", "module-builder check", "check-changed", "pack check", "journal check", "doctor")
"""Commands that end with 1 if something is wrong."""
_UNWORDED = ("Traceback", "Exception ignored", "internal error", "--debug")
_PYTHONS_OWN = re.compile(
    r"(internal error|plugin .* failed): (SystemError|UnicodeError|LookupError: unknown encoding)"
)
"""How Python reports some allocations that fail: as anything but a want of memory."""
_PLUGIN_NOT_LOADED = re.compile(r"plugin .* failed.*: (ModuleNotFoundError|ImportError): ")
_NAMED = re.compile(r"(?!(assistant|module-builder): [^:]*$)")
"""A line that says more than the program's name and what failed."""
_PATH_READ_FOR_PACKAGES = re.compile(r"(/lib/python3[^/]*(/lib-dynload|/site-packages)?|\.zip)$")
"""Folders in which Python looks for packages: one that may not be read holds none, as for Python itself."""


def judge(trial: Trial, fault: Fault, run: Run, seen: Seen) -> str:
    """What has become of a failure. Raises Failure for what should not have."""
    calm, memory = trial.calm, fault.kind in MEMORY
    said = seen.complained.decode("utf-8", "replace")
    if seen.code < 0 and not (memory and seen.code in (ABORTED, SEGMENT)):
        raise Failure(f"ended by signal {-seen.code}")
    check_files(trial, fault, seen)
    may_stay = fault.for_good or memory or run.call in ("unlink", "unlinkat", "rmdir") or seen.code < 0
    if seen.stays and not may_stay:
        raise Failure(f"left: {seen.stays}")
    if snapshot(trial.folder) != trial.snapshot:
        check_next(trial, seen)
    if seen.code < 0:
        return ENDED
    if memory and (_PYTHONS_OWN.search(said) or "in _become\nMemoryError" in said.replace("    ", "")):
        return ENDED
    if (seen.code, seen.told, seen.complained, seen.tree) == (calm.code, calm.told, calm.complained, calm.tree):
        return UNNOTICED
    check_words(trial, fault, run, seen)
    return TOLD


def check_words(trial: Trial, fault: Fault, run: Run, seen: Seen) -> None:
    """Raise Failure unless a failure is said in a line or two, with the exit code that fits."""
    calm = trial.calm
    known = calm.complained.decode("utf-8", "replace").splitlines()
    lines = [line for line in seen.complained.decode("utf-8", "replace").splitlines() if line not in known]
    text = "\n".join([*lines, *(seen.told.decode("utf-8", "replace").splitlines() if seen.told != calm.told else ())])
    if any(word in text for word in _UNWORDED) and not (fault.kind == "imports" and _PLUGIN_NOT_LOADED.search(text)):
        raise Failure("not worded")
    if run.call == "write" and run.path == "standard output" and fault.error == errno.EPIPE:
        if seen.code != 1 or lines:
            raise Failure(f"a closed pipe, exit code {seen.code}")
        return
    if len(lines) > (4 if fault.for_good else 2):
        raise Failure(f"{len(lines)} lines")
    unwrapped = " ".join(text.split())
    names_cause = any(cause in unwrapped for cause in causes(fault))
    is_of_packages = fault.kind == "reads" and _PATH_READ_FOR_PACKAGES.search(run.path)
    if not names_cause and not is_of_packages:
        raise Failure("no cause named")
    if fault.kind in ("reads", "writes") and lines and not _NAMED.match(lines[0]) and not is_of_packages:
        raise Failure("no file named")
    allowed = {UNUSABLE} | ({0} if trial.name in SESSIONS else set()) | ({1} if trial.name in _CHECKING else set())
    if seen.tree == calm.tree:
        allowed.add(calm.code)  # what could not be read was not needed, and that is said
    if seen.code not in allowed:
        raise Failure(f"exit code {seen.code}")


def causes(fault: Fault) -> tuple[str, ...]:
    """The words of which one names the cause of a failure."""
    if fault.kind in MEMORY:
        return (NO_MEMORY, os.strerror(errno.ENOMEM))
    said = (os.strerror(fault.error), os.strerror(errno.EIO))
    return (*said, "could not be loaded", "No module named", "cannot import name") if fault.kind == "imports" else said


def check_files(trial: Trial, fault: Fault, seen: Seen) -> None:
    """Raise Failure if a file is neither as it was nor as a run without failures leaves it, or is not whole."""
    for name, data in tree(trial.folder).items():
        if name.endswith(_OF_A_RUN) and not name.endswith(".lock") and not is_whole(name, data):
            raise Failure(f"half written: {name}")
    for name in {**trial.before, **seen.tree}:
        data = seen.tree.get(name)
        if data in (trial.before.get(name), trial.calm.tree.get(name)):
            continue
        if data is None and trial.before[name] in seen.tree.values():
            continue  # it was moved aside
        if data is None:
            raise Failure(f"lost: {name}")
        before = trial.before.get(name, b"")
        if trial.name in SESSIONS:
            if any(data == broken_off.get(name) for broken_off in trial.broken_off):
                continue
        elif name.endswith(".journal") and data.startswith(before) and is_whole(name, data):
            continue  # entries are only added
        begins = data.startswith(before) if before else trial.calm.tree.get(name, b"").startswith(data)
        if fault.for_good and name.endswith(".journal") and begins:
            continue  # nothing could take half a line back, which the next entry puts aside
        raise Failure(f"half written: {name}")


def is_whole(name: str, data: bytes) -> bool:
    """Whether a file to which a session adds is whole: its last line has an end, or it is JSON."""
    if name.endswith(".json"):
        try:
            msgspec.json.decode(data)
        except msgspec.DecodeError:
            return False
        return True
    return data.isdigit() if name.endswith(".said") else data.endswith(b"\n")


def check_next(trial: Trial, seen: Seen) -> None:
    """Raise Failure unless the next run works, clears up, and gives what a run without failures gives."""
    calm, folder = trial.calm, trial.folder
    done = seen.tree == calm.tree != trial.before
    words = trial.again if done else trial.command.words
    typed = trial.command.typed
    run = trial.warm.run(words, folder, typed, None, trial.command.drive)
    again = trial.see(run)
    if again.code not in (calm.code, trial.twice.code) and not (done and again.code == UNUSABLE):
        raise Failure(f"the next run: exit code {again.code}: {again.complained.decode()}")
    if again.stays and words[:2] != ("assistant", "journal"):  # of which many only read
        raise Failure(f"the next run has left: {again.stays}")
    if seen.tree == trial.before and (again.told, again.tree) != (calm.told, calm.tree):
        raise Failure("the next run is not as one without failures")
    there = {name: data for name, data in again.tree.items() if not is_put_aside(name, data, seen.tree)}
    if trial.name not in SESSIONS and there not in (calm.tree, trial.twice.tree):
        raise Failure("the next run leaves other files")


def is_put_aside(name: str, data: bytes, before: Tree) -> bool:
    """Whether a file holds what the next run has put aside: the half line at the end of a journal. before: the files before that run."""
    journal, ending, _ = name.partition(_REMNANT)
    half = before.get(f"{journal}.journal", b"").rpartition(b"\n")[2]
    return bool(ending and half) and data.strip() == half.strip()


def snapshot(folder: Path) -> dict[str, bytes]:
    """All files in a folder, hidden ones too."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


# --- the run that is documented ---------------------------------------------------------------------------------------

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs/maintaining/failures.md"
FOUND = HERE.parents[1] / "build/failures"
PROGRAM = ("assistant", "module_builder", "plugins", "images", "tests/hostile")
"""What a run is of."""
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


def try_command(name: str, most: Mapping[str, int], kinds: Iterable[str] = KINDS) -> Iterator[Tally]:
    """Try a command with its calls failing. most: the most points of each kind, all of those not in it."""
    library = build_interposer()
    assert library is not None
    with (
        tempfile.TemporaryDirectory(dir=IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None) as place,
        Nursery(library, cold=True) as cold,
        Nursery(library) as warm,
    ):
        trial = Trial(name, Path(place).resolve(), cold, warm)
        for kind in kinds:
            counts, found = Counter[str](), list[str]()
            count, calls = trial.counts[kind], [call for call in trial.calls if call.kind == kind]
            chosen = points_of(kind, count, calls, most.get(kind, IN_FULL))
            for fault in faults(kind, chosen):
                run, seen = trial.run(fault)
                try:
                    counts[judge(trial, fault, run, seen)] += 1
                except Failure as failure:
                    found.append(describe(trial, fault, run, seen, failure))
            yield Tally(name, kind, count, len(chosen.once) + len(chosen.for_good), commit(), dict(counts), found)


def commit() -> str:
    """The commit that the files of the program are in, "" if they are changed."""
    git = ("git", "-C", str(HERE.parents[1]))
    changed = subprocess.run(
        [*git, "status", "--porcelain", "--", *PROGRAM], capture_output=True, text=True, check=True
    ).stdout
    head = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout
    return "" if changed else head.strip()


def keep_tallies(name: str, most: Mapping[str, int], kinds: Iterable[str]) -> list[Tally]:
    """Try a command, and keep what has become of each kind as soon as that is known."""
    tallies = []
    for tally in try_command(name, most, kinds):
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
| writes, input, output | every one | every one |
| reads | of each call at each file the first, the second and the last | the first call at each file |
| imports | at each file one of its calls, by turns the first, the second and so on | one out of each of {IMPORTS_FOR_GOOD} equal parts of these |
| objects | one by chance out of each of {SAMPLES["objects"]} equal parts of the run | the same |
| blocks | one by chance out of each of {SAMPLES["blocks"]} equal parts of the run | the same |

After each of them:

- the program said in a line or two what failed, without a traceback, and ended with the fitting exit code; or all was as without the failure;
- each file was as before, or as a run without failures leaves it; a session had kept all lines but one, or all before the first, of which it said that they failed;
- nothing was left on the way, unless removing it failed too, and then the next run removed it;
- the next run worked, and gave what one without failures gives.

Failures: {sum(total.values()) + at_fault}. Said: {total[TOLD]}; without effect: {total[UNNOTICED]}; at fault: {at_fault}. In {total[ENDED]} of those of memory Python or a library
ended the process or called it another error; the files were whole then too.

{_run_on(everything)} The table shows how many failures were tried, and in brackets how many calls of that kind the command makes.
A dash stands where it makes none, "not run" where none of them was tried.

| Command | {" | ".join(KINDS)} |
| --- |{" ---: |" * len(KINDS)}
{chr(10).join(lines)}
"""


def _cell(tally: Tally | None) -> str:
    """How many failures were tried of how many calls."""
    if tally is None:
        return "not run"
    return f"{sum(tally.counts.values()) + len(tally.faults)} ({tally.calls})" if tally.calls else "-"


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
    done = {(tally.name, tally.kind) for tally in kept() if not tally.faults}
    todo = {
        name: kinds
        for name in options.names or COMMANDS
        if (kinds := [kind for kind in options.kinds.split(",") if (name, kind) not in done])
    }
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        tasks = {
            pool.submit(keep_tallies, name, dict.fromkeys(KINDS, options.most), kinds): name
            for name, kinds in todo.items()
        }
        for task in as_completed(tasks):
            if error := task.exception():
                print(tasks[task], repr(error), flush=True)
                continue
            for tally in task.result():
                print(tally.name, tally.kind, tally.calls, tally.counts, f"{len(tally.faults)} at fault", flush=True)
    tallies = kept()
    if not options.names:
        PAGE.write_text(page(tallies), "utf-8")
    sys.exit(1 if any(tally.faults for tally in tallies) else 0)


if __name__ == "__main__":
    main()
