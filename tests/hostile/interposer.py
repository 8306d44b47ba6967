"""Commands whose calls fail: what stands between them and the C library (interposer.c), and a process that has loaded the program and
forks for each run, so that a run costs little.

The calls are those of Python and of the C libraries behind it alike: they all go through the C library. Counted is from the entry of the
command's `main` on; what has been loaded before is no part of a run.
"""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import hashlib
import importlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

HERE = Path(__file__).parent
KINDS = ("reads", "writes", "input", "output", "imports", "objects", "blocks")
"""What fails: reading and writing files, standard input and output, loading modules, what Python allocates, and the C library's blocks."""
MEMORY = ("objects", "blocks")
_LIST = 900
"""The number of the open file to which calls are listed, which a command has no use for."""
LONGEST = 60
"""Seconds after which a run counts as hung."""
PROGRAMS = {"assistant": "assistant.faces.cli.main", "module-builder": "module_builder.cli"}


class Plan(ctypes.Structure):
    """The page that a run shares with its watcher, as in interposer.c."""

    _fields_ = (
        ("on", ctypes.c_int),
        ("kind", ctypes.c_int),
        ("at", ctypes.c_long),
        ("for_good", ctypes.c_int),
        ("error", ctypes.c_int),
        ("imports_are_reads", ctypes.c_int),
        ("list", ctypes.c_int),
        ("count", ctypes.c_long * len(KINDS)),
        ("failed", ctypes.c_long),
        ("call", ctypes.c_char * 64),
        ("path", ctypes.c_char * 448),
    )


class Fault(msgspec.Struct, frozen=True):
    """One that is put into a run: of a kind of calls, the one numbered `at` from 1, and all after it if `for_good`; with an errno."""

    kind: str
    at: int
    for_good: bool
    error: int


class Call(NamedTuple):
    """A call that a run has made. number: among those of its kind, from 1; path: of its file."""

    kind: str
    number: int
    name: str
    path: str


class Run(msgspec.Struct, frozen=True):
    """What has become of a run.

    code: its exit code, negative for a signal; counts: its calls by kind; failed: how many of them failed; call, path: the first that did.
    """

    code: int
    counts: dict[str, int]
    failed: int
    call: str
    path: str


def build_interposer() -> Path | None:
    """The library, made once for each state of its source; None where it cannot be made or used."""
    compiler = shutil.which("cc")
    if sys.platform != "linux" or compiler is None:
        return None
    source = HERE / "interposer.c"
    folder = HERE.parents[1] / "build" / "interposer"
    made = folder / f"{hashlib.sha256(source.read_bytes()).hexdigest()[:16]}.so"
    if not made.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = made.with_suffix(f".{os.getpid()}")
        done = subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", part, source, "-ldl"], check=False)
        if done.returncode:
            return None
        part.replace(made)
    return made


