"""Boards: drawn in files that a person can edit, read with file and line in every message."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.boards import Board, read_board
from assistant.game.hexes import HexGrid
from assistant.state.sources import Fact, Source
from assistant.state.tracks import Track
from assistant.util.errors import InputError

TRACKS = {
    track.name: track
    for track in (
        Track(name="terrain", title="terrain", on="hex", kind="choice", rule="1", values=("clear", "wood", "lake")),
        Track(name="town", title="town", on="hex", kind="flag", rule="1"),
        Track(name="height", title="height", on="hex", kind="integer", rule="1", least=0, most=9),
        Track(name="barrier", title="barrier", on="hexside", kind="choices", rule="2", values=("river", "ridge")),
        Track(name="road", title="road", on="hexside", kind="choice", rule="2", values=("no-road", "road")),
        Track(name="lost", title="steps lost", on="unit", kind="integer", rule="3"),
    )
}

#: Columns of a flat grid, the even ones half a hex lower: 0202 lies next to 0201, 0302, 0303, 0203, 0103 and 0102.
HEAD = """
title = "Mill valley"
source = "drawn"
boxes = ["Reserve", "Hospital"]
whole = {whole}

[grid]
format = "{{column:02}}{{row:02}}"
columns = [1, 4]
rows = [1, 3]

[terrain]
c = "clear"
w = "Wood"
l = "lake"
"""
TERRAIN = """
    01 02 03
