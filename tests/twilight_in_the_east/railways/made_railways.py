"""Made-up railways with units that are to go by them, as the naive reckoning has them and in position notation."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ...making.hexes import neighbours, pair, walk
from .naive_rail import World, gauges_at

SIDES = {"russian": "russian", "german": "central-powers", "austro-hungarian": "central-powers"}
ORDERS = {"russian": ("movement", "counter-movement"), "central-powers": ("counter-movement", "movement")}
"""The phases of each side in a game turn (5.0): the Russian Player Turn comes first, and its Counter Movement Phase
is of the others.
"""
SIGNS = {(1, False): "rail1", (2, False): "rail2", (1, True): "rail1 narrow"}


def made(seed: int) -> World:
    """A world, the same for the same seed."""
    chance = random.Random(f"rail/{seed}")
    nation = chance.choice(("russian", "russian", "german", "austro-hungarian"))
    turns = 2
    world: World = {
        "nation": nation,
        "turn": 5,
        "phases": ORDERS[SIDES[nation]] * turns,
        "rates": (chance.choice((2, 3, 5)),) * 2 * turns,
        "links": {},
        "stations": set(),
        "closed": set(),
        "units": {},
        "points": {},
        "enemies": {},
    }
    lay_lines(world, chance)
    place_units(world, chance)
    if chance.random() < 0.5 and all("stage" not in unit for unit in world["units"].values()):
        place_enemies(world, chance)
    pools = ("rail-points", "euro-gauge-points", "warsaw-points") if nation == "russian" else ("rail-points",)
    world["points"] = {
        pool: Fraction(chance.choice((1, 5, 8, 16, 25, 25)), chance.choice((1, 1, 1, 2))) for pool in pools
    }
    return world


def lay_lines(world: World, chance: random.Random) -> None:
    """A line and some that leave it and may join it again."""
    start = "58.52" if chance.random() < 0.4 else f"{chance.randint(50, 60)}.{chance.randint(40, 60)}"
    hexes = [start]
    for length in (chance.randint(4, 9), chance.randint(0, 5), chance.randint(0, 4)):
        way = [chance.choice(hexes)] if hexes[1:] else [start]
        gauge = chance.choice(("standard", "both", "broad", "broad")) if world["nation"] == "russian" else "standard"
        way += walk(chance, way[0], length)
        tracks = chance.choice((1, 2, 2))
        for here, there in pairwise(way):
            if chance.random() < 0.3:
                tracks = 3 - tracks
            if chance.random() < 0.1 and world["nation"] == "russian":
                gauge = chance.choice(("standard", "broad", "both"))
            narrow = chance.random() < 0.02
            world["links"].setdefault(
                pair(here, there), {"tracks": 1 if narrow else tracks, "narrow": narrow, "gauge": gauge}
            )
        hexes += way[1:]
    every = sorted({*hexes})
    world["stations"] = {hex for hex in every if chance.random() < 0.6} | {hexes[0], hexes[-1]}
    world["closed"] = {hex for hex in every if hex not in world["stations"] and chance.random() < 0.03}


def place_units(world: World, chance: random.Random) -> None:
    """One to three units in stations, each with a station to which it is to go; some have begun."""
    stations = sorted(world["stations"])
    start, end = chance.choice(stations), chance.choice(stations)
    for number in range(chance.choice((1, 1, 2, 2, 3))):
        at = start if chance.random() < 0.7 else chance.choice(stations)
        to = end if end != at and chance.random() < 0.7 else chance.choice([hex for hex in stations if hex != at])
        cost = Fraction(chance.choice((1, 2, 3, 4, 5, 5)), 1) if chance.random() < 0.9 else Fraction(1, 2)
        world["units"][f"U{number}"] = {
            "place": at,
            "destination": to,
            "rail-cost": cost,
            "movement": chance.choice((5, 6, 7, 7, 8, 9)),
        }
        if chance.random() < 0.3:
            world["units"][f"U{number}"] |= begun(world, chance, world["units"][f"U{number}"])


def place_enemies(world: World, chance: random.Random) -> None:
    """An enemy or two, on the lines or beside them; those who have begun to entrain or to detrain would be
    disturbed.
    """
    near = {hex for sides in world["links"] for end in sides for hex in (end, *neighbours(end))}
    hexes = sorted(near - {unit["place"] for unit in world["units"].values()})
    for number in range(chance.choice((1, 2))):
        arm = chance.choice(("infantry", "cavalry", "artillery", "fortress", "fort"))
        world["enemies"][f"E{number}"] = {"place": chance.choice(hexes), "arm": arm}


def begun(world: World, chance: random.Random, unit: dict[str, Any]) -> dict[str, Any]:
    """What a unit has done in earlier phases: part of entraining, all of it, or part of detraining."""
    part = Fraction(chance.randint(1, 4))
    kind = chance.choice(("entraining", "riding", "detraining"))
    if kind == "riding":
        at = chance.choice(sorted({hex for sides in world["links"] for hex in sides} - world["closed"]))
        gauges = sorted(gauges_at(world, at))
        chosen = {"gauge": chance.choice(gauges)} if gauges[1:] else {}
        return {"stage": "riding", "place": at, **chosen} if gauges and at != unit["destination"] else {}
    if part >= unit["rail-cost"] or not gauges_at(world, unit["destination"]):
        return {}
    if kind == "detraining":
        return {"stage": "detraining", "credit": part, "place": unit["destination"]}
    return {"stage": "entraining", "credit": part}


# --- as text ----------------------------------------------------------------------------------------------------------


def text_of(world: World) -> str:
    """A world in position notation, at the beginning of its first phase."""
    side = SIDES[world["nation"]]
    first = world["phases"][0]
    phasing = side if first == "movement" else {"russian": "central-powers", "central-powers": "russian"}[side]
    lines = ["game twilight-in-the-east", f"turn={world['turn']} weather=normal phase={first} phasing={phasing}"]
    points = " ".join(f"{pool}={spelt(left)}" for pool, left in world["points"].items())
    lines.append(f"nation {world['nation']} {points}")
    lines += [
        f"{hex} {hex_words(world, hex, side)}" for hex in sorted({hex for sides in world["links"] for hex in sides})
    ]
    lines += [f"{here}|{there} {link_words(link)}" for (here, there), link in world["links"].items()]
    lines += [unit_line(world, name, unit) for name, unit in world["units"].items()]
    enemy = "german" if side == "russian" else "russian"
    sizes = {"infantry": "XX", "cavalry": "XX"}
    for name, unit in world["enemies"].items():
        lines.append(f"{unit['place']}: {enemy} {unit['arm']} {sizes.get(unit['arm'], '-')} {name} steps=4 fssm=2")
    return "\n".join(lines) + "\n"


def spelt(points: Fraction) -> str:
    """Points as a fact states them."""
    return f"{float(points):g}"


def hex_words(world: World, hex: str, side: str) -> str:
    """What is stated of a hex of the railways."""
    works = "none" if hex in world["closed"] else side
    return (
        f"clear control={side} operational={works} linked={works} station={'yes' if hex in world['stations'] else 'no'}"
    )


def link_words(link: dict[str, Any]) -> str:
    """What is stated of a RR line between two hexes."""
    return f"open {SIGNS[link['tracks'], link['narrow']]} {link['gauge']}"


def unit_line(world: World, name: str, unit: dict[str, Any]) -> str:
    """A unit with what its counter says."""
    counter = f"movement={unit['movement']} rail-cost={spelt(unit['rail-cost'])}"
    counter += f" train-gauge={unit['gauge']}" if "gauge" in unit else ""
    done = {
        "riding": f" entrained destination={unit['destination']}",
        "detraining": f" entrained destination={unit['destination']} task=detraining expended={unit.get('credit')}",
        "entraining": f" task=entraining expended={unit.get('credit')}",
    }
    return f"{unit['place']}: {world['nation']} infantry XX {name} {counter}{done.get(unit.get('stage', ''), '')}"
