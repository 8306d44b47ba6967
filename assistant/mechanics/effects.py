"""The effects of a table's results, carried out one by one in the printed order. Some leave a choice to a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Annotated, Generic, Literal, NamedTuple, TypeVar

import msgspec

from ..state.state import CellKey
from ..util.errors import CodeError, nearest
from ..util.notes import note
from .procedure import Apart, Choice, Dice, Done, Node, Notes, Procedure, Quantity, Roll, Situation, Stuck, Unknown

F = TypeVar("F")
DIE = Dice(1, 6)
"""The dice for rolls after a result."""


class Result(msgspec.Struct, frozen=True):
    """A result of a combat table, as the explanation beside the table defines it."""

    code: str
    meaning: str
    effects: Annotated[tuple[str, ...], note("the effects, as `SIDE:ACTION` in the printed order")] = ()
    retreats: Literal["attacker", "defender", ""] = ""
    pursues: Literal["attacker", "defender", ""] = ""
    pursuit: Annotated[int, note("hexes of pursuit, 0 if the result does not limit them")] = 0
    hexes: Annotated[int, note("hexes of retreat")] = 1


class Fought(NamedTuple, Generic[F]):
    """A result of which some effects have been carried out."""

    code: str
    done: Annotated[int, note("the number of effects carried out")] = 0
    fates: Annotated[tuple[F, ...], note("the fates from these effects")] = ()


class Further(NamedTuple):
    """A die that is thrown after a result."""

    name: str
    title: str
    number: Annotated[int, note("the number rolled, 0 before the roll")] = 0
    rule: str = ""
    side: Annotated[str, note("the side that throws it")] = ""


class Effects(NamedTuple, Generic[F]):
    """The effects of results in a combat.

    `ways`: takes the side and the action of an effect, and the fates so far. It returns the further fates for each
    option of the owner, or for the option "" if there is no choice. The mapping is empty if the effect concerns no
    unit.
    """

    results: Annotated[Mapping[str, Result], note("results by code")]
    ways: Callable[[str, str, Sequence[F]], Mapping[str, tuple[F, ...]]]
    titles: Annotated[Mapping[str, str], note('titles of the choices, by action, with "{}" for the side')]
    missing: Annotated[Callable[[F], CellKey | None], note("the chart cell that decides a fate")]
    further: Annotated[Callable[[Fought[F]], Mapping[str, str]], note("dice rolled after a result, with titles")]
    choice_rule: str
    die_rule: str
    notes: Annotated[
        Callable[[Fought[F]], Notes] | None, note("the quantities that are known once a result is carried out")
    ] = None

    def result(self, code: str) -> Result:
        """Return the result with a code such as "DR". Raises CodeError if the game does not define that result."""
        if code not in self.results:
            raise CodeError(
                f"the chart gives the result {code!r}, which its `Result`s lack", nearest(code, self.results)
            )
        return self.results[code]

    def carry_on(self, fought: Fought[F]) -> tuple[Fought[F], dict[str, Situation]]:
        """Return a result with effects carried out up to the next choice of an owner, and the options there.

        There are no options if all effects have been carried out.
        """
        for effect in self.result(fought.code).effects[fought.done :]:
            role, _, action = effect.partition(":")
            ways = self.ways(role, action, fought.fates)
            fought_by_option = {
                name: Fought(fought.code, fought.done + 1, (*fought.fates, *fates)) for name, fates in ways.items()
            }
            if fought_by_option and "" not in fought_by_option:
                return fought, {**fought_by_option}
            fought = fought_by_option.get("", fought._replace(done=fought.done + 1))
        return fought, {}

    def carry_out(self, fought: Fought[F]) -> Node:
        """Return the next choice that a result leaves to an owner, or the end of the combat, after further dice.

        The combat does not end while a fate needs an unknown chart cell. A choice is named after its effect,
        `attacker.lose`; if the result has the same effect again, that choice is `attacker.lose.2`.
        """
        fought, options = self.carry_on(fought)
        if options:
            effects = self.result(fought.code).effects
            effect = effects[fought.done]
            before = effects[: fought.done].count(effect)
            role, _, action = effect.partition(":")
            name = f"{role}.{action}" + (f".{before + 1}" if before else "")
            title = f"{fought.code}: {self.titles[action].format(role)}"
            return Choice(name, self.choice_rule, title, role, options)
        notes: dict[str, Quantity] = {"outcome": fought.code, **(self.notes(fought) if self.notes else {})}
        for cell in filter(None, map(self.missing, fought.fates)):
            return Stuck(cell, notes)
        retreating_side = self.result(fought.code).retreats
        dice = {
            name: Further(name, title, 0, self.die_rule, retreating_side)
            for name, title in self.further(fought).items()
        }
        return Apart(dice, notes) if dice else Done(notes)


def ways_to_pay(prices: Mapping[str, int], due: int | Fraction) -> list[tuple[str, ...]]:
    """Return the sets of units that pay a loss of strength points, the cheapest first.

    No unit of a set can be spared. If all units together are not enough, the only set has all of them.

    `prices`: the points that each unit pays.
    `due`: the minimum loss.
    """
    payers = sorted((name for name in prices if prices[name] > 0), key=lambda name: -prices[name])
    sets: list[tuple[str, ...]] = []

    def add(chosen: tuple[str, ...], paid: int, first: int) -> None:
        if paid >= due:  # none can be spared: the units before the last and smallest were not enough
            sets.append(chosen)
            return
        for number in range(first, len(payers)):
            add((*chosen, payers[number]), paid + prices[payers[number]], number + 1)

    add((), 0, 0)
    return sorted(sets, key=lambda units: (sum(prices[name] for name in units), len(units))) or [tuple(payers)]


def combat_procedure(
    roll: Callable[[Callable[[int], Situation]], Roll],
    code: Callable[[int], str | CellKey],
    effects: Effects[F] | Callable[[str], Effects[F]] | None,
) -> Procedure:
    """Return a combat as a procedure that starts in the situation "die".

    `roll`: makes the roll of the die. It takes a function that returns the situation after each number.
    `code`: returns the result of a number on the die, or the unknown chart cell that decides it.
    `effects`: the effects of results, a function that returns them by code, or None for a combat that ends with the
    die.
    """

    def follow(die: int) -> Situation:
        result = code(die)
        if isinstance(result, str):
            return Fought(result)
        chart, key = result
        return Unknown(chart, key)

    def node(situation: Situation) -> Node:
        match situation:
            case "die":
                return roll(follow)
            case Unknown(chart, key):
                return Stuck((chart, key))
            case Fought(result, done, fates):
                fought: Fought[F] = Fought(result, done, fates)
                if effects is None:
                    return Done({"outcome": result})
                return (effects if isinstance(effects, Effects) else effects(result)).carry_out(fought)
            case Further(name, title, 0, rule, side):
                return Roll(name, rule, title, DIE, {}, partial(Further, name, title), side=side)
            case Further(name, _, number):
                return Done({name: number})
            case _:
                raise TypeError(f"{situation!r} is not a situation of a combat")

    return node
