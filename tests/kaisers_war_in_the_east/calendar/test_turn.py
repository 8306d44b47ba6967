"""The course of a game turn, what it brings, who enters the war, revolutions (6, 8, 9.2, 23, optional rules)."""

from __future__ import annotations

import pytest

from kaisers_war_in_the_east.calendar.schedule import revolutions_at_start, romanian_chance
from kaisers_war_in_the_east.ground.seasons import year_of

from ...conftest import told
from ..asking import kaiser, values, why_not

ANY = "scenario=1914\nside allies vp={}\nside central-powers vp=60\naccept reconstruction\n"


def turn(number: int, text: str = "", points: int = 60):  # type: ignore[no-untyped-def]
    """The checklist of a turn."""
    return kaiser(f"turn={number}\n" + ANY.format(points) + text, "turn")


@pytest.mark.rule("6.0", "6.1", "6.2/3", "6.2/turn1", "8.0")
def test_the_main_effort_tells_who_moves_first() -> None:
    order = {number: [one.side for one in turn(number).result.players] for number in (1, 7, 17)}
    assert order == {1: ["allies", "central-powers"], 7: ["central-powers", "allies"], 17: ["allies", "central-powers"]}
    assert turn(25, "main-effort=east").result.players[0].side == "central-powers"


@pytest.mark.rule("6.2/2a", "6.2/2b", "6.2/2c", "6.2/2d", "6.2/2e", "6.2/2f", "6.2/turn1", "9.1")
def test_each_player_turn_has_six_phases() -> None:
    for player in turn(1).result.players:
        assert player.phases == (
            "Mobilization", "Reorganization", "Movement", "First Combat", "Second Combat", "Supply Attrition",
        )  # fmt: skip
    steps = told(turn(1), "First Player Turn: Allies")
    assert steps[0] == "Mobilization: Demobilize units, if wished"
    assert not any("Headquarters" in one for one in steps)
    assert any("Convert Headquarters" in one for one in told(turn(17), "First Player Turn: Allies"))


@pytest.mark.rule("2.9")
def test_years_have_nine_turns_after_the_four_of_1914() -> None:
    assert [year_of(number) for number in (1, 4, 5, 13, 14, 22, 23, 31, 32, 40)] == [
        1914, 1914, 1915, 1915, 1916, 1916, 1917, 1917, 1918, 1918,
    ]  # fmt: skip


@pytest.mark.rule("6.2/1", "8.0")
def test_grand_strategy_in_january_and_february() -> None:
    assert told(turn(14), "Before the player turns") == [
        "Set the Main Effort of the Central Powers for the year, and with it the First Player: West"
    ]
    assert told(turn(15), "Before the player turns") == []


@pytest.mark.rule("6.2/4a", "6.2/4b", "3.1", "26.1")
def test_after_the_player_turns() -> None:
    assert told(turn(3), "After them")[-1] == "move the turn marker to turn 4"
    assert told(turn(4, "last-turn=4"), "After them")[-1].startswith("the last turn ends the game")
    assert turn(31, "main-effort=west").result.last
    assert not turn(31, "main-effort=west\noptions=revolutions").result.last


@pytest.mark.rule("9.2", "9.3/armies", "10.4")
def test_what_the_text_says_of_arrivals() -> None:
    assert turn(2).result.players[0].units == ("Rus-9",)
    assert turn(5).result.players[0].units == ("Ger-10",)
    assert turn(5, "Rus-6 arrives=5").result.players[1].units == ("Rus-6",)
    assert [one.supply for one in turn(1).result.players] == [1, None]


