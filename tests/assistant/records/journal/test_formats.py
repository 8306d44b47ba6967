"""Every form that the file of a journal ever had is read as it was then: no file is refused or read as something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.installed.registry import load_game
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal, JournalMoment
from assistant.records.journal.lines import compute_check

FORMATS = Path(__file__).parent / "formats"
PAGE = Path(__file__).parents[4] / "docs" / "reference" / "journal-format.md"
READ = {
    "1-first": (6, {"5320": ("A", "C")}),
    "1-taps": (7, {"5320": ("C",), "5321": ("A",)}),
    "1-and": (8, {"5320": ("C",), "5321": ("A",), "5420": ("B",)}),
    "1-trust": (2, {"5320": ("A",)}),
    "1-by-hand": (3, {"5320": ("A", "C"), "5420": ("B",)}),
    "2-rules": (6, {}),
    "1-cut-off": (2, {"5320": ("A", "C"), "5420": ("B",)}),
}
"""The number of entries and the stacks after the last entry, by the name of the file."""


def read_file(name: str) -> Journal:
    return Journal.read(parse_journal((FORMATS / f"{name}.journal").read_bytes(), name), name, load_game)


def test_each_file_is_expected() -> None:
    assert {file.stem for file in FORMATS.glob("*.journal")} == {*READ}


@pytest.mark.parametrize("name", READ)
def test_an_old_journal_is_read_as_it_was(name: str) -> None:
    journal = read_file(name)
    entries, stacks = READ[name]
    state = journal.position().state
    assert len(journal.entries) == entries
    assert {
        place: tuple(unit.id for unit in state.stack(place))
        for place in {u.place for u in state.units.values()}
        if place
    } == stacks
    faults = [error.what for error in journal.all_faults()]
    assert not faults if name != "1-cut-off" else [fault[:27] for fault in faults] == ["the last line is cut off: '"]


def test_facts_and_corrections_of_the_first_form() -> None:
    journal = read_file("1-first")
    facts = {key: fact.value for key, fact in journal.position().state.facts.items()}
    assert facts["lost", "russian"] == 5 and facts["lost", "german"] == 4
    assert ("terrain", "5321") not in facts  # struck
    before = journal.position(JournalMoment(entry=1)).state
    assert before.facts["supply", "B"].value == "out"  # amended
    assert [unit.id for unit in before.stack("5420")] == ["B"]


def test_the_page_gives_checks_that_fit() -> None:
    rows = [row for row in PAGE.read_text().splitlines() if row[-5:-3] == " ~"]
    assert len(rows) == 5
    assert [row[-3:] for row in rows] == [compute_check(row[:-5]) for row in rows]
