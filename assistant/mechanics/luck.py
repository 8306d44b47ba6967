"""The luck of each roll of a procedure: the exact change that it made to the expected worth.

The luck of a roll is the expected worth after the face that came, less the mean over all faces, if a policy makes all
later choices. The effect of a choice is its worth less that of the policy's choice. The result is the worth expected at
the start plus all luck and all effects.
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
"""A function that returns the worth of a node's notes."""
_Key = tuple[type, Situation]
"""The type of a situation and the situation itself, because named tuples of two types may compare equal."""


class ThrowLuck(NamedTuple):
    """A roll that was made, with the expected worth after each of its totals."""

    roll: Roll
    natural: Annotated[int, note("the total that came")]
    worth: Annotated[Mapping[int, Fraction], note("the expected worth of the whole procedure after each total")]
    before: Fraction
    """The expected worth of the whole procedure before the roll."""
    after: Fraction
    """The expected worth of the whole procedure after the roll."""
    notes: Annotated[Mapping[int, Notes], note("the notes that each total leads to at once")]

    @property
    def luck(self) -> Fraction:
        """The change of the expected worth."""
        return self.after - self.before

    @property
    def variance(self) -> Fraction:
        """The mean square of the luck over all totals."""
        all_rolls = Fraction(self.roll.dice.sides) ** self.roll.dice.number
        weighted_changes = ((count, self.worth[total] - self.before) for total, count in self.roll.dice.totals)
        return sum((count * amount * amount for count, amount in weighted_changes), Fraction(0)) / all_rolls

    @property
    def percentile(self) -> Fraction:
        """The percentile of the roll: the chance of less worth than it brought, plus half the chance of the same."""
        return percentile_among(self.roll, self.natural, self.worth)


class Decision(NamedTuple):
    """A choice that was made.

    `before`: the expected worth of the whole procedure with the policy's choice.
    `after`: the expected worth with the choice taken.
    """

    choice: Choice
    taken: str
    by_policy: str
    before: Fraction
    after: Fraction

    @property
    def effect(self) -> Fraction:
        """The change of the expected worth."""
        return self.after - self.before


Turn = ThrowLuck | Decision


class ProcedureLuck(msgspec.Struct, frozen=True):
    """A procedure that was played: start + the luck of all throws + the effects of all decisions = result."""

    start: Annotated[Fraction, note("the expected worth at the start")]
    result: Annotated[int, note("the worth in the end")]
    turns: Annotated[tuple[Turn, ...], note("rolls, and choices among several options, in order")]
    settled: Annotated[Mapping[str, Quantity], note("the quantities decided, numbers of one name added up")]
    decisions: Annotated[Mapping[_Key, str], note("the option taken in each situation with a choice")]


class Unfinished(Exception):
    """A procedure does not end with the answers given.

    `pending`: the names of the rolls and choices without an answer.
    """

    def __init__(self, pending: Sequence[str]) -> None:
        super().__init__(f"unanswered: {', '.join(pending)}")
        self.pending = tuple(pending)


def percentile_among(roll: Roll, natural: int, worth: Mapping[int, Fraction]) -> Fraction:
    """Return the chance that a roll has less worth than it had, plus half the chance of the same worth.

    `natural`: the total that came.
    `worth`: the worth of each total.
    """
    less = sum(ways for total, ways in roll.dice.totals if worth[total] < worth[natural])
    equal = sum(ways for total, ways in roll.dice.totals if worth[total] == worth[natural])
    return Fraction(2 * less + equal, 2 * roll.dice.sides**roll.dice.number)


