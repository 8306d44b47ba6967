"""What a combat changes, and the Victory Points that it earns at once (10.2.1, 11.1, 27.2)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.state.changes import Gain
from twilight_in_the_east.battle.record import CombatOver, list_marches
from twilight_in_the_east.results.outcome import BattleOutcome, Withdrawal
from twilight_in_the_east.retreat.ways import ForceRetreat

from ...conftest import carried_out, told, typed
from ..combat.test_strength import division
from ..results.test_resolution import combat as fight
from ..results.test_resolution import outcome_of, russian

COMBAT = """turn=3
trust charts
40.20: russian infantry XX R1 (30-?-0-10) {r1}
40.19: russian infantry XX R2 (30-?-0-10) prepared=41.19
41.19 clear: german infantry XX A ({steps}-5-0-10)
41.19|40.20,40.19 open
ask battle at=41.19 flanked=no
chart crt summer 6:1 7 = - / -
{slrt}
answers crt=7 slrt=1/1 ec.40.20=2 ec.40.19=2 {check}
"""


def combat(r1: str = "prepared=41.19", steps: int = 9, lost: int = 0) -> Report[Any]:
    slrt = "\n".join(f"chart slrt summer Medium {n} = {lost} / 0" for n in range(-2, 9))
    check = "ec.41.19=2" if steps > lost else "losses.attacker=R1"
    return carried_out(COMBAT.format(r1=r1, steps=steps, slrt=slrt, check=check), advance="none")


@pytest.mark.rule("10.2.1b")
@pytest.mark.parametrize(
    ("given", "points"),
    [
        ({}, (1, 0)),
        ({"r1": ""}, (0, 0)),
        ({"steps": 1, "lost": 1}, (5, 0)),
        ({"r1": "", "steps": 1, "lost": 1}, (4, 0)),
    ],
)
def test_a_combat_goes_on_to_its_victory_points(given: dict[str, Any], points: tuple[int, int]) -> None:
    report = combat(**given)
    after = report.result.outcome
    assert (report.asks, after.crt, [check.passed for check in after.checks][:2]) == ((), "- / -", [True, True])
    assert (after.attacker_points, after.defender_points) == points
    said = [step.text for part in report.parts for step in part.steps if step.rule in ("27.2.1", "27.2.5")]
    supposed = [text for text in said if text.startswith("the Attack Phase, ")]
    assert (len(supposed), after.supposed_phase) == ((1, "attack") if points[0] in (1, 5) else (0, ""))
    prepared = "Russian: 1 Victory Point for the Prepared Attack on 41.19"
    words = [prepared] * (points[0] in (1, 5)) + ["Russian: 4 Victory Points for A eliminated"] * (points[0] >= 4)
    assert [text for text in said if text not in supposed] == words
    assert ("eliminated: A" in told(report, "Afterwards")) == (points[0] >= 4)
    gained = [change.amount for change in report.changes if isinstance(change, Gain)]
    assert gained == [1] * (points[0] in (1, 5)) + [4] * (points[0] >= 4)


@pytest.mark.rule("27.2.1")
@pytest.mark.parametrize(
    ("stated", "points"),
    [
        ("prepared-points-end-medium=3", 1),
        ("prepared-points-end-medium=2", 0),
        ("prepared-points-end=2", 0),
        ("prepared-points-end-large=2 prepared-points-end-massive=2", 1),
    ],
)
def test_an_exception_of_the_scenario_denies_the_point_by_magnitude_and_turn(stated: str, points: int) -> None:
    slrt = "chart slrt summer Medium 1 = 0 / 0"
    text = COMBAT.format(r1="prepared=41.19", steps=9, slrt=slrt, check="ec.41.19=2")
    report = carried_out(f"{stated}\n{text}", advance="none")
    assert report.result.outcome.attacker_points == points
    assert [change.amount for change in report.changes if isinstance(change, Gain)] == [1] * points
    said = [step.text for part in report.parts for step in part.steps if "for the Prepared Attack on" in step.text]
    denied = "Russian: no Victory Point for the Prepared Attack on 41.19, by an exception of the scenario"
    assert said == (["Russian: 1 Victory Point for the Prepared Attack on 41.19"] if points else [denied])


@pytest.mark.rule("27.2.1")
@pytest.mark.parametrize(
    ("stated", "prepared", "size"),
    [
        ("", "", "XX"),
        ("prepared-points-end=2", "", "XX"),
        ("phase=counter-attack phasing=central-powers", "prepared=41.19", "XX"),
        ("", "prepared=41.19", "X"),
    ],
)
def test_nothing_is_said_of_an_attack_that_earns_no_point_anyway(stated: str, prepared: str, size: str) -> None:
    slrt = "\n".join(f"chart slrt summer {magnitude} 1 = 0 / 0" for magnitude in ("Small", "Medium"))
    text = COMBAT.format(r1=prepared, steps=9, slrt=slrt, check="ec.41.19=2").replace(" XX ", f" {size} ")
    report = carried_out(f"{stated}\n{text}", advance="none")
    assert report.result.outcome.attacker_points == 0 and not report.asks
    assert not [step.text for part in report.parts for step in part.steps if "for the Prepared Attack on" in step.text]


@pytest.mark.rule("8.9.3b")
@pytest.mark.parametrize(("task", "removed"), [("position", True), ("ersatz", True), ("recovery", False)])
def test_an_attack_removes_the_marker_of_some_tasks(task: str, removed: bool) -> None:
    text = COMBAT.format(r1=f"task={task}", steps=9, slrt="chart slrt summer Medium 1 = 0 / 0", check="ec.41.19=2")
    marked = f"A task={task} expended=3\n41.19 marker-points=2\nanswers"
    report = carried_out(text.replace("answers", marked, 1), advance="none")
    off = [
        (change.track, change.after) for change in report.changes if change.subject == "A" and change.rule == "8.9.3"
    ]
    assert off == ([("task", None), ("expended", None)] if removed else [])
    assert [change for change in report.changes if (change.subject, change.track) == ("R1", "task")] == []
    assert ("41.19", "marker-points", None) in [(each.subject, each.track, each.after) for each in report.changes]


def levels_and_order(
    way: int = 0, check: dict[str, int] | None = None, disorder: int = 0
) -> list[tuple[str, Any, str]]:
    """What changes of a division at level -1: levels lost to the retreat, and its check, None if it makes none."""
    position = typed(f"41.19: german infantry XX A (9-9-0-9) cel=-1 disorder={disorder}")
    made = () if check is None else (msgspec.structs.replace(outcome_of("defender", "A"), **check),)
    after = BattleOutcome(checks=made, way_levels={"A": way} if way else {})
    found = fight([russian()], [msgspec.structs.replace(division("A"), levels=1, disorder=disorder)])
    changes = CombatOver(View(position.game, position.state), found, after).losses_and_levels()
    return [(change.track, change.after, change.rule) for change in changes]


@pytest.mark.rule("7.1", "11.1")
@pytest.mark.parametrize(
    ("way", "check", "level"),
    [
        pytest.param(2, None, [(-3, "11.2")], id="on the way, no check"),
        pytest.param(2, {"cel_loss": 0}, [(-3, "11.2")], id="on the way, the check is passed"),
        pytest.param(0, {"cel_loss": 1}, [(-2, "11.3.2")], id="by the check"),
        pytest.param(2, {"cel_loss": 1}, [(-4, "11.3.2")], id="by both"),
        pytest.param(0, {"cel_loss": 0}, [], id="by neither"),
        pytest.param(0, None, [], id="neither happens"),
    ],
)
def test_levels_are_lost_on_the_way_and_by_a_failed_check(
    way: int, check: dict[str, int] | None, level: list[tuple[int, str]]
) -> None:
    assert levels_and_order(way, check) == [("cel", *one) for one in level]


@pytest.mark.rule("7.4", "11.1")
@pytest.mark.parametrize(("before", "degree", "changes"), [(0, 1, [1]), (1, 2, [2]), (1, 1, []), (0, 0, [])])
def test_a_failed_check_disorders_who_is_not_as_disordered_yet(before: int, degree: int, changes: list[int]) -> None:
    assert levels_and_order(0, {"disorder": degree}, before) == [("disorder", one, "11.3.2") for one in changes]


@pytest.mark.rule("11.2.1")
@pytest.mark.parametrize("ends", [{"A": "42.18", "B": "42.19"}, {"A": "42.19", "B": "42.18"}])
def test_a_train_marches_with_those_that_retreat_the_fewest_hexes(ends: dict[str, str]) -> None:
    position = typed("41.19: german infantry XX A, german infantry XX B, german corps-train - T corps=1 range=4")
    forces = tuple(ForceRetreat(name) for name in ends)
    terms = {"owed": 1, "way": ("42.19", "42.18"), "charges": (), "forces": forces, "ends": ends, "trains": ("T",)}
    after = BattleOutcome(retreats=(Withdrawal("defender", "41.19", "41.19", "crt", **terms),))
    found = fight([russian()], [division("A", "41.19"), division("B", "41.19")])
    marches = list_marches(CombatOver(View(position.game, position.state), found, after))
    assert {march.units: march.end for march in marches} == {
        (name, "T") if end == "42.19" else (name,): end for name, end in ends.items()
    }


def ammunition_told(
    ap: str, supply: str = "44.19: german major-depot - D army=Eighth", *, steps: int = 9, lost: int = 0
) -> list[str]:
    """What a combat says of the APs that it has used. ap: of the defender; supply: what may give it one."""
    slrt = "\n".join(f"chart slrt summer Medium {n} = {lost} / 0" for n in range(-2, 9))
    check = "ec.41.19=2" if steps > lost else "losses.attacker=R1"
    typed_text = COMBAT.format(r1="", steps=steps, slrt=slrt, check=check).replace(
        f"({steps}-5-0-10)", f"({steps}-5-4-10)"
    )
    typed_text = typed_text.replace("41.19 clear: german infantry XX A", "41.19 clear: german infantry XX A corps=1")
    typed_text = typed_text.replace("flanked=no", f"flanked=no defender-ap={ap}")
    typed_text = typed_text.replace("ask battle", f"{supply}\nask battle")
    return told(carried_out(typed_text, advance="none"), "Ammunition")


@pytest.mark.rule("10.5.3")
def test_a_combat_names_the_line_that_says_what_its_points_need() -> None:
    """Whether anybody is left of those who used it, for it was given before the dice."""
    said = (
        "the position leaves open which supply unit gives the AP of 1: ammunition 41.19 command=1 says what it needs; "
    )
    said += "state that, or enter the AP of its source (UNIT ap-spent=N)"
    assert ammunition_told("1") == ammunition_told("1", steps=1, lost=1) == [said]
    assert ammunition_told("none") == []
    assert ammunition_told("1", "38.20: russian major-depot - D army=First") == [], "no depot of its side"
