"""Austro-Hungarian bridgeheads that are abandoned (12.5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.mechanics.procedure import AnswerError
from assistant.util.errors import InputError
from twilight_in_the_east.fortresses.bridgehead_question import is_given_up

from ...conftest import answered, rulings, told, typed

FORT = "11.103: austro-hungarian fort - Z (1-?-?-?) fssm=1 abandonment=1 {}"
NEAR = "\n12.103: russian infantry XX R"


KEPT = ("control", "central-powers", "4.3")
"""Whose the empty hex stays."""


def asked(status: str = "", more: str = NEAR, answers: str = "", **given: Any) -> Report[Any]:
    text = FORT.format(status) + more + (f"\nanswers {answers}" if answers else "")
    return answered(typed(text), "bridgehead", unit="Z", **given)


@pytest.mark.rule("12.5.1")
def test_the_example_of_12_5_1() -> None:
    """With a cavalry division in it nothing happens; once that has reacted out of the hex, it stands on a 1 only."""
    held = asked(", austro-hungarian cavalry XX C")
    assert (held.result.triggered, held.result.abandoned, held.asks) == (False, False, ())
    alone = asked()
    assert (alone.result.triggered, alone.result.stands, alone.result.abandoned) == (True, Fraction(1, 6), None)
    assert [ask.name for ask in alone.asks] == ["abandon"]
    stands, falls = asked(answers="abandon=1"), asked(answers="abandon=2")
    assert [(one.track, one.after) for one in stands.changes] == [("tested", True)]
    assert [(one.track, one.after, one.rule) for one in falls.changes] == [("place", None, "12.5.1"), KEPT]
    assert (stands.result.abandoned, falls.result.abandoned) == (False, True)


@pytest.mark.rule("12.5.1", "12.5.2")
@pytest.mark.parametrize(("status", "given"), [("tested", {}), ("", {"isolated": "yes"})])
def test_where_no_die_is_rolled_none_is_taken(status: str, given: dict[str, str]) -> None:
    with pytest.raises(AnswerError, match="no roll or choice of that name is due"):
        asked(status, answers="abandon=6", **given)


@pytest.mark.rule("12.5.1")
@pytest.mark.parametrize(
    ("status", "more", "triggered"),
    [
        ("", NEAR, True),
        ("tested", NEAR, False),
        ("", "\n13.103: russian infantry XX R", False),
        ("", "\n12.103: russian artillery - R", False),
        (", german infantry XX G", NEAR, True),
        (", austro-hungarian artillery - G", NEAR, True),
    ],
)
def test_when_a_die_is_rolled(status: str, more: str, triggered: bool) -> None:
    assert asked(status, more).result.triggered is triggered


@pytest.mark.rule("13.4")
def test_a_position_comes_off_with_the_bridgehead_unless_others_stand_there() -> None:
    dug_in = "\n11.103 ip=2"
    left = asked(more=NEAR + dug_in, answers="abandon=2")
    assert [(one.track, one.subject, one.after) for one in left.changes] == [
        ("place", "Z", None),
        ("ip", "11.103", None),
        ("control", "11.103", "central-powers"),
    ]
    held = asked(", austro-hungarian artillery - G", NEAR + dug_in, answers="abandon=2")
    assert [one.track for one in held.changes] == ["place", "must-leave"]


@pytest.mark.rule("12.5.2", "12.5.1")
@pytest.mark.parametrize("more", ["", NEAR])
def test_an_isolated_one_is_given_up_without_a_die(more: str) -> None:
    report = asked(more=more, isolated="yes")
    assert (report.result.abandoned, report.result.triggered, report.asks) == (True, False, ())
    assert [(one.track, one.after, one.rule) for one in report.changes] == [("place", None, "12.5.2"), KEPT]
    assert asked(more="", isolated="no").result.abandoned is False


def test_what_is_no_bridgehead_and_answers_to_nothing() -> None:
    with pytest.raises(InputError, match="1/1 is not a Fort on the map"):
        answered(typed("41.19: 1/1"), "bridgehead", unit="1/1")
    with pytest.raises(InputError, match="Z is not Austro-Hungarian"):
        answered(typed("41.19: russian fort - Z"), "bridgehead", unit="Z")
    with pytest.raises(AnswerError, match="does not ask for it"):
        asked(answers="crt=3")
    nobody_says = FORT.replace(" abandonment=1", "").format("") + NEAR
    report = answered(typed(nobody_says), "bridgehead", unit="Z")
    assert [ask.how for ask in report.asks] == ["Z abandonment=N"]


@pytest.mark.rule("12.5.2", "5.4.4b", "14.4.1")
@pytest.mark.parametrize(("enemy", "isolated"), [("30.22: russian infantry XX R\n", True), ("", False)])
def test_over_a_network_that_is_typed_whole_isolation_is_traced_in_both_questions(enemy: str, isolated: bool) -> None:
    text = "turn=5\n30.20=30.21:30.22:30.23\n30.23: austro-hungarian fort - Z (1-?-?-?) fssm=1 abandonment=1\n" + enemy
    whole = text + "side central-powers whole-network\n"
    report = answered(typed(whole), "bridgehead", unit="Z")
    assert report.result.isolated is isolated
    phase = answered(typed(whole), "supply-phase", side="central-powers")
    assert phase.result.bridgeheads == (("Z",) if isolated else ())
    assert "no bridgehead is Isolated: Z" not in told(phase, "Assumed")
    part = answered(typed(text), "supply-phase", side="central-powers")
    assert (part.result.bridgeheads, told(part, "Assumed").count("no bridgehead is Isolated: Z")) == ((), 1)


SURROUNDED = """board sample
trust counters
turn=5
68.35: austro-hungarian fort - Z (1-?-?-?) fssm=1 abandonment=1
68.36: {0} infantry XX A
66.35: {0} infantry XX B
68.33: {0} infantry XX C
70.35: {0} infantry XX D
"""


@pytest.mark.rule("12.5.2", "14.4.1")
@pytest.mark.parametrize(("nation", "isolated"), [("russian", True), ("german", False)])
def test_on_a_drawn_map_isolation_is_traced(nation: str, isolated: bool) -> None:
    """The rulebook's example of isolation with a Fort in place of the division: enemies close its lines, friends do not."""
    found = answered(typed(SURROUNDED.format(nation)), "bridgehead", unit="Z").result
    assert (found.isolated, found.abandoned) == (isolated, isolated)
    fights = answered(typed(SURROUNDED.format(nation) + "phase=attack"), "bridgehead", unit="Z")
    assert rulings(fights) == (["isolated-bridgehead"] if isolated else [])


