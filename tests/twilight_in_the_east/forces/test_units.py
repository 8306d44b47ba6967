"""What is known of a unit by its counter: size, sides, status, stacking; and the Forces of a stack (2 to 4, 7)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from twilight_in_the_east.forces.units import (
    CombatUnit,
    Force,
    corps_name,
    corps_of,
    count_stack,
    forces,
    has_turned,
    is_asset,
    is_marsch,
    stack_excess,
)


@pytest.mark.rule("23.8")
@pytest.mark.parametrize("name", ["2 M", "M 3", "10M", "M/7", "XII M"])
def test_a_marsch_unit_bears_an_m_in_its_id(name: str) -> None:
    assert is_marsch(unit(name, nation="austro-hungarian"))
    assert not is_marsch(unit(name, nation="russian"))


@pytest.mark.rule("23.8")
@pytest.mark.parametrize("name", ["Masurian", "1/M", "m 3", "HM", "Mk/2"])
def test_an_m_in_a_word_or_in_the_id_of_a_corps_makes_no_marsch_unit(name: str) -> None:
    assert not is_marsch(unit(name, nation="austro-hungarian"))


def unit(id: str = "A", arm: str = "infantry", size: str = "XX", **more: Any) -> CombatUnit:
    return CombatUnit(id, more.pop("nation", "german"), arm, size, more.pop("formation", True), "41.19", **more)


@pytest.mark.rule("3.3.1")
def test_the_corps_in_an_id() -> None:
    assert [corps_of(name) for name in ("2 rf/22", "1/1", "3 r", "1 r/1 R", "29/20")] == ["22", "1", "", "1 R", "20"]
    assert [corps_name(typed) for typed in ("2C", "2 c", "12C", "2 C", "C", "20", "3 LW")] == [
        "2 C",
        "2 C",
        "12 C",
        "2 C",
        "C",
        "20",
        "3 LW",
    ]
    assert corps_of("9 c/2C") == "2 C"


@pytest.mark.rule("3.3.2", "2.1a", "3.5")
def test_an_asset_unit_is_artillery_or_small_or_marked() -> None:
    assert is_asset("artillery", "", marked=False)
    assert is_asset("infantry", "III", marked=False)
    assert is_asset("infantry", "II", marked=False)
    assert is_asset("infantry", "X", marked=True)
    assert not is_asset("infantry", "X", marked=False)
    assert not is_asset("cavalry", "XX", marked=False)


@pytest.mark.rule("3.4.1b")
@pytest.mark.parametrize(
    ("more", "further", "reduced"),
    [
        ({}, 0, False),
        ({}, 3, False),
        ({}, 4, True),
        ({"lost": 4}, 0, True),
        ({"lost": 3}, 1, True),
        ({"lost": 3}, 0, False),
        ({"reduced": True, "back_steps": 0}, 0, True),
        ({"back_steps": 0}, 8, False),
        ({"back_steps": 8}, 0, False),
        ({"back_steps": 1}, 6, False),
        ({"back_steps": 1}, 7, True),
    ],
)
def test_when_a_unit_turns(more: dict[str, Any], further: int, reduced: bool) -> None:
    assert unit(**{"steps": 8, "back_steps": 4, **more}).on_reduced_side(further) is reduced


@pytest.mark.rule("3.4.1b")
@pytest.mark.parametrize(
    ("steps", "lost", "back", "turned"),
    [
        (8, 3, 4, False),
        (8, 4, 4, True),
        (8, 5, 4, True),
        (8, 7, 1, True),
        (8, 7, 0, False),
        (8, 0, 8, False),
        (1, 1, 0, False),
        (3, 1, 2, True),
        (2, 1, 1, True),
    ],
)
def test_who_has_turned(steps: int, lost: int, back: int, turned: bool) -> None:
    assert has_turned(steps, lost, back) is turned


@pytest.mark.rule("7.3")
@pytest.mark.parametrize(
    ("more", "demoralized"),
    [
        ({}, False),
        ({"levels": 3}, False),
        ({"levels": 4}, True),
        ({"disorder": 1}, True),
        ({"levels": 4, "formation": False}, False),
        ({"disorder": 2, "formation": False}, False),
    ],
)
def test_who_is_demoralized(more: dict[str, Any], demoralized: bool) -> None:
    assert unit(**more).demoralized is demoralized


@pytest.mark.rule("7.1b")
def test_the_level_that_is_left() -> None:
    assert unit(effectiveness=11, levels=3).cel == 8


@pytest.mark.rule("10.5d")
@pytest.mark.parametrize(
    ("more", "armed"),
    [
        ({}, False),
        ({"ap": True}, True),
        ({"id": "Nikolaiken"}, True),
        ({"id": "Schimonken"}, True),
        ({"id": "Boyen"}, False),
    ],
)
def test_whose_artillery_counts(more: dict[str, Any], armed: bool) -> None:
    assert unit(**more).armed is armed


@pytest.mark.rule("4.2", "4.2.1", "4.2.4")
def test_what_a_hex_holds_and_what_is_too_much() -> None:
    guns = unit("G", "artillery", "")
    full = [
        unit("A"),
        unit("B"),
        unit("C", size="X"),
        unit("D", "cavalry"),
        guns,
        msgspec.structs.replace(guns, id="H"),
    ]
    assert (count_stack(full), stack_excess(full)) == ((3, 2), (0, 0))
    assert count_stack(full, supply_units=3) == (Fraction(9, 2), 2)
    assert stack_excess([*full, unit("E", size="X")]) == (Fraction(1, 2), 0)
    assert stack_excess([*full, msgspec.structs.replace(guns, id="I")], supply_units=2) == (1, 1)
    aside = [
        unit("E", flags=frozenset({"entrained"})),
        msgspec.structs.replace(guns, id="J", flags=frozenset({"entrained"})),
        unit("F", "fortress"),
        unit("K", "fort"),
    ]
    assert count_stack([*full, *aside]) == (3, 2)
    assert stack_excess([unit("A")]) == (0, 0)


@pytest.mark.rule("2.1e", "6.4.1c", "6.2.4b", "2.1f")
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
    astray = msgspec.structs.replace(detachment, with_="elsewhere")
    assert [force.name for force in forces([unit("A"), astray])] == ["A"]
    assert forces([unit("F", "fort", formation=False)]) == ()
    assert [force.name for force in forces([guns, austrian])] == ["G"]
    first, second, third = unit("A"), unit("B", nation="austro-hungarian"), unit("C")
    asset = unit("a", size="III", formation=False)
    stack = [
        first,
        second,
        third,
        asset,
        msgspec.structs.replace(asset, id="b", with_="C"),
        msgspec.structs.replace(asset, id="c", with_="B"),
        msgspec.structs.replace(asset, id="d", nation="russian"),
        msgspec.structs.replace(asset, id="e", nation="russian"),
        unit("F", "fort", "-", formation=False),
        unit("G", "fortress", "-", formation=False),
    ]
    found = [(force.name, [one.id for one in force.units]) for force in forces(stack)]
    assert found == [("A", ["A", "a", "c"]), ("B", ["B"]), ("C", ["C", "b"]), ("d", ["d", "e"])]
    assert forces([first, third]) == (Force("A", (first,)), Force("C", (third,)))
