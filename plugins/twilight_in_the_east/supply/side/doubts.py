"""What the supply of a unit rests on, each fact at its worst, and what would let a better line through, each at its
best (14.1, 14.2).

Supply comes leg by leg: the line of the unit, that of the source which serves it, and the RR line behind them. What
supplies a unit may be any source that gives it as much; of those that do, the ones are taken that rest on the fewest
facts together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

from assistant.field import Around, Source
from assistant.field.serving import FULL, Offer, Plan
from assistant.mechanics.crossings import Ground
from assistant.mechanics.openings import opened_in_one_step, opened_once, openings
from assistant.mechanics.tracing import ANY_LENGTH, CostField, cost_field, radius
from assistant.questions import View
from assistant.questions.doubts import InDoubt, Values
from assistant.state.state import FactKey, hexside
from assistant.state.tracks import Value

from ...ground.hexsides import between
from ...railways.network import only_way, operational_for
from ...terms import COMBAT_ARMS, DEPOTS, GREAT_RIVERS, SUPPLY_ARMS
from ..clients import Client
from ..ground import ON_HEXSIDES, SupplyMap, at_most, rails_from
from ..isolation import hexes_inside, way_out
from ..report import UnitSupply
from ..rules import BEST, RR_IN_SUPPLY, RR_LINE, RR_LOW, WORST, longest_range, reach_for
from .offers import LOC, RANK, STATED, SupplySide

Passage = Literal["line", "source", "railway", "way out"]


class Leg(NamedTuple):
    """A leg of the way that supply takes to a unit.

    part: its own line, that of a source which must be supplied itself, the RR line from a friendly map edge, or the
    way that keeps a unit from being Isolated; hexes: in the order in which supply comes; linked: those of a line that
    it enters along a railway; source: that of a line; is_loc: whether an RR line must be a depot's LOC.
    """

    part: Passage
    hexes: tuple[str, ...]
    linked: tuple[str, ...] = ()
    source: str = ""
    is_loc: bool = False


def legs(
    side: SupplySide, serves: Mapping[str, Offer], client: Client, offer: Offer, part: Passage = "line"
) -> Iterator[Leg]:
    """The legs of a unit's supply by an offer, from the unit back to the map edge. serves: by source the offer that it
    takes itself.
    """
    if client.always or offer.source == STATED:
        return
    source, line = side.line_of_offer(client, offer)
    on_it = client.arm in SUPPLY_ARMS and offer.source in (RR_LINE, LOC)
    if not on_it:
        yield Leg(part, line.hexes, line.linked, source.name)
    if offer.source in (RR_LINE, LOC):
        yield railway_leg(side, line.start, is_loc=offer.source == LOC)
    elif offer.source in side.fed and offer.source in serves:
        yield from legs(side, serves, side.clients[offer.source], serves[offer.source], "source")
    is_loc = client.arm in DEPOTS
    for there in reversed(line.linked):
        here = line.hexes[line.hexes.index(there) - 1]
        yield from (railway_leg(side, hex, is_loc=is_loc) for hex in (here, there))


def legs_out(side: SupplySide, client: Client) -> Iterator[Leg]:
    """The way that keeps a unit Out of Supply from being Isolated, and the RR line at its end; empty if it is Isolated
    (14.4.1).
    """
    board, around = side.board, side.around
    if way := way_out(around, board.lines, board.linked, str(client.unit.place), {around.side}):
        yield Leg("way out", way[::-1])
        yield railway_leg(side, way[-1])


def railway_leg(side: SupplySide, hex: str, *, is_loc: bool = False) -> Leg:
    """The RR line that links a hex to a friendly map edge; all of it that is typed, where it is taken for granted that
    one of its ends does.
    """
    railways = side.ground.loc if is_loc else side.ground.railway
    line = (side.board.loc if is_loc else side.board.railway).line(hex)
    return Leg("railway", (*railways.granted.get(line[0], line[:1]), *line[1:]), is_loc=is_loc)


Otherwise = tuple[FactKey, Value]
"""Another value of a fact."""


class WorstFacts:
    """What supply over a drawn board rests on, and what else zones may do. Facts are looked up in a view aside, so that
    the report does not name them as read.
    """

    def __init__(self, view: View, around: Around, board: SupplyMap) -> None:
        self.view, self.around, self.board, self.side = view, around, board, around.side

    def leg_rests(self, leg: Leg) -> Iterator[Otherwise]:
        """What a leg of supply rests on, with the zones that leave it open; a way out also on who controls its hexes."""
        is_line = leg.part != "railway"
        yield from self.line_rests(leg) if is_line else self.railway_rests(leg)
        if is_line or leg.is_loc:
            yield from self.zones(leg.hexes, closed=True)
        if leg.part == "way out":
            enemies = [side for side in self.view.game.file.sides if side != self.side]
            yield from ((("control", hex), enemies[0]) for hex in reversed(leg.hexes))
            yield from self.friendly_zones(leg.hexes[::-1], closed=True)

    def line_rests(self, leg: Leg) -> Iterator[Otherwise]:
        """The ground that a line passes, from the end on."""
        for here, there in reversed(list(pairwise(leg.hexes))):
            across = between(self.view, here, there)
            yield worst("terrain", there)
            yield worst("barrier", across.name)
            river = GREAT_RIVERS & across.lies
            if river or there in leg.linked:
                yield worst("rail", across.name)
            if across.lies or self.view.word("terrain", there) != BEST["terrain"]:
                yield worst("road", across.name)
            if river:
                yield worst("crossing", across.name)

    def railway_rests(self, leg: Leg) -> Iterator[Otherwise]:
        """What the link of an RR hex to the map edge rests on."""
        if leg.is_loc:
            yield worst("station", leg.hexes[-1])
        yield from (worst("rail", hexside(here, there)) for here, there in pairwise(leg.hexes))
        yield from (worst("operational", hex) for hex in leg.hexes)
        yield worst("map-edge", leg.hexes[0])

    def only_way(self, hexes: Sequence[str]) -> Iterator[list[FactKey]]:
        """The facts without which an RR hex has no link to the map edge at all, from the edge on: RR lines over
        hexsides, then operational hexes. Each bridge stands for itself, as more than the link may be lost with it.
        """
        through, over = only_way(hexes, self.board.edges, self.board.rails)
        across = [between(self.view, here, there) for here, there in pairwise(hexes) if (here, there) in over]
        yield [("rail", side.name) for side in across if not GREAT_RIVERS & side.lies]
        yield from ([("rail", side.name)] for side in across if GREAT_RIVERS & side.lies)
        yield [("operational", hex) for hex in through]

    def zones(self, hexes: Collection[str], *, closed: bool) -> Iterator[Otherwise]:
        """The hexsides between hexes without a friend and the enemies adjacent to them: with what EZOCs cross, or with
        what they do not.
        """
        free = [hex for hex in hexes if hex not in self.around.friends]
        return self.across(free, self.around.enemies, () if closed else ("grand-river",))

    def friendly_zones(self, hexes: Collection[str], *, closed: bool) -> Iterator[Otherwise]:
        """The hexsides between hexes in EZOCs and the friends whose zones open these to a line in the test of
        isolation.
        """
        met = [hex for hex in hexes if hex in self.around.enemy_zones]
        return self.across(met, self.around.friends, WORST["barrier"] if closed else ())

    def across(self, hexes: Iterable[str], units: Collection[str], barrier: Value) -> Iterator[Otherwise]:
        """The hexsides between hexes and the units adjacent to them, with something on them."""
        for hex in hexes:
            for other in self.view.board.neighbours(hex):
                if other in units:
                    yield ("barrier", hexside(hex, other)), barrier


def worst(track: str, subject: str) -> Otherwise:
    """A fact at its worst."""
    return (track, subject), WORST[track]


def best(track: str, subject: str) -> Otherwise:
    """A fact at its best."""
    return (track, subject), BEST[track]


SIDES = 6


class BestFacts(WorstFacts):
    """What would give a unit more supply than it has.

    sources: those that may serve it whatever the distance, each with the reason why it serves nobody, "" if it may;
    is_low: whether it has Low Supply, and not none.
    """

    def __init__(self, view: View, side: SupplySide, client: Client, *, is_low: bool) -> None:
        super().__init__(view, side.around, side.board)
        self.here, self.arm, self.is_low = str(client.unit.place), client.arm, is_low
        self.sources = [
            (other.source, other.why_not or ("" if other.unit.id in side.serving else "itself Out of Supply"))
            for other in side.allowed_sources(client)
        ]

    def betters(self, *, twice: bool = False) -> Iterator[Otherwise]:
        """What would let a line through that gives more than now. A fact that makes a source able to serve is sought at
        that source, even if it opens the line from there too. twice: also what does so together with another fact of
        the line.
        """
        gives = ("in",) if self.is_low else ("in", "low")
        by_rail = RR_IN_SUPPLY if self.is_low else RR_LOW
        able = [source for source, why_not in self.sources if not why_not and source.kind != RR_LINE]
        unable = [source for source, why_not in self.sources if why_not]
        reach = {source.place: far for source in able if (far := reach_for(source, gives)) is not None}
        feeding = {source.place: longest_range(source) for source in able if source.kind in DEPOTS}
        unlinked = {source.place for source in unable if source.kind in DEPOTS}
        unfed = {source.place for source in unable if source.kind == "corps-train"}
        arm, near = self.arm, set[str]()
        if arm in (*COMBAT_ARMS, "artillery"):
            around = self.board.lines.field_to(self.here, at_most(by_rail)).cost
            near = {hex for hex in around if self.apart(hex) <= by_rail}
            reach |= {hex: by_rail for hex in self.board.railway.cost if self.apart(hex) <= by_rail}
        elif arm == "corps-train":
            unfed.add(self.here)
        else:
            unlinked.add(self.here)
        if arm not in DEPOTS:
            yield from self.line_betters(self.here, reach, twice=twice)
            if twice:
                yield from self.line_betters(self.here, self.of_no_use(unable, gives), twice=twice)
        for train in sorted(unfed - self.board.railway.cost.keys()):
            yield from self.line_betters(train, feeding, twice=twice)
        yield from self.link_betters(self.board.railway, near | unfed, self.around.enemies)
        yield from self.link_betters(self.board.loc, unlinked, self.board.lines.closed)
        yield from ((("station", hex), True) for hex in sorted(unlinked) if hex in self.board.loc.cost)

    def of_no_use(self, unable: Collection[Source], gives: Collection[str]) -> dict[str, int]:
        """How far sources reach that serve nobody now, in hexes, without those from which a line is open."""
        reach = {source.place: far for source in unable if (far := reach_for(source, gives)) is not None}
        costs = self.board.lines.field_to(self.here, at_most(max(reach.values(), default=0))).cost
        return {hex: far for hex, far in reach.items() if costs.get(hex, ANY_LENGTH) > at_most(far)}

    def apart(self, hex: str) -> int:
        """The distance from the unit to a hex."""
        return self.board.distance(hex, self.here)

    def line_betters(self, end: str, reach: Mapping[str, int], *, twice: bool) -> Iterator[Otherwise]:
        """What would let a line through to an end. reach: how far each source reaches, in hexes, by its place; twice:
        also what does so together with another fact.
        """
        lines, most = self.board.lines, max(reach.values(), default=-1)
        starts = {hex: at_most(most) - at_most(far) for hex, far in reach.items()}
        if not starts:
            return
        closed = lines.closed - starts.keys()
        begun = cost_field(lines.crossings, lines.price, starts, closed=closed, limit=at_most(most))
        home = lines.field_to(end, at_most(most))
        yield from self.link_betters(self.board.railway, home.cost.keys(), self.around.enemies)
        ways, limit = (lines.crossings, lines.price), at_most(most)
        ground = self.ground_betters, side_betters
        if not twice:
            yield from openings(*ways, begun.cost, home.cost, limit, *ground)
            return
        once = opened_once(*ways, begun.cost, lines.closed, limit, *ground)
        to_end = opened_once(lines.crossings, lines.price_back, home.cost, lines.closed, limit, *ground)
        yield from openings(*ways, once, home.cost, limit, *ground)
        yield from openings(*ways, begun.cost, to_end, limit, *ground)
        yield from opened_in_one_step(*ways, begun.cost, home.cost, limit, *ground)

    def ground_betters(self, hex: str, ground: Ground) -> Iterator[tuple[Otherwise, Ground]]:
        """What may be better in a hex, with the ground that it makes; of a closed one the zones."""
        if hex in self.around.enemies:
            return
        if hex in self.board.lines.closed:
            yield from ((zone, ground) for zone in self.zones([hex], closed=False))
        else:
            yield best("terrain", hex), with_value(ground, "terrain", BEST["terrain"])

    def link_betters(self, links: CostField, ends: Collection[str], closed: Collection[str]) -> Iterator[Otherwise]:
        """What would link one of some hexes to the map edge along a railway. closed: hexes that the link may not pass."""
        board, rails, side = self.view.board, self.board.rails, self.side
        mine = [hex for hex in sorted(ends) if self.is_operational(hex)]
        open_ends = [hex for hex in mine if hex not in links.cost and hex not in closed]
        behind = radius(open_ends, None, rails.__getitem__, enters=lambda hex: hex not in closed).cost

        def joins(hex: str) -> bool:
            """Whether a railway through a hex would join an end to the map edge."""
            along = list(rails_from(self.view, hex, board.neighbours(hex)))
            linked = self.view.word("map-edge", hex) == side or any(other in links.cost for other in along)
            return linked and (hex in ends or any(other in behind for other in along))

        edge = {near for hex in behind for near in board.neighbours(hex)} | set(ends)
        for hex in sorted(edge - behind.keys() - links.cost.keys()):
            if hex in self.around.enemies or not joins(hex):
                continue
            if hex in closed and self.is_operational(hex):
                yield from self.zones([hex], closed=False)
            elif hex not in closed:
                yield ("operational", hex), side
        for hex in behind:
            around = board.neighbours(hex)
            yield from (best("rail", hexside(hex, other)) for other in around if other in links.cost)
            if len(around) < SIDES:
                yield ("map-edge", hex), side

    def way_betters(self) -> Iterator[Otherwise]:
        """What would let an Isolated unit out."""
        inside = hexes_inside(self.around, self.board.lines, self.here, {self.side})
        board = self.view.board
        outside = {other for hex in inside for other in board.neighbours(hex)} - inside.keys() - self.around.enemies
        yield from self.link_betters(self.board.railway, inside.keys() | outside, self.around.enemies)
        for hex in inside:
            yield best("terrain", hex)
            yield ("control", hex), self.side
            for other in board.neighbours(hex):
                across = between(self.view, hex, other)
                tracks = ON_HEXSIDES if GREAT_RIVERS & across.lies else ("barrier",)
                yield from (best(track, across.name) for track in tracks)
        yield from self.zones(sorted(outside), closed=False)
        yield from self.friendly_zones(sorted(outside), closed=False)

    def is_operational(self, hex: str) -> bool:
        """Whether an operational RR line of its side passes a hex."""
        return operational_for(self.view, hex) == self.side


def with_value(ground: Ground, track: str, value: Value) -> Ground:
    """A ground with another value."""
    return tuple((name, value if name == track else known) for name, known in ground)


def side_betters(here: str, there: str, ground: Ground) -> Iterator[tuple[Otherwise, Ground]]:
    """What may be better on a hexside, with the ground that it makes."""
    for track, _ in ground:
        yield best(track, hexside(here, there)), with_value(ground, track, BEST[track])


MOST_BETTER = 20
"""For how many units of a side it is sought which drawn fact would let a better line through."""
PASSES = 3
"""How often each unit is given the source that rests on the fewest facts besides those of all others."""
NOTHING: Values = {}


class SupplyDoubts:
    """What the supply of some units rests on. rows: the units with their supply; thorough: whether what opens a better
    line together with another fact is sought too.

    on: by unit the facts in doubt on which its state rests, at their worst; better: by unit those one of which would
    let a better line through to it, at their best; left: the units for which these were not sought, as there are too
    many.
    """

    def __init__(self, side: SupplySide, plan: Plan, rows: Sequence[UnitSupply], *, thorough: bool = False) -> None:
        self.view, self.side, self.plan, self.thorough = side.view.unnoticed(), side, plan, thorough
        self.rests = WorstFacts(self.view, side.around, side.board)
        self._doubtful: dict[FactKey, Value | None] = {}
        self._legs: dict[Leg, tuple[Otherwise, ...]] = {}
        self.rows = [unit for unit in rows if unit.could.state is not None]

    @cached_property
    def on(self) -> dict[str, Values]:
        """By unit the facts in doubt on which its state rests, at their worst."""
        choices = {unit.unit: [self.doubtful(self.rests_on(way)) for way in self.ways(unit)] for unit in self.rows}
        return fewest({name: groups for name, groups in choices.items() if groups and all(groups)})

    @cached_property
    def poor(self) -> list[UnitSupply]:
        """The units that other facts may give more."""
        return [
            unit
            for unit in self.rows
            if not unit.through
            and unit.could.state == unit.alone
            and RANK[str(unit.alone)] < self.side.clients[unit.unit].most
        ]

    @property
    def left(self) -> tuple[str, ...]:
        """The units for which it was not sought what would let a better line through, as there are too many."""
        return tuple(unit.unit for unit in self.poor[MOST_BETTER:])

    @cached_property
    def better(self) -> dict[str, Values]:
        """By unit the facts one of which would let a better line through to it, at their best."""
        sought = self.poor[:MOST_BETTER]
        return {unit.unit: self.doubtful(self.betters(unit, twice=self.thorough), ("grand-river",)) for unit in sought}

    def in_doubt(self) -> InDoubt:
        """The facts in doubt for all units together, those on which most units rest first; of a unit that is asked
        about alone also those that may change its state alone.
        """
        many = Counter(key for facts in self.on.values() for key in facts)
        worst = {key: value for facts in self.on.values() for key, value in facts.items()}
        worst = {key: worst[key] for key, _ in many.most_common()}
        best = {key: value for facts in self.better.values() for key, value in facts.items()}
        if not self.thorough:
            return InDoubt(worst, best)
        return InDoubt(worst, best, self.alone(), self.nested())

    def alone(self) -> Iterator[Values]:
        """The facts that may change the state of a unit alone: those on which it rests, and those that may give it
        more.
        """
        for unit in self.rows:
            yield self.doubtful(self.rests_on(self.way(unit)))
            yield self.doubtful(self.betters(unit, twice=False), ("grand-river",))

    def count(self, unit: str) -> int:
        """On how many facts in doubt the state of a unit turns."""
        return len({**self.on.get(unit, NOTHING), **self.better.get(unit, NOTHING)})

    def way(self, unit: UnitSupply) -> Sequence[Leg]:
        """The legs that a unit's supply passes; none where it rests on no drawn fact."""
        return next(self.ways(unit), ())

    def ways(self, unit: UnitSupply) -> Iterator[Sequence[Leg]]:
        """The legs by each source that gives a unit as much as it has, beginning with the one that serves it."""
        client = self.side.clients[unit.through or unit.unit]
        offer = self.plan.serves.get(client.unit.id)
        if offer is None:
            if unit.could.state == "out" and unit.isolated is False:
                yield tuple(legs_out(self.side, client))
            return
        others = (other for other in self.side.offers[client.unit.id] if other != offer)
        for each in (offer, *(other for other in others if self.serves_as_well(other, offer))):
            yield tuple(legs(self.side, self.plan.serves, client, each))

    def serves_as_well(self, other: Offer, offer: Offer) -> bool:
        """Whether a source would serve a unit as well as another one, whatever else it serves, in the modes of the
        plan.
        """
        if other.gives < offer.gives or other.group or other.mode not in ("", self.plan.modes.get(other.source)):
            return False
        fed = self.plan.serves.get(other.source)
        return other.source not in self.side.fed or (fed is not None and fed.gives == FULL)

    def nested(self) -> Iterator[Sequence[FactKey]]:
        """Facts of the RR lines behind supply lines, in orders in which the loss of each takes away all that the loss
        of the next one does; without those on which the line itself rests.
        """
        for passed in map(self.way, self.rows):
            lines = {key for leg in passed if leg.part != "railway" for key, _ in self.rests_on([leg])}
            for leg in passed:
                if leg.part == "railway":
                    yield from ([key for key in keys if key not in lines] for keys in self.rests.only_way(leg.hexes))

    def rests_on(self, passed: Iterable[Leg]) -> tuple[Otherwise, ...]:
        """What some legs of supply rest on."""
        facts = list[Otherwise]()
        for leg in passed:
            if leg not in self._legs:
                self._legs[leg] = tuple(self.rests.leg_rests(leg))
            facts += self._legs[leg]
        return tuple(facts)

    def betters(self, unit: UnitSupply, *, twice: bool) -> Iterator[Otherwise]:
        """The facts one of which would let a better line through to a unit, or out of its isolation. twice: also what
        does so together with another fact of the line.
        """
        client, is_low = self.side.clients[unit.through or unit.unit], unit.could.state == "low"
        betters = BestFacts(self.view, self.side, client, is_low=is_low)
        if unit in self.poor:
            yield from betters.betters(twice=twice)
        if unit.isolated:
            yield from betters.way_betters()

    def doubtful(self, others: Iterable[Otherwise], beside_enemy: Value = ()) -> Values:
        """The facts in doubt among some that are otherwise at once. beside_enemy: what then lies on the hexsides of
        enemies, which no line crosses, but zones.
        """
        enemies, values = self.side.around.enemies, dict[FactKey, Value]()
        for (track, subject), value in others:
            meets = track == "barrier" and not enemies.isdisjoint(subject.split("|"))
            values.setdefault((track, subject), beside_enemy if meets else value)
        return {key: value for key, value in values.items() if self.is_doubtful(key, value)}

    def is_doubtful(self, key: FactKey, value: Value) -> bool:
        """Whether a fact is in doubt that has not this value."""
        if key not in self._doubtful:
            fact = self.view.fact(*key)
            self._doubtful[key] = fact.value if fact is not None and self.view.in_doubt(fact) else None
        return self._doubtful[key] not in (None, value)


def for_all(sides: Sequence[SupplyDoubts]) -> InDoubt:
    """On what the states of the units of several sides may turn: what is worst for one may be best for the other, so it
    is not supposed at once.
    """
    if len(sides) == 1:
        return sides[0].in_doubt()
    each = [side.in_doubt() for side in sides]
    worst = {key: value for side in each for key, value in side.worst.items()}
    best = {key: value for side in each for key, value in side.best.items()}
    return InDoubt(worst, best, at_once=False)


def fewest(choices: Mapping[str, Sequence[Values]]) -> dict[str, Values]:
    """One of several groups for each unit, so that all have few facts together: each takes, in turn, what adds fewest
    to the others.
    """
    taken = {name: min(groups, key=len) for name, groups in choices.items()}
    count = Counter(key for group in taken.values() for key in group)
    for _ in range(PASSES):
        changed = False
        for name, groups in choices.items():
            if len(groups) == 1:
                continue
            count.subtract(taken[name].keys())
            best = min(groups, key=lambda group: (sum(not count[key] for key in group), len(group)))
            changed |= best is not taken[name]
            taken[name] = best
            count.update(best.keys())
        if not changed:
            break
    return taken
