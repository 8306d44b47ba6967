"""The command that opens the table prompt."""

from __future__ import annotations

import sys
from typing import Any

import click

from .errors import InputError, Where
from .eyes import eyes


@click.command("table")
@click.argument("game")
@click.argument("state", required=False)
@click.option("--new", is_flag=True, help="Begin with an empty table, not with the one of before.")
@eyes
def table(game: str, state: str | None, new: bool, **options: Any) -> None:
    """A prompt for a paper map: combats of a GAME in one line each, dice as they fall.

    It goes on where it was left; with a position STATE it begins there. `help` inside tells what can be typed.
    """
    import shutil

    from .asking import shows_bars
    from .eyes import open_position
    from .positions import Position
    from .prompt.keeping import kept_table, table_file
    from .prompt.session import Session
    from .prompt.table import Table
    from .prompt.terminal import run
    from .registry import load_game

    loaded = load_game(game)
    file = table_file(loaded.id)
    before = None if new or state else kept_table(file, load_game)
    begin = Table(Position(loaded, loaded.state()))
    if state:
        position = open_position(state, options)
        if position.game.id != loaded.id:
            raise InputError(
                f"this is a position of {position.game.id}", where=Where(state), hint=f"not of {loaded.id}"
            )
        begin = Table(position._replace(asks=position.asks[:1]))
    if not before and file.exists():
        file.replace(file.with_suffix(".before.json"))
    session = Session(
        before or begin,
        min(shutil.get_terminal_size((100, 24)).columns, 100),
        file,
        bars=shows_bars(sys.stdout.encoding),
    )
    click.echo(f"{loaded.title}, at the table; `help` tells what can be typed.")
    if before:
        click.echo(f"Going on with {len(before.position.state.units)} units of before; `new` begins anew.")
    run(session)
