"""Corrections and the ground: who is left off the map by what is struck, amended or entered late is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.installed.registry import load_game
from assistant.records.journal.differences import UnitOffMap
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.records.journal.journal_text import format_added


@pytest.fixture
def file(tmp_path: Path) -> JournalFile:
    """A journal in which a unit has marched out of a hex that an enemy has entered since."""
    path = tmp_path / "east.journal"
    create(path, write_head(load_game("twilight-in-the-east"), None, ""))
    file = JournalFile(path, load_game)
    for line in ("fact 36.22: 25/3", "fact 46.14: 25/3", "fact 36.22: 1/1"):
        file.add(line)
    return file


def place_of(file: JournalFile, unit: str) -> str | None:
    return file.read().position().state.units[unit].place


@pytest.mark.parametrize("line", ["strike 2", "amend 2 fact weather=freeze"])
def test_correction_names_the_unit_that_comes_back_to_a_hex_which_another_line_states(
    file: JournalFile, line: str
) -> None:
    added = file.add(line)
    assert added.difference.off_map == (UnitOffMap("25/3", "46.14", 3),)
    (remark,) = (line for line in format_added(added) if line.startswith("!"))
    why = "as entry 3 takes it off: strike 3, or state where it stands"
    assert remark == f"! 25/3 was in 46.14 and is off the map now, {why}"
    assert not file.add("undo").difference.off_map
    assert place_of(file, "25/3") == "46.14"


def test_late_entry_names_the_unit_that_it_takes_off_the_map(file: JournalFile) -> None:
    file.add("turn next")
    added = file.add("late 1 fact 46.14: 27/3")
    assert added.difference.off_map == (UnitOffMap("25/3", "46.14", 5),)


def test_strike_that_lets_an_entry_count_again_names_the_unit_that_this_takes_off_the_map(file: JournalFile) -> None:
    for line in ("strike 3", "strike 2"):
        assert not file.add(line).difference.off_map
    assert file.add("strike 4").difference.off_map == (UnitOffMap("25/3", "36.22", 3),)


def test_undo_of_a_line_names_nobody_who_was_off_the_map_before_it(file: JournalFile) -> None:
    file.add("fact off-map: 25/3")
    file.add("fact 47.14: 25/3")
    assert not file.add("undo").difference.off_map
    assert place_of(file, "25/3") is None


def test_strike_of_half_a_line_names_the_unit_that_its_other_half_takes_off_the_map(file: JournalFile) -> None:
    with file.for_tap("march"):
        file.add("fact 36.22:", "fact 47.14: 1/1")
    assert file.add("strike 5").difference.off_map == (UnitOffMap("1/1", "47.14", 4),)


def test_line_that_takes_a_unit_off_the_map_when_it_is_entered_says_so_itself(file: JournalFile) -> None:
    assert not file.add("fact 46.14: 27/3").difference.off_map
    assert place_of(file, "25/3") is None


def test_what_is_entered_with_the_strike_of_a_turn_belongs_to_the_turn_before(file: JournalFile) -> None:
    file.add("turn next")
    added = file.add("strike 4", "fact 47.14: 25/3")
    assert [entry.turn for entry in added.entries] == [2, 1]
    assert file.read().turn == 1 and place_of(file, "25/3") == "47.14"
