"""A table that is served, for tests: in the process, or by a server of its own on loopback."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from starlette.testclient import TestClient

from assistant.faces.page import shell_files
from assistant.faces.page.server.app import BoundedConnection, Server
from assistant.faces.page.server.seats import Seat
from assistant.faces.page.server.serving import Serving, prepare
from assistant.installed.registry import named_game

GAME = "twilight-in-the-east"
OPEN_GAME = "world-undone-east-prussia-1914"
HERE = "http://127.0.0.1:1914"


class Player:
    """Who has come by a link. client: what sends; link: by which; table: its name."""

    def __init__(self, client: httpx.Client, seat: Seat, table: str) -> None:
        self.client, self.seat, self.table, self.taps = client, seat, table, 0

    def url(self, path: str) -> str:
        return f"/{self.seat.path}/{path}"

    def enter_by(self, token: str) -> int:
        """The status of an exchange of a token."""
        return self.client.post(self.url("enter"), json={"token": token}).status_code

    def send(self, do: str, **request: Any) -> Any:
        """The response to a request."""
        return self.ask({"do": do, **request}).json()

    def ask(self, request: Any, **headers: str) -> httpx.Response:
        return self.client.post(self.url("respond"), json=request, headers=headers)

    def tap(self, line: str, **more: Any) -> Any:
        """The table after a line."""
        self.taps += 1
        return self.send("enter", table=self.table, line=line, tap=f"{id(self)}-{self.taps}", **more)

    def look(self) -> Any:
        return self.send("look", table=self.table)


def serving_of(folder: Path, state: str | None = None, game: str = GAME) -> Serving:
    """A table that is ready to be served on a free port."""
    return prepare(named_game(game), state, lan=False, port=0, sessions=folder / "sessions.json")


def player(serving: Serving, path: str, client: httpx.Client | None = None) -> Player:
    """Who has entered by a link, in this process unless a client is given."""
    seat = serving.seats.by_path[path]
    if client is None:
        app = Server(serving.room, serving.seats, shell_files()).app()
        client = TestClient(loopback(app), base_url=HERE)
    there = Player(client, seat, serving.room.table)
    assert there.enter_by(serving.seats.issue(seat)) == 204
    return there


def loopback(app: Any) -> Any:
    """An application as a connection on this machine meets it."""

    async def called(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, "client": ("127.0.0.1", 50_000), "server": ("127.0.0.1", 1914)}, receive, send)

    return called


@contextmanager
def running(serving: Serving, **bounds: Any) -> Iterator[str]:
    """A server on loopback; its address. bounds: other bounds of its connections."""
    serving.server.config.load()
    serving.server.config.http_protocol_class = type("Bounded", (BoundedConnection,), bounds)
    thread = threading.Thread(target=serving.run, daemon=True)
    thread.start()
    while not serving.server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{serving.opened.getsockname()[1]}"
    finally:
        serving.server.should_exit = True
        thread.join(10)
        assert not thread.is_alive()
