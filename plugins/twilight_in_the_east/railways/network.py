"""The RR lines of a side: which hexes are operational, which are cut off, and where its markers lie (17.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from assistant.mechanics.tracing import link
from assistant.questions import Gather, View, step

from ..ground.hexsides import between

State = Literal["operational", "non-operational", "non-friendly"]
Links = Mapping[str, Collection[str]]
"""From each RR hex to those into which a RR line leads from it."""


class Stretch(msgspec.Struct, frozen=True):
    """RR hexes that a side has changed to operational and that hang together.

    linked: whether they are linked to a friendly map edge, so that they are operational; railheads: where the line goes on
    that is not the side's; gap: the hexes that part a stretch which is cut off from the nearest other one, and bear the Broken
    markers.
    """

    hexes: frozenset[str]
    linked: bool
    railheads: tuple[str, ...]
    gap: tuple[str, ...] = ()


class Network(msgspec.Struct, frozen=True):
    """The RR lines of a map as one side sees them. links: of the whole map; own: the hexes that the side has changed to
    operational, those at its map edge among them; edges: these."""

    links: Links
    own: frozenset[str]
    edges: frozenset[str]

    @property
    def operational(self) -> frozenset[str]:
        """The friendly operational RR hexes."""
        return linked_to(self.edges, self.own, self.links)


def linked_to(starts: Collection[str], among: Collection[str], links: Links) -> frozenset[str]:
    """The RR hexes among some that a contiguous path of these links to one of the starts."""
    return frozenset(
        link(
            sorted(set(starts) & set(among)),
            lambda hex: links.get(hex, ()),
            lambda here, there: True,
            lambda hex: hex not in among,
        ).cost
    )


def only_way(line: Sequence[str], starts: Collection[str], links: Links) -> tuple[list[str], set[tuple[str, str]]]:
    """The hexes of a line from a map edge to a RR hex, in order, and its steps from hex to hex, that every link of that hex to a map edge
    passes; none where the line does not follow these links.

    starts: where links to a map edge begin.
    """
    if any(there not in links[here] for here, there in pairwise(line)):
        return [], set()
    place, seen = {hex: at for at, hex in enumerate(line)}, set[str]()
    hexes, steps = list[str](), set[tuple[str, str]]()

    def reached(todo: list[str]) -> int:
        """How far along the line one gets from some hexes beside it."""
        far = 0
        while todo:
            hex = todo.pop()
            if hex in place:
                far = max(far, place[hex])
            elif hex not in seen:
                seen.add(hex)
                todo += links[hex]
        return far

    farthest = reached([*starts])
    for at, here in enumerate(line):
        onward = line[at + 1] if here != line[-1] else ""
        if farthest <= at:
            hexes.append(here)
        farthest = max(farthest, reached([there for there in links[here] if there != onward]))
        if onward and farthest <= at:
            steps.add((here, onward))
    return hexes, steps


def state_of(hex: str, network: Network, operational: Collection[str]) -> State:
    """The state of a RR hex for a side. operational: the operational ones of its network. Rule: 17.1.1"""
    if hex in operational:
        return "operational"
    return "non-operational" if hex in network.own else "non-friendly"


def behind_railheads(
    edges: Collection[str], railheads: Collection[str], friendly: Collection[str], links: Links
) -> frozenset[str]:
    """The RR hexes that are operational when a scenario begins: those behind the Railheads, up to them.

    edges: RR hexes at a friendly map edge; friendly: hexes in friendly territory, where a line without a Railhead ends.
    Rule: 17.1.1b
    """

    def linked(here: str, there: str) -> bool:
        return here not in railheads

    open_line = {*friendly, *railheads}
    found = link(sorted(edges), lambda hex: links.get(hex, ()), linked, lambda hex: hex not in open_line)
    return frozenset(found.cost)


def captured(own: Collection[str], entered: Collection[str], behind: Collection[str] = ()) -> frozenset[str]:
    """The hexes of a side's RR lines that become non-friendly, without becoming operational for its enemy.

    entered: hexes in which enemy units stand or through which they passed; behind: those behind the enemy's Front Line.
    Rule: 17.1.4
    """
    return frozenset(own) & (set(entered) | set(behind))


def stretches(network: Network) -> tuple[Stretch, ...]:
    """The stretches of a side's RR lines, those that are linked to a friendly map edge first, then the longest first.

    A hex that turns non-friendly leaves the rest of the line as it is: what it cuts off becomes non-operational, and the hexes
    between are marked Broken. Rule: 17.1.5
    """
    found, left = [], set(network.own)
    while left:
        hexes = linked_to([next(iter(left))], network.own, network.links)
        left -= hexes
        linked = not network.edges.isdisjoint(hexes)
        gap = () if linked else _gap(hexes, network)
        found.append(Stretch(hexes, linked, _railheads(hexes, network.links), gap))
    return tuple(sorted(found, key=lambda one: (not one.linked, -len(one.hexes), min(one.hexes))))


def _railheads(hexes: Collection[str], links: Links) -> tuple[str, ...]:
    return tuple(hex for hex in sorted(hexes) if any(beyond not in hexes for beyond in links.get(hex, ())))


def _gap(hexes: Collection[str], network: Network) -> tuple[str, ...]:
    """The fewest hexes that part a stretch from another one of its side; empty where no line leads there."""
    others = network.own - set(hexes)
    field = link(sorted(hexes), lambda hex: network.links.get(hex, ()), lambda here, there: True)
    reached = sorted((field.cost[hex], hex) for hex in others if hex in field.cost)
    return field.line(reached[0][1])[1:-1] if reached else ()


# --- of a position ----------------------------------------------------------------------------------------------------


def read_links(view: View) -> Links:
    """The RR lines of the map, as far as they are drawn or stated."""
    found: dict[str, list[str]] = {}
    for name in sides_with(view, "rail"):
        here, there = name.split("|")
        if between(view, here, there).word("rail") not in ("", "no-rail"):
            found.setdefault(here, []).append(there)
            found.setdefault(there, []).append(here)
    return {hex: tuple(sorted(beyond)) for hex, beyond in found.items()}


def sides_with(view: View, track: str) -> list[str]:
    """The subjects of a track that are drawn or stated, in order."""
    stated = (subject for name, subject in view.stated if name == track)
    return sorted({*view.board.known(track), *stated})


def operational_for(view: View, hex: str) -> str:
    """The side whose operational RR line a hex is on, "" if that is not known. A line in enemy territory is nobody's, so a side that is
    stated to control the hex outweighs what a map shows of its line, or of its edge. Rule: 17.1.1
    """
    side, facts = view.word("operational", hex), view.state.facts
    control = facts.get(("control", hex))
    if control is None or ("operational", hex) in facts or (side or view.word("map-edge", hex)) == control.value:
        return side
    return "none" if side or view.word("map-edge", hex) != "none" else ""


def has_station(facts: Gather, hex: str) -> bool:
    """Whether a hex has a RR Station; asked for where that is not known."""
    known = known_station(facts.view, hex)
    return facts.flag("station", hex) if known is None else known


def known_station(view: View, hex: str) -> bool | None:
    """Whether a hex is known to have a RR Station, None if it is not: one that holds neither city, town, village nor platform has none (2.2)."""
    stated = view.fact("station", hex)
    if stated is not None:
        return bool(stated.value)
    return False if view.word("town", hex) == "no-town" else None


def operational_of(view: View) -> Callable[[str], str]:
    """Tells the same of each hex of a board: faster, for whoever asks it of many."""
    found, stated = view.facts_of("operational"), {hex for track, hex in view.state.facts if track == "control"}

    def told(hex: str) -> str:
        if hex in stated:
            return operational_for(view, hex)
        fact = found(hex)
        return str(fact.value) if fact else ""

    return told


def may_operate(view: View, hex: str, side: str) -> bool:
    """Whether a side's RR line may be operational in a hex of which perhaps nothing is stated, as of lines that are typed: not where
    another side's is, nor in a hex that another side controls. Rule: 17.1.1
    """
    if view.word("operational", hex):
        return operational_for(view, hex) == side
    return view.word("control", hex) in ("", side)


def read_network(view: View, side: str, entered: Iterable[str] = ()) -> Network:
    """The RR lines of a side. Any RR hex on a friendly map edge, or from which one is stated to lead on to it, is operational unless it is
    stated not to be; a hex that an enemy has entered is not. entered: hexes of enemy units, or through which they passed."""
    links, lost = read_links(view), set(entered)
    words = {hex: operational_for(view, hex) for hex in links}
    at_edge = {hex for hex in links if side in (view.word("map-edge", hex), view.word("linked", hex))}
    edges = {hex for hex in at_edge if words[hex] in ("", side)}
    own = {hex for hex, word in words.items() if word == side} | edges
    return Network(links, frozenset(own - captured(own, lost)), frozenset(edges - lost))


def presume_unstated(view: View, network: Network) -> None:
    """Say in the report which RR hexes count as non-friendly because nothing is stated of them."""
    silent = (hex for hex in network.links if hex not in network.own and not view.word("operational", hex))
    edges = ("map-edge", "linked")
    if unstated := sorted(hex for hex in silent if all(view.word(track, hex) in ("", "none") for track in edges)):
        text = "nothing is stated of the RR line in {hexes}, which is not counted as operational ({how})"
        view.presume(step("17.1.1", text, hexes=unstated, how=f"{unstated[0]} operational=SIDE"))
