"""`module-builder import`: a module turned into the folder of a game."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.util.console import count_text, echo


@click.command("import")
@click.argument("module", type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), required=True, help="The folder to write to, a new or an empty one."
)
@click.option(
    "--extension",
    "extensions",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A VASSAL extension (.vmdx) whose pieces and boards are added. Repeat it for several.",
)
def import_command(module: Path, out: Path, extensions: tuple[Path, ...]) -> None:
    """Turn a VASSAL MODULE into the data files of a game: counters with their pictures, boards, set-ups, charts.

    Its pictures and texts belong to the maker of the module and of the game: the folder is for your own table, not to
    be passed on.
    """
    from .game import REPORT, import_module

    made = import_module(module, out, extensions)
    echo(f"{out}: {', '.join(made.findings.in_words) or 'the module holds no pieces and no maps'}")
    lost = made.findings.lost
    echo(
        f"{count_text(lost, 'thing')} not taken over: {out / REPORT} lists them"
        if lost
        else "everything was taken over"
    )
    echo(f"next: module-builder check {out}")
