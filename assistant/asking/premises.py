"""What the answer to a question was read from, noted while it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from ..state.state import Cell, CellKey, FactKey
from ..state.tracks import Fact, Value
from .report import Step

T = TypeVar("T")
_Key = tuple[str, str, str]
"""The rule of an assumption, its text, and the figure in which it lists its subjects."""


class _Assumed(NamedTuple):
    """What an answer takes for granted."""

    step: Step
    """As the report lists it, without its subjects."""
    listed: str = ""
    """The figure of the step that lists the subjects, "" if the step has none."""
    subjects: dict[str, None] = {}
    """Those about which a fact is unknown, in the order in which they were read."""
    aloud: bool = False
    """Whether an answer in short says it too, as another statement would forbid what it allows."""

    def as_step(self) -> Step:
        """Return the step that the report lists."""
        if not self.listed:
            return self.step
        return Step(self.step.rule, self.step.template, {self.listed: list(self.subjects)})


class Noted(NamedTuple):
    """What a report says of some work besides its result: the rulings that were read, and what was taken for granted."""

    rulings: dict[str, str]
    assumptions: dict[_Key, _Assumed]


NOTHING_NOTED = Noted({}, {})
"""What a report says of most work: nothing."""


class Premises:
    """What was read of a state, and of those that changes lead to from it."""

    def __init__(self) -> None:
        self.facts: dict[FactKey, Fact] = {}
        self.supposed: dict[FactKey, Value] = {}
        """Hidden facts, with the values that they are supposed to have."""
        self.unseen: dict[str, None] = {}
        """The places where units stand that are not seen."""
        self.cells: dict[CellKey, Cell] = {}
        self.missed_cells: dict[CellKey, None] = {}
        """The chart cells that are needed and unknown."""
        self.rulings: dict[str, str] = {}
        """The reading of each doubtful rule that makes a difference."""
        self.answers: dict[str, dict[str, str]] = {}
        """The answers that were used, as typed: the rolls and choices that each answers, with the dice of a roll and ""
        for a choice.
        """
        self.plays: list[Any] = []
        """The procedures that answers were given to, in order, each as a `play.Play`."""
        self._assumptions: dict[_Key, _Assumed] = {}

    @property
    def supposes(self) -> bool:
        """Whether anything that was read is only supposed."""
        return bool(self.supposed or self.unseen)

    @property
    def assumptions(self) -> tuple[Step, ...]:
        """What the answer takes for granted, one step each."""
        return tuple(assumption.as_step() for assumption in self._assumptions.values())

    @property
    def assumed_aloud(self) -> tuple[str, ...]:
        """What the answer takes for granted and says in short too."""
        return tuple(assumption.step.text for assumption in self._assumptions.values() if assumption.aloud)

    def assume(self, step: Step, *, aloud: bool = False) -> None:
        """Note what is taken for granted. aloud: as an `_Assumed` has it."""
        self._assumptions[step.rule, step.text, "aloud" if aloud else ""] = _Assumed(step, aloud=aloud)

    def assume_of(self, subject: str, rule: str, template: str, listed: str) -> None:
        """Note that a fact about a subject has its usual value. listed: as an `_Assumed` has it."""
        assumption = _Assumed(Step(rule, template), listed, {})
        self._assumptions.setdefault((rule, template, listed), assumption).subjects[subject] = None

    def note(self, work: Callable[[], T]) -> tuple[T, Noted]:
        """Return what some work comes to, with what a report says of it besides, for when its result is used again: see
        `note_again`.
        """
        before = Noted(self.rulings, self._assumptions)
        self.rulings, self._assumptions = {}, {}
        try:
            made = work()
        finally:
            noted = Noted(self.rulings, self._assumptions)
            self.rulings, self._assumptions = before
            self.note_again(noted)
        return made, noted if any(noted) else NOTHING_NOTED

    def note_again(self, noted: Noted) -> None:
        """Let a report say of a result that is used again what it said when it was worked out."""
        if noted is NOTHING_NOTED:
            return
        self.rulings.update(noted.rulings)
        for key, assumption in noted.assumptions.items():
            known = self._assumptions.get(key)
            subjects = {**(known.subjects if known else {}), **assumption.subjects}
            self._assumptions[key] = assumption._replace(subjects=subjects)
