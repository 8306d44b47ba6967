"""Armies into corps, corps into armies, Headquarters to their stronger side (10, 21.1)."""

from __future__ import annotations

import pytest

from assistant.state.changes import AnyChange, Change, Enter
from assistant.util.errors import InputError
from kaisers_war_in_the_east.reorganization import Reorganization

from ...conftest import told, values, why_not
from ..asking import kaiser

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
    places = {one: place for (track, one), place in values(report).items() if track == "place"}
    assert places == {"Rus-2": "Available", "Rus-inf-4": "2320", "Rus-inf-5": "2320", "Rus-inf-6": "2320"}
    assert (report.result.corps, report.result.into) == (3, ("Rus-inf-4", "Rus-inf-5", "Rus-inf-6"))
    spare = 'Available: russian infantry XXX Rus-inf-4, russian infantry XXX Rus-inf-5\n"Dead Pile": Rus-cav-1'
    report = reorganized(spare, break_="Rus-2")
    assert report.result == Reorganization(units=("Rus-2",), into=("Rus-inf-4", "Rus-inf-5", "Rus-inf-6"), corps=3)
    assert told(report) == [
        "3 corps take the place of Rus-2 in 2320: Rus-inf-4, Rus-inf-5, Rus-inf-6",
        "the breakdown returns no supply unit",
        "enough Russian corps are assumed to be off the map (if not, state spare-corps)",
    ]
    assert report.verdict.text == "The breakdown of Rus-2 is allowed"
    four = spare + '\n"Dead Pile": russian infantry XXX Rus-inf-6, russian infantry XXX Rus-inf-7'
    assert len(reorganized(four.replace('\n"Dead Pile": Rus-cav-1', ""), break_="Rus-2").result.into) == 3
    free = CORPS.replace("2418: Rus-inf-1 (3-4-4), Rus-inf-2 (3-4-4), Rus-inf-3 (3-4-4)\n", "")
    report = kaiser(free, "reorganize", **{"break": "Rus-2"})
    assert report.result.into == ("Rus-inf-1", "Rus-inf-2", "Rus-inf-3")
    assert all(values(report)["place", name] == "2320" for name in report.result.into)


@pytest.mark.rule("10.2", "10.4", "28.6", "10.0", "10.3")
def test_three_corps_and_a_supply_unit_make_an_army_again() -> None:
    assert values(army("Available: Rus-6")) == {
        ("place", "Rus-inf-1"): "Available", ("place", "Rus-inf-2"): "Available", ("place", "Rus-inf-3"): "Available",
        ("place", "Allied-supply-1"): "Available", ("place", "Rus-6"): "2418",
    }  # fmt: skip
    assert why_not(army()) == []
    assert why_not(army("2418|2419 water=all-sea")) == []
    report = reorganized(**FORM)
    assert report.result == Reorganization(
        units=("Rus-inf-1", "Rus-inf-2", "Rus-inf-3"), into=("Rus-6",), corps=3, supply="Allied-supply-1"
    )
    assert told(report, "Reorganization") == [
        "Rus-inf-1, Rus-inf-2, Rus-inf-3 become Rus-6 in 2418",
        "Allied-supply-1 is expended",
    ]
    without = reorganized(combine=THREE, into="Rus-6")
    assert told(without) == ["it must expend a supply unit whose radius includes the hex (supply=UNIT)"]
    assert without.result.supply == ""


