"""Served tables on disks that fail, and across new starts.

A case is a scene, of which each call of each line fails in turn, or an example, which is served anew after each of its lines.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..comparing.search import Search
from .restarts import JOURNALS, POSITIONS, compare_starts, name_example
from .scenes import SCENES
from .sweep import Sweep

IN_MEMORY = "/dev/shm"
LOSSES = 2
"""The number of losses of power to try at each call."""
CASES: tuple[str | Path, ...] = (*SCENES, *JOURNALS, *POSITIONS)


class Table(NamedTuple):
    """A served table. `tried`: the name of a scene, or the file of an example."""

    tried: str | Path
    seed: int

    def __str__(self) -> str:
        return self.tried if isinstance(self.tried, str) else name_example(self.tried)


def find_faults(table: Table, seen: Counter[str]) -> Iterator[str]:
    """Yield what a seat shows otherwise after a failure or a new start."""
    with TemporaryDirectory(dir=IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None) as place:
        folder = Path(place).resolve() / "table"
        os.environ["FIELD_STAFF_DATA"] = str(folder.with_name("data"))
        if isinstance(table.tried, Path):
            yield from (f"{table}: {each}" for each in compare_starts(table.tried, folder))
            return
        sweep = Sweep(SCENES[table.tried], folder, range(table.seed, table.seed + LOSSES))
        yield from sweep.find_faults_of_twin()
        seen["calls that fail"] += len(sweep.points)
        for fault in sweep.try_points(sweep.points):
            seen[fault.point.way] += 1
            seat, line = sweep.scene.lines[fault.point.line]
            yield f"{seat}: {line}: {fault}"


SEARCH = Search(
    "served",
    lambda number, seed: Table(CASES[number % len(CASES)], seed + number // len(CASES)),
    find_faults,
    len(CASES),
    0,
    chunk=1,
)
