"""The commands `symbols` and `colours`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assistant.util.console import echo
from assistant.util.errors import InputError, Where

if TYPE_CHECKING:
    from assistant.drawing.scene import Scene
    from assistant.game.games import Game


def _out(usual: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    shown = f"The file to write: PDF, SVG or PNG. By default {usual}."
    return click.option("-o", "--out", type=click.Path(path_type=Path), default=Path(usual), help=shown)


_force = click.option("--force", is_flag=True, help="Overwrite existing files.")


@click.command("symbols")
@click.argument("game", required=False)
@_out("symbols.pdf")
@_force
def symbols(game: str | None, out: Path, force: bool) -> None:
    """Draw all symbols with their words, those of a GAME first."""
    from .pictures import symbols_scene

    _write(symbols_scene, game, out, force)


@click.command("colours")
@click.argument("game", required=False)
@_out("colours.pdf")
@_force
def colours(game: str | None, out: Path, force: bool) -> None:
    """Draw the colours of nations, as the colour-blind see them and in grey too: all of ours, or those of a GAME."""
    from .pictures import colours_scene

    _write(colours_scene, game, out, force)


def _write(scene: Callable[[Game | None], Scene], game: str | None, out: Path, force: bool) -> None:
    from assistant.drawing.writers import WRITERS
    from assistant.plugins.registry import named_game
    from assistant.util.saving import check_free, write_whole

    writer = WRITERS.get(out.suffix.lower())
    if writer is None:
        hint = f"end it in {', '.join(WRITERS)}"
        raise InputError(f"{out} is not the name of a picture", where=Where("--out"), hint=hint)
    check_free(out, force=force)
    drawn = scene(named_game(game) if game else None)
    write_whole(out, writer(drawn), force=force)
    echo(f"{out}: {drawn.title}")
