"""What a chapter answers to made-up cases is what it answered before; a change that is meant is kept by `python -m tests.comparisons --write`."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from assistant.util.errors import InputError

from ..comparing.search import tried
from ..comparing.ways import Answer
from . import KEPT, answer, cases, kept, read_chapters, sum_up
from .__main__ import Answered, compare
from .consequences import SEARCH
from .rounds import count_rounds

FEW = 25
"""The cases of a chapter with which `make test` is content."""


def _find_changed(chapter: str, count: int) -> list[tuple[int, str, str, str]]:
    """Return the cases whose answers are not those that are kept, by number, with the kept answer and the one of now."""
    before = kept(chapter).read_text("utf-8").splitlines()
    drawn = list(cases(chapter, count))
    now = [sum_up(answer(case)) for case in drawn]
    return [
        (number, drawn[number], before[number], now[number]) for number in range(count) if before[number] != now[number]
    ]


@pytest.mark.parametrize("chapter", read_chapters())
def test_answers_are_those_of_before(chapter: str) -> None:
    assert not _find_changed(chapter, FEW)


@pytest.mark.thorough
@pytest.mark.parametrize("chapter", read_chapters())
def test_all_kept_answers_are_those_of_before(chapter: str) -> None:
    assert not _find_changed(chapter, KEPT)


@pytest.mark.parametrize("chapter", read_chapters())
def test_cases_are_of_many_kinds(chapter: str) -> None:
    """Of the kept answers some are yes or a figure, some no, and some undecided."""
    kinds = {line.split()[1] for line in kept(chapter).read_text("utf-8").splitlines()}
    assert {"no", "undecided"} <= kinds
    assert kinds & {"yes", "figure"}


def test_what_follows_from_marches_and_retreats_is_said_and_owed() -> None:
    """A short run of `make explore WHAT=owed`."""
    found = tried(SEARCH, range(2 * FEW))
    assert found.wrong == []
    assert found.seen["answers with consequences"]


def test_answers_of_two_checkouts_are_compared_by_what_differs(tmp_path: Path) -> None:
    answers: list[Answer] = [
        {"error": "none"},
        {"verdict": {"text": "two"}, "asks": []},
        {"verdict": {"text": "3"}, "asks": []},
    ]
    files = [tmp_path / name for name in ("before", "after")]
    for file, changed in zip(files, ({}, {"verdict": {"text": "4"}}), strict=True):
        made = [*answers[:2], answers[2] | changed]
        file.write_bytes(b"".join(msgspec.json.encode(Answered("case", each)) + b"\n" for each in made))
    report = compare(*files)
    assert "| the same | 2 |" in report and "| different | 1 |" in report
    assert "verdict: before: {'text': '3'}; after: {'text': '4'}" in report


ROUNDS = {"supply": 3}
"""In how many rounds of questions a chapter decides what is asked, if not in two: that there is no other line, and no way out, is asked for last."""


@pytest.mark.thorough
@pytest.mark.parametrize("chapter", read_chapters())
def test_a_question_is_decided_in_two_rounds_of_questions(chapter: str) -> None:
    for number, case in enumerate(cases(chapter, 8 * FEW, 7)):
        try:
            rounds = count_rounds(case, random.Random(number))
        except InputError:  # the case, or what chance answers, contradicts itself
            continue
        assert len(rounds) <= ROUNDS.get(chapter, 2), (case, rounds)
