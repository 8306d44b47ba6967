"""What the commands of both programs share: unusable input ends with a message and exit code 3, --debug shows where."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from typing import Any

import click

from ..util.errors import InputError

UNUSABLE = 3
_DEBUG = "--debug"


class Program(click.Group):
    """A group of commands. --debug may stand anywhere on the line: it prints the traceback above an error's message."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        help = "Print the traceback of an error too, for the author of a plugin."
        self.params.append(click.Option([_DEBUG], is_flag=True, expose_value=False, help=help))

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        """Run one command line."""
        given = list(sys.argv[1:] if args is None else args)
        words = [word for word in given if word != _DEBUG]
        try:
            return super().main(words, *rest, **options)
        except InputError as error:
            if len(words) < len(given):
                traceback.print_exception(error)
            click.echo(f"{self.name}: {error}", err=True)
        except OSError as error:  # a full disk under standard output
            sys.stderr.write(f"{self.name}: {error.strerror or error}\n")
        sys.exit(UNUSABLE)
