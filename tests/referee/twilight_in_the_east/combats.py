"""Combats (10, 11.3): strengths, column, magnitude, modifiers, and chances by going through all dice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, floor
from random import Random

from ...making.hexes import neighbours
from ..writing import Posed, Question, Suite
from .field import ELSEWHERE, GREAT, MIDDLE, NATIONS, Field, Unit, chart
from .retreats import DEMORALIZED, open_hexes, walk

COLUMNS = ("1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1")
ARTILLERY = (3, 7, 12, 18, 25)
"""From which value of the enemy's artillery on the modifier rises. Rule: 10.10.3"""
WALLS = ("fortress", "fort")
Chances = dict[str, Fraction]


def suite(seed: int, many: int) -> Suite:
    return Suite(
        "combats",
        [
            "Combats by the made-up charts: strengths, odds column, magnitude, and exact chances, found by going through all dice.",
            "Rules: 3.4, 4.2.2, 4.4, 4.5, 10.1, 10.3 to 10.10, 11.1, 11.3, 12.2, 13.3.",
        ],
        {
            "attack": ("attacker.total", "the strength of the attack, rounded"),
            "defence": ("defender.total", "the strength of the defence, rounded"),
            "flanked": ("flanked", "whether the defender is flanked"),
            "odds": ("final", "the odds after all shifts, beyond the columns of the chart, too"),
            "column": ("column", "the column of the Combat Results Table"),
            "magnitude": ("magnitude", "the magnitude of the combat"),
            "attacker-drm": (
                "attacker_drm",
                "what is added to the attacker's die for step losses before the result of the table",
            ),
            "defender-drm": ("defender_drm", "the same of the defender"),
            "attacker-steps": (
                "chances.attacker_losses{value=chance}",
                "the chances of the steps that the attacker loses by the table",
            ),
            "defender-steps": ("chances.defender_losses{value=chance}", "the same of the defender"),
            "attacker-retreat": (
                "chances.attacker_retreat{value=chance}",
                "the chances of the hexes that the attacker retreats by the table",
            ),
            "defender-retreat": ("chances.defender_retreat{value=chance}", "the same of the defender"),
            "passes": ("chances.forces{force=passes}", "the chance of each Force to pass its Effectiveness Check"),
            "passes-attacker": (
                "chances.forces[force=A1]{force=passes}",
                "the same of A1, the only Force of the attacker",
            ),
            "passes-defender": (
                "chances.forces[force=D1]{force=passes}",
                "the same of D1, the only Force of the defender",
            ),
            "vacates": ("chances.vacates", "the chance that the defender leaves the hex"),
        },
        ["charts/crt.csv", "charts/slrt.csv", "charts/terrain-shift.csv"],
        [
            "trust charts",
            "campaign",
            ELSEWHERE,
            "ruling river-shift=all",
            "ruling river-halving=own",
            "ruling several-corps=once",
            "ruling beyond-chart=final",
            "ruling last-step=owner",
        ],
        cases(seed, many),
    )


def cases(seed: int, many: int) -> Iterator[Posed]:
    made, seen = 0, Counter[str]()
    for number in range(100 * many):
        combat = random_combat(Random(f"combats {seed} {number}"))
        if combat is None:
            continue
        column, beyond = combat.column()
        marks = [column, combat.magnitude(), *("beyond" for _ in range(bool(beyond))), *combat.marks()]
        kind = " ".join(marks)
        if seen[kind] >= 2 or seen[column] >= many // 5 or len(combat.marks()) < 2:
            continue
        seen[kind] += 1
        seen[column] += 1
        asked = f"battle at={MIDDLE} attacker-ap={combat.points('attacker')} defender-ap={combat.points('defender')}"
        yield Posed(str(number), combat.world.text(), [Question(asked, expected_of(combat))])
        made += 1
        if made == many:
            return


