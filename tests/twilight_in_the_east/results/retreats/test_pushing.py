"""A Repulse of a stack that is halted on its retreat: who tries it against whom, at what odds, and what comes of it (8.5).

A German division has entered 41.18, the first of two hexes that it owes, between six Russian divisions. Only whoever stands in 42.18 is weak.
"""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report

from ....conftest import answered, ruled, settings_of, typed
from ..test_retreats import G1, fought

STRONG = ("40.19", "41.20", "42.19", "42.20", "41.17", "40.18")
GROUND = """41.18 clear
42.18 clear: {weak}
41.18|41.17,40.18,40.19,42.18,42.19 open
42.18|42.17,43.17,43.18,42.19,41.17 open
"""
G2 = "german infantry XX G2 corps=1 (5-5-0-11) back-steps=0"
AROUND_R1 = "40.20|40.19,39.19,39.20,40.21,41.20 open\n" + "".join(
    f"{hex} clear: german infantry XX N{hex.replace('.', '')} (20-20-0-9)\n"
    for hex in ("40.19", "39.19", "39.20", "40.21", "41.20")
)
GUNS = "german artillery - G (?-?-3-?)"


def russian(name: str, strength: int = 1, kind: str = "infantry XX", more: str = "") -> str:
    """A Russian unit as it is typed."""
    return f"russian {kind} {name} ({strength}-{strength}-0-9) {more}"


def divisions(*hexes: str) -> str:
    """A strong Russian division in each hex."""
    return "".join(f"{hex} clear: {russian('N' + hex.replace('.', ''), 9)}\n" for hex in hexes)


WEAK = russian("S", kind="infantry III", more="asset")


def halted(
    weak: str = WEAK,
    stack: str = G1,
    more: str = "",
    *,
    answers: str = "",
    hexes: int = 2,
    roll: int = 2,
    printed: bool = False,
) -> Report[Any]:
    """The combat as far as the answers go; the stack has entered 41.18. more: what else the position states; printed: as for `fought`."""
    around = divisions(*STRONG) + GROUND.format(weak=weak) + more
    return fought(f"- / W{hexes}", around, stack, more=f"retreat.41.19.1=41.18 {answers}", check=roll, printed=printed)


def offered(report: Report[Any], hex: str = "42.18") -> dict[str, str]:
    """What is said of each Repulse of a hex that is offered."""
    (ask,) = report.asks
    return {option: ask.remarks.get(option, "") for option in ask.options if option.startswith(hex)}


# --- who may try, and against whom ---------------------------------------------------------------------------------------


@pytest.mark.rule("8.5.1", "8.5.1c", "8.5.2", "8.5.5")
def test_one_force_of_a_stack_tries_with_its_own_strength_alone() -> None:
    """12 and 5 steps against 1: the other division of the stack has no part in it."""
    assert offered(halted(stack=f"{G1}, {G2}")) == {"42.18,G1": "odds of 12:1: it succeeds", "42.18,G2": "odds of 5:1"}


@pytest.mark.rule("8.5.5", "8.5.2", "8.5.1")
def test_who_stands_against_a_repulse() -> None:
    report = halted(", ".join(russian(name) for name in "ABC"))
    assert offered(report) == {"42.18": "odds of 6:1"}
    tried = halted(", ".join(russian(name) for name in "ABC"), answers="repulse.41.19=42.18")
    assert "C do not defend against the Repulse of 42.18" in str(tried)
    assert "do not defend" not in str(halted(", ".join(russian(name) for name in "AB"), answers="repulse.41.19=42.18"))
    assert offered(halted(f"{russian('A', 3)}, {russian('B', 2, 'cavalry X')}")) == {"42.18": "odds of 4:1"}
    guns = halted(f"{russian('A', 3)}, russian artillery - H (?-?-3-?)", f"{G1}, {GUNS}")
    assert offered(guns) == offered(halted(russian("A", 3))) == {"42.18": "odds of 4:1"}


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
    """It has pushed S out of 42.18 and is halted there again. G1, pushed out of 41.19 by R1, is halted among lakes, next to R1 alone."""
    shut = divisions("42.17", "43.17", "43.18")
    assert "42.18" in offered(halted(more=shut, hexes=3))
    pushed = "repulse.41.19=42.18 repulse.41.19.ec=2 repulsed.41.19=43.17,44.17"
    done = halted(more=shut, hexes=3, answers=pushed)
    assert [ask.name for ask in done.asks] == ["advance"]
    leg = done.result.outcome.retreats[-1]
    assert (leg.cause, leg.way) == ("crt", ("41.18", "42.18"))
    lakes = "41.19|40.19,41.18,41.20,42.19,42.20 lake\n40.20|40.19,41.20 lake\n"
    shut_in = fought("W1 / W1", AROUND_R1 + lakes, more="repulse.40.20=41.19 repulse.40.20.crt=7 repulse.40.20.ec=2")
    pushed, *_ = shut_in.result.outcome.retreats
    assert (pushed.side, pushed.cause, pushed.way) == ("defender", "repulse", ())


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


