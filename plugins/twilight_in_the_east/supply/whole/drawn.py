"""On which facts of a drawn map the supply of a side's units rests, and what would let a better line through to them.

What supplies a unit may be any source that gives it as much; of those that do, the ones are taken that rest on the fewest facts together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from assistant.field.serving import FULL, Offer, Plan
from assistant.questions.doubts import Group, Holds
from assistant.state.sources import Value
from assistant.state.state import FactKey

from ..doubts import Doubts, Traced
from ..isolation import way_out
from ..resting import Otherwise, Rests, hexes_of
from ..rules import RR_LINE
from .attached import Client
from .report import UnitSupply
from .side import LOC, RAILWAY, SupplySide

MOST_BETTER = 20
"""For how many units of a side it is sought which drawn fact would let a better line through."""
PASSES = 3
"""How often each unit is given the source that rests on the fewest facts besides those of all others."""
NOTHING: Group = {}


class SideDrawn:
    """What the supply of some units rests on. told: the units, as they are told.

    on: by unit the facts in doubt on which its state rests, at their worst; better: by unit those one of which would let a better line
    through to it, at their best; left: the units for which these were not sought, as there are too many.
    """

    def __init__(self, side: SupplySide, plan: Plan, told: Sequence[UnitSupply]) -> None:
        self.view, self.side, self.plan = side.view.unnoticed(), side, plan
        self.rests = Rests(self.view, side.around, side.board)
        self._doubtful: dict[FactKey, Value | None] = {}
        self._sources: dict[str, Group] = {}
        decided = [one for one in told if one.could.state is not None]
        known = {one.unit: [*self.choices(one)] for one in decided}
        self.on = fewest({name: groups for name, groups in known.items() if groups and all(groups)})
        poor = [
            one
            for one in decided
            if one.could.state in ("low", "out") and one.could.state == one.alone and not one.through
        ]
        self.left = tuple(one.unit for one in poor[MOST_BETTER:])
        self.better = {one.unit: self.betters(one) for one in poor[:MOST_BETTER]}

    def holds(self) -> Holds:
        """The same for all units together, the facts on which most of them rest first."""
        many = Counter(key for facts in self.on.values() for key in facts)
        up = {key: value for facts in self.on.values() for key, value in facts.items()}
        down = {key: value for facts in self.better.values() for key, value in facts.items()}
        return Holds({key: up[key] for key, _ in many.most_common()}, down)

    def count(self, unit: str) -> int:
        """On how many facts in doubt the state of a unit turns."""
        return len({**self.on.get(unit, NOTHING), **self.better.get(unit, NOTHING)})

    def choices(self, one: UnitSupply) -> Iterable[Group]:
        """What a unit's state rests on, by each source that gives it as much; nothing where it rests on no drawn fact."""
        client = self.side.clients[one.through or one.unit]
        offer = self.plan.serves.get(client.unit.id)
        if offer is None:
            if one.could.state == "out" and one.isolated is False:
                place, around, board = str(client.unit.place), self.side.around, self.side.board
                way = way_out(around, board.lines, board.railway.cost, place, {around.side})
                yield self.doubtful(self.rests.way_rests(way))
            return
        for other in self.side.offers_of(client.unit.id):
            if other == offer or self.serves_as_well(other, offer):
                yield self.by_offer(client, other)

    def serves_as_well(self, other: Offer, offer: Offer) -> bool:
        """Whether a source would serve a unit as well as another one, whatever else it serves, in the modes of the plan."""
        if other.gives < offer.gives or other.group or other.mode not in ("", self.plan.modes.get(other.source)):
            return False
        fed = self.plan.serves.get(other.source)
        return other.source not in self.side.fed or (fed is not None and fed.gives == FULL)

    def by_offer(self, client: Client, offer: Offer) -> Group:
        """What a unit's supply by an offer rests on."""
        place = str(client.unit.place)
        if client.always:
            return NOTHING
        if offer.source == LOC:
            return self.doubtful(self.rests.loc_rests(place))
        if offer.source == RR_LINE and client.arm == "corps-train":
            return self.doubtful(self.rests.railway_rests(self.side.board.railway, place))
        line = self.side.line(offer.source, place)
        own = self.doubtful(self.rests.line_rests(hexes_of(line), line.linked))
        if offer.source == RR_LINE:
            return {**own, **self.of_railway(line.start)}
        return {**own, **self.of_source(offer.source)}

    def of_railway(self, place: str) -> Group:
        """What the link of a RR hex rests on."""
        key = f"{RR_LINE} {place}"
        if key not in self._sources:
            self._sources[key] = self.doubtful(self.rests.railway_rests(self.side.board.railway, place))
        return self._sources[key]

    def of_source(self, name: str) -> Group:
        """What the supply of a source itself rests on."""
        if name not in self._sources:
            offer, client = self.plan.serves.get(name), self.side.clients.get(name)
            self._sources[name] = (
                self.by_offer(client, offer) if offer and client and name in self.side.fed else NOTHING
            )
        return self._sources[name]

    def betters(self, one: UnitSupply) -> Group:
        """The facts one of which would let a better line through to a unit, or out of its isolation."""
        client = self.side.clients[one.unit]
        unit, place = client.unit, str(client.unit.place)
        chosen, offer = None, self.plan.serves.get(unit.id)
        kin = [
            other for other in self.side.kin(client) if other.unit.id != unit.id and self.side.may_serve(client, other)
        ]
        if offer is not None:
            of = RAILWAY if offer.source == RR_LINE else self.side.sources[offer.source].source
            chosen = of, self.side.line(offer.source, place), of.ranges[-1]
        sources = tuple(
            (other.source, other.why_not or ("" if other.unit.id in self.side.feedable else "Out of Supply itself"))
            for other in kin
        )
        doubts = Doubts(self.view, Traced(unit, self.side.around, self.side.board, sources, chosen))
        found = [*doubts.betters(), *(doubts.way_betters() if one.isolated else ())]
        return self.doubtful(found, ("grand-river",))

    def doubtful(self, others: Iterable[Otherwise], beside_enemy: Value = ()) -> Group:
        """The facts in doubt among some that are otherwise."""
        at_once = self.rests.at_once(others, beside_enemy)
        return {key: value for key, value in at_once.items() if self.is_doubtful(key, value)}

    def is_doubtful(self, key: FactKey, value: Value) -> bool:
        """Whether a fact is in doubt that has not this value."""
        if key not in self._doubtful:
            fact = self.view.fact(*key)
            self._doubtful[key] = fact.value if fact is not None and self.view.in_doubt(fact) else None
        return self._doubtful[key] not in (None, value)


def for_all(found: Collection[SideDrawn]) -> Holds:
    """What holds the states of the units of several sides: what is worst for one may be best for the other, so it is not supposed at once."""
    if len(found) == 1:
        return next(iter(found)).holds()
    each = [one.holds() for one in found]
    up = {key: value for held in each for key, value in held.up.items()}
    down = {key: value for held in each for key, value in held.down.items()}
    return Holds(up, down, at_once=False)


def fewest(choices: Mapping[str, Sequence[Group]]) -> dict[str, Group]:
    """One of several groups for each unit, so that all have few facts together: each takes, in turn, what adds fewest to the others."""
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
