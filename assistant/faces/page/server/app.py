"""The routes: the page's files, the exchange of a token for a session, requests and events, each below the path of a
seat.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Annotated, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ....util.console import echo
from ....util.errors import InputError, word_machine_error
from ....util.files import files_below, package_folder, read_own
from ....util.notes import note
from ....util.texts import natural
from ..respond import LONGEST
from .guard import Guard, is_here
from .room import Crowded, TableRoom
from .seats import Seat, Seats

T = TypeVar("T")
HEARTBEAT = 15.0
"""Seconds of silence after which a stream of events sends a remark, so that both ends know that it is open."""
_ENTERING = 1000
"""The most bytes of a request to enter."""
_OF_PLAYER = 64_000
"""The most bytes of a request of a player, who sends no photos and no pack."""
_BODY_SECONDS = 10.0
"""How many seconds the body of a request may take."""
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
"""The media type of a file, by its ending."""
_JSON = _TYPES[".json"]


class Entering(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to enter."""

    token: Annotated[str, note("from the fragment of the link, empty where it had none")]


def _report_failures(app: ASGIApp) -> ASGIApp:
    """Return an application that says on the terminal, too, that memory has run out or a disk has failed."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except (MemoryError, OSError) as error:
            echo(f"! {word_machine_error(error)}", err=True)
            raise

    return answer


class Server:
    """What answers requests. room: the table; seats: who may enter; shell: the files of the page by their paths."""

    def __init__(self, room: TableRoom, seats: Seats, shell: Mapping[str, bytes], heartbeat: float = HEARTBEAT) -> None:
        self.room = room
        self.seats = seats
        self.shell = shell
        self.heartbeat = heartbeat
        entrance = package_folder(__package__).joinpath("entrance")
        self._entrance = {path: read_own(file) for path, file in files_below(entrance)}

    def app(self) -> ASGIApp:
        """Return the application."""
        routes = [
            Route("/{link}/enter", self._enter, methods=["POST"]),
            Route("/{link}/respond", self._respond, methods=["POST"]),
            Route("/{link}/events", self._events, methods=["GET"]),
            Route("/{link}/{path:path}", self._file, methods=["GET"]),
            Route("/{path:path}", self._nothing, methods=["GET", "POST"]),
        ]
        return Guard(_report_failures(Starlette(routes=routes)))

    def _seat(self, request: Request) -> Seat | None:
        """Return the seat by whose path a request comes, if it may come from there."""
        seat = self.seats.by_path.get(request.path_params["link"])
        here = request.client is not None and is_here(request.client.host)
        return seat if seat and (here or not seat.here) else None

    def _entered(self, request: Request) -> Seat | None:
        """Return the seat of a request that brings its session, None without one."""
        seat = self._seat(request)
        return seat if seat and self.seats.has_entered(seat, _session(request)) else None

    async def _enter(self, request: Request) -> Response:
        """Exchange a token for a session; who has one already needs none."""
        if (seat := self._seat(request)) is None:
            return _refuse(401)
        try:
            token = msgspec.json.decode(await _body(request, _ENTERING), type=Entering).token
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return _refuse(400)
        try:
            session = self.seats.enter(seat, token)
        except InputError as error:  # it cannot be kept, and the token lets in once it can
            echo(f"! no player can come in: {error}", err=True)
            return _refuse(503, "no player can come in just now")
        if session:
            response = Response(status_code=204)
            response.set_cookie(
                _cookie(request), session, max_age=30 * 86400, path=f"/{seat.path}/", httponly=True, samesite="strict"
            )
            return response
        return Response(status_code=204) if self._entered(request) else _refuse(401)

    async def _respond(self, request: Request) -> Response:
        """Answer a request of the page."""
        if (seat := self._entered(request)) is None:
            return _refuse(401)
        try:
            with self.room.admit(_session(request)):
                body = await _body(request, LONGEST if seat.here else _OF_PLAYER)
                return Response(await _while_asked(request, self.room.respond(seat, body)), media_type=_JSON)
        except (Crowded, ClientDisconnect):  # nobody may hear it
            return _refuse(503)

    async def _events(self, request: Request) -> Response:
        """Tell of the table, whenever it has changed."""
        if (seat := self._entered(request)) is None:
            return _refuse(401)
        events = self.room.listen(seat, _session(request), self.heartbeat)
        try:
            first = await _while_asked(request, anext(events))
        except (Crowded, ClientDisconnect):
            return _refuse(503)
        stream = _stream(first, events, lambda: bool(self._entered(request)))
        return StreamingResponse(stream, media_type="text/event-stream")

    async def _file(self, request: Request) -> Response:
        """Return a file of the page; without a session only the entrance."""
        path = request.path_params["path"] or "index.html"
        there = self.shell if self._entered(request) else self._entrance
        if (data := there.get(path)) is None:
            return _refuse(404)
        return Response(data, media_type=_TYPES.get(f".{path.rpartition('.')[2]}", "application/octet-stream"))

    async def _nothing(self, request: Request) -> Response:
        """Answer below any other path: the page says that a link is needed."""
        data = self._entrance.get(request.path_params["path"] or "index.html")
        if data is None or request.method != "GET":
            return _refuse(404)
        return Response(data, media_type=_TYPES[".html"])


async def _body(request: Request, most: int = LONGEST) -> bytes:
    """Return the body of a request; "" for one that is too long, whatever it says of its length, and for one that does
    not come in time: the request is then refused as an empty one. most: the most bytes that are read.
    """
    if (length := natural(request.headers.get("content-length", ""))) is None or length > most:
        return b""
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            async for part in request.stream():
                if len(body) + len(part) > most:
                    return b""
                body += part
    except (TimeoutError, ClientDisconnect):
        return b""
    return bytes(body)


async def _stream(
    table: bytes | None, events: AsyncGenerator[bytes | None], may_go_on: Callable[[], bool]
) -> AsyncIterator[bytes]:
    """Yield server-sent events: what is shown whenever it has changed, and a remark when nothing has, as long as it may
    go on. table: what is shown first.
    """
    async with aclosing(events):
        yield b"retry: 2000\n\n"
        while may_go_on():
            yield b": still here\n\n" if table is None else b"data: %b\n\n" % table
            table = await anext(events)


async def _while_asked(request: Request, answer: Awaitable[T]) -> T:
    """Return an answer, which is given up once the asker has gone; then it raises ClientDisconnect."""
    answering = asyncio.ensure_future(answer)
    going = asyncio.ensure_future(_wait_for_end(request))
    try:
        await asyncio.wait((answering, going), return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            raise ClientDisconnect
        return answering.result()
    finally:
        answering.cancel()
        going.cancel()


async def _wait_for_end(request: Request) -> None:
    """Wait until the asker has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _session(request: Request) -> str:
    """Return the session that a request brings, "" for none."""
    return request.cookies.get(_cookie(request), "")


def _cookie(request: Request) -> str:
    """Return the name of the cookie with a session: browsers send it to each port of a host, and each has a server of
    its own.
    """
    return f"table-{request.scope['server'][1]}"


def _refuse(status: int, text: str = "") -> Response:
    """Return a refusal. text: what it says in place of the usual words."""
    words = {400: "not understood", 401: "this needs a link", 404: "not here", 503: "too many at once"}
    return PlainTextResponse(f"{text or words[status]}\n", status)
