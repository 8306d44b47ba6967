"""Data files: TOML and CSV, with the place in every message."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assistant.util.datafiles import (
    KeyPath,
    find_toml_line,
    read_records,
    read_rows,
    read_text,
    read_toml,
    resolve_within,
)
from assistant.util.errors import InputError
from tests.growth import grows_evenly


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


def test_a_text_is_utf_8_or_names_the_line_and_the_remedy(table: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_text(table)
    assert str(caught.value) == "units.csv: No such file or directory\n  the game's folder needs this file"
    table.write_bytes("Löbau\n".encode())
    assert read_text(table) == "Löbau\n"
    table.write_bytes("unit\nLöbau".encode("latin-1"))
    with pytest.raises(InputError) as caught:
        read_text(table)
    assert str(caught.value) == "units.csv:2: the text is not UTF-8\n  save it as UTF-8"
    with pytest.raises(InputError, match="not UTF-8") as caught:
        list(read_rows(table, ["unit"], "roster/units.csv"))
    assert str(caught.value.where) == "roster/units.csv:2"


# --- TOML -------------------------------------------------------------------------------------------------------------


def test_a_toml_file_as_a_type(head: Path) -> None:
    head.write_text('title = "Drill"\nturns = 12\n', "utf-8")
    assert read_toml(head, Head) == Head("Drill", 12)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('title = "Drill\nturns = 12\n', "head.toml:1:15: a quotation mark is not closed in this line\n  close it, or write a long text between three of them"),
        ('"title" = ""\n"title" = ""\n', 'head.toml:2:13: "title" appears here a second time\n  leave one of the two out, or join them'),
        ("[title]\n[turns]\n[title]\n", "head.toml:3:7: [title] appears here a second time\n  leave one of the two out, or join them"),
        ('title = "Drill"\nturns = \n', "head.toml:2:9: Invalid value\n  check quotes, brackets and doubled names"),
        ('title = "Drill"\nturns = "twelve"\n', "head.toml:2: turns: 'twelve' is not allowed\n  allowed: a whole number"),
        ("turns = 12\n", 'head.toml: title: missing\n  write: title = "..."'),
        ('title = "Drill"\nturn = 12\n', "head.toml:2: turn: unknown key\n  nearest known: turns"),
    ],
)  # fmt: skip
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


@pytest.mark.parametrize(
    "text",
    [
        "unit;steps\n1 H;4\n",  # as spreadsheets of other countries write them
        "unit\tsteps\n1 H\t4\n",
        "unit , steps\n1 H , 4\n",
        "\ufeffunit,steps\n1 H,4\n",
        "unit,steps,,\n1 H,4,,\n,,,\n",  # with empty columns and rows, or capitals in the head
        "unit,steps\n1 H,4,,\n",
        "unit;steps; \n1 H;4\n;;\n",
        "unit,,steps\n1 H,,4\n",
        "Unit,STEPS\n1 H,4\n",
        "steps,unit\n4,1 H\n",
    ],
)
def test_tables_are_read_however_they_are_written(text: str, table: Path) -> None:
    table.write_text(text, "utf-8")
    assert [row for row, _ in read_rows(table, ["unit", "steps"])] == [{"unit": "1 H", "steps": "4"}]
    assert [row for row, _ in read_rows(table, ["unit"], optional=["steps"])] == [{"unit": "1 H", "steps": "4"}]


@pytest.mark.parametrize(
    ("text", "units"), [("unit\n", []), ("steps,unit,army\n4,1 H,First\n", ["1 H"]), ("unit\na\u2028b\n", ["a\u2028b"])]
)
def test_the_units_of_a_table(text: str, units: list[str], table: Path) -> None:
    table.write_text(text, "utf-8")
    assert [row["unit"] for row, _ in read_rows(table, ["unit"])] == units


@pytest.mark.parametrize(
    ("text", "where", "what", "hint"),
    [
        ("", 1, "column 'unit' is missing", "expected: unit,steps"),
        ("unit,step\n1 H,4\n", 1, "column 'steps' is missing", "expected: unit,steps"),
        ("unit:steps\n1 H:4\n", 1, "column 'unit' is missing", "expected: unit,steps"),
        ("unit,steps\n1 H,4\n2 H\n", 3, "the row has 1 cell, not 2", "unit,steps"),
        ("unit,steps,,\n\n1 H,4,5,\n", 3, "column 3 has no name in the head row, but holds '5' here", "unit,steps"),
        (",unit,steps\nx,1 H,4\n", 2, "column 1 has no name in the head row, but holds 'x' here", ",unit,steps"),
        ("unit,steps,steps\n1 H,4,5\n", 1, "column 'steps' appears twice", "leave one of them out"),
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


@pytest.mark.parametrize("row", ["1 H," + "4" * 200_000, '1 H,"4'])
def test_a_cell_beyond_all_measure_or_a_quote_that_is_never_closed_is_an_input_error(row: str, table: Path) -> None:
    table.write_text(f"unit,steps\n{row}\n", "utf-8")
    with pytest.raises(InputError, match=r"units\.csv:[23]"):
        list(read_rows(table, ["unit"]))


# --- files in a folder ------------------------------------------------------------------------------------------------


OUTSIDE = [
    "", ".", "..", "../x.csv", "a/../../x.csv", "/etc/passwd", "C:\\x.csv", "C:x.csv", "a\\b", "a\0b", "a//b",
    "\x1b", "a/",
]  # fmt: skip


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_out_of_a_folder_is_refused(path: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="leads out of the game's folder"):
        resolve_within(tmp_path, path)


def test_a_link_may_lead_anywhere_in_the_folder_but_not_out_of_it(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    for folder in (home, outside):
        folder.mkdir()
        (folder / "units.csv").write_text("unit\n")
    (home / "same.csv").symlink_to("units.csv")
    (home / "other.csv").symlink_to(outside / "units.csv")
    (home / "charts").symlink_to(outside)
    assert read_text(resolve_within(home, "same.csv")) == "unit\n"
    for path in ("other.csv", "charts/units.csv", "charts"):
        with pytest.raises(InputError, match="leads out of the game's folder"):
            resolve_within(home, path)
    tmp_path.joinpath("link").symlink_to(home)
    assert read_text(resolve_within(tmp_path / "link", "units.csv")) == "unit\n"  # the folder itself may be a link


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("turns = " + "9" * 5000, "a number or date here is not valid"),
        ("turns = 0x" + "f" * 5000, "the number is too large, or not a number"),
        ("turns = nan", "the number is too large, or not a number"),
        ("turns = 1e300", "the number is too large, or not a number"),
        ("title = " + "[" * 5000, "its lists or tables are nested too deeply"),
        ("\na" + ".a" * 50_000 + " = 1", "or a key has too many parts"),
        ("x = 1\n" * 200_000, "it holds more than 512 KiB"),
    ],
)
def test_toml_that_would_take_the_reader_apart(head: Path, text: str, what: str) -> None:
    head.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        read_toml(head, Head)
    assert what in str(caught.value)
    assert str(caught.value).startswith("head.toml")
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ('title = "A"\nturns = nan\n', 2, "too large, or not a number"),
        (
            'title = "A"\n[a]\nb = ["x", "\\u001b[31mred"]\n',
            3,
            "a text has a character that cannot be printed: '\\x1b'",
        ),
        ('\n[a]\n"b\\u0000" = 1\n', 2, "a text has a character that cannot be printed: '\\x00'"),
    ],
)
def test_what_nothing_can_be_done_with_is_told_with_its_line(head: Path, text: str, where: int, what: str) -> None:
    head.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        read_toml(head, dict[str, Any])
    assert str(caught.value).startswith(f"head.toml:{where}: ") and what in str(caught.value)


def test_a_text_over_two_lines_with_a_tab_is_read(head: Path) -> None:
    head.write_text('title = "A"\nabout = """two\nlines\tand a tab"""\n', "utf-8")
    assert read_toml(head, dict[str, Any])["about"] == "two\nlines\tand a tab"


# --- work -------------------------------------------------------------------------------------------------------------


def test_a_short_row_costs_no_more_than_it_holds(table: Path) -> None:
    def make(many: int) -> Callable[[], object]:
        columns = ",".join(f"column{number}" for number in range(100 * many))
        table.write_text(f"{columns}\n" + "x\n" * many, "utf-8")
        faults: list[InputError] = []
        return lambda: list(read_rows(table, ["column0"], on_fault=faults.append))

    assert grows_evenly(make)


def test_mistakes_in_one_file_take_as_much_more_work_as_there_are(head: Path) -> None:
    def make(many: int) -> Callable[[], object]:
        head.write_text("".join(f"key{number} = 1\n" for number in range(many)), "utf-8")
        return lambda: read_toml(head, Head, lambda fault: None)

    assert grows_evenly(make)


def test_a_heading_of_many_parts_is_refused(head: Path) -> None:
    deep = ".".join(["a"] * 20)
    head.write_text(f"[{deep}]\nb = [\n [1.5, 2.5],\n]\n", "utf-8")
    read_toml(head, dict[str, object])
    head.write_text(f"b = 1\n [[{deep}.a]]\n", "utf-8")
    with pytest.raises(InputError, match=r"head.toml:2: a heading has more than 20 parts"):
        read_toml(head, dict[str, object])


# --- rows as structs --------------------------------------------------------------------------------------------------


class Train(msgspec.Struct, frozen=True):
    """A train by its timetable."""

    name: str
    turn: int
    hexes: tuple[str, ...] = ()
    express: bool = False
    track: int | None = None


HEADINGS = "name,turn,hexes,express,track\n"


def test_rows_become_structs_and_empty_cells_their_defaults(table: Path) -> None:
    table.write_text(f"{HEADINGS}Orient,3,0101 0102,yes,7\nLocal,4,,no,\n", "utf-8")
    assert [*read_records(table, Train)] == [Train("Orient", 3, ("0101", "0102"), True, 7), Train("Local", 4)]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("Local,four,,,", "turn: 'four' is not allowed"),
        ("Local,4,,perhaps,", "express: 'perhaps' is not allowed"),
        ("Local,,,,", "Object missing required field `turn`"),
    ],
)
def test_a_cell_that_its_field_does_not_take_is_named_with_its_line(table: Path, row: str, says: str) -> None:
    table.write_text(f"{HEADINGS}Orient,3,,,\n{row}\nMail,5,,,\n", "utf-8")
    rows = read_records(table, Train, "trains.csv")
    assert next(rows).name == "Orient"
    with pytest.raises(InputError) as fault:
        next(rows)
    assert (str(fault.value.where), fault.value.what) == ("trains.csv:3", says)


def test_a_column_for_each_field_is_needed(table: Path) -> None:
    table.write_text("name,turn,hexes,express\nOrient,3,,\n", "utf-8")
    with pytest.raises(InputError, match="column 'track' is missing"):
        [*read_records(table, Train)]


@pytest.mark.skipif(os.name == "nt", reason="pipes have other names there")
def test_a_pipe_in_place_of_a_file_is_named_and_not_taken_for_an_absent_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rulings.csv")
    with pytest.raises(InputError, match=r"rulings.csv: this is a pipe or a device\n  put a file in its place"):
        resolve_within(tmp_path, "rulings.csv")
    assert not resolve_within(tmp_path, "charts.toml").is_file(), "what is absent is absent"


TABLES = """module = "x"
[maps."Main 1.2"]
aside = 1
[[a]]
x = 1
[[a.b]]
y = 1
[[a]]
[[a.b]]
y = 2
[a.c]
z = 3
["q]r"]
"k\\u0041.b" = 3
[ d . e ]
f.g = 2
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("maps", "Main 1.2", "aside"), 3),
        (("maps", "Main 1.2", "other"), 2),
        (("a", 0, "b", 0, "y"), 7),
        (("a", 1, "b", 0, "y"), 10),
        (("a", 1, "c", "z"), 12),
        (("q]r", "kA.b"), 14),
        (("d", "e", "f", "g"), 16),
        (("nowhere",), 0),
    ],
)
def test_a_value_is_found_in_its_line(path: KeyPath, line: int) -> None:
    assert find_toml_line(TABLES, path) == line
