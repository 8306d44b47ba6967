"""The builder's command line. Exit codes: 0 done, 1 a check found mistakes, 2 no such option, 3 unusable input."""

from __future__ import annotations

import click

from assistant.faces.cli.group import LateCommand, Program, run
from assistant.util.signals import end_as_interrupted


@click.group("module-builder", cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="field-staff", prog_name="module-builder")
def cli() -> None:
    """Makes modules and counters from a game's data files."""


COMMANDS = {
    "new": ("new:new", "Make a FOLDER with a small game that works at once, for you to change."),
    "check": (
        "check:check",
        (
            "Read all files of a GAME (an id or a folder), and say what is in them, or every mistake in a line "
            "(exit code 1)."
        ),
    ),
    "check-changed": (
        "check:check_changed",
        "Check each game that one of these FILES belongs to: the nearest folder above it with a game.toml.",
    ),
    "module": (
        "vassal.command:module",
        "Make the VASSAL module of a GAME, with its counters, board, palettes and set-ups.",
    ),
    "counters": ("counters.command:counters", "Draw the counters and markers of a GAME as PNG files, both sides."),
    "symbols": ("gallery:symbols", "Draw all symbols with their words, those of a GAME first."),
    "colours": (
        "gallery:colours",
        "Draw the colours of nations, as the colour-blind see them and in grey too: all of ours, or those of a GAME.",
    ),
    "import": (
        "importing.game:import_command",
        "Turn a VASSAL MODULE into the data files of a game: counters with their pictures, boards, set-ups, charts.",
    ),
    "count": (
        "importing.counts:count_command",
        "Write into the roster of a GAME's folder how many counters of each unit SAVES of its module have in play.",
    ),
    "board": (
        "boards.command:board",
        "Draw a board of a GAME as a map: SVG with named layers, PDF or PNG, whole or an area.",
    ),
    "sheets": ("sheets.command:sheets", "Lay the counters of a GAME out on sheets to print, glue and cut."),
    "aids": (
        "aids.command:aids",
        "Typeset the player aids of a GAME: turn track, sequence of play, charts, terrain key, displays.",
    ),
    "page": (
        "page.command:page",
        (
            "Make a folder with the table page, for any static host: the rules run in the reader's own browser, "
            "without a network after the first visit."
        ),
    ),
}
"""Where each command is, as `module:name` in this package, and the first sentence of its help."""

for name, (place, summary) in COMMANDS.items():
    cli.add_command(LateCommand(name, f"{__package__}.{place}", summary))


def main() -> None:
    """Run the builder's command line; a signal to end it removes half-written files, as an interruption does."""
    run(cli, end_as_interrupted)
