"""The commands `check`, `convert` and `compare`, for a position or the pieces in a save of another module."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import click

from ...formats.vassal import ENDINGS
from ...formats.vassal.adoption.legend import UnknownModule
from ...records.mailing import carry_over
from ...service import check_position, handed_on, to_json
from ...service import compare as compared
from ...service import notation as as_notation
from ...util.console import echo
from ...util.errors import InputError, Where, located
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
    game_loader,
    may_be_limited,
    open_position,
    watchable,
    whose,
    with_game,
)
from .output import draw_standing, opened, say_what_is_left, show

if TYPE_CHECKING:
    from ...asking.report import Report
    from ...formats.positions import Position
    from ...formats.vassal.modules import Module
    from ...formats.vassal.others.listing import SaveListing
    from ...formats.vassal.others.sight import Eyes
    from ...formats.vassal.saves import Save


F = TypeVar("F", bound=Callable[..., Any])


def _with_module(command: F) -> F:
    meaning = "The module of a save that the builder did not make, for its places; repeat it for each extension."
    return click.option(
        "--module",
        "modules",
        type=click.Path(path_type=Path, readable=False),
        multiple=True,
        metavar="FILE",
        help=meaning,
    )(command)


def _with_picture(command: F) -> F:
    meaning = "Draw where the units stand, or the listed pieces lie, into this SVG, PDF or PNG file."
    drawn = click.option("--picture", type=click.Path(path_type=Path, readable=False), help=meaning)
    return drawn(click.option("--force", is_flag=True, help="Overwrite an existing picture.")(command))


@click.command("check", cls=GameCommand)
@click.argument("state", type=StateArgument())
@_with_module
@_with_picture
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
            show([_with_understood(report, position, state, given)], given)
            if target:
                draw_standing(position, target, force=force)

        _list_instead(state, options, checked, as_json=as_json, picture=target, force=force)

    answer_once_or_anew(ctx, watch, state, answer)


@click.command("convert", cls=GameCommand)
@click.argument("state", type=StateArgument())
@click.option("--notation", is_flag=True, help="As position notation instead.")
@click.option(
    "--onto", metavar="SAVE", help="A save of the same game, onto which STATE is written; --after names the result."
)
@click.option("--after", metavar="FILE", help="The save (.vsav) or log (.vlog) to write, with --onto.")
@click.option("--force", is_flag=True, help="Overwrite a file that exists.")
@_with_module
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
        _list_instead(state, options, converted, as_json=True)


def _carry_over(state: str, onto: str, after: str, options: ModuleOptions, *, force: bool) -> None:
    position = open_position(state, options)
    module = None
    if options["modules"]:
        from ...formats.vassal.modules import read_modules  # imported here because few positions become a save

        module = read_modules(options["modules"])
    not_shown = carry_over(position, onto, after, module=module, force=force)
    echo(f"{'log' if after.lower().endswith('.vlog') else 'save'} written: {after}", err=True)
    say_what_is_left(not_shown)


@click.command("compare", cls=GameCommand)
@click.argument("before", type=StateArgument())
@click.argument("after", type=StateArgument())
@_with_module
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
    answer_once_or_anew(ctx, watch, after, lambda _: _compare_positions(before, after, options))


def _compare_positions(before: str, after: str, options: CompareOptions) -> None:
    options_before = _with_standard_input(before, options)
    options_after = _with_standard_input(after, options)
    if not options["modules"]:
        try:
            position = open_position(before, options_before)
            other = open_position(after, options_after)
        except UnknownModule:  # one file is of an unknown module; the other may not be a save
            if not all(file == "-" or file.lower().endswith(ENDINGS) for file in (before, after)):
                raise
        else:
            show([compared(position, other, called=(before, after))], options)
            return
    from ...records.explaining.save_differences import report_save_differences

    first, _ = _list_pieces(before, options_before)
    last, _ = _list_pieces(after, options_after)
    show([report_save_differences(first, last, (before, after), umpire=options["umpire"])], options)


def _with_standard_input(file: str, options: CompareOptions) -> CompareOptions:
    """Return the options with the content of standard input, which can be read only once, if the file is "-"."""
    return {**options, "data": data_of(file, options)} if file == "-" else options


def _list_instead(
    state: str,
    options: ModuleOptions,
    read: Callable[[ModuleOptions], None],
    *,
    as_json: bool,
    picture: Path | None = None,
    force: bool = False,
) -> None:
    """Run a command on a position, or list the pieces if the file is an unknown module or its save.

    `read`: runs the command, with the options and the `data` already read.
    `picture`: the file for a drawing of the list, overwritten if `force` is set.

    Raises the errors of reading. Raises InputError for an unknown side, or if the picture cannot be written.
    """
    from ...formats.vassal.adoption.legend import SeveralGames, UnknownModule

    if picture is not None:
        from .output import check_targets

        check_targets({"picture": picture, "force": force, "after": None, "chart": None})
    if Path(state).suffix.lower() == ".vmdx":
        hint = f"assistant check MODULE.vmod --module {Path(state).name}"
        raise InputError("an extension is read with its module", where=Where(state), hint=hint)
    if state == "-":  # standard input can be read only once
        options = {**options, "data": data_of(state, options)}
    if options["modules"] or Path(state).suffix.lower() == ".vmod":
        _list_saves(state, options, as_json=as_json, picture=picture, force=force)
        return
    try:
        read(options)
    except UnknownModule as unknown:
        if isinstance(unknown, SeveralGames):
            echo(str(unknown), err=True)
        _list_saves(state, options, as_json=as_json, picture=picture, force=force)


def _with_understood(report: Report[Any], position: Position, state: str, options: ReadingOptions) -> Report[Any]:
    """Return the report with the guesses of an adopted module's mapping, and the share of the save that is understood.

    Any other report is returned unchanged.
    """
    from ...formats.vassal import ENDINGS
    from ...formats.vassal.adoption.mapping_files import has_mappings
    from ...state.state import is_limited

    if Path(state).suffix.lower() not in ENDINGS or not has_mappings():
        return report
    from msgspec.structs import replace

    from ...asking.report import Part, Step
    from ...formats.vassal.adoption.legend import AdoptedLegend
    from ...formats.vassal.adoption.understood import describe_guesses, describe_understood
    from ...formats.vassal.positions import legend_of
    from ...formats.vassal.replay import replay
    from ...formats.vassal.saves import read_save

    save = replay(read_save(data_of(state, options)))
    legend = legend_of(save, game_loader(options))
    if not isinstance(legend, AdoptedLegend):
        return report
    guesses = (Step("", "{facts}", {"facts": sentence}) for sentence in describe_guesses(legend))
    report = replace(report, cautions=(*report.cautions, *guesses))
    if is_limited(position.state.seen_by):
        return report
    steps = tuple(Step("", "{facts}", {"facts": sentence}) for sentence in describe_understood(save, legend))
    return replace(report, parts=(*report.parts, Part("Understood", steps)))


def _list_saves(state: str, options: ModuleOptions, *, as_json: bool, picture: Path | None, force: bool) -> None:
    from ...formats.vassal.others.listing import format_listing
    from ...util.console import encode_json

    pieces, what = _list_pieces(state, options)
    echo(encode_json(pieces).decode().rstrip("\n") if as_json else format_listing(pieces, what))
    if picture is not None:
        from ...drawing import WRITERS
        from ...drawing.save_map import listing_scene
        from .output import write_drawing

        write_drawing(picture, WRITERS[picture.suffix.lower()](listing_scene(pieces)), "picture", force=force)


def _list_pieces(state: str, options: ModuleOptions) -> tuple[SaveListing, str]:
    """Return the pieces of a save, a log or a module's new game as the side sees them, and the kind of file."""
    from ...formats.vassal.modules import read_modules
    from ...formats.vassal.others.listing import list_save
    from ...formats.vassal.others.sight import visible_save
    from ...util.limits import Limit, kept_private

    limited = may_be_limited(options)
    paths = [Path(state), *options["modules"]] if _is_module(state) else options["modules"]
    module = read_modules(paths) if paths else None
    where = Where("standard input" if state == "-" else state)
    with kept_private(where.file, limited=limited), located(where):
        save, what = _open_save(state, options, module)
        if not limited:
            return list_save(save, module), what
        eyes, known = _find_viewpoint(save, module, options)
        pieces = list_save(visible_save(save, known, eyes), known, eyes.called)
    with located(where):
        Limit.PIECES.check(len(pieces.pieces), "it holds")
    if not _is_module(state):
        what = "A save or a log"  # "a log" would reveal steps that the side may not see
    return pieces, what


