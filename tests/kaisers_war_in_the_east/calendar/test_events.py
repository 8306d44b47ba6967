"""What a single die settles, told whole: Romania's entry, revolutions, PSYWAR attacks (23.1, optional rules)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assistant.util.errors import InputError
from kaisers_war_in_the_east.calendar.events import ROLLED, Psywar, Revolution, Romania, Scout

from ...conftest import told, values, why_not
from ..asking import kaiser

POINTS = "scenario=1914\nside allies vp={}\nside central-powers vp=60\n"


def war(turn: int, points: int, text: str) -> str:
    return f"turn={turn}\n{POINTS.format(points)}{text}\n"


# --- Romania ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.1", "23.2", "Opt/VarRomania", "Opt/VarRomania-arrivals")
def test_romania_enters_by_the_calendar_and_brings_its_allies() -> None:
    report = kaiser(war(19, 60, ""), "romania")
    assert report.result == Romania(turn=19, enters=True, chance=Fraction(1))
    assert told(report, "What follows") == [
        "the Allies control Romania and its units",
        "Bulgaria enters the war in the next player turn of the Central Powers",
        "Mackensen arrives in turn 19",
        "Turk-1 arrives in turn 19",
    ]
    early = kaiser(war(18, 60, ""), "romania")
    assert early.result == Romania(turn=18, enters=False, chance=Fraction(0))
    assert told(early) == ["Romania enters the war in turn 19"]


@pytest.mark.rule("23.1", "Opt/VarRomania", "Opt/VarRomania-arrivals")
def test_a_die_settles_romania_s_entry_once_a_turn_until_it_must_enter() -> None:
    text = war(16, 60, "options=variable-romania")
    asked = kaiser(text, "romania")
    assert asked.result == Romania(turn=16, enters=None, most=1, chance=Fraction(1, 6))
    assert asked.verdict.text == "Romania enters the war with a chance of 16.7%"
    thrown = {die: kaiser(f"{text}ask romania\nanswers entry={die}") for die in (1, 2)}
    assert [one.result.enters for one in thrown.values()] == [True, False]
    assert thrown[2].verdict.text == "Romania stays neutral; a die is rolled again next turn"
    assert told(thrown[1], "What follows")[2:] == [
        "Mackensen arrives in turn 16",
        "Turk-1 arrives in turn 16",
        "Rom-4 arrives in turn 17",
        "Romanian-Front arrives in turn 19",
    ]
    assert [{track for track, _ in values(thrown[die])} for die in (2, 1)] == [{"settled"}, {"romania-enters"}]
    assert told(thrown[2], "What follows") == []
    again = kaiser(f"{text}settled=romania", "romania")
    assert (again.verdict.kind, again.asks, again.changes) == ("no", (), ())
    assert again.result == Romania(turn=16, enters=False, chance=Fraction(0))
    assert kaiser(war(18, 60, "ask romania\nanswers entry=3")).verdict.kind == "no"
    assert len(told(again)) == 1 and "rolled" in told(again)[0]
    by_calendar = [kaiser(war(turn, 60, ""), "romania") for turn in (18, 19)]
    assert [{track for track, _ in values(report)} for report in by_calendar] == [set(), {"romania-enters"}]
    with pytest.raises(InputError, match="no roll or choice of that name is due"):
        kaiser(war(19, 60, "ask romania\nanswers entry=3"))
    entered = kaiser(war(18, 60, "options=variable-romania\nromania-enters=17"), "romania")
    assert (entered.result.enters, entered.asks) == (False, ())
    at_last = kaiser(war(21, 60, "options=variable-romania"), "romania")
    assert (at_last.result.enters, at_last.asks) == (True, ())
    assert kaiser(war(15, 60, "options=variable-romania"), "romania").verdict.kind == "no"
    assert [ask.name for ask in kaiser(war(20, 60, "options=variable-romania"), "romania").asks] == ["entry"]


@pytest.mark.rule("Opt/Rev2")
def test_the_second_revolution_takes_no_die() -> None:
    text = "options=revolutions\nrevolution=1\nask revolution\nanswers revolution=3"
    with pytest.raises(InputError, match="no roll or choice of that name is due"):
        kaiser(war(30, 9, text))


# --- revolutions ------------------------------------------------------------------------------------------------------

FRONT = """2418: Rus-SW reversed (2-2-3)
2419: Rus-NW (2-2-3)
2420: Rus-2 (6-6-4)
2010: Ober-Ost reversed (2-2-3), H-L (2-2-3)
3010: Rom-1 (4-4-4), romanian headquarters XXXXX Rom-Staff (1-1-1)
Available: Rus-1
Rus-W arrives=40
"""


@pytest.mark.rule("Opt/Rev1")
def test_the_first_revolution_has_a_chance_of_a_third_until_it_has_come() -> None:
    text = war(23, 25, "options=revolutions")
    asked = kaiser(text, "revolution")
    assert asked.verdict.text == "the First Revolution breaks out with a chance of 33.3%"
    assert told(asked) == ["it breaks out on 5 or more"]
    assert (asked.result, asked.changes) == (Revolution(points=25, number=0), ())
    quiet = kaiser(f"{text}ask revolution\nanswers revolution=4")
    assert quiet.verdict.text.startswith("no Revolution; a die is rolled again")
    assert [(change.track, change.rule) for change in quiet.changes] == [("settled", "Opt/Rev1")]
    assert why_not(kaiser(text + "revolution=1", "revolution")) == ["Opt/Rev1"]
    again = kaiser(f"{text}settled=revolution\nask revolution\nanswers revolution=5")
    assert (again.verdict.kind, again.result) == ("no", Revolution(points=25, number=0))


UNDUE = "a die is rolled only from 1917 on, at 25 Victory Points or fewer, until the First Revolution breaks out"


@pytest.mark.rule("Opt/Rev1", "Opt/Rev2")
@pytest.mark.parametrize(
    ("points", "more", "said", "why"),
    [
        (20, "", "no Revolution", "Revolutions are an optional rule (options=revolutions)"),
        (9, "revolution=1", "no Revolution", "Revolutions are an optional rule (options=revolutions)"),
        (20, "settled=revolution", "no Revolution", "Revolutions are an optional rule (options=revolutions)"),
        (26, "options=revolutions", "no Revolution is due with 26 Victory Points", UNDUE),
        (26, "options=revolutions\nsettled=revolution", "no Revolution is due with 26 Victory Points", UNDUE),
        (20, "options=revolutions\nrevolution=1", "no Revolution is due with 20 Victory Points", UNDUE),
        (20, "options=revolutions\nsettled=revolution", "no Revolution is due with 20 Victory Points", ROLLED),
    ],
)
def test_why_no_revolution_breaks_out(points: int, more: str, said: str, why: str) -> None:
    report = kaiser(war(25, points, more), "revolution")
    assert (report.verdict.kind, report.verdict.text, told(report)) == ("no", f"{said} (1 reason)", [why])
    assert (report.asks, report.changes) == ((), ())
    assert report.result == Revolution(points=points, number="revolution=1" in more)


@pytest.mark.rule("Opt/Rev1", "Opt/Rev1-effects", "Opt/CzLeg")
def test_what_the_first_revolution_does() -> None:
    report = kaiser(f"{war(23, 25, 'options=revolutions')}{FRONT}ask revolution\nanswers revolution=5")
    assert report.result == Revolution(points=25, number=1, removed=("Rus-NW",), turned=("Rus-SW",))
    assert report.verdict.text == "the First Revolution breaks out"
    typed_of_the_back = dict.fromkeys([("attack", "Rus-SW"), ("defence", "Rus-SW"), ("movement", "Rus-SW")])
    done = {("revolution", ""): 1, ("place", "Rus-NW"): "Dead Pile", ("reversed", "Rus-SW"): False}
    assert values(report) == done | typed_of_the_back
    assert told(report) == [
        "off the map, at no cost in Victory Points: Rus-NW",
        "Rus-SW return to their front side for good",
        "from now on the Allies may have at most 25 Victory Points",
        "Russians receive no supply units by schedule, and convert no Headquarters",
        "the first attack of the Central Powers on Russians brings two supply units (state patriotic-supply)",
        "the Czech Legion, if agreed, enters on a railroad in Russia that the Allies control",
    ]


@pytest.mark.rule("Opt/Rev2-effects", "Opt/International", "Opt/Rev2")
def test_what_the_second_revolution_does() -> None:
    text = war(25, 10, "options=revolutions\nrevolution=1") + FRONT + "2422: RG reversed (2-2-2)\n"
    report = kaiser(text, "revolution")
    gone = ("Rus-SW", "Rus-NW", "Rus-2", "Rom-1", "Rom-Staff")
    assert report.result == Revolution(points=10, number=2, removed=gone)
    assert values(report) == {("revolution", ""): 2} | {("place", unit): "Dead Pile" for unit in gone}
    assert report.verdict.text == "the Second Revolution breaks out"
    assert told(report)[1:3] == [
        "from now on the Allies may have at most 10 Victory Points",
        "seven Bolshevik corps and a train enter in Russian cities that the Allies control, one in each",
    ]
    assert len(told(report)) == 8


@pytest.mark.rule("Opt/Rev2", "Opt/Rev1")
@pytest.mark.parametrize(
    ("points", "before", "both", "breaks"),
    [(10, 1, False, True), (11, 1, False, False), (10, 0, False, False), (10, 0, True, True), (10, 2, True, False)],
)
def test_when_the_second_revolution_breaks_out(points: int, before: int, both: bool, breaks: bool) -> None:
    report = kaiser(war(25, points, f"options=revolutions\nrevolution={before}"), "revolution", both=both)
    assert (report.verdict.text == "the Second Revolution breaks out") == breaks


# --- PSYWAR -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("Opt/PSYWAR/1", "Opt/PSYWAR/2", "5.5", "Opt/International")
def test_a_psywar_attack_before_and_after_its_die_at_the_start_of_the_own_turn() -> None:
    text = war(5, 6, "options=psywar")
    asked = kaiser(text, "psywar", side="allies")
    assert asked.result == Psywar(side="allies", cost=5, left=1, die=0)
    assert (asked.verdict.text, asked.changes) == ("5 Victory Points; roll 1d6 on the PSYWAR Table", ())
    assert [ask.name for ask in asked.asks] == ["psywar"]
    assert told(asked) == ["it costs 5 Victory Points, leaving 1"]
    made = kaiser(f"{text}ask psywar side=allies\nanswers psywar=3")
    assert made.result == Psywar(side="allies", cost=5, left=1, die=3)
    assert told(made)[1] == "read the result of 3 on the printed table; units that it eliminates count as lost"
    assert made.verdict.text == "read the result of 3 on the PSYWAR Table"
    poor = war(32, 0, "options=psywar\nrevolution=2")
    free = kaiser(f"{poor}ask psywar side=allies\nanswers psywar=2")
    assert free.result == Psywar(side="allies", cost=0, left=0, die=2)
    assert values(free) == {("psywar", "allies"): True}
    assert kaiser(poor, "psywar", side="central-powers").result.cost == 5
    assert kaiser(poor.replace("revolution=2", "revolution=1"), "psywar", side="allies").result.cost == 5
    text = war(5, 60, "options=psywar")
    assert why_not(kaiser(text + "phase=movement", "psywar", side="allies")) == ["Opt/PSYWAR/1"]
    assert why_not(kaiser(text + "phase=mobilization\nphasing=allies", "psywar", side="allies")) == []
    assert why_not(kaiser(text + "phasing=central-powers", "psywar", side="allies")) == ["Opt/PSYWAR/1"]


# --- looking at stacks ------------------------------------------------------------------------------------------------

FOG = """turn=3
options=fog-of-war options=air-units
2418: Rus-SW radius=3 (2-2-3), Rus-1 (6-6-4)
2419: german airbase - KFO radius=2 (1-1-1)
2421: Ger-8 (8-8-4)
2422: Ger-9 (8-8-4)
Available: Rus-2, Rus-NW
Rus-W arrives=7
"""


@pytest.mark.rule("Opt/Fog/3", "Opt/Fog/4")
def test_what_a_headquarters_sees_by_a_die_and_an_airbase_without() -> None:
    asked = kaiser(FOG, "scout", unit="Rus-SW", at="2421")
    assert asked.result == Scout(unit="Rus-SW", distance=3, radius=3, most=2)
    assert (asked.verdict.kind, asked.verdict.text) == ("figure", "the stack is shown on 2 or less")
    assert told(asked) == ["2421 is 3 hexes away: its radius is 3"]
    thrown = {die: kaiser(f"{FOG}ask scout unit=Rus-SW at=2421\nanswers scout={die}") for die in (2, 3)}
    assert [(one.result.seen, one.verdict.text) for one in thrown.values()] == [
        (True, "the stack is shown"),
        (False, "the stack is not shown"),
    ]
    late = kaiser(FOG + "phasing=central-powers\nphase=mobilization\n", "scout", unit="Rus-SW", at="2421")
    assert told(late, "Not allowed") == [
        "it is the player turn of the Central Powers",
        "that is done only in the movement phase, but this is mobilization",
    ]
    now = kaiser(FOG + "phasing=allies\nphase=movement\n", "scout", unit="Rus-SW", at="2421")
    assert [ask.name for ask in now.asks] == ["scout"]
    report = kaiser(FOG, "scout", unit="KFO", at="2418")
    assert report.result == Scout(unit="KFO", distance=1, radius=2, most=6, seen=True)
    assert (report.verdict.kind, report.verdict.text, report.asks) == ("yes", "the stack is shown", ())
    far = kaiser(FOG + "2424: Rus-3 (6-6-4)", "scout", unit="KFO", at="2424")
    assert (far.result.seen, told(far)) == (None, ["2424 is 5 hexes away: its radius is 2"])
    own = kaiser(FOG, "scout", unit="KFO", at="2421")
    assert (why_not(own), own.result.seen) == (["Opt/Fog/3"], None)


@pytest.mark.rule("Opt/Fog/3")
@pytest.mark.parametrize("unit", ["Rus-1", "Rus-2", "Rus-NW", "Rus-W"])
def test_nobody_else_sees_a_stack(unit: str) -> None:
    with pytest.raises(InputError, match=f"unit: {unit} is (neither a Headquarters nor an airbase|not on the map)"):
        kaiser(FOG, "scout", unit=unit, at="2421")


@pytest.mark.rule("Opt/Fog/1", "Opt/Fog/3", "Opt/Fog/4", "Opt/Air/1")
def test_nobody_looks_out_of_range_without_the_option_or_in_another_phase() -> None:
    def barred(text: str, unit: str, at: str) -> list[str]:
        return why_not(kaiser(text, "scout", unit=unit, at=at))

    assert barred(FOG, "Rus-SW", "2422") == barred(FOG, "Rus-SW", "2420") == ["Opt/Fog/3"]
    assert barred(FOG + "phase=first-combat", "Rus-SW", "2421") == ["Opt/Fog/3"]
    assert barred(FOG.replace("options=fog-of-war ", ""), "Rus-SW", "2421") == ["Opt/Fog/1"]
    assert barred(FOG + "2424: Rus-3 (6-6-4)", "KFO", "2424") == ["Opt/Fog/4"]
    assert barred(FOG.replace(" options=air-units", ""), "KFO", "2418") == ["Opt/Air/1"]
    with pytest.raises(InputError, match="no roll or choice of that name is due"):
        kaiser(FOG + "ask scout unit=KFO at=2418\nanswers scout=6")
