"""The Bukowina Holding Box (23.4)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.questions.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.movement.holding_box import barred, kept_in
from twilight_in_the_east.retreat.question import may_leave_the_map
from twilight_in_the_east.terms import HALF_HEXES

from ...conftest import answered, told, typed

BOX = "Bukowina Holding Box"


def asked(place: str, nation: str = "austro-hungarian", more: str = "", **given: Any) -> Report[Any]:
    text = f'turn=12\n"{place}": {nation} infantry XX U {more}\n17.112: russian infantry XX R'
    return answered(typed(text), "holding-box", unit="U", **given)


KEPT = {"control": "central-powers"}
"""Whose the hex stays that it leaves empty."""


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
    assert (report.result.allowed, report.result.points, made(report)) == (True, 1, {"place": "17.114"} | KEPT)
    assert not asked("17.113", "russian", to="17.114").result.allowed
    with pytest.raises(InputError, match="20.110 and 17.114 are not adjacent"):
        asked("20.110", to="17.114")


@pytest.mark.rule("23.4", "23.4.1", "23.4.2")
def test_whoever_is_left_in_a_half_hex_goes_into_the_box() -> None:
    report = asked("17.114")
    assert made(report) == {"place": BOX, "box-entered": 12} | KEPT
    assert told(report) == ["in the Box it is In Supply, may recover levels, and never has to come back"]
    assert made(asked("17.114", retreat=True)) == {"place": BOX} | KEPT
    assert told(asked("18.114"), "Not allowed")[0].startswith("18.114 is not one of the half-hexes 31.114, 27.114")


@pytest.mark.rule("23.4.2")
def test_who_entered_by_movement_stays_for_the_game_turn() -> None:
    assert [bool(kept_in(entered, 12)) for entered in (0, 11, 12)] == [False, False, True]
    assert not asked(BOX, more="box-entered=12", to="17.114").result.allowed
    later = asked(BOX, more="box-entered=11", to="17.114")
    assert made(later) == {"place": "17.114", "box-entered": None}
    unstated = asked(BOX, to="17.114")
    assert ([ask.name for ask in unstated.asks], unstated.verdict.kind) == (["moved-in"], "undecided")
    assert asked(BOX, to="17.114", moved_in=False).result.allowed
    assert not asked(BOX, to="17.114", moved_in=True).result.allowed
    assert not asked(BOX, "german", to="17.114").result.allowed, "no answer could change that"


def test_slips() -> None:
    with pytest.raises(InputError, match="U is in Bukowina Holding Box"):
        asked(BOX)
    with pytest.raises(InputError, match="3 Train is not on the map"):
        answered(typed('turn=3\n"3 Train" arrives=8'), "holding-box", unit="3 Train")


@pytest.mark.rule("23.4")
def test_units_recover_in_the_box_in_supply_and_far_from_all_enemies() -> None:
    text = 'turn=12\n"{}": {} infantry XX U (6-6-2-10) movement=7 cel=-2 supply=out\n17.113: russian infantry XX R'
    inside = answered(typed(text.format(BOX, "austro-hungarian")), "recover", unit="U", points=7)
    assert (inside.result.allowed, inside.result.after, inside.result.distance) == (True, 1, None)
    outside = answered(
        typed(text.replace('"{}"', "{}").format("17.112", "austro-hungarian")), "recover", unit="U", points=7
    )
    assert not outside.result.allowed
    with pytest.raises(InputError, match="25/3 is not on the map"):
        answered(typed("turn=12\n25/3 arrives=13 cel=-2"), "recover", unit="25/3", points=7)


@pytest.mark.rule("23.4.1")
def test_a_stack_may_retreat_from_a_half_hex_into_the_box() -> None:
    def told_of(place: str, nation: str = "austro-hungarian") -> list[str]:
        text = f"turn=12\n{place}: {nation} infantry XX U (6-6-2-10)"
        return told(answered(typed(text), "retreat", at=place, hexes=1, cause="crt"), "The Box")

    assert told_of("17.114") == [
        "from 17.114 the stack may retreat into the Bukowina Holding Box instead, where it is safe: "
        "ask holding-box retreat=yes for each unit"
    ]
    assert told_of("18.113") == told_of("17.114", "german") == []
    half_hexes = ("31.114", "27.114", "17.114", "11.114", "09.114", "07.114")
    assert all(may_leave_the_map(hex, ["austro-hungarian"]) for hex in half_hexes)
    assert not any(may_leave_the_map("17.114", nations) for nations in (["german"], ["german", "austro-hungarian"]))
