"""Retreats, supply and the advance as a combat carries them out (10.2.1, 11.2, 11.4)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError

from ...conftest import answered, carried_out, ruled, settings_of, told, typed

POSITION = """turn=5
trust charts
40.20: russian infantry XX R1 corps=3 (30-?-0-10) back-steps=0
41.19 clear: {stack}
41.19|40.20,40.19,41.18,41.20,42.19,42.20 open
{around}
ask battle at=41.19 from=40.20 attacker-ap=none defender-ap=none flanked=no
{cells}
answers crt=7 slrt=1/1 ec.40.20={roll} ec.41.19={check} {more}
"""
G1 = "german infantry XX G1 corps=1 (12-6-0-11) back-steps=0"


def fought(
    cell: str,
    around: str = "",
    stack: str = G1,
    *,
    roll: int = 2,
    check: int = 2,
    steps: int = 0,
    more: str = "",
    walk: bool = False,
    printed: bool = False,
) -> Report[Any]:
    """A Russian division attacks with a cell of the CRT in every column. steps: that each side loses by the SLRT; printed: whether
    no chart is taken from a reconstruction."""
    columns = ("2:1", "3:1", "4:1", "5:1", "6:1")
    cells = "\n".join(f"chart crt summer {column} 7 = {cell}" for column in columns)
    cells += "\n" + "\n".join(f"chart slrt summer Medium {n} = {steps} / 0" for n in range(-2, 9))
    position = POSITION.replace("trust charts\n", "") if printed else POSITION
    text = position.format(stack=stack, around=around, cells=cells, roll=roll, check=check, more=more)
    return carried_out(text, advance="none") if walk else answered(typed(text))


BEHIND = "\n".join(
    f"{hex}: russian infantry XX N{hex[:2]}{hex[3:]} (9-9-0-9)" for hex in ("40.19", "41.18", "41.20", "42.19", "42.20")
)


@pytest.mark.rule("10.2.1b", "10.9.1", "11.2.1")
def test_the_retreat_comes_before_the_losses_and_its_hexes_are_offered_one_by_one() -> None:
    (ask,) = fought("- / W2").asks
    assert ask.name == "retreat.41.19.1"
    assert set(ask.options) == {"40.19", "41.18", "41.20", "42.19", "42.20"}
    (ask,) = fought("- / W2", more="retreat.41.19.1=42.19").asks
    assert ask.name == "retreat.41.19.2"
    assert "41.19" not in ask.options, "the hex just left"
    whole = fought("- / W2", more="retreat.41.19=42.19,43.18")
    assert [one.name for one in whole.asks] == ["advance"]
    assert whole.result.outcome.retreats[0].way == ("42.19", "43.18")
    with pytest.raises(InputError, match=r"retreat\.41\.19"):
        fought("- / W2", more="retreat.41.19=40.20,39.20")


@pytest.mark.rule("10.9.1", "11.3")
def test_the_attackers_retreat_comes_before_the_defenders() -> None:
    """By the result and by the checks: R1 leaves 40.20, the only hex that may then be open to G1."""
    (ask,) = fought("W1 / W1").asks
    assert ask.name == "retreat.40.20.1"
    (ask,) = fought("W1 / W1", more="retreat.40.20=39.20").asks
    assert ask.name == "retreat.41.19.1"
    freed = fought("W1 / W1", BEHIND, more="retreat.40.20=39.20")
    assert [(one.place, one.way) for one in freed.result.outcome.retreats] == [
        ("40.20", ("39.20",)),
        ("41.19", ("40.20",)),
    ]
    assert not any(one.surrendered for one in freed.result.outcome.retreats)
    (ask,) = fought("- / -", "R1 cel=-3\nG1 cel=-3", roll=12, check=12).asks
    assert ask.name == "onward.40.20.1"


@pytest.mark.rule("11.2.5b", "11.2.5c", "11.3.1c")
def test_checks_are_made_at_the_levels_and_steps_that_the_way_has_left() -> None:
    """41.18 and 41.17 are in zones of R2 in 40.18: two levels and a step; two hexes make the check harder by 2."""
    enemy = "40.18: russian infantry XX R2 corps=3 (9-9-0-9) back-steps=0\n41.18|40.18,41.17 open\n41.17|40.18 open"
    report = fought("- / W2", enemy, check=9, more="retreat.41.19=41.18,41.17", walk=True)
    after = report.result.outcome
    (check,) = [one for one in after.checks if one.force == "G1"]
    assert (after.way_losses, after.way_levels) == ({"G1": 1}, {"G1": 2})
    assert (check.cel, check.modified, check.margin) == (9, 11, 2)
    changes = {(one.subject, one.track): one.after for one in report.changes}
    assert (changes["G1", "lost"], changes["G1", "cel"]) == (1, -3)


@pytest.mark.rule("11.2.6a", "11.4", "11.1b")
def test_who_cannot_make_even_one_hex_surrenders_and_the_attacker_advances() -> None:
    report = fought("- / W1", BEHIND, more="repulse.41.19=none")
    after = report.result.outcome
    assert after.retreats[0].surrendered == ("G1",)
    assert after.passed_over == (), "no hex was chosen"
    assert (after.vacated, after.attacker_points) == (True, 0)
    assert [ask.name for ask in report.asks] == ["advance"], "nobody is left who rolls for losses or checks"
    done = fought("- / W1", BEHIND, more="repulse.41.19=none advance=R1")
    assert ("G1", "place", None) in {(one.subject, one.track, one.after) for one in settings_of(done)}
    assert ("R1", "place", "41.19") in {(one.subject, one.track, one.after) for one in settings_of(done)}
    assert done.result.outcome.attacker_points == 4


@pytest.mark.rule("11.2.6b", "11.3.2aa", "11.4", "10.2.1b")
def test_who_cannot_leave_after_a_check_has_not_left_and_pays_a_step_and_a_level_a_hex() -> None:
    report = fought(
        "- / -",
        BEHIND,
        stack="german infantry XX G1 corps=1 (12-6-0-8) back-steps=0",
        check=12,
        more="onward-repulse.41.19=none",
    )
    after = report.result.outcome
    assert (after.vacated, report.asks) == (False, ())
    assert (after.way_losses, after.way_levels) == ({"G1": 1}, {"G1": 1})
    assert [one.after for one in report.changes if one.subject == "G1" and one.track == "cel"] == [-3]


@pytest.mark.rule("11.4", "11.4.2")
def test_an_attacker_that_the_result_throws_back_does_not_advance() -> None:
    report = fought("W1 / W1", walk=True)
    assert report.result.outcome.advance in ((), None)
    assert {one.side for one in report.result.outcome.retreats} == {"attacker", "defender"}
    assert "owes" not in {one.track for one in report.changes}


@pytest.mark.rule("4.2.3b")
def test_who_ends_in_a_hex_without_room_goes_on_to_the_next_with_room() -> None:
    crowd = "42.19: " + ", ".join(f"german infantry XX F{n} (9-9-0-9)" for n in (1, 2, 3))
    asks = fought("- / W1", crowd, more="retreat.41.19.1=42.19").asks
    assert [ask.name for ask in asks] == ["retreat.41.19.2"]
    report = fought("- / W1", crowd, more="retreat.41.19=42.19,43.18", walk=True)
    assert [one.after for one in report.changes if one.subject == "G1" and one.track == "place"] == ["43.18"]
    (check,) = [one for one in report.result.outcome.checks if one.force == "G1"]
    assert check.modified == 3, "the further hex makes the check no harder"


@pytest.mark.rule("11.2.3")
def test_farther_from_its_train_it_loses_a_level_once_all_retreats_are_over() -> None:
    train = "43.18: german corps-train - T1 corps=1 range=4"
    away = fought("- / W2", train, more="retreat.41.19=41.18,40.18", walk=True)
    nearer = fought("- / W2", train, more="retreat.41.19=42.19,42.18", walk=True)
    assert [one.result.outcome.way_levels for one in (away, nearer)] == [{"G1": 1}, {}]
    assert [[one.force for one in report.result.outcome.farther] for report in (away, nearer)] == [["G1"], []]
    assert "G1 ends farther from supply: 1 level, 0 steps" in told(away, "Retreats")


FARTHER = "43.18: german corps-train - T1 corps=1 range=4"
AWAY = "retreat.41.19=41.18,40.18"


@pytest.mark.rule("11.2.3", "12.1.1")
def test_who_ends_with_a_fortress_unit_pays_nothing_for_its_distance() -> None:
    fort = "40.18: german fort - F1 (2-?-?-?) fssm=2"
    reports = [fought("- / W2", f"{FARTHER}\n{more}", more=AWAY, walk=True) for more in ("", fort)]
    assert [report.result.outcome.way_levels for report in reports] == [{"G1": 1}, {}]


@pytest.mark.rule("11.2.3", "6.4.2")
@pytest.mark.parametrize(("steps", "end"), [(1, ""), (2, "40.18")])
def test_an_asset_unit_farther_from_supply_loses_a_step_for_the_level(steps: int, end: str) -> None:
    """Alone it has no level to lose; with its last step it is off the map at once."""
    alone = f"german infantry III a corps=1 ({steps}-3-0-9) asset"
    report = fought("- / W2", FARTHER, alone, more=AWAY, walk=True)
    after = report.result.outcome
    assert (after.way_losses, after.places["a"], after.vacated) == ({"a": 1}, end, True)


@pytest.mark.rule("11.2.3", "10.2.1b")
def test_hexes_by_the_result_and_by_the_check_count_together_for_an_attacker_too() -> None:
    train = "40.21: russian corps-train - T3 corps=3 range=4"
    ways = "retreat.40.20=39.19 onward.40.20=39.18 onward.41.19=42.19"
    report = fought("W1 / -", train, roll=12, check=12, steps=2, more=ways, walk=True)
    assert [(duty.force, duty.by_crt, duty.by_check) for duty in report.result.outcome.obligations] == [
        ("R1", 1, 1),
        ("G1", 0, 1),
    ]
    assert [one.force for one in report.result.outcome.farther] == ["R1"]


@pytest.mark.rule("11.4.1")
def test_any_selection_within_the_stacking_limits_may_advance() -> None:
    (ask,) = fought("- / W1", more="retreat.41.19=42.19").asks
    assert (ask.name, ask.options) == ("advance", ("R1", "none"))
    report = fought("- / W1", more="retreat.41.19=42.19 advance=R1")
    assert told(report, "Advance") == ["advance into 41.19: R1"]


@pytest.mark.rule("11.2.1a")
@pytest.mark.parametrize(
    ("guns", "there", "recorded"),
    [("", "german", [("G", "G1")]), ("with=G1", "german", []), ("", "austro-hungarian", [])],
)
def test_an_asset_unit_keeps_its_formation_where_it_ends_beside_another(
    guns: str, there: str, recorded: list[Any]
) -> None:
    stack = f"{G1}, german artillery - G (?-?-3-?) {guns}"
    beside = f"42.19: {there} infantry XX F1 (9-9-0-9)"
    report = fought("- / W1", beside, stack, more="retreat.41.19=42.19", walk=True)
    assert ("G", "place", "42.19") in {(one.subject, one.track, one.after) for one in report.changes}
    assert [(one.subject, one.after) for one in report.changes if one.track == "with"] == recorded


R2 = "40.18: russian infantry XX R2 corps=3 (9-9-0-9) back-steps=0\n41.18|40.18,41.17 open\n41.17|40.18 open"


@pytest.mark.rule("11.2.5c")
@pytest.mark.parametrize(
    ("ruling", "lost", "named"),
    [("", ({"G1": 1}, {"G1": 2}), "through"), ("ruling ezoc-count=each", ({}, {"G1": 2}), "each")],
)
def test_hexes_in_zones_count_on_through_the_retreat_that_a_check_causes(
    ruling: str, lost: tuple[dict[str, int], dict[str, int]], named: str
) -> None:
    """41.18 by the result and 41.17 by the check, both in zones of R2."""
    more = f"retreat.41.19=41.18 onward.41.19=41.17\n{ruling}"
    report = fought("- / W1", R2, G1.replace("-11)", "-9)"), check=11, more=more)
    after = report.result.outcome
    assert [leg.way for leg in after.retreats] == [("41.18",), ("41.17",)]
    assert (after.way_losses, after.way_levels) == lost
    assert ruled(report, "ezoc-count") == named


WEAK = (
    "\n".join(
        f"{hex}: russian infantry XX N{hex[:2]}{hex[3:]} (9-9-0-9)" for hex in ("40.19", "41.20", "42.19", "42.20")
    )
    + "\n41.20 clear\n41.18 clear: {small}\n41.18|41.17,40.18,40.19,42.18,42.19 open\n"
)
SMALL = "russian infantry III S asset (1-1-0-9)"


def stuck(small: str = SMALL, more: str = "", cell: str = "- / W1", **dice: int) -> Report[Any]:
    """A division shut in by four divisions and a small unit in 41.18."""
    return fought(cell, WEAK.format(small=small), more=more, **dice)


@pytest.mark.rule("8.5", "8.5.1c", "8.5.2", "8.5.3", "11.2.1", "8.5.4b")
def test_a_stack_shut_in_may_push_a_small_unit_away_and_go_on() -> None:
    (ask,) = stuck().asks
    assert (ask.name, set(ask.options)) == (
        "repulse.41.19",
        {"none", "40.19", "41.18", "41.20", "42.19", "42.20", "40.20"},
    )
    assert ask.options[0] == "none"
    assert ask.title == "a Repulse from 41.19, where no hex is open to the stack"
    (check,) = stuck(more="repulse.41.19=41.18").asks
    assert (check.name, check.dice) == ("repulse.41.19.ec", "2d6")
    report = stuck(more="repulse.41.19=41.18 repulse.41.19.ec=9 repulsed.41.19=41.17,41.16 advance=none")
    after = report.result.outcome
    assert [(one.at, one.repulsed) for one in after.repulses] == [("41.18", True)]
    assert [(leg.cause, leg.way) for leg in after.retreats] == [("repulse", ("41.17", "41.16")), ("crt", ("41.18",))]
    places = {one.subject: one.after for one in report.changes if one.track == "place"}
    assert places == {"S": "41.16", "G1": "41.18"}
    (ask,) = stuck().asks
    assert ask.remarks["41.18"] == "odds of 12:1: it succeeds"
    assert ask.remarks["41.20"].endswith(": it cannot succeed")


@pytest.mark.rule("1.2.2b", "8.5.1c", "11.2.1")
def test_a_retreat_ends_in_the_first_hex_of_romania() -> None:
    """It owes two hexes, and others beyond 42.19 are open."""
    border = "\n".join(line for line in BEHIND.splitlines() if not line.startswith("42.19"))
    border += "\n42.19 clear country=romanian"
    (ask,) = fought("- / W2", border).asks
    assert ask.title == "a Repulse from 41.19, where no hex on the map is open to the stack"
    report = fought("- / W2", border, more="repulse.41.19=none advance=none")
    (retreat,) = report.result.outcome.retreats
    assert (report.asks, retreat.way, retreat.departed) == ((), ("42.19",), ("G1",))


@pytest.mark.rule("8.5.1", "8.5.1c")
@pytest.mark.parametrize(
    ("stack", "around", "hexes"),
    [
        (G1, "", True),
        (f"{G1} cel=-4", "", False),
        (f"{G1} half", "", False),
        (G1, "41.18: russian fortress - F (2-?-0-9) fssm=2", True),
    ],
)
def test_a_force_that_may_not_attack_tries_no_repulse_and_none_clears_a_fortress(
    stack: str, around: str, hexes: bool
) -> None:
    report = fought("- / W1", f"{BEHIND}\n{around}", stack)
    (ask,) = report.asks
    assert (ask.name == "repulse.41.19") == hexes
    assert ("41.18" in ask.options) == (hexes and not around)


@pytest.mark.rule("8.5.4b", "8.5.3")
def test_a_repulse_in_vain_costs_a_step_and_who_is_pushed_away_checks_without_modifiers() -> None:
    """12 steps against a division of 9 are 1:1."""
    report = stuck(more="repulse.41.19=41.20 advance=none")
    after = report.result.outcome
    assert [(one.at, one.repulsed, one.odds) for one in after.repulses] == [("41.20", False, "1:1")]
    assert (after.way_losses["G1"], after.retreats[0].surrendered) == (12, ("G1",))
    report = stuck(more="repulse.41.19=41.18 repulse.41.19.ec=10 repulsed.41.19=41.17,41.16 advance=none")
    assert [one.failed for one in report.result.outcome.repulses] == [("S",)]
    assert ("S", "place", None) in {(one.subject, one.track, one.after) for one in report.changes}


# --- what is said of the hexes, and of who goes on --------------------------------------------------------------------

G2 = "german infantry XX G2 corps=1 (12-6-0-11) back-steps=0"
FULL = "42.19: german infantry XX F1 (9-9-0-9), german infantry XX F2 (9-9-0-9)"


@pytest.mark.rule("4.2.3b", "11.2.1")
def test_where_a_hex_cannot_hold_all_their_owner_says_who_goes_on() -> None:
    """42.19 holds two divisions already: one of G1 and G2 stays, the other goes on."""
    (ask,) = [one for one in fought("- / W1", FULL, stack=f"{G1}, {G2}").asks if one.name == "retreat.41.19.1"]
    assert ask.remarks["42.19"] == "cannot hold all (4.2.3)"
    (ask,) = fought("- / W1", FULL, stack=f"{G1}, {G2}", more="retreat.41.19.1=42.19").asks
    assert (ask.name, ask.rule, ask.options) == ("retreat.41.19.2.who", "4.2.3", ("G2", "G1"))
    more = "retreat.41.19.1=42.19 retreat.41.19.2.who=G1"
    (ask,) = fought("- / W1", FULL, stack=f"{G1}, {G2}", more=more).asks
    assert ask.rule == "4.2.3"
    assert ask.title == "G1 in 42.19, which cannot hold all that end there: hex 1 beyond the retreat"
    report = fought("- / W1", FULL, stack=f"{G1}, {G2}", more=f"{more} retreat.41.19.2=43.18 advance=none")
    assert {one.subject: one.after for one in report.changes if one.track == "place"} == {"G1": "43.18", "G2": "42.19"}
    lines = told(report, "Retreats")
    assert "where they end: G1 in 43.18, G2 in 42.19" in lines
    assert (
        "G1 had to retreat farther than 1 hex, as the hex where they should have stopped could not hold all units"
        in lines
    )


@pytest.mark.rule("4.2.3b", "11.3.2aa")
def test_who_went_on_for_want_of_room_retreats_by_its_check_from_its_own_hex() -> None:
    """Both fail by 4, one hex each: G1 goes on from 43.18, a hex beyond 42.19, where G2 goes on from."""
    pair = f"{G1}, {G2}".replace("-11)", "-8)")
    more = "retreat.41.19.1=42.19 retreat.41.19.2.who=G1 retreat.41.19.2=43.18 advance=none"
    (ask,) = fought("- / W1", FULL, stack=pair, more=more, check=12).asks
    assert (ask.name, ask.title) == ("onward.41.19.1", "retreat of G1 from 43.18, hex 1 of 1")
    more += " onward.41.19=44.18"
    (ask,) = fought("- / W1", FULL, stack=pair, more=more, check=12).asks
    assert (ask.name, ask.title) == ("onward.G2.1", "retreat of G2 from 42.19, hex 1 of 1")
    report = fought("- / W1", FULL, stack=pair, more=f"{more} onward.G2=42.18", check=12)
    assert {one.subject: one.after for one in report.changes if one.track == "place"} == {"G1": "44.18", "G2": "42.18"}
    by_check = [(one.start, one.way) for one in report.result.outcome.retreats if one.cause == "check"]
    assert by_check == [("43.18", ("44.18",)), ("42.19", ("42.18",))]


@pytest.mark.parametrize(("ruling", "price"), [("", "1 step"), ("\nruling ezoc-levels=each", "2 steps")])
def test_a_hex_says_what_it_costs_by_the_ruling_that_the_players_have_agreed_on(ruling: str, price: str) -> None:
    """Up the column past two divisions, whose zones all its hexes are in: the fourth one by the check."""
    column = [f"41.{row}" for row in range(18, 14, -1)]
    ground = "".join(f"{a}|{b} open\n" for a, b in pairwise(column))
    ground += "41.18|40.18 open\n41.17|40.18 open\n41.16|40.16 open\n41.15|40.16 open\n"
    enemies = "".join(f"40.{row}: russian infantry XX E{row} corps=3 (9-9-0-9) back-steps=0\n" for row in (18, 16))
    more = f"retreat.41.19.1=41.18 retreat.41.19.2=41.17 retreat.41.19.3=41.16{ruling}"
    (ask,) = fought("- / W3", ground + enemies, check=12, more=more).asks
    assert (ask.name, ask.remarks["41.15"]) == ("onward.41.19.1", f"enemy ZOC: costs {price}")


LONE = "german infantry III a (1-3-0-9) asset"
ZONES = "40.18: russian infantry XX R2 corps=3 (9-9-0-9) back-steps=0\n41.18|40.18,41.17 open\n41.17|40.18 open"


@pytest.mark.rule("11.2.1", "11.2.5", "11.2.5a", "11.2.3", "11.2.6b", "6.4.2")
def test_who_is_eliminated_on_the_way_is_asked_for_no_further_hex() -> None:
    """A lone Asset Unit has no level to lose: the first EZOC is its last step."""
    (ask,) = fought("- / W3", ZONES, stack=LONE).asks
    assert ask.remarks["41.18"] == "enemy ZOC: costs 1 step; eliminates a"
    report = fought("- / W3", ZONES, stack=LONE, more="retreat.41.19.1=41.18")
    assert [one.name for one in report.asks] == ["advance"]
    lines = told(report, "Retreats")
    assert "first unoccupied hex in an EZOC (41.18): each Force loses 1 level" in lines
    assert "a is eliminated (1 level that could not be lost became a step)" in lines
    assert not [line for line in lines if "not retreated" in line or "0 steps" in line]


@pytest.mark.rule("11.3.2b")
def test_what_a_failed_check_costs_is_listed_without_levels_where_none_can_be_lost() -> None:
    """At -4 a check that is failed costs steps and Disorder alone."""
    assert "G1 retreats 1 hex, loses 2 steps, is Disordered, degree 1" in told(
        fought("- / -", stack=f"{G1} cel=-4", check=12)
    )


@pytest.mark.rule("11.2.2", "11.2.2a")
@pytest.mark.parametrize(
    ("way", "named"),
    [("41.18,42.19,42.20", ["42.19", "42.20"]), ("41.18,42.18,42.19", ["42.19"]), ("42.19,43.18,44.18", [])],
)
def test_a_battle_names_the_priority_that_a_way_breaks(way: str, named: list[str]) -> None:
    """A retreat of three hexes that ends beside its start, or two hexes from it."""
    report = fought("- / W3", more=f"retreat.41.19={way} advance=none")
    broken = report.result.outcome.passed_over
    assert [(over.hex, over.why) for over in broken] == [(hex, "farther from the combat") for hex in named]
    said = [step.text for step in report.short if step.rule == "11.2.2"]
    assert said == [f"The priorities put {over.better} before {over.hex}: {over.why}." for over in broken]
    assert [step.text for step in report.short if "priorities" in step.text] == said
