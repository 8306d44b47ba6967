"""Random taps, undos, lost answers, reloads and restarts at one table with several phones: each phone shows a view of the one journal, also
where questions are answered beside the table and late."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from assistant.faces.page.beliefs import read_belief
from assistant.faces.page.disclosure import without_silence
from assistant.faces.page.respond import respond
from assistant.faces.page.server.room import TableRoom
from assistant.faces.page.server.seats import Seat
from assistant.faces.page.sides import SideDesk, SideTables, WholeTables
from assistant.faces.page.tables import OpenTables, Tables
from assistant.faces.prompt.table import evaluate_table
from assistant.game.viewpoint import reduce_state
from assistant.installed.registry import load_game
from assistant.records.journal.entries import TurnBegins
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal
from assistant.records.journal.lines import compute_tap_mark
from assistant.state.state import GameState
from assistant.util.background import Work
from tests.comparing.search import Search

GAME = "twilight-in-the-east"
SIDES = ("russian", "central-powers")
OWN = {"russian": ("25/3", "27/3", "29/20", "28/20"), "central-powers": ("1/1", "2/1", "35/17", "36/17")}
RATINGS = {"russian": "10--5-10", "central-powers": "12-16-7-11"}
HEXES = {"russian": ("4020", "4019", "3920"), "central-powers": ("4119", "4219", "4220")}
PHONES = st.sampled_from(["", *SIDES])
"""The laptop, and the sides: several phones of one side have one table."""
STEPS = 50
"""How many steps a table takes."""
TABLES = 10
"""The number of tables of a case."""


def lines_of(own: str) -> st.SearchStrategy[str]:
    """A line that a side types."""
    (enemy,) = (side for side in SIDES if side != own)
    unit, place, other = (st.sampled_from(some) for some in (OWN[own], HEXES[own], HEXES[enemy]))
    dotted = other.map(lambda hex: f"{hex[:2]}.{hex[2:]}")
    die, loss = st.integers(1, 6), st.integers(1, 4)
    return st.one_of(
        st.builds("{} {} {}".format, place, unit, st.just(RATINGS[own])),
        st.builds("{} +{} {}".format, place, unit, st.just(RATINGS[own])),
        st.builds("{} +{}".format, place, unit),
        st.builds("{} -{}".format, unit, loss),
        st.builds("{} {}".format, other, st.sampled_from(["clear", "rough", "announced"])),
        st.builds("{} -{}".format, st.sampled_from(OWN[enemy]), loss),
        st.builds("phasing={}".format, st.sampled_from(SIDES)),
        st.builds("turn={}".format, st.integers(1, 4)),
        st.builds("weather={}".format, st.sampled_from(["freeze", "normal"])),
        st.builds("need at={}".format, dotted),
        st.sampled_from(["supply", "zones", "supply unit=9/9"]),
        st.builds("move units={} way={}".format, unit, dotted),
        st.builds("{}c < {}o {}".format, other, place, unit),
        st.builds("crt={}".format, st.integers(2, 12)),
        st.builds("{} {}".format, die, die),
        st.sampled_from(["7", "1", "2", "done", "trust charts", "undo together"]),
    )


class Phones(RuleBasedStateMachine):
    """A table with the laptop's link and one of each side."""

    @initialize()
    def begin(self) -> None:
        """Begin a table."""
        self.temporary = TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        Tables(self.folder).begin("front", GAME)
        self.taps, self.last = 0, ("", {"line": "trust charts", "tap": "first"})
        self.start()

    def teardown(self) -> None:
        """Remove the table."""
        if hasattr(self, "temporary"):
            self.temporary.cleanup()

    def start(self) -> None:
        """Serve the table, be it again."""
        self.whole = WholeTables(Tables(self.folder), "front", SIDES, self.folder / "sides")
        self.seats: dict[str, OpenTables] = {"": self.whole, **{side: SideTables(self.whole, side) for side in SIDES}}

    def send(self, side: str, do: str, **request: Any) -> Any:
        """The response to a request of a phone."""
        return json.loads(respond(self.seats[side], json.dumps({"do": do, "table": "front", **request}).encode()))

    def enter(self, side: str, line: str) -> Any:
        """Enter a line."""
        self.taps += 1
        self.last = side, {"line": line, "tap": f"tap {self.taps}", "sure": True}
        return self.send(side, "enter", **self.last[1])

    def journal(self) -> Journal:
        """The journal of the table, read anew from its file."""
        file = self.folder / "front.journal"
        return Journal.read(parse_journal(file.read_bytes(), file.name), file.name, load_game)

    # --- what happens ---

    @rule(data=st.data(), side=PHONES)
    def types(self, data: st.DataObject, side: str) -> None:
        """Somebody types a line."""
        self.enter(side, data.draw(lines_of(side or data.draw(st.sampled_from(SIDES)))))

    @rule(side=PHONES)
    def undoes(self, side: str) -> None:
        """Somebody undoes: a side takes back entries of its own alone; what others have entered in a turn that it has begun, out of its
        sight, is stated again in the turn before.
        """
        earlier = self.journal()
        before = {entry.number for entry in earlier.counting.entries if entry.tap}
        answer = self.enter(side, "undo")
        journal = self.journal()
        gone = before - {entry.number for entry in journal.counting.entries if entry.tap}
        own = {compute_tap_mark(f"{side} {compute_tap_mark(f'tap {tap}')}") for tap in range(self.taps + 1)}
        if side:
            assert not (answer["refused"] and gone)
            struck = [entry for entry in journal.entries if entry.number in gone]
            begun = {entry.turn for entry in struck if entry.tap in own and isinstance(entry.what, TurnBegins)}
            others = [entry for entry in struck if entry.tap not in own]
            assert {entry.turn for entry in others} <= begun
            assert on_map(journal.position().state) == on_map(earlier.position().state) or not others

    @rule()
    def loses_an_answer(self) -> None:
        """The answer to a tap is lost, and it is sent again: it counts once."""
        before = self.journal().last
        if self.last[1]["tap"] != "first":
            self.send(self.last[0], "enter", **self.last[1])
            assert self.journal().last == before

    @rule()
    def is_served_anew(self) -> None:
        """The table is served anew: each phone shows what it did."""
        before = {side: self.send(side, "look") for side in self.seats}
        self.start()
        for side, was in before.items():
            now, then = shown(self.send(side, "look")), shown(was)
            differ = [f"{name}: {then[name]} / {now[name]}" for name in then if then[name] != now[name]]
            assert not differ, f"{side or 'laptop'} sees another table once it is served anew: {differ}"

    @invariant()
    def views_are_those_of_the_journal(self) -> None:
        """Each side's table is what it may know of the journal, with what it believes of the rest."""
        if not hasattr(self, "whole"):
            return
        state, game = self.journal().position().state, load_game(GAME)
        assert self.send("", "look")["is"] == "table"
        assert on_map(self.whole.shared.whole.position.state) == on_map(state)
        for side in SIDES:
            sight = without_silence(game, reduce_state(game, state, side))
            assert self.send(side, "look")["is"] == "table"
            desk = self.whole.shared.desks[side]
            there, private = desk.position.state, believed(desk)
            places, seen = (
                {id: place for id, place in on_map(some).items() if id not in private} for some in (there, sight)
            )
            assert places == seen, f"{side} sees other units"
            for key, fact in sight.facts.items():
                if not {key[0], key[1]} & private:
                    assert key in there.facts and there.facts[key].value == fact.value, f"{side}: {key}"


