"""Tables of charts as they are pasted: which way they lie, what their cells are, and what is said of mistakes."""

from __future__ import annotations

from itertools import product

import pytest

from assistant.game.charts import CellField, Chart, ChartKey, Ends
from assistant.game.games import Game
from assistant.game.pack_charts import list_keys
from assistant.game.pasted_tables import read_pasted_cell, read_tables
from assistant.game.printed_charts import grids_of
from assistant.game.table_entry import begins_table, format_reading, format_save_question, format_table, is_headed_row
from assistant.installed.registry import load_game
from assistant.util.errors import InputError

from ...cases import examples, few, seeds
from .pasting import every_chart, try_case, try_damaged, try_spoilt

CHARTS = [*every_chart()]
ODDS = ChartKey(name="odds", values=("1:2", "1:1", "2:1"))
DIE = ChartKey(name="die", title="Die roll", least=1, most=3)
RESULT = CellField(name="result", values=("-", "A1", "D1", "DE"))
TABLE = Chart(name="crt", title="Combat Results Table", keys=(ODDS, DIE), fields=(RESULT,))
SQUARE = Chart(
    name="square",
    title="Square Table",
    keys=(ChartKey(name="attacker", least=1, most=3), ChartKey(name="defender", least=1, most=3)),
    fields=(CellField(name="loss", least=0, most=9),),
)
TERRAIN = Chart(
    name="cost",
    title="Costs",
    keys=(
        ChartKey(name="season", values=("summer", "winter")),
        ChartKey(name="feature", values=("clear", "high-mountain")),
    ),
    fields=(CellField(name="cost", values=("prohibited",), least=0, most=9, halves=True),),
)
CELLS = {
    (odds, die): text
    for (odds, die), text in zip(
        product(ODDS.values, (1, 2, 3)), ["A1", "A1", "-", "A1", "-", "D1", "-", "D1", "DE"], strict=True
    )
}
"""What the texts below hold."""


@few(3)
@pytest.mark.parametrize("seed", seeds(30))
@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_each_chart_is_read_back_or_it_is_asked_which_way_it_lies(chart: Chart, seed: int) -> None:
    for number in range(examples(3)):
        pasted, fault = try_case(chart, 1000 * seed + number)
        assert not fault, (fault, pasted)


@few(3)
@pytest.mark.parametrize("seed", seeds(30))
@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_a_mistake_never_moves_a_cell(chart: Chart, seed: int) -> None:
    """A word or a heading that is spoilt leaves out cells, or it is asked; what is read all the same stands where it stood."""
    for number in range(examples(3)):
        pasted, fault = try_spoilt(chart, 1000 * seed + number)
        assert not fault, (fault, pasted)


@few(10)
@pytest.mark.parametrize("seed", seeds(300))
def test_a_damaged_table_is_read_or_refused_in_words(seed: int) -> None:
    for number in range(examples(3)):
        text, fault = try_damaged(CHARTS[(seed + number) % len(CHARTS)], 1000 * seed + number)
        assert not fault, (fault, text)


