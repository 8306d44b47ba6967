"""Evenings that are made up: battles with dice thrown at random, as they are told of luck."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from assistant.mechanics.luck import ProcedureLuck, Valuation, all_chances, distribution_of
from assistant.mechanics.procedure import Apart, Choice, Procedure, Roll, Situation, first_option
from assistant.records.luck.evening import BattleLuck, SideOfBattle

from ...mechanics.made_up import made_up, worth

AMOUNTS = {"won": 1, "lost": -1}


def throw_dice(value: Valuation, start: Situation, random: Random) -> dict[str, str]:
    """Random dice for each roll that is reached; choices as the policy has them."""
    answers: dict[str, str] = {}
    todo = [start]
    while todo:
        match value.node(todo.pop()):
            case Roll() as roll:
                total = sum(random.randint(1, roll.dice.sides) for _ in range(roll.dice.number))
                answers[roll.name] = str(total)
                todo.append(roll.then(total))
            case Choice() as choice:
                answers[choice.name] = value.option(choice)
                todo.append(choice.options[value.option(choice)])
            case Apart(parts=parts):
                todo += parts.values()
    return answers


class Fight:
    """A battle that may be played again and again. side: of its attacker, red or blue."""

    def __init__(self, procedure: Procedure, start: Situation, side: str) -> None:
        self.value, self.start, self.side = Valuation(procedure, first_option, worth), start, side
        self.swing = distribution_of(all_chances(procedure, start, first_option), AMOUNTS)

    def play(self, random: Random) -> ProcedureLuck:
        """The battle with random dice."""
        return self.value.measure(self.start, throw_dice(self.value, self.start, random))

    def told(self, course: ProcedureLuck, number: int = 1) -> BattleLuck:
        """The battle as it is told."""
        none = Fraction(0)
        sides = tuple(
            SideOfBattle(role=role, side=side, expected=none, lost=0, percentile=none, chances={})
            for role, side in (("attacker", self.side), ("defender", "blue" if self.side == "red" else "red"))
        )
        return BattleLuck(
            number=number,
            step=number,
            last=number,
            when="",
            question="battle",
            title="",
            sides=sides,
            expected=course.start,
            swing=course.result,
            percentile=self.swing.percentile(course.result),
            chances={value: self.swing.chance(value) for value in self.swing.weights},
        )


def fights(seed: int, count: int) -> list[Fight]:
    """Battles with more than one outcome, some with red and some with blue as attacker."""
    found: list[Fight] = []
    number = 0
    while len(found) < count:
        fight = Fight(made_up(Random(f"{seed} fight {number}")), "", "red" if number % 3 else "blue")
        found += [fight] if len(fight.swing.weights) > 1 else []
        number += 1
    return found
