"""How far all units of two sides come, that are scattered over the land of the eastern board, with their ways and chances."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from assistant.installed.registry import load_game
from assistant.service import parse
from benchmarks.cold import GAME
from benchmarks.measuring import TIMES, Bench, Row
from benchmarks.sides import SIDES, one_moved

HEAD = f"game {GAME}\nboard east\ntrust charts counters\nturn=2\n"
LAND = (20, 80)
"""Between which columns of the board units are scattered, which is land."""
FRONTIER = 50
"""The column beyond which they are German."""
PRINTED = "(10-10-5-9) movement=7 back-steps=5 rail-cost=4"


def rows(bench: Bench) -> Iterator[Row]:
    """Reaches of all units once one of them has moved."""
    units = bench.sizes.front
    many, few = (parse(scattered(number)) for number in (units, units // TIMES))
    what = f"reach of a front of {units} units, one of them moved by a hex"
    asked = [{"side": side} for side in SIDES]
    yield one_moved(bench, what, "all of it from scratch", many, few, asked, "reach", 0.03)


def scattered(units: int) -> str:
    """A position in notation of so many divisions, one in a hex, where the board has land."""
    board, drawn = load_game(GAME).board("east"), random.Random(1)
    land = [hex for hex in board.in_order if LAND[0] < int(hex[:2]) < LAND[1] and _is_land(board.fact("terrain", hex))]
    places = drawn.sample(land, units)
    nations = ("german" if int(hex[:2]) > FRONTIER else "russian" for hex in places)
    lines = (
        f"{hex}: {nation} infantry XX {nation[0]}{number} {PRINTED}\n"
        for number, (hex, nation) in enumerate(zip(places, nations, strict=True))
    )
    return HEAD + "".join(lines)


def _is_land(terrain: Any) -> bool:
    return terrain is not None and terrain.value in ("clear", "rough", "wetlands")
