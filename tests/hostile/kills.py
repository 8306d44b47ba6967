"""Commands that write, killed at each of their calls that write: what was acknowledged stays, nothing is half there, and the next
run works and clears up.

`make explore WHAT=kills` kills them at the n-th call that writes, whose data are then half written: in this process, alone and beside a second
writer of the same files, and, where strace is installed, by the kernel at the n-th system call.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from assistant.faces.cli.group import UNUSABLE_EXIT_CODE
from assistant.faces.cli.main import cli as assistant
from module_builder.cli import cli as builder

from ..comparing.search import Row, Search
from .commands import SECOND, WRITING, Command, Moment, Tree, left, prepared, tree

KILLED = 137

# --- in this process --------------------------------------------------------------------------------------------------

_CALLS = ("write", "fsync", "replace", "link", "rename", "unlink", "remove", "mkdir", "rmdir", "chmod", "ftruncate")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class _Half(io.FileIO):
    """A file that is killed half way through what is written to it."""

    tick: Callable[[], bool]

    def write(self, data: Any) -> int:
        if self.tick():
            super().write(data[: len(data) // 2])
            os._exit(KILLED)
        return super().write(data)


def watched(tick: Callable[[], bool]) -> None:
    """Call `tick` before each call of this process that writes; if it returns True, the process is killed there and then."""

    def tried(call: Callable[..., Any]) -> Callable[..., Any]:
        def made(*words: Any, **options: Any) -> Any:
            if tick():
                os._exit(KILLED)
            return call(*words, **options)

        return made

    opened, os_opened = io.open, os.open

    def os_open(path: Any, flags: int, *rest: Any, **options: Any) -> int:
        if flags & _WRITES and tick():
            os._exit(KILLED)
        return os_opened(path, flags, *rest, **options)

    def open_file(path: Any, mode: str = "r", *rest: Any, **options: Any) -> Any:
        if "b" not in mode or "r" in mode or not isinstance(path, str | os.PathLike):
            return opened(path, mode, *rest, **options)
        if tick():
            os._exit(KILLED)
        return _Half(path, mode, opener=options.get("opener"))

    _Half.tick = staticmethod(tick)
    for name in _CALLS:
        setattr(os, name, tried(getattr(os, name)))
    os.open = os_open
    io.open = builtins.open = open_file  # type: ignore[assignment]


def forked(command: Command, folder: Path, prepare: Callable[[], None], *, again: bool = False) -> int:
    """Run a command in a folder in a process of its own, which calls `prepare` first. Returns its exit code.

    What it prints goes into the files `told` and `complained` beside the folder; again: as the next run.
    """
    return ended(begun(command, folder, prepare, again=again))


def ended(process: int) -> int:
    """Wait for a process. Returns its exit code."""
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def begun(command: Command, folder: Path, prepare: Callable[[], None], *, again: bool = False, prints: str = "") -> int:
    """Begin to run a command as `forked` does. Returns its process; prints: how the names of what it prints end."""
    process = os.fork()
    if process:
        return process
    try:
        os.chdir(folder)
        os.environ["FIELD_STAFF_DATA"] = str(folder / "data")
        os.environ["FIELD_STAFF_VASSAL"] = str(folder / "vassal")
        beside = folder.parent / f"{folder.name}{prints}"
        sys.stdout = Path(f"{beside}.told").open("w", encoding="utf-8")  # noqa: SIM115  # until the process ends
        sys.stderr = Path(f"{beside}.complained").open("w", encoding="utf-8")  # noqa: SIM115
        sys.stdin = io.StringIO("t=4\n" if again and command.words[1] != "learn" else command.typed)
        words = command.again or command.words if again else command.words
        program = assistant if words[0] == "assistant" else builder
        prepare()
        try:
            program.main(list(words[1:]), prog_name=words[0])
        except SystemExit as end:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(int(end.code or 0))
    finally:
        sys.stderr.flush()
        os._exit(99)


def told(folder: Path) -> bytes:
    """What the last run in a folder has printed."""
    return Path(f"{folder}.told").read_bytes()


def reference(command: Command, folder: Path) -> list[Moment]:
    """What a user could see from moment to moment of a run that nobody kills."""
    prepared(command, folder)
    log = folder.with_name("moments")

    def prepare() -> None:
        moments: list[Moment] = []

        def tick() -> bool:
            moments.append(Moment(Path(f"{folder}.told").stat().st_size, tree(folder)))
            log_file = opened(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            data = msgspec.msgpack.encode(moments)
            written(log_file, data)
            os.close(log_file)
            return False

        opened, written = os.open, os.write
        watched(tick)

    code = forked(command, folder, prepare)
    assert code == 0, Path(f"{folder}.complained").read_text("utf-8")
    moments = msgspec.msgpack.decode(log.read_bytes(), type=list[Moment])
    return [*moments, Moment(len(told(folder)), tree(folder))]


def killed(command: Command, folder: Path, number: int) -> bool:
    """Run a command and kill it at the call with this number. Returns whether it came so far."""
    prepared(command, folder)
    code = forked(command, folder, partial(_killed_at, number))
    assert code in (0, KILLED), Path(f"{folder}.complained").read_text("utf-8")
    return code == KILLED


def check(command: Command, folder: Path, moments: list[Moment]) -> None:
    """Check what a killed run left, and that the next one works and clears up.

    moments: of a run that was not killed.
    """
    printed, now = len(told(folder)), tree(folder)
    last = max((number for number, moment in enumerate(moments) if moment.told < printed), default=0)
    possible = [moment.tree for moment in moments[last:]]
    if not any("/.field-staff-" in name and name.endswith(".set") for name in left(folder)):
        assert now in possible, f"half written or lost: {sorted(now)}"
    code = forked(command, folder, lambda: None, again=True)
    done = now == moments[-1].tree  # what is there already is not written again without --force
    assert code == 0 or (code == UNUSABLE_EXIT_CODE and done), Path(f"{folder}.complained").read_text("utf-8")
    assert not left(folder)
    if command.words[:2] not in (("assistant", "table"), ("assistant", "pack")):
        assert tree(folder) == moments[-1].tree


def every(name: str, most: int = 1_000_000) -> int:
    """Kill a command at its calls that write, at `most` of them spread over all. Returns how many kills there were."""
    command, kills = WRITING[name], 0
    with _folder() as folder:
        moments = reference(command, folder / "reference")
        calls = len(moments) - 1
        for number in range(1, calls + 1, max(1, -(-calls // most))):
            place = folder / str(number)
            if killed(command, place, number):
                kills += 1
                check(command, place, moments)
            shutil.rmtree(place)
    return kills


# --- beside a second writer -------------------------------------------------------------------------------------------


def beside_another(name: str, most: int = 1_000_000) -> int:
    """Kill a command as `every` does while a second run writes the same files. Returns how many kills there were.

    What either has acknowledged is there afterwards, and the next run works and clears up.
    """
    command, second, kills = WRITING[name], SECOND[name], 0
    with _folder() as folder:
        moments = reference(command, folder / "reference")
        other = reference(msgspec.structs.replace(second, before=command.before), folder / "second")[-1]
        calls = len(moments) - 1
        for number in range(1, calls + 1, max(1, -(-calls // most))):
            place = folder / str(number)
            prepared(command, place)
            processes = (
                begun(second, place, lambda: None, prints=".second"),
                begun(command, place, partial(_killed_at, number)),
            )
            codes = [ended(process) for process in processes]
            assert codes[0] == 0, Path(f"{place}.second.complained").read_text("utf-8")
            assert codes[1] in (0, KILLED), Path(f"{place}.complained").read_text("utf-8")
            kills += codes[1] == KILLED
            printed, now = len(told(place)), facts(tree(place))
            last = max((number for number, moment in enumerate(moments) if moment.told < printed), default=0)
            assert facts(other.tree) <= now, f"what the second run acknowledged is lost: {facts(other.tree) - now}"
            assert any(facts(moment.tree) <= now for moment in moments[last:]), f"half written or lost: {now}"
            assert forked(command, place, lambda: None, again=True) in (0, UNUSABLE_EXIT_CODE)
            assert not left(place)
            shutil.rmtree(place)
    return kills


def _killed_at(number: int) -> None:
    calls = iter(range(1, 1_000_000))
    watched(lambda: next(calls) == number)


def facts(files: Tree) -> set[tuple[str, str]]:
    """What files that two runs write say: each line of a table of values, each game with a setting, each kept table whole."""
    found: set[tuple[str, str]] = set()
    for name, data in files.items():
        text = data.decode()
        if name.endswith(".csv"):
            found |= {(name, line) for line in text.splitlines()}
        elif name == "data/settings.json":
            found |= {(name, game) for game in msgspec.json.decode(data)["viewpoint"]}
        elif name.startswith("data/table/"):
            found.add(("data/table", text))
    return found


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder).resolve()


# --- by the kernel ----------------------------------------------------------------------------------------------------

SYSTEM_CALLS = (
    "write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,chmod,"
    "fchmod,fchmodat,ftruncate,flock"
)


def _traced(command: Command, folder: Path, *options: str) -> int:
    """Run a command in a folder under strace, with its options. Returns its exit code, negative for a signal."""
    prepared(command, folder)
    module = {"assistant": "assistant.faces.cli.main", "module-builder": "module_builder.cli"}[command.words[0]]
    environment = os.environ | {
        "FIELD_STAFF_DATA": str(folder / "data"),
        "FIELD_STAFF_VASSAL": str(folder / "vassal"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    run = [sys.executable, "-c", f"from {module} import main; main()", *command.words[1:]]
    with open(f"{folder}.told", "wb") as out, open(f"{folder}.complained", "wb") as complaints:
        return subprocess.run(
            ["strace", "-f", "-qq", *options, *run],
            cwd=folder,
            env=environment,
            input=command.typed.encode(),
            stdout=out,
            stderr=complaints,
            check=False,
        ).returncode


def every_system_call(name: str) -> int:
    """Kill a command at each of its system calls that write. Returns how many kills there were."""
    command, kills = WRITING[name], 0
    with _folder() as folder:
        moments = reference(command, folder / "reference")
        log = folder / "calls"
        assert _traced(command, folder / "traced", "-o", str(log), "-e", f"trace={SYSTEM_CALLS}") == 0
        calls = Counter(re.findall(r"^\d+ +(\w+)\(", log.read_text("utf-8", "replace"), re.MULTILINE))
        for call, count in calls.items():
            for number in range(1, count + 1):
                place = folder / f"{call}-{number}"
                inject = f"inject={call}:signal=KILL:when={number}"
                code = _traced(command, place, "-o", os.devnull, "-e", f"trace={call}", "-e", inject)
                assert code in (0, -9, KILLED), Path(f"{place}.complained").read_text("utf-8")
                kills += code != 0
                check(command, place, moments)
                shutil.rmtree(place)
    return kills


# --- the search -------------------------------------------------------------------------------------------------------


class Killing(NamedTuple):
    """A command and the way in which it is killed. `kill`: returns how many kills there were."""

    name: str
    kill: Callable[[str], int]


def list_killings() -> list[Killing]:
    """Return each command with each way to kill it, by the kernel only where strace is installed."""
    traced = WRITING if shutil.which("strace") else ()
    ways = {every: WRITING, beside_another: SECOND, every_system_call: traced}
    return [Killing(name, kill) for kill, names in ways.items() for name in names]


def find_faults(killing: Killing, seen: Counter[str]) -> tuple[str, ...]:
    """Kill a command in one way and count that. Raises AssertionError if it leaves something broken."""
    kills = killing.kill(killing.name)
    seen["kills"] += kills
    seen["commands"] += killing.kill is every
    seen[f"{killing.name}, {killing.kill.__name__}"] += kills
    return ()


KILLINGS = list_killings()
ROW = Row(
    "Killed commands",
    "{kills:,} kills in {commands} commands",
    "{faults} left a broken file or lost a line",
    least=len(KILLINGS),
)
SEARCH = Search(
    "kills", lambda number, _: KILLINGS[number % len(KILLINGS)], find_faults, len(KILLINGS), row=ROW, chunk=1
)
