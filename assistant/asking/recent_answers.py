"""The recent answers of a table: a question asked again about the same position is not worked out again.

An answer depends only on the game, the state with its viewpoint, trust and rulings, the past, the question, its
parameters, its rolls and choices, and the limits. An answer is given again only if all of these are the same, so that
nothing is carried from one viewpoint to another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from copy import deepcopy
from typing import Any, NamedTuple

from ..formats.positions import Position
from ..state.state import is_same_state
from ..util.limits import limits_set
from .parts import Parts
from .report import Report


class Inquiry(NamedTuple):
    """Everything that an answer depends on."""

    position: Position
    question: str
    parameters: Mapping[str, object]
    answers: Mapping[str, str]
    """The rolls and choices of the question, by name."""
    limits: tuple[str, ...]
    """The limits that the environment sets, which may cut an answer short."""

    @classmethod
    def of(
        cls, position: Position, question: str, parameters: Mapping[str, object], answers: Mapping[str, str]
    ) -> Inquiry:
        """Return an inquiry under the limits now in force. The caller may change its parameters later."""
        return cls(position, question, deepcopy(parameters), answers, limits_set())

    def is_same(self, other: Inquiry) -> bool:
        """Return whether both have the same answer, to the order of everything listed in it.

        The order of parameters, and of rolls and choices, does not matter.
        """
        return (
            self.question == other.question
            and self.parameters == other.parameters
            and self.answers == other.answers
            and self.limits == other.limits
            and _has_same_past(self.position, other.position)
            and is_same_state(self.position.state, other.position.state)
        )


class RecentAnswers:
    """The answers given last at one table, the latest first.

    `max_kept`: the maximum number of answers kept.
    """

    def __init__(self, max_kept: int = 8) -> None:
        self._max_kept = max_kept
        self._kept: tuple[tuple[Inquiry, Report[Any]], ...] = ()
        self._parts: tuple[Position, Parts] | None = None

    def recall(self, inquiry: Inquiry, work_out: Callable[[], Report[Any]]) -> Report[Any]:
        """Return the answer to an inquiry: the one given before, or else the result of `work_out`, which is kept.

        Errors are not kept.
        """
        found = next((entry for entry in self._kept if entry[0].is_same(inquiry)), None)
        entry = found or (inquiry, work_out())
        others = (other for other in self._kept if other is not found)
        self._kept = (entry, *others)[: self._max_kept]
        return entry[1]

    def parts_of(self, position: Position) -> Parts:
        """Return the parts of answers that questions about positions of the same game and past share."""
        if self._parts is None or not _has_same_past(self._parts[0], position):
            self._parts = position, Parts()
        return self._parts[1]


def _has_same_past(position: Position, other: Position) -> bool:
    return position.game is other.game and position.past == other.past


_CURRENT: ContextVar[RecentAnswers | None] = ContextVar("the recent answers of the table that is asked", default=None)


@contextmanager
def keeping_answers(recent: RecentAnswers | None = None) -> Iterator[RecentAnswers]:
    """In the block, give recent answers again instead of working them out, and keep new ones.

    `recent`: the answers of earlier blocks, or None to begin without any.
    """
    now = RecentAnswers() if recent is None else recent
    before = _CURRENT.set(now)
    try:
        yield now
    finally:
        _CURRENT.reset(before)


def current_answers() -> RecentAnswers | None:
    """Return the recent answers of the table that is asked, or None outside a block of `keeping_answers`."""
    return _CURRENT.get()
