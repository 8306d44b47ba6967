"""The picture of a retreat: the route, the open hexes with their costs, and the fate of each Force (11.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from assistant.asking import Report, View
from assistant.asking.sketch import Fate, FigureTable, Sketch, Spot, sketch_of, way_of
from assistant.rules.sketches import choices, draw_enemy_zones, onward_arrows, option_spots

from ..forces.unit import gather_unit
from ..forces.units import forces
from ..ground.hexsides import field
from ..terms import OFF_MAP
from .stack import RetreatResult
from .ways import ForceRetreat, RetreatHex, hex_passed_over
from .words import EZOC_COSTS, format_losses


def sketch_retreat(view: View, report: Report[RetreatResult]) -> Sketch:
    """Return the picture of a retreat: the route so far, open hexes with costs, closed hexes, and enemy zones."""
    result = report.shown
    side = view.side_of(result.units[0])
    costs = dict(format_route(result.entered))
    way = [hex for hex in result.way if hex != OFF_MAP]
    options = [hex for hex in result.options if hex.hex != OFF_MAP]
    spots = [Spot(hex=hex, role="passed", label=costs.get(hex, "")) for hex in way]
    spots = [*_draw_ends(result, costs), *spots, *option_spots((*options, *result.closed))]
    if not result.complete:
        remarks = dict[str, str]()
        for ask in report.asks:
            remarks |= ask.remarks
        spots = [_explain_spot(spot, result, remarks) if spot.role == "open" else spot for spot in spots]
    tables = tuple(_force_costs(result))
    added = "with what that adds to the cost, if anything"
    if tables:
        added += "; for each Force see the table"
    beyond = dict[tuple[str, str], RetreatHex]()
    for here, hexes in result.onward.items():
        beyond |= {(here, hex.hex): hex for hex in hexes}
    if any(cost.guns for hex in beyond.values() for cost in hex.costs):
        added += "; guns: its artillery is eliminated"
    return sketch_of(
        view,
        report,
        side=side,
        spots=tuple(spots),
        arrows=(
            *way_of((result.at, *way), side),
            *choices(result.end, options, side),
            *onward_arrows(
                {here: [hex.hex for hex in hexes] for here, hexes in result.onward.items()},
                side,
                lambda here, there: format_cost(beyond[here, there], more=True),
            ),
        ),
        zones=draw_enemy_zones(view, field, side, cancelled=True),
        tables=tables,
        fates=tuple(_list_fates(view, result)) if result.complete else (),
        words={
            "open": "open, with what it costs each Force",
            "choice": "open next",
            "onward": f"open as hex {result.retreated + 2}, {added}",
        },
        caption=(f"T{EZOC_COSTS[1:]}.",) if any(hex.zone for hex in (*result.entered, *result.options)) else (),
    )


def _draw_ends(result: RetreatResult, costs: Mapping[str, str]) -> Iterator[Spot]:
    """Yield the first hex of the retreat and, once it is over, the last one with its cost."""
    if result.surrenders:
        text = "surrenders"
    elif result.complete and not result.way:
        text = "no hex is open"
    else:
        text = ""
    last = next((hex for hex in reversed((result.at, *result.way)) if hex != OFF_MAP), result.at)
    leaving = _format_off_map(result)
    yield Spot(hex=result.at, role="start", label=leaving if leaving and last == result.at else text)
    if leaving and last != result.at:
        yield Spot(hex=last, role="end", label=leaving)
    elif result.complete and result.way and result.end != result.at:
        yield Spot(hex=result.end, role="end", label=costs.get(result.end, ""))


def _format_off_map(result: RetreatResult) -> str:
    """Return the label for a stack that has left or may leave the map, or "" if it does neither."""
    if result.departed:
        return "off the map for good"
    return "may leave the map" if any(option.hex == OFF_MAP for option in result.options) else ""


def _explain_spot(spot: Spot, result: RetreatResult, remarks: Mapping[str, str]) -> Spot:
    """Return an open hex with its cost as label, and an explanation.

    The explanation names the reasons for the cost, a hex that the priorities prefer, and assumptions.
    """
    hex = spot.hex
    option = next(option for option in result.options if option.hex == hex)
    assumed = f"taken to be open, as this is not stated: {', '.join(option.unsaid)}" if option.unsaid else ""
    better = hex_passed_over(option, result.options)
    order = f"the priorities put {better[0]} before it: {better[1]}" if better else ""
    dead_end = "no hex is open from there" if result.onward.get(hex) == () else ""
    why = "; ".join(filter(None, (remarks.get(hex), order, dead_end, assumed)))
    return replace(spot, label=format_cost(option), why=why)


def _list_fates(view: View, result: RetreatResult) -> Iterator[Fate]:
    """Yield the fate of each Force in a finished retreat."""
    with view.quiet_view().gather() as facts:
        every = forces([gather_unit(facts, view.unit(name), None, steps=False) for name in result.units])
    members = {force.name: [unit.id for unit in force.units] for force in every}
    for force in result.forces:
        units = tuple(members.get(force.force, [force.force]))
        gone = units if result.surrenders or force.eliminated else (*force.guns, *force.destroyed)
        stays = tuple(unit for unit in units if unit not in gone)
        if gone:
            why = "surrender: the stack cannot retreat at all" if result.surrenders else "eliminated by the retreat"
            yield Fate(units=gone, text=why, kind="lost")
        if stays and result.departed:
            yield Fate(units=stays, text="off the map for good, not eliminated")
        elif stays:
            end = f"retreat to {result.end}" if result.way else f"stay in {result.at}"
            short = result.owed - result.retreated
            lacking = f", {short} of {result.owed} hexes not retreated" if short > 0 and not result.surrenders else ""
            yield Fate(units=stays, text=f"{end}{lacking}; {format_price(force) or 'no loss'}")


def _force_costs(result: RetreatResult) -> Iterator[FigureTable]:
    """Yield a table of the costs that the hex after the next one adds for each Force.

    Yields nothing for a single Force, or if no hex costs anything.
    """
    names = list[str]()
    rows = list[tuple[str, ...]]()
    has_free = False
    for here, hexes in result.onward.items():
        for hex in hexes:
            if format_cost(hex, more=True):
                names = [cost.force for cost in hex.costs]
                costs = [format_cost(replace(hex, costs=(cost,)), named=True) for cost in hex.costs]
                rows.append((f"{here} to {hex.hex}", *costs))
            else:
                has_free = True
    if len(names) < 2:
        return
    if has_free:
        rows.append(("all others", *("free" for _ in names)))
    yield FigureTable(heads=(f"hex {result.retreated + 2} adds", *names), rows=tuple(rows))


def format_cost(option: RetreatHex, *, more: bool = False, named: bool = False) -> str:
    """Return the cost of a hex as a label, for the Force that loses the most steps.

    `more`: whether the cost is added to that of earlier hexes; a free hex then has the label "".
    `named`: whether lost artillery units are named.
    """
    prices = {(cost.steps, cost.levels, bool(cost.guns)) for cost in option.costs}
    steps, levels, guns = max(prices, default=(0, 0, False))
    if not (steps or levels or guns):
        return "" if more else "free"
    parts = format_losses(levels, steps)
    if guns:
        parts.append(", ".join(gun for cost in option.costs for gun in cost.guns) if named else "guns")
    most = "up to " if len(prices) > 1 else ""
    return ("+" if more else "") + most + ", ".join(parts)


def format_route(entered: Iterable[RetreatHex]) -> Iterator[tuple[str, str]]:
    """Yield each hex of the route with its label: its cost, after the number of its EZOC if it is in one."""
    zones = 0
    for hex in entered:
        zones += hex.zone
        number = {1: "1st", 2: "2nd", 3: "3rd"}.get(zones, f"{zones}th")
        yield hex.hex, f"{number} EZOC: {format_cost(hex)}" if hex.zone else format_cost(hex)


def format_price(cost: ForceRetreat) -> str:
    """Return the levels and steps that a Force loses, in words, or "" if it loses none."""
    losses = format_losses(cost.levels, cost.steps)
    return f"loses {' and '.join(losses)}" if losses else ""