@pytest.mark.rule("8.5.3", "4.2.3")
def test_a_stack_that_was_parted_for_want_of_room_retreats_by_the_result_part_by_part() -> None:
    """G1 and G2 are pushed to 43.18, which has room for one of them; each then retreats by the result from where it stands."""
    stack = ", ".join(f"german infantry XX {name} corps=1 (3-3-0-11) back-steps=0" for name in ("G1", "G2"))
    full = "43.18 clear: german infantry XX F1 (9-9-0-9), german infantry XX F2 (9-9-0-9)\n"
    pushed = "repulse.40.20=41.19 repulse.40.20.crt=7 repulse.40.20.ec=2 repulsed.40.20.1=42.19 repulsed.40.20.2=43.18 "
    pushed += "repulsed.40.20.3.who=G2 repulsed.40.20.3=44.18 retreat.40.20=41.19"
    (first,) = fought("W1 / W1", AROUND_R1 + full, stack, more=pushed).asks
    assert (first.name, first.title) == ("retreat.41.19.1", "retreat of G1 from 43.18, hex 1 of 1")
    (then,) = fought("W1 / W1", AROUND_R1 + full, stack, more=f"{pushed} retreat.41.19=43.17").asks
    assert (then.name, then.title) == ("retreat.G2.1", "retreat of G2 from 44.18, hex 1 of 1")
    ways = " retreat.41.19=43.17 retreat.G2=45.18 advance=none"
    done = fought("W1 / W1", AROUND_R1 + full, stack, more=pushed + ways)
    places = {change.subject: change.after for change in done.changes if change.track == "place"}
    assert (done.asks, places["G1"], places["G2"]) == ((), "43.17", "45.18")


@pytest.mark.rule("8.5.1c")
def test_the_stack_that_is_halted_first_tries_first_and_the_next_retreats_after_it() -> None:
    """R1, between five German divisions and G1, may try to push G1 away and does not; then G1 retreats."""
    (ask,) = fought("W1 / W1", AROUND_R1).asks
    assert (ask.name, ask.remarks["41.19"]) == ("repulse.40.20", "odds of 5:1")
    assert [ask.name for ask in fought("W1 / W1", AROUND_R1, more="repulse.40.20=none").asks] == ["retreat.41.19.1"]


@pytest.mark.rule("8.5.1c", "8.5.1")
def test_a_stack_is_not_asked_where_no_hex_could_be_cleared() -> None:
    """Between fortresses, and a Major River before R1: G1 surrenders without a word."""
    forts = "".join(
        f"{hex} clear: russian fortress - F{hex.replace('.', '')} (2-?-0-9) fssm=2\n"
        for hex in ("40.19", "41.18", "41.20", "42.19", "42.20")
    )
    report = fought("- / W1", forts + "41.19|40.20 major-river bridge\n")
    assert [ask.name for ask in report.asks] == ["advance"]
    assert report.result.outcome.retreats[0].surrendered == ("G1",)


# --- what comes of it ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("8.5.4b", "11.2.6b")
def test_a_repulse_in_vain_costs_a_step_besides_the_hex_that_is_not_retreated() -> None:
    """The EZOC of 41.18 costs a level, the hex that it cannot make a level and a step, the Repulse a step."""
    held = halted(answers="repulse.41.19=none advance=none").result.outcome
    assert (held.way_losses, held.way_levels) == ({"G1": 1}, {"G1": 2})
    tried = halted(answers="repulse.41.19=40.19 advance=none").result.outcome
    assert (tried.way_losses, tried.way_levels) == ({"G1": 2}, {"G1": 2})
    assert [(one.at, one.repulsed, one.odds) for one in tried.repulses] == [("40.19", False, "1:1")]
    cavalry = G1.replace("infantry", "cavalry")
    held, tried = (halted(stack=cavalry, answers=f"repulse.41.19={hex} advance=none") for hex in ("none", "40.19"))
    assert (held.result.outcome.way_losses, tried.result.outcome.way_losses) == ({"G1": 1}, {"G1": 2})
    report = halted(stack=f"{G1} lost=11, {G2}", answers="repulse.41.19=40.19,G1 advance=none")
    places = {one.subject: one.after for one in report.changes if one.track == "place"}
    assert places["G1"] is None
    assert places["G2"] == "41.18"


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


