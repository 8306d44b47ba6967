"""The command `mcp`, by which a language model asks the assistant."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Unpack

import click

from ...util.extras import require
from .options import ReadingOptions, eyes, whose, with_game


@click.command("mcp")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, readable=False))
@eyes
@with_game
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 3600),
    default=60,
    show_default=True,
    help="The longest that an answer may take.",
)
def mcp(files: tuple[Path, ...], seconds: float, **options: Unpack[ReadingOptions]) -> None:
    """Let a language model ask, by the Model Context Protocol, on standard input and output.

    A client such as a chat program begins it. The model types positions, and may read FILES: positions, saves, logs and
    journals, or folders of them. It sees them as --as, --umpire or your own setting says, writes nothing, and cannot
    change what you allow here.
    """
    require("mcp")
    from ...game.viewpoint_settings import read_viewpoints
    from ...installed.registry import game_folder
    from ..mcp.access import Access, check_roots, check_side
    from ..mcp.server import serve_model

    sys.dont_write_bytecode = True  # no bytecode files beside the code of a game
    beside = options["beside"] or ""
    beside_id = game_folder(beside).id if beside else ""
    access = Access(check_roots(files), whose(options), read_viewpoints(), beside, beside_id)
    check_side(access)
    serve_model(access, seconds)
