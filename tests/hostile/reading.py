"""Meeting a case as the command line meets it, in a process that may use so much memory and time and no more."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import resource
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from assistant.cli.group import UNUSABLE
from assistant.cli.main import UNDECIDED, cli
from assistant.formats.positions import Position
from assistant.formats.vassal.modules import read_module
from assistant.plugins import registry
from assistant.prompt.session import Session
from assistant.prompt.table import Table
from assistant.util.errors import InputError, printable
from module_builder.cli import cli as builder

from .cases import ASSISTANT, BUILDER, LINE, MODULE, TOGETHER, Case, seeds
from .seeds import GAME

SECONDS, MEMORY = 2.0, 300 * 2**20
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


def _measured(meet: Callable[[], tuple[str, str]]) -> Outcome:
    """What comes of a case, with the memory and the time that it took."""
    signal.signal(signal.SIGPROF, _too_long)
    Path("/proc/self/clear_refs").write_text("5")
    before = _held("VmRSS")
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        kind, crash = meet()
    except (Exception, TooLong):
        kind, crash = "", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = time.process_time() - began
    if seconds > SECONDS and not crash:
        crash = f"it took {seconds:.1f} s"
    return Outcome("" if crash else kind, seconds, _held("VmHWM") - before, crash)


def _too_long(*_: object) -> None:
    raise TooLong


def outcome(path: Path, command: str = "check") -> Outcome:
    """Read one file: a module, or a position about which a command asks, be it with options."""
    if path.suffix == ".vmod":
        return _measured(lambda: _module(path))
    return _measured(lambda: _command(ASSISTANT, (*command.split(), str(path))))


class Desk:
    """A folder in which cases lie, one after the other, and a table that goes on from line to line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.session: Session | None = None
        self.typed: list[str] = []

    def meet(self, case: Case) -> Outcome:
        """What comes of a case; whatever it writes is gone with the next one."""
        folder = self.folder / ("table" if case.program == LINE else "case")
        if case.program != LINE:
            shutil.rmtree(folder, ignore_errors=True)
            registry._loaded.cache_clear()  # a folder of the same name holds another game
        folder.mkdir(exist_ok=True)
        os.chdir(folder)
        os.environ["FIELD_STAFF_DATA"] = str(folder / "data")
        for name, data in case.files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(data)
        match case.program:
            case "module":
                return _measured(lambda: _module(Path(case.words[0])))
            case "line":
                return _measured(lambda: self._line(Random(case.words[0])))
            case "together":
                return _measured(lambda: _together(Random(case.words[0])))
            case _:
                return _measured(lambda: _command(case.program, case.words, case.typed))

    def _line(self, random: Random) -> tuple[str, str]:
        if self.session is None or self.session.over or random.random() < 0.04:
            game = registry.named_game(GAME)
            file = Path("data/table.json") if random.random() < 0.3 else None
            position = Position(game, game.state())
            if random.random() < 0.5:
                position = registry.read_position(*random.choice(seeds().of(".pos")))
            position = msgspec.structs.replace(position, asks=position.asks[:1])
            self.session, self.typed = Session(Table(position), 100, file), []
            self.session.begin()
        line = seeds().words[GAME].typed(self.session.pending, random)
        self.typed.append(line)
        said = self.session.enter(line)
        refused = [text for text in said if text.startswith("! ")]
        untidy = [text for text in map(printable, said) if not text.isprintable()]
        longest = max((sum(map(len, said[said.index(text) :])) for text in refused), default=0)
        if untidy or (refused and len(said) > 20) or longest > 1500:
            return "", "\n".join(said)
        return (_kind(refused[0]) if refused else "read"), ""


def _module(path: Path) -> tuple[str, str]:
    try:
        module = read_module(path.read_bytes())
    except InputError as error:
        return _kind(str(error)), _untidy(str(error))
    return "read", _untidy("".join(module.unread[:1]))


