"""How often one has to answer until a question is decided."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from assistant.asking.asks import Ask
from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.state.state import FactKey
from assistant.state.tracks import Track, Value

from ..conftest import answered, typed

MOST = 6
"""The rounds after which it is given up."""
PLAIN = {"yes|no": True, "yes, or no": True, "no|yes": True, "N": 1, "NUMBER": 1}
"""How a parameter is asked for that is plain to answer, with an answer."""


def count_rounds(case: str, chance: random.Random) -> list[list[str]]:
    """What is asked for in each round until a question is decided, all of it answered by chance; none from the round on in which something
    is asked for that is not plain to answer."""
    position = typed(case)
    given = dict[str, Any]()
    rounds = list[list[str]]()
    while len(rounds) < MOST:
        report = answered(position, **given)
        if report.verdict.kind != "undecided" or not report.asks:
            break
        facts = dict[FactKey, Value]()
        for ask in report.asks:
            if not _answer(ask, position, chance, facts, given):
                return rounds
        position = _state(position, facts)
        rounds.append([ask.how for ask in report.asks])
    return rounds


def _answer(
    ask: Ask, position: Position, chance: random.Random, facts: dict[FactKey, Value], given: dict[str, Any]
) -> bool:
    """Whether it is plain to answer; then its answer is among the facts or parameters."""
    if ask.kind == "parameter":
        asked = ask.how.removeprefix(f"{ask.name}=")
        plain = next((value for how, value in PLAIN.items() if re.match(rf"{re.escape(how)}\b", asked)), None)
        if plain is not None:
            given[ask.name] = chance.choice([True, False]) if plain is True else plain
        return plain is not None
    if ask.kind != "fact" or not ask.key or ask.key[0] not in position.game.tracks:
        return False
    track = position.game.tracks[ask.key[0]]
    options = [track.parse(word) for word in ask.options] or _values(track)
    if options:
        facts[track.name, ask.key[1]] = chance.choice(options)
    return bool(options)


def _values(track: Track) -> list[Value]:
    """Some values of a track."""
    if track.kind == "integer":
        least = track.least or 0
        return [*range(least, least + 4)]
    if track.kind == "flag":
        return [True, False]
    return [*track.values] if track.kind == "choice" else []


def _state(position: Position, facts: Mapping[FactKey, Value]) -> Position:
    """The position with some facts stated."""
    return msgspec.structs.replace(position, state=View(position.game, position.state).supposing(facts).state)
