"""The builder's command line."""

from __future__ import annotations

import sys

import click

from assistant.errors import InputError

FAULTY, UNUSABLE = 1, 3


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="field-staff", prog_name="module-builder")
def cli() -> None:
    """Makes things to play with from a game's data files."""


@cli.command("check")
@click.argument("game")
def check(game: str) -> None:
    """Read all data files of an installed GAME, say what is in them and what leads nowhere (exit code 1)."""
    from assistant.registry import load_game

    try:
        loaded = load_game(game)
        counts = {
            "tracks": len(loaded.tracks),
            "unit types": len(loaded.roster),
            "charts": len(loaded.charts),
            "rulings": len(loaded.rulings),
            "boards": len(loaded.board_names),
        }
        faults = loaded.check()
    except InputError as error:
        click.echo(f"module-builder: {error}", err=True)
        sys.exit(UNUSABLE)
    listed = ", ".join(f"{count} {what if count != 1 else what.removesuffix('s')}" for what, count in counts.items())
    click.echo(f"{loaded.title}: {listed}")
    for fault in faults:
        click.echo(f"module-builder: {fault}", err=True)
    if faults:
        sys.exit(FAULTY)


def main() -> None:
    """Run the builder's command line."""
    cli(prog_name="module-builder")
