"""Histories of served tables that a seed tells, with failing disks and new starts.

`make explore WHAT=years` plays 500 of them.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

import pytest

from assistant.faces.page import own_lines
from assistant.faces.page.own_lines import OwnFile
from assistant.records.journal.journal_file import JournalFile

from ..cases import few, seeds
from ..comparing.search import tried
from .checking import SEARCH, find_faults
from .histories import PLAYS, History, Step, fewer_steps, make_history, read_history, write_history
from .playing import play

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps open files and syncs no folder")
STEPS = 12
"""How many steps a history of the tests takes."""


@posix
@few(3)
@pytest.mark.parametrize("number", seeds(30))
def test_nothing_is_lost_and_no_seat_sees_another_table(tmp_path: Path, number: int) -> None:
    history = make_history(number, SEARCH.seed, STEPS)
    seen = Counter[str]()
    assert not play(history, tmp_path / "table", seen), write_history(history)
    assert seen["steps"] == STEPS and seen["bytes searched"]


def test_a_seed_tells_one_history() -> None:
    assert make_history(3, 7) == make_history(3, 7) != make_history(3, 8)
    assert {make_history(number, 7).play for number in range(6)} == {*range(len(PLAYS))}


@posix
def test_a_history_is_played_the_same_each_time(tmp_path: Path) -> None:
    history = make_history(0, 5, 6)
    journals = []
    for name in ("one", "other"):
        table = tmp_path / name
        assert not play(history, table, Counter())
        (journal,) = table.glob("*/page/front.journal")
        journals.append(journal.read_bytes())
    assert journals[0] == journals[1]


def test_a_script_is_the_history_that_it_was_written_from() -> None:
    history = make_history(0, 5, 9)
    assert read_history("# a fault\n" + write_history(history)) == history
    assert all(len(fewer.steps) < 9 or fewer.steps != history.steps for fewer in fewer_steps(history))


def entering(*lines: tuple[str, str], way: str = "", share: float = 0.0) -> History:
    """A history at the first table, in which lines are entered one after the other; the last on a disk that may fail."""
    steps = [Step("line", seat, text, f"tap {at}") for at, (seat, text) in enumerate(lines)]
    return History(0, "test", (*steps[:-1], steps[-1]._replace(way=way, share=share)))


HIDDEN = ("central-powers", "44.20: gcover, german infantry X zqc1 (4-4-1-7)")
PLACED = ("russian", "45.25: russian infantry X x1 (4-4-1-7)")


@posix
def test_a_lost_line_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OwnFile, "add", lambda self, line: setattr(self, "lines", (*self.lines, line)))
    history = entering(("russian", "1/1 lost=1"), way="killed", share=0.99)
    assert "1/1" in play(history, tmp_path, Counter())


@posix
def test_a_tap_that_counts_twice_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JournalFile, "for_tap", lambda self, tap: nullcontext())
    monkeypatch.setattr(JournalFile, "entered_by", lambda self, tap: 0)
    once = Step("line", "laptop", "45.25 rough", "tap")
    between = Step("line", "laptop", "45.25 clear", "other")
    found = play(History(0, "test", (once, between, once)), tmp_path, Counter())
    assert found == "the tap tap counts twice (step 3)"


@posix
def test_a_secret_in_a_byte_for_the_foe_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.faces.page.side_desk.Onlooker.sight", lambda self, game, state: state)
    assert "russian learns what central-powers hides" in play(entering(HIDDEN), tmp_path, Counter())


@posix
def test_a_new_start_that_changes_something_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_lines, "_read_lines", lambda data: ((), data))
    history = entering(("russian", "1/1 lost=1"))
    assert "a new start changes russian" in play(history, tmp_path, Counter())


@posix
def test_an_undo_that_leaves_something_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.years.playing._standing", lambda looks: {"laptop": {"entry": str(looks)}})
    history = History(0, "test", (Step("back", *PLACED, "tap"),))
    assert "the undo of 45.25" in play(history, tmp_path, Counter())


@posix
def test_a_search_names_the_history_at_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", "")
    monkeypatch.setattr("tests.years.checking.play", lambda history, folder, seen: f"{history.seed} differs")
    assert tried(SEARCH, [4], 9).wrong == ["years 4: 9 4 differs"]
    assert list(find_faults(make_history(4, 9), Counter())) == ["9 4 differs"]


REACHING = {"read_text", "write_text", "write_bytes", "mkdir", "rmdir", "touch", "hardlink_to", "symlink_to"}
"""The methods of paths that reach the disk by themselves; `open` and `os` are left to the import contract."""
ON_THE_WAY = (
    "records/journal/files.py",
    "records/journal/journal_file.py",
    *(f"faces/page/{name}.py" for name in ("own_lines", "old_sides", "side_desk", "sides", "statements", "tables")),
    *(f"faces/page/server/{name}.py" for name in ("room", "seats")),
)


@pytest.mark.parametrize("name", ON_THE_WAY)
def test_journals_and_tables_reach_the_disk_by_one_module(name: str) -> None:
    tree = ast.parse((ROOT / "assistant" / name).read_text("utf-8"))
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = {call.id for call in calls if isinstance(call, ast.Name)}
    methods = {call.attr for call in calls if isinstance(call, ast.Attribute)}
    others = {call.attr for call in calls if isinstance(call, ast.Attribute) and ast.unparse(call.value) != "disk"}
    assert not named & {"open", "read_bytes", "write_whole", "make_folder"}
    assert not (methods & REACHING) and not (others & {"unlink", "read_bytes", "write_whole"}), others
