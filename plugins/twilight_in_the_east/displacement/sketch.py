"""What the picture of a displacement shows."""

from __future__ import annotations

from assistant.asking.report import Report
from assistant.asking.sketch import Arrow, Sketch, Spot, sketch_of
from assistant.asking.view import View
from assistant.rules.sketches import draw_enemy_zones

from ..ground import hexsides
from ..ground.hexsides import between
from ..terms import DEPOTS, OFF_MAP
from .rules import DisplaceResult, Refuge


def trim_to_map(refuge: Refuge) -> tuple[str, ...]:
    """Return the way to a refuge as far as it lies on the map."""
    return tuple(hex for hex in refuge.way if hex != OFF_MAP)


def sketch_displacement(view: View, report: Report[DisplaceResult]) -> Sketch:
    """Return where a unit may go, with the way to each hex, what closes the hexes around it, and the enemy's zones of
    control.
    """
    result = report.shown
    side = view.side_of(result.unit)
    place = result.place
    spots = [Spot(hex=place, role="start", label="eliminated" if result.eliminated else "")] if place else []
    for refuge in result.refuges:
        if refuge.hex != OFF_MAP:
            label = "1 hex" if len(refuge.way) == 1 else f"{len(refuge.way)} hexes"
            why = f"with {', '.join(refuge.with_)}" if refuge.with_ else ""
            spots.append(Spot(hex=refuge.hex, role="open", label=label, why=why))
    arrows = []
    if place:
        ways = filter(None, map(trim_to_map, result.refuges))
        arrows += [Arrow(hexes=(place, *way), kind="choice", side=side) for way in ways]
    if place and result.must and view.word("arm", result.unit) not in DEPOTS:
        passed = {hex for refuge in result.refuges for hex in refuge.way}
        spots += [spot for spot in list_closed_hexes(view, result) if spot.hex not in passed]
    return sketch_of(
        view,
        report,
        side=side,
        spots=tuple(spots),
        arrows=tuple(arrows),
        zones=draw_enemy_zones(view, hexsides.field, side),
        words={"open": "where it may go, and how far that is", "choice": "the way there", "start": "where it stands"},
    )


def list_closed_hexes(view: View, result: DisplaceResult) -> tuple[Spot, ...]:
    """Return the hexes around a unit that it may not enter, with what closes each (4.2b, 9.5.1, 9.8.1)."""
    with view.gather() as facts:
        around = hexsides.around(facts, view.unit(result.unit), without={result.unit})
    nation = view.word("nation", result.unit)
    spots = list[Spot]()
    for there in view.board.neighbours(result.place):
        shut = hexsides.impassable(between(view, result.place, there))
        bar = hexsides.entry_bar(hexsides.Entry(there, (nation,), there in around.enemies, shut))
        if bar:
            spots.append(Spot(hex=there, role="barred", why=bar.why))
        elif there in around.closed:
            spots.append(Spot(hex=there, role="barred", why="in an EZOC without a friendly unit"))
    return tuple(spots)
