"""Histories of served tables on disks that fail, told by a seed: nothing acknowledged is lost, and no seat sees another table."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ..comparing.search import Row, Search
from ..served.checking import IN_MEMORY
from .histories import History, fewer_steps, make_history, write_history
from .playing import play


def find_faults(history: History, seen: Counter[str]) -> Iterator[str]:
    """Yield the fault that ends a history."""
    with TemporaryDirectory(dir=IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None) as place:
        folder = Path(place).resolve()
        os.environ["FIELD_STAFF_DATA"] = str(folder / "data")
        if fault := play(history, folder / "table", seen):
            yield fault


SEARCH = Search(
    "years",
    make_history,
    find_faults,
    500,
    write=write_history,
    smaller=fewer_steps,
    row=Row(
        "Years at a table",
        "{steps:,} steps in {cases:,} histories, {killed:,} kills, {lost:,} losses of power, {full:,} full disks",
        "{faults} histories at fault; {bytes searched:,} bytes without a secret",
        500,
    ),
    chunk=2,
)
