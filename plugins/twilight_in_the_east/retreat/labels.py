"""What the hexes of a retreat cost, in the few characters of its picture (11.2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .ways import ForceRetreat, RetreatHex


def cost_label(option: RetreatHex, *, more: bool = False, named: bool = False) -> str:
    """Return what a hex costs in a few characters: what each Force pays, or else what that one does which pays most
    steps. more: whether it is paid on top of what the hexes before it cost, so that nothing need be said of a free one;
    named: whether the artillery units that are lost are.
    """
    prices = {(cost.steps, cost.levels, bool(cost.guns)) for cost in option.costs}
    steps, levels, guns = max(prices, default=(0, 0, False))
    if not (steps or levels or guns):
        return "" if more else "free"
    parts = [f"{number} {unit}{'s' * (number > 1)}" for number, unit in ((levels, "level"), (steps, "step")) if number]
    most = "up to " if len(prices) > 1 else ""
    lost = ", ".join(gun for cost in option.costs for gun in cost.guns) if named else "guns"
    return "+" * more + most + ", ".join([*parts, *([lost] * guns)])


def route_labels(entered: Iterable[RetreatHex]) -> Iterator[tuple[str, str]]:
    """Yield what each hex of the way costs, with the number of those in EZOCs so far, by which that rises."""
    zones = 0
    for hex in entered:
        zones += hex.zone
        number = {1: "1st", 2: "2nd", 3: "3rd"}.get(zones, f"{zones}th")
        yield hex.hex, f"{number} EZOC: {cost_label(hex)}" if hex.zone else cost_label(hex)


def price_text(cost: ForceRetreat) -> str:
    """Return the levels and steps of a cost in words, "" for none."""
    counted = ((cost.levels, "level"), (cost.steps, "step"))
    listed = [f"{number} {unit}{'s' * (number > 1)}" for number, unit in counted if number]
    return f"loses {' and '.join(listed)}" if listed else ""
