"""All tables for whoever sits at this machine: `field-staff` alone."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from assistant.faces.page.server import serving as serving_module
from assistant.faces.page.server.serving import Serving, open_free_socket, prepare_alone
from assistant.installed.registry import installed_games
from assistant.util.errors import InputError
from assistant.util.signals import INTERRUPTED_EXIT_CODE

from .....cases import thorough
from .served import GAME, OPEN_GAME, Player, running, serving_of
from .test_sockets import Listener


@pytest.fixture
def alone(own_data: None) -> Serving:
    return prepare_alone(0)


def entered(serving: Serving, address: str, stack: ExitStack, table: str) -> Player:
    """Who has come by the laptop's own link, with a table before him."""
    seat = serving.seats.by_path["0"]
    there = Player(stack.enter_context(httpx.Client(base_url=address, timeout=20)), seat, table)
    assert there.enter_by(serving.seats.issue(seat)) == 204
    return there


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_any_game_can_be_begun_and_every_table_is_there(alone: Serving, stack: ExitStack) -> None:
    with running(alone) as address:
        there = entered(alone, address, stack, "mine")
        listed = there.send("games")
        assert {game["id"] for game in listed["games"]} == {*installed_games()}
        assert listed["tables"] == []
        assert there.send("begin", table="mine", game=OPEN_GAME, position="")["is"] == "table"
        assert there.tap("turn=2")["turn"] == "2"
        there.send("begin", table="other", game=GAME, position="")
        assert there.send("games")["tables"] == ["other", "mine"]
        assert there.send("delete", table="other")["tables"] == ["mine"]
        stack.close()
    again = prepare_alone(0)
    with running(again) as address:
        there = entered(again, address, stack, "mine")
        assert there.look()["turn"] == "2"
        stack.close()


@thorough
def test_page_without_a_table_listens_and_hears_of_one_that_is_opened_later(alone: Serving, stack: ExitStack) -> None:
    with running(alone) as address:
        there = entered(alone, address, stack, "mine")
        listener = Listener(there)  # which begins at once
        there.send("begin", table="mine", game=OPEN_GAME, position="")
        there.tap("turn=2")
        assert listener.waits_for(2)[-1] == "2"
        stack.close()


@thorough
def test_laptop_that_shares_a_table_hears_of_its_other_ones_too(
    tmp_path: Path, own_data: None, stack: ExitStack
) -> None:
    serving = serving_of(tmp_path, game=OPEN_GAME)
    with running(serving) as address:
        there = entered(serving, address, stack, "mine")
        listener = Listener(there)
        listener.waits_for(1)
        there.send("begin", table="mine", game=OPEN_GAME, position="")
        there.tap("turn=3")
        listener.waits_for(3)
        assert [
            line.partition('"table":"')[2].partition('"')[0] for line in listener.heard if '"turn":"3"' in line
        ] == ["mine"]
        stack.close()


# --- the port ---


def test_port_that_is_taken_is_left_for_another(own_data: None) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        serving = prepare_alone(port)
    address, other = serving.opened.getsockname()
    assert address == "127.0.0.1"
    assert other != port
    serving.opened.close()
    serving.room.close()


def test_two_servers_never_share_a_port(own_data: None) -> None:
    first = prepare_alone(0)
    port = first.opened.getsockname()[1]
    with pytest.raises(InputError, match=f"port {port} cannot be opened"):
        open_free_socket([port])
    first.opened.close()
    first.room.close()


@pytest.mark.parametrize("windows", [True, False])
def test_no_other_program_shares_the_port(windows: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "SO_EXCLUSIVEADDRUSE", raising=False)
    if windows:
        monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    asked: list[tuple[int, int, int]] = []
    opened = SimpleNamespace(setsockopt=lambda *option: asked.append(option))
    serving_module._find_own_port(opened)  # type: ignore[arg-type]
    assert asked == [(socket.SOL_SOCKET, -5 if windows else socket.SO_REUSEADDR, 1)]


# --- how it ends ---


@thorough
def test_server_that_nobody_sees_ends_once_no_page_is_open(alone: Serving, stack: ExitStack) -> None:
    thread = threading.Thread(target=alone.run, args=(1.0,), daemon=True)
    thread.start()
    there = entered(alone, f"http://127.0.0.1:{alone.opened.getsockname()[1]}", stack, "mine")
    with there.client.stream("GET", there.url("events"), timeout=20) as events:
        thread.join(2.0)
        assert thread.is_alive(), "a page is open"
        assert next(events.iter_lines()) == "retry: 2000"
    thread.join(10)
    assert not thread.is_alive()


def started(data: Path, *words: str) -> subprocess.Popen[str]:
    """The command in a process of its own."""
    code = f"import sys; from assistant.faces.cli.main import open_page; sys.argv = ['field-staff', *{words!r}]; open_page()"
    return subprocess.Popen(
        [sys.executable, "-u", "-c", code],
        env={"FIELD_STAFF_DATA": str(data), "PATH": "", "DISPLAY": ":0"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@thorough
def test_interrupt_stops_it_with_one_line(tmp_path: Path) -> None:
    with started(tmp_path, "--port", "0") as server:
        assert server.stdout
        said = []
        for line in server.stdout:
            said.append(line.rstrip())
            if link := re.search(r"The table page: (http://127\.0\.0\.1:\d+/0/)#(\S+)$", line):
                break
        assert link
        with httpx.Client(base_url=link[1], timeout=20) as page:
            assert page.post("enter", json={"token": link[2]}).status_code == 204
            with page.stream("GET", "events") as events:
                assert next(events.iter_lines()) == "retry: 2000"
                server.send_signal(signal.SIGINT)
                said += [line.rstrip() for line in server.stdout]
    assert said[-2:] == ["", "Stopped. What was entered is saved."]
    assert "again: a fresh link    Ctrl+C: stop" in said
    assert not any("browser" in line for line in said), "nobody is at a terminal"
    assert server.returncode == INTERRUPTED_EXIT_CODE