@pytest.mark.rule("10.2", "22.1/1", "22.2", "10.4")
def test_the_supply_unit_has_to_reach_the_first_corps() -> None:
    near = CORPS.replace("2419: Allied-supply-1", "2421: Allied-supply-1")
    assert kaiser(near, "reorganize", combine=THREE, into="Rus-6", supply="Allied-supply-1").asks == ()
    assert why_not(kaiser(near, "reorganize", combine=THREE, into="Rus-6", supply="Allied-supply-1")) == []
    winter = near.replace("turn=17", "turn=22") + "trust charts"
    assert why_not(kaiser(winter, "reorganize", combine=THREE, into="Rus-6", supply="Allied-supply-1")) == ["10.2"]
    text = (
        CORPS.replace("2419: Allied-supply-1", "2421: Allied-supply-1") + "2417: russian infantry XXX Rus-inf-4 (1-1-1)"
    )

    def why(combine: str) -> list[str]:
        report = kaiser(text, "reorganize", combine=combine, into="Rus-6", supply="Allied-supply-1")
        return told(report, "Not allowed")[1:]

    far = "Allied-supply-1 in 2421 does not reach 2417: 2417 is 4 hexes from Allied-supply-1, whose radius is 3"
    assert why("Rus-inf-4,Rus-inf-1,Rus-inf-2") == [far]
    assert why("Rus-inf-1,Rus-inf-2,Rus-inf-4") == []
    far = CORPS.replace("2419: Allied-supply-1", "2420: Allied-supply-1")
    assert told(kaiser(far, "reorganize", **FORM), "Assumed") != []
    same = CORPS.replace("2419: Allied-supply-1 radius=3, Rus-SW", "2430: Rus-SW").replace(
        "Rus-inf-3 (3-4-4)\n", "Rus-inf-3 (3-4-4), Allied-supply-1 radius=3\n"
    )
    near = kaiser(same, "reorganize", **FORM)
    assert (why_not(near), told(near, "Assumed")) == ([], [])


@pytest.mark.rule("9.3/armies", "10.4", "26.6", "27.6", "28.6", "10.5")
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
    first = (
        CORPS.replace("turn=17", "turn=1")
        .replace("1916", "1914")
        .replace("2010: ", "2010: german infantry XXX Ger-inf-3 (1-1-1), ")
    )
    form = {"combine": "Ger-inf-1,Ger-inf-2,Ger-inf-3", "supply": "CP-supply-1", "into": "Ger-9"}
    plain = kaiser(first + "chart reorganization german infantry-army = 3", "reorganize", **form)
    assert told(plain)[0].startswith("Ger-9 is not known to have been in play")
    moltke = kaiser(first + "options=moltke-plan\nchart reorganization german infantry-army = 3", "reorganize", **form)
    assert why_not(moltke) == []
    first = CORPS.replace("turn=17", "turn=1").replace("1916", "1914")
    two = {"combine": "Ger-inf-1,Ger-inf-2", "supply": "CP-supply-1"}
    assert why_not(kaiser(first, "reorganize", into="Ger-Abt-1", **two)) == []
    without = CORPS.replace("scenario=1916\n", "")
    assert told(kaiser(without, "reorganize", **FORM), "Not allowed") == [
        "Rus-6 is not known to have been in play (if it has, state it in the box: Available: Rus-6)"
    ]


@pytest.mark.rule("10.5", "21.1", "ROC/chart", "10.1", "10.0")
def test_the_sud_army_is_a_german_and_an_austro_hungarian_corps() -> None:
    two = {"combine": "Ger-inf-1,Ger-inf-2", "supply": "CP-supply-1"}
    report = army(into="Sud", combine="Ger-inf-1,AH-inf-1", supply="CP-supply-1")
    assert values(report)["place", "Sud"] == "2010"
    assert why_not(army(into="Ger-Abt-1", combine="Ger-inf-1,AH-inf-1", supply="CP-supply-1")) == ["10.3"]
    two = {"combine": "Ger-inf-1,Ger-inf-2", "supply": "CP-supply-1", "into": "Sud"}
    assert told(reorganized(**two), "Not allowed") == [
        "Sud requires one German and one Austro-Hungarian infantry corps"
    ]
    other = reorganized(combine="AH-inf-1,Ger-inf-2", supply="CP-supply-1", into="Sud")
    assert (why_not(other), other.result.corps) == ([], 2)
    broken = reorganized("2012: Sud (5-5-4)\nAvailable: german infantry XXX Ger-inf-3", break_="Sud")
    assert (broken.result.corps, broken.result.into) == (2, ("Ger-inf-3", "AH-inf-2"))
    chart = "chart reorganization german abteilung = 3\n"
    assert reorganized(chart + "2012: Sud (5-5-4)", break_="Sud").result.corps == 2
    assert reorganized(chart + "2012: Ger-Abt-1 (5-5-4)", break_="Ger-Abt-1").result.corps == 3


