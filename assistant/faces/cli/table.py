"""The command that opens the table prompt."""

from __future__ import annotations

import sys
from typing import Unpack

import click

from ...formats.positions import JOURNAL
from .group import GameCommand
from .options import EyesOptions, StateArgument, eyes
from .start import open_journal, open_table


@click.command("table", cls=GameCommand)
@click.argument("game")
@click.argument("state", type=StateArgument(), required=False)
@click.option("--new", is_flag=True, help="Begin with an empty table instead of the saved one.")
@click.option("--narrow", is_flag=True, help="Text for a phone, 40 columns wide.")
@eyes
def table(game: str, state: str | None, new: bool, narrow: bool, **options: Unpack[EyesOptions]) -> None:
    """A prompt beside a paper map: each combat of a GAME in one line, with your dice.

    With one game installed, GAME may be left out here and in every other command; any unique beginning of its name will
    do.

    It continues where you left it, or begins with the position STATE; on a journal, NAME.journal, each line is an
    entry. `help` at the prompt lists what can be typed. --as, or else your own viewpoint, also limits the saved table
    to what that side may see; a journal is opened only by who may see everything.
    """
    if state is not None and state.endswith(JOURNAL):
        open_journal(game, state, options, narrow=narrow)
    elif open_table(game, state, options, new=new, narrow=narrow).unkept:
        sys.exit(3)
