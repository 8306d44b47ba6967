"""What the builder adds to the assistant: the tour."""

from __future__ import annotations

import click

from assistant import hookimpl


@hookimpl
def register_commands(cli: click.Group) -> None:
    """`assistant demo`."""
    from .demo import demo

    cli.add_command(demo)
