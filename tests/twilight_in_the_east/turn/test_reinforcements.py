"""What the Reinforcement, Withdrawal and Activation Phase brings, by a made-up schedule (16.0, 22.1, 22.2)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ...conftest import answered, told, typed, values
from ..owned import stated, with_pack
from . import listing
from .listing import followed, listed, states

ROWS = """rule,who,at,until,action,item,count,units,place,text
29.5,german,5,,arrive,unit,2,"1/1,2/1",85.27,
29.5,german,western-call+4,,arrive,unit,1,35/17,85.26,
29.5,russian,5,,arrive,unit,1,25/3,48.20,
"""


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Positions are of a game with these rows in the pack of its owner."""
    game = with_pack(tmp_path, {"schedules/made.csv": ROWS})
    for module in (listing, sys.modules[__name__]):
        monkeypatch.setattr(module, "typed", lambda text: stated(game, text))


EAST = "board east\ntrust charts counters\nweather=normal\n"
SIDE = "central-powers"


def test_units_of_the_schedule_are_owed_and_enter_play_where_it_says() -> None:
    (item,) = listed(EAST, "reinforcement", "reinforcements", SIDE)
    assert (item.state, item.units, item.ask) == ("owed", ("1/1", "2/1"), "arrive")
    now = f"{EAST}turn=5 phase=reinforcement phasing={SIDE}\n"
    report = answered(typed(now), "arrive", units=("1/1", "2/1"))
    assert {unit for (track, unit), at in values(report).items() if track == "place" and at == "85.27"} == {
        "1/1",
        "2/1",
    }
    for ruling, last in (("open", "25/3"), ("closed", "25/3 (blocked now: the enemy controls 48.20)")):
        items = answered(typed(f"{now}ruling entry-control={ruling}\n"), "due").result.items
        assert [item.text for item in items if item.action != "withdraw"] == ["1/1", "2/1", last]
    there = "85.27: 1/1, 2/1"
    assert states(listed(EAST + there, "reinforcement", "reinforcements", SIDE)) == [("impossible", ())]


@pytest.mark.rule("16.0")
def test_units_that_wait_are_recorded_and_stay_due() -> None:
    refused = followed(EAST, "reinforcement", SIDE)
    assert refused.verdict.kind == "no" and refused.changes == ()
    report = followed(EAST, "reinforcement", SIDE, leave=("reinforcements",))
    changes = values(report)
    assert (changes["arrives", "1/1"], changes["arrives", "2/1"]) == (5, 5)
    assert (changes["place", "1/1"], changes["place", "2/1"]) == (None, None)
    assert not any("1/1" in line for line in told(report, "Not done, or not shown by the position"))
    now = answered(typed(f"turn=5 phase=reinforcement phasing={SIDE}\n{EAST}"), "turn")
    assert "1 step owed" in now.verdict.text, "they are owed once, by their entry"
    stated = EAST + "1/1 arrives=5\n"
    assert states(listed(stated, "reinforcement", "waiting", SIDE)) == [("possible", ("2/1",))]
    due, missing = listed(stated, "reinforcement", "reinforcements", SIDE, turn=6)
    assert (due.state, due.units, missing.state, missing.units) == ("owed", ("1/1",), "possible", ("2/1",))
    assert states(listed(EAST, "reinforcement", "waiting", SIDE, turn=6)) == [("impossible", ())]


def test_a_unit_with_no_way_in_does_not_hold_up_the_phase() -> None:
    unit = "turn=5\nA german infantry XX army=Eighth arrives=5 entry=44.20\n44.20: russian artillery - Foe"
    text = f"phase=reinforcement phasing={SIDE}\n{unit}"
    items = answered(typed(text), "turn").shown.now.items
    waits = [item for item in items if item.name == "reinforcements" and "A" in item.units]
    assert [(item.state, item.text.split(": ")[1]) for item in waits] == [
        ("possible", "every way in is blocked; these wait and stay due")
    ]
    report = answered(typed(text), "arrive")
    assert report.result.units[0].waits is False or report.result.units[0].instead == ()


def test_the_call_brings_what_the_schedule_counts_from_it() -> None:
    now = f"{EAST}turn=5 phase=reinforcement phasing={SIDE}\n"
    assert answered(typed(now), "call").result.units == ("35/17",)
    assert told(answered(typed(now), "call"))[0] == "they arrive in GT 9: 35/17"
    there = f"{EAST}44.14: 1/1, 2/1\n"
    (item,) = listed(f"{there}western-call=5", "reinforcement", "reinforcements", SIDE, turn=9)
    assert item.units == ("35/17",)
    assert states(listed(there, "reinforcement", "reinforcements", SIDE, turn=9)) == [("impossible", ())]


