"""What `docs/referee` keeps of the suites: the first cases of each, and in a table what tells whether the whole is made again."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from assistant.installed.registry import make_game_loader

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/referee"
TABLE = FOLDER / "suites.csv"
WHOLE = ROOT / "build/referee"
"""The folder of the whole suites, which git ignores."""
SAMPLE = 4
"""The number of cases kept of each suite."""
MAX_SHOWN = 5
"""The number of differing cases whose lines are printed."""
_MARK_DIGITS = 4
"""Digits of the mark of a case. The hash of the whole suite finds what marks of this length miss."""


class Row(NamedTuple):
    """A row of the table."""

    game: str
    subject: str
    cases: int
    sha256: str
    marks: str
    """A mark of the head and one of each case, in their order."""

    @property
    def name(self) -> str:
        """Game and subject, as in the path of the file."""
        return f"{self.game}/{self.subject}"


def hash_text(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8."""
    return sha256(text.encode()).hexdigest()


def split_suite(text: str) -> list[str]:
    """Return the head of a suite or a sample and each of its cases."""
    return re.split(r"\n\n(?=case )", re.sub(r"\n\n# \d+ more cases.*", "", text).rstrip("\n"))


def cut_sample(text: str) -> str:
    """Return the head and the first cases of a suite, with a comment that counts the others."""
    parts = split_suite(text)
    sample = "\n\n".join(parts[: 1 + SAMPLE])
    others = len(parts) - 1 - SAMPLE
    return f"{sample}\n\n# {others} more cases: make referee\n" if others > 0 else f"{sample}\n"


def list_marks(text: str) -> list[str]:
    """Return the marks of the head and the cases of a suite."""
    return [hash_text(part)[:_MARK_DIGITS] for part in split_suite(text)]


def make_row(name: str, text: str) -> Row:
    """Return the row of a whole suite. name: GAME/SUBJECT"""
    marks = list_marks(text)
    game, _, subject = name.partition("/")
    return Row(game, subject, len(marks) - 1, hash_text(text), " ".join(marks))


def read_table() -> dict[str, Row]:
    """Return the rows of the table by game and subject."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = [Row(**{**row, "cases": int(row["cases"])}) for row in csv.DictReader(file)]
    return {row.name: row for row in rows}


def write_table(rows: Mapping[str, Row]) -> None:
    """Write the table, in order of the names."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Row._fields)
    writer.writerows(rows[name] for name in sorted(rows))
    TABLE.write_text(text.getvalue(), "utf-8", newline="\n")


def find_known(row: Row, whole: Path = WHOLE) -> str:
    """Return the text of a suite as it was recorded: all of it if it was made before, or else its sample."""
    made = whole / f"{row.name}.txt"
    text = made.read_text("utf-8") if made.is_file() else ""
    return text if hash_text(text) == row.sha256 else (FOLDER / f"{row.name}.txt").read_text("utf-8")


def list_differences(row: Row, known: str, text: str) -> Iterator[str]:
    """Yield the names of the cases in which a suite differs from its row, then their lines.

    `known`: the text as it was recorded, or the beginning of it. Of cases beyond it the lines are those made now.
    """
    if hash_text(text) == row.sha256:
        return
    before, now = split_suite(known), split_suite(text)
    pairs = zip_longest(row.marks.split(), list_marks(text))
    changed = [number for number, (mark, made) in enumerate(pairs) if mark != made]
    named = {number: _name_part(number, now) for number in changed}
    yield f"{row.name}: other than in {TABLE.name}: {', '.join(named.values()) or 'what no mark shows'}"
    for number in changed[:MAX_SHOWN]:
        lines = [part[number].splitlines() if number < len(part) else [] for part in (before, now)]
        yield from unified_diff(*lines, "recorded", f"made now: {named[number]}", n=1, lineterm="")


def _name_part(number: int, parts: list[str]) -> str:
    if not number:
        return "the head"
    return parts[number].partition("\n")[0] if number < len(parts) else f"case {number} of before, which is gone"


def write_suites() -> str:
    """Return the table of the suites for the page on them."""
    lines = ["| game, file | cases | what is asked |", "| --- | --- | --- |"]
    for row in read_table().values():
        head = (FOLDER / f"{row.name}.txt").read_text("utf-8").splitlines()
        about = " ".join(line.removeprefix("# ") for line in head if line.startswith("# "))
        link = f"[{row.subject}](../referee/{row.name}.txt)"
        lines.append(
            f"| *{make_game_loader(pack='none')(row.game).title}*: {link} | {row.cases} | {about.partition('. ')[0]} |"
        )
    return "\n".join(lines)
