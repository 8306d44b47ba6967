"""A slow and plain reckoning of marches in "1914, Twilight in the East", to test a clever one against.

Written from the rulebook alone; the numbers in docstrings and comments are its. A world is a plain dictionary:

turn, weather, campaign, phase (movement or counter-movement), side: of those who move; units: by name a dictionary
with place, nation, arm, size, and where they matter asset, reduced, movement, spent, prepared; hexes: by number a
dictionary with terrain, escarpment, ip, control; between: by pair of hexes a dictionary with barrier (a set), road,
rail, crossing, spur, causeway, crossed; costs: by feature of the Terrain Effects Chart in force Movement Points, None
where it prohibits; rulings: readings other than the usual ones, of ezoc-leaving (once), ezoc-position (combat) and
causeway-cost (added); movers: those who move together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from ...making.hexes import neighbours

World = dict[str, Any]
Unit = dict[str, Any]
Leaving = dict[str, str]
"""Units with the hexes where a stack leaves them, or takes them up."""

SIDES = {"german": "central-powers", "austro-hungarian": "central-powers", "russian": "russian"}
COMBAT = ("infantry", "cavalry")
SUPPLY = ("corps-train", "minor-depot", "major-depot")
RIVERS = ("minor-river", "major-river", "grand-river")
CLOSED = {"lake", "sea", "impassable"}
HALF = Fraction(1, 2)
FORCED = {"infantry": 3, "cavalry": 6}


class Bar(NamedTuple):
    """What closes a hex to those who move: the rule."""

    rule: str


class Points(NamedTuple):
    """What a step or a way costs: for the ground and for the enemy's zones."""

    ground: Fraction
    zones: Fraction

    @property
    def all(self) -> Fraction:
        """Both."""
        return self.ground + self.zones


# --- who stands where -------------------------------------------------------------------------------------------------


def lying(world: World, here: str, there: str) -> dict[str, Any]:
    """What lies between two hexes."""
    return world["between"][min(here, there), max(here, there)]  # type: ignore[no-any-return]


def start(world: World) -> str:
    """The hex that those who move leave."""
    return world["units"][world["movers"][0]]["place"]  # type: ignore[no-any-return]


def friends_in(world: World, hex: str) -> list[Unit]:
    """The units of the side that moves in a hex, without those who move."""
    return [
        unit
        for name, unit in world["units"].items()
        if unit["place"] == hex and SIDES[unit["nation"]] == world["side"] and name not in world["movers"]
    ]


def enemies(world: World) -> list[Unit]:
    """All units of the other side."""
    return [unit for unit in world["units"].values() if SIDES[unit["nation"]] != world["side"]]


def has_zone(unit: Unit) -> bool:
    """4.1, 12.1: combat units and Fortresses, but no unit in Rail Mode."""
    return unit["arm"] in (*COMBAT, "fortress") and not unit.get("entrained")


def zone_of(world: World, unit: Unit) -> set[str]:
    """4.1.1: the hexes around, but not over a Lake or Sea hexside, nor over a Major or Grand River, bridged or not."""
    stopped = {"lake", "sea", "major-river", "grand-river"}
    near = [hex for hex in neighbours(unit["place"]) if hex in world["hexes"]]
    return (
        {hex for hex in near if not stopped & lying(world, unit["place"], hex)["barrier"]} if has_zone(unit) else set()
    )


def reaches(world: World, hex: str) -> list[Unit]:
    """The enemies in whose zone a hex is."""
    return [unit for unit in enemies(world) if hex in zone_of(world, unit)]


def is_formation(unit: Unit) -> bool:
    """7.2: divisions and brigades with an Attachment marker; Asset Units have none."""
    return not unit.get("asset") and unit["size"] in ("XX", "X")


# --- what ground costs ------------------------------------------------------------------------------------------------


def cost(world: World, feature: str) -> Fraction | None:
    """8.1.1, and 20.1: in Freeze minor rivers do not count and wetlands are clear terrain."""
    if world["weather"] == "freeze" and feature in ("minor-river", "wetlands"):
        return Fraction(0) if feature == "minor-river" else world["costs"]["clear"]
    return world["costs"][feature]  # type: ignore[no-any-return]


