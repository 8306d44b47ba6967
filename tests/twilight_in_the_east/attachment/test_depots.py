"""The depots PRAGA and Karpaten, whose army is named in play (23.5, 24.5.3)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.attachment.attach_question import Naming, NamingKarpaten, NamingPraga

from ...conftest import answered, told, typed

PRAGA = """campaign
turn=12
60.46: russian major-depot - PRAGA range=7 army=Second
61.40: russian infantry XX A army=Second
62.40: russian infantry XX B army=First
"""
KARPATEN = """campaign
turn=12
40.100: Karpaten
41.90: austro-hungarian infantry XX A army=Third
42.90: austro-hungarian infantry XX B army=Second
43.90: german infantry XX C army=Ninth
"""


def asked(text: str, unit: str, *, phase: bool = True, **given: Any) -> Report[Any]:
    return answered(typed(text), "attach", unit=unit, attachment_phase=phase, **given)


def made(report: Report[Any]) -> dict[str, object]:
    return {one.track: one.after for one in report.changes}


def barred(naming: type[Naming], **given: Any) -> list[str]:
    return [one.rule for one in naming(**given).list_breaches()]


@pytest.mark.rule("24.5.3")
def test_praga_is_idle_in_the_turn_in_which_its_army_changes() -> None:
    report = asked(PRAGA, "PRAGA", army="First")
    assert made(report) == {"army": "First", "changed-attachment": True}
    assert told(report, "The depot") == ["flip it to its Changed Attach side: it supplies no units this game turn"]
    same = asked(PRAGA, "PRAGA", army="Second")
    assert (same.verdict.kind, same.changes) == ("yes", ())
    back = asked(PRAGA.replace("army=Second\n61", "army=Second changed-attachment\n61"), "PRAGA", army="Second")
    assert made(back) == {"changed-attachment": None}, "the same army again turns it face up"


@pytest.mark.rule("24.5.3")
def test_when_its_army_may_be_named() -> None:
    assert not asked(PRAGA, "PRAGA", army="First", phase=False).result.allowed
    assert not asked(PRAGA.replace("campaign\n", ""), "PRAGA", army="First").result.allowed
    named = (NamingPraga(about="PRAGA", before=before, after="First") for before in ("Second", "First", ""))
    assert [naming.other for naming in named] == [True, False, False]


@pytest.mark.rule("23.5", "6.1.1b")
def test_karpaten_is_attached_once_to_any_austro_hungarian_army() -> None:
    report = asked(KARPATEN, "Karpaten", army="Third")
    assert (report.verdict.kind, made(report)) == ("yes", {"army": "Third"})
    again = KARPATEN.replace("40.100: Karpaten", "40.100: Karpaten army=Third")
    other = asked(again, "Karpaten", army="Second")
    assert told(other, "Not allowed") == ["Karpaten: its attachment to central-powers Third may not be changed"]
    assert asked(again, "Karpaten", army="Third").result.allowed
    assert told(asked(KARPATEN, "Karpaten", army="Ninth"), "Not allowed") == [
        "Karpaten: it may be attached only to an Austro-Hungarian army"
    ]
    for clock in ("", "phase=movement phasing=russian\n"):
        in_any_phase = answered(typed(clock + KARPATEN), "attach", unit="Karpaten", army="Third")
        assert (in_any_phase.verdict.kind, made(in_any_phase)) == ("yes", {"army": "Third"}), (
            "the phase is not asked for"
        )
    third = {"about": "Karpaten", "before": "", "after": "central-powers Third"}
    assert barred(NamingKarpaten, **third, campaign=False, in_attachment_phase=True) == ["23.5"]
    assert barred(NamingKarpaten, **third, campaign=True, in_attachment_phase=False) == [], (
        "it is attached when it is placed, in whatever phase"
    )
    praga = {"about": "PRAGA", "before": "russian Second", "after": "russian First"}
    assert barred(NamingPraga, **praga, campaign=False, in_attachment_phase=True) == ["24.5.2"]
    with pytest.raises(InputError, match="the army of Karpaten is not given"):
        asked(KARPATEN, "Karpaten", corps="none")


@pytest.mark.rule("24.5.3")
def test_praga_supplies_nobody_on_its_changed_attach_side() -> None:
    way = ("60.45", "60.44", "60.43", "60.42", "61.42", "61.41", "61.40")
    text = PRAGA + "line here: 60.46 " + " ".join(f"-road- {hex} clear" for hex in way)
    assert answered(typed(text + "\nPRAGA supply=in\n"), "supply", unit="A").result.state == "in"
    changed = text.replace("army=Second\n61", "army=Second changed-attachment\n61")
    report = answered(typed(changed), "supply", unit="A")
    assert report.result.tried[0].why_not == "inactive, as its army was changed (24.5.3)"
