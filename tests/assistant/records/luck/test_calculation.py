"""The luck of logs and journals: both tell the same of the same battle, a side is told nothing that rests on hidden facts, and
what cannot be told is named and counted.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from assistant.installed.registry import load_game
from assistant.records.explaining.played_journal import play_journal
from assistant.records.explaining.played_log import play_log
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.records.luck.calculation import tell_luck
from assistant.records.luck.evening import BattleLuck, ChoiceLuck, Evening, ThrownDice
from assistant.state.tracks import Source
from assistant.state.trust import AS_STATED, Trust

from ....cases import few
from ....conftest import typed
from ..explaining.played import ASK, BATTLE, CHECKS, DICE, OUTCOME, record
from ..explaining.test_played import ANSWERS
from .asked import evening_of, passage

ACCEPTED = Trust(frozenset({Source.RECONSTRUCTION}))
PLAYED = (*DICE, *CHECKS, OUTCOME)
QUESTION = ASK.removeprefix("ask ")
TRUSTED = BATTLE.replace("board east", "board east\ntrust charts")


def of_log(*happenings: str, side: str = "", start: str = f"{BATTLE}{ASK}", trust: Trust = ACCEPTED) -> Evening:
    return tell_luck(play_log(record(start, *happenings, side=side), "game.vlog", trust))


def of_journal(folder: Path, *entries: str) -> Evening:
    file = folder / "game.journal"
    start = typed(TRUSTED)
    create(file, write_head(load_game("twilight-in-the-east"), start, ""))
    opened = JournalFile(file, load_game)
    for entry in entries:
        opened.add(entry)
    return tell_luck(play_journal(opened.read(), ACCEPTED))


def rolls_of(battle: BattleLuck) -> list[tuple[str, int, Fraction | None, Fraction | None]]:
    return [(roll.name, roll.natural, roll.luck, roll.percentile) for roll in battle.rolls]


def test_a_log_and_a_journal_tell_the_same_of_a_battle(tmp_path: Path) -> None:
    (logged,), (entered,) = of_log(*PLAYED).battles, of_journal(tmp_path, f"answer {QUESTION} | {ANSWERS}").battles
    assert rolls_of(logged) == rolls_of(entered) and len(rolls_of(logged)) == 6
    assert (logged.expected, logged.swing, logged.percentile) == (entered.expected, entered.swing, entered.percentile)
    assert logged.sides == entered.sides
    assert {roll.player for roll in logged.rolls} == {"Anna"} and {roll.player for roll in entered.rolls} == {""}
    assert next(logged.rolls).shown == next(entered.rolls).shown == "2+5"


def test_each_question_of_a_journal_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.records.explaining.played_journal.ask", pytest.fail)  # the whole answer
    (battle,) = of_journal(tmp_path, f"answer {QUESTION} | {ANSWERS}").battles
    assert len(rolls_of(battle)) == 6


def test_luck_and_choices_of_an_evening_come_to_its_swing() -> None:
    position = typed(TRUSTED)
    checks = {"ec.40.19": "5", "ec.40.20": "12", "ec.41.19": "6"}
    answers = ({"crt": "7", "slrt": "3/4", "losses": "29/20,27/3"}, {"crt": "7", "slrt": "3/6", "losses": "25/3,27/3"})
    given = {"at": "41.19", "attacker_ap": "3,20", "defender_ap": "1"}
    told = evening_of(
        passage(position, "battle", {**dice, **checks}, number, **given) for number, dice in enumerate(answers, 1)
    )
    assert len(told.battles) == 2 and not told.left_out
    for side in told.sides:
        assert side.expected + side.own_luck + side.enemy_luck + side.choices == side.swing == side.taken - side.lost
    one, other = told.sides
    assert (one.own_luck, one.enemy_luck) == (-other.enemy_luck, -other.own_luck)
    assert one.percentile + other.percentile == 1


def test_a_battle_tells_who_threw_what_was_chosen_and_what_it_rests_on() -> None:
    (battle,) = of_log(*PLAYED).battles
    crt = next(battle.rolls)
    theirs = next(roll for roll in battle.rolls if roll.name == "slrt.defender")
    assert (crt.side, theirs.side) == ("russian", "central-powers")
    assert crt.before == battle.expected
    assert theirs.after == Fraction(-battle.swing)  # no step turns on the check that follows
    (choice,) = (turn for turn in battle.turns if isinstance(turn, ChoiceLuck))
    assert (choice.taken, choice.by_policy, choice.side) == ("29/20,27/3", "25/3,27/3", "russian")
    assert battle.rests_on[0] == "made-up charts: Combat Results Table, Step Loss Results Table"
    assert "rolls matched by the order of the throws only" in battle.rests_on[1]
    assert "choices as the map shows them" in battle.rests_on[2]


def test_without_charts_a_battle_is_left_out_with_its_reason_and_its_throws_stay() -> None:
    told = of_log(*PLAYED, trust=AS_STATED)
    unknown = ["16 cells of the Combat Results Table and the Step Loss Results Table are unknown"]
    assert (told.battles, [left.why for left in told.left_out]) == ((), unknown)
    assert [roll.shown for other in told.others for roll in other.rolls][:1] == ["2+5"]


def test_a_battle_that_cannot_be_asked_is_left_out(tmp_path: Path) -> None:
    told = of_journal(tmp_path, "fact 41.19 clear: 1/1", f"answer {QUESTION} | {ANSWERS}", "amend 1 fact 43.25: 1/1")
    (left,) = told.left_out
    assert "41.19" in left.why and left.number == 1


def test_a_battle_that_the_rules_forbid_is_left_out() -> None:
    position = typed(TRUSTED.replace("25/3 (10-?-5-10)", "25/3 (10-?-5-10) fought"))
    given = {"at": "41.19", "attacker_ap": "none", "defender_ap": "none", "from_": "40.20"}
    (left,) = evening_of([passage(position, "battle", {"crt": "7"}, **given)]).left_out
    assert left.why.startswith("the rules do not allow it: ")


def test_a_battle_that_was_only_asked_about_is_none_and_throws_with_no_known_purpose_are_counted() -> None:
    told = of_log("43.25: 30/4\n")
    assert (told.battles, told.left_out, told.others) == ((), (), ())
    told = of_log("1d6 5", start=BATTLE)
    assert (told.unexplained, told.battles) == (1, ())


def test_a_side_is_told_of_no_battle_that_rests_on_what_it_may_not_know() -> None:
    told = of_log(*PLAYED, side="russian")
    assert [left.why for left in told.left_out] == ["it rests on what this side may not know"]
    assert all(roll.luck is None and roll.passed is None for other in told.others for roll in other.rolls)


@few(1)
@pytest.mark.parametrize("side", ["russian", "central-powers"])
def test_what_is_hidden_changes_nothing_that_a_side_is_told(side: str) -> None:
    hidden = {
        "russian": ("1/1 (12-16-7-11)", "1/1 (12-16-7-11) -1"),
        "central-powers": ("27/3 (10-?-5-10)", "27/3 (9-?-4-9) -2"),
    }
    one, other = hidden[side]
    told, changed = (of_log(*PLAYED[:3], side=side, start=f"{BATTLE.replace(one, seen)}{ASK}") for seen in (one, other))
    assert told == changed


def test_rolls_outside_battles_have_no_luck() -> None:
    march = typed("game twilight-in-the-east\nturn=1\n40.20: 25/3 (10-?-5-10)\ntrust charts\n")
    told = evening_of([passage(march, "forced-march", {"ec": "5"}, unit="25/3", points="2")])
    ((roll,),) = (other.rolls for other in told.others)
    assert isinstance(roll, ThrownDice) and (roll.luck, roll.passed) == (None, 1)
    assert told.kinds[0].luck is None and told.kinds[0].passed == 1
