"""What is known of a unit by its counter: size, sides, status, stacking; and the Forces of a stack (2 to 4, 7)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from twilight_in_the_east.forces.units import (
    CombatUnit,
    corps_of,
    forces,
    has_turned,
    held,
    is_asset,
    over_stacked,
    stacking_value,
)


def unit(id: str = "A", arm: str = "infantry", size: str = "XX", **more: Any) -> CombatUnit:
    return CombatUnit(id, more.pop("nation", "german"), arm, size, more.pop("formation", True), "41.19", **more)


@pytest.mark.rule("3.3.1")
def test_the_corps_in_an_id() -> None:
    assert [corps_of(name) for name in ("2 rf/22", "1/1", "3 r")] == ["22", "1", ""]


@pytest.mark.rule("3.3.2")
def test_an_asset_unit_is_artillery_or_small_or_marked() -> None:
    assert is_asset("artillery", "", marked=False)
    assert is_asset("infantry", "III", marked=False)
    assert is_asset("infantry", "II", marked=False)
    assert is_asset("infantry", "X", marked=True)
    assert not is_asset("infantry", "X", marked=False)
    assert not is_asset("cavalry", "XX", marked=False)


@pytest.mark.rule("3.4.1b")
@pytest.mark.parametrize(
    ("steps", "back", "lost"), [(12, 6, 6), (3, 2, 1), (9, 5, 4), (2, 1, 1)], ids=lambda number: str(number)
)
def test_a_unit_turns_when_its_losses_bring_it_down_to_its_back(steps: int, back: int, lost: int) -> None:
    assert not has_turned(steps, lost - 1, back)
    assert has_turned(steps, lost, back)
    assert has_turned(steps, lost + 1, back)
    one = unit(steps=steps, back_steps=back)
    assert [one.on_reduced_side(more) for more in (lost - 1, lost)] == [False, True]
    assert one._replace(lost=lost).on_reduced_side()
    assert one._replace(lost=1).on_reduced_side(lost - 1)
    assert one._replace(reduced=True).on_reduced_side()
    assert not one._replace(lost=lost - 1).on_reduced_side()


@pytest.mark.rule("3.4.1b")
def test_a_unit_without_a_smaller_back_never_turns() -> None:
    assert not has_turned(4, 3, 0)
    assert not has_turned(4, 4, 0)
    assert not has_turned(4, 0, 4)
    assert not has_turned(4, 3, 5)


@pytest.mark.rule("7.3")
def test_who_is_demoralized() -> None:
    assert not unit(levels=3).demoralized
    assert unit(levels=4).demoralized
    assert unit(disorder=1).demoralized
    assert not unit(levels=4, disorder=1, formation=False).demoralized, "Asset Units never are"


@pytest.mark.rule("7.1b")
def test_the_level_that_is_left() -> None:
    assert unit(effectiveness=11, levels=3).cel == 8


@pytest.mark.rule("10.5d")
def test_whose_artillery_counts() -> None:
    assert [unit(ap=ap).armed for ap in (True, False)] == [True, False]
    assert unit("Nikolaiken", "artillery").armed


@pytest.mark.rule("2.2d", "3.3.2", "4.2")
@pytest.mark.parametrize(
    ("arm", "size", "more", "divisions"),
    [
        ("infantry", "XX", {}, 1),
        ("infantry", "XX", {"reduced": True}, Fraction(1, 2)),
        ("infantry", "XX", {"steps": 12, "back_steps": 6, "lost": 6}, Fraction(1, 2)),
        ("infantry", "XX", {"steps": 12, "back_steps": 6, "lost": 5}, 1),
        ("infantry", "X", {}, Fraction(1, 2)),
        ("infantry", "III", {}, 0),
        ("cavalry", "XX", {}, Fraction(1, 2)),
        ("cavalry", "X", {}, 0),
        ("artillery", "", {}, 0),
        ("fortress", "XX", {}, 0),
    ],
)
def test_how_much_of_a_division_a_unit_counts(arm: str, size: str, more: dict[str, Any], divisions: Fraction) -> None:
    assert stacking_value(unit(arm=arm, size=size, **more)) == divisions


@pytest.mark.rule("4.2", "4.2.1", "4.2.4")
def test_what_a_hex_holds_and_what_is_too_much() -> None:
    guns = unit("G", "artillery", "")
    full = [unit("A"), unit("B"), unit("C", size="X"), unit("D", "cavalry"), guns, guns._replace(id="H")]
    assert (held(full), over_stacked(full)) == ((3, 2), (0, 0))
    assert held(full, supply_units=3) == (Fraction(9, 2), 2)
    assert over_stacked([*full, unit("E", size="X")]) == (Fraction(1, 2), 0)
    assert over_stacked([*full, guns._replace(id="I")], supply_units=2) == (1, 1)
    aside = [unit("E", entrained=True), guns._replace(id="J", entrained=True), unit("F", "fortress"), unit("K", "fort")]
    assert held([*full, *aside]) == (3, 2)
    assert over_stacked([unit("A")]) == (0, 0)


@pytest.mark.rule("2.1e", "6.4.1c", "6.2.4b")
def test_a_force_is_a_formation_with_its_asset_units_or_asset_units_alone() -> None:
    guns = unit("G", "artillery", "", formation=False)
    detachment = unit("det", size="III", formation=False, with_="B")
    austrian = unit("H", "artillery", "", formation=False, nation="austro-hungarian")
    stack = [unit("F", "fortress", formation=False), guns, unit("A"), unit("B"), detachment, austrian]
    assert [(force.name, [one.id for one in force.units]) for force in forces(stack)] == [
        ("A", ["A", "G"]),
        ("B", ["B", "det"]),
        ("H", ["H"]),
    ]
    assert [force.formation and force.formation.id for force in forces(stack)] == ["A", "B", None]
    astray = detachment._replace(with_="elsewhere")
    assert [force.name for force in forces([unit("A"), astray])] == ["A"]
    assert forces([unit("F", "fort", formation=False)]) == ()
    assert [force.name for force in forces([guns, austrian])] == ["G"]
