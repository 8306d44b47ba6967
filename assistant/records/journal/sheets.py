"""Journals and spreadsheets: postings as CSV, and rows of a sheet as entries.

A sheet that is taken has a column for the turn (or month and turn), one for the nation, and either one for the event
and one for its amount, or a column for each event. Cells are read as spreadsheets of any country write them.
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
from .entries import LATE
from .journal import Journal
from .lines import JournalLine

COLUMNS = ("turn", "nation", "account", "amount", "entry", "rule", "what")
"""The columns of a sheet of postings."""
_FORMULA = ("=", "+", "-", "@", "\t")
"""What a spreadsheet takes for the beginning of a formula."""
NAMES = {
    "turn": ("turn", "date", "when", "month"),
    "of": ("turn of month", "of", "no", "nr"),
    "nation": ("nation", "who", "country", "side"),
    "event": ("event", "what", "word"),
    "amount": ("amount", "points", "number"),
    "note": ("note", "notes", "remark", "comment"),
}


def as_text(cell: str) -> str:
    """Return a cell that a spreadsheet takes as text, be it a formula by its look."""
    return f"'{cell}" if cell.startswith(_FORMULA) and natural(cell.lstrip("+-")) is None else cell


def write_postings(journal: Journal) -> str:
    """Return all postings of a journal as CSV, a row each."""
    rows = [
        (journal.label(p.turn), p.who, p.account, p.amount, p.entry or "", p.rule, as_text(p.what))
        for p in journal.books.postings
    ]
    return _write_rows(COLUMNS, rows)


def write_months(journal: Journal) -> str:
    """Return what each account gained month by month as CSV, months across; turn by turn in a game without months."""
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
    """A row of a sheet."""

    line: int
    entry: JournalLine | None = None
    """None if the row cannot be read."""
    known: bool = False
    """Whether the entry is there already."""
    fault: str = ""
    """What is wrong with the row, "" for nothing."""


def read_sheet(journal: Journal, data: bytes, name: str) -> list[SheetRow]:
    """Return the rows of a sheet as entries for a journal. name: of its file. Raises InputError for a sheet that is not
    one.
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
            if cells[:1] != ["sep="]:  # a spreadsheet's word on its separator
                rows.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(str(error), where=Where(name, line), hint="check the quotation marks") from None
    if not rows:
        raise InputError("the sheet is empty", where=Where(name, 1))
    columns = _read_columns(journal, rows[0][1], name)
    have = Counter((entry.turn, entry.what) for entry in journal.entries if isinstance(entry.what, Event))
    found = list[SheetRow]()
    for line, cells in rows[1:]:
        if any(cell.strip() for cell in cells):
            found += _read_entries(journal, columns, cells, line, have, len(rows[0][1]))
    return found


def _read_columns(journal: Journal, head: list[str], name: str) -> dict[str, int]:
    """Return the columns by what they hold: turn, of, nation, event, amount, note, or an event with its kind. Raises
    InputError for one that holds nothing of that.
    """
    columns: dict[str, int] = {}
    events = journal.rules.events.event
    where = Where(name, 1)
    for at, cell in enumerate(head):
        title = " ".join(cell.casefold().split())
        word, _, kind = title.partition(" ")
        meant = next((key for key, titles in NAMES.items() if title in titles), "")
        if title in ("account", "rule", "entry"):
            raise InputError(
                "these are postings, which entries have made", where=where, hint="take the entries: `send`"
            )
        if title and not meant and (word not in events or (kind and kind not in events[word].kinds)):
            known = [*chain(*NAMES.values()), *events]
            known += [f"{name} {kind}" for name, event in events.items() for kind in event.kinds]
            raise InputError(f"unknown column {cell.strip()[:40]!r}", where=where, hint=format_suggestion(title, known))
        key = meant or title
        if key in columns:
            two = " and ".join(repr(head[column].strip()[:40]) for column in (columns[key], at))
            raise InputError(f"two columns hold the same: {two}", where=where, hint="leave out one of the two")
        if key:
            columns[key] = at
    needed = [key for key in ("turn", "nation") if key not in columns]
    if needed or not ("event" in columns or columns.keys() - NAMES.keys()):
        what = f"the column {needed[0] if needed else 'event'} is missing"
        raise InputError(what, where=where, hint="turn, nation, event, amount, note; or a column for each event")
    return columns


def _read_entries(
    journal: Journal, columns: dict[str, int], cells: list[str], line: int, have: Counter[tuple[int, Event]], width: int
) -> Iterator[SheetRow]:
    """Yield the entries of one row. have: those that the journal has, which are counted down; width: how many columns
    there are.
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
        if word in NAMES or not cell(word):
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
        known = have[turn, event] > 0
        if known:
            have[turn, event] -= 1
        flags = (LATE,) if turn < journal.turn else ()
        head, _, rest = write_event(journal.rules.events, event).partition(" ")
        yield SheetRow(line, JournalLine(0, journal.label(turn), flags, head, rest), known)


def _read_event(journal: Journal, who: str, word: str, amount: str, note: str) -> Event:
    """Return the event of a row. word: with its kind. A note that would be read as more stands in brackets."""
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
    """Return the number of the turn that cells name: `aug14/3`, or a month such as `Aug-14` beside its turn. Raises
    InputError for others.
    """
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
    """Return a whole number as sheets write it: `22`, `22,0`, `22.00`. Raises InputError for another."""
    plain = re.sub(r"[.,]0{1,2}$", "", text.strip())
    if plain and natural(plain) is None:
        raise InputError(f"{text[:20]!r} is not a whole number")
    return plain
