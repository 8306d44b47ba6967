"""A served table that sides share: every call of a line killed, lost or on a full disk, and a new start at every line.

`make explore WHAT=served` tries all of it and prints what differs.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

from ..cases import few, seeds, thorough
from ..comparing.search import tried
from . import checking
from .checking import CASES, SEARCH
from .restarts import JOURNALS, POSITIONS, compare_starts, name_example
from .scenes import SCENES
from .sweep import Sweep

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps open files and syncs no folder")
LINES_PLAYED = {"marches": 2, "guesses": 6, "combat": 2, "sixteen": 2}
"""The number of lines of each scene that `make test` plays."""
POINTS_TRIED = 5
"""The number of their calls that fail in `make test`."""


@posix
@pytest.mark.parametrize("name", SCENES)
def test_line_on_a_disk_that_fails_is_entered_once_and_for_every_seat(tmp_path: Path, name: str) -> None:
    scene = SCENES[name]
    sweep = Sweep(scene._replace(lines=scene.lines[: LINES_PLAYED[name]]), tmp_path / "scene")
    for seed in seeds(1):
        assert not list(map(str, sweep.try_points(Random(seed).sample(sweep.points, POINTS_TRIED))))


@thorough
@posix
@pytest.mark.parametrize("name", SCENES)
def test_every_call_of_a_line_may_fail(tmp_path: Path, name: str) -> None:
    sweep = Sweep(SCENES[name], tmp_path / "scene", seeds(1))
    assert not list(sweep.find_faults_of_twin())
    assert not list(map(str, sweep.try_points(sweep.points)))


SAMPLES = [file for file in JOURNALS if file.stat().st_size < 5000]
STEPS = {file: 1 + file.stat().st_size // 2000 for file in JOURNALS}
"""The step between the lines that are tried, by journal: the longer the journal, the larger."""


@few(2)
@pytest.mark.parametrize("file", POSITIONS, ids=name_example)
def test_a_new_start_changes_nothing_at_a_position(tmp_path: Path, file: Path) -> None:
    assert not list(compare_starts(file, tmp_path / "table"))


@pytest.mark.parametrize("file", SAMPLES, ids=name_example)
def test_a_new_start_changes_nothing_at_some_lines_of_a_journal(tmp_path: Path, file: Path) -> None:
    assert not list(compare_starts(file, tmp_path / "table", 1 + file.stat().st_size // 280, first=4))


@thorough
@pytest.mark.parametrize("file", JOURNALS, ids=name_example)
def test_a_new_start_changes_nothing_at_a_line_of_a_journal(tmp_path: Path, file: Path) -> None:
    assert not list(compare_starts(file, tmp_path / "table", STEPS[file]))


def test_the_search_names_the_example_that_a_new_start_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", "")
    monkeypatch.setattr(checking, "compare_starts", lambda file, folder: iter([f"{file.name} differs"]))
    number = CASES.index(POSITIONS[0])
    assert tried(SEARCH, [number]).wrong == [
        f"served {number}: {name_example(POSITIONS[0])}: {POSITIONS[0].name} differs"
    ]
