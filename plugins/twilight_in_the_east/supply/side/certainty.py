"""The certain supply of a side's units, and the facts that may improve it (14.1 to 14.4).

On a drawn board these facts are about units; on a paper map also about untyped ways.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise, takewhile

import msgspec

from assistant.asking import View, step
from assistant.asking.asks import Ask, ask_for_fact
from assistant.rules.field import LineSource, Network
from assistant.rules.field.allocation import Offer, ServicePlan, best_plan
from assistant.util.memo import Memo

from ...ground.hexsides import between
from ...railways.network import RAIL_HEX_WEIGHTS, known_station
from ...railways.typed_lines import Railway
from ...terms import COMBAT_ARMS, DEPOTS, SUPPLY_ARMS
from ..clients import Client, SupplyInputs, TypedLine, capacity_of
from ..ground import SupplyGround, at_most, facts_of_line, grant_links, yes_or_no
from ..report import FED_ITSELF, TYPE_IT
from ..rules import (
    QUARTERS_PER_HEX,
    RR_IN_SUPPLY_HEXES,
    RR_LINE,
    RR_LOW_SUPPLY_HEXES,
    SupplyState,
    longest_range,
    reach_for,
)
from .offers import (
    EXTENDED,
    LOC,
    NORMAL,
    RAILWAY,
    RANK,
    STATED_SOURCE,
    WORDS,
    MapOffers,
    Offered,
    make_offers,
    preference_of,
)

TRACING_ORDER = {arm: number for number, arm in enumerate((*DEPOTS, "corps-train"))}
"""The order of tracing by arm: sources before the units that draw on them (14.4)."""
_LEADS_OUT: Memo[tuple[str, str, int], int] = Memo()
"""The minimum cost to untyped ground, by side, hex and range."""


class Certainty(msgspec.Struct, frozen=True):
    """The certain supply of a unit."""

    offer: Offer | None
    """The best offer, regardless of other units, or None if there is none."""
    state: SupplyState
    asks: tuple[Ask, ...] = ()
    """The questions that decide whether the unit has more supply."""
    is_stated: bool = False


class SupplySide(msgspec.Struct, frozen=True, kw_only=True):
    """A side with the offers of its sources and the certain supply of each unit."""

    inputs: SupplyInputs
    lines: MapOffers
    """The offers over ground that is certain."""
    possible: MapOffers
    """The offers over ground that is possible; `lines` on a drawn board."""
    certain: dict[str, Certainty] = {}
    """The certain supply of units, by id, in the order of tracing."""

    @property
    def believed(self) -> set[str]:
        """Ids of the units whose stated supply is used."""
        return {name for name, settled in self.certain.items() if settled.is_stated}

    def serves(self, source: str) -> bool:
        """Return whether a source certainly serves others: it is certainly In Supply, or need not be."""
        settled = self.certain.get(source)
        return source not in self.inputs.fed or bool(settled and settled.state == "in" and not settled.asks)

    def may_serve(self, source: str) -> bool:
        settled = self.certain.get(source)
        return source not in self.inputs.fed or bool(settled and (settled.state == "in" or settled.asks))

    def best_offer_to(self, unit: str) -> Offer | None:
        """Return the best offer to a unit, regardless of other units, or None if it is Out of Supply."""
        return self.certain[unit].offer if unit in self.certain else None

    def list_doubts(self, unit: str) -> tuple[Ask, ...]:
        """Return the questions that decide the supply of a unit, or () if it shares the supply of another."""
        return self.certain[unit].asks if unit in self.certain else self.inputs.missing.get(unit, ())

    def railways_of(self, client: Client) -> Railway:
        """Return the RR lines that supply a unit."""
        return self.inputs.ground.loc if client.arm in DEPOTS else self.inputs.ground.railway

    def seen_from(self, view: View, ground: SupplyGround) -> SupplySide:
        """Return the side in another view of a drawn board that differs only in the control of hexes."""
        inputs = msgspec.structs.replace(self.inputs, view=view, ground=ground)
        lines = msgspec.structs.replace(self.lines, inputs=inputs, board=ground.certain)
        for noted in lines.noted.values():
            view.premises.note_again(noted)
        for source in (RAILWAY, *(other.source for other in inputs.sources.values())) if inputs.asked is None else ():
            lines.repeats(self.lines, source)  # search equally far: views made from this one compare what was found
        return SupplySide(inputs=inputs, lines=lines, possible=lines, certain=self.certain)


def settle_side(
    inputs: SupplyInputs, known: SupplySide | None = None, changed_hexes: Collection[str] = frozenset()
) -> SupplySide:
    """Return a side with the certain supply of each of its units.

    `known`, `changed_hexes`: as for `make_offers`.
    """
    ground = inputs.ground
    lines = possible = make_offers(inputs, ground.certain, known.lines if known else None, changed_hexes)
    if ground.possible is not ground.certain:
        possible = make_offers(inputs, ground.possible)
    side = SupplySide(inputs=inputs, lines=lines, possible=possible)
    differing = set[str]()
    for client in sorted(inputs.clients.values(), key=lambda client: TRACING_ORDER.get(client.arm, len(TRACING_ORDER))):
        if client.through:
            continue
        name = client.unit.id
        if known and _is_certainty_known(side, known, name, differing):
            side.certain[name] = known.certain[name]
            continue
        if known and client.ties:
            side.lines.offered[name] = side.lines.note_offers_to(client)  # without the choice of a formation
        _settle(side, client)
        if known and side.certain[name] != known.certain.get(name):
            differing.add(name)
    return side


def _is_certainty_known(side: SupplySide, known: SupplySide, unit: str, differing: Collection[str]) -> bool:
    """Return whether the certain supply of a unit is the same as in another view.

    `differing`: the units settled so far whose certain supply differs.
    """
    offered = side.lines.offered[unit]
    if offered is not known.lines.offered.get(unit):
        return False
    return not differing or not any(offer.source in differing for offer in offered.offers)


def _settle(side: SupplySide, client: Client) -> None:
    """Record the certain supply of a unit in `side`, after that of the units that may serve it."""
    name, offered = client.unit.id, side.lines.offered
    settled = _find_certainty(side, client, offered[name], side.possible.offered[name])
    if client.ties and settled.asks:
        settled = _settle_tie(side, client) or settled
    if settled.offer and settled.offer.source == STATED_SOURCE:
        offered[name] = offered[name].with_more([settled.offer])
    side.certain[name] = settled


def _settle_tie(side: SupplySide, client: Client) -> Certainty | None:
    """Return the certain supply of an Asset Unit that may join one of several formations (6.4.1b).

    Returns None if the choice of the formation matters.
    """
    name, both = client.unit.id, (side.lines, side.possible)
    ways = list[tuple[Certainty, list[Offered]]]()
    for tied in client.ties:
        made = [Offered(lines.offered[name].offers).with_more(lines.drawn_on(tied)) for lines in both]
        ways.append((_find_certainty(side, tied, *made), made))
    settled, made = ways[-1]
    if any(way.asks or way.state != settled.state for way, _ in ways):
        return None
    for lines, offered in zip(both, made, strict=True):
        lines.offered[name] = offered
    return settled


def _find_certainty(side: SupplySide, client: Client, offered: Offered, hoped: Offered) -> Certainty:
    """Return the certain supply of a unit, or its stated supply, with the questions that may improve it.

    `offered`: the offers over certain ground.
    `hoped`: the offers over possible ground.
    """
    usable = (offer for offer in offered.offers if side.serves(offer.source))
    offer = min(usable, key=preference_of, default=None)
    gives = offer.gives if offer else 0
    asks = tuple[Ask, ...]()
    if gives < client.most:
        asks = side.inputs.unseen or client.missing or offered.missing or _ask_for_more(side, client, gives, hoped)
    stated = side.inputs.stated.get(client.unit.id)
    if asks and stated is not None and RANK[stated] >= gives:
        gives = min(RANK[stated], client.most)
        return Certainty(Offer(client.unit.id, STATED_SOURCE, gives) if gives else None, WORDS[gives], (), True)
    return Certainty(offer, WORDS[gives], asks)


# --- possible service -------------------------------------------------------------------------------------------------


def _ask_for_more(side: SupplySide, client: Client, gives: int, hoped: Offered) -> tuple[Ask, ...]:
    """Return the questions whose answer may improve the supply of a unit, or () if it is certain.

    `hoped`: the offers over possible ground.
    """
    if gives >= client.most:
        return ()
    inputs = side.inputs
    view, network = inputs.view, inputs.ground.network
    likely, facts = _find_likeliest(side, client, gives, hoped)
    if facts:
        return facts
    source = side.certain.get(likely.source) if likely else None
    if likely and source and source.asks:
        return (*source.asks, *_ask_for_more(side, client, likely.gives, hoped))
    if hoped.missing:
        return hoped.missing
    if inputs.typed and inputs.is_asked(client):
        return () if gives else (_ask_for_another_line(side, inputs.typed),)
    if network is None:
        return ()
    begin = _find_unknown_begin(side, client, RR_IN_SUPPLY_HEXES if gives else RR_LOW_SUPPLY_HEXES)
    if begin:
        return (ask_for_fact(view.game.tracks["operational"], begin),)
    other = view.fact("other-line", client.unit.id)
    untyped = [] if other and not other.value else _list_untyped_lines(side, client, gives)
    if not untyped:
        return ()
    title = ", or ".join(untyped)
    near = view.board.neighbours(str(client.unit.place))
    typed = f"{TYPE_IT}{f'{near[0]}-{client.unit.place}' if near else 'HEX-HEX'}"
    if other:
        return (Ask(kind="fact", name=f"line {client.unit.id}", rule="14.1", title=title, how=typed),)
    return (yes_or_no(view, "other-line", client.unit, title, f", or {typed}"),)


def _find_likeliest(
    side: SupplySide, client: Client, above: int, hoped: Offered
) -> tuple[Offer | None, tuple[Ask, ...]]:
    """Return the best offer that may improve a unit's supply, and the facts of its line.

    Of equal offers the one with the fewest facts is chosen.

    `above`: the supply that the offer must exceed.
    """
    usable = [offer for offer in hoped.offers if offer.gives > above and side.may_serve(offer.source)]
    most = max((offer.gives for offer in usable), default=0)
    ground = side.inputs.ground
    ways = list[tuple[Offer, tuple[Ask, ...]]]()
    for offer in usable:
        if offer.gives == most:
            line = side.possible.line_of_offer(client, offer)[1] if ground.network else None
            facts = facts_of_line(side.inputs.view, ground, side.railways_of(client), line) if line else ()
            ways.append((offer, tuple(facts)))

    def burden(way: tuple[Offer, tuple[Ask, ...]]) -> tuple[int, tuple[int | bool, ...]]:
        source = side.certain.get(way[0].source)
        return len(way[1]) + len(source.asks if source else ()), preference_of(way[0])

    return min(ways, key=burden, default=(None, ()))


def _find_unknown_begin(side: SupplySide, client: Client, limit: int) -> str:
    """Return the first hex of a typed line if it may be on an RR line near enough to supply a unit, or "".

    No source is stated there. If the whole map is typed, all RR lines are.

    `limit`: the maximum length of the line, in hexes.
    """
    inputs, view, board = side.inputs, side.inputs.view, side.possible.board
    if client.arm in SUPPLY_ARMS or inputs.ground.is_whole:
        return ""
    units = (unit for unit in inputs.around.units if view.word("arm", unit.id) in SUPPLY_ARMS)
    supplied = {*board.linked, *(unit.place for unit in units)}
    for hexes in view.state.lines.values():
        if hexes[-1] == client.unit.place and not board.along(hexes).barred:
            railed = takewhile(lambda two: between(view, *two).word("rail") in RAIL_HEX_WEIGHTS, pairwise(hexes))
            # the rest of the typed line, from the hex where it leaves the possible RR line
            on_foot = board.along(hexes[sum(1 for _ in railed) :])
            near = on_foot.cost * QUARTERS_PER_HEX <= at_most(limit)
            if near and hexes[0] not in supplied and _may_be_railway(inputs, hexes[0]):
                return hexes[0]
    return ""


def _may_be_railway(inputs: SupplyInputs, hex: str) -> bool:
    """Return whether a typed line may begin on an RR line of the side; unstated facts do not exclude it."""
    view = inputs.view
    return not view.word("operational", hex) and view.word("linked", hex) in ("", inputs.side)


def _ask_for_another_line(side: SupplySide, typed: TypedLine) -> Ask:
    begin, tracks = typed.hexes[0], side.inputs.view.game.tracks
    if not typed.source and _may_be_railway(side.inputs, begin) and side.possible.board.linked.isdisjoint(typed.hexes):
        return ask_for_fact(tracks["operational"], begin)
    none = tracks["other-line"].how_to_state(typed.unit, False)
    how = f"another line, with ask ... line=NAME; or {none} if there is none"
    return Ask(kind="fact", name="line", rule="14.1", title="a line that does", how=how)


def _list_untyped_lines(side: SupplySide, client: Client, gives: int) -> list[str]:
    inputs, here = side.inputs, str(client.unit.place)
    network, closed, enemies = inputs.ground.network, inputs.around.closed, inputs.around.enemies
    assert network
    better = [state for state, given in RANK.items() if given > gives]
    sources = list[LineSource]()
    if client.arm not in DEPOTS:
        able = (other for other in inputs.allowed_sources(client) if not other.why_not)
        sources = [*(other.source for other in able if side.may_serve(other.unit.id)), *inputs.list_half_hexes(client)]
    if client.arm in (*COMBAT_ARMS, "artillery"):
        sources.append(RAILWAY)
    reach = at_most(max([*(longest_range(source) for source in sources), RR_LOW_SUPPLY_HEXES]))
    back = side.possible.board.lines.field_to(here, reach).cost
    leads_in = _cost_to_open(network, back, closed, reach)
    railed = _cost_to_open(network, back, enemies, reach)  # EZOCs do not cut RR lines
    reached: dict[int, list[str]] = {}
    for source in sources:
        hexes, is_rail = reach_for(source, better), source == RAILWAY
        # each hex costs at least a quarter of a hex
        if hexes and (is_rail or inputs.view.board.distance(source.place, here) <= at_most(hexes)):
            cost = railed if is_rail else leads_in + _cost_to_leave(side, source)
            if cost <= at_most(hexes):
                reached.setdefault(hexes, []).append("an operational RR line" if is_rail else source.name)
    texts = list[str]()
    for hexes, names in reached.items():
        within = f"within {hexes} {'hex' if hexes == 1 else 'hexes'}"
        texts.append(
            f"{within} of {' or '.join(names)}" if texts else f"is {client.unit.id} {within} of {' or '.join(names)}"
        )
    if texts:
        texts[-1] += " by another way"
    is_depot = client.arm in DEPOTS
    barred = is_depot and known_station(inputs.view, here) is False
    if client.arm in SUPPLY_ARMS and not barred and network.is_open(here, closed if is_depot else enemies):
        texts.append(f"does an operational RR line lead from {here} to a friendly map edge")
    return texts


def _cost_to_leave(side: SupplySide, source: LineSource) -> int:
    """Return the minimum cost from a source to a hex where an untyped way may begin."""
    inputs, lines = side.inputs, side.possible.board.lines
    network, closed = inputs.ground.network, inputs.around.closed
    limit = at_most(longest_range(source))
    assert network

    def least() -> int:
        return _cost_to_open(network, lines.field({source.place}, limit).cost, closed, limit)

    return inputs.view.memo(_LEADS_OUT, (inputs.side, source.place, limit), lambda known, apart: least())


def _cost_to_open(network: Network, costs: Mapping[str, int], closed: Collection[str], limit: int) -> int:
    """Return the minimum cost of hexes where an untyped way may begin, or more than `limit` if there is none.

    `closed`: hexes that no line enters.
    """
    return min((cost for hex, cost in costs.items() if network.is_open(hex, closed)), default=limit + 1)


# --- plans ------------------------------------------------------------------------------------------------------------


def plan_service(side: SupplySide, *, as_it_stands: bool) -> ServicePlan:
    """Return the source of each unit, with the modes of the position or with the best ones (14.2b)."""
    inputs = side.inputs
    usual = dict.fromkeys(inputs.fed, NORMAL)
    fixed = None
    if as_it_stands:
        fixed = {name: EXTENDED if inputs.view.flag("extended", name) else NORMAL for name in usual}
    offers = [offer for offered in side.lines.offered.values() for offer in offered.offers]
    groups = {offer.group for offer in offers if offer.group}
    places = {group: capacity_of(group) - len(inputs.settled.get(group, ())) for group in groups}
    return best_plan(offers, usual, capacity=places, fed=inputs.fed, fixed=fixed)


def open_modes(side: SupplySide, plan: ServicePlan) -> list[str]:
    """Return the supply units whose mode may depend on units of undecided supply.

    Units that serve no unit of certain supply in this plan are left out.
    """
    inputs = side.inputs
    undecided = [inputs.clients[name] for name, settled in side.certain.items() if settled.asks]
    serving = {offer.source for name, offer in plan.serves.items() if offer.mode and not side.list_doubts(name)}
    kin = {other.unit.id for client in undecided for other in inputs.allowed_sources(client)}
    able = serving & kin
    return [name for name, other in inputs.sources.items() if name in able and len(other.source.ranges) > 1]


# --- assumptions ------------------------------------------------------------------------------------------------------


def say_granted(side: SupplySide, client: Client, offer: Offer) -> None:
    """Note the assumptions about the line of an offer."""
    if client.always or offer.source == STATED_SOURCE:
        return
    view = side.inputs.view
    source, line = side.lines.line_of_offer(client, offer)
    fed = side.certain.get(offer.source)
    is_traced = fed is not None and not (fed.offer and fed.offer.source == STATED_SOURCE)
    if source.kind in SUPPLY_ARMS and not is_traced and ("supply", source.name) not in view.state.facts:
        view.premises.assume(step("14.2", FED_ITSELF, source=source.name))
    for entered in line.steps:
        view.granted("terrain", entered.hex, "clear", "14.1.1", "no High Mountain in {hexes}")
    hexes = [line.start, *line.linked] if offer.source in (RR_LINE, LOC) or line.linked else []
    grant_links(view, side.inputs.ground, hexes, side.railways_of(client))
    if fed and fed.offer and is_traced:
        say_granted(side, side.inputs.clients[offer.source], fed.offer)


def stated_states(view: View) -> Mapping[str, str]:
    """Return the supply states that a position states."""
    return {name: str(fact.value) for (track, name), fact in view.state.facts.items() if track == "supply"}
