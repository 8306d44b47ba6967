"""A served table: entries where many units stand, and guests who tap at one table."""

from __future__ import annotations

import asyncio
import json
import os
import random
import statistics
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import msgspec

from assistant.asking.view import View
from assistant.faces.page.server.room import TableRoom
from assistant.faces.page.server.seats import Seat
from assistant.faces.page.server.serving import prepare
from assistant.installed.registry import load_game
from assistant.service import parse
from assistant.util.errors import quoted
from assistant.util.memory import collect_often
from benchmarks.cold import GAME
from benchmarks.front import front_line
from benchmarks.measuring import TIMES, Bench, Row

PACE = 3
"""After how many times what a tap alone takes by the clock the next one comes, on average: more would wait for each other on
any machine.
"""
ALONE = 10
"""How many taps say what one alone takes."""
SHARE = 0.95


class Answered(msgspec.Struct):
    """What matters here of an answer."""

    refused: object


class Table:
    """A table served in this process, on which a front stands."""

    def __init__(self, folder: Path, units: int) -> None:
        game = load_game(GAME)
        text = front_line(game, units)
        file = folder / f"front-{units}.pos"
        file.write_text(text, "utf-8")
        self.serving = prepare(game, str(file), lan=False, port=0, sessions=folder / f"{units}.json")
        self.room: TableRoom = self.serving.room
        self.seats = [seat for seat in self.serving.seats.by_path.values() if seat.side]
        state = parse(text).state
        view = View(game, state)
        self.units = {
            seat: [unit for unit in state.units if "/" in unit and view.side_of(unit) == seat.side]
            for seat in self.seats
        }
        self.lost = dict.fromkeys(state.units, 0)
        self.taps = count()
        self.changed = asyncio.Event()

    def close(self) -> None:
        """End it."""
        self.serving.opened.close()
        self.room.close()

    async def tap(self, seat: Seat, drawn: random.Random) -> None:
        """Enter that a unit has lost a step more than before, or none."""
        unit = drawn.choice(self.units[seat])
        self.lost[unit] = self.lost[unit] % 3 + 1
        line = f"{quoted(unit)} -{self.lost[unit]}"
        request = {"do": "enter", "table": self.room.table, "line": line, "tap": f"{next(self.taps)}", "sure": True}
        answer = await self.room.respond(seat, json.dumps(request).encode())
        refused = msgspec.json.decode(answer, type=Answered).refused
        assert not refused, refused

    @asynccontextmanager
    async def listeners(self, number: int) -> AsyncIterator[None]:
        """Guests whose pages hear of each change, each in a session of its own, by the link of one side and the other."""

        async def listen(seat: Seat, session: str) -> None:
            async for _ in self.room.listen(seat, session, 60):
                self.changed.set()

        tasks = [asyncio.create_task(listen(self.seat(guest), str(guest))) for guest in range(number)]
        await self.changed.wait()
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()

    def seat(self, guest: int) -> Seat:
        """Where a guest sits."""
        return self.seats[guest % len(self.seats)]


def rows(bench: Bench) -> Iterator[Row]:
    """An entry among many units beside one among few; and a tap of one of many guests beside that of one alone."""
    few, many = bench.sizes.table
    with TemporaryDirectory() as name, patch.dict(os.environ, FIELD_STAFF_DATA=name):
        tables = {units: Table(Path(name), units) for units in sorted({few, many, many // TIMES})}
        collect_often()
        spent = asyncio.run(entries(list(tables.values()), 3 * bench.sizes.runs))
        by_units = dict(zip(tables, spent, strict=True))
        waited = asyncio.run(crowd(tables[few], bench.sizes.guests, bench.sizes.taps))
        for table in tables.values():
            table.close()
    smaller = by_units[many // TIMES]
    what = f"an entry at a served table with {many} units, as its page shows it"
    yield Row(what, f"one with {few}", by_units[many], by_units[few], 1.5, smaller=smaller)
    what = (
        f"a tap at the table with {few} units, where {bench.sizes.guests} guests tap {PACE} times as slowly as it could answer"
        " them one by one, until it is answered, at the 95th percentile by the clock"
    )
    yield Row(what, "the CPU time of one alone", waited, by_units[few], 3)  # among many units it would take minutes


async def entries(tables: Sequence[Table], runs: int) -> list[float]:
    """The least CPU time of an entry at each of some tables with one guest, until its page has heard of it."""
    times: list[list[float]] = [[] for _ in tables]
    for table, taken in zip(tables, times, strict=True):
        drawn = random.Random(3)
        async with table.listeners(1):
            for number in range(runs + 1):
                table.changed.clear()
                before = time.process_time()
                await table.tap(table.seat(0), drawn)
                await table.changed.wait()
                taken += [time.process_time() - before] * (number > 0)
    return [min(taken) for taken in times]


async def crowd(table: Table, guests: int, taps: int) -> float:
    """How many seconds a tap waits for its answer at the 95th percentile, where guests think in between."""

    async def wait_for(guest: int, drawn: random.Random) -> float:
        before = time.perf_counter()
        await table.tap(table.seat(guest), drawn)
        return time.perf_counter() - before

    async def play(guest: int, alone: float) -> list[float]:
        drawn, waited = random.Random(guest), list[float]()
        for _ in range(taps):
            await asyncio.sleep(drawn.uniform(0, 2 * PACE * guests * alone))
            waited.append(await wait_for(guest, drawn))
        return waited

    async with table.listeners(guests):
        drawn = random.Random(ALONE)
        alone = statistics.median([await wait_for(number, drawn) for number in range(ALONE)])
        waited = sorted(chain.from_iterable(await asyncio.gather(*(play(guest, alone) for guest in range(guests)))))
    return waited[int(SHARE * (len(waited) - 1))]
