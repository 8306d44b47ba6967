"""--watch: the answer to a question again each time its file is saved, until Ctrl+C."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import click

from ..util.console import echo
from ..util.errors import InputError, Where

F = TypeVar("F", bound=Callable[..., object])


def watchable(command: F) -> F:
    """The option of a command that answers again when its file changes."""
    help = "Answer again whenever the file is saved, until Ctrl+C."
    return click.option("--watch", is_flag=True, help=help)(command)


def answer_anew(
    file: str,
    program: str,
    answer: Callable[[bool], object],
    saved: Callable[[Path], Iterator[object]] | None = None,
) -> None:
    """Answer now and each time that a file has been saved, until Ctrl+C, which ends it quietly.

    program: the name in front of messages; answer: told whether it answers anew, in which case it may overwrite what it
    wrote before; saved: yields now and at each save, by default by looking at the file. What is wrong with the first
    answer ends it; later a mistake in the file is told, and the next save waited for.

    Raises InputError for standard input, for a file that is not there, and what the first answer raises.
    """
    path = Path(file)
    if file == "-":
        raise InputError("standard input does not change", where=Where("--watch"), hint="name a file")
    if not path.is_file():
        answer(False)  # says what is wrong with it
        return
    from ..util.watching import versions  # only here: most commands do not watch

    anew = False
    with suppress(KeyboardInterrupt):
        for _ in (saved or versions)(path):
            try:
                if anew:
                    echo(f"\n{file} was saved", err=True)
                answer(anew)
            except InputError as error:
                if not anew:
                    raise
                echo(f"{program}: {error}", err=True)
            if not anew:
                echo(f"watching {file}; Ctrl+C ends it", err=True)
            anew = True