def expected_of(combat: Combat) -> dict[str, object]:
    """What is expected of a combat."""
    column, _ = combat.column()
    dice = all_dice(combat)
    expected: dict[str, object] = {
        "attack": str(combat.strength("attacker")),
        "defence": str(combat.strength("defender")),
        "flanked": "yes" if combat.flanked() else "no",
        "odds": word_odds(combat.final()),
        "column": column,
        "magnitude": combat.magnitude(),
        "attacker-drm": str(combat.drm("attacker")),
        "defender-drm": str(combat.drm("defender")),
        **{name: {value: str(chance) for value, chance in sorted(chances.items())} for name, chances in dice.items()},
    }
    for side, name in (("attacker", "A1"), ("defender", "D1")):
        if (checked := check_chances(combat, side)) is not None:
            expected[f"passes-{side}"] = {name: str(checked["passes"])}
            if side == "defender":
                expected["vacates"] = str(checked["vacates"])
    return expected


# --- who fights where -------------------------------------------------------------------------------------------------


def random_combat(chance: Random) -> Combat | None:
    """A combat in the middle."""
    world = Field(*chance.choice(((5, "normal"), (9, "normal"), (26, "normal"), (30, "normal"), (40, "normal"))))
    side, other = chance.sample(("russian", "central-powers"), 2)
    world.phase, world.phasing = "attack", side
    arm = chance.choice(("infantry", "infantry", "infantry", "infantry", "cavalry"))
    hexes = chance.sample(neighbours(MIDDLE), chance.choice((1, 1, 2, 2, 3, 3, 4)))
    if chance.random() < 0.35:  # few hexes far apart surround more
        opposite = neighbours(MIDDLE)
        hexes = [opposite[0], opposite[1], *chance.sample(opposite[2:], chance.choice((1, 2)))]
    world.hexes[MIDDLE] = {"terrain": chance.choice(("clear", "clear", "rough", "wetlands", "mountain"))}
    if chance.random() < 0.4:
        world.hexes[MIDDLE]["ip"] = chance.choice((1, 2, 2, 3, 4) if world.turn > 30 else (1, 2))
    if chance.random() < 0.55:
        barrier = chance.choice(("minor-river", "major-river", "major-river", "ridge"))
        for hex in hexes if chance.random() < 0.6 else hexes[:1]:
            world.between[tuple(sorted((MIDDLE, hex)))] = {"barrier": barrier}  # type: ignore[index]
    nations = NATIONS[side] if chance.random() < 0.3 else (chance.choice(NATIONS[side]),)
    corps = chance.choice((("3",), ("3",), ("3", "20"), ("3", "20", "17"), ("",), ("", "3")))
    attackers = stack_up(world, chance, "A", hexes, nations, arm, corps if arm == "infantry" else ("",))
    nation = chance.choice(NATIONS[other])
    held = chance.choice(("infantry", "infantry", "infantry", "infantry", "cavalry"))
    defenders = stack_up(
        world,
        chance,
        "D",
        [MIDDLE],
        (nation,),
        held,
        (chance.choice(("1", "17", "")),) if held == "infantry" else ("",),
    )
    if chance.random() < 0.3:
        for unit in attackers:
            if unit.arm == "cavalry":
                break
            unit.prepared = MIDDLE
    if chance.random() < 0.2:
        wall = Unit(
            "Wall",
            nation,
            chance.choice(("fortress", "fort")),
            "-",
            MIDDLE,
            chance.randint(2, 6),
            fssm=chance.randint(1, 4),
        )
        world.units[wall.name] = wall
        defenders.append(wall)
    for number in range(chance.choice((0, 0, 1, 2))):
        hex = chance.choice([near for near in neighbours(MIDDLE) if near not in hexes])
        friend = Unit(f"F{number}", nation, "infantry", "X", hex, 3, 2)
        if not world.at(hex):
            world.units[friend.name] = friend
    combat = Combat(world, attackers, defenders)
    combat.given = {
        "attacker": share_points(combat, chance, attackers),
        "defender": share_points(combat, chance, defenders),
    }
    return combat


