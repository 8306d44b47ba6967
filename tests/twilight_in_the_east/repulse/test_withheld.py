"""Who stands against a Repulse (8.5.5)."""

from __future__ import annotations

import pytest

from twilight_in_the_east.repulse.rules import withheld_from

from ..results.conftest import asset, division


@pytest.mark.rule("8.5.5")
def test_the_larger_arm_stands_against_a_repulse() -> None:
    """Two divisions of infantry against one of cavalry, and a brigade against two of these; guns are not withheld, they have no part to begin with."""
    foot, horse = [division("A"), division("B")], [division(name, arm="cavalry") for name in "CD"]
    guns = asset("g", arm="artillery")
    assert withheld_from([horse[0], guns, *foot]) == ("C",)
    assert withheld_from([division("A", size="X"), guns, *horse]) == ("A",)


@pytest.mark.rule("8.5.5")
def test_of_more_than_may_fight_from_a_hex_the_lowest_stand_aside() -> None:
    assert withheld_from([division(name) for name in "ABC"]) == ("C",)
    assert withheld_from([division(name) for name in "AB"]) == ()
