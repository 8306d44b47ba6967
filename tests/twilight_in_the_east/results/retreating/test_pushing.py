"""A Repulse of a stack that is halted on its retreat: who tries it against whom, at what odds, and what comes of it (8.5).

A German division has entered 41.18, the first of two hexes that it owes, between six Russian divisions. Only whoever stands in 42.18 is weak.
"""

from __future__ import annotations

from typing import Any

import pytest

from assistant.questions.report import Report

from ....conftest import ruled
from ..test_retreating import G1, fought

STRONG = ("40.19", "41.20", "42.19", "42.20", "41.17", "40.18")
GROUND = """41.18 clear
42.18 clear: {weak}
41.18|41.17,40.18,40.19,42.18,42.19 open
42.18|42.17,43.17,43.18,42.19,41.17 open
"""
G2 = "german infantry XX G2 corps=1 (5-5-0-11) back-steps=0"
GUNS = "german artillery - G (?-?-3-?)"


def russian(name: str, strength: int = 1, kind: str = "infantry XX", more: str = "") -> str:
    """A Russian unit as it is typed."""
    return f"russian {kind} {name} ({strength}-{strength}-0-9) {more}"


def divisions(*hexes: str) -> str:
    """A strong Russian division in each hex."""
    return "".join(f"{hex} clear: {russian('N' + hex.replace('.', ''), 9)}\n" for hex in hexes)


WEAK = russian("S", kind="infantry III", more="asset")


def halted(
    weak: str = WEAK, stack: str = G1, more: str = "", *, answers: str = "", hexes: int = 2, roll: int = 2
) -> Report[Any]:
    """The combat as far as the answers go; the stack has entered 41.18. more: what else the position states."""
    around = divisions(*STRONG) + GROUND.format(weak=weak) + more
    return fought(f"- / W{hexes}", around, stack, more=f"retreat.41.19.1=41.18 {answers}", check=roll)


def offered(report: Report[Any], hex: str = "42.18") -> dict[str, str]:
    """What is said of each Repulse of a hex that is offered."""
    (ask,) = report.asks
    return {option: ask.remarks.get(option, "") for option in ask.options if option.startswith(hex)}


# --- who may try, and against whom ---------------------------------------------------------------------------------------


@pytest.mark.rule("8.5.1", "8.5.1c", "8.5.2", "8.5.5")
def test_one_force_of_a_stack_tries_with_its_own_strength_alone() -> None:
    """12 and 5 steps against 1: the other division of the stack has no part in it."""
    assert offered(halted(stack=f"{G1}, {G2}")) == {"42.18,G1": "odds of 12:1: it succeeds", "42.18,G2": "odds of 5:1"}


@pytest.mark.rule("8.5.1", "8.5.2")
def test_no_artillery_counts_on_either_side() -> None:
    guns = halted(f"{russian('A', 3)}, russian artillery - H (?-?-3-?)", f"{G1}, {GUNS}")
    assert offered(guns) == offered(halted(russian("A", 3))) == {"42.18": "odds of 4:1"}


@pytest.mark.rule("8.5.5", "8.5.2")
def test_two_divisions_of_three_stand_against_it_and_the_report_names_the_third() -> None:
    report = halted(", ".join(russian(name) for name in "ABC"))
    assert offered(report) == {"42.18": "odds of 6:1"}
    tried = halted(", ".join(russian(name) for name in "ABC"), answers="repulse.41.19=42.18")
    assert "C do not defend against the Repulse of 42.18" in str(tried)
    assert "do not defend" not in str(halted(", ".join(russian(name) for name in "AB"), answers="repulse.41.19=42.18"))


@pytest.mark.rule("8.5.5", "8.5.2")
def test_infantry_stands_against_it_and_the_cavalry_beside_it_does_not() -> None:
    """12 against 3, and not against 3 and 2."""
    assert offered(halted(f"{russian('A', 3)}, {russian('B', 2, 'cavalry X')}")) == {"42.18": "odds of 4:1"}


@pytest.mark.rule("8.5.1", "8.5.1c", "8.5.2")
@pytest.mark.parametrize(
    ("river", "odds"),
    [
        ("minor-river", {"42.18": "odds of 3:1"}),
        ("major-river", {}),
        ("grand-river", {}),
    ],
)
def test_a_minor_river_shifts_the_odds_and_none_is_tried_over_a_larger_one(river: str, odds: dict[str, str]) -> None:
    assert offered(halted(russian("A", 3), more=f"41.18|42.18 {river}\n")) == odds


@pytest.mark.rule("8.5.1", "8.5.1c")
def test_a_demoralized_force_tries_none() -> None:
    assert [ask.name for ask in halted(stack=f"{G1} cel=-4").asks] == ["advance"]


@pytest.mark.rule("8.5.1c")
def test_a_stack_tries_once_in_a_retreat_and_whoever_is_pushed_away_never() -> None:
    """It has pushed S out of 42.18 and is halted there again; S is shut in too, and is lost."""
    shut = divisions("42.17", "43.17", "43.18")
    assert "42.18" in offered(halted(more=shut, hexes=3))
    pushed = "repulse.41.19=42.18 repulse.41.19.ec=2 repulsed.41.19=43.17,44.17"
    done = halted(more=shut, hexes=3, answers=pushed)
    assert [ask.name for ask in done.asks] == ["advance"]
    leg = done.result.outcome.retreats[-1]
    assert (leg.cause, leg.way) == ("crt", ("41.18", "42.18"))


