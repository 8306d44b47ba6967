"""Digging in: who may, when, and for how much (13.1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from assistant.asking.case import list_bars
from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.forces.account import Account
from twilight_in_the_east.forces.spending import Effort
from twilight_in_the_east.movement.dig_in import Digging

from ...conftest import answered, carried_on, on_the_map, ruled, rulings, told, typed, values, viewed

ABLE = {
    "is_infantry": True,
    "is_formation": True,
    "demoralized": False,
    "unsupplied": False,
    "is_rebuilt": False,
    "distance": 2,
}


def rules(
    level: int, rule: str = "", *, turn: int = 40, nation: str = "german", begun: bool = False, **values: Any
) -> list[str]:
    """The rules against work on a level by a unit that may do it, unless values say otherwise."""
    view = viewed(f"turn={turn}\n{rule}\n41.19: {nation} infantry XX A")
    effort = Effort("position", Fraction(0), int(begun), Fraction(0), Account("A"))
    about = {"unit": view.unit("A"), "place": "41.19", "counter": None, "bound": (), "home": None}
    current = 0 if values.get("is_rebuilt") else level - 1
    case = Digging(view=view, effort=effort, current=current, **about, **{**ABLE, **values})
    return [step.rule for step in list_bars(case.bars)]


@pytest.mark.rule("13.1", "13.1.2")
@pytest.mark.parametrize(
    ("level", "values", "against"),
    [
        (1, {}, []),
        (4, {}, []),
        (1, {"is_infantry": False}, ["13.1"]),
        (2, {"is_formation": False}, []),
        (3, {"is_formation": False}, ["13.1"]),
        (1, {"demoralized": True}, ["13.1.2"]),
        (2, {"unsupplied": True}, []),
        (3, {"unsupplied": True}, ["13.1.2"]),
        (5, {}, ["13.0"]),
        (0, {}, ["13.0"]),
        (3, {"is_infantry": False, "is_formation": False}, ["13.1"]),
        (3, {"is_rebuilt": True, "is_formation": False}, []),
        (3, {"is_rebuilt": True, "is_formation": False, "rule": "ruling rebuilding=formation"}, ["13.1"]),
        (3, {"is_rebuilt": False, "is_formation": False}, ["13.1"]),
    ],
)
def test_who_may_build_what(level: int, values: dict[str, Any], against: list[str]) -> None:
    assert rules(level, **values) == against


@pytest.mark.rule("13.1.3")
@pytest.mark.parametrize(
    ("nation", "level", "first"),
    [
        ("german", 3, 22),
        ("russian", 3, 25),
        ("austro-hungarian", 3, 25),
        ("german", 4, 35),
        ("russian", 4, 35),
        ("austro-hungarian", 4, 35),
    ],
)
def test_from_which_turn_on(nation: str, level: int, first: int) -> None:
    assert rules(level, nation=nation, turn=first) == []
    assert rules(level, nation=nation, turn=first - 1) == ["13.1.3"]
    assert rules(level, nation=nation, turn=first - 1, begun=True) == []


def dig(ground: str = "", more: str = "", **parameters: Any) -> Report[Any]:
    text = f"turn=40\n41.19 {ground}: german infantry XX A {more}\n40.20: 25/3"
    return answered(typed(text), "dig-in", unit="A", **parameters)


def test_without_points_the_command_that_spends_them_is_named() -> None:
    assert dig().verdict.text == "A needs 7 more Movement Points for Level 1 (dig-in A points=7 spends them)"
    assert dig(points=3).verdict.text == "A needs 4 more Movement Points for Level 1"


@pytest.mark.rule("13.1.1")
@pytest.mark.parametrize(("ground", "spent", "level", "missing"), [("", 0, 1, 7), ("ip=1", 3, 2, 4), ("ip=3", 6, 4, 1)])
def test_each_level_takes_seven_points(ground: str, spent: int, level: int, missing: int) -> None:
    report = dig(ground, carried=spent)
    assert (report.verdict.kind, report.result.level, report.result.missing) == ("yes", level, missing)


@pytest.mark.rule("13.1")
@pytest.mark.parametrize(
    ("ground", "gives"),
    [("", (-1, 0, 0, False)), ("ip=1", (-2, -1, 0, False)), ("ip=2", (-3, -1, 0, True)), ("ip=3", (-4, -1, 1, True))],
)
def test_what_a_level_gives(ground: str, gives: tuple[int, int, int, bool]) -> None:
    found = dig(ground).result
    assert (found.shift, found.check, found.hardship, found.bars) == gives


@pytest.mark.rule("13.1")
@pytest.mark.parametrize(("points", "credited", "missing"), [(0, 6, 1), (1, 7, 0), (2, 7, 0)])
def test_how_many_points_a_level_takes_and_lacks(points: int, credited: int, missing: int) -> None:
    found = dig("", "(9-9-0-9) movement=9", carried=6, points=points).result
    assert (found.credited, found.missing) == (credited, missing)


def test_there_is_no_fifth_level() -> None:
    report = dig("ip=4")
    assert (report.verdict.kind, report.verdict.text, report.result) == ("no", "the position is at Level 4", None)


@pytest.mark.parametrize("spent", [-1, 7])
def test_points_that_cannot_have_been_spent(spent: int) -> None:
    with pytest.raises(InputError, match=f"carried: {spent} is not possible"):
        dig(carried=spent)


# --- points spent now, and ruins --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ground", "given", "level"),
    [("", {"points": 7}, 1), ("ip=1", {"carried": 4, "points": 3.5}, 2), ("ip=1", {"carried": 4, "points": 2}, None)],
)
def test_a_level_that_is_reached_lies_on_the_map(ground: str, given: dict[str, Any], level: int | None) -> None:
    report = dig(ground, **given)
    left = [("task", "position"), ("expended", 6)]
    assert on_the_map(report) == ([("ip", level)] if level else left)


RUINS = "printed-ip=central-powers ruined"


def rebuild(turn: int = 12, status: str = "", rule: str = "", **given: Any) -> Report[Any]:
    text = f"turn={turn}\n{rule}\n41.19 {RUINS}: german infantry XX A {status}\n40.20: 25/3"
    return answered(typed(text), "dig-in", unit="A", **{"home": "yes", "points": 7, **given})


@pytest.mark.rule("8.3", "13.5.1")
def test_what_a_march_and_a_ruin_turn_on_is_asked_at_once() -> None:
    text = f"campaign\n41.19 {RUINS}: german infantry XX A (12-16-7-11) movement=5\n40.20: 25/3"
    report = answered(typed(text), "dig-in", unit="A", points=7)
    assert sorted(ask.key[0] if ask.key else ask.name for ask in report.asks) == ["home", "turn", "weather"]


@pytest.mark.rule("13.5.1")
@pytest.mark.parametrize(
    ("turn", "changes"), [(12, [("ruined", None)]), (19, [("ruined", None)]), (20, [("ip", 3)]), (30, [("ip", 3)])]
)
def test_ruins_are_rebuilt_at_level_3_and_before_gt_20_stand_like_the_others(turn: int, changes: list[Any]) -> None:
    report = rebuild(turn)
    assert (report.result.level, report.result.rebuilds, report.verdict.text) == (3, True, "A reaches Level 3")
    assert on_the_map(report) == changes


@pytest.mark.rule("13.5.1")
def test_abroad_a_position_in_ruins_begins_at_level_1() -> None:
    report = rebuild(home="no")
    assert (report.result.level, report.result.rebuilds) == (1, False)
    assert on_the_map(report) == [("ip", 1)]
    assert [ask.name for ask in rebuild(home=None).asks] == ["home"]


@pytest.mark.rule("13.5.1", "13.1.3")
@pytest.mark.parametrize(
    ("turn", "ground", "rule", "allowed"),
    [
        (21, f"{RUINS} ip=3", "", True),
        (20, f"{RUINS} ip=3", "", False),
        (34, f"{RUINS} ip=3", "ruling rebuilt-level-4=general", False),
        (35, f"{RUINS} ip=3", "ruling rebuilt-level-4=general", True),
        (21, "printed-ip=russian ruined ip=3", "", False),  # their own work on an enemy's ruins
        (34, "ip=3", "", False),
    ],
)
def test_what_was_rebuilt_is_raised_to_level_4_after_gt_20_by_a_ruling(
    turn: int, ground: str, rule: str, allowed: bool
) -> None:
    text = f"turn={turn}\n{rule}\n41.19 {ground}: german infantry XX A\n40.20: 25/3"
    report = answered(typed(text), "dig-in", unit="A", points=7)
    assert (report.result.level, report.result.allowed) == (4, allowed)


@pytest.mark.rule("13.1", "13.1.2")
def test_who_may_rebuild_is_a_ruling() -> None:
    assert rebuild(status="supply=low").verdict.kind == "yes"
    assert rebuild(status="supply=low", rule="ruling rebuilding=formation").verdict.kind == "no"


@pytest.mark.rule("8.4", "5.4")
@pytest.mark.parametrize(
    ("status", "phase", "rule"),
    [
        ("", "", ""),
        ("prepared=40.20", "", "8.4"),
        ("half", "", "8.2.5"),
        ("entrained", "", "8.2.4"),
        ("", "phase=counter-movement phasing=russian", ""),
        ("", "phase=attack", "2.2"),
        ("", "phase=movement phasing=russian", "5.4"),
    ],
)
def test_who_spends_no_points_does_not_dig(status: str, phase: str, rule: str) -> None:
    report = dig(more=status + f"\n{phase}", points=7)
    assert (report.verdict.kind, bool(report.changes)) == (("no", False) if rule else ("yes", True))
    assert [step.rule for part in report.parts if part.title == "Not allowed" for step in part.steps] == [rule] * bool(
        rule
    )


# --- rulings ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("13.1b")
@pytest.mark.parametrize(("reading", "furthest"), [("within", 3), ("nearer", 2), ("between", 4)])
def test_from_how_far_an_enemy_lets_a_unit_begin_is_a_ruling(reading: str, furthest: int) -> None:
    position = f"ruling dig-in-distance={reading}\nturn=40\n41.19: german infantry XX A\n"
    hexes = {2: "43.19", 3: "44.19", 4: "45.19", 5: "46.19"}
    for distance, hex in hexes.items():
        new, begun = (
            answered(typed(f"{position}{hex}: 25/3"), "dig-in", unit="A", carried=points) for points in (0, 1)
        )
        assert (new.verdict.kind, begun.verdict.kind) == ("yes" if distance <= furthest else "no", "yes")
        assert (rulings(new), rulings(begun)) == (["dig-in-distance"] if distance in (3, 4) else [], [])
    assert answered(typed(position), "dig-in", unit="A").verdict.kind == "no"


@pytest.mark.rule("13.1", "13.1.1", "13.5.1")
def test_what_rebuilding_costs_is_a_ruling() -> None:
    assert (rebuild(points=6).result.missing, [track for track, _ in on_the_map(rebuild(points=6))]) == (
        1,
        ["task", "expended"],
    )
    free = rebuild(points=0, rule="ruling rebuilding-cost=none")
    assert (free.result.credited, free.result.missing, [track for track, _ in on_the_map(free)]) == (0, 0, ["ruined"])
    assert rebuild(points=0, rule="ruling rebuilding-cost=none", home="no").result.missing == 7, (
        "what is new is not rebuilt"
    )


@pytest.mark.rule("13.1.3")
@pytest.mark.parametrize(("turn", "spent", "usual"), [(21, 0, "no"), (22, 0, "yes"), (21, 1, "yes")])
def test_whether_the_dates_hold_for_rebuilding_is_a_ruling(turn: int, spent: int, usual: str) -> None:
    assert rebuild(turn, carried=spent).verdict.kind == "yes"
    assert rebuild(turn, carried=spent, rule="ruling rebuilding-dates=usual").verdict.kind == usual


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"turn": 22}, ["rebuilding-cost"]),
        ({"turn": 22, "status": "supply=low"}, ["rebuilding", "rebuilding-cost"]),
        ({"turn": 12}, ["rebuilding-cost", "rebuilding-dates"]),
        ({"turn": 12, "home": "no"}, []),
    ],
)
def test_digging_in_names_the_rulings_that_it_rests_on(given: dict[str, Any], named: list[str]) -> None:
    assert rulings(rebuild(**given)) == named
    assert rulings(dig()) == []


# --- what it spends in the phase --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "points", "spent", "march", "left"),
    [
        ("movement", 4, 0, 0, 3),
        ("movement", 4, 3, 0, 0),
        ("movement", 5, 3, 1, 0),
        ("counter-movement", 3, 0, 0, Fraction(1, 2)),
        ("counter-movement", 6.5, 0, 3, 0),
    ],
)
def test_a_forced_march_helps_to_dig(phase: str, points: float, spent: float, march: int, left: Fraction) -> None:
    spending = dig(more=f"movement=7\nphase={phase}", points=points, spent=spent).result.spending
    assert (spending.march, spending.left) == (march, left)


@pytest.mark.parametrize(
    ("phase", "points", "spent", "left"), [("movement", 6, 5, "2"), ("counter-movement", 6, 1, "2 1/2")]
)
def test_more_points_than_can_be_had(phase: str, points: float, spent: float, left: str) -> None:
    what = f"points: A has {left} Movement Points left in this phase: 4 points beyond the allowance exceed the limit of 3 for infantry"
    with pytest.raises(InputError, match=what):
        dig(more=f"movement=7\nphase={phase}", points=points, spent=spent)


@pytest.mark.rule("13.1b")
def test_what_is_marked_has_begun() -> None:
    text = "turn=40\n41.19: german infantry XX A {}\n46.19: 25/3"
    assert answered(typed(text.format("")), "dig-in", unit="A").verdict.kind == "no"
    assert answered(typed(text.format("task=position expended=2")), "dig-in", unit="A").verdict.kind == "yes"


# --- by the account of the unit ---------------------------------------------------------------------------------------

TWO = """turn=40 phase=movement phasing=central-powers
41.19 {ground}: german infantry XX A movement=7 {first}, german infantry XX B movement=7 {second}
43.19: 25/3"""


def work(unit: str = "A", ground: str = "", first: str = "", second: str = "", **given: Any) -> Report[Any]:
    return answered(typed(TWO.format(ground=ground, first=first, second=second)), "dig-in", unit=unit, **given)


@pytest.mark.rule("13.1", "8.1b")
def test_work_is_noted_in_the_hex_and_in_the_account_and_ends_other_moves() -> None:
    report = work(points=3, second="spent=march:1")
    assert values(report) == {
        ("task", "A"): "position",
        ("expended", "A"): 3,
        ("worked-on", "41.19"): True,
        ("spent", "A"): "position:3",
        ("ended", "B"): True,
    }
    assert {change.rule for change in report.changes if change.track == "spent"} == {"13.1.1"}
    assert values(work()) == {}, "no points, no work"
    assert ("worked-on", "41.19") not in values(work(points=3, ground="worked-on", first="spent=position:1"))


@pytest.mark.rule("13.1")
@pytest.mark.parametrize(
    ("ground", "first", "second", "why"),
    [
        ("", "", "", []),
        ("worked-on", "", "", ["another unit has worked on it in this phase"]),
        ("worked-on", "", "spent=position:7", ["another unit has worked on it in this phase"]),
        ("worked-on", "spent=position:7", "", []),
        ("worked-on", "spent=march:2", "", ["another unit has worked on it in this phase"]),
        ("", "", "task=position expended=2", ["B works on it already"]),
        ("worked-on", "", "task=position expended=2", ["B works on it already"]),
        ("", "task=position expended=2", "", []),
        ("", "", "task=recovery expended=2", []),
        ("", "", "task=position", []),
    ],
)
def test_one_unit_a_phase_even_if_it_has_finished_a_level_or_left(
    ground: str, first: str, second: str, why: list[str]
) -> None:
    assert told(work(ground=ground, first=first, second=second), "Not allowed") == why


@pytest.mark.rule("13.1")
def test_who_has_finished_a_level_bars_others_in_the_same_phase_only() -> None:
    position = typed(TWO.format(ground="", first="task=position expended=4", second=""))
    after = carried_on(position, answered(position, "dig-in", unit="A", points=3))
    assert told(answered(after, "dig-in", unit="B"), "Not allowed") == ["another unit has worked on it in this phase"]
    assert answered(after, "dig-in", unit="A").result.level == 2
    later = carried_on(position, answered(position, "dig-in", unit="A", points=3))
    facts = {key: fact for key, fact in later.state.facts.items() if key[0] not in ("worked-on", "spent", "ended")}
    quiet = msgspec.structs.replace(later, state=msgspec.structs.replace(later.state, facts=facts))
    assert answered(quiet, "dig-in", unit="B").verdict.kind == "yes"


@pytest.mark.rule("8.9.2")
def test_the_example_of_8_9_2() -> None:
    """The last point of the Counter Movement Phase goes on a position; in the next phase the first 6 follow, whatever
    its owner wants.
    """
    counter = TWO.replace("phase=movement phasing=central-powers", "phase=counter-movement phasing=russian")
    position = typed(counter.format(ground="", first="spent=march:2", second=""))
    begun = answered(position, "dig-in", unit="A")
    assert begun.result.missing == 7
    begun = answered(position, "dig-in", unit="A", points=1.5)
    assert (values(begun)["expended", "A"], values(begun)["spent", "A"]) == (1, "march:2+position:1.5")
    marked = "task=position expended=1"
    for question, given in (
        ("move", {"units": "A", "way": "41.18"}),
        ("prepared", {"unit": "A", "at": "42.19"}),
        ("recover", {"unit": "A", "points": 6}),
        ("forced-march", {"unit": "A", "points": 1}),
    ):
        report = answered(typed(TWO.format(ground="", first=f"{marked} cel=-1", second="")), question, **given)
        assert report.verdict.kind == "no"
        said = (report.verdict.text, *told(report))
        assert any(
            "it has begun an Improved Position and needs 6 more Movement Points" in text.replace("A has", "it has")
            for text in said
        )
    five, six = (work(first=marked, points=points) for points in (5, 6))
    assert (values(five)["expended", "A"], five.result.missing) == (6, 1)
    assert (values(six)["ip", "41.19"], six.result.spending.left) == (1, 1)
    marked = "movement=7 task=position expended=1\nphase=movement"
    assert told(dig(more=marked, points=6, spent=1), "Not allowed") == [
        "it has 1 Movement Point on its task and must spend its first ones of the phase on that"
    ]


@pytest.mark.rule("8.9.2", "4.5b")
@pytest.mark.parametrize(
    ("account", "points", "credited"),
    [
        ("spent=position:2", 4, 6),
        ("spent=position:1.5", 0.5, 3),
        ("spent=march:2+position:1", 3, 5),
        ("spent=march:2", 3, None),
        ("", 3, 5),
    ],
)
def test_a_task_begun_in_this_phase_goes_on_after_other_points(
    account: str, points: float, credited: int | None
) -> None:
    report = work(first=f"task=position expended=2 {account}", points=points)
    assert (report.result.credited if report.verdict.kind == "yes" else None) == credited


@pytest.mark.rule("13.1.1")
def test_no_more_points_are_spent_than_the_level_takes() -> None:
    report = work(first="task=position expended=5", points=4)
    assert (values(report)["spent", "A"], report.result.spending.spent) == ("position:2", 2)
    half = work(first="task=position expended=6 spent=position:0.5", points=4)
    assert values(half)["spent", "A"] == "position:1"
    text = "41.19: german infantry XX A task=position expended=5\n43.19: 25/3"
    over, exact = (told(answered(typed(text), "dig-in", unit="A", points=points), "The work") for points in (4, 2))
    said = "2 Movement Points beyond the cost of the level, not used here: ask again for the next level"
    assert (said in over, len(over) - len(exact)) == (True, 1)


@pytest.mark.rule("13.1.1")
@pytest.mark.parametrize(
    ("ground", "first", "reading", "credited"),
    [
        ("ip=1 marker-points=4", "", "position", 5),
        ("ip=1 marker-points=4", "", "unit", 1),
        ("ip=1 marker-points=4", "task=position expended=2", "position", 3),
        ("marker-points=4", "", "position", 1),
    ],
)
def test_a_marker_may_lie_on_the_position_a_ruling(ground: str, first: str, reading: str, credited: int) -> None:
    report = work(
        ground=f"{ground}", first=first + f"\nruling position-marker={reading}\n42.25: german infantry XX C", points=1
    )
    assert report.result.credited == credited


@pytest.mark.rule("13.1.1")
def test_who_goes_on_with_the_points_of_a_position_takes_its_marker() -> None:
    report = work(ground="ip=1 marker-points=4", points=1)
    assert (values(report)["marker-points", "41.19"], values(report)["expended", "A"]) == (None, 5)
    assert rulings(report) == ["position-marker"] and rulings(work(ground="ip=1", points=1)) == []
    assert values(work(ground="ip=1 marker-points=4", points=3))["ip", "41.19"] == 2
    assert work(ground="ip=1 marker-points=4", carried=2, points=1).result.credited == 3
    done = work(ground="ip=1 marker-points=4", first="task=position expended=6", points=1)
    assert values(done)["marker-points", "41.19"] is None
    own = work(ground="ip=1 marker-points=4", first="task=position expended=2", points=1)
    assert ("marker-points", "41.19") not in values(own)


@pytest.mark.rule("13.5.1")
@pytest.mark.parametrize(
    ("country", "level"), [("german", 3), ("russian", 1), ("none", 1), ("romanian", 1), ("austro-hungarian", 3)]
)
def test_the_country_of_a_hex_says_whether_a_ruin_lies_at_home(country: str, level: int) -> None:
    text = f"turn=12\n41.19 {RUINS} country={country}: german infantry XX A (12-16-7-11) movement=9\n40.20: 25/3"
    report = answered(typed(text), "dig-in", unit="A", points=7)
    assert report.result.level == level
    assert ruled(report, "rebuilding-home") == ("side" if country == "austro-hungarian" else "")
    nation = answered(typed(f"ruling rebuilding-home=nation\n{text}"), "dig-in", unit="A", points=7)
    assert nation.result.level == (1 if country == "austro-hungarian" else level)
    assert answered(typed(text), "dig-in", unit="A", points=7, home=True).result.level == 3


@pytest.mark.rule("13.1b")
@pytest.mark.parametrize(
    ("distance", "begun", "allowed"), [(3, False, True), (4, False, False), (4, True, True), (None, False, False)]
)
def test_an_enemy_has_to_be_near_to_begin(distance: int | None, begun: bool, allowed: bool) -> None:
    assert (rules(1, begun=begun, distance=distance) == []) is allowed


@pytest.mark.rule("13.1b")
@pytest.mark.parametrize(("reading", "furthest"), [("within", 3), ("nearer", 2), ("between", 4)])
def test_how_near_by_each_reading(reading: str, furthest: int) -> None:
    ruling = f"ruling dig-in-distance={reading}"
    assert [rules(1, ruling, distance=furthest + more) for more in (0, 1)] == [[], ["13.1"]]
