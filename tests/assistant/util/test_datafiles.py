"""Data files: TOML and CSV, with the place in every message."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from assistant.util.datafiles import read_rows, read_text, read_toml
from assistant.util.errors import InputError


class Head(msgspec.Struct, forbid_unknown_fields=True):
    """A small file."""

    title: str
    turns: int = 1


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "units.csv"


@pytest.fixture
def head(tmp_path: Path) -> Path:
    return tmp_path / "head.toml"


# --- texts ------------------------------------------------------------------------------------------------------------


def test_text_is_utf_8(table: Path) -> None:
    table.write_bytes("Löbau\n".encode())
    assert read_text(table) == "Löbau\n"


def test_what_is_no_utf_8_names_the_byte_and_the_remedy(table: Path) -> None:
    table.write_bytes("Löbau".encode("latin-1"))
    with pytest.raises(InputError) as caught:
        read_text(table)
    assert str(caught.value) == "units.csv: the text is not UTF-8 (byte 1)\n  save it as UTF-8"


def test_a_file_that_is_not_there(table: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_text(table)
    assert str(caught.value) == "units.csv: No such file or directory\n  the game's folder needs this file"


# --- TOML -------------------------------------------------------------------------------------------------------------


def test_a_toml_file_as_a_type(head: Path) -> None:
    head.write_text('title = "Drill"\nturns = 12\n', "utf-8")
    assert read_toml(head, Head) == Head("Drill", 12)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('title = "Drill"\nturns = \n', "head.toml:2:9: Invalid value\n  check quotes, brackets and doubled names"),
        (
            'title = "Drill"\nturns = "twelve"\n',
            "head.toml:2: turns: 'twelve' is not allowed\n  allowed: a whole number",
        ),
        ("turns = 12\n", 'head.toml: title: missing\n  write: title = "..."'),
        ('title = "Drill"\nturn = 12\n', "head.toml:2: turn: unknown key\n  nearest known: turns"),
    ],
)
def test_toml_that_does_not_fit_says_where_and_what_would(text: str, what: str, head: Path) -> None:
    head.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        read_toml(head, Head)
    assert str(caught.value) == what


# --- CSV --------------------------------------------------------------------------------------------------------------


def test_rows_come_with_their_lines_as_an_editor_counts_them(table: Path) -> None:
    table.write_bytes(b'unit,steps\r\n1 H,4\r\n\r\n"2, Guard",\r\n')
    rows = [(row, str(where)) for row, where in read_rows(table, ["unit"])]
    assert rows == [
        ({"unit": "1 H", "steps": "4"}, "units.csv:2"),
        ({"unit": "2, Guard", "steps": ""}, "units.csv:4"),
    ]


def test_columns_may_stand_in_any_order_and_be_more_than_required(table: Path) -> None:
    table.write_text("steps,unit,army\n4,1 H,First\n", "utf-8")
    assert [row["unit"] for row, _ in read_rows(table, ["unit", "steps"])] == ["1 H"]


def test_a_head_without_rows_is_no_fault(table: Path) -> None:
    table.write_text("unit\n", "utf-8")
    assert list(read_rows(table, ["unit"])) == []


@pytest.mark.parametrize(
    ("text", "where", "what", "hint"),
    [
        ("", 1, "column 'unit' is missing", "expected: unit,steps"),
        ("unit,step\n1 H,4\n", 1, "column 'steps' is missing", "expected: unit,steps"),
        ("unit;steps\n1 H;4\n", 1, "column 'unit' is missing", "expected: unit,steps"),
        ("unit,steps\n1 H,4\n2 H\n", 3, "the row has too few or too many cells", "unit,steps"),
        ("unit,steps\n\n1 H,4,5\n", 3, "the row has too few or too many cells", "unit,steps"),
    ],
)
def test_faults_in_a_table_name_the_line(text: str, where: int, what: str, hint: str, table: Path) -> None:
    table.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        list(read_rows(table, ["unit", "steps"]))
    assert (str(caught.value.where), caught.value.what, caught.value.hint) == (f"units.csv:{where}", what, hint)


def test_rows_before_a_fault_are_read(table: Path) -> None:
    table.write_text("unit,steps\n1 H,4\n2 H\n", "utf-8")
    rows = read_rows(table, ["unit"])
    assert next(rows)[0]["unit"] == "1 H"
    with pytest.raises(InputError):
        next(rows)


def test_a_byte_order_mark_is_nothing(table: Path) -> None:
    table.write_text("unit,steps\n1 H,4\n", "utf-8-sig")
    assert [row for row, _ in read_rows(table, ["unit"])] == [{"unit": "1 H", "steps": "4"}]


def test_a_cell_beyond_all_measure_is_an_input_error(table: Path) -> None:
    table.write_text("unit,steps\n1 H," + "4" * 200_000 + "\n", "utf-8")
    with pytest.raises(InputError, match=r"units\.csv:2"):
        list(read_rows(table, ["unit"]))


def test_a_line_separator_in_a_cell_ends_no_row(table: Path) -> None:
    table.write_text("unit,steps\nGuard\u2028Corps,4\n", "utf-8")
    assert [row["steps"] for row, _ in read_rows(table, ["unit"])] == ["4"]


def test_a_quote_that_is_never_closed(table: Path) -> None:
    table.write_text('unit,steps\n1 H,"4\n2 H,5\n', "utf-8")
    with pytest.raises(InputError, match=r"units\.csv:[23]"):
        list(read_rows(table, ["unit"]))
