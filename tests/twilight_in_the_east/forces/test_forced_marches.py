"""What a unit spends in a phase with a Forced March, as questions of moves and tasks read it (8.3)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from twilight_in_the_east.forces.movement_points import chance_to_pass, reckon_spending

from ...conftest import viewed


def chance(unit: str, turn: int, status: str = "") -> Fraction | None:
    """The chance that a Russian division with CEL 8 passes the check for one point beyond its allowance of seven."""
    view = viewed(f"turn={turn}\n41.19: russian infantry XX {unit} (7-7-0-8) movement=7 {status}")
    with view.gather() as facts:
        spends = reckon_spending(facts, view.unit(unit), Fraction(8), "move")
    assert spends is not None and (spends.march, spends.why) == (1, "")
    return spends.passes


@pytest.mark.rule("24.4")
@pytest.mark.parametrize(
    ("unit", "turn", "status", "low"),
    [
        pytest.param("2/23", 7, "supply=in", True, id="in Low Supply at best"),
        pytest.param("2/23", 7, "supply=low", True, id="which counts once"),
        pytest.param("2/23", 8, "supply=in", False, id="up to GT 7"),
        pytest.param("1/23", 7, "supply=in", False, id="no other division of its corps"),
    ],
)
def test_the_check_of_a_unit_that_moves_on_knows_who_is_in_low_supply_at_best(
    unit: str, turn: int, status: str, low: bool
) -> None:
    assert chance(unit, turn, status) == chance_to_pass(8 - low, ())
