"""Stating at a table what has changed elsewhere: at another table, or in a file."""

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
    """Return the lines that lead from where a journal stands to a state.

    Raises InputError if no lines of notation state a change.
    """
    now = journal.position()
    lines = journal.lines_between(now, now.with_state(_keep_unsaid(journal.game, now.state, state)))
    if lines:
        journal.check_typed(read_typed(journal, *lines))
    return lines


class Statement(NamedTuple):
    """Lines to be entered at a table by one write, with the question that is open then."""

    lines: tuple[str, ...]
    journal: Journal
    """The journal of the table with the lines."""
    table: TableState | None
    """The table with the question that is open then, or None if none is."""


def prepare_statement(desk: PageDesk, lines: Sequence[str], table: TableState | None) -> Statement:
    """Return lines that lead to another state as they would be entered at a table, with a question as far as it has an
    answer there.

    `table`: the table with the question, or None for no question.
    """
    journal = desk.books.journal
    if lines:
        journal = journal.with_entries(read_typed(journal, *lines))
    if questions := desk.books.list_questions_to(table, journal):
        journal = journal.with_entries(read_typed(journal, *questions))
    return Statement((*lines, *questions), journal, table)


def enter_statement(desk: PageDesk, statement: Statement) -> None:
    """Enter what `prepare_statement` has returned. Raises InputError, entering nothing, if that cannot be done."""
    if statement.lines:
        desk.books.file.add(*statement.lines)
        desk.books.resume(statement.table)
        desk.note_written()


def enter_lines(desk: PageDesk, lines: Sequence[str]) -> None:
    """Enter lines that lead a table to another state, where its question stays open.

    Raises InputError, entering nothing, if a line cannot be entered.
    """
    if lines:
        enter_statement(desk, prepare_statement(desk, lines, desk.books.open_table))


def _keep_unsaid(game: Game, now: GameState, state: GameState) -> GameState:
    """Return a state with those present facts that no line can take back, because silence about them means nothing.

    Facts that end on the way to the state do so by themselves.
    """
    ended = ended_tracks(game, now, state)
    left: dict[FactKey, Fact] = {}
    for key in state.compare_facts(now).gone:
        if key[0] == UNSEEN or key[0] in ended:
            continue
        track = game.tracks[key[0]]
        if track.absent is None and track.kind not in ("flag", "choices"):
            left[key] = now.facts[key]
    return msgspec.structs.replace(state, facts=MappingProxyType({**state.facts, **left})) if left else state