def stack_up(
    world: Field,
    chance: Random,
    letter: str,
    hexes: list[str],
    nations: tuple[str, ...],
    arm: str,
    corps: tuple[str, ...],
) -> list[Unit]:
    """The units of a side in some hexes."""
    units: list[Unit] = []
    for hex in hexes:
        nation = chance.choice(nations)
        command = chance.choice(corps)
        command = (
            command and f"{command}{'0' if nation == 'austro-hungarian' else ''}"
        )  # each nation numbers its corps itself
        for _ in range(chance.choice((1, 1, 2))):
            unit = Unit(
                f"{letter}{len(units) + 1}",
                nation,
                arm,
                chance.choice(("XX", "XX", "X")),
                hex,
                chance.randint(7, 14),
                0,
                corps=command,
            )
            unit.defence, unit.effectiveness = chance.randint(8, 16), chance.randint(8, 12)
            unit.artillery = chance.choice((0, 3, 5, 7)) if unit.size == "XX" else chance.choice((0, 0, 2))
            unit.guns = chance.choice(("field", "heavy", "high-trajectory"))
            unit.lost, unit.cel = (
                chance.choice((0, 0, 1, 2)),
                -chance.choice((0, 0, 1, 2, 3, *([4] if letter == "D" else []))),
            )
            if unit.size == "XX" and arm == "infantry" and chance.random() < 0.3:
                unit.back, unit.back_defence, unit.back_artillery = (
                    unit.steps // 2,
                    unit.defence // 2 + 1,
                    chance.choice((0, 2)),
                )
                unit.lost = chance.choice((0, unit.steps - unit.back, unit.steps - unit.back))
            unit.half = letter == "D" and chance.random() < 0.1
            units.append(unit)
            world.units[unit.name] = unit
        if arm == "infantry" and chance.random() < 0.3:
            gun = Unit(
                f"{letter}guns{hex}",
                nation,
                "artillery",
                "-",
                hex,
                1,
                0,
                chance.randint(1, 8),
                8,
                guns=chance.choice(("field", "heavy", "high-trajectory")),
            )
            gun.asset, gun.with_ = True, units[-1].name
            units.append(gun)
            world.units[gun.name] = gun
    return units


def share_points(combat: Combat, chance: Random, units: list[Unit]) -> list[str]:
    """The commands that are allocated an AP: at most two of those that can use one."""
    able = sorted({combat.command(unit) for unit in units if unit.artillery and not unit.half and combat.guns_of(unit)})
    return chance.sample(able, min(len(able), chance.choice((0, 1, 2, 2))))


