"""The HTTP application: bounded connections, requests refused unread, and the routes of each seat."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from ipaddress import ip_address
from itertools import count
from typing import Annotated, Any, TypeVar

import h11
import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from ....util.console import echo
from ....util.errors import InputError, word_machine_error
from ....util.files import files_below, package_folder, read_own
from ....util.notes import note
from ....util.texts import natural
from ..respond import MAX_REQUEST_BYTES
from .room import Crowded, TableRoom
from .seats import Seat, Seats

T = TypeVar("T")
HEARTBEAT_SECONDS = 15.0
"""The silence after which a stream of events sends a comment, to show that it is open."""
_MAX_JOIN_BYTES = 1000
"""The maximum number of bytes in a request to take a seat at the table."""
_MAX_PLAYER_BYTES = 64_000
"""The maximum number of bytes in a request of a player, who sends no photos and no pack."""
_MAX_BODY_SECONDS = 10.0
"""The maximum time for the body of a request to arrive."""
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ttf": "font/ttf",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
"""The media types of files, by suffix."""
_JSON = _TYPES[".json"]
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""The headers of every response, including refusals."""
LOOPBACK = "127.0.0.1"
"""The address of the laptop in the laptop's own link."""
_MAX_CONNECTIONS = 256
"""The maximum number of open connections, without those of the laptop itself."""
_MAX_PER_ADDRESS = 64
"""The maximum number of open connections from one address."""
_MAX_REQUEST_SECONDS = 10.0
"""The maximum time for a request to arrive."""
_MAX_STALL_SECONDS = 20.0
"""The time after which a connection ends if its client receives no part of an answer."""
MAX_IDLE_SECONDS = 30
"""The maximum time for which a connection stays open between requests."""
MAX_HEAD_BYTES = 16_384
"""The maximum number of bytes of the first line and the headers of a request."""
_CONNECTION_NUMBERS = count()


class Server:
    """The routes below the path of each seat: files of the page, entry with a token, requests, and events.

    `shell`: the files of the page, by path.
    """

    def __init__(
        self, room: TableRoom, seats: Seats, shell: Mapping[str, bytes], heartbeat: float = HEARTBEAT_SECONDS
    ) -> None:
        self.room = room
        self.seats = seats
        self.shell = shell
        self.heartbeat = heartbeat
        entrance = package_folder(__package__).joinpath("entrance")
        self._entrance = {path: read_own(file) for path, file in files_below(entrance)}

    def app(self) -> ASGIApp:
        routes = [
            Route("/{link}/enter", self._enter, methods=["POST"]),
            Route("/{link}/respond", self._respond, methods=["POST"]),
            Route("/{link}/events", self._events, methods=["GET"]),
            Route("/{link}/{path:path}", self._file, methods=["GET"]),
            Route("/{path:path}", self._show_entrance, methods=["GET", "POST"]),
        ]
        return Guard(_report_failures(Starlette(routes=routes)))

    def _seat(self, request: Request) -> Seat | None:
        """Return the seat with the path of a request, or None if the request may not use it."""
        seat = self.seats.by_path.get(request.path_params["link"])
        here = request.client is not None and is_here(request.client.host)
        return seat if seat and (here or not seat.here) else None

    def _entered(self, request: Request) -> Seat | None:
        seat = self._seat(request)
        return seat if seat and self.seats.has_entered(seat, _session(request)) else None

    async def _enter(self, request: Request) -> Response:
        if (seat := self._seat(request)) is None:
            return _refuse(401)
        try:
            token = msgspec.json.decode(await _read_body(request, _MAX_JOIN_BYTES), type=Entering).token
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return _refuse(400)
        try:
            session = self.seats.enter(seat, token)
        except InputError as error:  # the session cannot be saved; the token stays valid
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
        if (seat := self._entered(request)) is None:
            return _refuse(401)
        try:
            with self.room.admit(_session(request)):
                body = await _read_body(request, MAX_REQUEST_BYTES if seat.here else _MAX_PLAYER_BYTES)
                return Response(await _while_asked(request, self.room.respond(seat, body)), media_type=_JSON)
        except (Crowded, ClientDisconnect):  # a client that has disconnected does not receive this response
            return _refuse(503)

    async def _events(self, request: Request) -> Response:
        """Send the tables as shown to the seat, and then each change of them."""
        if (seat := self._entered(request)) is None:
            return _refuse(401)
        events = self.room.listen(seat, _session(request), self.heartbeat)
        try:
            first = await _while_asked(request, anext(events))
        except (Crowded, ClientDisconnect):
            return _refuse(503)
        stream = _send_events(first, events, lambda: bool(self._entered(request)))
        return StreamingResponse(stream, media_type="text/event-stream")

    async def _file(self, request: Request) -> Response:
        path = request.path_params["path"] or "index.html"
        files = self.shell if self._entered(request) else self._entrance
        if (data := files.get(path)) is None:
            return _refuse(404)
        return Response(data, media_type=_TYPES.get(f".{path.rpartition('.')[2]}", "application/octet-stream"))

    async def _show_entrance(self, request: Request) -> Response:
        data = self._entrance.get(request.path_params["path"] or "index.html")
        if data is None or request.method != "GET":
            return _refuse(404)
        return Response(data, media_type=_TYPES[".html"])


