"""How reinforcements enter, over plain values (16.0, 16.1, 16.1.1)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from twilight_in_the_east.arrivals.entry import (
    cost_by_rail,
    first_cost,
    needs_army,
)


@pytest.mark.rule("16.1c")
def test_the_first_hex_costs_only_units_from_a_map_edge() -> None:
    assert first_cost(lambda: Fraction(3, 2), edge=True) == Fraction(3, 2)
    assert first_cost(lambda: None, edge=True) is None
    assert first_cost(lambda: Fraction(3, 2), edge=False) == 0
    assert cost_by_rail(("rail1", "rail2"), 12) == Fraction(1, 12)
    assert cost_by_rail(("rail1",), 12) == Fraction(1, 6)
    assert cost_by_rail((), 10) == Fraction(1, 5)


@pytest.mark.rule("16.1d")
@pytest.mark.parametrize(
    ("arm", "asset", "needed"),
    [
        ("infantry", False, True),
        ("cavalry", False, True),
        ("corps-train", False, True),
        ("infantry", True, False),
        ("cavalry", True, False),
        ("artillery", True, False),
        ("minor-depot", False, False),
        ("fortress", False, False),
    ],
)
def test_formations_and_corps_trains_are_attached_at_once(arm: str, asset: bool, needed: bool) -> None:
    assert needs_army(arm, "", asset=asset) == needed
    assert not needs_army(arm, "Second", asset=asset)
