"""Games on a map in a journal: answers carried out, an earlier loss amended, the answers named that were given from it, and
each position had again.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from assistant import read
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.records.journal import answers, journal_file
from assistant.records.journal.answers import Given, give_answer
from assistant.records.journal.entries import Answer
from assistant.records.journal.exchange import preview_source, write_message
from assistant.records.journal.files import create
from assistant.records.journal.findings import list_findings
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.records.journal.journal_text import format_added
from assistant.util import clock
from assistant.util.console import Watch, unwatched
from assistant.util.work_time import WorkTime

from ....cases import thorough
from ....commands import run_command

EXAMPLES = Path(__file__).parents[4] / "plugins" / "twilight_in_the_east" / "examples"
BATTLE = "battle at=41.19 attacker-ap=3,20 defender-ap=1"
DICE = "crt=2+5 slrt=3/4 losses=29/20,27/3 ec.1/1=6 ec.29/20=5 ec.25/3=12 onward.40.20=39.20"


@pytest.fixture
def file(tmp_path: Path) -> JournalFile:
    game = load_game("twilight-in-the-east")
    path = tmp_path / "east.journal"
    create(path, write_head(game, Position(game, read(EXAMPLES / "battle-before.pos").state), ""))
    return JournalFile(path, load_game)


def lost(file: JournalFile, unit: str, moment: str = "") -> object:
    fact = read(f"{file.file}{moment}").state.facts.get(("lost", unit))
    return fact.value if fact else None


def test_a_battle_is_carried_out_and_an_amended_loss_names_what_was_given_from_it(file: JournalFile) -> None:
    file.add("fact 29/20 -3")
    added = file.add(f"answer {BATTLE} | {DICE}")
    assert added.reports[0].verdict.kind == "figure"
    assert read(f"{file.file}#2").state.units["27/3"].place == "39.20"
    assert read(f"{file.file}#1").state.units["27/3"].place == "40.20"
    assert (lost(file, "29/20", "#1"), lost(file, "29/20")) == (3, 4)
    file.add("turn next")
    file.add("fact 27/3 -2")
    amended = file.add("amend 1 29/20 -2")
    (conflict,) = amended.difference.conflicts
    assert conflict.entry == 2 and (("lost", "29/20"), 3, 2) in conflict.changed
    assert "entry 2" in "\n".join(list_findings(file.read()))
    assert lost(file, "29/20", "#1") == 2
    # its changes stand until it is asked again, with the same dice
    assert lost(file, "29/20") == 4
    again = file.add("amend 2 again")
    assert again.reports[0].verdict.kind == "figure"
    assert "  before:" in list(format_added(again)) and "  again:" in list(format_added(again))
    assert lost(file, "29/20") == 3 and list(list_findings(file.read())) == []
    assert lost(file, "27/3", "@1") == 1 and lost(file, "27/3", "@2") == 2


def test_a_mail_with_an_answer_that_was_amended_and_kept_is_taken_whole(file: JournalFile, tmp_path: Path) -> None:
    empty = file.file.read_bytes()
    for typed in (
        "fact 29/20 -3",
        f"answer {BATTLE} | {DICE}",
        "amend 1 29/20 -2",
        "keep 2",
        "amend 1 29/20 -1",
        "amend 2 again",
    ):
        file.add(typed)
    other = tmp_path / "other.journal"
    other.write_bytes(empty)
    mail = tmp_path / "mail.txt"
    mail.write_text(write_message(file.read(), 0)[0])
    theirs = JournalFile(other, load_game)
    assert len(theirs.add_from(lambda journal: preview_source(journal, mail).lines).entries) == 6
    assert preview_source(theirs.read(), mail).said == ("6 entries are there already",)
    assert (lost(theirs, "29/20"), list(list_findings(theirs.read()))) == (lost(file, "29/20"), []) == (2, [])


@thorough
def test_what_answers_were_given_from_is_made_again_if_it_is_missing(file: JournalFile) -> None:
    file.add("fact 29/20 -3")
    file.add(f"answer {BATTLE} | {DICE}")
    file.add("amend 1 29/20 -2")
    before = list(list_findings(file.read()))
    kept = file.file.parent / f".{file.file.name}.reads"
    whole = kept.read_bytes()
    kept.unlink()
    assert list(list_findings(file.read_again())) == before and before
    assert not kept.exists()
    for damaged in (
        whole[:-9], b"\xff" + whole, whole.replace(b'"lost"', b'"lots"'), whole.replace(b"null", b'{"a":1}'), b"[" * 9999
    ):  # fmt: skip
        kept.write_bytes(damaged)
        assert list(list_findings(JournalFile(file.file, load_game).read_again())) == before, damaged[:40]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions of answers that are given again from now on."""
    again = list[str]()

    def give(position: Position, answer: Answer, watch: Watch = unwatched) -> Given:
        again.append(answer.question)
        return give_answer(position, answer, watch)

    monkeypatch.setattr(answers, "give_answer", give)
    return again


