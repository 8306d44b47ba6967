"""Logs and journals gone through alike: what was played, in order, each passage with the positions around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import ask, parse
from assistant.installed.registry import load_game
from assistant.records.explaining.played import PlayedRecord
from assistant.records.explaining.played_journal import play_journal
from assistant.records.explaining.played_log import play_log
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile

from .played import ASK, BATTLE, CHECKS, DICE, OUTCOME, record

ANSWERS = "crt=2+5 slrt=3/4 losses=29/20,27/3 ec.1/1=6 ec.29/20=5 ec.25/3=12 onward.40.20=39.20"


def logged(*happenings: str, start: str = f"{BATTLE}{ASK}", side: str = "") -> PlayedRecord:
    return play_log(record(start, *happenings, side=side), "game.vlog")


def in_a_journal(folder: Path, *entries: str) -> PlayedRecord:
    folder.mkdir(exist_ok=True)
    file = folder / "game.journal"
    create(file, write_head(load_game("twilight-in-the-east"), parse(BATTLE), ""))
    opened = JournalFile(file, load_game)
    for entry in entries:
        opened.add(entry)
    return play_journal(opened.read())


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
            assert (passage.before.state, passage.after.state) == journal.books.touched(passage.number).states
    assert goes_on_without_gaps(played)


def test_passages_are_the_same_in_whichever_order_they_are_read(tmp_path: Path) -> None:
    entries = [f"fact 29/20 -{number}" for number in range(1, 6)]
    forwards, backwards = in_a_journal(tmp_path / "one", *entries), in_a_journal(tmp_path / "other", *entries)
    after = [passage.after.state for passage in reversed(backwards.passages)]
    assert [passage.after.state for passage in forwards] == after[::-1]
