"""Combats played to their end: who goes with whom, what is counted, and what the position remembers (10.1, 11.2 to 11.4, 27.2)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.mechanics.odds import Odds
from assistant.state.changes import Gain
from twilight_in_the_east.battle.question import QUESTION, answer_names
from twilight_in_the_east.combat.before_dice import combat_of
from twilight_in_the_east.combat.engagement import BattleParameters
from twilight_in_the_east.combat.setup import Setup

from ...conftest import answered, ruled, told, typed

COLUMNS = ("1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1")
OPEN = "41.19|40.20,40.19,41.18,41.20,42.19,42.20 open"
SHUT_IN = "\n".join(
    f"{hex}: russian infantry XX {name} (12-12-0-10)"
    for hex, name in (("41.18", "B2"), ("41.20", "B3"), ("42.19", "B4"), ("42.20", "B5"))
)


def end(ground: str, answers: str, *, cell: str = "- / -", steps: int = 0, **parameters: Any) -> Report[Any]:
    """A combat for 41.19 without APs in which every cell of the CRT is the same, and each side loses the same on the SLRT."""
    charts = [f"chart crt summer {column} 7 = {cell}" for column in COLUMNS]
    charts += [
        f"chart slrt summer {size} {n} = {steps} / 0"
        for size in ("Small", "Medium", "Large", "Massive")
        for n in range(-2, 15)
    ]
    text = "\n".join(["turn=1", ground, OPEN, *charts, f"answers crt=7 {answers}"])
    given = {"at": "41.19", "attacker_ap": ("none",), "defender_ap": ("none",), "flanked": False, **parameters}
    return answered(typed(text), "battle", **given)


def places(report: Report[Any]) -> list[tuple[str, Any]]:
    """Where units have gone, in order."""
    return [(one.subject, one.after) for one in report.changes if one.track == "place"]


def changed(report: Report[Any], subject: str, track: str) -> list[tuple[Any, str]]:
    return [(one.after, one.rule) for one in report.changes if (one.subject, one.track) == (subject, track)]


# --- who goes with whom -----------------------------------------------------------------------------------------------

TWO_ATTACKERS = """40.20: russian infantry XX Aa (6-6-0-10), russian infantry XX Ab (6-6-0-10), russian artillery - Guns (1-?-3-?) with={}
41.19 clear: german infantry XX Da (6-6-0-9)"""


@pytest.mark.rule("11.2.1a", "10.1.5e")
@pytest.mark.parametrize(("formation", "gone"), [("Aa", ["Aa", "Guns"]), ("Ab", ["Aa"])])
def test_idle_artillery_goes_with_its_own_formation_and_stays_with_one_that_is_withheld(
    formation: str, gone: list[str]
) -> None:
    answers = "slrt=3/3 retreat.40.20=39.20 ec.40.20=2 ec.41.19=2"
    report = end(TWO_ATTACKERS.format(formation), answers, cell="W1 / -", withhold=("Ab",))
    assert [unit for unit, _ in places(report)] == gone


TWO_DEFENDERS = """40.20: russian infantry XX Aa (12-12-0-10), russian infantry XX Ab (12-12-0-10)
41.19 clear: german infantry XX Da (6-6-0-4), german infantry XX Db (6-6-0-9), german artillery - Guns (1-?-3-?) with={}"""


@pytest.mark.rule("11.2.1a", "10.1.4c", "10.1.5f")
@pytest.mark.parametrize("withhold", [(), ("Guns",)])
@pytest.mark.parametrize(("formation", "gone"), [("Da", ["Da", "Guns"]), ("Db", ["Da"])])
def test_artillery_goes_with_its_formation_whether_it_stands_idle_or_is_withheld(
    withhold: tuple[str, ...], formation: str, gone: list[str]
) -> None:
    """Da fails by 4 and retreats alone."""
    answers = "slrt=3/3 onward.41.19=42.20 ec.40.20=2 ec.41.19=8"
    report = end(TWO_DEFENDERS.format(formation), answers, withhold=withhold)
    assert places(report) == [(unit, "42.20") for unit in gone]


FOREIGN_GUNS = """40.20: russian infantry XX A1 (12-12-0-10), russian infantry XX A2 (12-12-0-10)
41.19 clear: german infantry XX Da (6-6-0-4), austro-hungarian artillery - Guns (1-?-3-?)"""


@pytest.mark.rule("10.1.5f", "10.1.4c")
@pytest.mark.parametrize(
    ("cell", "answers"),
    [
        ("- / W1", "slrt=1/1 ec.41.19=2 ec.40.20=2 retreat.41.19=42.20 advance=none"),
        ("- / -", "slrt=1/1 ec.41.19=8 ec.40.20=2 onward.41.19=42.20 advance=none"),
    ],
)
def test_idle_artillery_of_another_nation_goes_with_those_who_leave_the_hex(cell: str, answers: str) -> None:
    report = end(FOREIGN_GUNS, answers, cell=cell)
    assert places(report) == [("Da", "42.20"), ("Guns", "42.20")]
    assert changed(report, "Guns", "displaced") == []


WITHHELD = f"""40.20: russian infantry XX A1 (12-12-0-10), russian infantry XX A2 (12-12-0-10)
40.19: russian infantry XX B1 (12-12-0-10)
{SHUT_IN}
41.19 clear: german infantry XX G1 (6-6-0-9), german infantry XX G2 (6-6-0-9)"""


@pytest.mark.rule("10.1.5f", "11.2.6a", "27.2.5")
def test_every_division_that_surrenders_earns_its_points_and_nothing_is_said_of_a_retreat() -> None:
    answers = "slrt=3/3 ec.40.20=2 repulse.41.19=none advance=none"
    report = end(WITHHELD, answers, cell="- / W1", from_=("40.20",), withhold=("G2",))
    assert report.result.outcome.attacker_points == 8
    assert not [line for line in told(report) if "withheld" in line]


@pytest.mark.rule("10.1.5f", "11.2.6b", "11.2.3")
def test_who_was_withheld_goes_with_the_others_and_pays_nothing() -> None:
    """Of two hexes both divisions find only 42.19, around which lakes lie; G1 alone has taken part."""
    ground = WITHHELD.replace(
        "42.19: russian infantry XX B4 (12-12-0-10)", "42.19 clear\n42.19|41.18,42.18,43.18,43.19,42.20 lake"
    )
    answers = "slrt=3/3 ec.40.20=2 ec.41.19=2 retreat.41.19=42.19 repulse.41.19=none advance=none"
    report = end(ground, answers, cell="- / W2", from_=("40.20",), withhold=("G2",))
    assert places(report) == [("G1", "42.19"), ("G2", "42.19")]
    assert (report.result.outcome.way_losses, report.result.outcome.way_levels) == ({"G1": 1}, {"G1": 1})
    ground = WITHHELD.replace(SHUT_IN, "42.19 clear")
    answers = "slrt=3/3 ec.40.20=2 ec.41.19=2 retreat.41.19=42.19 advance=none"
    report = end(ground, answers, cell="- / W1", from_=("40.20",), withhold=("G2",))
    assert "G2 was withheld and retreats with the others: 1 hex, the fewest that any of them must" in told(
        report, "Retreats"
    )
    assert places(report) == [("G1", "42.19"), ("G2", "42.19")]
    ground = WITHHELD.replace(SHUT_IN, "42.19 clear\n43.19 clear\n39.19: german corps-train - T1 corps=1 range=4")
    ground = ground.replace("(6-6-0-9)", "(6-6-0-9) corps=1").replace("40.19: russian infantry XX B1 (12-12-0-10)", "")
    answers = "slrt=3/3 ec.40.20=2 ec.41.19=2 retreat.41.19=42.19,43.19 advance=none"
    report = end(ground, answers, cell="- / W2", from_=("40.20",), withhold=("G2",))
    assert places(report)[:2] == [("G1", "43.19"), ("G2", "43.19")]
    assert [one.force for one in report.result.outcome.farther] == ["G1"]


# --- stacking ---------------------------------------------------------------------------------------------------------

ON_TOP = """40.20: russian infantry XX A1 (12-12-3-10), russian infantry XX A2 (12-12-3-10)
41.19 clear: german infantry XX Zeta (6-6-0-9), german infantry XX Beta (5-5-0-9)"""


@pytest.mark.rule("4.2.5")
def test_a_stack_arrives_as_it_lay() -> None:
    answers = "slrt=3/4 retreat.41.19=42.19 ec.40.20=2 ec.41.19=2 advance=none"
    assert places(end(ON_TOP, answers, cell="- / W1")) == [("Zeta", "42.19"), ("Beta", "42.19")]


ROOM = """40.20: russian infantry XX A1 (6-6-0-10) back-steps={}, russian infantry XX A2 (6-6-0-10)
40.19: russian infantry XX A3 (6-6-0-10), russian infantry X A4 (3-3-0-10)
41.19 clear: german infantry X Da (1-1-0-5)"""


@pytest.mark.rule("11.4.1", "2.2d", "4.2.1")
@pytest.mark.parametrize(("back", "fit"), [(5, True), (0, False)])
def test_a_division_that_this_combat_has_turned_over_takes_half_the_room(back: int, fit: bool) -> None:
    answers = "slrt=6/6 losses.attacker=A1 losses.defender=Da ec.40.20=2 ec.40.19=2"
    (ask,) = end(ROOM.format(back), answers, steps=1).asks
    assert ("A3,A4,A1,A2" in ask.options) == fit


# --- what is remembered -----------------------------------------------------------------------------------------------

ELIMINATED = """40.20: russian infantry X A1 (1-1-0-10)
41.19 clear: german infantry XX Zeta (6-6-0-5)"""


@pytest.mark.rule("11.2.2b", "4.3b")
def test_a_hex_where_the_enemy_was_eliminated_is_open_and_stays_under_its_control() -> None:
    """A1 loses its only step; Zeta fails by 7 and goes where A1 stood, or leaves the hex to its own side."""
    report = end(ELIMINATED, "slrt=6/3 ec.41.19=12", steps=1)
    assert "40.20" in report.asks[0].options
    report = end(ELIMINATED, "slrt=6/3 ec.41.19=12 onward.41.19=42.19,43.18", steps=1)
    assert changed(report, "40.20", "control") == [("russian", "4.3")]
    assert changed(report, "41.19", "control") == [("central-powers", "4.3")]


@pytest.mark.rule("11.4", "11.4.2")
def test_artillery_whose_formation_is_gone_may_advance() -> None:
    ground = """40.20: russian infantry XX Aa (1-1-0-10), russian artillery - Guns (1-?-3-?) with=Aa
