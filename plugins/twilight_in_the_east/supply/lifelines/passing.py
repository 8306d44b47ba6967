"""What the supply of a unit passes: its line, that of the source which serves it, and the RR line behind them (14.1, 14.2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec

from assistant.field import Around, LineMap
from assistant.mechanics.tracing import CostField, link
from assistant.questions import View
from assistant.state.state import hexside

from ...forces.assets import nearest_formations
from ...ground.hexsides import between
from ...terms import DEPOTS, FORTRESSES, GREAT_RIVERS, SUPPLY_ARMS
from ..isolation import way_out
from ..network import supply_ground
from ..report import start_of
from ..rules import RAILS, connected_railway
from ..side.report import UnitSupply
from ..special import FERRY, PILLAU
from .losses import Loss

Passage = Literal["line", "source", "railway", "way out"]


class Passed(msgspec.Struct):
    """What the supply of a unit passes.

    hexes: with the part of it that passes each: its own line, that of a source which has to be supplied itself, the RR line from a
    friendly map edge, or the way that keeps a unit from being Isolated; railways: those of them in which a RR line has to work;
    sources: the units that serve; bridges: hexsides of great rivers.
    """

    hexes: dict[str, Passage] = {}
    railways: dict[str, None] = {}
    sources: dict[str, None] = {}
    bridges: dict[str, None] = {}

    def add(self, other: Passed, part: Passage | None = None) -> None:
        """Add what another supply passes. part: of what this one is, where its own line is another's."""
        for hex, own in other.hexes.items():
            self.hexes.setdefault(hex, part if part and own == "line" else own)
        self.railways |= other.railways
        self.sources |= other.sources
        self.bridges |= other.bridges

    def losses(self) -> Iterator[Loss]:
        """What may be lost of it."""
        yield from (Loss("hex", hex) for hex in self.hexes)
        yield from (Loss("source", name) for name in self.sources)
        yield from (Loss("railway", hex) for hex in self.railways)
        yield from (Loss("bridge", side) for side in self.bridges)


class Links(NamedTuple):
    """The RR lines of a side, and the ways to them.

    lines: along which lines are traced; linked: the operational RR hexes that a RR line links to a friendly map edge; way: that RR line
    from a hex, or all of it that is typed, for which end of it leads to the edge is not known; empty if none does. Its second
    argument says whether it has to be a depot's LOC; leads_round: whether all other hexes are certain to stay linked without a hex;
    open_ends: the outermost hexes of typed lines of which no end is stated to lead to the edge.
    """

    around: Around
    lines: LineMap
    linked: frozenset[str]
    way: Callable[[str, bool], tuple[str, ...]]
    leads_round: Callable[[str], bool]
    open_ends: frozenset[str] = frozenset()

    def out(self, hex: str) -> tuple[str, ...]:
        """The way from a hex to a RR line that keeps a unit there from being Isolated, empty if there is none (14.4.1)."""
        return way_out(self.around, self.lines, self.linked, hex, {self.around.side})


def links_on_map(view: View, around: Around) -> Links:
    """The RR lines of a drawn board."""
    board = supply_ground(view, around).certain

    def way(hex: str, loc: bool) -> tuple[str, ...]:
        field = board.loc if loc else board.railway
        return field.line(hex) if hex in field.cost else ()

    def without(hex: str, closed: Collection[str]) -> Collection[str]:
        return connected_railway(board.edges - {hex}, {*closed, hex}, board.rails).cost.keys()

    plain = connected_railway(board.edges, around.enemies, board.rails).cost.keys() == board.linked  # no Field Railway

    def leads_round(hex: str) -> bool:
        both = (around.enemies, board.linked), (around.closed, board.loc.cost.keys())
        return plain and all(without(hex, closed) == linked - {hex} for closed, linked in both)

    return Links(around, board.lines, board.linked, way, leads_round)


def links_on_paper(view: View, around: Around) -> Links:
    """The RR lines of a typed network."""
    ground, side = supply_ground(view, around), around.side
    assert ground.network
    board, next_to = ground.certain, ground.network.next_to
    ends = [hex for hex in sorted(board.linked) if side in (view.word("map-edge", hex), view.word("linked", hex))]

    def along(starts: Iterable[str], linked: Collection[str]) -> CostField:
        def railed(here: str, there: str) -> bool:
            return there in linked and between(view, here, there).word("rail") in RAILS

        return link(starts, next_to, railed)

    known = {loc: along(ends, board.loc.cost if loc else board.linked) for loc in (False, True)}

    def way(hex: str, loc: bool) -> tuple[str, ...]:
        built = board.railway.line(hex) if hex in ground.deployed else ()  # a Field Railway, from its DEPLOYED marker
        begins = ground.deployed.get(hex, hex)
        if begins in known[loc].cost:
            return (*known[loc].line(begins), *built)
        return (*along([begins], board.loc.cost if loc else board.linked).cost, *built)

    def is_outermost(hex: str) -> bool:
        beyond = [near for near in next_to(hex) if between(view, hex, near).word("rail") in RAILS]
        return len(beyond) == 1

    open_ends = frozenset(filter(is_outermost, ground.railway.granted))
    return Links(around, board.lines, board.linked, way, lambda hex: False, open_ends)


