"""Victory Points: what objectives bring, and who has won (4, 5, 26.7)."""

from __future__ import annotations

import re

import pytest

from kaisers_war_in_the_east.victory.points import find_level, limit_points, overthrown_sides, score_a_turn
from kaisers_war_in_the_east.victory.question import Capture

from ...conftest import told, values, why_not
from ..asking import kaiser

BORDER = """turn=2
scenario=1914
side allies vp=80
side central-powers vp=65
2010 city objective country=germany
2418 city objective country=russia
2622 city objective country=austria-hungary
"""


@pytest.mark.rule(
    "5.4", "VP-table/turn-own", "VP-table/turn-enemy", "4.2", "5.0", "5.6", "7.1", "7.3/1", "7.3/2", "7.3/3", "7.4"
)
def test_points_of_objectives_now_after_the_turn_and_at_the_end_of_the_game() -> None:
    assert score_a_turn("germany", "central-powers") == 4
    assert score_a_turn("russia", "central-powers") == 2
    assert score_a_turn("russia", "allies") == 4
    assert score_a_turn("russia", "") == 0
    report = kaiser(BORDER + "2418 control=central-powers\n2622: Rus-1 russian infantry XXXX (6-8-4)", "victory")
    found = {one.side: (one.points, one.gain, one.after, one.cities, one.total) for one in report.result.scores}
    assert found == {"central-powers": (65, 6, 71, 1, 72), "allies": (80, 2, 82, 1, 83)}
    sources = [[(each.account, each.points, each.rule) for each in one.sources] for one in report.result.scores]
    assert sources == [
        [("vp", 65, "5.0"), ("objective", 6, "5.4"), ("city", 1, "4.2")],
        [("vp", 80, "5.0"), ("objective", 2, "5.4"), ("city", 1, "4.2")],
    ]
    assert (report.result.winner, report.result.lead, report.changes) == ("", 11, ())
    ended = kaiser(BORDER, "victory", when="turn-end")
    scored = {("settled", ""): ("victory-points",)}
    assert values(ended) == {("vp", "central-powers"): 8, ("vp", "allies"): 4} | scored


@pytest.mark.rule("7.3/1", "7.4")
def test_a_unit_in_a_hex_controls_it_whatever_its_marker_says() -> None:
    report = kaiser(BORDER + "2622 control=central-powers: Rus-1 russian infantry XXXX (6-8-4)", "victory")
    assert [one.controller for one in report.result.places] == ["central-powers", "allies", "allies"]
    nobody = kaiser(BORDER + "2622 control=nobody", "victory")
    assert nobody.result.places[2].points == 0


@pytest.mark.rule("7.1", "7.3/3", "23.0/1916-line")
def test_the_front_line_of_the_scenario_tells_who_began_with_a_hex() -> None:
    later = BORDER.replace("turn=2", "turn=17").replace("1914", "1916")
    report = kaiser(
        later + "2010 front-1916=central-powers\n2418 front-1916=central-powers\n2622 front-1916=allies", "victory"
    )
    assert [one.controller for one in report.result.places] == ["central-powers", "central-powers", "allies"]
    romania = "turn={}\nscenario=1916\nside allies vp=9\nside central-powers vp=9\n2926 objective country=romania front-1916=central-powers"
    for turn, holder in ((18, ""), (19, "allies")):
        assert kaiser(romania.format(turn), "victory").result.places[0].controller == holder


@pytest.mark.rule("4.3", "4.1/1", "4.1/1b", "5.6", "Opt/Rev1-effects", "Opt/Rev2-effects")
def test_levels_of_victory_overthrow_and_the_end_of_the_track() -> None:
    found = {difference: find_level(difference) for difference in (0, 25, 26, 50, 51, 75, 76, 100, 124)}
    assert list(found.values()) == [
        "Draw", "Draw", "Marginal Victory", "Marginal Victory", "Continental Victory", "Continental Victory",
        "Imperial Victory", "Imperial Victory", "Imperial Victory",
    ]  # fmt: skip
    assert overthrown_sides({"allies": 0, "central-powers": 1}) == ("allies",)
    assert [limit_points(120, "central-powers"), limit_points(98, "allies")] == [99, 98]
    assert [limit_points(30, "allies", number) for number in (1, 2)] == [25, 10]
    assert limit_points(30, "central-powers", 2) == 30


