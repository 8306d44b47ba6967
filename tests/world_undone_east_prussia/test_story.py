"""Victory Points in a journal: each side's account opened into its entries, and their sum beside that of `victory` (8.0)."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import ask, read
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.records.journal.accounts import format_accounts, open_accounts
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.service import parse
from assistant.util.errors import InputError

from .asking import GAME

BEGIN = f"game {GAME}\nscenario=historical\nturn=1 phasing=russian phase=second-movement\n5421: III/25, III/27, IC/3C, IC/1GC\n5320: I/1\n"
EXCESS = "answer stack at=5421 ended=yes | excess.5421=III/25"


@pytest.fixture
def file(tmp_path: Path) -> JournalFile:
    path, game = tmp_path / "prussia.journal", load_game(GAME)
    create(path, write_head(game, Position(game, parse(BEGIN).state), ""))
    return JournalFile(path, load_game)


def totals(file: JournalFile) -> dict[str, int]:
    return {score.side: score.total for score in ask(read(str(file.file)), "victory").result.scores}


def opened(file: JournalFile, side: str, *period: str) -> list[tuple[str, str, int, int, str]]:
    """Whose each account is, and of each posting its account, entry, amount and rule."""
    accounts = open_accounts(file.read(), "vp", side, *period)
    return [(one.who, one.account, row.entry, row.amount, row.rule) for one in accounts for row in one.rows]


@pytest.mark.rule("7.1/attacks", "8.0/vp")
def test_a_side_scores_what_the_other_loses_and_what_it_is_awarded(file: JournalFile) -> None:
    file.add(EXCESS)  # the third division too much: 5 Strength Points
    file.add("answer close")  # no attacks at 2:1 on the First Army
    file.add("fact side german awarded=7")
    assert opened(file, "russian") == [("russian", "awarded", 2, 50, "7.1")]
    assert opened(file, "german") == [("german", "awarded", 3, 7, ""), ("russian", "lost", 1, 5, "8.0")]
    assert totals(file) == {"german": 12, "russian": 50}
    assert list(format_accounts(open_accounts(file.read(), "vp", "german")))[-1] == "in all: 12"
    file.add("strike 1")
    assert (totals(file), opened(file, "german", "2")) == ({"german": 7, "russian": 50}, [])
    for side, why in (("", "the side of the account awarded is missing"), ("prussian", "neither")):
        with pytest.raises(InputError, match=why):
            opened(file, side)
