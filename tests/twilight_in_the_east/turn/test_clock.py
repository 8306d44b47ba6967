"""The clocks of the two fronts (5.1)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.turn.clock_question import exchange_clocks

from ...conftest import answered, told, typed, values, why_not

NORTH, SOUTH = {"turn": 3}, {"turn": 4}
TOGETHER = "turn=3\nphase=attack\nphasing=russian\n"
APART = TOGETHER + 'at-front=north other-clock="4 central-powers supply"\n'


def asked(text: str, **parameters: Any) -> Report[Any]:
    return answered(typed(text), "clock", **parameters)


@pytest.mark.rule("5.1")
def test_each_front_keeps_its_clock() -> None:
    assert exchange_clocks("north", "south", NORTH, SOUTH) == (SOUTH, NORTH)
    assert exchange_clocks("south", "south", SOUTH, NORTH) == (SOUTH, NORTH)
    assert exchange_clocks("both", "south", NORTH, {}) == (NORTH, NORTH)


@pytest.mark.rule("5.1")
def test_the_clocks_part_when_one_front_goes_on() -> None:
    report = asked(TOGETHER, front="south")
    assert values(report) == {
        ("at-front", ""): "south",
        ("other-clock", ""): "3 russian attack",
    }
    assert report.verdict.text == "the Southern Front goes on"
    assert (report.shown.front, report.shown.turn, report.shown.other_turn) == ("south", 3, 3)


@pytest.mark.rule("5.1")
def test_the_other_front_goes_on_where_it_stood() -> None:
    report = asked(APART + "weather=summer-heat", front="south")
    assert values(report) == {
        ("at-front", ""): "south",
        ("turn", ""): 4,
        ("phase", ""): "supply",
        ("phasing", ""): "central-powers",
        ("weather", ""): None,
        ("other-clock", ""): "3 russian attack summer-heat",
    }
    assert told(report, "Clocks") == [
        "the Southern Front: GT 4, supply of the Central Powers",
        "the Northern Front: GT 3, attack of the Russian side",
    ]


def test_where_the_fronts_stand() -> None:
    assert told(asked(TOGETHER), "Clocks") == ["both fronts: GT 3, attack of the Russian side"]
    report = asked(APART, front="north")
    assert report.changes == ()
    assert (report.shown.other_turn, report.shown.other_phase, report.shown.other_side) == (
        4,
        "supply",
        "central-powers",
    )
    assert told(report, "Clocks") == [
        "the Northern Front: GT 3, attack of the Russian side",
        "the Southern Front: GT 4, supply of the Central Powers",
    ]
    assert told(asked("phase=weather"), "Clocks") == ["both fronts: game turn not stated, weather"]


@pytest.mark.rule("5.1")
def test_a_word_that_no_clock_shows_is_refused_and_a_phase_begun_is_played_to_its_end() -> None:
    report = asked(APART + "44.20: russian infantry XX A spent=march:2", front="south")
    assert (report.verdict.kind, why_not(report)) == ("no", ["5.1"])
    with pytest.raises(InputError, match="'lunch' is not shown by a clock"):
        asked('turn=3\nat-front=north other-clock="4 lunch"\n')
