"""New armies and the call for the Western Front reinforcements, over plain values (16.3, 22.1, 22.2, 23.1, 24.2)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.case import Rule, list_bars
from twilight_in_the_east.arrivals.entry import (
    cost_by_rail,
    first_cost,
    needs_army,
)
from twilight_in_the_east.arrivals.new_armies import (
    Ninth,
    PflanzerBaltin,
    is_far_west,
    score_of_call,
    uses_western_front,
)
from twilight_in_the_east.entering.consequences import is_first_in_hungary


def bars(*rules: Rule) -> list[tuple[str, str]]:
    return [(bar.rule, bar.text) for bar in list_bars(*rules)]


@pytest.mark.rule("22.1", "27.2.3")
def test_what_the_call_scores_and_which_scenarios_have_it() -> None:
    with_call = [f"29.{number}" for number in range(1, 8) if uses_western_front(f"29.{number}")]
    assert with_call == ["29.5", "29.6", "29.7"]
    assert uses_western_front("") and uses_western_front("moor")
    assert [score_of_call(turn) for turn in range(5, 11)] == [-2, 0, 2, 4, 6, 8]
    assert [score_of_call(turn) for turn in (1, 4, 11)] == [-2, -2, 8]


@pytest.mark.rule("23.1.1")
def test_the_first_russian_unit_in_hungary() -> None:
    assert is_first_in_hungary("russian", 0, lambda: True)
    assert not is_first_in_hungary("russian", 0, lambda: False)
    assert not is_first_in_hungary("russian", 12, lambda: True)
    assert not is_first_in_hungary("central-powers", 0, lambda: True)


@pytest.mark.rule("22.2")
def test_a_russian_formation_far_west_of_the_vistula() -> None:
    assert is_far_west("XX", "infantry", 11, west=True) and is_far_west("X", "infantry", 11, west=True)
    assert not is_far_west("XX", "infantry", 10, west=True)
    assert not is_far_west("XX", "infantry", 11, west=False)
    assert not is_far_west("III", "infantry", 11, west=True) and not is_far_west("XX", "cavalry", 11, west=True)


def ninth(turn: int, free: int = 0, trains: Sequence[str] = (), west: Sequence[str] = ()) -> Ninth:
    near = bool(trains)
    return Ninth(turn=turn, free=free, trains=trains, west=west, trains_in_prussia=near, russians_far_west=bool(west))


@pytest.mark.rule("22.2")
def test_the_ninth_army_is_formed_between_gt_10_and_21() -> None:
    trains = ("3 Train",)
    early = [("22.2", "it may be formed from GT 10 on")]
    assert bars(ninth(9).bars_of_army) == bars(ninth(9, trains=trains).bars_of_army) == early
    assert bars(ninth(10).bars_of_army) == bars(ninth(20).bars_of_army) == []
    why = "Russian Corps Trains are in Prussia (3 Train), and no Russian formation is far west of the Vistula"
    assert bars(ninth(10, trains=trains).bars_of_army) == bars(ninth(20, trains=trains).bars_of_army) == [("22.2", why)]
    assert bars(ninth(20, trains=trains, west="A").bars_of_army) == bars(ninth(20, 14, trains).bars_of_army) == []
    assert bars(ninth(21, trains=trains).bars_of_army) == []


@pytest.mark.rule("23.1", "23.1.1")
def test_karpatensicherung_waits_for_russians_in_hungary() -> None:
    def judged(turn: int, entered: int) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        army = PflanzerBaltin(turn=turn, entered=entered)
        return bars(army.bars_of_army), bars(army.grounds)

    assert judged(15, 14)[0] == judged(15, 0)[0] == [("23.1.1", "it may be activated from GT 16 on")]
    assert judged(16, 14) == ([], [("23.1", "a Russian unit entered Hungary in GT 14")])
    none = ("23.1.1", "no Russian unit has entered Hungary yet (hungary-entered=TURN)")
    assert judged(16, 0) == judged(20, 0) == ([none], [])
    assert judged(21, 0) == judged(22, 14) == ([], [("23.1.1", "it is activated in GT 21 in any case")])
    assert PflanzerBaltin(turn=16).is_owed()


# --- reinforcements ---------------------------------------------------------------------------------------------------


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


@pytest.mark.rule("22.2")
def test_why_the_ninth_army_is_formed() -> None:
    def why(*given: Any) -> list[str]:
        return [why for _, why in bars(ninth(*given).grounds)]

    trains = ("3 Train",)
    assert why(10) == why(20) == ["no Russian Corps Train is in Prussia"]
    assert why(20, 0, trains, ("A", "B")) == ["A, B: west of the Vistula, more than 10 hexes from Warsaw"]
    assert why(20, 14, trains) == why(22, 14, trains) == why(20, 14) == ["it has been possible since GT 14"]
    assert why(21) == why(21, 0, trains) == ["it is formed in GT 21 at the latest"]
    assert ninth(21).why == "it is formed in GT 21 at the latest"
    assert [ninth(turn).is_owed() for turn in (20, 21)] == [False, True]
