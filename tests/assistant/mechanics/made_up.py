"""Procedures made up at random, with rolls, choices and independent parts, and all their courses one by one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import NamedTuple

from assistant.mechanics.procedure import Apart, Choice, Dice, Done, Node, Notes, Procedure, Roll, Situation

ENDS = "won", "lost"
"""The quantities of these procedures: what the attacker gains and what he loses."""


def worth(notes: Notes) -> int:
    """What counts of them."""
    return int(notes.get("won", 0)) - int(notes.get("lost", 0))


def made_up(random: Random, depth: int = 3) -> Procedure:
    """A procedure that starts from ""; a situation is the way to it, as a text."""
    nodes: dict[str, Node] = {}

    def notes() -> dict[str, int | str | bool]:
        return {name: random.randint(0, 2) for name in ENDS if random.random() < 0.5}

    def build(at: str, left: int) -> None:
        kind = random.choice(["roll", "roll", "choice", "apart", "done"]) if left else "done"
        if kind == "roll":
            dice = Dice(random.choice([1, 1, 2]), random.choice([2, 3]))
            totals = [total for total, _ in dice.totals]
            targets = {total: f"{at}/{random.randint(0, 2)}" for total in totals}
            side = random.choice(["attacker", "defender", ""])
            nodes[at] = Roll(f"r{at}", "", "", dice, {}, targets.__getitem__, notes(), side)
            for target in {*targets.values()}:
                build(target, left - 1)
        elif kind == "choice":
            options = {f"{number}": f"{at}/c{number}" for number in range(random.randint(1, 3))}
            nodes[at] = Choice(f"c{at}", "", "", random.choice(["attacker", "defender"]), options, notes())
            for target in options.values():
                build(target, left - 1)
        elif kind == "apart":
            parts = {f"{number}": f"{at}/p{number}" for number in range(2)}
            nodes[at] = Apart(parts, notes())
            for target in parts.values():
                build(target, left - 1)
        else:
            nodes[at] = Done(notes())

    build("", depth)
    return lambda situation: nodes[str(situation)]


class Way(NamedTuple):
    """One course of a procedure: the faces of each roll and the option of each choice by name, and what it comes to."""

    chance: Fraction
    answers: dict[str, str]
    result: int


def ways(procedure: Procedure, start: Situation = "", options: dict[str, str] | None = None) -> Iterator[Way]:
    """Every course, each die of a roll by itself. options: of choices by their names, else every option is taken, each by
    itself, with the chance of its dice.
    """
    node = procedure(start)
    own = worth(node.notes)
    match node:
        case Roll():
            dice = node.dice
            for faces in product(range(1, dice.sides + 1), repeat=dice.number):
                for way in ways(procedure, node.then(sum(faces)), options):
                    answers = {node.name: "+".join(map(str, faces)), **way.answers}
                    yield Way(way.chance / dice.sides**dice.number, answers, own + way.result)
        case Choice():
            chosen = node.options if options is None else {options.get(node.name, next(iter(node.options))): ""}
            for option in chosen:
                for way in ways(procedure, node.options[option], options):
                    yield Way(way.chance, {node.name: option, **way.answers}, own + way.result)
        case Apart():
            for together in product(*(list(ways(procedure, part, options)) for part in node.parts.values())):
                chance, answers, result = Fraction(1), dict[str, str](), own
                for way in together:
                    chance, answers, result = chance * way.chance, {**answers, **way.answers}, result + way.result
                yield Way(chance, answers, result)
        case _:
            yield Way(Fraction(1), {}, own)