FORMS = {
    "tabs": "\t1:2\t1:1\t2:1\n1\tA1\tA1\t-\n2\tA1\t-\tD1\n3\t-\tD1\tDE\n",
    "semicolons": "Combat Results Table\nDie roll;1-2;1-1;2-1\n1;a1;a1;-\n2;a1;-;d1\n3;-;d1;de",
    "markdown": "| | 1/2 | 1/1 | 2/1 |\n|---|:-:|---|---|\n| 1 | A1 | A1 | \u2013 |\n| 2 | A1 | \u2212 | D1 |\n| 3 | \u2014 | D1 | DE |\n",
    "blanks": "   1 to 2  1 to 1  2 to 1\n1  A1  A1  *\n2  A1  *  D1\n3  *  D1  DE\n",
    "turned": "1 2 3\nA1 A1 -\nA1 - D1\n- D1 DE",
    "rows": "1:2: A1 A1 -\n1:1: A1 - D1\n2:1: - D1 DE",
    "order": "\ufeff,2:1,1:1,1:2\r\n3,DE,D1,-\r\n2,D1,-,A1\r\n1,-,A1,A1\r\n",
    "file": "odds,die,result\n" + "\n".join(f"{odds},{die},{text}" for (odds, die), text in CELLS.items()),
    "columns": "Result\tDie\tOdds\tnote\n"
    + "\n".join(f"{text}\t{die}\t{odds}\tx" for (odds, die), text in CELLS.items()),
    "csv": '"","1:2","1:1","2:1"\n"1.","A1","A1","-"\n"2.","A1","-","D1"\n"3.","-","D1","DE"\n\n* see 10.9',
    "unseen": "1:2\tA1\tA1\t-\x07\n1:1\tA1\t-\tD1\u200b\n2:1\t-\tD1\tDE",
    "times": "\x1b[200~\t01:02\t01:01\t02:01\n1\tA1\tA1\t-\n2\tA1\t-\tD1\n3\t-\tD1\tDE\x1b[201~",
    "a row without text": "||\n| | 1:2 | 1:1 | 2:1 |\n| 1 | A1 | A1 | - |\n| 2 | A1 | - | D1 |\n| 3 | - | D1 | DE |",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_a_table_in_each_form(text: str) -> None:
    (reading,) = read_tables(TABLE, text)
    assert (reading.cells, reading.faults, reading.blank) == (CELLS, (), ())


@pytest.mark.parametrize("heads", [False, True])
def test_it_is_asked_which_way_a_square_lies_where_nothing_says_it(heads: bool) -> None:
    text = "\t1\t2\t3\n1\t0\t4\t9\n2\t5\t6\t7\n3\t8\t0\t0" if heads else "0\t4\t9\n5\t6\t7\n8\t0\t0"
    square = read_tables(SQUARE, text)
    assert [reading.cells[1, 2] for reading in square] == ["4", "5"]
    assert [format_save_question(reading, number, 2) for number, reading in enumerate(square, 1)] == [
        "save 9 cells; way 1 of 2 to read it, n shows the next",
        "save 9 cells",
    ]


@pytest.mark.parametrize(("corner", "cell"), [("Attacker", "4"), ("defender \\ attacker", "5")])
def test_what_stands_in_the_corner_says_which_way_a_square_lies(corner: str, cell: str) -> None:
    text = f"{corner}\t1\t2\t3\n1\t0\t4\t9\n2\t5\t6\t7\n3\t8\t0\t0"
    assert [reading.cells[1, 2] for reading in read_tables(SQUARE, text)] == [cell]


def test_what_stands_in_the_corner_or_title_says_which_way_a_table_lies() -> None:
    text = "clear\thigh mountain\n1\u00bd\tprohibited"
    assert [sorted(reading.cells)[0][0] for reading in read_tables(TERRAIN, text)] == ["summer", "winter"]
    (reading,) = read_tables(TERRAIN, f"Costs in Winter\n{text}")
    assert reading.cells == {("winter", "clear"): "1.5", ("winter", "high-mountain"): "prohibited"}
    (reading,) = read_tables(TERRAIN, text, within=("summer",))
    assert {key[0] for key in reading.cells} == {"summer"}
    (reading,) = read_tables(TABLE, "   1:2  1:1  2:1\n1  A1  A1  -\n2  A1  D1\n3  -  D1  DE\n")
    assert {key[1] for key in reading.cells} == {1, 3}
    assert reading.faults == ("die 2: 3 cells stand there, but 4 in other rows; ? leaves one open",)


def test_all_mistakes_are_named_by_row_and_column_and_the_rest_is_kept() -> None:
    text = "\t1:2\t1:1\t2:1\n1\tA1\tA9\t-\n2\t\t-\tD1\n3\t-\t?\tde d1\n"
    (reading,) = read_tables(TABLE, text)
    assert [fault.partition(" is not")[0] for fault in reading.faults[:2]] == [
        "odds 1:1, die 1: result: 'A9'",
        "odds 2:1, die 3: result: 'de d1'",
    ]
    assert reading.blank == (("1:2", 2), ("1:1", 3))
    assert reading.cells.items() < CELLS.items() and len(reading.cells) == 5
    assert [line for line in format_reading(reading) if "left open" in line] == ["left open: 1:2 2, 1:1 3"]
    assert format_save_question(reading, 1, 1) == "save 5 cells, without what is wrong"


def test_mistakes_are_named_in_order_and_at_most_eight() -> None:
    chart = Chart(name="row", title="Row", keys=(ChartKey(name="die", least=1, most=30),), fields=(RESULT,))
    (reading,) = read_tables(chart, "\n".join(f"{die}\t{'A9' if die <= 11 else 'A1'}" for die in range(1, 31)))
    assert [*format_reading(reading)][-2] == "and 3 more mistakes"
    assert len([*format_reading(reading)]) == 1 + 8 + 2
    (reading,) = read_tables(TABLE, "\t1:2\t1:1\n1\tA9\tA1\n2\tA1\t-\n3\t-\tD1\n")
    lines = [line.split() for line in format_table(TABLE, reading, 80)]
    assert lines == [["Die", "roll", "1:2", "1:1"], ["1", "!", "A1"], ["2", "A1", "-"], ["3", "-", "D1"]]


@pytest.mark.parametrize("wrong", ["3:1", "", "1:1"])
def test_a_heading_that_names_nothing_leaves_its_cells_out(wrong: str) -> None:
    (reading,) = read_tables(TABLE, f"\t1:2\t1:1\t{wrong}\n1\tA1\tA1\t-\n2\tA1\t-\tD1\n3\t-\tD1\tDE\n")
    assert reading.cells.items() < CELLS.items()
    assert not any(key[0] == "2:1" for key in reading.cells)
    assert any(wrong in fault and "heading" in fault for fault in reading.faults)


def test_a_cell_that_contradicts_the_rulebook_is_named(twilight: Game) -> None:
    (reading,) = read_tables(twilight.chart("crt"), "summer\t1:1\t2:1\n7\t-/-\t-/-\n8\t-/-\t-/-")
    assert reading.faults == ("season summer, odds 1:1, roll 7: - / - contradicts the rulebook by rule 10.9: +1 / -",)


OPEN = Chart(
    name="open",
    title="Open Table",
    keys=(ChartKey(name="odds", odds=True, open=True), ChartKey(name="die", open=True)),
    fields=(RESULT,),
)


@pytest.mark.parametrize(
    "heads", ["1:2\t1:1\t2:1", "1:2-\t1:1\t2:1+", "1:2 or less\t1-1\t2:1 or more", "\u22641/2\t1/1\t\u22652/1"]
)
def test_the_headings_of_a_chart_tell_where_it_ends(heads: str) -> None:
    (reading,) = read_tables(OPEN, f"\t{heads}\n0\tA1\tA1\t-\n1\tA1\t-\tD1\n2\t-\tD1\tDE\n")
    assert (
        reading.cells["1:2-", "0-"] == "A1" and reading.cells["2:1+", "2+"] == "DE" and reading.cells["1:1", 1] == "-"
    )
    known = (Ends("1:1-", "2:1+"), Ends("0-", "2+"))
    (reading,) = read_tables(OPEN, "\t1:2\t1:1\t2:1\n0\tA1\tA1\t-\n1\tA1\t-\tD1\n2\t-\tD1\tDE\n", known)
    assert any("heading 1 of odds, '1:2'" in fault for fault in reading.faults)
    assert {key[0] for key in reading.cells} == {"1:1-", "2:1+"}


HALVES = Chart(
    name="cost", title="Costs", keys=TERRAIN.keys, fields=(CellField(name="cost", least=0, most=9, halves=True),)
)
SIDES = Chart(
    name="sides",
    title="Sides",
    keys=(DIE,),
    fields=(
        CellField(name="attacker", values=("-", "+1", "-1", "W1"), several=True),
        CellField(name="steps", least=0, most=9),
    ),
)


@pytest.mark.parametrize(
    ("chart", "text", "cell"),
    [
        *[(HALVES, text, "1.5") for text in ("1.5", "1,5", "1\u00bd", "1 \u00bd", "1 1/2", "1.50")],
        *[(HALVES, text, "0.5") for text in (".5", "\u00bd", "1/2", "0,5")],
        *[(HALVES, text, "2") for text in ("2", "2.0", "2,00")],
        *[(TABLE, text, "-") for text in ("-", "*", "\u00b7", "no effect", "None")],
        *[(SIDES, text, "+1 W1 / 2") for text in ("+1 w1/2", "+1W1 / 2", "+1, W1/2.0")],
        (SIDES, "-1/0", "-1 / 0"),
        (SIDES, "*/3", "- / 3"),
    ],
)
def test_what_stands_in_a_cell(chart: Chart, text: str, cell: str) -> None:
    assert read_pasted_cell(chart, text) == cell


@pytest.mark.parametrize("text", ["1/2/3", "1.25", "A1", "-", "+1/-"])
def test_what_is_no_cell(text: str) -> None:
    with pytest.raises(InputError):
        read_pasted_cell(HALVES, text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no table"),
        (" \n\t\n", "there is no table"),
        ("hello", "this is not a table of crt"),
        ("A1 A1\nA1 D1", "this is not a table of crt"),
        ("x" * 600_000, "the table has more than 512 KiB"),
        ("A9\tA9\tA9\n" * 3, "odds 1:2, die 1: result: 'A9' is not allowed"),
    ],
)
def test_what_is_no_table_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_tables(TABLE, text)
    assert said in caught.value.what


