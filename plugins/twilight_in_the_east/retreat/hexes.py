"""The hexes around a stack that retreats: what bars each, in which order the priorities put them, and the way that costs least (11.2)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from assistant.field import Barred
from assistant.questions import Gather, InputError

from ..combat.engagement import WayPolicy
from ..combat.pieces import Ground, Passage, through_mountains
from ..fortresses.garrisons import garrison_move, is_inside, known_inside
from ..ground.entry import HIGH_MOUNTAIN, Entry, entry_bar, leads_to_box
from ..ground.hexsides import back, between, cell_of_high_mountain, needs_chart
from ..terms import BUKOWINA_BOX, GREAT_RIVERS
from .cost import LEVELS, RetreatHex
from .stack import Retreat

PRIORITIES = ("farther from the combat", "not outside the army's area", "known to be under control", "nearer to supply")
"""What puts a hex before others, the first priority first (11.2.2)."""

ABANDONED = "an enemy stood there at the moment of combat and left by a retreat"


def priorities(hex: RetreatHex) -> tuple[Any, ...]:
    """What sorts hexes: the distance, the area, control, and the way to supply; the best first. Rule: 11.2.2"""
    return -hex.distance, hex.in_area is False, hex.friendly is not True, hex.to_supply


def best_first(hex: RetreatHex) -> tuple[Any, ...]:
    """What sorts hexes by the priorities, and of those that are alike puts an EZOC last. Rule: 11.2.2, 11.2.2a"""
    return *priorities(hex), hex.zone


def passed_over(entered: RetreatHex, options: Iterable[RetreatHex]) -> tuple[str, str] | None:
    """The open hex that the priorities put before the one that is entered, and the first of them that does; None if none does. No
    hex in an EZOC comes before one outside, as the owner may avoid EZOCs; nor does the Holding Box, which he may enter or not.
    Rule: 11.2.2, 11.2.2a
    """
    if entered.is_safe:
        return None
    open_ones = (one for one in options if not one.barred and not one.is_safe and (entered.zone or not one.zone))
    best = min(open_ones, key=best_first, default=entered)
    own, first = priorities(entered), priorities(best)
    if own <= first:
        return None
    return best.hex, next(why for why, ours, its in zip(PRIORITIES, own, first, strict=True) if ours != its)


def enter_hex(facts: Gather, retreat: Retreat, leg: tuple[str, str, str]) -> tuple[RetreatHex, tuple[RetreatHex, ...]]:
    """A hex of the way, every fact that it needs being asked for, and all hexes around the one before.

    leg: the hex before the one that is left, "" at the start, that one, and the one that is entered. Raises InputError for one that
    is not next to the hex before.
    """
    before, here, there = leg
    around_here = retreat.ground.terrain.neighbours(here)
    if there == BUKOWINA_BOX and leads_to_box(here, retreat.ground.nations):
        options = look_around(retreat.ground, here, before)
        return next(hex for hex in options if hex.hex == there), options
    if there not in around_here:
        raise InputError(f"way: {there} is not next to {here}", hint="name every hex that is entered, in order")
    for place in around_here if retreat.garrisoned else ():
        known_inside(facts, here, place)
        known_inside(facts, retreat.parameters.at, place)
    over = between(facts, here, there)
    if through_mountains(over) and any(unit.arm == "artillery" for unit in retreat.units):
        for track in ("road", "rail"):
            over.word(track)
    if GREAT_RIVERS & over.lies and not over.linked:
        over.word("crossing")
    if needs_chart(over) or needs_chart(back(over)):
        facts.cell(*cell_of_high_mountain(facts.integer("turn")))
    options = look_around(retreat.ground, here, before)
    return next(hex for hex in options if hex.hex == there), options


def look_around(ground: Ground, here: str, before: str = "") -> tuple[RetreatHex, ...]:
    """The hexes around, those that are open first, the best of them first, and the Holding Box where one leads into it. A stack with a
    Fortress Garrison is barred from leaving its complex while a hex of it is open (12.4.1).

    before: the hex that the stack has just left, "" at the start.
    """
    known: dict[Hashable, tuple[RetreatHex, ...]] = ground.terrain.around
    key = ground, here, before
    if key not in known:
        hexes = [looked_at(ground, here, there) for there in ground.terrain.neighbours(here)]
        hexes = within_complex(ground, here, rather_than_none(way_back_shut(ground, hexes, before)))
        hexes += into_the_box(ground, here)
        known[key] = tuple(sorted(hexes, key=lambda hex: (bool(hex.barred), best_first(hex))))
    return known[key]


def into_the_box(ground: Ground, here: str) -> list[RetreatHex]:
    """The Holding Box, where Austro-Hungarians in a half-hex may retreat into it; beyond the map no enemy, zone or river is met.
    Rule: 23.4, 23.4.1
    """
    if not leads_to_box(here, ground.nations):
        return []
    return [RetreatHex(BUKOWINA_BOX, distance=ground.distance(ground.origin, here) + 1, friendly=True)]


def within_complex(ground: Ground, here: str, hexes: list[RetreatHex]) -> list[RetreatHex]:
    """The hexes around as a Fortress Garrison finds them."""
    if not ground.garrisoned:
        return hexes
    within = {hex.hex for hex in hexes if is_inside(ground.view, here, hex.hex)}
    can_stay = any(hex.hex in within and not hex.barred for hex in hexes)
    if garrison_move(inside=False, required=True, can_stay=can_stay) != "barred":
        return hexes
    why = "a hex of the Fortress Garrison's complex is open"
    leaving = [hex for hex in hexes if hex.hex not in within and not hex.barred]
    return [replace(hex, rule="12.4.1", barred=why) if hex in leaving else hex for hex in hexes]


def rather_than_none(hexes: list[RetreatHex]) -> list[RetreatHex]:
    """The hexes around where none is open: what enemies have left is open rather than being unable to retreat. Rule: 11.2.2b"""
    if not all(hex.barred for hex in hexes):
        return hexes
    return [replace(hex, rule="", barred="") if hex.barred == ABANDONED else hex for hex in hexes]


def way_back_shut(ground: Ground, hexes: list[RetreatHex], before: str) -> list[RetreatHex]:
    """The hexes around without the one that the stack has just left, by the usual reading of ruling way-back."""
    if ground.turns_back or not before:
        return hexes
    why = "the stack has just left it"
    return [replace(hex, rule="11.2.2", barred=hex.barred or why) if hex.hex == before else hex for hex in hexes]


def looked_at(ground: Ground, here: str, there: str) -> RetreatHex:
    """A hex next to another one, as far as it is known: whether it can be entered, and what counts in it."""
    terrain, over = ground.terrain, ground.terrain.passage(here, there)
    control = terrain.controller(there)
    in_areas = [None if area is None else there in area for area in ground.areas]
    return RetreatHex(
        there,
        *(bar_of(ground, there, over) or ()),
        zone=in_enemy_zone(ground, there),
        river=over.river,
        mountains=over.mountains,
        distance=ground.distance(ground.origin, there),
        in_area=None if None in in_areas else all(in_areas),
        friendly=None if control is None else control == ground.side,
        to_supply=min((ground.distance(source, there) for source in ground.sources), default=0),
        unsaid=over.unsaid,
    )


def in_enemy_zone(ground: Ground, hex: str) -> bool:
    """Whether a hex counts as one in an EZOC, which friends in it negate. Rule: 11.2.5"""
    return hex in ground.enemy_zones and hex not in ground.friends


def bar_of(ground: Ground, there: str, over: Passage) -> Barred | None:
    """What bars a hex, None if nothing does. over: what the way into it means. Rule: 4.2b, 11.2.2b, 11.2.4a"""
    shut = over.shut
    into = shut == HIGH_MOUNTAIN or (bool(shut) and over.into_sea)
    if barred := entry_bar(Entry(there, ground.nations, there in ground.enemies, shut, "11.2.4", into)):
        return barred
    return Barred("11.2.2", ABANDONED) if there in ground.abandoned else None


Price = tuple[Any, ...]


def open_around(ground: Ground, here: str, before: str) -> tuple[RetreatHex, ...]:
    """The hexes that are open next, the best of them first."""
    return tuple(hex for hex in look_around(ground, here, before) if not hex.barred)


class Progress(NamedTuple):
    """How far a stack has come. walked: the hexes entered so far; here, before: the hex where it is, and the one that it has just left,
    "" at the start."""

    walked: tuple[RetreatHex, ...]
    here: str
    before: str

    def on(self, hex: RetreatHex) -> Progress:
        """The same a hex farther."""
        return Progress((*self.walked, hex), hex.hex, self.here)


class Stakes(NamedTuple):
    """What a way is judged by. owed: hexes that have to be retreated in all; guns: whether there is artillery to lose; earlier:
    unoccupied hexes in EZOCs that count from an earlier retreat."""

    owed: int
    guns: bool
    earlier: int = 0


def price(way: tuple[RetreatHex, ...], stakes: Stakes) -> Price:
    """What a way costs, to be compared with others: hexes not retreated, steps of each Force, artillery, levels; then, hex by hex, how the
    priorities rank it (11.2.4, 11.2.5).
    """
    zones = stakes.earlier + sum(hex.zone for hex in way)
    rivers = sum(hex.river for hex in way)
    short = 0 if way and way[-1].is_safe else stakes.owed - len(way)
    lost_guns = stakes.guns and (zones >= 2 or rivers > 0 or any(hex.mountains for hex in way))
    levels = min(zones, LEVELS) + rivers
    return short, max(zones - 1, 0), lost_guns, levels, *(best_first(hex) for hex in reversed(way))


def ordered(ground: Ground, progress: Progress, stakes: Stakes, policy: WayPolicy) -> tuple[RetreatHex, ...]:
    """The hexes that are open next in the order in which a policy takes them."""
    options = open_around(ground, progress.here, progress.before)
    if policy == "priorities" or len(options) < 2:
        return options
    known: dict[Hashable, tuple[RetreatHex, ...]] = ground.terrain.around
    key = ground, progress, stakes
    if key not in known:
        known[key] = tuple(sorted(options, key=lambda hex: least(ground, progress.on(hex), stakes)))
    return known[key]


def least(ground: Ground, progress: Progress, stakes: Stakes) -> Price:
    """The price of the cheapest way that begins with the hexes entered so far."""
    more = len(progress.walked) < stakes.owed
    options = open_around(ground, progress.here, progress.before) if more else ()
    if not options:
        return price(progress.walked, stakes)
    return min(least(ground, progress.on(hex), stakes) for hex in options)


def hexes_to_room(
    ground: Ground, here: str, before: str, fits: Callable[[str], bool], most: int = 3
) -> tuple[int, tuple[RetreatHex, ...]]:
    """How many hexes farther the nearest hex lies that has room, 0 if none lies within reach, and the next hexes on such ways
    (4.2.3).
    """
    options = open_around(ground, here, before)
    near = tuple(hex for hex in options if fits(hex.hex))
    if near or most == 1:
        return int(bool(near)), near
    far = {hex: hexes_to_room(ground, hex.hex, here, fits, most - 1)[0] for hex in options}
    best = min((number for number in far.values() if number), default=0)
    return (best + 1 if best else 0), tuple(hex for hex, number in far.items() if number and number == best)
