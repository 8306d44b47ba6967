"""The course of a game turn, what it brings, who enters the war, revolutions (6, 8, 9.2, 23, optional rules)."""

from __future__ import annotations

import pytest

from assistant.asking.view import View
from assistant.game.turn_record import turns
from assistant.installed.registry import load_game
from assistant.testing import game_in, typed
from kaisers_war_in_the_east.calendar.schedule import is_agreed, revolutions_at_start, romanian_chance
from kaisers_war_in_the_east.seasons import year_of

from ...conftest import told, values, why_not
from ..asking import kaiser

pytestmark = pytest.mark.rule("6.0")
"""Every checklist here is one of a whole turn."""

ANY = "scenario=1914\nside allies vp={}\nside central-powers vp=60\ntrust charts\n"


def turn(number: int, text: str = "", points: int = 60):  # type: ignore[no-untyped-def]
    """The checklist of a turn."""
    return kaiser(f"turn={number}\n" + ANY.format(points) + text, "turn")


@pytest.mark.rule(
    "6.0", "6.1", "6.2/3", "6.2/turn1", "8.0", "6.2/2a", "6.2/2b", "6.2/2c", "6.2/2d", "6.2/2e", "6.2/2f", "9.1"
)
def test_the_main_effort_tells_who_moves_first_and_each_player_turn_has_six_phases() -> None:
    order = {number: [one.side for one in turn(number).result.players] for number in (1, 7, 17)}
    assert order == {1: ["allies", "central-powers"], 7: ["central-powers", "allies"], 17: ["allies", "central-powers"]}
    assert turn(25, "main-effort=east").result.players[0].side == "central-powers"
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


@pytest.mark.rule("6.2/1", "8.0", "23.1", "Opt/VarRomania", "6.2/4a", "6.2/4b", "3.1", "26.1")
def test_what_comes_before_and_after_the_player_turns() -> None:
    assert told(turn(14), "Before the player turns") == [
        "Set the Main Effort of the Central Powers for the year, and with it the First Player: West"
    ]
    assert told(turn(15), "Before the player turns") == []
    assert told(turn(19), "Before the player turns") == [
        "Romania enters the war, and Bulgaria in the next player turn of the Central Powers"
    ]
    assert told(turn(18, "options=variable-romania"), "Before the player turns") == [
        "the Allied player rolls a die: Romania enters the war on 3 or less (ask romania)",
        "optional rules in force: variable-romania",
    ]
    assert told(turn(3), "After them") == [
        "Each side gains 4 Victory Points for each Strategic Objective of its own that it controls, and 2 for each of the enemy's (ask victory when=turn-end)",
        "move the turn marker to turn 4",
    ]
    assert told(turn(4, "last-turn=4"), "After them")[-1].startswith("the last turn ends the game")


@pytest.mark.rule(
    "6.0",
    "6.2/1",
    "9.2",
    "9.3/armies",
    "10.4",
    "Opt/FastMob",
    "Opt/Caporetto",
    "Opt/VarRomania-arrivals",
    "21.5",
    "23.2",
)
def test_units_arrive_in_their_turn_or_a_stated_one_unless_they_are_on_the_map() -> None:
    assert turn(2).result.players[0].units == ("Rus-9",)
    assert turn(5).result.players[0].units == ("Ger-10",)
    assert [one.supply for one in turn(1).result.players] == [1, None]
    assert turn(3, "Rus-9 arrives=3").result.players[0].units == ("Rus-9",)
    assert turn(2, "Rus-9 arrives=3").result.players[0].units == ()
    assert turn(2, "2418: Rus-9 (1-1-1)").result.players[0].units == ()
    assert turn(2, "2418: Rus-9 arrives=2 (1-1-1)").result.players[0].units == ()
    assert turn(2, "Rus-10 arrives=2").result.players[0].units == ("Rus-10", "Rus-9")
    assert turn(2, "Ger-9 arrives=2").result.players[0].units == ("Rus-9",)
    assert turn(2, "Available: Rus-6 arrives=2, Rus-9").result.players[0].units == ("Rus-6",)
    assert turn(2, "Ger-9 arrives=2").result.players[1].units == ("Ger-9",)


