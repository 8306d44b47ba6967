"""Stacks on the way: what each unit pays, whom they drop and pick up, and Forced Marches (8.1, 8.3, 4.2.1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError

from ....conftest import answered, ruled, told, typed, why_not
from .ground import NOW, changes_of, german, moved, reached, russian, text_of

ROAD = "30.20|30.19 primary-road\n30.19|30.18 primary-road\n30.18|30.17 primary-road"
TWO = f"30.20: {russian('R')}, {russian('S')}\n{ROAD}"


def points(report: Report[Any]) -> dict[str, str]:
    """What each unit pays."""
    return {move.unit: str(move.points) for move in report.result.moves}


@pytest.mark.rule("8.1", "8.3")
def test_the_first_hex_that_is_too_dear_is_named_with_what_was_paid_before() -> None:
    text = "30.20: russian infantry XX R (9-9-0-9) movement=2"
    report = moved(text, "R", "30.19,30.18,30.17")
    assert report.verdict.text == (
        "R cannot go to 30.17, only as far as 30.18: to enter 30.17, R would spend 6 Movement Points, and its limit is 5: "
        "2, and 3 by Forced March"
    )
    assert told(report, "Way") == ["30.19: 2 for the ground (clear)", "30.18: 2 for the ground (clear)"]
    assert why_not(report) == ["8.3"]


@pytest.mark.rule("8.3")
def test_a_forced_march_is_made_where_the_way_needs_it_or_refused() -> None:
    text = "30.20: russian infantry XX R (9-9-0-9) movement=4"
    report = moved(text, "R", "30.19,30.18,30.17")
    assert report.verdict.text == (
        "R goes to 30.17: 6 Movement Points, 2 beyond the allowance by Forced March (58.3% chance to pass)"
    )
    assert "R checks once its move is over, and loses levels or steps if it fails (ask forced-march unit=R)" in told(
        report
    )
    assert any("is not known: it stands in the Forced March Results Table" in line for line in told(report))
    (march,) = report.result.marches
    assert (march.points, march.passes, march.levels, march.steps) == (2, Fraction(7, 12), None, None)
    assert why_not(moved(text, "R", "30.19,30.18,30.17", forced=False)) == ["8.3"]
    assert moved(text, "R", "30.19,30.18", forced=False).verdict.kind == "figure"
    assert moved(text, "R", "30.19,30.18,30.17", forced=True).verdict == report.verdict


@pytest.mark.rule("3.8.2", "8.3.2a")
@pytest.mark.parametrize(
    ("supply", "levels"),
    [("", "0 (58.3%), 1 (33.3%), 2 (8.3%)"), (" supply=low", "0 (41.7%), 1 (41.7%), 2 (16.7%)")],
)
def test_what_a_forced_march_may_cost_is_told_as_its_check_tells_it(supply: str, levels: str) -> None:
    """Of its ratings only its effectiveness has to be stated."""
    text = f"30.20: russian infantry XX R (9-?-?-9) movement=4{supply}\ntrust charts"
    report = moved(text, "R", "30.19,30.18,30.17")
    assert f"R: levels lost: {levels}" in told(report)
    (march,) = report.result.marches
    spent = text.replace("movement=4", "movement=4 spent=march:6")
    check = answered(typed(text_of(spent)), "forced-march", unit="R").result
    assert (march.levels, march.steps, march.passes) == (check.levels, check.steps, check.passes)
    assert moved(text, "R", "30.19").result.marches == ()


def test_the_title_says_of_each_unit_how_far_it_goes() -> None:
    assert moved(TWO, "R,S", "30.19,30.18").title == "R and S from 30.20 to 30.18"
    dropped = moved(TWO, "R,S", "30.19,30.18,30.17", drop="S@30.19")
    assert dropped.title == "R from 30.20 to 30.17; S from 30.20 to 30.19"
    picked = moved(PICK, "R,S", "30.19,30.18", pick="P@30.19")
    assert picked.title == "R and S from 30.20 to 30.18; P from 30.19 to 30.18"


@pytest.mark.rule("8.1c")
def test_who_is_dropped_moves_no_further_and_who_goes_on_alone_uses_the_road() -> None:
    report = moved(TWO, "R,S", "30.19,30.18,30.17", drop="S@30.19")
    assert points(report) == {"R": "5", "S": "2"}
    assert report.verdict.text.startswith("R goes to 30.17: 5 Movement Points")
    assert changes_of(report, "place", "ended", "spent") == {
        ("place", "R"): "30.17",
        ("place", "S"): "30.19",
        ("spent", "R"): "march:5",
        ("spent", "S"): "march:2",
        ("ended", "S"): True,
    }
    assert changes_of(report, "passed")["passed", "S"] == "30.20 30.19"
    assert changes_of(report, "control") == {("control", "30.20"): "russian", ("control", "30.18"): "russian"}
    assert told(report, "Afterwards") == ["S may move no further in this phase"]


PICK = f"{TWO}\n30.19: {russian('P', 'entry-cost=5')}"


@pytest.mark.rule("8.1c")
def test_who_is_picked_up_pays_for_its_own_hexes_and_stops_with_the_stack() -> None:
    report = moved(PICK, "R,S", "30.19,30.18", pick="P@30.19")
    assert moved(PICK, "R,S", "30.19,30.18", pick="P@3019") == report
    assert points(report) == {"R": "4", "S": "4", "P": "2"}
    assert changes_of(report, "place", "ended") == {
        ("place", "R"): "30.18",
        ("place", "S"): "30.18",
        ("place", "P"): "30.18",
        ("ended", "P"): True,
    }
    assert ruled(report, "picked-up") == "own"
    assert report.result.moves[2].before == 5
    text = f"{PICK}\nruling picked-up=stack"
    report = moved(text, "R,S", "30.19,30.18", pick="P@30.19")
    assert report.result.moves[2].spending.spent == 9
    assert why_not(moved(text, "R,S", "30.19,30.18,30.17", pick="P@30.19")) == ["8.3"]
    assert moved(PICK, "R,S", "30.19,30.18,30.17", pick="P@30.19").verdict.kind == "figure"
    text = f"30.20: {russian('R')}\n30.18: {russian('P')}\n{ROAD}"
    report = moved(text, "R", "30.19,30.18,30.17", pick="P@30.18")
    assert points(report) == {"R": "11/2", "P": "2"}, "a half and a half and a friend in the way, then off the road"


@pytest.mark.rule("8.1b", "8.1c")
@pytest.mark.parametrize("begun", ["spent=march:2 passed='30.18 30.19'", "spent=recovery:1"])
def test_no_stack_picks_up_a_unit_whose_move_ends_as_the_stack_begins(begun: str) -> None:
    """P has begun before R and S do, and would go on after them."""
    text = PICK.replace("entry-cost=5", begun.replace("'", '"'))
    report = moved(text, "R,S", "30.19,30.18", pick="P@30.19")
    said = "P has begun to move separately; that move ends as R begins to move: leave it out, or undo its move"
    assert (report.verdict.kind, report.verdict.text) == ("no", said)
    assert why_not(report) == ["8.1"]
    assert moved(text, "R,S", "30.19,30.18").verdict.kind == "figure"


@pytest.mark.rule("8.1b", "8.1c")
def test_a_unit_that_has_begun_to_move_picks_up_one_that_has_not() -> None:
    text = PICK.replace("entry-cost=5", "")
    begun = text.replace("movement=7", 'movement=7 spent=march:2 passed="30.21 30.20"', 1)
    report = moved(begun, "R", "30.19,30.18", pick="P@30.19")
    assert report.verdict.kind == "figure"


@pytest.mark.rule("8.1c")
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"drop": "X@30.19"}, "unit"),
        ({"drop": "S@30.12"}, "'S@30.12' is not a unit with a hex of the way"),
        ({"drop": "S"}, "'S' is not a unit with a hex of the way"),
        ({"drop": "P@30.19"}, "P is not moving as 30.19 is entered"),
        ({"drop": "S@30.19,S@30.18"}, "S is not moving as 30.18 is entered"),
        ({"drop": "S@30.19,R@30.19"}, "no unit is left to go on"),
        ({"pick": "S@30.19"}, "S is moving already"),
        ({"pick": "P@30.18"}, "P is not in 30.18"),
        ({"pick": "P@30.17"}, "'P@30.17' is not a unit with a hex of the way"),
        ({"pick": "P@30.19", "drop": "P@30.19"}, "P is not moving as 30.19 is entered"),
    ],
)
def test_slips_in_whom_a_stack_drops_and_picks_up(more: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        moved(f"{PICK}\n33.20: {german('G')}", "R,S", "30.19,30.18,30.17", **more)


@pytest.mark.rule("4.2.1")
def test_a_hex_over_the_stacking_limit_is_named() -> None:
    three = ", ".join(russian(name) for name in "ABC")
    text = f"30.20: {russian('R')}\n30.19: {three}"
    report = moved(text, "R", "30.19")
    assert (report.verdict.kind, report.result.over) == ("figure", ("30.19",))
    assert told(report, "Afterwards")[0].startswith("30.19 over the stacking limits")
    assert moved(text, "R", "30.19,30.18").result.over == (), "units pass through friends freely"
    assert moved(text.replace(f", {russian('C')}", ""), "R", "30.19").result.over == ()
    two = f"{russian('A')}, {russian('B')}"
    back = moved(f"30.20: {russian('R')}, {two}", "R", "30.19,30.20")
    assert back.result.over == (), "it comes back to where it stood"
    parted = f"30.20: {russian('R')}, {russian('S')}\n30.19: {two}"
    assert moved(parted, "R,S", "30.19,30.18", drop="S@30.19").result.over == ()
    assert moved(parted, "R,S", "30.19").result.over == ("30.19",)


@pytest.mark.rule("8.1")
def test_the_zones_are_kept_apart_from_the_ground() -> None:
    text = f"30.20: {russian('R')}\n30.18: {german('G')}"
    report = moved(text, "R", "30.19")
    (move,) = report.result.moves
    assert (move.ground, move.zones, changes_of(report, "spent")) == (2, 1, {("spent", "R"): "march:2+zones:1"})
    assert told(report, "Way") == ["30.19: 2 for the ground (clear), +1 into an EZOC"]


@pytest.mark.parametrize(("ruling", "zones"), [("each", 1), ("once", 0)])
def test_a_zone_entered_earlier_in_the_phase_pays_for_leaving_it_by_one_reading(ruling: str, zones: int) -> None:
    passed = 'spent=march:2+zones:1 passed="30.20 30.19"'
    text = f"30.19: {russian('R', passed)}\n30.18: {german('G')}\nruling ezoc-leaving={ruling}"
    assert moved(text, "R", "30.20").result.moves[0].zones == zones


def test_figures_that_a_player_reads_off_his_chart_stand_in_its_place() -> None:
    report = moved(TWO, "R,S", "30.19,30.18", ground="1.5,1")
    assert points(report) == {"R": "5/2", "S": "5/2"}
    assert told(report, "Way") == ["30.19: 1 1/2 as given", "30.18: 1 as given"]
    for ground in ("1", "0,1", "1,100", "-1,1", "0.3,1", "1000000000,1"):
        with pytest.raises(InputError, match="ground: "):
            moved(TWO, "R,S", "30.19,30.18", ground=ground)


@pytest.mark.parametrize(
    ("units", "way", "said"),
    [
        ("R", "30.18", "30.18 is not adjacent to 30.20"),
        ("R", "30.19,30.17", "30.17 is not adjacent to 30.19"),
        ("R", "", "at least one hex"),
        ("", "30.19", "no unit is named"),
        ("R", ",".join(["30.19", "30.20"] * 5000), "10000 hexes are more than any march enters"),
        ("R,G", "30.19", "not all in one hex"),
        ("3 Train", "30.19", "3 Train is not on the map"),
        ("Q", "30.19", "unit"),
    ],
)
def test_ways_and_units_that_cannot_be(units: str, way: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        moved(f'30.20: {russian("R")}\n33.20: {german("G")}\n"3 Train" arrives=8', units, way)


def test_a_way_may_come_back_to_a_hex() -> None:
    assert points(moved(f"30.20: {russian('R')}", "R", "30.19,30.20,30.19")) == {"R": "6"}
    assert moved(f"30.20: {russian('R')}", "R", "30.19,30.20").result.moves[0].points == Fraction(4)


@pytest.mark.rule("4.2.1")
@pytest.mark.parametrize(
    ("fourth", "over"),
    [
        ("russian infantry XX D reduced", True),
        ("russian infantry X D", True),
        ("russian cavalry XX D", True),
        ("russian infantry III D", False),
        ("russian cavalry X D", False),
        ("russian artillery - D", False),
        ("russian infantry XX D entrained", False),
        ("russian corps-train - T", True),
        ("russian corps-train - T entrained", False),
        ("russian minor-depot - D", True),
        ("russian fort - F", False),
    ],
)
def test_no_steps_are_asked_for_to_count_a_stack(fourth: str, over: bool) -> None:
    three = "russian infantry XX A1, russian infantry XX A2, russian infantry XX A3 reduced, russian infantry III A4"
    text = f"30.20: russian artillery - R movement=6\n30.19: {three}, {fourth}"
    report = moved(text, "R", "30.19")
    assert (report.asks, report.verdict.kind, bool(report.result.over)) == ((), "figure", False)
    more = moved(f"{text}, russian infantry X A5", "R", "30.19")
    assert (more.asks, bool(more.result.over)) == ((), over)


@pytest.mark.rule("4.2.1")
def test_steps_are_asked_for_where_losses_may_have_turned_a_division() -> None:
    text = f"30.20: {russian('R')}\n30.19: russian infantry XX A1 -2, russian infantry XX A2, russian infantry X A3"
    assert [ask.key for ask in moved(text, "R", "30.19").asks] == [("steps", "A1")]
    few = f"30.20: {russian('R')}\n30.19: russian infantry XX A1 -2"
    assert moved(few, "R", "30.19").asks == (), "two units are never too many"


@pytest.mark.rule("22.4.1")
@pytest.mark.parametrize(
    ("mover", "landsturm", "way", "points"),
    [
        ("russian infantry XX", "Tilsit", "30.19,30.18,30.17", "7"),
        ("russian infantry XX", "Tilsit", "30.19,30.18,29.18", "7"),
        ("russian infantry XX", "Tilsit", "30.19,29.18", "4"),
        ("russian infantry XX", "Watch", "30.19,30.18,29.18", "8"),
        ("russian cavalry XX", "Tilsit", "30.19,30.18,29.18", "8"),
        ("russian cavalry XX", "Tilsit", "30.19,30.18,30.17", ""),
    ],
)
def test_landsturm_that_flees_is_out_of_the_way_from_then_on(mover: str, landsturm: str, way: str, points: str) -> None:
    text = f"30.20: {mover} R (9-9-0-9) movement=9\n30.17: german infantry II {landsturm}"
    report = moved(text, "R", way)
    assert why_not(report) == ([] if points else ["4.2"])
    assert not points or str(report.result.moves[0].points) == points
    if mover.startswith("russian infantry"):
        stack = text.replace(" movement=9", " movement=9, russian artillery - A movement=9")
        assert str(moved(stack, "R,A", way).result.moves[0].points) == points


@pytest.mark.rule("22.4.1")
@pytest.mark.parametrize(("reading", "points", "left"), [("charged", "5", 4), ("spared", "4", 5)])
def test_what_the_zone_of_landsturm_that_flees_costs_is_a_ruling(reading: str, points: str, left: int) -> None:
    text = f"ruling landsturm-zone={reading}\n30.20: russian infantry XX R (9-9-0-9) movement=9\n30.17: german infantry II {{}}"
    report = moved(text.format("Tilsit"), "R", "30.19,30.18")
    assert (str(report.result.moves[0].points), report.result.moves[0].spending.left) == (points, left)
    assert ruled(report, "landsturm-zone") == reading
    stays = moved(text.format("Watch"), "R", "30.19,30.18")
    assert (str(stays.result.moves[0].points), ruled(stays, "landsturm-zone")) == ("5", "")
    held = moved(f"{text.format('Tilsit')}\n29.18: {german('G')}", "R", "30.19,30.18")
    assert (str(held.result.moves[0].points), ruled(held, "landsturm-zone")) == ("11", ""), "another EZOC is there"


@pytest.mark.rule("6.4.1")
def test_an_asset_unit_checks_with_the_formation_with_which_it_goes() -> None:
    text = f"30.20: russian infantry III A (2-2-0-9) movement=7, {russian('S')}"
    way = "30.19,30.18,30.17,30.16"
    together = told(moved(text, "A,S", way), "Movement Points")
    assert "A marches and checks with S, the formation to which it is attached" in together
    assert [line for line in together if "checks once its move is over" in line] == [
        "S checks once its move is over, and loses levels or steps if it fails (ask forced-march unit=S)"
    ]
    both = moved(text, "A,S", way)
    assert both.verdict.text.endswith("by Forced March (83.3% chance to pass)"), "S alone checks"
    (place,) = [place for place in reached(text, "A,S").result.hexes if place.hex == "30.16"]
    assert (place.march, place.passes) == (1, Fraction(5, 6))
    two = text.replace("russian infantry III A (2-2-0-9) movement=7", russian("T"))
    assert moved(two, "T,S", way).verdict.text.endswith("(69.4% chance to pass)"), "both have to"
    (place,) = [place for place in reached(two, "T,S").result.hexes if place.hex == "30.16"]
    assert place.passes == Fraction(25, 36)
    dropped = told(
        moved(text.replace("(9-9-0-9) movement=7", "(9-9-0-9) movement=12"), "A,S", f"{way},30.15", drop="A@30.16")
    )
    alone = told(moved(text, "A", way))
    for lines in (dropped, alone):
        assert (
            "A checks once its move is over, and loses levels or steps if it fails (ask forced-march unit=A)" in lines
        )


@pytest.mark.rule("8.1", "8.3", "8.3b")
@pytest.mark.parametrize(
    ("status", "forced", "said"),
    [
        ("spent=march:10", None, "R has no Movement Points left: it has spent 10, and its limit is 10"),
        ("spent=march:10.5", None, "R has no Movement Points left: it has spent 10 1/2, and its limit is 10"),
        (
            "spent=march:9",
            False,
            "R has no Movement Points left: it has spent 9, and its limit is 7 without a Forced March",
        ),
        (
            "spent=march:7",
            False,
            "R has no Movement Points left: it has spent 7, and its limit is 7 without a Forced March",
        ),
        (
            "spent=recovery:7",
            None,
            "R has no Movement Points left: it has spent 7, and its limit is 7: it recovers levels in this phase and makes no Forced March",
        ),
    ],
)
def test_who_has_no_points_left_is_refused_before_any_hex_is_named(status: str, forced: bool | None, said: str) -> None:
    """Nothing of the ground is asked for."""
    text = f"{NOW}30.20: {russian('R', status)}"
    given = {} if forced is None else {"forced": forced}
    report = answered(typed(text), "move", units="R", way="30.19,30.18", **given)
    assert (report.verdict.kind, report.verdict.text, report.asks) == ("no", said, ())


@pytest.mark.rule("8.1", "8.3")
@pytest.mark.parametrize(("status", "forced"), [("spent=march:9.5", True), ("spent=march:6.5", False)])
def test_who_has_half_a_point_left_may_enter_a_hex_that_costs_no_more(status: str, forced: bool) -> None:
    text = f"30.20: {russian('R', status)}\n30.20|30.19 primary-road".replace("primary-road", "secondary-road")
    chart = "chart terrain-cost summer secondary-road = 0.5\n"
    report = answered(typed(text_of(text, f"{chart}{NOW}")), "move", units="R", way="30.19", forced=forced)
    assert report.verdict.kind == "figure"