@dataclass
class Combat:
    """A combat. given: the commands of each side that have been allocated an AP."""

    world: Field
    attackers: list[Unit]
    defenders: list[Unit]
    given: dict[str, list[str]] = field(default_factory=dict)

    def side(self, side: str) -> list[Unit]:
        return self.attackers if side == "attacker" else self.defenders

    def points(self, side: str) -> str:
        return ",".join(self.given[side]) or "none"

    def command(self, unit: Unit) -> str:
        """Who is allocated an AP for a unit: its corps, or the stack of independent units; artillery by its formation. Rule: 10.5.1"""
        lead = self.world.units[unit.with_] if unit.with_ else unit
        return lead.corps or lead.place

    def has_point(self, unit: Unit) -> bool:
        side = "attacker" if unit in self.attackers else "defender"
        return self.command(unit) in self.given[side] and not unit.half

    # --- strengths

    def guns_of(self, unit: Unit) -> int:
        """The artillery value on the side of the counter that is up."""
        return unit.back_artillery if unit.reduced else unit.artillery

    def half_of(self, unit: Unit) -> Fraction:
        """By how much a unit's strength is multiplied. Rule: 10.6"""
        crosses = unit in self.attackers and self.world.lies(unit.place, MIDDLE) & GREAT
        return Fraction(1, 2) if crosses or unit.half else Fraction(1)

    @property
    def walls(self) -> list[Unit]:
        """The fortress units that defend. Rule: 12.2"""
        return [unit for unit in self.defenders if unit.arm in WALLS]

    def fighting(self) -> list[Unit]:
        """The units that take part: artillery only with an AP. Rule: 10.1.4, 12.2"""
        return [unit for unit in (*self.attackers, *self.defenders) if unit.arm != "artillery" or self.has_point(unit)]

    def artillery(self, side: str) -> Fraction:
        """The artillery value of a side with APs, without fortress units. Rule: 10.5, 10.6.1"""
        return sum(
            (self.guns_of(unit) * self.half_of(unit) for unit in self.side(side) if self.has_point(unit)), Fraction(0)
        )

    def base(self, unit: Unit) -> int:
        """A unit's strength without artillery. Rule: 3.4.1, 3.4.2"""
        if unit.arm == "artillery":
            return 0
        if unit.arm in WALLS:
            return unit.left * unit.fssm
        if unit in self.attackers:
            return unit.left
        return unit.back_defence - (unit.lost - (unit.steps - unit.back)) if unit.reduced else unit.defence - unit.lost

    def strength(self, side: str) -> int:
        """The strength of a side, rounded as a whole. Rule: 4.5"""
        total = sum((self.base(unit) * self.half_of(unit) for unit in self.side(side)), self.artillery(side))
        return half_up(total)

    # --- odds

    def shifts(self) -> int:
        """All column shifts, to the right positive. Rule: 10.8"""
        world, places = self.world, {unit.place for unit in self.attackers}
        total = int(chart("terrain-shift")[(world.terrain(MIDDLE),)][0])
        lies = [world.lies(place, MIDDLE) for place in places]
        if all(lies):
            total += int(chart("terrain-shift")[(next(iter(lies[0])),)][0])
        total += 2 * self.flanked()
        fighting = [unit for unit in self.fighting() if unit in self.attackers]
        total += all(unit.prepared for unit in fighting)
        total -= len({self.command(unit) for unit in fighting}) > 1
        return total - self.position_shift()

    def position_shift(self) -> int:
        """How many columns an Improved Position gives, after the enemy's guns. Rule: 10.8"""
        level = self.world.ip(MIDDLE)
        guns = {unit.guns for unit in self.attackers if self.has_point(unit) and self.guns_of(unit)}
        if level == 1:
            return int(not guns & {"heavy", "high-trajectory"})
        return level and level - ("heavy" in guns) - ("high-trajectory" in guns)

    def flanked(self) -> bool:
        """Whether at least five of the six hexes are the attacker's. Rule: 10.4.1, 10.4.4, 10.4.5"""
        world = self.world
        if self.walls:
            return False
        own = {unit.place for unit in world.units.values() if unit.side == self.defenders[0].side}
        fighting = Field(between=world.between, units={unit.name: unit for unit in self.attackers})
        zone = fighting.zone(self.attackers[0].side)
        held = {unit.place for unit in world.units.values() if unit.side == self.attackers[0].side}
        return sum(near not in own and (near in held or near in zone) for near in neighbours(MIDDLE)) >= 5

    def final(self) -> int:
        """The odds after all shifts: 0 for 1:1, 1 for 2:1, -1 for 1:2. Rule: 4.4.1, 10.7, 10.8"""
        return initial(self.strength("attacker"), self.strength("defender")) + self.shifts()

    def column(self) -> tuple[str, int]:
        """The column of the chart, and how many columns the odds lie beyond its last one."""
        final = self.final()
        inside = max(-3, min(5, final))
        return word_odds(inside), final - inside

    # --- losses

    def magnitude(self) -> str:
        """How large the combat is. Rule: 10.10.1"""
        attack, defence = (sum(size_of(unit) for unit in self.side(side)) for side in ("attacker", "defender"))
        total = attack + defence
        if total < 2:
            return "Small"
        if total < 4:
            return "Medium"
        return "Massive" if total >= 6 and defence >= 2 else "Large"

    def drm(self, side: str) -> int:
        """What is added to a side's die for step losses, without the result of the table. Rule: 10.10.3"""
        own, other = self.side(side), "defender" if side == "attacker" else "attacker"
        beyond = self.column()[1]
        walls = sum(Fraction(self.base(unit), 2) for unit in self.walls) if other == "defender" else 0
        total = sum(half_up(self.artillery(other) + walls) >= least for least in ARTILLERY)
        total -= not walls and not any(self.guns_of(unit) for unit in self.side(other))
        total -= all(unit.nation == "german" for unit in own if unit in self.fighting())
        if side == "attacker":
            total -= 3 * any(unit.cel == DEMORALIZED for unit in self.defenders)
            total += self.world.ip(MIDDLE) == 4
            total -= ceil(Fraction(max(beyond, 0), 2))
        else:
            total += ceil(Fraction(max(beyond, 0), 3)) + min(beyond, 0) + 2 * self.flanked()
        return total

    def cell(self, roll: int) -> tuple[list[str], list[str]]:
        """The results of the table for both sides."""
        attacker, defender = chart("crt")[self.world.season, self.column()[0], str(roll)]
        return attacker.split(), defender.split()

    def table_drm(self, side: str, results: list[str]) -> int:
        """What the result of the table adds to a side's die. Rule: 10.9.1"""
        total = sum(int(result) for result in results if result[0] in "+-" and len(result) > 1)
        german = all(unit.nation == "german" for unit in self.fighting() if unit in self.attackers)
        return total - ("X" in results and german)

    def retreat(self, side: str, results: list[str]) -> int:
        """How many hexes a side retreats: those of a stack with fortress units are steps of these first. Rule: 10.9.1, 12.2.1, 13.3.1"""
        in_position = side == "defender" and (self.world.ip(MIDDLE) > 0 or bool(self.walls))
        spared = sum(unit.left for unit in self.walls) if side == "defender" else 0
        return max(
            0,
            -spared
            + sum(int(result[1:]) for result in results if result[0] == "W" or (result[0] == "B" and not in_position)),
        )

    def marks(self) -> list[str]:
        """What makes it worth its place."""
        places = {unit.place for unit in self.attackers}
        lies = [self.world.lies(place, MIDDLE) for place in places]
        marks = {
            "flank": self.flanked(),
            "river": any(lies),
            "halved": any(self.half_of(unit) != 1 for unit in self.side("attacker")),
            "position": self.world.ip(MIDDLE) > 0,
            "negated": 0 < self.world.ip(MIDDLE) != self.position_shift(),
            "corps": len({self.command(unit) for unit in self.attackers}) > 1,
            "prepared": all(unit.prepared for unit in self.attackers),
            "wall": bool(self.walls),
            "demoralized": any(unit.cel == DEMORALIZED for unit in self.defenders),
            "reduced": any(unit.reduced for unit in (*self.attackers, *self.defenders)),
        }
        return [mark for mark, holds in marks.items() if holds]


