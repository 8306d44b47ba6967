"""Rulings: doubtful places and their readings."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.rulings import Ruling, read_rulings
from assistant.util.errors import InputError

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
def test_faults_name_file_and_line(text: str, where: str, what: str, hint: str, rulings: Path) -> None:
    rulings.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        read_rulings(rulings)
    assert (str(caught.value.where), caught.value.what, caught.value.hint) == (where, what, hint)