@pytest.mark.rule("9.1", "9.2", "9.7/blocked", "9.8/CP", "9.8/AL")
def test_arrivals_of_a_side() -> None:
    ground = "2418 city country=russia\n2419 city country=russia: Ger-8 (8-8-0)\n"
    text = "turn=3\n" + ANY.format(60) + ground + "Rus-9 arrives=2\nRus-7 arrives=4"
    report = kaiser(text, "arrivals", side="allies")
    assert [(one.unit, one.turn, one.open) for one in report.result.units] == [("Rus-9", 2, ("2418",))]
    assert [one.unit for one in report.result.later][:1] == ["Rus-7"]
    assert (report.result.supply, report.result.supply_hexes) == (1, ("2418",))
    assert report.result.production == {"russia": None}
    late = "turn=20\n" + ANY.format(60) + "chart scheduled-supply central-powers 20 = 2"
    found = kaiser(late, "arrivals", side="central-powers").result
    assert (found.supply, found.production) == (2, {"germany": None, "austria-hungary": 2, "bulgaria": 1})


@pytest.mark.rule("21.5", "23.2", "23.1")
def test_romania_brings_mackensen_and_the_turks() -> None:
    assert turn(19).result.players[1].units == ("Mackensen", "Turk-1")
    assert "Romania enters the war" in told(turn(19), "Before the player turns")[0]
    assert turn(19, "romania-enters=20").result.players[1].units == ()
    assert turn(20, "romania-enters=20").result.players[1].units == ("Mackensen", "Turk-1")


@pytest.mark.rule("Opt/choice", "Opt/FastMob", "Opt/Moltke", "Opt/Gallipoli", "Opt/Caporetto", "Opt/Artillery")
def test_options_change_the_calendar() -> None:
    assert turn(2, "options=faster-mobilization").result.players[0].units == ("Rus-6", "Rus-9")
    assert turn(3, "options=faster-mobilization").result.players[0].units == ("Rus-7",)
    assert values(turn(1, "options=faster-mobilization")) == {("vp", "allies"): -10}
    moltke = turn(1, "options=moltke-plan")
    assert [(one.side, one.supply) for one in moltke.result.players] == [("central-powers", 3), ("allies", 1)]
    assert [one.supply for one in turn(7, "options=moltke-plan").result.players] == [1, 2]
    assert values(turn(4, "options=moltke-plan")) == {("vp", "central-powers"): -33}
    assert [turn(number, "options=modern-artillery").result.players[0].supply for number in (1, 4)] == [2, 2]
    assert values(turn(14, "options=gallipoli")) == {("vp", "central-powers"): 25}
    gift = turn(14, "options=gallipoli\nchart scheduled-supply allies 14 = 1")
    assert gift.result.players[0].supply == 2
    autumn = turn(29, "options=caporetto-east\nmain-effort=west\nchart scheduled-supply central-powers 29 = 1")
    assert autumn.result.players[1].units == ("AH-5", "Ger-14")
    assert (autumn.result.players[1].supply, values(autumn)) == (3, {("vp", "central-powers"): -25})
    assert turn(29, "main-effort=west").result.players[1].units == ()


@pytest.mark.rule("Opt/VarRomania", "23.1")
def test_a_die_for_romania_from_may_to_september_1916() -> None:
    assert [romanian_chance(number) for number in (15, 16, 17, 18, 19, 20, 21, 22)] == [0, 1, 2, 3, 4, 5, 6, 0]
    text = "turn=18\n" + ANY.format(60) + "options=variable-romania\n"
    asked = kaiser(text, "romania")
    assert (str(asked.result.chance), [ask.name for ask in asked.asks]) == ("1/2", ["entry"])
    assert values(kaiser(text + "ask romania\nanswers entry=3")) == {("romania-enters", ""): 18}
    assert kaiser(text + "ask romania\nanswers entry=4").verdict.kind == "no"
    assert kaiser(text.replace("turn=18", "turn=21"), "romania").result.enters
    assert kaiser("turn=19\n" + ANY.format(60), "romania").result.enters
    assert why_not(kaiser("turn=18\n" + ANY.format(60), "romania")) == ["23.1"]


@pytest.mark.rule("Opt/VarRomania-arrivals")
def test_what_follows_variable_entry() -> None:
    text = "options=variable-romania\nromania-enters=17"
    found = {number: [one.units for one in turn(number, text).result.players] for number in (17, 18, 20)}
    assert found == {17: [(), ("Mackensen", "Turk-1")], 18: [("Rom-4",), ()], 20: [("Romanian-Front",), ()]}