@pytest.mark.rule("Opt/Morale/2")
def test_low_morale_keeps_russians_from_forming_armies() -> None:
    poor = CORPS.replace("vp=60", "vp=25") + "options=morale\n"
    form = {"combine": THREE, "supply": "Allied-supply-1", "into": "Rus-6"}
    assert why_not(kaiser(poor, "reorganize", **form)) == ["Opt/Morale/2"]
    assert why_not(kaiser(poor.replace("vp=25", "vp=26"), "reorganize", **form)) == []


@pytest.mark.rule("10.7", "10.7/state", "9.5/year", "MOB/HQ", "5.5", "10.0", "SUP-summary/4")
def test_a_headquarters_is_converted_for_5_points_and_a_supply_unit() -> None:
    def bars(text: str, of: str = CORPS) -> list[str]:
        return why_not(kaiser(of + text, "reorganize", convert="Rus-SW", supply="Allied-supply-1"))

    done = kaiser(CORPS, "reorganize", convert="Rus-SW", supply="Allied-supply-1")
    front = dict.fromkeys([("attack", "Rus-SW"), ("defence", "Rus-SW"), ("movement", "Rus-SW")])
    assert values(done) == {
        ("vp", "allies"): -5, ("reversed", "Rus-SW"): True, ("converted", "Rus-SW"): True,
        ("place", "Allied-supply-1"): "Available",
    } | front, "the factors that were typed are those of the side that was up"  # fmt: skip
    assert bars("2030: Ober-Ost converted (2-2-3)") == []
    assert bars("", CORPS.replace("vp=60", "vp=5")) == ["5.5"]
    report = reorganized(convert="Rus-SW", supply="Allied-supply-1")
    assert report.result == Reorganization(units=("Rus-SW",), into=("Rus-SW",), supply="Allied-supply-1", cost=5)
    assert told(report, "Reorganization") == [
        "Rus-SW is turned to its stronger side for good",
        "it costs 5 Victory Points, and Allied-supply-1 is expended",
    ]
    without = reorganized(convert="Rus-SW")
    assert (without.result.supply, why_not(without)) == ("", ["10.2"])
    late = reorganized("phasing=allies\nphase=movement\n", convert="Rus-SW", supply="Allied-supply-1")
    assert told(late) == ["that is done only in the reorganization phase, but this is movement"]
    assert late.changes == ()
    assert late.result == Reorganization(
        units=("Rus-SW",), into=("Rus-SW",), supply="Allied-supply-1", cost=5, allowed=False
    )


@pytest.mark.rule("Opt/FortConv", "10.0")
def test_a_fortress_becomes_a_corps_by_an_optional_rule() -> None:
    text = "2211: russian fortress - Warsaw (0-4-0)\nAvailable: russian infantry XXX Rus-inf-9\n"
    done = kaiser(CORPS + text + "options=fortress-conversion", "reorganize", fortress="Warsaw")
    assert values(done) == {("place", "Warsaw"): None, ("place", "Rus-inf-9"): "2211"}
    assert why_not(kaiser(CORPS + text, "reorganize", fortress="Warsaw")) == ["Opt/FortConv"]
    text = "2211: russian fortress - Warsaw (0-4-0)\noptions=fortress-conversion\n"
    spare = "Available: russian infantry XXX Rus-inf-8, russian infantry XXX Rus-inf-9\n"
    report = reorganized(text + spare, fortress="Warsaw")
    assert report.result == Reorganization(units=("Warsaw",), into=("Rus-inf-8",), corps=1)
    assert told(report) == [
        "an infantry corps, Rus-inf-8, takes the place of Warsaw in 2211, and the fortress never returns"
    ]
    none = reorganized(text + spare + "nation russian spare-corps=0", fortress="Warsaw")
    assert told(none) == ["no Russian infantry corps is off the map"]
    assert told(reorganized(text, fortress="Rus-2")) == ["Rus-2 is not a fortress"]
    assert why_not(reorganized(text + "phase=movement", fortress="Warsaw")) == ["Opt/FortConv"]


