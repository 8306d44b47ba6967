"""Points for a column, and against how many points of defence it holds, by adding one after the other."""

from __future__ import annotations

from itertools import takewhile

from hypothesis import given
from hypothesis import strategies as st

from assistant.mechanics.odds import Odds
from twilight_in_the_east.attacks.points_short import fewest_points, margin, most_defence
from twilight_in_the_east.combat.odds import initial_odds

COLUMNS = st.builds(Odds, st.integers(-8, 12))
POINTS = st.integers(1, 150)


@given(COLUMNS, POINTS)
def test_the_fewest_points_for_a_column(column: Odds, defence: int) -> None:
    fewest = next(points for points in range(1, 10**4) if initial_odds(points, defence) >= column)
    assert fewest_points(column, defence) == fewest


@given(COLUMNS, POINTS)
def test_the_most_defence_for_a_column(column: Odds, attack: int) -> None:
    borne = list(takewhile(lambda defence: initial_odds(attack, defence) >= column, range(1, 10**4)))
    assert most_defence(column, attack) == len(borne)


def test_the_shifts_count() -> None:
    """30 points with a shift to the left make 2:1 where they are 3:1 before it: up to 12, of which 2.5 times as many are 30."""
    assert margin(30, 10, -1, Odds.parse("2:1")) == 2
    assert margin(30, 0, -1, Odds.parse("2:1")) is None
