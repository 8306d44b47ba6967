"""What a command prints."""

from __future__ import annotations

import click

from .errors import printable


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print lines, without signs that would steer a terminal: files of games and positions may hold any.

    err: on standard error; nl: whether a line break follows.
    """
    click.echo("\n".join(map(printable, text.split("\n"))), err=err, nl=nl)


def counted(count: int, what: str, more: str = "") -> str:
    """A number of things: `1 counter`, `2 counters`. more: the word for several, if it is not made with s."""
    return f"{count} {what if count == 1 else more or f'{what}s'}"
