"""The question `victory`."""

from __future__ import annotations

from typing import Any

from ...asking.question import Question
from ...game.games import Game
from ..victory import ScoreRules, victory_question
from .compiled import rules_of
from .ground import controller


def make_questions(game: Game) -> tuple[Question[Any, Any], ...]:
    """Return the question `victory` of a game."""
    scoring = rules_of(game).file.victory
    assert scoring is not None  # the section names the question
    levels, rule, level_rule = scoring.levels, scoring.rule, scoring.level_rule
    return (
        victory_question(
            ScoreRules(lambda view: levels, controller, draw=scoring.draw, rule=rule, level_rule=level_rule)
        ),
    )
