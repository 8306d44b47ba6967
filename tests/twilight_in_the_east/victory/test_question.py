"""The question `victory`: who is winning, and what stands to be won or lost next (27)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from twilight_in_the_east.victory.question import judge_victory

from ...conftest import answered, told, typed

SIX = """side russian vp-attacks=2 vp-plans=-3 vp-towns=3
side central-powers vp-divisions=4 vp-supply-units=2 vp-call=-2
"""


def victory(text: str) -> Report[Any]:
    return answered(typed(text), "victory")


@pytest.mark.rule("27.0", "27.1", "27.2.1", "27.2.2a", "27.2.3", "27.2.4", "27.2.5", "27.2.6")
def test_both_totals_are_the_sums_of_their_sources() -> None:
    report = victory(SIX)
    sums = {score.side: [source.points for source in score.sources] for score in report.result.scores}
    assert sums == {"central-powers": [0, 0, -2, 0, 4, 2], "russian": [2, -3, 0, 3, 0, 0]}
    assert {score.side: score.total for score in report.result.scores} == {"central-powers": 4, "russian": 2}
    assert [source.account for source in report.result.scores[0].sources] == [
        "vp-attacks",
        "vp-plans",
        "vp-call",
        "vp-towns",
        "vp-divisions",
        "vp-supply-units",
    ]
    assert told(report, "Victory Points") == [
        "Central Powers: -2 for the Western call, 4 for divisions, 2 for supply units = 4",
        "Russian: 2 for Prepared Attacks, -3 for Strategic Plans, 3 for towns = 2",
        "the VP marker lies at 2 with its Central Powers side up",
    ]
    assert report.verdict.text == (
        "Central Powers 4, Russian 2: the Central Powers would win if the game ended now, 2 points ahead"
    )
    assert (report.result.winner, report.result.lead, report.result.level, report.changes) == (
        "central-powers",
        2,
        "",
        (),
    )


@pytest.mark.rule("27.0", "27.1")
def test_neither_side_leads_with_as_many_points() -> None:
    report = victory("side russian vp-towns=2\nside central-powers vp-attacks=2")
    assert report.verdict.text == "Central Powers 2, Russian 2: neither side leads"
    assert told(report, "Victory Points")[-1] == "the VP marker lies at 0"
    assert told(victory(""), "Victory Points")[0] == "Central Powers: none yet"


@pytest.mark.rule("27.0")
def test_levels_of_victory_are_asked_for_where_the_scenario_has_them() -> None:
    asked = victory(f"{SIX}scenario=29.1")
    assert [(ask.key, ask.rule) for ask in asked.asks] == [(("victory-levels", "central-powers"), "27.0")]
    levels = (
        f"{SIX}scenario=29.1\nside central-powers victory-levels=decisive:9+marginal:2\nside russian victory-levels=m:3"
    )
    report = victory(levels)
    assert (report.asks, report.result.level) == ((), "marginal")
    assert report.verdict.text.endswith("2 points ahead, marginal")
    assert told(report, "Levels of victory") == [
        "Central Powers: 7 points short of decisive, a lead of 9",
        "Russian: 5 points short of m, a lead of 3",
    ]
    elsewhere = victory(levels.replace("29.1", "29.5"))
    assert (elsewhere.result.level, elsewhere.asks, told(elsewhere, "Levels of victory")) == ("", (), [])
    assert victory("scenario=29.1").asks == ()


@pytest.mark.rule("27.2.4")
def test_towns_say_who_holds_them_and_who_scores_next() -> None:
    report = victory(
        "48.19 star=3 country=german\n50.30 star=1 country=russian star-holder=central-powers\n50.31 star=2"
    )
    assert told(report, "Towns") == [
        "48.19: 3 Victory Points for the Russian side, if its troops occupy it; held by the Central Powers",
        "50.30: 1 Victory Point for the Russian side, if its troops occupy it; held by the Central Powers",
        "50.31: 2 Victory Points; state who holds it (50.31 star-holder=central-powers|russian)",
    ]
    first, *_ = report.result.places
    assert (first.hex, first.points, first.controller) == ("48.19", 3, "central-powers")
    assert told(report, "Assumed") == []
    assert told(victory(""), "Assumed") == ["no starred town counts, as none is stated (HEX star=2)"]


@pytest.mark.rule("27.2.2a", "27.2.2b", "27.2.2c")
def test_plans_say_what_they_bring_by_date_and_cost_by_distance() -> None:
    plans = 'army "russian Second" plan\narmy "russian 2 Corps" plan\narmy "russian First" plan plan-outcome=achieved\n'
    assert told(victory(f"turn=6\n{plans}"), "Strategic Plans") == [
        "the Russian Second Army: 7 Victory Points if achieved in GT 6, 5 from GT 8 on; "
        "if abandoned it costs Victory Points by the distance of its nearest infantry formation",
        "the 2 Corps: nothing if achieved; it costs the Russian side 5 Victory Points if abandoned",
    ]
    near = f"turn=12\n{plans}61.32: russian infantry XX R corps=13 army=Second"
    assert told(victory(near), "Strategic Plans")[0] == (
        "the Russian Second Army: 2 Victory Points if achieved in GT 12; "
        "it costs the Russian side 7 Victory Points if abandoned, 2 hexes from an objective"
    )
    early = [told(victory(f"turn={turn}\n{plans}"), "Strategic Plans")[1] for turn in (4, 5)]
    now = "the 2 Corps: nothing if achieved; it costs the Russian side 5 Victory Points if abandoned"
    assert early == [f"{now}; that is allowed from GT 5 on", now]
    assert told(victory(plans), "Strategic Plans")[0] == (
        "the Russian Second Army: what its plan brings depends on the game turn (turn=1)"
    )
    assert [plan.force for plan in victory(near).result.plans] == ["russian Second", "russian 2 Corps"]


@pytest.mark.rule("27.2.3")
@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("turn=3", [(5, -2), (6, 0), (7, 2), (8, 4), (9, 6), (10, 8)]),
        ("turn=9", [(9, 6), (10, 8)]),
        ("turn=11", []),
        ("turn=7 western-call=6", []),
        ("turn=7 maps=south", []),
        ("", []),
    ],
)
def test_the_call_says_what_it_brings_turn_by_turn(text: str, calls: list[tuple[int, int]]) -> None:
    report = victory(text)
    assert [(call.turn, call.points) for call in report.result.calls] == calls
    words = ", ".join(f"{points:+d} in GT {turn}" for turn, points in calls)
    assert told(report, "The Western Front reinforcements") == (
        [f"for the Central Powers, if called: {words}"] if calls else []
    )


@pytest.mark.rule("22.1")
def test_what_a_scenario_excepts_is_part_of_the_account() -> None:
    plain = victory("turn=5")
    assert told(plain, "The Western Front reinforcements") and not told(plain, "Exceptions of the scenario")
    tannenberg = victory("turn=5 scenario=29.1")
    assert not tannenberg.result.calls
    assert told(tannenberg, "Exceptions of the scenario") == ["the Western Front reinforcements are not used"]
    excepted = "western-front=no prepared-points-end=9 prepared-points-end-medium=3 prepared-points-end-massive=8"
    report = victory(f"turn=5 {excepted}")
    assert not told(report, "The Western Front reinforcements") and not report.result.calls
    assert told(report, "Exceptions of the scenario") == [
        "Prepared Attacks earn no Victory Points after GT 9",
        "Prepared Attacks of Medium Magnitude earn no Victory Points after GT 3",
        "Prepared Attacks of Massive Magnitude earn no Victory Points after GT 8",
        "the Western Front reinforcements are not used",
    ]


# --- levels of victory ------------------------------------------------------------------------------------------------


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
