"""Random positions of five kinds, as plain dictionaries and as a .pos file: the board as drawn, a line, a network, a railway, and units of which their
train serves but one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from assistant.asking.view import View
from assistant.formats.notation import read_notation
from assistant.installed.registry import load_game

from ..making.hexes import Pair, neighbours, pair
from ..making.scene import Scene, write_facts
from .naive import DEPOTS, SIDES, SUPPLY, Unit, World, is_cut, joined, own, railed, working

GAME = "twilight-in-the-east"
KINDS = ("board", "line", "network", "railway", "contest")
PATCH = [f"{column}.{row}" for column in range(30, 38) for row in range(20, 29)]
"""The part of a paper map on which lines and networks lie."""
TYPED = ("terrain", "operational", "control", "linked", "map-edge", "station")
"""What is typed of hexes."""
COUNTER = ("range", "extended-range", "relocation", "supply", "draws-on", "with", "incomplete", "incomplete-range")
PLAIN = {"barrier": frozenset[str](), "rail": "no-rail", "road": "no-road", "crossing": "no-crossing"}
NATIONS = {"russian": ("russian",), "central-powers": ("german", "german", "austro-hungarian")}
NEEDED = {"nation", "arm", "place", "army", "corps", "size", "range", "extended-range", "asset"}
"""What no unit is left without."""
NAMES = {"corps-train": "Train", "major-depot": "Major", "minor-depot": "Minor"}


def make_world(number: int, seed: int, kind: str = "") -> World:
    """One random world, the same for the same number and seed."""
    chance = random.Random(f"{seed}/{number}")
    kind = kind or KINDS[number % len(KINDS)]
    draw = {
        "board": on_board, "line": along_line, "network": over_network, "railway": behind_railway, "contest": beyond_train
    }[kind]  # fmt: skip
    world = draw(chance)
    return world if world["board"] else one_meaning(world)


def one_meaning(world: World) -> World:
    """What is stated of links, as it can be read in one way: of a RR line that no one has cut, all of it or nothing."""
    works, side = working(world), world["side"]
    for network in joined(world, railed(world)):
        for piece in joined(world, network & works):
            linked = any(world["hexes"][hex].get("linked") == side for hex in piece)
            none = any(world["hexes"][hex].get("linked") == "none" for hex in piece)
            for hex in piece if none and (linked or not is_cut(world, network)) else ():
                if not linked and world["hexes"][hex].get("operational") != "none":
                    world["hexes"][hex]["linked"] = "none"
                elif world["hexes"][hex].get("linked") == "none":
                    del world["hexes"][hex]["linked"]
    for unit in world["units"].values():
        if unit["arm"] in DEPOTS and unit["place"] in railed(world):
            unit.pop("other-line", None)  # of a LOC along what is typed it says nothing
            if not world["whole"] and world["hexes"][unit["place"]].get("linked") == "none":
                unit["other-line"] = False
    return world


def empty(chance: random.Random, board: bool) -> World:
    """A world without ground or units."""
    campaign = chance.choice((None, None, True))
    turn = chance.choice((3, 5, 12, 20, 30) if campaign else (3, 5, 12))
    weather = "normal"
    if campaign:
        weather = {20: "high-water"}.get(turn, "normal")
    return {
        "kind": "", "board": board, "whole": False, "turn": turn, "weather": weather, "campaign": campaign,
        "side": chance.choice(("russian", "russian", "central-powers")), "hexes": {}, "between": {}, "units": {}, "lines": [],
    }  # fmt: skip


def of_view(view: View, side: str) -> World:
    """The world of a view of a board: its ground, and of its units what closes hexes to others."""
    hexes, between = ground_of_view(view)
    units = {
        unit.id: {track: view.value(track, unit.id) for track in ("nation", "arm", "entrained")}
        for unit in view.units()
    }
    units = {
        name: {**unit, "place": view.unit(name).place} for name, unit in units.items() if view.unit(name).place in hexes
    }
    return empty(random.Random(0), board=True) | {
        "side": side, "turn": 5, "weather": "normal", "campaign": None, "hexes": hexes, "between": between, "units": units
    }  # fmt: skip


# --- the board --------------------------------------------------------------------------------------------------------


def ground_of_view(view: View) -> tuple[dict[str, dict[str, Any]], dict[Pair, dict[str, Any]]]:
    """The board of a view: what is there in each hex, and what between two."""
    hexes = {
        hex: {track: view.value(track, hex) for track in ("terrain", "operational", "map-edge", "control", "station")}
        for hex in view.board.hexes
    }
    between = {}
    for hex in hexes:
        for near in neighbours(hex):
            if near in hexes and hex < near:
                lies = {track: view.value(track, f"{hex}|{near}") for track in PLAIN}
                between[hex, near] = {**lies, "barrier": frozenset(map(str, lies["barrier"] or ()))}  # type: ignore[call-overload]
    return hexes, between


@cache
def drawn_ground() -> tuple[dict[str, dict[str, Any]], dict[Pair, dict[str, Any]]]:
    """The ground of the shipped eastern board, as it is drawn."""
    position = read_notation(f"game {GAME}\nboard east\n".encode(), "east.pos", load_game)
    return ground_of_view(View(position.game, position.state))


@cache
def junctions() -> dict[str, list[str]]:
    """The hexes where a RR line works in the beginning, for each side."""
    hexes, _ = drawn_ground()
    return {side: sorted(hex for hex, facts in hexes.items() if facts["operational"] == side) for side in NATIONS}


def on_board(chance: random.Random) -> World:
    """A part of the eastern board with some of its ground otherwise, and units of both sides on it."""
    world = empty(chance, board=True) | {"kind": "board"}
    hexes, between = drawn_ground()
    middle = chance.choice(junctions()[world["side"]])
    near = {middle}
    for _ in range(chance.choice((3, 4, 5, 6))):
        near |= {hex for one in near for hex in neighbours(one) if hex in hexes}
    world["hexes"], world["between"] = dict(hexes), dict(between)
    world["stated"] = []
    for hex in chance.sample(sorted(near), min(len(near), chance.randint(0, 6))):
        track = chance.choice(("terrain", "operational", "control", "barrier", "crossing", "road"))
        if track in ("barrier", "crossing", "road"):
            other = chance.choice([one for one in neighbours(hex) if one in near])
            lies, side = dict(world["between"][pair(hex, other)]), "|".join(pair(hex, other))
            is_stated = any(line.startswith(f"{side} ") for line in world["stated"])
            if is_stated or (lies["rail"] != "no-rail" and track == "barrier"):
                continue
            lies[track] = {
                "barrier": frozenset([chance.choice(("major-river", "lake", "ridge"))]),
                "crossing": chance.choice(("ferry", "bridge", "pontoon")),
                "road": chance.choice(("no-road", "primary-road")),
            }[track]
            world["between"][pair(hex, other)] = lies
            said = lies[track] if track != "barrier" else " ".join(lies["barrier"])
            world["stated"].append(f"{side} {said}")
        else:
            value = {
                "terrain": chance.choice(("clear", "rough", "mountain", "wetlands", "high-mountain")),
                "operational": "none",
                "control": chance.choice(("russian", "central-powers")),
            }[track]
            world["hexes"][hex] = {**world["hexes"][hex], track: value}
            world["stated"].append(f"{hex} {value if track == 'terrain' else f'{track}={value}'}")
    land = sorted(hex for hex in near if world["hexes"][hex]["terrain"] not in ("sea", "high-mountain"))
    rails = [hex for hex in land if world["hexes"][hex]["operational"] == world["side"]]
    stations = [hex for hex in rails if world["hexes"][hex]["station"]]
    people(world, chance, land, rails, stations)
    return world


# --- what is typed ----------------------------------------------------------------------------------------------------


def walk(chance: random.Random, start: str, many: int, avoid: set[str]) -> list[str]:
    """A way over the paper map that never comes back."""
    way, ground = [start], set(PATCH)
    for _ in range(many):
        onward = [hex for hex in neighbours(way[-1]) if hex in ground and hex not in way and hex not in avoid]
        straight = [hex for hex in onward if len(set(neighbours(hex)) & set(way)) == 1] or onward
        if not straight:
            break
        way.append(chance.choice(straight))
    return way


def lay(world: World, chance: random.Random, way: list[str], kinds: tuple[str, ...]) -> None:
    """Types what lies along a way."""
    for here, there in pairwise(way):
        kind = chance.choice(kinds)
        lies = dict(PLAIN)
        if kind in ("rail1", "rail2"):
            lies["rail"] = kind
        elif kind == "road":
            lies["road"] = "road"
        elif kind == "bridge":
            lies |= {"barrier": frozenset({"major-river"}), "crossing": "bridge"}
        elif kind in ("major-river", "ridge"):
            lies["barrier"] = frozenset({kind})
        elif kind == "ridge-road":
            lies |= {"barrier": frozenset({"ridge"}), "road": "road"}
        elif kind == "river-rail":
            lies |= {"barrier": frozenset({"major-river"}), "rail": "rail1"}
        elif kind == "ferry":
            lies |= {"barrier": frozenset({"grand-river"}), "crossing": "ferry"}
        world["between"].setdefault(pair(here, there), lies)
        for hex in (here, there):
            world["hexes"].setdefault(hex, {})


OPEN = ("road", "road", "open", "open", "open", "bridge", "major-river", "ridge", "ridge-road", "ferry", "rail1")
RAIL = ("rail2", "rail2", "rail1", "rail2", "rail1", "river-rail")


def ground_of(world: World, chance: random.Random, unsaid: float) -> None:
    """Types the terrain of the hexes, but for some."""
    on_foot = {
        hex
        for sides, lies in world["between"].items()
        if lies["rail"] == "no-rail" and lies["road"] == "no-road"
        for hex in sides
    }
    for hex, facts in sorted(world["hexes"].items()):
        if chance.random() >= (unsaid if hex not in on_foot else unsaid / 4):
            facts["terrain"] = chance.choice(("clear", "clear", "clear", "rough", "mountain", "wetlands"))
    if chance.random() < 0.5:
        for facts in world["hexes"].values():
            if chance.random() < 0.15:
                facts["control"] = "russian" if world["side"] != "russian" else "central-powers"
            elif chance.random() < 0.8:
                facts["control"] = world["side"]


def railway_of(world: World, chance: random.Random) -> list[str]:
    """States here and there what becomes of the railway; the hexes on it."""
    rails = sorted(railed(world))
    if rails and chance.random() < 0.3:
        world["hexes"][chance.choice(rails)]["operational"] = "none"
    if rails and chance.random() < 0.5:
        for hex in chance.sample(rails, min(len(rails), chance.choice((1, 1, 2)))):
            facts = world["hexes"][hex]
            if facts.get("operational") != "none" and facts.get("control") in (None, world["side"]):
                facts["linked"] = chance.choice((world["side"], world["side"], "none"))
    return rails


def along_line(chance: random.Random) -> World:
    """A single line, by rail to begin with or not, and units on it and beside it."""
    world = empty(chance, board=False) | {"kind": "line", "whole": chance.random() < 0.3}
    way = walk(chance, chance.choice(PATCH), chance.randint(2, 9), set())
    far = chance.choice((0, 1, 2, 3, 4, len(way)))
    lay(world, chance, way[: far + 1], RAIL)
    lay(world, chance, way[far:], OPEN)
    ground_of(world, chance, 0.15)
    rails = railway_of(world, chance)
    world["lines"] = [way]
    train = chance.choice(NAMES_OF_SOURCES)
    if (
        not train and way[0] not in rails and chance.random() < 0.8
    ):  # else whether a line begins at a RR line would be open
        world["hexes"][way[0]]["operational"] = chance.choice((world["side"], world["side"], "none"))
    people(world, chance, way, rails or way[:1], rails or way[:1], first=(train, way[0]), last=way[-1])
    return world


ROAD = 14
"""The number of hexes of a road beyond a RR line."""
NAMES_OF_SOURCES = ("corps-train", "corps-train", "major-depot", "minor-depot", "")


def over_network(chance: random.Random) -> World:
    """RR lines, roads and open ground, all of it typed or not, and units on it."""
    world = empty(chance, board=False) | {"kind": "network", "whole": chance.random() < 0.6}
    start = chance.choice(PATCH)
    main = walk(chance, start, chance.randint(1, 8), set())
    lay(world, chance, main, RAIL)
    if chance.random() < 0.4:
        lay(world, chance, walk(chance, chance.choice(main), chance.randint(1, 4), set()), RAIL)
    for _ in range(chance.randint(1, 5)):
        start = chance.choice(sorted(world["hexes"]))
        lay(
            world,
            chance,
            walk(chance, start, chance.randint(1, 6), set()),
            OPEN if chance.random() < 0.7 else ("road",),
        )
    ground_of(world, chance, chance.choice((0, 0, 0.2, 1)))
    rails = railway_of(world, chance)
    people(world, chance, sorted(world["hexes"]), rails, rails)
    return world


def behind_railway(chance: random.Random) -> World:
    """A RR line from a map edge, be that stated or not, with its branches and roads from its ends, most often all of it typed; supply
    units on it, units beyond, and enemies on it and beside it.
    """
    world = empty(chance, board=False) | {"kind": "railway", "whole": chance.random() < 0.8}
    main = walk(chance, chance.choice(PATCH), chance.randint(3, 9), set())
    lay(world, chance, main, RAIL[:-1])
    ends = [main[-1]]
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        branch = walk(chance, chance.choice(main), chance.randint(1, 4), set(world["hexes"]))
        lay(world, chance, branch, RAIL[:-1])
        ends.append(branch[-1])
    rails = sorted(railed(world))
    for start in (chance.choice(ends), *chance.choices(rails, k=chance.choice((0, 0, 1)))):
        lay(world, chance, walk(chance, start, chance.randint(1, 6), set(rails)), ("road",))
    ground_of(world, chance, chance.choice((0, 0, 0.2)))
    for hex in rails:
        if world["hexes"][hex].get("control") not in (None, world["side"]) and chance.random() < 0.8:
            del world["hexes"][hex]["control"]
    (enemy,) = set(NATIONS) - {world["side"]}
    for hex in (main[0], main[0], *ends):
        if chance.random() < 0.25:
            track, value = chance.choice(
                (("map-edge", world["side"]), ("map-edge", enemy), ("linked", world["side"]), ("linked", "none"))
            )
            world["hexes"][hex].setdefault(track, value)
    for hex in rails:
        if chance.random() < 0.04:
            world["hexes"][hex]["operational"] = chance.choice(("none", *NATIONS))
    people(world, chance, sorted(world["hexes"]), rails, rails, foes=rails)
    return world


def beyond_train(chance: random.Random) -> World:
    """A RR line and a road that leads far beyond it, with a train on the road that a depot serves, one unit of its corps within its range and another one only
    within its extended range: its side has to choose which of them it serves.
    """
    world = empty(chance, board=False) | {"kind": "contest", "whole": True}
    way = list[str]()
    while len(way) < ROAD:
        way = walk(chance, chance.choice(PATCH), ROAD, set())
    rails = way[:2]
    lay(world, chance, rails, ("rail2",))
    lay(world, chance, way[1:], ("road",))
    ground_of(world, chance, 0)
    world["hexes"][way[0]]["linked"] = world["side"]
    for hex in way:
        world["hexes"][hex].pop("control", None)
    at = chance.randint(6, 8)
    people(world, chance, way, rails, rails, first=("major-depot", rails[1]))
    world["hexes"][rails[1]]["station"] = True
    world["units"]["Major"] |= {"range": at, "extended-range": at + 1}
    near, more = chance.choice((1, 2, 2, 3)), chance.choice((1, 2, 3))
    world["units"]["1 Train"] |= {"place": way[at], "range": near, "extended-range": near + more}
    far = chance.randint(near + 1, near + more)
    ends = [way[min(at + distance, len(way) - 1)] for distance in (chance.randint(1, near), far)]
    for name, hex in zip(("A/1", "B/1"), ends, strict=True):
        world["units"].setdefault(name, {**world["units"]["A/1"]})["place"] = hex
    mine = own(world)
    places = {unit["place"] for unit in mine.values()}
    if chance.random() < 0.7:
        world["units"] = mine
    else:
        world["units"] = {
            name: unit for name, unit in world["units"].items() if name in mine or unit["place"] not in places
        }
    return world


# --- units ------------------------------------------------------------------------------------------------------------


def people(
    world: World, chance: random.Random, land: list[str], rails: list[str], stations: list[str],
    first: tuple[str, str] = ("", ""), last: str = "", foes: Sequence[str] = (),
) -> None:  # fmt: skip
    """Puts units of both sides on the ground: supply units where they may serve as a rule, all else anywhere. foes: where enemies
    stand more often than not.
    """
    nation = chance.choice(NATIONS[world["side"]])
    armies = ("First", "Second") if chance.random() < 0.3 else ("First",)
    units: dict[str, Unit] = world["units"]

    def add(name: str, arm: str, place: str, **more: Any) -> None:
        units[name] = {
            "nation": nation,
            "arm": arm,
            "place": place,
            "army": chance.choice(armies),
            "corps": "",
            "size": "-",
            **more,
        }

    def supply_unit(name: str, arm: str, place: str, **more: Any) -> None:
        near = chance.choice((0, 1, 2, 2, 3, 4))
        add(name, arm, place, **{"range": near, "extended-range": near + chance.choice((0, 1, 2, 3)), **more})
        if chance.random() < 0.2:
            units[name]["extended"] = True
        if arm in DEPOTS and chance.random() < 0.07:
            units[name]["relocation"] = chance.choice(("relocating", "consolidating"))
        if arm == "corps-train" and chance.random() < 0.07:
            units[name]["entrained"] = True
        if arm == "corps-train" and chance.random() < 0.1:
            units[name] |= {"incomplete": 1, "incomplete-range": chance.choice((1, 2))}
        if chance.random() < 0.05:
            units[name]["supply"] = "out"

    for corps in chance.choice((("1",), ("1",), ("1", "2"), ("1", "2", "3"))):
        place = chance.choice(rails) if rails and chance.random() < 0.5 else chance.choice(land)
        if first[0] == "corps-train" and corps == "1":
            place = first[1]
        supply_unit(f"{corps} Train", "corps-train", place, corps=corps)
    if chance.random() < 0.15:
        supply_unit("1 C Train", "corps-train", chance.choice(rails or land), corps="1 C")
    if nation == "german" and chance.random() < 0.2:
        supply_unit(
            "KG Train", "corps-train", chance.choice(land), corps="KG", **{"extended-range": 0, "entrained": False}
        )
        units["KG Train"].pop("extended", None)
    for arm, many in (("major-depot", 0.5), ("minor-depot", 0.3)):
        if chance.random() < many or first[0] == arm:
            place = chance.choice(stations) if stations and chance.random() < 0.85 else chance.choice(land)
            supply_unit(NAMES[arm], arm, first[1] if first[0] == arm else place)
    for corps in ("1", "2", "3", "KG"):
        if f"{corps} Train" in units or chance.random() < 0.2:
            for at in range(chance.choice((1, 1, 2))):
                name = f"{'ABCD'[at]}/{corps}"
                add(name, "infantry", chance.choice(land), corps=corps, size=chance.choice(("XX", "XX", "X")))
    if world["side"] == "russian" and chance.random() < 0.1:
        add("2/23", "infantry", chance.choice(land), corps="23", size="XX")
    for at in range(chance.choice((0, 1, 2, 3, 4))):
        add(f"cav{at}", "cavalry", chance.choice(land), size=chance.choice(("XX", "X")))
        trains = [name for name, unit in units.items() if unit["arm"] == "corps-train" and unit["corps"].isdigit()]
        if chance.random() < 0.2 and trains:
            units[f"cav{at}"]["draws-on"] = chance.choice(trains)
        elif chance.random() < 0.15:
            units[f"cav{at}"]["corps"] = "1 C"
    for at in range(chance.choice((0, 0, 1, 2))):
        arm = chance.choice(("artillery", "infantry"))
        add(f"asset{at}", arm, chance.choice(land), asset=True, size="III" if arm == "infantry" else "-")
    if chance.random() < 0.2:
        add("Keep", "fortress", chance.choice(land), **{"supply-symbol": chance.random() < 0.7})
    if last:
        units[chance.choice([name for name, unit in units.items() if unit["arm"] not in SUPPLY])]["place"] = last
    for unit in units.values():
        if unit["arm"] in ("infantry", "cavalry") and not unit.get("asset") and chance.random() < 0.03:
            unit["entrained"] = True
    other = "russian" if world["side"] != "russian" else "german"
    taken = {unit["place"] for unit in units.values()}
    about = sorted({near for hex in land for near in (hex, *neighbours(hex))} - taken)
    if world["board"]:
        about = [hex for hex in about if world["hexes"].get(hex, {"terrain": "sea"})["terrain"] != "sea"]
    near_foes = [hex for hex in about if hex in foes or set(neighbours(hex)) & set(foes)]
    for at in range(min(len(about), chance.choice((0, 1, 1, 2, 3, 5)))):
        arm = chance.choice(("infantry", "infantry", "cavalry", "artillery", "fortress", "fort"))
        units[f"E{at}"] = {
            "nation": other,
            "arm": arm,
            "place": chance.choice(near_foes if near_foes and chance.random() < 0.7 else about),
            "army": "",
            "corps": "",
            "size": "XX",
        }
    if not world["board"]:
        for unit in own(world).values():
            facts = world["hexes"].setdefault(unit["place"], {})
            if "control" in facts:
                facts["control"] = world["side"]
            if unit["arm"] in DEPOTS and chance.random() < 0.8:
                world["hexes"].setdefault(unit["place"], {})["station"] = chance.random() < 0.85
            if not world["whole"] and unit["arm"] not in ("fortress", "fort") and chance.random() < 0.6:
                unit["other-line"] = False
                if chance.random() < 0.5:
                    unit["way-out"] = False


# --- as text ----------------------------------------------------------------------------------------------------------


def text_of(world: World) -> str:
    """A world in position notation."""
    head = [f"game {GAME}", *(["board east"] if world["board"] else [])]
    head.append(f"turn={world['turn']} weather={world['weather']}")
    if world["campaign"]:
        head.append("campaign")
    if world["whole"]:
        head.append(f"side {world['side']} whole-network")
    lines = world.get("stated", []) if world["board"] else [*hexes_of(world), *ways_of(world)]
    return "\n".join([*head, *lines, *(unit_of(name, unit) for name, unit in world["units"].items())]) + "\n"


def hexes_of(world: World) -> Iterator[str]:
    """Yield what is typed of each hex."""
    for hex, facts in sorted(world["hexes"].items()):
        if words := write_facts({track: facts.get(track) for track in TYPED}):
            yield " ".join([hex, *words])


def sign(lies: dict[str, Any]) -> str:
    """What lies between two hexes, as a chain has it."""
    if not lies["barrier"] and lies["crossing"] == "no-crossing":
        if lies["rail"] != "no-rail":
            return {"rail2": "=", "rail1": "-"}[lies["rail"]]
        return ":" if lies["road"] != "no-road" else "/"
    words = [*sorted(lies["barrier"])]
    words += [lies["rail"]] if lies["rail"] != "no-rail" else []
    words += ["road"] if lies["road"] != "no-road" else []
    words += [lies["crossing"]] if lies["crossing"] != "no-crossing" else []
    return f"-{'-'.join(words)}-"


def ways_of(world: World) -> list[str]:
    """The chains of a network, or its line."""
    left, chains = dict(world["between"]), []
    for way in world["lines"]:
        name = next(
            (name for name, unit in own(world).items() if unit["arm"] in SUPPLY and unit["place"] == way[0]), "way"
        )
        steps = [f"{sign(left.pop(pair(a, b)))}{b}" for a, b in pairwise(way)]
        chains.append(f'line "{name}": {way[0]}{"".join(steps)}')
    while left:
        here, there = next(iter(left))
        chain = here
        while True:
            chain += sign(left.pop(pair(here, there))) + there
            onward = [near for near in neighbours(there) if pair(there, near) in left]
            if not onward:
                break
            here, there = there, onward[0]
        chains.append(chain)
    return chains


def unit_of(name: str, unit: Unit) -> str:
    """Return a line about a unit: what its counter says, and what is typed of it."""
    facts = {track: unit.get(track) or None for track in ("nation", "arm", "size", "army")}
    facts |= {track: unit.get(track) for track in COUNTER}
    if SIDES[unit["nation"]] and unit["army"] and unit["arm"] not in DEPOTS and not unit.get("asset"):
        facts["corps"] = unit["corps"] or "none"
    facts |= {track: unit.get(track) or None for track in ("extended", "entrained", "asset")}
    facts |= {track: unit.get(track) for track in ("other-line", "way-out", "supply-symbol")}
    return f"{unit['place']}: {Scene(GAME).write_unit(name, facts)}"


# --- without one thing ---------------------------------------------------------------------------------------------------


def smaller(world: World) -> Iterator[World]:
    """The world without one thing: a unit, what is stated of one, a hexside, a fact about a hex."""
    for name in world["units"]:
        yield {**world, "units": {other: unit for other, unit in world["units"].items() if other != name}}
    if world["board"]:
        for at, line in enumerate(world["stated"]):
            yield without_statement(world, at, line)
    else:
        for sides in world["between"]:
            if not world["lines"]:
                yield {**world, "between": {other: lies for other, lies in world["between"].items() if other != sides}}
            elif sides in (ends := ((*sorted(world["lines"][0][:2]),), (*sorted(world["lines"][0][-2:]),))):
                way = world["lines"][0][1:] if sides == ends[0] else world["lines"][0][:-1]
                between = {other: lies for other, lies in world["between"].items() if other != sides}
                yield {**world, "between": between, "lines": [way]}
        for hex, facts in world["hexes"].items():
            for track in facts:
                yield without(world, "hexes", hex, track)
    for name, unit in world["units"].items():
        for track in set(unit) - NEEDED:
            yield without(world, "units", name, track)
    if world["campaign"]:
        yield {**world, "campaign": None, "turn": 5, "weather": "normal"}


def without(world: World, kind: str, name: str, track: str) -> World:
    """The world without one fact."""
    facts = {other: value for other, value in world[kind][name].items() if other != track}
    return {**world, kind: {**world[kind], name: facts}}


def without_statement(world: World, at: int, line: str) -> World:
    """The world with one hex or hexside of the board as it is drawn."""
    hexes, between = drawn_ground()
    name = line.split()[0]
    stated = [*world["stated"][:at], *world["stated"][at + 1 :]]
    if any(other.split()[0] == name for other in stated):
        return world
    if "|" in name:
        sides = (name.split("|")[0], name.split("|")[1])
        return {**world, "stated": stated, "between": {**world["between"], sides: between[sides]}}
    return {**world, "stated": stated, "hexes": {**world["hexes"], name: hexes[name]}}