def half_up(number: Fraction) -> int:
    """A number rounded. Rule: 4.4"""
    return floor(number + Fraction(1, 2))


def initial(attack: int, defence: int) -> int:
    """The odds from the midpoint between two ratios on: 0 for 1:1, 1 for 2:1, -1 for 1:2. Rule: 4.4.1"""
    if attack >= defence:
        ratio = 1
        while attack >= defence * Fraction(2 * ratio + 1, 2):
            ratio += 1
        return ratio - 1
    ratio = 1
    while attack < (Fraction(defence, ratio) + Fraction(defence, ratio + 1)) / 2:
        ratio += 1
    return 1 - ratio


def word_odds(odds: int) -> str:
    return f"{odds + 1}:1" if odds >= 0 else f"1:{1 - odds}"


def size_of(unit: Unit) -> Fraction:
    """What a unit counts for the magnitude, in divisions. Rule: 10.10.1"""
    if unit.arm == "infantry":
        return {"XX": Fraction(1, 2) if unit.reduced else Fraction(1), "X": Fraction(1, 2)}.get(unit.size, Fraction(0))
    return Fraction(1, 2) if unit.arm == "fortress" or (unit.arm == "cavalry" and unit.size == "XX") else Fraction(0)


# --- dice -------------------------------------------------------------------------------------------------------------


