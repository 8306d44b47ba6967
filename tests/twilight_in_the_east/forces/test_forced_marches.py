"""What a unit spends in a phase with a Forced March, as questions of moves and tasks read it (8.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from twilight_in_the_east.forces.spending import (
    Marcher,
    bar_of_march,
    chance_that_all_pass,
    chance_to_pass,
    measure_spending,
)

from ...conftest import viewed

BY_KHAN = "points beyond the allowance exceed 3, as its die for Khan Nakhichevanski was 5"


def chance(unit: str, turn: int, status: str = "") -> Fraction | None:
    """The chance that a Russian division with CEL 8 passes the check for one point beyond its allowance of seven."""
    view = viewed(f"turn={turn}\n41.19: russian infantry XX {unit} (7-7-0-8) movement=7 {status}")
    with view.gather() as facts:
        spends = measure_spending(facts, view.unit(unit), Fraction(8), "move")
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


@pytest.mark.rule("8.3.1", "8.3", "8.3b")
@pytest.mark.parametrize(
    ("values", "purpose", "points", "said"),
    [
        ({}, "move", 3, ""),
        ({}, "move", 4, "4 points beyond the allowance exceed the limit of 3 for infantry"),
        ({"arm": "cavalry"}, "move", 6, ""),
        ({"arm": "cavalry"}, "move", 7, "7 points beyond the allowance exceed the limit of 6 for cavalry"),
        ({"arm": "cavalry", "khan": "slowed"}, "move", 3, ""),
        *(({"arm": "cavalry", "khan": "slowed"}, "move", points, f"{points} {BY_KHAN}") for points in (4, 6)),
        (
            {"arm": "cavalry", "khan": "slowed"},
            "move",
            7,
            "7 points beyond the allowance exceed the limit of 3 for cavalry",
        ),
        ({"arm": "cavalry", "khan": "free"}, "move", 6, ""),
        ({"arm": "dummy"}, "move", 1, "dummy makes no Forced March"),
        *(({"arm": arm}, "move", 1, f"{arm} makes no Forced March") for arm in ("artillery", "fortress", "fort")),
        *(
            ({"arm": arm}, "move", 1, "a supply unit makes no Forced March")
            for arm in ("corps-train", "minor-depot", "major-depot")
        ),
        ({"arm": "cavalry"}, "position", 1, "only infantry that is not Demoralized may do that"),
        ({"demoralized": True}, "position", 1, "only infantry that is not Demoralized may do that"),
        ({"demoralized": True}, "move", 1, ""),
        ({}, "recovery", 1, "no Forced March for CEL Recovery"),
        ({"rested": ("8.3.1", "it recovers")}, "recovery", 1, "it recovers"),
        ({"bound": ("8.4", "marked"), "rested": ("8.3.1", "it recovers")}, "move", 1, "marked"),
        ({"untimely": ("2.2", "later"), "rested": ("8.3.1", "it recovers")}, "move", 1, "later"),
    ],
)
def test_the_first_rule_against_a_forced_march(values: dict[str, Any], purpose: Any, points: int, said: str) -> None:
    bar = bar_of_march(Marcher(**{"arm": "infantry", **values}), purpose, Fraction(points), counter=False)
    assert (bar.text if bar else "") == said


@pytest.mark.parametrize(
    ("chances", "all_pass"),
    [([], None), ([None], None), (["1/2"], "1/2"), (["1/2", "1/3"], "1/6"), (["1/2", None], None), (["0", "1/2"], "0")],
)
def test_the_chance_that_all_pass_is_known_if_that_of_each_is(chances: list[str | None], all_pass: str | None) -> None:
    known = chance_that_all_pass(None if chance is None else Fraction(chance) for chance in chances)
    assert known == (None if all_pass is None else Fraction(all_pass))
