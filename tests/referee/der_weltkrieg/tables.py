"""Morale, limits, railways, terrain, gas, tanks, entries and victory of the campaign, typed from the rulebook alone; dice by going through all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from .calendar import LABELS, first_of, later, month_number, number, turn_of, year_of

# --- morale, limits ---------------------------------------------------------------------------------------------------

LEVELS: Mapping[str, Mapping[str, int]] = {
    "german": {"Shaken": 1500, "Economic Collapse": 2200, "Surrender": 2500},
    "british": {"Shaken": 900, "Economic Collapse": 1300, "Surrender": 1500},
    "french": {"Shaken": 900, "Economic Collapse": 1305, "Surrender": 1500},
    "austro-hungarian": {"Shaken": 550, "Economic Collapse": 775, "Surrender": 900},
    "russian": {"Shaken": 750, "Economic Collapse": 1100, "Surrender": 1250},
    "italian": {"Shaken": 300, "Economic Collapse": 450, "Surrender": 500},
    "romanian": {"Surrender": 250},
    "belgian": {},
}
"""Demoralization points (3-11, 4-3, 5-5, 6-18, 7-8, 8-6, 10-7, 13-4)."""
IMPORTS = {"german": 8, "austro-hungarian": 3}
"""Points of each special turn from January 1915 (3-10, 6-17)."""


def state(nation: str, points: int) -> tuple[str, dict[str, int]]:
    """The level of morale of a nation, "" if it is not Shaken, and how many points each level is away."""
    reached = [title for title, at in LEVELS[nation].items() if points >= at]
    return (reached[-1] if reached else ""), {title: max(at - points, 0) for title, at in LEVELS[nation].items()}


def imports(nation: str, label: str) -> int:
    """The points that a nation has in each special turn for lack of imports, from January 1915 on."""
    return IMPORTS.get(nation, 0) if number(label) >= number("jan15/0") else 0


def limit(nation: str, label: str, italy: str) -> int | None:
    """The most supply points in all Headquarters of a nation (16-4 to 16-12), None for no limit yet. italy: the turn of its entry."""
    year = year_of(label)
    match nation:
        case "german":
            return {15: 175, 16: 235, 17: 425, 18: 350}.get(year)
        case "british":
            return {15: 20, 16: 60, 17: 75, 18: 100}.get(year)
        case "french" | "russian":
            first, then = (75, 150) if nation == "french" else (125, 175)
            return None if year < 15 else first if year == 15 else then
        case "austro-hungarian":
            if year == 15:
                return 140 if italy and number(label) > number(italy) else 100
            return None if year < 15 else 165
        case "italian":
            return 70
        case "belgian":
            return None if year < 15 else 20
    return None


# --- railways and transfers -------------------------------------------------------------------------------------------

NETWORKS = {
    "german": (20, "aug14/6", "sep14/1"),
    "austro-hungarian": (10, "aug14/5", "sep14/1"),
    "french": (15, "aug14/6", "sep14/1"),
    "belgian": (5, "aug14/6", "sep14/1"),
    "russian": (10, "sep14/1", "sep14/3"),
    "serbian": (1, "aug14/5", "aug14/5"),
}
"""Divisions, the turn from which a network is used, and the one from which it is used whole (2)."""


def capacity(network: str, label: str, italy: str = "") -> Fraction:
    """How many divisions a network carries in a turn (2); half of Italy's is rounded down."""
    if network == "italian":
        if not italy or number(label) <= number(italy):
            return Fraction(0)
        whole = later(italy, 4)
        return Fraction(7 if whole and number(label) >= number(whole) else 3)
    divisions, first, whole = NETWORKS[network]
    if number(label) < number(first):
        return Fraction(0)
    return Fraction(divisions) / (1 if number(label) >= number(whole) else 2)


def load(divisions: int, brigades: int, battalions: int, tank_brigades: int) -> Fraction:
    """What units take of it: brigades and tank battalions one, tank brigades three divisions (19-4; ruling rail-units)."""
    return Fraction(divisions + brigades) + battalions + 3 * tank_brigades


