"""The command `table`: the prompt at the saved table, with a position, with a journal, or with an empty table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple, Unpack

import click
from msgspec.structs import replace

from ...asking.question import find_viewpoint, viewpoint_title
from ...asking.report import PHONE_COLUMNS, format_viewpoint
from ...asking.view import View
from ...asking.wrapping import wrap_lines, wrap_text
from ...formats.positions import JOURNAL, Asked, Position
from ...game.games import Game
from ...game.states import build_state
from ...installed.registry import make_game_loader, named_game
from ...records.journal.journal_file import JournalFile
from ...service import check_size, pose_question
from ...state.state import is_limited
from ...util.console import MAX_COLUMNS, echo, format_count, screen_width
from ...util.errors import InputError
from ...util.limits import kept_private
from ...util.notes import note
from ...util.writing import Unsettled, make_folder
from ..prompt.books import JournalSession
from ..prompt.commands import count_placed
from ..prompt.files import TableFile, table_file
from ..prompt.help_text import find_own_map
from ..prompt.session import Session
from ..prompt.shorthand.questions import format_question
from ..prompt.table import TableState
from ..prompt.terminal import run_session
from .group import GameCommand
from .options import (
    EyesOptions,
    ReadingOptions,
    StateArgument,
    as_seen,
    check_sees_all,
    eyes,
    may_be_limited,
    open_position,
)
from .output import shows_bars


@click.command("table", cls=GameCommand)
@click.argument("game")
@click.argument("state", type=StateArgument(), required=False)
@click.option("--new", is_flag=True, help="Begin with an empty table instead of the saved one.")
@click.option("--narrow", is_flag=True, help="Text for a phone, 40 columns wide.")
@eyes
def table(game: str, state: str | None, new: bool, narrow: bool, **options: Unpack[EyesOptions]) -> None:
    """A prompt beside a paper map: each combat of a GAME in one line, with your dice.

    With one game installed, GAME may be left out here and in every other command; any unique beginning of its name will
    do.

    It continues where you left it, or begins with the position STATE; on a journal, NAME.journal, each line is an
    entry. `help` at the prompt lists what can be typed. --as, or else your own viewpoint, also limits the saved table
    to what that side may see; a journal is opened only by who may see everything.
    """
    if state is not None and state.endswith(JOURNAL):
        _open_journal(game, state, options, narrow=narrow)
    elif _open_table(game, state, options, new=new, narrow=narrow).is_unsaved:
        sys.exit(3)


class Beginning(NamedTuple):
    """The table at the start of a session."""

    table: TableState
    continues: Annotated[bool, note("whether it is the saved table")] = False
    cut: Annotated[bool, note("whether the side sees less than was saved")] = False
    unasked: Annotated[tuple[Asked, ...], note("the questions of the position that are not asked")] = ()


def _open_table(named: str, state: str | None, options: EyesOptions, *, new: bool, narrow: bool) -> Session:
    """Run the session at the table of a game, and return the session.

    `named`: the name or folder of the game.
    `state`: the file of a position, or None.
    `new`: whether to begin an empty table.
    `narrow`: whether to print for the width of a phone.
    """
    game = named_game(named)
    max_width = PHONE_COLUMNS if narrow else MAX_COLUMNS
    file = TableFile(table_file(game.id))
    if state:
        reading: ReadingOptions = {"side": options["side"], "umpire": options["umpire"], "beside": named}
        beginning = _begin_with_position(state, reading)
    else:
        beginning = _begin_with_kept(file, game, options, new=new)
    earlier = list[TableState]()
    if beginning.continues and not beginning.cut:
        may_keep = True
        seen_by = beginning.table.position.state.seen_by
        earlier += [table for table in file.before if table.position.state.seen_by == seen_by]
    else:
        may_keep = _check_place(file) and _set_earlier_aside(file, beginning)
    session = Session(
        beginning.table,
        screen_width(max_width),
        file if may_keep else None,
        bars=shows_bars(sys.stdout.encoding),
        before=earlier,
    )
    for line in _format_greeting(game, beginning, session.width, of_position=bool(state)):
        echo(line)
    run_session(session, max_width)
    return session


def _open_journal(named: str, state: str, options: EyesOptions, *, narrow: bool) -> None:
    """Run a session at a journal.

    `named`: the name or folder of the game.
    `state`: the file of the journal.
    `narrow`: whether to print for the width of a phone.
    """
    game = named_game(named)
    file = Path(state)
    opened = JournalFile(file, make_game_loader(game))
    with kept_private(state, limited=may_be_limited(options)):
        knows = opened.read(compares=False).start.state.seen_by
    check_sees_all(game, options, state, knows)
    books = JournalSession(opened, screen_width(PHONE_COLUMNS if narrow else MAX_COLUMNS))
    run_session(books, PHONE_COLUMNS if narrow else MAX_COLUMNS)


def _begin_with_position(state: str, options: ReadingOptions) -> Beginning:
    """Return a table with the position in a file and its first question, if it has one."""
    position = open_position(state, options)
    asked = pose_question(position, position.asks[0], {}) if position.asks else position
    return Beginning(TableState(asked), unasked=position.asks[1:])


def _begin_with_kept(file: TableFile, game: Game, options: EyesOptions, *, new: bool) -> Beginning:
    before = None
    if not new:
        with kept_private(str(file.file), limited=may_be_limited(options)):
            before = file.read(make_game_loader(game))
    table = before or TableState(Position(game, build_state(game)))
    whole = table.position.state
    seen = as_seen(game, table.position.state, options)
    check_size(table.position.with_state(seen), str(file.file))
    # the saved table's journal and earlier tables show more than the side may know
    if is_limited(seen.seen_by) and seen.seen_by != whole.seen_by:
        return Beginning(TableState(Position(game, seen)), continues=before is not None, cut=True)
    table = replace(table, position=table.position.with_state(seen))
    return Beginning(table, continues=before is not None)


def _check_place(file: TableFile) -> bool:
    """Return whether the table can be saved, and print the reason if it cannot."""
    try:
        make_folder(file.file.parent)
    except InputError as error:
        echo(f"! This table will not be saved: {error.where}: {error.what}")
        return False
    return True


def _set_earlier_aside(file: TableFile, beginning: Beginning) -> bool:
    """Move the saved table to another file, and print its name; return whether the new table can be saved."""
    try:
        if aside := file.set_aside():
            echo(f"The earlier table is saved as\n{aside}")  # on its own line, a long path is least likely to be broken
        if beginning.continues:
            file.picture = None
            file.saved = {}
            file.keep(beginning.table)
            file.before = []
    except Unsettled as error:
        echo(f"! The earlier table is saved as {error.where}: {error.what}")
    except InputError as error:
        echo(f"! The earlier table stays as it is, and this one is not saved: {error.where}: {error.what}")
        return False
    return True


def _format_greeting(game: Game, beginning: Beginning, width: int, *, of_position: bool) -> Iterator[str]:
    state = beginning.table.position.state
    greeting = [f"{game.title}, at the table; `help` lists what can be typed."]
    if beginning.continues:
        units = count_placed(state)
        there = "facts but no units" if state.facts or state.cells else "an empty table"
        greeting.append(f"Continuing with {format_count(units, 'unit') if units else there}; `new` starts over.")
    if own := find_own_map(game, state.board):
        greeting.append(f"`board {own}` reads the ground from its map.")
    yield from wrap_lines(greeting, width)
    for asked in beginning.unasked:
        left = format_question(asked.question, asked.parameters)
        yield from wrap_text(f"the table asks one question at a time; not asked: {left}", width, "! ")
    # the viewpoint of an empty table matters only to a side
    if of_position or beginning.continues or is_limited(state.seen_by):
        view = View(game, state)
        yield from wrap_text(format_viewpoint(find_viewpoint(view), viewpoint_title(view), game.id), width)