@pytest.mark.rule("12.5.2")
@pytest.mark.parametrize(
    ("more", "abandoned", "named"),
    [
        ("phase=attack", True, ["isolated-bridgehead"]),
        ("phase=attack\nruling isolated-bridgehead=supply", None, ["isolated-bridgehead"]),
        ("phase=attack\nZ tested\nruling isolated-bridgehead=supply", False, ["isolated-bridgehead"]),
        ("phase=other\nruling isolated-bridgehead=supply", True, []),
        ("ruling isolated-bridgehead=supply", True, []),
    ],
)
def test_whether_it_waits_for_the_supply_phase_is_a_ruling(more: str, abandoned: bool | None, named: list[str]) -> None:
    """The enemy beside it rolls for it all the same."""
    report = answered(typed(SURROUNDED.format("russian") + more), "bridgehead", unit="Z")
    assert (report.result.isolated, report.result.abandoned, rulings(report)) == (True, abandoned, named)
    assert bool(report.changes) is bool(abandoned)
    assert is_given_up(True, "supply", in_supply_phase=True) and not is_given_up(True, "supply", in_supply_phase=False)


@pytest.mark.rule("12.5.2")
def test_who_says_that_it_is_isolated_speaks_of_the_supply_phase() -> None:
    report = asked("", NEAR + "\nphase=attack\nruling isolated-bridgehead=supply", isolated="yes")
    assert (report.result.abandoned, rulings(report)) == (True, [])
