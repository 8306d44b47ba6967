"""The question `move`: units go from hex to hex, what keeps them from it, and what follows is carried out (4.2, 4.3, 8.4, 13.5.1)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.formats.positions import Position
from assistant.util.errors import InputError

from ....conftest import answered, told, typed, why_not

TEXT = """trust charts
40.20: russian infantry XX R (9-9-0-9), russian infantry XX S (9-9-0-9)
43.18: german infantry XX G (9-9-0-9)
41.18 printed-ip=central-powers control=central-powers
42.20: austro-hungarian fort - F abandonment=2
"""


def moved(position: Position, units: str, way: str, **more: Any) -> Report[Any]:
    """The report on a move over ground that costs a Movement Point a hex."""
    return answered(position, "move", units=units, way=way, ground=[1] * len(way.split(",")), **more)


@pytest.mark.rule("13.5.1", "4.3")
def test_a_move_is_carried_out_with_what_follows_at_once_or_hex_by_hex() -> None:
    position = typed(TEXT)
    report = moved(position, units="R,S", way="40.19,41.18,41.19")
    then = position.after(report.changes).state
    assert [then.units[name].place for name in "RS"] == ["41.19", "41.19"]
    assert (then.value("ruined", "41.18"), then.value("control", "41.18")) == (True, "russian")
    assert then.value("control", "40.20") == "russian"
    assert report.result.unsettled == ("F",)
    assert "bridgehead" in told(report, "What follows")[0]
    position = typed(TEXT)
    at_once = position.after(moved(position, units="R,S", way="40.19,41.18,41.19").changes)
    for hex in ("40.19", "41.18", "41.19"):
        position = position.after(moved(position, units="R,S", way=hex).changes)
    assert (position.state.units, position.state.facts) == (at_once.state.units, at_once.state.facts)


@pytest.mark.rule("4.2b", "8.1.1", "23.4.1")
@pytest.mark.parametrize(
    ("text", "way", "rule"),
    [
        ("31.113: russian infantry XX U", "31.114", "23.4.1"),
        ("40.20|40.19 lake\n40.20: russian infantry XX U", "40.19", "8.1.1"),
        ("40.20|40.19 sea\n40.20: russian infantry XX U", "40.19", "8.1.1"),
        ("41.18|41.19 impassable\n40.20: russian infantry XX U", "41.19,41.18", "8.1.1"),
        ("40.20: russian infantry XX U\n41.18: german corps-train - T", "41.19,41.18,41.17", "9.8.1"),
    ],
)
def test_a_hex_that_is_closed_to_all_moves_is_closed_to_this_one(text: str, way: str, rule: str) -> None:
    report = moved(typed(f"trust charts\n{text}"), units="U", way=way)
    assert (report.verdict.kind, report.changes, why_not(report)) == ("no", (), [rule])
    assert report.verdict.text.startswith(f"U cannot go to {way.split(',')[-1]}: ")


def test_of_a_unit_in_rail_mode_that_is_told_before_its_way_is_looked_at() -> None:
    position = typed("trust charts\n40.20: german infantry XX A entrained, german infantry XX B")
    report = answered(position, "move", units="A", way="57.32")
    assert (report.verdict.kind, report.verdict.text, why_not(report)) == (
        "no",
        "A is in Rail Mode and moves only by rail until it detrains (ask rail)",
        ["8.2.4"],
    )
    with pytest.raises(InputError, match="57.32 is not adjacent to 40.20"):
        answered(position, "move", units="B", way="57.32")


def test_an_austro_hungarian_unit_enters_a_half_hex() -> None:
    position = typed("trust charts\n31.113: austro-hungarian infantry XX U")
    report = answered(position, "move", units="U", way="31.114")
    assert report.verdict.text == "U goes to 31.114: 1 Movement Point", "which no chart says"


@pytest.mark.rule("8.2.4", "8.4", "8.4.2", "8.5.4", "12.1", "12.4.1", "22.4.1", "22.4.2", "22.5.1")
@pytest.mark.parametrize(
    ("unit", "rule"),
    [
        ("german fort - U", "12.1"),
        ("german minor-depot - U", "8.2.7"),
        ("german infantry XX U halted", "8.5.4"),
        ("german infantry XX U entrained", "8.2.4"),
        ("german infantry XX U prepared=41.18", "8.4"),
        ("german artillery - U displaced", "9.5.1"),
        ("german infantry XX U garrison", "12.4.1"),
        ("german infantry XX U task=position expended=3", "8.9.2"),
        ("german infantry XX U\n41.19: russian infantry XX R prepared=40.20", "8.4.2"),
        ("german infantry XX U movement=0", "3.3.4"),
        ("german infantry II Tilsit", "22.4.1"),
        ("german artillery - Nikolaiken", "22.4.2"),
        ('"KG Train"', "22.5.1"),
    ],
)
def test_who_may_not_move_does_not(unit: str, rule: str) -> None:
    name = next((name for name in ("Tilsit", "Nikolaiken", "KG Train") if name in unit), "U")
    text = f"trust charts\nturn=5 phase=counter-movement phasing=russian\n40.20: {unit}"
    report = moved(typed(text), units=name, way="39.20")
    assert (report.verdict.kind, report.changes) == ("no", ())
    assert [one.rule for part in report.parts for one in part.steps] == [rule]


@pytest.mark.rule("2.2f")
@pytest.mark.parametrize(
    ("phase", "phasing", "question"),
    [
        ("movement", "russian", None),
        ("movement", "central-powers", "; the question cavalry is about its reaction to a move"),
        ("counter-movement", "russian", "; the question cavalry is about its reaction to a move"),
        ("post-combat", "russian", "; the question cavalry is about its retirement"),
        ("attack", "russian", ""),
    ],
)
def test_cavalry_steps_aside_by_the_question_that_judges_it_and_not_as_a_march(
    phase: str, phasing: str, question: str | None
) -> None:
    text = f"trust charts\nturn=5 phase={phase} phasing={phasing}\n40.20: russian cavalry XX C"
    report = moved(typed(text), units="C", way="39.20")
    assert (report.verdict.kind, bool(report.changes)) == (("no", False) if question is not None else ("figure", True))
    if question is not None:
        assert report.verdict.text.startswith("C cannot move: ")
        assert report.verdict.text.partition(";")[1:] == question.partition(";")[1:]


@pytest.mark.rule("9.5.1", "9.8.1", "9.9")
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("41.17: german artillery - U", "9.5.1"),
        ("41.17: german corps-train - U", "9.8.1"),
        ("41.17: german minor-depot - U", "9.9"),
        ("41.17: german major-depot - U", "9.9"),
        ("39.19: german artillery - U", "9.5.1"),
        ("40.20: russian artillery - U\n40.21: german infantry XX H", "9.5.1"),
        ("41.17: german artillery - U, german infantry XX H", ""),
        ("41.17: german corps-train - U, german cavalry XX H", ""),
        ("41.17: german minor-depot - U, german infantry XX H", "9.9"),
        ("41.17|41.18 lake\n41.17: german artillery - U", ""),
        ("43.17: german artillery - U", ""),
        ("41.17: german artillery - U entrained", "8.2.4"),
        ("41.17: russian artillery - U", ""),
    ],
    ids=str,
)
def test_who_has_to_displace_at_once_is_named(text: str, rule: str) -> None:
    """They pass next to 39.19 and end next to 41.17."""
    position = typed(f"trust charts\n40.20: russian infantry XX R (9-9-0-9)\n{text}")
    report = moved(position, units="R", way="40.19,41.18")
    assert report.result.unsettled == (("U",) if rule else ())
    assert [one.rule for part in report.parts if part.title == "What follows" for one in part.steps] == [rule] * bool(
        rule
    )
