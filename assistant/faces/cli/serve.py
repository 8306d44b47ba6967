"""The command `serve`: all tables on this machine, or one table for phones and tablets."""

from __future__ import annotations

import click

from .group import GameCommand
from .options import StateArgument


@click.command("serve", cls=GameCommand)
@click.argument("game", required=False)
@click.argument("state", type=StateArgument(), required=False)
@click.option("--lan", is_flag=True, help="Answer other devices in the network, not this machine alone.")
@click.option(
    # a fixed port lets waiting pages find their table again
    "--port",
    type=click.IntRange(0, 65535),
    default=1914,
    show_default=True,
    help="The port; 0 takes a free one. Without GAME another is taken if it is not free.",
)
@click.option(
    "--no-browser",
    is_flag=True,
    envvar="FIELD_STAFF_NO_BROWSER",
    help="Open no browser, as without a terminal; the address is printed.",
)
def serve(game: str | None, state: str | None, lan: bool, port: int, no_browser: bool) -> None:
    """The table page on this machine. Without GAME all your tables, in your browser: `field-staff` alone does that.

    With GAME one table: a link for each side, which shows no more than it may know, and one for the umpire. Without
    STATE the table of the GAME goes on where it was. A journal is played on; a table begins with a position, a save or
    a log, and takes in what changes there; of a folder, with its newest save or log.
    """
    from pathlib import Path

    from ...installed.registry import named_game
    from ...service import read
    from ...util.desktop import has_terminal, is_double_clicked
    from ...util.errors import InputError
    from ..page.server.serving import open_served, open_tables

    if game is None:
        if lan:
            raise InputError("--lan serves one table", hint="name its game or its journal: assistant serve GAME --lan")
        is_hidden = is_double_clicked()
        open_tables(port, browser=not no_browser and (is_hidden or has_terminal()), ends_unwatched=is_hidden)
    elif state is None and Path(game).is_file():
        open_served(read(game).game, game, lan=lan, port=port)
    else:
        open_served(named_game(game), state, lan=lan, port=port)
