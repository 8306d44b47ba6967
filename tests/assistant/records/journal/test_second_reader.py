"""A reader written from the format's page alone reads every journal as the program does, entry by entry."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal
from assistant.state.state import GameState

from .small import PLAIN_STEPS, STEPS, Step, journal, lines_of, play

ROOT = Path(__file__).parents[4]
READER = ROOT / "docs" / "reference" / "reader.py"
MAX_LINES = 400
FILES = sorted(file for folder in ("plugins", "tests") for file in (ROOT / folder).rglob("*.journal"))
CUT = FILES[0].parents[3] / "plugins/world_undone_east_prussia/examples/evening.journal"

spec = importlib.util.spec_from_file_location("second_reader", READER)
assert spec and spec.loader
reader: Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reader)


def shown(state: GameState) -> dict[str, Any]:
    stacks: dict[str, list[str]] = {}
    for unit in sorted(state.units.values(), key=lambda unit: unit.order):
        stacks.setdefault(unit.place or "", []).append(unit.id)
    facts = {
        f"{track} {subject}".strip(): list(fact.value) if isinstance(fact.value, tuple) else fact.value
        for (track, subject), fact in state.facts.items()
    }
    return {"off map": sorted(stacks.pop("", [])), "places": stacks, "facts": facts}


def without_events(stands: dict[str, Any], book: Journal) -> dict[str, Any]:
    """What stands where, without what the events and schedules of a campaign change: the page leaves that out."""
    rules = book.rules
    if not rules.events.event:
        return stands
    since = {level.since for levels in rules.levels.values() for level in levels}
    changed = {*rules.accounts, *rules.set_by_events, *since}
    facts = {name: value for name, value in stands["facts"].items() if name.partition(" ")[0] not in changed}
    return {"places": stands["places"], "facts": facts}


def compare(book: Journal, data: bytes) -> int:
    """Compare what both readers say of a journal, and return the number of entries that count."""
    file, after = reader.history(data, book.game.folder)
    assert not file["faults"]
    assert [*after] == [entry.number for entry in book.counting.entries]
    for entry, state in zip(book.counting.entries, book.books.states_from(0), strict=True):
        stands = {**after[entry.number], "off map": sorted(after[entry.number]["off map"])}
        assert without_events(stands, book) == without_events(shown(state), book), f"entry {entry.number}"
    return len(after)


def test_the_reader_is_short_and_needs_nothing() -> None:
    text = READER.read_text("utf-8")
    assert len(text.splitlines()) <= MAX_LINES and "CC0-1.0" in text
    names = [name.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for name in node.names]
    origins = [node.module for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    assert {*names, *origins} <= sys.stdlib_module_names


def test_there_are_journals_of_all_games() -> None:
    assert len(FILES) >= 18
    assert len({parse_journal(file.read_bytes(), file.name).game for file in FILES}) == 4


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_journal_of_the_repository_is_read_alike(file: Path) -> None:
    data = file.read_bytes()
    book = Journal.read(parse_journal(data, file.name), file.name, load_game)
    assert compare(book, data) == len(book.counting.entries)


@pytest.mark.hypothesis
@settings(max_examples=60)
@given(steps=STEPS, more=PLAIN_STEPS)
def test_journals_made_by_chance_are_read_alike(game: Game, steps: list[Step], more: list[Step]) -> None:
    book = play(journal(game), *steps, *more)
    if book.books.faults:  # a correction has made a later entry impossible: only the rules of a game say why
        return
    compare(book, "\n".join(["journal small-war 1", "setup august", *lines_of(book), ""]).encode())


def test_a_file_cut_off_anywhere_has_the_same_entries() -> None:
    data = CUT.read_bytes()
    for end in range(data.index(b"1 3 answer"), len(data), 7):
        known = parse_journal(data[:end], CUT.name)
        assert [*reader.read_file(data[:end])["entries"]] == [line.number for line in known.lines], end


def test_a_spoilt_line_is_named() -> None:
    data = CUT.read_bytes().replace(b"5420: B ~lgo", b"5420: C ~lgo")
    assert reader.read_file(data)["faults"] == ["10 5 fact 5420: C ~lgo"]
    assert 10 not in reader.read_file(data)["entries"] and 11 in reader.read_file(data)["entries"]


def test_it_prints_what_stands_where() -> None:
    folder = CUT.parents[1]
    printed = subprocess.run([sys.executable, READER, CUT, folder], capture_output=True, check=True).stdout
    assert msgspec.json.decode(printed)["after"]["56"]["facts"]["turn"] == 14
