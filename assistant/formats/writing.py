"""Positions as position notation, so that what a program knows can be read, corrected and pasted by a player."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ..errors import InputError, quoted
from ..games import Game
from ..positions import Position
from ..sources import Fact
from ..state import FactKey, GameState
from ..tracks import Subject, Track


def write(position: Position) -> str:
    """A position as notation; reading it back gives the same state, questions and answers.

    Raises InputError for what notation cannot say: a unit that has another name than its type, or is not on the map.
    """
    game, state = position.game, position.state
    head = [f"game {game.id}", *([f"board {state.board}"] if state.board else [])]
    stacks = [f"{place}: {', '.join(_units(game, state, place))}" for place in _places(state)]
    said = {(name, unit) for name, unit in state.facts if unit in state.units}
    return "\n".join([*head, *stacks, *remarks(position, said)]) + "\n"


def remarks(position: Position, said: Collection[FactKey]) -> list[str]:
    """The lines that say what a map with its counters does not: further facts, chart cells, rulings, lines, questions.

    said: the facts that the counters tell already.
    """
    game, state = position.game, position.state
    return [
        *([f"accept {' '.join(sorted(state.accepts))}"] if state.accepts else []),
        *_facts(game, state, said),
        *(f"ruling {name}={reading}" for name, reading in state.rulings.items()),
        *(game.charts[name].write(key, cell) for (name, key), cell in state.cells.items()),
        *(f"line {quoted(name)}: {' '.join(map(quoted, line))}" for name, line in state.lines.items()),
        *(f"ask {asked.question}{_named(asked.parameters)}" for asked in position.asks),
        *([f"answers{_named(position.answers)}"] if position.answers else []),
    ]


def _places(state: GameState) -> list[str]:
    for unit in state.units.values():
        if unit.place is None or unit.type != unit.id:
            raise InputError(
                f"position notation has no word for {unit.id}, a {unit.type} at {unit.place or 'no place'}"
            )
    return list(dict.fromkeys(unit.place for unit in state.units.values() if unit.place))


def _units(game: Game, state: GameState, place: str) -> Iterator[str]:
    """The units of a stack: what makes each known, its name, its ratings in brackets, its other facts."""
    for unit in state.stack(place):
        own = {name: fact for (name, subject), fact in state.facts.items() if subject == unit.id}
        identity = [name for name in game.file.notation.identity if name in own and game.tracks[name].written == "{}"]
        ratings = _ratings(game, own)
        bracketed = game.file.notation.brackets if ratings else ()
        others = [name for name in own if name not in (*identity, *bracketed)]
        before, after = ([_word(game.tracks[name], own[name]) for name in names] for names in (identity, others))
        yield " ".join([*before, quoted(unit.id), *ratings, *after])


def _ratings(game: Game, facts: Mapping[str, Fact]) -> list[str]:
    """The ratings in brackets, a question mark for what is not stated; none where none of them is."""
    names = game.file.notation.brackets
    if not any(name in facts for name in names):
        return []
    figures = (f"{facts[name].value}{'?' * facts[name].assumed}" if name in facts else "?" for name in names)
    return [f"({'-'.join(figures)})"]


def _facts(game: Game, state: GameState, said: Collection[FactKey]) -> Iterator[str]:
    """The facts by what they are about, a line each."""
    subjects: dict[tuple[Subject, str], list[str]] = {}
    for (name, subject), fact in state.facts.items():
        if (name, subject) not in said:
            subjects.setdefault((game.tracks[name].on, subject), []).append(_word(game.tracks[name], fact))
    for (on, subject), words in subjects.items():
        before = f"{on} " if on in ("side", "nation", "army") else ""
        about = f"{before}{subject if on == 'hexside' else quoted(subject)} " if subject else ""
        yield about + " ".join(words)


def _word(track: Track, fact: Fact) -> str:
    """A fact as one word or several, with a question mark where its stater is not sure."""
    word = track.word(fact.value)
    return " ".join(f"{part}?" for part in word.split(" ")) if fact.assumed else word


def _named(values: Mapping[str, Any]) -> str:
    """Parameters or answers, with a space before each."""
    return "".join(f" {name}={_parameter(value)}" for name, value in values.items())


def _parameter(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _quoted_value(",".join(map(str, value)) if isinstance(value, list | tuple) else str(value))


def _quoted_value(text: str) -> str:
    """A value as words parted by spaces hold it."""
    return f'"{text}"' if " " in text else text
