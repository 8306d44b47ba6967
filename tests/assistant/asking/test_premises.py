"""What an answer assumes, noted while it is worked out."""

from __future__ import annotations

from assistant.asking.premises import Premises
from assistant.asking.report import Step


def test_assumptions_do_not_share_their_subjects() -> None:
    premises = Premises()
    premises.assume(Step("1.1", "no rain"))
    premises.assume(Step("1.2", "no snow"))
    premises.assume_of("0101", "1.1", "no rain", "")
    first, second = premises._assumptions.values()
    assert [first.subjects, second.subjects] == [{"0101": None}, {}]


def test_an_assumption_that_the_short_answer_says_is_not_one_with_a_figure_of_that_name() -> None:
    premises = Premises()
    premises.assume(Step("1.1", "no rain"), aloud=True)
    premises.assume_of("0101", "1.1", "no rain", "aloud")
    assert [step.figures for step in premises.assumptions] == [{}, {"aloud": ["0101"]}]
