"""An army that arrives as a reinforcement: its schedule brings its depots, without an entry hex (16.3)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.formats.positions import Position
from assistant.util.errors import InputError
from twilight_in_the_east.arrivals.arrive_question import steps_of
from twilight_in_the_east.arrivals.entry import ArrivingUnit, comes_with_army

from ...cases import thorough
from ...conftest import answered, told, values
from ..owned import stated, with_pack

ROWS = """action,at,units,place
,4,"TENTH Major Depot,TENTH Minor Depot",
,4,22 Train,
,4,ELEVENTH Minor Depot,55.53
,10,NINTH Major Depot,
"""
EAST = """board east
trust charts counters
scenario=heath
weather=normal
turn={} phase=reinforcement phasing={}
"""
MAJOR, MINOR = "TENTH Major Depot", "TENTH Minor Depot"


def heath(folder: Path, text: str = "", turn: int = 4, phasing: str = "russian") -> Position:
    files = {"setups/heath.pos": "game twilight-in-the-east\nboard east\nscenario=heath\nturn=3\n"}
    game = with_pack(folder, {**files, "schedules/heath.csv": ROWS})
    return stated(game, EAST.format(turn, phasing) + text)


def entering(position: Position, *units: str, **given: Any) -> Report[Any]:
    return answered(position, "arrive", units=units, **given)


@pytest.mark.rule("16.3")
def test_what_is_due_names_where_its_depots_come(tmp_path: Path) -> None:
    position = heath(tmp_path, turn=3)
    lines = [(item.rule, item.text, item.place) for item in answered(position, "due", turn="4").result.items]
    where = "an RR Station that friendly operational lines join to the map edge"
    assert lines == [
        ("16.1", "22 Train", ""),
        ("16.1", "ELEVENTH Minor Depot", "55.53"),
        ("16.3", MAJOR, where),
        ("16.3", MINOR, where),
    ]
    report = answered(heath(tmp_path), "arrive")
    major = next(unit for unit in report.result.units if unit.unit == MAJOR)
    assert major.depot and not major.returns and not major.waits and major.rule == "16.3" and major.cost == 0
    assert {"58.52", "61.48"} <= {*major.open} and "60.17" not in major.open and "58.53" not in major.open
    (line,) = (line for line in told(report, "Due") if line.startswith(MAJOR))
    start = f"{MAJOR}: enters in any RR Station that friendly operational lines join to the map edge: "
    assert line == start + ", ".join(major.open[:6]) + f" and {len(major.open) - 6} others"
    assert "22 Train: its entry hex is not stated" in " ".join(told(report, "Due"))
    assert comes_with_army("major-depot", new=True, entry=False)
    assert not comes_with_army("major-depot", new=True, entry=True), "a stated entry hex holds"


@thorough
@pytest.mark.rule("16.3", "16.1b")
def test_its_depots_are_placed_in_a_station_that_lines_join_to_the_edge(tmp_path: Path) -> None:
    report = entering(heath(tmp_path), MAJOR, at="58.52")
    assert report.verdict.text == f"{MAJOR} may enter in 58.52" and report.result.cost == 0
    assert values(report) == {("place", MAJOR): "58.52"} and [change.rule for change in report.changes] == ["16.3"]
    both = entering(heath(tmp_path), MAJOR, MINOR, at="61.48")
    assert values(both) == {("place", MAJOR): "61.48", ("place", MINOR): "61.48"}
    assert [ask.how for ask in entering(heath(tmp_path), MAJOR).asks] == ["at=HEX"]
    no_line = "no friendly operational RR line joins {} to the map edge"
    assert told(entering(heath(tmp_path), MAJOR, at="60.17"), "Not allowed") == [
        "its side does not control 60.17",
        no_line.format("60.17"),
    ]
    assert told(entering(heath(tmp_path), MAJOR, at="58.53"), "Not allowed")[0] == "58.53 has no RR Station"
    beset = heath(tmp_path, "61.44: german infantry XX G (6-6-1-9)\n")
    assert "61.43" in entering(heath(tmp_path), MAJOR).asks[0].options
    assert "61.43 is in an EZOC" in told(entering(beset, MAJOR, at="61.43"), "Not allowed")
    assert "61.43" not in entering(beset, MAJOR).asks[0].options


@pytest.mark.rule("16.3", "16.0", "22.2")
def test_it_comes_in_no_other_turn_or_phase_and_waits_for_its_army(tmp_path: Path) -> None:
    assert told(entering(heath(tmp_path, turn=3), MAJOR, at="58.52"), "Not allowed") == [f"{MAJOR}: it arrives in GT 4"]
    named = heath(tmp_path, f'"{MAJOR}" arrives=4 entry=61.43\n')
    assert told(entering(named, MAJOR, at="58.52"), "Not allowed") == ["the entry hex is 61.43"]
    assert told(entering(heath(tmp_path), "ELEVENTH Minor Depot", at="58.52"), "Not allowed") == [
        "the entry hex is 55.53"
    ]
    assert told(entering(heath(tmp_path), "22 Train", MAJOR, at="58.52"), "Not allowed") == []
    assert [ask.name for ask in entering(heath(tmp_path), "22 Train", MAJOR, at="58.52").asks] == ["22 Train entry"]
    position = heath(tmp_path, "campaign\n", turn=10, phasing="central-powers")
    waits = told(entering(position, "NINTH Major Depot", at="60.17"), "Not allowed")
    assert waits == ["NINTH Major Depot: Ninth comes into play first (ask activate army=Ninth)"]
    formed = heath(tmp_path, "campaign\nninth-army=10\n", turn=10, phasing="central-powers")
    assert entering(formed, "NINTH Major Depot", at="60.17").result.allowed
    small = heath(tmp_path, turn=10, phasing="central-powers")
    assert entering(small, "NINTH Major Depot", at="60.17").result.allowed, "outside the campaign the schedule says so"


@pytest.mark.rule("16.3", "16.4")
def test_waiting_it_stays_due_and_eliminated_it_comes_back(tmp_path: Path) -> None:
    waits = heath(tmp_path, f'"{MAJOR}" arrives=4\n', turn=5)
    assert entering(waits, MAJOR, at="58.52").result.allowed
    lost = heath(tmp_path, f'"{MAJOR}" arrives=6\n', turn=6)
    assert "it comes back anywhere In Supply (ask return)" in told(answered(lost, "arrive"), "Due")[0]
    with pytest.raises(InputError, match="is a supply unit without an entry hex"):
        entering(lost, MAJOR, at="58.52")
    assert answered(lost, "return", unit=MAJOR).result.turn == 6
    items = answered(waits, "turn").shown.now.items
    (owed,) = (item for item in items if item.name == "reinforcements" and item.state == "owed" and MAJOR in item.units)
    assert owed.ask == f'arrive units="{MAJOR}"'


@pytest.mark.rule("16.3")
def test_a_counter_that_shows_its_turn_brings_a_depot_too(tmp_path: Path) -> None:
    game = with_pack(tmp_path, {"counters.csv": f"unit,arrives\n{MAJOR},4\n"})
    text = EAST.replace("scenario=heath\n", "").format(4, "russian")
    for waits in ("", f'"{MAJOR}" arrives=4\n'):
        assert entering(stated(game, text + waits), MAJOR, at="58.52").result.allowed
    with pytest.raises(InputError, match="is a supply unit without an entry hex"):
        entering(stated(game, text.replace("turn=4", "turn=6") + f'"{MAJOR}" arrives=6\n'), MAJOR, at="58.52")


def test_where_no_line_is_known_none_is_named() -> None:
    unit = ArrivingUnit(unit=MAJOR, turn=4, rule="16.3", depot=True)
    (line,) = steps_of(unit, 5)
    end = "friendly operational lines join to the map edge, and none is known"
    assert line.text == f"{MAJOR}, due since GT 4: enters in any RR Station that {end}"
    assert not unit.waits


def attached(folder: Path, row: str, unit: str, more: str = "", **given: Any) -> Report[Any]:
    files = {"setups/heath.pos": "game twilight-in-the-east\nboard east\nscenario=heath\nturn=3\n"}
    game = with_pack(folder, files | {"schedules/heath.csv": f"action,at,units,place,army,corps\n{row}\n"})
    return answered(stated(game, EAST.format(4, "russian") + more), "arrive", units=(unit,), **given)


@pytest.mark.rule("16.1d")
def test_a_row_says_to_which_army_and_corps_a_unit_is_attached(tmp_path: Path) -> None:
    independent = attached(tmp_path, ",4,25/3,61.43,Second,none", "25/3")
    assert values(independent) == {("place", "25/3"): "61.43", ("army", "25/3"): "Second", ("corps", "25/3"): ""}
    said = "25/3: attached to Second; it may be changed in the Attachment Phase that follows"
    assert said in told(independent, "Entry")
    with_corps = attached(tmp_path, ",4,25/3,61.43,Second,14", "25/3")
    assert values(with_corps)["corps", "25/3"] == "14"
    own = attached(tmp_path, ",4,25/3,61.43,Second,3", "25/3")
    assert ("corps", "25/3") not in values(own), "as its ID says"
    silent = attached(tmp_path, ",4,25/3,61.43,,", "25/3")
    assert values(silent) == {("place", "25/3"): "61.43"}
    other = attached(tmp_path, ",4,25/3,61.43,Second,none", "25/3", army="Fourth", corps="15")
    assert (values(other)["army", "25/3"], values(other)["corps", "25/3"]) == ("Fourth", "15")
    waits = attached(tmp_path, ",3,25/3,61.43,Second,none", "25/3", "25/3 arrives=3\n")
    assert values(waits)["corps", "25/3"] == "" and values(waits)["army", "25/3"] == "Second"


def test_a_unit_that_comes_reduced_states_its_losses_with_its_turn(tmp_path: Path) -> None:
    report = attached(tmp_path, ",4,25/3,61.43,,", "25/3", "25/3 arrives=4 -8\n")
    assert values(report)["place", "25/3"] == "61.43" and ("lost", "25/3") not in values(report)
