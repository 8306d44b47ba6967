"""Forced Marches: the examples of 8.3, who may and for what, the check, and what failing it costs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.installed.registry import load_game
from assistant.util.errors import InputError
from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.movement.march_check import MarchCheck, price_of_failure

from ...conftest import GAME, answered, carried_on, on_the_map, rulings, settings_of, told, typed

UNITS = """turn=1
41.19: german cavalry XX C (3-3-0-10) movement=10, german infantry XX A (7-7-0-10) movement=7
{}
"""


def asked(more: str = "", answers: str = "", **parameters: Any) -> Report[Any]:
    text = UNITS.format(more) + (f"answers {answers}" if answers else "")
    return answered(typed(text), "forced-march", **{"unit": "A", "points": 1, **parameters})


# --- the examples -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("8.3.2")
def test_the_example_of_8_3_2() -> None:
    """A cavalry unit that spends two points more checks with +1."""
    cavalry = asked(unit="C", points=2)
    assert [modifier.amount for modifier in cavalry.result.modifiers] == [1]
    assert [ask.modifiers for ask in cavalry.asks] == [{"C": cavalry.result.modifiers}]
    assert [modifier.amount for modifier in asked(unit="A", points=3).result.modifiers] == [4]
    assert asked(points=1).result.modifiers == ()


@pytest.mark.rule("8.3.2")
@pytest.mark.parametrize(("reading", "foot", "horse"), [("half-up", [2], [2]), ("down", [], [1]), ("exact", [1], [2])])
def test_how_half_a_point_counts_is_a_ruling(reading: str, foot: list[int], horse: list[int]) -> None:
    reports = [
        asked(f"ruling half-march={reading}", unit=unit, points=points) for unit, points in (("A", 1.5), ("C", 2.5))
    ]
    assert [[one.amount for one in report.result.modifiers] for report in reports] == [foot, horse]
    assert all("half-march" in rulings(report) for report in reports)


@pytest.mark.rule("8.3.2")
@pytest.mark.parametrize(("points", "amounts"), [(0.5, []), (1, []), (2, [2])])
def test_whole_points_and_half_a_point_alone_need_no_ruling(points: float, amounts: list[int]) -> None:
    report = asked(points=points, counter="yes")
    assert [one.amount for one in report.result.modifiers] == amounts
    assert "half-march" not in rulings(report)
    assert report.result.allowance == Fraction(7, 2) + Fraction(points)


@pytest.mark.rule("4.5a")
@pytest.mark.parametrize(
    ("spent", "counter", "points"),
    [
        (7.5, "no", 1),
        (8.5, "no", 2),
        (8.25, "no", 1),
        (10, "no", 3),
        (5, "yes", 2),
        (4.5, "yes", 1),
    ],
)
def test_of_all_that_is_spent_in_a_phase_only_the_sum_is_rounded(spent: float, counter: str, points: Fraction) -> None:
    """Hexes and other activities together, with the Forced March that pays for the last of them."""
    assert asked(points=None, spent=spent, counter=counter).result.points == points


@pytest.mark.rule("8.3", "4.5a")
def test_what_a_march_allows_is_the_most_that_a_unit_may_spend() -> None:
    """It has spent 6 of its 6-1/2 Movement Points, of which half a point is lost where the excess is rounded."""
    report = asked(points=None, spent=6, counter="yes")
    assert "at most 6 1/2 points in all in this phase" in told(report)
    assert [asked(points=points).result.points for points in (1.5, 13 / 12)] == [Fraction(3, 2), Fraction(13, 12)]


@pytest.mark.rule("4.5a")
def test_points_are_given_one_way_or_the_other() -> None:
    (ask,) = asked(points=None).asks
    assert (ask.kind, ask.name) == ("parameter", "points")
    assert ask.how == "points=N for Movement Points beyond the allowance, or spent=N for all that the unit spends"
    with pytest.raises(InputError, match="points or spent: give one of the two"):
        asked(points=1, spent=8)
    assert [ask.name for ask in asked("41.19: german infantry XX N", unit="N", points=None, spent=8).asks][:1] == [
        "N movement=N"
    ]
    with pytest.raises(InputError, match=r"a Forced March spends points beyond the allowance, not 0"):
        asked(points=None, spent=7)


# --- who may, and for what --------------------------------------------------------------------------------------------


@pytest.mark.rule("8.3", "8.3b")
@pytest.mark.parametrize(
    ("parameters", "allowed"),
    [
        ({"points": 4}, False),
        ({"points": 6, "unit": "C"}, True),
        ({"points": 7, "unit": "C"}, False),
    ],
)
def test_for_what_and_how_many(parameters: dict[str, Any], allowed: bool) -> None:
    assert (asked(**parameters).verdict.kind != "no") is allowed


@pytest.mark.rule("8.3b", "8.3")
@pytest.mark.parametrize("purpose", ["recovery", "disorder", "ersatz", "rail"])
def test_nothing_is_asked_of_a_march_for_what_no_march_serves(purpose: str) -> None:
    report = answered(typed("40.20: german infantry XX U"), "forced-march", unit="U", spent=8, purpose=purpose)
    assert (report.verdict.kind, report.asks) == ("no", ())


@pytest.mark.rule("8.3b", "8.3", "2.2f")
@pytest.mark.parametrize(
    ("more", "given", "kind"),
    [
        ("U entrained", {}, "no"),
        ("U halted", {}, "no"),
        ("U checked spent=march:8", {}, "no"),
        ("phase=movement phasing=russian", {}, "no"),
        ("phase=attack", {}, "no"),
        ("phase=attack", {"counter": "no"}, "undecided"),
        ("phase=counter-movement phasing=russian", {"purpose": "prepared"}, "no"),
        ("phase=movement phasing=central-powers", {"purpose": "prepared"}, "undecided"),
    ],
)
def test_nothing_is_asked_of_a_march_that_is_forbidden_in_any_case(more: str, given: dict[str, str], kind: str) -> None:
    position = typed(f"turn=1\n40.20: german infantry XX U\n{more}")
    report = answered(position, "forced-march", unit="U", spent=8, **given)
    assert (report.verdict.kind, [ask.name for ask in report.asks][:1]) == (
        kind,
        ["U movement=N"] if kind == "undecided" else [],
    )


# --- the check --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("8.3.2a", "20.1a")
@pytest.mark.parametrize(
    ("more", "amounts"),
    [
        ("", []),
        ("A supply=low", [1]),
        ("weather=summer-heat\ncampaign", [1]),
        ("weather=summer-heat", [1]),
        ("weather=normal", []),
        ("A supply=low\nweather=summer-heat", [1, 1]),
    ],
)
def test_heat_and_supply(more: str, amounts: list[int]) -> None:
    assert [modifier.amount for modifier in asked(more).result.modifiers] == amounts


@pytest.mark.rule("8.3.2a", "20.1a")
@pytest.mark.parametrize(
    ("turn", "more", "asks"), [(1, "campaign", ["weather"]), (1, "campaign=no", []), (47, "campaign", [])]
)
def test_the_weather_is_asked_for_in_a_campaign_that_may_have_summer_heat(
    turn: int, more: str, asks: list[str]
) -> None:
    text = UNITS.format(more).replace("turn=1", f"turn={turn}")
    report = answered(typed(text), "forced-march", unit="A", points=1)
    assert [ask.key[0] for ask in report.asks if ask.kind == "fact"] == asks


@pytest.mark.rule("24.4")
@pytest.mark.parametrize(("turn", "status", "amounts"), [(7, "", [1]), (8, "", []), (8, "supply=low", [1])])
def test_the_2nd_division_marches_in_low_supply_up_to_gt_7(turn: int, status: str, amounts: list[int]) -> None:
    text = f"turn={turn}\n41.19: russian infantry XX 2/23 {status} (7-7-0-10), russian infantry XX 3/23 (7-7-0-10)"
    reports = [answered(typed(text), "forced-march", unit=unit, points=1) for unit in ("2/23", "3/23")]
    assert [[one.amount for one in report.result.modifiers] for report in reports] == [amounts, []]


@pytest.mark.rule("8.3.2", "8.3.3")
def test_its_chances_are_those_of_all_rolls_of_two_dice() -> None:
    report = asked("trust charts", points=3)
    cells = load_game(GAME).chart("forced-march").cells
    levels: dict[int, int] = {}
    passes = 0
    for one, two in product(range(1, 7), repeat=2):
        margin = one + two + 4 - 10
        passes += margin <= 0
        lost = int(cells["infantry-large", margin].values["cel"]) if margin > 0 else 0
        levels[lost] = levels.get(lost, 0) + 1
    assert report.result.passes == Fraction(passes, 36)
    assert {one.value: one.chance for one in report.result.levels} == {
        n: Fraction(ways, 36) for n, ways in levels.items()
    }


@pytest.mark.rule("3.8.2", "8.3.2")
def test_a_march_checks_the_effectiveness_whatever_the_other_ratings_are() -> None:
    text = "turn=2 phase=movement\n41.19: german infantry XX A (7-?-?-10) movement=7"
    report = answered(typed(text), "forced-march", unit="A", points=1)
    assert ([ask.name for ask in report.asks], report.result.cel) == (["ec"], 10)


@pytest.mark.rule("8.3.3")
@pytest.mark.parametrize(
    ("more", "column"), [("", "infantry-large"), ("A -1", "infantry-large"), ("A -2", "infantry-small")]
)
def test_the_column_goes_by_the_steps_left(more: str, column: str) -> None:
    assert asked(more).result.column == column
    assert asked(more, unit="C").result.column == "cavalry"


def test_an_asset_unit_marches_with_its_formation() -> None:
    asset = "{}: german infantry X B asset (4-4-0-9)"
    kinds = [
        asked(asset.format("41.19"), unit="B", **more).verdict.kind for more in ({}, {"alone": "no"}, {"alone": "yes"})
    ]
    assert kinds == ["undecided", "no", "figure"]
    assert asked(asset.format("44.19"), unit="B").verdict.kind == "figure"


@pytest.mark.rule("8.3.2", "8.3.3")
def test_without_the_chart_a_failure_is_undecided_and_a_pass_is_not() -> None:
    failed, passed = asked(answers="ec=12"), asked(answers="ec=10")
    assert (failed.verdict.kind, [ask.kind for ask in failed.asks]) == ("undecided", ["cell"])
    assert failed.result.failed_by > 0, "by how much it fails is known without the chart"
    assert passed.verdict.text == "A passes its check"
    result = passed.result
    assert (result.failed_by, result.lost_levels, result.lost_steps, result.marker) == (0, 0, 0, False)


# --- what failing costs -----------------------------------------------------------------------------------------------


def checking(purpose: Any = "move", *, alone: bool = True, **unit: Any) -> MarchCheck:
    values = {"formation": True, "steps": 7, **unit}
    return MarchCheck(CombatUnit("A", "german", "infantry", "XX", place="41.19", **values), (), purpose, alone)


@pytest.mark.rule("8.3.3b")
@pytest.mark.parametrize(
    ("of", "lost"),
    [
        (checking(), (2, 1)),
        (checking(levels=3), (1, 2)),
        (checking(levels=4), (0, 3)),
        (checking(disorder=1), (0, 3)),
        (checking(formation=False), (0, 3)),
        (checking(formation=False, alone=False), (2, 1)),
        (checking(levels=4, steps=2), (0, 2)),
    ],
)
def test_levels_that_cannot_be_lost_are_steps(of: MarchCheck, lost: tuple[int, int]) -> None:
    assert price_of_failure(of, 2, 1) == lost


@pytest.mark.rule("8.3.3a")
def test_who_digs_in_loses_no_step_unless_it_is_an_asset_unit() -> None:
    assert price_of_failure(checking("position"), 2, 1) == (2, 0)
    assert price_of_failure(checking("position", levels=3), 2, 1) == (1, 0)
    assert price_of_failure(checking("position", formation=False), 2, 1) == (0, 3)


@pytest.mark.rule("8.3.3")
@pytest.mark.parametrize(
    ("bears", "marker", "off"),
    [("A prepared=40.20", "yes", True), ("A prepared=40.20", "no", False), ("", "yes", False)],
)
def test_a_prepared_attack_is_off_where_the_chart_says_so(bears: str, marker: str, off: bool) -> None:
    cell = f"{bears}\nchart forced-march infantry-large 4 = 2 / 0 / {marker}"
    report = asked(cell, "ec=12", points=2, purpose="prepared")
    assert (("prepared", None) in [(change.track, change.after) for change in report.changes]) is off
    assert (report.result.marker, report.verdict.text.endswith("Prepared Attack marker off")) == (off, off)


@pytest.mark.rule("13.4")
def test_who_is_lost_on_a_march_leaves_no_position_behind() -> None:
    text = """turn=1 phase=movement
