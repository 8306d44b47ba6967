"""Lines that end in nothing: railways without a terminus, rivers without a mouth, borders that stop; none on our boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.games import Game
from assistant.game.lint.boards import board_remarks, find_loose_ends
from assistant.installed.registry import load_game

from ....folders import game_of

GAME = """title = "Mill"
about = "A made-up valley."
[grid]
columns = [1, 9]
rows = [1, 9]
"""
TRACKS = "".join(
    f'[{name}]\ntitle = "{name}"\non = "{on}"\nkind = "{kind}"\nvalues = {values}\ntoken = "{{}}"\nprinted = "map"\n'
    for name, on, kind, values in (
        ("terrain", "hex", "choice", ["clear", "sea"]),
        ("barrier", "hexside", "choices", ["open", "minor-river", "major-river", "ridge", "lake"]),
        ("rail", "hexside", "choice", ["no-rail", "rail"]),
        ("border", "hexside", "choice", ["no-border", "frontier", "march"]),
    )
)
HEAD = """title = "Valley"
source = "drawn"
[grid]
columns = [1, 9]
rows = [1, 9]
[terrain]
c = "clear"
s = "sea"
"""
ROW = "  c  c  c  c  c  c  c  c  s"
"""Land from edge to edge, but for the sea in the last column."""
TERRAIN = "    01 02 03 04 05 06 07 08 09\n" + "".join(f"{row:02}{ROW}\n" for row in range(1, 10))


def ends(
    folder: Path, lines: str, places: str = "", terrain: str = TERRAIN, *, tracks: str = TRACKS, game: str = GAME
) -> list[str]:
    """What ends in nothing on a board of these lines."""
    files = {
        "game.toml": game,
        "tracks.toml": tracks,
        "boards/valley/board.toml": HEAD,
        "boards/valley/all.lines": lines,
    }
    if terrain:
        files["boards/valley/terrain.txt"] = terrain
    if places:
        files["boards/valley/places.csv"] = f"hex,name,terminus\n{places}"
    mill = game_of(folder, files, "mill")
    return list(find_loose_ends(mill, mill.board("valley")))


def test_a_railway_that_joins_another_or_the_edge_or_does_not_lie_there_does_not_end(tmp_path: Path) -> None:
    assert ends(tmp_path, "rail: 0104 0204 0304 0404 0504 0604 0704 0803 0903\nrail: 0401 0402 0403 0404\n") == []
    assert ends(tmp_path, "0404|0405 rail=no-rail\n") == []


def test_a_railway_that_ends_inland_needs_a_terminus_and_a_terminus_such_an_end(tmp_path: Path) -> None:
    lines = "rail: 0104 0204 0304 0404\n"
    (said,) = ends(tmp_path / "a", lines)
    assert said == "the railway from 0304 ends in 0404, which is not a terminus"
    (said,) = ends(tmp_path / "b", lines, "0404,Mill,\n")
    assert said == "the railway from 0304 ends in 0404 (Mill), which is not a terminus"
    assert ends(tmp_path / "c", lines, "0404,Mill,yes\n") == []
    places = "0404,Mill,yes\n0304,Ford,yes\n0606,Heath,yes\n"
    assert ends(tmp_path / "2", "rail: 0104 0204 0304 0404\n", places) == [
        "Ford in 0304 is a terminus, but no railway ends there",
        "Heath in 0606 is a terminus, but no railway ends there",
    ]


BROOK = '"Brook" minor-river: 0404|0403,0504 0504|0505\n'


def test_a_river_that_flows_into_nothing_or_a_ridge(tmp_path: Path) -> None:
    assert ends(tmp_path, BROOK) == ['"Brook" flows into nothing at 0504|0505']
    assert ends(tmp_path, BROOK + "0504|0604 ridge\n0505|0604 ridge\n") == ['"Brook" flows into nothing at 0504|0505']


DOWN = "0604|0504,0603,0704 0704|0705 0804|0704,0803"
"""From where the brook ends to the sea."""


@pytest.mark.parametrize("onward", [f'"Down" minor-river: {DOWN}\n', "0505|0604 lake\n"])
def test_another_river_and_a_lake_are_mouths(onward: str, tmp_path: Path) -> None:
    assert ends(tmp_path, BROOK + onward) == []


TWO_FLAGS = "".join(
    f'[{name}]\ntitle = "{name}"\non = "hexside"\nkind = "flag"\nprinted = "map"\n' for name in ("river", "stream")
)


@pytest.mark.parametrize("barrier", ["stream", "barrier"])
def test_rivers_that_are_flags_need_a_mouth_too(barrier: str, tmp_path: Path) -> None:
    flags = {"tracks": TRACKS + TWO_FLAGS, "game": f'{GAME}[picture]\nbarrier = "{barrier}"\n'}
    brook, down = BROOK.replace("minor-river", "stream"), f'"Down" river: {DOWN}\n'
    assert ends(tmp_path / "a", brook, **flags) == ['"Brook" flows into nothing at 0504|0505']
    assert ends(tmp_path / "b", brook + down, **flags) == []


def test_the_sea_and_the_edge_are_mouths_also_of_a_single_hexside(tmp_path: Path) -> None:
    to_sea = '"Long" minor-river: 0804|0704,0803\n"Short" minor-river: 0402|0401,0501\n'
    said = ends(tmp_path, to_sea.replace("0402|0401,0501", "0201|0101"))
    assert said == [], "an end at a hex of sea, and one at the edge"
    assert ends(tmp_path / "2" / "a", '"Dot" minor-river: 0404|0405\n') == ['"Dot" flows into nothing at 0404|0405']
    assert ends(tmp_path / "2" / "b", '"Dot" minor-river: 0101|0201\n') == []


def test_a_river_rises_as_one_of_the_smallest(tmp_path: Path) -> None:
    great = f'"Great" major-river: 0404|0403,0504 0504|0505 {DOWN}\n'
    assert ends(tmp_path / "a", great) == [], "there are no smaller ones on this board"
    said = ends(tmp_path / "b", great + '"Tiny" minor-river: 0101|0201\n')
    assert said == ['"Great" rises as a major-river at 0403|0404']
    joined = great + '"Great" minor-river: 0303|0403 0403|0304\n'
    assert ends(tmp_path / "c", joined) == [], "where a smaller one has become it"


def test_a_border_ends_at_another_and_at_water_but_not_inland(tmp_path: Path) -> None:
    said = ends(tmp_path, "frontier: 0404|0403,0504 0504|0505\n")
    assert said == ["the border ends in nothing at 0403|0404", "the border ends in nothing at 0504|0505"]
    assert ends(tmp_path / "a", "frontier: 0101|0201,0102\n") == [], "both ends at the edge of the map"
    lake = "frontier: 0404|0403,0504 0504|0505\n"
    around = "0304|0404 lake\n0505|0604 lake\n"
    assert ends(tmp_path / "b", lake + around) == []
    assert ends(tmp_path / "c", lake + "march: 0304|0404,0305\n0505|0604 lake\n") == [
        "the border ends in nothing at 0304|0305"
    ], "where it meets one of another kind it does not end"


def test_a_board_that_is_not_drawn_has_no_edge_at_which_anything_ends(tmp_path: Path) -> None:
    assert ends(tmp_path, BROOK + "rail: 0404 0504\n", terrain="") == []


@pytest.mark.parametrize(
    "name", ["twilight-in-the-east", "der-weltkrieg", "world-undone-east-prussia-1914", "kaisers-war-in-the-east"]
)
def test_nothing_on_our_boards_ends_in_nothing(name: str) -> None:
    game: Game = load_game(name)
    assert {board: [*find_loose_ends(game, game.board(board))] for board in game.board_names} == {
        board: [] for board in game.board_names
    }
    assert not [line for line in board_remarks(game) if "has a gap" in line or "runs in a loop" in line]
