"""What the commands of both programs share: unusable input ends with a message and exit code 3, --debug shows where."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from ..util.errors import InputError

UNUSABLE = 3
_DEBUG = "--debug"


def _open_streams() -> None:
    """Give a run without standard streams empty ones: Python has None for a stream that is closed."""
    if sys.stdin is None:
        sys.stdin = io.StringIO()
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # until the process ends
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


class Program(click.Group):
    """A group of commands. --debug may stand anywhere on the line: it prints the traceback above an error's message."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        help = "Print the traceback of an error too, for the author of a plugin."
        self.params.append(click.Option([_DEBUG], is_flag=True, expose_value=False, help=help))

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        """Run one command line."""
        _open_streams()
        given = list(sys.argv[1:] if args is None else args)
        words = [word for word in given if word != _DEBUG]
        try:
            return super().main(words, *rest, **options)
        except InputError as error:
            if len(words) < len(given):
                from traceback import print_exception

                print_exception(error)
            click.echo(f"{self.name}: {error}", err=True)
        except OSError as error:  # a full disk under standard output
            sys.stderr.write(f"{self.name}: {error.strerror or error}\n")
        sys.exit(UNUSABLE)
