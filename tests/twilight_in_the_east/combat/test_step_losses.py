"""Step losses: their modifiers and who takes them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.mechanics.odds import Odds
from twilight_in_the_east.combat.before_dice import (
    artillery_modifiers,
    attacker_loss_modifiers,
    defender_loss_modifiers,
    german_modifier,
)
from twilight_in_the_east.combat.engagement import Engagement
from twilight_in_the_east.forces.losses import (
    Losses,
    Share,
    Ways,
    by_unit,
    distributions,
    free_distributions,
    why_not_spread,
)

from ..results.conftest import GUNS, amounts, asset, division


@pytest.mark.rule("10.10.3b", "10.10.3c", "2.1i")
def test_the_opponents_artillery() -> None:
    """Rounded from the half."""
    values = {
        "0": 0,
        "2": 0,
        "9/4": 0,
        "5/2": 1,
        "3": 1,
        "6": 1,
        "7": 2,
        "11": 2,
        "12": 3,
        "17": 3,
        "18": 4,
        "24": 4,
        "25": 5,
    }
    found = {value: artillery_modifiers([division()], Fraction(value)) for value in values}
    assert {value: sum(amounts(modifiers)) for value, modifiers in found.items()} == values


@pytest.mark.rule("10.10.3b", "10.10.3c", "2.1i")
def test_no_artillery_at_all_is_better_than_artillery_without_an_ap() -> None:
    without = division(artillery=0)
    assert amounts(artillery_modifiers([without], Fraction(0))) == [-1]
    for units in ([division()], [without, GUNS], [asset("f", arm="fort")], [asset("f", arm="fortress")]):
        assert artillery_modifiers(units, Fraction(0)) == ()


@pytest.mark.rule("10.10.3d")
def test_german_units_only() -> None:
    german, other = division("a", nation="german"), division("b", nation="austro-hungarian")
    alone, mixed = (Engagement("41.19", (), units, turn=1) for units in ((german,), (german, other)))
    assert amounts(german_modifier(all_german=alone.all_german("defender"))) == [-1]
    assert german_modifier(all_german=mixed.all_german("defender")) == ()


@pytest.mark.rule("10.10.3e", "10.10.3f", "10.10.3g", "13.3.2")
def test_modifiers_of_the_attackers_roll() -> None:
    even, sound = Odds.parse("1:1"), division()
    demoralized = [sound, division("b", levels=4)]
    assert amounts(attacker_loss_modifiers(demoralized, 0, even)) == [-3]
    assert amounts(attacker_loss_modifiers([division("c", disorder=1)], 0, even)) == [-3]
    assert [amounts(attacker_loss_modifiers([sound], level, even)) for level in (3, 4)] == [[], [1]]
    assert attacker_loss_modifiers([sound], 4, even, hardship=False) == (), "where it does not tell"
    columns = {"6:1": 0, "7:1": -1, "8:1": -1, "9:1": -2, "10:1": -2, "11:1": -3, "12:1": -3}
    found = {odds: sum(amounts(attacker_loss_modifiers([sound], 0, Odds.parse(odds)))) for odds in columns}
    assert found == columns


@pytest.mark.rule("10.10.3h", "10.10.3i", "10.10.3j", "10.4.3")
def test_modifiers_of_the_defenders_roll() -> None:
    columns = {"1:1": 0, "6:1": 0, "7:1": 1, "9:1": 1, "10:1": 2, "12:1": 2, "1:4": 0, "1:5": -1, "1:6": -2}
    found = {odds: sum(amounts(defender_loss_modifiers(Odds.parse(odds), is_flanked=False))) for odds in columns}
    assert found == columns
    assert amounts(defender_loss_modifiers(Odds.parse("1:1"), is_flanked=True)) == [2]


@pytest.mark.rule("11.1.1b")
def test_fortress_units_may_stand_aside() -> None:
    shares = (Share("division", 5), Share("fort", 4, optional=True))
    assert distributions(shares, 2) == ((2, 0), (1, 1))
    assert distributions((Share("fort", 4, optional=True),), 1) == ((1,),)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=3), st.integers(0, 8), st.booleans())
def test_distributions_are_exactly_the_even_ones(left: list[int], steps: int, may_eliminate: bool) -> None:
    """A distribution is legal if no loss could have been moved from a unit to one that has at least two fewer and
    would survive it, and, by one reading, if nobody is eliminated while another could have taken the loss and lived."""
    shares = tuple(Share(str(n), steps_left) for n, steps_left in enumerate(left))
    found = set(distributions(shares, steps, may_eliminate=may_eliminate))
    everything = product(*(range(steps_left + 1) for steps_left in left))
    legal = set()
    for lost in everything:
        if sum(lost) != min(steps, sum(left)):
            continue
        living = [n for n in range(len(left)) if left[n] - lost[n] > 1]  # could take one more and live
        uneven = any(lost[giver] >= lost[n] + 2 and lost[giver] > 0 for n in living for giver in range(len(left)))
        wasted = any(lost[n] == left[n] for n in range(len(left))) and bool(living)
        if not uneven and (may_eliminate or not wasted):
            legal.add(lost)
    assert found == legal


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
    assert distributions(tuple(shares), steps)[0] == first


@pytest.mark.rule("11.1.1a", "11.1b")
@pytest.mark.parametrize(
    ("left", "steps", "spared", "owner"),
    [
        ((3, 1), 1, {(1, 0)}, {(1, 0), (0, 1)}),
        ((3, 1), 2, {(2, 0)}, {(2, 0), (1, 1)}),
        ((2, 2), 2, {(1, 1)}, {(1, 1)}),
        ((2, 2), 3, {(2, 1), (1, 2)}, {(2, 1), (1, 2)}),
        ((3, 2), 3, {(2, 1)}, {(2, 1), (1, 2)}),
        ((3, 3), 3, {(2, 1), (1, 2)}, {(2, 1), (1, 2)}),
        ((1, 1), 1, {(1, 0), (0, 1)}, {(1, 0), (0, 1)}),
    ],
)
def test_whether_a_last_step_may_be_lost_in_turn_is_a_ruling(
    left: tuple[int, ...], steps: int, spared: set[tuple[int, ...]], owner: set[tuple[int, ...]]
) -> None:
    shares = tuple(Share(name, steps_left) for name, steps_left in zip("ab", left, strict=True))
    found = [distributions(shares, steps, may_eliminate=may_eliminate) for may_eliminate in (False, True)]
    assert [set(one) for one in found] == [spared, owner]
    assert [len(one) for one in found] == [len(spared), len(owner)], "each way once"
    assert distributions(shares, steps) == found[1], "the owner determines it"
    assert found[1][0] == found[0][0], "who loses his last step comes last"


@pytest.mark.rule("11.1.1a")
def test_why_a_way_to_share_out_losses_is_refused_that_a_player_may_have_in_mind() -> None:
    last_step = (
        "a unit would lose its last step while another can take the loss (ruling last-step=owner would allow it)"
    )
    shares = (Share("A", 1), Share("B", 3))
    said = {answer: why_not_spread(shares, 1, False, answer) for answer in ("A", "B,B")}
    assert said == {"A": last_step, "B,B": ""}
    marsch = (Share("M", 2, later=True), Share("D", 2))
    assert [why_not_spread(marsch, 1, True, answer) for answer in ("M", "D,D")] == [
        "a Marsch unit does not take the first step loss of an Austro-Hungarian attack (23.8)",
        "",
    ]


@pytest.mark.rule("11.1b")
def test_steps_that_a_check_or_a_retreat_costs_need_not_be_shared_equally() -> None:
    """The way that shares them equally comes first."""
    shares = (Share("D", 5), Share("E", 1))
    assert free_distributions(shares, 2) == ((2, 0), (1, 1))
    assert free_distributions((Share("D", 5), Share("E", 4)), 2) == ((1, 1), (2, 0), (0, 2))
    assert free_distributions(shares, 9) == ((5, 1),)
    two = (Share("a", 2), Share("b", 3))
    assert free_distributions(two, 4) == ((2, 2), (1, 3))
    assert set(free_distributions((*two, Share("c", 2)), 1)) == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}


def test_ways_are_read_as_typed_and_only_what_is_read_is_made() -> None:
    shares = tuple(Share(f"unit {number}", 2 + number % 3) for number in range(12))
    every, made = distributions(shares, 6), list[Losses]()

    def then(losses: Losses) -> tuple[tuple[str, int], ...]:
        made.append(losses)
        return by_unit(shares, losses)

    ways = Ways(shares, every, then)
    first, second = list(ways)[:2]
    assert (len(ways), ways[first], made) == (len(every), by_unit(shares, every[0]), [every[0]])
    assert ways[second] == by_unit(shares, every[1]) and made == [*every[:2]]
    assert [*ways.values()] == [by_unit(shares, losses) for losses in every]
    assert "unit 12" not in ways
    assert {**Ways(shares[:2], [(0, 0), (2, 1)], sum)} == {"none": 0, "unit 0,unit 0,unit 1": 3}
