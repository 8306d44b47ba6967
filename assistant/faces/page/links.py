"""The link to a table, and the table that begins with a link."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...drawing.qr import qr_code
from ...formats import links
from ...formats.notation_writer import are_alike, write_questions
from ...formats.positions import PASTED, Position
from ...game.games import Game
from ...records.journal.open_question import write_posed_question
from ...service import link, pose_question
from ...state.state import is_limited
from ...util.errors import InputError
from ..prompt.shorthand.questions import format_question
from .desk import PageDesk, StandingTable
from .messages.requests import EnterRequest, OpenLinkRequest, ShareRequest
from .messages.table import TableLink, TableShown
from .tables import OpenTables


def share_table(table: StandingTable, request: ShareRequest) -> TableLink:
    """Return a link to the table as its viewpoint sees it, with its open question, dice and choices."""
    position = table.answer.position if table.answer else table.position
    made = link(position, asked_by_side=True)
    qr = ""
    no_qr = ""
    if request.page:
        try:
            qr = qr_code(request.page + made.fragment).draw(".svg").decode()
        except InputError as error:
            no_qr = error.what
    seen = _format_viewpoint(position.game, position.state.seen_by) or "everything on the table"
    return TableLink(fragment=made.fragment, seen=seen, left_out=made.left_out, qr=qr, no_qr=no_qr)


def open_link(tables: OpenTables, request: OpenLinkRequest) -> TableShown:
    """Return the table that begins with the position of a link, with its question asked.

    An existing table with the requested name is opened if it began with the same position.

    Raises InputError if the link cannot be read, or if that table began otherwise.
    """
    position = links.read_link(request.fragment.encode(), PASTED, tables.game)
    start = replace(position, asks=(), answers={})
    if request.table in tables.names():
        desk = tables.desk(request.table)
        if not begins_alike(desk, start):
            raise InputError(f"there is another table {request.table}", hint="choose another name")
    else:
        desk = tables.lay(request.table, position.game, start)
    return replace(ask_first_question(desk, position), said=tuple(_format_remarks(position)))


def begins_alike(desk: PageDesk, start: Position) -> bool:
    """Return whether a table began with a position, seen from the same viewpoint."""
    begun = desk.books.journal.start
    return _find_viewpoint(begun) == _find_viewpoint(start) and are_alike(begun, start)


def ask_first_question(desk: PageDesk, position: Position) -> TableShown:
    """Return a table that began with a position, with the position's first question asked if the journal is empty."""
    shown = desk.show()
    if not desk.books.journal.last:
        for line in _write_question(desk, position):
            shown = desk.enter(EnterRequest(table=desk.name, line=line))
    return shown


def _find_viewpoint(position: Position) -> str:
    seen_by = position.state.seen_by
    return seen_by if is_limited(seen_by) else ""


def _write_question(desk: PageDesk, position: Position) -> list[str]:
    if not position.asks:
        return []
    asked = pose_question(position, position.asks[0], {})
    return write_questions(asked) if desk.books.session else [write_posed_question(asked)]


def _format_remarks(position: Position) -> Iterator[str]:
    if seen := _format_viewpoint(position.game, position.state.seen_by):
        yield f"This link shows {seen}"
    for asked in position.asks[1:]:
        yield f"The link also asks: {format_question(asked.question, asked.parameters)}"


def _format_viewpoint(game: Game, seen_by: str) -> str:
    return f"what the {game.file.title_of(seen_by)} side may know" if is_limited(seen_by) else ""