# --- told whole -------------------------------------------------------------------------------------------------------


def reorganized(text: str = "", **given: object):  # type: ignore[no-untyped-def]
    """The report on a reorganization. break_: an army that breaks down."""
    given = {name.rstrip("_"): value for name, value in given.items()}
    return kaiser(CORPS + text, "reorganize", **given)


FORM = {"combine": THREE, "into": "Rus-6", "supply": "Allied-supply-1"}


@pytest.mark.rule("10.0")
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"combine": THREE},
        {"into": "Rus-6"},
        {"break_": "Rus-2", "convert": "Rus-SW"},
        {"break_": "Rus-2", "into": "Rus-6"},
        {"fortress": "Rus-2", "combine": THREE, "into": "Rus-6"},
    ],
)
def test_one_thing_is_reorganized_at_a_time(given: dict[str, str]) -> None:
    with pytest.raises(InputError, match="state what to reorganize"):
        reorganized(**given)


@pytest.mark.rule("10.0", "10.1", "9.11")
def test_a_unit_in_a_box_is_not_reorganized() -> None:
    with pytest.raises(InputError, match="Rus-7 is not on the map"):
        reorganized("Available: Rus-7", break_="Rus-7")
    with pytest.raises(InputError, match="Rus-12 is not on the map"):
        reorganized("Rus-12 arrives=30", break_="Rus-12")


@pytest.mark.rule("10.0/Romania", "10.1", "9.5", "10.0")
@pytest.mark.parametrize(
    ("unit", "text", "why"),
    [
        ("Rus-inf-1", "", "Rus-inf-1 is not an army"),
        ("Rom-1", "3010: Rom-1 (4-4-4)", "Romanian armies may not break down"),
        ("Rom-inf", "3010: romanian infantry XXX Rom-inf (1-1-1)", "Rom-inf is not an army"),
        ("Red", '3010: bolshevik infantry XXXX "Red" (4-4-4)', "Bolshevik armies may not break down"),
        ("Rus-2", "nation russian spare-corps=2", "3 Russian infantry corps are needed, but only 2 off the map"),
    ],
)
def test_why_a_unit_does_not_break_down(unit: str, text: str, why: str) -> None:
    report = reorganized(text, break_=unit)
    assert (told(report), report.result.allowed) == ([why], False)
    assert report.result.corps == (3 if unit == "Rus-2" else 0)


