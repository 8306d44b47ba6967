"""What the hexes of a retreat cost, in the few characters of its picture (11.2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .ways import ForceRetreat, RetreatHex
from .words import format_losses


def format_cost(option: RetreatHex, *, more: bool = False, named: bool = False) -> str:
    """Return what a hex costs in a few characters: what each Force pays, or else what that one does which pays most
    steps. more: whether it is paid on top of what the hexes before it cost, so that nothing need be said of a free one;
    named: whether the artillery units that are lost are.
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
    """Yield what each hex of the way costs, with the number of those in EZOCs so far, by which that rises."""
    zones = 0
    for hex in entered:
        zones += hex.zone
        number = {1: "1st", 2: "2nd", 3: "3rd"}.get(zones, f"{zones}th")
        yield hex.hex, f"{number} EZOC: {format_cost(hex)}" if hex.zone else format_cost(hex)


def format_price(cost: ForceRetreat) -> str:
    """Return the levels and steps of a cost in words, "" for none."""
    losses = format_losses(cost.levels, cost.steps)
    return f"loses {' and '.join(losses)}" if losses else ""
