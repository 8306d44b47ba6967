"""Reading a file as the command line reads it, in a process that may use so much memory and time and no more."""

from __future__ import annotations

import contextlib
import io
import os
import re
import resource
import signal
import time
import traceback
from pathlib import Path
from typing import NamedTuple

from assistant.cli.group import UNUSABLE
from assistant.cli.main import UNDECIDED, cli
from assistant.formats.vassal.modules import read_module
from assistant.util.errors import InputError

SECONDS, MEMORY = 2.0, 300 * 2**20


class Outcome(NamedTuple):
    """What came of a file.

    kind: "read", the message without its names and numbers, or "" for a crash; memory: bytes that reading took; crash: a
    traceback, or an untidy message.
    """

    kind: str
    seconds: float
    memory: int
    crash: str = ""


class TooLong(BaseException):
    """A file that takes longer than it may."""


def limit_memory() -> None:
    """Let this process have so much more memory than it has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _held(name: str) -> int:
    """Bytes that this process holds (VmRSS), or the most since that was last forgotten (VmHWM)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def outcome(path: Path, command: str = "check") -> Outcome:
    """Read one file: a module, or a position about which a command asks, be it with options."""
    signal.signal(signal.SIGPROF, _too_long)
    Path("/proc/self/clear_refs").write_text("5")
    before = _held("VmRSS")
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        kind, crash = _module(path) if path.suffix == ".vmod" else _position(path, command)
    except (Exception, TooLong):
        kind, crash = "", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = time.process_time() - began
    return Outcome(kind, seconds, _held("VmHWM") - before, crash)


def _too_long(*_: object) -> None:
    raise TooLong


def _module(path: Path) -> tuple[str, str]:
    try:
        module = read_module(path.read_bytes())
    except InputError as error:
        return _kind(str(error)), _untidy(str(error))
    return "read", _untidy("".join(module.unread[:1]))


def _position(path: Path, command: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = 0
        try:
            cli.main([*command.split(), str(path)], prog_name="assistant")
        except SystemExit as end:
            code = int(end.code or 0)
    said = err.getvalue()
    if code in (0, UNDECIDED) and not said:
        return "read", ""
    if code != UNUSABLE:
        return "", f"exit code {code}: {said}"
    return _kind(said.replace(str(path), "FILE")), _untidy(said.rstrip("\n"))


def _untidy(said: str) -> str:
    """What is wrong with a message: more than two lines, or signs that steer a terminal."""
    lines = said.split("\n")
    return said if len(lines) > 2 or not all(line.isprintable() for line in lines) else ""


def _kind(said: str) -> str:
    """A message without names and numbers."""
    first = said.split("\n")[0].removeprefix("assistant: ")
    first = re.sub(r"FILE[:0-9]*(: public notes[:0-9]*)?: ", "", first)
    first = re.sub(r"""(['"]).*\1""", "...", first)
    return re.sub(r"[0-9]+", "N", first)[:60]


def environment() -> None:
    """Settings under which a run is the same everywhere."""
    os.environ["COLUMNS"] = "100"
    for name in [name for name in os.environ if name.startswith("FIELD_STAFF_")]:
        del os.environ[name]