@pytest.mark.rule("10.2", "10.3", "10.5", "10.0/Romania", "10.4")
@pytest.mark.parametrize(
    ("text", "combine", "into", "why"),
    [
        ("", "Rus-inf-1,Rus-inf-2", "Rus-6", ["Rus-6 requires 3 corps, not 2"]),
        ("2418: Rus-cav-1 (1-1-1)", "Rus-inf-1,Rus-inf-2,Rus-cav-1", "Rus-6", ["Rus-cav-1 is Russian cavalry, but Rus-6 is not"]),
        (
            "2418: russian infantry XX Guards (1-1-1)",
            "Rus-inf-1,Rus-inf-2,Guards",
            "Rus-6",
            ["Guards is not a corps"],
        ),
        (
            "2417: russian infantry XXX Rus-inf-4 (1-1-1)",
            "Rus-inf-1,Rus-inf-2,Rus-inf-4",
            "Rus-6",
            ["the corps are in different hexes: 2417, 2418"],
        ),
        ("Available: Rom-1", THREE, "Rom-1", [
            "Romanian armies may not be formed from corps",
            *(f"Rus-inf-{number} is Russian infantry, but Rom-1 is not" for number in (1, 2, 3)),
            "Rom-1 requires 0 corps, not 3",
        ]),
        ("Available: Rus-cav-1", THREE, "Rus-cav-1", ["Rus-cav-1 is not an army"]),
    ],
)  # fmt: skip
def test_why_corps_make_no_army(text: str, combine: str, into: str, why: list[str]) -> None:
    text = text.replace("2418: ", "2418: Rus-inf-1 (3-4-4), Rus-inf-2 (3-4-4), Rus-inf-3 (3-4-4), ")
    base = (
        CORPS
        if "2418: " not in text
        else CORPS.replace("2418: Rus-inf-1 (3-4-4), Rus-inf-2 (3-4-4), Rus-inf-3 (3-4-4)\n", "")
    )
    report = kaiser(base + text, "reorganize", combine=combine, into=into, supply="Allied-supply-1")
    assert told(report, "Not allowed") == why


@pytest.mark.rule("9.3/armies", "9.10", "10.4", "10.5", "26.6", "27.6", "28.6")
@pytest.mark.parametrize(
    ("text", "into", "why"),
    [
        ("2430: Rus-6 (6-6-4)", "Rus-6", ["Rus-6 stands in 2430"]),
        ('"Dead Pile": Rus-N', "Rus-6", []),
        ("Rus-14 russian infantry XXXX arrives=17", "Rus-14", ["Rus-14 has not come into play yet: it arrives in turn 17"]),
        ("Rus-14 russian infantry XXXX arrives=17 met", "Rus-14", []),
        ("Rus-13 russian infantry XXXX arrives=16\nRus-14 russian infantry XXXX arrives=18", "Rus-14", [
            "Rus-14 has not come into play yet: it arrives in turn 18"
        ]),
        ("Rus-14 russian infantry XXXX arrives=16", "Rus-14", []),
        ('"Dead Pile": russian infantry XXXX Rus-14', "Rus-14", []),
        ("options=faster-mobilization", "Rus-6", []),
    ],
)  # fmt: skip
def test_whether_an_army_has_been_in_play(text: str, into: str, why: list[str]) -> None:
    assert told(reorganized(text, **(FORM | {"into": into})), "Not allowed") == why


@pytest.mark.rule("10.2", "10.7")
@pytest.mark.parametrize(
    ("text", "supply", "why"),
    [
        ("", "Rus-SW", "Rus-SW is not a supply unit of the Allies"),
        ("", "CP-supply-1", "CP-supply-1 is not a supply unit of the Allies"),
        ("Allied-supply-2 arrives=18", "Allied-supply-2", "Allied-supply-2 is not on the map"),
        (
            "2430: Allied-supply-2 radius=3",
            "Allied-supply-2",
            "Allied-supply-2 in 2430 does not reach 2418: 2418 is 12 hexes from Allied-supply-2, whose radius is 3",
        ),
    ],
)
def test_why_a_supply_unit_does_not_serve(text: str, supply: str, why: str) -> None:
    assert told(reorganized(text, **(FORM | {"supply": supply})), "Not allowed") == [why]


