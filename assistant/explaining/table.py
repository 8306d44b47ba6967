"""The table as a log shows it: positions after its steps, with what players typed into the chat for the assistant."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple

import msgspec

from ..formats.notation import read_on
from ..formats.positions import Asked, ChatLine, Position, Record
from ..game.games import Game
from ..plugins.registry import question_of, questions_of
from ..state.sources import Source
from ..state.state import GameState, Unit
from ..util.errors import InputError
from ..util.limits import Limit
from ..util.notes import note

HEADING = "Field Staff"
"""What begins a typed line of position notation: `Field Staff: 41.19 clear`."""
_QUOTE = 200
"""How many letters of a typed line a report quotes."""
_QUOTED = re.compile(r'"[^"]*"')
_STATED = ("units", "facts", "cells", "rulings", "lines", "line_facts")
"""The parts of a state that a line may change, each a mapping."""


class Typed(msgspec.Struct, frozen=True):
    """A line of position notation that a player typed into the chat."""

    step: Annotated[int, note("the step of the log")]
    text: Annotated[str, note("the line")]


class _Overridden(NamedTuple):
    """What a typed line changes in one part of the state: it holds as long as the record itself says no more than it
    did then.

    step: of the line; part, key: what is changed; recorded: what the record said; stated: what the line makes of it,
    None for nothing.
    """

    step: int
    part: str
    key: Hashable
    recorded: object
    stated: object


class Table:
    """A record of play as the assistant reads it.

    record: the record; accepts: further sources on which answers may rest. faults: lines typed for the assistant that
    it cannot read, with what is wrong.
    """

    def __init__(self, record: Record, accepts: frozenset[Source] = frozenset()) -> None:
        self.record, self.accepts = record, accepts
        self.faults: list[tuple[Typed, str]] = []
        self._overridden: list[_Overridden] = []
        self.asked: dict[int, Asked] = {}
        self.answered: dict[int, dict[str, str]] = {}
        for event in record.events:
            if isinstance(event, ChatLine) and (line := notation_in(event.text, record.game)):
                self._take(Typed(event.step, line))

    def _take(self, typed: Typed) -> None:
        """Note what a typed line asks, answers or states. Raises InputError where the position there cannot be read,
        and for more questions than a position may ask.
        """
        before = _silent(self.at(typed.step))
        try:
            after = read_on(typed.text, before, f"step {typed.step}")
        except InputError as error:
            self.faults.append((_shorten(typed), str(error)))
            return
        if after.asks and (fault := unknown(after.asks[0], after)):
            self.faults.append((_shorten(typed), fault))
        elif after.asks:
            self.asked[typed.step] = after.asks[0]
            Limit.ASKS.check(len(self.asked), "its chat asks")
        elif after.answers:
            self.answered[typed.step] = dict(after.answers)
        else:
            self._overridden += _overrides(typed.step, self.record.at(typed.step).state, before.state, after.state)

    def at(self, step: int) -> Position:
        """The position after so many steps, with what was typed until then. Raises InputError where it cannot be read."""
        position = self.record.at(step)
        state = position.state
        parts: dict[str, dict[Any, Any]] = {}
        for overridden in self._overridden:
            recorded: Mapping[Any, Any] = getattr(state, overridden.part)
            if overridden.step <= step and _visible_part(recorded.get(overridden.key)) == _visible_part(
                overridden.recorded
            ):
                part = parts.setdefault(overridden.part, dict(recorded))
                part.pop(overridden.key, None)
                if overridden.stated is not None:
                    part[overridden.key] = overridden.stated
        units, tracks = parts.get("units", state.units), position.game.tracks
        if "facts" in parts:  # but none of a unit that is gone
            parts["facts"] = {
                key: fact
                for key, fact in parts["facts"].items()
                if key in state.facts or key[1] in units or tracks[key[0]].on != "unit"
            }
        return position.with_state(msgspec.structs.replace(state, accepts=state.accepts | self.accepts, **parts))


def _shorten(typed: Typed) -> Typed:
    """A line as a report quotes it."""
    return typed if len(typed.text) <= _QUOTE else msgspec.structs.replace(typed, text=f"{typed.text[:_QUOTE]} ...")


def _overrides(step: int, record: GameState, before: GameState, after: GameState) -> Iterator[_Overridden]:
    """What a line makes otherwise. step: its own; record: the state there without any typed line; before, after: with
    those until it.
    """
    for part in _STATED:
        known, now = getattr(before, part), getattr(after, part)
        for key in dict.fromkeys((*known, *now)):
            if known.get(key) != now.get(key):
                yield _Overridden(step, part, key, getattr(record, part).get(key), now.get(key))


def _visible_part(value: object) -> object:
    """What of a thing must stay as it is for a line about it to hold: of a unit only its place."""
    return value.place if isinstance(value, Unit) else value


def unknown(asked: Asked, position: Position) -> str:
    """Why a game has no such question; "" if it has."""
    try:
        question_of(position.game, asked.question)
    except InputError as error:
        return str(error)
    return ""


def _silent(position: Position) -> Position:
    return msgspec.structs.replace(position, asks=(), answers={})


def notation_in(text: str, game: Game) -> str:
    """The position notation in what a player typed; "" if he typed anything else, such as a sentence that begins with
    `ask`.
    """
    head, colon, rest = text.partition(":")
    if colon and head.strip().casefold() == HEADING.casefold():
        return rest.strip()
    verb, *words = _QUOTED.sub("=", text).split() or [""]
    if verb == "ask" and words:
        name, *words = words
        if not words:
            return text.strip() if name in questions_of(game) else ""
    elif verb != "answers":
        return ""
    return text.strip() if words and all("=" in word for word in words) else ""
