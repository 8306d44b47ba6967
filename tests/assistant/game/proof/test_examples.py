"""Worked cases of rules, and what of their answers belongs to a rule."""

from __future__ import annotations

import pytest

from assistant.game.proof.examples import Example, cited_in, cites_of, list_examples
from assistant.installed.registry import load_game

SHARED = Example(
    ("7.2.1", "11.3.2aa", "7.3"),
    "game any\nask battle",
    ("two fail", "A fails by 2 [7.2.1]", "A loses 1 level [11.3.2]", "B rolls 5 [7.2]"),
)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("A fails by 2 [7.2.1]", "7.2.1"),
        ("no rule", ""),
        ("[7.2] begins", ""),
        ("C [of 3] goes [Opt/Fog/2]", "Opt/Fog/2"),
    ],
)
def test_a_line_cites_the_rule_at_its_end(line: str, rule: str) -> None:
    assert cited_in(line) == rule


@pytest.mark.parametrize(
    ("rule", "cites"),
    [
        ("11.3.2aa", {"11.3.2aa", "11.3.2"}),
        ("6.4/DE", {"6.4/DE", "6.4"}),
        ("7.2", {"7.2"}),
        ("14.8/3-edge", {"14.8/3-edge", "14.8"}),
    ],
)
def test_a_row_is_cited_by_its_number_or_that_of_its_section(rule: str, cites: set[str]) -> None:
    assert {*cites_of(rule)} == cites


@pytest.mark.parametrize(
    ("rule", "lines"),
    [
        ("7.2.1", SHARED.answer[:2]),
        ("11.3.2aa", (SHARED.answer[0], SHARED.answer[2])),
        ("7.3", SHARED.answer),
    ],
)
def test_a_shared_case_shows_each_rule_its_own_lines(rule: str, lines: tuple[str, ...]) -> None:
    assert SHARED.lines_for(rule) == lines


def test_a_shared_case_shows_each_rule_its_own_lines_alone() -> None:
    alone = Example(("7.2.1",), SHARED.position, SHARED.answer)
    assert alone.lines_for("7.2.1") == SHARED.answer
    (first, *_) = list_examples(load_game("der-weltkrieg"))
    assert first.position.startswith("game der-weltkrieg\n")


@pytest.mark.parametrize(("rule", "shows"), [("7.2.1", True), ("11.3.2aa", True), ("7.3", False), ("7.2/any", True)])
def test_a_case_shows_a_rule_that_one_of_its_lines_cites(rule: str, shows: bool) -> None:
    assert SHARED.shows(rule) == shows
