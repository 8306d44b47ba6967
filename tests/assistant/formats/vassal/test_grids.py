"""How grids print their numbers, and read them."""

from __future__ import annotations

import pytest

from assistant.formats.vassal.grids import Numbering


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
