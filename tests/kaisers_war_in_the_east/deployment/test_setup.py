"""The set-ups of the scenarios, and positions checked against them (3, 7.1, 26 to 28)."""

from __future__ import annotations

from pathlib import Path

import pytest

import assistant
from assistant.asking import InputError
from assistant.rules.setups import Instruction, write_countries
from assistant.util.datafiles import read_records

from ...conftest import answered, ruled, rulings, told, values
from ..asking import kaiser

FOLDER = Path(__file__).parents[3] / "plugins" / "kaisers_war_in_the_east"

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
    assert told(report, "To be checked on the map") == [
        "AH-4 in 2622, by the set-up: Przemysl - state HEX named=Przemysl"
    ]
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
def test_the_row_of_minsk_is_in_doubt_for_the_southern_armies_of_1915_alone() -> None:
    text = f"scenario=1915\nruling south-minsk=inclusive\n{TOWNS}2105 front-1915=allies\n2105: Rus-3 (1-1-1)"
    report = kaiser(text, "setup")
    assert (status(report, "Rus-3"), ruled(report, "south-minsk")) == ("right", "inclusive")
    fronts = "2105 front-1915=allies front-1916=allies\n2105: {} (1-1-1)\n"
    agreed = "ruling south-minsk=inclusive\n"
    assert why(agreed + TOWNS + fronts.format("Rus-SW"), "Rus-SW", "1915")[0] == "misplaced"
    north = kaiser("scenario=1915\n" + TOWNS + fronts.format("Rus-1"), "setup")
    assert (status(north, "Rus-1"), rulings(north)) == ("right", [])


@pytest.mark.rule("7.1/setup", "7.1")
def test_units_stand_on_their_own_side_of_the_front_line() -> None:
    text = f"scenario=1915\n{TOWNS}2014 front-1915={{}}\n2014: Ger-8 (1-1-1)"
    assert status(kaiser(text.format("central-powers"), "setup"), "Ger-8") == "right"
    assert status(kaiser(text.format("allies"), "setup"), "Ger-8") == "misplaced"
    unknown = kaiser(f"scenario=1915\n{TOWNS}2014: Ger-8 (1-1-1)", "setup")
    assert status(unknown, "Ger-8") == "open"


@pytest.mark.rule("28.5", "7.1/setup")
def test_units_beside_romania_in_1916_by_agreement_and_the_hexes_named() -> None:
    text = "scenario=1916\n2926 country=romania named-beside=romania\n2926: Rus-cav-1 (1-1-1)\n"
    assert status(kaiser(text, "setup"), "Rus-cav-1") == "right"
    assert status(kaiser(text + "ruling romania-1916=russia", "setup"), "Rus-cav-1") == "misplaced"
    beside = "2926 country=romania {}\n2926: Rus-cav-1 (1-1-1)\n"
    assert why(beside.format(""), "Rus-cav-1", "1916")[1] == (
        "2926 is not in Russia or Romania; 2926 lies in a neutral country"
    )
    at_home = "2105 country=russia front-1916=allies\n2105: Rus-cav-1 (1-1-1)\n"
    assert why(at_home, "Rus-cav-1", "1916") == ("right", "")
    supply = "2926 country=romania named-beside=romania\n2926: Allied-supply-1 radius=3\n"
    assert why(supply, "Allied-supply-1", "1916") == ("misplaced", "2926 is not in Russia")


@pytest.mark.rule("26.4", "26.5", "27.5", "28.4", "3.2")
def test_fortresses_in_the_city_of_their_name_and_headquarters_on_the_side_told() -> None:
    text = (
        "scenario=1914\n" + TOWNS + "2211: russian fortress - Warsaw (0-4-0)\n2105: russian fortress - Riga (0-4-0)\n"
    )
    report = kaiser(text, "setup")
    assert [status(report, unit) for unit in ("Warsaw", "Riga")] == ["right", "open"]
    sixteen = "scenario=1916\n" + TOWNS + "2010 front-1916=central-powers\n2010: Ober-Ost {} (1-1-1)"
    assert status(kaiser(sixteen.format("reversed"), "setup"), "Ober-Ost") == "right"
    assert status(kaiser(sixteen.format("reversed=no"), "setup"), "Ober-Ost") == "misplaced"
    text = TOWNS + "2105: russian fortress - Warsaw (0-4-0)\n2010: german fortress - Königsberg (0-4-0)\n"
    assert why(text, "Warsaw") == ("misplaced", "2105 is not Warsaw (2211)")
    assert why(text, "Königsberg") == ("right", "")
    units = kaiser("scenario=1915\n2010: austro-hungarian fortress - Vienna (0-4-0)", "setup").result.units
    assert [one.where for one in units if one.unit == "Vienna"] == ["Vienna"]


