"""What a column takes: against trying every subset of who is at hand, and as players read it."""

from __future__ import annotations

from fractions import Fraction
from itertools import takewhile
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from assistant.game.viewpoint import reduce_state
from assistant.mechanics.odds import Odds
from assistant.util.errors import InputError
from twilight_in_the_east.attacks.need_question import fewest_points, margin, most_defence
from twilight_in_the_east.attacks.question import Target
from twilight_in_the_east.combat.engagement import MAX_ODDS, MIN_ODDS, initial_odds, rounded_total

from ...cases import examples, thorough
from ...conftest import answered, told, typed
from ...making.strategies import filled
from .test_question import AT, POSITION, TWO_GUNS, agrees, every_attack

OPEN = f"{AT}|41.18,40.19,40.20,41.20,42.20,42.19 open\n40.19|40.20,41.18 open\n41.20|40.20,42.20 open\n"
PLAN = f"""turn=1
trust charts counters
40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)
40.19: 29/20 (10-?-5-10) -3
41.20: russian infantry XX A/4 (12-14-6-10) back-steps=0, russian infantry X b/4 (5-5-2-9) back-steps=0
{AT} clear: 1/1 (12-16-7-11)
42.17: german infantry XX N/9 (10-12-4-9) back-steps=0
{OPEN}"""
"""A stack that three corps can attack, flanked if those of 41.20 attack, and help for it two hexes behind."""


def asked(text: str, column: str, ap: str = "all", dap: str = "none", **more: Any) -> Any:
    """The report on the question."""
    parameters = {"at": AT, "column": column, "attacker-ap": ap, "defender-ap": dap} | more
    return answered(typed(text), "need", **parameters)


IDLE_GUNS = """turn=1
trust charts
41.19 clear ip=0: russian infantry XX def0 (2-1-0-9) back-steps=0 heavy
41.18 clear: german artillery III att30 (1-1-1-9) back-steps=0 heavy prepared=41.19, german infantry XX att31 (2-1-0-9) back-steps=0 heavy
41.19|41.18 open
41.19|40.19 open
41.19|40.20 open
41.19|41.20 open
41.19|42.20 open
41.19|42.19 open
41.18|40.19 open
40.19|40.20 open
40.20|41.20 open
41.20|42.20 open
42.20|42.19 open
42.19|41.18 open
"""
"""Guns that their marker sends into the attack, where without a point they take no part."""

CUT_OFF_GUNS = """turn=1
trust charts
41.19 clear ip=0: russian infantry XX def1 (2-1-0-9) back-steps=0 heavy
41.20 clear: german infantry XX att20 (2-1-0-9) back-steps=0 heavy
40.20 clear: german infantry XX att00 (2-1-0-9) back-steps=0 heavy, german artillery III att01 (1-1-1-9) back-steps=0 heavy prepared=41.19
41.19|40.20 grand-river crossing=no-crossing
41.19|41.18 open
41.19|40.19 open
41.19|41.20 open
41.19|42.20 open
41.19|42.19 open
40.20|41.20 open
"""
"""Guns whose marker points over a Grand River that nobody can cross."""

# --- against brute force ----------------------------------------------------------------------------------------------


def lacks(strength: Fraction, odds: Odds, defence: int, column: Odds) -> int:
    """The points that an attack lacks for a column, found by adding one after the other."""
    total = rounded_total([strength])
    shift = odds.columns - initial_odds(total, defence).columns
    return next(more for more in range(10**4) if initial_odds(total + more, defence).shifted(shift) >= column)


