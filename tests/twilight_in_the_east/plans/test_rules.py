"""What Strategic Plans demand and bring, over plain values (21.0, 27.2)."""

from __future__ import annotations

import pytest

from assistant.asking.case import list_bars
from twilight_in_the_east.forces.objectives import (
    corps_force,
    force_followed,
    is_bound,
    is_corps,
    may_capture,
    read_objectives,
)
from twilight_in_the_east.plans.abandon_question import Abandoning
from twilight_in_the_east.plans.rules import (
    cost_of_abandoning,
    ends_closer,
    frees,
    holds_for_others,
    is_achieved,
    is_captured,
    is_of_others,
    points_for_achieving,
)

from ...conftest import viewed

OBJECTIVES = {
    "central-powers 3 LW Corps": ["58.64"],
    "central-powers First": ["43.66", "50.62"],
    "central-powers Fourth": ["43.66", "34.69"],
    "russian First": ["48.19", "49.27"],
    "russian Second": ["66.31", "61.30", "58.28"],
    "russian 2 Corps": ["43.30"],
    "russian 1 Corps": ["65.37"],
    "russian Fourth": ["42.88"],
    "russian Fifth": ["38.87", "29.86"],
    "russian Third": ["29.83", "29.86", "30.91"],
    "russian Eighth": ["30.91", "26.93", "22.97"],
}


@pytest.mark.rule("21.4.1", "21.5.1", "21.6.1", "21.6.2")
def test_the_objectives_of_the_rulebook() -> None:
    known = read_objectives()
    assert {force: [row.hex for row in rows] for force, rows in known.items()} == OBJECTIVES
    assert [row.name for row in known["russian Second"]] == ["Osterode", "Allenstein", "Seeburg"]
    assert {row.rule for row in known["central-powers Fourth"]} == {"21.5.1"}


def test_a_corps_with_a_plan_of_its_own_is_named_as_one() -> None:
    assert corps_force("russian", "2") == "russian 2 Corps"
    assert corps_force("russian", "") == corps_force("", "2") == ""
    assert is_corps("russian 2 Corps")
    assert not is_corps("russian 3 Corps")
    assert not is_corps("russian Second")


@pytest.mark.rule("21.0", "21.1b")
@pytest.mark.parametrize(
    ("plan", "outcome", "bound"),
    [(True, "", True), (False, "", False), (None, "", False), (True, "abandoned", False), (True, "achieved", True)],
)
def test_a_plan_binds_until_it_is_abandoned_or_no_longer_in_force(plan: bool | None, outcome: str, bound: bool) -> None:
    assert is_bound(plan, outcome) is bound


LANDWEHR, FIRST, FOURTH = "central-powers 3 LW Corps", "central-powers First", "central-powers Fourth"


@pytest.mark.rule("21.4.1", "21.6.1")
@pytest.mark.parametrize(
    ("corps", "army", "bound", "achieved", "followed"),
    [
        pytest.param("russian 2 Corps", "russian First", ["russian First", "russian 2 Corps"], [], "russian 2 Corps"),
        pytest.param("russian 2 Corps", "russian First", ["russian First"], ["russian 2 Corps"], "russian First"),
        pytest.param("russian 2 Corps", "russian First", ["russian First"], [], "russian First", id="abandoned"),
        pytest.param("russian 2 Corps", "russian First", [], ["russian 2 Corps"], "", id="the army is free"),
        pytest.param("russian 20 Corps", "russian First", ["russian First"], [], "russian First", id="without a plan"),
        pytest.param("", "russian First", ["russian First"], [], "russian First", id="independent"),
        pytest.param("", "", ["russian First"], [], "", id="of no army"),
        pytest.param(LANDWEHR, FOURTH, [FIRST, FOURTH], [LANDWEHR], FIRST, id="then those of the A-H First Army"),
        pytest.param(LANDWEHR, FOURTH, [FOURTH], [LANDWEHR], "", id="which is free"),
        pytest.param(LANDWEHR, FOURTH, [FIRST, FOURTH], [], FOURTH, id="abandoned by the Landwehr"),
        pytest.param(LANDWEHR, "", [FIRST, LANDWEHR], [], LANDWEHR, id="its own first"),
    ],
)
def test_whose_objectives_a_unit_pursues(
    corps: str, army: str, bound: list[str], achieved: list[str], followed: str
) -> None:
    assert force_followed(corps, army, bound, achieved) == followed


@pytest.mark.rule("21.2")
@pytest.mark.parametrize(
    ("arm", "size", "may"),
    [
        ("infantry", "XX", True),
        ("infantry", "X", True),
        ("infantry", "III", False),
        ("infantry", "II", False),
        ("infantry", "", False),
        ("cavalry", "XX", False),
        ("cavalry", "X", False),
        ("artillery", "-", False),
    ],
)
def test_infantry_brigades_and_divisions_capture_and_cavalry_does_not(arm: str, size: str, may: bool) -> None:
    assert may_capture(arm, size) is may


@pytest.mark.rule("21.2")
def test_an_objective_is_captured_if_it_was_entered_and_is_controlled() -> None:
    assert is_captured(entered=True, controller="russian", side="russian")
    assert not is_captured(entered=True, controller="central-powers", side="russian")
    assert not is_captured(entered=True, controller="", side="russian")
    assert not is_captured(entered=False, controller="russian", side="russian")


