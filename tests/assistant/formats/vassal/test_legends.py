"""Whether a piece lies in the middle of its hex."""

from __future__ import annotations

import pytest

from assistant.formats.vassal.grids import Drawn, GridZone, Hexes, Pixel, ZonedGrid
from assistant.formats.vassal.legends import is_off_centre

GROUND, FINER = Hexes(x0=0, y0=0, dx=90, dy=100), Hexes(x0=20, y0=20, dx=45, dy=50)
PATH = ((0, 0), (60, 0), (60, 60), (0, 60))


@pytest.mark.parametrize(
    ("grid", "at", "off"),
    [
        (GROUND, (3, 3), False),
        (GROUND, (20, 20), True),
        (None, (20, 20), False),
        (ZonedGrid((GridZone("Fort", "", PATH, FINER),), GROUND), (20, 20), False),
        (ZonedGrid((GridZone("Fort", "", PATH, FINER),), GROUND), (35, 20), True),
        (ZonedGrid((GridZone("Box", "", PATH, None),), GROUND), (20, 20), False),
        (ZonedGrid((GridZone("Fort", "", PATH, FINER),), GROUND), (0, 200), False),
    ],
)
def test_the_grid_of_its_zone_says_where_the_middle_of_a_hex_is(grid: Drawn | None, at: Pixel, off: bool) -> None:
    assert is_off_centre(grid, at) is off
