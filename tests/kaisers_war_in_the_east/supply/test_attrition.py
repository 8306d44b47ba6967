"""Who checks for supply attrition, and what the dice do."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking import InputError
from assistant.asking.report import Report
from assistant.state.changes import Change, Enter, Gain
from assistant.testing import check_json

from ...conftest import answered, asked, ruled, typed

WINTER = """game kaisers-war-in-the-east
trust charts
turn=4
phasing=central-powers
side central-powers whole-network
chart terrain-attrition winter clear = yes
chart terrain-attrition winter forest = no
chart reorganization austro-hungarian infantry-army = 3
"""
CUT_OFF = WINTER + "2622 clear: AH-3\n2922 forest: AH-1\n3022: CP-supply-1 radius=0\n"
"""Two armies without supply, one of them in a forest, and the supply unit that reaches neither."""


def attrition(text: str, answers: str = "", **more: Any) -> Report[Any]:
    return asked(typed(f"{text}\nask attrition\nanswers {answers}" if answers else text), "attrition", **more)


def units(report: Report[Any]) -> dict[str, Any]:
    return {one.unit: one for one in report.result.units}


@pytest.mark.rule("17.6", "17.8")
def test_units_without_supply_check_where_the_chart_says_so_and_others_do_not() -> None:
    report = attrition(CUT_OFF)
    assert {name: one.checks for name, one in units(report).items()} == {"AH-3": True, "AH-1": False}
    assert report.result.supplied == ("CP-supply-1",)
    assert [ask.name for ask in report.asks] == ["attrition.AH-3"]
    assert report.verdict.text == "1 unit to check: attrition on a roll of 1 to 3"
    check_json(typed(CUT_OFF), report)
    report = attrition(CUT_OFF.replace("radius=0", "radius=8"))
    assert report.result.units == ()
    assert report.verdict.text == "no unit of the Central Powers checks in winter"
    assert not report.asks


@pytest.mark.rule("17.6", "17.8")
def test_all_that_is_missing_is_asked_for_at_once_where_somebody_is_cut_off() -> None:
    """The Terrain Effects Chart is printed on the map alone."""
    bare = CUT_OFF.replace("2622 clear", "2622")
    assert [ask.key for ask in attrition(bare).asks] == [("terrain", "2622")]
    both = bare.replace("2922 forest", "2922")
    assert [ask.key for ask in attrition(both).asks] == [("terrain", "2622"), ("terrain", "2922")]
    text = CUT_OFF.replace("chart terrain-attrition winter clear = yes\n", "")
    assert [ask.key for ask in attrition(text).asks] == [("terrain-attrition", "winter", "clear")]
    assert attrition(text.replace("radius=0", "radius=8")).result.units == ()
    city = f"{CUT_OFF}2622 city\n"
    assert [ask.key for ask in attrition(city).asks] == [("terrain-attrition", "winter", "city")]
    text = CUT_OFF.replace("turn=4\n", "").replace("2622 clear", "2622").replace("2922 forest", "2922")
    assert [ask.key for ask in attrition(text).asks] == [("turn", ""), ("terrain", "2622"), ("terrain", "2922")]
    half = CUT_OFF.replace("turn=4\n", "").replace("2922 forest", "2922")
    assert [ask.key for ask in attrition(half).asks] == [("turn", ""), ("terrain", "2922")]
    report = attrition(CUT_OFF.replace("side central-powers whole-network\n", ""))
    assert [ask.name for ask in report.asks] == ["railroad.AH-3", "railroad.AH-1"]


@pytest.mark.rule("17.8")
@pytest.mark.parametrize("die", range(1, 7))
def test_attrition_strikes_on_a_one_to_three(die: int) -> None:
    found = units(attrition(CUT_OFF, f"attrition.AH-3={die}"))["AH-3"]
    with pytest.raises(InputError, match="impossible"):
        attrition(CUT_OFF, "attrition.AH-3=7")
    assert (found.die, found.result) == (die, "breakdown" if die <= 3 else "none")


@pytest.mark.rule("17.8", "10.1")
def test_an_army_breaks_down_into_its_corps() -> None:
    text = f"{CUT_OFF}Available: AH-inf-1\nnation austro-hungarian spare-corps=2\n"
    report = attrition(text, "attrition.AH-3=1")
    assert units(report)["AH-3"].corps == 2, "no more are left than two"
    assert report.changes == (
        Change("place", "AH-3", "2622", "Available", "17.8"),
        Change("place", "AH-inf-1", "Available", "2622", "10.1"),
        Enter("AH-inf-2", "AH-inf-2", "2622", 0, "10.1"),
        Change("nation", "AH-inf-2", None, "austro-hungarian", "10.1"),
        Change("arm", "AH-inf-2", None, "infantry", "10.1"),
        Change("size", "AH-inf-2", None, "XXX", "10.1"),
        Gain("spare-corps", "austro-hungarian", -2, "10.1"),
        *(Change("checked", corps, None, True, "17.8") for corps in ("AH-inf-1", "AH-inf-2")),
    )
    assert "breaks down into 2 corps: AH-inf-1, AH-inf-2" in str(report)


@pytest.mark.rule("17.8", "10.1", "21.1")
def test_armies_of_two_nations_or_of_one_share_the_corps_that_are_left() -> None:
    text = CUT_OFF.replace("forest: AH-1", "clear: AH-1") + "nation austro-hungarian spare-corps=4\n"
    found = units(attrition(text, "attrition.AH-3=1 attrition.AH-1=3"))
    assert [found[name].corps for name in ("AH-3", "AH-1")] == [3, 1]
    three = f"{text}2520 clear: AH-4\n".replace("spare-corps=4", "spare-corps=7")
    found = units(attrition(three, "attrition.AH-3=1 attrition.AH-1=3 attrition.AH-4=2"))
    assert [found[name].corps for name in ("AH-3", "AH-1", "AH-4")] == [3, 3, 1]
    spare = ", ".join(f"austro-hungarian infantry XXX Corps-{number}" for number in range(1, 8))
    text = CUT_OFF.replace("forest: AH-1", "clear: AH-1") + f"Available: {spare}\n"
    report = attrition(text, "attrition.AH-3=1 attrition.AH-1=3")
    moved = {change.subject: change.after for change in report.changes if change.rule == "10.1"}
    assert moved == {f"Corps-{number}": "2622" if number < 4 else "2922" for number in range(1, 7)}
    text = CUT_OFF.replace("AH-3", "austro-hungarian cavalry XXXX Cav").replace("2922 forest", "2922 clear")
    text += "nation austro-hungarian spare-corps=3\nchart reorganization austro-hungarian cavalry-army = 2\n"
    found = units(attrition(text, "attrition.Cav=1 attrition.AH-1=1"))
    assert {name: one.corps for name, one in found.items()} == {"Cav": 2, "AH-1": 3}
    text = (
        CUT_OFF.replace("AH-3", "Sud")
        + '"Dead Pile": AH-inf-1, german infantry XXX Ger-inf-8, german infantry XXX Ger-inf-9\n'
    )
    report = attrition(text, "attrition.Sud=1")
    assert [change.subject for change in report.changes[1:3]] == ["Ger-inf-8", "AH-inf-1"]


@pytest.mark.rule("17.8", "10.1")
def test_the_reorganization_chart_is_asked_for_only_when_an_army_breaks_down() -> None:
    text = CUT_OFF.replace("chart reorganization austro-hungarian infantry-army = 3\n", "")
    assert [ask.name for ask in attrition(text).asks] == ["attrition.AH-3"]
    assert attrition(text, "attrition.AH-3=4").result.units
    (ask,) = attrition(text, "attrition.AH-3=3").asks
    assert ask.key == ("reorganization", "austro-hungarian", "infantry-army")


@pytest.mark.rule("17.8", "10.6")
def test_other_units_and_romanian_armies_are_eliminated() -> None:
    text = CUT_OFF.replace("AH-3", "AH-inf-1")
    report = attrition(text, "attrition.AH-inf-1=3")
    assert report.changes == (Change("place", "AH-inf-1", "2622", "Dead Pile", "17.8"),)
    text = CUT_OFF.replace("AH-3", "Rom-1").replace("turn=4", "turn=22").replace("central-powers", "allies")
    report = attrition(text, "attrition.Rom-1=2")
    assert (units(report)["Rom-1"].result, units(report)["Rom-1"].corps) == ("eliminated", 0)
    assert report.changes == (Change("place", "Rom-1", "2622", "Available", "17.8"),)


@pytest.mark.rule("17.8")
def test_victory_points_are_lost_by_agreement_alone() -> None:
    text = "side central-powers vp=60\nside allies vp=60\n"
    text = CUT_OFF.replace("AH-3", "AH-inf-1").replace("trust", f"{text}trust")
    lost = Change("place", "AH-inf-1", "2622", "Dead Pile", "17.8")
    assert attrition(text, "attrition.AH-inf-1=3").changes == (lost,)
    assert ruled(attrition(text, "attrition.AH-inf-1=3"), "attrition-points") == "none"
    text = text.replace("trust", "ruling attrition-points=lost\nmain-effort=east\ntrust")
    assert attrition(text, "attrition.AH-inf-1=3").changes == (lost, Gain("vp", "central-powers", -2, "5.1"))


def test_the_side_whose_turn_it_is_checks_with_its_units_on_the_map() -> None:
    """Those of another side, of two sides at once, and those off the map."""
    assert attrition(CUT_OFF).result.side == "central-powers"
    assert [ask.key for ask in attrition(CUT_OFF.replace("phasing=central-powers\n", "")).asks] == [("phasing", "")]
    assert units(attrition(CUT_OFF, unit=("AH-1",))).keys() == {"AH-1"}
    with pytest.raises(InputError, match="no unit of this side"):
        answered(typed(CUT_OFF), "attrition", side="allies")
    both = CUT_OFF + "2418 clear: Rus-2\nAvailable: AH-4\n"
    named: dict[str, Any] = {"side": "central-powers"}
    for given, unit, said in (
        (named, ("Rus-2",), "Rus-2 is not a unit of the Central Powers"),
        ({}, ("AH-1", "Rus-2"), "Rus-2 is not a unit of the Central Powers"),
        ({}, ("AH-4",), "AH-4 is not on the map"),
    ):
        with pytest.raises(InputError, match=said):
            answered(typed(both), "attrition", unit=unit, **given)