def _is_module(state: str) -> bool:
    return Path(state).suffix.lower() == ".vmod"


def _open_save(state: str, options: ReadingOptions, module: Module | None) -> tuple[Save, str]:
    from ...formats.vassal.containers import check_same
    from ...formats.vassal.modules import set_up_game
    from ...formats.vassal.replay import replay
    from ...formats.vassal.saves import mark_private, read_save

    if module is not None and _is_module(state):
        return set_up_game(module), "A new game"
    save = read_save(data_of(state, options))
    if module is not None:
        check_same(save.about, module.about)
    with mark_private():
        return replay(save), "A log" if save.steps else "A save"


def _find_viewpoint(save: Save, module: Module | None, options: ReadingOptions) -> tuple[Eyes, Module]:
    """Return the viewpoint on a save, and its module, which states the private facts."""
    from ...formats.vassal.adoption.legend import UnknownModule
    from ...formats.vassal.others.sight import find_eyes
    from ...formats.vassal.positions import legend_of

    named = whose(options)
    if not named:
        hint = "name one of its sides with --as, or look at all of it with --umpire"
        raise InputError("you have chosen a side of a game, but not of this module", hint=hint)
    try:
        game = legend_of(save, game_loader(options)).game
    except UnknownModule:
        if module is None:
            what = f"which windows of {save.about.module or 'its module'} are private is not known without its file"
            raise InputError(what, hint="name it: --module FILE.vmod") from None
        return find_eyes(named, save, module), module
    hint = "leave out --module: `check` and the questions show what a side may know"
    raise InputError(f"{game.title} has special rules for what a side may see", hint=hint)
