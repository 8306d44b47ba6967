"""Combat Strength 1/2 markers: when they have effects, and the step of the Post-Combat Phase (5.4.10, 8.2.5)."""

from __future__ import annotations

import pytest

from twilight_in_the_east.forces.markers import (
    catch_train,
    half_takes_effect,
    mark_half,
    side_of_half,
    turn_half_markers,
)

from ...conftest import viewed

UNITS = """
41.19: german infantry XX A half
41.20: german infantry XX B half half-final
41.21: russian infantry XX C half entrained
41.22: russian artillery X D
41.23: russian infantry XX E
"""


@pytest.mark.rule("8.2.5b")
def test_in_rail_mode_the_marker_has_no_effect() -> None:
    assert half_takes_effect(half=True, entrained=False)
    assert not half_takes_effect(half=True, entrained=True)
    assert not half_takes_effect(half=False, entrained=False)


@pytest.mark.rule("5.4.10b", "8.2.5")
def test_the_step_of_the_post_combat_phase() -> None:
    view = viewed(UNITS)
    turned = [(change.track, change.subject, change.after) for change in turn_half_markers(view)]
    assert turned == [("half-final", "A", True), ("half", "B", None), ("half-final", "B", None)]
    assert {change.rule for change in turn_half_markers(view)} == {"5.4.10"}
    assert [side_of_half(view, unit) for unit in "ABCDE"] == ["initial", "final", "initial", "", ""]


@pytest.mark.rule("8.2.5", "8.2.3d", "8.2.3k")
def test_who_is_caught_bears_a_marker_and_is_out_of_rail_mode() -> None:
    text = "41.19: german infantry XX A entrained destination=41.19 train-gauge=broad\n41.20: german infantry XX B half half-final"
    view = viewed(text)
    caught = {(change.track, change.after) for change in catch_train(view, "A")}
    assert caught == {("half", True), ("entrained", None), ("destination", None), ("train-gauge", None)}
    assert [(change.track, change.after) for change in catch_train(view, "B")] == [("half-final", None)]
    plain = viewed("41.19: german infantry XX A entrained")
    assert [change.track for change in catch_train(plain, "A")] == ["half", "entrained"]
    aboard = viewed(text + "\nruling caught-detraining=aboard")
    assert [change.track for change in catch_train(aboard, "A")] == ["half"]
    assert [change.track for change in mark_half(view, "A", "final", "8.2.5")] == ["half", "half-final"]