@pytest.mark.rule("Opt/Rev1", "Opt/1918")
def test_a_die_for_the_first_revolution() -> None:
    def revolution(number: int, points: int, text: str = ""):  # type: ignore[no-untyped-def]
        return kaiser(f"turn={number}\n" + ANY.format(points) + "options=revolutions\n" + text)

    assert revolution(23, 25, "ask revolution").asks[0].name == "revolution"
    assert why_not(revolution(22, 25, "ask revolution")) == ["Opt/Rev1"]
    assert why_not(revolution(23, 26, "ask revolution")) == ["Opt/Rev1"]
    assert revolution(23, 25, "ask revolution\nanswers revolution=4").verdict.kind == "no"
    assert revolution(23, 25, "ask revolution\nanswers revolution=5").result.number == 1
    assert why_not(kaiser("turn=23\n" + ANY.format(20), "revolution")) == ["Opt/Rev1"]
    assert [revolutions_at_start(number) for number in (23, 24, 30, 31)] == [0, 1, 1, 2]
    assert any(
        "Revolution" in one
        for one in told(turn(23, "options=revolutions\nmain-effort=west", 20), "First Player Turn: Allies")
    )


@pytest.mark.rule("Opt/Rev1-effects")
def test_the_first_revolution_weakens_headquarters_and_supply() -> None:
    units = "options=revolutions\n2418: Rus-SW reversed (2-2-3)\n2419: Rus-NW (2-2-3)\n2420: Rus-2 (6-6-4)\n"
    report = kaiser("turn=23\n" + ANY.format(20) + units + "ask revolution\nanswers revolution=6")
    assert values(report) == {("revolution", ""): 1, ("place", "Rus-NW"): "Dead Pile", ("reversed", "Rus-SW"): False}
    after = "revolution=1\nmain-effort=west\n"
    assert turn(24, after).result.players[0].supply == 0
    assert turn(24, after + "patriotic-supply").result.players[0].supply == 2


@pytest.mark.rule("Opt/Rev2", "Opt/Rev2-effects", "Opt/Bolshevik-reinf")
def test_the_second_revolution_takes_the_old_armies_off_the_map() -> None:
    units = "options=revolutions\n2420: Rus-2 (6-6-4)\n2421: Rom-1 (4-4-4)\n2422: RG (2-2-2)\n"
    report = kaiser("turn=25\n" + ANY.format(10) + units + "revolution=1", "revolution")
    assert (report.result.number, report.result.removed) == (2, ("Rus-2", "Rom-1"))
    assert kaiser("turn=25\n" + ANY.format(11) + units + "revolution=1", "revolution").verdict.kind == "no"
    assert kaiser("turn=25\n" + ANY.format(9) + units, "revolution", both=True).result.number == 2
    assert turn(26, "revolution=2\nmain-effort=west").result.players[0].supply == 1


@pytest.mark.rule("Opt/PSYWAR/1", "Opt/PSYWAR/2", "Opt/International", "5.5")
def test_a_psywar_attack_costs_5_points() -> None:
    text = "turn=5\n" + ANY.format(6) + "options=psywar\n"
    assert values(kaiser(text + "ask psywar side=allies\nanswers psywar=3")) == {
        ("psywar", "allies"): True, ("vp", "allies"): -5,
    }  # fmt: skip
    assert why_not(kaiser(text.replace("vp=6\n", "vp=5\n", 1), "psywar", side="allies")) == ["5.5"]
    assert why_not(kaiser(text + "side allies psywar", "psywar", side="allies")) == ["Opt/PSYWAR/1"]
    assert why_not(kaiser("turn=5\n" + ANY.format(60), "psywar", side="allies")) == ["Opt/PSYWAR/1"]
    assert kaiser(text + "revolution=2", "psywar", side="allies").result.cost == 0
