"""The command `page`."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.installed.registry import make_game_loader, named_game
from assistant.util.console import echo, format_count, show_working
from assistant.util.errors import InputError, Where
from assistant.util.writing import write_all

from ..printing import force
from .folder import make_page
from .parts import fetch_parts, kept_parts, read_parts
from .program import games_to_pack, program_files
from .still import find_still


@click.command("page")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, readable=False),
    required=True,
    help="The folder to write to, a new or an empty one.",
)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    help=(
        "Only this game: an installed one by its id, or a folder. Repeat it for several. By default all that "
        "are installed."
    ),
)
@click.option(
    "--parts",
    type=click.Path(path_type=Path, readable=False),
    help="A folder with Pyodide and the wheels, instead of those fetched.",
)
@click.option(
    "--fetch", is_flag=True, help="Have npm and pip fetch Pyodide and the wheels first; they are stored for later."
)
@force
def page(out: Path, games: tuple[str, ...], parts: Path | None, fetch: bool, force: bool) -> None:
    """Make a folder with the table page, for any static host: the rules run in the reader's own browser, without a
    network after the first visit. The handbook's page "Hosting the table page" says how.
    """
    if fetch and parts:
        raise InputError("--fetch has its own folder for what it fetches", where=Where("--parts"), hint="leave one out")
    _check_folder(out, force=force)
    packed = games_to_pack(games)
    if fetch:
        with show_working("fetching Pyodide and the wheels"):
            fetch_parts(kept_parts())
    with show_working(f"making {out}"):
        read = read_parts(parts or kept_parts(), named=parts is not None)
        still = find_still(
            make_game_loader(named_game(game.home) if game.home else None, pack="none")(game.id) for game in packed
        )
        made = make_page(program_files(packed, read), read, still)
    write_all(out, made.files, force=force)
    if not made.is_compiled:
        echo("Node.js is not installed, so the page is not compiled and starts more slowly", err=True)
    for game in packed:
        if game.left_out:
            files, first = format_count(len(game.left_out), "file"), game.left_out[0]
            echo(f"{game.id}: {files} left out from which no game is read, {first} first", err=True)
    size = sum(map(len, made.files.values())) / 1e6
    echo(f"{out}: {format_count(len(made.files), 'file')}, {size:.1f} MB, with {', '.join(game.id for game in packed)}")


def _check_folder(folder: Path, *, force: bool) -> None:
    """Raise InputError for a folder that holds anything, unless it may be written over."""
    if not force and folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        hint = "name a new folder, or --force writes over what it holds"
        raise InputError("it already exists", where=Where(str(folder)), hint=hint)
