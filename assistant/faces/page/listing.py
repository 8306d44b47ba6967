"""What a list of tables says of each: where it stands, when it was played last, and a sketch of where its units
stand.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...asking.view import View
from ...drawing.scene import Layer, Point, Rectangle, Scene
from ...drawing.style import palette_of
from ...drawing.svg import to_svg
from ...records.journal.journal import Journal
from ...records.journal.open_question import posed_entry
from ...util.typesetting import with_spaces
from .desk import written_at
from .messages.words import TableListed
from .tables import OpenTables

_WIDE = 96.0
"""How wide a sketch is, in pixels."""
_HIGH = 64.0
"""How high a sketch is, in pixels."""
_ROOM = 1.5
"""How many hexes lie between the units and the edge of it, at least."""
_LARGEST = 11.0
"""The most that a hex is high in it."""
_LEAST = 3.2
"""The least side of the square of a hex with units: of a wide front they overlap."""
_GROUND = "#f4eeda"


def describe_table(tables: OpenTables, name: str) -> TableListed:
    """Return what a list says of a table, as whoever asks sees it. Raises InputError if it is not open here."""
    journal = tables.journal(name)
    return TableListed(
        table=name,
        title=tables.title(name),
        game=journal.game.title,
        written=written_at(tables.file(name)),
        stands="; ".join(_format_standing(journal)),
        sketch=_draw_sketch(View(journal.game, journal.position().state)),
    )


def _format_standing(journal: Journal) -> Iterator[str]:
    """Yield the turn, and the question that is open with the hex that it is about."""
    turn = journal.label(journal.turn)
    yield f"turn {turn}" if turn.isdecimal() else turn
    asked, _ = posed_entry(journal.asking.question)
    if asked:
        target = asked.parameters.get(journal.game.file.prompt.target)
        yield f"{with_spaces(asked.question)} at {target}" if target else with_spaces(asked.question)


def _draw_sketch(view: View) -> str:
    """Return where the units of a position stand, each hex with some as a square in the colour of its side, as SVG; ""
    if none stands on the board.
    """
    board = view.board
    units = (*view.unseen.values(), *view.state.units.values())
    sides = {unit.place: view.side_of(unit.id) for unit in units if unit.place and board.shows(unit.place)}
    if not sides:
        return ""
    centres = {at: board.centre(at) for at in sides}
    left = min(x for x, _ in centres.values())
    right = max(x for x, _ in centres.values())
    top = min(y for _, y in centres.values())
    bottom = max(y for _, y in centres.values())
    unit = min(_WIDE / (right - left + 2 * _ROOM), _HIGH / (bottom - top + 2 * _ROOM), _LARGEST)

    def square(centre: Point, side: float, fill: str) -> Rectangle:
        x = _WIDE / 2 + (centre[0] - (left + right) / 2) * unit
        y = _HIGH / 2 + (centre[1] - (top + bottom) / 2) * unit
        return Rectangle(
            x=round(x - side / 2, 1), y=round(y - side / 2, 1), width=round(side, 1), height=round(side, 1), fill=fill
        )

    palette = palette_of(view.game)
    ground = Rectangle(x=0, y=0, width=_WIDE, height=_HIGH, fill=_GROUND)
    size = max(0.8 * unit, _LEAST)
    squares = (square(centres[at], size, palette.side(side).strong) for at, side in sides.items())
    return to_svg(Scene(width=_WIDE, height=_HIGH, title="", layers=(Layer("sketch", (ground, *squares)),)))
