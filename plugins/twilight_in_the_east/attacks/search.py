"""The search for legal attacks on one hex, for the questions `attacks` and `need`.

Attackers are combined hex by hex. Of several attacks with the same strength and the same `traits` only the smallest
remains, because no rule tells them apart.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from typing import Annotated, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import View, note, step
from assistant.asking.ranking import Way, cheapest
from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Modifier
from assistant.util.limits import Limit

from ..combat.allocation import ASSUMED, MAX_POINTS, command_holder, commands_of
from ..combat.before_dice import find_odds
from ..combat.engagement import (
    MAX_ODDS,
    MIN_ODDS,
    BattleParameters,
    Engagement,
    Units,
    attack_strength,
    column_shifts,
    defence_strength,
    final_odds,
    rounded_total,
    units_as_led,
)
from ..combat.legality import (
    aimed_elsewhere_steps,
    attacker_steps,
    combining_steps,
    ground_steps,
    refusals,
    stands_idle,
    withholding_steps,
)
from ..combat.setup import LENIENT_READINGS, Setup, agree_readings, narrow, withholding_rulings
from ..forces.bars import FOUGHT, RETREATED, is_barred
from ..forces.units import CombatUnit, Role, stacks
from ..ground.hexsides import between, why_closed
from ..terms import FORTRESSES, GREAT_RIVERS

POINTS_GRANTED = step(
    "10.5.1",
    f"{ASSUMED}, one per command: none from a magazine or Boyen, none for a stack",
)
"""The assumption about Artillery Ammunition Points, as a step of the report."""
Names = tuple[str, ...]
Command = tuple[str, str]
"""The name of a command in all attacks: nation and corps, or "" and the hex of independent units."""
Trait = tuple[str, object]
_NEVER_SHIFTING = frozenset(
    [
        "id",
        "size",
        "formation",
        "steps",
        "lost",
        "reduced",
        "back_steps",
        "defence",
        "artillery",
        "ap",
        "point",
        "effectiveness",
        "levels",
        "disorder",
        "low_supply",
        "half",
        "expended",
        "fssm",
        "with_",
        "garrison",
    ]
)
"""Fields of a unit that only its strength needs, or that no shift of the column reads."""
_TRAITS_ELSEWHERE = frozenset(["nation", "arm", "army", "corps", "place", "classes", "prepared"])
"""Fields of a unit whose traits depend on the other units or on the hex under attack."""
_SHIFTING_FIELDS = tuple(
    name for name in CombatUnit.__struct_fields__ if name not in _NEVER_SHIFTING | _TRAITS_ELSEWHERE
)
"""Fields of a unit that distinguish attacks of the same strength.

They are all fields not listed above, including new ones.
"""
Strengths = Mapping[tuple[str, bool], int]
"""Strength in half points by attacker, and by whether the attacker has an Artillery Ammunition Point.

