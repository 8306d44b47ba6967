"""The answer in sentences: each figure in it stands in the working, and one line holds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import assistant
from assistant.questions.report import LINE, MOST_LINES, Report, to_short, working
from assistant.util.errors import InputError

from ...pages import ROOT

FILES = sorted(file for folder in ("examples", "setups") for file in ROOT.glob(f"plugins/*/{folder}/*.pos"))
_FIGURE = re.compile(r"\d+(?:[.:/]\d+)*%?")


def reports(file: Path) -> Iterator[Report]:
    """The answers to the questions of a file."""
    position = assistant.read(file, side="")
    for asked in position.asks:
        try:
            yield assistant.ask(position, asked)
        except InputError:
            continue


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_the_short_answer_says_nothing_that_the_full_one_does_not(file: Path) -> None:
    for report in reports(file):
        full = " ".join((report.title, report.verdict.text, *working(report, 10**6)))
        figures = {figure for sentence in report.sentences for figure in _FIGURE.findall(sentence)}
        assert figures <= {*_FIGURE.findall(full)}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_one_line_holds_the_answer(file: Path) -> None:
    for report in reports(file):
        if report.sentences:
            assert "\n" not in report.headline
            assert len(report.headline) <= LINE


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_an_answer_without_its_working_is_short(file: Path) -> None:
    for report in reports(file):
        due = sum(1 for ask in report.asks) + len(report.changes)
        assert len(to_short(report, 80).splitlines()) <= max(MOST_LINES, 12 + 2 * due)
