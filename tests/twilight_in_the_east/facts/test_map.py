"""Facts of the map: its grid, its edges, its stations and lines, as the board of the game holds them (1.2, 2.2, 17.1)."""

from __future__ import annotations

import pytest

from assistant.game.boards import Board
from assistant.game.games import Game
from assistant.state.state import hexside

SIDES = {"german": "central-powers", "austro-hungarian": "central-powers", "russian": "russian"}


@pytest.fixture(scope="module")
def board(twilight: Game) -> Board:
    return twilight.board("east")


def value(board: Board, track: str, subject: str) -> object:
    fact = board.fact(track, subject)
    return fact.value if fact else None


@pytest.mark.rule("1.2")
def test_odd_columns_lie_half_a_hex_lower(board: Board) -> None:
    assert set(board.neighbours("41.19")) == {"41.18", "41.20", "40.19", "40.20", "42.19", "42.20"}
    assert set(board.neighbours("40.20")) == {"40.19", "40.21", "39.19", "39.20", "41.19", "41.20"}


@pytest.mark.rule("1.2")
@pytest.mark.parametrize(
    ("here", "there", "far"),
    [("68.35", "65.37", 4), ("41.19", "41.29", 10), ("40.20", "44.20", 4), ("40.20", "41.22", 3)],
)
def test_distances_over_the_grid(board: Board, here: str, there: str, far: int) -> None:
    assert (board.distance(here, there), board.distance(there, here)) == (far, far)


@pytest.mark.rule("1.2.1")
def test_map_edges_are_friendly_to_the_side_whose_country_they_are_in(board: Board) -> None:
    edges = {hex: value(board, "map-edge", hex) for hex in board.hexes if value(board, "map-edge", hex) != "none"}
    assert set(edges.values()) == {"central-powers", "russian"}
    wrong = {hex: edge for hex, edge in edges.items() if SIDES.get(str(value(board, "country", hex)), edge) != edge}
    assert wrong == {}


@pytest.mark.rule("2.2h")
def test_a_station_is_a_place_with_an_rr_line_and_no_other(board: Board) -> None:
    stations = [hex for hex in board.hexes if value(board, "station", hex)]
    places = {"platform", "village", "town", "city"}
    assert len(stations) > 400
    assert [hex for hex in stations if value(board, "town", hex) not in places] == []
    lines = {hex: {value(board, "rail", hexside(hex, beside)) for beside in board.neighbours(hex)} for hex in stations}
    assert [hex for hex in stations if not lines[hex] & {"rail1", "rail2"}] == []
    towns = [hex for hex in board.hexes if value(board, "town", hex) in ("village", "town", "city")]
    bare = [
        hex for hex in towns if all(value(board, "rail", hexside(hex, n)) == "no-rail" for n in board.neighbours(hex))
    ]
    assert bare
    assert [hex for hex in bare if value(board, "station", hex)] == []


@pytest.mark.rule("17.1")
def test_every_rr_line_has_its_tracks_and_a_gauge(board: Board, twilight: Game) -> None:
    assert twilight.track("rail").values == ("no-rail", "rail1", "rail2")
    assert twilight.track("gauge").values == ("standard", "broad", "both")
    sides = {hexside(hex, beside) for hex in board.hexes for beside in board.neighbours(hex)}
    lines = [side for side in sides if value(board, "rail", side) != "no-rail"]
    assert {value(board, "gauge", side) for side in lines} == {"standard", "broad", "both"}
    assert [side for side in lines if value(board, "gauge", side) is None] == []


@pytest.mark.parametrize(
    ("track", "subject", "expected"),
    [
        ("causeway", "48.29|49.29", True),
        ("causeway", "49.28|49.29", True),
        ("causeway", "49.29|50.29", True),
        ("crossing", "48.75|49.75", "ferry"),
        ("spur", "48.75|49.75", True),
        ("spur", "49.74|49.75", False),
        ("escarpment", "49.75", False),
        ("map-edge", "46.12", "none"),
    ],
)
def test_what_moves_ask_of_the_board(board: Board, track: str, subject: str, expected: object) -> None:
    assert value(board, track, subject) == expected


@pytest.mark.parametrize("hex", ["48.29", "49.28", "49.29", "50.29"])
def test_whose_hexes_the_causeways_join_is_known(board: Board, hex: str) -> None:
    assert value(board, "control", hex) == "central-powers"
