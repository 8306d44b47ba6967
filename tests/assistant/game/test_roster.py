"""Rosters and rulings: what is printed on counters and who says so, and doubtful places with their readings."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.roster import Roster, read_roster
from assistant.game.rulings import Ruling, read_rulings
from assistant.state.tracks import Fact, Source, Track
from assistant.util.errors import InputError

TRACKS = {
    track.name: track
    for track in (
        Track(
            name="arm",
            title="arm",
            on="unit",
            kind="choice",
            rule="1",
            values=("infantry", "cavalry"),
            printed="counter",
        ),
        Track(name="steps", title="steps", on="unit", kind="integer", rule="1", least=1, most=9, printed="counter"),
        Track(
            name="guns",
            title="class of guns",
            on="unit",
            kind="choices",
            rule="1",
            values=("heavy", "field"),
            printed="counter",
        ),
        Track(name="lost", title="steps lost", on="unit", kind="integer", rule="1"),
        Track(name="terrain", title="terrain", on="hex", kind="choice", rule="1", values=("clear",), printed="map"),
    )
}


HOW_MANY = "write how many counters of it there are, from 1 to 500"


def roster(folder: Path, *texts: str) -> Roster:
    """The roster of these files: the first from the rulebook, the others made up."""
    files = []
    for number, text in enumerate(texts):
        file = folder / f"roster{number}.csv"
        file.write_text(text, "utf-8")
        files.append((file, Source.ILLUSTRATIVE if number else Source.RULEBOOK))
    return read_roster(files, TRACKS).printed


def test_every_value_has_its_source_and_an_empty_cell_says_nothing(tmp_path: Path) -> None:
    found = roster(tmp_path, "unit,arm,steps,guns\n1 H,Cavalry,4,\n2/7,,,field+heavy\n")
    assert found == {
        "1 H": {"arm": [Fact("cavalry", Source.RULEBOOK)], "steps": [Fact(4, Source.RULEBOOK)]},
        "2/7": {"guns": [Fact(("heavy", "field"), Source.RULEBOOK)]},
    }
    assert roster(tmp_path, "unit,steps\n1 H,\n") == {"1 H": {}}


@pytest.mark.parametrize("head", ["Qty", "Quantity", "NUMBER", "count"])
def test_the_usual_heads_of_other_rosters_are_understood(head: str, tmp_path: Path) -> None:
    file = tmp_path / "roster.csv"
    file.write_text(f"Name,Arm,{head}\n1 H,cavalry,3\n", "utf-8")
    found = read_roster([(file, Source.RULEBOOK)], TRACKS)
    assert found.counts == {"1 H": 3}
    assert found.printed["1 H"]["arm"] == [Fact("cavalry", Source.RULEBOOK)]


def test_a_column_of_its_own_comes_before_another_head(tmp_path: Path) -> None:
    file = tmp_path / "roster.csv"
    file.write_text("unit,count,Name\n1 H,2,First\n", "utf-8")
    with pytest.raises(InputError, match="unknown track 'Name' of a counter"):
        read_roster([(file, Source.RULEBOOK)], TRACKS)


def test_files_add_up_with_counts_of_counters(tmp_path: Path) -> None:
    found = roster(tmp_path, "unit,steps\n1 H,4\n", "arm,unit,steps\ncavalry,1 H,5\ninfantry,2/7,6\n")
    assert found["1 H"] == {
        "steps": [Fact(4, Source.RULEBOOK), Fact(5, Source.ILLUSTRATIVE)],
        "arm": [Fact("cavalry", Source.ILLUSTRATIVE)],
    }
    assert found["2/7"]["steps"] == [Fact(6, Source.ILLUSTRATIVE)]
    files = tmp_path / "known.csv", tmp_path / "assumed.csv"
    files[0].write_text("unit,count,steps\n1 H,2,4\n2/7,,5\n", "utf-8")
    files[1].write_text("unit,count\n1 H,\n3/7,500\n", "utf-8")
    found = read_roster([(files[0], Source.RULEBOOK), (files[1], Source.ILLUSTRATIVE)], TRACKS)
    assert found.counts == {"1 H": 2, "2/7": 1, "3/7": 500}
    assert found.types["1 H (2)"] == "1 H" and len(found.types) == 500
    assert found.printed["1 H"] == {"steps": [Fact(4, Source.RULEBOOK)]}


@pytest.mark.parametrize(
    ("text", "where", "what", "hint"),
    [
        ("unit,steps\n1 H,4\n ,5\n", 3, "a unit has no name", "write its name in the column `unit`"),
        (
            "unit,steps\n1\x1bH,4\n",
            2,
            "the unit '1\\x1bH' has a character that cannot be printed",
            "write its name in the column `unit`",
        ),
        ("unit,steps\n1 H,4\n2/7,5\n1 H,4\n", 4, "unit 1 H is listed twice", "leave one of the rows out"),
        ("unit,step\n1 H,4\n", 1, "unknown track 'step' of a counter", "nearest known: steps"),
        ("unit,lost\n1 H,\n", 1, "unknown track 'lost' of a counter", "known: arm, guns, steps"),
        ("unit,terrain\n1 H,clear\n", 1, "unknown track 'terrain' of a counter", "known: arm, guns, steps"),
        ("unit,steps\n1 H,4\n2/7,10\n", 3, "steps: 10 is not allowed", "allowed: a whole number from 1 to 9"),
        ("unit,steps\n1 H,four\n", 2, "steps: 'four' is not allowed", "allowed: a whole number from 1 to 9"),
        ("unit,arm\n1 H,cavlry\n", 2, "arm: 'cavlry' is not allowed", "nearest known: cavalry"),
        ("unit,guns\n1 H,field+hevy\n", 2, "class of guns: 'hevy' is not allowed", "nearest known: heavy"),
        ("id,steps\n1 H,4\n", 1, "column 'unit' is missing", "expected: unit"),
        ("unit,steps\n1 H\n", 2, "the row has 1 cell, not 2", "unit,steps"),
        ("unit,count\n1 H,0\n", 2, "count: '0' is not allowed", HOW_MANY),
        ("unit,count\n1 H,501\n", 2, "count: '501' is not allowed", HOW_MANY),
        ("unit,count\n1 H,two\n", 2, "count: 'two' is not allowed", HOW_MANY),
        (
            "unit,count\n1 H (2),\n1 H,2\n",
            2,
            "1 H (2) is already a copy of 1 H",
            "leave this row out, or write a smaller count for 1 H",
        ),
    ],
)
def test_faults_name_file_and_line(text: str, where: int, what: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        roster(tmp_path, "unit\n2/7\n", text)
    assert (str(caught.value.where), caught.value.what, caught.value.hint) == (f"roster1.csv:{where}", what, hint)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_roster([(tmp_path / "known.csv", Source.PRINTED)], TRACKS)
    assert str(caught.value.where) == "known.csv"
    assert caught.value.hint == "the game's folder needs this file"


HEAD = "id,rule,doubt,readings,default,authority"
RIVER = "river,4.2,Whether a frozen river halves,once: a river: halves once; never: it does not,never,the letter of 4.2"


@pytest.fixture
def rulings(tmp_path: Path) -> Path:
    return tmp_path / "rulings.csv"


def test_a_ruling_has_its_readings_with_what_they_mean(rulings: Path) -> None:
    rulings.write_text(f"{HEAD}\n{RIVER}\nmud,5.1,When mud begins,a:;b: at once,a,sense\n", "utf-8")
    found = read_rulings(rulings)
    assert list(found) == ["river", "mud"]
    assert found["river"] == Ruling(
        id="river",
        rule="4.2",
        doubt="Whether a frozen river halves",
        readings={"once": "a river: halves once", "never": "it does not"},
        default="never",
        authority="the letter of 4.2",
    )
    assert found["mud"].readings == {"a": "", "b": "at once"}


@pytest.mark.parametrize(
    ("readings", "fault"),
    [
        ("a: at once;; b: later", "a reading has no name"),
        (": at once; b: later", "a reading has no name"),
        ("a: at once; a: later", "the reading 'a' is given twice"),
    ],
)
def test_readings_that_cannot_be_told_apart(rulings: Path, readings: str, fault: str) -> None:
    rulings.write_text(f"{HEAD}\nmud,5.1,When mud begins,{readings},a,sense\n", "utf-8")
    with pytest.raises(InputError) as caught:
        read_rulings(rulings)
    assert (caught.value.what, str(caught.value.where)) == (fault, "rulings.csv:2")


def test_readings_are_checked_and_end_in_a_semicolon_or_not(rulings: Path) -> None:
    rulings.write_text(f"{HEAD}\n{RIVER}\n", "utf-8")
    ruling = read_rulings(rulings)["river"]
    assert ruling.check("once") == "once"
    with pytest.raises(InputError) as caught:
        ruling.check("nevr")
    assert (caught.value.what, caught.value.hint) == ("unknown reading of river: 'nevr'", "nearest known: never")
    rulings.write_text(f"{HEAD}\nmud,5.1,When mud begins,a: at once; b: later;,a,sense\n", "utf-8")
    assert read_rulings(rulings)["mud"].readings == {"a": "at once", "b": "later"}


@pytest.mark.parametrize(
    ("text", "where", "what", "hint"),
    [
        (f"{HEAD}\n{RIVER}\nmud,5.1,d,a: x; b: y,c,s\n", "rulings.csv:3", "unknown reading of mud: 'c'", "known: a, b"),
        (f"{HEAD}\n{RIVER}\n{RIVER}\n", "rulings.csv:3", "ruling river is given twice", "leave one of the rows out"),
        (f"{HEAD}\nmud,5.1,d,a: x,,s\n", "rulings.csv:2", "unknown reading of mud: ''", "known: a"),
        (f"{HEAD}\nmud,5.1,d,a: x,a\n", "rulings.csv:2", "the row has 5 cells, not 6", HEAD),
        ("id,rule,doubt,readings,default\n", "rulings.csv:1", "column 'authority' is missing", f"expected: {HEAD}"),
    ],
)
def test_faults_of_rulings_name_file_and_line(text: str, where: str, what: str, hint: str, rulings: Path) -> None:
    rulings.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        read_rulings(rulings)
    assert (str(caught.value.where), caught.value.what, caught.value.hint) == (where, what, hint)
