"""Every kind of legal attack on one hex, and the smallest of each, without trying all subsets of the attackers one by one.

Attackers are put together hex by hex. Of two attacks that no rule tells apart (`traits`) and that are as strong, only the smaller
one is kept; what is legal, and how the column shifts, the rules of a battle say of each kind that is left.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from typing import NamedTuple

import msgspec

from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Modifier
from assistant.questions.ranking import Way, cheapest
from assistant.util.limits import Limit

from ..combat.allocation import MOST_POINTS, stands_idle
from ..combat.engagement import Engagement, Units
from ..combat.legality import combining, refusals, withholding
from ..combat.odds import column_shifts, final_odds
from ..combat.setup import narrowed
from ..combat.strength import HIGHEST, LOWEST, attack_strength, commanded_with, defence_strength, rounded_total
from ..forces.bars import is_barred
from ..forces.units import CombatUnit, stacks
from ..terms import FORTRESSES, GREAT_RIVERS

Command = tuple[str, str]
"""A command under one name in every attack: nation and corps, or the hex of a stack of independent units."""
Trait = tuple[str, object]
Strengths = Mapping[tuple[str, bool], int]
"""By attacker, and by whether it has an Artillery Ammunition Point, its strength in half points: no rule halves it twice."""


class Attack(NamedTuple):
    """Some attackers of a hex.

    units: in the order of the position, each with its Artillery Ammunition Point if it has one; halves: their strength in
    half points; kin: their arms and armies; traits: all else that rules read of them, strengths apart; served: the
    commands with an Artillery Ammunition Point.
    """

    units: Units = ()
    halves: int = 0
    kin: frozenset[Trait] = frozenset()
    traits: frozenset[Trait] = frozenset()
    served: frozenset[Command] = frozenset()

    def with_more(self, other: Attack) -> Attack:
        """This attack and one from another hex together."""
        kin, traits, served = self.kin | other.kin, self.traits | other.traits, self.served | other.served
        return Attack((*self.units, *other.units), self.halves + other.halves, kin, traits, served)


class Reach(msgspec.Struct, frozen=True):
    """The attackers that can do something against a hex. largest: with most points; smallest: by column, which they reach or pass."""

    largest: Units
    smallest: Mapping[str, Units]


def strongest_defence(engagement: Engagement, points: bool) -> Engagement | None:
    """The combat with the defenders that make the strongest legal defence, None without a legal one.

    Of several as strong the one with fewest withheld, then with fewest Artillery Ammunition Points.

    points: whether they are allocated as many Artillery Ammunition Points as they may have. Raises TooMuch for too many ways.
    """
    units, tried = engagement.defenders, 0
    free = [unit for unit in units if unit.arm not in FORTRESSES]
    legal: list[Engagement] = []
    for withheld in ((), *_subsets(free)):
        staying = [unit for unit in units if unit not in withheld]
        ways = allocations(staying if points else ())
        tried += len(ways)
        check_ways(tried)
        for allocated in ways:
            other = narrowed(engagement, engagement.attackers, with_allocated(staying, allocated))
            barred = any(is_barred(unit, "defend") for unit in other.defenders)  # who stands idle takes no part
            if other.defenders and not (barred or withholding(other) or any(combining(other.defenders, "defender"))):
                legal.append(other)
    return max(legal, key=lambda other: sum(map(defence_strength, other.defenders)), default=None)


class Search(NamedTuple):
    """What attacks are looked for.

    engagement: the combat with all who stand next to the hex and with its defence, which the phase allows; neighbours: the hexes
    around; order: of units, for ties; points: whether Artillery Ammunition Points are allocated where that helps.
    """

    engagement: Engagement
    neighbours: Sequence[str]
    order: Mapping[str, int]
    points: bool


def reach(search: Search) -> Reach | None:
    """The largest legal attack and the smallest that reaches each column; None if no attack is legal.

    The smallest has fewest strength points, then fewest units, then fewest Artillery Ammunition Points, then the units that come
    first. The largest has most strength points, then the odds farthest to the right, and is then the smallest.
    """
    ways = list(legal_attacks(search))
    if not ways:
        return None
    largest = min(ways, key=lambda way: (-way.what.halves, -way.column.columns, way.cost))
    columns = [Odds(number) for number in range(LOWEST.columns, HIGHEST.columns + 1)]
    smallest = {str(column): way.what.units for column, way in cheapest(ways, columns).items()}
    return Reach(largest.what.units, smallest)


def legal_attacks(search: Search, kinds: Iterable[Attack] | None = None) -> Iterator[Way[Attack, Odds]]:
    """Of every kind of attack and every strength the smallest legal one, with its odds after all shifts and its size.

    kinds: the attacks of `kinds_of_attack`, if they are known.
    """
    engagement = search.engagement
    defence = rounded_total([defence_strength(unit) for unit in engagement.defenders])
    shifts: dict[frozenset[Trait], tuple[Modifier, ...] | None] = {}

    @cache  # many attacks are as strong and shifted alike
    def odds_of(halves: int, shifted: tuple[Modifier, ...]) -> Odds:
        return final_odds(rounded_total([Fraction(halves, 2)]), defence, shifted)[1]

    for attack in kinds_of_attack(search) if kinds is None else kinds:
        kind = attack.kin | attack.traits
        if kind not in shifts:
            other = narrowed(engagement, attack.units, engagement.defenders)
            legal = other.attackers and not refusals(other, search.neighbours)
            shifts[kind] = column_shifts(other) if legal else None
        shifted = shifts[kind]
        if shifted is not None:
            yield Way(attack, odds_of(attack.halves, shifted), size(attack, search.order))


def kinds_of_attack(search: Search) -> Iterator[Attack]:
    """Of every kind of attack and every strength the smallest one: where by ruling river-halving a river that some cross halves
    all, attacks across none stand apart from the others."""
    engagement = search.engagement
    own = strengths_across(engagement.attackers, engagement.crossed)
    if engagement.readings.river_halving == "own":
        yield from attacks(search, own)
        return
    wet = {("place", place) for place, over in engagement.crossed.items() if GREAT_RIVERS & over}
    halved = strengths_across(engagement.attackers, dict.fromkeys(engagement.crossed, GREAT_RIVERS))
    for across, strengths in ((False, own), (True, halved)):
        yield from (attack for attack in attacks(search, strengths) if bool(wet & attack.traits) == across)


def same_kinds(engagement: Engagement) -> Hashable:
    """What of a combat decides which kinds of attack there are, but for the hex and what lies around it."""
    defended = (*engagement.defenders, *engagement.withheld)
    return engagement.attackers, bool(engagement.position), any(unit.formation for unit in defended)


def attacks(search: Search, strengths: Strengths) -> Iterator[Attack]:
    """Of every kind of attack and every strength the smallest one. Raises TooMuch for too many ways."""
    engagement, neighbours, order, points = search
    tried = 0
    able = [unit for unit in engagement.attackers if may_attack(engagement, unit, neighbours)]
    every = stacks(sorted(able, key=lambda unit: order[unit.id]))
    for allocated in allocations(able if points else ()):
        known: dict[object, Attack] = {None: Attack()}
        together: dict[frozenset[Trait], bool] = {}
        for units in every.values():
            here = list(_from_one_hex(engagement, units, allocated, strengths))
            tried += len(known) * len(here)
            check_ways(tried)
            for before in list(known.values()):
                for more in here:
                    both = before.with_more(more)
                    if both.kin not in together:
                        together[both.kin] = not any(combining(both.units, "attacker"))
                    known_one = known.get(both[1:])
                    if together[both.kin] and (known_one is None or size(both, order) < size(known_one, order)):
                        known[both[1:]] = both
        yield from (attack for attack in known.values() if attack.units)


def _from_one_hex(
    engagement: Engagement, units: Sequence[CombatUnit], allocated: frozenset[Command], strengths: Strengths
) -> Iterator[Attack]:
    """What one hex may send: all that may fight together; artillery that would stand idle only if a marker binds it."""
    place, defended = units[0].place, (*engagement.defenders, *engagement.withheld)
    bound = any(unit.prepared == engagement.at for unit in engagement.attackers if unit.place == place)
    singly = bound or not any(unit.formation for unit in defended)  # 10.4.2 counts units
    for chosen in _subsets(units):
        sent = with_allocated(chosen, allocated)
        idle = [unit for unit in sent if stands_idle(unit, sent)]
        taking = [unit for unit in sent if unit not in idle]
        if any(unit.prepared != engagement.at for unit in idle) or any(combining(taking, "attacker")):
            continue
        kin: set[Trait] = {("arm", unit.arm) for unit in taking if unit.arm != "artillery"}
        kin |= {("army", unit.army) for unit in taking if unit.army}
        traits: set[Trait] = {("command", command(unit, taking)) for unit in taking}
        traits |= {("place", unit.place) for unit in taking}
        if engagement.position:
            traits |= {("class", kind) for unit in taking if unit.ap for kind in unit.classes}
        if singly:  # then markers and formations are known with the units
            traits |= {("idle" if unit in idle else "unit", unit.id) for unit in sent}
        served = frozenset(command(unit, sent) for unit in taking if unit.ap)
        halves = sum(strengths[unit.id, unit.ap] for unit in taking)
        yield Attack(sent, halves, frozenset(kin), frozenset(traits), served)


def strengths_across(units: Units, crossed: Mapping[str, frozenset[str]]) -> Strengths:
    """The strength of each attacker. crossed: by hex, what the attackers from there cross."""
    return {
        (unit.id, ap): int(2 * attack_strength(msgspec.structs.replace(unit, ap=ap), crossed.get(unit.place, ())))
        for unit in units
        for ap in (False, True)
    }


def size(attack: Attack, order: Mapping[str, int]) -> tuple[object, ...]:
    """By which the smaller of two attacks is told: points, units, Artillery Ammunition Points, and who comes first."""
    numbers = sorted(order[unit.id] for unit in attack.units)
    guns = sorted(order[unit.id] for unit in attack.units if unit.ap)
    return attack.halves, len(attack.units), len(attack.served), numbers, guns


def may_attack(engagement: Engagement, unit: CombatUnit, neighbours: Sequence[str]) -> bool:
    """Whether a unit may attack the hex at all, together with any others."""
    barred = unit.place in (*engagement.unbridged, *engagement.prohibited) or unit.id in engagement.elsewhere
    return unit.place in neighbours and not barred and not is_barred(unit, "attack")


def command(unit: CombatUnit, units: Sequence[CombatUnit]) -> Command:
    """The command that a unit fights under among these, under a name that does not depend on other hexes."""
    leader = commanded_with(unit, units)
    return (leader.nation, leader.corps) if leader.corps else ("", leader.place)


def commands(units: Iterable[CombatUnit], *, only_served: bool = False) -> tuple[Command, ...]:
    """The commands under which these units fight, whoever of each hex does: without its formation an Asset Unit has one of its own.

    only_served: just those of units with an Artillery Ammunition Point.
    """
    chosen = (chosen for stack in stacks(units).values() for chosen in _subsets(stack))
    served = (command(unit, some) for some in chosen for unit in some if unit.ap or not only_served)
    return tuple(dict.fromkeys(served))


def allocations(units: Sequence[CombatUnit]) -> list[frozenset[Command]]:
    """The ways to allocate Artillery Ammunition Points to these units, none first, as far as one combat takes any.

    units: those who can use one have one now. Rule: 10.5b
    """
    able = commands(units, only_served=True)
    return [frozenset(some) for number in range(MOST_POINTS + 1) for some in combinations(able, number)]


def with_allocated(units: Sequence[CombatUnit], allocated: frozenset[Command]) -> Units:
    """The units, those of other commands without the Artillery Ammunition Points that they have now."""
    named = [(unit, command(unit, units)) for unit in units]
    served = {unit.id: " ".join(name) for unit, name in named if unit.ap and name in allocated}
    return tuple(msgspec.structs.replace(unit, ap=unit.id in served, point=served.get(unit.id, "")) for unit in units)


def check_ways(tried: int) -> None:
    """Raise TooMuch if there are too many ways to fight for one hex to try them all."""
    Limit.WAYS.check(tried, "its units can be put together in")


def _subsets(units: Sequence[CombatUnit]) -> Iterator[Units]:
    """Every choice of one or more of the units of a hex. Raises TooMuch if there are too many units."""
    Limit.TOGETHER.check(len(units), "a hex that takes part holds")
    return chain.from_iterable(combinations(units, number) for number in range(1, len(units) + 1))
