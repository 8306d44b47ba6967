"""The starred towns and cities: where they lie, and who holds them (27.2.4)."""

from __future__ import annotations

from functools import partial

from assistant.questions import View
from assistant.readymade.scored import Scoring, scoring_places


def star_holder(view: View, hex: str) -> str:
    """The side that occupied a starred town last: as stated, or else that of the country in which it lies; "" if neither is
    stated.
    Rule: 27.2.4
    """
    if stated := view.word("star-holder", hex):
        return stated
    country = view.word("country", hex)
    return next((side for side, nations in view.game.file.sides.items() if country in nations), "")


def starred_towns(view: View) -> tuple[Scoring, ...]:
    """The starred towns that are known, each with who holds it: the other side scores for it next."""
    return scoring_places(view, "star", partial(star_holder, view))
