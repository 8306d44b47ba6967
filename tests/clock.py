"""A pytest plugin that notes how much of the processor each test takes: `-p tests.clock`, into the file that CLOCK names.

A clock on the wall would tell how busy the machine is.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

FILE = "CLOCK"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Add a line for a test; each process of a run adds its own."""
    before = _spent()
    yield
    with Path(os.environ[FILE]).open("a", encoding="utf-8") as file:
        file.write(f"{_spent() - before:.3f} {item.nodeid}\n")


def seconds_in(file: Path) -> dict[str, float]:
    """The seconds of each test, as a run has noted them."""
    lines = (line.partition(" ") for line in file.read_text("utf-8").splitlines())
    return {test: float(seconds) for seconds, _, test in lines}


def _spent() -> float:
    """Seconds of this process and of those that it has waited for."""
    return time.process_time() + sum(os.times()[2:4])