trust charts
41.19 clear ip=2: german infantry XX A (2-5-0-2) -1 cel=-4 back-steps=0
answers ec=12"""
    report = answered(typed(text), "forced-march", unit="A", points=3)
    changes = [(change.track, change.subject, change.after) for change in settings_of(report)]
    assert ("place", "A", None) in changes
    assert ("ip", "41.19", None) in changes


# --- the phase, and what has begun ------------------------------------------------------------------------------------


@pytest.mark.rule("8.3.1", "5.4", "2.2f", "8.3", "8.3b")
@pytest.mark.parametrize(
    ("game", "counter", "rule"),
    [
        ("phase=movement phasing=central-powers", None, ""),
        ("phase=counter-movement phasing=russian", None, ""),
        ("phase=movement phasing=russian", None, "5.4"),
        ("phase=counter-movement phasing=central-powers", None, "5.4"),
        ("phase=attack phasing=central-powers", None, "2.2"),
        ("phase=attack phasing=central-powers", "no", ""),
        ("phase=attack phasing=central-powers", "yes", "5.4"),
        ("phasing=russian", None, ""),
    ],
)
def test_only_the_active_side_marches_and_only_in_its_movement_phase(game: str, counter: str | None, rule: str) -> None:
    report = asked(game, counter=counter)
    assert report.verdict.kind == ("no" if rule else "figure")
    assert [step.rule for step in report.parts[0].steps][:1] == ([rule] if rule else ["8.3"])


@pytest.mark.rule("8.9.2", "8.3.1", "8.3", "8.3b")
@pytest.mark.parametrize(
    ("task", "purpose", "allowed"),
    [
        ("position", "position", True),
        ("position", "move", False),
        ("recovery", "move", False),
        ("disorder", "position", False),
    ],
)
def test_who_has_begun_a_task_marches_for_nothing_else(task: str, purpose: str, allowed: bool) -> None:
    report = asked(f"A task={task} expended=3", purpose=purpose)
    assert (report.verdict.kind != "no") is allowed


def test_whether_it_is_the_counter_movement_phase_is_stated_or_noted() -> None:
    words = "it is not the Counter Movement Phase, which halves allowances (phase not stated)"
    assert words in told(asked(), "Assumed")
    assert words not in told(asked(counter="no"), "Assumed")
    assert words not in told(asked("phase=movement"), "Assumed")
    assert asked("phase=counter-movement", points=3).result.allowance == asked(points=3, counter="yes").result.allowance


@pytest.mark.rule("8.3", "4.5a")
@pytest.mark.parametrize(("reading", "points"), [("excess", 3), ("sum", None)])
def test_whether_the_sum_is_rounded_before_a_halved_allowance_is_a_ruling(reading: str, points: int | None) -> None:
    """6 1/2 points in the Counter Movement Phase are the most that the example of 8.3 allows."""
    report = asked(f"ruling march-rounding={reading}", points=None, spent=6.5, counter="yes")
    assert (report.result.points if report.result else None) == points
    assert asked(f"ruling march-rounding={reading}", points=None, spent=9, counter="no").result.points == 2


# --- by the account of the unit ---------------------------------------------------------------------------------------

MARCHED = "phase=movement phasing=central-powers weather=normal\nA {}\nchart forced-march infantry-large 2 = 1 / 0 / no"


def marched(status: str, answers: str = "", **parameters: Any) -> Report[Any]:
    return asked(MARCHED.format(status), answers, points=None, **parameters)


@pytest.mark.rule("8.3.2")
def test_a_march_is_checked_for_what_its_account_has_beyond_the_allowance() -> None:
    report = marched("spent=march:6+zones:3")
    assert (report.result.points, report.result.allowance) == (2, 9)
    with pytest.raises(InputError, match="a Forced March spends points beyond the allowance, not 0"):
        marched("spent=march:7")
    assert [ask.name for ask in marched("").asks] == ["points"]


@pytest.mark.rule("8.3.2")
@pytest.mark.parametrize("dice", [8, 10])
def test_the_check_concludes_the_march_and_is_made_once(dice: int) -> None:
    text = UNITS.format(MARCHED.format("spent=march:9"))
    report = answered(typed(text + f"answers ec={dice}"), "forced-march", unit="A")
    assert ("checked", True) in [(change.track, change.after) for change in report.changes]
    assert on_the_map(report) == ([] if dice == 8 else [("cel", -1)])
    after = carried_on(typed(text), report)
    for given in ({}, {"points": 1}, {"points": 2}, {"spent": 9}):
        again = answered(after, "forced-march", unit="A", **given)
        assert again.verdict.text == (
            "A cannot make this march: it has made the check of its Forced March in this phase and spends no more Movement Points in it"
        )
    for question in ("dig-in", "recover"):
        assert answered(after, question, unit="A", points=1).verdict.kind == "no"
    assert marched("spent=march:9").changes == (), "before the dice nothing is concluded"


@pytest.mark.rule("8.3.2")
def test_who_is_eliminated_has_concluded_nothing() -> None:
    cell = "turn=1\n43.19: german infantry X Z asset (1-1-0-6) movement=7 spent=march:8\nchart forced-march infantry-small 6 = 0 / 1 / no"
    report = answered(typed(f"{cell}\nanswers ec=12"), "forced-march", unit="Z", alone="yes")
    assert on_the_map(report)[0] == ("place", None)
    assert "checked" not in [getattr(change, "track", "") for change in report.changes]


@pytest.mark.rule("8.3.2", "8.5.4")
@pytest.mark.parametrize(
    ("status", "given", "allowed"),
    [
        ("spent=march:9 halted", {}, True),
        ("spent=march:9 ended", {}, True),
        ("spent=march:9 ended", {"points": 2}, True),
        ("spent=march:9 ended", {"spent": 9}, True),
        ("spent=march:9 ended", {"points": 3}, False),
        ("spent=march:9 ended", {"spent": 10}, False),
        ("spent=march:5 halted", {"points": 1}, False),
        ("spent=march:5 ended", {"spent": 8}, False),
        ("halted", {"points": 1, "purpose": "recovery"}, False),
        ("halted", {"points": 1, "purpose": "ersatz"}, False),
        ("halted", {"points": 1, "purpose": "rail"}, False),
    ],
)
def test_a_march_that_has_been_made_is_checked_even_if_its_unit_may_not_go_on(
    status: str, given: dict[str, Any], allowed: bool
) -> None:
    assert (asked(MARCHED.format(status), **{"points": None, **given}).verdict.kind == "figure") is allowed


@pytest.mark.rule("8.3.3a", "8.5.4")
@pytest.mark.parametrize(
    ("spent", "steps"),
    [
        ("march:7+position:2 halted", 0),
        ("march:3+position:6", 0),
        ("position:6+march:3", 1),
        ("march:8+position:1", 1),
        ("march:7+position:2", 0),
        ("march:6+prepared:3", 1),
    ],
)
def test_only_points_that_all_went_into_a_position_spare_the_steps(spent: str, steps: int) -> None:
    text = MARCHED.replace("1 / 0 / no", "1 / 1 / no").format(f"spent={spent}")
    assert asked(text, "ec=10", points=None).result.lost_steps == steps
    assert asked(text, "ec=10", points=None, purpose="move").result.lost_steps == 1


def owing(*units: str) -> Report[Any]:
    """A Forced March of a unit that is not named. units: each with what stands of it."""
    lines = "\n".join(f"41.19: german infantry XX {unit} movement=7" for unit in units)
    return answered(typed(f"turn=5 phase=movement phasing=central-powers\n{lines}\n"), "forced-march")


@pytest.mark.rule("8.5.4")
def test_the_one_unit_that_owes_a_check_needs_not_be_named() -> None:
    spent, checked = "(7-7-0-10) spent=march:9", "(7-7-0-10) spent=march:9 checked"
    report = owing(f"A {spent}", f"B {checked}", "C (7-7-0-10) spent=march:7")
    assert (report.result.unit, report.result.points, report.title) == ("A", 2, "Forced March of A")
    halted = owing(f"A {spent} halted", f"B {checked}")
    assert halted.result == report.result, "nor if it may not go on"
    several = owing(f"A {spent}", f"B {spent}")
    assert [(ask.name, ask.title) for ask in several.asks] == [("unit", "which unit marches: A, B owe a check")]
    assert [(ask.name, ask.title) for ask in owing("A (7-7-0-10)").asks] == [("unit", "which unit marches")]


@pytest.mark.rule("8.3.1")
def test_the_reminder_of_what_no_march_is_made_beside_is_only_for_an_empty_account() -> None:
    text = "not allowed in a phase in which it recovers levels, recovers from Disorder, entrains or detrains"
    assert text in told(asked())
    assert text not in told(marched("spent=march:8"))
    rested = marched("spent=recovery:2+march:6")
    assert rested.verdict.text == "A cannot make this march: it recovers levels in this phase and makes no Forced March"
