"""The referee's files of Kaiser's War in the East: what is asked about each made-up position, and the answers of the second program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random

from ..hexes import Hex, around, name, names, rings
from ..sampling import Expected, Made, Subject, bucket, sampled, yes_no
from ..writing import Question, Suite
from . import combat, march, points, retreat, supply
from .placement import PRICES, Places, may_be_bought, order
from .units import Unit, is_legal
from .world import AREA, SIDES, TURNS, Ground, World, some_ground, some_unit, some_world

ENEMY = {"central-powers": "allies", "allies": "central-powers"}


RULINGS = (
    "percent-rounding = down",
    "bonuses = per-unit",
    "declared-supply = phase",
    "thaw-radius = ring",
    "concentric-edge = covered",
    "hq-zones = no",
    "train-pursuit = no",
    "minimum-disengage = yes",
    "abteilung-rail = army",
    "short-breakdown = available",
    "attrition-points = none",
)
"""The readings of open rules on which answers rest."""


def suites(seed: int) -> Iterator[Suite]:
    """All files of the game, each on a ground of its own."""
    for number, subject in enumerate(SUBJECTS):
        ground = some_ground(Random(seed + number))
        head = [*(f"ruling {ruling}" for ruling in RULINGS), *ground.lines()]
        yield sampled(subject, Random(f"{seed} {subject.name}"), ground, head, ["charts"])


def halves(costs: dict[Hex, Fraction]) -> dict[str, int]:
    """Costs in half Movement Points by hex."""
    return {name(at): int(cost * 2) for at, cost in sorted(costs.items())}


# --- zones and supply -------------------------------------------------------------------------------------------------


def zones(dice: Random, ground: Ground) -> Made | None:
    """Whose zones reach which hexes, and of which units those are that both sides' zones reach."""
    world = some_world(dice, ground, dice.randint(8, 16))
    reached = {
        side: {at for unit in world.units if unit.side == side for at in supply.zone_of(world, unit)} for side in SIDES
    }
    both = sorted(reached["allies"] & reached["central-powers"])[:3]
    if not both:
        return None
    expected: Expected = {side: names(hexes) for side, hexes in reached.items()}
    for at in both:
        expected[f"hexes[hex={name(at)}].units"] = [
            unit.id for unit in world.units if at in supply.zone_of(world, unit)
        ]
    fortresses = sum(unit.arm == "fortress" for unit in world.units)
    return Made(world.text(), [Question("zones", expected)], f"{fortresses} fortresses")


def general(dice: Random, ground: Ground) -> Made | None:
    """Who is in General Supply, and whom each supply unit reaches for Offensive Supply."""
    world = some_world(dice, ground, dice.randint(10, 22))
    own = [unit for unit in world.units if unit.side == world.phasing]
    supplied = [unit for unit in own if supply.is_supplied(world, unit)]
    sources = [unit for unit in own if unit.arm == "supply"]
    if not sources or len(own) < 4 or len(supplied) - len(sources) in (0, len(own) - len(sources)):
        return None
    moved = [source for source in sources if dice.random() < 0.2]
    mark(world, moved, "moved")
    expected = {
        "ready": [source.id for source in sources if source not in moved],
        "supplied": [unit.id for unit in supplied],
        "unsupplied": [unit.id for unit in own if unit not in supplied],
    }
    for source in sources:
        expected[f"sides.offensive[source={source.id}].units"] = [unit.id for unit in supply.offensive(world, source)]
    return Made(
        world.text(),
        [Question(f"supply side={world.phasing}", expected)],
        f"{world.season}, {bucket(len(own) - len(supplied), 1, 2, 4)} without",
    )


def mark(world: World, units: list[Unit], word: str) -> None:
    """State something of some units."""
    ids = {unit.id for unit in units}
    world.units = [replace(unit, mark=word) if unit.id in ids else unit for unit in world.units]


