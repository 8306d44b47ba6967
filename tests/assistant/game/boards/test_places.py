"""Places and lakes: towns with their class and names, and the shapes of lakes, for the picture alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.boards import Basis, Board, Outline
from assistant.game.boards.files import read_board
from assistant.state.tracks import Fact, Source
from assistant.util.errors import InputError, Where

from .valley import CLASSES, TRACKS, drawn, folder_of, on_the_map

ROWS = """hex,name,class,label,name-de,name-pl,source,note,rule,since
0101,Lyck,town,se,Lyck,Ełk,,,,
0202,"Mill, the old",,,,,rulebook,,17.4,1914-08
"""


def with_classes(at: Path, places: str) -> Board:
    """A board in a game with a track for the classes of places."""
    return read_board(folder_of(at, places=places), {**TRACKS, "class": CLASSES}, town="class")


def test_a_place_has_its_names_its_class_and_signs_and_how_it_is_known(tmp_path: Path) -> None:
    lyck, mill = drawn(tmp_path, places=ROWS).places
    assert (lyck.hex, lyck.name, lyck.kind, lyck.label) == ("0101", "Lyck", "town", "se")
    assert lyck.names == {"de": "Lyck", "pl": "Ełk"}
    assert (lyck.basis, lyck.where) == (Basis(Source.DRAWN), Where("valley/places.csv", 2))
    assert (mill.name, mill.kind, mill.names) == ("Mill, the old", "", {})
    assert mill.basis == Basis(Source.RULEBOOK, rule="17.4", since="1914-08")
    lyck, mill = drawn(tmp_path / "2", places="hex,name,class,fortress\n0101,Lyck,town,Yes\n0202,Mill,town,\n").places
    assert (lyck.kind, lyck.fortress) == ("town", True)
    assert (mill.kind, mill.fortress) == ("town", False)
    lyck, mill = drawn(tmp_path / "2", places="hex,name,terminus\n0101,Lyck,yes\n0202,Mill,\n").places
    assert (lyck.terminus, mill.terminus) == (True, False)
    board = drawn(tmp_path / "3", places="hex,name,class\n,,\n0101,Lyck,Town\n , ,\n")
    assert [(place.name, place.kind) for place in board.places] == [("Lyck", "town")]


def test_the_class_is_a_fact_of_the_hex_where_the_game_has_a_track_for_it(tmp_path: Path) -> None:
    board = with_classes(tmp_path, "hex,name,class,source\n0101,Lyck,town,\n0102,Mill,hamlet,rulebook\n0103,Pond,,\n")
    assert dict(board.facts) == {
        ("class", "0101"): on_the_map("town"),
        ("class", "0102"): Fact("hamlet", Source.RULEBOOK),
    }
    assert dict(drawn(tmp_path, places=ROWS).facts) == {}, "the track `town` of this game is a flag"
    rows = "hex,name,class,source\n0101,Mill,hamlet,\n0101,Lyck,town,\n0101,Pond,hamlet,\n"
    rows += "0102,Lyck,town,\n0102,Mill,hamlet,rulebook\n"
    board = with_classes(tmp_path / "2", rows)
    assert board.fact("class", "0101") == on_the_map("town")
    assert board.fact("class", "0102") == Fact("hamlet", Source.RULEBOOK)
    assert len(board.places) == 5


@pytest.mark.parametrize(
    ("file", "text", "line", "what", "hint"),
    [
        ("places", "hex,label\n0101,n\n", 1, "column 'name' is missing", "expected: hex,name"),
        ("places", "hex,name,size\n0101,Lyck,3\n", 1, "unknown column 'size'", "nearest known"),
        ("places", "hex,name\n0101,Lyck\n0909,Mill\n", 3, "hex 0909 is off the map", "columns run"),
        ("places", "hex,name\n0101,Lyck\n0101,Lyck\n", 3, "Lyck in 0101 is given twice", "leave out one"),
        ("places", "hex,name\n0101, \n", 2, "the place in 0101 has no name", "in the column `name`"),
        ("places", "hex,name,class\n0101,Lyck,metropolis\n", 2, "unknown class 'metropolis'", "known: city"),
        ("places", "hex,name,fortress\n0101,Lyck,no\n", 2, "fortress 'no' is neither yes nor nothing", "write yes"),
        ("places", "hex,name,terminus\n0101,Lyck,maybe\n", 2, "terminus 'maybe' is neither yes nor nothing", "write yes"),
        ("places", "hex,name,label\n0101,Lyck,up\n", 2, "'up' is not a compass point", "one of n, ne"),
        ("places", "hex,name,source\n0101,Lyck,guess\n", 2, "unknown source 'guess'", "known: drawn"),
        ("places", "hex,name,since\n0101,Lyck,1914-8\n", 2, "'1914-8' is not a date", "write 1914"),
        ("places", "hex,name,name-\n0101,Lyck,x\n", 1, "unknown column 'name-'", "name-de"),
        ("places", "hex,name,since\n0101,Lyck,1914-13\n", 2, "'1914-13' is not a date", "write 1914"),
        ("places", "hex,name\n,Lyck\n", 2, "a place has no hex", "in the column `hex`"),
        ("places", "hex,name\nreserve,Lyck\n", 2, "'reserve' is a box", "a place is in a hex"),
        ("places", 'hex,name\n0101,"Ly\nck"\n', 3, "'Ly\\nck' has a character that cannot be printed", "type it again"),
        ("places", "hex,name,name-pl\n0101,Lyck,E\x00k\n", 2, "'E\\x00k' has a character that cannot be printed", "type it again"),
        ("places", "hex,name\n0101,Lyck,,x\n", 2, "column 4 has no name in the head row, but holds 'x' here", "hex,name"),
        ("places", 'hex,name\n0101,"Lyck\n', 2, "unexpected end of data", "quotation marks"),
        ("lakes", "hex\n0101\n", 1, "column 'outline' is missing", "expected: hex,outline"),
        ("lakes", "hex,outline,shape\n0101,0 0; 1 0; 1 1,x\n", 2, "unknown column 'shape'", "nearest known"),
        ("lakes", "hex,outline\n0909,0 0; 1 0; 1 1\n", 2, "hex 0909 is off the map", "columns run"),
        ("lakes", "hex,outline\n0101,0 0; 1 0\n", 2, "an outline has fewer than three points", "one after another"),
        ("lakes", "hex,outline\n0101,0 0; 1; 1 1\n", 2, "'1' is not a point of an outline", "to the right and down"),
        ("lakes", "hex,outline\n0101,0 0; 1 x; 1 1\n", 2, "'1 x' is not a point of an outline", "to the right and down"),
        ("lakes", "hex,outline\n0101,0 0; nan 0; 1 1\n", 2, "'nan 0' is not a point of an outline", "to the right and down"),
        ("lakes", "hex,outline\n0101,0 0; 51 0; 1 1\n", 2, "'51 0' is not a point of an outline", "to the right and down"),
        ("lakes", "hex,outline,name\n0101,0 0; 1 0; 1 1,M\x00\n", 2, "'M\\x00' has a character that cannot be printed", "type it"),
    ],
)  # fmt: skip
def test_faults_name_the_line(file: str, text: str, line: int, what: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        drawn(tmp_path, **{file: text})
    assert (caught.value.what, caught.value.where) == (what, Where(f"valley/{file}.csv", line))
    assert hint in caught.value.hint


def test_a_class_that_contradicts_a_fact_names_both_places(tmp_path: Path) -> None:
    board = folder_of(tmp_path, places="hex,name,class\n0101,Lyck,town\n", more="0101 hamlet\n")
    with pytest.raises(InputError) as caught:
        read_board(board, {**TRACKS, "class": CLASSES}, town="class")
    assert caught.value.what == "class of 0101 is town here but hamlet at valley/more.lines:1:1"
    assert str(caught.value.where) == "valley/places.csv:2"


def test_each_faulty_row_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    found: list[InputError] = []
    folder = folder_of(tmp_path, places="hex,name\n0909,Mill\n0101,Lyck\n0102,\n")
    board = read_board(folder, TRACKS, found.append)
    assert [fault.where.line for fault in found if fault.where] == [2, 4]
    assert [place.name for place in board.places] == ["Lyck"]


LAKES = "name,hex,outline\nMere,0101,0.25 -0.4; 0.5 0; 0 0.5\n,0202,0 0;1 0;1 1;0 1\n"


def test_a_lake_has_its_shore_and_bars_nothing(tmp_path: Path) -> None:
    board = drawn(tmp_path, lakes=LAKES)
    mere, pond = board.outlines
    shore = ((0.25, -0.4), (0.5, 0.0), (0.0, 0.5))
    assert mere == Outline(name="Mere", hex="0101", points=shore, where=Where("valley/lakes.csv", 2))
    assert (pond.name, pond.hex, len(pond.points)) == ("", "0202", 4)
    assert dict(board.facts) == {}


def test_an_unknown_column_is_named_once_and_the_places_are_read(tmp_path: Path) -> None:
    found: list[InputError] = []
    folder = folder_of(tmp_path, places="hex,name,size\n0101,Lyck,3\n0102,Mill,2\n")
    assert len(read_board(folder, TRACKS, found.append).places) == 2
    assert [fault.what for fault in found] == ["unknown column 'size'"]
