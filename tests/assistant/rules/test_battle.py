"""Combats of a made-up game: one die in a column, results in letters, and what they lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
import pytest

from assistant.asking import Parameters, Part, Report, View, note, step
from assistant.asking.question import Question, answer_question, decide
from assistant.asking.view import changed
from assistant.asking.what_if import NextColumn
from assistant.mechanics.effects import Effects, Fought, Result
from assistant.mechanics.procedure import AnswerError
from assistant.rules.battle import (
    Attack,
    Battle,
    BattleNumbers,
    BattleRules,
    CombatTable,
    Fight,
    Help,
    Sensitivity,
    Settled,
    battle_question,
    format_next_question,
)
from assistant.state.changes import Gain

from ...conftest import told, typed, viewed

RESULTS = {
    "DR": Result("DR", "the defender is beaten", ("defender:one",), "defender", "attacker", 2),
    "DP": Result("DP", "the defender flees", (), "defender"),
    "NE": Result("NE", "nothing", ()),
}


class Asked(Parameters, frozen=True):
    """An attack. night: whether it is not allowed."""

    night: bool = False


class Combat(msgspec.Struct, frozen=True):
    """A combat on one hex."""

    at: str = "41.19"
    column: str = "2:1"


class Told(Battle, frozen=True, kw_only=True):
    """What is told of it."""

    combat: Annotated[Combat, note("who fights")]
    lost: Annotated[tuple[str, ...], note("who is lost")] = ()


def ways(role: str, action: str, before: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    return {"B": ("B",), "C": ("C",)}


def rout(fought: Fought[str]) -> Mapping[str, str]:
    return {"panic.D": "how far D flees"} if fought.code == "DP" else {}


EFFECTS: Effects[str] = Effects(
    RESULTS, ways, {"one": "the units that the {} loses"}, lambda fate: None, rout, "3.1", "3.2"
)


def table(name: str) -> CombatTable:
    codes = ("DR", "DR", "DP", "DP", "NE", "NE") if name == "day" else ("NE",) * 6
    return CombatTable(name, f"{name} table", lambda die: codes[die - 1])


def settled(fought: Fought[str]) -> Settled:
    gains = [Gain("vp", "russian", -len(fought.fates), "5.1")] if fought.fates else []
    losses = [step("3.3", "{unit} is lost", unit=unit) for unit in fought.fates]
    return Settled(fought.fates, losses, ("D",) if fought.code != "NE" else (), fought.code == "DR", lambda: gains)


def read(view: View, asked: Asked) -> Attack[Combat]:
    combat = Combat()
    part = Part("Column", (step("2.1", "{column}", combat),))
    return Attack(combat, [table("day"), table("dusk")], [part], [step("1.1", "it is night")] if asked.night else [])


RULES: BattleRules[Any, Asked, Combat] = BattleRules(
    result=Told,
    read=read,
    sensitivity=lambda view, asked, combat: Sensitivity(NextColumn(2, "3:1", 1), {"A": "1:1"}, [Help("Gun", 9, "4:1")]),
    fight=lambda view, asked, combat, code: Fight(EFFECTS, settled),
    where=lambda combat: ["42.19"],
    who=lambda combat: (["A"], ["B"]),
    rules=BattleNumbers(
        die="3.0",
        table="2.1",
        result="3.0",
        retreat="3.4",
        pursuit="3.6",
        panic="3.5",
        other_table="2.2",
        help="2.3",
    ),
)
QUESTION = battle_question(
    "an attack", Asked, RULES, {"die": "the die", "defender.one": "whom", "panic.UNIT": "how far"}
)


def battle(night: bool = False, **answers: str) -> Report[Any]:
    return answer_question(
        QUESTION,
        viewed("41.19: 25/3"),
        Asked(night),
        {name.replace("_", "."): value for name, value in answers.items()},
    )


def test_before_the_die_the_chances_of_both_tables_and_what_would_change_the_column() -> None:
    report = battle()
    assert report.verdict.text == "column 2:1 of the day table; roll 1d6"
    assert [(one.value, one.chance.denominator) for one in report.result.chances] == [("DP", 3), ("DR", 3), ("NE", 3)]
    assert [str(one.value) for one in report.result.other] == ["NE"]
    assert told(report)[-3:] == [
        "2 more strength points would reach 3:1; up to 1 can be lost without dropping a column",
        "without A: column 1:1",
        "with Gun: 9, column 4:1",
    ]
    assert [part.steps[0].rule for part in report.parts] == ["2.1", "2.1", "2.1"]


def test_a_choice_is_due_before_losses_retreat_and_pursuit_unless_a_result_does_nothing() -> None:
    due = battle(die="1")
    assert (due.verdict.text, due.changes) == ("DR, the defender is beaten: 1 answer due", ())
    report = battle(die="1", defender_one="C")
    assert report.verdict.text == "DR, the defender is beaten; the defender retreats; the attacker may pursue 2 hexes"
    assert (report.result.lost, report.result.hexes, report.changes) == (("C",), 1, (Gain("vp", "russian", -1, "5.1"),))
    assert [line.rule for line in report.parts[-1].steps] == ["3.0", "3.3", "3.4", "3.6"]
    assert told(report)[-1].endswith(", into 41.19 first")
    assert battle(die="6").verdict.text == "NE, nothing; no retreat; no pursuit"


def test_each_unit_that_flees_has_a_die_of_its_own() -> None:
    assert [one.name for one in battle(die="3").asks] == ["panic.D"]
    report = battle(die="3", panic_D="5")
    assert (report.result.panic, report.result.hexes, report.result.pursues) == ({"D": 5}, 0, "")
    assert "D retreats 5 hexes in panic (ask retreat hexes=5)" in told(report)


def test_what_is_not_allowed_or_not_due_is_refused() -> None:
    assert battle(night=True).verdict.text == "this attack is not allowed (1 reason)"
    with pytest.raises(AnswerError, match="give the die first"):
        battle(defender_one="B")
    with pytest.raises(AnswerError, match="no roll or choice of that name is due"):
        battle(die="6", defender_one="B")


def test_an_attack_is_read_once_for_each_view_and_the_rules_of_each_game() -> None:
    def read_turn(view: View, asked: Asked) -> Attack[Combat]:
        reads.append(view)
        return read(view, asked)._replace(combat=Combat(column=f"{view.integer('turn')}:1"))

    def fight_on_ground(view: View, asked: Asked, combat: Combat, code: str) -> Fight:
        view.fact("terrain", "41.19")
        return Fight(EFFECTS, settled)

    def column(view: View, question: Question[Any, Any], **answers: str) -> str:
        answer: Report[Any] = decide(question, view, Asked(), answers)
        return str(answer.result.combat.column)

    reads = list[View]()
    rules = RULES._replace(read=read_turn, fight=fight_on_ground)
    question = battle_question("an attack", Asked, rules, {"die": "the die", "defender.one": "whom"})
    view = viewed("turn=3\n41.19 rough: 25/3")
    other = view.after([changed(view, "turn", "", 4, "")])
    assert [column(view, question), column(view, question, die="6"), column(other, question)] == ["3:1", "3:1", "4:1"]
    assert reads == [view, other]
    assert column(view, QUESTION) == "2:1", "another game's rules"
    noting = viewed("turn=3\n41.19 rough: 25/3")
    column(noting, question)
    column(noting.unnoticed(), question, die="1")
    assert [*noting.premises.facts] == [("turn", "")], "what its result reads is read aside"


def test_the_die_stands_in_the_report_and_a_question_to_ask_next_if_the_game_has_it() -> None:
    assert [step.text for part in battle(die="5").parts if part.title == "Die" for step in part.steps] == ["5"]
    view = View(typed("game kaisers-war-in-the-east\n").game, typed("game kaisers-war-in-the-east\n").state)
    asked = [format_next_question(view, *given) for given in (("retreat", 1), ("retreat", 3), ("advance", 1))]
    assert asked == [" (ask retreat)", " (ask retreat hexes=3)", ""]
