"""The command `import`."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.faces.cli.group import GameCommand
from assistant.util.console import echo, format_count, show_working

from ..printing import force
from .game import REPORT, import_module
from .stated import PIECES


@click.command("import", cls=GameCommand)
@click.argument("module", type=click.Path(path_type=Path, readable=False))
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, readable=False),
    required=True,
    help="The folder to write to, a new or an empty one.",
)
@click.option(
    "--extension",
    "extensions",
    multiple=True,
    type=click.Path(path_type=Path, readable=False),
    help="A VASSAL extension (.vmdx) whose pieces and boards are added. Repeat it for several.",
)
@click.option(
    "--pieces",
    type=click.Path(path_type=Path, readable=False),
    help="A table (CSV) of what the module does not say of its pieces: piece, nation, side, unit.",
)
@force
def import_command(module: Path, out: Path, extensions: tuple[Path, ...], pieces: Path | None, force: bool) -> None:
    """Turn a VASSAL MODULE into the data files of a game: counters with their pictures, boards, set-ups, charts.

    Its pictures and texts belong to the maker of the module and of the game: the folder is for your own table, not to
    be passed on.
    """
    with show_working(f"reading {module}"):
        made = import_module(module, out, extensions, pieces, force=force)
    echo(f"{out}: {', '.join(made.findings.in_words) or 'the module holds no pieces and no maps'}")
    lost, unknown = made.findings.lost, len(made.findings.unknown)
    if lost:
        echo(f"{format_count(lost, 'item')} not imported: listed in {out / REPORT}")
    if unknown:
        echo(f"nation or side not known: {format_count(unknown, 'row')} to fill in, {out / PIECES}")
    if not lost and not unknown:
        echo("everything was imported")
    echo(f"next: module-builder check {out}, then assistant adopt {module} --game {out}")
