"""VASSAL's files on the page: a table from a save or a log, and a save or a log from a table.

Of a module without an adoption, only the pieces are listed.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from pathlib import PurePath

from msgspec.structs import replace

from ...asking.clicks import format_all_clicks
from ...formats.positions import Position
from ...formats.vassal import ENDINGS, LOG, SAVE
from ...formats.vassal.adoption.archive import ENDING, AdoptionThere, take_adoption
from ...formats.vassal.adoption.legend import UnknownModule, is_adopted
from ...formats.vassal.others.listing import format_listing, list_save
from ...formats.vassal.replay import replay
from ...formats.vassal.saves import read_save
from ...game.viewpoint import may_hide
from ...records.mailing import read_carried_over
from ...service import ask, read_as
from ...state.differences import changes_between
from ...state.state import is_limited
from ...util.console import format_count
from ...util.errors import InputError, Where, located
from ...util.files import read_bytes
from ...util.limits import Limit
from ...util.writing import write_whole
from .desk import PageDesk, begun_file, begun_name_file
from .earlier_passages import keep_earlier
from .earlier_tables import list_earlier_tables, see_earlier
from .links import ask_first_question
from .messages.files import FileShown, SaveGiven
from .messages.requests import BeginFromRequest, ReadSaveRequest, decoded
from .messages.table import TableShown
from .tables import OpenTables, clip_title

_MAX_LINES_SHOWN = 400
"""The maximum number of lines shown of a list, or of the part that was not understood."""


def describe_file(tables: OpenTables, request: ReadSaveRequest) -> FileShown:
    """Return the contents of a file.

    Raises InputError if the file cannot be read.
    """
    name, data = _read_sent(request)
    if name.lower().endswith(ENDING):
        try:
            mapping = take_adoption(data, name, tables.game, replace=request.replace)
        except AdoptionThere as there:
            return FileShown(kind="replaces", title=there.what, lines=(there.hint,))
        about = " ".join(filter(None, (mapping.module, mapping.version)))
        title = tables.game(mapping.game).title
        return FileShown(
            kind="adoption", title=about, game=mapping.game, lines=(f"Its saves are read as {title} from now on",)
        )
    try:
        position = _read_position(tables, name, data)
    except UnknownModule as unknown:
        return _list_saves(name, data, unknown)
    game = position.game
    sides = game.file.sides if may_hide(game, position.state) else ()
    called = tuple((side, game.file.title_of(side)) for side in sides)
    earlier = list_earlier_tables(tables, position)
    return FileShown(kind="game", title=game.title, game=game.id, sides=called, earlier=earlier)


def begin_from_file(tables: OpenTables, request: BeginFromRequest) -> TableShown:
    """Return the table that begins with a save or a log, with a note on the part that was not understood.

    Raises InputError if the file cannot be read, and the errors of `OpenTables.lay`.
    """
    name, data = _read_sent(request)
    position = _read_position(tables, name, data, request.side)
    earlier = see_earlier(tables, request.earlier, position) if request.earlier else None
    desk = tables.lay(request.table, position.game, replace(position, asks=(), answers={}))
    tables.rename(request.table, clip_title(re.sub(r"[-_\s]+", " ", PurePath(name).stem)))
    if not is_limited(position.state.seen_by):  # a position cut to a side's view cannot be continued
        write_whole(begun_file(desk.file, _check_ending(name)), data, force=True)
    write_whole(begun_name_file(desk.file), name.encode(), force=True)
    if earlier:
        keep_earlier(desk.file, earlier)
    desk.note_change()
    unread = dict.fromkeys(f"not understood: {item.what}" for item in position.state.unread)
    return replace(
        ask_first_question(desk, position), said=(*ask(position, "check").answers_on(()), *_cut_lines(unread))
    )


def give_save(desk: PageDesk) -> SaveGiven:
    """Return the save or log with which a table began, with the changes since.

    Raises InputError if it began with neither.
    """
    started = desk.begun
    if started is None:
        raise InputError("this table began with no save of VASSAL", hint="open one, and continue it as a table")
    journal = desk.books.journal
    start = journal.start
    now = journal.position()
    changes = [*changes_between(start.state, now.state, desk.game.tracks)]
    named = begun_name_file(desk.file)
    stem = PurePath(read_bytes(named).decode("utf-8", "replace")).stem if named.is_file() else desk.name
    name = f"{stem}{started.suffix}"
    given = SaveGiven(name=name, clicks=tuple(format_all_clicks(changes, desk.game, adopted=is_adopted(started))))
    try:
        carried = read_carried_over(now, read_bytes(started), name)
    except InputError as error:
        return replace(given, why=tuple(line.strip().removeprefix("- ") for line in str(error).splitlines()))
    return replace(given, data=b64encode(carried.data).decode(), left=carried.left)


def _read_sent(request: ReadSaveRequest | BeginFromRequest) -> tuple[str, bytes]:
    name = PurePath(request.name).name
    data = decoded(request.data)
    with located(Where(name)):
        Limit.FILE.check(len(data), "it holds")
    return name, data


def _check_ending(name: str) -> str:
    """Return the suffix of a save or log in VASSAL's current form.

    Raises InputError if the file is neither.
    """
    ending = PurePath(name).suffix.lower()
    if ending not in ENDINGS:
        hint = f"a save ends in {SAVE}, a log in {LOG}, the adoption of a module in {ENDING}"
        raise InputError("this is not a file of VASSAL that is read here", where=Where(name), hint=hint)
    return LOG if ending.endswith("log") else SAVE


def _read_position(tables: OpenTables, name: str, data: bytes, side: str = "") -> Position:
    _check_ending(name)
    return read_as(name, data, tables.game, side)


def _list_saves(name: str, data: bytes, unknown: UnknownModule) -> FileShown:
    with located(Where(name)):
        save = replay(read_save(data))
    shown = {id: piece for id, piece in save.pieces.items() if not piece.owners()}
    hidden = len(save.pieces) - len(shown)
    title, *lines = format_listing(list_save(replace(save, pieces=shown))).splitlines()
    about = [unknown.what]
    if hidden:
        about.append(f"{format_count(hidden, 'piece')} left out that a player hides")
    listed = [line.removeprefix("- ").removeprefix("= ") for line in lines if line]
    return FileShown(kind="list", title=title, lines=(*about, *_cut_lines(listed)))


def _cut_lines(lines: Iterable[str]) -> tuple[str, ...]:
    listed = tuple(lines)
    if len(listed) <= _MAX_LINES_SHOWN:
        return listed
    return (*listed[:_MAX_LINES_SHOWN], f"… and {len(listed) - _MAX_LINES_SHOWN} more lines")
