"""`python -m tools.geography GAME`: draw the boards of a game from its tables in `games/`."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.installed.registry import named_game
from assistant.util.console import echo
from assistant.util.errors import InputError
from assistant.util.writing import write_whole

from ..command import run_tool
from .draft import Draft
from .files import board_files
from .tables import Tables

_NAME = "tools.geography"
GAMES = Path(__file__).parent / "games"
"""The folder with the tables of each game, in a folder with the name of the game's own."""


@click.command()
@click.argument("game")
@click.option("--extract", is_flag=True, help="First take coasts, rivers and heights anew from the installed data.")
@click.option(
    "--tables",
    "described",
    type=click.Path(path_type=Path),
    help="The tables, by themselves or in a folder for each board. By default those in `games/` here.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Where each board gets its folder. By default the game's boards."
)
def main(game: str, extract: bool, described: Path | None, out: Path | None) -> None:
    """Draw the boards of a GAME (an id or a folder) from its tables."""
    loaded = named_game(game)
    folder = Path(str(loaded.folder))
    described = described or GAMES / folder.name
    boards = sorted(file.parent for file in described.glob("**/geography.toml"))
    if not boards:
        raise InputError(f"no geography.toml in {described}")
    for tables in map(Tables, boards):
        settings = tables.settings
        if extract and settings.frame:
            from .extract import tables as extracted

            for name, text in extracted(settings.frame, settings.extracted, detail=settings.detail):
                write_whole(tables.folder / name, text.encode(), force=True)
        target = (out or folder / "boards") / settings.board
        target.mkdir(parents=True, exist_ok=True)
        files = board_files(Draft(tables, loaded.file.grid), loaded.tracks, game)
        for name, text in files.items():
            if text:
                write_whole(target / name, text.encode(), force=True)
            else:
                (target / name).unlink(missing_ok=True)
        echo(f"{target}: {sum(map(bool, files.values()))} files")


if __name__ == "__main__":
    run_tool(main, _NAME)
