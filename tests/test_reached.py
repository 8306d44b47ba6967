"""What runs under coverage have told, and when what `make rules` has run need not be run again."""

from __future__ import annotations

from pathlib import Path

import coverage
import pytest

from . import reached
from .faults import run_by_rules
from .reached import Reached
from .tried import Tried


def run_of(file: Path, tests: dict[str, list[int]]) -> Path:
    """The data of a run: by test which lines of a module it has executed."""
    data = coverage.CoverageData(str(file))
    for test, lines in tests.items():
        data.set_context(f"{test}|run")
        data.add_lines({"/module.py": lines})
    data.write()
    return file


def test_runs_tell_together_which_tests_execute_a_line_the_fastest_first(tmp_path: Path) -> None:
    first = run_of(tmp_path / "first", {"tests/a.py::slow[a b]": [1, 2], "tests/a.py::thorough": [1]})
    second = run_of(tmp_path / "second", {"tests/b.py::fast": [2, 3], "tests/b.py::as_fast": [2]})
    seconds = {"tests/a.py::slow[a b]": 2.0, "tests/b.py::fast": 0.5, "tests/b.py::as_fast": 0.5}
    known = Reached([first, second], seconds)
    module = Path("/module.py")
    assert known.tests(module, [2]) == ["tests/b.py::as_fast", "tests/b.py::fast", "tests/a.py::slow[a b]"]
    assert known.tests(module, [1]) == ["tests/a.py::slow[a b]"], "only tests whose seconds are known count"
    assert known.tests(module, [4]) == known.tests(Path("/other.py"), [1]) == []
    assert Reached([first], seconds).tests(module, [3]) == []


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where `make rules` keeps what it has run, on sources of another folder."""
    monkeypatch.setattr(reached, "RULES", tmp_path / "rules")
    source, tests = tmp_path / "source", tmp_path / "tests"
    for folder in (source, tests):
        folder.mkdir()
    return tmp_path / "rules"


def test_tests_that_make_rules_has_run_on_the_same_sources_are_not_run_again(rules: Path) -> None:
    tried = Tried(rules, [rules.parent / "source"], rules.parent / "tests")
    covered = ["plugins", "assistant.service"]
    assert run_by_rules(tried.state, ["assistant.service"]) == {}, "nothing has been run yet"
    every = {"tests/a.py::test_a": 0.25, "tests/a.py::test_b": 1.5}
    assert tried.seconds(lambda: every, covered) == every
    (rules / "seconds.txt").write_text("0.250 usual tests/a.py::test_a\n1.500 thorough tests/a.py::test_b\n", "utf-8")
    assert run_by_rules(tried.state, ["assistant.service"]) == {"tests/a.py::test_a": 0.25}
    assert run_by_rules(tried.state, ["assistant.service", "assistant.records.mailing"]) == {}
    assert run_by_rules("other sources", ["assistant.service"]) == {}


def test_tests_are_run_again_for_modules_that_were_not_noted(rules: Path) -> None:
    tried = Tried(rules, [rules.parent / "source"], rules.parent / "tests")
    assert tried.seconds(lambda: {"a": 1.0}, ["plugins"]) == {"a": 1.0}
    assert tried.seconds(lambda: {"a": 2.0}, ["plugins"]) == {"a": 1.0}
    assert tried.seconds(lambda: {"a": 3.0}, ["plugins", "assistant.service"]) == {"a": 3.0}
    assert tried.seconds(lambda: {"a": 4.0}) == {"a": 3.0}