No rule halves twice.
"""


class RankedAttack(msgspec.Struct, frozen=True, kw_only=True):
    """One attack."""

    units: Annotated[Names, note("the attackers, in the order of the position")]
    places: Annotated[Names, note("the hexes")]
    points: Annotated[Names, note("the commands with an Artillery Ammunition Point")]
    strength: Annotated[Fraction, note("the strength points, not rounded")]
    total: Annotated[int, note("the strength points, rounded")]
    initial: Annotated[str, note("the odds before shifts")]
    shifts: Annotated[tuple[Modifier, ...], note("each column shift, positive to the right")]
    final: Annotated[str, note("the odds after shifts, which may lie beyond the ends of the chart")]
    column: Annotated[str, note("the column that is read")]
    magnitude: Annotated[str, note("Small, Medium, Large or Massive")]

    @property
    def one_point(self) -> bool:
        """Whether a single command has an Artillery Ammunition Point."""
        return len(self.points) == 1

    @property
    def several_points(self) -> bool:
        """Whether several commands have Artillery Ammunition Points."""
        return len(self.points) > 1


class Attack(NamedTuple):
    """Some attackers of a hex."""

    units: Units = ()
    """The attacking units in the order of the position, each with or without its Artillery Ammunition Point."""
    halves: int = 0
    """Strength in half points."""
    kin: frozenset[Trait] = frozenset()
    """Arms and armies, which decide who may combine."""
    traits: frozenset[Trait] = frozenset()
    """Everything else that rules read of the attackers, except their strength."""
    served: frozenset[Command] = frozenset()
    """The commands with an Artillery Ammunition Point."""

    def with_more(self, other: Attack) -> Attack:
        kin = self.kin | other.kin
        traits = self.traits | other.traits
        served = self.served | other.served
        return Attack((*self.units, *other.units), self.halves + other.halves, kin, traits, served)


def _find_strongest_defence(engagement: Engagement, *, points: bool) -> Engagement | None:
    """Return the combat with the strongest legal defence, or None if no defence is legal.

    Of equally strong defences the one with the fewest withheld units comes first, then the one with the fewest
    Artillery Ammunition Points.

    `points`: whether the defenders have as many Artillery Ammunition Points as they may.

    Raises TooMuch if there are too many combinations.
    """
    units = engagement.defenders
    tried = 0
    free = [unit for unit in units if unit.arm not in FORTRESSES]
    defences = list[Units]()
    for withheld in ((), *_list_subsets(free)):
        staying = [unit for unit in units if unit not in withheld]
        ways = allocations(staying if points else ())
        tried += len(ways)
        _check_ways(tried)
        defences += (_allot_points(staying, allocated) for allocated in ways)
    # the strongest first, so that the others need not be judged
    defences.sort(key=_measure_defence, reverse=True)
    legal = filter(_is_legal_defence, (narrow(engagement, engagement.attackers, units) for units in defences))
    return next(legal, None)


def _measure_defence(units: Units) -> Fraction:
    return sum((defence_strength(unit) for unit in units if not stands_idle(unit, units)), Fraction(0))


def _is_legal_defence(engagement: Engagement) -> bool:
    defenders = engagement.defenders  # without idle units
    barred = any(is_barred(unit, "defend") for unit in defenders)
    return bool(defenders) and not (
        barred or withholding_steps(engagement) or any(combining_steps(defenders, "defender"))
    )


class Search(NamedTuple):
    """A search for the attacks on one hex."""

    engagement: Engagement
    """The combat with all adjacent enemies as attackers."""
    order: Mapping[str, int]
    """Rank of each unit by id: of equal attacks the one with the first units is kept."""
    points: bool
    """Whether Artillery Ammunition Points may be allocated."""

    def find_reach(self) -> tuple[Units, dict[str, Units]] | None:
        """Return the units of the largest legal attack, and of the smallest attack that reaches each column.

        Returns None if no attack is legal. The smallest attack has fewest strength points, then fewest units, then
        fewest Artillery Ammunition Points, then the first units. The largest has most strength points, then the best
        odds.
        """
        ways = list(self.legal_attacks())
        if not ways:
            return None
        largest = min(ways, key=lambda way: (-way.what.halves, -way.column.columns, way.cost))
        columns = [Odds(number) for number in range(MIN_ODDS.columns, MAX_ODDS.columns + 1)]
        smallest = {str(column): way.what.units for column, way in cheapest(ways, columns).items()}
        return largest.what.units, smallest

    def legal_attacks(self, kinds: Iterable[Attack] | None = None) -> Iterator[Way[Attack, Odds]]:
        """Yield the smallest legal attack of every kind and strength, with its odds after all shifts and its size.

        `kinds`: the result of `kinds_of_attack`, if the caller has it.
        """
        engagement = self.engagement
        defence = engagement.total("defender")
        shifts: dict[frozenset[Trait], tuple[Modifier, ...] | None] = {}

        @cache  # many attacks have the same strength and the same shifts
        def odds_of(halves: int, shifted: tuple[Modifier, ...]) -> Odds:
            return final_odds(rounded_total([Fraction(halves, 2)]), defence, shifted)[1]

        if kinds is None:
            kinds = self.kinds_of_attack()
        for attack in kinds:
            kind = attack.kin | attack.traits
            if kind not in shifts:
                other = narrow(engagement, attack.units, engagement.defenders)
                legal = other.attackers and not refusals(other)
                shifts[kind] = column_shifts(other) if legal else None
            shifted = shifts[kind]
            if shifted is not None:
                yield Way(attack, odds_of(attack.halves, shifted), self._size_key(attack))

    def kinds_of_attack(self) -> Iterator[Attack]:
        """Yield the smallest attack of every kind and strength.

        By ruling river-halving one attacker behind a river may halve all. Attacks across no river are then searched
        separately.
        """
        engagement = self.engagement
        strengths = _measure_strengths(engagement.attackers, engagement.crossed)
        if engagement.readings.river_halving == "own":
            yield from self._list_attacks(strengths)
            return
        over_rivers = {("place", place) for place, over in engagement.crossed.items() if GREAT_RIVERS & over}
        halved = _measure_strengths(engagement.attackers, dict.fromkeys(engagement.crossed, GREAT_RIVERS))
        for attack in self._list_attacks(strengths):
            if not over_rivers & attack.traits:
                yield attack
        for attack in self._list_attacks(halved):
            if over_rivers & attack.traits:
                yield attack

    def _list_attacks(self, strengths: Strengths) -> Iterator[Attack]:
        """Yield the smallest attack of every kind and strength. Raises TooMuch if there are too many combinations."""
        tried = 0
        able = [unit for unit in self.engagement.attackers if _may_attack(self.engagement, unit)]
        units_by_place = stacks(sorted(able, key=lambda unit: self.order[unit.id]))
        commands = {
            place: frozenset(_find_commands(units, only_served=True)) for place, units in units_by_place.items()
        }

        @cache  # most points change nothing in most hexes
        def list_from(place: str, allotted: frozenset[Command]) -> list[Attack]:
            return list(self._list_attacks_from_hex(units_by_place[place], allotted, strengths))

        for allocated in allocations(able if self.points else ()):
            smallest: dict[object, Attack] = {None: Attack()}
            may_combine: dict[frozenset[Trait], bool] = {}
            for place in units_by_place:
                from_place = list_from(place, allocated & commands[place])
                tried += len(smallest) * len(from_place)
                _check_ways(tried)
                for first in list(smallest.values()):
                    for second in from_place:
                        combined = first.with_more(second)
                        if combined.kin not in may_combine:
                            may_combine[combined.kin] = not any(combining_steps(combined.units, "attacker"))
                        best = smallest.get(combined[1:])
                        if may_combine[combined.kin] and (
                            best is None or self._size_key(combined) < self._size_key(best)
                        ):
                            smallest[combined[1:]] = combined
            for attack in smallest.values():
                if attack.units:
                    yield attack

    def _list_attacks_from_hex(
        self, units: Sequence[CombatUnit], allocated: frozenset[Command], strengths: Strengths
    ) -> Iterator[Attack]:
        """Yield every set of units that one hex may send.

        Artillery that would stand idle is sent only if its Prepared Attack marker binds it.
        """
        engagement = self.engagement
        place = units[0].place
        defended = (*engagement.defenders, *engagement.withheld)
        has_marker = any(unit.prepared == engagement.at for unit in engagement.attackers if unit.place == place)
        by_unit = has_marker or not any(unit.formation for unit in defended)  # rule 10.4.2 counts units
        for chosen in _list_subsets(units):
            sent = _allot_points(chosen, allocated)
            idle = [unit for unit in sent if stands_idle(unit, sent)]
            taking = [unit for unit in sent if unit not in idle]
            if any(unit.prepared != engagement.at for unit in idle) or any(combining_steps(taking, "attacker")):
                continue
            kin: set[Trait] = {("arm", unit.arm) for unit in taking if unit.arm != "artillery"}
            kin |= {("army", unit.army) for unit in taking if unit.army}
            traits: set[Trait] = {("command", command(unit, taking)) for unit in taking}
            traits |= {("place", unit.place) for unit in taking}
            traits |= {(name, getattr(unit, name)) for unit in taking for name in _SHIFTING_FIELDS}
            if engagement.leaders:
                traits |= {("led", led) for led in units_as_led(taking, (*sent, *engagement.left_out))}
            if engagement.position:
                traits |= {("class", kind) for unit in taking if unit.ap for kind in unit.classes}
            # an id also determines the marker and the formation of a unit, which therefore need no traits
            if by_unit:
                traits |= {("idle" if unit in idle else "unit", unit.id) for unit in sent}
            served = frozenset(command(unit, sent) for unit in taking if unit.ap)
            halves = sum(strengths[unit.id, unit.ap] for unit in taking)
            yield Attack(sent, halves, frozenset(kin), frozenset(traits), served)

    def _size_key(self, attack: Attack) -> tuple[object, ...]:
        """Return the sort key of an attack's size: strength, units, Artillery Ammunition Points, then order in the
        position.
        """
        numbers = sorted(self.order[unit.id] for unit in attack.units)
        guns = sorted(self.order[unit.id] for unit in attack.units if unit.ap)
        return attack.halves, len(attack.units), len(attack.served), numbers, guns


def same_kinds(engagement: Engagement) -> Hashable:
    """Return the parts of a combat that decide which kinds of attack exist, except the hex and its surroundings."""
    defended = (*engagement.defenders, *engagement.withheld)
    return engagement.attackers, bool(engagement.position), any(unit.formation for unit in defended)


def _measure_strengths(units: Units, crossed: Mapping[str, frozenset[str]]) -> Strengths:
    """Return the strength of each attacker with and without an Artillery Ammunition Point.

    `crossed`: hexside features by attacking hex.
    """
    strengths = {}
    for unit in units:
        for ap in (False, True):
            strength = attack_strength(replace(unit, ap=ap), crossed.get(unit.place, ()))
            strengths[unit.id, ap] = int(2 * strength)
    return strengths


def _may_attack(engagement: Engagement, unit: CombatUnit) -> bool:
    barred = unit.place in (*engagement.unbridged, *engagement.prohibited) or unit.id in engagement.elsewhere
    return unit.place in engagement.around and not barred and not is_barred(unit, "attack")


def command(unit: CombatUnit, units: Sequence[CombatUnit]) -> Command:
    """Return the command of a unit among `units`, under the same name in every attack."""
    leader = command_holder(unit, units)
    return (leader.nation, leader.corps) if leader.corps else ("", leader.place)


def _find_commands(units: Iterable[CombatUnit], *, only_served: bool = False) -> tuple[Command, ...]:
    """Return all commands of these units in any combination of them.

    Without its formation an Asset Unit has a command of its own.

    `only_served`: whether to return only commands of units with an Artillery Ammunition Point.
    """
    chosen = (chosen for stack in stacks(units).values() for chosen in _list_subsets(stack))
    served = (command(unit, some) for some in chosen for unit in some if unit.ap or not only_served)
    return tuple(dict.fromkeys(served))


def allocations(units: Sequence[CombatUnit]) -> list[frozenset[Command]]:
    """Return the ways to allocate Artillery Ammunition Points to units, none first, up to a combat's limit.

    `units`: the units; every unit that can use a point has one.

    Rule: 10.5b
    """
    able = _find_commands(units, only_served=True)
    return [frozenset(some) for number in range(MAX_POINTS + 1) for some in combinations(able, number)]


def _allot_points(units: Sequence[CombatUnit], allocated: frozenset[Command]) -> Units:
    """Return the units with the points of the allocated commands alone."""
    named = [(unit, command(unit, units)) for unit in units]
    served = {unit.id: " ".join(name) for unit, name in named if unit.ap and name in allocated}
    return tuple(replace(unit, ap=unit.id in served, point=served.get(unit.id, "")) for unit in units)


def _check_ways(tried: int) -> None:
    Limit.WAYS.check(tried, "its units can be put together in")


def _list_subsets(units: Sequence[CombatUnit]) -> Iterator[Units]:
    """Yield every nonempty choice of the units of a hex. Raises TooMuch if the hex holds too many."""
    Limit.TOGETHER.check(len(units), "a hex that takes part holds")
    return chain.from_iterable(combinations(units, number) for number in range(1, len(units) + 1))


def engage_everybody(view: View, battle: BattleParameters) -> Engagement:
    """Return the combat of all named units, any part of which may fight.

    Raises MissingFacts and InputError as `Setup.engage` does.
    """
    engagement = Setup(view, battle, any_part=True).engage()
    # With three commands or more, a part of the units may be of more corps than all of them, so the ruling matters.
    if len(_find_commands(engagement.attackers)) <= 2:
        return engagement
    readings = agree_readings(view, engagement.readings, {"several_corps": True})
    return replace(engagement, readings=readings)


def defence(view: View, engagement: Engagement, *, points: bool) -> Engagement | None:
    """Return the combat with its strongest legal defence, or None if there is none.

    Rulings on which units the defender may withhold are consulted only if they decide.

    `points`: whether the defender has Artillery Ammunition Points.
    """
    engagement = replace(engagement, readings=replace(engagement.readings, **LENIENT_READINGS))
    asked: set[str] = set()
    while best := _find_strongest_defence(engagement, points=points):
        deciding = {name: True for name, does in withholding_rulings(best).items() if does and name not in asked}
        if not deciding:
            return best
        engagement = replace(engagement, readings=agree_readings(view, engagement.readings, deciding))
        asked |= set(deciding)
    return None


def why_not(engagement: Engagement) -> Iterator[str]:
    """Yield the reasons why no attack is possible: the bars to each unit, or that no combination is legal."""
    singly = (line for unit in engagement.attackers for line in attacker_steps(unit, engagement.at, engagement.around))
    for line in chain(ground_steps(engagement), singly, aimed_elsewhere_steps(engagement)):
        yield line.text
    for bar in (RETREATED, FOUGHT):
        for unit in engagement.attackers:
            if bar.holds(unit):
                yield f"{unit.id} {bar.text('attack')}"
    if any(_may_attack(engagement, unit) for unit in engagement.attackers):
        yield "the units that may attack cannot be combined into a legal attack"


def rank_attack(engagement: Engagement, units: Units) -> RankedAttack:
    """Return an attack with the figures that a battle shows before the dice."""
    fought = narrow(engagement, units, engagement.defenders)
    odds = find_odds(fought)
    return RankedAttack(
        units=tuple(unit.id for unit in units),
        places=tuple(dict.fromkeys(unit.place for unit in units)),
        points=points_of(fought, "attacker"),
        strength=sum((fought.strengths(unit, "attacker")[0] for unit in fought.attackers), Fraction(0)),
        total=odds.attack,
        initial=str(odds.initial),
        shifts=odds.shifts,
        final=str(odds.final),
        column=odds.column,
        magnitude=odds.magnitude,
    )


def points_of(engagement: Engagement, role: Role) -> tuple[str, ...]:
    """Return the commands of a side that have an Artillery Ammunition Point."""
    units = engagement.side(role)
    return commands_of((unit for unit in units if unit.ap), units)


def open_places(view: View, at: str) -> tuple[str, ...]:
    """Return the hexes with units from which `at` may be attacked, judging by the hexsides alone."""
    around = (place for place in view.board.neighbours(at) if view.stack(place))
    return tuple(place for place in around if not why_closed(between(view, place, at)))
