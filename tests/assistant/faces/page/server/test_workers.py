"""Questions are answered beside the table, by other processes: as at the table, and so that nobody keeps it waiting."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

import assistant
from assistant.asking.recent_answers import RecentAnswers
from assistant.faces.page.desk import PageDesk, StandingTable, TableAnswer
from assistant.faces.page.messages import requests
from assistant.faces.page.messages.requests import Reading
from assistant.faces.page.respond import answer_reading, reply_safely
from assistant.faces.page.server import room, workers
from assistant.faces.page.server.serving import Serving
from assistant.faces.page.server.workers import WorkerReader, hand_over
from assistant.faces.page.tiles import Pictures
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.installed.registry import named_game
from assistant.service import pose_question
from assistant.util.background import AtHand, Work
from module_builder.new import new_game
from tests.cases import examples, few, thorough

from .served import Player, player, running, serving_of

PLUGINS = Path(__file__).parents[5] / "plugins"
LOG = PLUGINS / "twilight_in_the_east/examples/comprehensive-example.vlog"
EXAMPLES = [file for ending in ("journal", "pos") for file in sorted(PLUGINS.glob(f"*/examples/*.{ending}"))]


def readings(table: StandingTable) -> Iterator[Reading]:
    """Requests of every kind about a table and the question that is open there."""
    position = table.position
    unit = next(iter(position.state.units.values()), None)
    at = next((unit.place for unit in position.state.units.values() if unit.place), "")
    yield from (requests.DrawRequest(table="t", what="picture"), requests.DrawRequest(table="t", what="chart"))
    if position.asks and all(isinstance(value, str) for value in position.asks[0].parameters.values()):
        asked = position.asks[0]
        yield requests.AskRequest(
            table="t", question=asked.question, parameters=dict(asked.parameters), answers=dict(position.answers)
        )
    yield from (requests.BoardRequest(table="t"), requests.TileRequest(table="t", level=0, column=0, row=0))
    yield from (
        requests.HexRequest(table="t", hex=at),
        requests.AroundRequest(table="t", hex=at),
        requests.StackRequest(table="t", hex=at),
    )
    yield requests.MeaningRequest(table="t", word="supply")
    yield requests.SearchRequest(table="t", typed="how far can it march")
    yield from (
        requests.CounterListRequest(table="t"),
        requests.ChartCellsRequest(table="t", chart="crt"),
        requests.ShareRequest(table="t"),
    )
    if unit:
        yield requests.CounterRequest(table="t", unit=unit.id)
        yield requests.CounterFormRequest(table="t", unit=unit.id)
        yield requests.ReachRequest(table="t", units=(unit.id,))
        yield requests.CarryRequest(table="t", units=(unit.id,), hexes=(at,))
        yield requests.DangerRequest(table="t", units=(unit.id,), hex=at)


@pytest.mark.hypothesis  # which runs it whole in `make thorough`
@few(2)
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_a_table_that_is_handed_over_is_answered_as_it_is_here(file: Path) -> None:
    whole, reader = assistant.read(file), WorkerReader()
    every = whole.asks or (None,)
    for asked in every[:: max(1, len(every) // examples(len(every)))]:
        position = pose_question(whole, asked, {}) if asked else whole
        answer = TableAnswer(position, assistant.ask(position)) if asked else None
        table = StandingTable(position, answer, Pictures(), RecentAnswers())
        handed = hand_over(table)
        for request in readings(table):
            here = reply_safely(request, lambda table=table, request=request: answer_reading(table, request))  # type: ignore[misc]
            assert reader((handed, request)) == here, request
            assert b"the program failed" not in here


def test_a_worker_keeps_the_two_games_that_it_has_used_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "c"):
        new_game(tmp_path / name)
    loaded: list[str] = []

    def load(name: str) -> Game:
        loaded.append(Path(name).name)
        return named_game(name)

    monkeypatch.setattr(workers, "named_game", load)
    reader = WorkerReader()
    for name in "abacab":
        game = named_game(str(tmp_path / name))
        handed = hand_over(StandingTable(Position(game, build_state(game)), None, Pictures(), RecentAnswers()))
        reader((handed, requests.MeaningRequest(table="t", word="terrain")))
    assert "".join(loaded) == "abcb"


ENDLESS = """
import os, time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated
import msgspec
from assistant.installed.hookspecs import hookimpl
from assistant.asking import Report, Verdict, View, declare, note
from assistant.asking.asks import Ask
from assistant.util.errors import InputError

