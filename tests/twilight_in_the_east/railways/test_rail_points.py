"""Rail Points: pools, payment and renewal (4.5.1, 4.7, 5.2.1, 8.2.1, 8.2.9, 17.2)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twilight_in_the_east.railways.rail_points import (
    RailPool,
    last_renewal,
    pay_rail_points,
    pools_for,
    read_pools,
    renew_pools,
    serves_warsaw,
    why_no_special,
)

from ...conftest import viewed
from .test_routes import net

GERMAN, AUSTRIAN, RUSSIAN = (RailPool(nation, "rail-points") for nation in ("german", "austro-hungarian", "russian"))
EUROPEAN, WARSAW = RailPool("russian", "euro-gauge-points"), RailPool("russian", "warsaw-points")


@pytest.mark.rule("8.2.1", "4.5.1")
def test_pools_pay_in_their_order_and_never_in_part() -> None:
    purse = {WARSAW: Fraction(2), EUROPEAN: Fraction(3), RUSSIAN: Fraction(9)}
    paid = pay_rail_points(purse, (WARSAW, EUROPEAN), Fraction(5))
    assert (paid.paid, paid.lacking) == ({WARSAW: 2, EUROPEAN: 3}, 0)
    assert paid.left == {WARSAW: 0, EUROPEAN: 0, RUSSIAN: 9}
    short = pay_rail_points(purse, (WARSAW, EUROPEAN), Fraction(11, 2))
    assert (short.paid, short.lacking, short.left) == ({}, Fraction(1, 2), purse)
    assert pay_rail_points(purse, (WARSAW, EUROPEAN), Fraction(2)).paid == {WARSAW: 2}
    unknown = pay_rail_points({GERMAN: None}, (GERMAN,), Fraction(4))
    assert (unknown.paid, unknown.lacking, unknown.left) == ({GERMAN: 4}, 0, {GERMAN: None})
    assert pay_rail_points({}, (GERMAN,), Fraction(4)).lacking == 0, "nothing is known of it"


amounts = st.fractions(min_value=0, max_value=20, max_denominator=2)


@pytest.mark.rule("8.2.1", "4.5.1")
@given(st.dictionaries(st.sampled_from([RUSSIAN, EUROPEAN, WARSAW]), amounts), amounts)
def test_no_pool_falls_below_zero(purse: dict[RailPool, Fraction], due: Fraction) -> None:
    payment = pay_rail_points(purse, (WARSAW, EUROPEAN), due)
    assert all(left is None or left >= 0 for left in payment.left.values())
    assert sum(payment.paid.values()) == (0 if payment.lacking else due)
    for pool, left in purse.items():
        assert payment.left[pool] == left - payment.paid.get(pool, 0)


@pytest.mark.rule("8.2.1a", "8.2.1b", "17.2", "17.2.1")
def test_each_nation_and_gauge_has_its_own_pools() -> None:
    assert pools_for("german", "standard", warsaw=True) == (GERMAN,)
    assert pools_for("german", "", warsaw=False) == (GERMAN,)
    assert pools_for("austro-hungarian", "broad", warsaw=False) == (AUSTRIAN,)
    assert pools_for("russian", "broad", warsaw=True) == (RUSSIAN,)
    assert pools_for("russian", "standard", warsaw=True) == (WARSAW, EUROPEAN)
    assert pools_for("russian", "standard", warsaw=False) == (EUROPEAN,)


@pytest.mark.rule("17.2.1")
def test_warsaw_points_serve_stations_on_european_track_joined_to_warsaw() -> None:
    lines = net(
        "58.52 A rail2 standard", "A B rail2 broad", "B C rail1 standard", "X Y rail2 standard", "A Z rail1 broad"
    )
    assert [serves_warsaw(lines, hex, "any") for hex in ("58.52", "A", "B", "C", "X", "Z")] == [True] * 4 + [False] * 2
    assert [serves_warsaw(lines, hex, "european") for hex in ("58.52", "A", "B", "C")] == [True, True, False, False]


@pytest.mark.rule("8.2.9")
def test_special_allotments_are_two_german_ones_and_one_austro_hungarian() -> None:
    assert [bool(why_no_special("german", taken, campaign=True)) for taken in (0, 1, 2)] == [False, False, True]
    assert [bool(why_no_special("austro-hungarian", taken, campaign=True)) for taken in (0, 1)] == [False, True]
    assert [bar.text for bar in why_no_special("german", 2, campaign=True)] == ["it has had its 2 in this game"]
    assert "alone" in why_no_special("russian", 0, campaign=True)[0].text
    assert "campaign game" in why_no_special("german", 0, campaign=False)[0].text


@pytest.mark.rule("4.7", "5.2.1", "8.2.1")
def test_a_renewal_after_every_third_turn_keeps_nothing() -> None:
    before = {GERMAN: Fraction(7, 2), AUSTRIAN: None, RUSSIAN: Fraction(3)}
    assert renew_pools(before, {GERMAN: Fraction(20), WARSAW: Fraction(2)}) == {
        GERMAN: 20,
        AUSTRIAN: 0,
        RUSSIAN: 0,
        WARSAW: 2,
    }
    assert [last_renewal(turn) for turn in (1, 2, 3, 4, 5, 6, 7)] == [0, 0, 3, 3, 3, 6, 6]


@pytest.mark.rule("4.5.1", "4.7")
def test_pools_are_facts_of_nations_to_the_half_point() -> None:
    view = viewed("nation russian rail-points=3.5 warsaw-points=0\nnation german rail-points=8")
    assert read_pools(view, "russian") == {RUSSIAN: Fraction(7, 2), EUROPEAN: None, WARSAW: 0}
    assert read_pools(view, "german") == {GERMAN: 8}
