"""Twilight in the East: failed Effectiveness Checks after combat, as the rulebook's example has them (11.3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from assistant.mechanics.chances import Chances, chances
from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Choice, Modifier, Procedure, Resolution, Roll, resolve
from twilight_in_the_east.combat.before_dice import combat_of
from twilight_in_the_east.combat.checks import (
    Failure,
    Standing,
    defender_check_modifiers,
    failure,
    force_cel,
    force_modifiers,
    stack_modifiers,
)
from twilight_in_the_east.combat.engagement import Engagement
from twilight_in_the_east.forces.losses import Share
from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.results.resolution import ForceCheck, Side, SideProgress, Stack, StackCheck, resolution

SUMMER, AUTUMN = 5, 28
HEX = "41.19"


# --- the example of two formations ------------------------------------------------------------------------------------

TEN = CombatUnit("10/1", "german", "infantry", "XX", True, HEX, steps=6, back_steps=3, effectiveness=10)
NINE = CombatUnit("9/1", "german", "infantry", "XX", True, HEX, steps=3, reduced=True, effectiveness=9, levels=2)
ATTACKER = CombatUnit("4 rf/1", "russian", "infantry", "XX", True, "41.20", steps=8, effectiveness=8)
EVEN = Odds(0)


def modifiers(unit: CombatUnit, lost: int, turn: int, retreat: int = 2) -> tuple[Modifier, ...]:
    """All that is added to the check of one defending formation in a Level 2 Improved Position, not flanked, at 1:1."""
    return (
        force_modifiers([unit], [lost], turn)
        + stack_modifiers(retreat)
        + defender_check_modifiers(EVEN, 2, retreat, is_flanked=False)
    )


def amounts(found: tuple[Modifier, ...]) -> list[int]:
    """What the modifiers add, one by one."""
    return [modifier.amount for modifier in found]


def test_the_modifiers_of_the_two_formations() -> None:
    """+2 and +2 for the step and the retreat; +1 and +2 for the reduced side and the retreat; the position gives none."""
    assert (force_cel([TEN]), force_cel([NINE])) == (10, 7)
    assert amounts(modifiers(TEN, 1, SUMMER)) == [2, 2]
    assert amounts(modifiers(NINE, 0, SUMMER)) == [1, 2]


def test_without_a_retreat_the_position_would_have_helped() -> None:
    """11.3.1g: a Level 2 Improved Position that is held takes one off."""
    assert amounts(modifiers(TEN, 1, SUMMER, retreat=0)) == [2, -1]


def test_a_roll_of_twelve_by_hand() -> None:
    """16 against 10 fails by 6; 15 against 7 fails by 8, with two levels left on its track."""
    assert failure(12 + 4 - 10, Standing(levels=0)) == Failure(cel=2, retreat=1, steps=0, disorder=0)
    assert failure(12 + 3 - 7, Standing(levels=2)) == Failure(cel=2, retreat=2, steps=1, disorder=1)


# --- the same example as a procedure: these dice, and all dice --------------------------------------------------------


def example(turn: int) -> tuple[Procedure, SideProgress]:
    """The plugin's own procedure of that combat, begun where the step is lost and the two hexes of retreat are due."""
    engagement = Engagement(
        at=HEX,
        attackers=(ATTACKER,),
        defenders=(TEN, NINE),
        turn=turn,
        terrain="clear",
        crossed={"41.20": frozenset()},
        position=2,
        positions={"41.20": 0},
        shifts={},
    )
    procedure = resolution(combat_of(engagement, EVEN, "Medium"), look_up=lambda *key: None)
    return procedure, SideProgress("checks", Side("defender", ((HEX, 2),)), lost=(1, 0))


def no_choice(choice: Choice) -> str:
    """A policy for a stretch of the rules in which nobody has anything to decide."""
    raise AssertionError(f"{choice.name} should not have to be chosen")


def resolved(turn: int, dice: str) -> Resolution:
    """The example with these dice."""
    procedure, start = example(turn)
    return resolve(procedure, start, {f"ec.{HEX}": dice})


def all_dice(turn: int) -> Chances:
    """The example with all dice at once."""
    procedure, start = example(turn)
    return chances(procedure, start, no_choice)


def of_force(notes: Mapping[str, object], name: str) -> tuple[object, ...]:
    """Passed, levels, hexes, steps and Disorder of one Force."""
    return tuple(notes[f"{name}.{what}"] for what in ("passes", "cel", "retreat", "steps", "disorder"))


