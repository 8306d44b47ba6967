"""The RR lines typed for a paper map, and their links to a friendly map edge (14.2.1a, 17.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, NamedTuple

import msgspec

from assistant.asking import View, note
from assistant.mechanics.tracing import CostField, trace_links
from assistant.rules.field import Network
from assistant.state.state import hexside

from ..ground.hexsides import NETWORK, between
from .built_lines import field_railways
from .network import RAIL_HEX_WEIGHTS, may_operate, operational_for


class Railway(msgspec.Struct, frozen=True):
    """The hexes of a side's typed RR lines, by whether a line links them to a friendly map edge."""

    stated: Annotated[CostField, note("the hexes stated to be linked, with the way there")] = CostField({}, {})
    granted: Annotated[
        Mapping[str, tuple[str, ...]],
        note("the hexes presumed to be linked since nothing cuts their line, each with all hexes of the line"),
    ] = {}
    doubtful: Annotated[
        Mapping[str, str],
        note("the hexes of a stretch that is cut off, each with the hex for which the player is asked"),
    ] = {}

    @property
    def linked(self) -> frozenset[str]:
        """The hexes that are linked."""
        return frozenset((*self.stated.cost, *self.granted))


def typed_railways(
    view: View, side: str, enemies: Collection[str], lately_operational: Collection[str] = ()
) -> Railway:
    """Return the typed RR lines of a side for its trains and supply, ignoring EZOCs.

    `enemies`: hexes in which the lines are cut.
    `lately_operational`: hexes that were operational until recently and still count.
    """
    network = Network(view, NETWORK, side)
    cut = {*enemies}.difference(lately_operational)
    return TypedLines(view, network, side, cut, cut, lately_operational).link()


class TypedLines(NamedTuple):
    """The typed RR lines of a side, without hexes stated to be another side's or out of use.

    Field Railways begin on an RR line (17.5.1).
    """

    view: View
    network: Network
    side: str
    enemies: Collection[str]
    """The hexes of enemies."""
    closed: Collection[str]
    """The hexes that cut a line."""
    lately_operational: Collection[str] = ()
    """The hexes that were operational until recently and still count."""

    def link(self, part_of: Railway | None = None) -> Railway:
        """Return the lines, by whether they are linked to a friendly map edge.

        `part_of`: for a depot's LOC, all lines of the side; the LOC uses only hexes that they link.
        """
        railways = field_railways(self.view, self.side)
        begins = {line.deployed for line in railways if line.deployed not in self.enemies}
        open_begins = {hex for hex in begins if self.network.is_open(hex, self.closed)}
        ways = filter(self._operational, self.network.ways)
        lying = frozenset(place for place in ways if place in open_begins or self._has_line(place))
        stated = self._trace_from(sorted(filter(self._leads_on, lying.difference(self.closed))))
        unlinked = frozenset[str]()
        if part_of:
            unlinked = lying.difference(self.enemies, part_of.linked, part_of.doubtful)
        stretches = self._split_into_stretches(lying.difference(stated.cost, self.closed, unlinked))
        barren = unlinked.union(filter(self._leads_nowhere, self.network.ways))
        uncut = [stretch for stretch in stretches if self._typed_with(stretch[0]) & lying == {*stretch}]
        for stretch in [stretch for stretch in stretches if stretch not in uncut and not barren.isdisjoint(stretch)]:
            barren = barren.union(stretch)
        granted = dict[str, tuple[str, ...]]()
        doubtful = dict[str, str]()
        for stretch in stretches:
            ends = self._find_ends(stretch)
            known = self._find_outlets(self._typed_with(stretch[0]), barren)
            if barren.issuperset(ends or stretch) or (known is not None and known.isdisjoint(stretch)):
                continue
            if stretch in uncut or (known and known <= {*stretch}):
                granted |= dict.fromkeys(stretch, stretch)
            else:
                doubtful |= dict.fromkeys(stretch, (ends or sorted(stretch))[0])
        return Railway(stated, granted, doubtful)

    def _operational(self, place: str) -> bool:
        return place in self.lately_operational or may_operate(self.view, place, self.side)

    def _has_rail(self, here: str, there: str) -> bool:
        return between(self.view, here, there).word("rail") in RAIL_HEX_WEIGHTS

    def _is_laid(self, here: str, there: str) -> bool:
        return self.view.word("rail", hexside(here, there)) in RAIL_HEX_WEIGHTS

    def _is_railed(self, here: str, there: str) -> bool:
        return self._operational(there) and self._has_rail(here, there)

    def _has_line(self, place: str) -> bool:
        if operational_for(self.view, place) == self.side or self.view.word("linked", place) == self.side:
            return True
        return any(self._has_rail(place, other) for other in self.network.next_to(place))

    def _leads_nowhere(self, hex: str) -> bool:
        """Return whether the line in a hex is stated not to lead to a map edge of the side."""
        return self.view.word("linked", hex) not in ("", self.side)

    def _leads_on(self, hex: str) -> bool:
        """Return whether the line in a hex is stated to lead to a map edge of the side, or the hex is at one."""
        return self.side in (self.view.word("map-edge", hex), self.view.word("linked", hex))

    def _trace_from(self, starts: Iterable[str]) -> CostField:
        """Return the hexes to which lines lead from `starts`, up to the first cut."""
        return trace_links(starts, self.network.next_to, self._is_railed, lambda hex: hex in self.closed)

    def _split_into_stretches(self, hexes: frozenset[str]) -> list[tuple[str, ...]]:
        stretches = list[tuple[str, ...]]()
        remaining = hexes
        while remaining:
            stretches.append(tuple(self._trace_from([min(remaining)]).cost))
            remaining -= {*stretches[-1]}
        return stretches

    def _typed_with(self, hex: str) -> frozenset[str]:
        """Return the RR hexes on the typed line through a hex, even beyond a cut or a bridge that is down."""
        return frozenset(trace_links([hex], self.network.next_to, self._is_laid, lambda _: False).cost)

    def _find_ends(self, stretch: Collection[str]) -> list[str]:
        """Return the ends of a stretch, sorted so that ends of the typed line come first."""

        def count_laid(hex: str) -> int:
            return sum(self._is_laid(hex, other) for other in self.network.next_to(hex))

        def count_railed(hex: str) -> int:
            return sum(self._is_railed(hex, other) for other in self.network.next_to(hex))

        return sorted((hex for hex in sorted(stretch) if count_railed(hex) <= 1), key=count_laid)

    def _find_outlets(self, line: frozenset[str], barren: frozenset[str]) -> frozenset[str] | None:
        """Return hexes of a typed line, at least one of which leads to the map edge, or None if unknown.

        The result is empty if the line is stated not to lead on at any end, or ends at the enemy's map edge.

        `barren`: hexes from which no line leads on.
        """
        ends = {hex for hex in line if len(self.network.next_to(hex)) <= 1}
        stated = frozenset(filter(self._leads_on, line))
        if not self.network.is_whole or not (stated or ends):
            return None
        free = frozenset(hex for hex in ends - barren if self.view.word("map-edge", hex) in ("", "none", self.side))
        return stated or frozenset(filter(self._operational, free)) or free
