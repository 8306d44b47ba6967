"""Journals as spreadsheets: postings as CSV, and rows of a sheet as entries.

An imported sheet has columns for the turn (or month and turn) and the nation, and either columns for event and amount,
or a column for each event. Cells are read as spreadsheets of any country write them.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import msgspec

from ...game.calendar import parse_date
from ...game.events import Event
from ...game.typed_events import find_holder, read_event, write_event
from ...util.errors import InputError, Where, format_suggestion
from ...util.texts import natural
from .entries import LATE_SIGN
from .journal import Journal
from .lines import JournalLine

COLUMNS = ("turn", "nation", "account", "amount", "entry", "rule", "what")
"""The columns of a sheet of postings."""
_FORMULA_STARTS = ("=", "+", "-", "@", "\t")
"""The characters that begin a formula in spreadsheets."""
COLUMN_TITLES = {
    "turn": ("turn", "date", "when", "month"),
    "of": ("turn of month", "of", "no", "nr"),
    "nation": ("nation", "who", "country", "side"),
    "event": ("event", "what", "word"),
    "amount": ("amount", "points", "number"),
    "note": ("note", "notes", "remark", "comment"),
}
"""The accepted titles of each column of an imported sheet, by key."""


def as_text(cell: str) -> str:
    """Return a cell that spreadsheets read as text, even if it looks like a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) and natural(cell.lstrip("+-")) is None else cell


def write_postings(journal: Journal) -> str:
    """Return all postings of a journal as CSV."""
    rows = [
        (journal.label(p.turn), p.who, p.account, p.amount, p.entry or "", p.rule, as_text(p.what))
        for p in journal.books.postings
    ]
    return _write_rows(COLUMNS, rows)


def write_months(journal: Journal) -> str:
    """Return the sums posted to each account as CSV, with a column for each month.

    In a game without months the columns are turns.
    """
    calendar = journal.rules.calendar
    sums = Counter[tuple[str, str, str]]()
    periods: dict[str, None] = {}
    for posting in journal.books.postings:
        period = str(calendar.month(posting.turn)) if calendar.months else calendar.label(posting.turn)
        periods[period] = None
        sums[posting.who, posting.account, period] += posting.amount
    keys = dict.fromkeys((who, account) for who, account, _ in sums)
    rows = [(who, account, *(sums[who, account, period] for period in periods)) for who, account in keys]
    return _write_rows(("nation", "account", *periods), rows)


