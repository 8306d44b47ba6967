"""Effectiveness Checks: modifiers, failure and its cascade."""

from __future__ import annotations

import msgspec
import pytest

from assistant.mechanics.odds import Odds
from twilight_in_the_east.combat.checks import (
    Failure,
    Standing,
    attacker_check_modifiers,
    defender_check_modifiers,
    failure,
    force_cel,
    force_modifiers,
    stack_modifiers,
)
from twilight_in_the_east.forces.units import CombatUnit

from ...conftest import answered, typed
from ..results.conftest import GUNS, amounts, asset, division


@pytest.mark.rule("11.3.2aa", "11.3.2ab", "11.3.2ac", "7.2b", "7.2.1", "7.3", "7.4")
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
        (0, -9, Failure()),
        (1, 3, Failure(1)),
        pytest.param(1, 4, Failure(2, 1), id="two lost, and not yet Demoralized"),
        (1, 7, Failure(2, 1)),
        (1, 11, Failure(3, 2)),
        pytest.param(1, 12, Failure(3, 2, 1, 1), id="one left over, from level -1"),
        (2, 3, Failure(1)),
        pytest.param(2, 4, Failure(2, 2), id="11.3.2a example"),
        (2, 7, Failure(2, 2)),
        pytest.param(2, 8, Failure(2, 2, 1, 1), id="11.3.2 example, second formation"),
        pytest.param(2, 12, Failure(2, 3, 1, 2), id="two left over"),
        pytest.param(3, 1, Failure(1, 1), id="Demoralized by a level"),
        pytest.param(3, 4, Failure(1, 2, 1, 1), id="one left over"),
        pytest.param(3, 8, Failure(1, 3, 1, 2), id="two left over, at level -3"),
        (3, 11, Failure(1, 3, 1, 2)),
        pytest.param(3, 12, Failure(1, 3, 2, 2), id="three left over"),
        (3, 19, Failure(1, 3, 2, 2)),
    ],
)
def test_failure_of_a_sound_formation(levels: int, margin: int, suffers: Failure) -> None:
    assert failure(margin, Standing(levels)) == suffers


@pytest.mark.rule("11.3.2b", "7.4.1", "7.3", "7.2b", "7.2.1", "11.3.2aa")
@pytest.mark.parametrize(
    ("condition", "margin", "suffers", "further"),
    [
        (Standing(4), 1, Failure(0, 1, 1, 0), 0),
        (Standing(4), 3, Failure(0, 1, 1, 0), 0),
        (Standing(4), 4, Failure(0, 1, 2, 1), 1),
        (Standing(4), 7, Failure(0, 1, 2, 1), 1),
        (Standing(4), 8, Failure(0, 2, 2, 2), 2),
        (Standing(4), 11, Failure(0, 2, 2, 2), 2),
        (Standing(4), 12, Failure(0, 2, 3, 2), 2),
        (Standing(4, 1), 0, Failure(0, 0, 0, 1), 1),
        (Standing(4, 1), 1, Failure(0, 1, 1, 1), 1),
        (Standing(4, 1), 3, Failure(0, 1, 1, 1), 1),
        (Standing(4, 1), 4, Failure(0, 1, 2, 1), 2),
        (Standing(4, 1), 8, Failure(0, 2, 2, 2), 2),
        (Standing(4, 2), 4, Failure(0, 1, 2, 2), 2),
        (Standing(2, 1), 4, Failure(0, 1, 2, 1), 2),
        (Standing(0, 1), 0, Failure(0, 0, 0, 1), 1),
        (Standing(0, 1), 1, Failure(0, 1, 1, 1), 1),
    ],
)
def test_failure_of_a_demoralized_formation(condition: Standing, margin: int, suffers: Failure, further: int) -> None:
    """further: its degree of Disorder by the other reading of the ruling on being Disordered again."""
    assert failure(margin, condition) == suffers == failure(margin, condition, "worse")
    assert failure(margin, condition, "further") == suffers._replace(disorder=further)


