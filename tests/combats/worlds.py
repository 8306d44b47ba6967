"""Random combats on random ground, as positions in notation with the parameters of the combat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import msgspec

from assistant.game.games import Game
from assistant.installed.registry import load_game
from twilight_in_the_east.ground.calendar import possible_weather

GAME: Game = load_game("twilight-in-the-east")
BOARD = GAME.board("")
AT = "41.19"
"""The hex that is attacked."""
REACH = 4
"""How far around it the ground is stated, in hexes."""
NATIONS = {"central-powers": ("german", "german", "austro-hungarian"), "russian": ("russian",)}
TERRAIN = ("clear",) * 8 + ("rough", "rough", "wetlands", "mountain", "sea")
BARRIERS = ("open",) * 12 + ("minor-river", "minor-river", "major-river", "grand-river", "ridge", "impassable", "lake")
TASKS = ("recovery", "disorder", "ersatz", "position", "entraining", "detraining")
CROSSINGS = ("no-crossing", "no-crossing", "bridge", "pontoon", "ferry")


class World(msgspec.Struct, frozen=True):
    """A combat. text: the position in notation; at: the hex attacked; asked: further parameters of the question `battle`."""

    text: str
    asked: dict[str, Any]
    at: str = AT


def world(random: Random) -> World:
    """A random combat: who attacks and defends, who stands around, and the ground."""
    attacking, defending = random.sample(sorted(NATIONS), 2)
    hexes = within(AT, REACH)
    taken = {AT: defending}
    from_ = random.sample(BOARD.neighbours(AT), random.choice([1, 1, 2, 2, 3, 4]))
    stacks: dict[str, list[str]] = {}
    names, withheld = count(1), list[str]()
    arm = "infantry" if random.random() < 0.85 else "cavalry"
    for hex in from_:
        stack = Stack(random, attacking, names, arm)
        stacks[hex] = stack.units(attacks=True) + stack.supply()
        withheld += stack.withheld
        taken[hex] = attacking
    stack = Stack(random, defending, names, "infantry" if random.random() < 0.8 else "cavalry")
    stacks[AT] = stack.units(attacks=False) + stack.supply()
    withheld += stack.withheld
    for hex in BOARD.neighbours(AT) if random.random() < 0.15 else ():  # who defends is shut in
        if hex not in taken and random.random() < 0.85:
            stacks[hex] = Stack(random, attacking, names, "infantry").bystanders()
            taken[hex] = attacking
    for side, most in ((attacking, 3), (defending, 5)):
        for hex in random.sample([hex for hex in hexes if hex not in taken], random.randint(0, most)):
            stacks[hex] = Stack(random, side, names, "infantry").bystanders()
            taken[hex] = side
    lines = ["game twilight-in-the-east", "trust charts", *frame(random, attacking)]
    lines += ground(random, hexes, frozenset(taken), {AT, *from_})
    lines += [f"{hex}: {', '.join(units)}" for hex, units in stacks.items()]
    asked: dict[str, Any] = {
        "from_": from_,
        "attacker_ap": random.choice(["all", "none"]),
        "defender_ap": random.choice(["all", "none"]),
        "attacker_policy": random.choice(["usual", "strongest", "weakest"]),
    }
    if withheld:
        asked["withhold"] = withheld
    lines += beside_the_combat(random, lines, hexes, stacks, taken, {AT, *from_})
    return World("\n".join(lines) + "\n", asked)


def beside_the_combat(
    random: Random,
    lines: list[str],
    hexes: list[str],
    stacks: dict[str, list[str]],
    taken: dict[str, str],
    fighting: set[str],
) -> Iterator[str]:
    """What changes where units enter a hex or come next to it: printed positions, railways, whose pontoon bridges these are, markers of
    tasks, Landsturm, bridgeheads."""
    for hex in hexes:
        if random.random() < 0.15:
            yield f"{hex} printed-ip={random.choice(sorted(NATIONS))}" + random.choice(["", "", " ruined"])
        if random.random() < 0.25:
            yield f"{hex} operational={random.choice([*sorted(NATIONS), 'none'])}"
    for line in lines:
        sides, _, words = line.partition(" ")
        if words.split()[-1:] == ["pontoon"] and random.random() < 0.8:
            yield f"{sides} pontoon-of={random.choice(['german', 'austro-hungarian', 'russian'])}"
    for hex, units in stacks.items():
        names = [name for unit in units for name in re.findall(r" (div\d+\S*) ", unit)]
        if names and (hex == AT or hex not in fighting) and random.random() < 0.3:
            yield f"{random.choice(names)} task={random.choice(TASKS)} expended={random.randint(1, 6)}"
    free = [hex for hex in hexes if hex not in taken and hex not in fighting]
    for name in ("Tilsit", "Elbing"):
        if random.random() < 0.3 and free:
            yield f"{free.pop(random.randrange(len(free)))}: german infantry II {name} asset (1-1-0-7) back-steps=0 defence-only"
    if random.random() < 0.3 and free:
        fort = "austro-hungarian fort - bridgehead (2-0-0-9) fssm=1 abandonment=3 back-steps=0"
        yield f"{random.choice(free)}: {fort}" + random.choice(["", "", " tested"])


def within(centre: str, far: int) -> list[str]:
    """The hexes of the map so far from another one, that one first."""
    found = dict.fromkeys([centre])
    for _ in range(far):
        found |= dict.fromkeys(other for hex in list(found) for other in BOARD.neighbours(hex))
    return list(found)


def frame(random: Random, attacking: str) -> Iterator[str]:
    """Turn, phase, rules in force."""
    turn = random.choice([1, 5, 12, 19, 27, 28, 33, 41, 47])
    yield f"turn={turn}"
    if random.random() < 0.7:
        yield f"phase=attack phasing={attacking}"
    if random.random() < 0.3:
        yield "campaign"
    for side in random.sample(sorted(NATIONS), random.choice([0, 0, 1, 2])):
        hexes = " ".join(random.sample(within(AT, REACH), 30))
        yield f'army "{side} First" area="{hexes}"'
    yield f"weather={random.choice(possible_weather(turn))}"


def ground(random: Random, hexes: list[str], taken: frozenset[str], fighting: set[str]) -> Iterator[str]:
    """Terrain, positions and what lies on the hexsides, no RR line into the sea; sometimes only that of the combat itself."""
    unstated = random.random() < 0.15
    dry = {hex: random.choice([word for word in TERRAIN if word != "sea" or hex not in taken]) for hex in hexes}
    for hex in hexes if not unstated else sorted(fighting):
        words = [dry[hex]]
        if random.random() < (0.3 if hex in fighting else 0.1) and dry[hex] != "sea":
            words.append(f"ip={random.randint(1, 4)}")
        if random.random() < 0.2:
            words.append(f"control={random.choice(sorted(NATIONS))}")
        yield f"{hex} {' '.join(words)}"
    lies = BARRIERS if random.random() < 0.7 else ("open",) * 5 + BARRIERS[-7:]
    for number, hex in enumerate(hexes):
        for other in BOARD.neighbours(hex):
            if other in hexes[:number] or other not in dry or (unstated and AT not in (hex, other)):
                continue
            over = random.choice(lies)
            if {hex, other} <= fighting and AT in (hex, other) and over in ("impassable", "lake", "grand-river"):
                over = "major-river"
            linked = random.random() < 0.15 and "sea" not in (dry[hex], dry[other])
            words = [over, "rail1" if linked else "no-rail", "no-road"]
            if over in ("major-river", "grand-river"):
                words.append(random.choice(CROSSINGS))
            yield f"{hex}|{other} {' '.join(words)}"


class Stack:
    """A stack in the making. withheld: those of its units that must stay out of the combat."""

    def __init__(self, random: Random, side: str, names: Iterator[int], arm: str) -> None:
        self.random, self.side, self.names, self.arm = random, side, names, arm
        self.withheld: list[str] = []
        self.nation, self.armed = random.choice(NATIONS[side]), random.random() < 0.3

    def name(self, prefix: str, corps: str = "") -> str:
        return f"{prefix}{next(self.names)}" + (f"/{corps}" if corps else "")

    def formation(self, arm: str, size: str, *, attacks: bool) -> tuple[str, str]:
        random = self.random
        steps = random.randint(3, 14) if size == "XX" else random.randint(1, 6)
        name = self.name("div", random.choice(["", "3", "17"]))
        ratings = (steps, random.randint(0, 16), random.choice([0, 3, 5, 7]), random.randint(6, 12))
        words = [
            self.nation,
            arm,
            size,
            name,
            random.choice(["", "army=First"]) if self.armed else "",
            f"({'-'.join(map(str, ratings))})",
        ]
        if size == "XX" and random.random() < 0.5:
            words.append(
                f"back-steps={random.randint(1, steps - 1)} back-defence={random.randint(0, 8)} back-artillery=2"
            )
        else:
            words.append("back-steps=0")
        if random.random() < 0.4 and steps > 1:
            words.append(f"-{random.randint(1, steps - 1)}")
        if random.random() < 0.5:
            words.append(f"cel=-{random.randint(1, 3 if attacks else 4)}")
        if not attacks and random.random() < 0.15:
            words.append(random.choice(["D1", "D2"]))
        words.append(random.choice(["heavy", "field", "high-trajectory"]))
        if random.random() < 0.15:
            words.append(f"supply={random.choice(['low', 'out'])}")
        if attacks and random.random() < 0.3:
            words.append(f"prepared={AT}")
        elif not attacks and random.random() < 0.1:
            words.append("half")
        return name, " ".join(words)

    def asset(self, size: str = "III") -> tuple[str, str]:
        random, name = self.random, self.name("reg")
        steps = random.randint(1, 4)
        return (
            name,
            f"{self.nation} infantry {size} {name} asset ({steps}-{random.randint(0, 5)}-0-{random.randint(6, 10)}) back-steps=0",
        )

    def guns(self) -> tuple[str, str]:
        random, name = self.random, self.name("guns")
        kind = random.choice(["heavy", "field", "high-trajectory"])
        return name, f"{self.nation} artillery - {name} {kind} (1-0-{random.randint(1, 8)}-8) back-steps=0"

    def units(self, *, attacks: bool) -> list[str]:
        """Who fights, with others that are withheld."""
        random = self.random
        divisions = random.choice([1, 1, 2])
        named = [self.formation(self.arm, "XX", attacks=attacks) for _ in range(divisions)]
        found = [unit for _, unit in named]
        with_ = f" with={random.choice(named)[0]}"
        alone = not attacks and random.random() < 0.12
        if alone:
            found = [self.asset(random.choice(["X", "III"]))[1]]
        elif self.arm == "infantry" and random.random() < 0.3:
            found.append(self.asset()[1] + with_)
        if random.random() < 0.35:
            found.append(self.guns()[1] + with_ * (not alone))
        if not attacks and self.arm == "infantry" and random.random() < 0.2:
            found[0] += random.choice(["", "", " garrison"])
            for _ in range(random.choice([1, 1, 2])):
                arm, name = random.choice(["fort", "fortress"]), self.name("wall")
                found.append(
                    f"{self.nation} {arm} - {name} ({random.randint(1, 4)}-0-0-9) fssm={random.randint(1, 4)} back-steps=0"
                )
        if not alone and random.random() < (0.15 if attacks else 0.3) and divisions == 1:
            name, unit = self.formation("infantry", "X" if self.arm == "infantry" else "XX", attacks=attacks)
            if "prepared" not in unit:
                found.append(unit)
                self.withheld.append(name)
        return found

    def supply(self) -> list[str]:
        """Who is with it that does not fight, if anybody is."""
        if self.random.random() < 0.85:
            return []
        arm, name = self.random.choice(["corps-train", "minor-depot"]), self.name("supply")
        return [f"{self.nation} {arm} - {name} range=4"]

    def bystanders(self) -> list[str]:
        """A stack that stands elsewhere: a division or more, sometimes as much as a hex holds; guns or a train behind the front."""
        random = self.random
        kind = random.random()
        if kind < 0.15:
            return [self.guns()[1] + random.choice(["", "", " displaced"])]
        if kind < 0.2:
            return [self.formation("cavalry", "XX", attacks=False)[1]]
        if kind < 0.35:
            return [f"{self.nation} corps-train - {self.name('train', random.choice(['3', '17']))} range=4"]
        if kind < 0.4:
            return [f"{self.nation} {random.choice(['minor-depot', 'major-depot'])} - {self.name('depot')} range=4"]
        if kind < 0.45:
            return [f"{self.nation} fortress - {self.name('wall')} (3-0-0-9) fssm=2 back-steps=0"]
        found = [self.formation("infantry", "XX", attacks=False)[1] for _ in range(random.choice([1, 1, 2, 3]))]
        return found + [self.guns()[1] for _ in range(random.choice([0, 0, 1, 2]))]
