"""A record of play: what was thrown and said, step by step, and the position after each step."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Annotated

import msgspec

from ..game.games import Game
from ..util.errors import InputError
from ..util.notes import note
from .positions import Position

BY_PROGRAM = "Field Staff"
"""Who says what this program writes into the chat of a log: a question and its dice, as players type them."""
_MOST_KNOWN = 300
"""How many positions are kept."""


class Throw(msgspec.Struct, frozen=True):
    """Dice that a player threw."""

    step: Annotated[int, note("the step of the log, from 1")]
    dice: Annotated[str, note("the dice, such as 2d6")]
    faces: Annotated[tuple[int, ...], note("what each die shows")]
    player: Annotated[str, note("who threw them")]

    @property
    def total(self) -> int:
        """The sum of the faces."""
        return sum(self.faces)

    def __str__(self) -> str:
        shown = "+".join(map(str, self.faces))
        return f"{self.dice} {shown}" + (f" = {self.total}" if len(self.faces) > 1 else "")


class ChatLine(msgspec.Struct, frozen=True):
    """A line that a player typed for all to read."""

    step: Annotated[int, note("the step of the log, from 1")]
    text: Annotated[str, note("what he typed")]
    player: Annotated[str, note("who typed it")]


class RollReport(msgspec.Struct, frozen=True):
    """What looks like the report of a throw, but no button that is known writes it so."""

    step: Annotated[int, note("the step of the log, from 1")]
    text: Annotated[str, note("the report")]
    player: Annotated[str, note("who threw them")]


Event = Throw | ChatLine | RollReport


class Record:
    """A game as it was played, from one position on.

    game: the game; steps: how many there are; events: throws, lines and reports in the order in which they came; throws
    that were taken back are left out; moments: 0 and the steps after which the position may be another one, in order;
    by_lines: whether only throws and typed lines count as steps. position: the position after so many steps, 0 for the
    beginning; it may raise InputError.
    """

    def __init__(
        self,
        game: Game,
        steps: int,
        events: tuple[Event, ...],
        moments: tuple[int, ...],
        position: Callable[[int], Position],
        *,
        by_lines: bool = False,
    ) -> None:
        self.by_lines = by_lines
        self.game, self.steps, self.events, self.moments = game, steps, events, moments
        self._position = position
        self._known: dict[int, Position] = {}

    def at(self, step: int) -> Position:
        """The position after so many steps. Raises InputError where it cannot be read, or where the record begins
        later.
        """
        if not self.moments or step < self.moments[0]:
            raise InputError(f"no position is known after step {step}", hint=f"the record has {self.steps} steps")
        moment = self.moments[bisect_right(self.moments, step) - 1]
        if moment not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                del self._known[next(iter(self._known))]
            self._known[moment] = self._position(moment)
        return self._known[moment]


def counted_by_lines(record: Record) -> Record:
    """The same record with nothing but throws and typed lines as steps, each with the position before the next one.

    Who may not see all units is not to learn from the numbers of steps how often others have moved.
    """
    ends = [*(event.step - 1 for event in record.events), record.steps]
    numbered = (msgspec.structs.replace(event, step=number) for number, event in enumerate(record.events, 1))
    count = len(record.events)
    return Record(
        record.game,
        count,
        tuple(numbered),
        tuple(range(count + 1)),
        lambda step: record.at(ends[step]),
        by_lines=True,
    )
