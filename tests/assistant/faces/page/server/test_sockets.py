"""A server on loopback: events, slow and many clients, large uploads, and what is said at the terminal."""

from __future__ import annotations

import asyncio
import errno
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest

from assistant.faces.page.server.serving import Serving, address_in_network, open_socket, report_failure
from assistant.util import disk
from assistant.util.errors import InputError
from tests.cases import few, thorough

from .served import OPEN_GAME, Player, player, running, serving_of


@pytest.fixture
def serving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Serving:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    return serving_of(tmp_path, game=OPEN_GAME)


def connected(address: str, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), 10, (source, 0))


def is_ended(client: socket.socket, seconds: float) -> bool:
    """Whether the server ends a connection within some time, whatever it says before."""
    client.settimeout(seconds)
    try:
        while client.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


class Listener:
    """Who hears the events of a link."""

    def __init__(self, there: Player) -> None:
        self.heard: list[str] = []
        self._response = there.client.stream("GET", there.url("events"), timeout=20)
        self.opened, self.ended = threading.Event(), threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()
        assert self.opened.wait(10)

    def _listen(self) -> None:
        with suppress(httpx.HTTPError), self._response as events:
            self.opened.set()
            for line in events.iter_lines():
                self.heard.append(line)
        self.ended.set()

    def turns(self) -> list[str]:
        """The turns of the tables heard."""
        return [json.loads(line.removeprefix("data: "))["turn"] for line in self.heard if line.startswith("data: ")]

    def waits_for(self, count: int) -> list[str]:
        """The turns of the tables heard, once there are as many as that."""
        until = time.monotonic() + 10
        while len(self.turns()) < count and time.monotonic() < until:
            time.sleep(0.02)
        return self.turns()


@pytest.fixture
def clients() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@thorough
def test_link_hears_what_the_other_enters(serving: Serving, clients: ExitStack) -> None:
    with running(serving) as address:
        one, other = (player(serving, path, clients.enter_context(httpx.Client(base_url=address))) for path in "01")
        listener = Listener(other)
        assert listener.waits_for(1) == ["1"]
        one.tap("turn=2")
        assert listener.waits_for(2) == ["1", "2"]
        other.tap("turn=3")
        assert listener.waits_for(3) == ["1", "2", "3"]
        assert one.look()["turn"] == "3"
        assert {line.partition(":")[0] for line in listener.heard} <= {"", "data", "retry"}
        clients.close()


def test_who_has_been_sent_away_hears_no_more(serving: Serving, clients: ExitStack) -> None:
    with running(serving) as address:
        there = player(serving, "1", clients.enter_context(httpx.Client(base_url=address)))
        listener = Listener(there)
        assert listener.waits_for(1) == ["1"]
        serving.seats.end_sessions()
        umpire = player(serving, "0", clients.enter_context(httpx.Client(base_url=address)))
        umpire.tap("turn=2")
        assert listener.ended.wait(10)
        assert listener.turns() == ["1"]
        clients.close()


@thorough
def test_change_by_another_program_is_heard(serving: Serving, clients: ExitStack) -> None:
    from assistant.faces.page.tables import Tables

    with running(serving) as address:
        there = player(serving, "1", clients.enter_context(httpx.Client(base_url=address)))
        listener = Listener(there)
        listener.waits_for(1)
        Tables().desk(OPEN_GAME).books.enter("turn=2")
        assert listener.waits_for(2)[1:] == ["2"]
        assert there.look()["turn"] == "2"
        clients.close()


def is_cut_off(serving: Serving, line: str, length: str, answer: bytes, part: bytes) -> bool:
    """Whether a body is answered before it is sent, and its sender cut off while it sends 64 parts. line: the first of its head, without
    the version; length: what the head says of the body."""
    with running(serving) as address, connected(address) as client:
        host = address.removeprefix("http://")
        head = f"{line} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{length}\r\n\r\n"
        client.sendall(head.encode())
        is_answered = answer in client.recv(100)
        with suppress(OSError):
            for _ in range(64):
                client.sendall(part)
        return is_answered and is_ended(client, 5)


CHUNK = b"100000\r\n" + b" " * 2**20 + b"\r\n"


