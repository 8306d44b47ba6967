"""The question `due`: what the scenario brings in a turn or a period, by its schedules and by what units state."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.game.schedules import Due
from assistant.questions import View
from assistant.readymade.arrivals import Coming, coming_units, reckon_arrivals
from assistant.readymade.due import due_question


def reckon(view: View, first: int, last: int) -> Iterator[Due]:
    """What comes in a period; units that have left for good do not (1.2.2)."""

    def units(view: View, side: str) -> list[Coming]:
        return [coming for coming in coming_units(view, side, rule="16.0") if not view.flag("departed", coming.unit)]

    return reckon_arrivals(view, first, last, units)


QUESTION = due_question(reckon)
