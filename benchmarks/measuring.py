"""What all benchmarks share: times, rows of the tables, and the environments of the peers.

Every time is CPU time, user and system, in seconds: it does not count what else the machine does meanwhile.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

ROOT = Path(__file__).parents[1]
PEERS = Path(__file__).parent / "peers"


class Goal(NamedTuple):
    """What a figure has to be. below: seconds or MiB of our own; times: how many times as long the peer takes, at
    least.
    """

    below: float | None = None
    times: float | None = None


class Row(NamedTuple):
    """One line of a table: what was measured, our figure, and the peer's if there is one (None where it is not installed).

    unit: seconds of processor time, or MiB of memory.
    """

    what: str
    ours: float
    peer: str = ""
    theirs: float | None = None
    goal: Goal | None = None
    unit: Literal["s", "MiB"] = "s"

    @property
    def ratio(self) -> float | None:
        """How many times as long as we the peer takes, or as much."""
        return self.theirs / self.ours if self.theirs is not None else None

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none, or nothing to compare with."""
        if self.goal is None:
            return None
        if self.goal.below is not None:
            return self.ours < self.goal.below
        return None if self.ratio is None else self.ratio >= (self.goal.times or 0)


class Table(NamedTuple):
    """The rows of one subject, with a paragraph on what they are."""

    title: str
    about: str
    rows: list[Row]


class Sizes(NamedTuple):
    """How much is measured: the figures of the documentation, unless a test wants them tiny."""

    runs: int = 9
    cold_runs: int = 5
    monte_carlo: int = 10_000
    module_units: int = 500
    module_set_up: int = 300
    save_units: int = 2000
    stacks: int = 65_000
    pictures: int = 120
    columns: int = 98
    rows: int = 103
    sources: int = 60
    lines: int = 300
    counters: int = 280
    board: int = 60
    front: int = 300
    entries: int = 5000
    map_units: int = 900
    positions: int = 1000
    rounds: int = 3
    area: str = ""
    """The part of the eastern board that is drawn, between two corners; "" for all of it."""


TINY = Sizes(1, 1, 5, 6, 3, 12, 20, 2, 12, 10, 3, 5, 4, 4, 12, 20, 12, 3, 1, "70.43-66.47")


UNDECIDED = 4
"""The exit code of a command whose verdict turns on facts in doubt."""


