"""What the printed turn record shows for the turn of a position, as far as its owner has entered it (5.3)."""

from __future__ import annotations

from assistant.game.course import turns
from assistant.questions import InputError, View
from assistant.state.sources import CERTAIN
from assistant.util.texts import whole


def figure(view: View, name: str) -> int | None:
    """A whole number of the record, as `rail-rate` or `freeze-drm`; None without a turn, and for what nobody has
    entered.

    Raises InputError for a text that is not a whole number.
    """
    if (text := entered(view, name)) is None:
        return None
    number = whole(text)
    if number is None:
        turn = view.integer("turn")
        raise InputError(f"{name} of turn {turn}: {text!r} is not a whole number", hint="enter it as 12, or +1")
    return number


def entered(view: View, name: str) -> str | None:
    """What the record shows under a name; None without a turn, and for what nobody has entered."""
    turn = view.integer("turn")
    fact = turns(view.game)[turn - 1].figures.get(name) if turn else None
    return fact.text if fact and fact.source in CERTAIN else None
