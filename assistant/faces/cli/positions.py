"""The commands on a whole position: `check`, `convert` and `compare`."""

from __future__ import annotations

from typing import Unpack

import click

from ...formats.vassal import ENDINGS
from ...formats.vassal.adoption.legend import UnknownModule
from ...records.mailing import carry_over
from ...service import check_position, handed_on, to_json
from ...service import compare as compared
from ...service import notation as as_notation
from ...util.console import echo
from ...util.errors import InputError, Where
from .ask import answer_once_or_anew, shown
from .group import GameCommand
from .options import (
    CheckOptions,
    CompareOptions,
    ModuleOptions,
    ReadingOptions,
    StateArgument,
    data_of,
    eyes,
    open_position,
    watchable,
    with_game,
)
from .other_modules import list_instead, list_pieces, with_module, with_picture, with_understood
from .output import draw_standing, opened, say_what_is_left, show


@click.command("check", cls=GameCommand)
@click.argument("state", type=StateArgument())
@with_module
@with_picture
@shown
@watchable
@click.pass_context
def check(ctx: click.Context, /, state: str, watch: bool, **options: Unpack[CheckOptions]) -> None:
    """What was understood of a position, and whether the questions and parameters in it are known.

    For a save of another module its pieces are listed, with their places and states; of one that you have adopted it
    says how much of it is understood.
    """

    target = options["picture"]
    as_json = options["as_json"]

    def answer(anew: bool) -> None:
        force = options["force"] or anew

        def checked(read: ModuleOptions) -> None:
            given: CheckOptions = {**options, **read}
            position = opened(state, given)
            report = check_position(position)
            show([with_understood(report, position, state, given)], given)
            if target:
                draw_standing(position, target, force=force)

        list_instead(state, options, checked, as_json=as_json, picture=target, force=force)

    answer_once_or_anew(ctx, watch, state, answer)


@click.command("convert", cls=GameCommand)
@click.argument("state", type=StateArgument())
@click.option("--notation", is_flag=True, help="As position notation instead.")
@click.option(
    "--onto", metavar="SAVE", help="A save of the same game, onto which STATE is written; --after names the result."
)
@click.option("--after", metavar="FILE", help="The save (.vsav) or log (.vlog) to write, with --onto.")
@click.option("--force", is_flag=True, help="Overwrite a file that exists.")
@with_module
@eyes
@with_game
def convert(
    state: str, notation: bool, onto: str | None, after: str | None, force: bool, **options: Unpack[ModuleOptions]
) -> None:
    """A position as JSON; with --as, what that side may be given of it, without questions and answers.

    For a save of another module its pieces are listed, with all their properties. With --onto and --after the position,
    a turn of a journal for example, becomes a save that VASSAL opens.
    """
    if (onto is None) != (after is None):
        raise InputError("--onto and --after belong together", hint="name the save to begin with, and the one to write")
    if after is not None and notation:
        raise InputError("--notation prints a position, and --after writes a save", hint="leave out one of the two")
    if onto is not None and after is not None:
        _carry_over(state, onto, after, options, force=force)
        return

    def converted(options: ReadingOptions) -> None:
        position = handed_on(open_position(state, options))
        echo(as_notation(position) if notation else to_json(position), nl=not notation)

    if notation:
        converted(options)
    else:
        list_instead(state, options, converted, as_json=True)


def _carry_over(state: str, onto: str, after: str, options: ModuleOptions, *, force: bool) -> None:
    """Write the save in which a game stands as in a position, and say what it does not show."""
    position = open_position(state, options)
    module = None
    if options["modules"]:
        from ...formats.vassal.modules import read_modules  # only here: most positions become no save

        module = read_modules(options["modules"])
    left = carry_over(position, onto, after, module=module, force=force)
    echo(f"{'log' if after.lower().endswith('.vlog') else 'save'} written: {after}", err=True)
    say_what_is_left(left)


@click.command("compare", cls=GameCommand)
@click.argument("before", type=StateArgument())
@click.argument("after", type=StateArgument())
@with_module
@eyes
@with_game
@click.option("--json", "as_json", is_flag=True, help="The whole comparison as JSON.")
@click.option("--narrow", is_flag=True, help="Text for a phone, 40 columns wide.")
@click.option("--forum", is_flag=True, help="Plain lines to paste into a post.")
@watchable
@click.pass_context
def compare(ctx: click.Context, /, before: str, after: str, watch: bool, **options: Unpack[CompareOptions]) -> None:
    """What moved, was lost, came and changed from one position to another: two saves of a game, say.

    BEFORE and AFTER are files of positions; of a log, the position after its last step counts. For saves of another
    module, or with --module, the pieces are compared. With --watch, again whenever AFTER is saved.
    """
    if before == after == "-":
        raise InputError(
            "standard input can be only one of the two", where=Where("-"), hint="name a file for the other"
        )
    answer_once_or_anew(ctx, watch, after, lambda _: _compare(before, after, options))


def _compare(before: str, after: str, options: CompareOptions) -> None:
    """Compare two positions, or the pieces of two saves of a module that nobody has adopted, and show the report."""
    options_before = _with_standard_input(before, options)
    options_after = _with_standard_input(after, options)
    if not options["modules"]:
        try:
            position = open_position(before, options_before)
            other = open_position(after, options_after)
        except UnknownModule:  # of one of them: the other may be no save
            if not all(file == "-" or file.lower().endswith(ENDINGS) for file in (before, after)):
                raise
        else:
            show([compared(position, other, called=(before, after))], options)
            return
    from ...records.explaining.save_differences import report_save_differences

    first, _ = list_pieces(before, options_before)
    last, _ = list_pieces(after, options_after)
    show([report_save_differences(first, last, (before, after), umpire=options["umpire"])], options)


def _with_standard_input(file: str, options: CompareOptions) -> CompareOptions:
    """Return the options with what standard input holds, which can be read only once, if it stands for the file."""
    return {**options, "data": data_of(file, options)} if file == "-" else options