def total(parts: list[Fraction | None]) -> Fraction | None:
    """The sum of costs, None if any is prohibited."""
    return None if None in parts else sum((part for part in parts if part is not None), Fraction(0))


def water(world: World, here: str, there: str) -> list[Fraction | None]:
    """8.1.3: a river costs what its hexside costs, or only what the bridge, pontoon bridge or ferry costs. 2.2: a
    roadway or RR line over a river has a bridge.
    """
    lies = lying(world, here, there)
    rivers = [river for river in RIVERS if river in lies["barrier"]]
    if world["weather"] == "freeze":
        rivers = [river for river in rivers if river != "minor-river"]
    if rivers and (ways_between(lies) or lies["crossing"] != "no-crossing"):
        return [cost(world, "bridge" if ways_between(lies) else lies["crossing"])]
    return [cost(world, river) for river in rivers]


def on_open_ground(world: World, here: str, there: str) -> Fraction | None:
    """8.1.1, 8.1.2: terrain entered, river, ridge, and an escarpment if the hex entered has escarpment terrain."""
    barrier = lying(world, here, there)["barrier"]
    parts = [cost(world, world["hexes"][there]["terrain"]), *water(world, here, there)]
    if "ridge" in barrier:
        parts.append(cost(world, "ridge"))
    if "escarpment" in barrier and world["hexes"][there]["escarpment"]:
        parts.append(cost(world, "escarpment"))
    return total(parts)


def ways_between(lies: dict[str, Any]) -> set[str]:
    """The kinds of roadway and RR line that lead over a hexside."""
    return ({lies["road"]} - {"no-road"}) | ({"rail"} if lies["rail"] != "no-rail" else set())


def kinds_of_road(world: World, here: str, there: str) -> set[str]:
    """8.1.4: a roadway or RR line that leads from one to the other. 8.1.3: where a spur on either bank points at
    the ferry or pontoon bridge over a river, any in the hex entered.
    """
    lies = lying(world, here, there)
    kinds = ways_between(lies)
    if lies["spur"] and lies["crossing"] in ("ferry", "pontoon"):
        for near in neighbours(there):
            if near in world["hexes"]:
                kinds |= ways_between(lying(world, there, near)) - {"rail"}
    return kinds


def crowd(world: World, there: str) -> Fraction:
    """8.1.4a: what friendly units in the hex entered by Road Movement cost; units in Rail Mode are not counted."""
    points = Fraction(0)
    for unit in friends_in(world, there):
        if unit.get("entrained"):
            continue
        if unit["arm"] == "infantry" and unit["size"] == "XX" and not unit.get("reduced"):
            points += 1
        elif (unit["arm"] == "infantry" and unit["size"] in ("XX", "X")) or unit["arm"] in (
            "cavalry",
            "artillery",
            *SUPPLY,
        ):
            points += HALF
    return points


def by_road(world: World, here: str, there: str) -> list[Fraction]:
    """8.1.4: the rate of each roadway instead of terrain and hexside, rivers apart; only for a unit that moves
    alone.
    """
    if len(world["movers"]) > 1:
        return []
    rates = []
    for kind in kinds_of_road(world, here, there):
        points = total([cost(world, kind), *water(world, here, there)])
        if points is not None:
            rates.append(points + crowd(world, there))
    return rates


def grounds(world: World, here: str, there: str) -> list[Fraction]:
    """All that the ground of a step may cost: 8.1.4 leaves the choice for each hex. Empty if nothing leads there."""
    if lying(world, here, there).get("causeway"):
        added = [cost(world, world["hexes"][there]["terrain"])] if "added" in world["rulings"] else []
        points = total([world["costs"]["causeway"], *added])
        return [] if points is None else [points]
    if CLOSED & lying(world, here, there)["barrier"] or "sea" in (
        world["hexes"][there]["terrain"],
        world["hexes"][here]["terrain"],
    ):
        return []
    open_ground = on_open_ground(world, here, there)
    return [*by_road(world, here, there), *([] if open_ground is None else [open_ground])]


# --- what zones cost, and what they close -----------------------------------------------------------------------------


