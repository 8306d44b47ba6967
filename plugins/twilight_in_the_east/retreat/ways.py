"""Retreats hex by hex: the hexes around a stack, their bars, priorities, and costs (11.2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from assistant.asking import View, note, step
from assistant.asking.permission import Clause
from assistant.rules.field import HexBar, HexOption, bar_of
from assistant.rules.field.search import whole_ways

from ..combat.engagement import Cause, WayPolicy
from ..combat.garrisons import garrison_move, is_inside
from ..combat.retreat_ground import RetreatGround, closed_around, way_in
from ..forces.losses import bearers
from ..forces.units import Force, is_of_fischer
from ..ground.hexsides import leads_to_box
from ..terms import BUKOWINA_BOX, DEPOTS, OFF_MAP

MOUNTAIN_GUNS = frozenset({"GAR.3", "GAR.8", "GAR.14"})
"""The artillery units that retreat over mountains."""
MAX_CERTAIN_LEVEL_HEXES = 3
"""The maximum number of unoccupied hexes in EZOCs that cost a level each by any reading of the rule (11.2.5)."""
SOURCE_WORDS = {"every": "every", "nearest": "the nearest"}
EZOC_RULE = "11.2.5"
"""The rule of the costs of EZOCs."""


class ForceRetreat(msgspec.Struct, frozen=True):
    """The cost of a retreat to a Force."""

    force: Annotated[str, note("the Force, named by its first unit")]
    levels: Annotated[int, note("Combat Effectiveness Levels that the Force loses")] = 0
    steps: Annotated[int, note("steps that the Force loses, those instead of levels included")] = 0
    guns: Annotated[tuple[str, ...], note("artillery units eliminated")] = ()
    destroyed: Annotated[tuple[str, ...], note("units of Fischer destroyed because they had to leave Bukowina")] = ()
    eliminated: Annotated[bool, note("whether nothing is left of the Force, or only artillery")] = False
    zones: Annotated[int, note("unoccupied hexes in EZOCs that the Force has entered")] = 0
    converted: Annotated[
        int, note("Combat Effectiveness Levels that the Force could not lose, so that they became steps")
    ] = 0


class RetreatHex(HexOption, frozen=True, kw_only=True):
    """A hex adjacent to the present hex of the stack."""

    zone: Annotated[bool, note("whether it is in an EZOC with no friendly unit")] = False
    river: Annotated[bool, note("whether an un-bridged Major or Grand River is crossed, a ferry included")] = False
    mountains: Annotated[bool, note("whether artillery is lost in mountains, along no road or RR line")] = False
    distance: Annotated[int, note("hexes from the hex that is left")] = 0
    in_area: Annotated[bool | None, note("whether it is in its army's Area of Attachment, null if not stated")] = None
    friendly: Annotated[bool | None, note("whether the side controls it, null if not stated")] = None
    to_supply: Annotated[int, note("hexes to the nearest supply source of its commands, 0 if none is known")] = 0
    leaves: Annotated[
        bool, note("whether the stack leaves the map for good: over its edge, or into Romania; it is not eliminated")
    ] = False
    outside: Annotated[bool, note("whether the units of Fischer are destroyed, as it lies outside Bukowina")] = False
    unsaid: Annotated[tuple[str, ...], note("what is not stated and assumed to be open")] = ()
    costs: Annotated[
        tuple[ForceRetreat, ...], note("what entering it next costs each Force of a retreating stack that may")
    ] = ()

    def unless(self, *clauses: Clause) -> RetreatHex:
        """Return the hex, barred by the first clause that holds unless it is barred already."""
        bar = None if self.barred else bar_of(clauses)
        return replace(self, rule=bar.rule, barred=bar.why) if bar else self

    @property
    def is_safe(self) -> bool:
        """Whether the hex is the Holding Box, where a retreat ends however many hexes were owed. Rule: 23.4.1"""
        return self.hex == BUKOWINA_BOX

    @property
    def is_last(self) -> bool:
        """Whether a retreat ends here however many hexes were owed: in the Holding Box, or off the map.

        Rule: 1.2.2b, 23.4.1
        """
        return self.is_safe or self.leaves


class Charge(msgspec.Struct, frozen=True):
    """The cost to each Force of the stack from one cause."""

    rule: Annotated[str, note("the rule that sets the cost")]
    why: Annotated[str, note("the reason for the cost, with the hex")]
    levels: Annotated[int, note("Combat Effectiveness Levels")] = 0
    steps: Annotated[int, note("steps")] = 0
    guns: Annotated[bool, note("whether all artillery units are eliminated")] = False
    mountains: Annotated[bool, note("whether artillery units that cannot cross mountains are eliminated")] = False
    fischer: Annotated[bool, note("whether the units of Fischer are destroyed")] = False


def charges(way: Sequence[RetreatHex], levels: str = "one", earlier: int = 0) -> tuple[Charge, ...]:
    """Return the costs of the hexes of a way, in order.

    They are for unoccupied hexes in EZOCs by their number, un-bridged Major or Grand Rivers, mountains, and for
    Fischer's units leaving Bukowina.

    `levels`: whether the third and all further hexes in EZOCs cost "one" level together, or one "each".
    `earlier`: unoccupied hexes in EZOCs entered in an earlier retreat.

    Rule: 11.2.4b, 11.2.4c, 11.2.5b, 11.2.5c, 11.2.5d
    """
    charged = list[Charge]()
    zones = earlier
    for entered in way:
        charged += charges_of_province(entered)
        if entered.river:
            why = f"over an un-bridged Major or Grand River into {entered.hex}"
            charged.append(Charge("11.2.4", why, levels=1, guns=True))
        if entered.mountains:
            charged.append(Charge("11.2.4", f"through mountains into {entered.hex}", mountains=True))
        if entered.zone:
            zones += 1
            why = f"{_format_ordinal(zones)} unoccupied hex in an EZOC ({entered.hex})"
            level = zones <= MAX_CERTAIN_LEVEL_HEXES or levels == "each"
            charged.append(Charge(EZOC_RULE, why, int(level), steps=int(zones >= 2), guns=zones == 2))
    return tuple(charged)


def _format_ordinal(number: int) -> str:
    """Return the ordinal of a number, as a word up to sixth."""
    words = ("", "first", "second", "third", "fourth", "fifth", "sixth")
    return words[number] if number < len(words) else f"{number}th"


def charges_of_province(entered: RetreatHex) -> list[Charge]:
    """Return the charge that destroys the units of Fischer in a hex outside Bukowina, or an empty list. Rule: 23.3"""
    if not entered.outside:
        return []
    place = "the place off the map" if entered.hex == OFF_MAP else entered.hex
    return [Charge("23.3", f"no hex in Bukowina is open, and {place} lies outside", fischer=True)]


def units_destroyed(force: Force, costs: Sequence[Charge]) -> tuple[str, ...]:
    """Return the units of a Force that charges destroy because they had to leave Bukowina. Rule: 23.3"""
    if not any(charge.fischer for charge in costs):
        return ()
    return tuple(unit.id for unit in force.units if is_of_fischer(unit.id, unit.corps))


class Unable(msgspec.Struct, frozen=True):
    """The fate of a Force that cannot retreat all its hexes."""

    surrenders: bool = False
    """Whether the Force surrenders, and so is eliminated."""
    costs: tuple[Charge, ...] = ()
    """Costs if the Force does not surrender."""


def unable_to_retreat(owed: int, way: Sequence[RetreatHex], cause: Cause, before: int = 0) -> Unable:
    """Return the fate of a Force that can go no farther.

    It surrenders if the CRT makes it retreat and it has not retreated one hex. Otherwise it loses a step and a level
    for each hex that it still owes. A Force in the Holding Box or off the map owes none.

    `owed`: hexes owed when the way began.
    `before`: hexes retreated earlier.

    Rule: 11.2.6a, 11.2.6b
    """
    short = owed - len(way)
    if short <= 0 or (way and way[-1].is_last):
        return Unable()
    if cause == "crt" and not way and not before:
        return Unable(surrenders=True)
    return Unable(costs=(Charge("11.2.6", f"{short} of {owed} hexes not retreated", levels=short, steps=short),))


def charges_of_withheld(costs: Sequence[Charge]) -> tuple[Charge, ...]:
    """Return the charges for EZOCs, the only ones for units withheld from the combat. Rule: 10.1.5f"""
    return tuple(charge for charge in costs if charge.rule == EZOC_RULE)


def pay_charges(force: Force, costs: Sequence[Charge]) -> tuple[Charge, ...]:
    """Return the charges as a Force pays them, in order.

    A level becomes a step for lone Asset Units, and for a Force that is Demoralized from the start or on the way.

    Rule: 11.2.4b, 11.2.4c, 11.2.5a, 6.4.2
    """
    formation = force.formation
    paid = list[Charge]()
    can = 4 - formation.levels if formation and not formation.disorder else 0
    for charge in costs:
        levels = min(charge.levels, can)
        can -= levels
        paid.append(replace(charge, levels=levels, steps=charge.steps + charge.levels - levels))
    return tuple(paid)


def apply_charges(force: Force, costs: Sequence[Charge]) -> ForceRetreat:
    """Return the total cost of charges to a Force. Rule: 11.2.4b, 11.2.4c, 11.2.5a, 6.4.2"""
    paid = pay_charges(force, costs)
    levels = sum(charge.levels for charge in paid)
    steps = sum(charge.steps for charge in paid)
    destroyed = units_destroyed(force, costs)
    left = sum(unit.left for unit in bearers(force) if unit.id not in destroyed)
    guns = [unit.id for unit in force.units if unit.arm == "artillery"]
    lost = [gun for gun in guns if any(cost.guns or (cost.mountains and gun not in MOUNTAIN_GUNS) for cost in costs)]
    return ForceRetreat(
        force=force.name,
        levels=levels,
        steps=min(steps, left),
        guns=tuple(lost),
        destroyed=destroyed,
        eliminated=steps >= left,
        zones=sum(charge.rule == EZOC_RULE for charge in costs),
        converted=sum(charge.levels for charge in costs) - levels,
    )


def apply_levels(force: Force, costs: Sequence[Charge]) -> Force | None:
    """Return a Force after the levels and units that charges cost it, or None if they eliminate it.

    Steps are not yet deducted.
    """
    lost = apply_charges(force, costs)
    if lost.eliminated:
        return None
    units = (replace(unit, levels=unit.levels + lost.levels) if unit.formation else unit for unit in force.units)
    return Force(force.name, tuple(unit for unit in units if unit.id not in (*lost.guns, *lost.destroyed)))


def price_for(force: Force, before: Sequence[Charge], after: Sequence[Charge]) -> ForceRetreat:
    """Return the cost to a Force of a hex that may be entered next.

    `before`, `after`: charges of the route without the hex and with it.
    """
    paid = pay_charges(force, after)[len(before) :]
    lost = apply_charges(force, after)
    earlier = apply_charges(force, before)
    guns = tuple(gun for gun in lost.guns if gun not in earlier.guns)
    destroyed = tuple(unit for unit in lost.destroyed if unit not in earlier.destroyed)
    levels = sum(charge.levels for charge in paid)
    steps = sum(charge.steps for charge in paid)
    zones = sum(cost.rule == EZOC_RULE for cost in paid)
    return ForceRetreat(force.name, levels, steps, guns, destroyed, lost.eliminated, zones)


def _is_farther(before: Sequence[int], after: Sequence[int], sources: str = "every") -> bool:
    """Return whether "every" supply source is farther, or only the "nearest".

    `before`, `after`: hexes to each source, in one order.
    """
    if sources == "nearest":
        return bool(before) and min(after) > min(before)
    return bool(before) and all(now > then for then, now in zip(before, after, strict=True))


def supply_charges(
    view: View,
    sources: Sequence[tuple[str, str]],
    name: str,
    places: tuple[str, str],
    hexes: tuple[int, int],
    *,
    fortress: bool,
) -> tuple[Charge, ...]:
    """Return the charges of a Force that ends farther from every known supply source of its command.

    `sources`: the hex of each source before the combat, and now, as Corps Trains retreat too.
    `name`: the name of the Force.
    `places`: the hex of the Force in the combat, and now.
    `hexes`: the hexes to retreat by combat results, and away from a Repulse.
    `fortress`: whether a friendly fortress unit is where the Force ends.

    Rule: 11.2.3
    """
    if sum(hexes) < 2:
        return ()
    if not view.board.is_hex(places[1]):
        text = (
            "{unit} ends off the map in the {box}, where it is In Supply: "
            "no distance from its supply sources is measured"
        )
        view.premises.assume(step("23.4", text, unit=name, box=places[1]))
        return ()
    if not view.word("army", name) and any(view.word("arm", unit.id) in DEPOTS for unit in view.units()):
        view.premises.assume(step("11.2.3", "the army of {unit} is not stated, so its depots are left out", unit=name))
    if not sources:
        text = "no supply source of {unit}'s command is known: whether it ends farther from all is left to the players"
        view.premises.assume(step("11.2.3", text, unit=name))
        return ()
    before = [view.board.distance(then, places[0]) for then, _ in sources]
    after = [view.board.distance(now, places[1]) for _, now in sources]
    doubtful = not fortress and _is_farther(before, after, "nearest") and not _is_farther(before, after)
    reading = view.ruling("away-from-supply", doubtful)
    charged = farther_from_supply(before, after, sum(hexes), reading, in_fortress=fortress)
    if charged and hexes[0] < 2 and view.ruling("repulsed-from-supply") == "spared":
        return ()
    return charged


def farther_from_supply(
    before: Sequence[int], after: Sequence[int], owed: int, sources: str = "every", *, in_fortress: bool
) -> tuple[Charge, ...]:
    """Return the charge of a level for a Force that ends farther from its supply sources.

    Only a Force that had to retreat two hexes or more pays. Returns () without a charge.

    `before`, `after`, `sources`: as in `_is_farther`.
    `in_fortress`: whether the Force ends with a friendly fortress unit.

    Rule: 11.2.3, 12.1.1
    """
    if owed < 2 or in_fortress or not _is_farther(before, after, sources):
        return ()
    return (Charge("11.2.3", f"farther from {SOURCE_WORDS[sources]} supply source of its command", levels=1),)


UNDER_CONTROL = "under the control of its side"
PRIORITIES = ("farther from the combat", "not outside the army's area", UNDER_CONTROL, "nearer to supply")
"""Advantages of a hex over others, the first priority first (11.2.2)."""


def priorities(hex: RetreatHex) -> tuple[Any, ...]:
    """Return the sort key of a hex by distance, area, control and way to supply, lowest for the best. Rule: 11.2.2"""
    return -hex.distance, hex.in_area is False, hex.friendly is not True, hex.to_supply


def best_first(hex: RetreatHex) -> tuple[Any, ...]:
    """Return the sort key of a hex by the priorities, with EZOCs after equal hexes. Rule: 11.2.2, 11.2.2a"""
    return *priorities(hex), hex.zone


def may_pass_over(entered: RetreatHex, option: RetreatHex) -> Iterator[Clause]:
    """Yield the reasons that allow the owner to pass over an adjacent hex despite the priorities.

    `entered`: the hex that the owner enters instead.

    Rule: 11.2.2a
    """
    yield option.barred, "11.2.2", "it is not open"
    yield option.is_last, "11.2.2", "it is the Holding Box, or off the map"
    yield option.zone and not entered.zone, "11.2.2", "it is in an EZOC, which he may avoid"


def hex_passed_over(entered: RetreatHex, options: Iterable[RetreatHex]) -> tuple[str, str] | None:
    """Return the open hex that the priorities prefer to the one entered, and the deciding priority.

    Returns None if there is no such hex. A hex whose control is not stated breaks no priority.

    Rule: 11.2.2
    """
    if entered.is_last:
        return None
    better = [option for option in options if not bar_of(may_pass_over(entered, option))]
    best = min(better, key=best_first, default=entered)
    for why, own, its in zip(PRIORITIES, priorities(entered), priorities(best), strict=True):
        if own != its:
            is_unknown = why == UNDER_CONTROL and entered.friendly is None
            return (best.hex, why) if own > its and not is_unknown else None
    return None


class WayBack(msgspec.Struct, frozen=True):
    """The position of a stack in its retreat, and the ground as the stack finds it."""

    ground: RetreatGround
    here: str
    before: str = ""
    """The hex that the stack has just left, or "" at the start."""

    @property
    def around(self) -> tuple[RetreatHex, ...]:
        """The hexes around the stack, the open ones first, and the best first among them.

        The Holding Box and the way off the map are among them where possible. A Fortress Garrison may not leave its
        complex while a hex of the complex is open (12.4.1).
        """
        known: dict[Hashable, tuple[RetreatHex, ...]] = self.ground.terrain.around
        if self not in known:
            closed = closed_around(self.ground, self.here, self.before)
            hexes = self._keep_garrison([self._judge_hex(there, bar) for there, bar in closed.items()])
            hexes += self._into_the_box()
            hexes += self._over_the_edge(hexes)
            known[self] = tuple(sorted(hexes, key=lambda hex: (bool(hex.barred), best_first(hex))))
        return known[self]

    @property
    def open(self) -> tuple[RetreatHex, ...]:
        """The hexes that are open next, the best of them first."""
        return tuple(hex for hex in self.around if not hex.barred)

    @property
    def leads_to_box(self) -> bool:
        """Whether the stack may retreat into the Holding Box."""
        return leads_to_box(self.here, self.ground.nations)

    def after(self, way: Iterable[RetreatHex]) -> WayBack:
        """Return the position of the stack some hexes farther."""
        *_, before, here = (self.before, self.here, *(hex.hex for hex in way))
        return WayBack(self.ground, here, before)

    def _into_the_box(self) -> list[RetreatHex]:
        """Return the Holding Box if Austro-Hungarians in a half-hex may retreat into it, else []. Rule: 23.4, 23.4.1"""
        if not self.leads_to_box:
            return []
        return [
            RetreatHex(BUKOWINA_BOX, distance=self.ground.distance(self.ground.origin, self.here) + 1, friendly=True)
        ]

    def _over_the_edge(self, hexes: Iterable[RetreatHex]) -> list[RetreatHex]:
        """Return the way over an edge of the map, or an empty list if the stack may not take it.

        It may if no hex on the map is open, or if the players allow it anyway.

        `hexes`: the other hexes around.

        Rule: 1.2.2b
        """
        ground = self.ground
        goes = ground.may_leave or all(hex.barred or hex.leaves for hex in hexes)
        at_edge = goes and not self.leads_to_box and ground.terrain.is_at_edge(self.here)
        return [RetreatHex(OFF_MAP, leaves=True, outside=ground.fischer)] if at_edge else []

    def _keep_garrison(self, hexes: list[RetreatHex]) -> list[RetreatHex]:
        """Return the hexes around as a Fortress Garrison finds them."""
        if not self.ground.garrisoned:
            return hexes
        within = {hex.hex for hex in hexes if is_inside(self.ground.view, self.here, hex.hex)}
        can_stay = any(hex.hex in within and not hex.barred for hex in hexes)
        keeps = garrison_move(inside=False, required=True, can_stay=can_stay) == "barred"
        why = "a hex of the Fortress Garrison's complex is open"
        return [hex.unless((keeps and hex.hex not in within, "12.4.1", why)) for hex in hexes]

    def _judge_hex(self, there: str, barred: HexBar | None) -> RetreatHex:
        """Return an adjacent hex with its properties.

        `barred`: the bar that closes it, or None.
        """
        ground, terrain = self.ground, self.ground.terrain
        over = terrain.passage(self.here, there)
        control = ground.side if there in ground.friends else terrain.controller(there)
        in_areas = [None if area is None else there in area for area in ground.areas]
        return RetreatHex(
            there,
            *(barred or ()),
            zone=in_enemy_zone(ground, there),
            river=over.river,
            mountains=over.mountains,
            distance=ground.distance(ground.origin, there),
            in_area=None if None in in_areas else all(in_areas),
            friendly=None if control is None else control == ground.side,
            leaves=terrain.is_off_map(there),
            outside=ground.fischer and self._lies_outside(there),
            to_supply=min((ground.distance(source, there) for source in ground.sources), default=0),
            unsaid=over.unsaid,
        )

    def _lies_outside(self, there: str) -> bool:
        """Return whether the stack leaves Bukowina by entering a hex. Rule: 23.3"""
        return self.ground.terrain.is_off_map(there) or way_in(self.ground, self.here, there).leaves_bukowina


def in_enemy_zone(ground: RetreatGround, hex: str) -> bool:
    """Return whether a hex counts as in an EZOC; friends in it negate the EZOC. Rule: 11.2.5"""
    return hex in ground.enemy_zones and hex not in ground.friends


Price = tuple[Any, ...]


class Stakes(msgspec.Struct, frozen=True):
    """The facts of a stack that decide the price of its way."""

    owed: int
    """Hexes that must be retreated in all."""
    guns: bool
    """Whether the stack has artillery."""
    in_mountains: bool
    """Whether mountains would cost the stack artillery."""
    earlier: int = 0
    """Unoccupied hexes in EZOCs that count from an earlier retreat."""


def price(way: tuple[RetreatHex, ...], stakes: Stakes) -> Price:
    """Return the sort key of a way by its costs (11.2.4, 11.2.5).

    In this order: units lost for good off the map or out of their province, hexes not retreated, steps of each Force.
    Then artillery, levels, and the rank of each hex by the priorities.
    """
    gone = sum(hex.leaves or hex.outside for hex in way)
    zones = stakes.earlier + sum(hex.zone for hex in way)
    rivers = sum(hex.river for hex in way)
    short = 0 if way and way[-1].is_last else stakes.owed - len(way)
    over_mountains = stakes.in_mountains and any(hex.mountains for hex in way)
    lost_guns = (stakes.guns and (zones >= 2 or rivers > 0)) or over_mountains
    levels = min(zones, MAX_CERTAIN_LEVEL_HEXES) + rivers
    return gone, short, max(zones - 1, 0), lost_guns, levels, *(best_first(hex) for hex in reversed(way))


def order_hexes(
    way_back: WayBack, walked: tuple[RetreatHex, ...], stakes: Stakes, policy: WayPolicy
) -> tuple[RetreatHex, ...]:
    """Return the hexes that are open next, in the order of a policy.

    `walked`: hexes entered so far.
    """
    options = way_back.open
    if policy == "priorities" or len(options) < 2:
        return options

    def onward(way: tuple[RetreatHex, ...]) -> tuple[RetreatHex, ...]:
        return () if len(walked) + len(way) >= stakes.owed or way[-1].is_last else way_back.after(way).open

    def find_least_price(hex: RetreatHex) -> Price:
        return min(price((*walked, *way), stakes) for way in whole_ways((hex,), onward))

    known: dict[Hashable, tuple[RetreatHex, ...]] = way_back.ground.terrain.around
    key = way_back, walked, stakes
    if key not in known:
        known[key] = tuple(sorted(options, key=find_least_price))
    return known[key]


def hexes_to_room(
    way_back: WayBack, fits: Callable[[str], bool], max_hexes: int = 3, *, off: bool = False
) -> tuple[int, tuple[RetreatHex, ...]]:
    """Return the distance to the nearest hex with room, and the next hexes on the ways there (4.2.3).

    The distance is 0 if no hex with room lies within `max_hexes`.

    `off`: whether a way off the map counts as having room.
    """
    ways: list[tuple[RetreatHex, ...]] = [()]
    for far in range(1, max_hexes + 1):
        longer = ((*way, hex) for way in ways for hex in way_back.after(way).open)
        ways = [way for way in longer if off or not way[-1].leaves]
        near = dict.fromkeys(way[0] for way in ways if fits(way[-1].hex))
        if near:
            return far, tuple(near)
    return 0, ()


def ways_to_room(way_back: WayBack, fits: Callable[[str], bool]) -> tuple[RetreatHex, ...]:
    """Return the next hexes on the ways to the nearest hex with room.

    Returns () if the units stay and over-stack their hex. Ways off the map count, by ruling excess-off-map, only if no
    other leads to room.

    Rule: 4.2.3b, 1.2.2b
    """
    on_map = hexes_to_room(way_back, fits)[1]
    if on_map:
        return on_map
    leading_off = hexes_to_room(way_back, fits, off=True)[1]
    return leading_off if leading_off and excess_leaves(way_back.ground.view) else ()


def smallest_groups(names: Sequence[str], may_go_on: Callable[[Collection[str]], bool]) -> list[tuple[str, ...]]:
    """Return the smallest groups of Forces that may go on from a hex that cannot hold all, or an empty list.

    Groups with the last Forces come first.

    `may_go_on`: returns whether a group may go on: it has a hex to go to, and the hex left then holds the others.

    Rule: 11.2.1
    """
    for count in range(1, len(names) + 1):
        groups = combinations(reversed(names), count)
        if found := [tuple(name for name in names if name in group) for group in groups if may_go_on(group)]:
            return found
    return []


def excess_leaves(view: View) -> bool:
    """Return whether units leave the map if neither the last hex of their retreat nor any other has room.

    Rule: 4.2.3b, 1.2.2b
    """
    return view.ruling("excess-off-map") == "leaves"
