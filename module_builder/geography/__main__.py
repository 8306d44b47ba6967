"""`python -m module_builder.geography GAME`: the board that a game's folder `geography/` describes, drawn anew."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.plugins.registry import named_game
from assistant.util.echo import echo
from assistant.util.errors import InputError
from assistant.util.saving import write_whole

from .draft import Draft
from .files import board_files
from .tables import Tables


@click.command()
@click.argument("game")
@click.option("--extract", is_flag=True, help="First take coasts, rivers and heights anew from the installed data.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="The folder to write to. By default the game's boards/NAME."
)
def main(game: str, extract: bool, out: Path | None) -> None:
    """Draw the board of a GAME (an id or a folder) from the tables in its folder `geography`."""
    found = named_game(game)
    folder = Path(str(found.folder))
    if not (folder / "geography").is_dir():
        raise InputError(f"{game} has no folder geography")
    tables = Tables(folder / "geography")
    if extract:
        from .extract import tables as extracted

        for name, text in extracted(tables.settings.frame).items():
            write_whole(folder / "geography" / name, text.encode(), force=True)
    draft = Draft(tables, found.file.grid)
    target = out or folder / "boards" / tables.settings.board
    target.mkdir(parents=True, exist_ok=True)
    files = board_files(draft, found.tracks, game)
    for name, text in files.items():
        write_whole(target / name, text.encode(), force=True)
    echo(f"{target}: {len(files)} files")


if __name__ == "__main__":
    main()
