"""A procedure played with the answers to a question: its results so far, the next asks, and the chances.

Most procedures have many rolls and choices. For a question with a single roll there is `throw`, and for several
independent rolls `throw_each`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from ..mechanics.chances import Chances, UnknownCells, add_notes, chances
from ..mechanics.procedure import (
    AnswerError,
    Choice,
    Dice,
    Modifier,
    Policy,
    Procedure,
    Quantity,
    Resolution,
    Roll,
    Situation,
    Stuck,
    first_option,
    resolve,
)
from ..state.state import CellKey
from ..state.tracks import CERTAIN
from ..util.errors import InputError, format_suggestion
from ..util.notes import note
from .asks import Ask, ask_for, ask_for_cell, list_asks
from .parameters import read_parameters
from .question import Question
from .report import MissingFacts, Part, Step
from .view import View
from .wording import fill

T = TypeVar("T")
Q = TypeVar("Q", bound=Quantity)
DIE = Dice(1, 6)
"""The default dice of a single roll."""
Aliases = Mapping[str, str | tuple[str, ...]]
"""The rolls and choices that an answer's name stands for. With several, the answer has a value for each: `3/5`."""


class TypedAnswer(msgspec.Struct, frozen=True):
    """An answer as a player typed it."""

    name: Annotated[str, note("the name as typed")]
    value: Annotated[str, note("the answer itself")]


class Play:
    """A procedure, followed as far as the answers lead. Build it with `play_procedure`."""

    def __init__(
        self,
        view: View,
        procedure: Procedure,
        start: Situation,
        typed: Mapping[str, TypedAnswer],
        resolution: Resolution,
        policy: Policy,
        roles: Mapping[str, str] | None = None,
    ) -> None:
        self._view = view
        #: The procedure, its first situation, and the policy that settles choices before the dice.
        self.procedure = procedure
        self.start = start
        self.policy = policy
        #: The answers as typed, by the procedure's own names.
        self.typed = typed
        #: The game's sides by their role in the procedure, such as the attacker; empty if it is not a combat.
        self.roles = roles or {}
        #: The course of the procedure with these answers: the nodes reached, in order, and the pending ones.
        self.resolution = resolution

    def refuse_unreached(self, other_names: Collection[str] = ()) -> None:
        """Raise AnswerError if there is an answer to a roll or choice that the procedure does not reach.

        An answer to several rolls is refused only if none of them is reached. While a chart cell is missing, nothing is
        refused.

        `other_names`: the names of choices that are due outside the procedure.
        """
        if self.stuck:
            return
        reached = [taken.node.name for taken in self.resolution.trace if isinstance(taken.node, Roll | Choice)]
        due = {*reached, *other_names}
        names_used = {answer.name for name, answer in self.typed.items() if name in due}
        refuse_others([answer.name for answer in self.typed.values() if answer.name not in names_used], due)

    @cached_property
    def settled(self) -> Mapping[str, Quantity]:
        """The quantities that the answers have settled so far, by name.

        Whole numbers under the same name are added up, as in chances.
        """
        return add_notes(self.resolution.notes)

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """The rolls, choices and chart cells that come next, each once."""
        return tuple({ask.name: ask for ask in list_asks(self._view.game, self.resolution.pending)}.values())

    @property
    def stuck(self) -> bool:
        """Whether the procedure stops at a chart cell that is missing."""
        return any(isinstance(node, Stuck) for node in self.resolution.pending)

    @cached_property
    def chances(self) -> Chances | None:
        """The exact chances of the whole procedure before any answer, or None if chart cells are unknown."""
        return self._chances_or_cells if isinstance(self._chances_or_cells, Chances) else None

    @property
    def cells_asked(self) -> tuple[Ask, ...]:
        """The asks for the chart cells that the chances lack."""
        return tuple(ask_for_cell(self._view.game, chart, *key) for chart, key in self._missing_cells)

    @cached_property
    def _missing_cells(self) -> tuple[CellKey, ...]:
        """The chart cells that the chances lack, each once: rows beyond an open end are one cell."""
        cells = () if isinstance(self._chances_or_cells, Chances) else self._chances_or_cells.cells
        return tuple(dict.fromkeys((chart, self._view.game.chart(chart).key(*key)) for chart, key in cells))

    @cached_property
    def unknown_cells(self) -> Part:
        """The part of a report in place of the chances: the unknown chart cells, a line for each chart."""
        steps = []
        for chart in dict.fromkeys(chart for chart, _ in self._missing_cells):
            declared = self._view.game.chart(chart)
            keys = [key for name, key in self._missing_cells if name == chart]
            figures = {
                "cells": len(keys),
                "chart": declared.title,
                "how": ask_for_cell(self._view.game, chart, *keys[0]).how,
            }
            text = "no chances without {cells:#cell} of the {chart}: state them (the first: {how})"
            if declared.sources - CERTAIN:
                text += ", or trust charts"
            steps.append(Step(declared.rule, text, figures))
        brief = (
            fill("none without {cells:#chart cell}", {"cells": len(self._missing_cells)})
            if self._missing_cells
            else None
        )
        return Part("Chances", tuple(steps), brief)

    @cached_property
    def _chances_or_cells(self) -> Chances | UnknownCells:
        try:
            return chances(self.procedure, self.start, self.policy)
        except UnknownCells as unknown:
            return unknown


