"""Turns on a map in a journal: what is carried out, listed and corrected, and who is left off the map by a correction."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import read
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.records.journal.begun_turns import select_items
from assistant.records.journal.differences import UnitOffMap
from assistant.records.journal.files import create
from assistant.records.journal.findings import list_findings
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.records.journal.journal_text import format_added
from assistant.rules.due import DueItem

from ....cases import thorough

PLUGINS = Path(__file__).parents[4] / "plugins"


def begun(folder: Path, example: str, *facts: str) -> JournalFile:
    """A journal that starts from an example. facts: lines that are its first entries."""
    start = read(PLUGINS / example)
    path = folder / "front.journal"
    create(path, write_head(start.game, Position(start.game, start.state), ""))
    file = JournalFile(path, load_game)
    for line in facts:
        file.add(f"fact {line}")
    return file


def places(file: JournalFile, moment: str, *units: str) -> list[str | None]:
    found = read(f"{file.file}{moment}").state.units
    return [found[unit].place if unit in found else None for unit in units]


def test_a_battle_a_retreat_and_attrition_of_kaisers_war(tmp_path: Path) -> None:
    file = begun(
        tmp_path,
        "kaisers_war_in_the_east/examples/battle-after.pos",
        "2619,2720 clear",
        "chart terrain-attrition summer clear = yes",
    )
    file.add("answer battle at=2620 | die=6")
    file.add("answer retreat units=Rus-inf-1,Rus-inf-2 | hex.1=2619")
    file.add("answer attrition side=allies | attrition.Rus-inf-1=1 attrition.Rus-inf-2=6")
    units = ("Rus-2", "Rus-inf-1", "Rus-inf-2")
    assert places(file, "#2", *units) == ["2620", None, None]
    assert places(file, "#3", *units) == ["Available", "2620", "2620"]
    assert places(file, "#4", *units) == ["Available", "2619", "2619"]
    lost = places(file, "#5", *units)
    assert lost[2] == "2619" != lost[1], "the first corps has failed its check"
    # the retreat went another way: attrition was checked in another hex, and is named
    said = file.add("amend 4 answer retreat units=Rus-inf-1,Rus-inf-2 | hex.1=2720")
    assert [conflict.entry for conflict in said.difference.conflicts] == [5]
    assert places(file, "#4", *units) == ["Available", "2720", "2720"]
    (again,) = file.add("amend 5 again").reports
    assert {change.subject for change in again.changes} == {"Rus-inf-1", "Rus-inf-2", "russian"}  # type: ignore[union-attr]
    assert list(list_findings(file.read())) == []
    file.add("undo")
    file.add("undo")
    assert places(file, "", *units) == lost


@thorough
def test_a_retreat_and_a_supply_phase_of_twilight(tmp_path: Path) -> None:
    file = begun(tmp_path, "twilight_in_the_east/examples/retreat.pos", "41.17,41.16 clear")
    file.add("answer retreat at=41.19 hexes=2 cause=check | hex.1=41.18 hex.2=41.17")
    assert places(file, "#1", "1/1", "4 FA") == ["41.19", "41.19"]
    assert places(file, "#2", "1/1", "4 FA") == ["41.17", "41.17"]
    levels = read(f"{file.file}").state.facts["cel", "1/1"].value
    assert levels == -4
    file.add("turn next")
    phase = file.add("answer supply-phase side=central-powers | ")
    number = phase.entries[0].number
    assert read(f"{file.file}").state.facts["supply-phase-done", "central-powers"].value == 2
    assert ("supply-phase-done", "central-powers") not in read(f"{file.file}@1").state.facts
    said = file.add("amend 2 answer retreat at=41.19 hexes=2 cause=check | hex.1=41.18 hex.2=42.18")
    assert number in [conflict.entry for conflict in said.difference.conflicts]
    assert places(file, "@1", "1/1") == ["42.18"] and places(file, "#1", "1/1") == ["41.19"]


def test_a_unit_that_an_answer_brought_in_is_known_to_the_lines_after_it(tmp_path: Path) -> None:
    ground = "2720 clear city country=russia"
    file = begun(tmp_path, "kaisers_war_in_the_east/examples/battle.pos", ground, "scenario=1914", "side allies vp=40")
    file.add("answer mobilize unit=Rus-inf-9 kind=infantry-corps nation=russian at=2720")
    file.add("fact Rus-inf-9 (4-4-3) placed=no")
    assert places(file, "", "Rus-inf-9") == ["2720"] and list(list_findings(file.read())) == []


# --- corrections and the ground ---------------------------------------------------------------------------------------


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


# --- what is listed of turns that begin -------------------------------------------------------------------------------


def make_item(item: str, text: str, account: str = "", action: str = "", units: tuple[str, ...] = ()) -> DueItem:
    return DueItem(
        turn="1", who="", item=item, action=action, count=1, units=units, account=account, rule="", text=text
    )


ITEMS = (
    make_item("sp", "5 supply points", account="sp"),
    make_item("unit", "1st"),
    make_item("unit", "2nd"),
    make_item("unit", "3rd"),
    make_item("rpl", "a replacement", account="rpl"),
    make_item("unit", "4th leaves", action="withdraw"),
    make_item("dice", "a die"),
)


def selected(most: int) -> list[str]:
    return [item.text for item in select_items(ITEMS, most)]


def test_the_first_of_each_kind_is_listed_before_others_of_its_kind_and_what_only_adds_to_an_account_last() -> None:
    assert selected(3) == ["1st", "4th leaves", "a die"]
    assert selected(4) == ["1st", "2nd", "4th leaves", "a die"]
    assert selected(5) == ["1st", "2nd", "3rd", "4th leaves", "a die"]
    assert selected(6) == ["5 supply points", "1st", "2nd", "3rd", "4th leaves", "a die"]
    headquarters = make_item("hq", "a Headquarters with 5 supply points", account="sp", units=("1st HQ",))
    assert select_items((*ITEMS, headquarters), 4)[-1] == headquarters
