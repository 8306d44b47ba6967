"""What a mail or a spreadsheet holds for a journal, shown before it is taken."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..util.console import count_text
from ..util.files import read_bytes
from .exchange import read_message
from .journal import Journal
from .lines import Line, word_line
from .sheets import read_sheet


class Preview(NamedTuple):
    """What would be taken: the entries to add, what is said of them, and how many cannot be taken."""

    lines: tuple[Line, ...]
    said: tuple[str, ...]
    faults: int


def preview(journal: Journal, source: Path) -> Preview:
    """What a mail, or a sheet by its ending .csv, holds for a journal. Raises InputError for a file that is neither."""
    data = read_bytes(source)
    return (
        _of_sheet(journal, data, source) if source.suffix.casefold() == ".csv" else _of_message(journal, data, source)
    )


def _of_sheet(journal: Journal, data: bytes, source: Path) -> Preview:
    rows = read_sheet(journal, data, str(source))
    lines = tuple(row.entry for row in rows if row.entry and not row.known)
    known = sum(row.known for row in rows)
    faults = [f"! {source}:{row.line}: {row.fault}" for row in rows if row.fault]
    said = (
        *map(word_line, lines),
        *([f"{count_text(known, 'row is', 'rows are')} there already"] if known else []),
        *faults,
    )
    return Preview(lines, said or ("nothing to take",), len(faults))


def _of_message(journal: Journal, data: bytes, source: Path) -> Preview:
    taken = read_message(journal, data.decode("utf-8-sig", "replace"), str(source))
    said = [*map(word_line, taken.lines)]
    if taken.known:
        said.append(f"{count_text(taken.known, 'entry is', 'entries are')} there already")
    for fork in taken.forks:
        said += [
            f"! both sides have corrected: {fork.target}",
            f"    ours:   {fork.ours}",
            f"    theirs: {fork.theirs}",
        ]
    said += [f"! corrects an entry that is not there: {line}" for line in taken.missing]
    return Preview(taken.lines, tuple(said) or ("nothing to take",), len(taken.forks) + len(taken.missing))
