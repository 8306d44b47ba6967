"""Pursuit by made-up rules: who follows into a cleared hex, how far, and what bars him."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from assistant.asking import Gather, InputError, Report, step
from assistant.asking.view import changed
from assistant.rules.field import Bar, HexBar
from assistant.rules.retreat import EntryEffects, Pursuit, PursuitParameters, PursuitRules, pursuit_question

from ...conftest import told, viewed

VIEW = "40.20: 25/3, 27/3\n"
CLEARED, BEYOND = "40.19", "40.18"


def pursuit(
    *way: str,
    at: str = CLEARED,
    reach: int = 2,
    shut: Sequence[str] = (),
    full: Sequence[str] = (),
    halts: Sequence[str] = (),
    lame: bool = False,
    units: Sequence[str] = ("25/3", "27/3"),
) -> Report[Any]:
    """The report on a pursuit by both units."""
    view = viewed(VIEW)
    bars: list[Bar] = [lambda here, there: HexBar("9.9", "shut") if there in shut else None]
    unable = [step("1.3", "27/3 is lame")] if lame else []

    def entered(hexes: Sequence[str], units: Sequence[str]) -> EntryEffects:
        changes = [changed(view, "fought", name, True, "1.5") for name in units]
        return EntryEffects([step("1.6", "the hex is empty")], changes)

    def read(facts: Gather, asked: PursuitParameters, side: str) -> Pursuit:
        assert side == "russian"
        return Pursuit(reach, unable, bars, lambda hex: hex not in full, stops, entered)

    def stops(at: str) -> HexBar | None:
        return HexBar("1.7", "they have stopped") if at in halts else None

    rules = PursuitRules("follow", "pursuit", "whether units follow", "1.1", "1.2", "1.4")
    question = pursuit_question(rules, read, PursuitParameters)
    return question.answer(view, PursuitParameters(units=tuple(units), at=at, way=way), {})


def test_the_units_go_to_the_last_hex_and_what_else_changes_is_added() -> None:
    report = pursuit(BEYOND)
    assert report.verdict.text == f"25/3, 27/3 may follow to {BEYOND}"
    changes = [(one.track, one.subject, one.after, one.rule) for one in report.changes]
    assert changes == [
        ("place", "25/3", BEYOND, "1.1"),
        ("place", "27/3", BEYOND, "1.1"),
        ("fought", "25/3", True, "1.5"),
        ("fought", "27/3", True, "1.5"),
    ]


def test_the_hexes_beyond_are_offered_while_the_reach_allows_one_and_a_full_one_may_be_entered() -> None:
    report = pursuit(shut=[BEYOND])
    assert report.result.options[-1].hex == BEYOND
    assert told(report)[0] == f"up to 2 hexes, {CLEARED} first"
    assert told(report)[-1] == "the hex is empty"
    assert pursuit(reach=1).result.options == ()
    assert pursuit(BEYOND).result.options == ()
    crowded = pursuit(full=[CLEARED])
    assert (crowded.result.over_stacked, crowded.result.allowed) == (True, True)


def test_each_reason_against_it_has_its_rule_and_what_is_no_pursuit_is_refused() -> None:
    def rules(report: Report[Any]) -> list[str]:
        return [line.rule for line in report.parts[0].steps]

    assert rules(pursuit(lame=True)) == ["1.3"]
    assert rules(pursuit(BEYOND, reach=1)) == ["1.2"]
    assert rules(pursuit(shut=[CLEARED])) == ["9.9"]
    assert rules(pursuit(BEYOND, shut=[BEYOND])) == ["9.9"]
    assert rules(pursuit(at="43.19")) == ["1.1", "1.1"]
    assert not pursuit(lame=True).result.allowed
    with pytest.raises(InputError, match="a pursuit needs units"):
        pursuit(units=())
    with pytest.raises(InputError, match="is not adjacent to"):
        pursuit("43.19")


def test_a_longer_pursuit_goes_on_from_the_last_hex_until_something_halts_it() -> None:
    assert [one.hex for one in pursuit(BEYOND, reach=3, shut=[CLEARED]).result.options][-1] == CLEARED
    halted = pursuit(BEYOND, reach=3, halts=[CLEARED, BEYOND])
    assert (halted.result.options, halted.result.allowed) == ((), True)
    on = pursuit(BEYOND, "40.17", reach=3, halts=[CLEARED, BEYOND])
    assert [(line.rule, line.text) for line in on.parts[0].steps] == [
        ("1.7", "40.17 cannot be entered: they have stopped")
    ]
    assert pursuit(BEYOND, reach=3, halts=[CLEARED]).result.options


def test_a_fact_that_decides_alone_is_read_only_where_nothing_forbids_the_pursuit() -> None:
    read = list[str]()

    def asked(unable: Sequence[Any]) -> None:
        rules = PursuitRules("advance", "advance", "whether units advance", "1.1", "1.2", "1.4")
        pursuit = Pursuit(1, unable, (), decides=lambda here, there: read.append(f"{here}-{there}"))
        question = pursuit_question(rules, lambda facts, asked, side: pursuit, PursuitParameters)
        question.answer(viewed(VIEW), PursuitParameters(units=("25/3",), at=CLEARED), {})

    asked([step("1.3", "25/3 is lame")])
    assert read == []
    asked([])
    assert read == ["40.20-40.19"]
