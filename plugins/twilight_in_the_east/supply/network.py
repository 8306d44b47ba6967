"""The network that a player has typed of a paper map, made ready for tracing: what is certain of it, and what is possible (14.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import pairwise

import msgspec

from assistant.field import Around, Line, LineMap, Network
from assistant.mechanics.crossings import Ground, Worked, compile_crossings
from assistant.mechanics.tracing import CostField, link
from assistant.questions import Gather, View
from assistant.questions.asking import ask_for_fact
from assistant.questions.report import Ask, step
from assistant.state.apart import Apart
from assistant.state.state import Unit, hexside

from ..ground.hexsides import NETWORK, between
from ..railways.built import field_railways, hexsides_of, joined, left_of_field_railway
from ..railways.network import may_operate, operational_for
from ..terms import GREAT_RIVERS, HALF_HEXES
from .board import compile_board
from .lines import (
    LINKS,
    Conditions,
    Railway,
    SupplyGround,
    SupplyMap,
    beside_field_railways,
    conditions,
    cost_of_step,
)
from .report import LINKED, OPERATIONAL
from .rules import HEX, RAILS, ROADS
from .special import FERRY, PILLAU, bars_across, holder_of_pillau


def supply_ground(view: View, around: Around) -> SupplyGround:
    """The ground of a side's supply lines, made ready once for a view: its drawn board, or what is typed of a paper map."""

    def compiled(known: SupplyGround | None, apart: Apart) -> SupplyGround:
        with view.gather() as facts:
            if not view.board.hexes:
                return compile_network(facts, around)
            board = compile_board(facts, around)
        return SupplyGround(None, board, board)

    return view.kept(("ground of lines", around.side), compiled)


def compile_network(facts: Gather, around: Around) -> SupplyGround:
    """The typed network for a side, with its units on it."""
    view, side = facts.view, around.side
    begins = (*around.friends, *(hex for hex in HALF_HEXES if view.board.has(hex)))
    built = [line for line in field_railways(view, side) if left_of_field_railway(line.hexes, around.enemies)]
    fields = [left_of_field_railway(line.hexes, around.enemies) for line in built]
    narrow = frozenset[str]().union(*map(hexsides_of, fields))
    network = Network(view, NETWORK, side, begins, built=narrow)
    wet = any(GREAT_RIVERS & view.words("barrier", side) for side in network.sides)
    wet = wet or any(view.word("terrain", hex) == "wetlands" for hex in network.ways)
    when = conditions(facts) if wet else Conditions()
    railway, loc = (railways(view, network, around, closed) for closed in (around.enemies, around.closed))
    onward = defaultdict[str, list[str]](list)  # from the map edge, along the LOCs
    for there, here in loc.stated.before.items():
        onward[here].append(there)

    def supply_map(linked: Collection[str], loc_linked: Collection[str], unknown: str, pillau: str) -> SupplyMap:
        """The network where these RR hexes are linked. unknown: terrain that is not stated; pillau: who holds it if that is not."""
        in_use = [hexes for line, hexes in zip(built, fields, strict=True) if line.deployed in linked]
        operational = joined(CostField(dict.fromkeys(sorted(linked), 0), railway.stated.before), in_use)
        by_field = frozenset[str]().union(*map(hexsides_of, in_use))
        only_field = frozenset(operational.cost.keys() - set(linked))

        def ground(place: str) -> Ground:
            control = side if place in around.friends else view.word("control", place)
            terrain = view.word("terrain", place) or unknown
            return (("terrain", terrain), ("operational", place in operational.cost), ("control", control))

        def over(here: str, there: str) -> Ground:
            across = between(view, here, there)
            words = {track: across.word(track) or f"no-{track}" for track in LINKS}
            words = beside_field_railways(words, across.name, by_field, only_field)
            barrier = bars_across(view, side, across.name, across.lies, unstated=pillau)
            return (("barrier", tuple(sorted(barrier))), *words.items())

        crossings = compile_crossings(network.ways, network.next_to, ground, over)
        line_map = LineMap(crossings, Worked(partial(cost_of_step, when=when)), around.closed, HEX)
        on_rails = frozenset(operational.cost)
        begin = frozenset(loc_linked).difference(loc.stated.before)
        return SupplyMap(line_map, onward, begin, operational, view.board.distance, on_rails)

    return SupplyGround(
        network,
        supply_map(railway.linked, loc.linked, "", ""),
        supply_map(railway.linked.union(railway.doubtful), loc.linked.union(loc.doubtful), "clear", side),
        railway,
        loc,
        {hex: hexes[0] for hexes in fields for hex in hexes[1:]},
    )


def rails_from(view: View, hex: str, near: Iterable[str]) -> Iterator[str]:
    """The hexes to which RR lines lead from a hex, operational or not. near: the hexes next to it that count."""
    return (there for there in near if between(view, hex, there).word("rail") in RAILS)


