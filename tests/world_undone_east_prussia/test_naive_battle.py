"""Attacks on made-up positions against a naive reading of the rules: strengths, column, die roll modifiers, what is due."""

from __future__ import annotations

import collections
import random
from collections.abc import Collection
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.game.boards import Board

from ..cases import examples, few, seeds, thorough
from ..conftest import typed
from .asking import GAME, undone
from .test_combat import ATTACK, OPEN, RESULTS, RING, ask_battle, combat

GROUND = {"clear": 0, "forest": 1, "swamp": 2}
ARMS = {"infantry": 5, "cavalry": 3, "headquarters": 1, "heavy-artillery": 0}


class Counter(NamedTuple):
    """A unit of the naive reading."""

    name: str
    side: str
    arm: str
    sp: int
    supplied: bool
    at: str


class Field(NamedTuple):
    """A made-up field; a fortress stands only in those hexes that have their strength in `walls`."""

    ground: dict[str, str]
    rivers: set[frozenset[str]]
    walls: dict[str, int]
    counters: list[Counter]


def made_up(chance: random.Random, board: Board) -> tuple[Field, str]:
    """A field, and the same as notation."""
    hexes = [f"{column}{row}" for column in range(49, 54) for row in range(13, 18)]
    ground = {at: chance.choice([*GROUND, "clear"]) for at in hexes}
    sides = [(at, to) for at in hexes for to in board.neighbours(at) if at < to or to not in ground]
    rivers = {frozenset(pair) for pair in sides if chance.random() < 0.3}
    first, second, *others = chance.sample(hexes, 12)
    walls, counters = {first: chance.randint(1, 5)}, list[Counter]()
    for at in (first, *others):
        side = "german" if at in walls else chance.choice(["german", "russian"])
        for arm in chance.sample([*ARMS], chance.randint(1, 3)):
            sp = chance.randint(1, 9) if arm == "infantry" else ARMS[arm]
            counters.append(Counter(f"U{len(counters)}", side, arm, sp, chance.random() < 0.7, at))
    army = {"german": "8th", "russian": "first"}
    lines = [f"{at} {word} fortress-zone=none" for at, word in ground.items()]
    lines += [f"{at}|{to} {'river' if frozenset((at, to)) in rivers else 'open'}" for at, to in sides]
    lines += [f"{first} fortress={walls[first]}", f"{second} fortress=4 destroyed"]
    lines += [
        f'{counter.at}: {counter.side} {counter.arm} {army[counter.side]} "{counter.name}" sp={counter.sp} supply={"in" if counter.supplied else "out"}'
        for counter in counters
    ]
    return Field(ground, rivers, walls, counters), "\n".join(lines)


def zone(field: Field, board: Board, counters: Collection[Counter]) -> set[str]:
    """The hexes in the zones of control of some counters."""
    return {
        to
        for counter in counters
        for to in board.neighbours(counter.at)
        if frozenset((counter.at, to)) not in field.rivers and not (counter.side == "russian" and to in field.walls)
    }


