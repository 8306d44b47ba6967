"""What a log tells of its battles: how they are known, which throw is for what, what the players chose, and how that is told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from assistant.faces.cli.main import cli
from assistant.formats.positions import Throw
from assistant.records.explaining import explanation
from assistant.records.explaining.account import MAX_LINES, format_explanation, format_question_briefly
from assistant.records.explaining.explanation import (
    AnsweringThrow,
    ExplainedQuestion,
    Explanation,
    ThrowAndTalk,
    TrialBudget,
    explain_log,
    match_throws,
)
from assistant.records.explaining.record import ChatNotation, Disagreement, JudgedFact, LogStretch
from assistant.service import parse
from assistant.state.changes import AnyChange, Change

from ....cases import thorough
from .played import ASK, BATTLE, CHECKS, DICE, OUTCOME, table


def explained(start: str, *happenings: str, side: str = "") -> Explanation:
    return explain_log(table(start, *happenings, side=side), "game.vlog")


def only(found: Explanation) -> ExplainedQuestion:
    (one,) = found.explained
    return one


WHOLE = (*DICE, *CHECKS, OUTCOME)


def test_the_dice_answer_the_rolls_and_the_map_shows_the_choices() -> None:
    one = only(explained(f"{BATTLE}{ASK}", *WHOLE))
    assert one.opened == "asked in the notes"
    assert [answering.name for answering in one.throws] == [
        *("crt", "slrt.attacker", "slrt.defender"),
        *("ec.40.19", "ec.40.20", "ec.41.19"),
    ]
    assert one.chosen == {"losses.attacker": "29/20,27/3", "onward.40.20.1": "39.20"}
    assert one.report is not None and one.report.result.outcome.attacker_steps == 2
    assert (one.differs, one.unmarked, one.unused) == ((), (), ())
    onward = "38.20: 27/3"
    assert only(explained(f"{BATTLE}{ASK}", *WHOLE, onward)).differs == ()


@thorough
def test_another_choice_of_the_players_is_seen_too() -> None:
    other = OUTCOME.replace("29/20 -4", "29/20 -3").replace("25/3 cel", "25/3 -1 cel")
    one = only(explained(f"{BATTLE}{ASK}", *DICE, other))
    assert one.chosen == {"losses.attacker": "25/3,27/3"} or not one.report.changes  # the checks are missing
    whole = only(explained(f"{BATTLE}{ASK}", *DICE, *CHECKS, other.replace("-1 cel=-1", "-1 cel=-2")))
    assert whole.chosen["losses.attacker"] == "25/3,27/3"


@thorough
def test_what_the_players_did_otherwise_is_told() -> None:
    done = OUTCOME.replace("25/3 cel=-1", "25/3").replace("1/1 -2", "1/1 -3").replace("39.20: 27/3", "39.21: 27/3")
    one = only(explained(f"{BATTLE}{ASK}", *DICE, *CHECKS, done))
    assert {(differing.track, differing.subject, differing.rules, differing.log) for differing in one.differs} >= {
        ("lost", "1/1", 2, 3),
        ("cel", "25/3", -1, 0),
        ("place", "27/3", one.chosen["onward.40.20.1"], "39.21"),
    }
    assert next(one.rule for one in one.differs if one.subject == "25/3") == "11.3.2"


@thorough
def test_a_loss_that_the_rules_do_not_bring_is_told() -> None:
    more = OUTCOME + "43.25: 30/4 -1\n"
    one = only(explained(f"{BATTLE}43.25: 30/4\n{ASK}", *DICE, *CHECKS, more))
    assert one.differs == (Disagreement("lost", "30/4", 0, 1, ""),)


def test_marks_of_the_phase_that_nobody_set_are_no_difference() -> None:
    bare = OUTCOME.replace(" fought", "").replace(" retreated", "").replace("41.19 attacked\n", "")
    one = only(explained(f"{BATTLE}{ASK}", *DICE, *CHECKS, bare))
    assert one.differs == ()
    assert ("attacked", "41.19") in one.unmarked and ("fought", "25/3") in one.unmarked


# --- which throw is for what ------------------------------------------------------------------------------------------


def test_what_is_typed_before_a_throw_tells_what_it_is_for() -> None:
    said = ("say: ec.41.19", CHECKS[2], "say: now 29/20 checks!", CHECKS[0], CHECKS[1])
    one = only(explained(f"{BATTLE}{ASK}", *DICE, *said, OUTCOME))
    assert [answering.name for answering in one.throws[3:]] == ["ec.41.19", "ec.40.19", "ec.40.20"]
    assert (one.in_order, one.differs) == (("slrt.attacker",), ())


@thorough
def test_else_the_order_tells_it_that_fits_what_was_done() -> None:
    turned = (CHECKS[2], CHECKS[0], CHECKS[1])  # 41.19, 40.19, 40.20
    one = only(explained(f"{BATTLE}{ASK}", *DICE, *turned, OUTCOME))
    totals = {answering.name: answering.throw.total for answering in one.throws[3:]}
    assert one.differs == () and totals["ec.40.20"] == 12
    assert "ec.40.19" in one.in_order


def test_a_throw_of_other_dice_is_not_for_it() -> None:
    one = only(explained(f"{BATTLE}{ASK}", DICE[0], "2d6 1 1", *DICE[1:], *CHECKS, OUTCOME))
    assert [throw.step for throw in one.unused] == [2]
    assert one.differs == ()


# --- how a battle is known --------------------------------------------------------------------------------------------


def test_a_question_typed_into_the_chat_opens_it() -> None:
    found = explained(BATTLE, "2d6 1 1", f"say: {ASK}", *WHOLE)
    assert [throw.step for throw in found.unexplained] == [1]
    one = only(found)
    assert one.opened == "typed in step 2 by Boris" and one.first == 2 and one.differs == ()


def test_of_equal_throws_each_answers_a_noted_roll_by_its_faces_or_its_sum() -> None:
    checks = ("2d6 1 4", "2d6 1 4", "2d6 2 4")
    answers = "noted: answers crt=7 slrt=3/4 ec.29/20=5 ec.1/1=1+4 ec.25/3=6"
    one = only(explained(BATTLE, *DICE, *checks, f"noted: {ASK}", answers))
    names = ("crt", "slrt", "slrt", "ec.29/20", "ec.1/1", "ec.25/3")
    assert [(answering.name, answering.throw.step) for answering in one.throws] == [
        *zip(names, range(1, 7), strict=True)
    ]


def test_a_noted_sum_is_that_of_a_throw_of_its_dice() -> None:
    """A single die of 6 is not read as two dice that total 6."""
    answers = "noted: answers crt=6 slrt=3/4"
    found = explained(BATTLE, "2d6 3 3", "1d6 6", *DICE[1:], f"noted: {ASK}", answers)
    throws = [(answering.name, answering.throw.step) for answering in only(found).throws]
    assert throws == [("crt", 1), ("slrt", 3), ("slrt", 4)]
    assert [throw.step for throw in found.unexplained] == [2]


def test_a_noted_question_without_dice_takes_none_of_the_next_one() -> None:
    notes = ("noted: ask dig-in unit=25/3 points=7", f"noted: {ASK}", "noted: answers crt=2+5 slrt=3/4")
    first, second = explained(BATTLE, "2d6 2 5", *notes).explained
    assert (first.question, first.throws, first.given) == ("dig-in", (), {})
    assert (second.question, second.given) == ("battle", {"crt": "2+5", "slrt": "3/4"})


@thorough
def test_answers_and_facts_typed_into_the_chat_count() -> None:
    unknown = BATTLE.replace("41.19|40.19,40.20 open\n", "")
    typed = ("say: Field Staff: 41.19|40.19,40.20 open", f"say: {ASK}", "say: answers losses.attacker=25/3,27/3")
    one = only(explained(unknown, *typed, *DICE, *CHECKS))
    assert one.report is not None and one.report.verdict.kind != "undecided"
    assert "losses.attacker" not in one.chosen and "losses.attacker" not in [ask.name for ask in one.report.asks]


def test_a_typed_line_that_makes_no_sense_and_an_unknown_question_are_told() -> None:
    ((typed, fault),) = explained(BATTLE, "say: Field Staff: 99.99x clear", "say: ask me later").faults
    assert typed.text == "99.99x clear" and "99.99x" in fault
    ((typed, fault),) = explained(BATTLE, "say: ask batle at=41.19").faults
    assert typed.text == "ask batle at=41.19" and "batle" in fault
    assert explained(f"{BATTLE}ask batle at=41.19", DICE[0]).explained == ()


@pytest.mark.parametrize(
    ("start", "outcome", "sign"),
    [
        (BATTLE, OUTCOME, "shown by the markers on the units that fought (1/1, 25/3, 27/3, 29/20)"),
        (BATTLE, OUTCOME.replace(" fought", ""), "shown by the marker of an attack on 41.19"),
        (BATTLE + "41.19 announced\n", "turn=1", "shown by the marker of an announced attack on 41.19"),
        (
            BATTLE.replace("27/3 (10-?-5-10)", "27/3 (10-?-5-10) prepared=41.19"),
            "turn=1",
            "shown by the markers of 27/3, which point at 41.19",
        ),
    ],
)
def test_marks_on_the_map_open_it(start: str, outcome: str, sign: str) -> None:
    found = explained(start, *DICE, outcome)
    one = only(found)
    assert (one.opened, one.parameters["at"]) == (sign, "41.19")
    assert one.parameters.get("from", "40.19,40.20") == "40.19,40.20"
    assert one.report is not None and [ask.name for ask in one.report.asks] == ["attacker-ap", "defender-ap"]
    assert ([throw.step for throw in one.waiting], found.unexplained) == ([1, 2, 3], ())


def test_without_any_sign_a_throw_stays_unexplained() -> None:
    found = explained(BATTLE, *DICE)
    assert found.explained == () and [throw.step for throw in found.unexplained] == [1, 2, 3]


def test_one_battle_after_the_other() -> None:
    second = "43.25: 30/4 (10-9-5-10)\n44.25: 2/1 (12-16-7-11)\n43.25|44.25 open\n44.25 clear\n"
    found = explained(f"{BATTLE}{second}{ASK}", *WHOLE, "say: ask battle at=43.25", "2d6 1 2")
    assert [one.parameters["at"] for one in found.explained] == ["41.19", "43.25"]
    assert found.explained[0].last == len(WHOLE) and found.explained[0].differs == ()


def test_a_question_that_cannot_be_asked_says_why_and_one_without_dice_is_answered_where_it_is_typed() -> None:
    found = explained(BATTLE, "say: ask stack at=40.20", "40.20: 25/3")
    assert only(found).report is not None and "40.20" in only(found).report.title  # type: ignore[union-attr]
    one = only(explained(BATTLE, "say: ask battle at=41.19 from=99.99", *DICE))
    assert "99.99" in one.why_not and one.report is None


# --- judgements -------------------------------------------------------------------------------------------------------


def test_a_supply_state_that_players_set_is_judged() -> None:
    start = 'game twilight-in-the-east\n40.21: "3 Train" supply=in range=5 extended-range=8\n40.20: 25/3\n'
    line = 'line "3 Train": 40.21 -road- 40.20 rough\n'
    found = explained(start + line, "40.20: 25/3 supply=low", "turn=1")
    (judged,) = found.judged
    assert (judged.step, judged.unit, judged.log, judged.rules) == (1, "25/3", "low", "in")
    assert judged.report is not None and "In Supply" in judged.report.verdict.text


def test_a_side_is_told_by_what_it_sees() -> None:
    found = explained(f"{BATTLE}{ASK}", *WHOLE, side="central-powers")
    assert found.viewpoint == "central-powers"
    assert not any(differing.subject in ("27/3",) for one in found.explained for differing in one.differs)


def test_in_a_later_phase_the_same_hex_may_be_attacked_again() -> None:
    phases = ("turn=2", "41.19 announced")
    found = explained(BATTLE + "41.19 announced\n", DICE[0], *phases, DICE[0])
    assert [one.first for one in found.explained] == [0, 3]


@thorough
def test_a_log_of_a_thousand_throws_is_gone_through() -> None:
    found = explained(f"{BATTLE}{ASK}", *DICE, *CHECKS, OUTCOME, *["2d6 1 1"] * 1200)
    assert only(found).differs == () and len(found.unexplained) == 1200


# --- which throw answers which roll -----------------------------------------------------------------------------------

POSITION = parse(f"{BATTLE}{ASK}")


class Anything:
    """A log that contradicts nothing."""

    def misfit(self, changes: Sequence[AnyChange], /) -> int:
        """Nothing."""
        return 0

    def likely(self, word: str, /) -> int:
        """Nothing."""
        return 0

    def find_distance(self, word: str, /) -> int:
        """Nothing."""
        return 0


def throw(step: int, *faces: int, said: Sequence[str] = ()) -> ThrowAndTalk:
    return ThrowAndTalk(Throw(step, f"{len(faces)}d6", faces, "Anna"), tuple(said))


def test_throws_answer_rolls_in_the_order_in_which_the_rules_ask_unless_a_name_or_an_answer_is_typed() -> None:
    thrown = [throw(1, 2, 5), throw(2, 3), throw(3, 4)]
    found = match_throws(POSITION, POSITION.asks[0], thrown, {}, Anything(), TrialBudget())
    assert found.answers["crt"] == "2+5"
    assert [(name, one.step) for name, one in found.used] == [("crt", 1), ("slrt.attacker", 2), ("slrt.defender", 3)]
    assert found.in_order == ("slrt.attacker",)
    thrown = [throw(1, 2, 5), throw(2, 3, said=["defender:"]), throw(3, 4)]
    found = match_throws(POSITION, POSITION.asks[0], thrown, {}, Anything(), TrialBudget())
    assert [(name, one.step) for name, one in found.used][1:] == [("slrt.defender", 2), ("slrt.attacker", 3)]
    assert found.in_order == ()
    found = match_throws(POSITION, POSITION.asks[0], [throw(1, 3)], {"crt": "7"}, Anything(), TrialBudget())
    assert [name for name, _ in found.used] == ["slrt.attacker"]


@thorough
def test_dice_that_cannot_fall_so_are_passed_over() -> None:
    thrown = [throw(1, 2, 5), throw(2, 3), throw(3, 4), throw(4, 9, 9), throw(5, 1, 4)]
    found = match_throws(POSITION, POSITION.asks[0], thrown, {}, Anything(), TrialBudget())
    assert [one.step for one in found.unused] == [4]
    assert [one.step for _, one in found.used] == [1, 2, 3, 5]


def test_with_the_budget_spent_only_the_first_possibility_is_tried() -> None:
    budget = TrialBudget()
    budget.left = 1
    thrown = [throw(1, 2, 5), throw(2, 3), throw(3, 4), throw(4, 1, 4), throw(5, 6, 6), throw(6, 2, 4)]
    found = match_throws(POSITION, POSITION.asks[0], thrown, {}, Anything(), budget)
    assert len(found.used) == 6 and budget.left == 0


def test_a_log_that_fits_no_course_is_tried_in_all_ways_while_there_is_budget() -> None:
    class Nothing(Anything):
        """A log that contradicts everything."""

        def __init__(self) -> None:
            self.tried = 0

        def misfit(self, changes: Sequence[AnyChange], /) -> int:
            """Something."""
            self.tried += 1
            return 1

    def ways(left: int) -> int:
        budget, log = TrialBudget(), Nothing()
        budget.left = left
        match_throws(POSITION, POSITION.asks[0], [throw(1, 2, 5), throw(2, 3), throw(3, 4)], {}, log, budget)
        return log.tried

    assert ways(0) == 1 < ways(5000)


def test_a_spent_limit_of_trials_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [line.replace("cel=-2", "cel=-3") for line in OUTCOME.splitlines()]
    log = table(BATTLE, f"say: {ASK}", *DICE, *CHECKS, *wrong)
    monkeypatch.setattr(explanation, "_MAX_TRIALS", 1)
    found = explain_log(log, "made.vlog")
    assert found.explained[0].is_partial
    assert "! more choices and orders of dice may fit than are tried" in format_explanation(found)


def test_hexes_near_where_units_ended_are_tried_first() -> None:
    stretch = LogStretch(table(BATTLE, *OUTCOME.splitlines()), 0, 5)
    assert [stretch.find_distance(word) for word in ("39.20", "40.20", "41.19", "27/3")] == [0, 1, 2, 0]


def test_a_level_that_no_counter_shows_is_no_difference() -> None:
    stretch = LogStretch(table(BATTLE, "40.20: 25/3 cel=-1, 27/3"), 0, 1)
    spent, level = Change("leader-uses", "", None, "x", ""), Change("cel", "25/3", None, -2, "11.3.2")
    differs, _ = stretch.agreement([spent, level])
    assert [differing.track for differing in differs] == ["cel"]


# --- in words and as JSON ---------------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[4]
LOG = ROOT / "plugins/twilight_in_the_east/examples/comprehensive-example.vlog"


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, words, prog_name="assistant")


@thorough
def test_a_battle_with_more_to_tell_is_cut_where_it_matters_least() -> None:
    done = OUTCOME.replace("1/1 -2", "1/1 -3").replace("25/3 cel=-1", "25/3 -1")
    found = explain_log(table(f"{BATTLE}{ASK}", DICE[0], "2d6 1 1", *DICE[1:], *CHECKS, done), "game.vlog")
    lines = format_question_briefly(found.explained[0], 1)
    assert len(lines) <= MAX_LINES
    assert any("the rules do not ask for it here" in line for line in lines)
    assert any("more)" in line for line in lines) and any(
        line.startswith("! 1/1: by the rules lost 2") for line in lines
    )


def test_agreement_is_told_and_what_the_log_lacks_with_how_to_state_it() -> None:
    found = format_explanation(explain_log(table(f"{BATTLE}41.19 announced\n", *DICE), "game.vlog"))
    assert "? Artillery Ammunition Points: ask ... attacker-ap=20,3, or all, or none" in found
    assert (
        "? the log lacks this; type into the chat before the dice, with what is missing: ask battle at=41.19" in found
    )
    assert "Dice that may then be for it: step 1: 2d6 2+5 = 7; step 2: 1d6 3; step 3: 1d6 4" in found
    missing = format_explanation(explain_log(table(f"{BATTLE}{ASK}", *DICE), "game.vlog"))
    assert "? the log lacks this; type into the chat after the dice: answers NAME=VALUE" in missing
    nothing = format_explanation(explain_log(table(BATTLE, DICE[0], "say: ask batle at=41.19"), "game.vlog"))
    assert (
        "Throws with no known purpose\n- step 1: 2d6 2+5 = 7 (Anna)" in nothing
        and "Typed for the assistant, but not understood" in nothing
    )
    whole = explain_log(table(f"{BATTLE}{ASK}", *DICE, *CHECKS, OUTCOME), "game.vlog")
    assert "The log agrees with the rules." in format_explanation(whole).splitlines()


@thorough
def test_json_holds_everything_with_the_whole_reports() -> None:
    found = json.loads(run("explain", str(LOG), "--json").stdout)
    (one,) = found["explained"]
    assert one["throws"][0] == {"name": "crt", "throw": {"step": 4, "dice": "2d6", "faces": [2, 5], "player": "Tester"}}
    assert one["chosen"] == {"losses.attacker": "29/20,27/3", "onward.40.20.1": "39.20"}
    assert one["differs"] == [{"track": "cel", "subject": "25/3", "rules": -1, "log": 0, "rule": "11.3.2"}]
    assert one["report"]["question"] == "battle" and one["report"]["parts"][0]["steps"][0]["text"]
    assert found["judged"][0]["report"]["verdict"]["text"].startswith("25/3 is In Supply")


def test_a_side_is_told_nothing_of_the_steps_in_between() -> None:
    said = run("explain", str(LOG), "--as", "central-powers").stdout
    assert said.splitlines()[0].endswith("9 lines of throws and chat, counted as steps, 1 question explained")
    assert "cel -2" not in said and "You see what the Central Powers side knows." in said


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    said = run("explain", str(LOG.with_suffix(".vsav")))
    assert said.exit_code == 3 and "it holds no steps" in said.stderr
    assert run("explain", str(tmp_path / "none.vlog")).exit_code == 3
    assert "a log cannot be read from standard input" in run("explain", "-").stderr
    (tmp_path / "a.pos").write_text(BATTLE)
    assert "a .pos file is not a log" in run("explain", str(tmp_path / "a.pos")).stderr
    assert "unknown source" in run("explain", str(LOG), "--accept", "rumour").stderr


def test_the_page_names_every_field_of_the_json() -> None:
    page = (ROOT / "docs/mail/vassal.md").read_text("utf-8")
    table = page[page.index("With `--json`:") :]
    for kind in (Explanation, ExplainedQuestion, AnsweringThrow, JudgedFact, Disagreement, Throw, ChatNotation):
        assert [field.name for field in msgspec.structs.fields(kind) if f"`{field.name}`" not in table] == [], kind
