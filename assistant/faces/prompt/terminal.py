"""The prompt at a terminal, with history, completion and keys for assumptions, or else line by line."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from ...asking.parameters import list_parameter_words
from ...asking.recent_answers import RecentAnswers, keeping_answers
from ...installed.registry import questions_of
from ...state.tracks import Subject
from ...state.words import Word
from ...util.console import MAX_COLUMNS, echo, screen_width
from ...util.errors import quoted, similar, word_machine_error
from ...util.files import read_typed_lines
from ...util.memory import collect_often
from ...util.texts import folded
from .answers import list_answers, list_values
from .books import COMMANDS as COMMANDS_OF_BOOKS
from .books import JOURNAL_COMMANDS, JournalSession
from .commands import COMMANDS
from .desk import PromptDesk
from .session import Session
from .shorthand.abbreviations import Abbreviations

_MIN_SIMILARITY = 0.6
"""The minimum similarity of a word that Tab offers if no word has the typed beginning."""
_COMPLETED_SUBJECTS: tuple[Subject, ...] = ("unit", "hex", "hexside", "game")
"""The kinds of subjects whose words Tab completes."""


def complete_line(desk: PromptDesk, before: str) -> list[tuple[str, str]]:
    """Return the words that may stand at the cursor, each with its letters that are already typed.

    `before`: the line up to the cursor.
    """
    match = re.search(r'"[^"]*$|[^\s<>,]*$', before)
    beginning = match[0] if match else ""
    first = before[: len(before) - len(beginning)].strip()
    name, equals, value = beginning.partition("=")
    known: Iterable[str]
    if chain := _find_next_hexes(desk, beginning):
        beginning, known = chain
    elif equals and not beginning.startswith('"'):
        beginning = value.rpartition("+")[2]
        known = _list_values(desk, first, name)
    else:
        known = _list_words(desk, first)
    typed = folded(beginning.strip('"'))
    words = [*dict.fromkeys(known)]
    matching = [word for word in words if folded(word.strip('"')).startswith(typed)]
    return [(word, beginning) for word in matching or similar(beginning, words, _MIN_SIMILARITY)]


def complete_entry(books: JournalSession, before: str) -> list[tuple[str, str]]:
    """Return the words that may stand at the cursor at a journal, in the form that `complete_line` returns.

    `before`: the line up to the cursor.
    """
    match = re.search(r"[^\s,]*$", before)
    beginning = match[0] if match else ""
    events = books.journal.rules.events
    questions = questions_of(books.journal.game)
    head = before[: len(before) - len(beginning)].partition(" ")[0]
    known: Iterable[str]
    if head in questions:
        known = [f"{name}=" for name in list_parameter_words(questions[head])]
    elif head:
        kinds = [kind for row in events.event.values() for kind in row.kinds]
        known = (*events.short, *events.event, *kinds)
    else:
        known = (*events.short, *COMMANDS_OF_BOOKS, *JOURNAL_COMMANDS, *questions)
    return [(word, beginning) for word in dict.fromkeys(known) if folded(word).startswith(folded(beginning))]


def _list_words(desk: PromptDesk, first: str) -> Iterator[str]:
    position = desk.table.position
    questions = questions_of(position.game)
    head = first.partition(" ")[0]
    if head in questions:
        for name in list_parameter_words(questions[head]):
            yield f"{name}="
        yield from _list_hexes(desk)
        return
    if not first:
        if ask := desk.pending:
            yield from list_answers(desk.table, ask)
        yield from COMMANDS
        yield from questions
    yield from _list_hexes(desk)
    yield from map(quoted, dict.fromkeys([*position.state.units, *position.game.roster]))
    vocabulary = Abbreviations(position).vocabulary
    for subject_kind in _COMPLETED_SUBJECTS:
        yield from vocabulary.known(subject_kind)
    for short in position.game.file.prompt.short:
        yield f"{short}="


def _list_hexes(desk: PromptDesk) -> Iterator[str]:
    """Yield the hexes with units, the hexes around them, and those of a drawn board, without punctuation."""
    position = desk.table.position
    board = position.game.board(position.state.board)
    state = position.state
    occupied = dict.fromkeys(unit.place for unit in state.units.values() if unit.place)
    around = [other for place in occupied if board.is_hex(place) for other in board.neighbours(place)]
    for name in dict.fromkeys([*occupied, *around, *board.hexes]):
        yield board.grid.bare(name)


def _find_next_hexes(desk: PromptDesk, beginning: str) -> tuple[str, list[str]] | None:
    """Return the typed digits of the next hex of a chain, such as `40` in `4023=40`, and the possible next hexes.

    Returns None for any other beginning.
    """
    position = desk.table.position
    board = position.game.board(position.state.board)
    words = Abbreviations(position)
    match = re.fullmatch("(.*?([0-9.]+)[^0-9.]*[^0-9.A-Za-z])([0-9.]*)", beginning)
    if not match or not words.chains.begins(Word(match[1] + match[2], 0)):
        return None
    place = words.place(match[2])
    return match[3], [board.grid.bare(name) for name in board.neighbours(place)]


def _list_values(desk: PromptDesk, first: str, name: str) -> Iterator[str]:
    game = desk.table.position.game
    questions = questions_of(game)
    prompt = game.file.prompt
    head = first.partition(" ")[0]
    asked = head if head in questions else prompt.ask
    if asked:
        yield from list_parameter_words(questions[asked]).get(prompt.short.get(name, name), ())
    track = game.tracks.get(name)
    if track:
        yield from list_values(track)
    else:
        yield from _list_hexes(desk)
        yield from map(quoted, desk.table.position.state.units)


def run_session(session: Session | JournalSession, max_width: int = MAX_COLUMNS) -> None:
    """Read lines and answer them until `quit` or the end of input.

    `max_width`: the maximum width of an answer, in columns.
    """
    collect_often()
    with keeping_answers(RecentAnswers()):
        _run_until_over(session, max_width)


def _run_until_over(session: Session | JournalSession, max_width: int) -> None:
    for text in session.begin():
        echo(text)
    typed = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    lines = _read_terminal(session) if typed else _read_pipe(session)
    for line in lines:
        session.width = screen_width(max_width)
        try:
            answer = enter_safely(session, line)
        except KeyboardInterrupt:  # as in a shell: interrupt the answer, not the session
            if not typed:
                raise
            answer = ["interrupted"]
        for text in answer:
            echo(text)
        if typed:
            for text in find_reading(answer, shutil.get_terminal_size().lines):
                echo(text)
        if session.is_over:
            return


def enter_safely(session: Session | JournalSession, line: str) -> list[str]:
    """Return the response to a typed line; if memory runs out or a disk fails, undo the line and return the error."""
    state_before: Any = session.save_state()
    try:
        return session.enter(line)
    except (MemoryError, OSError) as error:
        return session.restore_state(state_before, word_machine_error(error))


def find_reading(answer: Sequence[str], screen_rows: int) -> list[str]:
    """Return the lines about how a typed line was read, or none if the screen has room for the whole answer."""
    start = next((index for index, text in enumerate(answer) if text.startswith("read: ")), None)
    if start is None or len(answer) < screen_rows:
        return []
    end = next(
        (index for index in range(start + 1, len(answer)) if not answer[index].startswith("      ")), len(answer)
    )
    return list(answer[start:end])


def _read_pipe(session: Session | JournalSession) -> Iterator[str]:
    for line in read_typed_lines():
        echo(f"{session.prompt}{line.rstrip()}")
        yield line


def _read_terminal(session: Session | JournalSession) -> Iterator[str]:
    from .keyboard import typed_lines  # only here: prompt_toolkit takes long to load

    desk = session.session if isinstance(session, JournalSession) else session
    if isinstance(session, JournalSession) and desk is None:
        return typed_lines(session, partial(complete_entry, session))
    assert desk
    return typed_lines(session, partial(complete_line, desk))