@few(4)
@pytest.mark.parametrize(
    ("line", "length", "answer"),
    [
        ("POST /1/respond", f"Content-Length: {10**9}", b" 413 "),
        ("POST /1/respond", "Content-Length: 5\r\nTransfer-Encoding: chunked", b" 411 "),
        ("POST /1/enter", "Content-Length: 5\r\nTransfer-Encoding: chunked", b" 411 "),
        ("GET /1/", f"Content-Length: {10**9}", b" 413 "),
        ("GET /1/", "Transfer-Encoding: chunked", b" 413 "),
    ],
)
def test_body_that_is_too_long_or_in_chunks_is_refused_before_it_is_read(
    serving: Serving, line: str, length: str, answer: bytes
) -> None:
    assert is_cut_off(serving, line, length, answer, CHUNK)


@few(1)
@pytest.mark.parametrize("begun", [b"", b"GET /1/ HT", b"GET /1/ HTTP/1.1\r\nX: y\r\n", b"BODY"])
def test_client_that_does_not_go_on_is_ended(serving: Serving, begun: bytes) -> None:
    with running(serving, request_seconds=0.3) as address, connected(address) as client:
        host = address.removeprefix("http://")
        head = (
            f"POST /1/enter HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{{"
        )
        client.sendall(head.encode() if begun == b"BODY" else begun)
        assert is_ended(client, 5)


def test_client_that_sends_letter_by_letter_is_ended(serving: Serving) -> None:
    with running(serving, request_seconds=0.5) as address, connected(address) as client:
        ended = False
        for letter in b"GET /1/ HTTP/1.1\r\n" + b"X-Slow: " + b"y" * 60:
            try:
                client.sendall(bytes([letter]))
            except OSError:
                ended = True
                break
            time.sleep(0.03)
        assert ended or is_ended(client, 2)


@thorough
def test_client_that_does_not_read_is_ended(serving: Serving) -> None:
    with running(serving, answer_seconds=0.3) as address, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", int(address.rpartition(":")[2])))
        client.settimeout(0.2)
        requests = f"GET /1/entrance.js HTTP/1.1\r\nHost: {address.removeprefix('http://')}\r\n\r\n".encode() * 500
        until, ended = time.monotonic() + 20, False
        while not ended and time.monotonic() < until:
            try:
                client.sendall(requests)
            except TimeoutError:
                continue
            except OSError:
                ended = True
        assert ended


def test_long_head_is_refused(serving: Serving) -> None:
    with running(serving) as address, connected(address) as client:
        with suppress(OSError):
            client.sendall(b"GET /1/ HTTP/1.1\r\nX: " + b"y" * 100_000)
        assert is_ended(client, 5)


def test_connections_of_one_address_do_not_keep_others_out(serving: Serving) -> None:
    with running(serving, most_of_one=8) as address, ExitStack() as stack:
        held = [stack.enter_context(connected(address)) for _ in range(20)]
        time.sleep(0.2)
        assert sum(not is_ended(client, 0.02) for client in held) == 8
        host = address.removeprefix("http://")
        other = stack.enter_context(connected(address, "127.0.0.2"))
        other.sendall(f"GET /1/ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert b" 200 " in other.recv(100)


@thorough
def test_ten_thousand_connections_are_refused_beyond_the_bound(serving: Serving) -> None:
    with running(serving, most=100) as address, ExitStack() as stack:
        before = memory()
        open_now: list[socket.socket] = []
        for at in range(10_000):
            client = stack.enter_context(connected(address, f"127.0.0.{2 + at % 200}"))
            client.sendall(b"GET /1/ HTTP/1.1\r\nX: ")
            open_now.append(client)
            if len(open_now) >= 500:
                for _ in range(20):  # the server ends those that it has accepted a moment ago
                    open_now = [client for client in open_now if not is_ended(client, 0.001) or client.close()]
                    if len(open_now) <= 100 + 5:
                        break
                assert len(open_now) <= 100 + 5
        assert memory() - before < 60


def test_connections_of_others_do_not_keep_out_the_laptop(serving: Serving) -> None:
    with running(serving, most=6) as address, ExitStack() as stack:
        others = [stack.enter_context(connected(address, f"127.0.0.{2 + at}")) for at in range(8)]
        assert [is_ended(client, 0.1) for client in others] == [True] * 2 + [False] * 6
        assert httpx.get(f"{address}/0/").status_code == 200


HELD = {
    "half a head": b"GET /1/ HTTP/1.1\r\nX: ",
    "nothing": b"",
    "half a body": b"POST /1/enter HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
    "nothing more": b"GET /1/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
}


@few(2)
@pytest.mark.parametrize("sent", HELD.values(), ids=HELD)
def test_connections_that_are_held_open_keep_no_player_of_the_same_address_out(serving: Serving, sent: bytes) -> None:
    with running(serving, most_of_one=8) as address, ExitStack() as stack:
        host = address.removeprefix("http://").encode()
        held = [stack.enter_context(connected(address)) for _ in range(20)]
        for client in held:
            with suppress(OSError):
                client.sendall(sent.replace(b"HOST", host))
        there = stack.enter_context(httpx.Client(base_url=address))
        assert there.get("/1/").status_code == 200


def test_connections_that_are_held_open_from_many_addresses_keep_no_player_out(serving: Serving) -> None:
    with running(serving, most=8, most_of_one=4) as address, ExitStack() as stack:
        for at in range(12):
            stack.enter_context(connected(address, f"127.0.0.{2 + at}")).sendall(HELD["half a head"])
        other = stack.enter_context(connected(address, "127.0.0.99"))
        other.sendall(HELD["nothing more"].replace(b"HOST", address.removeprefix("http://").encode()))
        assert b" 200 " in other.recv(100)


def test_connection_by_which_a_player_hears_gives_way_to_nobody(serving: Serving, clients: ExitStack) -> None:
    with running(serving, most_of_one=2) as address, ExitStack() as stack:
        there = player(serving, "1", clients.enter_context(httpx.Client(base_url=address)))
        listener = Listener(there)
        assert listener.waits_for(1) == ["1"]
        for _ in range(6):
            stack.enter_context(connected(address)).sendall(HELD["half a head"])
        there.tap("turn=2")
        assert listener.waits_for(2) == ["1", "2"]
        clients.close()


def memory() -> float:
    """The memory of this process in MiB."""
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1]) / 1024