@pytest.mark.rule("Opt/Morale/2")
@pytest.mark.parametrize(
    ("nation", "why"),
    [
        ("austro-hungarian", ["with 25 Victory Points, Morale is low: Austro-Hungarian corps may not form armies"]),
        ("bulgarian", ["with 25 Victory Points, Morale is low: Bulgarian corps may not form armies"]),
        ("german", []),
    ],
)
def test_whom_low_morale_keeps_from_forming_armies(nation: str, why: list[str]) -> None:
    corps = ", ".join(f'{nation} infantry XXX "C{number}" (1-1-1)' for number in (1, 2, 3))
    text = f"2011: {corps}\nAvailable: {nation} infantry XXXX Army\nchart reorganization {nation} infantry-army = 3\n"
    poor = CORPS.replace("vp=60", "vp=25") + text
    form = {"combine": "C1,C2,C3", "into": "Army", "supply": "CP-supply-1"}
    assert told(kaiser(poor + "options=morale", "reorganize", **form), "Not allowed") == why
    assert why_not(kaiser(poor, "reorganize", **form)) == []


@pytest.mark.rule("10.7", "10.7/state", "9.5/year", "MOB/HQ", "Opt/Rev1-effects")
@pytest.mark.parametrize(
    ("text", "unit", "why"),
    [
        ("", "Rus-2", "Rus-2 is not a Headquarters"),
        ("Rus-SW reversed", "Rus-SW", "Rus-SW is already on its stronger side"),
        ("2420: Ger-8 (8-8-4)", "Rus-SW", "2419 lies in the zone of control of Ger-8"),
        ("2430: Rus-NW converted (2-2-3)", "Rus-SW", "Rus-NW of its country has already been converted this turn"),
        ("revolution=1", "Rus-SW", "Russian Headquarters may not be converted after a Revolution"),
    ],
)
def test_why_a_headquarters_is_not_converted(text: str, unit: str, why: str) -> None:
    supply = "Allied-supply-1"
    assert told(reorganized(text, convert=unit, supply=supply), "Not allowed")[0] == why


@pytest.mark.rule("10.7", "Opt/Rev1-effects", "9.5/year", "MOB/HQ")
def test_headquarters_of_others_after_a_revolution_and_the_first_year() -> None:
    moved = CORPS.replace("2009: CP-supply-1 radius=3\n", "2009: CP-supply-1 radius=3, Ober-Ost (2-2-3)\n")

    def converted(text: str) -> list[str]:
        return told(kaiser(text, "reorganize", convert="Ober-Ost", supply="CP-supply-1"), "Not allowed")

    assert converted(moved + "revolution=1") == converted(moved + "Ober-Ost converted") == []
    late, early = (converted(moved.replace("turn=17", f"turn={turn}") + "trust charts") for turn in (14, 13))
    only = "Headquarters may be converted only from 1916 on, but this is 1915"
    assert (only in late, only in early) == (False, True)


@pytest.mark.rule("10.2", "10.7", "17.4", "17.9/3")
def test_a_supply_unit_that_is_turned_over_moved_or_none_is_not_expended() -> None:
    def why(text: str) -> list[str]:
        return told(army(text))

    for text, reason in (
        ("Allied-supply-1 entrenched", "it is entrenched"),
        ("Allied-supply-1 moved", "it has moved this player turn"),
    ):
        assert why(text) == [f"Allied-supply-1 cannot be expended: {reason}"]
    boxed = CORPS.replace("2419: Allied-supply-1 radius=3, ", "Available: Allied-supply-1 radius=3\n2419: ")
    report = kaiser(boxed, "reorganize", combine=THREE, into="Rus-6", supply="Allied-supply-1")
    assert told(report) == ["Allied-supply-1 is not on the map"]
    moved = reorganized("Rus-2 moved", **(FORM | {"supply": "Rus-2"}))
    assert told(moved, "Not allowed") == ["Rus-2 is not a supply unit of the Allies"]


