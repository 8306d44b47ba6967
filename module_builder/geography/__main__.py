"""`python -m module_builder.geography GAME`: the board that a game's folder `geography/` describes, drawn anew."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from assistant.cli.group import UNUSABLE
from assistant.plugins.registry import named_game
from assistant.util.echo import echo
from assistant.util.errors import InputError
from assistant.util.saving import write_whole

from .draft import Draft
from .files import board_files
from .tables import Tables

_NAME = "module_builder.geography"


@click.command()
@click.argument("game")
@click.option("--extract", is_flag=True, help="First take coasts, rivers and heights anew from the installed data.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Where each board gets its folder. By default the game's boards."
)
def main(game: str, extract: bool, out: Path | None) -> None:
    """Draw the boards of a GAME (an id or a folder) from the tables in its folder `geography`, or in the folders there."""
    found = named_game(game)
    folder = Path(str(found.folder))
    described = sorted(file.parent for file in folder.glob("geography/**/geography.toml"))
    if not described:
        raise InputError(f"{game} has no geography.toml in a folder geography")
    for tables in map(Tables, described):
        if extract and tables.settings.frame:
            from .extract import tables as extracted

            for name, text in extracted(tables.settings.frame).items():
                write_whole(Path(str(tables.folder)) / name, text.encode(), force=True)
        target = (out or folder / "boards") / tables.settings.board
        target.mkdir(parents=True, exist_ok=True)
        files = board_files(Draft(tables, found.file.grid), found.tracks, game)
        for name, text in files.items():
            if text:
                write_whole(target / name, text.encode(), force=True)
            else:
                (target / name).unlink(missing_ok=True)
        echo(f"{target}: {sum(map(bool, files.values()))} files")


def program() -> None:
    """Run the command with the words of the command line. Unusable input ends with a message and exit code 3."""
    try:
        main(prog_name=_NAME)
    except InputError as error:
        echo(f"{_NAME}: {error}", err=True)
        sys.exit(UNUSABLE)


if __name__ == "__main__":
    program()