@few(1)
@pytest.mark.parametrize(
    "text",
    ["\t".join(["A1"] * 100_000), "A1\n" * 100_000, '"' * 200_000, "|" * 300_000, "1:2\t" * 100_000, "\x00" * 500_000, " " * 100_000 + "1" * 100_000],
    ids=["wide", "long", "quotes", "pipes", "heads", "nulls", "digits"],
)  # fmt: skip
def test_a_huge_text_is_refused(text: str, twilight: Game) -> None:
    for chart in (TABLE, twilight.chart("crt")):
        for size in (1, 150):  # so that it is as long as it may be
            with pytest.raises(InputError):
                read_tables(chart, text[: len(text) // size])


@pytest.mark.parametrize("name", ["crt", "slrt", "terrain-cost", "forced-march"])
def test_what_was_read_is_shown_in_80_columns(twilight: Game, name: str) -> None:
    chart = twilight.chart(name)
    grids = grids_of(chart, list_keys(chart))
    text = "\n".join(
        line
        for grid in grids
        for line in (
            grid.title,
            "\t".join(["", *grid.column_heads]),
            *(
                "\t".join(
                    [
                        head,
                        *(chart.write_cell(chart.cells[grid.key(row, column)]) for column in range(len(grid.columns))),
                    ]
                )
                for row, head in enumerate(grid.row_heads)
            ),
        )
    )
    (reading,) = read_tables(chart, text)
    assert reading.is_plain
    for width in (40, 80):
        lines = [*format_table(chart, reading, width)]
        assert max(map(len, lines)) <= width
        assert len(" ".join(lines).split("/")) >= len(reading.cells) * (len(chart.fields) - 1)
    first = next(iter(reading.cells))
    assert "~" in " ".join(format_table(chart, reading, 80, marked=[first]))


def test_which_lines_begin_a_table(twilight: Game) -> None:
    crt, cost = twilight.chart("crt"), twilight.chart("terrain-cost")
    odds = " ".join(crt.keys[1].values)
    for line in ("Summer", "Combat Results Table, autumn", odds, f"2d6 {odds}", "\t1:4\t1:3", "| a |", "1;2;3"):
        assert begins_table(crt, line), line
    for line in (
        "+1/- = = = - -/+1",
        "-",
        "+1 +1 +1",
        "back",
        ".",
        "",
        "2: +1 +1",
        "40.20|41.19 open",
        "7",
        "season=autumn",
    ):
        assert not begins_table(crt, line), line
    assert is_headed_row(crt, "2: +1 = =") and is_headed_row(crt, "3:1: +1 =")
    assert not is_headed_row(crt, "2:") and not is_headed_row(crt, "x: 1") and not is_headed_row(crt, "+1 =")
    assert begins_table(cost, "High Water") and not begins_table(cost, "2 3 prohibited")
    table = load_game("world-undone-east-prussia-1914").chart("german-table")
    assert begins_table(table, "1:3 1:2 1:1 2:1") and not begins_table(table, "A1 A2 - DE")
