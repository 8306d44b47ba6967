"""What a side asks about an example file is answered, or refused in words."""

from __future__ import annotations

import pytest

from assistant.asking.report import Part, Report, Step, Verdict
from assistant.records.explaining.account import MOST_LINES, format_question_briefly
from assistant.records.explaining.explanation import ExplainedQuestion

from ....cases import few, seeds
from ....comparing.search import tried
from .viewpoints import SEARCH


@few(2)
@pytest.mark.parametrize("seed", seeds(20))
def test_no_command_ends_in_an_internal_error(seed: int) -> None:
    assert tried(SEARCH, range(3), seed).wrong == []


def test_a_part_without_steps_is_a_heading() -> None:
    """Such as `With what is hidden at its weakest`, above the parts of that end of a range."""
    steps = tuple(Step("10.9", "a step of the working") for _ in range(60))
    parts = (Part("With all at its weakest", ()), Part("Odds", steps))
    report: Report[None] = Report(title="Battle", verdict=Verdict("yes", "1/1 holds"), parts=parts)
    asked = ExplainedQuestion(question="battle", parameters={}, opened="by chat", first=1, last=2, report=report)
    lines = format_question_briefly(asked, 1)
    assert len(lines) <= MOST_LINES
    assert lines[lines.index("With all at its weakest:") + 1].startswith("Odds: ")
