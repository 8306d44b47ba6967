"""The entry of changes that were made at another table, or in a file."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ...formats.notation import ended_tracks
from ...game.games import Game
from ...records.journal.journal import Journal
from ...records.journal.typed_lines import read_typed
from ...state.state import UNSEEN, FactKey, GameState
from ...state.tracks import Fact
from ..prompt.table import TableState
from .desk import PageDesk


def find_lines_to_state(journal: Journal, state: GameState) -> list[str]:
    """Return the lines that lead from the end of a journal to a state.

    Raises InputError if a change cannot be stated as lines of notation.
    """
    now = journal.position()
    lines = journal.lines_between(now, now.with_state(_keep_unsaid(journal.game, now.state, state)))
    if lines:
        journal.check_typed(read_typed(journal, *lines))
    return lines


class Statement(NamedTuple):
    """Lines to be entered at a table in one write, and the open question after them."""

    lines: tuple[str, ...]
    journal: Journal
    """The journal of the table after the lines."""
    table: TableState | None
    """The table with the open question after the lines, or None if there is none."""


def prepare_statement(desk: PageDesk, lines: Sequence[str], table: TableState | None) -> Statement:
    """Return lines for a table as a statement, with a question if it still has an answer after them.

    `table`: the table with the question, or None for no question.
    """
    journal = desk.books.journal
    if lines:
        journal = journal.with_entries(read_typed(journal, *lines))
    if questions := desk.books.list_questions_to(table, journal):
        journal = journal.with_entries(read_typed(journal, *questions))
    return Statement((*lines, *questions), journal, table)


def enter_statement(desk: PageDesk, statement: Statement) -> None:
    """Enter a statement.

    Raises InputError, and enters no line, if that is impossible.
    """
    if statement.lines:
        desk.books.file.add(*statement.lines)
        desk.books.resume(statement.table)
        desk.note_written()


def enter_lines(desk: PageDesk, lines: Sequence[str]) -> None:
    """Enter lines at a table and leave its question open.

    Raises InputError, and enters no line, if a line cannot be entered.
    """
    if lines:
        enter_statement(desk, prepare_statement(desk, lines, desk.books.open_table))


def _keep_unsaid(game: Game, now: GameState, state: GameState) -> GameState:
    """Return a state with the current facts that no line can withdraw, as their absence has no meaning.

    Facts that end on the way to the state do so by themselves.
    """
    ended = ended_tracks(game, now, state)
    kept: dict[FactKey, Fact] = {}
    for key in state.compare_facts(now).gone:
        if key[0] == UNSEEN or key[0] in ended:
            continue
        track = game.tracks[key[0]]
        if track.absent is None and track.kind not in ("flag", "choices"):
            kept[key] = now.facts[key]
    return msgspec.structs.replace(state, facts=MappingProxyType({**state.facts, **kept})) if kept else state