class Nursery:
    """A process that has loaded both programs, and forks for each run of a command.

    cold: what a command loads only when it runs is not there yet, so that loading it may fail.
    """

    def __init__(self, library: Path, *, cold: bool = False) -> None:
        self.cold = cold
        environment = os.environ | {
            "LD_PRELOAD": str(library),
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(HERE.parents[1]),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.hostile.interposer", str(library)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def ask(self, **request: Any) -> dict[str, Any]:
        """What the process answers to a request."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def load(self, modules: Iterable[str]) -> None:
        """Load the modules that a run has needed, for all later ones."""
        if not self.cold:
            self.ask(load=list(modules))

    def begin(self, words: Sequence[str], folder: Path, typed: str, fault: Fault | None = None) -> int:
        """Begin to run a command in a folder. Returns its process. What it prints goes to `FOLDER.told` and `FOLDER.complained`."""
        if not (lines := Path(f"{folder}.typed")).is_fifo():  # or else they come as the command runs
            lines.write_text(typed, "utf-8")
        Path(f"{folder}.told").unlink(missing_ok=True)  # of a run before
        chosen = None if fault is None else msgspec.to_builtins(fault)
        process: int = self.ask(words=list(words), folder=str(folder), fault=chosen, warm=not self.cold)["process"]
        return process

    def end(self) -> Run:
        """Wait for the run that has begun."""
        return msgspec.convert(self.ask(end=True), Run)

    def run(
        self,
        words: Sequence[str],
        folder: Path,
        typed: str,
        fault: Fault | None = None,
        drive: Callable[[int, Path], None] | None = None,
    ) -> Run:
        """Run a command in a folder. drive: what is done with its process meanwhile."""
        process = self.begin(words, folder, typed, fault)
        if drive:
            drive(process, folder)
        return self.end()


def loaded_by(folder: Path) -> list[str]:
    """The modules that the last run in a folder had loaded at its end."""
    return Path(f"{folder}.loaded").read_text("utf-8").split()


def calls_of(folder: Path) -> list[Call]:
    """The calls of the last run in a folder that had no fault, but those for memory."""
    rows = Path(f"{folder}.calls").read_text("utf-8", "replace").splitlines()
    calls = (row.split("\t") for row in rows if row.count("\t") == 3)
    return [Call(KINDS[int(kind)], int(number), name, path) for kind, number, name, path in calls]


# --- the process that forks -------------------------------------------------------------------------------------------


def _serve(library: str) -> None:
    for module in PROGRAMS.values():
        importlib.import_module(module)
    shim = ctypes.CDLL(library)
    shim.interposer_page.restype = ctypes.POINTER(Plan)
    plan = shim.interposer_page().contents
    shim.interposer_watch_python()
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    process = 0
    for line in requests:
        request = json.loads(line)
        answer: dict[str, Any] = {}
        if "load" in request:
            for name in request["load"]:
                with suppress(Exception):
                    importlib.import_module(name)
            gc.collect()
            gc.freeze()  # so that a run shares it
        elif "end" in request:
            code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            answer = {
                "code": code,
                "counts": dict(zip(KINDS, plan.count, strict=True)),
                "failed": plan.failed,
                "call": plan.call.decode(),
                "path": plan.path.decode("utf-8", "replace"),
            }
        else:
            _lay(plan, request)
            process = os.fork()
            if not process:
                _become(shim, plan, request)
                return
            answer = {"process": process}
        print(json.dumps(answer), file=answers, flush=True)


def _lay(plan: Plan, request: dict[str, Any]) -> None:
    """Put into the shared page what is to fail."""
    ctypes.memset(ctypes.byref(plan), 0, ctypes.sizeof(plan))
    plan.kind, plan.imports_are_reads = -1, request["warm"]
    if fault := request["fault"]:
        plan.kind, plan.at = KINDS.index(fault["kind"]), fault["at"]
        plan.for_good, plan.error = fault["for_good"], fault["error"]


def _become(shim: ctypes.CDLL, plan: Plan, request: dict[str, Any]) -> None:
    """Run a command in this process, with files as its streams, to its own end."""
    folder = request["folder"]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.register(signal.SIGALRM, chain=True)
    faulthandler.enable()
    signal.alarm(LONGEST)
    os.chdir(folder)
    os.environ["FIELD_STAFF_DATA"] = f"{folder}/data"
    os.environ["FIELD_STAFF_VASSAL"] = f"{folder}/vassal"
    os.environ.pop("FIELD_STAFF_CACHE", None)
    os.environ["PATH"] = "/nowhere"
    os.environ.pop("LD_PRELOAD")  # processes that it begins are on their own
    for stream, (name, flags) in enumerate(
        (("typed", os.O_RDONLY), ("told", os.O_WRONLY | os.O_CREAT), ("complained", os.O_WRONLY | os.O_CREAT))
    ):
        file = os.open(f"{folder}.{name}", flags | (os.O_TRUNC if stream else 0), 0o644)
        os.dup2(file, stream)
        os.close(file)
    words = request["words"]
    sys.argv = list(words)
    main = sys.modules[PROGRAMS[words[0]]].main
    fault = request["fault"]
    if fault is None:
        calls = os.open(f"{folder}.calls", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o644)
        os.dup2(calls, _LIST)
        os.close(calls)
        plan.list = _LIST
    shim.interposer_begin()
    try:
        main()
    finally:
        if fault is None:
            plan.on = 0
            Path(f"{folder}.loaded").write_text("\n".join(sys.modules), "utf-8")
        elif fault["kind"] in MEMORY:
            plan.on = 0  # what Python allocates to end is its own affair


if __name__ == "__main__":
    _serve(sys.argv[1])
