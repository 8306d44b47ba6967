"""A pytest plugin that notes how much of the processor each test takes, and whether `make test` runs it: `-p tests.clock`, into the file
that CLOCK names.

A clock on the wall would tell how busy the machine is.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec  # noqa: F401  # before coverage, which imports it to look for what it covers, and forgets it: a second one cannot be pickled
import pytest

FILE = "CLOCK"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Add a line for a test; each process of a run adds its own."""
    before = _spent()
    yield
    with Path(os.environ[FILE]).open("a", encoding="utf-8") as file:
        kind = "thorough" if item.get_closest_marker("thorough") else "usual"
        file.write(f"{_spent() - before:.3f} {kind} {item.nodeid}\n")


def seconds_in(file: Path, kinds: Collection[str] = ("usual", "thorough")) -> dict[str, float]:
    """The seconds of each test, as a run has noted them. kinds: `usual` for those that `make test` runs, `thorough` for those that it does
    not."""
    lines = (line.split(" ", 2) for line in file.read_text("utf-8").splitlines())
    return {test: float(seconds) for seconds, kind, test in lines if kind in kinds}


def _spent() -> float:
    """Seconds of this process and of those that it has waited for."""
    return time.process_time() + sum(os.times()[2:4])