class Entering(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to enter with a token."""

    token: Annotated[str, note("the token in the fragment of the link, or empty")]


async def _read_body(request: Request, max_bytes: int = MAX_REQUEST_BYTES) -> bytes:
    """Return the body of a request, or b"" (which is refused) if it is too long or too slow."""
    if (length := natural(request.headers.get("content-length", ""))) is None or length > max_bytes:
        return b""
    body = bytearray()
    try:
        async with asyncio.timeout(_MAX_BODY_SECONDS):
            async for part in request.stream():
                if len(body) + len(part) > max_bytes:
                    return b""
                body += part
    except (TimeoutError, ClientDisconnect):
        return b""
    return bytes(body)


async def _send_events(
    table: bytes | None, events: AsyncGenerator[bytes | None], may_go_on: Callable[[], bool]
) -> AsyncIterator[bytes]:
    """Yield server-sent events: the table, each of its changes, and a comment after some time without changes.

    `table`: the first table as JSON, or None.
    `may_go_on`: returns whether the seat is still entered.
    """
    async with aclosing(events):
        yield b"retry: 2000\n\n"
        while may_go_on():
            yield b": still here\n\n" if table is None else b"data: %b\n\n" % table
            table = await anext(events)


async def _while_asked(request: Request, answer: Awaitable[T]) -> T:
    """Return an answer, or cancel it and raise ClientDisconnect once the client has disconnected."""
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
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _session(request: Request) -> str:
    return request.cookies.get(_cookie(request), "")


def _cookie(request: Request) -> str:
    """Return the name of the session cookie.

    The name contains the port, because browsers send a cookie to every port of a host, each with its own server.
    """
    return f"table-{request.scope['server'][1]}"


def _refuse(status: int, text: str = "") -> Response:
    words = {400: "not understood", 401: "this needs a link", 404: "not here", 503: "too many at once"}
    return PlainTextResponse(f"{text or words[status]}\n", status)


def _report_failures(app: ASGIApp) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except (MemoryError, OSError) as error:
            echo(f"! {word_machine_error(error)}", err=True)
            raise

    return answer


class Guard:
    """An application that refuses requests unread if they have a wrong host, origin, method, type or size."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if refused:
                    headers["Connection"] = "close"  # the rest of the request is not read
            await send(message)

        if refused := _find_refusal(scope):
            status, why = refused
            await PlainTextResponse(f"{why}\n", status)(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)


def _find_refusal(scope: Scope) -> tuple[int, str] | None:
    """Return the status and the reason of the refusal of a request, or None if it may be read."""
    headers = Headers(scope=scope)
    hosts = headers.getlist("host")
    if len(hosts) != 1 or hosts[0] not in _find_own_names(scope):
        return 421, "this is not the host that was asked for"
    if any(origin != f"http://{hosts[0]}" for origin in headers.getlist("origin")):
        return 403, "another page may not ask this one"
    if any(site not in _find_allowed_sites(headers, scope) for site in headers.getlist("sec-fetch-site")):
        return 403, "another page may not ask this one"
    if scope["method"] == "GET":
        has_body = "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
        return (413, "a request to read has no body") if has_body else None
    if scope["method"] != "POST":
        return 405, "only GET and POST are answered"
    if headers.getlist("content-type") not in ([_JSON], [f"{_JSON}; charset=utf-8"]):
        return 415, "only JSON is answered"
    if "transfer-encoding" in headers:  # a body in chunks may have any length; the page sends none
        return 411, "the length of the request is stated, and it comes as one"
    length = headers.get("content-length", "")
    if not re.fullmatch("[0-9]+", length):
        return 411, "the length of the request is missing"
    if (size := natural(length)) is None or size > MAX_REQUEST_BYTES:
        return 413, f"a request has at most {MAX_REQUEST_BYTES} bytes"
    return None


def _find_own_names(scope: Scope) -> Iterable[str]:
    """Return the names of this host in requests: its address, and `localhost` on this machine."""
    server = scope.get("server") or ("", 0)
    address = str(server[0])
    port = server[1]
    names = [f"[{address}]" if ":" in address else address]
    if is_here(address):
        names.append("localhost")
    with_port = [f"{name}:{port}" for name in names]
    return [*with_port, *names] if port == 80 else with_port


def _find_allowed_sites(headers: Headers, scope: Scope) -> tuple[str, ...]:
    """Return the values of Sec-Fetch-Site that a request may have.

    A link on any site may open a page, but without the cookie, which no other site can send.
    """
    follows = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    if scope["method"] == "GET" and follows:
        return ("same-origin", "none", "same-site", "cross-site")
    return ("same-origin", "none")


def is_here(address: str) -> bool:
    """Return whether an address is a loopback address."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


class BoundedConnection(H11Protocol):
    """A connection that ends if it is too slow, or if it is idle and there are too many.

    No client can thus block others with many connections: beyond the maximum, an idle connection, or one with an
    incomplete request, gives way to the next.
    """

    most = _MAX_CONNECTIONS
    most_of_one = _MAX_PER_ADDRESS
    request_seconds = _MAX_REQUEST_SECONDS
    answer_seconds = _MAX_STALL_SECONDS
    address = ""
    number = 0
    """The number of the connection, in the order of creation."""
    _due: asyncio.TimerHandle | None = None
    _taken_by: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        address = (transport.get_extra_info("peername") or ("",))[0]
        others = [other for other in self.connections if isinstance(other, BoundedConnection)]
        crowd = [other for other in others if other.address == address]
        is_crowded = len(crowd) >= self.most_of_one
        if not is_crowded and len(self.connections) >= self.most and address != LOOPBACK:
            is_crowded = True
            crowd = [other for other in others if other.address != LOOPBACK]
        if is_crowded and not _end_one(crowd):
            self.transport = transport
            transport.abort()
            return
        super().connection_made(transport)
        self.address = address
        self.number = next(_CONNECTION_NUMBERS)
        self._due = self._end_after(self.request_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._due, self._taken_by):
            if timer:
                timer.cancel()
        self._due = self._taken_by = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read data, and start the time limit of an incomplete request."""
        super().data_received(data)
        if self.transport.is_closing():
            return
        is_whole = self.conn.their_state in (h11.DONE, h11.MUST_CLOSE)
        if is_whole and self._due:
            self._due.cancel()
            self._due = None
        elif not is_whole and self._due is None:
            self._due = self._end_after(self.request_seconds)

    @property
    def use(self) -> int | None:
        """The cost of losing the connection, or None while it must not be lost.

        It is 0 before the head of a request is complete, 1 between requests, and 2 while a body arrives. It is None
        while a request is answered or its answer is sent.
        """
        if self.transport.get_write_buffer_size():
            return None
        if self.conn.their_state is h11.SEND_BODY:
            return 2
        is_answered = self.cycle is None or self.cycle.response_complete
        if self.conn.their_state is not h11.IDLE or not is_answered:
            return None
        return 0 if self._due else 1

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._taken_by:
            self._taken_by.cancel()
        self._taken_by = self._end_after(self.answer_seconds)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._taken_by:
            self._taken_by.cancel()
            self._taken_by = None
        self._await_taking()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._await_taking()

    def _await_taking(self) -> None:
        left = self.transport.get_write_buffer_size()
        if left and self._taken_by is None:
            self._taken_by = self.loop.call_later(self.answer_seconds, self._check_taking, left)

    def _check_taking(self, left: int) -> None:
        """End the connection if its client, perhaps reading byte by byte, has received less than half of the rest.

        `left`: the number of bytes left at the last check.
        """
        self._taken_by = None
        if self.transport.get_write_buffer_size() > left // 2:
            self.transport.abort()
        else:
            self._await_taking()

    def _end_after(self, seconds: float) -> asyncio.TimerHandle:
        end: Callable[[], Any] = self.transport.abort
        return self.loop.call_later(seconds, end)


def _end_one(crowd: Iterable[BoundedConnection]) -> bool:
    """End the connection with the lowest cost, the oldest of several; return whether one could be ended."""
    ranked = [(use, other.number, other) for other in crowd if (use := other.use) is not None]
    if not ranked:
        return False
    _, _, least = min(ranked)
    least.transport.abort()
    least.connections.discard(least)
    return True