class Own(msgspec.Struct, frozen=True):
    # only this game declares it

    many: Annotated[int, note("how many")]

def never(view: View, *, number: Annotated[int, note("which")] = 0) -> Report[int]:
    Path(__file__).with_name(f"at-work-{os.getpid()}").touch()
    while True:
        time.sleep(0.1)

def greedy(view: View) -> Report[int]:
    return Report(title="much", verdict=Verdict("yes", "much"), result=len(bytearray(2**31)))

@hookimpl
def register_questions(game, register):
    if game.id == "heath":
        register(declare("never", "when it ends", never))
        register(declare("greedy", "how much there is", greedy))
        register(declare("own", "what the game declares", own))
        register(declare("gate", "what comes once it is open", gate, {"die": "a die"}))

def own(view: View) -> Report[Own]:
    return Report(title="own", verdict=Verdict("yes", "yes"), result=Own(7))

def gate(view: View, answers: Mapping[str, str]) -> Report[int]:
    folder, hills = Path(__file__).parent, sum(name == "terrain" for name, _ in view.state.facts)
    with (folder / "asked").open("a") as asked:
        asked.write(f"{hills} ")
    while not (folder / "open").exists():
        time.sleep(0.02)
    if hills > 8:
        raise InputError("no answer with so many hills")
    die = Ask(kind="roll", name="die", rule="1", title="a die", how="a die", dice="1d6")
    return Report(title="hills", verdict=Verdict("yes", str(hills)), result=hills, asks=() if answers else (die,))
"""


@pytest.fixture
def heath(tmp_path: Path) -> Path:
    """A game with a question that never ends."""
    new_game(tmp_path / "heath")
    (tmp_path / "heath" / "__init__.py").write_text(ENDLESS, "utf-8")
    return tmp_path / "heath"


@pytest.fixture
def serving(heath: Path, tmp_path: Path, own_data: None) -> Iterator[Serving]:
    serving = serving_of(tmp_path, game=str(heath))
    yield serving
    serving.room.close()


def at_work(heath: Path) -> set[int]:
    """The processes that have begun the question, and are there."""
    begun = {int(file.name.removeprefix("at-work-")) for file in heath.glob("at-work-*")}
    for process in [*begun]:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            begun.discard(process)
    return begun


def wait_until(holds: Any) -> None:
    until = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


class Guest(threading.Thread):
    """A guest who asks what never ends, every other one by a typed line, and gives up when it is said."""

    def __init__(self, address: str, there: Player, number: int) -> None:
        super().__init__(daemon=True)
        self.client = httpx.Client(base_url=address, cookies=there.client.cookies, timeout=60)
        self.there, self.number = there, number
        self.start()

    def run(self) -> None:
        which, types = str(self.number), self.number % 2
        line = {"do": "enter", "line": f"never number={which}", "tap": f"never-{which}"}
        asked = {"do": "ask", "question": "never", "parameters": {"number": which}}
        with suppress(httpx.HTTPError):
            self.client.post(self.there.url("respond"), json={"table": self.there.table, **(line if types else asked)})

    def give_up(self) -> None:
        for connection in self.client._transport._pool.connections:  # type: ignore[attr-defined]
            connection._connection._network_stream.get_extra_info("socket").shutdown(2)
        self.join(10)


@thorough
def test_twenty_guests_who_ask_what_never_ends_keep_no_tap_waiting_and_what_they_asked_ends_with_them(
    serving: Serving, heath: Path
) -> None:
    with running(serving) as address:
        umpire, guest = (player(serving, path, httpx.Client(base_url=address, timeout=60)) for path in "01")
        guests = [Guest(address, guest, number) for number in range(20)]
        wait_until(lambda: len(at_work(heath)) == 2)
        for turn in "23":
            assert umpire.tap(f"turn={turn}")["turn"] == turn
            assert umpire.look()["turn"] == turn
        first = at_work(heath)
        assert len(first) == 2
        for there in guests[::-1]:
            there.give_up()
        wait_until(lambda: not at_work(heath))
        assert umpire.send("ask", table=umpire.table, question="check")["is"] == "answer"


@thorough
def test_the_umpire_waits_for_one_answer_of_the_guests_and_no_more(
    serving: Serving, heath: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each ends when it takes too long."""
    monkeypatch.setattr(workers, "MAX_ANSWER_SECONDS", 2.0)
    with running(serving) as address:
        umpire, guest = (player(serving, path, httpx.Client(base_url=address, timeout=60)) for path in "01")
        guests = [Guest(address, guest, number) for number in range(5)]
        wait_until(lambda: len(at_work(heath)) == 2)
        assert umpire.send("ask", table=umpire.table, question="check")["is"] == "answer"
        assert sum(there.is_alive() for there in guests) >= 2
        for there in guests:
            there.join(30)


