"""Effectiveness Checks: modifiers, failure and its cascade."""

from __future__ import annotations

import pytest

from assistant.mechanics.odds import Odds
from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.results import effectiveness
from twilight_in_the_east.results.effectiveness import Failure, Standing, failure

from ...conftest import answered, typed
from ..combat.test_strength import division


@pytest.mark.rule("11.3.2aa", "11.3.2ab", "11.3.2ac", "7.2b", "7.2.1", "7.4")
@pytest.mark.parametrize(
    ("levels", "margin", "suffers"),
    [
        pytest.param(0, 0, Failure(), id="passed"),
        pytest.param(0, 1, Failure(1), id="by 1"),
        pytest.param(0, 2, Failure(1), id="comprehensive example, 25/3"),
        pytest.param(0, 3, Failure(1), id="by 3"),
        pytest.param(0, 4, Failure(2, 1), id="comprehensive example, 27/3"),
        pytest.param(0, 6, Failure(2, 1), id="11.3.2 example, first formation"),
        pytest.param(0, 7, Failure(2, 1), id="by 7"),
        pytest.param(0, 8, Failure(3, 1), id="by 8"),
        pytest.param(0, 11, Failure(3, 1), id="by 11"),
        pytest.param(0, 12, Failure(4, 2), id="by 12, Demoralized at once"),
        pytest.param(2, 4, Failure(2, 2), id="11.3.2a example"),
        pytest.param(2, 8, Failure(2, 2, 1, 1), id="11.3.2 example, second formation"),
        pytest.param(2, 12, Failure(2, 3, 1, 2), id="two left over"),
        pytest.param(3, 1, Failure(1, 1), id="Demoralized by a level"),
        pytest.param(3, 4, Failure(1, 2, 1, 1), id="one left over"),
        pytest.param(3, 12, Failure(1, 3, 2, 2), id="three left over"),
    ],
)
def test_failure_of_a_sound_formation(levels: int, margin: int, suffers: Failure) -> None:
    assert failure(margin, Standing(levels)) == suffers


@pytest.mark.rule("11.3.2b", "7.4.1", "7.3")
@pytest.mark.parametrize(
    ("condition", "margin", "suffers"),
    [
        (Standing(4), 3, Failure(0, 1, 1, 0)),
        (Standing(4), 4, Failure(0, 1, 2, 1)),
        (Standing(4), 7, Failure(0, 1, 2, 1)),
        (Standing(4), 8, Failure(0, 2, 2, 2)),
        (Standing(4), 12, Failure(0, 2, 3, 2)),
        (Standing(4, 2), 5, Failure(0, 1, 2, 2)),
        (Standing(0, 1), 1, Failure(0, 1, 1, 1)),
        (Standing(4, 1), 0, Failure(0, 0, 0, 1)),
    ],
)
def test_failure_of_a_demoralized_formation(condition: Standing, margin: int, suffers: Failure) -> None:
    assert failure(margin, condition) == suffers


@pytest.mark.rule("11.3.2c")
@pytest.mark.parametrize(
    ("margin", "suffers"), [(2, Failure(0, 0, 1)), (5, Failure(0, 1, 2)), (9, Failure(0, 1, 3)), (15, Failure(0, 1, 4))]
)
def test_lone_asset_units_lose_steps_for_levels(margin: int, suffers: Failure) -> None:
    assert failure(margin, Standing(lone_assets=True)) == suffers


@pytest.mark.rule("7.1b", "7.2b", "6.4.1c")
def test_a_force_checks_against_its_formation_or_its_largest_asset() -> None:
    formation = division("25/3", effectiveness=10, levels=2)
    regiment = CombatUnit("a", "russian", "infantry", "III", False, "x", effectiveness=7)
    battalion = CombatUnit("b", "russian", "infantry", "II", False, "x", effectiveness=9)
    other = regiment._replace(id="c", effectiveness=8)
    guns = CombatUnit("g", "russian", "artillery", "-", False, "x")
    assert formation.cel == 8 == effectiveness.force_cel([regiment, formation])
    assert effectiveness.force_cel([battalion, regiment, guns]) == 7
    assert effectiveness.force_cel([battalion, regiment, other]) == 8


def amounts(modifiers: tuple[object, ...]) -> list[int]:
    return [modifier.amount for modifier in modifiers]  # type: ignore[attr-defined]


