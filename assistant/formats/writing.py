"""Writing positions as notation, for a player to read, correct and paste."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from ..game.course import arrival_track
from ..game.games import Game
from ..state.state import FactKey, GameState, hexside
from ..state.tracks import Fact, Subject, Track
from ..state.words import STATEMENTS, Vocabulary
from ..util.errors import InputError
from .chains import NAMED, chains_of
from .positions import Position

_HEXES = 20
"""The most hexes of a chain on a line."""
_UNSAYABLE = re.compile('["\u201c\u201d\u2018\u2019\u2013\u2014\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]')


def write(position: Position) -> str:
    """A position as notation. Reading it gives the same state, questions and answers again.

    What notation cannot state becomes a comment: units out of play that do not arrive in a known turn, and what was not
    understood in the position's file. Raises InputError for a unit whose id differs from its type, and for a name or
    text with characters that notation cannot write.
    """
    game, state = position.game, position.state
    head = [f"game {game.id}", *([f"board {state.board}"] if state.board else [])]
    words = Vocabulary(game.tracks)
    stacks = [f"{_name(place)}: {', '.join(_units(game, state, place, words))}" for place in _places(state)]
    off_the_map = [unit.id for unit in state.units.values() if unit.place is None]
    arrives = arrival_track(game) if off_the_map else ""
    waiting = {unit for unit in off_the_map if (arrives, unit) in state.facts}
    absent = [unit for unit in off_the_map if unit not in waiting]
    of_units = {(name, subject) for name, subject in state.facts if game.tracks[name].on == "unit"}
    said = {(name, subject) for name, subject in of_units if subject not in waiting}
    notes = [f"# not in play: {unit}" for unit in absent] + [
        f"# not understood: {unread.what}" for unread in state.unread
    ]
    return "\n".join([*head, *stacks, *remarks(position, said), *notes]) + "\n"


def remarks(position: Position, said: Collection[FactKey]) -> list[str]:
    """The lines for what a map with its counters does not show: other facts, chart cells, rulings, lines, questions.

    said: the facts that the counters show.
    """
    game, state = position.game, position.state
    return [
        *([f"accept {' '.join(sorted(state.accepts))}"] if state.accepts else []),
        *_facts(game, state, said),
        *(f"ruling {name}={reading}" for name, reading in state.rulings.items()),
        *(game.charts[name].write(key, cell) for (name, key), cell in state.cells.items()),
        *(f"line {_name(name)}: {_path(game, state, name)}" for name in state.lines),
        *posed_lines(position),
    ]


def posed_lines(position: Position) -> list[str]:
    """The lines for the questions of a position and their answers so far."""
    return [
        *(f"ask {asked.question}{_pairs(asked.parameters)}" for asked in position.asks),
        *([f"answers{_pairs(position.answers)}"] if position.answers else []),
    ]


def _places(state: GameState) -> list[str]:
    for unit in state.units.values():
        if unit.type != unit.id:
            hint = "give it the name of its type, or use JSON"
            raise InputError(f"position notation cannot say that {unit.id} is a {unit.type}", hint=hint)
    return list(dict.fromkeys(unit.place for unit in state.units.values() if unit.place))


def _units(game: Game, state: GameState, place: str, words: Vocabulary) -> Iterator[str]:
    """The units of a stack: each with its identity, name, ratings in brackets and other facts."""
    for unit in state.stack(place):
        own = {name: fact for name, fact in state.facts_of.get(unit.id, {}).items() if game.tracks[name].on == "unit"}
        identity = [name for name in game.file.notation.identity if name in own]
        ratings = _ratings(game, own)
        bracketed = game.file.notation.brackets if ratings else ()
        others = [name for name in own if name not in (*identity, *bracketed)]
        before, after = ([_word(game.tracks[name], own[name]) for name in names] for names in (identity, others))
        name = _quotes(unit.id) if words.is_taken("unit", unit.id) else _name(unit.id)
        yield " ".join([*before, name, *ratings, *after])


def _ratings(game: Game, facts: Mapping[str, Fact]) -> list[str]:
    """The ratings in brackets, with a question mark for one not stated; empty if none is stated."""
    names = game.file.notation.brackets
    if not any(name in facts for name in names):
        return []
    figures = (f"{facts[name].value}{'?' * facts[name].assumed}" if name in facts else "?" for name in names)
    return [f"({'-'.join(figures)})"]


def _facts(game: Game, state: GameState, said: Collection[FactKey]) -> Iterator[str]:
    """The facts, one line for each subject."""
    subjects: dict[tuple[Subject, str], list[str]] = {}
    chained = _ties(game, state)
    yield from _chains(chained)
    for (name, subject), fact in state.facts.items():
        if (name, subject) not in said and subject not in chained:
            subjects.setdefault((game.tracks[name].on, subject), []).append(_word(game.tracks[name], fact))
    for (on, subject), words in subjects.items():
        before = f"{on} " if on in ("side", "nation", "army") else ""
        about = f"{before}{subject if on == 'hexside' else _name(subject)} " if subject else ""
        yield about + " ".join(words)


def _ties(game: Game, state: GameState) -> dict[str, str]:
    """The hexsides of a network, each with the signs for all that is stated of it: those with a road or railway."""
    signs = {word: sign for sign, word in game.file.notation.signs.items()}
    links = {game.file.picture.rail, game.file.picture.road}
    stated: dict[str, dict[str, list[str]]] = {}
    for (name, subject), fact in state.facts.items():
        if (track := game.tracks[name]).on == "hexside":
            stated.setdefault(subject, {})[name] = _word(track, fact).split(" ")
    return {
        side: "".join(signs[word] for words in by_track.values() for word in words)
        for side, by_track in stated.items()
        if not links.isdisjoint(by_track) and all(word in signs for words in by_track.values() for word in words)
    }


def _chains(ties: Mapping[str, str]) -> Iterator[str]:
    """Hexsides with their signs as chains of hexes, a line each, such as `4023=4022-4021`."""
    for chain in chains_of([(here, there) for here, _, there in (side.partition("|") for side in ties)], _HEXES):
        said = [f"{ties[hexside(here, there)]}{there}" for here, there in pairwise(chain)]
        yield "".join([chain[0], *said])


def _path(game: Game, state: GameState, name: str) -> str:
    """The hexes of a line, with what the line alone states of them and of the hexsides between them."""
    stated: dict[tuple[Subject, str], list[tuple[Track, Fact]]] = {}
    for (track, subject), fact in state.line_facts.get(name, {}).items():
        stated.setdefault((game.tracks[track].on, subject), []).append((game.tracks[track], fact))
    words: list[str] = []
    before = ""
    for place in state.lines[name]:
        if before:
            side = hexside(before, place)
            words += [_between(word) for word in _words_of_line(stated.pop(("hexside", side), []))]
        words += [_name(place), *_words_of_line(stated.pop(("hex", place), []))]
        before = place
    return " ".join(words)


def _between(word: str) -> str:
    """A word for what lies between two hexes of a line. Raises InputError for a word that cannot stand there."""
    written = f"-{word}-"
    if not NAMED.fullmatch(written):
        hint = "use JSON, or change the text"
        raise InputError(f"notation cannot write {word!r} between two hexes of a line", hint=hint)
    return written


def _words_of_line(facts: Iterable[tuple[Track, Fact]]) -> list[str]:
    """The words for what a line states of a hex or a hexside; what is not there needs none on a hexside."""
    words: list[str] = []
    for track, fact in facts:
        if track.on == "hex" or track.absent is not None or fact.assumed or fact.value != track.nothing:
            word = _word(track, fact)
            words += [word] if track.kind == "text" else word.split(" ")
    return words


def _word(track: Track, fact: Fact) -> str:
    """A fact as one or more words, with a question mark if it is assumed."""
    if track.kind == "text":
        said = track.write(fact.value)
        return f"{track.name}={_text(f'{said}?') if fact.assumed else _certain(said)}"
    word = track.word(fact.value)
    return " ".join(f"{part}?" for part in word.split(" ")) if fact.assumed else word


def _certain(text: str) -> str:
    """A text that is not assumed. Raises InputError for one that ends with a question mark."""
    if text.endswith("?"):
        raise InputError(f"notation cannot write {text!r}: its final ? would mark an assumption")
    return _text(text)


def _pairs(values: Mapping[str, Any]) -> str:
    """Parameters or answers, with a space before each."""
    return "".join(f" {name}={_parameter(value)}" for name, value in values.items())


def _parameter(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return _quotes(text) if re.search(r"[\s#]", text) else _sayable(text)


def _name(name: str) -> str:
    """The name of a unit, a place or a line."""
    return _quotes(name) if name in STATEMENTS else _text(name)


def _text(text: str) -> str:
    """A name or text, in quotes if it contains a character that would end a word."""
    return _sayable(text) if re.fullmatch(r"[\w./'+?*&-]*", text) else _quotes(text)


def _quotes(text: str) -> str:
    return f'"{_sayable(text)}"'


def _sayable(text: str) -> str:
    """The text itself. Raises InputError for characters that notation cannot write."""
    if match := _UNSAYABLE.search(text):
        raise InputError(f"notation cannot write {match[0]!r} in {text!r}", hint="use JSON, or change the text")
    return text