@pytest.fixture
def players(serving: Serving) -> Iterator[tuple[Player, Player]]:
    """The laptop, and a guest."""
    with running(serving) as address:
        umpire, guest = (player(serving, path, httpx.Client(base_url=address, timeout=60)) for path in "01")
        yield umpire, guest


def hills(there: Player) -> str | None:
    """The answer that is shown to the question how many hills there are."""
    shown = there.look()
    return shown["answer"] and shown["answer"]["answers"][0]


@thorough
def test_an_open_question_is_answered_once_for_all_and_later_for_a_table_that_changes(
    players: tuple[Player, Player], serving: Serving, heath: Path
) -> None:
    umpire, guest = players
    gate, asked = heath / "open", heath / "asked"
    gate.touch()
    umpire.tap("0101 hill")
    assert umpire.tap("gate")["answer"]["answers"] == ["1"]
    assert hills(guest) == hills(umpire) == "1"
    assert asked.read_text().split() == ["1"]
    gate.unlink()
    serving.room.patience = 0.0
    for line in ("0102 hill", "0103 hill"):  # what changes the table is entered at once
        shown = umpire.tap(line)
        assert (shown["refused"], shown["answer"], shown["pending"]) == (None, None, None)
        assert hills(guest) is hills(umpire) is None
    assert umpire.tap("4")["refused"]["what"].startswith("no dice are asked for now")
    wait_until(lambda: asked.read_text().split()[-1] == "3")
    gate.touch()
    for there in (umpire, guest):
        wait_until(lambda there=there: hills(there))
        assert hills(there) == "3"
        assert there.look()["pending"]["name"] == "die"
    assert asked.read_text().split() in (["1", "2", "3"], ["1", "3"])