@pytest.mark.rule("5.3", "VP-table/capture", "26.7", "7.3/2")
def test_the_captor_of_an_objective_gains_5_and_the_other_side_loses_10() -> None:
    report = kaiser(BORDER, "capture", at="2622", side="allies")
    assert values(report) == {("control", "2622"): "allies", ("vp", "allies"): 5, ("vp", "central-powers"): -10}
    first = kaiser(BORDER.replace("turn=2", "turn=1"), "capture", at="2622", side="allies")
    assert (first.result.gain, first.result.loss) == (10, 15)
    unstated = BORDER.replace("turn=2\nscenario=1914\n", "turn=1\n") + "2622 control=central-powers\n"
    no_scenario = kaiser(unstated, "capture", at="2622", side="allies").result
    assert (no_scenario.gain, no_scenario.loss) == (10, 15), "only the scenario of 1914 has the turn"
    other = BORDER.replace("turn=2", "turn=1").replace("scenario=1914", "scenario=1915")
    assert kaiser(other + "2622 front-1915=central-powers", "capture", at="2622", side="allies").result.gain == 5
    assert report.result == Capture(hex="2622", side="allies", controller="central-powers", gain=5, loss=10)
    assert report.verdict.text == "the Allies score 5 Victory Points, the Central Powers lose 10"
    assert told(report, "Victory Points") == [
        "2622 is a Strategic Objective: 5 Victory Points more for Allies, 10 less for Central Powers"
    ]
    there = kaiser(BORDER + "2622: Rus-1 (6-8-4)", "capture", at="2622", side="allies")
    assert (there.result.controller, there.result.gain, why_not(there)) == ("central-powers", 5, [])
    held = kaiser(BORDER + "2418: AH-4 (6-8-4)", "capture", at="2418", side="allies")
    assert held.result.controller == "central-powers"


# --- told whole -------------------------------------------------------------------------------------------------------


def totals(allies: int, central: int, text: str = "") -> str:
    return f"turn=2\nscenario=1914\nside allies vp={allies}\nside central-powers vp={central}\n{text}\n"


@pytest.mark.rule("4.2", "4.2/neutral", "5.4")
def test_cities_that_count_at_the_end_of_the_game() -> None:
    countries = ("germany", "austria-hungary", "bulgaria", "russia", "romania")
    held = "".join(f"30{number}0 city country={one} control={{}}\n" for number, one in enumerate(countries, 1))

    def cities(turn: str, side: str, which: int) -> int:
        text = totals(50, 50, held.format(*[side] * 5)).replace("turn=2", turn)
        return kaiser(text, "victory").result.scores[which].cities  # type: ignore[no-any-return]

    assert [cities("turn=2", "central-powers", 0), cities("turn=20", "central-powers", 0)] == [1, 2]
    assert [cities("turn=2", "allies", 1), cities("turn=20", "allies", 1)] == [2, 3]
    assert cities("turn=20", "central-powers", 1) == 0


@pytest.mark.rule("4.0", "4.2", "4.3")
@pytest.mark.parametrize(
    ("allies", "central", "winner", "said"),
    [
        (30, 56, "central-powers", "Marginal Victory of the Central Powers"),
        (56, 30, "allies", "Marginal Victory of the Allies"),
        (30, 55, "", "Draw: both sides lose"),
        (40, 40, "", "Draw: both sides lose"),
        (90, 10, "allies", "Imperial Victory of the Allies"),
    ],
)
def test_who_wins_as_the_game_ends(allies: int, central: int, winner: str, said: str) -> None:
    report = kaiser(totals(allies, central), "victory", when="game-end")
    assert (report.result.winner, report.verdict.text) == (winner, said)
    assert (report.result.lead, report.result.sudden) == (abs(allies - central), False)
    assert report.changes == ()


@pytest.mark.rule("4.0", "4.1/1", "4.1/1b", "5.6")
@pytest.mark.parametrize(
    ("allies", "central", "winner", "difference", "said", "told_so"),
    [
        (
            0,
            20,
            "central-powers",
            45,
            "Sudden Death: Marginal Victory of the Central Powers",
            "the other side has no Victory Points left: the Central Powers add 25 for a total of 45: Marginal Victory",
        ),
        (
            20,
            -3,
            "allies",
            45,
            "Sudden Death: Marginal Victory of the Allies",
            "the other side has no Victory Points left: the Allies add 25 for a total of 45: Marginal Victory",
        ),
        (
            0,
            0,
            "",
            0,
            "both sides have lost: neither has any Victory Points left",
            "no side has any Victory Points left: both lose",
        ),
    ],
)
def test_sudden_death(allies: int, central: int, winner: str, difference: int, said: str, told_so: str) -> None:
    report = kaiser(totals(allies, central), "victory")
    assert (report.result.sudden, report.result.winner, report.result.lead) == (True, winner, difference)
    assert (report.verdict.text, told(report, "Victory")) == (said, [told_so])


@pytest.mark.rule("4.0", "4.1/2")
def test_every_objective_means_an_imperial_victory_at_once() -> None:
    held = totals(30, 30, "2010 objective country=germany control={}\n2418 objective country=russia control={}")
    report = kaiser(held.format("allies", "allies"), "victory", complete=True)
    assert (report.result.sudden, report.result.winner, report.result.level) == (True, "allies", "Imperial Victory")
    assert told(report, "Victory") == ["the Allies control every Strategic Objective: Imperial Victory"]
    assert not kaiser(held.format("allies", "allies"), "victory").result.sudden
    shared = kaiser(held.format("central-powers", "allies"), "victory", complete=True)
    assert (shared.result.sudden, shared.result.winner) == (False, "")
    nobody = kaiser(held.format("nobody", "nobody"), "victory", complete=True)
    assert (nobody.result.sudden, nobody.result.winner) == (False, "")


