"""Remedies: another value of one parameter that would make possible what the rules refuse."""

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

MAX_TRIED = 16
"""The maximum number of remedies tried for one refusal."""
MAX_NAMED = 3
"""The maximum number of remedies that an answer names."""


def with_remedies(
    question: Question[Any, Any], view: View, asked: Mapping[str, object], report: Report[Any]
) -> Report[Any]:
    """Return the report with remedies for a refusal, which are added to its sentences too.

    `asked`: the parameters as given.
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
    """Return the changes of one parameter with which the question does not refuse.

    It tries the values that its parameters name as helpful, and to leave out units that the reasons name.
    """
    without_unit = [*_try_without_units(question, view, asked, reasons)]
    helpful_values = islice(_list_helpful_values(question, view), MAX_TRIED // 2)
    tried = [*helpful_values, *without_unit][:MAX_TRIED]
    fitting = (
        remedy
        for remedy in tried
        if _is_allowed(question, view, {**asked, remedy.name: remedy.value}, unknown=remedy in without_unit)
    )
    return tuple(islice(fitting, MAX_NAMED))


def _list_helpful_values(question: Question[Any, Any], view: View) -> Iterator[Remedy]:
    hints = hints_of(question.parameters)
    for field in fields_of(question.parameters):
        for mark in get_args(hints[field.name]):
            if isinstance(mark, Helpful):
                name = field.encode_name.replace("_", "-")
                yield from (Remedy(words, name, value) for words, value in mark.find(view.quiet_view()))


def _is_allowed(question: Question[Any, Any], view: View, asked: Mapping[str, object], *, unknown: bool) -> bool:
    """Return whether the question can be asked with these parameters and does not refuse.

    `unknown`: the value to return if facts are missing.
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
    """Yield the parameters without one of the units that the reasons name.

    The unit is taken from a list with others or from an optional parameter, or added to the parameter for units of a
    combat that stay out.
    """
    units_in_reasons = list(dict.fromkeys(unit for reason in reasons for unit in _find_units(view, reason)))
    parameter_for_absent = view.game.file.prompt.without
    for field in list_form_fields(question, view.game):
        if field.takes != "unit":
            continue
        value = asked.get(field.name, "")
        names = value.split(",") if isinstance(value, str) else value
        units_given = (
            [str(name).strip() for name in names if str(name).strip()] if isinstance(names, list | tuple) else []
        )
        for unit in units_in_reasons:
            others = [name for name in units_given if name != unit]
            if field.name == parameter_for_absent and unit not in units_given:
                yield Remedy(f"without {unit}", field.name, ",".join([*units_given, unit]))
            elif field.name != parameter_for_absent and unit in units_given and (others or not field.needed):
                yield Remedy(f"without {unit}", field.name, ",".join(others))


def _find_units(view: View, reason: Step) -> Iterator[str]:
    for figure in reason.figures.values():
        names = figure if isinstance(figure, list | tuple) else (figure,)
        for name in names:
            if isinstance(name, str) and name in view.state.units:
                yield name
