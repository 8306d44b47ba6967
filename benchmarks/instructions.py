"""What whole processes cost in instructions, as ratios to an empty Python: `python -m benchmarks.instructions`, or `make guard`.

It fails if one costs 3 % more than `instructions.toml` has; `--write` writes that file anew, once a change is worth what it costs.
Instructions are counted by cachegrind, whatever else the machine does: the ratios of two runs differ by 0.2 %, those of two hash seeds by
0.3 %, but those of two builds of Python by up to 10 %: with other versions than those recorded 12 % are allowed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measuring import EXAMPLES, ROOT, UNDECIDED, wheel

RECORD = Path(__file__).with_suffix(".toml")
ALLOWED, ALLOWED_ELSEWHERE = 1.03, 1.12
"""By how much a job may have become dearer; with other versions of Python or of packages than those with which the figures were recorded, which
make that much of a difference, more.
"""
EMPTY, CLICK = ("python", "-c", ""), ("python", "-c", "import click")
PACKAGES = ("click", "lxml", "msgspec", "pillow", "platformdirs", "pluggy", "tomli")
START = "start-up"
"""What `--help` costs beyond an import of click: little enough that one more import is noticed."""
OTHERS = ROOT / "plugins"
JOBS = {
    START: ("assistant", "--help"),
    "battle with dice": ("assistant", "battle", f"{EXAMPLES}/battle.pos"),
    "battle with all chances": ("assistant", "battle", f"{EXAMPLES}/battle-before.pos"),
    "battle of another game": ("assistant", "battle", f"{OTHERS}/kaisers_war_in_the_east/examples/lemberg.pos"),
    "supply of a unit": ("assistant", "supply", f"{EXAMPLES}/supplied.pos"),
    "retreat": ("assistant", "ask", "retreat", f"{EXAMPLES}/retreat.pos"),
    "reach": ("assistant", "ask", "reach", f"{OTHERS}/world_undone_east_prussia/examples/reach.pos"),
    "rule": ("assistant", "rules", "twilight-in-the-east", "10.8a"),
    "journal": ("assistant", "journal", "due", f"{OTHERS}/der_weltkrieg/examples/books.journal"),
    "save read": ("assistant", "check", f"{EXAMPLES}/comprehensive-example.vsav"),
    "counters drawn": ("module-builder", "counters", "twilight-in-the-east", "--only", "29/20", "--force"),
}
HEAD = """# What each job costs in instructions, by those of an empty Python in the same run: `make guard WRITE=yes` writes this file. Figures of other versions differ.
"""


def count(words: tuple[str, ...], commands: Path, folder: Path) -> int:
    """The instructions of a whole process, which has run before and left its copies of files.

    words: the program and its arguments; commands: the folder of programs; folder: where it runs and what it keeps.
    Raises FileNotFoundError without valgrind, RuntimeError if the process fails.
    """
    folder.mkdir(exist_ok=True)
    same = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
    own = {"HOME": "home", "FIELD_STAFF_DATA": "data", "FIELD_STAFF_CACHE": "cache"}
    environment = same | {name: f"{folder}/{below}" for name, below in own.items()}
    command = [f"{commands}/{words[0]}", *words[1:]]
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    for counted in (command, [*valgrind, *command]):
        done = subprocess.run(counted, cwd=folder, env=environment, capture_output=True, text=True)
        if done.returncode not in (0, UNDECIDED):
            raise RuntimeError(f"{' '.join(words)}: {done.stderr}")
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    assert found, done.stderr
    return int(found[1].replace(",", ""))


def count_all(jobs: Mapping[Any, tuple[str, ...]], commands: Path, folder: Path) -> dict[Any, int]:
    """The instructions of each of some jobs, of which two are counted at a time, each in a folder of its own."""
    with ThreadPoolExecutor(2) as two:
        found = [two.submit(count, words, commands, folder / str(n)) for n, words in enumerate(jobs.values())]
        return {job: counted.result() for job, counted in zip(jobs, found, strict=True)}


def ratios() -> dict[str, float]:
    """What each job costs, by an empty Python."""
    with TemporaryDirectory() as folder:
        counts = count_all({EMPTY: EMPTY, CLICK: CLICK, **JOBS}, wheel(), Path(folder))
    counts[START] -= counts[CLICK]
    return {job: counts[job] / counts[EMPTY] for job in JOBS}


def judge(found: Mapping[str, float], recorded: Mapping[str, float], loosely: Collection[str] = ()) -> list[str]:
    """A line on each job that costs more than is allowed, or of which no figure is recorded. loosely: those allowed more."""
    return [
        f"{job}: {ratio:.2f} times an empty Python, {recorded.get(job, 0):.2f} recorded"
        for job, ratio in found.items()
        if ratio > (ALLOWED_ELSEWHERE if job in loosely else ALLOWED) * recorded.get(job, 0)
    ]


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that the jobs load, by which figures differ."""
    asked = "import platform, sys; from importlib.metadata import version; print(platform.python_version(), *map(version, sys.argv[1:]))"
    found = subprocess.check_output([wheel() / "python", "-c", asked, *PACKAGES], text=True)
    return dict(zip(("python", *PACKAGES), found.split(), strict=True))


def main() -> None:
    """Count, and fail or write; a figure that has become much smaller is worth being recorded too."""
    found, now = ratios(), versions()
    if "--write" in sys.argv:
        of_versions = (f'{name} = "{number}"' for name, number in now.items())
        of_jobs = (f'"{job}" = {ratio:.3f}' for job, ratio in found.items())
        RECORD.write_text("\n".join((HEAD, "[versions]", *of_versions, "", "[ratios]", *of_jobs, "")), "utf-8")
    recorded = tomllib.loads(RECORD.read_text("utf-8"))
    for job, ratio in found.items():
        print(f"{ratio:7.2f}  {100 * (ratio / recorded['ratios'].get(job, ratio) - 1):+5.1f} %  {job}")
    if others := [f"{name} {number}" for name, number in now.items() if number != recorded["versions"].get(name)]:
        print(f"other versions than those recorded: {', '.join(others)}")
    loosely = {*found} if others else set[str]()
    if now["python"] == recorded["versions"]["python"]:
        loosely.discard(START)  # of which click, in the same run, is no part
    if faults := judge(found, recorded["ratios"], loosely):
        sys.exit(
            "\n".join(
                ["dearer than is allowed:", *faults, "mend it, or record the figures with `make guard WRITE=yes`"]
            )
        )


if __name__ == "__main__":
    main()