def attrition(dice: Random, ground: Ground) -> Made | None:
    """Who checks for supply attrition, and what some dice make of it."""
    world = some_world(dice, ground, dice.randint(10, 22))
    world.phase = "attrition"
    own = [unit for unit in world.units if unit.side == world.phasing]
    without = [unit for unit in own if not supply.is_supplied(world, unit)]
    checks = [unit for unit in without if supply.checks_attrition(world, unit)]
    if not checks or len(checks) == len(own):
        return None
    rolled = {unit: dice.randint(1, 6) for unit in checks}
    expected: Expected = {
        "checks": [unit.id for unit in checks],
        "spared": [unit.id for unit in without if unit not in checks],
        "fate": {unit.id: fate(unit, die) for unit, die in rolled.items()},
    }
    answers = " ".join(f"attrition.{unit.id}={die}" for unit, die in rolled.items())
    kind = "spared by terrain" if len(checks) < len(without) else "all check"
    return Made(
        world.text(), [Question(f"attrition side={world.phasing}", expected, answers)], f"{world.season}, {kind}"
    )


def fate(unit: Unit, die: int) -> str:
    """What a die of attrition does to a unit: armies and Abteilungen break down, except Romanian ones (10.6, 17.8)."""
    if die > 3:
        return "none"
    return "breakdown" if unit.is_army() and unit.nation != "romanian" else "eliminated"


# --- moves ------------------------------------------------------------------------------------------------------------


def reach(dice: Random, ground: Ground) -> Made | None:
    """The hexes that a unit can reach by land, now and then by a Forced March."""
    world = some_world(dice, ground, dice.randint(8, 18))
    unit = dice.choice([unit for unit in world.units if unit.movement > 0] or [None])
    if unit is None:
        return None
    world.phasing = unit.side
    asked, allowance = f"reach unit={unit.id}", unit.movement
    sources = [source for source in world.units if source.arm == "supply" and unit in supply.offensive(world, source)]
    if sources and unit.movement < 4 and dice.random() < 0.8:
        mark(world, sources[:1], "declared")
        asked, allowance = f"{asked} forced={sources[0].id}", 2 * allowance
    costs = march.reach(world, unit, allowance)
    if len(costs) > 60:
        return None
    begins = "in a zone" if unit.at in supply.zones_against(world, unit.side) else "free"
    how = "forced, " if "forced" in asked else ""
    return Made(world.text(), [Question(asked, {"reach": halves(costs)})], f"{world.season}, {how}{begins}")


def rail(dice: Random, ground: Ground) -> Made | None:
    """The hexes that a unit can reach by a rail move, with what is left of the capacity."""
    world = some_world(dice, ground, dice.randint(6, 14), held=True)
    stations = [unit for unit in world.units if any(unit.at in side for side in world.rails) and unit.movement > 0]
    if not stations:
        return None
    unit = dice.choice(stations)
    world.phasing = unit.side
    world.held = (
        {at for at in AREA if (at in world.held) != (dice.random() < 0.04)} if dice.random() < 0.5 else world.held
    )
    railed = dice.choice([0, 0, 0, 5, 6, 7, 8, 9])
    world.lines = (f"side {unit.side} railed={railed}",) if railed else ()
    by_rail = march.reach_by_rail(world, unit)
    costs = march.within_capacity(world, unit, by_rail, railed)
    if not by_rail and (supply.is_supplied(world, unit) or dice.random() < 0.8):
        return None
    kind = "no supply" if not by_rail else "no capacity" if not costs else bucket(len(costs), 1, 3, 8)
    return Made(world.text(), [Question(f"reach unit={unit.id} by=rail", {"reach": halves(costs)})], kind)


def marches(dice: Random, ground: Ground) -> Made | None:
    """Whether a unit may go a given way by land, and for how much."""
    world = some_world(dice, ground, dice.randint(8, 18))
    movers = [unit for unit in world.units if unit.movement > 0]
    if not movers:
        return None
    unit = dice.choice(movers)
    world.phasing = unit.side
    questions, answers = [], Counter[bool]()
    for _ in range(12):
        way = [dice.choice(around(unit.at))]
        while len(way) < dice.choice([1, 2, 3, 3, 4]):
            way.append(dice.choice([at for at in around(way[-1]) if at != unit.at and at not in way]))
        cost = march.route(world, unit, way, unit.movement)
        if any(at not in AREA for at in way) or answers[cost is None] == 2:
            continue
        answers[cost is None] += 1
        expected: Expected = {"verdict": yes_no(cost is not None)}
        if cost is not None:
            expected["cost"] = str(int(cost * 2))
        questions.append(Question(f"move unit={unit.id} way={','.join(map(name, way))} by=land", expected))
    begins = "in a zone" if unit.at in supply.zones_against(world, unit.side) else "free"
    return Made(world.text(), questions, f"{world.season}, {begins}") if len(questions) > 2 else None


