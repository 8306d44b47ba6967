"""The table as a log shows it: positions after its steps, with what players typed into the chat for the assistant."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ..formats.notation import read_on
from ..formats.positions import Asked, Position
from ..formats.records import Record, Said
from ..plugins.registry import question_of
from ..state.sources import Source
from ..state.state import FactKey
from ..util.errors import InputError
from ..util.notes import note

HEADING = "Field Staff"
"""What begins a typed line of position notation: `Field Staff: 41.19 clear`."""
_BARE = ("ask ", "answers ")
"""What a line may begin with besides: nobody begins a sentence with `ask battle at=41.19`."""


class Typed(msgspec.Struct, frozen=True):
    """A line of position notation that a player typed into the chat."""

    step: Annotated[int, note("the step of the log")]
    text: Annotated[str, note("the line")]


class Table:
    """A record of play as the assistant reads it.

    record: the record; accepts: further sources on which answers may rest. faults: lines typed for the assistant that it cannot read, with
    what is wrong.
    """

    def __init__(self, record: Record, accepts: frozenset[Source] = frozenset()) -> None:
        self.record, self.accepts = record, accepts
        self.faults: list[tuple[Typed, str]] = []
        self._stated: list[Typed] = []
        self.asked: dict[int, Asked] = {}
        self.answered: dict[int, dict[str, str]] = {}
        for event in record.events:
            if isinstance(event, Said) and (line := notation_in(event.text)):
                self._take(Typed(event.step, line))

    def _take(self, typed: Typed) -> None:
        """Note what a typed line asks, answers or states."""
        try:
            after = read_on(typed.text, _silent(self.at(typed.step)), f"step {typed.step}")
        except InputError as error:
            self.faults.append((typed, str(error)))
            return
        if after.asks and (fault := unknown(after.asks[0], after)):
            self.faults.append((typed, fault))
        elif after.asks:
            self.asked[typed.step] = after.asks[0]
        elif after.answers:
            self.answered[typed.step] = dict(after.answers)
        else:
            self._stated.append(typed)

    def at(self, step: int) -> Position:
        """The position after so many steps, with what was typed until then. Raises InputError where it cannot be read."""
        position = self.record.at(step)
        for typed in self._stated:
            if typed.step <= step:
                after = read_on(typed.text, _silent(position), f"step {typed.step}")
                position = position.with_state(after.state)
        accepts = position.state.accepts | self.accepts
        return position.with_state(msgspec.structs.replace(position.state, accepts=accepts))

    def held(self, key: FactKey, first: int, last: int) -> set[object]:
        """All values that a fact of the state, or a unit's place, had from one step to another."""
        track, subject = key
        found: set[object] = set()
        for step in (first, *(one for one in self.record.moments if first < one <= last)):
            state = self.record.at(step).state
            known = subject in state.units or track != "place"
            found.add(state.value(track, subject) if known else None)
        return found


def unknown(asked: Asked, position: Position) -> str:
    """Why a game has no such question; "" if it has."""
    try:
        question_of(position.game, asked.question)
    except InputError as error:
        return str(error)
    return ""


def _silent(position: Position) -> Position:
    return msgspec.structs.replace(position, asks=(), answers={})


def notation_in(text: str) -> str:
    """The position notation in what a player typed; "" if he typed anything else."""
    head, colon, rest = text.partition(":")
    if colon and head.strip().casefold() == HEADING.casefold():
        return rest.strip()
    return text.strip() if text.strip().startswith(_BARE) else ""
