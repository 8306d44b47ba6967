"""Made-up positions for the benchmarks and tests, the same every time: a long front line, and a battle of six stacks
against one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from assistant.game.games import Game

HEAD = ("game twilight-in-the-east", "turn=3", "trust charts")
FLANK = 24
"""The row in which the front begins."""


def front_line(game: Game, units: int, seed: int = 1914) -> str:
    """A position in notation: two armies of so many units in all, face to face along a winding line, with all facts stated.

    Most stacks are of two divisions of a corps with its guns, some of one division, some of cavalry; a few units are Demoralized,
    have lost steps or bear a Prepared Attack marker, and streams and woods lie where they lie.
    """
    drawn = random.Random(seed)
    lines = list(HEAD)
    column, row, number = 50, FLANK, 0
    stacks: dict[str, list[str]] = {}
    while number < units:
        for side, shift in (("russian", 0), ("german", 1)):
            at = f"{column + shift:02}.{row}"
            if number < units and at not in stacks:
                stacks[at] = list(_stack(drawn, side, number, units - number))
                number += len(stacks[at])
        row += 1
        if row > 110:
            column, row = column + 12, FLANK
        elif drawn.random() < 0.35:
            column += drawn.choice((-1, 1))
    board = game.board("")
    for at, there in stacks.items():
        ground = drawn.choices(("clear", "rough", "wetlands"), (7, 2, 1))[0]
        lines.append(f"{at} {ground}: {', '.join(there)}")
    sides = sorted({tuple(sorted((at, other))) for at in stacks for other in board.neighbours(at)})
    for one, other in sides:
        lines.append(f"{one}|{other} {drawn.choices(('open', 'minor-river', 'major-river'), (8, 2, 1))[0]}")
    return "\n".join(lines) + "\n"


def _stack(drawn: random.Random, side: str, number: int, most: int) -> Iterator[str]:
    """The units of one stack as notation writes them, at most so many."""
    corps = number // 6 + 1
    if drawn.random() < 0.1:
        yield f"{side} cavalry XX c{number} (3-3-1-9) back-steps=1 back-defence=1 back-artillery=0"
        return
    for one in range(min(drawn.choice((1, 2, 2)), most)):
        status = drawn.choices(("", " -3", " cel=-4"), (8, 2, 1))[0]
        figures = f"({drawn.randint(8, 12)}-{drawn.randint(10, 16)}-{drawn.randint(3, 7)}-{drawn.randint(8, 11)})"
        yield f"{side} infantry XX {number + one}/{corps} {figures} back-steps=4 back-defence=6 back-artillery=3{status}"
        most_left = most - one - 1
    if most_left and drawn.random() < 0.4:
        yield f"{side} artillery III a{number} corps={corps} (1-0-{drawn.randint(2, 6)}-8)"


def six_against_three() -> str:
    """A battle before the dice in notation: stacks in all six hexes around a stack of three Forces."""
    lines = [*HEAD]
    defenders = "german infantry XX 1/1 (12-16-7-11) back-steps=6, german infantry X 2/1 (6-7-2-10) back-steps=0, "
    defenders += "german infantry X 3/1 (5-6-2-10) back-steps=0"
    lines.append(f"41.19 rough ip=1: {defenders}")
    around = ("41.18", "40.19", "40.20", "41.20", "42.20", "42.19")
    for number, at in enumerate(around):
        corps = number // 3 + 2
        there = (
            f"russian infantry XX {2 * number + one}/{corps} ({10 + one}-12-{4 + one}-{8 + number % 3}) back-steps=5 field"
            for one in (1, 2)
        )
        lines.append(f"{at} clear: {', '.join(there)}, russian artillery III g{number} corps={corps} (1-0-5-8) heavy")
    lines.append(f"41.19|{','.join(around)} open")
    lines.append("ask battle at=41.19 attacker-ap=2,3 defender-ap=1")
    return "\n".join(lines) + "\n"
