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


def front_line(game: Game, units: int) -> str:
    """A position in notation: two armies of so many units in all, face to face along a winding line, with all facts stated.

    Most stacks are of two divisions of a corps with its guns, some of one division, some of cavalry; a few units are Demoralized,
    have lost steps or bear a Prepared Attack marker, and streams and woods lie where they lie.
    """
    drawn = random.Random(1914)
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


def ten_at_hand() -> str:
    """What a column takes, asked in notation: ten units of three corps in four hexes around a stack that help is near
    to.
    """
    ready = "back-steps=5 back-defence=6 back-artillery=3 field"
    stacks = {
        "40.19": f"1/2 (11-12-5-9) {ready}, russian infantry XX 2/2 (12-12-6-8) {ready}, russian artillery III g1 corps=2 (1-0-5-8) heavy",
        "40.20": f"3/2 (10-12-5-10) {ready}, russian infantry XX 4/3 (9-12-4-9) {ready}, russian artillery III g2 corps=3 (1-0-4-8) field",
        "41.20": f"5/3 (11-12-5-9) {ready}, russian infantry XX 6/4 (12-12-7-9) {ready}",
        "42.20": f"7/4 (8-12-5-9) -3 {ready}, russian infantry X 8/4 (5-6-2-8) back-steps=0 field",
    }
    lines = [*HEAD]
    lines.append(
        "41.19 rough: german infantry XX 1/1 (12-16-7-11) back-steps=6, german infantry X 2/1 (6-7-2-10) back-steps=0"
    )
    lines.append(
        "41.17: german infantry XX 3/1 (12-15-6-10) back-steps=6, german infantry XX 4/1 (11-14-6-10) back-steps=6"
    )
    lines += [f"{at} clear: russian infantry XX {units}" for at, units in stacks.items()]
    lines.append("41.19|41.18,40.19,40.20,41.20,42.20,42.19 open")
    lines += ["40.19|41.18,40.20 open", "40.20|41.20 open", "41.20|42.20 open", "42.20|42.19 open"]
    lines.append("ask need column=3:1 at=41.19 attacker-ap=all defender-ap=none")
    return "\n".join(lines) + "\n"