@pytest.mark.rule("9.1", "9.2", "9.7/blocked", "9.8/CP", "9.8/AL")
def test_arrivals_of_a_side() -> None:
    ground = "2418 city country=russia\n2419 city country=russia: Ger-8 (8-8-0)\n"
    text = "turn=3\n" + ANY.format(60) + ground + "Rus-9 arrives=2\nRus-7 arrives=4"
    report = kaiser(text, "arrivals", side="allies")
    assert [(one.unit, one.turn, one.open) for one in report.result.units] == [("Rus-9", 2, ("2418",))]
    assert [one.unit for one in report.result.later][:1] == ["Rus-7"]
    assert (report.result.supply, report.result.supply_hexes) == (1, ("2418",))
    assert report.result.production == {"russia": None}


@pytest.mark.rule("Opt/choice", "Opt/FastMob", "Opt/Moltke", "Opt/Gallipoli", "Opt/Caporetto", "Opt/Artillery", "9.2")
def test_options_in_force_change_the_calendar() -> None:
    position = typed("options=morale", load_game("kaisers-war-in-the-east"))
    view = View(position.game, position.state)
    assert [is_agreed(view, option) for option in ("", "morale", "psywar")] == [True, True, False]
    assert turn(2, "options=faster-mobilization").result.players[0].units == ("Rus-6", "Rus-9")
    assert turn(3, "options=faster-mobilization").result.players[0].units == ("Rus-7",)
    assert values(turn(1, "options=faster-mobilization")) == {("vp", "allies"): -10}
    moltke = turn(1, "options=moltke-plan")
    assert [(one.side, one.supply) for one in moltke.result.players] == [("central-powers", 3), ("allies", 1)]
    assert [one.supply for one in turn(7, "options=moltke-plan").result.players] == [1, 2]
    assert values(turn(4, "options=moltke-plan")) == {("vp", "central-powers"): -33}
    assert [turn(number, "options=modern-artillery").result.players[0].supply for number in (1, 4)] == [2, 2]
    assert values(turn(14, "options=gallipoli")) == {("vp", "central-powers"): 25}
    autumn = turn(29, "options=caporetto-east\nmain-effort=west\nchart scheduled-supply central-powers 29 = 1")
    assert autumn.result.players[1].units == ("AH-5", "Ger-14")
    assert (autumn.result.players[1].supply, values(autumn)) == (3, {("vp", "central-powers"): -25})
    assert turn(29, "main-effort=west").result.players[1].units == ()
    east = turn(6, "options=moltke-plan\nmain-effort=east").result.players
    assert (east[0].side, east[0].supply) == ("central-powers", 3)


@pytest.mark.rule("21.5", "23.2", "23.1", "Opt/VarRomania-arrivals")
def test_romania_brings_its_allies_with_the_option_too() -> None:
    assert turn(19).result.players[1].units == ("Mackensen", "Turk-1")
    assert turn(19, "romania-enters=20").result.players[1].units == ()
    assert turn(20, "romania-enters=20").result.players[1].units == ("Mackensen", "Turk-1")
    text = "options=variable-romania\nromania-enters=17"
    found = {number: [one.units for one in turn(number, text).result.players] for number in (17, 18, 20)}
    assert found == {17: [(), ("Mackensen", "Turk-1")], 18: [("Rom-4",), ()], 20: [("Romanian-Front",), ()]}


@pytest.mark.rule("Opt/VarRomania", "23.1", "Opt/Rev1", "Opt/1918")
def test_dice_for_romania_and_the_first_revolution_are_due_in_their_time() -> None:
    assert [romanian_chance(number) for number in (15, 16, 17, 18, 19, 20, 21, 22)] == [0, 1, 2, 3, 4, 5, 6, 0]

    def revolution(number: int, points: int, text: str = ""):  # type: ignore[no-untyped-def]
        return kaiser(f"turn={number}\n" + ANY.format(points) + "options=revolutions\n" + text)

    assert why_not(revolution(22, 25, "ask revolution")) == ["Opt/Rev1"]
    assert [revolutions_at_start(number) for number in (23, 24, 30, 31)] == [0, 1, 1, 2]


