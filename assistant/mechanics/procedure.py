"""Procedures: sequences of rolls and choices, written once and used in two ways.

A procedure is a pure function from a situation to the next node. A situation is small and hashable, with only the facts
that later rules read. `chances` follows a procedure for all dice at once, `resolve` for the dice rolled. Every node may
carry notes: named quantities that are known when the node is reached.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Annotated, NamedTuple, TypeVar

import msgspec

from ..state.state import Cell, CellKey
from ..util.errors import InputError, format_suggestion
from ..util.notes import note
from ..util.texts import natural

LookUp = Callable[..., Cell | None]
"""A function that takes a chart and its keys, and returns the cell, or None if it is unknown."""

_T = TypeVar("_T")
Situation = Hashable
"""A point in a procedure: any hashable value, such as a word, a number or a tuple of them."""
Quantity = int | str | bool
"""The value of a note."""
Notes = Mapping[str, Quantity]
"""The quantities that are settled at a node, by name: numbers, words and flags."""


class Dice(msgspec.Struct, frozen=True):
    """Several dice of one kind, added up: Dice(2, 6) is 2d6."""

    number: int
    sides: int

    def __str__(self) -> str:
        return f"{self.number}d{self.sides}"

    @classmethod
    def named(cls, text: str) -> Dice:
        """Return the dice of a name such as `2d6`. Raises ValueError if the text has another form."""
        number, _, sides = text.partition("d")
        return cls(int(number), int(sides))

    @property
    def totals(self) -> tuple[tuple[int, int], ...]:
        """Each total with the number of ways to roll it."""
        return _count_totals(self.number, self.sides)

    def at_most(self, limit: int) -> Fraction:
        """Return the chance of a total of at most `limit`."""
        return Fraction(sum(ways for total, ways in self.totals if total <= limit), self.sides**self.number)

    def read(self, answer: str) -> int:
        """Return the total that a player typed, as one number or as single dice joined by `+`.

        Raises InputError for an impossible die or total.
        """
        faces = [face for part in answer.split("+") if (face := natural(part.strip())) is not None]
        if len(faces) <= answer.count("+"):
            raise InputError(f"{answer!r} is not a roll of {self}", hint="type the total, or the dice joined by +")
        if len(faces) == self.number and (bad := [face for face in faces if not 1 <= face <= self.sides]):
            raise InputError(f"{bad[0]} is impossible on a d{self.sides}", hint="correct the roll")
        if len(faces) not in (1, self.number):
            raise InputError(f"{answer!r} is {len(faces)} dice instead of {self.number}", hint=f"the roll is {self}")
        total = sum(faces)
        if not self.number <= total <= self.number * self.sides:
            raise InputError(
                f"{total} is impossible on {self}", hint=f"it ranges from {self.number} to {self.number * self.sides}"
            )
        return total


@cache
def _count_totals(number: int, sides: int) -> tuple[tuple[int, int], ...]:
    ways = {0: 1}
    for _ in range(number):
        ways_with_die: dict[int, int] = {}
        for total, count in ways.items():
            for face in range(1, sides + 1):
                ways_with_die[total + face] = ways_with_die.get(total + face, 0) + count
        ways = ways_with_die
    return tuple(ways.items())


class Modifier(msgspec.Struct, frozen=True, cache_hash=True):
    """One dice roll modifier (DRM)."""

    rule: Annotated[str, note("the rule that gives the modifier")]
    why: Annotated[str, note("the reason for the modifier")]
    amount: Annotated[int, note("the amount added to the roll, or the number of columns shifted")]


class Roll(msgspec.Struct, frozen=True):
    """A dice roll, with what is known before it is made."""

    name: str
    rule: str
    title: str
    dice: Dice
    modifiers: Annotated[Mapping[str, tuple[Modifier, ...]], note("the DRMs, by what the roll decides")]
    then: Annotated[Callable[[int], Situation], note("the situation that follows, from the unmodified total")]
    notes: Notes = {}
    side: Annotated[str, note("the side that throws it, empty if no side does")] = ""


class Choice(msgspec.Struct, frozen=True):
    """A decision that the rules leave to a side."""

    name: str
    rule: str
    title: str
    side: str
    options: Annotated[Mapping[str, Situation], note("each option with the situation that follows")]
    notes: Notes = {}
    why_not: Annotated[Callable[[str], str] | None, note("the rule or ruling that bars an answer, if any does")] = None
    remarks: Annotated[Callable[[], Mapping[str, str]], note("warnings about options before one is chosen")] = dict
    units: Annotated[tuple[str, ...], note("ids of the units that go to the hex chosen")] = ()

    def read(self, answer: str) -> str:
        """Return the option that a player typed; a list of several things matches in any order.

        Raises InputError, with the legal options, if the answer is not one of them.
        """
        if (option := option_named(answer, self.options)) is not None:
            return option
        why_not = self.why_not(answer) if self.why_not else ""
        what = f"is not allowed: {why_not}" if why_not else f"is not an option of {self.name}"
        raise InputError(f"{answer!r} {what}", hint=format_suggestion(answer, self.options))


def option_named(answer: str, options: Iterable[str]) -> str | None:
    """Return the option with the same parts as the answer, or None if there is none.

    The parts may be in any order, with or without blanks.
    """

    def parts(text: str) -> list[str]:
        return sorted(part.strip() for part in text.split(","))

    answer_parts = parts(answer)
    return next((option for option in options if parts(option) == answer_parts), None)


class Apart(msgspec.Struct, frozen=True):
    """Parts that are independent of each other from here on."""

    parts: Mapping[str, Situation]
    notes: Notes = {}


class Done(msgspec.Struct, frozen=True):
    """The end: nothing more to roll or choose."""

    notes: Notes = {}


class Stuck(msgspec.Struct, frozen=True):
    """The procedure cannot continue: it needs an unknown chart cell."""

    cell: CellKey
    notes: Notes = {}


Node = Roll | Choice | Apart | Stuck | Done
Procedure = Callable[[Situation], Node]
"""A function that returns the node of a situation: a roll, a choice, independent parts, an unknown cell, or the end."""
Policy = Callable[[Choice], str]
"""A function that makes a choice before the dice are rolled: it returns one of the options."""


class TakenNode(NamedTuple):
    """One node of a resolution: its situation, and the roll or option there, or None if it has no answer."""

    situation: Situation
    node: Node
    answer: int | str | None


class Resolution(msgspec.Struct, frozen=True):
    """The course of a procedure with some dice and choices."""

    trace: Annotated[Sequence[TakenNode], note("the nodes reached, in order")]
    pending: Annotated[Sequence[Roll | Choice | Stuck], note("rolls and choices without an answer, and unknown cells")]

    @property
    def notes(self) -> Iterator[tuple[str, Quantity]]:
        """All quantities settled so far, in order."""
        for taken in self.trace:
            yield from taken.node.notes.items()


def resolve(procedure: Procedure, start: Situation, answers: Mapping[str, str]) -> Resolution:
    """Return the course of a procedure with the answers, by node name; a roll's answer is its total or its dice.

    A part stops at the first missing answer, and the node there is pending; independent parts continue. Pending nodes
    are sorted by the number of nodes before them.

    Raises AnswerError if a node does not allow its answer.
    """
    trace: list[TakenNode] = []
    pending: list[tuple[int, Roll | Choice | Stuck]] = []
    todo = [(0, start)]
    while todo:
        depth, situation = todo.pop()
        node = procedure(situation)
        answer: int | str | None = None
        following: list[Situation] = []
        match node:
            case Apart():
                following = list(node.parts.values())
            case Stuck():
                pending.append((depth, node))
            case Choice(options=options) if len(options) == 1 and node.name not in answers:
                (answer,) = options
                following = [options[answer]]
            case Roll() | Choice() if node.name not in answers:
                pending.append((depth, node))
            case Roll():
                total = _read_answer(node, node.dice.read, answers[node.name])
                answer = total
                following = [node.then(total)]
            case Choice():
                answer = _read_answer(node, node.read, answers[node.name])
                following = [node.options[answer]]
        trace.append(TakenNode(situation, node, answer))
        todo += [(depth + 1, later) for later in reversed(following)]
    return Resolution(trace, [node for _, node in sorted(pending, key=lambda waiting: waiting[0])])


class AnswerError(InputError):
    """An answer that its roll or choice does not allow. `name`: the name of the roll or choice."""

    def __init__(self, name: str, error: InputError) -> None:
        self.name = name
        self.fault: str = error.fault if isinstance(error, AnswerError) else error.what
        super().__init__(f"{name}: {self.fault}", where=error.where, hint=error.hint)


def _read_answer(node: Roll | Choice, read: Callable[[str], _T], answer: str) -> _T:
    try:
        return read(answer)
    except InputError as error:
        raise AnswerError(node.name, error) from None


# --- chances ----------------------------------------------------------------------------------------------------------


def first_option(choice: Choice) -> str:
    """Return the option listed first; a policy for `chances`."""
    return next(iter(choice.options))


class Unknown(msgspec.Struct, frozen=True):
    """The situation after a roll that led to an unknown chart cell."""

    chart: str
    key: tuple[int | str, ...]