# --- after combat -----------------------------------------------------------------------------------------------------


def retreats(dice: Random, ground: Ground) -> Made | None:
    """The open hexes of a retreat, with those that follow each, or that nothing is open."""
    world = some_world(dice, ground, dice.randint(12, 26), crowded=True)
    stacks = [world.stack(at) for at in sorted({unit.at for unit in world.units})]
    stack = [unit for unit in dice.choice(stacks) if unit.movement > 0]
    units = dice.sample(stack, min(len(stack), dice.choice([1, 1, 2, 3])))
    if not units or not is_legal(units):
        return None
    owed = dice.choice([1, 1, 2, 2, 3])
    found = retreat.retreat(world, units, owed)
    expected: Expected = {
        "open": names(found.first),
        "eliminated": [] if found.first else [unit.id for unit in units],
    }
    words = ",".join(unit.id for unit in units)
    kind = (
        f"{found.length - owed} farther"
        if found.first and found.length > owed
        else bucket(len(found.first), 1, 2, 3, 5)
    )
    questions = [Question(f"retreat units={words} hexes={owed}", expected)]
    if found.first and found.length > 1:
        first = dice.choice([*found.first])
        questions.append(
            Question(f"retreat units={words} hexes={owed} way={name(first)}", {"open": names(found.first[first])})
        )
    return Made(world.text(), questions, f"{kind} open" if "farther" not in kind else kind)


def pursuits(dice: Random, ground: Ground) -> Made | None:
    """Whether units may pursue into a hex, and where to beyond it."""
    world = some_world(dice, ground, dice.randint(10, 22))
    if not world.units:
        return None
    unit = dice.choice(world.units)
    world.phasing, world.phase = unit.side, "first-combat"
    cleared = dice.choice(around(unit.at))
    if cleared not in AREA or world.stack(cleared):
        return None
    code, hexes = dice.choice([("DD", 1), ("DZ", 1), ("BT", 2), ("BT", 2), ("BT", 2), ("MD", 1)])
    allowed, beyond = retreat.pursue(world, unit, cleared, hexes)
    expected: Expected = {"verdict": yes_no(allowed)}
    if allowed:
        expected["beyond"] = names(beyond)
    asked = f"pursue units={unit.id} at={name(cleared)} result={code}"
    return Made(
        world.text(),
        [Question(asked, expected)],
        bucket(len(beyond), 1, 4, 6) + " beyond" if allowed else "not allowed",
    )


# --- combat -----------------------------------------------------------------------------------------------------------


def some_battle(dice: Random, ground: Ground) -> tuple[World, combat.Attack] | None:
    """A hex with defenders, attackers around it, perhaps a Headquarters and supply units behind them."""
    world = some_world(dice, ground, dice.randint(2, 10))
    attacker = world.phasing
    free = [at for at in AREA if world.ground(at) != "all-sea" and not world.is_neutral(at) and not world.stack(at)]
    at = dice.choice(free)
    if any(world.water.get(frozenset((at, there))) in ("all-sea", "impassable") for there in around(at)):
        return None
    put(dice, world, ENEMY[attacker], at, dice.choice([1, 1, 2, 3]))
    nation = dice.choice(
        ["german", "austro-hungarian"] if attacker == "central-powers" else ["russian", "russian", "romanian"]
    )
    for there in dice.sample(around(at), dice.choice([1, 2, 3, 3, 4, 6])):
        if there in free:
            put(dice, world, attacker, there, dice.choice([1, 1, 2]), nation if dice.random() < 0.8 else "")
    far = rings(at, 4)
    for there in dice.sample([there for there in free if far.get(there, 0) > 1], 3):
        put(dice, world, attacker, there, 1, arm=dice.choice(["headquarters", "supply"]))
    attackers = [unit for unit in world.units if unit.side == attacker and combat.may_attack(world, unit, at)]
    if not attackers or not world.stack(at):
        return None
    leaders = [unit for unit in world.units if unit.side == attacker and unit.arm == "headquarters"]
    return world, combat.Attack(at, attackers, world.stack(at), dice.choice([None, *leaders]), [])


