"""Each call by which something is written fails once, on a full disk or a broken one: what is said of it is true each time."""

from __future__ import annotations

import builtins
import errno
import io
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from assistant.faces.prompt.files import TableFile
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position
from assistant.game.states import build_state
from assistant.installed.registry import load_game, pack_of
from assistant.service import write
from assistant.util.errors import InputError
from assistant.util.writing import Unsettled, write_all, write_whole

from ..assistant.faces.cli.test_output import DICE as ALL_DICE
from ..assistant.faces.cli.test_output import SAVE
from ..assistant.faces.prompt.test_session import DICE, EXAMPLE
from ..cases import thorough
from ..conftest import GAME, typed
from .commands import WRITING as COMMANDS
from .commands import Command, Tree, prepared, tree
from .kills import assistant, builder

READING = ("r", "rb")
TO_WRITE, OPENED_TO_WRITE = "open to write", os.O_WRONLY | os.O_RDWR | os.O_CREAT
OF_FILES = ("write", "flush", "close")
CALLS = (*OF_FILES, "fsync", "replace", "link", "rename", "mkdir", "chmod", "unlink", "open")
ERRORS = (errno.ENOSPC, errno.EIO)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a disk is full in another way there")


class Failing:
    """Lets the call number `at` to a function of the system, or of a file that is written, fail, once."""

    def __init__(self, patch: pytest.MonkeyPatch, call: str, code: int, at: int) -> None:
        self.left, self.code = at, code
        if call in OF_FILES:
            for module in (builtins, io):
                patch.setattr(module, "open", self.giving_files(io.open, call))
            return
        if call == TO_WRITE:
            for module in (builtins, io):
                patch.setattr(module, "open", self.instead_of(io.open, lambda _, mode="r", *more: mode not in READING))
            patch.setattr(
                os,
                "open",
                self.instead_of(os.open, lambda path, flags, *more: flags & OPENED_TO_WRITE or os.path.isdir(path)),
            )
            return
        patch.setattr(os, call, self.instead_of(getattr(os, call)))
        if call == "open":
            for module in (builtins, io):
                patch.setattr(module, "open", self.instead_of(io.open))

    def giving_files(self, opening: Callable[..., Any], call: str) -> Callable[..., Any]:
        def opened(file: Any, mode: str = "r", *rest: Any, **more: Any) -> Any:
            found = opening(file, mode, *rest, **more)
            return found if mode in READING else Spoiled(found, call, self.instead_of)

        return opened

    def instead_of(
        self, call: Callable[..., Any], counts: Callable[..., object] = lambda *_: True
    ) -> Callable[..., Any]:
        """The call, or the error in place of it. counts: whether it may fail, by what it is called with."""

        def tried(*names: Any, **more: Any) -> Any:
            self.left -= bool(counts(*names))
            if not self.left and counts(*names):
                raise OSError(self.code, os.strerror(self.code))
            return call(*names, **more)

        return tried

    @property
    def has_failed(self) -> bool:
        return self.left <= 0


class Spoiled:
    """A file of which one call may fail; it is closed even if the call that closes it fails."""

    def __init__(self, file: Any, call: str, instead_of: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
        self.file, self.call, self.instead_of = file, call, instead_of

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self.file, name)
        return self.instead_of(asked) if name == self.call else asked

    def __enter__(self) -> Spoiled:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        was_open = not self.file.closed
        self.file.close()
        if was_open and self.call == "close":
            self.instead_of(self.file.close)()


def each_failing(
    monkeypatch: pytest.MonkeyPatch,
    work: Callable[[int], None],
    ready: Callable[[], object] = lambda: None,
    calls: Sequence[str] = CALLS,
    errors: Sequence[int] = ERRORS,
) -> Iterator[tuple[str, int]]:
    """Does work again and again, each time with another call that fails, and gives way after each to be checked.

    ready: makes things ready before each time; none of its calls fails.
    """
    number = 0
    for call in calls:
        for code in errors:
            for at in range(1, 60):
                number += 1
                ready()
                with monkeypatch.context() as patch:
                    failing = Failing(patch, call, code, at)
                    work(number)
                if not failing.has_failed:
                    break
                yield f"{call} {at}", number


def kept(file: Path) -> TableState | None:
    return TableFile(file).read(load_game) if file.exists() else None


@thorough
def test_the_table_says_whether_it_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`done` too, with its journal."""
    game = load_game(GAME)
    ready = Session(TableState(Position(game, build_state(game))), 100)
    for line in ("t=1", EXAMPLE, *DICE):
        ready.enter(line)
    assert ready.shown and ready.shown.report.changes and not ready.pending
    said: list[str] = []
    session, file = ready, tmp_path

    def carried_out(number: int) -> None:
        nonlocal said, session, file
        file = tmp_path / f"{number}.json"
        session = Session(ready.table, 100, TableFile(file))
        session.begin()
        said = session.enter("done")

    failures = 0
    for where, _ in each_failing(monkeypatch, carried_out):
        failures += 1
        text, there = " ".join(said), kept(file)
        in_force = there is not None and there.done == session.table.done
        assert ("carried out, not saved" in text) == (not in_force), where
        assert ("carried out and entered in the journal" in text) == in_force, where
        assert session.is_unsaved == (not in_force), where
    assert failures > 8


def test_a_file_is_said_to_be_written_if_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of positions, of anything that is written in one step, and of sets of files."""
    position = typed("turn=1\n40.20: 25/3")
    outcome = ""
    target = tmp_path

    def told(work: Callable[[Path], object]) -> Callable[[int], None]:
        def tried(number: int) -> None:
            nonlocal outcome, target
            target = tmp_path / f"{work.__name__}-{number}"
            try:
                work(target)
                outcome = "written"
            except Unsettled as error:
                outcome = error.what.partition(",")[0]
            except InputError:
                outcome = "not written"

        return tried

    def position_file(file: Path) -> None:
        write(position, str(file.with_suffix(".pos")))

    def in_one_step(file: Path) -> None:
        write_whole(file.with_suffix(".pos"), b"whole", force=True)

    def as_a_set(folder: Path) -> None:
        write_all(folder, {"one.pos": b"one", "two.pos": b"two"})

    for work in (position_file, in_one_step, as_a_set):
        for where, _ in each_failing(monkeypatch, told(work)):
            there = target.with_suffix(".pos").exists() or target.is_dir()
            assert (outcome == "written") == there, (work.__name__, where, outcome)


