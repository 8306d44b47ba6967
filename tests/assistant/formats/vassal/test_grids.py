"""How grids print their numbers, and read them."""

from __future__ import annotations

import pytest

from assistant.formats.vassal.grids import HEXES, Hexes, Numbering, read_grid
from assistant.util.xml_reader import read_xml


@pytest.mark.parametrize(("said", "sideways"), [("", False), ('sideways="false"', False), ('sideways="true"', True)])
def test_hexes_lie_sideways_only_where_the_module_says_so(said: str, sideways: bool) -> None:
    board = read_xml(f'<board><{HEXES} x0="9" y0="3" dx="17" dy="20" {said}/></board>'.encode(), "buildFile.xml")
    grid = read_grid(board, (100, 100))
    assert isinstance(grid, Hexes)
    assert grid.sideways == sideways


@pytest.mark.parametrize(
    ("format", "printed"),
    [
        ("$gridLocation$", "0304"),
        ("$column$/$row$", "03/04"),
        ("$gridLocation$ ($column$)", "0304 (03)"),
        ("$row$: $gridLocation$", "04: 0304"),
        ("Hex", "Hex"),
    ],
)
def test_what_is_printed_in_a_hex_is_read_again_however_often_it_says_so(format: str, printed: str) -> None:
    numbering = Numbering(location_format=format)
    assert numbering.name(3, 4) == printed
    assert numbering.read(printed) == ((3, 4) if printed != format else None)
