"""Victory Points: what objectives bring, and who has won (4, 5, 26.7)."""

from __future__ import annotations

import pytest

from kaisers_war_in_the_east.victory.points import level, limited, overthrown, worth_a_turn

from ..asking import kaiser, values, why_not

BORDER = """turn=2
scenario=1914
side allies vp=80
side central-powers vp=65
2010 city objective country=germany
2418 city objective country=russia
2622 city objective country=austria-hungary
"""


@pytest.mark.rule("5.4", "VP-table/turn-own", "VP-table/turn-enemy")
def test_objectives_bring_4_at_home_and_2_beyond_the_border_of_1914() -> None:
    assert worth_a_turn("germany", "central-powers") == 4
    assert worth_a_turn("russia", "central-powers") == 2
    assert worth_a_turn("russia", "allies") == 4
    assert worth_a_turn("russia", "") == 0


@pytest.mark.rule("4.2", "5.0", "5.4", "5.6", "7.1", "7.3/1", "7.3/2", "7.3/3", "7.4")
def test_points_now_after_the_turn_and_at_the_end_of_the_game() -> None:
    report = kaiser(BORDER + "2418 control=central-powers\n2622: Rus-1 russian infantry XXXX (6-8-4)", "victory")
    found = {one.side: (one.points, one.gain, one.total, one.cities, one.final) for one in report.result.standings}
    assert found == {"central-powers": (65, 6, 71, 1, 72), "allies": (80, 2, 82, 1, 83)}
    assert report.changes == ()
    ended = kaiser(BORDER, "victory", when="turn-end")
    assert values(ended) == {("vp", "central-powers"): 8, ("vp", "allies"): 4}


@pytest.mark.rule("7.3/1", "7.4")
def test_a_unit_in_a_hex_controls_it_whatever_its_marker_says() -> None:
    report = kaiser(BORDER + "2622 control=central-powers: Rus-1 russian infantry XXXX (6-8-4)", "victory")
    assert [one.controller for one in report.result.objectives] == ["central-powers", "allies", "allies"]
    nobody = kaiser(BORDER + "2622 control=nobody", "victory")
    assert nobody.result.objectives[2].points == 0


@pytest.mark.rule("7.1", "7.3/3", "23.0/1916-line")
def test_the_front_line_of_the_scenario_tells_who_began_with_a_hex() -> None:
    later = BORDER.replace("turn=2", "turn=17").replace("1914", "1916")
    report = kaiser(
        later + "2010 front-1916=central-powers\n2418 front-1916=central-powers\n2622 front-1916=allies", "victory"
    )
    assert [one.controller for one in report.result.objectives] == ["central-powers", "central-powers", "allies"]
    romania = "turn={}\nscenario=1916\nside allies vp=9\nside central-powers vp=9\n2926 objective country=romania front-1916=central-powers"
    for turn, holder in ((18, ""), (19, "allies")):
        assert kaiser(romania.format(turn), "victory").result.objectives[0].controller == holder


@pytest.mark.rule("4.2", "4.2/neutral")
@pytest.mark.parametrize(("turn", "cities"), [(18, 0), (19, 1)])
def test_cities_of_neutrals_do_not_count(turn: int, cities: int) -> None:
    text = BORDER.replace("turn=2", f"turn={turn}") + "3030 city country=romania control=central-powers"
    assert kaiser(text, "victory").result.standings[0].cities == cities


@pytest.mark.rule("5.6", "Opt/Rev1-effects", "Opt/Rev2-effects")
def test_the_track_ends_at_99_and_sooner_after_revolutions() -> None:
    assert [limited(120, "central-powers"), limited(98, "allies")] == [99, 98]
    assert [limited(30, "allies", number) for number in (1, 2)] == [25, 10]
    assert limited(30, "central-powers", 2) == 30


@pytest.mark.rule("4.3")
def test_levels_of_victory() -> None:
    found = {difference: level(difference) for difference in (0, 25, 26, 50, 51, 75, 76, 100, 124)}
    assert list(found.values()) == [
        "Draw", "Draw", "Marginal Victory", "Marginal Victory", "Continental Victory", "Continental Victory",
        "Imperial Victory", "Imperial Victory", "Imperial Victory",
    ]  # fmt: skip


@pytest.mark.rule("4.0", "4.2", "4.3")
def test_the_end_of_the_game_compares_final_totals() -> None:
    text = BORDER.replace("vp=80", "vp=30")
    report = kaiser(text, "victory", when="game-end")
    assert (report.result.winner, report.result.difference) == ("central-powers", 39)
    assert report.verdict.text == "Marginal Victory of the Central Powers"
    drawn = kaiser(BORDER, "victory", when="game-end")
    assert drawn.verdict.text == "Draw: both sides lose"


@pytest.mark.rule("4.1/1", "4.1/1b")
def test_a_side_without_points_loses_at_once() -> None:
    assert overthrown({"allies": 0, "central-powers": 1}) == ("allies",)
    report = kaiser(BORDER.replace("vp=80", "vp=0"), "victory")
    assert (report.result.sudden, report.result.winner, report.result.level) == (
        True,
        "central-powers",
        "Imperial Victory",
    )
    assert report.result.difference == 90
    both = kaiser(BORDER.replace("vp=80", "vp=-1").replace("vp=65", "vp=-2"), "victory")
    assert both.verdict.text == "both sides have lost: neither has a Victory Point left"


@pytest.mark.rule("4.1/2", "4.0")
def test_a_side_with_every_objective_wins_at_once() -> None:
    held = BORDER + "2010 control=allies\n2622 control=allies"
    report = kaiser(held, "victory", complete=True)
    assert (report.result.winner, report.result.level) == ("allies", "Imperial Victory")
    assert not kaiser(held, "victory").result.sudden


@pytest.mark.rule("5.3", "VP-table/capture", "26.7")
def test_the_captor_of_an_objective_gains_5_and_the_other_side_loses_10() -> None:
    report = kaiser(BORDER, "capture", at="2622", side="allies")
    assert values(report) == {("control", "2622"): "allies", ("vp", "allies"): 5, ("vp", "central-powers"): -10}
    first = kaiser(BORDER.replace("turn=2", "turn=1"), "capture", at="2622", side="allies")
    assert (first.result.gain, first.result.loss) == (10, 15)
    other = BORDER.replace("turn=2", "turn=1").replace("scenario=1914", "scenario=1915")
    assert kaiser(other + "2622 front-1915=central-powers", "capture", at="2622", side="allies").result.gain == 5


@pytest.mark.rule("5.3", "7.3/2", "23.0/1")
def test_other_hexes_change_hands_without_points() -> None:
    plain = kaiser(
        "turn=2\nscenario=1914\n2622 country=austria-hungary objective=no", "capture", at="2622", side="allies"
    )
    assert values(plain) == {("control", "2622"): "allies"}
    assert why_not(kaiser(BORDER, "capture", at="2418", side="allies")) == ["7.3"]
    assert why_not(kaiser(BORDER + "3030 objective country=romania", "capture", at="3030", side="allies")) == ["23.0"]
