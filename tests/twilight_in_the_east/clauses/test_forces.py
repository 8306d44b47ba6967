"""What is read of a unit for a combat, and what a Force is, clause by clause (2.2, 3.3 to 3.8, 6.4, 7.1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.questions.view import View
from assistant.util.errors import InputError
from twilight_in_the_east.forces import reading, units
from twilight_in_the_east.forces.units import CombatUnit, Role

from ...conftest import typed

RATINGS = "(8-6-5-10)"
BACK = "back-steps=4 back-defence=3 back-artillery=2"


def gathered(line: str, role: Role | None = "defender") -> CombatUnit:
    """What is read of the unit U, which a line of notation describes."""
    position = typed(f"turn=1\n41.19: {line}")
    view = View(position.game, position.state)
    with view.gather() as facts:
        return reading.gather_unit(facts, view, view.unit("U"), role)


def ratings(unit: CombatUnit) -> tuple[int, ...]:
    """Steps, steps lost, steps of the back, defence, artillery, effectiveness, multiplier."""
    return (unit.steps, unit.lost, unit.back_steps, unit.defence, unit.artillery, unit.effectiveness, unit.fssm)


# --- ratings ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3", "3.3.2")
@pytest.mark.parametrize(
    ("role", "found"),
    [
        pytest.param("defender", (8, 0, 4, 6, 5, 10, 0), id="a defender's all"),
        pytest.param("attacker", (8, 0, 4, 0, 5, 10, 0), id="an attacker needs no defence"),
        pytest.param(None, (8, 0, 4, 0, 0, 0, 0), id="one who does not fight his steps only"),
    ],
)
def test_a_divisions_ratings(role: Role | None, found: tuple[int, ...]) -> None:
    unit = gathered(f"german infantry XX U {RATINGS} {BACK}", role)
    assert (ratings(unit), unit.formation, unit.reduced) == (found, True, False)


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3", "3.3.2")
@pytest.mark.parametrize("role", ["defender", "attacker"])
def test_an_artillery_units_ratings(role: Role) -> None:
    unit = gathered("german artillery - U artillery=3", role)
    assert (ratings(unit), unit.formation) == ((1, 0, 0, 0, 3, 0, 0), False)


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3", "3.3.2")
@pytest.mark.parametrize("arm", ["fort", "fortress"])
@pytest.mark.parametrize(("role", "multiplier"), [("defender", 2), ("attacker", 2), (None, 0)])
def test_a_fortress_units_ratings(arm: str, role: Role | None, multiplier: int) -> None:
    unit = gathered(f"german {arm} - U fssm=2 steps=4 lost=1", role)
    assert (ratings(unit), unit.formation) == ((4, 1, 0, 0, 0, 0, multiplier), False)


@pytest.mark.rule("3.4.1", "3.3.2")
def test_an_asset_unit_has_no_reduced_side() -> None:
    unit = gathered("german infantry III U (4-3-0-10) lost=3")
    assert (ratings(unit), unit.formation) == ((4, 3, 0, 3, 0, 10, 0), False)


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3")
@pytest.mark.parametrize(
    ("facts", "found", "reduced"),
    [
        pytest.param("lost=3", (8, 3, 4, 6, 5, 10, 0), False, id="its front"),
        pytest.param("lost=4", (4, 0, 0, 3, 2, 10, 0), True, id="so many lost that it has turned"),
        pytest.param("lost=6", (4, 2, 0, 3, 2, 10, 0), True, id="and more"),
        pytest.param("reduced", (4, 0, 0, 3, 2, 10, 0), True, id="said to show its back"),
        pytest.param("reduced lost=2", (4, 2, 0, 3, 2, 10, 0), True, id="and to have lost of its back"),
    ],
)
def test_the_side_that_a_unit_shows(facts: str, found: tuple[int, ...], reduced: bool) -> None:
    unit = gathered(f"german infantry XX U {RATINGS} {BACK} {facts}")
    assert (ratings(unit), unit.reduced) == (found, reduced)


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3")
def test_a_value_that_stands_alone_is_of_the_side_in_use() -> None:
    unit = gathered("german infantry XX U (4-3-2-10) reduced")
    assert (ratings(unit), unit.reduced) == ((4, 0, 0, 3, 2, 10, 0), True)


@pytest.mark.rule("3.4.1")
def test_nobody_has_lost_all_the_steps_of_his_reduced_side() -> None:
    line = f"german infantry XX U {RATINGS} {BACK} reduced"
    assert gathered(f"{line} lost=3").left == 1
    for lost in (4, 5):
        with pytest.raises(InputError, match=f"U has lost {lost} of 4 steps"):
            gathered(f"{line} lost={lost}")


@pytest.mark.rule("3.3.2", "3.3.1", "3.8.2", "3.4.1")
def test_what_else_is_read() -> None:
    unit = gathered(f"german infantry XX U {RATINGS} {BACK} corps=1 army=Eighth cel=-2 disorder=1 half prepared=40.20")
    assert (unit.nation, unit.arm, unit.size, unit.place) == ("german", "infantry", "XX", "41.19")
    assert (unit.corps, unit.army, unit.levels, unit.disorder) == ("1", "Eighth", 2, 1)
    assert (unit.half, unit.prepared) == (True, "40.20")
    sound = gathered(f"german infantry XX U {RATINGS} {BACK}")
    assert (sound.corps, sound.army, sound.levels, sound.disorder, sound.half, sound.prepared) == (
        "",
        "",
        0,
        0,
        False,
        "",
    )


# --- kinds and status -------------------------------------------------------------------------------------------------


def unit(arm: str = "infantry", size: str = "XX", **more: Any) -> CombatUnit:
    return CombatUnit("U", "german", arm, size, True, "41.19", steps=8, back_steps=4)._replace(**more)


@pytest.mark.rule("2.2d")
@pytest.mark.parametrize(
    ("one", "value"),
    [
        pytest.param(unit(), 1, id="infantry division"),
        pytest.param(unit(lost=4), Fraction(1, 2), id="on its reduced side"),
        pytest.param(unit(size="X"), Fraction(1, 2), id="infantry brigade"),
        pytest.param(unit("cavalry"), Fraction(1, 2), id="cavalry division"),
        pytest.param(unit("cavalry", "X"), 0, id="cavalry brigade"),
        pytest.param(unit(size="III"), 0, id="regiment"),
        pytest.param(unit("artillery"), 0, id="artillery"),
        pytest.param(unit("artillery", "X"), 0, id="artillery brigade"),
    ],
)
def test_how_much_of_a_division_a_unit_is(one: CombatUnit, value: Fraction) -> None:
    assert units.stacking_value(one) == value


@pytest.mark.rule("3.4.1b")
@pytest.mark.parametrize(
    ("more", "further", "reduced"),
    [
        ({}, 0, False),
        ({}, 3, False),
        ({}, 4, True),
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
    assert unit(**more).on_reduced_side(further) is reduced


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
    ],
)
def test_who_has_turned(steps: int, lost: int, back: int, turned: bool) -> None:
    assert reading.has_turned(steps, lost, back) is turned


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


# --- Forces -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("2.1e", "6.4.1c", "6.2.4b")
def test_the_forces_in_a_stack() -> None:
    first, second = unit(id="A"), unit(id="B", nation="austro-hungarian")
    third = unit(id="C")
    asset = unit(size="III", formation=False, id="a")
    stack = [
        first,
        second,
        third,
        asset,
        asset._replace(id="b", with_="C"),
        asset._replace(id="c", with_="B"),
        asset._replace(id="d", nation="russian"),
        asset._replace(id="e", nation="russian"),
        unit("fort", "-", formation=False, id="F"),
        unit("fortress", "-", formation=False, id="G"),
    ]
    found = [(force.name, [one.id for one in force.units]) for force in units.forces(stack)]
    assert found == [("A", ["A", "a", "c"]), ("B", ["B"]), ("C", ["C", "b"]), ("d", ["d", "e"])]
    assert units.forces([first, third]) == (units.Force("A", (first,)), units.Force("C", (third,)))