def test_the_roll_that_is_asked_for_shows_its_modifiers_before_the_dice() -> None:
    """One roll for the stack, read by each Force with its own modifiers (11.3)."""
    procedure, start = example(SUMMER)
    (pending,) = resolve(procedure, start, {}).pending
    assert isinstance(pending, Roll)
    assert {name: sum(amounts(found)) for name, found in pending.modifiers.items()} == {"10/1": 4, "9/1": 3}
    assert (pending.name, str(pending.dice)) == (f"ec.{HEX}", "2d6")


@pytest.mark.parametrize("dice", ["12", "6+6"])
def test_the_roll_of_the_example_resolved(dice: str) -> None:
    """Both results of the printed example from one answer."""
    notes = dict(resolved(SUMMER, dice).notes)
    assert of_force(notes, "10/1") == (False, 2, 1, 0, 0)
    assert of_force(notes, "9/1") == (False, 2, 2, 1, 1)
    assert notes["defender.steps"] == 1
    assert notes["defender.vacates"] is True


def test_in_autumn_the_reduced_side_no_longer_counts() -> None:
    """Without that +1 the second formation fails by 7: its two levels fit, and no step is lost."""
    notes = dict(resolved(AUTUMN, "12").notes)
    assert of_force(notes, "9/1") == (False, 2, 2, 0, 0)
    assert of_force(notes, "10/1") == (False, 2, 1, 0, 0)


def test_the_exact_chances_of_the_example() -> None:
    """The first formation passes on 6 or less, the second on 4 or less: 15 and 6 ways of 36."""
    found = all_dice(SUMMER)
    assert found.marginal("10/1.passes") == {False: Fraction(21, 36), True: Fraction(15, 36)}
    assert found.marginal("9/1.passes") == {False: Fraction(30, 36), True: Fraction(6, 36)}
    assert found.marginal("10/1.cel") == {0: Fraction(15, 36), 1: Fraction(15, 36), 2: Fraction(6, 36)}
    assert found.marginal("9/1.disorder") == {0: Fraction(35, 36), 1: Fraction(1, 36)}


def test_one_roll_decides_both_so_they_are_not_independent() -> None:
    """If the second passes so does the first: no roll does the opposite."""
    found = all_dice(SUMMER)
    assert found.joint("10/1.passes", "9/1.passes") == {
        (False, False): Fraction(21, 36),
        (True, False): Fraction(9, 36),
        (True, True): Fraction(6, 36),
    }


@pytest.mark.parametrize("turn", [SUMMER, AUTUMN])
def test_the_chances_are_all_resolutions_counted(turn: int) -> None:
    """Each total of two dice resolved on its own gives the same distribution."""
    counted: dict[tuple[object, ...], Fraction] = {}
    for first in range(1, 7):
        for second in range(1, 7):
            notes = dict(resolved(turn, f"{first}+{second}").notes)
            key = (notes["10/1.cel"], notes["9/1.cel"], notes["9/1.retreat"], notes["9/1.steps"])
            counted[key] = counted.get(key, Fraction(0)) + Fraction(1, 36)
    assert all_dice(turn).joint("10/1.cel", "9/1.cel", "9/1.retreat", "9/1.steps") == counted


def test_equal_results_are_one_situation() -> None:
    """Eleven totals lead to six outcomes: the side and the stack before the roll, and six after it."""
    found = all_dice(SUMMER)
    assert found.joint("10/1.cel", "9/1.cel", "9/1.steps") == {
        (1, 2, 0): Fraction(9, 36),  # 8 and 9
        (0, 1, 0): Fraction(9, 36),  # 5 and 6
        (0, 0, 0): Fraction(6, 36),  # 2 to 4
        (1, 1, 0): Fraction(6, 36),  # 7
        (2, 2, 0): Fraction(5, 36),  # 10 and 11
        (2, 2, 1): Fraction(1, 36),  # 12
    }
    assert found.situations == 2 + 6 + 2, "and two more to give the lost step to the only unit"


# --- a lone Asset Unit in the same procedure --------------------------------------------------------------------------

BRIGADE = CombatUnit("5 L", "german", "infantry", "X", False, HEX, steps=3, effectiveness=8)


def test_lone_asset_units_check_with_their_own_effectiveness() -> None:
    """Base effectiveness 8, a roll of 12 fails by 4: two steps and a hex, no Disorder (11.3.2c)."""
    shares = (Share(BRIGADE.id, BRIGADE.steps),)
    force = ForceCheck(BRIGADE.id, shares, force_cel([BRIGADE]), Standing(lone_assets=True))
    procedure, _ = example(SUMMER)
    notes = dict(resolve(procedure, StackCheck(Stack(HEX, "defender", 0), (force,)), {f"ec.{HEX}": "12"}).notes)
    assert of_force(notes, BRIGADE.id) == (False, 0, 1, 2, 0)
    assert notes["defender.steps"] == 2