@pytest.mark.rule("8.5.4b")
def test_each_combat_unit_of_a_force_loses_a_step_or_its_owner_picks_who_does() -> None:
    """G1 and the regiment a with two steps left, of which it keeps the second: G1 bears what the hex that lacks costs."""
    stack, answers = f"{G1}, german infantry III a (4-4-0-11) asset lost=2", "repulse.41.19=40.19 losses.G1.crt=G1"
    each = halted(stack=stack, answers=f"{answers} advance=none")
    assert each.result.outcome.way_losses == {"G1": 2, "a": 1}
    assert {one.subject: one.after for one in each.changes if one.track == "place"}["a"] == "41.18"
    (ask,) = halted(stack=stack, answers="repulse.41.19=40.19\nruling repulse-step=force").asks
    assert (ask.name, ask.options) == ("losses.G1.repulse", ("G1", "a"))
    for picked, lost in (("a", {"G1": 1, "a": 1}), ("G1", {"G1": 2})):
        more = f"losses.G1.repulse={picked} {answers} advance=none\nruling repulse-step=force"
        assert halted(stack=stack, answers=more).result.outcome.way_losses == lost


@pytest.mark.rule("8.5.4b")
@pytest.mark.parametrize("reading", ["combat", "force"])
def test_whoever_loses_its_last_step_in_vain_leaves_its_hex_to_the_next_stack(reading: str) -> None:
    """R1 loses its last step in 40.20 by a Repulse of 40.19, and its guns surrender: that hex is open to G1."""
    guns = "40.20: russian artillery - H (?-?-3-?)"
    around = f"{AROUND_R1}{guns}\nR1 lost=29\nchart crt summer 1:1 7 = W1 / W1\n"
    more = f"repulse.40.20=40.19\nruling repulse-step={reading}"
    (ask,) = fought("W1 / W1", around, G1.replace("12-6", "1-1"), more=more).asks
    assert (ask.name, "40.20" in ask.options) == ("retreat.41.19.1", True)


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
    assert ("D", "place", None) in {(one.subject, one.track, one.after) for one in settings_of(lost)}
    assert ruled(lost, "repulse-demoralized") == "step"
    spared = halted(
        spent, answers=f"{answers} repulsed.41.19=43.17,44.17 advance=none\nruling repulse-demoralized=nothing"
    )
    changes = {(one.subject, one.track): one.after for one in spared.changes}
    assert (changes["D", "place"], ("D", "cel") in changes) == ("44.17", False)
    assert ruled(spared, "repulse-demoralized") == "nothing"
    sound = halted(spent.replace(" cel=-4", ""), answers=answers)
    assert ruled(sound, "repulse-demoralized") == ""


@pytest.mark.rule("8.5.3")
def test_of_two_forces_that_are_pushed_away_the_one_that_fails_loses_the_step() -> None:
    """D, which passes its check, and Demoralized E with the regiment k: of these one takes the step, by their owner's choice."""
    sound, spent = russian("D", more="corps=3 back-steps=0"), russian("E", more="corps=3 back-steps=0 cel=-4")
    stack = f"{sound}, {spent}, {russian('k', kind='infantry III', more='asset with=E')}"
    (ask,) = halted(stack, answers="repulse.41.19=42.18 repulse.41.19.crt=7 repulse.41.19.ec=9").asks
    assert (ask.name, ask.options) == ("losses.E.repulse", ("E", "k"))


@pytest.mark.rule("8.5.3")
def test_a_stack_that_is_pushed_away_before_its_turn_to_retreat_goes_on_from_where_that_has_led_it() -> None:
    """R1 pushes G1 two hexes away and goes to 41.19 itself; from there, in 43.18, the result drives G1 another hex."""
    answers = (
        "repulse.40.20=41.19 repulse.40.20.crt=7 repulse.40.20.ec=2 repulsed.40.20=42.19,43.18 retreat.41.19=44.18"
    )
    outcome = fought("W1 / W1", AROUND_R1, more=answers).result.outcome
    assert [(one.side, one.cause, one.start, one.way) for one in outcome.retreats] == [
        ("defender", "repulse", "41.19", ("42.19", "43.18")),
        ("attacker", "crt", "40.20", ("41.19",)),
        ("defender", "crt", "43.18", ("44.18",)),
    ]


