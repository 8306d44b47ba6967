"""Which tests execute which statements of some functions, and how long each takes.

A probe stands before each statement of these functions: tests run at nearly their usual speed, where a tracer would make them two or three
times as slow. This module is a pytest plugin too: `-p tests.reached` notes what the functions are that PROBED names, into the folder NOTES.
"""

from __future__ import annotations

import ast
import copy
import os
import pickle
import subprocess
import sys
import time
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from .credited import Function, all_functions, load_function
from .mutants import build

ROOT = Path(__file__).parent.parent
RULES = ROOT / "build" / "rules"
"""What `make rules` keeps."""
SOURCES = [ROOT / name for name in ("assistant", "plugins", "module_builder", "pyproject.toml")]
"""The folders and files on which it depends, with the tests, what comes of a test."""
PROCESSES = min(2, os.cpu_count() or 1)
TOLD = 20_000
"""How many signs are shown at most of what pytest prints of tests that fail."""
PLUGINS = "plugins"
"""What names all games among what is covered."""
PROBED, FOLDER = "PROBED", "NOTES"
NOTES = "notes-*.pickle"
MARKS = "_executed"
"""What a function with probes calls the numbers of those that were met."""


class Notes(NamedTuple):
    """What a process has noted: of each test its seconds and whether `make test` runs it; by file and line the numbers of the tests that execute
    the statement there."""

    tests: dict[str, tuple[float, bool]]
    executed: dict[str, dict[int, array[int]]]


def covered_functions(covered: Collection[str]) -> Iterator[Function]:
    """The functions that some names stand for: those of a package or folder of modules, of all games, or one, `module:name`."""
    games = [
        (folder.name, folder) for folder in sorted((ROOT / PLUGINS).iterdir()) if (folder / "__init__.py").is_file()
    ]
    core = [(name, ROOT / name) for name in ("assistant", "module_builder")]
    whole = {*covered, *((name for name, _ in games) if PLUGINS in covered else ())}
    for package, folder in (*games, *core):
        if any(name.startswith(package) for name in whole):
            for function in all_functions(package, folder):
                parts = function.module.split(".")
                above = {".".join(parts[:count]) for count in range(1, len(parts) + 1)}
                if key_of(function) in whole or above & whole:
                    yield function


def key_of(function: Function) -> str:
    """What a function is called among what is covered."""
    return f"{function.module}:{function.name}"


def are_covered(functions: Iterable[str], covered: Collection[str]) -> bool:
    """Whether functions are among what is covered, themselves or with their package."""
    return all(name in covered or name.partition(".")[0] in covered for name in functions)


class Noting:
    """A pytest plugin that puts probes into functions and notes what each test executes of them. file: where it writes that."""

    def __init__(self, functions: Iterable[Function], file: Path) -> None:
        self._file = file
        self._met: dict[int, None] = {}
        self._tests: dict[str, tuple[float, bool]] = {}
        self._statements: list[tuple[str, list[int]]] = []
        for function in functions:
            self._put_probes(function)
        self._executed = [array("I") for _ in self._statements]

    def _put_probes(self, function: Function) -> None:
        tree = copy.deepcopy(function.tree)
        statements = put_probes(tree, len(self._statements))
        try:
            original = load_function(function)
            changed = build(tree, original.__globals__, function.owner, str(function.file))
        except (AssertionError, ImportError, KeyError, NameError):  # a command, or defined in another way
            return
        starts = {node.lineno for node in (function.tree, *function.tree.decorator_list)}
        is_it = original.__code__.co_firstlineno in starts  # and not another one of the same name
        if is_it and changed.__code__.co_freevars == original.__code__.co_freevars:
            self._statements += ((str(function.file), lines) for lines in statements)
            original.__globals__[MARKS] = self._met
            original.__code__ = changed.__code__

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note a test: the seconds of the processor that it takes, as a clock on the wall would tell how busy the machine is."""
        self._met.clear()
        before, number = _spent(), len(self._tests)
        yield
        self._tests[item.nodeid] = _spent() - before, item.get_closest_marker("thorough") is None
        for statement in tuple(self._met):
            self._executed[statement].append(number)

    def write(self) -> None:
        """Write what was noted."""
        executed: dict[str, dict[int, array[int]]] = {}
        for (file, lines), tests in zip(self._statements, self._executed, strict=True):
            if tests:
                executed.setdefault(file, {}).update(dict.fromkeys(lines, tests))
        self._file.write_bytes(pickle.dumps(Notes(self._tests, executed)))

    def pytest_sessionfinish(self) -> None:
        """Write what was noted, where pytest runs the tests."""
        self.write()


def put_probes(tree: ast.FunctionDef, first: int) -> list[list[int]]:
    """Put a probe before each statement of a function, numbered from `first`; the lines of each: those that are in no inner statement."""
    owners: dict[int, int] = {}
    count = first
    for node in [*ast.walk(tree)]:  # from outside to within
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if not isinstance(block, list):
                continue
            probed = []
            for statement in block:
                if not isinstance(statement, ast.Global | ast.Nonlocal) and not _is_docstring(statement):
                    lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
                    owners |= dict.fromkeys(lines, count)
                    mark = ast.Subscript(ast.Name(MARKS, ast.Load()), ast.Constant(count), ast.Store())
                    probed.append(ast.copy_location(ast.Assign([mark], ast.Constant(None)), statement))
                    count += 1
                probed.append(statement)
            setattr(node, field, probed)
    return [[line for line, owner in owners.items() if owner == number] for number in range(first, count)]


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note what each test executes that this process runs; pytest calls this where it has collected tests."""
    file = Path(os.environ[FOLDER], NOTES.replace("*", str(os.getpid())))
    functions = covered_functions(os.environ[PROBED].split(","))
    session.config.pluginmanager.register(Noting(functions, file))


