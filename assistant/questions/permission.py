"""What may be done: the rules that forbid it, one line each, or yes, with the working and with what it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import msgspec

from ..state.changes import AnyChange
from .play import Thrown
from .report import Ask, MissingFacts, Part, Report, Step, VerdictKind, step, verdict

R = TypeVar("R")
T = TypeVar("T")
Clause = tuple[object, str, str]
"""Whether something holds, by which rule, and the template of the step that says so."""


class Outcome(NamedTuple):
    """What a report says once a die has come out so, or before it is thrown: the kind and the template of its verdict, the steps of each part
    by its title, and what changes."""

    kind: VerdictKind
    template: str
    working: Mapping[str, Iterable[Step]] = {}
    changes: Iterable[AnyChange] = ()


def holding(clauses: Iterable[Clause], *holders: object, **figures: Any) -> list[Step]:
    """The steps of the clauses that hold, in their order, such as the reasons why something is not allowed.

    holders, figures: where each step finds the figures that its template names, and it has no others.
    """
    given = SimpleNamespace(**figures)
    return [step(rule, template, given, *holders) for holds, rule, template in clauses if holds]


def read_unless(reasons: Sequence[object], read: Callable[[], T]) -> T | None:
    """What is read of a position, or None where facts for it are missing that change nothing, because something forbids it already.

    reasons: against what is asked, resting on nothing that is missing. Raises MissingFacts where there are none and facts are missing.
    """
    try:
        return read()
    except MissingFacts:
        if reasons:
            return None
        raise


def refused(
    title: str, template: str, reasons: Sequence[Step], /, *holders: object, result: R | None = None, **figures: Any
) -> Report[R]:
    """The report on something that the rules do not allow, with each reason. title: what was asked; template: what is not
    allowed, with figures as in a `step`: "{unit} cannot recover"; it may say {why}, the first reason, instead of how many there are.
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

    title: what was asked; templates: the verdict if it is allowed, and if it is not, the latter as in `refused`; reasons: all that
    forbids it, none if nothing does; result: the typed result, whose field `allowed`, if it has one, is set here; holders, figures: where
    the verdict finds its figures besides the result. working: the steps of each part by its title, and changes: what it changes; neither is
    asked for one by one unless it is allowed, so both may be generators that take that for granted. asks: what is due then; kind: of the
    verdict if it is allowed.
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


def by_die(
    title: str,
    forbidden: str,
    reasons: Iterable[Step],
    thrown: Thrown[Any],
    outcomes: Mapping[Any, Outcome],
    result: R,
    /,
    *holders: object,
    **figures: Any,
) -> Report[R]:
    """The report on what one die decides, unless something forbids that it is thrown.

    title, forbidden, reasons, result, holders, figures: as in `permission`; thrown: the die; outcomes: a row for each thing that may come of
    it, the row None before it is thrown.
    """
    kind, template, working, changes = outcomes[thrown.came]
    templates, asks = (template, forbidden), thrown.asks
    more: dict[str, Any] = {"working": working, "changes": changes, "asks": asks, "kind": kind, **figures}
    return permission(title, templates, reasons, result, *holders, **more)
