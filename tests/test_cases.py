"""Which cases are left to the thorough run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from .cases import LongFirst, examples, leave_to_thorough, seeds, thorough
from .faults import PATIENCE, choose_tests, draw


class Item:
    """A case of a test with few ones."""

    def __init__(self, name: str, few: int = 0) -> None:
        self.path, self.name, self.few = Path("test_x.py"), name, few
        self.marks: list[str] = []

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return pytest.Mark("few", (self.few,), {}, _ispytest=True) if name == "few" and self.few else None

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.marks.append(mark.name)


@pytest.mark.parametrize(
    ("cases", "few", "kept"), [(10, 2, [0, 5]), (10, 1, [0]), (7, 3, [0, 2, 4]), (3, 3, [0, 1, 2]), (2, 5, [0, 1])]
)
def test_few_cases_are_spread_over_all_of_them(cases: int, few: int, kept: list[int]) -> None:
    items = [Item("test_a", few) for _ in range(cases)]
    others = [Item("test_b") for _ in range(3)]
    leave_to_thorough([*others, *items])  # type: ignore[list-item]
    assert [number for number, item in enumerate(items) if "thorough" not in item.marks] == kept
    assert not any(item.marks for item in others)


def test_long_tests_come_first_and_keep_their_order() -> None:
    items = [Item("test_a"), Item("test_b"), Item("test_c"), Item("test_d")]
    items[1].path, items[3].path = Path("tests/engine/test_x.py"), Path("tests/assistant/faces/page/test_x.py")
    LongFirst().pytest_collection_modifyitems(items)  # type: ignore[arg-type]
    assert [item.name for item in items] == ["test_b", "test_d", "test_a", "test_c"]


def test_a_run_with_a_number_of_its_own_has_other_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CASES", raising=False)
    assert seeds(4) == range(4)
    monkeypatch.setenv("CASES", "3")
    assert seeds(4) == range(12, 16)
    assert examples(3) == 3


@thorough
def test_faults_are_drawn_by_a_seed() -> None:
    first, again, other = ([str(fault) for fault in draw(3, seed, "module_builder")] for seed in (7, 7, 8))
    assert (first, len(first)) == (again, 3)
    assert first != other


class Reached:
    """What four tests execute, the last of them for too long; those named in `at` execute the changed line too."""

    seconds: ClassVar = {"tests/assistant/formats/test_json.py::test_d": 2 * PATIENCE}

    def __init__(self, at: list[str]) -> None:
        self.at = at

    def tests(self, file: Path, lines: Sequence[int]) -> list[str]:
        others = ["tests/hostile/test_games.py::test_a", "tests/assistant/state/test_tracks.py::test_b"]
        return self.at if len(lines) == 1 else [*others, "tests/test_pages.py::test_c", *self.seconds]


@thorough
def test_the_tests_that_execute_the_changed_line_come_first_and_the_nearest_of_them() -> None:
    (fault,) = draw(1, 7, "assistant.state.tracks")
    beside, page, far = (
        "tests/assistant/state/test_tracks.py::test_b",
        "tests/test_pages.py::test_c",
        "tests/hostile/test_games.py::test_a",
    )
    assert choose_tests(fault, Reached([])) == [beside, page, far]  # type: ignore[arg-type]
    assert choose_tests(fault, Reached([far])) == [far, beside, page]  # type: ignore[arg-type]
