"""Each call by which something is written fails once, on a full disk or a broken one: what is said of it is true each time."""

from __future__ import annotations

import builtins
import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.formats.positions import Position
from assistant.plugins.registry import load_game, pack_of
from assistant.prompt.keeping import TableFile
from assistant.prompt.session import Session
from assistant.prompt.table import Table
from assistant.service import write
from assistant.util.errors import InputError
from assistant.util.saving import Unsettled, write_all, write_whole

from ..assistant.prompt.test_session import DICE, EXAMPLE
from ..conftest import GAME, typed

CALLS = ("fsync", "replace", "link", "rename", "mkdir", "chmod", "unlink", "open")
ERRORS = (errno.ENOSPC, errno.EIO)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a disk is full in another way there")


class Failing:
    """Lets the call number `at` to a function of the system fail, once."""

    def __init__(self, patch: pytest.MonkeyPatch, call: str, code: int, at: int) -> None:
        self.left, self.code = at, code
        patch.setattr(os, call, self.instead_of(getattr(os, call)))
        if call == "open":
            patch.setattr(builtins, "open", self.instead_of(builtins.open))

    def instead_of(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def tried(*names: Any, **more: Any) -> Any:
            self.left -= 1
            if not self.left:
                raise OSError(self.code, os.strerror(self.code))
            return call(*names, **more)

        return tried

    @property
    def has_failed(self) -> bool:
        return self.left <= 0


def each_failing(monkeypatch: pytest.MonkeyPatch, work: Callable[[int], None]) -> Iterator[tuple[str, int]]:
    """Does work again and again, each time with another call that fails, and gives way after each to be checked."""
    number = 0
    for call in CALLS:
        for code in ERRORS:
            for at in range(1, 60):
                number += 1
                with monkeypatch.context() as patch:
                    failing = Failing(patch, call, code, at)
                    work(number)
                if not failing.has_failed:
                    break
                yield f"{call} {at}", number


def kept(file: Path) -> Table | None:
    return TableFile(file).read(load_game) if file.exists() else None


def test_the_table_says_whether_it_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`done` too, with its journal."""
    game = load_game(GAME)
    ready = Session(Table(Position(game, game.state())), 100)
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
        in_force = there is not None and there.journal == session.table.journal
        assert ("carried out, not kept" in text) == (not in_force), where
        assert ("carried out and written into the journal" in text) == in_force, where
        assert session.unkept == (not in_force), where
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


def test_the_pack_says_whether_it_keeps_a_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = ""

    def entered(number: int) -> None:
        nonlocal outcome
        monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / str(number)))
        try:
            pack_of(load_game(GAME)).enter_value("2/1", "steps", "12")
            outcome = "written"
        except Unsettled:
            outcome = "written"
        except InputError:
            outcome = "not written"

    for where, _ in each_failing(monkeypatch, entered):
        values = pack_of(load_game(GAME)).values()
        assert (outcome == "written") == (values == {"2/1": {"steps": "12"}}), where
