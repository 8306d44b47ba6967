"""A served table: its start or the file that it follows, its socket and links, and the commands at the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn

from ....drawing.qr import qr_code
from ....formats import json_state
from ....formats.positions import JOURNAL, Position
from ....formats.vassal import ENDINGS
from ....game.games import Game
from ....game.states import build_state
from ....game.viewpoint import may_hide
from ....installed.registry import make_game_loader
from ....service import read
from ....state.patches import patch_state
from ....state.state import GameState
from ....util.console import echo
from ....util.desktop import open_in_browser
from ....util.errors import InputError, Where, is_of_the_machine, word_machine_error
from ....util.files import data_folder, is_whole, read_bytes
from ....util.memory import collect_often
from ....util.signals import INTERRUPTED_EXIT_CODE
from ....util.writing import write_whole
from ...prompt.files import TableFile, table_file
from .. import shell_files
from ..desk import name_of_table, own_name, sides_folder
from ..sides import SideTables, WholeTables
from ..statements import enter_lines, find_lines_to_state
from ..tables import OpenTables, Tables
from .app import LOOPBACK, MAX_HEAD_BYTES, MAX_IDLE_SECONDS, BoundedConnection, Server
from .room import TableRoom
from .seats import Seat, Seats

OWN_SEAT_PATH = "0"
"""The path of the seat on this machine."""
_MAX_PORTS_TRIED = 10
"""The number of ports tried in turn before any free one, so that a page usually keeps its address."""
_UNWATCHED_SECONDS = 120.0
"""The time without an open page after which a server without a terminal ends."""
_ALL_ADDRESSES = "0.0.0.0"
"""The address that stands for all addresses of this machine."""
_HELP = (
    "again: fresh links    again LINK: a fresh one of that number    end: send everyone away, fresh links    "
    "Ctrl+C: stop"
)
_HELP_ALONE = "again: a fresh link    Ctrl+C: stop"
_POLLING_SECONDS = 0.5
"""The time between two checks of a followed file."""


Stamp = tuple[int, int] | None
"""The size and time of a file, which change with each save, or None for a missing file."""


def open_tables(port: int, *, browser: bool, ends_unwatched: bool) -> None:
    """Serve all tables only on this machine until Ctrl+C, at a port or else at a free one.

    `browser`: whether to open the page.
    `ends_unwatched`: whether the server ends by itself once no page is open, because it has no terminal.
    """
    serving = prepare_alone(port)
    echo(f"Only this machine can open it, and what you enter is stored in {data_folder() / 'page'}.")
    serving.show_links()
    if browser and open_in_browser(serving.url(serving.seats.by_path[OWN_SEAT_PATH])):
        echo("Your browser opens it now; if it does not, follow the link, which works once.")
    serving.run(_UNWATCHED_SECONDS if ends_unwatched else None)


def prepare_alone(port: int) -> Serving:
    """Return all tables of this machine, ready to be served only on it."""
    tables = Tables()
    seats = Seats([Seat(OWN_SEAT_PATH, "", "The table page", here=True)], tables.folder / "here.sessions.json")
    return Serving(TableRoom("", {OWN_SEAT_PATH: tables}), seats, open_free_socket(_list_ports(port)), lan=False)


def _list_ports(port: int) -> Iterator[int]:
    """Yield a port, the ports after it, and 0 for any free port."""
    yield from range(port, min(port + _MAX_PORTS_TRIED, 65536))
    yield 0


def open_served(game: Game, state: str | None, *, lan: bool, port: int) -> None:
    """Serve a table until Ctrl+C.

    `state`: a file with the table, or None for the game's own table.
    `lan`: whether other devices in the network can reach it.

    Raises InputError if the file cannot be read, or the port is taken.
    """
    serving = prepare(game, state, lan=lan, port=port)
    for message in serving.remarks:
        echo(message)
    if lan:
        echo(
            "! The traffic is not encrypted: anyone in this network can read it. The first person to open a link takes "
            "its seat."
        )
    else:
        echo("Only this machine can open it; --lan lets other devices in the network in.")
    serving.show_links()
    serving.run()


def prepare(game: Game, state: str | None, *, lan: bool, port: int, sessions: Path | None = None) -> Serving:
    """Return a table, ready to be served.

    `state`: a file with the table, or None for the game's own table.
    `lan`: whether other devices in the network can reach it.
    `sessions`: the file with the sessions, or None for the one in the data folder.
    """
    load = make_game_loader(game, others=True, pack="anew")
    own = data_folder() / "page"
    tables = Tables(own, load)
    followed = None
    if state is None:
        name = game.id
        if name not in tables.names():
            tables.begin(name, game.id)
    elif state.endswith(JOURNAL):
        name = name_of_table(Path(state))
        tables = Tables(Path(state).parent, load, files={name: Path(state)})
    else:
        followed = FollowedFile(Path(state), game, tables, load)
        name = followed.name
        followed.take_in_changes(tables)
    desk = tables.desk(name)
    seats = Seats(seats_of(game, desk.position.state), sessions or own / f"{own_name(desk.file)}.sessions.json")
    guests = Tables(tables.folder, load, files=tables.files, writes_pack=False)
    opened: dict[str, OpenTables] = {seat.path: tables if seat.here else guests for seat in seats.by_path.values()}
    remarks = list[str]()
    if sides := [seat for seat in seats.by_path.values() if seat.side]:
        whole = WholeTables(tables, name, [seat.side for seat in sides], sides_folder(desk.file))
        opened |= {seat.path: SideTables(whole, seat.side) for seat in sides} | {OWN_SEAT_PATH: whole}
        remarks += whole.shared.remarks
        whole.shared.say = _report_remark  # later remarks are reported at once
    follows = [WatchedFile(desk.file, lambda: None, _stamp_of(desk.file))]
    if followed:
        whole_table = opened[OWN_SEAT_PATH]  # all later entries go through this object
        follows.append(WatchedFile(followed.file, partial(followed.take_in_changes, whole_table), followed.seen))
        remarks += [f"{state} is followed, and never written: what is entered on the page goes into {desk.file}"]
    return Serving(
        TableRoom(name, opened), seats, open_socket(port, lan=lan), lan=lan, follows=follows, remarks=remarks
    )


def seats_of(game: Game, state: GameState) -> list[Seat]:
    """Return the seats at a table: one on this machine, one for each side if units may be hidden, and one for all."""
    umpire = Seat(OWN_SEAT_PATH, "", "this machine, everything", here=True)
    if not may_hide(game, state):
        return [umpire, Seat("1", "", "everybody")]
    sides = [Seat(str(number), side, game.file.title_of(side)) for number, side in enumerate(game.file.sides, 1)]
    return [umpire, *sides, Seat(str(len(sides) + 1), "", "everybody, if you hide nothing from each other")]


def _report_remark(remark: str) -> None:
    echo(f"! {remark}", err=True)


class Serving:
    """A table that is served, with its seats and socket.

    `follows`: the files that other programs may change.
    `remarks`: the first messages at the terminal.
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
            proxy_headers=False,  # no header can state another address for a client
            timeout_keep_alive=MAX_IDLE_SECONDS,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        )
        self.server = uvicorn.Server(config)

    def run(self, left_seconds: float | None = None) -> None:
        """Answer requests until Ctrl+C, which ends the whole program.

        `left_seconds`: the time without an open page after which the server ends by itself, or None for no end.
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
            sys.exit(INTERRUPTED_EXIT_CODE)

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
        now = asyncio.get_running_loop().time
        last = now()
        while now() - last < seconds:
            await asyncio.sleep(min(1.0, seconds))
            if self.room.is_heard:
                last = now()
        self.server.should_exit = True

    async def _follow(self, watched: WatchedFile) -> None:
        async for _ in watch_file(watched.file, watched.seen):
            try:
                await self.room.renew(watched.work)
            except InputError as error:
                echo(f"! {error}", err=True)
            except Exception as error:  # an internal error: the next change of the file may succeed
                echo(f"! {watched.file} could not be followed: {error!r}", err=True)

    def _read_keys(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(OSError, RuntimeError):  # there is no terminal, or the server has ended
            for line in sys.stdin or ():
                loop.call_soon_threadsafe(self.obey, line.strip())

    def obey(self, line: str) -> None:
        word, _, path = line.casefold().partition(" ")
        if word in ("again", "a") and (not path or path in self.seats.by_path):
            self.show_links([self.seats.by_path[path]] if path else None)
        elif word == "end":
            try:
                self.seats.end_sessions()
            except InputError as error:  # sessions have ended, but may be valid again at the next start
                echo(f"! {error}", err=True)
            self.show_links()
        elif line:
            echo(self._help)

    def show_links(self, seats: Sequence[Seat] | None = None) -> None:
        for seat in seats or self.seats.by_path.values():
            url = self.url(seat)
            number = "" if self._is_alone else f"{seat.path}  "
            echo(f"\n{number}{seat.title}: {url}")
            if not seat.here:
                echo("\n".join(qr_code(url).in_letters()))
        echo(self._help)

    @property
    def _is_alone(self) -> bool:
        return all(seat.here for seat in self.seats.by_path.values())

    @property
    def _help(self) -> str:
        return _HELP_ALONE if self._is_alone else _HELP

    def url(self, seat: Seat) -> str:
        host = LOOPBACK if seat.here else self.address
        return f"http://{host}:{self.opened.getsockname()[1]}/{seat.path}/#{self.seats.issue(seat)}"


def report_failure(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report a failure between two requests.

    A lack of memory or an error of the system is reported in a line or two, any other error with its traceback.
    """
    error = context.get("exception")
    if isinstance(error, BaseException) and is_of_the_machine(error):
        echo(f"! {error if isinstance(error, InputError) else word_machine_error(error)}", err=True)
    else:
        loop.default_exception_handler(context)


