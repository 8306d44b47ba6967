"""`assistant link`: a position as a link, and as a QR code."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from ...asking.question import find_viewpoint, viewpoint_title
from ...asking.report import format_viewpoint
from ...asking.view import View
from ...drawing.qr import WRITERS, qr_code
from ...service import link as linked
from ...util.console import echo
from ...util.errors import InputError, Where, located
from ...util.writing import check_free, write_whole
from .options import ReadingOptions, StateArgument, eyes, open_position, with_game

TERMINAL = "-"
"""The word that stands for the terminal in place of a file."""


@click.command("link")
@click.argument("state", type=StateArgument())
@click.option(
    "--page",
    metavar="URL",
    envvar="FIELD_STAFF_PAGE",
    default="",
    help="The address of the page that the link opens. Also by the variable FIELD_STAFF_PAGE; without it, what stands "
    "after an address is printed.",
)
@click.option(
    "--qr", metavar="FILE", help="Also write it as a QR code into this SVG or PNG file; - shows it in the terminal."
)
@click.option("--force", is_flag=True, help="Overwrite a picture that exists.")
@eyes
@with_game
def link(state: str, page: str, qr: str | None, force: bool, **options: Unpack[ReadingOptions]) -> None:
    """A position as a link, with its questions, dice and choices: who opens it on the page sees the whole answer.

    The position stands in the link itself, and no server receives it. With --as it holds what that side may know. Chart
    cells are never in it.
    """
    _check_page(page, qr)
    target = Path(qr) if qr and qr != TERMINAL else None
    if target:
        _check_target(target, force=force)
    position = open_position(state, options)
    fragment, left_out = linked(position)
    view = View(position.game, position.state)
    if seen := format_viewpoint(find_viewpoint(view), viewpoint_title(view), position.game.id):
        echo(seen, err=True)
    for what in left_out:
        echo(f"left out: {what}", err=True)
    if not page:
        echo("to be put after the address of a page:", err=True)
    echo(page + fragment)
    if qr:
        _show_link(page + fragment, target, force=force)


def _check_page(page: str, qr: str | None) -> None:
    """Raise InputError if the page's address is unusable, or if it is missing for a QR code.

    A usable address can be followed by a fragment.
    """
    with located(Where("--page")):
        if not page.isprintable() or "#" in page or " " in page:
            raise InputError(
                f"{page!r} is not the address of a page", hint="such as https://example.org/table/, without #"
            )
        if qr and not page:
            raise InputError("a phone needs the address of the page in the QR code", hint="add --page URL")


def _check_target(target: Path, *, force: bool) -> None:
    if target.suffix.lower() not in WRITERS:
        hint = "name it NAME" + " or NAME".join(WRITERS)
        raise InputError(f"{target} is not a picture file for a QR code", where=Where("--qr"), hint=hint)
    check_free(target, force=force)


def _show_link(address: str, target: Path | None, *, force: bool) -> None:
    code = qr_code(address)
    if target:
        write_whole(target, code.draw(target.suffix.lower()), force=force)
    else:
        echo("\n".join(code.in_letters()))
    if code.is_dense:
        echo(f"! this QR code is dense (version {code.version}): a phone may have to come close", err=True)