def zones_cost(world: World, here: str, there: str) -> Fraction:
    """4.1.4: one point into an EZOC or out of one; six from one to another, three if a friendly combat unit is
    there, two if a friendly unit is there in an Improved Position.
    """
    before, after = bool(reaches(world, here)), bool(reaches(world, there))
    if not (before and after):
        return Fraction(int(before or after))
    friends = friends_in(world, there)
    combat = any(friend["arm"] in COMBAT for friend in friends)
    if world["hexes"][there]["ip"] > 0 and (combat or (friends and "combat" not in world["rulings"])):
        return Fraction(2)
    return Fraction(3 if combat else 6)


def bars(world: World, here: str, there: str) -> list[Bar]:
    """All that closes a hex to those who move, coming from another."""
    movers = [world["units"][name] for name in world["movers"]]
    friends, closed = friends_in(world, there), []
    guarded = any(friend["arm"] in COMBAT for friend in friends)
    together = any(mover["arm"] in COMBAT for mover in movers)
    counter = world["phase"] == "counter-movement"

    def strong(hex: str) -> bool:
        return any(world["hexes"][unit["place"]]["ip"] >= 3 for unit in reaches(world, hex))

    if any(unit["place"] == there for unit in enemies(world)):
        closed.append(Bar("8.0"))
    if counter and any(unit.get("prepared") == here and here in neighbours(unit["place"]) for unit in enemies(world)):
        closed.append(Bar("8.4.2"))
    if not grounds(world, here, there):
        closed.append(Bar("8.1.1"))
    elif not grounds(world, there, here):
        closed.append(Bar("8.1.1b"))
    if strong(here) and strong(there) and not friends:
        closed.append(Bar("4.1.4a"))
    closes = world["hexes"][there].get("control") != world["side"] or crowds(world, here, there)
    if lying(world, here, there).get("causeway") and closes:  # the hex in which the units are is theirs (4.3)
        closed.append(Bar("8.1.6"))
    near = reaches(world, there)
    if counter and any(mover["arm"] == "cavalry" for mover in movers):
        held = any(unit["arm"] == "infantry" and is_formation(unit) for unit in near)
        if held and not guarded and not reaches(world, here):
            closed.append(Bar("9.3"))
    for arm, rule in (("artillery", "9.5"), ("corps-train", "9.8")):
        if near and not guarded and not together and any(mover["arm"] == arm for mover in movers):
            closed.append(Bar(rule))
    return closed


def crowds(world: World, here: str, there: str) -> bool:
    """8.1.6: whether more units would have crossed a causeway in this phase than may: four Asset Units, a brigade
    and two, or a division and one. 2.2: two brigades stand for a division. Trains count as Asset Units.
    """
    crossing = dict(lying(world, here, there).get("crossed", {}))
    for name in world["movers"]:
        unit = world["units"][name]
        kind = {"XX": "divisions", "X": "brigades"}[unit["size"]] if is_formation(unit) else "assets"
        crossing[kind] = crossing.get(kind, 0) + 1
    most = ({"assets": 4}, {"brigades": 1, "assets": 2}, {"divisions": 1, "assets": 1}, {"brigades": 2, "assets": 1})
    return not any(all(many <= limit.get(kind, 0) for kind, many in crossing.items()) for limit in most)


def price(world: World, here: str, there: str) -> Points:
    """What a step costs that nothing closes."""
    return Points(min(grounds(world, here, there)), zones_cost(world, here, there))


def step(world: World, here: str, there: str) -> Points | list[Bar]:
    """What a step costs, or what closes it."""
    return bars(world, here, there) or price(world, here, there)


def is_left_for_a_crossing(world: World, here: str, there: str) -> bool:
    """4.1.1a: whether only guns and trains keep combat units from a hex over a great river, and leave it as these begin
    to cross and pay for that.
    """
    if {bar.rule for bar in bars(world, here, there)} != {"8.0"}:
        return False
    arms = {unit["arm"] for unit in enemies(world) if unit["place"] == there}
    great = {"major-river", "grand-river"} & {*lying(world, here, there)["barrier"]}
    combat = any(world["units"][name]["arm"] in COMBAT for name in world["movers"])
    return bool(great) and combat and arms <= {"artillery", "corps-train"}


