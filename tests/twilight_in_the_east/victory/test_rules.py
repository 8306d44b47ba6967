"""Who wins, and with which level of victory (27.0)."""

from __future__ import annotations

import pytest

from twilight_in_the_east.victory.rules import judge_victory

LEVELS = {"russian": {"marginal": 5, "decisive": 20}, "central-powers": {"marginal": 8}}


@pytest.mark.rule("27.0")
@pytest.mark.parametrize(
    ("russian", "central_powers", "found"),
    [
        (9, 5, (("russian", 4), "")),
        (10, 5, (("russian", 5), "marginal")),
        (24, 5, (("russian", 19), "marginal")),
        (25, 5, (("russian", 20), "decisive")),
        (0, 1, (("central-powers", 1), "")),
        (0, 7, (("central-powers", 7), "")),
        (-1, 7, (("central-powers", 8), "marginal")),
        (-3, -3, (("", 0), "")),
    ],
)
def test_the_side_with_more_points_wins_by_the_level_of_its_lead(
    russian: int, central_powers: int, found: tuple[tuple[str, int], str]
) -> None:
    assert judge_victory({"central-powers": central_powers, "russian": russian}, LEVELS, "29.1") == found


@pytest.mark.rule("27.0")
def test_no_other_scenario_has_levels() -> None:
    assert judge_victory({"central-powers": 0, "russian": 30}, LEVELS, "29.6") == (("russian", 30), "")
    assert judge_victory({"central-powers": 0, "russian": 30}, LEVELS, "") == (("russian", 30), "")
    assert judge_victory({"central-powers": 0, "russian": 30}, {}, "29.1") == (("russian", 30), "")
