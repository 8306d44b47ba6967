"""Four hundred combats against a second, naive solution written from the rulebook alone."""

from __future__ import annotations

import random
from typing import Any

import pytest

from assistant.game.games import Game
from assistant.service import ask
from assistant.testing import game_in, typed

from ...cases import few, seeds
from . import naive_combat as naive

AT = (26, 20)
RING = naive.around(AT)
TURNS = {"summer": 2, "winter": 4, "thaw": 6}
CORPS = {"german": 3, "austro-hungarian": 3, "russian": 3}
CHART = "chart reorganization austro-hungarian infantry-army = 3\n"


@pytest.fixture(scope="module")
def game() -> Game:
    return game_in("kaisers-war-in-the-east")


def name(hex: naive.Hex) -> str:
    """A hex as the map numbers it."""
    return f"{hex[0]:02}{hex[1]:02}"


def fighter(
    dice: random.Random, number: int, nation: str, hex: naive.Hex, arms: list[str], side: str
) -> dict[str, Any]:
    """A unit with values of its own."""
    arm = dice.choice(arms)
    size = "XXX"
    if arm == "infantry":
        size = dice.choice(["XXXX", "XXXX", "XXX", *(["abteilung"] if nation == "german" else [])])
    if nation == "romanian":
        arm, size = "infantry", "XXXX"
    if arm in ("fortress", "supply", "armoured-train"):
        size = "-"
    if arm == "headquarters":
        size = "XXXXX"
    count = 2 if size == "abteilung" else 3
    corps = [nation] * count if size in ("XXXX", "abteilung") else []
    fixed = arm == "fortress" or (arm == "headquarters" and dice.random() < 0.5)
    return {
        "id": f"{side[0]}{number}",
        "nation": nation,
        "side": side,
        "hex": hex,
        "arm": arm,
        "size": size,
        "corps": corps,
        "attack": 0 if arm in ("fortress", "supply") else dice.randint(1, 12),
        "defence": dice.randint(1, 9),
        "movement": 0 if fixed else dice.randint(1, 5),
    }


def combat(seed: int) -> dict[str, Any]:
    """A combat of any kind."""
    dice = random.Random(seed)
    season = dice.choice(["summer", "winter", "thaw"])
    west = dice.random() < 0.5
    led = dice.random() < 0.5
    nations = ["german", "austro-hungarian"] if led else [dice.choice(["german", "austro-hungarian"])]
    crowd = dice.random() < 0.5  # attackers all around, for concentric attacks
    hexes = (
        [hex for number, hex in enumerate(RING) if number % 2 == 0] if crowd else dice.sample(RING, dice.randint(1, 3))
    )
    kinds = ["infantry", "infantry", "shock", "alpine", "cavalry", "armoured-train"]
    attackers = []
    for hex in [RING[0], RING[1], RING[2], RING[5]] if crowd and dice.random() < 0.3 else hexes:
        attackers += [
            fighter(dice, 10 * len(attackers) + number, dice.choice(nations), hex, kinds, "central-powers")
            for number in range(dice.randint(1, 2))
        ]
    attackers[0] = fighter(dice, 0, nations[0], attackers[0]["hex"], ["infantry"], "central-powers")
    theirs = ["infantry", "infantry", "fortress", "cavalry", "headquarters", "supply", "armoured-train"]
    own = "romanian" if dice.random() < 0.2 else "russian"
    defenders = [
        fighter(dice, 50 + number, dice.choice(["russian", own]), AT, theirs, "allies")
        for number in range(dice.randint(1, 3))
    ]
    hq = []
    if led:
        back = dice.choice([hex for hex in naive.around(attackers[0]["hex"]) if hex not in RING and hex != AT])
        hq = [fighter(dice, 90, nations[0], back, ["headquarters"], "central-powers")]
        hq[0]["movement"] = 2
    taken = {unit["hex"] for unit in attackers} | {AT}
    free = [hex for hex in RING if hex not in taken]
    others, neutral, terrain = [], [], {AT: dice.choice(["clear", "rough", "forest", "mountain"])}
    if free and dice.random() < 0.3:
        terrain[free[0]] = "all-sea"
    elif free and dice.random() < 0.3:
        others = [fighter(dice, 70, "russian", free[0], ["fortress"], "allies")]
    elif free and dice.random() < 0.3:
        neutral = [free[0]]
    supply = []
    for number in range(dice.choice([0, 1, 1, 2])):
        beside = [hex for unit in attackers for hex in naive.around(unit["hex"]) if hex not in RING and hex != AT]
        supply.append({"id": f"S{number}", "hex": dice.choice(beside), "radius": dice.randint(1, 3)})
    sides = [(one, other) for one in RING for other in naive.around(one) if other != AT]
    return {
        "at": AT,
        "season": season,
        "west": west,
        "country": dice.choice(["russia", "germany"]),
        "attackers": attackers,
        "defenders": defenders,
        "hq": hq,
        "supply": supply,
        "others": others,
        "neutral": neutral,
        "terrain": terrain,
        "doubles": terrain[AT] in ("forest", "mountain"),
        "water": {hex: dice.choice(["open", "river", "river", "lake"]) for hex in RING},
        "sea sides": [set(side) for side in dice.sample(sides, dice.choice([0, 0, 1]))],
        "spare": {"russian": dice.randint(0, 4)} if dice.random() < 0.5 else {},
    }


