"""New armies and the call for the Western Front reinforcements, over plain values (16.3, 22.1, 22.2, 23.1, 24.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from assistant.asking.case import Rule, list_bars
from twilight_in_the_east.arrivals.armies import (
    arrival_of_call,
    is_far_west,
    score_of_call,
    uses_western_front,
)
from twilight_in_the_east.arrivals.entry import Entrance, why_no_depot
from twilight_in_the_east.arrivals.new_armies import Call, Eleventh, Ninth, PflanzerBaltin
from twilight_in_the_east.entering.effects import is_first_in_hungary

from ...conftest import viewed


def bars(*rules: Rule) -> list[tuple[str, str]]:
    return [(bar.rule, bar.text) for bar in list_bars(*rules)]


def call(turn: int, called: int = 0, maps: str = "both", *, used: bool = True) -> Call:
    return Call(view=viewed(""), turn=turn, called=called, maps=maps, used=used)


@pytest.mark.rule("22.1")
def test_the_western_front_reinforcements_are_called_from_gt_5_on_and_anyway_in_gt_10() -> None:
    assert bars(call(4).bars_of_call) == [("22.1", "they may be called from GT 5 on")]
    assert bars(call(5).bars_of_call) == bars(call(10, maps="north").bars_of_call) == []
    assert bars(call(7, 5).bars_of_call) == [("22.1", "they were called in GT 5")]
    assert bars(call(4, 3).bars_of_call) == [("22.1", "they were called in GT 3")]
    assert bars(call(11, 5).bars_of_call) == [("22.1", "they were called in GT 5")]
    assert bars(call(5, maps="south").bars_of_call) == [("22.1", "only the southern map is in play")]
    late = "they were called in GT 10 at the latest; state when: western-call=TURN"
    assert bars(call(11).bars_of_call) == [("22.1", late)]
    assert [call(turn).is_made_anyway() for turn in (9, 10, 11)] == [False, True, False]
    assert bars(call(6, used=False).bars_of_call) == [("22.1", "the scenario does not use them")]
    assert not call(10, used=False).is_made_anyway()
    assert not call(10, 9).is_made_anyway() and not call(10, maps="south").is_made_anyway()


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


@pytest.mark.rule("24.2")
def test_the_eleventh_army_may_be_formed_from_gt_25_on() -> None:
    assert bars(Eleventh(turn=24).bars_of_army) == [("24.2", "it may be formed from GT 25 on")]
    assert bars(Eleventh(turn=25).bars_of_army) == bars(Eleventh(turn=24).grounds) == []
    assert bars(Eleventh(turn=25).grounds) == [("24.2", "its owner decides")]
    assert not Eleventh(turn=30).is_owed()


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


@pytest.mark.rule("1.1", "16.3")
def test_an_army_comes_into_play_once_and_in_the_campaign() -> None:
    def good(text: str, *, campaign: bool = True) -> list[tuple[str, str]]:
        return bars(Eleventh(view=viewed(text), turn=25, campaign=campaign).bars_for_good)

    assert good("") == []
    assert good("eleventh-army=12") == [("16.3", "it came into play in GT 12")]
    only = "it comes into play only in the campaign game (c)"
    assert good("campaign=no", campaign=False) == [("24.2", only)]
    assert good("", campaign=False) == [("24.2", f"{only}; state `campaign` if this is one")]


@pytest.mark.rule("16.3")
def test_the_depots_of_a_new_army_stand_on_linked_rr_stations() -> None:
    def why(*, station: bool = True, linked: bool = True, blocked: bool = False) -> list[tuple[str, str]]:
        entrance = Entrance(hex="44.20", station=station, railway=linked, lost=blocked)
        return [(bar.rule, bar.text) for bar in why_no_depot(entrance)]

    assert why() == []
    assert why(station=False) == [("16.3", "44.20 has no RR Station")]
    assert why(blocked=True) == [("16.3", "its side does not control 44.20")]
    assert why(linked=False) == [("16.3", "no friendly operational RR line joins 44.20 to the map edge")]