@pytest.mark.rule("Opt/PSYWAR/1", "Opt/PSYWAR/2", "Opt/International", "5.5")
def test_a_psywar_attack_costs_5_points() -> None:
    text = "turn=5\n" + ANY.format(6) + "options=psywar\n"
    assert values(kaiser(text + "ask psywar side=allies\nanswers psywar=3")) == {
        ("psywar", "allies"): True, ("vp", "allies"): -5,
    }  # fmt: skip
    assert why_not(kaiser(text.replace("vp=6\n", "vp=5\n", 1), "psywar", side="allies")) == ["5.5"]
    assert why_not(kaiser(text + "side allies psywar", "psywar", side="allies")) == ["Opt/PSYWAR/1"]
    assert why_not(kaiser("turn=5\n" + ANY.format(60), "psywar", side="allies")) == ["Opt/PSYWAR/1"]


# --- the checklist told whole -----------------------------------------------------------------------------------------


@pytest.mark.rule("6.0", "6.1", "6.2/1", "6.2/3", "6.2/turn1", "8.0", "Opt/choice")
def test_the_head_of_a_turn() -> None:
    report = turn(14, "options=morale")
    found = report.result
    assert (found.turn, found.date, found.season, found.effort) == (14, "January-February 1916", "winter", "west")
    assert (found.last, found.options) == (False, ("morale",))
    assert report.title == "Turn 14, 1916"
    assert (
        report.verdict.text == "January-February 1916, turn 14: winter, Main Effort in the West; the Allies move first"
    )
    assert told(report, "Before the player turns")[-1] == "optional rules in force: morale"


@pytest.mark.rule(
    "6.2/2a", "9.1", "9.2", "6.2/2b", "6.2/2c", "6.2/2d", "6.2/2e", "6.2/2f", "Opt/PSYWAR/1", "Opt/choice"
)
def test_the_steps_of_a_player_turn_with_what_arrives_and_psywar_where_it_is_agreed() -> None:
    steps = told(turn(2), "First Player Turn: Allies")
    assert steps[1] == "Mobilization: Place scheduled reinforcements and supply units (Rus-9; 1 supply unit)"
    assert steps[-1] == "Supply Attrition: Turn supply units to their fronts"
    other = told(turn(2), "Second Player Turn: Central Powers")
    assert other[1].endswith("(none; supply units as on the Turn Record Chart)")
    lines = [told(turn(3, text), "First Player Turn: Allies")[0] for text in ("", "options=psywar")]
    assert lines == [
        "Mobilization: Demobilize units, if wished",
        "Mobilization: Make a PSYWAR attack, if wished (optional)",
    ]


@pytest.mark.rule("6.2/2a", "Opt/Rev1", "9.1")
def test_a_revolution_is_checked_for_by_the_allies_alone_and_only_while_it_is_due() -> None:
    def checks(number: int, points: int, text: str) -> list[bool]:
        report = turn(number, f"main-effort=west\n{text}", points)
        sides = ("First Player Turn: Allies", "Second Player Turn: Central Powers")
        return [any("Check for a Russian Revolution" in one for one in told(report, side)) for side in sides]

    assert checks(23, 25, "options=revolutions") == [True, False]
    assert checks(23, 26, "options=revolutions") == [False, False]
    assert checks(23, 25, "options=revolutions\nrevolution=1") == [False, False]
    assert checks(22, 25, "options=revolutions") == [False, False]
    assert checks(23, 25, "") == [False, False]


@pytest.mark.rule("Opt/FastMob", "Opt/Moltke", "Opt/Gallipoli", "Opt/Caporetto")
def test_points_of_options_stand_where_they_come() -> None:
    fast = turn(1, "options=faster-mobilization")
    assert told(fast, "Before the player turns")[0] == "Allies: -10 Victory Points"
    assert not any("Victory Points" in one and "Allies" in one for one in told(fast, "After them"))
    moltke = turn(4, "options=moltke-plan")
    assert "Central Powers: -33 Victory Points" in told(moltke, "After them")
    assert not any("-33" in one for one in told(moltke, "Before the player turns"))
    assert values(turn(4)) == values(turn(3, "options=moltke-plan")) == {}


