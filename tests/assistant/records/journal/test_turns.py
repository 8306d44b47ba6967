"""Turns on a map in a journal: battles, retreats and supply carried out, an earlier fact amended, and each position had again."""

from __future__ import annotations

from pathlib import Path

from assistant import read
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.records.journal.files import create
from assistant.records.journal.findings import list_findings
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile

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
