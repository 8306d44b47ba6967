"""A short run of `make explore WHAT=alike`, and what it would notice."""

from __future__ import annotations

import pytest

from assistant.faces.prompt.table import Assumption
from assistant.installed.registry import load_game

from ..cases import few, seeds, thorough
from ..comparing import ways
from ..comparing.question_cases import GAMES, QuestionCase, make_question_case
from ..comparing.search import tried
from .checking import SEARCH, Case, same_page


@few(1)
@pytest.mark.parametrize("number", seeds(25))
def test_each_way_to_ask_gives_the_same_answer(number: int) -> None:
    assert tried(SEARCH, [number], 7).wrong == []


def test_a_position_is_the_same_each_time() -> None:
    assert make_question_case(7, 3) == make_question_case(7, 3) != make_question_case(7, 4)


RIVER = QuestionCase(
    load_game(GAMES[0]),
    (
        "board east",
        "turn=1",
        "chart terrain-shift minor-river = -1",
        "41.20: 25/3 (10-10-5-10), 27/3 (10-10-5-10)",
        "42.21: 1/1 (16-16-7-11)",
    ),
    "battle",
    {"at": "42.21", "from": "41.20", "attacker-ap": "none"},
)
"""A battle across a drawn river."""


def test_what_is_assumed_though_the_file_knows_it_differs() -> None:
    case = Case(RIVER)
    assert case.shown and case.shown.assumed and [*case.of_prompt()] == []
    flat = Assumption(("barrier", "41.20|42.21"), "open", "41.20|42.21 open")
    case.session.shown = type(case.shown)(
        case.shown.report, case.shown.position, case.shown.asked, (*case.shown.assumed, flat)
    )
    first, *others = case.of_prompt()
    assert first == "the prompt assumes 41.20|42.21 open, the file has ('minor-river',) (drawn)"
    assert others, "and its answer is not that of a file with `open`"


@thorough
def test_another_answer_of_the_page_differs() -> None:
    case = Case(RIVER._replace(parameters={**RIVER.parameters, "defender-ap": "none"}))
    other = Case(RIVER._replace(parameters={**RIVER.parameters, "defender-ap": "1"})).by_file
    world = case.world
    _, said = ways.ask_page(world.game, world.lines, world.typed, world.question, world.parameters)
    assert [*same_page(case.by_file, said, "the file")] == []
    assert len([*same_page(other, said, "the file")]) == 1
