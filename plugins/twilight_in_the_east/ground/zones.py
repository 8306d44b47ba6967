"""Zones of control (4.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from assistant.mechanics.tracing import zone
from assistant.questions.report import Step
from assistant.questions.view import Gather, View
from assistant.state.state import Unit, hexside

BARS_ZONE = frozenset({"lake", "sea", "major-river", "grand-river"})


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


class Barriers:
    """What lies on hexsides, as far as a view knows; what it does not know lets zones pass, and is noted as unsaid."""

    def __init__(self, view: View) -> None:
        self._view = view
        self.unsaid: set[str] = set()

    def __call__(self, here: str, there: str) -> frozenset[str]:
        """What lies on the hexside between two hexes."""
        side = hexside(here, there)
        fact = self._view.fact("barrier", side)
        if fact is None:
            self.unsaid.add(side)
        return frozenset(fact.value) if fact and isinstance(fact.value, tuple) else frozenset()


def unsaid_step(hexsides: Iterable[str]) -> Step:
    """The line of a report that says over which hexsides zones of control were taken to reach.

    Rule: 4.1.1
    """
    return Step(
        "4.1.1", "zones of control reach over {hexsides}, of which nothing is said", {"hexsides": sorted(hexsides)}
    )


def side_of(facts: Gather, unit: Unit) -> str:
    """The side that a unit fights on; "" while its nation is missing, which is then asked for."""
    nation = facts.word("nation", unit.id)
    return facts.view.game.side_of(nation) if nation else ""
