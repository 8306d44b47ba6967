"""Maps in letters: how units are shortened, how wide hexes are, rows of a key."""

from __future__ import annotations

import pytest

from assistant.drawing.letters import Sheet, cut_text, fill_rows, format_unit, pitch_for
from assistant.drawing.scene import TextRun
from assistant.game.games import Game
from assistant.util.errors import InputError


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


def test_hexes_are_as_wide_as_there_is_room(drill: Game) -> None:
    board = drill.board("")
    assert pitch_for(board, ["0101", "0201", "0301"], 40, (11, 9, 7)) == 11
    assert pitch_for(board, ["0101", "0201", "0301"], 28, (11, 9, 7)) == 9
    with pytest.raises(InputError, match="the map is 3 hexes wide, but 20 characters hold only 2"):
        pitch_for(board, ["0101", "0201", "0301"], 20, (11, 9, 7))


def test_a_line_runs_between_what_stands_in_two_hexes(drill: Game) -> None:
    sheet = Sheet(drill.board(""), ["0101", "0201"], 9, 40)
    sheet.number("0101")
    sheet.number("0201", "(0201)")
    sheet.line("0101", "0201")
    sheet.line("0101", "0301")  # which is not shown
    rows = ["".join(run.text for run in row) for row in sheet.rows()]
    assert [row.split() for row in rows] == [["0101", "(0201)"], [".--------."]]
