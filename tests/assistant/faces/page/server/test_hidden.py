"""Two tables that differ only in what is hidden from a side: its link is answered the same, byte for byte."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from assistant.faces.page import shell_files
from assistant.faces.page.server.app import Server
from assistant.faces.page.server.sockets import Serving
from assistant.formats.positions import Position
from assistant.records.journal.journal import write_head
from assistant.state.state import GameState, Unit
from assistant.state.tracks import Fact, Source
from assistant.util.errors import quoted
from tests.cases import thorough
from tests.secrets.worlds import BESIDE, DUG_IN, FACE_DOWN, GAME, OURS, RUMOURS, SECOND, TARGET, Seen, hidden, seen

from .served import HERE, loopback, serving_of

NAME = "front"


class Told:
    """What the link of a side is told."""

    def __init__(self, folder: Path, known: Seen, random: Random) -> None:
        self.known, self.random = known, random
        folder.mkdir()
        state = hidden(random, known, ".pos").state
        nations = {("nation", unit.id): Fact(nation_of(unit)) for unit in known.units}  # without, no battle has dice
        spent = {("lost", unit.id) for unit in state.units.values() if has_one_step(unit)}
        facts = {key: fact for key, fact in {**nations, **state.facts}.items() if key not in spent}
        state = msgspec.structs.replace(state, facts=facts, accepts=state.accepts | {Source.RECONSTRUCTION})
        seen_units = {unit.id for unit in known.units}
        self.below = [
            unit.id for unit in state.stack(TARGET) if unit.id not in seen_units and not is_dummy(unit, state)
        ]
        """The enemies in the hex next to the side's own that it does not see and that fight."""
        (folder / f"{NAME}.journal").write_text(write_head(GAME, Position(GAME, state), ""))
        self.serving: Serving = serving_of(folder, str(folder / f"{NAME}.journal"))
        self.seats = {seat.side: seat for seat in reversed(self.serving.seats.by_path.values())}
        app = Server(self.serving.room, self.serving.seats, shell_files()).app()
        self.client = TestClient(loopback(app), base_url=HERE)
        for seat in self.seats.values():
            token = self.serving.seats.issue(seat)
            assert self.client.post(f"/{seat.path}/enter", json={"token": token}).status_code == 204
        self.all: list[tuple[str, int, bytes, Any]] = []
        self.taps = Counter[str | None]()
        self.accepted: list[tuple[str, str | None]] = []
        """The lines that were not refused, each with who typed it, as in `ask`."""

    def ask(self, request: Any, side: str | None = None) -> Any:
        """The response to a request of the side, which is noted; or of another."""
        seat = self.seats[self.known.side if side is None else side]
        about = {} if request["do"] == "words" else {"table": NAME}
        answer = self.client.post(f"/{seat.path}/respond", json={**about, **request})
        if side is None:
            headers = {name: value for name, value in answer.headers.items() if name != "date"}
            self.all.append((str(request), answer.status_code, answer.content, headers))
        return answer.json()

    def tap(self, line: str, side: str | None = None, *, sure: bool = True) -> Any:
        self.taps[side] += 1
        shown = self.ask({"do": "enter", "line": line, "tap": f"{side}{self.taps[side]}", "sure": sure}, side)
        if shown["refused"] is None and not shown["held"]:
            self.accepted.append((line, side))
        return shown

    def event(self) -> None:
        """Note what an event brings."""

        async def first() -> bytes | None:
            async with contextlib.aclosing(
                self.serving.room.listen(self.seats[self.known.side], "session", 1.0)
            ) as events:
                return await anext(events)

        self.all.append(("event", 0, asyncio.run(first()) or b"", None))

    def close(self) -> None:
        self.serving.opened.close()
        self.serving.room.close()


def nation_of(unit: Unit) -> str:
    """The nation of a unit that is known."""
    return GAME.file.sides[str(GAME.side_of_unit(unit, {}))][0]


