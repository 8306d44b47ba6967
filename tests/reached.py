"""Which tests execute which lines, and how long each takes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import coverage
import pytest

from . import clock

ROOT = Path(__file__).parent.parent
RULES = ROOT / "build" / "rules"
"""What `make rules` keeps."""
SOURCES = [ROOT / name for name in ("assistant", "plugins", "module_builder", "pyproject.toml")]
"""The folders and files on which it depends, with the tests, what comes of a test."""
TOLD = 20_000
"""How many signs are shown at most of what pytest prints of tests that fail."""
PROCESSES = min(2, os.cpu_count() or 1)


def trace(
    selection: Sequence[str], covered: Sequence[str], file: Path, processes: int = PROCESSES, is_shown: bool = False
) -> dict[str, float]:
    """Run some tests under coverage, whose data goes into a file; the seconds of the processor that each takes.

    covered: folders, or modules; processes: that run them, 0 for few tests, for which it would not pay to begin any; is_shown:
    whether to print what pytest prints. It exits with what is wrong if a test fails.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    times = file.with_name("seconds.txt")
    times.unlink(missing_ok=True)
    shared = (
        ["-n", str(processes), "--dist", "worksteal"] if processes else []
    )  # as for others, coverage names no tests then
    command = [sys.executable, "-m", "pytest", "-q", *shared, *selection]
    command += [*(f"--cov={name}" for name in covered), "--cov-context=test", "--cov-report=", "-p", clock.__name__]
    environment = os.environ | {"COVERAGE_FILE": str(file), clock.FILE: str(times)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=not is_shown, text=True, check=False)
    if done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED:
        sys.exit(f"no test is chosen by {' '.join(selection[:2])}")
    if done.returncode:
        _, _, failed = (done.stdout or "").rpartition("= FAILURES =")
        sys.exit("\n".join([failed[-TOLD:], (done.stderr or "")[-TOLD:], "the tests fail: mend them first"]))
    return clock.seconds_in(times)


class Reached:
    """What runs under coverage have told. files: their data; seconds: how long each test takes that counts."""

    def __init__(self, files: Iterable[Path], seconds: Mapping[str, float]) -> None:
        self._runs = [coverage.CoverageData(str(file)) for file in files]
        for run in self._runs:
            run.read()
        self._lines: dict[Path, list[Mapping[int, Iterable[str]]]] = {}
        self.seconds = seconds

    def tests(self, file: Path, lines: Iterable[int]) -> list[str]:
        """The tests that execute any of these lines, the fastest first."""
        if file not in self._lines:
            self._lines[file] = [run.contexts_by_lineno(str(file)) for run in self._runs]
        contexts = {context for line in lines for run in self._lines[file] for context in run.get(line, ())}
        tests = {context.rpartition("|")[0] for context in contexts}
        return sorted(tests & self.seconds.keys(), key=lambda test: (self.seconds[test], test))
