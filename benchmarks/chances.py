"""Battles: with dice, with all their chances, and a threat of many, beside one fight, dice libraries and rolling ten thousand times."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import msgspec

import assistant
from assistant.asking.parameters import read_parameters
from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.installed.formats import read_position
from assistant.installed.registry import load_game, question_of
from assistant.mechanics.chances import Chances, Values, chances
from assistant.mechanics.procedure import Apart, Choice, Dice, Done, Node, Procedure, Roll, Situation, first_option
from assistant.service import answers_to, ask
from benchmarks.cold import GAME
from benchmarks.front import front_line
from benchmarks.measuring import EXAMPLES, TIMES, Bench, Environment, Row, always, least
from twilight_in_the_east.combat.before_dice import evaluate_combat
from twilight_in_the_east.combat.engagement import BattleParameters
from twilight_in_the_east.combat.pieces import Pieces
from twilight_in_the_east.combat.setup import Setup
from twilight_in_the_east.results.resolution import Start, resolution

DICE = Environment("dice", ("icepool", "dyce"))


def rows(bench: Bench) -> Iterator[Row]:
    """The battle of the rulebook's example, a front's threat, and a small procedure that any dice library can say."""
    sizes = bench.sizes
    with_dice, before = (read_position(str(EXAMPLES / f"{name}.pos")) for name in ("battle", "battle-before"))
    answered, once = least(3 * sizes.runs, always(partial(ask, with_dice)), always(fight(with_dice)))
    yield Row("`battle` with dice, warm", "one fight", answered, once)
    fronts = [assistant.parse(front_line(load_game(GAME), units)) for units in (sizes.threat, sizes.threat // TIMES)]
    threats = [always(partial(ask, position, "threat", side="russian")) for position in fronts]
    threat, fewer, once = least(sizes.runs, *threats, always(fight(before)))
    what = f"`threat` of a front of {sizes.threat} units, warm"
    yield Row(what, "one fight with all its chances", threat, once, 15, smaller=fewer)
    make = procedure_of(before)
    (rolled,) = least(1, always(partial(roll, make(), sizes.rolls)))
    built, three = least(3 * sizes.runs, lambda: partial(exact, make()), always(three_rolls))
    what = f"all chances of the rulebook's combat, {exact(make()).situations} situations"
    yield Row(what, f"{sizes.rolls:,} resolutions with random dice (not exact)", built, rolled, more=True)
    peers = bench.times(DICE, "dice.py")
    for name in DICE.packages:
        yield Row("three rolls in a row, each after the one before", name, three, peers.get(name), more=True)


def fight(position: Position) -> Callable[[], object]:
    """The answer to the battle that a position asks for, with its dice if they are stated, and nothing tried beside it."""
    question, asked = question_of(position.game, "battle"), position.asks[0]
    parameters = read_parameters(question, View(position.game, position.state), asked.parameters)
    answers = answers_to(position, asked)
    return lambda: question.answer(View(position.game, position.state), parameters, answers)


def procedure_of(position: Position) -> Callable[[], Procedure]:
    """Makes the procedure of the combat that a position asks for."""
    view = View(position.game, position.state)
    parameters = read_parameters(question_of(position.game, "battle"), view, position.asks[0].parameters)
    assert isinstance(parameters, BattleParameters)
    _, conditions = evaluate_combat(Setup(view, parameters).engage())
    conditions = msgspec.structs.replace(conditions, pieces=Pieces(view))
    return partial(resolution, conditions, view.cell)


def exact(procedure: Procedure) -> Chances:
    """All chances of the combat."""
    return chances(procedure, Start(), first_option)


def roll(procedure: Procedure, times: int) -> dict[object, int]:
    """So many resolutions with random dice, and how often the attacker lost how many steps."""
    thrown, seen = random.Random(1), dict[object, int]()
    for _ in range(times):
        steps, todo = 0, list[Situation]([Start()])
        while todo:
            node = procedure(todo.pop())
            steps += int(node.notes.get("attacker.steps", 0))
            match node:
                case Roll():
                    faces = (thrown.randint(1, node.dice.sides) for _ in range(node.dice.number))
                    todo.append(node.then(sum(faces)))
                case Choice():
                    todo.append(node.options[first_option(node)])
                case Apart():
                    todo.extend(node.parts.values())
        seen[steps] = seen.get(steps, 0) + 1
    return seen


# --- a procedure that any dice library can say ------------------------------------------------------------------------


class Small(NamedTuple):
    """rolled: how many rolls are done; known: the first total, then the steps lost."""

    rolled: int = 0
    known: int = 0
    passes: bool = False


def small(situation: Situation) -> Node:
    """Two dice for a result, one for the steps lost by it, two for a check that these make harder."""
    match situation:
        case Small(0):
            return Roll("crt", "", "", Dice(2, 6), {}, lambda crt: Small(1, crt))
        case Small(1, crt):
            return Roll("loss", "", "", Dice(1, 6), {}, lambda loss: Small(2, max(0, crt // 3 + loss - 3)))
        case Small(2, steps):
            return Roll("check", "", "", Dice(2, 6), {}, lambda check: Small(3, steps, check + steps <= 9))
        case Small(3, steps, passes):
            return Done({"steps": steps, "passes": passes})
    raise TypeError(situation)


def three_rolls() -> dict[Values, Fraction]:
    """Steps lost and whether the check is passed, together; `peers/dice.py` has the same for the libraries."""
    return chances(small, Small(), first_option).joint("steps", "passes")