def is_dummy(unit: Unit, state: GameState) -> bool:
    """Whether a unit is a dummy, by what its owner states or by its counter."""
    stated = state.facts.get(("arm", unit.id))
    return (stated or GAME.roster[unit.type]["arm"][0]).value == "dummy"


def has_one_step(unit: Unit) -> bool:
    """Whether a unit has a single step, with which it would leave the map."""
    steps = GAME.roster[unit.type].get("steps") if unit.type in GAME.roster else None
    return bool(steps and steps[0].value == 1)


def requests(known: Seen) -> Iterator[Any]:
    """What a side may ask."""
    enemies = [*known.tops.values(), *known.free[:3]]
    own = [unit.id for unit in known.units if unit.place == OURS]
    yield {"do": "look"}
    covered = known.capped or known.crests or SECOND
    for place in (TARGET, SECOND, FACE_DOWN, DUG_IN, OURS, BESIDE, covered, "46.20", "99.99"):
        yield {"do": "hex", "hex": place}
        yield {"do": "around", "hex": place}
    for unit in [*own, *enemies, "no such unit"]:
        yield {"do": "counter", "unit": unit}
        yield {"do": "meaning", "word": unit}
        yield {"do": "ask", "question": "supply", "parameters": {"unit": unit}}
    for place in (TARGET, SECOND, FACE_DOWN, DUG_IN, covered):
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
    for question in (
        "due",
        "victory",
        "plans",
        "conceal",
        "intercepts",
        "markers",
        "zones",
        "arrive",
        "replace",
        "substitute",
        "garrison",
    ):
        yield {"do": "ask", "question": question, "parameters": {}}
        yield {"do": "draw", "question": question, "parameters": {}}
    for unit in (*RUMOURS[:3], known.free[0]):
        yield {"do": "counter", "unit": unit}
        yield {"do": "ask", "question": "conceal", "parameters": {"units": unit, "off": "yes"}}
        yield {"do": "ask", "question": "substitute", "parameters": {"unit": unit}}
    yield {"do": "ask", "question": "reach", "parameters": {"units": own[0]}}
    for place in (TARGET, SECOND, FACE_DOWN, DUG_IN, OURS, covered):
        yield {"do": "stack", "hex": place}
    for unit in (own[0], known.tops[TARGET], known.free[0]):
        yield {"do": "form", "unit": unit}
        yield {"do": "printed", "unit": unit, "values": {"steps": "9"}}
    yield {"do": "counters"}
    for chart in ("crt", "terrain-shift"):
        yield {"do": "chart", "chart": chart}
    yield {"do": "cells", "chart": "crt", "cells": {"summer,1:1,7": "+1 / -"}}
    yield {"do": "words", "game": GAME.id}
    for level, column, row in ((0, 5, 0), (0, 6, 1), (1, 5, 0), (9, 0, 0)):
        yield {"do": "tile", "level": level, "column": column, "row": row}
    yield {"do": "share"}
    yield {"do": "board"}
    yield {"do": "nothing"}
    yield {"do": "look", "table": "another"}


def lines(known: Seen) -> Iterator[str]:
    """What a side may type."""
    own = [unit.id for unit in known.units if unit.place == OURS]
    top, free = known.tops[TARGET], known.free
    bare = {place: place.replace(".", "") for place in (TARGET, OURS, BESIDE, SECOND, FACE_DOWN, DUG_IN)}
    covered = (known.capped or known.crests or DUG_IN).replace(".", "")
    yield "position"
    for line in (
        f"{covered} capped=no",
        "hidden-units=on-map",
        f"{covered} {free[3]}",
        f"{quoted(RUMOURS[0])} concealed=no",
        f"{covered} russian dummy - {quoted(RUMOURS[1])}",
    ):
        yield line
        yield "undo"
    yield f"{own[0]} -1"
    yield f"{top} -1"
    yield f"{free[0]} -1"
    yield f"{bare[FACE_DOWN]} {free[1]}"
    yield f"{bare[DUG_IN]} +{free[2]}"
    yield f"{bare[TARGET]} -{top}"
    yield "undo"
    yield f"{bare[TARGET]} clear {top} 12-16-7-11 < {bare[OURS]} open {own[0]} 10-9-5-10 {own[1]} ="
    yield from ("7", "3 4", "1")
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


