"""What RR Engineers may convert, and whose points pay (17.1.2, 17.1.3)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twilight_in_the_east.engineering.railhead_question import (
    Advance,
    Points,
    advances,
    pay_conversion,
    points_in,
    too_many_hexes,
)
from twilight_in_the_east.railways.network import Network

from ..railways.test_network import line

ALONG = line("a b c d e f g h i", "c x y z u v w")


def reach(own: Iterable[str], fresh: Iterable[str] = (), barred: str = "") -> dict[str, int]:
    network = Network(ALONG, frozenset(own), frozenset("a"))
    found = advances(network, frozenset(fresh), lambda hex: hex not in barred)
    return {hex: one.hexes for hex, one in found.items()}


@pytest.mark.rule("17.1.2", "17.1.3")
def test_a_railhead_advances_hex_by_hex_five_in_a_turn() -> None:
    assert reach("ab") == {"c": 1, "d": 2, "e": 3, "f": 4, "g": 5, "x": 2, "y": 3, "z": 4, "u": 5}
    assert reach("ab", barred="d") == {"c": 1, "x": 2, "y": 3, "z": 4, "u": 5}
    assert reach("") == {}
    assert reach("abcde", "cde") == {"c": 1, "d": 2, "e": 3, "f": 4, "g": 5, "x": 2, "y": 3, "z": 4, "u": 5}
    assert reach("abcde", "cde", barred="cde") == reach("abcde", "cde"), "a Railhead has come there already"
    assert reach("abcde") == {"f": 1, "g": 2, "h": 3, "i": 4, "x": 1, "y": 2, "z": 3, "u": 4, "v": 5}


@pytest.mark.rule("17.1.3")
def test_more_than_five_hexes_are_counted_on_all_branches_together() -> None:
    six = [Advance(number, "b") for number in (1, 2, 2, 3, 4, 5)]
    assert too_many_hexes([*six, Advance(1, "p")]) == ("b",)
    assert too_many_hexes([*six[1:], Advance(1, "p")]) == ()


@pytest.mark.rule("17.1.2b")
@pytest.mark.parametrize(
    ("hexes", "points", "paid", "short"),
    [
        ({"german": 1, "russian": 2}, Points(german=2), Points(german=2), {"abroad": 1}),
        ({"russian": 1}, Points(german=1, austro_hungarian=1), Points(german=1), {}),
        ({"german": 2}, Points(german=1, home=2), Points(home=2), {}),
        ({"german": 3}, Points(german=1, home=2), Points(german=1, home=2), {}),
        ({"german": 4}, Points(german=1, home=2, austro_hungarian=9), Points(german=1, home=2), {"german": 1}),
        ({"austro-hungarian": 2}, Points(german=9, home=9, austro_hungarian=1), Points(austro_hungarian=1), {"austro-hungarian": 1}),
        ({"russian": 3}, Points(german=1, home=9, austro_hungarian=2), Points(german=1, austro_hungarian=2), {}),
        ({"russian": 3}, Points(german=1, home=9, austro_hungarian=1), Points(german=1, austro_hungarian=1), {"abroad": 1}),
        ({"german": 1, "russian": 2}, Points(german=2, home=1), Points(german=2, home=1), {}),
        ({"austro-hungarian": 1, "russian": 1}, Points(austro_hungarian=1), Points(austro_hungarian=1), {"abroad": 1}),
    ],
)  # fmt: skip
def test_whose_points_pay_in_which_country(
    hexes: dict[str, int], points: Points, paid: Points, short: dict[str, int]
) -> None:
    bill = pay_conversion(hexes, points)
    assert (bill.points, bill.short) == (paid, short)
    assert all(
        getattr(paid, kind) + getattr(bill.left, kind) == getattr(points, kind) for kind in Points.__struct_fields__
    )


@given(*(st.integers(0, 6) for _ in range(6)))
def test_no_other_use_of_the_points_pays_for_more(g: int, a: int, o: int, german: int, home: int, allied: int) -> None:
    bill = pay_conversion(
        {"german": g, "austro-hungarian": a, "russian": o}, Points(german=german, home=home, austro_hungarian=allied)
    )
    best = max(
        min(g, home + german - abroad) + min(a, allied - theirs) + min(o, abroad + theirs)
        for abroad in range(german + 1)
        for theirs in range(allied + 1)
    )
    assert g + a + o - sum(bill.short.values()) == best


def test_points_as_the_turn_record_prints_them() -> None:
    assert [points_in(text) for text in ("3", "3 (2)", "3(2)", "(2)", "0")] == [(3, 0), (3, 2), (3, 2), (0, 2), (0, 0)]
    assert [points_in(text) for text in ("", "three", "3-2", "٣")] == [None] * 4