def _command(program: str, words: tuple[str, ...], typed: bytes = b"") -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    before, code = sys.stdin, 0
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            {ASSISTANT: cli, BUILDER: builder}[program].main([*words], prog_name=program)
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            sys.stdin = before
    said = err.getvalue().rstrip("\n")
    untidy = not all(line.isprintable() for line in (*said.split("\n"), *out.getvalue().split("\n")))
    if untidy:
        return "", f"signs that steer a terminal: {said!r} {out.getvalue()[-2000:]!r}"
    if code in (0, UNDECIDED):
        return "read", said if len(said.split("\n")) > 6 else ""
    if code == FAULTY and (program == BUILDER or words[0] == "pack"):
        return "mistakes named", said if len(said.split("\n")) > 250 else ""
    if code == USAGE:
        return "usage", ""
    if code != UNUSABLE:
        return "", f"exit code {code}: {said}"
    return _kind(_unnamed(said, words)), _untidy(said)


def _unnamed(said: str, words: tuple[str, ...]) -> str:
    for word in words:
        if "." in word:
            said = said.replace(word, "FILE")
    return said


# --- two processes ------------------------------------------------------------------------------------------------------


def _together(random: Random) -> tuple[str, str]:
    """Two processes that write the same files at once: each says what it kept, and all of that is there afterwards."""
    number = random.randrange(10, 90)
    sets = [
        [f"pack set {GAME} ground {column}.{row} terrain clear" for row in (number, number + 1)] for column in (10, 11)
    ]
    others = [
        f"viewpoint {GAME} russian",
        f"viewpoint {GAME} none",
        f"pack diff {GAME}",
        f"table {GAME}",
        f"pack export {GAME} x.zip --force",
    ]
    told = []
    for mine in sets:
        commands = [*mine, *random.sample(others, 2)]
        random.shuffle(commands)
        reading, writing = os.pipe()
        if child := os.fork():
            os.close(writing)
            told.append((child, reading))
        else:
            os.close(reading)
            results = []
            for command in commands:
                try:
                    results.append((command, *_command(ASSISTANT, tuple(command.split()), b"turn=3\nquit\n")))
                except BaseException:
                    results.append((command, "", traceback.format_exc()))
            os.write(writing, json.dumps(results).encode())
            os._exit(0)
    kept = []
    for child, reading in told:
        with open(reading, "rb") as pipe:
            results = json.loads(pipe.read() or "[]")
        os.waitpid(child, 0)
        if not results or (crash := next((crash for *_, crash in results if crash), "")):
            return "", f"a process of two: {crash if results else 'it died'}"
        kept += [
            command.split()[4] for command, kind, _ in results if kind == "read" and command.startswith("pack set")
        ]
    ground = Path(f"data/packs/{GAME}/ground.csv").read_text("utf-8")
    lost = [place for place in kept if f",{place}," not in ground]
    if lost:
        return "", f"said to be kept, and lost: {lost}"
    for command in (f"pack check {GAME}", "viewpoint", f"table {GAME}"):
        kind, crash = _command(ASSISTANT, tuple(command.split()), b"quit\n")
        if kind != "read" or crash:
            return "", f"{command} afterwards: {kind} {crash}"
    return "read", ""


# --- words ----------------------------------------------------------------------------------------------------------------


def _untidy(said: str) -> str:
    """What is wrong with a message: more than two lines, too long, or signs that steer a terminal."""
    lines = said.split("\n")
    return said if len(lines) > 2 or len(said) > 2000 or not all(line.isprintable() for line in lines) else ""


def _kind(said: str) -> str:
    """A message without names and numbers."""
    first = said.split("\n")[0].removeprefix("assistant: ").removeprefix("! ")
    first = re.sub(r"(?:FILE|[^ ]*/data/[^ :]*)[:0-9]*(: public notes[:0-9]*)?: ", "", first)
    first = re.sub(r"""(['"]).*\1""", "...", first)
    return re.sub(r"[0-9]+", "N", first)[:60]


@contextlib.contextmanager
def environment(folder: Path) -> Iterator[Mapping[str, str]]:
    """Settings under which a run is the same everywhere: no limits of the user's own, and no data of theirs."""
    before = dict(os.environ)
    for name in [name for name in os.environ if name.startswith("FIELD_STAFF_")]:
        del os.environ[name]
    os.environ |= {"COLUMNS": "100", "FIELD_STAFF_DATA": str(folder / "data")}
    try:
        yield os.environ
    finally:
        os.environ.clear()
        os.environ |= before


__all__ = ["MEMORY", "MODULE", "SECONDS", "TOGETHER", "Desk", "Outcome", "environment", "limit_memory", "outcome"]