@pytest.mark.rule("8.5.1c", "8.5.1")
@pytest.mark.parametrize(
    ("answers", "end"),
    [
        ("repulse.41.19=none", "41.18"),
        ("repulse.41.19=42.18 repulse.41.19.ec=2 repulsed.41.19=43.17,44.17", "42.18"),
    ],
)
def test_the_other_side_retreats_all_the_same(answers: str, end: str) -> None:
    """The result drives R1 out of 40.20 too."""
    around = divisions(*STRONG) + GROUND.format(weak=WEAK) + "39.20 clear\n40.20|39.20 open\n"
    report = fought("W1 / W2", around, G1, more=f"retreat.41.19.1=41.18 {answers} retreat.40.20=39.20")
    places = {one.subject: one.after for one in report.changes if one.track == "place"}
    assert (places["R1"], places["G1"]) == ("39.20", end)


# --- what comes of it ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("8.5.4b", "11.2.6b")
def test_a_repulse_in_vain_costs_a_step_besides_the_hex_that_is_not_retreated() -> None:
    """The EZOC of 41.18 costs a level, the hex that it cannot make a level and a step, the Repulse a step."""
    held = halted(answers="repulse.41.19=none advance=none").result.outcome
    assert (held.way_losses, held.way_levels) == ({"G1": 1}, {"G1": 2})
    tried = halted(answers="repulse.41.19=40.19 advance=none").result.outcome
    assert (tried.way_losses, tried.way_levels) == ({"G1": 2}, {"G1": 2})
    assert [(one.at, one.repulsed, one.odds) for one in tried.repulses] == [("40.19", False, "1:1")]


@pytest.mark.rule("8.5.4b")
@pytest.mark.parametrize(
    ("stack", "ruling", "lost", "named"),
    [
        (f"{G1}, {GUNS}", "", {"G1": 2}, "combat"),
        (f"{G1}, {GUNS}", "ruling repulse-step=every", {"G1": 2, "G": 1}, "every"),
        (f"{G1}, {GUNS}", "ruling repulse-step=force", {"G1": 2}, "force"),
        (G1, "ruling repulse-step=every", {"G1": 2}, ""),
    ],
)
def test_who_loses_the_step_is_a_ruling_where_guns_went_along(
    stack: str, ruling: str, lost: dict[str, int], named: str
) -> None:
    report = halted(stack=stack, answers=f"repulse.41.19=40.19 advance=none\n{ruling}")
    assert (report.result.outcome.way_losses, ruled(report, "repulse-step")) == (lost, named)


@pytest.mark.rule("8.5.4b", "11.2.6b")
def test_a_unit_with_a_single_step_is_lost_by_a_repulse_in_vain() -> None:
    report = halted(stack=f"{G1} lost=11, {G2}", answers="repulse.41.19=40.19,G1 advance=none")
    places = {one.subject: one.after for one in report.changes if one.track == "place"}
    assert places["G1"] is None
    assert places["G2"] == "41.18"


@pytest.mark.rule("8.5.3")
def test_a_force_that_fails_its_check_is_pushed_two_hexes_and_loses_a_level() -> None:
    answers = "repulse.41.19=42.18 repulse.41.19.ec={} repulsed.41.19=43.17,44.17 advance=none"
    for natural, failed, levels in ((9, (), []), (10, ("D",), [-1])):
        report = halted(russian("D", more="corps=3 back-steps=0"), answers=answers.format(natural))
        assert [one.failed for one in report.result.outcome.repulses] == [failed]
        changes = {(one.subject, one.track): one.after for one in report.changes}
        assert (changes["D", "place"], changes["G1", "place"]) == ("44.17", "42.18")
        assert [after for key, after in changes.items() if key == ("D", "cel")] == levels


@pytest.mark.rule("8.5.3")
def test_a_demoralized_formation_has_no_level_to_lose_and_what_it_loses_is_a_ruling() -> None:
    spent = russian("D", more="corps=3 back-steps=0 cel=-4")
    answers = "repulse.41.19=42.18 repulse.41.19.ec=12"
    lost = halted(spent, answers=f"{answers} advance=none")
    assert ("D", "place", None) in {(one.subject, one.track, one.after) for one in lost.changes}
    assert ruled(lost, "repulse-demoralized") == "step"
    spared = halted(
        spent, answers=f"{answers} repulsed.41.19=43.17,44.17 advance=none\nruling repulse-demoralized=nothing"
    )
    changes = {(one.subject, one.track): one.after for one in spared.changes}
    assert (changes["D", "place"], ("D", "cel") in changes) == ("44.17", False)
    assert ruled(spared, "repulse-demoralized") == "nothing"
    sound = halted(spent.replace(" cel=-4", ""), answers=answers)
    assert ruled(sound, "repulse-demoralized") == ""
