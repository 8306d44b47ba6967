"""What a mail or a sheet holds for a journal, shown before it is taken."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ...util.console import format_count
from ...util.files import read_bytes
from .exchange import read_message
from .journal import Journal
from .lines import JournalLine, format_line
from .sheets import read_sheet


class Preview(NamedTuple):
    """What would be taken: the entries to add, what is said of them, and how many cannot be taken."""

    lines: tuple[JournalLine, ...]
    said: tuple[str, ...]
    faults: int


def preview(journal: Journal, source: Path) -> Preview:
    """Return what a mail, or a sheet by its ending .csv, holds for a journal. Raises InputError for a file that is
    neither.
    """
    data = read_bytes(source)
    if source.suffix.casefold() == ".csv":
        rows = read_sheet(journal, data, str(source))
        lines = tuple(row.entry for row in rows if row.entry and not row.known)
        known = sum(row.known for row in rows)
        names = ("row is", "rows are")
        if faults := [[f"{source}:{row.line}: {row.fault}"] for row in rows if row.fault]:
            lines = ()
            faults.append([f"nothing of {source} is taken until every row can be read"])
    else:
        lines, known, forks, missing = read_message(journal, data.decode("utf-8-sig", "replace"), str(source))
        names = ("entry is", "entries are")
        faults = [
            [f"both sides have corrected: {target}", f"    ours:   {ours}", f"    theirs: {theirs}"]
            for target, ours, theirs in forks
        ]
        faults += [[f"it follows what is not here, take the mail with that first: {line}"] for line in missing]
    texts = [*map(format_line, lines)]
    if known:
        texts.append(f"{format_count(known, *names)} there already")
    for first, *more in faults:
        texts += [f"! {first}", *more]
    return Preview(lines, tuple(texts) or ("nothing to take",), len(faults))
