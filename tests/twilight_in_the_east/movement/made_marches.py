"""Made-up ground with units of both sides, as the naive reckoning of marches has it and in position notation."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from ...making.hexes import neighbours
from .naive_march import COMBAT, RIVERS, SUPPLY, Unit, World

SEASONS = (
    (3, "normal", False, "summer"),
    (9, "summer-heat", False, "summer"),
    (24, "normal", True, "summer"),
    (20, "high-water", True, "high-water"),
    (30, "normal", True, "autumn"),
    (36, "freeze", True, "freeze"),
)
"""Game turns with their weather, whether the campaign's rules are in force, and the table of costs that is read
then.
"""
RULINGS = {"once": "ezoc-leaving", "combat": "ezoc-position", "added": "causeway-cost"}
"""Rulings by a reading other than the usual one."""
NATIONS = {"russian": ("russian",), "central-powers": ("german", "austro-hungarian")}
OTHER = {"russian": "central-powers", "central-powers": "russian"}
ARMS = {
    "infantry": ("XX", "XX", "XX", "X", "X", "III", "II"),
    "cavalry": ("XX", "XX", "X", "III"),
    "artillery": ("-",),
    "corps-train": ("-",),
    "minor-depot": ("-",),
    "fortress": ("-",),
    "fort": ("-",),
}
MOVERS = ("infantry", "infantry", "infantry", "cavalry", "cavalry", "artillery", "corps-train")
STACKS = (("infantry", "artillery"), ("cavalry", "infantry"), ("corps-train", "infantry"), ("artillery", "corps-train"))
FRIENDS = ("infantry", "infantry", "infantry", "cavalry", "artillery", "corps-train", "minor-depot", "fortress", "fort")
ENEMIES = ("infantry", "infantry", "infantry", "cavalry", "cavalry", "artillery", "fortress", "fort", "corps-train")
FARTHEST = {"infantry": 10, "cavalry": 10, "artillery": 11, "corps-train": 11}
"""The greatest allowances here: every way is walked, and with a Forced March more would be too many."""


def made(seed: int) -> World:
    """A world, the same for the same seed."""
    chance = random.Random(f"march/{seed}")
    turn, weather, campaign, table = chance.choice(SEASONS)
    side = chance.choice(tuple(NATIONS))
    world: World = {
        "turn": turn, "weather": weather, "campaign": campaign, "table": table, "side": side,
        "phase": chance.choice(("movement", "counter-movement")), "costs": costs(chance, table),
        "hexes": {}, "between": {}, "units": {}, "movers": (),
        "rulings": {reading for reading in RULINGS if chance.random() < 0.15},
    }  # fmt: skip
    lay_ground(world, chance)
    place_units(world, chance)
    return world


def costs(chance: random.Random, table: str) -> dict[str, Fraction | None]:
    """A Terrain Effects Chart as it might be."""

    def halves(least: float, most: float, closed: float = 0) -> Fraction | None:
        return None if chance.random() < closed else Fraction(chance.randint(int(2 * least), int(2 * most)), 2)

    chart = {
        "clear": halves(1.5, 2.5), "rough": halves(2, 4), "wetlands": halves(2.5, 5, 0.1),
        "mountain": halves(3, 6, 0.1),
        "high-mountain": halves(5, 7, 0.7), "minor-river": halves(0.5, 2), "major-river": halves(2, 4),
        "grand-river": None, "ridge": halves(0.5, 3, 0.1), "escarpment": halves(0.5, 2.5), "bridge": halves(0, 1),
        "ferry": halves(1, 3), "primary-road": halves(1, 1.5), "secondary-road": halves(1.5, 2), "rail": halves(1, 2.5),
        "causeway": halves(1, 2),
    }  # fmt: skip
    chart["pontoon"] = chart["bridge"]
    if table == "high-water":  # which only changes rivers: the rulebook has these two of summer (4.1.4)
        chart |= {"clear": Fraction(2), "primary-road": Fraction(3, 2)}
    if table == "freeze":
        chart |= {"minor-river": Fraction(0), "wetlands": chart["clear"]}
    return chart


def lay_ground(world: World, chance: random.Random) -> None:
    """Fifteen to twenty-five hexes with what lies between them."""
    hexes, many = [f"{chance.randint(30, 40)}.{chance.randint(30, 40)}"], chance.randint(15, 25)
    while len(hexes) < many:
        near = chance.choice(neighbours(chance.choice(hexes)))
        if near not in hexes:
            hexes.append(near)
    terrains = ("clear", "clear", "clear", "rough", "rough", "wetlands", "mountain", "high-mountain")
    world["hexes"] = {
        hex: {"terrain": chance.choice(terrains), "escarpment": chance.random() < 0.4, "ip": 0} for hex in sorted(hexes)
    }
    for hex in hexes:
        for near in neighbours(hex):
            if near in world["hexes"] and hex < near:
                world["between"][hex, near] = a_hexside(chance)


def a_hexside(chance: random.Random) -> dict[str, Any]:
    """What lies between two hexes: no roadway or RR line leads over a lake, and where one crosses a river is a
    bridge, stated or not (2.2).
    """
    lies = {"barrier": set[str](), "road": "no-road", "rail": "no-rail", "crossing": "no-crossing", "spur": False}
    river = chance.choice((*RIVERS, "", "", "", "", ""))
    if chance.random() < 0.06:
        return lies | {"barrier": {"lake"}}
    if chance.random() < 0.06:
        crossed = chance.choice(({}, {"assets": 1}, {"assets": 3}, {"brigades": 1}, {"divisions": 1}))
        return lies | {"barrier": {"lake"}, "causeway": True, "crossed": crossed}
    lies["barrier"] = {feature for feature in ("ridge", "escarpment") if chance.random() < 0.12} | ({river} - {""})
    if river:
        great = ["pontoon"] if river != "minor-river" else []
        lies["crossing"] = chance.choice(["bridge", "ferry", "no-crossing", "no-crossing", *great])
    if lies["crossing"] in ("pontoon", "ferry"):
        lies["spur"] = chance.random() < 0.5
    else:
        lies["road"] = chance.choice(("no-road", "no-road", "no-road", "primary-road", "secondary-road"))
        lies["rail"] = chance.choice(("no-rail", "no-rail", "no-rail", "no-rail", "rail1", "rail2"))
    return lies


def place_units(world: World, chance: random.Random) -> None:
    """Those who move, their friends and their enemies, and Improved Positions."""
    hexes = list(world["hexes"])
    start = chance.choice(hexes)
    moving = chance.choice(STACKS) if chance.random() < 0.2 else (chance.choice(MOVERS),)
    for number, arm in enumerate(moving):
        unit = a_unit(chance, world["side"], arm, start) | {"movement": chance.randint(5, FARTHEST[arm])}
        unit["spent"] = Fraction(chance.choice((0, 0, 0, 1, 3, 4)), chance.choice((1, 2, 2, 14)))
        world["units"][f"M{number}"] = unit
    world["movers"] = tuple(world["units"])
    if not {*moving} & {*COMBAT}:  # without a combat unit they would have left an EZOC (9.5.1, 9.8.1)
        world["units"]["Guard"] = a_unit(chance, world["side"], "infantry", start)
    for number in range(chance.randint(1, 4)):
        hex = chance.choice([hex for hex in hexes if hex != start])
        world["units"][f"E{number}"] = a_unit(chance, OTHER[world["side"]], chance.choice(ENEMIES), hex)
    held = {unit["place"] for name, unit in world["units"].items() if name.startswith("E")}
    for number in range(chance.randint(1, 6)):
        hex = chance.choice([start, *(hex for hex in hexes if hex not in held)])
        world["units"][f"F{number}"] = a_unit(chance, world["side"], chance.choice(FRIENDS), hex)
    for hex in hexes:
        usual = OTHER[world["side"]] if hex in held or chance.random() < 0.2 else world["side"]
        own = any(unit["place"] == hex for unit in world["units"].values()) and hex not in held
        world["hexes"][hex]["control"] = world["side"] if own else usual
    for name, unit in world["units"].items():
        if name[0] in "EF" and unit["arm"] in (*COMBAT, "artillery", "corps-train") and chance.random() < 0.1:
            unit["entrained"] = True
    for unit in world["units"].values():
        if chance.random() < 0.5:
            world["hexes"][unit["place"]]["ip"] = chance.choice((1, 2, 3, 3, 4))
        if unit["place"] in held and unit["arm"] in ("infantry", "artillery") and chance.random() < 0.3:
            unit["prepared"] = chance.choice([hex for hex in neighbours(unit["place"]) if hex in world["hexes"]])


def a_unit(chance: random.Random, side: str, arm: str, hex: str) -> Unit:
    """A unit of a side in a hex."""
    size = chance.choice(ARMS[arm])
    unit: Unit = {"place": hex, "nation": chance.choice(NATIONS[side]), "arm": arm, "size": size}
    if arm in COMBAT:
        unit["asset"] = size in ("III", "II") or chance.random() < 0.1
        unit["reduced"] = not unit["asset"] and chance.random() < 0.3
    return unit


# --- as text ----------------------------------------------------------------------------------------------------------


def text_of(world: World) -> str:
    """A world in position notation. All of its ground is stated; around it lies the sea."""
    phasing = world["side"] if world["phase"] == "movement" else OTHER[world["side"]]
    lines = ["game twilight-in-the-east", f"turn={world['turn']} weather={world['weather']}"]
    lines[-1] += f" phase={world['phase']} phasing={phasing}{' campaign' if world['campaign'] else ''}"
    lines += [
        f"chart terrain-cost {world['table']} {name} = {spelt(points)}" for name, points in world["costs"].items()
    ]
    lines += [f"ruling {RULINGS[reading]}={reading}" for reading in sorted(world["rulings"])]
    for hex, facts in world["hexes"].items():
        position = f" ip={facts['ip']}" if facts["ip"] else ""
        words = f"control={facts['control']} escarpment={'yes' if facts['escarpment'] else 'no'}{position}"
        lines.append(f"{hex} {facts['terrain']} {words}")
    lines.append(f"{','.join(shore(world))} sea")
    lines += [f"{here}|{there} {words_of(lies)}" for (here, there), lies in world["between"].items()]
    lines += [unit_of(name, unit) for name, unit in world["units"].items()]
    return "\n".join(lines) + "\n"


def shore(world: World) -> list[str]:
    """The hexes around those of a world."""
    return sorted({near for hex in world["hexes"] for near in neighbours(hex)} - {*world["hexes"]})


def spelt(points: Fraction | None) -> str:
    """A cell of the Terrain Effects Chart."""
    return "prohibited" if points is None else f"{float(points):g}"


def words_of(lies: dict[str, Any]) -> str:
    """What lies between two hexes, in words."""
    words = [*(sorted(lies["barrier"]) or ["open"]), lies["road"], lies["rail"], lies["crossing"]]
    if lies["crossing"] in ("ferry", "pontoon"):
        words.append(f"spur={'yes' if lies['spur'] else 'no'}")
    if lies.get("causeway"):
        words.append("causeway")
    if lies.get("crossed"):
        words.append("crossed=" + "+".join(f"{kind}:{many}" for kind, many in lies["crossed"].items()))
    return " ".join(words)


def unit_of(name: str, unit: Unit) -> str:
    """A unit with what its counter says and what it has done."""
    words = [f"{unit['place']}: {unit['nation']} {unit['arm']} {unit['size']} {name}"]
    if unit["arm"] in COMBAT:
        words.append("steps=8 defence=8 artillery=0 effectiveness=9 back-steps=" + ("0" if unit["asset"] else "4"))
    if unit["arm"] in ("fortress", "fort"):
        words.append("steps=4 fssm=2")
    if unit["arm"] in SUPPLY:
        words.append("range=5 extended-range=8")
    words += [word for word in ("asset", "reduced", "entrained") if unit.get(word)]
    words += [f"movement={unit['movement']}"] if "movement" in unit else []
    words += [f"spent=march:{unit['spent']}"] if unit.get("spent") else []
    words += [f"prepared={unit['prepared']}"] if "prepared" in unit else []
    return " ".join(words)
