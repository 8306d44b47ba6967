"""A journal of an earlier version, and what it came to then."""

from __future__ import annotations

from pathlib import Path

from assistant.journal.keeping import JournalFile
from assistant.journal.sheets import write_postings
from assistant.plugins.registry import load_game

KEPT = Path(__file__).parent / "kept"


def test_a_kept_journal_comes_to_the_same_postings_as_when_it_was_written() -> None:
    """Where a mended rule changes them, campaign.csv changes with it, and CHANGELOG.md says which entries count otherwise."""
    journal = JournalFile(KEPT / "campaign.journal", load_game).read(compares=False)
    assert not journal.all_faults()
    assert write_postings(journal) == (KEPT / "campaign.csv").read_bytes().decode()