@pytest.mark.rule("11.3.2c", "7.2b", "7.2.1", "11.3.2aa")
def test_lone_asset_units_lose_steps_for_levels() -> None:
    suffers = {1: (0, 1), 3: (0, 1), 4: (1, 2), 5: (1, 2), 8: (1, 3), 9: (1, 3), 12: (1, 4), 15: (1, 4)}
    found = {margin: failure(margin, Standing(lone_assets=True)) for margin in suffers}
    assert found == {margin: Failure(0, retreat, steps) for margin, (retreat, steps) in suffers.items()}


@pytest.mark.rule("7.1b", "7.2b", "6.4.1c")
@pytest.mark.parametrize(
    ("units", "cel"),
    [
        pytest.param([asset("a", effectiveness=9), division(effectiveness=10, levels=2)], 8, id="its formation's"),
        pytest.param([asset("a", effectiveness=9, levels=1)], 9, id="an Asset Unit's base"),
        pytest.param([asset("a", "II", effectiveness=9), asset("b", "III", effectiveness=7)], 7, id="the largest"),
        pytest.param([asset("a", "III", effectiveness=9), asset("b", "X", effectiveness=7)], 7, id="a brigade"),
        pytest.param([asset("a", "X", effectiveness=9), asset("b", "XX", effectiveness=7)], 7, id="a division"),
        pytest.param([asset("a", effectiveness=7), asset("b", effectiveness=8)], 8, id="of a size the highest"),
        pytest.param(
            [
                asset(name, size, effectiveness=cel)
                for name, size, cel in (("a", "II", 9), ("b", "III", 7), ("c", "III", 8))
            ],
            8,
            id="of three",
        ),
        pytest.param([asset("a", "-", effectiveness=9), asset("b", "II", effectiveness=7)], 7, id="no size is least"),
        pytest.param(
            [msgspec.structs.replace(GUNS, effectiveness=9), asset("b", "II", effectiveness=7)], 7, id="no artillery"
        ),
        pytest.param(
            [asset("g", "X", arm="artillery", effectiveness=9), asset("b", "II", effectiveness=7)], 7, id="of any size"
        ),
        pytest.param([GUNS], 0, id="artillery alone"),
    ],
)
def test_the_level_with_which_a_force_checks(units: list[CombatUnit], cel: int) -> None:
    assert force_cel(units) == cel


@pytest.mark.rule("11.2.5e", "11.3.1a", "11.3.1d", "11.3.1e", "14.5.1", "3.4.1b")
@pytest.mark.parametrize(
    ("units", "losses", "turn", "found"),
    [
        pytest.param([division()], [0], 1, [], id="nothing"),
        pytest.param([division(), asset("a")], [2, 1], 1, [6], id="two for each step lost"),
        pytest.param([division(lost=2)], [1], 1, [2], id="steps lost before add nothing"),
        pytest.param([division(lost=2, back_steps=1)], [0], 3, [], id="nor do they by themselves"),
        pytest.param([division(low_supply=True)], [0], 1, [1], id="Low Supply"),
        pytest.param([division(), asset("a", low_supply=True)], [0, 1], 1, [2, 1], id="of one that loses a step"),
        pytest.param([division(), asset("a", low_supply=True)], [0, 0], 1, [1], id="Low Supply of one"),
        pytest.param([division(), asset("a", low_supply=True)], [0, 2], 1, [4], id="not of one that is gone"),
        pytest.param([division()], [5], 27, [10, 1], id="on its reduced side in Summer"),
        pytest.param([division(reduced=True)], [0], 27, [1], id="that it showed before"),
        pytest.param([division(), asset("a")], [5, 0], 27, [10, 1], id="whoever is with it"),
        pytest.param([division()], [5], 28, [10], id="not in Autumn"),
        pytest.param([division()], [4], 27, [8], id="not before it turns"),
        pytest.param([division(), asset("a", reduced=True)], [0, 0], 1, [], id="a formation only"),
    ],
)
def test_what_a_forces_own_condition_adds(
    units: list[CombatUnit], losses: list[int], turn: int, found: list[int]
) -> None:
    assert amounts(force_modifiers(units, losses, turn)) == found


