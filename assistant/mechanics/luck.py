"""What each roll of a procedure was worth: how much it moved what was expected, exactly.

The luck of a roll is the step from its mean over all faces to what follows the face that came, with a policy's choices;
the effect of a choice, that from the policy's choice. What came is their sum and what was expected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, NamedTuple

import msgspec

from ..util.notes import note
from .chances import Chances, UnknownCells, add_notes, chances
from .distribution import Distribution, of_chances
from .procedure import (
    Apart,
    Choice,
    Node,
    Notes,
    Policy,
    Procedure,
    Quantity,
    Roll,
    Situation,
    Stuck,
    TakenNode,
    resolve,
)

Worth = Callable[[Notes], int]
"""What notes are worth."""
_Key = tuple[type, Situation]
"""A situation as it is looked up: named tuples of two types may compare equal."""


class ThrowLuck(NamedTuple):
    """A roll as it came, with what was expected after each total that it might have come to."""

    roll: Roll
    natural: Annotated[int, note("the total that came")]
    worth: Annotated[Mapping[int, Fraction], note("by each total, what was expected of the whole procedure after it")]
    before: Fraction
    """What was expected of the whole procedure before it."""
    after: Fraction
    """What was expected of the whole procedure after it."""
    notes: Annotated[Mapping[int, Notes], note("by each total, what it decides at once")]

    @property
    def luck(self) -> Fraction:
        """By how much it moved what was expected."""
        return self.after - self.before

    @property
    def variance(self) -> Fraction:
        """The mean square of what its luck might have been."""
        ways = Fraction(self.roll.dice.sides) ** self.roll.dice.number
        moved = ((count, self.worth[total] - self.before) for total, count in self.roll.dice.totals)
        return sum((count * amount * amount for count, amount in moved), Fraction(0)) / ways

    @property
    def percentile(self) -> Fraction:
        """Where it stands among its own dice by its worth: the chance of a lesser one, and half that of an equal one."""
        return percentile_among(self.roll, self.natural, self.worth)


class Decision(NamedTuple):
    """A choice as it was taken, with what was expected of the whole procedure if the policy had taken it, and after it."""

    choice: Choice
    taken: str
    by_policy: str
    before: Fraction
    after: Fraction

    @property
    def effect(self) -> Fraction:
        """By how much it moved what was expected."""
        return self.after - self.before


Turn = ThrowLuck | Decision


class ProcedureLuck(msgspec.Struct, frozen=True):
    """A procedure as it went: start + the luck of all throws + the effects of all decisions = result.

    situations: those in which a choice was taken, each with its option.
    """

    start: Annotated[Fraction, note("what was expected at the start")]
    result: Annotated[int, note("what it came to")]
    turns: Annotated[tuple[Turn, ...], note("rolls, and choices among several options, in order")]
    settled: Annotated[Mapping[str, Quantity], note("the quantities decided, numbers of one name added up")]
    decisions: Annotated[Mapping[_Key, str], note("the option taken, by the situation in which it was taken")]


class Unfinished(Exception):
    """A procedure does not come to its end with these answers. pending: the names of what is missing."""

    def __init__(self, pending: Sequence[str]) -> None:
        super().__init__(f"unanswered: {', '.join(pending)}")
        self.pending = tuple(pending)


def percentile_among(roll: Roll, natural: int, worth: Mapping[int, Fraction]) -> Fraction:
    """Return the chance that a roll is worth less than the total that came, and half the chance that it is worth as
    much.
    """
    less = sum(ways for total, ways in roll.dice.totals if worth[total] < worth[natural])
    equal = sum(ways for total, ways in roll.dice.totals if worth[total] == worth[natural])
    return Fraction(2 * less + equal, 2 * roll.dice.sides**roll.dice.number)


class Valuation:
    """What a procedure is expected to be worth from each situation on. policy: settles each choice."""

    def __init__(self, procedure: Procedure, policy: Policy, worth: Worth) -> None:
        self._procedure = procedure
        self.policy = policy
        self.worth = worth
        self._nodes: dict[_Key, Node] = {}
        self._values: dict[_Key, Fraction] = {}

    def node(self, situation: Situation) -> Node:
        """Return the node of a situation, made once."""
        key = type(situation), situation
        if key not in self._nodes:
            self._nodes[key] = self._procedure(situation)
        return self._nodes[key]

    def option(self, choice: Choice) -> str:
        """Return the option that the policy takes."""
        return next(iter(choice.options)) if len(choice.options) == 1 else self.policy(choice)

    def of(self, situation: Situation) -> Fraction:
        """Return what is expected from a situation on, its own notes included. Raises UnknownCells."""
        key = type(situation), situation
        if key not in self._values:
            node = self.node(situation)
            self._values[key] = self.worth(node.notes) + self._find_next(node)
        return self._values[key]

    def _find_next(self, node: Node) -> Fraction:
        match node:
            case Roll():
                return self.mean(node, {total: self.of(node.then(total)) for total, _ in node.dice.totals})
            case Choice():
                return self.of(node.options[self.option(node)])
            case Apart():
                return sum((self.of(part) for part in node.parts.values()), Fraction(0))
            case Stuck():
                raise UnknownCells([node.cell])
        return Fraction(0)

    @staticmethod
    def mean(roll: Roll, worth: Mapping[int, Fraction]) -> Fraction:
        """Return the mean over the totals of a roll."""
        weighed = sum((count * worth[total] for total, count in roll.dice.totals), Fraction(0))
        return weighed / Fraction(roll.dice.sides) ** roll.dice.number

    def measure(self, start: Situation, answers: Mapping[str, str]) -> ProcedureLuck:
        """Return the procedure as it went from a start with these answers, each roll with its luck. Raises as
        `measure_luck` does.
        """
        resolution = resolve(self.node, start, answers)
        if cells := [node.cell for node in resolution.pending if isinstance(node, Stuck)]:
            raise UnknownCells(cells)
        if resolution.pending:
            raise Unfinished([node.name for node in resolution.pending if isinstance(node, Roll | Choice)])
        expected = begun = self.of(start)
        turns = list[Turn]()
        decisions: dict[_Key, str] = {}
        for taken in resolution.trace:
            turn = _measure_turn(self, taken, expected)
            if turn is not None:
                turns.append(turn)
                expected = turn.after
            if isinstance(turn, Decision):
                decisions[type(taken.situation), taken.situation] = turn.taken
        result = sum(self.worth(taken.node.notes) for taken in resolution.trace)
        return ProcedureLuck(begun, result, tuple(turns), add_notes(resolution.notes), decisions)


def measure_luck(
    procedure: Procedure, start: Situation, policy: Policy, answers: Mapping[str, str], worth: Worth
) -> ProcedureLuck:
    """Return a procedure as it went with these answers, each roll with its luck.

    answers: by the names of its nodes. Raises Unfinished where answers are missing, UnknownCells for chart cells that
    might be reached, AnswerError for an answer that its node does not allow.
    """
    return Valuation(procedure, policy, worth).measure(start, answers)


def _measure_turn(value: Valuation, taken: TakenNode, expected: Fraction) -> Turn | None:
    """Return a node of a resolution as it moved what was expected of the whole; None for one that cannot."""
    match taken.node:
        case Roll() as roll if isinstance(taken.answer, int):
            own = {total: value.of(roll.then(total)) for total, _ in roll.dice.totals}
            rest = expected - value.mean(roll, own)
            worth = {total: rest + after for total, after in own.items()}
            notes = {total: value.node(roll.then(total)).notes for total in own}
            return ThrowLuck(roll, taken.answer, worth, expected, worth[taken.answer], notes)
        case Choice() as choice if len(choice.options) > 1:
            option = str(taken.answer)
            usual = value.option(choice)
            moved = value.of(choice.options[option]) - value.of(choice.options[usual])
            return Decision(choice, option, usual, expected, expected + moved)
    return None


def _fix_choices(procedure: Procedure, decisions: Mapping[_Key, str]) -> Procedure:
    """Return a procedure in which choices that were met have the option alone that was taken there."""

    def node(situation: Situation) -> Node:
        made = procedure(situation)
        option = decisions.get((type(situation), situation)) if isinstance(made, Choice) else None
        if option is None or not isinstance(made, Choice):
            return made
        return msgspec.structs.replace(made, options={option: made.options[option]})

    return node


def all_chances(
    procedure: Procedure, start: Situation, policy: Policy, decisions: Mapping[_Key, str] | None = None
) -> Chances:
    """Return the exact chances of a procedure: choices that were met as they were taken, all others by a policy. Raises
    UnknownCells.
    """
    return chances(_fix_choices(procedure, decisions or {}), start, policy)


def distribution_of(every: Chances, amounts: Mapping[str, int]) -> Distribution:
    """Return the distribution of a sum of quantities. amounts: what each counts for, by its name."""
    known = [name for name in amounts if name in every.quantities]
    sums: dict[int, Fraction] = {}
    for values, chance in every.joint(*known).items():
        total = sum(int(value or 0) * amounts[name] for name, value in zip(known, values, strict=True))
        sums[total] = sums.get(total, Fraction(0)) + chance
    return of_chances(sums)
