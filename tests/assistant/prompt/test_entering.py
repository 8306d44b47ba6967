"""A table that is kept in a journal: combats on one line, entered; and whatever is typed, the journal stands where the table does."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from assistant import read
from assistant.formats.positions import Position
from assistant.formats.writing import as_stated, lines_between
from assistant.journal.entries import OpenQuestion
from assistant.journal.files import create
from assistant.journal.journal import head_of
from assistant.journal.keeping import JournalFile
from assistant.plugins.registry import load_game
from assistant.prompt.books import Books
from tests.hostile.inputs.grammar import Words

from ...cases import few, seeds
from .grammar import GAMES
from .stored import typed_lines
from .test_books import typed

BATTLE = Path(__file__).parents[3] / "plugins" / "twilight_in_the_east" / "examples" / "battle-before.pos"


def begun(folder: Path, game: str, start: Position | None = None) -> Books:
    file = folder / "front.journal"
    file.unlink(missing_ok=True)
    create(file, head_of(load_game(game), start, ""))
    return Books(JournalFile(file, load_game), 100)


@pytest.fixture
def books(tmp_path: Path) -> Books:
    return begun(tmp_path, GAMES[0], Position(load_game(GAMES[0]), read(BATTLE).state))


def now(books: Books) -> Position:
    return read(str(books.file.file))


FOUGHT = ("battle 4119 ap=3,20 dap=1", "2+5", "3 4", "1", "2", "6", "5", "done")


def test_each_line_of_a_combat_is_an_entry_and_one_is_what_it_comes_to(books: Books) -> None:
    typed(books, *FOUGHT[:-1])
    asked = [entry.what for entry in books.journal.entries]
    assert [type(what) for what in asked] == [OpenQuestion] * len(FOUGHT[:-1])
    assert ("lost", "25/3") not in now(books).state.facts, "dice change nothing before they are carried out"
    assert f"entered: {len(FOUGHT)}" in typed(books, "done")
    assert now(books).state.facts["lost", "25/3"].value == 1
    listed = f"{len(FOUGHT)} 1 answer battle at=41.19 attacker-ap=3,20 defender-ap=1 | {asked[-1].dice}"
    assert typed(books, "list").split() == listed.split(), "questions that were answered are not listed"


def test_an_entry_of_an_earlier_turn_is_one_where_turns_are_numbers(books: Books) -> None:
    typed(books, "turn next", "late 1 fact 27/3 -2")
    assert "   2 1 late fact 27/3 -2" in typed(books, "list")


def test_what_a_line_states_is_entered_and_undo_strikes_it(books: Books) -> None:
    assert "entered: 1" in typed(books, "27/3 -2")
    assert "   1 1 fact 27/3 -2" in typed(books, "list")
    assert "entered: 2 to 3" in typed(books, "4118 clear: 36/17 (10-6-5-11)")
    assert now(books).state.units["36/17"].place == "41.18"
    assert "entered: 4 to 5, which strikes 3" in typed(books, "undo")
    assert "36/17" not in now(books).state.units
    typed(books, "undo")
    assert ("lost", "27/3") not in now(books).state.facts
    assert typed(books, "undo") == "! there is nothing to undo"


def test_a_loss_that_is_amended_names_the_battle_that_was_fought_with_it(books: Books) -> None:
    typed(books, "27/3 -2", *FOUGHT)
    said = " ".join(typed(books, "amend 1 27/3 -1").split())
    fought = 1 + len(FOUGHT)
    assert f"entry {fought} (battle at=41.19" in said and "steps lost of 27/3 2, now 1" in said
    assert f"keep {fought}" in typed(books, "check")
    typed(books, "undo")
    assert typed(books, "check") == "nothing is at fault"


def test_turns_begin_at_the_table_and_in_the_journal(books: Books) -> None:
    assert typed(books, "turn next").startswith("1 2 turn")
    assert books.prompt == "2> "
    assert "entered: 2" in typed(books, "turn=4") and books.prompt == "4> "
    assert "undone" in typed(books, "undo", "undo") and books.prompt == "1> "


def test_a_unit_may_leave_the_map(books: Books) -> None:
    typed(books, "off 27/3")
    assert now(books).state.units["27/3"].place is None
    typed(books, "undo")
    assert now(books).state.units["27/3"].place == "40.20"


@pytest.mark.parametrize(("line", "said"), [("new", "never emptied"), ("amend 9 3", "there is no entry 9")])
def test_what_a_journal_does_not_take(books: Books, line: str, said: str) -> None:
    assert said in typed(books, line) and books.journal.entries == []


def test_help_says_both_what_the_table_and_what_the_journal_reads(books: Books) -> None:
    said = typed(books, "help")
    assert "a combat: hex and units" in said and "turn next" in said and "carry out the answer" in said


def test_a_journal_goes_on_where_it_stands(books: Books) -> None:
    typed(books, "27/3 -2", *FOUGHT)
    again = Books(books.file, 100)
    assert again.session and as_stated(again.session.table.position) == as_stated(now(books))
    assert "undone" in typed(again, "undo") or "(struck)" in typed(again, "list from=1")


def wrong(books: Books, random: Random) -> str:
    """The first line after which the journal does not stand where the table does, "" for none."""
    assert books.session
    for line in typed_lines(Words(books.journal.game), random, books.session):
        said = books.enter(line)
        if any(text.startswith("! table not kept") for text in said):
            return ""  # which it says
        there = as_stated(now(books))
        if there != as_stated(books.session.table.position):
            return f"{line}\n" + "\n".join(said)
    return ""


@few(1)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", seeds(6))
def test_whatever_is_typed_the_journal_stands_where_the_table_does(tmp_path: Path, game: str, seed: int) -> None:
    assert wrong(begun(tmp_path, game), Random(f"{game} {seed}")) == ""


def test_lines_lead_from_one_position_to_another(books: Books) -> None:
    """A stack is written whole."""
    before = now(books)
    typed(books, "4120: 25/3", "4120 rough", "40.19|40.20 minor-river")
    lines = lines_between(before, now(books))
    assert lines[:2] == ["41.20: 25/3 (10-?-5-10)", "40.20: 27/3 (10-?-5-10)"]
    assert sorted(lines[2:]) == ["40.19|40.20 minor-river", "41.20 rough"]
