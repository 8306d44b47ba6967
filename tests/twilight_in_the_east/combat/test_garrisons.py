"""Fortress Garrisons keep to their fortress or complex (12.4.1)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from twilight_in_the_east.combat.garrisons import garrison_move

from ...conftest import answered, typed

COMPLEX = """turn=3
41.19 clear: german infantry X G (4-4-0-9) garrison owes=1, german fortress - F1 (3-?-?-?) fssm=2 complex=Thorn
42.19 clear: german fortress - F2 (3-?-?-?) fssm=2 complex={other}
43.19 clear
42.20 clear
40.20: 25/3
41.19|42.19,42.20,40.20 open
42.19|43.19 open
{more}
"""


def asked(question: str, other: str = "Thorn", more: str = "", **given: Any) -> Report[Any]:
    return answered(typed(COMPLEX.format(other=other, more=more)), question, **given)


@pytest.mark.rule("12.4.1")
@pytest.mark.parametrize(
    ("inside", "required", "can_stay", "means"),
    [
        (True, False, True, "free"),
        (True, True, True, "free"),
        (False, False, False, "barred"),
        (False, True, True, "barred"),
        (False, True, False, "released"),
    ],
)
def test_where_a_garrison_goes(inside: bool, required: bool, can_stay: bool, means: str) -> None:
    assert garrison_move(inside=inside, required=required, can_stay=can_stay) == means


@pytest.mark.rule("12.4.1")
@pytest.mark.parametrize(
    ("other", "way", "rules"),
    [("Thorn", "42.19", [""]), ("Thorn", "42.19,43.19", ["", "12.4.1"]), ("Posen", "42.19", ["12.4.1"])],
)
def test_it_moves_within_its_complex_only(other: str, way: str, rules: list[str]) -> None:
    found = asked("ezoc", other, units="G", way=way).result
    assert [hex.rule if hex.barred else "" for hex in found.hexes] == rules


@pytest.mark.rule("12.4.1")
def test_whether_two_fortress_units_are_of_one_complex_is_asked() -> None:
    unsaid = COMPLEX.replace(" complex={other}", "").format(more="")
    report = answered(typed(unsaid), "ezoc", units="G", way="42.19")
    assert [ask.how for ask in report.asks] == ["F2 complex=..."]
    out = answered(typed(unsaid), "ezoc", units="G", way="42.20").result
    assert out.hexes[0].rule == "12.4.1", "no fortress unit stands there"


@pytest.mark.rule("12.4.1")
def test_it_retreats_within_its_complex_while_it_can() -> None:
    out = asked("retreat", at="41.19", hexes=1, way="42.20")
    assert (out.verdict.kind, out.verdict.text) == (
        "no",
        "42.20 cannot be entered: a hex of the Fortress Garrison's complex is open",
    )
    within = asked("retreat", at="41.19", hexes=1, way="42.19")
    assert ("place", "42.19") in [(change.track, change.after) for change in within.changes]
    assert "garrison" not in [change.track for change in within.changes]


@pytest.mark.rule("12.4.1")
def test_out_of_its_complex_it_is_a_garrison_no_more() -> None:
    out = asked("retreat", other="Posen", at="41.19", hexes=1, way="42.20")
    assert ("garrison", "G", None) in [(change.track, change.subject, change.after) for change in out.changes]


def test_cavalry_of_a_garrison_neither_reacts_nor_retires_out_of_it() -> None:
    text = COMPLEX.format(other="Posen", more="").replace("infantry X G", "cavalry X G")
    options = answered(typed(text), "cavalry", unit="G", when="retirement").result.options
    assert {option.rule for option in options} == {"4.2", "12.4.1"}


def test_a_garrison_that_attacks_does_not_advance() -> None:
    text = "turn=3\ntrust charts\n40.20: russian infantry XX R (30-?-0-10) {}\n41.19 clear: german fort - F1 (2-?-?-?) fssm=2\n"
    text += (
        "41.19|40.20 open\nask battle at=41.19\nchart crt summer 6:1 7 = - / W2 +1\nanswers crt=7 slrt=1/5 ec.40.20=2"
    )
    assert answered(typed(text.format(""))).result.outcome.advance == ("R",)
    assert answered(typed(text.format("garrison"))).result.outcome.advance == ()


def test_guns_of_a_garrison_that_displace_are_free() -> None:
    text = "40.20: 25/3\n40.20|41.19 open\n41.19: german artillery - G garrison\n42.19: german infantry XX A"
    report = answered(typed(text), "displace", unit="G")
    assert ("garrison", None) in [(change.track, change.after) for change in report.changes]