@pytest.mark.rule("27.5", "28.4")
def test_on_or_next_to_a_hex_and_within_two() -> None:
    text = "scenario=1916\n2211 mobilization=5\n2212 country=russia front-1916=central-powers\n2213 country=russia front-1916=central-powers\n"
    assert status(kaiser(text + "2212: AH-1 (1-1-1)", "setup"), "AH-1") == "right"
    assert status(kaiser(text + "2213: AH-1 (1-1-1)", "setup"), "AH-1") == "misplaced"


@pytest.mark.rule("Opt/Moltke", "Opt/PlanR", "Opt/PlanG", "Opt/Cavalry", "3.0", "3.1", "26.6", "27.6", "28.6")
def test_options_change_the_set_up_and_the_moltke_plan_that_of_1914_alone() -> None:
    def names(options: str) -> set[str]:
        return {one.unit for one in kaiser(f"scenario=1914\n{options}", "setup").result.units}

    plain = names("")
    assert names("options=moltke-plan") - plain == {"Ober-Ost", "Ger-9", "Ger-10", "Ger-11"}
    planned = kaiser("scenario=1914\noptions=moltke-plan", "setup").result
    assert (planned.effort, planned.first) == ("east", "central-powers")
    assert kaiser("scenario=1914", "setup").result.first == "allies"
    assert names("options=plan-r") - plain == {"AH-2"}
    assert names("options=better-cavalry") - plain == {"Rus-cav-1", "Rus-cav-2", "Ger-cav-1", "AH-cav-1"}
    plan_g = kaiser("scenario=1914\noptions=plan-g", "setup").result.units
    assert [one.where for one in plan_g if one.unit == "Rus-4"] == ["Dvinsk"]
    assert kaiser("scenario=1916\noptions=moltke-plan", "setup").result.effort == "west"
    assert kaiser("scenario=1915", "setup", scenario="1914").result.first == "allies"
    other = kaiser(
        "scenario=1915\n2105 country=russia front-1915=central-powers\n2105: Rus-W (1-1-1)", "setup", scenario="1914"
    )
    assert not any("front line" in one.why for one in other.result.units)


@pytest.mark.rule("3.0", "26.2", "Opt/1918")
def test_what_is_known_is_set_up_at_once_and_what_is_stated_stays() -> None:
    found = values(kaiser("scenario=1914\n" + TOWNS, "setup"))
    assert found["vp", "allies"] == 80
    assert found["place", "Ger-8"] == "2010"
    assert found["place", "AH-3"] == "2622"
    assert ("place", "Rus-W") not in found
    plain = values(kaiser("scenario=1914", "setup"))
    assert plain == {
        ("turn", ""): 1,
        ("main-effort", ""): "west",
        ("vp", "central-powers"): 65,
        ("vp", "allies"): 80,
        ("place", "AH-3"): "2622",
    }
    stated = kaiser("turn=2\nmain-effort=east\nside allies vp=7", "setup", scenario="1914")
    assert values(stated) == {("scenario", ""): "1914", ("vp", "central-powers"): 65, ("place", "AH-3"): "2622"}


@pytest.mark.rule("3.1", "Opt/1918")
def test_the_last_turn_is_one_of_those_of_the_scenario() -> None:
    text = "scenario=1916\nlast-turn={}\n{}"
    assert "the position states turn 13 as the last" in " ".join(told(kaiser(text.format(13, ""), "setup"), "Scenario"))
    assert "stated as the last" not in " ".join(told(kaiser(text.format(31, ""), "setup"), "Scenario"))
    assert "the position states turn 40" in " ".join(told(kaiser(text.format(40, ""), "setup"), "Scenario"))
    assert kaiser(text.format(40, "options=revolutions"), "setup").result.last == (22, 31, 40)


# --- told whole -------------------------------------------------------------------------------------------------------


def why(text: str, unit: str, scenario: str = "1914") -> tuple[str, str]:
    """How a unit stands in a scenario, and why."""
    found = kaiser(f"scenario={scenario}\n{text}", "setup").result.units
    return next((one.status, one.why) for one in found if one.unit == unit)


