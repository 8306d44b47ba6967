"""The size of a combat, retreats of the table, step losses and Effectiveness Checks, clause by clause (10.9 to 11.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Apart, Dice, Done, Modifier, Roll, Unknown
from assistant.questions.report import Report
from twilight_in_the_east.combat import odds
from twilight_in_the_east.combat.engagement import Engagement, Readings
from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.results import checks, crt, effectiveness, resolution, step_losses
from twilight_in_the_east.results.combat import Combat, combat_of
from twilight_in_the_east.results.effectiveness import Failure, Standing
from twilight_in_the_east.results.outcome import BattleOutcome, CheckOutcome, Obligation, advancing, drawn_along
from twilight_in_the_east.results.policies import Policy
from twilight_in_the_east.results.states import (
    Decided,
    ForceChecked,
    ForceChecks,
    ForceLoses,
    FortressesLose,
    Side,
    SideChecks,
    SideLoses,
    SideLost,
    SideRolls,
    Stack,
    StackChecked,
    StackChecks,
)
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


@pytest.mark.rule("10.9.1d", "10.9.1e")
def test_a_stack_of_attackers_has_no_fortress_unit_to_stand_in_for_it() -> None:
    assert crt.crt_retreat(crt.read_result("W2 B1"), 0) == (3, 0)


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


@pytest.mark.rule("11.1.1a")
def test_whoever_may_be_eliminated_comes_last_all_the_same() -> None:
    """b would rather lose nothing, but a has one step only."""
    shares = (Share("a", 1), Share("b", 3, rank=5))
    assert step_losses.distributions(shares, 1, may_eliminate=True) == ((0, 1), (1, 0))


@pytest.mark.rule("10.10.3h", "10.10.3i", "10.10.3j")
@pytest.mark.parametrize(
    ("flanked", "odds", "found"),
    [(False, "1:1", []), (True, "1:1", [2]), (False, "6:1", []), (False, "7:1", [1]), (False, "1:6", [-2])],
)
def test_what_concerns_the_defenders_roll(flanked: bool, odds: str, found: list[int]) -> None:
    assert amounts(step_losses.defender_modifiers(flanked, Odds.parse(odds))) == found


@pytest.mark.rule("11.1b")
def test_steps_of_a_check_go_to_anybody_the_equal_way_first() -> None:
    shares = (Share("a", 2), Share("b", 3))
    assert step_losses.free_distributions(shares, 2) == ((1, 1), (2, 0), (0, 2))
    assert step_losses.free_distributions(shares, 4) == ((2, 2), (1, 3))
    three = (*shares, Share("c", 2))
    assert set(step_losses.free_distributions(three, 1)) == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}


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
        pytest.param(
            [asset("g", "X", arm="artillery", effectiveness=9), asset("b", "II", effectiveness=7)], 7, id="of any size"
        ),
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
        pytest.param([division(), asset("a")], [5, 0], 27, [10, 1], id="whoever is with it"),
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


# --- the rolls and choices of a combat, one by one ----------------------------------------------------------------------

RUSSIANS = Side("attacker", (("40.20", 0),))


def russian(name: str = "R", **more: Any) -> CombatUnit:
    return division(name, nation="russian", place="40.20")._replace(**more)


def combat(attackers: list[CombatUnit], defenders: list[CombatUnit], **more: Any) -> Combat:
    """A combat at 1:1 in the open, on GT 1."""
    positions = {unit.place: 0 for unit in attackers}
    given = {"turn": 1, "terrain": "clear", "crossed": {}, "position": 0, "positions": positions, **more}
    return combat_of(Engagement("41.19", tuple(attackers), tuple(defenders), **given), EVEN, "Medium")


@pytest.mark.rule("10.9.1", "10.9.1b")
@pytest.mark.parametrize(("nations", "modifier"), [(("german",), 0), (("german", "russian"), 1), (("russian",), 1)])
def test_an_x_helps_attackers_who_are_all_german(nations: tuple[str, ...], modifier: int) -> None:
    attackers = [russian(f"R{number}", nation=nation) for number, nation in enumerate(nations)]
    parts = resolution.decided(combat(attackers, [division()]), Decided("+1 X", "+1 X")).parts
    assert parts["attacker"] == SideRolls(RUSSIANS, modifier)
    assert parts["defender"] == SideRolls(Side("defender", (("41.19", 0),)), 1), "its own X helps no defender"


@pytest.mark.rule("10.9.1", "10.9.1c", "10.9.1e", "13.3.1a")
def test_each_stack_of_attackers_retreats_by_its_own_ground() -> None:
    """That in 40.19 holds an Improved Position, which a black retreat does not drive it from."""
    two = combat([russian(), russian("Q", place="40.19")], [division()], positions={"40.20": 0, "40.19": 1})
    found = resolution.decided(two, Decided("W1 B1 *", "-"))
    side = Side("attacker", (("40.20", 2), ("40.19", 1)), asterisk=True)
    assert found.parts["attacker"] == SideRolls(side, 0)
    assert (found.notes["attacker.retreat"], found.notes["defender.retreat"]) == (2, 0)


@pytest.mark.rule("10.9.1d")
def test_without_a_fortress_unit_nobody_loses_steps_in_place_of_hexes() -> None:
    lose = FortressesLose(Side("defender", (("41.19", 2),)), 0, 0)
    assert resolution.absorbing([division()], lose) == {"none": SideRolls(lose.side, 0)}


@pytest.mark.rule("10.10.2", "10.10.3a")
def test_the_roll_for_step_losses() -> None:
    """One die, with the result's modifier and the others; here the chart's cell is not known."""
    roll = resolution.slrt_roll(combat([russian()], [division()]), SideRolls(RUSSIANS, 2), lambda *key: None)
    assert (roll.dice, amounts(roll.modifiers["attacker"])) == (Dice(1, 6), [2])
    assert roll.then(3) == Unknown("slrt", ("summer", "Medium", 5))


@pytest.mark.rule("11.1.1a", "11.1b")
@pytest.mark.parametrize(("reading", "ways"), [("spared", ["Q"]), ("owner", ["Q", "R"])])
def test_who_takes_a_step_where_one_has_a_single_step_left(reading: str, ways: list[str]) -> None:
    units = [russian(lost=9), russian("Q")]
    choice = resolution.share_losses(
        combat(units, [division()], readings=Readings(last_step=reading)), SideLoses(RUSSIANS, 1, 0)
    )
    assert list(choice.options) == ways


@pytest.mark.rule("11.1.1b", "12.2.1")
def test_what_fortress_units_have_absorbed_counts_as_lost_and_they_need_take_no_more() -> None:
    units = [division("D"), asset("F", arm="fortress", steps=4)]
    side = Side("defender", (("41.19", 0),), absorbed=(("F", 2),))
    choice = resolution.share_losses(combat([russian()], units), SideLoses(side, 1, 0))
    assert list(choice.options) == ["D", "F"]
    assert choice.notes == {"defender.losses": 1, "defender.steps": 3}


@pytest.mark.rule("11.1.1b")
def test_who_may_take_losses() -> None:
    """What a unit has lost before is gone, and so is what a fortress unit has just lost in place of hexes."""
    units = (division("D", lost=2), asset("F", arm="fortress"), asset("G", arm="fort"), GUNS)
    assert checks.shares(units, Side("defender", (), absorbed=(("F", 1),))) == (
        Share("D", 8),
        Share("F", 1, optional=True),
        Share("G", 2, optional=True),
        Share("guns", 1, guns=True),
    )


ADDED = (Modifier("11.3.1", "Low Supply", 1),)
CHECKING = StackChecks(
    Stack("40.20", "attacker", 0),
    (
        ForceChecks("A", 9, Standing(), ADDED, (Share("A", 5, rank=1), Share("a", 2, rank=3))),
        ForceChecks("B", 10, Standing(), (), (Share("B", 5, rank=2),)),
    ),
)


@pytest.mark.rule("11.3.1b", "10.10.2")
@pytest.mark.parametrize(
    ("ec", "policy", "order"),
    [
        pytest.param(1, Policy(), ["B", "A"], id="first who can best afford it"),
        pytest.param(1, Policy(modifier="least"), ["A", "B"], id="or least"),
        pytest.param(1, Policy(modifier="rank"), ["A", "B"], id="or in the owner's order of units"),
        pytest.param(0, Policy(), ["none"], id="nobody where the result has none"),
    ],
)
def test_which_force_takes_the_modifier_of_the_step_losses(ec: int, policy: Policy, order: list[str]) -> None:
    choice = checks.give_modifier(SideLost(RUSSIANS, (0, 0), ec), lambda side, lost: [CHECKING], policy)
    assert list(choice.options) == order


@pytest.mark.rule("11.3", "11.3.1b")
@pytest.mark.parametrize(("bonus", "found"), [("A", ([1, 1], [])), ("B", ([1], [1])), ("none", ([1], []))])
def test_one_force_takes_it_besides_its_own_modifiers(bonus: str, found: tuple[list[int], ...]) -> None:
    ((place, stack),) = checks.begin_checks(
        SideChecks(RUSSIANS, (), bonus), lambda side, lost: [CHECKING]
    ).parts.items()
    assert place == "40.20" and isinstance(stack, StackChecks)
    assert tuple(amounts(force[3]) for force in stack.forces) == found


@pytest.mark.rule("11.3", "7.2b")
@pytest.mark.parametrize(
    ("roll", "found"),
    [
        (8, [(True, Failure()), (True, Failure())]),
        (9, [(False, Failure(1)), (True, Failure())]),
        (10, [(False, Failure(1)), (True, Failure())]),
        (11, [(False, Failure(1)), (False, Failure(1))]),
        (12, [(False, Failure(2, 1)), (False, Failure(1))]),
    ],
)
def test_one_roll_is_read_by_each_force_with_its_modifiers(roll: int, found: list[tuple[bool, Failure]]) -> None:
    """A checks against 9 with 1 added, B against 10."""
    node = checks.roll_check(CHECKING, effectiveness.failure)
    assert isinstance(node, Roll)
    checked = node.then(roll)
    assert isinstance(checked, StackChecked)
    assert [(passed, suffered) for _, passed, suffered, _ in checked.forces] == found


@pytest.mark.rule("11.3", "11.3.2aa")
def test_a_stack_that_is_wiped_out_makes_no_check_and_leaves_its_hex() -> None:
    gone = CHECKING._replace(forces=())
    assert checks.roll_check(gone, effectiveness.failure) == Done({})
    assert checks.roll_check(gone._replace(stack=Stack("40.20", "defender", 0)), effectiveness.failure) == Done(
        {"defender.vacates": True}
    )


@pytest.mark.rule("11.3.2aa")
def test_what_a_failed_check_leaves_to_do() -> None:
    """A owes more steps than it has; B has passed."""
    a = ForceChecked("A", False, Failure(1, 2, 2, 2), (Share("A", 1),))
    b = ForceChecked("B", True, Failure(), (Share("B", 5),))
    owed = checks.after_check(StackChecked(Stack("40.20", "attacker", 0), (a, b)))
    figures = {"A": (False, 1, 2, 2, 2), "B": (True, 0, 0, 0, 0)}
    notes = {
        f"{name}.{what}": figure
        for name, each in figures.items()
        for what, figure in zip(("passes", "cel", "retreat", "steps", "disorder"), each, strict=True)
    }
    assert owed == Apart({"A": ForceLoses("attacker", "A", (Share("A", 1),), 2)}, notes | {"attacker.steps": 1})


STAYS, GOES, DIES = Failure(1), Failure(2, 1), Failure(0, 0, 2, 1)


@pytest.mark.rule("11.3.2aa", "10.1.5f")
@pytest.mark.parametrize(
    ("suffered", "retreat", "withheld", "leaves"),
    [
        pytest.param([STAYS], 0, False, False, id="it holds"),
        pytest.param([GOES], 0, False, True, id="its check drives it back"),
        pytest.param([STAYS], 1, False, True, id="the table does"),
        pytest.param([GOES, STAYS], 0, False, False, id="one of two holds"),
        pytest.param([GOES, DIES], 0, False, True, id="one retreats, one dies"),
        pytest.param([DIES], 0, False, True, id="nobody is left"),
        pytest.param([GOES], 0, True, True, id="who was withheld goes with the others"),
        pytest.param([GOES, DIES], 0, True, True, id="if only with some of them"),
        pytest.param([DIES], 0, True, False, id="but holds where nobody has to retreat"),
        pytest.param([], 0, True, False, id="nor had to"),
        pytest.param([], 1, True, True, id="and goes where the table says so to the dead"),
    ],
)
def test_whether_the_defender_leaves_his_hex(
    suffered: list[Failure], retreat: int, withheld: bool, leaves: bool
) -> None:
    forces = tuple(ForceChecked(f"{n}", one == Failure(), one, (Share(f"{n}", 2),)) for n, one in enumerate(suffered))
    stack = Stack("41.19", "defender", retreat, withheld=withheld)
    assert checks.after_check(StackChecked(stack, forces)).notes["defender.vacates"] is leaves
    held = StackChecked(stack._replace(stays=True), forces)
    assert checks.after_check(held).notes["defender.vacates"] is False, "a fortress unit holds it"


@pytest.mark.rule("11.3", "11.3.1a", "11.1.1c")
def test_a_force_checks_with_those_who_are_left() -> None:
    """The formation with its guns; its Asset Unit has just lost both its steps, and the second division all of its ten."""
    units = [russian(effectiveness=9, levels=1, disorder=1), asset("a", nation="russian", place="40.20")]
    units += [GUNS._replace(nation="russian", place="40.20"), russian("Q")]
    fight = combat(units, [division()], withheld=(division("W"),))
    side = Side("attacker", (("40.20", 1),), asterisk=True)
    (stack,) = checks.stacks_as_they_check(fight, side, (1, 2, 0, 10))
    ((name, cel, condition, modifiers, left),) = stack.forces
    assert (name, cel, condition) == ("R", 8, Standing(1, 1))
    assert amounts(modifiers) == [6, 1, -1], "three steps lost, a hex of retreat, the asterisk"
    assert left == (Share("R", 9), Share("guns", 1, guns=True))
    assert stack.stack == Stack("40.20", "attacker", 1, stays=False, withheld=False)


@pytest.mark.rule("11.3", "11.1.1c")
def test_asset_units_whose_formation_is_gone_check_alone_and_artillery_alone_does_not() -> None:
    units = [russian(lost=9), asset("a", nation="russian", place="40.20", effectiveness=7)]
    (stack,) = checks.stacks_as_they_check(combat(units, [division()]), RUSSIANS, (1, 1))
    assert [force[1:3] for force in stack.forces] == [(7, Standing(lone_assets=True))]
    guns = [russian(), GUNS._replace(nation="austro-hungarian", place="40.20")]
    (stack,) = checks.stacks_as_they_check(combat(guns, [division()]), RUSSIANS, (0, 0))
    assert [force[0] for force in stack.forces] == ["R"]


@pytest.mark.rule("11.3", "11.1.1c", "11.3.1a")
@pytest.mark.parametrize("withheld", [False, True])
def test_withheld_defenders_make_no_check(withheld: bool) -> None:
    """The one who fights holds a Level 2 position, and has lost one step."""
    fight = combat([russian()], [division()], position=2, withheld=(division("W"),) * withheld)
    (stack,) = checks.stacks_as_they_check(fight, Side("defender", (("41.19", 0),), asterisk=True), (1,))
    assert [(force[0], amounts(force[3])) for force in stack.forces] == [("A", [2, -1])]
    assert (stack.stack.withheld, stack.stack.stays) == (withheld, False)


@pytest.mark.rule("12.2.1", "11.3")
@pytest.mark.parametrize("arm", ["fortress", "fort"])
@pytest.mark.parametrize(
    ("absorbed", "lost", "holds"), [(0, 0, True), (0, 1, True), (0, 2, False), (1, 0, True), (1, 1, False)]
)
def test_a_fortress_unit_never_checks_and_holds_its_hex_while_it_has_a_step(
    arm: str, absorbed: int, lost: int, holds: bool
) -> None:
    units = [division(), asset("F", arm=arm)]
    side = Side("defender", (("41.19", 1),), absorbed=(("F", absorbed),))
    (stack,) = checks.stacks_as_they_check(combat([russian()], units), side, (0, lost))
    assert ([force[0] for force in stack.forces], stack.stack.stays) == (["A"], holds)


@pytest.mark.rule("10.1.5f")
@pytest.mark.parametrize(
    ("obliged", "dead", "hexes"),
    [
        pytest.param([("41.19", 3), ("41.19", 2)], [], 2, id="the smallest retreat of the others"),
        pytest.param([("41.19", 3), ("40.20", 1)], [], 3, id="not one from another hex"),
        pytest.param([("41.19", 3)], [("41.19", 1)], 3, id="of the dead only where nobody else is left"),
        pytest.param([], [("41.19", 0), ("41.19", 2)], 2, id="of these who had to retreat"),
        pytest.param([], [], None, id="nobody has to"),
    ],
)
def test_how_far_withheld_defenders_go(
    obliged: list[tuple[str, int]], dead: list[tuple[str, int]], hexes: int | None
) -> None:
    fight = combat([russian()], [division()], withheld=(division("W"),)).engagement
    duties, gone = ([Obligation("X", place, n, 0, n) for place, n in listed] for listed in (obliged, dead))
    found = drawn_along(fight, duties, gone)
    assert [(duty.force, duty.hexes) for duty in found] == ([("W", hexes)] if hexes else [])


def outcome_of(side: str, force: str, steps: int = 0) -> CheckOutcome:
    losses = {force: steps} if steps else None
    return CheckOutcome(force, side, "", 2, (), 2, 9, -7, True, 0, 0, steps, 0, losses)


@pytest.mark.rule("11.4", "11.4.2")
def test_who_advances_is_alive_has_not_retreated_and_is_no_garrison() -> None:
    units = [russian("A"), russian("B", lost=9), russian("C"), russian("D", garrison=True)]
    every = tuple(outcome_of("attacker", unit.id, steps=unit.id == "B") for unit in units)
    after = BattleOutcome(
        checks=(*every, outcome_of("defender", "E")), obligations=(Obligation("C", "40.20", 0, 1, 1),), vacated=True
    )
    assert advancing(combat(units, [division("E")]), after).advance == ("A",)


@pytest.mark.rule("11.4")
def test_nobody_advances_into_a_hex_that_the_defender_holds() -> None:
    after = BattleOutcome(checks=(outcome_of("attacker", "R"),), vacated=False)
    assert advancing(combat([russian()], [division()]), after).advance == ()


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


@pytest.mark.rule("11.1", "7.1", "7.4", "3.4.1b", "10.1b", "10.3b")
def test_what_a_combat_leaves_of_those_who_fail_their_checks() -> None:
    """Both fail by 6 at level -3: a level, a step, two hexes and D1 each. 27/3 has one step: only its removal is told, and so
    it is of the Asset Unit that takes the step of 25/3."""
    text = """turn=1
accept reconstruction
40.20: 25/3 (10-?-0-9) cel=-3, russian infantry III a (1-?-0-6), 27/3 (1-?-0-9) cel=-3 prepared=38.20
41.19 clear: 1/1 (12-16-0-11)
41.19|40.20 open
chart crt summer 1:1 7 = - / -
chart slrt summer Medium 1 = 0 / 0
chart slrt summer Medium 0 = 0 / 0
answers crt=7 slrt=2/2 ec.40.20=12 ec.41.19=2 losses.25/3=a
"""
    report = answered(typed(text), "battle", at="41.19", attacker_ap=("none",), defender_ap=("none",))
    left = {change.subject: {} for change in report.changes}
    for change in report.changes:
        left[change.subject][change.track] = (change.before, change.after)
    assert left == {
        "25/3": {
            "cel": (-3, -4),
            "disorder": (None, 1),
            "fought": (None, True),
            "owes": (None, 2),
        },
        "a": {"place": ("40.20", None)},
        "27/3": {"place": ("40.20", None)},
        "41.19": {"attacked": (None, True)},
        "1/1": {"fought": (None, True)},
    }