def facts_of_line(view: View, ground: SupplyGround, railways: Railway, line: Line) -> Iterator[Ask]:
    """The facts on which it turns whether there is a line over ground that is possible: terrain where it enters a hex neither by rail nor by
    road, who holds Pillau if it crosses the strait there (14.1.1), and whether its RR line is linked. railways: those that count."""
    tracks, hexes = view.game.tracks, line.hexes
    for here, there in pairwise(hexes):
        by_foot = there not in line.linked and between(view, here, there).word("road") not in ROADS
        if by_foot and not view.word("terrain", there):
            yield ask_for_fact(tracks["terrain"], there)
    if not holder_of_pillau(view) and FERRY in {hexside(here, there) for here, there in pairwise(hexes)}:
        yield ask_for_fact(tracks["control"], PILLAU)
    begun = (ground.deployed.get(hex, hex) for hex in hexes)
    if cut := next((railways.doubtful[hex] for hex in begun if hex in railways.doubtful), ""):
        yield ask_for_link(view, cut)


def ask_for_link(view: View, hex: str) -> Ask:
    """Whether a stretch of a RR line that is cut leads on to a friendly map edge. hex: of that stretch (14.2.1a)."""
    title = f"does the RR line at {hex}, cut off as it is, lead on to a friendly map edge"
    return msgspec.structs.replace(ask_for_fact(view.game.track("linked"), hex), title=title)


def yes_or_no(view: View, track: str, unit: Unit, title: str, more: str = "") -> Ask:
    """Whether there is something that only the player can see on his map. title: what; more: how else it can be answered."""
    how = view.game.track(track).how_to_state(unit.id, False)
    return msgspec.structs.replace(ask_for_fact(view.game.track(track), unit.id), title=title, how=f"{how}{more}")


def grant_links(view: View, ground: SupplyGround, side: str, hexes: Iterable[str], railways: Railway) -> None:
    """Say of which typed RR hexes it is taken for granted that a line links them to a friendly map edge, or works there."""
    begun = [ground.deployed.get(hex, hex) for hex in hexes]
    if granted := [hex for hex in begun if hex in railways.granted]:
        silent_one = next((hex for hex in granted if not view.word("linked", hex)), granted[0])
        view.granted("linked", silent_one, side, "14.2.3", LINKED)

    def is_known(hex: str) -> bool:
        return bool(operational_for(view, hex)) or side in (view.word("map-edge", hex), view.word("linked", hex))

    if silent := dict.fromkeys(hex for hex in begun if hex in railways.stated.cost and not is_known(hex)):
        view.presume(step("17.1.1", OPERATIONAL, hexes=tuple(silent)))


def typed_railways(view: View, around: Around, lost: Collection[str] = ()) -> Railway:
    """The typed RR lines of a side as its supply counts them, EZOCs aside. lost: hexes in which they are cut besides those of enemies."""
    return railways(view, Network(view, NETWORK, around.side, around.friends), around, around.enemies.union(lost))


def railways(view: View, network: Network, around: Around, closed: Collection[str]) -> Railway:
    """The typed RR lines of a side: hexes that are stated to be another side's or out of use do not count, others do. Field Railways begin
    on a RR line, typed or not (17.5.1).

    closed: hexes in which such a line is cut.
    """
    side = around.side
    stations = {line.deployed for line in field_railways(view, side) if line.deployed not in around.enemies}

    def operational(place: str) -> bool:
        return may_operate(view, place, side)

    def has_rail(here: str, there: str) -> bool:
        return between(view, here, there).word("rail") in RAILS

    def is_laid(here: str, there: str) -> bool:
        return view.word("rail", hexside(here, there)) in RAILS

    def railed(here: str, there: str) -> bool:
        return operational(there) and has_rail(here, there)

    def along(starts: Iterable[str]) -> CostField:
        return link(starts, network.next_to, railed, lambda hex: hex in closed)

    def typed_with(hex: str) -> frozenset[str]:
        """The RR hexes of the side on the typed line through a hex, beyond what cuts it too, be it a bridge that is down."""
        return lying.intersection(link([hex], network.next_to, is_laid, lambda _: False).cost)

    def leads_nowhere(hex: str) -> bool:
        """Whether it is stated of the RR line through a hex that it leads to no edge of the side, be it beyond EZOCs, which do not cut it."""
        whole = link([hex], network.next_to, railed, lambda other: other in around.enemies).cost
        return any(view.word("linked", other) not in ("", side) for other in whole if other not in around.enemies)

    def lies(place: str) -> bool:
        if operational_for(view, place) == side or view.word("linked", place) == side:
            return True
        begins = place in stations and network.is_open(place, closed)
        return begins or any(has_rail(place, other) for other in network.next_to(place))

    lying = frozenset(place for place in network.ways if operational(place) and lies(place))
    vouched = {place for place in lying if side in (view.word("map-edge", place), view.word("linked", place))}
    stated = along(sorted(vouched.difference(closed)))
    granted, doubtful = dict[str, tuple[str, ...]](), dict[str, str]()
    left = lying.difference(stated.cost, closed)
    while left:
        stretch = tuple(along([min(left)]).cost)
        left -= {*stretch}
        whole = typed_with(stretch[0])
        uncut = whole == {*stretch} and vouched.isdisjoint(whole)
        ends = [hex for hex in sorted(stretch) if sum(railed(hex, other) for other in network.next_to(hex)) <= 1]
        ends.sort(key=lambda hex: sum(is_laid(hex, other) for other in network.next_to(hex)))
        if uncut and any(not view.word("linked", hex) for hex in ends or stretch):
            granted |= dict.fromkeys(stretch, stretch)
        elif not uncut and not leads_nowhere(stretch[0]):
            doubtful |= dict.fromkeys(stretch, (ends or sorted(stretch))[0])
    return Railway(stated, granted, doubtful)