def open_socket(port: int, *, lan: bool) -> socket.socket:
    """Return the server's socket, on which requests wait until the server runs.

    `lan`: whether other devices in the network can reach it.

    Raises InputError if the socket cannot be opened.
    """
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        _find_own_port(opened)
        opened.bind((_ALL_ADDRESSES if lan else LOOPBACK, port))
        opened.listen()
    except (OSError, OverflowError) as error:
        opened.close()
        hint = "is it being served already? --port takes another, such as --port 1915"
        raise InputError(f"port {port} cannot be opened: {error}", where=Where("--port"), hint=hint) from None
    return opened


def _find_own_port(opened: socket.socket) -> None:
    # Windows has both options, but its SO_REUSEADDR would let two programs share a port.
    option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    opened.setsockopt(socket.SOL_SOCKET, option, 1)


def open_free_socket(ports: Iterable[int]) -> socket.socket:
    """Return the socket of a server only on this machine, at the first free port.

    Raises InputError if none is free.
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
    """Return the address of this machine in its network, or its loopback address without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing, but chooses the network
            return str(probe.getsockname()[0])
        except OSError:
            return LOOPBACK


class FollowedFile:
    """A position that another program writes: a table begins with it, and its changes are stated at that table.

    `file`: a position, a save, a log, or the saved table of the table prompt; or a folder, whose newest save or log is
    followed. It is never written.

    Raises InputError if the file cannot be read, or the folder has no save.
    """

    def __init__(self, file: Path, game: Game, tables: OpenTables, load: Callable[[str], Game]) -> None:
        self.file = file
        self._game = game
        self._load = load
        self.seen: Stamp = None
        position = self._read()
        self.name = own_name(file)
        is_new = self.name not in tables.names()
        desk = tables.lay(self.name, game, position) if is_new else tables.desk(self.name)
        self._heard = _LastStated(desk.file)
        if is_new:
            self._heard.write(position)

    def _read(self) -> Position:
        file = _find_newest(self.file)
        if file.is_dir():
            hint = "save the game there in VASSAL first"
            raise InputError("this folder has no save", where=Where(str(file)), hint=hint)
        if file.resolve() == table_file(self._game.id).resolve():
            known = TableFile(file).read(self._load)
            position = known.position if known else Position(self._game, build_state(self._game))
        else:
            position = read(file, game=self._game)
        if position.game.id != self._game.id:
            raise InputError(
                f"this is a position of {position.game.id}", where=Where(str(file)), hint=f"not of {self._game.id}"
            )
        return Position(self._game, position.state)

    def take_in_changes(self, tables: OpenTables) -> None:
        """State the changes of the file at the table.

        Raises InputError if the file cannot be read, or if a change cannot be stated.
        """
        desk = tables.desk(self.name)
        self.seen = _stamp_of(_find_newest(self.file))  # taken first, so that whatever is saved meanwhile is read again
        now = self._read()
        before = self._heard.read(self._load)
        journal = desk.books.journal
        state = journal.position().state
        enter_lines(desk, find_lines_to_state(journal, patch_state(state, before or state, now.state)))
        self._heard.write(now)


