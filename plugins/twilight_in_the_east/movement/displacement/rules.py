"""Where artillery, Corps Trains and depots go that the enemy comes next to (9.5, 9.8, 9.9, 24.5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, NamedTuple

import msgspec

from assistant.field import Around
from assistant.mechanics.tracing import CostField, radius
from assistant.questions import note
from assistant.state.state import Unit

from ...ground.hexsides import between, closed, uncrossed

GUNS, TRAIN, RAIL = 3, 3, 15
"""How far they go at most: artillery to a friend, a Corps Train from its hex, a depot along the RR line, in hexes."""
PRAGA, PRAGA_HEX = "PRAGA (Tannenberg)", "60.46"
"""The depot that comes off the map while Germans are next to its hex (24.5.2)."""
ALONE = "it is in an EZOC without a friendly combat unit"


class Refuge(msgspec.Struct, frozen=True):
    """A hex to which it may go."""

    hex: Annotated[str, note("its number")]
    way: Annotated[tuple[str, ...], note("the hexes to it, itself the last")]
    with_: Annotated[tuple[str, ...], note("the units that stand there")] = msgspec.field(default=(), name="with")


class DisplaceResult(msgspec.Struct, frozen=True, kw_only=True):
    """Where a unit goes."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex, empty off the map")]
    must: Annotated[bool, note("whether it has to go")]
    why: Annotated[str, note("what makes it or lets it stay")]
    refuges: Annotated[tuple[Refuge, ...], note("where it may go, in the order in which the rules prefer them")] = ()
    eliminated: Annotated[bool, note("whether it has to go and cannot")] = False
    removed: Annotated[bool, note("whether it is taken off the map until it may come back")] = False


class Surroundings(NamedTuple):
    """Where a displaced unit may find refuge.

    field: as its side sees it, the unit left out; friends: units of its side by hex; combat: hexes with friendly combat
    units.
    """

    field: Around
    friends: Mapping[str, tuple[str, ...]]
    combat: frozenset[str]

    @property
    def exposed(self) -> frozenset[str]:
        """The hexes in an EZOC where friends stand without a combat unit."""
        return (self.field.enemy_zones & self.field.friends) - self.combat

    def within(self, start: str, most: int) -> CostField:
        """The hexes within so many, by ways through no enemy, no EZOC, and nothing that cannot be crossed.
        Rule: 9.5.1, 9.8.1
        """
        view = self.field.view

        def crosses(here: str, there: str) -> bool:
            over = between(view, here, there)
            return not closed(over) and not uncrossed(over)

        shut = self.field.closed
        return radius([start], most, view.board.neighbours, enters=lambda hex: hex not in shut, crosses=crosses)

    def refuge(self, ways: CostField, hex: str) -> Refuge:
        """A hex that was reached, as a refuge."""
        return Refuge(hex, ways.line(hex)[1:], self.friends.get(hex, ()))


def stays(unit: Unit, why: str) -> DisplaceResult:
    """The result for a unit that need not go."""
    return DisplaceResult(unit=unit.id, place=unit.place or "", must=False, why=why)


def goes(unit: Unit, why: str, refuges: Iterable[Refuge] = (), *, or_lost: bool = True) -> DisplaceResult:
    """The result for a unit that has to go to one of its refuges, if it has any. or_lost: whether it is eliminated if not."""
    to = tuple(refuges)
    lost = or_lost and not to
    return DisplaceResult(unit=unit.id, place=unit.place or "", must=True, why=why, refuges=to, eliminated=lost)


def safe_where_it_is(unit: Unit, around: Surroundings, threatened: bool) -> str:
    """Why artillery or a Train may stay, "" if it may not. threatened: whether it is in an EZOC."""
    if unit.place in around.combat:
        return "a friendly combat unit is with it"
    return "" if threatened else "it is in no EZOC"


def guns(
    unit: Unit, around: Surroundings, threatened: bool, barred: str = "", friend: str = "nearest"
) -> DisplaceResult:
    """Where artillery goes that stands in an EZOC without a combat unit: to the nearest friendly unit within three hexes, or
    if there is none, or it has been displaced before, it is eliminated.

    barred: why it cannot displace, "" if it can; friend: the "nearest" whoever he is, or the nearest with whom it is "safe" as it
    need not go on from there, if there is one. Rule: 9.5, 9.5.1
    """
    if why := safe_where_it_is(unit, around, threatened):
        return stays(unit, why)
    if barred:
        return goes(unit, f"{ALONE}, and {barred.removeprefix('it ')}")
    ways = around.within(str(unit.place), GUNS)
    friends = [hex for hex, far in ways.cost.items() if far and hex in around.friends]
    if friend == "safe":
        friends = [hex for hex in friends if hex not in around.exposed] or friends
    nearest = min((ways.cost[hex] for hex in friends), default=0)
    near = [hex for hex in friends if ways.cost[hex] == nearest]
    near.sort(key=lambda hex: (hex not in around.combat, hex))  # where it need not go on from
    return goes(unit, ALONE, (around.refuge(ways, hex) for hex in near))


def train(unit: Unit, around: Surroundings, threatened: bool) -> DisplaceResult:
    """Where a Corps Train goes that stands in an EZOC without a combat unit: three hexes; fewer only if it cannot, and to a
    friendly combat unit; else it is eliminated. Rule: 9.8, 9.8.1, 9.8.1b
    """
    if why := safe_where_it_is(unit, around, threatened):
        return stays(unit, why)
    ways = around.within(str(unit.place), TRAIN)
    found = [hex for hex, far in ways.cost.items() if far == TRAIN]
    found = found or [hex for hex, far in ways.cost.items() if far and hex in around.combat]
    return goes(unit, ALONE, (around.refuge(ways, hex) for hex in sorted(found)))


def depot(unit: Unit, refuges: Sequence[Refuge], near: bool, stuck: str) -> DisplaceResult:
    """Whether a depot goes, as an enemy has come next to it, along the RR line; what becomes of one without a way is a ruling.

    refuges: where the line leads; near: whether an enemy is next to it; stuck: ruling depot-stuck. Rule: 9.9
    """
    return (
        goes(unit, "an enemy is next to it", refuges, or_lost=stuck == "lost")
        if near
        else stays(unit, "no enemy is next to it")
    )


def safe_stations(ways: CostField, around: Around) -> list[str]:
    """The hexes of a RR line where a depot may stop, the nearest first: with no enemy in them or next to them.
    Rule: 9.9
    """
    free = set(ways.cost) - around.enemies
    return sorted(
        (hex for hex in free if ways.cost[hex] and not around.next_to_enemy(hex)),
        key=lambda hex: (ways.cost[hex], hex),
    )


def praga(unit: Unit, germans: bool) -> DisplaceResult:
    """What becomes of the PRAGA depot of the Tannenberg scenario: it is off the map while a German unit is next to its hex, and
    there again the moment none is. germans: whether one is. Rule: 24.5.2
    """
    why = f"{'a' if germans else 'no'} German unit is next to {PRAGA_HEX}"
    if germans == (unit.place is None):
        return stays(unit, why)
    back = () if germans else (Refuge(PRAGA_HEX, (PRAGA_HEX,)),)
    return msgspec.structs.replace(goes(unit, why, back, or_lost=False), removed=germans)