@thorough
@settings(max_examples=examples(50), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(filled(POSITION), st.integers(MIN_ODDS.columns, MAX_ODDS.columns), st.sampled_from(["all", "none"]))
@example(IDLE_GUNS, 0, "none")
@example(CUT_OFF_GUNS, 0, "all")
def test_no_subset_is_cheaper_or_lacks_less(text: str, columns: int, ap: str) -> None:
    position, column = typed(text), Odds(columns)
    try:
        report = asked(text, str(column), ap=ap)
    except InputError:
        with pytest.raises(InputError):
            list(every_attack(position, Target(at=AT)))
        return
    assume(not any("with=" in ask.how for ask in report.asks))  # two formations are as near to an Asset Unit
    every = every_attack(position, Target(at=AT), idle=ap == "all")
    tried = [one for one in every if ap == "all" or not one.points]
    result = report.result
    if result is None:
        assert not tried
        return
    enough = [one for one in tried if one.odds.within(MIN_ODDS, MAX_ODDS) >= column]
    if enough:
        cheapest = min(enough, key=lambda one: one.size)
        assert agrees(result.attack, cheapest)
        assert set(result.attack.points) == cheapest.points
        return
    assert result.attack is None
    missing = [lacks(one.size[0], one.odds, result.defence, column) for one in tried]
    assert (
        result.missing
        == min(missing)
        == lacks(result.nearest.strength, Odds.parse(result.nearest.final), result.defence, column)
    )


def test_the_chances_are_those_of_the_battle() -> None:
    """At each column, and with a policy that names a unit which attacks in some of them only."""
    result = asked(PLAN, "2:1", attacker_policy="27/3,25/3").result
    assert [one.column for one in result.columns] == ["1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1"]
    for one in result.columns:
        out = {"25/3", "27/3", "29/20", "A/4", "b/4"} - set(one.attack.units)
        named = ",".join(unit for unit in ("27/3", "25/3") if unit not in out) or "usual"
        points = ",".join(one.attack.points) or "none"
        given = {"at": AT, "attacker-ap": points, "defender-ap": "none", "attacker-policy": named}
        places = ",".join(one.attack.places)
        battle = answered(typed(PLAN), "battle", from_=places, withhold=",".join(sorted(out)), **given).result
        assert (one.column, one.chances) == (battle.column, battle.chances)


# --- as players read it -----------------------------------------------------------------------------------------------


def test_a_plan_attacks_from_adjacent_hexes() -> None:
    with pytest.raises(InputError, match="and 50.50 are not adjacent"):
        asked(PLAN, "2:1", from_="40.20,50.50")


@pytest.mark.rule("10.8c", "10.4.3")
def test_what_to_add_to_withhold_and_to_give_a_point() -> None:
    """A flank attack by 41.20 and 40.19 takes 12 points for 2:1; the corps of the plan is not needed."""
    report = asked(PLAN, "2:1", from_="40.20,40.19")
    result = report.result
    assert report.verdict.text == "2:1 takes 12 points against 16: 29/20, b/4 without an AP"
    assert (result.add, result.withhold) == (("b/4",), ("25/3", "27/3"))
    assert "add to the plan: b/4" in told(report, "What it takes")
    assert "withhold: 25/3, 27/3" in told(report, "What it takes")
    assert asked(PLAN, "3:1").verdict.text == "3:1 takes 24 points against 16: 29/20, A/4 with an AP for 20"


def test_units_that_are_not_at_hand_and_points_that_are_not() -> None:
    assert asked(PLAN, "2:1", without="b/4").result.attack.units == ("29/20", "A/4")
    assert asked(PLAN, "3:1", ap="4").verdict.text == "3:1 takes 24 points against 16: 29/20, A/4, b/4 without an AP"
    assert (
        asked(PLAN, "4:1", ap="4").verdict.text
        == "4:1 takes 42 points against 16: 25/3, 29/20, A/4, b/4 with an AP for 4"
    )


def test_what_is_missing() -> None:
    """62 points with two APs make 4:1 against 23; 5:1 begins before its shift of +1 at 3.5 times 23, which is 81."""
    report = asked(PLAN, "5:1", dap="all")
    assert report.verdict.text == "5:1 is out of reach: 19 strength points missing"
    assert report.result.nearest.total == 81 - 19
    assert told(report, "What comes nearest")[-1] == "19 more strength points would reach 5:1 with these shifts"


def test_a_chart_that_is_not_known_is_asked_for() -> None:
    report = asked(PLAN.replace(" charts", ""), "2:1")
    assert report.verdict.kind == "yes"
    assert all(one.chances is None for one in report.result.columns)
    assert told(report, "Chances")[0].startswith("no chances without 11 cells of the Combat Results Table")


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"column": "9:1"}, "column: the chart has no 9:1"),
        ({"column": "3"}, "'3' is not an odds column"),
        ({"ap": "magazine:40.20"}, "need does not count the APs of magazine:40.20"),
    ],
)
def test_what_cannot_be_asked(given: dict[str, str], what: str) -> None:
    with pytest.raises(InputError, match=what):
        asked(PLAN, **{"column": "2:1"} | given)


def test_a_hex_that_nobody_can_attack_says_why_and_points_are_asked_for() -> None:
    tired = TWO_GUNS.replace("prepared=41.19", "half")
    report = asked(tired, "1:1")
    assert report.verdict.text == "no unit can attack this hex (1 reason)"
    assert told(report, "Not allowed") == ["I bears a 1/2 marker and cannot attack"]
    report = asked(TWO_GUNS.replace("prepared=41.19", "retreated"), "1:1")
    assert told(report, "Not allowed")[0] == "I has retreated in this phase and cannot attack"
    report = asked(PLAN + "phase=movement\n", "1:1")
    assert report.verdict.text == "this attack is not allowed (1 reason)"
    asks = answered(typed(PLAN), "need", at=AT, column="3:1").asks
    assert [ask.name for ask in asks] == ["attacker-ap", "defender-ap"]


# --- what the enemy could do ------------------------------------------------------------------------------------------


def countered(text: str, column: str = "2:1", **more: Any) -> dict[str, Any]:
    """The countermoves by what they are."""
    return {one.move: one for one in asked(text, column, **more).result.countermoves}


