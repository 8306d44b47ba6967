"""The question `due`: what the scenario brings in a turn or a period, by its schedules and by what units state."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.game.schedules import Due
from assistant.questions import View
from assistant.readymade.arrivals import reckon_arrivals
from assistant.readymade.due import due_question

from .gathering import units_to_come


def reckon(view: View, first: int, last: int) -> Iterator[Due]:
    """What comes in a period."""
    return reckon_arrivals(view, first, last, units_to_come)


QUESTION = due_question(reckon)
