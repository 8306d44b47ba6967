"""What a command prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import click

from .errors import printable


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print lines, without signs that would steer a terminal: files of games and positions may hold any.

    err: on standard error; nl: whether a line break follows.
    """
    click.echo("\n".join(map(printable, text.split("\n"))), err=err, nl=nl)


def echo_styled(runs: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
    """Print a line whose pieces have styles, such as {"fg": "red"}; the pieces themselves cannot steer the terminal."""
    click.echo("".join(click.style(printable(text), **style) if style else printable(text) for text, style in runs))


def counted(count: int, what: str, more: str = "") -> str:
    """A number of things: `1 counter`, `2 counters`. more: the word for several, if it is not made with s."""
    return f"{count} {what if count == 1 else more or f'{what}s'}"
