"""The questions `call`, `activate` and `due`: the Western Front reinforcements and new armies (16.3, 22.1, 22.2, 23.1, 24.2)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.case import list_bars
from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.arrivals.call_question import calling

from ...conftest import answered, ruled, told, typed, values, viewed

NOW = "turn={} phase=reinforcement phasing={}\n"
WEST = NOW.format(5, "central-powers")


def called(text: str) -> Report[Any]:
    return answered(typed(text), "call")


@pytest.mark.rule("22.1", "22.1.1", "22.1.2", "27.2.3")
def test_they_are_called_in_the_german_reinforcement_phase() -> None:
    report = called(WEST)
    assert report.verdict.text == "they are called in GT 5 and arrive in GT 9: 2 Victory Points lost"
    assert values(report) == {("western-call", ""): 5, ("vp-call", "central-powers"): -2}
    assert values(called(NOW.format(6, "central-powers"))) == {("western-call", ""): 6}
    assert [ask.how for ask in called("phase=reinforcement").asks] == ["turn=<game turn>"] or called("").asks


@pytest.mark.rule("22.1", "22.1.1")
def test_they_are_called_in_no_other_phase_and_once() -> None:
    def bars(text: str) -> list[str]:
        return [why.text for why in list_bars(calling(viewed(text)).bars)]

    assert called("turn=4").verdict.text == "they may not be called now (1 reason)"
    assert bars(WEST) == bars("turn=5") == bars("phase=other") == []
    assert bars(WEST.replace("reinforcement", "movement")) == [
        "that is done only in the Reinforcement Phase, and the phase is movement; state phase=reinforcement when the Reinforcement Phase begins"
    ]
    assert bars(NOW.format(5, "russian")) == [
        "that is done in its side's Reinforcement Phase, but it is the Russian player turn"
    ]
    assert bars(WEST + "western-call=5") == ["they were called in GT 5"]
    assert bars("turn=4") == ["they may be called from GT 5 on"]
    assert bars("turn=5\nwestern-front=no") == ["the scenario does not use them"]
    assert bars("turn=5\nscenario=29.2") == ["the scenario does not use them"]
    assert bars("turn=5\nscenario=29.5") == bars("turn=5\nscenario=29.2 western-front=yes") == []
    assert bars("turn=5\nscenario=29.6 western-front=no") == ["the scenario does not use them"]
    assert bars("turn=5\nmaps=south") == ["only the southern map is in play"]
    assert [why.rule for why in list_bars(calling(viewed(NOW.format(4, "russian"))).bars)] == ["22.1.1", "22.1"]


CAMPAIGN = "board east\ncampaign\n"


def activated(text: str, **parameters: Any) -> Report[Any]:
    return answered(typed(CAMPAIGN + text), "activate", **parameters)


@pytest.mark.rule("16.1b", "16.3")
def test_its_depots_are_placed_in_no_ezoc_and_next_to_no_enemy() -> None:
    now = NOW.format(10, "central-powers") + "trust charts\nweather=normal\n"
    report = activated(f"{now}47.19: russian infantry XX R (6-6-1-9)", army="Ninth", at=("48.19",))
    assert told(report, "Not allowed") == ["48.19 is in an EZOC"]
    assert "48.19" not in report.result.stations
    assert activated(f"{now}46.19: russian infantry XX R (6-6-1-9)", army="Ninth", at=("48.19",)).result.allowed
    now = NOW.format(10, "central-powers") + "trust charts\nweather=normal\n"
    beside = activated(f"{now}47.19: russian artillery - R", army="Ninth", at=("48.19",))
    assert told(beside, "Not allowed") == ["48.19 is adjacent to an enemy, where a depot may never be"]
    assert "48.19" not in beside.result.stations


@pytest.mark.rule("22.2", "16.3")
def test_the_ninth_army_and_its_depots() -> None:
    now = NOW.format(10, "central-powers")
    report = activated(now, army="Ninth")
    (line,) = told(report, "Its depots")
    assert line.startswith("NINTH Major Depot, NINTH Minor Depot: to be placed in RR Stations linked to the map edge")
    assert line.endswith(f" of them known (at={report.result.stations[0]})")
    assert report.verdict.text == "the Ninth Army comes into play in GT 10: no Russian Corps Train is in Prussia"
    assert report.result.depots == ("NINTH Major Depot", "NINTH Minor Depot") and report.changes == ()
    assert len(report.result.stations) > 100 and "60.17" in report.result.stations
    report = activated(now, army="Ninth", at=("60.17",))
    assert values(report) == {
        ("ninth-army", ""): 10,
        ("place", "NINTH Major Depot"): "60.17",
        ("place", "NINTH Minor Depot"): "60.17",
    }
    assert told(report, "Its depots") == ["NINTH Major Depot: in 60.17", "NINTH Minor Depot: in 60.17"]
    wrong = activated(now, army="Ninth", at=("60.17", "58.52"))
    assert told(wrong, "Not allowed") == [
        "its side does not control 58.52",
        "no friendly operational RR line joins 58.52 to the map edge",
    ]
    with pytest.raises(InputError, match="3 hexes for 2 depots"):
        activated(now, army="Ninth", at=("60.17", "60.18", "60.19"))
    with pytest.raises(InputError, match="Loose is not a depot"):
        activated(now + "44.20: german infantry XX Loose", army="Ninth", units=("Loose",))
    with pytest.raises(InputError, match="unknown unit 'Nowhere'"):
        activated(now, army="Ninth", units=("Nowhere",))
    depot = '60.17: german minor-depot - "NINTH Minor Depot"\n'
    with pytest.raises(InputError, match="is on the map"):
        activated(now + depot, army="Ninth", units=("NINTH Minor Depot",))


@pytest.mark.rule("22.2")
def test_russian_trains_in_prussia_keep_the_ninth_army_back_unless_others_are_far_west() -> None:
    now = NOW.format(11, "central-powers") + '51.23: russian corps-train - "3 Train"\n'
    why = "Russian Corps Trains are in Prussia (3 Train), and no Russian formation is far west of the Vistula"
    assert told(activated(now, army="Ninth"), "Not allowed") == [why]
    assert told(activated(now + "50.60: russian infantry XX R", army="Ninth"), "Not allowed") == [why]
    assert told(activated(now + "75.60: russian cavalry XX R", army="Ninth"), "Not allowed") == [why]
    far = activated(now + "75.60: russian infantry XX R", army="Ninth")
    assert far.result.why == "R: west of the Vistula, more than 10 hexes from Warsaw"
    assert activated(now.replace("51.23", "50.60"), army="Ninth").result.why == "no Russian Corps Train is in Prussia"
    assert activated(now + "ninth-army-free=10", army="Ninth").result.why == "it has been possible since GT 10"
    put_off = activated(now + "ninth-army-free=10", army="Ninth")
    assert ruled(put_off, "ninth-put-off") == "kept"
    assert not activated(now + "ninth-army-free=10\nruling ninth-put-off=now", army="Ninth").result.allowed
    on_paper = f"campaign\n{now}51.23 country=german\n75.60: russian infantry XX R"
    report = answered(typed(on_paper), "activate", army="Ninth")
    assert [ask.how for ask in report.asks] == ["75.60 vistula=west|east"]
    assert answered(typed(on_paper + "\n75.60 vistula=west"), "activate", army="Ninth").result.allowed
    assert not answered(typed(on_paper + "\n75.60 vistula=east"), "activate", army="Ninth").result.allowed


@pytest.mark.rule("24.2", "16.3")
def test_the_eleventh_army_is_formed_at_its_owners_will() -> None:
    assert told(activated(NOW.format(24, "russian"), army="Eleventh"), "Not allowed") == [
        "it may be formed from GT 25 on"
    ]
    report = activated(NOW.format(25, "russian"), army="Eleventh", at=("58.52",))
    assert values(report)["eleventh-army", ""] == 25 and values(report)["place", "ELEVENTH Minor Depot"] == "58.52"
    again = activated(NOW.format(26, "russian") + "eleventh-army=25", army="Eleventh")
    assert told(again, "Not allowed") == ["it came into play in GT 25"]


@pytest.mark.rule("23.1", "23.1.1")
def test_karpatensicherung_brings_in_ag_p_b() -> None:
    now = NOW.format(16, "central-powers")
    none = "no Russian unit has entered Hungary yet (hungary-entered=TURN)"
    assert told(activated(now, army="AG P-B"), "Not allowed") == [none]
    report = activated(now + "hungary-entered=15", army="AG P-B")
    assert report.verdict.text == "AG P-B comes into play in GT 16: a Russian unit entered Hungary in GT 15"
    assert values(report) == {("karpatensicherung", ""): 16}
    assert told(report, "Its depots") == ["no depot of AG P-B is known (units=ID)"]
    with pytest.raises(InputError, match="no depot of the army is known"):
        activated(now + "hungary-entered=15", army="AG P-B", at=("60.17",))


@pytest.mark.rule("1.1")
def test_outside_the_campaign_no_army_comes_into_play() -> None:
    def refusals(text: str) -> list[str]:
        return told(answered(typed(text + NOW.format(25, "russian")), "activate", army="Eleventh"), "Not allowed")

    why = "it comes into play only in the campaign game (c)"
    assert refusals("") == [f"{why}; state `campaign` if this is one"]
    assert refusals("campaign=no\n") == [why]
    assert refusals("campaign\n") == []


def test_an_army_of_the_enemy_is_not_shown() -> None:
    from assistant.game.viewpoint import reduce_state

    position = typed(CAMPAIGN + NOW.format(25, "russian"))
    with pytest.raises(InputError, match="Eleventh is the enemy's"):
        answered(
            position.with_state(reduce_state(position.game, position.state, "central-powers")),
            "activate",
            army="Eleventh",
        )


def test_what_is_due_counts_units_that_say_so_themselves() -> None:
    text = (
        "turn=5\nA german infantry XX arrives=5\nB russian infantry XX arrives=6\n44.20: german infantry XX C arrives=5"
    )
    report = answered(typed(text), "due")
    assert [(item.who, item.text) for item in report.result.items] == [("german", "A")]
    assert [item.text for item in answered(typed(text), "due", turn="5", until="6").result.items] == ["A", "B"]
