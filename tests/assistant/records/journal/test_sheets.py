"""Journals and spreadsheets."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from assistant.game.events import Event
from assistant.game.games import Game
from assistant.records.journal.exchange import preview_source
from assistant.records.journal.lines import format_line
from assistant.records.journal.sheets import as_text, read_sheet, write_months, write_postings
from assistant.records.journal.typed_lines import read_typed
from assistant.util.errors import InputError

from .small import journal


def test_postings_are_rows_and_formulas_stay_text(game: Game) -> None:
    book = journal(game, "aug14/2 ru dm 60 =SUM(A1)", "sep14/2 ru dm 1")
    rows = list(csv.DictReader(io.StringIO(write_postings(book))))
    assert [(row["turn"], row["amount"], row["entry"], row["what"]) for row in rows] == [
        ("aug14/2", "60", "1", "dm =SUM(A1)"),
        ("sep14/0", "8", "", "8 demoralization points"),
        ("sep14/2", "1", "2", "dm"),
    ]
    assert [as_text(cell) for cell in ("=1+1", "@x", "-3", "note")] == ["'=1+1", "'@x", "-3", "note"]
    months = list(csv.reader(io.StringIO(write_months(book))))
    assert months == [["nation", "account", "aug14", "sep14"], ["rust", "dm", "60", "9"]]


@pytest.mark.parametrize(
    "sheet",
    [
        "turn,nation,event,amount,note\naug14/2,rust,dm,22,Ford\naug14/3,navy,dm,4,\n",
        "\ufeffTurn;Nation;Event;Amount;Note\r\naug14/2;ru;dm;22,0;Ford\r\nAug-14/3;na;dm;4,00;\r\n",
        "Month\tTurn of month\tWho\tdm\tspend\tNote\nAug-14\t2\trust\t22\t\tFord\nAug-14\t3\tnavy\t4\t\t\n",
    ],
)
def test_rows_become_entries_however_a_spreadsheet_writes_them(game: Game, sheet: str) -> None:
    book = journal(game, "aug14/1 turn")
    rows = read_sheet(book, sheet.encode(), "sheet.csv")
    assert [(row.entry and format_line(row.entry), row.known, row.fault) for row in rows] == [
        ("aug14/2 ru dm 22 Ford", False, ""),
        ("aug14/3 na dm 4", False, ""),
    ]
    for row in rows:
        assert row.entry
        book = book.check_typed(read_typed(book, row.entry))
    assert all(row.known for row in read_sheet(book, sheet.encode(), "sheet.csv")), "taken once"


def test_a_sheet_may_name_its_separator_be_utf_16_and_have_notes_of_several_lines(game: Game) -> None:
    for data in (b"sep=;\nturn;nation;dm\naug14/2;ru;3\n", "turn\tnation\tdm\naug14/2\tru\t3\n".encode("utf-16")):
        (row,) = read_sheet(journal(game), data, "sheet.csv")
        assert row.entry and format_line(row.entry) == "aug14/2 ru dm 3"
    rows = read_sheet(journal(game), b'turn,nation,dm,note\naug14/2,ru,3,"two\nlines"\naug14/2,xx,3,\n', "sheet.csv")
    assert [(row.line, bool(row.fault)) for row in rows] == [(2, False), (4, True)]
    (row,) = read_sheet(journal(game), b"turn,nation,event,amount,note\naug14/2,rust,dm,2,'=A1\n", "sheet.csv")
    assert row.entry and format_line(row.entry) == "aug14/2 ru dm 2 =A1", "a formula as a note stays text"


@pytest.mark.parametrize(
    ("note", "kept"),
    [
        ("Sabac, ru dm 9 forced", "Sabac, ru dm 9 forced"),
        ("infantry came late", "(infantry came late)"),
        ("two\nlines\tand more", "two lines and more"),
    ],
)
def test_a_note_is_a_note_whatever_it_says(game: Game, note: str, kept: str) -> None:
    sheet = f'turn,nation,event,amount,note\naug14/2,rust,gain sp,2,"{note}"\n'.replace("gain sp", "dm").encode()
    book = journal(game, "aug14/1 turn")
    for _ in range(2):
        rows = [row for row in read_sheet(book, sheet, "sheet.csv") if not row.known]
        for row in rows:
            assert row.entry
            book = book.check_typed(read_typed(book, row.entry))
    (entry,) = book.entries[1:]
    assert isinstance(entry.what, Event)
    assert (entry.what.amount, entry.what.kind) == (2, "")
    assert entry.what.note in (kept, note)


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        ("2026-08-14,rust,dm,2,", "is a day of the calendar"),
        ("Aug-14,rust,dm,2,", "is a month"),
        ("aug14/2,prussia,dm,2,", "neither a nation nor a side"),
        ("aug14/2,rust,dmm,2,", "is not an event"),
        ('aug14/2,rust,dm,"2,5",', "is not a whole number"),
        ("aug14/2,rust,dm,-3,", "is not a whole number"),
        ("aug14/2,rust", "the event is missing"),
        ("aug14/2,rust,dm,2,Ford,more", "more cells than the 5 columns"),
        ('aug14/2,rust,dm,"1,000",', "is not a whole number"),
    ],
)
def test_a_row_that_cannot_be_read_is_named(game: Game, cells: str, what: str) -> None:
    rows = read_sheet(
        journal(game), f"turn,nation,event,amount,note\n{cells}\naug14/2,rust,dm,2,\n".encode(), "sheet.csv"
    )
    assert what in rows[0].fault and rows[0].line == 2 and not rows[0].entry and rows[1].entry


@pytest.mark.parametrize(
    ("sheet", "what"),
    [
        (b"", "is empty"),
        (b"nation,dm\nrust,2\n", "turn is missing"),
        (b"turn,nation,dmm\n", "unknown column 'dmm'\n.*nearest known: dm"),
        (b"turn,nation,spend artilery\n", "unknown column 'spend artilery'"),
        (b"turn,nation,account,amount,entry,rule,what\n", "these are postings"),
        (b"turn,nation\n", "event is missing"),
        (b"turn,nation,dm,DM\n", "two columns hold the same: 'dm' and 'DM'"),
        (b"turn,nation,event,what\n", "two columns hold the same: 'event' and 'what'"),
        (b'turn,nation,dm,note\naug14/2,rust,2,"Ford\naug14/3,rust,3,\n', "2: unexpected end of data"),
        (b'turn,nation,event,amount\naug14/2,rust,dm,"' + b"4" * 200_000 + b'"\n', "2: field larger"),
    ],
)
def test_a_sheet_without_its_columns_is_refused(game: Game, sheet: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what):
        read_sheet(journal(game), sheet, "sheet.csv")


def test_a_column_may_be_of_an_event_with_its_kind_and_a_zero_is_taken_only_where_the_event_takes_it(
    game: Game,
) -> None:
    sheet = b"turn,nation,dm,rebuild artillery\naug14/2,rust,0,4\naug14/2,navy,3,\naug14/3,navy,,\n"
    rows = read_sheet(journal(game), sheet, "sheet.csv")
    said = [row.entry and format_line(row.entry) for row in rows]
    assert said == ["aug14/2 ru rebuild 4 artillery", "aug14/2 na dm 3"]
    rows = read_sheet(journal(game), b"turn,nation,score,dm\naug14/2,game,0,0\naug14/2,game,,\n", "sheet.csv")
    assert [row.entry and format_line(row.entry) for row in rows] == ["aug14/2 game score 0"]


def test_a_row_may_use_the_column_of_an_event_alone(game: Game) -> None:
    sheet = b"turn,nation,event,amount,dm\naug14/2,ru,,,3\naug14/3,ru,spend,2,4\naug14/4,ru,,2,4\naug14/5,ru,,,\n"
    rows = read_sheet(journal(game), sheet, "sheet.csv")
    assert [(row.line, row.fault or (row.entry and format_line(row.entry))) for row in rows] == [
        (2, "aug14/2 ru dm 3"),
        (3, "aug14/3 ru spend 2"),
        (3, "aug14/3 ru dm 4"),
        (4, "the event is missing"),
        (4, "aug14/4 ru dm 4"),
        (5, "the event is missing"),
    ]


def test_nothing_of_a_sheet_with_a_faulty_row_is_taken(game: Game, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("turn,nation,dm\naug14/2,rust,3\naug14/2,russt,3\n")
    shown = preview_source(journal(game), sheet)
    assert shown.lines == () and shown.faults
    assert any("is taken until every row can be read" in line for line in shown.said)
