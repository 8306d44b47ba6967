"""What Strategic Plans demand and bring, over plain values (21.0, 27.2)."""

from __future__ import annotations

import pytest

from assistant.asking.case import list_bars
from twilight_in_the_east.forces.objectives import (
    force_followed,
    read_objectives,
)
from twilight_in_the_east.plans.abandon_question import Abandoning
from twilight_in_the_east.plans.rules import (
    frees,
    holds_for_others,
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
