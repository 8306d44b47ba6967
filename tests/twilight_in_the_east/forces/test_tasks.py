"""Tasks that Movement Points are carried over for: what binds a marked unit, and what removes its marker (8.9)."""

from __future__ import annotations

import pytest

from assistant.util.errors import InputError
from twilight_in_the_east.forces.bars import is_barred
from twilight_in_the_east.forces.markers import (
    Marker,
    is_lost_beside_enemies,
    is_lost_when_attacked,
    mark_task,
    marker_of,
    points_carried,
    why_task_binds,
)
from twilight_in_the_east.forces.unit import gather_unit
from twilight_in_the_east.forces.units import CombatUnit

from ...conftest import answered, told, typed, viewed

NEAR = "41.19: german infantry XX A {}\n{}: russian infantry XX R"


@pytest.mark.rule("8.9.3a")
@pytest.mark.parametrize(
    ("task", "lost"),
    [
        ("recovery", True),
        ("disorder", True),
        ("entraining", True),
        ("detraining", True),
        ("ersatz", False),
        ("position", False),
    ],
)
def test_which_markers_an_enemy_next_to_them_removes(task: str, lost: bool) -> None:
    assert is_lost_beside_enemies(task, sheltered=False) is lost
    assert is_lost_when_attacked(task) is not lost
    for hex, there in (("42.19", not lost), ("43.19", True)):
        with viewed(NEAR.format(f"task={task} expended=3", hex)).gather() as facts:
            assert bool(marker_of(facts, facts.view.unit("A")).points) is there


@pytest.mark.rule("8.9.3a")
def test_only_recovery_of_levels_is_sheltered() -> None:
    assert not is_lost_beside_enemies("recovery", sheltered=True)
    assert is_lost_beside_enemies("disorder", sheltered=True)
    assert is_lost_beside_enemies("entraining", sheltered=True)


@pytest.mark.parametrize("task", ["entraining", "detraining"])
def test_an_enemy_next_to_a_unit_that_works_on_a_train_halves_it(task: str) -> None:
    """A Combat Strength 1/2 marker takes the place of its MPs Expended marker (8.2.5): no Movement Points, half its defence, no AP."""
    for hex, halved in (("42.19", True), ("43.19", False)):
        text = NEAR.format(f"(9-9-4-9) task={task} expended=3", hex)
        march = answered(typed(text), "forced-march", unit="A", points=1).verdict.text
        assert ("it bears a 1/2 marker" in march) is halved
        with viewed(text).gather() as facts:
            assert gather_unit(facts, facts.view.unit("A"), None).half is halved
        guns = answered(typed(text), "ammunition", at="41.19").verdict.text
        assert (guns == "no unit in 41.19 can use an AP") is halved


def test_a_marker_shows_less_than_the_task_takes() -> None:
    complete = viewed(NEAR.format("task=recovery expended=7", "44.19"))
    with (
        pytest.raises(InputError, match="A has expended=7, but 7 Movement Points complete rec"),
        complete.gather() as facts,
    ):
        marker_of(facts, facts.view.unit("A"))
    with viewed(NEAR.format("task=entraining expended=9", "44.19")).gather() as facts:
        assert marker_of(facts, facts.view.unit("A")) == Marker("entraining", 9), "as many as the unit has RCPs"


@pytest.mark.rule("8.9.2", "8.9.1")
@pytest.mark.parametrize(
    ("marker", "doing", "why"),
    [
        (Marker(), "", ""),
        (Marker("position", 1), "position", ""),
        (Marker("position", 1), "", "it has begun an Improved Position and needs 6 more Movement Points for it"),
        (
            Marker("ersatz", 6),
            "move",
            "it has begun incorporating Ersatz replacements and needs 1 more Movement Point for it",
        ),
        (Marker("entraining", 2), "", "it has begun entraining and completes that first"),
        (Marker("detraining", 1), "position", "it has begun detraining and completes that first"),
        (Marker("trans-shipping", 1), "", "it has begun trans-shipping and completes that first"),
        (
            Marker("recovery", 2),
            "position",
            "it has begun recovering Combat Effectiveness Levels and needs 5 more Movement Points for it",
        ),
        (Marker("disorder", 3), "", "it has begun recovering from Disorder and needs 4 more Movement Points for it"),
        (Marker("position"), "", ""),
    ],
)
def test_the_first_points_of_a_phase_go_to_the_task(marker: Marker, doing: str, why: str) -> None:
    assert why_task_binds(marker, doing) == why


@pytest.mark.rule("8.9")
def test_what_is_carried_for_a_task() -> None:
    with viewed(NEAR.format("task=position expended=3", "44.19")).gather() as facts:
        unit = facts.view.unit("A")
        assert [points_carried(facts, unit, task, None) for task in ("position", "recovery")] == [3, 0]
        assert points_carried(facts, unit, "position", 5) == 5
    view = viewed(NEAR.format("task=position expended=3", "44.19"))
    assert mark_task(view, "A", "position", 3) == []
    assert [(one.track, one.after) for one in mark_task(view, "A", "position", 5)] == [("expended", 5)]


@pytest.mark.rule("8.9", "8.9.3a")
@pytest.mark.parametrize(
    ("task", "complex", "allowed"),
    [
        ("position", "", False),
        ("ersatz", "", False),
        ("recovery", "", True),
        ("disorder", "", True),
        ("recovery", "K", False),
    ],
)
def test_a_marked_unit_does_not_attack(task: str, complex: str, allowed: bool) -> None:
    """An enemy whom it could attack is next to it, so that it has lost its marker for some tasks."""
    fortress = f"\n40.20: german fortress - K1 complex={complex} fssm=4" if complex else ""
    text = f"""turn=1
41.19 clear: russian infantry XX R (9-9-0-9)
40.20: german infantry XX A (9-9-0-9) task={task} expended=1{fortress}
40.20 | 41.19 open"""
    report = answered(typed(text), "battle", at="41.19", **{"from": "40.20"})
    assert ("A bears an MPs Expended marker and cannot attack" not in told(report)) is allowed
    assert (report.verdict.kind == "no") is not allowed


@pytest.mark.rule("8.9")
def test_what_a_marker_bars() -> None:
    unit = CombatUnit("A", "german", "infantry", "XX", True, "41.19", expended=1)
    assert [is_barred(unit, doing) for doing in ("attack", "defend", "spend")] == [True, False, False]