def strength(field: Field, counters: Collection[Counter]) -> int:
    """The strength of counters together: heavy artillery adds nothing, but 1 if it is alone; halves are rounded up."""
    led = {counter.at for counter in counters if counter.arm != "heavy-artillery"}
    counts = [
        (counter, counter.sp if counter.arm != "heavy-artillery" else int(counter.at not in led))
        for counter in counters
    ]
    return sum(sp if counter.supplied or counter.at in field.walls else (sp + 1) // 2 for counter, sp in counts)


@few(4)
@pytest.mark.rule("6.0/odds", "6.1/total", "6.2", "6.3/river", "6.3/flank", "6.3/artillery", "6.4/EX")
@pytest.mark.parametrize("seed", seeds(100))
def test_an_attack_counts_what_a_naive_reading_of_the_rules_counts(seed: int) -> None:
    chance = random.Random(seed)
    board = typed(f"game {GAME}\n").game.board("")
    field, text = made_up(chance, board)
    side = chance.choice(["german", "russian"])
    head = f"turn=5 phase=first-combat phasing={side} scenario=historical\n3410 named=Königsberg control=russian\n"
    for at in sorted({counter.at for counter in field.counters if counter.side != side}):
        near = [counter for counter in field.counters if counter.side == side and counter.at in board.neighbours(at)]
        led = {counter.at for counter in near if counter.arm != "heavy-artillery"}
        attackers = [counter for counter in near if counter.at in led]
        defenders = [counter for counter in field.counters if counter.at == at]
        if not attackers:
            continue
        attack, defence = strength(field, attackers), strength(field, defenders) + field.walls.get(at, 0)
        reached = zone(field, board, attackers)
        drm = GROUND[field.ground[at]] + 3 * all(frozenset((counter.at, at)) in field.rivers for counter in attackers)
        drm -= all(to in reached or to in led for to in board.neighbours(at))
        drm -= sum(counter.arm == "heavy-artillery" for counter in attackers)
        if any(counter.arm != "heavy-artillery" for counter in defenders):
            drm += sum(counter.arm == "heavy-artillery" for counter in defenders)
        engagement = undone(f"{head}{text}", "battle", at=[at]).result.combat
        assert (engagement.attack, engagement.defence, engagement.due) == (attack, defence, (defence + 1) // 2), (
            seed,
            at,
        )
        assert engagement.column == (f"{attack // defence}:1" if attack >= defence else f"1:{-(-defence // attack)}"), (
            seed,
            at,
        )
        assert sum(modifier.amount for modifier in engagement.modifiers) == drm, (seed, at)
        foes = {counter.at for counter in field.counters if counter.side != side}
        assert {*engagement.also} == (foes & reached) - {at}, (seed, at)


@few(2)
@pytest.mark.parametrize("seed", seeds(100))
def test_the_cheapest_attack_is_that_of_all_combinations_of_units(seed: int) -> None:
    """Fewest strength points, then fewest units; heavy artillery needs another unit of its hex."""
    chance = random.Random(seed)
    board = typed(f"game {GAME}\n").game.board("")
    field, text = made_up(chance, board)
    side = chance.choice(["german", "russian"])
    head = f"turn=5 phase=first-combat phasing={side} scenario=historical\n3410 named=Königsberg control=russian\n"
    for at in sorted({counter.at for counter in field.counters if counter.side != side}):
        near = [counter for counter in field.counters if counter.side == side and counter.at in board.neighbours(at)]
        led = {counter.at for counter in near if counter.arm != "heavy-artillery"}
        able = [counter for counter in near if counter.at in led]
        if not able:
            continue
        defenders = [counter for counter in field.counters if counter.at == at]
        defence = strength(field, defenders) + field.walls.get(at, 0)
        parts = [part for number in range(1, len(able) + 1) for part in combinations(able, number)]
        fewest = [
            (strength(field, part), len(part))
            for part in parts
            if {counter.at for counter in part} == {counter.at for counter in part if counter.arm != "heavy-artillery"}
        ]
        for column in ("1:2", "1:1", "2:1"):
            attack, against = map(int, column.split(":"))
            enough = min((size for size in fewest if size[0] * against >= defence * attack), default=None)
            plan = undone(f"{head}{text}", "need", at=at, column=column).result.plan
            assert (plan and (plan.attack, len(plan.attackers))) == enough, (seed, at, column)


def mirrored(text: str) -> str:
    """A position with east and west exchanged."""
    words = text.replace("|", " | ").replace(":", " :").split(" ")
    return " ".join(mirrored_hex(word) for word in words).replace(" | ", "|").replace(" :", ":")


def mirrored_hex(word: str) -> str:
    """A word of a position, the number of a hex exchanged; lines end in words."""
    lead = word[: word.rfind("\n") + 1]
    number = word[len(lead) :]
    return f"{lead}{60 - int(number[:2]):02}{number[2:]}" if len(number) == 4 and number.isdecimal() else word


@settings(max_examples=examples(40))
@given(
    st.lists(st.sampled_from(("open", "river")), min_size=12, max_size=12), st.sets(st.sampled_from(RING), min_size=1)
)
def test_modifiers_are_the_same_for_a_position_and_its_mirror_image(rivers: list[str], places: set[str]) -> None:
    sides = [f"{place}|5420" for place in RING] + [f"{a}|{b}" for a, b in zip(RING, (*RING[1:], RING[0]), strict=True)]
    text = "".join(f"{side} {word}\n" for side, word in zip(sides, rivers, strict=True))
    text += "5420 forest : III/25 supply=in, 1A/1HA\n".replace(" :", ":")
    text += "".join(
        f"{place}: german infantry 8th U{number} (3-3) supply=in\n" for number, place in enumerate(sorted(places))
    )
    here, there = combat(text), combat(mirrored(text), "0620")
    assert (here.modifiers, here.column, here.attack) == (there.modifiers, there.column, there.attack)


@thorough
@settings(max_examples=examples(40))
@given(st.lists(st.sampled_from([result for result in RESULTS if result != "EX"]), min_size=6, max_size=6))
def test_chances_sum_to_one_and_equal_the_enumerated_results(results: list[str]) -> None:
    cells = "".join(
        f"chart german-table 2:1- {die} = {cell}\n" for die, cell in zip(("1-", *"2345", "6+"), results, strict=True)
    )
    text = cells + OPEN + ATTACK + "5420 forest: III/25 supply=in\n"
    chances = {str(one.value): one.chance for one in ask_battle(text).result.chances}
    rolled = collections.Counter(ask_battle(text, answers={"die": str(die)}).result.outcome for die in range(1, 7))
    assert sum(chances.values()) == 1
    assert chances == {result: Fraction(count, 6) for result, count in rolled.items()}
