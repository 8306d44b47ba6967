"""The strengths in the hexes of a picture of a combat add up to the totals that its answer states."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import ceil, floor
from pathlib import Path
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.asking.sketch import Sketch
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.service import ask, read, sketch
from assistant.testing import typed
from assistant.util.errors import InputError

from ....cases import few, seeds
from ....combats.worlds import world
from ....kaisers_war_in_the_east.battle import test_naive as kaiser
from ....world_undone_east_prussia import test_naive_battle as undone

EAST_PRUSSIA = "world-undone-east-prussia-1914"
ROOT = Path(__file__).parents[4]
FILES = sorted(ROOT.glob("plugins/*/examples/*.pos"))


def compared(position: Position, report: Report[Any]) -> Iterator[tuple[str, float, float]]:
    """For attack and defence: the word, the total of the answer, and the sum of the strengths in the hexes."""
    drawn = sketch(position, report)
    strengths = [table for table in drawn.tables if table.title == "Strength"] if isinstance(drawn, Sketch) else []
    for table in strengths:
        assert drawn is not None
        totals = {table.rows[number][0]: float(table.rows[number][1]) for number in table.totals}
        for total, words, role in (("attack", ("attack", "support"), "start"), ("defence", ("defence",), "target")):
            labels = [spot.label.split() for spot in drawn.spots if spot.role == role]
            yield total, totals[total], sum(float(label[1]) for label in labels if label and label[0] in words)


def check(position: Position, report: Report[Any]) -> int:
    """Return how many totals were looked at; a total may be rounded, the strengths in the hexes are not."""
    rows = [*compared(position, report)]
    for word, total, plates in rows:
        assert floor(plates) <= total <= ceil(plates), (word, total, plates)
    return len(rows)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}/{file.stem}")
def test_of_each_example(file: Path) -> None:
    position = read(file)
    battles = [posed for posed in position.asks if posed.question == "battle"]
    if battles:
        assert check(position, ask(position))


Made = Iterator[tuple[str, str, dict[str, Any]]]
"""Combats: the game, the position, and what is asked."""


def twilight(seed: int) -> Made:
    given = world(random.Random(f"plates {seed}"))
    yield "twilight-in-the-east", given.text, {"at": given.at, **given.asked}


def kaisers_war(seed: int) -> Made:
    made = kaiser.combat(seed)
    sides = [kaiser.name(hex) for hex in dict.fromkeys(unit["hex"] for unit in made["attackers"])]
    hq = "".join(unit["id"] for unit in made["hq"]) or None
    yield "kaisers-war-in-the-east", kaiser.notation(made), {"at": kaiser.name(kaiser.AT), "from": sides, "hq": hq}


def east_prussia(seed: int) -> Made:
    chance = random.Random(seed)
    field, text = undone.made_up(chance, load_game(EAST_PRUSSIA).board(""))
    side = chance.choice(["german", "russian"])
    head = f"turn=5 phase=first-combat phasing={side} scenario=historical\n3410 named=Königsberg control=russian\n"
    for at in sorted({counter.at for counter in field.counters if counter.side != side}):
        yield EAST_PRUSSIA, head + text, {"at": [at]}


COMBATS_A_CASE = 5


@few(3)
@pytest.mark.parametrize("make", [twilight, kaisers_war, east_prussia], ids=lambda make: make.__name__)
@pytest.mark.parametrize("number", seeds(20))
def test_of_made_up_combats(number: int, make: Callable[[int], Made]) -> None:
    """Some combats that are made up are refused, but not all of a game."""
    seen = 0
    for seed in range(COMBATS_A_CASE * number, COMBATS_A_CASE * (number + 1)):
        for game, text, asked in make(seed):
            position = typed(text, load_game(game))
            with suppress(InputError):
                seen += check(position, ask(position, "battle", **asked))
    assert seen