# --- how far a unit goes ----------------------------------------------------------------------------------------------


def allowance(world: World, unit: Unit) -> Fraction:
    """3.3.4: the printed allowance, half of it in the Counter Movement Phase."""
    return Fraction(unit["movement"], 2 if world["phase"] == "counter-movement" else 1)


def beyond(world: World, unit: Unit, spent: Fraction) -> int:
    """The points of a Forced March: what is beyond the allowance, rounded (4.4, 4.5)."""
    return max(0, math.floor(spent - allowance(world, unit) + HALF))


def may_spend(world: World, points: Fraction) -> bool:
    """8.1, 8.3: whether each of those who move may spend so many points more in this phase."""
    movers = [world["units"][name] for name in world["movers"]]
    return all(beyond(world, unit, unit.get("spent", 0) + points) <= FORCED.get(unit["arm"], 0) for unit in movers)


def ways(world: World) -> Iterator[tuple[tuple[str, ...], Points]]:
    """Every way that never comes back to a hex, as far as the points last, with its cost; the first is to stay."""
    begin = start(world)
    steps = {
        (here, there): step(world, here, there)
        for here in world["hexes"]
        for there in neighbours(here)
        if there in world["hexes"]
    }
    todo = [((begin,), Points(Fraction(0), Fraction(0)))]
    while todo:
        way, spent = todo.pop()
        yield way, spent
        for there in neighbours(way[-1]):
            if there not in world["hexes"] or there in way:
                continue
            points = steps[way[-1], there]
            if isinstance(points, Points):
                free = "once" in world["rulings"] and is_paid_for(world, (*way, there))
                then = Points(spent.ground + points.ground, spent.zones + (0 if free else points.zones))
                if may_spend(world, then.all):
                    todo.append(((*way, there), then))


def as_stack(world: World, way: tuple[str, ...], drop: Leaving, pick: Leaving) -> tuple[dict[str, Fraction], bool]:
    """8.1: what each unit has spent of a stack that leaves units in hexes of its way, which move no further, and takes
    up others there; and whether the last hex is reached. Who is taken up has his own points only (ruling picked-up),
    and who is left alone may use roads.
    """
    units = {name: dict(unit) for name, unit in world["units"].items()}
    party, spent = list(world["movers"]), dict.fromkeys(world["movers"], Fraction(0))
    for here, there in pairwise(way):
        then = {**world, "units": units, "movers": tuple(party)}
        points = step(then, here, there)
        if not isinstance(points, Points):
            return spent, False
        if not all(may_spend({**then, "movers": (name,)}, spent[name] + points.all) for name in party):
            return spent, False
        for name in party:
            spent[name] += points.all
            units[name]["place"] = there
        party = [name for name in party if drop.get(name) != there]
        party += [name for name, hex in pick.items() if hex == there]
        spent |= {name: Fraction(0) for name, hex in pick.items() if hex == there}
    return spent, True


def is_paid_for(world: World, way: tuple[str, ...]) -> bool:
    """Whether the last step of a way leaves zones that it has entered before, by the reading `once` of ruling
    ezoc-leaving.
    """
    inside = [bool(reaches(world, hex)) for hex in way]
    return inside[-2:] == [True, False] and False in inside[:-1]


def reach(world: World) -> dict[str, Fraction]:
    """The least points to each hex."""
    least: dict[str, Fraction] = {}
    for way, points in ways(world):
        least[way[-1]] = min(points.all, least.get(way[-1], points.all))
    del least[start(world)]
    return least


def barred(world: World) -> dict[str, set[str]]:
    """The hexes beside those within reach into which no step is open from these, with all rules that close one."""
    begin = start(world)
    within = {begin, *reach(world)}
    closed: dict[str, set[str]] = {}
    for there in world["hexes"]:
        beside = [step(world, here, there) for here in neighbours(there) if here in within]
        if there not in within and beside and not any(isinstance(points, Points) for points in beside):
            closed[there] = {bar.rule for points in beside if not isinstance(points, Points) for bar in points}
    return closed
