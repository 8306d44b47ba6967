"""Meeting a case as the command line meets it, in a process that may use so much memory and time and no more."""

from __future__ import annotations

import contextlib
import io
import os
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from assistant.faces.cli.group import UNDECIDED_EXIT_CODE, UNUSABLE_EXIT_CODE
from assistant.faces.cli.main import cli
from assistant.formats.vassal.modules import read_module
from assistant.util.errors import MAX_FAULTS, InputError
from module_builder.cli import cli as builder

ASSISTANT, BUILDER = "assistant", "module-builder"
SECONDS, MEMORY = 2.0, 300 * 2**20
"""What an input may take: processor time on a quiet machine, where a run is documented, and bytes."""

HANGS = 30.0
"""Seconds after which a test says that an input hangs, on however slow and busy a machine."""

USAGE, FAULTY = 2, 1


class Outcome(NamedTuple):
    """What came of a case.

    kind: "read", the message without its names and numbers, or "" for a crash; memory: bytes that it took; crash: a
    traceback, or an untidy message.
    """

    kind: str
    seconds: float
    memory: int
    crash: str = ""


class TooLong(BaseException):
    """A case that takes longer than it may."""


def limit_memory() -> None:
    """Let this process have so much more memory than it has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _held(name: str) -> int:
    """Bytes that this process holds (VmRSS), or the most since that was last forgotten (VmHWM)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def measured(meet: Callable[[], tuple[str, str]], within: float = HANGS) -> Outcome:
    """What comes of a case, as its kind and its crash, with the memory and the time that it took.

    within: seconds of processor time.
    """
    signal.signal(signal.SIGPROF, _too_long)
    Path("/proc/self/clear_refs").write_text("5")
    before = _held("VmRSS")
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, within)
    try:
        kind, crash = meet()
    except (Exception, TooLong):
        kind, crash = "", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = time.process_time() - began
    if seconds > within and not crash:
        crash = f"it took {seconds:.1f} s"
    return Outcome("" if crash else kind, seconds, _held("VmHWM") - before, crash)


def _too_long(*_: object) -> None:
    raise TooLong


def outcome(path: Path, command: str = "check") -> Outcome:
    """Read one file: a module, or a position about which a command asks, be it with options."""
    if path.suffix == ".vmod":
        return measured(lambda: module(path))
    return measured(lambda: run_command(ASSISTANT, (*command.split(), str(path))))


def module(path: Path) -> tuple[str, str]:
    try:
        module = read_module(path.read_bytes())
    except InputError as error:
        return kind(str(error)), _untidy(str(error))
    return "read", _untidy("".join(module.unread[:1]))


def run_command(program: str, words: tuple[str, ...], typed: bytes = b"") -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    before, code = sys.stdin, 0
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            (builder if program == BUILDER else cli).main([*words], prog_name=program)
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            sys.stdin = before
    said = err.getvalue().rstrip("\n")
    untidy = not all(line.isprintable() for line in (*said.split("\n"), *out.getvalue().split("\n")))
    if untidy:
        return "", f"signs that steer a terminal: {said!r} {out.getvalue()[-2000:]!r}"
    if code in (0, UNDECIDED_EXIT_CODE):
        return "read", said if len(said.split("\n")) > 6 else ""
    if code == FAULTY and (program == BUILDER or words[0] == "pack"):
        return "mistakes named", said if len(said.split("\n")) > 250 else ""
    if code == USAGE:
        return "usage", ""
    if code != UNUSABLE_EXIT_CODE:
        return "", f"exit code {code}: {said}"
    return kind(_unnamed(said, words)), _untidy(said)


def _unnamed(said: str, words: tuple[str, ...]) -> str:
    for word in words:
        if "." in word:
            said = said.replace(word, "FILE")
    return said


# --- words ----------------------------------------------------------------------------------------------------------------


def _untidy(said: str) -> str:
    """What is wrong with a message: more than two lines for a mistake or too many mistakes, too long, or signs that steer a
    terminal.
    """
    lines = said.split("\n")
    mistakes = sum(not line.startswith("  ") for line in lines)
    too_long = mistakes > MAX_FAULTS + 1 or len(lines) > 2 * mistakes or len(said) > 2000 * mistakes
    return said if too_long or not all(line.isprintable() for line in lines) else ""


def kind(said: str) -> str:
    """A message without names and numbers."""
    first = said.split("\n")[0].removeprefix("assistant: ").removeprefix("! ")
    first = re.sub(r"(?:FILE|[^ ]*/data/[^ :]*)[:0-9]*(: public notes[:0-9]*)?: ", "", first)
    first = re.sub(r"""(['"]).*\1""", "...", first)
    return re.sub(r"[0-9]+", "N", first)[:60]


def environment(data: Path | None = None) -> None:
    """Settings under which a run is the same everywhere. data: a folder for the user's data, instead of their own."""
    os.environ["COLUMNS"] = "100"
    for name in [name for name in os.environ if name.startswith("FIELD_STAFF_")]:
        del os.environ[name]
    if data:
        os.environ["FIELD_STAFF_DATA"] = str(data)
        os.environ["FIELD_STAFF_CACHE"] = str(data / "cache")  # where it is, whatever folder a case has for its data
