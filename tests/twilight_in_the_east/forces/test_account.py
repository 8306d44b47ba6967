"""The account of a unit in a phase: what it has spent, and that one unit moves at a time (8.1, 8.3.1, 8.9)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from twilight_in_the_east.forces.account import (
    Account,
    add_spending,
    counted_now,
    end_moves,
    points_before,
    read_account,
    spend,
    spend_and_end,
    units_alongside,
    used_for,
)
from twilight_in_the_east.forces.movement_points import bar_of_end, bar_of_marker, march_due

from ...conftest import answered, rulings, typed, viewed, why_not

HALF = Fraction(1, 2)
THREE = """phase=movement phasing=central-powers
41.19: german infantry XX A movement=7 {}
43.19: german infantry XX B movement=7
45.19: russian infantry XX R movement=7 spent=march:2"""


def test_what_is_spent_adds_up_exactly_and_the_last_stands_at_the_end() -> None:
    account = Account("A", {"march": Fraction(3, 2), "zones": Fraction(1)})
    assert (account.total, account.last) == (5 * HALF, "zones")
    assert (account.spent_on("march"), account.spent_on("position")) == (3 * HALF, 0)
    assert add_spending(account, {"march": HALF}) == {"zones": 1, "march": 2}
    assert list(add_spending(account, {"march": HALF})) == ["zones", "march"]
    assert add_spending(account, {"march": Fraction(0)}) == account.spent
    assert (Account("A").total, Account("A").last) == (0, "")
    account = Account("A", {"march": Fraction(3)})
    assert [points_before(account, given) for given in (None, Fraction(0), Fraction(1))] == [3, 0, 1]


@pytest.mark.rule("8.1b")
@pytest.mark.parametrize(
    ("account", "under_way"),
    [
        (Account("A"), False),
        (Account("A", {"position": HALF}), True),
        (Account("A", passed=("41.19", "42.19")), True),
        (Account("A", {"march": HALF}, ended=True), False),
    ],
)
def test_a_move_is_under_way_from_its_first_point_or_hex_until_it_has_ended(account: Account, under_way: bool) -> None:
    assert account.is_under_way is under_way


@pytest.mark.rule("4.5b")
@pytest.mark.parametrize(
    ("before", "now", "counted"),
    [(Fraction(0), 7 * HALF, 3), (HALF, HALF, 1), (HALF, Fraction(1), 1), (Fraction(0), HALF, 0), (HALF, 3 * HALF, 2)],
)
def test_half_a_point_counts_for_no_task_until_another_half_joins_it(
    before: Fraction, now: Fraction, counted: int
) -> None:
    account = Account("A", {"march": HALF, "position": before} if before else {"march": HALF})
    assert counted_now(account, "position", now) == counted


@pytest.mark.parametrize(
    ("before", "points", "needed", "used"),
    [
        (Fraction(0), Fraction(3), 5, 3),
        (Fraction(0), Fraction(7), 5, 5),
        (HALF, Fraction(7), 5, 9 * HALF),
        (3 * HALF, Fraction(7), 1, HALF),
        (Fraction(0), Fraction(7), 0, 0),
        (HALF, Fraction(7), 0, 0),
    ],
)
def test_no_more_is_spent_on_a_task_than_it_needs(
    before: Fraction, points: Fraction, needed: int, used: Fraction
) -> None:
    account = Account("A", {"march": HALF, "position": before} if before else {"march": HALF})
    assert used_for(account, "position", points, needed) == used


def test_an_account_is_read_and_written() -> None:
    view = viewed(THREE.format('spent=march:1.5+zones:1 passed="40.19 41.19" ended checked'))
    with view.gather() as facts:
        account = read_account(facts, "A")
        assert read_account(facts, "B") == Account("B")
    assert account == Account("A", {"march": 3 * HALF, "zones": Fraction(1)}, ("40.19", "41.19"), True, True)
    first = [(change.track, change.after) for change in spend(view, "B", {"march": HALF}, ("44.19",))]
    assert first == [("spent", "march:0.5"), ("passed", "43.19 44.19")]
    more = [
        (change.track, change.after) for change in spend(view, "A", {"march": HALF, "zones": Fraction(0)}, ("42.19",))
    ]
    assert more == [("spent", "zones:1+march:2"), ("passed", "40.19 41.19 42.19")]
    assert not list(spend(view, "A", {"march": Fraction(0)}))


@pytest.mark.rule("8.1b")
def test_the_others_of_its_side_end_their_moves_as_a_unit_begins() -> None:
    view = viewed(THREE.format("spent=march:2"))
    assert [(change.track, change.subject, change.after) for change in end_moves(view, ["B"])] == [("ended", "A", True)]
    assert not list(end_moves(view, ["A"])), "the enemy and who has not begun keep theirs"
    assert not list(end_moves(viewed(THREE.format("spent=march:2 ended")), ["B"])), "nothing ends twice"
    assert [change.subject for change in spend_and_end(view, ["B"], {"position": HALF})] == ["B", "A"]
    assert spend_and_end(view, ["B"], {"position": Fraction(0)}) == ()
    assert [change.track for change in spend_and_end(view, ["B"], {}, ("44.19",))] == ["passed", "ended"]
    text = """41.19: german infantry XX A spent=march:2, german infantry XX B passed="40.19 41.19"