01   c  w  .
02   .  l  c
"""


def drawn(folder: Path, *, whole: str = "[]", head: str = HEAD, **texts: str) -> Board:
    """The board of these files: `terrain`, `hexes` and `hexsides`."""
    board = folder / "valley"
    board.mkdir()
    (board / "board.toml").write_text(head.format(whole=whole), "utf-8")
    for name, text in texts.items():
        (board / f"{name}.{'txt' if name == 'terrain' else 'csv'}").write_text(text, "utf-8")
    return read_board(board, TRACKS)


def on_the_map(value: object) -> Fact:
    return Fact(value, Source.DRAWN)  # type: ignore[arg-type]


# --- what is drawn ----------------------------------------------------------------------------------------------------


def test_a_board_needs_no_more_than_its_head(tmp_path: Path) -> None:
    board = drawn(tmp_path)
    assert (board.name, board.title, board.boxes) == ("valley", "Mill valley", ("Reserve", "Hospital"))
    assert (board.facts, board.silence, board.hexes) == ({}, {}, frozenset())
    assert board.place("0403") == "0403", "every hex of the grid is on it until somebody draws it"


def test_terrain_is_a_map_of_letters_and_a_dot_is_no_hex(tmp_path: Path) -> None:
    board = drawn(tmp_path, terrain=TERRAIN)
    assert board.hexes == {"0101", "0201", "0202", "0302"}
    assert {hex: board.fact("terrain", hex) for hex in sorted(board.hexes)} == {
        "0101": on_the_map("clear"),
        "0201": on_the_map("wood"),
        "0202": on_the_map("lake"),
        "0302": on_the_map("clear"),
    }


def test_columns_and_rows_may_be_drawn_in_any_order(tmp_path: Path) -> None:
    board = drawn(tmp_path, terrain="04 02\n3 w c\n1 l .\n")
    assert {hex: board.facts["terrain", hex].value for hex in board.hexes} == {
        "0403": "wood",
        "0203": "clear",
        "0401": "lake",
    }


def test_an_empty_map_draws_nothing(tmp_path: Path) -> None:
    assert drawn(tmp_path, terrain="\n").hexes == frozenset()


def test_what_else_is_in_hexes_and_boxes_and_an_empty_cell_says_nothing(tmp_path: Path) -> None:
    board = drawn(tmp_path, hexes="hex,town,height\n0101,yes,3\n0102,,0\nreserve,no,\n")
    assert board.facts == {
        ("town", "0101"): on_the_map(True),
        ("height", "0101"): on_the_map(3),
        ("height", "0102"): on_the_map(0),
        ("town", "Reserve"): on_the_map(False),
    }


def test_what_lies_on_hexsides_whichever_hex_is_named_first(tmp_path: Path) -> None:
    board = drawn(tmp_path, hexsides="hex,next,barrier,road\n0202,0201,ridge+river,\n0101,0102,none,road\n")
    assert board.facts == {
        ("barrier", "0201|0202"): on_the_map(("river", "ridge")),
        ("barrier", "0101|0102"): on_the_map(()),
        ("road", "0101|0102"): on_the_map("road"),
    }


def test_facts_carry_the_source_that_the_board_names(tmp_path: Path) -> None:
    board = drawn(tmp_path, head=HEAD.replace('"drawn"', '"printed"'), terrain="01\n1 c\n", whole='["road"]')
    assert board.fact("terrain", "0101") == Fact("clear", Source.PRINTED)
    assert board.fact("road", "0101|0102") == Fact("no-road", Source.PRINTED)


# --- silence ----------------------------------------------------------------------------------------------------------


def test_on_a_whole_layer_nothing_drawn_is_nothing_there(tmp_path: Path) -> None:
    board = drawn(tmp_path, whole='["barrier", "road", "town", "height"]', hexsides="hex,next,road\n0101,0102,road\n")
    assert board.fact("road", "0101|0102") == on_the_map("road")
    assert board.fact("road", "0101|0201") == on_the_map("no-road")
    assert board.fact("barrier", "0101|0102") == on_the_map(())
    assert (board.fact("town", "0101"), board.fact("height", "0101")) == (on_the_map(False), on_the_map(0))


def test_on_any_other_layer_silence_says_nothing(tmp_path: Path) -> None:
    board = drawn(tmp_path, whole='["road"]', terrain="01\n1 c\n")
    assert board.fact("terrain", "0102") is None
    assert board.fact("barrier", "0101|0102") is None


def test_a_whole_layer_says_nothing_of_the_game_itself(tmp_path: Path) -> None:
    assert drawn(tmp_path, whole='["town"]').fact("town", "") is None


# --- places -----------------------------------------------------------------------------------------------------------


def test_places_are_hexes_and_boxes_by_their_printed_names(tmp_path: Path) -> None:
    board = drawn(tmp_path)
    assert (board.place("0101"), board.place("hospital")) == ("0101", "Hospital")
    assert (board.is_hex("0101"), board.is_hex("Hospital")) == (True, False)


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ("0203", "hex 0203 is off the board Mill valley", "nearest known: 0202, 0201"),
        ("0501", "hex 0501 is off the map", "columns run from 1 to 4, rows from 1 to 3"),
        ("Hospitl", "'Hospitl' is not a hex number", "hexes of this map are written like 0202"),
    ],
)
def test_places_that_a_drawn_board_has_not(text: str, what: str, hint: str, tmp_path: Path) -> None:
    board = drawn(tmp_path, terrain=TERRAIN)
    with pytest.raises(InputError) as caught:
        board.place(text)
    assert caught.value.what == what
    assert set(caught.value.hint.replace(",", "").split()) >= set(hint.replace(",", "").split())


def test_neighbours_are_those_that_are_drawn(tmp_path: Path) -> None:
    plain = Board(name="", title="plain", grid=HexGrid(columns=(1, 4), rows=(1, 3)), boxes=("Reserve",))
    assert plain.neighbours("0202") == ("0201", "0302", "0303", "0203", "0103", "0102")
    assert drawn(tmp_path, terrain=TERRAIN).neighbours("0202") == ("0201", "0302")


def test_a_box_has_no_neighbours(tmp_path: Path) -> None:
    assert drawn(tmp_path).neighbours("Reserve") == ()


def test_distances_are_counted_in_hexes(tmp_path: Path) -> None:
    board = drawn(tmp_path)
    assert [board.distance("0101", other) for other in ("0101", "0201", "0202", "0401", "0403")] == [0, 1, 2, 3, 4]
    with pytest.raises(InputError, match="'Reserve' is not a hex number"):
        board.distance("Reserve", "0101")


# --- faults -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "text", "where", "what", "hint"),
    [
        ("terrain", "01 02\n1 c x\n", "valley/terrain.txt:2", "unknown terrain letter 'x'", "known: c, l, w"),
        ("terrain", "01 02\n1 c c\n2 c\n", "valley/terrain.txt:3", "row 2 has 1 letters for 2 columns", ""),
        ("terrain", "01 02\n1 c c c\n", "valley/terrain.txt:2", "row 1 has 3 letters for 2 columns", ""),
        ("terrain", "01 B\n1 c c\n", "valley/terrain.txt:1", "'B' is not a column or row number", ""),
        ("terrain", "01 02\nc c\n", "valley/terrain.txt:2", "'c' is not a column or row number", ""),
        ("hexes", "hex,town\n0101,yes\n0909,yes\n", "valley/hexes.csv:3", "hex 0909 is off the map", "columns run from 1 to 4"),
        ("hexes", "hex,twon\n0101,yes\n", "valley/hexes.csv:2", "unknown track 'twon' of a hex", "nearest known: town"),
        ("hexes", "hex,road\n0101,road\n", "valley/hexes.csv:2", "unknown track 'road' of a hex", "known: height, terrain, town"),
        ("hexes", "hex,height\n0101,3\n0102,10\n", "valley/hexes.csv:3", "height: 10 is not allowed", "allowed: a whole number from 0 to 9"),
        ("hexsides", "hex,next,town\n0101,0102,yes\n", "valley/hexsides.csv:2", "unknown track 'town' of a hexside", "known: barrier, road"),
        ("hexsides", "hex,next,road\n0101,0102,raod\n", "valley/hexsides.csv:2", "road: 'raod' is not allowed", "nearest known: road"),
        ("hexsides", "hex,next,road\n0101,0103,road\n", "valley/hexsides.csv:2", "0101 and 0103 are not adjacent", ""),
        ("hexsides", "hex,next,road\n0101,Reserve,road\n", "valley/hexsides.csv:2", "0101 and Reserve are not adjacent", ""),
        ("hexsides", "hex,next,road\n0101,0909,road\n", "valley/hexsides.csv:2", "hex 0909 is off the map", "rows from 1 to 3"),
    ],
)  # fmt: skip
def test_faults_name_file_and_line(file: str, text: str, where: str, what: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        drawn(tmp_path, **{file: text})
    assert (str(caught.value.where), caught.value.what) == (where, what)
    assert hint in caught.value.hint and bool(hint) == bool(caught.value.hint)


@pytest.mark.parametrize(
    ("head", "what"),
    [
        (HEAD.replace("title", "name"), "name: unknown key"),
        (HEAD.replace('"drawn"', '"guessed"'), "source: 'guessed' is not allowed"),
        (HEAD.replace("[terrain]", "[terrain"), "Expected ']' at the end of a table declaration"),
        (HEAD.replace("columns = [1, 4]", "columns = 4"), "[grid] columns: 4 is not allowed"),
    ],
)
def test_faults_of_the_head_name_it(head: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        drawn(tmp_path, head=head)
    assert caught.value.where and caught.value.where.file == "board.toml"
    assert what in caught.value.what


def test_a_folder_without_a_head_is_no_board(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="board.toml: No such file"):
        read_board(tmp_path, TRACKS)


def test_a_whole_layer_that_the_game_has_not(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="board.toml: .*'raod'"):
        drawn(tmp_path, whole='["raod"]')


def test_a_terrain_map_in_a_game_without_terrain(tmp_path: Path) -> None:
    drawn(tmp_path, terrain=TERRAIN)
    with pytest.raises(InputError, match="terrain"):
        read_board(tmp_path / "valley", {})


def test_a_letter_that_stands_for_no_terrain(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="terrain: 'bog' is not allowed") as caught:
        drawn(tmp_path, head=HEAD.replace('"lake"', '"bog"'), terrain=TERRAIN)
    assert caught.value.where is not None


def test_a_column_off_the_grid(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="hex 0501 is off the map") as caught:
        drawn(tmp_path, terrain="01 05\n1 c c\n")
    assert str(caught.value.where).startswith("valley/terrain.txt")


def test_blank_lines_of_a_terrain_map_count_as_lines(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown terrain letter") as caught:
        drawn(tmp_path, terrain="01 02\n\n1 c x\n")
    assert str(caught.value.where) == "valley/terrain.txt:3"


def test_a_superscript_is_no_number(tmp_path: Path) -> None:
    with pytest.raises(ValueError) as caught:
        drawn(tmp_path, terrain="01 ²\n1 c c\n")
    assert isinstance(caught.value, InputError)


def test_hexsides_without_their_second_hex(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="hexsides.csv:1: column 'next' is missing"):
        drawn(tmp_path, hexsides="hex,road\n0101,road\n")


def test_a_missing_column_names_the_board_too(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="column 'hex' is missing") as caught:
        drawn(tmp_path, hexes="town\nyes\n")
    assert str(caught.value.where) == "valley/hexes.csv:1"


def test_facts_of_a_hex_that_is_not_drawn(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="valley/hexes.csv:2: hex 0403 is off the board"):
        drawn(tmp_path, terrain=TERRAIN, hexes="hex,town\n0403,yes\n")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("terrain", "01\n1 c\n1 w\n"),
        ("hexes", "hex,town\n0101,yes\n0101,no\n"),
        ("hexsides", "hex,next,road\n0101,0102,road\n0102,0101,no-road\n"),
    ],
)
def test_what_is_drawn_twice(file: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="twice"):
        drawn(tmp_path, **{file: text})