def umpires_lines(told: Told) -> Iterator[str]:
    """What the umpire asks and throws: of an attack by the enemy, of whom more may stand there than the side sees."""
    known = told.known
    (first, second), top = [unit.id for unit in known.units if unit.place == OURS], known.tops[TARGET]
    at, beside = OURS.replace(".", ""), TARGET.replace(".", "")
    yield f"{top} 18-16-7-11"
    withheld = f" withhold={quoted(','.join(told.below))}" if told.below else ""
    yield f"{at} clear {first} 8-6-3-10 {second} = < {beside} open{withheld}"
    yield from ("7", "3 4", "1", "done")


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


def played(number: int, folder: Path) -> tuple[Told, Told]:
    """Both of a pair, with all that the side was told."""
    random = Random(f"served {number}")
    known = seen(random)
    pair = (
        Told(folder / f"{number}-0", known, Random(f"{number} 0")),
        Told(folder / f"{number}-1", known, Random(f"{number} 1")),
    )
    rest = [*requests(known)]
    try:
        for told in pair:
            for request in rest:
                told.ask(request)
            run(told, rest)
        for both in zip(*map(umpires_lines, pair), strict=True):
            one, other = (told.tap(line, "")["refused"] is None for told, line in zip(pair, both, strict=True))
            if one != other:
                break  # what he then throws, for all to see, tells what was hidden
            for told in pair:
                told.ask({"do": "look"})
    finally:
        for told in pair:
            told.close()
    return pair


def differences(pair: tuple[Told, Told]) -> list[tuple[str, bytes, bytes]]:
    """What a side is told otherwise in one of a pair than in the other."""
    one, other = (told.all for told in pair)
    return [(here[0], here[2], there[2]) for here, there in zip(one, other, strict=True) if here != there]


@pytest.mark.usefixtures("own_data")
def test_changes_that_a_side_does_not_see_delay_no_heartbeat(tmp_path: Path) -> None:
    serving = serving_of(tmp_path)

    async def listen() -> list[bytes | None]:
        async def change() -> None:
            while True:
                serving.room.changed()
                await asyncio.sleep(0.02)

        changing = asyncio.create_task(change())
        async with contextlib.aclosing(serving.room.listen(serving.seats.by_path["1"], "session", 0.1)) as events:
            heard = [await asyncio.wait_for(anext(events), 5) for _ in range(3)]
        changing.cancel()
        return heard

    try:
        table, *beats = asyncio.run(listen())
    finally:
        serving.opened.close()
        serving.room.close()
    assert table is not None
    assert beats == [None, None]


@thorough
@pytest.mark.usefixtures("own_data")
@pytest.mark.parametrize("number", [5, *range(5), *range(6, 12)])
def test_no_hidden_fact_changes_a_byte_of_what_a_link_is_told(number: int, tmp_path: Path) -> None:
    pair = played(number, tmp_path)
    assert differences(pair) == []
    for told in pair:
        battle = next(line for line in lines(told.known) if " clear " in line)
        assert {(battle, None), ("t=4", None), ([*umpires_lines(told)][1], "")} <= {*told.accepted}


@thorough
@pytest.mark.usefixtures("own_data")
def test_a_side_and_the_umpire_throw_dice_in_some_of_them(tmp_path: Path) -> None:
    for told in played(5, tmp_path):
        assert {(line, side) for line in ("7", "3 4", "1") for side in (None, "")} <= {*told.accepted}
