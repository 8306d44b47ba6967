"""What the commands of both programs share: unusable input ends with a message and exit code 3, --debug shows where."""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TextIO

import click

from ..util.console import echo
from ..util.errors import InputError, plain
from .game_argument import GameCommand

UNUSABLE = 3
_DEBUG = "--debug"
_UNWRITTEN = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT)


class Program(click.Group):
    """A group of commands; those on a game may be given without its name (see `GameCommand`).

    --debug may stand anywhere on the line: it prints the traceback above an error's message.
    """

    command_class = GameCommand

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
                from traceback import print_exception

                print_exception(error)
            echo(f"{self.name}: {error}", err=True)
        except OSError as error:  # a full disk under standard output, or a current folder that is gone
            where = (
                f"{error.filename}: " if error.filename else "standard output: " if error.errno in _UNWRITTEN else ""
            )
            echo(f"{self.name}: {plain(where + (error.strerror or str(error)))}", err=True)
            _discard(sys.stdout)
        sys.exit(UNUSABLE)


def run(program: Program) -> None:
    """Run the command line of a program with the streams that it was given, be they closed, full or in another
    encoding.

    Exit code 3 if standard output is closed. A fault of the program itself is told in two lines, with its traceback
    after --debug.
    """
    name = program.name or ""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # for as long as the program runs
    for stream in (sys.stdout, sys.stderr):  # a console that lacks a letter shows another instead of failing
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        if sys.stdout is None:
            echo(f"{name}: standard output: it is closed", err=True)
            sys.exit(UNUSABLE)
        program.main(prog_name=name)
    except OSError:  # nobody can be told
        _discard(sys.stderr)
        sys.exit(UNUSABLE)
    except Exception as error:
        if _DEBUG in sys.argv:
            raise
        said = plain(f"{type(error).__name__}: {error}")
        echo(f"{name}: this program has a fault: {said}\n  {_DEBUG} adds the traceback, for its authors", err=True)
        sys.exit(UNUSABLE)
    finally:
        gc.freeze()  # what is left goes with the process: Python need not look through all of it once more


def _discard(stream: TextIO) -> None:
    """Send what a stream still holds to nowhere, for Python would try to write it once more at the end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
