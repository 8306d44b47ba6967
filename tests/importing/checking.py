"""Modules made up from seeds, each imported, built again, adopted and read."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ..comparing.search import Row, Search
from .comparing import compare_made, explain
from .making import Made, make

MAX_DIFFERENCES = 6
"""The number of differences that are named of a module."""


def find_faults(made: Made, seen: Counter[str]) -> Iterator[str]:
    """Yield the differences that nothing explains."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FIELD_STAFF_DATA"] = f"{folder}/data"
        outcome = compare_made(made, Path(folder))
    seen["pieces"] += outcome.pieces
    for difference in islice(explain(outcome), MAX_DIFFERENCES):
        yield f"{difference.kind}: {difference.what} ({', '.join(made.kinds)})"


ROW = Row(
    "Modules of others",
    "{cases:,} modules, {pieces:,} pieces",
    "{cases at fault} with differences that `IMPORT.md` does not explain",
)
SEARCH = Search(
    "imports",
    lambda number, seed: make(seed + number),
    find_faults,
    1000,
    write=lambda made: ", ".join(made.kinds),
    row=ROW,
)
