"""Zones of control (4.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from assistant.tracing import zone

BARS_ZONE = frozenset({"lake", "major-river", "grand-river"})


def exerts_zone(arm: str, entrained: bool) -> bool:
    """Whether a unit projects a zone of control: combat units and Fortresses do, unless in Rail Mode.

    Rule: 4.1, 3.4
    """
    return arm in ("infantry", "cavalry", "fortress") and not entrained


def zone_extends(barrier: Collection[str]) -> bool:
    """Whether a zone of control crosses a hexside: not a lake or sea one, nor a Major or Grand River, bridged or not.

    Rule: 4.1.1
    """
    return not BARS_ZONE & set(barrier)


def zones(
    places: Iterable[str],
    neighbours: Callable[[str], Iterable[str]],
    barrier: Callable[[str, str], Collection[str]],
) -> frozenset[str]:
    """The hexes in the zones of units at these places.

    Rule: 4.1, 4.1.1
    """
    return zone(places, neighbours, lambda here, there: zone_extends(barrier(here, there)))