def put(dice: Random, world: World, owner: str, at: Hex, count: int, nation: str = "", arm: str = "") -> None:
    """Place some units in a hex, as far as they may be there together."""
    for _ in range(count):
        unit = some_unit(dice, len(world.units) + 31, owner, at, arm)
        if nation and unit.nation not in ("romanian", "bulgarian") and nation != "romanian":
            unit = replace(unit, nation=nation, size="XXX" if unit.size == "abteilung" else unit.size)
        stack = world.stack(at)
        if (
            unit.nation not in ("romanian", "bulgarian")
            and is_legal([*stack, unit])
            and all(other.side == owner for other in stack)
        ):
            world.units.append(unit)


def battles(dice: Random, ground: Ground) -> Made | None:
    """Strengths, column, chances of an attack, and what a die leads to where nobody has a choice; or that it is not allowed."""
    made = some_battle(dice, ground)
    if made is None:
        return None
    world, attack = made
    world.phase = "first-combat"
    asked = f"battle at={name(attack.at)}" + (f" hq={attack.headquarters.id}" if attack.headquarters else "")
    if not combat.is_legal(world, attack):
        if dice.random() < 0.8:
            return None
        return Made(world.text(), [Question(asked, {"verdict": "no"})], "not allowed")
    reached: set[Unit] = set()
    for source in (unit for unit in world.units if unit.arm == "supply" and unit.side == world.phasing):
        more = {
            unit for unit in supply.offensive(world, source) if unit in attack.attackers or unit == attack.headquarters
        }
        if more - reached and len(attack.supply) < 2:
            attack.supply.append(source)
            reached |= more
    if attack.supply:
        words = ",".join(source.id for source in attack.supply)
        asked = f"{asked} supply={words}"
        mark(world, attack.supply, "declared")
    total = combat.strengths(world, attack)
    expected: Expected = {
        "attack": str(total.attack),
        "defence": str(total.defence),
        "column": total.column,
        "concentric": yes_no(total.concentric),
        "chances": dict(combat.chances("standard", total.column)),
    }
    if any(unit.arm == "shock" for unit in attack.attackers):
        expected["shock"] = dict(combat.chances("shock", total.column))
    questions = [Question(asked, expected)]
    die = dice.randint(1, 6)
    table = dice.choice(["standard", "shock"]) if "shock" in expected else "standard"
    code = combat.results(table, total.column)[die - 1]
    if code in combat.SIMPLE:
        questions.append(Question(f"{asked} table={table}", after(combat.outcome(world, attack, code)), f"die={die}"))
    bonus = f"{len(attack.supply)} supply units" + ", concentric" * total.concentric
    return Made(world.text(), questions, bonus)


def best_attacks(dice: Random, ground: Ground) -> Made | None:
    """The highest column that any attack on a hex reaches, with the supply units that are declared."""
    made = some_battle(dice, ground)
    if made is None or len(made[1].attackers) > 7 or len(made[1].attackers) < 2:
        return None
    world, attack = made
    world.phase = "first-combat"
    declared = [
        unit for unit in world.units if unit.arm == "supply" and unit.side == world.phasing and dice.random() < 0.6
    ]
    mark(world, declared, "declared")
    ids = {unit.id for unit in declared}
    column = combat.best_column(world, attack.at, [unit for unit in world.units if unit.id in ids])
    at = name(attack.at)
    return Made(world.text(), [Question(f"attacks side={world.phasing} at={at}", {"best": {at: column}})], column)


def after(outcome: combat.Outcome) -> Expected:
    """What is expected of a result."""
    return {
        "outcome": outcome.code,
        "breaks": {unit: yes_no(lost[0]) for unit, lost in outcome.lost.items()},
        "corps": {unit: lost[1] for unit, lost in outcome.lost.items()},
        "points": {unit: lost[2] for unit, lost in outcome.lost.items()},
        "gained": {unit: lost[3] for unit, lost in outcome.lost.items()},
        "retreats": outcome.retreats,
        "pursues": outcome.pursues,
        "pursuit": str(outcome.pursuit),
    }


# --- stacks and points ------------------------------------------------------------------------------------------------


