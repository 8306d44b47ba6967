"""The tools of this repository on the command line."""

from __future__ import annotations

import sys

import click

from assistant.faces.cli.group import UNUSABLE_EXIT_CODE
from assistant.util.console import echo
from assistant.util.errors import InputError


def run_tool(command: click.Command, name: str) -> None:
    """Run a command with the arguments of the command line. Unusable input ends with a message and exit code 3."""
    try:
        command(prog_name=name)
    except InputError as error:
        echo(f"{name}: {error}", err=True)
        sys.exit(UNUSABLE_EXIT_CODE)
