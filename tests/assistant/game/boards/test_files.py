"""Boards are read from files that a person can edit, with file, line and column in every message."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.boards import Basis, Board
from assistant.game.boards.files import read_board
from assistant.game.boards.letters import read_letters
from assistant.game.hexes import HexGrid
from assistant.state.tracks import Fact, Source
from assistant.util.errors import InputError, stop

from .valley import HEAD, TERRAIN, TRACKS, drawn, folder_of, on_the_map

# --- what is drawn ----------------------------------------------------------------------------------------------------


def test_a_board_needs_no_more_than_its_head(tmp_path: Path) -> None:
    board = drawn(tmp_path)
    assert (board.name, board.title, board.boxes) == ("valley", "Mill valley", ("Reserve", "Hospital"))
    assert (dict(board.facts), board.silence, board.hexes) == ({}, {}, frozenset())
    beside = board.with_boxes(("Hospital", "Depot"))
    assert beside.boxes == ("Reserve", "Hospital", "Depot"), "a game's own boxes lie beside every board"
    assert (board.chains, board.labels, board.places, board.drawn.edge) == ((), (), (), None)
    assert board.place("0403") == "0403", "every hex of the grid is on it until somebody draws it"


def test_a_board_is_a_map_if_it_is_drawn_has_a_picture_or_a_known_edge(tmp_path: Path) -> None:
    assert drawn(tmp_path).is_map, "it ends where its author says"
    for source, known in (("rulebook", True), ("reconstruction", False)):
        edge = f'{HEAD}\n[edge]\nsource = "{source}"\n'
        assert drawn(tmp_path, head=edge).is_map is known
    assert drawn(tmp_path, terrain=TERRAIN, head=edge).is_map
    assert not Board(name="", title="paper", grid=HexGrid()).is_map, "the printed map lies on the table"


def test_terrain_is_a_map_of_letters_and_a_dot_is_no_hex(tmp_path: Path) -> None:
    board = drawn(tmp_path, terrain=TERRAIN)
    assert board.hexes == {"0101", "0201", "0202", "0302"}
    assert {hex: board.fact("terrain", hex) for hex in sorted(board.hexes)} == {
        "0101": on_the_map("clear"),
        "0201": on_the_map("wood"),
        "0202": on_the_map("lake"),
        "0302": on_the_map("clear"),
    }


def test_columns_and_rows_may_be_drawn_in_any_order_or_not_at_all(tmp_path: Path) -> None:
    board = drawn(tmp_path, terrain="04 02\n3 w c\n1 l .\n")
    assert {hex: board.facts["terrain", hex].value for hex in board.hexes} == {
        "0403": "wood",
        "0203": "clear",
        "0401": "lake",
    }
    assert drawn(tmp_path, terrain="\n").hexes == frozenset()


def test_facts_carry_the_source_that_the_board_names_and_are_counted_by_it(tmp_path: Path) -> None:
    board = drawn(tmp_path, head=HEAD.replace('"drawn"', '"printed"'), terrain="01\n1 c\n", whole='["road"]')
    assert board.fact("terrain", "0101") == Fact("clear", Source.PRINTED)
    assert board.fact("road", "0101|0102") == Fact("no-road", Source.PRINTED)
    board = drawn(tmp_path, terrain=TERRAIN, more="0101 terrain=wood town [rulebook 4]\n0201|0202 road\n")
    assert board.sources == {
        "terrain": {Source.DRAWN: 3, Source.RULEBOOK: 1},
        "town": {Source.RULEBOOK: 1},
        "road": {Source.DRAWN: 1},
    }


def test_on_a_whole_layer_alone_nothing_drawn_is_nothing_there(tmp_path: Path) -> None:
    board = drawn(tmp_path, whole='["barrier", "road", "town", "height"]', roads="0101|0102 road")
    assert board.fact("road", "0101|0102") == on_the_map("road")
    assert board.fact("road", "0101|0201") == on_the_map("no-road")
    assert board.fact("barrier", "0101|0102") == on_the_map(())
    assert (board.fact("town", "0101"), board.fact("height", "0101")) == (on_the_map(False), on_the_map(0))
    assert drawn(tmp_path, whole='["town"]').fact("town", "") is None
    board = drawn(tmp_path, whole="[]", terrain="01 02 03 04\n1 c . . .\n2 c . . .\n")
    assert board.fact("terrain", "0103") is None
    assert board.fact("barrier", "0101|0102") is None


def test_places_distances_and_neighbours_are_those_of_the_board(tmp_path: Path) -> None:
    board = drawn(tmp_path)
    assert (board.place("0101"), board.place("hospital")) == ("0101", "Hospital")
    assert (board.is_hex("0101"), board.is_hex("Hospital"), board.is_hex(None), board.is_hex("")) == (
        True,
        False,
        False,
        False,
    )
    board = drawn(tmp_path)
    assert [board.distance("0101", other) for other in ("0101", "0201", "0202", "0401", "0403")] == [0, 1, 2, 3, 4]
    with pytest.raises(InputError, match="'Reserve' is not a hex number"):
        board.distance("Reserve", "0101")
    plain = Board(name="", title="plain", grid=HexGrid(columns=(1, 4), rows=(1, 3)), boxes=("Reserve",))
    assert plain.neighbours("0202") == ("0201", "0302", "0303", "0203", "0103", "0102")
    assert drawn(tmp_path, terrain=TERRAIN).neighbours("0202") == ("0201", "0302")
    assert drawn(tmp_path).neighbours("Reserve") == ()


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


# --- faults -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "where", "what", "hint"),
    [
        ("01 02\n1 c x\n", "2:5", "unknown terrain letter 'x'", "known: c, l, w"),
        ("01 02\n1 c c\n2 c\n", "3:1", "row 2 has 1 letter for 2 columns", "a letter for each column"),
        ("01 02\n1 c c c\n", "2:1", "row 1 has 3 letters for 2 columns", ". is off the map"),
        ("01 B\n1 c c\n", "1:4", "'B' is not a column or row number", "column numbers go in the first line"),
        ("01 02\nc c\n", "2:1", "'c' is not a column or row number", "each other line begins with a row number"),
        ("01 05 06\n1 c c c\n2 c c c\n", "2:5", "column 5 is off the map", "columns run from 1 to 4"),
        ("01 02\n4 . c\n", "2:5", "row 4 is off the map", "rows from 1 to 3"),
        ("01 02\n\n1 c x\n", "3:5", "unknown terrain letter 'x'", ""),
        ("01\n1 c\n1 w\n", "3:1", "row 1 is drawn twice", "leave out one of the two"),
        ("01 01\n1 c w\n", "1:4", "column 01 is drawn twice", ""),
        ("01 ²\n1 c c\n", "1:4", "'²' is not a column or row number", ""),
    ],
)  # fmt: skip
def test_faults_of_the_map_of_letters(text: str, where: str, what: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        drawn(tmp_path, terrain=text)
    assert (str(caught.value.where), caught.value.what) == (f"valley/terrain.txt:{where}", what)
    assert hint in caught.value.hint


def test_how_hexes_on_the_map_and_their_terrain_are_known(tmp_path: Path) -> None:
    board = drawn(tmp_path, terrain="01 02\n1 c ?\n")
    assert board.hexes == {"0101", "0201"}
    assert (board.fact("terrain", "0101"), board.fact("terrain", "0201")) == (on_the_map("clear"), None)
    edge = HEAD + '[edge]\nsource = "rulebook"\nrule = "1.2"\nnote = "rows 1 to 3"\n'
    assert drawn(tmp_path, head=edge).drawn.edge == Basis(Source.RULEBOOK, "rows 1 to 3", "1.2")


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
    assert caught.value.where and caught.value.where.file == "valley/board.toml"
    assert what in caught.value.what


def test_a_head_that_does_not_fit_the_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="board.toml: No such file"):
        read_board(tmp_path, TRACKS)
    with pytest.raises(InputError, match="board.toml:5: unknown track 'lost' of the map"):
        drawn(tmp_path, whole='["lost"]')
    for letter in (".", "?", " ", "", "a b"):
        with pytest.raises(InputError, match=r"valley/board.toml:\d+: \[terrain\] .* cannot stand for clear"):
            drawn(tmp_path, head=HEAD.replace("c =", f'"{letter}" ='))
    drawn(tmp_path, terrain=TERRAIN)
    with pytest.raises(InputError, match="terrain"):
        read_board(tmp_path / "valley", {})


@pytest.mark.parametrize(
    ("boxes", "what"),
    [
        ('["Reserve", "reserve"]', "'reserve' is named twice"),
        ('["0101"]', "'0101' is the number of a hex"),
        ('[" "]', "' ' is not a name"),
    ],
)
def test_a_box_that_nobody_could_name(boxes: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        drawn(tmp_path, head=HEAD.replace('["Reserve", "Hospital"]', boxes))
    assert (caught.value.what, str(caught.value.where)) == (f"boxes: {what}", "valley/board.toml:4")


@pytest.mark.parametrize("terrain", ["01 02 02\n1 c c c\n2 c c c\n", "01 02\n1 c c\n1 c c\n", "01 02\n1 c c\n2 c\n"])
def test_a_row_that_is_left_out_makes_no_fault_of_what_lies_there(terrain: str, tmp_path: Path) -> None:
    found: list[InputError] = []
    read_board(
        folder_of(tmp_path, terrain=terrain, more="0302, 0202 town\nroad: 0101 0102 0103\n"), TRACKS, found.append
    )
    assert [fault.where.file for fault in found if fault.where] == ["valley/terrain.txt"]


def test_a_row_or_word_that_is_wrong_is_one_fault(tmp_path: Path) -> None:
    found: list[InputError] = []
    read_board(folder_of(tmp_path, head=HEAD.replace("Wood", "Wodo"), terrain=TERRAIN), TRACKS, found.append)
    assert [str(fault).splitlines()[0] for fault in found] == ["valley/board.toml:14: terrain: 'Wodo' is not allowed"]
    with pytest.raises(InputError) as caught:
        drawn(tmp_path, head=HEAD.replace("Reserve", "Army Reserve"), more="Army Reserve town\n")
    assert caught.value.hint == 'put the name of a box in quotes: "Army Reserve"'


def test_hidden_files_are_not_read_and_links_do_not_lead_out(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, more="0101 town\n")
    (folder / "._more.lines").write_bytes(b"\x00\x05\x16\x07")
    assert read_board(folder, TRACKS).fact("town", "0101") == on_the_map(True)
    (tmp_path / "secret.txt").write_text("0102 town\n", "utf-8")
    (folder / "other.lines").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(InputError, match="'other.lines' leads out of the game's folder"):
        read_board(folder, TRACKS)


@pytest.mark.parametrize("name", ["terrain.txt", "more.lines", "places.csv"])
def test_a_file_of_another_encoding_is_told_and_the_others_are_read(name: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, other="0101 town\n")
    (folder / name).write_bytes("hex,name\n0101,Łomża\n".encode("iso8859-2"))
    found: list[InputError] = []
    board = read_board(folder, TRACKS, found.append)
    assert [(fault.what[:23], str(fault.where).split(":")[0]) for fault in found] == [
        ("the text is not UTF-8", f"valley/{name}")
    ]
    assert board.fact("town", "0101") == on_the_map(True)


def test_more_facts_than_are_allowed_are_one_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_DRAWN", "3")
    found: list[InputError] = []
    read_board(folder_of(tmp_path, terrain="01 02 03 04\n1 c c c c\n2 c c c c\n"), TRACKS, found.append)
    assert {fault.what for fault in found} == {"the board holds more than 3 facts"}
    found.clear()
    assert len(read_board(folder_of(tmp_path, terrain="01 02 03\n1 c c c\n"), TRACKS, found.append).facts) == 3
    assert not found


LETTERED = HexGrid(format="{column:A}{row}", columns=(1, 28), rows=(1, 3))


def test_columns_are_named_as_the_map_prints_them_or_by_number(tmp_path: Path) -> None:
    for heads in ("A AA BB", "1 27 28"):
        tmp_path.joinpath("terrain.txt").write_text(f"   {heads}\n2  c w c\n", "utf-8")
        read = [(at, letter.text) for at, letter in read_letters(tmp_path, LETTERED, stop)]
        assert read == [("A2", "c"), ("AA2", "w"), ("BB2", "c")]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("   A AB\n2  c w\n", "terrain.txt:1:6: 'AB' is not a column"),
        ("   A CC\n2  c w\n", "terrain.txt:2:6: column CC is off the map"),
        ("   A B\n4  c w\n", "terrain.txt:2:4: row 4 is off the map"),
        ("   A B\nc  c w\n", "terrain.txt:2:1: 'c' is not a column or row number"),
    ],
)
def test_what_is_off_a_lettered_map_is_named_with_its_letters(tmp_path: Path, text: str, fault: str) -> None:
    tmp_path.joinpath("terrain.txt").write_text(text, "utf-8")
    faults: list[InputError] = []
    for _ in read_letters(tmp_path, LETTERED, faults.append):
        pass
    assert [str(error).partition("\n")[0].partition("/")[2] for error in faults] == [fault]
    if "off the map" in fault:
        assert faults[0].hint == "columns run from A to BB, rows from 1 to 3"
