"""`assistant compare`: what differs between two positions of one game."""

from __future__ import annotations

from typing import Any

import click

from ..util.errors import InputError, Where
from .viewpoint_options import eyes, with_game


@click.command("compare")
@click.argument("before")
@click.argument("after")
@eyes
@with_game
@click.option("--json", "as_json", is_flag=True, help="The whole comparison as JSON.")
@click.option("--narrow", is_flag=True, help="Text for a phone, 40 columns wide.")
@click.option("--forum", is_flag=True, help="Plain lines to paste into a post.")
def compare(before: str, after: str, **options: Any) -> None:
    """What moved, was lost, came and changed from one position to another: two saves of a game, say.

    BEFORE and AFTER are files of positions; of a log, the position after its last step counts.
    """
    from ..service import compare as compared
    from .output import show
    from .viewpoint_options import open_position

    if before == after == "-":
        raise InputError(
            "standard input can be only one of the two", where=Where("-"), hint="name a file for the other"
        )
    one, other = (open_position(file, options) for file in (before, after))
    show([compared(one, other, called=(before, after))], options)
