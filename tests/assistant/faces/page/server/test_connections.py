"""Connections within bounds: which one ends for the next one."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn import Config
from uvicorn.server import ServerState

from assistant.faces.page.server.app import BoundedConnection

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


class Lone(BoundedConnection):
    """A connection of which there is one from an address."""

    most_of_one = 1
    answer_seconds = 0.0


class Line(asyncio.Transport):
    """A line to a client, which takes `taken` bytes whenever it is asked what is left."""

    def __init__(self) -> None:
        super().__init__({"peername": ("192.0.2.1", 1), "sockname": ("192.0.2.2", 2)})
        self.left = 0
        self.taken = 0
        self.is_ended = False

    def write(self, data: Any) -> None:
        self.left += len(data)

    def get_write_buffer_size(self) -> int:
        self.left = max(self.left - self.taken, 0)
        return self.left

    def is_closing(self) -> bool:
        return self.is_ended

    def abort(self) -> None:
        self.is_ended = True

    close = abort

    def pause_reading(self) -> None:
        """Do nothing: what a client sends comes by `data_received`."""

    resume_reading = pause_reading


async def answer(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"1000")]})
    await send({"type": "http.response.body", "body": b"x" * 1000})


class Host:
    """A server without sockets."""

    def __init__(self, kind: type[BoundedConnection]) -> None:
        self.kind = kind
        self.config = Config(answer, http=kind, lifespan="off", log_config=None)
        self.config.load()
        self.state = ServerState()

    def connect(self, line: Line) -> BoundedConnection:
        connection = self.kind(self.config, self.state, {})
        connection.connection_made(line)
        return connection

    async def ask(self, line: Line) -> BoundedConnection:
        """A connection whose request has been answered, as far as the server is concerned."""
        connection = self.connect(line)
        connection.data_received(REQUEST)
        await asyncio.gather(*self.state.tasks)
        return connection


def test_connection_whose_answer_is_not_taken_gives_way_to_nobody() -> None:
    class Patient(Lone):
        answer_seconds = 1000.0

    async def crowd() -> None:
        host = Host(Patient)
        slow, other = Line(), Line()
        connection = await host.ask(slow)
        host.connect(other)
        assert (slow.is_ended, other.is_ended) == (False, True)
        slow.left = 0
        third = Line()
        next_one = host.connect(third)
        assert (slow.is_ended, third.is_ended) == (True, False)
        for each in (connection, next_one):
            each.connection_lost(None)

    asyncio.run(crowd())


def test_client_that_takes_next_to_nothing_of_the_rest_of_an_answer_is_ended() -> None:
    async def wait(taken: int) -> tuple[bool, int]:
        line = Line()
        line.taken = taken
        connection = await Host(Lone).ask(line)
        for _ in range(50):  # turns of the loop, in each of which the time is over
            await asyncio.sleep(0)
        found = line.is_ended, line.left
        connection.connection_lost(None)
        return found

    for taken in (0, 1):
        is_ended, left = asyncio.run(wait(taken))
        assert is_ended and left > 900
    assert asyncio.run(wait(400)) == (False, 0)