@pytest.mark.rule("Opt/Entrench/1", "10.0")
def test_supply_units_are_turned_over_and_back_in_the_reorganization_phase() -> None:
    option = "options=entrenching\n"
    over = reorganized(option, entrench="Allied-supply-1")
    assert values(over) == {("entrenched", "Allied-supply-1"): True}
    assert over.result == Reorganization(units=("Allied-supply-1",), into=("Allied-supply-1",))
    assert told(over) == [
        "Allied-supply-1 is turned over to entrench others: it may neither move nor supply other units"
    ]
    back = reorganized(option + "Allied-supply-1 entrenched", entrench="Allied-supply-1")
    assert values(back) == {("entrenched", "Allied-supply-1"): False}
    assert told(back) == ["Allied-supply-1 is turned back to its front"]
    assert told(reorganized(entrench="Allied-supply-1")) == ["entrenching is an optional rule (options=entrenching)"]
    assert told(reorganized(option, entrench="Rus-2")) == ["Rus-2 is not a supply unit"]
    assert why_not(reorganized(option + "phase=movement", entrench="Allied-supply-1")) == ["Opt/Entrench/1"]
    assert why_not(reorganized(option + "phasing=central-powers", entrench="Allied-supply-1")) == ["Opt/Entrench/1"]
    with pytest.raises(InputError, match="state what to reorganize"):
        reorganized(option, entrench="Allied-supply-1", break_="Rus-2")


@pytest.mark.rule("10.2", "10.4", "21.1")
def test_corps_that_form_an_army_are_counted_among_those_off_the_map() -> None:
    counts = "nation russian spare-corps=4\nnation german spare-corps=2\nnation austro-hungarian spare-corps=0\n"
    assert values(reorganized(counts, **FORM))["spare-corps", "russian"] == 3
    sud = values(reorganized(counts, combine="AH-inf-1,Ger-inf-2", supply="CP-supply-1", into="Sud"))
    assert (sud["spare-corps", "german"], sud["spare-corps", "austro-hungarian"]) == (1, 1)


ENOUGH = "enough Russian corps are assumed to be off the map (if not, state spare-corps)"
"""What is taken for granted of corps that the position does not name."""


@pytest.mark.rule("Opt/FortConv", "10.1", "10.2/note", "9.10")
def test_corps_that_no_position_names_are_taken_to_be_at_hand_and_enter_with_their_values() -> None:
    def entering(corps: str, rule: str) -> list[AnyChange]:
        stated = {"nation": "russian", "arm": "infantry", "size": "XXX"}
        return [
            Enter(corps, corps, "2211" if rule == "Opt/FortConv" else "2320", 0, rule),
            *(Change(track, corps, None, value, rule) for track, value in stated.items()),
        ]

    text = "2211: russian fortress - Warsaw (0-4-0)\noptions=fortress-conversion\n"
    fort = reorganized(text, fortress="Warsaw")
    assert fort.result == Reorganization(units=("Warsaw",), into=("Rus-inf-4",), corps=1)
    assert (fort.title, fort.verdict.text) == ("The conversion of Warsaw", "The conversion of Warsaw is allowed")
    assert told(fort, "Assumed") == [ENOUGH]
    assert [*fort.changes] == [
        Change("place", "Warsaw", "2211", None, "Opt/FortConv"),
        *entering("Rus-inf-4", "Opt/FortConv"),
    ]
    late = reorganized(text + "phasing=allies\nphase=movement\n", fortress="Warsaw")
    assert told(late) == ["that is done only in the reorganization phase, but this is movement"]
    assert (late.result, late.changes) == (Reorganization(units=("Warsaw",), corps=1, allowed=False), ())
    army = reorganized(break_="Rus-2")
    assert told(army, "Assumed") == [ENOUGH]
    assert [*army.changes] == [
        Change("place", "Rus-2", "2320", "Available", "9.10"),
        *(change for number in (4, 5, 6) for change in entering(f"Rus-inf-{number}", "10.1")),
    ]
    later = reorganized("phasing=allies\nphase=movement\n", break_="Rus-2")
    assert told(later) == ["that is done only in the reorganization phase, but this is movement"]
    assert (later.result, later.changes) == (Reorganization(units=("Rus-2",), corps=3, allowed=False), ())
