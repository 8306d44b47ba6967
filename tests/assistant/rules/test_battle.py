"""Combats of made-up games: results and what they lead to, odds columns, and a table of which only the owner knows the cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
import pytest

from assistant.asking import Parameters, Part, Report, View, note, step
from assistant.asking.question import Question, answer_question, decide
from assistant.asking.view import changed
from assistant.asking.what_if import NextColumn, next_column
from assistant.mechanics.effects import Effects, Fought, Result
from assistant.mechanics.odds import Odds, OddsColumns
from assistant.mechanics.procedure import AnswerError, Modifier
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
    odds_columns,
)
from assistant.rules.odds_battle import (
    BattleParameters,
    Described,
    Engagement,
    Fighter,
    OddsRules,
    StrengthNumbers,
    assault,
    column_of,
    fight_of,
    format_table_name,
    near_columns,
    odds_parts,
    plan_of,
)
from assistant.state.changes import Gain
from assistant.util.errors import CodeError, InputError

from ...conftest import answered, told, typed, viewed

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
    column(noting.quiet_view(), question, die="1")
    assert [*noting.premises.facts] == [("turn", "")], "what its result reads is read aside"


def test_the_die_stands_in_the_report_and_a_question_to_ask_next_if_the_game_has_it() -> None:
    assert [step.text for part in battle(die="5").parts if part.title == "Die" for step in part.steps] == ["5"]
    view = View(typed("game kaisers-war-in-the-east\n").game, typed("game kaisers-war-in-the-east\n").state)
    asked = [format_next_question(view, *given) for given in (("retreat", 1), ("retreat", 3), ("advance", 1))]
    assert asked == [" (ask retreat)", " (ask retreat hexes=3)", ""]


# --- odds -------------------------------------------------------------------------------------------------------------

ENDED = """game world-undone-east-prussia-1914
chart german-table 1:2- 1 = AE
chart german-table 3:1+ 2 = DE
"""
BEFORE = "5320: I/2 supply=in\n5420 clear: III/25 supply=in\n5320|5420 open\nphase=first-combat\n"


@pytest.mark.parametrize("first", [None, -2, 0])
@pytest.mark.parametrize("last", [None, 1, 3])
@pytest.mark.parametrize("shift", [-2, 0, 1])
def test_how_near_other_columns_are_agrees_with_trying_one_point_after_the_other(
    first: int | None, last: int | None, shift: int
) -> None:
    columns = OddsColumns(*(None if end is None else Odds(end) for end in (first, last)))
    for attack in range(1, 30):
        for defence in range(1, 12):
            found = near_columns(columns, attack, defence, shift)
            if found.more is None:
                assert columns.of(attack, defence, shift) == columns.of(10**6, defence) == columns.last
                assert found.column == ""
                continue

            def column(strength: int, defence: int = defence) -> Odds:
                return columns.of(strength, defence, shift)

            assert found == next_column(column, attack)


@pytest.mark.parametrize("shift", [-2, 0, 1])
def test_how_near_the_columns_are_of_a_chart_that_skips_some(shift: int) -> None:
    columns = OddsColumns.from_names(["1:3", "1:1", "2:1", "5:1"])
    for attack in range(1, 40):
        found = near_columns(columns, attack, 4, shift)
        now = columns.of(attack, 4, shift)
        assert all(columns.of(attack - less, 4, shift) == now for less in range(found.spare + 1))
        assert found.spare == attack - 1 or columns.of(attack - found.spare - 1, 4, shift) < now
        if found.more is not None:
            assert found.column == str(columns.of(attack + found.more, 4, shift)) > ""
            assert columns.of(attack + found.more - 1, 4, shift) == now < columns.of(attack + found.more, 4, shift)


HILL, WOOD = Modifier("7.6", "a hill", -2), Modifier("7.4", "a wood", 1)


def seen(text: str) -> View:
    position = typed(text)
    return View(position.game, position.state)


@pytest.mark.parametrize(
    ("asked", "column", "attackers"),
    [("9:1", "3:1", ("I/2", "I/1")), ("1:6", "1:2", ("I/2",)), ("3:1", "3:1", ("I/2", "I/1"))],
)
def test_a_column_beyond_the_ends_that_the_owner_has_told_needs_what_the_end_needs(
    asked: str, column: str, attackers: tuple[str, ...]
) -> None:
    report = answered(typed(ENDED + BEFORE + "5320: I/1 supply=in\n"), "need", at="5420", column=asked)
    assert (report.result.column, report.title) == (column, f"Column {column} against 5420")
    assert report.result.plan.attackers == attackers


def test_odds_beyond_the_ends_that_the_owner_has_told_are_read_there_after_shifts() -> None:
    view = seen(ENDED)
    assert odds_columns(view, "german-table") == OddsColumns(Odds(-1), Odds(2))
    assert [column_of(view, "german-table", *pair) for pair in ((1, 9), (7, 5), (99, 2), (3, 0))] == [
        "1:2",
        "1:1",
        "3:1",
        "3:1",
    ]
    assert odds_columns(view, "russian-table") == OddsColumns()
    assert view.cell_key("german-table", "1:7", 9) == ("1:2-", 9)
    assert view.cell_key("german-table", "5:1", 2) == ("3:1+", 2)
    columns = [column_of(seen(ENDED), "german-table", *pair, (HILL, WOOD)) for pair in ((9, 4), (20, 4), (3, 4))]
    assert columns == ["1:1", "3:1", "1:2"]
    assert column_of(seen(ENDED), "german-table", 9, 4, (WOOD, WOOD)) == "3:1"


def test_an_attack_on_no_hex_is_the_mistake_of_who_asks() -> None:
    with pytest.raises(InputError, match="at: no hex is named"):
        answered(typed(ENDED + "5320: I/2\n"), "battle", at=[])


def test_the_report_takes_no_missing_cell_for_a_result() -> None:
    report = answered(typed(ENDED + BEFORE), "battle", at=["5420"])
    cells = [ask.key for ask in report.asks if ask.kind == "cell"]
    assert cells == [("german-table", "1:1", die) for die in range(1, 7)]
    assert "1:1- or 1:1+, 1- or 1+ where it holds beyond" in next(
        ask.takes for ask in report.asks if ask.kind == "cell"
    )
    assert (report.result.chances, report.verdict.kind) == ((), "figure")
    assert "or trust charts" in " ".join(told(report))


@pytest.mark.parametrize("effect", ["attacker:pays", "defender:pay", "defender", "attackers:all"])
def test_an_effect_that_no_result_has_is_not_taken_for_the_loss_of_all(effect: str) -> None:
    combat = answered(typed(ENDED + BEFORE), "battle", at=["5420"]).result.combat
    with pytest.raises(CodeError, match="'.*' of the result EX is unknown"):
        fight_of(combat, {"EX": Result("EX", "an exchange", (effect,))}, "6.4", lambda fought: ())


def fighter(name: str, place: str, strength: int) -> Fighter:
    return Fighter(unit=name, place=place, sp=strength, strength=strength)


def shifted(shifts: tuple[Modifier, ...] = (HILL, WOOD)) -> Engagement:
    """9 against 4 in a column of a chart that ends at 3:1."""
    return Engagement(
        at=("5420",),
        side="german",
        attackers=(fighter("a", "5320", 9),),
        defenders=(fighter("b", "5420", 4),),
        attack=9,
        defence=4,
        column=column_of(seen(ENDED), "german-table", 9, 4, shifts),
        shifts=shifts,
    )


def rules_of(chart: Callable[[Engagement], str]) -> OddsRules:
    numbers = BattleNumbers(die="7.3", table="7.3", result="7.5", retreat="8.1", pursuit="8.2")
    return OddsRules(lambda view, asked: shifted(), lambda *given: (), chart, fight, numbers, StrengthNumbers("7.2"))


def fight(view: View, combat: Engagement) -> Fight:
    raise NotImplementedError


def test_each_shift_is_a_step_with_its_rule_and_stands_in_the_picture_and_the_plan() -> None:
    rules = rules_of(lambda combat: "german-table")
    (part,) = odds_parts(shifted(), rules)
    assert [(step.rule, step.text) for step in part.steps[2:]] == [
        ("7.3", "9 against 4 is 2:1"),
        ("7.6", "-2 a hill"),
        ("7.4", "+1 a wood"),
        ("7.3", "shifted -1: column 1:1"),
    ]
    assert part.brief == "9 against 4, shifted -1: column 1:1"
    assert [*assault(shifted()).odds][2:] == [
        ("attack to defence", "2.25:1"),
        ("rounded", "2:1"),
        ("a hill", "-2"),
        ("a wood", "+1"),
    ]
    assert plan_of(Described(BattleParameters(at=("5420",)), shifted())).remarks == ("shifted -1",)
    (plain,) = odds_parts(shifted(()), rules)
    assert (plain.steps[-1].text, plain.brief) == ("9 against 4: column 2:1",) * 2


def test_what_a_unit_counts_stands_with_the_reason_and_its_rule() -> None:
    across = Fighter(unit="a", place="5320", sp=9, strength=5, reason="across the river", rule="7.7")
    cut_off = Fighter(unit="b", place="5321", sp=3, halved=True, strength=2)
    plain = Fighter(unit="c", place="5322", sp=2, strength=4)
    combat = msgspec.structs.replace(shifted(()), attackers=(across, cut_off, plain))
    rules = rules_of(lambda combat: "german-table")._replace(strengths=StrengthNumbers("7.2", "7.8"))
    (part,) = odds_parts(combat, rules)
    assert [(step.rule, step.text) for step in part.steps[:4]] == [
        ("7.7", "a in 5320: 9, 5 across the river"),
        ("7.8", "b in 5321: 3, 2 without a line of supply"),
        ("7.2", "c in 5322: 2, 4 in this combat"),
        ("7.2", "b in 5420: 4"),
    ]
    assert [*assault(combat).sum][:3] == [
        ("a in 5320, across the river", "5"),
        ("b in 5321, halved without a line of supply", "2"),
        ("c in 5322", "4"),
    ]


def test_a_table_is_called_by_its_side_only_where_each_has_its_own() -> None:
    view = seen(ENDED)
    assert format_table_name(view, lambda combat: f"{combat.side}-table", shifted()) == view.title_of("german")
    title = view.game.chart("german-table").title
    assert format_table_name(view, lambda combat: "german-table", shifted()) == title.removesuffix(" Table")
