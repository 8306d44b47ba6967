"""A journal of an earlier version, and what it came to then."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from assistant import ask
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal, JournalMoment
from assistant.records.journal.journal_file import JournalFile
from assistant.records.journal.sheets import write_postings

from ..cases import examples
from ..conftest import told
from .past import faults

KEPT = Path(__file__).parent / "kept"


def test_a_kept_journal_comes_to_the_same_postings_as_when_it_was_written() -> None:
    """Where a mended rule changes them, campaign.csv changes with it, and CHANGELOG.md says which entries count otherwise."""
    journal = JournalFile(KEPT / "campaign.journal", load_game).read(compares=False)
    assert not journal.all_faults()
    assert write_postings(journal) == (KEPT / "campaign.csv").read_bytes().decode()


@pytest.mark.rule("16-1")
def test_what_is_due_in_a_turn_is_what_its_beginning_brought() -> None:
    journal = JournalFile(KEPT / "campaign.journal", load_game).read(compares=False)
    turns = sorted({posting.turn for posting in journal.books.postings})
    counters = journal.rules.schedules.counters
    for number in turns:
        brought = Counter[tuple[str, str]]()
        for posting in journal.books.postings:
            if posting.turn == number and not posting.entry and posting.account not in counters:
                brought[posting.who, posting.account] += posting.amount
        due = ask(journal.position(JournalMoment(turn=journal.label(number))), "due").result
        assert {(who, account): amount for who, account, amount in due.totals} == brought, journal.label(number)


@pytest.mark.rule("16-1")
def test_of_an_earlier_turn_that_no_journal_knows_it_is_said_what_it_is_taken_for() -> None:
    now = JournalFile(KEPT / "campaign.journal", load_game).read(compares=False).position()
    later = parse_journal(b"journal der-weltkrieg 1\nturn=jan15/1\n", "war.journal")
    begun = Journal.read(later, "war.journal", load_game).position()

    def assumed(position: Position, turn: str) -> list[str]:
        return told(ask(position, "due", turn=turn), "Assumed")

    said = "what is stated without a turn was before {} as it is now"
    assert assumed(now, "aug14/2") == assumed(now, "mar15/4") == assumed(begun, "jan15/1") == []
    assert assumed(msgspec.structs.replace(now, past=None), "aug14/2") == [said.format("mar15/4")]
    assert assumed(begun, "aug14/2") == [said.format("jan15/1")], "its journal begins later"


@pytest.mark.rule("5-12", "6-24", "7-20", "10-11")
def test_what_is_due_in_an_earlier_turn_is_what_the_books_posted_in_it() -> None:
    """`python -m tests.der_weltkrieg.past` tries 3,000 random campaigns."""
    assert [fault for seed in range(examples(100)) for fault in faults(seed)] == []


def test_a_position_of_a_journal_says_nothing_of_its_past_to_a_side() -> None:
    now = JournalFile(KEPT / "campaign.journal", load_game).read(compares=False).position()
    limited, whole = (now.seen(msgspec.structs.replace(now.state, seen_by=side)) for side in ("entente", "umpire"))
    assert now.past is whole.past is not None and limited.past is None
