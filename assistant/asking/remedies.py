"""What would make possible what the rules refuse: one parameter of the question chosen otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, get_args

import msgspec

from ..util.errors import InputError
from ..util.notes import fields_of, hints_of
from .messages import SAY
from .parameters import list_form_fields, read_parameters
from .question import Helpful, Question, decide
from .report import MissingFacts, Remedy, Report, Step
from .view import View
from .wording import format_list

MOST_TRIED = 16
"""How many parameters are tried in turn against one refusal."""
MOST_NAMED = 3
"""How many remedies an answer names."""


def with_remedies(
    question: Question[Any, Any], view: View, asked: Mapping[str, object], report: Report[Any]
) -> Report[Any]:
    """Return a report with what would make possible what it refuses, and the same in its sentences. asked: the
    parameters as they were given.
    """
    if report.as_seen or report.between:
        return report
    remedies = _find_remedies(question, view, asked, report.reasons)
    if not remedies:
        return report
    sentence = SAY(
        "", "refused.remedy", remedies=format_list((f"{remedy.words} ({remedy.typed})" for remedy in remedies), "or")
    )
    return msgspec.structs.replace(report, remedies=remedies, short=(*report.short, sentence))


def _find_remedies(
    question: Question[Any, Any], view: View, asked: Mapping[str, object], reasons: Iterable[Step]
) -> tuple[Remedy, ...]:
    """Return the parameters with each of which alone the question does not refuse: those that it names, and units of
    the reasons that are left out. What is read for it does not count as read.
    """
    left_out = [*_try_without_units(question, view, asked, reasons)]
    named = islice(_list_helpful_values(question, view), MOST_TRIED // 2)
    tried = [*named, *left_out][:MOST_TRIED]
    fitting = (
        remedy
        for remedy in tried
        if _is_allowed(question, view, {**asked, remedy.name: remedy.value}, unknown=remedy in left_out)
    )
    return tuple(islice(fitting, MOST_NAMED))


def _list_helpful_values(question: Question[Any, Any], view: View) -> Iterator[Remedy]:
    """Yield the values that parameters name as `Helpful`. What is read for it does not count as read."""
    hints = hints_of(question.parameters)
    for field in fields_of(question.parameters):
        for mark in get_args(hints[field.name]):
            if isinstance(mark, Helpful):
                name = field.encode_name.replace("_", "-")
                yield from (Remedy(words, name, value) for words, value in mark.find(view.quiet_view()))


def _is_allowed(question: Question[Any, Any], view: View, asked: Mapping[str, object], *, unknown: bool) -> bool:
    """Return whether a question does not refuse what it is asked; not if it cannot be asked. unknown: whether where
    facts are missing, which it asks for once nothing else forbids it.
    """
    unnoticed = view.quiet_view()
    try:
        report = decide(question, unnoticed, read_parameters(question, unnoticed, asked), {})
    except MissingFacts:
        return unknown
    except InputError:
        return False
    return not report.reasons


def _try_without_units(
    question: Question[Any, Any], view: View, asked: Mapping[str, object], reasons: Iterable[Step]
) -> Iterator[Remedy]:
    """Yield the parameters without one of the units that the reasons name: taken from a list that has others, or from a
    parameter that may be empty, or added to those of a combat that stay out.
    """
    named = list(dict.fromkeys(unit for reason in reasons for unit in _find_units(view, reason)))
    without = view.game.file.prompt.without
    for field in list_form_fields(question, view.game):
        if field.takes != "unit":
            continue
        value = asked.get(field.name, "")
        names = value.split(",") if isinstance(value, str) else value
        given = [str(name).strip() for name in names if str(name).strip()] if isinstance(names, list | tuple) else []
        for unit in named:
            others = [name for name in given if name != unit]
            if field.name == without and unit not in given:
                yield Remedy(f"without {unit}", field.name, ",".join([*given, unit]))
            elif field.name != without and unit in given and (others or not field.needed):
                yield Remedy(f"without {unit}", field.name, ",".join(others))


def _find_units(view: View, reason: Step) -> Iterator[str]:
    """Yield the units of the position that stand in a reason."""
    for figure in reason.figures.values():
        names = figure if isinstance(figure, list | tuple) else (figure,)
        for name in names:
            if isinstance(name, str) and name in view.state.units:
                yield name
