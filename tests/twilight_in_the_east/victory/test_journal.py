"""What a segment leaves of its replacements, in the accounts of a journal (27.1)."""

from __future__ import annotations

from assistant import ask
from assistant.installed.registry import load_game
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal

from ...conftest import GAME


def begun(*lines: str) -> Journal:
    text = "\n".join([f"journal {GAME} 1", "turn=1", "", *lines, ""])
    return Journal.read(parse_journal(text.encode(), "east.journal"), "east.journal", lambda _: load_game(GAME))


def test_replacements_that_a_segment_leaves_end_with_it_once_and_for_all() -> None:
    """What is left of one segment is not taken for what the next one has."""
    book = begun(
        "1 1 fact phase=replacements",
        "2 1 fact nation russian repl=1",
        "3 1 answer next |  | phase - replacements -> weather -; repl russian 1 -> - -",
    )
    assert not book.all_faults() and ("repl", "russian") not in book.position().state.facts
    lines = [change.track for change in ask(book.position(), "next").changes if hasattr(change, "track")]
    assert "repl" not in lines