def play_procedure(
    view: View,
    procedure: Procedure,
    start: Situation,
    answers: Mapping[str, str],
    *,
    aliases: Aliases | None = None,
    policy: Policy = first_option,
    roles: Mapping[str, str] | None = None,
) -> Play:
    """Return a procedure played with answers.

    Call `Play.refuse_unreached` to refuse answers to rolls and choices that are not reached.

    `aliases`: the names that answers may have, or None if they have the procedure's own names.
    `policy`: makes the choices for the chances, before the dice.
    `roles`: the game's sides by their role in the procedure.

    Raises AnswerError if a name is unknown, or an answer is impossible or given twice.
    """
    typed = {name: TypedAnswer(name, value) for name, value in answers.items()}
    if aliases is not None:
        typed = canonical(answers, aliases)
    try:
        resolution = resolve(procedure, start, {name: answer.value for name, answer in typed.items()})
    except AnswerError as error:
        raise AnswerError(typed[error.name].name, error) from None
    for taken in resolution.trace:
        if isinstance(taken.node, Roll | Choice) and taken.node.name in typed:
            dice = str(taken.node.dice) if isinstance(taken.node, Roll) else ""
            view.premises.answers.setdefault(typed[taken.node.name].name, {})[taken.node.name] = dice
    played = Play(view, procedure, start, typed, resolution, policy, roles)
    if typed:
        view.premises.plays.append(played)
    return played


def canonical(answers: Mapping[str, str], aliases: Aliases) -> dict[str, TypedAnswer]:
    """Return the answers by the procedure's own names, each with the name that was typed.

    Raises AnswerError if a name is unknown, the number of values is wrong, or a roll or choice is answered twice.
    """
    typed: dict[str, TypedAnswer] = {}
    refuse_others(answers, aliases)
    for name, value in answers.items():
        named = aliases[name]
        targets = (named,) if isinstance(named, str) else named
        values = (value,) if isinstance(named, str) else tuple(value.split("/"))
        if len(values) != len(targets):
            slashed = "/".join(target.rpartition(".")[2].upper() for target in targets)
            singly = " and ".join(f"{target}=" for target in targets)
            error = InputError(f"{value!r} is not {len(targets)} values", hint=f"type {name}={slashed}, or {singly}")
            raise AnswerError(name, error)
        for target, answer in zip(targets, values, strict=True):
            if target in typed:
                raise AnswerError(name, InputError(f"{typed[target].name} answers the same roll or choice"))
            typed[target] = TypedAnswer(name, answer)
    return typed


def refuse_others(answers: Iterable[str], due: Collection[str], why: str = "") -> None:
    """Raise AnswerError if an answer is for a roll or choice that is not due.

    `why`: the reason why none is due, or "" to suggest a name.
    """
    for name in answers:
        if name not in due:
            hint = why or format_suggestion(name, due)
            raise AnswerError(name, InputError("no roll or choice of that name is due", hint=hint))


