"""The set-ups of the scenarios, and positions checked against them (3, 7.1, 26 to 28)."""

from __future__ import annotations

import pytest

from ...conftest import told
from ..asking import kaiser, values

TOWNS = """2010 named=Königsberg country=germany city
2211 named=Warsaw country=russia city
2622 country=austria-hungary
2105 named=Minsk country=russia
2106 country=russia
2104 country=russia
2015 named=Lodz country=russia
2014 country=russia
2016 country=russia
"""


def status(report, unit: str) -> str:  # type: ignore[no-untyped-def]
    """How a unit stands by the report on a set-up."""
    return next(one.status for one in report.result.units if one.unit == unit)


@pytest.mark.rule("3.0", "26.1", "26.2", "26.3", "26.6", "27.1", "27.2", "27.3", "27.6", "28.1", "28.2", "28.3", "28.6")
@pytest.mark.parametrize(
    ("scenario", "turn", "last", "points", "first", "boxed", "rebuild"),
    [
        ("1914", 1, (4, 13, 22, 31), (65, 80), "allies", 4, ()),
        ("1915", 7, (13, 22, 31), (75, 70), "central-powers", 2, ("Rus-9",)),
        ("1916", 17, (22, 31), (80, 65), "allies", 1, ("Ger-11", "AH-3", "Rus-6")),
    ],
)
def test_what_scenarios_begin_with(scenario, turn, last, points, first, boxed, rebuild) -> None:  # type: ignore[no-untyped-def]
    found = kaiser("", "setup", scenario=scenario).result
    assert (found.turn, found.last, tuple(found.points.values()), found.first) == (turn, last, points, first)
    assert (found.abteilungen, found.rebuild) == (boxed, rebuild)
    assert found.effort == {"allies": "west", "central-powers": "east"}[first]
    assert found.deploys == ("central-powers" if scenario == "1916" else "allies")


@pytest.mark.rule("26.4", "26.5", "27.4", "27.5", "28.4", "28.5")
@pytest.mark.parametrize(("scenario", "allies", "central"), [("1914", 17, 10), ("1915", 20, 28), ("1916", 29, 31)])
def test_how_many_units_are_set_up(scenario: str, allies: int, central: int) -> None:
    found = kaiser("", "setup", scenario=scenario).result.units
    count = {side: sum(one.side == side for one in found) for side in ("allies", "central-powers")}
    assert count == {"allies": allies, "central-powers": central}


@pytest.mark.rule("3.2", "26.4", "26.5")
def test_units_in_the_towns_named_for_them() -> None:
    report = kaiser(
        "scenario=1914\n" + TOWNS + "2010: Ger-8 (1-1-1)\n2622: AH-4 (1-1-1)\n2211: Rus-inf-1 (1-1-1)", "setup"
    )
    assert [status(report, unit) for unit in ("Ger-8", "Rus-inf-1", "AH-3")] == ["right", "right", "missing"]
    assert status(report, "AH-4") == "open"
    assert told(report, "For the map to tell") == ["AH-4 in 2622: Przemysl - state HEX named=Przemysl"]
    wrong = kaiser("scenario=1914\n" + TOWNS + "2010: Rus-inf-1 (1-1-1)", "setup")
    assert wrong.verdict.text == "1 unit misplaced"
    assert "2010 is not Warsaw (2211)" in told(wrong, "Misplaced")[0]


@pytest.mark.rule("3.2")
@pytest.mark.parametrize(
    ("unit", "at", "found"),
    [
        ("Rus-1", "2104", "right"),
        ("Rus-1", "2105", "right"),
        ("Rus-1", "2106", "misplaced"),
        ("Rus-SW", "2106", "right"),
        ("Rus-SW", "2105", "misplaced"),
        ("Rus-3", "2105", "misplaced"),
        ("Rus-3", "2106", "right"),
    ],
)
def test_north_and_south_of_a_row(unit: str, at: str, found: str) -> None:
    fronts = "\n".join(f"{hex} front-1915=allies" for hex in ("2104", "2105", "2106"))
    report = kaiser(f"scenario=1915\n{TOWNS}{fronts}\n{at}: {unit} (1-1-1)", "setup")
    assert status(report, unit) == found


@pytest.mark.rule("3.2", "27.4")
def test_the_row_of_minsk_by_agreement() -> None:
    text = f"scenario=1915\nruling south-minsk=inclusive\n{TOWNS}2105 front-1915=allies\n2105: Rus-3 (1-1-1)"
    assert status(kaiser(text, "setup"), "Rus-3") == "right"