def stacks(dice: Random, ground: Ground) -> Made | None:
    """Which stacks are too large."""
    world = World(ground, dice.choice(["summer", "winter"]), belligerent={"romanian": True, "bulgarian": True})
    for at in dice.sample([at for at in AREA if ground.terrain[at] == "clear"], 6):
        owner = dice.choice([*SIDES])
        for _ in range(dice.randint(2, 6)):
            arms = [
                "infantry",
                "cavalry",
                "shock",
                "shock",
                "alpine",
                "supply",
                "fortress",
                "headquarters",
                "armoured-train",
            ]
            world.units.append(some_unit(dice, len(world.units) + 1, owner, at, dice.choice(arms)))
    legal = {at: is_legal(world.stack(at)) for at in {unit.at for unit in world.units}}
    expected = {
        "over": names(at for at, fine in legal.items() if not fine),
        "within": names(at for at, fine in legal.items() if fine),
    }
    return Made(
        world.text(), [Question("stack", expected)], f"{sum(not fine for fine in legal.values())} of 6 over the limit"
    )


def scores(dice: Random, ground: Ground) -> Made | None:
    """What objectives and cities bring each side, and what a hex brings to the side that takes it."""
    world = some_world(dice, ground, dice.randint(3, 10), held=True)
    land = [at for at in AREA if ground.terrain[at] != "all-sea"]
    objectives = set(dice.sample(land, dice.randint(4, 9)))
    cities = set(dice.sample(land, 4)) | set(dice.sample(sorted(objectives), 2))
    track = {side: dice.randint(20, 99) for side in SIDES}
    world.lines = (
        *(f"side {side} vp={points_}" for side, points_ in track.items()),
        f"{', '.join(names(objectives))} objective",
        f"{', '.join(names(cities))} city",
    )
    score = {side: points.score(world, side, track[side], objectives, cities) for side in SIDES}
    ruler = points.ruler(world, objectives)
    totals = {side: score[side].total for side in SIDES}
    lead = abs(totals["allies"] - totals["central-powers"])
    ending = "Imperial Victory" if ruler else points.level(lead)
    winner = ruler or ("" if ending == "Draw" else max(totals, key=totals.__getitem__))
    asked = {
        field: {side: getattr(score[side], field) for side in SIDES} for field in ("gain", "after", "cities", "total")
    }
    questions = [Question("victory when=game-end complete=yes", {**asked, "level": ending, "winner": winner})]
    side, at = dice.choice([*SIDES]), dice.choice(sorted(objectives | cities))
    if not world.is_neutral(at) and not world.stack(at):
        gain, loss = points.capture(world, side, at, objectives, track[side], august=False)
        questions.append(Question(f"capture at={name(at)} side={side}", {"scored": str(gain), "lost": str(loss)}))
    return Made(world.text(), questions, ending)


def placements(dice: Random, ground: Ground) -> Made | None:
    """Whether a unit may be mobilized, for how much and when, and where it may be placed if it arrives at once."""
    world = some_world(dice, ground, dice.randint(6, 14), held=True)
    world.phase, turn = "mobilization", TURNS[world.season]
    land = [at for at in AREA if ground.terrain[at] != "all-sea"]
    places = Places(*(frozenset(dice.sample(land, count)) for count in (18, 6, 8)))
    for number in range(dice.randint(0, 6)):
        at = dice.choice(sorted(places.cities | places.edges))
        new = some_unit(dice, 80 + number, world.phasing, at, dice.choice(["infantry", "supply", "supply", "cavalry"]))
        if new.nation not in ("romanian", "bulgarian") and all(unit.side == world.phasing for unit in world.stack(at)):
            world.units.append(replace(new, mark="placed"))
    unit = some_unit(dice, 99, world.phasing, (0, 0), dice.choice([*PRICES]))
    if world.is_neutral(unit.at) or unit.nation in ("romanian", "bulgarian") or unit.is_army():
        return None
    track, bought = dice.choice([5, 9, 10, 40, 40, 40]), order(world, places, unit, turn)
    where = (("city", places.cities), ("map-edge", places.edges), ("objective", places.objectives))
    world.lines = (
        f"side {world.phasing} vp={track}",
        *(f"{', '.join(names(hexes))} {word}" for word, hexes in where),
        f"off-map: {unit.text()}",
    )
    allowed = may_be_bought(unit, track, bought.cost, 1915 if turn < 14 else 1916)
    expected: Expected = {"verdict": "figure" if allowed else "no"}
    if allowed:
        expected |= {"cost": str(bought.cost), "arrives": str(bought.arrives)}
        if bought.arrives == turn:
            expected["open"] = names(bought.open)
    kind = (
        "not allowed"
        if not allowed
        else "later"
        if bought.arrives > turn
        else bucket(len(bought.open), 1, 2, 4) + " open"
    )
    return Made(world.text(), [Question(f"mobilize unit={unit.id}", expected)], kind)


