"""What probes tell of which tests execute which statements, and when what `make rules` has run need not be run again."""

from __future__ import annotations

import ast
import importlib
import pickle
import subprocess
import sys
from array import array
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from . import faults, reached
from .cases import thorough
from .credited import all_functions
from .reached import ROOT, Notes, Noting, Reached, are_covered, covered_functions, key_of, put_probes
from .tried import Tried

SOURCE = '''"""Made up."""


def losses(steps, most=3):
    """The losses."""
    if (
        steps > most
    ):
        return [
            "all",
        ]
    for step in range(steps):
        yield step


class Unit:
    """A unit."""

    @property
    def left(self):
        """Steps left."""
        return 1

    @left.setter
    def left(self, left):
        raise ValueError
'''


def test_a_probe_stands_for_the_lines_of_a_statement_without_those_within_it() -> None:
    tree = ast.parse(SOURCE).body[1]
    assert isinstance(tree, ast.FunctionDef)
    assert put_probes(tree, 7) == [[6, 7, 8], [12], [9, 10, 11], [13]]


def run_tests(noting: Noting, **tests: Any) -> None:
    """Run some functions as tests, and write what they execute."""
    for name, test in tests.items():
        mark = object() if name.startswith("thorough") else None
        item: Any = SimpleNamespace(nodeid=f"tests/a.py::{name}", get_closest_marker=lambda _, mark=mark: mark)
        running = noting.pytest_runtest_protocol(item)
        next(running)
        test()
        assert next(running, None) is None
    noting.write()


def test_probes_tell_what_each_test_executes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "probed_game"
    package.mkdir()
    file = package / "units.py"
    file.write_text(SOURCE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("probed_game.units")
    noting = Noting(all_functions("probed_game", package), tmp_path / "notes-1.pickle")
    run_tests(
        noting,
        all_lost=lambda: list(module.losses(5)),
        two_lost=lambda: list(module.losses(2)),
        thorough_left=lambda: module.Unit().left,
        nothing=lambda: None,
    )
    known = Reached([tmp_path])
    told = {line: {test.partition("::")[2] for test in known.tests(file, [line])} for line in (4, 7, 10, 13, 22)}
    assert told == {4: set(), 7: {"all_lost", "two_lost"}, 10: {"all_lost"}, 13: {"two_lost"}, 22: {"thorough_left"}}
    assert known.tests(file, [22], known.mask(["tests/a.py::all_lost"])) == []
    assert len(known.seconds) == 4
    assert Reached([tmp_path], only_usual=True).tests(file, [22]) == []


def test_runs_tell_together_which_tests_execute_a_line_the_fastest_first(tmp_path: Path) -> None:
    def note(number: int, tests: dict[str, float], lines: dict[int, Sequence[int]]) -> None:
        executed = {"/module.py": {line: array("I", numbers) for line, numbers in lines.items()}}
        notes = Notes({name: (seconds, True) for name, seconds in tests.items()}, executed)
        (tmp_path / f"notes-{number}.pickle").write_bytes(pickle.dumps(notes))

    note(1, {"a::slow[a b]": 2.0, "a::other": 0.1}, {1: [0], 2: [0]})
    note(2, {"b::fast": 0.5, "b::as_fast": 0.5}, {2: [0, 1], 3: [0]})
    known = Reached([tmp_path])
    assert known.tests(Path("/module.py"), [2]) == ["b::as_fast", "b::fast", "a::slow[a b]"]
    assert known.tests(Path("/module.py"), [1, 3]) == ["b::fast", "a::slow[a b]"]
    assert known.tests(Path("/module.py"), [4]) == known.tests(Path("/other.py"), [1]) == []


def test_what_is_covered_is_named_by_package_or_function() -> None:
    named = {key_of(function) for function in covered_functions(["assistant.rules", "assistant.util.errors:quoted"])}
    assert "assistant.util.errors:quoted" in named
    assert {name.rpartition(":")[0].split(".")[1] for name in named} == {"rules", "util"}
    assert are_covered(["assistant.service:ask"], ["plugins", "assistant.service:ask"])
    assert are_covered(["assistant.service:ask"], ["assistant"])
    assert not are_covered(["assistant.service:ask"], ["assistant.service:tell"])


@pytest.mark.parametrize(("noted", "left_out"), [([], False), (["assistant.service:ask"], True), (["other:f"], False)])
def test_tests_that_make_rules_has_run_on_the_same_sources_are_not_run_again(
    noted: list[str], left_out: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("source", "tests"):
        (tmp_path / folder).mkdir()
    ran: list[Sequence[str]] = []
    monkeypatch.setattr(reached, "RULES", tmp_path / "rules")
    monkeypatch.setattr(reached, "SOURCES", [tmp_path / "source"])
    monkeypatch.setattr(reached, "trace", lambda selection, *_, **__: ran.append(selection))
    monkeypatch.setattr(faults, "KEPT", tmp_path / "faults")
    monkeypatch.setattr(faults, "ROOT", tmp_path)
    monkeypatch.setattr(faults, "keys_of", lambda _: ["assistant.service:ask"])
    if noted:
        Tried(tmp_path / "rules", [tmp_path / "source"], tmp_path / "tests").keep_noted(noted)
    assert faults.trace([], is_shown=True).seconds == {}
    faults.trace([])
    assert [selection[-1] == "not thorough and not rule" for selection in ran] == [left_out], "the second is kept"


@thorough
def test_tests_shared_out_to_processes_are_each_run_once_and_those_that_fail_are_told(tmp_path: Path) -> None:
    for name in ("a", "b"):
        text = "import pytest\n@pytest.mark.parametrize('n', range(30))\ndef test_it(n): assert n != 7 or __file__.endswith('test_a.py')\n"
        (tmp_path / f"test_{name}.py").write_text(text, "utf-8")
    code = (
        "import sys; from pathlib import Path; from tests import forks\n"
        "forks.collect(sys.argv[1:], lambda tests: print(tests.trace(lambda: [], Path(sys.argv[1], 'kept'), 2)))"
    )
    command = [sys.executable, "-c", code, str(tmp_path), "--rootdir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "False" in done.stdout
    assert (done.stderr.count("test_b.py::test_it[7]\n"), done.stderr.count("::test_it")) == (1, 1)
    assert len(Reached([tmp_path / "kept"]).seconds) == 60
