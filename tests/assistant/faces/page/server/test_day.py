"""What a table keeps of taps is their entries: nothing is left for Python to search for."""

from __future__ import annotations

import asyncio
import gc
import random
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import assistant
from assistant.faces.page.desk import PageDesk
from assistant.faces.page.messages.requests import EnterRequest
from assistant.faces.page.tables import Tables
from assistant.installed.registry import load_game
from assistant.records.journal.entries import FACT, STRIKE
from assistant.records.journal.lines import TAP, JournalLine, compute_tap_mark, write_entry
from benchmarks.day import GAME, TABLE, day
from benchmarks.front import front_line

from .....cases import thorough

TAPS = 500
PER_TAP = 3
"""How many objects a tap may leave for Python to search: its entry in the journal, the line of that, and now and then a
state of the table.
"""


async def _count_left(folder: Path, taps: int) -> tuple[int, int]:
    """How many objects taps leave, and how many of these only a search for garbage finds."""
    async with day(folder, guests=3, units=12) as begun:
        for _ in range(100):
            await begun.tap()
        gc.collect()
        gc.disable()
        try:
            before = len(gc.get_objects())
            for _ in range(taps):
                await begun.tap()
            left = len(gc.get_objects()) - before
            return left, gc.collect()
        finally:
            gc.enable()


@thorough
def test_a_tap_leaves_its_entry_and_no_garbage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "assistant.faces.prompt.desk._MAX_FACTS_HELD", 3000
    )  # the tables to which `undo` goes back, soon all
    left, garbage = asyncio.run(_count_left(tmp_path, TAPS))
    assert left < PER_TAP * TAPS
    assert garbage < TAPS


def test_an_answer_leaves_nothing_for_a_search(tmp_path: Path) -> None:
    text = "game twilight-in-the-east\nturn=1\ntrust charts counters\n41.19 clear: 1/1\n40.20 clear: 25/3, 27/3\n"
    position = assistant.parse(f"{text}41.19|40.20 open\n")
    for _ in range(2):
        assistant.ask(position, "battle", at="41.19", from_="40.20")
    gc.collect()
    gc.disable()
    try:
        assistant.ask(position, "battle", at="41.19", from_="40.20")
        assert gc.collect() == 0
    finally:
        gc.enable()


# --- a long journal -----------------------------------------------------------------------------------------------------


def table_with(folder: Path, entries: int) -> tuple[PageDesk, list[str]]:
    """Return a table with a journal of so many entries, each tenth of which strikes the one before it, and units."""
    tables = Tables(folder)
    desk = tables.begin(TABLE, GAME, front_line(load_game(GAME), 12))
    state = desk.position.state
    units = [unit for unit in state.units if state.value("arm", unit) == "infantry"]
    drawn = random.Random(65)
    turn = desk.books.journal.label(desk.books.journal.turn)
    with open(desk.file, "a", encoding="utf-8") as file:
        for number in range(1, entries + 1):
            strikes = number % 10 == 0
            what = str(number - 1) if strikes else f'"{drawn.choice(units)}" -{drawn.randint(1, 3)}'
            flags = (TAP + compute_tap_mark(f"earlier {number}"),)
            line = JournalLine(number, turn, flags, STRIKE if strikes else FACT, what)
            print(write_entry(line), file=file)
    return tables.desk(TABLE), units


def count_lines(desk: PageDesk, units: list[str], taps: int) -> int:
    """Return how many lines of Python taps go through, each fourth of which is an undo."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    for at in range(taps):
        line = "undo" if at % 4 == 3 else f'"{units[at % len(units)]}" -{1 + at // len(units) % 3}'
        request = EnterRequest(table=TABLE, line=line, tap=str(at), sure=True)
        sys.settrace(trace if at >= taps // 2 else before)  # first all is loaded, and read once
        try:
            shown = desk.enter(request)
        finally:
            sys.settrace(before)
        assert not shown.refused
    return count


def test_an_entry_is_not_kept_twice(tmp_path: Path) -> None:
    desk, units = table_with(tmp_path, 20)
    count_lines(desk, units, 8)
    read = desk.books.file.read().entries
    assert len(read) > 20
    for known in (desk.books.journal.entries, desk.books.journal.counting.among):
        assert all(one is other for one, other in zip(known, read, strict=True))


def test_a_tap_goes_through_no_more_of_the_program_in_a_long_journal(tmp_path: Path) -> None:
    few, many = (count_lines(*table_with(tmp_path / str(entries), entries), 24) for entries in (300, 3000))
    assert many < 1.05 * few


@pytest.mark.parametrize("entries", [800, 1600])
def test_of_a_long_journal_few_states_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entries: int) -> None:
    monkeypatch.setattr("assistant.records.journal.fold._CHECKPOINT_ENTRIES", 8)
    desk, _ = table_with(tmp_path, entries)
    journal = desk.books.journal
    assert len(journal.books.kept) < 40
    for number in (1, entries // 2 + 1, entries - 2):  # as without any that is kept
        assert journal.books.state_after(number) == journal.until(number).books.last
