"""Connections within bounds: so many in all and from one address, and none that keeps the server waiting.

Beyond the bounds one that asks nothing, or whose request is not whole yet, gives way to the next one: whoever holds
many open keeps nobody out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

LOOPBACK = "127.0.0.1"
"""The address by which the laptop's own link leads to it."""
MOST = 256
"""The most connections that are open; the laptop itself may open more."""
MOST_OF_ONE = 64
"""The most connections from one address."""
REQUEST_SECONDS = 10.0
"""How many seconds a request may take to come."""
ANSWER_SECONDS = 20.0
"""How many seconds a client may take nothing of an answer."""
IDLE_SECONDS = 30
"""How many seconds a connection stays open between requests."""
_NUMBERS = count()
HEAD_BYTES = 16_384
"""The most bytes of the first line and the headers of a request."""


class BoundedConnection(H11Protocol):
    """A connection that ends when it is one too many and asks nothing, or too slow."""

    most = MOST
    most_of_one = MOST_OF_ONE
    request_seconds = REQUEST_SECONDS
    answer_seconds = ANSWER_SECONDS
    address = ""
    number = 0
    """Its place in the order in which connections were made."""
    _due: asyncio.TimerHandle | None = None
    _taken_by: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept a connection, unless there are too many that are being answered."""
        assert isinstance(transport, asyncio.Transport)
        address = (transport.get_extra_info("peername") or ("",))[0]
        others = [other for other in self.connections if isinstance(other, BoundedConnection)]
        crowd = [other for other in others if other.address == address]
        is_crowded = len(crowd) >= self.most_of_one
        if not is_crowded and len(self.connections) >= self.most and address != LOOPBACK:
            is_crowded = True
            crowd = [other for other in others if other.address != LOOPBACK]
        if is_crowded and not _end_one(crowd):
            self.transport = transport
            transport.abort()
            return
        super().connection_made(transport)
        self.address = address
        self.number = next(_NUMBERS)
        self._due = self._end_after(self.request_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers of a connection that has ended."""
        for timer in (self._due, self._taken_by):
            if timer:
                timer.cancel()
        self._due = self._taken_by = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what has come. A request that is not whole has to become so in time."""
        super().data_received(data)
        if self.transport.is_closing():
            return
        is_whole = self.conn.their_state in (h11.DONE, h11.MUST_CLOSE)
        if is_whole and self._due:
            self._due.cancel()
            self._due = None
        elif not is_whole and self._due is None:
            self._due = self._end_after(self.request_seconds)

    @property
    def use(self) -> int | None:
        """How much would be lost with it: 0 for half a head or nothing yet, 1 between requests, 2 while the body of a
        request comes, None while it is answered or the client has not taken all of an answer.
        """
        if self.transport.get_write_buffer_size():
            return None
        if self.conn.their_state is h11.SEND_BODY:
            return 2
        is_answered = self.cycle is None or self.cycle.response_complete
        if self.conn.their_state is not h11.IDLE or not is_answered:
            return None
        return 0 if self._due else 1

    def pause_writing(self) -> None:
        """Wait until what was sent is taken, but not for ever."""
        super().pause_writing()
        if self._taken_by:
            self._taken_by.cancel()
        self._taken_by = self._end_after(self.answer_seconds)

    def resume_writing(self) -> None:
        """Go on sending."""
        super().resume_writing()
        if self._taken_by:
            self._taken_by.cancel()
            self._taken_by = None
        self._await_taking()

    def on_response_complete(self) -> None:
        """Wait for the next request, and until the client has taken the answer."""
        super().on_response_complete()
        self._await_taking()

    def _await_taking(self) -> None:
        """End the connection if the client takes next to nothing of what is left of an answer."""
        left = self.transport.get_write_buffer_size()
        if left and self._taken_by is None:
            self._taken_by = self.loop.call_later(self.answer_seconds, self._check_taking, left)

    def _check_taking(self, left: int) -> None:
        """End the connection if more than half is left: a client that takes byte by byte holds no place for ever.

        `left`: how many bytes there were before.
        """
        self._taken_by = None
        if self.transport.get_write_buffer_size() > left // 2:
            self.transport.abort()
        else:
            self._await_taking()

    def _end_after(self, seconds: float) -> asyncio.TimerHandle:
        end: Callable[[], Any] = self.transport.abort
        return self.loop.call_later(seconds, end)


def _end_one(crowd: Iterable[BoundedConnection]) -> bool:
    """End the connection with which least is lost, the oldest of several, and return whether there was one."""
    ranked = [(use, other.number, other) for other in crowd if (use := other.use) is not None]
    if not ranked:
        return False
    _, _, least = min(ranked)
    least.transport.abort()
    least.connections.discard(least)
    return True