TRANSFERS = {
    ("4-5e", "5-5"): 2,
    ("5-5", "6-6"): 2,
    ("4-5e", "6-6"): 4,
    ("5-3", "4-5"): 2,
    ("5-3", "5-5"): 2,
    ("5-3", "6-4"): 2,
}
"""Turns from leaving a map to appearing on another, in either direction (16-16 to 16-18)."""


# --- terrain ----------------------------------------------------------------------------------------------------------


class Ground(NamedTuple):
    """A row of the Terrain Effects Chart: points to enter or cross, None if prohibited; die rolls on attacks and counterattacks."""

    cost: int | None
    attack: int
    counterattack: int
    halves: bool = False


HEXES = {
    "clear": Ground(1, 0, 0),
    "suburban": Ground(1, 0, 0),
    "broken": Ground(1, -1, 0),
    "woods": Ground(2, -2, 1),
    "swamp": Ground(3, -2, 1),
    "rough": Ground(3, -3, 1),
    "wooded-rough": Ground(4, -4, 2),
    "mountain": Ground(6, 0, 3, halves=True),
    "alpine": Ground(None, 0, 3, halves=True),
    "urban": Ground(1, 0, 3, halves=True),
}
RIVERS = {"river": Ground(1, -2, 1), "major-river": Ground(3, 0, 3, halves=True)}
RAILS = {"rail-line": 3, "single-track-line": 4}
"""A rail line takes a point off what the hexside costs, from so many points on."""
MARKERS = {"trench": Ground(2, -2, 0), "devastation": Ground(2, 0, 0), "hindenburg-line": Ground(2, -3, 0)}


def crossing(hexside: str, river: str, rail: str, marker: str) -> Ground:
    """All of it together: a marker's points come after what a rail line saves (the ruling rail-markers)."""
    parts = [HEXES[hexside], *([RIVERS[river]] if river else []), *([MARKERS[marker]] if marker else [])]
    cost = HEXES[hexside].cost
    if cost is not None:
        cost += RIVERS[river].cost or 0 if river else 0
        cost -= bool(rail) and cost >= RAILS[rail]
        cost += (MARKERS[marker].cost or 0) if marker else 0
    return Ground(
        cost,
        sum(part.attack for part in parts),
        sum(part.counterattack for part in parts),
        any(part.halves for part in parts),
    )


# --- gas and tanks ----------------------------------------------------------------------------------------------------

GAS = {
    "contaminates the attacker": (2, 3),
    "impedes the attack": (4, 5),
    "minor effect": (6, 7, 8),
    "major effect": (9, 10),
    "catastrophic effect": (11, 12),
}
"""What two dice make of gas (18-4)."""
GAINS = {"central-powers": (2, 12), "entente": (2,)}
LOSSES = {"central-powers": (2, 3, 12), "entente": (2, 3, 4, 11, 12)}
"""The sums of two dice by which a side gains a gas counter, and loses an earlier one (18-1, 18-2)."""


def two_dice() -> Counter[int]:
    """How many of the 36 throws of two dice have each sum."""
    return Counter(map(sum, product(range(1, 7), repeat=2)))


def gas_chances() -> dict[str, Fraction]:
    """The exact chance of each effect."""
    return {name: Fraction(sum(two_dice()[total] for total in sums), 36) for name, sums in GAS.items()}


def gas_effect(total: int, losses: int, infantry: int) -> tuple[str, int, int, bool]:
    """The effect of a throw, the die rolls on attack and counterattack, and whether the defenders retreat by it (18-4)."""
    name = next(name for name, sums in GAS.items() if total in sums)
    attack = {"impedes the attack": -2, "contaminates the attacker": 0}.get(name, 2)
    retreat = (name == "major effect" and 2 * losses > infantry) or (name == "catastrophic effect" and losses > 0)
    return name, attack, -attack, retreat


def breaks_down_on(label: str) -> int:
    """The highest roll on which a tank point breaks down (19-3)."""
    return {16: 3, 17: 2, 18: 1}.get(year_of(label), 0)


