"""What is hidden from a side: its link is answered the same, byte for byte, and hears of nothing.

That whatever a side asks at a shared table is answered alike is shown in tests/secrets/shared.py; here are the responses and events of its link.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.faces.page.server.serving import Serving

from .served import player, serving_of


@pytest.fixture
def serving(own_data: None, tmp_path: Path) -> Iterator[Serving]:
    """A table at which the Russian side sees the top unit of a stack."""
    serving = serving_of(tmp_path)
    central = player(serving, "1")
    assert central.seat.side == "central-powers"
    assert not central.tap("4119 1/1 12-16-7-11 35/17 12-16-7-11")["refused"]
    assert not player(serving, "2").tap("4020 25/3 10--5-10 27/3 =")["refused"]
    yield serving
    serving.opened.close()
    serving.room.close()


def test_what_a_side_does_not_see_changes_no_byte_that_its_link_is_told(serving: Serving) -> None:
    central, russian = player(serving, "1"), player(serving, "2")
    table = serving.room.table
    asked = (
        {"do": "look", "table": table},
        {"do": "hex", "table": table, "hex": "4119"},
        {"do": "stack", "table": table, "hex": "4119"},
        {"do": "counter", "table": table, "unit": "1/1"},
        {"do": "ask", "table": table, "question": "battle", "parameters": {"at": "41.19"}},
        {"do": "carry", "table": table, "units": ["25/3"], "hexes": ["4019", "4119"]},
        {"do": "danger", "table": table, "units": ["25/3"], "hex": "4020"},
        {"do": "share", "table": table},
    )

    def told() -> list[tuple[int, bytes, list[tuple[str, str]]]]:
        answers = [russian.ask(request) for request in asked]
        return [
            (answer.status_code, answer.content, [header for header in answer.headers.items() if header[0] != "date"])
            for answer in answers
        ]

    before = told()
    for line in ("1/1 -4", "35/17 -2", "4119 1/1 35/17 36/17 10-12-5-9", "zones"):
        assert not central.tap(line, sure=True)["refused"]
        assert told() == before, line


def test_changes_that_a_side_does_not_see_delay_no_heartbeat(serving: Serving) -> None:
    central = player(serving, "1")

    async def listen() -> list[bytes | None]:
        async def change() -> None:
            while True:
                serving.room.changed()
                await asyncio.sleep(0.02)

        async with contextlib.aclosing(serving.room.listen(serving.seats.by_path["2"], "session", 0.1)) as events:
            table = await asyncio.wait_for(anext(events), 5)
            await asyncio.to_thread(central.tap, "1/1 -4")
            changing = asyncio.create_task(change())
            heard = [table, *[await asyncio.wait_for(anext(events), 5) for _ in range(3)]]
            changing.cancel()
        return heard

    table, *beats = asyncio.run(listen())
    assert table is not None
    assert beats == [None, None, None]
