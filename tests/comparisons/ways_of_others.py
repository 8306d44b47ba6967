"""Ways of *Kaiser's War in the East* and *The World Undone*: moves, reach, retreats, pursuit, advance, evasion and threats on
corners of a paper map.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from assistant.installed.registry import load_game

from . import Case, spoil

KAISER = "kaisers-war-in-the-east"
UNDONE = "world-undone-east-prussia-1914"
Question = tuple[str, str, dict[str, Any]]


@cache
def _around(game: str, hex: str) -> tuple[str, ...]:
    """Return the hexes next to one."""
    return tuple(load_game(game).board("").neighbours(hex))


@cache
def _corner(game: str, centre: str) -> tuple[str, ...]:
    """Return the hexes at most two from one, the nearest first."""
    hexes = {centre: None}
    for _ in range(2):
        hexes |= {near: None for hex in [*hexes] for near in _around(game, hex)}
    return tuple(hexes)


def _walk(chance: random.Random, game: str, start: str, hexes: int) -> list[str]:
    """Return a way of so many hexes."""
    way = list[str]()
    here = start
    for _ in range(hexes):
        here = chance.choice(_around(game, here))
        way.append(here)
    return way


def _lay(
    chance: random.Random, game: str, hexes: Sequence[str], terrains: Sequence[str], sides: Sequence[str]
) -> list[str]:
    """Return the ground of a corner in lines: terrains of hexes, with what else is said of them, and hexsides."""
    lines = [f"{hex} {chance.choice(terrains)}" for hex in hexes]
    for here in hexes:
        lines += [
            f"{here}|{there} {chance.choice(sides)}" for there in _around(game, here) if there in hexes and here < there
        ]
    return lines


# --- Kaiser's War in the East -----------------------------------------------------------------------------------------

SIDES = {"central-powers": ("german", "austro-hungarian"), "allies": ("russian",)}
ENEMY = {"central-powers": "allies", "allies": "central-powers"}
FORMATIONS = {
    "german": ("Ger-8", "Ger-9", "Ger-inf-1", "Ger-inf-2", "Ger-cav-1"),
    "austro-hungarian": ("AH-3", "AH-4", "AH-inf-1", "AH-cav-1"),
    "russian": ("Rus-1", "Rus-2", "Rus-3", "Rus-inf-1", "Rus-inf-2", "Rus-cav-1"),
}
COUNTRIES = ("russia",) * 6 + ("germany", "austria-hungary", "austria-hungary", "romania")
GROUNDS = ("clear",) * 6 + ("forest", "rough", "mountain", "marsh", "all-sea")
SEASONS = {"summer": 2, "winter": 4, "thaw": 6}


def _write_kaiser(
    chance: random.Random, centre: str, phase: str
) -> tuple[str, str, dict[str, list[str]], dict[str, str]]:
    """Return a corner with units of both sides, the side that is to move, the names of the units by side, and their hexes."""
    hexes = _corner(KAISER, centre)
    season, turn = chance.choice(sorted(SEASONS.items()))
    scenario = chance.choice(("1914", "1914", "1915"))
    own = chance.choice(sorted(SIDES))
    lines = [
        f"scenario={scenario} turn={turn} main-effort={chance.choice(('east', 'west'))} phase={phase} phasing={own}"
    ]
    if chance.random() < 0.3:
        lines.append("options=better-cavalry+modern-artillery")
    for name in ("summer", "winter"):
        lines += [f"chart terrain-cost {name} {ground} = {cost}" for ground, cost in (("rough", 2), ("marsh", 3))]
        lines.append(f"chart terrain-cost {name} mountain = {chance.choice(('3', 'prohibited'))}")
        lines.append(f"chart terrain-cost {name} river = 1")
    lines.append(f"chart turn-record {turn} = {season}")
    sides = ("open",) * 6 + ("river", "river", "rail", "rail", "rail river", "lake", "impassable", "all-sea")
    lines += _lay(chance, KAISER, hexes, GROUNDS, sides)
    lines += [f"{hex} country={chance.choice(COUNTRIES)}" for hex in hexes if chance.random() < 0.7]
    lines += [f"{hex} control={chance.choice(sorted(SIDES))}" for hex in hexes if chance.random() < 0.15]
    lines += [f"side {own} whole-network"] if chance.random() < 0.5 else []
    lines += [f"side {own} railed={chance.randint(1, 9)}"] if chance.random() < 0.2 else []
    units: dict[str, list[str]] = {side: [] for side in SIDES}
    places = dict[str, str]()
    free = [hex for hex in hexes if hex != centre]
    held = chance.sample(free, 6)
    for side, spots in ((own, [centre, centre, *held[:2]]), (ENEMY[own], held[2:])):
        names = [name for nation in SIDES[side] for name in FORMATIONS[nation]]
        kept = spots[:1] + [spot for spot in spots[1:] if chance.random() < 0.6]
        for name, hex in zip(chance.sample(names, len(kept)), kept, strict=True):
            mark = chance.choice(("",) * 14 + ("moved", "marching", "entrenched", "owes=2"))
            lines.append(
                f"{hex}: {name} ({chance.randint(3, 12)}-{chance.randint(3, 12)}-{chance.randint(0, 5)}) {mark}".rstrip()
            )
            units[side].append(name)
            places[name] = hex
        supply = {"central-powers": "CP-supply-1", "allies": "Allied-supply-1"}[side]
        if chance.random() < 0.8:
            lines.append(f"{chance.choice(spots)}: {supply} movement=2 radius={chance.randint(1, 3)}")
    if chance.random() < 0.2:
        spot = chance.choice([places[name] for name in units["allies"]])
        lines.append(f"{spot}: russian fortress - Fort (?-4-?)")
    return "\n".join(lines), own, units, places


def _kaiser(chance: random.Random) -> Question:
    centre = chance.choice(("2620", "3020"))
    question = chance.choice(
        ("move", "move", "rail", "reach", "reach", "retreat", "retreat", "retreat", "pursue", "threat")
    )
    phase = "movement" if question in ("move", "rail", "reach") else "first-combat"
    text, own, units, places = _write_kaiser(chance, centre, phase)
    unit = units[own][0]
    given: dict[str, Any] = {"unit": unit}
    forced = {"central-powers": "CP-supply-1", "allies": "Allied-supply-1"}[own]
    if question in ("move", "reach") and chance.random() < 0.15 and f": {forced}" in text:
        given["forced"] = forced
    match question:
        case "move" | "rail":
            given["way"] = _walk(chance, KAISER, centre, chance.randint(1, 4))
            if question == "rail":
                given["by"] = "rail"
                path = [centre, *given["way"]]
                text += "".join(f"\n{here}|{there} rail" for here, there in pairwise(path))
                if chance.random() < 0.3:
                    given["detrain"] = given["way"][0]
            question = "move"
        case "reach":
            if chance.random() < 0.3:
                given["by"] = "rail"
        case "retreat":
            stack = [name for name in units[own] if places[name] == centre]
            given = {"units": stack[: chance.randint(1, 2)], "hexes": chance.randint(1, 4)}
            given["way"] = _walk(chance, KAISER, centre, chance.randint(0, 3))
        case "pursue":
            at = chance.choice(_around(KAISER, centre))
            given = {"units": [unit], "at": at, "way": _walk(chance, KAISER, at, chance.randint(0, 2))}
            if chance.random() < 0.7:
                given["result"] = chance.choice(("AZ", "BB", "BT", "BT", "DD", "DZ"))
        case _:
            given = {"side": own, "at": [centre], "march": chance.random() < 0.6}
    return question, text, given


# --- The World Undone -------------------------------------------------------------------------------------------------

GERMANS = ("I/1", "I/2", "XVII/35", "XVII/36", "8A/1KB", "IR/1R", "8A/3R", "8A/Ldw2")
RUSSIANS = ("III/25", "III/27", "IV/30", "XX/28", "IC/1GC", "IC/2GC", "XIII/1", "XV/6")
COSTS = {"forest": 1, "swamp": 2, "river": 1, "town": 0, "city": 0, "clear": 0}


def _write_undone(
    chance: random.Random, centre: str, phase: str, phasing: str
) -> tuple[str, str, dict[str, list[str]], dict[str, str]]:
    """Return a corner with units of both sides, the side that is to move, the names of the units by side, and their hexes."""
    hexes = _corner(UNDONE, centre)
    options = [
        option
        for option in ("forced-march", "refugees", "cavalry-control", "cavalry-retreats")
        if chance.random() < 0.5
    ]
    scenario = chance.choice(("historical", "historical", "masurian-lakes"))
    lines = [f"scenario={scenario} turn={chance.randint(2, 6)} phase={phase} phasing={phasing}"]
    lines += [f"options={'+'.join(options)}"] if options else []
    lines += [f"chart terrain-cost {ground} = {cost}" for ground, cost in COSTS.items()]
    lines += ["chart terrain-cost lake = prohibited", "chart terrain-cost sea = prohibited"]
    lines += [
        f"ruling {said}"
        for said in ("retreat-edge=nearer", "evading-way=free", "rivalry-distance=four")
        if chance.random() < 0.15
    ]
    grounds = ("clear",) * 5 + ("forest", "forest", "swamp", "sea")
    lines += _lay(chance, UNDONE, hexes, grounds, ("open",) * 6 + ("river", "river", "rail", "rail", "lake"))
    lines += [
        f"{hex} town={chance.choice(('none',) * 6 + ('town', 'city'))} country={chance.choice(('germany', 'germany', 'russia'))}"
        for hex in hexes
    ]
    lines += [
        f"{hex} map-edge={chance.choice(('east', 'west', 'west+east'))}" for hex in hexes[7:] if chance.random() < 0.2
    ]
    lines += [f"{hex} control={chance.choice(('german', 'russian'))}" for hex in hexes if chance.random() < 0.15]
    lines += [f"{hex} rail-cut" for hex in hexes if chance.random() < 0.05]
    units = dict[str, list[str]]()
    places = dict[str, str]()
    held = chance.sample([hex for hex in hexes if hex != centre], 6)
    if chance.random() < 0.3:
        lines.append(f"{chance.choice(hexes)} fortress={chance.randint(1, 3)}")
    own = chance.choice(("german", "russian"))
    for side, spots in (
        (own, [centre, centre, *held[:2]]),
        ({"german": "russian", "russian": "german"}[own], held[2:]),
    ):
        kept = spots[:1] + [spot for spot in spots[1:] if chance.random() < 0.65]
        names = chance.sample(GERMANS if side == "german" else RUSSIANS, len(kept))
        units[side] = names
        for name, hex in zip(names, kept, strict=True):
            mark = chance.choice(("",) * 14 + ("disrupted", "moved", "fought", "entrained", "over"))
            lines.append(f"{hex}: {name} {mark}".rstrip())
            places[name] = hex
    return "\n".join(lines), own, units, places


def _undone(chance: random.Random) -> Question:
    centre = chance.choice(("3015", "5320"))
    question = chance.choice(
        ("move", "move", "reach", "reach", "retreat", "retreat", "retreat", "advance", "evade", "threat")
    )
    moving = question in ("move", "reach")
    phase = (
        chance.choice(("first-movement", "second-movement"))
        if moving
        else chance.choice(("first-combat", "second-combat"))
    )
    phasing = chance.choice(("german", "russian"))
    text, own, units, places = _write_undone(chance, centre, phase, phasing)
    if moving and chance.random() < 0.85:
        text = text.replace(f"phasing={phasing}", f"phasing={own}")
    unit = units[own][0]
    stack = [name for name in units[own] if places[name] == centre]
    way = _walk(chance, UNDONE, centre, chance.randint(0, 3))
    match question:
        case "move":
            given: dict[str, Any] = {"units": stack[: chance.randint(1, 2)], "way": way or [_around(UNDONE, centre)[0]]}
            kind = chance.choice(("", "", "forced", "rail", "cut", "repair", "hold", "reserve", "drop"))
            if kind == "forced":
                given["forced"] = True
            elif kind == "rail":
                given["entrain"] = centre
                path = [centre, *given["way"]]
                text += "".join(f"\n{here}|{there} rail" for here, there in pairwise(path))
                if chance.random() < 0.6:
                    given["detrain"] = given["way"][-1]
            elif kind == "reserve":
                given["reserve"] = chance.randint(1, 3)
            elif kind == "drop" and len(given["units"]) > 1:
                given["drop"] = [f"{given['units'][1]}@{given['way'][0]}"]
            elif kind in ("cut", "repair", "hold"):
                given |= {kind: [chance.choice((centre, given["way"][0]))], "units": [unit]}
        case "reach":
            given = {"unit": unit} | ({"by": "rail"} if chance.random() < 0.25 else {})
            if chance.random() < 0.25:
                given["forced"] = True
        case "retreat":
            given = {"units": stack, "hexes": chance.randint(1, 4), "way": way}
        case "advance":
            at = chance.choice(_around(UNDONE, centre))
            given = {"units": [unit], "at": at, "way": _walk(chance, UNDONE, at, chance.randint(0, 2))}
            if chance.random() < 0.7:
                given["along"] = given["way"] or _walk(chance, UNDONE, at, 2)
        case "evade":
            unit, foe = ("8A/1KB", "XX/29") if own == "german" else ("IC/2GC", "IR/36R")
            lines = [
                line
                for line in text.splitlines()
                if not line.startswith((f"{centre}: ", "options")) and unit not in line
            ]
            near = chance.choice(_around(UNDONE, centre))
            text = "\n".join([*lines, "options=cavalry-retreats", f"{centre}: {unit}", f"{near}: {foe}"])
            given = {"unit": unit, "hexes": chance.randint(1, 2), "way": way[: chance.randint(0, 2)]}
            if chance.random() < 0.3:
                text += f"\nanswers die={chance.randint(1, 6)}"
        case _:
            given = {"side": own, "at": [centre], "march": chance.random() < 0.6}
    return question, text, given


GAMES: tuple[tuple[str, Callable[[random.Random], Question]], ...] = ((KAISER, _kaiser), (UNDONE, _undone))


def draw(chance: random.Random) -> Case:
    """Make up a question about ways on a corner of nineteen hexes."""
    game, make = chance.choice(GAMES)
    question, text, given = make(chance)
    lines = text.splitlines()
    kept = [line for line in lines if line.startswith(("chart", "trust", "answers", "ruling", "options", "side"))]
    spoiled = spoil("\n".join(line for line in lines if line not in kept), chance, [])
    return Case(question, f"game {game}\n" + spoiled + "\n".join([*kept, ""]), given)