def tank_attack(
    attack: int, tanks: int, infantry: int, defending: int, losses: int, battalions: int, divisions: int, counter: int
) -> tuple[int, bool, Fraction, int]:
    """All strength, whether defenders retreat, from what sum of losses they do, tank points lost (19-8, 19-9, 19-11, 19-12)."""
    threshold = infantry + Fraction(defending, 2)
    lost = counter * battalions // divisions if divisions else 0
    return attack + tanks, losses + tanks > threshold, threshold, min(lost, tanks)


# --- entries, victory -------------------------------------------------------------------------------------------------


def italy_modifier(serbia: bool, points: int) -> int:
    """What is added to Italy's die (8-1)."""
    return -2 * serbia - points // 60


def italy_enters(label: str, die: int, modifier: int) -> str:
    """The turn in which Italy enters by a die of a special turn: turn 7 of the second month after it; "" if it does not."""
    if die + modifier >= 1:
        return ""
    first = first_of(month_number(label) + 2)
    return later(first, 6) if first else ""


def romania_enters(shaken: str, die: int) -> str:
    """The turn from which Romania fights: so many complete turns have passed after the one in which Austria-Hungary was Shaken (13-1)."""
    return later(shaken, die + 3)


def bulgaria_enters(nish: str, belgrade: str) -> str:
    """The turn in which Bulgaria joins (11-1): by the rulings a Belgrade taken earlier counts from April 1915 on."""
    ways = ["oct15/2"]
    if nish:
        ways.append(later(nish, 1))
    if belgrade:
        ways.append(later(max(belgrade, "apr15/1", key=number), 1))
    return min(filter(None, ways), key=number)


def sphere(
    divisions: int, cavalry: int, brigades: int, label: str, aided: str, points: int
) -> tuple[Fraction, int | None]:
    """What counts of German forces in the Austro-Hungarian sphere, and how much may, None for any (25-2 to 25-5)."""
    count = divisions + Fraction(cavalry + brigades, 2)
    if points >= LEVELS["austro-hungarian"]["Shaken"]:
        return count, None
    if not aided or number(label) <= number(aided):
        return count, 4
    begins = later(aided, 1)
    last = later(begins, 6 * 7)
    return count, 16 if number(label) < number(last) else 4


def victory(label: str, surrendered: Mapping[str, str], collapsed: Sequence[str]) -> tuple[bool, str, str]:
    """Whether the game is over, who has won, or would if it ended now, and how much (26).

    surrendered: nations of one side with the turn of it; collapsed: nations that have collapsed by then.
    """
    if "french" in surrendered and year_of(surrendered["french"]) == 14:
        return True, "central-powers", "decisive"
    if "french" in surrendered or "british" in surrendered:
        return True, "central-powers", "substantial"
    if surrendered:
        if {"french", "british"} & {*collapsed}:
            return True, "entente", "marginal"
        return True, "entente", "decisive" if year_of(min(surrendered.values(), key=number)) < 18 else "substantial"
    over = label == LABELS[-1]
    return (over, "", "") if "german" in collapsed else (over, "central-powers", "marginal")


AID = (
    ("british", 5, 2, "7-4 Inf XX"),
    ("british", 9, 2, "7-4 Inf XX"),
    ("british", 12, 1, "7-4 Inf XX"),
    ("french", 2, 2, "6-4 Art X"),
    ("french", 2, 2, "4-4 Inf XX"),
    ("french", 5, 1, "XXXX HQ"),
    ("french", 5, 1, "6-4 Art X"),
    ("french", 5, 2, "5-5 Mtn XX"),
    ("french", 9, 1, "6-4 Art X"),
    ("french", 9, 2, "6-4 Inf XX"),
)
"""Who may come to Italy so many turns after it is Shaken (25-7)."""


def conversions(points: int) -> tuple[int, int]:
    """How many German units become 12-5 and 10-5 assault units in 1918 (23-3)."""
    steps = abs(points - 1800) // 50
    steps = -steps if points > 1800 else steps
    return max(20 + 2 * steps, 0), max(10 + steps, 0)


def returns(label: str) -> str:
    """The turn in which a Headquarters or Engineer comes back: after three full months (16-1)."""
    first = first_of(month_number(label) + 3)
    return later(first, turn_of(label)) if first else ""
