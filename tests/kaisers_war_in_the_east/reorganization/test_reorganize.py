"""Armies into corps, corps into armies, Headquarters to their stronger side (10, 21.1)."""

from __future__ import annotations

import pytest

from ..asking import kaiser, values, why_not

CORPS = """turn=17
scenario=1916
side allies vp=60
side central-powers vp=60
2418: Rus-inf-1 (3-4-4), Rus-inf-2 (3-4-4), Rus-inf-3 (3-4-4)
2419: Allied-supply-1 radius=3, Rus-SW (2-2-3)
2320: Rus-2 (6-8-4)
2010: Ger-inf-1 (4-5-4), Ger-inf-2 (4-5-4), AH-inf-1 (3-3-4)
2009: CP-supply-1 radius=3
"""
THREE = "Rus-inf-1,Rus-inf-2,Rus-inf-3"


def army(text: str = "", into: str = "Rus-6", combine: str = THREE, supply: str | None = "Allied-supply-1"):  # type: ignore[no-untyped-def]
    """The report on corps that form an army."""
    return kaiser(CORPS + text, "reorganize", combine=combine, into=into, supply=supply)


@pytest.mark.rule("10.0", "10.1", "10.2/note", "9.10")
def test_an_army_breaks_down_into_corps_that_are_off_the_map() -> None:
    spare = 'Available: Rus-cav-1\n"Dead Pile": russian infantry XXX Rus-inf-4'
    report = kaiser(CORPS + spare, "reorganize", **{"break": "Rus-2"})
    assert values(report) == {("place", "Rus-2"): "Available", ("place", "Rus-inf-4"): "2320"}
    assert (report.result.corps, report.result.into) == (3, ("Rus-inf-4",))


@pytest.mark.rule("10.0/Romania", "10.1", "9.5")
def test_what_does_not_break_down() -> None:
    def bars(unit: str, text: str = "") -> list[str]:
        return why_not(kaiser(CORPS + text, "reorganize", **{"break": unit}))

    assert bars("Rom-1", "3010: Rom-1 (4-4-4)") == ["10.0"]
    assert bars("Rus-inf-1") == ["10.1"]
    assert bars("Rus-2", "nation russian spare-corps=2") == ["9.5"]
    assert bars("Rus-2", "nation russian spare-corps=3") == []
    assert bars("Rus-2", "phase=movement") == ["10.1"]


@pytest.mark.rule("10.2", "10.4", "28.6")
def test_three_corps_and_a_supply_unit_make_an_army_again() -> None:
    assert values(army("Available: Rus-6")) == {
        ("place", "Rus-inf-1"): "Available", ("place", "Rus-inf-2"): "Available", ("place", "Rus-inf-3"): "Available",
        ("place", "Allied-supply-1"): "Dead Pile", ("place", "Rus-6"): "2418",
    }  # fmt: skip
    assert why_not(army()) == []
    assert why_not(army(supply=None)) == ["10.2"]
    assert why_not(army(supply="CP-supply-1")) == ["10.2"]
    assert why_not(army("2418|2419 water=all-sea")) == []


@pytest.mark.rule("10.2")
def test_the_supply_unit_has_to_reach_them() -> None:
    text = CORPS.replace("2419: Allied-supply-1", "2430: Allied-supply-1")
    report = kaiser(text, "reorganize", combine=THREE, into="Rus-6", supply="Allied-supply-1")
    assert why_not(report) == ["10.2"]
    near = CORPS.replace("2419: Allied-supply-1", "2421: Allied-supply-1")
    assert why_not(kaiser(near, "reorganize", combine=THREE, into="Rus-6", supply="Allied-supply-1")) == []
    winter = near.replace("turn=17", "turn=22") + "accept reconstruction"
    assert why_not(kaiser(winter, "reorganize", combine=THREE, into="Rus-6", supply="Allied-supply-1")) == ["10.2"]


@pytest.mark.rule("10.2", "10.3")
def test_corps_of_one_hex_nation_and_type() -> None:
    assert why_not(army(combine="Rus-inf-1,Rus-inf-2")) == ["10.2"]
    apart = CORPS.replace(", Rus-inf-3 (3-4-4)", "") + "2420: Rus-inf-3 (3-4-4)"
    assert why_not(kaiser(apart, "reorganize", combine=THREE, into="Rus-6", supply="Allied-supply-1")) == ["10.2"]
    mixed = "2420: Rus-cav-1 (3-4-4)"
    assert set(why_not(army(mixed, combine="Rus-inf-1,Rus-inf-2,Rus-cav-1"))) == {"10.2", "10.3"}