40.19: russian infantry XX Ab (6-6-0-10)
41.19 clear: german infantry X Da (1-1-0-5)"""
    answers = "slrt=6/6 losses.attacker=Ab,Ab,Ab,Ab,Ab,Aa losses.defender=Da ec.40.19=2"
    report = end(ground, answers, steps=6, attacker_ap=("40.20",))
    assert report.result.outcome.advance == ("Ab", "Guns")
    assert report.asks[0].options[0] == "Ab,Guns"


# --- a Repulse in a retreat -------------------------------------------------------------------------------------------

PUSHED = f"""40.20: russian infantry XX A1 (2-2-0-10) corps=13 army=First
40.22: "13 Train" corps=13 army=First
40.19: russian infantry XX B1 (12-12-0-10)
{SHUT_IN}
41.19 clear: german infantry XX Da (16-16-0-{{}})
40.20 clear
39.20 clear
39.21 clear
40.21 clear
38.20 clear"""
BY_RESULT = "repulse.41.19=40.20 repulse.41.19.ec=2 repulsed.41.19=39.20,38.20 retreat.41.19=40.20 ec.41.19=2"
BY_CHECK = "ec.41.19=12 onward-repulse.41.19=40.20 onward-repulse.41.19.ec=2 onward-repulsed.41.19=39.20,38.20"


@pytest.mark.rule("8.5.3", "11.2.3", "11.4.2")
@pytest.mark.parametrize("attacking", ["40.20", "40.19"])
@pytest.mark.parametrize("onward", [False, True])
@pytest.mark.parametrize(("reading", "levels"), [("charged", [(-1, "11.2")]), ("spared", [])])
def test_who_is_pushed_away_from_its_supply_pays_as_the_players_read_it(
    attacking: str, onward: bool, reading: str, levels: list[tuple[int, str]]
) -> None:
    """A1 attacks, or stands by; it is pushed away on a retreat by the result, or by the check."""
    ground = f"ruling repulsed-from-supply={reading}\n" + PUSHED.format(4 if onward else 9)
    answers = f"slrt=3/3 ec.{attacking}=2 advance=none " + (f"{BY_CHECK} onward.41.19=40.20" if onward else BY_RESULT)
    report = end(ground, answers, cell="- / -" if onward else "- / W1", from_=(attacking,))
    assert report.asks == ()
    assert changed(report, "A1", "cel") == levels
    assert ruled(report, "repulsed-from-supply") == reading
    assert "A1" not in (report.result.outcome.advance or ())


@pytest.mark.rule("8.5.3")
def test_every_name_that_a_combat_may_ask_for_is_one_of_the_question() -> None:
    position = typed(f"turn=1\n{PUSHED.format(9)}\n{OPEN}")
    parameters = BattleParameters(at="41.19", from_=("40.20",), attacker_ap=("none",), defender_ap=("none",))
    engagement = Setup(View(position.game, position.state), parameters).engage()
    names = answer_names(combat_of(engagement, Odds(0), "Small"))
    assert [name for name in names if not QUESTION.waits_for(name)] == []


# --- before the dice --------------------------------------------------------------------------------------------------

FREED = f"""40.20: russian infantry XX A1 (12-12-0-5)
40.19: russian infantry XX B1 (12-12-0-10)
{SHUT_IN}
41.19 clear: german infantry XX Da (6-6-0-5)"""


def before(ground: str, **parameters: Any) -> Report[Any]:
    given = {"at": "41.19", "attacker_ap": ("none",), "defender_ap": ("none",), "flanked": False, **parameters}
    return answered(typed(f"turn=1\ntrust charts\n{ground}\n{OPEN}"), "battle", **given)


@pytest.mark.rule("11.3", "11.2.2b", "11.2.3")
def test_a_defender_that_an_attacker_may_free_leaves_with_the_chance_told_or_more() -> None:
    """B1 stands by; only A1, which attacks, may open its hex."""
    report = before(FREED, from_=("40.20",))
    lines = told(report, "Chances")
    assert report.result.chances.may_open == ("40.20",)
    assert any(line.startswith("defender vacates the hex, at least") for line in lines)
    assert "attackers that retreat first, by a failed check, may open 40.20 to the defender: that is left out" in lines
    way_out = before(FREED.replace("42.20: russian infantry XX B5 (12-12-0-10)", ""), from_=("40.20",))
    assert way_out.result.chances.may_open == ()
    beside = before(
        FREED.replace("A1 (12-12-0-5)", "A1 (12-12-0-5), russian infantry XX A2 (9-9-0-9)"),
        from_=("40.20",),
        withhold=("A2",),
    )
    assert beside.result.chances.may_open == ()
    (line,) = [one for one in told(before(FREED, from_=("40.20",)), "Chances") if one.startswith("retreats")]
    assert line.endswith("the cost of retreats by checks and away from supply is left out")


TRAIN = """40.20: russian infantry XX A1 (12-12-0-10)
41.19 clear: german infantry X Da (1-1-0-5), "German 1 Train"
41.20: russian infantry XX B1 (9-9-0-10)
40.19: russian infantry XX B2 (9-9-0-10)
41.18: russian infantry XX B3 (9-9-0-10)
42.19: russian infantry XX B4 (9-9-0-10)
42.20: russian infantry XX B5 (9-9-0-10)"""


@pytest.mark.rule("27.2.6", "9.8.1")
def test_a_train_that_finds_no_refuge_earns_two_points() -> None:
    report = end(TRAIN, "slrt=6/6 losses.attacker=A1 ec.40.20=2 advance=none", steps=1, from_=("40.20",))
    assert places(report) == [("Da", None), ("German 1 Train", None)]
    assert report.result.outcome.attacker_points == 2
    assert [each for each in report.changes if isinstance(each, Gain)] == [
        Gain("vp-supply-units", "russian", 2, "27.2.6")
    ]


@pytest.mark.rule("22.4.1")
@pytest.mark.parametrize(
    ("unit", "attacker", "line"),
    [
        (
            "Tilsit",
            "infantry",
            "Tilsit is removed as soon as Russian infantry is adjacent to it, so there is nothing to attack (ask displace)",
        ),
        ("Tilsit", "cavalry", "Tilsit is destroyed if it must retreat"),
        ("Memel", "infantry", ""),
    ],
)
def test_what_becomes_of_a_landsturm_abteilung_is_said(unit: str, attacker: str, line: str) -> None:
    ground = f"40.20: russian {attacker} XX A1 (12-12-0-10)\n41.19 clear: german infantry II {unit} (1-1-0-5) asset"
    found = [text for text in told(before(ground, from_=("40.20",)), "Assumed") if text.startswith(unit)]
    assert found == ([line] if line else [])


IMMOBILE = """40.20: russian cavalry XX A1 (12-12-0-10), russian cavalry XX A2 (12-12-0-10)
41.19 clear: {}"""
LANDSTURM = "german infantry II Tilsit (3-3-0-5) asset"
BATTERY = "german artillery - Nikolaiken (1-?-1-?)"


@pytest.mark.rule("22.4.1", "22.4.2", "22.5.1")
@pytest.mark.parametrize(
    ("unit", "name"), [(LANDSTURM, "Tilsit"), (BATTERY, "Nikolaiken"), ("german infantry II Memel (3-3-0-5) asset", "")]
)
def test_who_never_moves_is_destroyed_when_the_result_makes_it_retreat(unit: str, name: str) -> None:
    division = "german infantry XX Da (6-6-0-9), "
    answers = "slrt=1/1 ec.40.20=2 ec.41.19=2 retreat.41.19=42.20 advance=none"
    report = end(IMMOBILE.format(division + unit), answers, cell="- / W1")
    if name:
        assert places(report) == [(name, None), ("Da", "42.20")]
    else:
        assert places(report) == [("Da", "42.20"), ("Memel", "42.20")]


@pytest.mark.rule("22.4.1", "22.4.2", "11.2.1")
@pytest.mark.parametrize(("unit", "name"), [(LANDSTURM, "Tilsit"), (BATTERY, "Nikolaiken")])
def test_it_is_destroyed_when_a_check_makes_its_force_retreat_and_else_it_stays(unit: str, name: str) -> None:
    division = "german infantry XX Da (6-6-0-4), "
    answers = "slrt=1/1 ec.40.20=2 ec.41.19={} onward.41.19=42.20 advance=none"
    held = end(IMMOBILE.format(division + unit), answers.format(2).replace(" onward.41.19=42.20 advance=none", ""))
    assert places(held) == []
    report = end(IMMOBILE.format(division + unit), answers.format(8))
    assert places(report) == [(name, None), ("Da", "42.20")]


@pytest.mark.rule("22.4.1")
def test_a_landsturm_abteilung_alone_leaves_its_hex_empty() -> None:
    report = end(IMMOBILE.format(LANDSTURM), "slrt=1/1 ec.40.20=2 advance=A1", cell="- / W1")
    assert places(report) == [("Tilsit", None), ("A1", "41.19")]


@pytest.mark.rule("11.3", "23.4.1")
@pytest.mark.parametrize(("nation", "opens"), [("austro-hungarian", ("31.114",)), ("russian", ())])
def test_attackers_open_no_hex_that_stays_closed_to_the_defender(nation: str, opens: tuple[str, ...]) -> None:
    """A half-hex, which only Austro-Hungarian units enter."""
    other = "russian" if nation != "russian" else "austro-hungarian"
    board = typed("turn=1").game.board("")
    lakes = "\n".join(f"31.113|{hex} lake" for hex in board.neighbours("31.113") if hex != "31.114")
    text = f"turn=1\ntrust charts\n{lakes}\n31.113|31.114 open\n31.114 clear: {other} infantry XX A (12-12-0-5)\n"
    text += f"31.113 clear: {nation} infantry XX D (6-6-0-5)\n"
    given = {"at": "31.113", "attacker_ap": ("none",), "defender_ap": ("none",), "flanked": False, "from_": ("31.114",)}
    assert answered(typed(text), "battle", **given).result.chances.may_open == opens
