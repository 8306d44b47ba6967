"""What the results of combat do to units, Victory Points and the map (5.1, 14.14 to 14.16)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.util.errors import InputError

from ..examples import DRY, DUEL, after, ask

pytestmark = pytest.mark.rule("14.14", "14.15")
"""Every result here is carried out step by step."""

AH = "chart reorganization austro-hungarian infantry-army = 3\n"
STRONG = "turn=10 main-effort=east\nside allies vp=40\nside central-powers vp=40\n" + AH


def fight(attack: str, defence: str, die: int, **more: str) -> Any:
    """The report on an attack in the clear. attack, defence: the stacks; die: on the standard table unless told otherwise."""
    answers = {"die": str(die)} | {name.replace("_", "."): value for name, value in more.items() if name != "table"}
    position = STRONG + f"2620 clear: {defence}\n2621: {attack}\n" + DRY
    return ask(position, "battle", at="2620", table=more.get("table", "standard"), answers=answers)


def lost(report: Any) -> list[tuple[str, bool, int, int]]:
    """Who is lost: id, whether it breaks down, corps that take its place, Victory Points."""
    return [(one.unit, one.breaks, one.corps, one.points) for one in report.result.lost]


@pytest.mark.rule(
    "14.3/6",
    "CRT-result/AZ",
    "CRT/standard",
    "14.14",
    "16.1",
    "9.10",
    "CRT-result/DZ",
    "CRT-result/BT",
    "CRT/shock",
    "16.2",
)
def test_an_annihilated_side_is_lost_and_pursued() -> None:
    report = fight("AH-4 (2-2-4), AH-inf-1 (1-1-3)", "Rus-2 (10-12-4)", 1)
    assert lost(report) == [("AH-4", False, 0, 6), ("AH-inf-1", False, 0, 2)]
    assert (report.result.pursues, report.result.pursuit, report.result.retreats) == ("defender", 1, "")
    report = fight("AH-4 (40-2-4)", "Rus-2 (1-4-4), Rus-train-1 (1-1-4)", 6)
    assert report.result.outcome == "DZ"
    assert lost(report) == [("Rus-2", False, 0, 6), ("Rus-train-1", False, 0, 0)]
    assert (report.result.pursues, report.result.pursuit) == ("attacker", 1)
    report = fight("austro-hungarian shock XXX St (40-2-4)", "Rus-2 (1-4-4)", 6, table="shock")
    assert (report.result.outcome, report.result.pursuit) == ("BT", 2)
    assert lost(report) == [("Rus-2", False, 0, 6)]


@pytest.mark.rule("CRT-result/AD", "14.16", "15.0", "CRT-result/DD", "16.2", "14.15", "14.4")
def test_a_defeated_army_breaks_down_and_retreats_with_the_corps_that_are_left() -> None:
    report = fight("AH-4 (12-2-4), AH-inf-1 (1-1-3)", "Rus-2 (10-12-4)", 1)
    assert report.result.outcome == "AD"
    assert lost(report) == [("AH-inf-1", False, 0, 2), ("AH-4", True, 3, 0)]
    assert (report.result.retreats, report.result.hexes) == ("attacker", 1)
    assert report.result.retreating == ("AH-inf-2", "AH-inf-3", "AH-inf-4")
    assert report.result.pursues == ""
    # the rulebook's example: one Russian corps is available
    position = "nation russian spare-corps=1\n" + STRONG + "2620 clear: Rus-2 (1-4-4)\n2621: AH-4 (12-2-4)\n" + DRY
    beaten = ask(position, "battle", at="2620", answers={"die": "6"})
    assert beaten.result.outcome == "DD"
    assert lost(beaten) == [("Rus-2", True, 1, 0)]
    state = after(position, "battle", at="2620", answers={"die": "6"})
    assert state.units["Rus-2"].place == "Available"
    assert state.units["Rus-inf-1"].place == "2620"
    assert state.value("vp", "allies") == 40
    assert state.value("spare-corps", "russian") == 0
    rules = {(change.subject, change.rule) for change in report.changes if getattr(change, "track", "") == "place"}
    assert {("AH-4", "14.16"), ("AH-inf-1", "14.15")} <= rules
    fought = [change.subject for change in report.changes if getattr(change, "track", "") == "fought"]
    assert fought == ["AH-inf-2", "AH-inf-3", "AH-inf-4"], "the corps of the army that has attacked"


@pytest.mark.rule("14.16", "10.6", "21.1")
def test_armies_share_the_corps_of_their_nation_and_romanians_have_none() -> None:
    position = "nation russian spare-corps=4\n" + STRONG
    position += "2620 clear: Rus-2 (1-2-4), Rus-3 (1-2-4)\n2621: AH-4 (12-2-4)\n" + DRY
    report = ask(position, "battle", at="2620", answers={"die": "6"})
    assert [one.corps for one in report.result.lost] == [3, 1]
    none = ask(position.replace("=4\n", "=0\n", 1), "battle", at="2620", answers={"die": "6"})
    assert [one.corps for one in none.result.lost] == [0, 0]
    assert (none.result.retreats, none.result.pursues) == ("", "attacker")
    report = fight("AH-4 (12-2-4)", "Rom-1 (1-4-4)", 6)
    assert lost(report) == [("Rom-1", False, 0, 6)]
    assert report.result.retreats == ""
    position = STRONG + "2620 clear: Rus-2 (1-12-4)\n2621: Sud (12-2-4)\n" + DRY
    state = after(position, "battle", at="2620", answers={"die": "1"})
    assert {name for name, unit in state.units.items() if unit.place == "2621"} == {"Ger-inf-1", "AH-inf-1"}


@pytest.mark.rule("14.14", "14.15")
def test_the_chart_is_asked_for_only_when_an_army_breaks_down() -> None:
    bare = DUEL
    assert ask(bare, "battle", at="2620").verdict.kind == "figure"
    assert ask(bare, "battle", at="2620", answers={"die": "6"}).verdict.kind == "figure"  # a Russian army: three corps
    stuck = ask(bare, "battle", at="2620", answers={"die": "1"})
    assert stuck.verdict.kind == "undecided"
    assert [one.kind for one in stuck.asks] == ["cell"]
    bare = DUEL.replace("AH-4 (12-12-4)", "AH-4 (1-12-4)").replace("AH-inf-1 (4-4-3)", "AH-inf-1 (1-4-3)")
    report = ask("main-effort=east\n" + bare, "battle", at="2620", answers={"die": "1"})
    assert (report.result.outcome, report.verdict.kind) == ("AZ", "figure")
    assert "AZ, the attacker is annihilated" in report.verdict.text


@pytest.mark.rule("CRT-result/BB", "16.1", "14.15")
def test_a_bloodbath_breaks_an_army_of_each_side_by_its_owner_s_choice() -> None:
    report = fight("AH-4 (40-2-4), AH-inf-1 (1-1-3)", "Rus-2 (1-8-4), Rus-inf-1 (1-1-3)", 2)
    assert report.result.outcome == "BB"
    assert lost(report) == [
        ("Rus-inf-1", False, 0, 2),
        ("Rus-2", True, 3, 0),
        ("AH-inf-1", False, 0, 2),
        ("AH-4", True, 3, 0),
    ]
    assert (report.result.retreats, report.result.pursues) == ("", "")
    report = fight("AH-4 (40-2-4)", "Rus-inf-1 (1-9-3)", 2)
    assert (report.result.outcome, report.result.pursues, report.result.pursuit) == ("BB", "attacker", 1)
    two = ("AH-4 (40-2-4)", "Rus-2 (1-4-4), Rus-3 (1-5-4)", 2)
    assert [one.name for one in fight(*two).asks] == ["defender.break-one-army"]
    position = STRONG + "2620 clear: Rus-2 (1-4-4), Rus-3 (1-5-4)\n2621: AH-4 (40-2-4)\n" + DRY
    answers = {"die": "2", "defender.break-one-army": "Rus-3"}
    report = ask(position, "battle", at="2620", answers=answers)
    assert [one.unit for one in report.result.lost] == ["Rus-3", "AH-4"]


@pytest.mark.rule("CRT-result/DP", "15.1", "14.3/6", "CRT/standard")
def test_survivors_of_a_panic_roll_a_die_each_for_their_hexes() -> None:
    position = STRONG + "2620 clear: Rus-2 (1-4-4)\n2621: austro-hungarian shock XXX St (40-2-4)\n" + DRY
    first = ask(position, "battle", at="2620", table="shock", answers={"die": "2"})
    assert [one.name for one in first.asks] == ["panic.Rus-inf-1", "panic.Rus-inf-2", "panic.Rus-inf-3"]
    dice = {"die": "2", "panic.Rus-inf-1": "4", "panic.Rus-inf-2": "1", "panic.Rus-inf-3": "6"}
    report = ask(position, "battle", at="2620", table="shock", answers=dice)
    assert report.result.panic == {"Rus-inf-1": 4, "Rus-inf-2": 1, "Rus-inf-3": 6}
    assert (report.result.retreats, report.result.hexes, report.result.pursues) == ("defender", 0, "attacker")
    assert [one.dice for one in ask(position, "battle", at="2620").asks] == ["1d6"]
    assert {one.dice for one in first.asks} == {"1d6"}
    position = STRONG + "2620 clear: Rus-inf-1 (1-4-4)\n2621: austro-hungarian shock XXX St (40-2-4)\n" + DRY
    report = ask(position, "battle", at="2620", table="shock", answers={"die": "2"})
    assert (report.result.outcome, report.asks, report.result.retreats) == ("DP", (), "")


@pytest.mark.rule("CRT-result/MD", "14.15/4")
def test_a_mobile_defence_costs_a_shock_unit_and_whoever_cannot_move() -> None:
    stack = "Rus-2 (1-2-4), russian fortress - Warsaw (?-3-?), Allied-supply-1 (?-1-3)"
    report = fight("austro-hungarian shock XXX St (20-2-4), AH-4 (10-2-4)", stack, 1, table="shock")
    assert report.result.outcome == "MD"
    assert [one.unit for one in report.result.lost] == ["Warsaw", "St"]
    assert report.result.retreating == ("Rus-2", "Allied-supply-1")
    assert report.result.pursues == "attacker"


@pytest.mark.rule("CRT-result/ST", "14.15")
def test_a_stalemate_costs_each_side_a_unit_or_a_corps_of_an_army() -> None:
    position = STRONG + "2620 clear: Rus-2 (1-4-4)\n2621: AH-4 (12-2-4)\n" + DRY
    first = ask(position, "battle", at="2620", answers={"die": "1"})
    assert first.asks[0].options == ("Rus-2", "Rus-2:corps")
    answers = {"die": "1", "defender.one": "Rus-2:corps", "attacker.one": "AH-4"}
    report = ask(position, "battle", at="2620", answers=answers)
    assert lost(report) == [("Rus-2", True, 2, 2), ("AH-4", False, 0, 6)]
    assert (report.result.retreats, report.result.pursues) == ("", "")
    state = after(position, "battle", at="2620", answers=answers)
    assert (state.value("vp", "allies"), state.value("vp", "central-powers")) == (38, 34)


@pytest.mark.rule("17.10/1-3", "14.4", "Opt/Entrench/2", "17.10/4")
def test_supply_is_expended_unless_it_falls_and_the_units_have_fought() -> None:
    position = "options=entrenching\n" + STRONG + "2620 clear: Rus-2 (1-4-4)\n2621: AH-4 (12-2-4)\n" + DRY
    position += "2622: CP-supply-1 radius=1\n2619: Allied-supply-1 radius=1 entrenched\n"
    state = after(
        position, "battle", at="2620", supply=["CP-supply-1"], entrench="Allied-supply-1", answers={"die": "6"}
    )
    assert {state.units[name].place for name in ("CP-supply-1", "Allied-supply-1")} == {"Available"}
    assert state.value("fought", "AH-4") is True
    assert state.value("attacked", "2620") is True
    position = (
        "options=entrenching\n" + STRONG + "2620 clear: Rus-2 (1-4-4), Allied-supply-1 (?-1-3) radius=1 entrenched\n"
    )
    position += "2621: AH-4 (20-2-4)\n" + DRY
    report = ask(position, "battle", at="2620", entrench="Allied-supply-1", answers={"die": "6"})
    assert [change.rule for change in report.changes if getattr(change, "subject", "") == "Allied-supply-1"] == [
        "14.15"
    ]


@pytest.mark.rule("Opt/Air/3", "19.2", "14.4")
def test_supporting_units_have_attacked_and_suffer_nothing_unless_airbases_meet() -> None:
    position = "options=air-units\n" + STRONG + "2620 clear: Rus-2 (10-12-4)\n2621: AH-4 (2-2-4)\n" + DRY
    position += "2622: german airbase - KFO (3-1-2) radius=2\n"
    report = ask(position, "battle", at="2620", airbase="KFO", answers={"die": "1"})
    assert [one.unit for one in report.result.lost] == ["AH-4"]
    contested = position + "2620: russian airbase - Air (1-1-2)\n"
    report = ask(contested, "battle", at="2620", airbase="KFO", answers={"die": "1"})
    assert [one.unit for one in report.result.lost] == ["AH-4", "KFO"]
    fought = [after(text, "battle", at="2620", airbase="KFO", answers={"die": "1"}) for text in (position, contested)]
    assert [state.value("fought", "KFO") for state in fought] == [True, None]
    position = "options=air-units\n" + STRONG + "2620 clear: Rus-2 (10-40-4), russian airbase - Air (1-1-2)\n"
    position += "2621: AH-4 (2-2-4)\n2622: austro-hungarian headquarters XXXXX B (5-1-2) radius=2\n" + DRY
    report = ask(position, "battle", at="2620", hq="B", answers={"die": "1"})
    assert [one.unit for one in report.result.lost] == ["AH-4"]


@pytest.mark.rule("16.3")
def test_nobody_pursues_who_cannot_move_or_attack() -> None:
    report = fight("AH-4 (2-2-4)", "russian fortress - Warsaw (?-20-?), Allied-supply-1 (?-1-3)", 1)
    assert (report.result.outcome, report.result.pursues) == ("AZ", "")


@pytest.mark.rule("14.16", "5.1")
def test_corps_that_wait_off_the_map_take_the_place_of_an_army_and_then_unnamed_ones() -> None:
    position = STRONG + "2620 clear: Rus-2 (1-4-4)\n2621: AH-4 (12-2-4)\n" + DRY
    waiting = position + '"Dead Pile": Rus-inf-2\nAvailable: russian infantry XXX Rus-inf-9\n'
    report = ask(waiting, "battle", at="2620", answers={"die": "6"})
    placed = [
        change for change in report.changes if "2620" in (getattr(change, "after", ""), getattr(change, "place", ""))
    ]
    assert [type(change).__name__ for change in placed] == ["Change", "Change", "Enter", "Change"]
    assert "enough Russian corps" in str(report)
    state = after(waiting, "battle", at="2620", answers={"die": "6"})
    assert {name for name, unit in state.units.items() if unit.place == "2620"} == {
        "Rus-inf-2",
        "Rus-inf-9",
        "Rus-inf-1",
    }
    stated = ask("nation russian spare-corps=3\n" + waiting, "battle", at="2620", answers={"die": "6"})
    assert "enough Russian corps" not in str(stated)
    position = STRONG + "2620 clear: russian cavalry XXXX Cav (1-4-4)\n2621: AH-4 (12-2-4)\n" + DRY
    chart = "chart reorganization russian cavalry-army = 3\n"
    report = ask(chart + position, "battle", at="2620", answers={"die": "6"})
    assert report.result.lost[0].into == ("Rus-cav-1", "Rus-cav-2", "Rus-cav-3")
    assert "enough Russian cavalry corps are assumed to be off the map" in str(report)
    nobody = fight("AH-inf-1 (12-2-4)", "Rus-inf-1 (1-4-4)", 6)
    assert "corps are assumed to be off the map" not in str(nobody)


@pytest.mark.rule("14.14")
def test_factors_that_decide_nothing_are_taken_and_said() -> None:
    bare = STRONG + "2620 clear: Rus-2 (?-12-?)\n2621: AH-4 (2-?-?)\n" + DRY
    report = ask(bare, "battle", at="2620", answers={"die": "1"})
    assert report.result.pursues == "defender"
    assert "Rus-2 assumed to have a movement factor of 1 or more" in str(report)


@pytest.mark.rule("14.16")
@pytest.mark.parametrize(("reading", "corps"), [("available", 1), ("none", 0)])
def test_too_few_corps_for_a_break_down_are_a_ruling(reading: str, corps: int) -> None:
    position = "nation russian spare-corps=1\n" + STRONG + "2620 clear: Rus-2 (1-4-4)\n2621: AH-4 (12-2-4)\n" + DRY
    report = ask(f"ruling short-breakdown={reading}\n{position}", "battle", at="2620", answers={"die": "6"})
    assert [one.corps for one in report.result.lost] == [corps]
    assert f"ruling short-breakdown={reading}" in str(report)
    enough = ask(position.replace("=1\n", "=3\n", 1), "battle", at="2620", answers={"die": "6"})
    assert "short-breakdown" not in str(enough)


def test_answers_that_are_not_due_are_refused() -> None:
    units = ("AH-4 (2-2-4), AH-inf-1 (1-1-3)", "Rus-2 (10-12-4)")
    with pytest.raises(InputError, match=r"attacker\.one: no roll or choice of that name is due"):
        fight(*units, 1, attacker_one="Zed")
    position = STRONG + f"2620 clear: {units[1]}\n2621: {units[0]}\n" + DRY
    with pytest.raises(InputError, match=r"panic\.AH-4: no roll or choice of that name is due") as early:
        ask(position, "battle", at="2620", answers={"panic.AH-4": "3"})
    assert "die=N" in str(early.value.hint)


ALL_KINDS = (
    "Rus-W (2-3-3), Rus-inf-1 (1-1-3), Rus-cav-1 (1-1-5), russian fortress - Warsaw (?-2-?), Allied-supply-1 (?-1-3), "
    "Rus-train-1 (1-1-9), russian infantry XX Div (1-1-3), Rus-2 (1-3-4)"
)
"""A unit of each kind in one hex."""


@pytest.mark.rule("14.15", "CRT-result/DD", "CRT-result/AD", "CRT-result/BB")
def test_all_that_is_no_army_is_eliminated_headquarters_and_fortresses_too() -> None:
    others = ["Rus-W", "Rus-inf-1", "Rus-cav-1", "Warsaw", "Allied-supply-1", "Rus-train-1", "Div"]
    report = fight("AH-4 (40-2-4)", ALL_KINDS, 6)
    assert (report.result.outcome, lost(report)[-1]) == ("DD", ("Rus-2", True, 3, 0))
    assert [name for name, breaks, _, _ in lost(report) if not breaks] == others
    points = {name: cost for name, _, _, cost in lost(report)}
    assert points == {
        "Rus-W": 6,
        "Rus-inf-1": 2,
        "Rus-cav-1": 2,
        "Warsaw": 2,
        "Allied-supply-1": 0,
        "Rus-train-1": 0,
        "Div": 0,
        "Rus-2": 0,
    }
    places = {one.subject: one.after for one in report.changes if getattr(one, "track", "") == "place"}
    assert {name: places[name] for name in others} == dict.fromkeys(others, "Dead Pile")
    assert places["Rus-2"] == "Available"
    attacker = fight("AH-4 (1-2-4), AH-cav-1 (1-1-5), austro-hungarian infantry XX Div (1-1-3)", "Rus-2 (10-12-4)", 3)
    assert (attacker.result.outcome, [one[0] for one in lost(attacker)]) == ("AD", ["AH-cav-1", "Div", "AH-4"])
    bloody = fight("AH-4 (40-2-4)", "Rus-W (2-8-3), Rus-2 (1-3-4)", 2)
    assert (bloody.result.outcome, [one[:2] for one in lost(bloody)]) == (
        "BB", [("Rus-W", False), ("Rus-2", True), ("AH-4", True)]
    )  # fmt: skip
