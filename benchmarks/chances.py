"""Exact chances, beside dice libraries and rolling ten thousand times."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import msgspec

from assistant.asking.parameters import read_parameters
from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.installed.formats import read_position
from assistant.installed.registry import question_of
from assistant.mechanics.chances import Chances, Values, chances
from assistant.mechanics.procedure import Apart, Choice, Dice, Done, Node, Procedure, Roll, Situation, first_option
from assistant.service import ask
from benchmarks.cli import EXAMPLES
from benchmarks.front import six_against_three, ten_at_hand
from benchmarks.measuring import Bench, Environment, Goal, Row, Table, warm
from twilight_in_the_east.combat.before_dice import evaluate_combat
from twilight_in_the_east.combat.engagement import BattleParameters
from twilight_in_the_east.combat.pieces import Pieces
from twilight_in_the_east.combat.setup import Setup
from twilight_in_the_east.results.resolution import Start, resolution

DICE = Environment("dice", ("icepool", "dyce"))
MARGINALS = ("attacker.steps", "defender.retreat", "25/3.passes", "crt")


def table(bench: Bench) -> Table:
    """The combat of the rulebook's example, and a small procedure that any dice library can say."""
    runs = bench.sizes.runs * 5
    make = example()
    procedure = make()
    every = exact(procedure)
    build = warm(lambda: exact(make()), runs)  # a procedure of its own each time: it remembers what it was asked
    rolled = warm(lambda: roll(procedure, bench.sizes.monte_carlo), 1)
    slowest = max(warm(partial(every.marginal, name), runs) for name in MARGINALS)
    three = warm(three_rolls, runs)
    peers = bench.times(DICE, "dice.py")
    what = f"the combat of the example: {every.situations} situations"
    many = f"{bench.sizes.monte_carlo:,} resolutions by the same functions (not exact)"
    rows = [
        Row(f"{what}, built", build, goal=Goal(below=0.003)),
        Row(f"{what}, built", build, many, rolled, Goal(times=20)),
        Row(f"one of its quantities (the slowest of {len(MARGINALS)})", slowest, goal=Goal(below=0.0005)),
    ]
    rows += six_stacks(runs)
    rows.append(need(bench.sizes.runs))
    rows += [Row("three rolls in a row, built and read", three, name, peers.get(name)) for name in DICE.packages]
    about = (
        "Warm, in one process. The combat is the example after 11.4.2 in the rulebook of *Twilight in the East*, with "
        "every roll, every retreat hex by hex and every Effectiveness Check. Its resolutions follow the same "
        "procedure with random dice, without trace or report. The libraries support no choices and no independent "
        "parts, so they get three rolls, each of which depends on the one before. In the large combat two divisions "
        "and guns attack from each of the six hexes around a stack of three Forces; its quantities are all those with "
        "a name, one at a time."
    )
    return Table("Chances", about, rows)


def example() -> Callable[[], Procedure]:
    """Makes the procedure of the example's combat."""
    return procedure_of(read_position(str(EXAMPLES / "battle-before.pos")))


def procedure_of(position: Position) -> Callable[[], Procedure]:
    """Makes the procedure of the combat that a position asks for."""
    view = View(position.game, position.state)
    parameters = read_parameters(question_of(position.game, "battle"), view, position.asks[0].parameters)
    assert isinstance(parameters, BattleParameters)
    _, conditions = evaluate_combat(Setup(view, parameters).engage())
    conditions = msgspec.structs.replace(conditions, pieces=Pieces(view))
    return partial(resolution, conditions, view.cell)


def six_stacks(runs: int) -> list[Row]:
    """A combat of six stacks against three Forces: built, and the slowest of all its quantities."""
    make = procedure_of(read_position("six-against-three.pos", six_against_three().encode()))
    every = exact(make())
    slowest = max(warm(partial(every.marginal, name), runs) for name in every.quantities)
    what = f"six stacks against three Forces: {every.situations} situations"
    return [
        Row(f"{what}, built", warm(lambda: exact(make()), runs), goal=Goal(below=0.02)),
        Row(f"one of its quantities (the slowest of {len(every.quantities)})", slowest, goal=Goal(below=0.005)),
    ]


def need(runs: int) -> Row:
    """What a column takes: the search over ten units at hand, the chances at each column, what the enemy could do."""
    position = read_position("ten-at-hand.pos", ten_at_hand().encode())
    report = ask(position)
    what = f"`need` over ten units at hand: chances at {len(report.result.columns)} columns, {len(report.result.countermoves)} countermoves"
    return Row(what, warm(lambda: ask(position), runs), goal=Goal(below=0.5))


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
