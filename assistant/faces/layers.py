"""The layers that a map shows of chosen units: their reach, their supply, and the threats to them.

A layer is a question of the game, found by what it answers with and how it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..asking.line_sketch import LineSketch
from ..asking.parameters import FormField, list_form_fields
from ..asking.question import Question
from ..game.games import Game
from ..installed.registry import questions_of
from ..rules.field.movement import Reach
from ..rules.threats.terms import ThreatResult


class Layer(NamedTuple):
    """A layer with its question."""

    title: str
    """`Reach`, `Supply` or `Threat`."""
    question: str
    field: FormField
    """The parameter that takes the chosen units, or their hex."""


def list_layers(game: Game) -> Iterator[Layer]:
    """Yield the layers of a game, at most one of each title."""
    for title in ("Reach", "Supply", "Threat"):
        question = next((question for question in questions_of(game).values() if _is_of(title, question)), None)
        fields = list_form_fields(question, game) if question else ()
        field = next((field for field in fields if field.takes in ("hex", "unit")), None)
        if question and field:
            yield Layer(title, question.name, field)


def _is_of(title: str, question: Question[Any, Any]) -> bool:
    match title:
        case "Reach":
            return answers_with(Reach, question)
        case "Supply":
            return LineSketch in question.draws
        case _:
            return answers_with(ThreatResult, question)


def answers_with(result: type, question: Question[Any, Any]) -> bool:
    """Return whether the results of a question are of a class."""
    return isinstance(question.result, type) and issubclass(question.result, result)
