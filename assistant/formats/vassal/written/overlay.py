"""What shows supply on the map of a save put there: pieces of the module's own, in place of those that lay there
before.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....state.overlay import Overlay, OverlayStep, Tint
from ....util.errors import InputError
from ..legends import BuiltLegend, Legend
from ..overlay import OVERLAY, OVERLAYS, degrees_of, write_link_name, write_tint_name
from ..pieces import Piece, write_definition
from .hand import Hand
from .pens import MapPixel, Pen
from .piece_source import PieceSource


def has_overlay(legend: Legend) -> bool:
    """Return whether the module of a save has pieces that show supply."""
    return isinstance(legend, BuiltLegend) and bool(legend.own.get(OVERLAYS))


def show_overlay(hand: Hand, pen: Pen, palette: PieceSource, shown: Overlay) -> None:
    """Take off the map what showed supply, and show this instead, in one step. Of several pieces in a place the later
    ones lie above.

    Raises InputError for a module without such pieces.
    """
    if not has_overlay(pen.legend):
        what = "the module of this save has no pieces that show supply"
        raise InputError(what, hint="make it again with `module-builder module`, and begin with one of its set-ups")
    gone = [f"-/{id}" for id, piece in hand.table.pieces.items() if piece.marks().get(OVERLAY)]
    made = [write_definition(piece._replace(id=hand.new_id())) for piece in _list_pieces(pen, palette, shown)]
    if gone or made:
        hand.do(*gone, *made)


def _list_pieces(pen: Pen, palette: PieceSource, shown: Overlay) -> Iterator[Piece]:
    """Yield the pieces where they lie; what lies beyond the part of the map that the module shows is left out."""
    slots = palette.overlay()
    for what in shown:
        found = _place_tint(pen, what) if isinstance(what, Tint) else _place_link(pen, what)
        if found is not None and found[0] in slots:
            name, spot = found
            yield slots[name]._replace(map=spot.map, at=spot.at)


def _place_tint(pen: Pen, tint: Tint) -> tuple[str, MapPixel] | None:
    spot = pen.spot(tint.place)
    return None if spot is None else (write_tint_name(tint), spot)


def _place_link(pen: Pen, link: OverlayStep) -> tuple[str, MapPixel] | None:
    """Return the piece of a step, midway between its two hexes."""
    here, there = pen.spot(link.here), pen.spot(link.there)
    if here is None or there is None or here.map != there.map:
        return None
    middle = (here.at[0] + there.at[0]) // 2, (here.at[1] + there.at[1]) // 2
    return write_link_name(link.side, degrees_of(here.at, there.at), full=link.full), MapPixel(here.map, middle)