@few(1)
@pytest.mark.parametrize("why", ["it has none", "it takes too long"])
def test_an_open_question_whose_answer_does_not_come_is_closed(
    players: tuple[Player, Player], serving: Serving, heath: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    umpire, guest = players
    gate, none = heath / "open", why == "it has none"
    gate.touch()
    for number in range(1, 9):
        umpire.tap(f"010{number} hill")
    assert umpire.tap("gate")["answer"]
    if not none:
        gate.unlink()
        monkeypatch.setattr(workers, "MAX_ANSWER_SECONDS", 0.5)
    assert umpire.tap("0109 hill" if none else "turn=2")["answer"] is None
    desks = [serving.room.tables[there.seat.path].desk(there.table) for there in (umpire, guest)]
    wait_until(lambda: not any(desk.awaited for desk in desks))
    wait_until(lambda: not desks[0].books.journal.asking.question.question)
    gate.touch()
    assert umpire.tap("turn=3")["answer"] is guest.look()["answer"] is None
    assert none or umpire.tap("gate")["answer"]["answers"] == ["8"]


@thorough
def test_what_a_line_asks_and_waits_for_in_vain_changes_nothing(players: tuple[Player, Player], heath: Path) -> None:
    umpire, _ = players
    (heath / "open").touch()
    before = umpire.tap("gate")
    assert umpire.tap("own x=1")["refused"]
    assert umpire.tap("gate die=5 no")["refused"]
    after = umpire.look()
    assert (after["entry"], after["answer"], after["pending"]) == (before["entry"], before["answer"], before["pending"])
    assert umpire.tap("answer own")["refused"]["what"].startswith("the answer changes nothing")


def test_a_table_is_handed_over_with_an_open_answer_of_what_its_game_declares(serving: Serving) -> None:
    umpire, guest = player(serving, "0"), player(serving, "1")
    assert umpire.tap("own")["answer"]["title"] == "own"
    for there in (umpire, guest):
        assert there.send("ask", table=there.table, question="own")["title"] == "own"
        assert there.send("draw", table=there.table)["what"] == "own has no picture"


@thorough
def test_an_answer_that_takes_too_long_or_too_much_memory_is_refused(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "MAX_ANSWER_SECONDS", 4.0)
    guest = player(serving, "1")
    assert guest.send("ask", table=guest.table, question="never")["what"] == "no answer within 4 seconds"
    if sys.platform == "linux":  # which alone limits it
        assert guest.send("ask", table=guest.table, question="greedy")["what"] == "not enough memory"
    assert guest.send("ask", table=guest.table, question="check")["is"] == "answer"


def test_a_guest_has_no_more_requests_waiting_than_its_share_and_takes_none_from_the_others_of_its_link(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "_MAX_REQUESTS_WAITING", 1)
    guest, other = player(serving, "1"), player(serving, "1")
    [session] = guest.client.cookies.values()
    with serving.room.admit(session):
        assert guest.ask({"do": "look", "table": guest.table}).status_code == 503
        assert other.look()["is"] == "table"
    assert guest.look()["is"] == "table"


def test_a_guest_has_no_more_pages_listening_than_its_share_and_streams_that_wait_take_turns(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "_MAX_LISTENERS", 2)
    there, seat = serving.room, serving.seats.by_path["1"]

    async def listen() -> None:
        await there._turns.come("0")
        streams = [there.listen(seat, session, 60.0) for session in ("one", "one", "one", "two")]
        firsts = [asyncio.ensure_future(anext(stream)) for stream in streams]
        await asyncio.sleep(0.05)
        assert [first.done() for first in firsts] == [False, False, True, False]
        assert isinstance(firsts[2].exception(), room.Crowded)
        firsts[0].cancel()
        await asyncio.sleep(0)
        there._turns.pass_on()
        assert all(await asyncio.gather(firsts[1], firsts[3]))
        for stream in streams:
            await stream.aclose()
        assert not there._listening and not there._listeners[seat.path]

    asyncio.run(listen())


@few(2)
@pytest.mark.parametrize(
    "fault", [OSError(errno.EMFILE, "Too many open files"), KeyError("a game"), TypeError("no pickle")]
)
@pytest.mark.parametrize("where", ["process", "value"])
def test_whatever_fails_beside_the_table_is_answered(
    players: tuple[Player, Player], serving: Serving, monkeypatch: pytest.MonkeyPatch, fault: Exception, where: str
) -> None:
    umpire, guest = players

    def fail(*_: object) -> None:
        raise fault

    assert umpire.tap("own")["answer"]["title"] == "own"
    with monkeypatch.context() as failing:
        if where == "process":
            failing.setattr(serving.room.workers._crew, "work_on", fail)
        else:
            failing.setattr(workers, "write_value", fail)
        assert umpire.tap("never number=1")["is"] == "refused"
        assert umpire.tap("0101 hill")["is"] == "table"  # with its question open, whose answer fails
        assert guest.send("ask", table=guest.table, question="check")["is"] == "refused"
        wait_until(lambda: guest.look()["answer"] is None and not serving.room._open_answers)
    assert umpire.tap("own")["answer"]["title"] == "own"


def test_a_table_that_cannot_catch_up_ends_neither_a_line_nor_what_others_hear(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    umpire, guest = player(serving, "0"), player(serving, "1")
    assert umpire.look()["is"] == guest.look()["is"] == "table"

    def fail(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(PageDesk, "catch_up", fail)
    assert umpire.tap("0101 hill")["refused"] is None
    assert guest.tap("0102 hill")["entry"] == umpire.look()["entry"]


def test_a_line_is_entered_though_the_table_cannot_be_shown_afterwards(
    players: tuple[Player, Player], serving: Serving, heath: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    umpire, _ = players
    (heath / "open").touch()
    umpire.tap("gate")
    (heath / "open").unlink()
    serving.room.patience = 0.0
    in_turn = serving.room._do_in_turn

    async def fail_to_show(link: str, work: Any, *arguments: Any, changes: bool = False) -> Any:
        if getattr(work, "__name__", "") == "show":
            raise OSError(errno.EIO, "the disk has failed")
        return await in_turn(link, work, *arguments, changes=changes)

    with monkeypatch.context() as failing:
        failing.setattr(serving.room, "_do_in_turn", fail_to_show)
        entered = umpire.tap("0101 hill")
    assert (entered["is"], entered["refused"], entered["entry"]) == ("table", None, umpire.look()["entry"])
    (heath / "open").touch()


def test_a_page_too_many_hears_that_it_is_one_before_any_event(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = player(serving, "1")
    monkeypatch.setattr(room, "_MAX_LISTENERS", 0)
    assert guest.client.get(guest.url("events")).status_code == 503


def test_a_player_sends_no_long_request(serving: Serving) -> None:
    umpire, guest = player(serving, "0"), player(serving, "1")
    long = {"do": "enter", "table": guest.table, "line": "x" * 100_000}
    assert guest.ask(long).json()["what"].startswith("this is not a request of the page")
    assert umpire.ask(long).json()["is"] == "table"


def test_a_line_whose_answer_others_have_displaced_is_entered_all_the_same(serving: Serving) -> None:
    serving.room._answers = AtHand(1)
    umpire = player(serving, "0")
    work_out = serving.room.workers.work_out

    async def displaced(link: str, work: Work) -> object:
        made = await work_out(link, work)
        serving.room._answers.put(Work(len, ("other",)), 5)
        return made

    serving.room.workers.work_out = displaced  # type: ignore[method-assign]
    assert umpire.tap("own")["answer"]["title"] == "own"


@pytest.fixture
def begun(tmp_path: Path, own_data: None) -> Iterator[tuple[Player, Player, Serving]]:
    """The laptop, which has opened a log beside the table that it serves, and a guest."""
    serving = serving_of(tmp_path)
    with running(serving) as address:
        umpire, guest = (player(serving, path, httpx.Client(base_url=address, timeout=60)) for path in "01")
        data = b64encode(LOG.read_bytes()).decode()
        assert umpire.send("begin-from", table="war", name=LOG.name, data=data)["begun"] == ".vlog"
        yield umpire, guest, serving
    serving.room.close()


def hold(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Work], threading.Event]:
    """Hold back what is worked out elsewhere until the event is set; the work so far, and the event."""
    begun, goes_on, work_out = list[Work](), threading.Event(), serving.room.workers.work_out

    async def held(link: str, work: Work) -> Any:
        begun.append(work)
        while not goes_on.is_set():
            await asyncio.sleep(0.02)
        return await work_out(link, work)

    monkeypatch.setattr(serving.room.workers, "work_out", held)
    return begun, goes_on


@thorough
def test_others_go_on_while_a_log_is_explained_once_in_another_process(
    begun: tuple[Player, Player, Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    umpire, guest, serving = begun
    held, goes_on = hold(serving, monkeypatch)
    counted: list[Any] = []
    asking = threading.Thread(target=lambda: counted.append(umpire.send("passages", table="war", log=True)))
    asking.start()
    wait_until(lambda: held)
    assert guest.tap("4119 clear")["refused"] is None  # while the log is being explained
    assert not counted
    goes_on.set()
    asking.join(60)
    assert counted == [{"is": "passages", "count": 2}]
    first, none = (umpire.send("passage", table="war", passage=number, log=True) for number in (1, 3))
    assert first["battle"]["at"] == "41.19"
    assert none["what"] == "there is no passage 3"
    assert len(held) == 1


@thorough
def test_log_that_takes_too_long_is_refused_with_what_to_do(
    begun: tuple[Player, Player, Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    umpire, guest, _ = begun
    monkeypatch.setattr(workers, "MAX_ANSWER_SECONDS", 0.05)
    for do, more in (("passages", {}), ("passage", {"passage": 1})):
        refused = umpire.send(do, table="war", log=True, **more)
        assert (refused["what"], refused["hint"]) == (
            "no answer within 0.05 seconds",
            "`assistant explain FILE` explains a log of any length",
        )
    assert guest.send("passages", table=guest.table, log=True)["what"] == "this table did not begin with a log"
