"""Areas hold the points inside them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tools.geography.areas import Area


@given(st.floats(-1, 7), st.floats(-1, 7))
def test_a_lake_with_an_island(x: float, y: float) -> None:
    lake = ((0.0, 0.0), (6.0, 0.0), (6.0, 6.0), (0.0, 6.0))
    island = ((2.0, 2.0), (4.0, 2.0), (4.0, 4.0), (2.0, 4.0))
    inside = 0 < x < 6 and 0 < y < 6 and not (2 < x < 4 and 2 < y < 4)
    if all(abs(c - line) > 1e-6 for c in (x, y) for line in (0, 2, 4, 6)):
        assert Area((lake, island)).holds((x, y)) == inside


def test_a_share_counts_points() -> None:
    square = Area((((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),))
    assert square.share([(0.5, 0.5), (0.2, 0.9), (2.0, 0.5), (-1.0, 0.5)]) == 0.5