@pytest.mark.rule("7.1/setup", "7.1")
def test_units_stand_on_their_own_side_of_the_front_line() -> None:
    text = f"scenario=1915\n{TOWNS}2014 front-1915={{}}\n2014: Ger-8 (1-1-1)"
    assert status(kaiser(text.format("central-powers"), "setup"), "Ger-8") == "right"
    assert status(kaiser(text.format("allies"), "setup"), "Ger-8") == "misplaced"
    unknown = kaiser(f"scenario=1915\n{TOWNS}2014: Ger-8 (1-1-1)", "setup")
    assert status(unknown, "Ger-8") == "open"


@pytest.mark.rule("28.5")
def test_units_beside_romania_in_1916_by_agreement() -> None:
    text = "scenario=1916\n2926 country=romania named-beside=romania\n2926: Rus-cav-1 (1-1-1)\n"
    assert status(kaiser(text, "setup"), "Rus-cav-1") == "right"
    assert status(kaiser(text + "ruling romania-1916=russia", "setup"), "Rus-cav-1") == "misplaced"


@pytest.mark.rule("26.4", "26.5", "27.5", "28.4")
def test_fortresses_in_the_city_of_their_name_and_headquarters_on_the_side_told() -> None:
    text = (
        "scenario=1914\n" + TOWNS + "2211: russian fortress - Warsaw (0-4-0)\n2105: russian fortress - Riga (0-4-0)\n"
    )
    report = kaiser(text, "setup")
    assert [status(report, unit) for unit in ("Warsaw", "Riga")] == ["right", "open"]
    sixteen = "scenario=1916\n" + TOWNS + "2010 front-1916=central-powers\n2010: Ober-Ost {} (1-1-1)"
    assert status(kaiser(sixteen.format("reversed"), "setup"), "Ober-Ost") == "right"
    assert status(kaiser(sixteen.format("reversed=no"), "setup"), "Ober-Ost") == "misplaced"


@pytest.mark.rule("27.5", "28.4")
def test_on_or_next_to_a_hex_and_within_two() -> None:
    text = "scenario=1916\n2211 mobilization=5\n2212 country=russia front-1916=central-powers\n2213 country=russia front-1916=central-powers\n"
    assert status(kaiser(text + "2212: AH-1 (1-1-1)", "setup"), "AH-1") == "right"
    assert status(kaiser(text + "2213: AH-1 (1-1-1)", "setup"), "AH-1") == "misplaced"


@pytest.mark.rule("Opt/Moltke", "Opt/PlanR", "Opt/PlanG", "Opt/Cavalry")
def test_options_change_the_set_up() -> None:
    def names(options: str) -> set[str]:
        return {one.unit for one in kaiser(f"scenario=1914\n{options}", "setup").result.units}

    plain = names("")
    assert names("options=moltke-plan") - plain == {"Ober-Ost", "Ger-9", "Ger-10", "Ger-11"}
    assert kaiser("scenario=1914\noptions=moltke-plan", "setup").result.effort == "east"
    assert names("options=plan-r") - plain == {"AH-2"}
    assert names("options=better-cavalry") - plain == {"Rus-cav-1", "Rus-cav-2", "Ger-cav-1", "AH-cav-1"}
    plan_g = kaiser("scenario=1914\noptions=plan-g", "setup").result.units
    assert [one.where for one in plan_g if one.unit == "Rus-4"] == ["Dvinsk"]


@pytest.mark.rule("3.0", "26.2")
def test_what_is_known_can_be_set_up_at_once() -> None:
    found = values(kaiser("scenario=1914\n" + TOWNS, "setup"))
    assert found["vp", "allies"] == 80
    assert found["place", "Ger-8"] == "2010"
    assert found["place", "AH-3"] == "2622"
    assert ("place", "Rus-W") not in found


@pytest.mark.rule("3.1", "Opt/1918")
def test_the_last_turn_is_one_of_those_of_the_scenario() -> None:
    text = "scenario=1916\nlast-turn={}\n{}"
    assert "turn 13 is stated as the last" in " ".join(told(kaiser(text.format(13, ""), "setup"), "Scenario"))
    assert "stated as the last" not in " ".join(told(kaiser(text.format(31, ""), "setup"), "Scenario"))
    assert "turn 40 is stated" in " ".join(told(kaiser(text.format(40, ""), "setup"), "Scenario"))
    assert kaiser(text.format(40, "options=revolutions"), "setup").result.last == (22, 31, 40)
