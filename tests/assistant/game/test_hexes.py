"""Hex grids: names, neighbours, distances, in every numbering."""

from __future__ import annotations

from copy import copy
from pickle import dumps, loads

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.game.hexes import Hex, HexGrid
from assistant.util.errors import InputError

TWILIGHT = HexGrid(shifted="odd", columns_from="east", format="{column:02}.{row:02}", columns=(1, 98), rows=(12, 114))

FORMATS = [
    *("{column:02}{row:02}", "{row:03}.{column:02}", "{column:A}{row}", "{column}-{row}"),
    *("H{column:02}{row:02}", "map 3: {column}.{row}", "({row:02}{column:A})", "{column:A}{row:02}*"),
    *("{column:02odd}{row:02}", "{column:odd}.{row:even}", "{row:03even}{column:AB}", "{column:AB}{row:odd}"),
]
"""With words before, between and after the numbers, and without."""

grids = st.builds(
    HexGrid,
    orientation=st.sampled_from(["flat", "pointy"]),
    shifted=st.sampled_from(["odd", "even", "onward", "back"]),
    columns_from=st.sampled_from(["west", "east"]),
    rows_from=st.sampled_from(["north", "south"]),
    format=st.sampled_from(FORMATS),
    columns=st.just((1, 40)),
    rows=st.just((1, 40)),
)
hexes = st.builds(Hex, st.integers(1, 40), st.integers(1, 40))


def names(grid: HexGrid, text: str) -> dict[str, str]:
    return {direction: grid.name(at) for direction, at in grid.neighbours(grid.parse(text)).items()}


def test_neighbours_in_each_numbering() -> None:
    around = {"N": "41.18", "NE": "40.19", "SE": "40.20", "S": "41.20", "SW": "42.20", "NW": "42.19"}
    assert names(TWILIGHT, "41.19") == around
    around = {"N": "0201", "NE": "0302", "SE": "0303", "S": "0203", "SW": "0103", "NW": "0102"}
    assert names(HexGrid(shifted="even"), "0202") == around
    grid = HexGrid(shifted="even", rows_from="south")
    assert (names(grid, "0202")["N"], names(grid, "0202")["SE"]) == ("0203", "0301")
    grid = HexGrid(shifted="onward", format="{column:A}{row}", columns=(1, 20), rows=(-9, 20))
    assert names(grid, "D3") == {"N": "D2", "NE": "E2", "SE": "E3", "S": "D4", "SW": "C4", "NW": "C3"}
    back = HexGrid(shifted="back", format="{column:A}{row}")
    assert names(back, "D3") == {"N": "D2", "NE": "E3", "SE": "E4", "S": "D4", "SW": "C3", "NW": "C2"}
    assert grid.distance_of("B2", "D0") == 2 and grid.distance_of("B2", "D2") == 2 and grid.distance_of("B2", "D3") == 3
    grid = HexGrid(orientation="pointy", shifted="even", format="{column:A}{row}")
    assert names(grid, "C2") == {"NE": "D1", "E": "D2", "SE": "D3", "SW": "C3", "W": "B2", "NW": "C1"}
    assert (grid.parse("AA7"), grid.name(Hex(28, 1))) == (Hex(27, 7), "BB1")