@pytest.mark.rule("26.4", "26.5", "3.2", "12.2", "12.5", "28.4", "28.5")
def test_units_in_cities_at_mobilization_hexes_and_on_railroads() -> None:
    city = "2622 country=austria-hungary {}\n2622: AH-inf-1 (1-1-1)\n"
    assert why(city.format("city=no"), "AH-inf-1") == ("misplaced", "2622 is not a city")
    city = "2622 country=austria-hungary city\n2622: AH-inf-1 (1-1-1), {}\n"
    assert why(city.format("austro-hungarian infantry XXX Corps"), "AH-inf-1") == ("right", "")
    assert why(city.format("austro-hungarian infantry XXXX Army"), "AH-inf-1") == ("misplaced", "2622 is over-stacked")
    rail = "2622 country=austria-hungary front-1916=central-powers\n2622: AH-train-1 (1-1-1)\n"
    assert why(rail, "AH-train-1", "1916") == ("open", "state a railroad from 2622: 2622|HEX rail")
    assert why(rail + "2622|2623 rail\n2622|2621 no-rail", "AH-train-1", "1916") == ("right", "")
    assert why(rail + "2622|2621 no-rail", "AH-train-1", "1916")[0] == "open"
    hexes = "2418 mobilization=8 country=russia\n2419 mobilization=5 country=russia\n2419: {} (1-1-1)\n"
    assert why(hexes.format("Rus-5"), "Rus-5") == ("right", "")
    assert why(hexes.format("Rus-8"), "Rus-8") == ("misplaced", "2419 is not mobilization 8 (2418)")
    unknown = "2419 country=russia\n2419: Rus-5 (1-1-1)\n"
    assert why(unknown, "Rus-5") == ("open", "state HEX mobilization=5")


@pytest.mark.rule("26.4", "7.1/setup", "3.2", "28.5", "3.0", "26.6", "Opt/1918", "3.1")
def test_units_of_neutrals_stand_in_their_country_and_others_not() -> None:
    bucharest = "3010 named=Bucharest country={}\n3010: Rom-1 (1-1-1)\n"
    assert why(bucharest.format("romania"), "Rom-1") == ("right", "")
    assert why(bucharest.format("russia"), "Rom-1") == ("misplaced", "3010 is not in its country")
    sofia = "3410 named=Sofia country={}\n3410: Bul-3 (1-1-1)\n"
    assert why(sofia.format("bulgaria"), "Bul-3") == ("right", "")
    assert why(sofia.format("romania"), "Bul-3") == ("misplaced", "3410 is not in its country")
    kiev = "3010 named=Kovno country={}\n3010: Rus-1 (1-1-1)\n"
    assert why(kiev.format("romania"), "Rus-1") == ("misplaced", "3010 lies in a neutral country")
    assert why(kiev.format("germany"), "Rus-1") == ("misplaced", "3010 lies on the enemy side of the front line")
    assert why("2105: Rus-W (1-1-1)\n2105 named=Warsaw", "Rus-W")[0] == "open"
    text = "3010 country=romania\n3010: Rus-cav-1 (1-1-1)\n"
    cavalry = "options=better-cavalry\n3010 named=Bucharest\n"
    assert why(text + cavalry, "Rus-cav-1")[1].endswith("3010 lies in a neutral country")
    assert not why(text + cavalry + "turn=20", "Rus-cav-1")[1].endswith("3010 lies in a neutral country")


@pytest.mark.rule("26.1", "26.2", "26.3", "27.1", "28.1", "3.1", "26.6")
def test_what_else_a_scenario_begins_with_in_words() -> None:
    report = kaiser("scenario=1916\nlast-turn=22\nside allies vp=65\nside central-powers vp=70", "setup")
    (part,) = (part for part in report.parts if part.title == "Scenario")
    assert [step.rule for step in part.steps] == ["28.1", "28.2", "28.2", "28.3", "28.6", "3.0"]
    assert told(report, "Scenario") == [
        "it begins with turn 17 and ends with one of turns 22, 31, as the players agree",
        "Central Powers: 80 Victory Points",
        "Allies: 65 Victory Points",
        "Main Effort in the West; the Allies move first, the Central Powers set up first",
        "German Abteilungen in the Available box: 1; armies that may be formed again: Ger-11, AH-3, Rus-6",
        "the position states 70 for the Central Powers instead",
    ]


