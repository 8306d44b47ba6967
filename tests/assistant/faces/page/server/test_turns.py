"""Turns of links at what only a few may use at once."""

from __future__ import annotations

import asyncio
import random

import pytest

from assistant.faces.page.server.workers import Turns
from tests.cases import few, seeds


async def _wait_for_turns(turns: Turns, links: list[str], come: list[tuple[str, int]]) -> list[asyncio.Task[None]]:
    async def wait(link: str, number: int) -> None:
        await turns.come(link)
        come.append((link, number))

    waiting = [asyncio.create_task(wait(link, number)) for number, link in enumerate(links)]
    await asyncio.sleep(0)
    return waiting


def test_a_link_waits_for_one_turn_of_each_other_however_many_wait_there() -> None:
    async def play() -> list[tuple[str, int]]:
        come: list[tuple[str, int]] = []
        turns = Turns(1)
        await turns.come("guest")
        waiting = await _wait_for_turns(turns, ["guest"] * 20 + ["umpire", "other"], come)
        for _ in waiting:
            turns.pass_on()
            await asyncio.sleep(0)
        return come

    order = asyncio.run(play())
    assert [link for link, _ in order[:4]] == ["guest", "umpire", "other", "guest"]
    assert [number for link, number in order if link == "guest"] == [*range(20)]


@few(4)
@pytest.mark.parametrize("seed", seeds(300))
def test_turns_come_in_fair_order_and_none_is_lost_whoever_gives_up(seed: int) -> None:
    """Against the plain account of it: at most so many at once, each link in its own order, and all are free in the end."""
    rolls = random.Random(seed)
    at_once = rolls.randint(1, 3)

    async def play() -> None:
        turns, come, using, left = Turns(at_once), list[tuple[str, int]](), 0, 0
        links = [rolls.choice("abc") for _ in range(30)]
        waiting = await _wait_for_turns(turns, links, come)
        while left < len(waiting):
            await asyncio.sleep(0)
            if rolls.random() < 0.4 and (undecided := [task for task in waiting if not task.done()]):
                given_up = rolls.choice(undecided)
                if rolls.random() < 0.5 and len(come) > using:  # just as a turn comes
                    using += 1
                    turns.pass_on()
                given_up.cancel()
                await asyncio.gather(given_up, return_exceptions=True)
            elif len(come) > using:
                assert len(come) - using <= at_once
                using += 1
                turns.pass_on()
            left = sum(task.cancelled() for task in waiting) + using
        for link in "abc":
            numbers = [number for at, number in come if at == link]
            assert numbers == sorted(numbers)
        await asyncio.wait_for(asyncio.gather(*(turns.come("z") for _ in range(at_once))), 1)

    asyncio.run(play())
