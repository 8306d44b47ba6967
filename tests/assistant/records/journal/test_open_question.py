"""The question that is open in a journal: what closes it, what sets a combat aside, and what it leaves."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.game.gamefile import TablePrompt
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.records.journal.entries import Answer, JournalEntry, OpenQuestion, TurnBegins
from assistant.records.journal.findings import list_findings
from assistant.records.journal.journal import Journal
from assistant.records.journal.journal_file import JournalFile
from assistant.records.journal.journal_text import list_entry_rows
from assistant.records.journal.open_question import Asking, asking_after, find_entries_to, go_on
from assistant.records.journal.question_lines import Assumed
from assistant.records.journal.typed_lines import read_typed
from assistant.util.errors import InputError

from .small import journal, play, small_game, whole


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The small campaign, whose prompt opens with a battle."""
    plain = small_game(tmp_path_factory.mktemp("small-war"))
    prompt = TablePrompt(ask="battle", target="at", attackers="from")
    plain.file = msgspec.structs.replace(plain.file, table=prompt)
    return plain


def asked(book: Journal) -> tuple[str, str]:
    """The open question with its dice, and the combat that is set aside with its own."""
    question, aside = (f"{one.question} | {one.dice}".rstrip(" |") for one in book.asking)
    return question, aside


BATTLE, DICE = "asked battle at=0102 from=0101", "asked battle at=0102 from=0101 | crt=7"


@pytest.mark.parametrize(
    ("typed", "question"),
    [
        ((BATTLE, DICE), "battle at=0102 from=0101 | crt=7"),
        ((BATTLE, DICE, "fact A1 -1", "ru dm 4"), "battle at=0102 from=0101 | crt=7"),
        ((BATTLE, DICE, "strike 2"), "battle at=0102 from=0101"),
        ((BATTLE, DICE, "undo", "undo"), ""),
        ((BATTLE, DICE, "asked"), ""),
        ((BATTLE, DICE, "asked", "undo"), "battle at=0102 from=0101 | crt=7"),
        ((BATTLE, DICE, "answer battle at=0102 | crt=7 | steps A1 0 -> 1 3"), ""),
        ((BATTLE, DICE, "answer battle at=0102 | crt=7 | steps A1 0 -> 1 3", "undo"), "battle at=0102 from=0101 | crt=7"),
        (("turn next", DICE, "late aug14/1 answer check | | steps A1 0 -> 1 3"), "battle at=0102 from=0101 | crt=7"),
        ((BATTLE, DICE, "turn next"), ""),
        ((BATTLE, DICE, "aug14/2 ru dm 4"), ""),
        ((BATTLE, DICE, "turn next", "undo"), "battle at=0102 from=0101 | crt=7"),
    ],
)  # fmt: skip
def test_the_open_question_is_the_last_that_nothing_has_closed(
    game: Game, typed: tuple[str, ...], question: str
) -> None:
    book = play(journal(game), *typed)
    assert len(book.entries) == len(typed), "none of them is refused"
    assert asked(book)[0] == question


def test_a_question_changes_nothing_in_the_books_and_a_list_shows_the_open_one_alone(game: Game) -> None:
    book = play(journal(game), "ru dm 7", "fact A1 -1")
    with_it = play(book, BATTLE, DICE, "asked", DICE)
    assert whole(with_it) == whole(book) and with_it.books.postings == book.books.postings
    assert not list(list_findings(with_it))
    book = play(journal(game), "ru dm 4", BATTLE, f"{DICE} | ?1 from; ?2 steps A1 = 2")
    rows = [row.text for row in list_entry_rows(book)]
    assert rows == ["   1 aug14/1 ru dm 4", "   3 aug14/1 asked battle at=0102 from=0101 | crt=7 | steps A1 = 2"]
    assert [row.number for row in list_entry_rows(play(book, "undo"))] == [1, 2]
    assert [row.number for row in list_entry_rows(play(book, "asked"))] == [1]


