"""The command that serves a table to phones and tablets."""

from __future__ import annotations

import click

from ..util.extras import require
from .group import GameCommand
from .options import StateFile


@click.command("serve", cls=GameCommand)
@click.argument("game")
@click.argument("state", type=StateFile(), required=False)
@click.option("--lan", is_flag=True, help="Answer other devices in the network, not this machine alone.")
@click.option(
    # the same each time, so that pages that wait find their table again
    "--port",
    type=click.IntRange(0, 65535),
    default=1914,
    show_default=True,
    help="The port; 0 takes a free one.",
)
def serve(game: str, state: str | None, lan: bool, port: int) -> None:
    """The table page on this machine: a link for each side, which shows no more than it may know, and one for the umpire.

    Without STATE the table of the GAME goes on where it was. A journal is played on; a table begins with a position, a save or a log, and
    takes in what changes there.
    """
    require("serve")
    from pathlib import Path

    from ..page.serving.opening import open_served
    from ..plugins.registry import named_game
    from ..service import read

    if state is None and Path(game).is_file():
        state, playing = game, read(game).game
    else:
        playing = named_game(game)
    open_served(playing, state, lan=lan, port=port)