@pytest.mark.rule("8.5")
def test_between_three_and_seven_to_one_it_is_rolled_and_what_the_chart_does_not_state_is_asked_for() -> None:
    """12 steps against 2: the report names the cell that was rolled."""
    weak, answers = russian("A", 2), "repulse.41.19=42.18"
    (ask,) = halted(weak, answers=answers).asks
    assert (ask.kind, ask.name) == ("roll", "repulse.41.19.crt")
    (cell,) = halted(weak, answers=f"{answers} repulse.41.19.crt=6", printed=True).asks
    assert (cell.kind, cell.key) == ("cell", ("crt", "summer", "6:1", 6))
    done = halted(
        weak, answers=f"{answers} repulse.41.19.crt=7 repulse.41.19.ec=2 repulsed.41.19=43.17,44.17 advance=none"
    )
    assert [one.crt for one in done.result.outcome.repulses] == ["- / W2"]


@pytest.mark.rule("8.4.3", "10.3b")
def test_a_unit_beside_the_combat_that_is_pushed_away_loses_its_prepared_attack() -> None:
    weak = russian("S", kind="infantry III", more="asset prepared=42.17")
    report = halted(weak, answers="repulse.41.19=42.18 repulse.41.19.ec=2 repulsed.41.19=43.17,44.17 advance=none")
    assert [(one.subject, one.after) for one in report.changes if one.track == "prepared"] == [("S", None)]


@pytest.mark.rule("8.5.2")
def test_by_a_reading_a_leader_shifts_a_repulse_in_a_retreat_and_is_used_in_it() -> None:
    """12 against 3 of the 1st Corps, which Artamonov commands."""
    weak, led = russian("A", 3, more="corps=1"), "leaders=artamonov\n"
    shift = f"{led}ruling leaders-repulse=shift\n"
    assert offered(halted(weak, more=led)) == {"42.18": "odds of 4:1"}
    assert offered(halted(weak, more=shift)) == {"42.18": "odds of 5:1"}
    done = "repulse.41.19=42.18 repulse.41.19.crt=7 repulse.41.19.ec=2 repulsed.41.19=43.18,44.18 advance=none"
    used = [halted(weak, more=text, answers=done) for text in (led, shift)]
    assert [tried.leaders for report in used for tried in report.result.outcome.repulses] == [(), ("artamonov",)]
    uses = [[change.after for change in report.changes if change.track == "leader-uses"] for report in used]
    assert uses == [[], ["artamonov:1"]]
    again = halted(weak, more=f"{shift}leader-uses=artamonov:2\n", answers=done)
    assert [tried.leaders for tried in again.result.outcome.repulses] == [()]


TWO_STACKS = """turn=1 {leaders}
trust charts
ruling leaders-repulse=shift
elsewhere open clear
40.20 clear: russian infantry XX R1 corps=3 (12-12-0-10) back-steps=0
41.19 clear: german infantry XX G1 corps=1 (12-6-0-11) back-steps=0
39.20 clear: german infantry XX G2 corps=1 (12-6-0-11) back-steps=0
42.19 clear: {first}
38.21 clear: {second}
{strong}
ask battle at=40.20 from=41.19,39.20 attacker-ap=none defender-ap=none flanked=no
chart crt summer 2:1 7 = W1 / -
chart crt summer 4:1 7 = - / -
chart crt summer 5:1 7 = - / -
chart slrt summer Medium 2 = 0 / 0
answers crt=7 slrt=3/3 ec.41.19=2 ec.39.20=2 ec.40.20=2 {answers}
"""


@pytest.mark.rule("8.5.2")
@pytest.mark.parametrize(("uses", "odds"), [(0, ("5:1", "5:1")), (1, ("5:1", "4:1")), (2, ("4:1", "4:1"))])
def test_a_repulse_reckons_with_the_uses_of_those_before_it_in_the_combat(uses: int, odds: tuple[str, str]) -> None:
    """Two stacks, each with 12 against 3 of the 1st Corps, which Artamonov commands twice at most."""
    strong = divisions("40.19", "41.18", "41.20", "42.20", "39.19", "39.21", "38.20", "40.21")
    text = TWO_STACKS.format(
        leaders=f"leaders=artamonov leader-uses=artamonov:{uses}" if uses else "leaders=artamonov",
        first=russian("A", 3, more="corps=1"),
        second=russian("B", 3, more="corps=1"),
        strong=strong,
        answers="repulse.41.19=42.19 repulse.41.19.crt=7 repulse.39.20=38.21 repulse.39.20.crt=7",
    )
    report = answered(typed(text))
    repulses = report.result.outcome.repulses
    assert tuple(repulse.odds for repulse in repulses) == odds
    assert sum(repulse.leaders == ("artamonov",) for repulse in repulses) == 2 - uses
