"""What may be done: the rules that forbid it, one line each, or yes, with the working and with what it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Annotated, Any, TypeVar

import msgspec

from ..state.changes import AnyChange
from ..util.notes import note
from .play import Q, Thrown, throw
from .question import Question, declare
from .report import Ask, MissingFacts, Part, Report, Step, VerdictKind, step, verdict
from .view import Gather, View

R = TypeVar("R")
T = TypeVar("T")
Clause = tuple[object, str, str]
"""Whether something holds, by which rule, and the template of the step that says so."""


def holding(clauses: Iterable[Clause], *holders: object, **figures: Any) -> list[Step]:
    """The steps of the clauses that hold, in their order, such as the reasons why something is not allowed.

    holders, figures: where each step finds the figures that its template names, and it has no others.
    """
    given = SimpleNamespace(**figures)
    return [step(rule, template, given, *holders) for holds, rule, template in clauses if holds]


def read_unless(reasons: Sequence[object], read: Callable[[], T]) -> T | None:
    """What is read of a position, or None where facts for it are missing that change nothing, because something forbids
    it already.

    reasons: against what is asked, resting on nothing that is missing. Raises MissingFacts where there are none and
    facts are missing.
    """
    try:
        return read()
    except MissingFacts:
        if reasons:
            return None
        raise


def if_known(view: View, work: Callable[[Gather], T]) -> T | None:
    """What is worked out from facts; None where some of them are not stated."""
    try:
        with view.gather() as facts:
            return work(facts)
    except MissingFacts:
        return None


def refused(
    title: str, template: str, reasons: Sequence[Step], /, *holders: object, result: R | None = None, **figures: Any
) -> Report[R]:
    """The report on something that the rules do not allow, with each reason. title: what was asked; template: what is
    not allowed, with figures as in a `step`: "{unit} cannot recover"; it may say {why}, the first reason, instead of
    how many there are.
    """
    text = template if "{why}" in template else template + " ({reasons:#reason})"
    said = SimpleNamespace(reasons=len(reasons), why=reasons[0].text)
    no = verdict("no", text, said, *holders, **figures)
    return Report(title=title, verdict=no, parts=(Part("Not allowed", tuple(reasons)),), result=result)


def permission(
    title: str,
    templates: tuple[str, str],
    reasons: Iterable[Step],
    result: R,
    /,
    *holders: object,
    working: Mapping[str, Iterable[Step]] | None = None,
    changes: Iterable[AnyChange] = (),
    asks: Iterable[Ask] = (),
    kind: VerdictKind = "yes",
    **figures: Any,
) -> Report[R]:
    """The report on whether something may be done.

    title: what was asked; templates: the verdict if it is allowed, and if it is not, the latter as in `refused`;
    reasons: all that forbids it, none if nothing does; result: the typed result, whose field `allowed`, if it has one,
    is set here; holders, figures: where the verdict finds its figures besides the result. working: the steps of each
    part by its title, and changes: what it changes; neither is asked for one by one unless it is allowed, so both may
    be generators that take that for granted. asks: what is due then; kind: of the verdict if it is allowed.
    """
    allowed, forbidden = templates
    forbidding = tuple(reasons)
    if "allowed" in getattr(result, "__struct_fields__", ()):
        result = msgspec.structs.replace(result, allowed=not forbidding)  # type: ignore[type-var]  # a struct, as its fields show
    if forbidding:
        return refused(title, forbidden, forbidding, result, *holders, result=result, **figures)
    return Report(
        title=title,
        verdict=verdict(kind, allowed, result, *holders, **figures),
        parts=tuple(Part(name, tuple(steps)) for name, steps in (working or {}).items()),
        changes=tuple(changes),
        asks=tuple(asks),
        result=result,
    )


class DieRow(msgspec.Struct, frozen=True, kw_only=True):
    """A question that a single die settles, as a row of a table: what it is called, its die, and its verdicts, as
    templates.
    """

    question: Annotated[str, note("its name")]
    title: Annotated[str, note("what it answers, in a line")]
    die: Annotated[str, note("the name of its die")]
    means: Annotated[str, note("what the die is")]
    rule: Annotated[str, note("the rule of the roll")]
    roll: Annotated[str, note("what the roll is called")]
    forbidden: Annotated[str, note("the verdict if it may not be rolled")]
    due: Annotated[str, note("the verdict before the roll")]
    yes: Annotated[str, note("the verdict if the roll succeeds, or for a number")]
    no: Annotated[str, note("the verdict if it fails")] = ""

    def declare(self, answer: Callable[..., Report[R]]) -> Question[Any, R]:
        """The question. answer: its function, as for `declare`."""
        return declare(self.question, self.title, answer, {self.die: self.means})

    def throw(self, comes: Callable[[int], Q], answers: Mapping[str, str]) -> Thrown[Q]:
        """The die as far as it is answered. comes: from the die to what comes of it. Raises AnswerError as `play.throw`
        does.
        """
        return throw(self.die, self.rule, self.roll, comes, answers)

    def report(
        self, title: str, reasons: Iterable[Step], thrown: Thrown[Any], result: R, /, *holders: object, **more: Any
    ) -> Report[R]:
        """The report, where the verdict is yes or no by the die, and a figure before it and for a number.

        thrown: the die; the others as in `permission`. Its working and changes are those of what the die has led to.
        """
        came = thrown.came
        template = self.yes
        kind: VerdictKind = "figure"
        if came is None:
            template = self.due
        elif isinstance(came, bool):
            kind, template = ("yes", self.yes) if came else ("no", self.no)
        templates = (template, more.pop("forbidden", self.forbidden))
        return permission(title, templates, reasons, result, *holders, asks=thrown.asks, kind=kind, **more)
