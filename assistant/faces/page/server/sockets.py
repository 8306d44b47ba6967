"""The server on its socket, and what the terminal says: the links, each with a code to scan, and fresh ones when
asked.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import threading
from collections.abc import Iterable, Sequence
from typing import Any

import uvicorn

from ....drawing.qr import qr_code
from ....util.console import echo
from ....util.errors import InputError, Where, is_of_the_machine, word_machine_error
from ....util.memory import collect_often
from ....util.signals import INTERRUPTED
from .. import shell_files
from .app import Server
from .connections import HEAD_BYTES, IDLE_SECONDS, LOOPBACK, BoundedConnection
from .followed_file import WatchedFile, changes
from .room import TableRoom
from .seats import Seat, Seats

_ALL = "0.0.0.0"
"""The address that stands for all of this machine."""
_HELP = (
    "again: fresh links    again LINK: a fresh one of that number    end: send everyone away, fresh links    "
    "Ctrl+C: stop"
)
_HELP_ALONE = "again: a fresh link    Ctrl+C: stop"


def open_socket(port: int, *, lan: bool) -> socket.socket:
    """Return the socket of the server, on this machine alone unless for the network; who comes by it waits until the
    server runs. Raises InputError if it cannot be opened.
    """
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        _find_own_port(opened)
        opened.bind((_ALL if lan else LOOPBACK, port))
        opened.listen()
    except (OSError, OverflowError) as error:
        opened.close()
        hint = "is it being served already? --port takes another, such as --port 1915"
        raise InputError(f"port {port} cannot be opened: {error}", where=Where("--port"), hint=hint) from None
    return opened


def _find_own_port(opened: socket.socket) -> None:
    """Let no other program share the port of a socket, and open one again that was closed a moment ago."""
    # Windows has both, and there the latter lets two share it
    option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    opened.setsockopt(socket.SOL_SOCKET, option, 1)


def open_free_socket(ports: Iterable[int]) -> socket.socket:
    """Return the socket of a server on this machine alone, at the first port that can be opened. Raises InputError if
    none can.
    """
    refused: InputError | None = None
    for port in ports:
        try:
            return open_socket(port, lan=False)
        except InputError as error:
            refused = refused or error
    assert refused
    raise refused


def address_in_network() -> str:
    """Return the address of this machine in its network, as other devices call it; this machine's own where there is
    none.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses a way
            return str(probe.getsockname()[0])
        except OSError:
            return LOOPBACK


def report_failure(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Say what has failed between two requests: a want of memory or an error of the system in a line or two, anything
    else with its traceback.
    """
    error = context.get("exception")
    if isinstance(error, BaseException) and is_of_the_machine(error):
        echo(f"! {error if isinstance(error, InputError) else word_machine_error(error)}", err=True)
    else:
        loop.default_exception_handler(context)


class Serving:
    """A table that is served. room: the table; seats: who may enter; opened: the socket; follows: files that other
    programs may change; remarks: what the terminal says first.
    """

    def __init__(
        self,
        room: TableRoom,
        seats: Seats,
        opened: socket.socket,
        *,
        lan: bool,
        follows: Sequence[WatchedFile] = (),
        remarks: Sequence[str] = (),
    ) -> None:
        self.room = room
        self.seats = seats
        self.opened = opened
        self.follows = follows
        self.remarks = remarks
        self.address = address_in_network() if lan else LOOPBACK
        config = uvicorn.Config(
            Server(room, seats, shell_files()).app(),
            http=BoundedConnection,
            ws="none",
            lifespan="off",
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # the address of a client is the one from which it comes
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=HEAD_BYTES,
        )
        self.server = uvicorn.Server(config)

    def run(self, left_seconds: float | None = None) -> None:
        """Answer until Ctrl+C, which ends the program as it ends others.

        `left_seconds`: for how many seconds no page has to be open for the server to end by itself, None if it never
        does.
        """
        collect_often()
        was_interrupted = False
        try:
            try:
                asyncio.run(self._run(left_seconds))
            except KeyboardInterrupt:
                was_interrupted = True
            echo("\nStopped. What was entered is saved.")
        finally:
            self.room.close()
        if was_interrupted:
            sys.exit(INTERRUPTED)

    async def _run(self, left_seconds: float | None) -> None:
        asyncio.get_running_loop().set_exception_handler(report_failure)
        beside = [asyncio.create_task(self._follow(watched)) for watched in self.follows]
        if left_seconds is not None:
            beside.append(asyncio.create_task(self._end_once_left(left_seconds)))
        threading.Thread(target=self._read_keys, args=(asyncio.get_running_loop(),), daemon=True).start()
        try:
            await self.server.serve([self.opened])
        finally:
            for task in beside:
                task.cancel()

    async def _end_once_left(self, seconds: float) -> None:
        """End the server once no page has been open for some seconds."""
        now = asyncio.get_running_loop().time
        last = now()
        while now() - last < seconds:
            await asyncio.sleep(min(1.0, seconds))
            if self.room.is_heard:
                last = now()
        self.server.should_exit = True

    async def _follow(self, watched: WatchedFile) -> None:
        async for _ in changes(watched.file, watched.seen):
            try:
                await self.room.renew(watched.work)
            except InputError as error:
                echo(f"! {error}", err=True)
            except Exception as error:  # a mistake of the program: the next change of the file may go well
                echo(f"! {watched.file} could not be followed: {error!r}", err=True)

    def _read_keys(self, loop: asyncio.AbstractEventLoop) -> None:
        """Read what is typed at the terminal."""
        with contextlib.suppress(OSError, RuntimeError):  # without a terminal, or when the server has ended
            for line in sys.stdin or ():
                loop.call_soon_threadsafe(self.obey, line.strip())

    def obey(self, line: str) -> None:
        """Do what is typed at the terminal."""
        word, _, path = line.casefold().partition(" ")
        if word in ("again", "a") and (not path or path in self.seats.by_path):
            self.show_links([self.seats.by_path[path]] if path else None)
        elif word == "end":
            try:
                self.seats.end_sessions()
            except InputError as error:  # they have ended, but may be back when the table is served again
                echo(f"! {error}", err=True)
            self.show_links()
        elif line:
            echo(self._help)

    def show_links(self, seats: Sequence[Seat] | None = None) -> None:
        """Print fresh links, of all or of some, each with a code to scan."""
        for seat in seats or self.seats.by_path.values():
            url = self.url(seat)
            number = "" if self._is_alone else f"{seat.path}  "
            echo(f"\n{number}{seat.title}: {url}")
            if not seat.here:
                echo("\n".join(qr_code(url).in_letters()))
        echo(self._help)

    @property
    def _is_alone(self) -> bool:
        """Whether only this machine has a link."""
        return all(seat.here for seat in self.seats.by_path.values())

    @property
    def _help(self) -> str:
        return _HELP_ALONE if self._is_alone else _HELP

    def url(self, seat: Seat) -> str:
        """Return the link of a seat, with a fresh token."""
        host = LOOPBACK if seat.here else self.address
        return f"http://{host}:{self.opened.getsockname()[1]}/{seat.path}/#{self.seats.issue(seat)}"
