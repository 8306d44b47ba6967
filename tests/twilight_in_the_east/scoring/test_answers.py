"""Every answer that eliminates a unit or takes a starred town adds to an account and says so; no other does (27.1, 27.2)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.state.changes import Gain

from ...conftest import answered, told, typed

TOWN = "star=3 country=german"


def gained(report: Report[Any]) -> dict[tuple[str, str], int]:
    """What a report adds to each account; that it says so is checked."""
    gains = [change for change in report.changes if isinstance(change, Gain)]
    assert len(told(report, "Victory Points")) == len(gains)
    assert all(
        gain.rule == f"27.2.{['vp-towns', 'vp-divisions', 'vp-supply-units'].index(gain.track) + 4}" for gain in gains
    )
    return {(gain.track, gain.subject): gain.amount for gain in gains}


FOUR = ", ".join(
    f"russian {arm} XX {name} (9-9-0-9)" for name, arm in zip("ABCD", ["infantry"] * 3 + ["cavalry"], strict=True)
)


@pytest.mark.parametrize(("unit", "points"), [("A", 4), ("D", 2)])
def test_what_a_hex_cannot_hold_is_eliminated(unit: str, points: int) -> None:
    report = answered(typed(f"41.19: {FOUR}\nanswers excess={unit}"), "stack", at="41.19", moved="yes")
    assert gained(report) == {("vp-divisions", "central-powers"): points}


def test_a_march_into_a_town_scores_and_one_out_of_it_does_not() -> None:
    text = f"turn=3 phase=movement phasing=russian\n41.19 clear {TOWN}\n41.18 clear\n40.20: russian infantry X R (9-9-0-9) movement=7"
    into = answered(typed(text), "move", units="R", way="41.19", ground="2")
    assert gained(into) == {("vp-towns", "russian"): 3}
    assert gained(answered(typed(text), "move", units="R", way="40.19", ground="2")) == {}
    through = answered(typed(text), "move", units="R", way="41.19,41.18", ground="2,2")
    assert gained(through) == {("vp-towns", "russian"): 3}


def test_cavalry_that_reacts_into_a_town_scores() -> None:
    text = """22.86: austro-hungarian cavalry XX C (3-3-0-10)
21.86: russian infantry XX R
22.86|21.86,21.85,22.85,22.87,23.86,23.85 open
21.86|21.85,21.87,22.87,20.86,20.87,22.86 open
23.85 star=1 country=russian
answers to.C=23.85"""
    assert gained(answered(typed(text), "cavalry", unit="C", enemy="R", left="21.85")) == {
        ("vp-towns", "central-powers"): 1
    }


def test_a_retreat_into_a_town_scores() -> None:
    text = f"turn=5\n41.19: russian infantry XX R (9-9-0-9)\n40.20: german infantry XX G (9-9-0-9)\n42.19 clear {TOWN}\n41.19 clear\n41.19|42.19 open"
    report = answered(typed(text), "retreat", at="41.19", hexes=1, cause="crt", way="42.19")
    assert gained(report) == {("vp-towns", "russian"): 3}


def test_who_is_reunited_or_withdrawn_scores_for_nobody() -> None:
    stack = 'turn=3\n51.40: russian infantry XX "det 4+16/6" (4-4-0-8) withdrawal={} army=Second, russian infantry XX 4/6 (10-10-5-10) -6 back-steps=5 army=Second'
    for withdrawal in (9, 3):
        report = answered(typed(stack.format(withdrawal)), "reunite", unit="det 4+16/6", ends="yes")
        assert ("place", "det 4+16/6") in {(change.track, change.subject) for change in report.changes}
        assert gained(report) == {}
    text = "turn=5 phase=reinforcement phasing=russian\n44.20: russian infantry XX A withdrawal=5"
    report = answered(typed(text), "next")
    assert ("place", "A") in {(change.track, change.subject) for change in report.changes}
    assert gained(report) == {}
