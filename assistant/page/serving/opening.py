"""Where a served table begins: with the table of a game, a journal, or a file of another program that it follows."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ...formats.positions import JOURNAL
from ...game.games import Game
from ...plugins.registry import games_at_table
from ...state.state import INVISIBLE, MASKED, GameState
from ...util.console import echo
from ...util.files import data_folder
from ..desk import OpenTables, Tables, own_name, sides_folder, table_name
from ..sides import SideTables, WholeTables
from .following import FollowedFile, WatchedFile, stamp_of
from .room import Room
from .running import Serving, open_socket
from .seats import Seat, Seats


def open_served(game: Game, state: str | None, *, lan: bool, port: int) -> None:
    """Serve a table until Ctrl+C. state: a file. Raises InputError for a file that cannot be read, and for a
    port that is taken.
    """
    serving = prepare(game, state, lan=lan, port=port)
    for said in serving.remarks:
        echo(said)
    if lan:
        echo(
            "! The traffic is not encrypted: anyone in this network can read it, and anyone who has a link can enter, once."
        )
    else:
        echo("Only this machine can open it; --lan lets other devices in the network in.")
    serving.show_links()
    serving.run()


def prepare(game: Game, state: str | None, *, lan: bool, port: int, sessions: Path | None = None) -> Serving:
    """A served table, ready to run. sessions: keeps who has entered, None for the file in the data folder."""
    load, own = games_at_table(game), data_folder() / "page"
    tables, followed = Tables(own, load), None
    if state is None:
        name = game.id
        if name not in tables.names():
            tables.begin(name, game.id)
    elif state.endswith(JOURNAL):
        name = table_name(Path(state))
        tables = Tables(Path(state).parent, load, files={name: Path(state)})
    else:
        followed = FollowedFile(Path(state), game, tables, load)
        name = followed.name
        followed.take_in(tables)
    desk = tables.desk(name)
    seats = Seats(seats_of(game, desk.position.state), sessions or own / f"{own_name(desk.file)}.sessions.json")
    guests = Tables(tables.folder, load, files=tables.files, writes_pack=False)
    opened: dict[str, OpenTables] = {seat.path: tables if seat.here else guests for seat in seats.by_path.values()}
    if sides := [seat for seat in seats.by_path.values() if seat.side]:
        whole = WholeTables(tables, name, [seat.side for seat in sides], sides_folder(desk.file))
        opened = {seat.path: SideTables(whole, seat.side) if seat.side else whole for seat in seats.by_path.values()}
    follows = [WatchedFile(desk.file, lambda: None, stamp_of(desk.file))]
    remarks = []
    if followed:
        whole_table = opened["0"]  # the only one that enters there from now on, and knows what has been entered
        follows.append(WatchedFile(followed.file, partial(followed.take_in, whole_table), followed.seen))
        remarks = [f"{state} is followed, and never written: what is entered on the page goes into {desk.file}"]
    return Serving(Room(name, opened), seats, open_socket(port, lan=lan), lan=lan, follows=follows, remarks=remarks)


def seats_of(game: Game, state: GameState) -> list[Seat]:
    """The seats at a table: the umpire's on this machine, and one for each side; one for everybody where nothing is hidden."""
    umpire = Seat("0", "", "this machine, everything", here=True)
    if not hides(game, state):
        return [umpire, Seat("1", "", "everybody")]
    sides = enumerate(game.file.sides, 1)
    return [umpire, *(Seat(str(number), side, game.file.title_of(side)) for number, side in sides)]


def hides(game: Game, state: GameState) -> bool:
    """Whether a side may know less than all of a game, or of a state."""
    return game.file.intelligence is not None or any(name in (MASKED, INVISIBLE) for name, _ in state.facts)