@pytest.mark.parametrize("format", ["{column:A}{row}", "{column:02}{row:02}", "{column}-{row}", "({row:02}.{column})"])
def test_numbers_below_zero(format: str) -> None:
    grid = HexGrid(format=format, columns=(1, 12), rows=(-11, 3))
    every = [Hex(column, row) for column in range(1, 13) for row in range(-11, 4)]
    assert [grid.parse(grid.name(at)) for at in every] == every
    assert grid.number("row", "-4") == -4
    assert HexGrid(rows=(-5, 5)).name(Hex(3, -4)) == "03-04"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("41.119", "hex 41.119 is off the map"),
        ("99.20", "hex 99.20 is off the map"),
        ("4119x", "'4119x' is not a hex number"),
        ("41.1", "'41.1' is not a hex number"),
        ("", "'' is not a hex number"),
        ("41.19 ", "'41.19 ' is not a hex number"),
    ],
)
def test_what_is_no_hex_says_what_one_looks_like(text: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        TWILIGHT.parse(text)
    assert caught.value.what == what
    assert caught.value.hint


@pytest.mark.parametrize(
    ("format", "around"),
    [
        ("{column:02odd}{row:02}", {"N": "0301", "NE": "0502", "SE": "0503", "S": "0303", "SW": "0103", "NW": "0102"}),
        ("{column:02}{row:02even}", {"N": "0202", "NE": "0304", "SE": "0306", "S": "0206", "SW": "0106", "NW": "0104"}),
        ("{column:AB}{row:odd}", {"N": "B1", "NE": "C3", "SE": "C5", "S": "B5", "SW": "A5", "NW": "A3"}),
    ],
)  # fmt: skip
def test_neighbours_where_numbers_go_by_twos(format: str, around: dict[str, str]) -> None:
    grid = HexGrid(format=format)
    assert names(grid, grid.name(Hex(2, 2))) == around


def test_letters_as_of_spreadsheets() -> None:
    grid = HexGrid(format="{column:AB}{row}", columns=(1, 702))
    for number, name in ((26, "Z1"), (27, "AA1"), (28, "AB1"), (52, "AZ1"), (53, "BA1"), (702, "ZZ1")):
        assert (grid.name(Hex(number, 1)), grid.parse(name)) == (name, Hex(number, 1))


def test_a_number_between_those_by_twos_is_none() -> None:
    grid = HexGrid(format="{column:02odd}{row:02even}", columns=(1, 9), rows=(1, 9))
    assert grid.extent == "columns run from 1 to 17, rows from 2 to 18"
    assert (grid.number("column", "5"), grid.number("column", "4"), grid.number("row", "4")) == (3, None, 2)
    for text, what in (("0404", "'04' is not a column"), ("0303", "'03' is not a row"), ("1904", "hex 1904 is off")):
        with pytest.raises(InputError, match=what):
            grid.parse(text)


@pytest.mark.parametrize("format", ["{column:odd}-{row:even}", "{column:02odd}{row:02even}"])
def test_numbers_below_zero_by_twos(format: str) -> None:
    grid = HexGrid(format=format, columns=(-5, 5), rows=(-5, 5))
    every = [Hex(column, row) for column in range(-5, 6) for row in range(-5, 6)]
    assert [grid.parse(grid.name(at)) for at in every] == every
    assert grid.printed("row", -3) == "-6" and grid.number("row", "-6") == -3


def test_doubled_letters_only() -> None:
    with pytest.raises(InputError, match="is not a column"):
        HexGrid(format="{column:A}{row}").parse("AB3")


@pytest.mark.parametrize("format", ["{column}", "{row}{row}", "{column}{row}{column}"])
def test_a_format_holds_both_numbers_once(format: str) -> None:
    with pytest.raises(InputError, match="must hold"):
        HexGrid(format=format).parse("11")


@given(grids, hexes)
def test_a_printed_number_reads_back_alone_and_at_the_head_of_a_text(grid: HexGrid, at: Hex) -> None:
    assert grid.parse(grid.name(at)) == at
    assert grid.begun(f"{grid.name(at)}=") == grid.name(at)


@given(grids, hexes)
def test_neighbours_are_mutual_and_one_apart_in_opposite_directions(grid: HexGrid, at: Hex) -> None:
    opposite = {"N": "S", "NE": "SW", "E": "W", "SE": "NW", "S": "N", "SW": "NE", "W": "E", "NW": "SE"}
    for direction, other in grid.neighbours(at).items():
        assert grid.neighbours(other)[opposite[direction]] == at
        assert grid.distance(at, other) == 1
        (x1, y1), (x2, y2) = grid.centre(at), grid.centre(other)
        assert (x1 - x2) ** 2 + (y1 - y2) ** 2 == pytest.approx(1)


@given(grids, hexes)
def test_adjacent_numbers_are_those_of_the_neighbours(grid: HexGrid, at: Hex) -> None:
    neighbours = grid.neighbours(at)
    assert grid.adjacent(grid.name(at)) == [grid.name(other) for other in neighbours.values()]
    assert [*map(grid.parse, grid.adjacent(grid.name(at)))] == [*neighbours.values()]


@given(grids, hexes, hexes)
def test_distance_is_the_length_of_the_shortest_walk(grid: HexGrid, one: Hex, other: Hex) -> None:
    steps, at = 0, one
    while at != other:
        at = min(grid.neighbours(at).values(), key=lambda there: (grid.distance(there, other), there))
        steps += 1
        assert steps <= 80
    assert steps == grid.distance(one, other) == grid.distance(other, one)


@pytest.mark.parametrize(
    ("format", "typed", "meant"),
    [
        ("{column:02}.{row:02}", "4119", "41.19"),
        ("{column:02}.{row:02}", "40104", "40.104"),
        ("{column:02}.{row:02}", "41.19", "41.19"),
        ("{column:02}.{row:02}", "25/3", "25/3"),
        ("{column:A}-{row}", "b7", "b-7"),
        ("{column}.{row}", "4119", "4119"),
    ],
)
def test_signs_that_nobody_types(format: str, typed: str, meant: str) -> None:
    assert HexGrid(format=format).punctuated(typed) == meant


@pytest.mark.parametrize(
    ("format", "text", "at", "found"),
    [
        ("{column:02}.{row:02}", "40.23=40.22", 0, "40.23"),
        ("{column:02}.{row:02}", "4023=4022", 5, "4022"),
        ("{column:02}.{row:02}", "4023=4022", 4, ""),
        ("{column:A}{row}", "B12r-B13", 5, "B13"),
        ("{column}-{row}", "4-23-5-23", 0, "4-23"),
        ("{column}-{row}", "423-523", 0, "423-523"),
    ],
)
def test_a_hex_with_which_a_text_goes_on(format: str, text: str, at: int, found: str) -> None:
    assert HexGrid(format=format).begun(text, at) == found


def test_what_is_cached_is_not_part_of_a_grid() -> None:
    grid = msgspec.structs.replace(TWILIGHT, rows=(1, 40))
    assert grid.adjacent("41.19") == ["41.18", "40.19", "40.20", "41.20", "42.20", "42.19"]
    fresh = msgspec.structs.replace(grid)
    assert vars(grid) and not any(map(vars, (fresh, copy(grid), loads(dumps(grid)))))
    assert grid == fresh and hash(grid) == hash(fresh) and msgspec.json.encode(grid) == msgspec.json.encode(fresh)
    narrow = msgspec.structs.replace(grid, columns=(41, 98))
    assert narrow.adjacent("41.19") == ["41.18", "41.20", "42.20", "42.19"]