# --- the terminal ---


def test_links_are_shown_with_codes_and_again(serving: Serving, capsys: pytest.CaptureFixture[str]) -> None:
    serving.show_links()
    shown = capsys.readouterr().out
    port = serving.opened.getsockname()[1]
    assert f"0  this machine, everything: http://127.0.0.1:{port}/0/#" in shown
    assert f"1  German: http://127.0.0.1:{port}/1/#" in shown
    assert f"2  Russian: http://127.0.0.1:{port}/2/#" in shown
    serving.obey("again 1")
    again = capsys.readouterr().out
    assert "/1/#" in again
    assert "/0/#" not in again
    assert {line for line in again.splitlines() if "/1/#" in line}.isdisjoint(shown.splitlines())
    serving.obey("what?")
    assert "again: fresh links" in capsys.readouterr().out
    serving.opened.close()


def test_end_lets_nobody_stay(serving: Serving) -> None:
    there = player(serving, "1")
    assert there.send("games")["is"] == "games"
    serving.obey("end")
    assert there.ask({"do": "games"}).status_code == 401
    serving.opened.close()


def test_end_is_told_if_it_cannot_be_kept(
    serving: Serving, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = player(serving, "1")

    def refuse(*_: object, **__: object) -> None:
        raise InputError("the disk is full")

    monkeypatch.setattr(disk, "write_whole", refuse)
    serving.obey("end")
    said = capsys.readouterr()
    assert said.err == "! the disk is full\n" and "/1/#" in said.out
    assert there.ask({"do": "games"}).status_code == 401
    serving.opened.close()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "! not enough memory\n  close other programs, or ask for less at once\n"),
        (OSError(errno.EMFILE, "Too many open files"), "! Too many open files\n  check that disk\n"),
    ],
)
def test_failures_between_requests_are_told(error: Exception, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(report_failure)
    loop.call_exception_handler({"message": "accepting failed", "exception": error})
    loop.close()
    assert capsys.readouterr().err == said


def test_port_that_is_taken(serving: Serving) -> None:
    serving.opened.listen()
    with pytest.raises(InputError, match="cannot be opened"):
        open_socket(serving.opened.getsockname()[1], lan=False)
    serving.opened.close()


def test_only_this_machine_unless_for_the_network(serving: Serving) -> None:
    assert serving.opened.getsockname()[0] == "127.0.0.1"
    serving.opened.close()
    with open_socket(0, lan=True) as opened:
        assert opened.getsockname()[0] == "0.0.0.0"


def test_address_in_the_network_is_one_by_which_this_machine_is_reached() -> None:
    with open_socket(0, lan=True) as opened:
        opened.listen()
        socket.create_connection((address_in_network(), opened.getsockname()[1]), 10).close()
