"""New armies and the call for the Western Front reinforcements, over plain values (16.3, 22.1, 22.2, 23.1, 24.2)."""

from __future__ import annotations

import pytest

from twilight_in_the_east.arrivals.armies import (
    Call,
    Front,
    arrival_of_call,
    formed_already,
    is_called_anyway,
    is_far_west,
    score_of_call,
    uses_western_front,
    why_karpaten,
    why_ninth,
    why_no_call,
    why_no_depot,
    why_not_eleventh,
    why_not_karpaten,
    why_not_ninth,
)
from twilight_in_the_east.entering.effects import is_first_in_hungary


@pytest.mark.rule("22.1")
def test_the_western_front_reinforcements_are_called_from_gt_5_on_and_anyway_in_gt_10() -> None:
    assert [*why_no_call(Call(4, 0, "both"))] == [("22.1", "they may be called from GT 5 on")]
    assert [*why_no_call(Call(5, 0, "both"))] == [*why_no_call(Call(10, 0, "north"))] == []
    assert [*why_no_call(Call(7, 5, "both"))] == [("22.1", "they were called in GT 5")]
    assert [*why_no_call(Call(5, 0, "south"))] == [("22.1", "only the southern map is in play")]
    late = "they were called in GT 10 at the latest; state when: western-call=TURN"
    assert [*why_no_call(Call(11, 0, "both"))] == [("22.1", late)]
    assert [is_called_anyway(Call(turn, 0, "both")) for turn in (9, 10, 11)] == [False, True, False]
    unused = [("22.1", "the scenario does not use them")]
    assert [*why_no_call(Call(6, 0, "both", used=False))] == unused
    assert not is_called_anyway(Call(10, 0, "both", used=False))
    assert not is_called_anyway(Call(10, 9, "both")) and not is_called_anyway(Call(10, 0, "south"))


@pytest.mark.rule("22.1")
def test_scenarios_of_one_front_but_29_5_have_no_western_front_reinforcements() -> None:
    with_call = [f"29.{number}" for number in range(1, 8) if uses_western_front(f"29.{number}")]
    assert with_call == ["29.5", "29.6", "29.7"]
    assert uses_western_front("") and uses_western_front("moor")


@pytest.mark.rule("22.1.2")
def test_called_in_gt_5_they_arrive_in_gt_9() -> None:
    assert [arrival_of_call(turn) for turn in (5, 10)] == [9, 14]


@pytest.mark.rule("27.2.3")
def test_what_the_call_scores() -> None:
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


@pytest.mark.rule("22.2")
def test_the_ninth_army_is_formed_between_gt_10_and_21() -> None:
    trains = ("3 Train",)
    assert why_ninth(Front(9, 0, (), ())) == why_ninth(Front(9, 8, (), ())) == ""
    assert [*why_not_ninth(Front(9, 0, (), ()))] == [("22.2", "it may be formed from GT 10 on")]
    assert why_ninth(Front(10, 0, (), ())) == "no Russian Corps Train is in Prussia"
    assert [*why_not_ninth(Front(10, 0, (), ()))] == []
    assert why_ninth(Front(10, 0, trains, ())) == why_ninth(Front(20, 0, trains, ())) == ""
    why = "Russian Corps Trains are in Prussia (3 Train), and no Russian formation is far west of the Vistula"
    assert [*why_not_ninth(Front(20, 0, trains, ()))] == [("22.2", why)]
    assert why_ninth(Front(20, 0, trains, ("A", "B"))) == "A, B: west of the Vistula, more than 10 hexes from Warsaw"
    assert why_ninth(Front(20, 14, trains, ())) == "it has been possible since GT 14"
    assert why_ninth(Front(21, 0, trains, ())) == "it is formed in GT 21 at the latest"
    assert [*why_not_ninth(Front(21, 0, trains, ()))] == []
    assert why_ninth(Front(22, 14, trains, ())) == "it has been possible since GT 14"


@pytest.mark.rule("24.2")
def test_the_eleventh_army_may_be_formed_from_gt_25_on() -> None:
    assert [*why_not_eleventh(24)] == [("24.2", "it may be formed from GT 25 on")]
    assert [*why_not_eleventh(25)] == []


@pytest.mark.rule("23.1", "23.1.1")
def test_karpatensicherung_waits_for_russians_in_hungary() -> None:
    assert [*why_not_karpaten(15, 14)] == [("23.1.1", "it may be activated from GT 16 on")]
    assert why_karpaten(15, 14) == why_karpaten(16, 0) == why_karpaten(20, 0) == ""
    assert why_karpaten(16, 14) == "a Russian unit entered Hungary in GT 14"
    assert [*why_not_karpaten(16, 14)] == [*why_not_karpaten(21, 0)] == []
    none = ("23.1.1", "no Russian unit has entered Hungary yet (hungary-entered=TURN)")
    assert [*why_not_karpaten(16, 0)] == [*why_not_karpaten(20, 0)] == [none]
    assert why_karpaten(21, 0) == why_karpaten(22, 14) == "it is activated in GT 21 in any case"


@pytest.mark.rule("16.3")
def test_the_depots_of_a_new_army_stand_on_linked_rr_stations() -> None:
    def why(*, station: bool = True, linked: bool = True, blocked: bool = False) -> list[tuple[str, str]]:
        return [*why_no_depot("44.20", station=station, linked=linked, blocked=blocked)]

    assert why() == []
    assert why(station=False) == [("16.3", "44.20 has no RR Station")]
    assert why(blocked=True) == [("16.3", "its side does not control 44.20")]
    assert why(linked=False) == [("16.3", "no friendly operational RR line joins 44.20 to the map edge")]
    assert [*formed_already(0)] == []
    assert [*formed_already(12)] == [("16.3", "it came into play in GT 12")]
