"""The question `check`: what was understood, and where it is other than on the drawn board."""

from __future__ import annotations

from assistant.plugins.registry import question_of
from assistant.questions.question import ask
from assistant.questions.view import View

from ....conftest import typed


def others(text: str) -> dict[str, list[str]]:
    """The facts that `check` lists by what they are about, but for those of units."""
    position = typed(text)
    question, view = question_of(position.game, "check"), View(position.game, position.state)
    report = ask(question, view, question.parameters(), {})
    return {
        str(step.figures["subject"]): list(step.figures["facts"])  # type: ignore[call-overload]
        for part in report.parts
        if part.title == "Everything else"
        for step in part.steps
    }


def test_a_fact_that_contradicts_the_drawn_board_says_what_is_drawn() -> None:
    found = others("board east\n41.19 rough control=russian\n40.19|41.19 major-river no-rail")
    assert found == {
        "41.19": ["terrain rough (board: clear)", "control russian"],
        "40.19|41.19": ["barrier major-river (board: none)", "rail no-rail (board: rail2)"],
    }


def test_one_that_agrees_does_not() -> None:
    assert others("board east\n41.19 clear\n40.19|41.19 open rail2") == {
        "41.19": ["terrain clear"],
        "40.19|41.19": ["barrier open", "rail rail2"],
    }


def test_on_a_map_that_is_not_drawn_nothing_can_contradict() -> None:
    assert others("41.19 rough\n40.19|41.19 no-rail") == {"41.19": ["terrain rough"], "40.19|41.19": ["rail no-rail"]}
