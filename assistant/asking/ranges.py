"""Answers over a range: the answers with hidden facts at their weakest and at their strongest, as one report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Any, TypeVar

import msgspec

from ..mechanics.chances import Likelihood
from .asks import Ask
from .placeholders import merge_placeholders
from .report import DEPENDING, MISSING, MISSING_ONE, Part, Report, Step, Verdict, replace_placeholders
from .wording import Between, format_likelihood

R = TypeVar("R")


def merge_ends(weakest: Report[R], strongest: Report[R], *, bounded: bool = True) -> Report[R]:
    """Return one report with everything that holds at both ends, and the range of every figure that differs.

    If only the figures of the verdicts differ, the verdict has their range; otherwise it is undecided.

    `bounded`: whether the truth lies between the ends. After dice are rolled it may not, so there are no ranges.
    """
    is_same_result = weakest.result == strongest.result
    weakest_asks = {ask.name: ask for ask in weakest.asks}
    strongest_asks = {ask.name: ask for ask in strongest.asks}
    asks = {
        **strongest_asks,
        **{name: _merge_asks(ask, strongest_asks.get(name, ask)) for name, ask in weakest_asks.items()},
    }
    at_both = set(strongest.changes)
    rests_on = merge_placeholders(weakest.rests_on, strongest.rests_on)
    weakest = replace_placeholders(weakest, ())
    strongest = replace_placeholders(strongest, ())
    merged = msgspec.structs.replace(
        weakest,
        title=weakest.title if weakest.parts or not strongest.parts else strongest.title,
        verdict=_merge_verdicts(weakest.verdict, strongest.verdict, bounded=bounded),
        short=_merge_sentences(weakest.short, strongest.short, bounded=bounded),
        parts=tuple(_merge_parts(weakest, strongest, bounded=bounded)),
        cautions=tuple({(step.rule, step.text): step for step in (*weakest.cautions, *strongest.cautions)}.values()),
        asks=tuple(asks.values()),
        follows=tuple(consequence for consequence in weakest.follows if consequence in strongest.follows),
        changes=tuple(change for change in weakest.changes if change in at_both),
        done=tuple(text for change, text in zip(weakest.changes, weakest.done, strict=False) if change in at_both),
        result=weakest.result if is_same_result else None,
        between=None if is_same_result else (weakest.result, strongest.result),
    )
    return replace_placeholders(merged, rests_on)


def add_as_seen(report: Report[R], as_seen: Report[R], *, blind: bool) -> Report[R]:
    """Return a report over a range, with the answer as seen in front unless that adds nothing.

    If the working holds at one end only, it is replaced by the working of the answer as seen, which also names the
    rolls.

    `blind`: whether the answer as seen depends on places where no unit is seen.
    """
    if blind or as_seen.verdict.kind == "undecided" or as_seen.verdict == report.verdict:
        return report
    titles = {ask.name: ask.title for ask in as_seen.asks}
    combined = msgspec.structs.replace(
        report,
        as_seen=as_seen.verdict,
        result_as_seen=as_seen.result,
        parts=as_seen.parts if _is_of_one_end(report) else report.parts,
        asks=tuple(msgspec.structs.replace(ask, title=titles.get(ask.name, ask.title)) for ask in report.asks),
    )
    return replace_placeholders(combined, merge_placeholders(report.rests_on, as_seen.rests_on))


def _merge_sentences(weakest: Sequence[Step], strongest: Sequence[Step], *, bounded: bool) -> tuple[Step, ...]:
    steps = tuple(_merge_steps(weakest, strongest, bounded=bounded))
    return steps if len(steps) == len(weakest) == len(strongest) else ()


def _merge_asks(weakest: Ask, strongest: Ask) -> Ask:
    shared = {
        label: tuple(modifier for modifier in modifiers if modifier in strongest.modifiers.get(label, ()))
        for label, modifiers in weakest.modifiers.items()
    }
    return msgspec.structs.replace(
        weakest, modifiers={label: modifiers for label, modifiers in shared.items() if modifiers}
    )


def _merge_verdicts(weakest: Verdict, strongest: Verdict, *, bounded: bool) -> Verdict:
    if weakest == strongest:
        return weakest
    lack_facts = {weakest.template, strongest.template} <= {MISSING_ONE, MISSING}
    can_merge = lack_facts or (bounded and (weakest.kind, weakest.template) == (strongest.kind, strongest.template))
    if can_merge and (figures := _merge_figures(weakest.figures, strongest.figures)) is not None:
        return Verdict(weakest.kind, MISSING if lack_facts else weakest.template, figures)
    ends = {"weakest": _format_end(weakest), "strongest": _format_end(strongest)}
    return Verdict("undecided", "undecided: {weakest} if what is hidden is weak, {strongest} if it is strong", ends)


def _format_end(verdict: Verdict) -> str:
    if verdict.template in (MISSING_ONE, MISSING):
        return "not known yet"
    return str(verdict.figures["verdict"] if verdict.template == DEPENDING else verdict.text).removeprefix(
        "undecided: "
    )


def _merge_figures(weakest: Mapping[str, object], strongest: Mapping[str, object]) -> dict[str, object] | None:
    figures = dict[str, object]()
    for name, value in weakest.items():
        other = strongest.get(name)
        if value == other:
            figures[name] = value
        elif _is_figure(value) and _is_figure(other):
            figures[name] = Between(value, other)
        elif pairs := _pair_likelihoods(value, other):
            figures[name] = [low if low == high else format_likelihood(low, high) for low, high in pairs]
        else:
            return None
    return figures


def _pair_likelihoods(weakest: object, strongest: object) -> list[tuple[Likelihood, Likelihood]]:
    if not isinstance(weakest, tuple) or not isinstance(strongest, tuple) or len(weakest) != len(strongest):
        return []
    pairs = [*zip(weakest, strongest, strict=True)]
    have_same_values = all(
        isinstance(low, Likelihood) and isinstance(high, Likelihood) and low.value == high.value for low, high in pairs
    )
    return pairs if have_same_values else []


def _is_figure(value: object) -> bool:
    return isinstance(value, int | str | Fraction) and not isinstance(value, bool) and " " not in str(value)


def _merge_parts(weakest: Report[Any], strongest: Report[Any], *, bounded: bool) -> Iterator[Part]:
    if not weakest.parts or not strongest.parts:  # if only one end has parts, one heading marks them all
        end, parts = ("weakest", weakest.parts) if weakest.parts else ("strongest", strongest.parts)
        if parts:
            yield from (Part(_END_TITLES[end].capitalize(), ()), *parts)
        return
    strongest_parts = _index_parts(strongest.parts)
    for title, part in _index_parts(weakest.parts).items():
        other = strongest_parts.pop(title, None)
        if other is None:
            yield Part(f"{part.title}, {_END_TITLES['weakest']}", part.steps)
        elif part == other:
            yield part
        else:
            yield Part(part.title, tuple(_merge_steps(part.steps, other.steps, bounded=bounded)))
    for part in strongest_parts.values():
        yield Part(f"{part.title}, {_END_TITLES['strongest']}", part.steps)


def _is_of_one_end(report: Report[Any]) -> bool:
    titles = {title.capitalize() for title in _END_TITLES.values()}
    return bool(report.parts) and not report.parts[0].steps and report.parts[0].title in titles


def _index_parts(parts: Iterable[Part]) -> dict[tuple[str, int], Part]:
    count = Counter[str]()
    by_title: dict[tuple[str, int], Part] = {}
    for part in parts:
        by_title[part.title, count[part.title]] = part
        count[part.title] += 1
    return by_title


_END_TITLES = {end: f"with what is hidden at its {end}" for end in ("weakest", "strongest")}
"""The words after the title of a part that holds at one end only."""


def _merge_steps(weakest: Sequence[Step], strongest: Sequence[Step], *, bounded: bool) -> Iterator[Step]:
    kinds = [[_find_kind(step) for step in steps] for steps in (weakest, strongest)]
    for operation, low_start, low_end, high_start, high_end in SequenceMatcher(
        a=kinds[0], b=kinds[1], autojunk=False
    ).get_opcodes():
        if operation == "equal":
            for low, high in zip(weakest[low_start:low_end], strongest[high_start:high_end], strict=True):
                figures = _merge_figures(low.figures, high.figures) if bounded or low == high else None
                if figures is not None:
                    yield Step(low.rule, low.template, figures)
                else:
                    yield from (_mark_step("weakest", low), _mark_step("strongest", high))
        else:
            yield from (_mark_step("weakest", step) for step in weakest[low_start:low_end])
            yield from (_mark_step("strongest", step) for step in strongest[high_start:high_end])


def _find_kind(step: Step) -> tuple[Any, ...]:
    """Return the kind of a step: everything except its figures, which steps about the same subject share."""
    texts = ((name, value) for name, value in step.figures.items() if isinstance(value, str))
    words = ((name, text) for name, text in texts if not re.fullmatch(r"[0-9]+:[0-9]+", text))  # odds count as a figure
    return step.rule, step.template, *words


def _mark_step(end: str, step: Step) -> Step:
    return Step(step.rule, f"{end}: {step.template}", step.figures)