def cpu(command: Sequence[str | Path], runs: int, folder: Path | None = None) -> float:
    """The median CPU time of a whole process from a cold start, once its bytecode is there as after an installation.

    Raises CalledProcessError if it fails.

    folder: where it runs and what it can import beside what is installed.
    """
    times = []
    if runs > 1:
        run(command, folder)
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(command, folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return statistics.median(times)


def run(command: Sequence[str | Path], folder: Path | None = None, data: str = "") -> str:
    """What a process prints. Raises CalledProcessError if it fails; a verdict that is undecided is none. data: its
    standard input.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if folder:
        environment["PYTHONPATH"] = str(folder)
    done = subprocess.run(command, cwd=folder, env=environment, input=data, stdout=subprocess.PIPE, text=True)
    if done.returncode != UNDECIDED:
        done.check_returncode()
    return done.stdout


def peak(command: Sequence[str | Path], folder: Path | None = None) -> int:
    """The most memory that a whole process takes, in bytes. Raises CalledProcessError if it fails.

    folder: as for `cpu`.
    """
    environment = {**os.environ, "PYTHONPATH": str(folder)} if folder else None
    words = [str(word) for word in command]
    small: list[str] = [sys.executable, "-I", "-S", "-c", _PEAK, *words]
    done = subprocess.run(small, stdout=subprocess.PIPE, cwd=folder, env=environment, text=True, check=False)
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, words)
    return int(done.stdout) * (1 if sys.platform == "darwin" else 1024)


_PEAK = """
import os, resource, sys
told = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
code = os.spawnvp(os.P_WAIT, sys.argv[1], sys.argv[1:])
os.write(told, str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss).encode())
sys.exit(code)
"""
"""Begins a process from a small one: to its memory counts that of whatever begins it."""


def module(name: str, *words: str | Path) -> list[str | Path]:
    """The command that runs a module of ours as installed, not as it lies in the folder at hand."""
    return [sys.executable, "-P", "-m", name, *words]


def warm(measured: Callable[[], object], runs: int) -> float:
    """The median CPU time of a call that has been made before."""
    return warm_in_turn([measured], runs)[0]


def warm_in_turn(measured: Sequence[Callable[[], object]], runs: int) -> list[float]:
    """The median CPU times of calls that have been made before, each made in turn, so that a slow moment falls on all."""
    times: list[list[float]] = [[] for call in measured]
    for call in measured:
        call()
    for _ in range(runs):
        for call, taken in zip(measured, times, strict=True):
            before = time.process_time()
            call()
            taken.append(time.process_time() - before)
    return [statistics.median(taken) for taken in times]


# --- peers ------------------------------------------------------------------------------------------------------------


class Environment(NamedTuple):
    """An environment that holds peers and nothing of this project. least: the oldest Python that they need."""

    name: str
    packages: tuple[str, ...]
    least: tuple[int, int] = (3, 11)

    def python(self) -> str:
        """Its interpreter; the environment is made on first use, with pip. Raises NoPeer if that cannot be done."""
        folder = ROOT / ".venv" / f"bench-{self.name}"
        python, made = folder / "bin" / "python", folder / "made-of"
        if made.exists() and made.read_text() == " ".join(self.packages):
            return str(python)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            subprocess.run([self._newer(), "-m", "venv", folder], check=True, capture_output=True)
            install: list[str | Path] = [python, "-m", "pip", "install", "--quiet", *self.packages]
            subprocess.run(install, check=True, capture_output=True)
        except subprocess.CalledProcessError as error:
            raise NoPeer(f"{', '.join(self.packages)} could not be installed") from error
        made.write_text(" ".join(self.packages))
        return str(python)

    def _newer(self) -> str:
        """A Python that is new enough: this one, or one on the PATH or where pyenv, uv and others put them."""
        if sys.version_info[:2] >= self.least:
            return sys.executable
        home = Path.home()
        for minor in range(self.least[1], self.least[1] + 4):
            name = f"python3.{minor}"
            usual = [home.glob(f".pyenv/versions/3.{minor}.*/bin/{name}")]
            usual += [home.glob(f".local/share/uv/python/cpython-3.{minor}.*/bin/{name}")]
            usual += [Path(folder).glob(name) for folder in ("/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")]
            for candidate in [shutil.which(name), *(path for paths in usual for path in sorted(paths))]:
                if candidate and _works(candidate):  # a shim of pyenv may lead nowhere
                    return str(candidate)
        needs = f"{', '.join(self.packages)} needs Python {self.least[0]}.{self.least[1]} or newer, and there is none"
        raise NoPeer(needs)


class NoPeer(Exception):
    """A peer that cannot be had here, and why."""


def _works(python: str | Path) -> bool:
    return subprocess.run([python, "-c", "import ensurepip"], capture_output=True).returncode == 0


class Bench:
    """One run of benchmarks: its sizes, the environments of its peers and the reasons why some are left out."""

    def __init__(self, sizes: Sizes, environments: dict[str, str] | None = None) -> None:
        """environments: interpreters by name, where they are not to be made; a peer of another name is left out."""
        self.sizes = sizes
        self._given = environments
        #: Whether to measure peers that are programs of the machine.
        self.peers_wanted = environments is None
        #: Peers that could not be had, each with the reason.
        self.left_out: dict[str, str] = {}
        #: Versions of the packages that were compared with.
        self.versions: dict[str, str] = {}

    def python(self, environment: Environment) -> str | None:
        """The interpreter of an environment, None (and a line on why) if it cannot be had."""
        try:
            if self._given is not None:
                if environment.name not in self._given:
                    raise NoPeer(f"{', '.join(environment.packages)} not wanted in this run")
                return self._given[environment.name]
            python = environment.python()
        except NoPeer as none:
            self.left_out[environment.name] = str(none)
            return None
        told = f"from importlib.metadata import version; print(*map(version, {environment.packages}))"
        self.versions |= zip(environment.packages, run([python, "-c", told]).split(), strict=True)
        return python

    def times(self, environment: Environment, script: str, data: Any = None) -> dict[str, float]:
        """What a script of `peers/` says of its own warm times, by peer; nothing if it cannot be run.

        data: its standard input, as JSON.
        """
        python = self.python(environment)
        if python is None:
            return {}
        command: list[str | Path] = [python, PEERS / script, str(self.sizes.runs)]
        found: dict[str, float] = json.loads(run(command, data=json.dumps(data)))
        return found
