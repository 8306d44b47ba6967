"""Retreats before a combat by made-up rules: who may, whose die decides, and who stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from assistant.asking import Gather, InputError, Report, step
from assistant.mechanics.procedure import AnswerError
from assistant.rules.field import Bar, HexBar
from assistant.rules.retreat import Evasion, EvasionParameters, EvasionRules, Retreat, evasion_question
from assistant.state.state import Unit

from ...conftest import told, viewed

MET = "40.20: 25/3\n41.20: 1/1\n43.20: 2/1\n"


def evade(
    *way: str,
    answers: Mapping[str, str] = {},
    shut: Sequence[str] = (),
    reasons: Sequence[Any] = (),
    rolls: bool = False,
    position: str = MET,
    **more: Any,
) -> Report[Any]:
    """The report on the retreat of a unit from the enemy beside it."""

    def read(facts: Gather, unit: Unit, foes: Sequence[str], side: str) -> Evasion:
        assert (side, tuple(foes)) == ("russian", more.get("against") or (("1/1",) if "41.20" in position else ()))
        bars: list[Bar] = [lambda here, there: HexBar("5.1", "shut") if there in shut else None]
        return Evasion(lambda facts: Retreat([unit.id], [], bars), reasons, rolls)

    question = evasion_question(EvasionRules("avoid", "whether units avoid a combat", read, "7.1", "7.2", 2, 4))
    return question.answer(viewed(position), EvasionParameters(unit="25/3", way=way, **more), answers)


def test_a_unit_goes_hex_by_hex_as_in_any_retreat() -> None:
    assert evade().verdict.text.startswith("open hexes: ")
    report = evade("40.19")
    assert [(one.subject, one.after, one.rule) for one in report.changes] == [("25/3", "40.19", "7.1")]
    assert evade("40.19", hexes=2).asks[0].name == "hex.2"
    with pytest.raises(InputError, match="1 to 2 hexes"):
        evade(hexes=3)


def test_a_die_decides_first_where_the_game_says_so() -> None:
    due = evade(rolls=True)
    assert (due.verdict.text, due.asks[0].name, due.asks[0].dice) == ("25/3 retreats on 1 to 4", "die", "1d6")
    assert not due.result.complete
    fails = evade(rolls=True, answers={"die": "5"})
    assert (fails.verdict.kind, fails.changes, fails.result.complete) == ("no", (), True)
    assert evade(rolls=True, answers={"die": "4", "hex.1": "40.19"}).result.way == ("40.19",)
    with pytest.raises(AnswerError):
        evade(answers={"die": "4"})


def test_who_may_not_is_told_each_reason() -> None:
    report = evade(reasons=[step("7.3", "25/3 is on foot")])
    assert (report.verdict.text, told(report)) == (
        "25/3 may not retreat before the combat (1 reason)",
        ["25/3 is on foot"],
    )
    assert told(evade(against=("2/1",))) == ["no enemies adjacent to 25/3: 2/1"]
    assert told(evade(position="40.20: 25/3\n")) == ["no enemy is adjacent to 25/3"]


def test_who_finds_no_way_stays() -> None:
    around = viewed(MET).board.neighbours("40.20")
    report = evade(shut=around)
    assert (report.verdict.text, report.changes, report.result.eliminated) == ("no retreat: 25/3", (), ())
