"""What a served table answers, to whom, and what it refuses."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from assistant.faces.page import respond, shell_files
from assistant.faces.page.respond import MAX_REQUEST_BYTES
from assistant.faces.page.server import room, seats
from assistant.faces.page.server.app import HEADERS, Server
from assistant.faces.page.server.serving import Serving
from assistant.util.errors import InputError

from .served import HERE, OPEN_GAME, Player, player, serving_of

SAVE = Path(__file__).parents[5] / "plugins" / "twilight_in_the_east" / "examples" / "comprehensive-example.vsav"


@pytest.fixture
def serving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    serving = serving_of(tmp_path, game=OPEN_GAME)
    yield serving
    serving.opened.close()
    serving.room.close()


@pytest.fixture
def umpire(serving: Serving) -> Player:
    return player(serving, "0")


@pytest.fixture
def guest(serving: Serving) -> Player:
    return player(serving, "1")


@pytest.fixture
def stranger(guest: Player) -> httpx.Client:
    guest.client.cookies.clear()
    return guest.client


def test_all_links_look_at_one_table(umpire: Player, guest: Player) -> None:
    umpire.tap("turn=2")
    assert guest.look()["turn"] == "2"
    guest.tap("turn=3")
    assert umpire.look()["turn"] == "3"


def test_table_is_worked_out_only_when_it_has_become_another(
    umpire: Player, guest: Player, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    umpire.tap("turn=2")
    guest.look()
    shown = list[object]()

    def reply(tables: Any, asked: Any) -> bytes:
        shown.append(asked)
        return respond.reply(tables, asked)

    monkeypatch.setattr(room, "reply", reply)
    assert umpire.tap("no such line")["refused"]
    for watched in serving.follows:
        watched.work()
    assert guest.look()["turn"] == "2"
    assert not shown
    umpire.tap("turn=3")
    assert guest.look()["turn"] == "3"
    assert [type(asked).__name__ for asked in shown] == ["ShowTableRequest"]


def test_request_is_read_once(guest: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[bytes]()

    class Decoder:
        def decode(self, request: bytes) -> Any:
            read.append(request)
            return decoder.decode(request)

    decoder = respond._decoder
    for module in (respond, room):
        monkeypatch.setattr(module, "_decoder", Decoder(), raising=False)
    assert guest.tap("turn=2")["turn"] == "2"
    assert len(read) == 1


def test_token_that_was_used_is_refused(serving: Serving, stranger: httpx.Client) -> None:
    token = serving.seats.issue(serving.seats.by_path["1"])
    assert stranger.post("/1/enter", json={"token": token}).status_code == 204
    stranger.cookies.clear()
    assert stranger.post("/1/enter", json={"token": token}).status_code == 401
    assert stranger.get("/1/page.js").status_code == 404


def test_cookie_is_for_the_server_alone_and_its_link(serving: Serving, stranger: httpx.Client) -> None:
    entered = stranger.post("/1/enter", json={"token": serving.seats.issue(serving.seats.by_path["1"])})
    [cookie] = entered.headers.get_list("set-cookie")
    assert {"HttpOnly", "SameSite=strict", "Path=/1/"} <= set(cookie.split("; "))
    session = stranger.cookies["table-1914"]
    assert stranger.get("/0/page.js", headers={"cookie": f"table-1914={session}"}).status_code == 404
    assert stranger.get("/1/page.js", headers={"cookie": f"table-1914={session}"}).status_code == 200


def test_who_enters_at_another_port_stays_here(serving: Serving, guest: Player) -> None:
    app = Server(serving.room, serving.seats, shell_files()).app()

    async def beside(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, "client": ("127.0.0.1", 50_000), "server": ("127.0.0.1", 1915)}, receive, send)

    with TestClient(beside, base_url="http://127.0.0.1:1915", cookies=guest.client.cookies) as other:
        token = serving.seats.issue(guest.seat)
        assert other.post(guest.url("enter"), json={"token": token}).status_code == 204
        assert len({cookie.name for cookie in other.cookies.jar}) == 2


@pytest.mark.parametrize("path", ["/1/", "/0/", "/9/", "/", "/1/index.html"])
def test_without_a_token_there_is_only_a_page_that_says_so(stranger: httpx.Client, path: str) -> None:
    page = stranger.get(path)
    assert page.status_code == 200
    assert "opens by a link with a token" in page.text
    assert "prussia" not in page.text.casefold()


@pytest.mark.parametrize(("method", "path"), [("POST", "respond"), ("GET", "events"), ("GET", "page.js")])
def test_without_a_token_nothing_is_answered(stranger: httpx.Client, method: str, path: str) -> None:
    answers = [stranger.request(method, f"/{seat}/{path}", json={"do": "games"} if method == "POST" else None,
                                headers={"cookie": cookie}) for seat in "019" for cookie in ("", "table-1914=x")]  # fmt: skip
    assert {answer.text for answer in answers} <= {"this needs a link\n", "not here\n"}
    assert {answer.status_code for answer in answers} <= {401, 404}


def test_shell_is_served_to_who_has_entered(guest: Player) -> None:
    for name, data in shell_files().items():
        assert guest.client.get(guest.url(name)).content == data
    assert guest.client.get(guest.url("")).content == shell_files()["index.html"]
    assert guest.client.get(guest.url("page.js")).headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize(
    "path", ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "./page.js", "/etc/passwd", "page.js/", "\\..\\app.py", "page.js%00"]
)  # fmt: skip
def test_no_path_leads_out_of_the_shell(guest: Player, path: str) -> None:
    answer = guest.client.get(f"{HERE}/1/{path}")
    assert answer.status_code == 404 or answer.content == shell_files()["page.js"]


def test_every_answer_has_the_strict_headers(guest: Player) -> None:
    answers = [
        guest.client.get("/1/"),
        guest.client.get("/nowhere/x"),
        guest.ask({"do": "games"}),
        guest.client.put("/1/respond"),
        guest.client.get("/1/", headers={"host": "example.com"}),
    ]
    for answer in answers:
        assert {name: answer.headers.get(name) for name in HEADERS} == dict(HEADERS)
    assert "default-src 'none'" in HEADERS["Content-Security-Policy"]
    assert HEADERS["Cache-Control"] == "no-store"


FOLLOWED = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
"""What a browser says of a link in another page that somebody follows."""
OTHER_HOSTS = (
    "example.com",
    "example.com:1914",
    "127.0.0.1",
    "127.0.0.1:80",
    "localhost.evil:1914",
    "192.168.1.2:1914",
)
OTHER_ORIGINS = ("http://example.com", "null", "https://127.0.0.1:1914", "http://127.0.0.1:1915")
OTHER_TYPES = (
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/json, text/plain",
    "",
)


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        *((path, {"host": host}, 421) for path in ("respond", "") for host in OTHER_HOSTS),
        ("respond", {"host": "localhost:1914"}, 200),
        *(("respond", {"origin": origin}, 403) for origin in OTHER_ORIGINS),
        *(("respond", {"sec-fetch-site": site}, 403) for site in ("cross-site", "same-site")),
        ("respond", FOLLOWED, 403),
        *(("page.js", {**FOLLOWED, "sec-fetch-mode": "no-cors", "sec-fetch-dest": dest}, 403) for dest in ("iframe", "script", "image", "empty")),
        ("", FOLLOWED, 200),
        ("respond", {"origin": HERE, "sec-fetch-site": "same-origin"}, 200),
        *(("respond", {"content-type": kind}, 415) for kind in OTHER_TYPES),
    ],
)  # fmt: skip
def test_this_host_answers_its_own_page_alone(guest: Player, path: str, headers: dict[str, str], status: int) -> None:
    """A name that a resolver binds to this machine is not its own; a link to it may be followed from anywhere."""
    asks = path == "respond"
    answer = guest.ask({"do": "games"}, **headers) if asks else guest.client.get(guest.url(path), headers=headers)
    assert answer.status_code == status


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "HEAD", "TRACE", "GET"])
def test_other_methods_are_refused(guest: Player, method: str) -> None:
    assert guest.client.request(method, guest.url("respond")).status_code in (405, 404)


def test_request_that_says_it_is_too_long_is_not_read(guest: Player) -> None:
    def never() -> Iterator[bytes]:
        raise AssertionError("it was read")
        yield b""

    headers = {"content-type": "application/json", "content-length": str(MAX_REQUEST_BYTES + 1)}
    assert guest.client.post(guest.url("respond"), content=b"", headers=headers).status_code == 413
    headers["content-length"] = "1" + "0" * 30
    assert guest.client.post(guest.url("respond"), content=b"", headers=headers).status_code == 413
    del headers["content-length"]
    assert guest.client.post(guest.url("respond"), content=never(), headers=headers).status_code == 411


@pytest.mark.parametrize(("path", "length", "status"), [("/9/enter", 90, 401), ("/1/enter", MAX_REQUEST_BYTES, 400)])
def test_who_has_not_entered_sends_no_more_than_a_token(
    stranger: httpx.Client, path: str, length: int, status: int
) -> None:
    def never() -> Iterator[bytes]:
        raise AssertionError("it was read")
        yield b""

    headers = {"content-type": "application/json", "content-length": str(length)}
    assert stranger.post(path, content=never(), headers=headers).status_code == status


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'"games"', b'{"do": "nothing"}', b'{"do": "look"}', b"[" * 100_000, b'{"do": "ask", "table": "x", "question": "q", "parameters": ' + b'{"a":' * 50_000, b'{"do": "enter", "table": "x", "line": "\xff"}', b'{"do": "games", "more": 1}'],
    ids=range(11),
)  # fmt: skip
def test_what_is_not_a_request_is_refused(guest: Player, body: bytes) -> None:
    answer = guest.client.post(guest.url("respond"), content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["is"]) == (200, "refused")


@pytest.mark.parametrize(
    ("do", "request_"),
    [
        ("begin", {"table": "other", "game": OPEN_GAME}),
        ("delete", {"table": OPEN_GAME}),
        ("open-link", {"table": "other", "fragment": "x"}),
        ("look-into", {"name": "their.adoption", "data": ""}),
        ("begin-from", {"table": "other", "name": "game.vsav", "data": ""}),
        ("give-save", {"table": OPEN_GAME}),
        ("luck", {"table": OPEN_GAME}),
        ("about-prompt", {"game": OPEN_GAME}),
        ("picture-game", {"game": OPEN_GAME}),
        ("open-prompt", {"game": OPEN_GAME}),
        ("cells", {"table": OPEN_GAME, "chart": "crt", "cells": {}}),
        ("look", {"table": "other"}),
    ],
)
def test_player_touches_no_other_table_and_no_pack(guest: Player, do: str, request_: Any) -> None:
    answer = guest.send(do, **request_)
    assert answer["what"] in ("this is done at the laptop", "this link opens another table")


def test_laptop_opens_a_save_and_gives_it_back(umpire: Player) -> None:
    sent = {"name": SAVE.name, "data": b64encode(SAVE.read_bytes()).decode()}
    assert umpire.send("look-into", **sent)["title"] == "1914, Twilight in the East"
    assert umpire.send("begin-from", table="war", **sent)["begun"] == ".vsav"
    assert b64decode(umpire.send("give-save", table="war")["data"])[:2] == b"PK"


def test_luck_holds_up_no_players_of_a_served_table(umpire: Player) -> None:
    assert umpire.send("luck", table=OPEN_GAME)["what"] == "luck is left out while the table is served"


def test_player_is_told_of_his_table_alone(umpire: Player, guest: Player) -> None:
    umpire.send("begin", table="secret-plans", game=OPEN_GAME)
    assert guest.send("games") == {"is": "games", "games": [], "tables": [OPEN_GAME], "prompts": []}
    assert "secret-plans" in umpire.send("games")["tables"]


def test_table_that_is_served_is_not_deleted(umpire: Player, guest: Player) -> None:
    assert umpire.send("delete", table=umpire.table)["what"] == "this table is being served"
    assert guest.send("delete", table=guest.table)["is"] == "refused"
    assert guest.look()["is"] == "table"


def test_link_lets_in_once_its_session_can_be_kept(
    serving: Serving, stranger: httpx.Client, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Until then the terminal says why it does not."""
    token = {"token": serving.seats.issue(serving.seats.by_path["1"])}

    def refuse(*_: object, **__: object) -> None:
        raise InputError("the disk is full")

    with monkeypatch.context() as full:
        full.setattr(seats.disk, "write_whole", refuse)
        refused = stranger.post("/1/enter", json=token)
    assert (refused.status_code, refused.text) == (503, "no player can come in just now\n")
    assert capsys.readouterr().err == "! no player can come in: the disk is full\n"
    assert stranger.post("/1/enter", json=token).status_code == 204


def test_link_of_this_machine_works_on_it_alone(serving: Serving, umpire: Player) -> None:
    app = Server(serving.room, serving.seats, shell_files()).app()

    async def afar(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, "client": ("192.168.1.77", 50_000), "server": ("192.168.1.5", 1914)}, receive, send)

    client = TestClient(afar, base_url="http://192.168.1.5:1914")
    assert client.post("/0/enter", json={"token": serving.seats.issue(umpire.seat)}).status_code == 401
    cookie = f"table-1914={umpire.client.cookies['table-1914']}"
    assert client.post("/0/respond", json={"do": "games"}, headers={"cookie": cookie}).status_code == 401
    assert client.post("/1/enter", json={"token": serving.seats.issue(serving.seats.by_path["1"])}).status_code == 204


def test_a_want_of_memory_is_said_on_the_terminal_too(
    serving: Serving, guest: Player, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(serving.room, "respond", fail)
    with pytest.raises(MemoryError):
        guest.client.post(guest.url("respond"), json={"do": "games"})
    assert capsys.readouterr().err.startswith("! not enough memory\n")