42.19: german infantry XX C spent=march:0, german infantry XX D, german infantry XX E spent=march:2 ended
44.19: russian infantry XX F spent=march:2"""
    view = viewed(text)
    assert [change.subject for change in end_moves(view, ["D"])] == ["A", "B"]
    assert {unit for track, unit in view.premises.facts if track == "spent"} == {"A", "B", "C"}


def test_a_stack_that_has_gone_the_same_way_moves_on_together() -> None:
    text = """41.19: german infantry XX A passed="40.19 41.19", german infantry XX B passed="40.19 41.19"
41.19: german infantry XX C passed="42.19 41.19", german infantry XX D passed="40.19 41.19" ended
41.19: german infantry XX E spent=position:1"""
    view = viewed(text)
    assert list(units_alongside(view, ["A"])) == ["B"]
    assert not list(units_alongside(view, ["E"])), "who has gone nowhere goes along with nobody"
    assert [change.subject for change in spend_and_end(view, ["A"], {"repulse": Fraction(1)})] == ["A", "C", "E"]


@pytest.mark.rule("8.3.1")
@pytest.mark.parametrize(
    ("word", "barred"),
    [
        ("recovery", True),
        ("disorder", True),
        ("entraining", True),
        ("detraining", True),
        ("rail", False),
        ("ersatz", False),
        ("position", False),
        ("march", False),
    ],
)
def test_a_forced_march_in_no_phase_of_recovery_or_by_rail(word: str, barred: bool) -> None:
    for spent in (f"{word}:1/2", f"{word}:1+march:6"):
        report = answered(typed(THREE.format(f"(7-7-0-10) spent={spent}")), "forced-march", unit="A", points=1)
        assert (report.verdict.kind == "no") is barred
        assert not barred or [step.rule for step in report.reasons] == ["8.3.1"]
        assert ("makes no Forced March" in report.verdict.text) is barred


@pytest.mark.rule("8.1b", "8.5.4")
@pytest.mark.parametrize(
    ("status", "reading", "doing", "why"),
    [
        ("", "none", "", ""),
        ("ended", "none", "", "has ended its move in this phase and moves no further"),
        ("ended", "none", "move", "moves no further"),
        ("ended", "none", "position", "spends no more Movement Points"),
        ("ended", "none", "recovery", "spends no more Movement Points"),
        ("ended", "stationary", "position", ""),
        ("ended", "stationary", "ersatz", ""),
        ("ended", "stationary", "repulse", "moves no further"),
        ("halted", "none", "", "has failed a Repulse attempt in this phase and moves no further"),
        ("halted", "none", "position", ""),
        ("halted", "none", "prepared", ""),
        (
            "halted",
            "none",
            "recovery",
            "and spends Movement Points only on a Prepared Attack marker or an Improved Position",
        ),
        ("halted", "none", "ersatz", "spends Movement Points only on a Prepared Attack marker or an Improved Position"),
        ("halted ended", "none", "position", "has ended its move"),
        ("halted ended", "stationary", "position", ""),
        ("halted ended", "stationary", "recovery", "has failed a Repulse"),
        ("checked", "none", "position", "check of its Forced March in this phase and spends no more"),
        ("checked", "none", "", "check of its Forced March in this phase and spends no more"),
    ],
)
def test_what_a_unit_that_moves_no_further_may_still_do(status: str, reading: str, doing: str, why: str) -> None:
    view = viewed(f"ruling ended-spends={reading}\n" + THREE.format(status))
    with view.gather() as facts:
        bound = bar_of_marker(facts, view.unit("A"), doing)
        assert why in bound[1] and bool(why) is bool(bound[1])
        if "checked" not in status:
            assert bar_of_end(facts, view.unit("A"), doing) == bound
    assert bound[0] in ("", "8.1", "8.3.2", "8.5.4")


def test_the_ruling_is_named_where_an_ended_unit_would_work() -> None:
    report = answered(typed("turn=3\n" + THREE.format("ended")), "dig-in", unit="A", points=1)
    assert "ended-spends" in rulings(report)
    assert why_not(report)[0] == "8.1"


@pytest.mark.parametrize(
    ("status", "due"),
    [("", 0), ("spent=march:7", 0), ("spent=march:7+zones:2", 2), ("spent=march:9 checked", 0)],
)
def test_what_a_unit_has_yet_to_check_for(status: str, due: int) -> None:
    assert march_due(viewed(THREE.format(status)), "A") == due
    assert march_due(viewed("41.19: german infantry XX A spent=march:9"), "A") == 0