@pytest.mark.rule("3.1", "Opt/1918")
@pytest.mark.parametrize(
    ("number", "text", "last"),
    [(30, "", False), (31, "", True), (39, "options=revolutions", False), (40, "options=revolutions", True)],
)
def test_the_last_turn_of_the_game(number: int, text: str, last: bool) -> None:
    assert turn(number, f"main-effort=west\n{text}").result.last == last


# --- supply units and arrivals ----------------------------------------------------------------------------------------


def supply(number: int, side: str, text: str = "") -> int | None:
    """The supply units of a side in a turn."""
    given = f"main-effort=west\nchart scheduled-supply {side} {number} = 1\n{text}"
    return next(one.supply for one in turn(number, given).result.players if one.side == side)  # type: ignore[no-any-return]


@pytest.mark.rule("9.2", "Opt/Artillery", "Opt/Gallipoli", "Opt/Moltke", "Opt/Caporetto")
@pytest.mark.parametrize(
    ("number", "side", "options", "units"),
    [
        (13, "allies", "modern-artillery", 2),
        (14, "allies", "modern-artillery", 1),
        (13, "central-powers", "modern-artillery", 1),
        (13, "allies", "gallipoli", 1),
        (14, "allies", "gallipoli", 2),
        (40, "allies", "gallipoli", 2),
        (14, "central-powers", "gallipoli", 1),
        (28, "central-powers", "caporetto-east", 1),
        (29, "central-powers", "caporetto-east", 3),
        (30, "central-powers", "caporetto-east", 1),
        (29, "allies", "caporetto-east", 1),
        (29, "central-powers", "gallipoli", 1),
        (6, "central-powers", "moltke-plan", 2),
        (6, "allies", "moltke-plan", 1),
    ],
)
def test_supply_units_of_options(number: int, side: str, options: str, units: int) -> None:
    assert supply(number, side, f"options={options}") == units


@pytest.mark.rule("Opt/Rev1-effects", "Opt/Bolshevik-reinf", "9.2", "Opt/Gallipoli", "Opt/Artillery")
@pytest.mark.parametrize(
    ("revolution", "more", "units"),
    [
        (0, "", 1),
        (1, "", 0),
        (1, "patriotic-supply", 2),
        (0, "patriotic-supply", 1),
        (1, "options=gallipoli", 1),
        (2, "", 1),
        (2, "patriotic-supply\noptions=gallipoli", 1),
    ],
)
def test_supply_units_of_the_allies_after_revolutions(revolution: int, more: str, units: int) -> None:
    assert supply(24, "allies", f"revolution={revolution}\n{more}") == units
    assert supply(24, "central-powers", f"revolution={revolution}\n{more}") == 1


@pytest.mark.rule("5.6", "Opt/Gallipoli", "Opt/Moltke")
@pytest.mark.parametrize(("stands", "changes"), [(74, 25), (75, 24), (98, 1), (99, None)])
def test_points_of_options_go_no_farther_than_the_track(stands: int, changes: int | None) -> None:
    stated = ANY.replace("vp=60", f"vp={stands}").format(60)
    found = kaiser(f"turn=14\n{stated}options=gallipoli", "turn")
    assert values(found) == ({("vp", "central-powers"): changes} if changes else {})
    steps = [
        one
        for one in told(found, "Before the player turns")
        if one.startswith(("Central Powers: +", "Central Powers: of these"))
    ]
    assert steps[0] == "Central Powers: +25 Victory Points"
    assert steps[1:] == (
        [f"Central Powers: of these Victory Points only +{changes or 0} count, as the track goes no farther"]
        if changes != 25
        else []
    )
    assert values(kaiser(f"turn=4\n{stated}options=moltke-plan", "turn")) == {("vp", "central-powers"): -33}


@pytest.mark.rule("23.1")
def test_the_turn_record_says_each_event_of_a_country_once() -> None:
    track = turns(game_in("kaisers-war-in-the-east"))
    events = [(turn.number, event.text) for turn in track for event in turn.events]
    once = [text for _, text in events if "Main Effort" not in text]
    assert len(once) == len({*once})
    assert [number for number, text in events if "Bulgaria" in text] == [19], "the Allies move first in 1916"
