"""The phases of a turn with their steps: which are due, in which part of it, and by which optional rules."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Protocol

from .course import CourseFile, CourseStep, Part, Phase, Skip
from .games import Game
from .turn_record import numbers_of, turn_numbers


def phases_in(
    game: Game, course: CourseFile, part: Part, turn: int | None, who: str = "", options: Container[str] = ()
) -> Iterator[tuple[Phase, tuple[CourseStep, ...]]]:
    """Yield the phases of a part of a turn in order, each with its steps that are done in it, without phases whose
    steps are all for other turns.

    turn: None for any turn, by whatever rules; who: the side or nation whose part it is, "" for all; options: the
    optional rules in force. Raises InputError for unreadable turns.
    """
    numbers = turn_numbers(game, course)
    whom = ("", who, *game.file.sides.get(who, ()))

    def is_due(due: Phase | CourseStep | Skip) -> bool:
        return (turn is None or turn in numbers_of(due.turns, numbers)) and (due.who in whom or not who)

    def is_skipped(skip: Skip) -> bool:
        sometimes = turn is None and (skip.turns or skip.option or skip.unless)
        return not sometimes and skip.who in whom and is_due(skip) and is_condition_met(skip, options)

    for phase in course.phase:
        if phase.part == part and is_due(phase) and not any(map(is_skipped, phase.skipped)):
            steps = tuple(
                step for step in phase.steps if is_due(step) and (turn is None or is_condition_met(step, options))
            )
            if steps or not phase.steps:
                yield phase, steps


class Conditional(Protocol):
    """What holds by some optional rules, and not by others: words with spaces between."""

    @property
    def option(self) -> str:
        """Those that have to be in force."""

    @property
    def unless(self) -> str:
        """Those of which none may be."""


def is_condition_met(due: Conditional, options: Container[str]) -> bool:
    """Return whether the optional rules that something belongs to are in force, each word of `option`, and none of
    `unless`.
    """
    return all(word in options for word in due.option.split()) and not any(
        word in options for word in due.unless.split()
    )
