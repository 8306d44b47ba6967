"""`assistant compare`: what differs between two positions of one game, or between two saves of any module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from ..util.errors import InputError, Where
from .published.other_modules import with_module
from .state_files import StateFile
from .viewpoint_options import data_of, eyes, with_game
from .watching import answer_anew, watchable


@click.command("compare")
@click.argument("before", type=StateFile())
@click.argument("after", type=StateFile())
@with_module
@eyes
@with_game
@click.option("--json", "as_json", is_flag=True, help="The whole comparison as JSON.")
@click.option("--narrow", is_flag=True, help="Text for a phone, 40 columns wide.")
@click.option("--forum", is_flag=True, help="Plain lines to paste into a post.")
@watchable
@click.pass_context
def compare(ctx: click.Context, /, before: str, after: str, watch: bool, **options: Any) -> None:
    """What moved, was lost, came and changed from one position to another: two saves of a game, say.

    BEFORE and AFTER are files of positions; of a log, the position after its last step counts. Of saves of another
    module the pieces are compared, and so they are with --module. With --watch, again whenever AFTER is saved.
    """
    if before == after == "-":
        raise InputError(
            "standard input can be only one of the two", where=Where("-"), hint="name a file for the other"
        )
    if watch:
        answer_anew(after, ctx.find_root().info_name or "", lambda anew: _compare(before, after, options))
    else:
        _compare(before, after, options)


def _compare(before: str, after: str, options: Mapping[str, Any]) -> None:
    """Compare two positions, or the pieces of two saves of a module that nobody has adopted, and show the report."""
    from ..formats.vassal.adopted.legend import UnknownModule
    from ..service import compare as compared
    from .output import show
    from .viewpoint_options import open_position

    both = [(file, {**options, "data": data_of(file, options)} if file == "-" else options) for file in (before, after)]
    if not options["modules"]:
        try:
            position, other = (open_position(file, given) for file, given in both)
        except UnknownModule as error:
            _check_saves(before, after, error)
        else:
            show([compared(position, other, called=(before, after))], options)
            return
    from ..explaining.following import followed
    from .published.other_modules import list_pieces

    first, last = (list_pieces(file, given)[0] for file, given in both)
    show([followed(first, last, (before, after), umpire=options["umpire"])], options)


def _check_saves(before: str, after: str, error: InputError) -> None:
    """Raise the error, which says that the module of one is not known, if the other is not a save."""
    from ..formats.vassal import ENDINGS

    if not all(file == "-" or file.lower().endswith(ENDINGS) for file in (before, after)):
        raise error
