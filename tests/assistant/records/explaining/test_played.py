"""Logs and journals gone through alike, and what players type into the chat for the assistant."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import ask
from assistant.formats.positions import ChatLine, Position, Record
from assistant.installed.registry import load_game
from assistant.records.explaining.account import format_explanation
from assistant.records.explaining.explanation import explain_log, reason
from assistant.records.explaining.played import PlayedRecord
from assistant.records.explaining.played_journal import play_journal
from assistant.records.explaining.played_log import play_log
from assistant.records.explaining.record import AnnotatedRecord, Disagreement, LogStretch, find_notation
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.service import parse
from assistant.state.changes import Gain
from assistant.util.errors import InputError

from .played import ASK, BATTLE, CHECKS, DICE, OUTCOME, in_a_journal, record, table

ANSWERS = "crt=2+5 slrt=3/4 losses=29/20,27/3 ec.1/1=6 ec.29/20=5 ec.25/3=12 onward.40.20=39.20"


def logged(*happenings: str, start: str = f"{BATTLE}{ASK}", side: str = "") -> PlayedRecord:
    return play_log(record(start, *happenings, side=side), "game.vlog")


def goes_on_without_gaps(played: PlayedRecord) -> bool:
    """Whether each passage begins in the position in which the one before it ends."""
    before = [played.start.state, *(passage.after.state for passage in played)]
    return [passage.before.state for passage in played] == before[:-1]


def test_a_battle_of_a_log_has_its_dice_with_who_threw_them_and_the_positions_around_it() -> None:
    moved = "43.25: 30/4\n"
    played = logged(moved, *DICE, *CHECKS, OUTCOME)
    moves, battle = played
    assert (moves.kind, battle.kind, battle.number, battle.last) == ("moves", "question", 1, 8)
    assert battle.before.state.units["30/4"].place == "43.25"
    assert battle.after.state.units["27/3"].place == "39.20"
    question = battle.question
    assert question is not None and question.asked.question == "battle"
    assert question.answers["crt"] == "2+5" and question.answers["losses.attacker"] == "29/20,27/3"
    assert {throw.player for throw in question.throws.values()} == {"Anna"}
    assert "losses.attacker" in question.guessed
    assert ask(battle.before, question.asked, question.answers) == question.report
    assert goes_on_without_gaps(played)


def test_a_journal_has_the_same_battle(tmp_path: Path) -> None:
    played = in_a_journal(tmp_path, f"answer {ASK.removeprefix('ask ')} | {ANSWERS}", "turn next", "fact 27/3 -2")
    battle, turn, fact = played
    assert [passage.kind for passage in played] == ["question", "turn", "fact"]
    assert battle.question is not None and battle.question.report is not None
    (of_log,) = (passage.question for passage in logged(*DICE, *CHECKS, OUTCOME).questions)
    assert of_log is not None and of_log.report is not None
    assert battle.question.report.result == of_log.report.result
    assert battle.changes == battle.question.report.changes
    assert (battle.when.turn, turn.when.turn, fact.when.turn) == ("1", "2", "2")
    assert fact.text == "fact 27/3 -2" and goes_on_without_gaps(played)


def test_what_is_only_asked_or_struck_was_not_played(tmp_path: Path) -> None:
    played = in_a_journal(tmp_path, "asked battle at=41.19", "fact 29/20 -2", "fact 29/20 -1", "strike 3")
    assert [passage.number for passage in played] == [2]


def test_a_question_that_cannot_be_asked_says_why(tmp_path: Path) -> None:
    battle = f"answer {ASK.removeprefix('ask ')} | {ANSWERS}"
    passage = in_a_journal(tmp_path, "fact 41.19 clear: 1/1", battle, "amend 1 fact 43.25: 1/1").passages[-1]
    assert passage.question is not None and passage.question.report is None
    assert "41.19" in passage.question.why_not


def test_the_moment_is_told_in_the_words_of_the_game() -> None:
    start = BATTLE.replace("turn=1", "turn=1 phase=attack phasing=russian")
    (passage,) = logged(*DICE, *CHECKS, OUTCOME, start=f"{start}{ASK}").questions
    assert passage.when.label(passage.before.game) == "turn 1, Attack (Russian)"


def test_a_side_counts_only_what_all_see() -> None:
    played = logged("43.25: 30/4\n", *DICE, *CHECKS, OUTCOME, side="central-powers")
    assert played.viewpoint == ("central-powers", "Central Powers")


@pytest.mark.parametrize("happenings", [(), ("say: hello",)])
def test_where_nothing_moves_nothing_was_played(happenings: tuple[str, ...]) -> None:
    played = play_log(record(BATTLE, *happenings), "game.vlog")
    assert all(passage.kind == "moves" for passage in played)


def test_states_worked_out_in_one_go_are_those_of_each_entry_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "war.journal"
    create(file, write_head(load_game("der-weltkrieg"), None, ""))
    opened = JournalFile(file, load_game)
    for entry in (
        "ah dm 22",
        "ru dm 9",
        "turn dec14/1",
        "ge spend 12",
        "late aug14/5 ah dm 530",
        "turn next",
        "strike 1",
    ):
        opened.add(entry)
    journal = opened.read()
    played = play_journal(journal)
    for passage in played:
        if passage.kind != "turn":
            assert (passage.before.state, passage.after.state) == journal.books.find_effect(passage.number)[0]
    assert goes_on_without_gaps(played)


def test_passages_are_the_same_in_whichever_order_they_are_read(tmp_path: Path) -> None:
    entries = [f"fact 29/20 -{number}" for number in range(1, 6)]
    forwards, backwards = in_a_journal(tmp_path / "one", *entries), in_a_journal(tmp_path / "other", *entries)
    after = [passage.after.state for passage in reversed(backwards.passages)]
    assert [passage.after.state for passage in forwards] == after[::-1]


# --- what players type into the chat ----------------------------------------------------------------------------------

SUPPLY = ("supply", "25/3")


def unreadable_after(step: int, *, private: bool, typed: str) -> Record:
    """A record with a typed line, whose position cannot be read from one step on."""

    def position(at: int) -> Position:
        if at < step:
            return parse(BATTLE)
        error = InputError("unit 1/1 is in the save twice")
        error.private = private
        raise error

    return Record(parse(BATTLE).game, 2, (ChatLine(1, typed, "Boris"),), (0, 1, 2), position)


def test_a_position_that_cannot_be_read_is_no_fault_of_a_typed_line() -> None:
    for private in (False, True):
        with pytest.raises(InputError, match="twice"):
            AnnotatedRecord(unreadable_after(1, private=private, typed=ASK))


def test_what_a_side_may_not_know_never_becomes_a_reason() -> None:
    hidden, open = InputError("hidden", hint="see 1/1"), InputError("open", hint="see 1/1")
    hidden.private = True
    with pytest.raises(InputError) as raised:
        reason(hidden)
    assert raised.value is hidden
    assert reason(open) == "open; see 1/1"
    open.names_units = True
    assert reason(open) == "open"


def test_a_typed_fact_holds_until_the_map_or_a_later_line_says_otherwise() -> None:
    typed = table(BATTLE, "say: Field Staff: 25/3 supply=out", "turn=1", "40.20: 25/3 supply=low", "turn=1")
    assert [typed.at(step).state.value(*SUPPLY) for step in range(5)] == [None, "out", "out", "low", "low"]
    lines = ("say: Field Staff: 25/3 supply=out", "say: Field Staff: 25/3 supply=low")
    typed = table(BATTLE, *lines, "turn=1")
    assert [typed.at(step).state.value(*SUPPLY) for step in range(4)] == [None, "out", "low", "low"]
    typed = table(BATTLE, "say: Field Staff: 39.20: 27/3", "turn=1", "38.20: 27/3")
    assert [typed.at(step).state.units["27/3"].place for step in range(4)] == ["40.20", "39.20", "39.20", "38.20"]


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("Field Staff: 41.19 clear", "41.19 clear"),
        (ASK, ASK),
        ("ask batle at=41.19", "ask batle at=41.19"),
        ('ask supply unit="3 Train"', 'ask supply unit="3 Train"'),
        ("ask check", "ask check"),
        ("answers crt=7", "answers crt=7"),
        ("ask me when you are ready", ""),
        ("ask me", ""),
        ("ask", ""),
        ("answers will follow tomorrow", ""),
        ("answers", ""),
        ("ask battle at=41.19 please", ""),
        ("", ""),
    ],
)
def test_a_sentence_is_not_taken_for_notation(text: str, notation: str) -> None:
    assert find_notation(text, parse(BATTLE).game) == notation


def test_a_question_that_cannot_be_asked_is_counted_apart_and_told_with_its_remedy() -> None:
    found = explain_log(
        table(BATTLE, "say: ask stack at=40.20", "say: ask battle at=41.19 form=40.20", *DICE), "game.vlog"
    )
    said = format_explanation(found)
    assert "\n\ngame.vlog: 5 steps, 1 question explained, 1 cannot be asked\n" in said
    assert "form" in found.explained[1].why_not and "; nearest known: from" in found.explained[1].why_not


def test_a_log_asks_no_more_questions_than_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often a line is repeated in its chat."""
    with pytest.raises(InputError, match="its chat asks more than 200 questions"):
        table(BATTLE, *[f"say: {ASK}"] * 250)
    assert len(table(BATTLE, *[f"say: {ASK}"] * 200).asked) == 200


def test_a_long_line_that_cannot_be_read_is_quoted_in_part() -> None:
    ((line, _),) = table(BATTLE, f"say: Field Staff: 41.19 {'x' * 9000}").faults
    assert len(line.text) < 210 and line.text.endswith(" ...")


def test_a_step_before_the_first_position_is_named() -> None:
    record = Record(parse(BATTLE).game, 2, (), (), lambda step: parse(BATTLE))
    with pytest.raises(InputError, match="no position is known after step 1"):
        record.at(1)


def test_what_changed_beside_the_expected_is_a_disagreement_unless_its_marker_ends_by_itself() -> None:
    stretch = LogStretch(table(BATTLE, "40.20: 25/3 -1 fought, 27/3 -1\n"), 0, 1)
    differs, unmarked = stretch.agreement([Gain("lost", "25/3", 1, "10.5")])
    assert (differs, unmarked) == ((Disagreement("lost", "27/3", 0, 1, ""),), ())
    both = [Gain("lost", unit, 1, "10.5") for unit in ("25/3", "27/3")]
    assert stretch.agreement(both) == ((), ())
