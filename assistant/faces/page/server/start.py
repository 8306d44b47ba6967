"""Where a served table begins: with the table of a game, a journal, or a file of another program that it follows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ....formats.positions import JOURNAL
from ....game.games import Game
from ....game.viewpoint import may_hide
from ....installed.registry import make_game_loader
from ....state.state import GameState
from ....util.console import echo
from ....util.desktop import open_in_browser
from ....util.files import data_folder
from ..desk import name_of_table, own_name, sides_folder
from ..side_tables import SideTables, WholeTables
from ..tables import OpenTables, Tables
from .followed_file import FollowedFile, WatchedFile, stamp_of
from .room import TableRoom
from .seats import Seat, Seats
from .sockets import Serving, open_free_socket, open_socket

HERE = "0"
"""The path of the seat on this machine."""
_PORTS = 10
"""How many ports are tried in turn, so that a page mostly has the same address, before any free one is taken."""
_LEFT_SECONDS = 120.0
"""After how many seconds without a page a server ends that nobody sees, and so nobody stops."""


def open_tables(port: int, *, browser: bool, ends: bool) -> None:
    """Serve all tables to whoever sits at this machine, at a port or another that is free, until Ctrl+C. browser:
    whether it opens the page; ends: whether the server ends by itself once no page is open, as nobody sees how to stop
    it.
    """
    serving = prepare_alone(port)
    echo(f"Only this machine can open it, and what you enter is stored in {data_folder() / 'page'}.")
    serving.show_links()
    if browser and open_in_browser(serving.url(serving.seats.by_path[HERE])):
        echo("Your browser opens it now; if it does not, follow the link, which works once.")
    serving.run(_LEFT_SECONDS if ends else None)


def prepare_alone(port: int) -> Serving:
    """Return all tables of this machine for whoever sits at it, ready to be served at a port or another that is
    free.
    """
    tables = Tables()
    seats = Seats([Seat(HERE, "", "The table page", here=True)], tables.folder / "here.sessions.json")
    return Serving(TableRoom("", {HERE: tables}), seats, open_free_socket(_list_ports(port)), lan=False)


def _list_ports(port: int) -> Iterator[int]:
    """Yield a port, those after it, and 0 for any that is free."""
    yield from range(port, min(port + _PORTS, 65536))
    yield 0


def open_served(game: Game, state: str | None, *, lan: bool, port: int) -> None:
    """Serve a table until Ctrl+C. state: a file. Raises InputError for a file that cannot be read, and for a
    port that is taken.
    """
    serving = prepare(game, state, lan=lan, port=port)
    for message in serving.remarks:
        echo(message)
    if lan:
        echo(
            "! The traffic is not encrypted: anyone in this network can read it, and anyone who has a link can enter, "
            "once."
        )
    else:
        echo("Only this machine can open it; --lan lets other devices in the network in.")
    serving.show_links()
    serving.run()


def prepare(game: Game, state: str | None, *, lan: bool, port: int, sessions: Path | None = None) -> Serving:
    """Return a served table, ready to run. sessions: keeps who has entered, None for the file in the data folder."""
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
        followed.take_in(tables)
    desk = tables.desk(name)
    seats = Seats(seats_of(game, desk.position.state), sessions or own / f"{own_name(desk.file)}.sessions.json")
    guests = Tables(tables.folder, load, files=tables.files, writes_pack=False)
    opened: dict[str, OpenTables] = {seat.path: tables if seat.here else guests for seat in seats.by_path.values()}
    remarks = list[str]()
    if sides := [seat for seat in seats.by_path.values() if seat.side]:
        whole = WholeTables(tables, name, [seat.side for seat in sides], sides_folder(desk.file))
        opened |= {seat.path: SideTables(whole, seat.side) for seat in sides} | {HERE: whole}
        remarks += whole.shared.remarks
        whole.shared.say = warn  # from now on at once
    follows = [WatchedFile(desk.file, lambda: None, stamp_of(desk.file))]
    if followed:
        whole_table = opened[HERE]  # the only one that enters there from now on, and knows what has been entered
        follows.append(WatchedFile(followed.file, partial(followed.take_in, whole_table), followed.seen))
        remarks += [f"{state} is followed, and never written: what is entered on the page goes into {desk.file}"]
    return Serving(
        TableRoom(name, opened), seats, open_socket(port, lan=lan), lan=lan, follows=follows, remarks=remarks
    )


def warn(remark: str) -> None:
    """Say at the terminal what is at fault while the table is served."""
    echo(f"! {remark}", err=True)


def seats_of(game: Game, state: GameState) -> list[Seat]:
    """Return the seats at a table: the umpire's on this machine, one for each side where something may be hidden, and
    one for everybody.
    """
    umpire = Seat(HERE, "", "this machine, everything", here=True)
    if not may_hide(game, state):
        return [umpire, Seat("1", "", "everybody")]
    sides = [Seat(str(number), side, game.file.title_of(side)) for number, side in enumerate(game.file.sides, 1)]
    return [umpire, *sides, Seat(str(len(sides) + 1), "", "everybody, if you hide nothing from each other")]