@pytest.mark.rule("4.2", "5.0", "5.4", "4.3")
def test_victory_points_told_whole_with_what_is_taken_for_granted() -> None:
    report = kaiser(BORDER + "2418 control=central-powers", "victory", when="turn-end")
    assert told(report, "Victory Points") == [
        "Central Powers: 65 on the track, +10 for objectives = 75 after this turn; +1 for enemy cities = 76 at the end of the game",
        "Allies: 80 on the track, +0 for objectives = 80 after this turn; +0 for enemy cities = 80 at the end of the game",
    ]
    assert told(report, "Strategic Objectives")[1] == "2418: Central Powers, 2 Victory Points a turn"
    assert told(report, "Victory") == ["if the game ends with this turn: a difference of 4, Draw: both sides lose"]
    assert report.verdict.text == "Central Powers 75, Allies 80 after this turn"
    assert values(report) == {("vp", "central-powers"): 10, ("settled", ""): ("victory-points",)}
    assert kaiser(BORDER, "victory").verdict.text == "Central Powers 65, Allies 80"
    ahead = kaiser(BORDER.replace("vp=80", "vp=10"), "victory")
    assert told(ahead, "Victory")[0].endswith("Continental Victory for the Central Powers")
    some = "only the objectives stated, 2010, 2418, 2622, score Victory Points (complete=yes if the map has no others)"
    assert told(kaiser(BORDER, "victory"), "Assumed") == [some]
    assert told(kaiser(BORDER, "victory", complete=True), "Assumed") == []
    assert told(kaiser(totals(9, 9), "victory"), "Assumed") == [
        "no objective is stated to be controlled (state them: HEX objective country=... control=...)",
        "no side is stated to control enemy cities (state them: HEX city country=... control=...)",
    ]


# --- captures told whole ----------------------------------------------------------------------------------------------


@pytest.mark.rule("5.3", "7.3/2", "23.0/1")
def test_what_no_capture_brings_points_or_is_barred() -> None:
    free = kaiser(BORDER + "2622 control=nobody", "capture", at="2622", side="allies")
    assert free.result == Capture(hex="2622", side="allies", controller="")
    assert free.verdict.text == "the Allies take control of 2622; no Victory Points"
    own = kaiser(BORDER, "capture", at="2418", side="allies")
    assert own.result == Capture(hex="2418", side="allies", controller="allies")
    assert (own.verdict.text, own.changes) == ("the Allies control 2418 already (1 reason)", ())
    assert told(own) == ["the Allies control 2418 already"]
    neutral = kaiser(BORDER + "3030 objective country=romania", "capture", at="3030", side="allies")
    assert neutral.result == Capture(hex="3030", side="allies", controller="")
    assert neutral.verdict.text == "3030 lies in a neutral country (1 reason)"
    assert told(neutral) == ["no unit may enter it"]
    plain = kaiser(
        "turn=2\nscenario=1914\n2622 country=austria-hungary objective=no", "capture", at="2622", side="allies"
    )
    assert values(plain) == {("control", "2622"): "allies"}
    assert why_not(kaiser(BORDER, "capture", at="2418", side="allies")) == ["7.3"]
    assert why_not(kaiser(BORDER + "3030 objective country=romania", "capture", at="3030", side="allies")) == ["23.0"]
    held = kaiser(BORDER + "2622: AH-4 (6-8-4)", "capture", at="2622", side="allies")
    assert (why_not(held), held.changes) == (["12.4"], ())
    assert held.verdict.text == "the Allies cannot take 2622 yet (1 reason)"


@pytest.mark.rule("5.3", "5.6")
def test_a_capture_brings_no_more_than_the_track_holds() -> None:
    def gained(points: int, revolution: int, side: str, at: str) -> int:
        position = re.sub("allies vp=[0-9]+", f"allies vp={points}", BORDER) + f"revolution={revolution}\n"
        report = kaiser(position, "capture", at=at, side=side)
        assert values(report).get(("vp", side), 0) == report.result.gain
        return int(report.result.gain)

    gains = [gained(points, 0, "allies", "2622") for points in (94, 95, 99)]
    assert gains == [5, 4, 0]
    assert [gained(points, 1, "allies", "2622") for points in (20, 22, 30)] == [5, 3, 0]
    assert gained(7, 2, "allies", "2622") == 3
    full = kaiser(
        re.sub("allies vp=[0-9]+", "allies vp=97", BORDER) + "revolution=0", "capture", at="2622", side="allies"
    )
    assert (
        told(full, "Victory Points")[1] == "of 5 Victory Points the Allies score only 2, as the track goes no farther"
    )
