"""Chapter 14 in the plainest way: what each unit of a side has, by trying every mode of every supply unit and everyone who is served.

A world is plain dictionaries (`worlds.py` makes them). Nothing here is taken from the program; the numbers are those of the rules.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import combinations, product
from typing import Any

from ..making.hexes import distance, neighbours, pair

World = dict[str, Any]
"""side, turn, weather, campaign, whole (network), board; hexes, between (hexsides) and units, each by what is known of it."""
Unit = dict[str, Any]
Modes = frozenset[str]
"""The supply units that are in Extended Mode."""

SIDES = {"german": "central-powers", "austro-hungarian": "central-powers", "russian": "russian"}
SUPPLY = ("corps-train", "major-depot", "minor-depot")
DEPOTS = SUPPLY[1:]
COMBAT = ("infantry", "cavalry")
GREAT = {"major-river", "grand-river"}
WATER = {"lake", "sea", "impassable"}
EXTRA = {"rough": 2, "mountain": 4, "wetlands": 4}
"""Quarters of a hex that terrain adds to the cost of a hex."""
HALF_HEXES = ("31.114", "27.114", "17.114", "11.114", "09.114", "07.114")
"""Where a supply line may lead off the southern map edge (14.7)."""
ORDER = ("out", "low", "in")
FAR = 999
"""More quarters of a hex than any line has."""
REACH = 15 * 4
BUKOWINA = "the Bukowina"
PILLAU, STRAIT = "66.18", {"66.19", "67.18"}
"""Whoever of the Germans holds Pillau lets them trace over the strait (14.1.1)."""


def worse(one: str, other: str) -> bool:
    """Whether the first supply state is worse than the second."""
    return ORDER.index(one) < ORDER.index(other)


def own(world: World) -> dict[str, Unit]:
    """The units of the side that is asked about."""
    return {name: unit for name, unit in world["units"].items() if SIDES[unit["nation"]] == world["side"]}


def enemies(world: World) -> dict[str, Unit]:
    """The units of the other side."""
    return {name: unit for name, unit in world["units"].items() if SIDES[unit["nation"]] != world["side"]}


# --- enemies ----------------------------------------------------------------------------------------------------------


def zone(world: World, units: Iterable[Unit]) -> set[str]:
    """The hexes in the ZOC of units. Rule: 4.1, 4.1.1, 8.2.4"""
    found = set()
    for unit in units:
        if unit["arm"] in (*COMBAT, "fortress") and not unit.get("entrained"):
            for near in neighbours(unit["place"]):
                between = world["between"].get(pair(unit["place"], near), {})
                if not between.get("barrier", set()) & (GREAT | {"lake", "sea"}):
                    found.add(near)
    return found


def closed(world: World) -> set[str]:
    """The hexes that no supply line enters: with an enemy, or in an EZOC without a friend. Rule: 14.1, 4.1.2"""
    held = {unit["place"] for unit in enemies(world).values()}
    return held | (zone(world, enemies(world).values()) - {unit["place"] for unit in own(world).values()})


# --- railways ---------------------------------------------------------------------------------------------------------


def railed(world: World) -> set[str]:
    """The hexes of a network that have a RR line: one leads into them, or something is stated of it."""
    found = {hex for sides, lies in world["between"].items() if lies["rail"] != "no-rail" for hex in sides}
    return found | {hex for hex, facts in world["hexes"].items() if {"operational", "linked"} & facts.keys()}


def working(world: World) -> set[str]:
    """The hexes where a RR line works for the side, linked or not. Rule: 17.1.1, 17.1.4"""
    found = set()
    held = {unit["place"] for unit in enemies(world).values()}
    rails = set() if world["board"] else railed(world)
    for hex, facts in world["hexes"].items():
        works = facts.get("operational")
        if works is None and hex in rails:
            works = world["side"] if facts.get("control") in (None, world["side"]) else "none"
        if world["board"] and facts.get("control") != world["side"] and not facts.get("stated-operational"):
            continue
        if works == world["side"] and hex not in held:
            found.add(hex)
    return found


def joined(world: World, hexes: Collection[str]) -> list[set[str]]:
    """Those hexes in groups that RR lines join."""
    left, groups = set(hexes), []
    while left:
        group, new = set(), {min(left)}
        while new:
            group |= new
            new = {
                near
                for hex in new
                for near in neighbours(hex)
                if near in left
                and near not in group
                and world["between"].get(pair(hex, near), {"rail": "no-rail"})["rail"] != "no-rail"
            }
        left -= group
        groups.append(group)
    return groups


def exits(world: World) -> tuple[list[set[str]], list[tuple[frozenset[str], ...]]]:
    """Where RR lines lead on to the map edge: the groups that do so for certain, and of what is open every possible choice.

    What is typed leads on unless an enemy, or a hex out of use, has cut it in two: which of the parts does is open. So it is of the
    parts between hexes in EZOCs, which a LOC does not pass. Where all is typed it leads on where that is stated and nowhere else, or
    if it is stated nowhere, at some of its outlets. Rule: 14.2.1a, 14.2.2, 14.2.3, 17.1.5
    """
    works, shut = working(world), closed(world)
    if world["board"]:
        return [{hex} for hex in works if world["hexes"][hex].get("map-edge") == world["side"]], []
    certain: list[set[str]] = []
    choices: list[tuple[frozenset[str], ...]] = []
    for network in joined(world, railed(world)):
        said, ends = {hex for hex in network if leads_on(world, hex)}, outlets(world, network)
        if world["whole"] and (said or free_ends(world, network)):
            certain += [{hex} for hex in said & works]
            choices += [] if said else [ways_out(world, network, ends)]
            continue
        pieces, whole = joined(world, network & works), not is_cut(world, network)
        for piece in pieces:
            certain += [{hex} for hex in piece if leads_on(world, hex)]
            if any(leads_nowhere(world, hex) for hex in piece):
                continue
            parts = joined(world, piece - shut)
            known = [part for part in parts if any(leads_on(world, hex) for hex in part)]
            unsaid = [part for part in parts if part not in known]
            linked = any(leads_on(world, hex) for hex in piece)
            if whole and not linked and parts == [piece]:
                certain += [piece]
                continue
            ways = [frozenset().union(*some) for many in range(len(unsaid) + 1) for some in combinations(unsaid, many)]
            inside = piece & shut
            if inside and not linked:
                ways += [way | inside for way in ways]
            choices.append(tuple(way for way in dict.fromkeys(ways) if way or linked or not whole))
    return certain, choices


def outlets(world: World, network: set[str]) -> list[str]:
    """The ends of RR lines that are joined from which no other way leads, as far as it is not stated that they lead nowhere or are at
    the enemy's map edge: those where they work rather than those where they do not.
    """
    cut, bare = is_cut(world, network), working({**world, "units": own(world)})
    dead = {hex for hex in network if leads_nowhere(world, hex)}
    for piece in joined(world, network & working(world)):
        dead |= piece if cut and piece & dead else set()
    hostile = {hex for hex in network if world["hexes"][hex].get("map-edge", world["side"]) != world["side"]}
    free = free_ends(world, network) - dead - hostile
    return sorted(free & bare or free)


def free_ends(world: World, network: set[str]) -> set[str]:
    """The ends of RR lines that are joined from which no other way leads."""
    return {hex for hex in network if sum(hex in sides for sides in world["between"]) <= 1}


def ways_out(world: World, network: set[str], ends: list[str]) -> tuple[frozenset[str], ...]:
    """At which outlets of RR lines that are joined they may lead on: at one or more, at none too if they lie apart; the same wherever
    it is, if a LOC joins them."""
    works = network & working(world)
    if any(part.issuperset(ends) for part in joined(world, works - closed(world))):
        return (frozenset(ends),)
    least = len(ends) == 1 or any(piece.issuperset(ends) for piece in joined(world, works))
    some = [set(some) for many in range(least, len(ends) + 1) for some in combinations(ends, many)]
    return tuple(dict.fromkeys(frozenset(way & works) for way in some))


def is_cut(world: World, network: set[str]) -> bool:
    """Whether an enemy, or a hex out of use between others, has cut RR lines that are joined. Rule: 17.1.5"""
    bare = working({**world, "units": own(world)})
    return bool(network & bare - working(world)) or len(joined(world, network & bare)) > 1


def leads_on(world: World, hex: str) -> bool:
    """Whether it is stated that a RR line leads on to a friendly map edge from here."""
    facts = world["hexes"][hex]
    return world["side"] in (facts.get("linked"), facts.get("map-edge"))


def leads_nowhere(world: World, hex: str) -> bool:
    """Whether it is stated that no RR line leads on from here."""
    return world["hexes"][hex].get("linked", world["side"]) != world["side"]


class Ground:
    """What of a world counts for lines, once it is settled where its RR lines lead on: closed hexes, linked RR hexes, LOCs, costs."""

    def __init__(self, world: World, edge: Collection[str]) -> None:
        self.world, self.closed = world, closed(world)
        works = working(world)
        self.linked = {hex for group in joined(world, works) if group & set(edge) for hex in group}
        self.loc = {hex for group in joined(world, works - self.closed) if group & set(edge) for hex in group}
        near = {unit["place"] for unit in own(world).values()}
        for _ in range(6):  # as far as lines from the railway lead
            near |= {there for here in near for there in neighbours(here)}
        self.sources = self.linked & near
        self._lines: dict[str, dict[str, int]] = {}

    def cost(self, here: str, there: str) -> int | None:
        """What a step of a supply line costs in quarters of a hex, None where it is barred. Rule: 14.1.1, 14.1.2"""
        lies, facts = self.world["between"].get(pair(here, there)), self.world["hexes"].get(there)
        if lies is None or facts is None:
            return None
        if {here, there} == STRAIT and self.world["board"] and holds(self.world, PILLAU):
            lies = {**lies, "barrier": lies["barrier"] - WATER}
        terrain = facts.get("terrain")
        if terrain in ("high-mountain", "sea") or lies["barrier"] & WATER:
            return None
        road, river = lies["road"] != "no-road", bool(lies["barrier"] & GREAT)
        if river and lies["crossing"] == "no-crossing" and not road and lies["rail"] == "no-rail":
            return None
        if lies["rail"] != "no-rail" and here in self.linked and there in self.linked:
            return 1 if lies["rail"] == "rail2" else 2
        cost = 8 if river and is_flooded(self.world) else 4
        if road or (terrain == "wetlands" and self.world["weather"] == "freeze" and "ridge" not in lies["barrier"]):
            return cost
        terrain = "clear" if terrain == "wetlands" and self.world["weather"] == "freeze" else terrain
        return cost + EXTRA.get(terrain or "", 0) + 4 * ("ridge" in lies["barrier"])

    def lines(self, name: str, starts: Iterable[str], reach: int = REACH) -> dict[str, int]:
        """The cost of the cheapest supply line to each hex within reach from the nearest of some hexes. Rule: 14.1"""
        if name not in self._lines:
            best = {start: 0 for start in starts if start not in self.closed}
            heap = [(0, hex) for hex in best]
            while heap:
                cost, here = heapq.heappop(heap)
                for there in neighbours(here) if cost == best[here] else ():
                    step = None if there in self.closed else self.cost(here, there)
                    if step is not None and cost + step < min(best.get(there, FAR), reach + 1):
                        best[there] = cost + step
                        heapq.heappush(heap, (cost + step, there))
            self._lines[name] = best
        return self._lines[name]

    def from_railway(self, hex: str) -> int:
        """How far the hex of a unit is from the nearest linked RR hex that may be a source: at most six hexes. Rule: 14.2.3"""
        return self.lines("RR line", self.sources, 6 * 4).get(hex, FAR)

    def from_unit(self, name: str, hex: str) -> int:
        """How far a hex is from a supply unit, as far as that ever reaches."""
        unit = self.world["units"][name]
        return self.lines(name, [unit["place"]], 4 * max(unit["range"], unit["extended-range"])).get(hex, FAR)

    def is_isolated(self, unit: Unit) -> bool:
        """Whether no way leads from a unit to a linked RR hex, past six enemy hexes at most. Rule: 14.4.1, 4.1.3"""
        friends = {one["place"] for one in own(self.world).values()}
        mine, theirs = zone(self.world, own(self.world).values()), zone(self.world, enemies(self.world).values())
        barred = {one["place"] for one in enemies(self.world).values()} | (theirs - friends - mine)
        best = {unit["place"]: 0}
        heap = [(0, unit["place"])]
        while heap:
            passed, here = heapq.heappop(heap)
            if here in self.linked:
                return False
            if here in barred:
                continue
            facts = self.world["hexes"].get(here, {})
            control = facts.get("control") or facts.get("passed")
            passed += here not in friends and control not in (None, "none", self.world["side"])
            for there in neighbours(here) if passed <= 6 else ():
                if passed < best.get(there, 99) and self.cost(there, here) is not None:
                    best[there] = passed
                    heapq.heappush(heap, (passed, there))
        return True


def is_flooded(world: World) -> bool:
    """Whether rivers cost more: in High Water and from GT 28 on, in the campaign. Rule: 14.1.2"""
    return bool(world["campaign"]) and (world["weather"] == "high-water" or world["turn"] >= 28)


# --- who may draw on whom ---------------------------------------------------------------------------------------------


def is_formation(unit: Unit) -> bool:
    """Whether a unit is a formation, and no asset. Rule: 3.8, 6.4"""
    return unit["arm"] in COMBAT and not unit.get("asset") and unit["size"] in ("XX", "X")


def attached_to(world: World, name: str) -> list[str]:
    """The formations to which an Asset Unit may be attached: more than one where its owner has to say. Rule: 6.4.1a, 6.4.1b"""
    unit = world["units"][name]
    if unit.get("with"):
        return [unit["with"]]
    mates = [
        other
        for other, one in own(world).items()
        if is_formation(one)
        and one["nation"] == unit["nation"]
        and (one["place"] == unit["place"] or one["army"] == unit["army"])
    ]
    here = [other for other in mates if world["units"][other]["place"] == unit["place"]]
    if here:
        return here[:1]
    far = {other: distance(world["units"][other]["place"], unit["place"]) for other in mates}
    return [other for other in mates if far[other] == min(far.values())]


def shares_with(world: World, name: str) -> str:
    """The formation in its hex whose supply an Asset Unit shares, else the unit itself. Rule: 6.4.1a"""
    unit = world["units"][name]
    mates = attached_to(world, name) if unit.get("asset") else []
    return mates[0] if len(mates) == 1 and world["units"][mates[0]]["place"] == unit["place"] else name


def draws(world: World, name: str, train: str) -> str:
    """How a unit may draw on a Corps Train: "own" of its corps, "guest" as cavalry from outside, "" not. Rule: 14.3.1, 6.3.1, 6.3.3, 22.5.1"""
    unit, source = world["units"][name], world["units"][train]
    lead = world["units"][attached_to(world, name)[0]] if unit.get("asset") and attached_to(world, name) else unit
    if unit["nation"] != source["nation"] or unit["army"] != source["army"]:
        return ""
    of_cavalry = source["corps"].endswith("C")
    if lead["corps"] and lead["corps"] == source["corps"]:
        return "own" if unit["arm"] == "cavalry" or not of_cavalry else ""
    if (
        unit["arm"] == "cavalry"
        and is_formation(unit)
        and not unit["corps"]
        and not of_cavalry
        and source["corps"] != "KG"
    ):
        return "guest" if unit.get("draws-on", train) == train else ""
    return ""


# --- states -----------------------------------------------------------------------------------------------------------


class Solver:
    """The supply of a side in a world where nothing is open."""

    def __init__(self, world: World, edge: Collection[str]) -> None:
        self.world, self.units, self.ground = world, own(world), Ground(world, edge)
        self.depots = [name for name, unit in self.units.items() if unit["arm"] in DEPOTS]
        self.trains = [name for name, unit in self.units.items() if unit["arm"] == "corps-train"]
        self.guests = {
            name: [train for train in self.trains if draws(world, name, train) == "guest"]
            for name, unit in self.units.items()
            if unit["arm"] == "cavalry"
        }
        for name, unit in self.units.items():
            lines = self.ground.lines("half-hexes", HALF_HEXES, 10 * 4)
            blue = unit["nation"] == "austro-hungarian" and unit["arm"] in (*COMBAT, "artillery")
            if blue and lines.get(unit["place"], FAR) <= 10 * 4 and shares_with(world, name) == name:
                self.guests[name] = [*self.guests.get(name, []), BUKOWINA]
        self._fed: dict[tuple[str, Modes], bool] = {}
        self._best: dict[tuple[str, Modes, str], str] = {}

    def reach(self, name: str, modes: Modes) -> int:
        """How far a supply unit reaches, in quarters of a hex. Rule: 3.6.1, 24.3.1"""
        unit = self.units[name]
        shorter = unit.get("incomplete-range", 0) if unit.get("incomplete") else 0
        return 4 * max(0, (unit["extended-range"] if name in modes else unit["range"]) - shorter)

    def is_supplied(self, name: str, modes: Modes) -> bool:
        """Whether a supply unit is In Supply itself. Rule: 14.2.1, 14.2.2, 22.3.1, 22.5.1, 8.2.4"""
        unit = self.units[name]
        if unit.get("entrained") or (unit["arm"] == "corps-train" and self.needs_nothing(name)):
            return True
        if unit["arm"] in DEPOTS:
            station = self.world["hexes"].get(unit["place"], {}).get("station")
            return bool(station) and (unit["place"] in self.ground.loc or bool(unit.get("served")))
        if unit["place"] in self.ground.linked or unit.get("served"):
            return True
        return any(
            self.serves(depot, modes)
            and self.units[depot]["army"] == unit["army"]
            and self.units[depot]["nation"] == unit["nation"]
            and self.within(depot, name, modes)
            for depot in self.depots
        )

    def needs_nothing(self, name: str) -> bool:
        """Whether a Corps Train is In Supply without a line: that of Königsberg, and that of 3 LW Corps up to GT 9."""
        return name == "KG Train" or (name == "3 LW Train" and self.world["turn"] <= 9)

    def serves(self, name: str, modes: Modes) -> bool:
        """Whether a supply unit may serve others. Rule: 14.2, 14.2.1, 14.2.2"""
        key = (name, modes & {name, *self.depots})
        if key not in self._fed:
            unit = self.units[name]
            idle = unit.get("entrained") or unit.get("relocation", "none") != "none"
            marked = unit.get("supply") == "out" and not (unit["arm"] == "corps-train" and self.needs_nothing(name))
            self._fed[key] = not idle and not marked and self.is_supplied(name, modes)
        return self._fed[key]

    def state(self, name: str, modes: Modes, guest_of: str = "") -> str:
        """What a unit has with supply units in some modes. guest_of: the train that serves it as cavalry from outside. Rule: 14.4"""
        key = (name, modes, guest_of)
        if key not in self._best:
            self._best[key] = self._traced(shares_with(self.world, name), modes, guest_of)
        return self._best[key]

    def _traced(self, name: str, modes: Modes, guest_of: str) -> str:
        """What a unit has from what lies around it; the 2nd Division of the 23rd Corps is never better than Low up to GT 7 (24.4)."""
        unit = self.units[name]
        if unit["arm"] in SUPPLY:
            return "in" if self.is_supplied(name, modes) else "out"
        if unit["arm"] in ("fortress", "fort"):
            return "in"
        entrained = "in" if unit.get("entrained") else ""  # 8.2.4
        found = entrained or max(self._offers(name, unit, modes, guest_of), key=ORDER.index, default="out")
        return "low" if found == "in" and name == "2/23" and self.world["turn"] <= 7 else found

    def _offers(self, name: str, unit: Unit, modes: Modes, guest_of: str) -> Iterator[str]:
        """What each source gives. Rule: 14.2.3, 14.2.4, 14.3.1, 14.3.2"""
        if unit.get("served") or guest_of == BUKOWINA:
            yield "in"
        far = self.ground.from_railway(unit["place"])
        if far <= 6 * 4:
            yield "in" if far <= 3 * 4 else "low"
        near = (unit["place"], *neighbours(unit["place"]))
        for source, other in self.units.items():
            if other["arm"] == "fortress":
                if other.get("supply-symbol") and other["place"] in near:
                    yield "in"
            elif other["arm"] in SUPPLY and self.serves(source, modes) and self.within(source, name, modes):
                if other["arm"] in DEPOTS:
                    if other["army"] == unit["army"] and other["nation"] == unit["nation"]:
                        yield "in"
                elif draws(self.world, name, source) == "own" or source == guest_of:
                    yield "low" if source in modes else "in"

    # --- plans

    def plans(self) -> list[Modes]:
        """All modes that the supply units may have."""
        able = [name for name in (*self.depots, *self.trains) if name != "KG Train"]
        return [frozenset(some) for many in range(len(able) + 1) for some in combinations(able, many)]

    def companies(self, modes: Modes) -> Iterator[dict[str, str]]:
        """The cavalry from outside its corps that each train serves, two at most and first those named for it; the Bukowina serves three.

        Rule: 14.3.1, 14.7
        """
        choices = {
            name: [
                "",
                *(
                    one
                    for one in sources
                    if one == BUKOWINA or (self.serves(one, modes) and self.within(one, name, modes))
                ),
            ]
            for name, sources in self.guests.items()
        }
        named = Counter(unit["draws-on"] for unit in self.units.values() if unit.get("draws-on"))
        for picked in product(*choices.values()):
            company = dict(zip(choices, picked, strict=True))
            taken = Counter(train for train in picked if train)
            free = {
                train: sum(1 for name, on in company.items() if on == train and not self.units[name].get("draws-on"))
                for train in taken
            }
            if all(many <= (3 if one == BUKOWINA else 2) for one, many in taken.items()) and all(
                train == BUKOWINA or many <= max(0, 2 - named[train]) for train, many in free.items()
            ):
                yield company

    def within(self, source: str, name: str, modes: Modes) -> bool:
        """Whether a unit is in the range of a supply unit."""
        return self.ground.from_unit(source, self.units[name]["place"]) <= self.reach(source, modes)

    def side(self, modes: Modes, company: Mapping[str, str]) -> dict[str, str]:
        """What each unit has in one plan."""
        return {name: self.state(name, modes, company.get(shares_with(self.world, name), "")) for name in self.units}

    def worth(self, modes: Modes, company: Mapping[str, str]) -> tuple[int, int, int]:
        """What a side prefers: most units supplied, most In Supply, fewest extended."""
        states = Counter(self.side(modes, company).values())
        return states["in"] + states["low"], states["in"], -len(modes)

    def best(self) -> tuple[int, int, int]:
        """The worth of the best plan."""
        return max(self.worth(modes, company) for modes in self.plans() for company in self.companies(modes))

    def alone(self, name: str) -> str:
        """The best that one unit may have."""
        lead, best = shares_with(self.world, name), "out"
        for modes in self.plans():
            for company in self.companies(modes) if lead in self.guests else [{}]:
                best = max(best, self.state(name, modes, company.get(lead, "")), key=ORDER.index)
                if best == "in":
                    return best
        return best

    def isolated(self, name: str) -> bool:
        """Whether a unit that is Out of Supply is Isolated."""
        unit = self.units[shares_with(self.world, name)]
        return not unit.get("way-out") and not unit.get("finds-way") and self.ground.is_isolated(unit)

    def outcome(self, name: str) -> tuple[str, bool | None]:
        """The best state of one unit, and whether it is Isolated if it is Out of Supply."""
        state = self.alone(name)
        return state, self.isolated(name) if state == "out" else None


# --- what is open -----------------------------------------------------------------------------------------------------

Settled = tuple[World, frozenset[str]]
"""A world with all that was open stated, and where RR lines lead on."""
GROUND = ("clear", "rough", "mountain", "wetlands")


def open_facts(world: World, worst: bool = False) -> list[list[Callable[[World], None]]]:
    """What a world leaves open, each with its ways of settling it. worst: High Mountain, too, which no verdict by road reckons with."""
    found: list[list[Callable[[World], None]]] = []

    def stating(kind: str, name: str, track: str, values: Iterable[Any]) -> None:
        def state(value: Any) -> Callable[[World], None]:
            return lambda world: world[kind].update({name: {**world[kind].get(name, {}), track: value}})

        found.append([state(value) for value in values])

    if not world["board"]:
        for hex in sorted({hex for sides in world["between"] for hex in sides}):
            facts = world["hexes"].get(hex, {})
            if "terrain" not in facts:
                stating("hexes", hex, "terrain", (*GROUND, "high-mountain") if worst else GROUND)
        unsaid = [hex for hex in around_all(world) if "control" not in world["hexes"].get(hex, {})]
        if unsaid:
            found.append([passing(unsaid, side) for side in ("russian", "central-powers")])
        for name, unit in own(world).items():
            if unit["arm"] in DEPOTS and "station" not in world["hexes"].get(unit["place"], {}):
                stating("hexes", unit["place"], "station", (False, True))
            if not world["whole"] and shares_with(world, name) == name:
                if unit.get("other-line") is None and may_have_other(world, unit):
                    stating("units", name, "served", (False, True))
                if unit.get("way-out") is None:
                    stating("units", name, "finds-way", (False, True))
    if world["board"] and (unsaid := unsaid_near(world)):
        found.append([passing(unsaid, side) for side in ("russian", "central-powers")])
    for name, unit in own(world).items():
        if unit.get("asset") and len(mates := attached_to(world, name)) > 1:
            stating("units", name, "with", mates)
    return found


def unsaid_near(world: World) -> list[str]:
    """The hexes of a board near units of the side of which nothing says who controls them: those abroad."""
    near, new = set[str](), {unit["place"] for unit in own(world).values()}
    for _ in range(12):
        near |= new
        new = {other for hex in new for other in neighbours(hex)} - near
    return sorted(hex for hex in near if hex in world["hexes"] and world["hexes"][hex].get("control") is None)


def holds(world: World, hex: str) -> bool:
    """Whether the Germans hold a hex, by their units there or else as it is recorded."""
    blue = world["side"] == "central-powers"
    if hex in {unit["place"] for unit in own(world).values()}:
        return blue
    if hex in {unit["place"] for unit in enemies(world).values()}:
        return False
    return blue and world["hexes"].get(hex, {}).get("control") == "central-powers"


def may_have_other(world: World, unit: Unit) -> bool:
    """Whether a line that is not typed may serve a unit: for a depot, by rail into a hex that its LOC may pass, not along a typed RR line
    that is out of use where it stands, or known not to lead on to the map edge."""
    line = next((group for group in joined(world, working(world)) if unit["place"] in group), set())
    said = {world["hexes"].get(hex, {}).get("linked") for hex in line}
    leads_nowhere = unit["place"] in railed(world) and (not line or bool(said - {None, world["side"]}))
    ways = [
        near
        for near in neighbours(unit["place"])
        if world["between"].get(pair(near, unit["place"]), {}).get("rail") != "no-rail"
        and not (leads_nowhere and pair(near, unit["place"]) in world["between"])
    ]
    return unit["arm"] not in DEPOTS or bool(set(ways) - closed(world))


def may_be_source(world: World, hex: str) -> bool:
    """Whether a line is typed from a hex of which nothing says what supplies there: it begins at a RR line, if that works and not
    all is typed.
    """
    units = [unit for unit in own(world).values() if unit["place"] == hex and unit["arm"] in SUPPLY]
    return (
        not world["whole"]
        and not units
        and hex not in railed(world)
        and "operational" not in world["hexes"].get(hex, {})
    )


def around_all(world: World) -> list[str]:
    """The hexes of a network."""
    return sorted({hex for sides in world["between"] for hex in sides})


def passing(hexes: Collection[str], side: str) -> Callable[[World], None]:
    """States who controls hexes, as far as a way out of isolation passes them."""

    def state(world: World) -> None:
        for hex in hexes:
            world["hexes"][hex] = {**world["hexes"].get(hex, {}), "passed": side}

    return state


def settled(world: World, seed: int, many: int = 40, worst: bool = False) -> Iterator[Settled]:
    """Worlds in which all is stated that one leaves open: every one if they are few, else the extremes, what is next to them, and some."""
    for way in world["lines"]:
        if may_be_source(world, way[0]):
            for works in ("none", world["side"]):
                known = {**world["hexes"].get(way[0], {}), "operational": works}
                yield from settled({**world, "hexes": {**world["hexes"], way[0]: known}}, seed, many // 2, worst)
            return
    certain, ways = exits(world)
    facts = open_facts(world, worst)
    counts = [len(one) for one in (*ways, *facts)]
    drawn = random.Random(seed)
    total = 1
    for count in counts:
        total *= count
    if total <= 2 * many:
        picks: list[tuple[int, ...]] = list(product(*map(range, counts)))
    else:
        ends = [tuple(0 for _ in counts), tuple(count - 1 for count in counts)]
        picks = [*ends]
        for end in ends:
            picks += [(*end[:at], value, *end[at + 1 :]) for at, count in enumerate(counts) for value in range(count)]
        picks += [tuple(drawn.randrange(count) for count in counts) for _ in range(many)]
    for pick in dict.fromkeys(picks):
        chosen = copied(world)
        edge = {hex for group in certain for hex in group}
        edge |= {hex for way, at in zip(ways, pick, strict=False) for hex in way[at]}
        for fact, at in zip(facts, pick[len(ways) :], strict=True):
            fact[at](chosen)
        yield chosen, frozenset(edge)


def copied(world: World) -> World:
    """A world of its own to state facts in."""
    return {**world, "hexes": dict(world["hexes"]), "units": dict(world["units"])}


def is_open(world: World) -> bool:
    """Whether a world leaves anything open that its supply may turn on."""
    source = any(may_be_source(world, way[0]) for way in world["lines"])
    return source or any(len(one) > 1 for one in (*exits(world)[1], *open_facts(world)))