@pytest.mark.rule("3.0", "3.1", "26.6", "27.6", "28.6", "Opt/1918")
def test_what_is_taken_for_granted_of_rows_and_fortresses() -> None:
    rows = "the rows of hexes run from east to west, and their numbers grow to the south"
    assert rows in told(kaiser("scenario=1914", "setup", side="allies"), "Assumed")
    assert len({one.side for one in kaiser("scenario=1914", "setup", side="allies").result.units}) == 1
    other = kaiser("scenario=1914\n2010: Ger-9 (1-1-1)\n2418: Rus-9 (1-1-1)", "setup", side="central-powers")
    assert other.result.extra == ("Ger-9",)
    assert told(other, "Not in this set-up") == ["Ger-9"]


@pytest.mark.rule("Opt/1918", "3.0")
@pytest.mark.parametrize(("turn", "number"), [(23, None), (24, 1), (30, 1), (31, 2)])
def test_a_scenario_of_one_s_own_begins_with_revolutions(turn: int, number: int | None) -> None:
    text = f"scenario=1916\nturn={turn}\n"
    assert values(kaiser(text + "options=revolutions", "setup")).get(("revolution", "")) == number
    assert ("revolution", "") not in values(kaiser(text, "setup"))
    assert ("revolution", "") not in values(kaiser("scenario=1916\noptions=revolutions", "setup"))


# --- the positions of the module against the orders of battle ---------------------------------------------------------


def in_box_words(one: Instruction) -> str:
    """The box in which the module sets a unit up, by its instruction."""
    countries = write_countries(one.country)
    rows = [
        f"{way} of {of.removesuffix('+')}" + (" or in its row" if of.endswith("+") else "")
        for way, of in (("north", one.north_of), ("south", one.south_of))
        if of
    ]
    place = one.at.replace("mobilization ", "mobilization hex ")
    where = f"at {place}" if place else ""
    if one.within:
        where = f"at or next to {place}" if one.within == 1 else f"within {one.within} of {place}"
    if one.at in ("any city", "any rail hex"):
        where = {"any city": f"in a city of {countries}", "any rail hex": f"on rails in {countries}"}[one.at]
    elif countries:
        where = f"{where} in {countries}".strip()
    return " ".join(["set up", *filter(None, [where, " and ".join(rows)])])


@pytest.mark.parametrize("scenario", ["1914", "1915", "1916"])
def test_each_unit_of_a_set_up_stands_in_the_box_of_its_instruction(scenario: str) -> None:
    """Fortresses that the rules do not name are left out, and Lemberg has a number; all else stands in the box named for it."""
    position = assistant.read(FOLDER / "setups" / f"{scenario}.pos")
    rows = [
        one
        for one in read_records(FOLDER / "scenarios" / "order-of-battle.csv", Instruction)
        if (one.scenario, one.option) == (scenario, "") and not one.unit.startswith("every ")
    ]
    units = position.state.units
    stands = {unit.id: unit.place for unit in units.values() if unit.place}
    expected = {one.unit: "2622" if one.at == "Lemberg" and not one.within else in_box_words(one) for one in rows}
    named = {"Przemysl": "set up at Przemysl"} if scenario == "1914" else {}  # eliminated before the later ones
    assert stands == expected | named
    turned = {name for name in units if position.state.value("reversed", name)}
    assert turned == {one.unit for one in rows if one.reversed}


@pytest.mark.parametrize("scenario", ["1914", "1915", "1916"])
def test_the_position_of_a_set_up_states_what_its_scenario_begins_with(scenario: str) -> None:
    position = assistant.read(FOLDER / "setups" / f"{scenario}.pos")
    found = answered(position, "setup").result
    state = position.state
    assert (state.value("scenario"), state.value("turn"), state.value("main-effort")) == (
        scenario,
        found.turn,
        found.effort,
    )
    assert {side: state.value("vp", side) for side in found.points} == found.points


@pytest.mark.rule("Opt/Moltke", "Opt/Cavalry")
@pytest.mark.parametrize(("reading", "where"), [("front", "anywhere"), ("country", "anywhere in Germany")])
def test_units_that_an_option_adds_without_a_place(reading: str, where: str) -> None:
    text = f"scenario=1914\noptions=moltke-plan+better-cavalry\nruling option-setup={reading}\n"
    report = kaiser(text, "setup", side="central-powers")
    told = {one.unit: one.where for one in report.result.units}
    assert (told["Ober-Ost"], told["Ger-cav-1"]) == (where, where)
    assert ruled(report, "option-setup") == reading
    assert "option-setup" not in rulings(kaiser("scenario=1914", "setup"))


def test_an_unknown_scenario_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(InputError) as raised:
        kaiser("", "setup", scenario="1917")
    assert raised.value.hint == "allowed: 1914, 1915, 1916"
