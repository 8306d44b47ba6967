"""The argument and options of commands on a record of play, which is a log (.vlog) or a journal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...util.limits import kept_private
from .options import (
    RecordOptions,
    StateArgument,
    as_seen,
    check_sees_all,
    eyes,
    game_loader,
    may_be_limited,
    trusting,
    with_game,
)

if TYPE_CHECKING:
    from ...records.explaining.played import PlayedRecord
    from ...state.state import GameState
    from ...state.trust import Trust

F = TypeVar("F", bound=Callable[..., Any])


def of_record(command: F) -> F:
    """Add the argument and options for a record of play to a command."""
    return click.argument("file", type=StateArgument())(eyes(with_game(trusting(command))))


@contextmanager
def opened_record(file: str, options: RecordOptions, *, by_turns: bool = False) -> Iterator[PlayedRecord]:
    """Yield the record in a file, as seen from the viewpoint of the options or the player's settings.

    `by_turns`: whether a side that may not open a journal gets the ends of its turns.

    Raises InputError if the file is not a record, or if the side may not open it.
    """
    from ...formats.positions import JOURNAL
    from .output import trust_of

    trust = trust_of(options)
    with kept_private(file, limited=may_be_limited(options)):
        if file.lower().endswith(JOURNAL):
            yield open_journal(file, options, trust, by_turns=by_turns)
        else:
            yield _open_log(file, options, trust)


def _open_log(file: str, options: RecordOptions, trust: Trust) -> PlayedRecord:
    from ...formats.positions import JOURNAL, count_by_lines
    from ...installed.formats import read_record
    from ...records.explaining.played_log import play_log
    from ...state.state import is_limited

    record = read_record(file, game_loader(options), lambda game, state: as_seen(game, state, options), (JOURNAL,))
    if is_limited(record.at(0).state.seen_by):
        record = count_by_lines(record)
    return play_log(record, file, trust)


def open_journal(file: str, options: RecordOptions, trust: Trust, *, by_turns: bool = False) -> PlayedRecord:
    """Return the record of a journal. The parameters and errors are those of `opened_record`."""
    from ...records.explaining.played_journal import play_journal, play_turns
    from ...records.journal.journal_file import JournalFile
    from ...state.state import is_limited

    def sight(state: GameState) -> GameState:
        return as_seen(journal.game, state, options)

    journal = JournalFile(Path(file), game_loader(options)).read(compares=False)
    knows = journal.start.state.seen_by
    seen = sight(journal.start.state).seen_by if by_turns else knows
    if is_limited(seen) and seen != knows:
        return play_turns(journal, sight)
    check_sees_all(journal.game, options, file, knows)
    return play_journal(journal, trust, sight)
