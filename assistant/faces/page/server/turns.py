"""Whose turn it is: requests of many links, a few at a time, so that none of them waits for all of another's."""

from __future__ import annotations

import asyncio
from collections import deque


class Turns:
    """Turns at something that so many may use at once. Those who wait come link by link: one of each, then the next of
    each.
    """

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # the first has the next turn

    async def come(self, link: str) -> None:
        """Wait for a turn, which `pass_on` ends."""
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(link, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._leave(link, turn)
            else:  # it has come just now
                self.pass_on()
            raise

    def pass_on(self) -> None:
        """End a turn, and give it to who is next."""
        while self._waiting:
            link = next(iter(self._waiting))
            queue = self._waiting.pop(link)
            turn = queue.popleft()
            if queue:
                self._waiting[link] = queue  # behind the others
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _leave(self, link: str, turn: asyncio.Future[None]) -> None:
        """Wait no longer."""
        if turn in (queue := self._waiting.get(link, deque())):
            queue.remove(turn)
            if not queue:
                del self._waiting[link]
