"""A history played at a table in a folder, and what must hold after each step."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from shutil import copytree, rmtree
from typing import Any

from assistant.faces.page.server.room import TableRoom
from assistant.faces.page.server.seats import Seat
from assistant.faces.prompt.books import JournalSession
from assistant.installed.registry import load_game
from assistant.records.journal.journal import Journal
from assistant.records.journal.journal_file import JournalFile
from assistant.util import chance as chance_of_program
from assistant.util import clock
from assistant.util.errors import InputError

from ..assistant.records.journal.test_second_reader import compare
from ..served.disk import FULL, LOST, Crash, Disk
from ..served.seats import LAPTOP, LINK, TABLE, Answer, Look, Looks, Seats, begin_table, find_differences
from .histories import PLAYS, History, Step, secret_of
from .loop import Inline, InlineWorkers, SeededLoop

MAX_ROUNDS = 20
"""The number of rounds in which tasks end at the end of a process."""
QUIET_SECONDS = 60
"""The virtual seconds after which all answers are there."""


class Fault(AssertionError):
    """What must not be."""


class Host(Seats):
    """A table in a folder, served by a room in virtual time. Every answer and all that pages hear is noted by its seat."""

    def __init__(self, folder: Path, sides: tuple[str, ...], seed: str) -> None:
        super().__init__(folder, sides)
        self.loop = SeededLoop(seed)
        self.room = TableRoom(TABLE, self.tables, thread=Inline(), workers=InlineWorkers(self.loop))  # type: ignore[arg-type]
        self.links = {
            seat: Seat(seat, seat if seat in sides else "", seat, here=seat == LAPTOP) for seat in self.tables
        }
        self.has_sides = bool(sides)
        self.heard: dict[str, bytes] = {}
        self.sent: list[tuple[str, bytes]] = []
        self._listeners = [self.loop.create_task(self._listen(seat)) for seat in self.tables]
        self.rest()

    async def _listen(self, seat: str) -> None:
        async for table in self.room.listen(self.links[seat], seat, 15):
            if table is not None:
                self.heard[seat] = table
                self.sent.append((seat, table))

    def rest(self) -> None:
        """Let all that is at work come to its end."""
        self.loop.run_until_complete(asyncio.sleep(QUIET_SECONDS))

    def respond(self, *requests: tuple[str, dict[str, Any]]) -> list[Answer]:
        """Return the answers to requests that seats send at once."""
        answers = self.loop.run_until_complete(self._respond_all(requests))
        self.sent += zip((seat for seat, _ in requests), answers, strict=True)
        shown = [json.loads(answer) for answer in answers]
        for (seat, request), answer in zip(requests, shown, strict=True):
            if (answer.get("refused") or answer).get("what") == "the program failed at this":
                raise Fault(f"the program fails at {request} of {seat}")
        return shown

    async def _respond_all(self, requests: tuple[tuple[str, dict[str, Any]], ...]) -> list[bytes]:
        asked = [(self.links[seat], json.dumps({"table": TABLE, **request}).encode()) for seat, request in requests]
        return await asyncio.gather(*(self.room.respond(link, data) for link, data in asked))

    def ask(self, seat: str, do: str, **request: Any) -> Answer:
        (answer,) = self.respond((seat, {"do": do, **request}))
        return answer

    def look(self, seat: str) -> Look:
        """Return what a seat shows, at a table of all without answers: there a question that changes nothing is no entry."""
        shown = super().look(seat)
        return shown if self.has_sides else shown | {"answer": None, "pending": None}

    def look_around(self) -> None:
        """Let the room see what other programs have written."""
        self.loop.run_until_complete(self.room.renew())
        self.rest()

    def close(self) -> None:
        """Drop all that is at work, as the end of the process does."""
        for _ in range(MAX_ROUNDS):  # a table that waits for an answer asks for it again
            tasks = asyncio.all_tasks(self.loop)
            for task in tasks:
                task.cancel()
            self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()


class Table:
    """A table on which a history is played. `seen`: counts what was done."""

    def __init__(self, history: History, folder: Path, seen: Counter[str]) -> None:
        self.play = PLAYS[history.play]
        self.seed = history.seed
        self.seen = seen
        self.folder = folder / "0"
        self._base = folder
        self._starts = 0
        self.acknowledged = set[str]()
        begin_table(self.folder, self.play.game, self.play.position)
        self.host = self._open(self.folder)

    @property
    def file(self) -> Path:
        return self.folder / f"page/{TABLE}.journal"

    def _open(self, folder: Path) -> Host:
        return Host(folder, self.play.sides, f"{self.seed} {self._starts}")

    def _move(self, folder: Path) -> None:
        """Serve the table anew with the files in another folder."""
        self.host.close()
        rmtree(self.folder)
        self.folder = folder
        self.host = self._open(folder)

    def _next_folder(self) -> Path:
        self._starts += 1
        return self._base / str(self._starts)

    def take(self, step: Step) -> None:
        """Take a step. Raises Fault if something is not as it must be."""
        self.seen["steps"] += 1
        self.seen[step.kind] += 1
        match step.kind:
            case "line" if step.way:
                self._fail(step)
            case "line":
                self._enter_once(step)
            case "restart":
                self._restart()
            case "back":
                self._go_there_and_back(step)
            case "between":
                self._undo_before_another(step)
            case "crowd":
                self._enter_at_once(step)
            case _:
                self._write_beside(self.folder, self.host, step)
        self._check()

    # --- steps --------------------------------------------------------------------------------------------------------

    def _enter(self, host: Host, seat: str, text: str, tap: str) -> bool:
        """Enter a line, and return whether it is acknowledged."""
        answer = host.ask(seat, "enter", line=text, tap=tap, sure=True)
        host.rest()
        return _is_acknowledged(answer)

    def _enter_once(self, step: Step) -> None:
        size = self.file.stat().st_size
        is_again = step.tap in self.acknowledged
        if self._enter(self.host, step.seat, step.text, step.tap):
            self.acknowledged.add(step.tap)
        if is_again and self.file.stat().st_size != size:
            raise Fault(f"the tap {step.tap} counts twice")

    def _restart(self) -> None:
        before = self.host.looks()
        self._move(copytree(self.folder, self._next_folder()))
        if found := find_differences(before, self.host.looks()):
            raise Fault(f"a new start changes {'; '.join(found)}")

    def _enter_at_once(self, step: Step) -> None:
        chance = Random(step.seed)
        seats = [step.seat, *chance.choices([*self.host.tables], k=2)]
        lines = [step.text, *chance.choices(self.play.others, k=2)]
        requests = [
            (seat, {"do": "enter", "line": line, "tap": f"{step.tap} {at}", "sure": True})
            for at, (seat, line) in enumerate(zip(seats, lines, strict=True))
        ]
        self.host.respond(*requests)
        self.host.rest()

    def _go_there_and_back(self, step: Step) -> None:
        """Enter a line and take it back, after which everything stands as before."""
        if step.text.startswith("undo"):
            return
        before, size = self.host.looks(), self.file.stat().st_size
        is_entered = self._enter(self.host, step.seat, step.text, step.tap)
        if not is_entered or self.file.stat().st_size == size or self._has_question_line(step.text):
            return
        answer = self.host.ask(step.seat, "enter", line="undo", tap=f"{step.tap} back", sure=True)
        self.host.rest()
        if not _is_acknowledged(answer) or not answer["said"] or "waiting" in str(answer["said"]):
            return
        self.seen["lines and their undos"] += 1
        if found := find_differences(_standing(before), _standing(self.host.looks())):
            raise Fault(f"the undo of {step.text} by {step.seat} leaves {'; '.join(found)}")

    def _has_question_line(self, text: str) -> bool:
        return text.split()[0] in ("turn", "next", "done", "drop", "t=3", "t=4") or "<" in text or text.isdigit()

    def _undo_before_another(self, step: Step) -> None:
        """Enter a line and another seat's line, and take the first back: no unit leaves the map that neither has moved there."""
        if not self.play.hexes or step.seat not in self.play.sides or step.text.startswith("undo"):
            self._enter_once(step)
            return
        chance = Random(step.seed)
        before, size = self._places(), self.file.stat().st_size
        if not self._enter(self.host, step.seat, step.text, step.tap) or self.file.stat().st_size == size:
            return
        other = next(side for side in self.play.sides if side != step.seat)
        line = f"{chance.choice(self.play.hexes)}: {self.play.nations[other]} {self.play.unit.format(f'y{step.seed}')}"
        if not self._enter(self.host, other, line, f"{step.tap} other"):
            return
        middle = self._places()
        if self._enter(self.host, step.seat, "undo", f"{step.tap} back"):
            self.seen["undos before another line"] += 1
            if lost := (before.keys() & middle.keys()) - self._places().keys():
                raise Fault(f"{', '.join(sorted(lost))} vanished by {step.text}, then {line}, then undo")

    def _write_beside(self, folder: Path, host: Host, step: Step) -> None:
        """Write into the journal by another program: the prompt, or the command that adds."""
        file = folder / f"page/{TABLE}.journal"
        is_late = step.text.startswith("late ")
        try:
            if step.kind == "prompt":
                JournalSession(JournalFile(file, load_game), 100, writes=()).enter(step.text)
            else:
                JournalFile(file, load_game).add(step.text.removeprefix("late "), late=is_late)
        except InputError:
            self.seen["refused beside the table"] += 1
        host.look_around()

    # --- failures -----------------------------------------------------------------------------------------------------

    def _fail(self, step: Step) -> None:
        """Enter a line on a disk that fails, send its tap again, and compare with a twin on a sound disk."""
        twin_folder = copytree(self.folder, self._base / "twin")
        twin = self._open(twin_folder)
        counted = Disk(twin_folder)
        with counted.hooked():
            self._enter(twin, step.seat, step.text, step.tap)
        expected = twin.looks()
        twin.close()
        rmtree(twin_folder)
        number = 1 + int(step.share * (len(counted.calls) + (step.way != FULL)))
        where = [*counted.calls, "the answer"][number - 1] if number <= len(counted.calls) + 1 else "no call"
        chance = Random(step.seed)
        disk = Disk(self.folder, number, chance.randint(1, 8) if step.way == FULL else 0)
        is_answered = False
        try:
            with disk.hooked():
                is_answered = self._enter(self.host, step.seat, step.text, step.tap)
        except Crash:
            pass
        self.seen[step.way] += 1
        said = f"{step.way} at {number} ({where}) of {step.seat}: {step.text}"
        if step.way != FULL:
            left = self._next_folder()
            disk.survive(left, chance if step.way == LOST else None)
            self._move(left)
            if is_answered and (found := find_differences(expected, self.host.looks())):
                raise Fault(f"{said}: answered, but lost: {'; '.join(found)}")
        if self._enter(self.host, step.seat, step.text, step.tap) or is_answered:
            self.acknowledged.add(step.tap)
        if found := find_differences(expected, self.host.looks()):
            raise Fault(f"{said}: {'; '.join(found)}")

    # --- what must hold -----------------------------------------------------------------------------------------------

    def read(self) -> Journal:
        """Return the journal, read afresh."""
        return JournalFile(self.file, load_game).read(compares=False)

    def _places(self) -> dict[str, str]:
        return {id: str(unit.place) for id, unit in self.read().position().state.units.items() if unit.place}

    def _check(self) -> None:
        places = self._places()
        looks = self.host.looks()
        for seat in (LAPTOP, LINK):
            shown = {unit["id"]: unit["place"] for unit in looks[seat]["units"] if unit.get("place")}
            if shown != places:
                raise Fault(f"{seat} does not show the journal: {sorted(set(shown.items()) ^ set(places.items()))[:4]}")
        for seat, look in looks.items():
            stands = {unit["id"]: unit["place"] for unit in look["units"] if unit.get("place")}
            heard = {unit["id"]: unit["place"] for unit in json.loads(self.host.heard[seat])["units"] if unit["place"]}
            if heard != stands:
                raise Fault(f"{seat} has not heard of {sorted(set(heard.items()) ^ set(stands.items()))[:4]}")
        self._find_leaks()

    def _find_leaks(self) -> None:
        """Raise Fault if what one side may know alone is in a byte for another, sent or in its file."""
        kept = [
            (side, file.read_bytes())
            for side in self.play.sides
            for file in (self.folder / "sides").rglob(f"{side}*")
            if file.is_file()
        ]
        for seat, data in (*self.host.sent, *kept):
            self.seen["bytes searched"] += len(data)
            for side in self.play.covers:
                if seat in self.play.sides and seat != side and (at := data.find(secret_of(side).encode())) >= 0:
                    raise Fault(f"{seat} learns what {side} hides: {data[max(0, at - 60) : at + 40]!r}")
        self.host.sent.clear()

    def end(self) -> None:
        """Serve the table anew, and let the second reader read its journal."""
        self._restart()
        journal = self.read()
        if journal.books.faults:  # a correction has made a later entry impossible: only the rules of a game say why
            return
        try:
            self.seen["entries read twice"] += compare(journal, self.file.read_bytes())
        except AssertionError as error:
            raise Fault(f"the second reader differs: {str(error)[:300]}") from None


def _is_acknowledged(answer: Answer) -> bool:
    return answer["is"] == "table" and not (answer["refused"] or answer["held"])


def _standing(looks: Looks) -> Looks:
    """Return what stands where, and the powers, of what seats show."""
    return {
        seat: {"units": [unit for unit in look["units"] if unit.get("place")], "powers": look["powers"]}
        for seat, look in looks.items()
    }


@contextmanager
def same_each_time(seed: str) -> Iterator[None]:
    """Let chance and clock of the program follow a seed during the block."""
    chance = Random(seed)
    draw, work_seconds = chance_of_program.draw_bytes, clock.work_seconds
    chance_of_program.draw_bytes = chance.randbytes
    clock.work_seconds = lambda: 0.0
    try:
        yield
    finally:
        chance_of_program.draw_bytes, clock.work_seconds = draw, work_seconds


def play(history: History, folder: Path, seen: Counter[str]) -> str:
    """Play a history, and return the fault at which it ends, or ""."""
    with same_each_time(history.seed):
        table = Table(history, folder, seen)
        before = seen["steps"]
        try:
            for step in history.steps:
                table.take(step)
            table.end()
        except Fault as fault:
            return f"{fault} (step {seen['steps'] - before})"
        finally:
            table.host.close()
    return ""
