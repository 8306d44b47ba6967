"""The RR lines that a player has typed of a paper map, as a side uses them: which of them a line links to a friendly map
edge (14.2.1a, 17.1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated

import msgspec

from assistant.asking import View, note
from assistant.mechanics.tracing import CostField, trace_links
from assistant.rules.field import Network
from assistant.state.state import hexside

from ..ground.hexsides import NETWORK, between
from .built_lines import field_railways
from .network import RAILS, may_operate, operational_for


class Railway(msgspec.Struct, frozen=True):
    """The hexes of typed RR lines of a side, by whether they are linked to a friendly map edge."""

    stated: Annotated[CostField, note("it is stated, with the way there")] = CostField({}, {})
    granted: Annotated[
        Mapping[str, tuple[str, ...]],
        note("nothing is stated and nothing cuts the line: it is assumed, with all hexes of the line"),
    ] = {}
    doubtful: Annotated[
        Mapping[str, str], note("the line is cut, and that stretch is not stated: the hex of which it is asked")
    ] = {}

    @property
    def linked(self) -> frozenset[str]:
        """The hexes that are linked."""
        return frozenset((*self.stated.cost, *self.granted))


def typed_railways(view: View, side: str, enemies: Collection[str], also: Collection[str] = ()) -> Railway:
    """Return the typed RR lines of a side as trains and its supply count them, EZOCs aside. enemies: hexes in which
    they are cut; also: hexes that count all the same, as they have been operational until lately.
    """
    return link_typed_lines(view, Network(view, NETWORK, side), side, {*enemies}.difference(also), also=also)


def link_typed_lines(
    view: View,
    network: Network,
    side: str,
    enemies: Collection[str],
    *,
    closed: Collection[str] | None = None,
    part_of: Railway | None = None,
    also: Collection[str] = (),
) -> Railway:
    """Return the typed RR lines of a side: all hexes except those stated to be another's or out of use; Field Railways
    begin on an RR line (17.5.1).

    closed: hexes that cut a line, by default the enemies'; part_of: the lines of which a LOC may use these; also: hexes
    that count all the same.
    """
    closed = enemies if closed is None else closed
    stations = {line.deployed for line in field_railways(view, side) if line.deployed not in enemies}

    def operational(place: str) -> bool:
        return place in also or may_operate(view, place, side)

    def has_rail(here: str, there: str) -> bool:
        return between(view, here, there).word("rail") in RAILS

    def is_laid(here: str, there: str) -> bool:
        return view.word("rail", hexside(here, there)) in RAILS

    def railed(here: str, there: str) -> bool:
        return operational(there) and has_rail(here, there)

    def along(starts: Iterable[str]) -> CostField:
        return trace_links(starts, network.next_to, railed, lambda hex: hex in closed)

    def typed_with(hex: str) -> frozenset[str]:
        """Return the RR hexes on the typed line through a hex, beyond what cuts it too, be it a bridge that is down."""
        return frozenset(trace_links([hex], network.next_to, is_laid, lambda _: False).cost)

    def leads_nowhere(hex: str) -> bool:
        """Return whether it is stated that no line of the side leads on from a hex."""
        return view.word("linked", hex) not in ("", side)

    def leads_on(hex: str) -> bool:
        """Return whether it is stated that a line of the side leads on from a hex, or that this is at its map edge."""
        return side in (view.word("map-edge", hex), view.word("linked", hex))

    def outlets(line: frozenset[str]) -> frozenset[str] | None:
        """Return the hexes of a typed line at one of which at least it leads on to the map edge, no hexes if it is
        stated that it leads on at none of its ends, be it that they are at the enemy's map edge; None if that is not
        known.
        """
        ends = {hex for hex in line if len(network.next_to(hex)) <= 1}
        stated = frozenset(filter(leads_on, line))
        if not network.is_whole or not (stated or ends):
            return None
        free = frozenset(hex for hex in ends - barren if view.word("map-edge", hex) in ("", "none", side))
        return stated or frozenset(filter(operational, free)) or free

    def lies(place: str) -> bool:
        if operational_for(view, place) == side or view.word("linked", place) == side:
            return True
        begins = place in stations and network.is_open(place, closed)
        return begins or any(has_rail(place, other) for other in network.next_to(place))

    lying = frozenset(place for place in network.ways if operational(place) and lies(place))
    stated = along(sorted(filter(leads_on, lying.difference(closed))))
    unlinked = lying.difference(enemies, part_of.linked, part_of.doubtful) if part_of else frozenset[str]()
    left = lying.difference(stated.cost, closed, unlinked)
    stretches = list[tuple[str, ...]]()
    while left:
        stretches.append(tuple(along([min(left)]).cost))
        left -= {*stretches[-1]}
    barren = unlinked.union(filter(leads_nowhere, network.ways))
    uncut = [stretch for stretch in stretches if typed_with(stretch[0]) & lying == {*stretch}]
    barren = barren.union(
        *(stretch for stretch in stretches if stretch not in uncut and not barren.isdisjoint(stretch))
    )
    granted = dict[str, tuple[str, ...]]()
    doubtful = dict[str, str]()
    for stretch in stretches:
        ends = [hex for hex in sorted(stretch) if sum(railed(hex, other) for other in network.next_to(hex)) <= 1]
        ends.sort(key=lambda hex: sum(is_laid(hex, other) for other in network.next_to(hex)))
        known = outlets(typed_with(stretch[0]))
        if barren.issuperset(ends or stretch) or (known is not None and known.isdisjoint(stretch)):
            continue
        if stretch in uncut or (known and known <= {*stretch}):
            granted |= dict.fromkeys(stretch, stretch)
        else:
            doubtful |= dict.fromkeys(stretch, (ends or sorted(stretch))[0])
    return Railway(stated, granted, doubtful)