class Served(Phones):
    """The same table in a room, where questions are answered beside it, sometimes after others have tapped."""

    late = 0
    """How late an answer comes."""

    def start(self) -> None:
        """Serve the table, be it again."""
        super().start()
        if hasattr(self, "loop"):
            self.stop()
        paths = {"": "0", **{side: str(number) for number, side in enumerate(SIDES, 1)}}
        self.links = {side: Seat(path, side, side, here=not side) for side, path in paths.items()}
        tables = {paths[side]: tables for side, tables in self.seats.items()}
        self.room = TableRoom("front", tables, thread=Here(), workers=Late(self))  # type: ignore[arg-type]
        self.room.patience = 0
        self.loop = asyncio.new_event_loop()

    def send(self, side: str, do: str, **request: Any) -> Any:
        """The response to a request of a phone; a look waits until all answers are there."""
        asked = json.dumps({"do": do, "table": "front", **request}).encode()
        response = self.loop.run_until_complete(self.room.respond(self.links[side], asked))
        while do == "look" and (working := [task for _, task in self.room._open_answers.values()]):
            self.loop.run_until_complete(asyncio.wait(working))
            response = self.loop.run_until_complete(self.room.respond(self.links[side], asked))
        return json.loads(response)

    def teardown(self) -> None:
        """Remove the table, and what is still at work for it."""
        super().teardown()
        if hasattr(self, "loop"):
            self.stop()

    def stop(self) -> None:
        """End what is still at work."""
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()

    @rule(late=st.integers(0, 300))
    def answers_come_later(self, late: int) -> None:
        """From now on answers come earlier or later."""
        self.late = late

    @invariant()
    def answers_are_those_of_the_table(self) -> None:
        """No table shows an answer that another one had, and once all answers are there, each has its own."""
        if not hasattr(self, "room"):
            return
        for all_there in (False, True):
            for desk in (self.whole.shared.whole, *self.whole.shared.desks.values()):
                session = desk.books.session
                assert session
                if all_there or session.shown:
                    assert session.shown == evaluate_table(session.of_this_game(session.table))
            self.send("", "look")