CHANCES = ("chances{value=chance}", "the exact chances of the results of the Standard table")
BATTLE = {
    "attack": ("combat.attack", "the strength of the attack"),
    "defence": ("combat.defence", "the strength of the defence"),
    "column": ("combat.column", "the column in percent"),
    "concentric": ("combat.concentric", "whether the attack is concentric"),
    "chances": CHANCES,
    "shock": ("other{value=chance}", "the exact chances of the results of the Shock table"),
    "outcome": ("outcome", "the result of the die"),
    "breaks": ("lost{unit=breaks}", "whether each unit that suffers breaks down; it is eliminated if not"),
    "corps": ("lost{unit=corps}", "into how many corps"),
    "points": ("lost{unit=points}", "the Victory Points that its side loses"),
    "gained": ("lost{unit=gained}", "those that the enemy gains"),
    "retreats": ("retreats", "who retreats"),
    "pursues": ("pursues", "who may pursue"),
    "pursuit": ("pursuit", "how many hexes far"),
}
REACH = {"reach": ("hexes{hex=cost}", "each hex that can be reached, with its least cost in half Movement Points")}
SUBJECTS = (
    Subject(
        "zones",
        "Zones of control (13, 20.1, 23).",
        35,
        zones,
        {side: (f"hexes[side={side}].hex", f"the hexes in zones of the side {side}") for side in SIDES},
    ),
    Subject(
        "supply",
        "General and Offensive Supply (17, 22).",
        70,
        general,
        {
            "ready": ("sides.offensive[why_not=].source", "supply units that may be expended"),
            "supplied": ("sides.units[supplied=yes].unit", "units in General Supply"),
            "unsupplied": ("sides.units[supplied=no].unit", "units without it"),
        },
    ),
    Subject(
        "attrition",
        "Supply attrition (17.8).",
        40,
        attrition,
        {
            "checks": ("units[checks=yes].unit", "units that check for attrition"),
            "spared": ("units[checks=no].unit", "units without supply that need not check"),
            "fate": ("units[checks=yes]{unit=result}", "what the dice do to them"),
        },
    ),
    Subject("reach", "Reach by land (11, 13, 22, 23.3).", 60, reach, REACH),
    Subject("rail", "Reach by rail (18, 13).", 45, rail, REACH),
    Subject(
        "marches", "Marches along a given way (11, 13).", 40, marches, {"cost": ("cost", "in half Movement Points")}
    ),
    Subject(
        "retreats",
        "Retreat after combat (15).",
        60,
        retreats,
        {
            "open": ("options[barred=].hex", "the first hexes of the ways that are open"),
            "eliminated": ("eliminated", "units for which no way is open"),
        },
    ),
    Subject(
        "pursuits",
        "Pursuit (16).",
        35,
        pursuits,
        {"beyond": ("options[barred=].hex", "the hexes open beyond the cleared one")},
    ),
    Subject("battles", "Attacks: strengths, columns, results (14, 19, 20, 21).", 95, battles, BATTLE),
    Subject(
        "best-attacks",
        "The best attack on a hex, of all that are possible (14, 17, 19).",
        30,
        best_attacks,
        {"best": ("targets{at=best.column}", "the highest column that can be reached")},
    ),
    Subject(
        "stacks",
        "Stacking (12).",
        20,
        stacks,
        {
            "over": ("stacks[too_many=yes].at", "hexes with too many units"),
            "within": ("stacks[too_many=no].at", "hexes within the limits"),
        },
    ),
    Subject(
        "points",
        "Control and Victory Points (4, 5, 7.3).",
        40,
        scores,
        {
            "gain": ("scores{side=gain}", "what objectives bring at the end of the turn"),
            "after": ("scores{side=after}", "the track after it"),
            "cities": ("scores{side=cities}", "cities of the enemy"),
            "total": ("scores{side=total}", "all at the end of the game"),
            "scored": ("gain", "what the side that takes the hex gains"),
            "lost": ("loss", "what the other side loses"),
        },
    ),
    Subject(
        "mobilization",
        "Mobilization and where new units are placed (9).",
        40,
        placements,
        {
            "cost": ("price.cost", "Victory Points"),
            "arrives": ("arrives", "the turn in which it arrives"),
            "open": ("open", "hexes where it may be placed"),
        },
    ),
)
