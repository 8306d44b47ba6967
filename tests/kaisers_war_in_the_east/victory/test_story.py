"""Victory Points in a journal: the account of a side opened into its entries, as `victory` adds them up (5.0)."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import ask, read
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.records.journal.accounts import open_accounts
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.service import parse

GAME = "kaisers-war-in-the-east"
BEGIN = f"""game {GAME}
turn=2 scenario=1914 main-effort=west
side allies vp=80
side central-powers vp=65
2418 city objective country=russia control=allies
2622 city objective country=austria-hungary control=central-powers
"""


@pytest.fixture
def file(tmp_path: Path) -> JournalFile:
    path, game = tmp_path / "east.journal", load_game(GAME)
    create(path, write_head(game, Position(game, parse(BEGIN).state), ""))
    return JournalFile(path, load_game)


def points(file: JournalFile) -> dict[str, int]:
    return {score.side: score.points for score in ask(read(str(file.file)), "victory").result.scores}


def opened(file: JournalFile, side: str) -> list[tuple[int, int, str]]:
    """Of each posting its entry, amount and rule."""
    (account,) = open_accounts(file.read(), "vp", side)
    return [(row.entry, row.amount, row.rule) for row in account.rows]


@pytest.mark.rule("5.0", "5.3", "5.4")
def test_the_account_of_a_side_opens_into_what_it_took_lost_and_scored_by_turn(file: JournalFile) -> None:
    file.add("answer capture at=2622 side=allies")
    file.add("answer victory when=turn-end")
    assert opened(file, "allies") == [(1, 5, "5.3"), (2, 6, "5.4")]
    assert opened(file, "central-powers") == [(1, -10, "5.3")]
    assert points(file) == {"allies": 91, "central-powers": 55}
    file.add("strike 1")
    assert opened(file, "central-powers") == [] and points(file)["central-powers"] == 65
