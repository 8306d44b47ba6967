"""The figures of long runs, one row each in docs/maintaining/runs.md; their tables go into build/runs."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/maintaining/runs.md"
TABLES = ROOT / "build/runs"


def keep_tables(name: str, text: str) -> None:
    """Write the tables of a run, Markdown, into `build/runs/NAME.md`."""
    TABLES.mkdir(parents=True, exist_ok=True)
    (TABLES / f"{name}.md").write_text(text, "utf-8")


def record(run: str, tried: str, found: str, command: str) -> None:
    """Put the figures of a run of today into the page. Raises ValueError if the page has no row of it."""
    row = f"| {run} | {tried} | {found} | {date.today()} | `{command}` |"
    PAGE.write_text(with_row(PAGE.read_text("utf-8"), run, row), "utf-8")


def with_row(page: str, run: str, row: str) -> str:
    """The text of the page with another row of a run. Raises ValueError if it has none."""
    changed, count = re.subn(rf"^\| {re.escape(run)} \|.*$", lambda _: row, page, flags=re.MULTILINE)
    if count != 1:
        raise ValueError(f"{PAGE.name} has {count} rows of {run!r}")
    return changed


def row_of(page: str, run: str) -> str:
    """The row of a run in the text of the page, "" if there is none."""
    return next((line for line in page.splitlines() if line.startswith(f"| {run} |")), "")