@pytest.mark.rule("9.3/armies", "10.4", "26.6", "27.6", "28.6")
def test_an_army_has_to_have_been_in_play() -> None:
    assert why_not(army(into="Rus-2")) == ["10.4"]
    assert why_not(army(into="Rus-7")) == []
    early = CORPS.replace("turn=17", "turn=1").replace("1916", "1914")
    form = {"combine": THREE, "supply": "Allied-supply-1"}
    assert why_not(kaiser(early, "reorganize", into="Rus-9", **form)) == ["10.4"]
    assert why_not(kaiser(early.replace("turn=1\n", "turn=3\n"), "reorganize", into="Rus-9", **form)) == []
    assert why_not(kaiser(early, "reorganize", into="Rus-12", **form)) == ["10.4"]
    assert why_not(kaiser(early + "Available: Rus-12", "reorganize", into="Rus-12", **form)) == []
    fifteen = CORPS.replace("1916", "1915")
    assert why_not(kaiser(fifteen, "reorganize", into="Rus-9", **form)) == []


@pytest.mark.rule("10.5", "21.1", "ROC/chart")
def test_abteilungen_of_two_corps_on_any_turn() -> None:
    two = {"combine": "Ger-inf-1,Ger-inf-2", "supply": "CP-supply-1"}
    assert why_not(army(into="Ger-Abt-1", **two)) == []
    report = army(into="Sud", combine="Ger-inf-1,AH-inf-1", supply="CP-supply-1")
    assert values(report)["place", "Sud"] == "2010"
    assert why_not(army(into="Sud", **two)) == ["21.1"]
    assert why_not(army(into="Ger-Abt-1", combine="Ger-inf-1,AH-inf-1", supply="CP-supply-1")) == ["10.3"]


@pytest.mark.rule("21.1", "10.1")
def test_sud_breaks_down_into_one_corps_of_each_nation() -> None:
    text = "2012: Sud (5-5-4)\nAvailable: german infantry XXX Ger-inf-3, german infantry XXX Ger-inf-4, austro-hungarian infantry XXX AH-inf-2"
    report = kaiser(CORPS + text, "reorganize", **{"break": "Sud"})
    assert report.result.into == ("Ger-inf-3", "AH-inf-2")


@pytest.mark.rule("Opt/Morale/2")
def test_low_morale_keeps_russians_from_forming_armies() -> None:
    poor = CORPS.replace("vp=60", "vp=25") + "options=morale\n"
    form = {"combine": THREE, "supply": "Allied-supply-1", "into": "Rus-6"}
    assert why_not(kaiser(poor, "reorganize", **form)) == ["Opt/Morale/2"]
    assert why_not(kaiser(poor.replace("vp=25", "vp=26"), "reorganize", **form)) == []
    sud = {"combine": "Ger-inf-1,AH-inf-1", "supply": "CP-supply-1", "into": "Sud"}
    assert why_not(kaiser(poor, "reorganize", **sud)) == []


@pytest.mark.rule("10.7", "10.7/state", "9.5/year", "MOB/HQ", "5.5")
def test_a_headquarters_is_converted_for_5_points_and_a_supply_unit() -> None:
    def bars(text: str, of: str = CORPS) -> list[str]:
        return why_not(kaiser(of + text, "reorganize", convert="Rus-SW", supply="Allied-supply-1"))

    done = kaiser(CORPS, "reorganize", convert="Rus-SW", supply="Allied-supply-1")
    assert values(done) == {
        ("vp", "allies"): -5, ("reversed", "Rus-SW"): True, ("converted", "Rus-SW"): True,
        ("place", "Allied-supply-1"): "Dead Pile",
    }  # fmt: skip
    assert bars("Rus-SW reversed") == ["10.7"]
    assert bars("2420: Ger-8 (8-8-4)") == ["10.7"]
    assert bars("2430: Rus-NW converted (2-2-3)") == ["10.7"]
    assert bars("2030: Ober-Ost converted (2-2-3)") == []
    assert bars("revolution=1") == ["Opt/Rev1-effects"]
    assert bars("accept reconstruction", CORPS.replace("turn=17", "turn=13")) == ["10.7"]
    assert bars("", CORPS.replace("vp=60", "vp=5")) == ["5.5"]


@pytest.mark.rule("Opt/FortConv")
def test_a_fortress_becomes_a_corps_by_an_optional_rule() -> None:
    text = "2211: russian fortress - Warsaw (0-4-0)\nAvailable: russian infantry XXX Rus-inf-9\n"
    done = kaiser(CORPS + text + "options=fortress-conversion", "reorganize", fortress="Warsaw")
    assert values(done) == {("place", "Warsaw"): None, ("place", "Rus-inf-9"): "2211"}
    assert why_not(kaiser(CORPS + text, "reorganize", fortress="Warsaw")) == ["Opt/FortConv"]
    assert why_not(kaiser(CORPS + "options=fortress-conversion", "reorganize", fortress="Rus-2")) == ["Opt/FortConv"]
