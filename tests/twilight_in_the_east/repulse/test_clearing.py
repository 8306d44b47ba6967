"""Who may try a Repulse in a retreat, and which hexes it could clear (8.5.1)."""

from __future__ import annotations

from typing import Any

import pytest

from twilight_in_the_east.combat.pieces import Pieces
from twilight_in_the_east.forces.units import CombatUnit, Force
from twilight_in_the_east.repulse.rules import may_be_cleared, may_try, withheld_from

from ...conftest import viewed
from ..results.conftest import asset, division

HERE, THERE = "41.19", "41.18"


def unit(id: str, arm: str = "infantry", size: str = "XX", **more: Any) -> CombatUnit:
    """A German unit in 41.19: a formation, unless it is artillery or smaller than a brigade."""
    formation = arm != "artillery" and size in ("XX", "X")
    return CombatUnit(id, "german", arm, size, formation, HERE, **{"steps": 10, **more})


DIVISION, GUNS = unit("division"), unit("guns", "artillery", "-")


@pytest.mark.rule("8.5.1")
@pytest.mark.parametrize(
    ("units", "may"),
    [
        ([DIVISION], True),
        ([DIVISION, unit("regiment", size="III")], True),
        ([DIVISION, unit("regiment", size="III"), unit("battalion", size="II")], False),
        ([DIVISION, unit("regiment", size="III"), GUNS], True),
        ([GUNS], False),
        ([unit("cavalry", "cavalry")], True),
        ([unit("cavalry", "cavalry", levels=4)], False),
        ([unit("cavalry", "cavalry"), unit("regiment", size="III")], False),
    ],
    ids=["a division", "two units", "three units", "two and guns", "guns", "cavalry", "spent cavalry", "two arms"],
)
def test_a_force_of_a_combat_unit_or_two_that_could_attack_together_may_try(units: list[CombatUnit], may: bool) -> None:
    assert may_try(Force(units[0].id, tuple(units))) == may


@pytest.mark.rule("8.5.1")
@pytest.mark.parametrize(
    ("more", "may"),
    [
        ({"flags": frozenset({"retreated"})}, True),
        ({"flags": frozenset({"fought"})}, True),
        ({"half": True}, False),
        ({"disorder": 1}, False),
    ],
    ids=["retreated", "fought", "1/2 marker", "Disordered"],
)
def test_what_bars_an_attack_bars_a_repulse_but_not_that_they_have_fought_or_retreated(
    more: dict[str, Any], may: bool
) -> None:
    assert may_try(Force("division", (unit("division", **more),))) == may


@pytest.mark.rule("8.5.1")
def test_displaced_guns_keep_nobody_from_it() -> None:
    assert may_try(Force("division", (DIVISION, unit("guns", "artillery", "-", flags=frozenset({"displaced"})))))


@pytest.mark.rule("8.5.1")
@pytest.mark.parametrize(
    ("there", "side", "may"),
    [
        ("russian infantry XX R", "open", True),
        ("russian cavalry XX R", "open", True),
        ("russian artillery - H", "open", False),
        ("russian fortress - F, russian infantry XX R", "open", False),
        ("german infantry XX G", "open", False),
        ("", "open", False),
        ("russian infantry XX R", "minor-river", True),
        ("russian infantry XX R", "major-river bridge", False),
        ("russian infantry XX R", "grand-river bridge", False),
        ("russian infantry XX R", "lake", False),
    ],
)
def test_combat_units_alone_are_cleared_away_and_only_over_what_can_be_crossed(
    there: str, side: str, may: bool
) -> None:
    stack = f": {there}" if there else ""
    text = f"{HERE} clear: german infantry XX A\n{THERE} clear{stack}\n{HERE}|{THERE} {side}"
    layout = Pieces(viewed(text)).layout(())
    ground = layout.ground((Force("A", (unit("A"),)),), HERE)
    assert may_be_cleared(layout, ground, HERE, THERE) == may


@pytest.mark.rule("8.5.1")
@pytest.mark.parametrize(("nation", "may"), [("austro-hungarian", True), ("german", False)])
def test_a_hex_that_stays_closed_once_its_enemies_have_gone_is_not_cleared(nation: str, may: bool) -> None:
    """A half-hex that leads to the Bukowina Holding Box (23.4.1)."""
    here, there = "31.113", "31.114"
    layout = Pieces(viewed(f"{here} clear: {nation} infantry XX A\n{there} clear: russian infantry XX R")).layout(())
    ground = layout.ground((Force("A", (CombatUnit("A", nation, "infantry", "XX", True, here, steps=10),)),), here)
    assert may_be_cleared(layout, ground, here, there) == may


# --- who stands against a Repulse (8.5.5) -----------------------------------------------------------------------------


@pytest.mark.rule("8.5.5")
def test_the_larger_arm_stands_against_a_repulse_and_of_too_many_the_top_ones() -> None:
    """Two divisions of infantry against one of cavalry, and a brigade against two of these; guns are not withheld, they have no part to begin with."""
    foot, horse = [division("A"), division("B")], [division(name, arm="cavalry") for name in "CD"]
    guns = asset("g", arm="artillery")
    assert withheld_from([horse[0], guns, *foot]) == ("C",)
    assert withheld_from([division("A", size="X"), guns, *horse]) == ("A",)
    assert withheld_from([division(name) for name in "ABC"]) == ("C",)
    assert withheld_from([division(name) for name in "AB"]) == ()