def test_what_the_enemy_could_do() -> None:
    """Each as a battle has it in which he has done it."""
    found = countered(PLAN)
    assert {move: (one.defence, one.column) for move, one in found.items()} == {
        "defended by 1/1 with an AP for 1": (23, "1:1"),
        "Level 1 Improved Position": (16, "1:1"),
        "no flank attack": (16, "1:2"),
        "N/9 joins from 42.17": (28, "1:1"),
    }
    given = {"at": AT, "attacker-ap": "none", "withhold": "25/3,27/3,A/4"}
    joined = PLAN.replace("1/1 (12-16-7-11)", "1/1 (12-16-7-11), german infantry XX N/9 (10-12-4-9) back-steps=0")
    joined = joined.replace("42.17: german infantry XX N/9 (10-12-4-9) back-steps=0\n", "")
    for text, dap, more in (
        (PLAN, "all", {}),
        (PLAN.replace("clear:", "clear ip=1:"), "none", {}),
        (PLAN, "none", {"flanked": "no"}),
        (joined, "none", {}),
    ):
        battle = answered(typed(text), "battle", **given, **{"defender-ap": dap}, **more).result
        assert (battle.defender.total, battle.column) in {(one.defence, one.column) for one in found.values()}


def test_what_the_column_takes_then_or_what_is_missing() -> None:
    found = countered(PLAN)
    assert found["no flank attack"].again.total == 25
    assert answered_column(found["no flank attack"].again.units, flanked="no") == "2:1"
    out = countered(PLAN, "5:1")["defended by 1/1 with an AP for 1"]
    assert (out.again, out.missing) == (None, asked(PLAN, "5:1", dap="all").result.missing)


def answered_column(units: tuple[str, ...], **more: str) -> str:
    """The column of a battle by these units, with APs for corps 4 and without."""
    out = ",".join(sorted({"25/3", "27/3", "29/20", "A/4", "b/4"} - set(units)))
    given = {"at": AT, "attacker-ap": "4", "defender-ap": "none", "withhold": out}
    return str(answered(typed(PLAN), "battle", **given, **more).result.column)


def test_against_how_much_the_attack_holds() -> None:
    """25/3, 27/3 and an AP make 30 points, which are 2:1 against up to 20: against 21 they are 1.43 times as many."""
    alone = PLAN.replace(
        "41.20: russian infantry XX A/4 (12-14-6-10) back-steps=0, russian infantry X b/4 (5-5-2-9) back-steps=0\n", ""
    )
    result = asked(alone, "2:1").result
    assert (result.attack.total, result.defence, result.margin) == (30, 16, 4)
    assert asked(PLAN, "2:1").result.margin == 0


def test_guns_that_are_too_many_do_not_join() -> None:
    """Only the best legal defence counts: two divisions of those that would then stand there."""
    full = PLAN.replace("1/1 (12-16-7-11)", "1/1 (12-16-7-11), german infantry XX 2/1 (5-15-0-9) back-steps=0")
    assert "N/9 joins from 42.17" not in countered(full)


# --- nothing hidden ---------------------------------------------------------------------------------------------------


@thorough
def test_nothing_that_is_hidden_tells() -> None:
    """The Russian side is told the same, whatever stands under the top unit and whatever the enemy has lost."""
    told_of = []
    for under in ("", ", german infantry XX 2/1 (9-9-9-9)", ", german artillery III G (1-1-9-9)"):
        for lost in ("", " -5"):
            text = PLAN.replace("1/1 (12-16-7-11)", f"1/1 (12-16-7-11){lost}").replace(
                "back-steps=0\n41.19|", f"back-steps=0{under}\n41.19|"
            )
            position = typed(text)
            seen = msgspec.structs.replace(position, state=reduce_state(position.game, position.state, "russian"))
            given = {"at": AT, "column": "2:1", "attacker-ap": "all", "defender-ap": "none"}
            told_of.append(answered(seen, "need", **given))
    assert all(report == told_of[0] for report in told_of)


def test_where_strength_is_hidden_both_ends_are_told() -> None:
    seen = PLAN.replace("1/1 (12-16-7-11)", "1/1 (12-16-7-11) hidden=lost")
    report = asked(seen, "2:1")
    assert report.verdict.kind == "yes"
    weakest, strongest = report.between
    assert (weakest.defence, strongest.defence) == (11, 16)
    assert report.verdict.text == "2:1 takes 12 points against 11 to 16: 29/20, b/4 without an AP"


# --- the fewest points and the most defence ---------------------------------------------------------------------------


COLUMNS = st.builds(Odds, st.integers(-8, 12))
POINTS = st.integers(1, 150)


@given(COLUMNS, POINTS)
def test_the_fewest_points_for_a_column(column: Odds, defence: int) -> None:
    fewest = next(points for points in range(1, 10**4) if initial_odds(points, defence) >= column)
    assert fewest_points(column, defence) == fewest


@given(COLUMNS, POINTS)
def test_the_most_defence_for_a_column(column: Odds, attack: int) -> None:
    borne = list(takewhile(lambda defence: initial_odds(attack, defence) >= column, range(1, 10**4)))
    assert most_defence(column, attack) == len(borne)


def test_the_shifts_count() -> None:
    """30 points with a shift to the left make 2:1 where they are 3:1 before it: up to 12, of which 2.5 times as many are 30."""
    assert margin(30, 10, -1, Odds.parse("2:1")) == 2
    assert margin(30, 0, -1, Odds.parse("2:1")) is None
