"""A day of a served table: `python -m benchmarks.day 50000` lets twenty guests tap, one after the
other, and prints how long a tap took and what memory there is.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import statistics
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant.faces.page.server.room import TableRoom
from assistant.faces.page.server.seats import Seat
from assistant.faces.page.tables import Tables
from assistant.installed.registry import load_game
from benchmarks.front import front_line

GAME, TABLE = "twilight-in-the-east", "day"
GUESTS = 20
UNITS = 40
STEPS = 10
"""How often the figures are printed."""


def lines(units: list[str], drawn: random.Random) -> Iterator[str]:
    """What guests tap: what units have lost, now and then taken back."""
    while True:
        yield f'"{drawn.choice(units)}" -{drawn.randint(1, 3)}' if drawn.random() < 0.9 else "undo"


class Day:
    """A table with guests who listen and tap."""

    def __init__(self, room: TableRoom, taps: Iterator[str]) -> None:
        self.room, self._taps, self.tapped = room, taps, 0
        self.seat = Seat("1", "", "everybody")

    async def tap(self) -> float:
        """Let the next guest tap, and return how many seconds of the processor the answer took."""
        self.tapped += 1
        request = {"do": "enter", "table": TABLE, "line": next(self._taps), "tap": str(self.tapped), "sure": True}
        before = time.process_time()
        await self.room.respond(self.seat, json.dumps(request).encode())
        return time.process_time() - before

    async def listen(self, guest: int) -> None:
        """Hear of the table, as a page does."""
        async for _ in self.room.listen(self.seat, f"guest {guest}", 15):
            pass


@asynccontextmanager
async def day(folder: Path, guests: int = GUESTS, units: int = UNITS) -> AsyncIterator[Day]:
    """A day at a table with so many units."""
    tables = Tables(folder)
    desk = tables.begin(TABLE, GAME, front_line(load_game(GAME), units))
    state = desk.position.state
    divisions = [unit for unit in state.units if state.value("arm", unit) == "infantry"]
    room = TableRoom(TABLE, {"0": tables, "1": tables})
    begun = Day(room, lines(divisions, random.Random(65)))
    listening = [asyncio.create_task(begun.listen(guest)) for guest in range(guests)]
    try:
        await asyncio.sleep(0.1)
        yield begun
    finally:
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        room.close()


def _memory() -> float:
    """How much memory this process takes, in MiB; only Linux says it."""
    pages = Path("/proc/self/statm")
    return int(pages.read_text("ascii").split()[1]) * 4096 / 2**20 if pages.exists() else 0.0


async def measure(folder: Path, taps: int) -> None:
    """Print how long taps took, and the memory and objects then."""
    async with day(folder) as begun:
        for _ in range(STEPS):
            took = [await begun.tap() for _ in range(taps // STEPS)]
            gc.collect()
            late = statistics.quantiles(took, n=20)[-1]
            figures = f"median {statistics.median(took) * 1000:.1f} ms, 95 in 100 within {late * 1000:.1f} ms"
            print(f"{begun.tapped} taps: {figures}; {_memory():.0f} MiB, {len(gc.get_objects())} objects", flush=True)


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        asyncio.run(measure(Path(name), int(sys.argv[1])))
