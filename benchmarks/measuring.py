"""What all benchmarks share: least times, rows of the tables, and environments for the wheel and the peers.

Every time is CPU time, user and system, in seconds, the least of several runs that take turns with those that they are compared with:
what else the machine does meanwhile slows some of them down, and speeds none up.
"""

from __future__ import annotations

import gc
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
PEERS = Path(__file__).parent / "peers"
EXAMPLES = ROOT / "plugins" / "twilight_in_the_east" / "examples"
TIMES = 4
"""How much smaller the input is with which a job's growth is measured."""
MOST_GROWTH = 1.1
"""The exponent of a job's growth, at most: 1 is in proportion to its input, 2 to its square."""
UNDECIDED = 4
"""The exit code of a command whose verdict turns on facts in doubt."""

Prepared = Callable[[], Callable[[], object]]
"""Makes ready, untimed, what is then timed."""


class Row(NamedTuple):
    """A job beside its peer or bound. ours, theirs, smaller: seconds; theirs is None where the peer cannot be had.

    goal: our time by theirs, at most; or where `more` is set their time by ours, at least. smaller: our time for a
    quarter of the input, where that is measured. counted: the instructions of both, of which the ratio is then.
    """

    job: str
    against: str
    ours: float
    theirs: float | None
    goal: float | None = None
    more: bool = False
    smaller: float | None = None
    counted: tuple[int, int] | None = None

    @property
    def ratio(self) -> float | None:
        """The figure that the goal is about."""
        if self.theirs is None:
            return None
        ours, theirs = self.counted or (self.ours, self.theirs)
        return theirs / ours if self.more else ours / theirs

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none, or no peer."""
        if self.goal is None or self.ratio is None:
            return None
        return self.ratio >= self.goal if self.more else self.ratio <= self.goal

    @property
    def growth(self) -> float | None:
        """The exponent with which our time grows."""
        return None if self.smaller is None else math.log(self.ours / self.smaller, TIMES)


class Sizes(NamedTuple):
    """How much is measured: the figures of the documentation, unless a test wants them tiny."""

    runs: int = 7
    counts: bool = True
    """Whether instructions are counted."""
    front: int = 300
    threat: int = 60
    columns: int = 98
    rows: int = 103
    sources: int = 60
    lines: int = 300
    module: int = 500
    set_up: int = 300
    counters: int = 280
    faces: int = 300
    entries: int = 5000
    units: int = 900
    table: tuple[int, int] = (40, 320)
    guests: int = 20
    taps: int = 10
    """Of each guest."""
    rolls: int = 10_000
    save: int = 2000


TINY = Sizes(1, False, 12, 8, 12, 10, 3, 5, 8, 3, 8, 8, 12, 12, (4, 8), 2, 1, 5, 12)


def least(runs: int, *jobs: Prepared) -> list[float]:
    """The least CPU time of each of some jobs, which take turns after one untimed run. Garbage of one is not another's."""
    times: list[list[float]] = [[] for _ in jobs]
    for number in range(runs + 1):
        for job, taken in zip(jobs, times, strict=True):
            timed = job()
            gc.collect()
            before = time.process_time()
            made = timed()
            taken += [time.process_time() - before] * (number > 0)
            del made
    return [min(taken) for taken in times]


def always(call: Callable[[], object]) -> Prepared:
    """A job that needs nothing made ready."""
    return lambda: call


class Process:
    """A command line. folder: where it runs and what it can import beside what is installed; data: its standard input."""

    def __init__(self, *words: str | Path, folder: Path | None = None, data: str = "") -> None:
        self.words, self.folder, self.data = [*map(str, words)], folder, data

    def run(self) -> str:
        """What it prints. Raises CalledProcessError if it fails; an undecided verdict is no failure."""
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        if self.folder:
            environment["PYTHONPATH"] = str(self.folder)
        done = subprocess.run(
            self.words, cwd=self.folder, env=environment, input=self.data, capture_output=True, text=True
        )
        if done.returncode not in (0, UNDECIDED):
            sys.stderr.write(done.stderr)
            done.check_returncode()
        return done.stdout


def least_cold(runs: int, *processes: Process) -> list[float]:
    """The least CPU time of each of some whole processes, which take turns. Of several runs the first is not
    counted: it leaves bytecode and copies of files. Raises CalledProcessError if one fails.
    """
    times: list[list[float]] = [[] for _ in processes]
    for number in range(runs + (runs > 1)):
        for process, taken in zip(processes, times, strict=True):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            process.run()
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
            taken += [spent] * (number > 0 or runs == 1)
    return [min(taken) for taken in times]


# --- environments -----------------------------------------------------------------------------------------------------


class NoPeer(Exception):
    """A peer that cannot be had here, and why."""


