"""Detachments: which they are, who takes them back, and when (6.4.3)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.attachment.reunite_question import ReuniteResult, is_detachment, is_parent
from twilight_in_the_east.forces.gains import regain
from twilight_in_the_east.forces.units import CombatUnit

from ...conftest import answered, rulings, typed

DETACHMENT = 'russian infantry III "det 4+16/6" asset (4-4-0-8) withdrawal=9 army=Second'
PARENT = "russian infantry XX {} (10-10-5-10) back-steps=5 army=Second"


@pytest.mark.rule("6.4.3", "6.4.3b")
def test_a_detachment_and_its_parents_by_their_ids() -> None:
    assert all(is_detachment(name) for name in ("det 4+16/6", "det 43/2", "1-det 11"))
    assert not any(is_detachment(name) for name in ("4/6", "3 r", "German 1 Train", "detail/1", "det"))
    assert [unit for unit in ("4/6", "16/6", "22/1", "4+16/6") if is_parent("det 4+16/6", unit)] == ["4/6", "16/6"]
    assert [unit for unit in ("22/1", "24/1", "16/6") if is_parent("det 22+24/1", unit)] == ["22/1", "24/1"]
    assert [unit for unit in ("43/2", "4/2", "43/3") if is_parent("det 43/2", unit)] == ["43/2"]
    assert [unit for unit in ("11/11", "11", "1/11") if is_parent("1-det 11", unit)] == ["11/11", "11"]


def asked(text: str, turn: int = 3, **more: Any) -> Report[Any]:
    return answered(typed(f"turn={turn}\n{text}"), "reunite", **{"unit": "det 4+16/6", "ends": "yes", **more})


def stack(parent: str = "4/6", more: str = "-6") -> str:
    return f"51.40: {DETACHMENT}, {PARENT.format(parent)} {more}"


@pytest.mark.rule("6.4.3a", "16.5")
def test_a_parent_takes_a_detachment_back_with_its_steps() -> None:
    report = asked(stack())
    assert report.result == ReuniteResult(
        unit="det 4+16/6", parents=("4/6",), parent="4/6", allowed=True, steps=4, left=8
    )
    changes = [(change.track, change.subject, change.after, change.rule) for change in report.changes]
    assert changes == [
        ("place", "det 4+16/6", None, "6.4.3a"),
        ("departed", "det 4+16/6", "integrated", "6.4.3a"),
        ("lost", "4/6", 2, "6.4.3a"),
    ]
    assert report.verdict.text == "4/6 takes back det 4+16/6 with 4 steps; it then has 8"


@pytest.mark.rule("6.4.3a")
@pytest.mark.parametrize(
    ("text", "more", "why"),
    [
        (stack(), {"ends": "no"}, "a detachment is reunited at the end of a friendly movement phase"),
        (
            f"51.40: {DETACHMENT}\n52.40: {PARENT.format('4/6')} -4",
            {},
            "4/6 is in 52.40; both must be in the same hex",
        ),
        (f"51.40: {DETACHMENT}, {PARENT.format('36/13')}", {}, "its parent is not on the map"),
    ],
)
def test_where_it_is_not_taken_back(text: str, more: dict[str, str], why: str) -> None:
    report = asked(text, **more)
    assert (report.verdict.kind, report.changes) == ("no", ())
    assert report.verdict.text == f"det 4+16/6 is not reunited: {why}"


@pytest.mark.rule("6.4.3a", "16.5")
def test_what_is_not_reunited_before_its_withdrawal_is_lost() -> None:
    assert asked(stack(), turn=8).result.withdrawn is False
    report = asked(stack(), turn=9)
    assert report.result == ReuniteResult(
        unit="det 4+16/6", parents=("4/6",), parent="4/6", allowed=False, steps=4, left=4, withdrawn=True
    )
    assert [(change.track, change.subject, change.after, change.rule) for change in report.changes] == [
        ("place", "det 4+16/6", None, "6.4.3a"),
        ("departed", "det 4+16/6", "withdrawn", "6.4.3a"),
    ]


@pytest.mark.rule("6.4.3a")
@pytest.mark.parametrize(
    ("reading", "left", "lost", "told", "changes"),
    [
        ("lost", 10, 3, ", which are lost", [("lost", 0)]),
        ("added", 13, 0, ": keep a note of these", [("steps", 13), ("lost", 0)]),
    ],
)
def test_what_becomes_of_steps_without_room_is_a_ruling(
    reading: str, left: int, lost: int, told: str, changes: list[tuple[str, int]]
) -> None:
    report = asked(stack(more=f"-1\nruling detachment-room={reading}"))
    assert (report.result.left, report.result.lost, rulings(report)) == (left, lost, ["detachment-room"])
    assert report.parts[0].steps[1].text == f"the counter of 4/6 has no room for 3 of them{told}"
    assert [(one.track, one.after) for one in report.changes if one.subject == "4/6"] == changes


def test_where_there_is_room_or_nothing_is_reunited_no_ruling_is_named() -> None:
    ruled = [asked(stack()), asked(stack(more="-1"), ends="no"), asked(stack(more="-1"), turn=9)]
    assert [(rulings(report), report.result.lost) for report in ruled] == [([], 0)] * 3


def unit(**more: Any) -> CombatUnit:
    return CombatUnit("4/6", "russian", "infantry", "XX", True, "51.40", **more)


@pytest.mark.rule("6.4.3a")
def test_a_reduced_parent_turns_back_where_it_has_enough_steps() -> None:
    reduced = unit(steps=5, lost=2, reduced=True)
    assert regain(reduced, 10, 2) == (unit(steps=5, lost=0, reduced=True), 0)
    assert regain(reduced, 10, 4) == (unit(steps=10, lost=3), 0)
    assert regain(reduced, 6, 4) == (unit(steps=6, lost=0), 1)
    assert regain(reduced, 0, 4) == (unit(steps=5, lost=0, reduced=True), 2)
    assert regain(unit(steps=10, lost=6), 12, 2) == (unit(steps=10, lost=4), 0)
    assert regain(reduced, 1, 4) == (unit(steps=1, lost=0), 6)
    assert regain(unit(steps=10, lost=6), 0, 4) == (unit(steps=10, lost=2), 0)


@pytest.mark.rule("6.4.3a")
def test_the_full_side_of_a_reduced_parent_is_as_stated_or_asked_for_with_steps_beyond_it() -> None:
    text = f"51.40: {DETACHMENT}, russian infantry XX 4/6 (5-5-2-10) army=Second reduced -3"
    few = asked(text.replace("(4-4", "(2-4"))
    assert (few.result.left, few.result.lost, few.asks) == (4, 0, ())
    assert [ask.how for ask in asked(text).asks] == ["4/6 steps=N back-steps=5"]
    told = asked(text.replace("(5-5", "(10-5").replace("-3", "-3 back-steps=5"))
    assert (told.result.left, told.result.lost) == (6, 0)
    assert [(one.track, one.after) for one in told.changes if one.subject == "4/6"] == [("reduced", False), ("lost", 4)]
    text = f"51.40: {DETACHMENT}, russian infantry XX 4/6 (6-6-2-10) army=Second reduced -1 back-steps=5"
    report = asked(f"{text}\nruling detachment-room=added")
    assert (report.result.left, report.result.lost) == (8, 0)
    changes = {one.track: one.after for one in report.changes if one.subject == "4/6"}
    assert changes == {"reduced": False, "steps": 8, "lost": 0}


def test_two_parents_in_the_hex() -> None:
    text = f"51.40: {DETACHMENT}, {PARENT.format('4/6')} -5, {PARENT.format('16/6')} -5"
    with pytest.raises(InputError, match="either of two units may take back det 4\\+16/6"):
        asked(text)
    assert asked(text, parent="16/6").result.parent == "16/6"
    with pytest.raises(InputError, match="cannot take back"):
        asked(f"{text}, {PARENT.format('36/13')}", parent="36/13")


@pytest.mark.rule("6.4.3")
def test_what_is_no_detachment_and_whose_turn_is_not_stated() -> None:
    assert asked(stack()).result.unit == "det 4+16/6"
    with pytest.raises(InputError, match="unit: 4/6 is not a detachment"):
        asked(stack(), unit="4/6")
    report = asked(stack().replace("withdrawal=9 ", ""))
    assert [ask.how for ask in report.asks] == ['"det 4+16/6" withdrawal=N']


@pytest.mark.rule("6.4.3a")
@pytest.mark.parametrize("at", ["60.20", "60.22"])
def test_a_detachment_that_is_withdrawn_is_lost_whatever_is_stated_of_its_steps(at: str) -> None:
    text = f'turn={{}}\n60.20: russian infantry XX "det 3/4" withdrawal=18\n{at}: russian infantry XX 3/4'
    report = answered(typed(text.format(20)), "reunite", unit="det 3/4", ends=True)
    result = report.result
    assert (report.verdict.kind, result.withdrawn, result.steps, result.left) == ("no", True, None, None)
    assert [(one.subject, one.after) for one in report.changes if one.track == "place"] == [("det 3/4", None)]
    early = answered(typed(text.format(17)), "reunite", unit="det 3/4", ends=True)
    assert early.verdict.kind == ("undecided" if at == "60.20" else "no")
