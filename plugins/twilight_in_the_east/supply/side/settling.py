"""What is certain of the supply of a side, and what decides where more is possible (14.1 to 14.4).

On a drawn board that is what is missing of its units. On a paper map, of which only the player sees all, it may also be whether there is a
way that he has not typed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import pairwise, takewhile
from typing import NamedTuple

from assistant.field import Around, Line, Source
from assistant.field.serving import Offer, Plan
from assistant.questions import View
from assistant.questions.asking import ask_for_fact
from assistant.questions.report import Ask

from ...ground.hexsides import between
from ...railways.network import known_station
from ...terms import COMBAT_ARMS, DEPOTS, SUPPLY_ARMS
from ..lines import Railway, SupplyGround, at_most
from ..network import facts_of_line, grant_links, yes_or_no
from ..report import take_for_granted
from ..rules import HEX, RAILS, RR_IN_SUPPLY, RR_LINE, RR_LOW, reach_for
from .attached import Client
from .offers import GIVES, LOC, STATED, AskedAlone, SupplySide, preference
from .typed import TypedLine

RANK = {"out": 0, **GIVES}
"""How good a supply state is."""
WORDS = {given: state for state, given in RANK.items()}
TRACED = {arm: number for number, arm in enumerate((*DEPOTS, "corps-train"))}
"""Who is traced before those that draw on him, in order (14.4)."""


class Settled(NamedTuple):
    """What is certain of a unit. offer: the best that it has, None for nothing; asks: what decides whether it has more."""

    offer: Offer | None
    state: str
    asks: tuple[Ask, ...] = ()
    is_stated: bool = False


class SettledSide(SupplySide):
    """A side of which it is found out what is certain. Its offers are those over ground that is certain.

    stated: by unit the state that is believed where tracing leaves it open; unseen: what to ask because supply units may stand unseen;
    found: what is certain of each unit.
    """

    def __init__(
        self,
        view: View,
        around: Around,
        ground: SupplyGround,
        asked: AskedAlone | None = None,
        *,
        stated: Mapping[str, str],
        unseen: tuple[Ask, ...] = (),
    ) -> None:
        super().__init__(view, around, ground.certain, asked)
        self.ground, self.stated, self.unseen = ground, stated, unseen
        self._possible = None if ground.possible is ground.certain else self.over(ground.possible)
        self.lacks = frozenset(self.doubts)  # the units of which too little is stated
        self.found: dict[str, Settled] = {}
        always = {name for name, one in self.sources.items() if name not in self.fed and not one.why_not}
        self.serving, self.hopeful = set(always), set(always)
        for client in sorted(self.clients.values(), key=lambda client: TRACED.get(client.arm, len(TRACED))):
            self.settle(client)

    def seen_from(self, view: View, around: Around, ground: SupplyGround) -> SettledSide:
        """The same units with the same lines in a view where only other hexes are under control."""
        other = copy(self)
        other.view, other.around, other.ground, other.board, other.spreads = view, around, ground, ground.certain, {}
        return other

    @property
    def possible(self) -> SupplySide:
        """The side over ground that is possible, itself where that is the same."""
        return self._possible or self

    def settle(self, client: Client) -> None:
        """Find out what is certain of a unit, once that is done of those that may serve it."""
        name = client.unit.id
        if client.through:
            return
        settled = self.settled_state(client)
        if client.ties and settled.asks:
            settled = self.settled_tie(client) or settled
        if settled.is_stated:
            self.believed.add(name)
        if settled.offer and settled.offer.source == STATED:
            self.offers[name].append(settled.offer)
        if not settled.asks:
            self.doubts.pop(name, None)
        else:
            self.doubts[name] = settled.asks
        self.found[name] = settled
        if name in self.fed:
            self.serving |= {name} if settled.state == "in" and not settled.asks else set()
            self.hopeful |= {name} if settled.state == "in" or settled.asks else set()

    def settled_tie(self, client: Client) -> Settled | None:
        """The state of an Asset Unit that may join one of several formations, if it is the same with each of them (6.4.1b)."""
        name, both = client.unit.id, [self] if self._possible is None else [self, self._possible]
        own = [side.offers[name] for side in both]
        settled = list[Settled]()
        for tied in client.ties:
            for side, offers in zip(both, own, strict=True):
                side.doubts[name], side.offers[name] = (), [*offers, *side.drawn_on(tied)]
            settled.append(self.settled_state(tied))
        if len({one.state for one in settled}) == 1 and not any(one.asks for one in settled):
            return settled[-1]
        for side, offers in zip(both, own, strict=True):
            side.offers[name] = offers
        return None

    def settled_state(self, client: Client) -> Settled:
        """The state of a unit, or what decides it, or what is stated of it."""
        offer = self.alone(client.unit.id)
        state, asks = WORDS[offer.gives if offer else 0], tuple[Ask, ...]()
        if RANK[state] < client.most:
            asks = self.unseen or client.lacks or self.doubts.get(client.unit.id) or self.asks(client, state)
        said = self.stated.get(client.unit.id)
        if asks and said is not None and RANK[said] >= RANK[state]:
            return Settled(Offer(client.unit.id, STATED, RANK[said]) if RANK[said] else None, said, (), True)
        return Settled(offer, state, asks)

    def alone(self, unit: str) -> Offer | None:
        """The best that a unit can have, other units left out of account; None if it is Out of Supply then."""
        usable = [one for one in self.offers[unit] if one.source not in self.sources or one.source in self.serving]
        return min(usable, key=preference, default=None)

    # --- what might serve -----------------------------------------------------------------------------------------------

    def asks(self, client: Client, state: str) -> tuple[Ask, ...]:
        """What is to be asked because it may give a unit more than a state; nothing if that is certain."""
        if RANK[state] >= client.most:
            return ()
        possible, facts = self.likeliest(client, RANK[state])
        if facts:
            return facts
        source = self.found.get(possible.source) if possible else None
        if possible and source and source.asks:
            return (*source.asks, *self.asks(client, WORDS[possible.gives]))
        if lacks := self.possible.doubts.get(client.unit.id):
            return lacks
        if self.typed and client.unit.id == self.typed.unit:
            return () if RANK[state] else (self.another_line(self.typed),)
        if self.ground.network is None:
            return ()
        if begin := self.unknown_begin(client, RR_IN_SUPPLY if RANK[state] else RR_LOW):
            return (ask_for_fact(self.view.game.tracks["operational"], begin),)
        other = self.view.fact("other-line", client.unit.id)
        untyped = [] if other and not other.value else list(self.untyped(client, state))
        if not untyped:
            return ()
        title = f"is there {', or '.join(untyped)}"
        typed = f"type it, as {self.example(client)}"
        if other:
            return (Ask(kind="fact", name=f"line {client.unit.id}", rule="14.1", title=title, how=typed),)
        return (yes_or_no(self.view, "other-line", client.unit, title, f", or {typed}"),)

    def likeliest(self, client: Client, above: int) -> tuple[Offer | None, tuple[Ask, ...]]:
        """Of what may be offered a unit the best that gives more than so much, and of several such the one that turns on the fewest facts, with
        those of its line."""
        offers = [offer for offer in self.possible.offers[client.unit.id] if offer.gives > above]
        usable = [offer for offer in offers if offer.source not in self.sources or offer.source in self.hopeful]
        most = max((offer.gives for offer in usable), default=0)
        ways = [(offer, tuple(self.facts_of(client, offer))) for offer in usable if offer.gives == most]

        def burden(way: tuple[Offer, tuple[Ask, ...]]) -> tuple[int, tuple[int | bool, ...]]:
            source = self.found.get(way[0].source)
            return len(way[1]) + len(source.asks if source else ()), preference(way[0])

        return min(ways, key=burden, default=(None, ()))

    def unknown_begin(self, client: Client, limit: int) -> str:
        """The first hex of a line that is typed to a unit, if nothing tells what source is there, so that it may be a RR line, so near
        that it would supply it; "" for none. limit: how far that may be, in hexes."""
        if client.arm in SUPPLY_ARMS:
            return ""

        def by_foot(hexes: Sequence[str]) -> Line:
            """A line from where it leaves the RR line that its first hex may be on."""
            laid = takewhile(lambda two: between(self.view, *two).word("rail") in RAILS, pairwise(hexes))
            return self.possible.board.along(hexes[sum(1 for _ in laid) :])

        ending = (hexes for hexes in self.view.state.lines.values() if hexes[-1] == client.unit.place)
        lines = ((hexes[0], by_foot(hexes)) for hexes in ending if not self.possible.board.along(hexes).barred)
        begun = [begin for begin, line in lines if line.cost * HEX <= at_most(limit)]
        suppliers = (unit for unit in self.around.units if self.view.word("arm", unit.id) in SUPPLY_ARMS)
        supplied = {*self.possible.board.linked, *(unit.place for unit in suppliers)}
        return next((hex for hex in begun if hex not in supplied and self.may_be_railway(hex)), "")

    def may_be_railway(self, hex: str) -> bool:
        """Whether a RR line of the side may pass the first hex of a typed line: nothing says whose it is, nor that it leads nowhere."""
        return not self.view.word("operational", hex) and self.view.word("linked", hex) in ("", self.around.side)

    def another_line(self, typed: TypedLine) -> Ask:
        """What to ask of a unit that a typed line does not serve: whether a RR line passes its first hex, or else another line."""
        begin = typed.hexes[0]
        if not typed.source and self.may_be_railway(begin) and self.possible.board.linked.isdisjoint(typed.hexes):
            return ask_for_fact(self.view.game.tracks["operational"], begin)
        how = f"another line, with ask ... line=NAME; or {self.view.game.track('other-line').how_to_state(typed.unit, False)} if there is none"
        return Ask(kind="fact", name="line", rule="14.1", title="a line that does", how=how)

    def facts_of(self, client: Client, offer: Offer) -> Iterator[Ask]:
        """The facts on which it turns whether there is the line of a possible offer."""
        if self.ground.network:
            _, line = self.possible.traced(client, offer)
            yield from facts_of_line(self.view, self.ground, self.railways(client), line)

    def untyped(self, client: Client, state: str) -> list[str]:
        """The lines that only the player can see and that would give a unit more than a state, in words."""
        network, lines, closed = self.ground.network, self.possible.board.lines, self.around.closed
        assert network
        here, unlimited = str(client.unit.place), client.arm in (*COMBAT_ARMS, "artillery")
        sources = self.sources_for(client)
        reach = at_most(max([*(one.limit or 0 for one in sources), RR_LOW]))
        back = lines.field_to(here, reach).cost
        leads_in = min((cost for hex, cost in back.items() if network.is_open(hex, closed)), default=reach + 1)
        found: dict[int, list[str]] = {}
        for source in sources:
            hexes = reach_for(source, [more for more in GIVES if RANK[more] > RANK[state]])
            apart = self.view.board.distance(source.place, here)  # each hex costs a quarter at least
            if not hexes or apart > at_most(hexes):
                continue
            if self.leads_out(source) + leads_in <= at_most(hexes):
                found.setdefault(hexes, []).append(source.name)
        hexes, enemies = RR_LOW if state == "out" else RR_IN_SUPPLY, self.around.enemies  # EZOCs do not cut RR lines
        railed = min((cost for hex, cost in back.items() if network.is_open(hex, enemies)), default=reach + 1)
        if unlimited and railed <= at_most(hexes):
            found.setdefault(hexes, []).append("an operational RR line")
        said = [f"of at most {hexes} hexes from {' or '.join(names)}" for hexes, names in found.items()]
        said[:1] = [f"another line to {client.unit.id} {first}" for first in said[:1]]
        is_depot = client.arm in DEPOTS
        barred = is_depot and known_station(self.view, here) is False
        if client.arm in SUPPLY_ARMS and not barred and network.is_open(here, closed if is_depot else enemies):
            said.append(f"an operational RR line from {here} to a friendly map edge")
        return said

    def sources_for(self, client: Client) -> list[Source]:
        """The sources beside RR lines that may serve a unit whatever the distance, as far as they may be In Supply themselves."""
        if client.arm in DEPOTS:
            return []
        others = [one for one in self.allowed(client) if one.unit.id in self.hopeful and not one.why_not]
        return [*(one.source for one in others), *self.bukowina(client)]

    def leads_out(self, source: Source) -> int:
        """What it costs at least to get from a source to a hex from which a way that is not typed may lead on."""
        network, limit = self.ground.network, at_most(source.limit or 0)
        assert network

        def least() -> int:
            cost = self.possible.board.lines.field({source.place}, limit).cost
            return min((at for hex, at in cost.items() if network.is_open(hex, self.around.closed)), default=limit + 1)

        return self.view.kept(("leads out", self.side, source.place, limit), lambda known, apart: least())

    def example(self, client: Client) -> str:
        """How a way into a unit's hex is typed."""
        near = self.view.board.neighbours(str(client.unit.place))
        return f"{near[0]}-{client.unit.place}" if near else "HEX-HEX"

    def open_modes(self, plan: Plan) -> list[str]:
        """The supply units that serve units of which all is certain, and whose mode may turn on units that are undecided."""
        undecided = [self.clients[name] for name, one in self.found.items() if one.asks]
        serving = {one.source for name, one in plan.serves.items() if one.mode and name not in self.doubts}
        kin = {other.unit.id: other for client in undecided for other in self.allowed(client)}
        return [name for name in self.sources if name in serving and name in kin and len(kin[name].source.ranges) > 1]

    # --- what is taken for granted --------------------------------------------------------------------------------------

    def say_granted(self, client: Client, offer: Offer) -> None:
        """Say what the line of an offer takes for granted."""
        if client.always or offer.source == STATED:
            return
        source, line = self.traced(client, offer)
        is_rail = offer.source in (RR_LINE, LOC)
        fed = self.found.get(offer.source)
        is_traced = fed is not None and not (fed.offer and fed.offer.source == STATED)
        take_for_granted(self.view, source, line, is_traced=is_traced)
        hexes = [line.start, *line.linked] if is_rail or line.linked else []
        grant_links(self.view, self.ground, self.side, hexes, self.railways(client))
        if fed and fed.offer and is_traced:
            self.say_granted(self.clients[offer.source], fed.offer)

    def railways(self, client: Client) -> Railway:
        """The RR lines that supply a unit."""
        return self.ground.loc if client.arm in DEPOTS else self.ground.railway


def stated_states(view: View) -> dict[str, str]:
    """The supply states that a position states."""
    return {name: str(fact.value) for (track, name), fact in view.state.facts.items() if track == "supply"}