class Environment(NamedTuple):
    """An environment with what is compared. packages: as pip takes them; least: the oldest Python that they need."""

    name: str
    packages: tuple[str, ...]
    least: tuple[int, int] = (3, 11)

    def folder(self, state: str = "") -> Path:
        """Its folder of commands; it is made on first use, and anew when its packages or `state` have changed. Raises
        NoPeer if that cannot be done.
        """
        folder = ROOT / ".venv" / f"bench-{self.name}"
        made, wanted = folder / "made-of", " ".join((*self.packages, state))
        if made.exists() and made.read_text() == wanted:
            return folder / "bin"
        shutil.rmtree(folder, ignore_errors=True)
        try:
            subprocess.run([self._newer(), "-m", "venv", str(folder)], check=True, capture_output=True)
            pip = [f"{folder}/bin/python", "-m", "pip", "install", "--quiet", *self.packages]
            subprocess.run(pip, cwd=ROOT, check=True, capture_output=True)
        except subprocess.CalledProcessError as error:
            raise NoPeer(f"{', '.join(self.packages)} could not be installed") from error
        made.write_text(wanted)
        return folder / "bin"

    def _newer(self) -> str:
        """A Python that is new enough: this one, or one on the PATH or where pyenv and uv put them."""
        home = Path.home()
        names = [f"python3.{minor}" for minor in range(self.least[1], self.least[1] + 4)]
        usual = [path for name in names for path in sorted(home.glob(f".pyenv/versions/3.*/bin/{name}"))]
        usual += [path for name in names for path in sorted(home.glob(f".local/share/uv/python/*/bin/{name}"))]
        here = [sys.executable] if sys.version_info[:2] >= self.least else []
        for candidate in (*here, *filter(None, map(shutil.which, names)), *usual):
            if subprocess.run([str(candidate), "-c", "import ensurepip"], capture_output=True).returncode == 0:
                return str(candidate)  # a shim of pyenv may lead nowhere
        needed = f"{self.least[0]}.{self.least[1]}"
        raise NoPeer(f"{', '.join(self.packages)} needs Python {needed} or newer, and there is none")


WHEEL = Environment("wheel", (".",))
"""The program as a player has it: an editable one looks for its modules in another, dearer way."""


def wheel() -> Path:
    """The commands of the environment with the wheel of these sources and their bytecode."""
    files = [ROOT / "pyproject.toml"]
    for name in ("assistant", "module_builder", "plugins", "images"):
        files += (file for file in (ROOT / name).rglob("*") if file.is_file() and file.suffix != ".pyc")
    state = sha256(b"".join(sha256(file.read_bytes()).digest() for file in sorted(files))).hexdigest()
    shutil.rmtree(ROOT / "build" / "lib", ignore_errors=True)  # modules of earlier sources would come along
    return WHEEL.folder(state)


class Bench:
    """One run of benchmarks: its sizes, the environments and the reasons why some peers are left out."""

    def __init__(self, sizes: Sizes, environments: dict[str, Path] | None = None) -> None:
        """environments: folders of commands by name, where they are not to be made; a peer of another name is left out."""
        self.sizes = sizes
        self._given = environments
        #: Peers that could not be had, each with the reason.
        self.left_out: dict[str, str] = {}
        #: Versions of the packages that were compared with.
        self.versions: dict[str, str] = {}

    @cached_property
    def commands(self) -> Path:
        """The folder of commands of the environment with the wheel."""
        folder = wheel() if self._given is None else self._given[WHEEL.name]
        self._note_versions(folder / "python", ("click", "lxml", "msgspec", "pillow", "pluggy", "reportlab"))
        return folder

    def ours(self, program: str) -> Path:
        """A program of that folder: python, assistant, module-builder."""
        return self.commands / program

    def python(self, environment: Environment) -> Path | None:
        """The interpreter of an environment, None (and a line on why) if it cannot be had."""
        try:
            if self._given is not None and environment.name not in self._given:
                raise NoPeer(f"{', '.join(environment.packages)} not wanted in this run")
            folder = environment.folder() if self._given is None else self._given[environment.name]
        except NoPeer as none:
            self.left_out[environment.name] = str(none)
            return None
        self._note_versions(folder / "python", environment.packages)
        return folder / "python"

    def _note_versions(self, python: Path, packages: tuple[str, ...]) -> None:
        named = f"from importlib.metadata import version; print(*map(version, {packages}))"
        self.versions |= zip(packages, Process(python, "-c", named).run().split(), strict=True)

    def times(self, environment: Environment, script: str, data: Any = None) -> dict[str, float]:
        """What a script of `peers/` says of its own least times, by peer; nothing if it cannot be run.

        data: its standard input, as JSON.
        """
        python = self.python(environment)
        if python is None:
            return {}
        script_of = Process(python, PEERS / script, str(self.sizes.runs), data=json.dumps(data))
        found: dict[str, float] = json.loads(script_of.run())
        return found
