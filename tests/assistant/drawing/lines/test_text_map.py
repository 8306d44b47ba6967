"""Maps in letters: hexes of either grid, units that are shortened, as much as a terminal has room for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from assistant.asking.line_sketch import Break, LineSketch, LineWords, Marked, Origin, Strand
from assistant.asking.view import View
from assistant.drawing.letters import Sheet, cut_text, fill_rows, format_unit, pitch_for
from assistant.drawing.lines.text_map import lines_map
from assistant.drawing.scene import Rows, TextRun
from assistant.formats.notation import read_notation
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.util.errors import InputError

WORDS = LineWords(statuses={"full": "fed", "low": "short", "none": "hungry", "cut-off": "lost", "unknown": "open"})
SHOWN = LineSketch(
    title="Food",
    words=WORDS,
    sides=("blue",),
    units=(Marked(unit="25/3", place="40.20", side="blue", status="low"),),
    origins=(Origin(name="3 Train", place="40.22", side="blue", unit="3 Train", extended=True),),
    strands=(Strand(unit="25/3", side="blue", hexes=("40.22", "40.21", "40.20"), full=False),),
    breaks=(Break(where="41.22", side="blue", why="EZOC"),),
)


def flat_view() -> View:
    position = read_notation(
        b'game twilight-in-the-east\n40.22: "3 Train"\n40.20: 25/3\n41.21: 1/1\n', "typed.pos", load_game
    )
    return View(position.game, position.state)


def lines(rows: Rows) -> list[str]:
    return ["".join(run.text for run in row) for row in rows]


def test_hexes_stand_half_a_hex_lower_in_every_other_column() -> None:
    assert lines(lines_map(flat_view(), SHOWN, 80)) == [
        "                         40.19",
        "                           .",
        "              41.19                 39.19",
        "                .                     .",
        "                         40.20",
        "                         25/3 ~",
        "              41.20        :        39.20",
        "                .          :          .",
        "                         40.21",
        "                           .",
        "              41.21        :        39.21",
        "               1/1         :          .",
        "   42.22                 40.22",
        "     .                [[3 Train]]",
        "              41.22                 39.22",
        "                .                     .",
        "   42.23      !EZOC      40.23",
        "     .                     .",
        "              41.23",
        "                .",
        "",
        "~ short   [[ ]] extended source   : line that serves in part",
        "no symbol: other units   ! what blocks a line",
        "25/3: Short",
    ]


def test_the_key_tells_what_lines_and_units_are_written_with(drill: Game) -> None:
    """Neither units with a status nor sources are others."""
    position = read_notation(b'game twilight-in-the-east\n40.22: "3 Train"\n40.20: 25/3\n', "typed.pos", load_game)
    rows = lines(lines_map(View(position.game, position.state), SHOWN, 80))
    assert rows[-3:] == [
        "~ short   [[ ]] extended source   : line that serves in part",
        "! what blocks a line",
        "25/3: Short",
    ]
    position = read_notation(b"game drill\n0505: blue infantry A\n", "typed.pos", lambda name: drill)
    strands = (
        Strand(unit="A", side="blue", hexes=("0405", "0505")),
        Strand(unit="B", side="blue", hexes=("0605", "0505"), full=False),
    )
    shown = LineSketch(title="T", words=WORDS, sides=("blue",), strands=strands)
    rows = lines(lines_map(View(position.game, position.state), shown, 80))
    (row,) = [row for row in rows if "A" in row and "---" in row]
    assert ":::" in row, "what serves in part is written alike in every direction"
    assert any("- / \\ line   : line that serves in part" in row for row in rows)


def test_tones_say_what_a_piece_stands_for_and_the_narrower_the_less_is_written() -> None:
    runs = [run for row in lines_map(flat_view(), SHOWN, 80) for run in row]
    assert TextRun("25/3 ~", "low") in runs
    assert TextRun("!EZOC", "break") in runs
    assert TextRun("1/1", "faint") in runs
    narrow = lines(lines_map(flat_view(), SHOWN, 30))
    assert max(map(len, narrow)) <= 30
    assert any("[[3 Train" in row for row in narrow)
    least = lines(lines_map(flat_view(), SHOWN, 20))
    assert not any("40.20" in row for row in least)
    assert any("~" in row for row in least)


def test_what_has_no_room_is_refused() -> None:
    wide = replace(SHOWN, focus=("90.20",))
    with pytest.raises(InputError, match="the map is 53 hexes wide, but 80 characters hold only 37"):
        lines_map(flat_view(), wide, 80)
    with pytest.raises(InputError, match="but 4 characters hold only 0"):
        lines_map(flat_view(), SHOWN, 4)


def test_pointed_hexes_stand_in_rows(drill: Game) -> None:
    position = read_notation(
        b"game drill\n0505: blue infantry A, blue infantry B, red infantry C\n", "typed.pos", lambda name: drill
    )
    units = tuple(Marked(unit=name, place="0505", side="blue", status="full") for name in "AB")
    strands = (
        Strand(unit="A", side="blue", hexes=("0405", "0505")),
        Strand(unit="B", side="blue", hexes=("0504", "0505")),
    )
    shown = LineSketch(title="T", words=WORDS, sides=("blue",), units=units, strands=strands)
    rows = lines(lines_map(View(position.game, position.state), shown, 80))
    (row,) = [row for row in rows if "A +" in row]
    assert "---" in row
    assert any("1+ 1o" in row for row in rows)


def test_a_long_name_at_the_edge_of_the_map_is_not_cut() -> None:
    """It has more room than its hex is wide, so it stands a little off the middle there."""
    text = (
        b"game twilight-in-the-east\n40.20: 25/3\n"
        b'41.20: russian infantry XX "Guard Kazan 1234"\n39.20: russian infantry XX "Guard Omsk 12345"\n'
    )
    position = read_notation(text, "typed.pos", load_game)
    shown = LineSketch(title="T", words=WORDS, sides=("russian",), focus=("40.20",))
    found = lines(lines_map(View(position.game, position.state), shown, 33))
    assert found[7] == "Guard Kazan 1234 Guard Omsk 12345"


@pytest.mark.parametrize(
    ("unit", "room", "text"),
    [
        ("25/3", 8, "25/3"),
        ("German EIGHTH Major Depot", 20, "EIGHTH Major Depot"),
        ("German EIGHTH Major Depot", 12, "EIGHTH M D"),
        ("German EIGHTH Major Depot", 5, "EIGH>"),
    ],
)
def test_a_long_name_keeps_what_tells_it_apart(unit: str, room: int, text: str) -> None:
    assert format_unit(unit, room) == text


def test_a_unit_stands_between_signs_and_before_one() -> None:
    assert format_unit("3 Train", 12, "[", "]", "+") == "[3 Train] +"
    assert format_unit("3 Train", 10, "[", "]", "+") == "[3 Train]+"


def test_a_key_has_as_many_entries_as_fit_and_what_has_no_room_is_cut() -> None:
    assert (cut_text("abc", 3), cut_text("abcd", 3)) == ("abc", "ab>")
    rows = fill_rows([TextRun("aaa"), TextRun("bbb"), TextRun("ccc")], 10)
    assert ["".join(run.text for run in row) for row in rows] == ["aaa   bbb", "ccc"]
    assert list(fill_rows([], 10)) == []


def test_hexes_are_as_wide_as_there_is_room_and_lines_run_between_them(drill: Game) -> None:
    board = drill.board("")
    assert pitch_for(board, ["0101", "0201", "0301"], 40, (11, 9, 7)) == 11
    assert pitch_for(board, ["0101", "0201", "0301"], 28, (11, 9, 7)) == 9
    with pytest.raises(InputError, match="the map is 3 hexes wide, but 20 characters hold only 2"):
        pitch_for(board, ["0101", "0201", "0301"], 20, (11, 9, 7))
    sheet = Sheet(drill.board(""), ["0101", "0201"], 9, 40)
    sheet.number("0101")
    sheet.number("0201", "(0201)")
    sheet.line("0101", "0201")
    sheet.line("0101", "0301")  # which is not shown
    rows = ["".join(run.text for run in row) for row in sheet.rows()]
    assert [row.split() for row in rows] == [["0101", "(0201)"], [".--------."]]
