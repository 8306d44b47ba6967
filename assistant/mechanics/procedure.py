"""Procedures: sequences of rolls and choices, written once and read in two ways.

A game writes a procedure as a pure function from a situation (small, hashable: only what later rules read) to the next
node. `chances` (in `chances.py`) reads it with all dice at once; `resolve` reads it with the dice as they fell.
Every node may carry notes: named quantities that are settled on reaching it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Annotated, NamedTuple, TypeVar

import msgspec

from ..state.state import Cell, CellKey
from ..util.errors import InputError, nearest
from ..util.notes import note

LookUp = Callable[..., Cell | None]
"""From a chart and its keys to the cell, None where it is not known."""

_T = TypeVar("_T")
Situation = Hashable
Quantity = int | str | bool
Notes = Mapping[str, Quantity]


class Dice(NamedTuple):
    """So many dice of so many sides, added up: Dice(2, 6) is 2d6."""

    number: int
    sides: int

    def __str__(self) -> str:
        return f"{self.number}d{self.sides}"

    @property
    def totals(self) -> tuple[tuple[int, int], ...]:
        """Each total with the number of ways in which it comes up."""
        return _totals(self.number, self.sides)

    def at_most(self, most: int) -> Fraction:
        """The chance of a total of so much or less."""
        return Fraction(sum(ways for total, ways in self.totals if total <= most), self.sides**self.number)

    def read(self, answer: str) -> int:
        """The total that a player typed, as one number or as single dice joined by "+".

        Raises InputError for a die or a total that cannot come up.
        """
        try:
            faces = [int(part) for part in answer.split("+")]
        except ValueError:
            raise InputError(
                f"{answer!r} is no roll of {self}", hint="type the total, or the dice joined by +"
            ) from None
        if len(faces) == self.number and (bad := [face for face in faces if not 1 <= face <= self.sides]):
            raise InputError(
                f"{bad[0]} cannot come up on a die of {self.sides}", hint=f"roll {self} again, or correct it"
            )
        if len(faces) not in (1, self.number):
            raise InputError(
                f"{answer!r} is {len(faces)} dice, but {self.number} are rolled", hint=f"the roll is {self}"
            )
        total = sum(faces)
        if not self.number <= total <= self.number * self.sides:
            raise InputError(
                f"{total} cannot come up on {self}", hint=f"it runs from {self.number} to {self.number * self.sides}"
            )
        return total


@cache
def _totals(number: int, sides: int) -> tuple[tuple[int, int], ...]:
    ways: dict[int, int] = {}
    for faces in product(range(1, sides + 1), repeat=number):
        ways[sum(faces)] = ways.get(sum(faces), 0) + 1
    return tuple(ways.items())


class Modifier(msgspec.Struct, frozen=True, cache_hash=True):
    """One dice roll modifier."""

    rule: Annotated[str, note("the rule that gives it")]
    why: Annotated[str, note("why it applies")]
    amount: Annotated[int, note("how much it adds")]


class Roll(NamedTuple):
    """A throw of dice, with what is known of it beforehand.

    modifiers: for each thing that the one throw decides (a Force, a side), what is added to it.
    then: the situation that follows from the natural total.
    """

    name: str
    rule: str
    title: str
    dice: Dice
    modifiers: Mapping[str, tuple[Modifier, ...]]
    then: Callable[[int], Situation]
    notes: Notes = {}


class Choice(NamedTuple):
    """A decision that the rules leave to a side: what may be chosen, and what follows from each option."""

    name: str
    rule: str
    title: str
    side: str
    options: Mapping[str, Situation]
    notes: Notes = {}

    def read(self, answer: str) -> str:
        """The option that a player typed; an option that lists several things may be typed in any order.

        Raises InputError with the legal options.
        """
        for option in self.options:
            if sorted(option.split(",")) == sorted(answer.split(",")):
                return option
        raise InputError(f"{answer!r} is no legal answer to {self.name}", hint=nearest(answer, self.options))


class Apart(NamedTuple):
    """Parts that have nothing more to do with each other from here on."""

    parts: Mapping[str, Situation]
    notes: Notes = {}


class Done(NamedTuple):
    """Nothing more to roll or choose."""

    notes: Notes = {}


class Stuck(NamedTuple):
    """A chart cell that nobody has stated yet: here the procedure cannot go on."""

    cell: CellKey
    notes: Notes = {}


Node = Roll | Choice | Apart | Stuck | Done
Procedure = Callable[[Situation], Node]
Policy = Callable[[Choice], str]
"""Settles choices before the dice: from the choice to one of its options."""


class Taken(NamedTuple):
    """One node of a resolution: its situation, and the roll or option taken there (None where there is none yet)."""

    situation: Situation
    node: Node
    answer: int | str | None


class Resolution(NamedTuple):
    """How far these dice and choices lead: the nodes reached in order, and those of them that are open: rolls and choices
    without an answer, and cells that nobody knows."""

    trace: Sequence[Taken]
    pending: Sequence[Roll | Choice | Stuck]

    @property
    def notes(self) -> Iterator[tuple[str, Quantity]]:
        """All quantities settled so far, in order."""
        for taken in self.trace:
            yield from taken.node.notes.items()


def resolve(procedure: Procedure, start: Situation, answers: Mapping[str, str]) -> Resolution:
    """Follow a procedure with the given answers, by node name; a roll's answer is its total or its dice.

    Where an answer is missing that part stops and its node is pending; parts that stand apart go on.
    Raises InputError for an answer that its node does not allow, with the node's name.
    """
    trace: list[Taken] = []
    pending: list[Roll | Choice | Stuck] = []
    todo = [start]
    while todo:
        situation = todo.pop()
        node = procedure(situation)
        match node:
            case Done():
                trace.append(Taken(situation, node, None))
            case Apart():
                trace.append(Taken(situation, node, None))
                todo.extend(reversed(list(node.parts.values())))
            case Stuck():
                trace.append(Taken(situation, node, None))
                pending.append(node)
            case Choice(options=options) if len(options) == 1 and node.name not in answers:
                (label,) = options
                trace.append(Taken(situation, node, label))
                todo.append(options[label])
            case _ if node.name not in answers:
                trace.append(Taken(situation, node, None))
                pending.append(node)
            case Roll():
                natural = _read(node, node.dice.read, answers[node.name])
                trace.append(Taken(situation, node, natural))
                todo.append(node.then(natural))
            case Choice():
                option = _read(node, node.read, answers[node.name])
                trace.append(Taken(situation, node, option))
                todo.append(node.options[option])
    return Resolution(trace, pending)


class AnswerError(InputError):
    """An answer that its roll or choice does not allow. name: the node it was meant for."""

    def __init__(self, name: str, error: InputError) -> None:
        self.name = name
        self.fault: str = error.fault if isinstance(error, AnswerError) else error.what
        super().__init__(f"{name}: {self.fault}", where=error.where, hint=error.hint)


def _read(node: Roll | Choice, read: Callable[[str], _T], answer: str) -> _T:
    try:
        return read(answer)
    except InputError as error:
        raise AnswerError(node.name, error) from None


# --- chances ----------------------------------------------------------------------------------------------------------


def first_option(choice: Choice) -> str:
    """What settles a choice before the dice: the option listed first, as the side's policy has put them in order."""
    return next(iter(choice.options))


class Unknown(NamedTuple):
    """A roll has led to a chart cell that is not known."""

    chart: str
    key: tuple[int | str, ...]
