"""What the counters of a save cannot show, in the public notes below the line `Field Staff`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from ....util.errors import InputError
from ...positions import Position
from ...writing import remarks
from ..positions import HEADING, parted
from ..saves import Save
from .checking import goes_without_saying, lacking

Read = Callable[[Save], Position]
"""Reads what a save holds, with its notes."""
_OF_QUESTIONS = ("ask", "answers")
"""The first words of lines that are about the position before, and not about the next."""


def noted(save: Save, target: Position, read: Read) -> str:
    """The public notes that state of a position what the counters of a save do not show.

    The lines that players have written stay as they are, but for questions and answers, if what they state still holds; if not, what
    has to be stated is written anew, and only the comments among them stay.

    Raises InputError for what notation cannot state.
    """
    above, below = parted(save.public_notes)
    kept = [line for line in below if line.split()[:1] not in [[word] for word in _OF_QUESTIONS]]

    def text(lines: Sequence[str]) -> str:
        if not above and not lines:
            return save.public_notes
        begun = above or [*save.public_notes.split("\n"), HEADING] if save.public_notes else [HEADING]
        return "\n".join([*begun, *lines])

    def stated(lines: Sequence[str]) -> Position:
        return read(msgspec.structs.replace(save, public_notes=text(lines)))

    more = _more(kept, target, stated)
    if more is not None:
        return text([*kept, *more])
    shown = stated([]).state.facts
    comments = [line for line in below if line.lstrip().startswith("#")]
    facts = target.state.facts
    said = {key for key in facts if shown.get(key) == facts[key] or goes_without_saying(target.game, key, facts[key])}
    return text([*comments, *remarks(target, said)])


def _more(kept: Sequence[str], target: Position, stated: Callable[[Sequence[str]], Position]) -> list[str] | None:
    """The lines by which notes that stay come to state the rest of a position; None if something in them does not hold."""
    try:
        known, state = stated(kept).state, target.state
        rest = msgspec.structs.replace(
            state,
            facts={
                key: fact
                for key, fact in state.facts.items()
                if known.facts.get(key) != fact and not goes_without_saying(target.game, key, fact)
            },
            cells={key: cell for key, cell in state.cells.items() if known.cells.get(key) != cell},
            rulings={name: reading for name, reading in state.rulings.items() if known.rulings.get(name) != reading},
            accepts=state.accepts if state.accepts != known.accepts else frozenset(),
            lines={},
            line_facts={},
        )
        more = remarks(target.with_state(rest), ())
        return None if [*lacking(stated([*kept, *more]), target)] else more
    except InputError:
        return None
