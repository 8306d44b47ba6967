"""Hatching: strokes that stay in their hex, run on into the next one, and lean otherwise for each side."""

from __future__ import annotations

from math import atan2, degrees, dist, hypot

from hypothesis import given
from hypothesis import strategies as st

from assistant.drawing.geometry import hexagon
from assistant.drawing.hatching import Strokes, hatch_area, hatching, slant_of

HEX = hexagon((50.0, 40.0), 19.6, flat=True)


@given(slant=st.floats(0, 180), pitch=st.floats(1, 8))
def test_hatching_stays_in_its_hex_and_runs_one_way(slant: float, pitch: float) -> None:
    strokes = list(hatch_area(HEX, slant, pitch))
    assert strokes
    for one, other in strokes:
        for x, y in (one, other):
            assert hypot(x - 50.0, y - 40.0) <= 19.6 + 1e-6
        if dist(one, other) > 1e-3:
            lean = degrees(atan2(one[1] - other[1], other[0] - one[0])) % 180
            assert min(abs(lean - slant % 180), 180 - abs(lean - slant % 180)) < 0.01


def test_the_hatching_of_each_side_leans_otherwise() -> None:
    slants = [slant_of(["red", "blue", "green"], side) for side in ("red", "blue", "green")]
    assert all(abs(one - other) > 30 for one in slants for other in slants if one != other)
    assert slant_of(["red"], "red") == slants[0]


def test_some_hexes_are_one_path_and_none_is_nothing() -> None:
    look = Strokes(3.0, 0.4, 0.5)
    (path,) = hatching([HEX, hexagon((90.0, 40.0), 19.6, flat=True)], "#123456", 30.0, look.scaled(1.0, 2.0))
    assert (path.stroke, path.width, path.opacity) == ("#123456", 0.8, 0.5)
    assert len(path.lines) > len(list(hatch_area(HEX, 30.0, 3.0)))
    assert list(hatching([], "#123456", 30.0, look)) == []
