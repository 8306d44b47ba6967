"""Dice thrown at random, for battles that are told of luck."""

from __future__ import annotations

from random import Random

from assistant.mechanics.luck import Valuation
from assistant.mechanics.procedure import Apart, Choice, Roll, Situation


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