def chosen(
    name: str, rule: str, title: str, options: Mapping[str, T], answers: Mapping[str, str]
) -> tuple[T | None, tuple[Ask, ...]]:
    """Return the chosen or only option and no ask, or None and the ask for the choice.

    `options`: the values to return, by the option to type; at least one.

    Raises InputError if the answer is not one of the options.
    """
    choice = Choice(name, rule, title, "owner", {option: option for option in options})
    if name in answers:
        return options[choice.read(answers[name])], ()
    return (None, (ask_for(choice),)) if len(options) > 1 else (next(iter(options.values())), ())


class Thrown(msgspec.Struct, Generic[Q], frozen=True):
    """One roll, made or not."""

    came: Annotated[Q | None, note("the outcome, None until rolled")]
    asks: Annotated[tuple[Ask, ...], note("the roll, until it is made")]
    chances: Annotated[Mapping[Q, Fraction], note("the possible outcomes, each with its exact chance")]


def throw(
    name: str,
    rule: str,
    title: str,
    comes: Callable[[int], Q],
    answers: Mapping[str, str],
    *,
    dice: Dice = DIE,
    modifiers: tuple[Modifier, ...] = (),
) -> Thrown[Q]:
    """Return the single roll of a question, made if it is answered.

    `comes`: returns the outcome of the unmodified total; it adds the modifiers itself.
    `modifiers`: the DRMs to show with the roll.

    Raises AnswerError if another roll or choice is answered, or the dice are impossible.
    """
    refuse_others(answers, [name])
    roll = Roll(name, rule, title, dice, {name: modifiers} if modifiers else {}, comes)
    outcome_chances: dict[Q, Fraction] = {}
    for total, ways in dice.totals:
        chance = Fraction(ways, dice.sides**dice.number)
        outcome_chances[comes(total)] = outcome_chances.get(comes(total), Fraction(0)) + chance
    if name not in answers:
        return Thrown(None, (ask_for(roll),), outcome_chances)
    try:
        return Thrown(comes(dice.read(answers[name])), (), outcome_chances)
    except InputError as error:
        raise AnswerError(name, error) from None


def certain(result: Q) -> Thrown[Q]:
    """Return the outcome of a roll that is not made, because the rules have settled it."""
    return Thrown(result, (), {result: Fraction(1)})


def throw_each(
    rolls: Mapping[str, str], rule: str, answers: Mapping[str, str], *, dice: Dice = DIE
) -> tuple[Mapping[str, int], tuple[Ask, ...]]:
    """Return the totals of the answered rolls, and the asks for the others.

    The rolls are independent of one another, such as one for each unit.

    `rolls`: the title of each roll, by its name.

    Raises AnswerError if another roll or choice is answered, or dice are impossible.
    """
    refuse_others(answers, rolls)
    thrown_rolls = {
        name: throw(name, rule, title, lambda total: total, {name: answers[name]} if name in answers else {}, dice=dice)
        for name, title in rolls.items()
    }
    totals = {name: thrown.came for name, thrown in thrown_rolls.items() if thrown.came is not None}
    return totals, tuple(ask for thrown in thrown_rolls.values() for ask in thrown.asks)


def rolls_of(
    question: Question[Any, Any],
    view: View,
    parameters: Mapping[str, object],
    answers: Mapping[str, str],
    owed: Collection[str] = (),
) -> Mapping[str, frozenset[str]]:
    """Return the kinds of dice, such as 2d6, of each answer to a question that is a roll.

    A procedure notes the dice of the answers that it takes. To learn the dice of another answer, the question is asked
    without it.

    `owed`: the names of asks that remain with all answers.
    """

    def asks_with(some_answers: Mapping[str, str]) -> Sequence[Ask]:
        with suppress(InputError, MissingFacts):
            asked = read_parameters(question, view, parameters)
            return (question.decide or question.answer)(view, asked, some_answers).asks
        return ()

    asks_with(answers)  # called only because it notes the dice in `view.premises`
    dice_of = {name: [*rolls.values()] for name, rolls in view.premises.answers.items()}
    for name in answers.keys() - dice_of.keys():
        other_answers = {other: value for other, value in answers.items() if other != name}
        asks = [ask for ask in asks_with(other_answers) if ask.name not in owed]
        dice_of[name] = [ask.dice if ask.kind == "roll" else "" for ask in asks]
    return {name: frozenset(dice) for name, dice in dice_of.items() if dice and all(dice)}
