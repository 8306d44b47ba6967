"""The legs of the way that supply takes to a unit: its line, that of the source which serves it, and the RR line behind
them (14.1, 14.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, NamedTuple

from assistant.asking import note
from assistant.rules.field.allocation import Offer

from ...terms import DEPOTS, SUPPLY_ARMS
from ..clients import Client
from ..isolation import way_out
from ..rules import RR_LINE
from .certainty import SupplySide
from .offers import LOC, STATED

Passage = Literal["line", "source", "railway", "way out"]


class SupplyLeg(NamedTuple):
    """A leg of the way that supply takes to a unit."""

    part: Annotated[
        Passage, note("its line, its source's, the RR line from a friendly map edge, or the way out of Isolation")
    ]
    hexes: Annotated[tuple[str, ...], note("in the order in which supply comes")]
    source: Annotated[str, note("that of a line")] = ""


def legs(
    side: SupplySide, serves: Mapping[str, Offer], client: Client, offer: Offer, part: Passage = "line"
) -> Iterator[SupplyLeg]:
    """Yield the legs of a unit's supply by an offer, from the unit back to the map edge. serves: by source the offer
    that it takes itself.
    """
    if client.always or offer.source == STATED:
        return
    source, line = side.lines.line_of_offer(client, offer)
    on_it = client.arm in SUPPLY_ARMS and offer.source in (RR_LINE, LOC)
    if not on_it:
        yield SupplyLeg(part, line.hexes, source.name)
    if offer.source in (RR_LINE, LOC):
        yield _trace_railway(side, line.start, is_loc=offer.source == LOC)
    elif offer.source in side.inputs.fed and offer.source in serves:
        yield from legs(side, serves, side.inputs.clients[offer.source], serves[offer.source], "source")
    for at in reversed(range(1, len(line.hexes))):
        if line.hexes[at] in line.linked:
            for hex in line.hexes[at - 1 : at + 1]:
                yield _trace_railway(side, hex, is_loc=client.arm in DEPOTS)


def legs_out(side: SupplySide, client: Client) -> Iterator[SupplyLeg]:
    """Yield the way that keeps a unit Out of Supply from being Isolated, and the RR line at its end; empty if it is
    Isolated (14.4.1).
    """
    board, around = side.lines.board, side.inputs.around
    way = way_out(around, board.lines, board.linked, str(client.unit.place), {around.side})
    if way:
        yield SupplyLeg("way out", way[::-1])
        yield _trace_railway(side, way[-1])


def _trace_railway(side: SupplySide, hex: str, *, is_loc: bool = False) -> SupplyLeg:
    """Return the RR line that links a hex to a friendly map edge; all of it that is typed, where it is taken for
    granted that one of its ends does.
    """
    ground, board = side.inputs.ground, side.lines.board
    railways = ground.loc if is_loc else ground.railway
    line = (board.loc if is_loc else board.railway).line(hex)
    return SupplyLeg("railway", (*railways.granted.get(line[0], line[:1]), *line[1:]))
