"""The RR lines of a side: operational and cut-off hexes, and its markers (17.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated, Literal

import msgspec

from assistant.asking import Gather, View, note, step
from assistant.mechanics.tracing import trace_links
from assistant.state.differences import Divergence
from assistant.util.memo import Memo

from ..ground.hexsides import BRIDGE, between

RAIL_HEX_WEIGHTS = {"rail2": 1, "rail1": 2}
"""The weight of an RR hex by its tracks, in hexes of movement (8.2.2) and in quarters of a hex of supply cost (14.1.2).
"""
State = Literal["operational", "non-operational", "non-friendly"]
Links = Mapping[str, Collection[str]]
"""The adjacent hexes along RR lines, by RR hex."""


class RailwayStretch(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of RR line that a side has changed to operational."""

    linked: Annotated[bool, note("whether it is linked to a friendly map edge, and so operational")]
    hexes: Annotated[tuple[str, ...], note("the hexes")]
    railheads: Annotated[tuple[str, ...], note("the hexes of its Railhead markers")]
    broken: Annotated[
        tuple[str, ...], note("the hexes of the Broken RR markers that separate it from the next stretch")
    ]


class Network(msgspec.Struct, frozen=True):
    """The RR lines of a map as one side sees them."""

    links: Links
    """The RR lines of the whole map."""
    own: frozenset[str]
    """The hexes that the side has changed to operational, including `edges`."""
    edges: frozenset[str]
    """The hexes of `own` at a map edge friendly to the side."""

    @property
    def operational(self) -> frozenset[str]:
        """The friendly operational RR hexes."""
        return linked_to(self.edges, self.own, self.links)


def linked_to(starts: Collection[str], among: Collection[str], links: Links) -> frozenset[str]:
    """Return the hexes of `among` from which a path within `among` leads to a start."""
    field = trace_links(
        sorted(starts), lambda hex: links.get(hex, ()), lambda here, there: True, lambda hex: hex not in among
    )
    return frozenset(field.cost)


def state_of(hex: str, network: Network, operational: Collection[str]) -> State:
    """Return the state of an RR hex for a side.

    `operational`: the operational hexes of its network.

    Rule: 17.1.1
    """
    if hex in operational:
        return "operational"
    return "non-operational" if hex in network.own else "non-friendly"


def behind_railheads(
    edges: Collection[str], railheads: Collection[str], friendly: Collection[str], links: Links
) -> frozenset[str]:
    """Return the RR hexes that are operational when a scenario begins, up to and including the Railheads.

    `edges`: RR hexes at a friendly map edge.
    `friendly`: hexes in friendly territory, where a line without a Railhead ends.

    Rule: 17.1.1b
    """
    open_line = {*friendly, *railheads}
    field = trace_links(
        sorted(edges),
        lambda hex: links.get(hex, ()),
        lambda here, there: here not in railheads,
        lambda hex: hex not in open_line,
    )
    return frozenset(field.cost)


def lost_hexes(own: Collection[str], taken: Collection[str]) -> frozenset[str]:
    """Return the hexes of a side's RR lines that become non-friendly, without becoming operational for the enemy.

    `taken`: hexes where enemy units are or passed, and hexes behind the enemy's Front Line.

    Rule: 17.1.4
    """
    return frozenset(own).intersection(taken)


def stretches(network: Network) -> tuple[RailwayStretch, ...]:
    """Return the stretches of a side's RR lines.

    Those linked to a friendly map edge come first, then the longest. If a hex becomes non-friendly, the rest of the
    line is unchanged. The part that is cut off becomes non-operational, and the hexes between are marked Broken.

    Rule: 17.1.5
    """
    found = []
    remaining = set(network.own)
    while remaining:
        hexes = linked_to([next(iter(remaining))], network.own, network.links)
        remaining -= hexes
        linked = not network.edges.isdisjoint(hexes)
        ordered = tuple(sorted(hexes))
        railheads = tuple(hex for hex in ordered if not hexes.issuperset(network.links.get(hex, ())))
        broken = () if linked else _find_gap(hexes, network)
        found.append(RailwayStretch(linked=linked, hexes=ordered, railheads=railheads, broken=broken))
    return tuple(sorted(found, key=lambda stretch: (not stretch.linked, -len(stretch.hexes), stretch.hexes[0])))


def _find_gap(hexes: Collection[str], network: Network) -> tuple[str, ...]:
    """Return the hexes of a shortest path from a stretch to another stretch of its side, or ()."""
    others = network.own - set(hexes)
    field = trace_links(sorted(hexes), lambda hex: network.links.get(hex, ()), lambda here, there: True)
    reached = sorted((field.cost[hex], hex) for hex in others if hex in field.cost)
    return field.line(reached[0][1])[1:-1] if reached else ()


# --- RR lines in a position -------------------------------------------------------------------------------------------


def rail_over(facts: View | Gather) -> Callable[[str], str]:
    """Return a function that returns the RR line across a hexside, or "" if it is not known."""
    known = (facts.view if isinstance(facts, Gather) else facts).facts_of("rail")

    def rail(name: str) -> str:
        fact = known(name)
        return str(fact.value) if fact and name != BRIDGE else between(facts, *name.split("|")).word("rail")

    return rail


_LINKS: Memo[None, Links] = Memo()
"""The RR lines of the map of a view."""


