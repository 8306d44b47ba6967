"""The phases and steps of a turn that are due, also by optional rules."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Protocol

from .course import CourseFile, CourseStep, Part, Phase, Skip
from .games import Game
from .turn_record import numbers_of, turn_numbers


def phases_in(
    game: Game, course: CourseFile, part: Part, turn: int | None, who: str = "", options: Container[str] = ()
) -> Iterator[tuple[Phase, tuple[CourseStep, ...]]]:
    """Yield the phases of a part of a turn in order, each with its due steps.

    A phase is left out if it has steps, but none is due.

    `turn`: the turn, or None for any turn and any optional rules.

    `who`: the side or nation whose part it is, or "" if all.

    Raises InputError for unreadable turns.
    """
    numbers = turn_numbers(game, course)
    concerned = ("", who, *game.file.sides.get(who, ()))

    def is_due(item: Phase | CourseStep | Skip) -> bool:
        return (turn is None or turn in numbers_of(item.turns, numbers)) and (item.who in concerned or not who)

    def is_skipped(skip: Skip) -> bool:
        sometimes = turn is None and (skip.turns or skip.option or skip.unless)
        return not sometimes and skip.who in concerned and is_due(skip) and is_condition_met(skip, options)

    for phase in course.phase:
        if phase.part == part and is_due(phase) and not any(map(is_skipped, phase.skipped)):
            steps = tuple(
                step for step in phase.steps if is_due(step) and (turn is None or is_condition_met(step, options))
            )
            if steps or not phase.steps:
                yield phase, steps


class Conditional(Protocol):
    """Something that depends on optional rules, each named by a word."""

    @property
    def option(self) -> str:
        """The optional rules that must be in force, with spaces between."""

    @property
    def unless(self) -> str:
        """The optional rules that must not be in force."""


def is_condition_met(due: Conditional, options: Container[str]) -> bool:
    """Return whether every optional rule in `option` is in force, and none in `unless`."""
    return all(word in options for word in due.option.split()) and not any(
        word in options for word in due.unless.split()
    )
