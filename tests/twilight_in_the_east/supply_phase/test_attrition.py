"""What Forces Out of Supply suffer, as pure rules and as exact chances (14.4 steps 5 to 7, 14.6)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.mechanics.chances import chances
from assistant.mechanics.procedure import first_option, resolve
from twilight_in_the_east.forces.losses import Share
from twilight_in_the_east.supply_phase.attrition import (
    AttritionLoss,
    Fate,
    ForceSteps,
    UnsuppliedForce,
    attrition,
    loss,
)


def force(**more: Any) -> UnsuppliedForce:
    return UnsuppliedForce(**{"name": "A", "nation": "russian", "units": ("A",), **more})


@pytest.mark.rule("14.4f", "14.4g")
@pytest.mark.parametrize(
    ("nation", "isolated", "levels", "lost"),
    [
        ("russian", False, 0, AttritionLoss(levels=1)),
        ("german", False, 3, AttritionLoss(levels=1)),
        ("austro-hungarian", False, 4, AttritionLoss(steps=1)),
        ("russian", True, 0, AttritionLoss(levels=3)),
        ("austro-hungarian", True, 1, AttritionLoss(levels=3)),
        ("russian", True, 2, AttritionLoss(levels=2, steps=1)),
        ("russian", True, 4, AttritionLoss(steps=3)),
        ("german", True, 1, AttritionLoss(levels=2)),
        ("german", True, 3, AttritionLoss(levels=1, steps=1)),
        ("german", True, 4, AttritionLoss(steps=2)),
    ],
)
def test_levels_and_what_does_not_fit_as_steps(nation: str, isolated: bool, levels: int, lost: AttritionLoss) -> None:
    assert loss(force(nation=nation, isolated=isolated, levels=levels)) == lost


@pytest.mark.rule("14.4f", "14.4g")
def test_a_disordered_formation_and_asset_units_lose_steps() -> None:
    assert loss(force(levels=2, disorder=1)) == AttritionLoss(steps=1)
    lone = force(formation=False, units=("g", "h"))
    assert loss(lone) == AttritionLoss(steps=1, each=True)
    cut = force(formation=False, isolated=True)
    assert loss(cut) == AttritionLoss(steps=3)
    assert loss(cut, "each") == AttritionLoss(steps=3, each=True), "ruling isolated-assets"


@pytest.mark.rule("14.4e", "14.6")
@pytest.mark.parametrize(
    ("isolated", "levels", "disorder", "formation", "rolls"),
    [
        (True, 4, 0, True, True),
        (True, 0, 1, True, True),
        (True, 3, 0, True, False),
        (False, 4, 0, True, False),
        (True, 4, 0, False, False),
    ],
)
def test_who_is_checked_for_surrender(isolated: bool, levels: int, disorder: int, formation: bool, rolls: bool) -> None:
    assert force(isolated=isolated, levels=levels, disorder=disorder, formation=formation).may_surrender is rolls


# --- as a procedure ---------------------------------------------------------------------------------------------------

BESET = force(isolated=True, levels=4, units=("A", "g"))
KNOWN = ForceSteps(shares={"A": (Share("A", 8), Share("g", 1, guns=True))}, worth={"A": 4, "g": 0})


def fates(forces: tuple[UnsuppliedForce, ...], known: ForceSteps, **answers: str) -> dict[str, Fate]:
    typed = {name.replace("_", "."): answer for name, answer in answers.items()}
    trace = resolve(attrition(forces, known), forces, typed).trace
    return {one.situation.force.name: one.situation for one in trace if isinstance(one.situation, Fate)}


@pytest.mark.rule("14.6")
@pytest.mark.parametrize(("natural", "surrenders"), [(1, False), (3, False), (4, True), (5, True), (6, True)])
def test_a_force_surrenders_on_4_or_more(natural: int, surrenders: bool) -> None:
    found = fates((BESET,), KNOWN, surrender_A=str(natural), losses_A="A,A,A" if not surrenders else "")
    assert found["A"].surrendered is surrenders
    assert found["A"].steps == (() if surrenders else (("A", 3),))


@pytest.mark.rule("14.6")
def test_two_forces_and_what_the_enemy_gains() -> None:
    """Each surrenders on half of the rolls, for 4 points a division; the second has two steps left and is gone in any case."""
    other = force(name="B", units=("B",), isolated=True, levels=4)
    known = ForceSteps(shares={**KNOWN.shares, "B": (Share("B", 2),)}, worth={**KNOWN.worth, "B": 2})
    every = chances(attrition((BESET, other), known), (BESET, other), first_option)
    assert every.marginal("surrenders") == {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    assert every.marginal("points") == {2: Fraction(1, 2), 6: Fraction(1, 2)}


@pytest.mark.rule("14.4f", "14.4g")
def test_no_force_loses_more_steps_than_it_has_and_none_stated_for_levels() -> None:
    alone = force(formation=False, units=("g", "h"))
    known = ForceSteps(shares={"A": (Share("g", 1), Share("h", 4))})
    assert fates((alone,), known)["A"].steps == (("g", 1), ("h", 1))
    cut = force(isolated=True, levels=4)
    assert fates((cut,), ForceSteps(shares={"A": (Share("A", 2),)}), surrender_A="1")["A"].steps == (("A", 2),)
    assert fates((force(),), ForceSteps())["A"] == Fate(force(), levels=1)
