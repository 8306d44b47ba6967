"""The Bukowina Holding Box (23.4)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.questions.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.movement.holding_box import barred, kept_in
from twilight_in_the_east.supply.special import HALF_HEXES

from ...conftest import answered, told, typed

BOX = "Bukowina Holding Box"


def asked(place: str, nation: str = "austro-hungarian", more: str = "", **given: Any) -> Report[Any]:
    text = f'turn=12\n"{place}": {nation} infantry XX U {more}\n17.112: russian infantry XX R'
    return answered(typed(text), "holding-box", unit="U", **given)


def made(report: Report[Any]) -> dict[str, object]:
    return {one.track: one.after for one in report.changes}


@pytest.mark.rule("23.4", "23.4.1")
def test_only_austro_hungarians_pass_and_only_the_half_hexes() -> None:
    assert [
        hex
        for hex in ("31.114", "27.114", "17.114", "11.114", "09.114", "07.114", "18.114")
        if barred("austro-hungarian", hex)
    ] == ["18.114"]
    assert len(HALF_HEXES) == 6
    for nation in ("german", "russian"):
        assert [one.rule for one in barred(nation, "17.114")] == ["23.4"]


@pytest.mark.rule("23.4.1")
def test_a_half_hex_costs_one_point_enemy_zone_or_not() -> None:
    report = asked("17.113", to="17.114")
    assert (report.result.allowed, report.result.points, made(report)) == (True, 1, {"place": "17.114"})
    assert not asked("17.113", "russian", to="17.114").result.allowed
    with pytest.raises(InputError, match="20.110 and 17.114 are not adjacent"):
        asked("20.110", to="17.114")


@pytest.mark.rule("23.4", "23.4.1", "23.4.2")
def test_whoever_is_left_in_a_half_hex_goes_into_the_box() -> None:
    report = asked("17.114")
    assert made(report) == {"place": BOX, "box-entered": 12}
    assert told(report) == ["in the Box it is In Supply, may recover levels, and never has to come back"]
    assert made(asked("17.114", retreat=True)) == {"place": BOX}
    assert told(asked("18.114"), "Not allowed")[0].startswith("18.114 is not one of the half-hexes 31.114, 27.114")


@pytest.mark.rule("23.4.2")
def test_who_entered_by_movement_stays_for_the_game_turn() -> None:
    assert [bool(kept_in(entered, 12)) for entered in (0, 11, 12)] == [False, False, True]
    assert not asked(BOX, more="box-entered=12", to="17.114").result.allowed
    later = asked(BOX, more="box-entered=11", to="17.114")
    assert made(later) == {"place": "17.114", "box-entered": None}
    assert asked(BOX, to="17.114").result.allowed


def test_slips() -> None:
    with pytest.raises(InputError, match="U is in Bukowina Holding Box"):
        asked(BOX)
    with pytest.raises(InputError, match="3 Train is not on the map"):
        answered(typed('turn=3\n"3 Train" arrives=8'), "holding-box", unit="3 Train")
