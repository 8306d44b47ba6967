"""The size of a combat, retreats of the table, step losses and Effectiveness Checks, clause by clause (10.9 to 11.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Modifier
from assistant.questions.report import Report
from twilight_in_the_east.combat import odds
from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.results import crt, effectiveness, step_losses
from twilight_in_the_east.results.effectiveness import Failure, Standing
from twilight_in_the_east.results.step_losses import Share

from ...conftest import answered, typed

EVEN = Odds.parse("1:1")


def division(name: str = "A", **more: Any) -> CombatUnit:
    """A sound German infantry division with ten steps, five of them on its front."""
    unit = CombatUnit(name, "german", "infantry", "XX", True, "41.19", steps=10, back_steps=5, artillery=5)
    return unit._replace(**more)


def asset(name: str, size: str = "III", **more: Any) -> CombatUnit:
    return division(name, size=size, formation=False, steps=2, back_steps=0, artillery=0)._replace(**more)


GUNS = asset("guns", "-", arm="artillery", steps=1, artillery=3)


def amounts(modifiers: tuple[Modifier, ...]) -> list[int]:
    return [modifier.amount for modifier in modifiers]


# --- the size ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("10.10.1", "10.10.1b")
@pytest.mark.parametrize(
    ("attacking", "defending", "size"),
    [
        ("1", "1/2", "Small"),
        ("3/2", "1/2", "Medium"),
        ("3", "1/2", "Medium"),
        ("3", "1", "Large"),
        ("4", "3/2", "Large"),
        ("9/2", "3/2", "Large"),
        ("4", "2", "Massive"),
        ("5", "3", "Massive"),
        ("3", "2", "Large"),
    ],
)
def test_the_size_of_a_combat(attacking: str, defending: str, size: str) -> None:
    assert odds.magnitude(Fraction(attacking), Fraction(defending)) == size


@pytest.mark.rule("10.10.1", "12.0")
def test_fortresses_count_half_a_division_and_forts_nothing() -> None:
    units = [division(), division(arm="fortress", size="-"), division(arm="fort", size="-"), GUNS]
    assert [odds.divisions([unit]) for unit in units] == [1, Fraction(1, 2), 0, 0]
    assert odds.divisions(units) == Fraction(3, 2)


# --- the Combat Results Table -----------------------------------------------------------------------------------------


@pytest.mark.rule("10.9.1")
@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("-", (0, 0, 0, False, False)),
        ("+2", (2, 0, 0, False, False)),
        ("-1", (-1, 0, 0, False, False)),
        ("W2", (0, 2, 0, False, False)),
        ("B3", (0, 0, 3, False, False)),
        ("X", (0, 0, 0, True, False)),
        ("*", (0, 0, 0, False, True)),
        ("+1 X W2 *", (1, 2, 0, True, True)),
    ],
)
def test_what_a_cell_says(cell: str, found: tuple[object, ...]) -> None:
    assert tuple(crt.read_result(cell)) == found


@pytest.mark.rule("10.9.1b", "10.10.3a")
@pytest.mark.parametrize(("cell", "german", "modifier"), [("+2 X", True, 1), ("+2 X", False, 2), ("+2", True, 2)])
def test_an_x_helps_germans(cell: str, german: bool, modifier: int) -> None:
    assert crt.crt_modifier(crt.read_result(cell), german) == modifier


@pytest.mark.rule("10.9.1d", "10.9.1e", "13.3.1a")
@pytest.mark.parametrize(
    ("cell", "position", "steps", "leftover", "found"),
    [
        pytest.param("W2 B1", 0, 0, "retreat", (3, 0), id="both"),
        pytest.param("W2 B1", 1, 0, "retreat", (2, 0), id="an Improved Position ignores black"),
        pytest.param("W2 B1", 0, 1, "retreat", (1, 1), id="a fortress unit ignores black and absorbs white"),
        pytest.param("W2 B1", 0, 5, "retreat", (0, 2), id="as many steps as hexes"),
        pytest.param("W2 B1", 0, 1, "ignored", (0, 1), id="the rest ignored"),
        pytest.param("W2 B1", 0, 0, "ignored", (3, 0), id="without a fortress unit there is no rest"),
    ],
)
def test_hexes_of_retreat_and_steps_in_their_place(
    cell: str, position: int, steps: int, leftover: str, found: tuple[int, int]
) -> None:
    assert crt.crt_retreat(crt.read_result(cell), position, steps, leftover) == found


# --- step losses ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("10.10.3b", "10.10.3c")
@pytest.mark.parametrize(
    ("units", "value", "found"),
    [
        pytest.param([division(artillery=0)], "0", [-1], id="none at all"),
        pytest.param([division(artillery=0), GUNS], "0", [], id="one that has some, but no AP"),
        pytest.param([asset("f", arm="fort")], "0", [], id="a Fort"),
        pytest.param([asset("f", arm="fortress")], "0", [], id="a Fortress"),
        pytest.param([division()], "5/2", [1], id="rounded up from the half"),
        pytest.param([division()], "9/4", [], id="and down below it"),
    ],
)
def test_what_the_opponents_artillery_adds(units: list[CombatUnit], value: str, found: list[int]) -> None:
    assert amounts(step_losses.artillery_modifiers(units, Fraction(value))) == found


@pytest.mark.rule("10.10.3e", "10.10.3f", "10.10.3g", "13.3.2")
@pytest.mark.parametrize(
    ("units", "position", "odds", "hardship", "found"),
    [
        pytest.param([division(), division("B", levels=4)], 0, "1:1", True, [-3], id="one Demoralized defender of two"),
        pytest.param([division()], 4, "1:1", True, [1], id="Level 4"),
        pytest.param([division()], 4, "1:1", False, [], id="Level 4 where it does not tell"),
        pytest.param([division()], 3, "1:1", True, [], id="Level 3"),
        pytest.param([division()], 0, "6:1", True, [], id="odds on the chart"),
        pytest.param([division()], 0, "8:1", True, [-1], id="two columns above"),
        pytest.param([division()], 0, "9:1", True, [-2], id="part of two more"),
    ],
)
def test_what_concerns_the_attackers_roll(
    units: list[CombatUnit], position: int, odds: str, hardship: bool, found: list[int]
) -> None:
    assert amounts(step_losses.attacker_modifiers(units, position, Odds.parse(odds), hardship)) == found


@pytest.mark.rule("10.10.3f", "13.3.2")
def test_a_level_4_position_tells_unless_a_scenario_says_otherwise() -> None:
    assert amounts(step_losses.attacker_modifiers([division()], 4, EVEN)) == [1]


@pytest.mark.rule("11.1.1a", "11.1.1b", "11.1b")
@pytest.mark.parametrize(
    ("shares", "steps", "first"),
    [
        pytest.param([Share("a", 3), Share("b", 5)], 1, (0, 1), id="who has most left"),
        pytest.param([Share("a", 3, rank=1), Share("b", 2, rank=2)], 1, (1, 0), id="as the owner wishes"),
        pytest.param([Share("a", 1, guns=True), Share("b", 1)], 1, (0, 1), id="artillery goes last"),
        pytest.param([Share("a", 1), Share("b", 2, rank=9)], 1, (0, 1), id="nobody goes while another can take it"),
        pytest.param([Share("a", 5, optional=True), Share("b", 2)], 2, (0, 2), id="a fortress unit stands aside"),
        pytest.param([Share("a", 5, optional=True), Share("b", 2)], 4, (2, 2), id="until all others are gone"),
        pytest.param([Share("a", 2), Share("b", 2)], 9, (2, 2), id="no more than all there are"),
    ],
)
def test_the_usual_way_to_share_out_losses(shares: list[Share], steps: int, first: tuple[int, ...]) -> None:
    assert step_losses.distributions(tuple(shares), steps)[0] == first


@pytest.mark.rule("11.1.1a", "11.1b")
@pytest.mark.parametrize(
    ("left", "steps", "spared", "owner"),
    [
        ((3, 1), 1, {(1, 0)}, {(1, 0), (0, 1)}),
        ((3, 1), 2, {(2, 0)}, {(2, 0), (1, 1)}),
        ((2, 2), 2, {(1, 1)}, {(1, 1)}),
        ((2, 2), 3, {(2, 1), (1, 2)}, {(2, 1), (1, 2)}),
        ((3, 3), 3, {(2, 1), (1, 2)}, {(2, 1), (1, 2)}),
        ((1, 1), 1, {(1, 0), (0, 1)}, {(1, 0), (0, 1)}),
    ],
)
def test_whether_a_last_step_may_be_lost_in_turn_is_a_ruling(
    left: tuple[int, ...], steps: int, spared: set[tuple[int, ...]], owner: set[tuple[int, ...]]
) -> None:
    shares = tuple(Share(name, steps_left) for name, steps_left in zip("ab", left, strict=True))
    found = [step_losses.distributions(shares, steps, may_eliminate) for may_eliminate in (False, True)]
    assert [set(one) for one in found] == [spared, owner]
    assert [len(one) for one in found] == [len(spared), len(owner)], "each way once"
    assert step_losses.distributions(shares, steps) == found[0]


@pytest.mark.rule("11.1b")
def test_steps_of_a_check_go_to_anybody_the_equal_way_first() -> None:
    shares = (Share("a", 2), Share("b", 3))
    assert step_losses.free_distributions(shares, 2) == ((1, 1), (2, 0), (0, 2))
    assert step_losses.free_distributions(shares, 4) == ((2, 2), (1, 3))


# --- Effectiveness Checks ---------------------------------------------------------------------------------------------


@pytest.mark.rule("7.2b", "7.2.1", "11.3.2aa", "7.3")
@pytest.mark.parametrize(
    ("condition", "margin", "found"),
    [
        (Standing(disorder=1), 0, Failure(disorder=1)),
        (Standing(), 1, Failure(1)),
        (Standing(), 3, Failure(1)),
        (Standing(), 4, Failure(2, 1)),
        (Standing(), 7, Failure(2, 1)),
        (Standing(), 8, Failure(3, 1)),
        (Standing(), 11, Failure(3, 1)),
        (Standing(), 12, Failure(4, 2)),
        (Standing(levels=4), 1, Failure(0, 1, 1)),
        (Standing(levels=3), 1, Failure(1, 1)),
        (Standing(disorder=1), 1, Failure(0, 1, 1, 1)),
        (Standing(lone_assets=True), 1, Failure(0, 0, 1)),
    ],
)
def test_what_a_check_failed_by_so_much_costs(condition: Standing, margin: int, found: Failure) -> None:
    assert effectiveness.failure(margin, condition) == found


@pytest.mark.rule("11.3.2ab", "11.3.2ac", "7.4")
@pytest.mark.parametrize(
    ("levels", "reductions", "found"),
    [
        pytest.param(0, 1, Failure(1, 0), id="it fits"),
        pytest.param(3, 1, Failure(1, 1), id="it reaches -4"),
        pytest.param(3, 2, Failure(1, 1, 1, 1), id="one left over"),
        pytest.param(3, 3, Failure(1, 2, 1, 2), id="two"),
        pytest.param(3, 4, Failure(1, 2, 2, 2), id="three"),
    ],
)
def test_levels_that_do_not_fit_on_the_track(levels: int, reductions: int, found: Failure) -> None:
    assert effectiveness.cascade(reductions, 0, Standing(levels)) == found


@pytest.mark.rule("11.3.2b", "7.3")
@pytest.mark.parametrize(
    ("margin", "disorder", "again", "found"),
    [
        (1, 0, "worse", Failure(0, 1, 1, 0)),
        (4, 0, "worse", Failure(0, 1, 2, 1)),
        (8, 0, "worse", Failure(0, 2, 2, 2)),
        (12, 0, "worse", Failure(0, 2, 3, 2)),
        (4, 1, "worse", Failure(0, 1, 2, 1)),
        (4, 1, "further", Failure(0, 1, 2, 2)),
        (4, 2, "further", Failure(0, 1, 2, 2)),
        (1, 1, "further", Failure(0, 1, 1, 1)),
        (4, 0, "further", Failure(0, 1, 2, 1)),
    ],
)
def test_what_a_failed_check_costs_the_demoralized(margin: int, disorder: int, again: str, found: Failure) -> None:
    assert effectiveness.failure(margin, Standing(4, disorder), again) == found


@pytest.mark.rule("11.3.2c")
@pytest.mark.parametrize(("margin", "steps", "retreat"), [(1, 1, 0), (4, 2, 1), (8, 3, 1), (12, 4, 1)])
def test_what_a_failed_check_costs_asset_units_alone(margin: int, steps: int, retreat: int) -> None:
    assert effectiveness.failure(margin, Standing(lone_assets=True)) == Failure(0, retreat, steps)


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
        pytest.param([asset("a", "-", effectiveness=9), asset("b", "II", effectiveness=7)], 7, id="no size is least"),
        pytest.param([GUNS._replace(effectiveness=9), asset("b", "II", effectiveness=7)], 7, id="no artillery"),
        pytest.param([GUNS], 0, id="artillery alone"),
    ],
)
def test_the_level_with_which_a_force_checks(units: list[CombatUnit], cel: int) -> None:
    assert effectiveness.force_cel(units) == cel


@pytest.mark.rule("11.2.5e", "11.3.1a", "11.3.1d", "11.3.1e")
@pytest.mark.parametrize(
    ("units", "losses", "turn", "found"),
    [
        pytest.param([division()], [0], 1, [], id="nothing"),
        pytest.param([division(), asset("a")], [2, 1], 1, [6], id="two for each step lost"),
        pytest.param([division(lost=2)], [1], 1, [2], id="steps lost before add nothing"),
        pytest.param([division(), asset("a", low_supply=True)], [0, 0], 1, [1], id="Low Supply of one"),
        pytest.param([division(), asset("a", low_supply=True)], [0, 2], 1, [4], id="not of one that is gone"),
        pytest.param([division()], [5], 27, [10, 1], id="on its reduced side in Summer"),
        pytest.param([division()], [5], 28, [10], id="not in Autumn"),
        pytest.param([division()], [4], 27, [8], id="not before it turns"),
        pytest.param([division(), asset("a", reduced=True)], [0, 0], 1, [], id="a formation only"),
    ],
)
def test_what_a_forces_own_condition_adds(
    units: list[CombatUnit], losses: list[int], turn: int, found: list[int]
) -> None:
    assert amounts(effectiveness.force_modifiers(units, losses, turn)) == found


@pytest.mark.rule("11.3.1f", "11.3.1g", "11.3.1h", "13.3.3")
@pytest.mark.parametrize(
    ("flanked", "position", "retreat", "odds", "found"),
    [
        (False, 0, 0, "1:4", []),
        (True, 0, 0, "1:1", [1]),
        (False, 1, 0, "1:1", []),
        (False, 2, 0, "1:1", [-1]),
        (False, 4, 0, "1:1", [-1]),
        (False, 2, 1, "1:1", []),
        (False, 0, 0, "1:6", [-2]),
    ],
)
def test_what_concerns_defenders(flanked: bool, position: int, retreat: int, odds: str, found: list[int]) -> None:
    assert amounts(effectiveness.defender_modifiers(flanked, position, retreat, Odds.parse(odds))) == found


@pytest.mark.rule("11.3.1i", "11.3.1j", "10.9.1c")
@pytest.mark.parametrize(
    ("asterisk", "odds", "found"),
    [(False, "6:1", []), (True, "6:1", [-1]), (False, "9:1", [-1]), (False, "10:1", [-2]), (True, "7:1", [-1, -1])],
)
def test_what_concerns_attackers(asterisk: bool, odds: str, found: list[int]) -> None:
    assert amounts(effectiveness.attacker_modifiers(asterisk, Odds.parse(odds))) == found


@pytest.mark.rule("11.3.1c", "11.2.1b")
def test_each_hex_of_retreat_counts_against_a_stack() -> None:
    assert [amounts(effectiveness.stack_modifiers(hexes)) for hexes in (0, 1, 3)] == [[], [1], [3]]


# --- a combat with its dice -------------------------------------------------------------------------------------------

POSITION = """turn=1
accept reconstruction
40.20: 25/3 (10-?-0-9), 27/3 (10-?-0-9)
41.19 clear: 1/1 (12-16-0-11)
41.19|40.20 open
{}
"""


def fought(answers: str, more: str = "", **parameters: Any) -> Report[Any]:
    """Two Russian divisions against a German one, without APs, as far as these dice go."""
    given = {"at": "41.19", "attacker_ap": ("none",), "defender_ap": ("none",), **parameters}
    return answered(typed(POSITION.format(more) + f"answers {answers}"), "battle", **given)


@pytest.mark.rule("11.3", "7.2b")
@pytest.mark.parametrize(("roll", "passed"), [(11, True), (12, False)])
def test_a_check_is_passed_by_no_more_than_the_level(roll: int, passed: bool) -> None:
    """No steps are lost, so that nothing modifies the defender's roll."""
    text = "chart slrt summer Medium 1 = 0 / 0\nchart slrt summer Medium 0 = 0 / 0\nchart crt summer 1:1 7 = - / -"
    report = fought(f"crt=7 slrt=2/2 ec.40.20=2 ec.41.19={roll}", text)
    (check,) = [one for one in report.result.outcome.checks if one.force == "1/1"]
    assert (check.modified, check.cel, check.passed) == (roll, 11, passed)
