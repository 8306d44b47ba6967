"""The table prompt on a journal."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.journal.files import create
from assistant.journal.keeping import JournalFile
from assistant.plugins.registry import load_game
from assistant.prompt.books import Books


@pytest.fixture
def books(tmp_path: Path) -> Books:
    file = tmp_path / "war.journal"
    create(file, "journal der-weltkrieg 1\n")
    return Books(JournalFile(file, load_game), 100)


def typed(books: Books, *lines: str) -> str:
    return "\n".join(text for line in lines for text in books.enter(line))


def test_each_line_is_an_entry_and_says_what_it_changes(books: Books) -> None:
    assert typed(books, "ah dm 22 Sabac") == "1 aug14/1 ah dm 22 Sabac\n  Austria-Hungary: demoralization points +22"
    assert "3 aug14/1 fr dm 4" in typed(books, "ru dm 9, fr dm 4")
    said = typed(books, "turn next")
    assert "4 aug14/2 turn" in said and "Due in aug14/2" in said and books.prompt == "aug14/2> "
    assert "Austria-Hungary: demoralization points -4" in typed(books, "amend 1 18")
    assert "dm Sabac (entry 1, rule 3-11)" in typed(books, "why dm ah")


def test_undo_goes_back_as_far_as_there_are_entries(books: Books) -> None:
    for number in range(30):
        typed(books, f"ru dm {number + 1}")
    for _ in range(30):
        assert not typed(books, "undo").startswith("!")
    assert typed(books, "undo") == "! there is nothing to undo"
    assert books.journal.books.balance("dm", "russian") == 0
    assert len(books.journal.entries) == 60, "nothing is deleted"


def test_an_answer_is_entered_with_its_dice_and_named_when_what_it_read_has_changed(books: Books) -> None:
    typed(books, "ah dm 120", "turn jun15/0")
    assert "`done` enters it" in typed(books, "italy serbia=no die=2")
    assert "italian, enters" in typed(books, "italy serbia=no die=2")
    assert typed(books, "done").startswith("3 jun15/0 answer italy serbia=no | die=2")
    assert books.journal.books.value("enters", "italian") == "aug15/7"
    said = typed(books, "amend 1 20")
    assert "entry 3 (italy serbia=no) was given from demoralization points of austro-hungarian 138, now 38" in said
    assert "`keep 3`, or `amend 3 again`" in said
    typed(books, "keep 3")
    assert typed(books, "check") == "nothing is at fault"
    typed(books, "amend 1 60")
    assert "entry 3" in typed(books, "check")


def test_an_answer_is_asked_again_with_its_dice(books: Books) -> None:
    typed(books, "ah dm 120", "turn jun15/0", "italy serbia=no die=2", "done", "amend 1 121")
    said = typed(books, "amend 3 again")
    assert "before:" in said and "again:" in said and "amend 3 answer italy serbia=no | die=2" in said
    assert typed(books, "check") == "nothing is at fault"


def test_facts_are_lines_of_notation(books: Books) -> None:
    assert typed(books, "nation belgian cities=3").startswith("1 aug14/1 fact nation belgian cities=3")
    assert books.journal.books.value("cities", "belgian") == 3


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ru dmm 4", "nearest known: dm"),
        ("xx dm 4", "known: ge, ah"),
        ("rus dm 4", "write: ru"),
        ("dm ru 4", "write: ge dm"),
        ("amned 1 4", "nearest known: amend"),
        ("ru spend 2 artilery", "artillery, or a note that begins otherwise"),
        ("moral ah", "nearest known: morale"),
        ("ru spend 999", "999 taken, but only 0 left (rule 16-4)"),
        ("late mar25/1 ru dm 3", "outside the game"),
        ("jul14/1 ru dm 3", "outside the game"),
        ("amend 7 3", "there is no entry 7"),
        ("done", "there is nothing to enter"),
        ("why dm", "the nation of the account dm is missing"),
        ("why gold ru", "accounts: dm, sp"),
        ("list zz", "neither a nation nor a side"),
        ("morale zz", "zz"),
        ("due until=aug13/1", "outside the game"),
        ("turn nov18/3 extra", "is not a turn"),
        ("amend x again", "is not the number of an entry"),
    ],
)
def test_a_slip_is_answered_with_the_reason_and_changes_nothing(books: Books, line: str, said: str) -> None:
    answer = typed(books, line)
    assert answer.startswith("! ") and said in answer, answer
    assert books.journal.entries == []


def test_help_lists_what_can_be_typed(books: Books) -> None:
    said = typed(books, "help")
    assert all(word in said for word in ("turn next", "why", "due", "morale", "rebuild"))
    assert typed(books, "") == "" and typed(books, "quit") == "" and books.over
