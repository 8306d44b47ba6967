"""Answers of games of data: each kind of clause, results in the usual notation, overrides, index and proof sheet."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.game.games import Game
from assistant.game.proof.stated import read_stated
from assistant.game.rule_file import read_ranges
from assistant.game.rule_index import rule_index
from assistant.game.rule_questions import rules_with_questions
from assistant.game.rule_results import read_result
from assistant.installed.check import examine_game
from assistant.installed.registry import named_game, questions_of
from assistant.rules.clauses.overrides import override
from assistant.service import ask as ask_service
from assistant.state.changes import Change, Gain
from assistant.testing import asked, typed
from assistant.util.errors import CodeError, InputError, PluginError

GAMES = Path(__file__).parent / "games"
EAST, CROSSING = GAMES / "east41", GAMES / "crossing14"


def ask(game: Path, text: str, question: str, **parameters: Any) -> Report[Any]:
    return asked(typed(f"board field\n{text}", named_game(str(game))), question, **parameters)


def reached(report: Report[Any]) -> dict[str, int]:
    return {place.hex: place.cost for place in report.result.hexes}


def lines_of(report: Report[Any]) -> list[str]:
    return [f"{step.rule} {step.text}" for part in report.parts for step in part.steps]


# --- movement, zones, stacking ----------------------------------------------------------------------------------------


def test_an_enemy_zone_costs_more_to_enter_and_to_leave_but_not_for_cavalry() -> None:
    text = '0303: "I Res"\n0203: "1 Cav"\n0304: "2 Corps"\n'
    foot, horse = (reached(ask(CROSSING, text, "reach", unit=unit)) for unit in ("I Res", "1 Cav"))
    assert (foot["0203"], foot["0202"]) == (2, 2), "1 for the hex, and 1 to leave the zone"
    assert horse["0202"] == 1
    assert horse["0303"] == 2, "1 more to enter the zone"


def test_mud_costs_a_point_and_closes_rivers_unless_bridges_are_built() -> None:
    text = '0404: "I Res"\n0405: Hutier\n'
    dry = reached(ask(CROSSING, text, "reach", unit="I Res"))
    mud = ask(CROSSING, f"weather=mud\n{text}", "reach", unit="I Res")
    assert "0505" in dry
    assert mud.result.allowance == 3
    barred = {option.hex: (option.rule, option.barred) for option in mud.result.barred}
    assert barred["0505"] == ("4.7", "no unit crosses a river in mud")
    bridged = ask(CROSSING, f"weather=mud\noptions=bridging\n{text}", "reach", unit="I Res")
    assert "0505" in reached(bridged)
    assert ask(CROSSING, f"weather=mud\n{text}", "reach", unit="Hutier").result.allowance == 8


def test_units_enter_at_the_edge_of_their_side_in_their_turn() -> None:
    late = ask(CROSSING, "turn=2\nXX arrives=3\n", "reach", unit="XX")
    assert late.verdict.kind == "no"
    assert lines_of(late)[0] == "4.9 XX enters in turn 3, and this is turn 2"
    assert set(reached(ask(CROSSING, "turn=3\nXX arrives=3\n", "reach", unit="XX"))) >= {"0101", "0107"}


def test_artillery_and_leaders_have_no_zone_and_a_leader_takes_no_room() -> None:
    text = "0303: XX, Guns, Hutier\n0606: Rennen\n"
    zones = ask(CROSSING, text, "zones").result.hexes
    assert {unit for zone in zones for unit in zone.units} == {"XX"}
    assert not ask(CROSSING, text, "stack", at=["0303"]).result.is_excessive
    crowded = ask(CROSSING, '0303: XX, Guns, "I Res", "1 Cav"\n', "stack", at=["0303"], ended=True)
    assert set(crowded.result.stacks[0].excess) == {("Guns",), ("1 Cav",), ("XX",), ("I Res",)}, "10 points of 8"


def test_a_move_changes_the_place_and_marks_the_unit() -> None:
    report = ask(CROSSING, '0303: "I Res"\n', "move", units=["I Res"], way=["0302"])
    changes = {(change.track, change.after) for change in report.changes if isinstance(change, Change)}
    assert changes == {("place", "0302"), ("moved", True)}
    refused = ask(CROSSING, '0303: "I Res" disordered\n', "move", units=["I Res"], way=["0302"])
    assert lines_of(refused) == ["4.6 I Res is disordered"]


# --- supply -----------------------------------------------------------------------------------------------------------


def test_a_depot_is_a_source_with_its_option_and_lines_end_in_swamp() -> None:
    text = '0406: "6 Corps"\n'
    far = ask(CROSSING, "0104: Rennen\n", "supply", side="russian").result.units[0]
    assert far.supplied is False
    near = ask(CROSSING, f"options=depots\n{text}", "supply", side="russian").result.units[0]
    assert (near.source, near.hexes) == ("Suwalki", 2)
    held = ask(CROSSING, f"options=depots\n0505 control=german\n0506 control=german\n0507 control=german\n{text}", "supply", side="russian")  # fmt: skip
    assert held.result.units[0].hexes != 2, "lines enter no hex that the enemy controls"


# --- battle -----------------------------------------------------------------------------------------------------------


def test_strengths_are_halved_and_doubled_and_the_rule_is_named() -> None:
    report = ask(CROSSING, '0202: XX\n0302: "Don Cav"\n0203: "6 Corps"\n', "battle", at=["0202"])
    combat = report.result.combat
    assert [(unit.unit, unit.strength, unit.rule) for unit in combat.attackers] == [("Don Cav", 1, "6.6"), ("6 Corps", 3, "6.4")]  # fmt: skip
    assert (combat.defence, combat.column) == (14, "1:2")
    other = ask(CROSSING, 'ruling cavalry-town=whole\n0202: XX\n0302: "Don Cav"\n', "battle", at=["0202"])
    assert other.result.combat.attack == 2


def test_a_leader_and_a_forest_modify_the_die_and_mud_shifts() -> None:
    near = ask(CROSSING, '0303: XX, Hutier\n0304: "2 Corps"\n', "battle", at=["0304"]).result
    assert [(drm.rule, drm.amount) for drm in near.combat.modifiers] == [("6.5", 1)]
    wet = ask(CROSSING, 'weather=mud\n0303: XX, Hutier\n0304: "2 Corps"\n', "battle", at=["0304"]).result
    assert [(shift.rule, shift.amount) for shift in wet.combat.shifts] == [("6.5", -1)]
    wood = ask(CROSSING, '0202: XX\n0301: "2 Corps"\n', "battle", at=["0301"]).result
    assert [(drm.why, drm.amount) for drm in wood.combat.modifiers] == [("forest", -1)]


def test_an_exchange_costs_the_attacker_as_much_and_the_enemy_scores() -> None:
    text = '0303: XX\n0203: "1 Cav"\n0304: "6 Corps"\n'
    position = typed(f"board field\n{text}", named_game(str(CROSSING)))
    fought = ask_service(position, "battle", at=["0304"], answers={"die": "5"})
    assert fought.result.outcome == "EX"
    assert set(fought.result.lost) == {"6 Corps", "XX"}
    gains = {(gain.subject, gain.amount) for gain in fought.changes if isinstance(gain, Gain)}
    assert gains == {("russian", 4), ("german", 3)}
    assert not fought.result.pursues


def test_an_owner_chooses_the_unit_that_loses_a_step() -> None:
    text = 'board field\n0204: "I Pz"\n0203: "V Inf"\n0304: "3 Army"\n'
    position = typed(text, named_game(str(EAST)))
    due = ask_service(position, "battle", at=["0304"], answers={"die": "2"})
    assert due.result.outcome == "EX"
    (choice,) = due.asks
    assert (choice.name, set(choice.options)) == ("attacker.step", {"V Inf", "I Pz"})
    chosen = ask_service(position, "battle", at=["0304"], answers={"die": "2", "attacker.step": "V Inf"})
    changes = {(change.track, change.subject) for change in chosen.changes if isinstance(change, Change)}
    assert changes >= {("reduced", "V Inf"), ("reduced", "3 Army")}


@pytest.mark.parametrize(
    ("text", "effects", "retreats", "hexes"),
    [
        ("NE", (), "", 1),
        ("A1/D2", ("attacker:step", "defender:step", "defender:step"), "", 1),
        ("DR2", (), "defender", 2),
        ("D1 DR3", ("defender:step",), "defender", 3),
        ("AE", ("attacker:all",), "", 1),
        ("EX", ("defender:all", "attacker:pay"), "", 1),
    ],
)
def test_results_in_the_usual_notation(text: str, effects: tuple[str, ...], retreats: str, hexes: int) -> None:
    result = read_result("X", text)
    assert (result.effects, result.retreats, result.hexes) == (effects, retreats, hexes)


@pytest.mark.parametrize("text", ["X1", "D0", "AR DR", "D1X"])
def test_what_is_not_a_result_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_result("X", text)


def test_numbers_and_ranges() -> None:
    assert read_ranges(3) == ((3, 3),)
    assert read_ranges(("2-5", "7-")) == ((2, 5), (7, None))
    with pytest.raises(ValueError):
        read_ranges("many")


# --- after the battle -------------------------------------------------------------------------------------------------


def test_a_retreat_leads_toward_the_edge_and_over_no_river() -> None:
    report = ask(CROSSING, '0303: XX\n0304: "2 Corps"\n', "retreat", units=["2 Corps"], hexes=1)
    barred = {option.hex: (option.rule, option.barred) for option in report.result.options if option.barred}
    assert barred["0303"] == ("7.1", "enemies stand there")
    assert barred["0204"][0] in ("7.1", "7.2")
    river = ask(CROSSING, "0505: XX\n", "retreat", units=["XX"], hexes=1).result
    assert {option.hex for option in river.options if not option.barred} == {"0504", "0506"}
    said = {option.hex: (option.rule, option.barred) for option in river.options}
    assert said["0405"] == ("7.2", "no retreat crosses a river")
    assert said["0605"] == ("7.1", "farther from the western edge")


def test_an_advance_enters_one_hex_and_artillery_stays() -> None:
    ok = ask(CROSSING, "0303: XX, Guns\n", "advance", units=["XX"], at="0304")
    assert ok.verdict.kind == "yes"
    no = ask(CROSSING, "0303: XX, Guns\n", "advance", units=["Guns"], at="0304")
    assert "8.2 Guns does not advance: it is artillery" in lines_of(no)
    river = ask(CROSSING, '0404: "1 Cav"\n', "advance", units=["1 Cav"], at="0505")
    assert any("no advance crosses a river" in line for line in lines_of(river))


def test_victory_counts_places_and_losses() -> None:
    report = ask(CROSSING, "0202: XX\n0904 control=russian\n0803 control=russian\n0606 control=german\n0104 control=german\nside russian lost=4\n", "victory")  # fmt: skip
    assert {score.side: score.total for score in report.result.scores} == {"german": 12, "russian": 6}
    assert (report.result.winner, report.result.level) == ("german", "victory")


# --- index, proof sheet, registration ---------------------------------------------------------------------------------


def test_the_rule_index_names_clauses_and_their_questions() -> None:
    game = named_game(str(EAST))
    code = {row.rule: row.code for row in rule_index(game)}
    assert code["4.2"] == ("rules.toml:zones.barred 1",)
    assert code["4.3"] == ("rules.toml:movement.stop",)
    asked_by = {row.rule: questions for row, questions in rules_with_questions(game, questions_of(game).modules)}
    assert set(asked_by["7.5"]) == {"battle", "attacks", "need", "threat"}
    assert set(asked_by["4.3"]) == {"reach", "move", "threat"}


def test_the_proof_sheet_says_clauses_in_words() -> None:
    facts = read_stated(named_game(str(EAST))).facts
    (shift,) = [line for line in facts["7.3"] if "battle.shift" in line]
    assert shift == "rules.toml, battle.shift 1: column 1: tanks against none in the clear, if the unit: arm armour; no defender: arm armour; the hex: terrain clear"  # fmt: skip
    assert facts["4.3"] == ["rules.toml, movement.stop: the rule by which units stop in an enemy zone"]


def test_only_the_questions_of_its_sections_are_registered(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(EAST, tmp_path / "part"))
    (folder / "rules.toml").write_text('[zones]\nrule = "4.1"\n')
    names = set(questions_of(named_game(str(folder))))
    assert "zones" in names
    assert names.isdisjoint({"battle", "reach", "supply", "threat", "odds"})


def test_a_fault_is_said_with_file_and_line_when_a_question_is_asked(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(EAST, tmp_path / "faulty"))
    text = (folder / "rules.toml").read_text()
    (folder / "rules.toml").write_text(text.replace("hexes = 4", 'hexes = "four"'))
    with pytest.raises(InputError, match="hexes") as caught:
        ask(folder, '0204: "I Pz"\n', "reach", unit="I Pz")
    assert caught.value.where is not None
    assert caught.value.where.file == "rules.toml"
    assert caught.value.where.line > 0


# --- overrides --------------------------------------------------------------------------------------------------------

OVERRIDES = '''
from assistant.rules.clauses import override


@override("movement.step")
def disengage(step, usual):
    """Tanks that leave an enemy zone pay two points more. Rule: 4.3"""
    if isinstance(usual, int) and step.leaves_zone and step.facts["arm"] == "armour":
        return usual + 2
    return "the cavalry stays out of cities" if step.facts["arm"] == "cavalry" and step.ground["terrain"] == "city" else usual


@override("movement.points")
def march(unit, usual):
    """The V Inf marches one hex more. Rule: 6.1"""
    return usual + (unit.unit == "V Inf")


@override("zones.has")
def zone(unit, usual):
    """Units that have lost a step have no zone. Rule: 4.1"""
    return usual and not unit.facts["reduced"]


@override("battle.strength")
def strength(fighter, usual):
    """A defending Garrison counts 7. Rule: 7.4"""
    return 7 if fighter.unit == "Garrison" and fighter.role == "defender" else usual


@override("battle.shift")
def shift(combat, usual):
    """Three attackers shift a column more. Rule: 7.3"""
    return usual + (len(combat.attackers) >= 3)


@override("retreat.step")
def retreat(step, usual):
    """No unit retreats into a swamp. Rule: 7.6"""
    return usual or ("a swamp" if step.ground["terrain"] == "swamp" else "")
'''


@pytest.fixture
def overridden(tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(EAST, tmp_path / "east41"))
    (folder / "__init__.py").write_text("")
    (folder / "overrides.py").write_text(OVERRIDES)
    return folder


def test_an_override_decides_each_point(overridden: Path) -> None:
    front = '0204: "I Pz"\n0304: "3 Army"\n0403: Cav\n'
    assert reached(ask(overridden, front, "reach", unit="I Pz"))["0104"] == 3
    assert reached(ask(EAST, front, "reach", unit="I Pz"))["0104"] == 1
    barred = {option.hex: (option.rule, option.barred) for option in ask(overridden, front, "reach", unit="Cav").result.barred}  # fmt: skip
    assert barred["0504"] == ("4.3", "the cavalry stays out of cities")
    assert ask(overridden, '0203: "V Inf"\n', "reach", unit="V Inf").result.allowance == 4
    assert ask(overridden, '0304: "3 Army" reduced\n0203: "V Inf"\n', "zones", side="soviet").result.hexes == ()
    fort = ask(overridden, '0504: Garrison\n0503: "V Inf"\n0403: "VI Inf"\n0404: "VII Inf"\n', "battle", at=["0504"])
    assert fort.result.combat.defence == 7
    assert [(shift.why, shift.amount) for shift in fort.result.combat.shifts] == [("city", -2), ("by override", 1)]  # fmt: skip
    back = ask(overridden, '0304: "3 Army"\n', "retreat", units=["3 Army"], hexes=1).result
    assert {option.hex: option.barred for option in back.options}["0305"] == "a swamp"


def test_check_takes_a_game_with_overrides_and_names_an_init_that_is_missing(overridden: Path) -> None:
    assert examine_game(str(overridden)).faults.lines == []
    (overridden / "__init__.py").unlink()
    assert any("overrides.py is not read without an __init__.py" in line for line in examine_game(str(overridden)).faults.lines)  # fmt: skip


def test_the_rule_index_names_an_override_and_its_questions(overridden: Path) -> None:
    game = named_game(str(overridden))
    asked_by = {row.rule: questions for row, questions in rules_with_questions(game, questions_of(game).modules)}
    (place,) = [place for row in rule_index(game) if row.rule == "4.3" for place in row.code if "overrides" in place]
    assert place.endswith("disengage")
    assert set(asked_by["4.3"]) == {"reach", "move", "threat"}


def test_the_next_phase_needs_no_code() -> None:
    report = ask(CROSSING, "turn=2\nphasing=russian\nphase=move\n0303: XX moved\n", "next")
    changes = {(change.track, change.after) for change in report.changes if isinstance(change, Change)}
    assert changes >= {("phase", "combat"), ("moved", None)}


def test_a_wrong_answer_of_an_override_names_its_line(overridden: Path) -> None:
    (overridden / "overrides.py").write_text(OVERRIDES.replace("return usual + (unit.unit", "return str(usual) + str(unit.unit"))  # fmt: skip
    with pytest.raises(PluginError, match=r"overrides.py:[0-9]+ march: '3True' is not an answer for movement.points"):
        ask(overridden, '0203: "V Inf"\n', "reach", unit="V Inf")


def test_an_unknown_point_is_refused_with_the_nearest() -> None:
    with pytest.raises(CodeError) as caught:
        override("movement.steps")
    assert "movement.step" in caught.value.hint


def test_a_game_without_rules_of_data_loads_none_of_this() -> None:
    game: Game = named_game("world-undone-east-prussia-1914")
    assert not any(module.startswith("assistant.rules.clauses") for module in questions_of(game).modules.values())