@pytest.mark.rule("11.3.1c", "11.2.1b", "11.3.1e", "11.3.1g")
def test_the_worked_example_of_modifiers() -> None:
    """Two formations in a Level 2 position, both retreated two hexes: +4 and +3, and nothing for the position."""
    common = stack_modifiers(2) + defender_check_modifiers(Odds.parse("3:1"), 2, 2, is_flanked=False)
    sound = force_modifiers([division("a", effectiveness=10, back_steps=5)], [1], 1) + common
    reduced = force_modifiers([division("b", effectiveness=9, levels=2, reduced=True)], [0], 1) + common
    assert (sum(amounts(sound)), sum(amounts(reduced))) == (4, 3)
    assert failure(12 + 4 - 10, Standing(0)) == Failure(2, 1)
    assert failure(12 + 3 - 7, Standing(2)) == Failure(2, 2, 1, 1)


@pytest.mark.rule("11.3.1c", "11.2.1b")
def test_each_hex_of_retreat_counts_against_a_stack() -> None:
    assert [amounts(stack_modifiers(hexes)) for hexes in (0, 1, 3)] == [[], [1], [3]]


@pytest.mark.rule("11.3.1f", "11.3.1g", "11.3.1h", "13.3.3")
def test_modifiers_of_defenders() -> None:
    modifiers = defender_check_modifiers
    even = Odds.parse("1:1")
    assert amounts(modifiers(even, 0, 0, is_flanked=True)) == [1]
    assert [amounts(modifiers(even, level, 0, is_flanked=False)) for level in (1, 2, 4)] == [[], [-1], [-1]]
    assert [amounts(modifiers(even, level, 1, is_flanked=False)) for level in (2, 3)] == [[], []]
    low = {odds: amounts(modifiers(Odds.parse(odds), 0, 0, is_flanked=False)) for odds in ("1:4", "1:5", "1:6")}
    assert low == {"1:4": [], "1:5": [-1], "1:6": [-2]}


@pytest.mark.rule("11.3.1i", "11.3.1j", "10.9.1c")
def test_modifiers_of_attackers() -> None:
    modifiers = attacker_check_modifiers
    assert amounts(modifiers(Odds.parse("1:1"), asterisk=True)) == [-1]
    assert amounts(modifiers(Odds.parse("7:1"), asterisk=True)) == [-1, -1]
    columns = {"6:1": 0, "7:1": -1, "9:1": -1, "10:1": -2, "12:1": -2, "13:1": -3, "15:1": -3}
    assert {odds: sum(amounts(modifiers(Odds.parse(odds), asterisk=False))) for odds in columns} == columns


@pytest.mark.rule("7.2")
def test_a_check_is_owed_after_every_combat_and_every_forced_march() -> None:
    text = "turn=3\ntrust charts\n40.20: 25/3 (10-?-0-9), 27/3 (10-?-0-9)\n41.19 clear: 1/1 (12-16-0-11)\n41.19|40.20 open\n"
    combat = answered(typed(f"{text}ask battle at=41.19 attacker-ap=none defender-ap=none\nanswers crt=7 slrt=1/1"))
    checks = {ask.name: (ask.title, ask.dice) for ask in combat.asks}
    assert checks["ec.40.20"] == ("Effectiveness Check in 40.20", "2d6")
    march = answered(typed("turn=3\n41.19: german infantry XX A (7-7-0-10)"), "forced-march", unit="A", points=1)
    assert [(ask.name, ask.title, ask.dice) for ask in march.asks] == [("ec", "Effectiveness Check of A", "2d6")]
