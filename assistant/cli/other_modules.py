"""Commands on a save of a module that the builder did not make: its pieces, places and states as a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..util.echo import echo
from ..util.errors import InputError, Where, located
from .viewpoint_options import data_of, may_be_limited

if TYPE_CHECKING:
    from ..formats.vassal.modules import Module
    from ..formats.vassal.others.listing import Listing

F = TypeVar("F", bound=Callable[..., Any])


def with_module(command: F) -> F:
    """The option that names the module of a save, and its extensions."""
    help = "The module of a save that the builder did not make, for its places; again for each extension."
    return click.option(
        "--module", "modules", type=click.Path(path_type=Path), multiple=True, metavar="FILE", help=help
    )(command)


def with_picture(command: F) -> F:
    """The options that draw a list."""
    help = "List the pieces of a save or a module, and draw them into this SVG, PDF or PNG file."
    drawn = click.option("--picture", type=click.Path(path_type=Path), help=help)
    return drawn(click.option("--force", is_flag=True, help="Overwrite a picture that exists.")(command))


def list_instead(
    state: str, options: Mapping[str, Any], read: Callable[[Mapping[str, Any]], None], *, as_json: bool
) -> None:
    """Do what a command does with a position; list the pieces of a module, and of a save of one that the builder did not make.

    With a module or a picture the pieces of any save are listed. read: does it, with the options and, as `data`, what was read already.

    Raises what reading raises; InputError for a side, since what it may see is not known, and for a picture of anything else.
    """
    from ..formats.vassal.positions import UnknownModule

    if (picture := options.get("picture")) is not None:
        from ..formats.vassal import ENDINGS
        from .output import check_targets

        if Path(state).suffix.lower() not in (*ENDINGS, ".vmod"):
            hint = "the questions draw a position: assistant battle FILE --picture FILE"
            raise InputError("only a save or a module is drawn here", where=Where("--picture"), hint=hint)
        check_targets({**options, "after": None, "chart": None})
    if state == "-":  # which can be read only once
        options = {**options, "data": data_of(state, options)}
    if options["modules"] or picture is not None or Path(state).suffix.lower() == ".vmod":
        _list(state, options, as_json=as_json)
        return
    try:
        read(options)
    except UnknownModule:
        _list(state, options, as_json=as_json)


def _list(state: str, options: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the list of a save or log, or of a module's new game, and draw it."""
    from ..formats.vassal.others.listing import in_words
    from ..util.json_text import json_text

    found, what = _listed(state, options)
    echo(json_text(found).decode().rstrip("\n") if as_json else in_words(found, what))
    if (target := options.get("picture")) is not None:
        from ..drawing.writers import WRITERS
        from ..formats.vassal.others.picture import drawn
        from ..util.saving import write_whole

        write_whole(target, WRITERS[target.suffix.lower()](drawn(found)), force=options["force"])
        echo(f"picture written: {target}", err=True)


def listed(state: str, options: Mapping[str, Any]) -> tuple[Listing, str]:
    """The list of a save or log, or of a module's new game, as the side of the options sees it, and which of them it is.

    Raises InputError for what cannot be read, and for a side if it is not known what it may see.
    """
    from ..formats.vassal.saves import private
    from ..service import kept_private

    limited = may_be_limited(options)
    new = Path(state).suffix.lower() == ".vmod"
    module = None
    for path in [Path(state), *options["modules"]] if new else options["modules"]:
        added = _module(path)
        module = added if module is None else module.extended(added)
    name = "standard input" if state == "-" else state
    with kept_private(name, limited=limited), located(Where(name)):
        save, what = _opened(state, options, module, new=new)
        if not limited:
            return listing(save, module), what
        eyes = _eyes(save, module, options)
        with private():
            found = listing(seen(save, module, eyes), module, eyes.called)
    Limit.PIECES.check(len(found.pieces), "it holds")


def _opened(state: str, options: Mapping[str, Any], module: Module | None, *, new: bool) -> tuple[Save, str]:
    """A save, a log after its last step, or a module's new game, and which of them it is."""

def _check_same(belongs: str, given: str) -> None:
    """Raise InputError for a save of another module than the given one, as far as both tell their names."""
    if belongs and given and belongs != given:
        what = f"the save belongs to {belongs}, but --module names {given}"
        raise InputError(what, hint="name the module of the save")


def _module(path: Path) -> Module:
    """The module or the extension in a file, of which only what is needed is read."""
    from ..formats.vassal.modules import read_module

    if not path.is_file():
        raise InputError("there is no such file", where=Where(str(path)), hint="name one that ends in .vmod or .vmdx")
    with located(Where(str(path))):
        return read_module(path)
