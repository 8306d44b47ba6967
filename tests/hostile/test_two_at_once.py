"""Two runs at once: nothing that one of them keeps is lost by the other, and nobody reads half a file."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from assistant.faces.prompt.files import TableFile
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.pack_charts import list_keys
from assistant.game.packs import Pack
from assistant.game.states import build_state
from assistant.game.viewpoint_settings import read_viewpoints, set_viewpoint
from assistant.installed.registry import load_game
from assistant.util.errors import InputError
from assistant.util.writing import hold_folder

from ..cases import few, seeds, thorough

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks")


def forked(work: Callable[[], None]) -> int:
    """Do work in a process of its own. Returns its id."""
    process = os.fork()
    if process:
        return process
    try:
        work()
        os._exit(0)
    finally:
        os._exit(1)


def both(*works: Callable[[], None]) -> None:
    """Do works at the same time."""
    processes = [forked(work) for work in works]
    assert [os.waitpid(process, 0)[1] for process in processes] == [0] * len(works)


@thorough
def test_cells_that_two_runs_enter_are_all_there(twilight: Game, tmp_path: Path) -> None:
    keys = list_keys(twilight.chart("crt"))

    def enter(which: int) -> Callable[[], None]:
        def work() -> None:
            pack = Pack(twilight, tmp_path)
            for key in keys[which::2]:
                pack.charts.enter_cells("crt", {key: "+1 / -"})

        return work

    both(enter(0), enter(1))
    assert Pack(twilight, tmp_path).charts.cells("crt").keys() == set(keys)


def test_viewpoints_that_two_runs_set_are_all_there_and_a_reader_sees_none_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))

    def setting(name: str) -> Callable[[], None]:
        return lambda: [set_viewpoint(f"{name}-{number}", "red") for number in range(40)] and None

    def reading() -> None:
        count = 0
        while count < 80:
            now = len(read_viewpoints())
            assert now >= count
            count = now

    both(setting("one"), setting("two"), reading)
    assert len(read_viewpoints()) == 80


def test_a_second_run_says_that_there_is_a_first(tmp_path: Path) -> None:
    with hold_folder(tmp_path), pytest.raises(InputError) as caught, hold_folder(tmp_path, 0.05):
        pass
    assert caught.value.what == "another run is changing the files in it"
    assert caught.value.hint == "try again when that run has ended"


def test_a_lock_ends_with_its_run_however_that_ends(tmp_path: Path) -> None:
    def killed() -> None:
        with hold_folder(tmp_path):
            (tmp_path / "held").touch()
            time.sleep(60)

    process = forked(killed)
    while not (tmp_path / "held").exists():
        time.sleep(0.01)
    os.kill(process, 9)
    os.waitpid(process, 0)
    with hold_folder(tmp_path, 0.5):
        pass


# --- two prompts ------------------------------------------------------------------------------------------------------


def prompt(game: Game, file: Path) -> Session:
    """A prompt that goes on with the kept table."""
    kept = TableFile(file)
    return Session(kept.read(load_game) or TableState(Position(game, build_state(game))), 200, kept)


@few(3)
@pytest.mark.parametrize("seed", seeds(6))
def test_two_prompts_at_one_table_lose_nothing(twilight: Game, tmp_path: Path, seed: int) -> None:
    random, file = Random(seed), tmp_path / "table.json"
    prompt(twilight, file).enter("t=1")
    sessions = [prompt(twilight, file), prompt(twilight, file)]
    moved = []
    for number in range(2, 10):
        session = random.choice(sessions)
        said = "\n".join(session.enter(f"t={number}"))
        moved += (
            [session] if "another prompt has changed the saved table; from now on this one is saved as" in said else []
        )
        for one in sessions:
            kept = TableFile(one.file.file).read(load_game) if one.file else None
            typed = len(one.tables) > 1
            assert not typed or (kept and kept.position.state == one.table.position.state)
    used = {id(session) for session in sessions if len(session.tables) > 1}
    assert len(moved) == len(used) - 1, "said once"
    assert sorted(name.name for name in tmp_path.glob("*.json")) == ["table.beside.json", "table.json"][-len(used) :]


def test_a_table_that_another_prompt_has_set_aside_is_not_written_into_the_new_one(
    twilight: Game, tmp_path: Path
) -> None:
    file = tmp_path / "table.json"
    first = prompt(twilight, file)
    first.enter("t=1")
    second = TableFile(file)
    assert second.set_aside() == tmp_path / "table.before.json"
    assert second.keep(TableState(Position(twilight, build_state(twilight)))) is None
    assert "saved as" in "\n".join(first.enter("t=2"))
    assert sorted(name.name for name in tmp_path.glob("*.json")) == [
        "table.before.json",
        "table.beside.json",
        "table.json",
    ]


def test_a_prompt_that_could_not_keep_its_table_for_a_time_still_knows_it(
    twilight: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = prompt(twilight, tmp_path / "table.json")
    session.enter("t=1")
    with monkeypatch.context() as patch:

        def full(*_: object, **__: object) -> None:
            raise InputError("No space left on device")

        patch.setattr("assistant.faces.prompt.files.write_whole", full)
        assert "! table not saved" in "\n".join(session.enter("t=2"))
    assert "saved as" not in "\n".join(session.enter("t=3"))
    kept = TableFile(tmp_path / "table.json").read(load_game)
    assert kept and kept.position.state.value("turn") == 3
