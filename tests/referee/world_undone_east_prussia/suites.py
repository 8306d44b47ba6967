"""The referee's files of East Prussia 1914: what is asked about each made-up position, and the answers of the second program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from ..hexes import Hex, name, names, rings, side
from ..sampling import Expected, Made, Subject, bucket, sampled, yes_no
from ..writing import Question, Suite
from . import combat, march, supply
from .world import ARMIES, FORTRESSES, KONIGSBERG, Ground, World, ground, lay_path, some_unit, some_world

ENEMY = {"german": "russian", "russian": "german"}
RULINGS = (
    "halving = up",
    "rail-turn-3 = five",
    "rivalry-distance = four",
    "artillery-each = each",
    "exchange-strength = modified",
    "retreat-edge = level",
    "several-grounds = highest",
    "evading-way = retreat",
)
"""The readings of open rules on which answers rest."""


def suites(seed: int) -> Iterator[Suite]:
    """All files of the game."""
    head = [*ground().lines(), *(f"ruling {ruling}" for ruling in RULINGS)]
    for subject in SUBJECTS:
        yield sampled(subject, Random(f"{seed} {subject.name}"), ground(), head, ["boards/east-prussia", "charts"])


# --- zones and supply -------------------------------------------------------------------------------------------------


def zones(dice: Random, _: Ground) -> Made | None:
    """Whose zones reach which hexes: of units and of fortresses."""
    world = some_world(dice, dice.randint(8, 16), spread=dice.choice([3, 5]), paths=False)
    against = {owner: names(supply.zones_against(world, ENEMY[owner])) for owner in ARMIES}
    rivers = any(side(unit.at, at) in world.map.rivers for unit in world.units for at in world.near(unit.at))
    return Made(
        world.text(),
        [Question("zones", against)],
        f"{'rivers' if rivers else 'no river'}, {len(world.destroyed)} fortresses destroyed",
    )


def lines_of_supply(dice: Random, _: Ground) -> Made | None:
    """Who can trace a line of supply, and how long the shortest is, for both sides."""
    world = some_world(dice, dice.randint(8, 22), spread=dice.choice([4, 6, 10]))
    questions, cut = [], dict.fromkeys(ARMIES, 0)
    for owner in ARMIES:
        units, fed = [unit for unit in world.units if unit.side == owner], supply.supplied(world, owner)
        if not units:
            return None
        cut[owner] = sum(unit.at not in fed for unit in units)
        expected: Expected = {
            "supplied": {unit.id: fed[unit.at] for unit in units if unit.at in fed},
            "unsupplied": [unit.id for unit in units if unit.at not in fed],
        }
        questions.append(Question(f"supply side={owner}", expected))
    if not any(cut.values()) and dice.random() < 0.8:
        return None
    return Made(
        world.text(),
        questions,
        f"{bucket(cut['german'], 1, 2)} Germans and {bucket(cut['russian'], 1, 3)} Russians without",
    )


# --- moves ------------------------------------------------------------------------------------------------------------


def reach(dice: Random, _: Ground) -> Made | None:
    """The hexes that a unit can reach by marching, with the Movement Points that it could save there."""
    both = dice.random() < 0.3
    world = some_world(dice, dice.randint(6, 18), spread=dice.choice([3, 4, 6]), both=both)
    if not world.units:
        return None
    unit = dice.choice(world.units)
    world.phasing = unit.side
    asked, forced, kind = f"reach unit={unit.id}", dice.random() < 0.2, "plain"
    if forced:
        world.options, asked, kind = ("forced-march",), f"{asked} forced=yes", "forced march"
    elif dice.random() < 0.2:
        world.options, world.turn, kind = ("refugees",), dice.randint(1, 4), "refugees"
    elif world.phase == "second-movement" and dice.random() < 0.6:
        world.reserved, kind = {unit.at: dice.randint(1, unit.ma)}, "saved points"
    if both and unit.side == "russian":
        world.friends, kind = dice.random() < 0.3, "rivals"
    points, costs = march.reach(world, unit, forced=forced)
    if len(costs) < 3 and dice.random() < 0.5:
        return None
    kind += ", in a zone" if unit.at in supply.zones_against(world, unit.side) else ""
    expected: Expected = {
        "allowance": str(points),
        "reach": {name(at): cost for at, cost in sorted(costs.items())},
        "left": {name(at): points - cost for at, cost in sorted(costs.items())},
    }
    return Made(world.text(), [Question(asked, expected)], kind)


def rail(dice: Random, _: Ground) -> Made | None:
    """The hexes to which a German unit can go by rail, with its cost before it detrains."""
    world = some_world(dice, dice.randint(6, 16), spread=dice.choice([4, 8]))
    stations = [
        unit for unit in world.units if unit.side == "german" and any(unit.at in rail for rail in world.map.rails)
    ]
    if not stations:
        return None
    unit = dice.choice(stations)
    world.phasing, world.phase, world.turn = (
        "german",
        dice.choice(["first-movement", "second-movement"]),
        dice.randint(2, 18),
    )
    railway = sorted({at for rail in world.map.rails for at in rail} - {other.at for other in world.units})
    world.cut = set(dice.sample(railway, dice.choice([15, 25, 40])))
    used = dice.choice([0, 0, 0, 1, 2, 4, 5])
    world.lines = (f"side german entrained-units={used}",) if used else ()
    reached = march.reach_by_rail(world, unit)
    full = used + 1 > march.most_entrained(world.turn)
    if len(reached) > 60 or (len(reached) < 2 and dice.random() < 0.7):
        return None
    expected = {"reach": {} if full else {name(at): 2 for at in sorted(reached)}}
    return Made(
        world.text(),
        [Question(f"reach unit={unit.id} by=rail", expected)],
        "no room" if full else f"{bucket(len(reached), 1, 4, 12, 40)} hexes",
    )


# --- combat -----------------------------------------------------------------------------------------------------------


def battles(dice: Random, _: Ground) -> Made | None:
    """Strengths, odds, die roll modifiers and chances of an attack on a hex or in one on two, and what a die leads to."""
    world = some_world(dice, dice.randint(10, 26), spread=dice.choice([2, 3, 4]))
    world.phase = "first-combat"
    at = some_target(dice, world)
    attack = combat.Attack(at, combat.attackers_of(world, at) if at else [])
    found = combat.odds(world, attack) if attack.attackers else None
    if found is None or any(side(unit.at, hex_) in world.map.lakes for unit in attack.attackers for hex_ in at):
        return None
    defenders = [unit for hex_ in at for unit in world.stack(hex_)]
    where, die = ",".join(names(at)), dice.randint(1, 6)
    code = combat.result(world.phasing, found.column, die + found.drm)
    expected: Expected = {
        "attack": str(found.attack),
        "defence": str(found.defence),
        "column": found.column.strip("+-"),
        "modifiers": str(found.drm),
        "also": names(found.also),
        "due": str(found.due),
        "chances": combat.chances(world.phasing, found),
    }
    after: Expected = {"outcome": code}
    if code in ("AE", "DE"):
        after["lost"] = [unit.id for unit in (attack.attackers if code == "AE" else defenders)]
    if code[1:].isdigit():
        after["retreating"] = [unit.id for unit in (attack.attackers if code[0] == "A" else defenders)]
        after["hexes"] = code[1:]
    questions = [Question(f"battle at={where}", expected), Question(f"battle at={where}", after, f"die={die}")]
    kinds = ["two hexes"] * (len(at) > 1) + ["fortress"] * any(map(world.fortress, at))
    return Made(world.text(), questions, f"{', '.join(kinds) or 'one hex'}, modifiers {found.drm:+}")


def some_target(dice: Random, world: World) -> list[Hex]:
    """A hex with enemies or a fortress of theirs, now and then two that touch."""
    foes = {unit.at for unit in world.units if unit.side != world.phasing}
    if world.phasing == "russian":
        foes |= {at for at in FORTRESSES if world.fortress(at)}
    beside = sorted(
        at for at in foes if any(unit.side == world.phasing for near in world.near(at) for unit in world.stack(near))
    )
    if not beside:
        return []
    at = dice.choice(beside)
    others = [there for there in world.near(at) if there in foes]
    return sorted([at, dice.choice(others)]) if others and dice.random() < 0.4 else [at]


def retreats(dice: Random, _: Ground) -> Made | None:
    """The open hexes of a retreat with those that may follow, or that the units are eliminated."""
    world = some_world(dice, dice.randint(14, 30), spread=dice.choice([3, 4]), paths=False)
    world.phase = "first-combat"
    if not world.units:
        return None
    units, owed = world.stack(dice.choice(world.units).at), dice.randint(1, 4)
    found = combat.retreats(world, units, owed)
    if any(at[0] in (1, 59) for at in found):
        return None
    words = ",".join(unit.id for unit in units)
    expected: Expected = {
        "open": names(found),
        "eliminated": [] if found else [unit.id for unit in units],
    }
    questions = [Question(f"retreat units={words} hexes={owed}", expected)]
    if found and owed > 1:
        first = dice.choice(sorted(found))
        questions.append(
            Question(f"retreat units={words} hexes={owed} way={name(first)}", {"open": names(found[first])})
        )
    return Made(world.text(), questions, f"{len(found)} open")


def advances(dice: Random, _: Ground) -> Made | None:
    """Whether a unit may advance into a cleared hex and along the way on which the enemy retreated, and where to next."""
    world = some_world(dice, dice.randint(10, 26), spread=dice.choice([3, 4]), paths=False)
    world.phase = "first-combat"
    if not world.units:
        return None
    unit = dice.choice(world.units)
    free = [
        at for at in world.near(unit.at) if not world.stack(at) and world.ground(at) != "sea" and not world.fortress(at)
    ]
    if not free:
        return None
    along = [dice.choice(free)]
    for _step in range(dice.randint(0, 3)):
        onward = [
            at
            for at in world.near(along[-1])
            if at not in along and at != unit.at and world.ground(at) != "sea" and not world.fortress(at)
        ]
        along += [dice.choice(onward)] if onward else []
    cleared, *trail = along
    way = trail[: dice.randint(0, len(trail))]
    allowed, beyond = combat.advance(world, unit, cleared, trail, way)
    asked = f"advance units={unit.id} at={name(cleared)}"
    asked += f" along={','.join(map(name, trail))}" if trail else ""
    asked += f" way={','.join(map(name, way))}" if way else ""
    expected: Expected = {"verdict": yes_no(allowed)}
    if allowed and len(way) < 2:
        expected["open"] = names(beyond)
    kind = f"{len(beyond)} open" if allowed else "not allowed"
    return Made(
        world.text(), [Question(asked, expected)], f"{'attacker' if unit.side == world.phasing else 'defender'}, {kind}"
    )


def evasions(dice: Random, _: Ground) -> Made | None:
    """Whether cavalry may retreat before a combat, at once or by a die, and which hexes are open."""
    world = some_world(dice, dice.randint(10, 24), spread=dice.choice([2, 3]), paths=False)
    world.phase, world.options = "first-combat", ("cavalry-retreats",)
    riders = [unit for unit in world.units if unit.arm == "cavalry"]
    if not riders:
        return None
    unit, owed = dice.choice(riders), dice.randint(1, 2)
    kind, found = combat.evasion(world, unit), combat.retreats(world, [unit], owed)
    if any(at[0] in (1, 59) for at in found) or (kind == "die" and not found):
        return None
    kind = kind if found else "no"
    expected: Expected = {"verdict": "no" if kind == "no" else "figure"}
    if kind == "yes":
        expected["open"] = names(found)
    if kind == "die":
        expected["asks"] = ["die"]
    return Made(world.text(), [Question(f"evade unit={unit.id} hexes={owed}", expected)], kind)


def rivalries(dice: Random, _: Ground) -> Made | None:
    """Whether enough infantry of the Second Army is near Königsberg at the end of a turn."""
    world = some_world(dice, 5, spread=3)
    far = rings(KONIGSBERG, 12)
    free = [at for at in far if world.ground(at) not in ("", "sea") and not world.fortress(at) and not world.stack(at)]
    for at in dice.sample(free, dice.randint(3, 6)):
        unit = some_unit(
            dice, len(world.units) + 31, "russian", dice.choice(["second", "second", "first"]), at, "infantry"
        )
        world.units.append(unit)
        for _step in range(3):
            lay_path(dice, world, unit)
    world.phasing, world.phase = "german", "second-combat"
    near, fed = combat.near_konigsberg(world)
    expected: Expected = {"near": str(near), "ends": yes_no(fed >= 20)}
    if near >= 20:
        expected["fed"] = str(fed)
    kind = "ends" if fed >= 20 else "without supply" if near >= 20 else "too few"
    return Made(world.text(), [Question("close", expected)], kind)


# --- stacks and points ------------------------------------------------------------------------------------------------


def stacks(dice: Random, ground_: Ground) -> Made | None:
    """Which stacks are too large."""
    world = World(ground_)
    land = sorted(at for at, what in ground_.terrain.items() if what == "clear" and at not in FORTRESSES)
    for at in dice.sample(land, 6):
        owner = dice.choice([*ARMIES])
        for _ in range(dice.randint(2, 5)):
            unit = some_unit(dice, len(world.units) + 1, owner, ARMIES[owner][0], at)
            world.units.append(replace(unit, arm=dice.choice([unit.arm, "infantry", "heavy-artillery"])))
    legal = {at: combat.is_legal_stack(world.stack(at)) for at in {unit.at for unit in world.units}}
    expected = {
        "over": names(at for at, fine in legal.items() if not fine),
        "within": names(at for at, fine in legal.items() if fine),
    }
    return Made(
        world.text(), [Question("stack", expected)], f"{sum(not fine for fine in legal.values())} of 6 over the limit"
    )


def victories(dice: Random, _: Ground) -> Made | None:
    """Victory Points of both sides by towns that they control, losses and awards, and who has won."""
    world = some_world(dice, dice.randint(10, 30), spread=dice.choice([6, 10]))
    lost, award = {owner: dice.randint(0, 200) for owner in ARMIES}, dice.choice([0, 0, 50])
    world.lines = (f"side german lost={lost['german']}", f"side russian lost={lost['russian']} awarded={award}")
    totals, winner, level = combat.victory(world, {"german": lost["russian"], "russian": lost["german"] + award})
    return Made(world.text(), [Question("victory", {"total": totals, "winner": winner, "level": level})], level)


SUBJECTS = (
    Subject(
        "zones",
        "Zones of control of units and fortresses (3.3).",
        40,
        zones,
        {owner: (f"hexes[side={owner}].hex", f"hexes in {owner} zones") for owner in ARMIES},
    ),
    Subject(
        "supply",
        "Lines of supply (3.4).",
        90,
        lines_of_supply,
        {
            "supplied": (
                "sides.units[supplied=yes]{unit=hexes}",
                "units with a line of supply, and the hexes of the shortest after its first",
            ),
            "unsupplied": ("sides.units[supplied=no].unit", "units without one"),
        },
    ),
    Subject(
        "reach",
        "Reach by marching, with saved Movement Points, forced marches, refugees and the rivalry of the armies (3.3, 5, 7.2, 10.3, 10.4).",
        80,
        reach,
        {
            "allowance": ("allowance", "the Movement Points of the unit"),
            "reach": ("hexes{hex=cost}", "each hex that can be reached, with its least cost"),
            "left": ("hexes{hex=left}", "the points that are left there"),
        },
    ),
    Subject(
        "rail",
        "Reach by rail (5.2).",
        40,
        rail,
        {"reach": ("hexes{hex=cost}", "each hex that can be reached, with the cost of entraining and riding")},
    ),
    Subject(
        "battles",
        "Attacks: strengths, odds, modifiers, results (6).",
        90,
        battles,
        {
            "attack": ("combat.attack", "the strength of the attack"),
            "defence": ("combat.defence", "the strength of the defence"),
            "column": ("combat.column", "the odds"),
            "modifiers": ("drm", "what is added to the die"),
            "also": ("combat.also", "other hexes that must be attacked"),
            "due": ("combat.due", "what an exchange costs the attacker at least"),
            "chances": ("chances{value=chance}", "the exact chances of the results"),
            "outcome": ("outcome", "the result of the die"),
            "lost": ("lost", "units eliminated"),
            "retreating": ("retreating", "units that retreat"),
            "hexes": ("hexes", "how far"),
        },
    ),
    Subject(
        "retreats",
        "Retreat after combat (6.5).",
        60,
        retreats,
        {
            "open": ("options[barred=].hex", "the first hexes of the ways that are open"),
            "eliminated": ("eliminated", "units without a way"),
        },
    ),
    Subject(
        "advances",
        "Advance after combat (6.6).",
        60,
        advances,
        {"open": ("options[barred=].hex", "the hexes that may follow")},
    ),
    Subject(
        "evasions",
        "Cavalry that retreats before a combat (10.2.2).",
        30,
        evasions,
        {"open": ("options[barred=].hex", "the first hexes of the ways that are open")},
    ),
    Subject(
        "rivalry",
        "The end of the rivalry of the Russian armies (7.2).",
        15,
        rivalries,
        {
            "near": ("near", "Strength Points of the Second Army near Königsberg"),
            "fed": ("strength", "those of them in supply"),
            "ends": ("ends", "whether the armies may come near each other"),
        },
    ),
    Subject(
        "stacks",
        "Stacking (3.2).",
        20,
        stacks,
        {
            "over": ("stacks[too_many=yes].at", "hexes with too many units"),
            "within": ("stacks[too_many=no].at", "hexes within the limits"),
        },
    ),
    Subject(
        "victory",
        "Control and Victory Points (2.0, 8.0).",
        40,
        victories,
        {
            "total": ("scores{side=total}", "the points of each side"),
            "winner": ("winner", "who has won"),
            "level": ("level", "the level of victory"),
        },
    ),
)