def test_opening_a_journal_asks_nothing_again_but_a_correction_does_and_keeps_it(
    file: JournalFile, asked: list[str]
) -> None:
    file.add("fact 29/20 -3")
    file.add(f"answer {BATTLE} | {DICE}")
    kept = file.file.parent / f".{file.file.name}.reads"
    kept.unlink()
    asked.clear()
    opened = JournalFile(file.file, load_game)
    assert opened.read().position() == file.read().position()
    opened.add("fact 25/3 -1")
    assert not asked
    assert JournalFile(file.file, load_game).add("amend 1 29/20 -2").difference.conflicts
    assert asked
    assert kept.exists()
    asked.clear()
    assert JournalFile(file.file, load_game).add("amend 1 29/20 -1").journal.books.conflicts
    assert not asked


def test_what_is_asked_twice_of_the_same_position_is_answered_once(tmp_path: Path, asked: list[str]) -> None:
    path = tmp_path / "again.journal"
    lines = ["journal twilight-in-the-east 1", "1 2 fact 40.20: 25/3", "2 2 fact turn=2 phasing=russian phase=supply"]
    lines += [f"{number} 2 answer turn |  | turn - 2 -> 2 5.4.4" for number in range(3, 9)]
    lines += ["9 2 fact phase=movement", "10 2 answer turn |  | turn - 2 -> 2 5.4.4"]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    assert len(JournalFile(path, load_game).read_again().reads) == 7
    assert asked == ["turn", "turn"]


def test_a_journal_stands_wherever_a_position_does(file: JournalFile) -> None:
    file.add("fact 29/20 -3")
    file.add(f"answer {BATTLE} | {DICE}")
    for typed in (
        ["compare", f"{file.file}#1", f"{file.file}#2"],
        ["supply", f"{file.file}#1", "--unit", "1/1", "--accept", "drawn"],
        ["check", f"{file.file}@1"],
        ["battle", f"{file.file}#1", "--at", "41.19", "--attacker-ap", "3,20", "--defender-ap", "1"],
    ):
        done = run_command(file.file.parent, *typed)
        assert done.returncode in (0, 4), done
    moved = run_command(file.file.parent, "compare", f"{file.file}#1", f"{file.file}#2").stdout
    assert "27/3" in moved and "39.20" in moved


def test_a_change_that_no_longer_fits_is_still_carried_out(file: JournalFile) -> None:
    file.add("fact 40.20: 25/3, 27/3")
    file.add(f"answer {BATTLE} | {DICE}")
    added = file.add("amend 1 40.21: 27/3")
    assert not added.journal.all_faults() and added.difference.conflicts
    assert read(file.file).state.units["27/3"].place == "39.20"


