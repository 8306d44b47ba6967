"""The commands `vassal`: the plugin by which VASSAL itself asks."""

from __future__ import annotations

import os
import sys

import click

from ...util.console import echo
from ...util.errors import InputError, Where
from .group import GameCommand


class VassalCommands(click.Group):
    """The commands of `vassal`."""

    command_class = GameCommand


@click.group(cls=VassalCommands)
def vassal() -> None:
    """A button in VASSAL that asks about what is selected there."""


@vassal.command()
def install() -> None:
    """Write the plugin into the folder from which VASSAL loads it."""
    from ...util.writing import make_folder, write_whole
    from ..vassal.plugin import SETTINGS_VARIABLE, command_of_this_program, find_plugin_file, make_plugin

    file = find_plugin_file(os.environ)
    settings = file.parents[1]
    has_vassal = settings.is_dir() and any(entry != file.parent for entry in settings.iterdir())
    make_folder(file.parent)
    write_whole(file, make_plugin(command_of_this_program()), force=True)
    echo(f"written: {file}")
    if not has_vassal:
        echo(f"! VASSAL has no settings in {settings} yet: begin it once, or name their folder in {SETTINGS_VARIABLE}.")
    echo("Restart VASSAL. Its button Ask, or Alt+Q, asks about the counters that are selected.")


@vassal.command()
def remove() -> None:
    """Take the plugin away again."""
    from ..vassal.plugin import find_plugin_file

    file = find_plugin_file(os.environ)
    try:
        file.unlink()
    except FileNotFoundError:
        echo(f"not there: {file}")
    except OSError as error:
        raise InputError(f"it cannot be removed: {error.strerror}", where=Where(str(file))) from None
    else:
        echo(f"removed: {file}")


@vassal.command()
def where() -> None:
    """Say where VASSAL loads the plugin from, and whether it is there."""
    from ..vassal.plugin import find_plugin_file

    file = find_plugin_file(os.environ)
    echo(f"{'installed' if file.is_file() else 'not installed'}: {file}")


@vassal.command()
def answer() -> None:
    """Answer what the plugin asks through standard input and output, until it closes them. VASSAL begins this."""
    from ...installed.registry import make_game_loader
    from ..vassal.answering import answer_requests

    answer_requests(sys.stdin.buffer, sys.stdout.buffer, make_game_loader(None))
