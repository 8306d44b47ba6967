"""What the pieces of a module show of a picture of lines: the state of each hex with units, sources, and the lines."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...asking.line_sketch import LineSketch, weights, worst
from ...state.overlay import SOURCE, Overlay, OverlayStep, Tint
from ...state.state import INVISIBLE, MASKED, GameState


def line_pieces(shown: LineSketch, state: GameState) -> Overlay:
    """Return what lies on the map, lines below; nothing of units that somebody hides, for all players see the pieces."""
    hidden = {unit for track, unit in state.facts if track in (MASKED, INVISIBLE)}
    return (*_list_links(shown, hidden), *_list_tints(shown, hidden))


def _list_links(shown: LineSketch, hidden: Collection[str]) -> Iterator[OverlayStep]:
    strands = [strand for strand in shown.strands if strand.unit not in hidden]
    for side in shown.sides:
        for name, weight in weights(strands, side).items():
            here, there = name.split("|")
            yield OverlayStep(side, weight.full, here, there)


def _list_tints(shown: LineSketch, hidden: Collection[str]) -> Iterator[Tint]:
    """Yield the worst state of the units of each hex, and where sources are."""
    units = [unit for unit in shown.units if unit.unit not in hidden]
    for side, place in dict.fromkeys((unit.side, unit.place) for unit in units):
        there = [unit.status for unit in units if (unit.side, unit.place) == (side, place)]
        yield Tint(side, worst(there), place)
    for side, place in dict.fromkeys(
        (origin.side, origin.place) for origin in shown.origins if origin.unit not in hidden
    ):
        yield Tint(side, SOURCE, place)
