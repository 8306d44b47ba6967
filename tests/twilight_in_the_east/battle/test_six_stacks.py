"""A large combat: six stacks of two divisions and guns against three Forces. Its chances stay exact."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

from assistant.mechanics.chances import Chances, chances
from assistant.mechanics.procedure import Apart, Choice, Procedure, Roll, Situation, first_option
from benchmarks.chances import procedure_of
from benchmarks.front import six_against_three
from twilight_in_the_east.results.resolution import Start

from ...cases import thorough
from ...conftest import typed


@pytest.fixture(scope="module")
def procedure() -> Procedure:
    return procedure_of(typed(six_against_three()))()


@pytest.fixture(scope="module")
def every(procedure: Procedure) -> Chances:
    return chances(procedure, Start(), first_option)


def test_equal_situations_merge(every: Chances) -> None:
    """Some hundreds, where ten rolls of two dice and four of one die have 10^14 ways to fall."""
    assert every.situations < 1000


def test_every_quantity_has_an_exact_distribution(every: Chances) -> None:
    assert len(every.quantities) > 60
    for name in every.quantities:
        assert sum(every.marginal(name).values()) == 1
        assert all(isinstance(chance, Fraction) for chance in every.marginal(name).values())


def test_steps_lost_are_those_of_the_table_and_those_of_the_checks(every: Chances) -> None:
    """Means add up, whatever depends on what; the defender loses more, as it is surrounded and surrenders if it has to retreat."""
    names = [name for name in every.quantities if name.endswith(".steps") and name.partition(".")[0] != "attacker"]
    mine = [name for name in names if int(name.partition("/")[2].partition(".")[0] or 0) in range(2, 4)]
    assert every.mean("attacker.steps") == every.mean("attacker.losses") + sum(every.mean(name) for name in mine)
    assert every.mean("defender.steps") > every.mean("defender.losses")
    assert every.probability(lambda yes: yes is True, "1/1.surrenders") > 0


@thorough
def test_rolling_many_times_comes_near(procedure: Procedure, every: Chances) -> None:
    """An independent reading of the same procedure: four thousand combats with dice that fall the same in every run."""
    dice, times = random.Random(1914), 4000
    seen: dict[str, Counter[object]] = {"crt": Counter(), "attacker.losses": Counter(), "1/1.passes": Counter()}
    for _ in range(times):
        todo = list[Situation]([Start()])
        while todo:
            node = procedure(todo.pop())
            for name in seen.keys() & node.notes.keys():
                seen[name][node.notes[name]] += 1
            match node:
                case Roll():
                    todo.append(node.then(sum(dice.randint(1, node.dice.sides) for _ in range(node.dice.number))))
                case Choice():
                    todo.append(node.options[first_option(node)])
                case Apart():
                    todo.extend(node.parts.values())
    for name, counted in seen.items():
        for value, chance in every.marginal(name).items():
            if value is not None:
                assert abs(counted[value] / times - float(chance)) < 0.04, (name, value)
