"""The prompt on a terminal, with history and a key for each assumption; without one, line after line."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator

import click

from ..errors import printable
from ..settings import data_folder
from .session import Session


def run(session: Session) -> None:
    """Read lines and answer them until `quit` or the end of input."""
    for said in session.begin():
        click.echo(printable(said))
    for line in _typed(session) if sys.stdin.isatty() and sys.stdout.isatty() else _piped(session):
        session.width = min(shutil.get_terminal_size((100, 24)).columns, 100)
        for said in session.enter(line):
            click.echo(printable(said))
        if session.over:
            return


def _piped(session: Session) -> Iterator[str]:
    for line in sys.stdin:
        click.echo(printable(f"{session.prompt}{line.rstrip()}"))
        yield line


def _typed(session: Session) -> Iterator[str]:
    """Lines from the terminal; F1 to F9 are the assumptions in turn."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import FileHistory
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()
    for number in range(1, 10):

        @keys.add(f"f{number}")
        def _(event: KeyPressEvent, number: int = number) -> None:
            event.app.exit(result=f"?{number}")

    folder = data_folder() / "table"
    folder.mkdir(parents=True, exist_ok=True)
    lines: PromptSession[str] = PromptSession(history=FileHistory(str(folder / "history")), key_bindings=keys)
    while True:
        try:
            yield lines.prompt(lambda: session.prompt)
        except KeyboardInterrupt:  # as in a shell: the line is given up, not the session
            continue
        except EOFError:
            return