class Passing:
    """What the supply of units of one side passes. supplies: of the units that are asked about and of all that serve them."""

    def __init__(self, view: View, around: Around, supplies: Mapping[str, UnitSupply]) -> None:
        self.view, self.around, self.supplies = view, around, supplies
        self.links = (links_on_map if view.board.hexes else links_on_paper)(view, around)
        self._of: dict[str, Passed] = {}

    def of(self, unit: str) -> Passed:
        """What the supply of a unit passes."""
        if unit not in self._of:
            self._of[unit] = Passed()  # a source does not feed itself
            self._of[unit] = self._passed(self.supplies[unit])
        return self._of[unit]

    def is_gone_round(self, loss: Loss) -> bool:
        """Whether a loss leaves every line in use as it is: that of a hex without friends which only RR lines behind them pass, and round
        which RR lines link all that they link now."""
        if loss.kind not in ("hex", "railway") or (loss.kind == "hex" and loss.where in self.around.friends):
            return False
        passages = {passed.hexes[loss.where] for passed in self._of.values() if loss.where in passed.hexes}
        return passages == {"railway"} and self.links.leads_round(loss.where)

    def may_be_the_link(self, loss: Loss) -> bool:
        """Whether a loss is that of the RR line in the outermost hex of a typed line which may lead to the map edge there, and that
        nothing else passes: the line is then cut as by an enemy.
        """
        if loss.kind != "railway" or loss.where not in self.links.open_ends or loss.where in self.around.friends:
            return False
        return {passed.hexes.get(loss.where, "railway") for passed in self._of.values()} == {"railway"}

    def _passed(self, supply: UnitSupply) -> Passed:
        found = Passed()
        if supply.through and supply.through in self.supplies:
            return self.of(supply.through)
        arm, place = self.view.word("arm", supply.unit), supply.place
        source = self.source_of(supply)
        start = start_of(self.view, source or supply.could.source) or place
        hexes = [start, *(one.hex for one in supply.could.line)]
        found.hexes |= dict.fromkeys(hexes, "line")
        for here, there in pairwise(hexes):
            self._step(found, here, there)
        if source:
            found.sources[source] = None
            if source in self.supplies and self.view.word("arm", source) in SUPPLY_ARMS:
                found.add(self.of(source), "source")
        if supply.could.state != "out" and (arm in DEPOTS or supply.could.source.startswith("the RR line")):
            found.railways[start] = None
        for hex in tuple(found.railways):
            for passed in self.links.way(hex, arm in DEPOTS):
                found.hexes.setdefault(passed, "railway")
                found.railways[passed] = None
        self._attached(found, supply)
        if supply.could.state == "out" and not supply.isolated:
            self._out(found, supply)
        return found

    def source_of(self, supply: UnitSupply) -> str:
        """The unit that serves another, "" if none does; of one that needs no line, the fortress that gives it supply."""
        told = supply.could.source
        if told in self.view.state.units:
            return told
        near = (supply.place, *self.view.board.neighbours(supply.place)) if self.view.board.is_hex(supply.place) else ()
        there = (unit.id for place in near for unit in self.view.state.stack(place))
        return next((name for name in there if name in told and self.view.word("arm", name) in FORTRESSES), "")

    def _step(self, found: Passed, here: str, there: str) -> None:
        """One step of a line."""
        over = between(self.view, here, there)
        if over.word("rail") in RAILS and {here, there} <= self.links.linked:
            found.railways |= {here: None, there: None}
        if GREAT_RIVERS & over.lies:
            found.bridges[over.name] = None
        if over.name == FERRY:
            found.hexes.setdefault(PILLAU, "line")

    def _attached(self, found: Passed, supply: UnitSupply) -> None:
        """The formations on whose attachment it rests which sources a unit may draw on (6.4.1)."""
        with self.view.gather() as facts:
            for name in nearest_formations(facts, self.view.unit(supply.unit)):
                found.hexes.setdefault(str(self.view.unit(name).place), "line")

    def _out(self, found: Passed, supply: UnitSupply) -> None:
        """The way that keeps a unit that is Out of Supply from being Isolated, and the friends whose zones open it."""
        way = self.links.out(supply.place)
        for hex in way:
            found.hexes.setdefault(hex, "way out")
            if hex in self.around.enemy_zones:
                beside = self.around.friends.intersection(self.view.board.neighbours(hex))
                for near in sorted(beside):
                    found.hexes.setdefault(near, "way out")
        for hex in way[-1:]:
            for passed in self.links.way(hex, False):
                found.hexes.setdefault(passed, "railway")
                found.railways[passed] = None
        for here, there in pairwise(way):
            if GREAT_RIVERS & between(self.view, here, there).lies:
                found.bridges[hexside(here, there)] = None