def read_links(view: View) -> Links:
    """Return all RR lines of the map, drawn or stated, read once for a view."""

    def read(known: Links | None, divergence: Divergence) -> Links:
        if known is not None and all(track != "rail" for track, _ in divergence.facts):
            return known
        links = dict[str, list[str]]()
        rail = rail_over(view)
        stated = (subject for track, subject in view.stated if track == "rail")
        for name in sorted({*view.board.known("rail"), *stated}):
            if rail(name) not in ("", "no-rail"):
                here, there = name.split("|")
                links.setdefault(here, []).append(there)
                links.setdefault(there, []).append(here)
        return {hex: tuple(sorted(beyond)) for hex, beyond in links.items()}

    return view.memo(_LINKS, None, read)


def is_map_known(view: View, sides: Iterable[str]) -> bool:
    """Return whether all RR lines of the sides are known: on a board, or as networks typed in full."""
    return bool(view.board.hexes) or all(view.flag("whole-network", side) for side in sides)


UNTYPED = "RR lines that are not typed are not known"
"""The caution that untyped RR lines are not known."""


def operational_for(view: View, hex: str) -> str:
    """Return the side for which the RR line in a hex is operational, or "" if that is not known.

    A line in enemy territory is operational for no side, so stated control of the hex outweighs what a map shows.

    Rule: 17.1.1
    """
    side = view.word("operational", hex)
    facts = view.state.facts
    control = facts.get(("control", hex))
    if control is None or ("operational", hex) in facts or (side or view.word("map-edge", hex)) == control.value:
        return side
    return "none" if side or view.word("map-edge", hex) != "none" else ""


def has_station(facts: Gather, hex: str) -> bool:
    """Return whether a hex has an RR Station, which is asked for if it is not known."""
    known = known_station(facts.view, hex)
    return facts.flag("station", hex) if known is None else known


def known_station(view: View, hex: str) -> bool | None:
    """Return whether a hex has an RR Station, or None if that is not known.

    A hex without city, town, village and platform has none (2.2).
    """
    stated = view.fact("station", hex)
    if stated is not None:
        return bool(stated.value)
    return False if view.word("town", hex) == "no-town" else None


def operational_of(view: View) -> Callable[[str], str]:
    """Return `operational_for` as a function of a hex, for the many hexes of a board."""
    side_of = view.facts_of("operational")
    stated = {hex for track, hex in view.state.facts if track == "control"}

    def operational(hex: str) -> str:
        if hex in stated:
            return operational_for(view, hex)
        fact = side_of(hex)
        return str(fact.value) if fact else ""

    return operational


def may_operate(view: View, hex: str, side: str) -> bool:
    """Return whether a side's typed RR line may be operational in a hex.

    It may not if it is another side's, or if another side controls the hex.

    Rule: 17.1.1
    """
    if view.word("operational", hex):
        return operational_for(view, hex) == side
    return view.word("control", hex) in ("", side)


def read_network(view: View, side: str, entered: Iterable[str] = ()) -> Network:
    """Return the RR lines of a side.

    An RR hex on a friendly map edge, or stated to be linked to one, is operational unless it is stated not to be.
    A hex that an enemy has entered is not operational.

    `entered`: hexes where enemy units are or passed.
    """
    links = read_links(view)
    lost = set(entered)
    operational = operational_of(view)
    on_edge = view.facts_of("map-edge")
    linked = view.facts_of("linked")
    words = {hex: operational(hex) for hex in links}
    edges = set[str]()
    for hex, word in words.items():
        at_edge = any(fact and fact.value == side for fact in (on_edge(hex), linked(hex)))
        if at_edge and word in ("", side):
            edges.add(hex)
    own = {hex for hex, word in words.items() if word == side} | edges
    return Network(links, frozenset(own - lost_hexes(own, lost)), frozenset(edges - lost))


def presume_unstated(view: View, network: Network) -> None:
    """Note the RR hexes that count as non-friendly because nothing is stated about them."""

    def is_silent(hex: str) -> bool:
        at_edge = any(view.word(track, hex) not in ("", "none") for track in ("map-edge", "linked"))
        return not view.word("operational", hex) and not at_edge

    unstated = sorted(filter(is_silent, network.links.keys() - network.own))
    if unstated:
        text = "nothing is stated about the RR line in {hexes}, so it does not count as operational ({how})"
        view.premises.assume(step("17.1.1", text, hexes=unstated, how=f"{unstated[0]} operational=SIDE"))


def presume_links(view: View, links: Links, granted: Collection[str], doubtful: Collection[str]) -> None:
    """Note the typed RR hexes that are presumed linked to a friendly map edge.

    `granted`: hexes that nothing cuts off, and so are presumed linked.
    `doubtful`: hexes that are cut off, and so are presumed not linked.
    """
    for stretch in stretches(Network(links, frozenset(granted), frozenset())):
        text = "an operational RR line links {hex} to a friendly map edge"
        view.premises.assume(step("14.2.3", text, hex=stretch.hexes[0]))
    for stretch in stretches(Network(links, frozenset(doubtful), frozenset())):
        text = "no line links {hexes} to a friendly map edge, as far as is stated ({how})"
        view.premises.assume(step("17.1.5", text, hexes=stretch.hexes, how=f"{stretch.hexes[0]} linked=SIDE"))