@pytest.mark.rule("11.3.1a", "11.3.1d", "11.3.1e", "14.5.1", "3.4.1b")
def test_modifiers_of_a_force_alone() -> None:
    unit = division("25/3", back_steps=5)
    modifiers = effectiveness.force_modifiers
    assert amounts(modifiers([unit], [2], 1)) == [4]
    assert amounts(modifiers([unit], [5], 1)) == [10, 1], "on its reduced side after the losses"
    assert amounts(modifiers([unit], [5], 28)) == [10], "in Summer only"
    assert amounts(modifiers([unit._replace(reduced=True)], [0], 27)) == [1]
    assert amounts(modifiers([unit._replace(low_supply=True)], [0], 1)) == [1]
    asset = CombatUnit("a", "russian", "infantry", "III", False, "x", steps=2, low_supply=True)
    assert amounts(modifiers([unit, asset], [0, 1], 1)) == [2, 1], (
        "an Asset Unit's losses and supply count for the Force"
    )
    assert amounts(modifiers([unit, asset], [0, 2], 1)) == [4], "but not the supply of one that is gone"


@pytest.mark.rule("11.3.1c", "11.2.1b", "11.3.1e", "11.3.1g")
def test_the_worked_example_of_modifiers() -> None:
    """Two formations in a Level 2 position, both retreated two hexes: +4 and +3, and nothing for the position."""
    common = effectiveness.stack_modifiers(2) + effectiveness.defender_modifiers(False, 2, 2, Odds.parse("3:1"))
    sound = effectiveness.force_modifiers([division("a", effectiveness=10, back_steps=5)], [1], 1) + common
    reduced = effectiveness.force_modifiers([division("b", effectiveness=9, levels=2, reduced=True)], [0], 1) + common
    assert (sum(amounts(sound)), sum(amounts(reduced))) == (4, 3)
    assert failure(12 + 4 - 10, Standing(0)) == Failure(2, 1)
    assert failure(12 + 3 - 7, Standing(2)) == Failure(2, 2, 1, 1)


@pytest.mark.rule("11.3.1f", "11.3.1g", "11.3.1h", "13.3.3")
def test_modifiers_of_defenders() -> None:
    modifiers = effectiveness.defender_modifiers
    even = Odds.parse("1:1")
    assert amounts(modifiers(True, 0, 0, even)) == [1]
    assert [amounts(modifiers(False, level, 0, even)) for level in (1, 2, 4)] == [[], [-1], [-1]]
    assert amounts(modifiers(False, 3, 1, even)) == []
    assert [amounts(modifiers(False, 0, 0, Odds.parse(odds))) for odds in ("1:4", "1:5", "1:6")] == [[], [-1], [-2]]


@pytest.mark.rule("11.3.1i", "11.3.1j", "10.9.1c")
def test_modifiers_of_attackers() -> None:
    modifiers = effectiveness.attacker_modifiers
    assert amounts(modifiers(True, Odds.parse("1:1"))) == [-1]
    columns = {"6:1": 0, "7:1": -1, "9:1": -1, "10:1": -2, "12:1": -2, "13:1": -3, "15:1": -3}
    assert {odds: sum(amounts(modifiers(False, Odds.parse(odds)))) for odds in columns} == columns


@pytest.mark.rule("11.2.5e")
def test_only_steps_lost_on_the_table_count_against_a_force() -> None:
    """Two steps that a retreat through EZOCs has cost add nothing to its check, the one of the combat does."""
    after = division("A")._replace(lost=2, back_steps=1)
    assert [m.amount for m in effectiveness.force_modifiers([after], [0], 3)] == []
    assert [m.amount for m in effectiveness.force_modifiers([after], [1], 3)] == [2]


@pytest.mark.rule("7.2")
def test_a_check_is_owed_after_every_combat_and_every_forced_march() -> None:
    text = "turn=3\naccept reconstruction\n40.20: 25/3 (10-?-0-9), 27/3 (10-?-0-9)\n41.19 clear: 1/1 (12-16-0-11)\n41.19|40.20 open\n"
    combat = answered(typed(f"{text}ask battle at=41.19 attacker-ap=none defender-ap=none\nanswers crt=7 slrt=1/1"))
    checks = {ask.name: (ask.title, ask.dice) for ask in combat.asks}
    assert checks["ec.40.20"] == ("Effectiveness Check in 40.20", "2d6")
    march = answered(typed("turn=3\n41.19: german infantry XX A (7-7-0-10)"), "forced-march", unit="A", points=1)
    assert [(ask.name, ask.title, ask.dice) for ask in march.asks] == [("ec", "Effectiveness Check of A", "2d6")]


@pytest.mark.rule("11.3.2b")
@pytest.mark.parametrize(
    ("disorder", "margin", "worse", "further"), [(0, 4, 1, 1), (1, 3, 1, 1), (1, 4, 1, 2), (1, 8, 2, 2), (2, 4, 2, 2)]
)
def test_being_disordered_again_is_a_ruling(disorder: int, margin: int, worse: int, further: int) -> None:
    degrees = [failure(margin, Standing(4, disorder), again).disorder for again in ("worse", "further")]
    assert degrees == [worse, further]
