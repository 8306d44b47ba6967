"""Combats worked out the slow way, from the rulebook alone: a second solution that shares no rule with the game's package.

A combat is a dict; the functions below are simple loops over it. Hexes are pairs (column, row) with even columns half a hex lower.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

STANDARD = """
AZ AZ AD AD AD ST BB BB BB
AZ AD AD AD ST BB BB DD DD
AD AD AD ST BB BB DD DD DD
AD AD ST ST DD DD DD DD DZ
AD ST ST DD DD DD DD DZ DZ
AD DD DD DD DD DD DZ DZ DZ
"""
SHOCK = """
AZ AD AD AD AD MD MD MD MD
AD AD AD AD MD MD MD DP DP
AD AD MD MD DP DP DP DP DP
AD AD MD DP DP DP DP DP BT
AD MD DP DP DP DP BT BT BT
AD DP DP DP BT BT BT BT BT
"""
COLUMNS = ["<=49", "50-99", "100-149", "150-199", "200-299", "300-399", "400-499", "500-599", ">=600"]

Hex = tuple[int, int]


def around(hex: Hex) -> list[Hex]:
    """The six hexes next to a hex."""
    column, row = hex
    lower = 1 if column % 2 == 0 else 0
    found = [(column, row - 1), (column, row + 1)]
    for side in (column - 1, column + 1):
        found += [(side, row - 1 + lower), (side, row + lower)]
    return found


def is_hard(combat: dict[str, Any], country: str) -> bool:
    """Winter rules: in winter, and in a thaw in Russia."""
    return combat["season"] == "winter" or (combat["season"] == "thaw" and country == "russia")


def sea_between(combat: dict[str, Any], one: Hex, other: Hex) -> bool:
    """Whether the hexside between two hexes is all-sea."""
    return {one, other} in combat["sea sides"]


def enemy_zone(combat: dict[str, Any]) -> set[Hex]:
    """The hexes in the zones of the defenders and of a lone fortress of theirs elsewhere."""
    zone = set()
    for unit in combat["defenders"] + combat["others"]:
        if unit["arm"] == "fortress" or (unit["arm"] != "supply" and unit["movement"] > 0):
            for hex in around(unit["hex"]):
                if not sea_between(combat, unit["hex"], hex):
                    zone.add(hex)
    return zone


def reaches(combat: dict[str, Any], source: Hex, hexes: int) -> set[Hex]:
    """The hexes that a radius leads to."""
    enemies = {unit["hex"] for unit in combat["defenders"] + combat["others"]}
    zone = enemy_zone(combat)
    found = {source}
    edge = {source}
    for _ in range(hexes):
        more = set()
        for hex in edge:
            if hex in zone or combat["terrain"].get(hex) == "marsh":
                continue
            for there in around(hex):
                if there in found or there in enemies or there in combat["neutral"]:
                    continue
                if combat["terrain"].get(there) in ("marsh", "all-sea") or sea_between(combat, hex, there):
                    continue
                more.add(there)
        found |= more
        edge = more
    return found


def supplied(combat: dict[str, Any]) -> dict[str, bool]:
    """Whether each attacker and the Headquarters has Maximum Attack Supply."""
    found = {}
    for unit in combat["attackers"] + combat["hq"]:
        found[unit["id"]] = False
        for source in combat["supply"]:
            radius = source["radius"]
            if is_hard(combat, combat["country"]):
                radius = min(radius, 1)
            if unit["hex"] in reaches(combat, source["hex"], radius):
                found[unit["id"]] = True
    return found


def concentric(combat: dict[str, Any]) -> bool:
    """Whether attackers or their zones are in all six hexes around the defender."""
    if any(unit["arm"] == "fortress" for unit in combat["defenders"]) and not combat["hq"]:
        return False
    for hex in around(combat["at"]):
        covered = False
        for unit in combat["attackers"]:
            if unit["hex"] == hex:
                covered = True
            if unit["movement"] > 0 and hex in around(unit["hex"]):
                fortified = any(other["hex"] == hex and other["arm"] == "fortress" for other in combat["others"])
                unplayable = combat["terrain"].get(hex) == "all-sea" or hex in combat["neutral"]
                if unplayable or not (fortified or sea_between(combat, unit["hex"], hex)):
                    covered = True
        if not covered:
            return False
    return True


def strengths(combat: dict[str, Any]) -> tuple[int, int]:
    """The strengths of attack and defence."""
    supply, all_six = supplied(combat), concentric(combat)
    attack = 0
    for unit in combat["attackers"] + combat["hq"]:
        bonuses = 0
        if supply[unit["id"]]:
            bonuses += 1
        if all_six:
            bonuses += 1
        if unit["arm"] == "alpine" and combat["terrain"][combat["at"]] == "rough":
            bonuses += 1
        attack += unit["attack"] * (1 if bonuses == 0 else 2 if bonuses == 1 else 3)
    doubled = combat["doubles"]
    if not doubled and combat["season"] != "winter":
        doubled = all(combat["water"][unit["hex"]] in ("river", "lake") for unit in combat["attackers"])
    defence = sum(unit["defence"] for unit in combat["defenders"])
    return attack, defence * 2 if doubled else defence


def column(attack: int, defence: int) -> int:
    """The number of the column."""
    percent = attack * 100 // defence if defence else attack * 100
    number = 0
    for least in (50, 100, 150, 200, 300, 400, 500, 600):
        if percent >= least:
            number += 1
    return number


def result(table: str, number: int, die: int) -> str:
    """The result of a die."""
    rows = (STANDARD if table == "standard" else SHOCK).split("\n")[1:-1]
    return rows[die - 1].split()[number]


def chances(table: str, number: int) -> dict[str, Fraction]:
    """The chance of each result."""
    found: dict[str, Fraction] = {}
    for die in range(1, 7):
        code = result(table, number, die)
        found[code] = found.get(code, Fraction(0)) + Fraction(1, 6)
    return found


def is_army(unit: dict[str, Any]) -> bool:
    """Whether it has the symbol of an army or an abteilung."""
    return unit["size"] in ("XXXX", "abteilung")


def consequences(combat: dict[str, Any], code: str, choices: dict[str, str]) -> dict[str, Any]:
    """Who is lost, who breaks down into how many corps, who retreats, who pursues.

    choices: for ST, MD and BB the unit chosen by each side, with `:corps` behind an army that breaks down to lose a corps.
    """
    pools = dict(combat["spare"])
    lost: list[tuple[str, bool, int, int, int, int]] = []
    left = {"attacker": [], "defender": []}  # type: dict[str, list[dict[str, Any]]]
    broken = {"attacker": 0, "defender": 0}
    broke = {"attacker": [], "defender": []}  # type: dict[str, list[dict[str, Any]]]

    def price(unit: dict[str, Any], size: str) -> tuple[int, int]:
        if unit["arm"] == "fortress":
            return unit["defence"], unit["defence"]
        west = unit["side"] == "central-powers" and combat["west"]
        if unit["arm"] == "headquarters" or (size == "XXXX" and unit["arm"] not in ("supply", "armoured-train")):
            return (9 if west else 6), 0
        if size == "abteilung":
            return (6 if west else 4), 0
        if unit["arm"] in ("supply", "armoured-train"):
            return 0, 0
        return (3 if west else 2), 0

    def lose(unit: dict[str, Any]) -> None:
        lost.append((unit["id"], False, 0, 0, *price(unit, unit["size"])))

    def break_down(unit: dict[str, Any], role: str, minus: int = 0) -> None:
        if unit["nation"] == "romanian":
            lose(unit)
            return
        placed = 0
        for nation in unit["corps"]:
            if pools.get(nation, 99) > 0:
                pools[nation] = pools.get(nation, 99) - 1
                placed += 1
        placed = max(placed - minus, 0)
        points = price({**unit, "arm": "infantry"}, "XXX") if minus else (0, 0)
        lost.append((unit["id"], True, placed, minus, *points))
        broken[role] += placed
        if placed:
            broke[role].append(unit)

    def choose(role: str) -> None:
        named = choices.get(role, "")
        for unit in combat[role + "s"]:
            if unit["id"] == named:
                lose(unit)
                gone.append(unit)
            if unit["id"] + ":corps" == named:
                break_down(unit, role, 1)
                gone.append(unit)

    gone: list[dict[str, Any]] = []
    steps = {
        "AD": ["attacker others", "attacker armies"],
        "AZ": ["attacker all"],
        "BB": ["defender others", "defender one", "attacker others", "attacker one"],
        "BT": ["defender all"],
        "DD": ["defender others", "defender armies"],
        "DP": ["defender others", "defender armies"],
        "DZ": ["defender all"],
        "MD": ["defender fixed", "attacker choice"],
        "ST": ["defender choice", "attacker choice"],
    }[code]
    for step in steps:
        role, what = step.split()
        if what == "choice":
            choose(role)
            continue
        for unit in combat[role + "s"]:
            if what == "all" or (what == "others" and not is_army(unit)):
                lose(unit)
                gone.append(unit)
            if what == "fixed" and unit["movement"] == 0:
                lose(unit)
                gone.append(unit)
            if (what == "armies" and is_army(unit)) or (what == "one" and unit["id"] == choices.get(role)):
                break_down(unit, role)
                gone.append(unit)
    for role in left:
        left[role] = [unit for unit in combat[role + "s"] if unit not in gone]
    retreats = {"AD": "attacker", "DD": "defender", "DP": "defender", "MD": "defender"}.get(code, "")
    if retreats and not left[retreats] and not broken[retreats]:
        retreats = ""
    pursuer = {"AZ": "defender", "AD": "", "ST": ""}.get(code, "attacker")
    if code == "BB" and (left["defender"] or broken["defender"]):
        pursuer = ""
    if pursuer:
        able = [unit for unit in left[pursuer] + broke[pursuer] if unit["movement"] > 0 and unit["attack"] > 0]
        if not [unit for unit in able if unit["arm"] != "headquarters"]:
            pursuer = ""
    reach = 0 if not pursuer else 2 if code == "BT" else 1
    return {"lost": lost, "retreats": retreats, "pursues": pursuer, "pursuit": reach}
