"""What the result of a table does, effect by effect: in the printed order, and where an effect leaves its owner a
choice, by what he chooses.
"""

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
"""What a result is rolled with."""


class Result(msgspec.Struct, frozen=True):
    """A result of a table as it is explained beside it."""

    code: str
    meaning: str
    effects: Annotated[tuple[str, ...], note("what it does, as `SIDE:ACTION` in the printed order")] = ()
    retreats: Literal["attacker", "defender", ""] = ""
    pursues: Literal["attacker", "defender", ""] = ""
    pursuit: Annotated[int, note("hexes of pursuit, 0 where the result does not limit them")] = 0
    hexes: Annotated[int, note("hexes of retreat")] = 1


class Fought(NamedTuple, Generic[F]):
    """A result as far as it is carried out."""

    code: str
    done: Annotated[int, note("how many of its effects have been carried out")] = 0
    fates: Annotated[tuple[F, ...], note("what these effects have done")] = ()


class Further(NamedTuple):
    """A die that is thrown after a result."""

    name: str
    title: str
    number: Annotated[int, note("as rolled, 0 until then")] = 0
    rule: str = ""
    side: Annotated[str, note("the side that throws it")] = ""


class Effects(NamedTuple, Generic[F]):
    """What results do in a combat.

    `ways` tells what an action may do to a side after what others have done: by what its owner may choose, or by ""
    where he has no choice, nothing where it concerns nobody.
    """

    results: Annotated[Mapping[str, Result], note("by code")]
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
        """Return a result by its code. Raises CodeError for one that a chart gives and the game's code does not know."""
        if code not in self.results:
            raise CodeError(
                f"the chart gives the result {code!r}, which its `Result`s lack", nearest(code, self.results)
            )
        return self.results[code]

    def carry_on(self, fought: Fought[F]) -> tuple[Fought[F], dict[str, Situation]]:
        """Return a result with its effects carried out up to one that leaves its owner a choice, and what he may choose
        then.
        """
        for effect in self.result(fought.code).effects[fought.done :]:
            role, _, action = effect.partition(":")
            ways = self.ways(role, action, fought.fates)
            after = {
                name: Fought(fought.code, fought.done + 1, (*fought.fates, *fates)) for name, fates in ways.items()
            }
            if after and "" not in after:
                return fought, {**after}
            fought = after.get("", fought._replace(done=fought.done + 1))
        return fought, {}

    def carry_out(self, fought: Fought[F]) -> Node:
        """Return the next choice that a result leaves to an owner, or else its end, after the dice that are thrown
        then. It does not end without the chart cell that a fate waits for.

        A choice is named after its effect, `attacker.lose`; a result that has the same effect again goes on with
        `attacker.lose.2`.
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
        who = self.result(fought.code).retreats
        dice = {name: Further(name, title, 0, self.die_rule, who) for name, title in self.further(fought).items()}
        return Apart(dice, notes) if dice else Done(notes)


def ways_to_pay(prices: Mapping[str, int], due: int | Fraction) -> list[tuple[str, ...]]:
    """Return the sets of units that pay a loss of strength points and from which none can be spared, the cheapest
    first; all of them together if that is not enough.

    prices: what each unit pays; due: what the loss comes to at least.
    """
    payers = sorted((name for name in prices if prices[name] > 0), key=lambda name: -prices[name])
    found: list[tuple[str, ...]] = []

    def add(chosen: tuple[str, ...], paid: int, first: int) -> None:
        if paid >= due:  # the last one chosen is the smallest, and without it this was not paid
            found.append(chosen)
            return
        for number in range(first, len(payers)):
            add((*chosen, payers[number]), paid + prices[payers[number]], number + 1)

    add((), 0, 0)
    return sorted(found, key=lambda units: (sum(prices[name] for name in units), len(units))) or [tuple(payers)]


def combat_procedure(
    roll: Callable[[Callable[[int], Situation]], Roll],
    code: Callable[[int], str | CellKey],
    effects: Effects[F] | Callable[[str], Effects[F]] | None,
) -> Procedure:
    """Return a combat from its die on, in situations from "die" on. roll: the die, from what follows it; code: the
    result of a die, or the chart cell that is needed to tell it; effects: what results do, or what does the result with
    a code, None for the die alone.
    """

    def follow(die: int) -> Situation:
        came = code(die)
        if isinstance(came, str):
            return Fought(came)
        chart, key = came
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