class Valuation:
    """The expected worth of a procedure from each situation on. `policy`: settles each choice."""

    def __init__(self, procedure: Procedure, policy: Policy, worth: Worth) -> None:
        self._procedure = procedure
        self.policy = policy
        self.worth = worth
        self._nodes: dict[_Key, Node] = {}
        self._values: dict[_Key, Fraction] = {}

    def node(self, situation: Situation) -> Node:
        """Return the node of a situation, from a cache."""
        key = type(situation), situation
        if key not in self._nodes:
            self._nodes[key] = self._procedure(situation)
        return self._nodes[key]

    def option(self, choice: Choice) -> str:
        """Return the option that the policy takes."""
        return next(iter(choice.options)) if len(choice.options) == 1 else self.policy(choice)

    def of(self, situation: Situation) -> Fraction:
        """Return the expected worth from a situation to the end, with the notes of its node.

        Raises UnknownCells if an unknown chart cell might be reached.
        """
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
        """Return the mean worth over the totals of a roll."""
        weighed = sum((count * worth[total] for total, count in roll.dice.totals), Fraction(0))
        return weighed / Fraction(roll.dice.sides) ** roll.dice.number

    def measure(self, start: Situation, answers: Mapping[str, str]) -> ProcedureLuck:
        """Return the procedure as played with the answers. Raises the errors of `measure_luck`."""
        resolution = resolve(self.node, start, answers)
        if cells := [node.cell for node in resolution.pending if isinstance(node, Stuck)]:
            raise UnknownCells(cells)
        if resolution.pending:
            raise Unfinished([node.name for node in resolution.pending if isinstance(node, Roll | Choice)])
        expected = start_worth = self.of(start)
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
        return ProcedureLuck(start_worth, result, tuple(turns), add_notes(resolution.notes), decisions)


def measure_luck(
    procedure: Procedure, start: Situation, policy: Policy, answers: Mapping[str, str], worth: Worth
) -> ProcedureLuck:
    """Return a procedure as played with the answers, each roll with its luck.

    Raises Unfinished if answers are missing, UnknownCells if an unknown chart cell might be reached, AnswerError if a
    node does not allow its answer.
    """
    return Valuation(procedure, policy, worth).measure(start, answers)


def _measure_turn(value: Valuation, taken: TakenNode, expected: Fraction) -> Turn | None:
    match taken.node:
        case Roll() as roll if isinstance(taken.answer, int):
            worth_from_here = {total: value.of(roll.then(total)) for total, _ in roll.dice.totals}
            worth_elsewhere = expected - value.mean(roll, worth_from_here)
            worth = {total: worth_elsewhere + after for total, after in worth_from_here.items()}
            notes = {total: value.node(roll.then(total)).notes for total in worth_from_here}
            return ThrowLuck(roll, taken.answer, worth, expected, worth[taken.answer], notes)
        case Choice() as choice if len(choice.options) > 1:
            option = str(taken.answer)
            policy_option = value.option(choice)
            effect = value.of(choice.options[option]) - value.of(choice.options[policy_option])
            return Decision(choice, option, policy_option, expected, expected + effect)
    return None


def _fix_choices(procedure: Procedure, decisions: Mapping[_Key, str]) -> Procedure:
    def node(situation: Situation) -> Node:
        made_node = procedure(situation)
        option = decisions.get((type(situation), situation)) if isinstance(made_node, Choice) else None
        if option is None or not isinstance(made_node, Choice):
            return made_node
        return msgspec.structs.replace(made_node, options={option: made_node.options[option]})

    return node


def all_chances(
    procedure: Procedure, start: Situation, policy: Policy, decisions: Mapping[_Key, str] | None = None
) -> Chances:
    """Return the exact chances of a procedure with the decisions that were taken, and a policy for all other choices.

    Raises UnknownCells if an unknown chart cell might be reached.
    """
    return chances(_fix_choices(procedure, decisions or {}), start, policy)


def distribution_of(all_quantities: Chances, amounts: Mapping[str, int]) -> Distribution:
    """Return the distribution of a weighted sum of quantities. `amounts`: the weight of each, by name."""
    names = [name for name in amounts if name in all_quantities.quantities]
    sums: dict[int, Fraction] = {}
    for values, chance in all_quantities.joint(*names).items():
        total = sum(int(value or 0) * amounts[name] for name, value in zip(names, values, strict=True))
        sums[total] = sums.get(total, Fraction(0)) + chance
    return of_chances(sums)
