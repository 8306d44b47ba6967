"""What is refused says why with its rule, and which single parameter would make it possible."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import assistant
from assistant.asking.report import Report, to_text
from assistant.faces.page.table_view import show_answer
from assistant.formats.positions import Position
from assistant.util.errors import InputError

from ...cases import few, thorough
from .test_short import FILES, asked_of, read
from .test_short import reports as reports_of

GAMES = ("twilight_in_the_east", "kaisers_war_in_the_east", "world_undone_east_prussia")
EXAMPLES = [file for file in FILES if file.parts[-3] in GAMES and file.parent.name == "examples"]
TWO_NATIONS = """game kaisers-war-in-the-east
turn=2
main-effort=west
2620 clear: Rus-2 (9-12-4)
2621 clear: AH-4 (10-11-4)
2619 clear: Ger-8 (10-11-4)
2519 clear: Ober-Ost (8-2-2) radius=3
2620 | 2621,2619 open
"""
MARCH = """game world-undone-east-prussia-1914
board east-prussia
scenario=historical
turn=4
phasing=german
phase=first-movement
trust counters charts
options=forced-march
3015: XVII/36, XVII/35
"""


def words_of(report: Report[Any]) -> list[tuple[str, str]]:
    return [(remedy.words, remedy.typed) for remedy in report.remedies]


def check_refusal(position: Position, report: Report[Any]) -> None:
    """A refusal is headed by its first reason with the rule, in text and on the page, and what it names makes it possible."""
    reason = report.reasons[0]
    shown = show_answer(position, report)
    assert shown.headline
    assert (shown.headline.rule, shown.headline.text) == (reason.rule, reason.text)
    assert reason.rule
    assert reason.text
    assert not report.sentences or reason.text in report.answers[0]
    for remedy in report.remedies:
        assert remedy.words in report.answers[0]
        assert remedy.typed in to_text(report, width=2000)


@few(3)
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_no_refusal_is_without_its_reason(file: Path) -> None:
    """Of the questions of a file, and of those that can be asked of its units."""
    position = read(file)
    for asked in (*position.asks, *asked_of(position)):
        try:
            report = assistant.ask(position, asked)
        except InputError:
            continue
        if report.reasons:
            check_refusal(position, report)
            for remedy in report.remedies:
                again = assistant.ask(position, asked.question, **{**asked.parameters, remedy.name: remedy.value})
                assert not again.reasons, (asked, remedy)


@thorough
@pytest.mark.parametrize("game", GAMES)
def test_some_of_what_is_tried_is_refused(game: str) -> None:
    reports = (report for file in EXAMPLES if file.parts[-3] == game for report in reports_of(file, every=True))
    assert any(report.reasons for report in reports)


@pytest.mark.rule("14.10")
def test_two_nations_attack_with_a_headquarters() -> None:
    position = assistant.parse(TWO_NATIONS)
    report = assistant.ask(position, "battle", at="2620")
    assert [step.rule for step in report.reasons] == ["14.10"]
    assert words_of(report) == [("with Ober-Ost", "hq=Ober-Ost")]
    assert report.answers[0].endswith("Possible with Ober-Ost (hq=Ober-Ost).")
    allowed = assistant.ask(position, "battle", at="2620", hq="Ober-Ost")
    assert not (allowed.reasons or allowed.remedies)


def test_nothing_helps_where_no_headquarters_stands() -> None:
    report = assistant.ask(assistant.parse(TWO_NATIONS.replace("radius=3", "radius=0")), "battle", at="2620")
    assert report.reasons
    assert not report.remedies


def test_a_unit_that_may_not_march_is_left_out() -> None:
    position = assistant.parse(MARCH.replace("XVII/35", "XVII/35 moved"))
    report = assistant.ask(position, "move", units="XVII/36,XVII/35", way="3014")
    assert words_of(report) == [("without XVII/35", "units=XVII/36")]
    assert not assistant.ask(position, "move", units="XVII/36", way="3014").reasons


def test_a_unit_that_has_fought_stays_out_though_the_ground_is_not_stated() -> None:
    position = assistant.parse(
        "game twilight-in-the-east\nturn=1\nphase=attack\nphasing=russian\n41.19: 1/1 (12-16-7-11)\n"
        "40.20: 25/3 (10-9-5-10), 27/3 (10-9-5-10) fought\n"
    )
    assert words_of(assistant.ask(position, "battle", at="41.19")) == [("without 27/3", "withhold=27/3")]


@pytest.mark.rule("10.3")
def test_a_way_that_is_too_long_is_possible_by_forced_march() -> None:
    position = assistant.parse(MARCH)
    report = assistant.ask(position, "move", units="XVII/36", way="3014,3013,3012,3011")
    assert words_of(report) == [("by forced march", "forced=yes")]
    without = assistant.parse(MARCH.replace("options=forced-march\n", ""))
    assert not assistant.ask(without, "move", units="XVII/36", way="3014,3013,3012,3011").remedies
