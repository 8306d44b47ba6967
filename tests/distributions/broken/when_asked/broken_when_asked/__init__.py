"""A game that loads, and whose one question divides by the number of units, of which there may be none."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec

from assistant import hookimpl
from assistant.asking.question import Answers, Question
from assistant.asking.report import Report, Verdict
from assistant.asking.view import View
from assistant.game.games import Game


class ShareParameters(msgspec.Struct, frozen=True):
    """Nothing has to be said."""


class ShareResult(msgspec.Struct, frozen=True):
    """The share of one unit in the whole."""

    share: Fraction


def answer(view: View, parameters: ShareParameters, answers: Answers) -> Report[ShareResult]:
    """The share of one unit."""
    del parameters, answers
    share = Fraction(1, len(view.state.units))
    return Report(
        game=view.game.id,
        question="share",
        title="Share",
        verdict=Verdict("figure", "{share}", {"share": share}),
        result=ShareResult(share),
    )


@hookimpl
def register_questions(game: Game, register: Callable[[Question[Any, Any]], None]) -> None:
    """The share of one unit."""
    if game.id == "broken-when-asked":
        register(
            Question(
                name="share", title="one unit's share", parameters=ShareParameters, result=ShareResult, answer=answer
            )
        )