class Here(Executor):
    """What does everything at once."""

    def submit(self, fn: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Do something."""
        done = Future[Any]()
        try:
            done.set_result(fn(*arguments, **named))
        except Exception as error:
            done.set_exception(error)
        return done


class Late:
    """What answers beside a table, as late as a machine says."""

    def __init__(self, served: Served) -> None:
        self.served = served

    async def work_out(self, _: str, work: Work) -> object:
        """What comes of work."""
        for _ in range(self.served.late):
            await asyncio.sleep(0)
        return work.do()


def on_map(state: GameState) -> dict[str, str]:
    """Where each unit stands."""
    return {unit.id: unit.place for unit in state.units.values() if unit.place}


def believed(desk: SideDesk) -> set[str]:
    """What a side states of its own beside what it sees: units, hexes, and facts of the game."""
    subjects = set[str]()
    for line in desk._own.lines:
        if line.private and (belief := read_belief(line.private, load_game)):
            before, after = belief.before, belief.after
            subjects |= {
                key[1] or key[0]
                for key in {*before.facts, *after.facts}
                if before.facts.get(key) != after.facts.get(key)
            }
            subjects |= {id for id in {*before.units, *after.units} if before.units.get(id) != after.units.get(id)}
    return subjects


def shown(look: Any) -> Any:
    """What a link shows, but for how often it has changed, in which words the laptop names its last line, and the order of facts."""
    left_out = ("entry", "said", "wished", "agrees", *(() if look["viewpoint"] else ("undo",)))
    return {name: ordered(value) for name, value in look.items() if name not in left_out}


def ordered(value: Any) -> Any:
    """A value with its lists in the order of what they hold, without the marks of looks, which go by the order of facts."""
    if isinstance(value, dict):
        return {name: ordered(part) for name, part in value.items() if name != "look"}
    return sorted(map(ordered, value), key=json.dumps) if isinstance(value, list) else value


class Played(NamedTuple):
    """A table of one kind, on which steps are taken by a seed."""

    kind: type[Phones]
    seed: int


def find_faults(table: Played, seen: Counter[str]) -> tuple[str, ...]:
    """Take the steps of some tables of a kind. Raises AssertionError if a phone shows something else than the journal."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    how = settings(max_examples=TABLES, stateful_step_count=STEPS, deadline=None, suppress_health_check=checks)
    run_state_machine_as_test(seeded(table.seed)(type("Seeded", (table.kind,), {})), settings=how)
    seen["steps"] += TABLES * STEPS
    return ()


SEARCH = Search(
    "phones",
    lambda number, seed: Played((Phones, Served)[number % 2], seed + number // 2),
    find_faults,
    40,
    chunk=1,
)
