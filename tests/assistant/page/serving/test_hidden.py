"""Two tables that differ only in what is hidden from a side: its link is answered the same, byte for byte."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from assistant.formats.positions import Position
from assistant.journal.journal import head_of
from assistant.page import shell_files
from assistant.page.serving.app import Server
from assistant.page.serving.running import Serving
from tests.cases import few
from tests.secrets.worlds import BESIDE, DUG_IN, FACE_DOWN, GAME, OURS, SECOND, TARGET, Seen, hidden, seen

from .served import HERE, loopback, serving_of

NAME = "front"


class Told:
    """What the link of a side is told."""

    def __init__(self, folder: Path, known: Seen, random: Random) -> None:
        self.known, self.random = known, random
        folder.mkdir()
        world = hidden(random, known, ".pos")
        (folder / f"{NAME}.journal").write_text(head_of(GAME, Position(GAME, world.state), ""))
        self.serving: Serving = serving_of(folder, str(folder / f"{NAME}.journal"))
        self.links = {link.side: link for link in self.serving.links.links.values()}
        app = Server(self.serving.room, self.serving.links, shell_files()).app()
        self.client = TestClient(loopback(app), base_url=HERE)
        for link in self.links.values():
            token = self.serving.links.issue(link)
            assert self.client.post(f"/{link.path}/enter", json={"token": token}).status_code == 204
        self.all: list[tuple[str, int, bytes, Any]] = []
        self.taps = Counter[str | None]()

    def ask(self, request: Any, side: str | None = None) -> Any:
        """The response to a request of the side, which is noted; or of another."""
        link = self.links[self.known.side if side is None else side]
        answer = self.client.post(f"/{link.path}/respond", json={"table": NAME, **request})
        if side is None:
            headers = {name: value for name, value in answer.headers.items() if name != "date"}
            self.all.append((str(request), answer.status_code, answer.content, headers))
        return answer.json()

    def tap(self, line: str, side: str | None = None, *, sure: bool = True) -> Any:
        self.taps[side] += 1
        return self.ask({"do": "enter", "line": line, "tap": f"{side}{self.taps[side]}", "sure": sure}, side)

    def event(self) -> None:
        """Note the number that an event brings."""

        async def first() -> int | None:
            async with contextlib.aclosing(self.serving.room.listen(self.links[self.known.side], 1.0)) as events:
                return await anext(events)

        self.all.append(("event", 0, str(asyncio.run(first())).encode(), None))

    def close(self) -> None:
        self.serving.opened.close()
        self.serving.room.close()


def requests(known: Seen) -> Iterator[Any]:
    """What a side may ask."""
    enemies = [*known.tops.values(), *known.free[:3]]
    own = [unit.id for unit in known.units if unit.place == OURS]
    yield {"do": "look"}
    for place in (TARGET, SECOND, FACE_DOWN, DUG_IN, OURS, BESIDE, "46.20", "99.99"):
        yield {"do": "hex", "hex": place}
        yield {"do": "around", "hex": place}
    for unit in [*own, *enemies, "no such unit"]:
        yield {"do": "counter", "unit": unit}
        yield {"do": "meaning", "word": unit}
        yield {"do": "ask", "question": "supply", "parameters": {"unit": unit}}
    for place in (TARGET, SECOND, FACE_DOWN, DUG_IN):
        yield {
            "do": "ask",
            "question": "battle",
            "parameters": {"at": place, "attacker-ap": "all", "defender-ap": "none"},
        }
        yield {
            "do": "draw",
            "question": "battle",
            "parameters": {"at": place, "attacker-ap": "all", "defender-ap": "none"},
        }
        yield {"do": "ask", "question": "stack", "parameters": {"at": place}}
    yield {"do": "ask", "question": "attacks", "parameters": {"side": known.side}}
    yield {"do": "share"}
    yield {"do": "board"}
    yield {"do": "nothing"}
    yield {"do": "look", "table": "another"}


def lines(known: Seen) -> Iterator[str]:
    """What a side may type."""
    own = [unit.id for unit in known.units if unit.place == OURS]
    top, free = known.tops[TARGET], known.free
    bare = {place: place.replace(".", "") for place in (TARGET, OURS, BESIDE, SECOND, FACE_DOWN, DUG_IN)}
    yield "position"
    yield f"{own[0]} -1"
    yield f"{top} -1"
    yield f"{free[0]} -1"
    yield f"{bare[FACE_DOWN]} {free[1]}"
    yield f"{bare[DUG_IN]} +{free[2]}"
    yield f"{bare[TARGET]} -{top}"
    yield "undo"
    yield f"{bare[TARGET]} < {bare[OURS]} {' '.join(own)}"
    yield "7"
    yield "crt=7"
    yield "?1 none"
    yield f"{bare[OURS]} clera"
    yield "journal"
    yield "list"
    yield "done"
    yield f"{bare[FACE_DOWN]} < {bare[BESIDE]}"
    yield "t=4"
    yield "strike 3"
    yield "undo"
    yield "undo"


def run(told: Told, rest: list[Any]) -> None:
    """Ask all requests and enter all lines, with changes of what is hidden in between."""
    enemy = told.known.enemy
    for at, line in enumerate(lines(told.known)):
        told.tap(line, sure=at % 2 == 0)
        told.ask({"do": "look"})
        told.event()
        told.ask(rest[at % len(rest)])
        if told.random.random() < 0.5:  # in one of the two, or in both
            hidden_now = [unit for unit in told.known.free[3:] if told.random.random() < 0.5]
            told.tap(
                f"{told.random.choice([*told.known.tops.values(), *hidden_now])} -{told.random.randint(1, 4)}", enemy
            )
            told.tap(f"{told.random.choice([*told.known.free])} -{told.random.randint(1, 4)}", "")
        told.event()


def differences(number: int, folder: Path) -> list[tuple[str, bytes, bytes]]:
    """What a side is told otherwise in one of a pair than in the other."""
    random = Random(f"served {number}")
    known = seen(random)
    pair = [Told(folder / f"{number}-{which}", known, Random(f"{number} {which}")) for which in (0, 1)]
    rest = [*requests(known)]
    try:
        for told in pair:
            for request in rest:
                told.ask(request)
            run(told, rest)
        one, other = (told.all for told in pair)
        return [(here[0], here[2], there[2]) for here, there in zip(one, other, strict=True) if here != there]
    finally:
        for told in pair:
            told.close()


@few(1)
@pytest.mark.usefixtures("own_data")
@pytest.mark.parametrize("pairs", [range(first, first + 1) for first in range(12)], ids=str)
def test_no_hidden_fact_changes_a_byte_of_what_a_link_is_told(pairs: range, tmp_path: Path) -> None:
    assert [found for number in pairs for found in differences(number, tmp_path)] == []
