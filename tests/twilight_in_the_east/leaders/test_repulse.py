"""Leaders in a Repulse: nothing by the letter of 10.8, by the other reading as in a combat (8.5.2, 25.4 to 25.7)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError

from ...conftest import answered, rulings, typed

BOARD = """turn={turn} leaders={leaders} {more}
trust charts
40.20 clear: {defender}
41.19: {attacker}
41.19|40.20 open
"""
GERMAN = "german infantry XX 35/17 (12-16-7-11) army=Eighth"
OF_FIRST_CORPS = "1/1 (12-16-7-11) army=Eighth"
ARTAMONOVS = "russian infantry X 7/1 (4-4-5-10) army=Second"
BRUSILOVS = "russian infantry X 7/8 (4-4-5-10) army=Eighth"
SHIFT = "\nruling leaders-repulse=shift"


def tried(
    leaders: str, defender: str = ARTAMONOVS, attacker: str = GERMAN, more: str = "", turn: int = 1, **asked: Any
) -> Report[Any]:
    text = BOARD.format(turn=turn, leaders=leaders, defender=defender, attacker=attacker, more=more)
    given = {"at": "40.20", "from": "41.19", "flanked": "no", **asked}
    return answered(typed(text), "repulse", **given)


def shifts(report: Report[Any]) -> list[tuple[str, int]]:
    return [(shift.rule, shift.amount) for shift in report.result.shifts if shift.rule.startswith("25.")]


def uses(report: Report[Any]) -> list[Any]:
    return [change.after for change in report.changes if change.track == "leader-uses"]


@pytest.mark.rule("8.5.2")
def test_leaders_do_nothing_in_a_repulse() -> None:
    report = tried("artamonov")
    assert shifts(report) == [] and report.result.final == report.result.initial == "3:1"
    assert "leaders-repulse" in rulings(report)
    assert "leaders-repulse" not in rulings(tried("none"))
    assert "leaders-repulse" not in rulings(tried("artamonov", turn=12))
    assert "leaders-repulse" not in rulings(tried("rennenkampf", defender=ARTAMONOVS.replace("X 7", "XX 7")))
    with pytest.raises(InputError, match="leaders do nothing in a Repulse") as refused:
        tried("brusilov", defender=BRUSILOVS, leader="brusilov")
    assert "ruling leaders-repulse=shift" in refused.value.hint


@pytest.mark.rule("8.5.2")
def test_by_the_other_reading_columns_count_uses_and_the_army_is_asked_for() -> None:
    report = tried("artamonov", more=SHIFT)
    assert shifts(report) == [("25.4", 1)] and (report.result.initial, report.result.final) == ("3:1", "4:1")
    assert uses(report) == [], "nothing is used before the dice"
    assert shifts(tried("artamonov", more=f"leader-uses=artamonov:2{SHIFT}")) == []
    assert shifts(tried("brusilov", BRUSILOVS, more=SHIFT)) == []
    assert shifts(tried("brusilov", BRUSILOVS, more=SHIFT, leader="brusilov")) == [("25.5", -1)]
    with pytest.raises(InputError, match="fights here"):
        tried("brusilov", more=SHIFT, leader="brusilov")
    first = {"attacker": OF_FIRST_CORPS, "leader": "francois"}
    assert shifts(tried("francois", "russian infantry X 7/3 (4-4-5-10)", more=SHIFT, **first)) == [("25.6.1", 2)]
    division = "russian infantry XX Z (4-4-5-10)"
    assert [ask.name for ask in tried("rennenkampf", division).asks] == ["crt"]
    assert [ask.name for ask in tried("rennenkampf", division, more=SHIFT).asks] == ["Z army=..."]
    led = f"{division} army=First"
    assert "leaders-repulse" not in rulings(tried("rennenkampf", led)), "he changes a step loss roll, and there is none"


def test_an_attempt_with_dice_uses_the_leader() -> None:
    text = BOARD.format(turn=1, leaders="brusilov", defender=BRUSILOVS, attacker=GERMAN, more="leader-uses=brusilov:1")
    asked = {"at": "40.20", "from": "41.19", "flanked": "no", "leader": "brusilov"}
    failing = answered(typed(f"{text}{SHIFT}"), "repulse", **asked)
    assert failing.result.needs == "hopeless", "3:1, and a column to the left"
    assert uses(failing) == ["brusilov:2"]
    rolled = answered(typed(f"{text}{SHIFT}\nanswers crt=12 ec=2"), "repulse", **asked, shift=1)
    assert rolled.result.repulsed is not None and uses(rolled) == ["brusilov:2"]
    none = answered(typed(f"{text}\nanswers crt=12 ec=2"), "repulse", **{**asked, "leader": ""})
    assert none.result.repulsed is not None and uses(none) == []
