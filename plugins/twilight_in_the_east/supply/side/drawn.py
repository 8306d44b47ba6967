"""On which facts of a drawn map the supply of a side's units rests, and what would let a better line through to them.

What supplies a unit may be any source that gives it as much; of those that do, the ones are taken that rest on the fewest facts together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from assistant.field.serving import FULL, Offer, Plan
from assistant.questions import View
from assistant.questions.doubts import Candidates, Group, Holds
from assistant.state.sources import Value
from assistant.state.state import FactKey

from ..report import UnitSupply
from .resting import Betters, Leg, Otherwise, Rests, legs, legs_out
from .settling import SettledSide

MOST_BETTER = 20
"""For how many units of a side it is sought which drawn fact would let a better line through."""
PASSES = 3
"""How often each unit is given the source that rests on the fewest facts besides those of all others."""
NOTHING: Group = {}
RESTS = "what supply rests on"
"""The name under which a view keeps what makes each `SideDrawn` of a report, which few reports need."""


def keep_rests(view: View, rests: Sequence[Callable[[], SideDrawn | None]]) -> None:
    """Keep what tells on which drawn facts a report on supply rests."""
    view.kept(RESTS, lambda known, apart: rests)


def kept_rests(view: View) -> list[SideDrawn]:
    """On which drawn facts the report of a view rests; none where nothing was traced over a drawn board."""
    makers: Sequence[Callable[[], SideDrawn | None]] = view.kept(RESTS, lambda known, apart: ())
    return [rests for make in makers if (rests := make())]


class SideDrawn:
    """What the supply of some units rests on. told: the units, as they are told; thorough: whether what opens a better line together with
    another fact is sought too.

    on: by unit the facts in doubt on which its state rests, at their worst; better: by unit those one of which would let a better line
    through to it, at their best; left: the units for which these were not sought, as there are too many.
    """

    def __init__(self, side: SettledSide, plan: Plan, told: Sequence[UnitSupply], *, thorough: bool = False) -> None:
        self.view, self.side, self.plan, self.thorough = side.view.unnoticed(), side, plan, thorough
        self.rests = Rests(self.view, side.around, side.board)
        self._doubtful: dict[FactKey, Value | None] = {}
        self._legs: dict[Leg, tuple[Otherwise, ...]] = {}
        self.told = [unit for unit in told if unit.could.state is not None]

    @cached_property
    def on(self) -> dict[str, Group]:
        """By unit the facts in doubt on which its state rests, at their worst."""
        choices = {unit.unit: [self.doubtful(others) for others in self.choices(unit)] for unit in self.told}
        return fewest({name: groups for name, groups in choices.items() if groups and all(groups)})

    @cached_property
    def poor(self) -> list[UnitSupply]:
        """The units that other facts may give more."""
        states = "low", "out"
        return [
            unit
            for unit in self.told
            if unit.could.state in states and unit.could.state == unit.alone and not unit.through
        ]

    @property
    def left(self) -> tuple[str, ...]:
        """The units for which it was not sought what would let a better line through, as there are too many."""
        return tuple(unit.unit for unit in self.poor[MOST_BETTER:])

    @cached_property
    def better(self) -> dict[str, Group]:
        """By unit the facts one of which would let a better line through to it, at their best."""
        sought = self.poor[:MOST_BETTER]
        return {unit.unit: self.doubtful(self.betters(unit), ("grand-river",)) for unit in sought}

    def holds(self) -> Holds:
        """The same for all units together, the facts on which most of them rest first."""
        many = Counter(key for facts in self.on.values() for key in facts)
        up = {key: value for facts in self.on.values() for key, value in facts.items()}
        down = {key: value for facts in self.better.values() for key, value in facts.items()}
        return Holds({key: up[key] for key, _ in many.most_common()}, down)

    def candidates(self) -> Iterator[Group | Candidates]:
        """The facts that may change the state of a unit alone, in groups of which a state that stays with all at once stays with each."""
        for unit in self.told:
            passed = next(iter(self.ways(unit)), ())
            for group in groups_of(self.rests_on(passed)):
                yield Candidates(group, tuple(self.nested(passed)))
            if unit in self.poor:
                yield from ({key: value} for key, value in dict.fromkeys(self.betters_of(unit).betters()))
            if unit.isolated:
                yield from groups_of(self.betters_of(unit).way_betters())

    def count(self, unit: str) -> int:
        """On how many facts in doubt the state of a unit turns."""
        return len({**self.on.get(unit, NOTHING), **self.better.get(unit, NOTHING)})

    def choices(self, unit: UnitSupply) -> Iterable[Sequence[Otherwise]]:
        """What a unit's state rests on, by each source that gives it as much, that which serves it first; nothing where it rests on no drawn
        fact."""
        return map(self.rests_on, self.ways(unit))

    def ways(self, unit: UnitSupply) -> Iterator[Sequence[Leg]]:
        """The legs that a unit's supply passes, by each of these sources."""
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
        """Whether a source would serve a unit as well as another one, whatever else it serves, in the modes of the plan."""
        if other.gives < offer.gives or other.group or other.mode not in ("", self.plan.modes.get(other.source)):
            return False
        fed = self.plan.serves.get(other.source)
        return other.source not in self.side.fed or (fed is not None and fed.gives == FULL)

    def nested(self, passed: Iterable[Leg]) -> Iterator[Sequence[FactKey]]:
        """Facts of the RR lines behind a supply line, in orders in which the loss of each takes away all that the loss of the next one does;
        without those on which the line itself rests."""
        lines = {key for leg in passed if leg.part != "railway" for key, _ in self.rests_on([leg])}
        for leg in passed:
            if leg.part == "railway":
                yield from ([key for key in keys if key not in lines] for keys in self.rests.only_way(leg.hexes))

    def rests_on(self, passed: Iterable[Leg]) -> tuple[Otherwise, ...]:
        """What some legs of supply rest on."""
        found = list[Otherwise]()
        for leg in passed:
            if leg not in self._legs:
                self._legs[leg] = tuple(self.rests.leg_rests(leg))
            found += self._legs[leg]
        return tuple(found)

    def betters_of(self, unit: UnitSupply) -> Betters:
        """What would let a better line through to a unit."""
        client, is_low = self.side.clients[unit.unit], unit.could.state == "low"
        return Betters(self.view, self.side, client, is_low=is_low)

    def betters(self, unit: UnitSupply) -> list[Otherwise]:
        """The facts one of which would let a better line through to a unit, or out of its isolation."""
        betters = self.betters_of(unit)
        return [*betters.betters(twice=self.thorough), *(betters.way_betters() if unit.isolated else ())]

    def doubtful(self, others: Iterable[Otherwise], beside_enemy: Value = ()) -> Group:
        """The facts in doubt among some that are otherwise at once. beside_enemy: what then lies on the hexsides of enemies, which no line
        crosses, but zones."""
        enemies, found = self.side.around.enemies, dict[FactKey, Value]()
        for (track, subject), value in others:
            meets = track == "barrier" and not enemies.isdisjoint(subject.split("|"))
            found.setdefault((track, subject), beside_enemy if meets else value)
        return {key: value for key, value in found.items() if self.is_doubtful(key, value)}

    def is_doubtful(self, key: FactKey, value: Value) -> bool:
        """Whether a fact is in doubt that has not this value."""
        if key not in self._doubtful:
            fact = self.view.fact(*key)
            self._doubtful[key] = fact.value if fact is not None and self.view.in_doubt(fact) else None
        return self._doubtful[key] not in (None, value)


def groups_of(others: Iterable[Otherwise]) -> Iterator[Group]:
    """Groups of other values, a fact that may be otherwise in two ways in one for each: what bars a line may open a zone."""
    rest = dict.fromkeys(others)
    while rest:
        group = dict(reversed(rest))
        yield {key: group[key] for key, _ in rest if key in group}
        rest = {one: None for one in rest if group[one[0]] != one[1]}


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