def test_the_call_is_possible_from_gt_5_and_comes_by_itself_in_gt_10() -> None:
    def call(text: str, turn: int) -> list[tuple[str, str]]:
        items = listed(text, "reinforcement", "call", SIDE, turn=turn)
        return [(item.state, item.text.split(": ", 1)[1]) for item in items]

    assert call("", 4) == []
    assert call("", 7) == [("possible", "2 Victory Points for a call now")]
    assert call("western-call=5", 7) == [("done", "called in GT 5")]
    assert call("maps=south", 7) == [("impossible", "only the southern map is in play")]
    late = "they were called in GT 10 at the latest; state when: western-call=TURN"
    assert call("", 14) == [("possible", late)] and call("", 15) == []
    assert call("maps=south", 11) == [("impossible", "only the southern map is in play")]
    unused = [("impossible", "the scenario does not use them")]
    assert call("western-front=no", 10) == call("western-front=no", 11) == unused
    assert call("western-call=10", 11) == [("done", "called in GT 10")]
    assert call("", 10) == [("owed", "they are called in any case: 8 Victory Points")]
    made = values(followed("ninth-army-free=10", "reinforcement", SIDE, turn=10))
    assert (made["western-call", ""], made["vp-call", SIDE]) == (10, 8)


def test_new_armies_are_possible_and_owed() -> None:
    def armies(text: str, side: str, turn: int) -> list[tuple[str, str, str]]:
        items = listed(f"campaign\n{text}", "reinforcement", "armies", side, turn=turn)
        return [(item.state, item.text.split(": ", 1)[1], item.ask) for item in items]

    assert ("possible", "the Ninth Army: no Russian Corps Train is in Prussia", "activate army=Ninth") in armies(
        "", SIDE, 10
    )
    assert ("owed", "the Ninth Army: it is formed in GT 21 at the latest", "activate army=Ninth") in armies(
        "", SIDE, 21
    )
    assert ("done", "the Ninth Army: in play since GT 12", "") in armies("ninth-army=12", SIDE, 21)
    now = ("owed", "AG P-B: a Russian unit entered Hungary in GT 15", 'activate army="AG P-B"')
    assert now in armies("hungary-entered=15", SIDE, 16)
    assert armies("", "russian", 25) == [("possible", "the Eleventh Army: its owner decides", "activate army=Eleventh")]
    assert armies("", "russian", 24) == [("impossible", "the Eleventh Army: it may be formed from GT 25 on", "")]


def test_that_the_ninth_army_might_be_formed_is_recorded_once() -> None:
    def ninth(text: str, turn: int) -> list[str]:
        return [item.state for item in listed(text, "reinforcement", "ninth-army", SIDE, turn=turn)]

    assert ninth("campaign", 10) == ["owed"] and ninth("", 10) == ["impossible"]
    assert ninth("campaign\nninth-army-free=10", 11) == ninth("campaign\nninth-army=10", 11) == ["impossible"]
    assert ninth("campaign", 21) == ["impossible"]
    assert values(followed("campaign\nwestern-call=5", "reinforcement", SIDE, turn=11))["ninth-army-free", ""] == 11


def test_a_unit_that_a_row_has_brought_back_is_not_withdrawn_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    head = "rule,who,at,action,item,units\n29.5,russian,3,withdraw,unit,25/3\n"

    def due_to_go(rows: str) -> list[tuple[str, tuple[str, ...]]]:
        folder = tmp_path / str(len(rows))
        game = with_pack(folder, {"schedules/made.csv": head + rows})
        monkeypatch.setattr(listing, "typed", lambda text: stated(game, text))
        return states(listed(EAST + "48.20: 25/3", "reinforcement", "withdrawals", "russian"))

    assert due_to_go("") == [("owed", ("25/3",))]
    assert due_to_go("29.5,russian,4,arrive,unit,25/3\n") == [("impossible", ())]
    assert due_to_go("29.5,russian,4,arrive,unit,25/3\n29.5,russian,5,withdraw,unit,25/3\n") == [("owed", ("25/3",))]
    assert due_to_go("29.5,russian,6,arrive,unit,25/3\n") == [("owed", ("25/3",))], "that is still to come"