@cache
def two_dice() -> tuple[int, ...]:
    """The sums of two dice, each throw once."""
    return tuple(one + other for one, other in product(range(1, 7), repeat=2))


def losses(combat: Combat, side: str, results: list[str]) -> list[tuple[int, int]]:
    """The steps that a side loses and the modifier of a check, for each face of its die after a result of the table."""
    added, magnitude = combat.drm(side) + combat.table_drm(side, results), combat.magnitude()
    rolls = (str(max(-2, min(14, die + added))) for die in range(1, 7))
    cells = (chart("slrt")[combat.world.season, magnitude, roll] for roll in rolls)
    return [(int(steps), int(modifier)) for steps, modifier in cells]


def all_dice(combat: Combat) -> dict[str, Chances]:
    """The chances of losses and retreats, by every throw of the four dice; not those of steps that are too many for units which may have
    lost some in their retreat before.
    """
    found: dict[str, Counter[str]] = defaultdict(Counter)
    uncertain = set[str]()
    for roll in two_dice():
        cells = dict(zip(("attacker", "defender"), combat.cell(roll), strict=True))
        for side, results in cells.items():
            found[f"{side}-retreat"][str(combat.retreat(side, results))] += 6
            fighting = combat.fighting()
            most = sum(unit.left for unit in combat.side(side) if unit in fighting and unit.arm not in WALLS)
            for steps, _ in losses(combat, side, results):
                found[f"{side}-steps"][str(min(steps, most))] += 1
                if steps > most - 4 and (combat.retreat(side, results) or combat.walls):
                    uncertain.add(f"{side}-steps")
    return {
        name: {value: Fraction(count, 216) for value, count in counts.items()}
        for name, counts in found.items()
        if name not in uncertain
    }


def check_chances(combat: Combat, side: str) -> Chances | None:
    """The chance of the only unit of a side to pass its check, and that it leaves its hex; None where it has others with it, or where
    a retreat costs it something.
    """
    units = combat.side(side)
    if len(units) > 1 or not retreats_free(combat, units[0]):
        return None
    unit, beyond = units[0], combat.column()[1]
    passes = leaves = 0
    for roll in two_dice():
        results = dict(zip(("attacker", "defender"), combat.cell(roll), strict=True))
        hexes = combat.retreat(side, results[side])
        for steps, one in losses(combat, side, results[side]):
            left = unit.left - steps
            if left <= 0:
                return None
            modifier = 2 * steps + one + hexes
            modifier += combat.world.season == "summer" and 0 < left <= unit.back < unit.steps
            if side == "attacker":
                modifier -= ("*" in results["attacker"]) + ceil(Fraction(max(beyond, 0), 3))
            else:
                modifier += combat.flanked() + min(beyond, 0) - (combat.world.ip(MIDDLE) >= 2 and not hexes)
            for check in two_dice():
                failed = check + modifier - (unit.effectiveness + unit.cel)
                passes += failed <= 0
                leaves += hexes > 0 or goes_back(unit.cel, failed)
    every = 36 * 6 * 36
    return {"passes": Fraction(passes, every), "vacates": Fraction(leaves, every)}


def goes_back(cel: int, failed: int) -> bool:
    """Whether a unit retreats that fails its check by so much. Rule: 11.3.2"""
    if failed <= 0:
        return False
    levels = 1 if failed <= 3 else 2 if failed <= 7 else 3 if failed <= 11 else 4
    return cel == DEMORALIZED or failed > 3 or cel - levels <= DEMORALIZED


def retreats_free(combat: Combat, unit: Unit) -> bool:
    """Whether a unit finds a way of three hexes back that costs nothing."""
    ways = [[hex] for hex in open_hexes(combat.world, [unit], unit.place)]
    for _ in range(2):
        ways = [
            [*way, hex]
            for way in ways
            for hex in open_hexes(combat.world, [unit], way[-1], (unit.place, *way)[-2])
            if hex not in way
        ]
    bare = (walk(combat.world, [unit], way)[unit.name] for way in ways)
    return any(not cost.levels and not cost.steps for cost in bare)
