"""What `module-builder check` says of boards: their numbering, gaps and loops of rivers, lost railways and bridges, and sources."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.game.games import Game, read_game
from assistant.game.lint.boards import board_faults, board_remarks, find_components, format_shares, numbering_faults
from assistant.game.lint.files import map_faults
from assistant.state.tracks import Source
from module_builder.cli import cli

from ....folders import game_of
from ..track_files import format_track

GAME = """title = "Mill"
about = "A made-up valley."
[grid]
columns = [1, 20]
rows = [1, 20]
[picture]
barrier = "barrier"
"""
TRACKS = "".join(
    (
        format_track("barrier", "hexside", "choices", values=["river", "lake"], token="{}", printed="map"),
        format_track("rail", "hexside", "choice", "railway", values=["no-rail", "rail"], token="{}", printed="map"),
        format_track(
            "crossing", "hexside", "choice", values=["no-crossing", "bridge", "ferry"], token="{}", printed="map"
        ),
    )
)
HEAD = 'title = "Valley"\nsource = "drawn"\nwhole = ["barrier"]\n[grid]\ncolumns = [1, 9]\nrows = [1, 9]\n'


def game_in(folder: Path, head: str = HEAD, **texts: str) -> Game:
    """A game whose board has these `.lines` files."""
    lines = {f"boards/valley/{name}.lines": text for name, text in texts.items()}
    files = {"game.toml": GAME, "tracks.toml": TRACKS, "boards/valley/board.toml": head, **lines}
    return game_of(folder, files, "mill")


def remarks(folder: Path, **texts: str) -> list[str]:
    """What looks wrong on the board."""
    return [line for line in board_remarks(game_in(folder, **texts)) if "valley: " in line][1:]


def faults(game: Game) -> list[str]:
    found = (*numbering_faults(game, "valley"), *board_faults(game, game.board("valley")))
    return [f"{fault.where}: {fault.what}" for fault in found]


@pytest.mark.parametrize(
    ("step", "what"),
    [
        ("[69.3, 80.0]", []),
        ("[75.0, 80.0]", []),  # maps are not always regular
        ("[69.3, 40.0]", ["2.0 times as wide as regular ones, for which step of [picture] is [34.64, 40]"]),
    ],
)
def test_hexes_of_a_picture_that_are_far_from_regular_are_remarked_on(
    step: str, what: list[str], tmp_path: Path
) -> None:
    head = HEAD + f'[picture]\nfile = "map.png"\nfirst = [60, 50]\nstep = {step}\n'
    (tmp_path / "boards" / "valley").mkdir(parents=True)
    (tmp_path / "boards" / "valley" / "map.png").touch()
    said = [line for line in board_remarks(game_in(tmp_path, head)) if "its picture" in line]
    assert said == [f"board valley: the hexes of its picture are {some}" for some in what]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('shifted = "odd"', 'shifted is "odd", but "even" in game.toml'),
        ('orientation = "pointy"', 'orientation is "pointy", but "flat" in game.toml'),
        ('columns_from = "east"', 'columns_from is "east", but "west" in game.toml'),
        ('format = "{column:02}.{row:02}"', 'format is "{column:02}.{row:02}", but "{column:02}{row:02}" in game.toml'),
    ],
)
def test_another_numbering_than_that_of_the_printed_map(line: str, what: str, tmp_path: Path) -> None:
    assert faults(game_in(tmp_path, HEAD + line + "\n")) == [f"valley/board.toml:7: [grid] {what}"]


def test_hexes_and_numbers_that_the_printed_map_has_not(tmp_path: Path) -> None:
    game = game_in(tmp_path, HEAD.replace("rows = [1, 9]", "rows = [0, 9]"))
    assert faults(game) == ["valley/board.toml:6: [grid] rows 0 to 9 go beyond the 1 to 20 of game.toml"]
    done = CliRunner().invoke(cli, ["check", str(tmp_path)])
    assert (done.exit_code, "a board is the printed map or a part of it" in done.stderr) == (1, True)
    game_in(tmp_path / "2", HEAD + 'shifted = "odd"\n', rivers='"Mill" river: 0104|0103,0203 0203|0204,0304\n')
    said = CliRunner().invoke(cli, ["check", str(tmp_path / "2")]).stderr.splitlines()
    assert [line.split(": ")[1] for line in said] == ["valley/board.toml:7", "valley/rivers.lines:1:25"]


def test_rivers_lie_along_hexsides_and_railways_lead_across_them(tmp_path: Path) -> None:
    game = game_in(tmp_path, ways='"Mill" river: 0101 0102\nrail: 0403|0404\nriver rail: 0501|0502\n')
    assert faults(game) == [
        'valley/ways.lines:1:1: "Mill" runs from hex to hex, but barrier lies along hexsides',
        "valley/ways.lines:2:1: this runs along hexsides, but rail leads across them",
        "valley/ways.lines:3:1: this runs along hexsides, but rail leads across them",
    ]


@pytest.mark.parametrize(
    "head", ["", "title = [", HEAD.replace("[1, 9]", "[9, 1]", 1), HEAD.replace("[grid]", "[gird]")]
)
def test_where_the_head_says_no_numbers_nothing_that_follows_from_it_is_named(head: str, tmp_path: Path) -> None:
    game_in(tmp_path, head, rivers='"Mill" river: 0104|0103,0203 0203|0204,0304\n')
    said = CliRunner().invoke(cli, ["check", str(tmp_path)]).stderr
    assert "valley/board.toml" in said
    assert ".lines" not in said and "game.toml" not in said


def test_a_board_whose_map_of_letters_is_empty(tmp_path: Path) -> None:
    game = game_in(tmp_path, HEAD + '[terrain]\nc = "clear"\n')
    (game_folder := tmp_path / "boards" / "valley").joinpath("terrain.txt").write_text("\n", "utf-8")
    assert [(str(fault.where), fault.what) for fault in map_faults(game)] == [
        ("valley/terrain.txt", "the file is empty")
    ]
    (game_folder / "terrain.txt").unlink()
    assert [fault.what for fault in map_faults(game)] == ["the file is missing"]


def test_files_that_are_not_read_are_named(tmp_path: Path) -> None:
    game = game_in(tmp_path, rivers='"Mill" river: 0404|0403,0504\n')
    for name in ("place.csv", "roads.lines.txt", "rivers.lines~", ".rivers.lines", "SOURCES.md"):
        (tmp_path / "boards" / "valley" / name).write_text("a slip", "utf-8")
    (tmp_path / "boards" / ".old").mkdir()
    known = "a board has board.toml, terrain.txt, places.csv, lakes.csv and files that end in .lines"
    assert [line for line in board_remarks(game) if "is not read" in line] == [
        f"board valley: {name} is not read; {known}" for name in ("place.csv", "roads.lines.txt")
    ]
    assert read_game("mill", tmp_path).board_names == ("valley",)
    game = game_in(tmp_path)
    (tmp_path / "boards" / "roads.lines").write_text("rail: 0101 0201\n", "utf-8")
    assert next(board_remarks(game)).startswith("boards/roads.lines is not read; each board needs a folder")


@pytest.mark.parametrize("name", ["old copy", "x#y", 'a"b', "a:b"])
def test_a_board_that_no_position_can_name(name: str, tmp_path: Path) -> None:
    game_in(tmp_path)
    (tmp_path / "boards" / name).mkdir()
    (tmp_path / "boards" / name / "board.toml").write_text(HEAD, "utf-8")
    game = read_game("mill", tmp_path)
    assert game.board_names == ("valley",)
    assert [str(fault) for fault in map_faults(game)] == [
        f"boards/{name}: a position cannot name this board\n  rename the folder: letters, digits, hyphens and dots only"
    ]


def test_a_gap_or_a_loop_of_a_river_is_named_unless_a_lake_or_the_edge_explains_it(tmp_path: Path) -> None:
    gap = remarks(tmp_path, rivers='"Mill" river: 0404|0403,0504\n"Mill" river: 0604|0505,0605\n')
    assert gap == ['board valley: "Mill" has a gap between 0404|0504 and 0505|0604']
    through = '"Mill" river: 0404|0403,0504\n"Mill" river: 0604|0505,0605\n"Tarn" lake: 0504|0505\n'
    assert remarks(tmp_path / "2" / "one", rivers=through) == []
    off = '"Mill" river: 0102|0101\n"Mill" river: 0105|0104\n'
    assert remarks(tmp_path / "2" / "two", rivers=off) == []
    loop = '"Mill" river: 0404|0403,0504,0505,0405,0305,0304\n"Mill" river: 0403|0504\n'
    assert remarks(tmp_path / "3" / "a", rivers=loop) == ['board valley: "Mill" runs in a loop at 0403|0404']
    assert remarks(tmp_path / "3" / "b", lakes='"Tarn" lake: 0404|0403,0504,0505,0405,0305,0304\n') == []


def test_a_railway_joined_to_no_other_and_a_bridge_without_a_river(tmp_path: Path) -> None:
    lines = "rail: 0101 0201 0301 0401\nrail: 0404 0504\nrail: 0809 0909\n0605|0606 rail=no-rail\n"
    assert remarks(tmp_path, rail=lines) == ["board valley: the railway through 0404 (2 hexes) connects to no other"]
    lines = "0404|0403 bridge\n0504|0505 ferry\nriver: 0504|0505\n0301|0302 crossing=no-crossing\n"
    lost = ["board valley: bridge on 0403|0404, where there is nothing to cross"]
    assert remarks(tmp_path / "2" / "one", ways=lines) == lost
    unknown = HEAD.replace('whole = ["barrier"]\n', "")
    game = game_in(tmp_path / "2" / "two", unknown, ways=lines)
    assert [line for line in board_remarks(game) if "bridge" in line] == [], "what lies there is not known"


def test_what_share_of_each_layer_is_known_from_where(tmp_path: Path) -> None:
    lines = "river: 0404|0403,0504 0504|0505\nriver: 0404|0403 [rulebook 4]\n"
    head = HEAD.replace("[grid]", 'edge = { source = "printed" }\n[grid]')
    game = game_in(tmp_path, head, rivers=lines, rail="rail: 0101 0102", label='"Heath" region: 0101')
    assert list(board_remarks(game))[:4] == [
        "board valley: all hexes of its grid; its edge is printed",
        "  barrier: 3, 33% rulebook, 67% drawn, none elsewhere",
        "  rail: 1, drawn",
        "  places and labels: 1, drawn",
    ]
    assert format_shares({Source.DRAWN: 4999, Source.RULEBOOK: 1}) == "5,000, under 1% rulebook, over 99% drawn"
    head = HEAD.replace('["barrier"]', '["barrier", "rail"]')
    lines = list(board_remarks(game_in(tmp_path / "2", head, ways="rail: 0101 0201\nriver: 0101|0102\n")))
    assert "  rail: 1, drawn, no-rail elsewhere" in lines
    assert "  barrier: 1, drawn, none elsewhere" in lines


def test_parts_of_a_graph() -> None:
    edges = {"a": (1, 2), "b": (3, 4), "c": (2, 5), "d": (5, 1), "e": (6, 6)}
    assert [sorted(part) for part in find_components(edges)] == [["a", "c", "d"], ["b"], ["e"]]