def test_an_answer_is_entered_from_where_it_was_asked(file: JournalFile) -> None:
    asked = ["--at", "41.19", "--attacker-ap", "3,20", "--defender-ap", "1", "--answers", DICE]
    folder, words = file.file.parent, [*asked, "--after", "east.journal"]
    done = run_command(folder, "battle", "east.journal", *words)
    assert done.returncode == 0 and "1 1 answer battle at=41.19" in done.stderr
    assert lost(file, "29/20") == 4
    other = run_command(folder, "battle", "east.journal#0", *words)
    assert other.returncode == 3 and "the journal stands in another position" in other.stderr


def test_journal_of_dear_answers_takes_bounded_time(file: JournalFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sends a journal may leave away from what its answers were given."""
    file.add("fact 29/20 -3")
    for number in range(3):
        file.add(f"fact 35/17 -{number + 1}" if number else "fact 41.20: 35/17", "answer turn |  | turn - 2 -> 2 5.4.4")
    (file.file.parent / f".{file.file.name}.reads").unlink(missing_ok=True)
    checked = run_command(file.file.parent, "journal", "check", file.file.name, "--seconds", "0")
    assert "! entries 3, 5, 7 could not be checked within 0 seconds: --seconds 600 allows more" in checked.stdout
    monkeypatch.setattr(journal_file, "CHECK_SECONDS", 1e-9)
    assert JournalFile(file.file, load_game).add("strike 1").journal.reads == {}
    monkeypatch.undo()
    assert len(JournalFile(file.file, load_game).add("strike 2").journal.reads) == 3


def test_check_of_a_small_journal_asks_no_dear_answer_again_once_its_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of the answers would take about two seconds, by itself in bounds, and all together ten."""
    worked = list[str]()
    monkeypatch.setattr(clock, "work_seconds", lambda: 2.0 * len(worked))
    monkeypatch.setattr(answers, "_try_reads", lambda position, answer, time: worked.append(answer.question) or {})
    rows = ["journal twilight-in-the-east 1", "setup 19-august-1914", "1 2 fact phasing=russian"]
    for number in range(2, 10, 2):
        rows.append(f"{number} 2 fact weather={'freeze' if number % 4 else 'normal'}")
        rows.append(f"{number + 1} 2 answer lifelines |  | turn - 2 -> 2 5.4.4")
    (tmp_path / "small.journal").write_text("\n".join([*rows, ""]))
    checked = run_command(tmp_path, "journal", "check", "small.journal")
    assert worked == ["lifelines"]
    assert "! entries 5, 7, 9 could not be checked within 2 seconds: --seconds 600 allows more" in checked.stdout
    assert checked.returncode == 4


def test_dear_answer_is_stopped_in_the_middle(file: JournalFile, monkeypatch: pytest.MonkeyPatch) -> None:
    file.add("fact trust charts", "answer attacks side=russian |  | turn - 1 -> 1 5.4.4")
    file.file.with_name(f".{file.file.name}.reads").unlink(missing_ok=True)
    checking = ["journal", "check", file.file.name, "--seconds", "3"]
    assert run_command(file.file.parent, *checking).returncode == 0
    looks = count()
    monkeypatch.setattr(clock, "work_seconds", lambda: next(looks))
    checked = run_command(file.file.parent, *checking)
    assert "! entry 2 could not be checked within 3 seconds" in checked.stdout
    assert checked.returncode == 4


def test_where_no_time_is_left_all_ways_out_of_a_conflict_are_named(file: JournalFile) -> None:
    file.add("fact 29/20 -3")
    file.add(f"answer {BATTLE} | {DICE}")
    file.add("amend 1 29/20 -2")
    assert "`keep 2`, or `amend 2 again`" in "\n".join(list_findings(file.read()))
    assert "`keep 2`, `amend 2 again` or `strike 2`" in "\n".join(list_findings(file.read(), WorkTime(0)))
    checked = run_command(file.file.parent, "journal", "check", file.file.name, "--seconds", "0")
    assert checked.returncode == 1
