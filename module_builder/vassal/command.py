"""The command `module`."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.faces.cli.group import GameCommand
from assistant.installed.registry import named_game
from assistant.util.console import echo, format_count, show_working
from assistant.util.writing import check_free, write_whole

from ..printing import check_ending, echo_last, force
from .module import build_module


@click.command("module", cls=GameCommand)
@click.argument("game")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, readable=False),
    help="The file to write. By default GAME.vmod in the current folder.",
)
@force
def module(game: str, out: Path | None, force: bool) -> None:
    """Make the VASSAL module of a GAME, with its counters, board, palettes and set-ups."""
    loaded = named_game(game)
    target = out or Path(f"{loaded.id}.vmod")
    check_ending(target, (".vmod",), "a module")
    check_free(target, force=force)
    with show_working(f"making {target}"):
        built = build_module(loaded)
    write_whole(target, built.data, force=force)
    echo_last([*built.troubles, f"{target}: {built.in_words}"])
    for title, left_out in built.setups.items():
        if left_out:
            echo(f"off this part of the map in {title}: {', '.join(left_out)}")
    for roster, count in built.absent.items():
        echo(f"in no palette, as `units` of [module] leaves {roster} out: {format_count(count, 'counter')}")
