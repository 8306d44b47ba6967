"""What each step of the last run of continuous integration took, put into docs/maintaining/runs.md: `python -m tests.steps build/ci/steps`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from . import runs
from .prints import table, with_table

HEAD = "step of `.ci/run`"


def steps_table(lines: str) -> list[str]:
    """The table of the steps, each a line with its seconds and its name. Raises ValueError if a line has another form."""
    return table((HEAD, "seconds"), list(_read_steps(lines)))


def _read_steps(lines: str) -> Iterator[tuple[str, int]]:
    for line in lines.splitlines():
        seconds, name = line.split(maxsplit=1)
        yield name, int(seconds)


def main() -> None:
    """Put the steps that a file holds into the page, with the day and the number of processors."""
    rows = [*steps_table(Path(sys.argv[1]).read_text("utf-8")), f"| on {date.today()}, processors | {os.cpu_count()} |"]
    runs.PAGE.write_text(with_table(runs.PAGE.read_text("utf-8"), rows), "utf-8")


if __name__ == "__main__":
    main()
