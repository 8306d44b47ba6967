"""What Tab completes at the table: commands, questions and their parameters, hexes, units, words of the game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..plugins.registry import questions_of
from ..questions.parameters import words_of_parameters
from ..state.tracks import Subject
from ..state.words import Word
from ..util.errors import quoted
from ..util.texts import folded
from .answering import words_to_answer
from .commands import COMMANDS
from .desk import Desk
from .shorthand.abbreviations import Abbreviations

_SUBJECTS: tuple[Subject, ...] = ("unit", "hex", "hexside", "game")


def completions(desk: Desk, before: str) -> list[tuple[str, str]]:
    """The words that may stand where the cursor is, each with the letters of it that are typed already.

    before: the line up to the cursor.
    """
    found = re.search(r'"[^"]*$|[^\s<,]*$', before)
    begun = found[0] if found else ""
    first = before[: len(before) - len(begun)].strip()
    name, equals, value = begun.partition("=")
    known: Iterable[str]
    if chain := _next_hexes(desk, begun):
        begun, known = chain
    elif equals and not begun.startswith('"'):
        begun, known = value.rpartition("+")[2], _values(desk, first, name)
    else:
        known = _words(desk, first)
    typed = folded(begun.strip('"'))
    words = dict.fromkeys(word for word in known if folded(word.strip('"')).startswith(typed))
    return [(word, begun) for word in words]


def _words(desk: Desk, first: str) -> Iterator[str]:
    """The words that may follow what stands before them on the line."""
    position = desk.table.position
    questions = questions_of(position.game)
    head = first.partition(" ")[0]
    if head in questions:
        yield from (f"{name}=" for name in words_of_parameters(questions[head]))
        yield from _hexes(desk)
        return
    if not first:
        if ask := desk.pending:
            yield from words_to_answer(desk.table, ask)
        yield from COMMANDS
        yield from questions
    yield from _hexes(desk)
    yield from map(quoted, dict.fromkeys([*position.state.units, *position.game.roster]))
    vocabulary = Abbreviations(position).vocabulary
    for on in _SUBJECTS:
        yield from vocabulary.known(on)
    usual = position.game.file.table
    yield from (f"{short}=" for short in (usual.short if usual else {}))


def _hexes(desk: Desk) -> Iterator[str]:
    """The hexes of the table without punctuation, those around them, and those of a drawn board."""
    position = desk.table.position
    board, state = position.game.board(position.state.board), position.state
    held = dict.fromkeys(unit.place for unit in state.units.values() if unit.place)
    around = [other for place in held if board.is_hex(place) for other in board.neighbours(place)]
    for name in dict.fromkeys([*held, *around, *board.hexes]):
        yield board.grid.bare(name)


def _next_hexes(desk: Desk, begun: str) -> tuple[str, list[str]] | None:
    """The hexes that may come next in a chain, `4023=40`, and the letters of one that are typed; None for anything
    else.
    """
    position = desk.table.position
    board, words = position.game.board(position.state.board), Abbreviations(position)
    found = re.fullmatch("(.*?([0-9.]+)[^0-9.]*[^0-9.A-Za-z])([0-9.]*)", begun)
    if not found or not words.chains.begins(Word(found[1] + found[2], 0)):
        return None
    place = words.place(found[2])
    return found[3], [board.grid.bare(name) for name in board.neighbours(place)]


def _values(desk: Desk, first: str, name: str) -> Iterator[str]:
    """The values of a parameter or a track."""
    game = desk.table.position.game
    questions, usual = questions_of(game), game.file.table
    head = first.partition(" ")[0]
    asked = head if head in questions else usual.ask if usual else ""
    if asked:
        full = usual.short.get(name, name) if usual else name
        yield from words_of_parameters(questions[asked]).get(full, ())
    track = game.tracks.get(name)
    if track:
        yield from (("yes", "no") if track.kind == "flag" else track.values)
    else:
        yield from _hexes(desk)
        yield from map(quoted, desk.table.position.state.units)