def trace(selection: Sequence[str], covered: Collection[str], folder: Path, is_shown: bool = False) -> None:
    """Run some tests, and note into a folder what they execute of what is covered. is_shown: whether to print what pytest prints.

    It exits with what is wrong if a test fails.
    """
    forget_notes(folder)
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(PROCESSES), "--dist", "worksteal", *selection]
    environment = os.environ | {PROBED: ",".join(covered), FOLDER: str(folder)}
    command += ["-p", __name__]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=not is_shown, text=True, check=False)
    if done.returncode:
        _, _, failed = (done.stdout or "").rpartition("= FAILURES =")
        sys.exit("\n".join([failed[-TOLD:], (done.stderr or "")[-TOLD:], "the tests fail: mend them first"]))


def forget_notes(folder: Path) -> None:
    """Make a folder ready for new notes."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob(NOTES):
        file.unlink()


class Reached:
    """What runs have noted. folders: where; only_usual: whether tests count alone that `make test` runs."""

    def __init__(self, folders: Iterable[Path], only_usual: bool = False) -> None:
        self._runs = [pickle.loads(file.read_bytes()) for folder in folders for file in sorted(folder.glob(NOTES))]
        self.seconds = {
            test: seconds
            for run in self._runs
            for test, (seconds, is_usual) in run.tests.items()
            if is_usual or not only_usual
        }
        self._order = sorted(self.seconds, key=lambda test: (self.seconds[test], test))
        self._places = {test: place for place, test in enumerate(self._order)}
        self._lines: dict[str, dict[int, int]] = {}

    def tests(self, file: Path, lines: Iterable[int], among: int = -1) -> list[str]:
        """The tests that execute any of these lines, the fastest first. among: which alone, as `mask` tells them."""
        masks, found = self._masks(str(file)), 0
        for line in lines:
            found |= masks.get(line, 0)
        found &= among
        tests = []
        while found:
            lowest = found & -found
            tests.append(self._order[lowest.bit_length() - 1])
            found ^= lowest
        return tests

    def mask(self, tests: Iterable[str]) -> int:
        """A number that tells some tests from the others."""
        bits = bytearray(len(self._order) // 8 + 1)
        for test in tests:
            if (place := self._places.get(test)) is not None:
                bits[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(bits, "little")

    def _masks(self, file: str) -> dict[int, int]:
        if file not in self._lines:
            masks = self._lines[file] = {}
            for run in self._runs:
                names, known = [*run.tests], {}
                for line, tests in run.executed.get(file, {}).items():
                    if id(tests) not in known:
                        known[id(tests)] = self.mask(names[number] for number in tests)
                    masks[line] = masks.get(line, 0) | known[id(tests)]
        return self._lines[file]


def _spent() -> float:
    """Seconds of this process and of those that it has waited for."""
    return time.process_time() + sum(os.times()[2:4])