@pytest.mark.rule("21.1")
@pytest.mark.parametrize(
    ("entered", "controller", "armies", "force", "held"),
    [
        (False, "russian", ["russian Second"], "russian First", True),
        (False, "russian", ["russian First", "russian Second"], "russian First", True),
        (False, "russian", ["russian First"], "russian First", False),
        (False, "russian", [""], "russian First", False),
        (False, "russian", [], "russian First", False),
        (True, "russian", ["russian Second"], "russian First", False),
        (False, "central-powers", ["russian Second"], "russian First", False),
        (False, "russian", ["russian Second"], "russian 2 Corps", False),
    ],
)
def test_what_another_army_holds_without_infantry(
    entered: bool, controller: str, armies: list[str], force: str, held: bool
) -> None:
    made = holds_for_others(entered=entered, controller=controller, side="russian", armies=armies, force=force)
    assert made is held


@pytest.mark.rule("27.2.2a")
def test_whose_the_units_in_an_objective_are() -> None:
    assert is_of_others(["russian Second"], "russian First")
    assert not is_of_others(["russian Second", "russian First"], "russian First")
    assert not is_of_others(["russian Second", ""], "russian First")
    assert not is_of_others([], "russian First")


@pytest.mark.rule("21.1")
def test_a_single_objective_achieves_a_plan() -> None:
    assert is_achieved([False, True, False])
    assert not is_achieved([False, False])


@pytest.mark.rule("21.1")
@pytest.mark.parametrize(
    ("side", "phasing", "reading", "free"),
    [
        ("russian", "russian", "next", True),
        ("russian", "central-powers", "next", True),
        ("russian", "russian", "own", False),
        ("russian", "central-powers", "own", True),
    ],
)
def test_from_which_player_turn_on_an_army_is_free(side: str, phasing: str, reading: str, free: bool) -> None:
    assert frees(side, phasing, reading) is free


@pytest.mark.rule("21.3")
def test_a_plan_in_force_may_be_abandoned_from_gt_5_on() -> None:
    def told(outcome: str = "", *, bound: bool = True, early: bool = False) -> list[tuple[str, str]]:
        case = Abandoning(outcome=outcome, bound=bound, early=early)
        return [(bar.rule, bar.text) for bar in list_bars(case.bars)]

    assert told() == []
    assert told(early=True) == [("21.3", "a plan may be abandoned from GT 5 on")]
    assert told(bound=False) == [("21.1", "no Strategic Plan binds it")]
    assert told("achieved") == [("21.1", "its plan has been achieved")]
    assert [rule for rule, _ in told("abandoned", bound=False, early=True)] == ["21.1", "21.3"]
    assert Abandoning(view=viewed("turn=4")).early and not Abandoning(view=viewed("turn=5")).early
    free = viewed('army "russian First" plan=no')
    assert not Abandoning(view=free, force="russian First").bound


@pytest.mark.rule("27.2.2a", "27.2.2c")
@pytest.mark.parametrize(
    ("turn", "points"),
    [(1, 14), (3, 14), (4, 10), (5, 10), (6, 7), (7, 7), (8, 5), (9, 5), (10, 3), (11, 3), (12, 2), (47, 2)],
)
def test_what_an_achieved_plan_brings(turn: int, points: int) -> None:
    assert points_for_achieving("russian First", "", turn) == points


@pytest.mark.rule("27.2.2a", "27.2.2c")
def test_a_plan_scores_once_and_the_objective_of_a_corps_brings_nothing() -> None:
    assert points_for_achieving("russian First", "achieved", 3) == 0
    assert points_for_achieving("russian 2 Corps", "", 3) == 0


@pytest.mark.rule("27.2.2b")
@pytest.mark.parametrize(
    ("distance", "points"), [(0, 4), (1, 4), (2, 7), (3, 7), (4, 10), (5, 10), (6, 13), (7, 13), (8, 16), (30, 16)]
)
def test_what_an_abandoned_plan_costs(distance: int, points: int) -> None:
    assert cost_of_abandoning("russian Second", distance) == points


@pytest.mark.rule("27.2.2b", "27.2.2c")
def test_the_plan_of_a_corps_costs_five_whatever_the_distance() -> None:
    assert cost_of_abandoning("russian 2 Corps", None) == cost_of_abandoning("russian 2 Corps", 1) == 5
    assert cost_of_abandoning("central-powers 3 LW Corps", 30) == 5
    assert cost_of_abandoning("russian Second", None) is None
    assert cost_of_abandoning("russian Second", 2) == 7


@pytest.mark.rule("27.2.2a", "27.2.2b")
def test_the_example_of_the_rulebook() -> None:
    assert points_for_achieving("russian First", "", 6) - (cost_of_abandoning("russian Second", 5) or 0) == -3


@pytest.mark.rule("21.1.4")
@pytest.mark.parametrize(
    ("start", "end", "closer"),
    [
        (5, 4, True),
        (5, 3, True),
        (5, 5, False),
        (5, 6, False),
        pytest.param(20, 21, True, id="closer to the second objective, farther from the first"),
        (5, None, False),
    ],
)
def test_infantry_ends_a_hex_closer_to_any_one_objective(start: int, end: int | None, closer: bool) -> None:
    def distance(here: str, there: str) -> int:
        return abs(int(here) - int(there))

    assert (
        ends_closer(str(start), None if end is None else str(end), ["0", "30"][: 1 + (start == 20)], distance) is closer
    )