@thorough
def test_the_pack_says_whether_it_keeps_a_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = ""

    def entered(number: int) -> None:
        nonlocal outcome
        monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / str(number)))
        try:
            pack_of(load_game(GAME)).enter_all({("2/1", "steps"): "12"})
            outcome = "written"
        except Unsettled:
            outcome = "written"
        except InputError:
            outcome = "not written"

    for where, _ in each_failing(monkeypatch, entered):
        values = pack_of(load_game(GAME)).values()
        assert (outcome == "written") == (values == {"2/1": {"steps": "12"}}), where


DIG_IN = ("assistant", "dig-in", str(SAVE), "--unit", "25/3", "--points", "7", "--after")
WRITING: dict[str, tuple[Command, str]] = {
    "--after, a save": (Command((*DIG_IN, "next.vsav")), "next.vsav"),
    "--after, a save over another": (
        Command((*DIG_IN, "next.vsav", "--force"), before={"next.vsav": "old"}),
        "next.vsav",
    ),
    "--after, a log": (Command((*DIG_IN, "next.vlog")), "next.vlog"),
    "--after, a position": (Command((*DIG_IN, "next.pos")), "next.pos"),
    "--after, half a battle": (
        Command(("assistant", "battle", str(SAVE), "--answers", "crt=2+5", "--after", "half.vsav")),
        "half.vsav",
    ),
    "module": (Command(("module-builder", "module", "GAME", "--out", "mine.vmod")), "mine.vmod"),
    "counters": (COMMANDS["counters"], "drawn"),
    "counters in a folder": (COMMANDS["counters in a folder"], "drawn"),
    "viewpoint": (COMMANDS["viewpoint"], "settings.json"),
    "pack export": (COMMANDS["pack export"], "mine.zip"),
}
"""Commands that write one file or one set of files, and its name."""


def told_by(command: Command, folder: Path) -> tuple[int, str]:
    """The exit code of a command that runs in this process and in a folder, and what it says on standard error."""
    program = {"assistant": assistant, "module-builder": builder}[command.words[0]]
    done = CliRunner().invoke(program, list(command.words[1:]), prog_name=command.words[0])
    assert done.exception is None or isinstance(done.exception, SystemExit), (folder, done.exception)
    return done.exit_code, done.stderr


def of_user(folder: Path) -> Tree:
    """The files in a folder but for what the program may keep or not, such as boards read before."""
    return {name: data for name, data in tree(folder).items() if not name.startswith("data/cache/")}


@thorough
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("what", WRITING)
def test_a_command_says_whether_it_has_written(
    what: str, error: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With exit code 0 all of it is there; "written, but" is said of what is there; else nothing is."""
    command, name = WRITING[what]
    folder, code, said = tmp_path / "here", 0, ""
    if "GAME" in command.words:
        game = tmp_path / "heath"
        told_by(Command(("module-builder", "new", str(game))), tmp_path)
        command = msgspec.structs.replace(
            command, words=tuple(str(game) if word == "GAME" else word for word in command.words)
        )

    def run(_: int = 0) -> None:
        nonlocal code, said
        code, said = told_by(command, folder)

    def ready() -> Tree:
        cache, aside = folder / "data" / "cache", tmp_path / "cache"
        if cache.exists():
            cache.rename(aside)
        shutil.rmtree(folder, ignore_errors=True)
        prepared(command, folder)
        if aside.exists():  # of boards, which take long to read
            cache.parent.mkdir(exist_ok=True)
            aside.rename(cache)
        monkeypatch.chdir(folder)
        return of_user(folder)

    monkeypatch.setenv("FIELD_STAFF_DATA", str(folder / "data"))
    before = ready()
    run()
    after = of_user(folder)
    assert code in (0, 4) and after != before
    failures = 0
    for where, _ in each_failing(monkeypatch, run, ready, (*CALLS[:-1], TO_WRITE), (error,)):
        failures += 1
        written = code in (0, 4) or f"{name}: written, but" in said
        assert of_user(folder) == (after if written else before), (where, code, said)
        assert code in (0, 4) or said.startswith(command.words[0]), (where, code, said)
    assert failures > 8


def test_what_is_perhaps_not_on_the_disk_keeps_nothing_else_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = Command(
        ("assistant", "battle", str(SAVE), "--answers", ALL_DICE, "--picture", "battle.svg", "--after", "next.vsav")
    )
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    told_by(command, tmp_path)  # fills the caches, whose files are synced too
    for file in ("battle.svg", "next.vsav"):
        (tmp_path / file).unlink()
    with monkeypatch.context() as patch:
        Failing(patch, "fsync", errno.EIO, 2)
        code, said = told_by(command, tmp_path)
    assert code == 3 and "battle.svg: written, but its durability is unknown" in said
    assert "save written: next.vsav" in said and {"battle.svg", "next.vsav"} <= of_user(tmp_path).keys()