def test_another_question_sets_a_combat_aside_and_a_combat_takes_its_place(game: Game) -> None:
    book = play(journal(game), DICE, "asked supply unit=A1")
    assert asked(book) == ("supply unit=A1", "battle at=0102 from=0101 | crt=7")
    assert asked(play(book, "asked supply unit=A2"))[1] == "battle at=0102 from=0101 | crt=7"
    assert asked(play(book, "asked")) == ("", "battle at=0102 from=0101 | crt=7")
    assert asked(play(book, "answer supply unit=A1 | | steps A1 0 -> 1 3"))[1] == "battle at=0102 from=0101 | crt=7"
    assert asked(play(book, "asked battle at=0303")) == ("battle at=0303", "")
    assert asked(play(book, "turn next")) == ("", "")


def test_facts_that_are_taken_for_granted_outlast_the_question(game: Game) -> None:
    book = play(
        journal(game), f"{DICE} | ?1 from; ?2 steps A1 = 2; steps A2 = 1", "asked supply unit=A1 | | steps A1 = 2"
    )
    facts, parameter = Assumed(("steps", "A1"), "2"), Assumed(("", "from"), is_numbered=True)
    assert book.asking.aside.assumed == (parameter, Assumed(("steps", "A1"), is_numbered=True))
    assert book.asking.question.assumed == (facts,)
    assert play(book, "turn next").asking == Asking(OpenQuestion("", "", (facts,)))
    assert play(book, "turn next", "turn next", "ru dm 3").asking.question.assumed == (facts,)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("late aug14/1 asked battle at=0102", "takes no `late`"),
        ("force asked battle at=0102", "takes no `force`"),
        ("amend 1 battle at=0103", "entry 1 asks a question"),
        ("amend 2 asked battle at=0103", "'asked' is not an event|neither a nation|of another kind"),
        ("keep 1", "is not an answer"),
        ("asked | crt=7", "a question is QUESTION PARAMETERS"),
        ("asked battle | crt=7 | ?2 from", "should be"),
        ("asked battle | crt=7 | gold A1 = 2", "unknown track 'gold'"),
        ("asked battle | crt=7 | steps A1 = many", "steps"),
        ("asked battle | crt=7 | from", "is not an assumption"),
        ("asked battle | crt=7 | a b c = 2", "is not an assumption"),
    ],
)
def test_what_cannot_be_asked_or_corrected_is_refused_with_the_reason(game: Game, typed: str, said: str) -> None:
    book = play(journal(game), DICE, "ru dm 4", "turn next")
    with pytest.raises(InputError, match=said):
        read_typed(book, typed)


def test_a_question_that_the_game_does_not_have_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "war.journal"
    file.write_text("journal twilight-in-the-east 1\n")
    with pytest.raises(InputError, match="unknown question 'flight'"):
        JournalFile(file, load_game).add("asked flight unit=A1")


# --- from what is asked to what is asked next ---------------------------------------------------------------------------

QUESTIONS = st.sampled_from(
    [
        OpenQuestion(),
        OpenQuestion("", "", (Assumed(("steps", "A1"), "2"),)),
        OpenQuestion("battle at=0102 from=0101", "crt=7", (Assumed(("", "from"), "3", is_numbered=True),)),
        OpenQuestion("battle at=0102 from=0101"),
        OpenQuestion("battle from=0101"),
        OpenQuestion("supply unit=A1", "", (Assumed(("steps", "A1"), "2"),)),
    ]
)
STEPS = st.lists(QUESTIONS | st.sampled_from([TurnBegins(), Answer("battle at=0102", "crt=7", ())]), max_size=8)


@pytest.mark.hypothesis
@given(STEPS, STEPS)
def test_the_entries_that_lead_from_one_question_to_another_do(
    game: Game, steps: list[OpenQuestion | TurnBegins | Answer], others: list[OpenQuestion | TurnBegins | Answer]
) -> None:
    prompt = game.file.prompt
    now, then = (
        asking_after([JournalEntry(number, 1, what) for number, what in enumerate(made, 1)], prompt, 1)
        for made in (steps, others)
    )
    after = now
    for entry in find_entries_to(now, then, prompt):
        after = go_on(after, entry, prompt)
    assert after == then