def notation(made: dict[str, Any]) -> str:
    """The combat as a position."""
    lines = [f"turn={TURNS[made['season']]} main-effort={'west' if made['west'] else 'east'}", CHART.strip()]
    lines += [f"chart turn-record {turn} = {season}" for season, turn in TURNS.items()]
    lines += ["nation romanian belligerent=yes"]
    for feature in ("rough", "forest", "mountain"):
        twice = 2 if feature in ("forest", "mountain") else 1
        lines += [f"chart terrain-defence {period} {feature} = {twice}" for period in ("summer", "winter")]
    stacks: dict[naive.Hex, list[str]] = {AT: []}
    for unit in made["attackers"] + made["defenders"] + made["hq"] + made["others"]:
        values = f"{unit['attack']}-{unit['defence']}-{unit['movement']}"
        radius = " radius=3" if unit["arm"] == "headquarters" else ""
        words = f"{unit['nation']} {unit['arm']} {unit['size']}"
        stacks.setdefault(unit["hex"], []).append(f"{words} {unit['id']} ({values}){radius}")
    for unit in made["supply"]:
        words = f"german supply - {unit['id']} (0-1-3) radius={unit['radius']}"
        stacks.setdefault(unit["hex"], []).append(words)
    for hex in made["neutral"]:
        lines.append(f"{name(hex)} country=bulgaria")
    for hex, terrain in made["terrain"].items():
        if hex not in stacks:
            lines.append(f"{name(hex)} {terrain}")
    lines.append("nation bulgarian belligerent=no")
    for hex, units in stacks.items():
        ground = f" {made['terrain'].get(hex, 'clear')} country={made['country']}"
        lines.append(f"{name(hex)}{ground}: {', '.join(units)}")
    for hex, water in made["water"].items():
        lines.append(f"{name(hex)} | {name(AT)} {water} rail")
    for one, other in made["sea sides"]:
        lines.append(f"{name(one)} | {name(other)} all-sea")
    nations = [f"nation {nation} spare-corps={count}" for nation, count in made["spare"].items()]
    return "\n".join([*lines, *nations])


@few(3)
@pytest.mark.rule("14.3/1", "14.14", "14.15", "14.16")
@pytest.mark.parametrize("seed", seeds(400))
def test_a_combat_is_that_of_the_naive_solution(seed: int, game: Game) -> None:
    made = combat(seed)
    position = typed(notation(made), game)
    given: dict[str, Any] = {
        "at": name(AT),
        "from": [name(hex) for hex in dict.fromkeys(unit["hex"] for unit in made["attackers"])],
        "hq": "".join(unit["id"] for unit in made["hq"]) or None,
    }
    made["supply"] = expended(made)
    given["supply"] = [one["id"] for one in made["supply"]]
    before = ask(position, "battle", **given)
    if hq_is_far(made):
        assert "reaches no attacker" in str(before)
        return
    assert before.verdict.kind == "figure", str(before)
    combat_ = before.result.combat
    attack, defence = naive.strengths(made)
    assert (combat_.attack, combat_.defence) == (attack, defence)
    number = naive.column(attack, defence)
    assert combat_.column == naive.COLUMNS[number]
    assert {one.value: one.chance for one in before.result.chances} == naive.chances("standard", number)
    assert bool(before.result.other) == any(unit["arm"] == "shock" for unit in made["attackers"])
    if before.result.other:
        assert {one.value: one.chance for one in before.result.other} == naive.chances("shock", number)
    dice = random.Random(-1 - seed)
    table = dice.choice(["standard", "shock"]) if before.result.other else "standard"
    for die in dice.sample(range(1, 7), 2):
        answers, choices = {"die": str(die)}, {}
        while True:
            report = ask(position, "battle", table=table, **given, answers=answers)
            if not report.asks:
                break
            for one in report.asks:
                answers[one.name] = str(dice.randint(1, 6)) if one.kind == "roll" else dice.choice(one.options)
        code = naive.result(table, number, die)
        assert report.result.outcome == code
        for node, answer in answers.items():
            choices[node.partition(".")[0]] = answer
        for role in ("attacker", "defender"):
            choices.setdefault(role, only_choice(made, role, code))
        expected = naive.consequences(made, code, choices)
        got = [(one.unit, one.breaks, one.corps, one.corps_lost, one.points, one.gained) for one in report.result.lost]
        assert sorted(got) == sorted(expected["lost"])
        assert report.result.retreats == expected["retreats"]
        assert (report.result.pursues, report.result.pursuit) == (expected["pursues"], expected["pursuit"])


def only_choice(made: dict[str, Any], role: str, code: str) -> str:
    """The unit that a side loses where it has no choice."""
    units = made[role + "s"]
    if code == "MD":
        units = [unit for unit in units if unit["arm"] == "shock"] if role == "attacker" else []
    if code == "BB":
        units = [unit for unit in units if naive.is_army(unit)]
    return units[0]["id"] if units else ""


def expended(made: dict[str, Any]) -> list[dict[str, Any]]:
    """The supply units that supply somebody whom those before do not."""
    found: list[dict[str, Any]] = []
    for one in made["supply"]:
        before = naive.supplied({**made, "supply": found})
        if naive.supplied({**made, "supply": [*found, one]}) != before:
            found.append(one)
    return found


def hq_is_far(made: dict[str, Any]) -> bool:
    """Whether the radius of the Headquarters leads to no attacker."""
    reached = [naive.reaches(made, unit["hex"], 3) for unit in made["hq"]]
    return bool(reached) and not any(unit["hex"] in reached[0] for unit in made["attackers"])
