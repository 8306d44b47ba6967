"""The hexes of a published map by the numbers of the game's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.adoption.meanings import Numbers, Places
from assistant.game.games import Game
from assistant.game.hexes import Hex
from assistant.installed.registry import load_game
from assistant.util.errors import InputError

TWILIGHT = load_game("twilight-in-the-east")
BOARD = TWILIGHT.board("")


@pytest.mark.parametrize(
    ("format", "known", "printed", "hex"),
    [
        ("", {}, "41.19", "41.19"),
        ("", {}, "4119", "41.19"),
        ("{column:02}-{row:02}", {}, "41-19", "41.19"),
        ("{row:02}{column:02}", {}, "1941", "41.19"),
        ("{column:A}{row}", {"N5": "41.19"}, "N5", "41.19"),
        ("{column:A}{row}", {"N5": "41.19"}, "P3", "43.17"),
        ("{column},{row}", {"5,7": "41.19"}, "6,8", "42.20"),
        ("{column},{row}", {"5,7": "41.19", "6,8": "40.20"}, "7,9", "39.21"),
        ("{column},{row}", {"5,7": "41.19"}, "99,7", ""),
        ("Main {column:02}{row:02}", {}, "Main 4119", "41.19"),
        ("", {}, "Reserve", ""),
        ("", {}, "", ""),
    ],
)
def test_the_number_of_a_hex(format: str, known: dict[str, str], printed: str, hex: str) -> None:
    assert Numbers(format, known, BOARD).hex(printed) == hex


@pytest.mark.parametrize(
    ("format", "known", "message"),
    [
        ("{column:02}", {}, "must hold {column} and {row} once each"),
        ("{column},{row}", {"5,7": "41.19", "6,7": "43.19"}, "the known hexes contradict each other"),
        ("{column},{row}", {"57": "41.19"}, "'57' is not a hex number"),
        ("{column},{row}", {"5,7": "4x"}, "'4x' is not a hex number"),
    ],
)
def test_what_leads_nowhere(format: str, known: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as told:
        Numbers(format, known, BOARD)
    assert message in told.value.what


COLUMNS, ROWS = st.integers(1, 98), st.integers(12, 114)


@given(
    COLUMNS,
    ROWS,
    COLUMNS,
    ROWS,
    st.integers(-50, 50),
    st.integers(-50, 50),
    st.sampled_from([1, -1]),
    st.sampled_from([1, -1]),
)
def test_two_known_hexes_tell_all_others(
    column: int, row: int, other_column: int, other_row: int, across: int, down: int, turned: int, upside: int
) -> None:
    """However a module counts, two hexes in different columns and rows lead from each of its numbers to the game's."""

    def theirs(at: Hex) -> str:
        return f"{1000 + across + turned * at.column},{1000 + down + upside * at.row}"

    here, there = Hex(column, row), Hex(other_column, other_row)
    known = {theirs(at): BOARD.grid.name(at) for at in (here, Hex(here.column % 98 + 1, 12 + (here.row - 11) % 103))}
    assert Numbers("{column},{row}", known, BOARD).hex(theirs(there)) == BOARD.grid.name(there)


def test_boxes_are_called_as_the_mapping_says_or_like_the_games(twilight: Game) -> None:
    board = twilight.board("")
    places = Places(board, Numbers("", {}, board), {"Bukowina": "Bukowina Holding Box", "Rail Pool": ""})
    assert [places.name(one) for one in ("bukowina", "BUKOWINA HOLDING BOX", "Rail Pool", "4119", "Nowhere", "")] == [
        "Bukowina Holding Box",
        "Bukowina Holding Box",
        "",
        "41.19",
        "",
        "",
    ]
    assert [places.is_aside(one) for one in ("Rail Pool", "Bukowina", "Nowhere")] == [True, False, False]
