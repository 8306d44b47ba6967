"""A change of attachment: when it may be made, and what keeps a unit where it is (6.1.1, 6.2)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError

from ...conftest import answered, typed

POSITION = """army "russian Second" attachment-limit=3
army "russian First" attachment-limit=2
41.19: russian infantry XX 1/13 army=Second, russian infantry XX free army=Second
41.21: russian corps-train - T corps=13 corps-limit=2 army=Second
41.22: russian corps-train - U corps=3 corps-limit=2 army=First
"""
NO_PLAN = POSITION.replace("limit=3", "limit=3 plan=no")


def asked(text: str = NO_PLAN, **parameters: Any) -> Report[Any]:
    return answered(typed(text), "attach", **{"attachment_phase": "yes", **parameters})


def reasons(report: Report[Any]) -> list[str]:
    return [one.why for one in report.result.breaches]


def test_a_formation_goes_to_another_army_named_with_its_side_or_without() -> None:
    report = asked(unit="free", army="First")
    assert (report.verdict.kind, report.verdict.text) == ("yes", "free may join the Russian First Army, independent")
    assert [(change.track, change.subject, change.after) for change in report.changes] == [("army", "free", "First")]
    assert asked(unit="free", army="russian First").result == asked(unit="free", army="First").result


def test_a_unit_goes_to_the_independent_track_by_none() -> None:
    free = "free_attachment\n".replace("_", "-") + NO_PLAN
    report = asked(free, unit="1/13", corps="none")
    assert (report.verdict.text, report.result.corps) == ("1/13 may join the Russian Second Army, independent", "")
    assert [(change.track, change.after) for change in report.changes] == [("corps", "")]
    assert report.result == asked(free, unit="1/13", corps="").result
    with pytest.raises(InputError, match="already has this attachment"):
        asked(unit="free", corps="none")


def test_a_train_takes_its_corps_along() -> None:
    report = asked(unit="T", army="First")
    assert report.result.units == ("T", "1/13")
    assert [(change.subject, change.after) for change in report.changes] == [("T", "First"), ("1/13", "First")]


@pytest.mark.rule("6.1.1b")
def test_attachments_change_in_an_attachment_phase_only() -> None:
    report = asked(unit="free", army="First", attachment_phase="no")
    assert (report.verdict.kind, report.changes) == ("no", ())
    assert reasons(report) == ["attachments change only in an Attachment Phase of its side"]


@pytest.mark.rule("6.1.1b")
@pytest.mark.parametrize(
    ("clock", "kind"),
    [
        ("phase=attachment phasing=russian", "yes"),
        ("phase=attachment phasing=central-powers", "no"),
        ("phase=supply phasing=russian", "no"),
        ("phase=movement", "no"),
        ("phasing=central-powers", "no"),
    ],
)
def test_the_position_says_whether_it_is_the_attachment_phase(clock: str, kind: str) -> None:
    report = asked(f"{clock}\n{NO_PLAN}", unit="free", army="First", attachment_phase=None)
    assert report.verdict.kind == kind
    assert asked(f"{clock}\n{NO_PLAN}", unit="free", army="First").verdict.kind == "yes", "as a player says himself"


@pytest.mark.rule("6.1.1b")
@pytest.mark.parametrize("clock", ["", "phase=attachment", "phasing=russian", "phase=other phasing=russian"])
def test_the_phase_is_asked_for_where_the_position_does_not_say_it(clock: str) -> None:
    report = asked(f"{clock}\n{NO_PLAN}", unit="free", army="First", attachment_phase=None)
    assert [ask.name for ask in report.asks] == ["attachment-phase"]


@pytest.mark.rule("6.1.1c", "21.0", "21.1b", "21.1.3")
def test_an_army_under_a_plan_gives_nothing_away() -> None:
    text = NO_PLAN.replace("plan=no", "plan")
    assert reasons(asked(text, unit="free", army="First")) == [
        "the Russian Second Army is under a Strategic Plan and may not release units"
    ]
    for ended in ("plan=no plan-outcome=achieved", "plan plan-outcome=abandoned", "plan-outcome=abandoned"):
        assert asked(NO_PLAN.replace("plan=no", ended), unit="free", army="First").result.allowed, ended
    for plan in (text, POSITION):
        assert asked(plan, unit="free", army="Warsaw Garrison").result.allowed, (
            "whatever the plan, which nobody asks for"
        )
    garrison = POSITION.replace("XX free army=Second", 'XX free army="Warsaw Garrison"')
    assert asked(garrison, unit="free", army="Second").result.allowed
    assert [ask.how for ask in asked(POSITION, unit="free", army="First").asks] == ['army "russian Second" plan']


def test_a_breach_that_the_change_makes_counts_and_none_that_stood_before() -> None:
    text = f"{NO_PLAN}41.23: russian corps-train - V corps=4 army=First"
    assert reasons(asked(text, unit="T", army="First")) == ["3 corps (13, 3, 4); its Corps tracks hold 2"]
    assert reasons(asked(unit="1/13", army="First"))[0].startswith("13 Corps (1/13, T) is with russian First and with")
    text = f"{NO_PLAN}39.20: german infantry XX G army=Eighth\nT extended-range=3"
    assert "it is with 3 Corps, but its ID names 13 Corps" in reasons(asked(text, unit="1/13", corps="3"))
    alone = text.replace("T extended-range=3", "").replace("army=First\n", "army=Second\n")
    assert [ask.how for ask in asked(alone, unit="1/13", corps="3").asks] == ["T extended-range=N"]
    text = f"{NO_PLAN}41.24: russian infantry XX stray"
    assert asked(text, unit="free", army="First").result.allowed


def test_an_army_that_is_too_large_already_takes_no_more_and_gives_all_the_same() -> None:
    large = "\n".join(f"41.2{n}: russian corps-train - V{n} corps=2{n} army=First" for n in (5, 6))
    assert reasons(asked(NO_PLAN + large, unit="T", army="First")) == [
        "4 corps (13, 25, 26, 3); its Corps tracks hold 2"
    ]
    more = f"{large}\n41.27: russian corps-train - V7 corps=27 army=First"
    text = (NO_PLAN + more).replace("attachment-limit=2", "attachment-limit=2 plan=no")
    assert asked(text, unit="V7", army="Second").result.allowed


def test_a_limit_that_matters_is_asked_for() -> None:
    text = NO_PLAN.replace("attachment-limit=2", "").replace("corps-limit=2 army=Second", "army=Second")
    assert [ask.how for ask in asked(text, unit="T", army="First").asks][:1] == [
        'army "russian First" attachment-limit=N'
    ]
    assert [ask.how for ask in asked(text, unit="free", corps="13").asks] == ["T corps-limit=N"]


def test_a_corps_that_belongs_to_one_army_stays_with_it() -> None:
    text = 'army "central-powers Ninth" attachment-limit=3\narmy "central-powers Eighth" plan=no\n60.17: "KG Train" army=Eighth'
    report = asked(text, unit="KG Train", army="Ninth")
    assert (report.result.breaches[0].rule, reasons(report)) == (
        "22.5",
        ["KG Corps is with central-powers Ninth, but belongs with central-powers Eighth"],
    )


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"unit": "free", "army": "Second"}, "free already has this attachment"),
        ({"unit": "free"}, "free already has this attachment"),
        ({"unit": "T", "corps": "3"}, "corps: T is the Train of its corps"),
        ({"unit": "free", "army": "Frist"}, "army: no 'russian Frist' in this position"),
        ({"unit": "free", "army": "central-powers Eighth"}, "army: no 'russian central-powers Eighth'"),
        ({"unit": "free", "corps": "99"}, "corps: no '99' Corps in this position"),
        ({"unit": "guns", "army": "First"}, "unit: guns is neither a formation nor a Corps Train"),
        ({"unit": "D", "army": "First"}, "unit: D is neither a formation nor a Corps Train"),
    ],
)
def test_a_change_that_is_none(parameters: dict[str, str], said: str) -> None:
    others = "41.25: russian artillery - guns, russian major-depot - D army=Second"
    with pytest.raises(InputError, match=said):
        asked(NO_PLAN + others, **parameters)
