"""Retreats on made-up positions against a naive reading of the rules."""

from __future__ import annotations

import random

import pytest

from ..cases import few, seeds
from ..conftest import typed
from .asking import GAME, undone


@few(15)
@pytest.mark.rule("6.5/path", "3.3/retreat")
@pytest.mark.parametrize("seed", seeds(100))
def test_the_open_hexes_are_those_of_a_naive_reading_of_the_rules(seed: int) -> None:
    chance = random.Random(seed)
    board = typed(f"game {GAME}\n").game.board("")
    near = [f"{column}{row:02}" for column in range(50, 59) for row in range(16, 25)]
    names = iter(["I/1", "I/2", "XVII/35", "XVII/36", "IR/1R", "IV/30", "IV/40", "XX/28", "XX/29", "II/26"])
    stands = {at: next(names) for at in chance.sample([at for at in near if at != "5420"], 10)}
    german = {at for at, name in stands.items() if name.split("/")[0] in ("I", "XVII", "IR")}
    rivers = {frozenset((at, other)) for at in near for other in board.neighbours(at) if chance.random() < 0.2}
    lines = [f"{at}: {name}" for at, name in stands.items()]
    lines += [
        f"{at}|{other} {'river' if frozenset((at, other)) in rivers else 'open'}"
        for at in near
        for other in board.neighbours(at)
        if at < other
    ]
    owed = chance.randint(1, 3)

    def may_enter(here: str, there: str) -> bool:
        zone = any(enemy in german and frozenset((enemy, there)) not in rivers for enemy in board.neighbours(there))
        free = there not in german and (not zone or there in stands)
        return free and int(there[:2]) >= int(here[:2]) and frozenset((here, there)) not in rivers

    def ways(way: list[str]) -> list[list[str]]:
        if len(way) > owed:
            return [way]
        steps = (at for at in board.neighbours(way[-1]) if at not in way and may_enter(way[-1], at))
        return [long for at in steps for long in ways([*way, at])]

    text = "turn=3\nphasing=german\nphase=first-combat\n5420: III/25\n" + "\n".join(lines)
    report = undone(text, "retreat", units=["III/25"], hexes=owed)
    found = {one.hex for one in report.result.options if not one.barred}
    assert found == {way[1] for way in ways(["5420"])}, seed
    assert (report.result.eliminated == ("III/25",)) == (not found)
