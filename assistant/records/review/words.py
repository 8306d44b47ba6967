"""A review in words, a line for each step, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

import msgspec

from ...asking.report import format_viewpoint_lines
from ...asking.wording import append_rule, format_list, sentence_case
from ...asking.wrapping import wrap_text
from ...util.console import encode_json, format_count
from .marks import JUDGEMENTS, Mark, Review

WIDTH = 100
"""The number of columns of a review."""
_SIGNS = {"lawful": "ok", "against": "!!", "undecided": "?", "aside": "-", "agreed": "="}
"""The sign of each judgement at the beginning of a line."""
_MAX_CAUSES = 12
"""The maximum number of causes for which undecided marks are counted."""


def format_review(review: Review, *, is_brief: bool = False) -> str:
    """Return a review as text.

    `is_brief`: whether to leave out what is lawful or not a matter of rules.
    """
    before, after = format_viewpoint_lines(review.viewpoint, review.viewpoint_title, review.game, WIDTH)
    lines = [*before, f"{review.file}: {format_count(review.steps, 'step')}"]
    shown = [mark for mark in review.marks if not is_brief or mark.judgement in ("against", "undecided")]
    width = len(str(review.steps))
    for when, marks in groupby(shown, key=lambda mark: mark.when):
        lines += ["", *([sentence_case(when)] if when else [])]
        for mark in marks:
            lines += _format_mark(mark, width)
    lines += ["", *_format_sums(review)]
    if review.rests_on:
        are = "is" if [*review.rests_on] == ["drawn map"] else "are"
        lines += wrap_text(f"This holds if the {format_list(review.rests_on)} {are} right.", WIDTH)
    return "\n".join([*lines, *after]) + "\n"


def _format_mark(mark: Mark, width: int) -> Iterator[str]:
    """Yield the lines of a mark: what was done, then why it is so judged, and what puts it right."""
    way = f" by {' '.join(mark.way)}" if len(mark.way) > 2 else ""
    head = f"{_SIGNS[mark.judgement]:>2} {mark.step:>{width}} "
    details = mark.why
    if mark.judgement == "undecided" and details:
        details = f"not known: {details}" if not details.startswith("undecided: ") else details
    text = f"{mark.what}{way}{f': {details}' if details else ''}"
    if mark.rule:
        text = append_rule(text, mark.rule)
    yield from wrap_text(text, WIDTH, head)
    if mark.remedy:
        yield from wrap_text(f"To put it right: {mark.remedy}.", WIDTH, " " * len(head))


def _format_sums(review: Review) -> Iterator[str]:
    counts = review.counts
    named = ((judgement, count) for judgement, count in counts.items() if count or judgement != "agreed")
    yield ", ".join(f"{count} {JUDGEMENTS[judgement]}" for judgement, count in named) + "."
    for judgement in ("against", "undecided"):
        causes = Counter(mark.cause for mark in review.marks if mark.judgement == judgement)
        if causes:
            listed = ", ".join(f"{cause} {number}" for cause, number in causes.most_common(_MAX_CAUSES))
            yield from wrap_text(f"{sentence_case(JUDGEMENTS[judgement])}: {listed}.", WIDTH)


def review_json(review: Review) -> str:
    """Return a review as JSON, with the number of marks of each judgement."""
    contents = msgspec.to_builtins(review)
    contents["counts"] = dict(review.counts)
    contents["rests_on"] = [*review.rests_on]
    return encode_json(contents).decode()