class _LastStated:
    """A file beside a journal with the followed state that was stated last, as only later changes are stated."""

    def __init__(self, journal: Path) -> None:
        self._file = journal.with_suffix(".heard.json")

    def read(self, load: Callable[[str], Game]) -> GameState | None:
        try:
            return json_state.read_json(read_bytes(self._file), str(self._file), load).state
        except InputError:
            return None

    def write(self, position: Position) -> None:
        write_whole(self._file, json_state.write_json(position), force=True)


class WatchedFile(NamedTuple):
    """A file that other programs may change."""

    file: Path
    work: Callable[[], object]
    """The function that updates the table."""
    seen: Stamp
    """The stamp of the file when the table last read it."""


async def watch_file(file: Path, seen: Stamp, every: float = _POLLING_SECONDS) -> AsyncIterator[None]:
    """Yield, without end, after each complete save of a file, or of the newest save in a folder.

    `seen`: the stamp of the file when the table last read it.
    """
    reported = seen
    before = _stamp_of(_find_newest(file))
    while True:
        await asyncio.sleep(every)
        latest = _find_newest(file)
        now = _stamp_of(latest)
        if now is not None and now != reported and now == before and is_whole(latest):
            reported = now
            yield
        before = now


def _find_newest(path: Path) -> Path:
    """Return a file itself, or the save or log in a folder that was written last, or the folder if it has none."""
    if not path.is_dir():
        return path
    saves = [file for file in path.iterdir() if file.suffix.lower() in ENDINGS]
    return max(saves, key=lambda file: _stamp_of(file) or (0, 0), default=path)


def _stamp_of(file: Path) -> Stamp:
    try:
        about = file.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size