def _write_rows(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows((head, *rows))
    return out.getvalue()


class SheetRow(NamedTuple):
    """A row of a sheet, or one of several entries in a row."""

    line: int
    entry: JournalLine | None = None
    """The entry, or None if the row cannot be read."""
    known: bool = False
    """Whether the journal has the entry already."""
    fault: str = ""
    """The fault of the row, or ""."""


def read_sheet(journal: Journal, data: bytes, name: str) -> list[SheetRow]:
    """Return the entries in the rows of a sheet, for a journal.

    `name`: the name of the file.

    Raises InputError if the data are not a sheet of entries.
    """
    is_utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        text = data.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    lines = text.splitlines()
    separator = max(";\t,", key=lambda sign: lines[0].count(sign)) if lines else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows = list[tuple[int, list[str]]]()
    line = 1
    try:
        for cells in reader:
            if cells[:1] != ["sep="]:  # some spreadsheets state their separator in a first row
                rows.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(str(error), where=Where(name, line), hint="check the quotation marks") from None
    if not rows:
        raise InputError("the sheet is empty", where=Where(name, 1))
    columns = _read_columns(journal, rows[0][1], name)
    unmatched = Counter((entry.turn, entry.what) for entry in journal.entries if isinstance(entry.what, Event))
    sheet_rows = list[SheetRow]()
    for line, cells in rows[1:]:
        if any(cell.strip() for cell in cells):
            sheet_rows += _read_entries(journal, columns, cells, line, unmatched, len(rows[0][1]))
    return sheet_rows


def _read_columns(journal: Journal, head: list[str], name: str) -> dict[str, int]:
    """Return the index of each column, by a key of `COLUMN_TITLES` or by an event with its kind."""
    columns: dict[str, int] = {}
    events = journal.rules.events.event
    where = Where(name, 1)
    for at, cell in enumerate(head):
        title = " ".join(cell.casefold().split())
        word, _, kind = title.partition(" ")
        key_by_title = next((key for key, titles in COLUMN_TITLES.items() if title in titles), "")
        if title in ("account", "rule", "entry"):
            raise InputError(
                "these are postings, which entries have made", where=where, hint="take the entries: `send`"
            )
        if title and not key_by_title and (word not in events or (kind and kind not in events[word].kinds)):
            known = [*chain(*COLUMN_TITLES.values()), *events]
            known += [f"{name} {kind}" for name, event in events.items() for kind in event.kinds]
            raise InputError(f"unknown column {cell.strip()[:40]!r}", where=where, hint=format_suggestion(title, known))
        key = key_by_title or title
        if key in columns:
            two_titles = " and ".join(repr(head[column].strip()[:40]) for column in (columns[key], at))
            raise InputError(f"two columns hold the same: {two_titles}", where=where, hint="leave out one of the two")
        if key:
            columns[key] = at
    missing = [key for key in ("turn", "nation") if key not in columns]
    if missing or not ("event" in columns or columns.keys() - COLUMN_TITLES.keys()):
        what = f"the column {missing[0] if missing else 'event'} is missing"
        raise InputError(what, where=where, hint="turn, nation, event, amount, note; or a column for each event")
    return columns


def _read_entries(
    journal: Journal,
    columns: dict[str, int],
    cells: list[str],
    line: int,
    unmatched: Counter[tuple[int, Event]],
    width: int,
) -> Iterator[SheetRow]:
    """Yield the entries of one row.

    `unmatched`: the number of equal entries in the journal, decreased for each one matched to a row.
    `width`: the number of columns.
    """

    def cell(key: str) -> str:
        at = columns.get(key)
        return cells[at].strip() if at is not None and at < len(cells) else ""

    if any(rest.strip() for rest in cells[width:]):
        yield SheetRow(line, fault=f"it has more cells than the {width} columns")
        return
    note = " ".join(cell("note").removeprefix("'").split())
    try:
        turn = _read_turn(journal, cell("turn"), cell("of"))
        who = find_holder(journal.game, journal.rules.events, cell("nation"))
    except InputError as error:
        yield SheetRow(line, fault=str(error))
        return
    words = list[tuple[str, str]]()
    for word in columns:
        if word in COLUMN_TITLES or not cell(word):
            continue
        event_word = word.partition(" ")[0]
        if cell(word) != "0" or journal.rules.events.event[event_word].least == 0:
            words.append((word, cell(word)))
    if "event" in columns and (cell("event") or cell("amount") or not words):
        words.insert(0, (cell("event"), cell("amount")))
    for word, amount in words:
        try:
            event = _read_event(journal, who, word, _read_number(amount), note)
        except InputError as error:
            yield SheetRow(line, fault=error.what)
            continue
        known = unmatched[turn, event] > 0
        if known:
            unmatched[turn, event] -= 1
        flags = (LATE_SIGN,) if turn < journal.turn else ()
        head, _, rest = write_event(journal.rules.events, event).partition(" ")
        yield SheetRow(line, JournalLine(0, journal.label(turn), flags, head, rest), known)


def _read_event(journal: Journal, who: str, word: str, amount: str, note: str) -> Event:
    """Return the event of a row. A note that would be read as part of the event is put in brackets."""
    if not word:
        raise InputError("the event is missing")
    name, _, kind = word.partition(" ")
    plain = " ".join(filter(None, (name, amount, kind)))
    event = read_event(journal.game, journal.rules.events, who, plain)
    noted = read_event(journal.game, journal.rules.events, who, f"{plain} {note}") if note else event
    if msgspec.structs.replace(noted, note=event.note) != event:
        noted = read_event(journal.game, journal.rules.events, who, f"{plain} ({note})")
    return noted


def _read_turn(journal: Journal, text: str, of: str) -> int:
    """Return the number of a turn in a cell, such as `aug14/3`, or of a month, such as `Aug-14`, and turn `of`."""
    parsed = parse_date(text.replace("'", ""))
    if parsed is not None and parsed[1] is None and (natural(of) is not None or of.casefold() == "s"):
        text = f"{parsed[0]}/{of}"
    elif parsed is None and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}", text):
        raise InputError(
            f"{text[:20]!r} is a day of the calendar",
            hint="the sheet has made a date of the turn: write it as text, aug14/3",
        )
    return journal.rules.calendar.number(text)


def _read_number(text: str) -> str:
    plain = re.sub(r"[.,]0{1,2}$", "", text.strip())
    if plain and natural(plain) is None:
        raise InputError(f"{text[:20]!r} is not a whole number")
    return plain
