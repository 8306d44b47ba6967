"""What a table keeps of taps is their entries: nothing is left for Python to search for."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path

import assistant

from .day import day

TAPS = 500
PER_TAP = 25
"""How many objects a tap may leave: its entry in the journal, the line of that, and what these hold."""


async def _count_left(folder: Path, taps: int) -> tuple[int, int]:
    """How many objects taps leave, and how many of these only a search for garbage finds."""
    async with day(folder, guests=3, units=12) as begun:
        for _ in range(100):
            await begun.tap()
        gc.collect()
        gc.disable()
        try:
            before = len(gc.get_objects())
            for _ in range(taps):
                await begun.tap()
            left = len(gc.get_objects()) - before
            return left, gc.collect()
        finally:
            gc.enable()


def test_a_tap_leaves_its_entry_and_no_garbage(tmp_path: Path) -> None:
    left, garbage = asyncio.run(_count_left(tmp_path, TAPS))
    assert left < PER_TAP * TAPS
    assert garbage < TAPS


def test_an_answer_leaves_nothing_for_a_search(tmp_path: Path) -> None:
    text = "game twilight-in-the-east\nturn=1\ntrust charts counters\n41.19 clear: 1/1\n40.20 clear: 25/3, 27/3\n"
    position = assistant.parse(f"{text}41.19|40.20 open\n")
    for _ in range(2):
        assistant.ask(position, "battle", at="41.19", from_="40.20")
    gc.collect()
    gc.disable()
    try:
        assistant.ask(position, "battle", at="41.19", from_="40.20")
        assert gc.collect() == 0
    finally:
        gc.enable()
